/* SPDX-License-Identifier: Apache-2.0 */
/* wrap_composite.c - --stablehlo-wrap-in-composite: wraps ops of given names in composites, each with its own function
 * that contains the op. Needs nothing; keeps values; breaks ids.
 *
 * Last ops first, and ops before those inside them: the regions of a wrapped op are not visited. Constants are made
 * unique and dead ops erased, as always when patterns are applied. */
#include "dialect/dialect.h"
#include "lower/passes.h"

/* An op to wrap, and the number of functions named after it. */
typedef struct {
    const tsr_opdef *def;
    uint32_t count;
} wanted;

typedef struct {
    tsr_pass *p;
    TSR_VEC(wanted) wanted;
    tsr_map names; /* const tsr_name, of the module's symbols */
    int32_t version;
} wrapper;

static bool is_taken(const wrapper *w, const tsr_name *name)
{
    TSR_MAP_EACH (&w->names, tsr_hash_ptr(name), x)
        if (x == name)
            return true;
    return false;
}

/* op.name.impl, or op.name.impl_N with the first free number. */
static const tsr_name *free_name(wrapper *w, wanted *kind)
{
    tsr_buf text = {0};
    const tsr_name *name = NULL;
    for (bool first = true; !name; first = false) {
        text.len = 0;
        tsr_buf_printf(&text, "%.*s.impl", TSR_STR_ARG(kind->def->name));
        if (!first)
            tsr_buf_printf(&text, "_%u", kind->count++);
        name = tsr_name_get(w->p->ctx, (tsr_str){text.data, text.len});
        if (is_taken(w, name))
            name = NULL;
    }
    tsr_buf_free(&text);
    tsr_map_put(&w->names, tsr_hash_ptr(name), (void *)name);
    return name;
}

static void build_function(wrapper *w, tsr_op *module, tsr_op *op, const tsr_name *name)
{
    tsr_ctx *ctx = w->p->ctx;
    tsr_type_vec in = {0}, out = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, op->in[i].value->type);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&out, op->out[i].type);
    tsr_op *func = tsr_op_new(w->p->module, tsr_opdef_of(ctx, TSR_OP_FUNC_FUNC), op->loc, NULL, 0,
                              NULL, 0, 1, 0);
    tsr_op_set_attr(func, TSR_STR("sym_name"), tsr_attr_string(ctx, name->str));
    func->attrs[FUNC_FUNC_sym_visibility] = tsr_attr_string(ctx, TSR_STR("private"));
    func->attrs[FUNC_FUNC_function_type] =
        tsr_attr_type(ctx, tsr_type_function(ctx, in.data, in.n, out.data, out.n));
    tsr_op_insert(func, module->regions[0].first, NULL);
    tsr_block *body = tsr_block_new(w->p->module);
    tsr_block_insert(body, &func->regions[0], NULL);
    tsr_mapping map = {0};
    tsr_op *copy = tsr_op_clone(w->p->module, op, &map);
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_op_set_operand(copy, i, tsr_block_add_arg(w->p->module, body, in.data[i], op->loc));
    tsr_op_insert(copy, body, NULL);
    tsr_value_vec results = {0};
    for (uint32_t i = 0; i < copy->nout; i++)
        tsr_vec_push(&results, &copy->out[i]);
    tsr_op_insert(tsr_op_new(w->p->module, tsr_opdef_of(ctx, TSR_OP_FUNC_RETURN), op->loc,
                             results.data, results.n, NULL, 0, 0, 0),
                  body, NULL);
    tsr_mapping_free(&map);
    tsr_vec_free(&results);
    tsr_vec_free(&in);
    tsr_vec_free(&out);
}

static void wrap(wrapper *w, tsr_op *module, tsr_op *op, wanted *kind)
{
    tsr_ctx *ctx = w->p->ctx;
    const tsr_name *name = free_name(w, kind);
    build_function(w, module, op, name);
    tsr_named_vec attrs = {0};
    tsr_op_all_attrs(op, &attrs);
    tsr_op *made = tsr_op_like(op, tsr_opdef_of(ctx, TSR_OP_STABLEHLO_COMPOSITE));
    made->attrs[STABLEHLO_COMPOSITE_name] = tsr_attr_string(ctx, op->def->name);
    made->attrs[STABLEHLO_COMPOSITE_composite_attributes] = tsr_attr_dict(ctx, attrs.data, attrs.n);
    made->attrs[STABLEHLO_COMPOSITE_decomposition] = tsr_attr_symbol(ctx, name->str, NULL, 0);
    made->attrs[STABLEHLO_COMPOSITE_version] = tsr_attr_i32(ctx, w->version);
    tsr_op_replace(op, made);
    tsr_vec_free(&attrs);
    w->p->changed = true;
}

/* A region that uses values from outside cannot be moved to a function. */
static bool closed(const tsr_op *op)
{
    TSR_OPS ((tsr_op *)op, inner) {
        for (uint32_t i = 0; inner != op && i < inner->nin; i++) {
            const tsr_value *v = inner->in[i].value;
            const tsr_op *from = v->is_arg ? tsr_block_parent(v->block) : v->op;
            if (!tsr_op_is_ancestor(op, from) || (!v->is_arg && from == op))
                return false;
        }
    }
    return true;
}

static bool wrap_all(wrapper *w, tsr_op *module)
{
    TSR_VEC(tsr_op *) todo = {0};
    bool ok = true;
    tsr_vec_push(&todo, module);
    while (ok && todo.n) {
        tsr_op *op = todo.data[--todo.n];
        size_t kind = 0;
        while (kind < w->wanted.n && w->wanted.data[kind].def != op->def)
            kind++;
        if (kind < w->wanted.n && op != module) {
            ok =
                closed(op) ||
                tsr_op_error(
                    op, "uses values from outside in its regions, so it cannot become a composite");
            if (ok)
                wrap(w, module, op, &w->wanted.data[kind]);
            continue;
        }
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b)
                TSR_BLOCK_OPS (b, inner)
                    tsr_vec_push(&todo, inner);
    }
    tsr_vec_free(&todo);
    return ok;
}

bool pass_stablehlo_wrap_in_composite(tsr_pass *p, tsr_op *root)
{
    wrapper w = {.p = p, .version = (int32_t)tsr_pass_int(p, "version")};
    tsr_str name;
    for (size_t i = 0; tsr_pass_item(p, "op-names", i, &name); i++) {
        const tsr_opdef *def = tsr_opdef_find(p->ctx, name);
        if (def)
            tsr_vec_push(&w.wanted, (wanted){.def = def});
        else
            tsr_emit(p->ctx, TSR_WARNING, root->loc,
                     "Unknown op name in opNamesOption: '%.*s' is not a registered operation.",
                     TSR_STR_ARG(name));
    }
    TSR_REGION_BLOCKS (&root->regions[0], b)
        TSR_BLOCK_OPS (b, op)
            if (tsr_op_symbol(op).len) {
                const tsr_name *n = tsr_name_get(p->ctx, tsr_op_symbol(op));
                tsr_map_put(&w.names, tsr_hash_ptr(n), (void *)n);
            }
    tsr_unique_constants(p, root);
    p->changed |= tsr_erase_dead_ops(root);
    bool ok = root->regions[0].first == NULL || wrap_all(&w, root);
    tsr_map_free(&w.names);
    tsr_vec_free(&w.wanted);
    return ok;
}
