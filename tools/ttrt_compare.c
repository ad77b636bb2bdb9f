/* SPDX-License-Identifier: Apache-2.0 */
/* ttrt_compare.c - compares a program's values with expected ones: goldens of the binary, and the evaluator op by op.
 *
 * By element type: integers must be equal, f32 within a tolerance, bf16 and block formats must correlate. A value
 * computed from such narrow ones is compared as they are. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "api/ops.h"
#include "base/decimal.h"
#include "dialect/opcode.h"
#include "dialect/ttcore/ttcore.h"
#include "eval/groups.h"
#include "eval/plan.h"
#include "eval/tt_mesh.h"
#include "exec/program.h"
#include "ttrt.h"

/* ---- Two tensors ---- */

static bool is_narrow(const tsr_type *elem)
{
    tsr_dtype d = tsr_dtype_of(elem);
    return tsr_type_is(elem, TSR_TYPE_DIALECT) || d == TSR_D_BF16 || d == TSR_D_F16;
}

/* narrow: only correlation counts or, if it is undefined, the tolerance of bf16. */
static bool agree(const job *j, const tsr_tensor *actual, const tsr_tensor *expected, bool narrow,
                  tsr_comparison *c)
{
    tsr_tolerance own = tsr_default_tolerance(actual->elem), exact = {0, 0};
    const tsr_tolerance *tolerance = NULL;
    if (tsr_dtype_is_int((tsr_dtype)actual->dtype))
        tolerance = &exact;
    else if (narrow)
        own = (tsr_tolerance){2e-2, 1e-2}, tolerance = &own;
    else if (j->r->atol >= 0 || j->r->rtol >= 0) {
        own.atol = j->r->atol >= 0 ? j->r->atol : own.atol;
        own.rtol = j->r->rtol >= 0 ? j->r->rtol : own.rtol;
        tolerance = &own;
    }
    bool pass = tsr_tensor_compare(actual, expected, tolerance, c);
    double least = j->r->pcc >= 0 ? j->r->pcc : 0.99;
    if (!narrow || !c->same_shape || !c->same_type || isnan(c->pcc) ||
        tsr_dtype_is_int((tsr_dtype)actual->dtype))
        return pass;
    return c->pcc >= least || c->exact;
}

/* The same numbers in the element type of another tensor, which may round them. */
static tsr_tensor *as_type_of(const tsr_tensor *t, const tsr_tensor *like)
{
    tsr_tensor *made = tsr_tensor_like(t, like->elem);
    if (made)
        tsr_convert((tsr_dtype)made->dtype, made->data, (tsr_dtype)t->dtype, t->data, t->n);
    return made;
}

/* An item of golden_results.json. */
static void report(job *j, tsr_str key, uint32_t device, const tsr_tensor *a, const tsr_tensor *e,
                   const tsr_comparison *c)
{
    double error = 0, square = 0, aa = 0, ee = 0, ae = 0;
    for (int64_t i = 0; i < a->n; i++) {
        double x = tsr_get_double(a, i), y = tsr_get_double(e, i), d = fabs(x - y);
        error += d, square += d * d, aa += x * x, ee += y * y, ae += x * y;
    }
    double n = a->n ? (double)a->n : 1;
    const struct {
        const char *name;
        double value;
    } rows[] = {{"expected_pcc", j->r->pcc >= 0 ? j->r->pcc : 0.99},
                {"actual_pcc", isnan(c->pcc) ? c->pass : c->pcc},
                {"atol", j->r->atol >= 0 ? j->r->atol : tsr_default_tolerance(a->elem).atol},
                {"rtol", j->r->rtol >= 0 ? j->r->rtol : tsr_default_tolerance(a->elem).rtol},
                {"max", c->max_abs},
                {"mean_absolute_error", error / n},
                {"root_mean_square_error", sqrt(square / n)},
                {"cosine_similarity", aa > 0 && ee > 0 ? ae / sqrt(aa * ee) : aa == ee}};
    tsr_buf_printf(&j->report, "%s\n    ", j->report.len ? "," : "");
    tsr_buf_json(&j->report, key);
    tsr_buf_printf(&j->report, ": {\n        \"%u\": {\n            \"allclose\": %s", device,
                   c->pass ? "true" : "false");
    for (size_t i = 0; i < TSR_COUNT(rows); i++)
        if (isfinite(rows[i].value))
            tsr_buf_printf(&j->report, ",\n            \"%s\": %s", rows[i].name,
                           tsr_spell('g', 0, 9, rows[i].value).text);
        else
            tsr_buf_printf(&j->report, ",\n            \"%s\": null", rows[i].name);
    tsr_buf_cstr(&j->report, "\n        }\n    }");
}

