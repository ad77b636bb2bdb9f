/* SPDX-License-Identifier: Apache-2.0 */
/* schedule.c - reorders groups to take less memory.
 *
 * Groups come in program order. A group whose results have fewer bytes than the operands that die in it is moved up to
 * the last group that it needs: a gradient that is computed together with the update of its parameter would keep values
 * of its layer alive. Then one whose results have more bytes is moved down to the first group that needs it. Groups with
 * side effects keep their order. Linear time. */
#include "exec/program.h"

typedef struct {
    tsr_program *p;
    /* By value: whether another group of the block reads it, and position + 1 of the last that does; 0: none. */
    bool *read;
    uint32_t *last;
    uint32_t *seen; /* of a large argument: position + 1 of the last reader so far */
    /* By position in the current block: the position with whose group it runs, its own or a later one; the first
     * position that needs its results. */
    uint32_t *with, *need;
    tsr_xid *order;
} scheduling;

enum { NONE = UINT32_MAX };
/* Bytes for which a group moves up, away from what it could run beside. */
enum { LEAST_SAVED = 1 << 16 };

static tsr_xgroup *group_at(const scheduling *s, const tsr_block_program *b, uint32_t place)
{
    return &s->p->groups.data[b->groups.data[place]];
}

static const tsr_xgroup *group_of(const tsr_program *p, tsr_xid node)
{
    return &p->groups.data[tsr_xgroup_find(p, p->nodes.data[node].group)];
}

/* The group that computes v; NULL: none. */
static const tsr_xgroup *maker(const tsr_program *p, tsr_xid v)
{
    tsr_xid node = p->values.data[v].node;
    bool grouped = node != TSR_XNONE && p->nodes.data[node].group != TSR_XNONE;
    return grouped ? group_of(p, node) : NULL;
}

static void need_before(scheduling *s, const tsr_block_program *b, const tsr_xgroup *from,
                        uint32_t place)
{
    if (from && from->home == b && from->level != place && s->with[place] < s->need[from->level])
        s->need[from->level] = s->with[place];
}

/* Once the position of a group is known, its operands must be available by then. */
static void set_needs(scheduling *s, const tsr_block_program *b, uint32_t place)
{
    const tsr_program *p = s->p;
    const tsr_xgroup *g = group_at(s, b, place);
    for (size_t k = 0; k < g->nodes.n; k++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[k]];
        for (uint32_t m = 0; m < n->nin; m++) {
            tsr_xid fence = p->values.data[n->in[m]].fence;
            need_before(s, b, maker(p, tsr_storage_of(p, n->in[m])), place);
            need_before(s, b, fence != TSR_XNONE ? group_of(p, fence) : NULL, place);
        }
    }
    if (g->after != TSR_XNONE)
        need_before(s, b, &p->groups.data[tsr_xgroup_find(p, g->after)], place);
}

static void note_reads(scheduling *s, const tsr_block_program *b)
{
    const tsr_program *p = s->p;
    for (uint32_t i = 0; i < b->groups.n; i++) {
        const tsr_xgroup *g = group_at(s, b, i);
        for (size_t k = 0; k < g->nodes.n; k++) {
            const tsr_node *n = &p->nodes.data[g->nodes.data[k]];
            for (uint32_t m = 0; m < n->nin; m++) {
                tsr_xid u = tsr_storage_of(p, n->in[m]);
                const tsr_xgroup *from = maker(p, u);
                if (!from || from->home != b || from == g)
                    continue;
                s->read[u] = true;
                s->last[u] = i + 1;
            }
        }
    }
    for (uint32_t i = 0; i < b->nresults; i++)
        s->last[tsr_storage_of(p, b->results[i])] = NONE;
}

/* The bytes that are live after the group minus those live before it. all: with the function's results, whose memory may
 * have other values before. */
static int64_t growth(const scheduling *s, const tsr_xgroup *g, bool all)
{
    const tsr_program *p = s->p;
    int64_t bytes = 0;
    for (size_t k = 0; k < g->nodes.n; k++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[k]];
        if (n->counts) /* zeros are reported in program order */
            return 0;
        for (uint32_t m = 0; m < n->nout; m++)
            if (p->values.data[n->out[m]].is_result ? all : s->read[n->out[m]])
                bytes += (int64_t)tsr_xvalue_bytes(&p->values.data[n->out[m]]);
        for (uint32_t m = 0; m < n->nin; m++) {
            tsr_xid u = tsr_storage_of(p, n->in[m]);
            if (s->last[u] == g->level + 1 && !tsr_has_tensor(&p->values.data[u]))
                bytes -= (int64_t)tsr_xvalue_bytes(&p->values.data[u]);
        }
    }
    return bytes;
}

static uint32_t later(const scheduling *s, const tsr_block_program *b, const tsr_xgroup *from,
                      uint32_t place, uint32_t ready)
{
    if (!from || from->home != b || from->level == place || s->with[from->level] < ready)
        return ready;
    return s->with[from->level] + 1;
}

