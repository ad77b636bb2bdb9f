/* SPDX-License-Identifier: Apache-2.0 */
/* collective.c - collective ops.
 *
 * Each kernel finds the group of its process (eval/groups.h), meets it (eval/mesh.h) and computes its own result from
 * the values of all members; reductions combine in the order of eval/math/members.h, so that every member gets the same bits. */
#include <stdlib.h>

#include "base/scope.h"
#include "dialect/builtin/quant.h"
#include "dialect/params.h"
#include "eval/body.h"
#include "eval/math/members.h"
#include "eval/kernel/collective.h"
#include "eval/kernel/kernels.h"

/* ---- Groups ---- */

void tsr_gather_end(tsr_gathering *g)
{
    for (size_t i = 0; g->values && i < g->group.n * g->nin; i++)
        tsr_tensor_unref(g->values[i]);
    tsr_free(g->values);
    tsr_tensor_unref(g->made);
    tsr_group_free(&g->group);
    *g = (tsr_gathering){.values = NULL};
}

bool tsr_same_type(const tsr_tensor *a, const tsr_tensor *b)
{
    return a->kind == b->kind && a->dtype == b->dtype && a->rank == b->rank &&
           !memcmp(a->dims, b->dims, a->rank * sizeof *a->dims);
}

/* Meets g->group with operands 0 .. n-1. */
bool tsr_gather_parts(tsr_call *c, tsr_gathering *g, size_t n)
{
    g->nin = n;
    g->me = tsr_group_place(c, &g->group);
    g->values = tsr_xmalloc((g->group.n * n + 1) * sizeof *g->values);
    TSR_TRY(tsr_mesh_meet_for(c, &g->group, g->channel, 0, g->need, c->in, n, g->values, &g->made));
    for (size_t k = 0; k < g->group.n; k++)
        for (size_t i = 0; i < n; i++)
            if (tsr_brought(g, k, i) && !tsr_same_type(tsr_brought(g, k, i), c->in[i]))
                return tsr_fail(c, "meets a process that brings a value of another type");
    return true;
}

/* The op's parameters, which an engine has decoded already. */
static const tsr_comm *parameters(tsr_call *c, tsr_comm *room)
{
    if (!c->comm) {
        tsr_comm_of(c->op, room);
        c->comm = room;
    }
    return c->comm;
}

/* The process's group; a missing one is an error unless the op defines a result for processes outside. */
static bool join(tsr_call *c, bool may_miss, tsr_gathering *g)
{
    const tsr_comm *with = c->comm;
    *g = (tsr_gathering){.channel = with->channel};
    TSR_TRY(tsr_group_find(c, with->groups, with->how, &g->group));
    if (g->group.n || may_miss)
        return true;
    uint32_t id = tsr_process_id(c->e), partitions = tsr_mesh_partitions(c->e);
    return tsr_fail(c, "is run by process (%u, %u), which is in none of its groups",
                    id / partitions, id % partitions);
}

/* ---- Results ---- */

bool tsr_result_fits(tsr_call *c, size_t i, const int64_t *dims, size_t rank)
{
    const tsr_type *type = c->op->out[i].type;
    bool fits = type->kind == TSR_TYPE_TENSOR && type->n == rank;
    for (size_t d = 0; fits && d < rank; d++)
        fits = type->dims[d] == TSR_DYNAMIC || type->dims[d] == dims[d];
    return fits || tsr_fail(c, "gives a shape that the type of result %zu does not allow", i);
}

tsr_tensor *tsr_result_new(tsr_call *c, size_t i, const int64_t *dims, size_t rank)
{
    return tsr_result_fits(c, i, dims, rank) ? tsr_call_new(c, i, dims, rank) : NULL;
}

