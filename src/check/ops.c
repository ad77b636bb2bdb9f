/* SPDX-License-Identifier: Apache-2.0 */
/* ops.c - see ops.h. */
#include "check/ops.h"

#include "base/scope.h"
#include "check/compare.h"
#include "dialect/sdy/sharding.h"
#include "eval/plan.h"
#include "exec/program.h"
#include "text/text.h"

/* ---- Values as results ---- */

/* Exposed values stay live to the end of the function, so their deallocations are removed. */
static void keep_values(tsr_block *body)
{
    tsr_op *next;
    for (tsr_op *op = body->first; op; op = next) {
        next = op->next;
        if (tsr_op_is(op, TSR_OP_TTNN_DEALLOCATE))
            tsr_op_erase(op);
    }
}

void tsr_expose(tsr_op *func, tsr_origin_vec *out)
{
    tsr_block *body = func->regions[0].first;
    keep_values(body);
    tsr_op *last = body->last;
    const tsr_type *type = tsr_op_attr(func, TSR_STR("function_type"))->type;
    tsr_value_vec all = {0};
    tsr_type_vec types = {0};
    TSR_VEC(tsr_attr *) shardings = {0};
    TSR_BLOCK_OPS (body, op)
        for (uint32_t i = 0; op != last && i < op->nout; i++)
            if (op->out[i].type->kind == TSR_TYPE_TENSOR &&
                tsr_type_has_static_shape(op->out[i].type)) {
                tsr_vec_push(&all, &op->out[i]);
                tsr_vec_push(&shardings, tsr_sdy_sharding_of(&op->out[i]));
            }
    for (uint32_t i = 0; i < last->nin; i++) {
        tsr_vec_push(&all, last->in[i].value);
        tsr_vec_push(&shardings, tsr_sdy_result_sharding(func, i));
    }
    for (size_t i = 0; i < all.n; i++) {
        const tsr_value *v = all.data[i];
        tsr_vec_push(&types, all.data[i]->type);
        tsr_origin from = {v, func->loc, TSR_STR("an argument"), 0, 1};
        if (!v->is_arg)
            from = (tsr_origin){v, v->op->loc, v->op->def->name, v->index, v->op->nout};
        tsr_vec_push(out, from);
    }
    tsr_op_set_operands(last, all.data, all.n);
    tsr_type *now = tsr_type_function(func->module->ctx, type->types, type->n, types.data, all.n);
    func->attrs[FUNC_FUNC_function_type] = tsr_attr_type(func->module->ctx, now);
    func->attrs[FUNC_FUNC_res_attrs] = NULL;
    tsr_sdy_set_result_shardings(func, shardings.data);
    tsr_vec_free(&all);
    tsr_vec_free(&types);
    tsr_vec_free(&shardings);
}

/* ---- Verdicts ---- */

void tsr_ops_verdict_free(tsr_ops_verdict *v)
{
    tsr_buf_free(&v->text);
    tsr_buf_free(&v->table);
}

void tsr_verdict_add(tsr_ops_verdict *v, const tsr_origin *from, const tsr_tensor *actual,
                     const tsr_tensor *expected, const tsr_tolerance *tolerance)
{
    tsr_comparison c;
    if (expected->kind != TSR_TENSOR)
        return;
    v->compared++;
    if (tsr_tensor_compare(actual, expected, tolerance, &c) || v->found)
        return;
    v->found = true;
    v->loc = from->loc;
    tsr_buf_str(&v->text, from->name);
    if (from->nout > 1)
        tsr_buf_printf(&v->text, ", result %u", from->index);
    tsr_compare_heading(&v->table);
    tsr_compare_row(&v->table, "", actual, expected, &c, false);
}

/* ---- One op alone ---- */

/* What an op needs to run alone: values that become arguments, each once, and ops that must be copied with it because
 * their results have no value as data, such as a device. */
typedef struct {
    tsr_value_vec in;
    TSR_VEC(tsr_op *) with;
} needs;

static void drop_needs(needs *n)
{
    tsr_vec_free(&n->in);
    tsr_vec_free(&n->with);
}

static bool comes_along(const tsr_value *v)
{
    return !v->is_arg && v->type->kind != TSR_TYPE_TENSOR && !v->op->nin && !v->op->nregion;
}

