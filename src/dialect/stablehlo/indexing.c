/* SPDX-License-Identifier: Apache-2.0 */
/* indexing.c - result types of ops that take parts of a tensor or insert it into a larger one: slices, pads,
 * gathers. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/types.h"

/* ---- Slices ---- */

static bool check_length(const tsr_op *op, const char *name, const tsr_attr *list, uint32_t rank)
{
    if (tsr_hlo_len(list) == rank)
        return true;
    return tsr_hlo_error(
        op, "the number of elements in %s (%zu) does not match the rank of the operand (%u)", name,
        tsr_hlo_len(list), rank);
}

static bool slice_dim(const tsr_op *op, uint32_t dim, tsr_hlo_dim d, int64_t start, int64_t limit,
                      int64_t stride, int64_t *size)
{
    int64_t end = d.size != TSR_DYNAMIC ? d.size : d.bound;
    if (start < 0)
        return tsr_hlo_error(op, "negative start index %lld in dimension %u", (long long)start,
                             dim);
    if (end != TSR_DYNAMIC && limit > end)
        return tsr_hlo_error(
            op, "limit index %lld is larger than dimension %s %lld in dimension %u",
            (long long)limit, d.size != TSR_DYNAMIC ? "size" : "bound", (long long)end, dim);
    if (start > limit)
        return tsr_hlo_error(op, "start index %lld is larger than limit index %lld in dimension %u",
                             (long long)start, (long long)limit, dim);
    if (stride <= 0)
        return tsr_hlo_error(op, "stride must be positive but got %lld in dimension %u",
                             (long long)stride, dim);
    *size = limit > start ? (limit - start - 1) / stride + 1 : 0;
    return true;
}

bool infer_stablehlo_slice(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *t = tsr_hlo_in(op, 0);
    tsr_slice p;
    tsr_slice_of(op, &p);
    TSR_TRY(check_length(op, "start_indices", p.start.attr, t->n) &&
            check_length(op, "limit_indices", p.limit.attr, t->n) &&
            check_length(op, "strides", p.strides.attr, t->n));
    tsr_hlo_shape s;
    bool ok = true;
    tsr_hlo_shape_start(&s, t->n, tsr_hlo_bounds(t) != NULL);
    for (uint32_t i = 0; i < t->n && ok; i++)
        ok = slice_dim(op, i, tsr_hlo_dim_of(t, i), tsr_ints_at(p.start, i),
                       tsr_ints_at(p.limit, i), tsr_ints_at(p.strides, i), &s.dims[i]);
    if (ok)
        tsr_vec_push(out, tsr_hlo_shape_done(&s, t->elem, t->attr));
    else
        tsr_hlo_shape_drop(&s);
    return ok;
}

/* Start indices are the operands starting at number first. */
static bool check_start_elements(const tsr_op *op, uint32_t first)
{
    for (uint32_t i = first + 1; i < op->nin; i++)
        if (!tsr_hlo_same_element(tsr_hlo_in(op, first), tsr_hlo_in(op, i), true))
            return tsr_hlo_error(op, "start indices must have same element type");
    return true;
}

bool infer_stablehlo_dynamic_slice(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *t = tsr_hlo_in(op, 0);
    const tsr_attr *sizes = tsr_attr_of(op, STABLEHLO_DYNAMIC_SLICE_slice_sizes);
    uint32_t nstart = op->nin - 1;
    if (tsr_hlo_len(sizes) != nstart)
        return tsr_hlo_error(
            op, "has mismatched number of slice sizes (%zu) and number of start indices (%u)",
            tsr_hlo_len(sizes), nstart);
    if (t->n != nstart)
        return tsr_hlo_error(
            op, "has mismatched number of start indices (%u) and the rank of operand (%u)", nstart,
            t->n);
    TSR_TRY(check_start_elements(op, 1));
    for (uint32_t i = 0; i < t->n; i++) {
        int64_t size = tsr_hlo_at(sizes, i);
        if (size < 0)
            return tsr_hlo_error(op, "has negative size index to dynamic slice: %lld",
                                 (long long)size);
        if (t->dims[i] != TSR_DYNAMIC && size > t->dims[i])
            return tsr_hlo_error(
                op,
                "has slice size %lld greater than dimension size %lld in dimension %u of operand",
                (long long)size, (long long)t->dims[i], i);
    }
    tsr_hlo_shape s;
    tsr_hlo_shape_start(&s, t->n, false);
    for (uint32_t i = 0; i < t->n; i++)
        s.dims[i] = tsr_hlo_at(sizes, i);
    tsr_vec_push(out, tsr_hlo_shape_done(&s, t->elem, NULL));
    return true;
}

