/* SPDX-License-Identifier: Apache-2.0 */
/* build.c - the public calls that create and change modules, regions, blocks and ops (tessera/build.h). */
#include "build/build.h"

#include "api/api.h"
#include "api/guard.h"

/* Whether an op may be changed. */
static bool alive(tsr_guard *g, const tsr_op *op)
{
    return op == g->module->op ? TSR_REFUSE(g, "the module's own op stays as it is")
                               : !tsr_op_is_erased(op) || TSR_REFUSE(g, "'%.*s' op was erased",
                                                                     TSR_STR_ARG(op->def->name));
}

/* ---- Modules, regions, blocks ---- */

static tsr_module *new_module(tsr_ctx *ctx, tsr_str name)
{
    tsr_module *m = tsr_module_new(ctx);
    tsr_text_install(ctx);
    m->op = tsr_op_new(m, tsr_opdef_get(ctx, TSR_STR("builtin.module")), TSR_LOC_UNKNOWN, NULL, 0,
                       NULL, 0, 1, 0);
    tsr_block_insert(tsr_block_new(m), &m->op->regions[0], NULL);
    if (name.len)
        tsr_op_set_attr(m->op, TSR_STR("sym_name"), tsr_attr_string(ctx, name));
    return m;
}

tsr_module *tsr_create_module(tsr_ctx *ctx, tsr_str name, tsr_status *status)
{
    TSR_GUARD_CTX(g, ctx, status, NULL)
    tsr_module *m = new_module(ctx, name);
    tsr_guard_close(&g);
    return m;
}

tsr_region *tsr_create_region(tsr_module *m, tsr_status *status)
{
    TSR_GUARD_MODULE(g, m, TSR_EDITS, status, NULL)
    tsr_region *region = tsr_region_apart(m);
    tsr_guard_close(&g);
    return region;
}

static bool add_arg(tsr_guard *g, tsr_block *b, tsr_type *type, tsr_attr *location)
{
    TSR_TRY(tsr_guard_types(g, &type, 1) && (!location || tsr_guard_attrs(g, &location, 1, true)));
    tsr_block_add_arg(g->module, b, type, tsr_loc_of_attr(location));
    return true;
}

tsr_block *tsr_create_block(tsr_region *region, tsr_type *const *args, size_t n,
                            tsr_attr *const *locations, tsr_status *status)
{
    tsr_module *m = region && !tsr_op_is_erased(region->op) ? region->op->module : NULL;
    TSR_GUARD_IF(g, m && (args || !n), m ? m->ctx : NULL, m, TSR_EDITS, status, NULL)
    tsr_block *b = tsr_block_new(m);
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = add_arg(&g, b, args[i], locations ? locations[i] : NULL);
    if (ok)
        tsr_block_insert(b, region, NULL);
    tsr_guard_finish(&g, ok);
    return ok ? b : NULL;
}

static tsr_module *module_of(const tsr_block *b)
{
    const tsr_op *op = b ? tsr_block_parent(b) : NULL;
    return op && !tsr_op_is_erased(op) ? op->module : NULL;
}

tsr_value *tsr_create_block_arg(tsr_block *block, tsr_type *type, tsr_attr *location,
                                tsr_status *status)
{
    TSR_GUARD_MODULE(g, module_of(block), TSR_EDITS, status, NULL)
    bool ok = add_arg(&g, block, type, location);
    tsr_guard_finish(&g, ok);
    return ok ? block->args[block->nargs - 1] : NULL;
}

/* ---- Blobs: the resources of the builtin dialect ---- */

static bool is_blob(const tsr_resource *r)
{
    return !r->external && tsr_str_is(r->dialect->str, "builtin");
}

static bool add_blob(tsr_guard *g, tsr_module *m, const tsr_blob *blob)
{
    TSR_TRY((blob->key.len && blob->align && !(blob->align & (blob->align - 1)) &&
             (blob->data.data || !blob->data.len)) ||
            TSR_REFUSE(g, "a blob has a key, data, and an alignment that is a power of two"));
    for (size_t i = 0; i < m->resources.n; i++)
        TSR_TRY(!is_blob(&m->resources.data[i]) ||
                !tsr_str_eq(m->resources.data[i].key->str, blob->key) ||
                TSR_REFUSE(g, "the module has a blob '%.*s' already", TSR_STR_ARG(blob->key)));
    char *data = tsr_arena_copy(&m->arena, blob->data.data, blob->data.len);
    tsr_vec_push(&m->resources, ((tsr_resource){
                                    .dialect = tsr_name_get(m->ctx, TSR_STR("builtin")),
                                    .key = tsr_name_get(m->ctx, blob->key),
                                    .align = blob->align,
                                    .data = {data, blob->data.len},
                                }));
    return true;
}

bool tsr_create_blob(tsr_module *m, const tsr_blob *blob, tsr_status *status)
{
    TSR_GUARD_IF(g, m && blob, m ? m->ctx : NULL, m, TSR_EDITS, status, false)
    bool ok = add_blob(&g, m, blob);
    tsr_guard_finish(&g, ok);
    return ok;
}

