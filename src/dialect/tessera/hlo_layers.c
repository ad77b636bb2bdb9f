/* SPDX-License-Identifier: Apache-2.0 */
/* hlo_layers.c - lowers Graph IR to StableHLO: products, softmax, norms, attention, embedding. */
#include "dialect/tessera/hlo.h"

static bool all_ranked(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (!tsr_hlo_is_ranked(tsr_hlo_in(op, i)))
            return tsr_hlo_cannot(op, "a rank is not known");
    return true;
}

/* ---- Products ---- */

/* Whether leading dimensions of both are known to be equal; then nothing is broadcast. */
static bool same_batch(const tsr_type *a, const tsr_type *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i + 2 < a->n; i++) {
        tsr_tessera_dim da = tsr_tessera_dim_of(a, i), db = tsr_tessera_dim_of(b, i);
        if (da.size != db.size || (da.size == TSR_DYNAMIC && (!da.name || da.name != db.name)))
            return false;
    }
    return true;
}

/* The size of v at leading dimension d of n, counted from the left of the longer one; NULL: it has none there. */
static tsr_value *batch_size(tsr_build *b, tsr_value *v, uint32_t d, uint32_t n, int64_t *known)
{
    uint32_t own = v->type->n - 2;
    *known = 1;
    if (d + own < n)
        return NULL;
    *known = v->type->dims[d + own - n];
    return *known == 1 ? NULL : tsr_build_size(b, v, d + own - n);
}

/* v with leading dimensions broadcast to those of both. */
static tsr_value *spread_batch(tsr_build *b, tsr_value *v, tsr_value *other)
{
    uint32_t own = v->type->n - 2, n = other->type->n - 2 > own ? other->type->n - 2 : own;
    tsr_i64_vec dims = {0}, places = {0};
    tsr_value_vec sizes = {0};
    for (uint32_t d = 0; d < n; d++) {
        int64_t ka, kb;
        tsr_value *sa = batch_size(b, v, d, n, &ka), *sb = batch_size(b, other, d, n, &kb),
                  *size = sa ? sa : sb;
        if (ka == TSR_DYNAMIC && kb == TSR_DYNAMIC)
            size = f_select(b, f_eqc(b, sa, 1), sb, sa);
        else if (ka == TSR_DYNAMIC && kb != 1)
            size = sb;
        tsr_vec_push(&sizes, size ? size : tsr_build_size_const(b, 1));
        tsr_vec_push(&dims, ka != 1 && ka != TSR_DYNAMIC   ? ka
                            : kb != 1 && kb != TSR_DYNAMIC ? kb
                            : ka == 1                      ? kb
                                                           : ka);
    }
    for (uint32_t i = 0; i < v->type->n; i++)
        tsr_vec_push(&places, (int64_t)(n - own + i));
    for (uint32_t i = own; i < v->type->n; i++) {
        tsr_vec_push(&dims, v->type->dims[i]);
        tsr_vec_push(&sizes, tsr_build_size(b, v, i));
    }
    tsr_type *type = tsr_type_tensor(b->ctx, dims.data, dims.n, tsr_elem(v), NULL);
    tsr_value *out;
    if (tsr_type_has_static_shape(type) && tsr_type_has_static_shape(v->type)) {
        out = tsr_build_broadcast(b, v, places.data, type);
    } else {
        tsr_value *in[] = {v, tsr_build_join(b, sizes.data, sizes.n)};
        tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_DYNAMIC_BROADCAST_IN_DIM, in, 2, 1, 0);
        op->attrs[STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_broadcast_dimensions] =
            tsr_attr_i64_array(b->ctx, places.data, places.n);
        out = &tsr_build_close_as(b, op, &type)->out[0];
    }
    tsr_vec_free(&dims);
    tsr_vec_free(&places);
    tsr_vec_free(&sizes);
    return out;
}