/* The elements that differ most. */
static void show_top(job *j, const tsr_tensor *a, const tsr_tensor *e)
{
    tsr_buf text = {0};
    double above = INFINITY;
    int64_t last = -1;
    for (uint64_t k = 0; k < j->r->top && a->n == e->n; k++) {
        double most = -1;
        int64_t at = -1;
        for (int64_t i = 0; i < a->n; i++) {
            double d = fabs(tsr_get_double(a, i) - tsr_get_double(e, i));
            d = isnan(d) ? INFINITY : d;
            if (d > most && (d < above || (d == above && i > last)))
                most = d, at = i;
        }
        if (at < 0 || most == 0)
            break;
        above = most, last = at;
        tsr_buf_printf(&text, "  element %lld: %s, golden ", (long long)at,
                       tsr_spell('g', 0, 7, tsr_get_double(a, at)).text);
        tsr_buf_printf(&text, "%s\n", tsr_spell('g', 0, 7, tsr_get_double(e, at)).text);
    }
    say(j->r, tsr_buf_text(&text));
    tsr_buf_free(&text);
}

/* The first wrong value is told: what it is, and what it differs from. */
static void note(job *j, tsr_str what, const char *with, const tsr_comparison *c)
{
    if (!j->off++)
        tsr_buf_printf(&j->first, "%.*s differs from %s: %s", TSR_STR_ARG(what), with,
                       !c->same_shape  ? "another shape"
                       : !c->same_type ? "another type"
                                       : "values are off");
}

/* ---- Goldens of the binary ---- */

static const tsr_fb_value *golden_map(const job *j)
{
    const tsr_fb_table *debug = tsr_fb_sub(j->program, "debug_info"),
                       *info = debug ? tsr_fb_sub(debug, "golden_info") : NULL;
    const tsr_fb_value *map = info ? tsr_fb_get(info, "golden_map") : NULL;
    return map && map->set ? map : NULL;
}

bool has_goldens(const job *j)
{
    const tsr_fb_value *map = golden_map(j);
    return map && map->n;
}

/* NULL: its type is not supported for tensors, or its size is wrong. */
static tsr_tensor *golden_tensor(tsr_ctx *ctx, const tsr_fb_table *g)
{
    int64_t dims[TSR_MAX_RANK];
    size_t rank = tsr_fb_nints(g, "shape");
    tsr_type *elem = tsr_fb_data_element(ctx, tsr_fb_int(g, "dtype"), NULL);
    tsr_str data = tsr_fb_text(g, "data");
    if (!elem || rank > TSR_COUNT(dims))
        return NULL;
    for (size_t i = 0; i < rank; i++)
        if ((dims[i] = tsr_fb_int_at(g, "shape", i)) < 0)
            return NULL;
    int64_t n = tsr_type_num_elements(tsr_type_tensor(ctx, dims, rank, elem, NULL));
    if (n < 0 || (uint64_t)n * tsr_dtype_bytes(tsr_dtype_of(elem)) != data.len)
        return NULL;
    tsr_tensor *t = tsr_tensor_new(elem, dims, rank);
    if (t && data.len)
        memcpy(t->data, data.data, data.len);
    return t;
}

/* The golden of a key on a device; on several that run the program of one, that of the first, if it has none. */
static const tsr_fb_table *table_of(const job *j, const tsr_fb_table *kv, uint32_t device)
{
    const tsr_fb_value *list = tsr_fb_get(kv, "value");
    const tsr_fb_table *first = NULL;
    for (size_t i = 0; list->set && i < list->n; i++) {
        const tsr_fb_table *t = list->items[i].table, *g = tsr_fb_sub(t, "value");
        if (g && tsr_fb_int(t, "device") == (int64_t)device)
            return g;
        first = g && !tsr_fb_int(t, "device") ? g : first;
    }
    return j->devices > 1 ? first : NULL;
}

tsr_tensor *golden_of(const job *j, tsr_str key, uint32_t device)
{
    const tsr_fb_value *map = golden_map(j);
    for (size_t i = 0; map && i < map->n; i++)
        if (tsr_str_eq(tsr_fb_text(map->items[i].table, "key"), key)) {
            const tsr_fb_table *g = table_of(j, map->items[i].table, device);
            return g ? golden_tensor(j->b->ctx, g) : NULL;
        }
    return NULL;
}

