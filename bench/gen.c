/* SPDX-License-Identifier: Apache-2.0 */
/* gen.c - writes a StableHLO module of about N ops, as MLIR prints it, for benchmarks.
 *
 *   gen N [SEED] > module.mlir
 *
 * The mix follows what JAX exports: mostly element-wise ops on a few types, constants, broadcasts, matrix products,
 * reductions, shardings, and now and then a loop or a collective with a region. Functions have about a thousand ops each.
 * MLIR numbers the values of a nested region from where its parent's numbering ends, so each function is written twice:
 * the first time only to count. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define T "tensor<64x64xf32>"
#define SHARDED " {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{\"data\"}, {}]>]>}"

typedef struct {
    long value, arg,
        conflict; /* the next numbers of %N, %argN, and of the _N in a name that is taken */
} names;

typedef struct {
    FILE *out; /* NULL while counting */
    uint64_t rng;
    long ops;
    names now, end; /* end: of the function's own region, from the first time */
    bool cst, c;    /* the names that are taken here */
} gen;

static unsigned pick(gen *g, unsigned n)
{
    g->rng = g->rng * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(g->rng >> 33) % n;
}

static void put(gen *g, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (g->out)
        vfprintf(g->out, fmt, ap);
    va_end(ap);
}

/* %name the first time, then %name_N. */
static void name(gen *g, const char *base, bool *taken, char out[32])
{
    if (*taken)
        snprintf(out, 32, "%%%s_%ld", base, g->now.conflict++);
    else
        snprintf(out, 32, "%%%s", base);
    *taken = true;
}

static long unary(gen *g, const char *pad, long x)
{
    static const char *const op[] = {"tanh",     "exponential", "negate", "abs",
                                     "logistic", "sqrt",        "cosine"};
    const char *what = op[pick(g, 7)], *sharding = pick(g, 5) ? "" : SHARDED;
    put(g, "%s%%%ld = stablehlo.%s %%%ld%s : " T "\n", pad, g->now.value, what, x, sharding);
    g->ops++;
    return g->now.value++;
}

static long binary(gen *g, const char *pad, long x, long y)
{
    static const char *const op[] = {"add", "multiply", "subtract", "maximum", "divide"};
    const char *what = op[pick(g, 5)], *sharding = pick(g, 5) ? "" : SHARDED;
    put(g, "%s%%%ld = stablehlo.%s %%%ld, %%%ld%s : " T "\n", pad, g->now.value, what, x, y,
        sharding);
    g->ops++;
    return g->now.value++;
}

/* A scalar and its broadcast. */
static long constant(gen *g, const char *pad)
{
    char cst[32];
    double value = pick(g, 1000) / 8.0;
    name(g, "cst", &g->cst, cst);
    put(g, "%s%s = stablehlo.constant dense<%.6e> : tensor<f32>\n", pad, cst, value);
    put(g, "%s%%%ld = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> " T "\n", pad,
        g->now.value, cst);
    g->ops += 2;
    return g->now.value++;
}

static long product(gen *g, long x, long y)
{
    put(g,
        "    %%%ld = stablehlo.dot_general %%%ld, %%%ld, contracting_dims = [1] x [0], precision = "
        "[DEFAULT, DEFAULT] : "
        "(" T ", " T ") -> " T "\n",
        g->now.value, x, y);
    put(g, "    %%%ld = stablehlo.transpose %%%ld, dims = [1, 0] : (" T ") -> " T "\n",
        g->now.value + 1, g->now.value);
    g->now.value += 2, g->ops += 2;
    return g->now.value - 1;
}

static long reduction(gen *g, long x)
{
    char cst[32];
    long v = g->now.value;
    name(g, "cst", &g->cst, cst);
    put(g, "    %s = stablehlo.constant dense<0.000000e+00> : tensor<f32>\n", cst);
    put(g,
        "    %%%ld = stablehlo.reduce(%%%ld init: %s) applies stablehlo.add across dimensions = "
        "[1] : (" T ", tensor<f32>) -> tensor<64xf32>\n",
        v, x, cst);
    put(g, "    %%%ld = stablehlo.broadcast_in_dim %%%ld, dims = [0] : (tensor<64xf32>) -> " T "\n",
        v + 1, v);
    g->now.value += 2, g->ops += 5;
    return v + 1;
}

