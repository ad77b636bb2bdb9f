/* SPDX-License-Identifier: Apache-2.0 */
/* convert_ops.c - hooks of convert-ttir-to-ttnn: tensors without operands, layouts, shapes, reductions, products,
 * meshes. */
#include "dialect/ttnn/view.h"
#include "lower/ttnn/convert.h"
#include "pass/ttir/tt.h"

static tsr_type *result(const tsr_ttnn_lower *l)
{
    return l->op->out[0].type;
}

/* ---- Tensors without operands ---- */

/* zeros, ones, full, constant, rand: the device is an operand if they are created there. */
static tsr_op *created(tsr_ttnn_lower *l, enum tsr_opcode to)
{
    return tsr_ttnn_like(l, to, tsr_ttnn_on_device(result(l)));
}

bool lower_ttnn_created(tsr_ttnn_lower *l)
{
    tsr_op *made = created(l, l->to);
    int slot = tsr_opdef_slot(made->def, TSR_STR("shape"));
    if (slot >= 0)
        made->attrs[slot] = tsr_ttnn_shape_attr(l->b.ctx, result(l)->dims, result(l)->n);
    return tsr_ttnn_done(l, made);
}

/* The destination of a change of layout is erased with it. */
static bool is_destination(const tsr_op *empty)
{
    const tsr_use *u = empty->out[0].uses;
    return u && !u->next && tsr_op_is(u->user, TSR_OP_TTIR_TO_LAYOUT) && u == &u->user->in[1];
}

bool lower_ttnn_empty(tsr_ttnn_lower *l)
{
    if (is_destination(l->op))
        return true;
    bool device = tsr_ttnn_on_device(result(l));
    tsr_op *made = created(l, device ? TSR_OP_TTNN_EMPTY : TSR_OP_TTNN_ZEROS);
    made->attrs[tsr_opdef_slot(made->def, TSR_STR("shape"))] =
        tsr_ttnn_shape_attr(l->b.ctx, result(l)->dims, result(l)->n);
    return tsr_ttnn_done(l, made);
}

bool lower_ttnn_arange(tsr_ttnn_lower *l)
{
    if (result(l)->n != 1)
        return tsr_op_error(l->op,
                            "counts along one dimension of several, which TTNN has no op for");
    return tsr_ttnn_done(l, created(l, TSR_OP_TTNN_ARANGE));
}

/* ---- Layouts and shapes ---- */

bool lower_ttnn_to_layout(tsr_ttnn_lower *l)
{
    tsr_op *made = tsr_ttnn_open(l, TSR_OP_TTNN_TO_TENSOR_SPEC, &l->op->in[0].value, 1);
    tsr_value *to = l->op->nin > 1 ? l->op->in[1].value : NULL;
    TSR_TRY(tsr_ttnn_done(l, made));
    if (to && !to->is_arg && tsr_op_is(to->op, TSR_OP_TTIR_EMPTY) && !tsr_op_used(to->op))
        tsr_op_erase(to->op);
    return true;
}

/* reshape, squeeze, unsqueeze: the shape is the result's. */
bool lower_ttnn_reshape(tsr_ttnn_lower *l)
{
    tsr_op *made = tsr_ttnn_open(l, TSR_OP_TTNN_RESHAPE, &l->op->in[0].value, 1);
    made->attrs[TTNN_RESHAPE_shape] = tsr_op_is(l->op, TSR_OP_TTIR_RESHAPE)
                                          ? l->op->attrs[TTIR_RESHAPE_shape]
                                          : tsr_ttir_i32s(l->b.ctx, result(l)->dims, result(l)->n);
    return tsr_ttnn_done(l, made);
}

/* broadcast and repeat: the number of repetitions of each dimension. */
bool lower_ttnn_repeat(tsr_ttnn_lower *l)
{
    tsr_op *made = tsr_ttnn_open(l, TSR_OP_TTNN_REPEAT, &l->op->in[0].value, 1);
    made->attrs[TTNN_REPEAT_repeat_dims] =
        tsr_attr_struct(l->b.ctx, &tsr_def_TTNN_SHAPE, &l->op->attrs[0]);
    return tsr_ttnn_done(l, made);
}

