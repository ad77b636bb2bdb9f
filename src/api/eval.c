/* SPDX-License-Identifier: Apache-2.0 */
/* eval.c - tensors and evaluation in the public API. Comparison is in check/. */
#include "api/eval.h"
#include "api/devices.h"
#include "api/peers.h"
#include "api/spmd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/guard.h"
#include "api/tsrx.h"
#include "base/decimal.h"
#include "check/trace.h"
#include "check/ttnn.h"
#include "eval/block.h"
#include "eval/host.h"
#include "eval/file/literal.h"
#include "eval/file/npy.h"
#include "eval/parts.h"
#include "eval/plan.h"
#include "eval/remote.h"
#include "exec/run/mesh.h"
#include "exec/report.h"
#include "eval/file/print.h"
#include "eval/random.h"
#include "text/text.h"

/* ---- Tensors ---- */

/* An element type from its text, without diagnostics: the caller gets a status instead. */
static tsr_type *element_of(tsr_ctx *ctx, tsr_str text)
{
    bool quiet = ctx->quiet;
    uint32_t nerror = ctx->nerror;
    ctx->quiet = true;
    tsr_type *t = tsr_type_parse(ctx, text);
    ctx->quiet = quiet;
    ctx->nerror = nerror;
    return t && tsr_dtype_of(t) != TSR_D_NONE ? t : NULL;
}

static tsr_tensor *create(tsr_ctx *ctx, tsr_str type, const int64_t *dims, size_t rank,
                          const void *data, bool view, tsr_status *status)
{
    tsr_type *elem = element_of(ctx, type);
    if (!elem) {
        tsr_status_set(status, TSR_BAD_INPUT, "'%.*s' is no element type of tensors",
                       TSR_STR_ARG(type));
        return NULL;
    }
    if (rank > TSR_MAX_RANK) {
        tsr_status_set(status, TSR_BAD_INPUT, "a tensor has at most %d dimensions", TSR_MAX_RANK);
        return NULL;
    }
    for (size_t i = 0; i < rank; i++) {
        if (dims[i] >= 0)
            continue;
        tsr_status_set(status, TSR_BAD_INPUT, "dimension %zu of the tensor is negative", i);
        return NULL;
    }
    tsr_tensor *t = view   ? tsr_tensor_over(elem, dims, rank, (void *)data)
                    : data ? tsr_tensor_new(elem, dims, rank)
                           : tsr_tensor_zeros(elem, dims, rank);
    if (t && view) {
        t = tsr_tensor_tidied(t);
    } else if (t && data) {
        memcpy(t->data, data, tsr_tensor_bytes(t));
        tsr_tensor_tidy(t);
    }
    if (!t)
        tsr_status_set(status, TSR_ENVIRONMENT, "no memory for the tensor%s",
                       tsr_memory_reason().text);
    return t;
}

tsr_tensor *tsr_tensor_create(tsr_ctx *ctx, tsr_str type, const int64_t *dims, size_t rank,
                              const void *data, tsr_status *status)
{
    TSR_GUARD_CTX(g, ctx, status, NULL)
    tsr_tensor *t = create(ctx, type, dims, rank, data, false, g.status);
    tsr_guard_close(&g);
    return t;
}

tsr_tensor *tsr_tensor_view(tsr_ctx *ctx, tsr_str type, const int64_t *dims, size_t rank,
                            const void *data, tsr_status *status)
{
    TSR_GUARD_IF(g, ctx && data, ctx, NULL, TSR_READS, status, NULL)
    tsr_tensor *t = create(ctx, type, dims, rank, data, true, g.status);
    tsr_guard_close(&g);
    return t;
}

tsr_tensor *tsr_tensor_parse(tsr_ctx *ctx, tsr_str text, tsr_status *status)
{
    TSR_GUARD_CTX(g, ctx, status, NULL)
    tsr_tensor *t = tsr_literal_read(ctx, text, g.status);
    tsr_guard_close(&g);
    return t;
}

void tsr_tensor_free(tsr_tensor *t)
{
    tsr_tensor_unref(t);
}

static bool has_elements(const tsr_tensor *t)
{
    return t && t->kind == TSR_TENSOR;
}

size_t tsr_tensor_rank(const tsr_tensor *t)
{
    return t ? t->rank : 0;
}

int64_t tsr_tensor_dim(const tsr_tensor *t, size_t i)
{
    return t && i < t->rank ? t->dims[i] : 0;
}

int64_t tsr_tensor_num_elements(const tsr_tensor *t)
{
    return has_elements(t) ? t->n : 0;
}

tsr_type *tsr_tensor_element(const tsr_tensor *t)
{
    return has_elements(t) ? t->elem : NULL;
}

const void *tsr_tensor_data(const tsr_tensor *t)
{
    return t ? t->data : NULL;
}

size_t tsr_tensor_size(const tsr_tensor *t)
{
    return has_elements(t) ? tsr_tensor_bytes(t) : 0;
}

double tsr_tensor_get(const tsr_tensor *t, int64_t i)
{
    return has_elements(t) && !t->where && i >= 0 && i < t->n ? tsr_get_double(t, i) : 0;
}

/* A tensor belongs to no context, but its element type does. */
static tsr_ctx *ctx_of(const tsr_tensor *t)
{
    return has_elements(t) ? t->elem->ctx : NULL;
}

tsr_str tsr_tensor_text(const tsr_tensor *t)
{
    TSR_GUARD_IF(g, t != NULL, ctx_of(t), NULL, TSR_READS, NULL, TSR_NO_TEXT)
    tsr_buf out = {0};
    tsr_tensor *copy;
    const tsr_tensor *here = tsr_tensor_here(t, &copy);
    if (here)
        tsr_tensor_print(&out, here);
    else
        tsr_status_set(g.status, TSR_ENVIRONMENT, "the tensor cannot be read: %s",
                       tsr_tensor_device(t)->error);
    tsr_tensor_unref(copy);
    return tsr_guard_finish_text(&g, here != NULL, &out);
}