/* A result of zeros with the shape of operand i, for processes that do not take part. */
bool tsr_zero_result(tsr_call *c, size_t i)
{
    tsr_tensor *t = tsr_result_new(c, i, c->in[i]->dims, c->in[i]->rank);
    if (!t)
        return false;
    memset(t->data, 0, tsr_tensor_bytes(t));
    if (t->elem->kind != TSR_TYPE_DIALECT || t->elem->def != &tsr_def_QUANT_UNIFORM)
        return true;
    const tsr_attr *zeros = t->elem->params[QUANT_zero_points];
    if (tsr_attr_count(zeros) != 1)
        return tsr_fail(c, "cannot give zeros of a type that is quantized along an axis");
    for (int64_t k = 0; k < t->n; k++)
        tsr_set_int(t, k, tsr_attr_int_at(zeros, 0));
    return true;
}

/* ---- Pieces of tensors ---- */

/* Copies a box of size dims, at element offsets, between two tensors of the same element type. */
void tsr_copy_box(tsr_tensor *to, const int64_t *to_at, const tsr_tensor *from,
                  const int64_t *from_at, const int64_t *dims)
{
    int64_t ts[TSR_MAX_RANK], fs[TSR_MAX_RANK];
    size_t rank = from->rank, size = tsr_elem_size(from);
    tsr_byte_strides(to->dims, rank, size, ts);
    tsr_byte_strides(from->dims, rank, size, fs);
    char *t = to->data;
    const char *f = from->data;
    for (size_t d = 0; d < rank; d++) {
        t += to_at[d] * ts[d];
        f += from_at[d] * fs[d];
    }
    tsr_move_once(t, ts, f, fs, dims, rank, size);
}

/* Part number i of n along a dimension, as a new tensor. */
tsr_tensor *tsr_part_cut(tsr_call *c, const tsr_tensor *t, int64_t axis, size_t i, size_t n)
{
    static const int64_t origin[TSR_MAX_RANK];
    int64_t dims[TSR_MAX_RANK], at[TSR_MAX_RANK] = {0};
    memcpy(dims, t->dims, t->rank * sizeof *dims);
    dims[axis] /= (int64_t)n;
    at[axis] = dims[axis] * (int64_t)i;
    tsr_tensor *part = tsr_tensor_new(t->elem, dims, t->rank);
    if (part)
        tsr_copy_box(part, origin, t, at, dims);
    else
        tsr_fail_memory(c, "a part");
    return part;
}

static bool check_axis(tsr_call *c, int64_t axis, const tsr_tensor *t)
{
    return (axis >= 0 && axis < t->rank) ||
           tsr_fail(c, "works along a dimension that its operand does not have");
}

/* Uses the result that was combined on arrival. */
static bool take_made(tsr_call *c, tsr_gathering *g)
{
    TSR_TRY(tsr_result_fits(c, 0, g->made->dims, g->made->rank));
    c->out[0] = g->made;
    g->made = NULL;
    return true;
}

/* ---- all_gather, all_to_all ---- */

void tsr_gather_into(tsr_tensor *t, tsr_tensor *const *in, size_t n, size_t step, int64_t axis)
{
    static const int64_t origin[TSR_MAX_RANK];
    int64_t at[TSR_MAX_RANK] = {0};
    for (size_t k = 0; k < n; k++) {
        at[axis] = (int64_t)k * in[0]->dims[axis];
        tsr_copy_box(t, at, in[k * step], origin, in[0]->dims);
    }
}

bool tsr_gathered_result(tsr_call *c, const tsr_gathering *g, size_t i, int64_t axis)
{
    const tsr_tensor *x = c->in[i];
    int64_t dims[TSR_MAX_RANK];
    TSR_TRY(check_axis(c, axis, x));
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    dims[axis] *= (int64_t)g->group.n;
    tsr_tensor *t = tsr_result_new(c, i, dims, x->rank);
    if (t)
        tsr_gather_into(t, g->values + i, g->group.n, g->nin, axis);
    return t != NULL;
}

bool eval_all_gather(tsr_call *c)
{
    tsr_comm room;
    const tsr_comm *with = parameters(c, &room);
    tsr_gathering g;
    bool ok = join(c, false, &g);
    g.need = (tsr_wants){.kind = TSR_WANTS_ALL, .axis = with->axis, .joins = TSR_JOIN_GATHER};
    ok = ok && tsr_gather_parts(c, &g, c->op->nin);
    bool made = g.made && ok;
    if (made)
        ok = take_made(c, &g);
    for (uint32_t i = 0; ok && !made && i < c->op->nout; i++)
        ok = tsr_gathered_result(c, &g, i, with->axis);
    tsr_gather_end(&g);
    return ok;
}

