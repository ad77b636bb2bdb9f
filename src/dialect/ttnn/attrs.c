/* SPDX-License-Identifier: Apache-2.0 */
/* attrs.c - assembly of TTNN's attributes: cores, shapes, layouts, memory, meshes. */
#include "asm/reader.h"
#include "asm/writer.h"
#include "dialect/hooks.h"
#include "dialect/ttcore/ttcore.h"
#include "dialect/ttnn/ttnn.h"

/* ---- Steps ---- */

/* A bare number of an attribute. */
static bool number(tsr_asm *a, tsr_attr **attr)
{
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_i64(a, attr));
    return tsr_asm_writing(a) || (*attr)->i >= 0 ||
           tsr_asm_error_at(a, loc, "expected a number that is not negative");
}

/* (1, 2) as array<i64: 1, 2> */
static bool coordinates(tsr_asm *a, tsr_attr **attr)
{
    int64_t v[2] = {0, 0};
    for (size_t i = 0; *attr && i < 2; i++)
        v[i] = tsr_attr_int_at(*attr, i);
    TSR_TRY(tsr_asm_lit(a, "(") && tsr_asm_int(a, &v[0]) && tsr_asm_lit(a, ",") &&
            tsr_asm_int(a, &v[1]) && tsr_asm_lit(a, ")"));
    if (!tsr_asm_writing(a))
        *attr = tsr_attr_i64_array(a->ctx, v, 2);
    return true;
}

/* A word in angle brackets: <interleaved>. */
static bool bracketed(tsr_asm *a, const tsr_attrdef *def, tsr_attr **attr)
{
    return tsr_asm_lit(a, "<") && tsr_asm_enum(a, def, attr) && tsr_asm_lit(a, ">");
}

/* An attribute in full that must be of this kind. */
static bool in_full(tsr_asm *a, const tsr_attrdef *def, tsr_attr **attr)
{
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_attr(a, attr));
    return tsr_asm_writing(a) || (*attr)->def == def ||
           tsr_asm_error_at(a, loc, "expected #%s", def->name);
}

typedef struct {
    const tsr_attrdef *def; /* NULL: any */
    bool full;              /* with #dialect.name */
} item_kind;

static bool item(tsr_asm *a, void *user, tsr_attr **attr)
{
    const item_kind *k = user;
    if (!k->def)
        return tsr_asm_attr(a, attr);
    return k->full ? in_full(a, k->def, attr) : tsr_asm_struct(a, k->def, attr);
}

/* [x, y] as an array attribute. */
static bool array(tsr_asm *a, const tsr_attrdef *def, bool full, tsr_attr **attr)
{
    return tsr_asm_array(a, item, &(item_kind){def, full}, attr);
}

/* ---- Cores and shapes ---- */

bool attr_TTNN_CORE_COORD(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && number(a, &params[0]) && tsr_asm_lit(a, ", ") &&
           number(a, &params[1]) && tsr_asm_lit(a, ">");
}

bool attr_TTNN_CORE_RANGE(tsr_asm *a, tsr_attr **params)
{
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_lit(a, "<") && coordinates(a, &params[0]) && tsr_asm_lit(a, ", ") &&
            coordinates(a, &params[1]) && tsr_asm_lit(a, ">"));
    if (tsr_asm_writing(a))
        return true;
    long long v[4];
    for (size_t i = 0; i < 4; i++)
        v[i] = (long long)tsr_attr_int_at(params[i / 2], i % 2);
    return (v[0] <= v[2] && v[1] <= v[3]) ||
           tsr_asm_error_at(
               a, loc,
               "Start coordinates #ttnn.core_coord<%lld, %lld> must be less than or equal to "
               "end coordinates #ttnn.core_coord<%lld, %lld>",
               v[0], v[1], v[2], v[3]);
}

static bool overlap(const tsr_attr *x, const tsr_attr *y)
{
    for (size_t i = 0; i < 2; i++)
        if (tsr_attr_int_at(x->attrs[1], i) < tsr_attr_int_at(y->attrs[0], i) ||
            tsr_attr_int_at(y->attrs[1], i) < tsr_attr_int_at(x->attrs[0], i))
            return false;
    return true;
}

