/* SPDX-License-Identifier: Apache-2.0 */
/* commute_ops.c - moves reshapes and permutes past broadcasts, concats, slices, reductions, softmax and rms_norm. */
#include "pass/ttir/commute.h"

/* ---- broadcast ---- */

/* permute(broadcast(x)) -> broadcast(permute(x)) */
bool rule_tt_up_permute_broadcast(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *move = tsr_ttr_move_below(op, TSR_OP_TTIR_PERMUTE);
    if (!move || !tsr_ttr_implicit(op))
        return false;
    tsr_value *v = tsr_ttr_apply(r, op, move, tsr_rw_in(op, 0));
    tsr_ttr_replace_users(r, op, tsr_ttr_broadcast(r, op, v, move->out[0].type->dims));
    return true;
}

/* Finds the shape from which a result of these dimensions can be broadcast, if its elements are those of x broadcast to
 * wide, in order: runs of dimensions that x has, and runs along which it is repeated, must end where dimensions of the
 * result end. */
static bool split_broadcast(const tsr_type *x, const tsr_type *wide, const tsr_type *to,
                            int64_t *dims)
{
    size_t i = wide->n, k = to->n;
    while (i > 0 || k > 0) {
        /* The next run from the end: all its dimensions are repeated, or none is. */
        while (i > 0 && wide->dims[i - 1] == 1)
            i--;
        int64_t left = 1;
        bool repeated = i > 0 && x->dims[i - 1] == 1;
        for (; i > 0 && (wide->dims[i - 1] == 1 || (x->dims[i - 1] == 1) == repeated); i--)
            left *= wide->dims[i - 1];
        for (; k > 0 && (left > 1 || to->dims[k - 1] == 1 || i == 0); k--) {
            if (to->dims[k - 1] == 0 || left % to->dims[k - 1])
                return false;
            left /= to->dims[k - 1];
            dims[k - 1] = repeated ? 1 : to->dims[k - 1];
        }
        if (left != 1)
            return false;
    }
    return true;
}

/* reshape(broadcast(x)) -> broadcast(reshape(x)), if no dimension of the result mixes repeated and other dimensions */
bool rule_tt_up_reshape_broadcast(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *move = tsr_ttr_move_below(op, TSR_OP_TTIR_RESHAPE);
    tsr_value *v = tsr_rw_in(op, 0);
    int64_t dims[TSR_TTIR_RANK];
    if (!move || !tsr_ttr_implicit(op) || !tsr_ttr_tensor(v) || !tsr_ttr_elements(&op->out[0]) ||
        !split_broadcast(v->type, op->out[0].type, move->out[0].type, dims))
        return false;
    tsr_value *narrow = tsr_ttr_reshape(r, op, v, dims, move->out[0].type->n);
    narrow->op->loc = move->loc;
    tsr_ttr_replace_users(r, op, tsr_ttr_broadcast(r, op, narrow, move->out[0].type->dims));
    return true;
}

/* ---- concat ---- */

static size_t position(const int64_t *perm, size_t n, size_t dim)
{
    size_t i = 0;
    while (i < n && perm[i] != (int64_t)dim)
        i++;
    return i;
}

static bool concat_dim(const tsr_op *op, size_t *dim)
{
    return tsr_ttr_tensor(&op->out[0]) &&
           tt_dim(op->attrs[TTIR_CONCAT_dim]->i, op->out[0].type->n, dim);
}

/* permute(concat(x, y)) -> concat(permute(x), permute(y)) */
bool rule_tt_up_permute_concat(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *move = tsr_ttr_move_below(op, TSR_OP_TTIR_PERMUTE);
    int64_t perm[TSR_TTIR_RANK];
    size_t dim;
    if (!move || !concat_dim(op, &dim))
        return false;
    tsr_value **in = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nin);
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = tsr_ttr_apply(r, op, move, tsr_rw_in(op, i));
    size_t n = tsr_ttr_permutation(move, perm);
    tsr_ttr_replace_users(r, op, tsr_ttr_concat(r, op, in, op->nin, position(perm, n, dim)));
    return true;
}

