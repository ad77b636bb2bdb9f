/* SPDX-License-Identifier: Apache-2.0 */
/* gather.c - lowers stablehlo.gather to TTIR.
 *
 * The general form: indexed dimensions are merged into one, in front, so that a start is one number; for slices of more
 * than one element the offsets of the others are added; the rest of the operand is a row. Rows are then looked up
 * (ttir.embedding, or ttir.gather for integers) and their elements permuted into place. Special forms are tried first:
 * gathers that are slices, that repeat the ends of a tensor, or that go along one dimension in each batch. Starts are
 * clamped, as StableHLO requires, unless they are known to be in bounds; a look-up of rows by one number clamps by
 * itself. */
#include "lower/passes.h"
#include "lower/ttir/ttir.h"

typedef struct {
    tsr_value *x, *index;
    tsr_type *type;                             /* of the result */
    size_t rank, nindex, nmap, noffset, nbatch; /* rank: of x; nindex: of index */
    int64_t map[TSR_TTIR_RANK], offset[TSR_TTIR_RANK], size[TSR_TTIR_RANK];
    int64_t xbatch[TSR_TTIR_RANK], ibatch[TSR_TTIR_RANK];
    bool collapsed[TSR_TTIR_RANK], batched[TSR_TTIR_RANK], mapped[TSR_TTIR_RANK];
    int64_t vector; /* the dimension of index that holds the components of a start; nindex: none */
} gather;

static bool gather_of(const tsr_op *op, gather *g)
{
    tsr_gather d;
    tsr_gather_of(op, &d);
    *g = (gather){.x = op->in[0].value, .index = op->in[1].value, .type = op->out[0].type};
    g->rank = g->x->type->n;
    g->nindex = g->index->type->n;
    if (d.map.n > TSR_TTIR_RANK || d.window.n > TSR_TTIR_RANK || d.dropped.n > TSR_TTIR_RANK ||
        d.batch.n > TSR_TTIR_RANK || g->rank + g->nindex + 2 > TSR_TTIR_RANK)
        return false;
    g->noffset = tsr_ints_copy(d.window, g->offset, TSR_TTIR_RANK);
    for (uint32_t i = 0; i < d.dropped.n; i++)
        g->collapsed[tsr_ints_at(d.dropped, i)] = true;
    g->nbatch = tsr_ints_copy(d.batch, g->xbatch, TSR_TTIR_RANK);
    tsr_ints_copy(d.index_batch, g->ibatch, TSR_TTIR_RANK);
    for (size_t i = 0; i < g->nbatch; i++)
        g->batched[g->xbatch[i]] = true;
    g->nmap = tsr_ints_copy(d.map, g->map, TSR_TTIR_RANK);
    for (size_t i = 0; i < g->nmap; i++)
        g->mapped[g->map[i]] = true;
    g->vector = d.vector;
    tsr_ints_copy(d.sizes, g->size, TSR_TTIR_RANK);
    for (size_t i = 0; i < g->rank; i++) /* dimensions that are not indexed start at 0 */
        if (!g->mapped[i] && !g->batched[i] && g->size[i] != g->x->type->dims[i])
            return false;
    return g->index->type->elem->kind == TSR_TYPE_INTEGER;
}

/* The constant elements of index, in order, clamped; false: not all are known. */
static bool known_starts(const gather *g, int64_t *out, size_t max)
{
    const tsr_attr *dense = tsr_ttir_constant_of(g->index, false);
    int64_t n = dense ? tsr_type_num_elements(dense->type) : -1;
    if (n < 0 || (uint64_t)n > max)
        return false;
    for (int64_t i = 0; i < n; i++)
        out[i] = tsr_ttir_integer(dense, (size_t)i);
    return true;
}

static int64_t inside(int64_t start, int64_t last)
{
    return start < 0 ? 0 : start > last ? last : start;
}

enum { MANY = 1 << 20 }; /* maximum elements of constants created by the conversion */

/* ---- One slice ---- */