size_t tsr_module_blobs(const tsr_module *m, tsr_blob *out, size_t max)
{
    size_t n = 0;
    for (size_t i = 0; m && i < m->resources.n; i++) {
        const tsr_resource *r = &m->resources.data[i];
        if (!is_blob(r))
            continue;
        if (out && n < max)
            out[n] = (tsr_blob){r->key->str, r->data, r->align};
        n++;
    }
    return n;
}

/* ---- Ops ---- */

static bool place_ok(tsr_guard *g, const tsr_block *block, const tsr_op *before)
{
    return !before || before->block == block || TSR_REFUSE(g, "the place is in another block");
}

tsr_op *tsr_create_op(tsr_block *block, tsr_op *before, const tsr_op_spec *spec, tsr_status *status)
{
    tsr_module *m = module_of(block);
    TSR_GUARD_IF(g, m && spec, m ? m->ctx : NULL, m, TSR_EDITS, status, NULL)
    tsr_op *op = place_ok(&g, block, before) ? tsr_spec_op(m, spec) : NULL;
    if (op) {
        tsr_op_insert(op, block, before);
        if (!spec->unfinished && tsr_op_is_attached(op) && !tsr_verify(op)) {
            tsr_op_erase(op);
            op = NULL;
        }
    }
    tsr_guard_finish(&g, op != NULL);
    return op;
}

bool tsr_infer_results(tsr_module *m, const tsr_op_spec *spec, tsr_type **out, size_t max,
                       size_t *n, tsr_status *status)
{
    TSR_GUARD_IF(g, m && spec && n && (out || !max), m ? m->ctx : NULL, m, TSR_EDITS, status, false)
    tsr_op_spec wanted = *spec;
    wanted.results = NULL;
    tsr_op *op = tsr_spec_op(m, &wanted);
    *n = op ? op->nout : 0;
    for (size_t i = 0; i < *n && i < max; i++)
        out[i] = op->out[i].type;
    if (op)
        tsr_op_erase(op);
    tsr_guard_finish(&g, op != NULL);
    return op != NULL;
}

static tsr_op *new_function(tsr_module *m, tsr_block *block, tsr_str name, tsr_type *type,
                            tsr_loc loc)
{
    tsr_op *op =
        tsr_op_new(m, tsr_opdef_get(m->ctx, TSR_STR("func.func")), loc, NULL, 0, NULL, 0, 1, 0);
    tsr_op_set_attr(op, TSR_STR("sym_name"), tsr_attr_string(m->ctx, name));
    tsr_op_set_attr(op, TSR_STR("function_type"), tsr_attr_type(m->ctx, type));
    tsr_block *body = tsr_block_new(m);
    for (uint32_t i = 0; i < type->n; i++)
        tsr_block_add_arg(m, body, type->types[i], loc);
    tsr_block_insert(body, &op->regions[0], NULL);
    tsr_op_insert(op, block ? block : m->op->regions[0].first, NULL);
    return op;
}

tsr_op *tsr_create_function(tsr_module *m, tsr_block *block, tsr_str name, tsr_type *type,
                            tsr_attr *location, tsr_status *status)
{
    TSR_GUARD_IF(g, m && type, m ? m->ctx : NULL, m, TSR_EDITS, status, NULL)
    bool ok = (tsr_type_is(type, TSR_TYPE_FUNCTION) && type->ctx == g.ctx && name.len) ||
              TSR_REFUSE(&g, "a function has a name and a function type");
    ok = ok && (!location || tsr_guard_attrs(&g, &location, 1, true)) &&
         (!block || module_of(block) == m || TSR_REFUSE(&g, "the block is of another module"));
    tsr_op *op = ok ? new_function(m, block, name, type, tsr_loc_of_attr(location)) : NULL;
    tsr_guard_finish(&g, op != NULL);
    return op;
}

tsr_op *tsr_create_copy(tsr_block *block, tsr_op *before, tsr_op *op, tsr_status *status)
{
    tsr_module *m = module_of(block);
    TSR_GUARD_IF(g, m && op, m ? m->ctx : NULL, m, TSR_EDITS, status, NULL)
    tsr_op *copy = NULL;
    if (op->module != m || op == m->op)
        TSR_REFUSE(&g, "an op is copied within its module");
    else if (alive(&g, op) && place_ok(&g, block, before)) {
        tsr_mapping map = {0};
        copy = tsr_op_clone(m, op, &map);
        tsr_mapping_free(&map);
        tsr_op_insert(copy, block, before);
    }
    tsr_guard_finish(&g, copy != NULL);
    return copy;
}

bool tsr_op_verify(tsr_op *op)
{
    TSR_GUARD_MODULE(g, op ? op->module : NULL, TSR_INSPECTS, NULL, false)
    bool ok = (op == op->module->op || alive(&g, op)) && tsr_verify(op);
    tsr_guard_close(&g);
    return ok;
}

tsr_str tsr_describe_ops(tsr_ctx *ctx, tsr_str prefix)
{
    TSR_GUARD_CTX(g, ctx, NULL, TSR_NO_TEXT)
    size_t n;
    const tsr_opdef *rows = tsr_all_ops(ctx, &n);
    tsr_buf out = {0};
    tsr_rows_json(ctx, rows, n, prefix, &out);
    tsr_buf_char(&out, 0);
    tsr_guard_close(&g);
    return (tsr_str){out.data, out.len - 1};
}

