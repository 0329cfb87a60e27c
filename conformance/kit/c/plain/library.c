/* A small honest reader of plain files, in place of a library: row-major tensors of whole-byte types, and key-values.
 *
 * It shows the template at work. It checks what it needs to find its way and no more, so the suite has a lot to say. */
#include "library.h"

#include <stdlib.h>
#include <string.h>

const char LIBRARY_NAME[] = "plain-c", LIBRARY_VERSION[] = "0.1.0";
const char LIBRARY_TYPES[] = "[\"float16\",\"bfloat16\",\"float32\",\"float64\",\"int8\",\"uint8\",\"int16\","
                             "\"uint16\",\"int32\",\"uint32\",\"int64\",\"uint64\"]";
const char LIBRARY_LAYOUTS[] = "[\"row_major\"]", LIBRARY_QUANTIZATION[] = "[]";

/* Longest part that is read at once: a length in a file is only a claim. */
#define LONGEST ((uint64_t)1 << 30)

static const struct {
    uint8_t tag, size;
    const char *name;
} TYPES[] = {{0x01, 2, "float16"}, {0x02, 2, "bfloat16"}, {0x03, 4, "float32"}, {0x04, 8, "float64"},
             {0x10, 1, "int8"},    {0x11, 1, "uint8"},    {0x12, 2, "int16"},   {0x13, 2, "uint16"},
             {0x14, 4, "int32"},   {0x15, 4, "uint32"},   {0x16, 8, "int64"},   {0x17, 8, "uint64"}};
static const char *const KINDS[] = {"", "string", "int64", "uint64", "float64", "bool", "bytes", "array"};

/* What a file has read or made, to be freed with it. */
typedef struct kept {
    struct kept *next;
} kept;

struct library_file {
    source *from;
    bytes index, kv;
    kept *all;
};

/* Takes bytes from the front; `is_short` once there were none left. */
typedef struct {
    bytes rest;
    int is_short;
} cursor;

static const char *message = "";

static status failed(status how, const char *why) {
    message = why;
    return how;
}

const char *library_message(void) { return message; }

static void *keep(library_file *file, size_t len) {
    kept *made = calloc(1, sizeof *made + len);
    if (made == NULL) return NULL;
    made->next = file->all;
    file->all = made;
    return made + 1;
}

void library_close(library_file *file) {
    for (kept *at = file->all, *next; at != NULL; at = next) next = at->next, free(at);
    free(file);
}

static bytes take(cursor *from, uint64_t len) {
    if (len > from->rest.len) return from->is_short = 1, (bytes){NULL, 0};
    bytes taken = {from->rest.data, (size_t)len};
    from->rest.data += len, from->rest.len -= (size_t)len;
    return taken;
}

static uint64_t number(cursor *from, size_t len) {
    bytes taken = take(from, len);
    uint64_t value = 0;
    for (size_t at = taken.len; at > 0; at--) value = value << 8 | taken.data[at - 1];
    return value;
}

/* Reads one part of the file. */
static status part(library_file *file, uint64_t offset, uint64_t len, bytes *to) {
    if (offset > file->from->size || len > file->from->size - offset || len > LONGEST)
        return failed(REJECTED, "a part lies outside of the file");
    void *data = keep(file, (size_t)len);
    if (data == NULL) return failed(FAILED, "no memory");
    *to = (bytes){data, (size_t)len};
    return len == 0 ? DONE : file->from->read(file->from, offset, data, (size_t)len);
}

static status open_parts(library_file *file) {
    uint64_t size = file->from->size;
    bytes header, trailer;
    if (size < 104) return failed(REJECTED, "too short for a file of this format");
    status end = part(file, 0, 64, &header);
    if (end == DONE) end = part(file, size - 40, 40, &trailer);
    if (end != DONE) return end;
    if (memcmp(header.data, "HRRYFILE\1", 9) != 0 || memcmp(trailer.data + 36, "HRRY", 4) != 0)
        return failed(REJECTED, "not a file of this format and version");
    cursor at = {trailer, 0};
    uint64_t index_offset = number(&at, 8), index_len = number(&at, 8), kv_offset = number(&at, 8),
             kv_len = number(&at, 4);
    end = part(file, index_offset, index_len, &file->index);
    return end == DONE ? part(file, kv_offset, kv_len, &file->kv) : end;
}

