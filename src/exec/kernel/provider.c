/* SPDX-License-Identifier: Apache-2.0 */
/* provider.c - libraries that multiply matrices, opened at run time. See provider.h. */
#include "exec/kernel/provider.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "base/threads.h"
#include "exec/kernel/scratch.h"

/* ---- OpenBLAS ---- */

enum { ROW_MAJOR = 101, AS_IT_IS = 111, TRANSPOSED = 112 };

typedef void single_fn(int order, int transpose_a, int transpose_b, int m, int n, int k,
                       float alpha, const float *a, int lda, const float *b, int ldb, float beta,
                       float *c, int ldc);
typedef void double_fn(int order, int transpose_a, int transpose_b, int m, int n, int k,
                       double alpha, const double *a, int lda, const double *b, int ldb,
                       double beta, double *c, int ldc);

static struct {
    pthread_once_t once;
    const char *reason;
    single_fn *f32;
    double_fn *f64;
} blas = {.once = PTHREAD_ONCE_INIT};

/* Work is divided into blocks here: with the library's own threads the bits would depend on their number. */
static void open_blas(void)
{
    static char text[300];
    static const char *const files[] = {"libopenblas.so.0", "libopenblas.so"};
    const char *file = getenv("TESSERA_OPENBLAS");
    void *library = file ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;
    for (size_t i = 0; !file && !library && i < TSR_COUNT(files); i++)
        library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *why = dlerror();
        snprintf(text, sizeof text, "the library cannot be opened: %s", why ? why : "no reason");
        blas.reason = text;
        return;
    }
    void (*limit)(int) = (void (*)(int))dlsym(library, "openblas_set_num_threads");
    blas.f32 = (single_fn *)dlsym(library, "cblas_sgemm");
    blas.f64 = (double_fn *)dlsym(library, "cblas_dgemm");
    if (limit && blas.f32 && blas.f64)
        limit(1);
    else
        blas.reason = "the library lacks cblas_sgemm, cblas_dgemm or openblas_set_num_threads";
}

static const char *blas_open(void)
{
    pthread_once(&blas.once, open_blas);
    return blas.reason;
}

/* Whether rows, or columns, are contiguous and do not overlap. */
static bool is_matrix(int64_t rows, int64_t columns, int64_t row_stride, int64_t column_stride)
{
    bool by_rows = column_stride == 1 && row_stride >= columns && row_stride > 0;
    bool by_columns = row_stride == 1 && column_stride >= rows && column_stride > 0;
    return (by_rows || by_columns) && row_stride <= INT_MAX && column_stride <= INT_MAX;
}

static bool blas_takes(const tsr_gemm *g)
{
    bool type = g->type == g->out_type && (g->type == TSR_D_F32 || g->type == TSR_D_F64);
    return type && !g->a_grid && !g->b_grid && g->m > 0 && g->n > 0 && g->k > 0 && g->m < INT_MAX &&
           g->n < INT_MAX && g->k < INT_MAX && g->c_m <= INT_MAX &&
           is_matrix(g->m, g->k, g->a_m, g->a_k) && is_matrix(g->k, g->n, g->b_k, g->b_n);
}

static void blas_run(const tsr_gemm *g, int64_t batch, int64_t row, int64_t m, int64_t col,
                     int64_t n, void *c, int64_t ldc)
{
    int transpose_a = g->a_k == 1 && g->a_m >= g->k ? AS_IT_IS : TRANSPOSED;
    int transpose_b = g->b_n == 1 && g->b_k >= g->n ? AS_IT_IS : TRANSPOSED;
    int lda = (int)(transpose_a == AS_IT_IS ? g->a_m : g->a_k);
    int ldb = (int)(transpose_b == AS_IT_IS ? g->b_k : g->b_n);
    int64_t a = tsr_gemm_a_at(g, batch) + row * g->a_m, b = tsr_gemm_b_at(g, batch) + col * g->b_n;
    if (g->type == TSR_D_F32)
        blas.f32(ROW_MAJOR, transpose_a, transpose_b, (int)m, (int)n, (int)g->k, 1,
                 (const float *)g->a + a, lda, (const float *)g->b + b, ldb, 0, c, (int)ldc);
    else
        blas.f64(ROW_MAJOR, transpose_a, transpose_b, (int)m, (int)n, (int)g->k, 1,
                 (const double *)g->a + a, lda, (const double *)g->b + b, ldb, 0, c, (int)ldc);
}

