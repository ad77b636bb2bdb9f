/* grad.c - the public call of differentiation. */
#include "api/api.h"
#include "api/eval.h"
#include "api/guard.h"
#include "shard/gspmd/gspmd.h"

static bool differentiate(tsr_module *m, tsr_str function, const tsr_grad_options *options)
{
    static const tsr_grad_options defaults;
    tsr_status status = {TSR_OK, ""};
    tsr_buf text = {0};
    /* The transposes of GSPMD's manual parts are known once those are manual computations. */
    TSR_TRY(!tsr_has_gspmd(m->op, true) || tsr_module_run(m, TSR_STR("tessera-import-gspmd")));
    const tsr_op *func = tsr_entry_find(m, function, &status);
    if (!func)
        return tsr_error(m->ctx, m->op->loc, "%s", status.message);
    if (!options)
        options = &defaults;
    tsr_buf_printf(
        &text, "builtin.module(tessera-autodiff{mode=%s remat=%s with-results=%s function=",
        options->forward ? "forward" : "reverse", options->rematerialise ? "cheap" : "none",
        options->with_results ? "true" : "false");
    tsr_option_quote(&text, tsr_op_symbol(func));
    for (size_t i = 0; i < options->nwrt; i++)
        tsr_buf_printf(&text, "%s%zu", i ? "," : " wrt=", options->wrt[i]);
    tsr_buf_cstr(&text, "})");
    bool ok = tsr_module_run(m, tsr_buf_text(&text));
    tsr_buf_free(&text);
    return ok;
}

bool tsr_module_differentiate(tsr_module *m, tsr_str function, const tsr_grad_options *options)
{
    TSR_GUARD_MODULE(g, m, TSR_CHANGES, NULL, false)
    bool ok = differentiate(m, function, options);
    tsr_guard_close(&g);
    return ok;
}
