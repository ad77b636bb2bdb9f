/* SPDX-License-Identifier: Apache-2.0 */
/* remote_native.c - the transport's own collectives (--collectives=native), for comparison: results equal those of
 * remote_join.c, up to rounding.
 *
 * The transport creates groups of ranks while all ranks wait for each other (split). So the groups of a program are
 * created before it runs, from its ops; groups with two processes of one rank, and groups that no op's attributes give,
 * are met in the usual way. */
#include "eval/remote_inner.h"

#include "dialect/params.h"
#include "eval/groups.h"

/* ---- Groups ---- */

static const native_group *find_group(const tsr_remote *r, const tsr_group *g)
{
    for (size_t i = 0; i < r->groups.n; i++) {
        const native_group *x = &r->groups.data[i];
        if (x->n == g->n && !memcmp(x->ids, g->ids, g->n * sizeof *g->ids))
            return x;
    }
    return NULL;
}

/* Adds the group of a process that is the first in it, if the transport supports it. */
static void add_group(tsr_remote *r, const tsr_group *g, uint32_t id)
{
    if (g->n < 2 || g->ids[0] != id || find_group(r, g))
        return;
    tsr_remote_find_ranks(r, g);
    for (size_t i = 0; i < g->n; i++)
        if (r->low[r->ranks[g->ids[i]]] != i)
            return; /* another process of this rank comes before it */
    native_group x = {.ids = tsr_remote_numbers(g->n), .n = g->n};
    memcpy(x.ids, g->ids, g->n * sizeof *g->ids);
    tsr_vec_push(&r->groups, x);
}

/* The groups of an op. */
static void add_groups(tsr_remote *r, const tsr_op *op)
{
    tsr_comm with;
    bool ok = tsr_comm_of(op, &with) && with.kind != TSR_COLLECTIVE_PERMUTE;
    for (uint32_t i = 0; ok && i < r->m->n; i++) {
        tsr_group g;
        tsr_call c = {.e = &r->m->members[i].eval, .op = op};
        ok = tsr_group_find(&c, with.groups, with.how, &g);
        if (ok)
            add_group(r, &g, i);
        tsr_group_free(&g);
        if (!ok) { /* it fails when a process reaches it */
            tsr_buf_free(&c.e->failure.message);
            c.e->failure = (tsr_failure){0};
        }
    }
}

/* Creates transport groups starting at number first. In each call every rank is in at most one group: disjoint groups
 * are created at once, and a rank's groups one after the other. */
static void split(tsr_remote *r, size_t first)
{
    int me = r->t->rank, rounds = 0;
    uint32_t *taken = tsr_remote_numbers((size_t)r->t->size);
    for (int round = 0; round <= rounds; round++) {
        int color = -1, key = 0;
        tsr_rank_group made;
        memset(taken, 0, (size_t)r->t->size * sizeof *taken);
        for (size_t i = first; i < r->groups.n; i++) {
            native_group *x = &r->groups.data[i];
            uint32_t most = 0;
            for (size_t k = 0; k < x->n; k++)
                most = taken[r->ranks[x->ids[k]]] > most ? taken[r->ranks[x->ids[k]]] : most;
            rounds = (int)most > rounds ? (int)most : rounds;
            for (size_t k = 0; k < x->n; k++) {
                taken[r->ranks[x->ids[k]]] = most + 1;
                if ((int)most == round && (int)r->ranks[x->ids[k]] == me) {
                    color = (int)i;
                    key = (int)k;
                }
            }
        }
        if (!r->t->split(r->t, color, key, &made))
            tsr_remote_give_up(r);
        if (color < 0)
            continue;
        r->groups.data[color].here = true;
        r->groups.data[color].ranks = made;
    }
    tsr_free(taken);
}

void tsr_native_split(tsr_remote *r, const tsr_op *root)
{
    size_t before = r->groups.n;
    TSR_OPS ((tsr_op *)root, op) {
        if (tsr_op_meets(op))
            add_groups(r, op);
    }
    if (r->groups.n > before)
        split(r, before);
}

void tsr_native_free(tsr_remote *r)
{
    for (size_t i = 0; i < r->groups.n; i++) {
        native_group *g = &r->groups.data[i];
        if (g->here)
            r->t->leave(r->t, &g->ranks);
        tsr_free(g->ids);
    }
    tsr_vec_free(&r->groups);
}