/* A single start: a slice, with collapsed dimensions removed. */
static bool one_slice(tsr_build *b, const gather *g, tsr_value **out)
{
    int64_t begins[TSR_TTIR_RANK] = {0}, ends[TSR_TTIR_RANK], known[TSR_TTIR_RANK],
            last[TSR_TTIR_RANK], one[] = {1};
    int64_t n[] = {(int64_t)g->rank};
    tsr_value *parts[TSR_TTIR_RANK], *in[3], *y;
    tsr_type *elem = g->index->type->elem;
    bool whole = g->nmap == g->rank;
    if (g->nindex != 1 || g->vector != 0 || !g->rank || g->nbatch || elem->width < 32)
        return false;
    for (size_t i = 0; i < g->rank; i++) {
        last[i] = g->x->type->dims[i] - g->size[i];
        ends[i] = g->size[i];
        whole &= i < g->nmap && g->map[i] == (int64_t)i;
    }
    if (known_starts(g, known, TSR_TTIR_RANK)) {
        for (size_t i = 0; i < g->nmap; i++) {
            begins[g->map[i]] = inside(known[i], last[g->map[i]]);
            ends[g->map[i]] = begins[g->map[i]] + g->size[g->map[i]];
        }
        y = tsr_ttir_slice(b, g->x, begins, ends, NULL);
    } else {
        tsr_type *type = tsr_static_type(b->ctx, n, 1, elem);
        tsr_value *zero = whole ? NULL : tsr_ttir_ints(b, elem, begins, one, 1);
        for (size_t i = 0; i < g->rank; i++)
            parts[i] = zero;
        for (size_t i = 0; i < g->nmap && !whole; i++)
            parts[g->map[i]] = tsr_ttir_slice_dim(b, g->index, 0, (int64_t)i, (int64_t)i + 1);
        in[0] = whole ? g->index : tsr_ttir_concat(b, parts, g->rank, 0);
        in[1] = tsr_ttir_splat(b, type, 0);
        in[2] = tsr_ttir_ints(b, elem, last, n, 1);
        in[1] = tsr_ttir_op(b, TSR_OP_TTIR_CLAMP_TENSOR, in, 3, type);
        in[2] =
            tsr_ttir_binary(b, TSR_OP_TTIR_ADD, in[1], tsr_ttir_ints(b, elem, g->size, n, 1), type);
        in[0] = g->x;
        y = tsr_ttir_op(
            b, TSR_OP_TTIR_SLICE_DYNAMIC, in, 3,
            tsr_type_tensor(b->ctx, g->size, g->rank, g->x->type->elem, g->x->type->attr));
    }
    out[0] = tsr_ttir_reshape(b, y, g->type->dims, g->type->n);
    return true;
}

/* ---- Repeated ends ---- */

/* Slice [at, at + 1) of a dimension, this many times. */
static tsr_value *repeated(tsr_build *b, tsr_value *x, int64_t dim, int64_t at, int64_t times)
{
    int64_t begins[TSR_TTIR_RANK] = {0}, ones[TSR_TTIR_RANK], dims[TSR_TTIR_RANK];
    size_t n = x->type->n;
    memcpy(dims, x->type->dims, n * sizeof *dims);
    for (size_t i = 0; i < n; i++)
        ones[i] = 1;
    begins[dim] = at;
    dims[dim] = at + 1;
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_SLICE_STATIC, &x, 1, 1);
    tsr_ttir_set_slice(op, begins, dims, ones, n);
    dims[dim] = 1;
    tsr_value *slice =
        tsr_ttir_close(b, op, tsr_type_tensor(b->ctx, dims, n, x->type->elem, x->type->attr));
    op = tsr_ttir_open(b, TSR_OP_TTIR_REPEAT, &slice, 1, 1);
    dims[dim] = ones[dim] = times;
    op->attrs[TTIR_REPEAT_repeat_dimensions] = tsr_attr_i64_array(b->ctx, ones, n);
    return tsr_ttir_close(b, op, tsr_type_tensor(b->ctx, dims, n, x->type->elem, x->type->attr));
}

/* Starts 0 0 0 1 2 3 3 along one dimension that stays in place: the tensor between copies of its ends. */
static bool repeated_ends(tsr_build *b, const gather *g, tsr_value **out)
{
    const tsr_attr *dense = tsr_ttir_constant_of(g->index, false);
    int64_t dim = g->nmap == 1 ? g->map[0] : -1, front = 0, back = 0,
            n = dense ? tsr_type_num_elements(dense->type) : 0;
    if (dim < 0 || n < 1 || n > MANY || g->nbatch || g->size[dim] != 1 || !g->collapsed[dim] ||
        g->type->n != g->rank || g->type->dims[dim] != n)
        return false;
    for (size_t i = 0; i < g->noffset; i++) /* the batch dimension is where the indexed one was */
        if (g->offset[i] == dim)
            return false;
    int64_t last = g->x->type->dims[dim] - 1, before = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t at = tsr_ttir_integer(dense, (size_t)i);
        if (at < 0 || at > last ||
            !(i ? at == before + 1 || (at == before && (at == 0 || at == last)) : at == 0))
            return false;
        front += i && at == 0;
        back += i && at == last && at == before && at != 0;
        before = at;
    }
    if (before != last || front + back == 0)
        return false;
    tsr_value *parts[3];
    size_t k = 0;
    if (front)
        parts[k++] = repeated(b, g->x, dim, 0, front);
    parts[k++] = g->x;
    if (back)
        parts[k++] = repeated(b, g->x, dim, last, back);
    out[0] = tsr_ttir_concat(b, parts, k, dim);
    return true;
}

