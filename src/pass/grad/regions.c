/* SPDX-License-Identifier: Apache-2.0 */
/* regions.c - bodies of ops: captured values, copies, and bodies on scalars applied to tensors. */
#include "pass/grad/grad.h"

/* ---- Copies ---- */

static bool is_inside(const tsr_value *v, const tsr_op *op)
{
    const tsr_block *b = v->is_arg ? v->block : v->op->block;
    while (b && b->region) {
        if (b->region->op == op)
            return true;
        b = b->region->op->block;
    }
    return false;
}

void tsr_grad_captures(tsr_grad *g, tsr_op *op, tsr_value_vec *out)
{
    uint32_t stamp = ++g->stamp;
    for (tsr_op *inner = tsr_walk_next(op, op); inner; inner = tsr_walk_next(op, inner))
        for (uint32_t i = 0; i < inner->nin; i++) {
            tsr_value *v = tsr_grad_in(inner, i);
            if (!tsr_grad_varied(g, v) || tsr_grad_dual(g, v)->seen == stamp || is_inside(v, op))
                continue;
            tsr_grad_dual(g, v)->seen = stamp;
            tsr_vec_push(out, v);
        }
}

tsr_op *tsr_grad_copy_block(tsr_grad *g, tsr_block *from, tsr_block *to, tsr_mapping *map)
{
    TSR_BLOCK_OPS (from, op)
        tsr_op_insert(tsr_op_clone(g->b.module, op, map), to, NULL);
    return to->last;
}

/* ---- Bodies on scalars ---- */

/* Applies an op of the body to tensors of the shape of like. */
static tsr_value *apply_op(tsr_build *b, tsr_op *op, tsr_value *like, const tsr_mapping *map,
                           tsr_value_vec *in)
{
    if (op->nout != 1 || op->nregion || !tsr_hlo_is_ranked(op->out[0].type) || op->out[0].type->n)
        return NULL;
    if (tsr_value_is_constant(&op->out[0]) && op->def->nslot)
        return tsr_build_like_attr(b, like, op->out[0].type->elem, op->attrs[0]);
    if (!tsr_op_has(op, TSR_TRAIT(ELEMENTWISE) | TSR_TRAIT(BROADCASTING_ELEMENTWISE)))
        return NULL;
    in->n = 0;
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *v = tsr_mapping_get(map, tsr_grad_in(op, i));
        if (v == tsr_grad_in(op, i)) /* from outside */
            v = tsr_grad_fill(b, v, like);
        tsr_vec_push(in, v);
    }
    tsr_op *wide = tsr_build_open(b, (enum tsr_opcode)op->def->opcode, in->data, in->n, 1, 0);
    for (uint16_t i = 0; i < op->def->nslot; i++)
        wide->attrs[i] = op->attrs[i];
    tsr_type *type = tsr_hlo_with_element(like->type, op->out[0].type->elem);
    return &tsr_build_close_as(b, wide, &type)->out[0];
}

bool tsr_grad_apply(tsr_build *b, tsr_region *body, tsr_value *const *in, size_t nin,
                    tsr_value_vec *out)
{
    tsr_mapping map = {0};
    tsr_value_vec operands = {0};
    tsr_block *block = body->first;
    bool ok = block && !block->next && block->nargs == nin && nin;
    for (size_t i = 0; ok && i < nin; i++)
        tsr_mapping_put(&map, block->args[i], in[i]);
    for (tsr_op *op = ok ? block->first : NULL; ok && op; op = op->next) {
        if (tsr_op_has(op, TSR_TRAIT(TERMINATOR))) {
            for (uint32_t i = 0; i < op->nin; i++) {
                tsr_value *v = tsr_mapping_get(&map, tsr_grad_in(op, i));
                tsr_vec_push(out, v == tsr_grad_in(op, i) ? tsr_grad_fill(b, v, in[0]) : v);
            }
            break;
        }
        tsr_value *v = apply_op(b, op, in[0], &map, &operands);
        ok = v != NULL;
        if (ok)
            tsr_mapping_put(&map, &op->out[0], v);
    }
    tsr_mapping_free(&map);
    tsr_vec_free(&operands);
    return ok;
}

bool tsr_grad_add_init(tsr_build *b, tsr_op *op, tsr_value *const *reduced, uint32_t n,
                       tsr_value **out)
{
    tsr_value_vec in = {0}, results = {0};
    for (uint32_t i = 0; i < n; i++)
        tsr_vec_push(&in, tsr_grad_fill(b, tsr_grad_in(op, n + i), reduced[i]));
    for (uint32_t i = 0; i < n; i++)
        tsr_vec_push(&in, reduced[i]);
    bool ok = tsr_grad_apply(b, &op->regions[0], in.data, in.n, &results);
    for (uint32_t i = 0; ok && i < n; i++)
        out[i] = results.data[i];
    tsr_vec_free(&in);
    tsr_vec_free(&results);
    return ok;
}

void tsr_grad_body(tsr_grad *g, tsr_region *region, enum tsr_opcode opcode, tsr_type *elem)
{
    tsr_type *scalar = tsr_scalar_type(elem), *args[] = {scalar, scalar};
    tsr_build body = tsr_build_in(&g->b, region, args, 2);
    tsr_value *v = tsr_build_op(&body, opcode, body.block->args, 2, scalar);
    tsr_build_return(&body, &v, 1);
    tsr_build_free(&body);
}
