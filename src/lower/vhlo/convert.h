/* convert.h - what the conversions between StableHLO and VHLO share: types and attributes by
 * kind, ops by rows.
 *
 * What is converted is interned, so that each type and attribute is converted once: the memos go
 * by address. Ops are changed in place: a new row, new slots, new types of what they define. */
#ifndef TSR_LOWER_VHLO_CONVERT_H
#define TSR_LOWER_VHLO_CONVERT_H

#include "dialect/vhlo/vhlo.h"

enum { TSR_VHLO_MAX_FIELDS = 9 };

/* How a slot of StableHLO's row is represented in VHLO's. */
typedef enum {
    TSR_VHLO_WHOLE,   /* one attribute of the same name, converted by its kind */
    TSR_VHLO_INTS,    /* array<i64>: a tensor there */
    TSR_VHLO_BOOLS,   /* array<i1>: a tensor there */
    TSR_VHLO_UNIT,    /* there or not: true or false there */
    TSR_VHLO_SYMBOL,  /* @name: a string there */
    TSR_VHLO_SYMBOLS, /* [@name, ...]: strings */
    TSR_VHLO_NUMBER,  /* a number for a word of an enum */
    TSR_VHLO_FIELDS,  /* a record: an attribute for each of its fields */
    TSR_VHLO_EXTRA,   /* not in VHLO's row: discardable there */
} tsr_vhlo_how;

typedef struct tsr_vhlo_record tsr_vhlo_record;

typedef struct {
    tsr_vhlo_how how;
    const tsr_vhlo_record *record; /* TSR_VHLO_FIELDS */
    int slots
        [TSR_VHLO_MAX_FIELDS]; /* in VHLO's row; one unless a record, -1: the row does not have the field */
    size_t n;
} tsr_vhlo_part;

/* What stands for a missing attribute: the column ABSENT, understood. */
typedef struct {
    enum { TSR_VHLO_NEVER, TSR_VHLO_VALUE, TSR_VHLO_COUNTED, TSR_VHLO_CONFIG } kind;
    tsr_attr *value; /* VALUE */
    int with;        /* VALUE: only together with this slot; -1: alone */
    int counted;     /* COUNTED: slot whose elements are counted */
    int64_t element; /* COUNTED */
    bool is_bool, pairs;
} tsr_vhlo_missing;

/* A pair of rows: a StableHLO op and the newest VHLO op; or, without the first, any VHLO row with
 * what it says. */
typedef struct {
    const tsr_opdef *hlo, *vhlo;
    tsr_vhlo_part *parts;      /* by slot of hlo; NULL without it */
    tsr_vhlo_missing *missing; /* by slot of vhlo */
} tsr_vhlo_row;

typedef struct {
    tsr_ctx *ctx;
    tsr_module *module;
    bool to_vhlo;
    bool others;          /* attributes and types of other dialects stay as they are */
    tsr_map types, attrs; /* what was converted, by address */
    tsr_map blobs;        /* that dense_resource attributes name */
    tsr_arena arena;      /* rows */
    tsr_vhlo_row **rows;  /* by opcode, of StableHLO (to_vhlo) or VHLO; NULL: not asked for yet */
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
/* The row that converts op; NULL when there is none: not StableHLO's, or not the newest of VHLO. */
const tsr_vhlo_row *tsr_vhlo_row_of(tsr_vhlo_conv *c, const tsr_op *op);
/* The same of any VHLO row, without parts. */
const tsr_vhlo_row *tsr_vhlo_row_plain(tsr_vhlo_conv *c, const tsr_opdef *def);
/* Gives slots of a VHLO row that are NULL what stands for missing ones. False when nothing does. */
bool tsr_vhlo_fill(tsr_vhlo_conv *c, const tsr_vhlo_row *row, tsr_attr **attrs);
/* Whether a slot's value is what stands for a missing one. */
bool tsr_vhlo_is_missing(const tsr_vhlo_row *row, tsr_attr *const *attrs, size_t slot);
/* Names and kinds of a record's fields: n number, l list of numbers, t type, b boolean. */
struct tsr_vhlo_record {
    const tsr_attrdef *def;
    const char *kinds;
    const char *names[TSR_VHLO_MAX_FIELDS];
};

/* ---- vhlo/version.c ---- */
/* Brings op to the row before or after its own, whose places are mapped by name. False: cannot be
 * said there. */
bool tsr_vhlo_step(tsr_vhlo_conv *c, tsr_op *op, const tsr_opdef *to);

/* "failed to legalize operation ..." at op; always false. */
bool tsr_vhlo_refuse(const tsr_op *op, tsr_str name);

#endif