void tsr_exchange_into(tsr_tensor *t, tsr_tensor *const *in, size_t n, size_t step, size_t me,
                       int64_t split, int64_t concat)
{
    int64_t part[TSR_MAX_RANK], to[TSR_MAX_RANK] = {0}, from[TSR_MAX_RANK] = {0};
    memcpy(part, in[0]->dims, in[0]->rank * sizeof *part);
    part[split] /= (int64_t)n;
    from[split] = part[split] * (int64_t)me;
    for (size_t k = 0; k < n; k++) {
        to[concat] = part[concat] * (int64_t)k;
        tsr_copy_box(t, to, in[k * step], from, part);
    }
}

bool tsr_exchanged_result(tsr_call *c, const tsr_gathering *g, size_t i, int64_t split,
                          int64_t concat)
{
    const tsr_tensor *x = c->in[i];
    int64_t dims[TSR_MAX_RANK], n = (int64_t)g->group.n;
    TSR_TRY(check_axis(c, split, x) && check_axis(c, concat, x));
    if (x->dims[split] % n)
        return tsr_fail(c, "cannot split %lld elements into %lld parts", (long long)x->dims[split],
                        (long long)n);
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    dims[split] /= n;
    dims[concat] *= n;
    tsr_tensor *t = tsr_result_new(c, i, dims, x->rank);
    if (t)
        tsr_exchange_into(t, g->values + i, g->group.n, g->nin, g->me, split, concat);
    return t != NULL;
}

bool eval_all_to_all(tsr_call *c)
{
    tsr_comm room;
    const tsr_comm *with = parameters(c, &room);
    tsr_gathering g;
    bool ok = join(c, false, &g);
    if (ok && (int64_t)g.group.n != with->count)
        ok = tsr_fail(c, "splits into %lld parts in a group of %zu", (long long)with->count,
                      g.group.n);
    g.need = (tsr_wants){.kind = TSR_WANTS_PART,
                         .axis = with->split,
                         .joins = with->split == with->concat ? TSR_JOIN_EXCHANGE : TSR_JOIN_NONE};
    ok = ok && tsr_gather_parts(c, &g, c->op->nin);
    bool made = g.made && ok;
    if (made)
        ok = take_made(c, &g);
    for (uint32_t i = 0; ok && !made && i < c->op->nout; i++)
        ok = tsr_exchanged_result(c, &g, i, with->split, with->concat);
    tsr_gather_end(&g);
    return ok;
}

/* ---- Reductions ---- */

/* The selected elements of a tensor, in order: contiguous runs at a distance. */
typedef struct {
    int64_t first, run, apart;
} runs;

/* Elements from .. from+n of the selected ones, as a row of the type that the reduction computes in. */
static tsr_tensor *row_of(tsr_call *c, const tsr_tensor *t, const runs *which, int64_t from,
                          int64_t n, tsr_type *elem)
{
    int64_t size = (int64_t)tsr_elem_size(t), out = tsr_dtype_bytes(tsr_dtype_of(elem));
    tsr_tensor *row = tsr_tensor_new(elem, &n, 1);
    if (!row) {
        tsr_fail_memory(c, "a row");
        return NULL;
    }
    for (int64_t done = 0, k; done < n; done += k) {
        int64_t at = (from + done) / which->run, in = (from + done) % which->run;
        k = which->run - in < n - done ? which->run - in : n - done;
        const char *data = (const char *)t->data + (which->first + at * which->apart + in) * size;
        if (row->dtype == t->dtype)
            memcpy((char *)row->data + done * size, data, (size_t)(k * size));
        else
            tsr_convert((tsr_dtype)row->dtype, (char *)row->data + done * out, (tsr_dtype)t->dtype,
                        data, k);
    }
    return row;
}

