/* See support.h. Knows the forms of names and values, and nothing else of the protocol nor any library. */
#include "support.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_room(text *to, size_t more) {
    if (to->len + more + 1 <= to->room) return;
    to->room = 2 * (to->len + more + 1);
    to->data = realloc(to->data, to->room);
    if (to->data == NULL) abort();
}

void text_format(text *to, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int len = vsnprintf(NULL, 0, format, list);
    make_room(to, (size_t)len);
    to->len += (size_t)vsnprintf(to->data + to->len, (size_t)len + 1, format, again);
    va_end(list);
    va_end(again);
}

void text_add(text *to, const char *more) { text_format(to, "%s", more); }

void text_hex(text *to, bytes data) {
    for (size_t at = 0; at < data.len; at++) text_format(to, "%02x", data.data[at]);
}

void text_comma(text *to) {
    char last = to->len == 0 ? '[' : to->data[to->len - 1];
    text_add(to, last == '[' || last == '{' ? "" : ",");
}

static void add_escaped(text *to, const uint8_t *data, size_t len) {
    for (size_t at = 0; at < len; at++) {
        uint8_t c = data[at];
        text_format(to, c < 0x20 || c == '"' || c == '\\' ? "\\u%04x" : "%c", c);
    }
}

void text_quoted(text *to, const char *words) {
    text_add(to, "\"");
    add_escaped(to, (const uint8_t *)words, strlen(words));
    text_add(to, "\"");
}

/* Length of the UTF-8 character at the start, 0 if there is none. */
static size_t character(const uint8_t *at, size_t left) {
    uint8_t c = at[0];
    if (c < 0x80) return 1;
    size_t len = c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    if (len == 0 || len > left) return 0;
    uint8_t low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80, high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
    if (at[1] < low || at[1] > high) return 0;
    for (size_t i = 2; i < len; i++)
        if ((at[i] & 0xc0) != 0x80) return 0;
    return len;
}

void text_name(text *to, bytes name) {
    size_t at = 0, len = 1;
    while (at < name.len && (len = character(name.data + at, name.len - at)) != 0) at += len;
    text_add(to, len == 0 ? "{\"hex\":\"" : "{\"utf8\":\"");
    if (len == 0)
        text_hex(to, name);
    else
        add_escaped(to, name.data, name.len);
    text_add(to, "\"}");
}

