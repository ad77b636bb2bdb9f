/* SPDX-License-Identifier: Apache-2.0 */
/* layout.c - ttnn-layout: gives each tensor a layout, and inserts ttir.to_layout where an op needs a different one.
 *
 * Tensors are in DRAM, tiled. Arguments that are inputs of the program are in row-major layout; tensors that move
 * between the host and the devices of a mesh are in host memory. Needs a TTIR program; keeps values; breaks ids. */
#include <stdio.h>

#include "eval/plan.h"
#include "lower/ttnn/ttnn.h"

typedef struct {
    tsr_pass *p;
    tsr_op *func;
} state;

static bool is_tensor(const tsr_value *v)
{
    return tsr_type_is(v->type, TSR_TYPE_TENSOR);
}

/* The mesh that an encoding names; NULL: none. */
static tsr_attr *mesh_of(const tsr_type *t)
{
    tsr_attr *layout = tsr_ttnn_layout_of(t);
    if (layout)
        return layout->attrs[TTNN_TTNN_LAYOUT_mesh];
    return tsr_attr_is_struct(t->attr, &tsr_def_TTCORE_TENSOR_MESH) ? t->attr : NULL;
}

/* Whether t already has this layout. Layouts are created once for each type, and requested at each use. */
static bool is_placed(const tsr_type *t, const tsr_ttnn_spec *s)
{
    const tsr_attr *layout = tsr_ttnn_layout_of(t);
    if (!layout || s->buffer != TSR_TTNN_DRAM)
        return false;
    tsr_ttnn_spec is = tsr_ttnn_spec_of(layout);
    return is.buffer == s->buffer && is.memory == s->memory && is.tiled == s->tiled &&
           is.type == s->type && is.mesh == s->mesh && !is.cores && !is.ignores &&
           is.grid[0] == 1 && is.grid[1] == 1;
}

/* t in this buffer, interleaved if that is a device's. The element type stays. */
static tsr_type *placed(const tsr_type *t, tsr_ttnn_buffer_type buffer, bool tiled)
{
    tsr_tt_data_type type = tsr_tt_data_type_of(t->elem);
    tsr_ttnn_spec s = tsr_ttnn_default(type);
    s.buffer = buffer;
    s.tiled = tiled;
    s.mesh = mesh_of(t);
    if (is_placed(t, &s))
        return (tsr_type *)t;
    tsr_attr *layout = tsr_ttnn_layout(t->ctx, t->dims, t->n, s);
    return tsr_type_tensor(t->ctx, t->dims, t->n, t->elem, layout);
}

static bool has_data_type(const tsr_value *v)
{
    return tsr_type_has_static_shape(v->type) &&
           tsr_tt_data_type_of(v->type->elem) != TSR_TT_NO_DATA_TYPE;
}

/* ---- Types of all values ---- */

static bool default_type(tsr_op *op, tsr_value *v)
{
    if (!is_tensor(v) || tsr_ttnn_layout_of(v->type) ||
        tsr_attr_is_struct(v->type->attr, &tsr_def_TTNN_TRACE_ID))
        return true;
    if (!has_data_type(v))
        return tsr_op_error(op, "has a tensor that no device holds: its shape or element type");
    v->type = placed(v->type, TSR_TTNN_DRAM, true);
    return true;
}

static bool used_by(const tsr_value *v, uint16_t opcode)
{
    for (const tsr_use *u = v->uses; u; u = u->next)
        if (tsr_op_is(u->user, opcode))
            return true;
    return false;
}

static bool is_input(const tsr_op *func, uint32_t i)
{
    const tsr_attr *kind = tsr_tt_argument_attr(func, i, TSR_STR("ttcore.argument_type"));
    return tsr_attr_is(kind, TSR_ATTR_ENUM) && kind->i == TSR_TT_INPUT;
}

static void argument_type(tsr_op *func, tsr_value *arg)
{
    bool cache = tsr_tt_argument_attr(func, arg->index, TSR_STR("ttcore.kv_cache")) != NULL;
    bool weight = tsr_tt_argument_attr(func, arg->index, TSR_STR("ttir.conv2d_weight")) != NULL;
    bool cached = tsr_str_is(tsr_tt_function_type(func), "const_eval");
    bool shards = used_by(arg, TSR_OP_TTIR_MESH_SHARD);
    if (weight || (!cached && !cache && shards))
        arg->type = placed(arg->type, TSR_TTNN_SYSTEM_MEMORY, false);
    else if (is_input(func, arg->index) && !cache && !shards &&
             !used_by(arg, TSR_OP_TTIR_TT_LANG_OP))
        arg->type = placed(arg->type, TSR_TTNN_DRAM, false);
}