/* ---- Changes ---- */

bool tsr_edit_erase(tsr_op *op, tsr_status *status)
{
    TSR_GUARD_MODULE(g, op ? op->module : NULL, TSR_EDITS, status, false)
    bool ok = alive(&g, op) && (!tsr_op_used(op) || tsr_op_error(op, "has results that are used"));
    if (ok)
        tsr_op_erase(op);
    tsr_guard_finish(&g, ok);
    return ok;
}

bool tsr_edit_move(tsr_op *op, tsr_block *block, tsr_op *before, tsr_status *status)
{
    tsr_module *m = module_of(block);
    TSR_GUARD_IF(g, m && op, m ? m->ctx : NULL, m, TSR_EDITS, status, false)
    bool ok = (op->module == m || TSR_REFUSE(&g, "an op is moved within its module")) &&
              alive(&g, op) && place_ok(&g, block, before) &&
              (!tsr_op_is_ancestor(op, tsr_block_parent(block)) ||
               TSR_REFUSE(&g, "an op is not moved into itself"));
    if (ok && op != before) {
        tsr_op_remove(op);
        tsr_op_insert(op, block, before);
    }
    tsr_guard_finish(&g, ok);
    return ok;
}

/* Whether v is a value of the guard's module. */
static bool value_ok(tsr_guard *g, const tsr_value *v)
{
    return (v && tsr_value_module(v) == g->module) ||
           TSR_REFUSE(g, "the value is none of the module");
}

bool tsr_edit_replace(tsr_value *from, tsr_value *to, tsr_status *status)
{
    TSR_GUARD_MODULE(g, from ? tsr_value_module(from) : NULL, TSR_EDITS, status, false)
    bool ok = value_ok(&g, to);
    if (ok)
        tsr_value_replace(from, to);
    tsr_guard_finish(&g, ok);
    return ok;
}

bool tsr_edit_operand(tsr_op *op, size_t i, tsr_value *value, tsr_status *status)
{
    TSR_GUARD_MODULE(g, op ? op->module : NULL, TSR_EDITS, status, false)
    bool ok = alive(&g, op) && value_ok(&g, value) &&
              (i < op->nin || tsr_op_error(op, "has no operand #%zu", i));
    if (ok)
        tsr_op_set_operand(op, i, value);
    tsr_guard_finish(&g, ok);
    return ok;
}

bool tsr_edit_operands(tsr_op *op, tsr_value *const *operands, size_t n, tsr_status *status)
{
    tsr_module *m = op ? op->module : NULL;
    TSR_GUARD_IF(g, m && (operands || !n), m ? m->ctx : NULL, m, TSR_EDITS, status, false)
    bool ok = alive(&g, op) &&
              (!op->nsucc || tsr_op_error(op, "has successors: its operands are set one by one"));
    for (size_t i = 0; ok && i < n; i++)
        ok = value_ok(&g, operands[i]);
    if (ok)
        tsr_op_set_operands(op, operands, n);
    tsr_guard_finish(&g, ok);
    return ok;
}

bool tsr_edit_attr(tsr_op *op, tsr_str name, tsr_attr *value, tsr_status *status)
{
    TSR_GUARD_IF(g, op && name.len, op ? op->module->ctx : NULL, op ? op->module : NULL, TSR_EDITS,
                 status, false)
    bool ok = op == g.module->op || alive(&g, op);
    if (ok)
        tsr_op_set_attr(op, name, value);
    tsr_guard_finish(&g, ok);
    return ok;
}

bool tsr_edit_type(tsr_value *value, tsr_type *type, tsr_status *status)
{
    TSR_GUARD_MODULE(g, value ? tsr_value_module(value) : NULL, TSR_EDITS, status, false)
    bool ok = tsr_guard_types(&g, &type, 1);
    if (ok)
        value->type = type;
    tsr_guard_finish(&g, ok);
    return ok;
}

bool tsr_edit_location(tsr_op *op, tsr_attr *location, tsr_status *status)
{
    TSR_GUARD_MODULE(g, op ? op->module : NULL, TSR_EDITS, status, false)
    bool ok = (op == g.module->op || alive(&g, op)) &&
              (!location || tsr_guard_attrs(&g, &location, 1, true));
    if (ok)
        op->loc = tsr_loc_of_attr(location);
    tsr_guard_finish(&g, ok);
    return ok;
}

bool tsr_edit_erase_arg(tsr_block *block, size_t i, tsr_status *status)
{
    TSR_GUARD_MODULE(g, module_of(block), TSR_EDITS, status, false)
    bool ok = i < block->nargs || TSR_REFUSE(&g, "the block has no argument #%zu", i);
    ok = ok && (!block->args[i]->uses || TSR_REFUSE(&g, "argument #%zu is used", i));
    if (ok)
        tsr_block_erase_arg(block, i);
    tsr_guard_finish(&g, ok);
    return ok;
}
