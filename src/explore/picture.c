/* SPDX-License-Identifier: Apache-2.0 */
/* picture.c - draws meshes and the division of tensors with box characters, for a terminal. */
#include "explore/graph.h"

/* A grid of cells that contain text. Larger grids are not drawn, as nobody would read them. */
enum { CELLS_MOST = 64 };

typedef struct {
    int64_t down, across;
    tsr_buf cells[CELLS_MOST]; /* row by row */
} grid;

static size_t width_of(const grid *g)
{
    size_t most = 1;
    for (int64_t i = 0; i < g->down * g->across; i++)
        most = g->cells[i].len > most ? g->cells[i].len : most;
    return most;
}

/* "├───┼───┤" */
static void rule(tsr_buf *out, const grid *g, size_t width, const char *left, const char *middle,
                 const char *right)
{
    tsr_buf_cstr(out, "  ");
    for (int64_t i = 0; i < g->across; i++) {
        tsr_buf_cstr(out, i ? middle : left);
        for (size_t k = 0; k < width + 2; k++)
            tsr_buf_cstr(out, "─");
    }
    tsr_buf_cstr(out, right);
    tsr_buf_char(out, '\n');
}

static void draw(tsr_buf *out, grid *g)
{
    size_t width = width_of(g);
    rule(out, g, width, "┌", "┬", "┐");
    for (int64_t r = 0; r < g->down; r++) {
        if (r)
            rule(out, g, width, "├", "┼", "┤");
        tsr_buf_cstr(out, "  ");
        for (int64_t c = 0; c < g->across; c++) {
            tsr_buf *cell = &g->cells[r * g->across + c];
            tsr_buf_cstr(out, "│ ");
            tsr_buf_str(out, tsr_buf_text(cell));
            for (size_t k = cell->len; k < width + 1; k++)
                tsr_buf_char(out, ' ');
        }
        tsr_buf_cstr(out, "│\n");
    }
    rule(out, g, width, "└", "┴", "┘");
    for (int64_t i = 0; i < g->down * g->across; i++)
        tsr_buf_free(&g->cells[i]);
}

/* ---- Meshes ---- */

static int64_t device_at(const tsr_mesh *mesh, int64_t place)
{
    const tsr_attr *ids = mesh->attr->attrs[SDY_MESH_device_ids];
    return ids && tsr_attr_count(ids) > place ? tsr_attr_int_at(ids, (size_t)place) : place;
}

static void name_text(tsr_buf *out, tsr_str name)
{
    tsr_text_visible(out, name, TSR_VISIBLE_TEXT);
}

static void mesh_picture(tsr_buf *out, const tsr_mesh *mesh)
{
    tsr_buf_cstr(out, "mesh @");
    name_text(out, mesh->ref->s);
    tsr_buf_char(out, ':');
    for (uint32_t k = 0; k < mesh->naxis; k++) {
        tsr_buf_cstr(out, k ? ", " : " ");
        name_text(out, tsr_mesh_axis_name(mesh, k)->s);
        tsr_buf_printf(out, "=%lld", (long long)mesh->sizes[k]);
    }
    tsr_buf_printf(out, " (%lld device%s)\n", (long long)mesh->ndevice,
                   mesh->ndevice == 1 ? "" : "s");
    if (mesh->ndevice > CELLS_MOST || mesh->ndevice < 1) {
        tsr_buf_cstr(out, "  too many devices to draw\n");
        return;
    }
    grid g = {.across = mesh->naxis ? mesh->sizes[mesh->naxis - 1] : 1};
    g.down = mesh->ndevice / g.across;
    for (int64_t i = 0; i < mesh->ndevice; i++)
        tsr_buf_int(&g.cells[i], device_at(mesh, i));
    draw(out, &g);
}

/* ---- Cuts ---- */

