/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_calls.c - what bench/gpu.py measures programs by: CUDA's own start, and products by cuBLASLt called directly.
 *
 *   gpu_calls start                       one line of JSON: the seconds of cuInit and of the first context
 *   gpu_calls products                    reads lines 'NAME TYPE OUT M N K BATCH TA TB' and answers each with a line of JSON: the
 *                                         seconds of the library's first algorithm, and of the best of its first eight
 *
 * Y (M x N) = op(A) op(B) by rows; TA: A is stored K x M, TB: B is stored N x K. Types: bf16, f16, f32, tf32. The calls are
 * those of a plain program, without the plug-in's own choices; numbers are random, times are medians of seven. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda/cuda.h"

enum { ROUNDS = 7, CHOICES = 8, WORKSPACE = 32 << 20 };

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "gpu_calls: %s: %s\n", what, why);
    exit(1);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times)
{
    qsort(times, ROUNDS, sizeof *times, by_size);
    return times[ROUNDS / 2];
}

typedef struct {
    tsr_cuda_libraries l;
    cublasLtHandle_t lt;
    CUstream stream;
    CUevent begin, end;
    CUdeviceptr a, b, y, workspace;
    size_t room; /* bytes of a, of b and of y */
} card;

static void must(const card *c, CUresult r, const char *what)
{
    const char *why = "failed";
    if (r != CUDA_SUCCESS)
        c->l.driver.cuGetErrorString(r, &why);
    if (r != CUDA_SUCCESS)
        fail(what, why);
}

#define MUST(c, call) must(c, (c)->l.driver.call, #call)

static void start(card *c)
{
    char why[700];
    CUdevice d;
    CUcontext context;
    if (!tsr_cuda_load(&c->l, why, sizeof why))
        fail("CUDA", why);
    if (!tsr_cuda_wait_lt(&c->l))
        fail("cuBLASLt", c->l.lt_file.why);
    MUST(c, cuInit(0));
    MUST(c, cuDeviceGet(&d, 0));
    MUST(c, cuDevicePrimaryCtxRetain(&context, d));
    MUST(c, cuCtxSetCurrent(context));
    MUST(c, cuStreamCreate(&c->stream, CU_STREAM_NON_BLOCKING));
    MUST(c, cuEventCreate(&c->begin, 0));
    MUST(c, cuEventCreate(&c->end, 0));
    MUST(c, cuMemAlloc(&c->workspace, WORKSPACE));
    if (c->l.lt.cublasLtCreate(&c->lt) != CUBLAS_STATUS_SUCCESS)
        fail("cuBLASLt", "no handle");
}

/* bf16, f16 and f32 all take these bits for numbers between 1/8 and 8, of either sign. */
static void fill(card *c, CUdeviceptr at, size_t bytes)
{
    enum { PIECE = 16 << 20 };
    static uint16_t *numbers;
    uint64_t state = 88172645463325252u;
    if (!numbers)
        numbers = malloc(PIECE);
    for (size_t i = 0; numbers && i < PIECE / 2; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        numbers[i] = (uint16_t)((state & 0x81ff) | 0x3e00);
    }
    for (size_t done = 0; numbers && done < bytes; done += PIECE)
        MUST(c, cuMemcpyHtoDAsync(at + done, numbers, bytes - done < PIECE ? bytes - done : PIECE,
                                  c->stream));
    MUST(c, cuStreamSynchronize(c->stream));
}

static void reserve(card *c, size_t bytes)
{
    CUdeviceptr *all[] = {&c->a, &c->b, &c->y};
    if (bytes <= c->room)
        return;
    for (int i = 0; i < 3; i++) {
        if (*all[i])
            MUST(c, cuMemFree(*all[i]));
        MUST(c, cuMemAlloc(all[i], bytes));
        fill(c, *all[i], bytes);
    }
    c->room = bytes;
}

typedef struct {
    char name[64];
    cudaDataType type, out;
    cublasComputeType_t sums;
    long long m, n, k, batch;
    int ta, tb;
} product;

static bool read_product(const char *line, product *p)
{
    static const struct {
        const char *name;
        cudaDataType type;
        cublasComputeType_t sums;
    } types[] = {{"bf16", CUDA_R_16BF, CUBLAS_COMPUTE_32F},
                 {"f16", CUDA_R_16F, CUBLAS_COMPUTE_32F},
                 {"f32", CUDA_R_32F, CUBLAS_COMPUTE_32F},
                 {"tf32", CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32}};
    char type[8], out[8];
    int found = 0;
    if (sscanf(line, "%63s %7s %7s %lld %lld %lld %lld %d %d", p->name, type, out, &p->m, &p->n,
               &p->k, &p->batch, &p->ta, &p->tb) != 9)
        return false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(type, types[i].name) == 0)
            p->type = types[i].type, p->sums = types[i].sums, found |= 1;
        if (strcmp(out, types[i].name) == 0)
            p->out = types[i].type, found |= 2;
    }
    return found == 3 && p->m > 0 && p->n > 0 && p->k > 0 && p->batch > 0;
}

/* What the library gets: by columns, so that Y's rows are its columns and B is its first factor. */
typedef struct {
    cublasLtMatmulDesc_t desc;
    cublasLtMatrixLayout_t first, second, out;
    cublasLtMatmulHeuristicResult_t found[CHOICES];
    int n;
} call;

static cublasStatus_t layout(card *c, const product *p, cudaDataType type, int64_t rows,
                             int64_t lines, cublasLtMatrixLayout_t *out)
{
    int64_t matrix = rows * lines;
    int32_t count = (int32_t)p->batch;
    cublasStatus_t s =
        c->l.lt.cublasLtMatrixLayoutCreate(out, type, (uint64_t)rows, (uint64_t)lines, rows);
    if (!s && p->batch > 1)
        s = c->l.lt.cublasLtMatrixLayoutSetAttribute(*out, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
                                                     &count, sizeof count);
    if (!s && p->batch > 1)
        s = c->l.lt.cublasLtMatrixLayoutSetAttribute(
            *out, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &matrix, sizeof matrix);
    return s;
}

