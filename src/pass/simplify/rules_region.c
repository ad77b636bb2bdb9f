/* SPDX-License-Identifier: Apache-2.0 */
/* rules_region.c - rules of ops with regions: reductions, sorting, branches and loops; and of custom calls. */
#include "dialect/reducer.h"
#include "dialect/stablehlo/types.h"
#include "pass/simplify/simplify.h"

static tsr_op *ending(const tsr_op *op, size_t region)
{
    tsr_block *b = op->regions[region].first;
    return b && b == op->regions[region].last && b->last &&
                   tsr_op_is(b->last, TSR_OP_STABLEHLO_RETURN)
               ? b->last
               : NULL;
}

static bool defined_in(const tsr_value *v, const tsr_region *region)
{
    const tsr_block *b = v->is_arg ? v->block : v->op->block;
    return b && b->region == region;
}

/* ---- reduce ---- */

/* Whether each result has at least one element reduced into it; otherwise it is the initial value. */
static bool reduces_some(const tsr_op *op)
{
    const tsr_type *type = tsr_rw_in(op, 0)->type;
    const tsr_attr *dims = op->attrs[STABLEHLO_REDUCE_dimensions];
    for (size_t i = 0; i < tsr_hlo_len(dims); i++)
        if (type->dims[tsr_hlo_at(dims, i)] <= 0)
            return false;
    return true;
}

/* reduce(x, dimensions = []) -> x. Strict: not applied, as an initial value that is not neutral would count. */
bool rule_reduce_nothing(tsr_rewriter *r, tsr_op *op)
{
    if (r->o->strict || tsr_hlo_len(op->attrs[STABLEHLO_REDUCE_dimensions]))
        return false;
    tsr_value **values = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nout);
    for (uint32_t i = 0; i < op->nout; i++) {
        values[i] = tsr_rw_in(op, i);
        if (values[i]->type != op->out[i].type)
            return false;
    }
    tsr_rw_replace(r, op, values);
    return true;
}

/* reduce(x) with a body that returns constants -> those constants, broadcast */
bool rule_reduce_to_constant(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *end = ending(op, 0);
    if (!end || end->block->first != end || (r->o->strict && !reduces_some(op)))
        return false;
    for (uint32_t i = 0; i < op->nout; i++)
        if (!tsr_const_splat(tsr_rw_in(end, i)) || !tsr_rw_static(&op->out[i]) ||
            tsr_rw_in(end, i)->type->elem != op->out[i].type->elem)
            return false;
    tsr_value **values = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nout);
    for (uint32_t i = 0; i < op->nout; i++)
        values[i] = tsr_rw_constant(
            r, op, tsr_const_resized(r, tsr_const_of(tsr_rw_in(end, i)), op->out[i].type));
    tsr_rw_replace(r, op, values);
    return true;
}

/* reduce(x) with a body that returns values from outside -> those values */
bool rule_reduce_to_outer(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *end = ending(op, 0);
    if (!end || (r->o->strict && !reduces_some(op)))
        return false;
    tsr_value **values = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nout);
    for (uint32_t i = 0; i < op->nout; i++) {
        values[i] = tsr_rw_in(end, i);
        if (defined_in(values[i], &op->regions[0]) || values[i]->type != op->out[i].type)
            return false;
    }
    tsr_rw_replace(r, op, values);
    return true;
}

/* and / or over splats: the body gets the constants instead of its arguments, so that it can be folded */
bool rule_reduce_splats(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *end = ending(op, 0);
    tsr_block *body = end ? end->block : NULL;
    if (!body || !body->first->next || body->first->next != end || body->nargs != op->nin ||
        (tsr_reduce_kind_of(body->first->def->opcode) != TSR_REDUCE_AND &&
         tsr_reduce_kind_of(body->first->def->opcode) != TSR_REDUCE_OR))
        return false;
    bool used = false;
    for (uint32_t i = 0; i < op->nin; i++) {
        if (!tsr_const_splat(tsr_rw_in(op, i)) || !tsr_rw_static(body->args[i]) ||
            tsr_rw_in(op, i)->type->elem != body->args[i]->type->elem)
            return false;
        used |= body->args[i]->uses != NULL;
    }
    tsr_op *first = body->first;
    for (uint32_t i = 0; used && i < op->nin; i++) {
        tsr_attr *value = tsr_const_resized(r, tsr_const_of(tsr_rw_in(op, i)), body->args[i]->type);
        tsr_rw_forward(r, body->args[i], tsr_rw_constant(r, first, value));
    }
    return used;
}

