/* target.c - questions about any target, and the target that has nothing. */
#include "exec/target.h"

bool tsr_target_joins(const tsr_target *t, tsr_tile_op op, tsr_dtype type)
{
    tsr_dtype wide = tsr_register_type(type);
    return t->tile(op, wide) &&
           (wide == type || (t->convert(wide, type) && t->convert(type, wide)));
}

static bool has_tile(const tsr_target *t, const tsr_program *p, const tsr_node *n)
{
    tsr_dtype of = (tsr_dtype)n->of, to = (tsr_dtype)p->values.data[n->out[0]].dtype;
    switch (n->tile) {
    case TSR_TILE_CONVERT: return t->convert(to, of);
    case TSR_TILE_BITS: return t->bits_in_loops;
    case TSR_TILE_LOOKUP: return t->lookups_in_loops;
    default: return t->tile((tsr_tile_op)n->tile, tsr_register_type(of));
    }
}

bool tsr_target_has(const tsr_target *t, const tsr_program *p, const tsr_node *n)
{
    tsr_dtype type = (tsr_dtype)(n->nout ? p->values.data[n->out[0]].dtype : TSR_D_NONE);
    switch ((tsr_node_kind)n->kind) {
    case TSR_NODE_TILE: return has_tile(t, p, n);
    case TSR_NODE_REDUCE: return t->fold((tsr_fold_op)n->fold, tsr_register_type(type));
    case TSR_NODE_CONTRACT:
        return t->product((tsr_dtype)n->contract->type, (tsr_dtype)n->contract->to);
    case TSR_NODE_MOVE: return t->move((tsr_move_kind)n->move, type);
    case TSR_NODE_BARRIER:
    case TSR_NODE_ZEROS:
    case TSR_NODE_CHECK:
    case TSR_NODE_OTHER:
    case TSR_NODE_WHILE:
    case TSR_NODE_CASE:
    case TSR_NODE_START: break;
    }
    return true;
}

/* ---- Nothing ---- */

static bool no_tile(tsr_tile_op op, tsr_dtype type)
{
    (void)op, (void)type;
    return false;
}

static bool copies(tsr_dtype to, tsr_dtype from)
{
    return to == from;
}

static bool no_fold(tsr_fold_op op, tsr_dtype type)
{
    (void)op, (void)type;
    return false;
}

static bool no_product(tsr_dtype type, tsr_dtype to)
{
    (void)type, (void)to;
    return false;
}

static bool only_copies(tsr_move_kind kind, tsr_dtype type)
{
    (void)type;
    return kind == TSR_MOVE_COPY;
}

static bool no_transform(tsr_arena *arena, tsr_fft_step *step, int64_t rows)
{
    (void)arena, (void)step, (void)rows;
    return false;
}

static bool no_sizes(int64_t rows, int64_t cols, int64_t depth)
{
    (void)rows, (void)cols, (void)depth;
    return false;
}

static bool no_contract(const tsr_contract *c)
{
    (void)c;
    return false;
}

static bool no_chain(const tsr_chain_shape *s)
{
    (void)s;
    return false;
}

static const char *no_way(const tsr_product_of *x)
{
    (void)x;
    return NULL;
}

/* Values are copied, and control flow runs; all else is the evaluator's. */
const tsr_target tsr_target_null = {
    .name = "null",
    .tile = no_tile,
    .convert = copies,
    .fold = no_fold,
    .product = no_product,
    .move = only_copies,
    .transform = no_transform,
    .batch_pays = no_sizes,
    .loop_on_product = no_contract,
    .loop_on_rows = no_sizes,
    .chain = no_chain,
    .reads_pieces = no_contract,
    .way = no_way,
    .checked = true,
    .long_row = 1,
    .staged_row = 1,
    .part = INT64_MAX,
    .part_run = INT64_MAX,
    .slice = INT64_MAX,
    .align = 64,
};
