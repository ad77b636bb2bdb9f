/* SPDX-License-Identifier: Apache-2.0 */
/* fuse.c - ttnn-fusing: merges activations into the layer before them, if its result has no other users. */
#include "pass/ttnn/nn.h"

/* The name of an op without its dialect. */
static tsr_str short_name(const tsr_op *op)
{
    size_t at = tsr_opdef_dialect(op->def).len + 1;
    return (tsr_str){op->def->name.data + at, op->def->name.len - at};
}

static bool is_one_of(const tsr_op *op, const uint16_t *opcodes, size_t n)
{
    for (size_t i = 0; op && i < n; i++)
        if (tsr_op_is(op, opcodes[i]))
            return true;
    return false;
}

static tsr_op *only_user(const tsr_value *v)
{
    return tsr_rw_one_use(v) ? v->uses->user : NULL;
}

/* Removes the activation: the layer applies it now. It computes the activation's value, so it has its location. */
static bool taken(tsr_rewriter *r, tsr_op *op, tsr_op *activation)
{
    for (tsr_op *p = op; p != activation; p = p->out[0].uses->user)
        p->loc = activation->loc;
    tsr_rw_touch(r, op);
    tsr_rw_replace_one(r, activation, tsr_rw_in(activation, 0));
    return true;
}

static const uint16_t of_products[] = {TSR_OP_TTNN_SIGMOID, TSR_OP_TTNN_SILU, TSR_OP_TTNN_GELU};
static const uint16_t of_convolutions[] = {TSR_OP_TTNN_RELU, TSR_OP_TTNN_RELU6, TSR_OP_TTNN_SILU,
                                           TSR_OP_TTNN_SIGMOID};

/* sigmoid, silu, gelu of matmul and linear */
bool rule_nn_product_activation(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *user = only_user(&op->out[0]);
    int slot = tsr_opdef_slot(op->def, TSR_STR("activation"));
    if (op->attrs[slot] || !is_one_of(user, of_products, TSR_COUNT(of_products)) ||
        user->out[0].type != op->out[0].type)
        return false;
    op->attrs[slot] = tsr_attr_string(r->ctx, short_name(user));
    return taken(r, op, user);
}

/* relu, relu6, silu, sigmoid of conv2d, also behind a reshape */
bool rule_nn_conv_activation(tsr_rewriter *r, tsr_op *op)
{
    enum { FIELDS = 16, WEIGHTS = 0, ACTIVATION = 1 };
    tsr_op *user = only_user(&op->out[0]);
    if (user && tsr_op_is(user, TSR_OP_TTNN_RESHAPE))
        user = only_user(&user->out[0]);
    int slot = tsr_opdef_slot(op->def, TSR_STR("conv2d_config"));
    tsr_attr *fields[FIELDS] = {NULL};
    for (size_t i = 0; op->attrs[slot] && i < FIELDS; i++)
        fields[i] = op->attrs[slot]->attrs[i];
    if (fields[ACTIVATION] || !is_one_of(user, of_convolutions, TSR_COUNT(of_convolutions)) ||
        user->out[0].type != tsr_rw_in(user, 0)->type)
        return false;
    int64_t word = 0;
    while (!tsr_str_is(short_name(user), tsr_def_TTNN_UNARY_OP.cases[word]))
        word++;
    tsr_attr *unary[] = {tsr_attr_enum(r->ctx, &tsr_def_TTNN_UNARY_OP, word), NULL};
    fields[ACTIVATION] = tsr_attr_struct(r->ctx, &tsr_def_TTNN_UNARY_WITH_PARAM, unary);
    fields[WEIGHTS] = tsr_attr_enum(r->ctx, &tsr_def_TTCORE_DATA_TYPE,
                                    tsr_tt_data_type_of(tsr_rw_in(op, 1)->type->elem));
    op->attrs[slot] = tsr_attr_struct(r->ctx, &tsr_def_TTNN_CONV2D_CONFIG, fields);
    return taken(r, op, user);
}
