/* SPDX-License-Identifier: Apache-2.0 */
/* join.c - collectives whose results the last process to arrive makes for all, in the memory of each: see tsr_mesh_join.
 * The results are those of the kernels in collective.c. */
#include "base/scope.h"
#include "base/threads.h"
#include "eval/kernel/collective.h"
#include "eval/math/members.h"
#include "eval/plan.h"

/* ---- Results of all members ---- */

typedef struct {
    const tsr_comm *comm;
    size_t nin;
    tsr_fold fold; /* of a reduction */
    bool ring;     /* PERMUTE: the first member gets the value of the last */
} joint;

/* Elements of what each member brings as one operand, from an offset in bytes on. */
typedef struct {
    tsr_tensor *const *in;
    size_t step, offset;
} operand;

static const void *member_at(const void *user, size_t member)
{
    const operand *o = user;
    return (const char *)o->in[member * o->step]->data + o->offset;
}

static void copy_to_others(const joint *j, tsr_tensor *const *into, size_t i, size_t n)
{
    for (size_t k = 1; k < n; k++)
        memcpy(into[k * j->nin + i]->data, into[i]->data, tsr_tensor_bytes(into[i]));
}

static void scatter(const joint *j, tsr_tensor *const *in, tsr_tensor *const *into, size_t n)
{
    const tsr_tensor *t = into[0];
    int64_t run = 1, outer = 1;
    for (size_t d = 0; d < t->rank; d++)
        *((int64_t)d < j->comm->axis ? &outer : &run) *= t->dims[d];
    size_t bytes = (size_t)run * j->fold.size;
    for (size_t k = 0; k < n; k++)
        for (size_t o = 0; o < (size_t)outer; o++)
            tsr_fold_members(&j->fold, (char *)into[k]->data + o * bytes, run, n, member_at,
                             &(operand){in, 1, (o * n + k) * bytes});
}

static void permute(const joint *j, tsr_tensor *const *in, tsr_tensor *const *into, size_t n)
{
    size_t bytes = tsr_tensor_bytes(into[0]);
    for (size_t k = 1; k < n; k++)
        memcpy(into[k]->data, in[k - 1]->data, bytes);
    if (j->ring)
        memcpy(into[0]->data, in[n - 1]->data, bytes);
    else
        memset(into[0]->data, 0, bytes);
}

static bool fill_all(tsr_call *c, void *user, tsr_tensor *const *in, tsr_tensor *const *into,
                     size_t n)
{
    const joint *j = user;
    const tsr_comm *comm = j->comm;
    for (size_t k = 0; k < n * j->nin; k++)
        if (!tsr_same_type(in[k], c->in[k % j->nin]))
            return tsr_fail(c, "meets a process that brings a value of another type");
    for (size_t i = 0; i < j->nin; i++) {
        tsr_tensor *t = into[i];
        if (!t->n)
            continue;
        tsr_work(t->n * (int64_t)n);
        if (comm->kind == TSR_COLLECTIVE_REDUCE)
            tsr_fold_members(&j->fold, t->data, t->n, n, member_at, &(operand){in + i, j->nin, 0});
        else if (comm->kind == TSR_COLLECTIVE_GATHER)
            tsr_gather_into(t, in + i, n, j->nin, comm->axis);
        else if (comm->kind == TSR_COLLECTIVE_BROADCAST)
            memcpy(t->data, in[i]->data, tsr_tensor_bytes(t));
        else if (comm->kind == TSR_COLLECTIVE_SCATTER)
            scatter(j, in, into, n);
        else if (comm->kind == TSR_COLLECTIVE_PERMUTE)
            permute(j, in, into, n);
        for (size_t k = 0; comm->kind == TSR_COLLECTIVE_EXCHANGE && k < n; k++)
            tsr_exchange_into(into[k * j->nin + i], in + i, n, j->nin, k, comm->split,
                              comm->concat);
        if (comm->kind == TSR_COLLECTIVE_REDUCE || comm->kind == TSR_COLLECTIVE_GATHER ||
            comm->kind == TSR_COLLECTIVE_BROADCAST)
            copy_to_others(j, into, i, n);
    }
    return true;
}

