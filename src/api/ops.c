/* SPDX-License-Identifier: Apache-2.0 */
/* ops.c - see ops.h. */
#include "api/ops.h"

#include "api/devices.h"

#include <stdlib.h>

#include "api/api.h"
#include "check/compare.h"
#include "check/pairs.h"
#include "dialect/opcode.h"
#include "eval/plan.h"

/* A function that returns all its values, and these values. */
typedef struct {
    tsr_op *func;
    tsr_origin_vec from;
    size_t nown; /* the function's own results, which come last */
    tsr_tensor **values;
} exposed;

static void drop_values(exposed *x)
{
    for (size_t i = 0; x->values && i < x->from.n; i++)
        tsr_tensor_unref(x->values[i]);
    tsr_free(x->values);
    x->values = NULL;
}

static void drop(exposed *x)
{
    drop_values(x);
    tsr_vec_free(&x->from);
}

/* Calls are inlined, so that their ops are compared too. */
static bool expose(tsr_module *m, tsr_str function, exposed *out, tsr_status *status)
{
    TSR_TRY(tsr_entry_keep(m, function, status) != NULL &&
            TSR_RUN_PASS(m, "inline", TSR_ARG_STR("default-pipeline", TSR_STR(""))));
    out->func = (tsr_op *)tsr_entry_find(m, function, status);
    if (!out->func)
        return false;
    if (!tsr_op_is(out->func, TSR_OP_FUNC_FUNC) || out->func->regions[0].first->next)
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "ops of a function of one block can be compared, and this is none");
    out->nown = tsr_entry_type(out->func)->nout;
    tsr_expose(out->func, &out->from);
    return true;
}

static bool run(tsr_module *m, exposed *x, tsr_tensor *const *in, size_t nin,
                tsr_eval_engine engine, tsr_entry_options *options, tsr_status *status)
{
    tsr_entry_options own = *options;
    own.run.engine = engine;
    own.run.zero_division = TSR_ZERO_IGNORE;
    own.print = NULL;
    own.progress = NULL;
    own.program = own.memory = own.times = NULL;
    own.parts = NULL;
    own.repeat = 1;
    x->values = tsr_xmalloc((x->from.n + 1) * sizeof *x->values);
    memset(x->values, 0, (x->from.n + 1) * sizeof *x->values);
    return tsr_entry_run(m, x->func, in, nin, x->values, x->from.n, &own, status);
}

/* If so, a value is not the same at all its uses: no op can be run alone. */
static bool changes_in_place(tsr_module *m)
{
    tsr_plan *plan = tsr_plan_facts(m);
    bool writes = plan && plan->writes;
    tsr_plan_free(plan);
    return writes;
}

bool tsr_ops_check(tsr_module *m, tsr_str function, tsr_tensor *const *in, size_t nin,
                   const tsr_tolerance *tolerance, tsr_entry_options *options, tsr_tensor **results,
                   tsr_tensor **grown, tsr_ops_verdict *isolated, tsr_ops_verdict *accumulated,
                   tsr_status *status)
{
    exposed x = {0}, compiled = {0};
    bool ok = expose(m, function, &x, status) &&
              run(m, &x, in, nin, TSR_ENGINE_REFERENCE, options, status);
    size_t own = x.from.n - x.nown; /* the first of the function's own results */
    for (size_t i = 0; ok && i < x.nown; i++)
        results[i] = tsr_tensor_ref(x.values[own + i]);
    compiled.func = x.func;
    for (size_t i = 0; i < x.from.n; i++)
        tsr_vec_push(&compiled.from, x.from.data[i]);
    ok = ok && run(m, &compiled, in, nin, TSR_ENGINE_COMPILED, options, status);
    if (ok) {
        const tsr_type *type = tsr_entry_type(x.func);
        tsr_tensor **args = tsr_xmalloc((nin + 1) * sizeof *args),
                   **expected = tsr_xmalloc((x.from.n + 1) * sizeof *expected);
        memset(expected, 0, (x.from.n + 1) * sizeof *expected);
        for (size_t i = 0; i < nin; i++)
            args[i] = tsr_entry_admit(type->types[i], in[i]);
        tsr_ops_values reference = {args, x.values}, mine = {args, compiled.values};
        bool alone = !changes_in_place(m);
        if (alone)
            tsr_check_isolated(x.func, &x.from, &reference,
                               &(tsr_program_options){.strict = options->strict,
                                                      .backend = tsr_backend_of(options->device),
                                                      .device = options->device},
                               tolerance, isolated);
        else
            isolated->skipped = own;
        tsr_check_accumulated(x.func, &x.from, &reference, &mine, alone, tolerance, accumulated,
                              expected);
        for (size_t i = 0; i < x.from.n; i++)
            if (i >= own)
                grown[i - own] = expected[i];
            else
                tsr_tensor_unref(expected[i]);
        for (size_t i = 0; i < nin; i++)
            tsr_tensor_unref(args[i]);
        tsr_free(args);
        tsr_free(expected);
    }
    drop(&x);
    drop(&compiled);
    return ok;
}