/* The part along a dimension that the device at this position of the mesh has. */
static int64_t part_of(const tsr_mesh *mesh, const tsr_axes *axes, int64_t place)
{
    int64_t part = 0;
    for (uint32_t i = 0; i < axes->n; i++) {
        tsr_axis a = axes->data[i];
        int64_t minor = 1; /* positions minor to the axis */
        for (uint32_t k = a.axis + 1; k < mesh->naxis; k++)
            minor *= mesh->sizes[k];
        int64_t at = place / minor % mesh->sizes[a.axis];
        part = part * a.size + at / (mesh->sizes[a.axis] / (a.pre * a.size)) % a.size;
    }
    return part;
}

/* The first two dimensions that are divided; rank: none. */
static void find_cut(const tsr_sharding *s, uint32_t *first, uint32_t *second)
{
    *first = *second = s->rank;
    for (uint32_t d = s->rank; d-- > 0;)
        if (s->dims[d].axes->size > 1) {
            *second = *first;
            *first = d;
        }
}

static void cut_picture(tsr_buf *out, const tsr_sharding *s)
{
    uint32_t first, second;
    find_cut(s, &first, &second);
    if (second == s->rank && first && first < s->rank) { /* only columns */
        second = first;
        first = s->rank;
    }
    const tsr_axes *down = first < s->rank ? s->dims[first].axes : NULL,
                   *across = second < s->rank ? s->dims[second].axes : NULL;
    grid g = {.down = down ? down->size : 1, .across = across ? across->size : 1};
    if (s->mesh->ndevice > CELLS_MOST || s->mesh->ndevice < 1 ||
        g.down * g.across > s->mesh->ndevice) {
        tsr_buf_cstr(out, "  too many devices to draw\n");
        return;
    }
    if (down)
        tsr_buf_printf(out, "  dimension %u downwards", first);
    if (across)
        tsr_buf_printf(out, "%s dimension %u across", down ? "," : " ", second);
    tsr_buf_cstr(out, down || across ? "; in each part its devices\n" : "  whole on each device\n");
    for (int64_t i = 0; i < s->mesh->ndevice; i++) {
        int64_t row = down ? part_of(s->mesh, down, i) : 0;
        int64_t col = across ? part_of(s->mesh, across, i) : 0;
        tsr_buf *cell = &g.cells[row * g.across + col];
        tsr_buf_cstr(cell, cell->len ? " " : "");
        tsr_buf_int(cell, device_at(s->mesh, i));
    }
    draw(out, &g);
}

static void value_picture(tsr_buf *out, tsr_shardings *table, const tsr_plan_value *v)
{
    const tsr_sharding *s = tsr_sharding_decode(table, (tsr_attr *)v->sharding);
    tsr_str type = tsr_type_print(v->type);
    tsr_buf cut = {0};
    tsr_graph_cut(&cut, s);
    tsr_buf_printf(out, "\n%.*s ", TSR_STR_ARG(v->name));
    name_text(out, type);
    tsr_buf_char(out, ' ');
    name_text(out, tsr_buf_text(&cut));
    tsr_buf_printf(out, ", each device has %.*s\n", TSR_STR_ARG(v->local));
    if (s)
        cut_picture(out, s);
    tsr_buf_free(&cut);
    tsr_free((void *)type.data);
}

void tsr_plan_picture(tsr_buf *out, tsr_arena *arena, tsr_module *m, const tsr_shard_plan *plan)
{
    tsr_shardings table;
    tsr_shardings_init(&table, arena, m->op);
    for (size_t i = 0; i < plan->meshes.n; i++)
        mesh_picture(out, plan->meshes.data[i]);
    if (!plan->meshes.n)
        tsr_buf_cstr(out, "no mesh: one device\n");
    for (size_t i = 0; i < plan->args.n; i++)
        value_picture(out, &table, &plan->args.data[i]);
    for (size_t i = 0; i < plan->results.n; i++)
        value_picture(out, &table, &plan->results.data[i]);
    tsr_shardings_free(&table);
}