static int save_golden(job *j, tsr_str key, uint32_t device, const char *what, const tsr_tensor *t)
{
    tsr_buf name = {0};
    tsr_buf_printf(&name, "run/program_%zu/", j->index);
    for (size_t i = 0; i < key.len; i++)
        tsr_buf_char(&name, strchr(":\"/\\|?*", key.data[i]) || (unsigned char)key.data[i] < ' '
                                ? '_'
                                : key.data[i]);
    tsr_buf_printf(&name, "_%u_%s.npy", device, what);
    tsr_buf_char(&name, 0);
    int code = save_tensor(j->r, j->b, name.data, t);
    tsr_buf_free(&name);
    return code;
}

static bool save_goldens(job *j, tsr_str key, uint32_t device, const tsr_tensor *actual,
                         const tsr_tensor *expected)
{
    if (!j->r->save_goldens)
        return true;
    if (save_golden(j, key, device, "golden", expected) ||
        save_golden(j, key, device, "device", actual))
        return tsr_status_set(&j->status, TSR_ENVIRONMENT, "cannot write goldens");
    return true;
}

static bool without_golden(job *j)
{
    return tsr_status_set(&j->status, TSR_ENVIRONMENT, "there is no memory for a golden");
}

/* Whether a value agrees with a golden, in the value's type. c may be NULL. made: the golden in that type, if it has
 * another; the caller frees it. False with a status: no memory. */
static bool meets(job *j, const tsr_tensor *actual, const tsr_tensor *golden, bool narrow,
                  tsr_comparison *c, tsr_tensor **made)
{
    bool same = actual->dtype == golden->dtype;
    *made = same ? NULL : as_type_of(golden, actual);
    if (!same && !*made)
        return without_golden(j);
    return agree(j, actual, *made ? *made : golden, narrow || is_narrow(golden->elem), c);
}

/* Compares a value with its golden. what: the value, in words. */
static bool compare_with(job *j, tsr_str key, uint32_t device, tsr_str what,
                         const tsr_tensor *actual, const tsr_tensor *golden, bool narrow)
{
    tsr_comparison c = {0};
    tsr_tensor *made;
    bool good = meets(j, actual, golden, narrow, &c, &made);
    TSR_TRY(!j->status.code);
    const tsr_tensor *expected = made ? made : golden;
    j->compared++;
    j->stored++;
    if (!good)
        note(j, what, "its golden", &c);
    if (c.same_shape && c.same_type && (j->r->save || !good))
        report(j, key, device, actual, expected, &c);
    if (!good && c.same_shape && tsr_str_starts(key, "output_"))
        show_top(j, actual, expected);
    bool ok = save_goldens(j, key, device, actual, expected);
    tsr_tensor_unref(made);
    return ok;
}

/* ---- Values by location ---- */

/* A value that a program computed. */
typedef struct {
    const tsr_value *value;
    uint32_t device;
    tsr_tensor *tensor;
} made;
typedef TSR_VEC(made) made_vec;

/* Narrow values, and those computed from them: by value id. */
static bool *narrow_values(const tsr_op *func)
{
    size_t n = func->module->nvalue;
    bool *narrow = tsr_xmalloc(n + 1);
    memset(narrow, 0, n + 1);
    const tsr_block *body = func->regions[0].first;
    for (uint32_t i = 0; i < body->nargs; i++)
        narrow[body->args[i]->id] = tsr_type_is(body->args[i]->type, TSR_TYPE_TENSOR) &&
                                    is_narrow(body->args[i]->type->elem);
    TSR_BLOCK_OPS (body, op) {
        bool any = tsr_op_has(op, TSR_TRAIT(CALL)); /* functions are not examined */
        for (uint32_t i = 0; i < op->nin; i++)
            any |= narrow[op->in[i].value->id];
        for (uint32_t i = 0; i < op->nout; i++)
            narrow[op->out[i].id] = any || (tsr_type_is(op->out[i].type, TSR_TYPE_TENSOR) &&
                                            is_narrow(op->out[i].type->elem));
    }
    return narrow;
}

static bool same_shape(const tsr_tensor *a, const tsr_tensor *b)
{
    return a->rank == b->rank &&
           (!a->rank || memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0);
}

