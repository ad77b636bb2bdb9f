/* SPDX-License-Identifier: Apache-2.0 */
/* manager.c - runs a pipeline: passes in order, nested pipelines on the directly nested ops with their name, and the
 * verifier after each pass that changed something. Passes of a named pipeline are ours and tested individually, so a
 * named pipeline is verified only when it ends. */
#include "pass/pass.h"

static double now(const tsr_run_options *options)
{
    return options->clock ? options->clock() : 0;
}

static bool verify(tsr_op *op, tsr_run_options *options)
{
    double start = now(options);
    bool ok = tsr_verify(op);
    options->verify_seconds += now(options) - start;
    return ok;
}

static bool run_pass(tsr_pipelines *ps, tsr_step *step, tsr_op *op, tsr_run_options *options,
                     bool *changed)
{
    tsr_arena scratch;
    tsr_arena_init_pooled(&scratch, &ps->ctx->pool);
    tsr_pass p = {.ctx = ps->ctx,
                  .module = op->module,
                  .info = step->info,
                  .values = step->values,
                  .nvalue = step->nvalue,
                  .scratch = &scratch,
                  .pipelines = ps,
                  .options = options};
    if (options->before)
        options->before(options->user, step->info, op);
    if (step->info->needs & TSR_NEEDS_IDS) {
        tsr_assert(op == op->module->op, "'%s' needs dense ids but runs on a part of the module",
                   step->info->name);
        tsr_module_renumber(op->module);
    }
    double start = now(options);
    bool verified = op->module->verified;
    op->module->verified = false;
    bool ok = step->info->run(&p, op);
    step->seconds += now(options) - start;
    tsr_arena_free(&scratch);
#ifdef TSR_CHECKS
    if (ok)
        tsr_op_check_invariants(op->module->op);
#endif
    /* An unchanged module was verified before; a pass that fails may not have said what it changed. */
    if (ok && !p.changed)
        op->module->verified = verified;
    else if (ok && options->verify_each && (!step->inside || options->verify_inside))
        ok = verify(op, options);
    if (options->after)
        options->after(options->user, step->info, op, ok, p.changed);
    *changed |= p.changed;
    return ok;
}

static bool run_steps(tsr_pipelines *ps, tsr_pipeline *pl, tsr_op *op, tsr_run_options *options,
                      bool *changed);

/* Runs a nested pipeline on the directly nested ops that it is for. A pass changes only what is inside its root, so no
 * pipeline can erase its own op. It runs on all of them even if one fails, so that each reports its own errors. */
static bool run_nested(tsr_pipelines *ps, tsr_pipeline *pl, tsr_op *parent,
                       tsr_run_options *options, bool *changed)
{
    bool any = tsr_str_is(pl->anchor, "any"), ok = true;
    for (uint32_t r = 0; r < parent->nregion; r++) {
        TSR_REGION_BLOCKS (&parent->regions[r], b) {
            TSR_BLOCK_OPS (b, op) {
                if (any ? !tsr_op_has(op, TSR_TRAIT(ISOLATED))
                        : !tsr_str_eq(op->def->name, pl->anchor))
                    continue;
                ok &= run_steps(ps, pl, op, options, changed);
            }
        }
    }
    return ok;
}

static bool run_steps(tsr_pipelines *ps, tsr_pipeline *pl, tsr_op *op, tsr_run_options *options,
                      bool *changed)
{
    if (pl->steps.n && op->def->opcode == TSR_UNREGISTERED)
        return tsr_op_error(op, "trying to schedule a pass on an unregistered operation");
    if (pl->steps.n && !tsr_op_has(op, TSR_TRAIT(ISOLATED)))
        return tsr_op_error(
            op, "trying to schedule a pass on an operation not marked as 'IsolatedFromAbove'");
    bool unverified = false; /* whether a named pipeline has changed something so far */
    for (size_t i = 0; i < pl->steps.n; i++) {
        tsr_step *step = &pl->steps.data[i];
        bool here = false;
        bool ok = step->nested ? run_nested(ps, step->nested, op, options, &here)
                               : run_pass(ps, step, op, options, &here);
        *changed |= here;
        unverified |= here && (step->inside || step->ends);
        TSR_TRY(ok);
        if (!step->ends || !unverified)
            continue;
        unverified = false;
        TSR_TRY(!options->verify_each || op->module->verified || verify(op, options));
    }
    return true;
}

