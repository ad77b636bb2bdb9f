/* cost.c - what a program costs on a device: operations and bytes, reported by cost_analysis() and
 * memory_analysis(). */
#include <stdlib.h>
#include <string.h>

#include "api/eval.h"
#include "api/guard.h"
#include "pjrt/pjrt.h"
#include "shard/spmd/plan.h"

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

static bool is(const tsr_op *op, const char *name)
{
    tsr_str n = tsr_op_name(op);
    return n.len == strlen(name) && !memcmp(n.data, name, n.len);
}

static bool add_up(void *user, tsr_op *op)
{
    pj_compiled *p = user;
    if (!is(op, "func.func") && !is(op, "builtin.module") && !is(op, "func.return") &&
        !is(op, "stablehlo.return")) {
        for (size_t i = 0; i < tsr_op_num_operands(op); i++)
            p->bytes_accessed += bytes(tsr_value_type(tsr_op_operand(op, i)));
        for (size_t i = 0; i < tsr_op_num_results(op); i++)
            p->bytes_accessed += bytes(tsr_value_type(tsr_op_result(op, i)));
    }
    return true;
}

/* Operations, and the peak number of bytes held by values that the program makes, including results; 0 if sizes are not
 * known. */
static bool make_plan(tsr_module *m, double *flops, int64_t *peak, tsr_status *status)
{
    TSR_GUARD_MODULE(g, m, TSR_READS, status, false)
    tsr_op *func = (tsr_op *)tsr_entry_find(m, TSR_STR("main"), g.status);
    tsr_arena arena;
    tsr_shard_plan plan = {0};
    if (!func)
        return tsr_guard_close(&g), false;
    tsr_arena_init(&arena);
    tsr_shard_plan_make(&arena, func, &plan);
    *flops = plan.flops < 0 ? 0 : plan.flops;
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
    if (!make_plan(p->module, &p->flops, &peak, &s))
        return s.code == TSR_ENVIRONMENT ? pj_fail(PJ_RESOURCE_EXHAUSTED, "%s", s.message)
                                         : pj_fail(PJ_INVALID_ARGUMENT, "%s", s.message);
    tsr_op_walk(tsr_module_op(p->module), add_up, p);
    for (size_t i = 0; i < p->nout; i++)
        out += (int64_t)p->out[i].bytes;
    p->temp_bytes = peak > out ? peak - out : 0; /* the peak includes the results */
    tsr_memory_use use;
    if (p->executable && tsr_executable_memory(p->executable, &use))
        p->temp_bytes = (int64_t)(use.arena + use.unplanned);
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