static tsr_tensor *load(tsr_ctx *ctx, const char *path, tsr_type *element, tsr_status *status)
{
    size_t n = strlen(path);
    if (n < 4 || strcmp(path + n - 4, ".npz") != 0)
        return tsr_npy_load(ctx, path, element, TSR_NPY_EXACT, status);
    tsr_npz z;
    tsr_tensor *t = NULL;
    if (!tsr_npz_open(&z, path, status))
        return NULL;
    if (!z.entries.n)
        tsr_status_set(status, TSR_BAD_INPUT, "%s: has no arrays", path);
    else
        t = tsr_npz_read(ctx, &z, 0, element, TSR_NPY_EXACT, status);
    tsr_npz_close(&z);
    return t;
}

tsr_tensor *tsr_tensor_load(tsr_ctx *ctx, const char *path, tsr_type *element, tsr_status *status)
{
    TSR_GUARD_IF(g, ctx && path, ctx, NULL, TSR_READS, status, NULL)
    tsr_tensor *t = load(ctx, path, element, g.status);
    tsr_guard_close(&g);
    return t;
}

bool tsr_tensor_save(const tsr_tensor *t, const char *path, tsr_status *status)
{
    TSR_GUARD_IF(g, t && path, ctx_of(t), NULL, TSR_READS, status, false)
    bool ok = tsr_npy_save(t, path, g.status);
    tsr_guard_close(&g);
    return ok;
}

/* ---- Functions ---- */

static bool is_function(const tsr_op *op)
{
    return op && tsr_op_has(op, TSR_TRAIT(FUNCTION)) && op->nregion && op->regions[0].first;
}

/* Functions with a body, also in nested modules (ttcore.device_module contains one), but not host functions. */
typedef struct {
    const tsr_op *named, *forward, *only, *only_public;
    size_t n, npublic;
    tsr_buf names; /* some of them, for messages */
} entries;

static void find_entries(const tsr_op *table, tsr_str name, entries *out, int depth)
{
    enum { DEEP = 8, TOLD = 5 };
    const tsr_block *body = table->nregion ? table->regions[0].first : NULL;
    if (!body || depth > DEEP)
        return;
    TSR_BLOCK_OPS (body, f) {
        if (is_function(f)) {
            const tsr_attr *seen = tsr_op_attr(f, TSR_STR("sym_visibility"));
            bool hidden = tsr_attr_is(seen, TSR_ATTR_STRING) && tsr_str_is(seen->s, "private");
            if (!out->named && tsr_str_eq(tsr_op_symbol(f), name))
                out->named = f;
            if (!out->forward && tsr_str_is(tsr_op_symbol(f), "forward"))
                out->forward = f;
            out->only = f;
            if (out->n++ < TOLD)
                tsr_buf_printf(&out->names, "%s'%.*s'", out->n > 1 ? ", " : "",
                               TSR_STR_ARG(tsr_op_symbol(f)));
            out->only_public = hidden ? out->only_public : f;
            out->npublic += !hidden;
        } else if (tsr_op_has(f, TSR_TRAIT(SYMBOL_TABLE)) &&
                   !tsr_op_is(f, TSR_OP_TTCORE_CPU_MODULE)) {
            find_entries(f, name, out, depth + 1);
        }
    }
}

const tsr_op *tsr_entry_find(tsr_module *m, tsr_str name, tsr_status *status)
{
    bool any = !name.len || tsr_str_is(name, "main");
    const tsr_op *op = tsr_module_lookup(m, any ? TSR_STR("main") : name);
    if (is_function(op))
        return op;
    entries e = {0};
    find_entries(m->op, any ? TSR_STR("main") : name, &e, 0);
    op = e.named;
    if (!op && any)
        op = e.n == 1 ? e.only : e.npublic == 1 ? e.only_public : e.forward;
    if (!op)
        tsr_status_set(status, TSR_BAD_INPUT, "the module has no function '%.*s' with a body%s%.*s",
                       TSR_STR_ARG(any ? TSR_STR("main") : name), e.n ? "; it has " : "",
                       TSR_STR_ARG(tsr_buf_text(&e.names)));
    tsr_buf_free(&e.names);
    return op;
}

tsr_op *tsr_entry_keep(tsr_module *m, tsr_str name, tsr_status *status)
{
    tsr_op *func = (tsr_op *)tsr_entry_find(m, name, status);
    if (!func || !tsr_op_is(func, TSR_OP_FUNC_FUNC))
        return func;
    TSR_BLOCK_OPS (func->block, op)
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC))
            op->attrs[FUNC_FUNC_sym_visibility] = tsr_attr_string(m->ctx, TSR_STR("private"));
    func->attrs[FUNC_FUNC_sym_visibility] = NULL;
    return func;
}

const tsr_type *tsr_entry_type(const tsr_op *func)
{
    const tsr_attr *type = tsr_op_attr(func, TSR_STR("function_type"));
    return tsr_attr_is(type, TSR_ATTR_TYPE) && tsr_type_is(type->type, TSR_TYPE_FUNCTION)
               ? type->type
               : NULL;
}

/* The type of the function of this name; NULL if there is none. */
static const tsr_type *signature(tsr_module *m, tsr_str function)
{
    TSR_GUARD_MODULE(g, m, TSR_INSPECTS, NULL, NULL)
    const tsr_op *func = tsr_entry_find(m, function, g.status);
    const tsr_type *type = func ? tsr_entry_type(func) : NULL;
    tsr_guard_close(&g);
    return type;
}

