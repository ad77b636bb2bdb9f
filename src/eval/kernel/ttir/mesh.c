/* SPDX-License-Identifier: Apache-2.0 */
/* mesh.c - TTIR's ops between devices: shards over a mesh, and collectives along one of its axes.
 *
 * Each device is a process of the grid (eval/tt_mesh.h). Reductions are computed element by element in double
 * (integers: 64 wrapping bits) in the order of the group and rounded once, so that every member gets the same bits. */
#include <math.h>
#include <stdlib.h>

#include "dialect/ttcore/ttcore.h"
#include "eval/kernel/collective.h"
#include "eval/kernel/kernels.h"
#include "eval/kernel/ttir/parts.h"
#include "eval/math/members.h"
#include "eval/plan.h"

/* ---- Shards over a mesh ---- */

/* The shard of a value that a device has: per dimension its index and how many there are. */
typedef struct {
    int64_t index[TSR_MAX_RANK], n[TSR_MAX_RANK];
} parts;

/* shard_dims says for each axis of the mesh which dimension it divides, -1: none. */
static tsr_tt_division division_of(const tsr_tt_mesh *m, const tsr_attr *dims)
{
    tsr_tt_division d = {0};
    int64_t n = tsr_attr_count(dims);
    d.n = n < 0 ? 0 : n > TSR_TT_AXES ? TSR_TT_AXES : (uint32_t)n;
    for (uint32_t i = 0; i < d.n; i++) {
        d.dims[i] = tsr_attr_int_at(dims, i);
        d.sizes[i] = i < m->naxis ? m->sizes[i] : 1;
    }
    return d;
}

static bool locate(tsr_call *c, const tsr_tt_mesh *m, const tsr_tt_division *by, uint32_t device,
                   size_t rank, parts *p)
{
    for (size_t d = 0; d < rank; d++) {
        p->index[d] = 0;
        p->n[d] = 1;
    }
    for (uint32_t i = 0; i < by->n; i++) {
        int64_t d = by->dims[i];
        if (d == -1)
            continue;
        if (d < 0 || d >= (int64_t)rank || i >= m->naxis)
            return tsr_fail(
                c, "divides dimension %lld of a value of %zu along axis %u of a mesh of %u",
                (long long)d, rank, i, m->naxis);
        p->index[d] = p->index[d] * by->sizes[i] + tsr_tt_place(m, device, i);
        p->n[d] *= by->sizes[i];
    }
    return true;
}

/* Returns the operand unchanged, if the result's type allows that. */
static bool pass_on(tsr_call *c)
{
    const tsr_type *type = c->op->out[0].type;
    bool fits = type->kind == TSR_TYPE_TENSOR && type->n == c->in[0]->rank;
    for (size_t d = 0; fits && d < c->in[0]->rank; d++)
        fits = type->dims[d] == TSR_DYNAMIC || type->dims[d] == c->in[0]->dims[d];
    if (!fits)
        return tsr_fail(c, "gives its operand on as a result of another shape");
    c->out[0] = tsr_call_take(c, 0);
    return true;
}

bool tsr_tt_take_part(tsr_call *c, const tsr_tt_mesh *m, const tsr_tt_division *by)
{
    static const int64_t origin[TSR_MAX_RANK];
    const tsr_tensor *x = c->in[0];
    parts p;
    int64_t dims[TSR_MAX_RANK], at[TSR_MAX_RANK];
    bool all = true;
    TSR_TRY(locate(c, m, by, tsr_process_id(c->e), x->rank, &p));
    for (size_t d = 0; d < x->rank; d++) {
        if (x->dims[d] % p.n[d])
            return tsr_fail(c, "cannot divide %lld elements of dimension %zu among %lld devices",
                            (long long)x->dims[d], d, (long long)p.n[d]);
        dims[d] = x->dims[d] / p.n[d];
        at[d] = p.index[d] * dims[d];
        all &= p.n[d] == 1;
    }
    if (all)
        return pass_on(c);
    tsr_tensor *t = tsr_result_new(c, 0, dims, x->rank);
    if (t)
        tsr_copy_box(t, origin, x, at, dims);
    return t != NULL;
}

/* All devices of the run. */
static tsr_group everybody(uint32_t n)
{
    tsr_group g = {.ids = tsr_xmalloc(n * sizeof *g.ids), .n = n};
    for (uint32_t i = 0; i < n; i++)
        g.ids[i] = i;
    return g;
}

