/* SPDX-License-Identifier: Apache-2.0 */
/* layers.c - lowers matrix products and batch normalisation of StableHLO to TTIR. */
#include "lower/ttir/ttir.h"

/* ---- Products ---- */

/* Narrow integers are multiplied and added in the width of the result. */
static void widen(tsr_build *b, tsr_value **in, const tsr_op *op)
{
    tsr_type *elem = op->out[0].type->elem;
    for (size_t i = 0; i < 2; i++)
        in[i] = elem->kind == TSR_TYPE_INTEGER ? tsr_ttir_typecast(b, op->in[i].value, elem)
                                               : op->in[i].value;
}

bool ttir_dot_general(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_dot d;
    tsr_value *in[2];
    tsr_dot_of(op, &d);
    widen(b, in, op);
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_DOT_GENERAL, in, 2, 1);
    made->attrs[TTIR_DOT_GENERAL_batch_dims_lhs] = tsr_ints_attr(b->ctx, d.batch[0]);
    made->attrs[TTIR_DOT_GENERAL_batch_dims_rhs] = tsr_ints_attr(b->ctx, d.batch[1]);
    made->attrs[TTIR_DOT_GENERAL_contract_dims_lhs] = tsr_ints_attr(b->ctx, d.contract[0]);
    made->attrs[TTIR_DOT_GENERAL_contract_dims_rhs] = tsr_ints_attr(b->ctx, d.contract[1]);
    out[0] = tsr_ttir_close(b, made, op->out[0].type);
    return true;
}

/* Vectors and matrices: the last dimension of the left with the first of the right. */
bool ttir_dot(tsr_build *b, tsr_op *op, tsr_value **out)
{
    return op->in[0].value->type->n && op->in[1].value->type->n && ttir_dot_general(b, op, out);
}

/* ---- Batch normalisation ---- */

static bool can_normalize(const tsr_op *op, int64_t feature)
{
    const tsr_type *x = op->in[0].value->type;
    return tsr_ttir_static(op) && x->n >= 2 && x->n <= 5 && feature < x->n &&
           x->elem->kind == TSR_TYPE_FLOAT;
}

bool ttir_batch_norm_inference(tsr_build *b, tsr_op *op, tsr_value **out)
{
    int64_t feature = tsr_attr_of(op, STABLEHLO_BATCH_NORM_INFERENCE_feature_index)->i;
    if (!can_normalize(op, feature))
        return false;
    tsr_op *made = tsr_ttir_as(b, op, TSR_OP_TTIR_BATCH_NORM_INFERENCE, out);
    made->attrs[TTIR_BATCH_NORM_INFERENCE_epsilon] =
        tsr_attr_of(op, STABLEHLO_BATCH_NORM_INFERENCE_epsilon);
    made->attrs[TTIR_BATCH_NORM_INFERENCE_dimension] = tsr_attr_i32(b->ctx, (int32_t)feature);
    return true;
}

/* With a momentum of 1 the resulting running values are those of the batch. */
bool ttir_batch_norm_training(tsr_build *b, tsr_op *op, tsr_value **out)
{
    int64_t feature = tsr_attr_of(op, STABLEHLO_BATCH_NORM_TRAINING_feature_index)->i;
    if (!can_normalize(op, feature))
        return false;
    tsr_type *types[] = {op->out[0].type, op->out[1].type, op->out[2].type};
    tsr_value *in[5] = {op->in[0].value, op->in[1].value, op->in[2].value};
    in[3] = tsr_ttir_zeros(b, types[1]);
    in[4] = tsr_ttir_ones(b, types[2]);
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_BATCH_NORM_TRAINING, in, 5, 3);
    made->attrs[TTIR_BATCH_NORM_TRAINING_epsilon] =
        tsr_attr_of(op, STABLEHLO_BATCH_NORM_TRAINING_epsilon);
    made->attrs[TTIR_BATCH_NORM_TRAINING_dimension] = tsr_attr_i32(b->ctx, (int32_t)feature);
    made->attrs[TTIR_BATCH_NORM_TRAINING_momentum] = tsr_ttir_f32(b->ctx, 1);
    tsr_build_close_as(b, made, types);
    for (size_t i = 0; i < 3; i++)
        out[i] = &made->out[i];
    return true;
}

