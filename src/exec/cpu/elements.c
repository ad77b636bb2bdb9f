/* SPDX-License-Identifier: Apache-2.0 */
/* elements.c - scatters of single elements.
 *
 * Components of the index vectors are operands of their own, each read where it is; updates that are all equal are one
 * number. Positions are computed as vectors, some hundred at a time. Updates of the same element are combined in the
 * order of the index; parts of a batch that cannot meet run on several threads. */
#include "exec/places.h"

#include "base/scope.h"
#include "exec/kernel/isa/isa.h"
#include "exec/cpu/move.h"

enum { SOME = 1024 }; /* positions at a time */

/* One component of the index vectors. */
typedef struct {
    const char *from; /* NULL: counts */
    tsr_xview view;
    bool whole;
    tsr_dtype type;
} column;

typedef struct {
    const tsr_places_plan *p;
    const column *columns;
    tsr_put put;
    int64_t bytes, each; /* each: positions per chunk */
    tsr_xview base;
    tsr_dtype places; /* their type: i32 or i64 */
    tsr_join join;
} elements;

static column column_of(const tsr_run *r, tsr_xid v)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    const tsr_xvalue *s = &r->p->values.data[tsr_storage_of(r->p, v)];
    bool counts = s->place == TSR_PLACE_IOTA;
    column c = {.from = counts ? NULL : r->at[tsr_storage_of(r->p, v)],
                .whole = !counts && tsr_is_whole(r->p, v, NULL),
                .type = (tsr_dtype)x->dtype};
    if (x->place == TSR_PLACE_VIEW)
        c.view = tsr_xview_of(x->view);
    return c;
}

/* Elements start to start + n of a view; from NULL: their positions. */
static void load(const tsr_xview *v, tsr_dtype type, const char *from, int64_t start, int64_t n,
                 char *to)
{
    if (!from && v->space.rank == 1 && !v->strides[0])
        tsr_tile_splat(type, to, &v->offset, (size_t)n);
    else if (v->space.rank)
        tsr_load_view(v, type, from, start, n, to);
    else if (from) /* one element */
        memcpy(to, from + v->offset * tsr_dtype_bytes(type), tsr_dtype_bytes(type));
    else
        tsr_tile_iota(type, to, v->offset, 0, 1);
}

/* Indices start to start + n in the type of places; held: memory for them. */
static const void *indices(const column *c, tsr_dtype to, int64_t start, int64_t n, char *held)
{
    _Alignas(8) char as[SOME * sizeof(int64_t)];
    const char *at = c->whole ? c->from + start * tsr_dtype_bytes(c->type) : as;
    if (c->whole && c->type == to)
        return at;
    if (!c->whole)
        load(&c->view, c->type, c->from, start, n, c->type == to ? held : as);
    if (c->type != to)
        tsr_convert(to, held, c->type, at, n); /* a ui64 beyond i64 is outside, too */
    return held;
}

/* Combines elements one at a time, for types and functions that have no loop of their own. */
static void join_each(const elements *w, const tsr_put *p)
{
    const char *from = p->part;
    for (int64_t i = 0; i < p->n; i++, from += p->one ? 0 : w->bytes) {
        int64_t at = p->wide ? ((const int64_t *)p->at)[i] : ((const int32_t *)p->at)[i];
        char *to = (char *)p->whole + at * w->bytes;
        if (at < 0)
            continue;
        if (w->p->joins)
            tsr_join_run(&w->join, to, to, from, 1);
        else
            memcpy(to, from, (size_t)w->bytes);
    }
}

static void chunk(void *ctx, int64_t number, int worker)
{
    const elements *w = ctx;
    const tsr_places_plan *p = w->p;
    const tsr_isa *isa = tsr_isa_now();
    int64_t at[SOME], held[SOME], end = (number + 1) * w->each;
    tsr_put put = w->put;
    (void)worker;
    put.at = at;
    end = end < p->positions ? end : p->positions;
    for (int64_t start = number * w->each; start < end; start += SOME) {
        put.n = end - start < SOME ? end - start : SOME;
        put.part = (const char *)w->put.part + (put.one ? 0 : start * w->bytes);
        load(&w->base, w->places, NULL, start, put.n, (char *)at);
        for (uint8_t k = 0; k < p->nmap; k++)
            isa->find_places(put.wide, at,
                             indices(&w->columns[k], w->places, start, put.n, (char *)held), put.n,
                             p->room[k], p->stride[k]);
        if (p->joins != put.adds || !isa->put(&put))
            join_each(w, &put);
        tsr_poll();
    }
}

/* Positions that can run at the same time as others: those of one index along the first dimension, if elements of
 * different ones are apart. */
static int64_t positions_apart(const tsr_places_plan *p)
{
    int64_t reach = 0;
    for (uint8_t k = 0; k < p->nmap; k++)
        reach += p->room[k] * p->stride[k];
    for (uint8_t d = 1; d < p->nloop; d++)
        reach += (p->loop[d] - 1) * p->whole_step[d];
    return p->nloop && reach < p->whole_step[0] ? p->positions / p->loop[0] : p->positions;
}

/* Whether places, or indices, need 64 bits. */
static bool needs_wide(const elements *w, int64_t n)
{
    bool wide = n > INT32_MAX;
    for (uint8_t k = 0; k < w->p->nmap; k++)
        wide |= tsr_dtype_bits(w->columns[k].type) > 32 || w->columns[k].type == TSR_D_U32;
    return wide;
}

void tsr_run_elements(const tsr_run *r, const tsr_node *n)
{
    const tsr_places_plan *p = n->places;
    const tsr_xvalue *x = &r->p->values.data[n->out[0]], *part = &r->p->values.data[n->in[1]];
    column columns[TSR_MAX_RANK];
    tsr_xshape base = {.rank = p->nloop, .offset = p->first};
    memcpy(base.dims, p->loop, p->nloop * sizeof *base.dims);
    memcpy(base.strides, p->whole_step, p->nloop * sizeof *base.strides);
    for (uint8_t k = 0; k < p->nmap; k++)
        columns[k] = column_of(r, n->in[k + 2]);
    elements w = {.p = p,
                  .columns = columns,
                  .bytes = tsr_dtype_bytes((tsr_dtype)x->dtype),
                  .each = positions_apart(p),
                  .base = tsr_xview_of(&base)};
    w.base = tsr_xview_join(&w.base);
    w.each *= w.each < SOME ? SOME / w.each : 1;
    bool one = part->place == TSR_PLACE_SPLAT;
    w.put = (tsr_put){.whole = r->at[n->out[0]],
                      .part = one ? (const char *)part->bits : tsr_run_at(r, n->in[1]),
                      .type = (tsr_dtype)x->dtype,
                      .wide = needs_wide(&w, x->n),
                      .one = one,
                      .adds = p->joins && p->tile == TSR_TILE_add};
    w.places = w.put.wide ? TSR_D_I64 : TSR_D_I32;
    const char *old = tsr_run_at(r, n->in[0]);
    if (w.put.whole != old)
        memcpy(w.put.whole, old, (size_t)(x->n * w.bytes));
    if (p->joins)
        w.join = tsr_join_of((tsr_tile_op)p->tile, w.put.type);
    tsr_pool_for((p->positions + w.each - 1) / w.each, chunk, &w);
}