bool infer_stablehlo_dynamic_update_slice(const tsr_op *op, tsr_type_vec *out)
{
    tsr_type *t = tsr_hlo_in(op, 0);
    const tsr_type *update = tsr_hlo_in(op, 1);
    if (update->n != t->n)
        return tsr_hlo_error(op, "update rank does not match operand rank: %u vs %u.", update->n,
                             t->n);
    if (op->nin - 2 != t->n)
        return tsr_hlo_error(op, "expects number of start_indices to match operand rank: %u vs %u.",
                             op->nin - 2, t->n);
    TSR_TRY(check_start_elements(op, 2));
    for (uint32_t i = 0; i < t->n; i++) {
        int64_t size = update->dims[i];
        if (size != TSR_DYNAMIC && t->dims[i] != TSR_DYNAMIC && size > t->dims[i])
            return tsr_hlo_error(
                op, "expects size at dimension %u of update to be in range [0, %lld]. Got: %lld.",
                i, (long long)t->dims[i], (long long)size);
    }
    tsr_vec_push(out, t);
    return true;
}

/* ---- Pads ---- */

static bool pad_dim(const tsr_op *op, uint32_t dim, int64_t low, int64_t high, int64_t interior,
                    tsr_hlo_dim *d)
{
    bool is_static = d->size != TSR_DYNAMIC;
    int64_t *known = is_static ? &d->size : &d->bound;
    if (interior < 0)
        return tsr_hlo_error(op, "Interior padding cannot be negative: %lld", (long long)interior);
    if (*known == TSR_DYNAMIC)
        return true;
    uint64_t size = (uint64_t)*known, gaps = size > 1 ? size - 1 : 0;
    *known = (int64_t)(size + (uint64_t)low + (uint64_t)high + gaps * (uint64_t)interior);
    if (*known < 0)
        return tsr_hlo_error(op, "Padding result in negative %s for dimension %u",
                             is_static ? "size" : "bound", dim);
    return true;
}

bool infer_stablehlo_pad(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *t = tsr_hlo_in(op, 0);
    tsr_pad p;
    tsr_pad_of(op, &p);
    const struct {
        const char *name;
        uint32_t n;
    } lists[] = {{"edge_padding_low", p.low.n},
                 {"edge_padding_high", p.high.n},
                 {"interior_padding", p.interior.n}};
    for (size_t i = 0; i < TSR_COUNT(lists); i++)
        if (lists[i].n != t->n)
            return tsr_hlo_error(op, "%s length (%u) must match operand rank (%u)", lists[i].name,
                                 lists[i].n, t->n);
    tsr_hlo_shape s;
    bool ok = true;
    tsr_hlo_shape_start(&s, t->n, tsr_hlo_bounds(t) != NULL);
    for (uint32_t i = 0; i < t->n && ok; i++) {
        tsr_hlo_dim d = tsr_hlo_dim_of(t, i);
        ok = pad_dim(op, i, tsr_ints_at(p.low, i), tsr_ints_at(p.high, i),
                     tsr_ints_at(p.interior, i), &d);
        s.dims[i] = d.size;
        if (s.bounds)
            s.bounds[i] = d.bound;
    }
    if (ok)
        tsr_vec_push(out, tsr_hlo_shape_done(&s, t->elem, t->attr));
    else
        tsr_hlo_shape_drop(&s);
    return ok;
}

/* ---- Gathers ---- */

/* Common to both forms of gather. */
typedef struct {
    const tsr_op *op;
    const tsr_type *operand, *start;
    tsr_gather d;
} gather;

static gather gather_of(const tsr_op *op)
{
    gather g = {.op = op, .operand = tsr_hlo_in(op, 0), .start = tsr_hlo_in(op, 1)};
    tsr_gather_of(op, &g.d);
    return g;
}

static bool check_sorted(const tsr_op *op, const char *name, const tsr_attr *list)
{
    for (size_t i = 1; i < tsr_hlo_len(list); i++)
        if (tsr_hlo_at(list, i) < tsr_hlo_at(list, i - 1))
            return tsr_hlo_error(op, "expects %s to be sorted, got: [%s]", name,
                                 tsr_hlo_show_ints(op->module->ctx, list));
    return true;
}

static bool check_no_repeat(const tsr_op *op, const char *name, const tsr_attr *list)
{
    if (tsr_hlo_is_unique(list))
        return true;
    return tsr_hlo_error(op, "expects %s to not repeat, got: [%s]", name,
                         tsr_hlo_show_ints(op->module->ctx, list));
}

