/* SPDX-License-Identifier: Apache-2.0 */
/* bytecode.h - MLIR's bytecode: the constants of the format, and encodings that are written once for both directions.
 *
 * A tsr_bc processes the encoding of one thing in one of three modes: reading, writing, or numbering (the pass before
 * writing, which finds what an attribute or a type refers to). Each step below does what the mode requires, so that one
 * function describes the encoding of a kind of attribute or type:
 *
 *     static bool bc_call_site(tsr_bc *b, tsr_attr **attr)
 *     {
 *         tsr_attr *callee = NULL, *caller = NULL;
 *         if (!tsr_bc_reading(b)) {
 *             callee = (*attr)->attrs[0];
 *             caller = (*attr)->attrs[1];
 *         }
 *         if (!tsr_bc_attr_kind(b, TSR_ATTR_LOC, &callee) || !tsr_bc_attr_kind(b, TSR_ATTR_LOC, &caller))
 *             return false;
 *         if (tsr_bc_reading(b))
 *             *attr = tsr_attr_loc_callsite(b->ctx, callee, caller);
 *         return true;
 *     }
 *
 * The caller reads and writes the code that precedes the encoding. Every step returns false after a diagnostic; only
 * reading can fail. The result of a reading step is checked: a type is never NULL, and a count never exceeds the
 * remaining bytes. */
#ifndef TSR_TEXT_BYTECODE_BYTECODE_H
#define TSR_TEXT_BYTECODE_BYTECODE_H

#include "ir/ir.h"

/* ---- The format ---- */

#define TSR_BC_MAGIC "ML\xEFR"

/* Versions, by the feature they added. A file of a later version is rejected. */
enum {
    TSR_BC_DIALECT_VERSIONS = 1, /* dialects have versions */
    TSR_BC_LAZY_REGIONS = 2,     /* regions of isolated ops are in a section of their own */
    TSR_BC_USE_LISTS = 3,        /* orders of uses */
    TSR_BC_ELIDE_LOCS = 4,    /* arguments without location; the number of op names comes first */
    TSR_BC_PROPERTIES = 5,    /* inherent attributes are in the properties section */
    TSR_BC_SEGMENT_SIZES = 6, /* segment sizes as sparse arrays */
    TSR_BC_VERSION = 6,       /* the newest */
};

enum {
    TSR_BC_SECTION_STRING,
    TSR_BC_SECTION_DIALECT,
    TSR_BC_SECTION_ATTR_TYPE,
    TSR_BC_SECTION_ATTR_TYPE_OFFSET,
    TSR_BC_SECTION_IR,
    TSR_BC_SECTION_RESOURCE,
    TSR_BC_SECTION_RESOURCE_OFFSET,
    TSR_BC_SECTION_DIALECT_VERSIONS,
    TSR_BC_SECTION_PROPERTIES,
    TSR_BC_SECTION__COUNT,
    TSR_BC_SECTION_ALIGNED = 0x80, /* flag in the id: alignment and padding follow */
};

enum { TSR_BC_PAD = 0xCB };

/* What an op has: a bit mask in the byte after its name. */
enum {
    TSR_BC_OP_ATTRS = 1,
    TSR_BC_OP_RESULTS = 2,
    TSR_BC_OP_OPERANDS = 4,
    TSR_BC_OP_SUCCESSORS = 8,
    TSR_BC_OP_REGIONS = 16,
    TSR_BC_OP_USE_LISTS = 32,
    TSR_BC_OP_PROPERTIES = 64,
};

/* Kinds of resources. */
enum { TSR_BC_RESOURCE_BLOB, TSR_BC_RESOURCE_BOOL, TSR_BC_RESOURCE_STRING };

/* ---- One encoding, three ways ---- */

typedef struct tsr_bc tsr_bc;
typedef enum { TSR_BC_READ, TSR_BC_NUMBER, TSR_BC_WRITE } tsr_bc_mode;

/* Callbacks to the reader or the writer: references into the tables of the file. */
typedef struct {
    bool (*attr)(tsr_bc *b, tsr_attr **attr); /* an index; never NULL */
    bool (*type)(tsr_bc *b, tsr_type **type);
    bool (*optional_attr)(tsr_bc *b, tsr_attr **attr); /* index * 2 + 1; 0 for NULL */
    bool (*string)(tsr_bc *b, tsr_str *s);             /* an index; lives as long as the file */
    bool (*resource)(tsr_bc *b, tsr_str dialect,
                     tsr_str *key); /* a handle: the key that a dense_resource refers to */
    void (*error)(tsr_bc *b, const char *message); /* reading: reports it with section and offset */
} tsr_bc_host;

