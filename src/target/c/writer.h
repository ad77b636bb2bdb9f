/* SPDX-License-Identifier: Apache-2.0 */
/* writer.h - declarations shared by the files of this folder: the text being written.
 *
 * The emitted file has these parts: functions that groups call (target/text), tables and constants (values.c), a function
 * for each kind of group, and the function that calls them in order. A group's function does not contain the locations
 * of values: it receives pointers, so that identical layers share one function. */
#ifndef TSR_TARGET_C_WRITER_H
#define TSR_TARGET_C_WRITER_H

#include "target/c/c.h"
#include "target/text/text.h"

typedef struct {
    const tsr_program *p;
    const tsr_c_options *options;
    tsr_text text; /* scalar functions (target/text), and other parts */
    tsr_buf tables, functions, body;
    tsr_buf *weights;
    uint32_t ntable, nfunction;
    size_t scratch; /* most bytes that a group needs */
    size_t extra;   /* bytes of values that the engine does not plan */
    int depth;      /* nesting of blocks in body */
    /* By value: number of its table + 1; if it is in the weights file, its offset there + 1. */
    tsr_xid *constants;
    uint64_t *places;
    tsr_xid *results; /* by value: number of the result that it is stored in + 1 */
    bool failed;
} tsr_c_writer;

/* Spaces before a line of body. Deep blocks are indented no further: margins would be most of the text. */
static inline int tsr_c_margin(const tsr_c_writer *w)
{
    enum { DEEPEST = 16 };
    return 4 * (w->depth < DEEPEST ? w->depth : DEEPEST);
}

/* Reports at an op that it cannot be emitted; always false. */
bool tsr_c_refuse(tsr_c_writer *w, tsr_loc loc, const char *fmt, ...) TSR_PRINTF(3, 4);
bool tsr_c_refuse_op(tsr_c_writer *w, const tsr_op *op, const char *why);

/* ---- Values (values.c) ---- */

/* The address of a value's memory, as an expression of type char *; through a view: of the element with index 0. */
const char *tsr_c_at(tsr_c_writer *w, tsr_xid v);
/* Emits a table of this type and contents; returns its number. */
uint32_t tsr_c_table(tsr_c_writer *w, const char *type, tsr_str contents);
/* Emits a view as a table; returns its number. */
uint32_t tsr_c_view(tsr_c_writer *w, const tsr_xview *v);
void tsr_c_ints(tsr_buf *out, const int64_t *v, size_t n);

/* ---- Functions of groups ---- */

/* A function being written: the pointers that it receives, and its text. */
typedef struct {
    tsr_c_writer *w;
    TSR_VEC(const char *) at; /* expressions of the pointers p[0], p[1], ... */
    tsr_buf text;
    size_t scratch;
} tsr_c_function;

/* The number of the pointer with this expression, such as tsr_c_at gives for a value. */
uint32_t tsr_c_pointer(tsr_c_function *f, const char *at);
/* Ends the function and calls it. */
void tsr_c_call(tsr_c_function *f);
/* Ends a function that is called for each block of a product; returns its number. Its pointers are appended to f's
 * list. */
uint32_t tsr_c_epilogue(tsr_c_function *f, tsr_buf *text);

bool tsr_c_loop(tsr_c_writer *w, const tsr_xgroup *g); /* loop.c */
/* Writes the loop over a product's blocks, as the text of a function; bytes: the scratch memory that it needs. */
bool tsr_c_block_loop(tsr_c_function *f, const tsr_xgroup *g, tsr_buf *out, size_t *bytes);
bool tsr_c_product(tsr_c_writer *w, const tsr_xgroup *g); /* product.c */
bool tsr_c_move(tsr_c_writer *w, const tsr_node *n);      /* move.c */
/* Emits an op that runs on the evaluator's kernel; false: it cannot be emitted, and nothing was written (other.c). */
bool tsr_c_other(tsr_c_writer *w, const tsr_node *n);
/* Writes a check: the function returns 1 where it fails. */
bool tsr_c_check(tsr_c_writer *w, const tsr_node *n);

#endif