/* Elements from .. from+n of every step-th of the tensors, as rows that the op's body combines. */
typedef struct {
    tsr_body *body;
    tsr_tensor *const *all;
    size_t step;
    const runs *which;
    int64_t from, n;
} row_members;

static bool first_row(void *user, void *to, size_t member)
{
    const row_members *m = user;
    tsr_type *elem = m->body->region->first->args[0]->type->elem;
    tsr_tensor **row = to;
    *row = row_of(m->body->c, m->all[member * m->step], m->which, m->from, m->n, elem);
    return *row != NULL;
}

static bool join_rows(void *user, void *to, void *from)
{
    const row_members *m = user;
    tsr_tensor **sum = to, **row = from, *args[2] = {*sum, *row}, *out = NULL;
    bool ok = tsr_body_run(m->body, args, 2, m->n, &out, 1);
    if (ok && (out->dtype != args[0]->dtype || out->n != m->n))
        ok = tsr_fail(m->body->c, "has a body that gives another type than it takes");
    if (!ok)
        tsr_tensor_unref(out);
    tsr_tensor_unref(args[0]);
    tsr_tensor_unref(args[1]);
    *row = NULL;
    *sum = ok ? out : NULL;
    return ok;
}

static bool next_row(void *user, void *to, size_t member)
{
    tsr_tensor *row = NULL;
    return first_row(user, &row, member) && join_rows(user, to, &row);
}

/* Combines the rows of n members: a row, or NULL after a failure. */
static tsr_tensor *combine(row_members *rows, size_t n)
{
    size_t room = tsr_members_room(n) * sizeof(tsr_tensor *);
    tsr_tensor *sum = NULL, **blocks = room ? memset(tsr_xmalloc(room), 0, room) : NULL;
    tsr_members m = {rows, first_row, next_row, join_rows, sizeof sum, (char *)blocks};
    bool ok = tsr_members_reduce(&m, &sum, n);
    for (size_t i = 0; i < room / sizeof sum; i++)
        tsr_tensor_unref(blocks[i]);
    tsr_free(blocks);
    if (!ok)
        tsr_tensor_unref(sum);
    return ok ? sum : NULL;
}

static bool set_row(tsr_call *c, tsr_tensor *t, int64_t at, const tsr_tensor *row)
{
    if (row->dtype != t->dtype)
        return tsr_fail(c, "has a body that gives another element type than its result has");
    memcpy((char *)t->data + (size_t)at * tsr_elem_size(t), row->data, tsr_tensor_bytes(row));
    return true;
}

/* Selected elements of every step-th of the tensors. */
typedef struct {
    tsr_tensor *const *all;
    size_t step, offset;
} run_members;

static const void *run_at(const void *user, size_t member)
{
    const run_members *m = user;
    return (const char *)m->all[member * m->step]->data + m->offset;
}

/* The same without running the body, if it is a reduction with a loop of its own (eval/math/fold.h) on the stored
 * elements: the result has the same bits. */
static bool fold_into(const tsr_call *c, tsr_tensor *const *all, size_t nall, size_t step,
                      const runs *which, int64_t from, int64_t n, tsr_tensor *t)
{
    tsr_fold fold;
    const tsr_block *b = c->op->regions[0].first;
    const tsr_type *elem = all[0]->elem;
    if (b->nargs != 2 || !tsr_type_is_shaped(b->args[0]->type) || b->args[0]->type->elem != elem ||
        t->elem != elem || !tsr_fold_find(&fold, c->comm->reducer, elem))
        return false;
    int64_t size = (int64_t)tsr_elem_size(t);
    for (int64_t done = 0, k; done < n; done += k) {
        int64_t at = (from + done) / which->run, in = (from + done) % which->run;
        run_members m = {all, step, (size_t)((which->first + at * which->apart + in) * size)};
        k = which->run - in < n - done ? which->run - in : n - done;
        tsr_fold_members(&fold, (char *)t->data + done * size, k, nall, run_at, &m);
        tsr_work(k * (int64_t)nall);
    }
    return true;
}