/* Whether the shard of a device is one of those that are joined. */
static bool is_asked(const tsr_tt_mesh *m, const tsr_tt_division *by, uint32_t device)
{
    for (uint32_t i = 0; i < by->n; i++)
        if (tsr_tt_place(m, device, i) >= by->sizes[i])
            return false;
    return true;
}

/* The first device assembles shards; if several devices have the same shard, the first one counts. */
static tsr_tensor *join_parts(tsr_call *c, const tsr_tt_mesh *m, const tsr_tt_division *by,
                              const tsr_gathering *g)
{
    static const int64_t origin[TSR_MAX_RANK];
    const tsr_tensor *x = tsr_brought(g, 0, 0);
    int64_t dims[TSR_MAX_RANK], at[TSR_MAX_RANK];
    parts p;
    if (!locate(c, m, by, 0, x->rank, &p))
        return NULL;
    for (size_t d = 0; d < x->rank; d++)
        if (__builtin_mul_overflow(x->dims[d], p.n[d], &dims[d])) {
            tsr_fail(c, "has a result that is too large");
            return NULL;
        }
    /* Not in the memory for this process's result: others read it, maybe while the op runs again. */
    tsr_tensor *t = tsr_result_fits(c, 0, dims, x->rank)
                        ? tsr_call_tensor(c, c->op->out[0].type->elem, dims, x->rank)
                        : NULL;
    for (uint32_t k = m->devices; t && k-- > 0;) {
        if (!is_asked(m, by, k))
            continue;
        locate(c, m, by, k, x->rank, &p);
        for (size_t d = 0; d < x->rank; d++)
            at[d] = p.index[d] * x->dims[d];
        tsr_copy_box(t, at, tsr_brought(g, k, 0), origin, x->dims);
    }
    return t;
}

/* One device assembles the global value and all get it: none of them may change what others see. */
bool tsr_tt_join_parts(tsr_call *c, const tsr_tt_mesh *m, const tsr_tt_division *by)
{
    tsr_gathering g = {.group = everybody(m->devices)};
    tsr_tensor **all = tsr_xmalloc(m->devices * sizeof *all);
    memset(all, 0, m->devices * sizeof *all);
    bool ok = tsr_gather_parts(c, &g, 1);
    tsr_tensor *mine = NULL;
    if (ok && !g.me)
        mine = by->n ? join_parts(c, m, by, &g) : tsr_tensor_ref(tsr_brought(&g, 0, 0));
    else if (ok)
        mine = tsr_token_new();
    c->out[0] = NULL;
    ok = ok && mine && tsr_mesh_meet(c, &g.group, 0, 1, &mine, 1, all);
    if (ok)
        c->out[0] = tsr_tensor_ref(all[0]);
    for (uint32_t i = 0; i < m->devices; i++)
        tsr_tensor_unref(all[i]);
    tsr_tensor_unref(mine);
    tsr_free(all);
    tsr_gather_end(&g);
    return ok;
}

bool eval_ttir_mesh_shard(tsr_call *c)
{
    const tsr_attr *by = tsr_call_attr(c, TTIR_MESH_SHARD_shard_dims);
    int64_t type = tsr_call_attr(c, TTIR_MESH_SHARD_shard_type)->i;
    bool whole = tsr_call_attr(c, TTIR_MESH_SHARD_shard_direction)->i == TSR_TT_SHARD_TO_FULL;
    const tsr_tt_mesh *m = tsr_tt_mesh_of(c);
    if (!m || (c->in[0]->kind != TSR_TENSOR))
        return m && tsr_fail(c, "takes a value that is no tensor");
    if (type == TSR_TT_IDENTITY || (!whole && type == TSR_TT_REPLICATE))
        return pass_on(c);
    if (type == TSR_TT_MAXIMAL)
        return tsr_fail(c, "has its value on one device only, which has no meaning here");
    tsr_tt_division d = type == TSR_TT_REPLICATE ? (tsr_tt_division){0} : division_of(m, by);
    return whole ? tsr_tt_join_parts(c, m, &d) : tsr_tt_take_part(c, m, &d);
}

