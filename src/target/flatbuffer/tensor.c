/* SPDX-License-Identifier: Apache-2.0 */
/* tensor.c - tensor types as descriptions and back. A description has no map, no mesh name and no element type besides
 * the data type: tsr_ttnn_layout derives them. */
#include "dialect/ttcore/ttcore.h"
#include "dialect/ttnn/ttnn.h"
#include "target/flatbuffer/program.h"

/* ---- Writing ---- */

static bool is_sharded(int memory)
{
    return memory > TSR_TTNN_INTERLEAVED;
}

static bool shard_spec(tsr_fb_state *s, const tsr_attr *layout, const tsr_ttnn_spec *spec,
                       tsr_fb_table *memory)
{
    const tsr_type *memref = layout->attrs[TTNN_TTNN_LAYOUT_memref]->type;
    tsr_fb_table *cores = NULL, *shard = tsr_fb_add_sub(s->c.arena, memory, "shard_spec");
    int64_t unit = spec->tiled ? TSR_TTNN_TILE : 1, shape[2] = {1, 1};
    for (size_t i = 0; i < 2 && i < memref->n; i++)
        shape[i] = memref->dims[i] * unit;
    tsr_fb_set_ints(s->c.arena, shard, "shape", shape, 2);
    if (!spec->cores)
        return true;
    TSR_TRY(tsr_fb_of_struct(&s->c, spec->cores, &cores));
    tsr_fb_set_sub(shard, "core_range_set", cores);
    return true;
}

tsr_fb_table *tsr_fb_memory_of(tsr_fb_state *s, const tsr_attr *layout)
{
    tsr_ttnn_spec spec = tsr_ttnn_spec_of(layout);
    if (spec.buffer == TSR_TTNN_SYSTEM_MEMORY)
        return NULL;
    TSR_MAP_EACH (&s->descs, tsr_hash_ptr(layout), found) {
        if (((tsr_fb_table *)found)->type == &tsr_fb_MemoryConfig)
            return found;
    }
    tsr_fb_table *t = tsr_fb_table_new(s->c.arena, &tsr_fb_MemoryConfig);
    tsr_fb_set_int(t, "tensor_memory_layout", spec.memory < 0 ? 0 : spec.memory);
    tsr_fb_set_int(t, "buffer_type", spec.buffer);
    if (is_sharded(spec.memory) && !shard_spec(s, layout, &spec, t))
        return NULL;
    tsr_map_put(&s->descs, tsr_hash_ptr(layout), t);
    return t;
}

static tsr_fb_table *layout_desc(tsr_fb_state *s, const tsr_attr *layout)
{
    tsr_arena *a = s->c.arena;
    tsr_ttnn_spec spec = tsr_ttnn_spec_of(layout);
    tsr_fb_table *desc = tsr_fb_table_new(a, &tsr_fb_LayoutDesc);
    tsr_fb_table *memory = tsr_fb_add_sub(a, desc, "memory_desc");
    int64_t tile = spec.tiled ? TSR_TTNN_TILE : 1, both[2] = {tile, tile};
    bool host = spec.buffer == TSR_TTNN_SYSTEM_MEMORY;
    tsr_fb_set_int(memory, "storage_type", !host || spec.mesh);
    tsr_fb_set_ints(a, memory, "tile_shape", both, 2);
    tsr_fb_set_int(memory, "data_type",
                   tsr_fb_enum_number(&tsr_fb_DataType, &tsr_def_TTCORE_DATA_TYPE, spec.type));
    if (!host) {
        tsr_fb_table *config = tsr_fb_memory_of(s, layout);
        if (!config)
            return NULL;
        tsr_fb_set_sub(memory, "memory_config", config);
    }
    return desc;
}

/* A trace id is a host tensor without dimensions. */
static tsr_attr *layout_of(tsr_fb_state *s, const tsr_type *type)
{
    if (type->kind == TSR_TYPE_TENSOR && tsr_attr_is_struct(type->attr, &tsr_def_TTNN_TRACE_ID))
        return tsr_ttnn_layout(s->c.ctx, NULL, 0, tsr_ttnn_host(TSR_TT_U32));
    return tsr_ttnn_layout_of(type);
}

