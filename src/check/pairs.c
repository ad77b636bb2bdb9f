/* SPDX-License-Identifier: Apache-2.0 */
/* pairs.c - see pairs.h. */
#include "check/pairs.h"

#include <stdlib.h>

/* ---- Locations as texts ---- */

typedef struct {
    tsr_buf text;
    size_t index; /* of the value */
    bool own;     /* a position in the program's own file */
} place;
typedef TSR_VEC(place) place_vec;

/* Whether one path ends in the other: a/b.mlir in b.mlir. */
static bool same_file(tsr_str a, tsr_str b)
{
    tsr_str longer = a.len > b.len ? a : b, end = a.len > b.len ? b : a;
    size_t before = longer.len - end.len;
    return end.len && memcmp(longer.data + before, end.data, end.len) == 0 &&
           (!before || longer.data[before - 1] == '/');
}

static int by_text(const void *a, const void *b)
{
    const place *x = a, *y = b;
    size_t n = x->text.len < y->text.len ? x->text.len : y->text.len;
    int order = n ? memcmp(x->text.data, y->text.data, n) : 0;
    if (order || x->text.len != y->text.len)
        return order ? order : x->text.len < y->text.len ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void find_places(tsr_ctx *ctx, const tsr_pairs_side *s, tsr_str other, place_vec *out)
{
    for (size_t i = 0; i < s->n; i++) {
        tsr_loc loc = s->values[i].loc;
        place p = {.index = i};
        tsr_str at;
        uint32_t line, col;
        if ((loc & 1) && tsr_loc_position(ctx, loc, &at, &line, &col)) {
            p.own = tsr_str_eq(at, s->file);
            bool plain = p.own || same_file(at, s->file) || same_file(at, other);
            tsr_buf_printf(&p.text, "%.*s:%u:%u", TSR_STR_ARG(plain ? TSR_STR("") : at), line, col);
        } else if (loc && ctx->print_loc) {
            ctx->print_loc(ctx, &p.text, loc);
        }
        tsr_vec_push(out, p);
    }
    if (out->n)
        qsort(out->data, out->n, sizeof *out->data, by_text);
}

static void drop_places(place_vec *v)
{
    for (size_t i = 0; i < v->n; i++)
        tsr_buf_free(&v->data[i].text);
    tsr_vec_free(v);
}

static bool same_text(const place *a, const place *b)
{
    return tsr_str_eq(tsr_buf_text(&a->text), tsr_buf_text(&b->text));
}

/* ---- Values at one location ---- */

typedef struct {
    const tsr_pairs_side *a, *b;
    place_vec in_a, in_b;
    size_t *pair;
    bool *taken; /* by value of b */
} finder;

static bool same_shape(const tsr_type *x, const tsr_type *y)
{
    bool same = tsr_type_rank(x) == tsr_type_rank(y);
    for (uint32_t i = 0; same && i < x->n; i++)
        same = x->dims[i] == y->dims[i];
    return same;
}

static bool belong(const tsr_origin *x, const tsr_origin *y, bool exact)
{
    if (x->index != y->index)
        return false;
    return exact ? tsr_str_eq(x->name, y->name) && x->value->type == y->value->type
                 : same_shape(x->value->type, y->value->type);
}

/* Pairs free values of two ranges of places, from the end. A value is looked for among the FAR next ones, so that
 * programs with one location for everything take linear time. */
static size_t pair_range(finder *f, size_t from_a, size_t to_a, size_t from_b, size_t to_b,
                         bool exact)
{
    enum { FAR = 256 };
    size_t n = 0;
    for (size_t k = to_b, above = to_a; k-- > from_b;) {
        size_t y = f->in_b.data[k].index, least = above > from_a + FAR ? above - FAR : from_a;
        for (size_t i = above; !f->taken[y] && i-- > least;) {
            size_t x = f->in_a.data[i].index;
            if (f->pair[x] || !belong(&f->a->values[x], &f->b->values[y], exact))
                continue;
            f->pair[x] = y + 1;
            f->taken[y] = true;
            above = i;
            n++;
        }
    }
    return n;
}

/* Pairs values at all locations that both have; own: those in the files of the programs themselves, or all others.
 * Returns how many. */
static size_t pair_all(finder *f, bool own, bool exact)
{
    size_t i = 0, k = 0, n = 0;
    while (i < f->in_a.n && k < f->in_b.n) {
        const place *x = &f->in_a.data[i], *y = &f->in_b.data[k];
        size_t to_a = i + 1, to_b = k + 1;
        while (to_a < f->in_a.n && same_text(x, &f->in_a.data[to_a]))
            to_a++;
        while (to_b < f->in_b.n && same_text(y, &f->in_b.data[to_b]))
            to_b++;
        bool same = same_text(x, y),
             below = by_text(&(place){x->text, 0, 0}, &(place){y->text, 0, 0}) < 0;
        /* Values without a location say nothing of each other, unless there are as many in both. */
        bool says = x->text.len || (exact && to_a - i == to_b - k);
        if (same && says && (x->own && y->own) == own)
            n += pair_range(f, i, to_a, k, to_b, exact);
        i = same || below ? to_a : i;
        k = same || !below ? to_b : k;
    }
    return n;
}

void tsr_pairs_find(tsr_ctx *ctx, const tsr_pairs_side *a, const tsr_pairs_side *b, size_t *pair,
                    size_t unmatched[2])
{
    finder f = {.a = a, .b = b, .pair = pair, .taken = tsr_xmalloc(b->n + 1)};
    memset(pair, 0, a->n * sizeof *pair);
    memset(f.taken, 0, b->n + 1);
    find_places(ctx, a, b->file, &f.in_a);
    find_places(ctx, b, a->file, &f.in_b);
    size_t n = pair_all(&f, false, true);
    n += pair_all(&f, false, false);
    /* Lines of two texts: they are the same ones if most of what is there is the same. */
    size_t rest = (a->n < b->n ? a->n : b->n) - n, same = pair_all(&f, true, true);
    n += same;
    if (2 * same >= rest)
        n += pair_all(&f, true, false);
    unmatched[0] = a->n - n;
    unmatched[1] = b->n - n;
    drop_places(&f.in_a);
    drop_places(&f.in_b);
    tsr_free(f.taken);
}
