/* SPDX-License-Identifier: Apache-2.0 */
/* stretch.c - gives each device an arbitrary stretch of a dimension.
 *
 * Which device needs how much of whose part is known at compile time: edges between devices. Edges are distributed over
 * rounds in which no device sends or receives twice; a round is one collective_permute of the piece of the parts that
 * some device needs. A halo takes two rounds of a few elements. If the rounds together would move more than a gather, a
 * gather is used. */
#include "shard/spmd/stretch.h"

/* ---- Small ops ---- */

tsr_value *tsr_spmd_binary(tsr_spmd *s, enum tsr_opcode op, tsr_value *x, tsr_value *y)
{
    tsr_value *in[] = {x, y};
    return tsr_build_op(&s->b, op, in, 2, x->type);
}

tsr_value *tsr_spmd_select(tsr_spmd *s, tsr_value *p, tsr_value *x, tsr_value *y)
{
    tsr_value *in[] = {p, x, y};
    return tsr_build_op(&s->b, TSR_OP_STABLEHLO_SELECT, in, 3, x->type);
}

static tsr_type *with_dims(tsr_spmd *s, const tsr_value *v, const int64_t *dims)
{
    return tsr_type_tensor(s->ctx, dims, v->type->n, v->type->elem, v->type->attr);
}

tsr_value *tsr_spmd_slice(tsr_spmd *s, tsr_value *v, const int64_t *start, const int64_t *limit,
                          const int64_t *stride)
{
    uint32_t rank = v->type->n;
    int64_t *dims = TSR_NEW_ARRAY(s->r.arena, int64_t, rank);
    for (uint32_t d = 0; d < rank; d++)
        dims[d] = (limit[d] - start[d] + stride[d] - 1) / stride[d];
    if (memcmp(dims, v->type->dims, rank * sizeof *dims) == 0)
        return v;
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_SLICE, &v, 1, 1, 0);
    op->attrs[STABLEHLO_SLICE_start_indices] = tsr_attr_i64_array(s->ctx, start, rank);
    op->attrs[STABLEHLO_SLICE_limit_indices] = tsr_attr_i64_array(s->ctx, limit, rank);
    op->attrs[STABLEHLO_SLICE_strides] = tsr_attr_i64_array(s->ctx, stride, rank);
    tsr_type *type = with_dims(s, v, dims);
    return &tsr_build_close_as(&s->b, op, &type)->out[0];
}

tsr_value *tsr_spmd_pad(tsr_spmd *s, tsr_value *v, uint32_t dim, int64_t low, int64_t high,
                        int64_t interior, tsr_value *fill)
{
    if (!low && !high && !interior)
        return v;
    uint32_t rank = v->type->n;
    int64_t *lows = TSR_NEW_ARRAY(s->r.arena, int64_t, rank),
            *highs = TSR_NEW_ARRAY(s->r.arena, int64_t, rank);
    int64_t *inner = TSR_NEW_ARRAY(s->r.arena, int64_t, rank);
    int64_t *dims = tsr_arena_copy(s->r.arena, v->type->dims, rank * sizeof *dims);
    lows[dim] = low;
    highs[dim] = high;
    inner[dim] = interior;
    dims[dim] += low + high + (dims[dim] > 1 ? (dims[dim] - 1) * interior : 0);
    tsr_value *in[] = {v, fill ? fill : tsr_spmd_zero(s, v->type->elem)};
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_PAD, in, 2, 1, 0);
    op->attrs[STABLEHLO_PAD_edge_padding_low] = tsr_attr_i64_array(s->ctx, lows, rank);
    op->attrs[STABLEHLO_PAD_edge_padding_high] = tsr_attr_i64_array(s->ctx, highs, rank);
    op->attrs[STABLEHLO_PAD_interior_padding] = tsr_attr_i64_array(s->ctx, inner, rank);
    tsr_type *type = with_dims(s, v, dims);
    return &tsr_build_close_as(&s->b, op, &type)->out[0];
}

