/* SPDX-License-Identifier: Apache-2.0 */
/* test_products.c - products of all types, layouts and epilogues against double. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

typedef struct {
    const char *name;
    tsr_device_type a, b, out, sums;
    double tolerance; /* beside the sum of sizes */
    bool fast;
} kind;

static const kind kinds[] = {
    {"f64", TSR_DEVICE_F64, TSR_DEVICE_F64, TSR_DEVICE_F64, TSR_DEVICE_F64, 1e-14, false},
    {"f32", TSR_DEVICE_F32, TSR_DEVICE_F32, TSR_DEVICE_F32, TSR_DEVICE_F32, 2e-6, false},
    {"tf32", TSR_DEVICE_F32, TSR_DEVICE_F32, TSR_DEVICE_F32, TSR_DEVICE_F32, 2e-3, true},
    {"bf16", TSR_DEVICE_BF16, TSR_DEVICE_BF16, TSR_DEVICE_BF16, TSR_DEVICE_F32, 5e-3, false},
    {"bf16 to f32", TSR_DEVICE_BF16, TSR_DEVICE_BF16, TSR_DEVICE_F32, TSR_DEVICE_F32, 2e-6, false},
    {"f16", TSR_DEVICE_F16, TSR_DEVICE_F16, TSR_DEVICE_F16, TSR_DEVICE_F32, 1e-3, false},
    {"f16 to f32", TSR_DEVICE_F16, TSR_DEVICE_F16, TSR_DEVICE_F32, TSR_DEVICE_F32, 2e-6, false},
    {"i8", TSR_DEVICE_I8, TSR_DEVICE_I8, TSR_DEVICE_I32, TSR_DEVICE_I32, 0, false},
    {"f8e4m3", TSR_DEVICE_F8E4M3, TSR_DEVICE_F8E4M3, TSR_DEVICE_F32, TSR_DEVICE_F32, 1e-3, false},
    {"f8e4m3 and f8e5m2", TSR_DEVICE_F8E4M3, TSR_DEVICE_F8E5M2, TSR_DEVICE_BF16, TSR_DEVICE_F32,
     5e-3, false},
};

/* Numbers of all types: small multiples of an eighth, which each of them has. */
static double number(uint64_t *seed)
{
    return ((double)(test_random(seed) % 15) - 7) / 8;
}

static size_t bytes_of(tsr_device_type t)
{
    return t == TSR_DEVICE_F64                           ? 8
           : t == TSR_DEVICE_F32 || t == TSR_DEVICE_I32  ? 4
           : t == TSR_DEVICE_BF16 || t == TSR_DEVICE_F16 ? 2
                                                         : 1;
}

static uint32_t small_bits(double x, int mantissa, int bias)
{
    int e;
    double f = frexp(fabs(x), &e);
    if (x == 0)
        return 0;
    return (uint32_t)((e - 1 + bias) << mantissa) + (uint32_t)((2 * f - 1) * (1 << mantissa));
}

static void put(void *at, int64_t i, tsr_device_type t, double x)
{
    uint32_t sign = x < 0;
    switch (t) {
    case TSR_DEVICE_F64: ((double *)at)[i] = x; break;
    case TSR_DEVICE_F32: ((float *)at)[i] = (float)x; break;
    case TSR_DEVICE_I32: ((int32_t *)at)[i] = (int32_t)x; break;
    case TSR_DEVICE_I8: ((int8_t *)at)[i] = (int8_t)(8 * x); break;
    case TSR_DEVICE_BF16:
        ((uint16_t *)at)[i] = (uint16_t)(sign << 15 | small_bits(x, 7, 127));
        break;
    case TSR_DEVICE_F16:
        ((uint16_t *)at)[i] = (uint16_t)(sign << 15 | small_bits(x, 10, 15));
        break;
    case TSR_DEVICE_F8E4M3: ((uint8_t *)at)[i] = (uint8_t)(sign << 7 | small_bits(x, 3, 7)); break;
    case TSR_DEVICE_F8E5M2: ((uint8_t *)at)[i] = (uint8_t)(sign << 7 | small_bits(x, 2, 15)); break;
    }
}

static double get(const void *at, int64_t i, tsr_device_type t)
{
    uint32_t b;
    float f;
    switch (t) {
    case TSR_DEVICE_F64: return ((const double *)at)[i];
    case TSR_DEVICE_F32: return ((const float *)at)[i];
    case TSR_DEVICE_I32: return ((const int32_t *)at)[i];
    case TSR_DEVICE_BF16:
        b = (uint32_t)((const uint16_t *)at)[i] << 16;
        memcpy(&f, &b, 4);
        return f;
    default: b = ((const uint16_t *)at)[i];
    }
    double size =
        b & 0x7c00 ? ldexp(1024 + (b & 0x3ff), (int)(b >> 10 & 31) - 25) : ldexp(b & 0x3ff, -24);
    return b & 0x8000 ? -size : size;
}

