/* SPDX-License-Identifier: Apache-2.0 */
/* json.h - a strict JSON reader: exactly one value, no duplicate keys in an object, at most 64 levels. */
#ifndef TSR_BASE_JSON_H
#define TSR_BASE_JSON_H

#include "base/arena.h"
#include "base/str.h"

typedef enum {
    TSR_JSON_NULL,
    TSR_JSON_BOOL,
    TSR_JSON_INT,
    TSR_JSON_NUMBER,
    TSR_JSON_STRING,
    TSR_JSON_ARRAY,
    TSR_JSON_OBJECT
} tsr_json_kind;

typedef struct tsr_json tsr_json;
struct tsr_json {
    tsr_json_kind kind;
    size_t at;           /* where it begins in the text */
    int64_t i;           /* BOOL, INT: an integer that fits; NUMBER: any other, whose text is s */
    tsr_str s;           /* STRING: its characters in UTF-8; NUMBER */
    tsr_json **items;    /* ARRAY, OBJECT: n of them */
    const tsr_str *keys; /* OBJECT */
    size_t n;
};

/* The error message and its position. */
typedef struct {
    const char *reason;
    size_t at;
} tsr_json_error;

/* All memory comes from the arena; NULL after an error. */
const tsr_json *tsr_json_read(tsr_arena *arena, tsr_str text, tsr_json_error *error);
/* A member of an object, if it has this kind; NULL if there is none. object may be NULL. */
const tsr_json *tsr_json_get(const tsr_json *object, const char *key, tsr_json_kind kind);

#endif
