/* SPDX-License-Identifier: Apache-2.0 */
/* ragged_dot.c - chlo.ragged_dot: a dot product whose lhs has a dimension that is divided into groups of different
 * sizes.
 *
 * Each index of the ragged dimension belongs to a group, given by a table for each index of the dimensions before it.
 * Ragged rows select rhs's matrix of their group; a ragged contraction has one result per group; ragged batches need
 * nothing. */
#include <stdlib.h>

#include "base/scope.h"
#include "dialect/params.h"
#include "eval/kernel/kernels.h"

/* The positions of an iteration over some dimensions, as offsets into lhs, rhs and the table of groups. */
typedef struct {
    int64_t n;
    int64_t *lhs, *rhs, *group;
} walk;

typedef struct {
    tsr_call *c;
    const tsr_tensor *lhs, *rhs, *sizes;
    tsr_dot d;
    int64_t ragged;
    bool contracting, batching;
    int64_t lhs_stride[TSR_MAX_RANK], rhs_stride[TSR_MAX_RANK],
        group_stride[TSR_MAX_RANK]; /* group: by lhs dimension */
    int64_t ngroup, ntable;
    int64_t *table; /* group of each index; -1: after the last */
    int64_t rhs_group_stride;
    walk batch, rows, columns, contract;
} ragged;

/* ---- Groups ---- */

static bool make_table(ragged *r)
{
    const tsr_tensor *s = r->sizes;
    int64_t size = r->lhs->dims[r->ragged], prefix[TSR_MAX_RANK], nprefix = 0, rows = 1;
    if (s->rank == 0)
        return tsr_fail(r->c, "has group sizes without a dimension");
    r->ngroup = s->dims[s->rank - 1];
    tsr_ints batch = r->d.batch[0], contract = r->d.contract[0];
    for (uint32_t i = 0; i < batch.n && tsr_ints_at(batch, i) != r->ragged; i++)
        prefix[nprefix++] = tsr_ints_at(batch, i);
    if (r->contracting)
        for (uint32_t i = 0; i < contract.n && tsr_ints_at(contract, i) != r->ragged; i++)
            prefix[nprefix++] = tsr_ints_at(contract, i);
    else if (!r->batching)
        for (int64_t d = 0; d < r->ragged; d++)
            if (tsr_dot_is_free(&r->d, 0, d))
                prefix[nprefix++] = d;
    r->group_stride[r->ragged] = 1;
    if (s->rank > 1) {
        if (s->rank != nprefix + 1)
            return tsr_fail(r->c, "has group sizes of %d dimensions", s->rank);
        for (int64_t i = nprefix; i-- > 0;) {
            if (s->dims[i] != r->lhs->dims[prefix[i]])
                return tsr_fail(r->c, "has group sizes of another shape than its dimensions");
            r->group_stride[prefix[i]] = rows * size;
            rows *= s->dims[i];
        }
    }
    r->ntable = rows * size;
    r->table = tsr_malloc(((size_t)r->ntable + 1) * sizeof *r->table);
    if (!r->table)
        return tsr_fail_memory(r->c, "groups");
    for (int64_t row = 0; row < rows; row++) {
        int64_t at = 0;
        for (int64_t g = 0; g < r->ngroup; g++)
            for (int64_t k = tsr_get_int(s, row * r->ngroup + g); k > 0 && at < size; k--)
                r->table[row * size + at++] = g;
        while (at < size)
            r->table[row * size + at++] = -1;
    }
    return true;
}

/* ---- Walks ---- */

