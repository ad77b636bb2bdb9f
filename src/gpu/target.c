/* SPDX-License-Identifier: Apache-2.0 */
/* target.c - what devices that run kernels from text can do, and what pays there. */
#include "gpu/gpu.h"

static bool has_tile(tsr_tile_op op, tsr_dtype type)
{
    return tsr_text_has_tile(op, type);
}

/* Narrow floats are converted by way of f32. */
static bool converts(tsr_dtype to, tsr_dtype from)
{
    tsr_dtype wide_to = tsr_register_type(to), wide = tsr_register_type(from);
    return tsr_text_has_convert(wide, from) && tsr_text_has_convert(wide_to, wide) &&
           tsr_text_has_convert(to, wide_to);
}

static bool folds(tsr_fold_op op, tsr_dtype type)
{
    return tsr_text_type(type) && tsr_target_cpu.fold(op, type);
}

static bool multiplies(tsr_dtype type, tsr_dtype to)
{
    bool f8 = type == TSR_D_F8E4M3FN && (to == TSR_D_F32 || to == TSR_D_F16 || to == TSR_D_BF16);
    return f8 || tsr_target_cpu.product(type, to);
}

static bool moves(tsr_move_kind kind, tsr_dtype type)
{
    (void)type;
    switch (kind) {
    case TSR_MOVE_COPY:
    case TSR_MOVE_BYTES:
    case TSR_MOVE_CONCATENATE:
    case TSR_MOVE_PAD:
    case TSR_MOVE_DYNAMIC_SLICE:
    case TSR_MOVE_UPDATE_SLICE:
    case TSR_MOVE_ROWS:
    case TSR_MOVE_GATHER:
    case TSR_MOVE_WEAVE:
    case TSR_MOVE_PROCESS:
    case TSR_MOVE_RANDOM: return true;
    default: return false;
    }
}

static bool transforms(tsr_arena *arena, tsr_fft_step *step, int64_t rows)
{
    (void)arena, (void)step, (void)rows;
    return false;
}

/* Numbers that are known when a program is compiled. */
static void compute(tsr_tile_op op, tsr_dtype type, void *out, const void *const *in, size_t n)
{
    tsr_target_cpu.compute(op, type, out, in, n);
}

static bool batch_pays(int64_t rows, int64_t cols, int64_t depth)
{
    enum { LEAST = 64 };
    return rows >= LEAST && cols >= LEAST && depth >= LEAST;
}

static bool loop_on_product(const tsr_contract *c)
{
    (void)c;
    return false;
}

static bool loop_on_rows(int64_t rows, int64_t cols, int64_t depth)
{
    (void)rows, (void)cols, (void)depth;
    return false;
}

static bool chains(const tsr_chain_shape *s)
{
    (void)s;
    return false;
}

static bool reads_pieces(const tsr_contract *c)
{
    (void)c;
    return false;
}

static const char *way(const tsr_product_of *x)
{
    (void)x;
    return NULL;
}

static size_t workspace(const tsr_program *p, const tsr_xgroup *g)
{
    return g->kind == TSR_NODE_CONTRACT ? tsr_gpu_product_room(p, g) : tsr_gpu_workspace(p, g);
}

const tsr_target tsr_target_gpu = {
    .name = "gpu",
    .tile = has_tile,
    .convert = converts,
    .fold = folds,
    .product = multiplies,
    .move = moves,
    .transform = transforms,
    .compute = compute,
    .workspace = workspace,
    .batch_pays = batch_pays,
    .loop_on_product = loop_on_product,
    .loop_on_rows = loop_on_rows,
    .chain = chains,
    .reads_pieces = reads_pieces,
    .way = way,
    .any_strides = true,
    .checked = true,
    .bits_in_loops = true,
    .compares_places = true,
    .long_row = 1 << 16,
    .staged_row = 1 << 16,
    .part = INT64_MAX,
    .part_run = INT64_MAX,
    .slice = INT64_MAX,
    .align = 256,
};
