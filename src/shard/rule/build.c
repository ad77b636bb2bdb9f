/* SPDX-License-Identifier: Apache-2.0 */
/* build.c - collects factors and the dimensions that they are on, and packs them into a rule. */
#include "shard/rule/build.h"

/* ---- Collecting ---- */

static uint32_t rank_of(const tsr_type *t)
{
    return tsr_type_is_shaped(t) ? t->n : 0; /* unranked types have no dimensions, like tokens */
}

void tsr_rule_build_init(tsr_rule_build *b, tsr_arena *arena, const tsr_op *op,
                         tsr_rule_options options)
{
    uint32_t n = op->nin + op->nout, at = 0;
    memset(b, 0, sizeof *b);
    b->op = op;
    b->options = options;
    b->arena = arena;
    b->ntensor = n;
    b->dims = tsr_arena_alloc(arena, (n + 1) * sizeof *b->dims);
    for (uint32_t t = 0; t < n; t++) {
        b->dims[t] = at;
        at += rank_of(tsr_rule_type(b, t));
    }
    b->dims[n] = at;
}

static void *grown(tsr_arena *arena, const void *old, size_t n, size_t cap, size_t elem)
{
    void *p = tsr_arena_alloc(arena, cap * elem);
    if (n)
        memcpy(p, old, n * elem);
    return p;
}

uint32_t tsr_rule_factor(tsr_rule_build *b, int64_t size, tsr_factor_kind kind, bool blocked)
{
    if (b->nfactor == b->factor_cap) {
        size_t n = b->nfactor, cap = n ? 2 * n : 8;
        b->sizes = grown(b->arena, b->sizes, n, cap, sizeof *b->sizes);
        b->kinds = grown(b->arena, b->kinds, n, cap, 1);
        b->blocked = grown(b->arena, b->blocked, n, cap, 1);
        b->factor_cap = (uint32_t)cap;
    }
    b->sizes[b->nfactor] = size;
    b->kinds[b->nfactor] = (uint8_t)kind;
    b->blocked[b->nfactor] = blocked;
    return b->nfactor++;
}

void tsr_rule_put(tsr_rule_build *b, uint32_t factor, uint32_t t, int64_t dim)
{
    if (dim == TSR_NO_DIM)
        return;
    if (dim < 0 || t >= b->ntensor || dim >= (int64_t)tsr_build_rank(b, t)) {
        b->broken = true;
        return;
    }
    uint32_t d = b->dims[t] + (uint32_t)dim;
    if (!b->count)
        b->count = TSR_NEW_ARRAY(b->arena, uint32_t, b->dims[b->ntensor]);
    if (b->sizes[factor] == 1 && b->count[d])
        return;
    if (b->nplace == b->place_cap) {
        size_t cap = b->nplace ? 2 * (size_t)b->nplace : 16;
        b->places = grown(b->arena, b->places, b->nplace, cap, sizeof *b->places);
        b->place_cap = (uint32_t)cap;
    }
    b->places[b->nplace++] = (tsr_rule_place){d, factor};
    b->count[d]++;
}

void tsr_rule_put_range(tsr_rule_build *b, uint32_t factor, uint32_t from, uint32_t to, int64_t dim)
{
    for (uint32_t t = from; t < to; t++)
        tsr_rule_put(b, factor, t, dim);
}

void tsr_rule_add_all(tsr_rule_build *b, int64_t dim, int64_t size, tsr_factor_kind kind,
                      bool blocked)
{
    uint32_t f = tsr_rule_factor(b, size, kind, blocked);
    for (uint32_t t = 0; t < b->ntensor; t++)
        if (tsr_build_rank(b, t))
            tsr_rule_put(b, f, t, dim);
}

void tsr_rule_add_batch(tsr_rule_build *b, uint32_t t, uint32_t n)
{
    for (uint32_t d = 0; d < n; d++)
        tsr_rule_add_all(b, d, tsr_rule_size(b, t, d), TSR_FACTOR_PASS_THROUGH, false);
}

void tsr_rule_add3(tsr_rule_build *b, int64_t lhs, int64_t rhs, int64_t out, int64_t size,
                   tsr_factor_kind kind, bool blocked)
{
    uint32_t f = tsr_rule_factor(b, size, kind, blocked);
    tsr_rule_put(b, f, 0, lhs);
    if (b->op->nin > 1)
        tsr_rule_put(b, f, 1, rhs);
    tsr_rule_put(b, f, tsr_build_result(b, 0), out);
}

/* ---- Packing ---- */

