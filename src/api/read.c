/* SPDX-License-Identifier: Apache-2.0 */
/* read.c - the public queries of types, attributes, ops and values for builders (tessera/build.h). */
#include "api/api.h"
#include "api/guard.h"
#include "base/status.h"
#include "build/build.h"
#include "eval/tensor.h"
#include "text/text.h"

/* ---- Types ---- */

tsr_type_kind tsr_type_kind_of(const tsr_type *t)
{
    return t ? (tsr_type_kind)t->kind : TSR_TYPE_NONE;
}

uint32_t tsr_type_width(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_INTEGER) || tsr_type_is(t, TSR_TYPE_FLOAT) ? t->width : 0;
}

tsr_signedness tsr_type_sign(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_INTEGER) ? (tsr_signedness)t->sub : TSR_SIGNLESS;
}

tsr_attr *tsr_type_encoding(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_TENSOR) ? t->attr : NULL;
}

size_t tsr_type_num_members(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_TUPLE)      ? t->n
           : tsr_type_is(t, TSR_TYPE_FUNCTION) ? (size_t)t->n + t->nout
                                               : 0;
}

size_t tsr_type_num_inputs(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_FUNCTION) ? t->n : 0;
}

tsr_type *tsr_type_member(const tsr_type *t, size_t i)
{
    return i < tsr_type_num_members(t) ? t->types[i] : NULL;
}

tsr_ctx *tsr_type_context(const tsr_type *t)
{
    return t ? t->ctx : NULL;
}

/* ---- Attributes ---- */

tsr_attr_kind tsr_attr_kind_of(const tsr_attr *a)
{
    return a ? (tsr_attr_kind)a->kind : TSR_ATTR_UNIT;
}

tsr_type *tsr_attr_type_of(const tsr_attr *a)
{
    return a ? a->type : NULL;
}

bool tsr_attr_get_int(const tsr_attr *a, int64_t *out)
{
    bool ok = out && (tsr_attr_is(a, TSR_ATTR_ENUM) ||
                      (tsr_attr_is(a, TSR_ATTR_INT) &&
                       (a->type->kind == TSR_TYPE_INDEX || a->type->width <= 64)));
    if (ok)
        *out = a->i;
    return ok;
}

bool tsr_attr_get_float(const tsr_attr *a, double *out)
{
    bool ok = out && tsr_attr_is(a, TSR_ATTR_FLOAT) && a->type->width <= 64;
    if (ok)
        *out = tsr_float_to_double((tsr_float_kind)a->type->sub, (uint64_t)a->i);
    return ok;
}

tsr_str tsr_attr_text(const tsr_attr *a)
{
    if (tsr_attr_is(a, TSR_ATTR_ENUM))
        return tsr_cstr(a->def->cases[a->i]);
    return tsr_attr_is(a, TSR_ATTR_STRING) || tsr_attr_is(a, TSR_ATTR_SYMBOL) ||
                   tsr_attr_is(a, TSR_ATTR_DENSE_RESOURCE)
               ? a->s
               : (tsr_str){"", 0};
}

tsr_str tsr_attr_name(const tsr_attr *a)
{
    return tsr_attr_is(a, TSR_ATTR_STRUCT) || tsr_attr_is(a, TSR_ATTR_ENUM) ? tsr_cstr(a->def->name)
                                                                            : (tsr_str){"", 0};
}

size_t tsr_attr_num_items(const tsr_attr *a)
{
    if (!a)
        return 0;
    switch ((tsr_attr_kind)a->kind) {
    case TSR_ATTR_ARRAY:
    case TSR_ATTR_DICT:
    case TSR_ATTR_SYMBOL: return a->n;
    case TSR_ATTR_STRUCT: return a->def->nparam;
    case TSR_ATTR_DENSE_ARRAY: return (size_t)tsr_attr_count(a);
    default: return 0;
    }
}

tsr_attr *tsr_attr_item(const tsr_attr *a, size_t i)
{
    if (i >= tsr_attr_num_items(a) || a->kind == TSR_ATTR_DENSE_ARRAY)
        return NULL;
    return a->kind == TSR_ATTR_DICT ? a->named[i].value : a->attrs[i];
}

tsr_str tsr_attr_item_name(const tsr_attr *a, size_t i)
{
    return tsr_attr_is(a, TSR_ATTR_DICT) && i < a->n ? a->named[i].name->str : (tsr_str){"", 0};
}

/* Whether a is an array<...> of elements of this kind and has element i. */
static bool has_item(const tsr_attr *a, size_t i, tsr_type_kind kind)
{
    return tsr_attr_is(a, TSR_ATTR_DENSE_ARRAY) && tsr_type_is(a->type, kind) &&
           i < tsr_attr_num_items(a);
}

bool tsr_attr_item_int(const tsr_attr *a, size_t i, int64_t *out)
{
    bool ok = out && has_item(a, i, TSR_TYPE_INTEGER);
    if (ok)
        *out = tsr_attr_int_at(a, i);
    return ok;
}

bool tsr_attr_item_float(const tsr_attr *a, size_t i, double *out)
{
    if (!out || !has_item(a, i, TSR_TYPE_FLOAT))
        return false;
    size_t size = a->type->width / 8;
    uint64_t bits = 0;
    for (size_t b = 0; b < size; b++)
        bits |= (uint64_t)(uint8_t)a->s.data[i * size + b] << 8 * b;
    *out = tsr_float_to_double((tsr_float_kind)a->type->sub, bits);
    return true;
}

