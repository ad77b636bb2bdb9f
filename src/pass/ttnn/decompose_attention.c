/* SPDX-License-Identifier: Apache-2.0 */
/* decompose_attention.c - ttnn-decomposition: decomposes attention into products, masks and softmax. */
#include <math.h>

#include "pass/ttnn/nn.h"

static tsr_value *full(tsr_nn *n, tsr_type *type, double x)
{
    return tsr_nn_full(&n->b, n->op, type, tsr_ttir_f32(n->b.ctx, x));
}

static tsr_value *where(tsr_nn *n, tsr_value *p, tsr_value *a, tsr_value *b)
{
    tsr_value *in[] = {p, a, b};
    return tsr_ttir_op(&n->b, TSR_OP_TTNN_WHERE, in, 3, a->type);
}

/* 0, 1, .. along one of four dimensions. */
static tsr_value *places(tsr_nn *n, const tsr_type *like, int64_t count, size_t dim)
{
    tsr_type *si64 = tsr_type_integer(n->b.ctx, 64, TSR_SIGNED),
             *type = tsr_ttnn_reshaped(like, &count, 1);
    tsr_value *device = tsr_ttnn_on_device(like) ? tsr_ttnn_device(&n->b, n->op) : NULL;
    tsr_op *op = tsr_ttir_open(&n->b, TSR_OP_TTNN_ARANGE, &device, device != NULL, 1);
    op->attrs[TTNN_ARANGE_start] = tsr_attr_int(n->b.ctx, si64, 0);
    op->attrs[TTNN_ARANGE_end] = tsr_attr_int(n->b.ctx, si64, count);
    op->attrs[TTNN_ARANGE_step] = tsr_attr_int(n->b.ctx, si64, 1);
    int64_t dims[] = {1, 1, 1, 1};
    dims[dim] = count;
    return tsr_nn_reshape(&n->b, tsr_ttir_close(&n->b, op, type), dims, 4);
}

static double scale_of(const tsr_op *op, const tsr_type *query)
{
    const tsr_attr *scale = op->attrs[tsr_opdef_slot(op->def, TSR_STR("scale"))];
    return scale ? tsr_float_to_double(TSR_F32, (uint64_t)scale->i)
                 : (double)(1.0f / sqrtf((float)query->dims[query->n - 1]));
}

static const tsr_attr *window_of(const tsr_op *op)
{
    return op->attrs[tsr_opdef_slot(op->def, TSR_STR("sliding_window_size"))];
}

/* Minus infinity where a row does not see a column. */
static tsr_value *mask(tsr_nn *n, const tsr_type *query, int64_t rows, int64_t columns)
{
    const tsr_attr *window = window_of(n->op);
    bool causal = n->op->attrs[TTNN_SCALED_DOT_PRODUCT_ATTENTION_is_causal]->i != 0;
    const tsr_type *like = tsr_ttnn_retyped(query, TSR_TT_F32);
    const int64_t dims[] = {1, 1, rows, columns};
    tsr_type *type = tsr_ttnn_reshaped(like, dims, 4);
    tsr_value *row = places(n, like, rows, 2), *column = places(n, like, columns, 3), *out;
    if (!window) {
        tsr_value *hidden = tsr_nn_binary(&n->b, TSR_OP_TTNN_GT, column, row, type);
        tsr_value *zero = full(n, type, 0), *never = full(n, type, -INFINITY);
        out = where(n, hidden, never, zero);
    } else {
        tsr_value *gap = tsr_nn_binary(&n->b, TSR_OP_TTNN_SUBTRACT, row, column, type);
        tsr_value *zero = full(n, type, 0), *never = full(n, type, -INFINITY);
        double half = (double)(window->i / 2);
        tsr_value *low =
            tsr_nn_binary(&n->b, TSR_OP_TTNN_LT, gap, causal ? zero : full(n, type, -half), type);
        tsr_value *high = tsr_nn_binary(&n->b, causal ? TSR_OP_TTNN_GE : TSR_OP_TTNN_GT, gap,
                                        full(n, type, causal ? (double)window->i : half), type);
        out = where(n, low, never, where(n, high, never, zero));
    }
    return tsr_nn_unary(&n->b, TSR_OP_TTNN_TYPECAST, out, tsr_ttnn_reshaped(query, dims, 4));
}