/* One operand: what the host knows of it, and where it is on the device. */
typedef struct {
    double *v; /* [batch][rows][cols] */
    int64_t batch, rows, cols;
    tsr_device_matrix m;
    size_t bytes;
} operand;

static int64_t place(const operand *o, int64_t b, int64_t i, int64_t j)
{
    return b * o->m.matrix + (o->m.transposed ? j * o->m.line + i : i * o->m.line + j);
}

/* more: elements between lines. */
static operand make(tsr_device *d, tsr_device_type t, int64_t batch, int64_t rows, int64_t cols,
                    bool transposed, int more, uint64_t *seed)
{
    operand o = {.batch = batch, .rows = rows, .cols = cols};
    int64_t lines = transposed ? cols : rows, length = transposed ? rows : cols;
    o.m = (tsr_device_matrix){.type = t,
                              .transposed = transposed,
                              .line = length + more,
                              .matrix = lines * (length + more)};
    int64_t n = batch * o.m.matrix;
    o.bytes = (size_t)n * bytes_of(t);
    o.v = calloc((size_t)(batch * rows * cols), sizeof(double));
    char *host = calloc(1, o.bytes);
    for (int64_t b = 0; b < batch; b++)
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < cols; j++) {
                double x = number(seed);
                if (t == TSR_DEVICE_F8E5M2)
                    x = ldexp(1, (int)(8 * x) / 3);
                put(host, place(&o, b, i, j), t, x);
                o.v[(b * rows + i) * cols + j] = t == TSR_DEVICE_I8    ? 8 * x
                                                 : t == TSR_DEVICE_I32 ? trunc(x)
                                                                       : x;
            }
    o.m.at = d->allocate(d, o.bytes);
    CHECK(o.m.at && d->copy_in(d, o.m.at, host, o.bytes), "%s", d->error);
    free(host);
    return o;
}

static void unmake(tsr_device *d, operand *o)
{
    d->release(d, o->m.at);
    free(o->v);
}

