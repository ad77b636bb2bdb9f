/* SPDX-License-Identifier: Apache-2.0 */
/* arguments.c - passes on arguments of functions: ttir-propagate-weight-dtype copies the format annotated on a weight
 * to the products that use it, ttir-infer-kv-cache-argument-types marks arguments that are caches. Needs nothing; keeps
 * everything but attributes. */
#include "pass/ttir/tt.h"

static tsr_attr *argument_attr(const tsr_value *v, tsr_str name)
{
    const tsr_op *func = v->is_arg ? tsr_block_parent(v->block) : NULL;
    if (!func || !tsr_op_is(func, TSR_OP_FUNC_FUNC))
        return NULL;
    const tsr_attr *dicts = func->attrs[FUNC_FUNC_arg_attrs];
    return dicts && v->index < dicts->n ? tsr_dict_get(dicts->attrs[v->index], name) : NULL;
}

/* ---- ttir-propagate-weight-dtype ---- */

/* Formats by precision, those of ttcore.supportedDataTypes: bits of each. */
static int format_bits(int format)
{
    static const uint8_t bits[] = {32, 16, 16, 8, 8, 4, 4, 2, 2, 32, 16, 8, 32, 1};
    return format < (int)TSR_COUNT(bits) ? bits[format] : 0;
}

static int format_of(tsr_str name)
{
    for (int i = 0; tsr_def_TTCORE_DATA_TYPE.cases[i]; i++)
        if (tsr_str_is(name, tsr_def_TTCORE_DATA_TYPE.cases[i]))
            return i;
    return -1;
}

typedef struct {
    int format; /* -1: none was found */
    bool missing, differ;
} found;

static bool moves_weight(const tsr_op *op)
{
    if (tsr_op_has(op, TSR_TRAIT(TT_MOVES) | TSR_TRAIT(TT_CCL)))
        return op->nin > 0;
    switch (op->def->opcode) {
    case TSR_OP_TTIR_BROADCAST:
    case TSR_OP_TTIR_MESH_SHARD:
    case TSR_OP_TTIR_MESH_PARTITION:
    case TSR_OP_TTIR_TYPECAST:
    case TSR_OP_TTIR_REPEAT_INTERLEAVE: return true;
    default: return false;
    }
}

/* The annotation of the arguments that v is derived from. Operands of a concat are pushed on a stack. */
static found resolve(tsr_value *v)
{
    TSR_VEC(tsr_value *) todo = {0};
    found f = {.format = -1};
    enum { MOST = 4096 };
    tsr_vec_push(&todo, v);
    for (int steps = 0; todo.n && steps < MOST; steps++) {
        tsr_value *at = todo.data[--todo.n];
        while (!at->is_arg && moves_weight(at->op))
            at = tsr_rw_in(at->op, 0);
        if (!at->is_arg && tsr_op_is(at->op, TSR_OP_TTIR_CONCAT)) {
            for (uint32_t i = 0; i < at->op->nin; i++)
                tsr_vec_push(&todo, tsr_rw_in(at->op, i));
            continue;
        }
        const tsr_attr *kind = argument_attr(at, TSR_STR("ttcore.weight_dtype"));
        int format = tsr_attr_is(kind, TSR_ATTR_STRING) ? format_of(kind->s) : -1;
        if (tsr_attr_is(kind, TSR_ATTR_STRING) && format < 0) {
            const tsr_op *func = tsr_block_parent(at->block);
            tsr_emit(func->module->ctx, TSR_WARNING, func->loc,
                     "ignoring invalid ttcore.weight_dtype \"%.*s\" on argument %u",
                     (int)kind->s.len, kind->s.data, at->index);
        }
        f.missing |= format < 0;
        f.differ |= format >= 0 && f.format >= 0 && format != f.format;
        if (format >= 0 && (f.format < 0 || format_bits(format) > format_bits(f.format)))
            f.format = format;
    }
    tsr_vec_free(&todo);
    return f;
}

bool pass_ttir_propagate_weight_dtype(tsr_pass *p, tsr_op *root)
{
    TSR_OPS (root, op) {
        if (!tsr_op_is(op, TSR_OP_TTIR_MATMUL) && !tsr_op_is(op, TSR_OP_TTIR_LINEAR) &&
            !tsr_op_is(op, TSR_OP_TTIR_SPARSE_MATMUL))
            continue;
        found f = resolve(tsr_rw_in(op, 1));
        if (f.format < 0)
            continue;
        const char *name = tsr_def_TTCORE_DATA_TYPE.cases[f.format];
        if (f.missing || f.differ)
            tsr_emit(p->ctx, TSR_WARNING, op->loc,
                     "fusing matmuls with differing weight dtype overrides; using "
                     "highest-precision dtype '%s' for the fused weight "
                     "to avoid precision loss",
                     name);
        tsr_op_set_attr(op, TSR_STR("ttcore.weight_dtype"),
                        tsr_attr_string(p->ctx, (tsr_str){name, strlen(name)}));
        p->changed = true;
    }
    return true;
}

/* ---- ttir-infer-kv-cache-argument-types ---- */

static bool writes_cache(const tsr_op *op)
{
    switch (op->def->opcode) {
    case TSR_OP_TTIR_UPDATE_CACHE:
    case TSR_OP_TTIR_PAGED_UPDATE_CACHE:
    case TSR_OP_TTIR_FILL_CACHE:
    case TSR_OP_TTIR_PAGED_FILL_CACHE: return true;
    default: return false;
    }
}

bool pass_ttir_infer_kv_cache_argument_types(tsr_pass *p, tsr_op *root)
{
    const tsr_name *name = tsr_name_get(p->ctx, TSR_STR("ttcore.kv_cache"));
    TSR_OPS (root, op) {
        if (!writes_cache(op))
            continue;
        tsr_value *v = tsr_rw_in(op, 0);
        if (tsr_rw_def_is(v, TSR_OP_TTIR_MESH_SHARD))
            v = tsr_rw_in(v->op, 0);
        tsr_op *func = v->is_arg ? tsr_block_parent(v->block) : NULL;
        if (!func || !tsr_op_is(func, TSR_OP_FUNC_FUNC) || argument_attr(v, name->str))
            continue;
        uint32_t n = v->block->nargs;
        const tsr_attr *old = func->attrs[FUNC_FUNC_arg_attrs];
        tsr_attr **dicts = TSR_NEW_ARRAY(p->scratch, tsr_attr *, n);
        for (uint32_t i = 0; i < n; i++)
            dicts[i] = old && i < old->n ? old->attrs[i] : tsr_attr_dict(p->ctx, NULL, 0);
        dicts[v->index] = tsr_dict_with(p->ctx, dicts[v->index], name, tsr_attr_unit(p->ctx));
        func->attrs[FUNC_FUNC_arg_attrs] = tsr_attr_array(p->ctx, dicts, n);
        p->changed = true;
    }
    return true;
}
