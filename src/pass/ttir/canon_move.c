/* SPDX-License-Identifier: Apache-2.0 */
/* canon_move.c - canonicalization of ops that move elements: identities are removed, chains become one op. */
#include "pass/ttir/tt.h"

/* f(x) -> x, if nothing changes, including the type. */
static bool is_input(tsr_rewriter *r, tsr_op *op)
{
    if (tsr_rw_in(op, 0)->type != op->out[0].type)
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_in(op, 0));
    return true;
}

bool rule_tt_same_type(tsr_rewriter *r, tsr_op *op)
{
    return is_input(r, op);
}

/* reshape(reshape(x)) -> reshape(x) */
bool rule_tt_reshape_twice(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *first = tsr_ttr_def(tsr_rw_in(op, 0), TSR_OP_TTIR_RESHAPE);
    if (!first)
        return false;
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(first, 0));
    return true;
}

/* reshape(permute(reshape(x))) -> permute(reshape(x)), if the last reshape drops leading ones that the permutation only
 * moves among themselves */
bool rule_tt_reshape_permute_reshape(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *permute = tsr_ttr_single(tsr_rw_in(op, 0), TSR_OP_TTIR_PERMUTE);
    tsr_op *first = permute ? tsr_ttr_def(tsr_rw_in(permute, 0), TSR_OP_TTIR_RESHAPE) : NULL;
    if (!first || !tsr_ttr_tensor(&permute->out[0]))
        return false;
    const tsr_type *mid = permute->out[0].type, *out = op->out[0].type;
    int64_t perm[TSR_TTIR_RANK], inner[TSR_TTIR_RANK];
    if (out->n >= mid->n)
        return false;
    size_t n = mid->n - out->n;
    tsr_ttr_permutation(permute, perm);
    for (size_t i = 0; i < mid->n; i++) {
        if (i < n ? mid->dims[i] != 1 || perm[i] >= (int64_t)n : mid->dims[i] != out->dims[i - n])
            return false;
        if (i >= n)
            inner[i - n] = perm[i] - (int64_t)n;
    }
    const tsr_type *wide = tsr_rw_in(permute, 0)->type;
    tsr_value *v = tsr_ttr_reshape(r, op, tsr_rw_in(first, 0), wide->dims + n, wide->n - n);
    tsr_rw_replace_one(r, op, tsr_ttr_permute(r, op, v, inner));
    return true;
}

/* A permute that must not be changed: ttir-decompose-complex-permute created it. */
static bool kept(const tsr_op *permute)
{
    return tsr_dict_get(permute->extra, TSR_STR("decomposed")) != NULL;
}

/* permute(x) -> x, if only dimensions of size one are exchanged */
bool rule_tt_permute_identity(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *in = tsr_rw_in(op, 0)->type;
    int64_t perm[TSR_TTIR_RANK];
    if (kept(op) || !tsr_ttr_tensor(&op->out[0]))
        return false;
    size_t n = tsr_ttr_permutation(op, perm);
    for (size_t i = 0; i < n; i++)
        if (perm[i] != (int64_t)i && (in->dims[i] != 1 || in->dims[perm[i]] != 1))
            return false;
    return is_input(r, op);
}

/* permute(permute(x)) -> permute(x) */
bool rule_tt_permute_twice(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *first = tsr_ttr_def(tsr_rw_in(op, 0), TSR_OP_TTIR_PERMUTE);
    int64_t a[TSR_TTIR_RANK], b[TSR_TTIR_RANK], both[TSR_TTIR_RANK];
    if (!first || kept(op) || !tsr_ttr_tensor(&op->out[0]))
        return false;
    size_t n = tsr_ttr_permutation(op, b);
    tsr_ttr_permutation(first, a);
    for (size_t i = 0; i < n; i++)
        both[i] = a[b[i]];
    op->attrs[TTIR_PERMUTE_permutation] = tsr_attr_i64_array(r->ctx, both, n);
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(first, 0));
    return true;
}

/* transpose -> permute */
bool rule_tt_transpose_permute(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *v = tsr_rw_in(op, 0);
    int64_t perm[TSR_TTIR_RANK];
    size_t a, b;
    if (!tsr_ttr_tensor(v) || !tt_dim(op->attrs[TTIR_TRANSPOSE_dim0]->i, v->type->n, &a) ||
        !tt_dim(op->attrs[TTIR_TRANSPOSE_dim1]->i, v->type->n, &b))
        return false;
    for (size_t i = 0; i < v->type->n; i++)
        perm[i] = (int64_t)i;
    perm[a] = (int64_t)b;
    perm[b] = (int64_t)a;
    tsr_value *out = tsr_ttr_permute(r, op, v, perm);
    out->type = op->out[0].type;
    tsr_rw_replace_one(r, op, out);
    return true;
}

