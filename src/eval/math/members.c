/* SPDX-License-Identifier: Apache-2.0 */
/* members.c - see members.h. */
#include "eval/math/members.h"

/* How many members one value of a list stands for that has at most a block of them. */
static size_t span_of(size_t n)
{
    size_t span = 1;
    while (span <= (n - 1) / TSR_MEMBERS_BLOCK)
        span *= TSR_MEMBERS_BLOCK;
    return span;
}

size_t tsr_members_room(size_t n)
{
    size_t levels = 0;
    for (size_t span = span_of(n); span > 1; span /= TSR_MEMBERS_BLOCK)
        levels++;
    return levels;
}

/* span: a power of the block, of which at most a block are needed for the n members from first on. */
static bool reduce(const tsr_members *m, void *to, size_t first, size_t n, size_t span, char *room)
{
    if (span == 1) {
        bool ok = m->first(m->user, to, first);
        for (size_t i = 1; ok && i < n; i++)
            ok = m->next(m->user, to, first + i);
        return ok;
    }
    bool ok = true;
    for (size_t i = 0; ok && i < n; i += span) {
        size_t some = n - i < span ? n - i : span;
        ok = reduce(m, i ? room : to, first + i, some, span / TSR_MEMBERS_BLOCK, room + m->bytes) &&
             (!i || m->join(m->user, to, room));
    }
    return ok;
}

bool tsr_members_reduce(const tsr_members *m, void *to, size_t n)
{
    return reduce(m, to, 0, n, span_of(n), m->room);
}

/* ---- Arrays ---- */

typedef struct {
    const tsr_fold *fold;
    const tsr_fold_loops *loops;
    size_t done, bytes; /* of the elements that are combined now */
    tsr_member_fn *at;
    const void *user;
} arrays;

static const char *elements(const arrays *a, size_t member)
{
    return (const char *)a->at(a->user, member) + a->done;
}

static bool first_array(void *user, void *to, size_t member)
{
    const arrays *a = user;
    if (elements(a, member) != to)
        memcpy(to, elements(a, member), a->bytes);
    return true;
}

static bool next_array(void *user, void *to, size_t member)
{
    const arrays *a = user;
    tsr_fold_run(a->loops, a->fold, to, elements(a, member));
    return true;
}

static bool join_array(void *user, void *to, void *from)
{
    const arrays *a = user;
    tsr_fold_run(a->loops, a->fold, to, from);
    return true;
}

/* A few elements at a time: they stay in the cache, and results of blocks take little room. */
void tsr_fold_members(const tsr_fold *f, void *to, int64_t count, size_t n, tsr_member_fn *at,
                      const void *user)
{
    enum { SOME = 1 << 15 };
    int64_t size = (int64_t)f->size;
    arrays a = {f, .at = at, .user = user};
    tsr_members m = {&a, first_array, next_array, join_array, SOME, NULL};
    m.room = tsr_members_room(n) ? tsr_xmalloc(tsr_members_room(n) * SOME) : NULL;
    for (size_t bytes = (size_t)(count * size); a.done < bytes; a.done += a.bytes) {
        tsr_fold_loops loops;
        a.bytes = bytes - a.done < SOME ? bytes - a.done : SOME;
        tsr_fold_init(&loops, f, &(int64_t){(int64_t)a.bytes / size}, &size, &size, 1);
        a.loops = &loops;
        tsr_members_reduce(&m, (char *)to + a.done, n);
    }
    tsr_free(m.room);
}