bool tsr_module_signature(tsr_module *m, tsr_str function, size_t *nin, size_t *nout)
{
    const tsr_type *type = signature(m, function);
    if (!type)
        return false;
    *nin = type->n;
    *nout = type->nout;
    return true;
}

tsr_type *tsr_module_input_type(tsr_module *m, tsr_str function, size_t i)
{
    const tsr_type *type = signature(m, function);
    return type && i < type->n ? type->types[i] : NULL;
}

tsr_type *tsr_module_output_type(tsr_module *m, tsr_str function, size_t i)
{
    const tsr_type *type = signature(m, function);
    return type && i < type->nout ? type->types[type->n + i] : NULL;
}

static tsr_attr *port_attr(tsr_module *m, tsr_str function, const char *list, size_t i,
                           tsr_str name)
{
    TSR_GUARD_MODULE(g, m, TSR_INSPECTS, NULL, NULL)
    const tsr_op *func = tsr_entry_find(m, function, g.status);
    const tsr_attr *all = func ? tsr_op_attr(func, tsr_cstr(list)) : NULL;
    tsr_attr *found =
        tsr_attr_is(all, TSR_ATTR_ARRAY) && i < all->n ? tsr_dict_get(all->attrs[i], name) : NULL;
    tsr_guard_close(&g);
    return found;
}

tsr_attr *tsr_module_input_attr(tsr_module *m, tsr_str function, size_t i, tsr_str name)
{
    return port_attr(m, function, "arg_attrs", i, name);
}

tsr_attr *tsr_module_output_attr(tsr_module *m, tsr_str function, size_t i, tsr_str name)
{
    return port_attr(m, function, "res_attrs", i, name);
}

tsr_tensor *tsr_module_random_input(tsr_module *m, tsr_str function, size_t i, uint64_t seed,
                                    tsr_status *status)
{
    TSR_GUARD_MODULE(g, m, TSR_READS, status, NULL)
    const tsr_op *func = tsr_entry_find(m, function, g.status);
    tsr_tensor *t = func ? tsr_random_input(m, func, i, seed, g.status) : NULL;
    tsr_guard_close(&g);
    return t;
}

/* ---- Running ---- */

/* A failure with a location in the program: a diagnostic, and the status. */
static bool fail_at(tsr_ctx *ctx, tsr_loc loc, tsr_code code, tsr_status *status, tsr_str message)
{
    tsr_error(ctx, loc, "%.*s", TSR_STR_ARG(message));
    ctx->last_error.code = code;
    return tsr_status_set(status, code, "%.*s", TSR_STR_ARG(message));
}

static bool fits(const tsr_type *type, const tsr_tensor *t)
{
    if (!tsr_type_is_shaped(type))
        return t->kind != TSR_TENSOR; /* the contents of a tuple are checked by its users */
    if (t->kind != TSR_TENSOR || t->dtype != tsr_dtype_of(type->elem))
        return false;
    if (type->kind == TSR_TYPE_UNRANKED_TENSOR)
        return true;
    bool ok = t->rank == type->n;
    for (uint32_t i = 0; ok && i < type->n; i++)
        ok = type->dims[i] == TSR_DYNAMIC || type->dims[i] == t->dims[i];
    return ok;
}

tsr_tensor *tsr_entry_admit(const tsr_type *type, tsr_tensor *t)
{
    if (!t)
        return tsr_token_new();
    if (t->kind != TSR_TENSOR || (t->elem == type->elem && !tsr_block_bits(type->elem)))
        return tsr_tensor_borrow(t);
    tsr_tensor *copy = tsr_tensor_like(t, type->elem);
    if (copy) {
        memcpy(copy->data, t->data, tsr_tensor_bytes(t));
        tsr_block_round(copy, type->elem);
    }
    return copy;
}

tsr_tensor **tsr_entry_donated(const bool *wanted, tsr_tensor *const *in, size_t n)
{
    bool any = false;
    for (size_t i = 0; wanted && i < n; i++)
        any |= wanted[i];
    if (!any)
        return NULL;
    tsr_tensor **given = tsr_xmalloc(n * sizeof *given);
    /* One tensor may be passed as several inputs. */
    for (size_t i = 0; i < n; i++)
        if (in[i]->owner)
            tsr_tensor_ref(in[i]->owner);
    for (size_t i = 0; i < n; i++) {
        tsr_tensor *t = wanted[i] ? in[i]->owner : NULL;
        bool own = t && (!t->owner || t->owner == t);
        given[i] = own && t->kind == TSR_TENSOR && atomic_load(&t->refs) == 2 ? t : NULL;
    }
    for (size_t i = 0; i < n; i++)
        if (in[i]->owner)
            tsr_tensor_unref(in[i]->owner);
    return given;
}

void tsr_no_results(tsr_tensor **out, size_t n)
{
    for (size_t i = 0; out && i < n; i++)
        out[i] = NULL;
}

/* How many sets of inputs and results there are: one, or one for each device. */
static size_t times_given(const tsr_entry_options *options)
{
    return options->parts && options->parts->local ? tsr_parts_devices(options->parts) : 1;
}

/* The type of argument i: the global type, if that is given. */
static tsr_type *input_type(const tsr_type *type, const tsr_entry_options *options, size_t i)
{
    const tsr_type *whole =
        options->parts && !options->parts->local ? options->parts->in[i].global : NULL;
    return whole ? (tsr_type *)whole : type->types[i];
}

/* Whether this rank runs a device. */
static bool runs_here(const tsr_entry_options *options, size_t device)
{
    const tsr_transport *t = tsr_remote_transport(options->remote);
    uint32_t first, last;
    tsr_remote_range(t, t->rank, (uint32_t)tsr_parts_devices(options->parts), &first, &last);
    return device >= first && device < last;
}