/* For the op and its regions. False: a value is not available. */
static bool find_needs(const tsr_known *known, tsr_op *op, needs *out)
{
    if (tsr_op_has(op, TSR_TRAIT(CALL))) /* the callee is not in this module */
        return false;
    TSR_OPS (op, inner) {
        for (uint32_t i = 0; i < inner->nin; i++) {
            tsr_value *v = inner->in[i].value;
            bool seen = false;
            for (size_t k = 0; k < out->in.n; k++)
                seen |= out->in.data[k] == v;
            if (seen)
                continue;
            if (known->has(known->user, v))
                tsr_vec_push(&out->in, v);
            else if (inner == op && !comes_along(v))
                return false;
            else if (inner == op)
                tsr_vec_push(&out->with, v->op);
        }
    }
    return true;
}

/* Builds a module with only this op: its function takes the values that the op uses and returns its results. */
static tsr_module *alone(tsr_op *op, const needs *n, bool borrow)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_module *m =
        tsr_parse_module(ctx, TSR_STR("func.func @main() {\n  return\n}"), TSR_STR("op"), 1);
    if (!m)
        return NULL;
    tsr_op *func = m->op->regions[0].first->first;
    tsr_block *body = func->regions[0].first;
    tsr_mapping map = {.borrow = borrow};
    tsr_type_vec types = {0};
    for (size_t i = 0; i < n->in.n; i++) {
        tsr_value *arg = tsr_block_add_arg(m, body, n->in.data[i]->type, op->loc);
        tsr_mapping_put(&map, n->in.data[i], arg);
        tsr_vec_push(&types, n->in.data[i]->type);
    }
    for (size_t i = 0; i < n->with.n; i++)
        tsr_op_insert(tsr_op_clone(m, n->with.data[i], &map), body, body->last);
    tsr_op *copy = tsr_op_clone(m, op, &map);
    tsr_op_insert(copy, body, body->last);
    tsr_value_vec out = {0};
    for (uint32_t i = 0; i < copy->nout; i++) {
        tsr_vec_push(&out, &copy->out[i]);
        tsr_vec_push(&types, copy->out[i].type);
    }
    tsr_op_set_operands(body->last, out.data, out.n);
    func->loc = op->loc;
    func->attrs[FUNC_FUNC_function_type] = tsr_attr_type(
        ctx, tsr_type_function(ctx, types.data, n->in.n, TSR_FROM(types.data, n->in.n), out.n));
    tsr_mapping_free(&map);
    tsr_vec_free(&types);
    tsr_vec_free(&out);
    return m;
}

tsr_module *tsr_op_alone(tsr_op *op, const tsr_known *known, tsr_value_vec *in)
{
    needs n = {0};
    tsr_module *m = find_needs(known, op, &n) ? alone(op, &n, false) : NULL;
    for (size_t i = 0; m && i < n.in.n; i++)
        tsr_vec_push(in, n.in.data[i]);
    drop_needs(&n);
    return m;
}

/* Runs the module compiled so, or (NULL) on the reference evaluator. */
static bool run_module(tsr_module *m, const tsr_program_options *how, tsr_tensor *const *in,
                       size_t nin, tsr_tensor **out, size_t nout)
{
    const tsr_op *func = m->op->regions[0].first->first;
    tsr_program *p = how ? tsr_program_new(m, func, how) : NULL;
    tsr_plan *plan = how ? NULL : tsr_plan_new(m);
    tsr_eval e;
    tsr_eval_init(&e, m, how ? p->plan : plan);
    e.zero_division = TSR_ZERO_IGNORE;
    bool ok = how ? tsr_program_run(p, &e, in, nin, out, nout, NULL)
                  : tsr_eval_function(&e, func, in, nin, out);
    if (!ok && e.failure.environment) /* not the op's fault */
        tsr_stop(TSR_ENVIRONMENT, "%.*s", TSR_STR_ARG(tsr_buf_text(&e.failure.message)));
    tsr_eval_free(&e);
    tsr_program_free(p);
    tsr_plan_free(plan);
    return ok;
}

