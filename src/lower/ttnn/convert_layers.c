/* SPDX-License-Identifier: Apache-2.0 */
/* convert_layers.c - hooks of convert-ttir-to-ttnn: layers whose operands TTNN takes in other shapes, or writes in
 * place. */
#include <math.h>

#include "dialect/ttnn/view.h"
#include "lower/ttnn/convert.h"

static tsr_type *result(const tsr_ttnn_lower *l)
{
    return l->op->out[0].type;
}

static tsr_attr *i32(tsr_ttnn_lower *l, int64_t v)
{
    return tsr_attr_i32(l->b.ctx, (int32_t)v);
}

static tsr_attr *own(const tsr_ttnn_lower *l, const char *name)
{
    return l->op->attrs[tsr_opdef_slot(l->op->def, (tsr_str){name, strlen(name)})];
}

/* ---- Optimizers ---- */

/* Results are the operands, which are written in place. */
bool lower_ttnn_adamw(tsr_ttnn_lower *l)
{
    static const uint8_t written[] = {0, 2, 3, 4};
    tsr_op *op = l->op;
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    tsr_op_values(op, &in, &types);
    tsr_vec_free(&types);
    tsr_op *made = tsr_ttir_open(&l->b, TSR_OP_TTNN_ADAMW, in.data, in.n, 0);
    tsr_attrs_by_name(op, made->def, made->attrs);
    tsr_build_close_as(&l->b, made, NULL);
    for (uint32_t i = 0; i < op->nout && i < TSR_COUNT(written) && written[i] < op->nin; i++)
        tsr_value_replace(&op->out[i], op->in[written[i]].value);
    tsr_vec_free(&in);
    tsr_op_erase(op);
    return true;
}

/* ---- Convolutions ---- */

/* A number, or a list of one. */
static bool scalar(tsr_ttnn_lower *l, const char *name, int64_t *out)
{
    const tsr_attr *a = own(l, name);
    if (a->kind != TSR_ATTR_INT && tsr_attr_count(a) != 1)
        return tsr_op_error(l->op, "%s must be a scalar or a 1-element array", name);
    *out = a->kind == TSR_ATTR_INT ? a->i : tsr_attr_int_at(a, 0);
    return true;
}

/* As many numbers as there are dimensions, or one for all. */
static bool list(tsr_ttnn_lower *l, const char *name, size_t n, int64_t *out)
{
    const tsr_attr *a = own(l, name);
    size_t have = a->kind == TSR_ATTR_INT ? 1 : (size_t)tsr_attr_count(a);
    if (have != 1 && have != n)
        return tsr_op_error(l->op, "Expected %zu elements for '%s', but got %zu", n, name, have);
    for (size_t i = 0; i < n; i++)
        out[i] = a->kind == TSR_ATTR_INT ? a->i : tsr_attr_int_at(a, have > 1 ? i : 0);
    return true;
}

