/* SPDX-License-Identifier: Apache-2.0 */
/* axes.c - see axes.h. */
#include "dialect/sdy/axes.h"

/* ---- Sets and meshes ---- */

static bool in_map(const tsr_map *map, const void *p)
{
    TSR_MAP_EACH (map, tsr_hash_ptr(p), v)
        if (v == p)
            return true;
    return false;
}

bool tsr_ptr_set_has(const tsr_ptr_set *s, const void *p)
{
    if (s->many.n)
        return in_map(&s->many, p);
    for (uint32_t i = 0; i < s->n; i++)
        if (s->few[i] == p)
            return true;
    return false;
}

bool tsr_ptr_set_add(tsr_ptr_set *s, const void *p)
{
    if (tsr_ptr_set_has(s, p))
        return false;
    if (s->n < TSR_COUNT(s->few) && !s->many.n) {
        s->few[s->n++] = p;
        return true;
    }
    for (uint32_t i = 0; i < s->n; i++)
        tsr_map_put(&s->many, tsr_hash_ptr(s->few[i]), (void *)s->few[i]);
    s->n = 0;
    tsr_map_put(&s->many, tsr_hash_ptr(p), (void *)p);
    return true;
}

void tsr_ptr_set_free(tsr_ptr_set *s)
{
    tsr_map_free(&s->many);
    *s = (tsr_ptr_set){.n = 0};
}

enum { FEW_AXES = 16 };

void tsr_sdy_mesh_axes_init(tsr_sdy_mesh_axes *m, tsr_ctx *ctx, const tsr_attr *mesh)
{
    *m = (tsr_sdy_mesh_axes){.ctx = ctx, .mesh = mesh};
    const tsr_attr *axes = mesh->attrs[SDY_MESH_axes];
    if (axes->n <= FEW_AXES)
        return;
    for (uint32_t i = 0; i < axes->n; i++)
        tsr_map_put(&m->many, tsr_hash_ptr(axes->attrs[i]->attrs[SDY_MESH_AXIS_name]),
                    &axes->attrs[i]);
}

void tsr_sdy_mesh_axes_free(tsr_sdy_mesh_axes *m)
{
    tsr_map_free(&m->many);
}

uint32_t tsr_sdy_axis_index(const tsr_sdy_mesh_axes *m, const tsr_attr *name)
{
    const tsr_attr *axes = m->mesh->attrs[SDY_MESH_axes];
    if (axes->n > FEW_AXES) {
        TSR_MAP_EACH (&m->many, tsr_hash_ptr(name), v)
            if ((*(tsr_attr **)v)->attrs[SDY_MESH_AXIS_name] == name)
                return (uint32_t)((tsr_attr **)v - axes->attrs);
        return axes->n;
    }
    uint32_t i = 0;
    while (i < axes->n && axes->attrs[i]->attrs[SDY_MESH_AXIS_name] != name)
        i++;
    return i;
}

int64_t tsr_sdy_axis_full_size(const tsr_sdy_mesh_axes *m, const tsr_attr *name)
{
    const tsr_attr *axes = m->mesh->attrs[SDY_MESH_axes];
    uint32_t i = tsr_sdy_axis_index(m, name);
    return i < axes->n ? axes->attrs[i]->attrs[SDY_MESH_AXIS_size]->i : 1;
}

/* ---- Sizes ---- */

