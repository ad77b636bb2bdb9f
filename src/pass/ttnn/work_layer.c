/* SPDX-License-Identifier: Apache-2.0 */
/* work_layer.c - ttnn-workaround, first part: converts layers to forms that kernels support. */
#include "pass/ttnn/nn.h"

/* ---- Convolutions ---- */

/* Moves it to the host, in row-major layout; NULL: it is there already. */
static tsr_value *to_host(tsr_nn *n, tsr_value *v)
{
    const tsr_attr *layout = tsr_ttnn_layout_of(v->type);
    if (!layout)
        return NULL;
    tsr_ttnn_spec was = tsr_ttnn_spec_of(layout), spec = tsr_ttnn_host(was.type);
    if (was.buffer == TSR_TTNN_SYSTEM_MEMORY && !was.tiled)
        return NULL;
    if (was.type == TSR_TT_BFP_BF8)
        spec.type = TSR_TT_BF16;
    spec.mesh = was.mesh;
    return tsr_nn_spec(&n->b, v, spec);
}

/* Weights and biases of convolutions are read from the host; results are tiled */
bool rule_nn_conv_host(tsr_rewriter *r, tsr_op *op)
{
    static const char *const names[] = {"weight", "bias"};
    tsr_value *moved[2] = {NULL, NULL};
    tsr_attr *layout = tsr_ttnn_layout_of(op->out[0].type);
    bool tiles = layout && !tsr_ttnn_is_tiled(layout), any = tiles;
    tsr_nn n = tsr_nn_at(r, op);
    for (size_t i = 0; i < 2; i++) {
        int at = tsr_ttnn_operand_index(op, names[i]);
        moved[i] = at >= 0 ? to_host(&n, op->in[at].value) : NULL;
        if (moved[i])
            tsr_op_set_operand(op, (size_t)at, moved[i]);
        any |= moved[i] != NULL;
    }
    if (!any)
        return false;
    if (tiles) {
        tsr_ttnn_spec spec = tsr_ttnn_spec_of(layout);
        spec.tiled = true;
        op->out[0].type = tsr_ttnn_type(op->out[0].type, spec);
    }
    return tsr_nn_stays(&n);
}

/* conv2d and conv_transpose2d state explicitly that strides are not folded into kernels */
bool rule_nn_conv_folding(tsr_rewriter *r, tsr_op *op)
{
    enum { FIELDS = 16, FOLDING = 14 };
    int slot = tsr_opdef_slot(op->def, TSR_STR("conv2d_config"));
    tsr_attr *fields[FIELDS] = {NULL};
    for (size_t i = 0; op->attrs[slot] && i < FIELDS; i++)
        fields[i] = op->attrs[slot]->attrs[i];
    if (fields[FOLDING] && !fields[FOLDING]->i)
        return false;
    fields[FOLDING] = tsr_attr_bool(r->ctx, false);
    op->attrs[slot] = tsr_attr_struct(r->ctx, &tsr_def_TTNN_CONV2D_CONFIG, fields);
    tsr_rw_touch(r, op);
    return true;
}

/* bilinear upsample: pads channels to whole tiles */
bool rule_nn_upsample_channels(tsr_rewriter *r, tsr_op *op)
{
    enum { CHANNEL = 3 };
    tsr_value *in = tsr_rw_in(op, 0);
    const tsr_attr *mode = op->attrs[TTNN_UPSAMPLE_mode];
    if (in->type->n != 4 || !tsr_attr_is(mode, TSR_ATTR_STRING) ||
        !tsr_str_is(mode->s, "bilinear") || in->type->dims[CHANNEL] % TSR_TTNN_TILE == 0)
        return false;
    const tsr_type *out = op->out[0].type;
    int64_t size = tsr_nn_round_up(in->type->dims[CHANNEL], TSR_TTNN_TILE);
    const int64_t dims[] = {out->dims[0], out->dims[1], out->dims[2], size};
    tsr_type *type = tsr_ttnn_reshaped(out, dims, 4);
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *v = tsr_nn_pad_dim(&n.b, in, CHANNEL, size, false);
    v = &tsr_nn_copy(&n.b, op, &v, 1, &type)->out[0];
    v = tsr_nn_slice_dim(&n.b, v, CHANNEL, 0, out->dims[CHANNEL]);
    v->type = op->out[0].type;
    return tsr_nn_becomes(&n, v);
}

