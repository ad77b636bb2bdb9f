/* SPDX-License-Identifier: Apache-2.0 */
/* invariants.c - see invariants.h. */
#include "shard/core/invariants.h"

static bool divides(const tsr_mesh *mesh, tsr_axis a)
{
    return a.axis < mesh->naxis && a.pre > 0 && a.size > 0 &&
           mesh->sizes[a.axis] % tsr_axis_end(a) == 0;
}

bool tsr_axes_sound(const tsr_axes *axes, const tsr_mesh *mesh)
{
    for (uint32_t i = 0; i < axes->n; i++) {
        if (!divides(mesh, axes->data[i]))
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (tsr_axis_overlaps(axes->data[i], axes->data[k]))
                return false;
    }
    return true;
}

bool tsr_axes_disjoint(const tsr_axes *const *lists, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t k = 0; k < i && lists[i]->n; k++)
            if (tsr_axes_overlap(lists[i], lists[k]))
                return false;
    return true;
}

bool tsr_sharding_sound(const tsr_sharding *s)
{
    bool sharded = false;
    for (uint32_t d = 0; d < s->rank + 2; d++) {
        const tsr_axes *axes = d < s->rank    ? s->dims[d].axes
                               : d == s->rank ? s->replicated
                                              : s->unreduced;
        if (!tsr_axes_sound(axes, s->mesh))
            return false;
        for (uint32_t k = 0; k < d && k < s->rank; k++)
            if (tsr_axes_overlap(axes, s->dims[k].axes))
                return false;
        sharded |= d < s->rank && axes->n;
    }
    return sharded == s->sharded && !tsr_axes_overlap(s->replicated, s->unreduced);
}

bool tsr_is_permutation(const int64_t *ids, int64_t n)
{
    tsr_arena scratch;
    tsr_arena_init(&scratch);
    tsr_bitset seen = tsr_bitset_new(&scratch, (size_t)n);
    bool ok = true;
    for (int64_t i = 0; i < n && ok; i++) {
        ok = ids[i] >= 0 && ids[i] < n && !tsr_bitset_has(&seen, (size_t)ids[i]);
        if (ok)
            tsr_bitset_add(&seen, (size_t)ids[i]);
    }
    tsr_arena_free(&scratch);
    return ok;
}

bool tsr_sharding_extends(const tsr_sharding *old, const tsr_sharding *new)
{
    for (uint32_t d = 0; old && new &&d < old->rank &&d < new->rank; d++)
        if (tsr_axes_prefix(old->dims[d].axes, new->dims[d].axes) == TSR_NOT_PREFIX)
            return false;
    return !old || (new && old->rank == new->rank);
}
