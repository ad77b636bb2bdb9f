/* SPDX-License-Identifier: Apache-2.0 */
/* experts.c - mixtures of experts: routing, sending tokens to the devices of their experts and back, products with the
 * experts' matrices.
 *
 * Tokens of a group of devices are numbered device by device. Values that a device does not need are 0: rows of tokens
 * that are not routed to it, blocks that the sparsity leaves out. */
#include <math.h>
#include <stdlib.h>

#include "dialect/ttcore/ttcore.h"
#include "eval/math/gemm.h"
#include "eval/kernel/collective.h"
#include "eval/kernel/ttir/cache.h"
#include "eval/kernel/kernels.h"
#include "eval/tt_mesh.h"

/* ---- Groups ---- */

static bool meet(tsr_call *c, int64_t axis, tsr_gathering *g)
{
    *g = (tsr_gathering){.values = NULL};
    return tsr_tt_group(c, axis, &g->group) && tsr_gather_parts(c, g, c->op->nin);
}

static void *at(const tsr_tensor *t, int64_t i)
{
    return (char *)t->data + (size_t)i * tsr_elem_size(t);
}

/* The number of a group's member in a mapping of so many devices: its device of the mesh, or its place in the group. -1
 * after a failure. */
static int64_t mapped(tsr_call *c, const tsr_gathering *g, size_t member, int64_t columns)
{
    uint32_t all = tsr_mesh_replicas(c->e) * tsr_mesh_partitions(c->e);
    if (columns == all)
        return g->group.ids[member];
    if (columns == (int64_t)g->group.n)
        return (int64_t)member;
    tsr_fail(c, "maps experts to %lld devices; its group has %zu, the mesh %u", (long long)columns,
             g->group.n, all);
    return -1;
}

/* An expert's number, which must be below n; false after a failure. */
static bool expert_of(tsr_call *c, const tsr_tensor *t, int64_t i, int64_t n, int64_t *out)
{
    *out = tsr_get_index(t, i);
    return (*out >= 0 && *out < n) ||
           tsr_fail(c, "routes a token to expert %lld of %lld", (long long)*out, (long long)n);
}

/* Concatenates rows of n elements from all members into result i. */
static bool gather_rows(tsr_call *c, const tsr_gathering *g, size_t operand, size_t i, int64_t rows,
                        int64_t n)
{
    tsr_tensor *t = tsr_call_static(c, i);
    if (!t)
        return false;
    if (t->dtype != c->in[operand]->dtype || t->n != rows * n * (int64_t)g->group.n)
        return tsr_fail(c, "has a result that does not hold the tokens of its group");
    for (size_t k = 0; k < g->group.n; k++)
        memcpy(at(t, (int64_t)k * rows * n), tsr_brought(g, k, operand)->data,
               (size_t)(rows * n) * tsr_elem_size(t));
    return true;
}

/* ---- Dispatch ---- */

/* Result 0: tokens of all members that have an expert on this device; owner says whether an expert is on this
 * device. */
typedef bool here_fn(const tsr_tensor *mapping, int64_t expert, int64_t device);

static bool one_hot(const tsr_tensor *mapping, int64_t expert, int64_t device)
{
    return tsr_get_double(mapping, expert * mapping->dims[mapping->rank - 1] + device) != 0;
}

static bool by_number(const tsr_tensor *mapping, int64_t expert, int64_t device)
{
    return tsr_get_index(mapping, expert) == device;
}

static bool dispatch(tsr_call *c, const tsr_gathering *g, const tsr_tensor *mapping,
                     int64_t experts, int64_t device, here_fn *here)
{
    const tsr_tensor *x = c->in[0], *picks = c->in[1];
    int64_t n = x->dims[x->rank - 1], k = picks->dims[picks->rank - 1], rows = n ? x->n / n : 0;
    tsr_tensor *t = tsr_call_static(c, 0);
    if (!t)
        return false;
    if (k < 1 || picks->n != rows * k || t->dtype != x->dtype ||
        t->n != rows * n * (int64_t)g->group.n)
        return tsr_fail(c, "has tokens, experts and results that are not as many");
    memset(t->data, 0, tsr_tensor_bytes(t));
    for (size_t m = 0; m < g->group.n; m++)
        for (int64_t r = 0; r < rows; r++)
            for (int64_t j = 0; j < k; j++) {
                int64_t e;
                TSR_TRY(expert_of(c, tsr_brought(g, m, 1), r * k + j, experts, &e));
                if (here(mapping, e, device))
                    memcpy(at(t, ((int64_t)m * rows + r) * n), at(tsr_brought(g, m, 0), r * n),
                           (size_t)n * tsr_elem_size(t));
            }
    return gather_rows(c, g, 1, 1, rows, k);
}