/* A rule with room for all its arrays, whose contents the caller fills in. */
static tsr_rule *rule_new(tsr_arena *arena, uint32_t ntensor, uint32_t ndim, uint32_t nfactor,
                          uint32_t nplace)
{
    size_t words = (size_t)(ntensor + 1) + (ndim + 1) + nplace;
    char *p = tsr_arena_alloc(arena, sizeof(tsr_rule) + 8 * (size_t)nfactor + 4 * words +
                                         2 * (size_t)nfactor);
    tsr_rule *r = (tsr_rule *)p;
    memset(r, 0, sizeof *r);
    p += sizeof *r;
    r->nfactor = nfactor;
    r->sizes = (int64_t *)p;
    p += 8 * (size_t)nfactor;
    r->dims = (uint32_t *)p;
    r->first = r->dims + ntensor + 1;
    r->factors = r->first + ndim + 1;
    p += 4 * words;
    r->kinds = (uint8_t *)p;
    r->blocked = r->kinds + nfactor;
    return r;
}

const tsr_rule *tsr_rule_build_done(tsr_rule_build *b)
{
    if (b->whole || b->broken)
        return b->broken ? NULL : b->whole;
    uint32_t ndim = b->dims[b->ntensor], bare = 0, at = 0;
    for (uint32_t d = 0; d < ndim; d++)
        bare += !b->count || !b->count[d];
    tsr_rule *r = rule_new(b->arena, b->ntensor, ndim, b->nfactor + bare, b->nplace + bare);
    r->noperand = b->op->nin;
    r->nresult = b->op->nout;
    int64_t *sizes = (int64_t *)r->sizes;
    uint8_t *kinds = (uint8_t *)r->kinds, *blocked = (uint8_t *)r->blocked;
    uint32_t *first = (uint32_t *)r->first, *factors = (uint32_t *)r->factors, next = b->nfactor;
    memcpy((uint32_t *)r->dims, b->dims, (b->ntensor + 1) * sizeof *b->dims);
    memset(kinds + b->nfactor, 0, bare);
    memset(blocked + b->nfactor, 0, bare);
    if (b->nfactor) {
        memcpy(sizes, b->sizes, b->nfactor * sizeof *sizes);
        memcpy(kinds, b->kinds, b->nfactor);
        memcpy(blocked, b->blocked, b->nfactor);
    }
    for (uint32_t d = 0; d < ndim; d++) {
        uint32_t n = b->count ? b->count[d] : 0;
        first[d] = at;
        if (n) {
            b->count[d] = at; /* from here on: position of its next factor */
        } else {
            sizes[next] = 1;
            factors[at] = next++;
            n = 1;
        }
        at += n;
    }
    first[ndim] = at;
    for (uint32_t i = 0; i < b->nplace; i++)
        factors[b->count[b->places[i].dim]++] = b->places[i].factor;
    tsr_assert(next == r->nfactor, "%u factors, of which %u have a place", r->nfactor, next);
    tsr_assert(at == b->nplace + bare, "a dimension without factors");
    for (uint32_t i = 0; i < at; i++)
        tsr_assert(factors[i] < r->nfactor, "factor %u of %u", factors[i], r->nfactor);
    return r;
}

/* Factor i on dimension i of every tensor. */
static const tsr_rule *one_each(tsr_arena *arena, const int64_t *sizes, uint32_t n,
                                const uint32_t *dims, uint32_t noperand, uint32_t nresult)
{
    uint32_t ntensor = noperand + nresult, ndim = dims[ntensor];
    tsr_rule *r = rule_new(arena, ntensor, ndim, n, ndim);
    r->noperand = noperand;
    r->nresult = nresult;
    uint32_t *first = (uint32_t *)r->first, *factors = (uint32_t *)r->factors;
    memcpy((uint32_t *)r->dims, dims, (ntensor + 1) * sizeof *dims);
    for (uint32_t t = 0; t < ntensor; t++)
        for (uint32_t d = dims[t]; d < dims[t + 1]; d++) {
            first[d] = d;
            factors[d] = d - dims[t];
        }
    first[ndim] = ndim;
    if (n)
        memcpy((int64_t *)r->sizes, sizes, n * sizeof *sizes);
    memset((uint8_t *)r->kinds, 0, 2 * (size_t)n);
    return r;
}

bool tsr_rule_pointwise(tsr_rule_build *b)
{
    if (!b->op->nout)
        return false;
    const tsr_type *out = b->op->out[0].type;
    if (!tsr_type_is_shaped(out))
        return false;
    for (uint32_t t = 0; t < b->ntensor; t++)
        if (tsr_build_rank(b, t) > out->n)
            return false;
    b->whole = one_each(b->arena, out->dims, out->n, b->dims, b->op->nin, b->op->nout);
    return true;
}

const tsr_rule *tsr_rule_identity(tsr_arena *arena, const tsr_type *type, uint32_t noperand)
{
    uint32_t rank = rank_of(type);
    uint32_t *dims = tsr_arena_alloc(arena, (noperand + 2) * sizeof *dims);
    for (uint32_t t = 0; t < noperand + 2; t++)
        dims[t] = t * rank;
    return one_each(arena, type->dims, rank, dims, noperand, 1);
}
