/* SPDX-License-Identifier: Apache-2.0 */
/* fuse_matmul.c - ttir-fusing: fuses matrix products with the ops around them. */
#include "pass/ttir/tt.h"

/* ---- Bias ---- */

/* The matmul that v is, or is a reshape of; each with one use. */
static tsr_op *product(const tsr_value *v, tsr_op **reshape)
{
    *reshape = tsr_ttr_def(v, TSR_OP_TTIR_RESHAPE);
    if (*reshape) {
        if (!tsr_rw_one_use(v))
            return NULL;
        v = tsr_rw_in(*reshape, 0);
    }
    return tsr_ttr_single(v, TSR_OP_TTIR_MATMUL);
}

static bool together(const tsr_type *a, const tsr_type *b, tt_shape *out)
{
    tt_shape x = {.n = a->n}, y = {.n = b->n};
    memcpy(x.d, a->dims, a->n * sizeof *x.d);
    memcpy(y.d, b->dims, b->n * sizeof *y.d);
    return tt_broadcast(&x, &y, out);
}

static bool same_tail(const tsr_type *a, const tsr_type *b)
{
    size_t i = 0, k = 0;
    while (i < a->n && a->dims[i] == 1)
        i++;
    while (k < b->n && b->dims[k] == 1)
        k++;
    return a->n - i == b->n - k &&
           (a->n == i || memcmp(a->dims + i, b->dims + k, (a->n - i) * sizeof *a->dims) == 0);
}

/* The bias without broadcasts and leading ones that the product implies anyway. */
static tsr_value *peeled(tsr_value *v, const tsr_type *with)
{
    while (tsr_rw_one_use(v) && !v->is_arg) {
        tsr_value *in = v->op->nin == 1 ? tsr_rw_in(v->op, 0) : NULL;
        tt_shape a, b;
        if (tsr_op_is(v->op, TSR_OP_TTIR_BROADCAST) && tsr_ttr_tensor(in) &&
            together(with, in->type, &a) && together(with, v->type, &b) && a.n == b.n &&
            memcmp(a.d, b.d, a.n * sizeof *a.d) == 0)
            v = in;
        else if (tsr_op_is(v->op, TSR_OP_TTIR_RESHAPE) && tsr_ttr_tensor(in) &&
                 same_tail(in->type, v->type))
            v = in;
        else
            break;
    }
    return v;
}

/* Whether a reshape keeps the last dimensions along which the bias varies. */
static bool keeps_bias(const tsr_type *from, const tsr_type *to, const tsr_type *bias)
{
    size_t n = bias->n;
    while (n && bias->dims[bias->n - n] == 1)
        n--;
    return from->n >= n && to->n >= n &&
           (n == 0 ||
            memcmp(from->dims + from->n - n, to->dims + to->n - n, n * sizeof *to->dims) == 0);
}

static tsr_attr *weight_dtype(tsr_rewriter *r, const tsr_op *from, tsr_attr *extra)
{
    tsr_attr *kind = tsr_dict_get(from->extra, TSR_STR("ttcore.weight_dtype"));
    return kind ? tsr_dict_with(r->ctx, extra, tsr_name_get(r->ctx, TSR_STR("ttcore.weight_dtype")),
                                kind)
                : extra;
}