/* A value per feature, or one for all, broadcast to the shape of the operand. */
static tsr_value *per_feature(tsr_build *b, tsr_value *v, const tsr_type *shape, int64_t feature)
{
    int64_t dims[TSR_TTIR_RANK];
    for (uint32_t i = 0; i < shape->n; i++)
        dims[i] = v->type->n && i == feature ? shape->dims[i] : 1;
    return tsr_ttir_broadcast(b, tsr_ttir_reshape(b, v, dims, shape->n), shape->dims);
}

#define ADD(x, y) tsr_ttir_binary(b, TSR_OP_TTIR_ADD, x, y, NULL)
#define SUB(x, y) tsr_ttir_binary(b, TSR_OP_TTIR_SUBTRACT, x, y, NULL)
#define MUL(x, y) tsr_ttir_binary(b, TSR_OP_TTIR_MULTIPLY, x, y, NULL)
#define DIV(x, y) tsr_ttir_binary(b, TSR_OP_TTIR_DIV, x, y, NULL)
#define SPREAD_OUT(v) per_feature(b, v, type, feature)

/* The formula of StableHLO's specification; n elements are normalized together. */
bool ttir_batch_norm_grad(tsr_build *b, tsr_op *op, tsr_value **out)
{
    int64_t feature = tsr_attr_of(op, STABLEHLO_BATCH_NORM_GRAD_feature_index)->i,
            others[TSR_TTIR_RANK];
    tsr_value *x = op->in[0].value, *dy = op->in[4].value;
    tsr_type *type = x->type, *scalar = tsr_scalar_type(type->elem);
    size_t n = 0;
    if (!can_normalize(op, feature) || tsr_type_num_elements(type) <= 0)
        return false;
    for (uint32_t i = 0; i < type->n; i++)
        if (i != feature)
            others[n++] = i;
    double eps = tsr_float_to_double(
        TSR_F32, (uint64_t)tsr_attr_of(op, STABLEHLO_BATCH_NORM_GRAD_epsilon)->i);
    double count = (double)(tsr_type_num_elements(type) / type->dims[feature]);

    tsr_value *scale = SPREAD_OUT(op->in[1].value), *mean = SPREAD_OUT(op->in[2].value);
    tsr_value *variance = SPREAD_OUT(op->in[3].value),
              *epsilon = SPREAD_OUT(tsr_ttir_splat(b, scalar, eps));
    tsr_value *centered = SUB(x, mean);
    tsr_value *spread = ADD(variance, epsilon);
    tsr_value *deviation = tsr_ttir_unary(b, TSR_OP_TTIR_SQRT, spread, NULL);
    tsr_value *normalized = DIV(centered, deviation);
    tsr_value *elements = SPREAD_OUT(tsr_ttir_splat(b, scalar, count));
    tsr_value *whole = MUL(dy, elements);
    tsr_value *sum = SPREAD_OUT(tsr_ttir_reduce(b, TSR_OP_TTIR_SUM, dy, others, n, false, NULL));
    tsr_value *along =
        SPREAD_OUT(tsr_ttir_reduce(b, TSR_OP_TTIR_SUM, MUL(dy, centered), others, n, false, NULL));
    tsr_value *bent = DIV(MUL(along, centered), spread);
    tsr_value *rest = SUB(SUB(whole, sum), bent);
    out[0] = MUL(DIV(DIV(scale, deviation), elements), rest);
    out[1] = tsr_ttir_reduce(b, TSR_OP_TTIR_SUM, MUL(dy, normalized), others, n, false, NULL);
    out[2] = tsr_ttir_reduce(b, TSR_OP_TTIR_SUM, dy, others, n, false, NULL);
    return true;
}