bool lower_ttnn_concat(tsr_ttnn_lower *l)
{
    tsr_op *made = tsr_ttnn_like(l, TSR_OP_TTNN_CONCAT, false);
    int64_t dim = made->attrs[TTNN_CONCAT_dim]->i;
    made->attrs[TTNN_CONCAT_dim] =
        tsr_ttir_si32(l->b.ctx, dim < 0 ? dim + (int64_t)result(l)->n : dim);
    return tsr_ttnn_done(l, made);
}

bool lower_ttnn_pad(tsr_ttnn_lower *l)
{
    tsr_op *made = tsr_ttnn_like(l, TSR_OP_TTNN_PAD, false);
    made->attrs[TTNN_PAD_use_multicore] = tsr_attr_bool(l->b.ctx, true);
    return tsr_ttnn_done(l, made);
}

/* ---- Reductions ---- */

/* One dimension, or all if none is named. */
static bool one_dim(tsr_ttnn_lower *l, tsr_op *made, int slot, tsr_type *type)
{
    const tsr_attr *dims = tsr_op_attr(l->op, TSR_STR("dim_arg"));
    size_t rank = l->op->in[0].value->type->n;
    if (dims && dims->n > 1 && dims->n < rank)
        return tsr_op_error(l->op,
                            "reduces several dimensions but not all, which TTNN has no op for");
    made->attrs[slot] =
        dims && dims->n == 1 ? tsr_attr_int(l->b.ctx, type, dims->attrs[0]->i) : NULL;
    return tsr_ttnn_done(l, made);
}

bool lower_ttnn_prod(tsr_ttnn_lower *l)
{
    tsr_op *made = tsr_ttnn_like(l, TSR_OP_TTNN_PROD, false);
    return one_dim(l, made, TTNN_PROD_dim_arg, tsr_type_integer(l->b.ctx, 64, TSR_SIGNED));
}

bool lower_ttnn_argmax(tsr_ttnn_lower *l)
{
    tsr_op *made = tsr_ttnn_like(l, TSR_OP_TTNN_ARGMAX, false);
    return one_dim(l, made, TTNN_ARGMAX_dim, tsr_type_integer(l->b.ctx, 32, TSR_SIGNED));
}

/* ---- Products ---- */

static bool weighted(tsr_ttnn_lower *l)
{
    tsr_op *made = tsr_ttnn_like(l, l->to, false);
    tsr_str key = TSR_STR("ttcore.weight_dtype");
    tsr_attr *type = tsr_dict_get(l->op->extra, key);
    if (type)
        made->extra = tsr_dict_with(l->b.ctx, made->extra, tsr_name_get(l->b.ctx, key), type);
    return tsr_ttnn_done(l, made);
}

bool lower_ttnn_matmul(tsr_ttnn_lower *l)
{
    return weighted(l);
}

/* The number that all elements of a value equal, behind reshapes, casts and changes of layout. */
static const tsr_attr *number_of(const tsr_value *v)
{
    while (!v->is_arg) {
        const tsr_op *op = v->op;
        if (tsr_op_is(op, TSR_OP_TTNN_FULL))
            return op->attrs[TTNN_FULL_fill_value];
        if (tsr_op_is(op, TSR_OP_TTIR_FULL))
            return op->attrs[TTIR_FULL_fill_value];
        if (tsr_op_is(op, TSR_OP_TTCORE_LOAD_CACHED)) { /* the value that it loads */
            const tsr_op *f = tsr_symbol_resolve(op, op->attrs[TTCORE_LOAD_CACHED_callee]);
            const tsr_op *ret =
                f && f->nregion && f->regions[0].first ? f->regions[0].first->last : NULL;
            if (!ret || v->index >= ret->nin)
                return NULL;
            v = ret->in[v->index].value;
            continue;
        }
        if (!tsr_op_is(op, TSR_OP_TTNN_RESHAPE) && !tsr_op_is(op, TSR_OP_TTNN_TYPECAST) &&
            !tsr_op_is(op, TSR_OP_TTNN_TO_TENSOR_SPEC) && !tsr_op_is(op, TSR_OP_TTNN_REPEAT) &&
            !tsr_op_is(op, TSR_OP_TTIR_RESHAPE) && !tsr_op_is(op, TSR_OP_TTIR_TYPECAST) &&
            !tsr_op_is(op, TSR_OP_TTIR_TO_LAYOUT) && !tsr_op_is(op, TSR_OP_TTIR_BROADCAST))
            return NULL;
        v = op->in[0].value;
    }
    return NULL;
}