/* The same into t from its beginning, some at a time, since short rows take little memory. */
static bool combine_into(tsr_call *c, tsr_tensor *const *all, size_t nall, size_t step,
                         const runs *which, int64_t from, int64_t n, tsr_tensor *t)
{
    enum { ROW = 4096 };
    const tsr_block *b = c->op->regions[0].first;
    tsr_body body;
    if (fold_into(c, all, nall, step, which, from, n, t))
        return true;
    TSR_TRY(tsr_body_init(&body, c, &c->op->regions[0]));
    if (b->nargs != 2 || b->args[0]->type->kind != TSR_TYPE_TENSOR)
        return tsr_fail(c, "has a body that does not combine two values");
    bool ok = true;
    for (int64_t at = 0; ok && at < n; at += ROW) {
        row_members rows = {&body, all, step, which, from + at, n - at < ROW ? n - at : ROW};
        tsr_tensor *row = combine(&rows, nall);
        ok = row && set_row(c, t, at, row);
        tsr_tensor_unref(row);
    }
    return ok;
}

/* Result i, complete: each member combines its share, then all meet again to exchange the shares. */
static bool reduced_together(tsr_call *c, const tsr_gathering *g, size_t i, tsr_tensor *t)
{
    size_t n = g->group.n;
    int64_t from = tsr_share_begin(t->n, g->me, n), to = tsr_share_begin(t->n, g->me + 1, n);
    int64_t len = to - from;
    tsr_tensor **rows = tsr_xmalloc(n * sizeof *rows);
    tsr_tensor *row = tsr_tensor_new(t->elem, &len, 1);
    memset(rows, 0, n * sizeof *rows);
    bool ok = row || tsr_fail_memory(c, "a row");
    ok = ok && combine_into(c, &g->values[i], n, g->nin, &(runs){0, t->n, 0}, from, len, row) &&
         tsr_mesh_meet(c, &g->group, g->channel, (uint32_t)i + 1, &row, 1, rows);
    for (size_t k = 0; ok && k < n; k++) {
        int64_t at = tsr_share_begin(t->n, k, n);
        ok = rows[k]->n == tsr_share_begin(t->n, k + 1, n) - at
                 ? set_row(c, t, at, rows[k])
                 : tsr_fail(c, "meets a process that brings a value of another type");
    }
    for (size_t k = 0; k < n; k++)
        tsr_tensor_unref(rows[k]);
    tsr_tensor_unref(row);
    tsr_free(rows);
    return ok;
}

/* Reduces what n processes brought, every nin-th tensor of all, into t. */
static bool reduce_all(tsr_call *c, tsr_tensor *const *all, size_t n, size_t nin, tsr_tensor *t)
{
    return combine_into(c, all, n, nin, &(runs){0, t->n, 0}, 0, t->n, t);
}

static bool reduced_alone(tsr_call *c, const tsr_gathering *g, size_t i, tsr_tensor *t)
{
    return reduce_all(c, &g->values[i], g->group.n, g->nin, t);
}

/* All results of an all_reduce, from what n processes brought. */
static bool reduce_for_all(tsr_call *c, tsr_tensor *const *all, size_t n, tsr_tensor **out)
{
    size_t nin = c->op->nin, made = 0;
    bool ok = true;
    for (size_t k = 0; ok && k < n * nin; k++)
        ok = tsr_same_type(all[k], c->in[k % nin]) ||
             tsr_fail(c, "meets a process that brings a value of another type");
    for (; ok && made < nin; made += ok) {
        tsr_tensor *t = tsr_result_new(c, made, c->in[made]->dims, c->in[made]->rank);
        ok = t && reduce_all(c, all + made, n, nin, t);
        if (ok)
            out[made] = tsr_tensor_ref(t);
    }
    while (!ok && made > 0)
        tsr_tensor_unref(out[--made]);
    return ok;
}

static bool is_small(const tsr_call *c)
{
    enum { SMALL = 4096 }; /* so few are not worth a second meeting */
    for (uint32_t i = 0; i < c->op->nin; i++)
        if (c->in[i]->n > SMALL)
            return false;
    return true;
}

