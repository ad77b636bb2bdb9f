/* SPDX-License-Identifier: Apache-2.0 */
/* fake_lt.c - stands for libcublasLt.so.13: checks what it is given by the library's rules, and computes. Matrices are by
 * columns here, as the library's are. */
#include "fake.h"

#include "device/mock_inner.h"

EXPORT fake_live fake_lt_live;

struct cublasLtContext {
    int one;
};
struct tsr_lt_desc {
    cublasComputeType_t compute;
    cudaDataType_t scale;
    int32_t ops[2], epilogue;
    const void *bias;
    void *aux;
    int64_t aux_line;
};
struct tsr_lt_layout {
    cudaDataType type;
    uint64_t rows, cols;
    int64_t line, matrix;
    int32_t count;
};
struct tsr_lt_preference {
    uint64_t workspace;
    uint32_t order, bytes[4];
};

enum { REFUSED = 7, UNSUPPORTED = 15 };

#define FUNCTION(symbol, ...)                  \
    EXPORT cublasStatus_t symbol(__VA_ARGS__); \
    cublasStatus_t symbol(__VA_ARGS__)

EXPORT size_t cublasLtGetVersion(void);
size_t cublasLtGetVersion(void)
{
    return 130100;
}

EXPORT const char *cublasLtGetStatusString(cublasStatus_t status);
const char *cublasLtGetStatusString(cublasStatus_t status)
{
    return status == UNSUPPORTED ? "not supported" : "invalid value";
}

FUNCTION(cublasLtCreate, cublasLtHandle_t *handle)
{
    CALL(cublasLtCreate);
    *handle = calloc(1, sizeof **handle);
    fake_lt_live.handles++;
    return 0;
}

FUNCTION(cublasLtDestroy, cublasLtHandle_t handle)
{
    CALL(cublasLtDestroy);
    free(handle);
    fake_lt_live.handles--;
    return 0;
}

FUNCTION(cublasLtMatmulDescCreate, cublasLtMatmulDesc_t *out, cublasComputeType_t compute,
         cudaDataType_t scale)
{
    CALL(cublasLtMatmulDescCreate, "%d %d", compute, scale);
    *out = calloc(1, sizeof **out);
    **out = (struct tsr_lt_desc){
        .compute = compute, .scale = scale, .epilogue = CUBLASLT_EPILOGUE_DEFAULT};
    fake_lt_live.descs++;
    return 0;
}

FUNCTION(cublasLtMatmulDescDestroy, cublasLtMatmulDesc_t desc)
{
    free(desc);
    fake_lt_live.descs--;
    return 0;
}

static cublasStatus_t set(void *to, size_t room, const void *value, size_t bytes)
{
    if (room != bytes)
        return REFUSED;
    memcpy(to, value, bytes);
    return 0;
}

