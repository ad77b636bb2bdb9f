/* SPDX-License-Identifier: Apache-2.0 */
/* build.c - see build.h. */
#include "dialect/ttnn/build.h"

/* ---- Devices ---- */

static bool is_module(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_BUILTIN_MODULE) && op->regions[0].first;
}

static tsr_op *parent(const tsr_op *op)
{
    return op->block ? tsr_block_parent(op->block) : NULL;
}

tsr_op *tsr_tt_device_op(tsr_op *op)
{
    for (tsr_op *m = op; m; m = parent(m)) {
        if (!is_module(m))
            continue;
        TSR_BLOCK_OPS (m->regions[0].first, o)
            if (tsr_op_is(o, TSR_OP_TTCORE_DEVICE))
                return o;
    }
    return NULL;
}

static const tsr_attr *device_field(tsr_op *op, int field)
{
    const tsr_op *device = tsr_tt_device_op(op);
    return device ? device->attrs[TTCORE_DEVICE_device_attr]->attrs[field] : NULL;
}

void tsr_tt_worker_grid(tsr_op *op, int64_t out[2])
{
    const tsr_attr *grid = device_field(op, TTCORE_DEVICE_worker_grid);
    const tsr_attr *shape = grid && grid->kind == TSR_ATTR_STRUCT ? grid->attrs[0] : NULL;
    bool known = shape && tsr_attr_count(shape) == 2;
    for (size_t i = 0; i < 2; i++)
        out[i] = known ? tsr_attr_int_at(shape, i) : 8;
}

tsr_attr *tsr_tt_chip(tsr_op *op, int field)
{
    for (tsr_op *m = op; m; m = parent(m)) {
        const tsr_attr *desc = tsr_dict_get(m->extra, TSR_STR("ttcore.system_desc"));
        if (!desc || desc->kind != TSR_ATTR_STRUCT)
            continue;
        const tsr_attr *chips = desc->attrs[TTCORE_SYSTEM_DESC_chips];
        return chips && tsr_attr_count(chips) > 0 ? chips->attrs[0]->attrs[field] : NULL;
    }
    return NULL;
}

/* The shape of a device's mesh; 1x1 if not specified. */
static tsr_attr *mesh_shape(tsr_ctx *ctx, tsr_op *op)
{
    static const int64_t one[] = {1, 1};
    const tsr_attr *shape = device_field(op, TTCORE_DEVICE_mesh_shape);
    return shape && tsr_attr_count(shape) ? (tsr_attr *)shape : tsr_attr_i64_array(ctx, one, 2);
}

tsr_value *tsr_ttnn_device(tsr_build *b, tsr_op *op)
{
    static const int64_t zero[] = {0, 0};
    bool late = false; /* it is defined after the place where it is needed */
    TSR_BLOCK_OPS (op->block, o) {
        late |= o == b->at || o == op;
        if (!tsr_op_is(o, TSR_OP_TTNN_GET_DEVICE))
            continue;
        if (late && o != op->block->first)
            tsr_op_move_before(o, op->block->first);
        return &o->out[0];
    }
    tsr_build at = *b;
    at.block = op->block;
    at.at = op->block->first;
    tsr_attr *shape = mesh_shape(b->ctx, op), *offset = tsr_attr_i64_array(b->ctx, zero, 2);
    tsr_op *get = tsr_ttir_open(&at, TSR_OP_TTNN_GET_DEVICE, NULL, 0, 1);
    get->attrs[TTNN_GET_DEVICE_mesh_shape] =
        tsr_attr_struct(b->ctx, &tsr_def_TTNN_MESH_SHAPE, &shape);
    get->attrs[TTNN_GET_DEVICE_mesh_offset] =
        tsr_attr_struct(b->ctx, &tsr_def_TTNN_MESH_OFFSET, &offset);
    return tsr_ttir_close(&at, get, tsr_type_dialect(b->ctx, &tsr_def_TTNN_DEVICE, NULL));
}

/* ---- Types and attributes ---- */

tsr_attr *tsr_ttnn_shape_attr(tsr_ctx *ctx, const int64_t *dims, size_t n)
{
    tsr_attr *list = tsr_attr_i64_array(ctx, dims, n);
    return tsr_attr_struct(ctx, &tsr_def_TTNN_SHAPE, &list);
}