bool attr_TTNN_CORE_RANGE_SET(tsr_asm *a, tsr_attr **params)
{
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_lit(a, "<"));
    if (tsr_asm_writing(a) ? params[0]->n > 0 : tsr_asm_peek(a, "["))
        TSR_TRY(array(a, &tsr_def_TTNN_CORE_RANGE, true, &params[0]));
    else if (!tsr_asm_writing(a))
        params[0] = tsr_attr_array(a->ctx, NULL, 0);
    TSR_TRY(tsr_asm_lit(a, ">"));
    for (uint32_t i = 0; !tsr_asm_writing(a) && i < params[0]->n; i++)
        for (uint32_t k = 0; k < i; k++)
            if (overlap(params[0]->attrs[k], params[0]->attrs[i]))
                return tsr_asm_error_at(a, loc, "Core ranges overlap");
    return true;
}

bool attr_TTNN_SHAPE(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && tsr_asm_tt_shape(a, &params[0]) && tsr_asm_lit(a, ">");
}

bool attr_TTNN_MESH_SHAPE(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, " ") && tsr_asm_tt_shape(a, &params[0]);
}

bool attr_TTNN_MESH_OFFSET(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, " ") && tsr_asm_tt_shape(a, &params[0]);
}

/* ---- Layouts ---- */

static bool memref(tsr_asm *a, tsr_attr **attr)
{
    tsr_type *type = *attr ? (*attr)->type : NULL;
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_type(a, &type));
    if (tsr_asm_writing(a))
        return true;
    if (!tsr_type_is(type, TSR_TYPE_MEMREF))
        return tsr_asm_error_at(a, loc, "expected a memref type");
    *attr = tsr_attr_type(a->ctx, type);
    return true;
}

/* Optional parts after the memref, each after a comma. */
static bool layout_rest(tsr_asm *a, tsr_attr **params)
{
    tsr_attr **cores = &params[TTNN_TTNN_LAYOUT_cores],
             **ignores = &params[TTNN_TTNN_LAYOUT_ignores],
             **memory = &params[TTNN_TTNN_LAYOUT_memory_layout];
    if (tsr_asm_writing(a) && !*memory && !*cores && !*ignores)
        return true;
    while (tsr_asm_maybe(a, ", ", *memory || *cores || *ignores)) {
        if (tsr_asm_writing(a) ? *memory != NULL : tsr_asm_peek(a, "<")) {
            TSR_TRY(bracketed(a, &tsr_def_TTNN_MEMORY_LAYOUT, memory));
            if (tsr_asm_writing(a) && !*cores && !*ignores)
                return true;
            if (tsr_asm_writing(a))
                TSR_TRY(tsr_asm_lit(a, ", "));
            else
                continue;
        }
        if (tsr_asm_maybe(a, "core_ranges = ", *cores != NULL)) {
            TSR_TRY(tsr_asm_struct(a, &tsr_def_TTNN_CORE_RANGE_SET, cores));
            if (tsr_asm_writing(a) && !*ignores)
                return true;
            if (tsr_asm_writing(a))
                TSR_TRY(tsr_asm_lit(a, ", "));
            else
                continue;
        }
        TSR_TRY(tsr_asm_lit(a, "ignorePhysicalLayout = ") && tsr_asm_attr(a, ignores));
        return true;
    }
    return true;
}

static const char *buffer_name(tsr_ttnn_buffer_type t)
{
    return tsr_def_TTNN_BUFFER_TYPE.cases[t];
}

