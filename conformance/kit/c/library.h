/* What the adapter asks of your library. Fill library.c with calls to it; the suite says what is still missing. */
#ifndef HURRAY_KIT_LIBRARY_H
#define HURRAY_KIT_LIBRARY_H

#include "support.h"

/* How a call ended. REJECTED is the library's verdict on the bytes: let no other error become it. */
typedef enum { DONE, REJECTED, NOT_FOUND, IO_FAILED, FAILED } status;

/* The file of one request. `path` is NULL for a file that the suite serves. */
typedef struct source {
    const char *path;
    uint64_t size;
    /* Reads `len` bytes at `offset`; DONE, or IO_FAILED. All of them have to lie in the file. */
    status (*read)(struct source *from, uint64_t offset, void *to, size_t len);
} source;

typedef struct {
    const char *type, *layout;
    size_t rank;
    uint64_t shape[64];
    size_t buffer_count;
    bytes buffers[255];
} tensor;

typedef struct library_file library_file;

/* Lists of names as JSON, by the names of the specification. */
extern const char LIBRARY_NAME[], LIBRARY_VERSION[], LIBRARY_TYPES[], LIBRARY_LAYOUTS[], LIBRARY_QUANTIZATION[];

/* Why the last call failed. */
const char *library_message(void);
status library_open(source *from, library_file **file);
void library_close(library_file *file);
/* Calls `each` for every name, and for every key-value entry. */
status library_names(library_file *file, void (*each)(void *to, bytes name), void *to);
status library_entries(library_file *file, void (*each)(void *to, bytes key, const value *entry), void *to);
/* Type, layout and shape; the buffers too if `with_buffers`. What it points to lives until the file is closed. */
status library_tensor(library_file *file, bytes name, int with_buffers, tensor *found);

#endif