tsr_type *tsr_ttnn_reshaped(const tsr_type *t, const int64_t *dims, size_t n)
{
    tsr_attr *layout = tsr_ttnn_layout_of(t);
    return tsr_type_tensor(t->ctx, dims, n, t->elem,
                           layout ? tsr_ttnn_layout(t->ctx, dims, n, tsr_ttnn_spec_of(layout))
                                  : NULL);
}

tsr_type *tsr_ttnn_retyped(const tsr_type *t, tsr_tt_data_type type)
{
    tsr_attr *layout = tsr_ttnn_layout_of(t);
    if (!layout)
        return tsr_type_tensor(t->ctx, t->dims, t->n, tsr_tt_element(t->ctx, type), NULL);
    tsr_ttnn_spec spec = tsr_ttnn_spec_of(layout);
    spec.type = type;
    return tsr_ttnn_type(t, spec);
}

tsr_tt_data_type tsr_ttnn_data_type(const tsr_type *t)
{
    const tsr_attr *layout = tsr_ttnn_layout_of(t);
    return layout ? tsr_ttnn_spec_of(layout).type : tsr_tt_data_type_of(t->elem);
}

static tsr_attr *core_range(tsr_ctx *ctx, int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
    const int64_t start[] = {x0, y0}, end[] = {x1, y1};
    tsr_attr *both[] = {tsr_attr_i64_array(ctx, start, 2), tsr_attr_i64_array(ctx, end, 2)};
    return tsr_attr_struct(ctx, &tsr_def_TTNN_CORE_RANGE, both);
}

tsr_attr *tsr_ttnn_cores(tsr_op *op, const tsr_ttnn_spec *spec)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_attr *ranges[2];
    int64_t grid[2], cores = spec->grid[0] * spec->grid[1];
    size_t n = 0;
    tsr_tt_worker_grid(op, grid);
    if (spec->memory == TSR_TTNN_BLOCK_SHARDED) {
        if (spec->grid[0] > grid[0] || spec->grid[1] > grid[1])
            return NULL;
        ranges[n++] = core_range(ctx, 0, 0, spec->grid[1] - 1, spec->grid[0] - 1);
    } else {
        int64_t rows = cores / grid[1], rest = cores % grid[1];
        if (cores > grid[0] * grid[1])
            return NULL;
        if (rows)
            ranges[n++] = core_range(ctx, 0, 0, grid[1] - 1, rows - 1);
        if (rest)
            ranges[n++] = core_range(ctx, 0, rows, rest - 1, rows);
    }
    tsr_attr *list = tsr_attr_array(ctx, ranges, n);
    return tsr_attr_struct(ctx, &tsr_def_TTNN_CORE_RANGE_SET, &list);
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

void tsr_ttnn_set(tsr_op *op, const char *name, tsr_attr *a)
{
    int slot = tsr_opdef_slot(op->def, (tsr_str){name, strlen(name)});
    tsr_assert(slot >= 0, "%.*s has no %s", TSR_STR_ARG(op->def->name), name);
    op->attrs[slot] = a;
}

int tsr_ttnn_operand_index(const tsr_op *op, const char *name)
{
    uint32_t start, n;
    for (uint16_t i = 0; i < op->def->narg; i++)
        if (strcmp(op->def->args[i].name, name) == 0)
            return tsr_op_operand_group(op, i, &start, &n) && n ? (int)start : -1;
    return -1;
}

tsr_value *tsr_ttnn_operand(const tsr_op *op, const char *name)
{
    int i = tsr_ttnn_operand_index(op, name);
    return i < 0 ? NULL : op->in[i].value;
}

tsr_attr *tsr_ttnn_exact_config(tsr_ctx *ctx, bool in_l1)
{
    enum { HIFI4 = 3 };
    tsr_attr *fields[] = {tsr_attr_enum(ctx, &tsr_def_TTNN_MATH_FIDELITY, HIFI4),
                          tsr_attr_bool(ctx, false), tsr_attr_bool(ctx, true),
                          tsr_attr_bool(ctx, in_l1), NULL};
    return tsr_attr_struct(ctx, &tsr_def_TTNN_COMPUTE_CONFIG, fields);
}

/* ---- Ops ---- */