static bool mesh_shape(tsr_fb_state *s, const tsr_attr *layout, tsr_fb_table *desc)
{
    int64_t shape[16] = {1, 1};
    const tsr_attr *mesh = s->device ? s->device->attrs[TTCORE_DEVICE_mesh_shape] : NULL;
    size_t n = 2;
    if (layout->attrs[TTNN_TTNN_LAYOUT_mesh] && mesh && tsr_attr_count(mesh))
        for (n = 0; n < (size_t)tsr_attr_count(mesh) && n < TSR_COUNT(shape); n++)
            shape[n] = tsr_attr_int_at(mesh, n);
    tsr_fb_set_ints(s->c.arena, desc, "mesh_shape", shape, n);
    return true;
}

tsr_fb_table *tsr_fb_desc_of(tsr_fb_state *s, tsr_type *type, bool presharded,
                             const tsr_type *local)
{
    tsr_attr *layout = layout_of(s, type);
    bool plain = !presharded && !local;
    if (!layout || !tsr_type_has_static_shape(type)) {
        tsr_error(s->c.ctx, s->c.loc,
                  "a tensor in a flatbuffer has a TTNN layout and static dimensions");
        return NULL;
    }
    TSR_MAP_EACH (&s->descs, tsr_hash_ptr(type), found) {
        if (plain && ((tsr_fb_table *)found)->type == &tsr_fb_TensorDesc)
            return found;
    }
    local = local ? local : type;
    tsr_fb_table *t = tsr_fb_table_new(s->c.arena, &tsr_fb_TensorDesc),
                 *inner = layout_desc(s, layout);
    if (!inner)
        return NULL;
    tsr_fb_set_ints(s->c.arena, t, "shape", type->dims, type->n);
    mesh_shape(s, layout, t);
    tsr_fb_set_sub(t, "layout", inner);
    tsr_fb_set_int(t, "shard_status", presharded ? 0 : 1);
    tsr_fb_set_ints(s->c.arena, t, "local_shape", local->dims, local->n);
    if (plain)
        tsr_map_put(&s->descs, tsr_hash_ptr(type), t);
    return t;
}

/* ---- Reading ---- */