bool eval_ttir_all_to_all_dispatch(tsr_call *c)
{
    const tsr_tensor *map = c->in[2];
    tsr_gathering g;
    bool ok = meet(c, tt_int(c->op, TTIR_ALL_TO_ALL_DISPATCH_cluster_axis, 0), &g);
    int64_t me = ok ? mapped(c, &g, g.me, map->dims[3]) : -1;
    ok = me >= 0 && dispatch(c, &g, map, map->dims[2], me, one_hot);
    tsr_gather_end(&g);
    return ok;
}

/* Experts are mapped by the number of their device. */
bool eval_ttir_all_to_all_dispatch_metadata(tsr_call *c)
{
    const tsr_tensor *scores = c->in[2], *map = c->in[3]; /* TTNN's map has two dimensions */
    for (uint32_t i = 0; i < 4; i++)
        if (!c->in[i]->rank)
            return tsr_fail(c, "has tokens, experts and results that are not as many");
    tsr_gathering g;
    bool ok = meet(c, tt_int(c->op, TTIR_ALL_TO_ALL_DISPATCH_METADATA_cluster_axis, 0), &g);
    int64_t k = scores->dims[scores->rank - 1], experts = map->dims[map->rank - 1];
    ok = ok && dispatch(c, &g, map, experts, tsr_process_id(c->e), by_number) &&
         gather_rows(c, &g, 2, 2, k ? scores->n / k : 0, k);
    tsr_gather_end(&g);
    return ok;
}

/* ---- Combination ---- */

/* The member that has expert e, and the expert's number there; false after a failure. */
static bool owner_of(tsr_call *c, const tsr_gathering *g, const tsr_tensor *map, int64_t e,
                     size_t *member, int64_t *local)
{
    for (size_t m = 0; m < g->group.n; m++) {
        int64_t device = mapped(c, g, m, map->dims[3]);
        if (device < 0)
            return false;
        if (!one_hot(map, e, device))
            continue;
        *member = m;
        *local = 0;
        for (int64_t i = 0; i < e; i++)
            *local += one_hot(map, i, device);
        return true;
    }
    *member = SIZE_MAX; /* in another group */
    return true;
}

/* Token t of this device among those of all: its own are a range of batches, or of positions in each batch. */
static int64_t own_token(const tsr_gathering *g, const tsr_tensor *meta, const tsr_tensor *t,
                         int64_t b, int64_t s)
{
    if (t->dims[1] * (int64_t)g->group.n == meta->dims[1] && t->dims[2] == meta->dims[2])
        return ((int64_t)g->me * t->dims[1] + b) * meta->dims[2] + s;
    if (t->dims[1] == meta->dims[1] && t->dims[2] * (int64_t)g->group.n == meta->dims[2])
        return b * meta->dims[2] + (int64_t)g->me * t->dims[2] + s;
    return -1;
}

static bool combine(tsr_call *c, const tsr_gathering *g, tsr_tensor *t)
{
    const tsr_tensor *x = c->in[0], *meta = c->in[1], *map = c->in[2];
    int64_t h = x->dims[3], k = meta->dims[3];
    if (t->dims[0] != k || t->dims[3] != h || t->dtype != x->dtype ||
        x->dims[1] * x->dims[2] != meta->dims[1] * meta->dims[2] || own_token(g, meta, t, 0, 0) < 0)
        return tsr_fail(c, "has a result that does not hold the tokens of one device");
    memset(t->data, 0, tsr_tensor_bytes(t));
    for (int64_t b = 0; b < t->dims[1]; b++)
        for (int64_t s = 0; s < t->dims[2]; s++)
            for (int64_t j = 0; j < k; j++) {
                int64_t token = own_token(g, meta, t, b, s), e, local = 0;
                size_t member = SIZE_MAX;
                TSR_TRY(expert_of(c, meta, token * k + j, map->dims[2], &e) &&
                        owner_of(c, g, map, e, &member, &local));
                if (member != SIZE_MAX && local < x->dims[0])
                    memcpy(at(t, ((j * t->dims[1] + b) * t->dims[2] + s) * h),
                           at(tsr_brought(g, member, 0),
                              (local * meta->dims[1] * meta->dims[2] + token) * h),
                           (size_t)h * tsr_elem_size(t));
            }
    return true;
}