tsr_value *tsr_spmd_positions(tsr_spmd *s, const tsr_value *v, uint32_t dim, tsr_value *start)
{
    tsr_type *type = tsr_static_type(s->ctx, v->type->dims, v->type->n, s->ctx->i64);
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_IOTA, NULL, 0, 1, 0);
    op->attrs[STABLEHLO_IOTA_iota_dimension] = tsr_attr_i64(s->ctx, dim);
    tsr_value *at = &tsr_build_close_as(&s->b, op, &type)->out[0];
    return tsr_spmd_binary(s, TSR_OP_STABLEHLO_ADD, at,
                           tsr_build_broadcast(&s->b, start, NULL, type));
}

tsr_value *tsr_spmd_between(tsr_spmd *s, tsr_value *x, tsr_value *low, tsr_value *high)
{
    tsr_build *b = &s->b;
    tsr_value *from =
        tsr_build_compare(b, "GE", "SIGNED", x, tsr_build_broadcast(b, low, NULL, x->type));
    tsr_value *to =
        tsr_build_compare(b, "LT", "SIGNED", x, tsr_build_broadcast(b, high, NULL, x->type));
    return tsr_spmd_binary(s, TSR_OP_STABLEHLO_AND, from, to);
}

tsr_value *tsr_spmd_clamped(tsr_spmd *s, tsr_value *index, int64_t most)
{
    tsr_type *elem = tsr_elem(index);
    /* The largest numbers would become negative. */
    if (elem->sub == TSR_UNSIGNED && elem->width == 64)
        index = tsr_spmd_binary(s, TSR_OP_STABLEHLO_MINIMUM, index,
                                tsr_build_like_int(&s->b, index, elem, most));
    if (elem != s->ctx->i64)
        index = tsr_build_convert(&s->b, index, s->ctx->i64);
    tsr_value *in[] = {tsr_spmd_i64(s, 0), index, tsr_spmd_i64(s, most)};
    return tsr_build_op(&s->b, TSR_OP_STABLEHLO_CLAMP, in, 3, index->type);
}

bool tsr_spmd_can_pick(const tsr_type *elem)
{
    const tsr_type *part = elem->kind == TSR_TYPE_COMPLEX ? elem->elem : elem;
    return (part->kind == TSR_TYPE_INTEGER && part->width <= 64) ||
           (part->kind == TSR_TYPE_FLOAT &&
            (part->width == 8 || part->width == 16 || part->width == 32 || part->width == 64));
}

static tsr_value *pick_bits(tsr_spmd *s, tsr_value *v, tsr_value *keep, const tsr_mesh *mesh,
                            const tsr_axes *axes)
{
    tsr_type *elem = tsr_elem(v);
    if (elem->kind == TSR_TYPE_FLOAT)
        v = tsr_build_bitcast(&s->b, v, tsr_type_integer(s->ctx, elem->width, TSR_SIGNLESS));
    v = tsr_spmd_select(s, keep, v,
                        tsr_build_broadcast(&s->b, tsr_spmd_zero(s, tsr_elem(v)), NULL, v->type));
    enum tsr_opcode join = elem->width == 1 ? TSR_OP_STABLEHLO_OR : TSR_OP_STABLEHLO_ADD;
    v = tsr_spmd_all_reduce(s, v, join, mesh, axes);
    return elem->kind == TSR_TYPE_FLOAT ? tsr_build_bitcast(&s->b, v, elem) : v;
}

tsr_value *tsr_spmd_pick(tsr_spmd *s, tsr_value *v, tsr_value *keep, const tsr_mesh *mesh,
                         const tsr_axes *axes)
{
    if (tsr_elem(v)->kind != TSR_TYPE_COMPLEX)
        return pick_bits(s, v, keep, mesh, axes);
    tsr_value *re = tsr_build_op(&s->b, TSR_OP_STABLEHLO_REAL, &v, 1, NULL);
    tsr_value *im = tsr_build_op(&s->b, TSR_OP_STABLEHLO_IMAG, &v, 1, NULL);
    tsr_value *in[] = {pick_bits(s, re, keep, mesh, axes), pick_bits(s, im, keep, mesh, axes)};
    return tsr_build_op(&s->b, TSR_OP_STABLEHLO_COMPLEX, in, 2, v->type);
}