static cublasStatus_t describe(card *c, const product *p, call *x)
{
    tsr_cuda_lt *lt = &c->l.lt;
    int32_t first = p->tb ? CUBLAS_OP_T : CUBLAS_OP_N, second = p->ta ? CUBLAS_OP_T : CUBLAS_OP_N;
    uint64_t most = WORKSPACE;
    cublasLtMatmulPreference_t f = NULL;
    cublasStatus_t s = lt->cublasLtMatmulDescCreate(&x->desc, p->sums, CUDA_R_32F);
    if (!s)
        s = lt->cublasLtMatmulDescSetAttribute(x->desc, CUBLASLT_MATMUL_DESC_TRANSA, &first,
                                               sizeof first);
    if (!s)
        s = lt->cublasLtMatmulDescSetAttribute(x->desc, CUBLASLT_MATMUL_DESC_TRANSB, &second,
                                               sizeof second);
    if (!s)
        s = layout(c, p, p->type, p->tb ? p->k : p->n, p->tb ? p->n : p->k, &x->first);
    if (!s)
        s = layout(c, p, p->type, p->ta ? p->m : p->k, p->ta ? p->k : p->m, &x->second);
    if (!s)
        s = layout(c, p, p->out, p->n, p->m, &x->out);
    if (!s)
        s = lt->cublasLtMatmulPreferenceCreate(&f);
    if (!s)
        s = lt->cublasLtMatmulPreferenceSetAttribute(f, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                     &most, sizeof most);
    if (!s)
        s = lt->cublasLtMatmulAlgoGetHeuristic(c->lt, x->desc, x->first, x->second, x->out, x->out,
                                               f, CHOICES, x->found, &x->n);
    if (f)
        lt->cublasLtMatmulPreferenceDestroy(f);
    return s;
}

static double seconds_of(card *c, const call *x, int choice, int inner)
{
    double times[ROUNDS];
    float one = 1, zero = 0, ms;
    for (int r = -1; r < ROUNDS; r++) {
        MUST(c, cuEventRecord(c->begin, c->stream));
        for (int i = 0; i < inner; i++)
            if (c->l.lt.cublasLtMatmul(c->lt, x->desc, &one, (void *)(uintptr_t)c->b, x->first,
                                       (void *)(uintptr_t)c->a, x->second, &zero,
                                       (void *)(uintptr_t)c->y, x->out, (void *)(uintptr_t)c->y,
                                       x->out, &x->found[choice].algo,
                                       (void *)(uintptr_t)c->workspace, WORKSPACE, c->stream))
                return 0;
        MUST(c, cuEventRecord(c->end, c->stream));
        MUST(c, cuEventSynchronize(c->end));
        MUST(c, cuEventElapsedTime(&ms, c->begin, c->end));
        if (r >= 0)
            times[r] = ms * 1e-3 / inner;
    }
    return median(times);
}

static void answer(card *c, const product *p)
{
    call x = {0};
    size_t most =
        (size_t)p->batch * (size_t)(p->m * p->k > p->k * p->n ? p->m * p->k : p->k * p->n);
    if (most < (size_t)(p->batch * p->m * p->n))
        most = (size_t)(p->batch * p->m * p->n);
    reserve(c, most * 4);
    cublasStatus_t s = describe(c, p, &x);
    double flops = 2. * (double)p->m * (double)p->n * (double)p->k * (double)p->batch, first = 0,
           best = 0;
    for (int i = 0; !s && i < x.n; i++) {
        double t = seconds_of(c, &x, i, flops > 1e12 ? 3 : 20);
        if (i == 0)
            first = t;
        if (t > 0 && (best == 0 || t < best))
            best = t;
    }
    printf("{\"name\": \"%s\", \"flops\": %.9g, \"first\": %.9g, \"best\": %.9g, \"status\": %d}\n",
           p->name, flops, first, best, s);
    fflush(stdout);
    cublasLtMatrixLayout_t layouts[3] = {x.first, x.second, x.out};
    for (int i = 0; i < 3; i++)
        if (layouts[i])
            c->l.lt.cublasLtMatrixLayoutDestroy(layouts[i]);
    if (x.desc)
        c->l.lt.cublasLtMatmulDescDestroy(x.desc);
}

static int products(void)
{
    card c = {0};
    char line[256];
    product p;
    start(&c);
    while (fgets(line, sizeof line, stdin)) {
        memset(&p, 0, sizeof p);
        if (!read_product(line, &p))
            fail("no product", line);
        answer(&c, &p);
    }
    return 0;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int begin_cuda(void)
{
    card c = {0};
    char why[700];
    CUdevice d;
    CUcontext context;
    if (!tsr_cuda_load(&c.l, why, sizeof why))
        fail("CUDA", why);
    tsr_cuda_wait_rtc(&c.l); /* nothing else takes the processor's time */
    tsr_cuda_wait_lt(&c.l);
    double start = now();
    MUST(&c, cuInit(0));
    double ready = now();
    MUST(&c, cuDeviceGet(&d, 0));
    MUST(&c, cuDevicePrimaryCtxRetain(&context, d));
    printf("{\"cuInit\": %.6g, \"context\": %.6g}\n", ready - start, now() - ready);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "start") == 0)
        return begin_cuda();
    if (argc == 2 && strcmp(argv[1], "products") == 0)
        return products();
    fprintf(stderr, "usage: gpu_calls start | gpu_calls products\n");
    return 2;
}
