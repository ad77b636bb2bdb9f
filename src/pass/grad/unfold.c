/* SPDX-License-Identifier: Apache-2.0 */
/* unfold.c - expresses ops in terms of others before they are differentiated: einsum, index_select, asynchronous ops,
 * dynamic ops whose sizes are constants, and ops that only have a lowering. */
#include "pass/grad/grad.h"

static tsr_unfolded failed(const tsr_op *op, const char *why)
{
    tsr_grad_none(op, why);
    return TSR_UNFOLD_FAILED;
}

/* CHLO's ops that are lowered before the function is differentiated (function.c); only those that could not be lowered
 * get here. */
tsr_unfolded unfold_lowered(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g, (void)b, (void)out;
    return failed(op, "it has no rule, and was not lowered");
}

/* ---- einsum ---- */

/* One letter per dimension. */
typedef struct {
    const char *s;
    size_t n;
} labels;

static bool has(labels l, char c)
{
    return l.n && memchr(l.s, c, l.n) != NULL;
}

static int64_t place(labels l, char c)
{
    for (size_t i = 0; i < l.n; i++)
        if (l.s[i] == c)
            return (int64_t)i;
    return -1;
}

static bool all_once(labels l)
{
    for (size_t i = 0; i < l.n; i++)
        for (size_t k = 0; k < i; k++)
            if (l.s[i] == l.s[k])
                return false;
    return true;
}

/* "ab,bc->ac"; in[1] is empty without a comma. False: not of this form (dots, spaces, repeated letters). */
static bool read_config(tsr_str text, labels in[2], labels *out)
{
    const char *arrow = NULL, *comma = NULL, *end = text.data + text.len;
    for (const char *p = text.data; p < end; p++) {
        if (*p == '-' && p + 1 < end && p[1] == '>' && !arrow)
            arrow = p++;
        else if (*p == ',' && !comma && !arrow)
            comma = p;
        else if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z')))
            return false;
    }
    if (!arrow)
        return false;
    const char *first = comma ? comma : arrow;
    in[0] = (labels){text.data, (size_t)(first - text.data)};
    in[1] = comma ? (labels){comma + 1, (size_t)(arrow - comma - 1)} : (labels){arrow, 0};
    *out = (labels){arrow + 2, (size_t)(end - arrow - 2)};
    return all_once(in[0]) && all_once(in[1]) && all_once(*out);
}

/* Sums over dimensions whose letters are neither in a nor in b; letters: the remaining ones. */
static tsr_value *sum_alone(tsr_build *b, tsr_value *v, labels mine, labels a, labels c,
                            tsr_buf *letters)
{
    tsr_i64_vec dims = {0};
    for (size_t i = 0; i < mine.n; i++) {
        if (has(a, mine.s[i]) || has(c, mine.s[i]))
            tsr_buf_char(letters, mine.s[i]);
        else
            tsr_vec_push(&dims, (int64_t)i);
    }
    v = tsr_grad_sum(b, v, dims.data, dims.n);
    tsr_vec_free(&dims);
    return v;
}

/* v, whose dimensions have these letters, transposed to the order of out. */
static tsr_value *in_order(tsr_build *b, tsr_value *v, labels letters, labels out)
{
    tsr_i64_vec perm = {0};
    for (size_t i = 0; i < out.n; i++)
        tsr_vec_push(&perm, place(letters, out.s[i]));
    v = tsr_grad_transpose(b, v, perm.data);
    tsr_vec_free(&perm);
    return v;
}