tsr_value *tsr_hlo_matmul(tsr_build *b, tsr_value *lhs, tsr_value *rhs, bool transposed)
{
    bool batched = rhs->type->n > 2;
    if (batched && !same_batch(lhs->type, rhs->type)) {
        tsr_value *l = spread_batch(b, lhs, rhs);
        rhs = spread_batch(b, rhs, lhs);
        lhs = l;
    }
    tsr_i64_vec batch = {0};
    for (uint32_t i = 0; batched && i + 2 < lhs->type->n; i++)
        tsr_vec_push(&batch, i);
    int64_t left = lhs->type->n - 1, right = rhs->type->n - (transposed ? 1 : 2);
    tsr_ints list = tsr_ints_over(batch.data, batch.n);
    tsr_dot d = {.batch = {list, list},
                 .contract = {tsr_ints_over(&left, 1), tsr_ints_over(&right, 1)}};
    tsr_value *in[] = {lhs, rhs};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_DOT_GENERAL, in, 2, 1, 0);
    op->attrs[STABLEHLO_DOT_GENERAL_dot_dimension_numbers] = tsr_dot_attr(b->ctx, &d);
    tsr_vec_free(&batch);
    op->out[0].type = tsr_scalar_type(tsr_elem(lhs)); /* inference uses its elements */
    return &tsr_build_close(b, op)->out[0];
}

bool hlo_matmul(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_type *elem = op->out[0].type->elem;
    TSR_TRY(all_ranked(op));
    tsr_value *lhs = tsr_build_convert(b, tsr_hlo_operand(op, 0), elem);
    tsr_value *rhs = tsr_build_convert(b, tsr_hlo_operand(op, 1), elem);
    out[0] = tsr_hlo_matmul(b, lhs, rhs, tsr_tessera_flag(op, TESSERA_MATMUL_rhs_transpose));
    return true;
}

/* ---- Softmax and norms ---- */

tsr_value *tsr_hlo_softmax(tsr_build *b, tsr_value *x, int64_t dim, bool guarded)
{
    b->anchor = x;
    tsr_value *most = tsr_hlo_reduce(b, TSR_OP_STABLEHLO_MAXIMUM, x, &dim, 1);
    if (guarded) {
        tsr_value *none = f_eqc(b, most, -INFINITY);
        most = f_selectc(b, none, 0, most);
    }
    tsr_value *e = f_exp(b, f_sub(b, x, tsr_hlo_repeat_along(b, most, x, dim)));
    tsr_value *sum = tsr_hlo_reduce(b, TSR_OP_STABLEHLO_ADD, e, &dim, 1);
    if (guarded)
        sum = f_selectc(b, f_eqc(b, sum, 0), 1, sum);
    return f_div(b, e, tsr_hlo_repeat_along(b, sum, e, dim));
}

bool hlo_softmax(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = tsr_hlo_operand(op, 0);
    TSR_TRY(all_ranked(op));
    tsr_type *elem = tsr_elem(x);
    int64_t dim = tsr_tessera_axis(tsr_tessera_int(op, TESSERA_SOFTMAX_axis, -1), x->type->n);
    tsr_value *y = tsr_hlo_softmax(b, tsr_build_convert(b, x, tsr_hlo_working(elem)), dim, false);
    out[0] = tsr_build_convert(b, y, elem);
    return true;
}

/* v broadcast to the shape of x, aligned at the end. */
static tsr_value *spread_to(tsr_build *b, tsr_value *v, tsr_value *x)
{
    tsr_i64_vec places = {0};
    for (uint32_t i = 0; i < v->type->n; i++)
        tsr_vec_push(&places, (int64_t)(x->type->n - v->type->n + i));
    bool same = v->type->n == x->type->n && tsr_type_has_static_shape(v->type) &&
                !memcmp(v->type->dims, x->type->dims, v->type->n * sizeof *v->type->dims);
    tsr_value *wide = same ? v : tsr_build_spread(b, v, places.data, x);
    tsr_vec_free(&places);
    return wide;
}