/* n dimensions: dl[i] of lhs and dr[i] of rhs, -1 if there is none. */
static bool make_walk(ragged *r, walk *w, const int64_t *dl, const int64_t *dr, size_t n)
{
    int64_t sizes[TSR_MAX_RANK], index[TSR_MAX_RANK] = {0};
    w->n = 1;
    for (size_t i = 0; i < n; i++) {
        sizes[i] = dl[i] >= 0 ? r->lhs->dims[dl[i]] : r->rhs->dims[dr[i]];
        if (dl[i] >= 0 && dr[i] >= 0 && r->rhs->dims[dr[i]] != sizes[i])
            return tsr_fail(r->c, "has dimensions of different sizes");
        w->n *= sizes[i];
    }
    if (!r->lhs->n || !r->rhs->n) /* all sums are zero; there may be very many rows */
        return true;
    w->lhs = tsr_calloc(3 * (size_t)w->n + 1, sizeof *w->lhs);
    if (!w->lhs)
        return tsr_fail_memory(r->c, "offsets");
    w->rhs = w->lhs + w->n;
    w->group = w->rhs + w->n;
    for (int64_t k = 0; k < w->n; k++) {
        for (size_t i = 0; i < n; i++) {
            if (dl[i] >= 0) {
                w->lhs[k] += index[i] * r->lhs_stride[dl[i]];
                w->group[k] += index[i] * r->group_stride[dl[i]];
            }
            if (dr[i] >= 0)
                w->rhs[k] += index[i] * r->rhs_stride[dr[i]];
        }
        tsr_next_index(index, sizes, n);
    }
    return true;
}

static bool make_walks(ragged *r, int64_t *out_dims, size_t *out_rank)
{
    int64_t dl[TSR_MAX_RANK], dr[TSR_MAX_RANK];
    size_t n = 0, rank = 0;
    if (r->contracting)
        out_dims[rank++] = r->ngroup;
    for (n = 0; n < r->d.batch[0].n; n++) {
        dl[n] = tsr_ints_at(r->d.batch[0], n);
        dr[n] = tsr_ints_at(r->d.batch[1], n);
        out_dims[rank++] = r->lhs->dims[dl[n]];
    }
    TSR_TRY(make_walk(r, &r->batch, dl, dr, n));
    for (n = 0; n < r->d.contract[0].n; n++) {
        dl[n] = tsr_ints_at(r->d.contract[0], n);
        dr[n] = tsr_ints_at(r->d.contract[1], n);
    }
    TSR_TRY(make_walk(r, &r->contract, dl, dr, n));
    n = 0;
    for (int64_t d = 0; d < r->lhs->rank; d++)
        if (tsr_dot_is_free(&r->d, 0, d)) {
            dl[n] = d;
            dr[n++] = -1;
            out_dims[rank++] = r->lhs->dims[d];
        }
    TSR_TRY(make_walk(r, &r->rows, dl, dr, n));
    n = 0;
    for (int64_t d = 0; d < r->rhs->rank; d++)
        if (tsr_dot_is_free(&r->d, 1, d)) {
            if (rank == TSR_MAX_RANK)
                return tsr_fail(r->c, "has a result of too many dimensions");
            dl[n] = -1;
            dr[n++] = d;
            out_dims[rank++] = r->rhs->dims[d];
        }
    *out_rank = rank;
    return make_walk(r, &r->columns, dl, dr, n);
}

/* ---- Sums ---- */

/* The sum over the contraction for one element; only of group g, unless g is -1. lhs, rhs, group: start offsets. */
static void dot(const ragged *r, tsr_tensor *out, int64_t o, int64_t lhs, int64_t rhs,
                int64_t group, int64_t g)
{
    const walk *k = &r->contract;
    tsr_dkind kind = tsr_dtype_kind((tsr_dtype)r->lhs->dtype);
    double sum = 0;
    uint64_t whole = 0;
    tsr_complex z = {0, 0};
    for (int64_t i = 0; i < k->n; i++) {
        if (g >= 0 && r->table[group + k->group[i]] != g)
            continue;
        int64_t a = lhs + k->lhs[i], b = rhs + k->rhs[i];
        if (kind == TSR_K_FLOAT)
            sum += tsr_get_double(r->lhs, a) * tsr_get_double(r->rhs, b);
        else if (kind == TSR_K_COMPLEX) {
            tsr_complex x = tsr_get_complex(r->lhs, a), y = tsr_get_complex(r->rhs, b);
            z.re += x.re * y.re - x.im * y.im;
            z.im += x.re * y.im + x.im * y.re;
        } else
            whole += (uint64_t)tsr_get_int(r->lhs, a) * (uint64_t)tsr_get_int(r->rhs, b);
    }
    if (kind == TSR_K_FLOAT)
        tsr_set_double(out, o, sum);
    else if (kind == TSR_K_COMPLEX)
        tsr_set_complex(out, o, z);
    else
        tsr_set_sum(out, o, (int64_t)whole);
}

