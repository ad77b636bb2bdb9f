/* SPDX-License-Identifier: Apache-2.0 */
/* test_axis.c - arithmetic of axes, parts of them and lists of them. */
#include "shard/core/invariants.h"
#include "unit.h"

enum { X, Y };

static tsr_axis part(uint32_t axis, int64_t pre, int64_t size)
{
    return (tsr_axis){axis, pre, size};
}

static bool is(tsr_axis a, int64_t pre, int64_t size)
{
    return a.pre == pre && a.size == size;
}

static void one_axis(unit *u)
{
    tsr_axis x = part(X, 1, 16), lo = part(X, 1, 2), mid = part(X, 2, 4), hi = part(X, 8, 2), out,
             rest;
    tsr_axis y = part(Y, 1, 16), one = part(Y, 1, 1);
    CHECK(u, tsr_axis_overlaps(x, mid) && tsr_axis_overlaps(mid, x) &&
                 !tsr_axis_overlaps(lo, mid) && !tsr_axis_overlaps(mid, hi) &&
                 !tsr_axis_overlaps(x, y) && tsr_axis_overlaps(one, one));
    CHECK(u,
          tsr_axis_contains(x, mid) && !tsr_axis_contains(mid, x) && tsr_axis_contains(mid, mid));
    CHECK(u, tsr_axis_prefix_of(lo, x) && !tsr_axis_prefix_of(mid, x) &&
                 tsr_axis_suffix_of(hi, x) && !tsr_axis_suffix_of(mid, x));
    CHECK(u, tsr_axis_less(lo, x) && tsr_axis_less(x, mid) && tsr_axis_less(hi, y));
    CHECK(u, tsr_axis_can_merge(lo, mid) && !tsr_axis_can_merge(mid, lo) &&
                 !tsr_axis_can_merge(one, one));
    CHECK(u, is(tsr_axis_merge(tsr_axis_merge(lo, mid), hi), 1, 16));
    CHECK(u, is(tsr_axis_split(mid, 2, &rest), 2, 2) && is(rest, 4, 2));
    CHECK(u, tsr_axis_before(x, mid, &out) && is(out, 1, 2) && !tsr_axis_before(mid, x, &out) &&
                 tsr_axis_before(lo, mid, &out) && is(out, 1, 2));
    CHECK(u, tsr_axis_behind(x, mid, &out) && is(out, 8, 2) && !tsr_axis_behind(mid, x, &out));
    CHECK(u, tsr_axis_common(x, mid, &out) && is(out, 2, 4) && !tsr_axis_common(lo, hi, &out));
    CHECK(u, tsr_axis_common_prefix(x, lo, &out) && is(out, 1, 2) &&
                 !tsr_axis_common_prefix(x, mid, &out));
    /* 2 and 3 parts of an axis of 6: neither end of one is an end of the other. */
    tsr_axis two = part(X, 1, 2), three = part(X, 1, 3);
    CHECK(u, !tsr_axis_fits(two, three) && !tsr_axis_before(two, three, &out) &&
                 tsr_axis_fits(two, part(X, 2, 3)));
    CHECK(u, tsr_gcd(12, 18) == 6 && tsr_gcd(7, 4) == 1 && tsr_gcd(0, 5) == 5);
}