typedef struct {
    uint32_t major, minor, patch;
} tsr_bc_version;

struct tsr_bc {
    tsr_ctx *ctx;
    tsr_module *module;
    const tsr_bc_host *host;
    void *user; /* for the callbacks */
    tsr_bc_mode mode;
    uint32_t version; /* of the format */
    uint32_t depth;   /* reading: nesting depth of this attribute or type */
    uint32_t deepest; /* reading: nesting levels of what was read */
    uint64_t
        nodes; /* reading: attributes and types in what was read, each as often as it is printed */
    bool borrow;        /* reading: the file outlives the module */
    bool met_loc;       /* reading: a location was read */
    uint32_t ndistinct; /* reading: distinct attributes so far; each record is a new one */
    tsr_bc_version
        dialect; /* version of the dialect whose codec runs; zeros if the file has none */
    const uint8_t *p, *end; /* reading: the rest of this encoding */
    tsr_arena *scratch;     /* reading: lists live here until the codec returns */
    tsr_buf *out;           /* writing */
    tsr_bc_version reader;  /* writing: see tsr_bytecode_options */
    /* Property orders that were computed, by opcode, in scratch; TSR_OP__COUNT of them. NULL: they are not cached. */
    const uint8_t **orders;
};

static inline bool tsr_bc_reading(const tsr_bc *b)
{
    return b->mode == TSR_BC_READ;
}

/* An error at the current read position; always returns false. */
bool tsr_bc_error(tsr_bc *b, const char *fmt, ...) TSR_PRINTF(2, 3);

/* ---- Steps (bytecode.c) ---- */

