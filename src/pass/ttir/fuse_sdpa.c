/* SPDX-License-Identifier: Apache-2.0 */
/* fuse_sdpa.c - ttir-fusing: replaces attention that is written out, matmul(softmax(scale * q * transpose(k) + mask),
 * v), by one op.
 *
 * From the last product up: a cast; a slice that drops the column of a sink; a where that clears rows without visible
 * keys; softmax; the concat of the sink; a cast; then the scores: linear, matmul + mask, or matmul. Scales are on the
 * scores, or on q and k. Heads of k and v that are repeated for those of q are used unrepeated. */
#include <math.h>

#include "pass/ttir/tt.h"

enum { RANK = 4, HEADS = 1, ROWS = 2, LAST = 3 };

typedef struct {
    tsr_value *q, *k, *v, *mask, *sink;
    tsr_value *dead;   /* rows that are cleared; NULL: none */
    tsr_value *scores; /* the operand of softmax */
    bool transposed;   /* k is not transposed, the product transposes it */
    bool scaled;
    double scale;
} parts;

static tsr_value *uncast_once(tsr_value *v)
{
    return tsr_ttr_def(v, TSR_OP_TTIR_TYPECAST) ? tsr_rw_in(v->op, 0) : v;
}

static tsr_value *unspread(tsr_value *v)
{
    return tsr_ttr_def(v, TSR_OP_TTIR_BROADCAST) ? tsr_rw_in(v->op, 0) : v;
}

/* The value of which v is a multiple, and the factor; v and 1 if it is none. */
static tsr_value *unscale(tsr_value *v, double *scale, bool *found)
{
    tsr_op *mul = tsr_ttr_def(v, TSR_OP_TTIR_MULTIPLY), *div = tsr_ttr_def(v, TSR_OP_TTIR_DIV);
    double by;
    tsr_value *in = NULL;
    if (mul && tsr_ttr_number_through(tsr_rw_in(mul, 1), &by))
        in = tsr_rw_in(mul, 0);
    else if (mul && tsr_ttr_number_through(tsr_rw_in(mul, 0), &by))
        in = tsr_rw_in(mul, 1);
    else if (div && tsr_ttr_number_through(tsr_rw_in(div, 1), &by) && by != 0) {
        in = tsr_rw_in(div, 0);
        by = 1 / by;
    }
    if (!in || !tsr_type_is(in->type, TSR_TYPE_TENSOR) || !tt_same_shape(in->type, v->type))
        return v;
    *scale *= by;
    *found = true;
    return in;
}

/* The value of which v is a transpose of the last two dimensions; NULL: none. */
static tsr_value *untranspose(tsr_value *v)
{
    tsr_op *t = tsr_ttr_def(v, TSR_OP_TTIR_TRANSPOSE), *p = tsr_ttr_def(v, TSR_OP_TTIR_PERMUTE);
    int64_t perm[TSR_TTIR_RANK];
    size_t a, b, n = v->type->n;
    if (t && tt_dim(t->attrs[TTIR_TRANSPOSE_dim0]->i, n, &a) &&
        tt_dim(t->attrs[TTIR_TRANSPOSE_dim1]->i, n, &b))
        return a + b + 3 == 2 * n && a != b && a + 2 >= n && b + 2 >= n ? tsr_rw_in(t, 0) : NULL;
    if (!p || n != RANK)
        return NULL;
    tsr_ttr_permutation(p, perm);
    return tsr_ttir_is_identity(perm, 2) && perm[2] == 3 ? tsr_rw_in(p, 0) : NULL;
}

/* A slice that takes all but the last column. */
static bool drops_column(const tsr_op *slice)
{
    const tsr_type *in = tsr_rw_in(slice, 0)->type;
    tsr_slice s;
    tsr_slice_of(slice, &s);
    for (size_t i = 0; i < in->n; i++)
        if (tsr_ints_at(s.start, i) != 0 || tsr_ints_at(s.strides, i) != 1 ||
            tsr_ints_at(s.limit, i) != in->dims[i] - (i + 1 == in->n))
            return false;
    return in->n == RANK;
}

/* The softmax whose result weights the values, and the ops in between. */
static tsr_op *find_softmax(parts *p, tsr_value *weights, bool *sink)
{
    tsr_value *v = uncast_once(weights);
    size_t dim;
    tsr_op *slice = tsr_ttr_def(v, TSR_OP_TTIR_SLICE_STATIC);
    if (slice && drops_column(slice)) {
        *sink = true;
        v = uncast_once(tsr_rw_in(slice, 0));
    }
    tsr_op *where = tsr_ttr_def(v, TSR_OP_TTIR_WHERE);
    double zero;
    if (where && tsr_ttr_number_through(tsr_rw_in(where, 1), &zero) && zero == 0) {
        tsr_value *rows = unspread(tsr_rw_in(where, 0));
        if (rows->type->n == RANK && rows->type->dims[LAST] == 1) {
            p->dead = rows;
            v = uncast_once(tsr_rw_in(where, 2));
        }
    }
    tsr_op *softmax = tsr_ttr_single(v, TSR_OP_TTIR_SOFTMAX);
    if (!softmax || !tt_dim(softmax->attrs[TTIR_SOFTMAX_dimension]->i, v->type->n, &dim) ||
        dim + 1 != v->type->n)
        return NULL;
    p->scores = tsr_rw_in(softmax, 0);
    return softmax;
}

