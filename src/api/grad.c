/* SPDX-License-Identifier: Apache-2.0 */
/* grad.c - the public call of differentiation. */
#include "api/api.h"
#include "api/eval.h"
#include "api/guard.h"
#include "shard/gspmd/gspmd.h"

static bool differentiate(tsr_module *m, tsr_str function, const tsr_grad_options *options)
{
    static const tsr_grad_options defaults;
    tsr_status status = {TSR_OK, ""};
    /* The transposes of GSPMD's manual parts are defined only after these have become manual computations. */
    TSR_TRY(!tsr_has_gspmd(m->op, true) || tsr_run_pass(m, "tessera-import-gspmd", NULL, 0));
    const tsr_op *func = tsr_entry_find(m, function, &status);
    if (!func)
        return tsr_error(m->ctx, m->op->loc, "%s", status.message);
    if (!options)
        options = &defaults;
    tsr_arena arena;
    tsr_arena_init(&arena);
    size_t n = 0;
    tsr_pass_arg *args = TSR_NEW_ARRAY(&arena, tsr_pass_arg, options->nwrt + 4);
    args[n++] = TSR_ARG_STR("mode", options->forward ? TSR_STR("forward") : TSR_STR("reverse"));
    args[n++] = TSR_ARG_STR("remat", options->rematerialise ? TSR_STR("cheap") : TSR_STR("none"));
    args[n++] = TSR_ARG_BOOL("with-results", options->with_results);
    args[n++] = TSR_ARG_STR("function", tsr_op_symbol(func));
    for (size_t i = 0; i < options->nwrt; i++)
        args[n++] = TSR_ARG_INT("wrt", (int64_t)options->wrt[i]);
    bool ok = tsr_run_pass(m, "tessera-autodiff", args, n);
    tsr_arena_free(&arena);
    return ok;
}

bool tsr_module_differentiate(tsr_module *m, tsr_str function, const tsr_grad_options *options)
{
    TSR_GUARD_MODULE(g, m, TSR_CHANGES, NULL, false)
    bool ok = differentiate(m, function, options);
    tsr_guard_close(&g);
    return ok;
}
