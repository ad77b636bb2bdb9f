/* SPDX-License-Identifier: Apache-2.0 */
/* fields.h - encodings of struct and enum attributes as lists of fields, one per
 * parameter. */
#ifndef TSR_TEXT_BYTECODE_FIELDS_H
#define TSR_TEXT_BYTECODE_FIELDS_H

#include "dialect/dialect.h"
#include "text/bytecode/bytecode.h"

/* How a parameter is encoded, and which attribute represents it. */
typedef enum {
    BC_NUMBER,        /* svarint: i64 */
    BC_NUMBERS,       /* svarint[]: array<i64> */
    BC_MAYBE_NUMBERS, /* the same; empty: NULL */
    BC_PRIORITY,      /* varint * 2 + 1, or 0: i64 or NULL */
    BC_STRING,
    BC_TYPE,       /* a type attribute */
    BC_TYPES,      /* a list: an array of type attributes */
    BC_BOOL,       /* a byte: i1 */
    BC_UNIT,       /* a byte: unit or NULL */
    BC_F64,        /* the bits: f64 */
    BC_ATTR,       /* any, or one of def */
    BC_MAYBE,      /* optional attribute of def */
    BC_MAYBE_BYTE, /* a byte, then the attribute (any when def is NULL); NULL */
    BC_LIST,       /* a list of attributes of def: an array; def NULL: any */
    BC_STRINGS,    /* a list of strings as attributes */
    BC_ARRAY,      /* one attribute: an array of those of def */
} bc_field_kind;

typedef struct {
    bc_field_kind kind;
    const tsr_attrdef *def;
} bc_field;

/* An attribute of def with one field per parameter. ok: checks rules among the parameters after reading; may be
 * NULL. */
bool bc_struct(tsr_bc *b, const tsr_attrdef *def, const bc_field *fields, size_t n,
               bool (*ok)(tsr_ctx *ctx, tsr_loc loc, tsr_attr *const *params), tsr_attr **attr);
bool bc_enum(tsr_bc *b, const tsr_attrdef *def, tsr_attr **attr);
/* The code of def: its index in defs, which may have gaps; -1 if it is not in them. */
int bc_code_of(const tsr_attrdef *const *defs, size_t n, const tsr_attrdef *def);
/* One parameter. */
bool bc_field_code(tsr_bc *b, const bc_field *f, tsr_attr **param);
/* The first n parameters of attr, which are read or written. */
bool bc_params(tsr_bc *b, const bc_field *fields, size_t n, const tsr_attr *attr,
               tsr_attr **params);

/* Entries of tables by code: the function that reads and writes an attribute, and its definition. */
#define BC_CODEC(code, id) [code] = code_##id,
#define BC_DEF(code, id) [code] = &tsr_def_##id,

/* clang-format off */
#define BC_STRUCT_OK(id, ok, ...)                                                             \
    static bool code_##id(tsr_bc *b, tsr_attr **attr)                                         \
    {                                                                                         \
        static const bc_field fields[] = {__VA_ARGS__};                                       \
        return bc_struct(b, &tsr_def_##id, fields, TSR_COUNT(fields), ok, attr);              \
    }
#define BC_STRUCT(id, ...) BC_STRUCT_OK(id, NULL, __VA_ARGS__)
#define BC_ENUM(id)                                                                           \
    static bool code_##id(tsr_bc *b, tsr_attr **attr)                                         \
    {                                                                                         \
        return bc_enum(b, &tsr_def_##id, attr);                                               \
    }
/* clang-format on */

#endif
