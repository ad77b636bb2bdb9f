/* SPDX-License-Identifier: Apache-2.0 */
/* multiply.c - products by kernels of our own, for what the device's library does not have: any strides, batches and types,
 * windows of padded images. A block computes a tile of the result, by steps of the depth in shared memory; each sum is added
 * in order, so that bits repeat.
 *
 * In products that are direct each column has factors of its own: a thread computes one sum. */
#include "gpu/product.h"

#include "exec/batch.h"

enum { SIDE = 16, STEPS = 16, EACH = 4, MOST_BATCH = TSR_BATCH_RANK };

/* ---- Types ---- */

static const char *sum_type(tsr_dtype sum)
{
    return sum == TSR_D_F32   ? "float"
           : sum == TSR_D_F64 ? "double"
           : sum == TSR_D_I64 ? "uint64_t"
                              : "uint32_t";
}

static bool is_narrow(tsr_dtype d)
{
    return d == TSR_D_F16 || d == TSR_D_BF16;
}

/* Elements in memory. */
static const char *cell(tsr_dtype d)
{
    return d == TSR_D_F8E4M3FN ? "uint8_t" : tsr_text_type(d);
}

/* An expression for an element of a factor as a sum's type; integers wrap. */
static const char *factor(tsr_gpu_writer *w, tsr_dtype type, tsr_dtype sum, const char *x)
{
    if (type == TSR_D_F8E4M3FN)
        x = tsr_text_of(&w->text, "tsr_f32_of_f8e4m3fn(%s)", x);
    else if (is_narrow(type))
        x = tsr_text_of(&w->text, "tsr_f32_of_%s(%s)", tsr_dtype_name(type), x);
    return tsr_text_of(&w->text, "(%s)%s", sum_type(sum), x);
}

static const char *rounded(tsr_gpu_writer *w, tsr_dtype type, const char *x)
{
    return is_narrow(type) ? tsr_text_of(&w->text, "tsr_%s_of_f32(%s)", tsr_dtype_name(type), x)
                           : tsr_text_of(&w->text, "(%s)%s", tsr_text_type(type), x);
}

static const char *added(tsr_dtype sum)
{
    return sum == TSR_D_F32   ? "fmaf(x, y, sum)"
           : sum == TSR_D_F64 ? "fma(x, y, sum)"
                              : "x * y + sum";
}

/* ---- Places ---- */

/* Writes the offset in memory of an element of a padded image, -1 where it is padding. */
static void write_padded(tsr_gpu_writer *w, const char *name, const tsr_grid_pad *p)
{
    tsr_gpu_line(w, "TSR_FN int64_t %s_padded(int64_t at)", name);
    tsr_gpu_line(w, "{");
    w->depth++;
    tsr_gpu_line(w, "int64_t row = at / %lld, place = %lld + at %% %lld - %lld, i;",
                 (long long)p->row, (long long)p->skip, (long long)p->row, (long long)p->before);
    tsr_gpu_line(w, "int in = at %% %lld >= %lld && at %% %lld < %lld;", (long long)p->row,
                 (long long)p->before, (long long)p->row, (long long)p->before + p->count);
    for (int d = p->rank; d-- > 0;) {
        tsr_gpu_line(w, "i = row %% %lld - %lld;", (long long)p->dims[d], (long long)p->low[d]);
        tsr_gpu_line(w, "row /= %lld;", (long long)p->dims[d]);
        tsr_gpu_line(w, "in &= i >= 0 && i < %lld;", (long long)p->sizes[d]);
        tsr_gpu_line(w, "place += i * %lld;", (long long)p->strides[d]);
    }
    tsr_gpu_line(w, "(void)row, (void)i;");
    tsr_gpu_line(w, "return in ? place : -1;");
    w->depth--;
    tsr_gpu_line(w, "}");
}

/* Writes name_at(from, line, step): an element of a side from its matrix on, as a sum's type. own: an expression, added to
 * all offsets. */
