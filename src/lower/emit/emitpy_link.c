/* SPDX-License-Identifier: Apache-2.0 */
/* emitpy_link.c - emitpy-link-modules: puts functions of the device and of the host into one module, divided into
 * files, with their imports.
 *
 * A host function calls ttir_cpu's functions inside a nested function, which utils runs on each device's part. It is
 * placed before its first caller. Needs emitpy in ttcore.device_module; breaks ids. */
#include "lower/emit/emitpy.h"

typedef struct {
    tsr_pass *p;
    tsr_attr *mesh; /* of several devices, or NULL */
} state;

/* ---- Functions of the host ---- */

static tsr_type *host_tensor(tsr_ctx *ctx)
{
    return tsr_emitpy_opaque(ctx, TSR_STR("torch.Tensor"));
}

static const char *torch_type(const tsr_type *elem)
{
    switch (tsr_tt_data_type_of(elem)) {
    case TSR_TT_F32: return "torch.float32";
    case TSR_TT_F16: return "torch.float16";
    case TSR_TT_BF16: return "torch.bfloat16";
    case TSR_TT_U32:
    case TSR_TT_SI32: return "torch.int32";
    case TSR_TT_U16: return "torch.uint16";
    case TSR_TT_U8: return "torch.uint8";
    case TSR_TT_I1: return "torch.bool";
    default: return elem->kind == TSR_TYPE_FLOAT ? "torch.float64" : "torch.int64";
    }
}

/* Whether the call must state the type of its result. */
static bool says_type(const tsr_op *op)
{
    return tsr_op_has(op, TSR_TRAIT(TT_CREATES)) || tsr_op_is(op, TSR_OP_TTIR_TYPECAST) ||
           tsr_op_is(op, TSR_OP_TTIR_CONSTANT);
}

static bool add_attributes(tsr_build *b, const tsr_op *op, tsr_emitpy_call *c)
{
    for (uint16_t i = 0; i < op->def->nslot; i++) {
        const tsr_attr *a = op->attrs[i];
        const char *name = op->def->slots[i].name;
        tsr_buf text = {0};
        if (!a || !strcmp(name, "operandSegmentSizes"))
            continue;
        bool ok = tsr_emit_attr(&text, TSR_EMIT_PYTHON, a, (tsr_str){0});
        tsr_emitpy_add_text(b->ctx, c, tsr_cstr(name), tsr_buf_text(&text));
        tsr_buf_free(&text);
        if (!ok)
            return tsr_op_error(op, "has an attribute '%s' that has no form in Python", name);
    }
    if (op->nout && says_type(op)) {
        tsr_buf text = {0};
        if (tsr_op_is(op, TSR_OP_TTIR_CONSTANT)) {
            tsr_emit_attr(&text, TSR_EMIT_PYTHON,
                          tsr_attr_i64_array(b->ctx, op->out[0].type->dims, op->out[0].type->n),
                          (tsr_str){0});
            tsr_emitpy_add_text(b->ctx, c, TSR_STR("shape"), tsr_buf_text(&text));
            tsr_buf_free(&text);
        }
        tsr_emitpy_add_text(b->ctx, c, TSR_STR("dtype"),
                            tsr_cstr(torch_type(op->out[0].type->elem)));
    }
    return true;
}

