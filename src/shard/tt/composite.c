/* SPDX-License-Identifier: Apache-2.0 */
/* composite.c - handles composites during propagation.
 *
 * flatten-or-convert-composites: a composite that has a sharding rule becomes a custom call; any other is replaced by
 * its body, whose ops are marked (reoutline.*). reoutline-composite outlines ops with the same mark to a composite
 * again, if they are still together. Needs uses; keeps everything else; breaks ids. */
#include "dialect/sdy/axes.h"
#include "shard/passes.h"
#include "shard/tt/tt.h"

#define GROUP TSR_STR("reoutline.group")
#define SEED TSR_STR("reoutline.seed")
#define NAME TSR_STR("reoutline.orig_name")
#define ATTRIBUTES TSR_STR("reoutline.comp_attrs")
#define OPERANDS TSR_STR("reoutline.arg_operand_indices")
#define RESULTS TSR_STR("reoutline.result_pos")

/* ---- Flattening ---- */

/* The rule for the top k elements only covers matrices. */
static bool has_rule(const tsr_op *op)
{
    static const char *const names[] = {"tenstorrent.rms_norm", "tenstorrent.argmax",
                                        "tenstorrent.scaled_dot_product_attention",
                                        "tenstorrent.gather", "tenstorrent.gather_dim"};
    static const char *const of_matrices[] = {"tenstorrent.topk", "tenstorrent.topk_values",
                                              "tenstorrent.topk_indices"};
    tsr_str name = op->attrs[STABLEHLO_COMPOSITE_name]->s;
    for (size_t i = 0; i < TSR_COUNT(names); i++)
        if (tsr_str_is(name, names[i]))
            return true;
    for (size_t i = 0; i < TSR_COUNT(of_matrices); i++)
        if (tsr_str_is(name, of_matrices[i]))
            return op->nin && tsr_type_is(op->in[0].value->type, TSR_TYPE_TENSOR) &&
                   op->in[0].value->type->n == 2;
    return false;
}

static void to_custom_call(tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_op *call = tsr_op_like(op, tsr_opdef_of(ctx, TSR_OP_STABLEHLO_CUSTOM_CALL));
    call->attrs[STABLEHLO_CUSTOM_CALL_call_target_name] = op->attrs[STABLEHLO_COMPOSITE_name];
    tsr_attr *attributes = op->attrs[STABLEHLO_COMPOSITE_composite_attributes];
    if (attributes)
        tsr_op_set_attr(call, TSR_STR("tt.composite_attributes"), attributes);
    tsr_op_set_attr(call, TSR_STR("tt.has_custom_sharding"), tsr_attr_unit(ctx));
    tsr_op_replace(op, call);
}

/* The operand of the composite that each operand of op is; -1: none. */
static void mark_operands(tsr_pass *p, tsr_op *op, const tsr_op *composite)
{
    int64_t *at = TSR_NEW_ARRAY(p->scratch, int64_t, op->nin + 1);
    bool some = false;
    for (uint32_t i = 0; i < op->nin; i++) {
        at[i] = -1;
        for (uint32_t k = 0; k < composite->nin && at[i] < 0; k++)
            if (composite->in[k].value == op->in[i].value)
                at[i] = k;
        some |= at[i] >= 0;
    }
    if (some)
        tsr_op_set_attr(op, OPERANDS, tsr_attr_i64_array(p->ctx, at, op->nin));
}

/* The result of the composite that v is. */
static void mark_result(tsr_pass *p, const tsr_value *v, uint32_t position)
{
    if (v->is_arg)
        return;
    const tsr_attr *old = tsr_dict_get(v->op->extra, RESULTS);
    int64_t *at = TSR_NEW_ARRAY(p->scratch, int64_t, v->op->nout + 1);
    for (uint32_t i = 0; i < v->op->nout; i++)
        at[i] = old && i < tsr_attr_count(old) ? tsr_attr_int_at(old, i) : -1;
    at[v->index] = position;
    tsr_op_set_attr(v->op, RESULTS, tsr_attr_i64_array(p->ctx, at, v->op->nout));
}