/* The scores without the column of the sink. */
static tsr_value *take_sink(parts *p, tsr_value *v)
{
    tsr_op *concat = tsr_ttr_def(v, TSR_OP_TTIR_CONCAT);
    size_t dim;
    if (!concat || concat->nin != 2 ||
        !tt_dim(concat->attrs[TTIR_CONCAT_dim]->i, v->type->n, &dim) || dim != LAST)
        return NULL;
    tsr_value *column = tsr_rw_in(concat, 1), *sink = unspread(column);
    if (column->type->dims[LAST] != 1 ||
        !tsr_ttir_shape_is(sink, (int64_t[]){1, v->type->dims[HEADS], 1, 1}, RANK))
        return NULL;
    p->sink = sink;
    return uncast_once(tsr_rw_in(concat, 0));
}

static bool product(parts *p, tsr_value *v, const tsr_op *last)
{
    v = unscale(v, &p->scale, &p->scaled);
    tsr_op *op = tsr_ttr_def(v, TSR_OP_TTIR_MATMUL);
    tsr_matmul m;
    if (!op || op == last || !tsr_matmul_of(op, &m) || m.transpose[0])
        return false;
    p->q = tsr_rw_in(op, 0);
    p->k = tsr_rw_in(op, 1);
    p->transposed = m.transpose[1];
    return true;
}

static bool find_scores(parts *p, tsr_value *v, const tsr_op *last)
{
    tsr_op *linear = tsr_ttr_def(v, TSR_OP_TTIR_LINEAR), *add = tsr_ttr_def(v, TSR_OP_TTIR_ADD);
    if (linear) {
        tsr_matmul m;
        if (linear->nin < 3 || !tsr_matmul_of(linear, &m) || m.transpose[0])
            return false;
        p->q = tsr_rw_in(linear, 0);
        p->k = tsr_rw_in(linear, 1);
        p->mask = tsr_rw_in(linear, 2);
        p->transposed = m.transpose[1];
        return true;
    }
    for (size_t i = 0; add && i < 2; i++) {
        p->mask = tsr_rw_in(add, 1 - i);
        if (product(p, tsr_rw_in(add, i), last))
            return true;
        p->scale = 1;
        p->scaled = false;
    }
    return !add && product(p, v, last);
}

/* q and k themselves. */
static bool find_operands(parts *p)
{
    bool before = false;
    double scale = 1;
    p->q = unscale(p->q, &scale, &before);
    tsr_value *k = unscale(p->k, &scale, &before);
    if (!p->transposed && !(k = untranspose(k)))
        return false;
    p->k = unscale(k, &scale, &before);
    if (before && p->scaled)
        return false;
    p->scale *= scale;
    return true;
}

/* The value of which v is the repeated heads, perhaps under a cast; NULL: none. */
static tsr_op *repeated(tsr_value *v, tsr_op **cast)
{
    *cast = tsr_ttr_def(v, TSR_OP_TTIR_TYPECAST);
    tsr_op *op = tsr_ttr_def(*cast ? tsr_rw_in(*cast, 0) : v, TSR_OP_TTIR_REPEAT_INTERLEAVE);
    size_t dim;
    return op && v->type->n == RANK &&
                   tt_dim(op->attrs[TTIR_REPEAT_INTERLEAVE_dim]->i, RANK, &dim) && dim == HEADS
               ? op
               : NULL;
}

static bool shapes_fit(const parts *p, const tsr_type *out)
{
    const tsr_value *all[] = {p->q, p->k, p->v};
    for (int i = 0; i < 3; i++)
        if (!tsr_ttr_tensor(all[i]) || all[i]->type->n != RANK)
            return false;
    const int64_t *q = p->q->type->dims, *k = p->k->type->dims;
    if (p->k->type != p->v->type || p->q->type != out || q[0] != k[0] || q[LAST] != k[LAST] ||
        k[HEADS] == 0 || q[HEADS] % k[HEADS])
        return false;
    if (!p->mask)
        return true;
    const int64_t *m = p->mask->type->dims;
    return p->mask->type->n == RANK && (m[0] == 1 || m[0] == q[0]) &&
           (m[HEADS] == 1 || m[HEADS] == q[HEADS]) && m[ROWS] == q[ROWS] && m[LAST] == k[ROWS];
}