bool lower_ttnn_conv1d(tsr_ttnn_lower *l)
{
    enum { FIELDS = 16, IN_DRAM = 15 };
    tsr_op *op = l->op;
    const tsr_type *t = op->in[0].value->type, *out = result(l);
    int64_t stride, dilation, padding[2];
    size_t batch = (size_t)own(l, "batch_dim")->i, length = (size_t)own(l, "length_dim")->i,
           channel = (size_t)own(l, "channel_dim")->i;
    if (t->n != 3 || out->n != 3 || op->in[1].value->type->n != 3 || batch > 2 || length > 2 ||
        channel > 2 || (op->nin > 2 && op->in[2].value->type->n != 3))
        return tsr_op_error(op, "has operands that are no lines of channels");
    TSR_TRY(scalar(l, "stride", &stride));
    TSR_TRY(scalar(l, "dilation", &dilation));
    TSR_TRY(list(l, "padding", 2, padding));
    tsr_value *in[4] = {op->in[0].value, op->in[1].value};
    size_t n = 2;
    if (op->nin > 2) {
        const int64_t *d = op->in[2].value->type->dims, dims[] = {d[0], d[1], 1, d[2]};
        in[n++] = tsr_nn_reshape(&l->b, op->in[2].value, dims, 4);
    }
    in[n++] = tsr_ttnn_device(&l->b, op);
    tsr_op *made = tsr_ttnn_open(l, TSR_OP_TTNN_CONV1D, in, n);
    made->attrs[TTNN_CONV1D_in_channels] = i32(l, t->dims[channel]);
    made->attrs[TTNN_CONV1D_out_channels] = i32(l, out->dims[channel]);
    made->attrs[TTNN_CONV1D_batch_size] = i32(l, t->dims[batch]);
    made->attrs[TTNN_CONV1D_input_length] = i32(l, t->dims[length]);
    made->attrs[TTNN_CONV1D_kernel_size] = i32(l, in[1]->type->dims[2]);
    made->attrs[TTNN_CONV1D_stride] = i32(l, stride);
    made->attrs[TTNN_CONV1D_dilation] = i32(l, dilation);
    made->attrs[TTNN_CONV1D_padding] = tsr_ttir_i32_array(l->b.ctx, padding, 2);
    made->attrs[TTNN_CONV1D_groups] = own(l, "groups");
    tsr_attr *fields[FIELDS] = {[IN_DRAM] = tsr_attr_bool(l->b.ctx, false)};
    made->attrs[TTNN_CONV1D_conv2d_config] =
        tsr_attr_struct(l->b.ctx, &tsr_def_TTNN_CONV2D_CONFIG, fields);
    const int64_t flat[] = {1, 1, t->dims[batch] * out->dims[length], out->dims[channel]};
    tsr_value *v = tsr_ttir_close(&l->b, made, tsr_ttnn_reshaped(out, flat, 4));
    v = tsr_nn_reshape(&l->b, v, out->dims, out->n);
    v->type = result(l);
    return tsr_ttnn_replace(l, v);
}

static int64_t divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The block sizes of kernels: as many input channels as keep addresses and tiles aligned. */
static tsr_attr *conv3d_config(tsr_ttnn_lower *l, int64_t channels, int64_t kernel)
{
    tsr_ctx *ctx = l->b.ctx;
    const tsr_attr *align = tsr_tt_chip(l->op, TTCORE_CHIP_DESC_noc_l1_align);
    int64_t unit = align ? align->i : 16, tiles = TSR_TTNN_TILE / divisor(kernel, TSR_TTNN_TILE),
            grid[2];
    int64_t block = unit / divisor(unit, tiles) * tiles;
    tsr_tt_worker_grid(l->op, grid);
    tsr_attr *shape = tsr_attr_i64_array(ctx, grid, 2), *one = tsr_attr_i64(ctx, 1);
    tsr_attr *parts[] = {shape, NULL, NULL};
    tsr_attr *fields[] = {NULL,
                          one,
                          one,
                          one,
                          tsr_attr_i64(ctx, TSR_TTNN_TILE),
                          tsr_attr_i64(ctx, block < channels ? block : channels),
                          tsr_attr_struct(ctx, &tsr_def_TTCORE_GRID, parts)};
    return tsr_attr_struct(ctx, &tsr_def_TTNN_CONV3D_CONFIG, fields);
}

