/* SPDX-License-Identifier: Apache-2.0 */
/* recognise.c - replaces functions that were expanded into arithmetic and selects by ops again, to use the ops'
 * derivatives: the derivative of an expansion is 0 * inf where a piece that is not chosen has a pole, and noise where
 * pieces meet.
 *
 * The form of the expansion does not matter: a value that is a function of one other value, composed of pointwise ops
 * and constants with a comparison or a quotient among them, is evaluated at a few points and compared with the
 * functions that have ops; and at many points if it agrees with one. Dominators in the graph of values tell which value
 * is a function of which.
 *
 * Each pair of values is tried once, and only pairs that are a few dominator steps apart, so that the time is linear in
 * the size of the module. There may be many ops between the two. */
#include "pass/grad/recognise.h"

#include <stdlib.h>

/* ---- Which values are functions of which ---- */

static bool is_pointwise(const tsr_op *op)
{
    if (op->nout != 1 || op->nregion || !op->nin || !tsr_op_effect_free(op) || !tsr_kernel_of(op) ||
        !tsr_type_is(op->out[0].type, TSR_TYPE_TENSOR) || tsr_hlo_is_quantized(op->out[0].type))
        return false;
    /* The bits of a number of the same width. */
    if (tsr_op_is(op, TSR_OP_STABLEHLO_BITCAST_CONVERT))
        return tsr_hlo_in(op, 0)->n == op->out[0].type->n;
    return tsr_op_has(op, TSR_TRAIT(ELEMENTWISE) | TSR_TRAIT(BROADCASTING_ELEMENTWISE)) &&
           !tsr_op_has(op, TSR_TRAIT(BROADCASTING));
}

/* Repeats or rearranges a number that is the same everywhere. */
static bool keeps_uniform(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_STABLEHLO_BROADCAST_IN_DIM) ||
           tsr_op_is(op, TSR_OP_STABLEHLO_RESHAPE) || tsr_op_is(op, TSR_OP_STABLEHLO_BROADCAST);
}

static tsr_attr *splat_of(const tsr_op *op)
{
    tsr_attr *a =
        tsr_op_is(op, TSR_OP_STABLEHLO_CONSTANT) ? tsr_attr_of(op, STABLEHLO_CONSTANT_value) : NULL;
    return tsr_attr_is(a, TSR_ATTR_DENSE) && a->sub && tsr_type_is(a->type, TSR_TYPE_TENSOR) &&
                   tsr_dtype_of(a->type->elem) != TSR_D_NONE && !tsr_hlo_is_quantized(a->type)
               ? a
               : NULL;
}

static void set_node(tsr_cones *c, const tsr_value *v, int32_t node)
{
    tsr_map_put(&c->of_value, tsr_hash_ptr(v), (void *)(intptr_t)(node + 1));
}

static int32_t add_node(tsr_cones *c, tsr_node n)
{
    int32_t at = (int32_t)c->nodes.n;
    n.child = n.other = TSR_NO_NODE;
    if (n.idom != TSR_NO_NODE) {
        n.other = c->nodes.data[n.idom].child;
        c->nodes.data[n.idom].child = at;
    }
    tsr_vec_push(&c->nodes, n);
    set_node(c, n.v, at);
    return at;
}

static int32_t node_for(tsr_cones *c, tsr_value *v)
{
    int32_t n = tsr_node_of(c, v);
    return n != TSR_NO_NODE ? n : add_node(c, (tsr_node){.v = v, .idom = TSR_NO_NODE});
}

/* The nearest value that both are functions of; whether hazards are on the paths from it. Distant ones do not
 * matter. */
static int32_t common(const tsr_cones *c, int32_t a, int32_t b, bool *hazard)
{
    enum { STEPS = 64 };
    for (int i = 0; a != b && a != TSR_NO_NODE && b != TSR_NO_NODE; i++) {
        int32_t *later = c->nodes.data[a].depth >= c->nodes.data[b].depth ? &a : &b;
        *hazard |= c->nodes.data[*later].hazard;
        *later = i < STEPS ? c->nodes.data[*later].idom : TSR_NO_NODE;
    }
    return a == b ? a : TSR_NO_NODE;
}