/* ---- Two modules ---- */

/* The elements of t converted to another type; NULL: no memory. */
static tsr_tensor *converted(const tsr_tensor *t, tsr_type *elem)
{
    tsr_tensor *made = tsr_tensor_like(t, elem);
    if (made)
        tsr_convert((tsr_dtype)made->dtype, made->data, (tsr_dtype)t->dtype, t->data, t->n);
    return made;
}

tsr_tensor *tsr_same_numbers(tsr_tensor *t, const tsr_type *type)
{
    bool plain = t->kind == TSR_TENSOR && type->kind == TSR_TYPE_TENSOR &&
                 tsr_dtype_of(type->elem) != TSR_D_NONE && t->elem->kind != TSR_TYPE_DIALECT &&
                 type->elem->kind != TSR_TYPE_DIALECT;
    if (!plain || tsr_dtype_of(type->elem) == (tsr_dtype)t->dtype)
        return tsr_tensor_ref(t);
    tsr_tensor *made = converted(t, type->elem), *back = made ? converted(made, t->elem) : NULL;
    bool same = back && (!t->n || memcmp(back->data, t->data, tsr_tensor_bytes(t)) == 0);
    tsr_tensor_unref(back);
    if (same)
        return made;
    tsr_tensor_unref(made);
    return NULL;
}

tsr_tensor *tsr_as_kind_of(tsr_tensor *t, const tsr_tensor *like)
{
    tsr_dtype x = (tsr_dtype)like->dtype, y = (tsr_dtype)t->dtype;
    bool ints = tsr_dtype_is_int(x);
    bool other = ints != tsr_dtype_is_int(y) || (ints && tsr_dtype_kind(x) != tsr_dtype_kind(y) &&
                                                 tsr_dtype_bits(x) == tsr_dtype_bits(y));
    if (like->kind != TSR_TENSOR || t->kind != TSR_TENSOR || !other)
        return tsr_tensor_ref(t);
    tsr_type type = {.kind = TSR_TYPE_TENSOR, .elem = like->elem};
    tsr_tensor *made = tsr_same_numbers(t, &type);
    return made ? made : tsr_tensor_ref(t);
}

typedef TSR_VEC(tsr_op *) op_list;

/* Two runs, value by value. */
typedef struct {
    exposed x, y;
    tsr_str file;                   /* of y */
    const tsr_tolerance *tolerance; /* NULL: by element type */
    size_t *pair;                   /* by value of x: that of y, + 1; 0: none. Results are paired */
    bool *differs;                  /* by value of x: from its pair */
    size_t *of_x, *of_y;            /* by value id: the value of x, + 1 (for one of y: its pair) */
    bool *matters;                  /* by value id, in x: a result differs through it */
    tsr_tensor **args;              /* of x, in the types of y */
} against;

/* Compares in the type of the two that is less exact. */
static bool agree(const against *g, tsr_tensor *a, tsr_tensor *b, tsr_comparison *c)
{
    if (a->kind != TSR_TENSOR || b->kind != TSR_TENSOR)
        return true;
    tsr_tensor *e = tsr_as_kind_of(b, a), *mine = tsr_tensor_ref(a);
    if (tsr_dtype_is_float((tsr_dtype)a->dtype) && tsr_dtype_is_float((tsr_dtype)e->dtype) &&
        tsr_default_tolerance(e->elem).rtol > tsr_default_tolerance(a->elem).rtol) {
        tsr_tensor *rounded = converted(a, e->elem);
        tsr_tensor_unref(mine);
        mine = rounded ? rounded : tsr_tensor_ref(a);
    }
    bool same = tsr_tensor_compare(mine, e, g->tolerance, c);
    tsr_tensor_unref(mine);
    tsr_tensor_unref(e);
    return same;
}