static bool check_index_vector(const gather *g)
{
    TSR_TRY(tsr_hlo_check_dim(g->op, g->d.vector, g->start->n, "index_vector_dim",
                              "rank-of('start_indices')", true));
    int64_t size = g->d.vector == g->start->n ? 1 : g->start->dims[g->d.vector];
    if (size == TSR_DYNAMIC || (uint64_t)size == g->d.map.n)
        return true;
    return tsr_hlo_error(g->op,
                         "start_index_map size (%zu) is not equal to size of index dimension "
                         "(%lld) of start_indices "
                         "(%lld)",
                         (size_t)g->d.map.n, (long long)g->d.vector, (long long)size);
}

static bool check_batching(const gather *g)
{
    TSR_TRY(check_no_repeat(g->op, "start_indices_batching_dims", g->d.index_batch.attr));
    TSR_TRY(tsr_hlo_check_dims(g->op, g->d.index_batch.attr, g->start->n,
                               "start_indices_batching_dims", "rank-of('start_indices')"));
    size_t n = g->d.index_batch.n;
    if (tsr_ints_has(g->d.index_batch, g->d.vector))
        return tsr_hlo_error(
            g->op, "expects start_indices_batching_dims not to include index_vector_dim %lld",
            (long long)g->d.vector);
    if (g->d.batch.n != n)
        return tsr_hlo_error(
            g->op,
            "operand_batching_dims and start_indices_batching_dims should have the same size");
    for (size_t i = 0; i < n; i++) {
        int64_t a = g->operand->dims[tsr_ints_at(g->d.batch, i)];
        int64_t b = g->start->dims[tsr_ints_at(g->d.index_batch, i)];
        if (!tsr_hlo_dims_compatible(a, b))
            return tsr_hlo_error(g->op,
                                 "operand_batching_dims[%zu] and start_indices_batching_dims[%zu] "
                                 "must have compatible "
                                 "sizes, but got %lld and %lld",
                                 i, i, (long long)a, (long long)b);
    }
    return true;
}

/* nsizes: the number of slice sizes. */
static bool check_gather(const gather *g, int64_t nsizes)
{
    const tsr_op *op = g->op;
    uint32_t rank = g->operand->n;
    size_t noffset = g->d.window.n, ncollapsed = g->d.dropped.n, nbatch = g->d.batch.n;
    if (rank != noffset + ncollapsed + nbatch)
        return tsr_hlo_error(
            op,
            "offset_dims size (%zu) plus collapse_slice_dims size (%zu) plus operand_batching_dims "
            "size (%zu) is not equal to operand rank (%u)",
            noffset, ncollapsed, nbatch, rank);
    TSR_TRY(check_index_vector(g));
    TSR_TRY(check_sorted(op, "offset_dims", g->d.window.attr));
    TSR_TRY(check_no_repeat(op, "offset_dims", g->d.window.attr));
    TSR_TRY(tsr_hlo_check_distinct(op, g->d.dropped.attr, g->d.batch.attr, "collapsed_slice_dims",
                                   "operand_batching_dims"));
    TSR_TRY(check_sorted(op, "collapsed_slice_dims", g->d.dropped.attr));
    TSR_TRY(tsr_hlo_check_dims(op, g->d.dropped.attr, rank, "collapsed_slice_dims",
                               "rank-of('operand')"));
    TSR_TRY(check_sorted(op, "operand_batching_dims", g->d.batch.attr));
    TSR_TRY(tsr_hlo_check_dims(op, g->d.batch.attr, rank, "operand_batching_dims",
                               "rank-of('operand')"));
    TSR_TRY(check_batching(g));
    TSR_TRY(tsr_hlo_check_distinct(op, g->d.map.attr, g->d.batch.attr, "start_index_map",
                                   "operand_batching_dims"));
    TSR_TRY(tsr_hlo_check_dims(op, g->d.map.attr, rank, "start_index_map", "rank-of('operand')"));
    if (nsizes != rank)
        return tsr_hlo_error(op, "slice_sizes size (%lld) not equal to operand rank (%u)",
                             (long long)nsizes, rank);
    return true;
}

/* Sizes must be at most one where the result has no dimension for them. */
static bool check_ones(const gather *g, const int64_t *sizes, const char *name, tsr_ints dims)
{
    for (uint32_t i = 0; i < dims.n; i++) {
        int64_t size = sizes[tsr_ints_at(dims, i)];
        if (size > 1)
            return tsr_hlo_error(
                g->op,
                "Expects that for each dim in %s, slice_sizes[dim] should be <= 1, but got %lld",
                name, (long long)size);
    }
    return true;
}

static bool check_sizes(const gather *g, const int64_t *sizes)
{
    TSR_TRY(check_ones(g, sizes, "collapsed_slice_dims", g->d.dropped));
    TSR_TRY(check_ones(g, sizes, "operand_batching_dims", g->d.batch));
    for (uint32_t i = 0; i < g->operand->n; i++) {
        int64_t dim = g->operand->dims[i];
        if (sizes[i] < 0 || (dim != TSR_DYNAMIC && sizes[i] > dim))
            return tsr_hlo_error(
                g->op,
                "slice size (%lld) is out of bounds for operand dimension (%lld) at index %u",
                (long long)sizes[i], (long long)dim, i);
    }
    return true;
}

