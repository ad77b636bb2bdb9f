/* SPDX-License-Identifier: Apache-2.0 */
/* named.c - turns calls into named computations with the callee's body, so that propagation sees one function; and
 * back. Needs nothing; keeps everything else; breaks ids. */
#include "shard/core/calls.h"
#include "shard/core/flow.h"
#include "shard/passes.h"

static const tsr_str THREAD = {"execution_thread", 16};

static tsr_op *new_like(tsr_op *old, enum tsr_opcode opcode, size_t nregion)
{
    TSR_VEC(tsr_value *) in = {0};
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < old->nin; i++)
        tsr_vec_push(&in, old->in[i].value);
    for (uint32_t i = 0; i < old->nout; i++)
        tsr_vec_push(&types, old->out[i].type);
    tsr_op *new = tsr_op_new(old->module, tsr_opdef_of(old->module->ctx, opcode), old->loc, in.data,
                             in.n, types.data, types.n, nregion, 0);
    tsr_vec_free(&in);
    tsr_vec_free(&types);
    return new;
}

static void replace(tsr_op *old, tsr_op *new)
{
    tsr_op_insert(new, old->block, old);
    for (uint32_t i = 0; i < old->nout; i++)
        tsr_flow_move_uses(&old->out[i], &new->out[i], NULL);
    tsr_op_erase(old);
}

/* Copies discardable attributes of from, except the one of this name. */
static void copy_attrs(tsr_op *to, const tsr_op *from, tsr_str but)
{
    for (uint32_t i = 0; from->extra && i < from->extra->n; i++)
        if (!tsr_str_eq(from->extra->named[i].name->str, but))
            tsr_op_set_attr(to, from->extra->named[i].name->str, from->extra->named[i].value);
}

/* ---- sdy-import-func-calls ---- */

typedef struct {
    tsr_pass *p;
    tsr_symbols symbols;
    tsr_meshes meshes;
    tsr_op **taken; /* by id of the function: the computation that took its body */
} import;

static void copy_body(tsr_region *to, const tsr_op *from)
{
    tsr_mapping map = {.values = {0}};
    tsr_op *copy = tsr_op_clone(from->module, (tsr_op *)from, &map);
    tsr_mapping_free(&map);
    tsr_region_take(to, &copy->regions[0]);
    tsr_op_set_operands(copy, NULL, 0); /* only its body is needed */
}

static bool import_call(import *im, tsr_op *call)
{
    tsr_op *func = tsr_called_func(&im->symbols, call);
    if (!func)
        return false;
    if (!im->taken[func->id] && !func->regions[0].first)
        return tsr_op_error(call, "calls a function without a body");
    tsr_op *op = new_like(call, TSR_OP_SDY_NAMED_COMPUTATION, 1);
    op->attrs[SDY_NAMED_COMPUTATION_name] = tsr_original_name(func);
    op->attrs[SDY_NAMED_COMPUTATION_in_shardings] = tsr_func_shardings(func, true, &im->meshes);
    tsr_attr *out = tsr_op_attr(call, TSR_STR("sdy.sharding"));
    if (tsr_attr_is_struct(out, &tsr_def_SDY_SHARDING_PER_VALUE))
        op->attrs[SDY_NAMED_COMPUTATION_out_shardings] = out;
    copy_attrs(op, call, TSR_STR("sdy.sharding"));
    tsr_attr *thread = tsr_op_attr(func, THREAD);
    if (thread)
        tsr_op_set_attr(op, THREAD, thread);
    const tsr_op *first = im->taken[func->id];
    if (first && !(im->p->ctx->said & TSR_SAID_MANY_CALLS)) {
        tsr_str name = tsr_op_symbol(func);
        tsr_emit(
            im->p->ctx, TSR_WARNING, call->loc,
            "function @%.*s has multiple call ops, we need to clone the function body for each "
            "call",
            TSR_STR_ARG(name));
        im->p->ctx->said |= TSR_SAID_MANY_CALLS;
    }
    if (first) {
        copy_body(&op->regions[0], first);
    } else {
        tsr_take_body(&op->regions[0], &func->regions[0], TSR_OP_SDY_RETURN);
        im->taken[func->id] = op;
    }
    replace(call, op);
    return true;
}