/* The user's name of the argument, if it has one. */
static void say_name(tsr_buf *text, const tsr_op *func, size_t i)
{
    const tsr_block *body = func->regions[0].first;
    tsr_buf name = {0};
    if (body && i < body->nargs && tsr_value_given_name(&name, body->args[i])) {
        tsr_buf_cstr(text, " for ");
        tsr_text_visible(text, tsr_buf_text(&name), TSR_VISIBLE_TEXT);
    }
    tsr_buf_free(&name);
}

bool tsr_entry_takes(const tsr_op *func, const tsr_type *type, tsr_tensor *const *in, size_t nin,
                     const tsr_entry_options *options, tsr_buf *text)
{
    if (nin != type->n)
        tsr_buf_printf(
            text,
            "incorrect number of arguments specified, provided %zu inputs but function expected %u",
            nin, type->n);
    for (size_t k = 0; !text->len && k < nin * times_given(options); k++) {
        size_t i = k % nin;
        if ((options->remote && !runs_here(options, k / nin)) ||
            !tsr_joint_has(options->joint, k / nin))
            continue;
        tsr_type *want = input_type(type, options, i);
        const tsr_device *where = tsr_tensor_device(in[k]);
        if (where && where != options->device) {
            tsr_buf_printf(text, "input %zu is in the memory of %s, and the program runs elsewhere",
                           i, where->name);
            continue;
        }
        if (in[k] ? fits(want, in[k]) : !tsr_type_is_shaped(want))
            continue;
        if (options->in_names && options->in_names[i])
            tsr_buf_printf(text, "'%s': ", options->in_names[i]);
        tsr_buf_printf(text, "invalid input argument type at index %zu, ", i);
        if (times_given(options) > 1)
            tsr_buf_printf(text, "device %zu, ", k / nin);
        tsr_buf_cstr(text, "input type was ");
        if (in[k])
            tsr_tensor_print_type(text, in[k]);
        else
            tsr_buf_cstr(text, "not given");
        tsr_buf_cstr(text, " but entry function expected ");
        if (func->module->ctx->print_type)
            func->module->ctx->print_type(text, want);
        say_name(text, func, i);
    }
    return !text->len;
}

static bool check_inputs(tsr_module *m, const tsr_op *func, const tsr_type *type,
                         tsr_tensor *const *in, size_t nin, const tsr_entry_options *options,
                         tsr_status *status)
{
    tsr_buf text = {0};
    bool ok = tsr_entry_takes(func, type, in, nin, options, &text) ||
              fail_at(m->ctx, func->loc, TSR_BAD_INPUT, status, tsr_buf_text(&text));
    tsr_buf_free(&text);
    return ok;
}

/* Removes probes of an earlier run. */
static bool clear_probes(const char *dir, tsr_status *status)
{
    tsr_buf path = {0};
    tsr_buf_printf(&path, "%s/index.csv", dir);
    tsr_buf_char(&path, 0);
    bool ok = remove(path.data) == 0 || errno == ENOENT;
    if (!ok)
        tsr_status_set(status, TSR_ENVIRONMENT, "cannot remove '%s': %s", path.data,
                       strerror(errno));
    tsr_buf_free(&path);
    return ok;
}

/* A TTIR program for several devices: each runs it, on global arguments (eval/tt_mesh.h). */
static bool run_on_mesh(tsr_eval *e, const tsr_op *func, tsr_tensor *const *in, size_t nin,
                        tsr_tensor **out, size_t nout)
{
    tsr_call c = {.e = e, .op = func};
    if (e->plan->bad_mesh)
        return tsr_fail(&c, "cannot be run: %s", e->plan->bad_mesh);
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_parts_run run = {.replicas = 1,
                         .partitions = e->plan->mesh.devices,
                         .in = TSR_NEW_ARRAY(&arena, tsr_part_of, nin + 1),
                         .out = TSR_NEW_ARRAY(&arena, tsr_part_of, nout + 1)};
    bool ok = tsr_eval_parts(e, func, &run, in, nin, out, nout);
    if (ok && run.differs >= 0)
        tsr_emit(e->ctx, TSR_WARNING, func->loc,
                 "result %lld is not the same on all devices; that of the first one is taken",
                 (long long)run.differs);
    tsr_arena_free(&arena);
    return ok;
}

/* One warning for each op of the original program, which may have become several in the program that ran. */
static void warn_of_zeros(const tsr_eval *e)
{
    tsr_map seen = {0};
    for (size_t i = 0; i < e->zeros.n; i++) {
        tsr_zero_count *z = &e->zeros.data[i], *same = NULL;
        uint64_t hash = tsr_hash_mix(tsr_hash_ptr(z->op->def), z->op->loc);
        TSR_MAP_EACH (&seen, hash, at) {
            tsr_zero_count *other = at;
            if (other->op->loc == z->op->loc && other->op->def == z->op->def)
                same = other;
        }
        if (same)
            same->n += z->n;
        else
            tsr_map_put(&seen, hash, z);
    }
    for (uint32_t i = 0; i < seen.n; i++) {
        const tsr_zero_count *z = seen.entries[i].value;
        tsr_emit(e->ctx, TSR_WARNING, z->op->loc,
                 "'%.*s' op divides integers by zero (%lld elements in this run); a quotient is "
                 "then all ones, a remainder "
                 "the dividend",
                 TSR_STR_ARG(z->op->def->name), (long long)z->n);
    }
    tsr_map_free(&seen);
}

/* Runs of the function, each from the same initial state; e is that of the last run. */
typedef struct {
    tsr_module *m;
    tsr_plan *plan;
    const tsr_op *func;
    tsr_tensor **in;
    size_t nin;
    tsr_tensor **out;
    size_t nout;
    tsr_entry_options *options;
    tsr_status *status;    /* of again */
    bool meshed;           /* a TTIR program for several devices */
    tsr_stepper *compiled; /* NULL: the evaluator runs it */
    tsr_group_time *times; /* may be NULL */
    tsr_trace *trace;      /* may be NULL */
    tsr_cleanup cleanup;   /* with trace: ends the observation */
} entry_run;