bool eval_ttir_all_to_all_combine(tsr_call *c)
{
    tsr_gathering g;
    bool ok = meet(c, tt_int(c->op, TTIR_ALL_TO_ALL_COMBINE_cluster_axis, 0), &g);
    tsr_tensor *t = ok ? tsr_call_static(c, 0) : NULL;
    ok = t && combine(c, &g, t);
    tsr_gather_end(&g);
    return ok;
}

/* Weights of the experts on this device, 0 where a token has not selected them; and which of them any of a block of
 * tokens has selected. */
bool eval_ttir_moe_expert_token_remap(tsr_call *c)
{
    const tsr_tensor *scores = c->in[0], *map = c->in[1], *picks = c->in[2];
    int64_t experts = scores->dims[3], k = picks->dims[3],
            tokens = experts ? scores->n / experts : 0, here = 0;
    int64_t by = tt_int(c->op, TTIR_MOE_EXPERT_TOKEN_REMAP_reduction_size, 1);
    uint32_t me = tsr_process_id(c->e), all = tsr_mesh_replicas(c->e) * tsr_mesh_partitions(c->e);
    tsr_tensor *w = tsr_call_static(c, 0), *any = tsr_call_static(c, 1);
    if (!w || !any)
        return false;
    if (map->dims[3] != all || map->dims[2] != experts || picks->n != tokens * k)
        return tsr_fail(c, "maps %lld experts to %lld devices; there are %lld, and %u devices",
                        (long long)map->dims[2], (long long)map->dims[3], (long long)experts, all);
    memset(w->data, 0, tsr_tensor_bytes(w));
    memset(any->data, 0, tsr_tensor_bytes(any));
    for (int64_t e = 0; e < experts; e++)
        here += one_hot(map, e, me);
    if (w->n != tokens * here || any->n < (tokens + by - 1) / by * here)
        return tsr_fail(c, "has results that do not hold %lld experts for %lld tokens",
                        (long long)here, (long long)tokens);
    for (int64_t e = 0, local = 0; e < experts; e++) {
        if (!one_hot(map, e, me))
            continue;
        for (int64_t t = 0; t < tokens; t++)
            for (int64_t j = 0; j < k; j++)
                if (tsr_get_index(picks, t * k + j) == e) {
                    double one = 1, v = tsr_get_double(scores, t * experts + e);
                    tsr_from_doubles((tsr_dtype)w->dtype, &v, at(w, t * here + local), 1);
                    tsr_from_doubles((tsr_dtype)any->dtype, &one, at(any, t / by * here + local),
                                     1);
                }
        local++;
    }
    return true;
}

/* ---- Experts ---- */

/* Offsets of n elements, starting at from with stride step. */
static void line(int64_t *out, int64_t n, int64_t from, int64_t step)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = from + i * step;
}

/* t[to ..] = a[a_at ..] (m x k) times b[b_at ..] (k x n) */
static bool product(tsr_call *c, const tsr_tensor *a, int64_t a_at, const tsr_tensor *b,
                    int64_t b_at, tsr_tensor *t, int64_t to, int64_t m, int64_t k, int64_t n)
{
    int64_t *mem = tsr_xmalloc((size_t)(3 * m + 2 * k + 2 * n + 3) * sizeof *mem);
    int64_t *ar = mem, *ac = ar + m, *br = ac + k, *bc = br + k, *tr = bc + n, *tc = tr + m;
    line(ar, m, a_at, k);
    line(ac, k, 0, 1);
    line(br, k, b_at, n);
    line(bc, n, 0, 1);
    line(tr, m, to, n);
    line(tc, n, 0, 1);
    tsr_matrix x = {.t = a, .row = ar, .col = ac, .nrow = m, .ncol = k},
               y = {.t = b, .row = br, .col = bc, .nrow = k, .ncol = n};
    bool ok = tsr_gemm(c, &x, &y, &(tsr_target){t, tr, tc});
    tsr_free(mem);
    return ok;
}