/* reduce([]) -> broadcast of the initial values */
bool rule_reduce_of_empty(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *type = tsr_rw_in(op, 0)->type;
    bool empty = false;
    for (uint32_t i = 0; i < type->n; i++)
        empty |= type->dims[i] == 0;
    if (!empty)
        return false;
    tsr_value **init = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nout);
    for (uint32_t i = 0; i < op->nout; i++)
        init[i] = tsr_rw_in(op, op->nout + i);
    return tsr_rw_fill(r, op, init);
}

/* The parts of a reduction's body that used results need. */
typedef struct {
    bool *result, *pair;
    tsr_map ops; /* of the body */
    size_t npair;
} needs;

static bool needs_op(const needs *n, const tsr_op *op)
{
    TSR_MAP_EACH (&n->ops, tsr_hash_ptr(op), x)
        if (x == op)
            return true;
    return false;
}

static bool find_needs(tsr_rewriter *r, tsr_op *op, const tsr_op *end, needs *n)
{
    tsr_value_vec todo = {0};
    bool plain = true;
    for (uint32_t i = 0; i < op->nout; i++) {
        n->result[i] = op->out[i].uses != NULL;
        if (n->result[i])
            tsr_vec_push(&todo, tsr_rw_in(end, i));
    }
    while (plain && todo.n) {
        tsr_value *v = todo.data[--todo.n];
        if (!defined_in(v, &op->regions[0]))
            continue;
        if (v->is_arg) {
            n->npair += !n->pair[v->index % op->nout];
            n->pair[v->index % op->nout] = true;
            continue;
        }
        if (needs_op(n, v->op))
            continue;
        tsr_map_put(&n->ops, tsr_hash_ptr(v->op), v->op);
        plain = v->op->nregion == 0;
        for (uint32_t i = 0; i < v->op->nin; i++)
            tsr_vec_push(&todo, tsr_rw_in(v->op, i));
    }
    (void)r;
    tsr_vec_free(&todo);
    return plain;
}

static void build_needed(tsr_rewriter *r, tsr_op *op, const tsr_op *end, const needs *n)
{
    uint32_t nout = op->nout, nused = 0, npair = 0;
    tsr_value **in = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, 2 * n->npair);
    tsr_type **types = TSR_NEW_ARRAY(r->p->scratch, tsr_type *, nout);
    for (uint32_t i = 0; i < nout; i++) {
        if (n->result[i])
            types[nused++] = op->out[i].type;
        if (n->pair[i]) {
            in[npair] = tsr_rw_in(op, i);
            in[n->npair + npair++] = tsr_rw_in(op, nout + i);
        }
    }
    tsr_op *made = tsr_rw_new(r, op, TSR_OP_STABLEHLO_REDUCE, in, 2 * n->npair, types, nused, 1);
    made->attrs[STABLEHLO_REDUCE_dimensions] = op->attrs[STABLEHLO_REDUCE_dimensions];
    tsr_block *from = end->block, *to = tsr_block_new(r->module);
    tsr_block_insert(to, &made->regions[0], NULL);
    tsr_mapping map = {0};
    for (uint32_t i = 0; i < from->nargs; i++)
        if (n->pair[i % nout])
            tsr_mapping_put(
                &map, from->args[i],
                tsr_block_add_arg(r->module, to, from->args[i]->type, from->arg_locs[i]));
    TSR_BLOCK_OPS (from, inner) {
        if (!needs_op(n, inner))
            continue;
        tsr_op *copy = tsr_op_clone(r->module, inner, &map);
        tsr_op_insert(copy, to, NULL);
        tsr_rw_touch(r, copy);
    }
    tsr_value **values = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, nout), **returned = in;
    returned = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, nused);
    for (uint32_t i = 0, k = 0; i < nout; i++) {
        if (!n->result[i])
            continue;
        returned[k] = tsr_mapping_get(&map, tsr_rw_in(end, i));
        values[i] = &made->out[k++];
    }
    tsr_op *last = tsr_op_new(r->module, end->def, end->loc, returned, nused, NULL, 0, 0, 0);
    tsr_op_insert(last, to, NULL);
    tsr_mapping_free(&map);
    tsr_rw_replace(r, op, values);
}

/* reduce(x, y) -> reduce(x), when the results of y are not used and x does not need it */
bool rule_reduce_unused(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *end = ending(op, 0);
    size_t unused = 0;
    for (uint32_t i = 0; i < op->nout; i++)
        unused += op->out[i].uses == NULL;
    if (!unused || !end || end->nin != op->nout)
        return false;
    needs n = {.result = TSR_NEW_ARRAY(r->p->scratch, bool, op->nout),
               .pair = TSR_NEW_ARRAY(r->p->scratch, bool, op->nout)};
    bool ok = find_needs(r, op, end, &n) && n.npair == op->nout - unused;
    if (ok)
        build_needed(r, op, end, &n);
    tsr_map_free(&n.ops);
    return ok;
}

/* ---- sort ---- */

