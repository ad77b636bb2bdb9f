/* SPDX-License-Identifier: Apache-2.0 */
/* layout.c - layouts: what one specifies (where a tensor is, whether it is tiled, its data type), and making one for a
 * shape. */
#include "dialect/ttcore/ttcore.h"
#include "dialect/ttnn/ttnn.h"

/* ---- Data types ---- */

static tsr_tt_data_type integer_type(const tsr_type *t)
{
    switch (t->width) {
    case 1: return TSR_TT_I1;
    case 8: return TSR_TT_U8;
    case 16: return TSR_TT_U16;
    case 32:
    case 64: return t->sub == TSR_UNSIGNED ? TSR_TT_U32 : TSR_TT_SI32;
    default: return TSR_TT_NO_DATA_TYPE;
    }
}

tsr_tt_data_type tsr_tt_data_type_of(const tsr_type *t)
{
    if (t->def == &tsr_def_TTCORE_TILE)
        return (tsr_tt_data_type)t->params[TTCORE_TILE_element]->i;
    if (t->def == &tsr_def_QUANT_UNIFORM)
        t = t->params[0]->type;
    if (t->kind == TSR_TYPE_INTEGER)
        return integer_type(t);
    if (t->kind == TSR_TYPE_FLOAT)
        return t->sub == TSR_BF16                 ? TSR_TT_BF16
               : t->width == 16                   ? TSR_TT_F16
               : t->width == 32 || t->width == 64 ? TSR_TT_F32
                                                  : TSR_TT_NO_DATA_TYPE;
    return t->kind == TSR_TYPE_INDEX ? TSR_TT_U32 : TSR_TT_NO_DATA_TYPE;
}

static tsr_type *tile(tsr_ctx *ctx, tsr_tt_data_type t)
{
    static const int64_t size[] = {TSR_TTNN_TILE, TSR_TTNN_TILE};
    tsr_attr *params[] = {[TTCORE_TILE_shape] = tsr_attr_i64_array(ctx, size, 2),
                          [TTCORE_TILE_element] = tsr_attr_enum(ctx, &tsr_def_TTCORE_DATA_TYPE, t)};
    return tsr_type_dialect(ctx, &tsr_def_TTCORE_TILE, params);
}

tsr_type *tsr_tt_element(tsr_ctx *ctx, tsr_tt_data_type t)
{
    switch (t) {
    case TSR_TT_F32: return tsr_type_float(ctx, TSR_F32);
    case TSR_TT_F16:
    case TSR_TT_BF16:
    case TSR_TT_I1: return tsr_type_float(ctx, TSR_BF16); /* a device has no others */
    case TSR_TT_U32: return tsr_type_integer(ctx, 32, TSR_UNSIGNED);
    case TSR_TT_U16: return tsr_type_integer(ctx, 16, TSR_UNSIGNED);
    case TSR_TT_U8: return tsr_type_integer(ctx, 8, TSR_UNSIGNED);
    case TSR_TT_SI32: return tsr_type_integer(ctx, 32, TSR_SIGNED);
    default: return tile(ctx, t);
    }
}

/* ---- The contents of a layout ---- */

tsr_attr *tsr_ttnn_layout_of(const tsr_type *t)
{
    tsr_attr *e = t->kind == TSR_TYPE_TENSOR ? t->attr : NULL;
    return tsr_attr_is_struct(e, &tsr_def_TTNN_TTNN_LAYOUT) ? e : NULL;
}

tsr_ttnn_buffer_type tsr_ttnn_buffer(const tsr_attr *layout)
{
    const tsr_attr *space = layout->attrs[TTNN_TTNN_LAYOUT_memref]->type->space;
    return space && space->kind == TSR_ATTR_ENUM ? (tsr_ttnn_buffer_type)space->i
                                                 : TSR_TTNN_SYSTEM_MEMORY;
}

bool tsr_ttnn_on_device(const tsr_type *t)
{
    const tsr_attr *layout = tsr_ttnn_layout_of(t);
    return layout && tsr_ttnn_buffer(layout) != TSR_TTNN_SYSTEM_MEMORY;
}

