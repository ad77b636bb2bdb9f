/* SPDX-License-Identifier: Apache-2.0 */
/* activation.c - activation functions that TTNN fuses into products, convolutions and norms. */
#include <math.h>

#include "eval/kernel/ttnn/ttnn.h"

static double relu(double x)
{
    return x > 0 || x != x ? x : 0;
}

static double relu6(double x)
{
    return x > 6 ? 6 : relu(x);
}

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static double silu(double x)
{
    return x * sigmoid(x);
}

static double gelu(double x)
{
    return 0.5 * x * (1 + erf(x * 0.70710678118654752440));
}

static double negative(double x)
{
    return -x;
}

static double hardsigmoid(double x)
{
    double y = x / 6 + 0.5;
    return y < 0 ? 0 : y > 1 ? 1 : y;
}

static const struct {
    const char *name;
    double (*fn)(double);
} functions[] = {
    {"relu", relu}, {"relu6", relu6},  {"sigmoid", sigmoid}, {"silu", silu},
    {"gelu", gelu}, {"tanh", tanh},    {"exp", exp},         {"hardsigmoid", hardsigmoid},
    {"abs", fabs},  {"sqrt", sqrt},    {"log", log},         {"sin", sin},
    {"cos", cos},   {"neg", negative},
};

bool tsr_ttnn_activate(uint8_t activation, double *v, int64_t n)
{
    const char *name = activation ? tsr_def_TTNN_UNARY_OP.cases[activation - 1] : "";
    for (size_t i = 0; i < TSR_COUNT(functions); i++) {
        if (strcmp(functions[i].name, name) != 0)
            continue;
        for (int64_t k = 0; k < n; k++)
            v[k] = functions[i].fn(v[k]);
        return true;
    }
    return false;
}
