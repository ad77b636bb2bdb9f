/* SPDX-License-Identifier: Apache-2.0 */
/* layout.c - see layout.h. */
#include "search/layout.h"

#include "base/round.h"
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

bool tsr_search_mesh_cuts(const tsr_search_mesh *mesh, int64_t size, int64_t parts)
{
    int64_t rest = size % parts;
    return size > 0 && (!rest || (mesh->pads && size > parts && parts - rest <= size / 4));
}

double tsr_layout_bytes(const tsr_search_mesh *mesh, const tsr_type *type, tsr_layout l)
{
    int64_t n = tsr_local_bytes(type, NULL);
    double bytes = n > 0 ? (double)n / tsr_layout_parts(mesh, l) : 0;
    for (uint32_t d = 0; mesh->pads && bytes > 0 && d < type->n; d++) {
        int64_t parts = tsr_layout_parts_of(mesh, l, d), rest = type->dims[d] % parts;
        double size = (double)type->dims[d];
        bytes *= (size + (double)(rest ? parts - rest : 0)) / size;
    }
    return bytes;
}

/* ---- Axes and parts ---- */

bool tsr_search_mesh_split(const tsr_search_mesh *mesh, uint32_t axis, int64_t first,
                           tsr_search_mesh *out)
{
    *out = *mesh;
    if (mesh->n == TSR_SEARCH_AXES || first < 2 || first >= mesh->sizes[axis] ||
        mesh->sizes[axis] % first)
        return false;
    out->n++;
    for (uint32_t a = axis + 1; a < out->n; a++) {
        out->sizes[a] = mesh->sizes[a - 1];
        out->names[a] = mesh->names[a - 1];
        out->more[a] = mesh->more[a - 1];
    }
    out->sizes[axis] = first;
    out->sizes[axis + 1] = mesh->sizes[axis] / first;
    out->more[axis + 1] = true;
    return true;
}

/* The part as a sub-axis of its mesh axis. */
static tsr_axis part_of(const tsr_search_mesh *mesh, uint32_t axis)
{
    tsr_axis part = {0, 1, mesh->sizes[axis]};
    for (uint32_t a = 1; a <= axis; a++) {
        part.pre = mesh->more[a] ? part.pre * mesh->sizes[a - 1] : 1;
        part.axis += !mesh->more[a];
    }
    return part;
}

/* The next axis from *a on that cuts a dimension, merged with the parts that follow it; false: none does. */
static bool next_axis(const tsr_search_mesh *mesh, tsr_layout l, uint32_t dim, uint32_t *a,
                      tsr_axis *out, bool *whole)
{
    while (*a < mesh->n && l.at[*a] != dim + 1)
        ++*a;
    if (*a >= mesh->n)
        return false;
    *out = part_of(mesh, *a);
    *whole = !mesh->more[*a];
    while (++*a < mesh->n && mesh->more[*a] && l.at[*a] == dim + 1)
        out->size *= mesh->sizes[*a];
    *whole &= *a == mesh->n || !mesh->more[*a];
    return true;
}

static void axis_text(tsr_buf *out, tsr_str name, tsr_axis axis, bool whole)
{
    tsr_buf_str(out, name);
    if (!whole)
        tsr_buf_printf(out, ":(%lld)%lld", (long long)axis.pre, (long long)axis.size);
}

void tsr_search_axis_text(tsr_buf *out, const tsr_search_mesh *mesh, uint32_t axis)
{
    bool whole = !mesh->more[axis] && (axis + 1 == mesh->n || !mesh->more[axis + 1]);
    axis_text(out, mesh->names[axis], part_of(mesh, axis), whole);
}

void tsr_search_mesh_text(tsr_buf *out, const tsr_search_mesh *mesh, const char *between)
{
    for (uint32_t a = 0; a < mesh->n;) {
        uint32_t first = a;
        int64_t size = mesh->sizes[a];
        while (++a < mesh->n && mesh->more[a])
            size *= mesh->sizes[a];
        tsr_buf_cstr(out, first ? between : "");
        tsr_buf_str(out, mesh->names[first]);
        tsr_buf_printf(out, "=%lld", (long long)size);
    }
}

