/* SPDX-License-Identifier: Apache-2.0 */
/* reader.h - shared by the files of the HLO reader.
 *
 * A text is read in two steps. First each computation becomes a list of instructions: name, shape, opcode, names of
 * operands, and attributes as they are written (read.c). Then the entry computation is built, and with it those that it
 * uses: bodies of fusions in place, called ones as functions, the others as regions (build.c, control.c). Values of
 * tuples are kept as lists, so that no tuple remains. */
#ifndef TSR_TEXT_HLO_READER_H
#define TSR_TEXT_HLO_READER_H

#include "text/hlo/hlo.h"

/* ---- Shapes ---- */

typedef struct xla_shape {
    tsr_type *type; /* of an array or a token; NULL: a tuple */
    struct xla_shape **members;
    uint32_t n;           /* members of a tuple */
    uint32_t nflat;       /* arrays in it, at any depth */
    const int64_t *order; /* dimensions of an array, the minor one first; NULL: the last one is */
} xla_shape;

/* ---- Instructions ---- */

typedef struct {
    tsr_str name, value; /* value: as written */
} xla_attr;

typedef struct xla_comp xla_comp;

typedef struct xla_instr {
    tsr_str name, opcode;
    const xla_shape *shape;
    tsr_str inside; /* what is between the parentheses */
    struct xla_instr **in;
    uint32_t nin, nattr;
    const xla_attr *attrs;
    tsr_loc loc;        /* for reports: the user's, else that in the text */
    const char *at;     /* of the opcode, for diagnostics */
    tsr_value **values; /* those of the last time that it was built: shape->nflat */
    bool started;       /* shape is without what only a start has */
} xla_instr;

struct xla_comp {
    tsr_str name;
    const char *at;
    TSR_VEC(xla_instr *) list;
    xla_instr *root;
    TSR_VEC(xla_instr *) params; /* by number */
    tsr_map names;               /* xla_instr */
    bool open;                   /* it is being built */
    tsr_op *func;                /* if it was built as a function */
};

typedef struct {
    tsr_ctx *ctx;
    tsr_module *m;
    tsr_arena arena;
    const tsr_name *file;
    const char *text, *end, *p;
    const char *line_start; /* of the line counted so far */
    uint32_t line;
    bool wrong; /* a diagnostic was emitted */
    uint32_t depth;
    const xla_attr *attrs; /* of the module */
    uint32_t nattr;
    TSR_VEC(xla_comp *) comps;
    tsr_map names; /* xla_comp */
    xla_comp *entry;
    int64_t replicas, partitions;
    bool partitioned;
    uint64_t made, most; /* ops and instructions, and how many there may be */
    /* Tables of places, by number. */
    TSR_VEC(tsr_str) files;
    TSR_VEC(tsr_loc) places;
    TSR_VEC(uint32_t) frames;
    tsr_block *block; /* where ops are appended */
    tsr_op *func;
} xla_reader;

/* ---- scan.c: characters and small pieces ---- */

/* An error at a place of the text; always false. */
bool xla_error(xla_reader *r, const char *at, const char *fmt, ...) TSR_PRINTF(3, 4);
/* The place of p, which is not before the last one asked for while the text is read. */
tsr_loc xla_loc(xla_reader *r, const char *p);
void xla_space(xla_reader *r); /* skips white space and comments */
/* After a comment; where none begins, p. One without an end goes to the end of the text. */
const char *xla_after_comment(const char *p, const char *end);
bool xla_take(xla_reader *r, char c);
bool xla_expect(xla_reader *r, char c, const char *where);
bool xla_word(xla_reader *r, const char *word); /* takes it, if it comes next as a whole */
tsr_str xla_name(xla_reader *r);                /* without '%'; empty if none comes next */
/* Skips a balanced text to the character at which it ends: one of stops outside brackets and strings. */
bool xla_skip(xla_reader *r, const char *stops);
bool xla_enter(xla_reader *r);

/* Numbers in the text of an attribute, whatever is between them. */
typedef TSR_VEC(int64_t) xla_ints;
typedef struct {
    const char *p, *end;
} xla_text;
static inline xla_text xla_text_of(tsr_str s)
{
    return (xla_text){s.data, TSR_FROM(s.data, s.len)};
}
bool xla_next_int(xla_text *t, int64_t *out); /* skips to the next number; false at the end */
bool xla_text_take(xla_text *t, char c);      /* after white space */
bool xla_text_int(xla_text *t, int64_t *out); /* a number that comes next */
tsr_str xla_text_word(xla_text *t);           /* letters, digits, _ . - */
/* What is inside the brackets that come next, the end of which is skipped. */
bool xla_text_inside(xla_text *t, tsr_str *out);
/* The items of a list, which commas separate; false at the end. */
bool xla_text_item(xla_text *t, tsr_str *out);
tsr_str xla_unquote(xla_reader *r,
                    tsr_str s); /* a string without quotes and escapes; any other text as it is */