/* sort(x, y) -> sort(x), if y's result is not used */
bool rule_sort_unused(tsr_rewriter *r, tsr_op *op)
{
    tsr_block *b = op->regions[0].first;
    bool *gone = TSR_NEW_ARRAY(r->p->scratch, bool, op->nin);
    uint32_t left = op->nin;
    if (!b || b->nargs != 2 * op->nin)
        return false;
    for (uint32_t i = 0; i < op->nin; i++) {
        gone[i] = !op->out[i].uses && !b->args[2 * i]->uses && !b->args[2 * i + 1]->uses;
        left -= gone[i];
    }
    if (left == op->nin || !left)
        return false;
    tsr_value **in = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, left);
    tsr_type **types = TSR_NEW_ARRAY(r->p->scratch, tsr_type *, left);
    for (uint32_t i = 0, k = 0; i < op->nin; i++) {
        if (gone[i])
            continue;
        in[k] = tsr_rw_in(op, i);
        types[k++] = op->out[i].type;
    }
    tsr_op *made = tsr_rw_new(r, op, TSR_OP_STABLEHLO_SORT, in, left, types, left, 1);
    made->attrs[STABLEHLO_SORT_dimension] = op->attrs[STABLEHLO_SORT_dimension];
    made->attrs[STABLEHLO_SORT_is_stable] = op->attrs[STABLEHLO_SORT_is_stable];
    tsr_region_take(&made->regions[0], &op->regions[0]);
    bool *pairs = TSR_NEW_ARRAY(r->p->scratch, bool, 2 * op->nin);
    for (uint32_t i = 0; i < op->nin; i++)
        pairs[2 * i] = pairs[2 * i + 1] = gone[i];
    tsr_block_erase_args(b, pairs);
    tsr_value **values = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nin);
    for (uint32_t i = 0, k = 0; i < op->nin; i++)
        values[i] = gone[i] ? NULL : &made->out[k++];
    tsr_rw_replace(r, op, values);
    return true;
}

/* sort(x) without a dimension -> sort(x) along the last one */
bool rule_sort_last_dimension(tsr_rewriter *r, tsr_op *op)
{
    const tsr_attr *dim = op->attrs[STABLEHLO_SORT_dimension];
    if ((dim && dim->i != -1) || !op->nout || op->out[0].type->kind != TSR_TYPE_TENSOR ||
        !op->out[0].type->n)
        return false;
    op->attrs[STABLEHLO_SORT_dimension] = tsr_attr_i64(r->ctx, (int64_t)op->out[0].type->n - 1);
    r->p->changed = true;
    tsr_rw_touch(r, op);
    return true;
}

/* ---- case ---- */

/* A placeholder for a value that is never read. */
static bool has_placeholder(tsr_rewriter *r, const tsr_type *type)
{
    if (tsr_type_is(type, TSR_TYPE_TENSOR))
        return tsr_type_has_static_shape(type) && tsr_type_storage_bits(type->elem) &&
               type->elem->kind != TSR_TYPE_INDEX;
    return type == tsr_hlo_token(r->ctx);
}

static tsr_value *placeholder(tsr_rewriter *r, tsr_op *at, tsr_type *type)
{
    if (type == tsr_hlo_token(r->ctx))
        return &tsr_rw_one(r, at, TSR_OP_STABLEHLO_AFTER_ALL, NULL, 0, type)->out[0];
    return tsr_rw_constant(r, at, tsr_const_number(r, type, 0));
}

/* case(c) -> the ops of branch c, before it; the case is erased when it is dead */
bool rule_case_known(tsr_rewriter *r, tsr_op *op)
{
    size_t n;
    const int64_t *index = tsr_op_used(op) ? tsr_const_ints(r, tsr_rw_in(op, 0), &n) : NULL;
    if (!index || n != 1)
        return false;
    size_t taken =
        index[0] < 0 || index[0] >= op->nregion ? (size_t)op->nregion - 1 : (size_t)index[0];
    tsr_op *end = ending(op, taken);
    if (!end)
        return false;
    for (uint32_t i = 0; i < op->nout; i++)
        if (!has_placeholder(r, op->out[i].type) || tsr_rw_in(end, i)->type != op->out[i].type)
            return false;
    tsr_rw_move_before(r, end, op);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_rw_forward(r, &op->out[i], tsr_rw_in(end, i));
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_rw_set_operand(r, end, i, placeholder(r, end, op->out[i].type));
    tsr_rw_touch(r, op);
    return true;
}

/* ---- while ---- */

static bool never_true(const tsr_op *op)
{
    const tsr_op *end = ending(op, 0);
    return end && end->nin == 1 && tsr_const_is(tsr_const_of(tsr_rw_in(end, 0)), TSR_IS_ZERO);
}

