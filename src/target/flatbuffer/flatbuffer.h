/* SPDX-License-Identifier: Apache-2.0 */
/* flatbuffer.h - tt-mlir's flatbuffers: a schema as data, and trees of values that it describes. Reading verifies each
 * offset; writing, JSON and the conversions of programs and systems work on trees. This file does not use the IR: see
 * program.h for that. */
#ifndef TSR_TARGET_FLATBUFFER_FLATBUFFER_H
#define TSR_TARGET_FLATBUFFER_FLATBUFFER_H

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

/* ---- The schema ---- */

typedef enum {
    TSR_FB_BOOL,
    TSR_FB_INT,
    TSR_FB_UINT,
    TSR_FB_FLOAT,
    TSR_FB_ENUM,   /* a number with named values: fields are the names, value: their numbers */
    TSR_FB_STRUCT, /* bytes; fields are its members, value: their offsets */
    TSR_FB_STRING,
    TSR_FB_TABLE,
    TSR_FB_UNION, /* fields are its cases, numbered from 1 */
} tsr_fb_kind;

/* How a field of a table holds its type. */
typedef enum { TSR_FB_ONE, TSR_FB_MAYBE, TSR_FB_LIST } tsr_fb_how;

typedef struct tsr_fb_type tsr_fb_type;
typedef struct {
    const char *name; /* NULL after the last one */
    const tsr_fb_type *type;
    tsr_fb_how how;
    double value; /* default; number of an enum's word; offset of a member */
} tsr_fb_field;

struct tsr_fb_type {
    const char *name;
    tsr_fb_kind kind;
    uint8_t size, align;        /* inline; for tables, strings and unions those of an offset */
    bool bits;                  /* an enumeration of bit flags */
    const tsr_fb_type *base;    /* of an enumeration */
    const tsr_fb_field *fields; /* NULL: none */
};

#define TSR_FB_PLAIN_TYPES(X) \
    X(bool) X(i8) X(u8) X(i16) X(u16) X(i32) X(u32) X(i64) X(u64) X(f32) X(f64) X(string)
#define PLAIN(name) extern const tsr_fb_type tsr_fb_##name;
TSR_FB_PLAIN_TYPES(PLAIN)
#undef PLAIN
#define ENUM(name, base, flags) extern const tsr_fb_type tsr_fb_##name;
#define STRUCT(name, size, align) extern const tsr_fb_type tsr_fb_##name;
#define UNION(name) extern const tsr_fb_type tsr_fb_##name;
#define TABLE(name) extern const tsr_fb_type tsr_fb_##name;
#include "target/flatbuffer/schema.def"

/* ---- Trees ---- */

typedef struct tsr_fb_table tsr_fb_table;
typedef struct tsr_fb_value tsr_fb_value;
struct tsr_fb_value {
    union {
        int64_t i;           /* BOOL, INT, UINT, ENUM */
        double f;            /* FLOAT */
        tsr_str s;           /* STRING, STRUCT, lists of numbers and structs: little-endian bytes */
        tsr_fb_table *table; /* TABLE, UNION */
        struct {
            tsr_fb_value *items; /* lists of strings, tables and unions */
            size_t n;
        };
    };
    uint8_t tag; /* UNION: number of its case, from 1 */
    bool set;    /* false: absent, or its default */
};

/* One value for each field of the type. A table may be referenced from several places: it is written once. */
struct tsr_fb_table {
    const tsr_fb_type *type;
    uint32_t at;    /* its position in the file that was read */
    uint32_t ends;  /* writing: its distance from the end, 0 before it is written */
    uint64_t nodes; /* tables in it, including itself, each as often as it is referenced */
    tsr_fb_value fields[];
};

