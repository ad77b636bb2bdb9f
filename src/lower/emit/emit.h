/* SPDX-License-Identifier: Apache-2.0 */
/* emit.h - converts TTNN to calls of ttnn's functions in C++ and Python: one row of calls.def for each op, and the text
 * of attributes in both languages. */
#ifndef TSR_LOWER_EMIT_EMIT_H
#define TSR_LOWER_EMIT_EMIT_H

#include "lower/ttnn/ttnn.h"

typedef enum { TSR_EMIT_CPP, TSR_EMIT_PYTHON, TSR_EMIT_LANGUAGES } tsr_emit_language;

/* ---- text.c ---- */

/* An absent value: ::std::nullopt, None. */
extern const char *const tsr_emit_none[TSR_EMIT_LANGUAGES];
/* Prints an attribute as an expression. as: the form, if it does not follow from its kind (calls.def), or empty. False:
 * it has no text in this language. */
bool tsr_emit_attr(tsr_buf *out, tsr_emit_language l, const tsr_attr *a, tsr_str as);
/* The MemoryConfig of a tensor with this layout; none for host tensors. */
void tsr_emit_memory(tsr_buf *out, tsr_emit_language l, const tsr_attr *layout);
/* A string literal: special characters become escapes that both languages have. */
void tsr_emit_string(tsr_buf *out, tsr_str s);
/* A valid identifier in both languages: other characters become _, and a reserved word gets one appended. */
void tsr_emit_identifier(tsr_buf *out, tsr_str name);
bool tsr_emit_is_identifier(tsr_str name);
/* The inverse: the case of an enumeration that this word, without its prefix, denotes in either language; NULL:
 * none. */
tsr_attr *tsr_emit_case(tsr_ctx *ctx, const tsr_attrdef *def, tsr_str word);
/* The index of the field of this name in a structure; -1: none. */
int tsr_emit_field(const tsr_attrdef *def, tsr_str name);
/* The reduction of a scatter with this name; -1: none. */
int64_t tsr_emit_scatter(tsr_str word);

/* ---- args.c ---- */

/* How several result tensors are returned in C++: one value; a vector; a tuple; a variant whose first case is the
 * tensor; a vector of optional tensors. */
typedef enum {
    TSR_EMIT_ONE,
    TSR_EMIT_VECTOR,
    TSR_EMIT_TUPLE,
    TSR_EMIT_VARIANT,
    TSR_EMIT_VARIANT_1D,
    TSR_EMIT_OPTIONALS,
} tsr_emit_results;

typedef struct {
    const char *name[TSR_EMIT_LANGUAGES]; /* NULL: the language has no such function */
    const char *args[TSR_EMIT_LANGUAGES];
    tsr_emit_results results;
} tsr_emit_row;

/* An argument: some operands of the op (from, n), or text. */
typedef struct {
    tsr_str keyword; /* in Python; empty: positional */
    int from, n;     /* n -1: text */
    bool list;       /* operands form one list */
    tsr_str as;      /* how an operand is passed, or empty */
    tsr_str text;    /* in the arena */
} tsr_emit_arg;
typedef TSR_VEC(tsr_emit_arg) tsr_emit_args;

/* NULL: no row. */
const tsr_emit_row *tsr_emit_row_of(const tsr_op *op);
/* The opcodes of the rows whose function has this name, at most max; returns their number. */
size_t tsr_emit_rows_named(tsr_emit_language l, tsr_str name, uint16_t *out, size_t max);
const tsr_emit_row *tsr_emit_row_at(uint16_t opcode);
/* An item of a row's arguments: key=word:form, or 'text'. */
typedef struct {
    tsr_str keyword, word, as;
    bool literal; /* word is literal text */
} tsr_emit_item;
/* The next one from *p on; false at the end. */
bool tsr_emit_next_item(const char **p, tsr_emit_item *out);
/* The arguments of op's call. False after a diagnostic. */
bool tsr_emit_arguments(tsr_arena *arena, tsr_emit_language l, const tsr_op *op,
                        tsr_emit_args *out);

/* ---- convert.c ---- */

/* Functions of TTNN below root to be converted to the other language. */
typedef TSR_VEC(tsr_op *) tsr_emit_funcs;
void tsr_emit_functions(tsr_op *root, tsr_emit_funcs *out);
/* Converts one op; b builds before it. False: it failed after a diagnostic, or *known is false. */
typedef bool tsr_emit_convert(tsr_pass *p, tsr_build *b, tsr_op *op, bool *known);
/* Converts the ops of func's body, except those that stay, and its arguments' types. Last op first: arguments of an op
 * depend on its operands' types, which must still be unconverted. False after a diagnostic. */
bool tsr_emit_body(tsr_pass *p, tsr_op *func, bool (*stays)(const tsr_op *op),
                   tsr_emit_convert *convert, tsr_type *(*map)(tsr_type *t));
/* Renames functions and globals whose names are not identifiers, and updates calls of them. */
void tsr_emit_rename(tsr_pass *p, tsr_op *root);
/* Converts the types of a function without a body with map. */
void tsr_emit_retype_declaration(tsr_op *func, tsr_type *(*map)(tsr_type *t));
/* Sets the Python name of argument i: its attribute emitpy.name. */
void tsr_emit_name_argument(tsr_op *func, uint32_t i, const char *name);
/* Replaces a tuple by what make builds from its values. */
void tsr_emit_replace_tuple(tsr_build *b, tsr_op *op,
                            tsr_value *(*make)(tsr_build *b, tsr_value *const *in, size_t n));
/* Removes descriptions of devices, which have no meaning in emitted code. */
void tsr_emit_drop_devices(tsr_op *root);

#endif
