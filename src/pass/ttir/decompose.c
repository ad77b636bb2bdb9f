/* SPDX-License-Identifier: Apache-2.0 */
/* decompose.c - ttir-to-ttir-decomposition: replaces ops that few targets have by others. This file: shapes and
 * layouts; decompose_rank.c has ops that need four dimensions, decompose_quant.c ops with quantized types. */
#include "pass/ttir/tt.h"

/* index -> slice_static */
bool rule_tt_index_slice(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *v = tsr_rw_in(op, 0);
    int64_t begins[TSR_TTIR_RANK] = {0}, ends[TSR_TTIR_RANK], steps[TSR_TTIR_RANK];
    size_t dim;
    if (!tsr_ttr_tensor(v) || !tt_dim(op->attrs[TTIR_INDEX_dim]->i, v->type->n, &dim))
        return false;
    for (size_t i = 0; i < v->type->n; i++) {
        ends[i] = v->type->dims[i];
        steps[i] = 1;
    }
    int64_t size = ends[dim], begin = op->attrs[TTIR_INDEX_begin]->i,
            end = op->attrs[TTIR_INDEX_end]->i;
    begins[dim] = begin < 0 ? begin + size : begin;
    ends[dim] = end < 0 ? end + size : end;
    steps[dim] = op->attrs[TTIR_INDEX_step]->i;
    tsr_value *out = tsr_ttr_slice(r, op, v, begins, ends, steps);
    out->type = op->out[0].type;
    tsr_rw_replace_one(r, op, out);
    return true;
}

/* index_select -> slices, and a concat of several */
bool rule_tt_select_slices(tsr_rewriter *r, tsr_op *op)
{
    enum { MOST = 4096 };
    tsr_value *v = tsr_rw_in(op, 0);
    int64_t begins[TSR_TTIR_RANK] = {0}, ends[TSR_TTIR_RANK];
    size_t dim;
    if (!tsr_ttr_tensor(v) || !tt_dim(op->attrs[TTIR_INDEX_SELECT_dim]->i, v->type->n, &dim))
        return false;
    int64_t begin = op->attrs[TTIR_INDEX_SELECT_begin]->i,
            length = op->attrs[TTIR_INDEX_SELECT_length]->i,
            stride =
                op->attrs[TTIR_INDEX_SELECT_stride] ? op->attrs[TTIR_INDEX_SELECT_stride]->i : 0,
            size = v->type->dims[dim];
    if (begin < 0 || begin >= size || stride <= 0 || length <= 0 ||
        (size - begin + stride - 1) / stride > MOST)
        return false;
    size_t n = (size_t)((size - begin + stride - 1) / stride);
    memcpy(ends, v->type->dims, v->type->n * sizeof *ends);
    tsr_value **parts = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, n);
    for (size_t i = 0; i < n; i++) {
        begins[dim] = begin + (int64_t)i * stride;
        ends[dim] = begins[dim] + length < size ? begins[dim] + length : size;
        parts[i] = tsr_ttr_slice(r, op, v, begins, ends, NULL);
    }
    tsr_value *out = n == 1 ? parts[0] : tsr_ttr_concat(r, op, parts, n, dim);
    if (out->type != op->out[0].type)
        out->type = op->out[0].type;
    tsr_rw_replace_one(r, op, out);
    return true;
}