/* Whether v is computed from a value of this shape, and so depends on scores. */
static bool looks_at(tsr_value *v, const tsr_type *shape)
{
    enum { MOST = 64 };
    TSR_VEC(tsr_value *) todo = {0};
    bool found = false;
    tsr_vec_push(&todo, v);
    for (int i = 0; todo.n && !found && i < MOST; i++) {
        tsr_value *at = todo.data[--todo.n];
        found = tsr_type_is(at->type, TSR_TYPE_TENSOR) && tt_same_shape(at->type, shape);
        for (uint32_t k = 0; !at->is_arg && k < at->op->nin; k++)
            tsr_vec_push(&todo, tsr_rw_in(at->op, k));
    }
    tsr_vec_free(&todo);
    return found;
}

/* Rows that the mask hides completely, as 1: [.., rows, 1]. */
static tsr_value *hidden_rows(tsr_rewriter *r, tsr_op *at, tsr_value *mask)
{
    int64_t dims[RANK], last = LAST;
    memcpy(dims, mask->type->dims, sizeof dims);
    dims[LAST] = 1;
    tsr_type *type = tsr_ttir_shaped(mask->type, dims, RANK);
    tsr_value *max = tsr_ttr_reduce(r, at, TSR_OP_TTIR_MAX, mask, &last, 1, true, type);
    return tsr_ttr_binary(r, at, TSR_OP_TTIR_EQ, max, tsr_ttr_full(r, at, type, -INFINITY), type);
}

/* Rows of which every score is hidden are zeros. */
static tsr_value *clear_dead_rows(tsr_rewriter *r, tsr_op *at, const parts *p, tsr_value *v)
{
    /* Without a mask no score is minus infinity: what looks for such finds none. */
    if (!p->dead || (!p->mask && looks_at(p->dead, p->scores->type)))
        return v;
    tsr_value *rows =
        p->mask && tt_is_float(p->mask->type->elem) ? hidden_rows(r, at, p->mask) : p->dead;
    rows = tsr_ttr_broadcast(r, at, rows, v->type->dims);
    tsr_value *zero = tsr_ttr_full(r, at, v->type, 0);
    return &tsr_ttr_op(r, at, TSR_OP_TTIR_WHERE, (tsr_value *[]){rows, zero, v}, 3, v->type)
                ->out[0];
}

bool rule_tt_fuse_attention(tsr_rewriter *r, tsr_op *op)
{
    parts p = {.v = tsr_rw_in(op, 1), .scale = 1};
    bool sink = false;
    tsr_op *casts[2], *repeats[2];
    tsr_matmul m;
    if (!tsr_matmul_of(op, &m) || m.transpose[0] || m.transpose[1] || op->out[0].type->n != RANK ||
        !find_softmax(&p, tsr_rw_in(op, 0), &sink))
        return false;
    tsr_value *chain = uncast_once(p.scores);
    if (sink && !(chain = take_sink(&p, chain)))
        return false;
    if (!find_scores(&p, chain, op) || !find_operands(&p))
        return false;
    /* Both or neither: k and v have the same number of heads. */
    repeats[0] = repeated(p.k, &casts[0]);
    repeats[1] = repeated(p.v, &casts[1]);
    bool native = repeats[0] && repeats[1] &&
                  repeats[0]->attrs[TTIR_REPEAT_INTERLEAVE_repeats] ==
                      repeats[1]->attrs[TTIR_REPEAT_INTERLEAVE_repeats];
    parts whole = p;
    if (native) {
        p.k = tsr_rw_in(repeats[0], 0);
        p.v = tsr_rw_in(repeats[1], 0);
    }
    /* Casts after the repeats are restored; types are compared as they will be. */
    if (!shapes_fit(&whole, op->out[0].type))
        return false;
    if (native && casts[0])
        p.k = tsr_ttr_typecast(r, op, p.k, whole.k->type->elem);
    if (native && casts[1])
        p.v = tsr_ttr_typecast(r, op, p.v, whole.v->type->elem);
    tsr_value *in[5] = {p.q, p.k, p.v};
    size_t n = 3;
    if (p.mask)
        in[n++] = p.mask;
    if (p.sink)
        in[n++] = p.sink;
    tsr_op *all =
        tsr_ttr_op(r, op, TSR_OP_TTIR_SCALED_DOT_PRODUCT_ATTENTION, in, n, op->out[0].type);
    int64_t sizes[] = {1, 1, 1, p.mask != NULL, p.sink != NULL};
    all->attrs[TTIR_SCALED_DOT_PRODUCT_ATTENTION_operandSegmentSizes] =
        tsr_ttir_i32_array(r->ctx, sizes, 5);
    all->attrs[TTIR_SCALED_DOT_PRODUCT_ATTENTION_is_causal] = tsr_attr_bool(r->ctx, false);
    all->attrs[TTIR_SCALED_DOT_PRODUCT_ATTENTION_scale] = tsr_ttir_f32(r->ctx, p.scale);
    tsr_rw_replace_one(r, op, clear_dead_rows(r, op, &p, &all->out[0]));
    return true;
}