static bool same_dims(const tsr_type *a, const tsr_type *b)
{
    return a->n == b->n && (!a->n || memcmp(a->dims, b->dims, a->n * sizeof *a->dims) == 0);
}

/* Comparisons choose between pieces; quotients have poles. Without either, derivatives of an expansion are as good as
 * its values. */
static bool is_hazard(const tsr_cones *c, const tsr_node *n)
{
    if (!n->op || n->uniform)
        return false;
    if (tsr_op_is(n->op, TSR_OP_STABLEHLO_DIVIDE))
        return !c->nodes.data[tsr_node_of(c, tsr_grad_in(n->op, 1))].uniform;
    return tsr_elem(n->v)->kind == TSR_TYPE_INTEGER && tsr_elem(n->v)->width == 1;
}

static void add_op(tsr_cones *c, tsr_op *op)
{
    tsr_node n = {.v = op->nout ? &op->out[0] : NULL, .idom = TSR_NO_NODE};
    if (!n.v)
        return;
    if (splat_of(op)) {
        n.op = op;
        n.uniform = true;
    } else if (is_pointwise(op) || keeps_uniform(op)) {
        bool first = true;
        int32_t dom = TSR_NO_NODE;
        n.op = op;
        n.uniform = true;
        for (uint32_t i = 0; i < op->nin; i++) {
            int32_t k = node_for(c, tsr_grad_in(op, i));
            if (c->nodes.data[k].uniform)
                continue;
            n.uniform = false;
            if (keeps_uniform(op) || !same_dims(c->nodes.data[k].v->type, n.v->type))
                n.op = NULL;
            dom = first ? k : common(c, dom, k, &n.hazard);
            first = false;
        }
        if (n.op && !n.uniform && dom != TSR_NO_NODE) {
            n.idom = dom;
            n.depth = c->nodes.data[dom].depth + 1;
        }
        n.hazard |= is_hazard(c, &n);
    }
    (void)add_node(c, n);
}

/* ---- Nodes between two values ---- */

static bool visit(tsr_cones *c, int32_t from, int32_t node, int at)
{
    enum { MOST = 2048 };
    tsr_node *n = &c->nodes.data[node];
    if (n->mark == c->marks || n->at[at])
        return true;
    n->mark = c->marks;
    if (node != from && (!n->op || c->visited++ >= MOST))
        return false;
    for (uint32_t i = 0; node != from && i < n->op->nin; i++) {
        int32_t in = tsr_node_of(c, tsr_grad_in(n->op, i));
        if (in == TSR_NO_NODE || !visit(c, from, in, at))
            return false;
    }
    tsr_vec_push(&c->slice, node);
    return true;
}

bool tsr_cones_slice(tsr_cones *c, int32_t from, int32_t to, int at)
{
    c->marks++;
    c->slice.n = c->visited = 0;
    return visit(c, from, to, at);
}

void tsr_cones_numbers(const tsr_cones *c, tsr_numbers *out)
{
    enum { MOST = 256 };
    for (size_t i = 0; i < c->slice.n && out->n < MOST; i++) {
        const tsr_node *n = &c->nodes.data[c->slice.data[i]];
        bool there = !n->uniform || !n->at[TSR_AT_FEW] || !splat_of(n->op) ||
                     tsr_elem(n->v)->kind != TSR_TYPE_FLOAT;
        double v = there ? 0 : tsr_get_double(n->at[TSR_AT_FEW], 0);
        there = there || v != v;
        for (size_t k = 0; !there && k < out->n; k++)
            there = out->data[k] == v;
        if (!there)
            tsr_vec_push(out, v);
    }
}

/* ---- Values at points ---- */

