/* SPDX-License-Identifier: Apache-2.0 */
/* mesh_map.c - see mesh_map.h.
 *
 * If axes can express the order of devices, the position in the other mesh is a sum with one term per axis. Along
 * one axis the term grows in even steps for a while; such a run, cut where axes of the other mesh end, is a
 * sub-axis there. */
#include "shard/core/mesh_map.h"

#include "shard/core/devices.h"

/* Whether the position of every device is the sum of one term per coordinate. */
static bool is_sum(const tsr_mesh_map *m)
{
    for (int64_t i = 0; i < m->from->ndevice; i++) {
        int64_t sum = 0;
        for (uint32_t a = 0; a < m->from->naxis; a++) {
            int64_t size = m->from->sizes[a],
                    stride = tsr_axis_stride(m->from, (tsr_axis){a, 1, size});
            sum += m->place[i / stride % size * stride];
        }
        if (sum != m->place[i])
            return false;
    }
    return true;
}

bool tsr_mesh_map_init(tsr_mesh_map *m, tsr_arena *arena, const tsr_mesh *from, const tsr_mesh *to,
                       bool by_place)
{
    int64_t n = from->ndevice;
    if (from->maximal || to->maximal || from->empty || to->empty || n != to->ndevice ||
        n > TSR_MAX_DEVICES)
        return false;
    *m = (tsr_mesh_map){from, to, TSR_NEW_ARRAY(arena, int64_t, n + 1)};
    int64_t *place_of = TSR_NEW_ARRAY(arena, int64_t, n + 1);
    for (int64_t i = 0; i < n; i++)
        place_of[i] = -1;
    for (int64_t i = 0; i < n; i++) {
        int64_t device = by_place ? i : tsr_device_at(to, i);
        if (device < 0 || device >= n || place_of[device] >= 0)
            return false;
        place_of[device] = i;
    }
    for (int64_t i = 0; i < n; i++) {
        int64_t device = by_place ? i : tsr_device_at(from, i);
        if (device < 0 || device >= n)
            return false;
        m->place[i] = place_of[device];
    }
    return m->place[0] == 0 && is_sum(m);
}

/* The axis of to in which a step of this many positions is, and how many positions it spans; naxis: none. */
static uint32_t axis_at(const tsr_mesh *to, int64_t step, int64_t *stride, int64_t *reach)
{
    *reach = 1;
    for (uint32_t a = to->naxis; a-- > 0;) {
        *stride = *reach;
        *reach *= to->sizes[a];
        if (step < *reach)
            return a;
    }
    return to->naxis;
}

/* Takes a run from the minor end of the rest of an axis: count positions, one every stride in from. *out is the part of
 * an axis of to that runs along the last of them. */
static bool take_run(const tsr_mesh_map *m, int64_t stride, int64_t count, tsr_axis *out)
{
    int64_t step = m->place[stride], base = 1, reach, n = 1;
    uint32_t a = axis_at(m->to, step, &base, &reach);
    if (step < 1 || a == m->to->naxis || step % base || reach % step)
        return false;
    while (n < count && step * n < reach && m->place[n * stride] == n * step)
        n++;
    /* A size that divides both evenly. */
    while (n > 1 && (count % n || (reach / step) % n))
        n--;
    *out = (tsr_axis){a, reach / (step * n), n};
    return n > 1;
}

/* Whether coordinates along part a are independent of the others. */
static bool is_independent(const tsr_mesh_map *m, tsr_axis a)
{
    int64_t size = m->from->sizes[a.axis],
            stride = tsr_axis_stride(m->from, (tsr_axis){a.axis, 1, size});
    int64_t minor = size / tsr_axis_end(a);
    for (int64_t i = 0; i < size; i++) {
        int64_t mid = i / minor % a.size * minor, low = i % minor;
        if (m->place[i * stride] !=
            m->place[(i - mid - low) * stride] + m->place[mid * stride] + m->place[low * stride])
            return false;
    }
    return true;
}

static bool add_axis(const tsr_mesh_map *m, tsr_axis a, tsr_axis_vec *out)
{
    tsr_axis_vec runs = {0}; /* minor first */
    int64_t stride = tsr_axis_stride(m->from, a), left = a.size;
    bool ok = is_independent(m, a);
    int64_t sum_at = 0;
    while (ok && left > 1) {
        tsr_axis run;
        ok = take_run(m, stride, left, &run);
        if (!ok)
            break;
        tsr_vec_push(&runs, run);
        left /= run.size;
        stride *= run.size;
    }
    /* Consecutive runs must make up the whole. */
    stride = tsr_axis_stride(m->from, a);
    for (int64_t i = 0; ok && i < a.size; i++) {
        int64_t rest = i, at = stride;
        sum_at = 0;
        for (size_t k = 0; k < runs.n; k++) {
            sum_at += m->place[rest % runs.data[k].size * at];
            at *= runs.data[k].size;
            rest /= runs.data[k].size;
        }
        ok = sum_at == m->place[i * stride];
    }
    for (size_t i = runs.n; ok && i-- > 0;)
        tsr_axis_vec_add(out, runs.data[i]);
    tsr_vec_free(&runs);
    return ok;
}

const tsr_axes *tsr_mesh_map_axes(const tsr_mesh_map *m, tsr_axis_lists *lists,
                                  const tsr_axes *axes)
{
    tsr_axis_vec out = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < axes->n; i++)
        ok = axes->data[i].size == 1 || add_axis(m, axes->data[i], &out);
    const tsr_axes *made = ok ? tsr_axes_get(lists, out.data, out.n) : NULL;
    tsr_vec_free(&out);
    return made;
}