static bool not_negative(const tsr_attr *a)
{
    return a->kind == TSR_ATTR_INT ? a->i >= 0 : tsr_ttr_float_attr(a) >= 0;
}

bool lower_ttnn_pow(tsr_ttnn_lower *l)
{
    const tsr_attr *e = number_of(l->op->in[1].value);
    if (!e || !not_negative(e))
        return tsr_ttnn_done(l, tsr_ttnn_like(l, TSR_OP_TTNN_POW_TENSOR, false));
    tsr_op *made = tsr_ttnn_open(l, TSR_OP_TTNN_POW_SCALAR, &l->op->in[0].value, 1);
    made->attrs[TTNN_POW_SCALAR_rhs] = (tsr_attr *)e;
    return tsr_ttnn_done(l, made);
}

/* ---- Norms ---- */

/* Norms over several dimensions are computed over one that combines them. */
static bool norm_of_rows(tsr_ttnn_lower *l, size_t several)
{
    tsr_op *op = l->op;
    tsr_type *out = result(l);
    size_t rank = out->n - several;
    int64_t dims[TSR_TTIR_RANK] = {1}, all = 1;
    tsr_value *in[3];
    for (size_t i = rank; i < out->n; i++)
        all *= out->dims[i];
    memcpy(dims, out->dims, rank * sizeof *dims);
    rank += !rank; /* there is at least one row */
    dims[rank] = all;
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = i ? tsr_nn_reshape(&l->b, op->in[i].value, &all, 1)
                  : tsr_nn_reshape(&l->b, op->in[i].value, dims, rank + 1);
    tsr_op *made = tsr_ttnn_open(l, l->to, in, op->nin);
    tsr_attrs_by_name(op, made->def, made->attrs);
    tsr_value *v = tsr_ttir_close(&l->b, made, tsr_ttnn_reshaped(out, dims, rank + 1));
    v = tsr_nn_reshape(&l->b, v, out->dims, out->n);
    v->type = out;
    return tsr_ttnn_replace(l, v);
}

bool lower_ttnn_norm(tsr_ttnn_lower *l)
{
    const tsr_attr *over = tsr_op_attr(l->op, TSR_STR("normalized_shape"));
    const tsr_type *t = result(l);
    size_t n = over ? (size_t)tsr_attr_count(over) : 1;
    bool last = n && n <= t->n && t->n < TSR_TTIR_RANK && l->op->nin <= 3;
    for (size_t i = 0; over && last && i < n; i++)
        last = tsr_attr_int_at(over, i) == t->dims[t->n - n + i];
    if (over && (!last || (n > 1 && l->b.ctx->as_peer)))
        return tsr_op_error(l->op,
                            "normalizes more than the last dimension, which TTNN has no op for");
    return n > 1 ? norm_of_rows(l, n) : tsr_ttnn_done(l, tsr_ttnn_like(l, l->to, false));
}

/* ---- Functions without an op in TTNN ---- */

/* The integer part of x. */
static tsr_value *whole_part(tsr_ttnn_lower *l, tsr_value *x)
{
    tsr_value *zero = tsr_nn_full(&l->b, l->op, x->type, tsr_ttir_f32(l->b.ctx, 0));
    tsr_value *in[] = {tsr_nn_binary(&l->b, TSR_OP_TTNN_GE, x, zero, x->type),
                       tsr_nn_unary(&l->b, TSR_OP_TTNN_FLOOR, x, NULL),
                       tsr_nn_unary(&l->b, TSR_OP_TTNN_CEIL, x, NULL)};
    return tsr_ttir_op(&l->b, TSR_OP_TTNN_WHERE, in, 3, x->type);
}

static bool of_floats(const tsr_ttnn_lower *l)
{
    const tsr_type *t = l->op->in[0].value->type;
    return (t->elem->kind == TSR_TYPE_FLOAT && l->op->out[0].type == t) ||
           tsr_op_error(l->op, "is lowered for floats alone");
}

