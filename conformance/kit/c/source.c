/* See source.h. Knows of the protocol how ranges are asked for, and nothing of any library. */
#include "source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static status read_path(source *from, uint64_t offset, void *to, size_t len) {
    FILE *file = ((request_source *)from)->file;
    return fseeko(file, (off_t)offset, SEEK_SET) == 0 && fread(to, 1, len, file) == len ? DONE : IO_FAILED;
}

/* Asks the suite for a range, again for what is missing from a short answer, and again after `interrupted`. */
static status read_served(source *from, uint64_t offset, void *to, size_t len) {
    request_source *self = (request_source *)from;
    for (size_t got = 0; got < len;) {
        fprintf(self->answers, "{\"id\":%" PRIu64 ",\"need\":{\"offset\":\"%" PRIu64 "\",\"len\":%zu}}\n", self->id,
                offset + got, len - got);
        fflush(self->answers);
        if (getline(&self->line, &self->room, stdin) < 0) return IO_FAILED;
        bytes error = json_string(json_member(self->line, "error")),
              piece = json_string(json_member(self->line, "bytes"));
        snprintf(self->kind, sizeof self->kind, "%.*s", (int)error.len, (const char *)error.data);
        piece.len = base64_decode((uint8_t *)piece.data, piece.len);
        if (piece.len <= len - got) memcpy((uint8_t *)to + got, piece.data, piece.len);
        int is_over = piece.len > len - got || (piece.len == 0 && strcmp(self->kind, "interrupted") != 0);
        got += piece.len;
        free((void *)error.data);
        free((void *)piece.data);
        if (is_over) return IO_FAILED;
    }
    return DONE;
}

status source_open(request_source *self, const char *spec) {
    const char *served = json_member(spec, "served");
    snprintf(self->kind, sizeof self->kind, "other");
    if (served != NULL) {
        self->base = (source){NULL, json_number(json_member(served, "size")), read_served};
        return DONE;
    }
    bytes path = json_string(json_member(spec, "path"));
    char *name = calloc(1, path.len + 1);
    struct stat about;
    if (name == NULL) abort();
    memcpy(name, path.data, path.len);
    free((void *)path.data);
    free((void *)self->base.path);
    if (self->file != NULL) fclose(self->file);
    self->base = (source){name, 0, read_path};
    self->file = fopen(name, "rb");
    if (self->file == NULL || fstat(fileno(self->file), &about) != 0) return IO_FAILED;
    self->base.size = (uint64_t)about.st_size;
    return DONE;
}

void source_close(request_source *self) {
    if (self->file != NULL) fclose(self->file);
    free((void *)self->base.path);
    free(self->line);
}