/* ---- Group norms ---- */

static int64_t common_multiple(int64_t a, int64_t b)
{
    int64_t x = a, y = b;
    while (y) {
        int64_t rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b;
}

static bool of_channels(const tsr_value *v, int64_t channels)
{
    return !v || (v->type->n == 1 && v->type->dims[0] == channels);
}

/* group_norm: pads channels to whole tiles and whole groups */
bool rule_nn_group_norm_channels(tsr_rewriter *r, tsr_op *op)
{
    enum { CHANNEL = 3 };
    tsr_value *in = tsr_rw_in(op, 0), *operands[4];
    const tsr_type *out = op->out[0].type;
    int64_t groups = op->attrs[TTNN_GROUP_NORM_num_groups]->i;
    if (in->type->n != 4 || groups < 1 || tsr_ttnn_operand(op, "input_mask") ||
        in->type->dims[CHANNEL] % TSR_TTNN_TILE == 0 || in->type->dims[CHANNEL] % groups)
        return false;
    int64_t channels = in->type->dims[CHANNEL], each = channels / groups;
    if (!of_channels(tsr_ttnn_operand(op, "weight"), channels) ||
        !of_channels(tsr_ttnn_operand(op, "bias"), channels))
        return false;
    int64_t size = tsr_nn_round_up(channels, common_multiple(TSR_TTNN_TILE, each));
    const int64_t dims[] = {out->dims[0], out->dims[1], out->dims[2], size};
    tsr_type *type = tsr_ttnn_reshaped(out, dims, 4);
    tsr_nn n = tsr_nn_at(r, op);
    operands[0] = tsr_nn_pad_dim(&n.b, in, CHANNEL, size, false);
    for (uint32_t i = 1; i < op->nin; i++)
        operands[i] = tsr_nn_pad_dim(&n.b, tsr_rw_in(op, i), 0, size, false);
    tsr_op *made = tsr_nn_copy(&n.b, op, operands, op->nin, &type);
    made->attrs[TTNN_GROUP_NORM_num_groups] = tsr_attr_i64(r->ctx, size / each);
    return tsr_nn_becomes(&n, tsr_nn_slice_dim(&n.b, &made->out[0], CHANNEL, 0, channels));
}

/* group_norm: scales and offsets in rows of a tile's width */
bool rule_nn_group_norm_affine(tsr_rewriter *r, tsr_op *op)
{
    static const char *const names[] = {"weight", "bias"};
    bool any = false;
    tsr_nn n = tsr_nn_at(r, op);
    for (size_t i = 0; i < 2; i++) {
        int at = tsr_ttnn_operand_index(op, names[i]);
        tsr_value *v = at >= 0 ? op->in[at].value : NULL;
        if (!v || v->type->n != 1 || v->type->dims[0] <= 0 || v->type->dims[0] % TSR_TTNN_TILE)
            continue;
        const int64_t dims[] = {1, 1, v->type->dims[0] / TSR_TTNN_TILE, TSR_TTNN_TILE};
        tsr_op_set_operand(op, (size_t)at, tsr_nn_reshape(&n.b, v, dims, 4));
        any = true;
    }
    return any && tsr_nn_stays(&n);
}

/* ---- Products ---- */

static size_t product_shape(const tsr_op *op, int64_t *out)
{
    const tsr_type *a = tsr_rw_in(op, 0)->type, *b = tsr_rw_in(op, 1)->type;
    bool ta = op->attrs[TTNN_LINEAR_transpose_a]->i != 0,
         tb = op->attrs[TTNN_LINEAR_transpose_b]->i != 0;
    size_t na = a->n < 2 ? 0 : a->n - 2, nb = b->n < 2 ? 0 : b->n - 2, n = na > nb ? na : nb;
    for (size_t i = 0; i < n; i++) {
        int64_t x = i + na >= n ? a->dims[i + na - n] : 1,
                y = i + nb >= n ? b->dims[i + nb - n] : 1;
        out[i] = x == 1 ? y : x;
    }
    if (a->n > 1)
        out[n++] = a->dims[a->n - (ta ? 1 : 2)];
    if (b->n > 1)
        out[n++] = b->dims[b->n - (tb ? 2 : 1)];
    if (!n)
        out[n++] = 1;
    return n;
}

static bool above_one(const tsr_type *t, size_t but)
{
    for (size_t i = 0; i + but < t->n; i++)
        if (t->dims[i] > 1)
            return true;
    return false;
}

static enum tsr_opcode activation(const tsr_op *op)
{
    static const struct {
        const char *name;
        enum tsr_opcode opcode;
    } known[] = {{"relu", TSR_OP_TTNN_RELU},
                 {"sigmoid", TSR_OP_TTNN_SIGMOID},
                 {"gelu", TSR_OP_TTNN_GELU},
                 {"tanh", TSR_OP_TTNN_TANH},
                 {"silu", TSR_OP_TTNN_SILU}};
    const tsr_attr *a = op->attrs[TTNN_LINEAR_activation];
    for (size_t i = 0; i < TSR_COUNT(known); i++)
        if (tsr_str_is(a->s, known[i].name))
            return known[i].opcode;
    return 0;
}

/* linear with batched weights, or a bias of more than one row: a product and a sum */
bool rule_nn_linear_sum(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *bias = op->nin > 2 ? tsr_rw_in(op, 2) : NULL;
    int64_t dims[TSR_TTIR_RANK], sum[TSR_TTIR_RANK];
    if (!bias || !tsr_nn_tensor(&op->out[0]) || !tsr_nn_tensor(bias))
        return false;
    const tsr_type *t = bias->type, *out = op->out[0].type;
    size_t n = product_shape(op, dims), more = n > t->n ? n : t->n;
    if (!above_one(tsr_rw_in(op, 1)->type, 2) && t->n && !above_one(t, 1) &&
        t->dims[t->n - 1] == dims[n - 1])
        return false;
    if (op->attrs[TTNN_LINEAR_activation] && !activation(op))
        return false;
    for (size_t i = 0; i < more; i++) {
        int64_t x = i + n >= more ? dims[i + n - more] : 1,
                y = i + t->n >= more ? t->dims[i + t->n - more] : 1;
        sum[i] = x == 1 ? y : x;
    }
    tsr_nn at = tsr_nn_at(r, op);
    tsr_value *v =
        tsr_nn_matmul(&at.b, tsr_rw_in(op, 0), tsr_rw_in(op, 1),
                      op->attrs[TTNN_LINEAR_transpose_b]->i != 0, tsr_ttnn_reshaped(out, dims, n));
    v->op->attrs[TTNN_MATMUL_transpose_a] = op->attrs[TTNN_LINEAR_transpose_a];
    v->op->attrs[TTNN_MATMUL_compute_config] = op->attrs[TTNN_LINEAR_compute_config];
    v->op->extra = op->extra;
    v = tsr_nn_binary(&at.b, TSR_OP_TTNN_ADD, v, bias, tsr_ttnn_reshaped(out, sum, more));
    v = tsr_nn_reshape(&at.b, v, out->dims, out->n);
    if (op->attrs[TTNN_LINEAR_activation])
        v = tsr_nn_unary(&at.b, activation(op), v, op->out[0].type);
    return tsr_nn_becomes(&at, v);
}
