/* SPDX-License-Identifier: Apache-2.0 */
/* make.c - creates ops of Graph IR in place of a pattern; omits transposes and reshapes that undo one another. */
#include "pass/fuse/raise.h"

tsr_op *tsr_raise_new(const tsr_match *m, enum tsr_opcode opcode, tsr_value *const *in, size_t n,
                      tsr_type *type)
{
    tsr_op *at = m->root;
    tsr_type *t = type ? type : at->out[0].type;
    tsr_op *op =
        tsr_op_new(at->module, tsr_opdef_of(at->module->ctx, opcode), at->loc, in, n, &t, 1, 0, 0);
    tsr_op_insert(op, at->block, at);
    m->pass->changed = true;
    return op;
}

static tsr_type *shaped(const tsr_match *m, const int64_t *dims, size_t n, tsr_type *elem)
{
    return tsr_type_tensor(m->root->module->ctx, dims, n, elem, NULL);
}

tsr_value *tsr_raise_cast(const tsr_match *m, tsr_value *v, tsr_type *elem)
{
    if (v->type->elem == elem)
        return v;
    return &tsr_raise_new(m, TSR_OP_TESSERA_CAST, &v, 1, shaped(m, v->type->dims, v->type->n, elem))
                ->out[0];
}

tsr_op *tsr_raise_layer(const tsr_match *m, enum tsr_opcode opcode, tsr_value **in, size_t n)
{
    tsr_type *elem = m->root->out[0].type->elem;
    if (in[0]->type->elem->width < elem->width)
        in[0] = tsr_raise_cast(m, in[0], elem);
    for (int i = 0; i < 4 && in[0]->type->elem != elem && !in[0]->is_arg && tsr_widens(in[0]->op);
         i++)
        in[0] = in[0]->op->in[0].value;
    return tsr_raise_new(m, opcode, in, n, in[0]->type);
}

tsr_value *tsr_raise_reshape(const tsr_match *m, tsr_value *v, const int64_t *dims, size_t n)
{
    tsr_type *t = shaped(m, dims, n, v->type->elem);
    for (int i = 0; i < 4 && v->type != t && tsr_role_made(v) == ROLE_RESHAPE &&
                    tsr_view_fits(v->op->in[0].value);
         i++)
        v = v->op->in[0].value;
    return v->type == t ? v : &tsr_raise_new(m, TSR_OP_TESSERA_RESHAPE, &v, 1, t)->out[0];
}

tsr_value *tsr_raise_transpose(const tsr_match *m, tsr_value *v, const int64_t *perm)
{
    int64_t p[TSR_RAISE_RANK] = {0}, dims[TSR_RAISE_RANK];
    uint32_t n = v->type->n;
    if (n)
        memcpy(p, perm, n * sizeof *p);
    for (int i = 0; i < 4 && tsr_role_made(v) == ROLE_TRANSPOSE; i++) {
        const tsr_op *op = v->op;
        bool hlo = tsr_op_is(op, TSR_OP_STABLEHLO_TRANSPOSE);
        if (!tsr_view_fits(op->in[0].value))
            break;
        for (uint32_t k = 0; k < n; k++)
            p[k] = hlo ? tsr_hlo_at(tsr_attr_of(op, STABLEHLO_TRANSPOSE_permutation), (size_t)p[k])
                       : tsr_tessera_perm(op, n, (size_t)p[k]);
        v = op->in[0].value;
    }
    bool identity = true;
    for (uint32_t k = 0; k < n; k++) {
        identity &= p[k] == (int64_t)k;
        dims[k] = v->type->dims[p[k]];
    }
    if (identity)
        return v;
    tsr_op *op =
        tsr_raise_new(m, TSR_OP_TESSERA_TRANSPOSE, &v, 1, shaped(m, dims, n, v->type->elem));
    op->attrs[TESSERA_TRANSPOSE_permutation] = tsr_attr_i64_array(op->module->ctx, p, n);
    return &op->out[0];
}

tsr_value *tsr_raise_arrange(const tsr_match *m, const tsr_view *w, const int8_t *order, size_t n,
                             bool trim)
{
    tsr_value *v = w->v;
    uint32_t rank = v->type->n, used = 0;
    int64_t perm[TSR_RAISE_RANK], dims[TSR_RAISE_RANK];
    bool sorted = true;
    /* Dimensions of size 1 without a source come first; the reshape drops them. */
    for (uint32_t i = 0; i < rank; i++)
        if (w->at[i] < 0)
            perm[used++] = i;
    uint32_t placed = used;
    for (size_t k = 0; k < n; k++) {
        dims[k] = 1;
        for (uint32_t i = 0; i < rank; i++)
            if (w->at[i] == order[k]) {
                sorted &= used == placed || perm[used - 1] < (int64_t)i;
                dims[k] = v->type->dims[i];
                perm[used++] = i;
            }
    }
    if (used != rank)
        return NULL;
    if (!sorted)
        v = tsr_raise_transpose(m, v, perm);
    size_t skip = 0;
    while (trim && skip + 1 < n && dims[skip] == 1)
        skip++;
    return tsr_raise_reshape(m, v, dims + skip, n - skip);
}

tsr_attr *tsr_raise_f64(const tsr_match *m, double x)
{
    tsr_ctx *ctx = m->root->module->ctx;
    return tsr_attr_float(ctx, tsr_type_float(ctx, TSR_F64), x);
}

bool tsr_raise_put(tsr_match *m, tsr_value *v)
{
    tsr_op *op = m->root;
    v = tsr_raise_cast(m, v, op->out[0].type->elem);
    tsr_tell_raised(m);
    if (!v->is_arg && v->op->block == op->block && v->type == op->out[0].type && !v->op->extra &&
        !v->uses)
        v->op->extra = op->extra; /* shardings and the like */
    tsr_value_replace(&op->out[0], v);
    tsr_op_erase(op);
    m->pass->changed = true;
    return true;
}
