/* SPDX-License-Identifier: Apache-2.0 */
/* asm.h - assembly, written once for both directions.
 *
 * A tsr_asm either reads text or writes it. Each step below does whichever is needed, so that one function describes
 * the form of an op, an attribute or a type:
 *
 *     static bool asm_iota(tsr_asm *a)
 *     {
 *         return tsr_asm_lit(a, " dim = ") && tsr_asm_slot(a, STABLEHLO_IOTA_iota_dimension) && tsr_asm_dict(a) &&
 *                tsr_asm_lit(a, " : ") && tsr_asm_result_type(a, 0);
 *     }
 *
 * Every step returns false after a diagnostic (only when reading; writing cannot fail). Literals are written exactly as
 * given; when reading, white space in them and in the source is ignored. Steps like tsr_asm_maybe return whether the
 * text is present. A hook may test tsr_asm_writing(a) where the two directions really differ. If an op's hook returns
 * false while writing, before it has written anything, the op does not have this form and is written generically. */
#ifndef TSR_ASM_ASM_H
#define TSR_ASM_ASM_H

#include "ir/ir.h"

typedef struct tsr_reader tsr_reader; /* asm/reader.h */
typedef struct tsr_writer tsr_writer; /* asm/writer.h */

/* An operand as it was read: %name or %name#number, not yet resolved. */
typedef struct {
    tsr_str name;
    uint32_t number;
    tsr_loc loc;
} tsr_operand_ref;

/* An argument of a region, read before its region. name is empty if the source does not name it. */
typedef struct {
    tsr_str name;
    tsr_type *type;
    tsr_attr *attrs; /* dictionary or NULL (function arguments) */
    tsr_loc loc;
} tsr_region_arg;

typedef TSR_VEC(tsr_region_arg) tsr_region_args;
typedef TSR_VEC(tsr_attr *) tsr_attr_vec;

/* An op while it is read. */
typedef struct {
    const tsr_opdef *def;
    tsr_loc loc;
    TSR_VEC(tsr_operand_ref) operands;
    tsr_type_vec
        operand_types; /* as many as operands, or fewer if the row's traits imply the rest */
    tsr_type_vec result_types;
    tsr_attr **attrs;         /* inherent slots */
    TSR_VEC(tsr_named) extra; /* discardable ones */
    tsr_region *regions;      /* def->nregion of them unless more were read (variadic) */
    uint32_t nregion, cap_region;
    TSR_VEC(tsr_block *) succs;
    TSR_VEC(uint32_t) nsuccin;
} tsr_opstate;

/* Adds an empty region; regions that were read before keep their blocks. */
tsr_region *tsr_opstate_add_region(tsr_opstate *st, tsr_module *m);

/* Callbacks to text/: values, regions and blocks. */
typedef struct {
    bool (*read_region)(tsr_asm *a, tsr_region *region, const tsr_region_args *args, bool optional,
                        bool *present);
    void (*write_region)(tsr_asm *a, tsr_region *region, bool entry_args, bool terminators,
                         bool empty_block);
    void (*write_value)(tsr_asm *a, const tsr_value *v);
    bool (*read_successor)(tsr_asm *a, tsr_block **out);
    void (*write_block)(tsr_asm *a, const tsr_block *b);
    /* A whole op in custom or generic form inside another's assembly (stablehlo.reduce applies ...). */
    bool (*read_op)(tsr_asm *a, tsr_block *into);
    void (*write_op)(tsr_asm *a, tsr_op *op);
} tsr_asm_host;

struct tsr_asm {
    tsr_ctx *ctx;
    tsr_module *module;
    tsr_reader *in;  /* reading, else NULL */
    tsr_writer *out; /* writing, else NULL */
    tsr_opstate *st; /* reading an op */
    tsr_op *op;      /* writing an op */
    const tsr_asm_host *host;
    uint64_t done; /* slots already shown by the custom form, which tsr_asm_dict leaves out */
};

static inline bool tsr_asm_writing(const tsr_asm *a)
{
    return a->out != NULL;
}

/* ---- Tokens (steps.c) ---- */

