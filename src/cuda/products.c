/* SPDX-License-Identifier: Apache-2.0 */
/* products.c - products by cuBLASLt: descriptions that are made once, the library's first algorithm. See cuda.h.
 *
 * An algorithm follows from shapes, types, layouts and the library's version alone, never from addresses, so that results
 * repeat to the bit; of addresses only counts whether vectors of 16 bytes may begin there. Sums that depend on the order
 * in which blocks end are not allowed. */
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "cuda/cuda.h"

enum { CHOICES = 8, KEY = 32, MOST_WORKSPACE = 32 << 20 };

typedef struct {
    int64_t key[KEY];
    cublasLtMatmulDesc_t desc;
    cublasLtMatrixLayout_t a, b, c, d;
    cublasLtMatmulHeuristicResult_t found[CHOICES];
    int nfound;
} plan;

struct tsr_cuda_products {
    cublasLtHandle_t handle;
    plan **plans;
    size_t n, room;
};

tsr_cuda_products *tsr_cuda_products_new(void)
{
    return tsr_calloc(1, sizeof(tsr_cuda_products));
}

static bool says(tsr_cuda_libraries *l, cublasStatus_t status, const char *what, char *error,
                 size_t size)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        snprintf(error, size, "%s: %s", what, l->lt.cublasLtGetStatusString(status));
    return status == CUBLAS_STATUS_SUCCESS;
}

/* ---- Descriptions ---- */

static cudaDataType type_of(tsr_device_type t)
{
    static const cudaDataType types[] = {
        [TSR_DEVICE_F64] = CUDA_R_64F,        [TSR_DEVICE_F32] = CUDA_R_32F,
        [TSR_DEVICE_BF16] = CUDA_R_16BF,      [TSR_DEVICE_F16] = CUDA_R_16F,
        [TSR_DEVICE_F8E4M3] = CUDA_R_8F_E4M3, [TSR_DEVICE_F8E5M2] = CUDA_R_8F_E5M2,
        [TSR_DEVICE_I8] = CUDA_R_8I,          [TSR_DEVICE_I32] = CUDA_R_32I};
    return types[t];
}

static bool has_vectors(const tsr_device_matrix *x)
{
    size_t bytes = tsr_device_type_bytes(x->type);
    return (uintptr_t)x->at % 16 == 0 && (size_t)x->line * bytes % 16 == 0 &&
           (size_t)x->matrix * bytes % 16 == 0;
}

static int64_t *put_matrix(int64_t *to, const tsr_device_matrix *x)
{
    *to++ = (int64_t)x->type | (int64_t)x->transposed << 8 | (int64_t)has_vectors(x) << 9;
    *to++ = x->line;
    *to++ = x->matrix;
    return to;
}

static void make_key(const tsr_device_product *p, int64_t key[KEY])
{
    int64_t *to = key;
    memset(key, 0, KEY * sizeof *key);
    *to++ = p->m, *to++ = p->n, *to++ = p->k, *to++ = p->batch;
    to = put_matrix(to, &p->a);
    to = put_matrix(to, &p->b);
    to = put_matrix(to, &p->out);
    if (p->beta != 0)
        to = put_matrix(to, &p->add);
    *to++ = (int64_t)p->sums | (int64_t)p->fast << 8 | (int64_t)p->epilogue << 16 |
            (int64_t)(p->beta != 0) << 24;
    *to++ = p->aux_line;
}

/* A matrix as the library sees it: by columns. */
static cublasStatus_t make_layout(tsr_cuda_libraries *l, const tsr_device_matrix *x, int64_t rows,
                                  int64_t cols, int64_t batch, cublasLtMatrixLayout_t *out)
{
    int64_t length = x->transposed ? rows : cols, lines = x->transposed ? cols : rows,
            matrix = x->matrix;
    int32_t count = (int32_t)batch;
    cublasStatus_t s = l->lt.cublasLtMatrixLayoutCreate(out, type_of(x->type), (uint64_t)length,
                                                        (uint64_t)lines, x->line);
    if (s == CUBLAS_STATUS_SUCCESS && batch > 1)
        s = l->lt.cublasLtMatrixLayoutSetAttribute(*out, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                                   sizeof count);
    if (s == CUBLAS_STATUS_SUCCESS && batch > 1)
        s = l->lt.cublasLtMatrixLayoutSetAttribute(
            *out, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &matrix, sizeof matrix);
    return s;
}

