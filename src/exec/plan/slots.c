/* SPDX-License-Identifier: Apache-2.0 */
/* slots.c - slices of a stack that a loop reads for the last time.
 *
 * The backward loop of a scan reads in each turn what one turn of the forward loop kept. If no other turn reads that slot,
 * and nobody the stack after the loop, the slot is memory for the rest of the turn: what reads the slice last may write its
 * result there, as it would in the place of a value that dies. */
#include "dialect/opcode.h"
#include "dialect/stablehlo/loop.h"
#include "exec/program.h"

/* The slice that node n of a loop takes, in each turn another part of a value in planned memory that is dead after the loop;
 * NULL: none. */
static tsr_xvalue *last_taken(tsr_program *p, const tsr_node *loop, const tsr_node *n)
{
    const tsr_xgroup *g = &p->groups.data[tsr_xgroup_find(p, loop->group)];
    tsr_xvalue *s = n->kind == TSR_NODE_MOVE ? &p->values.data[n->out[0]] : NULL;
    const tsr_xvalue *x = s && s->slice_of ? &p->values.data[s->slice_of - 1] : NULL;
    bool takes = x && x->place == TSR_PLACE_ARENA && x->last == g->end &&
                 tsr_op_is(n->op, TSR_OP_STABLEHLO_DYNAMIC_SLICE);
    return takes && tsr_loop_takes_apart(loop->op, n->op) ? s : NULL;
}

/* Finds such slices of loop number end that nothing else in it reads. counts: by value, scratch. */
static void find_spent(tsr_program *p, size_t end, uint32_t *counts)
{
    const tsr_block_program *body = p->nodes.data[end].blocks[1];
    TSR_VEC(tsr_xvalue *) found = {0};
    for (size_t i = 0; i < body->groups.n; i++) {
        const tsr_xgroup *g = &p->groups.data[body->groups.data[i]];
        tsr_xvalue *s = last_taken(p, &p->nodes.data[end], &p->nodes.data[g->nodes.data[0]]);
        if (s)
            tsr_vec_push(&found, s);
        if (s)
            counts[s->slice_of - 1] = 0;
    }
    if (found.n)
        tsr_loop_reads(p, end, counts);
    for (size_t i = 0; i < found.n; i++)
        found.data[i]->spent = counts[found.data[i]->slice_of - 1] == 1;
    tsr_vec_free(&found);
}

void tsr_slots_find(tsr_program *p)
{
    uint32_t *counts = tsr_xmalloc((p->values.n + 1) * sizeof *counts);
    for (size_t i = 0; i < p->nodes.n; i++)
        if (!p->nodes.data[i].dead && p->nodes.data[i].kind == TSR_NODE_WHILE)
            find_spent(p, i, counts);
    tsr_free(counts);
}