/* A golden of the binary: a key has one for each device. */
typedef struct {
    tsr_str key;
    uint32_t device;
    const tsr_fb_table *golden;
    const made *value; /* NULL: the program has none at its location */
    size_t order;      /* in the binary */
} stored;
typedef TSR_VEC(stored) stored_vec;

/* The goldens of values. A program of one device that runs on several has the same on each, unless the binary says
 * otherwise. */
static void list_stored(const job *j, stored_vec *out)
{
    const tsr_fb_value *map = golden_map(j);
    for (size_t i = 0; map && i < map->n; i++) {
        const tsr_fb_table *kv = map->items[i].table;
        const tsr_fb_value *list = tsr_fb_get(kv, "value");
        tsr_str key = tsr_fb_text(kv, "key");
        if (tsr_str_starts(key, "input_") || tsr_str_starts(key, "output_"))
            continue;
        for (size_t k = 0; j->devices == 1 && list->set && k < list->n; k++)
            tsr_vec_push(out, (stored){key, (uint32_t)tsr_fb_int(list->items[k].table, "device"),
                                       tsr_fb_sub(list->items[k].table, "value"), NULL, out->n});
        for (size_t d = 0; j->devices > 1 && d < j->devices; d++)
            tsr_vec_push(out,
                         (stored){key, (uint32_t)d, table_of(j, kv, (uint32_t)d), NULL, out->n});
    }
}

/* A location without the folder of its file: loc("b.mlir":1:2) of loc("a/b.mlir":1:2). */
static void drop_folder(tsr_buf *key)
{
    static const char head[] = "loc(\"";
    size_t from = sizeof head - 1, at = from;
    if (!tsr_str_starts(tsr_buf_text(key), head))
        return;
    for (size_t i = from; i < key->len && key->data[i] != '"'; i++)
        at = key->data[i] == '/' ? i + 1 : at;
    memmove(key->data + from, key->data + at, key->len - at);
    key->len -= at - from;
}

/* A golden is the first result of an op. An op of the original program may have been lowered to several: the last value
 * with the golden's shape is meant. plain: files may be in other folders. */
static void find_values(job *j, const made_vec *all, stored_vec *list, bool plain)
{
    tsr_ctx *ctx = j->b->ctx;
    tsr_buf *keys = tsr_xmalloc((all->n + 1) * sizeof *keys);
    tsr_map by_key = {0};
    for (size_t i = 0; i < all->n; i++) {
        keys[i] = (tsr_buf){0};
        ctx->print_attr(ctx, &keys[i], tsr_loc_attr(ctx, all->data[i].value->op->loc));
        if (plain)
            drop_folder(&keys[i]);
        tsr_map_put(&by_key, tsr_hash_str(tsr_buf_text(&keys[i])), &keys[i]);
    }
    for (size_t i = 0; i < list->n; i++) {
        stored *s = &list->data[i];
        tsr_tensor *golden = s->golden && !s->value ? golden_tensor(ctx, s->golden) : NULL;
        tsr_buf key = {0};
        tsr_buf_str(&key, s->key);
        if (plain)
            drop_folder(&key);
        TSR_MAP_EACH (&by_key, tsr_hash_str(tsr_buf_text(&key)), found) {
            const made *v = &all->data[(const tsr_buf *)found - keys];
            if (golden && tsr_str_eq(tsr_buf_text(found), tsr_buf_text(&key)) &&
                v->device == s->device && !v->value->index && same_shape(v->tensor, golden) &&
                (!s->value || v > s->value))
                s->value = v;
        }
        tsr_tensor_unref(golden);
        tsr_buf_free(&key);
    }
    for (size_t i = 0; i < all->n; i++)
        tsr_buf_free(&keys[i]);
    tsr_free(keys);
    tsr_map_free(&by_key);
}

