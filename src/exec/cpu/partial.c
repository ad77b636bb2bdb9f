/* SPDX-License-Identifier: Apache-2.0 */
/* partial.c - loops that reduce long rows, or columns. Chunks have partial results, which are joined in order. Their
 * sizes depend on shapes alone. */
#include "exec/cpu/loop.h"

#include "base/scope.h"
#include "exec/kernel/scratch.h"
#include "exec/kernel/tile.h"

/* Runs a piece of a long row, with its partial results. */
static void run_piece(const tsr_loop *l, int64_t piece, int number)
{
    const tsr_xgroup *g = l->g;
    const tsr_cpu_code *cpu = l->cpu;
    tsr_loop_asker ask;
    tsr_loop_worker w = tsr_loop_worker_of(l, number, &ask);
    int64_t row = piece / l->chunks_each, start = piece % l->chunks_each * l->per_chunk;
    int64_t end = start + l->per_chunk;
    tsr_loop_begin(&w);
    for (uint32_t i = 0; i < cpu->ncode; i++)
        if (cpu->code[i].kind == TSR_I_FOLD)
            tsr_fold_start(&w.folds[cpu->code[i].bits], cpu->code[i].fold,
                           (tsr_dtype)cpu->code[i].dtype);
    tsr_loop_run_range(&w, row * g->inner + start,
                       row * g->inner + (end < g->inner ? end : g->inner));
    for (uint32_t i = 0; i < g->nfold; i++)
        tsr_fold_end(&w.folds[i], l->partial + (size_t)piece * l->partial_bytes + 8 * i);
}

/* Folds two whole consecutive pieces of a value that is only folded. */
static void fold_two(const tsr_loop *l, int64_t piece)
{
    const tsr_cpu_instr *load = &l->cpu->code[0], *o = &l->cpu->code[1];
    size_t bytes = (size_t)l->per_chunk * tsr_dtype_bytes((tsr_dtype)o->dtype);
    int64_t row = piece / l->chunks_each, at = piece % l->chunks_each * l->per_chunk;
    const char *in = l->run->at[load->value] +
                     (row * l->g->inner + at) * (int64_t)tsr_dtype_bytes((tsr_dtype)o->dtype);
    tsr_fold both[2];
    for (int i = 0; i < 2; i++)
        tsr_fold_start(&both[i], o->fold, (tsr_dtype)o->dtype);
    tsr_fold_add_two(&both[0], &both[1], in, in + bytes, (size_t)l->per_chunk);
    for (int i = 0; i < 2; i++)
        tsr_fold_end(&both[i], l->partial + (size_t)(piece + i) * l->partial_bytes);
}

/* Whether a loop only sums products of two whole values, or squares; in: their addresses. */
static bool sums_products(const tsr_loop *l, const char *in[2])
{
    const tsr_cpu_code *cpu = l->cpu;
    const tsr_cpu_instr *loads = cpu->code, *o = cpu->code + cpu->ncode - 1, *p = o - 1;
    uint32_t nload = cpu->ncode - 2;
    if (cpu->ncode < 3 || nload > 2 || o->kind != TSR_I_FOLD || o->fold != TSR_FOLD_SUM ||
        o->nin != 1 || p->kind != TSR_I_TILE || p->direct || p->early || o->in[0] != p->out ||
        p->from != o->dtype || (p->op != TSR_TILE_multiply && p->op != TSR_TILE_square) ||
        (o->dtype != TSR_D_F32 && o->dtype != TSR_D_F64))
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        const tsr_cpu_instr *load =
            &loads[loads[0].out == p->in[p->nin == 2 ? i : 0] ? 0 : nload - 1];
        if (load->kind != TSR_I_LOAD || !load->whole || load->out != p->in[p->nin == 2 ? i : 0])
            return false;
        in[i] = l->run->at[load->value];
    }
    return true;
}

static void sum_products(const tsr_loop *l, int64_t piece, const char *const in[2])
{
    const tsr_xgroup *g = l->g;
    const tsr_cpu_code *cpu = l->cpu;
    tsr_dtype type = (tsr_dtype)cpu->code[cpu->ncode - 1].dtype;
    int64_t row = piece / l->chunks_each, start = piece % l->chunks_each * l->per_chunk;
    int64_t n = g->inner - start < l->per_chunk ? g->inner - start : l->per_chunk;
    int64_t at = (row * g->inner + start) * (int64_t)tsr_dtype_bytes(type);
    tsr_fold_products(type, l->partial + (size_t)piece * l->partial_bytes, in[0] + at, in[1] + at,
                      1, (size_t)n);
}

/* A chunk: two pieces of a long row. */
static void long_chunk(void *ctx, int64_t chunk, int number)
{
    const tsr_loop *l = ctx;
    const tsr_xgroup *g = l->g;
    const tsr_cpu_code *cpu = l->cpu;
    int64_t piece = 2 * chunk, end = g->n / g->inner * l->chunks_each;
    int64_t behind = piece % l->chunks_each + 2; /* the end of both, if they belong to one row */
    if (cpu->ncode == 2 && cpu->code[0].kind == TSR_I_LOAD && cpu->code[0].whole &&
        cpu->code[1].kind == TSR_I_FOLD && behind * l->per_chunk <= g->inner) {
        fold_two(l, piece);
        return;
    }
    const char *in[2];
    bool products = sums_products(l, in);
    for (int64_t i = piece; i < piece + 2 && i < end; i++)
        if (products)
            sum_products(l, i, in);
        else
            run_piece(l, i, number);
}

