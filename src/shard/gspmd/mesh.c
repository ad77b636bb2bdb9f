/* SPDX-License-Identifier: Apache-2.0 */
/* mesh.c - derives meshes from GSPMD's shardings.
 *
 * A sharding does not name axes: it says which device has which part. The devices are at positions 0, 1, ... of a line,
 * in the order of their numbers or in another one. Along each size of a tile the position advances by one stride, or by
 * a few strides in turn, the digits:
 *
 *   devices=[2,4]<=[4,2]T(1,0)     2 parts at stride 1, 4 parts at stride 2
 *
 * The mesh is cut into axes at all strides, sorted, at which digits of some sharding begin or end. Each stride must
 * divide the next one; a sharding that breaks this, or that has no digits in this device order, gets its own mesh. */
#include "shard/gspmd/gspmd.h"

#include <stdlib.h>

typedef struct {
    uint32_t dim; /* of the tile */
    int64_t size, stride;
} digit;

typedef TSR_VEC(digit) digit_vec;

static bool is_unordered(const tsr_gspmd *s, uint32_t dim)
{
    return dim >= s->tile.n - s->nlast &&
           s->last[dim - (s->tile.n - s->nlast)] == TSR_GSPMD_REPLICATED;
}

static int64_t place_at(const tsr_gspmd_mesh *m, const tsr_gspmd *s, int64_t q)
{
    int64_t device = tsr_gspmd_device(s, q);
    return m->at.n ? m->at.data[device] : device;
}

/* The index of the part at position q of the tile; devices with the same part share it. */
static int64_t part_of(const tsr_gspmd *s, int64_t q)
{
    int64_t part = 0, stride = 1;
    for (uint32_t d = s->tile.n; d-- > 0; q /= s->tile.data[d]) {
        if (is_unordered(s, d))
            continue;
        part += q % s->tile.data[d] * stride;
        stride *= s->tile.data[d];
    }
    return part;
}

/* Digits of one size k of the tile, whose parts are step apart: least has the first position of each part. Minor digits
 * first. */
static bool find_digits(const int64_t *least, uint32_t dim, int64_t k, int64_t step, digit_vec *out)
{
    for (int64_t done = 1; done < k;) {
        int64_t stride = least[step * done], run = 1, size = 1;
        while (run < k / done && least[step * done * run] == stride * run)
            run++;
        for (int64_t m = run; m > 1 && size == 1; m--)
            size = k / done % m == 0 ? m : 1;
        if (size == 1 || stride < 1)
            return false;
        tsr_vec_push(out, ((digit){dim, size, stride}));
        done *= size;
    }
    return true;
}

/* Whether every device has the part that its digits give. */
static bool digits_hold(const tsr_gspmd_mesh *m, const tsr_gspmd *s, const digit_vec *digits,
                        int64_t n)
{
    for (int64_t q = 0; q < n; q++) {
        int64_t place = place_at(m, s, q), rest = q, at[TSR_GSPMD_DIMS];
        for (uint32_t d = s->tile.n; d-- > 0; rest /= s->tile.data[d])
            at[d] = rest % s->tile.data[d];
        for (size_t i = 0; i < digits->n; i++) {
            const digit *g = &digits->data[i];
            if (place / g->stride % g->size != at[g->dim] % g->size)
                return false;
            at[g->dim] /= g->size;
        }
    }
    return true;
}

static bool digits_of(const tsr_gspmd_mesh *m, const tsr_gspmd *s, digit_vec *out)
{
    int64_t n = tsr_gspmd_devices(s), step = 1;
    int64_t *least = tsr_xmalloc((size_t)n * sizeof *least);
    for (int64_t i = 0; i < n; i++)
        least[i] = INT64_MAX;
    for (int64_t q = 0; q < n; q++) {
        int64_t part = part_of(s, q), place = place_at(m, s, q);
        least[part] = place < least[part] ? place : least[part];
    }
    bool ok = true;
    out->n = 0;
    for (uint32_t d = s->tile.n; ok && d-- > 0;) {
        if (is_unordered(s, d))
            continue;
        ok = find_digits(least, d, s->tile.data[d], step, out);
        step *= s->tile.data[d];
    }
    tsr_free(least);
    return ok && digits_hold(m, s, out, n);
}

/* ---- Cuts ---- */

static void add_cut(tsr_i64_vec *cuts, int64_t stride)
{
    size_t i = cuts->n;
    while (i > 0 && cuts->data[i - 1] > stride)
        i--;
    if (i > 0 && cuts->data[i - 1] == stride)
        return;
    tsr_vec_push(cuts, 0);
    memmove(cuts->data + i + 1, cuts->data + i, (cuts->n - 1 - i) * sizeof *cuts->data);
    cuts->data[i] = stride;
}

static bool is_chain(const tsr_i64_vec *cuts)
{
    for (size_t i = 1; i < cuts->n; i++)
        if (cuts->data[i] % cuts->data[i - 1] != 0)
            return false;
    return true;
}

