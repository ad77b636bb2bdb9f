/* SPDX-License-Identifier: Apache-2.0 */
/* section.c - loops that run without a barrier between them.
 *
 * A loop need not wait for the one before it if none of its chunks touches memory that chunks of the other write, or if
 * only the chunk with the same number does: one thread then runs both, one after the other. Consecutive loops of a
 * block form a section of lanes: chunks of different lanes run in any order, those of one lane in the order of its
 * loops. Sections are found at compile time, from the memory plan. */
#include "base/scope.h"
#include "base/threads.h"
#include "exec/cpu/cpu.h"

enum {
    USES = 16,    /* values that one loop reads and writes */
    LEAST = 4096, /* elements: a smaller loop ends before another thread has woken up */
    LONGER = 4,   /* times as many elements in a chunk, at most, where there are MANY chunks */
    MANY = 64,
};

int64_t tsr_loop_chunk(const tsr_xgroup *g, const tsr_cpu_code *cpu)
{
    int64_t unit = cpu->line && cpu->line < TSR_LOOP_CHUNK ? cpu->line : cpu->block;
    int64_t each = unit * (unit < TSR_LOOP_CHUNK ? TSR_LOOP_CHUNK / unit : 1),
            times = g->n / each / MANY;
    return each * (times < 1 ? 1 : times < LONGER ? times : LONGER);
}

/* The bytes that a loop touches, in one address space for all memory of a run. by_element: element i of the loop is at
 * begin + i * bytes. */
typedef struct {
    uint64_t begin, end;
    uint32_t bytes;
    bool writes, by_element;
} use;

typedef struct {
    const tsr_xgroup *g;
    tsr_cpu_code *cpu;
    uint32_t lane, nuse;
    use uses[USES];
} member;

/* The address of a value: the arena comes first, then arguments and tensors, which are identified by number. */
static uint64_t address(const tsr_program *p, tsr_xid v)
{
    const uint64_t each = (uint64_t)1 << 48;
    v = tsr_buffer_of(p, v);
    const tsr_xvalue *x = &p->values.data[v];
    uint64_t offset = 0;
    if (x->place == TSR_PLACE_ARENA && x->host) {
        offset = x->offset;
        v = x->host - 1;
        x = &p->values.data[v];
    } else if (x->place == TSR_PLACE_ARENA && !x->is_result && !x->slice_of) {
        return x->offset;
    }
    uint32_t argument = x->place == TSR_PLACE_ARENA ? x->donor : x->argument;
    /* A result may be in the buffer of its donor. Numbers stay below 2^15: all others share one address. */
    uint64_t base = argument ? 2 * (uint64_t)argument : 2 * (uint64_t)v + 1;
    return (base < (1 << 15) ? base + 1 : 1 << 15) * each + offset;
}

static bool add_use(const tsr_program *p, member *m, tsr_xid v, bool writes, bool in_order)
{
    const tsr_xvalue *x = &p->values.data[v];
    if (x->slice_of && !x->heir) /* its memory is not written */
        return true;
    if (m->nuse == USES)
        return false;
    uint64_t at = address(p, v);
    m->uses[m->nuse++] = (use){at, at + tsr_xvalue_bytes(x), tsr_dtype_bytes((tsr_dtype)x->dtype),
                               writes, in_order && x->n == m->g->n};
    return true;
}

/* Adds the operands of a movement inside the loop. */
static bool add_operands(const tsr_program *p, member *m, const tsr_node *n)
{
    for (uint32_t k = 0; k < n->nin; k++) {
        tsr_xid s = tsr_storage_of(p, n->in[k]);
        if (p->values.data[s].place >= TSR_PLACE_ARENA && !add_use(p, m, s, false, false))
            return false;
    }
    return true;
}

/* Finds the memory that a group touches. False: the group runs alone. */
static bool read_group(const tsr_program *p, tsr_cpu_program *to, tsr_xid group, member *m)
{
    const tsr_xgroup *g = &p->groups.data[group];
    tsr_cpu_code *cpu = &to->groups[group];
    *m = (member){.g = g, .cpu = cpu};
    if (g->kind == TSR_NODE_BARRIER) /* it only keeps ops in separate loops, and takes no time */
        return true;
    bool loop = g->kind == TSR_NODE_TILE || g->kind == TSR_NODE_REDUCE;
    if (!loop || g->product != TSR_XNONE || !cpu->code || g->n < LEAST ||
        (g->mode != TSR_LOOP_MAP && g->mode != TSR_LOOP_ROWS))
        return false;
    for (uint32_t i = 0; i < cpu->ncode; i++) {
        const tsr_cpu_instr *o = &cpu->code[i];
        bool stores = o->kind == TSR_I_STORE || o->direct;
        if (o->kind == TSR_I_LOOKUP && !add_use(p, m, o->value, false, false))
            return false;
        if (o->kind == TSR_I_LOAD && !add_use(p, m, o->value, false, o->whole && !o->by_row))
            return false;
        if (o->kind == TSR_I_PART && !add_operands(p, m, &p->nodes.data[o->node]))
            return false;
        if (stores && !add_use(p, m, o->value, true, !o->by_row))
            return false;
    }
    return true;
}