/* matmul(a, b) + bias -> linear(a, b, bias) */
bool rule_tt_fuse_linear(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *reshapes[2], *products[2];
    for (size_t i = 0; i < 2; i++)
        products[i] = product(tsr_rw_in(op, i), &reshapes[i]);
    if (!products[0] == !products[1] || !tsr_ttr_tensor(&op->out[0]))
        return false;
    size_t which = products[0] ? 0 : 1;
    tsr_op *matmul = products[which], *reshape = reshapes[which];
    const tsr_type *type = matmul->out[0].type, *out = op->out[0].type;
    tsr_value *bias = tsr_rw_in(op, 1 - which);
    tt_shape both;
    if (!tsr_ttr_tensor(&matmul->out[0]) || !tsr_ttr_tensor(bias) || type->elem != out->elem)
        return false;
    bias = peeled(bias, type);
    tsr_type *bias_type = bias->type;
    int64_t one = 1;
    if (bias_type->n == 0)
        bias_type = tsr_ttir_shaped(bias_type, &one, 1);
    if (!together(type, bias_type, &both) ||
        tsr_ttr_volume(both.d, both.n) != tsr_ttr_elements(&op->out[0]) ||
        (reshape && !keeps_bias(type, reshape->out[0].type, bias_type)) ||
        (!reshape && !tsr_ttir_shape_is(&op->out[0], both.d, both.n)))
        return false;
    if (bias->type->n == 0)
        bias = tsr_ttr_reshape(r, op, bias, &one, 1);
    tsr_op *linear = tsr_ttr_op(r, op, TSR_OP_TTIR_LINEAR,
                                (tsr_value *[]){tsr_rw_in(matmul, 0), tsr_rw_in(matmul, 1), bias},
                                3, tsr_ttir_shaped(type, both.d, both.n));
    linear->attrs[TTIR_LINEAR_transpose_a] = matmul->attrs[TTIR_MATMUL_transpose_a];
    linear->attrs[TTIR_LINEAR_transpose_b] = matmul->attrs[TTIR_MATMUL_transpose_b];
    linear->extra = weight_dtype(r, matmul, NULL);
    tsr_value *v = &linear->out[0];
    if (!tsr_ttir_shape_is(v, out->dims, out->n))
        v = tsr_ttr_reshape(r, op, v, out->dims, out->n);
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* ---- Transposes ---- */

/* The value of which v is a transpose of the last two dimensions; NULL: none. */
static tsr_value *transposed(const tsr_value *v)
{
    tsr_op *permute = tsr_ttr_def(v, TSR_OP_TTIR_PERMUTE);
    int64_t perm[TSR_TTIR_RANK];
    if (!permute || !tsr_ttr_tensor(v) || v->type->n < 2)
        return NULL;
    size_t n = tsr_ttr_permutation(permute, perm);
    if (perm[n - 2] != (int64_t)n - 1 || perm[n - 1] != (int64_t)n - 2 ||
        !tsr_ttir_is_identity(perm, n - 2))
        return NULL;
    return tsr_rw_in(permute, 0);
}

/* matmul(transpose(a), b), linear -> with the flag set */
bool rule_tt_fuse_transpose(tsr_rewriter *r, tsr_op *op)
{
    static const int slots[] = {TTIR_MATMUL_transpose_a, TTIR_MATMUL_transpose_b};
    bool changed = false;
    for (size_t i = 0; i < 2; i++) {
        tsr_value *v = transposed(tsr_rw_in(op, i));
        if (!v)
            continue;
        op->attrs[slots[i]] = tsr_attr_bool(r->ctx, !op->attrs[slots[i]]->i);
        tsr_rw_set_operand(r, op, i, v);
        changed = true;
    }
    return changed;
}

/* ---- Slices ---- */

/* v cut along dimension to as slice cuts dimension from. */
static tsr_value *cut(tsr_rewriter *r, tsr_op *slice, size_t from, tsr_value *v, size_t to)
{
    int64_t begins[TSR_TTIR_RANK] = {0}, ends[TSR_TTIR_RANK], steps[TSR_TTIR_RANK];
    tsr_ttr_range taken = tsr_ttr_slice_range(slice, from);
    tsr_slice s;
    tsr_slice_of(slice, &s);
    for (size_t i = 0; i < v->type->n; i++) {
        ends[i] = v->type->dims[i];
        steps[i] = 1;
    }
    begins[to] = taken.begin;
    ends[to] = taken.end;
    steps[to] = taken.step;
    tsr_value *part = tsr_ttr_slice(r, slice, v, begins, ends, steps);
    /* Bounds stay as written. */
    begins[to] = tsr_ints_at(s.start, from);
    ends[to] = tsr_ints_at(s.limit, from);
    tsr_ttir_set_slice(part->op, begins, ends, steps, v->type->n);
    return part;
}

/* slice(matmul(a, b)) of rows or columns -> matmul of a slice */
bool rule_tt_fuse_slice_matmul(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *matmul = tsr_rw_def(tsr_rw_in(op, 0));
    if (!matmul ||
        (!tsr_op_is(matmul, TSR_OP_TTIR_MATMUL) && !tsr_op_is(matmul, TSR_OP_TTIR_LINEAR)) ||
        !tsr_rw_one_use(&matmul->out[0]) || !tsr_ttr_tensor(&matmul->out[0]) ||
        !tsr_ttr_elements(&op->out[0]))
        return false;
    tsr_value *in[3] = {tsr_rw_in(matmul, 0), tsr_rw_in(matmul, 1),
                        matmul->nin > 2 ? tsr_rw_in(matmul, 2) : NULL};
    const tsr_type *out = matmul->out[0].type;
    if (!tsr_ttr_tensor(in[0]) || !tsr_ttr_tensor(in[1]) || (in[2] && !tsr_ttr_tensor(in[2])))
        return false;
    size_t rank = out->n, a = in[0]->type->n, b = in[1]->type->n, narrow = SIZE_MAX;
    size_t column = b >= 2 ? rank - 1 : SIZE_MAX, row = a < 2    ? SIZE_MAX
                                                        : b >= 2 ? rank - 2
                                                                 : rank - 1;
    for (size_t i = 0; i < rank; i++) {
        tsr_ttr_range taken = tsr_ttr_slice_range(op, i);
        bool all = taken.begin == 0 && taken.end == out->dims[i] && taken.step == 1;
        if (taken.step < 1 || (narrow != SIZE_MAX && !all))
            return false;
        if (!all)
            narrow = i;
    }
    if (narrow == SIZE_MAX || (narrow != row && narrow != column))
        return false;
    tsr_matmul m;
    tsr_matmul_of(matmul, &m);
    if (narrow == row)
        in[0] = cut(r, op, narrow, in[0], m.transpose[0] ? a - 1 : a - 2);
    else
        in[1] = cut(r, op, narrow, in[1], m.transpose[1] ? b - 2 : b - 1);
    if (in[2] && in[2]->type->n >= rank - narrow) {
        size_t at = in[2]->type->n - (rank - narrow);
        if (in[2]->type->dims[at] != 1)
            in[2] = cut(r, op, narrow, in[2], at);
    }
    tsr_op *copy = tsr_ttr_copy(r, op, matmul, in, matmul->nin, op->out[0].type);
    tsr_rw_replace_one(r, op, &copy->out[0]);
    return true;
}

/* ---- Products that share their left operand ---- */

enum { MOST_SHARED = 64 };

/* Whether op may be combined with root in one product. */
static bool shares(const tsr_op *root, const tsr_op *op)
{
    if (op->def != root->def || op->block != root->block ||
        tsr_rw_in(op, 0) != tsr_rw_in(root, 0) || op->nin != root->nin ||
        op->attrs[TTIR_MATMUL_transpose_a] != root->attrs[TTIR_MATMUL_transpose_a] ||
        !tsr_ttr_tensor(tsr_rw_in(op, 1)) || !tsr_ttr_tensor(&op->out[0]) ||
        tsr_rw_in(op, 1) == tsr_rw_in(op, 0))
        return false;
    const tsr_type *a = tsr_rw_in(root, 1)->type, *b = tsr_rw_in(op, 1)->type;
    if (a->n != b->n || a->n < 2 || a->elem != b->elem ||
        root->out[0].type->elem != op->out[0].type->elem ||
        root->out[0].type->n != op->out[0].type->n ||
        memcmp(a->dims, b->dims, (a->n - 2) * sizeof *a->dims) != 0)
        return false;
    if (root->nin < 3)
        return true;
    const tsr_type *c = tsr_rw_in(root, 2)->type, *d = tsr_rw_in(op, 2)->type;
    return c->n == d->n && c->n > 0 && c->elem == d->elem &&
           memcmp(c->dims, d->dims, (c->n - 1) * sizeof *c->dims) == 0 &&
           d->dims[d->n - 1] == op->out[0].type->dims[op->out[0].type->n - 1];
}

/* Moves the computation of v, a chain of ops with one operand each, after `after`; false: it is not such a chain. */
static bool hoistable(const tsr_value *v, const tsr_op *after)
{
    while (!v->is_arg && v->op->block == after->block && v->op != after &&
           !tsr_op_before(v->op, after)) {
        if (v->op->nin > 1)
            return false;
        if (v->op->nin == 0)
            return true;
        v = tsr_rw_in(v->op, 0);
    }
    return true;
}

static void hoist(tsr_value *v, tsr_op **after)
{
    TSR_VEC(tsr_op *) chain = {0};
    while (!v->is_arg && v->op->block == (*after)->block && v->op != *after &&
           !tsr_op_before(v->op, *after)) {
        tsr_vec_push(&chain, v->op);
        if (v->op->nin == 0)
            break;
        v = tsr_rw_in(v->op, 0);
    }
    while (chain.n) {
        tsr_op *op = chain.data[--chain.n];
        tsr_op_move_before(op, (*after)->next);
        *after = op;
    }
    tsr_vec_free(&chain);
}

static tsr_value *transpose_of(tsr_rewriter *r, tsr_op *at, tsr_value *v)
{
    int64_t perm[TSR_TTIR_RANK];
    size_t n = v->type->n;
    for (size_t i = 0; i < n; i++)
        perm[i] = (int64_t)i;
    perm[n - 2] = (int64_t)n - 1;
    perm[n - 1] = (int64_t)n - 2;
    return tsr_ttr_permute(r, at, v, perm);
}

/* Products of one left side. */
typedef struct {
    tsr_op *ops[MOST_SHARED];
    uint32_t n;
    int64_t width; /* of all results */
    bool alike;    /* all transpose their right side, or none does */
} products;

static bool find_products(tsr_op *root, products *p)
{
    enum { LEAST = 3, WIDEST = 262144 };
    p->n = 0;
    p->width = 0;
    p->alike = true;
    for (tsr_use *u = tsr_rw_in(root, 0)->uses; u; u = u->next)
        if (&u->user->in[0] == u && shares(root, u->user)) {
            if (p->n == MOST_SHARED)
                return false;
            p->ops[p->n++] = u->user;
            const tsr_type *t = u->user->out[0].type;
            p->width += t->dims[t->n - 1];
            p->alike &=
                u->user->attrs[TTIR_MATMUL_transpose_b] == root->attrs[TTIR_MATMUL_transpose_b];
        }
    return p->n >= LEAST && p->width <= WIDEST;
}

/* Where one product can stand: what all need of other operands is moved before it. NULL: not everything can be. */
static tsr_op *gather_operands(tsr_op *root, const products *p)
{
    const tsr_value *shared = tsr_rw_in(root, 0);
    tsr_op *after =
        shared->is_arg || shared->op->block != root->block ? root->block->first : shared->op;
    if (tsr_op_has(after, TSR_TRAIT(TERMINATOR)))
        return NULL;
    for (uint32_t i = 0; i < p->n; i++)
        for (size_t k = 1; k < root->nin; k++)
            if (!hoistable(tsr_rw_in(p->ops[i], k), after))
                return NULL;
    for (size_t k = 1; k < root->nin; k++)
        for (uint32_t i = 0; i < p->n; i++)
            hoist(tsr_rw_in(p->ops[i], k), &after);
    return after->next;
}

/* matmul(a, b), matmul(a, c), matmul(a, d) -> slices of one product; linear, too */
bool rule_tt_fuse_shared_matmul(tsr_rewriter *r, tsr_op *root)
{
    tsr_value *shared = tsr_rw_in(root, 0), *b[MOST_SHARED], *bias[MOST_SHARED];
    products p;
    if (!tsr_ttr_tensor(shared) || !root->out[0].type->n || !shares(root, root) ||
        !find_products(root, &p))
        return false;
    tsr_op *at = gather_operands(root, &p), **ops = p.ops;
    if (!at)
        return false;
    uint32_t n = p.n;
    tsr_matmul m;
    tsr_matmul_of(root, &m);
    bool tb = p.alike && m.transpose[1];
    for (uint32_t i = 0; i < n; i++) {
        b[i] = tsr_rw_in(ops[i], 1);
        if (!p.alike && tsr_matmul_of(ops[i], &m) && m.transpose[1])
            b[i] = transpose_of(r, at, b[i]);
        if (root->nin > 2)
            bias[i] = tsr_rw_in(ops[i], 2);
    }
    size_t rank = root->out[0].type->n;
    int64_t dims[TSR_TTIR_RANK], begins[TSR_TTIR_RANK] = {0};
    memcpy(dims, root->out[0].type->dims, rank * sizeof *dims);
    dims[rank - 1] = p.width;
    tsr_value *in[3] = {shared, tsr_ttr_concat(r, at, b, n, b[0]->type->n - (tb ? 2 : 1)), NULL};
    if (root->nin > 2)
        in[2] = tsr_ttr_concat(r, at, bias, n, bias[0]->type->n - 1);
    tsr_op *all =
        tsr_ttr_copy(r, at, root, in, root->nin, tsr_ttir_shaped(root->out[0].type, dims, rank));
    all->attrs[TTIR_MATMUL_transpose_b] = tsr_attr_bool(r->ctx, tb);
    for (uint32_t i = 0; i < n; i++) {
        const tsr_type *t = ops[i]->out[0].type;
        dims[rank - 1] = begins[rank - 1] + t->dims[rank - 1];
        b[i] = tsr_ttr_slice(r, at, &all->out[0], begins, dims, NULL);
        b[i]->type = ops[i]->out[0].type;
        begins[rank - 1] = dims[rank - 1];
    }
    for (uint32_t i = 0; i < n; i++)
        tsr_rw_replace_one(r, ops[i], b[i]);
    return true;
}
