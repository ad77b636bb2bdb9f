/* recognise.c - functions that were expanded into arithmetic and selects become ops again, so that they have the derivatives
 * of those: an expansion's own is 0 * inf where a piece that is not chosen has a pole, and noise where pieces meet.
 *
 * Which expansion it was does not matter: a value that is a function of one other value, made of pointwise ops and constants
 * with a comparison or a quotient among them, is computed at many points and compared with the functions that have ops. This costs
 * nothing where there are none. Dominators in the graph of values say what is a function of what. */
#include "pass/grad/recognise.h"

/* ---- Which values are functions of which ---- */

static bool is_pointwise(const tsr_op *op)
{
    if (op->nout != 1 || op->nregion || !op->nin || !tsr_op_effect_free(op) || !tsr_kernel_of(op) ||
        !tsr_type_is(op->out[0].type, TSR_TYPE_TENSOR) || tsr_hlo_is_quantized(op->out[0].type))
        return false;
    /* Bits of a number of the same width. */
    if (tsr_op_is(op, TSR_OP_STABLEHLO_BITCAST_CONVERT))
        return tsr_hlo_in(op, 0)->n == op->out[0].type->n;
    return tsr_op_has(op, TSR_TRAIT(ELEMENTWISE) | TSR_TRAIT(BROADCASTING_ELEMENTWISE)) &&
           !tsr_op_has(op, TSR_TRAIT(BROADCASTING));
}

/* Repeats or arranges a number that is the same everywhere. */
static bool keeps_uniform(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_STABLEHLO_BROADCAST_IN_DIM) || tsr_op_is(op, TSR_OP_STABLEHLO_RESHAPE) ||
           tsr_op_is(op, TSR_OP_STABLEHLO_BROADCAST);
}

static tsr_attr *splat_of(const tsr_op *op)
{
    tsr_attr *a = tsr_op_is(op, TSR_OP_STABLEHLO_CONSTANT) ? tsr_attr_of(op, STABLEHLO_CONSTANT_value) : NULL;
    return tsr_attr_is(a, TSR_ATTR_DENSE) && a->sub && tsr_type_is(a->type, TSR_TYPE_TENSOR) &&
                   tsr_dtype_of(a->type->elem) != TSR_D_NONE && !tsr_hlo_is_quantized(a->type)
               ? a
               : NULL;
}

static int32_t add_node(tsr_cones *c, tsr_node n)
{
    while (c->of_value.n <= n.v->id)
        tsr_vec_push(&c->of_value, 0);
    tsr_vec_push(&c->nodes, n);
    return c->of_value.data[n.v->id] = (int32_t)c->nodes.n, (int32_t)c->nodes.n - 1;
}

static int32_t node_for(tsr_cones *c, tsr_value *v)
{
    int32_t n = tsr_node_of(c, v);
    return n != TSR_NO_NODE ? n : add_node(c, (tsr_node){.v = v, .idom = TSR_NO_NODE});
}

static int32_t common(const tsr_cones *c, int32_t a, int32_t b)
{
    while (a != b && a != TSR_NO_NODE && b != TSR_NO_NODE) {
        if (c->nodes.data[a].depth >= c->nodes.data[b].depth)
            a = c->nodes.data[a].idom;
        else
            b = c->nodes.data[b].idom;
    }
    return a == b ? a : TSR_NO_NODE;
}

static bool same_dims(const tsr_type *a, const tsr_type *b)
{
    return a->n == b->n && (!a->n || memcmp(a->dims, b->dims, a->n * sizeof *a->dims) == 0);
}

/* Comparisons choose between pieces; quotients have poles. Without either, derivatives of an expansion are as good as its
 * values. */
static bool is_hazard(const tsr_node *n)
{
    return n->op && !n->uniform &&
           ((tsr_elem(n->v)->kind == TSR_TYPE_INTEGER && tsr_elem(n->v)->width == 1) ||
            tsr_op_is(n->op, TSR_OP_STABLEHLO_DIVIDE));
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
            dom = first ? k : common(c, dom, k);
            first = false;
        }
        if (n.op && !n.uniform) {
            n.idom = dom;
            n.depth = dom == TSR_NO_NODE ? 0 : c->nodes.data[dom].depth + 1;
        }
    }
    int32_t at = add_node(c, n);
    for (int32_t d = c->nodes.data[at].idom; is_hazard(&n) && d != TSR_NO_NODE && !c->nodes.data[d].chosen;
         d = c->nodes.data[d].idom)
        c->nodes.data[d].chosen = true;
}

/* Constants on the ways from one node to another. */
void tsr_cones_numbers(tsr_cones *c, int32_t from, int32_t to, tsr_numbers *out)
{
    enum { MOST = 256 };
    TSR_VEC(uint8_t) on = {0};
    for (int32_t i = 0; i <= to; i++)
        tsr_vec_push(&on, i == to);
    for (int32_t i = to; i >= 0; i--) {
        const tsr_node *n = &c->nodes.data[i];
        if (!on.data[i] || i == from || !n->op)
            continue;
        for (uint32_t k = 0; k < n->op->nin; k++) {
            int32_t in = tsr_node_of(c, tsr_grad_in(n->op, k));
            if (in != TSR_NO_NODE && in < i)
                on.data[in] = 1;
        }
        tsr_attr *splat = splat_of(n->op);
        tsr_tensor *one = splat && splat->type->elem->kind == TSR_TYPE_FLOAT
                              ? tsr_tensor_of_attr(splat, tsr_scalar_type(splat->type->elem))
                              : NULL;
        double v = one ? tsr_get_double(one, 0) : NAN;
        bool there = v != v || out->n >= MOST;
        for (size_t k = 0; !there && k < out->n; k++)
            there = out->data[k] == v;
        if (!there)
            tsr_vec_push(out, v);
        tsr_tensor_unref(one);
    }
    tsr_vec_free(&on);
}

