/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - placement of tensors: functions computed once read from the host; weights of 3-d convolutions are prepared
 * there; adjusts deallocations. Needs TTNN; keeps values; breaks ids. */
#include "pass/ttnn/nn.h"

static bool has_kind(const tsr_op *func, const char *name)
{
    const tsr_attr *kind = tsr_dict_get(func->extra, TSR_STR("tt.function_type"));
    return tsr_attr_is(kind, TSR_ATTR_STRING) && tsr_str_is(kind->s, name);
}

static void retype(tsr_op *func)
{
    const tsr_type *f = func->attrs[FUNC_FUNC_function_type]->type;
    tsr_block *body = func->regions[0].first;
    tsr_type_vec in = {0};
    for (uint32_t i = 0; i < body->nargs; i++)
        tsr_vec_push(&in, body->args[i]->type);
    func->attrs[FUNC_FUNC_function_type] =
        tsr_attr_type(f->ctx, tsr_type_function(f->ctx, in.data, in.n, f->types + f->n, f->nout));
    tsr_vec_free(&in);
}

/* ---- Inputs of functions computed once ---- */

static tsr_type *on_host(const tsr_type *t)
{
    tsr_ttnn_spec was = tsr_ttnn_spec_of(tsr_ttnn_layout_of(t)), spec = tsr_ttnn_host(was.type);
    spec.mesh = was.mesh;
    return tsr_type_tensor(t->ctx, t->dims, t->n, t->elem,
                           tsr_ttnn_layout(t->ctx, t->dims, t->n, spec));
}

static bool only_cached(const tsr_value *arg)
{
    for (const tsr_use *u = arg->uses; u; u = u->next)
        if (!tsr_op_is(u->user, TSR_OP_TTCORE_LOAD_CACHED))
            return false;
    return arg->uses != NULL;
}

/* Whether its only use moves it to the host anyway. */
static bool goes_to_host(const tsr_value *arg)
{
    const tsr_op *user = tsr_rw_one_use(arg) ? arg->uses->user : NULL;
    return user && tsr_op_is(user, TSR_OP_TTNN_TO_TENSOR_SPEC) &&
           tsr_ttnn_layout_of(user->out[0].type) && !tsr_ttnn_on_device(user->out[0].type);
}

static void move_argument(tsr_op *func, uint32_t i, tsr_type *type)
{
    tsr_block *body = func->regions[0].first;
    tsr_value *arg = i < body->nargs ? body->args[i] : NULL;
    if (!arg || arg->type == type)
        return;
    if (!goes_to_host(arg) && arg->uses) {
        tsr_op *at = body->first;
        TSR_BLOCK_OPS (body, op)
            if (tsr_op_is(op, TSR_OP_TTNN_GET_DEVICE))
                at = op->next;
        tsr_op *made =
            tsr_op_new(func->module, tsr_opdef_of(func->module->ctx, TSR_OP_TTNN_TO_TENSOR_SPEC),
                       func->loc, NULL, 0, &arg->type, 1, 0, 0);
        tsr_value_replace(arg, &made->out[0]);
        tsr_op_set_operands(made, &arg, 1);
        tsr_op_insert(made, body, at);
    }
    arg->type = type;
    retype(func);
}

static void move_inputs(tsr_pass *p, tsr_op *func)
{
    tsr_block *body = func->regions[0].first;
    for (uint32_t i = 0; i < body->nargs; i++) {
        tsr_value *arg = body->args[i];
        if (!tsr_ttnn_layout_of(arg->type) || !tsr_ttnn_on_device(arg->type) || !only_cached(arg))
            continue;
        arg->type = on_host(arg->type);
        for (const tsr_use *u = arg->uses; u; u = u->next) {
            tsr_op *callee = tsr_symbol_resolve(u->user, u->user->attrs[TTCORE_LOAD_CACHED_callee]);
            if (callee && tsr_op_is(callee, TSR_OP_FUNC_FUNC) && callee->regions[0].first)
                move_argument(callee, (uint32_t)(u - u->user->in), arg->type);
        }
        p->changed = true;
    }
    retype(func);
}

