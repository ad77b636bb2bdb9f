/* SPDX-License-Identifier: Apache-2.0 */
/* code.c - programs as source text of other languages, in the public API. */
#include <tessera/code.h>

#include "api/api.h"
#include "api/code.h"
#include "api/eval.h"
#include "api/guard.h"
#include "base/scope.h"
#include "eval/plan.h"
#include "target/emit/emit.h"

bool tsr_code_c(tsr_module *m, const tsr_op *func, const tsr_c_options *options, tsr_buf *out,
                tsr_buf *weights)
{
    tsr_plan *plan = tsr_plan_facts(m);
    bool fits = plan && !tsr_plan_needs_evaluator(plan), meets = plan && plan->mesh.used;
    if (meets || !fits)
        tsr_plan_free(plan);
    if (meets)
        return tsr_error(m->ctx, func->loc,
                         "cannot be written as C: it is the program of a device of a mesh, and C "
                         "has one device");
    if (!fits)
        return tsr_error(m->ctx, func->loc,
                         "cannot be written as C: the evaluator alone runs a module of such ops");
    tsr_target target = tsr_c_target();
    tsr_program *p = tsr_program_new(
        m, func, &(tsr_program_options){.strict = true, .target = &target, .plan = plan});
    if (!p || p->starved)
        tsr_stop(TSR_ENVIRONMENT, "no memory for the constants of the program%s",
                 tsr_memory_reason().text);
    bool ok = tsr_c_emit(p, options, out, weights);
    tsr_program_free(p);
    tsr_plan_free(plan);
    return ok;
}

/* The module's function as C, from a copy that is made runnable. */
static bool write_c(tsr_module *m, tsr_buf *out)
{
    tsr_module *copy = tsr_module_copy(m);
    tsr_status s = {0};
    const tsr_op *func = NULL;
    bool ok = tsr_verify(copy->op) && tsr_make_runnable(copy, false) &&
              (func = tsr_entry_find(copy, TSR_STR("main"), &s)) &&
              tsr_code_c(copy, func, &(tsr_c_options){0}, out, NULL);
    if (s.message[0])
        tsr_error(m->ctx, TSR_LOC_UNKNOWN, "%s", s.message);
    tsr_module_free(copy);
    return ok;
}

tsr_str tsr_module_code(tsr_module *m, tsr_str language)
{
    TSR_GUARD_MODULE(g, m, TSR_READS, NULL, TSR_NO_TEXT)
    tsr_buf out = {0};
    bool ok = false;
    if (tsr_str_is(language, "cpp"))
        ok = tsr_emit_cpp(m, (tsr_str){0}, &out);
    else if (tsr_str_is(language, "python"))
        ok = tsr_emit_python(m, (tsr_str){0}, &out);
    else if (tsr_str_is(language, "c"))
        ok = write_c(m, &out);
    else
        tsr_error(m->ctx, TSR_LOC_UNKNOWN, "there is no language '%.*s': c, cpp and python are",
                  TSR_STR_ARG(language));
    if (ok)
        tsr_buf_reserve(&out, 1); /* so that an empty text is not NULL */
    else
        tsr_buf_free(&out);
    tsr_guard_close(&g);
    return ok ? (tsr_str){out.data, out.len} : TSR_NO_TEXT;
}
