/* SPDX-License-Identifier: Apache-2.0 */
/* build.h - turns ops into nodes: functions for the EXEC hooks of rows. */
#ifndef TSR_EXEC_BUILD_H
#define TSR_EXEC_BUILD_H

#include "base/map.h"
#include "exec/program.h"

enum {
    TSR_INLINE_DEPTH = 200,
    /* Calls are inlined up to this number of values and calls, plus four for each value of the module. */
    TSR_INLINE_LEAST = 200000,
};

typedef struct {
    tsr_program *p;
    tsr_xid *of; /* by id of the IR's value: the program's value */
    tsr_block_program *block;
    const tsr_op *function;
    tsr_xid effect; /* the last group with a side effect; TSR_XNONE: none yet */
    const tsr_op *inlined[TSR_INLINE_DEPTH]; /* functions whose calls are being built */
    uint32_t ninlined;
    uint64_t ncalls; /* number of inlined calls */
    tsr_map same;    /* ops whose values later ops may share (same.c) */
} tsr_xbuilder;

/* EXEC(hook): creates nodes or views for the op's results. False: nothing was created, the evaluator's kernel runs. */
typedef bool exec_fn(tsr_xbuilder *b, tsr_op *op);

static inline tsr_xvalue *tsr_xvalue_at(const tsr_xbuilder *b, tsr_xid v)
{
    return &b->p->values.data[v];
}
static inline tsr_dtype tsr_xdtype_of(const tsr_xbuilder *b, tsr_xid v)
{
    return (tsr_dtype)tsr_xvalue_at(b, v)->dtype;
}
static inline tsr_xid tsr_x_in(const tsr_xbuilder *b, const tsr_op *op, uint32_t i)
{
    return b->of[op->in[i].value->id];
}
static inline void tsr_x_set(tsr_xbuilder *b, const tsr_op *op, uint32_t i, tsr_xid v)
{
    b->of[op->out[i].id] = v;
    tsr_xvalue *x = &b->p->values.data[v];
    if (x->op == op)
        x->result = i;
}
/* Whether values of the type can be in planned memory: static shape, an element type of known size. */
bool tsr_x_plain(const tsr_type *t);
tsr_xid tsr_x_value(tsr_xbuilder *b, tsr_type *type, const tsr_op *op);
/* Creates a node with these operands and new values of these types. The caller completes it and calls tsr_x_done, which
 * puts it into a group. */
tsr_node *tsr_x_node(tsr_xbuilder *b, tsr_node_kind kind, const tsr_op *op, const tsr_xid *in,
                     uint32_t nin, tsr_type *const *types, uint32_t nout);
void tsr_x_done(tsr_xbuilder *b, tsr_node *n);
/* A view of v with another type; the shape view is over v's own elements. */
tsr_xid tsr_x_view(tsr_xbuilder *b, tsr_xid v, const tsr_xshape *view, tsr_type *type,
                   const tsr_op *op);
/* The shape view of v over its memory; false: v has too many dimensions, or is not in memory. */
bool tsr_x_shape(const tsr_xbuilder *b, tsr_xid v, tsr_xshape *out);
/* v in memory, row major: v itself if it is laid out so, otherwise a copy. */
tsr_xid tsr_x_whole(tsr_xbuilder *b, tsr_xid v);
/* v, or a copy if a loop over its last dimension would take long strides: mostly transposed values. */
tsr_xid tsr_x_lines(tsr_xbuilder *b, tsr_xid v);
/* The kernel + 1 in column TILE of op, or of the op that HLO_AS names; 0: none. */
uint8_t tsr_x_tile_of(const tsr_op *op);
/* Applies an elementwise kernel to operands that have the shape of type, or one element. Their element type is `of`
 * (select: that of the last two); TSR_XNONE: there is no such kernel. */
tsr_xid tsr_x_kernel(tsr_xbuilder *b, const tsr_op *op, tsr_type *type, uint8_t tile, tsr_dtype of,
                     const tsr_xid *in, uint32_t nin);
/* The same for result 0. False: there is no such kernel. */
bool tsr_x_tile(tsr_xbuilder *b, tsr_op *op, uint8_t tile, tsr_dtype of, const tsr_xid *in,
                uint32_t nin);
/* The same for complex numbers, part by part (complex.c). */
bool tsr_x_complex_tile(tsr_xbuilder *b, tsr_op *op, uint8_t tile, const tsr_xid *in, uint32_t nin);
/* If two operands of a sum are rows with zeros between them, each row in one of both, makes them all rows and zeros
 * (interleave.c). */
