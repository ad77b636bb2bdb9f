/* ops.c - see ops.h. */
#include "api/ops.h"

#include <stdlib.h>

#include "api/api.h"
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
    TSR_TRY(tsr_entry_keep(m, function, status) != NULL && tsr_run_pass(m, "inline", NULL, 0));
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
    tsr_plan *plan = tsr_plan_new(m);
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
            tsr_check_isolated(x.func, &x.from, &reference, options->strict, tolerance, isolated);
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

typedef struct {
    tsr_buf text; /* location, op, result and type */
    size_t index;
} key;
typedef TSR_VEC(key) key_vec;

static int by_text(const void *a, const void *b)
{
    const key *x = a, *y = b;
    size_t n = x->text.len < y->text.len ? x->text.len : y->text.len;
    int order = n ? memcmp(x->text.data, y->text.data, n) : 0;
    if (order || x->text.len != y->text.len)
        return order ? order : x->text.len < y->text.len ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void make_keys(tsr_ctx *ctx, const exposed *x, tsr_str file, key_vec *out)
{
    for (size_t i = 0; i < x->from.n - x->nown; i++) {
        const tsr_origin *from = &x->from.data[i];
        key k = {.index = i};
        tsr_str at;
        uint32_t line, col;
        if ((from->loc & 1) && tsr_loc_position(ctx, from->loc, &at, &line, &col))
            tsr_buf_printf(&k.text, "%.*s:%u:%u",
                           TSR_STR_ARG(tsr_str_eq(at, file) ? TSR_STR("") : at), line, col);
        else if (from->loc && ctx->print_loc)
            ctx->print_loc(ctx, &k.text, from->loc);
        tsr_buf_printf(&k.text, " %.*s %u ", TSR_STR_ARG(from->name), from->index);
        if (ctx->print_type)
            ctx->print_type(&k.text, from->value->type);
        tsr_vec_push(out, k);
    }
    if (out->n)
        qsort(out->data, out->n, sizeof *out->data, by_text);
}

static bool same_text(const key *a, const key *b)
{
    return tsr_str_eq(tsr_buf_text(&a->text), tsr_buf_text(&b->text));
}

/* pair[i]: the value of the other module that matches value i of the first, + 1. */
static void match(const key_vec *a, const key_vec *b, size_t *pair, size_t unmatched[2])
{
    size_t i = 0, k = 0;
    while (i < a->n && k < b->n) {
        if (same_text(&a->data[i], &b->data[k])) {
            pair[a->data[i++].index] = b->data[k++].index + 1;
        } else if (by_text(&(key){a->data[i].text, 0}, &(key){b->data[k].text, 0}) < 0) {
            unmatched[0]++;
            i++;
        } else {
            unmatched[1]++;
            k++;
        }
    }
    unmatched[0] += a->n - i;
    unmatched[1] += b->n - k;
}

static void drop_keys(key_vec *keys)
{
    for (size_t i = 0; i < keys->n; i++)
        tsr_buf_free(&keys->data[i].text);
    tsr_vec_free(keys);
}

bool tsr_ops_against(tsr_module *m, tsr_str file, tsr_module *other, tsr_str other_file,
                     tsr_str function, tsr_tensor *const *in, tsr_tensor *const *other_in,
                     size_t nin, const tsr_tolerance *tolerance, tsr_entry_options *options,
                     tsr_ops_verdict *out, size_t unmatched[2], tsr_status *status)
{
    exposed x = {0}, y = {0};
    tsr_eval_engine engine = options->run.engine;
    bool ok = expose(m, function, &x, status) && expose(other, function, &y, status);
    if (ok) {
        key_vec a = {0}, b = {0};
        size_t *pair = tsr_xmalloc((x.from.n + 1) * sizeof *pair);
        memset(pair, 0, (x.from.n + 1) * sizeof *pair);
        make_keys(m->ctx, &x, file, &a);
        make_keys(m->ctx, &y, other_file, &b);
        match(&a, &b, pair, unmatched);
        bool any = unmatched[0] < a.n;
        ok = !any || (run(m, &x, in, nin, engine, options, status) &&
                      run(other, &y, other_in, nin, engine, options, status));
        for (size_t i = 0; ok && any && i < x.from.n; i++)
            if (pair[i])
                tsr_verdict_add(out, &x.from.data[i], x.values[i], y.values[pair[i] - 1],
                                tolerance);
        drop_keys(&a);
        drop_keys(&b);
        tsr_free(pair);
    }
    drop(&x);
    drop(&y);
    return ok;
}
