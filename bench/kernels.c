/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.c - times of the engine's leaf kernels. Reads lines 'gemm TYPE OUT M N K THREADS', 'tile OP N THREADS', 'transpose N THREADS' from
 * stdin, and answers each with the least seconds of several runs: of processor time with one thread, of the clock with more. bench/kernels.py
 * asks, and times the peers in between. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/threads.h"
#include "exec/kernel/gemm.h"
#include "exec/kernel/move.h"
#include "exec/kernel/tile.h"

static double seconds(bool processor)
{
    struct timespec t;
    clock_gettime(processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double least_of(void (*run)(void *ctx), void *ctx, int threads)
{
    double best = 1e9, end = seconds(false) + 1.0;
    run(ctx);
    for (int i = 0; i < 1000 && (i < 5 || seconds(false) < end); i++) {
        double t = seconds(threads == 1);
        run(ctx);
        t = seconds(threads == 1) - t;
        best = t < best ? t : best;
    }
    return best;
}

static void *filled(size_t bytes)
{
    char *p = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    for (size_t i = 0; i < bytes / 4; i++)
        ((uint32_t *)p)[i] = 0x3F803F80; /* 1.0 or so in each float type */
    return p;
}

static tsr_dtype type_named(const char *name)
{
    for (int d = 0; d < TSR_D__COUNT; d++)
        if (strcmp(tsr_dtype_name((tsr_dtype)d), name) == 0)
            return (tsr_dtype)d;
    return TSR_D_F32;
}

/* ---- Matrix products ---- */

static void run_gemm(void *ctx)
{
    if (!tsr_gemm_run(ctx))
        exit(3);
}

static double time_gemm(const char *type, const char *out, int64_t m, int64_t n, int64_t k,
                        int threads)
{
    tsr_gemm g = {.type = type_named(type),
                  .out_type = type_named(out),
                  .m = m,
                  .n = n,
                  .k = k,
                  .batch = 1,
                  .a_m = k,
                  .a_k = 1,
                  .b_k = n,
                  .b_n = 1,
                  .c_m = n};
    void *a = filled((size_t)(m * k * 8)), *b = filled((size_t)(k * n * 8));
    g.a = a;
    g.b = b;
    g.c = filled((size_t)(m * n * 8));
    double t = least_of(run_gemm, &g, threads);
    free(a);
    free(b);
    free(g.c);
    return t;
}

/* ---- Tiles ---- */

enum { TILE = 256 };
typedef struct {
    const char *op;
    float *data; /* results take the place of operands, as the peer's do */
    int64_t n;
} map;

/* tanh-gelu as the engine runs it: one tile kernel after the other on registers of one tile, constants set before. */
typedef struct {
    tsr_tile_fn *fn;
    uint8_t out, in[3]; /* registers */
} step;
enum { X, OUT, T, U, C0, C1, C2, C3, REGISTERS };
typedef struct {
    _Alignas(64) float memory[REGISTERS][TILE];
    void *at[REGISTERS];
    step steps[8];
} gelu;

static void prepare_gelu(gelu *g)
{
    static const float values[] = {0.044715f, 0.7978845608f, 0.5f, 1.0f};
    static const struct {
        tsr_tile_op op;
        uint8_t out, in[3];
    } steps[8] = {{TSR_TILE_square, T, {X}},     {TSR_TILE_multiply, T, {T, X}},
                  {TSR_TILE_fma, T, {T, C0, X}}, {TSR_TILE_multiply, T, {T, C1}},
                  {TSR_TILE_tanh, T, {T}},       {TSR_TILE_multiply, U, {X, C2}},
                  {TSR_TILE_add, T, {T, C3}},    {TSR_TILE_multiply, OUT, {T, U}}};
    for (int i = 0; i < REGISTERS; i++)
        g->at[i] = g->memory[i];
    for (int i = 0; i < 4; i++)
        tsr_tile_splat(TSR_D_F32, g->at[C0 + i], &values[i], TILE);
    for (int i = 0; i < 8; i++) {
        g->steps[i] = (step){tsr_tile_find(steps[i].op, TSR_D_F32), steps[i].out, {0}};
        memcpy(g->steps[i].in, steps[i].in, sizeof steps[i].in);
    }
}

static void gelu_tile(gelu *g, float *in, float *out)
{
    g->at[X] = in;
    g->at[OUT] = out;
    for (int i = 0; i < 8; i++) {
        const step *s = &g->steps[i];
        s->fn(g->at[s->out], (const void *[]){g->at[s->in[0]], g->at[s->in[1]], g->at[s->in[2]]},
              TILE);
    }
}

static tsr_tile_fn *op_named(const char *name)
{
    for (int i = 0; i < TSR_TILE__COUNT; i++)
        if (strcmp(tsr_tile_name((tsr_tile_op)i), name) == 0)
            return tsr_tile_find((tsr_tile_op)i, TSR_D_F32);
    return NULL;
}

enum { CHUNK = 64 * TILE };

static void map_chunk(void *ctx, int64_t chunk, int worker)
{
    map *m = ctx;
    (void)worker;
    tsr_tile_fn *fn = op_named(m->op);
    gelu g;
    if (!fn)
        prepare_gelu(&g);
    int64_t end = (chunk + 1) * CHUNK < m->n ? (chunk + 1) * CHUNK : m->n;
    for (int64_t i = chunk * CHUNK; i < end; i += TILE) {
        if (fn)
            fn(m->data + i, (const void *[]){m->data + i}, TILE);
        else
            gelu_tile(&g, m->data + i, m->data + i);
    }
}

static void run_map(void *ctx)
{
    map *m = ctx;
    tsr_pool_for((m->n + CHUNK - 1) / CHUNK, map_chunk, m);
}

static double time_map(const char *op, int64_t n, int threads)
{
    n = (n + TILE - 1) / TILE * TILE;
    map m = {op, filled((size_t)n * 4), n};
    for (int64_t i = 0; i < n; i++)
        m.data[i] = (float)(i % 4001 + 1) * 1e-3f;
    double t = least_of(run_map, &m, threads);
    free(m.data);
    return t;
}

/* ---- Transposes ---- */

typedef struct {
    void *in, *out;
    int64_t n;
} square;

static void run_transpose(void *ctx)
{
    square *s = ctx;
    int64_t dims[2] = {s->n, s->n}, perm[2] = {1, 0};
    tsr_transpose(4, s->out, s->in, dims, perm, 2);
}

static double time_transpose(int64_t n, int threads)
{
    square s = {filled((size_t)(n * n * 4)), filled((size_t)(n * n * 4)), n};
    double t = least_of(run_transpose, &s, threads);
    free(s.in);
    free(s.out);
    return t;
}

int main(void)
{
    char line[256], type[16], out[16], op[64];
    long long m, n, k;
    int threads;
    while (fgets(line, sizeof line, stdin)) {
        double t = 0;
        if (sscanf(line, "gemm %15s %15s %lld %lld %lld %d", type, out, &m, &n, &k, &threads) ==
            6) {
            tsr_pool_limit(threads);
            t = time_gemm(type, out, m, n, k, threads);
        } else if (sscanf(line, "tile %63s %lld %d", op, &n, &threads) == 3) {
            tsr_pool_limit(threads);
            t = time_map(op, n, threads);
        } else if (sscanf(line, "transpose %lld %d", &n, &threads) == 2) {
            tsr_pool_limit(threads);
            t = time_transpose(n, threads);
        }
        printf("%.9f\n", t);
        fflush(stdout);
    }
    return 0;
}
