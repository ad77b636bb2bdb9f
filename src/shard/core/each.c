/* SPDX-License-Identifier: Apache-2.0 */
/* each.c - see each.h. Unchanged shardings are not interned again: a slot is written only if its sharding changed. */
#include "shard/core/each.h"

static tsr_attr *per_value(tsr_op *op, tsr_attr *list, tsr_sharding_fn *fn, void *user)
{
    tsr_ctx *ctx = op->module->ctx;
    const tsr_attr *old = list->attrs[0];
    TSR_VEC(tsr_attr *) new = {0};
    bool changed = false;
    for (uint32_t i = 0; i < old->n; i++) {
        tsr_attr *s =
            tsr_sdy_is_sharding(old->attrs[i]) ? fn(user, op, old->attrs[i]) : old->attrs[i];
        changed |= s != old->attrs[i];
        tsr_vec_push(&new, s);
    }
    if (changed) {
        tsr_attr *array = tsr_attr_array(ctx, new.data, new.n);
        list = tsr_attr_struct(ctx, &tsr_def_SDY_SHARDING_PER_VALUE, &array);
    }
    tsr_vec_free(&new);
    return list;
}

/* Cached answers, for shardings and for lists of them. */
typedef struct {
    const tsr_attr *from;
    tsr_attr *to;
} answer;

typedef struct {
    tsr_arena *scratch;
    tsr_map answers;
    tsr_sharding_fn *fn;
    void *user;
} memo;

static tsr_attr *recall(const memo *m, const tsr_attr *from)
{
    TSR_MAP_EACH (&m->answers, tsr_hash_ptr(from), x) {
        const answer *a = x;
        if (a->from == from)
            return a->to;
    }
    return NULL;
}

static tsr_attr *keep(memo *m, const tsr_attr *from, tsr_attr *to)
{
    answer *a = TSR_NEW(m->scratch, answer);
    *a = (answer){from, to};
    tsr_map_put(&m->answers, tsr_hash_ptr(from), a);
    return to;
}

static tsr_attr *ask_once(void *user, tsr_op *op, tsr_attr *sharding)
{
    memo *m = user;
    tsr_attr *to = recall(m, sharding);
    return to ? to : keep(m, sharding, m->fn(m->user, op, sharding));
}

static tsr_attr *apply(tsr_op *op, tsr_attr *a, tsr_sharding_fn *fn, void *user)
{
    if (tsr_sdy_is_sharding(a))
        return fn(user, op, a);
    if (!tsr_attr_is_struct(a, &tsr_def_SDY_SHARDING_PER_VALUE))
        return a;
    if (fn != ask_once)
        return per_value(op, a, fn, user);
    tsr_attr *to = recall(user, a);
    return to ? to : keep(user, a, per_value(op, a, fn, user));
}

/* Argument or result dictionaries of a function, in the slot of this name. */
static bool dicts(tsr_op *func, tsr_str slot, tsr_sharding_fn *fn, void *user)
{
    tsr_ctx *ctx = func->module->ctx;
    const tsr_attr *old = tsr_op_attr(func, slot);
    if (!tsr_attr_is(old, TSR_ATTR_ARRAY))
        return false;
    const tsr_name *name = tsr_name_get(ctx, TSR_STR("sdy.sharding"));
    TSR_VEC(tsr_attr *) new = {0};
    bool changed = false;
    for (uint32_t i = 0; i < old->n; i++) {
        tsr_attr *dict = old->attrs[i];
        tsr_attr *s = tsr_attr_is(dict, TSR_ATTR_DICT) ? tsr_dict_get(dict, name->str) : NULL;
        tsr_attr *to = s ? apply(func, s, fn, user) : NULL;
        if (to != s) {
            dict = tsr_dict_with(ctx, dict, name, to);
            changed = true;
        }
        tsr_vec_push(&new, dict ? dict : tsr_attr_dict(ctx, NULL, 0));
    }
    if (changed)
        tsr_op_set_attr(func, slot, tsr_attr_array(ctx, new.data, new.n));
    tsr_vec_free(&new);
    return changed;
}

bool tsr_func_each_sharding(tsr_op *func, tsr_sharding_fn *fn, void *user)
{
    bool changed = dicts(func, TSR_STR("arg_attrs"), fn, user);
    return dicts(func, TSR_STR("res_attrs"), fn, user) || changed;
}

