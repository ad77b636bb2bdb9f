/* schedule.c - reorders groups to take less memory.
 *
 * Groups come in program order. A group whose results have more bytes than the operands that die in it is moved down to
 * the first group that needs it. Groups with side effects keep their order. Linear time. */
#include "exec/program.h"

typedef struct {
    tsr_program *p;
    /* By value: whether another group of the block reads it, and position + 1 of the last that does; 0: none. */
    bool *read;
    uint32_t *last;
    /* By position in the current block: the position with whose group it runs, its own or a later one; the first
     * position that needs its results. */
    uint32_t *with, *need;
    tsr_xid *order;
} scheduling;

enum { NONE = UINT32_MAX };

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

/* The bytes that are live after the group minus those live before it. */
static int64_t growth(const scheduling *s, const tsr_xgroup *g)
{
    const tsr_program *p = s->p;
    int64_t bytes = 0;
    for (size_t k = 0; k < g->nodes.n; k++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[k]];
        if (n->counts) /* zeros are reported in program order */
            return 0;
        for (uint32_t m = 0; m < n->nout; m++)
            if (s->read[n->out[m]] && !p->values.data[n->out[m]].is_result)
                bytes += (int64_t)tsr_xvalue_bytes(&p->values.data[n->out[m]]);
        for (uint32_t m = 0; m < n->nin; m++) {
            tsr_xid u = tsr_storage_of(p, n->in[m]);
            if (s->last[u] == g->level + 1 && p->values.data[u].place < TSR_PLACE_BOX)
                bytes -= (int64_t)tsr_xvalue_bytes(&p->values.data[u]);
        }
    }
    return bytes;
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

static void schedule(scheduling *s, tsr_block_program *b)
{
    uint32_t n = (uint32_t)b->groups.n;
    for (uint32_t i = 0; i < n; i++) {
        group_at(s, b, i)->level = i;
        s->need[i] = NONE;
    }
    note_reads(s, b);
    for (uint32_t i = n; i-- > 0;) {
        bool later = s->need[i] != NONE && growth(s, group_at(s, b, i)) > 0;
        s->with[i] = later ? s->need[i] : i;
        set_needs(s, b, i);
    }
    sort(s, b);
    for (uint32_t i = 0; i < n; i++) {
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
    s.last = tsr_xmalloc(m * sizeof *s.last);
    s.read = tsr_xmalloc(m * sizeof *s.read);
    memset(s.last, 0, m * sizeof *s.last);
    memset(s.read, 0, m * sizeof *s.read);
    schedule(&s, &p->main);
    tsr_free(s.with);
    tsr_free(s.order);
    tsr_free(s.last);
    tsr_free(s.read);
}