/* reverse -> embedding of the rows formed by the reversed dimensions, last first */
bool rule_tt_reverse_embedding(tsr_rewriter *r, tsr_op *op)
{
    enum { MOST = 1 << 20 };
    tsr_value *v = tsr_rw_in(op, 0);
    const tsr_attr *dims = op->attrs[TTIR_REVERSE_dimensions];
    int64_t perm[TSR_TTIR_RANK], back[TSR_TTIR_RANK], moved[TSR_TTIR_RANK];
    bool turned[TSR_TTIR_RANK] = {false};
    if (!tsr_ttr_tensor(v))
        return false;
    size_t n = 0, rank = v->type->n;
    for (size_t i = 0; i < tt_count(dims); i++)
        turned[tt_int_at(dims, i)] = true;
    for (int second = 0; second < 2; second++)
        for (size_t i = 0; i < rank; i++)
            if (turned[i] == !second)
                perm[n++] = (int64_t)i;
    for (size_t i = 0; i < rank; i++)
        moved[i] = v->type->dims[perm[i]];
    int64_t rows = tsr_ttr_volume(moved, tt_count(dims)),
            columns = tsr_ttr_volume(moved + tt_count(dims), rank - tt_count(dims));
    if (rows <= 0 || rows > MOST)
        return false;
    int32_t *index = TSR_NEW_ARRAY(r->p->scratch, int32_t, (size_t)rows);
    for (int64_t i = 0; i < rows; i++)
        index[i] = (int32_t)(rows - 1 - i);
    tsr_value *at = tsr_ttr_permute(r, op, v, perm);
    at = tsr_ttr_reshape(r, op, at, (int64_t[]){rows, columns}, 2);
    tsr_type *index_type =
        tsr_type_tensor(r->ctx, &rows, 1, tsr_type_integer(r->ctx, 32, TSR_SIGNED), NULL);
    tsr_op *constant = tsr_ttr_op(r, op, TSR_OP_TTIR_CONSTANT, NULL, 0, index_type);
    constant->attrs[TTIR_CONSTANT_value] =
        tsr_attr_dense(r->ctx, r->module, index_type, index, (size_t)rows * sizeof *index, false);
    at = tsr_ttr_binary(r, op, TSR_OP_TTIR_EMBEDDING, &constant->out[0], at, at->type);
    at = tsr_ttr_reshape(r, op, at, moved, rank);
    tsr_ttr_inverse(perm, rank, back);
    tsr_rw_replace_one(r, op, tsr_ttr_permute(r, op, at, back));
    return true;
}

/* arange along any dimension -> arange of a vector, reshaped and broadcast */
bool rule_tt_arange_vector(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *type = op->out[0].type;
    int64_t dims[TSR_TTIR_RANK];
    size_t dim = (size_t)op->attrs[TTIR_ARANGE_arange_dimension]->i;
    if (!tsr_ttr_tensor(&op->out[0]) || dim >= type->n || (dim == 0 && type->n == 1))
        return false;
    int64_t n = type->dims[dim];
    tsr_op *row = tsr_ttr_copy(r, op, op, NULL, 0, tsr_ttir_shaped(type, &n, 1));
    row->attrs[TTIR_ARANGE_arange_dimension] = tsr_attr_i64(r->ctx, 0);
    for (size_t i = 0; i < type->n; i++)
        dims[i] = i == dim ? n : 1;
    tsr_value *v = tsr_ttr_reshape(r, op, &row->out[0], dims, type->n);
    tsr_rw_replace_one(r, op, tsr_ttr_broadcast(r, op, v, type->dims));
    return true;
}

/* ---- dot_general ---- */

/* Dimensions of an operand: batch, free, contracted. */
typedef struct {
    tsr_value *v;
    int64_t batch[TSR_TTIR_RANK], kept[TSR_TTIR_RANK], summed[TSR_TTIR_RANK];
    size_t nbatch, nkept, nsummed;
    int64_t kept_size, summed_size;
} side;

static void side_of(side *s, tsr_value *v, tsr_ints batch, tsr_ints summed)
{
    bool seen[TSR_TTIR_RANK] = {false};
    *s = (side){.v = v, .kept_size = 1, .summed_size = 1};
    for (uint32_t i = 0; i < batch.n; i++)
        seen[s->batch[s->nbatch++] = tsr_ints_at(batch, i)] = true;
    for (uint32_t i = 0; i < summed.n; i++) {
        int64_t d = tsr_ints_at(summed, i);
        seen[s->summed[s->nsummed++] = d] = true;
        s->summed_size *= v->type->dims[d];
    }
    for (size_t i = 0; i < v->type->n; i++)
        if (!seen[i]) {
            s->kept[s->nkept++] = (int64_t)i;
            s->kept_size *= v->type->dims[i];
        }
}

