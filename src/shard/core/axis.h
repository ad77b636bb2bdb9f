/* SPDX-License-Identifier: Apache-2.0 */
/* axis.h - axes of a mesh and their parts (sub-axes) as numbers, and interned lists of them.
 *
 * A tsr_axis is axis i of a mesh, or the sub-axis of it that has pre parts before it and size parts itself: "x":(2)4 of
 * an axis of size 16 is {x, 2, 4}. The whole axis is {x, 1, 16}, so a full axis needs no special case: all queries are
 * about the range from pre to pre * size. Lists are interned: equal lists have equal addresses. */
#ifndef TSR_SHARD_CORE_AXIS_H
#define TSR_SHARD_CORE_AXIS_H

#include "base/arena.h"
#include "base/map.h"
#include "base/round.h"
#include "base/vec.h"

typedef struct {
    uint32_t axis; /* its position in the mesh */
    int64_t pre, size;
} tsr_axis;

typedef TSR_VEC(tsr_axis) tsr_axis_vec;

/* A list, major first. */
typedef struct tsr_axes {
    uint32_t n;
    uint32_t id;  /* dense, in order of creation; the empty list is 0 */
    int64_t size; /* the product of all sizes; saturates at INT64_MAX */
    tsr_axis data[];
} tsr_axes;

typedef struct {
    tsr_arena *arena;
    tsr_map map;
    const tsr_axes *none; /* the empty list */
} tsr_axis_lists;

void tsr_axis_lists_init(tsr_axis_lists *lists, tsr_arena *arena);
void tsr_axis_lists_free(tsr_axis_lists *lists);

/* ---- One axis ---- */

static inline int64_t tsr_axis_end(tsr_axis a)
{
    return a.pre * a.size;
}
static inline bool tsr_axis_eq(tsr_axis a, tsr_axis b)
{
    return a.axis == b.axis && a.pre == b.pre && a.size == b.size;
}
/* An axis of size 1 overlaps itself. */
static inline bool tsr_axis_overlaps(tsr_axis a, tsr_axis b)
{
    return a.axis == b.axis &&
           (tsr_axis_eq(a, b) || (a.pre < tsr_axis_end(b) && b.pre < tsr_axis_end(a)));
}
static inline bool tsr_axis_contains(tsr_axis outer, tsr_axis inner)
{
    return outer.axis == inner.axis && outer.pre <= inner.pre &&
           tsr_axis_end(outer) >= tsr_axis_end(inner);
}
static inline bool tsr_axis_prefix_of(tsr_axis a, tsr_axis b) /* includes a == b */
{
    return a.pre == b.pre && tsr_axis_contains(b, a);
}
static inline bool tsr_axis_suffix_of(tsr_axis a, tsr_axis b) /* includes a == b */
{
    return tsr_axis_end(a) == tsr_axis_end(b) && tsr_axis_contains(b, a);
}
static inline bool tsr_axis_less(tsr_axis a, tsr_axis b) /* by position in the mesh, then by pre */
{
    return a.axis != b.axis ? a.axis < b.axis : a.pre != b.pre ? a.pre < b.pre : a.size < b.size;
}
/* Whether b starts where a ends. */
static inline bool tsr_axis_can_merge(tsr_axis a, tsr_axis b)
{
    return a.axis == b.axis && a.size > 1 && tsr_axis_end(a) == b.pre;
}
static inline tsr_axis tsr_axis_merge(tsr_axis a, tsr_axis b)
{
    tsr_check(tsr_axis_can_merge(a, b), "axis %u starts in parts %lld, not %lld", b.axis,
              (long long)b.pre, (long long)tsr_axis_end(a));
    return (tsr_axis){a.axis, a.pre, a.size * b.size};
}
/* Whether cutting the axis at the ends of both gives integral parts. */
bool tsr_axis_fits(tsr_axis a, tsr_axis b);
/* The part of a before (after) b, or a itself if they do not overlap; the part that both share. False: it is empty, or
 * they do not fit. */
bool tsr_axis_before(tsr_axis a, tsr_axis b, tsr_axis *out);
bool tsr_axis_behind(tsr_axis a, tsr_axis b, tsr_axis *out);
bool tsr_axis_common(tsr_axis a, tsr_axis b, tsr_axis *out);
/* The shorter of the two if it is a prefix of the longer one. False: neither is a prefix of the other. */
bool tsr_axis_common_prefix(tsr_axis a, tsr_axis b, tsr_axis *out);
/* The first size parts of a, which must divide it, and the rest. */
static inline tsr_axis tsr_axis_split(tsr_axis a, int64_t size, tsr_axis *rest)
{
    tsr_assert(size > 0 && a.size % size == 0, "an axis of %lld is split after %lld",
               (long long)a.size, (long long)size);
    if (rest)
        *rest = (tsr_axis){a.axis, a.pre * size, a.size / size};
    return (tsr_axis){a.axis, a.pre, size};
}

/* ---- Lists ---- */

/* The list of these n axes. */
const tsr_axes *tsr_axes_get(tsr_axis_lists *lists, const tsr_axis *axes, size_t n);
/* The first n axes of a, then one more when last is not NULL. */
const tsr_axes *tsr_axes_cut(tsr_axis_lists *lists, const tsr_axes *a, uint32_t n,
                             const tsr_axis *last);

typedef enum {
    TSR_NOT_PREFIX,
    TSR_SAME_AXES,
    TSR_STRICT_PREFIX, /* shorter, or its last axis is a prefix of its counterpart */
} tsr_prefix;

/* How a relates to b. */
tsr_prefix tsr_axes_prefix(const tsr_axes *a, const tsr_axes *b);
static inline bool tsr_axes_strict_prefix(const tsr_axes *a, const tsr_axes *b)
{
    return a != b && tsr_axes_prefix(a, b) == TSR_STRICT_PREFIX;
}
bool tsr_axes_overlap(const tsr_axes *a, const tsr_axes *b);
bool tsr_axes_overlap_axis(const tsr_axes *list, tsr_axis a);
/* Cuts *a to its prefix that overlaps nothing in list. False: there is none. */
bool tsr_axis_before_all(tsr_axis *a, const tsr_axes *list);
/* The longest prefix of a (its last axis cut if needed) that overlaps nothing in b; a itself if nothing does. */
const tsr_axes *tsr_axes_before(tsr_axis_lists *lists, const tsr_axes *a, const tsr_axes *b);
/* The longest list that is a prefix of both. */
const tsr_axes *tsr_axes_common_prefix(tsr_axis_lists *lists, const tsr_axes *a, const tsr_axes *b);
/* The part of a that is not in b, in a's order. */
const tsr_axes *tsr_axes_minus(tsr_axis_lists *lists, const tsr_axes *a, const tsr_axes *b);
/* In mesh order, with neighbours merged. */
const tsr_axes *tsr_axes_sorted(tsr_axis_lists *lists, const tsr_axes *a);
/* a, then b, merged where they meet. */
const tsr_axes *tsr_axes_join(tsr_axis_lists *lists, const tsr_axes *a, const tsr_axes *b);

/* The same on a vector under construction. Appends a, or extends the last axis. */
void tsr_axis_vec_add(tsr_axis_vec *v, tsr_axis a);
void tsr_axis_vec_add_all(tsr_axis_vec *v, const tsr_axis *axes, size_t n); /* without merging */
void tsr_axis_vec_sort(tsr_axis_vec *v);                                    /* also merges */

#endif