/* while (false) of x -> x; the loop stays if it may have effects */
bool rule_while_never(tsr_rewriter *r, tsr_op *op)
{
    if (!tsr_op_used(op) || !never_true(op))
        return false;
    for (uint32_t i = 0; i < op->nout; i++)
        if (tsr_rw_in(op, i)->type != op->out[i].type)
            return false;
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_rw_forward(r, &op->out[i], tsr_rw_in(op, i));
    tsr_rw_touch(r, op);
    return true;
}

static bool inside_says_effects(const tsr_op *op)
{
    TSR_OPS ((tsr_op *)op, inner)
        if (tsr_op_says_effects(inner))
            return true;
    return false;
}

/* while (false) with unused results -> nothing, if ops that declare no effects are assumed to have none */
bool rule_while_dead(tsr_rewriter *r, tsr_op *op)
{
    if (!r->o->assume_no_effects || tsr_op_used(op) || !never_true(op) || inside_says_effects(op))
        return false;
    tsr_rw_erase(r, op);
    return true;
}

void tsr_shrink_while(tsr_rewriter *r, tsr_op *op, const bool *gone, uint32_t left)
{
    tsr_block *cond = op->regions[0].first, *body = op->regions[1].first;
    tsr_value **in = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, left + 1),
              **next = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, left + 1),
              **values = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nin);
    tsr_type **types = TSR_NEW_ARRAY(r->p->scratch, tsr_type *, left + 1);
    for (uint32_t i = 0, k = 0; i < op->nin; i++) {
        if (gone[i])
            continue;
        in[k] = tsr_rw_in(op, i);
        types[k] = op->out[i].type;
        next[k++] = tsr_rw_in(body->last, i);
    }
    tsr_rw_set_operands(r, body->last, next, left);
    tsr_block_erase_args(cond, gone);
    tsr_block_erase_args(body, gone);
    tsr_op *made = tsr_rw_new(r, op, TSR_OP_STABLEHLO_WHILE, in, left, types, left, 2);
    made->extra = op->extra;
    tsr_region_take(&made->regions[0], &op->regions[0]);
    tsr_region_take(&made->regions[1], &op->regions[1]);
    for (uint32_t i = 0, k = 0; i < op->nin; i++)
        values[i] = !gone[i] ? &made->out[k++] : op->out[i].uses ? tsr_rw_in(op, i) : NULL;
    tsr_rw_replace(r, op, values);
}

/* Values that no iteration changes are used directly instead of being carried. */
bool rule_while_invariant(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *end = ending(op, 1);
    tsr_block *cond = op->regions[0].first, *body = op->regions[1].first;
    if (!end || !cond || end->nin != op->nin || cond->nargs != op->nin || body->nargs != op->nin ||
        op->nout != op->nin)
        return false;
    bool *same = TSR_NEW_ARRAY(r->p->scratch, bool, op->nin);
    uint32_t left = op->nin;
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *next = tsr_rw_in(end, i), *first = tsr_rw_in(op, i);
        same[i] = (next == first || next == body->args[i]) && first->type == op->out[i].type &&
                  first->type == body->args[i]->type && first->type == cond->args[i]->type;
        left -= same[i];
    }
    if (left == op->nin)
        return false;
    for (uint32_t i = 0; i < op->nin; i++)
        if (same[i]) {
            tsr_rw_forward(r, cond->args[i], tsr_rw_in(op, i));
            tsr_rw_forward(r, body->args[i], tsr_rw_in(op, i));
        }
    tsr_shrink_while(r, op, same, left);
    return true;
}

/* ---- custom_call ---- */

/* The dictionary of an importer becomes the call's own configuration, as in version 4 of the interface. */
bool rule_custom_call_config(tsr_rewriter *r, tsr_op *op)
{
    enum { ORIGINAL = 1, TYPED_FFI = 4 };
    static const char given[] = "mhlo.backend_config";
    const tsr_attr *version = op->attrs[STABLEHLO_CUSTOM_CALL_api_version];
    const tsr_attr *config = op->attrs[STABLEHLO_CUSTOM_CALL_backend_config];
    tsr_attr *dict = op->extra ? tsr_dict_get(op->extra, TSR_STR(given)) : NULL;
    if (!dict || (version && version->i != ORIGINAL) ||
        (config && (config->kind != TSR_ATTR_STRING || config->s.len)))
        return false;
    op->attrs[STABLEHLO_CUSTOM_CALL_backend_config] = dict;
    op->attrs[STABLEHLO_CUSTOM_CALL_api_version] = tsr_attr_i32(r->ctx, TYPED_FFI);
    op->extra = tsr_dict_with(r->ctx, op->extra, tsr_name_get(r->ctx, TSR_STR(given)), NULL);
    r->p->changed = true;
    tsr_rw_touch(r, op);
    return true;
}
