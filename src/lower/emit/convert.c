/* SPDX-License-Identifier: Apache-2.0 */
/* convert.c - shared by both conversions. */
#include "lower/emit/emit.h"

void tsr_emit_functions(tsr_op *root, tsr_emit_funcs *out)
{
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC) && op->regions[0].first)
            tsr_vec_push(out, op);
}

bool tsr_emit_body(tsr_pass *p, tsr_op *func, bool (*stays)(const tsr_op *op),
                   tsr_emit_convert *convert, tsr_type *(*map)(tsr_type *t))
{
    tsr_block *body = func->regions[0].first;
    tsr_op *before;
    for (tsr_op *op = body->last; op; op = before) {
        before = op->prev;
        if (stays(op))
            continue;
        tsr_build b = tsr_build_before(op);
        bool known = true, ok = convert(p, &b, op, &known);
        tsr_build_free(&b);
        if (!known)
            tsr_error(p->ctx, op->loc,
                      "failed to legalize operation '%.*s' that was explicitly marked illegal",
                      TSR_STR_ARG(op->def->name));
        if (!ok)
            return false;
        tsr_op_erase(op);
    }
    for (uint32_t i = 0; i < body->nargs; i++)
        body->args[i]->type = map(body->args[i]->type);
    return true;
}

void tsr_emit_drop_devices(tsr_op *root)
{
    TSR_OPS_REVERSE (root, op)
        if (tsr_op_is(op, TSR_OP_TTCORE_DEVICE))
            tsr_op_erase(op);
}

void tsr_emit_retype_declaration(tsr_op *func, tsr_type *(*map)(tsr_type *t))
{
    const tsr_type *t = func->attrs[FUNC_FUNC_function_type]->type;
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < t->n + t->nout; i++)
        tsr_vec_push(&types, map(t->types[i]));
    func->attrs[FUNC_FUNC_function_type] = tsr_attr_type(
        t->ctx, tsr_type_function(t->ctx, types.data, t->n, TSR_FROM(types.data, t->n), t->nout));
    func->attrs[FUNC_FUNC_arg_attrs] = func->attrs[FUNC_FUNC_res_attrs] = NULL;
    tsr_vec_free(&types);
}

/* ---- Names ---- */

static bool is_taken(const tsr_op *root, tsr_str name)
{
    return tsr_symbol_find(root, name) != NULL;
}

static tsr_attr *new_name(tsr_pass *p, const tsr_op *root, tsr_str old)
{
    tsr_buf name = {0};
    tsr_emit_identifier(&name, old);
    size_t len = name.len;
    for (unsigned n = 1; is_taken(root, tsr_buf_text(&name)); n++) {
        name.len = len;
        tsr_buf_printf(&name, "_%u", n);
    }
    tsr_attr *a = tsr_attr_string(p->ctx, tsr_buf_text(&name));
    tsr_buf_free(&name);
    return a;
}

typedef TSR_VEC(tsr_named) renames;

static void rename_uses(tsr_pass *p, tsr_op *op, const renames *list)
{
    for (uint16_t k = 0; k < op->def->nslot; k++) {
        tsr_attr *a = op->attrs[k];
        for (size_t i = 0; tsr_attr_is(a, TSR_ATTR_SYMBOL) && !a->n && i < list->n; i++)
            if (tsr_str_eq(a->s, list->data[i].name->str)) {
                op->attrs[k] = tsr_attr_symbol(p->ctx, list->data[i].value->s, NULL, 0);
                break;
            }
    }
}

void tsr_emit_rename(tsr_pass *p, tsr_op *root)
{
    renames list = {0};
    TSR_BLOCK_OPS (root->regions[0].first, op) {
        tsr_str name = tsr_op_symbol(op);
        if (!name.len || tsr_emit_is_identifier(name) || tsr_op_is(op, TSR_OP_TTCORE_DEVICE))
            continue;
        tsr_attr *to = new_name(p, root, name);
        tsr_vec_push(&list, (tsr_named){tsr_name_get(p->ctx, name), to});
        tsr_op_set_attr(op, TSR_STR("sym_name"), to);
    }
    if (list.n)
        TSR_OPS (root, op)
            rename_uses(p, op, &list);
    tsr_vec_free(&list);
}

void tsr_emit_replace_tuple(tsr_build *b, tsr_op *op,
                            tsr_value *(*make)(tsr_build *b, tsr_value *const *in, size_t n))
{
    tsr_value_vec in = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, op->in[i].value);
    tsr_value_replace(&op->out[0], make(b, in.data, in.n));
    tsr_vec_free(&in);
}
