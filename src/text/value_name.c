/* SPDX-License-Identifier: Apache-2.0 */
/* value_name.c - names of values as the user knows them: those that a frontend kept in attributes and locations.
 *
 * A function's arguments and results are named by attributes of the frontends (jax.arg_info, jax.result_info,
 * ttir.name), arguments also by their locations; other values by the stack of names of their location. */
#include "text/text.h"

/* The first of these attributes that the function has for argument or result i and that is no empty text. */
static bool attribute_name(tsr_buf *out, const tsr_op *func, const char *lists, uint32_t i,
                           const char *const *keys, size_t nkey)
{
    const tsr_attr *all = tsr_op_attr(func, tsr_cstr(lists));
    const tsr_attr *own = tsr_attr_is(all, TSR_ATTR_ARRAY) && i < all->n ? all->attrs[i] : NULL;
    for (size_t k = 0; tsr_attr_is(own, TSR_ATTR_DICT) && k < nkey; k++) {
        const tsr_attr *a = tsr_dict_get(own, tsr_cstr(keys[k]));
        if (!tsr_attr_is(a, TSR_ATTR_STRING) || !a->s.len)
            continue;
        tsr_buf_str(out, a->s);
        return true;
    }
    return false;
}

bool tsr_value_given_name(tsr_buf *out, const tsr_value *v)
{
    static const char *const keys[] = {"jax.arg_info", "ttir.name"};
    const tsr_op *func = v->is_arg ? tsr_block_parent(v->block) : NULL;
    bool of_func = func && tsr_op_has(func, TSR_TRAIT(FUNCTION));
    if (of_func && attribute_name(out, func, "arg_attrs", v->index, keys, TSR_COUNT(keys)))
        return true;
    if (!tsr_loc_name(out, tsr_value_loc(v)))
        return false;
    /* Values of one op, and of one block, share its location. */
    if (!of_func && (v->is_arg ? v->block->nargs : v->op->nout) > 1)
        tsr_buf_printf(out, "#%u", v->index);
    return true;
}

bool tsr_result_given_name(tsr_buf *out, const tsr_op *func, uint32_t i)
{
    static const char *const keys[] = {"jax.result_info", "ttir.name"};
    return attribute_name(out, func, "res_attrs", i, keys, TSR_COUNT(keys));
}

tsr_str tsr_value_known_as(tsr_arena *arena, const tsr_value *v)
{
    tsr_buf name = {0};
    if (!tsr_value_given_name(&name, v)) {
        tsr_op *op = v->is_arg ? tsr_block_parent(v->block) : v->op;
        const tsr_str *printed = NULL; /* naming takes a walk over the module */
        if (v->is_arg && op && tsr_op_has(op, TSR_TRAIT(FUNCTION)))
            tsr_buf_printf(&name, "%%arg%u", v->index);
        else if (op)
            printed = tsr_value_names(arena, op->module);
        tsr_buf_str(&name, printed ? printed[v->id] : (tsr_str){0});
    }
    tsr_str kept = {tsr_arena_copy(arena, name.data, name.len), name.len};
    tsr_buf_free(&name);
    return kept;
}

tsr_str tsr_result_known_as(tsr_arena *arena, const tsr_op *func, uint32_t i)
{
    tsr_buf name = {0};
    if (!tsr_result_given_name(&name, func, i))
        tsr_buf_printf(&name, "#%u", i);
    tsr_str kept = {tsr_arena_copy(arena, name.data, name.len), name.len};
    tsr_buf_free(&name);
    return kept;
}

void tsr_value_describe(tsr_buf *out, const tsr_value *v)
{
    tsr_buf name = {0};
    bool named = tsr_value_given_name(&name, v);
    const tsr_op *func = v->is_arg ? tsr_block_parent(v->block) : NULL;
    if (v->is_arg && named && func && tsr_op_has(func, TSR_TRAIT(FUNCTION))) {
        tsr_text_visible(out, tsr_buf_text(&name), TSR_VISIBLE_TEXT);
    } else if (v->is_arg) {
        tsr_buf_printf(out, "argument %u", v->index);
    } else {
        tsr_buf_str(out, v->op->def->name);
        if (named) {
            tsr_buf_cstr(out, " (");
            tsr_text_visible(out, tsr_buf_text(&name), TSR_VISIBLE_TEXT);
            tsr_buf_char(out, ')');
        }
        tsr_loc_at_place(out, v->op->module->ctx, v->op->loc, false);
    }
    tsr_buf_free(&name);
}

void tsr_port_describe(tsr_buf *out, const tsr_op *func, bool result, uint32_t i)
{
    tsr_buf name = {0};
    const tsr_block *body = func->regions[0].first;
    tsr_buf_cstr(out, result ? "result " : "argument ");
    if (result ? tsr_result_given_name(&name, func, i)
               : body && i < body->nargs && tsr_value_given_name(&name, body->args[i]))
        tsr_text_visible(out, tsr_buf_text(&name), TSR_VISIBLE_TEXT);
    else
        tsr_buf_uint(out, i);
    tsr_buf_free(&name);
}