bool tsr_op_each_sharding(tsr_op *op, tsr_sharding_fn *fn, void *user)
{
    bool changed = tsr_op_has(op, TSR_TRAIT(FUNCTION)) && tsr_func_each_sharding(op, fn, user);
    for (uint32_t i = 0; i < op->def->nslot; i++) {
        tsr_attr *a = op->attrs[i], *to = a ? apply(op, a, fn, user) : NULL;
        if (to != a) {
            op->attrs[i] = to;
            op->module->verified = false;
            changed = true;
        }
    }
    tsr_attr *a = tsr_dict_get(op->extra, TSR_STR("sdy.sharding"));
    tsr_attr *to = a ? apply(op, a, fn, user) : NULL;
    if (to != a)
        tsr_op_set_attr(op, TSR_STR("sdy.sharding"), to);
    return changed || to != a;
}

bool tsr_each_sharding(tsr_op *root, tsr_sharding_fn *fn, void *user)
{
    bool changed = false;
    TSR_OPS (root, op)
        changed |= tsr_op_each_sharding(op, fn, user);
    return changed;
}

bool tsr_map_shardings(tsr_arena *scratch, tsr_op *root, tsr_sharding_fn *fn, void *user)
{
    memo m = {.scratch = scratch, .fn = fn, .user = user};
    bool changed = tsr_each_sharding(root, ask_once, &m);
    tsr_map_free(&m.answers);
    return changed;
}

tsr_attr *tsr_sharding_with_dims(tsr_ctx *ctx, const tsr_attr *sharding, tsr_attr *const *dims)
{
    const tsr_attr *old = tsr_sdy_dims(sharding);
    TSR_VEC(tsr_attr *) new = {0};
    for (uint32_t i = 0; i < old->n; i++) {
        tsr_attr *const *d = old->attrs[i]->attrs;
        tsr_attr *params[] = {dims[i], d[SDY_DIMENSION_SHARDING_is_closed],
                              d[SDY_DIMENSION_SHARDING_priority]};
        tsr_vec_push(&new, tsr_attr_struct(ctx, &tsr_def_SDY_DIMENSION_SHARDING, params));
    }
    tsr_attr *params[5];
    memcpy(params, sharding->attrs, sizeof params);
    params[SDY_SHARDING_dims] = tsr_attr_array(ctx, new.data, new.n);
    tsr_vec_free(&new);
    return tsr_attr_struct(ctx, &tsr_def_SDY_SHARDING, params);
}

/* ---- Removing attributes ---- */

static tsr_attr *without(tsr_ctx *ctx, tsr_attr *dict, const tsr_str *names, size_t n)
{
    for (size_t i = 0; dict && i < n; i++)
        if (tsr_dict_get(dict, names[i]))
            dict = tsr_dict_with(ctx, dict, tsr_name_get(ctx, names[i]), NULL);
    return dict;
}

static bool drop_from_dicts(tsr_op *func, tsr_str slot, const tsr_str *names, size_t n)
{
    tsr_ctx *ctx = func->module->ctx;
    const tsr_attr *old = tsr_op_attr(func, slot);
    if (!tsr_attr_is(old, TSR_ATTR_ARRAY))
        return false;
    TSR_VEC(tsr_attr *) new = {0};
    bool changed = false;
    for (uint32_t i = 0; i < old->n; i++) {
        tsr_attr *dict = old->attrs[i];
        if (tsr_attr_is(dict, TSR_ATTR_DICT))
            dict = without(ctx, dict, names, n);
        tsr_vec_push(&new, dict ? dict : tsr_attr_dict(ctx, NULL, 0));
        changed |= new.data[i] != old->attrs[i];
    }
    if (changed)
        tsr_op_set_attr(func, slot, tsr_attr_array(ctx, new.data, new.n));
    tsr_vec_free(&new);
    return changed;
}

bool tsr_drop_attrs(tsr_op *root, const tsr_str *names, size_t n)
{
    tsr_ctx *ctx = root->module->ctx;
    bool changed = false;
    TSR_OPS (root, op) {
        if (tsr_op_has(op, TSR_TRAIT(FUNCTION))) {
            changed |= drop_from_dicts(op, TSR_STR("arg_attrs"), names, n);
            changed |= drop_from_dicts(op, TSR_STR("res_attrs"), names, n);
        }
        tsr_attr *left = op->extra ? without(ctx, op->extra, names, n) : NULL;
        if (left != op->extra) {
            op->extra = left;
            op->module->verified = false;
            changed = true;
        }
    }
    return changed;
}

bool tsr_drop_debug_info(tsr_op *root)
{
    const tsr_str names[] = {
        TSR_STR("sdy.propagation_edges"),          TSR_STR("sdy.block_arg_propagation_edges"),
        TSR_STR("sdy.result_propagation_edges"),   TSR_STR("sdy.sharding_origins"),
        TSR_STR("sdy.block_arg_sharding_origins"), TSR_STR("sdy.result_sharding_origins")};
    return tsr_drop_attrs(root, names, TSR_COUNT(names));
}