/* The operand as batches of matrices: free rows and contracted columns, or the other way. */
static tsr_value *matrices(tsr_rewriter *r, tsr_op *at, const side *s, bool summed_first)
{
    int64_t perm[TSR_TTIR_RANK], dims[TSR_TTIR_RANK];
    size_t n = 0;
    for (size_t i = 0; i < s->nbatch; i++) {
        dims[n] = s->v->type->dims[s->batch[i]];
        perm[n++] = s->batch[i];
    }
    for (int second = 0; second < 2; second++) {
        bool summed = (second == 0) == summed_first;
        memcpy(perm + n, summed ? s->summed : s->kept,
               (summed ? s->nsummed : s->nkept) * sizeof *perm);
        n += summed ? s->nsummed : s->nkept;
        dims[s->nbatch + (size_t)second] = summed ? s->summed_size : s->kept_size;
    }
    return tsr_ttr_reshape(r, at, tsr_ttr_permute(r, at, s->v, perm), dims, s->nbatch + 2);
}

/* dot_general -> matmul; multiply if each sum has one term */
bool rule_tt_dot_matmul(tsr_rewriter *r, tsr_op *op)
{
    side a, b;
    int64_t dims[TSR_TTIR_RANK];
    const tsr_type *type = op->out[0].type;
    if (!tsr_ttr_tensor(tsr_rw_in(op, 0)) || !tsr_ttr_tensor(tsr_rw_in(op, 1)) ||
        !tsr_ttr_tensor(&op->out[0]))
        return false;
    tsr_dot d;
    tsr_dot_of(op, &d);
    side_of(&a, tsr_rw_in(op, 0), d.batch[0], d.contract[0]);
    side_of(&b, tsr_rw_in(op, 1), d.batch[1], d.contract[1]);
    if (a.nbatch + 3 > TSR_TTIR_RANK)
        return false;
    for (size_t i = 0; i < a.nbatch; i++)
        dims[i] = a.v->type->dims[a.batch[i]];
    dims[a.nbatch] = a.kept_size;
    dims[a.nbatch + 1] = b.kept_size;
    tsr_type *product = tsr_type_tensor(r->ctx, dims, a.nbatch + 2, type->elem, NULL);
    /* Both sides first, so that the output has the order left, right, product. */
    tsr_value *x = matrices(r, op, &a, false), *y = matrices(r, op, &b, true);
    tsr_value *v = a.summed_size == 1 ? tsr_ttr_binary(r, op, TSR_OP_TTIR_MULTIPLY, x, y, product)
                                      : tsr_ttr_matmul(r, op, x, y, false, false, product);
    v->op->extra = op->extra;
    tsr_value *out = tsr_ttr_reshape(r, op, v, type->dims, type->n);
    out->type = op->out[0].type;
    tsr_rw_replace_one(r, op, out);
    return true;
}

/* ---- Reductions ---- */

/* Copies the attributes of a reduction to one of another kind. */
static tsr_value *reduced_by(tsr_rewriter *r, tsr_op *op, uint16_t opcode, tsr_value *v)
{
    tsr_op *other = tsr_ttr_op(r, op, opcode, &v, 1, op->out[0].type);
    other->attrs[TTIR_SUM_keep_dim] = op->attrs[TTIR_SUM_keep_dim];
    other->attrs[TTIR_SUM_dim_arg] = op->attrs[TTIR_SUM_dim_arg];
    return &other->out[0];
}

