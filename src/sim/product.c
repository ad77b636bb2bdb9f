/* SPDX-License-Identifier: Apache-2.0 */
/* product.c - how long a matrix product or a convolution of given local shapes takes on a device: see sim.h. */
#include "sim/sim.h"

#include <math.h>

#include "dialect/params.h"

bool tsr_sim_is_product(const tsr_op *op)
{
    tsr_dot dot;
    tsr_conv conv;
    return op->nin >= 2 && op->nout == 1 && (tsr_dot_of(op, &dot) || tsr_conv_of(op, &conv));
}

static tsr_str element_of(const tsr_type *t, char *text, size_t n)
{
    const tsr_type *elem = t->elem ? t->elem : t;
    tsr_str name = tsr_type_print(elem);
    size_t len = name.len < n ? name.len : n;
    memcpy(text, name.data, len);
    tsr_free((void *)name.data);
    return (tsr_str){text, len};
}

/* The product of the sizes of the listed dimensions. */
static double some_of(const int64_t *dims, uint32_t n, tsr_ints which)
{
    double product = 1;
    for (uint32_t i = 0; i < which.n; i++) {
        int64_t d = tsr_ints_at(which, i);
        product *= d >= 0 && d < (int64_t)n ? (double)dims[d] : 1;
    }
    return product;
}

static double all_of(const int64_t *dims, uint32_t n)
{
    double product = 1;
    for (uint32_t i = 0; i < n; i++)
        product *= fmax((double)dims[i], 0);
    return product;
}

double tsr_sim_product_seconds(const tsr_device_file *d, const tsr_op *op, const int64_t *lhs,
                               const int64_t *result, double flops, double bytes)
{
    const tsr_type *a = op->in[0].value->type, *out = op->out[0].type;
    double batch = 1, depth = 1, rows, elements = all_of(result, out->n);
    char text[16];
    tsr_dot dot;
    tsr_conv conv;
    if (tsr_dot_of(op, &dot)) {
        batch = some_of(lhs, a->n, dot.batch[0]);
        depth = some_of(lhs, a->n, dot.contract[0]);
        rows = all_of(lhs, a->n) / fmax(batch * depth, 1);
    } else {
        tsr_conv_of(op, &conv);
        double features = conv.out_feature >= 0 && conv.out_feature < (int64_t)out->n
                              ? (double)result[conv.out_feature]
                              : 1;
        rows = elements / fmax(features, 1);
        depth = flops / fmax(2 * elements, 1);
    }
    double columns = elements / fmax(batch * rows, 1);
    return tsr_time_product(d, element_of(a, text, sizeof text), batch, rows, columns, depth,
                            bytes);
}
