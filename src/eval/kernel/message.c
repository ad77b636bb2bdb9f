/* SPDX-License-Identifier: Apache-2.0 */
/* message.c - messages between processes, feeds from and to the host, and futures. */
#include <stdlib.h>

#include "eval/groups.h"
#include "eval/plan.h"
#include "eval/kernel/kernels.h"

/* ---- Messages and feeds ---- */

/* The process at the other end of a message; TSR_ANYONE if no pairs are given. some: false if the process is in no
 * pair: nothing to do. Pairs name partitions or replicas as for collective_permute; if there is only one of these, the
 * other is meant. */
static bool find_peer(tsr_call *c, const tsr_attr *pairs, int64_t channel, bool sending,
                      int64_t *peer, bool *some)
{
    *peer = TSR_ANYONE;
    *some = true;
    if (!pairs || !tsr_attr_count(pairs))
        return true;
    tsr_grouping how = tsr_mesh_partitions(c->e) == 1 ? TSR_BY_REPLICA
                       : tsr_mesh_replicas(c->e) == 1 ? TSR_BY_PARTITION
                                                      : tsr_line_grouping(channel);
    tsr_group g;
    bool ring;
    TSR_TRY(tsr_chain_find(c, pairs, how, &g, &ring));
    size_t me = tsr_group_place(c, &g);
    *some = me < g.n && (ring || (sending ? me + 1 < g.n : me > 0));
    if (*some)
        *peer = g.ids[sending ? (me + 1) % g.n : (me + g.n - 1) % g.n];
    tsr_group_free(&g);
    return true;
}

bool eval_send(tsr_call *c)
{
    int64_t channel = tsr_channel_of(tsr_call_attr(c, STABLEHLO_SEND_channel_handle)), peer;
    bool some;
    TSR_TRY(find_peer(c, tsr_call_attr(c, STABLEHLO_SEND_source_target_pairs), channel, true, &peer,
                      &some));
    TSR_TRY(!some || tsr_mesh_send(c, channel, peer, c->in, c->op->nin - 1));
    c->out[0] = tsr_call_take(c, c->op->nin - 1);
    return true;
}

/* Checks received values, as results 0 .. n-1. */
static bool check_received(tsr_call *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const tsr_tensor *t = c->out[i];
        const tsr_type *type = c->op->out[i].type;
        bool fits = type->kind != TSR_TYPE_TENSOR || (t->kind == TSR_TENSOR && t->rank == type->n &&
                                                      t->dtype == tsr_dtype_of(type->elem));
        for (uint32_t d = 0; fits && type->kind == TSR_TYPE_TENSOR && d < type->n; d++)
            fits = type->dims[d] == TSR_DYNAMIC || type->dims[d] == t->dims[d];
        if (!fits)
            return tsr_fail(c, "gets a value of another type than its result %zu has", i);
    }
    return true;
}

bool eval_recv(tsr_call *c)
{
    int64_t channel = tsr_channel_of(tsr_call_attr(c, STABLEHLO_RECV_channel_handle)), peer;
    size_t n = c->op->nout - 1; /* the token comes last */
    bool some;
    TSR_TRY(find_peer(c, tsr_call_attr(c, STABLEHLO_RECV_source_target_pairs), channel, false,
                      &peer, &some));
    if (some) {
        TSR_TRY(tsr_mesh_recv(c, channel, peer, c->out, n) && check_received(c, n));
    } else {
        for (size_t i = 0; i < n; i++) {
            tsr_tensor *t = tsr_call_static(c, i);
            if (!t)
                return false;
            memset(t->data, 0, tsr_tensor_bytes(t));
        }
    }
    c->out[n] = tsr_call_take(c, 0);
    return true;
}

bool eval_infeed(tsr_call *c)
{
    const tsr_attr *name = NULL;
    tsr_tensor *item = NULL;
    size_t n = c->op->nout - 1;
    TSR_TRY(tsr_mesh_infeed(c, &name, &item));
    if (name) {
        const tsr_op *func = tsr_symtab_find(&c->e->plan->symbols, name->s);
        const tsr_attr *type = func ? tsr_op_attr(func, TSR_STR("function_type")) : NULL;
        if (!tsr_attr_is(type, TSR_ATTR_TYPE) || type->type->nout != n)
            return tsr_fail(c, "is fed by '@%.*s', which is no function of %zu results",
                            TSR_STR_ARG(name->s), n);
        TSR_TRY(tsr_eval_function(c->e, func, NULL, 0, c->out));
    } else if (n == 1 && item->kind != TSR_TUPLE) {
        c->out[0] = item;
    } else {
        bool fits = item->kind == TSR_TUPLE && (size_t)item->n == n;
        for (size_t i = 0; fits && i < n; i++)
            c->out[i] = tsr_tensor_ref(item->items[i]);
        tsr_tensor_unref(item);
        if (!fits)
            return tsr_fail(c, "is fed an item that has not %zu values", n);
    }
    c->out[n] = tsr_call_take(c, 0);
    return check_received(c, n);
}

bool eval_outfeed(tsr_call *c)
{
    const tsr_attr *config = tsr_call_attr(c, STABLEHLO_OUTFEED_outfeed_config);
    size_t n = c->op->nin - 1;
    TSR_TRY(tsr_effect_do(c, TSR_EFFECT_OUTFEED, config ? config->s : TSR_STR(""), c->in, n));
    c->out[0] = tsr_call_take(c, n);
    return true;
}

/* ---- Futures ---- */

/* Completes at once, which is allowed; a future is the tuple of the results. */
bool eval_async_start(tsr_call *c)
{
    const tsr_block *body = c->op->regions[0].first;
    uint32_t n = body && body->last ? body->last->nin : 0;
    tsr_tensor **out = tsr_xmalloc((n + 1) * sizeof *out);
    memset(out, 0, (n + 1) * sizeof *out);
    bool ok = tsr_eval_region(c, &c->op->regions[0], c->in, c->op->nin, out, n);
    if (ok) {
        c->out[0] = tsr_tuple_new(out, n);
        ok = c->out[0] || tsr_fail_memory(c, "a future");
    }
    for (uint32_t i = 0; i < n; i++)
        tsr_tensor_unref(out[i]);
    tsr_free(out);
    return ok;
}

bool eval_async_done(tsr_call *c)
{
    const tsr_tensor *future = c->in[0];
    if (future->kind != TSR_TUPLE || future->n < (int64_t)c->op->nout)
        return tsr_fail(c, "ends a future that has not its results");
    for (uint32_t i = 0; i < c->op->nout; i++)
        c->out[i] = tsr_tensor_ref(future->items[i]);
    return true;
}