static void write_side(tsr_gpu_writer *w, const tsr_contract *c, int side, tsr_dtype sum)
{
    const tsr_contract_side *s = &c->side[side];
    const char *name = side ? "b" : "a", *type = cell((tsr_dtype)c->type);
    const tsr_grid_pad *pad = s->grid ? s->grid->pad : NULL;
    const char *lines = tsr_text_of(&w->text, "(int64_t)line * %lld", (long long)s->rest_stride),
               *steps =
                   tsr_text_of(&w->text, "(int64_t)step * %lld", (long long)s->contract_stride);
    if (s->grid) {
        const tsr_xview *v = &s->grid->lines, *u = &s->grid->steps;
        tsr_gpu_write_offset(w, side ? "b_line" : "a_line", v->space.rank, v->space.dims,
                             v->strides);
        tsr_gpu_write_offset(w, side ? "b_step" : "a_step", u->space.rank, u->space.dims,
                             u->strides);
        lines = tsr_text_of(&w->text, "(int64_t)%s_line(line)", name);
        steps = tsr_text_of(&w->text, "(int64_t)%s_step(step)", name);
    }
    if (pad)
        write_padded(w, name, pad);
    tsr_gpu_line(w, "TSR_FN %s %s_at(const %s *from, int64_t first, uint64_t line, uint64_t step)",
                 sum_type(sum), name, type);
    tsr_gpu_line(w, "{");
    tsr_gpu_line(w, "    const int64_t at = %s(first + %s + %s);",
                 pad ? tsr_text_of(&w->text, "%s_padded", name) : "", lines, steps);
    tsr_gpu_line(w, pad ? "    return at < 0 ? 0 : %s;" : "    return %s;",
                 factor(w, (tsr_dtype)c->type, sum, "from[at]"));
    tsr_gpu_line(w, "}");
}

/* Writes where matrix number i of a side, or of the result, begins. */
static void write_matrix(tsr_gpu_writer *w, const tsr_batch_dim *dims, int rank, int of)
{
    int64_t size[MOST_BATCH], stride[MOST_BATCH];
    static const char *const names[] = {"a_matrix", "b_matrix", "to_matrix"};
    for (int i = 0; i < rank; i++) {
        size[i] = dims[i].size;
        stride[i] = dims[i].stride[of];
    }
    tsr_gpu_write_offset(w, names[of], rank, size, stride);
}

/* ---- Tiles ---- */

typedef struct {
    const tsr_contract *c;
    tsr_dtype sum;
    int64_t m, n, k;
    int rows, cols; /* sums of a thread */
} product;

/* Whether neighbouring threads read steps of a side, rather than lines. */
static bool reads_steps(const tsr_contract_side *s)
{
    int64_t step = s->grid ? tsr_grid_stride(&s->grid->steps) : s->contract_stride;
    return step == 1;
}

static void write_reads(tsr_gpu_writer *w, const product *p, int side)
{
    const char *name = side ? "b" : "a";
    int lines = SIDE * (side ? p->cols : p->rows);
    bool steps = reads_steps(&p->c->side[side]);
    tsr_gpu_line(w, "for (uint32_t u = TSR_THREAD; u < %d; u += %d) {", lines * STEPS,
                 TSR_GPU_THREADS);
    w->depth++;
    tsr_gpu_line(w,
                 steps ? "const uint32_t step = u %% %d, line = u / %d;"
                       : "const uint32_t line = u %% %d, step = u / %d;",
                 steps ? STEPS : lines, steps ? STEPS : lines);
    tsr_gpu_line(w, "tile_%s[step * %d + line] = first_%s + line < %lldu && k + step < %lldu", name,
                 lines + 1, name, (long long)(side ? p->n : p->m), (long long)p->k);
    tsr_gpu_line(w, "    ? %s_at(%s, matrix_%s, first_%s + line, k + step) : 0;", name, name, name,
                 name);
    w->depth--;
    tsr_gpu_line(w, "}");
}

