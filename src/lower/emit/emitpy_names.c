/* SPDX-License-Identifier: Apache-2.0 */
/* emitpy_names.c - emitpy-form-expressions and emitpy-name-vars: make Python readable.
 *
 * Elements, literals and lists that are used once are written inline. A value is named after the function that returned
 * it, with a number. Needs emitpy; keeps meaning; the first breaks ids. */
#include "lower/emit/emitpy.h"

/* ---- Expressions ---- */

static bool is_candidate(const tsr_op *op)
{
    if (op->nout != 1 || !op->out[0].uses || op->out[0].uses->next)
        return false;
    switch (op->def->opcode) {
    case TSR_OP_EMITPY_SUBSCRIPT:
    case TSR_OP_EMITPY_GET_ATTR:
    case TSR_OP_EMITPY_CONSTANT: return true;
    case TSR_OP_EMITPY_CALL_OPAQUE:
        return tsr_str_is(op->attrs[EMITPY_CALL_OPAQUE_callee]->s, "util_create_list");
    default: return false;
    }
}

static void wrap(tsr_op *op)
{
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    tsr_build b = tsr_build_before(op);
    tsr_op_values(op, &in, &types);
    types.n = 0;
    for (size_t i = 0; i < in.n; i++)
        tsr_vec_push(&types, in.data[i]->type);
    tsr_op *e = tsr_build_open(&b, TSR_OP_EMITPY_EXPRESSION, in.data, in.n, 1, 1);
    tsr_build_close_as(&b, e, &op->out[0].type);
    tsr_build inner = tsr_build_in(&b, &e->regions[0], types.data, types.n);
    tsr_value_replace(&op->out[0], &e->out[0]);
    tsr_op_remove(op);
    tsr_op_insert(op, inner.block, NULL);
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_op_set_operand(op, i, inner.block->args[i]);
    tsr_value *v = &op->out[0];
    tsr_build_close_as(&inner, tsr_build_open(&inner, TSR_OP_EMITPY_YIELD, &v, 1, 0, 0), NULL);
    tsr_build_free(&inner);
    tsr_build_free(&b);
    tsr_vec_free(&in);
    tsr_vec_free(&types);
}

bool pass_emitpy_form_expressions(tsr_pass *p, tsr_op *root)
{
    tsr_emit_funcs found = {0};
    TSR_OPS (root, op) {
        const tsr_op *parent = tsr_block_parent(op->block);
        if (parent && !tsr_op_is(parent, TSR_OP_EMITPY_EXPRESSION) && is_candidate(op))
            tsr_vec_push(&found, op);
    }
    for (size_t i = 0; i < found.n; i++)
        wrap(found.data[i]);
    p->changed |= found.n > 0;
    tsr_vec_free(&found);
    return true;
}

/* ---- Names ---- */

typedef struct {
    tsr_pass *p;
    tsr_map counts; /* of names, by hash */
} names;

typedef struct {
    tsr_str name;
    unsigned n;
} count;

static unsigned next_number(names *s, tsr_str base)
{
    TSR_MAP_EACH (&s->counts, tsr_hash_str(base), found) {
        count *c = found;
        if (tsr_str_eq(c->name, base))
            return c->n++;
    }
    count *c = tsr_arena_alloc(s->p->scratch, sizeof *c);
    *c = (count){{tsr_arena_copy(s->p->scratch, base.data, base.len), base.len}, 1};
    tsr_map_put(&s->counts, tsr_hash_str(base), c);
    return 0;
}

static void name_op(names *s, tsr_op *op, tsr_str base)
{
    tsr_buf name = {0};
    if (tsr_dict_get(op->extra, TSR_STR("emitpy.name")))
        return;
    tsr_buf_printf(&name, "%.*s_%u", TSR_STR_ARG(base), next_number(s, base));
    tsr_op_set_attr(op, TSR_STR("emitpy.name"), tsr_attr_string(s->p->ctx, tsr_buf_text(&name)));
    tsr_buf_free(&name);
}

static tsr_str known_name(const tsr_value *v)
{
    const tsr_attr *a = NULL;
    const tsr_op *func = v->is_arg ? tsr_block_parent(v->block) : NULL;
    if (!v->is_arg) {
        a = tsr_dict_get(v->op->extra, TSR_STR("emitpy.name"));
    } else if (func && tsr_op_is(func, TSR_OP_FUNC_FUNC)) {
        const tsr_attr *dicts = func->attrs[FUNC_FUNC_arg_attrs];
        a = dicts && v->index < dicts->n
                ? tsr_dict_get(dicts->attrs[v->index], TSR_STR("emitpy.name"))
                : NULL;
    } else if (func && tsr_op_is(func, TSR_OP_EMITPY_EXPRESSION) && v->index < func->nin) {
        return known_name(func->in[v->index].value);
    }
    return tsr_attr_is(a, TSR_ATTR_STRING) ? a->s : (tsr_str){0};
}

