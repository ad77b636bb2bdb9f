/* SPDX-License-Identifier: Apache-2.0 */
/* run_check.c - comparisons of `tessera run`: results with expected ones, with those of the undivided program, and with
 * another module's. */
#include "run.h"

#include "api/ops.h"
#include "check/compare.h"

bool run_judge(run_job *c, const run_tensors *expected, tsr_tensor *const *grown, tsr_buf *out)
{
    bool pass = true;
    tsr_compare_heading(out);
    for (size_t i = 0; i < c->out.n; i++) {
        char name[32];
        snprintf(name, sizeof name, "%zu", i);
        const tsr_tensor *actual = c->out.data[i];
        if (i >= expected->n) {
            tsr_buf_printf(out, "%-8s  nothing expected\n", name);
            continue;
        }
        if (actual->kind != TSR_TENSOR && expected->data[i]->kind != TSR_TENSOR)
            continue;
        tsr_tolerance given = {c->has_rtol ? c->rtol : 0, c->has_atol ? c->atol : 0};
        const tsr_tolerance *tolerance = c->has_rtol || c->has_atol ? &given : NULL;
        tsr_comparison result, from_own;
        bool same = tsr_tensor_compare(actual, expected->data[i], tolerance, &result);
        bool grew = !same && grown && grown[i] &&
                    tsr_tensor_compare(actual, grown[i], tolerance, &from_own);
        pass &= same || grew;
        tsr_compare_row(out, name, actual, expected->data[i], &result, grew);
    }
    return pass;
}

static const tsr_tolerance *tolerance_of(const run_job *c, tsr_tolerance *out)
{
    *out = (tsr_tolerance){c->has_rtol ? c->rtol : 0, c->has_atol ? c->atol : 0};
    return c->has_rtol || c->has_atol ? out : NULL;
}

/* Reports the first wrong op, at its location, and how it differs. */
static void tell_verdict(const run_job *c, const tsr_ops_verdict *v, const char *how, tsr_buf *text,
                         bool *pass)
{
    *pass &= !v->found;
    if (!v->found)
        return;
    tsr_emit(c->ctx, TSR_ERROR, v->loc, "'%.*s' op is the first whose value differs %s",
             TSR_STR_ARG(tsr_buf_text(&v->text)), how);
    tsr_buf_str(text, tsr_buf_text(&v->table));
}

/* Compares the values of all ops on the mesh with those of the undivided program. */
static int find_on_mesh(run_job *c, tsr_entry_options *options, tsr_buf *text, bool *pass)
{
    tsr_status s = {0};
    tsr_ops_verdict v = {0};
    tsr_tolerance given;
    tsr_module *m = tsr_module_copy_borrowed(c->m);
    if (run_give(c, m, &s) && tsr_spmd_find_culprit(m, tsr_cstr(c->function), c->in.data, c->in.n,
                                                    tolerance_of(c, &given), options, &v, &s)) {
        tell_verdict(c, &v, "on the mesh", text, pass);
        if (c->check_ops)
            tsr_buf_printf(text, "ops on the mesh: %zu values compared\n", v.compared);
    }
    tsr_ops_verdict_free(&v);
    tsr_module_free(m);
    return EXIT_OK;
}