/* ---- Starts ---- */

/* Components of starts, each clamped; last: the maximum of each of the n components, which are in dimension vector. */
static tsr_value *clamped(tsr_build *b, tsr_value *v, int64_t vector, const int64_t *last, size_t n)
{
    const tsr_attr *dense = tsr_ttir_constant_of(v, false);
    int64_t dims[TSR_TTIR_RANK], after = 1, count = dense ? tsr_type_num_elements(dense->type) : -1;
    bool in_place = count >= 0;
    for (size_t i = (size_t)vector + 1; i < v->type->n; i++)
        after *= v->type->dims[i];
    if (dense && dense->sub) /* a splat */
        count = (int64_t)n, after = 1;
    for (int64_t i = 0; in_place && i < count; i++) {
        int64_t at = tsr_ttir_integer(dense, (size_t)i), part = n > 1 ? i / after % (int64_t)n : 0;
        in_place = at >= 0 && at <= last[part];
    }
    if (in_place)
        return v;
    if (n == 1) {
        tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_CLAMP_SCALAR, &v, 1, 1);
        op->attrs[TTIR_CLAMP_SCALAR_min] = tsr_attr_i32(b->ctx, 0);
        op->attrs[TTIR_CLAMP_SCALAR_max] = tsr_attr_i32(b->ctx, (int32_t)last[0]);
        return tsr_ttir_close(b, op, v->type);
    }
    for (size_t i = 0; i < v->type->n; i++)
        dims[i] = (int64_t)i == vector ? (int64_t)n : 1;
    tsr_value *in[] = {v, NULL, NULL};
    in[1] = tsr_ttir_splat(b, tsr_static_type(b->ctx, dims, v->type->n, v->type->elem), 0);
    in[2] = tsr_ttir_ints(b, v->type->elem, last, dims, v->type->n);
    return tsr_ttir_op(b, TSR_OP_TTIR_CLAMP_TENSOR, in, 3, v->type);
}

static int64_t times(const int64_t *dims, size_t n)
{
    int64_t all = 1;
    for (size_t i = 0; i < n; i++)
        all *= dims[i];
    return all;
}

/* What the general form indexes: dimensions of x and the component of a start for each. */
typedef struct {
    size_t n;
    int64_t dim[TSR_TTIR_RANK], part[TSR_TTIR_RANK], stride[TSR_TTIR_RANK];
    int64_t rows; /* number of all rows */
} indexed;

/* Dimensions whose start cannot vary are left out; if all are such, one of size 1 stays. */
static void indexed_of(const gather *g, indexed *k)
{
    size_t full = 0;
    k->n = 0;
    for (size_t i = 0; i < g->nmap; i++)
        full += g->size[g->map[i]] == g->x->type->dims[g->map[i]];
    for (size_t i = 0; i < g->nmap; i++) {
        int64_t dim = g->map[i], size = g->x->type->dims[dim];
        if (g->size[dim] == size && !(full == g->nmap && size == 1 && !k->n))
            continue;
        k->dim[k->n] = dim;
        k->part[k->n++] = (int64_t)i;
    }
}

static void set_strides(const gather *g, indexed *k)
{
    k->rows = 1;
    for (size_t i = k->n; i-- > 0;) {
        k->stride[i] = k->rows;
        k->rows *= g->x->type->dims[k->dim[i]];
    }
}

/* Moves the dimension of components to the end. */
static tsr_value *parts_last(tsr_build *b, tsr_value *v, int64_t *vector)
{
    int64_t order[TSR_TTIR_RANK];
    size_t k = 0;
    for (size_t i = 0; i < v->type->n; i++)
        if ((int64_t)i != *vector)
            order[k++] = (int64_t)i;
    order[k] = *vector;
    *vector = (int64_t)v->type->n - 1;
    return tsr_ttir_permute(b, v, order);
}