bool lower_ttnn_conv3d(tsr_ttnn_lower *l)
{
    static const char *const names[] = {"batch_dim", "depth_dim", "height_dim", "width_dim",
                                        "channel_dim"};
    tsr_op *op = l->op;
    const tsr_type *t = op->in[0].value->type, *w = op->in[1].value->type;
    int64_t stride[3], padding[3], sizes[5];
    TSR_TRY(list(l, "stride", 3, stride));
    TSR_TRY(list(l, "padding", 3, padding));
    if (own(l, "groups")->i != 1)
        return tsr_op_error(op, "ttnn.conv3d only supports groups == 1");
    for (size_t i = 0; i < 5; i++) {
        if (t->n != 5 || w->n != 5 || own(l, names[i])->i < 0 || own(l, names[i])->i > 4)
            return tsr_op_error(op, "has operands that are no volumes of channels");
        sizes[i] = t->dims[own(l, names[i])->i];
    }
    size_t last = (size_t)own(l, "channel_dim")->i;
    tsr_value *in[4] = {op->in[0].value, op->in[1].value};
    size_t n = 2;
    int64_t channels = tsr_nn_round_up(sizes[4], TSR_TTNN_TILE);
    if (op->nin > 2) {
        const int64_t dims[] = {1, tsr_type_num_elements(op->in[2].value->type)};
        in[n++] = tsr_nn_reshape(&l->b, op->in[2].value, dims, 2);
    }
    if (channels != sizes[4])
        in[0] = tsr_nn_pad_dim(&l->b, in[0], last, channels, true);
    in[n++] = tsr_ttnn_device(&l->b, op);
    tsr_op *made = tsr_ttnn_open(l, TSR_OP_TTNN_CONV3D, in, n);
    made->attrs[TTNN_CONV3D_in_channels] = i32(l, channels);
    made->attrs[TTNN_CONV3D_out_channels] = i32(l, result(l)->dims[last]);
    made->attrs[TTNN_CONV3D_batch_size] = i32(l, sizes[0]);
    made->attrs[TTNN_CONV3D_input_depth] = i32(l, sizes[1]);
    made->attrs[TTNN_CONV3D_input_height] = i32(l, sizes[2]);
    made->attrs[TTNN_CONV3D_input_width] = i32(l, sizes[3]);
    made->attrs[TTNN_CONV3D_kernel_size] = tsr_ttir_i32_array(l->b.ctx, w->dims + 2, 3);
    made->attrs[TTNN_CONV3D_stride] = tsr_ttir_i32_array(l->b.ctx, stride, 3);
    made->attrs[TTNN_CONV3D_padding] = tsr_ttir_i32_array(l->b.ctx, padding, 3);
    made->attrs[TTNN_CONV3D_padding_mode] = own(l, "padding_mode");
    made->attrs[TTNN_CONV3D_groups] = own(l, "groups");
    made->attrs[TTNN_CONV3D_conv3d_config] =
        conv3d_config(l, channels, w->dims[2] * w->dims[3] * w->dims[4]);
    return tsr_ttnn_done(l, made);
}

/* ---- Norms ---- */

/* Operands by their names, in TTNN's order, followed by the device. */
bool lower_ttnn_distributed_norm(tsr_ttnn_lower *l)
{
    enum { MOST = 8 };
    const tsr_opdef *def = tsr_opdef_of(l->b.ctx, l->to);
    tsr_value *in[MOST];
    int32_t sizes[MOST] = {0};
    size_t n = 0;
    for (uint16_t i = 0; i < def->narg && i < MOST; i++) {
        bool device = strcmp(def->args[i].name, "device") == 0;
        tsr_value *v =
            device ? tsr_ttnn_device(&l->b, l->op) : tsr_ttnn_operand(l->op, def->args[i].name);
        sizes[i] = v != NULL;
        if (v)
            in[n++] = v;
    }
    tsr_op *made = tsr_ttnn_open(l, l->to, in, n);
    tsr_attrs_by_name(l->op, made->def, made->attrs);
    tsr_ttnn_set(made, "operandSegmentSizes",
                 tsr_attr_dense_array(l->b.ctx, l->b.ctx->i32, sizes, def->narg));
    return tsr_ttnn_done(l, made);
}