bool tsr_pipeline_run(tsr_pipelines *ps, tsr_pipeline *pl, tsr_op *op, tsr_run_options *options,
                      bool *changed)
{
    bool dummy = false;
    if (!tsr_str_is(pl->anchor, "any") && !tsr_str_eq(pl->anchor, op->def->name))
        return tsr_error(ps->ctx, op->loc, "can't run '%.*s' pass manager on '%.*s' op",
                         TSR_STR_ARG(pl->anchor), TSR_STR_ARG(op->def->name));
    tsr_symcache symbols;
    tsr_symcache_start(op->module, &symbols);
    bool ok = run_steps(ps, pl, op, options, changed ? changed : &dummy);
    tsr_symcache_stop(&symbols);
    return ok;
}

/* ---- Options of the running pass ---- */

static const tsr_option *option_of(const tsr_pass *p, const char *name)
{
    const tsr_option *o;
    for (size_t i = 0; (o = tsr_pass_option(p->pipelines->list, p->info, i)) != NULL; i++)
        if (strcmp(o->name, name) == 0)
            return o;
    tsr_assert(false, "pass '%s' has no option '%s'", p->info->name, name);
    return NULL;
}

static tsr_str unquote(const tsr_pass *p, tsr_str s)
{
    return tsr_option_unquote(p->pipelines ? &p->pipelines->arena : p->scratch, s);
}

tsr_str tsr_pass_str(const tsr_pass *p, const char *name)
{
    const tsr_option *o = option_of(p, name);
    for (size_t i = p->nvalue; i > 0; i--)
        if (p->values[i - 1].option == o)
            return unquote(p, p->values[i - 1].value);
    return tsr_cstr(o->value);
}

bool tsr_pass_bool(const tsr_pass *p, const char *name)
{
    tsr_str s = tsr_pass_str(p, name);
    return s.len && (s.data[0] == '1' || s.data[0] == 't' || s.data[0] == 'T');
}

int64_t tsr_pass_int(const tsr_pass *p, const char *name)
{
    tsr_str s = tsr_pass_str(p, name);
    char text[32];
    tsr_assert(s.len < sizeof text, "option '%s' was not checked", name);
    memcpy(text, s.data, s.len);
    text[s.len] = 0;
    return strtoll(text, NULL, 0);
}

/* Item i of "a,b,c"; commas inside braces and quotes do not separate. Subtracts the items it passed from *i. */
static bool list_item(tsr_str s, size_t *i, tsr_str *out)
{
    size_t start = 0;
    int depth = 0;
    for (size_t at = 0; s.len && at <= s.len; at++) {
        at = tsr_option_quoted_end(s, at);
        char c = at < s.len ? s.data[at] : ',';
        depth += (c == '{' || c == '[' || c == '(') - (c == '}' || c == ']' || c == ')');
        if (at < s.len && (c != ',' || depth > 0))
            continue;
        if ((*i)-- == 0) {
            *out = (tsr_str){s.data + start, at - start};
            return true;
        }
        start = at + 1;
    }
    return false;
}

bool tsr_pass_item(const tsr_pass *p, const char *name, size_t i, tsr_str *out)
{
    const tsr_option *o = option_of(p, name);
    bool given = false;
    for (size_t k = 0; k < p->nvalue; k++) {
        if (p->values[k].option != o)
            continue;
        given = true;
        if (list_item(p->values[k].value, &i, out)) {
            *out = unquote(p, *out);
            return true;
        }
    }
    return !given && list_item(tsr_cstr(o->value), &i, out);
}