/* --check=ops: results, and each op, on both engines. The evaluator runs once. */
static int check_each(run_job *c, tsr_entry_options *options, tsr_buf *text, bool *pass)
{
    tsr_status s = {0};
    run_tensors whole = {0}, grown = {0};
    tsr_ops_verdict isolated = {0}, accumulated = {0};
    tsr_tolerance given;
    uint32_t nerror = c->ctx->nerror;
    tsr_module *m = tsr_module_copy_borrowed(c->m);
    for (uint32_t i = 0; i < c->type->nout; i++) {
        tsr_vec_push(&whole, NULL);
        tsr_vec_push(&grown, NULL);
    }
    bool ok = tsr_ops_check(m, tsr_cstr(c->function), c->in.data, c->in.n, tolerance_of(c, &given),
                            options, whole.data, grown.data, &isolated, &accumulated, &s);
    if (ok) {
        *pass &= run_judge(c, &whole, grown.data, text);
        if (accumulated.grown)
            tsr_emit(c->ctx, TSR_REMARK, accumulated.grown_loc,
                     "'%.*s' op is the first of %zu values that differ beyond the tolerance in the "
                     "whole program, but not from the inputs that they have there",
                     TSR_STR_ARG(accumulated.grown_name), accumulated.grown);
        tell_verdict(c, &isolated, "from the same inputs", text, pass);
        tell_verdict(c, &accumulated, "in the whole program", text, pass);
        tsr_buf_printf(text,
                       "ops: %zu values compared from the same inputs (%zu cannot be), %zu in the "
                       "whole program\n",
                       isolated.compared, isolated.skipped, accumulated.compared);
    }
    tsr_ops_verdict_free(&isolated);
    tsr_ops_verdict_free(&accumulated);
    tsr_module_free(m);
    run_free_tensors(&whole);
    run_free_tensors(&grown);
    return ok ? EXIT_OK : run_failed(c, nerror, options, &s);
}

/* ---- Another module ---- */

/* The inputs in the element types of the other module's function: a lowering may have changed them. */
static bool inputs_for(const run_job *c, const tsr_op *func, run_tensors *out, tsr_status *s)
{
    const tsr_type *type = tsr_entry_type(func);
    for (size_t i = 0; i < c->in.n; i++) {
        tsr_tensor *t = c->in.data[i];
        t = t && i < type->n ? tsr_same_numbers(t, type->types[i]) : t ? tsr_tensor_ref(t) : NULL;
        if (c->in.data[i] && !t)
            return tsr_status_set(s, TSR_BAD_INPUT,
                                  "input %zu has numbers that are not there in the element type "
                                  "that '%s' has for it",
                                  i, c->against);
        tsr_vec_push(out, t);
    }
    return true;
}

/* Converts results to the types of the first module's, if those are of another kind. */
static void results_as(const run_job *c, run_tensors *results)
{
    for (size_t i = 0; i < results->n && i < c->out.n; i++) {
        tsr_tensor *t = results->data[i];
        results->data[i] = tsr_as_kind_of(t, c->out.data[i]);
        tsr_tensor_unref(t);
    }
}

static int compare_modules(run_job *c, tsr_module *other, tsr_entry_options *options, tsr_buf *text,
                           bool *pass)
{
    tsr_status s = {0};
    run_tensors results = {0}, in = {0};
    tsr_against_report r = {0};
    tsr_tolerance given;
    uint32_t nerror = c->ctx->nerror;
    const tsr_op *func = tsr_entry_find(other, tsr_cstr(c->function), &s);
    tsr_vec_reserve(&results, c->type->nout + 1);
    options->program = options->memory = options->times = options->trace = NULL;
    options->progress = NULL;
    if (!func || !inputs_for(c, func, &in, &s) ||
        !tsr_entry_run(other, func, in.data, in.n, results.data, c->type->nout, options, &s)) {
        run_free_tensors(&results);
        run_free_tensors(&in);
        return run_failed(c, nerror, options, &s);
    }
    results.n = c->type->nout;
    results_as(c, &results);
    *pass &= run_judge(c, &results, NULL, text);
    run_free_tensors(&results);
    tsr_module *a = tsr_module_copy_borrowed(c->m), *b = tsr_module_copy_borrowed(other);
    if (tsr_ops_against(a, tsr_cstr(c->file), b, tsr_cstr(c->against), tsr_cstr(c->function),
                        c->in.data, in.data, in.n, tolerance_of(c, &given), options, &r, &s)) {
        if (r.found)
            tsr_emit(c->ctx, TSR_REMARK, r.loc, "%.*s", TSR_STR_ARG(tsr_buf_text(&r.text)));
        tsr_buf_str(text, tsr_buf_text(&r.table));
        tsr_buf_printf(text,
                       "ops: %zu values have the same location in both, %zu of them differ; %zu "
                       "are in the first module alone, %zu in the other\n",
                       r.compared, r.differ, r.unmatched[0], r.unmatched[1]);
        if (!r.compared)
            tsr_buf_cstr(text, "ops: a module that is printed with --mlir-print-debuginfo keeps "
                               "the locations of its ops\n");
    } else {
        tsr_buf_printf(text, "ops: not compared: %s\n", s.message);
    }
    tsr_against_report_free(&r);
    run_free_tensors(&in);
    tsr_module_free(a);
    tsr_module_free(b);
    return EXIT_OK;
}

