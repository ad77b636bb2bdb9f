/* build.h - from ops to nodes: what the EXEC hooks of rows use. */
#ifndef TSR_EXEC_BUILD_H
#define TSR_EXEC_BUILD_H

#include "base/map.h"
#include "exec/program.h"

enum {
    TSR_INLINE_DEPTH = 200,
    TSR_INLINE_LEAST =
        200000, /* values and calls, beside four for each value of the module: then calls are not inlined */
};

typedef struct {
    tsr_program *p;
    tsr_xid *of; /* by value id of the IR */
    tsr_block_program *block;
    const tsr_op *function;
    tsr_xid effect; /* the last group with an effect; TSR_XNONE: none yet */
    const tsr_op *inlined[TSR_INLINE_DEPTH]; /* functions whose calls are being built */
    uint32_t ninlined;
    uint64_t ncalls; /* that have been inlined */
    tsr_map same;    /* ops whose values others may have, too (same.c) */
} tsr_xbuilder;

/* EXEC(hook): makes nodes or views for the op's results. False: nothing was made, the evaluator's kernel runs. */
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
}
/* Whether values of the type can be in planned memory: static shape, an element type that is not quantized. */
bool tsr_x_plain(const tsr_type *t);
tsr_xid tsr_x_value(tsr_xbuilder *b, tsr_type *type, const tsr_op *op);
/* A node of kind with these operands and new values of these types; its first value. joined at once. */
tsr_node *tsr_x_node(tsr_xbuilder *b, tsr_node_kind kind, const tsr_op *op, const tsr_xid *in,
                     uint32_t nin, tsr_type *const *types, uint32_t nout);
void tsr_x_done(tsr_xbuilder *b, tsr_node *n);
/* A view of v with another type; the shape view is over v's own elements. */
tsr_xid tsr_x_view(tsr_xbuilder *b, tsr_xid v, const tsr_xshape *view, tsr_type *type,
                   const tsr_op *op);
/* The shape view of v over what is in memory; false: v has too many dimensions, or is nowhere. */
bool tsr_x_shape(const tsr_xbuilder *b, tsr_xid v, tsr_xshape *out);
/* v in memory, row major: itself where it lies so, else a copy. */
tsr_xid tsr_x_whole(tsr_xbuilder *b, tsr_xid v);
/* v, or a copy where a loop over its last dimension would jump: transposed values, mostly. */
tsr_xid tsr_x_lines(tsr_xbuilder *b, tsr_xid v);
/* The kernel of the column TILE of op, or of the op that it is by HLO_AS, + 1; 0: none. */
uint8_t tsr_x_tile_of(const tsr_op *op);
/* The elementwise kernel on operands of the shape of type or of one element, of type of (select: the last two); TSR_XNONE:
 * there is no such kernel. */
tsr_xid tsr_x_kernel(tsr_xbuilder *b, const tsr_op *op, tsr_type *type, uint8_t tile, tsr_dtype of,
                     const tsr_xid *in, uint32_t nin);
/* The same for result 0. False: there is no such kernel. */
bool tsr_x_tile(tsr_xbuilder *b, tsr_op *op, uint8_t tile, tsr_dtype of, const tsr_xid *in,
                uint32_t nin);
/* The same on complex numbers, part by part (complex.c). */
bool tsr_x_complex_tile(tsr_xbuilder *b, tsr_op *op, uint8_t tile, const tsr_xid *in, uint32_t nin);
/* which: 0 the real part, 1 the imaginary one. Of a real value: itself, and zeros. */
tsr_xid tsr_x_part(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, int which);
/* Result 0 of op from its parts. */
bool tsr_x_give_woven(tsr_xbuilder *b, tsr_op *op, tsr_xid re, tsr_xid im);
/* Where op divides integers, zeros among its divisors are counted when it runs, as the evaluator does. Always true: called when
 * op's nodes are made. */
bool tsr_x_count_zeros(tsr_xbuilder *b, const tsr_op *op);
/* Results of op that have no elements. False: some have. */
bool tsr_x_nothing(tsr_xbuilder *b, tsr_op *op);
/* A movement, and what it gives. */
tsr_xid tsr_x_move(tsr_xbuilder *b, const tsr_op *op, tsr_move_kind kind, const tsr_xid *in,
                   uint32_t nin, const int64_t *numbers, size_t nnumber, tsr_type *type);
/* Whether op gives what an earlier op of its block has; its result is that value then. hash: for tsr_x_note_same when it has been built; 0: it is none of those. */
bool tsr_x_find_same(tsr_xbuilder *b, const tsr_op *op, uint64_t *hash);
void tsr_x_note_same(tsr_xbuilder *b, const tsr_op *op, uint64_t hash);
/* Whether the hook of op is that of reductions. */
bool tsr_x_is_reduce(const tsr_op *op);
/* Groups of a region; args: values of its arguments, made when NULL. */
tsr_block_program *tsr_x_region(tsr_xbuilder *b, const tsr_region *r, const tsr_xid *args);
/* Results of a loop's body that are arguments in another place, given twice, or from outside become copies. */
void tsr_x_settle(tsr_xbuilder *b, tsr_block_program *body, const tsr_xid *args, uint32_t n);
/* Runs the ops of a block, whose arguments are op's operands, in place of op. False: it has others, or none. */
bool tsr_x_body(tsr_xbuilder *b, tsr_op *op, const tsr_block *block);
/* Runs the body of a function in place of op. False: it has none, or calls itself. */
bool tsr_x_inline(tsr_xbuilder *b, tsr_op *op, const tsr_op *function);

#include "exec/compile/build_tables.h"

#endif
