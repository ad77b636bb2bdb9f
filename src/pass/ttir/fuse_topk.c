/* SPDX-License-Identifier: Apache-2.0 */
/* fuse_topk.c - ttir-fusing: a sort of which only the first or the last few elements are used becomes topk. */
#include "pass/ttir/tt.h"

/* The only slice that uses v; ok: v has no other use. */
static tsr_op *slice_of(const tsr_value *v, bool *ok)
{
    if (!v->uses)
        return NULL;
    tsr_op *op = tsr_ttr_user(v);
    if (op && tsr_op_is(op, TSR_OP_TTIR_SLICE_STATIC))
        return op;
    *ok = false;
    return NULL;
}

static tsr_op *make_topk(tsr_rewriter *r, tsr_op *sort, tsr_type *const *types, int64_t k,
                         int64_t dim, bool largest)
{
    tsr_value *x = tsr_rw_in(sort, 0);
    tsr_op *topk = tsr_rw_new(r, sort, TSR_OP_TTIR_TOPK, &x, 1, types, 2, 0);
    topk->attrs[TTIR_TOPK_k] = tsr_attr_i32(r->ctx, (int32_t)k);
    topk->attrs[TTIR_TOPK_dim] = tsr_attr_i32(r->ctx, (int32_t)dim);
    topk->attrs[TTIR_TOPK_largest] = tsr_attr_bool(r->ctx, largest);
    topk->attrs[TTIR_TOPK_sorted] = tsr_attr_bool(r->ctx, true);
    return topk;
}

/* slice(sort(x)) -> topk(x), for integers: topk orders float zeros and NaNs differently, and of equal elements the last
 * k are not the first k. The peer ignores both. */
bool rule_tt_fuse_topk(tsr_rewriter *r, tsr_op *op)
{
    bool ok = true;
    tsr_op *slices[] = {slice_of(&op->out[0], &ok), slice_of(&op->out[1], &ok)},
           *slice = slices[0] ? slices[0] : slices[1];
    tsr_value *x = tsr_rw_in(op, 0);
    size_t dim;
    if (!ok || !slice || !tsr_ttr_tensor(x) ||
        !tt_dim(op->attrs[TTIR_SORT_dim]->i, x->type->n, &dim))
        return false;
    for (size_t i = 0; slices[0] && slices[1] && i < slice->def->nslot; i++)
        if (slices[0]->attrs[i] != slices[1]->attrs[i])
            return false;
    int64_t begin = 0, end = 0, dims[TSR_TTIR_RANK];
    for (size_t i = 0; i < x->type->n; i++) {
        tsr_ttr_range taken = tsr_ttr_slice_range(slice, i);
        if (taken.step != 1 || (i != dim && (taken.begin != 0 || taken.end != x->type->dims[i])))
            return false;
        begin = i == dim ? taken.begin : begin;
        end = i == dim ? taken.end : end;
    }
    bool last = begin != 0;
    if (!r->ctx->as_peer && (!tt_is_integer(x->type->elem) || (last && slices[1])))
        return false;
    if ((last && end != x->type->dims[dim]) || end <= begin)
        return false;
    memcpy(dims, x->type->dims, x->type->n * sizeof *dims);
    dims[dim] = end - begin;
    tsr_type *types[] = {
        slices[0] ? slices[0]->out[0].type : tsr_ttir_shaped(op->out[0].type, dims, x->type->n),
        slices[1] ? slices[1]->out[0].type : tsr_ttir_shaped(op->out[1].type, dims, x->type->n)};
    bool descending = op->attrs[TTIR_SORT_descending]->i != 0;
    tsr_op *topk = make_topk(r, op, types, end - begin, (int64_t)dim, last != descending);
    for (int i = 0; i < 2; i++) {
        tsr_value *v = &topk->out[i];
        if (!slices[i])
            continue;
        if (last && end - begin > 1) {
            /* The last elements are in the order of the sort; topk returns the best first. */
            tsr_op *reverse = tsr_ttr_op(r, op, TSR_OP_TTIR_REVERSE, &v, 1, v->type);
            reverse->attrs[TTIR_REVERSE_dimensions] =
                tsr_attr_i64_array(r->ctx, (int64_t[]){(int64_t)dim}, 1);
            v = &reverse->out[0];
        }
        tsr_rw_replace_one(r, slices[i], v);
    }
    return true;
}