void tsr_x_interleave(tsr_xbuilder *b, const tsr_op *op, tsr_xid in[2]);
/* A part of v; which: 0 real, 1 imaginary. The parts of a real value are the value and zeros. */
tsr_xid tsr_x_part(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, int which);
/* Sets result 0 of op, interleaved from its parts. */
bool tsr_x_give_woven(tsr_xbuilder *b, tsr_op *op, tsr_xid re, tsr_xid im);
/* If op divides integers, adds a node that counts zeros among its divisors, as the evaluator does. Always true: called
 * when op's nodes are created. */
bool tsr_x_count_zeros(tsr_xbuilder *b, const tsr_op *op);
/* Adds a node that fails where the evaluator's kernel of op would fail; v: what it examines, or TSR_XNONE. Called when
 * op's nodes are created. */
void tsr_x_check(tsr_xbuilder *b, const tsr_op *op, tsr_check_kind kind, tsr_xid v, int64_t number);
/* Runs op on the evaluator's kernel. */
void tsr_x_other(tsr_xbuilder *b, tsr_op *op);
/* Sets results of op that have no elements. False: some have elements. */
bool tsr_x_nothing(tsr_xbuilder *b, tsr_op *op);
/* Creates a movement; returns its result. */
tsr_xid tsr_x_move(tsr_xbuilder *b, const tsr_op *op, tsr_move_kind kind, const tsr_xid *in,
                   uint32_t nin, const int64_t *numbers, size_t nnumber, tsr_type *type);
/* Whether an earlier op of the block computes the same value, which then becomes op's result. hash: for tsr_x_note_same
 * once op has been built; 0: op cannot be shared. */
bool tsr_x_find_same(tsr_xbuilder *b, const tsr_op *op, uint64_t *hash);
void tsr_x_note_same(tsr_xbuilder *b, const tsr_op *op, uint64_t hash);
/* Whether the hook of op is that of reductions, or of calls. */
bool tsr_x_is_reduce(const tsr_op *op);
bool tsr_x_is_call(const tsr_op *op);
/* The body of the function that op calls; NULL: it has none, or other arguments and results. */
const tsr_block *tsr_x_called(const tsr_xbuilder *b, const tsr_op *op);
/* Ops with quantized operands or results (quant.c). Calls make for a copy of op whose operands are dequantized, and
 * quantizes its results. False: nothing was created. */
bool tsr_x_dequantized(tsr_xbuilder *b, tsr_op *op, exec_fn *make);
/* Whether a hook moves elements of any type, or calls hooks of other ops: stored integers are moved like others. */
bool tsr_x_moves_any(exec_fn *hook);
/* Gives results that such a hook has set their quantized types; false: there is a result that has too many
 * dimensions. */
bool tsr_x_requantized(tsr_xbuilder *b, tsr_op *op);
/* Builds an op that works element by element, or is a constant. False: it is another op. */
bool tsr_x_elementwise(tsr_xbuilder *b, tsr_op *op);
/* Nodes from here on belong to a new block with these arguments, until tsr_x_leave gives its results. */
typedef struct {
    tsr_block_program *block;
    tsr_xid effect;
    uint32_t same;
} tsr_x_outside;
tsr_x_outside tsr_x_enter(tsr_xbuilder *b, const tsr_xid *args, uint32_t nargs);
tsr_block_program *tsr_x_leave(tsr_xbuilder *b, const tsr_x_outside *out, const tsr_xid *results,
                               uint32_t n);
/* A loop that runs step a number of times, on the number of the iteration and n values, which it replaces. False: step
 * failed, and nothing was created. */
typedef bool tsr_x_step(void *ctx, tsr_xid i, const tsr_xid *in, tsr_xid *out);
bool tsr_x_repeat(tsr_xbuilder *b, tsr_op *op, int64_t times, tsr_xid *values, uint32_t n,
                  tsr_x_step *step, void *ctx);
/* The groups of a region; args: values of its arguments. */
tsr_block_program *tsr_x_region(tsr_xbuilder *b, const tsr_region *r, const tsr_xid *args);
/* Replaces results of a loop's body by copies if they are arguments in another position, repeated, or from outside. */
void tsr_x_settle(tsr_xbuilder *b, tsr_block_program *body, const tsr_xid *args, uint32_t n);
/* Builds the ops of a block, whose arguments are op's operands, in place of op. False: operands or results do not
 * match. */
bool tsr_x_body(tsr_xbuilder *b, tsr_op *op, const tsr_block *block);
/* Builds the body of a function in place of op. False: it has none, or is recursive. */
bool tsr_x_inline(tsr_xbuilder *b, tsr_op *op, const tsr_op *function);

#include "exec/compile/build_tables.h"

#endif