static bool tell_progress(void *user, const tsr_program *p, tsr_xid group)
{
    const tsr_entry_options *options = user;
    options->progress(options->user, p->groups.data[group].end + 1, p->nsteps);
    return true;
}

static bool run_once(entry_run *r, tsr_eval *e)
{
    tsr_parts_run *parts = r->options->parts;
    e->engine = r->compiled;
    e->remote = r->options->remote;
    if (parts) {
        size_t n = r->nin * times_given(r->options);
        bool once = r->options->repeat <= 1 && !r->options->again && parts->local && r->compiled;
        tsr_tensor **given = tsr_entry_donated(once ? r->options->run.given_up : NULL, r->in, n);
        parts->donated = given;
        bool ok = tsr_eval_parts(e, r->func, parts, r->in, r->nin, r->out, r->nout);
        parts->donated = NULL;
        tsr_free(given);
        return ok;
    }
    if (r->meshed)
        return run_on_mesh(e, r->func, r->in, r->nin, r->out, r->nout);
    if (!r->compiled)
        return tsr_eval_function(e, r->func, r->in, r->nin, r->out);
    const tsr_program *p = tsr_compiled_program(r->compiled, r->func);
    e->plan = p->plan;
    tsr_tensor **given = tsr_entry_donated(
        r->options->repeat > 1 || r->options->again ? NULL : r->options->run.given_up, r->in,
        r->nin);
    tsr_run_hooks hooks = {.user = r->options,
                           .progress = r->options->progress ? tell_progress : NULL,
                           .clock = r->options->clock,
                           .times = r->times,
                           .trace = r->trace,
                           .donated = given};
    bool ok =
        tsr_program_run(p, e, r->in, r->nin, r->out, r->nout,
                        hooks.progress || hooks.times || hooks.trace || given ? &hooks : NULL);
    tsr_free(given);
    return ok;
}

static void begin_eval(const entry_run *r, tsr_eval *e, tsr_eval_host *host)
{
    tsr_eval_init(e, r->m, r->plan);
    host->infeed_next = host->nprobe = 0;
    e->host = host;
    e->zero_division = r->options->run.zero_division;
    tsr_rng_start(&e->rng, r->options->run.seed + r->options->first_step);
}

static void drop_results(entry_run *r)
{
    for (size_t k = 0; k < r->nout * times_given(r->options); k++) {
        tsr_tensor_unref(r->out[k]);
        r->out[k] = NULL;
    }
}

/* Step by step: a step may read the results of the one before. */
static bool run_steps(entry_run *r, tsr_eval *e, tsr_eval_host *host)
{
    tsr_entry_options *options = r->options;
    double start = options->clock ? options->clock() : 0;
    uint64_t first = options->first_step;
    bool ok = true, more = true;
    while (ok && more) {
        begin_eval(r, e, host);
        ok = run_once(r, e);
        uint64_t step = options->first_step++;
        more = ok && options->again(options->user, step, r->in, r->out, r->status);
        ok = ok && !r->status->code;
        if (!ok || !more)
            break;
        tsr_eval_free(e);
        drop_results(r);
    }
    options->first_step = first;
    options->seconds = options->clock ? options->clock() - start : 0;
    return ok;
}

static bool run_often(entry_run *r, tsr_eval *e, tsr_eval_host *host)
{
    tsr_entry_options *options = r->options;
    uint32_t times = options->repeat ? options->repeat : 1;
    bool ok = true;
    if (options->again)
        return run_steps(r, e, host);
    for (uint32_t i = 0; ok && i < times; i++) {
        begin_eval(r, e, host);
        double start = options->clock ? options->clock() : 0;
        ok = run_once(r, e);
        double took = options->clock ? options->clock() - start : 0;
        options->seconds = !i || took < options->seconds ? took : options->seconds;
        if (!ok || i + 1 == times)
            break;
        tsr_eval_free(e);
        drop_results(r);
    }
    return ok;
}

static void end_watch(void *unused)
{
    (void)unused;
    tsr_trace_watch(NULL);
}

/* What was compiled to see whether it fits; NULL: nothing, or something else. */
static tsr_entry_made *fitting(const entry_run *r, bool ranks)
{
    tsr_entry_made *made = r->options->made;
    bool same = made && made->programs && made->m == r->m && made->strict == r->options->strict;
    return same && !ranks ? made : NULL;
}

/* Compiles the function before it runs, and reports on it. False: it differs from the saved program. */
static bool compile(entry_run *r)
{
    tsr_entry_options *options = r->options;
    double start = options->clock ? options->clock() : 0;
    bool ranks = options->remote && !options->saved;
    tsr_entry_made *made = fitting(r, ranks);
    r->compiled =
        made ? tsr_compiled_over(made->programs)
             : tsr_compiled_new(r->m,
                                &(tsr_program_options){.strict = options->strict,
                                                       .ranks = ranks,
                                                       .backend = tsr_backend_of(options->device),
                                                       .device = options->device,
                                                       .plan = r->plan});
    const tsr_program *p = tsr_compiled_program(r->compiled, r->func);
    options->compile_seconds = options->clock ? options->clock() - start : 0;
    options->compile_seconds += made ? made->seconds : 0;
    if (options->saved && !tsr_tsrx_check(p, options->saved))
        return false;
    if (options->kernels && !tsr_device_write_kernels(p, options->kernels, r->status))
        return false;
    if (options->program)
        (options->json ? tsr_report_program_json : tsr_program_dump)(p, options->program);
    if (options->memory)
        (options->json ? tsr_report_memory_json : tsr_report_memory)(p, options->memory);
    if (options->times && options->clock) {
        r->times = tsr_xmalloc((p->groups.n + 1) * sizeof *r->times);
        memset(r->times, 0, (p->groups.n + 1) * sizeof *r->times);
        if (options->parts || r->meshed)
            tsr_compiled_time(r->compiled, p, options->clock, r->times);
    }
    if (options->trace) {
        r->trace = tsr_trace_new(p);
        tsr_compiled_trace(r->compiled, r->trace);
        tsr_trace_watch(r->trace);
        tsr_cleanup_push(&r->cleanup, end_watch, NULL);
    }
    return true;
}