static long choice(gen *g, long x, long y)
{
    long v = g->now.value;
    put(g,
        "    %%%ld = stablehlo.compare GT, %%%ld, %%%ld, FLOAT : (" T ", " T
        ") -> tensor<64x64xi1>\n",
        v, x, y);
    put(g, "    %%%ld = stablehlo.select %%%ld, %%%ld, %%%ld : tensor<64x64xi1>, " T "\n", v + 1, v,
        x, y);
    g->now.value += 2, g->ops += 2;
    return v + 1;
}

static long reshaped(gen *g, long x)
{
    long v = g->now.value;
    put(g, "    %%%ld = stablehlo.reshape %%%ld : (" T ") -> tensor<4x16x64xf32>\n", v, x);
    put(g,
        "    %%%ld = stablehlo.slice %%%ld [0:4, 0:8, 0:64] : (tensor<4x16x64xf32>) -> "
        "tensor<4x8x64xf32>\n",
        v + 1, v);
    put(g,
        "    %%%ld = stablehlo.concatenate %%%ld, %%%ld, dim = 1 : (tensor<4x8x64xf32>, "
        "tensor<4x8x64xf32>) -> "
        "tensor<4x16x64xf32>\n",
        v + 2, v + 1, v + 1);
    put(g, "    %%%ld = stablehlo.reshape %%%ld : (tensor<4x16x64xf32>) -> " T "\n", v + 3, v + 2);
    g->now.value += 4, g->ops += 4;
    return v + 3;
}

/* A list of integers, broadcast. */
static long integers(gen *g)
{
    char c[32];
    long v = g->now.value;
    name(g, "c", &g->c, c);
    put(g, "    %s = stablehlo.constant dense<[", c);
    for (int i = 0; i < 8; i++) {
        unsigned n = pick(g, 64);
        put(g, "%s%u", i ? ", " : "", n + (unsigned)i);
    }
    put(g, "]> : tensor<8xi32>\n");
    put(g, "    %%%ld = stablehlo.convert %s : (tensor<8xi32>) -> tensor<8xf32>\n", v, c);
    put(g,
        "    %%%ld = stablehlo.broadcast_in_dim %%%ld, dims = [1] : (tensor<8xf32>) -> "
        "tensor<512x8xf32>\n",
        v + 1, v);
    put(g, "    %%%ld = stablehlo.reshape %%%ld : (tensor<512x8xf32>) -> " T "\n", v + 2, v + 1);
    g->now.value += 3, g->ops += 4;
    return v + 2;
}

static long collective(gen *g, long x)
{
    long v = g->now.value++;
    names in = g->end;
    put(g,
        "    %%%ld = \"stablehlo.all_reduce\"(%%%ld) <{channel_handle = "
        "#stablehlo.channel_handle<handle = 1, type = 1>, "
        "replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, "
        "use_global_device_ids}> ({\n",
        v, x);
    put(g, "    ^bb0(%%arg%ld: tensor<f32>, %%arg%ld: tensor<f32>):\n", in.arg, in.arg + 1);
    put(g, "      %%%ld = stablehlo.add %%arg%ld, %%arg%ld : tensor<f32>\n", in.value, in.arg,
        in.arg + 1);
    put(g, "      stablehlo.return %%%ld : tensor<f32>\n", in.value);
    put(g, "    }) : (" T ") -> " T "\n");
    g->ops += 3;
    return v;
}

