/* SPDX-License-Identifier: Apache-2.0 */
/* effect.c - Graph IR: states, random numbers, collectives. Tokens are tokens. */
#include <math.h>
#include <stdlib.h>

#include "dialect/tessera/tessera.h"
#include "eval/math/members.h"
#include "eval/groups.h"
#include "eval/math/scalar.h"
#include "eval/kernel/kernels.h"
#include "eval/plan.h"
#include "eval/math/strided.h"

/* Sets the token result at the end, if the op has one. */
static bool give_token(tsr_call *c, uint32_t i)
{
    if (i >= c->op->nout)
        return true;
    c->out[i] = tsr_token_new();
    return c->out[i] || tsr_fail_memory(c, "a token");
}

/* ---- States ---- */

/* The current value of a state: the declared one, until another was set. NULL after a failure. */
static tsr_tensor **state_of(tsr_call *c, const tsr_attr *symbol)
{
    tsr_eval *e = c->e;
    const tsr_op *op = tsr_symtab_find(&e->plan->symbols, symbol->s);
    if (!op || !tsr_op_is(op, TSR_OP_TESSERA_STATE)) {
        tsr_fail(c, "names '@%.*s', which is no state", TSR_STR_ARG(symbol->s));
        return NULL;
    }
    if (!e->states)
        e->states = tsr_calloc((size_t)e->module->nop + 1, sizeof(tsr_tensor *));
    tsr_tensor **place = e->states ? &e->states[op->id] : NULL;
    if (place && !*place)
        *place = tsr_tensor_of_attr(tsr_attr_of(op, TESSERA_STATE_value),
                                    tsr_attr_of(op, TESSERA_STATE_value)->type);
    if (place && *place)
        return place;
    if (!place || tsr_attr_is(tsr_attr_of(op, TESSERA_STATE_value), TSR_ATTR_DENSE))
        tsr_fail_memory(c, "a state");
    else
        tsr_fail(c, "has a state whose value is no dense data");
    return NULL;
}

bool eval_tessera_state_read(tsr_call *c)
{
    tsr_tensor **place = state_of(c, tsr_call_attr(c, TESSERA_STATE_READ_state));
    TSR_TRY(place != NULL);
    c->out[0] = tsr_tensor_ref(*place);
    return give_token(c, 1);
}

static void set_state(tsr_tensor **place, tsr_tensor *value) /* takes ownership of the reference */
{
    tsr_tensor_unref(*place);
    *place = value;
}

bool eval_tessera_state_update(tsr_call *c)
{
    tsr_tensor **place = state_of(c, tsr_call_attr(c, TESSERA_STATE_UPDATE_state));
    TSR_TRY(place != NULL);
    const tsr_tensor *old = *place, *now = c->in[0];
    if (old->rank != now->rank || memcmp(old->dims, now->dims, old->rank * sizeof *old->dims))
        return tsr_fail(c, "sets a state to a value of another shape");
    set_state(place, tsr_call_take(c, 0));
    return give_token(c, 0);
}

/* ---- Random numbers ---- */

bool eval_tessera_random(tsr_call *c)
{
    const tsr_attr *symbol = tsr_call_attr(c, TESSERA_RANDOM_state),
                   *how = tsr_call_attr(c, TESSERA_RANDOM_distribution);
    tsr_tensor **place = symbol ? state_of(c, symbol) : NULL;
    TSR_TRY(!symbol || place);
    const tsr_tensor *rng = symbol ? *place : c->in[0];
    if (rng->n != 2 || rng->dtype != TSR_D_U64)
        return tsr_fail(c, "draws from a key and a counter");
    tsr_tensor *t = tsr_call_static(c, 0);
    TSR_TRY(t != NULL);
    bool wide = t->dtype == TSR_D_F64, normal = how && tsr_str_is(how->s, "normal");
    /* Bits need an integer type, and none may be interned here: the context has that of the state and i32. */
    tsr_tensor *bits = tsr_tensor_new(wide ? rng->elem : c->e->ctx->i32, t->dims, t->rank);
    tsr_tensor *next = tsr_tensor_like(rng, rng->elem);
    if (!bits || !next) {
        tsr_tensor_unref(bits);
        tsr_tensor_unref(next);
        return tsr_fail_memory(c, "random bits");
    }
    const uint64_t *now = rng->data;
    uint64_t *then = next->data, key = now[0];
    then[0] = key;
    then[1] = now[1] + tsr_philox(bits, key, now[1]);
    for (int64_t i = 0; i < t->n; i++) {
        double u = wide ? (double)(((const uint64_t *)bits->data)[i] >> 12) * 0x1p-52
                        : (double)(((const uint32_t *)bits->data)[i] >> 9) * 0x1p-23;
        double least = wide ? -1 + 0x1p-53 : -1 + 0x1p-24, v = 2 * u - 1;
        tsr_set_double(t, i,
                       normal ? 1.4142135623730951 * tsr_m_erf_inv(v > least ? v : least) : u);
    }
    tsr_tensor_unref(bits);
    if (symbol) {
        set_state(place, next);
        return give_token(c, 1);
    }
    c->out[1] = next;
    return give_token(c, 2);
}