static void tell_times(const entry_run *r)
{
    const tsr_entry_options *options = r->options;
    const tsr_program *p = tsr_compiled_program(r->compiled, r->func);
    (options->json ? tsr_report_times_json : tsr_report_times)(
        p, r->times, options->repeat ? options->repeat : 1, options->times);
}

static void end_reports(entry_run *r, bool ok)
{
    if (r->trace) {
        tsr_cleanup_pop(&r->cleanup);
        tsr_trace_watch(NULL);
    }
    if (ok && r->trace)
        tsr_trace_write(r->trace, r->options->machine, r->options->trace);
    if (ok && r->times)
        tell_times(r);
    tsr_trace_free(r->trace);
    tsr_free(r->times);
}

/* ---- Insufficient memory ---- */

/* Fails before anything runs if memory does not suffice, and lists what is live at the peak. held: whether the
 * arguments are allocated already. */
static bool check_memory(const tsr_program *p, bool held, tsr_status *status)
{
    enum { LITTLE = 64 << 20, MOST = 10 };
    const tsr_scope *scope = tsr_scope_now();
    tsr_memory_use use;
    tsr_program_memory(p, &use);
    uint64_t most = scope ? scope->limits->budget.max_bytes : 0, more = use.peak;
    more -= held ? use.arguments : 0;
    uint64_t now = scope && scope->limits->bytes > 0 ? (uint64_t)scope->limits->bytes : 0;
    int64_t left = more > LITTLE ? tsr_memory_left() : INT64_MAX;
    bool allowed = !most || (now <= most && more <= most - now);
    if (allowed && (left < 0 || more <= (uint64_t)left))
        return true;
    tsr_ctx *ctx = p->module->ctx;
    tsr_buf text = {0};
    tsr_buf_printf(&text, "'%.*s' op needs %llu bytes at its peak, ",
                   TSR_STR_ARG(p->function->def->name), (unsigned long long)use.peak);
    if (!allowed)
        tsr_buf_printf(&text, "which are more than it is allowed (--max-bytes=%llu)",
                       (unsigned long long)most);
    else
        tsr_buf_printf(&text, "and %lld are left", (long long)left);
    fail_at(ctx, p->function->loc, TSR_ENVIRONMENT, status, tsr_buf_text(&text));
    tsr_buf_free(&text);
    tsr_alive_vec alive = {0};
    tsr_program_alive(p, &alive);
    for (size_t i = 0; i < alive.n && i < MOST; i++) {
        const tsr_alive *a = &alive.data[i];
        tsr_buf_free(&text);
        tsr_report_type(&text, &p->values.data[a->value]);
        tsr_emit(ctx, TSR_NOTE, a->op ? a->op->loc : p->function->loc,
                 "alive at the peak: %llu bytes, %s %.*s", (unsigned long long)a->bytes, a->role,
                 TSR_STR_ARG(tsr_buf_text(&text)));
    }
    tsr_buf_free(&text);
    tsr_vec_free(&alive);
    return false;
}

static uint64_t static_bytes(const tsr_type *type)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < type->n + type->nout; i++)
        if (tsr_type_is_shaped(type->types[i]) && tsr_type_has_static_shape(type->types[i]) &&
            tsr_dtype_of(type->types[i]->elem) != TSR_D_NONE)
            sum += (uint64_t)tsr_type_num_elements(type->types[i]) *
                   tsr_dtype_bytes(tsr_dtype_of(type->types[i]->elem));
    return sum;
}

bool tsr_entry_fits(tsr_module *m, const tsr_op *func, bool strict, double (*clock)(void),
                    tsr_entry_made *made, tsr_status *status)
{
    enum { LITTLE = 64 << 20 };
    const tsr_scope *scope = tsr_scope_now();
    if (!(scope && scope->limits->budget.max_bytes) && static_bytes(tsr_entry_type(func)) < LITTLE)
        return true;
    double start = clock ? clock() : 0;
    *made = (tsr_entry_made){.m = m, .plan = tsr_plan_facts(m), .strict = strict};
    if (!made->plan || tsr_plan_needs_evaluator(made->plan) || made->plan->mesh.used)
        return true;
    made->programs =
        tsr_programs_new(m, &(tsr_program_options){.strict = strict, .plan = made->plan});
    const tsr_program *p = tsr_programs_get(made->programs, func);
    made->seconds = clock ? clock() - start : 0;
    return check_memory(p, false, status);
}

void tsr_entry_forget(tsr_entry_made *made)
{
    tsr_programs_free(made->programs);
    tsr_plan_free(made->plan);
    *made = (tsr_entry_made){0};
}

/* What the caller gave for a run goes before what the tool gave. */
static tsr_eval_host host_of(const tsr_entry_options *options)
{
    tsr_eval_host host = {.user = options->user,
                          .print = options->print,
                          .probe_dir = options->probe_dir,
                          .file_dir = options->file_dir,
                          .pause = options->pause,
                          .watch = options->watch,
                          .enter = options->enter,
                          .watch_user = options->watch_user,
                          .custom_call = options->run.custom_call,
                          .custom_user = options->run.user};
    tsr_print_fn *print = options->run.print;
    if (print || options->run.breakpoint || options->run.folder) {
        host.user = options->run.user;
        host.print = print;
        host.pause = options->run.breakpoint;
        host.file_dir = options->run.folder;
    }
    return host;
}