/* A dimension of x, counted from the end if it is negative; -1 after a failure. */
static int64_t dim_of(tsr_call *c, int64_t d, const tsr_tensor *x)
{
    d += d < 0 ? x->rank : 0;
    if (d >= 0 && d < x->rank)
        return d;
    tsr_fail(c, "works along a dimension that its operand does not have");
    return -1;
}

bool eval_ttir_mesh_partition(tsr_call *c)
{
    const tsr_attr *axis = tsr_call_attr(c, TTIR_MESH_PARTITION_cluster_axis);
    int64_t d = dim_of(c, tsr_call_attr(c, TTIR_MESH_PARTITION_dim)->i, c->in[0]);
    tsr_group g = {0};
    if (d < 0)
        return false;
    bool ok = true;
    if (axis)
        ok = tsr_tt_group(c, axis->i, &g);
    else
        g = everybody(tsr_mesh_partitions(c->e));
    int64_t n = c->in[0]->dims[d];
    if (ok && n % (int64_t)g.n)
        ok = tsr_fail(c, "cannot divide %lld elements among %zu devices", (long long)n, g.n);
    if (ok)
        c->out[0] = tsr_part_cut(c, c->in[0], d, tsr_group_place(c, &g), g.n);
    tsr_group_free(&g);
    return ok && c->out[0];
}

/* ---- Reductions ---- */

enum { CHUNK = 2048 };

/* Elements of float tensors, as numbers; with a mean: the squares of their distances from it. */
typedef struct {
    tsr_tt_reduce_type how;
    tsr_tensor *const *all;
    int64_t from, n;
    const double *mean;
    double *x;
} float_members;

static bool first_floats(void *user, void *to, size_t member)
{
    const float_members *m = user;
    const tsr_tensor *t = m->all[member];
    double *a = to;
    tsr_to_doubles((tsr_dtype)t->dtype, (char *)t->data + (size_t)m->from * tsr_elem_size(t), a,
                   m->n);
    for (int64_t j = 0; m->mean && j < m->n; j++)
        a[j] = (a[j] - m->mean[j]) * (a[j] - m->mean[j]);
    return true;
}

static bool join_floats(void *user, void *to, void *from)
{
    const float_members *m = user;
    double *a = to, *x = from;
    for (int64_t j = 0; j < m->n; j++) {
        if (m->how == TSR_TT_PROD)
            a[j] *= x[j];
        else if (m->how == TSR_TT_MAX || m->how == TSR_TT_MIN)
            a[j] = isnan(a[j]) || isnan(x[j])                           ? NAN
                   : (m->how == TSR_TT_MAX ? x[j] > a[j] : x[j] < a[j]) ? x[j]
                                                                        : a[j];
        else
            a[j] += x[j];
    }
    return true;
}

static bool next_floats(void *user, void *to, size_t member)
{
    const float_members *m = user;
    return first_floats(user, m->x, member) && join_floats(user, to, m->x);
}

/* Reduces elements from .. from+n of k float tensors into out. */
static void reduce_floats(tsr_tt_reduce_type how, tsr_tensor *const *all, size_t k, int64_t from,
                          int64_t n, tsr_tensor *out, int64_t at)
{
    double x[CHUNK], a[CHUNK], mean[CHUNK];
    size_t room = tsr_members_room(k) * sizeof a;
    bool spread = how == TSR_TT_STD || how == TSR_TT_VAR;
    float_members floats = {how, all, from, n, NULL, x};
    tsr_members m = {&floats,     first_floats, next_floats,
                     join_floats, sizeof a,     room ? tsr_xmalloc(room) : NULL};
    tsr_members_reduce(&m, a, k);
    for (int64_t j = 0; (spread || how == TSR_TT_MEAN) && j < n; j++)
        mean[j] = a[j] / (double)k;
    if (how == TSR_TT_MEAN)
        memcpy(a, mean, (size_t)n * sizeof *a);
    floats.mean = mean;
    if (spread)
        tsr_members_reduce(&m, a, k);
    /* Sample variance: undefined with one device. */
    for (int64_t j = 0; spread && j < n; j++) {
        a[j] = a[j] / (double)(k - 1);
        a[j] = how == TSR_TT_STD ? sqrt(a[j]) : a[j];
    }
    tsr_free(m.room);
    tsr_from_doubles((tsr_dtype)out->dtype, a, (char *)out->data + (size_t)at * tsr_elem_size(out),
                     n);
}