/* Converts starts to row numbers: [..., n] to [..., 1]. Floats are exact in the required range. */
static tsr_value *flattened(tsr_build *b, tsr_value *v, const indexed *k)
{
    int64_t dims[TSR_TTIR_RANK], column[] = {(int64_t)k->n, 1}, last = (int64_t)v->type->n - 1;
    memcpy(dims, v->type->dims, v->type->n * sizeof *dims);
    dims[last] = 1;
    if (k->rows <= 1 << 24) {
        tsr_type *f32 = tsr_type_float(b->ctx, TSR_F32);
        tsr_value *in[] = {tsr_ttir_typecast(b, v, f32), NULL};
        in[1] = tsr_ttir_ints(b, f32, k->stride, column, 2);
        return tsr_ttir_op(b, TSR_OP_TTIR_MATMUL, in, 2,
                           tsr_static_type(b->ctx, dims, v->type->n, f32));
    }
    v = tsr_ttir_typecast(b, v, b->ctx->i64);
    tsr_value *by = tsr_ttir_ints(b, b->ctx->i64, k->stride, column, 1);
    return tsr_ttir_reduce(b, TSR_OP_TTIR_SUM,
                           tsr_ttir_binary(b, TSR_OP_TTIR_MULTIPLY, v, by, NULL), &last, 1, true,
                           NULL);
}

/* Row numbers of all rows of a slice: [1, m] to [w, m]. */
static tsr_value *widened(tsr_build *b, tsr_value *v, const gather *g, const indexed *k, int64_t w)
{
    TSR_VEC(int64_t) offsets = {0};
    int64_t column[] = {w, 1}, dims[] = {w, v->type->dims[1]};
    for (int64_t i = 0; i < w; i++) {
        int64_t at = 0, rest = i;
        for (size_t d = k->n; d-- > 0;) {
            at += rest % g->size[k->dim[d]] * k->stride[d];
            rest /= g->size[k->dim[d]];
        }
        tsr_vec_push(&offsets, at);
    }
    tsr_value *more = tsr_ttir_ints(b, v->type->elem, offsets.data, column, 2);
    tsr_vec_free(&offsets);
    v = tsr_ttir_broadcast(b, v, dims);
    return tsr_ttir_binary(b, TSR_OP_TTIR_ADD, v, more, NULL);
}

/* ---- Rows ---- */

/* The operand as rows of its dimensions that are not indexed. */
static tsr_value *as_rows(tsr_build *b, const gather *g, const indexed *k)
{
    int64_t order[TSR_TTIR_RANK], dims[2] = {k->rows, 1};
    bool front[TSR_TTIR_RANK] = {false};
    size_t n = 0;
    for (; n < k->n; n++) {
        order[n] = k->dim[n];
        front[order[n]] = true;
    }
    for (size_t i = 0; i < g->rank; i++)
        if (!front[i]) {
            order[n++] = (int64_t)i;
            dims[1] *= g->x->type->dims[i];
        }
    return tsr_ttir_reshape(b, tsr_ttir_permute(b, g->x, order), dims, 2);
}

/* Rows by their numbers: [a, c] to [a, c, row]. */
static tsr_value *look_up(tsr_build *b, tsr_value *rows, tsr_value *index, bool exact)
{
    int64_t dims[] = {index->type->dims[0], index->type->dims[1], rows->type->dims[1]};
    tsr_type *type = tsr_type_tensor(b->ctx, dims, 3, rows->type->elem, rows->type->attr);
    if (!exact) {
        tsr_value *in[] = {index, rows};
        return tsr_ttir_op(b, TSR_OP_TTIR_EMBEDDING, in, 2, type);
    }
    int64_t flat[] = {dims[0] * dims[1], 1}, full[] = {flat[0], dims[2]};
    tsr_value *in[] = {rows, tsr_ttir_broadcast(b, tsr_ttir_reshape(b, index, flat, 2), full)};
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_GATHER, in, 2, 1);
    op->attrs[TTIR_GATHER_dim] = tsr_attr_i32(b->ctx, 0);
    tsr_value *y =
        tsr_ttir_close(b, op, tsr_type_tensor(b->ctx, full, 2, rows->type->elem, rows->type->attr));
    return tsr_ttir_reshape(b, y, dims, 3);
}