static size_t own_of(const exposed *x)
{
    return x->from.n - x->nown;
}

/* Values that can be compared: not those that an op changes later, nor block formats, which have no tolerance. */
static bool is_comparable(const tsr_value *v)
{
    if (tsr_type_is(v->type->elem, TSR_TYPE_DIALECT))
        return false;
    for (const tsr_use *use = v->uses; use; use = use->next) {
        size_t i = (size_t)(use - use->user->in);
        if (i < 32 && tsr_written_operands(use->user) >> i & 1)
            return false;
    }
    return true;
}

/* Pairs values by location, and results by number. */
static void find_pairs(tsr_ctx *ctx, against *g, tsr_str file, size_t unmatched[2])
{
    size_t own = own_of(&g->x), theirs = own_of(&g->y), n = g->x.from.n;
    tsr_pairs_side a = {g->x.from.data, own, file}, b = {g->y.from.data, theirs, g->file};
    tsr_pairs_find(ctx, &a, &b, g->pair, unmatched);
    for (size_t i = 0; i < own; i++)
        if (g->pair[i] && !(is_comparable(g->x.from.data[i].value) &&
                            is_comparable(g->y.from.data[g->pair[i] - 1].value))) {
            g->pair[i] = 0;
            unmatched[0]++;
            unmatched[1]++;
        }
    for (size_t i = own; i < n; i++)
        g->pair[i] = i - own < g->y.nown ? theirs + (i - own) + 1 : 0;
    for (size_t i = 0; i < own; i++)
        g->of_x[g->x.from.data[i].value->id] = i + 1;
    for (size_t i = 0; i < own; i++)
        if (g->pair[i])
            g->of_y[g->y.from.data[g->pair[i] - 1].value->id] = i + 1;
}

/* Marks the values through which a result differs: users in between differ too, or have no counterpart. */
static void find_what_matters(against *g)
{
    const tsr_block *body = g->x.func->regions[0].first;
    for (size_t i = own_of(&g->x); i < g->x.from.n; i++)
        g->matters[g->x.from.data[i].value->id] |= g->differs[i];
    for (tsr_op *op = body->last->prev; op; op = op->prev) {
        bool passes = false;
        uint32_t written = tsr_written_operands(op);
        for (uint32_t i = 0; i < op->nout; i++) {
            size_t at = g->of_x[op->out[i].id];
            passes |= g->matters[op->out[i].id] && (!at || !g->pair[at - 1] || g->differs[at - 1]);
        }
        for (uint32_t i = 0; i < op->nin && i < 32; i++)
            passes |= (written >> i & 1) && g->matters[op->in[i].value->id];
        TSR_OPS (op, inner)
            for (uint32_t i = 0; passes && i < inner->nin; i++)
                g->matters[inner->in[i].value->id] = true;
    }
}

/* What the other program's op computes from the values of the first one: arguments, and those that have a pair. */
static bool knows(void *user, const tsr_value *v)
{
    const against *g = user;
    return v->is_arg ? g->args[v->index] != NULL : g->of_y[v->id] != 0;
}

static tsr_tensor *fetch(void *user, const tsr_value *v)
{
    const against *g = user;
    tsr_tensor *t = v->is_arg ? g->args[v->index] : g->x.values[g->of_y[v->id] - 1];
    if (tsr_dtype_of(v->type->elem) == (tsr_dtype)t->dtype)
        return tsr_tensor_ref(t);
    return converted(t, v->type->elem);
}

/* Whether value i of the first program is what the other's op computes from the values that the first one has. known:
 * whether that could be found out. */
static bool is_inherited(against *g, size_t i, bool *known)
{
    const tsr_value *v = g->y.from.data[g->pair[i] - 1].value;
    tsr_comparison c;
    *known = false;
    if (v->is_arg)
        return false;
    tsr_known values = {g, knows, fetch};
    tsr_tensor **out = tsr_xmalloc((v->op->nout + 1) * sizeof *out);
    memset(out, 0, (v->op->nout + 1) * sizeof *out);
    *known = tsr_run_from_known(v->op, &values, out) && out[v->index];
    bool same = *known && agree(g, g->x.values[i], out[v->index], &c);
    for (uint32_t k = 0; k < v->op->nout; k++)
        tsr_tensor_unref(out[k]);
    tsr_free(out);
    return same;
}