static int32_t epilogue_of(tsr_epilogue e)
{
    static const int32_t epilogues[] = {[TSR_EPILOGUE_NONE] = CUBLASLT_EPILOGUE_DEFAULT,
                                        [TSR_EPILOGUE_BIAS] = CUBLASLT_EPILOGUE_BIAS,
                                        [TSR_EPILOGUE_GELU] = CUBLASLT_EPILOGUE_GELU,
                                        [TSR_EPILOGUE_GELU_BIAS] = CUBLASLT_EPILOGUE_GELU_BIAS,
                                        [TSR_EPILOGUE_GELU_AUX] = CUBLASLT_EPILOGUE_GELU_AUX,
                                        [TSR_EPILOGUE_GELU_AUX_BIAS] =
                                            CUBLASLT_EPILOGUE_GELU_AUX_BIAS,
                                        [TSR_EPILOGUE_DGELU] = CUBLASLT_EPILOGUE_DGELU};
    return epilogues[e];
}

static bool is_turned(const tsr_device_product *p)
{
    return !p->out.transposed; /* its rows are the library's columns */
}

static cublasStatus_t set(tsr_cuda_libraries *l, const plan *x, int attribute, const void *value,
                          size_t bytes)
{
    return l->lt.cublasLtMatmulDescSetAttribute(x->desc, attribute, value, bytes);
}