/* ---- Tables ---- */

int64_t *tsr_spmd_steps(tsr_spmd *s, const tsr_axes *axes, int64_t first, int64_t step)
{
    int64_t *table = TSR_NEW_ARRAY(s->r.arena, int64_t, axes->size);
    for (int64_t i = 0; i < axes->size; i++)
        table[i] = first + i * step;
    return table;
}

static bool all_equal(const int64_t *table, int64_t n)
{
    for (int64_t i = 1; i < n; i++)
        if (table[i] != table[0])
            return false;
    return true;
}

tsr_value *tsr_spmd_table(tsr_spmd *s, const tsr_mesh *mesh, const tsr_axes *axes,
                          const int64_t *table)
{
    int64_t n = axes->size, one = 1;
    bool affine = true;
    for (int64_t i = 2; i < n && affine; i++)
        affine = table[i] - table[i - 1] == table[1] - table[0];
    if (all_equal(table, n))
        return tsr_spmd_i64(s, table[0]);
    if (affine) {
        tsr_value *v = tsr_spmd_start(s, mesh, axes, table[1] - table[0]);
        return table[0] ? tsr_spmd_binary(s, TSR_OP_STABLEHLO_ADD, v, tsr_spmd_i64(s, table[0]))
                        : v;
    }
    tsr_type *type = tsr_static_type(s->ctx, &n, 1, s->ctx->i64);
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_CONSTANT, NULL, 0, 1, 0);
    op->attrs[STABLEHLO_CONSTANT_value] =
        tsr_attr_dense(s->ctx, s->module, type, table, (size_t)n * sizeof *table, false);
    tsr_value *all = &tsr_build_close_as(&s->b, op, &type)->out[0],
              *at = tsr_spmd_index(s, mesh, axes);
    return tsr_build_reshape(&s->b, tsr_spmd_dynamic_slice(s, all, &at, &one),
                             tsr_scalar_type(s->ctx->i64));
}

/* ---- Stretches ---- */

typedef struct {
    tsr_spmd *s;
    const tsr_spmd_dim *d;
    int64_t n; /* number of positions */
    int64_t chunk;
    const int64_t *starts; /* at most len outside of the dimension */
    int64_t len;
    tsr_value *fill;
} stretch;

/* The piece of the parts that moves in one round, and where it goes. */
typedef struct {
    int64_t *from; /* by position: whose part it receives; -1: none */
    bool *sends;   /* by position */
    int64_t low, high;
    bool own; /* nothing is sent: each takes the piece from its own part */
} round_of;

static tsr_value *cut(tsr_spmd *s, tsr_value *v, uint32_t dim, int64_t low, int64_t high)
{
    return low == 0 && high == v->type->dims[dim] ? v : tsr_build_slice(&s->b, v, dim, low, high);
}

static tsr_value *dynamic_cut(tsr_spmd *s, tsr_value *v, uint32_t dim, tsr_value *start,
                              int64_t len)
{
    tsr_value **starts = TSR_NEW_ARRAY(s->r.arena, tsr_value *, v->type->n);
    int64_t *sizes = tsr_arena_copy(s->r.arena, v->type->dims, v->type->n * sizeof *sizes);
    starts[dim] = start;
    sizes[dim] = len;
    return tsr_spmd_dynamic_slice(s, v, starts, sizes);
}