/* Checks that the parts of a layout are consistent. */
static bool check_layout(tsr_asm *a, tsr_loc loc, tsr_attr *const *params)
{
    const tsr_type *m = params[TTNN_TTNN_LAYOUT_memref]->type;
    const tsr_attr *grid = params[TTNN_TTNN_LAYOUT_grid],
                   *memory = params[TTNN_TTNN_LAYOUT_memory_layout];
    if (!m->space || m->space->def != &tsr_def_TTNN_BUFFER_TYPE)
        return tsr_asm_error_at(a, loc, "the memref of a layout must have a buffer type");
    tsr_ttnn_buffer_type buffer = (tsr_ttnn_buffer_type)m->space->i;
    bool host = buffer == TSR_TTNN_SYSTEM_MEMORY,
         interleaved = memory && memory->i == TSR_TTNN_INTERLEAVED,
         sharded = memory && !interleaved;
    bool one =
        tsr_attr_count(grid) == 2 && tsr_attr_int_at(grid, 0) == 1 && tsr_attr_int_at(grid, 1) == 1;
    for (int64_t i = 0; i < tsr_attr_count(grid); i++)
        if (tsr_attr_int_at(grid, (size_t)i) <= 0)
            return tsr_asm_error_at(a, loc, "sizes of a grid must be positive");
    if (tsr_attr_count(grid) == 2 && !one && (host || (buffer == TSR_TTNN_DRAM && interleaved)))
        return tsr_asm_error_at(
            a, loc, "expected (1, 1) grid shape for %s buffer type%s, got (%lld, %lld)",
            buffer_name(buffer), host ? "" : " with interleaved memory layout",
            (long long)tsr_attr_int_at(grid, 0), (long long)tsr_attr_int_at(grid, 1));
    if (host && memory)
        return tsr_asm_error_at(a, loc,
                                "Memory layout is not allowed for SystemMemory buffer type.");
    if (!host && !memory)
        return tsr_asm_error_at(a, loc,
                                "Memory layout is required for non-SystemMemory buffer type.");
    if (buffer == TSR_TTNN_DRAM && memory->i == TSR_TTNN_BLOCK_SHARDED)
        return tsr_asm_error_at(a, loc,
                                "BlockSharded layout is not supported for DRAM buffer type; "
                                "use WidthSharded, HeightSharded or Interleaved");
    const char *word = memory ? tsr_def_TTNN_MEMORY_LAYOUT.cases[memory->i] : "none";
    if (sharded && memory->i != TSR_TTNN_ND_SHARDED && !params[TTNN_TTNN_LAYOUT_cores])
        return tsr_asm_error_at(a, loc, "sharded TTNN layout (%s) must carry a core_range_set",
                                word);
    return sharded || !params[TTNN_TTNN_LAYOUT_cores] ||
           tsr_asm_error_at(
               a, loc, "non-sharded TTNN layout must not carry a core_range_set (got %s)", word);
}

bool attr_TTNN_TTNN_LAYOUT(tsr_asm *a, tsr_attr **params)
{
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_lit(a, "<") && tsr_asm_tt_map(a, &params[TTNN_TTNN_LAYOUT_map]) &&
            tsr_asm_lit(a, ", <") && tsr_asm_tt_shape(a, &params[TTNN_TTNN_LAYOUT_grid]) &&
            tsr_asm_lit(a, ">, "));
    if (tsr_asm_maybe(a, "mesh = ", params[TTNN_TTNN_LAYOUT_mesh] != NULL))
        TSR_TRY(tsr_asm_struct(a, &tsr_def_TTCORE_TENSOR_MESH, &params[TTNN_TTNN_LAYOUT_mesh]) &&
                tsr_asm_lit(a, ", "));
    TSR_TRY(memref(a, &params[TTNN_TTNN_LAYOUT_memref]) && layout_rest(a, params) &&
            tsr_asm_lit(a, ">"));
    return tsr_asm_writing(a) || check_layout(a, loc, params);
}

bool attr_TTNN_TTNN_ND_LAYOUT(tsr_asm *a, tsr_attr **params)
{
    TSR_TRY(tsr_asm_lit(a, "<") && tsr_asm_struct(a, &tsr_def_TTCORE_GRID, &params[0]) &&
            tsr_asm_lit(a, ", ") && memref(a, &params[1]) && tsr_asm_lit(a, ", ") &&
            bracketed(a, &tsr_def_TTNN_MEMORY_LAYOUT, &params[2]));
    if (tsr_asm_maybe(a, ", ", params[3] != NULL))
        TSR_TRY(bracketed(a, &tsr_def_TTNN_SHARD_ORIENTATION, &params[3]));
    if (tsr_asm_maybe(a, ", ", params[4] != NULL))
        TSR_TRY(bracketed(a, &tsr_def_TTNN_SHARD_DISTRIBUTION, &params[4]));
    return tsr_asm_lit(a, ">");
}

/* ---- Memory ---- */

static bool shard_spec(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && tsr_asm_struct(a, &tsr_def_TTNN_CORE_RANGE_SET, &params[0]) &&
           tsr_asm_lit(a, ", ") && tsr_asm_struct(a, &tsr_def_TTNN_SHAPE, &params[1]) &&
           tsr_asm_lit(a, ", ") && bracketed(a, &tsr_def_TTNN_SHARD_ORIENTATION, &params[2]);
}

bool attr_TTNN_SHARD_SPEC(tsr_asm *a, tsr_attr **params)
{
    return shard_spec(a, params) && tsr_asm_lit(a, ">");
}

bool attr_TTNN_ND_SHARD_SPEC(tsr_asm *a, tsr_attr **params)
{
    return shard_spec(a, params) && tsr_asm_lit(a, ", ") &&
           bracketed(a, &tsr_def_TTNN_SHARD_DISTRIBUTION, &params[3]) && tsr_asm_lit(a, ">");
}