int64_t tsr_sdy_mul(int64_t a, int64_t b)
{
    if (!a || !b)
        return 0;
    if (a == INT64_MIN || b == INT64_MIN)
        return a == 1 || b == 1 ? INT64_MIN : (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
    uint64_t x = (uint64_t)(a < 0 ? -a : a), y = (uint64_t)(b < 0 ? -b : b);
    if (x > (uint64_t)INT64_MAX / y)
        return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
    return a * b;
}

static const tsr_attr *sub_of(const tsr_attr *axis)
{
    return axis->attrs[SDY_AXIS_REF_sub];
}

static int64_t sub_size(const tsr_attr *axis)
{
    return sub_of(axis)->attrs[SDY_SUB_AXIS_INFO_size]->i;
}

int64_t tsr_sdy_axis_pre(const tsr_attr *axis)
{
    return sub_of(axis) ? sub_of(axis)->attrs[SDY_SUB_AXIS_INFO_pre_size]->i : 1;
}

int64_t tsr_sdy_sub_axis_end(const tsr_attr *axis)
{
    return tsr_sdy_mul(tsr_sdy_axis_pre(axis), sub_size(axis));
}

int64_t tsr_sdy_axis_size(const tsr_sdy_mesh_axes *m, const tsr_attr *axis)
{
    return sub_of(axis) ? sub_size(axis) : tsr_sdy_axis_full_size(m, tsr_sdy_axis_name(axis));
}

static int64_t end_of(const tsr_sdy_mesh_axes *m, const tsr_attr *axis)
{
    return sub_of(axis) ? tsr_sdy_sub_axis_end(axis)
                        : tsr_sdy_axis_full_size(m, tsr_sdy_axis_name(axis));
}

int64_t tsr_sdy_sharded_size(const tsr_sdy_mesh_axes *m, const tsr_attr *axes)
{
    int64_t size = 1;
    for (uint32_t i = 0; i < axes->n; i++)
        size = tsr_sdy_mul(size, tsr_sdy_axis_size(m, axes->attrs[i]));
    return size;
}

/* ---- Order ---- */

/* Parts of one axis. The full axis counts as a part that starts at 1. */
static bool part_less(const tsr_attr *a, const tsr_attr *b)
{
    int64_t pa = tsr_sdy_axis_pre(a), pb = tsr_sdy_axis_pre(b);
    if (!sub_of(a))
        return pb > 1;
    if (!sub_of(b))
        return pa == 1;
    return pa != pb ? pa < pb : sub_size(a) < sub_size(b);
}

bool tsr_sdy_axis_less(const tsr_sdy_mesh_axes *m, const tsr_attr *a, const tsr_attr *b)
{
    const tsr_attr *na = tsr_sdy_axis_name(a), *nb = tsr_sdy_axis_name(b);
    return na == nb ? part_less(a, b) : tsr_sdy_axis_index(m, na) < tsr_sdy_axis_index(m, nb);
}

/* Merge sort: it is stable, and lists may be long. */
static void sort(const tsr_sdy_mesh_axes *m, tsr_attr **axes, tsr_attr **spare, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2, i = 0, k = half, out = 0;
    sort(m, axes, spare, half);
    sort(m, axes + half, spare, n - half);
    while (i < half && k < n)
        spare[out++] = tsr_sdy_axis_less(m, axes[k], axes[i]) ? axes[k++] : axes[i++];
    while (i < half)
        spare[out++] = axes[i++];
    memcpy(axes, spare, out * sizeof *axes); /* the rest of the second half is in place */
}

void tsr_sdy_axes_sort(const tsr_sdy_mesh_axes *m, tsr_sdy_axes *axes)
{
    if (axes->n < 2)
        return;
    tsr_attr **spare = tsr_xmalloc(axes->n * sizeof *spare);
    sort(m, axes->data, spare, axes->n);
    tsr_free(spare);
}

/* ---- Overlap ---- */

bool tsr_sdy_axis_overlaps(const tsr_attr *a, const tsr_attr *b)
{
    if (tsr_sdy_axis_name(a) != tsr_sdy_axis_name(b))
        return false;
    if (!sub_of(a) || !sub_of(b))
        return true;
    return tsr_sdy_axis_pre(a) < tsr_sdy_sub_axis_end(b) &&
           tsr_sdy_axis_pre(b) < tsr_sdy_sub_axis_end(a);
}

static bool contains(const tsr_attr *outer, const tsr_attr *inner)
{
    if (tsr_sdy_axis_name(outer) != tsr_sdy_axis_name(inner))
        return false;
    if (!sub_of(outer))
        return true;
    return sub_of(inner) && tsr_sdy_axis_pre(outer) <= tsr_sdy_axis_pre(inner) &&
           tsr_sdy_sub_axis_end(outer) >= tsr_sdy_sub_axis_end(inner);
}

bool tsr_sdy_axis_suffix_of(const tsr_sdy_mesh_axes *m, const tsr_attr *a, const tsr_attr *b)
{
    return contains(b, a) && end_of(m, a) == end_of(m, b);
}

static bool divides(int64_t a, int64_t b)
{
    return a > 0 && b % a == 0;
}

/* Whether cutting the axis for both gives integral parts. */
static bool fit_together(const tsr_attr *a, const tsr_attr *b)
{
    if (tsr_sdy_axis_name(a) != tsr_sdy_axis_name(b) || !sub_of(a) || !sub_of(b))
        return true;
    int64_t pa = tsr_sdy_axis_pre(a), pb = tsr_sdy_axis_pre(b);
    int64_t ea = tsr_sdy_sub_axis_end(a), eb = tsr_sdy_sub_axis_end(b);
    int64_t pmin = pa < pb ? pa : pb, pmax = pa < pb ? pb : pa;
    int64_t emin = ea < eb ? ea : eb, emax = ea < eb ? eb : ea;
    if (emin > pmax)
        return divides(pmax, emin) && divides(pmin, pmax) && divides(emin, emax);
    return divides(emin, pmax);
}

static tsr_attr *part(tsr_ctx *ctx, const tsr_attr *of, int64_t pre, int64_t size)
{
    tsr_attr *sub =
        tsr_attr_struct(ctx, &tsr_def_SDY_SUB_AXIS_INFO,
                        (tsr_attr *[]){tsr_attr_i64(ctx, pre), tsr_attr_i64(ctx, size)});
    return tsr_attr_struct(ctx, &tsr_def_SDY_AXIS_REF,
                           (tsr_attr *[]){of->attrs[SDY_AXIS_REF_name], sub});
}

tsr_attr *tsr_sdy_axis_before(tsr_ctx *ctx, tsr_attr *a, const tsr_attr *b)
{
    if (!fit_together(a, b))
        return NULL;
    if (!tsr_sdy_axis_overlaps(a, b))
        return a;
    int64_t pa = tsr_sdy_axis_pre(a), pb = tsr_sdy_axis_pre(b);
    return pa <= 0 || pa >= pb ? NULL : part(ctx, a, pa, pb / pa);
}

tsr_attr *tsr_sdy_axis_behind(const tsr_sdy_mesh_axes *m, tsr_attr *a, const tsr_attr *b)
{
    if (!fit_together(a, b))
        return NULL;
    if (!tsr_sdy_axis_overlaps(a, b))
        return a;
    int64_t ea = end_of(m, a), eb = end_of(m, b);
    return eb <= 0 || ea <= eb ? NULL : part(m->ctx, a, eb, ea / eb);
}

/* ---- Lists ---- */

bool tsr_sdy_axis_can_merge(const tsr_attr *a, const tsr_attr *b)
{
    return tsr_sdy_axis_name(a) == tsr_sdy_axis_name(b) && sub_of(a) && sub_of(b) &&
           tsr_sdy_sub_axis_end(a) == tsr_sdy_axis_pre(b);
}

void tsr_sdy_axes_add(const tsr_sdy_mesh_axes *m, tsr_sdy_axes *axes, tsr_attr *axis)
{
    tsr_attr *last = axes->n ? axes->data[axes->n - 1] : NULL;
    if (!last || !tsr_sdy_axis_can_merge(last, axis)) {
        tsr_vec_push(axes, axis);
        return;
    }
    int64_t size = tsr_sdy_mul(sub_size(last), sub_size(axis));
    if (size == tsr_sdy_axis_full_size(m, tsr_sdy_axis_name(last)))
        last = tsr_attr_struct(m->ctx, &tsr_def_SDY_AXIS_REF,
                               (tsr_attr *[]){last->attrs[SDY_AXIS_REF_name], NULL});
    else
        last = part(m->ctx, last, tsr_sdy_axis_pre(last), size);
    axes->data[axes->n - 1] = last;
}

void tsr_sdy_axes_sort_and_merge(const tsr_sdy_mesh_axes *m, tsr_sdy_axes *axes)
{
    tsr_sdy_axes sorted = *axes;
    tsr_sdy_axes_sort(m, &sorted);
    *axes = (tsr_sdy_axes){0};
    for (size_t i = 0; i < sorted.n; i++)
        tsr_sdy_axes_add(m, axes, sorted.data[i]);
    tsr_vec_free(&sorted);
}

tsr_attr *tsr_sdy_axes_overlapping(const tsr_sdy_mesh_axes *m, const tsr_sdy_axes *sorted,
                                   const tsr_attr *axis)
{
    size_t lo = 0, hi = sorted->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (tsr_sdy_axis_less(m, sorted->data[mid], axis))
            lo = mid + 1;
        else
            hi = mid;
    }
    /* Elements before the neighbours cannot overlap axis. */
    if (lo && tsr_sdy_axis_overlaps(sorted->data[lo - 1], axis))
        return sorted->data[lo - 1];
    return lo < sorted->n && tsr_sdy_axis_overlaps(sorted->data[lo], axis) ? sorted->data[lo]
                                                                           : NULL;
}