static tsr_value *from_whole(const stretch *t, tsr_value *v)
{
    tsr_spmd *s = t->s;
    int64_t have = v->type->dims[t->d->dim], low = 0, high = have;
    for (int64_t i = 0; i < t->n; i++) {
        low = t->starts[i] < low ? t->starts[i] : low;
        high = t->starts[i] + t->len > high ? t->starts[i] + t->len : high;
    }
    v = tsr_spmd_pad(s, v, t->d->dim, -low, high - have, 0, t->fill);
    if (all_equal(t->starts, t->n))
        return cut(s, v, t->d->dim, t->starts[0] - low, t->starts[0] - low + t->len);
    int64_t *starts = tsr_arena_copy(s->r.arena, t->starts, (size_t)t->n * sizeof *starts);
    for (int64_t i = 0; i < t->n; i++)
        starts[i] -= low;
    return dynamic_cut(s, v, t->d->dim, tsr_spmd_table(s, t->d->mesh, t->d->axes, starts), t->len);
}

static tsr_value *from_gathered(const stretch *t, tsr_value *v)
{
    v = tsr_spmd_all_gather(t->s, v, t->d->dim, t->d->mesh, t->d->axes);
    return from_whole(t, cut(t->s, v, t->d->dim, 0, t->d->size));
}

/* The parts that a position needs: first .. last; false: none. */
static bool sources(const stretch *t, int64_t i, int64_t *first, int64_t *last)
{
    int64_t low = t->starts[i] > 0 ? t->starts[i] : 0, high = t->starts[i] + t->len;
    high = high < t->d->size ? high : t->d->size;
    *first = low / t->chunk;
    *last = (high - 1) / t->chunk;
    return low < high;
}

/* The range of part j that position i needs, relative to the start of the part. */
static void piece(const stretch *t, int64_t i, int64_t j, int64_t *low, int64_t *high)
{
    int64_t begin = j * t->chunk, end = begin + t->chunk;
    end = end < t->d->size ? end : t->d->size;
    *low = (t->starts[i] > begin ? t->starts[i] : begin) - begin;
    *high = (t->starts[i] + t->len < end ? t->starts[i] + t->len : end) - begin;
}

static round_of *new_round(const stretch *t, round_of *rounds, int64_t *n, bool own)
{
    round_of *r = &rounds[(*n)++];
    *r = (round_of){TSR_NEW_ARRAY(t->s->r.arena, int64_t, t->n),
                    TSR_NEW_ARRAY(t->s->r.arena, bool, t->n), t->chunk, 0, own};
    for (int64_t i = 0; i < t->n; i++)
        r->from[i] = -1;
    return r;
}

static void add_edge(const stretch *t, round_of *r, int64_t i, int64_t j)
{
    int64_t low, high;
    piece(t, i, j, &low, &high);
    r->from[i] = j;
    r->sends[j] = true;
    r->low = low < r->low ? low : r->low;
    r->high = high > r->high ? high : r->high;
}

/* Assigns edges to rounds by distance, which all devices of a halo share, or else wherever an edge fits. Returns their
 * number; -1: more than max. */
static int64_t plan_rounds(const stretch *t, round_of *rounds, int64_t max, bool by_distance)
{
    int64_t n = 0, first, last;
    int64_t *distance = TSR_NEW_ARRAY(t->s->r.arena, int64_t, max + 1);
    for (int64_t i = 0; i < t->n; i++) {
        if (!sources(t, i, &first, &last))
            continue;
        for (int64_t j = first; j <= last; j++) {
            int64_t k = 0;
            for (; k < n; k++)
                if (by_distance
                        ? distance[k] == j - i
                        : rounds[k].own == (i == j) && rounds[k].from[i] < 0 && !rounds[k].sends[j])
                    break;
            if (k == n) {
                if (n == max)
                    return -1;
                distance[n] = j - i;
                new_round(t, rounds, &n, i == j);
            }
            add_edge(t, &rounds[k], i, j);
        }
    }
    return n;
}

static int64_t moved(const round_of *rounds, int64_t n)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += rounds[k].own ? 0 : rounds[k].high - rounds[k].low;
    return sum;
}

/* The offset of a round's piece in the stretch of position i. */
static int64_t offset_of(const stretch *t, const round_of *r, int64_t i)
{
    return r->from[i] * t->chunk + r->low - t->starts[i];
}