/* Channels come last, in [batch, 1, positions, channels]; scales and offsets are always present. */
bool lower_ttnn_group_norm(tsr_ttnn_lower *l)
{
    tsr_op *op = l->op;
    tsr_value *v = op->in[0].value, *mask = tsr_ttnn_operand(op, "input_mask"),
              *weight = tsr_ttnn_operand(op, "weight"), *bias = tsr_ttnn_operand(op, "bias");
    size_t rank = v->type->n, channel = (size_t)own(l, "channel_dim")->i;
    int64_t perm[TSR_TTIR_RANK], back[TSR_TTIR_RANK];
    if (rank < 4 || rank >= TSR_TTIR_RANK || channel >= rank)
        return tsr_op_error(op, "is lowered for pictures only");
    for (size_t i = 0; i < rank; i++)
        perm[i] = (int64_t)(i + 1 == rank ? channel : i < channel ? i : i + 1);
    for (size_t i = 0; i < rank; i++)
        back[perm[i]] = (int64_t)i;
    bool moves = channel + 1 != rank;
    if (moves)
        v = tsr_nn_permute(&l->b, v, perm);
    const tsr_type *whole = v->type;
    bool flattens = rank > 4 || whole->dims[1] != 1;
    if (flattens) {
        int64_t dims[] = {whole->dims[0], 1, 1, whole->dims[rank - 1]};
        for (size_t i = 1; i + 1 < rank; i++)
            dims[2] *= whole->dims[i];
        v = tsr_nn_reshape(&l->b, v, dims, 4);
    }
    tsr_type *row = weight ? weight->type
                    : bias ? bias->type
                           : tsr_ttnn_reshaped(v->type, &v->type->dims[3], 1);
    if (!weight)
        weight = tsr_nn_created(&l->b, op, TSR_OP_TTNN_ONES, row);
    if (!bias)
        bias = tsr_nn_created(&l->b, op, TSR_OP_TTNN_ZEROS, row);
    tsr_value *in[] = {v, mask ? mask : weight, mask ? weight : bias, bias};
    const int32_t sizes[] = {1, mask != NULL, 1, 1};
    tsr_op *made = tsr_ttnn_open(l, TSR_OP_TTNN_GROUP_NORM, in, mask ? 4 : 3);
    made->attrs[TTNN_GROUP_NORM_num_groups] = own(l, "num_groups");
    made->attrs[TTNN_GROUP_NORM_epsilon] = own(l, "epsilon");
    made->attrs[TTNN_GROUP_NORM_operandSegmentSizes] =
        tsr_attr_dense_array(l->b.ctx, l->b.ctx->i32, sizes, 4);
    v = tsr_ttir_close(&l->b, made, v->type);
    if (flattens)
        v = tsr_nn_reshape(&l->b, v, whole->dims, rank);
    if (moves)
        v = tsr_nn_permute(&l->b, v, back);
    v->type = result(l);
    return tsr_ttnn_replace(l, v);
}

/* ---- Embeddings ---- */

/* Indices are [batch, 1, 1, positions] and gradients [1, 1, positions, numbers], in whole tiles of positions. */
bool lower_ttnn_embedding_backward(tsr_ttnn_lower *l)
{
    tsr_op *op = l->op;
    tsr_value *index = op->in[0].value, *grad = op->in[2].value;
    const tsr_type *out = result(l);
    if (index->type->n > 2 && index->type->dims[index->type->n - 1] == 1)
        index = tsr_nn_reshape(&l->b, index, index->type->dims, index->type->n - 1);
    if (index->type->n == 1) {
        const int64_t dims[] = {1, index->type->dims[0]};
        index = tsr_nn_reshape(&l->b, index, dims, 2);
    }
    if (grad->type->n < 2 || index->type->n < 1 || out->n != 2)
        return tsr_op_error(op, "is lowered for tables of two dimensions only");
    size_t last = index->type->n - 1;
    int64_t size = tsr_nn_round_up(index->type->dims[last], TSR_TTNN_TILE), rows = 1;
    if (size != index->type->dims[last]) {
        index = tsr_nn_pad_dim(&l->b, index, last, size, true);
        grad = tsr_nn_pad_dim(&l->b, grad, grad->type->n - 2, size, true);
    }
    for (size_t i = 0; i + 1 < grad->type->n; i++)
        rows *= grad->type->dims[i];
    const int64_t flat[] = {1, 1, rows, grad->type->dims[grad->type->n - 1]},
                  table[] = {1, 1, out->dims[0], out->dims[1]};
    grad = tsr_nn_reshape(&l->b, grad, flat, 4);
    if (index->type->n == 2) {
        const int64_t dims[] = {index->type->dims[0], 1, 1, index->type->dims[1]};
        index = tsr_nn_reshape(&l->b, index, dims, 4);
    }
    tsr_value *in[] = {index, op->in[1].value, grad};
    tsr_value *v = tsr_ttir_close(&l->b, tsr_ttnn_open(l, TSR_OP_TTNN_EMBEDDING_BW, in, 3),
                                  tsr_ttnn_reshaped(out, table, 4));
    v = tsr_nn_reshape(&l->b, v, out->dims, 2);
    v->type = result(l);
    return tsr_ttnn_replace(l, v);
}

