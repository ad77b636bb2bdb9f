/* SPDX-License-Identifier: Apache-2.0 */
/* devices.c - assembly of attributes that describe devices: grids of cores, maps to memory, layouts of memrefs. */
#include "asm/reader.h"
#include "asm/writer.h"
#include "dialect/hooks.h"
#include "dialect/ttcore/ttcore.h"

bool tsr_asm_tt_map(tsr_asm *a, tsr_attr **attr)
{
    if (tsr_asm_writing(a)) {
        tsr_write_bare_affine(a->out, *attr);
        return true;
    }
    *attr = tsr_read_bare_map(a->in);
    return *attr != NULL;
}

bool attr_TTCORE_GRID(tsr_asm *a, tsr_attr **params)
{
    TSR_TRY(tsr_asm_lit(a, "<") && tsr_asm_tt_shape(a, &params[0]));
    if (tsr_asm_maybe(a, ", ", params[1] != NULL))
        TSR_TRY(tsr_asm_lit(a, "virt_to_physical_map = ") && tsr_asm_tt_map(a, &params[1]) &&
                tsr_asm_lit(a, ", physical_to_virt_map = ") && tsr_asm_tt_map(a, &params[2]));
    return tsr_asm_lit(a, ">");
}

/* ---- Layouts of memrefs ---- */

static bool strides_and_buffers(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && tsr_asm_tt_shape(a, &params[0]) && tsr_asm_lit(a, ", ") &&
           tsr_asm_i64(a, &params[1]) && tsr_asm_lit(a, ">");
}

bool attr_TTCORE_SHARD(tsr_asm *a, tsr_attr **params)
{
    return strides_and_buffers(a, params);
}

bool attr_TTCORE_CB_LAYOUT(tsr_asm *a, tsr_attr **params)
{
    return strides_and_buffers(a, params);
}

bool attr_TTCORE_INTERLEAVED(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && tsr_asm_tt_shape(a, &params[0]) && tsr_asm_lit(a, ">");
}

bool attr_TTCORE_VIEW(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && tsr_asm_i64(a, &params[0]) && tsr_asm_lit(a, ">");
}

bool attr_TTCORE_HOST_LAYOUT(tsr_asm *a, tsr_attr **params)
{
    TSR_TRY(tsr_asm_lit(a, "<logical_shape = ") && tsr_asm_tt_shape(a, &params[0]) &&
            tsr_asm_lit(a, ", host_strides = ") && tsr_asm_tt_shape(a, &params[1]) &&
            tsr_asm_lit(a, ", host_volume = ") && tsr_asm_i64(a, &params[2]));
    if (tsr_asm_maybe(a, ", ", params[3] != NULL))
        TSR_TRY(tsr_asm_struct(a, &tsr_def_TTCORE_TENSOR_MESH, &params[3]));
    return tsr_asm_lit(a, ">");
}

/* Checks alignments and intervals against the shape: pairs [start, end) of its dimensions, negative ones from the
 * end. */
static bool check_metal(tsr_asm *a, tsr_loc loc, tsr_attr *const *params)
{
    const tsr_attr *align = params[TTCORE_METAL_LAYOUT_dim_alignments];
    const tsr_attr *spans = params[TTCORE_METAL_LAYOUT_collapsed_intervals];
    int64_t rank = tsr_attr_count(params[TTCORE_METAL_LAYOUT_logical_shape]),
            n = tsr_attr_count(align);
    if (n != rank)
        return tsr_asm_error_at(a, loc,
                                "dim_alignments size (%lld) must match logical_shape rank (%lld)",
                                (long long)n, (long long)rank);
    for (int64_t i = 0; i < n; i++)
        if (tsr_attr_int_at(align, (size_t)i) <= 0)
            return tsr_asm_error_at(a, loc, "dim_alignments[%lld] must be positive, got %lld",
                                    (long long)i, (long long)tsr_attr_int_at(align, (size_t)i));
    if (!tsr_attr_is(spans, TSR_ATTR_DENSE) || !tsr_type_is_integer(spans->type->elem, 64))
        return tsr_asm_error_at(a, loc, "collapsed_intervals must be dense elements of i64");
    if (spans->type->n != 2)
        return tsr_asm_error_at(a, loc, "collapsed_intervals must be a 2D array, got rank %u",
                                spans->type->n);
    if (spans->type->dims[1] != 2)
        return tsr_asm_error_at(a, loc,
                                "collapsed_intervals must have pairs (second dim size 2), got %lld",
                                (long long)spans->type->dims[1]);
    for (int64_t i = 0; i < spans->type->dims[0]; i++) {
        int64_t start = tsr_attr_int_at(spans, (size_t)i * 2),
                end = tsr_attr_int_at(spans, (size_t)i * 2 + 1);
        int64_t from = start < 0 ? start + rank : start, to = end < 0 ? end + rank : end;
        if (from < 0 || from >= rank || to < 0 || to > rank)
            return tsr_asm_error_at(a, loc,
                                    "collapsed_intervals %s index %lld (normalized: %lld) is out "
                                    "of bounds for logical_shape rank %lld",
                                    from < 0 || from >= rank ? "start" : "end",
                                    (long long)(from < 0 || from >= rank ? start : end),
                                    (long long)(from < 0 || from >= rank ? from : to),
                                    (long long)rank);
        if (from > to)
            return tsr_asm_error_at(a, loc,
                                    "collapsed_intervals start (%lld) must not exceed end (%lld)",
                                    (long long)start, (long long)end);
    }
    return true;
}