/* reshape(concat(x, y)) -> concat(reshape(x), reshape(y)), when the dimension stays */
bool rule_tt_up_reshape_concat(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *move = tsr_ttr_move_below(op, TSR_OP_TTIR_RESHAPE);
    int64_t dims[TSR_TTIR_RANK];
    size_t dim;
    if (!move || !concat_dim(op, &dim) || !tsr_ttr_elements(&op->out[0]))
        return false;
    const tsr_type *to = move->out[0].type, *from = op->out[0].type;
    int64_t before = tsr_ttr_volume(from->dims, dim), at = -1;
    for (size_t i = 0; i < to->n && at < 0; i++)
        if (to->dims[i] == from->dims[dim] && tsr_ttr_volume(to->dims, i) == before)
            at = (int64_t)i;
    if (at < 0)
        return false;
    tsr_value **in = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nin);
    memcpy(dims, to->dims, to->n * sizeof *dims);
    for (uint32_t i = 0; i < op->nin; i++) {
        dims[at] = tsr_rw_in(op, i)->type->dims[dim];
        in[i] = tsr_ttr_reshape(r, op, tsr_rw_in(op, i), dims, to->n);
        in[i]->op->loc = op->loc;
    }
    tsr_ttr_replace_users(r, op, tsr_ttr_concat(r, op, in, op->nin, (size_t)at));
    return true;
}

/* concat(permute(x), permute(y)) -> permute(concat(x, y)) */
bool rule_tt_down_permute_concat(tsr_rewriter *r, tsr_op *op)
{
    int k = tsr_ttr_move_above(r, op, TSR_OP_TTIR_PERMUTE);
    int64_t perm[TSR_TTIR_RANK];
    size_t dim;
    if (k < 0 || !concat_dim(op, &dim))
        return false;
    tsr_op *move = tsr_rw_in(op, (size_t)k)->op;
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_op *def = tsr_rw_def(tsr_rw_in(op, i));
        if (!(def && tsr_ttr_same_move(def, move)) && !tsr_ttr_constant_args(r, tsr_rw_in(op, i)))
            return false;
    }
    tsr_value **in = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nin);
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = tsr_rw_def(tsr_rw_in(op, i)) == move ? tsr_rw_in(move, 0)
                                                     : tsr_ttr_undo(r, op, move, tsr_rw_in(op, i));
    tsr_ttr_permutation(move, perm);
    tsr_value *v = tsr_ttr_concat(r, op, in, op->nin, (size_t)perm[dim]);
    tsr_rw_replace_one(r, op, tsr_ttr_apply(r, op, move, v));
    return true;
}

/* ---- slice_static ---- */

/* Bounds as written, which the moved slice keeps. */
typedef struct {
    int64_t begins[TSR_TTIR_RANK], ends[TSR_TTIR_RANK], steps[TSR_TTIR_RANK], dims[TSR_TTIR_RANK];
} bounds;

/* Dimension i of b is dimension from of the slice. */
static void copy_bounds(bounds *b, size_t i, const tsr_slice *s, const tsr_op *op, size_t from)
{
    b->begins[i] = tsr_ints_at(s->start, from);
    b->ends[i] = tsr_ints_at(s->limit, from);
    b->steps[i] = tsr_ints_at(s->strides, from);
    b->dims[i] = op->out[0].type->dims[from];
}

static tsr_value *slice_by(tsr_rewriter *r, tsr_op *op, tsr_value *v, const bounds *b, size_t n)
{
    tsr_op *slice = tsr_ttr_copy(r, op, op, &v, 1, tsr_ttir_shaped(op->out[0].type, b->dims, n));
    tsr_ttir_set_slice(slice, b->begins, b->ends, b->steps, n);
    return &slice->out[0];
}

/* The slice of v that corresponds to op, with dimensions in another order. */
static tsr_value *permuted_slice(tsr_rewriter *r, tsr_op *op, tsr_value *v, const int64_t *perm)
{
    bounds b;
    tsr_slice s;
    size_t n = op->out[0].type->n;
    tsr_slice_of(op, &s);
    for (size_t i = 0; i < n; i++)
        copy_bounds(&b, i, &s, op, (size_t)perm[i]);
    return slice_by(r, op, v, &b, n);
}

/* permute(slice(x)) -> slice(permute(x)) */
bool rule_tt_up_permute_slice(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *move = tsr_ttr_move_below(op, TSR_OP_TTIR_PERMUTE);
    int64_t perm[TSR_TTIR_RANK];
    if (!move)
        return false;
    tsr_ttr_permutation(move, perm);
    tsr_value *v = tsr_ttr_apply(r, op, move, tsr_rw_in(op, 0));
    tsr_ttr_replace_users(r, op, permuted_slice(r, op, v, perm));
    return true;
}