/* A host function takes and returns tensors in host memory. */
static void declaration(tsr_op *func)
{
    const tsr_type *f = func->attrs[FUNC_FUNC_function_type]->type;
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < f->n + f->nout; i++)
        tsr_vec_push(&types, tsr_type_is(f->types[i], TSR_TYPE_TENSOR)
                                 ? placed(f->types[i], TSR_TTNN_SYSTEM_MEMORY, false)
                                 : f->types[i]);
    func->attrs[FUNC_FUNC_function_type] = tsr_attr_type(
        f->ctx, tsr_type_function(f->ctx, types.data, f->n, TSR_FROM(types.data, f->n), f->nout));
    tsr_vec_free(&types);
}

static bool types_of(tsr_op *func)
{
    tsr_block *body = func->regions[0].first;
    for (uint32_t i = 0; i < body->nargs; i++) {
        TSR_TRY(default_type(func, body->args[i]));
        if (is_tensor(body->args[i]))
            argument_type(func, body->args[i]);
    }
    TSR_OPS (func, op)
        for (uint16_t i = 0; op != func && i < op->nout; i++)
            TSR_TRY(default_type(op, &op->out[i]));
    return true;
}

/* ---- Layouts that ops need ---- */

/* Operand i in this buffer; inserts a to_layout before op if it is elsewhere. */
static void need(state *s, tsr_op *op, uint32_t i, tsr_ttnn_buffer_type buffer, bool tiled)
{
    tsr_value *v = op->in[i].value;
    char suffix[32];
    if (!is_tensor(v))
        return;
    tsr_type *want = placed(v->type, buffer, tiled);
    if (want == v->type)
        return;
    snprintf(suffix, sizeof suffix, "_in_%u_layout", i);
    tsr_build b = tsr_build_before(op);
    b.loc = tsr_loc_suffixed(b.ctx, op->loc, suffix);
    tsr_value *both[] = {v, tsr_ttir_op(&b, TSR_OP_TTIR_EMPTY, NULL, 0, want)};
    tsr_op_set_operand(op, i, tsr_ttir_op(&b, TSR_OP_TTIR_TO_LAYOUT, both, 2, want));
    tsr_build_free(&b);
    s->p->changed = true;
}

static bool made_by(const tsr_value *v, uint16_t opcode)
{
    return !v->is_arg && tsr_op_is(v->op, opcode);
}

static void set_results(tsr_op *op, tsr_ttnn_buffer_type buffer, bool tiled)
{
    for (uint32_t i = 0; i < op->nout; i++)
        if (is_tensor(&op->out[i]))
            op->out[i].type = placed(op->out[i].type, buffer, tiled);
}

/* For an operand that op changes in place: later users read the changed value, not its source. */
static void follow_write(tsr_op *op, const tsr_value *was)
{
    uint32_t written = tsr_written_operands(op);
    for (uint32_t i = 0; written >> i && i < op->nin; i++) {
        tsr_value *now = op->in[i].value;
        if (!(written >> i & 1) || now->is_arg || !tsr_op_is(now->op, TSR_OP_TTIR_TO_LAYOUT) ||
            now->op->in[0].value != was)
            continue;
        for (tsr_op *o = op->next; o; o = o->next)
            for (uint32_t k = 0; k < o->nin; k++)
                if (o->in[k].value == was)
                    tsr_op_set_operand(o, k, now);
    }
}

/* Most ops compute on tiles. */
static void computes(state *s, tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *was = op->in[i].value;
        if (!made_by(was, TSR_OP_TTIR_BROADCAST) && !made_by(was, TSR_OP_TTIR_TO_LAYOUT))
            need(s, op, i, TSR_TTNN_DRAM, true);
        follow_write(op, was);
    }
    if (!tsr_op_is(op, TSR_OP_TTIR_RESHAPE))
        set_results(op, TSR_TTNN_DRAM, !tsr_op_is(op, TSR_OP_TTIR_CONV3D));
}

static void shards(state *s, tsr_op *op)
{
    need(s, op, 0, TSR_TTNN_SYSTEM_MEMORY, false);
    set_results(op, TSR_TTNN_SYSTEM_MEMORY, false);
}