static bool flatten(tsr_pass *p, const tsr_symtab *symbols, tsr_op *op)
{
    const tsr_attr *callee = op->attrs[STABLEHLO_COMPOSITE_decomposition];
    tsr_op *func = tsr_symtab_find(symbols, callee->s);
    tsr_block *body = func && tsr_op_is(func, TSR_OP_FUNC_FUNC) ? tsr_tt_body(func) : NULL;
    if (!body)
        return tsr_op_error(op, "failed to resolve callee function '%.*s'", TSR_STR_ARG(callee->s));
    if (body->next || !body->last || !tsr_op_is(body->last, TSR_OP_FUNC_RETURN) ||
        body->nargs != op->nin || body->last->nin != op->nout)
        return tsr_op_error(op, "does not fit function '%.*s'", TSR_STR_ARG(callee->s));
    tsr_attr *attributes = op->attrs[STABLEHLO_COMPOSITE_composite_attributes];
    tsr_buf group = {0};
    tsr_buf_printf(&group, "composite_%.*s", TSR_STR_ARG(callee->s));
    tsr_attr *mark = tsr_attr_string(p->ctx, tsr_buf_text(&group));
    tsr_buf_free(&group);
    tsr_mapping map = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_mapping_put(&map, body->args[i], op->in[i].value);
    for (tsr_op *inner = body->first; inner != body->last; inner = inner->next) {
        tsr_op *copy = tsr_op_clone(op->module, inner, &map);
        tsr_op_insert(copy, op->block, op);
        tsr_op_set_attr(copy, GROUP, mark);
        if (inner == body->first) {
            tsr_op_set_attr(copy, SEED, tsr_attr_unit(p->ctx));
            tsr_op_set_attr(copy, NAME, op->attrs[STABLEHLO_COMPOSITE_name]);
            tsr_op_set_attr(copy, ATTRIBUTES,
                            attributes ? attributes : tsr_attr_dict(p->ctx, NULL, 0));
        }
        mark_operands(p, copy, op);
    }
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_value *v = tsr_mapping_get(&map, body->last->in[i].value);
        tsr_value_replace(&op->out[i], v);
        mark_result(p, v, i);
    }
    tsr_mapping_free(&map);
    tsr_op_erase(op);
    return true;
}

static bool note_symbol(void *user, const tsr_attr *symbol)
{
    tsr_map_put(user, tsr_hash_str(symbol->s), (void *)symbol);
    return true;
}

/* Erases private functions that are no longer referenced. */
static void erase_unused(tsr_op *root)
{
    tsr_map used = {0};
    TSR_OPS (root, op)
        tsr_op_symbol_refs(op, note_symbol, &used);
    for (tsr_op *func = root->regions[0].first->first, *next; func; func = next) {
        next = func->next;
        if (!tsr_op_is(func, TSR_OP_FUNC_FUNC) || tsr_tt_is_public(func))
            continue;
        bool found = false;
        TSR_MAP_EACH (&used, tsr_hash_str(tsr_op_symbol(func)), x)
            found |= tsr_str_eq(((const tsr_attr *)x)->s, tsr_op_symbol(func));
        if (!found)
            tsr_op_erase(func);
    }
    tsr_map_free(&used);
}

bool pass_tt_flatten_or_convert_composites(tsr_pass *p, tsr_op *root)
{
    if (!tsr_tt_is_sharded(root))
        return true;
    tsr_symtab symbols;
    tsr_symtab_init(&symbols, root);
    bool ok = true;
    TSR_TT_FUNCS(root, func)
    if (tsr_tt_body(func))
        for (tsr_op *op = tsr_tt_body(func)->first, *next; ok && op; op = next) {
            next = op->next;
            if (!tsr_op_is(op, TSR_OP_STABLEHLO_COMPOSITE) || op->nregion)
                continue;
            if (has_rule(op))
                to_custom_call(op);
            else
                ok = flatten(p, &symbols, op);
            p->changed = true;
        }
    tsr_symtab_free(&symbols);
    if (ok)
        erase_unused(root);
    return ok;
}

/* ---- Outlining again ---- */

typedef TSR_VEC(tsr_op *) op_vec;

typedef struct {
    tsr_value *v;
    int64_t place; /* index in the composite's operands or results; INT64_MAX: unknown */
    size_t order;  /* order of discovery */
} border;

typedef TSR_VEC(border) border_vec;

static int by_place(const void *a, const void *b)
{
    const border *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static void add_border(border_vec *all, tsr_value *v, int64_t place)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->data[i].v == v) {
            if (all->data[i].place == INT64_MAX)
                all->data[i].place = place;
            return;
        }
    tsr_vec_push(all, (border){v, place, all->n});
}

static int64_t place_at(const tsr_op *op, tsr_str name, uint32_t i)
{
    const tsr_attr *at = tsr_dict_get(op->extra, name);
    int64_t place = tsr_attr_is(at, TSR_ATTR_DENSE_ARRAY) && i < tsr_attr_count(at)
                        ? tsr_attr_int_at(at, i)
                        : -1;
    return place < 0 ? INT64_MAX : place;
}

/* The op of func's body that contains op. */
static tsr_op *in_block(tsr_op *op, const tsr_block *block)
{
    while (op && op->block != block)
        op = tsr_block_parent(op->block);
    return op;
}

static void find_inputs(tsr_op *op, const tsr_ptr_set *members, border_vec *in)
{
    TSR_OPS (op, inner)
        for (uint32_t i = 0; i < inner->nin; i++) {
            tsr_value *v = inner->in[i].value;
            tsr_op *maker = v->is_arg ? tsr_block_parent(v->block) : v->op;
            if (!tsr_op_is_ancestor(op, maker) && (v->is_arg || !tsr_ptr_set_has(members, maker)))
                add_border(in, v, inner == op ? place_at(op, OPERANDS, i) : INT64_MAX);
        }
}