static void write_sums(tsr_gpu_writer *w, const product *p)
{
    const char *type = sum_type(p->sum);
    tsr_gpu_line(w, "TSR_UNROLL");
    tsr_gpu_line(w, "for (uint32_t step = 0; step < %d; step++) {", STEPS);
    w->depth++;
    tsr_gpu_line(w, "%s xs[%d], ys[%d];", type, p->rows, p->cols);
    tsr_gpu_line(w, "TSR_UNROLL");
    tsr_gpu_line(w, "for (uint32_t i = 0; i < %d; i++)", p->rows);
    tsr_gpu_line(w, "    xs[i] = tile_a[step * %d + row + i * %d];", SIDE * p->rows + 1, SIDE);
    tsr_gpu_line(w, "TSR_UNROLL");
    tsr_gpu_line(w, "for (uint32_t j = 0; j < %d; j++)", p->cols);
    tsr_gpu_line(w, "    ys[j] = tile_b[step * %d + col + j * %d];", SIDE * p->cols + 1, SIDE);
    tsr_gpu_line(w, "TSR_UNROLL");
    tsr_gpu_line(w, "for (uint32_t i = 0; i < %d; i++)", p->rows);
    tsr_gpu_line(w, "    TSR_UNROLL");
    tsr_gpu_line(w, "    for (uint32_t j = 0; j < %d; j++) {", p->cols);
    tsr_gpu_line(w, "        const %s x = xs[i], y = ys[j], sum = sums[i][j];", type);
    tsr_gpu_line(w, "        sums[i][j] = %s;", added(p->sum));
    tsr_gpu_line(w, "    }");
    w->depth--;
    tsr_gpu_line(w, "}");
}

static void write_results(tsr_gpu_writer *w, const product *p)
{
    tsr_dtype to = (tsr_dtype)p->c->to;
    tsr_gpu_line(w, "TSR_UNROLL");
    tsr_gpu_line(w, "for (uint32_t i = 0; i < %d; i++)", p->rows);
    tsr_gpu_line(w, "    TSR_UNROLL");
    tsr_gpu_line(w, "    for (uint32_t j = 0; j < %d; j++) {", p->cols);
    w->depth += 2;
    tsr_gpu_line(w, "const uint64_t r = first_a + row + i * %d, s = first_b + col + j * %d;", SIDE,
                 SIDE);
    tsr_gpu_line(w, "if (r < %lldu && s < %lldu)", (long long)p->m, (long long)p->n);
    tsr_gpu_line(w, "    to[r * %lld + s] = %s;", (long long)p->c->to_row,
                 rounded(w, to, "sums[i][j]"));
    w->depth -= 2;
    tsr_gpu_line(w, "    }");
}

/* Words: a, b, to. */
static int64_t write_tiles(tsr_gpu_writer *w, const product *p)
{
    const char *type = sum_type(p->sum), *of = cell((tsr_dtype)p->c->type),
               *to = tsr_text_type((tsr_dtype)p->c->to);
    int64_t rows = SIDE * p->rows, cols = SIDE * p->cols, na = (p->m + rows - 1) / rows,
            nb = (p->n + cols - 1) / cols;
    tsr_gpu_line(w, "TSR_KERNEL_OF(run, 3, %d, 1)", TSR_GPU_THREADS);
    tsr_gpu_line(w, "{");
    w->depth++;
    tsr_gpu_line(w, "TSR_SHARED(%s, tile_a, %lld);", type, (long long)STEPS * (rows + 1));
    tsr_gpu_line(w, "TSR_SHARED(%s, tile_b, %lld);", type, (long long)STEPS * (cols + 1));
    tsr_gpu_line(w, "const uint32_t matrix = TSR_BLOCK(0) / %lldu;", (long long)na * nb);
    tsr_gpu_line(w, "const uint64_t first_b = TSR_BLOCK(0) %% %lldu * (uint64_t)%lld;",
                 (long long)nb, (long long)cols);
    tsr_gpu_line(w, "const uint64_t first_a = TSR_BLOCK(0) / %lldu %% %lldu * (uint64_t)%lld;",
                 (long long)nb, (long long)na, (long long)rows);
    tsr_gpu_line(w, "const uint32_t row = TSR_THREAD / %d, col = TSR_THREAD %% %d;", SIDE, SIDE);
    tsr_gpu_line(w, "const int64_t matrix_a = a_matrix(matrix), matrix_b = b_matrix(matrix);");
    tsr_gpu_line(w, "const %s *a = TSR_POINTER(const %s, 0), *b = TSR_POINTER(const %s, 1);", of,
                 of, of);
    tsr_gpu_line(w, "%s *to = TSR_POINTER(%s, 2) + to_matrix(matrix);", to, to);
    tsr_gpu_line(w, "%s sums[%d][%d];", type, p->rows, p->cols);
    tsr_gpu_line(w, "memset(sums, 0, sizeof sums);");
    tsr_gpu_line(w, "for (uint64_t k = 0; k < %lldu; k += %d) {", (long long)p->k, STEPS);
    w->depth++;
    write_reads(w, p, 0);
    write_reads(w, p, 1);
    tsr_gpu_line(w, "TSR_BARRIER();");
    write_sums(w, p);
    tsr_gpu_line(w, "TSR_BARRIER();");
    w->depth--;
    tsr_gpu_line(w, "}");
    write_results(w, p);
    w->depth--;
    tsr_gpu_line(w, "}");
    return na * nb * p->c->side[0].batch;
}