/* ---- Collectives ---- */

/* The process's row of the list; NULL if it is in none. */
static const int64_t *own_row(const tsr_i64_vec *devices, size_t size, uint32_t id)
{
    for (size_t i = 0; i < devices->n; i++)
        if (devices->data[i] == (int64_t)id)
            return devices->data + i / size * size;
    return NULL;
}

/* Copies part k of n of from (along from_dim) to part at of m of t (along to_dim). */
static void move_part(tsr_tensor *t, int64_t to_dim, int64_t at, int64_t m, const tsr_tensor *from,
                      int64_t from_dim, int64_t k, int64_t n)
{
    int64_t dims[TSR_MAX_RANK], to[TSR_MAX_RANK], own[TSR_MAX_RANK];
    size_t size = tsr_elem_size(t);
    memcpy(dims, from->dims, from->rank * sizeof *dims);
    dims[from_dim] /= n;
    tsr_byte_strides(t->dims, t->rank, size, to);
    tsr_byte_strides(from->dims, from->rank, size, own);
    tsr_move_once((char *)t->data + (size_t)(to[to_dim] * (t->dims[to_dim] / m) * at), to,
                  (const char *)from->data + (size_t)(own[from_dim] * dims[from_dim] * k), own,
                  dims, from->rank, size);
}

static const void *value_at(const void *values, size_t member)
{
    return ((tsr_tensor *const *)values)[member]->data;
}

static bool reduce_values(tsr_call *c, const tsr_coll *coll, tsr_tensor *const *values, size_t n,
                          tsr_tensor *t)
{
    tsr_fold fold;
    if (!tsr_fold_find(&fold, tsr_reduce_kind_of(tsr_tessera_join(coll->reduction)), t->elem))
        return tsr_fail(c, "cannot reduce elements of its type");
    tsr_fold_members(&fold, t->data, t->n, n, value_at, values);
    for (int64_t i = 0; coll->reduction == TSR_TESSERA_MEAN && i < t->n; i++) {
        if (tsr_dtype_is_int((tsr_dtype)t->dtype))
            tsr_set_int(t, i, tsr_get_int(t, i) / (int64_t)n);
        else
            tsr_set_double(t, i, tsr_get_double(t, i) / (double)n);
    }
    return true;
}

/* The result from the values of all n processes; me: the place of this process. */
static bool combine(tsr_call *c, const tsr_coll *coll, tsr_tensor *const *values, size_t n,
                    size_t me)
{
    const tsr_tensor *x = c->in[0];
    int64_t dims[TSR_MAX_RANK], many = (int64_t)n;
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    bool sized = coll->kind == TSR_COLL_ALL_GATHER || coll->kind == TSR_COLL_REDUCE_SCATTER ||
                 coll->kind == TSR_COLL_ALL_TO_ALL;
    if (sized && (coll->dim >= x->rank || coll->to_dim >= x->rank))
        return tsr_fail(c, "works along a dimension that the operand does not have");
    if ((coll->kind == TSR_COLL_REDUCE_SCATTER || coll->kind == TSR_COLL_ALL_TO_ALL) &&
        dims[coll->dim] % many)
        return tsr_fail(c, "cannot part %lld elements among %zu", (long long)dims[coll->dim], n);
    for (size_t k = 0; k < n; k++)
        if (values[k]->kind != TSR_TENSOR || values[k]->dtype != x->dtype ||
            values[k]->rank != x->rank || memcmp(values[k]->dims, x->dims, x->rank * sizeof *dims))
            return tsr_fail(c, "meets a process that brings a value of another type");
    if (coll->kind == TSR_COLL_BROADCAST) {
        c->out[0] = tsr_tensor_ref(values[0]);
        return true;
    }
    if (coll->kind == TSR_COLL_ALL_REDUCE) {
        tsr_tensor *t = tsr_call_new(c, 0, dims, x->rank);
        return t && reduce_values(c, coll, values, n, t);
    }
    if (coll->kind == TSR_COLL_REDUCE_SCATTER) {
        tsr_tensor *all = tsr_tensor_like(x, x->elem);
        bool ok = (all || tsr_fail_memory(c, "a sum")) && reduce_values(c, coll, values, n, all);
        dims[coll->dim] /= many;
        tsr_tensor *t = ok ? tsr_call_new(c, 0, dims, x->rank) : NULL;
        if (t && t->n)
            move_part(t, coll->dim, 0, 1, all, coll->dim, (int64_t)me, many);
        tsr_tensor_unref(all);
        return t != NULL;
    }
    bool to_all = coll->kind == TSR_COLL_ALL_TO_ALL;
    int64_t at = to_all ? coll->to_dim : coll->dim;
    dims[coll->dim] /= to_all ? many : 1;
    dims[at] *= many;
    tsr_tensor *t = tsr_call_new(c, 0, dims, x->rank);
    for (size_t k = 0; t && t->n && k < n; k++)
        move_part(t, at, (int64_t)k, many, values[k], coll->dim, to_all ? (int64_t)me : 0,
                  to_all ? many : 1);
    return t != NULL;
}

