/* SPDX-License-Identifier: Apache-2.0 */
/* decompose.c - ttnn-decomposition: decomposes heads, norms and grouped convolutions into smaller ops. */
#include <stdio.h>

#include "pass/ttnn/nn.h"

static tsr_attr *f32(const tsr_nn *n, double x)
{
    return tsr_ttir_f32(n->b.ctx, x);
}

/* concatenate_heads: permute and reshape */
bool rule_nn_concatenate_heads(tsr_rewriter *r, tsr_op *op)
{
    static const int64_t order[] = {0, 2, 1, 3};
    if (tsr_rw_in(op, 0)->type->n != 4)
        return false;
    tsr_type *t = op->out[0].type;
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *v = tsr_nn_permute(&n.b, tsr_rw_in(op, 0), order);
    v->type = tsr_ttnn_reshaped(t, v->type->dims, 4);
    v = tsr_nn_reshape(&n.b, v, t->dims, t->n);
    v->type = t;
    return tsr_nn_becomes(&n, v);
}

/* ---- Group norms ---- */

static tsr_value *mean_of(tsr_nn *n, tsr_value *v, tsr_type *type)
{
    static const int64_t dims[] = {1, 3};
    tsr_op *made = tsr_ttir_open(&n->b, TSR_OP_TTNN_MEAN, &v, 1, 1);
    tsr_ttnn_set(made, "keep_dim", tsr_attr_bool(n->b.ctx, true));
    tsr_ttnn_set(made, "dim_arg", tsr_ttir_i32s(n->b.ctx, dims, 2));
    return tsr_ttir_close(&n->b, made, type);
}

/* group_norm: means and variances of groups */
bool rule_nn_group_norm(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *in = tsr_rw_in(op, 0), *weight = tsr_ttnn_operand(op, "weight"),
              *bias = tsr_ttnn_operand(op, "bias");
    const tsr_type *t = in->type;
    int64_t groups = op->attrs[TTNN_GROUP_NORM_num_groups]->i;
    if (t->n != 4 || groups < 1 || t->dims[3] % groups)
        return false;
    const int64_t apart[] = {t->dims[0], t->dims[2], groups, t->dims[3] / groups},
                  one[] = {t->dims[0], 1, groups, 1}, row[] = {1, 1, 1, t->dims[3]};
    tsr_type *stats = tsr_ttnn_reshaped(t, one, 4);
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *v = tsr_nn_reshape(&n.b, in, apart, 4);
    v = tsr_nn_binary(&n.b, TSR_OP_TTNN_SUBTRACT, v, mean_of(&n, v, stats), NULL);
    tsr_value *square = tsr_nn_binary(&n.b, TSR_OP_TTNN_MULTIPLY, v, v, NULL);
    tsr_value *variance = mean_of(&n, square, stats);
    tsr_value *epsilon = tsr_nn_full(&n.b, op, stats, op->attrs[TTNN_GROUP_NORM_epsilon]);
    tsr_value *inverse =
        tsr_nn_unary(&n.b, TSR_OP_TTNN_RSQRT,
                     tsr_nn_binary(&n.b, TSR_OP_TTNN_ADD, variance, epsilon, NULL), NULL);
    v = tsr_nn_binary(&n.b, TSR_OP_TTNN_MULTIPLY, v, inverse, NULL);
    v = tsr_nn_reshape(&n.b, v, t->dims, 4);
    if (weight)
        v = tsr_nn_binary(&n.b, TSR_OP_TTNN_MULTIPLY, v, tsr_nn_reshape(&n.b, weight, row, 4),
                          op->out[0].type);
    if (bias)
        v = tsr_nn_binary(&n.b, TSR_OP_TTNN_ADD, v, tsr_nn_reshape(&n.b, bias, row, 4),
                          op->out[0].type);
    v->type = op->out[0].type;
    return tsr_nn_becomes(&n, v);
}

/* ---- Convolutions ---- */

/* The number of groups that kernels can take at once: a divisor, of whole tiles if possible; 0: none. */
static int64_t groups_at_once(int64_t groups, int64_t in, int64_t out, int64_t most)
{
    int64_t wide = in > out ? in : out, largest = 0, n = most / wide;
    for (n = n < groups ? n : groups; n >= 1; n--) {
        if (groups % n)
            continue;
        largest = largest ? largest : n;
        if (n * in % TSR_TTNN_TILE == 0 && n * out % TSR_TTNN_TILE == 0)
            return n;
    }
    return largest;
}