/* Cuts the mesh where s needs it. False: s does not fit, and the mesh is unchanged. */
static bool cut_for(tsr_gspmd_mesh *m, const tsr_gspmd *s)
{
    digit_vec digits = {0};
    tsr_i64_vec cuts = {0};
    for (size_t i = 0; i < m->strides.n; i++)
        tsr_vec_push(&cuts, m->strides.data[i]);
    bool ok = tsr_gspmd_devices(s) == m->strides.data[m->strides.n - 1] && digits_of(m, s, &digits);
    for (size_t i = 0; ok && i < digits.n; i++) {
        add_cut(&cuts, digits.data[i].stride);
        add_cut(&cuts, digits.data[i].stride * digits.data[i].size);
    }
    ok = ok && is_chain(&cuts);
    if (ok) {
        tsr_i64_vec old = m->strides;
        m->strides = cuts;
        cuts = old;
    }
    tsr_vec_free(&cuts);
    tsr_vec_free(&digits);
    return ok;
}

/* ---- Meshes ---- */

static void mesh_free(tsr_gspmd_mesh *m)
{
    tsr_vec_free(&m->order);
    tsr_vec_free(&m->at);
    tsr_vec_free(&m->strides);
    tsr_vec_free(&m->names);
}

void tsr_gspmd_meshes_free(tsr_gspmd_meshes *m)
{
    for (size_t i = 0; i < m->all.n; i++)
        mesh_free(&m->all.data[i]);
    tsr_vec_free(&m->all);
}

/* A mesh of n devices in the order of s; NULL: in increasing order. */
static tsr_gspmd_mesh mesh_of(const tsr_gspmd *s, int64_t n)
{
    tsr_gspmd_mesh m = {0};
    tsr_vec_push(&m.strides, 1);
    if (n > 1)
        tsr_vec_push(&m.strides, n);
    for (int64_t q = 0; s && q < n; q++) {
        tsr_vec_push(&m.order, tsr_gspmd_device(s, q));
        tsr_vec_push(&m.at, 0);
    }
    for (int64_t q = 0; s && q < n; q++)
        m.at.data[m.order.data[q]] = q;
    return m;
}

/* Builds one mesh for all of them, with this device order. */
static bool one_mesh(tsr_gspmd_meshes *m, const tsr_gspmd *order, const tsr_gspmd *const *tiled,
                     size_t n)
{
    tsr_gspmd_mesh mesh = mesh_of(order, m->devices);
    for (size_t i = 0; i < n; i++)
        if (!cut_for(&mesh, tiled[i])) {
            mesh_free(&mesh);
            return false;
        }
    tsr_vec_push(&m->all, mesh);
    return true;
}

static bool some_mesh(tsr_gspmd_meshes *m, const tsr_gspmd *s)
{
    for (size_t i = 0; i < m->all.n; i++)
        if (cut_for(&m->all.data[i], s))
            return true;
    return one_mesh(m, NULL, &s, 1) || one_mesh(m, s, &s, 1);
}

void tsr_gspmd_meshes_make(tsr_gspmd_meshes *m, const tsr_gspmd *const *tiled, size_t n)
{
    enum { MOST_ORDERS = 64 };
    if (one_mesh(m, NULL, tiled, n))
        return;
    for (size_t i = 0; i < n && i < MOST_ORDERS; i++)
        if (one_mesh(m, tiled[i], tiled, n))
            return;
    for (size_t i = 0; i < n; i++)
        some_mesh(m, tiled[i]);
}

void tsr_gspmd_place_free(tsr_gspmd_place *p)
{
    tsr_vec_free(&p->axes);
}

/* The axes of each digit, major first; digits are minor first, and those of the last sizes come first. */
static bool place_on(const tsr_gspmd_mesh *m, const tsr_gspmd *s, tsr_gspmd_place *out)
{
    digit_vec digits = {0};
    bool ok = tsr_gspmd_devices(s) == m->strides.data[m->strides.n - 1] && digits_of(m, s, &digits);
    out->axes.n = 0;
    for (uint32_t d = 0; ok && d < s->tile.n; d++) {
        out->first[d] = (uint32_t)out->axes.n;
        for (size_t i = digits.n; ok && i-- > 0;) {
            const digit *g = &digits.data[i];
            if (g->dim != d)
                continue;
            int64_t end = g->stride * g->size;
            for (size_t a = m->strides.n - 1; a-- > 0;)
                if (m->strides.data[a] >= g->stride && m->strides.data[a + 1] <= end) {
                    tsr_vec_push(&out->axes, (uint32_t)a);
                    end = m->strides.data[a];
                }
            ok = end == g->stride;
        }
    }
    out->first[s->tile.n] = (uint32_t)out->axes.n;
    tsr_vec_free(&digits);
    return ok;
}

bool tsr_gspmd_place_of(const tsr_gspmd_meshes *m, const tsr_gspmd *s, tsr_gspmd_place *out)
{
    for (uint32_t i = 0; i < m->all.n; i++)
        if (place_on(&m->all.data[i], s, out)) {
            out->mesh = i;
            return true;
        }
    return false;
}