bool pass_sdy_import_func_calls(tsr_pass *p, tsr_op *root)
{
    size_t n;
    tsr_op **order = tsr_call_order(p->scratch, root, true, &n);
    if (!order)
        return false;
import im = {.p = p, .taken = TSR_NEW_ARRAY(p->scratch, tsr_op *, p->module->nop + 1) };
    uint32_t nold = p->module->nop;
    tsr_symbols_init(&im.symbols, root);
    tsr_meshes_init(&im.meshes, p->scratch, root);
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++)
        for (tsr_op *op = order[i], *next; op && ok; op = next) {
            next = tsr_walk_next(order[i], op);
            if (tsr_op_is(op, TSR_OP_FUNC_CALL)) {
                ok = import_call(&im, op);
                p->changed = true;
            }
        }
    tsr_meshes_free(&im.meshes);
    tsr_block *body = root->regions[0].first;
    for (tsr_op *op = body->first, *next; op && ok; op = next) {
        next = op->next;
        if (op->id < nold && im.taken[op->id])
            tsr_symbols_erase(&im.symbols, op);
    }
    tsr_symbols_free(&im.symbols);
    if (ok && tsr_pass_bool(p, "add-data-flow-edges-on-named-computations"))
        TSR_OPS (root, op)
            if (tsr_op_is(op, TSR_OP_SDY_NAMED_COMPUTATION)) {
                tsr_flow_add_edges(op);
                p->changed = true;
            }
    return ok;
}

/* ---- sdy-export-named-computations ---- */

static void drop_edge(const tsr_value *v)
{
    tsr_op *edge = tsr_sdy_edge_behind(v);
    if (!edge)
        return;
    tsr_flow_move_uses(&edge->out[0], edge->in[0].value, NULL);
    tsr_op_erase(edge);
}

static tsr_op *new_func(tsr_op *op, tsr_symbols *symbols)
{
    tsr_module *m = op->module;
    tsr_ctx *ctx = m->ctx;
    tsr_op *func =
        tsr_op_new(m, tsr_opdef_of(ctx, TSR_OP_FUNC_FUNC), op->loc, NULL, 0, NULL, 0, 1, 0);
    tsr_take_body(&func->regions[0], &op->regions[0], TSR_OP_FUNC_RETURN);
    const tsr_block *body = func->regions[0].first;
    tsr_type_vec in = {0}, out = {0};
    for (uint32_t i = 0; i < body->nargs; i++)
        tsr_vec_push(&in, body->args[i]->type);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&out, op->out[i].type);
    func->attrs[FUNC_FUNC_function_type] =
        tsr_attr_type(ctx, tsr_type_function(ctx, in.data, in.n, out.data, out.n));
    tsr_vec_free(&in);
    tsr_vec_free(&out);
    tsr_op_set_attr(func, TSR_STR("sym_name"), op->attrs[SDY_NAMED_COMPUTATION_name]);
    func->attrs[FUNC_FUNC_sym_visibility] = tsr_attr_string(ctx, TSR_STR("private"));
    tsr_op_set_attr(func, TSR_STR("sdy.original_func_name"), op->attrs[SDY_NAMED_COMPUTATION_name]);
    for (uint32_t i = 0; i < body->nargs; i++)
        drop_edge(body->args[i]);
    const tsr_attr *shardings = op->attrs[SDY_NAMED_COMPUTATION_in_shardings];
    if (shardings)
        tsr_set_func_shardings(func, true, shardings);
    tsr_attr *thread = tsr_op_attr(op, THREAD);
    if (thread)
        tsr_op_set_attr(func, THREAD, thread);
    tsr_symbols_insert(symbols, func);
    return func;
}

static tsr_op *export_computation(tsr_pass *p, tsr_op *op, tsr_symbols *symbols)
{
    uint32_t nargs = tsr_flow_nargs(op);
    tsr_attr **all =
        TSR_NEW_ARRAY(p->scratch, tsr_attr *, (nargs > op->nout ? nargs : op->nout) + 1);
    if (tsr_flow_edge_shardings(op, true, all))
        tsr_flow_set_arg_shardings(op, all);
    if (tsr_flow_edge_shardings(op, false, all))
        tsr_sdy_set_shardings(op, all, op->nout);
    tsr_attr *out = op->attrs[SDY_NAMED_COMPUTATION_out_shardings];
    tsr_op *func = new_func(op, symbols);
    tsr_op *call = new_like(op, TSR_OP_FUNC_CALL, 0);
    tsr_set_callee(call, func);
    copy_attrs(call, op, THREAD);
    if (out)
        tsr_sdy_set_shardings(call, out->attrs[0]->attrs, out->attrs[0]->n);
    replace(op, call);
    return call;
}

bool pass_sdy_export_named_computations(tsr_pass *p, tsr_op *root)
{
    TSR_VEC(tsr_op *) calls = {0};
    tsr_symbols symbols;
    tsr_symbols_init(&symbols, root);
    TSR_POST_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_SDY_NAMED_COMPUTATION)) {
            tsr_vec_push(&calls, export_computation(p, op, &symbols));
            p->changed = true;
        }
    tsr_symbols_free(&symbols);
    for (size_t i = 0; i < calls.n; i++)
        for (uint32_t k = 0; k < calls.data[i]->nout; k++)
            drop_edge(&calls.data[i]->out[k]);
    tsr_vec_free(&calls);
    return true;
}
