/* The file of one request: a path, or ranges that the suite serves over the protocol. Nothing to fill in here. */
#ifndef HURRAY_KIT_SOURCE_H
#define HURRAY_KIT_SOURCE_H

#include <stdio.h>

#include "library.h"

typedef struct {
    source base;    /* what the library is given */
    uint64_t id;    /* of the request */
    FILE *answers;  /* where ranges are asked for */
    char kind[16];  /* of the last failure of the transport */
    FILE *file;
    char *line;
    size_t room;
} request_source;

/* Opens what the "source" of the request says, again if it was open. */
status source_open(request_source *self, const char *spec);
void source_close(request_source *self);

#endif