/* slice(permute(x)) -> permute(slice(x)) */
bool rule_tt_down_permute_slice(tsr_rewriter *r, tsr_op *op)
{
    int64_t perm[TSR_TTIR_RANK], back[TSR_TTIR_RANK];
    if (tsr_ttr_move_above(r, op, TSR_OP_TTIR_PERMUTE) < 0)
        return false;
    tsr_op *move = tsr_rw_in(op, 0)->op;
    tsr_ttr_inverse(perm, tsr_ttr_permutation(move, perm), back);
    tsr_value *v = permuted_slice(r, op, tsr_rw_in(move, 0), back);
    tsr_rw_replace_one(r, op, tsr_ttr_apply(r, op, move, v));
    return true;
}

/* The number of last dimensions that a reshape keeps; all if it keeps its shape. */
static size_t kept_last(const tsr_type *a, const tsr_type *b)
{
    size_t n = 0;
    while (n < a->n && n < b->n && a->dims[a->n - 1 - n] == b->dims[b->n - 1 - n])
        n++;
    return n;
}

/* The number of last dimensions from the first one that a slice cuts; 0: it takes everything. */
static size_t cut_last(const tsr_op *op)
{
    const tsr_type *in = op->in[0].value->type;
    for (size_t i = 0; i < in->n; i++) {
        tsr_ttr_range r = tsr_ttr_slice_range(op, i);
        if (r.begin != 0 || r.end != in->dims[i] || r.step != 1)
            return in->n - i;
    }
    return 0;
}

/* The slice of v that cuts its last dimensions like op, and takes the others whole. */
static tsr_value *last_slice(tsr_rewriter *r, tsr_op *op, tsr_value *v, size_t last)
{
    bounds b;
    tsr_slice s;
    size_t n = v->type->n, old = op->out[0].type->n;
    tsr_slice_of(op, &s);
    for (size_t i = 0; i < n; i++) {
        if (n - i <= last) {
            copy_bounds(&b, i, &s, op, old - (n - i));
            continue;
        }
        b.begins[i] = 0;
        b.ends[i] = b.dims[i] = v->type->dims[i];
        b.steps[i] = 1;
    }
    return slice_by(r, op, v, &b, n);
}

/* reshape(slice(x)) -> slice(reshape(x)), when the reshape keeps the dimensions that are cut */
bool rule_tt_up_reshape_slice(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *move = tsr_ttr_move_below(op, TSR_OP_TTIR_RESHAPE);
    int64_t dims[TSR_TTIR_RANK];
    if (!move || !tsr_ttr_tensor(tsr_rw_in(op, 0)))
        return false;
    const tsr_type *to = move->out[0].type, *in = tsr_rw_in(op, 0)->type;
    size_t cut = cut_last(op), kept = kept_last(op->out[0].type, to);
    if (cut == 0 || kept < cut || to == op->out[0].type)
        return false;
    for (size_t i = 0; i < to->n; i++)
        dims[i] = to->n - i <= kept ? in->dims[in->n - (to->n - i)] : to->dims[i];
    tsr_value *v = tsr_ttr_reshape(r, op, tsr_rw_in(op, 0), dims, to->n);
    v->op->loc = move->loc;
    tsr_ttr_replace_users(r, op, last_slice(r, op, v, cut));
    return true;
}