/* Runs the op, with what it needs, on known values. */
static bool run_needs(tsr_op *op, const needs *n, const tsr_known *known,
                      const tsr_program_options *how, tsr_tensor **out)
{
    TSR_VEC(tsr_tensor *) args = {0};
    tsr_module *m = alone(op, n, true);
    bool ok = m != NULL;
    for (size_t i = 0; ok && i < n->in.n; i++) {
        tsr_tensor *t = known->get(known->user, n->in.data[i]);
        ok = t != NULL;
        if (t)
            tsr_vec_push(&args, t);
    }
    ok = ok && run_module(m, how, args.data, args.n, out, op->nout);
    if (m)
        tsr_module_free(m);
    for (size_t i = 0; i < args.n; i++)
        tsr_tensor_unref(args.data[i]);
    tsr_vec_free(&args);
    return ok;
}

static bool run_alone(tsr_op *op, const tsr_known *known, const tsr_program_options *how,
                      tsr_tensor **out)
{
    needs n = {0};
    bool ok = find_needs(known, op, &n) && run_needs(op, &n, known, how, out);
    drop_needs(&n);
    return ok;
}

bool tsr_run_alone(tsr_op *op, const tsr_known *known, const tsr_program_options *how,
                   tsr_tensor **out)
{
    return run_alone(op, known, how, out);
}

/* ---- An op and what comes before it ---- */

/* A value of the op's own block that the op, or an op in its regions, uses. */
static bool is_outside(const tsr_op *op, const tsr_value *v)
{
    return (v->is_arg ? v->block : v->op->block) == op->block;
}

static bool can_run_alone(const tsr_op *op)
{
    return !tsr_op_has(op, TSR_TRAIT(CALL)) && !tsr_has_effect(op) && !tsr_written_operands(op);
}

/* Notes what an op uses: known values become arguments, the others are wanted. False: one is not to be had. */
static bool note_operands(tsr_op *op, const tsr_known *known, needs *out, bool *wanted,
                          size_t *missing)
{
    TSR_OPS (op, inner)
        for (uint32_t i = 0; i < inner->nin; i++) {
            tsr_value *v = inner->in[i].value;
            if (!is_outside(op, v) || wanted[v->id])
                continue;
            wanted[v->id] = true;
            if (known->has(known->user, v))
                tsr_vec_push(&out->in, v);
            else if (v->is_arg)
                return false;
            else
                (*missing)++;
        }
    return true;
}

/* All ops before this one that it needs, in order. */
static bool find_before(tsr_op *op, const tsr_known *known, needs *out)
{
    size_t n = (size_t)op->module->nvalue + 1, missing = 0;
    bool *wanted = tsr_xmalloc(n), ok = can_run_alone(op);
    memset(wanted, 0, n);
    ok = ok && note_operands(op, known, out, wanted, &missing);
    for (tsr_op *p = op->prev; ok && missing && p; p = p->prev) {
        bool used = false;
        for (uint32_t i = 0; i < p->nout; i++)
            if (wanted[p->out[i].id] && !known->has(known->user, &p->out[i])) {
                used = true;
                missing--;
            }
        if (!used)
            continue;
        tsr_vec_push(&out->with, p);
        ok = can_run_alone(p) && note_operands(p, known, out, wanted, &missing);
    }
    for (size_t i = 0, k = out->with.n; i + 1 < k; i++) {
        tsr_op *last = out->with.data[--k];
        out->with.data[k] = out->with.data[i];
        out->with.data[i] = last;
    }
    tsr_free(wanted);
    return ok && !missing;
}

bool tsr_run_from_known(tsr_op *op, const tsr_known *known, tsr_tensor **out)
{
    needs n = {0};
    bool ok = find_before(op, known, &n) && run_needs(op, &n, known, NULL, out);
    drop_needs(&n);
    return ok;
}

/* By value id: the value of a run; NULL: none. */
static bool has_value(void *user, const tsr_value *v)
{
    return ((tsr_tensor **)user)[v->id] != NULL;
}

static tsr_tensor *get_value(void *user, const tsr_value *v)
{
    return tsr_tensor_ref(((tsr_tensor **)user)[v->id]);
}

