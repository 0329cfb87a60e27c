/* Connects a library that reads Hurray files to the conformance suite. A template: it works as it stands.
 *
 * Owns the worker protocol (conformance/PROTOCOL.md) and what the suite is told of the library. It translates and
 * decides nothing; everything about files is asked of `library.c`, which is yours to fill.
 *
 *     cc -std=c11 -D_POSIX_C_SOURCE=200809L -o adapter adapter.c source.c support.c library.c */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library.h"
#include "source.h"
#include "support.h"

/* Take `served` out of "source" if the library opens paths only. Whatever `run` learns to do goes into "operations" and
 * OPERATIONS, whatever it shows into "observes". */
static const char HELLO[] = "{\"hello\":{\"protocol\":[1,1],\"name\":\"%s\",\"version\":\"%s\","
                            "\"operations\":[\"open\",\"list\",\"kv\",\"describe\",\"read\"],"
                            "\"types\":%s,\"layouts\":%s,\"quantization\":%s,"
                            "\"source\":[\"path\",\"served\"],\"observes\":[\"tensors\",\"kv\",\"payload\"]}}\n";
static const char *const OPERATIONS[] = {"open", "list", "kv", "describe", "read", NULL};

/* One request: all its steps run on the same open file. */
typedef struct {
    request_source source;
    const char *spec; /* what the request says of its source */
    library_file *file;
} session;

static void add_name(void *to, bytes name) {
    text_comma(to);
    text_name(to, name);
}

static void add_entry(void *to, bytes key, const value *entry) {
    text_comma(to);
    text_add(to, "{\"key\":"), text_name(to, key);
    text_add(to, ",\"value\":"), text_value(to, entry), text_add(to, "}");
}

/* Describes a tensor; more of it, such as its handles, goes in here. */
static status add_tensor(text *to, library_file *file, const char *arguments, int with_buffers) {
    static tensor seen;
    bytes name = json_name(json_member(arguments, "name"));
    status end = library_tensor(file, name, with_buffers, &seen);
    free((void *)name.data);
    if (end != DONE) return end;
    text_format(to, "\"tensor\":{\"type\":\"%s\",\"layout\":\"%s\",\"shape\":[", seen.type, seen.layout);
    for (size_t at = 0; at < seen.rank; at++) text_comma(to), text_format(to, "\"%" PRIu64 "\"", seen.shape[at]);
    text_add(to, with_buffers ? "]},\"buffers\":[" : "]}");
    for (size_t at = 0; with_buffers && at < seen.buffer_count; at++) {
        text_comma(to);
        text_format(to, "{\"len\":\"%zu\",\"sha256\":\"", seen.buffers[at].len);
        text_sha256(to, seen.buffers[at]);
        text_add(to, "\"}");
    }
    text_add(to, with_buffers ? "]" : "");
    return DONE;
}

/* One step that is declared: what was seen goes to `to` on DONE. */
static status run(text *to, session *self, const char *operation, const char *arguments) {
    if (strcmp(operation, "open") == 0) {
        if (self->file != NULL) library_close(self->file);
        self->file = NULL;
        status end = source_open(&self->source, self->spec);
        return end == DONE ? library_open(&self->source.base, &self->file) : end;
    }
    if (strcmp(operation, "describe") == 0) return add_tensor(to, self->file, arguments, 0);
    if (strcmp(operation, "read") == 0) return add_tensor(to, self->file, arguments, 1);
    int is_list = strcmp(operation, "list") == 0;
    text_add(to, is_list ? "\"names\":[" : "\"kv\":[");
    status end = is_list ? library_names(self->file, add_name, to) : library_entries(self->file, add_entry, to);
    text_add(to, "]");
    return end;
}

static void add_result(text *to, session *self, const char *step) {
    char operation[64] = "";
    const char *arguments = json_only(step, operation, sizeof operation);
    size_t known = 0;
    while (OPERATIONS[known] != NULL && strcmp(operation, OPERATIONS[known]) != 0) known++;
    if (OPERATIONS[known] == NULL) {
        text_add(to, "{\"unsupported\":{}}");
        return;
    }
    if (self->file == NULL && strcmp(operation, "open") != 0) {
        text_add(to, "{\"refused\":{\"message\":\"no file is open\"}}");
        return;
    }
    text seen = {0};
    text_add(&seen, "");
    status end = run(&seen, self, operation, arguments);
    if (end == DONE) {
        text_format(to, "{\"ok\":{%s}}", seen.data);
    } else if (end == NOT_FOUND) {
        text_add(to, "{\"not_found\":{}}");
    } else if (end == IO_FAILED) {
        text_format(to, "{\"io\":{\"kind\":\"%s\"}}", self->source.kind);
    } else { /* whatever is not the library's verdict on the bytes is an error */
        text_format(to, "{\"%s\":{\"message\":", end == REJECTED ? "reject" : "error");
        text_quoted(to, library_message()), text_add(to, "}}");
    }
    free(seen.data);
}

static void answer(const char *request, FILE *answers) {
    const char *steps = json_member(request, "steps"), *step;
    session self = {.spec = json_member(request, "source"), .source.answers = answers};
    text line = {0};
    self.source.id = json_number(json_member(request, "id"));
    text_format(&line, "{\"id\":%" PRIu64 ",\"results\":[", self.source.id);
    for (size_t at = 0; (step = json_item(steps, at)) != NULL; at++) text_comma(&line), add_result(&line, &self, step);
    fprintf(answers, "%s]}\n", line.data);
    fflush(answers);
    if (self.file != NULL) library_close(self.file);
    source_close(&self.source);
    free(line.data);
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    FILE *answers = fdopen(dup(STDOUT_FILENO), "w"); /* whatever a library prints goes to standard error */
    dup2(STDERR_FILENO, STDOUT_FILENO);
    if (answers == NULL) return 1;
    fprintf(answers, HELLO, LIBRARY_NAME, LIBRARY_VERSION, LIBRARY_TYPES, LIBRARY_LAYOUTS, LIBRARY_QUANTIZATION);
    fflush(answers);
    while (getline(&line, &room, stdin) >= 0) answer(line, answers);
    free(line);
    return 0;
}
