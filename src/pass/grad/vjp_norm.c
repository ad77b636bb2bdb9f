/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_norm.c - batch normalisation: training has an op for its gradient; everything else is expressed in simpler
 * ops. */
#include "pass/grad/grad.h"

typedef struct {
    tsr_build *b;
    tsr_value *x;
    int64_t feature;
    double epsilon;
} norm;

/* A value per feature, broadcast to the shape of x. */
static tsr_value *wide(const norm *k, tsr_value *v)
{
    return tsr_build_spread(k->b, v, &k->feature, k->x);
}

/* The sum over everything but the feature. */
static tsr_value *sum_of(const norm *k, tsr_value *v)
{
    tsr_i64_vec dims = {0};
    for (int64_t i = 0; i < v->type->n; i++)
        if (i != k->feature)
            tsr_vec_push(&dims, i);
    tsr_value *out = tsr_grad_sum(k->b, v, dims.data, dims.n);
    tsr_vec_free(&dims);
    return out;
}

static double count(const norm *k)
{
    int64_t n = k->x->type->dims[k->feature];
    return n > 0 ? (double)(tsr_type_num_elements(k->x->type) / n) : 1;
}

static tsr_value *mean_of(const norm *k, tsr_value *v)
{
    return f_mulc(k->b, sum_of(k, v), 1 / count(k));
}

static tsr_value *inverse_deviation(const norm *k, tsr_value *variance)
{
    tsr_value *v = f_addc(k->b, variance, k->epsilon);
    return tsr_build_op(k->b, TSR_OP_STABLEHLO_RSQRT, &v, 1, v->type);
}

static norm read_norm(tsr_build *b, const tsr_op *op, int epsilon, int feature)
{
    const tsr_attr *e = tsr_attr_of(op, epsilon);
    return (norm){b, tsr_grad_in(op, 0), tsr_attr_of(op, feature)->i,
                  tsr_float_to_double((tsr_float_kind)e->type->sub, (uint64_t)e->i)};
}

static bool is_static(const tsr_op *op)
{
    return tsr_type_has_static_shape(tsr_hlo_in(op, 0)) || tsr_grad_none(op, "sizes are not known");
}

tsr_unfolded unfold_batch_norm_inference(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g;
    norm k = read_norm(b, op, STABLEHLO_BATCH_NORM_INFERENCE_epsilon,
                       STABLEHLO_BATCH_NORM_INFERENCE_feature_index);
    tsr_value *scale = tsr_grad_in(op, 1), *offset = tsr_grad_in(op, 2), *mean = tsr_grad_in(op, 3);
    tsr_value *factor = f_mul(b, scale, inverse_deviation(&k, tsr_grad_in(op, 4)));
    out[0] = f_add(b, f_mul(b, f_sub(b, k.x, wide(&k, mean)), wide(&k, factor)), wide(&k, offset));
    return TSR_UNFOLD_DONE;
}

tsr_unfolded unfold_batch_norm_training(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    if (g->mode == TSR_GRAD_REVERSE)
        return TSR_UNFOLD_KEEP;
    if (!is_static(op))
        return TSR_UNFOLD_FAILED;
    norm k = read_norm(b, op, STABLEHLO_BATCH_NORM_TRAINING_epsilon,
                       STABLEHLO_BATCH_NORM_TRAINING_feature_index);
    tsr_value *scale = tsr_grad_in(op, 1), *offset = tsr_grad_in(op, 2), *mean = mean_of(&k, k.x);
    tsr_value *centered = f_sub(b, k.x, wide(&k, mean)),
              *variance = mean_of(&k, f_square(b, centered));
    tsr_value *factor = f_mul(b, scale, inverse_deviation(&k, variance));
    out[0] = f_add(b, f_mul(b, centered, wide(&k, factor)), wide(&k, offset));
    out[1] = mean;
    out[2] = variance;
    return TSR_UNFOLD_DONE;
}

bool vjp_batch_norm_training(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_build *b = &g->b;
    if (!is_static(op))
        return false;
    norm k = read_norm(b, op, STABLEHLO_BATCH_NORM_TRAINING_epsilon,
                       STABLEHLO_BATCH_NORM_TRAINING_feature_index);
    if (ct[1])
        tsr_grad_add(g, k.x, wide(&k, f_mulc(b, ct[1], 1 / count(&k))));
    if (ct[2]) {
        tsr_value *centered = f_sub(b, k.x, wide(&k, &op->out[1]));
        tsr_grad_add(g, k.x, f_mul(b, centered, wide(&k, f_mulc(b, ct[2], 2 / count(&k)))));
    }
    if (!ct[0])
        return true;
    tsr_value *in[] = {k.x, tsr_grad_in(op, 1), &op->out[1], &op->out[2], ct[0]};
    tsr_op *back = tsr_build_open(&g->b, TSR_OP_STABLEHLO_BATCH_NORM_GRAD, in, 5, 3, 0);
    back->attrs[STABLEHLO_BATCH_NORM_GRAD_epsilon] =
        tsr_attr_of(op, STABLEHLO_BATCH_NORM_TRAINING_epsilon);
    back->attrs[STABLEHLO_BATCH_NORM_GRAD_feature_index] =
        tsr_attr_of(op, STABLEHLO_BATCH_NORM_TRAINING_feature_index);
    tsr_build_close(&g->b, back);
    for (uint32_t i = 0; i < 3; i++)
        tsr_grad_add(g, tsr_grad_in(op, i), &back->out[i]);
    return true;
}

/* With h = (x - mean) / sqrt(variance + epsilon) and n elements per feature: offset: sum(c), scale: sum(c h), x: scale
 * / sqrt(variance + epsilon) (c - sum(c) / n - h sum(c h) / n). */
tsr_unfolded unfold_batch_norm_grad(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g;
    if (!is_static(op))
        return TSR_UNFOLD_FAILED;
    norm k = read_norm(b, op, STABLEHLO_BATCH_NORM_GRAD_epsilon,
                       STABLEHLO_BATCH_NORM_GRAD_feature_index);
    tsr_value *scale = tsr_grad_in(op, 1), *mean = tsr_grad_in(op, 2), *c = tsr_grad_in(op, 4);
    tsr_value *inverse = inverse_deviation(&k, tsr_grad_in(op, 3));
    tsr_value *h = f_mul(b, f_sub(b, k.x, wide(&k, mean)), wide(&k, inverse));
    out[1] = sum_of(&k, f_mul(b, c, h));
    out[2] = sum_of(&k, c);
    tsr_value *flat = wide(&k, f_mulc(b, out[2], 1 / count(&k)));
    tsr_value *along = f_mul(b, h, wide(&k, f_mulc(b, out[1], 1 / count(&k))));
    out[0] = f_mul(b, wide(&k, f_mul(b, scale, inverse)), f_sub(b, f_sub(b, c, flat), along));
    return TSR_UNFOLD_DONE;
}