/* ---- Attention ---- */

/* Kernels scale sinks like the scores; TTIR's are not scaled. */
static tsr_value *sink_of(tsr_ttnn_lower *l)
{
    tsr_value *sink = tsr_ttnn_operand(l->op, "attention_sink");
    const tsr_attr *a = own(l, "scale");
    const tsr_type *q = l->op->in[0].value->type;
    float scale = a ? (float)tsr_float_to_double(TSR_F32, (uint64_t)a->i)
                    : 1.0f / sqrtf((float)q->dims[q->n - 1]);
    if (!sink || scale == 1.0f || scale == 0.0f)
        return sink;
    tsr_value *by =
        tsr_nn_full(&l->b, l->op, sink->type, tsr_ttir_f32(l->b.ctx, (double)(1.0f / scale)));
    return tsr_nn_binary(&l->b, TSR_OP_TTNN_MULTIPLY, sink, by, NULL);
}

/* The mask with dimension dim repeated to the required size. */
static tsr_value *spread(tsr_ttnn_lower *l, tsr_value *mask, size_t dim, int64_t size)
{
    int64_t times[] = {1, 1, 1, 1};
    if (!mask || mask->type->n != 4 || mask->type->dims[dim] != 1 || size <= 1)
        return mask;
    times[dim] = size;
    return tsr_nn_repeat(&l->b, mask, times);
}

/* Whether a single row of queries is decoded: rows of users, without masks that follow from positions. The peer also
 * decodes with those. */
static bool decodes(const tsr_ttnn_lower *l)
{
    const tsr_type *q = l->op->in[0].value->type, *k = l->op->in[1].value->type;
    bool placed =
        (own(l, "is_causal")->i && k->n == 4 && k->dims[2] != 1) || own(l, "sliding_window_size");
    return q->n == 4 && q->dims[2] == 1 && (!placed || l->b.ctx->as_peer);
}

static tsr_op *attention(tsr_ttnn_lower *l, enum tsr_opcode to, tsr_value *const *in,
                         const int32_t *sizes, size_t groups)
{
    tsr_value *given[6];
    size_t n = 0;
    for (size_t i = 0; i < groups; i++)
        if (sizes[i])
            given[n++] = in[i];
    tsr_op *made = tsr_ttnn_open(l, to, given, n);
    tsr_attrs_by_name(l->op, made->def, made->attrs);
    tsr_ttnn_set(made, "operandSegmentSizes",
                 tsr_attr_dense_array(l->b.ctx, l->b.ctx->i32, sizes, groups));
    return made;
}

bool lower_ttnn_attention(tsr_ttnn_lower *l)
{
    static const int64_t there[] = {2, 0, 1, 3}, back[] = {1, 2, 0, 3}, rows[] = {0, 2, 1, 3};
    tsr_op *op = l->op;
    tsr_value *q = op->in[0].value, *k = op->in[1].value, *v = op->in[2].value,
              *mask = tsr_ttnn_operand(op, "attention_mask");
    if (!decodes(l)) {
        if (q->type->n == 4)
            mask = spread(l, mask, 2, q->type->dims[2]);
        tsr_value *sink = sink_of(l), *in[] = {q, k, v, mask, sink};
        const int32_t sizes[] = {1, 1, 1, mask != NULL, sink != NULL};
        return tsr_ttnn_done(l,
                             attention(l, TSR_OP_TTNN_SCALED_DOT_PRODUCT_ATTENTION, in, sizes, 5));
    }
    int64_t heads = q->type->dims[1];
    q = tsr_nn_permute(&l->b, q, there);
    if (mask && mask->type->n == 4)
        mask = spread(l, tsr_nn_permute(&l->b, mask, rows), 2, heads);
    tsr_value *sink = sink_of(l), *in[] = {q, k, v, mask, NULL, sink};
    const int32_t sizes[] = {1, 1, 1, mask != NULL, 0, sink != NULL};
    tsr_op *made = attention(l, TSR_OP_TTNN_SCALED_DOT_PRODUCT_ATTENTION_DECODE, in, sizes, 6);
    tsr_value *out = tsr_nn_permute(&l->b, tsr_ttir_close(&l->b, made, q->type), back);
    out->type = result(l);
    return tsr_ttnn_replace(l, out);
}