void tsr_sdy_axes_minus(const tsr_sdy_mesh_axes *m, const tsr_attr *list,
                        const tsr_sdy_axes *sorted, tsr_sdy_axes *out)
{
    for (uint32_t i = 0; i < list->n; i++) {
        tsr_attr *rest = list->attrs[i];
        while (rest) {
            tsr_attr *cut = tsr_sdy_axes_overlapping(m, sorted, rest);
            if (!cut) {
                tsr_vec_push(out, rest);
                break;
            }
            tsr_attr *before = tsr_sdy_axis_before(m->ctx, rest, cut);
            if (before)
                tsr_vec_push(out, before);
            rest = tsr_sdy_axis_behind(m, rest, cut);
        }
    }
}

/* ---- Text ---- */

static void print_sub(tsr_buf *out, const tsr_attr *axis)
{
    if (sub_of(axis))
        tsr_buf_printf(out, ":(%lld)%lld", (long long)tsr_sdy_axis_pre(axis),
                       (long long)sub_size(axis));
}

void tsr_sdy_axis_print(tsr_buf *out, const tsr_attr *axis)
{
    tsr_buf_quoted(out, tsr_sdy_axis_name(axis)->s);
    print_sub(out, axis);
}

void tsr_sdy_axis_print_plain(tsr_buf *out, const tsr_attr *axis)
{
    tsr_buf_str(out, tsr_sdy_axis_name(axis)->s);
    print_sub(out, axis);
}

void tsr_sdy_axes_print(tsr_buf *out, tsr_attr *const *axes, size_t n)
{
    tsr_buf_char(out, '[');
    for (size_t i = 0; i < n; i++) {
        if (i)
            tsr_buf_cstr(out, ", ");
        tsr_sdy_axis_print(out, axes[i]);
    }
    tsr_buf_char(out, ']');
}
