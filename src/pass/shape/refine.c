/* SPDX-License-Identifier: Apache-2.0 */
/* refine.c - refines the types of values. */
#include "dialect/tessera/tessera.h"
#include "pass/shape/refine.h"

bool tsr_infer_quietly(const tsr_op *op, tsr_type_vec *out)
{
    tsr_ctx *ctx = op->module->ctx;
    bool quiet = ctx->quiet;
    uint32_t nerror = ctx->nerror;
    ctx->quiet = true;
    bool ok = op->def->infer && op->def->infer(op, out);
    ctx->quiet = quiet;
    ctx->nerror = nerror;
    return ok;
}

bool tsr_refine_inferred_types(const tsr_op *op, tsr_type_vec *out)
{
    if (!op->def->infer || !op->nout || !tsr_infer_quietly(op, out) || out->n != op->nout)
        return false;
    if (tsr_op_has(op, TSR_TRAIT(INFER_TYPES)))
        return true;
    for (uint32_t i = 0; i < op->nout; i++) {
        const tsr_type *t = out->data[i], *now = op->out[i].type;
        if (t->kind != TSR_TYPE_TENSOR || !tsr_type_is_shaped(now))
            out->data[i] = op->out[i].type;
        else if (t->elem != now->elem)
            out->data[i] = tsr_type_tensor(t->ctx, t->dims, t->n, now->elem, t->attr);
    }
    return true;
}

/* Tensors whose dimensions may have names. */
static tsr_type *both_named(const tsr_type *a, const tsr_type *b)
{
    tsr_tessera_dims dims = {0};
    bool ok = a->n == b->n && a->elem == b->elem;
    for (uint32_t i = 0; ok && i < a->n; i++) {
        tsr_tessera_dim d;
        ok = tsr_tessera_same_dim(tsr_tessera_dim_of(a, i), tsr_tessera_dim_of(b, i), &d);
        tsr_vec_push(&dims, d);
    }
    tsr_type *t = ok ? tsr_tessera_tensor(dims.data, dims.n, a->elem) : NULL;
    tsr_vec_free(&dims);
    return t;
}

tsr_type *tsr_type_both(const tsr_op *at, tsr_type *a, tsr_type *b)
{
    if (a == b)
        return a;
    bool tensors = (a->kind == TSR_TYPE_TENSOR || a->kind == TSR_TYPE_UNRANKED_TENSOR) &&
                   (b->kind == TSR_TYPE_TENSOR || b->kind == TSR_TYPE_UNRANKED_TENSOR);
    bool tuples = a->kind == TSR_TYPE_TUPLE && b->kind == TSR_TYPE_TUPLE;
    if ((!tensors && !tuples) || (tensors && !tsr_hlo_compatible_element(a, b)))
        return NULL;
    if (tensors && a->elem == b->elem && a->kind != b->kind)
        return a->kind == TSR_TYPE_TENSOR ? a : b;
    if (tensors && (tsr_tessera_plain(a) != a || tsr_tessera_plain(b) != b))
        return both_named(a, b);
    tsr_ctx *ctx = at->module->ctx;
    bool quiet = ctx->quiet;
    uint32_t nerror = ctx->nerror;
    ctx->quiet = true;
    tsr_type *both[] = {a, b}, *out = NULL;
    if ((tensors && !tsr_hlo_compatible(a, b)) || !tsr_hlo_most_specific(at, both, 2, &out))
        out = NULL;
    ctx->quiet = quiet;
    ctx->nerror = nerror;
    return out;
}

static bool all_take_refined(const tsr_value *v);

/* Ops that accept operands of other types than their original ones. A result that aliases the operand gets its type. */
static bool takes_refined(const tsr_use *use)
{
    const tsr_op *user = use->user;
    uint32_t at = 0;
    for (const tsr_value *v; (v = tsr_alias_next(use, &at)) != NULL;)
        if (!all_take_refined(v))
            return false;
    if (tsr_op_is(user, TSR_OP_FUNC_RETURN) || tsr_op_is(user, TSR_OP_FUNC_CALL))
        return true;
    return tsr_op_in(user, TSR_DIALECT_STABLEHLO) || tsr_op_in(user, TSR_DIALECT_CHLO) ||
           tsr_op_in(user, TSR_DIALECT_SDY) || tsr_op_in(user, TSR_DIALECT_TESSERA);
}

static bool all_take_refined(const tsr_value *v)
{
    for (const tsr_use *u = v->uses; u; u = u->next)
        if (!takes_refined(u))
            return false;
    return true;
}

static bool users_take_refined(const tsr_rewriter *r, const tsr_value *v)
{
    return r->o->refine_all || all_take_refined(v);
}

static void refine(tsr_rewriter *r, tsr_value *v, tsr_type *type)
{
    v->type = type;
    for (tsr_use *u = v->uses; u; u = u->next) {
        tsr_op *parent = tsr_block_parent(u->user->block);
        if (tsr_op_is(u->user, TSR_OP_FUNC_RETURN) && parent &&
            tsr_op_is(parent, TSR_OP_FUNC_FUNC) && !u->user->block->next && !u->user->block->prev)
            tsr_func_update_type(parent);
        tsr_rw_touch(r, u->user);
    }
    r->p->changed = true;
}

bool tsr_refine_values(tsr_rewriter *r, const tsr_op *at, tsr_value *const *values,
                       tsr_type *const *types, size_t n)
{
    bool some = false;
    tsr_type **both = TSR_NEW_ARRAY(r->p->scratch, tsr_type *, n + 1);
    for (size_t i = 0; i < n; i++) {
        both[i] = tsr_type_both(at, values[i]->type, types[i]);
        if (!both[i] && r->o->loud && !r->failed) {
            r->failed = true;
            tsr_op_error(at, "has a value of type %s, for which %s follows",
                         tsr_hlo_show_type(values[i]->type), tsr_hlo_show_type(types[i]));
        }
        if (!both[i])
            return false;
        some |= both[i] != values[i]->type;
    }
    if (!some)
        return false;
    some = false;
    for (size_t i = 0; i < n; i++)
        if (both[i] != values[i]->type && users_take_refined(r, values[i])) {
            refine(r, values[i], both[i]);
            some = true;
        }
    return some;
}

bool tsr_refine_results(tsr_rewriter *r, tsr_op *op, tsr_type *const *types, size_t n)
{
    if (n != op->nout)
        return false;
    tsr_value **values = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, n + 1);
    for (size_t i = 0; i < n; i++)
        values[i] = &op->out[i];
    if (!tsr_refine_values(r, op, values, types, n))
        return false;
    tsr_rw_touch(r, op);
    return true;
}

/* The type t with other dimensions; NULL if it is not a tensor or cannot have them. */
static tsr_type *with_shape(const tsr_type *t, const int64_t *dims, size_t n)
{
    if ((t->kind != TSR_TYPE_TENSOR && t->kind != TSR_TYPE_UNRANKED_TENSOR) || t->attr)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (dims[i] < 0 && dims[i] != TSR_DYNAMIC)
            return NULL;
    return tsr_type_tensor(t->ctx, dims, n, t->elem, NULL);
}

bool tsr_refine_shape(tsr_rewriter *r, tsr_op *op, const int64_t *dims, size_t n)
{
    tsr_type *type = op->nout == 1 ? with_shape(op->out[0].type, dims, n) : NULL;
    return type && tsr_refine_results(r, op, &type, 1);
}