bool tsr_bc_short(tsr_bc *b); /* "ends too early"; always returns false */
bool tsr_bc_read_long(tsr_bc *b, uint64_t *v);
void tsr_bc_put_long(tsr_buf *out, uint64_t v); /* of more than two bytes */
static inline void tsr_bc_put_varint(tsr_buf *out, uint64_t v)
{
    if (v >> 14) {
        tsr_bc_put_long(out, v);
        return;
    }
    tsr_buf_reserve(out, 2);
    if (v >> 7) {
        out->data[out->len++] = (char)(v << 2 | 2);
        out->data[out->len++] = (char)(v >> 6);
    } else {
        out->data[out->len++] = (char)(v << 1 | 1);
    }
}
static inline uint64_t tsr_bc_zigzag(int64_t v)
{
    return (uint64_t)v << 1 ^ (v < 0 ? ~(uint64_t)0 : 0);
}
static inline int64_t tsr_bc_unzigzag(uint64_t v)
{
    return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

/* Reading only. */
static inline bool tsr_bc_read_byte(tsr_bc *b, uint8_t *v)
{
    if (TSR_UNLIKELY(b->p == b->end))
        return tsr_bc_short(b);
    *v = *b->p++;
    return true;
}

static inline bool tsr_bc_read_varint(tsr_bc *b, uint64_t *v)
{
    if (TSR_UNLIKELY(b->p == b->end))
        return tsr_bc_short(b);
    if (TSR_LIKELY(*b->p & 1)) {
        *v = *b->p++ >> 1;
        return true;
    }
    if ((*b->p & 2) && b->end - b->p > 1) {
        *v = (uint64_t)b->p[0] >> 2 | (uint64_t)b->p[1] << 6;
        b->p += 2;
        return true;
    }
    return tsr_bc_read_long(b, v);
}

static inline bool tsr_bc_byte(tsr_bc *b, uint8_t *v)
{
    if (b->mode == TSR_BC_READ)
        return tsr_bc_read_byte(b, v);
    if (b->mode == TSR_BC_WRITE)
        tsr_buf_char(b->out, (char)*v);
    return true;
}

static inline bool tsr_bc_varint(tsr_bc *b, uint64_t *v)
{
    if (b->mode == TSR_BC_READ)
        return tsr_bc_read_varint(b, v);
    if (b->mode == TSR_BC_WRITE)
        tsr_bc_put_varint(b->out, *v);
    return true;
}

static inline bool tsr_bc_svarint(tsr_bc *b, int64_t *v)
{
    uint64_t u = tsr_bc_reading(b) ? 0 : tsr_bc_zigzag(*v);
    if (!tsr_bc_varint(b, &u))
        return false;
    *v = tsr_bc_unzigzag(u);
    return true;
}

bool tsr_bc_bool(tsr_bc *b, bool *v); /* a byte */
/* How many items follow, each of at least one byte. */
bool tsr_bc_count(tsr_bc *b, size_t *n);
/* The number of an enum's case: below limit. */
bool tsr_bc_enum(tsr_bc *b, uint64_t *v, uint64_t limit);
bool tsr_bc_u32(tsr_bc *b, uint32_t *v); /* a varint */
bool tsr_bc_blob(tsr_bc *b,
                 tsr_str *data); /* length and bytes; reading: a part of the file, not aligned */
bool tsr_bc_string(tsr_bc *b, tsr_str *s);
/* svarint[]; reading: in scratch. */
bool tsr_bc_svarints(tsr_bc *b, const int64_t **v, size_t *n);

/* Integers of a known width: little endian, (width + 7) / 8 bytes; up to 64 bits also as a number. */
bool tsr_bc_apint(tsr_bc *b, uint32_t width, uint8_t *bytes);
bool tsr_bc_bits(tsr_bc *b, uint32_t width,
                 uint64_t *v); /* width <= 64; reading: cleared above width */
/* The value of an integer or float attribute whose type is known. Reading: creates it. */
bool tsr_bc_int_attr(tsr_bc *b, tsr_type *type, tsr_attr **attr);
bool tsr_bc_float_attr(tsr_bc *b, tsr_type *type, tsr_attr **attr);

static inline bool tsr_bc_attr(tsr_bc *b, tsr_attr **attr)
{
    return b->host->attr(b, attr);
}
static inline bool tsr_bc_type(tsr_bc *b, tsr_type **type)
{
    return b->host->type(b, type);
}
static inline bool tsr_bc_optional_attr(tsr_bc *b, tsr_attr **attr)
{
    return b->host->optional_attr(b, attr);
}
static inline bool tsr_bc_resource(tsr_bc *b, tsr_str dialect, tsr_str *key)
{
    return b->host->resource(b, dialect, key);
}
bool tsr_bc_attr_kind(tsr_bc *b, tsr_attr_kind kind,
                      tsr_attr **attr); /* of this kind, or an error */
bool tsr_bc_attr_def(tsr_bc *b, const tsr_attrdef *def,
                     tsr_attr **attr);                            /* a struct or enum of this row */
bool tsr_bc_attrs(tsr_bc *b, tsr_attr *const **attrs, size_t *n); /* a list; reading: in scratch */
bool tsr_bc_types(tsr_bc *b, tsr_type *const **types, size_t *n);
/* Dense elements from raw data as MLIR stores it (i1 packed into bits, one element for a splat), checked against the
 * type, which is a tensor or vector. Refers to the file's memory if it may be borrowed. */
tsr_attr *tsr_bc_read_dense(tsr_bc *b, tsr_type *type, tsr_str data);
/* Writes the same: type is shaped, a is a TSR_ATTR_DENSE. */
void tsr_bc_write_dense(tsr_bc *b, const tsr_attr *a);
/* int64 numbers as svarints: reading makes array<i64: ...>. */
bool tsr_bc_i64s(tsr_bc *b, tsr_attr **attr);
/* A string as attribute, as structs contain it. */
bool tsr_bc_string_attr(tsr_bc *b, tsr_attr **attr);

/* ---- Dialects (bytecode/table.c) ---- */

/* Reads into *attr, or writes *attr. The code has been read or written already. */
typedef bool tsr_bc_attr_codec(tsr_bc *b, tsr_attr **attr);
typedef bool tsr_bc_type_codec(tsr_bc *b, tsr_type **type);

typedef struct {
    const char *name;
    tsr_bc_attr_codec *const *attrs; /* by code; NULL: no such code */
    tsr_bc_type_codec *const *types;
    uint32_t nattr, ntype;
    /* The code under which it is written; -1: as text. */
    int (*attr_code)(const tsr_bc *b, const tsr_attr *a);
    int (*type_code)(const tsr_bc *b, const tsr_type *t);
    bool (*read_version)(tsr_bc *b, tsr_bc_version *v); /* NULL: any version, or none */
} tsr_bc_dialect;

extern const tsr_bc_dialect tsr_bc_builtin; /* bytecode/builtin.c; its types: */
enum { TSR_BC_NBUILTIN_TYPE = 33 };
extern tsr_bc_type_codec *const tsr_bc_builtin_types[]; /* bytecode/builtin_type.c */
int tsr_bc_builtin_type_code(const tsr_bc *b, const tsr_type *t);
extern const tsr_bc_dialect tsr_bc_quant;     /* bytecode/quant.c */
extern const tsr_bc_dialect tsr_bc_stablehlo; /* bytecode/stablehlo.c */
extern const tsr_bc_dialect tsr_bc_chlo;      /* bytecode/chlo.c */
extern const tsr_bc_dialect tsr_bc_sdy;       /* bytecode/sdy.c */
extern const tsr_bc_dialect tsr_bc_vhlo;      /* bytecode/vhlo.c */

/* NULL: a dialect without encodings of its own; its attributes and types are text. */
const tsr_bc_dialect *tsr_bc_dialect_find(tsr_str name);
/* The dialect that it belongs to: "builtin", "stablehlo", ... */
tsr_str tsr_bc_attr_dialect(const tsr_attr *a);
tsr_str tsr_bc_type_dialect(const tsr_type *t);

/* Writes or numbers the code and encoding of a. False: it has none and must be text; nothing was written. */
bool tsr_bc_write_attr(tsr_bc *b, const tsr_bc_dialect *d, tsr_attr *a);
bool tsr_bc_write_type(tsr_bc *b, const tsr_bc_dialect *d, tsr_type *t);

/* ---- Properties of ops (bytecode/props.c) ---- */

/* The inherent attributes of a registered op, b->version >= TSR_BC_PROPERTIES, sorted by name: required ones as an
 * attribute, others as an optional one. Before TSR_BC_SEGMENT_SIZES, sizes of operand and result groups are an
 * attribute among them; since then they come last, as sparse arrays. attrs: the op's slots, by row. */
bool tsr_bc_properties(tsr_bc *b, const tsr_opdef *def, tsr_attr **attrs);
/* Whether the op has slots that a later version of its dialect added and that hold only their defaults: an older reader
 * has no place for them, a newer one expects them. Such an op is written with all its attributes by name, in the
 * dictionary of discardable ones and without those defaults, which every reader understands. For writers that do not
 * know the reader. */
bool tsr_bc_by_name(tsr_ctx *ctx, const tsr_opdef *def, tsr_attr *const *attrs);
bool tsr_bc_is_new_default(tsr_ctx *ctx, const tsr_opdef *def, tsr_attr *const *attrs, int slot);
/* The same for an op without a row: one attribute. */
bool tsr_bc_raw_properties(tsr_bc *b, tsr_attr **attr);
/* Whether ops of this row have properties: whether it has slots. */
static inline bool tsr_bc_has_properties(const tsr_opdef *def)
{
    return def->nslot > 0;
}

/* ---- Reading (bytecode/read.c) ---- */

/* Whether data begins with bytecode's magic number. */
static inline bool tsr_is_bytecode(tsr_str data)
{
    return data.len >= 4 && memcmp(data.data, TSR_BC_MAGIC, 4) == 0;
}

/* Reads a module from bytecode, without verifying it; NULL after a diagnostic that names section and offset. With
 * borrow, data must live as long as the module: large constants refer to it. */
tsr_module *tsr_bytecode_read(tsr_ctx *ctx, tsr_str data, tsr_str filename, bool borrow);

/* ---- Writing (bytecode/write.c) ---- */

typedef struct {
    uint32_t version; /* of the format */
    tsr_str producer;
    tsr_bc_version
        reader; /* StableHLO version of the intended reader: attributes that came later and are not set are left out;
                 * zeros: current */
} tsr_bytecode_options;

/* Appends root and everything inside it as bytecode. The module must be valid. False after a diagnostic: a version that
 * does not exist, or too deep nesting. */
bool tsr_bytecode_write(tsr_buf *out, tsr_op *root, const tsr_bytecode_options *options);

#endif
