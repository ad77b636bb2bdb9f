/* SPDX-License-Identifier: Apache-2.0 */
/* convert.h - shared by the conversions between StableHLO and VHLO: types and attributes by kind, ops by rows.
 *
 * Types and attributes are interned, so each is converted once: caches are keyed by address. Ops are changed in place:
 * they get a new row, new slots, and new types of the values they define. */
#ifndef TSR_LOWER_VHLO_CONVERT_H
#define TSR_LOWER_VHLO_CONVERT_H

#include "dialect/vhlo/vhlo.h"

enum { TSR_VHLO_MAX_FIELDS = 9 };

/* How a slot of StableHLO's row is represented in VHLO's. */
typedef enum {
    TSR_VHLO_WHOLE,   /* one attribute of the same name, converted by its kind */
    TSR_VHLO_INTS,    /* array<i64>: a tensor there */
    TSR_VHLO_BOOLS,   /* array<i1>: a tensor there */
    TSR_VHLO_UNIT,    /* present or not: true or false there */
    TSR_VHLO_SYMBOL,  /* @name: a string there */
    TSR_VHLO_SYMBOLS, /* [@name, ...]: strings */
    TSR_VHLO_NUMBER,  /* an integer for an enum case */
    TSR_VHLO_FIELDS,  /* a record: an attribute for each of its fields */
    TSR_VHLO_EXTRA,   /* not in VHLO's row: discardable there */
} tsr_vhlo_how;

typedef struct tsr_vhlo_record tsr_vhlo_record;

typedef struct {
    tsr_vhlo_how how;
    const tsr_vhlo_record *record; /* TSR_VHLO_FIELDS */
    /* in VHLO's row; one unless it is a record, -1: the row does not have the field */
    int slots[TSR_VHLO_MAX_FIELDS];
    size_t n;
} tsr_vhlo_part;

/* The default of a missing attribute: the column ABSENT, parsed. */
typedef struct {
    enum { TSR_VHLO_NEVER, TSR_VHLO_VALUE, TSR_VHLO_COUNTED, TSR_VHLO_CONFIG } kind;
    tsr_attr *value; /* VALUE */
    int with;        /* VALUE: only together with this slot; -1: alone */
    int counted;     /* COUNTED: slot whose elements are counted */
    int64_t element; /* COUNTED */
    bool is_bool, pairs;
} tsr_vhlo_missing;

/* A pair of rows: a StableHLO op and the newest VHLO op; or, without the first, any VHLO row with its defaults. */
typedef struct {
    const tsr_opdef *hlo, *vhlo;
    tsr_vhlo_part *parts;      /* by slot of hlo; NULL without it */
    tsr_vhlo_missing *missing; /* by slot of vhlo */
} tsr_vhlo_row;

typedef struct {
    tsr_ctx *ctx;
    tsr_module *module;
    bool to_vhlo;
    bool others;          /* leave attributes and types of other dialects unchanged */
    tsr_map types, attrs; /* converted ones, by address */
    tsr_map blobs;        /* named by dense_resource attributes */
    tsr_arena arena;      /* rows */
    tsr_vhlo_row **rows;  /* by opcode, of StableHLO (to_vhlo) or VHLO; NULL: not built yet */
    tsr_buf name;         /* scratch */
} tsr_vhlo_conv;

void tsr_vhlo_conv_init(tsr_vhlo_conv *c, tsr_module *m, bool to_vhlo, bool others);
void tsr_vhlo_conv_free(tsr_vhlo_conv *c);

/* ---- vhlo/attrs.c ---- */
/* NULL: has no counterpart. */
tsr_type *tsr_vhlo_convert_type(tsr_vhlo_conv *c, tsr_type *t);
tsr_attr *tsr_vhlo_convert_attr(tsr_vhlo_conv *c, tsr_attr *a);
/* Discardable attributes. False: one has no counterpart. */
bool tsr_vhlo_convert_extra(tsr_vhlo_conv *c, tsr_attr **extra);
/* Types of an op's results and of the arguments of its regions, in place. */
bool tsr_vhlo_convert_types(tsr_vhlo_conv *c, tsr_op *op);

/* ---- vhlo/rows.c ---- */
/* The row that converts op; NULL if there is none: not StableHLO's, or not the newest of VHLO. */
const tsr_vhlo_row *tsr_vhlo_row_of(tsr_vhlo_conv *c, const tsr_op *op);
/* The same for any VHLO row, without parts. */
const tsr_vhlo_row *tsr_vhlo_row_plain(tsr_vhlo_conv *c, const tsr_opdef *def);
/* Fills slots of a VHLO row that are NULL with their defaults. False if one has none. */
bool tsr_vhlo_fill(tsr_vhlo_conv *c, const tsr_vhlo_row *row, tsr_attr **attrs);
/* Whether a slot's value is its default. */
bool tsr_vhlo_is_missing(const tsr_vhlo_row *row, tsr_attr *const *attrs, size_t slot);
/* Names and kinds of a record's fields: n number, l list of numbers, t type, b boolean. */
struct tsr_vhlo_record {
    const tsr_attrdef *def;
    const char *kinds;
    const char *names[TSR_VHLO_MAX_FIELDS];
};

/* ---- vhlo/version.c ---- */
/* Converts op to the preceding or following row, mapping slots by name. False: it cannot be expressed there. */
bool tsr_vhlo_step(tsr_vhlo_conv *c, tsr_op *op, const tsr_opdef *to);

/* Reports "failed to legalize operation ..." at op; always false. */
bool tsr_vhlo_refuse(const tsr_op *op, tsr_str name);

#endif