/* TTIR has a destination operand here; TTNN allocates the result itself. */
bool lower_ttnn_without_output(tsr_ttnn_lower *l)
{
    tsr_value_vec in = {0};
    tsr_value *output = tsr_ttnn_operand(l->op, "output");
    for (uint32_t i = 0; i < l->op->nin; i++)
        if (l->op->in[i].value != output)
            tsr_vec_push(&in, l->op->in[i].value);
    tsr_op *made = tsr_ttir_open(&l->b, l->to, in.data, in.n, l->op->nout);
    tsr_attrs_by_name(l->op, made->def, made->attrs);
    tsr_vec_free(&in);
    TSR_TRY(tsr_ttnn_done(l, made));
    if (output && !output->is_arg && tsr_op_is(output->op, TSR_OP_TTNN_EMPTY) &&
        !tsr_op_used(output->op))
        tsr_op_erase(output->op);
    return true;
}

/* ---- Quantization ---- */

/* The data type of the result is an attribute. */
bool lower_ttnn_quantized(tsr_ttnn_lower *l)
{
    tsr_op *made = tsr_ttnn_like(l, l->to, false);
    tsr_ttnn_set(made, "output_dtype",
                 tsr_attr_enum(l->b.ctx, &tsr_def_TTCORE_DATA_TYPE, tsr_ttnn_data_type(result(l))));
    return tsr_ttnn_done(l, made);
}

/* ---- Experts ---- */

/* The mapping from experts to devices is a two-dimensional table. */
bool lower_ttnn_dispatch_metadata(tsr_ttnn_lower *l)
{
    const tsr_type *t = l->op->in[3].value->type;
    if (t->n == 4)
        tsr_op_set_operand(l->op, 3, tsr_nn_reshape(&l->b, l->op->in[3].value, t->dims + 2, 2));
    return tsr_ttnn_done(l, tsr_ttnn_like(l, l->to, false));
}

/* ---- Experts ---- */

static tsr_attr *u32(tsr_ttnn_lower *l, int64_t v)
{
    return tsr_attr_int(l->b.ctx, tsr_type_integer(l->b.ctx, 32, TSR_UNSIGNED), v);
}

/* Cores (1, 1) to (3, 3), which carry communication between devices. */
static tsr_attr *mux_cores(tsr_ctx *ctx)
{
    const int64_t start[] = {1, 1}, end[] = {3, 3};
    tsr_attr *both[] = {tsr_attr_i64_array(ctx, start, 2), tsr_attr_i64_array(ctx, end, 2)};
    tsr_attr *range = tsr_attr_struct(ctx, &tsr_def_TTNN_CORE_RANGE, both);
    tsr_attr *list = tsr_attr_array(ctx, &range, 1);
    return tsr_attr_struct(ctx, &tsr_def_TTNN_CORE_RANGE_SET, &list);
}

