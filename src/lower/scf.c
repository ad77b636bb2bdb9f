/* SPDX-License-Identifier: Apache-2.0 */
/* scf.c - --scf-to-stablehlo: lowers structured control flow to StableHLO's, and scalars to tensors of rank 0.
 *
 * All types change at once, including those of functions; then ops are lowered one by one, parents before the ops
 * inside them. Needs nothing; breaks ids. */
#include "lower/passes.h"
#include "lower/scalars.h"

/* ---- Types ---- */

static void convert_types(tsr_op *root)
{
    TSR_OPS (root, op) {
        for (uint32_t i = 0; i < op->nout; i++)
            op->out[i].type = tsr_tensor_of_scalar(op->out[i].type);
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b)
                for (uint32_t i = 0; i < b->nargs; i++)
                    b->args[i]->type = tsr_tensor_of_scalar(b->args[i]->type);
        if (!tsr_op_is(op, TSR_OP_FUNC_FUNC))
            continue;
        tsr_attr **type = &op->attrs[FUNC_FUNC_function_type];
        const tsr_type *f = (*type)->type;
        tsr_type_vec types = {0};
        for (uint32_t i = 0; i < f->n + f->nout; i++)
            tsr_vec_push(&types, tsr_tensor_of_scalar(f->types[i]));
        *type = tsr_attr_type(f->ctx, tsr_type_function(f->ctx, types.data, f->n,
                                                        TSR_FROM(types.data, f->n), f->nout));
        tsr_vec_free(&types);
    }
}

/* ---- Regions ---- */

static tsr_op *new_op(tsr_op *at, enum tsr_opcode opcode, tsr_value *const *in, size_t nin,
                      tsr_type *const *types, size_t nout, size_t nregion)
{
    return tsr_op_new(at->module, tsr_opdef_of(at->module->ctx, opcode), at->loc, in, nin, types,
                      nout, nregion, 0);
}

/* Replaces a terminator by a StableHLO return of these values. */
static void return_instead(tsr_op *end, tsr_value *const *values, size_t n)
{
    tsr_op_insert(new_op(end, TSR_OP_STABLEHLO_RETURN, values, n, NULL, 0, 0), end->block, end);
    tsr_op_erase(end);
}

static void yield_instead(tsr_op *end)
{
    tsr_value_vec values = {0};
    for (uint32_t i = 0; i < end->nin; i++)
        tsr_vec_push(&values, end->in[i].value);
    return_instead(end, values.data, values.n);
    tsr_vec_free(&values);
}

static void replace(tsr_op *op, tsr_op *made, uint32_t skip)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_value_replace(&op->out[i], &made->out[i + skip]);
    tsr_op_erase(op);
}

static tsr_op *convert_if(tsr_op *op)
{
    tsr_type_vec types = {0};
    tsr_value *in[] = {op->in[0].value};
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&types, op->out[i].type);
    tsr_op *made = new_op(op, TSR_OP_STABLEHLO_IF, in, 1, types.data, types.n, 2);
    tsr_vec_free(&types);
    tsr_op_insert(made, op->block, op);
    for (int r = 0; r < 2; r++) {
        tsr_region_take(&made->regions[r], &op->regions[r]);
        if (made->regions[r].first) {
            yield_instead(made->regions[r].first->last);
        } else {
            tsr_block *b = tsr_block_new(op->module);
            tsr_block_insert(b, &made->regions[r], NULL);
            tsr_op_insert(new_op(op, TSR_OP_STABLEHLO_RETURN, NULL, 0, NULL, 0, 0), b, NULL);
        }
    }
    replace(op, made, 0);
    return made;
}

/* A while over the counter and the loop-carried values. */
static tsr_op *convert_for(tsr_op *op)
{
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    tsr_value *low = op->in[0].value, *high = op->in[1].value, *step = op->in[2].value;
    bool is_unsigned = tsr_attr_of(op, SCF_FOR_unsignedCmp) != NULL;
    tsr_vec_push(&in, low);
    for (uint32_t i = 3; i < op->nin; i++)
        tsr_vec_push(&in, op->in[i].value);
    for (size_t i = 0; i < in.n; i++)
        tsr_vec_push(&types, in.data[i]->type);
    tsr_op *made = new_op(op, TSR_OP_STABLEHLO_WHILE, in.data, in.n, types.data, types.n, 2);
    tsr_op_insert(made, op->block, op);
    tsr_build outer = tsr_build_before(made),
              cond = tsr_build_in(&outer, &made->regions[0], types.data, types.n);
    tsr_value *a = cond.block->args[0], *z = high;
    if (is_unsigned) {
        tsr_type *u = tsr_type_integer(outer.ctx, tsr_elem(a)->width, TSR_UNSIGNED);
        a = tsr_build_bitcast(&cond, a, u);
        z = tsr_build_bitcast(&cond, z, u);
    }
    tsr_value *more = tsr_build_compare(&cond, "LT", NULL, a, z);
    tsr_build_return(&cond, &more, 1);
    tsr_build_free(&cond);
    tsr_region_take(&made->regions[1], &op->regions[0]);
    tsr_block *body = made->regions[1].first;
    tsr_op *end = body->last;
    tsr_build b = tsr_build_before(end);
    tsr_value *sum[] = {body->args[0], step};
    in.n = 0;
    tsr_vec_push(&in, tsr_build_op(&b, TSR_OP_STABLEHLO_ADD, sum, 2, low->type));
    for (uint32_t i = 0; i < end->nin; i++)
        tsr_vec_push(&in, end->in[i].value);
    return_instead(end, in.data, in.n);
    tsr_build_free(&b);
    tsr_build_free(&outer);
    tsr_vec_free(&in);
    tsr_vec_free(&types);
    replace(op, made, 1);
    return made;
}