/* ---- Which one ---- */

static const tsr_gemm_provider all[] = {
    {.name = "own"},
    {"openblas", blas_open, blas_takes, blas_run},
};

static _Atomic(const tsr_gemm_provider *) chosen;

/* NULL: the provider is open, and stored in found. */
static const char *find(const char *name, const tsr_gemm_provider **found)
{
    for (size_t i = 0; i < TSR_COUNT(all); i++)
        if (strcmp(all[i].name, name) == 0) {
            *found = &all[i];
            return all[i].open ? all[i].open() : NULL;
        }
    return "there is no such provider of products; there are own and openblas";
}

bool tsr_gemm_use(const char *name, const char **reason)
{
    const tsr_gemm_provider *p = NULL;
    const char *why = find(name, &p);
    if (why && reason)
        *reason = why;
    if (!why)
        atomic_store_explicit(&chosen, p, memory_order_release);
    return !why;
}

static const tsr_gemm_provider *now(void)
{
    const tsr_gemm_provider *p = atomic_load_explicit(&chosen, memory_order_acquire);
    if (p)
        return p;
    const char *name = getenv("TESSERA_GEMM");
    if (!name || !tsr_gemm_use(name, NULL))
        tsr_gemm_use("own", NULL);
    return atomic_load_explicit(&chosen, memory_order_acquire);
}

const char *tsr_gemm_name(void)
{
    return now()->name;
}

const char *tsr_gemm_complaint(void)
{
    const char *name = getenv("TESSERA_GEMM");
    const tsr_gemm_provider *p;
    return name ? find(name, &p) : NULL;
}

const char *const *tsr_gemm_names(void)
{
    static const char *const names[] = {"own", "openblas", NULL};
    return names;
}

const tsr_gemm_provider *tsr_gemm_provider_of(const tsr_gemm *g)
{
    const tsr_gemm_provider *p = now();
    return p->run && !g->fill[0] && !g->fill[1] && p->takes(g) ? p : NULL;
}

/* ---- Blocks ---- */

enum {
    ROWS = 384,
    COLS = 512
}; /* of a block: large enough that the panels the library packs are reused */

typedef struct {
    const tsr_gemm_provider *p;
    const tsr_gemm *g;
    int64_t rows, cols, blocks_m, blocks_n;
    char *own; /* scratch of each worker: a block, if there is no C */
    int64_t own_size;
} cut;

static void run_one(void *ctx, int64_t chunk, int worker)
{
    const cut *x = ctx;
    const tsr_gemm *g = x->g;
    int64_t size = tsr_dtype_bytes(g->out_type), each = x->blocks_m * x->blocks_n;
    int64_t batch = chunk / each, row = chunk % each / x->blocks_n * x->rows,
            col = chunk % x->blocks_n * x->cols;
    tsr_gemm_block b = {.batch = batch,
                        .row = row,
                        .rows = g->m - row < x->rows ? g->m - row : x->rows,
                        .col = col,
                        .cols = g->n - col < x->cols ? g->n - col : x->cols,
                        .worker = worker};
    b.stride = x->own ? b.cols : g->c_m;
    b.at = x->own ? x->own + worker * x->own_size
                  : (char *)g->c + (tsr_gemm_c_at(g, batch) + row * g->c_m + col) * size;
    x->p->run(g, batch, row, b.rows, col, b.cols, b.at, b.stride);
    if (g->epilogue)
        g->epilogue(g->ctx, &b);
    tsr_poll();
}

bool tsr_gemm_run_with(const tsr_gemm_provider *p, const tsr_gemm *g)
{
    cut x = {.p = p, .g = g};
    x.cols = g->rows || g->n < COLS ? g->n : COLS;
    x.rows = g->rows && g->n > COLS ? ROWS / 2 : ROWS;
    x.blocks_m = (g->m + x.rows - 1) / x.rows;
    x.blocks_n = (g->n + x.cols - 1) / x.cols;
    if (g->c && g->room)
        return false;
    if (!g->c) {
        x.own_size = x.rows * x.cols * (int64_t)tsr_dtype_bytes(g->out_type);
        x.own = tsr_scratch_new(g->room, x.own_size * tsr_pool_size());
        if (!x.own)
            return false;
    }
    tsr_pool_for(g->batch * x.blocks_m * x.blocks_n, run_one, &x);
    tsr_free(x.own);
    return true;
}