static tsr_value *mean_along(tsr_build *b, tsr_value *x, int64_t dim)
{
    tsr_value *sum = tsr_hlo_reduce(b, TSR_OP_STABLEHLO_ADD, x, &dim, 1);
    if (x->type->dims[dim] != TSR_DYNAMIC)
        return f_divc(b, sum, (double)(x->type->dims[dim] ? x->type->dims[dim] : 1));
    return f_div(b, sum, tsr_hlo_fill(b, tsr_hlo_size_scalar(b, x, dim, tsr_elem(x)), sum));
}

static bool norm(tsr_build *b, tsr_op *op, bool centred, tsr_value **out)
{
    TSR_TRY(all_ranked(op));
    tsr_value *given = tsr_hlo_operand(op, 0);
    tsr_type *elem = tsr_elem(given), *work = tsr_hlo_working(elem);
    tsr_value *x = tsr_build_convert(b, given, work);
    int64_t dim = x->type->n - 1;
    b->anchor = x;
    if (centred)
        x = f_sub(b, x, tsr_hlo_repeat_along(b, mean_along(b, x, dim), x, dim));
    tsr_value *power = f_addc(b, mean_along(b, f_square(b, x), dim), tsr_tessera_eps(op));
    tsr_value *by = tsr_build_op(b, TSR_OP_STABLEHLO_RSQRT, &power, 1, NULL);
    tsr_value *y = f_mul(b, x, tsr_hlo_repeat_along(b, by, x, dim));
    if (op->nin > 1)
        y = f_mul(b, y, spread_to(b, tsr_build_convert(b, tsr_hlo_operand(op, 1), work), y));
    if (op->nin > 2)
        y = f_add(b, y, spread_to(b, tsr_build_convert(b, tsr_hlo_operand(op, 2), work), y));
    out[0] = tsr_build_convert(b, y, elem);
    return true;
}

bool hlo_layer_norm(tsr_build *b, tsr_op *op, tsr_value **out)
{
    return norm(b, op, true, out);
}

bool hlo_rms_norm(tsr_build *b, tsr_op *op, tsr_value **out)
{
    return norm(b, op, false, out);
}

/* ---- Attention ---- */

static tsr_value *scaled(tsr_build *b, const tsr_op *op, tsr_value *q)
{
    const tsr_attr *scale = tsr_attr_of(op, TESSERA_FLASH_ATTENTION_scale);
    int64_t last = q->type->n - 1, d = q->type->dims[last];
    if (scale || d != TSR_DYNAMIC)
        return f_mulc(b, q, tsr_tessera_number(scale, d > 0 ? 1 / sqrt((double)d) : 1));
    tsr_value *size = tsr_hlo_size_scalar(b, q, last, tsr_elem(q));
    return f_mul(b, q, tsr_hlo_fill(b, tsr_build_op(b, TSR_OP_STABLEHLO_RSQRT, &size, 1, NULL), q));
}

/* Query i sees keys up to i + keys - queries. */
static tsr_value *causal(tsr_build *b, tsr_value *scores, double fill)
{
    int64_t rows = scores->type->n - 2, cols = rows + 1;
    tsr_value *i = tsr_build_iota(b, scores, b->ctx->i32, rows),
              *j = tsr_build_iota(b, scores, b->ctx->i32, cols);
    int64_t nq = scores->type->dims[rows], nk = scores->type->dims[cols];
    if (nq == TSR_DYNAMIC || nk == TSR_DYNAMIC) {
        tsr_value *more =
            f_sub(b, tsr_build_size(b, scores, cols), tsr_build_size(b, scores, rows));
        i = f_add(b, i,
                  tsr_hlo_fill(b, tsr_build_reshape(b, more, tsr_scalar_type(b->ctx->i32)), i));
    } else if (nk != nq) {
        i = f_addc(b, i, (double)(nk - nq));
    }
    return f_select(b, f_le(b, j, i), scores, f_const(b, scores, fill));
}