static tsr_tensor *filled(const tsr_tensor *one, int64_t n)
{
    tsr_tensor *t = tsr_tensor_new(one->elem, &n, 1);
    for (int64_t i = 0; t && i < n; i++)
        tsr_copy_element(t, i, one, 0);
    return t;
}

tsr_tensor *tsr_cones_run(tsr_cones *c, const tsr_op *op, tsr_tensor **in)
{
    tsr_tensor *out = NULL;
    tsr_call call = {.e = &c->eval, .op = op, .in = in, .out = &out};
    c->budget--;
    if (tsr_kernel_of(op)(&call) && out && out->kind == TSR_TENSOR && out->n == in[0]->n)
        return out;
    tsr_eval_free(&c->eval); /* discards the failure with it */
    tsr_eval_init(&c->eval, c->module, NULL);
    tsr_tensor_unref(out);
    return NULL;
}

static tsr_tensor *compute(tsr_cones *c, const tsr_node *n, int at, int64_t count)
{
    enum { MAX_IN = 3 };
    tsr_tensor *in[MAX_IN];
    tsr_attr *splat = splat_of(n->op);
    if (splat) {
        tsr_tensor *one = tsr_tensor_of_attr(splat, tsr_scalar_type(splat->type->elem));
        tsr_tensor *out = one ? filled(one, count) : NULL;
        tsr_tensor_unref(one);
        return out;
    }
    if (n->op->nin > MAX_IN)
        return NULL;
    for (uint32_t i = 0; i < n->op->nin; i++) {
        in[i] = c->nodes.data[tsr_node_of(c, tsr_grad_in(n->op, i))].at[at];
        if (!in[i])
            return NULL;
    }
    return keeps_uniform(n->op) ? tsr_tensor_ref(in[0]) : tsr_cones_run(c, n->op, in);
}

static void forget(tsr_node *n, int at)
{
    tsr_tensor_unref(n->at[at]);
    n->at[at] = NULL;
}

bool tsr_cones_eval(tsr_cones *c, int32_t from, int at, tsr_tensor *points)
{
    for (size_t i = 0; i < c->slice.n; i++) {
        tsr_node *n = &c->nodes.data[c->slice.data[i]];
        n->at[at] =
            c->slice.data[i] == from ? tsr_tensor_ref(points) : compute(c, n, at, points->n);
        if (!n->at[at])
            return false;
        if (at == TSR_AT_FEW && !n->uniform)
            tsr_vec_push(&c->computed, c->slice.data[i]);
    }
    return true;
}

/* ---- Replacing ---- */

static bool is_real(const tsr_value *v)
{
    return tsr_type_is(v->type, TSR_TYPE_TENSOR) && tsr_elem(v)->kind == TSR_TYPE_FLOAT &&
           (tsr_elem(v)->sub == TSR_F32 || tsr_elem(v)->sub == TSR_F64);
}

/* A single op is not an expansion. */
static bool is_one_step(const tsr_cones *c, int32_t from, const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++) {
        int32_t in = tsr_node_of(c, tsr_grad_in(op, i));
        if (in != from && !c->nodes.data[in].uniform)
            return false;
    }
    return true;
}

/* Erases ops that are no longer used. */
static void erase_dead(tsr_cones *c, int32_t at)
{
    tsr_node *n = &c->nodes.data[at];
    if (!n->op || tsr_op_used(n->op) || !tsr_op_removable(n->op))
        return;
    tsr_op *op = n->op;
    int32_t in[3], nin = 0;
    for (uint32_t i = 0; i < op->nin && i < TSR_COUNT(in); i++)
        in[nin++] = tsr_node_of(c, tsr_grad_in(op, i));
    n->op = NULL;
    n->v = NULL;
    tsr_op_erase(op);
    while (nin-- > 0)
        if (in[nin] != TSR_NO_NODE)
            erase_dead(c, in[nin]);
}

/* Makes node "to" the value of this op, as an opaque node. */
static void replace(tsr_cones *c, int32_t to, tsr_op *made)
{
    tsr_node *old = &c->nodes.data[to];
    tsr_value *v = &made->out[0];
    tsr_value_replace(old->v, v);
    erase_dead(c, to);
    old->v = v;
    old->hazard = false;
    set_node(c, v, to);
}