/* ---- Columns with factors of their own ---- */

static int64_t write_direct(tsr_gpu_writer *w, const product *p)
{
    const char *type = sum_type(p->sum), *of = cell((tsr_dtype)p->c->type),
               *to = tsr_text_type((tsr_dtype)p->c->to);
    tsr_gpu_line(w, "TSR_KERNEL_OF(run, 3, %d, 1)", TSR_GPU_THREADS);
    tsr_gpu_line(w, "{");
    w->depth++;
    tsr_gpu_line(w, "const uint64_t i = (uint64_t)TSR_BLOCK(0) * %d + TSR_THREAD;",
                 TSR_GPU_THREADS);
    tsr_gpu_line(w, "const uint64_t row = i / %lldu, col = i %% %lldu;", (long long)p->n,
                 (long long)p->n);
    tsr_gpu_line(w, "const %s *a = TSR_POINTER(const %s, 0), *b = TSR_POINTER(const %s, 1);", of,
                 of, of);
    tsr_gpu_line(w, "%s sum = 0;", type);
    tsr_gpu_line(w, "if (row >= %lldu)", (long long)p->m);
    tsr_gpu_line(w, "    return;");
    tsr_gpu_line(w, "for (uint64_t k = 0; k < %lldu; k++) {", (long long)p->k);
    tsr_gpu_line(w,
                 "    const %s x = a_at(a, (int64_t)col, row, k), y = b_at(b, (int64_t)col, 0, k);",
                 type);
    tsr_gpu_line(w, "    sum = %s;", added(p->sum));
    tsr_gpu_line(w, "}");
    tsr_gpu_line(w, "TSR_POINTER(%s, 2)[row * %lld + col] = %s;", to, (long long)p->c->to_row,
                 rounded(w, (tsr_dtype)p->c->to, "sum"));
    w->depth--;
    tsr_gpu_line(w, "}");
    return (p->m * p->n + TSR_GPU_THREADS - 1) / TSR_GPU_THREADS;
}

bool tsr_gpu_multiply(tsr_gpu_maker *m, const tsr_node *n)
{
    const tsr_contract *c = n->contract;
    product p = {.c = c,
                 .sum = tsr_contract_sum((tsr_dtype)c->type, (tsr_dtype)c->to),
                 .m = c->side[0].rest,
                 .n = c->side[1].rest,
                 .k = c->side[0].contract};
    p.rows = p.m > SIDE ? EACH : 1;
    p.cols = p.n > SIDE ? EACH : 1;
    tsr_batch_dim dims[MOST_BATCH];
    int rank = tsr_batch_dims(c, dims);
    tsr_gpu_writer w;
    tsr_gpu_writer_init(&w);
    write_side(&w, c, 0, p.sum);
    write_side(&w, c, 1, p.sum);
    for (int of = 0; of < 3 && !c->direct; of++)
        write_matrix(&w, dims, rank, of);
    int64_t blocks = c->direct ? write_direct(&w, &p) : write_tiles(&w, &p);
    if (blocks > INT32_MAX)
        return tsr_gpu_refuse(m, "it has too many elements");
    const tsr_gpu_word words[] = {tsr_gpu_factor(m, n, 0, c->side[0].offset),
                                  tsr_gpu_factor(m, n, 1, c->side[1].offset),
                                  tsr_gpu_at(m, n->out[0], 0)};
    if (blocks)
        tsr_gpu_run_kernel(m, &w, blocks, words, 3);
    return true;
}
