/* SPDX-License-Identifier: Apache-2.0 */
/* goldens.c - expected results of a program's ops: from files, or from a run of the evaluator on the program before
 * lowering.
 *
 * Lowering keeps locations, so a value is identified by the location of its op. Programs for a mesh have a value for
 * each device. */
#include "goldens.h"

#include <pthread.h>
#include <stdlib.h>

#include "api/eval.h"
#include "dialect/opcode.h"
#include "eval/file/npy.h"
#include "eval/mesh.h"
#include "eval/random.h"

void goldens_free(goldens *g)
{
    for (size_t i = 0; i < g->list.n; i++)
        tsr_tensor_unref((tsr_tensor *)(uintptr_t)g->list.data[i].value);
    for (size_t i = 0; i < g->texts.n; i++)
        tsr_free(g->texts.data[i]);
    tsr_vec_free(&g->list);
    tsr_vec_free(&g->texts);
}

void goldens_add(goldens *g, tsr_str key, uint32_t device, tsr_tensor *t)
{
    bool again = g->list.n && tsr_str_eq(g->list.data[g->list.n - 1].key, key);
    if (!again) {
        char *copy = tsr_xmalloc(key.len + 1);
        memcpy(copy, key.data, key.len);
        tsr_vec_push(&g->texts, copy);
    }
    tsr_vec_push(&g->list, (tsr_fb_golden){{g->texts.data[g->texts.n - 1], key.len}, device, t});
}

/* ---- Files ---- */

/* Removes "@2" from the end of a key. */
static uint32_t device_of(tsr_str *key)
{
    uint32_t device = 0, scale = 1;
    size_t n = key->len;
    for (; n && scale <= 10000 && key->data[n - 1] >= '0' && key->data[n - 1] <= '9'; n--) {
        device += scale * (uint32_t)(key->data[n - 1] - '0');
        scale *= 10;
    }
    if (n == key->len || !n || key->data[n - 1] != '@')
        return 0;
    key->len = n - 1;
    return device;
}

bool goldens_load(tsr_ctx *ctx, const char *text, goldens *out)
{
    const char *file = strrchr(text, '=');
    tsr_status status = {0};
    tsr_tensor *t = file ? tsr_npy_load(ctx, file + 1, NULL, TSR_NPY_AS_IS, &status) : NULL;
    if (!t)
        return tsr_error(ctx, TSR_LOC_UNKNOWN, "--golden=%s: %s", text,
                         file ? status.message
                              : "a location and a file are wanted: loc(\"x\")=x.npy");
    tsr_str key = {text, (size_t)(file - text)};
    uint32_t device = device_of(&key);
    goldens_add(out, key, device, t);
    return true;
}

/* ---- A program ---- */

typedef struct {
    const tsr_op *op;
    uint32_t device;
    tsr_tensor *value;
} seen;

typedef struct {
    const tsr_op *func;
    TSR_VEC(seen) values;
    pthread_mutex_t lock;
} breakpoints;

/* Threads of devices arrive in any order. */
static bool see(void *user, tsr_call *c)
{
    breakpoints *w = user;
    if (c->op == w->func || c->op->block != w->func->regions[0].first || !c->op->nout ||
        c->op->loc == TSR_LOC_UNKNOWN || c->out[0]->kind != TSR_TENSOR ||
        !tsr_fb_data_type(c->out[0]->elem))
        return true;
    pthread_mutex_lock(&w->lock);
    tsr_vec_push(&w->values, (seen){c->op, tsr_process_id(c->e), tsr_tensor_ref(c->out[0])});
    pthread_mutex_unlock(&w->lock);
    return true;
}

static int by_op(const void *a, const void *b)
{
    const seen *x = a, *y = b;
    if (x->op->id != y->op->id)
        return x->op->id < y->op->id ? -1 : 1;
    return (x->device > y->device) - (x->device < y->device);
}

static int by_loc(const void *a, const void *b)
{
    tsr_loc x = *(const tsr_loc *)a, y = *(const tsr_loc *)b;
    return (x > y) - (x < y);
}

/* Whether an op is the only one at its location. */
static bool is_alone(const tsr_loc *sorted, size_t n, tsr_loc loc)
{
    const tsr_loc *p = bsearch(&loc, sorted, n, sizeof loc, by_loc);
    return p && (p == sorted || p[-1] != loc) && (p + 1 == sorted + n || p[1] != loc);
}