bool lower_ttnn_trunc(tsr_ttnn_lower *l)
{
    TSR_TRY(of_floats(l));
    return tsr_ttnn_replace(l, whole_part(l, l->op->in[0].value));
}

bool lower_ttnn_frac(tsr_ttnn_lower *l)
{
    tsr_value *x = l->op->in[0].value;
    TSR_TRY(of_floats(l));
    return tsr_ttnn_replace(
        l, tsr_nn_binary(&l->b, TSR_OP_TTNN_SUBTRACT, x, whole_part(l, x), x->type));
}

/* x / (1 + |x|) */
bool lower_ttnn_softsign(tsr_ttnn_lower *l)
{
    tsr_value *x = l->op->in[0].value;
    TSR_TRY(of_floats(l));
    tsr_value *one = tsr_nn_full(&l->b, l->op, x->type, tsr_ttir_f32(l->b.ctx, 1)),
              *size = tsr_nn_unary(&l->b, TSR_OP_TTNN_ABS, x, NULL);
    size = tsr_nn_binary(&l->b, TSR_OP_TTNN_ADD, size, one, x->type);
    return tsr_ttnn_replace(l, tsr_nn_binary(&l->b, TSR_OP_TTNN_DIVIDE, x, size, x->type));
}

/* TTIR: operand, scale, offset, mean, variance. TTNN: input, mean, variance, weight, bias. In training, statistics are
 * written in place: the operands are the other results. */
bool lower_ttnn_square(tsr_ttnn_lower *l)
{
    tsr_value *both[] = {l->op->in[0].value, l->op->in[0].value};
    return tsr_ttnn_replace(
        l, tsr_ttir_close(&l->b, tsr_ttnn_open(l, l->to, both, 2), l->op->out[0].type));
}

/* A copy of a value that is written in place, if it has other users. */
static tsr_value *own_copy(tsr_ttnn_lower *l, tsr_value *v)
{
    bool alone = v->uses && !v->uses->next;
    return alone ? v : tsr_ttir_op(&l->b, TSR_OP_TTNN_ASSIGN, &v, 1, v->type);
}

bool lower_ttnn_batch_norm(tsr_ttnn_lower *l)
{
    static const uint8_t order[] = {0, 3, 4, 1, 2};
    static const int32_t ones[] = {1, 1, 1, 1, 1};
    tsr_op *op = l->op;
    tsr_value *in[TSR_COUNT(order)];
    if (op->nin != TSR_COUNT(order) || result(l)->n != 4)
        return tsr_op_error(op, "is lowered for pictures only");
    for (size_t i = 0; i < TSR_COUNT(order); i++)
        in[i] = op->in[order[i]].value;
    for (uint32_t i = 1; i < op->nout; i++)
        in[i] = own_copy(l, in[i]);
    tsr_op *made = tsr_ttnn_open(l, l->to, in, TSR_COUNT(order));
    tsr_attrs_by_name(op, made->def, made->attrs);
    made->attrs[tsr_opdef_slot(made->def, TSR_STR("operandSegmentSizes"))] =
        tsr_attr_dense_array(l->b.ctx, l->b.ctx->i32, ones, TSR_COUNT(ones));
    tsr_value *out = tsr_ttir_close(&l->b, made, op->out[0].type);
    for (uint32_t i = 1; i < op->nout; i++)
        tsr_value_replace(&op->out[i], in[i]);
    return tsr_ttnn_replace(l, out);
}

/* ---- Meshes ---- */

static tsr_attr *u32s(tsr_ctx *ctx, const int64_t *v, size_t n)
{
    tsr_attr *items[16];
    for (size_t i = 0; i < n; i++)
        items[i] = tsr_ttir_ui32(ctx, v[i]);
    return tsr_attr_array(ctx, items, n);
}