/* ---- shape.c ---- */
xla_shape *xla_read_shape(xla_reader *r); /* NULL after a diagnostic */
tsr_type *xla_element_type(xla_reader *r, tsr_str name);
uint32_t xla_flat_types(const xla_shape *s, tsr_type **out); /* how many */
/* Where the values of member i begin. */
uint32_t xla_member_at(const xla_shape *s, uint32_t i);

/* ---- read.c ---- */
bool xla_read_text(xla_reader *r);
/* An attribute of an instruction, as written; data NULL: none. */
tsr_str xla_attr_of(const xla_instr *i, const char *name);

/* ---- place.c ---- */
bool xla_read_tables(xla_reader *r); /* FileNames ... StackFrames and any others that come next */
tsr_loc xla_place(xla_reader *r, const xla_instr *i, const char *at);

/* ---- literal.c ---- */
/* The elements of a constant; NULL after a diagnostic, or if the dump left them out (*elided). */
tsr_attr *xla_literal(xla_reader *r, tsr_type *type, xla_text *text, bool *elided);

/* ---- build.c ---- */
bool xla_build(xla_reader *r);
xla_comp *xla_comp_of(xla_reader *r, const xla_instr *i,
                      tsr_str name); /* NULL after a diagnostic */
/* Builds a computation where ops are appended now, on these values, the flat ones of its parameters. Returns those of its
 * root; NULL after a diagnostic. */
tsr_value **xla_build_here(xla_reader *r, xla_comp *c, tsr_value **args, uint32_t n,
                           const xla_instr *user);
/* All values of all operands; their number. */
uint32_t xla_operands(xla_reader *r, const xla_instr *i, tsr_value ***out);
/* Appends an op with these operands and types. */
tsr_op *xla_op(xla_reader *r, const xla_instr *i, uint16_t opcode, tsr_value **in, uint32_t nin,
               tsr_type **types, uint32_t nout, uint32_t nregion);
/* The same with the operands and the types of the instruction, whose values are its results. */
tsr_op *xla_plain(xla_reader *r, xla_instr *i, uint16_t opcode, uint32_t nregion);
void xla_results(xla_reader *r, xla_instr *i, tsr_op *op);
/* A function of a computation, in the module; NULL after a diagnostic. */
tsr_op *xla_function(xla_reader *r, xla_comp *c, tsr_str name, const xla_instr *user);
/* A computation as a region, which returns what its root is. */
bool xla_region(xla_reader *r, xla_instr *i, tsr_op *op, uint32_t region, tsr_str comp);
/* An op without a counterpart, as a custom call that has the name of its opcode. */
bool xla_opaque(xla_reader *r, xla_instr *i, const char *why);
void xla_frontend(xla_reader *r, const xla_instr *i, tsr_named *out, uint32_t *n, bool sharding);

/* ---- Attributes ---- */
void xla_set(tsr_op *op, const char *name, tsr_attr *value);
void xla_set_ints(xla_reader *r, tsr_op *op, const char *name, const int64_t *v, size_t n);
void xla_set_bool(xla_reader *r, tsr_op *op, const char *name, tsr_str value);
/* An attribute as MLIR writes it. False after a diagnostic at the instruction. */
bool xla_set_text(xla_reader *r, const xla_instr *i, tsr_op *op, const char *name, const char *fmt,
                  ...) TSR_PRINTF(5, 6);
/* The numbers of an attribute, in the arena; an error if it is required and missing. */
bool xla_numbers(xla_reader *r, const xla_instr *i, const char *name, bool required, int64_t **out,
                 uint32_t *n);
/* "[1, 2]" of them. */
tsr_str xla_list(xla_reader *r, const xla_instr *i, const char *name);
static inline int64_t xla_int_of(const xla_instr *i, const char *name, int64_t otherwise)
{
    tsr_str s = xla_attr_of(i, name);
    xla_text t = xla_text_of(s);
    int64_t v;
    return s.data && xla_next_int(&t, &v) ? v : otherwise;
}

/* ---- Hooks of ops.def ---- */
typedef bool xla_convert(xla_reader *r, xla_instr *i, uint16_t opcode);
#define HLO(name, opcode, hook) xla_convert xla_##hook;
#include "text/hlo/ops.def"

#endif
