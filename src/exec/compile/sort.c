/* SPDX-License-Identifier: Apache-2.0 */
/* sort.c - sort and top_k: their EXEC hooks. The sorted dimension becomes the last one. */
#include "exec/sort.h"

#include "exec/compile/value.h"
#include "exec/target.h"

static bool has_order(const tsr_xbuilder *b, const tsr_sort_key *k, tsr_dtype d)
{
    bool ieee = d == TSR_D_F16 || d == TSR_D_BF16 || d == TSR_D_F32 || d == TSR_D_F64;
    return !k->part &&
           (tsr_dtype_is_int(d) || (ieee && (k->total || b->p->target->unordered_keys)));
}

/* Keys whose NaNs have no order become keys in total order, with one NaN and one zero. */
static void give_order(const tsr_xbuilder *b, const tsr_op *op, tsr_sort_plan *p)
{
    for (size_t i = 0; i < p->nkey; i++) {
        tsr_sort_key *k = &p->keys[i];
        if (k->total || !tsr_dtype_is_float(tsr_xdtype_of(b, tsr_x_in(b, op, k->operand))))
            continue;
        k->total = k->one_nan = k->one_zero = true;
        p->unordered |= 1u << i;
    }
}

/* v with dimension d moved to the end, or back. */
static tsr_xid with_last(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, int64_t d, bool back)
{
    int64_t order[TSR_VIEW_RANK], last = tsr_xvalue_at(b, v)->rank - 1;
    for (int64_t i = 0; i <= last; i++)
        order[i] = back ? (i == d ? last : i - (i > d)) : (i == last ? d : i + (i >= d));
    return tsr_x_permuted(b, op, v, order);
}

/* Whether v is an iota along dimension d. */
static bool is_places(const tsr_xbuilder *b, tsr_xid v, int64_t d)
{
    tsr_xshape view;
    tsr_dtype type = tsr_xdtype_of(b, v);
    if (tsr_xvalue_at(b, tsr_storage_of(b->p, v))->place != TSR_PLACE_IOTA ||
        !tsr_dtype_is_int(type) || tsr_dtype_bits(type) < 32 || !tsr_x_shape(b, v, &view) ||
        view.offset)
        return false;
    for (int64_t i = 0; i < view.rank; i++)
        if (view.dims[i] != 1 && view.strides[i] != (i == d))
            return false;
    return true;
}

/* Operands that are keys, or whose sorted elements are used; others are not read. */
static uint32_t operands_of(const tsr_xbuilder *b, const tsr_op *op, const tsr_sort_plan *p,
                            int64_t dim, uint32_t *number)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < op->nin; i++) {
        bool read = op->out[i].uses && !is_places(b, tsr_x_in(b, op, i), dim);
        for (size_t k = 0; k < p->nkey; k++)
            read |= p->keys[k].operand == i;
        number[i] = read ? n++ : TSR_SORT_PLACES;
    }
    return n;
}

/* Whether shapes and keys of an op can be sorted along dim here; sets the sizes of the plan. */
static bool can_sort(const tsr_xbuilder *b, const tsr_op *op, tsr_sort_plan *p, int64_t dim)
{
    const tsr_xvalue *x = tsr_xvalue_at(b, tsr_x_in(b, op, 0));
    p->n = x->dims[dim];
    p->slices = x->n / p->n;
    if (p->n >= INT32_MAX)
        return false;
    for (uint32_t i = 0; i < op->nin; i++)
        if (tsr_xvalue_at(b, tsr_x_in(b, op, i))->n != x->n)
            return false;
    for (size_t i = 0; i < p->nkey; i++)
        if (p->keys[i].operand >= op->nin ||
            !has_order(b, &p->keys[i], tsr_xdtype_of(b, tsr_x_in(b, op, p->keys[i].operand))))
            return false;
    give_order(b, op, p);
    return true;
}

static bool sorted(tsr_xbuilder *b, tsr_op *op, tsr_sort_plan *p, int64_t dim)
{
    const tsr_xvalue *x = tsr_xvalue_at(b, tsr_x_in(b, op, 0));
    tsr_xid in[TSR_SORT_MOST], out[TSR_SORT_MOST];
    tsr_type *types[TSR_SORT_MOST];
    uint32_t number[TSR_SORT_MOST], nout = 0;
    int64_t dims[TSR_VIEW_RANK];
    if (!x->n && op->nout == op->nin) { /* no elements: results are the operands */
        for (uint32_t i = 0; i < op->nin; i++)
            tsr_x_set(b, op, i, tsr_x_in(b, op, i));
        return true;
    }
    if (x->n <= 0 || !x->rank || x->rank > TSR_VIEW_RANK || op->nin > TSR_SORT_MOST ||
        op->nout > TSR_SORT_MOST)
        return false;
    uint8_t rank = x->rank;
    dim += dim < 0 ? rank : 0;
    if (!can_sort(b, op, p, dim))
        return false;
    uint32_t nin = operands_of(b, op, p, dim, number);
    for (uint32_t i = 0; i < op->nin; i++)
        if (number[i] != TSR_SORT_PLACES)
            in[number[i]] = tsr_x_whole(b, with_last(b, op, tsr_x_in(b, op, i), dim, false));
    for (size_t i = 0; i < p->nkey; i++)
        p->keys[i].operand = number[p->keys[i].operand];
    memcpy(dims, tsr_xvalue_at(b, in[0])->dims, rank * sizeof *dims);
    dims[rank - 1] = p->k = p->k ? p->k : p->n;
    for (uint32_t i = 0; i < op->nout; i++) {
        if (!op->out[i].uses)
            continue;
        p->from[nout] = (uint8_t)(i < op->nin ? number[i] : TSR_SORT_PLACES);
        types[nout++] = tsr_type_tensor(b->p->module->ctx, dims, rank, op->out[i].type->elem, NULL);
    }
    tsr_node *n = tsr_x_node(b, TSR_NODE_MOVE, op, in, nin, types, nout);
    n->move = TSR_MOVE_SORT;
    n->sort = tsr_arena_copy(&b->p->arena, p, sizeof *p);
    memcpy(out, n->out, nout * sizeof *out);
    tsr_x_done(b, n);
    for (uint32_t i = 0, k = 0; i < op->nout; i++)
        if (op->out[i].uses) {
            tsr_xid v = out[k++];
            tsr_x_set(b, op, i, dim == rank - 1 ? v : with_last(b, op, v, dim, true));
        }
    return true;
}

bool exec_sort(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_attr *dim = tsr_attr_of(op, STABLEHLO_SORT_dimension);
    tsr_sort_plan p = {.nkey = tsr_sort_keys(&op->regions[0], p.keys)};
    return p.nkey && op->nout == op->nin && sorted(b, op, &p, dim ? dim->i : -1);
}

bool exec_top_k(tsr_xbuilder *b, tsr_op *op)
{
    tsr_sort_plan p = {.keys = {{.descending = true, .total = true}},
                       .nkey = 1,
                       .k = tsr_attr_of(op, CHLO_TOP_K_k)->i};
    tsr_dtype d = tsr_dtype_of(op->out[1].type->elem);
    return p.k > 0 && (d == TSR_D_I32 || d == TSR_D_I64) && sorted(b, op, &p, -1);
}