/* The request for a reduction on arrival: possible if it is a known one on operands of its own type. */
static tsr_wants reduction(const tsr_call *c, tsr_wants_kind kind, int64_t axis,
                           tsr_join_kind joins)
{
    const tsr_block *b = c->op->regions[0].first;
    tsr_wants need = {.kind = kind, .axis = axis};
    bool own = b->nargs == 2 && tsr_type_is_shaped(b->args[0]->type);
    for (uint32_t i = 0; own && i < c->op->nin; i++)
        own =
            b->args[0]->type->elem == c->in[i]->elem && c->op->out[i].type->elem == c->in[i]->elem;
    need.reduces = own ? (int)c->comm->reducer : TSR_REDUCE_OTHER;
    need.joins = need.reduces == TSR_REDUCE_OTHER ? TSR_JOIN_NONE : joins;
    return need;
}

static bool all_reduce_small(tsr_call *c, const tsr_gathering *g)
{
    tsr_tensor **made = tsr_xmalloc((c->op->nin + 1) * sizeof *made);
    tsr_wants need = reduction(c, TSR_WANTS_ALL, 0, TSR_JOIN_REDUCE);
    bool ok =
        tsr_mesh_together(c, &g->group, g->channel, need, c->in, c->op->nin, reduce_for_all, made);
    for (uint32_t i = 0; ok && i < c->op->nin; i++) {
        tsr_tensor_unref(c->out[i]); /* this process may have made it */
        c->out[i] = made[i];
    }
    tsr_free(made);
    return ok;
}

bool eval_all_reduce(tsr_call *c)
{
    bool small = tsr_mesh_in_lockstep(c->e) || is_small(c);
    tsr_comm room;
    tsr_gathering g;
    parameters(c, &room);
    bool ok = join(c, false, &g);
    if (ok && small)
        ok = all_reduce_small(c, &g);
    else if (ok)
        ok = tsr_gather_parts(c, &g, c->op->nin);
    for (uint32_t i = 0; ok && !small && i < c->op->nout; i++) {
        tsr_tensor *t = tsr_result_new(c, i, c->in[i]->dims, c->in[i]->rank);
        ok = t && (g.group.n == 1 ? reduced_alone(c, &g, i, t) : reduced_together(c, &g, i, t));
    }
    tsr_gather_end(&g);
    return ok;
}

/* The place in the group of the root for operand i; -1 after a failure. */
static int64_t root_of(tsr_call *c, const tsr_gathering *g, bool dynamic, size_t i)
{
    if (!dynamic)
        return 0;
    const tsr_tensor *roots = c->in[c->op->nin - 1];
    int64_t root = (int64_t)i < roots->n ? tsr_get_int(roots, (int64_t)i) : -1;
    if (root >= 0 && root < (int64_t)g->group.n)
        return root;
    tsr_fail(c, "has root %lld for operand %zu in a group of %zu", (long long)root, i, g->group.n);
    return -1;
}

bool eval_collective_reduce(tsr_call *c)
{
    tsr_comm room;
    const tsr_comm *with = parameters(c, &room);
    tsr_gathering g;
    bool ok = join(c, true, &g);
    ok = ok && (!g.group.n || tsr_gather_parts(c, &g, c->op->nin - with->dynamic_root));
    for (uint32_t i = 0; ok && i < c->op->nout; i++) {
        int64_t root = g.group.n ? root_of(c, &g, with->dynamic_root, i) : 0;
        if (root < 0)
            ok = false;
        else if (!g.group.n || (size_t)root != g.me)
            ok = tsr_zero_result(c, i);
        else
            ok = tsr_result_new(c, i, c->in[i]->dims, c->in[i]->rank) &&
                 reduced_alone(c, &g, i, c->out[i]);
    }
    tsr_gather_end(&g);
    return ok;
}