FUNCTION(cublasLtMatmulDescSetAttribute, cublasLtMatmulDesc_t d,
         cublasLtMatmulDescAttributes_t attribute, const void *value, size_t bytes)
{
    CALL(cublasLtMatmulDescSetAttribute, "%d %zu", attribute, bytes);
    switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA: return set(&d->ops[0], 4, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB: return set(&d->ops[1], 4, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE: return set(&d->epilogue, 4, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER: return set(&d->bias, 8, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER: return set(&d->aux, 8, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD: return set(&d->aux_line, 8, value, bytes);
    }
    return REFUSED;
}

FUNCTION(cublasLtMatrixLayoutCreate, cublasLtMatrixLayout_t *out, cudaDataType type, uint64_t rows,
         uint64_t cols, int64_t line)
{
    CALL(cublasLtMatrixLayoutCreate, "%d %llux%llu %lld", type, (unsigned long long)rows,
         (unsigned long long)cols, (long long)line);
    if (line < (int64_t)rows || !rows || !cols)
        return REFUSED;
    *out = calloc(1, sizeof **out);
    **out = (struct tsr_lt_layout){type, rows, cols, line, 0, 1};
    fake_lt_live.descs++;
    return 0;
}

FUNCTION(cublasLtMatrixLayoutDestroy, cublasLtMatrixLayout_t layout)
{
    free(layout);
    fake_lt_live.descs--;
    return 0;
}

FUNCTION(cublasLtMatrixLayoutSetAttribute, cublasLtMatrixLayout_t x,
         cublasLtMatrixLayoutAttribute_t attribute, const void *value, size_t bytes)
{
    CALL(cublasLtMatrixLayoutSetAttribute, "%d %zu", attribute, bytes);
    if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT)
        return set(&x->count, 4, value, bytes);
    return attribute == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET
               ? set(&x->matrix, 8, value, bytes)
               : REFUSED;
}

FUNCTION(cublasLtMatmulPreferenceCreate, cublasLtMatmulPreference_t *out)
{
    CALL(cublasLtMatmulPreferenceCreate);
    *out = calloc(1, sizeof **out);
    **out = (struct tsr_lt_preference){0, 7, {256, 256, 256, 256}};
    fake_lt_live.descs++;
    return 0;
}

FUNCTION(cublasLtMatmulPreferenceDestroy, cublasLtMatmulPreference_t preference)
{
    free(preference);
    fake_lt_live.descs--;
    return 0;
}

FUNCTION(cublasLtMatmulPreferenceSetAttribute, cublasLtMatmulPreference_t f,
         cublasLtMatmulPreferenceAttributes_t attribute, const void *value, size_t bytes)
{
    CALL(cublasLtMatmulPreferenceSetAttribute, "%d %zu", attribute, bytes);
    int which = (int)attribute - CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES;
    if (attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES)
        return set(&f->workspace, 8, value, bytes);
    if (attribute == CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK)
        return set(&f->order, 4, value, bytes);
    return which >= 0 && which < 4 ? set(&f->bytes[which], 4, value, bytes) : REFUSED;
}

/* ---- Rules ---- */

static bool type_of(cudaDataType t, tsr_device_type *out)
{
    static const struct {
        cudaDataType theirs;
        tsr_device_type ours;
    } types[] = {{CUDA_R_64F, TSR_DEVICE_F64},        {CUDA_R_32F, TSR_DEVICE_F32},
                 {CUDA_R_16BF, TSR_DEVICE_BF16},      {CUDA_R_16F, TSR_DEVICE_F16},
                 {CUDA_R_8F_E4M3, TSR_DEVICE_F8E4M3}, {CUDA_R_8F_E5M2, TSR_DEVICE_F8E5M2},
                 {CUDA_R_8I, TSR_DEVICE_I8},          {CUDA_R_32I, TSR_DEVICE_I32}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].theirs == t) {
            *out = types[i].ours;
            return true;
        }
    return false;
}

/* D = op(A) op(B): sizes, types, and for 8 bits the one layout that there is. */
static bool fits(cublasLtMatmulDesc_t x, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                 cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d)
{
    bool ta = x->ops[0] == CUBLAS_OP_T, tb = x->ops[1] == CUBLAS_OP_T;
    bool bytes = a->type == CUDA_R_8I || a->type == CUDA_R_8F_E4M3 || a->type == CUDA_R_8F_E5M2;
    uint64_t m = ta ? a->cols : a->rows, k = ta ? a->rows : a->cols, n = tb ? b->rows : b->cols;
    if ((tb ? b->cols : b->rows) != k || d->rows != m || d->cols != n || c->rows != m ||
        c->cols != n || c->type != d->type)
        return false;
    if (a->count != b->count || a->count != c->count || a->count != d->count)
        return false;
    if (bytes && (!ta || tb || m % 4 || k % 4 || a->line % 4 || b->line % 4))
        return false;
    if (x->epilogue & 128 && (x->aux_line % 8 || x->aux_line < (int64_t)m))
        return false;
    return (x->compute == CUBLAS_COMPUTE_64F) == (d->type == CUDA_R_64F) &&
           (x->compute == CUBLAS_COMPUTE_32I) == (d->type == CUDA_R_32I) &&
           (x->epilogue == CUBLASLT_EPILOGUE_DEFAULT || !bytes);
}

/* The first algorithm takes a workspace, the second none; each keeps what it was promised. */
FUNCTION(cublasLtMatmulAlgoGetHeuristic, cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
         cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
         cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t f, int most,
         cublasLtMatmulHeuristicResult_t *results, int *found)
{
    CALL(cublasLtMatmulAlgoGetHeuristic, "%d order %u bytes %u,%u,%u,%u", most, f->order,
         f->bytes[0], f->bytes[1], f->bytes[2], f->bytes[3]);
    *found = 0;
    if (!handle || !fits(desc, a, b, c, d))
        return UNSUPPORTED;
    for (int i = 0; i < 2 && i < most; i++) {
        memset(&results[i], 0, sizeof results[i]);
        results[i].workspaceSize = i == 0 ? 4096 : 0;
        for (int k = 0; k < 4; k++)
            results[i].algo.data[k] = f->bytes[k];
        results[i].algo.data[4] = results[i].workspaceSize;
        ++*found;
    }
    return 0;
}

static tsr_device_matrix matrix(const void *at, cublasLtMatrixLayout_t x, bool transposed)
{
    tsr_device_matrix r = {(void *)(uintptr_t)at, TSR_DEVICE_F32, transposed, x->line, x->matrix};
    type_of(x->type, &r.type);
    return r;
}

static tsr_epilogue epilogue_of(int32_t e)
{
    switch (e) {
    case CUBLASLT_EPILOGUE_BIAS: return TSR_EPILOGUE_BIAS;
    case CUBLASLT_EPILOGUE_GELU: return TSR_EPILOGUE_GELU;
    case CUBLASLT_EPILOGUE_GELU_BIAS: return TSR_EPILOGUE_GELU_BIAS;
    case CUBLASLT_EPILOGUE_GELU_AUX: return TSR_EPILOGUE_GELU_AUX;
    case CUBLASLT_EPILOGUE_GELU_AUX_BIAS: return TSR_EPILOGUE_GELU_AUX_BIAS;
    case CUBLASLT_EPILOGUE_DGELU: return TSR_EPILOGUE_DGELU;
    }
    return TSR_EPILOGUE_NONE;
}

static double number(const void *at, cudaDataType_t scale)
{
    return scale == CUDA_R_64F   ? *(const double *)at
           : scale == CUDA_R_32I ? *(const int32_t *)at
                                 : *(const float *)at;
}

/* The transpose is computed: a matrix by columns is its own transpose by rows. */
FUNCTION(cublasLtMatmul, cublasLtHandle_t handle, cublasLtMatmulDesc_t x, const void *alpha,
         const void *a, cublasLtMatrixLayout_t a_layout, const void *b,
         cublasLtMatrixLayout_t b_layout, const void *beta, const void *c,
         cublasLtMatrixLayout_t c_layout, void *d, cublasLtMatrixLayout_t d_layout,
         const cublasLtMatmulAlgo_t *algorithm, void *workspace, size_t workspace_bytes,
         cudaStream_t stream)
{
    const void *at[4] = {a, b, c, d};
    tsr_epilogue e = epilogue_of(x->epilogue);
    CALL(cublasLtMatmul, "%d %d %d,%d workspace %zu", x->compute, x->epilogue, x->ops[0], x->ops[1],
         workspace_bytes);
    if (!handle || !stream || !fits(x, a_layout, b_layout, c_layout, d_layout) ||
        workspace_bytes < algorithm->data[4] || (workspace_bytes && !workspace))
        return REFUSED;
    for (int i = 0; i < 4; i++)
        if ((uintptr_t)at[i] % algorithm->data[i])
            return REFUSED;
    if ((tsr_epilogue_has_bias(e) && !x->bias) || (tsr_epilogue_has_aux(e) && !x->aux))
        return REFUSED;
    tsr_device_product p = {
        .m = (int64_t)d_layout->cols,
        .n = (int64_t)d_layout->rows,
        .k = (int64_t)(x->ops[0] == CUBLAS_OP_T ? a_layout->rows : a_layout->cols),
        .batch = d_layout->count,
        .a = matrix(b, b_layout, x->ops[1] == CUBLAS_OP_T),
        .b = matrix(a, a_layout, x->ops[0] == CUBLAS_OP_T),
        .add = matrix(c, c_layout, false),
        .out = matrix(d, d_layout, false),
        .fast = x->compute == CUBLAS_COMPUTE_32F_FAST_TF32,
        .alpha = number(alpha, x->scale),
        .beta = number(beta, x->scale),
        .epilogue = e,
        .bias = x->bias,
        .aux = x->aux,
        .aux_line = x->aux_line};
    tsr_mock_product(&p);
    return 0;
}