static void set_i32(tsr_op *op, const char *name, int64_t value)
{
    tsr_ttnn_set(op, name, tsr_attr_i32(op->module->ctx, (int32_t)value));
}

static int64_t number(const tsr_op *op, const char *name)
{
    return op->attrs[tsr_opdef_slot(op->def, (tsr_str){name, strlen(name)})]->i;
}

/* conv1d, conv2d with many groups and channels: split into parts, then joined */
bool rule_nn_grouped_conv(tsr_rewriter *r, tsr_op *op)
{
    enum { MOST = 4096, LIMIT = 256 };
    int64_t groups = number(op, "groups"), in = number(op, "in_channels"),
            out = number(op, "out_channels");
    const tsr_type *t = op->out[0].type;
    if (groups <= 1 || (in > out ? in : out) <= MOST || in % groups || out % groups ||
        tsr_rw_in(op, 1)->type->dims[0] != out || op->nin > 4)
        return false;
    int64_t each = groups_at_once(groups, in / groups, out / groups, MOST);
    if (!each || each == groups || groups / each > LIMIT)
        return false;
    int64_t in_part = each * (in / groups), out_part = each * (out / groups), dims[TSR_TTIR_RANK];
    int bias = tsr_ttnn_operand_index(op, "bias");
    tsr_value *parts[LIMIT];
    memcpy(dims, t->dims, t->n * sizeof *dims);
    dims[t->n - 1] = out_part;
    tsr_type *type = tsr_ttnn_reshaped(t, dims, t->n);
    tsr_nn n = tsr_nn_at(r, op);
    for (int64_t i = 0; i < groups / each; i++) {
        tsr_value *operands[4];
        char suffix[48];
        snprintf(suffix, sizeof suffix, "_group_chunk_%lld", (long long)i);
        n.b.loc = tsr_loc_suffixed(r->ctx, op->loc, suffix);
        for (uint32_t k = 0; k < op->nin; k++)
            operands[k] = tsr_rw_in(op, k);
        operands[0] = tsr_nn_slice_dim(&n.b, operands[0], operands[0]->type->n - 1, i * in_part,
                                       (i + 1) * in_part);
        operands[1] = tsr_nn_slice_dim(&n.b, operands[1], 0, i * out_part, (i + 1) * out_part);
        if (bias >= 0)
            operands[bias] = tsr_nn_slice_dim(&n.b, operands[bias], operands[bias]->type->n - 1,
                                              i * out_part, (i + 1) * out_part);
        tsr_op *part = tsr_nn_copy(&n.b, op, operands, op->nin, &type);
        set_i32(part, "in_channels", in_part);
        set_i32(part, "out_channels", out_part);
        set_i32(part, "groups", each);
        parts[i] = &part->out[0];
    }
    n.b.loc = op->loc;
    tsr_value *v = tsr_nn_concat(&n.b, parts, (size_t)(groups / each), t->n - 1);
    v->type = op->out[0].type;
    return tsr_nn_becomes(&n, v);
}

/* ---- Norms across devices ---- */

/* The number of devices that exchange along an axis. */
static int64_t devices(const tsr_op *op)
{
    const tsr_value *device = tsr_ttnn_operand(op, "device");
    const tsr_op *get = device && !device->is_arg ? device->op : NULL;
    const tsr_attr *mesh = get && tsr_op_is(get, TSR_OP_TTNN_GET_DEVICE)
                               ? get->attrs[TTNN_GET_DEVICE_mesh_shape]
                               : NULL;
    size_t axis = (size_t)number(op, "cluster_axis");
    return mesh && axis < (size_t)tsr_attr_count(mesh->attrs[0])
               ? tsr_attr_int_at(mesh->attrs[0], axis)
               : 0;
}

static tsr_type *with_last(const tsr_type *t, int64_t size)
{
    int64_t dims[TSR_TTIR_RANK];
    memcpy(dims, t->dims, t->n * sizeof *dims);
    dims[t->n - 1] = size;
    return tsr_ttnn_reshaped(t, dims, t->n);
}

