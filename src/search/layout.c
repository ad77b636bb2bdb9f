/* layout.c - see layout.h. */
#include "search/layout.h"

#include "shard/core/cost.h"
#include "shard/core/relayout.h"

int64_t tsr_layout_parts_of(const tsr_search_mesh *mesh, tsr_layout l, uint32_t dim)
{
    int64_t n = 1;
    for (uint32_t a = 0; a < mesh->n; a++)
        n *= l.at[a] == dim + 1 ? mesh->sizes[a] : 1;
    return n;
}

double tsr_layout_parts(const tsr_search_mesh *mesh, tsr_layout l)
{
    double n = 1;
    for (uint32_t a = 0; a < mesh->n; a++)
        n *= l.at[a] ? (double)mesh->sizes[a] : 1;
    return n;
}

double tsr_layout_bytes(const tsr_search_mesh *mesh, const tsr_type *type, tsr_layout l)
{
    int64_t n = tsr_local_bytes(type, NULL);
    return n > 0 ? (double)n / tsr_layout_parts(mesh, l) : 0;
}

void tsr_layout_text(tsr_buf *out, const tsr_search_mesh *mesh, const tsr_type *type, tsr_layout l)
{
    uint32_t rank = tsr_type_is(type, TSR_TYPE_TENSOR) ? type->n : 0;
    for (uint32_t d = 0; d < rank; d++) {
        bool some = false;
        tsr_buf_cstr(out, d ? "," : "");
        for (uint32_t a = 0; a < mesh->n; a++)
            if (l.at[a] == d + 1) {
                tsr_buf_cstr(out, some ? "+" : "");
                tsr_buf_str(out, mesh->names[a]);
                some = true;
            }
        if (!some)
            tsr_buf_char(out, '_');
    }
}

int64_t tsr_search_stride(const tsr_search_mesh *mesh, uint32_t axis)
{
    int64_t n = 1;
    for (uint32_t a = axis + 1; a < mesh->n; a++)
        n *= mesh->sizes[a];
    return n;
}

/* ---- Moves ---- */

typedef struct {
    const tsr_type *type;
    tsr_layout from, to;
    double seconds;
} known_move;

void tsr_moves_init(tsr_moves *m, tsr_arena *arena, const tsr_search_mesh *mesh,
                    const tsr_device *device)
{
    *m = (tsr_moves){.arena = arena, .mesh = mesh, .device = device};
    tsr_axis_lists_init(&m->lists, arena);
}

void tsr_moves_free(tsr_moves *m)
{
    tsr_axis_lists_free(&m->lists);
    tsr_map_free(&m->known);
}

static const tsr_axes *axes_of(tsr_moves *m, tsr_layout l, uint32_t dim)
{
    tsr_axis axes[TSR_SEARCH_AXES];
    uint32_t n = 0;
    for (uint32_t a = 0; a < m->mesh->n; a++)
        if (l.at[a] == dim + 1)
            axes[n++] = (tsr_axis){a, 1, m->mesh->sizes[a]};
    return tsr_axes_get(&m->lists, axes, n);
}

/* A collective over some axes: one after the other. */
static double step_seconds(tsr_moves *m, tsr_collective kind, const tsr_axis_list *axes,
                           double *bytes)
{
    double sum = 0;
    uint32_t link;
    for (uint32_t i = 0; i < axes->n; i++) {
        tsr_axis a = axes->data[i];
        int64_t stride =
            tsr_search_stride(m->mesh, a.axis) * (m->mesh->sizes[a.axis] / tsr_axis_end(a));
        tsr_sim_group g = tsr_sim_group_of(m->device, a.size, stride);
        sum += tsr_time_collective(m->device, kind, *bytes, &g, &link);
        *bytes *= kind == TSR_COLLECTIVE_GATHER ? (double)a.size : 1;
    }
    return sum;
}

static double plan_seconds(tsr_moves *m, const tsr_type *type, tsr_layout from, tsr_layout to)
{
    const tsr_axes *a[16], *b[16];
    if (!tsr_type_is(type, TSR_TYPE_TENSOR) || type->n > TSR_COUNT(a))
        return 0;
    for (uint32_t d = 0; d < type->n; d++) {
        a[d] = axes_of(m, from, d);
        b[d] = axes_of(m, to, d);
    }
    tsr_arena_mark mark = tsr_arena_save(m->arena);
    tsr_relayout r = {type->n, type->dims, a, b, true};
    double bytes = tsr_layout_bytes(m->mesh, type, from), sum = 0;
    for (const tsr_relayout_step *s = tsr_relayout_plan(m->arena, &r); s; s = s->next) {
        if (s->kind == TSR_STEP_ALL_TO_ALL)
            sum += step_seconds(m, TSR_COLLECTIVE_EXCHANGE, &s->axes[0], &bytes);
        for (uint32_t d = 0; d < type->n && s->kind == TSR_STEP_GATHER; d++)
            sum += step_seconds(m, TSR_COLLECTIVE_GATHER, &s->axes[d], &bytes);
        double before = bytes;
        for (uint32_t d = 0; d < type->n && s->kind == TSR_STEP_SLICE; d++)
            for (uint32_t i = 0; i < s->axes[d].n; i++)
                bytes /= (double)s->axes[d].data[i].size;
        if (s->kind == TSR_STEP_SLICE) /* a kernel, as the simulator has it */
            sum += tsr_time_pass(m->device, 0, before + bytes) + m->device->launch;
        if (s->kind == TSR_STEP_PERMUTE) {
            tsr_sim_group g = tsr_sim_group_of(m->device, 2, tsr_search_stride(m->mesh, 0));
            uint32_t link;
            sum += tsr_time_collective(m->device, TSR_COLLECTIVE_PERMUTE, bytes, &g, &link);
        }
    }
    tsr_arena_rewind(m->arena, mark);
    return sum;
}

double tsr_moves_seconds(tsr_moves *m, const tsr_type *type, tsr_layout from, tsr_layout to)
{
    if (tsr_layout_eq(from, to))
        return 0;
    uint64_t hash = tsr_hash_ptr(type);
    for (uint32_t i = 0; i < TSR_SEARCH_AXES; i++)
        hash = (hash ^ (from.at[i] * 17u + to.at[i])) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
    TSR_MAP_EACH (&m->known, hash, v) {
        const known_move *k = v;
        if (k->type == type && tsr_layout_eq(k->from, from) && tsr_layout_eq(k->to, to))
            return k->seconds;
    }
    double seconds = plan_seconds(m, type, from, to);
    known_move *k = TSR_NEW(m->arena, known_move);
    *k = (known_move){type, from, to, seconds};
    tsr_map_put(&m->known, hash, k);
    return seconds;
}