/* The process's own part of the combined values. */
static bool scattered_result(tsr_call *c, const tsr_gathering *g, int64_t axis)
{
    const tsr_tensor *x = c->in[0];
    size_t n = g->group.n;
    int64_t dims[TSR_MAX_RANK];
    TSR_TRY(check_axis(c, axis, x));
    if (x->dims[axis] % (int64_t)n)
        return tsr_fail(c, "cannot scatter %lld elements over %zu processes",
                        (long long)x->dims[axis], n);
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    dims[axis] /= (int64_t)n;
    tsr_tensor *t = tsr_result_new(c, 0, dims, x->rank);
    runs part = {.run = 1};
    for (size_t d = (size_t)axis; d < x->rank; d++)
        part.run *= dims[d];
    part.apart = part.run * (int64_t)n;
    part.first = part.run * (int64_t)g->me;
    return t && combine_into(c, g->values, n, 1, &part, 0, t->n, t);
}

bool eval_reduce_scatter(tsr_call *c)
{
    tsr_comm room;
    const tsr_comm *with = parameters(c, &room);
    tsr_gathering g;
    bool ok = join(c, false, &g);
    g.need = reduction(c, TSR_WANTS_PART, with->axis, TSR_JOIN_SCATTER);
    ok = ok && tsr_gather_parts(c, &g, 1) &&
         (g.made ? take_made(c, &g) : scattered_result(c, &g, with->axis));
    tsr_gather_end(&g);
    return ok;
}

/* The older op: a sum over replicas, without a body. */
bool eval_cross_replica_sum(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    tsr_fold fold;
    tsr_comm room;
    tsr_gathering g;
    parameters(c, &room);
    if (!tsr_fold_find(&fold, TSR_REDUCE_SUM, x->elem))
        return tsr_fail(c, "cannot add elements of its type");
    bool ok = join(c, false, &g) && tsr_gather_parts(c, &g, 1);
    tsr_tensor *t = ok ? tsr_result_new(c, 0, x->dims, x->rank) : NULL;
    if (t)
        tsr_fold_members(&fold, t->data, t->n, g.group.n, run_at, &(run_members){g.values, 1, 0});
    tsr_gather_end(&g);
    return t != NULL;
}

/* ---- Broadcasts and permutations ---- */

bool eval_collective_broadcast(tsr_call *c)
{
    tsr_comm room;
    const tsr_comm *with = parameters(c, &room);
    tsr_gathering g;
    bool ok = join(c, true, &g);
    ok = ok && (!g.group.n || tsr_gather_parts(c, &g, c->op->nin - with->dynamic_root));
    for (uint32_t i = 0; ok && i < c->op->nout; i++) {
        int64_t root = g.group.n ? root_of(c, &g, with->dynamic_root, i) : 0;
        ok = root >= 0 && (g.group.n || tsr_zero_result(c, i));
        if (ok && g.group.n)
            c->out[i] = tsr_tensor_ref(tsr_brought(&g, (size_t)root, i));
    }
    tsr_gather_end(&g);
    return ok;
}

bool tsr_permuted_result(tsr_call *c, const tsr_attr *pairs, tsr_grouping by, int64_t channel)
{
    tsr_gathering g = {.channel = channel, .need = {.kind = TSR_WANTS_BEFORE}};
    bool ring, ok = tsr_chain_find(c, pairs, by, &g.group, &ring);
    ok = ok && (!g.group.n || tsr_gather_parts(c, &g, 1));
    if (ok && g.group.n && (g.me || ring))
        c->out[0] = tsr_tensor_ref(tsr_brought(&g, (g.me ? g.me : g.group.n) - 1, 0));
    else if (ok)
        ok = tsr_zero_result(c, 0);
    tsr_gather_end(&g);
    return ok;
}

bool eval_collective_permute(tsr_call *c)
{
    tsr_comm room;
    const tsr_comm *with = parameters(c, &room);
    return tsr_permuted_result(c, with->groups, with->how, with->channel);
}

/* ---- Ids ---- */

static bool id_result(tsr_call *c, uint32_t id)
{
    tsr_tensor *t = tsr_call_new(c, 0, NULL, 0);
    if (t)
        tsr_set_int(t, 0, id);
    return t != NULL;
}

bool eval_replica_id(tsr_call *c)
{
    return id_result(c, tsr_process_id(c->e) / tsr_mesh_partitions(c->e));
}

bool eval_partition_id(tsr_call *c)
{
    return id_result(c, tsr_process_id(c->e) % tsr_mesh_partitions(c->e));
}
