/* SPDX-License-Identifier: Apache-2.0 */
/* cost.c - what a program costs on a device: operations and bytes, reported by cost_analysis() and
 * memory_analysis(). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/eval.h"
#include "api/guard.h"
#include "api/shard.h"
#include "dialect/kinds.h"
#include "dialect/stablehlo/loop.h"
#include "pjrt/pjrt.h"

/* Bytes and elements of a tensor type; 0 for other types. */
static double elements(const tsr_type *t)
{
    int64_t rank = t && tsr_type_is_tensor(t) ? tsr_type_rank(t) : -1;
    if (rank < 0)
        return 0;
    double n = 1;
    for (int64_t d = 0; d < rank; d++)
        n *= (double)tsr_type_dim(t, (size_t)d);
    return n < 0 ? 0 : n;
}

static double bytes(const tsr_type *t)
{
    return elements(t) > 0 ? elements(t) * (double)pj_type_bytes(pj_type_of(tsr_type_element(t)))
                           : 0;
}

static double block_accessed(tsr_block *block);

/* Bytes that the op and the ops in its regions read and write, with all turns of loops, and of branches the one that has
 * the most. */
static double accessed(tsr_op *op)
{
    double sum = 0, inside = 0;
    bool loop = tsr_flow_of(op) == TSR_FLOW_LOOP;
    int64_t turns = loop ? tsr_loop_turns(op) : 1;
    for (uint32_t i = 0; i < op->nin; i++)
        sum += bytes(op->in[i].value->type);
    for (uint32_t i = 0; i < op->nout; i++)
        sum += bytes(op->out[i].type);
    for (uint32_t r = 0; r < op->nregion && tsr_flow_of(op) != TSR_FLOW_NONE; r++) {
        double one = 0;
        TSR_REGION_BLOCKS (&op->regions[r], b)
            one += block_accessed(b);
        inside = loop ? inside + one : fmax(inside, one);
    }
    /* What a loop or a branch passes on is read and written by the ops inside. */
    return inside > 0 ? (double)(turns < 0 ? 1 : turns) * inside : sum;
}

static double block_accessed(tsr_block *block)
{
    double sum = 0;
    TSR_BLOCK_OPS (block, op)
        if (!tsr_op_has(op, TSR_TRAIT(TERMINATOR)))
            sum += accessed(op);
    return sum;
}

/* Operations, bytes read and written, and the peak number of bytes held by values that the program makes, including
 * results; 0 if sizes are not known. */
static bool make_plan(tsr_module *m, pj_compiled *p, int64_t *peak, tsr_status *status)
{
    TSR_GUARD_MODULE(g, m, TSR_READS, status, false)
    tsr_op *func = (tsr_op *)tsr_entry_find(m, TSR_STR("main"), g.status);
    tsr_arena arena;
    tsr_shard_plan plan = {0};
    if (!func)
        return tsr_guard_close(&g), false;
    tsr_arena_init(&arena);
    tsr_shard_plan_of(&arena, func, true, &plan);
    tsr_shard_plan_memory(&plan);
    p->flops = plan.flops < 0 ? 0 : plan.flops;
    p->bytes_accessed = block_accessed(plan.func->regions[0].first);
    *peak = plan.peak < 0 || plan.arg_bytes < 0 ? 0 : plan.peak - plan.arg_bytes;
    tsr_shard_plan_free(&plan);
    tsr_arena_free(&arena);
    tsr_guard_close(&g);
    return true;
}

static void property(pj_compiled *p, const char *name, double value)
{
    p->properties[p->nproperty++] = (pj_named_value){.struct_size = sizeof(pj_named_value),
                                                     .name = name,
                                                     .name_size = strlen(name),
                                                     .type = PJ_FLOAT,
                                                     .float_value = (float)value,
                                                     .value_size = 1};
}

static pj_error *find_cost(pj_compiled *p)
{
    int64_t peak = 0, out = 0;
    tsr_status s = {0};
    if (!make_plan(p->module, p, &peak, &s))
        return pj_fail_status(&s, PJ_INVALID_ARGUMENT);
    for (size_t i = 0; i < p->nout; i++)
        out += (int64_t)p->out[i].bytes;
    p->temp_bytes = peak > out ? peak - out : 0; /* the peak includes the results */
    tsr_memory_use use;
    if (p->executable && tsr_executable_memory(p->executable, &use)) {
        p->temp_bytes = (int64_t)(use.arena + use.unplanned);
        p->workspace = (int64_t)use.workspace;
    }
    property(p, "flops", p->flops);
    property(p, "bytes accessed", p->bytes_accessed);
    return NULL;
}

pj_error *pj_cost(pj_compiled *p)
{
    pthread_mutex_lock(&p->lock);
    pj_error *e = p->nproperty ? NULL : find_cost(p);
    pthread_mutex_unlock(&p->lock);
    return e;
}