bool tsr_node_depends(const tsr_cones *c, int32_t node, int32_t from)
{
    while (node != TSR_NO_NODE && node > from)
        node = c->nodes.data[node].idom;
    return node == from;
}

/* ---- Values at points ---- */

static tsr_tensor *filled(const tsr_tensor *one, int64_t n)
{
    tsr_tensor *t = tsr_tensor_new(one->elem, &n, 1);
    for (int64_t i = 0; t && i < n; i++)
        tsr_copy_element(t, i, one, 0);
    return t;
}

static tsr_tensor *compute(tsr_cones *c, tsr_node *n, int64_t count)
{
    enum { MAX_IN = 3 };
    tsr_tensor *in[MAX_IN], *out = NULL;
    tsr_attr *splat = splat_of(n->op);
    if (splat) {
        tsr_tensor *one = tsr_tensor_of_attr(splat, tsr_scalar_type(splat->type->elem));
        out = one ? filled(one, count) : NULL;
        tsr_tensor_unref(one);
        return out;
    }
    if (n->op->nin > MAX_IN)
        return NULL;
    for (uint32_t i = 0; i < n->op->nin; i++) {
        in[i] = c->nodes.data[tsr_node_of(c, tsr_grad_in(n->op, i))].at;
        if (!in[i])
            return NULL;
    }
    if (keeps_uniform(n->op))
        return tsr_tensor_ref(in[0]);
    tsr_eval e;
    tsr_eval_init(&e, c->module, NULL);
    tsr_call call = {.e = &e, .op = n->op, .in = in, .out = &out};
    bool ok = tsr_kernel_of(n->op)(&call) && out && out->kind == TSR_TENSOR && out->n == count;
    tsr_eval_free(&e);
    c->budget--;
    if (!ok)
        tsr_tensor_unref(out);
    return ok ? out : NULL;
}

void tsr_cones_forget(tsr_cones *c)
{
    for (size_t i = 0; i < c->nodes.n; i++) {
        tsr_tensor_unref(c->nodes.data[i].at);
        c->nodes.data[i].at = NULL;
    }
}

bool tsr_cones_eval(tsr_cones *c, int32_t from, int32_t last, tsr_tensor *points)
{
    tsr_cones_forget(c);
    for (int32_t i = 0; i <= last; i++) {
        tsr_node *n = &c->nodes.data[i];
        if (i == from)
            n->at = tsr_tensor_ref(points);
        else if (n->op && (n->uniform || (i > from && tsr_node_depends(c, i, from))))
            n->at = compute(c, n, points->n);
    }
    return c->nodes.data[last].at != NULL;
}

/* ---- Replacing ---- */

static bool is_real(const tsr_value *v)
{
    return tsr_type_is(v->type, TSR_TYPE_TENSOR) && tsr_elem(v)->kind == TSR_TYPE_FLOAT &&
           (tsr_elem(v)->sub == TSR_F32 || tsr_elem(v)->sub == TSR_F64);
}

/* A single op is no expansion. */
static bool is_one_step(const tsr_cones *c, int32_t from, const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++) {
        int32_t in = tsr_node_of(c, tsr_grad_in(op, i));
        if (in != from && !c->nodes.data[in].uniform)
            return false;
    }
    return true;
}

/* Makes the op of the last value that is a known function of from; later ones first, since they hold the others. */
static bool replace_one(tsr_cones *c, int32_t from)
{
    tsr_tensor *points = tsr_match_points(c, from);
    int32_t last = (int32_t)c->nodes.n - 1;
    tsr_op *made = NULL;
    if (points)
        (void)tsr_cones_eval(c, from, last, points);
    for (int32_t to = last; points && !made && to > from; to--) {
        const tsr_node *n = &c->nodes.data[to];
        if (n->at && !n->uniform && n->v->type == c->nodes.data[from].v->type && tsr_op_used(n->op) &&
            !is_one_step(c, from, n->op))
            made = tsr_match(c, from, to);
        if (made)
            tsr_value_replace(c->nodes.data[to].v, &made->out[0]);
    }
    tsr_cones_forget(c);
    tsr_tensor_unref(points);
    return made != NULL;
}

static void erase_dead(tsr_block *block)
{
    for (tsr_op *op = block->last, *prev; op; op = prev) {
        prev = op->prev;
        if (op->nout && !tsr_op_used(op) && tsr_op_removable(op))
            tsr_op_erase(op);
    }
}

/* Whether it found something: the block is another then. */
static bool recognise_once(tsr_cones *c, tsr_block *block)
{
    bool some = false;
    c->nodes.n = c->of_value.n = 0;
    TSR_BLOCK_OPS(block, op)
    add_op(c, op);
    for (int32_t d = 0; !some && d < (int32_t)c->nodes.n && c->budget > 0; d++)
        if (c->nodes.data[d].chosen && is_real(c->nodes.data[d].v) && !c->nodes.data[d].uniform)
            some = replace_one(c, d);
    if (some)
        erase_dead(block);
    return some;
}

void tsr_grad_recognise(tsr_op *func)
{
    enum { CALLS = 200000, ROUNDS = 64 };
    tsr_cones c = {.ctx = func->module->ctx, .module = func->module, .budget = CALLS};
    TSR_OPS (func, op)
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS(&op->regions[r], block)
    {
        for (int i = 0; i < ROUNDS && recognise_once(&c, block); i++)
            ;
    }
    tsr_vec_free(&c.nodes);
    tsr_vec_free(&c.of_value);
    for (size_t i = 0; i < c.tried.n; i++)
        tsr_tensor_unref(c.tried.data[i].values);
    tsr_vec_free(&c.tried);
}