tsr_op *tsr_nn_copy(tsr_build *b, const tsr_op *op, tsr_value *const *in, size_t n,
                    tsr_type *const *types)
{
    tsr_type_vec own = {0};
    tsr_op *made = tsr_build_open(b, op->def->opcode, in, n, op->nout, 0);
    memcpy(made->attrs, op->attrs, op->def->nslot * sizeof *made->attrs);
    made->extra = op->extra;
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&own, types ? types[i] : op->out[i].type);
    tsr_build_close_as(b, made, own.data);
    tsr_vec_free(&own);
    return made;
}

tsr_value *tsr_nn_unary(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, tsr_type *type)
{
    return tsr_ttir_op(b, opcode, &x, 1, type ? type : x->type);
}

tsr_value *tsr_nn_binary(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, tsr_value *y,
                         tsr_type *type)
{
    tsr_value *in[] = {x, y};
    return tsr_ttir_op(b, opcode, in, 2, type ? type : x->type);
}

tsr_value *tsr_nn_reshape(tsr_build *b, tsr_value *v, const int64_t *dims, size_t n)
{
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTNN_RESHAPE, &v, 1, 1);
    made->attrs[TTNN_RESHAPE_shape] = tsr_ttir_i32s(b->ctx, dims, n);
    return tsr_ttir_close(b, made, tsr_ttnn_reshaped(v->type, dims, n));
}

tsr_value *tsr_nn_permute(tsr_build *b, tsr_value *v, const int64_t *permutation)
{
    int64_t dims[TSR_TTIR_RANK];
    for (uint32_t i = 0; i < v->type->n; i++)
        dims[i] = v->type->dims[permutation[i]];
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTNN_PERMUTE, &v, 1, 1);
    made->attrs[TTNN_PERMUTE_permutation] = tsr_attr_i64_array(b->ctx, permutation, v->type->n);
    return tsr_ttir_close(b, made, tsr_ttnn_reshaped(v->type, dims, v->type->n));
}

tsr_value *tsr_nn_pad(tsr_build *b, tsr_value *v, const int64_t *padding, double value,
                      bool multicore)
{
    int64_t dims[TSR_TTIR_RANK];
    size_t n = v->type->n;
    for (size_t i = 0; i < n; i++)
        dims[i] = v->type->dims[i] + padding[2 * i] + padding[2 * i + 1];
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTNN_PAD, &v, 1, 1);
    made->attrs[TTNN_PAD_padding] = tsr_ttir_i32_array(b->ctx, padding, 2 * n);
    made->attrs[TTNN_PAD_value] = tsr_ttir_f32(b->ctx, value);
    made->attrs[TTNN_PAD_use_multicore] = tsr_attr_bool(b->ctx, multicore);
    return tsr_ttir_close(b, made, tsr_ttnn_reshaped(v->type, dims, n));
}

tsr_value *tsr_nn_pad_dim(tsr_build *b, tsr_value *v, size_t dim, int64_t size, bool multicore)
{
    int64_t padding[2 * TSR_TTIR_RANK] = {0};
    padding[2 * dim + 1] = size - v->type->dims[dim];
    return tsr_nn_pad(b, v, padding, 0, multicore);
}

tsr_value *tsr_nn_slice(tsr_build *b, tsr_value *v, const int64_t *begin, const int64_t *end,
                        const int64_t *step)
{
    int64_t dims[TSR_TTIR_RANK], ones[TSR_TTIR_RANK];
    size_t n = v->type->n;
    tsr_ttir_slice_sizes(begin, end, step, n, ones, dims);
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTNN_SLICE_STATIC, &v, 1, 1);
    made->attrs[TTNN_SLICE_STATIC_begins] = tsr_ttir_i32s(b->ctx, begin, n);
    made->attrs[TTNN_SLICE_STATIC_ends] = tsr_ttir_i32s(b->ctx, end, n);
    made->attrs[TTNN_SLICE_STATIC_step] = tsr_ttir_i32s(b->ctx, ones, n);
    return tsr_ttir_close(b, made, tsr_ttnn_reshaped(v->type, dims, n));
}

tsr_value *tsr_nn_slice_dim(tsr_build *b, tsr_value *v, size_t dim, int64_t begin, int64_t end)
{
    int64_t begins[TSR_TTIR_RANK] = {0}, ends[TSR_TTIR_RANK];
    memcpy(ends, v->type->dims, v->type->n * sizeof *ends);
    begins[dim] = begin;
    ends[dim] = end;
    return tsr_nn_slice(b, v, begins, ends, NULL);
}

