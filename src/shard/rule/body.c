/* SPDX-License-Identifier: Apache-2.0 */
/* body.c - rules of ops that are defined by a body: composites (a function) and scans (a region).
 *
 * Every dimension of every value in the body is a node. The rule of each op in the body joins the nodes along one
 * factor; arguments and returned values are joined with the op's own tensors. A final class that involves only
 * pass-through factors is a factor of the op; all other dimensions stay whole. */
#include "shard/rule/build.h"

enum { MAX_DEPTH = 32 }; /* of nested composites */

typedef struct {
    const tsr_value *v;
    uint32_t first; /* node */
} value_nodes;

/* The first nodes are the dimensions of the op's own tensors, numbered as in b->dims. */
typedef struct {
    tsr_rule_build *b;
    tsr_map values; /* value_nodes by value */
    TSR_VEC(uint32_t) parent;
    TSR_VEC(int64_t) sizes;
    TSR_VEC(bool) whole; /* of a class's root */
} body;

/* ---- Classes of nodes ---- */

static uint32_t root_of(body *x, uint32_t n)
{
    while (x->parent.data[n] != n)
        n = x->parent.data[n] = x->parent.data[x->parent.data[n]];
    return n;
}

static void keep_whole(body *x, uint32_t n)
{
    x->whole.data[root_of(x, n)] = true;
}

static void join(body *x, uint32_t a, uint32_t c)
{
    a = root_of(x, a);
    c = root_of(x, c);
    uint32_t low = a < c ? a : c, high = a < c ? c : a;
    if (x->sizes.data[a] != x->sizes.data[c]) {
        x->whole.data[a] = x->whole.data[c] = true;
    } else if (a != c) {
        x->whole.data[low] |= x->whole.data[high];
        x->parent.data[high] = low;
    }
}

static uint32_t rank_of(const tsr_type *type)
{
    return tsr_type_is_shaped(type) ? type->n : 0;
}

static void add_nodes(body *x, const tsr_type *type)
{
    for (uint32_t d = 0; d < rank_of(type); d++) {
        uint32_t self = (uint32_t)x->parent.n;
        tsr_vec_push(&x->parent, self);
        tsr_vec_push(&x->sizes, type->dims[d]);
        tsr_vec_push(&x->whole, false);
    }
}

/* The first node of a value of the body. */
static uint32_t nodes_of(body *x, const tsr_value *v)
{
    uint64_t hash = tsr_hash_ptr(v);
    TSR_MAP_EACH (&x->values, hash, e)
        if (((value_nodes *)e)->v == v)
            return ((value_nodes *)e)->first;
    value_nodes *n = TSR_NEW(x->b->arena, value_nodes);
    *n = (value_nodes){v, (uint32_t)x->parent.n};
    tsr_map_put(&x->values, hash, n);
    add_nodes(x, v->type);
    return n->first;
}

static void keep_value_whole(body *x, const tsr_value *v)
{
    uint32_t first = nodes_of(x, v);
    for (uint32_t d = 0; d < rank_of(v->type); d++)
        keep_whole(x, first + d);
}

/* A value of the body is tensor t of the op, or a slice of it along dimension dim (TSR_NO_DIM: the tensor itself). */
static void join_tensor(body *x, const tsr_value *v, uint32_t t, int64_t dim)
{
    uint32_t first = nodes_of(x, v), rank = tsr_build_rank(x->b, t);
    if (rank_of(v->type) + (dim != TSR_NO_DIM) != rank) {
        x->b->broken = true;
        return;
    }
    for (uint32_t d = 0, k = 0; d < rank; d++)
        if (d != dim)
            join(x, x->b->dims[t] + d, first + k++);
}

/* ---- Ops of the body ---- */

static const tsr_value *tensor_of(const tsr_op *op, uint32_t t)
{
    return t < op->nin ? op->in[t].value : &op->out[t - op->nin];
}

/* The factor that makes up the whole dimension d, whose node this is; nfactor: none. */
static uint32_t only_factor(const body *x, const tsr_rule *r, uint32_t d, uint32_t node)
{
    if (r->first[d + 1] - r->first[d] != 1)
        return r->nfactor;
    uint32_t f = r->factors[r->first[d]];
    return r->sizes[f] == x->sizes.data[node] ? f : r->nfactor;
}