/* slice(reshape(x)) -> reshape(slice(x)), the same way */
bool rule_tt_down_reshape_slice(tsr_rewriter *r, tsr_op *op)
{
    if (tsr_ttr_move_above(r, op, TSR_OP_TTIR_RESHAPE) < 0)
        return false;
    tsr_op *move = tsr_rw_in(op, 0)->op;
    const tsr_type *from = tsr_rw_in(move, 0)->type;
    size_t cut = cut_last(op);
    if (cut == 0 || kept_last(from, move->out[0].type) < cut || from == move->out[0].type)
        return false;
    tsr_value *v = last_slice(r, op, tsr_rw_in(move, 0), cut);
    v = tsr_ttr_reshape(r, op, v, op->out[0].type->dims, op->out[0].type->n);
    v->op->loc = move->loc;
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* ---- Reductions ---- */

/* The reduction of v along other dimensions. */
static tsr_value *reduction(tsr_rewriter *r, tsr_op *op, tsr_value *v, const int64_t *dims,
                            size_t n)
{
    int64_t shape[TSR_TTIR_RANK];
    bool gone[TSR_TTIR_RANK] = {false}, keep = tsr_ttr_keeps_dims(op);
    size_t rank = 0;
    for (size_t i = 0; i < n; i++)
        gone[dims[i]] = true;
    for (size_t i = 0; i < v->type->n; i++)
        if (!gone[i] || keep)
            shape[rank++] = gone[i] ? 1 : v->type->dims[i];
    tsr_op *copy = tsr_ttr_copy(r, op, op, &v, 1, tsr_ttir_shaped(op->out[0].type, shape, rank));
    copy->attrs[TTIR_SUM_dim_arg] = tsr_ttir_i32s(r->ctx, dims, n);
    return &copy->out[0];
}

/* The dimensions in the order in which the attribute names them. */
static bool named_dims(const tsr_op *op, int64_t *dims, size_t *n)
{
    size_t rank = op->in[0].value->type->n, d;
    tsr_reduce_dims r;
    tsr_reduce_dims_of(op, &r);
    if (r.all)
        return tsr_ttr_reduced(op, dims, n);
    *n = r.dims.n;
    for (size_t i = 0; i < *n; i++) {
        if (*n > rank || !tt_dim(tsr_ints_at(r.dims, i), rank, &d))
            return false;
        dims[i] = (int64_t)d;
    }
    return true;
}

/* argmax returns a linear index over the reduced dimensions in order: only a single dimension may be moved. */
static bool may_permute(const tsr_op *op, size_t n)
{
    return !tsr_op_is(op, TSR_OP_TTIR_ARGMAX) || n == 1;
}

/* permute(reduce(x)) -> reduce(permute(x)) */
bool rule_tt_up_permute_reduce(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *move = tsr_ttr_move_below(op, TSR_OP_TTIR_PERMUTE);
    int64_t dims[TSR_TTIR_RANK], small[TSR_TTIR_RANK], perm[TSR_TTIR_RANK], back[TSR_TTIR_RANK];
    tsr_value *v = tsr_rw_in(op, 0);
    size_t n;
    if (!move || !tsr_ttr_tensor(v) || !named_dims(op, dims, &n) || !may_permute(op, n))
        return false;
    tsr_ttr_permutation(move, small);
    size_t rank = v->type->n;
    if (tsr_ttr_keeps_dims(op)) {
        memcpy(perm, small, rank * sizeof *perm);
    } else {
        /* Reduced dimensions stay; the others are exchanged among themselves. */
        int64_t left[TSR_TTIR_RANK];
        bool gone[TSR_TTIR_RANK] = {false};
        size_t k = 0;
        for (size_t i = 0; i < n; i++)
            gone[dims[i]] = true;
        for (size_t i = 0; i < rank; i++)
            if (!gone[i])
                left[k++] = (int64_t)i;
        k = 0;
        for (size_t i = 0; i < rank; i++)
            perm[i] = gone[i] ? (int64_t)i : left[small[k++]];
    }
    tsr_ttr_inverse(perm, rank, back);
    for (size_t i = 0; i < n; i++)
        dims[i] = back[dims[i]];
    v = tsr_ttr_permute(r, op, v, perm);
    v->op->loc = move->loc;
    tsr_ttr_replace_users(r, op, reduction(r, op, v, dims, n));
    return true;
}

/* reduce(permute(x)) -> permute(reduce(x)) */
bool rule_tt_down_permute_reduce(tsr_rewriter *r, tsr_op *op)
{
    int64_t dims[TSR_TTIR_RANK], perm[TSR_TTIR_RANK], out[TSR_TTIR_RANK], number[TSR_TTIR_RANK];
    bool gone[TSR_TTIR_RANK] = {false}, from[TSR_TTIR_RANK] = {false};
    size_t n, k = 0;
    if (tsr_ttr_move_above(r, op, TSR_OP_TTIR_PERMUTE) < 0 || !named_dims(op, dims, &n) ||
        !may_permute(op, n))
        return false;
    tsr_op *move = tsr_rw_in(op, 0)->op;
    size_t rank = tsr_ttr_permutation(move, perm);
    for (size_t i = 0; i < n; i++) {
        gone[dims[i]] = true;
        dims[i] = perm[dims[i]];
        from[dims[i]] = true;
    }
    for (size_t i = 0; i < rank; i++)
        if (!from[i])
            number[i] = (int64_t)k++;
    k = 0;
    for (size_t i = 0; i < rank; i++)
        if (!gone[i])
            out[k++] = number[perm[i]];
    tsr_value *v = reduction(r, op, tsr_rw_in(move, 0), dims, n);
    v = tsr_ttr_permute(r, op, v, tsr_ttr_keeps_dims(op) ? perm : out);
    v->op->loc = move->loc;
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* The dimensions of to that correspond to the reduced ones of from; false if some has no counterpart. */
static bool mapped_dims(const tsr_op *op, const tsr_type *from, const tsr_type *to, int64_t *dims,
                        size_t *n)
{
    tsr_reduce_dims r;
    tsr_reduce_dims_of(op, &r);
    if (!named_dims(op, dims, n) || *n == 0)
        return false;
    if (r.all) {
        for (*n = 0; *n < to->n; ++*n)
            dims[*n] = (int64_t)*n;
        return *n > 0;
    }
    for (size_t i = 0; i < *n; i++) {
        dims[i] = tsr_ttr_matching_dim(from, to, (size_t)dims[i]);
        for (size_t k = 0; k <= i; k++)
            if (dims[i] < 0 || (k < i && dims[k] == dims[i]))
                return false;
    }
    return true;
}

/* reshape(reduce(x)) -> reduce(reshape(x)), along dimensions of size one that stay */
bool rule_tt_up_reshape_reduce(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *move = tsr_ttr_move_below(op, TSR_OP_TTIR_RESHAPE);
    tsr_value *v = tsr_rw_in(op, 0);
    int64_t dims[TSR_TTIR_RANK];
    size_t n;
    if (!move || !tsr_ttr_keeps_dims(op) || !tsr_ttr_tensor(v) || !named_dims(op, dims, &n))
        return false;
    for (size_t i = 0; i < n; i++)
        if (v->type->dims[dims[i]] != 1)
            return false;
    const tsr_type *to = move->out[0].type;
    if (!mapped_dims(op, v->type, to, dims, &n))
        return false;
    v = tsr_ttr_reshape(r, op, v, to->dims, to->n);
    v->op->loc = move->loc;
    tsr_ttr_replace_users(r, op, reduction(r, op, v, dims, n));
    return true;
}

/* reduce(reshape(x)) -> reshape(reduce(x)), along dimensions that the reshape keeps */
bool rule_tt_down_reshape_reduce(tsr_rewriter *r, tsr_op *op)
{
    int64_t dims[TSR_TTIR_RANK];
    size_t n;
    if (tsr_ttr_move_above(r, op, TSR_OP_TTIR_RESHAPE) < 0 || !tsr_ttr_tensor(&op->out[0]))
        return false;
    tsr_op *move = tsr_rw_in(op, 0)->op;
    if (!mapped_dims(op, move->out[0].type, tsr_rw_in(move, 0)->type, dims, &n))
        return false;
    tsr_value *v = reduction(r, op, tsr_rw_in(move, 0), dims, n);
    v = tsr_ttr_reshape(r, op, v, op->out[0].type->dims, op->out[0].type->n);
    v->op->loc = move->loc;
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* ---- softmax, rms_norm ---- */

/* The dimension of a softmax in the shape of to; -1: none. */
static int64_t softmax_dim(const tsr_op *op, const tsr_type *to)
{
    const tsr_type *from = op->out[0].type;
    size_t dim;
    return tt_dim(op->attrs[TTIR_SOFTMAX_dimension]->i, from->n, &dim)
               ? tsr_ttr_matching_dim(from, to, dim)
               : -1;
}

static tsr_value *softmax_of(tsr_rewriter *r, tsr_op *op, tsr_value *v, int64_t dim)
{
    tsr_op *copy =
        tsr_ttr_copy(r, op, op, &v, 1, tsr_ttir_shaped(op->out[0].type, v->type->dims, v->type->n));
    copy->attrs[TTIR_SOFTMAX_dimension] = tsr_ttir_si32(r->ctx, dim);
    return &copy->out[0];
}

/* reshape(softmax(x)) -> softmax(reshape(x)) */
bool rule_tt_up_reshape_softmax(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *move = tsr_ttr_move_below(op, TSR_OP_TTIR_RESHAPE);
    int64_t dim = move ? softmax_dim(op, move->out[0].type) : -1;
    if (dim < 0)
        return false;
    tsr_ttr_replace_users(r, op,
                          softmax_of(r, op, tsr_ttr_apply(r, op, move, tsr_rw_in(op, 0)), dim));
    return true;
}

/* softmax(reshape(x)) -> reshape(softmax(x)) */
bool rule_tt_down_reshape_softmax(tsr_rewriter *r, tsr_op *op)
{
    if (tsr_ttr_move_above(r, op, TSR_OP_TTIR_RESHAPE) < 0)
        return false;
    tsr_op *move = tsr_rw_in(op, 0)->op;
    int64_t dim = softmax_dim(op, tsr_rw_in(move, 0)->type);
    if (dim < 0)
        return false;
    tsr_value *v = softmax_of(r, op, tsr_rw_in(move, 0), dim);
    tsr_rw_replace_one(r, op, tsr_ttr_apply(r, op, move, v));
    return true;
}

/* reshape(rms_norm(x)) -> rms_norm(reshape(x)), if the last dimension stays the last; a residual is reshaped, too */
bool rule_tt_up_reshape_rms_norm(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *move = tsr_ttr_move_below(op, TSR_OP_TTIR_RESHAPE);
    bool distributed = tsr_op_is(op, TSR_OP_TTIR_DISTRIBUTED_RMS_NORM);
    tsr_value *in[3];
    uint32_t start, n;
    if (!move || op->nin > 3)
        return false;
    const tsr_type *from = op->out[0].type, *to = move->out[0].type;
    if (from->n == 0 || to->n == 0 || from->dims[from->n - 1] != to->dims[to->n - 1] ||
        (!distributed && tt_count(op->attrs[TTIR_RMS_NORM_normalized_shape]) != 1))
        return false;
    bool residual = distributed && tsr_op_operand_group(op, 2, &start, &n) && n == 1;
    for (uint32_t i = 0; i < op->nin; i++) {
        in[i] = tsr_rw_in(op, i);
        if (i == 0 || (residual && i == start))
            in[i] = tsr_ttr_apply(r, op, move, in[i]);
    }
    tsr_op *copy = tsr_ttr_copy(r, op, op, in, op->nin, tsr_ttir_shaped(from, to->dims, to->n));
    tsr_ttr_replace_users(r, op, &copy->out[0]);
    return true;
}

/* ---- Moves among themselves ---- */

/* permute(reshape(permute(x))) -> reshape(x), if the elements end up in the order of x */
bool rule_tt_permute_reshape_permute(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *reshape = tsr_ttr_def(tsr_rw_in(op, 0), TSR_OP_TTIR_RESHAPE);
    tsr_op *first = reshape ? tsr_ttr_def(tsr_rw_in(reshape, 0), TSR_OP_TTIR_PERMUTE) : NULL;
    int64_t axes[TSR_TTIR_RANK], last[TSR_TTIR_RANK];
    size_t starts[TSR_TTIR_RANK + 1], at = 0;
    if (!first || !tsr_ttr_tensor(&op->out[0]) || !tsr_ttr_tensor(tsr_rw_in(first, 0)) ||
        tsr_dict_get(op->extra, TSR_STR("decomposed")) || !tsr_ttr_elements(&op->out[0]))
        return false;
    const tsr_type *in = tsr_rw_in(reshape, 0)->type, *out = reshape->out[0].type;
    tsr_ttr_permutation(first, axes);
    tsr_ttr_permutation(op, last);
    /* The dimensions of the first permute's result that make up each of the reshape's. */
    for (size_t i = 0; i < out->n; i++) {
        starts[i] = at;
        int64_t left = out->dims[i];
        if (at < in->n && in->dims[at] == left) {
            at++;
            continue;
        }
        for (; left > 1 && at < in->n && left % in->dims[at] == 0; at++)
            left /= in->dims[at];
        if (left != 1)
            return false;
    }
    starts[out->n] = at;
    for (size_t i = at; i < in->n; i++)
        if (in->dims[i] != 1)
            return false;
    /* In the order of the last permute, dimensions larger than 1 must be x's own, in order. */
    int64_t next = -1;
    for (size_t i = 0; i < out->n; i++)
        for (size_t k = starts[last[i]]; k < starts[last[i] + 1]; k++) {
            if (in->dims[k] != 1 && axes[k] < next)
                return false;
            if (in->dims[k] != 1)
                next = axes[k];
        }
    tsr_rw_replace_one(
        r, op,
        tsr_ttr_reshape(r, op, tsr_rw_in(first, 0), op->out[0].type->dims, op->out[0].type->n));
    return true;
}