static void partitions(state *s, tsr_op *op)
{
    need(s, op, 0, TSR_TTNN_DRAM, false);
    set_results(op, TSR_TTNN_DRAM, false);
}

static void returns(state *s, tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++) {
        bool host = made_by(op->in[i].value, TSR_OP_TTIR_MESH_SHARD);
        need(s, op, i, host ? TSR_TTNN_SYSTEM_MEMORY : TSR_TTNN_DRAM, !host);
    }
}

/* Results of a call have the types that the function returns. */
static void calls(state *s, tsr_op *op, const tsr_attr *callee, bool host)
{
    const tsr_op *f = tsr_symbol_resolve(op, callee);
    const tsr_type *type =
        f && tsr_op_is(f, TSR_OP_FUNC_FUNC) ? f->attrs[FUNC_FUNC_function_type]->type : NULL;
    for (uint32_t i = 0; host && i < op->nin; i++)
        need(s, op, i, TSR_TTNN_SYSTEM_MEMORY, false);
    for (uint16_t i = 0; type && i < op->nout && i < type->nout; i++)
        op->out[i].type = type->types[type->n + i];
}

static void composite(state *s, tsr_op *op)
{
    const tsr_op *f = tsr_symbol_resolve(op, op->attrs[TTCORE_COMPOSITE_decomposition]);
    const tsr_type *type =
        f && tsr_op_is(f, TSR_OP_FUNC_FUNC) ? f->attrs[FUNC_FUNC_function_type]->type : NULL;
    for (uint32_t i = 0; type && i < op->nin && i < type->n; i++) {
        const tsr_attr *want = tsr_ttnn_layout_of(type->types[i]);
        if (want)
            need(s, op, i, tsr_ttnn_buffer(want), tsr_ttnn_is_tiled(want));
    }
    calls(s, op, op->attrs[TTCORE_COMPOSITE_decomposition], false);
}

static void one_op(state *s, tsr_op *op)
{
    switch (op->def->opcode) {
    case TSR_OP_TTIR_TO_LAYOUT: return;
    case TSR_OP_TTIR_MESH_SHARD: shards(s, op); return;
    case TSR_OP_TTIR_MESH_PARTITION: partitions(s, op); return;
    case TSR_OP_FUNC_RETURN: returns(s, op); return;
    case TSR_OP_FUNC_CALL:
        if (tsr_dict_get(op->extra, TSR_STR("ttir.cpu_hoisted_call")))
            calls(s, op, op->attrs[FUNC_CALL_callee], true);
        return;
    case TSR_OP_TTCORE_LOAD_CACHED:
        calls(s, op, op->attrs[TTCORE_LOAD_CACHED_callee], false);
        return;
    case TSR_OP_TTCORE_COMPOSITE: composite(s, op); return;
    default:
        if (tsr_op_in(op, TSR_DIALECT_TTIR) && !tsr_op_has(op, TSR_TRAIT(TT_CREATES)))
            computes(s, op);
    }
}

static bool is_private(const tsr_op *func)
{
    const tsr_attr *visibility = func->attrs[FUNC_FUNC_sym_visibility];
    return tsr_attr_is(visibility, TSR_ATTR_STRING) && tsr_str_is(visibility->s, "private");
}

static void lay_out(state *s, tsr_op *func)
{
    if (!func->regions[0].first || tsr_str_is(tsr_tt_function_type(func), "forward_cpu"))
        return;
    s->func = func;
    tsr_op *next;
    for (tsr_op *o = func->regions[0].first->first; o; o = next) {
        next = o->next;
        one_op(s, o);
    }
    tsr_tt_retype_function(func);
}

bool pass_ttnn_layout(tsr_pass *p, tsr_op *root)
{
    state s = {.p = p};
    TSR_OPS (root, op) {
        if (!tsr_op_is(op, TSR_OP_FUNC_FUNC) || tsr_str_is(tsr_tt_function_type(op), "forward_cpu"))
            continue;
        s.func = op;
        TSR_TRY(tsr_tt_one_block(op));
        if (!op->regions[0].first)
            declaration(op);
        else
            TSR_TRY(types_of(op));
        p->changed = true;
    }
    /* Callees come before their callers: const-eval, then bodies of composites. */
    for (int others = 0; others < 2; others++)
        TSR_OPS (root, op)
            if (tsr_op_is(op, TSR_OP_FUNC_FUNC) && is_private(op) == !others)
                lay_out(&s, op);
    return true;
}