/* Joins the nodes along one factor. Nodes of a factor that is not a plain pass-through, or that makes up only part of
 * some dimension, stay whole. */
static void follow_rule(body *x, const tsr_op *op, const tsr_rule *r)
{
    uint32_t *node = tsr_arena_alloc(x->b->arena, (r->nfactor + 1) * sizeof *node);
    bool *plain = tsr_arena_alloc(x->b->arena, r->nfactor + 1);
    memset(node, 0xFF, r->nfactor * sizeof *node);
    for (uint32_t f = 0; f < r->nfactor; f++)
        plain[f] = r->kinds[f] == TSR_FACTOR_PASS_THROUGH && !r->blocked[f];
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t t = 0; t < tsr_rule_tensors(r); t++) {
            uint32_t here = nodes_of(x, tensor_of(op, t));
            for (uint32_t d = r->dims[t]; d < r->dims[t + 1]; d++, here++) {
                uint32_t f = only_factor(x, r, d, here);
                for (uint32_t i = r->first[d]; f == r->nfactor && i < r->first[d + 1]; i++)
                    plain[r->factors[i]] = false;
                if (!pass)
                    continue;
                if (f == r->nfactor || !plain[f])
                    keep_whole(x, here);
                if (f < r->nfactor && node[f] != UINT32_MAX)
                    join(x, node[f], here);
                else if (f < r->nfactor)
                    node[f] = here;
            }
        }
}

/* Values from outside that an op's regions use stay whole: nothing says how they are used. */
static void keep_captured(body *x, tsr_op *op)
{
    for (tsr_op *in = op->nregion ? tsr_walk_next(op, op) : NULL; in; in = tsr_walk_next(op, in))
        for (uint32_t i = 0; i < in->nin; i++) {
            const tsr_value *v = in->in[i].value;
            const tsr_op *owner = v->is_arg ? tsr_block_parent(v->block) : v->op;
            if (owner != op && !tsr_op_is_ancestor(op, owner))
                keep_value_whole(x, v);
        }
}

static void follow(body *x, tsr_op *op)
{
    const tsr_rule *r = tsr_rule_inner(x->b, op);
    keep_captured(x, op);
    if (r) {
        follow_rule(x, op, r);
        return;
    }
    if (!op->nin)
        return; /* constants and the like can be created in parts */
    for (uint32_t t = 0; t < op->nin + op->nout; t++)
        keep_value_whole(x, tensor_of(op, t));
}

/* ---- The op itself ---- */

/* A class that occurs twice on one tensor is a diagonal: both dimensions stay whole, with separate factors. */
static void add_factors(body *x)
{
    tsr_rule_build *b = x->b;
    uint32_t ndim = b->dims[b->ntensor];
    uint32_t *last = TSR_NEW_ARRAY(b->arena, uint32_t, ndim + 1),
             *factor = TSR_NEW_ARRAY(b->arena, uint32_t, ndim + 1);
    bool *twice = TSR_NEW_ARRAY(b->arena, bool, ndim + 1);
    for (uint32_t t = 0; t < b->ntensor; t++)
        for (uint32_t n = b->dims[t]; n < b->dims[t + 1]; n++) {
            uint32_t root = root_of(x, n); /* below ndim: roots are the lowest of their class */
            twice[n] = last[root] == t + 1;
            if (twice[n])
                x->whole.data[root] = true;
            last[root] = t + 1;
        }
    for (uint32_t t = 0; t < b->ntensor; t++)
        for (uint32_t n = b->dims[t]; n < b->dims[t + 1]; n++) {
            uint32_t root = root_of(x, n), f;
            tsr_factor_kind kind =
                x->whole.data[root] ? TSR_FACTOR_NEED_REPLICATION : TSR_FACTOR_PASS_THROUGH;
            if (!twice[n] && factor[root]) {
                f = factor[root] - 1;
            } else {
                f = tsr_rule_factor(b, x->sizes.data[n], kind, false);
                if (!twice[n])
                    factor[root] = f + 1;
            }
            tsr_rule_put(b, f, t, n - b->dims[t]);
        }
}

static void body_start(body *x, tsr_rule_build *b)
{
    memset(x, 0, sizeof *x);
    x->b = b;
    for (uint32_t t = 0; t < b->ntensor; t++)
        add_nodes(x, tsr_rule_type(b, t));
}