/* broadcast(x) -> x, if no dimension is repeated */
bool rule_tt_broadcast_ones(tsr_rewriter *r, tsr_op *op)
{
    return tsr_ttr_ones(op->attrs[TTIR_BROADCAST_broadcast_dimensions], 0) && is_input(r, op);
}

/* repeat(x) -> x, if no dimension is repeated */
bool rule_tt_repeat_ones(tsr_rewriter *r, tsr_op *op)
{
    return tsr_ttr_ones(op->attrs[TTIR_REPEAT_repeat_dimensions], 0) && is_input(r, op);
}

/* repeat(repeat(x)) -> repeat(x), if the inner one has no other users */
bool rule_tt_repeat_twice(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *first = tsr_ttr_single(tsr_rw_in(op, 0), TSR_OP_TTIR_REPEAT);
    int64_t times[TSR_TTIR_RANK];
    if (!first || !tsr_ttr_tensor(&op->out[0]))
        return false;
    const tsr_attr *a = first->attrs[TTIR_REPEAT_repeat_dimensions],
                   *b = op->attrs[TTIR_REPEAT_repeat_dimensions];
    for (size_t i = 0; i < tt_count(a); i++)
        times[i] = tt_int_at(a, i) * tt_int_at(b, i);
    op->attrs[TTIR_REPEAT_repeat_dimensions] = tsr_attr_i64_array(r->ctx, times, tt_count(a));
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(first, 0));
    return true;
}

/* repeat_interleave(x, 1) -> x */
bool rule_tt_repeat_interleave_one(tsr_rewriter *r, tsr_op *op)
{
    return op->attrs[TTIR_REPEAT_INTERLEAVE_repeats]->i == 1 && is_input(r, op);
}

/* reverse(reverse(x)) -> reverse(x), along dimensions that only one of them reverses */
bool rule_tt_reverse_twice(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *first = tsr_ttr_def(tsr_rw_in(op, 0), TSR_OP_TTIR_REVERSE);
    int64_t dims[TSR_TTIR_RANK];
    bool turned[TSR_TTIR_RANK] = {false};
    if (!first || !tsr_ttr_tensor(&op->out[0]))
        return false;
    const tsr_attr *lists[] = {first->attrs[TTIR_REVERSE_dimensions],
                               op->attrs[TTIR_REVERSE_dimensions]};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < tt_count(lists[k]); i++)
            turned[tt_int_at(lists[k], i)] ^= true;
    size_t n = 0;
    for (size_t i = 0; i < op->out[0].type->n; i++)
        if (turned[i])
            dims[n++] = (int64_t)i;
    op->attrs[TTIR_REVERSE_dimensions] = tsr_attr_i64_array(r->ctx, dims, n);
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(first, 0));
    return true;
}

/* reverse(x) along nothing -> x */
bool rule_tt_reverse_none(tsr_rewriter *r, tsr_op *op)
{
    return tt_count(op->attrs[TTIR_REVERSE_dimensions]) == 0 && is_input(r, op);
}

/* concat(x) -> x */
bool rule_tt_concat_one(tsr_rewriter *r, tsr_op *op)
{
    return op->nin == 1 && is_input(r, op);
}

/* concat(x, nothing, y) -> concat(x, y) */
bool rule_tt_concat_empty(tsr_rewriter *r, tsr_op *op)
{
    size_t dim;
    uint32_t n = 0;
    if (!tsr_ttr_tensor(&op->out[0]) ||
        !tt_dim(op->attrs[TTIR_CONCAT_dim]->i, op->out[0].type->n, &dim))
        return false;
    tsr_value **in = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nin);
    for (uint32_t i = 0; i < op->nin; i++)
        if (tsr_rw_in(op, i)->type->dims[dim] != 0)
            in[n++] = tsr_rw_in(op, i);
    if (n == op->nin)
        return false;
    if (n == 0)
        return is_input(r, op);
    tsr_rw_set_operands(r, op, in, n);
    return true;
}

/* The range of dimension i that a slice takes, limited to its end. */
static tsr_ttr_range taken(const tsr_op *slice, size_t i)
{
    int64_t size = tsr_rw_in(slice, 0)->type->dims[i];
    tsr_ttr_range r = tsr_ttr_slice_range(slice, i);
    r.begin = r.begin > size ? size : r.begin;
    r.end = r.end > size ? size : r.end;
    return r;
}