/* An op with attributes that the source has by name, and sizes of hidden layers. */
static tsr_value *prepared(tsr_ttnn_lower *l, enum tsr_opcode to, tsr_value *const *in, size_t n,
                           tsr_type *type, const int32_t *segments, size_t nsegment)
{
    tsr_op *made = tsr_ttnn_open(l, to, in, n);
    tsr_attrs_by_name(l->op, made->def, made->attrs);
    int hidden = tsr_opdef_slot(made->def, TSR_STR("hidden_size")),
        sizes = tsr_opdef_slot(made->def, TSR_STR("operandSegmentSizes")),
        cores = tsr_opdef_slot(made->def, TSR_STR("mux_core_range_set")),
        start = tsr_opdef_slot(made->def, TSR_STR("initial_value"));
    if (hidden >= 0)
        made->attrs[hidden] = u32(l, l->op->in[4].value->type->dims[2]);
    if (sizes >= 0)
        made->attrs[sizes] = tsr_attr_dense_array(l->b.ctx, l->b.ctx->i32, segments, nsegment);
    if (cores >= 0)
        made->attrs[cores] = mux_cores(l->b.ctx);
    if (start >= 0)
        made->attrs[start] = u32(l, 0);
    tsr_build_close_as(&l->b, made, &type);
    return &made->out[0];
}

/* Weights are packed for the device; a semaphore and the tensor that devices write their parts into are created before
 * the op. */
bool lower_ttnn_moe_compute(tsr_ttnn_lower *l)
{
    tsr_op *op = l->op;
    tsr_ctx *ctx = l->b.ctx;
    const tsr_attr *sizes = op->attrs[TTIR_MOE_COMPUTE_operandSegmentSizes];
    tsr_value *bias[3] = {NULL, NULL, NULL}, *in[6], *device = tsr_ttnn_device(&l->b, op);
    uint32_t next = 7;
    for (size_t i = 0; i < 3; i++)
        bias[i] = tsr_attr_int_at(sizes, 7 + i) ? op->in[next++].value : NULL;
    if (op->in[4].value->type->n != 4)
        return tsr_op_error(op, "wants weights of four dimensions");
    tsr_ttnn_spec rows = tsr_ttnn_spec_of(result(l)->attr);
    rows.tiled = false;
    tsr_type *buffer = tsr_ttnn_type(result(l), rows);
    tsr_value *semaphore =
        prepared(l, TSR_OP_TTNN_ALLOCATE_MOE_COMPUTE_SEMAPHORE, &device, 1,
                 tsr_type_dialect(ctx, &tsr_def_TTNN_GLOBAL_SEMAPHORE, NULL), NULL, 0);
    tsr_value *out = tsr_nn_created(&l->b, op, TSR_OP_TTNN_EMPTY, buffer);
    size_t n = 0;
    in[n++] = op->in[4].value, in[n++] = op->in[5].value;
    for (size_t i = 0; i < 2; i++)
        if (bias[i])
            in[n++] = bias[i];
    in[n++] = device;
    tsr_value *first =
        prepared(l, TSR_OP_TTNN_PREPARE_MOE_COMPUTE_W0_W1_WEIGHTS, in, n, op->in[4].value->type,
                 (int32_t[]){1, 1, bias[0] != NULL, bias[1] != NULL, 1}, 5);
    n = 0;
    in[n++] = op->in[6].value;
    if (bias[2])
        in[n++] = bias[2];
    in[n++] = device;
    tsr_value *second = prepared(l, TSR_OP_TTNN_PREPARE_MOE_COMPUTE_W2_WEIGHTS, in, n,
                                 op->in[6].value->type, NULL, 0);
    tsr_value *all[] = {
        op->in[0].value, op->in[1].value, op->in[2].value, op->in[3].value, first, second, out,
        semaphore,       device};
    tsr_op *made = tsr_ttnn_open(l, TSR_OP_TTNN_MOE_COMPUTE, all, TSR_COUNT(all));
    tsr_attrs_by_name(op, made->def, made->attrs);
    made->attrs[TTNN_MOE_COMPUTE_has_bias] = tsr_attr_bool(ctx, bias[0] != NULL);
    made->attrs[TTNN_MOE_COMPUTE_mux_core_range_set] = mux_cores(ctx);
    made->attrs[TTNN_MOE_COMPUTE_operandSegmentSizes] =
        tsr_attr_dense_array(ctx, ctx->i32, (int32_t[]){1, 1, 1, 1, 1, 1, 1, 1, 1}, 9);
    return tsr_ttnn_done(l, made);
}