/* Row number "row" of x times matrix number e of w, plus row e of the bias; in double. */
static void row_times(const double *x, int64_t k, const tsr_tensor *w, int64_t e,
                      const tsr_tensor *bias, double *out, int64_t n, double *room)
{
    memset(out, 0, (size_t)n * sizeof *out);
    if (bias)
        tsr_to_doubles((tsr_dtype)bias->dtype, at(bias, e * n), out, n);
    for (int64_t i = 0; i < k; i++) {
        tsr_to_doubles((tsr_dtype)w->dtype, at(w, (e * k + i) * n), room, n);
        for (int64_t j = 0; j < n; j++)
            out[j] += x[i] * room[j];
    }
}

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* silu(gate) * up; swiglu: with both clamped, as in GPT-OSS. */
static double activate(int64_t swiglu, double gate, double up)
{
    if (!swiglu)
        return gate * sigmoid(gate) * up;
    gate = gate > 7 ? 7 : gate;
    up = up > 7 ? 7 : up < -7 ? -7 : up;
    return (up + 1) * gate * sigmoid(1.702 * gate);
}

/* The feed-forward network of expert e, one of those of a device, on one token. */
static void feed_forward(const tsr_gathering *g, size_t member, int64_t e, bool biased,
                         int64_t swiglu, double *x, int64_t h, int64_t n, double *gate, double *up,
                         double *room, double *out)
{
    const tsr_tensor *w[3], *b[3] = {NULL, NULL, NULL};
    for (size_t i = 0; i < 3; i++) {
        w[i] = tsr_brought(g, member, 4 + i);
        b[i] = biased ? tsr_brought(g, member, 7 + i) : NULL;
    }
    row_times(x, h, w[0], e, b[0], gate, n, room);
    row_times(x, h, w[1], e, b[1], up, n, room);
    for (int64_t i = 0; i < n; i++)
        gate[i] = activate(swiglu, gate[i], up[i]);
    row_times(gate, n, w[2], e, b[2], out, h, room);
}

static bool compute(tsr_call *c, const tsr_gathering *g)
{
    const tsr_tensor *x = c->in[0], *picks = c->in[1], *map = c->in[3], *w0 = c->in[4];
    if (!picks->rank || !map->rank || w0->dims[1] < 1)
        return tsr_fail(c, "has no experts");
    int64_t h = x->dims[x->rank - 1], k = picks->dims[picks->rank - 1], n = w0->dims[3],
            local = w0->dims[1];
    int64_t layer = tt_int(c->op, TTIR_MOE_COMPUTE_layer_id, 0), experts = map->dims[map->rank - 1],
            most = h > n ? h : n;
    int64_t swiglu = tt_int(c->op, TTIR_MOE_COMPUTE_activation_function, 0),
            tokens = h ? x->n / h : 0;
    int64_t own = tokens / (int64_t)g->group.n;
    tsr_tensor *t = tsr_call_static(c, 0);
    if (!t)
        return false;
    if (layer < 0 || layer >= w0->dims[0] || k < 1 || picks->n != tokens * k ||
        t->n != k * own * h || c->in[5]->n != w0->n || c->in[6]->n != w0->n)
        return tsr_fail(c, "has tokens, experts and weights that do not fit");
    double *mem = tsr_malloc((size_t)(2 * n + 2 * h + most + 1) * sizeof *mem);
    if (!mem)
        return tsr_fail_memory(c, "a token");
    double *gate = mem, *up = gate + n, *row = up + n, *out = row + h, *room = out + h;
    bool ok = true;
    for (int64_t i = 0; ok && i < own; i++)
        for (int64_t j = 0; ok && j < k; j++) {
            int64_t token = (int64_t)g->me * own + i, e, where;
            ok = expert_of(c, picks, token * k + j, experts, &e);
            where = ok ? tsr_get_index(map, e) : 0;
            if (ok && (where < 0 || where >= (int64_t)g->group.n))
                ok = tsr_fail(c, "maps expert %lld to device %lld of a group of %zu", (long long)e,
                              (long long)where, g->group.n);
            if (!ok)
                break;
            tsr_to_doubles((tsr_dtype)x->dtype, at(tsr_brought(g, (size_t)where, 0), token * h),
                           row, h);
            feed_forward(g, (size_t)where, layer * local + e % local, c->op->nin > 7, swiglu, row,
                         h, n, gate, up, room, out);
            tsr_from_doubles((tsr_dtype)t->dtype, out, at(t, (j * own + i) * h), h);
        }
    tsr_free(mem);
    return ok;
}