/* Whether the offset is the same for all devices that receive anything; *at: which. */
static bool uniform(const stretch *t, const round_of *r, int64_t *at)
{
    bool any = false;
    for (int64_t i = 0; i < t->n; i++) {
        if (r->from[i] < 0)
            continue;
        if (any && offset_of(t, r, i) != *at)
            return false;
        *at = offset_of(t, r, i);
        any = true;
    }
    return true;
}

static tsr_value *zeros(const stretch *t, const tsr_value *v, int64_t len)
{
    int64_t *dims = tsr_arena_copy(t->s->r.arena, v->type->dims, v->type->n * sizeof *dims);
    dims[t->d->dim] = len;
    return tsr_build_broadcast(&t->s->b, tsr_spmd_zero(t->s, tsr_elem(v)), NULL,
                               with_dims(t->s, v, dims));
}

/* Concatenates the pieces; NULL if they have no common order. */
static tsr_value *concatenated(const stretch *t, tsr_value *const *pieces, const round_of *rounds,
                               int64_t n)
{
    tsr_spmd *s = t->s;
    uint32_t dim = t->d->dim;
    int64_t *at = TSR_NEW_ARRAY(s->r.arena, int64_t, n + 1),
            *order = TSR_NEW_ARRAY(s->r.arena, int64_t, n + 1);
    for (int64_t k = 0; k < n; k++) {
        if (!uniform(t, &rounds[k], &at[k]))
            return NULL;
        int64_t p = k;
        for (; p > 0 && at[order[p - 1]] > at[k]; p--)
            order[p] = order[p - 1];
        order[p] = k;
    }
    tsr_value **in = TSR_NEW_ARRAY(s->r.arena, tsr_value *, 2 * n + 1);
    size_t nin = 0;
    int64_t done = 0;
    for (int64_t k = 0; k < n; k++)
        if (k && at[order[k]] < at[order[k - 1]] + pieces[order[k - 1]]->type->dims[dim])
            return NULL;
    for (int64_t k = 0; k < n; k++) {
        tsr_value *v = pieces[order[k]];
        int64_t low = at[order[k]], high = low + v->type->dims[dim];
        int64_t from = low < 0 ? 0 : low, to = high > t->len ? t->len : high;
        if (from >= to)
            continue;
        if (from > done)
            in[nin++] = zeros(t, v, from - done);
        in[nin++] = cut(s, v, dim, from - low, to - low);
        done = to;
    }
    if (done < t->len)
        in[nin++] = zeros(t, pieces[0], t->len - done);
    if (nin == 1)
        return in[0];
    int64_t *dims = tsr_arena_copy(s->r.arena, in[0]->type->dims, in[0]->type->n * sizeof *dims);
    dims[dim] = t->len;
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_CONCATENATE, in, nin, 1, 0);
    op->attrs[STABLEHLO_CONCATENATE_dimension] = tsr_attr_i64(s->ctx, dim);
    tsr_type *type = with_dims(s, in[0], dims);
    return &tsr_build_close_as(&s->b, op, &type)->out[0];
}

/* Places the pieces at the offsets that each device needs. */
static tsr_value *selected(const stretch *t, tsr_value *const *pieces, const round_of *rounds,
                           int64_t n)
{
    tsr_spmd *s = t->s;
    tsr_value *out = NULL;
    for (int64_t k = 0; k < n; k++) {
        int64_t size = rounds[k].high - rounds[k].low;
        int64_t *to = TSR_NEW_ARRAY(s->r.arena, int64_t, t->n),
                *start = TSR_NEW_ARRAY(s->r.arena, int64_t, t->n);
        for (int64_t i = 0; i < t->n; i++) {
            to[i] = rounds[k].from[i] < 0 ? t->len : offset_of(t, &rounds[k], i);
            start[i] = t->len - to[i];
        }
        tsr_value *wide = tsr_spmd_pad(s, pieces[k], t->d->dim, t->len, t->len, 0, NULL);
        wide = dynamic_cut(s, wide, t->d->dim, tsr_spmd_table(s, t->d->mesh, t->d->axes, start),
                           t->len);
        if (!out) {
            out = wide;
            continue;
        }
        for (int64_t i = 0; i < t->n; i++)
            to[i] = -to[i];
        tsr_value *at =
            tsr_spmd_positions(s, wide, t->d->dim, tsr_spmd_table(s, t->d->mesh, t->d->axes, to));
        out = tsr_spmd_select(s, tsr_spmd_between(s, at, tsr_spmd_i64(s, 0), tsr_spmd_i64(s, size)),
                              wide, out);
    }
    return out;
}

