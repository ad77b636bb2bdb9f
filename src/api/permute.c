/* SPDX-License-Identifier: Apache-2.0 */
/* permute.c - enumerates all shardings of a function's arguments over some devices, and finds those with the fewest
 * collectives. */
#include "api/api.h"
#include "api/eval.h"
#include "api/guard.h"
#include "api/shard.h"
#include "shard/core/given.h"

#define MOST ((size_t)1 << 24) /* maximum number of shardings */

/* Meshes of two axes with this many devices: x times y, in both orders. */
static size_t mesh_count(int64_t devices)
{
    size_t n = 0;
    for (int64_t x = 1; x <= devices; x++)
        n += devices % x == 0;
    return n;
}

static int64_t mesh_rows(int64_t devices, size_t i)
{
    for (int64_t x = 1; x <= devices; x++)
        if (devices % x == 0 && i-- == 0)
            return x;
    return devices;
}

/* For an argument of rank r: x or y divides one dimension, or both divide one each; r times (r + 1) ways. A scalar is
 * not divided. */
static size_t ways(const tsr_type *t)
{
    size_t r = tsr_type_is(t, TSR_TYPE_TENSOR) ? t->n : 0;
    return r ? r * (r + 1) : 1;
}

static void way_text(tsr_buf *out, const tsr_type *t, size_t way)
{
    size_t r = t->n, x = r, y = r; /* which dimension each axis divides; r: none */
    if (way < r) {
        x = way;
    } else if (way < 2 * r) {
        y = way - r;
    } else { /* y divides one of those that x leaves */
        x = (way - 2 * r) / (r - 1);
        y = (way - 2 * r) % (r - 1);
        y += y >= x;
    }
    for (size_t d = 0; d < r; d++) {
        tsr_buf_cstr(out, d ? "," : "");
        tsr_buf_cstr(out, d == x ? "x?" : d == y ? "y?" : "?");
    }
}

static bool count_all(const tsr_type *type, int64_t devices, size_t *n, tsr_status *status)
{
    if (devices < 1 || devices > 65536)
        return tsr_status_set(status, TSR_BAD_INPUT, "%lld devices: from 1 to 65536 can be divided",
                              (long long)devices);
    *n = mesh_count(devices);
    for (uint32_t i = 0; i < type->n; i++) {
        *n *= ways(type->types[i]);
        if (*n > MOST)
            return tsr_status_set(status, TSR_BAD_INPUT,
                                  "there are more than %zu shardings of the arguments", MOST);
    }
    return true;
}

bool tsr_module_permutations(tsr_module *m, int64_t devices, size_t *n, tsr_status *status)
{
    TSR_GUARD_MODULE(g, m, TSR_READS, status, false)
    const tsr_op *func = tsr_entry_find(m, (tsr_str){0}, g.status);
    bool ok = func && count_all(tsr_entry_type(func), devices, n, g.status);
    tsr_guard_finish(&g, ok);
    return ok;
}

static bool permute(tsr_module *m, int64_t devices, size_t i, tsr_status *status)
{
    tsr_op *func = (tsr_op *)tsr_entry_find(m, (tsr_str){0}, status);
    size_t n;
    if (!func || !count_all(tsr_entry_type(func), devices, &n, status))
        return false;
    if (i >= n)
        return tsr_status_set(status, TSR_BAD_INPUT, "there is no sharding %zu: there are %zu", i,
                              n);
    tsr_buf text = {0};
    size_t nmesh = mesh_count(devices);
    int64_t rows = mesh_rows(devices, i % nmesh);
    tsr_buf_printf(&text, "x=%lld,y=%lld", (long long)rows, (long long)(devices / rows));
    bool ok = tsr_given_mesh(m, tsr_buf_text(&text), status);
    const tsr_block *body = func->regions[0].first;
    i /= nmesh;
    for (uint32_t a = 0; ok && a < body->nargs; a++) {
        const tsr_type *t = body->args[a]->type;
        text.len = 0;
        if (tsr_type_is(t, TSR_TYPE_TENSOR) && t->n) {
            way_text(&text, t, i % ways(t));
            tsr_attr *s = tsr_given_sharding(m, t, tsr_buf_text(&text), status);
            ok = s != NULL;
            if (ok)
                tsr_sdy_set_sharding(body->args[a], s);
        }
        i /= ways(t);
    }
    tsr_buf_free(&text);
    return ok && tsr_verify(m->op);
}

tsr_module *tsr_module_permutation(tsr_module *m, int64_t devices, size_t i, tsr_status *status)
{
    TSR_GUARD_MODULE(g, m, TSR_READS, status, NULL)
    tsr_module *copy = tsr_module_copy(m);
    bool ok = permute(copy, devices, i, g.status);
    if (!ok) {
        tsr_module_free(copy);
        copy = NULL;
    }
    tsr_guard_finish(&g, ok);
    return copy;
}

bool tsr_module_collectives(tsr_module *m, size_t *n, int64_t *bytes, tsr_status *status)
{
    TSR_GUARD_MODULE(g, m, TSR_READS, status, false)
    tsr_arena arena;
    tsr_shard_plan plan = {0};
    tsr_shard_request request = {0};
    tsr_arena_init_pooled(&arena, &m->ctx->pool);
    tsr_module *copy = tsr_module_copy_borrowed(m);
    bool ok = tsr_shard_module(&arena, copy, &request, &plan, NULL, g.status);
    if (ok) {
        *n = (size_t)plan.ncollective;
        *bytes = plan.moved;
    }
    tsr_shard_plan_free(&plan);
    tsr_module_free(copy);
    tsr_arena_free(&arena);
    tsr_guard_finish(&g, ok);
    return ok;
}