/* ---- Collectives of the transport ---- */

/* The transport's names for a type and a reduction; false: it has none. */
static bool find_names(tsr_dtype d, int reduction, tsr_native *out)
{
    static const struct {
        tsr_dtype d;
        tsr_native_type type;
    } types[] = {{TSR_D_F32, TSR_NATIVE_F32}, {TSR_D_F64, TSR_NATIVE_F64},
                 {TSR_D_I8, TSR_NATIVE_I8},   {TSR_D_I16, TSR_NATIVE_I16},
                 {TSR_D_I32, TSR_NATIVE_I32}, {TSR_D_I64, TSR_NATIVE_I64},
                 {TSR_D_U8, TSR_NATIVE_U8},   {TSR_D_U16, TSR_NATIVE_U16},
                 {TSR_D_U32, TSR_NATIVE_U32}, {TSR_D_U64, TSR_NATIVE_U64}};
    static const tsr_native_op ops[] = {[TSR_REDUCE_SUM] = TSR_NATIVE_SUM,
                                        [TSR_REDUCE_PRODUCT] = TSR_NATIVE_PRODUCT,
                                        [TSR_REDUCE_MIN] = TSR_NATIVE_MIN,
                                        [TSR_REDUCE_MAX] = TSR_NATIVE_MAX};
    if (reduction < TSR_REDUCE_SUM || reduction > TSR_REDUCE_MAX)
        return false;
    for (size_t i = 0; i < TSR_COUNT(types); i++) {
        if (types[i].d != d)
            continue;
        out->type = types[i].type;
        out->op = ops[reduction];
        return true;
    }
    return false;
}

static bool reduces(const meeting *at)
{
    return tsr_join_kind_of(at) == TSR_JOIN_REDUCE || tsr_join_kind_of(at) == TSR_JOIN_SCATTER;
}

/* The call for operand i of the process at place; false: the transport does not support it. */
static bool find_call(const meeting *at, size_t place, size_t i, tsr_native *out)
{
    static const tsr_native_kind kinds[] = {[TSR_JOIN_REDUCE] = TSR_NATIVE_REDUCE,
                                            [TSR_JOIN_SCATTER] = TSR_NATIVE_SCATTER,
                                            [TSR_JOIN_GATHER] = TSR_NATIVE_GATHER,
                                            [TSR_JOIN_EXCHANGE] = TSR_NATIVE_EXCHANGE};
    const tsr_tensor *t = at->values[place * at->nin + i];
    tsr_join_kind kind = tsr_join_kind_of(at);
    size_t bytes = tsr_tensor_bytes(t);
    out->kind = kinds[kind];
    out->type = TSR_NATIVE_U8;
    out->in = t->data;
    out->out = tsr_join_result(at, i);
    out->n = reduces(at) ? (size_t)t->n : bytes;
    if (kind == TSR_JOIN_SCATTER || kind == TSR_JOIN_EXCHANGE)
        out->n /= at->group.n;
    return bytes <= INT32_MAX &&
           (!reduces(at) || find_names((tsr_dtype)t->dtype, at->need.reduces, out));
}

/* For one process per rank, which joins the meetings of its group in program order, as the others do. */
bool tsr_native_begin(tsr_remote *r, meeting *at, size_t place)
{
    const native_group *g = r->native && at->other.join ? find_group(r, &at->group) : NULL;
    bool has = g && g->here;
    tsr_native call = {.group = has ? g->ranks : (tsr_rank_group){0}};
    for (size_t i = 0; has && i < at->nin; i++)
        has = find_call(at, place, i, &call);
    for (size_t i = 0; has && i < at->nin; i++) {
        rank_transfer x = {.out = true, .at = at, .native = true};
        find_call(at, place, i, &call);
        if (!r->t->native(r->t, &call, &x.request))
            tsr_remote_give_up(r);
        at->other.sends++;
        tsr_vec_push(&r->active, x);
    }
    return has;
}

void tsr_native_end(tsr_remote *r, meeting *at)
{
    if (at->other.sends == 1) /* it was the last */
        tsr_join_end(r, at);
}