static tsr_value *filled(const stretch *t, tsr_value *v)
{
    bool outside = false;
    for (int64_t i = 0; i < t->n; i++)
        outside |= t->starts[i] < 0 || t->starts[i] + t->len > t->d->size;
    if (!outside || !t->fill || TSR_BUG(1))
        return v;
    tsr_spmd *s = t->s;
    tsr_value *at =
        tsr_spmd_positions(s, v, t->d->dim, tsr_spmd_table(s, t->d->mesh, t->d->axes, t->starts));
    tsr_value *in = tsr_spmd_between(s, at, tsr_spmd_i64(s, 0), tsr_spmd_i64(s, t->d->size));
    return tsr_spmd_select(s, in, v, tsr_build_broadcast(&s->b, t->fill, NULL, v->type));
}

static tsr_value *from_parts(const stretch *t, tsr_value *v)
{
    tsr_spmd *s = t->s;
    enum { MOST = 64 }; /* rounds; with more, a gather is as good */
    int64_t max = t->n < MOST ? t->n + 1 : MOST;
    round_of *near = TSR_NEW_ARRAY(s->r.arena, round_of, max),
             *rounds = TSR_NEW_ARRAY(s->r.arena, round_of, max);
    int64_t nnear = plan_rounds(t, near, max, true), n = plan_rounds(t, rounds, max, false);
    if (nnear >= 0 && (n < 0 || moved(near, nnear) <= moved(rounds, n))) {
        rounds = near;
        n = nnear;
    }
    if (n < 0 || moved(rounds, n) > (t->n - 1) * t->chunk)
        return from_gathered(t, v);
    if (n == 0) /* nothing is needed */
        return filled(t, zeros(t, v, t->len));
    tsr_value **pieces = TSR_NEW_ARRAY(s->r.arena, tsr_value *, n);
    for (int64_t k = 0; k < n; k++) {
        pieces[k] = cut(s, v, t->d->dim, rounds[k].low, rounds[k].high);
        if (!rounds[k].own)
            pieces[k] = tsr_spmd_permute(s, pieces[k], rounds[k].from, t->d->mesh, t->d->axes);
    }
    tsr_value *out = concatenated(t, pieces, rounds, n);
    return filled(t, out ? out : selected(t, pieces, rounds, n));
}

/* Whether every device already has what it needs. */
static bool is_own_part(const stretch *t)
{
    bool outside = false;
    for (int64_t i = 0; i < t->n; i++) {
        if (t->starts[i] != i * t->chunk)
            return false;
        outside |= t->starts[i] + t->len > t->d->size;
    }
    return t->len == t->chunk && !(outside && t->fill);
}