/* Whether the condition region passes its arguments on unchanged, and does nothing else: then it maps directly to
 * StableHLO's condition. */
static bool asks_only(const tsr_op *op)
{
    const tsr_block *before = op->regions[0].first;
    const tsr_op *end = before->last;
    if (end->nin != before->nargs + 1)
        return false;
    for (uint32_t i = 0; i < before->nargs; i++)
        if (end->in[i + 1].value != before->args[i])
            return false;
    TSR_BLOCK_OPS (before, inner)
        if (inner != end && !tsr_op_effect_free(inner))
            return false;
    return true;
}

/* Nested conditions are copied repeatedly: the maximum number of copied ops in total. */
enum { MOST_COPIES = 1 << 20 };

/* Copies the ops of a block to the end of another, or before at; returns its terminator's operands. */
static void copy_ops(tsr_block *from, tsr_value *const *args, tsr_block *to, tsr_op *at,
                     tsr_value_vec *out, int64_t *copies)
{
    tsr_mapping map = {0};
    for (uint32_t i = 0; i < from->nargs; i++)
        tsr_mapping_put(&map, from->args[i], args[i]);
    TSR_BLOCK_OPS (from, op) {
        if (op == from->last)
            break;
        tsr_op *copy = tsr_op_clone(op->module, op, &map);
        tsr_op_insert(copy, to, at);
        TSR_OPS (copy, inner)
            ++*copies;
    }
    for (uint32_t i = 0; i < from->last->nin; i++)
        tsr_vec_push(out, tsr_mapping_get(&map, from->last->in[i].value));
    tsr_mapping_free(&map);
}

static tsr_op *convert_while(tsr_op *op, int64_t *copies)
{
    tsr_block *before = op->regions[0].first, *after = op->regions[1].first;
    tsr_value_vec in = {0}, again = {0}, next = {0};
    tsr_type_vec types = {0};
    bool simple = asks_only(op);
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, op->in[i].value);
    if (!simple) /* evaluated once before the loop; then the loop carries the result */
        copy_ops(before, in.data, op->block, op, &next, copies);
    tsr_value_vec *start = simple ? &in : &next;
    for (size_t i = 0; i < start->n; i++)
        tsr_vec_push(&types, start->data[i]->type);
    tsr_op *made =
        new_op(op, TSR_OP_STABLEHLO_WHILE, start->data, start->n, types.data, types.n, 2);
    tsr_op_insert(made, op->block, op);
    if (simple) {
        tsr_region_take(&made->regions[0], &op->regions[0]);
        tsr_value *truth = before->last->in[0].value;
        return_instead(before->last, &truth, 1);
        tsr_region_take(&made->regions[1], &op->regions[1]);
        yield_instead(after->last);
    } else {
        tsr_build outer = tsr_build_before(made),
                  cond = tsr_build_in(&outer, &made->regions[0], types.data, types.n);
        tsr_build_return(&cond, cond.block->args, 1);
        tsr_build body = tsr_build_in(&outer, &made->regions[1], types.data, types.n);
        copy_ops(after, body.block->args + 1, body.block, NULL, &again, copies);
        next.n = 0;
        copy_ops(before, again.data, body.block, NULL, &next, copies);
        tsr_build_return(&body, next.data, next.n);
        tsr_build_free(&cond);
        tsr_build_free(&body);
        tsr_build_free(&outer);
    }
    tsr_vec_free(&in);
    tsr_vec_free(&again);
    tsr_vec_free(&next);
    tsr_vec_free(&types);
    replace(op, made, simple ? 0 : 1);
    return made;
}

/* ---- The pass ---- */

/* Returns the replacement, perhaps after copies of other ops; NULL after a diagnostic. */
static tsr_op *convert_flow(tsr_op *op, int64_t *copies)
{
    if (*copies > MOST_COPIES) {
        tsr_op_error(op, "stands in conditions of too many loops inside each other");
        return NULL;
    }
    switch (op->def->opcode) {
    case TSR_OP_SCF_IF: return convert_if(op);
    case TSR_OP_SCF_FOR: return convert_for(op);
    case TSR_OP_SCF_WHILE: return convert_while(op, copies);
    default: tsr_op_error(op, "has no form in StableHLO"); return NULL;
    }
}

static bool convert_scalar(tsr_op *op)
{
    tsr_build b = tsr_build_before(op);
    tsr_value *out = NULL;
    bool ok = tsr_scalar_rewrite(&b, op, &out);
    if (ok)
        tsr_build_replace(op, &out);
    else
        tsr_op_error(op, "has no form in StableHLO");
    tsr_build_free(&b);
    return ok;
}

bool pass_scf_to_stablehlo(tsr_pass *p, tsr_op *root)
{
    p->changed = true;
    convert_types(root);
    tsr_op *next;
    int64_t copies = 0;
    for (tsr_op *op = tsr_walk_next(root, root); op; op = next) {
        if (tsr_op_in(op, TSR_DIALECT_SCF)) {
            tsr_op *before = op->prev;
            tsr_block *block = op->block;
            TSR_TRY(convert_flow(op, &copies));
            next = before ? before->next : block->first;
            continue;
        }
        next = tsr_walk_next(root, op);
        if (tsr_op_in(op, TSR_DIALECT_ARITH) || tsr_op_in(op, TSR_DIALECT_TENSOR))
            TSR_TRY(convert_scalar(op));
    }
    return true;
}