void text_value(text *to, const value *entry) {
    text_format(to, "{\"%s\":", entry->kind);
    if (strcmp(entry->kind, "array") == 0) {
        text_format(to, "{\"type\":\"%s\",\"items\":[", entry->item_kind);
        for (size_t at = 0; at < entry->item_count; at++) text_comma(to), text_value(to, &entry->items[at]);
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

static const char *blank(const char *at) { return at + strspn(at, " \t\r\n,:"); }

/* Behind the value at `at`. */
static const char *behind(const char *at) {
    size_t depth = 0;
    do {
        if (*at == '"') {
            for (at++; *at != '"' && *at != 0; at++)
                if (*at == '\\' && at[1] != 0) at++;
            if (*at != 0) at++;
        } else if (*at == '{' || *at == '[') {
            depth++, at++;
        } else if (*at == '}' || *at == ']') {
            if (depth == 0) return at;
            depth--, at++;
        } else {
            at += strcspn(at, ",:]} \t\r\n");
        }
        at = blank(at);
    } while (depth > 0 && *at != 0);
    return at;
}

const char *json_member(const char *object, const char *name) {
    if (object == NULL || *object != '{') return NULL;
    for (const char *at = blank(object + 1); *at == '"';) {
        const char *value = behind(at);
        size_t len = strlen(name);
        if (strncmp(at + 1, name, len) == 0 && at[1 + len] == '"') return value;
        at = behind(value);
    }
    return NULL;
}

const char *json_item(const char *array, size_t at) {
    if (array == NULL || *array != '[') return NULL;
    const char *item = blank(array + 1);
    while (at-- > 0 && *item != ']' && *item != 0) item = behind(item);
    return *item == ']' || *item == 0 ? NULL : item;
}

const char *json_only(const char *object, char *name, size_t room) {
    if (object == NULL || *object != '{' || *blank(object + 1) != '"') return NULL;
    const char *first = blank(object + 1);
    snprintf(name, room, "%.*s", (int)strcspn(first + 1, "\""), first + 1);
    return behind(first);
}

static unsigned hex_digits(const char *at, size_t count) {
    unsigned number = 0;
    for (; count-- > 0 && *at != 0; at++)
        number = number * 16 + (unsigned)(*at <= '9' ? *at - '0' : (*at | 32) - 'a' + 10);
    return number;
}

static size_t add_character(uint8_t *to, unsigned code) {
    if (code < 0x80) return to[0] = (uint8_t)code, 1;
    size_t len = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = len - 1; i > 0; i--, code >>= 6) to[i] = (uint8_t)(0x80 | (code & 0x3f));
    to[0] = (uint8_t)((0xf00 >> len & 0xff) | code);
    return len;
}

bytes json_string(const char *value) {
    if (value == NULL || *value != '"') return (bytes){calloc(1, 1), 0};
    uint8_t *data = malloc(strlen(value));
    size_t len = 0;
    if (data == NULL) abort();
    for (const char *at = value + 1; *at != '"' && *at != 0; at++) {
        if (*at != '\\') {
            data[len++] = (uint8_t)*at;
            continue;
        }
        const char *known = "b\bf\fn\nr\rt\t", *found = strchr(known, *++at);
        if (*at == 'u') {
            unsigned code = hex_digits(at + 1, 4);
            at += 4;
            if (code >= 0xd800 && code < 0xdc00 && at[1] == '\\' && at[2] == 'u') {
                code = 0x10000 + ((code - 0xd800) << 10) + (hex_digits(at + 3, 4) - 0xdc00);
                at += 6;
            }
            len += add_character(data + len, code);
        } else {
            data[len++] = (uint8_t)(found != NULL && *at != 0 ? found[1] : *at);
        }
    }
    return (bytes){data, len};
}

uint64_t json_number(const char *value) { return value == NULL ? 0 : strtoull(value + (*value == '"'), NULL, 10); }

bytes json_name(const char *value) {
    const char *hex = json_member(value, "hex");
    bytes name = json_string(hex != NULL ? hex : json_member(value, "utf8"));
    if (hex == NULL) return name;
    for (size_t at = 0; at < name.len / 2; at++)
        ((uint8_t *)name.data)[at] = (uint8_t)hex_digits((const char *)name.data + 2 * at, 2);
    return (bytes){name.data, name.len / 2};
}

size_t base64_decode(uint8_t *data, size_t len) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    size_t out = 0, count = 0;
    for (size_t at = 0; at < len && data[at] != '='; at++) {
        const char *digit = strchr(digits, data[at]);
        bits = bits << 6 | (uint32_t)(digit == NULL ? 0 : digit - digits);
        if (++count % 4 != 1) data[out++] = (uint8_t)(bits >> (6 - 2 * ((count - 1) % 4)));
    }
    return out;
}

/* SHA-256, FIPS 180-4. The constants are the first 32 bits of the fractional parts of roots of the first primes. */
static const uint32_t ROUNDS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t word, unsigned by) { return word >> by | word << (32 - by); }

static void sha256_block(uint32_t state[8], const uint8_t *block) {
    uint32_t w[64], s[8];
    for (size_t i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               block[4 * i + 3];
    for (size_t i = 16; i < 64; i++) {
        uint32_t a = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    memcpy(s, state, sizeof s);
    for (size_t i = 0; i < 64; i++) {
        uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]), majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        uint32_t one = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) + choice + ROUNDS[i] + w[i];
        uint32_t two = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + majority;
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (size_t i = 0; i < 8; i++) state[i] += s[i];
}

void text_sha256(text *to, bytes data) {
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    size_t at = 0;
    for (; data.len - at >= 64; at += 64) sha256_block(state, data.data + at);
    uint8_t last[128] = {0};
    size_t rest = data.len - at, end = rest < 56 ? 64 : 128;
    if (rest > 0) memcpy(last, data.data + at, rest);
    last[rest] = 0x80;
    for (size_t i = 0; i < 8; i++) last[end - 1 - i] = (uint8_t)((uint64_t)data.len * 8 >> 8 * i);
    for (size_t i = 0; i < end; i += 64) sha256_block(state, last + i);
    for (size_t i = 0; i < 8; i++) text_format(to, "%08" PRIx32, state[i]);
}