/* The value from this process's source; zeros if it has none. */
static bool permute(tsr_call *c, const tsr_coll *coll)
{
    int64_t id = tsr_process_id(c->e), from = -1,
            n = tsr_mesh_replicas(c->e) * (int64_t)tsr_mesh_partitions(c->e);
    for (int64_t i = 0, rows = tsr_attr_count(coll->devices) / 2; i < rows; i++) {
        int64_t source = tsr_attr_int_at(coll->devices, (size_t)(2 * i)),
                target = tsr_attr_int_at(coll->devices, (size_t)(2 * i + 1));
        if (source < 0 || source >= n || target < 0 || target >= n)
            return tsr_fail(c, "names a device that is not there");
        from = target == id ? source : from;
    }
    /* All processes meet, including those that send nothing. */
    uint32_t *ids = tsr_xmalloc((size_t)n * sizeof *ids);
    tsr_tensor **values = tsr_xmalloc((size_t)n * sizeof *values);
    for (int64_t i = 0; i < n; i++)
        ids[i] = (uint32_t)i;
    tsr_group group = {.ids = ids, .n = (size_t)n};
    bool ok = tsr_mesh_meet(c, &group, 0, 0, c->in, 1, values);
    for (int64_t i = 0; ok && i < n; i++)
        if (i != from)
            tsr_tensor_unref(values[i]);
    if (ok)
        c->out[0] = from >= 0 ? values[from]
                              : tsr_tensor_zeros(c->in[0]->elem, c->in[0]->dims, c->in[0]->rank);
    tsr_free(ids);
    tsr_free(values);
    return ok && (c->out[0] || tsr_fail_memory(c, "zeros"));
}

bool eval_tessera_collective(tsr_call *c)
{
    tsr_coll coll;
    if (!tsr_coll_of(c->op, &coll) || coll.kind == TSR_COLL_NONE)
        return tsr_fail(c, "is of a kind that there is not");
    if (coll.sharding) { /* of a global tensor: only its distribution changes */
        c->out[0] = tsr_call_take(c, 0);
        return give_token(c, 1);
    }
    if (coll.kind == TSR_COLL_PERMUTE)
        return coll.devices ? permute(c, &coll) && give_token(c, 1)
                            : tsr_fail(c, "says no devices");
    tsr_i64_vec devices = {0};
    size_t size = 1;
    uint32_t id = tsr_process_id(c->e), n = tsr_mesh_replicas(c->e) * tsr_mesh_partitions(c->e);
    bool ok = (tsr_coll_devices(c->op, &coll, &devices, &size) && size) ||
              tsr_fail(c, "names a mesh or a group that is not there");
    const int64_t *row = ok ? own_row(&devices, size, id) : NULL;
    if (ok && !row)
        ok = tsr_fail(c, "is run by process %u, which is in none of its groups", id);
    for (size_t i = 0; ok && i < size; i++)
        if (row[i] < 0 || row[i] >= (int64_t)n)
            ok = tsr_fail(c, "names device %lld, and there are %u", (long long)row[i], n);
    if (ok) {
        uint32_t *ids = tsr_xmalloc(size * sizeof *ids);
        tsr_tensor **values = tsr_xmalloc(size * sizeof *values);
        size_t me = 0;
        for (size_t i = 0; i < size; i++) {
            ids[i] = (uint32_t)row[i];
            me = ids[i] == id ? i : me;
        }
        tsr_group group = {.ids = ids, .n = size};
        ok = tsr_mesh_meet(c, &group, 0, 0, c->in, 1, values);
        bool met = ok;
        ok = ok && combine(c, &coll, values, size, me);
        for (size_t i = 0; met && i < size; i++)
            tsr_tensor_unref(values[i]);
        tsr_free(ids);
        tsr_free(values);
    }
    tsr_vec_free(&devices);
    return ok && give_token(c, 1);
}