/* Literal text: tokens of punctuation and keywords. Reading: an error "expected 'x'" if it is missing. */
bool tsr_asm_lit(tsr_asm *a, const char *text);
/* Writing: writes text if present is set. Reading: consumes text if it comes next. Returns whether it was present. */
bool tsr_asm_maybe(tsr_asm *a, const char *text, bool present);
/* Reading: whether text comes next, without consuming it. Writing: false. */
bool tsr_asm_peek(tsr_asm *a, const char *text);
/* Reading: an error at the current token; always returns false. */
bool tsr_asm_error(tsr_asm *a, const char *fmt, ...) TSR_PRINTF(2, 3);
/* "expected 'what'" for a missing word or punctuation; always returns false. */
bool tsr_asm_missing(tsr_asm *a, bool word, tsr_str what);
/* Reading: the location of the next token. */
tsr_loc tsr_asm_loc(tsr_asm *a);
bool tsr_asm_error_at(tsr_asm *a, tsr_loc loc, const char *fmt, ...) TSR_PRINTF(3, 4);
bool tsr_asm_keyword(tsr_asm *a, tsr_str *word); /* a bare identifier (dots, $, - not included) */
bool tsr_asm_int(tsr_asm *a, int64_t *value);    /* a number with optional '-' */
bool tsr_asm_string(tsr_asm *a,
                    tsr_str *value); /* "..." unescaped; reading: interned in the context */
bool tsr_asm_symbol_name(tsr_asm *a, tsr_str *name); /* @name or @"name", without '@' */
/* A dimension: number or '?' (TSR_DYNAMIC). */
bool tsr_asm_dim(tsr_asm *a, int64_t *value);

/* Writing: a new line at the op's indentation. Reading: nothing. */
bool tsr_asm_newline(tsr_asm *a);

/* A comma-separated list. open, close: "[" and "]", "(" ..., or "" for none (then the list has at least one element).
 * each(a, user, i) reads or writes element i. count is the number when writing, and is set when reading. Elements are
 * separated by ", " when written. */
bool tsr_asm_list(tsr_asm *a, const char *open, const char *close, size_t *count,
                  bool (*each)(tsr_asm *a, void *user, size_t i), void *user);
/* [x, y], as an array attribute: item(a, user, attr) reads or writes each. */
bool tsr_asm_array(tsr_asm *a, bool (*item)(tsr_asm *a, void *user, tsr_attr **attr), void *user,
                   tsr_attr **attr);
/* open 1, ?, 2 close, as array<i64: ...>. */
bool tsr_asm_dim_list(tsr_asm *a, const char *open, const char *close, tsr_attr **attr);
/* "text", as a string attribute. */
bool tsr_asm_string_attr(tsr_asm *a, tsr_attr **attr);

/* ---- Types and attributes ---- */

bool tsr_asm_type(tsr_asm *a, tsr_type **type);
bool tsr_asm_attr(tsr_asm *a, tsr_attr **attr); /* in full */
bool tsr_asm_attr_typed(tsr_asm *a, tsr_attr **attr,
                        tsr_type *type); /* its type is known and not written */
/* By form: how $name is written in assembly. def: for enums and structs. */
bool tsr_asm_form(tsr_asm *a, const tsr_constraint *c, tsr_attr **attr);
bool tsr_asm_i64(tsr_asm *a, tsr_attr **attr);  /* bare number, i64 */
bool tsr_asm_i64s(tsr_asm *a, tsr_attr **attr); /* [1, 2] as array<i64: 1, 2> */
bool tsr_asm_i1s(tsr_asm *a, tsr_attr **attr);  /* [true, false]; 0 and 1 are read too */
bool tsr_asm_enum(tsr_asm *a, const tsr_attrdef *def, tsr_attr **attr); /* bare keyword */
bool tsr_asm_struct(tsr_asm *a, const tsr_attrdef *def,
                    tsr_attr **attr); /* without #dialect.name: <...> */
/* key = value, key = value, ... in any order up to close (not consumed): the form of many struct attributes. Every
 * field is read by form; absent ones stay NULL. When writing: the fields that are not NULL, separated by ", ". */