/* ---- What can be joined ---- */

/* Whether the result's memory has the type that the kernel would make; others are its business, and its failures. */
static bool fits(const tsr_comm *comm, const tsr_tensor *in, const tsr_tensor *into, int64_t n)
{
    int64_t dims[TSR_MAX_RANK], rank = in->rank;
    if (!into || in->kind != TSR_TENSOR || in->elem != into->elem || in->rank != into->rank ||
        comm->axis < 0 || comm->split < 0 || comm->concat < 0)
        return false;
    memcpy(dims, in->dims, in->rank * sizeof *dims);
    switch (comm->kind) {
    case TSR_COLLECTIVE_GATHER:
        if (comm->axis >= rank)
            return false;
        dims[comm->axis] *= n;
        break;
    case TSR_COLLECTIVE_SCATTER:
        if (comm->axis >= rank || dims[comm->axis] % n)
            return false;
        dims[comm->axis] /= n;
        break;
    case TSR_COLLECTIVE_EXCHANGE:
        if (comm->split >= rank || comm->concat >= rank || comm->count != n ||
            dims[comm->split] % n)
            return false;
        dims[comm->split] /= n;
        dims[comm->concat] *= n;
        break;
    case TSR_COLLECTIVE_REDUCE:
        return !comm->rooted && !memcmp(dims, into->dims, in->rank * sizeof *dims);
    case TSR_COLLECTIVE_BROADCAST:
        return !comm->dynamic_root && !memcmp(dims, into->dims, in->rank * sizeof *dims);
    case TSR_COLLECTIVE_PERMUTE: break;
    default: return false;
    }
    return !memcmp(dims, into->dims, in->rank * sizeof *dims);
}

/* The body combines elements of the operands' own type: then it is a fold. */
static bool find_fold(const tsr_call *c, joint *j)
{
    const tsr_comm *comm = j->comm;
    if (comm->kind != TSR_COLLECTIVE_REDUCE && comm->kind != TSR_COLLECTIVE_SCATTER)
        return true;
    const tsr_type *elem = c->in[0]->elem;
    const tsr_block *b = comm->body ? comm->body->first : NULL;
    bool own = !b || (b->nargs == 2 && tsr_type_is_shaped(b->args[0]->type) &&
                      b->args[0]->type->elem == elem);
    for (size_t i = 1; i < j->nin; i++)
        own &= c->in[i]->elem == elem;
    return own && tsr_fold_find(&j->fold, comm->reducer, elem);
}

/* One process works for all, on one thread: with several, only where that is little. */
static bool is_little(const tsr_call *c, size_t n)
{
    enum { LITTLE = 1 << 16 };
    size_t bytes = 0;
    for (uint32_t i = 0; i < c->op->nin; i++)
        bytes += tsr_tensor_bytes(c->in[i]) + tsr_tensor_bytes(c->into[i]);
    return tsr_pool_size() == 1 || bytes <= LITTLE / n;
}

tsr_joined tsr_collective_join(tsr_call *c)
{
    const tsr_comm *comm = c->comm;
    joint j = {.comm = comm, .nin = c->op->nin};
    if (!j.nin || c->op->nout != j.nin || c->e->plan->quantized[c->op->id])
        return TSR_JOIN_NOT;
    tsr_group g;
    bool found = comm->kind == TSR_COLLECTIVE_PERMUTE
                     ? tsr_chain_find(c, comm->groups, comm->how, &g, &j.ring)
                     : tsr_group_find(c, comm->groups, comm->how, &g);
    bool can = found && g.n && find_fold(c, &j);
    for (size_t i = 0; can && i < j.nin; i++)
        can = fits(comm, c->in[i], c->into[i], (int64_t)g.n);
    tsr_join_parts parts = {c->in, c->into, j.nin, j.nin, fill_all, &j};
    tsr_joined how = !found                     ? TSR_JOIN_FAILED
                     : can && is_little(c, g.n) ? tsr_mesh_join(c, &g, comm->channel, &parts)
                                                : TSR_JOIN_NOT;
    tsr_group_free(&g);
    return how;
}
