/* SPDX-License-Identifier: Apache-2.0 */
/* interpreter.c - ops of the interpreter dialect: parallel programs, and printing and probing values. */
#include <stdlib.h>

#include "eval/mesh.h"
#include "eval/plan.h"
#include "eval/file/print.h"
#include "eval/kernel/kernels.h"

/* ---- run_parallel ---- */

/* One program: its inputs and results are consecutive among those of the others. */
typedef struct {
    const tsr_op *func;
    tsr_tensor **in, **out;
    size_t nin, nout;
} program;

static const tsr_op *function_of(void *user, uint32_t id)
{
    return ((const program *)user)[id].func;
}

static bool begin_program(void *user, tsr_eval *e, tsr_job *job)
{
    const program *p = (const program *)user + e->process->id;
    *job = (tsr_job){.func = p->func, .out = p->out, .nin = p->nin, .nout = p->nout};
    job->in = tsr_xmalloc((p->nin + 1) * sizeof *job->in);
    for (size_t i = 0; i < p->nin; i++)
        job->in[i] = tsr_tensor_ref(p->in[i]);
    return true;
}

/* The function of a program, and how many inputs and results it has; NULL after a failure. */
static const tsr_op *find_program(tsr_call *c, const tsr_attr *symbol, size_t *nin, size_t *nout)
{
    const tsr_op *func = tsr_attr_is(symbol, TSR_ATTR_SYMBOL)
                             ? tsr_symtab_find(&c->e->plan->symbols, symbol->s)
                             : NULL;
    const tsr_attr *type = func ? tsr_op_attr(func, TSR_STR("function_type")) : NULL;
    if (!tsr_attr_is(type, TSR_ATTR_TYPE) || !tsr_type_is(type->type, TSR_TYPE_FUNCTION)) {
        tsr_fail(c, "runs a program that is no function");
        return NULL;
    }
    *nin = type->type->n;
    *nout = type->type->nout;
    return func;
}

static bool find_programs(tsr_call *c, const tsr_attr *grid, program *out)
{
    size_t in = 0, res = 0;
    uint32_t partitions = grid->attrs[0]->n;
    for (uint32_t i = 0; i < grid->n; i++) {
        if (grid->attrs[i]->n != partitions)
            return tsr_fail(c, "has replicas of different numbers of programs");
        for (uint32_t k = 0; k < partitions; k++) {
            size_t nin, nout;
            const tsr_op *func = find_program(c, grid->attrs[i]->attrs[k], &nin, &nout);
            if (!func)
                return false;
            if (nin > c->op->nin - in || nout > c->op->nout - res)
                return tsr_fail(c, "has programs that take or give more than it does");
            *out++ = (program){func, c->in + in, c->out + res, nin, nout};
            in += nin;
            res += nout;
        }
    }
    return (in == c->op->nin && res == c->op->nout) ||
           tsr_fail(c, "takes or gives more than its programs do");
}

bool eval_run_parallel(tsr_call *c)
{
    const tsr_attr *grid = tsr_call_attr(c, INTERPRETER_RUN_PARALLEL_programs);
    const tsr_attr *infeed = tsr_call_attr(c, INTERPRETER_RUN_PARALLEL_infeed);
    if (!tsr_attr_is(grid, TSR_ATTR_ARRAY) || !grid->n ||
        !tsr_attr_is(grid->attrs[0], TSR_ATTR_ARRAY) || !grid->attrs[0]->n)
        return tsr_fail(c, "has no programs");
    /* Programs that start programs could create threads without limit. */
    if (tsr_mesh_replicas(c->e) * tsr_mesh_partitions(c->e) > 1)
        return tsr_fail(c, "runs programs from one of several programs");
    uint32_t replicas = grid->n, partitions = grid->attrs[0]->n;
    program *programs = tsr_xmalloc((size_t)replicas * partitions * sizeof *programs);
    bool ok = find_programs(c, grid, programs) &&
              tsr_mesh_run(c, replicas, partitions, infeed,
                           &(tsr_jobs){programs, function_of, begin_program, NULL});
    tsr_free(programs);
    return ok;
}

/* ---- Printing and probing values ---- */

/* The operand's name in the text of the op: the parenthesised part of the generic form. */
static void print_operand_name(tsr_call *c, tsr_buf *out)
{
    tsr_buf text = {0};
    if (c->e->ctx->print_op)
        c->e->ctx->print_op(&text, c->op);
    const char *open = text.len ? memchr(text.data, '(', text.len) : NULL;
    const char *close = open ? memchr(open, ')', text.len - (size_t)(open - text.data)) : NULL;
    if (close) {
        tsr_buf_str(out, tsr_str_of(open + 1, (size_t)(close - open) - 1));
        tsr_buf_cstr(out, " = ");
    }
    tsr_buf_free(&text);
}

bool eval_print(tsr_call *c)
{
    tsr_buf text = {0};
    tsr_mesh_lock_context(c->e);
    print_operand_name(c, &text);
    tsr_tensor_print(&text, c->in[0]);
    tsr_mesh_unlock_context(c->e);
    tsr_buf_char(&text, '\n');
    bool ok = tsr_effect_do(c, TSR_EFFECT_PRINT, tsr_buf_text(&text), NULL, 0);
    tsr_buf_free(&text);
    return ok;
}

bool eval_probe(tsr_call *c)
{
    TSR_TRY(tsr_effect_do(c, TSR_EFFECT_PROBE, tsr_call_attr(c, INTERPRETER_PROBE_probe_id)->s,
                          c->in, 1));
    c->out[0] = tsr_call_take(c, 0);
    return true;
}