/* A counted loop; its two regions are numbered alike, each from the end of the function's numbering. */
static long loop(gen *g, long x)
{
    char c[32], i[32], a[32], inner[32];
    long v = g->now.value++;
    name(g, "c", &g->c, c);
    put(g, "    %s = stablehlo.constant dense<0> : tensor<i32>\n", c);
    gen outer = *g;
    names in = g->end;
    bool iter = false;
    g->now = in;
    g->cst = g->c = true;
    name(g, "iterArg", &iter, i);
    name(g, "iterArg", &iter, a);
    in = g->now;
    put(g, "    %%%ld:2 = stablehlo.while(%s = %s, %s = %%%ld) : tensor<i32>, " T "\n    cond {\n",
        v, i, c, a, x);
    name(g, "c", &g->c, inner);
    put(g, "      %s = stablehlo.constant dense<10> : tensor<i32>\n", inner);
    put(g,
        "      %%%ld = stablehlo.compare LT, %s, %s, SIGNED : (tensor<i32>, tensor<i32>) -> "
        "tensor<i1>\n",
        in.value, i, inner);
    put(g, "      stablehlo.return %%%ld : tensor<i1>\n    } do {\n", in.value);
    g->now = outer.end; /* the second region */
    put(g, "      %%%ld = stablehlo.tanh %s : " T "\n", g->now.value++, a);
    g->now.conflict = in.conflict;
    long y = unary(g, "      ", g->now.value - 1);
    y = binary(g, "      ", y, constant(g, "      "));
    name(g, "c", &g->c, inner);
    put(g, "      %s = stablehlo.constant dense<1> : tensor<i32>\n", inner);
    put(g, "      %%%ld = stablehlo.add %s, %s : tensor<i32>\n", g->now.value, i, inner);
    put(g, "      stablehlo.return %%%ld, %%%ld : tensor<i32>, " T "\n    }\n", g->now.value, y);
    outer.rng = g->rng, outer.ops = g->ops + 9;
    *g = outer;
    /* the loop's second result, as a plain value */
    put(g, "    %%%ld = stablehlo.negate %%%ld#1 : " T "\n", g->now.value, v);
    g->ops++;
    return g->now.value++;
}

static void body(gen *g, long calls, long first, long nops)
{
    long x = g->now.value, y;
    put(g, "    %%%ld = stablehlo.add %%arg0, %%arg1 : " T "\n", g->now.value++);
    y = g->now.value;
    put(g, "    %%%ld = stablehlo.multiply %%arg0, %%arg1 : " T "\n", g->now.value++);
    long start = g->ops;
    g->ops += 2;
    for (long i = 0; i < calls; i++, g->ops++) {
        put(g, "    %%%ld = call @f%ld(%%%ld, %%%ld) : (" T ", " T ") -> " T "\n", g->now.value,
            first + i, x, y);
        x = y, y = g->now.value++;
    }
    while (g->ops - start < nops) {
        long z;
        switch (pick(g, 24)) {
        case 0: z = loop(g, y); break;
        case 1: z = collective(g, y); break;
        case 2: z = reduction(g, y); break;
        case 3:
        case 4: z = product(g, x, y); break;
        case 5: z = choice(g, x, y); break;
        case 6: z = reshaped(g, y); break;
        case 7: z = integers(g); break;
        case 8:
        case 9:
        case 10: z = constant(g, "    "); break;
        case 11:
        case 12:
        case 13:
        case 14: z = unary(g, "    ", y); break;
        default: z = binary(g, "    ", x, y); break;
        }
        if (pick(g, 3))
            x = y;
        y = z;
    }
    put(g, "    return %%%ld : " T "\n  }\n", y);
    g->ops += 2; /* the function too */
}

static void function(gen *g, const char *head, long calls, long first, long nops)
{
    FILE *out = g->out;
    uint64_t rng = g->rng;
    long ops = g->ops;
    for (int round = 0; round < 2; round++) {
        g->out = round ? out : NULL;
        g->rng = rng, g->ops = ops;
        g->now = (names){0, 2, 0};
        g->cst = g->c = false;
        put(g, "%s", head);
        body(g, calls, first, nops);
        g->end = g->now;
    }
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 0;
    if (n < 100 || n > 100000000) {
        fprintf(stderr, "usage: gen N [SEED]   (N from 100 to 100000000)\n");
        return 2;
    }
    gen g = {.out = stdout, .rng = argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    long nfunc = n / 1000 > 1 ? n / 1000 : 1, per = n / nfunc;
    char head[512];
    printf("module @generated attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : "
           "i32} {\n"
           "  sdy.mesh @mesh = <[\"data\"=2, \"model\"=4]>\n");
    snprintf(head, sizeof head,
             "  func.func public @main(%%arg0: " T
             " {sdy.sharding = #sdy.sharding<@mesh, [{\"data\"}, {}]>}, %%arg1: " T
             " {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"model\"}]>}) -> (" T
             " {jax.result_info = \"result\"}) {\n");
    function(&g, head, nfunc - 1, 1, per);
    for (long i = 1; i < nfunc; i++) {
        snprintf(head, sizeof head,
                 "  func.func private @f%ld(%%arg0: " T ", %%arg1: " T ") -> " T " {\n", i);
        function(&g, head, 0, 0, per);
    }
    printf("}\n");
    return 0;
}