/* One placement for each dimension of the mesh: the dimension of the tensor that it divides, or none. */
static tsr_attr *mapper(tsr_ctx *ctx, const int64_t *mesh, size_t n, const tsr_attr *dims,
                        bool divides)
{
    tsr_attr *placements[16];
    for (size_t i = 0; i < n; i++) {
        int64_t dim = divides && i < (size_t)tsr_attr_count(dims) ? tsr_attr_int_at(dims, i) : -1;
        tsr_attr *both[] = {tsr_attr_enum(ctx, &tsr_def_TTNN_PLACEMENT_TYPE, dim >= 0),
                            tsr_attr_i32(ctx, (int32_t)dim)};
        placements[i] = tsr_attr_struct(ctx, &tsr_def_TTNN_PLACEMENT, both);
    }
    tsr_attr *params[] = {tsr_attr_array(ctx, placements, n), u32s(ctx, mesh, n)};
    return tsr_attr_struct(ctx, &tsr_def_TTNN_MESH_MAPPER, params);
}

/* Parts are joined along these dimensions; a dimension of the mesh that divides none gets an unused one, once. */
static tsr_attr *composer(tsr_ctx *ctx, const int64_t *mesh, size_t n, const tsr_attr *dims,
                          bool divides, int64_t rank)
{
    int64_t at[16] = {0}, sizes[16] = {1};
    tsr_attr *items[16];
    size_t count = divides ? n : 1;
    uint64_t used = 0;
    for (size_t i = 0; divides && i < n; i++)
        if (i < (size_t)tsr_attr_count(dims) && tsr_attr_int_at(dims, i) >= 0)
            used |= (uint64_t)1 << tsr_attr_int_at(dims, i);
    for (size_t i = 0; i < count && divides; i++) {
        int64_t dim = i < (size_t)tsr_attr_count(dims) ? tsr_attr_int_at(dims, i) : -1;
        sizes[i] = dim < 0 ? 1 : mesh[i];
        for (int64_t d = rank - 1; dim < 0 && d >= 0; d--)
            if (!(used >> d & 1))
                dim = d;
        at[i] = dim < 0 ? 0 : dim;
        used |= (uint64_t)1 << at[i];
    }
    for (size_t i = 0; i < count; i++)
        items[i] = tsr_attr_i32(ctx, (int32_t)at[i]);
    tsr_attr *params[] = {tsr_attr_array(ctx, items, count), u32s(ctx, sizes, count)};
    return tsr_attr_struct(ctx, &tsr_def_TTNN_MESH_COMPOSER, params);
}

bool lower_ttnn_mesh_shard(tsr_ttnn_lower *l)
{
    tsr_op *op = l->op, *device = tsr_tt_device_op(op);
    const tsr_attr *shape =
        device ? device->attrs[TTCORE_DEVICE_device_attr]->attrs[TTCORE_DEVICE_mesh_shape] : NULL;
    const tsr_attr *dims = op->attrs[TTIR_MESH_SHARD_shard_dims];
    bool divides = op->attrs[TTIR_MESH_SHARD_shard_type]->i == TSR_TT_DEVICES,
         out = op->attrs[TTIR_MESH_SHARD_shard_direction]->i == TSR_TT_FULL_TO_SHARD;
    int64_t mesh[16], rank = result(l)->n;
    size_t n = shape ? (size_t)tsr_attr_count(shape) : 0;
    if (!n || n > TSR_COUNT(mesh) || rank > 63)
        return tsr_op_error(op, "needs a device with a mesh");
    for (size_t i = 0; divides && i < (size_t)tsr_attr_count(dims); i++)
        if (tsr_attr_int_at(dims, i) >= rank)
            return tsr_op_error(op, "divides a dimension that the tensor does not have");
    for (size_t i = 0; i < n; i++)
        mesh[i] = tsr_attr_int_at(shape, i);
    tsr_value *in[] = {op->in[0].value, tsr_ttnn_device(&l->b, op)};
    tsr_op *made =
        tsr_ttnn_open(l, out ? TSR_OP_TTNN_DISTRIBUTE_TENSOR : TSR_OP_TTNN_AGGREGATE_TENSOR, in, 2);
    if (out)
        made->attrs[TTNN_DISTRIBUTE_TENSOR_mapper_config] =
            mapper(l->b.ctx, mesh, n, dims, divides);
    else
        made->attrs[TTNN_AGGREGATE_TENSOR_composer_config] =
            composer(l->b.ctx, mesh, n, dims, divides, rank);
    return tsr_ttnn_done(l, made);
}