/* 1 where v is not 0, to multiply or add in place of booleans. */
static tsr_value *truth(tsr_rewriter *r, tsr_op *op, tsr_value *v)
{
    tsr_attr *zero =
        tsr_ttr_boolean(v) || !tsr_ttr_tensor(v) ? NULL : tsr_const_number(r, v->type, 0);
    return zero ? tsr_ttr_binary(r, op, TSR_OP_TTIR_NE, v, tsr_ttr_constant(r, op, zero, false),
                                 v->type)
                : v;
}

/* reduce_and -> prod */
bool rule_tt_and_prod(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *v = truth(r, op, tsr_rw_in(op, 0));
    tsr_rw_replace_one(r, op, reduced_by(r, op, TSR_OP_TTIR_PROD, v));
    return true;
}

/* reduce_or -> sum, which is not 0 where some element is not: devices treat that as true */
bool rule_tt_or_sum(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *v = truth(r, op, tsr_rw_in(op, 0));
    tsr_rw_replace_one(r, op, reduced_by(r, op, TSR_OP_TTIR_SUM, v));
    return true;
}

/* reduce_or -> sum != 0, on hosts */
bool rule_tt_or_sum_ne(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *type = op->out[0].type;
    tsr_attr *zero = tsr_const_number(r, type, 0);
    if (!zero)
        return false;
    tsr_value *sum = reduced_by(r, op, TSR_OP_TTIR_SUM, truth(r, op, tsr_rw_in(op, 0)));
    tsr_op *constant = tsr_ttr_op(r, op, TSR_OP_TTIR_CONSTANT, NULL, 0, type);
    constant->attrs[TTIR_CONSTANT_value] = zero;
    tsr_value *v = tsr_ttr_binary(r, op, TSR_OP_TTIR_NE, sum, &constant->out[0], type);
    tsr_rw_replace_one(r, op, tsr_ttr_unary(r, op, TSR_OP_TTIR_TYPECAST, v, type));
    return true;
}