/* Dimensions of the result are those of the slices, at offset_dims, and in between those of start_indices without the
 * one that holds index vectors. sizes: NULL if they are not known. */
static bool gather_shape(const gather *g, const int64_t *sizes, tsr_type_vec *out)
{
    size_t nstart = g->start->n - (g->d.vector < g->start->n), noffset = g->d.window.n;
    size_t ncollapsed = g->d.dropped.n, nbatch = g->d.batch.n;
    const int64_t *bounds = tsr_hlo_bounds(g->start);
    tsr_hlo_shape s;
    TSR_TRY(tsr_hlo_check_dims(g->op, g->d.window.attr, (int64_t)(noffset + nstart), "offset_dims",
                               "implied-result-rank"));
    tsr_hlo_shape_start(&s, noffset + nstart, true);
    size_t offset = 0, collapsed = 0, batch = 0;
    int64_t slice = 0, start = 0;
    for (size_t i = 0; i < s.n; i++) { /* all lists are sorted, so one pass is enough */
        if (offset < noffset && tsr_ints_at(g->d.window, offset) == (int64_t)i) {
            for (;; slice++) {
                if (collapsed < ncollapsed && tsr_ints_at(g->d.dropped, collapsed) == slice)
                    collapsed++;
                else if (batch < nbatch && tsr_ints_at(g->d.batch, batch) == slice)
                    batch++;
                else
                    break;
            }
            s.dims[i] = sizes ? sizes[slice] : TSR_DYNAMIC;
            slice++;
            offset++;
        } else {
            start += start == g->d.vector;
            s.dims[i] = g->start->dims[start];
            s.bounds[i] = bounds ? bounds[start] : TSR_DYNAMIC;
            start++;
        }
    }
    tsr_vec_push(out, tsr_hlo_shape_done(&s, g->operand->elem, NULL));
    return true;
}

bool infer_stablehlo_gather(const tsr_op *op, tsr_type_vec *out)
{
    gather g = gather_of(op);
    tsr_hlo_shape sizes;
    TSR_TRY(check_gather(&g, g.d.sizes.n));
    tsr_hlo_shape_start(&sizes, g.d.sizes.n, false);
    tsr_ints_copy(g.d.sizes, sizes.dims, sizes.n);
    bool ok = check_sizes(&g, sizes.dims) && gather_shape(&g, sizes.dims, out);
    tsr_hlo_shape_drop(&sizes);
    return ok;
}

bool infer_stablehlo_dynamic_gather(const tsr_op *op, tsr_type_vec *out)
{
    gather g = gather_of(op);
    const tsr_type *list = tsr_hlo_in(op, 2);
    TSR_TRY(check_gather(&g, list->n == 1 ? list->dims[0] : 0));
    tsr_i64_vec sizes = {0};
    bool known = tsr_hlo_const_ints(op->in[2].value, &sizes) && sizes.n == g.operand->n;
    bool ok =
        (!known || check_sizes(&g, sizes.data)) && gather_shape(&g, known ? sizes.data : NULL, out);
    tsr_vec_free(&sizes);
    return ok;
}

/* Dimension dim of the operand is replaced by those of the index after the shared ones. */
bool infer_stablehlo_torch_index_select(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *t = tsr_hlo_in(op, 0), *index = tsr_hlo_in(op, 1);
    int64_t dim = tsr_attr_of(op, STABLEHLO_TORCH_INDEX_SELECT_dim)->i;
    int64_t shared = tsr_attr_of(op, STABLEHLO_TORCH_INDEX_SELECT_batch_dims)->i;
    TSR_TRY(tsr_hlo_check_dim(op, dim, t->n, "dim", "rank-of('operand')", false));
    TSR_TRY(tsr_hlo_check_dim(op, shared, index->n < dim ? index->n : dim, "batch_dims",
                              "rank-of('index') and dim", true));
    tsr_hlo_shape s;
    tsr_hlo_shape_start(&s, t->n - 1 + index->n - (size_t)shared, false);
    size_t n = 0;
    for (int64_t i = 0; i < dim; i++)
        s.dims[n++] = t->dims[i];
    for (int64_t i = shared; i < index->n; i++)
        s.dims[n++] = index->dims[i];
    for (int64_t i = dim + 1; i < t->n; i++)
        s.dims[n++] = t->dims[i];
    tsr_vec_push(out, tsr_hlo_shape_done(&s, t->elem, NULL));
    return true;
}