static bool convert_host_op(tsr_build *b, tsr_op *op)
{
    tsr_emitpy_call c = {0};
    tsr_type_vec types = {0};
    tsr_buf callee = {0};
    tsr_str name = op->def->name;
    if (!tsr_op_in(op, TSR_DIALECT_TTIR) || op->def->opcode == TSR_UNREGISTERED)
        return tsr_error(b->ctx, op->loc,
                         "failed to legalize operation '%.*s' that was explicitly marked illegal",
                         TSR_STR_ARG(name));
    tsr_buf_printf(&callee, "ttir_cpu.%.*s", (int)name.len - 5, name.data + 5);
    bool by_name = false; /* after an omitted operand the others must be passed by keyword */
    for (uint16_t g = 0; g < op->def->narg; g++) {
        uint32_t start = 0, n = 0;
        tsr_value_vec list = {0};
        tsr_str key = by_name ? tsr_cstr(op->def->args[g].name) : TSR_STR("");
        tsr_op_operand_group(op, g, &start, &n);
        for (uint32_t i = 0; i < n; i++)
            tsr_vec_push(&list, op->in[start + i].value);
        if (op->def->args[g].arity == TSR_VARIADIC)
            tsr_emitpy_add_value(b->ctx, &c, key, tsr_emitpy_list(b, list.data, list.n));
        else if (n)
            tsr_emitpy_add_value(b->ctx, &c, key, list.data[0]);
        else
            tsr_emitpy_add_text(b->ctx, &c, tsr_cstr(op->def->args[g].name), TSR_STR("None"));
        by_name |= !n;
        tsr_vec_free(&list);
    }
    bool ok = add_attributes(b, op, &c);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&types, host_tensor(b->ctx));
    tsr_op *made = tsr_emitpy_end_call(b, &c, tsr_buf_text(&callee), types.data, op->nout);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_value_replace(&op->out[i], &made->out[i]);
    tsr_vec_free(&types);
    tsr_buf_free(&callee);
    return ok;
}

static bool convert_host_body(tsr_block *body)
{
    tsr_op *before;
    for (tsr_op *op = body->last->prev; op; op = before) {
        before = op->prev;
        if (tsr_op_in(op, TSR_DIALECT_EMITPY))
            continue;
        tsr_build b = tsr_build_before(op);
        bool ok = convert_host_op(&b, op);
        tsr_build_free(&b);
        TSR_TRY(ok);
        tsr_op_erase(op);
    }
    tsr_op *ret = body->last;
    tsr_op *made =
        tsr_op_like(ret, tsr_opdef_of(ret->module->ctx, TSR_OP_EMITPY_NESTED_FUNC_RETURN));
    tsr_op_insert(made, body, ret);
    tsr_op_erase(ret);
    for (uint32_t i = 0; i < body->nargs; i++)
        body->args[i]->type = host_tensor(made->module->ctx);
    return true;
}

/* Moves the function's body into a nested function, which utils runs. */
static bool convert_host_function(const state *s, tsr_op *func)
{
    tsr_ctx *ctx = s->p->ctx;
    const tsr_type *old = func->attrs[FUNC_FUNC_function_type]->type;
    tsr_type_vec in = {0}, out = {0};
    tsr_buf impl = {0};
    tsr_emitpy_call c = {0};
    TSR_TRY(convert_host_body(func->regions[0].first));
    tsr_buf_printf(&impl, "%.*s_impl", TSR_STR_ARG(tsr_op_symbol(func)));
    for (uint32_t i = 0; i < old->n; i++)
        tsr_vec_push(&in, tsr_emitpy_type(old->types[i]));
    for (uint32_t i = 0; i < old->nout; i++)
        tsr_vec_push(&out, tsr_emitpy_type(old->types[old->n + i]));
    tsr_op *nested = tsr_op_new(func->module, tsr_opdef_of(ctx, TSR_OP_EMITPY_NESTED_FUNC),
                                func->loc, NULL, 0, NULL, 0, 1, 0);
    nested->attrs[EMITPY_NESTED_FUNC_sym_name] = tsr_attr_string(ctx, tsr_buf_text(&impl));
    tsr_region_take(&nested->regions[0], &func->regions[0]);
    tsr_build outer = {.ctx = ctx, .module = func->module, .loc = func->loc};
    tsr_build b = tsr_build_in(&outer, &func->regions[0], in.data, in.n);
    tsr_op_insert(nested, b.block, NULL);
    tsr_emitpy_add_value(
        ctx, &c, TSR_STR(""),
        tsr_emitpy_list(&b, b.block->args ? (tsr_value *const *)b.block->args : NULL, in.n));
    tsr_emitpy_add_text(ctx, &c, TSR_STR(""), tsr_buf_text(&impl));
    if (s->mesh) {
        tsr_buf shape = {0};
        for (int64_t i = 0; i < tsr_attr_count(s->mesh); i++)
            tsr_buf_printf(&shape, "%s%lld", i ? ", " : "(",
                           (long long)tsr_attr_int_at(s->mesh, (size_t)i));
        tsr_buf_char(&shape, ')');
        tsr_emitpy_add_text(ctx, &c, TSR_STR("mesh_shape"), tsr_buf_text(&shape));
        tsr_buf_free(&shape);
    }
    tsr_op *call =
        tsr_emitpy_end_call(&b, &c, TSR_STR("utils.execute_cpu_hoisted_function"), out.data, out.n);
    tsr_value_vec results = {0};
    for (uint32_t i = 0; i < call->nout; i++)
        tsr_vec_push(&results, &call->out[i]);
    tsr_build_close_as(&b, tsr_build_open(&b, TSR_OP_FUNC_RETURN, results.data, results.n, 0, 0),
                       NULL);
    tsr_build_free(&b);
    tsr_tt_retype_function(func);
    func->attrs[FUNC_FUNC_arg_attrs] = func->attrs[FUNC_FUNC_res_attrs] = NULL;
    tsr_vec_free(&results);
    tsr_vec_free(&in);
    tsr_vec_free(&out);
    tsr_buf_free(&impl);
    return true;
}