/* Position + 1 of the last group that must run before the one at place: it computes an operand, or reads an argument
 * that a result may replace. */
static uint32_t ready_at(const scheduling *s, const tsr_block_program *b, uint32_t place)
{
    const tsr_program *p = s->p;
    const tsr_xgroup *g = group_at(s, b, place);
    uint32_t ready = 0;
    for (size_t k = 0; k < g->nodes.n; k++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[k]];
        for (uint32_t m = 0; m < n->nin; m++) {
            tsr_xid u = tsr_storage_of(p, n->in[m]), fence = p->values.data[n->in[m]].fence;
            ready = later(s, b, maker(p, u), place, ready);
            ready = later(s, b, fence != TSR_XNONE ? group_of(p, fence) : NULL, place, ready);
            ready = s->seen[u] > ready ? s->seen[u] : ready;
        }
    }
    return g->after == TSR_XNONE
               ? ready
               : later(s, b, &p->groups.data[tsr_xgroup_find(p, g->after)], place, ready);
}

static void note_arguments(scheduling *s, const tsr_block_program *b, uint32_t place)
{
    const tsr_program *p = s->p;
    const tsr_xgroup *g = group_at(s, b, place);
    for (size_t k = 0; k < g->nodes.n; k++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[k]];
        for (uint32_t m = 0; m < n->nin; m++) {
            tsr_xid u = tsr_storage_of(p, n->in[m]);
            const tsr_xvalue *x = &p->values.data[u];
            bool given = !maker(p, u) && (x->argument || x->place == TSR_PLACE_ARENA);
            if (given && tsr_xvalue_bytes(x) >= LEAST_SAVED && s->seen[u] <= s->with[place])
                s->seen[u] = s->with[place] + 1;
        }
    }
}

/* Sorts groups by the position with which they run, otherwise in order. */
static void sort(scheduling *s, tsr_block_program *b)
{
    uint32_t n = (uint32_t)b->groups.n, *from = s->need;
    memset(from, 0, (n + 1) * sizeof *from);
    for (uint32_t i = 0; i < n; i++)
        from[s->with[i] + 1]++;
    for (uint32_t i = 0; i < n; i++)
        from[i + 1] += from[i];
    for (uint32_t i = 0; i < n; i++)
        s->order[from[s->with[i]]++] = b->groups.data[i];
    for (uint32_t i = 0; i < n; i++) {
        b->groups.data[i] = s->order[i];
        group_at(s, b, i)->level = i;
    }
}

static void move_up(scheduling *s, tsr_block_program *b)
{
    bool any = false;
    note_reads(s, b);
    for (uint32_t i = 0; i < b->groups.n; i++) {
        s->with[i] =
            growth(s, group_at(s, b, i), true) <= -LEAST_SAVED; /* first: whether it moves */
        any |= s->with[i];
    }
    for (uint32_t i = 0; any && i < b->groups.n; i++) {
        uint32_t ready = s->with[i] ? ready_at(s, b, i) : 0;
        s->with[i] = ready && ready < i ? ready - 1 : i;
        note_arguments(s, b, i);
    }
    if (any)
        sort(s, b);
}

static void move_down(scheduling *s, tsr_block_program *b)
{
    note_reads(s, b);
    for (uint32_t i = 0; i < b->groups.n; i++)
        s->need[i] = NONE;
    for (uint32_t i = (uint32_t)b->groups.n; i-- > 0;) {
        bool down = s->need[i] != NONE && growth(s, group_at(s, b, i), false) > 0;
        s->with[i] = down ? s->need[i] : i;
        set_needs(s, b, i);
    }
    sort(s, b);
}

static void schedule(scheduling *s, tsr_block_program *b)
{
    for (uint32_t i = 0; i < b->groups.n; i++)
        group_at(s, b, i)->level = i;
    move_up(s, b);
    move_down(s, b);
    for (uint32_t i = 0; i < b->groups.n; i++) {
        const tsr_node *node = &s->p->nodes.data[group_at(s, b, i)->nodes.data[0]];
        for (uint32_t k = 0; k < node->nblock; k++)
            schedule(s, node->blocks[k]);
    }
}

void tsr_groups_schedule(tsr_program *p)
{
    size_t n = p->groups.n + 2, m = p->values.n + 1;
    scheduling s = {.p = p};
    s.with = tsr_xmalloc(2 * n * sizeof *s.with);
    s.need = s.with + n;
    s.order = tsr_xmalloc(n * sizeof *s.order);
    s.last = tsr_xmalloc(2 * m * sizeof *s.last);
    s.seen = s.last + m;
    s.read = tsr_xmalloc(m * sizeof *s.read);
    memset(s.last, 0, 2 * m * sizeof *s.last);
    memset(s.read, 0, m * sizeof *s.read);
    schedule(&s, &p->main);
    tsr_free(s.with);
    tsr_free(s.order);
    tsr_free(s.last);
    tsr_free(s.read);
}