size_t tsr_fb_count(const tsr_fb_type *type);           /* number of fields */
int tsr_fb_find(const tsr_fb_type *type, tsr_str name); /* index of a field; -1 if there is none */
tsr_fb_table *tsr_fb_table_new(tsr_arena *a, const tsr_fb_type *type);
/* A field by name, which must exist. */
tsr_fb_value *tsr_fb_at(tsr_fb_table *t, const char *name);
const tsr_fb_value *tsr_fb_get(const tsr_fb_table *t, const char *name);
/* The number of a scalar field, its default if absent; a table or NULL; a string or "". */
int64_t tsr_fb_int(const tsr_fb_table *t, const char *name);
tsr_fb_table *tsr_fb_sub(const tsr_fb_table *t, const char *name);
tsr_str tsr_fb_text(const tsr_fb_table *t, const char *name);
void tsr_fb_set_int(tsr_fb_table *t, const char *name, int64_t v);
void tsr_fb_set_text(tsr_fb_table *t, const char *name, tsr_str s);
void tsr_fb_set_sub(tsr_fb_table *t, const char *name, tsr_fb_table *sub);
/* A new table in a field. */
tsr_fb_table *tsr_fb_add_sub(tsr_arena *a, tsr_fb_table *t, const char *name);
/* A list of n items of tables, strings or unions, cleared. */
tsr_fb_value *tsr_fb_set_list(tsr_arena *a, tsr_fb_table *t, const char *name, size_t n);
/* A list of numbers as bytes of the field's type, or a struct of numbers of one width. */
void tsr_fb_set_ints(tsr_arena *a, tsr_fb_table *t, const char *name, const int64_t *v, size_t n);
/* Number of elements of a list of numbers; their bytes, with elements of this size. */
size_t tsr_fb_nints(const tsr_fb_table *t, const char *name);
int64_t tsr_fb_int_at(const tsr_fb_table *t, const char *name, size_t i);
/* Loads a number from the bytes of a scalar type, and stores one. */
int64_t tsr_fb_load(const tsr_fb_type *type, const char *p);
double tsr_fb_load_float(const tsr_fb_type *type, const char *p);
void tsr_fb_store(const tsr_fb_type *type, int64_t v, char *out);
/* The word of a number of an enumeration, or NULL; the number of a word, or -1. */
const char *tsr_fb_word(const tsr_fb_type *type, int64_t number);
int64_t tsr_fb_number(const tsr_fb_type *type, tsr_str word);
/* Numbers and enumerations. */
static inline bool tsr_fb_is_scalar(const tsr_fb_type *t)
{
    return t->kind <= TSR_FB_ENUM;
}
/* Stored as bytes in lists. */
static inline bool tsr_fb_is_inline(const tsr_fb_type *t)
{
    return t->kind <= TSR_FB_STRUCT;
}
static inline const tsr_fb_type *tsr_fb_base(const tsr_fb_type *t)
{
    return t->base ? t->base : t;
}

/* ---- Files ---- */

/* A kind of file: its root table, and the four-letter identifier after the root's offset. */
typedef struct {
    const tsr_fb_type *root;
    const char *identifier;
    const char *hash; /* schema_hash of the schema's revision */
} tsr_fb_file;
enum { TSR_FB_TTNN, TSR_FB_TTSY, TSR_FB_TTM };
extern const tsr_fb_file tsr_fb_files[]; /* indexed by the numbers above; NULL root at the end */
#define TSR_FB_NO_FILE "this is neither a binary (.ttnn, .ttm) nor a system description (.ttsys)"
/* The kind of a file, by its identifier; NULL: none. */
const tsr_fb_file *tsr_fb_file_of(tsr_str data);

/* Why a file is rejected, and at which offset. */
typedef struct {
    char what[200];
    size_t at;
} tsr_fb_error;

/* The tree of a file; strings and lists of numbers point into data. NULL after an error. */
tsr_fb_table *tsr_fb_read(tsr_arena *a, const tsr_fb_file *file, tsr_str data, tsr_fb_error *error);
/* hint: estimated size in bytes, 0: unknown. False: it is larger than 2 GB, which a flatbuffer cannot be. */
bool tsr_fb_write(tsr_buf *out, const tsr_fb_file *file, tsr_fb_table *root, size_t hint);
/* In the form of flatbuffers' own printer with defaults and strict names. */
void tsr_fb_json(tsr_buf *out, const tsr_fb_table *t, int indent);
void tsr_fb_json_value(tsr_buf *out, const tsr_fb_field *field, const tsr_fb_value *v, int indent);

#define TSR_FB_GIT_HASH "tessera"
enum { TSR_FB_MAJOR = 0, TSR_FB_MINOR = 0, TSR_FB_PATCH = 0 };
/* Sets version, schema_hash and ttmlir_git_hash of a root. */
void tsr_fb_stamp(const tsr_fb_file *file, tsr_fb_table *root);

#endif