/* Repeats heads of keys and values for each head of queries. */
static tsr_value *spread_heads(tsr_nn *n, tsr_value *v, int64_t heads)
{
    const int64_t dims[] = {v->type->dims[0], heads, v->type->dims[2], v->type->dims[3]};
    if (v->type->dims[1] == heads)
        return v;
    tsr_op *op = tsr_ttir_open(&n->b, TSR_OP_TTNN_REPEAT_INTERLEAVE, &v, 1, 1);
    tsr_ttnn_set(op, "repeats", tsr_ttir_ui32(n->b.ctx, heads / v->type->dims[1]));
    tsr_ttnn_set(op, "dim", tsr_ttir_si32(n->b.ctx, 1));
    return tsr_ttir_close(&n->b, op, tsr_ttnn_reshaped(v->type, dims, 4));
}

static tsr_value *transposed(tsr_nn *n, tsr_value *v)
{
    const int64_t *d = v->type->dims, dims[] = {d[0], d[1], d[3], d[2]};
    tsr_op *op = tsr_ttir_open(&n->b, TSR_OP_TTNN_TRANSPOSE, &v, 1, 1);
    tsr_ttnn_set(op, "dim0", tsr_ttir_si32(n->b.ctx, -2));
    tsr_ttnn_set(op, "dim1", tsr_ttir_si32(n->b.ctx, -1));
    return tsr_ttir_close(&n->b, op, tsr_ttnn_reshaped(v->type, dims, 4));
}

static tsr_value *softmax(tsr_nn *n, tsr_value *v)
{
    tsr_op *op = tsr_ttir_open(&n->b, TSR_OP_TTNN_SOFTMAX, &v, 1, 1);
    tsr_ttnn_set(op, "dimension", tsr_ttir_si32(n->b.ctx, -1));
    tsr_ttnn_set(op, "numericStable", tsr_attr_bool(n->b.ctx, true));
    return tsr_ttir_close(&n->b, op, v->type);
}

/* Adds columns that take part of the weight and contribute nothing. */
static tsr_value *with_sink(tsr_nn *n, tsr_value *scores, tsr_value *sink, tsr_value *scale)
{
    const int64_t *d = scores->type->dims;
    int64_t width = sink->type->dims[sink->type->n - 1];
    const int64_t dims[] = {d[0], d[1], d[2], width}, times[] = {d[0], 1, d[2], 1},
                  both[] = {d[0], d[1], d[2], d[3] + width};
    sink = tsr_nn_binary(&n->b, TSR_OP_TTNN_MULTIPLY, sink, scale, NULL);
    if (!tsr_ttir_shape_is(sink, dims, 4)) {
        tsr_type *type = tsr_ttnn_reshaped(scores->type, dims, 4);
        sink = tsr_nn_repeat(&n->b, sink, times);
        sink->type = type;
    }
    tsr_value *in[] = {scores, sink};
    tsr_op *op = tsr_ttir_open(&n->b, TSR_OP_TTNN_CONCAT, in, 2, 1);
    op->attrs[TTNN_CONCAT_dim] = tsr_ttir_si32(n->b.ctx, -1);
    return tsr_ttir_close(&n->b, op, tsr_ttnn_reshaped(scores->type, both, 4));
}

