/* SPDX-License-Identifier: Apache-2.0 */
/* target.c - what this processor can do, and what pays there. */
#include "exec/target.h"

#include "exec/kernel/chain.h"
#include "exec/kernel/fft.h"
#include "exec/kernel/gemm.h"
#include "exec/kernel/tile.h"
#include "exec/kernel/tiny.h"
#include "exec/kernel/winograd.h"

static bool has_tile(tsr_tile_op op, tsr_dtype type)
{
    return tsr_tile_find(op, type) != NULL;
}

static bool converts(tsr_dtype to, tsr_dtype from)
{
    return tsr_tile_convert(to, from) != NULL;
}

static bool folds(tsr_fold_op op, tsr_dtype type)
{
    tsr_fold probe;
    return tsr_fold_start(&probe, op, type);
}

static bool moves(tsr_move_kind kind, tsr_dtype type)
{
    (void)kind, (void)type;
    return true;
}

static bool transforms(tsr_arena *arena, tsr_fft_step *s, int64_t rows)
{
    const tsr_fft_plan *p = tsr_fft_plan_new(arena, s->length, rows, s->wide, s->inverse, s->real);
    if (!p)
        return false;
    s->plan = p;
    s->columns = tsr_fft_takes_columns(p);
    s->halves = p->form != TSR_FFT_WHOLE;
    s->n = p->n;
    return true;
}

static void compute(tsr_tile_op op, tsr_dtype type, void *out, const void *const *in, size_t n)
{
    tsr_tile_find(op, type)(out, in, n);
}

static bool batch_pays(int64_t rows, int64_t cols, int64_t depth)
{
    enum { LEAST_LINES = 32, LEAST_WORK = 1 << 17 };
    if (tsr_tiny_sizes(rows, cols, depth))
        return true;
    return rows >= LEAST_LINES && cols >= LEAST_LINES && rows * cols * depth >= LEAST_WORK;
}

/* A block of a batch of tiny matrices is one matrix: a loop on all of them costs less. */
static bool loop_on_product(const tsr_contract *c)
{
    return c->side[0].batch <= 1 || c->side[0].grid || c->side[1].grid ||
           !tsr_tiny_sizes(c->side[0].rest, c->side[1].rest, c->side[0].contract);
}

static tsr_gemm product_of(const tsr_product_of *x)
{
    tsr_gemm g = tsr_contract_gemm(x->contract);
    g.plain = x->strict;
    g.rows = x->by_rows;
    return g;
}

static int64_t computed_factor(const tsr_product_of *x, int side)
{
    tsr_gemm g = product_of(x);
    return tsr_gemm_fills(&g, side);
}

static bool chains(const tsr_chain_shape *s)
{
    return s->tail ? tsr_chain_fits_tail(s->batch, s->m, s->n, s->k, s->d)
                   : tsr_chain_fits(s->batch, s->m, s->n, s->k, s->d);
}

static bool reads_pieces(const tsr_contract *c)
{
    tsr_gemm g = tsr_contract_gemm(c);
    return tsr_gemm_reads_pieces(&g);
}

/* A convolution with fewer products, unless its operands forbid it when it runs. */
static const char *way(const tsr_product_of *x)
{
    tsr_gemm g = product_of(x);
    return tsr_winograd_fits(&g) ? "winograd" : NULL;
}

const tsr_target tsr_target_cpu = {
    .name = "cpu",
    .tile = has_tile,
    .convert = converts,
    .fold = folds,
    .product = tsr_gemm_has,
    .move = moves,
    .transform = transforms,
    .compute = compute,
    .batch_pays = batch_pays,
    .loop_on_product = loop_on_product,
    .loop_on_rows = tsr_gemm_gives_rows,
    .computed_factor = computed_factor,
    .chain = chains,
    .reads_pieces = reads_pieces,
    .way = way,
    .any_strides = true,
    .chain_tails = true,
    .bits_in_loops = true,
    .lookups_in_loops = true,
    .moves_in_loops = true,
    .slices_in_place = true,
    .columns_in_place = true,
    .interleaves = true,
    .unordered_keys = true,
    .long_row = 16384,
    .staged_row = 65536,
    .part =
        257, /* smaller movements run as short loops (cpu/short.c), whose addresses are known before, as of slices */
    .part_run = 16,
    .slice = 512,
    .align = 64,
};