/* The ops before an op without a counterpart that it is computed by (out), and whether what they and it are computed
 * from agrees. */
static bool operands_agree(const against *g, tsr_op *op, op_list *out)
{
    size_t n = (size_t)op->module->nvalue + 1;
    bool *used = tsr_xmalloc(n), all = true;
    memset(used, 0, n);
    for (tsr_op *p = op; p; p = p->prev) {
        bool wanted = p == op;
        for (uint32_t i = 0; i < p->nout; i++)
            wanted |= used[p->out[i].id];
        if (!wanted)
            continue;
        if (p != op)
            tsr_vec_push(out, p);
        TSR_OPS (p, inner)
            for (uint32_t i = 0; i < inner->nin; i++) {
                const tsr_value *v = inner->in[i].value;
                size_t at = v->is_arg ? 0 : g->of_x[v->id];
                if (at && g->pair[at - 1])
                    all &= !g->differs[at - 1];
                else
                    used[v->id] = true;
            }
    }
    tsr_free(used);
    return all;
}

/* Whether a result is a value that agrees with that of its op, or an argument: another one should be returned. */
static bool is_misplaced(const against *g, size_t i)
{
    const tsr_value *v = g->x.from.data[i].value;
    size_t at = v->is_arg ? 0 : g->of_x[v->id];
    return i >= own_of(&g->x) && (v->is_arg || (at && g->pair[at - 1] && !g->differs[at - 1]));
}

/* The first wrong value: of an op that computes something else than its counterpart from the same operands, or that
 * should not be a result. grown: if there is none, the first that differs; both + 1, 0: none. */
static size_t find_wrong(against *g, bool *agreed, op_list *between, size_t *grown)
{
    for (size_t i = 0; i < g->x.from.n; i++) {
        const tsr_value *v = g->x.from.data[i].value;
        if (!g->pair[i] || !g->differs[i] || !g->matters[v->id])
            continue;
        if (is_misplaced(g, i))
            return i + 1;
        if (i >= own_of(&g->x) && g->of_x[v->id] && g->pair[g->of_x[v->id] - 1])
            continue; /* it was examined at its op */
        bool known, same = is_inherited(g, i, &known);
        between->n = 0;
        *agreed = operands_agree(g, v->op, between);
        if (known ? !same : *agreed)
            return i + 1;
        *grown = *grown ? *grown : i + 1;
    }
    return 0;
}

/* In words. */
static void tell_wrong(const against *g, size_t i, bool agreed, const op_list *between,
                       tsr_against_report *out)
{
    enum { NAMED = 3 };
    const tsr_origin *mine = &g->x.from.data[i], *theirs = &g->y.from.data[g->pair[i] - 1];
    tsr_buf *t = &out->text;
    if (is_misplaced(g, i)) {
        out->loc = g->x.func->regions[0].first->last->loc;
        tsr_buf_printf(t,
                       "result %zu is another value than in '%.*s': that of '%.*s', where it is "
                       "that of '%.*s'",
                       i - own_of(&g->x), TSR_STR_ARG(g->file), TSR_STR_ARG(mine->name),
                       TSR_STR_ARG(theirs->name));
        return;
    }
    tsr_buf_printf(t, "'%.*s' op ", TSR_STR_ARG(mine->name));
    if (mine->nout > 1)
        tsr_buf_printf(t, "(result %u) ", mine->index);
    tsr_buf_cstr(t, agreed ? "is the first that is wrong: its operands agree with those in "
                           : "is the first that is wrong: from the operands that it has, ");
    tsr_buf_printf(t,
                   agreed ? "'%.*s', and its result differs from that of '%.*s' there"
                          : "'%.*s' computes something else, by '%.*s'",
                   TSR_STR_ARG(g->file), TSR_STR_ARG(theirs->name));
    if (!between->n)
        return;
    tsr_buf_printf(t, "; or %s before it that '%.*s' has not: ",
                   between->n == 1 ? "the op" : "one of the ops", TSR_STR_ARG(g->file));
    for (size_t k = between->n, named = 0; k-- > 0 && named < NAMED; named++)
        tsr_buf_printf(t, "%s'%.*s'", named ? ", " : "", TSR_STR_ARG(between->data[k]->def->name));
    if (between->n > NAMED)
        tsr_buf_printf(t, " and %zu more", between->n - NAMED);
}