bool tsr_ttnn_is_tiled(const tsr_attr *layout)
{
    return layout->attrs[TTNN_TTNN_LAYOUT_memref]->type->elem->def == &tsr_def_TTCORE_TILE;
}

tsr_ttnn_spec tsr_ttnn_spec_of(const tsr_attr *l)
{
    const tsr_attr *memory = l->attrs[TTNN_TTNN_LAYOUT_memory_layout];
    const tsr_attr *grid = l->attrs[TTNN_TTNN_LAYOUT_grid];
    tsr_ttnn_spec s = {
        .buffer = tsr_ttnn_buffer(l),
        .memory = memory ? (int)memory->i : TSR_TTNN_NO_MEMORY_LAYOUT,
        .tiled = tsr_ttnn_is_tiled(l),
        .type = tsr_tt_data_type_of(l->attrs[TTNN_TTNN_LAYOUT_memref]->type->elem),
        .grid = {1, 1},
        .mesh = l->attrs[TTNN_TTNN_LAYOUT_mesh],
        .cores = l->attrs[TTNN_TTNN_LAYOUT_cores],
        .ignores = l->attrs[TTNN_TTNN_LAYOUT_ignores],
    };
    for (size_t i = 0; i < 2 && i < (size_t)tsr_attr_count(grid); i++)
        s.grid[i] = tsr_attr_int_at(grid, i);
    return s;
}

tsr_ttnn_spec tsr_ttnn_default(tsr_tt_data_type t)
{
    return (tsr_ttnn_spec){TSR_TTNN_DRAM, TSR_TTNN_INTERLEAVED, true, t, {1, 1}, NULL, NULL, NULL};
}

tsr_ttnn_spec tsr_ttnn_host(tsr_tt_data_type t)
{
    return (tsr_ttnn_spec){
        TSR_TTNN_SYSTEM_MEMORY, TSR_TTNN_NO_MEMORY_LAYOUT, false, t, {1, 1}, NULL, NULL, NULL};
}

/* ---- Making one ---- */