/* Each device gets its own tokens back, once for each expert that they have selected. */
bool eval_ttir_moe_compute(tsr_call *c)
{
    tsr_gathering g;
    bool ok = meet(c, tt_int(c->op, TTIR_MOE_COMPUTE_cluster_axis, 0), &g) && compute(c, &g);
    tsr_gather_end(&g);
    return ok;
}

/* ---- Routing ---- */

/* The k largest of n in descending order; of equal ones the first. */
static void pick(const double *x, int64_t n, int64_t k, int64_t *which)
{
    for (int64_t i = 0; i < k; i++) {
        int64_t best = -1;
        for (int64_t j = 0; j < n; j++) {
            bool taken = false;
            for (int64_t p = 0; p < i; p++)
                taken |= which[p] == j;
            if (!taken && (best < 0 || x[j] > x[best]))
                best = j;
        }
        which[i] = best;
    }
}

/* Weights of the experts with the largest logits, which are rounded to the operands' type first. */
bool eval_ttir_topk_router_gpt(tsr_call *c)
{
    const tsr_tensor *x = c->in[0], *w = c->in[1], *bias = c->in[2];
    int64_t rows = x->dims[0], h = x->dims[1], n = w->dims[1],
            k = tt_int(c->op, TTIR_TOPK_ROUTER_GPT_k, 1);
    if (k < 1 || k > n || bias->n != rows * n || w->dims[0] != h)
        return tsr_fail(c, "picks %lld of %lld experts", (long long)k, (long long)n);
    int64_t dims[2] = {rows, k};
    tsr_tensor *ids = tsr_call_new(c, 0, dims, 2), *weights = tsr_call_new(c, 1, dims, 2);
    tsr_tensor *logit = tsr_tensor_new(x->elem, (int64_t[]){rows, n}, 2);
    double *row = tsr_malloc((size_t)(2 * n + k + 1) * sizeof *row);
    int64_t *which = tsr_malloc((size_t)k * sizeof *which);
    bool ok = ids && weights && logit && row && which ? product(c, x, 0, w, 0, logit, 0, rows, h, n)
                                                      : tsr_fail_memory(c, "logits");
    for (int64_t r = 0; ok && r < rows; r++) {
        double sum = 0, *b = row + n;
        tsr_to_doubles((tsr_dtype)logit->dtype, at(logit, r * n), row, n);
        tsr_to_doubles((tsr_dtype)bias->dtype, at(bias, r * n), b, n);
        for (int64_t i = 0; i < n; i++)
            row[i] += b[i];
        tsr_from_doubles((tsr_dtype)logit->dtype, row, at(logit, r * n), n);
        tsr_to_doubles((tsr_dtype)logit->dtype, at(logit, r * n), row, n);
        pick(row, n, k, which);
        for (int64_t i = 0; i < k; i++)
            sum += b[i] = exp(row[which[i]] - row[which[0]]);
        for (int64_t i = 0; i < k; i++) {
            b[i] /= sum;
            tsr_set_int(ids, r * k + i, which[i]);
        }
        tsr_from_doubles((tsr_dtype)weights->dtype, b, at(weights, r * k), k);
    }
    tsr_tensor_unref(logit);
    tsr_free(row);
    tsr_free(which);
    return ok;
}