/* Permutes [slices, batch, rest] to the order of the result: the source of each of its dimensions. */
static tsr_value *in_order(tsr_build *b, tsr_value *v, const gather *g, const indexed *k)
{
    int64_t dims[TSR_TTIR_RANK], from[TSR_TTIR_RANK], place[TSR_TTIR_RANK], order[TSR_TTIR_RANK];
    bool front[TSR_TTIR_RANK] = {false}, is_offset[TSR_TTIR_RANK] = {false};
    size_t n = 0, at = 0;
    /* The dimension of the result for each of the operand's; -1: it was removed. */
    for (size_t i = 0; i < g->rank; i++)
        place[i] = g->collapsed[i] || g->batched[i] ? -1 : g->offset[at++];
    for (size_t i = 0; i < g->noffset; i++)
        is_offset[g->offset[i]] = true;
    for (size_t i = 0; i < k->n; i++) {
        front[k->dim[i]] = true;
        if (place[k->dim[i]] >= 0)
            from[n++] = place[k->dim[i]];
    }
    for (uint32_t i = 0; i < g->type->n; i++)
        if (!is_offset[i])
            from[n++] = i;
    for (size_t i = 0; i < g->rank; i++)
        if (!front[i] && place[i] >= 0)
            from[n++] = place[i];
    for (size_t i = 0; i < n; i++) {
        dims[i] = g->type->dims[from[i]];
        order[from[i]] = (int64_t)i;
    }
    return tsr_ttir_permute(b, tsr_ttir_reshape(b, v, dims, n), order);
}

/* ---- Batches ---- */

/* One dimension is indexed in each batch, and the result has the operand's dimensions in their order: ttir.gather. */
static bool along_dim(tsr_build *b, const gather *g, tsr_value **out)
{
    int64_t dims[TSR_TTIR_RANK], wide[TSR_TTIR_RANK], dim = g->nmap == 1 ? g->map[0] : -1;
    bool is_offset[TSR_TTIR_RANK] = {false};
    size_t n = 0, k = 0;
    if (!g->nbatch || dim < 0 || g->size[dim] != 1 || g->type->n != g->rank)
        return false;
    for (size_t i = 0; i < g->noffset; i++)
        is_offset[g->offset[i]] = true;
    /* Batches and positions are where the operand has them: each dimension of the result comes from index or from x. */
    for (size_t i = 0; i < g->nindex; i++)
        if ((int64_t)i != g->vector)
            dims[n++] = g->index->type->dims[i];
    for (size_t i = 0, o = 0; i < g->rank; i++) {
        wide[i] = 1;
        bool gone = g->collapsed[i] || g->batched[i];
        if (is_offset[i] ? gone || g->offset[o] != (int64_t)i : !gone)
            return false;
        o += is_offset[i];
        if (!is_offset[i]) {
            if (g->batched[i]) { /* the k-th dimension of index that is not the vector */
                int64_t at = -1;
                for (size_t j = 0; j < g->nbatch; j++)
                    if (g->xbatch[j] == (int64_t)i)
                        at = g->ibatch[j] - (g->ibatch[j] > g->vector);
                if (at != (int64_t)k)
                    return false;
            }
            wide[i] = dims[k++];
        }
    }
    if (k != n)
        return false;
    tsr_value *index = tsr_ttir_reshape(b, tsr_ttir_reshape(b, g->index, dims, n), wide, g->rank);
    tsr_value *in[] = {g->x, tsr_ttir_broadcast(b, index, g->type->dims)};
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_GATHER, in, 2, 1);
    op->attrs[TTIR_GATHER_dim] = tsr_attr_i32(b->ctx, (int32_t)dim);
    out[0] = tsr_ttir_close(b, op, g->type);
    return true;
}

/* Turns batches into dimensions indexed by their own numbers. parts: [..., n]; more components are appended. */
static tsr_value *count_batches(tsr_build *b, const gather *g, tsr_value *parts, indexed *k)
{
    tsr_value *all[TSR_TTIR_RANK + 1];
    int64_t dims[TSR_TTIR_RANK];
    size_t last = parts->type->n - 1, n = 0;
    memcpy(dims, parts->type->dims, parts->type->n * sizeof *dims);
    dims[last] = 1;
    all[n++] = parts;
    for (size_t i = 0; i < g->nbatch; i++) {
        tsr_type *type = tsr_static_type(b->ctx, dims, parts->type->n, parts->type->elem);
        all[n++] = tsr_ttir_arange(b, type, 0, 1, g->ibatch[i] - (g->ibatch[i] > g->vector));
        k->dim[k->n] = g->xbatch[i];
        k->part[k->n++] = -1;
    }
    return tsr_ttir_concat(b, all, n, (int64_t)last);
}