/* scaled_dot_product_attention: softmax(scale * q k' + mask) v */
bool rule_nn_attention(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *q = tsr_rw_in(op, 0), *k = tsr_rw_in(op, 1), *v = tsr_rw_in(op, 2),
              *given = tsr_ttnn_operand(op, "attention_mask"),
              *sink = tsr_ttnn_operand(op, "attention_sink");
    const int64_t *d = q->type->dims;
    if (q->type->n != 4 || k->type->n != 4 || v->type->n != 4 || !k->type->dims[1] ||
        d[1] % k->type->dims[1] || (sink && sink->type->n != 4))
        return false;
    static const int64_t ones[] = {1, 1, 1, 1};
    int64_t rows = d[2], columns = k->type->dims[2];
    const int64_t sizes[] = {d[0], d[1], rows, columns}, heads[] = {1, d[1], 1, 1};
    tsr_type *type = tsr_ttnn_reshaped(q->type, sizes, 4);
    tsr_nn n = tsr_nn_at(r, op);
    k = spread_heads(&n, k, d[1]);
    v = spread_heads(&n, v, d[1]);
    tsr_value *scores = tsr_nn_matmul(&n.b, q, transposed(&n, k), false, type);
    tsr_value *scale = full(&n, tsr_ttnn_reshaped(q->type, ones, 4), scale_of(op, q->type));
    scores = tsr_nn_binary(&n.b, TSR_OP_TTNN_MULTIPLY, scores, scale, type);
    if (given) {
        if (given->type->n == 4 && given->type->dims[1] == 1 && d[1] > 1)
            given = tsr_nn_repeat(&n.b, given, heads);
        scores = tsr_nn_binary(&n.b, TSR_OP_TTNN_ADD, scores, given, type);
    }
    if (window_of(op) || (!given && op->attrs[TTNN_SCALED_DOT_PRODUCT_ATTENTION_is_causal]->i))
        scores =
            tsr_nn_binary(&n.b, TSR_OP_TTNN_ADD, scores, mask(&n, q->type, rows, columns), type);
    if (sink)
        scores = with_sink(&n, scores, sink, scale);
    tsr_value *weights = softmax(&n, scores);
    if (sink)
        weights = tsr_nn_slice_dim(&n.b, weights, 3, 0, columns);
    tsr_value *out = tsr_nn_matmul(&n.b, weights, v, false, tsr_ttnn_reshaped(q->type, d, 4));
    out->type = op->out[0].type;
    return tsr_nn_becomes(&n, out);
}

/* ---- Decoding ---- */

/* The current position of each user, in four dimensions, in this data type. */
static tsr_value *position(tsr_nn *n, int64_t batch, tsr_tt_data_type type)
{
    const int64_t dims[] = {batch, 1, 1, 1};
    tsr_value *at = tsr_nn_reshape(&n->b, tsr_ttnn_operand(n->op, "cur_pos_tensor"), dims, 4);
    return tsr_nn_typecast(&n->b, at, type);
}

/* Hides keys after the current position. */
static tsr_value *seen_so_far(tsr_nn *n, const tsr_type *query, int64_t batch, int64_t columns)
{
    const int64_t dims[] = {batch, 1, 1, columns};
    tsr_type *type = tsr_ttnn_reshaped(query, dims, 4);
    tsr_value *at = position(n, batch, tsr_ttnn_data_type(query));
    tsr_value *hidden =
        tsr_nn_binary(&n->b, TSR_OP_TTNN_GT, places(n, query, columns, 3), at, type);
    tsr_value *zero = full(n, type, 0), *never = full(n, type, -INFINITY);
    return where(n, hidden, never, zero);
}

/* Hides keys farther back than a window. */
static tsr_value *in_window(tsr_nn *n, const tsr_type *like, int64_t batch, int64_t columns,
                            bool anchored)
{
    int64_t window = window_of(n->op)->i;
    const int64_t dims[] = {anchored ? batch : 1, 1, 1, columns};
    tsr_type *type = tsr_ttnn_reshaped(like, dims, 4);
    tsr_value *column = places(n, like, columns, 3);
    tsr_value *zero = full(n, type, 0), *never = full(n, type, -INFINITY);
    if (!anchored) {
        tsr_value *start = full(n, type, (double)(columns - window - 1));
        return where(n, tsr_nn_binary(&n->b, TSR_OP_TTNN_GT, column, start, type), zero, never);
    }
    tsr_value *at = position(n, batch, tsr_ttnn_data_type(like));
    tsr_value *start =
        tsr_nn_binary(&n->b, TSR_OP_TTNN_ADD, at, full(n, at->type, -(double)window), NULL);
    tsr_value *above =
        where(n, tsr_nn_binary(&n->b, TSR_OP_TTNN_GT, column, at, type), never, zero);
    tsr_value *below =
        where(n, tsr_nn_binary(&n->b, TSR_OP_TTNN_GT, column, start, type), zero, never);
    return tsr_nn_binary(&n->b, TSR_OP_TTNN_ADD, above, below, NULL);
}