/* ---- Linking ---- */

static bool calls(tsr_op *op, tsr_str name)
{
    TSR_OPS (op, o)
        if (tsr_op_is(o, TSR_OP_FUNC_CALL) && tsr_str_eq(o->attrs[FUNC_CALL_callee]->s, name))
            return true;
    return false;
}

static tsr_op *module_inside(tsr_op *root, enum tsr_opcode opcode)
{
    TSR_BLOCK_OPS (root->regions[0].first, op)
        if (tsr_op_is(op, opcode))
            return op->regions[0].first->first;
    return NULL;
}

static bool link_host(const state *s, tsr_op *device, tsr_op *host)
{
    for (tsr_op *decl = device->regions[0].first->first, *next; decl; decl = next) {
        next = decl->next;
        if (!tsr_op_is(decl, TSR_OP_FUNC_FUNC) || decl->regions[0].first)
            continue;
        tsr_str name = tsr_op_symbol(decl);
        tsr_op *def = host ? tsr_symbol_find(host, name) : NULL;
        if (!def || !def->regions[0].first)
            continue;
        TSR_TRY(convert_host_function(s, def));
        tsr_op *at = NULL;
        TSR_BLOCK_OPS (device->regions[0].first, op)
            if (!at && op != decl && calls(op, name))
                at = op;
        tsr_op_remove(def);
        tsr_op_erase(decl);
        tsr_op_insert(def, device->regions[0].first, at);
        def->attrs[FUNC_FUNC_sym_visibility] = NULL;
        if (next == NULL && at == NULL)
            break;
    }
    return true;
}

/* ---- Files and imports ---- */

static bool is_kind(const tsr_op *op, const char *kind)
{
    return tsr_op_is(op, TSR_OP_FUNC_FUNC) && tsr_str_is(tsr_tt_function_type(op), kind);
}

static bool is_host(const tsr_op *op)
{
    return is_kind(op, "forward_cpu");
}

static bool is_const_eval(tsr_op *op)
{
    if (is_kind(op, "const_eval") || is_kind(op, "const_eval_wrapper"))
        return true;
    if (!is_host(op))
        return false;
    for (tsr_op *o = op->next; o; o = o->next)
        if (tsr_op_is(o, TSR_OP_FUNC_FUNC) && !is_host(o) && calls(o, tsr_op_symbol(op)))
            return is_kind(o, "const_eval");
    return false;
}

static tsr_op *import(tsr_op *root, tsr_block *block, tsr_op *at, const char *module)
{
    tsr_ctx *ctx = root->module->ctx;
    tsr_op *made = tsr_op_new(root->module, tsr_opdef_of(ctx, TSR_OP_EMITPY_IMPORT), root->loc,
                              NULL, 0, NULL, 0, 0, 0);
    made->attrs[EMITPY_IMPORT_module_name] = tsr_attr_string(ctx, tsr_cstr(module));
    tsr_op_insert(made, block, at);
    return made;
}

static void add_imports(tsr_op *root, tsr_block *block)
{
    bool host = false;
    tsr_op *first = block->first;
    TSR_BLOCK_OPS (block, op)
        host |= is_host(op);
    import(root, block, first, "ttnn");
    import(root, block, first, "utils");
    if (host) {
        import(root, block, first, "ttir_cpu");
        import(root, block, first, "torch");
    }
}