static void lists_of_axes(unit *u)
{
    tsr_arena arena;
    tsr_axis_lists lists;
    tsr_arena_init(&arena);
    tsr_axis_lists_init(&lists, &arena);
#define LIST(...) \
    tsr_axes_get(&lists, (tsr_axis[]){__VA_ARGS__}, TSR_COUNT(((tsr_axis[]){__VA_ARGS__})))
    tsr_axis x = part(X, 1, 4), y = part(Y, 1, 2), x1 = part(X, 1, 2), x2 = part(X, 2, 2);
    const tsr_axes *none = lists.none, *xy = LIST(x, y), *just_x = LIST(x), *part_x = LIST(x1);
    CHECK(u, xy == LIST(x, y) && xy != LIST(y, x) && xy->size == 8 && !none->n && none->size == 1);
    CHECK(u, tsr_axes_prefix(just_x, xy) == TSR_STRICT_PREFIX &&
                 tsr_axes_prefix(xy, xy) == TSR_SAME_AXES &&
                 tsr_axes_prefix(xy, just_x) == TSR_NOT_PREFIX &&
                 tsr_axes_prefix(none, xy) == TSR_STRICT_PREFIX &&
                 tsr_axes_prefix(part_x, xy) == TSR_STRICT_PREFIX &&
                 tsr_axes_prefix(LIST(x1, y), xy) == TSR_NOT_PREFIX);
    CHECK(u, tsr_axes_overlap(xy, LIST(x2)) && !tsr_axes_overlap(LIST(y), just_x));
    CHECK(u, tsr_axes_before(&lists, xy, LIST(x2)) == part_x &&
                 tsr_axes_before(&lists, xy, LIST(y)) == just_x &&
                 tsr_axes_before(&lists, xy, LIST(x1)) == none &&
                 tsr_axes_before(&lists, just_x, LIST(y)) == just_x);
    CHECK(u, tsr_axes_common_prefix(&lists, xy, LIST(x1, y)) == part_x &&
                 tsr_axes_common_prefix(&lists, xy, just_x) == just_x &&
                 tsr_axes_common_prefix(&lists, LIST(y), xy) == none);
    CHECK(u, tsr_axes_minus(&lists, xy, LIST(x1)) == LIST(x2, y) &&
                 tsr_axes_minus(&lists, xy, LIST(y)) == just_x &&
                 tsr_axes_minus(&lists, xy, xy) == none);
    CHECK(u, tsr_axes_sorted(&lists, LIST(y, x2, x1)) == xy);
    CHECK(u, tsr_axes_join(&lists, part_x, LIST(x2, y)) == xy &&
                 tsr_axes_join(&lists, none, xy) == xy &&
                 tsr_axes_join(&lists, LIST(x2), part_x) == LIST(x2, x1));
    CHECK(u, tsr_axes_cut(&lists, xy, 1, NULL) == just_x &&
                 tsr_axes_cut(&lists, xy, 0, &x1) == part_x);
    tsr_axis large = part(X, 1, INT64_MAX / 2);
    CHECK(u, LIST(large, part(Y, 1, 4))->size == INT64_MAX);
    tsr_axis_lists_free(&lists);
    tsr_arena_free(&arena);
}

/* The checks of builds with DEBUG=1 find each mistake. */
static void mistakes(unit *u)
{
    tsr_arena arena;
    tsr_axis_lists lists;
    tsr_arena_init(&arena);
    tsr_axis_lists_init(&lists, &arena);
    const int64_t sizes[] = {16, 6};
    tsr_mesh mesh = {.naxis = 2, .sizes = sizes, .ndevice = 96};
    tsr_axis good[] = {part(X, 1, 2), part(Y, 1, 3), part(X, 2, 4)};
    tsr_axis twice[] = {part(X, 1, 4), part(X, 2, 4)}, odd[] = {part(Y, 1, 4)},
             other[] = {part(2, 1, 4)};
    CHECK(u, tsr_axes_sound(tsr_axes_get(&lists, good, 3), &mesh) &&
                 tsr_axes_sound(lists.none, &mesh));
    CHECK(u, !tsr_axes_sound(tsr_axes_get(&lists, twice, 2), &mesh) &&
                 !tsr_axes_sound(tsr_axes_get(&lists, odd, 1), &mesh) &&
                 !tsr_axes_sound(tsr_axes_get(&lists, other, 1), &mesh));
    const tsr_axes *first = tsr_axes_get(&lists, good, 1),
                   *last = tsr_axes_get(&lists, good + 2, 1), *all = tsr_axes_get(&lists, good, 3);
    CHECK(u, tsr_axes_disjoint((const tsr_axes *[]){first, lists.none, last}, 3) &&
                 !tsr_axes_disjoint((const tsr_axes *[]){first, last, all}, 3));
    const int64_t order[] = {2, 0, 1, 3}, again[] = {2, 0, 2, 3}, far[] = {4, 0, 1, 2};
    CHECK(u, tsr_is_permutation(order, 4) && !tsr_is_permutation(again, 4) &&
                 !tsr_is_permutation(far, 4) && tsr_is_permutation(order, 0));
    tsr_axis_lists_free(&lists);
    tsr_arena_free(&arena);
}

void test_axis(unit *u)
{
    mistakes(u);
    one_axis(u);
    lists_of_axes(u);
}
