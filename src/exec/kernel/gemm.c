/* gemm.c - matrix products. See gemm.h. */
#include "exec/kernel/gemm.h"

#include "base/threads.h"
#include "exec/kernel/tile.h"

static bool is_plain_int(tsr_dtype d)
{
    return tsr_dtype_is_int(d) && tsr_dtype_bits(d) >= 8;
}

static bool is_plain_float(tsr_dtype d)
{
    return d == TSR_D_F32 || d == TSR_D_F64 || d == TSR_D_BF16 || d == TSR_D_F16;
}

bool tsr_gemm_has(tsr_dtype type, tsr_dtype out_type)
{
    if (is_plain_int(type))
        return is_plain_int(out_type);
    return is_plain_float(type) && is_plain_float(out_type) &&
           (type != TSR_D_F64 || out_type == TSR_D_F64);
}

tsr_dtype tsr_gemm_sum_type(tsr_dtype type, tsr_dtype out_type)
{
    if (tsr_dtype_is_int(type))
        return tsr_dtype_bytes(out_type) > 4 ? TSR_D_I64 : TSR_D_I32;
    return type == TSR_D_F64 || out_type == TSR_D_F64 ? TSR_D_F64 : TSR_D_F32;
}

/* ---- One block of rows at a time ---- */

enum { ROWS = 16 };

typedef struct {
    const tsr_gemm *g;
    tsr_dtype sum;
    int64_t blocks; /* of rows, in one of the batch */
    atomic_bool failed;
} plain;

static void gather(const tsr_gemm *g, tsr_dtype sum, const char *from, int64_t step, int64_t n,
                   void *line, void *out)
{
    size_t size = tsr_dtype_bytes(g->type);
    for (int64_t i = 0; i < n; i++)
        memcpy((char *)line + (size_t)i * size, from + (i * step) * (int64_t)size, size);
    const void *in[1] = {line};
    tsr_tile_convert(sum, g->type)(out, in, (size_t)n);
}

#define ADD(type)                                                   \
    do {                                                            \
        const type *a_ = a, *b_ = b;                                \
        for (int64_t r_ = 0; r_ < rows; r_++)                       \
            for (int64_t j_ = 0; j_ < n; j_++)                      \
                ((type *)acc)[r_ * stride + j_] += a_[r_] * b_[j_]; \
    } while (0)

static void add_products(tsr_dtype sum, void *acc, int64_t stride, const void *a, const void *b,
                         int64_t rows, int64_t n)
{
    switch (sum) {
    case TSR_D_F32: ADD(float); return;
    case TSR_D_F64: ADD(double); return;
    case TSR_D_I32: ADD(uint32_t); return;
    default: ADD(uint64_t);
    }
}

static void run_rows(void *ctx, int64_t chunk, int worker)
{
    plain *p = ctx;
    const tsr_gemm *g = p->g;
    (void)worker;
    int64_t batch = chunk / p->blocks, row = chunk % p->blocks * ROWS;
    int64_t rows = g->m - row < ROWS ? g->m - row : ROWS;
    int64_t in_size = tsr_dtype_bytes(g->type), size = tsr_dtype_bytes(p->sum),
            out_size = tsr_dtype_bytes(g->out_type);
    bool direct = p->sum == g->out_type;
    int64_t line = (g->n > ROWS ? g->n : ROWS) * 8;
    char *scratch = tsr_malloc_aligned((size_t)(4 * line + (direct ? 0 : ROWS * g->n * size)));
    if (!scratch) {
        atomic_store(&p->failed, true);
        return;
    }
    char *c = (char *)g->c + (batch * g->c_batch + row * g->c_m) * out_size;
    char *acc = direct ? c : scratch + 4 * line;
    int64_t stride = direct ? g->c_m : g->n;
    for (int64_t r = 0; r < rows; r++)
        memset(acc + r * stride * size, 0, (size_t)(g->n * size));
    const char *a = (const char *)g->a + (batch * g->a_batch + row * g->a_m) * in_size;
    const char *b = (const char *)g->b + batch * g->b_batch * in_size;
    for (int64_t k = 0; k < g->k; k++) {
        gather(g, p->sum, a + k * g->a_k * in_size, g->a_m, rows, scratch, scratch + line);
        gather(g, p->sum, b + k * g->b_k * in_size, g->b_n, g->n, scratch, scratch + 2 * line);
        add_products(p->sum, acc, stride, scratch + line, scratch + 2 * line, rows, g->n);
    }
    if (g->epilogue)
        g->epilogue(g->ctx, batch, row, rows, 0, g->n, acc, stride);
    for (int64_t r = 0; !direct && r < rows; r++) {
        const void *in[1] = {acc + r * stride * size};
        tsr_tile_convert(g->out_type, p->sum)(c + r * g->c_m * out_size, in, (size_t)g->n);
    }
    tsr_free(scratch);
}

bool tsr_gemm_run(const tsr_gemm *g)
{
    if (g->m <= 0 || g->n <= 0 || g->batch <= 0)
        return true;
    plain p = {
        .g = g, .sum = tsr_gemm_sum_type(g->type, g->out_type), .blocks = (g->m + ROWS - 1) / ROWS};
    atomic_init(&p.failed, false);
    tsr_pool_for(p.blocks * g->batch, run_rows, &p);
    return !atomic_load(&p.failed);
}