static void column_chunk(void *ctx, int64_t chunk, int number)
{
    const tsr_loop *l = ctx;
    const tsr_xgroup *g = l->g;
    const tsr_cpu_code *cpu = l->cpu;
    tsr_loop_asker ask;
    tsr_loop_worker w = tsr_loop_worker_of(l, number, &ask);
    int64_t batch = chunk / l->chunks_each, piece = chunk % l->chunks_each;
    int64_t first = piece * l->per_chunk, end = first + l->per_chunk;
    end = end < g->reduced ? end : g->reduced;
    int64_t base = batch * g->reduced, width = g->inner < cpu->block ? g->inner : cpu->block;
    int64_t rows = cpu->block / g->inner; /* rows per block, if they are short */
    tsr_loop_begin(&w);
    for (int64_t column = 0; column < g->inner; column += width) {
        int64_t n = g->inner - column < width ? g->inner - column : width;
        for (uint32_t i = 0; i < cpu->ncode; i++) {
            const tsr_cpu_instr *o = &cpu->code[i];
            if (o->kind != TSR_I_COLUMN)
                continue;
            tsr_fold f;
            uint64_t neutral = 0;
            tsr_fold_start(&f, o->fold, (tsr_dtype)o->dtype);
            tsr_fold_end(&f, &neutral);
            tsr_tile_splat((tsr_dtype)o->dtype,
                           w.columns + o->bits * (size_t)cpu->block * cpu->width, &neutral,
                           (size_t)n);
        }
        if (rows > 1)
            tsr_loop_run_range(&w, (base + first) * g->inner, (base + end) * g->inner);
        else
            for (int64_t row = first; row < end; row++)
                tsr_loop_run(&w, (base + row) * g->inner + column, n);
        for (uint32_t i = 0; i < cpu->ncode; i++) {
            const tsr_cpu_instr *o = &cpu->code[i];
            if (o->kind == TSR_I_COLUMN)
                memcpy(l->partial + (size_t)chunk * l->partial_bytes +
                           o->bits * (size_t)g->inner * 8 +
                           (size_t)column * tsr_dtype_bytes((tsr_dtype)o->dtype),
                       w.columns + o->bits * (size_t)cpu->block * cpu->width,
                       (size_t)n * tsr_dtype_bytes((tsr_dtype)o->dtype));
        }
    }
}

/* Joins the partial results of all chunks of a row, or of reduced rows, in order. */
static void join_partial(const tsr_loop *l, int64_t batches)
{
    const tsr_run *r = l->run;
    const tsr_xgroup *g = l->g;
    const tsr_cpu_code *cpu = l->cpu;
    int64_t inner = g->mode == TSR_LOOP_COLUMNS ? g->inner : 1;
    for (uint32_t i = 0; i < cpu->ncode; i++) {
        const tsr_cpu_instr *o = &cpu->code[i];
        if (o->kind != TSR_I_COLUMN && o->kind != TSR_I_FOLD)
            continue;
        tsr_dtype type = (tsr_dtype)o->dtype, to = (tsr_dtype)r->p->values.data[o->value].dtype;
        tsr_tile_fn *fn = tsr_tile_find((tsr_tile_op)o->op, type);
        size_t at = o->bits * (size_t)inner * 8;
        for (int64_t b = 0; b < batches; b++) {
            char *acc = l->partial + (size_t)(b * l->chunks_each) * l->partial_bytes + at;
            for (int64_t k = 1; k < l->chunks_each; k++) {
                const void *in[2] = {acc, acc + (size_t)k * l->partial_bytes};
                fn(acc, in, (size_t)inner);
            }
            char *out = r->at[o->value] + b * inner * (int64_t)tsr_dtype_bytes(to);
            if (to == type)
                memcpy(out, acc, (size_t)inner * tsr_dtype_bytes(to));
            else
                tsr_convert(to, out, type, acc, inner);
        }
    }
}

void tsr_loop_run_partial(tsr_loop *l)
{
    const tsr_xgroup *g = l->g;
    bool columns = g->mode == TSR_LOOP_COLUMNS;
    int64_t batches = g->n / (columns ? g->inner * g->reduced : g->inner);
    if (columns) {
        l->per_chunk = tsr_rows_of_part(g->inner);
        l->chunks_each = (g->reduced + l->per_chunk - 1) / l->per_chunk;
    } else {
        l->per_chunk = TSR_PART_OF_ROW;
        l->chunks_each = (g->inner + TSR_PART_OF_ROW - 1) / TSR_PART_OF_ROW;
    }
    l->partial_bytes = (size_t)g->nfold * 8 * (size_t)(columns ? g->inner : 1);
    size_t bytes = (size_t)(batches * l->chunks_each) * l->partial_bytes + 8;
    if (tsr_scratch_asked(l->run->room, (int64_t)bytes))
        return;
    l->partial = tsr_xmalloc(bytes);
    if (columns)
        tsr_pool_for(batches * l->chunks_each, column_chunk, l);
    else
        tsr_pool_for((batches * l->chunks_each + 1) / 2, long_chunk, l);
    join_partial(l, batches);
    tsr_free(l->partial);
}