/* Compiles the program where that is wanted and can be, and asks for what it needs. */
static bool prepare(entry_run *r)
{
    const tsr_entry_options *options = r->options;
    tsr_status *status = r->status;
    bool compiled = options->run.engine == TSR_ENGINE_COMPILED;
    if (compiled && !tsr_plan_needs_evaluator(r->plan)) {
        if (!compile(r))
            return tsr_status_set(status, TSR_BAD_INPUT, "the saved program is another one");
    } else if (compiled &&
               (options->program || options->memory || options->trace || options->strict)) {
        tsr_emit(r->m->ctx, TSR_REMARK, r->func->loc,
                 "an op needs the evaluator, which runs it: no program is "
                 "compiled that flags could tell of");
    }
    if (options->remote && !r->compiled)
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "an op needs the evaluator, which does not run on several ranks");
    if (!r->compiled || options->parts || r->meshed)
        tsr_plan_frames(r->plan, r->m);
    if (!r->compiled)
        return !options->device || r->options->run.engine != TSR_ENGINE_COMPILED ||
               tsr_status_set(status, TSR_BAD_INPUT,
                              "an op needs the evaluator, which runs on this processor alone");
    const tsr_program *p = tsr_compiled_program(r->compiled, r->func);
    if (options->device)
        return tsr_device_takes(p, false, status);
    return options->parts || r->meshed || check_memory(p, true, status);
}

/* Results of a run that failed are dropped; others stay when the program and its constants go: a result may be one of them, or an
 * argument. */
static void settle_results(const entry_run *r, bool ok)
{
    for (size_t i = 0; i < r->nout * times_given(r->options); i++)
        if (ok) {
            r->out[i] = r->out[i] ? tsr_tensor_owned(r->out[i]) : NULL;
        } else {
            tsr_tensor_unref(r->out[i]);
            r->out[i] = NULL;
        }
}

static bool run(tsr_module *m, const tsr_op *func, tsr_tensor **in, size_t nin, tsr_tensor **out,
                size_t nout, tsr_entry_options *options, tsr_status *status)
{
    tsr_eval_host host = host_of(options);
    tsr_plan *plan = tsr_plan_facts(m);
    if (!plan)
        return tsr_status_set(status, TSR_ENVIRONMENT, "the module cannot be prepared for a run");
    entry_run r = {.m = m,
                   .plan = plan,
                   .func = func,
                   .in = in,
                   .nin = nin,
                   .out = out,
                   .nout = nout,
                   .options = options,
                   .status = status};
    r.meshed = !options->parts && plan->mesh.used && (plan->bad_mesh || plan->mesh.devices > 1);
    if (!prepare(&r))
        return end_reports(&r, false), tsr_compiled_free(r.compiled), tsr_plan_free(plan), false;
    tsr_eval e;
    bool ok = run_often(&r, &e, &host);
    if (ok && host.probe_dir && *host.probe_dir &&
        !host.nprobe) /* else the first one replaced them */
        ok = clear_probes(host.probe_dir, status);
    end_reports(&r, ok);
    settle_results(&r, ok);
    bool told = !e.failure.failed && status->code; /* what failed came after the program */
    if (!ok && !told)
        fail_at(m->ctx, e.failure.loc, e.failure.environment ? TSR_ENVIRONMENT : TSR_BAD_INPUT,
                status,
                e.failure.message.len ? tsr_buf_text(&e.failure.message)
                                      : TSR_STR("the evaluation failed"));
    options->zero_divisors = e.zeros.n > 0;
    if (ok)
        warn_of_zeros(&e);
    tsr_compiled_free(r.compiled);
    tsr_eval_free(&e);
    tsr_plan_free(plan);
    return ok;
}

/* For callers of the public API, who own the text. */
static bool run_traced(tsr_module *m, const tsr_op *func, tsr_tensor *const *in, size_t nin,
                       tsr_tensor **out, size_t nout, tsr_entry_options *options,
                       tsr_status *status)
{
    tsr_buf text = {0};
    tsr_str *wanted = options->run.trace;
    *wanted = TSR_NO_TEXT;
    options->trace = &text;
    bool ok = tsr_entry_run(m, func, in, nin, out, nout, options, status);
    options->trace = NULL;
    if (ok)
        *wanted = (tsr_str){text.data, text.len};
    else
        tsr_buf_free(&text);
    return ok;
}

bool tsr_entry_check(tsr_eval_engine engine, tsr_zero_division zero, tsr_status *status)
{
    if (engine != TSR_ENGINE_COMPILED && engine != TSR_ENGINE_REFERENCE)
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "engine: %d value invalid: reference or compiled is wanted",
                              (int)engine);
    if (zero != TSR_ZERO_WARN && zero != TSR_ZERO_ERROR && zero != TSR_ZERO_IGNORE)
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "division by zero: %d value invalid: warn, error or ignore is wanted",
                              (int)zero);
    return true;
}