int run_compare_against(run_job *c, tsr_entry_options *options, tsr_buf *text, bool *pass)
{
    tsr_file in;
    const char *error = NULL;
    if (!tsr_file_open(c->against, &in, &error))
        return cannot_open(c->t, c->against, error);
    source_mark last = {0};
    source src = {tsr_cstr(c->against), in.data, &last};
    tsr_diag_fn *fn = c->ctx->on_diag;
    void *user = c->ctx->diag_user;
    tsr_ctx_on_diag(c->ctx, diag_to_stderr, &src);
    tsr_module *m = tsr_load_program(c->ctx, src.text, src.file, 1, true);
    bool ok = m && make_ready(m, c->spmd, c->mesh);
    if (ok && tsr_spmd_is_local(m))
        ok = tsr_error(c->ctx, m->op->loc,
                       "the program of one device of several cannot be compared with another");
    tsr_ctx_on_diag(c->ctx, fn, user);
    int code = ok ? compare_modules(c, m, options, text, pass) : EXIT_REJECTED;
    if (m)
        tsr_module_free(m);
    tsr_file_close(&in);
    return code;
}

/* Compares with the undivided program on the evaluator. */
int run_check_whole(run_job *c, tsr_entry_options *options, tsr_buf *text, bool *pass)
{
    if (c->check_ops && !c->spmd)
        return check_each(c, options, text, pass);
    tsr_status s = {0};
    run_tensors whole = {0};
    uint32_t nerror = c->ctx->nerror;
    tsr_vec_reserve(&whole, c->type->nout + 1);
    /* Replicas belong to the program: as many as there are run undivided. */
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_parts_run one = {.replicas = 1, .partitions = 1, .differs = -1};
    if (options->parts)
        one = *options->parts;
    one.partitions = c->local ? 1 : one.partitions;
    if (c->local) {
        one.in = TSR_NEW_ARRAY(&arena, tsr_part_of, c->type->n + 1);
        one.out = TSR_NEW_ARRAY(&arena, tsr_part_of, c->type->nout + 1);
    }
    one.local = false;
    options->parts = c->spmd && (one.replicas > 1 || !c->local) ? &one : NULL;
    options->print = NULL;
    options->remote = NULL;
    c->steps.local = NULL;
    c->steps.quiet = true;
    options->repeat = 0;
    options->progress = NULL;
    options->program = options->memory = options->times = options->trace = NULL; /* reported */
    options->run.engine = TSR_ENGINE_REFERENCE; /* which is the reference */
    if (options->run.zero_division == TSR_ZERO_WARN)
        options->run.zero_division = TSR_ZERO_IGNORE; /* already warned about */
    if (!tsr_entry_run(c->m, c->func, c->in.data, c->in.n, whole.data, c->type->nout, options, &s))
        return tsr_arena_free(&arena), run_free_tensors(&whole), run_failed(c, nerror, options, &s);
    tsr_arena_free(&arena);
    whole.n = c->type->nout;
    bool same = run_judge(c, &whole, NULL, text);
    *pass &= same;
    run_free_tensors(&whole);
    options->run.engine = c->engine;
    if (same && !c->check_ops)
        return EXIT_OK;
    return c->spmd && c->local ? find_on_mesh(c, options, text, pass) : EXIT_OK;
}

/* Results, and reports on them. */