bool hlo_attention(tsr_build *b, tsr_op *op, tsr_value **out)
{
    TSR_TRY(all_ranked(op));
    tsr_type *elem = op->out[0].type->elem, *work = tsr_hlo_working(elem);
    tsr_value *in[3];
    for (uint32_t i = 0; i < 3; i++)
        in[i] = tsr_build_convert(b, tsr_hlo_operand(op, i), work);
    tsr_value *scores = tsr_hlo_matmul(b, scaled(b, op, in[0]), in[1], true);
    bool is_causal = tsr_tessera_flag(op, TESSERA_FLASH_ATTENTION_causal), guarded = op->nin > 3;
    int64_t last = scores->type->n - 1, nk = scores->type->dims[last],
            nq = scores->type->dims[last - 1];
    double fill = tsr_tessera_number(tsr_attr_of(op, TESSERA_FLASH_ATTENTION_fill), -INFINITY);
    b->anchor = scores;
    for (uint32_t i = 3; i < op->nin; i++) {
        tsr_value *mask = tsr_hlo_operand(op, i);
        if (tsr_type_is_integer(tsr_elem(mask), 1))
            scores = f_select(b, spread_to(b, mask, scores), scores, f_const(b, scores, fill));
        else
            scores = f_add(b, scores, spread_to(b, tsr_build_convert(b, mask, work), scores));
    }
    if (is_causal) {
        scores = causal(b, scores, fill);
        guarded |= nk == TSR_DYNAMIC || nq == TSR_DYNAMIC || nk < nq;
    }
    guarded &= tsr_tessera_safe(op);
    tsr_value *p = tsr_hlo_softmax(b, scores, last, guarded);
    out[0] = tsr_build_convert(b, tsr_hlo_matmul(b, p, in[2], false), elem);
    return true;
}

/* ---- Rotary embedding ---- */

/* Part 0 or 1 of v along its last dimension: a half, or every second element. */
static tsr_value *half(tsr_build *b, tsr_value *v, int part, bool interleaved)
{
    int64_t dim = v->type->n - 1, n = v->type->dims[dim];
    if (!interleaved)
        return tsr_build_slice(b, v, dim, part ? n / 2 : 0, part ? n : n / 2);
    tsr_i64_vec dims = {0};
    for (int64_t i = 0; i < dim; i++)
        tsr_vec_push(&dims, v->type->dims[i]);
    tsr_vec_push(&dims, n / 2);
    tsr_type *narrow = tsr_type_tensor(b->ctx, dims.data, dims.n, tsr_elem(v), NULL);
    tsr_vec_push(&dims, 2);
    tsr_type *pairs = tsr_type_tensor(b->ctx, dims.data, dims.n, tsr_elem(v), NULL);
    tsr_vec_free(&dims);
    v = tsr_build_slice(b, tsr_build_reshape(b, v, pairs), dim + 1, part, part + 1);
    return tsr_build_reshape(b, v, narrow);
}

/* Joins the two parts again. */
static tsr_value *join_halves(tsr_build *b, tsr_value **y, bool interleaved, tsr_type *type)
{
    int64_t dim = type->n - 1;
    for (int i = 0; i < 2 && interleaved; i++)
        y[i] = tsr_build_add_dim(b, y[i], dim + 1);
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_CONCATENATE, y, 2, 1, 0);
    op->attrs[STABLEHLO_CONCATENATE_dimension] = tsr_attr_i64(b->ctx, dim + interleaved);
    tsr_value *v = &tsr_build_close(b, op)->out[0];
    return interleaved ? tsr_build_reshape(b, v, tsr_hlo_with_element(type, tsr_elem(v))) : v;
}