static bool may_end(const tsr_cones *c, int32_t from, int32_t to)
{
    const tsr_node *n = &c->nodes.data[to];
    return n->op && n->v->type == c->nodes.data[from].v->type && tsr_op_used(n->op) &&
           !is_one_step(c, from, n->op);
}

/* Adds functions of a node that have a hazard on the way, a few dominator steps below it. */
static void add_ends(tsr_cones *c, int32_t from, int32_t at, int steps, bool hazard)
{
    for (int32_t to = c->nodes.data[at].child; steps && to != TSR_NO_NODE;
         to = c->nodes.data[to].other) {
        bool here = hazard || c->nodes.data[to].hazard;
        if (here && may_end(c, from, to))
            tsr_vec_push(&c->ends, to);
        add_ends(c, from, to, steps - 1, here);
    }
}

static int later_first(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x < y) - (x > y);
}

/* Creates ops for values that are known functions of one; later ones first, since they contain the others. */
static void replace_from(tsr_cones *c, int32_t from)
{
    enum { STEPS = 6 };
    c->ends.n = 0;
    add_ends(c, from, from, STEPS, false);
    tsr_tensor *points = c->ends.n ? tsr_match_points(c, from) : NULL;
    if (c->ends.n > 1)
        qsort(c->ends.data, c->ends.n, sizeof *c->ends.data, later_first);
    for (size_t i = 0; points && i < c->ends.n && c->budget > 0; i++) {
        int32_t to = c->ends.data[i];
        if (!may_end(c, from, to) || !tsr_cones_slice(c, from, to, TSR_AT_FEW) ||
            !tsr_cones_eval(c, from, TSR_AT_FEW, points))
            continue;
        tsr_op *made = tsr_grad_match(c, from, to);
        if (made)
            replace(c, to, made);
    }
    for (size_t i = 0; i < c->computed.n; i++)
        forget(&c->nodes.data[c->computed.data[i]], TSR_AT_FEW);
    c->computed.n = 0;
}

void tsr_cones_forget_many(tsr_cones *c)
{
    for (size_t i = 0; i < c->slice.n; i++)
        forget(&c->nodes.data[c->slice.data[i]], TSR_AT_MANY);
}

static void recognise_in(tsr_cones *c, tsr_block *block)
{
    /* Chains of values take a few calls each; only an unusual graph takes this many. */
    enum { CALLS = 200000, CALLS_OF_ONE = 64 };
    TSR_BLOCK_OPS (block, op)
        add_op(c, op);
    c->budget = CALLS + CALLS_OF_ONE * (int64_t)c->nodes.n;
    for (int32_t d = 0; d < (int32_t)c->nodes.n && c->budget > 0; d++)
        if (c->nodes.data[d].v && !c->nodes.data[d].uniform && is_real(c->nodes.data[d].v))
            replace_from(c, d);
    for (size_t i = 0; i < c->nodes.n; i++)
        forget(&c->nodes.data[i], TSR_AT_FEW);
    tsr_map_truncate(&c->of_value, 0);
    c->nodes.n = 0;
}

void tsr_grad_recognise(tsr_op *func)
{
    tsr_cones c = {.ctx = func->module->ctx, .module = func->module};
    tsr_eval_init(&c.eval, c.module, NULL);
    TSR_OPS (func, op)
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], block) {
                recognise_in(&c, block);
            }
    tsr_eval_free(&c.eval);
    tsr_vec_free(&c.nodes);
    tsr_map_free(&c.of_value);
    tsr_vec_free(&c.slice);
    tsr_vec_free(&c.computed);
    tsr_vec_free(&c.ends);
    for (int wide = 0; wide < 2; wide++) {
        tsr_tensor_unref(c.few[wide]);
        tsr_vec_free(&c.known[wide]);
    }
}