tsr_value *tsr_nn_concat(tsr_build *b, tsr_value *const *in, size_t n, size_t dim)
{
    int64_t dims[TSR_TTIR_RANK];
    memcpy(dims, in[0]->type->dims, in[0]->type->n * sizeof *dims);
    for (size_t i = 1; i < n; i++)
        dims[dim] += in[i]->type->dims[dim];
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTNN_CONCAT, in, n, 1);
    made->attrs[TTNN_CONCAT_dim] = tsr_ttir_si32(b->ctx, (int64_t)dim);
    return tsr_ttir_close(b, made, tsr_ttnn_reshaped(in[0]->type, dims, in[0]->type->n));
}

tsr_value *tsr_nn_repeat(tsr_build *b, tsr_value *v, const int64_t *times)
{
    int64_t dims[TSR_TTIR_RANK];
    for (uint32_t i = 0; i < v->type->n; i++)
        dims[i] = v->type->dims[i] * times[i];
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTNN_REPEAT, &v, 1, 1);
    made->attrs[TTNN_REPEAT_repeat_dims] = tsr_ttnn_shape_attr(b->ctx, times, v->type->n);
    return tsr_ttir_close(b, made, tsr_ttnn_reshaped(v->type, dims, v->type->n));
}

tsr_value *tsr_nn_typecast(tsr_build *b, tsr_value *v, tsr_tt_data_type type)
{
    return tsr_nn_unary(b, TSR_OP_TTNN_TYPECAST, v, tsr_ttnn_retyped(v->type, type));
}

tsr_value *tsr_nn_spec(tsr_build *b, tsr_value *v, tsr_ttnn_spec spec)
{
    tsr_type *type = tsr_ttnn_type(v->type, spec);
    return type == v->type ? v : tsr_nn_unary(b, TSR_OP_TTNN_TO_TENSOR_SPEC, v, type);
}

static tsr_op *created(tsr_build *b, tsr_op *at, enum tsr_opcode opcode, const tsr_type *type)
{
    bool on_device = tsr_ttnn_on_device(type);
    tsr_value *device = on_device ? tsr_ttnn_device(b, at) : NULL;
    tsr_op *made = tsr_ttir_open(b, opcode, &device, on_device, 1);
    tsr_ttnn_set(made, "shape", tsr_ttnn_shape_attr(b->ctx, type->dims, type->n));
    return made;
}

tsr_value *tsr_nn_full(tsr_build *b, tsr_op *at, tsr_type *type, tsr_attr *number)
{
    tsr_op *made = created(b, at, TSR_OP_TTNN_FULL, type);
    made->attrs[TTNN_FULL_fill_value] = number;
    return tsr_ttir_close(b, made, type);
}

tsr_value *tsr_nn_created(tsr_build *b, tsr_op *at, enum tsr_opcode opcode, tsr_type *type)
{
    return tsr_ttir_close(b, created(b, at, opcode, type), type);
}

tsr_value *tsr_nn_matmul(tsr_build *b, tsr_value *x, tsr_value *y, bool transpose_y, tsr_type *type)
{
    tsr_value *in[] = {x, y};
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTNN_MATMUL, in, 2, 1);
    made->attrs[TTNN_MATMUL_transpose_b] = tsr_attr_bool(b->ctx, transpose_y);
    return tsr_ttir_close(b, made, type);
}

tsr_value *tsr_nn_reduce(tsr_build *b, enum tsr_opcode opcode, tsr_value *v, int64_t dim)
{
    int64_t dims[TSR_TTIR_RANK];
    memcpy(dims, v->type->dims, v->type->n * sizeof *dims);
    dims[dim] = 1;
    tsr_op *made = tsr_ttir_open(b, opcode, &v, 1, 1);
    tsr_ttnn_set(made, "keep_dim", tsr_attr_bool(b->ctx, true));
    tsr_ttnn_set(made, "dim_arg", tsr_ttir_i32s(b->ctx, &dim, 1));
    return tsr_ttir_close(b, made, tsr_ttnn_reshaped(v->type, dims, v->type->n));
}