tsr_tensor *tsr_attr_elements(const tsr_attr *a, tsr_status *status)
{
    TSR_GUARD_IF(g, a != NULL, tsr_attr_is(a, TSR_ATTR_DENSE) ? a->type->ctx : NULL, NULL,
                 TSR_READS, status, NULL)
    tsr_tensor *t = tsr_attr_is(a, TSR_ATTR_DENSE) ? tsr_tensor_of_attr(a, a->type) : NULL;
    if (!t)
        tsr_status_set(g.status, TSR_BAD_INPUT, "the attribute has no elements of a known type");
    tsr_guard_close(&g);
    return t;
}

bool tsr_attr_fits_op(tsr_ctx *ctx, tsr_str op, tsr_str name, const tsr_attr *a)
{
    const tsr_opdef *def = ctx && a ? tsr_opdef_find(ctx, op) : NULL;
    int slot = def ? tsr_opdef_slot(def, name) : -1;
    const tsr_constraint *c = slot < 0 ? NULL : def->slots[slot].constraint;
    return def && (!c || (tsr_attr_fits(c, a) && (!c->attr_ok || c->attr_ok(a))));
}

/* ---- Modules, ops, values ---- */

tsr_ctx *tsr_module_context(const tsr_module *m)
{
    return m ? m->ctx : NULL;
}

tsr_module *tsr_op_module(const tsr_op *op)
{
    return op ? op->module : NULL;
}

tsr_block *tsr_op_block(const tsr_op *op)
{
    return op ? op->block : NULL;
}

size_t tsr_op_attrs(const tsr_op *op, tsr_named_attr *out, size_t max)
{
    TSR_GUARD_MODULE(g, op ? op->module : NULL, TSR_INSPECTS, NULL, 0)
    tsr_named_vec all = {0};
    tsr_op_all_attrs(op, &all);
    size_t n = all.n;
    for (size_t i = 0; out && i < n && i < max; i++)
        out[i] = (tsr_named_attr){all.data[i].name->str, all.data[i].value};
    tsr_vec_free(&all);
    tsr_guard_close(&g);
    return n;
}

tsr_attr *tsr_op_location(const tsr_op *op)
{
    TSR_GUARD_MODULE(g, op ? op->module : NULL, TSR_INSPECTS, NULL, NULL)
    tsr_attr *a = tsr_loc_attr(g.ctx, op->loc);
    tsr_guard_close(&g);
    return a;
}

size_t tsr_op_num_successors(const tsr_op *op)
{
    return op ? op->nsucc : 0;
}

tsr_block *tsr_op_successor(const tsr_op *op, size_t i)
{
    return op && i < op->nsucc ? op->succ[i] : NULL;
}

tsr_str tsr_op_print(tsr_op *op, const tsr_print_options *options)
{
    TSR_GUARD_MODULE(g, op ? op->module : NULL, TSR_INSPECTS, NULL, TSR_NO_TEXT)
    tsr_buf out = {0};
    if (tsr_op_is_erased(op))
        tsr_buf_printf(&out, "<erased %.*s>", TSR_STR_ARG(op->def->name));
    else
        tsr_print_op(&out, op, options);
    tsr_buf_char(&out, 0);
    tsr_guard_close(&g);
    return (tsr_str){out.data, out.len - 1};
}

tsr_op *tsr_region_op(const tsr_region *region)
{
    return region ? region->op : NULL;
}

tsr_region *tsr_block_region(const tsr_block *block)
{
    return block ? block->region : NULL;
}

tsr_block *tsr_value_block(const tsr_value *v)
{
    return v && v->is_arg ? v->block : NULL;
}

size_t tsr_value_index(const tsr_value *v)
{
    return v ? v->index : 0;
}

/* The name, owned by the caller, of a value, or of result i of a function. */
static tsr_str name_text(tsr_ctx *ctx, const tsr_value *v, const tsr_op *function, size_t i)
{
    TSR_GUARD_IF(g, ctx != NULL, ctx, NULL, TSR_INSPECTS, NULL, TSR_NO_TEXT)
    tsr_arena arena;
    tsr_buf out = {0};
    tsr_arena_init_pooled(&arena, &ctx->pool);
    tsr_buf_str(&out, v ? tsr_value_known_as(&arena, v)
                        : tsr_result_known_as(&arena, function, (uint32_t)i));
    tsr_buf_char(&out, 0);
    tsr_arena_free(&arena);
    tsr_guard_close(&g);
    return (tsr_str){out.data, out.len - 1};
}

tsr_str tsr_value_name(const tsr_value *v)
{
    const tsr_module *m = v ? tsr_value_module(v) : NULL;
    return name_text(m ? m->ctx : NULL, v, NULL, 0);
}

tsr_str tsr_function_result_name(const tsr_op *function, size_t i)
{
    const tsr_attr *type = function && tsr_op_has(function, TSR_TRAIT(FUNCTION))
                               ? tsr_op_attr(function, TSR_STR("function_type"))
                               : NULL;
    bool is_there = tsr_attr_is(type, TSR_ATTR_TYPE) && i < type->type->nout;
    return name_text(is_there ? function->module->ctx : NULL, NULL, function, i);
}

size_t tsr_value_uses(const tsr_value *v, tsr_value_use *out, size_t max)
{
    size_t n = tsr_value_num_uses(v), i = n;
    for (const tsr_use *use = v ? v->uses : NULL; use; use = use->next)
        if (--i < max && out)
            out[i] = (tsr_value_use){use->user, (size_t)(use - use->user->in)};
    return n;
}