bool tsr_search_axis_in(const tsr_search_mesh *mesh, uint32_t axis, tsr_axis whole)
{
    tsr_axis part = part_of(mesh, axis);
    return part.axis == whole.axis && part.pre >= whole.pre &&
           part.pre * part.size <= whole.pre * whole.size;
}

void tsr_layout_text(tsr_buf *out, const tsr_search_mesh *mesh, const tsr_type *type, tsr_layout l)
{
    uint32_t rank = tsr_type_is(type, TSR_TYPE_TENSOR) ? type->n : 0;
    for (uint32_t d = 0; d < rank; d++) {
        bool some = false, whole;
        tsr_axis axis;
        tsr_buf_cstr(out, d ? "," : "");
        for (uint32_t a = 0; next_axis(mesh, l, d, &a, &axis, &whole);) {
            tsr_buf_cstr(out, some ? "+" : "");
            axis_text(out, mesh->names[a - 1], axis, whole);
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

enum { MOST_RANK = 16 };

struct tsr_moves_shape {
    int64_t rank;            /* as wide as dims: no padding, so that bytes can be compared */
    int64_t dims[MOST_RANK]; /* what they have in common with the number of devices */
};

/* The seconds of a move: so many, and so many for each byte. */
typedef struct {
    const tsr_moves_shape *shape;
    tsr_layout from, to;
    double fixed, per_byte;
} known_move;

void tsr_moves_init(tsr_moves *m, const tsr_search_mesh *mesh, const tsr_device_file *device)
{
    *m = (tsr_moves){.mesh = mesh, .device = device};
    tsr_arena_init(&m->arena);
    tsr_axis_lists_init(&m->lists, &m->arena);
}

void tsr_moves_free(tsr_moves *m)
{
    tsr_axis_lists_free(&m->lists);
    tsr_map_free(&m->shapes);
    tsr_map_free(&m->known);
    tsr_arena_free(&m->arena);
}

/* The planner of reshards only asks whether products of sizes of axes divide a dimension. */
const tsr_moves_shape *tsr_moves_shape_of(tsr_moves *m, const tsr_type *type)
{
    tsr_moves_shape own = {0};
    if (!tsr_type_is(type, TSR_TYPE_TENSOR) || type->n > MOST_RANK)
        return NULL;
    int64_t devices = m->mesh->n ? m->mesh->sizes[0] * tsr_search_stride(m->mesh, 0) : 1;
    own.rank = type->n;
    for (uint32_t d = 0; d < type->n; d++)
        own.dims[d] = tsr_gcd(type->dims[d], devices);
    uint64_t hash = tsr_hash_bytes(&own, sizeof own);
    TSR_MAP_EACH (&m->shapes, hash, v)
        if (memcmp(v, &own, sizeof own) == 0)
            return v;
    tsr_moves_shape *made = tsr_arena_copy(&m->arena, &own, sizeof own);
    tsr_map_put(&m->shapes, hash, made);
    return made;
}

static const tsr_axes *axes_of(tsr_moves *m, tsr_layout l, uint32_t dim)
{
    tsr_axis axes[TSR_SEARCH_AXES];
    uint32_t n = 0;
    bool whole;
    for (uint32_t a = 0;
         next_axis(m->mesh, l, dim, &a, &axes[n < TSR_SEARCH_AXES ? n : 0], &whole);)
        n++;
    return tsr_axes_get(&m->lists, axes, n);
}

/* The stride between neighbours along a part of an axis of the mesh. */
static int64_t stride_of(const tsr_search_mesh *mesh, tsr_axis part)
{
    int64_t size = 1;
    uint32_t last = 0;
    for (uint32_t a = 0; a < mesh->n; a++)
        if (part_of(mesh, a).axis == part.axis) {
            size *= mesh->sizes[a];
            last = a;
        }
    return tsr_search_stride(mesh, last) * (size / tsr_axis_end(part));
}

/* A collective over some axes, one axis after the other. */
static double step_seconds(tsr_moves *m, tsr_collective kind, const tsr_axis_list *axes,
                           double *bytes)
{
    double sum = 0;
    uint32_t link;
    for (uint32_t i = 0; i < axes->n; i++) {
        tsr_axis a = axes->data[i];
        int64_t stride = stride_of(m->mesh, a);
        tsr_sim_group g = tsr_sim_group_of(m->device, a.size, stride);
        sum += tsr_time_collective(m->device, kind, *bytes, &g, &link);
        *bytes *= kind == TSR_COLLECTIVE_GATHER ? (double)a.size : 1;
    }
    return sum;
}

/* The steps of a move, for so many bytes in the layout from. */
static double steps_seconds(tsr_moves *m, const tsr_relayout_step *steps, uint32_t rank,
                            double bytes)
{
    double sum = 0;
    for (const tsr_relayout_step *s = steps; s; s = s->next) {
        if (s->kind == TSR_STEP_ALL_TO_ALL)
            sum += step_seconds(m, TSR_COLLECTIVE_EXCHANGE, &s->axes[0], &bytes);
        for (uint32_t d = 0; d < rank && s->kind == TSR_STEP_GATHER; d++)
            sum += step_seconds(m, TSR_COLLECTIVE_GATHER, &s->axes[d], &bytes);
        double before = bytes;
        for (uint32_t d = 0; d < rank && s->kind == TSR_STEP_SLICE; d++)
            for (uint32_t i = 0; i < s->axes[d].n; i++)
                bytes /= (double)s->axes[d].data[i].size;
        if (s->kind == TSR_STEP_SLICE) /* a kernel, as in the simulator */
            sum += tsr_time_pass(m->device, 0, before + bytes) + m->device->launch;
        if (s->kind == TSR_STEP_PERMUTE) {
            tsr_sim_group g = tsr_sim_group_of(m->device, 2, tsr_search_stride(m->mesh, 0));
            uint32_t link;
            sum += tsr_time_collective(m->device, TSR_COLLECTIVE_PERMUTE, bytes, &g, &link);
        }
    }
    return sum;
}

static void plan_move(tsr_moves *m, known_move *k)
{
    static const double few = 1e-9, many = 1e9;
    const tsr_axes *a[MOST_RANK], *b[MOST_RANK];
    for (uint32_t d = 0; d < k->shape->rank; d++) {
        a[d] = axes_of(m, k->from, d);
        b[d] = axes_of(m, k->to, d);
    }
    tsr_arena_mark mark = tsr_arena_save(&m->arena);
    tsr_relayout r = {k->shape->rank, k->shape->dims, a, b, true};
    const tsr_relayout_step *steps = tsr_relayout_plan(&m->arena, &r);
    k->fixed = steps_seconds(m, steps, r.rank, few);
    k->per_byte = (steps_seconds(m, steps, r.rank, many) - k->fixed) / many;
    tsr_arena_rewind(&m->arena, mark);
}

double tsr_moves_seconds(tsr_moves *m, const tsr_moves_shape *shape, tsr_layout from, tsr_layout to,
                         double bytes)
{
    if (!shape || tsr_layout_eq(from, to))
        return 0;
    uint64_t hash = tsr_hash_ptr(shape);
    for (uint32_t i = 0; i < TSR_SEARCH_AXES; i++)
        hash = (hash ^ (from.at[i] * 17u + to.at[i])) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
    TSR_MAP_EACH (&m->known, hash, v) {
        const known_move *k = v;
        if (k->shape == shape && tsr_layout_eq(k->from, from) && tsr_layout_eq(k->to, to))
            return k->fixed + k->per_byte * bytes;
    }
    known_move own = {.shape = shape, .from = from, .to = to};
    plan_move(m, &own); /* which uses the arena for a while */
    tsr_map_put(&m->known, hash, tsr_arena_copy(&m->arena, &own, sizeof own));
    return own.fixed + own.per_byte * bytes;
}