static void set_segments(tsr_op *op, const int32_t *sizes, size_t n)
{
    tsr_ttnn_set(op, "operandSegmentSizes",
                 tsr_attr_dense_array(op->module->ctx, op->module->ctx->i32, sizes, n));
}

/* The statistics of each row from all devices, side by side. */
static tsr_value *gathered(tsr_nn *n, tsr_value *stats, int64_t width, int64_t count, bool linked)
{
    const tsr_op *op = n->op;
    tsr_op *made = tsr_ttir_open(&n->b, TSR_OP_TTNN_ALL_GATHER, &stats, 1, 1);
    made->attrs[TTNN_ALL_GATHER_all_gather_dim] =
        tsr_ttir_si32(n->b.ctx, (int64_t)stats->type->n - 1);
    made->attrs[TTNN_ALL_GATHER_cluster_axis] = tsr_ttir_ui32(n->b.ctx, number(op, "cluster_axis"));
    if (linked) {
        made->attrs[TTNN_ALL_GATHER_num_links] = op->attrs[TTNN_DISTRIBUTED_RMS_NORM_num_links];
        made->attrs[TTNN_ALL_GATHER_topology] = op->attrs[TTNN_DISTRIBUTED_RMS_NORM_topology];
    }
    return tsr_ttir_close(&n->b, made, with_last(stats->type, width * count));
}

static tsr_value *with_residual(tsr_nn *n, tsr_value *v)
{
    tsr_value *more = tsr_ttnn_operand(n->op, "residual");
    return more ? tsr_nn_binary(&n->b, TSR_OP_TTNN_ADD, v, more, NULL) : v;
}

/* distributed_layer_norm: statistics of parts, gathered, then applied */
bool rule_nn_distributed_layer_norm(tsr_rewriter *r, tsr_op *op)
{
    enum { WIDTH = 64 }; /* sums and sums of squares: a tile each */
    static const int32_t alone[] = {1, 0, 0};
    int64_t count = devices(op);
    if (!count || !tsr_rw_in(op, 0)->type->n)
        return false;
    tsr_value *weight = tsr_ttnn_operand(op, "weight"), *bias = tsr_ttnn_operand(op, "bias");
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *x = with_residual(&n, tsr_rw_in(op, 0));
    tsr_op *before = tsr_ttir_open(&n.b, TSR_OP_TTNN_LAYER_NORM_PRE_ALL_GATHER, &x, 1, 1);
    set_segments(before, alone, 3);
    tsr_value *stats = tsr_ttir_close(&n.b, before, with_last(x->type, WIDTH));
    tsr_value *in[] = {x, gathered(&n, stats, WIDTH, count, false), weight ? weight : bias, bias};
    const int32_t sizes[] = {1, 1, weight != NULL, bias != NULL};
    size_t nin = 2 + (weight != NULL) + (bias != NULL);
    tsr_op *after = tsr_ttir_open(&n.b, TSR_OP_TTNN_LAYER_NORM_POST_ALL_GATHER, in, nin, 1);
    tsr_ttnn_set(after, "epsilon", op->attrs[TTNN_DISTRIBUTED_LAYER_NORM_epsilon]);
    set_segments(after, sizes, 4);
    return tsr_nn_becomes(&n, tsr_ttir_close(&n.b, after, op->out[0].type));
}

/* A single tile of rows, which one kernel can process. */
static bool takes_fused(const tsr_op *op)
{
    const tsr_type *t = op->in[0].value->type;
    if (!tsr_ttnn_operand(op, "weight") || t->n < 2 || t->dims[t->n - 2] != TSR_TTNN_TILE ||
        t->dims[t->n - 1] % TSR_TTNN_TILE)
        return false;
    for (size_t i = 0; i + 2 < t->n; i++)
        if (t->dims[i] != 1)
            return false;
    return true;
}