/* Finds the index entry of a name, or calls `each` for all of them. `entry` stands behind the name. */
static status entries_of(library_file *file, bytes wanted, cursor *entry, void (*each)(void *to, bytes name),
                         void *to) {
    cursor at = {file->index, 0};
    for (uint64_t left = number(&at, 8); left > 0 && !at.is_short; left--) {
        bytes name = take(&at, number(&at, 2));
        *entry = at;
        take(&at, 32);
        if (at.is_short) break;
        if (each != NULL)
            each(to, name);
        else if (name.len == wanted.len && memcmp(name.data, wanted.data, name.len) == 0)
            return DONE;
    }
    if (at.is_short) return failed(REJECTED, "the index ends too early");
    return each != NULL ? DONE : NOT_FOUND;
}

static void ignore(void *to, bytes name) { (void)to, (void)name; }

status library_open(source *from, library_file **file) {
    library_file *opened = calloc(1, sizeof *opened);
    if (opened == NULL) return failed(FAILED, "no memory");
    opened->from = from;
    status end = open_parts(opened);
    if (end == DONE) end = library_names(opened, ignore, NULL);
    if (end == DONE)
        *file = opened;
    else
        library_close(opened);
    return end;
}

status library_names(library_file *file, void (*each)(void *to, bytes name), void *to) {
    cursor unused;
    return entries_of(file, (bytes){NULL, 0}, &unused, each, to);
}

static status read_value(library_file *file, cursor *at, uint64_t tag, value *to) {
    if (tag == 0 || tag > 7) return failed(REJECTED, "an unknown value type");
    to->kind = KINDS[tag];
    if (tag == 1 || tag == 6)
        to->data = take(at, number(at, 4));
    else if (tag < 5)
        to->number = number(at, 8);
    else if (tag == 5)
        to->number = number(at, 1);
    else {
        uint64_t item = number(at, 1), count = number(at, 4);
        if (item == 0 || item > 6 || count > at->rest.len) return failed(REJECTED, "an array that cannot be");
        to->item_kind = KINDS[item];
        to->item_count = (size_t)count;
        to->items = keep(file, (size_t)count * sizeof *to->items);
        if (to->items == NULL) return failed(FAILED, "no memory");
        for (size_t i = 0; i < to->item_count; i++) {
            status end = read_value(file, at, item, &to->items[i]);
            if (end != DONE) return end;
        }
    }
    return at->is_short ? failed(REJECTED, "the key-values end too early") : DONE;
}

status library_entries(library_file *file, void (*each)(void *to, bytes key, const value *entry), void *to) {
    cursor at = {file->kv, 0};
    for (uint64_t left = file->kv.len > 0 ? number(&at, 4) : 0; left > 0; left--) {
        bytes key = take(&at, number(&at, 2));
        value entry = {0};
        status end = read_value(file, &at, number(&at, 1), &entry);
        if (end != DONE) return end;
        each(to, key, &entry);
    }
    return DONE;
}

status library_tensor(library_file *file, bytes name, int with_buffers, tensor *found) {
    cursor entry = {{NULL, 0}, 0};
    bytes descriptor;
    status end = entries_of(file, name, &entry, NULL, NULL);
    if (end != DONE) return end;
    uint64_t offset = number(&entry, 8), len = number(&entry, 4), data_offset = number(&entry, 8),
             data_len = number(&entry, 8);
    if ((end = part(file, offset, len, &descriptor)) != DONE) return end;
    cursor at = {descriptor, 0};
    int is_one = descriptor.len >= 20 && memcmp(descriptor.data, "HRRY\1", 5) == 0;
    take(&at, 14);
    uint64_t tag = number(&at, 1), layout = number(&at, 1), size = 0;
    found->type = NULL;
    found->rank = (size_t)number(&at, 4);
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (TYPES[i].tag == tag) found->type = TYPES[i].name, size = TYPES[i].size;
    if (!is_one || found->type == NULL || layout != 0x01 || found->rank > 64)
        return failed(REJECTED, "a descriptor this reader does not understand");
    found->layout = "row_major";
    for (size_t i = 0; i < found->rank; i++)
        if ((found->shape[i] = number(&at, 8)) == 0) size = 0;
    for (size_t i = 0; i < found->rank && size > 0; i++) {
        if (size > LONGEST / found->shape[i]) return failed(REJECTED, "a shape beyond any file");
        size *= found->shape[i];
    }
    uint64_t byte_offset = number(&at, 8), count = number(&at, 1), buffer_len = count == 1 ? number(&at, 8) : 0;
    if (at.is_short || count != 1 || byte_offset > buffer_len || size > buffer_len - byte_offset ||
        buffer_len != data_len)
        return failed(REJECTED, "a buffer that does not hold the tensor");
    found->buffer_count = 1;
    return with_buffers ? part(file, data_offset, data_len, &found->buffers[0]) : DONE;
}