static cublasStatus_t make_desc(tsr_cuda_libraries *l, const tsr_device_product *p, plan *x)
{
    bool turned = is_turned(p);
    /* The library's factors: by columns a matrix by rows is its own transpose. */
    bool first = turned ? p->b.transposed : !p->a.transposed;
    bool second = turned ? p->a.transposed : !p->b.transposed;
    int32_t ops[2] = {first ? CUBLAS_OP_T : CUBLAS_OP_N, second ? CUBLAS_OP_T : CUBLAS_OP_N};
    int32_t epilogue = epilogue_of(p->epilogue);
    int64_t line = p->aux_line;
    cublasComputeType_t compute = p->sums == TSR_DEVICE_F64   ? CUBLAS_COMPUTE_64F
                                  : p->sums == TSR_DEVICE_I32 ? CUBLAS_COMPUTE_32I
                                  : p->fast                   ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                              : CUBLAS_COMPUTE_32F;
    cublasStatus_t s = l->lt.cublasLtMatmulDescCreate(&x->desc, compute, type_of(p->sums));
    if (s == CUBLAS_STATUS_SUCCESS)
        s = set(l, x, CUBLASLT_MATMUL_DESC_TRANSA, &ops[0], sizeof *ops);
    if (s == CUBLAS_STATUS_SUCCESS)
        s = set(l, x, CUBLASLT_MATMUL_DESC_TRANSB, &ops[1], sizeof *ops);
    if (s == CUBLAS_STATUS_SUCCESS && p->epilogue != TSR_EPILOGUE_NONE)
        s = set(l, x, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
    if (s == CUBLAS_STATUS_SUCCESS && tsr_epilogue_has_aux(p->epilogue))
        s = set(l, x, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &line, sizeof line);
    return s;
}

/* Where the bias and aux are, this time. */
static cublasStatus_t set_addresses(tsr_cuda_libraries *l, const tsr_device_product *p,
                                    const plan *x)
{
    cublasStatus_t s = CUBLAS_STATUS_SUCCESS;
    if (tsr_epilogue_has_bias(p->epilogue))
        s = set(l, x, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &p->bias, sizeof p->bias);
    if (s == CUBLAS_STATUS_SUCCESS && tsr_epilogue_has_aux(p->epilogue))
        s = set(l, x, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &p->aux, sizeof p->aux);
    return s;
}

static cublasStatus_t make_layouts(tsr_cuda_libraries *l, const tsr_device_product *p, plan *x)
{
    const tsr_device_matrix *add = p->beta != 0 ? &p->add : &p->out;
    bool turned = is_turned(p);
    cublasStatus_t s = make_layout(l, &p->a, p->m, p->k, p->batch, turned ? &x->b : &x->a);
    if (s == CUBLAS_STATUS_SUCCESS)
        s = make_layout(l, &p->b, p->k, p->n, p->batch, turned ? &x->a : &x->b);
    if (s == CUBLAS_STATUS_SUCCESS)
        s = make_layout(l, add, p->m, p->n, p->batch, &x->c);
    if (s == CUBLAS_STATUS_SUCCESS)
        s = make_layout(l, &p->out, p->m, p->n, p->batch, &x->d);
    return s;
}

/* ---- Algorithms ---- */

static uint32_t alignment(const tsr_device_matrix *x)
{
    return has_vectors(x) ? 16 : (uint32_t)tsr_device_type_bytes(x->type);
}

static cublasStatus_t prefer(tsr_cuda_libraries *l, const tsr_device_product *p,
                             cublasLtMatmulPreference_t f)
{
    const tsr_device_matrix *add = p->beta != 0 ? &p->add : &p->out;
    bool turned = is_turned(p);
    uint64_t most = MOST_WORKSPACE;
    uint32_t order = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE | CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE;
    uint32_t bytes[4] = {alignment(turned ? &p->b : &p->a), alignment(turned ? &p->a : &p->b),
                         alignment(add), alignment(&p->out)};
    cublasStatus_t s = l->lt.cublasLtMatmulPreferenceSetAttribute(
        f, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most, sizeof most);
    if (s == CUBLAS_STATUS_SUCCESS)
        s = l->lt.cublasLtMatmulPreferenceSetAttribute(
            f, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &order, sizeof order);
    for (int i = 0; i < 4 && s == CUBLAS_STATUS_SUCCESS; i++)
        s = l->lt.cublasLtMatmulPreferenceSetAttribute(
            f, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES + i, &bytes[i], sizeof *bytes);
    return s;
}

static cublasStatus_t ask(tsr_cuda_products *c, tsr_cuda_libraries *l, const tsr_device_product *p,
                          plan *x)
{
    cublasLtMatmulPreference_t f = NULL;
    cublasStatus_t s = l->lt.cublasLtMatmulPreferenceCreate(&f);
    if (s == CUBLAS_STATUS_SUCCESS)
        s = prefer(l, p, f);
    if (s == CUBLAS_STATUS_SUCCESS)
        s = l->lt.cublasLtMatmulAlgoGetHeuristic(c->handle, x->desc, x->a, x->b, x->c, x->d, f,
                                                 CHOICES, x->found, &x->nfound);
    if (f)
        l->lt.cublasLtMatmulPreferenceDestroy(f);
    return s;
}

static void plan_free(plan *x, tsr_cuda_libraries *l)
{
    cublasLtMatrixLayout_t layouts[4] = {x->a, x->b, x->c, x->d};
    for (int i = 0; i < 4; i++)
        if (layouts[i])
            l->lt.cublasLtMatrixLayoutDestroy(layouts[i]);
    if (x->desc)
        l->lt.cublasLtMatmulDescDestroy(x->desc);
    tsr_free(x);
}

static bool start(tsr_cuda_products *c, tsr_cuda_libraries *l, char *error, size_t size)
{
    if (!tsr_cuda_wait_lt(l)) {
        snprintf(error, size, "%s", l->lt_file.why);
        return false;
    }
    return c->handle || says(l, l->lt.cublasLtCreate(&c->handle), "cuBLASLt", error, size);
}

static bool keep(tsr_cuda_products *c, plan *x)
{
    if (c->n == c->room) {
        size_t room = 2 * c->room + 32;
        plan **more = tsr_realloc(c->plans, room * sizeof *more);
        if (!more)
            return false;
        c->plans = more;
        c->room = room;
    }
    c->plans[c->n++] = x;
    return true;
}

static plan *plan_of(tsr_cuda_products *c, tsr_cuda_libraries *l, const tsr_device_product *p,
                     char *error, size_t size)
{
    int64_t key[KEY];
    make_key(p, key);
    for (size_t i = 0; i < c->n; i++)
        if (memcmp(c->plans[i]->key, key, sizeof key) == 0)
            return c->plans[i];
    if (!start(c, l, error, size))
        return NULL;
    plan *x = tsr_calloc(1, sizeof *x);
    if (!x) {
        snprintf(error, size, "no memory for the description of a product");
        return NULL;
    }
    memcpy(x->key, key, sizeof key);
    bool ok = says(l, make_desc(l, p, x), "cuBLASLt", error, size) &&
              says(l, make_layouts(l, p, x), "cuBLASLt", error, size);
    ok = ok && says(l, set_addresses(l, p, x), "cuBLASLt", error, size) &&
         says(l, ask(c, l, p, x), "cuBLASLt has no algorithm for a product", error, size);
    if (ok && x->nfound > 0 && keep(c, x))
        return x;
    if (ok)
        snprintf(error, size, "cuBLASLt has no algorithm for a product of %lldx%lldx%lld",
                 (long long)p->m, (long long)p->n, (long long)p->k);
    plan_free(x, l);
    return NULL;
}

/* ---- The interface ---- */

bool tsr_cuda_has_product(tsr_cuda_products *c, tsr_cuda_libraries *l, const tsr_device_product *p,
                          size_t *workspace, char *error, size_t size)
{
    const char *why = tsr_product_refused(p);
    if (why) {
        snprintf(error, size, "%s", why);
        return false;
    }
    plan *x = plan_of(c, l, p, error, size);
    if (x)
        *workspace = x->found[p->choice % (uint32_t)x->nfound].workspaceSize;
    return x != NULL;
}

/* The algorithm that is chosen, or the next one that does with the workspace there is. */
static const cublasLtMatmulHeuristicResult_t *fitting(const plan *x, const tsr_device_product *p)
{
    for (uint32_t i = 0; i < (uint32_t)x->nfound; i++) {
        const cublasLtMatmulHeuristicResult_t *r = &x->found[(p->choice + i) % (uint32_t)x->nfound];
        if (r->workspaceSize <= p->workspace_bytes)
            return r;
    }
    return NULL;
}

/* alpha or beta, in the type that the library takes it. */
typedef union {
    float f32;
    double f64;
    int32_t i32;
} scale;

static scale scale_of(tsr_device_type sums, double v)
{
    scale s = {.f64 = v};
    if (sums == TSR_DEVICE_F32)
        s.f32 = (float)v;
    else if (sums == TSR_DEVICE_I32)
        s.i32 = (int32_t)v;
    return s;
}

bool tsr_cuda_product(tsr_cuda_products *c, tsr_cuda_libraries *l, const tsr_device_product *p,
                      CUstream stream, char *error, size_t size)
{
    size_t needs;
    if (!tsr_cuda_has_product(c, l, p, &needs, error, size))
        return false;
    plan *x = plan_of(c, l, p, error, size);
    const cublasLtMatmulHeuristicResult_t *use = fitting(x, p);
    if (!use) {
        snprintf(error, size, "a product needs a workspace of %zu bytes, and gets %zu", needs,
                 p->workspace_bytes);
        return false;
    }
    if ((tsr_epilogue_has_bias(p->epilogue) && !p->bias) ||
        (tsr_epilogue_has_aux(p->epilogue) && !p->aux)) {
        snprintf(error, size, "an epilogue's bias or aux is missing");
        return false;
    }
    bool turned = is_turned(p);
    const void *first = turned ? p->b.at : p->a.at, *second = turned ? p->a.at : p->b.at;
    scale alpha = scale_of(p->sums, p->alpha), beta = scale_of(p->sums, p->beta);
    cublasStatus_t s = set_addresses(l, p, x);
    if (s == CUBLAS_STATUS_SUCCESS)
        s = l->lt.cublasLtMatmul(c->handle, x->desc, &alpha, first, x->a, second, x->b, &beta,
                                 p->beta != 0 ? p->add.at : p->out.at, x->c, p->out.at, x->d,
                                 &use->algo, p->workspace, p->workspace_bytes, stream);
    return says(l, s, "a product", error, size);
}

void tsr_cuda_products_free(tsr_cuda_products *c, tsr_cuda_libraries *l)
{
    for (size_t i = 0; c && i < c->n; i++)
        plan_free(c->plans[i], l);
    if (c && c->handle)
        l->lt.cublasLtDestroy(c->handle);
    if (c)
        tsr_free(c->plans);
    tsr_free(c);
}