/* Adds the observed values, in the order of ops, as far as they fit in a file. */
static void add_seen(tsr_ctx *ctx, breakpoints *w, goldens *out)
{
    enum { ROOM = 1500000000 };
    TSR_VEC(tsr_loc) locs = {0};
    size_t left_out = 0, bytes = 0;
    for (size_t i = 0; i < out->list.n; i++)
        bytes += tsr_tensor_bytes(out->list.data[i].value);
    TSR_BLOCK_OPS (w->func->regions[0].first, op)
        tsr_vec_push(&locs, op->loc);
    qsort(locs.data, locs.n, sizeof *locs.data, by_loc);
    if (w->values.n)
        qsort(w->values.data, w->values.n, sizeof *w->values.data, by_op);
    for (size_t i = 0; i < w->values.n; i++) {
        const seen *s = &w->values.data[i];
        tsr_buf key = {0};
        size_t more = tsr_tensor_bytes(s->value);
        if (!is_alone(locs.data, locs.n, s->op->loc) || bytes + more > ROOM) {
            left_out++;
            continue;
        }
        bytes += more;
        ctx->print_attr(ctx, &key, tsr_loc_attr(ctx, s->op->loc));
        goldens_add(out, tsr_buf_text(&key), s->device, tsr_tensor_ref(s->value));
        tsr_buf_free(&key);
    }
    if (left_out)
        tsr_emit(ctx, TSR_REMARK, w->func->loc,
                 "%zu values have no golden: their location is another's, too, or there is no room",
                 left_out);
    tsr_vec_free(&locs);
}

static void add_numbered(goldens *out, const char *name, tsr_tensor *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char key[40];
        if (list[i]->kind != TSR_TENSOR || !tsr_fb_data_type(list[i]->elem))
            continue;
        snprintf(key, sizeof key, "%s_%zu", name, i);
        goldens_add(out, tsr_cstr(key), 0, tsr_tensor_ref(list[i]));
    }
}

/* A binary has goldens of one program, identified by the numbers of its inputs and outputs. */
static bool is_only_program(const tsr_op *func, tsr_status *status)
{
    TSR_BLOCK_OPS (func->block, op)
        if (op != func && tsr_op_is(op, TSR_OP_FUNC_FUNC) && op->regions[0].first &&
            !op->attrs[FUNC_FUNC_sym_visibility])
            return tsr_status_set(status, TSR_BAD_INPUT,
                                  "goldens are of one program; there are '%.*s' and '%.*s'",
                                  TSR_STR_ARG(tsr_op_symbol(func)), TSR_STR_ARG(tsr_op_symbol(op)));
    return true;
}

static bool run_program(tsr_module *m, uint64_t seed, goldens *out, tsr_status *status)
{
    TSR_VEC(tsr_tensor *) in = {0}, results = {0};
    breakpoints w = {.func = tsr_entry_find(m, TSR_STR(""), status)};
    const tsr_type *type = w.func ? tsr_entry_type(w.func) : NULL;
    bool ok = type && is_only_program(w.func, status);
    for (uint32_t i = 0; ok && i < type->n; i++) {
        tsr_tensor *t = tsr_random_input(m, w.func, i, seed, status);
        ok = t != NULL;
        if (t)
            tsr_vec_push(&in, t);
    }
    if (ok) {
        tsr_entry_options o = {
            .run = {.engine = TSR_ENGINE_REFERENCE, .seed = seed, .zero_division = TSR_ZERO_IGNORE},
            .watch = see,
            .watch_user = &w};
        pthread_mutex_init(&w.lock, NULL);
        tsr_vec_reserve(&results, type->nout + 1);
        ok = tsr_entry_run(m, w.func, in.data, in.n, results.data, type->nout, &o, status);
        results.n = ok ? type->nout : 0;
        pthread_mutex_destroy(&w.lock);
    }
    if (ok) {
        add_numbered(out, "input", in.data, in.n);
        add_numbered(out, "output", results.data, results.n);
        add_seen(m->ctx, &w, out);
    }
    for (size_t i = 0; i < in.n; i++)
        tsr_tensor_unref(in.data[i]);
    for (size_t i = 0; i < results.n; i++)
        tsr_tensor_unref(results.data[i]);
    for (size_t i = 0; i < w.values.n; i++)
        tsr_tensor_unref(w.values.data[i].value);
    tsr_vec_free(&in);
    tsr_vec_free(&results);
    tsr_vec_free(&w.values);
    return ok;
}

bool goldens_of_program(tsr_ctx *ctx, const char *path, uint64_t seed, goldens *out,
                        bool *environment)
{
    tsr_file in;
    const char *error = NULL;
    if (!tsr_file_open(path, &in, &error))
        return tsr_error(ctx, TSR_LOC_UNKNOWN, "cannot open '%s': %s", path, error);
    source_mark last = {0};
    source src = {tsr_cstr(path), in.data, &last};
    tsr_diag_fn *fn = ctx->on_diag;
    void *user = ctx->diag_user;
    tsr_status status = {0};
    uint32_t nerror = ctx->nerror;
    tsr_ctx_on_diag(ctx, diag_to_stderr, &src);
    tsr_module *m = tsr_load(ctx, src.text, src.file, 1);
    bool ok =
        m && tsr_verify(m->op) && tsr_make_runnable(m, false) && run_program(m, seed, out, &status);
    if (!ok && ctx->nerror == nerror)
        tsr_error(ctx, TSR_LOC_UNKNOWN, "%s: %s", path, status.message);
    *environment |= !ok && status.code == TSR_ENVIRONMENT;
    tsr_ctx_on_diag(ctx, fn, user);
    if (m)
        tsr_module_free(m);
    tsr_file_close(&in);
    return ok;
}