static void fill(const ragged *r, tsr_tensor *out)
{
    int64_t o = 0, planes = r->contracting ? r->ngroup : 1;
    for (int64_t g = 0; g < planes; g++)
        for (int64_t b = 0; b < r->batch.n; b++)
            for (int64_t m = 0; m < r->rows.n; m++)
                for (int64_t n = 0; n < r->columns.n; n++, o++) {
                    tsr_tick();
                    int64_t lhs = r->batch.lhs[b] + r->rows.lhs[m],
                            rhs = r->batch.rhs[b] + r->columns.rhs[n];
                    int64_t group = r->batch.group[b] + r->rows.group[m];
                    if (!r->contracting && !r->batching) {
                        int64_t own = r->table[group];
                        if (own < 0)
                            tsr_set_double(out, o, 0); /* of no group */
                        else
                            dot(r, out, o, lhs, rhs + own * r->rhs_group_stride, 0, -1);
                        continue;
                    }
                    dot(r, out, o, lhs, rhs, r->batch.group[b], r->contracting ? g : -1);
                }
}

bool eval_chlo_ragged_dot(tsr_call *c)
{
    ragged r = {.c = c, .lhs = c->in[0], .rhs = c->in[1], .sizes = c->in[2]};
    tsr_dot_of(c->op, &r.d);
    if (r.d.ragged.n != 1)
        return tsr_fail(c, "needs one ragged dimension");
    r.ragged = tsr_ints_at(r.d.ragged, 0);
    if (r.ragged < 0 || r.ragged >= r.lhs->rank || r.lhs->dtype != r.rhs->dtype ||
        r.lhs->rank + r.rhs->rank > TSR_MAX_RANK)
        return tsr_fail(c, "has operands that do not fit together");
    r.batching = tsr_ints_has(r.d.batch[0], r.ragged);
    r.contracting = tsr_ints_has(r.d.contract[0], r.ragged);
    tsr_strides(r.lhs->dims, r.lhs->rank, r.lhs_stride);
    tsr_strides(r.rhs->dims, r.rhs->rank, r.rhs_stride);
    int64_t dims[TSR_MAX_RANK + 1], group = -1;
    size_t rank = 0;
    if (!r.batching && !r.contracting) {
        if (r.d.group.n != 1)
            return tsr_fail(c, "needs one group dimension in rhs");
        group = tsr_ints_at(r.d.group, 0);
    }
    bool ok = make_table(&r);
    if (ok && group >= 0) {
        r.rhs_group_stride = r.rhs_stride[group];
        ok = r.rhs->dims[group] == r.ngroup ||
             tsr_fail(c, "has another number of groups in rhs than in group_sizes");
    }
    ok = ok && make_walks(&r, dims, &rank);
    tsr_tensor *out = ok ? tsr_call_new(c, 0, dims, rank) : NULL;
    if (out && r.lhs->n && r.rhs->n)
        fill(&r, out);
    else if (out)
        memset(out->data, 0, tsr_tensor_bytes(out));
    tsr_free(r.table);
    tsr_free(r.batch.lhs);
    tsr_free(r.rows.lhs);
    tsr_free(r.columns.lhs);
    tsr_free(r.contract.lhs);
    return out != NULL;
}