static int64_t reduce_ints(tsr_tt_reduce_type how, tsr_tensor *const *all, size_t k, int64_t at)
{
    bool is_unsigned = tsr_dtype_kind((tsr_dtype)all[0]->dtype) != TSR_K_SINT;
    int64_t a = tsr_get_int(all[0], at);
    for (size_t i = 1; i < k; i++) {
        int64_t x = tsr_get_int(all[i], at);
        bool less = is_unsigned ? (uint64_t)x < (uint64_t)a : x < a;
        if (how == TSR_TT_MAX || how == TSR_TT_MIN)
            a = (how == TSR_TT_MIN) == less ? x : a;
        else
            a = (int64_t)(how == TSR_TT_PROD ? (uint64_t)a * (uint64_t)x
                                             : (uint64_t)a + (uint64_t)x);
    }
    if (how != TSR_TT_MEAN)
        return a;
    return is_unsigned ? (int64_t)((uint64_t)a / k) : a / (int64_t)k;
}

/* Reduces elements from .. to of the group's tensors into out, whose element 0 is "from". */
static bool reduce_range(tsr_call *c, tsr_tt_reduce_type how, tsr_tensor *const *all, size_t k,
                         int64_t from, int64_t to, tsr_tensor *out)
{
    tsr_dtype d = (tsr_dtype)all[0]->dtype;
    if (tsr_dtype_is_float(d)) {
        for (int64_t at = from; at < to; at += CHUNK)
            reduce_floats(how, all, k, at, to - at < CHUNK ? to - at : CHUNK, out, at - from);
        return true;
    }
    if (!tsr_dtype_is_int(d) || how == TSR_TT_STD || how == TSR_TT_VAR)
        return tsr_fail(c, "cannot reduce elements of its type this way");
    for (int64_t at = from; at < to; at++)
        tsr_set_sum(out, at - from, reduce_ints(how, all, k, at));
    return true;
}

/* Each member reduces its share, then all meet again to exchange the shares. */
static bool reduce_together(tsr_call *c, tsr_tt_reduce_type how, const tsr_gathering *g,
                            tsr_tensor *t)
{
    size_t n = g->group.n;
    int64_t from = tsr_share_begin(t->n, g->me, n), to = tsr_share_begin(t->n, g->me + 1, n),
            len = to - from;
    tsr_tensor **rows = tsr_xmalloc(n * sizeof *rows), *row = tsr_tensor_new(t->elem, &len, 1);
    memset(rows, 0, n * sizeof *rows);
    bool ok =
        row ? reduce_range(c, how, g->values, n, from, to, row) : tsr_fail_memory(c, "a share");
    ok = ok && tsr_mesh_meet(c, &g->group, g->channel, 1, &row, 1, rows);
    for (size_t k = 0; ok && k < n; k++)
        memcpy((char *)t->data + (size_t)tsr_share_begin(t->n, k, n) * tsr_elem_size(t),
               rows[k]->data, tsr_tensor_bytes(rows[k]));
    for (size_t k = 0; k < n; k++)
        tsr_tensor_unref(rows[k]);
    tsr_tensor_unref(row);
    tsr_free(rows);
    return ok;
}

static bool begin(tsr_call *c, int64_t axis, tsr_gathering *g)
{
    *g = (tsr_gathering){.values = NULL};
    return tsr_tt_group(c, axis, &g->group) && tsr_gather_parts(c, g, 1);
}

bool eval_ttir_all_reduce(tsr_call *c)
{
    enum { SMALL = 4096 };
    tsr_tt_reduce_type how = (tsr_tt_reduce_type)tsr_call_attr(c, TTIR_ALL_REDUCE_reduce_type)->i;
    tsr_gathering g;
    bool ok = begin(c, tsr_call_attr(c, TTIR_ALL_REDUCE_cluster_axis)->i, &g);
    tsr_tensor *t = ok ? tsr_result_new(c, 0, c->in[0]->dims, c->in[0]->rank) : NULL;
    if (t && (t->n <= SMALL || g.group.n == 1))
        ok = reduce_range(c, how, g.values, g.group.n, 0, t->n, t);
    else if (t)
        ok = reduce_together(c, how, &g, t);
    tsr_gather_end(&g);
    return ok && t;
}