bool hlo_rotary(tsr_build *b, tsr_op *op, tsr_value **out)
{
    TSR_TRY(all_ranked(op));
    bool interleaved = tsr_tessera_flag(op, TESSERA_ROTARY_interleaved);
    tsr_value *given = tsr_hlo_operand(op, 0), *x[2], *angle[2][2], *y[2];
    tsr_type *elem = tsr_elem(given), *work = tsr_hlo_working(elem);
    for (uint32_t i = 0; i < 3; i++)
        if (!tsr_type_has_static_shape(tsr_hlo_operand(op, i)->type))
            return tsr_hlo_cannot(op, "a size is not known");
    tsr_value *wide = tsr_build_convert(b, given, work);
    for (int i = 0; i < 2; i++)
        x[i] = half(b, wide, i, interleaved);
    for (uint32_t k = 0; k < 2; k++) {
        tsr_value *v = tsr_build_convert(b, tsr_hlo_operand(op, k + 1), work);
        bool whole = v->type->dims[v->type->n - 1] == wide->type->dims[wide->type->n - 1];
        for (int i = 0; i < 2; i++)
            angle[k][i] = spread_to(b, whole ? half(b, v, i, interleaved) : v, x[0]);
    }
    y[0] = f_sub(b, f_mul(b, x[0], angle[0][0]), f_mul(b, x[1], angle[1][0]));
    y[1] = f_add(b, f_mul(b, x[1], angle[0][1]), f_mul(b, x[0], angle[1][1]));
    out[0] = tsr_build_convert(b, join_halves(b, y, interleaved, given->type), elem);
    if (!tsr_type_has_static_shape(op->out[0].type)) /* a reshape needs a static result shape */
        out[0] =
            tsr_build_op(b, TSR_OP_STABLEHLO_CONVERT, out, 1, tsr_tessera_plain(op->out[0].type));
    return true;
}

/* ---- Embedding ---- */

bool hlo_embedding(tsr_build *b, tsr_op *op, tsr_value **out)
{
    TSR_TRY(all_ranked(op));
    tsr_value *table = tsr_hlo_operand(op, 0), *at = tsr_hlo_operand(op, 1);
    int64_t rank = at->type->n;
    tsr_i64_vec offsets = {0}, sizes = {0};
    tsr_value_vec values = {0};
    bool known = true;
    for (uint32_t i = 0; i < table->type->n; i++) {
        if (i)
            tsr_vec_push(&offsets, rank + i - 1);
        tsr_vec_push(&sizes, i ? table->type->dims[i] : 1);
        known &= sizes.data[i] != TSR_DYNAMIC;
    }
    tsr_gather numbers = {.window = tsr_ints_over(offsets.data, offsets.n),
                          .dropped = tsr_ints_from(0, 1),
                          .map = tsr_ints_from(0, 1),
                          .vector = rank};
    tsr_attr *how = tsr_gather_attr(b->ctx, &numbers);
    if (known) {
        tsr_value *in[] = {table, at};
        tsr_op *g = tsr_build_open(b, TSR_OP_STABLEHLO_GATHER, in, 2, 1, 0);
        g->attrs[STABLEHLO_GATHER_dimension_numbers] = how;
        g->attrs[STABLEHLO_GATHER_slice_sizes] = tsr_attr_i64_array(b->ctx, sizes.data, sizes.n);
        out[0] = &tsr_build_close(b, g)->out[0];
    } else {
        for (uint32_t i = 0; i < table->type->n; i++)
            tsr_vec_push(&values, i ? tsr_build_size(b, table, i) : tsr_build_size_const(b, 1));
        tsr_value *in[] = {table, at, tsr_build_join(b, values.data, values.n)};
        tsr_op *g = tsr_build_open(b, TSR_OP_STABLEHLO_DYNAMIC_GATHER, in, 3, 1, 0);
        g->attrs[STABLEHLO_DYNAMIC_GATHER_dimension_numbers] = how;
        tsr_type *type = tsr_tessera_plain(op->out[0].type);
        out[0] = &tsr_build_close_as(b, g, &type)->out[0];
    }
    tsr_vec_free(&offsets);
    tsr_vec_free(&sizes);
    tsr_vec_free(&values);
    return true;
}