static tsr_type *bad(tsr_fb_state *s, const tsr_fb_table *desc, const char *what)
{
    tsr_error(s->c.ctx, s->c.loc, "byte %u: %s", desc->at, what);
    return NULL;
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

/* Cores in rows and columns: as many as there are shards. */
static bool sharded(tsr_fb_state *s, const tsr_fb_table *memory, const int64_t *dims, size_t rank,
                    tsr_ttnn_spec *spec)
{
    tsr_fb_table *shard = tsr_fb_sub(memory, "shard_spec"),
                 *cores = shard ? tsr_fb_sub(shard, "core_range_set") : NULL;
    int64_t whole[2] = {1, rank ? dims[rank - 1] : 1};
    if (!shard || tsr_fb_nints(shard, "shape") != 2)
        return false;
    if (spec->tiled && rank > 1)
        whole[0] = ceil_div(dims[rank - 2], TSR_TTNN_TILE) * TSR_TTNN_TILE;
    else if (rank > 1)
        whole[0] = dims[rank - 2];
    for (size_t i = 0; i + 2 < rank; i++)
        if (__builtin_mul_overflow(whole[0], dims[i], &whole[0]))
            return false;
    if (spec->tiled)
        whole[1] = ceil_div(whole[1], TSR_TTNN_TILE) * TSR_TTNN_TILE;
    for (size_t i = 0; i < 2; i++) {
        int64_t part = tsr_fb_int_at(shard, "shape", i);
        if (part <= 0)
            return false;
        spec->grid[i] = whole[i] ? ceil_div(whole[i], part) : 1;
    }
    spec->cores = cores ? tsr_fb_struct_attr(&s->c, &tsr_def_TTNN_CORE_RANGE_SET, cores) : NULL;
    return spec->cores && spec->cores->attrs[0];
}

static bool spec_of(tsr_fb_state *s, const tsr_fb_table *memory, const int64_t *dims, size_t rank,
                    tsr_ttnn_spec *spec)
{
    tsr_fb_table *config = tsr_fb_sub(memory, "memory_config");
    int64_t tile = tsr_fb_nints(memory, "tile_shape") ? tsr_fb_int_at(memory, "tile_shape", 0) : 1;
    int64_t type = tsr_fb_enum_case(&tsr_fb_DataType, &tsr_def_TTCORE_DATA_TYPE,
                                    tsr_fb_int(memory, "data_type"));
    if (type < 0 || (tile != 1 && tile != TSR_TTNN_TILE))
        return false;
    *spec = tsr_ttnn_host((tsr_tt_data_type)type);
    spec->tiled = tile == TSR_TTNN_TILE;
    if (!config)
        return true;
    spec->buffer = (tsr_ttnn_buffer_type)tsr_fb_int(config, "buffer_type");
    spec->memory = (int)tsr_fb_int(config, "tensor_memory_layout");
    if (spec->buffer > TSR_TTNN_TRACE || spec->buffer == TSR_TTNN_SYSTEM_MEMORY ||
        spec->memory > TSR_TTNN_BLOCK_SHARDED)
        return false;
    if (spec->buffer == TSR_TTNN_L1 && spec->memory == TSR_TTNN_INTERLEAVED)
        memcpy(spec->grid, s->grid, sizeof spec->grid);
    return !is_sharded(spec->memory) || sharded(s, config, dims, rank, spec);
}

static tsr_attr *mesh_name(tsr_ctx *ctx)
{
    tsr_attr *name = tsr_attr_string(ctx, TSR_STR("mesh"));
    return tsr_attr_struct(ctx, &tsr_def_TTCORE_TENSOR_MESH, &name);
}

tsr_type *tsr_fb_type_of(tsr_fb_state *s, const tsr_fb_table *desc)
{
    enum { MOST = 64 };
    const tsr_fb_table *layout = tsr_fb_sub(desc, "layout"),
                       *memory = layout ? tsr_fb_sub(layout, "memory_desc") : NULL;
    int64_t dims[MOST], chips = 1;
    size_t rank = tsr_fb_nints(desc, "shape");
    tsr_ttnn_spec spec;
    TSR_MAP_EACH (&s->descs, tsr_hash_ptr(desc), found) {
        return found;
    }
    if (!memory || rank > MOST)
        return bad(s, desc,
                   memory ? "a tensor of too many dimensions" : "a tensor without a layout");
    for (size_t i = 0; i < rank; i++)
        if ((dims[i] = tsr_fb_int_at(desc, "shape", i)) < 0)
            return bad(s, desc, "a dimension of a tensor is negative");
    for (size_t i = 0; i < tsr_fb_nints(desc, "local_shape"); i++)
        if (tsr_fb_int_at(desc, "local_shape", i) < 0)
            return bad(s, desc, "a dimension of a tensor's part is negative");
    for (size_t i = 0; i < tsr_fb_nints(desc, "mesh_shape"); i++)
        if (__builtin_mul_overflow(chips, tsr_fb_int_at(desc, "mesh_shape", i), &chips))
            return bad(s, desc, "a mesh of too many devices");
    if (!spec_of(s, memory, dims, rank, &spec))
        return bad(s, desc, "the layout of a tensor is none that TTNN has");
    if (chips > 1)
        spec.mesh = mesh_name(s->c.ctx);
    tsr_type *t = tsr_type_tensor(s->c.ctx, dims, rank, tsr_tt_element(s->c.ctx, spec.type), NULL);
    t = tsr_ttnn_type(t, spec);
    if (!tsr_fb_sound(&s->c, t->attr))
        return NULL;
    tsr_map_put(&s->descs, tsr_hash_ptr(desc), t);
    return t;
}