/* The same norm in this shape; weight: replaces its own. */
static bool reshaped_norm(tsr_nn *n, const int64_t *dims, tsr_value *weight)
{
    const tsr_op *op = n->op;
    const tsr_type *out = op->out[0].type;
    int at = tsr_ttnn_operand_index(op, "weight"), more = tsr_ttnn_operand_index(op, "residual");
    tsr_type *type = tsr_ttnn_reshaped(out, dims, 4);
    tsr_value *in[8];
    bool same = tsr_ttir_shape_is(op->in[0].value, dims, 4);
    for (uint32_t i = 0; i < op->nin; i++) {
        in[i] = (int)i == at ? weight : op->in[i].value;
        if (!same && (i == 0 || (int)i == more))
            in[i] = tsr_nn_reshape(&n->b, in[i], dims, 4);
    }
    tsr_value *v = &tsr_nn_copy(&n->b, op, in, op->nin, &type)->out[0];
    v = same ? v : tsr_nn_reshape(&n->b, v, out->dims, out->n);
    v->type = op->out[0].type;
    return tsr_nn_becomes(n, v);
}

/* distributed_rms_norm: one kernel for a single tile of rows, else mean squares of parts, gathered */
bool rule_nn_distributed_rms_norm(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *t = tsr_rw_in(op, 0)->type;
    tsr_value *weight = tsr_ttnn_operand(op, "weight");
    int64_t count = devices(op);
    if (!t->n || t->n > 8 || !count || op->nin > 8)
        return false;
    int64_t last = t->dims[t->n - 1];
    if (takes_fused(op)) {
        bool rows = weight->type->n == 1 && weight->type->dims[0] % TSR_TTNN_TILE == 0,
             whole = t->n == 4 && t->dims[0] == 1 && t->dims[1] == 1;
        const int64_t dims[] = {1, 1, TSR_TTNN_TILE, last},
                      flat[] = {rows ? weight->type->dims[0] / TSR_TTNN_TILE : 0, TSR_TTNN_TILE};
        if (whole && !rows)
            return false;
        tsr_nn n = tsr_nn_at(r, op);
        return reshaped_norm(&n, dims, rows ? tsr_nn_reshape(&n.b, weight, flat, 2) : weight);
    }
    tsr_nn n = tsr_nn_at(r, op);
    if (t->n < 4) {
        int64_t dims[4];
        for (size_t i = 0; i < 4; i++)
            dims[i] = i + t->n < 4 ? 1 : t->dims[i + t->n - 4];
        return reshaped_norm(&n, dims, weight);
    }
    tsr_value *x = with_residual(&n, tsr_rw_in(op, 0));
    tsr_op *before = tsr_ttir_open(&n.b, TSR_OP_TTNN_RMS_NORM_PRE_ALL_GATHER, &x, 1, 1);
    tsr_value *v = tsr_ttir_close(&n.b, before, with_last(t, TSR_TTNN_TILE));
    v = gathered(&n, v, TSR_TTNN_TILE, count, true);
    int64_t dims[TSR_TTIR_RANK];
    memcpy(dims, t->dims, t->n * sizeof *dims);
    dims[t->n - 1] = count;
    dims[t->n] = TSR_TTNN_TILE;
    v = tsr_nn_reshape(&n.b, v, dims, t->n + 1);
    v = tsr_nn_slice_dim(&n.b, v, t->n, 0, 1);
    v = tsr_nn_reshape(&n.b, v, dims, t->n);
    v = tsr_nn_reduce(&n.b, TSR_OP_TTNN_MEAN, v, (int64_t)t->n - 1);
    v = tsr_nn_binary(&n.b, TSR_OP_TTNN_MULTIPLY, v,
                      tsr_nn_full(&n.b, op, v->type, f32(&n, 1.0 / (double)last)), NULL);
    v = tsr_nn_binary(&n.b, TSR_OP_TTNN_ADD, v,
                      tsr_nn_full(&n.b, op, v->type, op->attrs[TTNN_DISTRIBUTED_RMS_NORM_epsilon]),
                      NULL);
    v = tsr_nn_unary(&n.b, TSR_OP_TTNN_RSQRT, v, NULL);
    v = tsr_nn_binary(&n.b, TSR_OP_TTNN_MULTIPLY, x, v, op->out[0].type);
    if (weight)
        v = tsr_nn_binary(&n.b, TSR_OP_TTNN_MULTIPLY, v, weight, op->out[0].type);
    return tsr_nn_becomes(&n, v);
}