/* The values that enter the group from outside, and those that leave it. */
static void find_borders(const op_vec *ops, border_vec *in, border_vec *out)
{
    tsr_ptr_set members = {.n = 0};
    for (size_t k = 0; k < ops->n; k++)
        tsr_ptr_set_add(&members, ops->data[k]);
    for (size_t k = 0; k < ops->n; k++) {
        tsr_op *op = ops->data[k];
        find_inputs(op, &members, in);
        for (uint32_t i = 0; i < op->nout; i++) {
            bool leaves = false;
            for (const tsr_use *use = op->out[i].uses; use && !leaves; use = use->next)
                leaves = !tsr_ptr_set_has(&members, in_block(use->user, op->block));
            if (leaves)
                add_border(out, &op->out[i], place_at(op, RESULTS, i));
        }
    }
    tsr_ptr_set_free(&members);
    if (in->n)
        qsort(in->data, in->n, sizeof *in->data, by_place);
    if (out->n)
        qsort(out->data, out->n, sizeof *out->data, by_place);
}

static bool stand_together(const op_vec *ops)
{
    for (size_t i = 1; i < ops->n; i++)
        if (ops->data[i]->prev != ops->data[i - 1])
            return false;
    return true;
}

static void outline(tsr_symbols *symbols, const op_vec *ops, tsr_attr *mark)
{
    tsr_ctx *ctx = ops->data[0]->module->ctx;
    border_vec in = {0}, out = {0};
    tsr_value_vec ins = {0}, outs = {0};
    find_borders(ops, &in, &out);
    for (size_t i = 0; i < in.n; i++)
        tsr_vec_push(&ins, in.data[i].v);
    for (size_t i = 0; i < out.n; i++)
        tsr_vec_push(&outs, out.data[i].v);
    tsr_buf name = {0};
    tsr_buf_printf(&name, "outlined_%.*s", TSR_STR_ARG(mark->s));
    tsr_op *callee = tsr_tt_outline(symbols, tsr_buf_text(&name), ins.data, ins.n, outs.data,
                                    outs.n, ops->data, ops->n);
    tsr_str called = tsr_op_symbol(callee);
    tsr_attr *attributes = tsr_attr_dict(ctx, NULL, 0);
    for (size_t i = 0; i < ops->n; i++)
        if (tsr_dict_get(ops->data[i]->extra, SEED)) {
            const tsr_attr *old = tsr_dict_get(ops->data[i]->extra, NAME);
            tsr_attr *dict = tsr_dict_get(ops->data[i]->extra, ATTRIBUTES);
            called = tsr_attr_is(old, TSR_ATTR_STRING) ? old->s : called;
            attributes = tsr_attr_is(dict, TSR_ATTR_DICT) ? dict : attributes;
        }
    tsr_op *call = tsr_tt_composite(callee, ops->data[0], called, attributes, ins.data, ins.n);
    for (size_t i = 0; i < outs.n; i++)
        tsr_value_replace(outs.data[i], &call->out[i]);
    for (size_t i = ops->n; i-- > 0;)
        tsr_op_erase(ops->data[i]);
    tsr_buf_free(&name);
    tsr_vec_free(&in);
    tsr_vec_free(&out);
    tsr_vec_free(&ins);
    tsr_vec_free(&outs);
}

/* Ops of one group, in program order; a seed begins a group, as a function may be the body of several composites. */
typedef struct {
    tsr_attr *mark;
    op_vec ops;
} group;

typedef TSR_VEC(group) group_vec;

static void collect(tsr_op *func, group_vec *groups)
{
    tsr_map last = {0}; /* by mark: the number of its last group, from 1 */
    TSR_OPS (func, op) {
        tsr_attr *mark = op->extra ? tsr_dict_get(op->extra, GROUP) : NULL;
        if (!tsr_attr_is(mark, TSR_ATTR_STRING))
            continue;
        size_t at = 0;
        if (!tsr_dict_get(op->extra, SEED))
            TSR_MAP_EACH (&last, tsr_hash_ptr(mark), x)
                if (groups->data[(uintptr_t)x - 1].mark == mark && (uintptr_t)x > at)
                    at = (uintptr_t)x;
        if (!at) {
            tsr_vec_push(groups, (group){.mark = mark});
            at = groups->n;
            tsr_map_put(&last, tsr_hash_ptr(mark), (void *)(uintptr_t)at);
        }
        tsr_vec_push(&groups->data[at - 1].ops, op);
    }
    tsr_map_free(&last);
}

bool pass_tt_reoutline_composite(tsr_pass *p, tsr_op *root)
{
    tsr_symbols symbols;
    tsr_symbols_init(&symbols, root);
    const tsr_op *last = root->regions[0].first->last;
    for (tsr_op *func = root->regions[0].first->first; func; func = func->next) {
        group_vec groups = {0};
        if (tsr_op_is(func, TSR_OP_FUNC_FUNC))
            collect(func, &groups);
        for (size_t i = 0; i < groups.n; i++) {
            if (stand_together(&groups.data[i].ops)) {
                outline(&symbols, &groups.data[i].ops, groups.data[i].mark);
                p->changed = true;
            }
            tsr_vec_free(&groups.data[i].ops);
        }
        tsr_vec_free(&groups);
        if (func == last)
            break;
    }
    tsr_symbols_free(&symbols);
    return true;
}