static const tsr_op *literal_of(const tsr_value *v)
{
    const tsr_op *parent = v->is_arg ? tsr_block_parent(v->block) : NULL;
    if (parent && tsr_op_is(parent, TSR_OP_EMITPY_EXPRESSION) && v->index < parent->nin)
        return literal_of(parent->in[v->index].value);
    return !v->is_arg && tsr_op_is(v->op, TSR_OP_EMITPY_LITERAL) ? v->op : NULL;
}

/* An element: named after its container, with its index. */
static void name_subscript(names *s, tsr_op *op)
{
    const tsr_op *index = literal_of(op->in[1].value);
    tsr_str base = known_name(op->in[0].value);
    tsr_buf name = {0};
    if (!index || !base.len || tsr_dict_get(op->extra, TSR_STR("emitpy.name")))
        return;
    tsr_buf_printf(&name, "%.*s_%.*s", TSR_STR_ARG(base),
                   TSR_STR_ARG(index->attrs[EMITPY_LITERAL_value]->s));
    tsr_op_set_attr(op, TSR_STR("emitpy.name"), tsr_attr_string(s->p->ctx, tsr_buf_text(&name)));
    tsr_buf_free(&name);
}

static void name_constant(names *s, tsr_op *op)
{
    const tsr_attr *value = op->attrs[EMITPY_CONSTANT_value];
    tsr_buf base = {0};
    tsr_buf_cstr(&base, "const");
    if (value->kind == TSR_ATTR_INT)
        tsr_buf_int(&base, value->i);
    name_op(s, op, tsr_buf_text(&base));
    tsr_buf_free(&base);
}

static const char *argument_name(const tsr_op *func, uint32_t i, const tsr_attr *dict, char *text,
                                 size_t room)
{
    uint32_t n = func->regions[0].first->nargs;
    if (dict && tsr_dict_get(dict, TSR_STR("ttcore.original_activation_names")))
        return "activations";
    if (dict && tsr_dict_get(dict, TSR_STR("ttcore.original_weight_names")))
        return "weights";
    if (!i && tsr_str_is(tsr_tt_function_type(func), "const_eval_wrapper"))
        return "ce_cache";
    snprintf(text, room, n == 1 ? "arg" : "arg_%u", i);
    return text;
}

static void name_arguments(names *s, tsr_op *func)
{
    tsr_ctx *ctx = s->p->ctx;
    const tsr_attr *old = func->attrs[FUNC_FUNC_arg_attrs];
    const tsr_name *key = tsr_name_get(ctx, TSR_STR("emitpy.name"));
    tsr_attr_vec dicts = {0};
    for (uint32_t i = 0; i < func->regions[0].first->nargs; i++) {
        char text[24];
        tsr_attr *d = old && i < old->n ? old->attrs[i] : tsr_attr_dict(ctx, NULL, 0);
        if (!tsr_dict_get(d, key->str))
            d = tsr_dict_with(
                ctx, d, key,
                tsr_attr_string(ctx, tsr_cstr(argument_name(func, i, d, text, sizeof text))));
        tsr_vec_push(&dicts, d);
    }
    func->attrs[FUNC_FUNC_arg_attrs] = dicts.n ? tsr_attr_array(ctx, dicts.data, dicts.n) : NULL;
    tsr_vec_free(&dicts);
}

bool pass_emitpy_name_vars(tsr_pass *p, tsr_op *root)
{
    names s = {.p = p};
    TSR_OPS (root, op) {
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC) && op->regions[0].first)
            name_arguments(&s, op);
        else if (tsr_op_is(op, TSR_OP_EMITPY_CALL_OPAQUE) && op->nout)
            name_op(&s, op, op->attrs[EMITPY_CALL_OPAQUE_callee]->s);
        else if (tsr_op_is(op, TSR_OP_FUNC_CALL) && op->nout)
            name_op(&s, op, op->attrs[FUNC_CALL_callee]->s);
        else if (tsr_op_is(op, TSR_OP_EMITPY_SUBSCRIPT))
            name_subscript(&s, op);
        else if (tsr_op_is(op, TSR_OP_EMITPY_CONSTANT))
            name_constant(&s, op);
    }
    tsr_map_free(&s.counts);
    p->changed = true;
    return true;
}