static int in_program_order(const void *a, const void *b)
{
    const stored *x = a, *y = b; /* those without a value come last */
    if (!x->value && !y->value)
        return (x->order > y->order) - (x->order < y->order);
    if (!x->value || !y->value)
        return x->value ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* An op that was fused with others may have the location of the first and the value of a later one, which has no value
 * of its own: it is compared with the golden of that one. Returns whether there is such a golden, and exchanges the two. */
static bool is_fused(job *j, stored *s, stored_vec *list, bool narrow)
{
    for (size_t i = 0; i < list->n; i++) {
        stored *other = &list->data[i];
        bool later = other->order > s->order && other->device == s->device;
        tsr_tensor *golden = later && !other->value && other->golden
                                 ? golden_tensor(j->b->ctx, other->golden)
                                 : NULL;
        tsr_comparison c;
        tsr_tensor *made = NULL;
        bool good = golden && same_shape(s->value->tensor, golden) &&
                    meets(j, s->value->tensor, golden, narrow, &c, &made);
        tsr_tensor_unref(made);
        tsr_tensor_unref(golden);
        if (good) {
            stored held = *s;
            *s = (stored){other->key, s->device, other->golden, s->value, s->order};
            *other = (stored){held.key, held.device, held.golden, NULL, other->order};
            return true;
        }
    }
    return false;
}

static bool compare_value(job *j, stored *s, stored_vec *list, bool narrow)
{
    tsr_tensor *golden = golden_tensor(j->b->ctx, s->golden), *made;
    tsr_comparison c;
    if (!golden)
        return without_golden(j);
    bool good = meets(j, s->value->tensor, golden, narrow, &c, &made);
    tsr_tensor_unref(made);
    if (!good && !j->status.code && is_fused(j, s, list, narrow)) {
        tsr_tensor_unref(golden);
        golden = golden_tensor(j->b->ctx, s->golden);
        if (!golden)
            return without_golden(j);
    }
    tsr_buf what = {0};
    tsr_buf_printf(&what, "'%.*s' op at ", TSR_STR_ARG(s->value->value->op->def->name));
    j->b->ctx->print_attr(j->b->ctx, &what, tsr_loc_attr(j->b->ctx, s->value->value->op->loc));
    if (j->devices > 1)
        tsr_buf_printf(&what, " on device %u", s->device);
    tsr_buf_cstr(&what, " is the first that is wrong: its value");
    bool ok = !j->status.code && compare_with(j, s->key, s->device, tsr_buf_text(&what),
                                              s->value->tensor, golden, narrow);
    tsr_buf_free(&what);
    tsr_tensor_unref(golden);
    return ok;
}

/* In the order of the program, so that the first wrong value is that of the op that is wrong. */
static bool compare_made(job *j, const made_vec *all, const bool *narrow)
{
    enum { NAMED = 3 }; /* of those that are left out */
    stored_vec list = {0};
    bool ok = true;
    list_stored(j, &list);
    find_values(j, all, &list, false);
    bool any = false;
    for (size_t i = 0; i < list.n; i++)
        any |= list.data[i].value != NULL;
    if (!any) /* the goldens were computed from a file by another name */
        find_values(j, all, &list, true);
    if (list.n)
        qsort(list.data, list.n, sizeof *list.data, in_program_order);
    for (size_t i = 0; ok && i < list.n && list.data[i].value; i++)
        ok = compare_value(j, &list.data[i], &list, narrow[list.data[i].value->value->id]);
    for (size_t i = 0, named = 0; ok && i < list.n; i++) {
        if (list.data[i].value)
            continue;
        j->unmet++;
        bool again = i && tsr_str_eq(list.data[i - 1].key, list.data[i].key); /* another device */
        if (!again && named++ <= NAMED)
            tsr_buf_printf(&j->gone, "%s%.*s", j->gone.len ? ", " : "",
                           TSR_STR_ARG(named > NAMED ? TSR_STR("...") : list.data[i].key));
    }
    tsr_vec_free(&list);
    return ok;
}

static void free_made(made_vec *v)
{
    for (size_t i = 0; i < v->n; i++)
        tsr_tensor_unref(v->data[i].tensor);
    tsr_vec_free(v);
}

/* Whether some op changes the value in place: its final value is not what its op computed. */
static bool is_changed(const tsr_value *v)
{
    for (const tsr_use *use = v->uses; use; use = use->next) {
        uint32_t i = (uint32_t)(use - use->user->in);
        if (i < 32 && tsr_written_operands(use->user) >> i & 1)
            return true;
    }
    return false;
}

/* One device: all values of the compiled program. */
static bool collect(job *j, made_vec *out)
{
    tsr_module *copy = tsr_module_copy_borrowed(j->m);
    tsr_op *func = find_func(copy, tsr_op_symbol(j->func));
    tsr_origin_vec from = {0};
    ttrt_tensors values = {0};
    double seconds;
    tsr_expose(func, &from);
    tsr_module_renumber(copy);
    bool ok = run_func(j, copy, func, from.n, j->devices, true, NULL, &values, &seconds);
    bool *narrow = ok ? narrow_values(func) : NULL;
    for (size_t i = 0; ok && i + j->type->nout < from.n; i++)
        for (size_t d = 0; d < j->devices && !is_changed(from.data[i].value); d++) {
            tsr_tensor *t = values.data[d * from.n + i];
            if (t->kind == TSR_TENSOR)
                tsr_vec_push(out, (made){from.data[i].value, (uint32_t)d, tsr_tensor_ref(t)});
        }
    if (ok)
        ok = compare_made(j, out, narrow);
    tsr_free(narrow);
    free_made(out);
    *out = (made_vec){0};
    free_tensors(&values);
    tsr_vec_free(&from);
    tsr_module_free(copy);
    return ok;
}

typedef struct {
    const tsr_op *func;
    made_vec *out;
    pthread_mutex_t lock;
} collector;

static bool see_devices(void *user, tsr_call *c)
{
    collector *w = user;
    if (c->op->block != w->func->regions[0].first)
        return true;
    pthread_mutex_lock(&w->lock);
    for (uint32_t i = 0; i < c->op->nout; i++)
        if (c->out[i]->kind == TSR_TENSOR)
            tsr_vec_push(w->out,
                         (made){&c->op->out[i], tsr_process_id(c->e), tsr_tensor_ref(c->out[i])});
    pthread_mutex_unlock(&w->lock);
    return true;
}

static int in_order(const void *a, const void *b)
{
    const made *x = a, *y = b;
    if (x->value->id != y->value->id)
        return x->value->id < y->value->id ? -1 : 1;
    return (x->device > y->device) - (x->device < y->device);
}

/* Several devices: the evaluator reports the value on each of them. */
static bool collect_devices(job *j, made_vec *out)
{
    collector w = {.func = j->func, .out = out};
    ttrt_tensors results = {0};
    double seconds;
    pthread_mutex_init(&w.lock, NULL);
    bool ok = run_func(j, j->m, j->func, j->type->nout, 1, false,
                       &(watcher){.watch = see_devices, .user = &w}, &results, &seconds);
    pthread_mutex_destroy(&w.lock);
    if (out->n)
        qsort(out->data, out->n, sizeof *out->data, in_order);
    bool *narrow = narrow_values(j->func);
    ok = ok && compare_made(j, out, narrow);
    tsr_free(narrow);
    free_tensors(&results);
    free_made(out);
    *out = (made_vec){0};
    return ok;
}

static bool on_mesh(const job *j)
{
    tsr_tt_mesh mesh;
    const char *what;
    return !tsr_tt_mesh_find(j->m, &mesh, &what) || (mesh.used && mesh.devices > 1);
}

/* Output k % nout of device k / nout. */
static bool compare_output(job *j, size_t k, bool narrow)
{
    size_t i = k % j->type->nout, device = k / j->type->nout;
    char key[40], path[80], what[120];
    snprintf(key, sizeof key, "output_%zu", i);
    snprintf(what, sizeof what, "output %zu", i);
    if (j->devices > 1)
        snprintf(what, sizeof what, "output %zu on device %zu", i, device);
    tsr_tensor *golden = golden_of(j, tsr_cstr(key), (uint32_t)device);
    bool ok = true;
    if (golden && j->out.data[k]->kind == TSR_TENSOR)
        ok = compare_with(j, tsr_cstr(key), (uint32_t)device, tsr_cstr(what), j->out.data[k],
                          golden, narrow);
    if (ok && golden && j->r->save && !device) {
        snprintf(path, sizeof path, "run/program_%zu/golden_output_%zu.npy", j->index, i);
        ok = !save_tensor(j->r, j->b, path, golden) ||
             tsr_status_set(&j->status, TSR_ENVIRONMENT, "cannot write goldens");
    }
    tsr_tensor_unref(golden);
    return ok;
}

/* Outputs come last: if a value before them is wrong, that is what is told. */
bool compare_goldens(job *j)
{
    made_vec all = {0};
    const tsr_op *ret = j->func->regions[0].first->last;
    bool *narrow = narrow_values(j->func);
    bool ok = on_mesh(j) ? collect_devices(j, &all) : collect(j, &all);
    for (size_t k = 0; ok && k < j->out.n; k++)
        ok = compare_output(j, k, narrow[ret->in[k % j->type->nout].value->id]);
    tsr_free(narrow);
    return ok;
}

/* ---- Op by op ---- */

/* Values while the evaluator runs: held, so that no kernel overwrites them before the op has also run alone. */
typedef struct {
    job *j;
    tsr_tensor **held; /* by value id */
    size_t n;
    double last;
} stepper;

static bool knows(void *user, const tsr_value *v)
{
    const stepper *s = user;
    return s->held[v->id] != NULL;
}

static tsr_tensor *fetch(void *user, const tsr_value *v)
{
    const stepper *s = user;
    return tsr_tensor_ref(s->held[v->id]);
}

static void hold(stepper *s, const tsr_value *v, tsr_tensor *t)
{
    tsr_tensor_unref(s->held[v->id]);
    s->held[v->id] = t && t->kind == TSR_TENSOR ? tsr_tensor_ref(t) : NULL;
}

static void time_op(stepper *s, const tsr_op *op, double seconds)
{
    job *j = s->j;
    tsr_buf loc = {0}, line = {0};
    const tsr_op *f = op->block->region->op;
    bool input = tsr_op_is(op, TSR_OP_TTNN_TO_LAYOUT) && op->nin && op->in[0].value->is_arg,
         constant = f != j->func;
    j->b->ctx->print_attr(j->b->ctx, &loc, tsr_loc_attr(j->b->ctx, op->loc));
    for (size_t i = 0; i < loc.len; i++)
        if (loc.data[i] == '"')
            loc.data[i] = '\'';
    double end = wall_seconds() - j->r->began;
    tsr_buf_printf(&line,
                   "%zu,%.*s,host,0,%.0f,%.0f,%.0f,\"%.*s\",%s,%s,"
                   "\"{'loop_number': 0, 'program_index': %zu}\"\n",
                   ++j->nop, TSR_STR_ARG(op->def->name), (end - seconds) * 1e9, end * 1e9,
                   seconds * 1e9, (int)loc.len, loc.data, constant ? "true" : "false",
                   input ? "true" : "false", j->index);
    const char *filter = j->r->filter;
    bool drops[4] = {false, constant, input,
                     (constant && (!filter || strstr(filter, "const_eval"))) ||
                         (input && (!filter || strstr(filter, "input_layout_conversion")))};
    for (size_t i = 0; i < 4; i++)
        if (!drops[i])
            tsr_buf_str(&j->csv[i], tsr_buf_text(&line));
    tsr_buf_free(&line);
    tsr_buf_free(&loc);
}

/* The same as tsr_run_alone, with the time that the op's program takes. */
static bool run_timed(tsr_op *op, const tsr_known *known, tsr_tensor **out, double *seconds)
{
    tsr_value_vec values = {0};
    ttrt_tensors args = {0};
    tsr_module *m = tsr_op_alone(op, known, &values);
    bool ok = m != NULL;
    for (size_t i = 0; ok && i < values.n; i++)
        tsr_vec_push(&args, known->get(known->user, values.data[i]));
    if (ok) {
        tsr_program *p = tsr_program_new(m, m->op->regions[0].first->first,
                                         &(tsr_program_options){.strict = true});
        tsr_eval e;
        tsr_eval_init(&e, m, p->plan);
        e.zero_division = TSR_ZERO_IGNORE;
        double began = wall_seconds();
        ok = tsr_program_run(p, &e, args.data, args.n, out, op->nout, NULL);
        *seconds = wall_seconds() - began;
        tsr_eval_free(&e);
        tsr_program_free(p);
    }
    if (m)
        tsr_module_free(m);
    free_tensors(&args);
    tsr_vec_free(&values);
    return ok;
}

/* Runs the op as a separate program: compares its results, which then replace the evaluator's. */
static bool step_alone(stepper *s, tsr_call *c)
{
    job *j = s->j;
    tsr_op *op = (tsr_op *)(uintptr_t)c->op;
    tsr_tensor **out = tsr_xmalloc((op->nout + 1) * sizeof *out);
    double seconds = 0;
    memset(out, 0, (op->nout + 1) * sizeof *out);
    tsr_known known = {.user = s, .has = knows, .get = fetch};
    bool alone =
        op->nout && !tsr_has_effect(op) && !tsr_op_meets(op) &&
        (j->r->timed ? run_timed(op, &known, out, &seconds)
                     : tsr_run_alone(op, &known, &(tsr_program_options){.strict = true}, out));
    for (uint32_t i = 0; alone && i < op->nout; i++) {
        tsr_comparison cmp;
        char what[120];
        if (c->out[i]->kind != TSR_TENSOR || !out[i] || out[i]->kind != TSR_TENSOR)
            continue;
        bool block = tsr_type_is(op->out[i].type->elem, TSR_TYPE_DIALECT);
        j->compared += j->r->reference;
        if (j->r->reference &&
            !agree(j, out[i], c->out[i], block || is_narrow(out[i]->elem), &cmp)) {
            snprintf(what, sizeof what, "result %u of %.*s", i, TSR_STR_ARG(op->def->name));
            note(j, tsr_cstr(what), "the reference", &cmp);
        }
        tsr_tensor_unref(c->out[i]);
        c->out[i] = out[i];
        out[i] = NULL;
    }
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_tensor_unref(out[i]);
    tsr_free(out);
    if (j->r->timed)
        time_op(s, op, alone ? seconds : wall_seconds() - s->last);
    return true;
}

static bool enter(void *user, tsr_call *c, const tsr_block *block)
{
    stepper *s = user;
    for (uint32_t i = 0; tsr_op_is(c->op, TSR_OP_FUNC_FUNC) && i < block->nargs; i++)
        hold(s, block->args[i], *tsr_frame_at(c->frame, c->e->plan, block->args[i]));
    s->last = wall_seconds();
    return true;
}

static bool step(void *user, tsr_call *c)
{
    stepper *s = user;
    const tsr_op *op = c->op;
    if (!tsr_op_is(op->block->region->op, TSR_OP_FUNC_FUNC)) /* in a region: it runs with its op */
        return true;
    if (!step_alone(s, c))
        return false;
    for (uint32_t i = 0; i < op->nout; i++)
        hold(s, &op->out[i], c->out[i]);
    uint32_t written = tsr_written_operands(op);
    for (uint32_t i = 0; i < op->nin && i < 32; i++)
        if (written >> i & 1)
            hold(s, op->in[i].value, *tsr_frame_at(c->frame, c->e->plan, op->in[i].value));
    if (tsr_op_is(op, TSR_OP_TTNN_DEALLOCATE))
        hold(s, op->in[0].value, NULL);
    s->last = wall_seconds();
    return true;
}

/* On a mesh, ops communicate and cannot run alone: values of the whole program are compared. */
static bool compare_whole(job *j)
{
    ttrt_tensors expected = {0};
    double seconds;
    bool *narrow = narrow_values(j->func);
    const tsr_op *ret = j->func->regions[0].first->last;
    bool ok = run_func(j, j->m, j->func, j->type->nout, 1, false, NULL, &expected, &seconds);
    for (size_t i = 0; ok && i < j->out.n; i++) {
        tsr_comparison c;
        char what[40];
        if (j->out.data[i]->kind != TSR_TENSOR)
            continue;
        snprintf(what, sizeof what, "output %zu", i);
        j->compared++;
        if (!agree(j, j->out.data[i], expected.data[i], narrow[ret->in[i].value->id], &c))
            note(j, tsr_cstr(what), "the reference", &c);
    }
    tsr_free(narrow);
    free_tensors(&expected);
    return ok;
}

bool compare_ops(job *j)
{
    if (on_mesh(j))
        return !j->r->reference || compare_whole(j);
    stepper s = {.j = j, .n = j->m->nvalue};
    ttrt_tensors results = {0};
    double seconds;
    s.held = tsr_xmalloc((s.n + 1) * sizeof *s.held);
    memset(s.held, 0, (s.n + 1) * sizeof *s.held);
    bool ok = run_func(j, j->m, j->func, j->type->nout, 1, false,
                       &(watcher){.watch = step, .enter = enter, .user = &s}, &results, &seconds);
    for (size_t i = 0; i < s.n; i++)
        tsr_tensor_unref(s.held[i]);
    tsr_free(s.held);
    free_tensors(&results);
    return ok;
}

/* ---- Outputs ---- */

void check_outputs(job *j)
{
    for (size_t i = 0; i < j->out.n; i++) {
        const tsr_tensor *t = j->out.data[i];
        tsr_comparison c = {.same_shape = true, .same_type = true};
        char what[40];
        bool any = false;
        if (t->kind != TSR_TENSOR)
            continue;
        snprintf(what, sizeof what, "output %zu", i);
        for (int64_t k = 0; j->r->non_zero && !any && k < t->n; k++)
            any = tsr_get_double(t, k) != 0;
        if (j->r->non_zero && !any)
            note(j, tsr_cstr(what), "what is not 0", &c);
        size_t k = i % j->type->nout;
        if (j->r->identity && k < j->in.n && !agree(j, t, j->in.data[k], is_narrow(t->elem), &c))
            note(j, tsr_cstr(what), "the input", &c);
    }
}