static tsr_value *einsum2(tsr_build *b, tsr_value *x, tsr_value *y, labels l, labels r, labels out)
{
    tsr_i64_vec dims[4] = {{0}}, size = {0};
    tsr_buf order = {0};
    for (size_t i = 0; i < l.n; i++)
        if (has(r, l.s[i])) {
            size_t kind = has(out, l.s[i]) ? 0 : 2;
            tsr_vec_push(&dims[kind], (int64_t)i);
            tsr_vec_push(&dims[kind + 1], place(r, l.s[i]));
            if (!kind) {
                tsr_buf_char(&order, l.s[i]);
                tsr_vec_push(&size, x->type->dims[i]);
            }
        }
    for (size_t i = 0; i < l.n; i++)
        if (!has(r, l.s[i])) {
            tsr_buf_char(&order, l.s[i]);
            tsr_vec_push(&size, x->type->dims[i]);
        }
    for (size_t i = 0; i < r.n; i++)
        if (!has(l, r.s[i])) {
            tsr_buf_char(&order, r.s[i]);
            tsr_vec_push(&size, y->type->dims[i]);
        }
    tsr_dot d = {
        .batch = {tsr_ints_over(dims[0].data, dims[0].n), tsr_ints_over(dims[1].data, dims[1].n)},
        .contract = {tsr_ints_over(dims[2].data, dims[2].n),
                     tsr_ints_over(dims[3].data, dims[3].n)}};
    tsr_value *in[] = {x, y};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_DOT_GENERAL, in, 2, 1, 0);
    op->attrs[STABLEHLO_DOT_GENERAL_dot_dimension_numbers] = tsr_dot_attr(b->ctx, &d);
    tsr_type *type = tsr_type_tensor(b->ctx, size.data, size.n, tsr_elem(x), NULL);
    tsr_value *v = in_order(b, &tsr_build_close_as(b, op, &type)->out[0],
                            (labels){order.data, order.len}, out);
    for (int i = 0; i < 4; i++)
        tsr_vec_free(&dims[i]);
    tsr_vec_free(&size);
    tsr_buf_free(&order);
    return v;
}

static tsr_unfolded einsum(tsr_op *op, tsr_build *b, tsr_str config, tsr_value **out)
{
    labels in[2], to;
    tsr_buf left = {0}, right = {0};
    if (!read_config(config, in, &to) || in[0].n != tsr_hlo_in(op, 0)->n ||
        to.n != op->out[0].type->n || (op->nin == 2) != (in[1].s[0] != '-') ||
        (op->nin == 2 && in[1].n != tsr_hlo_in(op, 1)->n))
        return failed(op, "its configuration has more than letters");
    for (size_t i = 0; i < to.n; i++)
        if (!has(in[0], to.s[i]) && !has(in[1], to.s[i]))
            return failed(op, "its configuration has a result letter that no operand has");
    tsr_value *x = sum_alone(b, tsr_grad_in(op, 0), in[0], in[1], to, &left);
    labels l = {left.data, left.len};
    if (op->nin == 2) {
        tsr_value *y = sum_alone(b, tsr_grad_in(op, 1), in[1], in[0], to, &right);
        out[0] = einsum2(b, x, y, l, (labels){right.data, right.len}, to);
    } else {
        out[0] = in_order(b, x, l, to);
    }
    tsr_buf_free(&left);
    tsr_buf_free(&right);
    return TSR_UNFOLD_DONE;
}

tsr_unfolded unfold_einsum(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g;
    return einsum(op, b, tsr_attr_of(op, STABLEHLO_EINSUM_einsum_config)->s, out);
}

tsr_unfolded unfold_unary_einsum(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g;
    return einsum(op, b, tsr_attr_of(op, STABLEHLO_UNARY_EINSUM_einsum_config)->s, out);
}

/* ---- torch_index_select: a gather along one dimension ---- */