tsr_value *tsr_spmd_stretch(tsr_spmd *s, tsr_value *v, const tsr_spmd_dim *d, const int64_t *starts,
                            int64_t len, tsr_value *fill)
{
    int64_t n = d->axes->size, *near = tsr_arena_copy(s->r.arena, starts, (size_t)n * sizeof *near);
    stretch t = {s, d, n, tsr_spmd_chunk(d->size, d->axes), near, len, fill};
    if ((!d->whole || n == 1) && is_own_part(&t))
        return v;
    for (int64_t i = 0; i < n; i++)
        near[i] = starts[i] < -len ? -len : starts[i] > d->size ? d->size : starts[i];
    return d->whole || n == 1 ? from_whole(&t, v) : from_parts(&t, v);
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

tsr_value *tsr_spmd_dilated_stretch(tsr_spmd *s, tsr_value *v, const tsr_spmd_dim *d,
                                    const int64_t *starts, int64_t len, int64_t dilation,
                                    tsr_value *fill)
{
    if (dilation == 1)
        return tsr_spmd_stretch(s, v, d, starts, len, fill);
    int64_t n = d->axes->size, most = 0, last = 0;
    int64_t *first = TSR_NEW_ARRAY(s->r.arena, int64_t, n),
            *off = TSR_NEW_ARRAY(s->r.arena, int64_t, n);
    for (int64_t i = 0; i < n; i++) {
        first[i] = floor_div(starts[i], dilation);
        off[i] = starts[i] - first[i] * dilation;
        int64_t need = (off[i] + len - 1) / dilation + 1;
        most = need > most ? need : most;
        last = off[i] + len > last ? off[i] + len : last;
    }
    v = tsr_spmd_stretch(s, v, d, first, most, fill);
    int64_t high = last - ((most - 1) * dilation + 1);
    v = tsr_spmd_pad(s, v, d->dim, 0, high > 0 ? high : 0, dilation - 1, fill);
    if (all_equal(off, n))
        return cut(s, v, d->dim, off[0], off[0] + len);
    return dynamic_cut(s, v, d->dim, tsr_spmd_table(s, d->mesh, d->axes, off), len);
}

/* ---- Ops ---- */

static bool usual_type(const tsr_type *t)
{
    return t->kind == TSR_TYPE_TENSOR && tsr_type_num_elements(t) > 0 && tsr_is_number(t->elem) &&
           !t->attr;
}

bool tsr_spmd_any_axes(const tsr_spmd_op *o)
{
    for (uint32_t f = 0; f < o->rule->nfactor; f++)
        if (o->axes[f]->size > 1)
            return true;
    return false;
}

bool tsr_spmd_usual(tsr_spmd_op *o)
{
    if (!o->rule || !o->axes || !o->mesh)
        return false;
    for (uint32_t t = 0; t < o->op->nin + o->op->nout; t++) {
        const tsr_type *type = tsr_spmd_global(o, t);
        if (!usual_type(type) || !tsr_spmd_zero(o->s, type->elem))
            return false;
    }
    return true;
}

uint32_t tsr_spmd_factor(const tsr_spmd_op *o, uint32_t tensor, uint32_t d)
{
    uint32_t at = o->rule->dims[tensor] + d;
    return o->rule->first[at + 1] - o->rule->first[at] == 1 ? o->rule->factors[o->rule->first[at]]
                                                            : UINT32_MAX;
}

void tsr_spmd_forget(tsr_spmd_op *o, uint32_t factor)
{
    o->axes[factor] = o->s->r.table.lists.none;
}

void tsr_spmd_forget_moved(tsr_spmd_op *o)
{
    const tsr_rule *r = o->rule;
    bool *has = TSR_NEW_ARRAY(o->s->r.arena, bool, r->nfactor + 1);
    for (uint32_t t = 0; t < o->op->nin + o->op->nout; t++) {
        const tsr_sharding *a = t < o->op->nin ? o->in[t] : o->want[t - o->op->nin];
        for (uint32_t d = 0; a->sharded && d < a->rank; d++)
            for (uint32_t i = r->first[r->dims[t] + d]; i < r->first[r->dims[t] + d + 1]; i++)
                has[r->factors[i]] |= a->dims[d].axes->n != 0;
    }
    for (uint32_t f = 0; f < r->nfactor; f++)
        if (!has[f])
            tsr_spmd_forget(o, f);
}

bool tsr_spmd_unused(const tsr_spmd_op *o, const tsr_axes *axes)
{
    for (uint32_t f = 0; f < o->rule->nfactor; f++)
        if (tsr_axes_overlap(o->axes[f], axes) || !tsr_spmd_axes_fit(o->axes[f], axes))
            return false;
    return true;
}
