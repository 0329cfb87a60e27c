/* Connects a library that reads Hurray files to the conformance suite. A template: it works as it stands.
 *
 * Owns the worker protocol (conformance/PROTOCOL.md) and what the suite is told of the library. It translates and
 * decides nothing; everything about files is asked of `library.c`, which is yours to fill.
 *
 *     cc -std=c11 -D_POSIX_C_SOURCE=200809L -o adapter adapter.c support.c library.c */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "library.h"
#include "support.h"

/* Take `served` out of "source" if the library opens paths only. */
static const char HELLO[] = "{\"hello\":{\"protocol\":[1,1],\"name\":\"%s\",\"version\":\"%s\","
                            "\"operations\":[\"open\",\"list\",\"kv\",\"describe\",\"read\"],"
                            "\"types\":%s,\"layouts\":%s,\"quantization\":%s,"
                            "\"source\":[\"path\",\"served\"],\"observes\":[\"tensors\",\"kv\",\"payload\"]}}\n";

static FILE *answers; /* standard output as it was; whatever a library prints goes to standard error */

/* The file of one request. */
typedef struct {
    source base;
    uint64_t id;
    FILE *file;
    char *line;
    size_t room;
    char kind[16]; /* of the last failure of the transport */
} request_source;

static status read_path(source *from, uint64_t offset, void *to, size_t len) {
    FILE *file = ((request_source *)from)->file;
    return fseeko(file, (off_t)offset, SEEK_SET) == 0 && fread(to, 1, len, file) == len ? DONE : IO_FAILED;
}