tsr_unfolded unfold_torch_index_select(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g;
    tsr_value *x = tsr_grad_in(op, 0), *index = tsr_grad_in(op, 1);
    int64_t dim = tsr_attr_of(op, STABLEHLO_TORCH_INDEX_SELECT_dim)->i;
    int64_t batch = tsr_attr_of(op, STABLEHLO_TORCH_INDEX_SELECT_batch_dims)->i, rank = x->type->n;
    dim += dim < 0 ? rank : 0;
    batch += batch < 0 ? index->type->n : 0;
    if (!tsr_type_has_static_shape(x->type) || !tsr_type_has_static_shape(index->type) ||
        dim < batch || dim >= rank || batch < 0 || batch > index->type->n)
        return failed(op, "its dimensions are not known");
    tsr_i64_vec offset = {0}, lead = {0}, size = {0};
    for (int64_t i = 0; i < batch; i++)
        tsr_vec_push(&lead, i);
    for (int64_t i = 0; i < rank; i++)
        tsr_vec_push(&size, i < batch || i == dim ? 1 : x->type->dims[i]);
    for (int64_t i = batch; i < rank; i++)
        if (i != dim)
            tsr_vec_push(&offset, i < dim ? i : i + index->type->n - batch - 1);
    tsr_ints first = tsr_ints_over(lead.data, lead.n), along = tsr_ints_over(&dim, 1);
    tsr_gather n = {.window = tsr_ints_over(offset.data, offset.n),
                    .dropped = along,
                    .batch = first,
                    .index_batch = first,
                    .map = along,
                    .vector = index->type->n};
    tsr_value *in[] = {x, index};
    tsr_op *made = tsr_build_open(b, TSR_OP_STABLEHLO_GATHER, in, 2, 1, 0);
    made->attrs[STABLEHLO_GATHER_dimension_numbers] = tsr_gather_attr(b->ctx, &n);
    made->attrs[STABLEHLO_GATHER_slice_sizes] = tsr_grad_list(b, size.data, size.n);
    out[0] = &tsr_build_close_as(b, made, &op->out[0].type)->out[0];
    tsr_vec_free(&offset);
    tsr_vec_free(&lead);
    tsr_vec_free(&size);
    return TSR_UNFOLD_DONE;
}

/* ---- Asynchronous ops: the body is placed where its result is awaited ---- */

tsr_unfolded unfold_async_done(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    tsr_value *future = tsr_grad_in(op, 0);
    if (future->is_arg || !tsr_op_is(future->op, TSR_OP_STABLEHLO_ASYNC_START))
        return failed(op, "what it waits for is not started here");
    tsr_op *start = future->op;
    tsr_block *body = start->regions[0].first;
    tsr_mapping map = {0};
    for (uint32_t i = 0; i < body->nargs; i++)
        tsr_mapping_put(&map, body->args[i], tsr_grad_in(start, i));
    TSR_BLOCK_OPS (body, inner) {
        if (inner != body->last)
            tsr_op_insert(tsr_op_clone(g->b.module, inner, &map), b->block, b->at);
        else if (inner->nin == 1)
            out[0] = tsr_mapping_get(&map, tsr_grad_in(inner, 0));
    }
    tsr_mapping_free(&map);
    return out[0] ? TSR_UNFOLD_DONE : failed(op, "it has several results");
}

/* ---- Dynamic ops whose sizes are constants ---- */

/* An operand as an attribute of another op: array<i64>; NULL if it is not a constant. */
static tsr_attr *constant_list(tsr_build *b, const tsr_value *v)
{
    tsr_i64_vec values = {0};
    tsr_attr *a = tsr_hlo_const_ints(v, &values) ? tsr_grad_list(b, values.data, values.n) : NULL;
    tsr_vec_free(&values);
    return a;
}

static tsr_unfolded place_op(tsr_build *b, tsr_op *op, tsr_op *made, tsr_value **out)
{
    out[0] = &tsr_build_close_as(b, made, &op->out[0].type)->out[0];
    return TSR_UNFOLD_DONE;
}

tsr_unfolded unfold_real_dynamic_slice(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g;
    tsr_value *x = tsr_grad_in(op, 0);
    tsr_op *made = tsr_build_open(b, TSR_OP_STABLEHLO_SLICE, &x, 1, 1, 0);
    int slots[] = {STABLEHLO_SLICE_start_indices, STABLEHLO_SLICE_limit_indices,
                   STABLEHLO_SLICE_strides};
    for (uint32_t i = 0; i < 3; i++)
        if (!(made->attrs[slots[i]] = constant_list(b, tsr_grad_in(op, i + 1)))) {
            tsr_op_erase(made);
            return failed(op, "sizes are not known");
        }
    return place_op(b, op, made, out);
}