static void report(against *g, tsr_against_report *out)
{
    bool agreed = false;
    op_list between = {0};
    size_t grown = 0, wrong = find_wrong(g, &agreed, &between, &grown), at = wrong ? wrong : grown;
    if (at) {
        const tsr_origin *mine = &g->x.from.data[at - 1];
        tsr_tensor *a = g->x.values[at - 1], *b = g->y.values[g->pair[at - 1] - 1];
        tsr_comparison c;
        out->found = true;
        out->loc = mine->loc;
        if (wrong)
            tell_wrong(g, at - 1, agreed, &between, out);
        else
            tsr_buf_printf(&out->text,
                           "'%.*s' op is the first whose result differs, but no op computes "
                           "something else than '%.*s' does from the operands that it has: the "
                           "difference has grown from one within the tolerance",
                           TSR_STR_ARG(mine->name), TSR_STR_ARG(g->file));
        agree(g, a, b, &c);
        tsr_compare_heading(&out->table);
        tsr_compare_row(&out->table, "", a, b, &c, false);
    }
    tsr_vec_free(&between);
}

/* Runs both, and compares. */
static bool compare_runs(tsr_module *m, tsr_module *other, against *g, tsr_tensor *const *in,
                         tsr_tensor *const *other_in, size_t nin, tsr_entry_options *options,
                         tsr_against_report *out, tsr_status *status)
{
    tsr_eval_engine engine = options->run.engine;
    TSR_TRY(run(m, &g->x, in, nin, engine, options, status) &&
            run(other, &g->y, other_in, nin, engine, options, status));
    const tsr_type *type = tsr_entry_type(g->y.func);
    for (size_t i = 0; i < nin; i++)
        g->args[i] = other_in[i] && other_in[i]->kind == TSR_TENSOR
                         ? tsr_entry_admit(type->types[i], other_in[i])
                         : NULL;
    for (size_t i = 0; i < g->x.from.n; i++) {
        tsr_comparison c;
        g->differs[i] = g->pair[i] && !agree(g, g->x.values[i], g->y.values[g->pair[i] - 1], &c);
        out->compared += g->pair[i] && i < own_of(&g->x);
        out->differ += g->differs[i] && i < own_of(&g->x);
    }
    find_what_matters(g);
    report(g, out);
    for (size_t i = 0; i < nin; i++)
        tsr_tensor_unref(g->args[i]);
    return true;
}

static void *zeros(size_t n, size_t size)
{
    void *made = tsr_xmalloc((n + 1) * size);
    memset(made, 0, (n + 1) * size);
    return made;
}

bool tsr_ops_against(tsr_module *m, tsr_str file, tsr_module *other, tsr_str other_file,
                     tsr_str function, tsr_tensor *const *in, tsr_tensor *const *other_in,
                     size_t nin, const tsr_tolerance *tolerance, tsr_entry_options *options,
                     tsr_against_report *out, tsr_status *status)
{
    against g = {.file = other_file, .tolerance = tolerance};
    bool ok = expose(m, function, &g.x, status) && expose(other, function, &g.y, status);
    if (ok) {
        g.pair = zeros(g.x.from.n, sizeof *g.pair);
        g.differs = zeros(g.x.from.n, sizeof *g.differs);
        g.of_x = zeros(m->nvalue, sizeof *g.of_x);
        g.of_y = zeros(other->nvalue, sizeof *g.of_y);
        g.matters = zeros(m->nvalue, sizeof *g.matters);
        g.args = zeros(nin, sizeof *g.args);
        find_pairs(m->ctx, &g, file, out->unmatched);
        ok = compare_runs(m, other, &g, in, other_in, nin, options, out, status);
    }
    void *all[] = {g.pair, g.differs, g.of_x, g.of_y, g.matters, g.args};
    for (size_t i = 0; i < TSR_COUNT(all); i++)
        tsr_free(all[i]);
    drop(&g.x);
    drop(&g.y);
    return ok;
}

void tsr_against_report_free(tsr_against_report *r)
{
    tsr_buf_free(&r->text);
    tsr_buf_free(&r->table);
}