bool attr_TTCORE_METAL_LAYOUT(tsr_asm *a, tsr_attr **params)
{
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(
        tsr_asm_lit(a, "<logical_shape = ") &&
        tsr_asm_tt_shape(a, &params[TTCORE_METAL_LAYOUT_logical_shape]) &&
        tsr_asm_lit(a, ", dim_alignments = ") &&
        tsr_asm_tt_shape(a, &params[TTCORE_METAL_LAYOUT_dim_alignments]) &&
        tsr_asm_lit(a, ", collapsed_intervals = ") &&
        tsr_asm_attr(a, &params[TTCORE_METAL_LAYOUT_collapsed_intervals]) && tsr_asm_lit(a, ", ") &&
        tsr_asm_enum(a, &tsr_def_TTCORE_MEMORY_SPACE, &params[TTCORE_METAL_LAYOUT_memory_space]) &&
        tsr_asm_lit(a, ", ") &&
        tsr_asm_enum(a, &tsr_def_TTCORE_TENSOR_MEMORY_LAYOUT,
                     &params[TTCORE_METAL_LAYOUT_memory_layout]) &&
        tsr_asm_lit(a, ">"));
    return tsr_asm_writing(a) || check_metal(a, loc, params);
}

/* ---- Devices ---- */

bool tsr_asm_tt_place(tsr_asm *a, tsr_attr **attr)
{
    int64_t at[2] = {*attr ? tsr_attr_int_at(*attr, 0) : 0, *attr ? tsr_attr_int_at(*attr, 1) : 0};
    TSR_TRY(tsr_asm_lit(a, "(") && tsr_asm_int(a, &at[0]) && tsr_asm_lit(a, ", ") &&
            tsr_asm_int(a, &at[1]) && tsr_asm_lit(a, ")"));
    if (!tsr_asm_writing(a))
        *attr = tsr_attr_i64_array(a->ctx, at, 2);
    return true;
}

bool attr_TTCORE_CORE_RANGE(tsr_asm *a, tsr_attr **params)
{
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_lit(a, "<") && tsr_asm_tt_place(a, &params[0]) && tsr_asm_lit(a, ", ") &&
            tsr_asm_tt_place(a, &params[1]) && tsr_asm_lit(a, ">"));
    int64_t v[4];
    for (size_t i = 0; i < 4; i++)
        v[i] = tsr_attr_int_at(params[i / 2], i % 2);
    for (size_t i = 0; i < 4 && !tsr_asm_writing(a); i += 2)
        if (v[i] < 0 || v[i + 1] < 0)
            return tsr_asm_error_at(a, loc, "%s coordinates %lldx%lld must be non-negative",
                                    i ? "end" : "start", (long long)v[i], (long long)v[i + 1]);
    return tsr_asm_writing(a) || (v[0] <= v[2] && v[1] <= v[3]) ||
           tsr_asm_error_at(a, loc,
                            "Start coordinates %lldx%lld must be less than or equal to end "
                            "coordinates %lldx%lld",
                            (long long)v[0], (long long)v[1], (long long)v[2], (long long)v[3]);
}

typedef struct {
    tsr_attr *words; /* writing */
    tsr_attr_vec read;
} topologies;

static bool topology(tsr_asm *a, void *user, size_t i)
{
    topologies *t = user;
    tsr_attr *word = t->words ? t->words->attrs[i] : NULL;
    TSR_TRY(tsr_asm_enum(a, &tsr_def_TTCORE_TOPOLOGY, &word));
    if (!tsr_asm_writing(a))
        tsr_vec_push(&t->read, word);
    return true;
}

/* [ring, linear] */
static bool topology_list(tsr_asm *a, tsr_attr **attr)
{
    topologies t = {.words = tsr_asm_writing(a) ? *attr : NULL};
    size_t n = t.words ? t.words->n : 0;
    bool ok = tsr_asm_list(a, "[", "]", &n, topology, &t);
    if (ok && !tsr_asm_writing(a))
        *attr = tsr_attr_array(a->ctx, t.read.data, t.read.n);
    tsr_vec_free(&t.read);
    return ok;
}

bool attr_TTCORE_MESH_TOPOLOGY(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && topology_list(a, &params[0]) && tsr_asm_lit(a, ">");
}

static bool grid(tsr_asm *a, tsr_attr **attr)
{
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_attr(a, attr));
    return tsr_asm_writing(a) || tsr_attr_is_struct(*attr, &tsr_def_TTCORE_GRID) ||
           tsr_asm_error_at(a, loc, "expected a #ttcore.grid");
}

bool attr_TTCORE_DEVICE(tsr_asm *a, tsr_attr **params)
{
    TSR_TRY(tsr_asm_lit(a, "<workerGrid = ") && grid(a, &params[0]) &&
            tsr_asm_lit(a, ", dramGrid = ") && grid(a, &params[1]) &&
            tsr_asm_lit(a, ", l1Map = ") && tsr_asm_tt_map(a, &params[2]) &&
            tsr_asm_lit(a, ", dramMap = ") && tsr_asm_tt_map(a, &params[3]) &&
            tsr_asm_lit(a, ", meshShape = ") && tsr_asm_tt_shape(a, &params[4]) &&
            tsr_asm_lit(a, ", chipIds = ") && tsr_asm_i64s(a, &params[5]));
    if (tsr_asm_maybe(a, ", ", params[6] != NULL))
        TSR_TRY(tsr_asm_lit(a, "meshTopology = ") && topology_list(a, &params[6]));
    return tsr_asm_lit(a, ">");
}
