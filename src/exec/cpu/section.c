/* section.c - runs the loops of a section (plan/section.c): no thread waits between them. */
#include "base/scope.h"
#include "base/threads.h"
#include "exec/cpu/cpu.h"

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
        if (s->groups[i]->lane == lane)
            tsr_run_loop_chunk(s->run, s->groups[i], chunk - (lane ? s->end[lane - 1] : 0), worker);
}

void tsr_run_section(const tsr_run *r, const tsr_xid *groups)
{
    section s = {.run = r, .n = r->p->groups.data[groups[0]].together};
    for (uint32_t i = 0; i < s.n; i++) {
        const tsr_xgroup *g = &r->p->groups.data[groups[i]];
        const tsr_node *n = &r->p->nodes.data[g->nodes.data[0]];
        if (n->op)
            tsr_count_step(n->op->loc);
        s.groups[i] = g;
        if (g->lane == s.nlane) { /* lanes begin in order */
            int64_t each = tsr_loop_chunk(g);
            s.end[s.nlane] = (s.nlane ? s.end[s.nlane - 1] : 0) + (g->n + each - 1) / each;
            s.nlane++;
        }
    }
    tsr_pool_for(s.end[s.nlane - 1], run_chunk, &s);
}