typedef struct {
    const char *key;
    bool (*value)(tsr_asm *a, tsr_attr **attr);
    bool required;
} tsr_asm_field;
bool tsr_asm_fields(tsr_asm *a, const tsr_asm_field *fields, size_t n, const char *close,
                    tsr_attr **params);

/* ---- Ops ---- */

/* The location of the inherent attribute: in the op (writing) or in the state (reading). */
tsr_attr **tsr_asm_slot_place(tsr_asm *a, int slot);
bool tsr_asm_slot(tsr_asm *a, int slot); /* by its row's form */
/* Operand i. Reading: appends a reference. */
bool tsr_asm_operand(tsr_asm *a, size_t i);
/* Operands from..to separated by ", ". Reading: zero or more, until something other than '%'. */
bool tsr_asm_operands(tsr_asm *a, size_t from, size_t to);
/* {...} with all attributes except slots that were written already and those in elided (names, NULL at the end; may be
 * NULL), preceded by a space if there are any. */
bool tsr_asm_dict(tsr_asm *a);
bool tsr_asm_dict_keyword(tsr_asm *a, const char *const *elided); /* "attributes {...}" */
/* Marks a slot as written by other means, so that tsr_asm_dict leaves it out. tsr_asm_slot does so itself. */
void tsr_asm_done(tsr_asm *a, int slot);

/* Whether the op's attribute equals its row's default: custom forms omit such attributes. (defaults.c) */
bool tsr_op_attr_is_default(const tsr_op *op, size_t slot);

/* Types of operands and results. */
bool tsr_asm_operand_type(tsr_asm *a, size_t i); /* reading: appends to operand_types */
bool tsr_asm_result_type(tsr_asm *a, size_t i);  /* reading: appends to result_types */
bool tsr_asm_operand_types(tsr_asm *a, size_t from,
                           size_t to);    /* separated by ", "; reading: one or more */
bool tsr_asm_result_types(tsr_asm *a);    /* separated by ", "; reading: one or more */
bool tsr_asm_functional_type(tsr_asm *a); /* (T, T) -> T of all operands and results */
/* One type if all operands and results have it, else a functional type. */
bool tsr_asm_same_type(tsr_asm *a);
/* -> T or -> (T, T); nothing without results. */
bool tsr_asm_arrow_types(tsr_asm *a);

/* Regions. args: reading: the entry block's arguments when they were read before it (may be NULL).
 * Writing flags as MLIR's printRegion. */
enum { TSR_REGION_ARGS = 1, TSR_REGION_TERMINATORS = 2, TSR_REGION_EMPTY_BLOCK = 4 };
bool tsr_asm_region(tsr_asm *a, size_t i, const tsr_region_args *args, int flags);
/* Reading: whether there was a region ('{'). Writing: writes it if it has blocks. */
bool tsr_asm_optional_region(tsr_asm *a, size_t i, const tsr_region_args *args, int flags,
                             bool *present);
/* One argument of region r: %name: type. Reading: appends to args. Writing: argument i of the entry block of region
 * r. */
bool tsr_asm_region_arg(tsr_asm *a, size_t r, size_t i, tsr_region_args *args);
/* %name only; the type is set later. */
bool tsr_asm_region_arg_name(tsr_asm *a, size_t r, size_t i, tsr_region_args *args);
/* (%arg = %operand, ...): entry arguments of region r and the op's operands, pairwise. */
bool tsr_asm_assignments(tsr_asm *a, size_t r, tsr_region_args *args);
bool tsr_asm_successor(tsr_asm *a, size_t i);

/* The default of a slot that has one (defaults.c). */
tsr_attr *tsr_slot_default(tsr_ctx *ctx, const tsr_slotdef *slot);

/* The row's format (format.c): reads or writes what comes after the op's name. */
bool tsr_asm_format(tsr_asm *a, const tsr_opdef *def);

/* ---- Naming hooks of rows (used while printing) ---- */

void tsr_namer_result(tsr_namer *n, tsr_op *op, size_t i,
                      tsr_str name); /* starts a result group at i */
void tsr_namer_arg(tsr_namer *n, tsr_value *arg, tsr_str name);

#endif