static tsr_value *decode_mask(tsr_nn *n, const tsr_type *query, int64_t columns)
{
    static const int64_t order[] = {0, 2, 1, 3};
    const tsr_op *op = n->op;
    int64_t batch = query->dims[1];
    bool anchored = op->attrs[TTNN_SCALED_DOT_PRODUCT_ATTENTION_DECODE_is_causal]->i &&
                    tsr_ttnn_operand(op, "cur_pos_tensor");
    tsr_value *out = tsr_ttnn_operand(op, "attention_mask");
    if (out) { /* added to scaled scores, as everywhere */
        out = tsr_nn_permute(&n->b, out, order);
    } else if (anchored && !window_of(op)) {
        out = seen_so_far(n, query, batch, columns);
    }
    if (window_of(op)) {
        tsr_value *more = in_window(n, out ? out->type : query, batch, columns, anchored);
        out = out ? tsr_nn_binary(&n->b, TSR_OP_TTNN_ADD, out, more, NULL) : more;
    }
    return out;
}

static tsr_value *decode_sink(tsr_nn *n)
{
    tsr_value *sink = tsr_ttnn_operand(n->op, "attention_sink");
    if (!sink || sink->type->n != 2)
        return sink;
    const int64_t dims[] = {1, sink->type->dims[0], 1, sink->type->dims[1]};
    return tsr_nn_slice_dim(&n->b, tsr_nn_reshape(&n->b, sink, dims, 4), 3, 0, 1);
}

/* scaled_dot_product_attention_decode: attention of one row */
bool rule_nn_decode(tsr_rewriter *r, tsr_op *op)
{
    static const int64_t there[] = {1, 2, 0, 3}, back[] = {2, 0, 1, 3};
    tsr_value *q = tsr_rw_in(op, 0), *k = tsr_rw_in(op, 1), *given;
    given = tsr_ttnn_operand(op, "attention_mask");
    if (q->type->n != 4 || k->type->n != 4 || (given && given->type->n != 4))
        return false;
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *row = tsr_nn_permute(&n.b, q, there);
    tsr_value *hidden = decode_mask(&n, q->type, k->type->dims[2]), *sink = decode_sink(&n);
    tsr_value *in[5] = {row, k, tsr_rw_in(op, 2)};
    size_t nin = 3;
    if (hidden)
        in[nin++] = hidden;
    if (sink)
        in[nin++] = sink;
    const int32_t sizes[] = {1, 1, 1, hidden != NULL, sink != NULL};
    tsr_op *made = tsr_ttir_open(&n.b, TSR_OP_TTNN_SCALED_DOT_PRODUCT_ATTENTION, in, nin, 1);
    made->attrs[TTNN_SCALED_DOT_PRODUCT_ATTENTION_is_causal] = tsr_attr_bool(r->ctx, false);
    made->attrs[TTNN_SCALED_DOT_PRODUCT_ATTENTION_scale] =
        op->attrs[TTNN_SCALED_DOT_PRODUCT_ATTENTION_DECODE_scale];
    tsr_ttnn_set(made, "operandSegmentSizes", tsr_attr_dense_array(r->ctx, r->ctx->i32, sizes, 5));
    tsr_value *out = tsr_nn_permute(&n.b, tsr_ttir_close(&n.b, made, row->type), back);
    out->type = op->out[0].type;
    return tsr_nn_becomes(&n, out);
}
