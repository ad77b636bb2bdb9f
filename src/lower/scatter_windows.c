/* SPDX-License-Identifier: Apache-2.0 */
/* scatter_windows.c - --tessera-scatter-whole-windows: a window of a scatter that is partly out of bounds is not
 * written at all, as in XLA; StableHLO writes the elements that are in bounds. Needs nothing; breaks ids. Indices of
 * such windows are replaced by ones far out of bounds, so that the program has the same meaning for both. */
#include "dialect/params.h"
#include "dialect/stablehlo/build.h"
#include "lower/passes.h"

static bool is_known(const tsr_type *t)
{
    return t->kind == TSR_TYPE_TENSOR && tsr_type_has_static_shape(t);
}

/* A number for each component of an index, broadcast to all indices. */
static tsr_value *spread(tsr_build *b, const int64_t *numbers, size_t n, tsr_value *indices,
                         int64_t vector_dim)
{
    tsr_type *elem = indices->type->elem;
    if (vector_dim == indices->type->n)
        return tsr_build_like_int(b, indices, elem, numbers[0]);
    tsr_value *v = tsr_build_ints(b, numbers, n);
    if (elem != b->ctx->i64)
        v = tsr_build_convert(b, v, elem);
    return tsr_build_broadcast(b, v, &vector_dim, indices->type);
}

/* Keeps indices of whole windows, and replaces others by positions a window's size before the operand. last: the last
 * position of each component; before: the replacement. */
static tsr_value *only_whole(tsr_build *b, tsr_value *indices, const int64_t *last,
                             const int64_t *before, size_t n, int64_t vector_dim)
{
    tsr_value *zero = tsr_build_like_int(b, indices, indices->type->elem, 0);
    tsr_value *in[] = {
        tsr_build_compare(b, "GE", "SIGNED", indices, zero),
        tsr_build_compare(b, "LE", "SIGNED", indices, spread(b, last, n, indices, vector_dim))};
    tsr_value *whole = tsr_build_op(b, TSR_OP_STABLEHLO_AND, in, 2, NULL);
    tsr_value *pick[] = {whole, indices, spread(b, before, n, indices, vector_dim)};
    return tsr_build_op(b, TSR_OP_STABLEHLO_SELECT, pick, 3, indices->type);
}

static bool change(tsr_op *op, bool *changed)
{
    enum { MOST = 64 };
    uint32_t n = op->nin / 2;
    tsr_gather g;
    tsr_gather_of(op, &g);
    tsr_value *indices = op->in[n].value;
    const tsr_type *operand = op->in[0].value->type, *update = op->in[n + 1].value->type;
    int64_t last[MOST], before[MOST];
    size_t count = g.map.n;
    bool wide = false;
    if (!count || count > MOST || !is_known(operand) || !is_known(update) ||
        !is_known(indices->type))
        return true;
    for (size_t i = 0; i < count; i++) {
        int64_t dim = tsr_ints_at(g.map, i), size = tsr_gather_window(&g, update, dim);
        last[i] = operand->dims[dim] - size;
        before[i] = -size;
        wide |= size > 1;
        if (size > INT32_MAX || operand->dims[dim] > INT32_MAX)
            return true;
    }
    if (!wide)
        return true;
    tsr_build b = tsr_build_before(op);
    const tsr_type *elem = indices->type->elem;
    if (elem->sub == TSR_UNSIGNED || elem->width < 32)
        indices = tsr_build_convert(&b, indices, b.ctx->i64);
    indices = only_whole(&b, indices, last, before, count, g.vector);
    bool ok = indices && !b.failed;
    tsr_build_free(&b);
    TSR_TRY(ok);
    op->attrs[STABLEHLO_SCATTER_indices_are_sorted] = tsr_attr_bool(op->module->ctx, false);
    tsr_op_set_operand(op, n, indices);
    *changed = true;
    return true;
}

bool pass_tessera_scatter_whole_windows(tsr_pass *p, tsr_op *root)
{
    if (!tsr_module_may_have(root->module, TSR_OP_STABLEHLO_SCATTER))
        return true;
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_STABLEHLO_SCATTER))
            TSR_TRY(change(op, &p->changed));
    return true;
}