/* The parts after the buffer type: written in this order, read in any. */
static bool memory_part(tsr_asm *a, tsr_attr **params)
{
    if (tsr_asm_peek(a, "<"))
        return bracketed(a, &tsr_def_TTNN_MEMORY_LAYOUT, &params[TTNN_MEMORY_CONFIG_memory_layout]);
    if (tsr_asm_maybe(a, "ndShardSpec = ", false))
        return in_full(a, &tsr_def_TTNN_ND_SHARD_SPEC, &params[TTNN_MEMORY_CONFIG_nd_shard_spec]);
    return in_full(a, &tsr_def_TTNN_SHARD_SPEC, &params[TTNN_MEMORY_CONFIG_shard_spec]);
}

bool attr_TTNN_MEMORY_CONFIG(tsr_asm *a, tsr_attr **params)
{
    TSR_TRY(tsr_asm_lit(a, "<") &&
            in_full(a, &tsr_def_TTNN_BUFFER_TYPE, &params[TTNN_MEMORY_CONFIG_buffer]));
    if (!tsr_asm_writing(a)) {
        while (tsr_asm_maybe(a, ", ", false))
            TSR_TRY(memory_part(a, params));
        return tsr_asm_lit(a, ">");
    }
    if (params[TTNN_MEMORY_CONFIG_memory_layout])
        TSR_TRY(tsr_asm_lit(a, ", ") && bracketed(a, &tsr_def_TTNN_MEMORY_LAYOUT,
                                                  &params[TTNN_MEMORY_CONFIG_memory_layout]));
    if (params[TTNN_MEMORY_CONFIG_shard_spec])
        TSR_TRY(tsr_asm_lit(a, ", ") && tsr_asm_attr(a, &params[TTNN_MEMORY_CONFIG_shard_spec]));
    if (params[TTNN_MEMORY_CONFIG_nd_shard_spec])
        TSR_TRY(tsr_asm_lit(a, ", ndShardSpec = ") &&
                tsr_asm_attr(a, &params[TTNN_MEMORY_CONFIG_nd_shard_spec]));
    return tsr_asm_lit(a, ">");
}

/* ---- Meshes ---- */

bool attr_TTNN_PLACEMENT(tsr_asm *a, tsr_attr **params)
{
    TSR_TRY(tsr_asm_lit(a, "<") && tsr_asm_enum(a, &tsr_def_TTNN_PLACEMENT_TYPE, &params[0]));
    if (tsr_asm_maybe(a, ", ", params[1] != NULL))
        TSR_TRY(tsr_asm_attr(a, &params[1]));
    return tsr_asm_lit(a, ">");
}

static bool mesh_override(tsr_asm *a, tsr_attr **attr)
{
    if (tsr_asm_maybe(a, ", ", *attr != NULL))
        TSR_TRY(tsr_asm_lit(a, "mesh_shape_override = ") && array(a, NULL, true, attr));
    return tsr_asm_lit(a, ">");
}

bool attr_TTNN_MESH_MAPPER(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<placements = ") &&
           array(a, &tsr_def_TTNN_PLACEMENT, false, &params[0]) && mesh_override(a, &params[1]);
}

bool attr_TTNN_MESH_COMPOSER(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<dims = ") && array(a, NULL, true, &params[0]) &&
           mesh_override(a, &params[1]);
}

/* ---- Others ---- */

bool attr_TTNN_UNARY_WITH_PARAM(tsr_asm *a, tsr_attr **params)
{
    TSR_TRY(tsr_asm_lit(a, "<op_type = ") && tsr_asm_enum(a, &tsr_def_TTNN_UNARY_OP, &params[0]));
    if (tsr_asm_maybe(a, ", ", params[1] != NULL))
        TSR_TRY(tsr_asm_lit(a, "params = ") && array(a, NULL, true, &params[1]));
    return tsr_asm_lit(a, ">");
}

bool attr_TTNN_CONV2D_SLICE_CONFIG(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && tsr_asm_enum(a, &tsr_def_TTNN_SLICE_TYPE, &params[0]) &&
           tsr_asm_lit(a, ", ") && number(a, &params[1]) && tsr_asm_lit(a, ">");
}

bool attr_TTNN_TRACE_ID(tsr_asm *a, tsr_attr **params)
{
    (void)a;
    (void)params;
    return true;
}
