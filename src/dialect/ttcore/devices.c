/* devices.c - assembly of ttcore's attributes that describe devices: grids of cores, maps to memory, layouts of memrefs. */
#include "asm/reader.h"
#include "asm/writer.h"
#include "dialect/hooks.h"
#include "dialect/ttcore/ttcore.h"

/* (d0, d1) -> (d1, d0), without affine_map<...> */
static bool map(tsr_asm *a, tsr_attr **attr)
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
        TSR_TRY(tsr_asm_lit(a, "virt_to_physical_map = ") && map(a, &params[1]) &&
                tsr_asm_lit(a, ", physical_to_virt_map = ") && map(a, &params[2]));
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

/* ---- Devices ---- */

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
    TSR_TRY(tsr_asm_lit(a, "<workerGrid = ") && grid(a, &params[0]) && tsr_asm_lit(a, ", dramGrid = ") &&
            grid(a, &params[1]) && tsr_asm_lit(a, ", l1Map = ") && map(a, &params[2]) &&
            tsr_asm_lit(a, ", dramMap = ") && map(a, &params[3]) && tsr_asm_lit(a, ", meshShape = ") &&
            tsr_asm_tt_shape(a, &params[4]) && tsr_asm_lit(a, ", chipIds = ") && tsr_asm_i64s(a, &params[5]));
    if (tsr_asm_maybe(a, ", ", params[6] != NULL))
        TSR_TRY(tsr_asm_lit(a, "meshTopology = ") && topology_list(a, &params[6]));
    return tsr_asm_lit(a, ">");
}