bool tsr_entry_run(tsr_module *m, const tsr_op *func, tsr_tensor *const *in, size_t nin,
                   tsr_tensor **out, size_t nout, tsr_entry_options *options, tsr_status *status)
{
    const tsr_type *type = tsr_entry_type(func);
    tsr_entry_options none = {0};
    options = options ? options : &none;
    size_t times = times_given(options);
    tsr_no_results(out, nout * times);
    TSR_TRY(tsr_entry_check(options->run.engine, options->run.zero_division, status));
    if (options->run.trace && !options->trace)
        return run_traced(m, func, in, nin, out, nout, options, status);
    if (!type || type->nout != nout)
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "the function gives %u results; there is room for %zu",
                              type ? type->nout : 0, nout);
    TSR_TRY(check_inputs(m, func, type, in, nin, options, status));
    if (!tsr_ttnn_check(m, func, false, NULL))
        return tsr_status_set(status, TSR_BAD_INPUT, "the program does not fit its device");
    tsr_tensor **args = tsr_xmalloc((nin * times + 1) * sizeof *args);
    bool ok = true;
    for (size_t i = 0; i < nin * times; i++) {
        args[i] = tsr_entry_admit(input_type(type, options, i % nin), in[i]);
        ok &= args[i] != NULL;
    }
    ok = ok ? run(m, func, args, nin, out, nout, options, status)
            : tsr_status_set(status, TSR_ENVIRONMENT, "no memory for the inputs%s",
                             tsr_memory_reason().text);
    for (size_t i = 0; i < nin * times; i++)
        tsr_tensor_unref(args[i]);
    tsr_free(args);
    return ok;
}

static bool eval(tsr_module *m, tsr_str function, tsr_tensor *const *in, size_t nin,
                 tsr_tensor **out, size_t nout, const tsr_eval_options *options, tsr_status *status)
{
    if (tsr_spmd_is_local(m))
        return tsr_module_eval_spmd(m, function, in, nin, out, nout, options, status);
    tsr_module *copy = tsr_is_runnable(m) ? NULL : tsr_module_copy(m);
    bool ok =
        !copy || tsr_make_runnable(copy, false) ||
        tsr_status_set(status, TSR_BAD_INPUT, "the module cannot be brought into a form that runs");
    const tsr_op *func = ok ? tsr_entry_find(copy ? copy : m, function, status) : NULL;
    tsr_entry_options all = tsr_entry_with(options, NULL);
    ok = func && tsr_entry_run(copy ? copy : m, func, in, nin, out, nout, &all, status);
    if (copy)
        tsr_module_free(copy);
    return ok;
}

bool tsr_module_eval_with(tsr_module *m, tsr_str function, tsr_tensor *const *in, size_t nin,
                          tsr_tensor **out, size_t nout, const tsr_eval_options *options,
                          tsr_status *status)
{
    tsr_no_results(out, nout);
    TSR_GUARD_IF(g, m && (in || !nin) && (out || !nout), m ? m->ctx : NULL, m, TSR_READS, status,
                 (tsr_no_results(out, nout), false))
    bool ok = eval(m, function, in, nin, out, nout, options, g.status);
    tsr_guard_close(&g);
    return ok;
}

/* ---- Profiles ---- */

static void put_profile(const tsr_entry_options *o, bool json, tsr_buf *out)
{
    tsr_str times = tsr_buf_text(o->times), memory = tsr_buf_text(o->memory);
    if (!json) {
        tsr_buf_printf(out, "%.*s\n%.*s", TSR_STR_ARG(times), TSR_STR_ARG(memory));
        return;
    }
    tsr_buf_printf(out, "{\"seconds\": %s, ", tsr_spell('g', 0, 9, o->seconds).text);
    tsr_buf_printf(out, "\"compile_seconds\": %s", tsr_spell('g', 0, 9, o->compile_seconds).text);
    tsr_buf_printf(out, ",\n\"groups\": %.*s", TSR_STR_ARG(times.len ? times : TSR_STR("null")));
    tsr_buf_printf(out, ",\n\"memory\": %.*s}\n",
                   TSR_STR_ARG(memory.len ? memory : TSR_STR("null")));
}

static bool profile(tsr_module *m, tsr_str function, tsr_tensor *const *in, size_t nin,
                    tsr_entry_options *how, bool json, tsr_buf *out, tsr_status *status)
{
    tsr_module *copy = tsr_module_copy(m);
    bool ok =
        tsr_is_runnable(copy) || tsr_make_runnable(copy, false) ||
        tsr_status_set(status, TSR_BAD_INPUT, "the module cannot be brought into a form that runs");
    const tsr_op *func = ok ? tsr_entry_find(copy, function, status) : NULL;
    size_t nout = func && tsr_entry_type(func) ? tsr_entry_type(func)->nout : 0;
    tsr_tensor **results = tsr_xmalloc((nout + 1) * sizeof *results);
    ok = func && tsr_entry_run(copy, func, in, nin, results, nout, how, status);
    for (size_t i = 0; ok && i < nout; i++)
        tsr_tensor_unref(results[i]);
    if (ok)
        put_profile(how, json, out);
    tsr_free(results);
    tsr_module_free(copy);
    return ok;
}

tsr_str tsr_module_profile(tsr_module *m, tsr_str function, tsr_tensor *const *in, size_t nin,
                           size_t times, bool json, const tsr_eval_options *options,
                           tsr_status *status)
{
    TSR_GUARD_IF(g, m && (in || !nin), m ? m->ctx : NULL, m, TSR_READS, status, TSR_NO_TEXT)
    tsr_buf groups = {0}, memory = {0}, out = {0};
    tsr_entry_options how = {.clock = tsr_seconds,
                             .repeat = (uint32_t)(times < 1000000 ? times : 1000000),
                             .times = &groups,
                             .memory = &memory,
                             .json = json};
    if (options)
        how.run = *options;
    how.run.engine = TSR_ENGINE_COMPILED;
    bool ok = profile(m, function, in, nin, &how, json, &out, g.status);
    tsr_buf_free(&groups);
    tsr_buf_free(&memory);
    return tsr_guard_finish_text(&g, ok, &out);
}

bool tsr_module_eval(tsr_module *m, tsr_str function, tsr_tensor *const *in, size_t nin,
                     tsr_tensor **out, size_t nout, tsr_status *status)
{
    return tsr_module_eval_with(m, function, in, nin, out, nout, NULL, status);
}