tsr_unfolded unfold_dynamic_pad(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g;
    tsr_value *in[] = {tsr_grad_in(op, 0), tsr_grad_in(op, 1)};
    tsr_op *made = tsr_build_open(b, TSR_OP_STABLEHLO_PAD, in, 2, 1, 0);
    int slots[] = {STABLEHLO_PAD_edge_padding_low, STABLEHLO_PAD_edge_padding_high,
                   STABLEHLO_PAD_interior_padding};
    for (uint32_t i = 0; i < 3; i++)
        if (!(made->attrs[slots[i]] = constant_list(b, tsr_grad_in(op, i + 2)))) {
            tsr_op_erase(made);
            return failed(op, "sizes are not known");
        }
    return place_op(b, op, made, out);
}

tsr_unfolded unfold_dynamic_gather(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g;
    tsr_attr *sizes = constant_list(b, tsr_grad_in(op, 2));
    if (!sizes)
        return failed(op, "sizes are not known");
    tsr_value *in[] = {tsr_grad_in(op, 0), tsr_grad_in(op, 1)};
    tsr_op *made = tsr_build_open(b, TSR_OP_STABLEHLO_GATHER, in, 2, 1, 0);
    made->attrs[STABLEHLO_GATHER_dimension_numbers] =
        tsr_attr_of(op, STABLEHLO_DYNAMIC_GATHER_dimension_numbers);
    made->attrs[STABLEHLO_GATHER_indices_are_sorted] =
        tsr_attr_of(op, STABLEHLO_DYNAMIC_GATHER_indices_are_sorted);
    made->attrs[STABLEHLO_GATHER_slice_sizes] = sizes;
    return place_op(b, op, made, out);
}

tsr_unfolded unfold_dynamic_conv(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g;
    tsr_i64_vec values = {0};
    const tsr_type *pad = tsr_hlo_in(op, 2);
    if (!tsr_hlo_const_ints(tsr_grad_in(op, 2), &values) || !tsr_type_has_static_shape(pad)) {
        tsr_vec_free(&values);
        return failed(op, "its padding is not known");
    }
    tsr_value *in[] = {tsr_grad_in(op, 0), tsr_grad_in(op, 1)};
    tsr_op *made = tsr_build_open(b, TSR_OP_STABLEHLO_CONVOLUTION, in, 2, 1, 0);
    static const int slots[][2] = {
        {STABLEHLO_CONVOLUTION_window_strides, STABLEHLO_DYNAMIC_CONV_window_strides},
        {STABLEHLO_CONVOLUTION_lhs_dilation, STABLEHLO_DYNAMIC_CONV_lhs_dilation},
        {STABLEHLO_CONVOLUTION_rhs_dilation, STABLEHLO_DYNAMIC_CONV_rhs_dilation},
        {STABLEHLO_CONVOLUTION_window_reversal, STABLEHLO_DYNAMIC_CONV_window_reversal},
        {STABLEHLO_CONVOLUTION_dimension_numbers, STABLEHLO_DYNAMIC_CONV_dimension_numbers},
        {STABLEHLO_CONVOLUTION_feature_group_count, STABLEHLO_DYNAMIC_CONV_feature_group_count},
        {STABLEHLO_CONVOLUTION_batch_group_count, STABLEHLO_DYNAMIC_CONV_batch_group_count},
        {STABLEHLO_CONVOLUTION_precision_config, STABLEHLO_DYNAMIC_CONV_precision_config},
    };
    for (size_t i = 0; i < TSR_COUNT(slots); i++)
        made->attrs[slots[i][0]] = op->attrs[slots[i][1]];
    tsr_type *type = tsr_static_type(b->ctx, pad->dims, pad->n, b->ctx->i64);
    bool splat = true;
    for (size_t i = 1; i < values.n; i++)
        splat &= values.data[i] == values.data[0];
    splat &= values.n > 0;
    made->attrs[STABLEHLO_CONVOLUTION_padding] = tsr_attr_dense(
        b->ctx, b->module, type, values.data, (splat ? 1 : values.n) * sizeof(int64_t), splat);
    tsr_vec_free(&values);
    return place_op(b, op, made, out);
}

/* Its results are unpacked where they are awaited. */
tsr_unfolded unfold_async_start(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g, (void)op, (void)b, (void)out;
    return TSR_UNFOLD_KEEP;
}