typedef enum { APART, SAME_CHUNK, CONFLICT } relation;

static relation relate(const member *a, const member *b)
{
    relation found = APART;
    for (uint32_t i = 0; i < a->nuse; i++)
        for (uint32_t k = 0; k < b->nuse; k++) {
            const use *x = &a->uses[i], *y = &b->uses[k];
            if ((!x->writes && !y->writes) || x->end <= y->begin || y->end <= x->begin)
                continue;
            bool chunks =
                a->g->n == b->g->n && tsr_loop_chunk(a->g, a->cpu) == tsr_loop_chunk(b->g, b->cpu);
            if (!chunks || !x->by_element || !y->by_element || x->begin != y->begin ||
                x->bytes != y->bytes)
                return CONFLICT;
            found = SAME_CHUNK;
        }
    return found;
}

/* Whether the last of n members can run with those before it; sets its lane. */
static bool fits(member *m, uint32_t n, uint32_t *nlane)
{
    uint32_t lane = UINT32_MAX;
    for (uint32_t i = 0; i + 1 < n; i++) {
        relation r = relate(&m[i], &m[n - 1]);
        if (r == CONFLICT || (r == SAME_CHUNK && lane != UINT32_MAX && lane != m[i].lane))
            return false;
        lane = r == SAME_CHUNK ? m[i].lane : lane;
    }
    if (lane == UINT32_MAX && m[n - 1].cpu->code)
        lane = (*nlane)++;
    m[n - 1].lane = lane; /* a barrier has none */
    return true;
}

static void find_in(const tsr_program *p, tsr_cpu_program *to, const tsr_block_program *b)
{
    member m[TSR_SECTION_MOST];
    for (size_t i = 0; i < b->groups.n;) {
        uint32_t n = 0, nlane = 0;
        while (n < TSR_SECTION_MOST && i + n < b->groups.n &&
               read_group(p, to, b->groups.data[i + n], &m[n]) && fits(m, n + 1, &nlane))
            n++;
        while (n && !m[n - 1].cpu->code)
            n--;
        for (uint32_t k = 0; n > 1 && m[0].cpu->code && k < n; k++) {
            m[k].cpu->together = n - k;
            m[k].cpu->lane = m[k].lane;
        }
        i += n ? n : 1;
    }
}

void tsr_cpu_sections_find(const tsr_program *p, tsr_cpu_program *to)
{
    find_in(p, to, &p->main);
    for (size_t i = 0; i < p->nodes.n; i++)
        for (uint32_t k = 0; k < p->nodes.data[i].nblock; k++)
            find_in(p, to, p->nodes.data[i].blocks[k]);
}

/* ---- Runs ---- */

typedef struct {
    const tsr_run *run;
    const tsr_xgroup *groups[TSR_SECTION_MOST];
    uint32_t n, nlane;
    int64_t end[TSR_SECTION_MOST]; /* of chunks, by lane */
} section;

static void run_chunk(void *ctx, int64_t chunk, int worker)
{
    const section *s = ctx;
    uint32_t lane = 0;
    while (chunk >= s->end[lane])
        lane++;
    for (uint32_t i = 0; i < s->n; i++)
        if (tsr_cpu_code_of(s->run->p, s->groups[i])->lane == lane)
            tsr_run_loop_chunk(s->run, s->groups[i], chunk - (lane ? s->end[lane - 1] : 0), worker);
}

uint32_t tsr_run_section(tsr_run *r, const tsr_xid *groups)
{
    section s = {.run = r, .n = tsr_cpu_code_of(r->p, &r->p->groups.data[groups[0]])->together};
    if (!s.n)
        return 0;
    for (uint32_t i = 0; i < s.n; i++) {
        const tsr_xgroup *g = &r->p->groups.data[groups[i]];
        const tsr_cpu_code *cpu = tsr_cpu_code_of(r->p, g);
        const tsr_node *n = &r->p->nodes.data[g->nodes.data[0]];
        if (n->op)
            tsr_count_step(n->op->loc);
        s.groups[i] = g;
        if (cpu->lane == s.nlane) { /* lanes begin in order */
            int64_t each = tsr_loop_chunk(g, cpu);
            s.end[s.nlane] = (s.nlane ? s.end[s.nlane - 1] : 0) + (g->n + each - 1) / each;
            s.nlane++;
        }
    }
    tsr_pool_for(s.end[s.nlane - 1], run_chunk, &s);
    return s.n;
}