/* ---- The general form ---- */

/* The components of starts that matter. */
static tsr_value *chosen_parts(tsr_build *b, const gather *g, tsr_value *v, int64_t vector,
                               const indexed *k)
{
    tsr_value *parts[TSR_TTIR_RANK];
    if (k->n == g->nmap)
        return v;
    for (size_t i = 0; i < k->n; i++)
        parts[i] = tsr_ttir_slice_dim(b, v, vector, k->part[i], k->part[i] + 1);
    return tsr_ttir_concat(b, parts, k->n, vector);
}

static bool by_rows(tsr_build *b, const gather *g, tsr_value **out)
{
    indexed k;
    int64_t last[TSR_TTIR_RANK], vector = g->vector, dims[TSR_TTIR_RANK], slices = 1;
    tsr_value *v = g->index;
    indexed_of(g, &k);
    if (!g->nmap)
        return false;
    if (!k.n) /* all starts are 0 */
        k = (indexed){.n = 1, .dim = {g->map[0]}, .part = {0}};
    for (size_t i = 0; i < k.n; i++) {
        last[i] = g->x->type->dims[k.dim[i]] - g->size[k.dim[i]];
        if (g->size[k.dim[i]] > MANY || (slices *= g->size[k.dim[i]]) > MANY)
            return false;
    }
    bool many = k.n + g->nbatch > 1;
    indexed with = k;
    for (size_t i = 0; i < g->nbatch; i++)
        with.dim[with.n++] = g->xbatch[i];
    set_strides(g, &with);
    tsr_value *rows = as_rows(b, g, &with);
    if (v->type->elem->width < 32)
        v = tsr_ttir_typecast(b, v, b->ctx->i32);
    if (vector == (int64_t)g->nindex && (many || k.n != g->nmap)) {
        memcpy(dims, v->type->dims, g->nindex * sizeof *dims);
        dims[g->nindex] = 1;
        v = tsr_ttir_reshape(b, v, dims, g->nindex + 1);
    }
    v = chosen_parts(b, g, v, vector, &k);
    if (many || slices > 1) /* a look-up of rows clamps by itself */
        v = clamped(b, v, vector < (int64_t)v->type->n ? vector : 0, last, k.n);
    if (many) {
        v = parts_last(b, v, &vector);
        if (g->nbatch)
            v = count_batches(b, g, v, &k);
        set_strides(g, &k);
        v = flattened(b, v, &k);
    } else {
        set_strides(g, &k);
    }
    int64_t flat[] = {1, times(v->type->dims, v->type->n)};
    if (v->type->n != 2 || slices > 1)
        v = tsr_ttir_reshape(b, v, flat, 2);
    if (slices > 1)
        v = widened(b, v, g, &k, slices);
    bool integers =
        g->x->type->elem->kind == TSR_TYPE_INTEGER && v->type->elem->kind == TSR_TYPE_INTEGER;
    out[0] = in_order(b, look_up(b, rows, v, integers), g, &k);
    return true;
}

bool ttir_gather(tsr_build *b, tsr_op *op, tsr_value **out)
{
    gather g;
    if (!tsr_ttir_static(op) || tsr_type_num_elements(op->in[0].value->type) <= 0 ||
        tsr_type_num_elements(op->out[0].type) <= 0 || !gather_of(op, &g))
        return false;
    bool drops = false;
    for (size_t i = 0; i < g.rank; i++)
        drops |= g.collapsed[i];
    if (b->ctx->as_peer && g.nindex == 1 && g.nmap > 1 && drops) /* the peer has no form for it */
        return false;
    bool ok = one_slice(b, &g, out) || along_dim(b, &g, out) || repeated_ends(b, &g, out) ||
              by_rows(b, &g, out);
    return ok && out[0]->type == op->out[0].type;
}

/* ttir-decompose-gather: ttir.gather with StableHLO's dimension numbers, as in older programs. Needs nothing; keeps
 * what a program computes; breaks ids. */
bool pass_ttir_decompose_gather(tsr_pass *p, tsr_op *root)
{
    (void)p;
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_next(root, op);
        tsr_value *v;
        if (!tsr_op_is(op, TSR_OP_TTIR_GATHER) || tsr_attr_of(op, TTIR_GATHER_dim))
            continue;
        tsr_build b = tsr_build_before(op);
        if (ttir_gather(&b, op, &v))
            tsr_build_replace(op, &v);
    }
    return true;
}