bool eval_ttir_reduce_scatter(tsr_call *c)
{
    tsr_tt_reduce_type how =
        (tsr_tt_reduce_type)tsr_call_attr(c, TTIR_REDUCE_SCATTER_reduce_type)->i;
    const tsr_tensor *x = c->in[0];
    tsr_gathering g;
    int64_t d = dim_of(c, tsr_call_attr(c, TTIR_REDUCE_SCATTER_scatter_dim)->i, x),
            dims[TSR_MAX_RANK];
    if (d < 0)
        return false;
    bool ok = begin(c, tsr_call_attr(c, TTIR_REDUCE_SCATTER_cluster_axis)->i, &g);
    size_t n = g.group.n;
    if (ok && x->dims[d] % (int64_t)n)
        ok = tsr_fail(c, "cannot scatter %lld elements over %zu devices", (long long)x->dims[d], n);
    for (size_t k = 0; ok && k < n; k++) {
        tsr_tensor *part = tsr_part_cut(c, g.values[k], d, g.me, n);
        ok = part != NULL;
        if (ok)
            tsr_tensor_unref(g.values[k]), g.values[k] = part;
    }
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    dims[d] /= ok ? (int64_t)n : 1;
    tsr_tensor *t = ok ? tsr_result_new(c, 0, dims, x->rank) : NULL;
    ok = t && reduce_range(c, how, g.values, n, 0, t->n, t);
    tsr_gather_end(&g);
    return ok;
}

/* ---- Gathering and exchanging ---- */

bool eval_ttir_all_gather(tsr_call *c)
{
    tsr_gathering g;
    int64_t d = dim_of(c, tsr_call_attr(c, TTIR_ALL_GATHER_all_gather_dim)->i, c->in[0]);
    if (d < 0)
        return false;
    bool ok = begin(c, tsr_call_attr(c, TTIR_ALL_GATHER_cluster_axis)->i, &g) &&
              tsr_gathered_result(c, &g, 0, d);
    tsr_gather_end(&g);
    return ok;
}

/* Groups of these ops contain devices: positions of the mesh in row-major order. */
static bool join_group(tsr_call *c, const tsr_attr *groups, tsr_gathering *g)
{
    *g = (tsr_gathering){.values = NULL};
    return tsr_tt_mesh_of(c) && tsr_group_find(c, groups, TSR_BY_PROCESS, &g->group);
}

bool eval_ttir_all_to_all(tsr_call *c)
{
    int64_t split = dim_of(c, tsr_call_attr(c, TTIR_ALL_TO_ALL_split_dim)->i, c->in[0]);
    int64_t concat = dim_of(c, tsr_call_attr(c, TTIR_ALL_TO_ALL_concat_dim)->i, c->in[0]);
    int64_t count = tsr_call_attr(c, TTIR_ALL_TO_ALL_split_count)->i;
    tsr_gathering g = {.values = NULL};
    bool ok = split >= 0 && concat >= 0 &&
              join_group(c, tsr_call_attr(c, TTIR_ALL_TO_ALL_replica_groups), &g);
    if (ok && !g.group.n)
        ok = tsr_fail(c, "is run by device %u, which is in none of its groups",
                      tsr_process_id(c->e));
    if (ok && (int64_t)g.group.n != count)
        ok = tsr_fail(c, "splits into %lld parts in a group of %zu", (long long)count, g.group.n);
    ok = ok && tsr_gather_parts(c, &g, 1) && tsr_exchanged_result(c, &g, 0, split, concat);
    tsr_gather_end(&g);
    return ok;
}

/* The first member of a group sends its value to all; a device in no group gets zeros. */
bool eval_ttir_collective_broadcast(tsr_call *c)
{
    tsr_gathering g;
    bool ok = join_group(c, tsr_call_attr(c, TTIR_COLLECTIVE_BROADCAST_replica_groups), &g);
    if (ok && !g.group.n)
        ok = tsr_zero_result(c, 0);
    else if (ok && (ok = tsr_gather_parts(c, &g, 1)))
        c->out[0] = tsr_tensor_ref(tsr_brought(&g, 0, 0));
    tsr_gather_end(&g);
    return ok;
}

bool eval_ttir_collective_permute(tsr_call *c)
{
    return tsr_tt_mesh_of(c) &&
           tsr_permuted_result(c, tsr_call_attr(c, TTIR_COLLECTIVE_PERMUTE_source_target_pairs),
                               TSR_BY_PROCESS, 0);
}