/* Asks the suite for a range, again for what is missing from a short answer, and again after `interrupted`. */
static status read_served(source *from, uint64_t offset, void *to, size_t len) {
    request_source *self = (request_source *)from;
    for (size_t got = 0; got < len;) {
        fprintf(answers, "{\"id\":%" PRIu64 ",\"need\":{\"offset\":\"%" PRIu64 "\",\"len\":%zu}}\n", self->id,
                offset + got, len - got);
        fflush(answers);
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

static status open_source(request_source *self, const char *spec) {
    const char *served = json_member(spec, "served");
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

static void add_name(void *to, bytes name) {
    text *list = to;
    text_add(list, list->data[list->len - 1] == '[' ? "" : ",");
    text_name(list, name);
}

static void add_value(text *to, const value *entry) {
    text_format(to, "{\"%s\":", entry->kind);
    if (strcmp(entry->kind, "array") == 0) {
        text_format(to, "{\"type\":\"%s\",\"items\":[", entry->item_kind);
        for (size_t at = 0; at < entry->item_count; at++) {
            text_add(to, at == 0 ? "" : ",");
            add_value(to, &entry->items[at]);
        }
        text_add(to, "]}");
    } else if (strcmp(entry->kind, "string") == 0) {
        text_name(to, entry->data);
    } else if (strcmp(entry->kind, "bytes") == 0) {
        text_add(to, "\""), text_hex(to, entry->data), text_add(to, "\"");
    } else if (strcmp(entry->kind, "bool") == 0) {
        text_add(to, entry->number != 0 ? "true" : "false");
    } else if (strcmp(entry->kind, "int64") == 0) {
        text_format(to, "\"%" PRId64 "\"", (int64_t)entry->number);
    } else {
        text_format(to, strcmp(entry->kind, "float64") == 0 ? "\"%016" PRIx64 "\"" : "\"%" PRIu64 "\"", entry->number);
    }
    text_add(to, "}");
}

static void add_entry(void *to, bytes key, const value *entry) {
    text *list = to;
    text_add(list, list->data[list->len - 1] == '[' ? "{\"key\":" : ",{\"key\":");
    text_name(list, key);
    text_add(list, ",\"value\":");
    add_value(list, entry);
    text_add(list, "}");
}

static status add_tensor(text *to, library_file *file, const char *arguments, int with_buffers) {
    static tensor seen;
    bytes name = json_name(json_member(arguments, "name"));
    status end = library_tensor(file, name, with_buffers, &seen);
    free((void *)name.data);
    if (end != DONE) return end;
    text_format(to, "\"tensor\":{\"type\":\"%s\",\"layout\":\"%s\",\"shape\":[", seen.type, seen.layout);
    for (size_t at = 0; at < seen.rank; at++) text_format(to, "%s\"%" PRIu64 "\"", at == 0 ? "" : ",", seen.shape[at]);
    text_add(to, with_buffers ? "]},\"buffers\":[" : "]}");
    for (size_t at = 0; with_buffers && at < seen.buffer_count; at++) {
        uint8_t digest[32];
        sha256(seen.buffers[at], digest);
        text_format(to, "%s{\"len\":\"%zu\",\"sha256\":\"", at == 0 ? "" : ",", seen.buffers[at].len);
        text_hex(to, (bytes){digest, sizeof digest});
        text_add(to, "\"}");
    }
    text_add(to, with_buffers ? "]" : "");
    return DONE;
}

/* One step: what was seen goes to `to` on DONE. Unknown operations are answered by the caller. */
static status run(text *to, request_source *self, const char *spec, library_file **file, const char *operation,
                  const char *arguments) {
    status end = DONE;
    if (strcmp(operation, "open") == 0) {
        if (*file != NULL) library_close(*file);
        *file = NULL;
        snprintf(self->kind, sizeof self->kind, "other");
        end = open_source(self, spec);
        return end == DONE ? library_open(&self->base, file) : end;
    }
    if (strcmp(operation, "list") == 0) {
        text_add(to, "\"names\":[");
        end = library_names(*file, add_name, to);
        text_add(to, "]");
    } else if (strcmp(operation, "kv") == 0) {
        text_add(to, "\"kv\":[");
        end = library_entries(*file, add_entry, to);
        text_add(to, "]");
    } else {
        end = add_tensor(to, *file, arguments, strcmp(operation, "read") == 0);
    }
    return end;
}

static void add_result(text *to, request_source *self, const char *spec, library_file **file, const char *step) {
    static const char *const known[] = {"open", "list", "kv", "describe", "read"};
    char operation[64] = "";
    const char *arguments = json_only(step, operation, sizeof operation);
    int is_known = 0;
    for (size_t at = 0; at < sizeof known / sizeof *known; at++) is_known |= strcmp(operation, known[at]) == 0;
    if (!is_known) {
        text_add(to, "{\"unsupported\":{}}");
    } else if (*file == NULL && strcmp(operation, "open") != 0) {
        text_add(to, "{\"refused\":{\"message\":\"no file is open\"}}");
    } else {
        text seen = {0};
        text_add(&seen, "");
        switch (run(&seen, self, spec, file, operation, arguments)) {
        case DONE: text_format(to, "{\"ok\":{%s}}", seen.data); break;
        case NOT_FOUND: text_add(to, "{\"not_found\":{}}"); break;
        case IO_FAILED: text_format(to, "{\"io\":{\"kind\":\"%s\"}}", self->kind); break;
        case REJECTED:
            text_add(to, "{\"reject\":{\"message\":"), text_quoted(to, library_message()), text_add(to, "}}");
            break;
        default:
            text_add(to, "{\"error\":{\"message\":"), text_quoted(to, library_message()), text_add(to, "}}");
            break;
        }
        free(seen.data);
    }
}

static void answer(const char *request) {
    const char *spec = json_member(request, "source"), *steps = json_member(request, "steps"), *step;
    request_source self = {.id = json_number(json_member(request, "id"))};
    library_file *file = NULL;
    text line = {0};
    text_format(&line, "{\"id\":%" PRIu64 ",\"results\":[", self.id);
    for (size_t at = 0; (step = json_item(steps, at)) != NULL; at++) {
        text_add(&line, at == 0 ? "" : ",");
        add_result(&line, &self, spec, &file, step);
    }
    fprintf(answers, "%s]}\n", line.data);
    fflush(answers);
    if (file != NULL) library_close(file);
    if (self.file != NULL) fclose(self.file);
    free((void *)self.base.path);
    free(self.line);
    free(line.data);
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    answers = fdopen(dup(STDOUT_FILENO), "w");
    dup2(STDERR_FILENO, STDOUT_FILENO);
    if (answers == NULL) return 1;
    fprintf(answers, HELLO, LIBRARY_NAME, LIBRARY_VERSION, LIBRARY_TYPES, LIBRARY_LAYOUTS, LIBRARY_QUANTIZATION);
    fflush(answers);
    while (getline(&line, &room, stdin) >= 0) answer(line);
    free(line);
    return 0;
}