static tsr_tensor **by_value(const tsr_op *func, const tsr_origin_vec *from,
                             const tsr_ops_values *run)
{
    const tsr_block *body = func->regions[0].first;
    size_t n = (size_t)func->module->nvalue + 1;
    tsr_tensor **of = tsr_xmalloc(n * sizeof *of);
    memset(of, 0, n * sizeof *of);
    for (uint32_t i = 0; i < body->nargs; i++)
        if (run->in[i] && run->in[i]->kind == TSR_TENSOR)
            of[body->args[i]->id] = run->in[i];
    for (size_t i = 0; i < from->n; i++)
        of[from->data[i].value->id] = run->values[i];
    return of;
}

static bool all_known(tsr_tensor *const *of, const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++)
        if (!of[op->out[i].id])
            return false;
    return op->nout > 0;
}

/* The results of an op on the values of a run, one per result; NULL: the op cannot run alone. */
static tsr_tensor **results_alone(tsr_op *op, tsr_tensor **of, const tsr_program_options *how)
{
    tsr_known known = {of, has_value, get_value};
    tsr_tensor **results = tsr_xmalloc((op->nout + 1) * sizeof *results);
    memset(results, 0, (op->nout + 1) * sizeof *results);
    if (all_known(of, op) && !tsr_has_effect(op) && run_alone(op, &known, how, results))
        return results;
    tsr_free(results);
    return NULL;
}

void tsr_check_isolated(tsr_op *func, const tsr_origin_vec *from, const tsr_ops_values *reference,
                        const tsr_program_options *how, const tsr_tolerance *tolerance,
                        tsr_ops_verdict *out)
{
    tsr_block *body = func->regions[0].first;
    tsr_tensor **of = by_value(func, from, reference);
    TSR_BLOCK_OPS (body, op) {
        if (op == body->last)
            break;
        tsr_tensor **results = results_alone(op, of, how);
        out->skipped += results ? 0 : op->nout;
        for (uint32_t i = 0; results && i < op->nout; i++) {
            tsr_origin at = {&op->out[i], op->loc, op->def->name, i, op->nout};
            tsr_verdict_add(out, &at, results[i], of[op->out[i].id], tolerance);
            tsr_tensor_unref(results[i]);
        }
        tsr_free(results);
    }
    tsr_free(of);
}

/* The value that the reference computes from the inputs that a run had, by value id; NULL: unknown. */
static tsr_tensor *from_own_inputs(const tsr_value *v, tsr_tensor **of, tsr_tensor **again)
{
    if (v->is_arg)
        return NULL;
    tsr_op *op = v->op;
    if (!again[v->id]) {
        tsr_tensor **results = results_alone(op, of, NULL);
        for (uint32_t i = 0; results && i < op->nout; i++)
            again[op->out[i].id] = results[i];
        tsr_free(results);
    }
    return again[v->id];
}

void tsr_check_accumulated(tsr_op *func, const tsr_origin_vec *from,
                           const tsr_ops_values *reference, const tsr_ops_values *run, bool alone,
                           const tsr_tolerance *tolerance, tsr_ops_verdict *out,
                           tsr_tensor **expected)
{
    size_t n = (size_t)func->module->nvalue + 1;
    tsr_tensor **of = by_value(func, from, run), **again = tsr_xmalloc(n * sizeof *again);
    memset(again, 0, n * sizeof *again);
    for (size_t i = 0; i < from->n; i++) {
        const tsr_origin *at = &from->data[i];
        const tsr_tensor *wanted = reference->values[i], *actual = run->values[i];
        tsr_tensor *own = NULL;
        tsr_comparison c;
        if (alone && wanted->kind == TSR_TENSOR &&
            !tsr_tensor_compare(actual, wanted, tolerance, &c))
            own = from_own_inputs(at->value, of, again);
        if (!own || !tsr_tensor_compare(actual, own, tolerance, &c)) {
            tsr_verdict_add(out, at, actual, wanted, tolerance);
            continue;
        }
        if (!out->grown++) {
            out->grown_loc = at->loc;
            out->grown_name = at->name;
        }
        out->compared++;
        expected[i] = tsr_tensor_ref(own);
    }
    for (size_t i = 0; i < n; i++)
        tsr_tensor_unref(again[i]);
    tsr_free(again);
    tsr_free(of);
}