bool pass_ttnn_force_const_eval_to_system_memory(tsr_pass *p, tsr_op *root)
{
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC) && op->regions[0].first &&
            has_kind(op, "forward_device"))
            move_inputs(p, op);
    return true;
}

/* ---- Weights of 3-d convolutions ---- */

/* Rows of [blocks of input channels x kernel], columns of output channels, as kernels read them. */
static void prepare(tsr_pass *p, tsr_op *conv)
{
    enum { C_IN_BLOCK = 5 };
    tsr_value *weight = conv->in[1].value;
    tsr_attr *layout = tsr_ttnn_layout_of(weight->type);
    const tsr_attr *config = conv->attrs[TTNN_CONV3D_conv3d_config];
    tsr_build b = tsr_build_before(conv);
    if (layout && weight->type->n == 2) {
        tsr_ttnn_spec spec = tsr_ttnn_spec_of(layout);
        spec.tiled = true;
        tsr_op_set_operand(conv, 1, tsr_nn_spec(&b, weight, spec));
    } else if (layout && weight->type->n == 5 && config && config->attrs[C_IN_BLOCK]) {
        const int64_t *d = weight->type->dims;
        tsr_ttnn_spec was = tsr_ttnn_spec_of(layout), host = tsr_ttnn_host(was.type),
                      spec = tsr_ttnn_default(was.type);
        int64_t channels = tsr_nn_round_up(conv->attrs[TTNN_CONV3D_in_channels]->i, TSR_TTNN_TILE);
        const int64_t dims[] = {d[2] * d[3] * d[4] * channels,
                                conv->attrs[TTNN_CONV3D_out_channels]->i};
        spec.tiled = false;
        tsr_type *like = tsr_type_tensor(p->ctx, dims, 2, weight->type->elem, NULL);
        host.mesh = spec.mesh = was.mesh;
        tsr_value *in[] = {tsr_nn_spec(&b, weight, host), tsr_ttnn_device(&b, conv)};
        tsr_op *made = tsr_ttir_open(&b, TSR_OP_TTNN_PREPARE_CONV3D_WEIGHTS, in, 2, 1);
        made->attrs[TTNN_PREPARE_CONV3D_WEIGHTS_groups] = conv->attrs[TTNN_CONV3D_groups];
        made->attrs[TTNN_PREPARE_CONV3D_WEIGHTS_c_in_block] =
            tsr_attr_i32(p->ctx, (int32_t)config->attrs[C_IN_BLOCK]->i);
        made->attrs[TTNN_PREPARE_CONV3D_WEIGHTS_alignment] = tsr_attr_i32(p->ctx, TSR_TTNN_TILE);
        tsr_op_set_operand(conv, 1, tsr_ttir_close(&b, made, tsr_ttnn_type(like, spec)));
    }
    tsr_build_free(&b);
    p->changed = true;
}

bool pass_ttnn_prepare_conv3d_weights(tsr_pass *p, tsr_op *root)
{
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_TTNN_CONV3D))
            prepare(p, op);
    return true;
}

/* ---- Kept tensors ---- */

static bool is_kept(const tsr_value *v)
{
    if (!v->is_arg)
        return tsr_op_is(v->op, TSR_OP_TTCORE_LOAD_CACHED);
    const tsr_op *func = tsr_block_parent(v->block);
    const tsr_attr *dicts =
        func && tsr_op_is(func, TSR_OP_FUNC_FUNC) ? func->attrs[FUNC_FUNC_arg_attrs] : NULL;
    const tsr_attr *kind =
        dicts && v->index < dicts->n
            ? tsr_dict_get(dicts->attrs[v->index], TSR_STR("ttcore.argument_type"))
            : NULL;
    return tsr_attr_is(kind, TSR_ATTR_ENUM) &&
           (kind->i == TSR_TT_PARAMETER || kind->i == TSR_TT_CONSTANT);
}

/* Parameters, constants and cached values must stay for the next run. */
bool pass_ttnn_adjust_deallocs(tsr_pass *p, tsr_op *root)
{
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_next(root, op);
        if (tsr_op_is(op, TSR_OP_TTNN_DEALLOCATE) && is_kept(op->in[0].value)) {
            tsr_op_erase(op);
            p->changed = true;
        }
    }
    return true;
}