static int64_t over(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

/* Saturates: such sizes exceed any memory. */
static int64_t times(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

/* Sizes in memory: the last two are rounded up to whole tiles. */
static void physical(const int64_t *dims, size_t rank, bool tiled, int64_t *out)
{
    for (size_t i = 0; i < rank; i++)
        out[i] =
            tiled && i + 2 >= rank ? times(over(dims[i], TSR_TTNN_TILE), TSR_TTNN_TILE) : dims[i];
}

/* All dimensions but the last flattened, row by row, and the last. */
static tsr_attr *linear_map(tsr_ctx *ctx, const int64_t *p, size_t rank, bool empty)
{
    const tsr_affine *rows = tsr_affine_get(ctx, TSR_AFFINE_CONST, 0, NULL, NULL), *both[2];
    int64_t step = 1;
    for (size_t i = rank < 2 ? 0 : rank - 1; i-- > 0;) {
        const tsr_affine *d = tsr_affine_get(ctx, TSR_AFFINE_DIM, (int64_t)i, NULL, NULL);
        const tsr_affine *by = tsr_affine_get(ctx, TSR_AFFINE_CONST, step, NULL, NULL);
        const tsr_affine *part = tsr_affine_get(ctx, TSR_AFFINE_MUL, 0, d, by);
        rows = i + 2 == rank ? part : tsr_affine_get(ctx, TSR_AFFINE_ADD, 0, part, rows);
        step = times(step, p[i]);
        if (empty)
            break;
    }
    both[0] = rows;
    both[1] = rank ? tsr_affine_get(ctx, TSR_AFFINE_DIM, (int64_t)rank - 1, NULL, NULL)
                   : tsr_affine_get(ctx, TSR_AFFINE_CONST, 0, NULL, NULL);
    return tsr_attr_affine_map(ctx, (uint32_t)rank, 0, both, 2);
}

/* The part of rows x columns that one core, or the memory, holds: in tiles if tiled. */
static void shard_of(const tsr_ttnn_spec *s, const int64_t whole[2], int64_t volume, int64_t out[2])
{
    int64_t unit = s->tiled ? TSR_TTNN_TILE : 1, cores = times(s->grid[0], s->grid[1]);
    bool spread = s->buffer == TSR_TTNN_L1 && s->memory == TSR_TTNN_INTERLEAVED;
    if (spread) {
        out[0] = 1;
        out[1] = over(s->tiled ? times(over(whole[0], unit), over(whole[1], unit)) : volume, cores);
        return;
    }
    for (size_t i = 0; i < 2; i++)
        out[i] = over(over(whole[i], s->grid[i]), unit);
}

static void coerce(tsr_ttnn_spec *s)
{
    if (s->buffer == TSR_TTNN_SYSTEM_MEMORY)
        s->memory = TSR_TTNN_NO_MEMORY_LAYOUT;
    if (s->buffer == TSR_TTNN_SYSTEM_MEMORY ||
        (s->buffer == TSR_TTNN_DRAM && s->memory == TSR_TTNN_INTERLEAVED))
        s->grid[0] = s->grid[1] = 1;
    if (s->memory == TSR_TTNN_NO_MEMORY_LAYOUT || s->memory == TSR_TTNN_INTERLEAVED)
        s->cores = NULL;
}

tsr_attr *tsr_ttnn_layout(tsr_ctx *ctx, const int64_t *dims, size_t rank, tsr_ttnn_spec s)
{
    enum { FEW = 16 };
    int64_t few[FEW], whole[2] = {1, 1}, shard[2], volume = 1;
    int64_t *p = rank <= FEW ? few : tsr_xmalloc(rank * sizeof *p);
    coerce(&s);
    physical(dims, rank, s.tiled, p);
    for (size_t i = 0; i < rank; i++)
        volume = times(volume, p[i]);
    if (rank)
        whole[1] = p[rank - 1];
    for (size_t i = 0; i + 1 < rank; i++)
        whole[0] = times(whole[0], p[i]);
    shard_of(&s, whole, volume, shard);
    tsr_type *elem = s.tiled ? tile(ctx, s.type) : tsr_tt_element(ctx, s.type);
    tsr_attr *space = tsr_attr_enum(ctx, &tsr_def_TTNN_BUFFER_TYPE, s.buffer);
    tsr_attr *params[] = {
        [TTNN_TTNN_LAYOUT_map] = linear_map(ctx, p, rank, volume == 0),
        [TTNN_TTNN_LAYOUT_grid] = tsr_attr_i64_array(ctx, s.grid, 2),
        [TTNN_TTNN_LAYOUT_mesh] = s.mesh,
        [TTNN_TTNN_LAYOUT_memref] =
            tsr_attr_type(ctx, tsr_type_memref(ctx, shard, 2, elem, NULL, space)),
        [TTNN_TTNN_LAYOUT_memory_layout] =
            s.memory == TSR_TTNN_NO_MEMORY_LAYOUT
                ? NULL
                : tsr_attr_enum(ctx, &tsr_def_TTNN_MEMORY_LAYOUT, s.memory),
        [TTNN_TTNN_LAYOUT_cores] = s.cores,
        [TTNN_TTNN_LAYOUT_ignores] = s.ignores,
    };
    if (p != few)
        tsr_free(p);
    return tsr_attr_struct(ctx, &tsr_def_TTNN_TTNN_LAYOUT, params);
}

tsr_type *tsr_ttnn_type(const tsr_type *t, tsr_ttnn_spec s)
{
    tsr_attr *layout = tsr_ttnn_layout(t->ctx, t->dims, t->n, s);
    tsr_type *elem =
        t->elem->def == &tsr_def_QUANT_UNIFORM || tsr_tt_data_type_of(t->elem) == s.type
            ? t->elem
            : tsr_tt_element(t->ctx, s.type);
    return tsr_type_tensor(t->ctx, t->dims, t->n, elem, layout);
}