/* prod along several dimensions, not all -> one after the other, last first */
bool rule_tt_prod_each(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *v = tsr_rw_in(op, 0);
    int64_t dims[TSR_TTIR_RANK], shape[TSR_TTIR_RANK];
    size_t n;
    if (!op->attrs[TTIR_PROD_dim_arg] || !tsr_ttr_tensor(v) || !tsr_ttr_reduced(op, dims, &n) ||
        n <= 1 || n == v->type->n)
        return false;
    bool keep = op->attrs[TTIR_PROD_keep_dim]->i != 0;
    size_t rank = v->type->n;
    memcpy(shape, v->type->dims, rank * sizeof *shape);
    for (size_t i = n; i-- > 0;) {
        size_t d = (size_t)dims[i];
        if (keep)
            shape[d] = 1;
        else
            memmove(shape + d, shape + d + 1, (--rank - d) * sizeof *shape);
        tsr_type *type = i ? tsr_ttir_shaped(v->type, shape, rank) : op->out[0].type;
        v = tsr_ttr_reduce(r, op, TSR_OP_TTIR_PROD, v, dims + i, 1, keep, type);
    }
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* argmax along several dimensions -> along one that combines them */
bool rule_tt_argmax_one(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *v = tsr_rw_in(op, 0);
    const tsr_type *type = op->out[0].type;
    int64_t dims[TSR_TTIR_RANK], perm[TSR_TTIR_RANK], shape[TSR_TTIR_RANK], all = 1;
    bool gone[TSR_TTIR_RANK] = {false};
    size_t n, k = 0;
    if (!op->attrs[TTIR_ARGMAX_dim_arg] || !tsr_ttr_tensor(v) || !tsr_ttr_reduced(op, dims, &n) ||
        n <= 1)
        return false;
    bool keep = op->attrs[TTIR_ARGMAX_keep_dim]->i != 0;
    for (size_t i = 0; i < n; i++) {
        gone[dims[i]] = true;
        all *= v->type->dims[dims[i]];
    }
    for (size_t i = 0; i < v->type->n; i++)
        if (!gone[i]) {
            shape[k] = v->type->dims[i];
            perm[k++] = (int64_t)i;
        }
    memcpy(perm + k, dims, n * sizeof *perm);
    shape[k] = all;
    v = tsr_ttr_permute(r, op, v, perm);
    v = tsr_ttr_reshape(r, op, v, shape, k + 1);
    shape[k] = 1;
    v = tsr_ttr_reduce(r, op, TSR_OP_TTIR_ARGMAX, v, (int64_t[]){(int64_t)k}, 1, keep,
                       tsr_ttir_shaped(type, shape, keep ? k + 1 : k));
    if (keep)
        v = tsr_ttr_reshape(r, op, v, type->dims, type->n);
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* ---- Windows and padding ---- */

/* A pool of a splat -> that splat, if no padding enters an average */
bool rule_tt_pool_full(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *full = tsr_ttr_def(tsr_rw_in(op, 0), TSR_OP_TTIR_FULL);
    tsr_pooling p;
    if (!full || !tsr_pooling_of(op, &p))
        return false;
    bool pads = !tsr_ints_all(p.window.low, 0) || !tsr_ints_all(p.window.high, 0);
    if (p.counts_pad && (pads || p.ceil))
        return false;
    tsr_rw_replace_one(r, op,
                       tsr_ttr_full_of(r, op, op->out[0].type, full->attrs[TTIR_FULL_fill_value]));
    return true;
}

/* pad with negative amounts -> slice_static, and the rest of the padding */
bool rule_tt_negative_pad(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *v = tsr_rw_in(op, 0);
    tsr_pad by;
    tsr_pad_of(op, &by);
    int64_t begins[TSR_TTIR_RANK], ends[TSR_TTIR_RANK], rest[2 * TSR_TTIR_RANK];
    bool cut = false, more = false;
    if (!tsr_ttr_tensor(v))
        return false;
    for (size_t i = 0; i < v->type->n; i++) {
        int64_t low = tsr_ints_at(by.low, i), high = tsr_ints_at(by.high, i);
        begins[i] = low < 0 ? -low : 0;
        ends[i] = v->type->dims[i] + (high < 0 ? high : 0);
        rest[2 * i] = low > 0 ? low : 0;
        rest[2 * i + 1] = high > 0 ? high : 0;
        cut |= low < 0 || high < 0;
        more |= low > 0 || high > 0;
        if (begins[i] > ends[i])
            return false;
    }
    if (!cut)
        return false;
    size_t rank = v->type->n;
    v = tsr_ttr_slice(r, op, v, begins, ends, NULL);
    if (more) {
        tsr_op *pad = tsr_ttr_copy(r, op, op, &v, 1, op->out[0].type);
        pad->attrs[TTIR_PAD_padding] = tsr_ttir_i32_array(r->ctx, rest, 2 * rank);
        v = &pad->out[0];
    }
    v->type = op->out[0].type;
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* Convolutions of other layouts -> with channels last, between permutes. */
bool rule_tt_conv_channels_last(tsr_rewriter *r, tsr_op *op)
{
    int64_t to[TSR_TTIR_RANK], from[TSR_TTIR_RANK], dims[TSR_TTIR_RANK];
    tsr_value *in[3];
    tsr_conv c;
    tsr_conv_of(op, &c);
    int slot = tsr_opdef_slot(op->def, TSR_STR("batch_dim"));
    size_t n = c.in_spatial.n + 2;
    if (!tsr_ttr_tensor(tsr_rw_in(op, 0)) || !tsr_ttr_tensor(&op->out[0]) || op->nin > 3)
        return false;
    to[0] = c.in_batch;
    tsr_ints_copy(c.in_spatial, to + 1, n - 2);
    to[n - 1] = c.in_feature;
    if (tsr_ttir_is_identity(to, n))
        return false;
    tsr_ttr_inverse(to, n, from);
    for (size_t i = 0; i < n; i++)
        dims[i] = op->out[0].type->dims[to[i]];
    in[0] = tsr_ttr_permute(r, op, tsr_rw_in(op, 0), to);
    in[1] = tsr_rw_in(op, 1);
    if (op->nin > 2)
        in[2] = tsr_ttr_permute(r, op, tsr_rw_in(op, 2), to);
    tsr_op *conv = tsr_ttr_copy(r, op, op, in, op->nin, tsr_ttir_shaped(op->out[0].type, dims, n));
    for (size_t i = 0; i < n; i++)
        conv->attrs[slot + (int)i] = tsr_attr_i64(r->ctx, (int64_t)i);
    tsr_rw_replace_one(r, op, tsr_ttr_permute(r, op, &conv->out[0], from));
    return true;
}

/* ---- Heads ---- */

/* Columns of v, [batch, rows, columns]: this many, from this one on. */
static tsr_value *columns(tsr_rewriter *r, tsr_op *op, tsr_value *v, int64_t from, int64_t n)
{
    const int64_t *d = v->type->dims;
    return tsr_ttr_slice(r, op, v, (int64_t[]){0, 0, from}, (int64_t[]){d[0], d[1], from + n},
                         NULL);
}

/* [batch, rows, heads * size] as [batch, heads, rows, size], for n values side by side. */
static void heads_of(tsr_rewriter *r, tsr_op *op, tsr_value **v, size_t n, int64_t heads,
                     int64_t size)
{
    for (size_t i = 0; i < n; i++) {
        const int64_t *d = v[i]->type->dims;
        v[i] = tsr_ttr_reshape(r, op, v[i], (int64_t[]){d[0], d[1], heads, size}, 4);
    }
    for (size_t i = 0; i < n; i++)
        v[i] = tsr_ttr_permute(r, op, v[i], (int64_t[]){0, 2, 1, 3});
}

/* split_query_key_value_and_split_heads -> slices, reshapes and permutes */
bool rule_tt_split_heads(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x = tsr_rw_in(op, 0), *kv = op->nin > 1 ? tsr_rw_in(op, 1) : x, *out[3];
    const tsr_attr *kv_heads = op->attrs[TTIR_SPLIT_QUERY_KEY_VALUE_AND_SPLIT_HEADS_num_kv_heads];
    int64_t heads = op->attrs[TTIR_SPLIT_QUERY_KEY_VALUE_AND_SPLIT_HEADS_num_heads]->i;
    if (!tsr_ttr_tensor(x) || !tsr_ttr_tensor(kv) || x->type->n != 3 || kv->type->n != 3 ||
        op->out[0].type->n != 4)
        return false;
    int64_t size = op->out[0].type->dims[3];
    if (op->nin > 1) {
        int64_t others = kv_heads ? kv_heads->i : heads;
        if (kv->type->dims[2] != 2 * others * size || x->type->dims[2] != heads * size)
            return false;
        out[0] = x;
        heads_of(r, op, out, 1, heads, size);
        for (int64_t i = 0; i < 2; i++)
            out[1 + i] = columns(r, op, kv, i * others * size, others * size);
        heads_of(r, op, out + 1, 2, others, size);
    } else {
        if (x->type->dims[2] != 3 * heads * size)
            return false;
        for (int64_t i = 0; i < 3; i++)
            out[i] = columns(r, op, x, i * heads * size, heads * size);
        heads_of(r, op, out, 3, heads, size);
    }
    if (op->attrs[TTIR_SPLIT_QUERY_KEY_VALUE_AND_SPLIT_HEADS_transpose_key]->i)
        out[1] = tsr_ttr_permute(r, op, out[1], (int64_t[]){0, 1, 3, 2});
    tsr_rw_replace(r, op, out);
    return true;
}