/* Processes the ops of a block and its returned values, then builds the rule. */
static bool body_finish(body *x, const tsr_block *block)
{
    for (tsr_op *op = block->first; op && op != block->last; op = op->next)
        follow(x, op);
    if (!x->b->broken)
        add_factors(x);
    tsr_map_free(&x->values);
    tsr_vec_free(&x->parent);
    tsr_vec_free(&x->sizes);
    tsr_vec_free(&x->whole);
    return !x->b->broken;
}

/* ---- Composite ---- */

static const tsr_block *decomposition(const tsr_op *op)
{
    const tsr_op *f = tsr_symbol_resolve(op, tsr_attr_of(op, STABLEHLO_COMPOSITE_decomposition));
    if (!f || !tsr_op_is(f, TSR_OP_FUNC_FUNC))
        return NULL;
    const tsr_block *block = f->regions[0].first;
    if (!block || block->next || !block->last || block->nargs != op->nin ||
        block->last->nin != op->nout || !tsr_op_has(block->last, TSR_TRAIT(TERMINATOR)))
        return NULL;
    return block;
}

bool shard_composite(tsr_rule_build *b)
{
    static const tsr_rule none; /* for recursive functions, and those without a rule */
    const tsr_rule **memo = tsr_rule_memo(b, tsr_attr_of(b->op, STABLEHLO_COMPOSITE_decomposition));
    if (*memo) {
        b->whole = *memo;
        return *memo != &none;
    }
    *memo = &none;
    const tsr_block *block = b->depth < MAX_DEPTH ? decomposition(b->op) : NULL;
    if (!block)
        return false;
    body x;
    body_start(&x, b);
    for (uint32_t i = 0; i < b->op->nin; i++)
        join_tensor(&x, block->args[i], i, TSR_NO_DIM);
    for (uint32_t i = 0; i < b->op->nout; i++)
        join_tensor(&x, block->last->in[i].value, tsr_build_result(b, i), TSR_NO_DIM);
    if (!body_finish(&x, block))
        return false;
    b->whole = tsr_rule_build_done(b);
    memo = tsr_rule_memo(
        b, tsr_attr_of(b->op, STABLEHLO_COMPOSITE_decomposition)); /* the table may have moved */
    *memo = b->whole ? b->whole : &none;
    return true;
}

/* ---- Scan ---- */

/* Inputs and outputs are cut into slices along the dimension; a carry is one tensor from its initial value through all
 * steps to the result. */
bool shard_scan(tsr_rule_build *b)
{
    const tsr_op *op = b->op;
    const tsr_block *block = op->regions[0].first;
    int64_t dim = tsr_attr_of(op, CHLO_SCAN_dimension)->i;
    uint32_t start, ninput, noutput;
    if (!block || !block->last || block->nargs != op->nin || block->last->nin != op->nout ||
        !tsr_op_operand_group(op, 0, &start, &ninput) ||
        !tsr_op_result_group(op, 0, &start, &noutput) || op->nout - noutput != op->nin - ninput)
        return false;
    body x;
    body_start(&x, b);
    for (uint32_t i = 0; i < op->nin; i++)
        join_tensor(&x, block->args[i], i, i < ninput ? dim : TSR_NO_DIM);
    for (uint32_t i = 0; i < op->nout; i++) {
        uint32_t t = tsr_build_result(b, i);
        join_tensor(&x, block->last->in[i].value, t, i < noutput ? dim : TSR_NO_DIM);
        for (uint32_t d = 0; i >= noutput && d < tsr_build_rank(b, t); d++)
            if (d < tsr_build_rank(b, ninput + i - noutput))
                join(&x, b->dims[t] + d, b->dims[ninput + i - noutput] + d);
    }
    uint32_t steps = UINT32_MAX;
    for (uint32_t t = 0; t < b->ntensor; t++) {
        bool cut = t < ninput || (t >= op->nin && t < op->nin + noutput);
        if (!cut || dim >= tsr_build_rank(b, t))
            continue;
        steps = steps == UINT32_MAX ? b->dims[t] + (uint32_t)dim : steps;
        join(&x, steps, b->dims[t] + (uint32_t)dim);
        keep_whole(&x, steps);
    }
    return body_finish(&x, block);
}