static tsr_block *new_file(tsr_op *root, const char *id)
{
    tsr_ctx *ctx = root->module->ctx;
    tsr_op *file = tsr_op_new(root->module, tsr_opdef_of(ctx, TSR_OP_EMITPY_FILE), root->loc, NULL,
                              0, NULL, 0, 1, 0);
    tsr_block *block = tsr_block_new(root->module);
    file->attrs[EMITPY_FILE_id] = tsr_attr_string(ctx, tsr_cstr(id));
    tsr_block_insert(block, &file->regions[0], NULL);
    tsr_op_insert(file, root->regions[0].first, NULL);
    return block;
}

/* main imports a function of the other file, and declares it so that calls can refer to it. */
static void import_function(tsr_op *root, tsr_block *main, const tsr_op *func)
{
    tsr_ctx *ctx = root->module->ctx;
    tsr_attr *name = func->attrs[FUNC_FUNC_sym_name], *none = tsr_attr_string(ctx, TSR_STR(""));
    tsr_op *first = main->first;
    while (first && tsr_op_is(first, TSR_OP_EMITPY_IMPORT))
        first = first->next;
    tsr_op *made = import(root, main, first, "consteval");
    made->attrs[EMITPY_IMPORT_members_to_import] = tsr_attr_array(ctx, &name, 1);
    made->attrs[EMITPY_IMPORT_member_aliases] = tsr_attr_array(ctx, &none, 1);
    tsr_op *decl = tsr_op_new(root->module, func->def, func->loc, NULL, 0, NULL, 0, 1, 0);
    decl->attrs[FUNC_FUNC_sym_name] = name;
    decl->attrs[FUNC_FUNC_function_type] = func->attrs[FUNC_FUNC_function_type];
    decl->attrs[FUNC_FUNC_sym_visibility] = tsr_attr_string(ctx, TSR_STR("private"));
    tsr_op_insert(decl, main, first);
}

static void split_files(tsr_op *root)
{
    tsr_block *top = root->regions[0].first;
    tsr_op *last = top->last;
    tsr_emit_funcs apart = {0};
    TSR_BLOCK_OPS (top, op)
        if (is_const_eval(op))
            tsr_vec_push(&apart, op);
    tsr_block *main = new_file(root, "main");
    tsr_block *other = apart.n ? new_file(root, "consteval") : NULL;
    size_t at = 0;
    for (tsr_op *op = top->first, *next; op; op = next) {
        bool end = op == last;
        next = end ? NULL : op->next;
        bool goes = at < apart.n && apart.data[at] == op;
        at += goes;
        tsr_op_remove(op);
        tsr_op_insert(op, goes ? other : main, NULL);
    }
    add_imports(root, main);
    if (other)
        add_imports(root, other);
    for (size_t i = 0; i < apart.n; i++)
        if (is_kind(apart.data[i], "const_eval_wrapper"))
            import_function(root, main, apart.data[i]);
    tsr_vec_free(&apart);
}

static void erase_wrappers(tsr_op *root)
{
    for (tsr_op *op = root->regions[0].first->first, *next; op; op = next) {
        next = op->next;
        if (tsr_op_is(op, TSR_OP_TTCORE_DEVICE_MODULE) || tsr_op_is(op, TSR_OP_TTCORE_CPU_MODULE))
            tsr_op_erase(op);
    }
}

bool pass_emitpy_link_modules(tsr_pass *p, tsr_op *root)
{
    tsr_op *device = module_inside(root, TSR_OP_TTCORE_DEVICE_MODULE),
           *host = module_inside(root, TSR_OP_TTCORE_CPU_MODULE), *from = device ? device : root;
    state s = {p, tsr_dict_get(from->extra, TSR_STR("emitpy.mesh_shape"))};
    p->changed = true;
    TSR_TRY(link_host(&s, from, host));
    if (device) {
        for (tsr_op *op = device->regions[0].first->first, *next; op; op = next) {
            next = op->next;
            tsr_op_remove(op);
            tsr_op_insert(op, root->regions[0].first, NULL);
        }
        erase_wrappers(root);
    }
    root->extra = NULL;
    if (tsr_pass_bool(p, "split-files"))
        split_files(root);
    else
        add_imports(root, root->regions[0].first);
    return true;
}