/* slice(slice(x)) -> slice(x), if the inner one has no other users */
bool rule_tt_slice_twice(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *first = tsr_ttr_single(tsr_rw_in(op, 0), TSR_OP_TTIR_SLICE_STATIC);
    int64_t begins[TSR_TTIR_RANK], ends[TSR_TTIR_RANK], steps[TSR_TTIR_RANK];
    if (!first || !tsr_ttr_tensor(&op->out[0]) || !tsr_ttr_elements(&op->out[0]))
        return false;
    size_t n = op->out[0].type->n;
    for (size_t i = 0; i < n; i++) {
        tsr_ttr_range a = taken(first, i), b = taken(op, i);
        if (a.step < 1 || b.step < 1)
            return false;
        begins[i] = a.begin + a.step * b.begin;
        ends[i] = a.begin + a.step * (b.end - 1) + 1;
        steps[i] = a.step * b.step;
    }
    tsr_ttir_set_slice(op, begins, ends, steps, n);
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(first, 0));
    return true;
}

/* slice(concat(x, y)) -> y, if it is exactly that part */
bool rule_tt_slice_concat(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *concat = tsr_ttr_def(tsr_rw_in(op, 0), TSR_OP_TTIR_CONCAT);
    size_t dim;
    if (!concat || !tsr_ttr_tensor(&op->out[0]) ||
        !tt_dim(concat->attrs[TTIR_CONCAT_dim]->i, op->out[0].type->n, &dim))
        return false;
    int64_t from = taken(op, dim).begin, at = 0;
    for (uint32_t k = 0; k < concat->nin; k++) {
        tsr_value *part = tsr_rw_in(concat, k);
        if (at != from || part->type != op->out[0].type) {
            at += part->type->dims[dim];
            continue;
        }
        for (size_t i = 0; i < op->out[0].type->n; i++) {
            tsr_ttr_range part_of = taken(op, i);
            if (part_of.step != 1 || (i != dim && part_of.begin != 0))
                return false;
        }
        tsr_rw_replace_one(r, op, part);
        return true;
    }
    return false;
}

/* cumsum(x, -1), cumprod(x, -1) -> the same with the dimension counted from the front */
bool rule_tt_cumulative_dim(tsr_rewriter *r, tsr_op *op)
{
    tsr_attr *dim = op->attrs[TTIR_CUMSUM_dim];
    if (dim->i >= 0)
        return false;
    op->attrs[TTIR_CUMSUM_dim] =
        tsr_attr_int(r->ctx, dim->type, dim->i + (int64_t)tsr_rw_in(op, 0)->type->n);
    r->p->changed = true;
    return true;
}

/* scatter of nothing -> its input */
bool rule_tt_scatter_empty(tsr_rewriter *r, tsr_op *op)
{
    return (tsr_type_num_elements(tsr_rw_in(op, 1)->type) == 0 ||
            tsr_type_num_elements(tsr_rw_in(op, 2)->type) == 0) &&
           is_input(r, op);
}

/* mesh_shard into one part -> its input */
bool rule_tt_mesh_shard_one(tsr_rewriter *r, tsr_op *op)
{
    return op->attrs[TTIR_MESH_SHARD_shard_type]->i != TSR_TT_REPLICATE &&
           tsr_ttr_ones(op->attrs[TTIR_MESH_SHARD_shard_shape], 0) && is_input(r, op);
}

/* collective_broadcast among groups of one -> its input */
bool rule_tt_collective_broadcast_one(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *groups = op->attrs[TTIR_COLLECTIVE_BROADCAST_replica_groups]->type;
    return groups && groups->n == 2 && (groups->dims[0] < 1 || groups->dims[1] <= 1) &&
           is_input(r, op);
}

/* Casts of layouts there and back, without another grid in between -> the original value */
bool rule_tt_layout_cast_twice(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *first = tsr_ttr_def(tsr_rw_in(op, 0), TSR_OP_TTIR_TTNN_METAL_LAYOUT_CAST);
    const int slot = TTIR_TTNN_METAL_LAYOUT_CAST_virtual_grid_inverse_mapping;
    if (!first || first->attrs[slot] || op->attrs[slot] ||
        tsr_rw_in(first, 0)->type->kind != TSR_TYPE_TENSOR ||
        tsr_rw_in(op, 0)->type->kind != TSR_TYPE_TENSOR ||
        tsr_rw_in(first, 0)->type != op->out[0].type)
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_in(first, 0));
    return true;
}
