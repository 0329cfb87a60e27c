/* What the C template needs beside the protocol: growing text, a reader of the suite's own JSON, base64, SHA-256.
 *
 * The JSON reader is minimal and tolerant: it finds its way in valid JSON and refuses nothing. It is meant for what the
 * suite sends, and for nothing else. */
#ifndef HURRAY_KIT_SUPPORT_H
#define HURRAY_KIT_SUPPORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *data;
    size_t len;
} bytes;

/* A value of the key-value section; `kind` is its type. */
typedef struct value {
    const char *kind;
    uint64_t number; /* int64, uint64, bool, and the bits of a float64 */
    bytes data;      /* string, bytes */
    const char *item_kind;
    struct value *items; /* array */
    size_t item_count;
} value;

/* Text that grows; `data` is for free(). */
typedef struct {
    char *data;
    size_t len, room;
} text;

void text_add(text *to, const char *more);
void text_format(text *to, const char *format, ...);
/* {"utf8": "..."}, or {"hex": "..."} for what is not UTF-8. */
void text_name(text *to, bytes name);
void text_hex(text *to, bytes data);
/* A comma, unless a list or an object has just begun. */
void text_comma(text *to);
/* SHA-256 as hex digits. */
void text_sha256(text *to, bytes data);
/* A key-value as the protocol writes it. */
void text_value(text *to, const value *entry);
/* A quoted string, escaped. */
void text_quoted(text *to, const char *words);

/* A value is a pointer to its first character. NULL goes in and out where there is none. */
const char *json_member(const char *object, const char *name);
const char *json_item(const char *array, size_t at);
/* The value of the only member of an object; its name goes to `name`. */
const char *json_only(const char *object, char *name, size_t room);
/* The bytes of a string, for free(). */
bytes json_string(const char *value);
/* A number, also one in quotes. */
uint64_t json_number(const char *value);

/* The bytes of {"utf8": ...} or {"hex": ...}, for free(). */
bytes json_name(const char *value);
/* Decodes a string of base64 in place; its length. */
size_t base64_decode(uint8_t *data, size_t len);

#endif