static double gelu(double x)
{
    return x / 2 * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

static double dgelu(double x)
{
    double h = 1e-5; /* by differences: not the formula of the device */
    return (gelu(x + h) - gelu(x - h)) / (2 * h);
}

static bool has_bias(tsr_epilogue e)
{
    return e == TSR_EPILOGUE_BIAS || e == TSR_EPILOGUE_GELU_BIAS || e == TSR_EPILOGUE_GELU_AUX_BIAS;
}

typedef struct {
    operand a, b, add, out, bias, aux;
} operands;

static double wanted(const tsr_device_product *p, const operands *o, int64_t b, int64_t i,
                     int64_t j, double *sizes, double *before)
{
    double sum = 0;
    *sizes = 0;
    for (int64_t k = 0; k < p->k; k++) {
        double x = o->a.v[((o->a.batch > 1 ? b : 0) * p->m + i) * p->k + k] *
                   o->b.v[((o->b.batch > 1 ? b : 0) * p->k + k) * p->n + j];
        sum += x;
        *sizes += fabs(x);
    }
    sum *= p->alpha;
    if (p->beta != 0)
        sum += p->beta * o->add.v[(b * p->m + i) * p->n + j];
    if (has_bias(p->epilogue))
        sum += o->bias.v[j];
    *before = sum;
    *sizes += fabs(sum);
    if (p->epilogue == TSR_EPILOGUE_DGELU)
        return sum * dgelu(o->aux.v[i * p->n + j]);
    return p->epilogue == TSR_EPILOGUE_NONE || p->epilogue == TSR_EPILOGUE_BIAS ? sum : gelu(sum);
}

static void compare(tsr_device *d, const tsr_device_product *p, const operands *o, double tolerance,
                    const char *name)
{
    char *host = malloc(o->out.bytes), *aux = o->aux.v ? malloc(o->aux.bytes) : NULL;
    double most = 0, most_aux = 0;
    bool ok = d->copy_out(d, host, p->out.at, o->out.bytes) &&
              (!aux || d->copy_out(d, aux, p->aux, o->aux.bytes));
    CHECK(ok, "%s: %s", name, d->error);
    for (int64_t b = 0; ok && b < p->batch; b++)
        for (int64_t i = 0; i < p->m; i++)
            for (int64_t j = 0; j < p->n; j++) {
                double sizes, before, w = wanted(p, o, b, i, j, &sizes, &before);
                double error =
                    fabs(get(host, place(&o->out, b, i, j), p->out.type) - w) / (sizes + 1e-9);
                most = error > most || isnan(error) ? error : most;
                if (p->epilogue != TSR_EPILOGUE_GELU_AUX &&
                    p->epilogue != TSR_EPILOGUE_GELU_AUX_BIAS)
                    continue;
                error =
                    fabs(get(aux, place(&o->aux, 0, i, j), p->out.type) - before) / (sizes + 1e-9);
                most_aux = error > most_aux || isnan(error) ? error : most_aux;
            }
    CHECK(most <= tolerance && most_aux <= tolerance,
          "%s, %lldx%lldx%lld by %lld, epilogue %d: error %.2g, aux %.2g", name, (long long)p->m,
          (long long)p->n, (long long)p->k, (long long)p->batch, (int)p->epilogue, most, most_aux);
    free(host);
    free(aux);
}

typedef struct {
    int64_t m, n, k, batch;
    bool at, bt, outt, shared; /* transposed; shared: b is the same for all of a batch */
    double beta;
    tsr_epilogue epilogue;
    int more;
} shape;

/* False: the device does not have it. */
static bool try_product(tsr_device *d, const kind *which, const shape *s)
{
    uint64_t seed = (uint64_t)(s->m * 31 + s->n * 7 + s->k);
    operands o = {0};
    tsr_device_type t = which->out;
    o.a = make(d, which->a, s->batch, s->m, s->k, s->at, s->more, &seed);
    o.b = make(d, which->b, s->shared ? 1 : s->batch, s->k, s->n, s->bt, s->more, &seed);
    o.out = make(d, t, s->batch, s->m, s->n, s->outt, s->more, &seed);
    o.add = make(d, t, s->batch, s->m, s->n, s->outt, 2 * s->more, &seed);
    tsr_device_product p = {.m = s->m,
                            .n = s->n,
                            .k = s->k,
                            .batch = s->batch,
                            .a = o.a.m,
                            .b = o.b.m,
                            .add = o.add.m,
                            .out = o.out.m,
                            .sums = which->sums,
                            .fast = which->fast,
                            .alpha = s->beta ? 0.5 : 1,
                            .beta = s->beta,
                            .epilogue = s->epilogue};
    if (s->shared)
        p.b.matrix = 0;
    if (which->sums == TSR_DEVICE_I32)
        p.alpha = 1;
    if (s->epilogue != TSR_EPILOGUE_NONE) {
        o.bias = make(d, t, 1, 1, s->n, false, 0, &seed);
        o.aux = make(d, t, 1, s->m, s->n, false, 8, &seed);
        p.bias = o.bias.m.at;
        p.aux = o.aux.m.at;
        p.aux_line = o.aux.m.line;
    }
    bool has = d->has_product(d, &p, &p.workspace_bytes);
    if (has) {
        p.workspace = p.workspace_bytes ? d->allocate(d, p.workspace_bytes) : NULL;
        CHECK(d->product(d, &p), "%s: %s", which->name, d->error);
        compare(d, &p, &o, which->tolerance, which->name);
        d->release(d, p.workspace);
    }
    unmake(d, &o.a), unmake(d, &o.b), unmake(d, &o.out), unmake(d, &o.add), unmake(d, &o.bias),
        unmake(d, &o.aux);
    return has;
}

static void check_kind(tsr_device *d, const kind *k)
{
    bool bytes = bytes_of(k->a) == 1, floats = k->sums == TSR_DEVICE_F32 && !bytes;
    int64_t m = bytes ? 32 : 33;
    for (int i = 0; i < 16 && !bytes; i++) {
        shape s = {.m = 33,
                   .n = 40,
                   .k = 17,
                   .batch = 1,
                   .at = i & 1,
                   .bt = i >> 1 & 1,
                   .outt = i >> 2 & 1,
                   .more = i & 8 ? 3 : 0};
        CHECK(try_product(d, k, &s), "%s: layout %d", k->name, i);
    }
    CHECK(try_product(d, k, &(shape){.m = m, .n = 48, .k = 64, .batch = 1, .bt = true}), "%s",
          k->name);
    CHECK(try_product(d, k, &(shape){.m = m, .n = 48, .k = 64, .batch = 3, .bt = true}),
          "%s: a batch", k->name);
    CHECK(try_product(d, k,
                      &(shape){.m = m, .n = 16, .k = 32, .batch = 5, .bt = true, .shared = true}),
          "%s: a batch by one", k->name);
    CHECK(try_product(d, k, &(shape){.m = m, .n = 48, .k = 32, .batch = 2, .bt = true, .beta = 1}),
          "%s: a sum", k->name);
    CHECK(bytes || try_product(d, k, &(shape){.m = 1, .n = 1, .k = 1, .batch = 1}), "%s: one",
          k->name);
    CHECK(bytes || try_product(d, k, &(shape){.m = 1, .n = 257, .k = 300, .batch = 1}), "%s: a row",
          k->name);
    CHECK(!try_product(d, k, &(shape){.m = 8, .n = 0, .k = 8, .batch = 1}), "%s: nothing", k->name);
    for (int e = TSR_EPILOGUE_BIAS; floats && e <= TSR_EPILOGUE_DGELU; e++)
        CHECK(try_product(d, k,
                          &(shape){.m = 40,
                                   .n = 56,
                                   .k = 24,
                                   .batch = 1,
                                   .epilogue = (tsr_epilogue)e,
                                   .beta = e % 2}),
              "%s: epilogue %d", k->name, e);
}

void test_products(test_open *open)
{
    tsr_device *d = open(0);
    if (d->has_product)
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            check_kind(d, kinds + i);
    d->close(d);
}
