/* common.c - see ttnn.h. */
#include "lower/ttnn/ttnn.h"

tsr_op *tsr_tt_device_op(tsr_op *op)
{
    for (tsr_op *m = op; m; m = m->block ? tsr_block_parent(m->block) : NULL) {
        if (!tsr_op_is(m, TSR_OP_BUILTIN_MODULE) || !m->regions[0].first)
            continue;
        TSR_BLOCK_OPS (m->regions[0].first, o)
            if (tsr_op_is(o, TSR_OP_TTCORE_DEVICE))
                return o;
    }
    return NULL;
}

/* The shape of the mesh that a device is; 1x1 when nothing is said. */
static tsr_attr *mesh_shape(tsr_ctx *ctx, const tsr_op *device)
{
    static const int64_t one[] = {1, 1};
    tsr_attr *shape =
        device ? device->attrs[TTCORE_DEVICE_device_attr]->attrs[TTCORE_DEVICE_mesh_shape] : NULL;
    return shape && tsr_attr_count(shape) ? shape : tsr_attr_i64_array(ctx, one, 2);
}

tsr_value *tsr_ttnn_device(tsr_build *b, tsr_op *op)
{
    static const int64_t zero[] = {0, 0};
    TSR_BLOCK_OPS (op->block, o)
        if (tsr_op_is(o, TSR_OP_TTNN_GET_DEVICE))
            return &o->out[0];
    tsr_build at = *b;
    at.at = op->block->first;
    tsr_attr *shape = mesh_shape(b->ctx, tsr_tt_device_op(op)),
             *offset = tsr_attr_i64_array(b->ctx, zero, 2);
    tsr_op *get = tsr_ttir_open(&at, TSR_OP_TTNN_GET_DEVICE, NULL, 0, 1);
    get->attrs[TTNN_GET_DEVICE_mesh_shape] =
        tsr_attr_struct(b->ctx, &tsr_def_TTNN_MESH_SHAPE, &shape);
    get->attrs[TTNN_GET_DEVICE_mesh_offset] =
        tsr_attr_struct(b->ctx, &tsr_def_TTNN_MESH_OFFSET, &offset);
    return tsr_ttir_close(&at, get, tsr_type_dialect(b->ctx, &tsr_def_TTNN_DEVICE, NULL));
}

tsr_str tsr_tt_function_type(const tsr_op *func)
{
    const tsr_attr *a = tsr_dict_get(func->extra, TSR_STR("tt.function_type"));
    return tsr_attr_is(a, TSR_ATTR_STRING) ? a->s : (tsr_str){0};
}

tsr_attr *tsr_tt_argument_attr(const tsr_op *func, uint32_t i, tsr_str name)
{
    const tsr_attr *dicts = func->attrs[FUNC_FUNC_arg_attrs];
    return dicts && i < dicts->n ? tsr_dict_get(dicts->attrs[i], name) : NULL;
}

void tsr_tt_retype_function(tsr_op *func)
{
    tsr_block *body = func->regions[0].first;
    tsr_type_vec types = {0};
    if (!body)
        return;
    for (uint32_t i = 0; i < body->nargs; i++)
        tsr_vec_push(&types, body->args[i]->type);
    const tsr_op *ret = body->last;
    for (uint32_t i = 0; ret && i < ret->nin; i++)
        tsr_vec_push(&types, ret->in[i].value->type);
    tsr_type *type = tsr_type_function(func->module->ctx, types.data, body->nargs,
                                       types.data + body->nargs, types.n - body->nargs);
    func->attrs[FUNC_FUNC_function_type] = tsr_attr_type(func->module->ctx, type);
    tsr_vec_free(&types);
}

tsr_loc tsr_loc_suffixed(tsr_ctx *ctx, tsr_loc loc, const char *suffix)
{
    const tsr_attr *a = tsr_loc_attr(ctx, loc);
    if (!a || a->kind != TSR_ATTR_LOC || a->sub != TSR_LOC_KIND_NAME)
        return loc;
    tsr_buf name = {0};
    tsr_buf_printf(&name, "%.*s%s", TSR_STR_ARG(a->s), suffix);
    tsr_loc made = tsr_loc_of_attr(tsr_attr_loc_name(ctx, tsr_buf_text(&name), a->attrs[0]));
    tsr_buf_free(&name);
    return made;
}
