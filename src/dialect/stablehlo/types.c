/* SPDX-License-Identifier: Apache-2.0 */
/* types.c - StableHLO's notions of compatible types, merged dimensions and bounds, quantized elements, and their text
 * in diagnostics. */
#include "dialect/stablehlo/types.h"

#include "dialect/builtin/quant.h"

/* ---- Parts of types ---- */

tsr_type *tsr_hlo_token(tsr_ctx *ctx)
{
    return tsr_type_dialect(ctx, &tsr_def_STABLEHLO_TOKEN, NULL);
}

tsr_type *tsr_hlo_with_element(const tsr_type *t, tsr_type *elem)
{
    if (t->elem == elem)
        return (tsr_type *)t;
    switch (t->kind) {
    case TSR_TYPE_TENSOR: return tsr_type_tensor(t->ctx, t->dims, t->n, elem, t->attr);
    case TSR_TYPE_UNRANKED_TENSOR: return tsr_type_unranked_tensor(t->ctx, elem);
    default: return elem;
    }
}

uint32_t tsr_hlo_bits(const tsr_type *elem)
{
    if (!elem)
        return 0;
    switch (elem->kind) {
    case TSR_TYPE_INTEGER:
    case TSR_TYPE_FLOAT: return elem->width;
    case TSR_TYPE_COMPLEX: return 2 * tsr_hlo_bits(elem->elem);
    case TSR_TYPE_DIALECT:
        return tsr_hlo_is_quantized(elem) ? tsr_hlo_bits(tsr_hlo_storage(elem)) : 0;
    default: return 0;
    }
}

/* ---- Quantized elements ---- */

static const tsr_type *uniform_of(const tsr_type *t)
{
    t = tsr_hlo_element(t);
    return tsr_type_is(t, TSR_TYPE_DIALECT) && t->def == &tsr_def_QUANT_UNIFORM ? t : NULL;
}

bool tsr_hlo_is_quantized(const tsr_type *t)
{
    t = tsr_hlo_element(t);
    return tsr_type_is(t, TSR_TYPE_DIALECT) &&
           (t->def == &tsr_def_QUANT_UNIFORM || t->def == &tsr_def_QUANT_ANY ||
            t->def == &tsr_def_QUANT_CALIBRATED);
}

bool tsr_hlo_is_per_tensor(const tsr_type *t)
{
    const tsr_type *q = uniform_of(t);
    return q && !q->params[QUANT_axis];
}

bool tsr_hlo_is_per_axis(const tsr_type *t)
{
    const tsr_type *q = uniform_of(t);
    return q && tsr_attr_is(q->params[QUANT_axis], TSR_ATTR_INT);
}

static tsr_type *type_param(const tsr_type *t, size_t i)
{
    return t->params[i] ? t->params[i]->type : NULL;
}

tsr_type *tsr_hlo_storage(const tsr_type *t)
{
    t = tsr_hlo_element(t);
    if (!tsr_hlo_is_quantized(t) || t->def == &tsr_def_QUANT_CALIBRATED)
        return NULL;
    return type_param(t, QUANT_storage);
}

tsr_type *tsr_hlo_expressed(const tsr_type *t)
{
    t = tsr_hlo_element(t);
    if (!tsr_hlo_is_quantized(t))
        return NULL;
    bool calibrated = t->def == &tsr_def_QUANT_CALIBRATED;
    return type_param(t, calibrated ? (size_t)QUANT_CALIBRATED_expressed : (size_t)QUANT_expressed);
}

int64_t tsr_hlo_quantized_dim(const tsr_type *t)
{
    return tsr_hlo_is_per_axis(t) ? uniform_of(t)->params[QUANT_axis]->i : -1;
}

size_t tsr_hlo_num_scales(const tsr_type *t)
{
    const tsr_type *q = uniform_of(t);
    return q ? tsr_hlo_len(q->params[QUANT_scales]) : 0;
}

double tsr_hlo_scale(const tsr_type *t, size_t i)
{
    double scale;
    memcpy(&scale, uniform_of(t)->params[QUANT_scales]->s.data + i * sizeof scale, sizeof scale);
    return scale;
}

int64_t tsr_hlo_zero_point(const tsr_type *t, size_t i)
{
    return tsr_attr_int_at(uniform_of(t)->params[QUANT_zero_points], i);
}

bool tsr_hlo_same_scales(const tsr_type *a, const tsr_type *b)
{
    if (!tsr_hlo_is_per_axis(a) || !tsr_hlo_is_per_axis(b))
        return false;
    /* As many as both have: a difference in number depends on the dimension's size. */
    size_t na = tsr_hlo_num_scales(a), nb = tsr_hlo_num_scales(b);
    for (size_t i = 0; i < na && i < nb; i++)
        if (tsr_hlo_scale(a, i) != tsr_hlo_scale(b, i) ||
            tsr_hlo_zero_point(a, i) != tsr_hlo_zero_point(b, i))
            return false;
    return true;
}

bool tsr_hlo_verify_scale(const tsr_op *op, tsr_type *a, tsr_type *b)
{
    if (!tsr_hlo_is_per_tensor(a) || !tsr_hlo_is_per_tensor(b) ||
        tsr_hlo_element(a) == tsr_hlo_element(b))
        return true;
    return tsr_hlo_error(op, "expect same quantization scale and zero_point but got %s vs %s",
                         tsr_hlo_show_type(a), tsr_hlo_show_type(b));
}

bool tsr_hlo_verify_scales(const tsr_op *op, tsr_type *a, tsr_type *b)
{
    if (!tsr_hlo_is_per_axis(a) || !tsr_hlo_is_per_axis(b) || tsr_hlo_same_scales(a, b))
        return true;
    return tsr_hlo_error(op, "expect same quantization scales and zero_points but got %s vs %s",
                         tsr_hlo_show_type(a), tsr_hlo_show_type(b));
}

/* ---- Compatibility ---- */

static bool is_unranked(const tsr_type *t)
{
    return t->kind == TSR_TYPE_UNRANKED_TENSOR || t->kind == TSR_TYPE_UNRANKED_MEMREF;
}

bool tsr_hlo_compatible_shape(const tsr_type *a, const tsr_type *b)
{
    if (!tsr_type_is_shaped(a) || !tsr_type_is_shaped(b))
        return tsr_type_is_shaped(a) == tsr_type_is_shaped(b);
    if (is_unranked(a) || is_unranked(b))
        return true;
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (!tsr_hlo_dims_compatible(a->dims[i], b->dims[i]))
            return false;
    return true;
}

static bool within(const int64_t *dims, size_t n, const int64_t *bounds)
{
    for (size_t i = 0; bounds && i < n; i++)
        if (bounds[i] != TSR_DYNAMIC && dims[i] > bounds[i])
            return false;
    return true;
}

bool tsr_hlo_compatible_bounded(const tsr_type *a, const tsr_type *b)
{
    if (!tsr_hlo_compatible_shape(a, b))
        return false;
    if (!tsr_hlo_is_ranked(a) || !tsr_hlo_is_ranked(b))
        return true;
    return within(a->dims, a->n, tsr_hlo_bounds(b)) && within(b->dims, b->n, tsr_hlo_bounds(a));
}

static int64_t range_end(const tsr_type *q,
                         size_t i) /* of stored integers; calibrated types have none */
{
    return q->def != &tsr_def_QUANT_CALIBRATED ? q->params[i]->i : 0;
}

bool tsr_hlo_compatible_element(const tsr_type *a, const tsr_type *b)
{
    a = tsr_hlo_element(a);
    b = tsr_hlo_element(b);
    if (a == b)
        return true;
    if (!tsr_hlo_is_quantized(a) || !tsr_hlo_is_quantized(b))
        return false;
    return tsr_hlo_storage(a) == tsr_hlo_storage(b) &&
           tsr_hlo_expressed(a) == tsr_hlo_expressed(b) &&
           range_end(a, QUANT_min) == range_end(b, QUANT_min) &&
           range_end(a, QUANT_max) == range_end(b, QUANT_max) &&
           tsr_hlo_is_per_axis(a) == tsr_hlo_is_per_axis(b);
}

bool tsr_hlo_compatible(const tsr_type *a, const tsr_type *b)
{
    if (a == b)
        return true;
    if (tsr_type_is_shaped(a) && tsr_type_is_shaped(b) && !tsr_hlo_compatible_bounded(a, b))
        return false;
    return tsr_hlo_compatible_element(a, b);
}

bool tsr_hlo_compatible_all(tsr_type *const *a, size_t na, tsr_type *const *b, size_t nb)
{
    if (na != nb)
        return false;
    for (size_t i = 0; i < na; i++)
        if (!tsr_hlo_compatible(a[i], b[i]))
            return false;
    return true;
}

bool tsr_hlo_shape_fits(const int64_t *dims, size_t n, const tsr_type *t)
{
    for (size_t i = 0; i < n; i++)
        if (dims[i] < 0)
            return false;
    if (!tsr_type_is_shaped(t))
        return false;
    if (is_unranked(t))
        return true;
    if (t->n != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!tsr_hlo_dims_compatible(dims[i], t->dims[i]))
            return false;
    return within(dims, n, tsr_hlo_bounds(t));
}

bool tsr_hlo_same_element(const tsr_type *a, const tsr_type *b, bool any_float)
{
    a = tsr_hlo_element(a);
    b = tsr_hlo_element(b);
    return a == b ||
           (any_float && tsr_type_is(a, TSR_TYPE_FLOAT) && tsr_type_is(b, TSR_TYPE_FLOAT));
}

bool tsr_hlo_same_shape_and_element(const tsr_type *a, const tsr_type *b, bool any_float)
{
    return tsr_hlo_compatible_shape(a, b) && tsr_hlo_same_element(a, b, any_float);
}

bool tsr_hlo_promotable(const tsr_type *a, const tsr_type *b, bool any_float)
{
    if (!tsr_type_is_shaped(a) || !tsr_type_is_shaped(b))
        return false;
    const tsr_type *x = a->elem, *y = b->elem;
    bool same = x->kind == y->kind && (x->kind == TSR_TYPE_INTEGER || x->kind == TSR_TYPE_FLOAT ||
                                       x->kind == TSR_TYPE_COMPLEX);
    if (tsr_hlo_is_quantized(x) && tsr_hlo_is_quantized(y))
        same = tsr_hlo_expressed(x) == tsr_hlo_expressed(y);
    return same && ((any_float && x->kind == TSR_TYPE_FLOAT) || tsr_hlo_bits(x) <= tsr_hlo_bits(y));
}

/* ---- Bounds ---- */

const int64_t *tsr_hlo_bounds(const tsr_type *t)
{
    if (!tsr_hlo_is_ranked(t) || !t->attr || !t->n ||
        !tsr_attr_is_struct(t->attr, &tsr_def_STABLEHLO_BOUNDS))
        return NULL;
    const tsr_attr *list = t->attr->attrs[0];
    /* The list is i64 data in an aligned arena; a list of another length was rejected when it was read. */
    return tsr_hlo_len(list) == t->n ? (const int64_t *)(const void *)list->s.data : NULL;
}

bool tsr_hlo_verify_encoding(tsr_loc loc, const tsr_type *tensor, const tsr_attr *encoding)
{
    if (!tsr_attr_is_struct(encoding, &tsr_def_STABLEHLO_BOUNDS))
        return true;
    const tsr_attr *bounds = encoding->attrs[0];
    if (tsr_hlo_len(bounds) != tensor->n)
        return tsr_error(tensor->ctx, loc,
                         "Bounds length is %zu, expected to be equal to rank(%u) of the tensor %s",
                         tsr_hlo_len(bounds), tensor->n, tsr_hlo_show_type(tensor));
    for (uint32_t i = 0; i < tensor->n; i++)
        if (tsr_hlo_at(bounds, i) != TSR_DYNAMIC && tensor->dims[i] != TSR_DYNAMIC)
            return tsr_error(tensor->ctx, loc,
                             "Static dimension %u cannot have a bound, use ShapedType::kDynamic to "
                             "indicate a missing "
                             "bound in tensor %s",
                             i, tsr_hlo_show_type(tensor));
    return true;
}

tsr_attr *tsr_hlo_encoding(tsr_ctx *ctx, tsr_attr *like, const int64_t *bounds, size_t n)
{
    if (!bounds)
        return like;
    for (size_t i = 0; i < n; i++)
        if (bounds[i] != TSR_DYNAMIC) {
            tsr_attr *list = tsr_attr_i64_array(ctx, bounds, n);
            return tsr_attr_struct(ctx, &tsr_def_STABLEHLO_BOUNDS, &list);
        }
    return NULL;
}

tsr_type *tsr_hlo_tensor_like(const tsr_type *like, const int64_t *dims, size_t n,
                              const int64_t *bounds)
{
    return tsr_type_tensor(like->ctx, dims, n, like->elem,
                           tsr_hlo_encoding(like->ctx, like->attr, bounds, n));
}

void tsr_hlo_shape_start(tsr_hlo_shape *s, size_t n, bool bounded)
{
    size_t all = bounded ? 2 * n : n;
    s->n = n;
    s->dims = all <= TSR_COUNT(s->room) ? s->room : tsr_xmalloc(all * sizeof *s->dims);
    s->bounds = bounded ? s->dims + n : NULL;
    for (size_t i = 0; i < all; i++)
        s->dims[i] = TSR_DYNAMIC;
}

void tsr_hlo_shape_drop(tsr_hlo_shape *s)
{
    if (s->dims != s->room)
        tsr_free(s->dims);
}

tsr_type *tsr_hlo_shape_done(tsr_hlo_shape *s, tsr_type *elem, tsr_attr *like)
{
    tsr_attr *encoding = tsr_hlo_encoding(elem->ctx, like, s->bounds, s->n);
    tsr_type *t = tsr_type_tensor(elem->ctx, s->dims, s->n, elem, encoding);
    tsr_hlo_shape_drop(s);
    return t;
}

/* ---- Merging ---- */

tsr_hlo_dim tsr_hlo_dim_of(const tsr_type *t, size_t i)
{
    const int64_t *bounds = tsr_hlo_bounds(t);
    return (tsr_hlo_dim){t->dims[i], bounds ? bounds[i] : TSR_DYNAMIC};
}

static int64_t limit(tsr_hlo_dim d) /* the size, or its bound */
{
    return d.size != TSR_DYNAMIC ? d.size : d.bound;
}

tsr_hlo_dim tsr_hlo_dim_concat(tsr_hlo_dim a, tsr_hlo_dim b)
{
    int64_t x = limit(a), y = limit(b), sum = TSR_DYNAMIC;
    if (x != TSR_DYNAMIC && y != TSR_DYNAMIC && x <= INT64_MAX - y)
        sum = x + y;
    bool is_static = a.size != TSR_DYNAMIC && b.size != TSR_DYNAMIC;
    return is_static ? (tsr_hlo_dim){sum, TSR_DYNAMIC} : (tsr_hlo_dim){TSR_DYNAMIC, sum};
}

static bool sizes_differ(const tsr_op *op, int64_t dim, tsr_hlo_dim a, tsr_hlo_dim b)
{
    return tsr_hlo_error(op, "Mismatched dimension sizes %lld and %lld in dimension %lld",
                         (long long)a.size, (long long)b.size, (long long)dim);
}

bool tsr_hlo_dim_most(const tsr_op *op, int64_t dim, tsr_hlo_dim a, tsr_hlo_dim b, tsr_hlo_dim *out)
{
    if (!tsr_hlo_dims_compatible(a.size, b.size))
        return sizes_differ(op, dim, a, b);
    int64_t size = a.size != TSR_DYNAMIC ? a.size : b.size;
    int64_t bound = a.bound != TSR_DYNAMIC ? a.bound : b.bound;
    if (size != TSR_DYNAMIC && bound != TSR_DYNAMIC && size > bound)
        return tsr_hlo_error(op, "Mismatched dimension size %lld and bound %lld in dimension %lld",
                             (long long)size, (long long)bound, (long long)dim);
    if (size != TSR_DYNAMIC)
        bound = TSR_DYNAMIC;
    else if (b.bound != TSR_DYNAMIC && b.bound < bound)
        bound = b.bound;
    *out = (tsr_hlo_dim){size, bound};
    return true;
}

bool tsr_hlo_dim_least(const tsr_op *op, int64_t dim, tsr_hlo_dim a, tsr_hlo_dim b,
                       tsr_hlo_dim *out)
{
    if (!tsr_hlo_dims_compatible(a.size, b.size))
        return sizes_differ(op, dim, a, b);
    if (a.size == b.size && a.size != TSR_DYNAMIC) {
        *out = (tsr_hlo_dim){a.size, TSR_DYNAMIC};
        return true;
    }
    int64_t x = limit(a), y = limit(b);
    bool bounded = x != TSR_DYNAMIC && y != TSR_DYNAMIC;
    *out = (tsr_hlo_dim){TSR_DYNAMIC, bounded ? (x > y ? x : y) : TSR_DYNAMIC};
    return true;
}

typedef bool merge_fn(const tsr_op *op, int64_t dim, tsr_hlo_dim a, tsr_hlo_dim b,
                      tsr_hlo_dim *out);

/* Ranked tensors, n > 0. */
static bool merge_ranked(const tsr_op *op, tsr_type *const *types, size_t n, merge_fn *merge,
                         tsr_type **out)
{
    const tsr_type *first = types[0];
    bool alike = true;
    for (size_t i = 1; i < n; i++) {
        if (types[i]->n != first->n)
            return tsr_hlo_error(op, "Mismatched ranks of types%u vs %u", first->n, types[i]->n);
        alike &= types[i]->attr == first->attr &&
                 !memcmp(types[i]->dims, first->dims, first->n * sizeof(int64_t));
    }
    *out = (tsr_type *)first;
    if (alike && (merge == tsr_hlo_dim_most || !tsr_hlo_bounds(first)))
        return true;
    bool ok = true;
    tsr_hlo_shape s;
    tsr_hlo_shape_start(&s, first->n, true);
    for (uint32_t d = 0; d < first->n && ok; d++) {
        tsr_hlo_dim known = tsr_hlo_dim_of(first, d);
        s.dims[d] = known.size;
        s.bounds[d] = known.bound;
    }
    for (size_t i = 1; i < n && ok; i++)
        for (uint32_t d = 0; d < first->n && ok; d++) {
            tsr_hlo_dim known = {s.dims[d], s.bounds[d]};
            ok = merge(op, d, known, tsr_hlo_dim_of(types[i], d), &known);
            s.dims[d] = known.size;
            s.bounds[d] = known.bound;
        }
    /* If the first type has no bounds, neither has the result: nothing determines their dialect. */
    if (!tsr_hlo_bounds(first))
        s.bounds = NULL;
    if (ok)
        *out = tsr_hlo_shape_done(&s, first->elem, first->attr);
    else
        tsr_hlo_shape_drop(&s);
    return ok;
}

static bool merge_shaped(const tsr_op *op, tsr_type *const *types, size_t n, merge_fn *merge,
                         tsr_type **out)
{
    tsr_type_vec ranked = {0};
    for (size_t i = 0; i < n; i++) {
        if (tsr_hlo_is_ranked(types[i])) {
            tsr_vec_push(&ranked, types[i]);
        } else if (merge == tsr_hlo_dim_least) {
            *out = types[i];
            tsr_vec_free(&ranked);
            return true;
        }
    }
    bool ok = true;
    if (ranked.n)
        ok = merge_ranked(op, ranked.data, ranked.n, merge, out);
    else
        *out = types[0];
    tsr_vec_free(&ranked);
    return ok;
}

static bool merge_tuples(const tsr_op *op, tsr_type *const *types, size_t n, merge_fn *merge,
                         tsr_type **out)
{
    const tsr_type *first = types[0];
    for (size_t i = 0; i < n; i++)
        if (types[i]->n != first->n)
            return tsr_hlo_error(op, "Mismatched tuple sizes: all tuple sizes must be the same");
    tsr_type_vec members = {0}, column = {0};
    bool ok = true;
    for (uint32_t m = 0; m < first->n && ok; m++) {
        tsr_type *member = NULL;
        column.n = 0;
        for (size_t i = 0; i < n; i++)
            tsr_vec_push(&column, types[i]->types[m]);
        ok = merge_shaped(op, column.data, n, merge, &member);
        if (ok)
            tsr_vec_push(&members, member);
    }
    if (ok)
        *out = tsr_type_tuple(first->ctx, members.data, members.n);
    tsr_vec_free(&members);
    tsr_vec_free(&column);
    return ok;
}

static bool merge_types(const tsr_op *op, tsr_type *const *types, size_t n, merge_fn *merge,
                        tsr_type **out)
{
    size_t ntuple = 0, nsame = 0;
    for (size_t i = 0; i < n; i++) {
        ntuple += types[i]->kind == TSR_TYPE_TUPLE;
        nsame += types[i] == types[0];
    }
    if (n && nsame == n && types[0]->kind == TSR_TYPE_TENSOR &&
        !types[0]->attr) { /* nearly always */
        *out = types[0];
        return true;
    }
    if (!ntuple)
        return merge_shaped(op, types, n, merge, out);
    if (ntuple != n)
        return tsr_hlo_error(
            op,
            "Mismatched type kinds: either all types must be tuples, or no types must be tuples");
    return merge_tuples(op, types, n, merge, out);
}

bool tsr_hlo_most_specific(const tsr_op *op, tsr_type *const *types, size_t n, tsr_type **out)
{
    return merge_types(op, types, n, tsr_hlo_dim_most, out);
}

bool tsr_hlo_least_specific(const tsr_op *op, tsr_type *const *types, size_t n, tsr_type **out)
{
    return merge_types(op, types, n, tsr_hlo_dim_least, out);
}

/* ---- Values and attributes ---- */

enum { MAX_CONST_INTS = 1 << 16 }; /* no shape is longer; larger constants count as unknown */

bool tsr_hlo_const_ints(const tsr_value *v, tsr_i64_vec *out)
{
    if (v->is_arg || !tsr_op_has(v->op, TSR_TRAIT(CONSTANT_LIKE)))
        return false;
    int slot = tsr_opdef_slot(v->op->def, TSR_STR("value"));
    const tsr_attr *a = slot >= 0 ? tsr_attr_of(v->op, slot) : NULL;
    if (!tsr_attr_is(a, TSR_ATTR_DENSE))
        return false;
    const tsr_type *elem = a->type->elem;
    int64_t n = tsr_attr_count(a);
    if ((elem->kind != TSR_TYPE_INTEGER && elem->kind != TSR_TYPE_INDEX) || n < 0 ||
        n > MAX_CONST_INTS ||
        (elem->kind == TSR_TYPE_INTEGER && (elem->width == 0 || elem->width > 64)))
        return false;
    uint32_t unused = elem->kind == TSR_TYPE_INTEGER ? 64 - elem->width : 0;
    for (int64_t i = 0; i < n; i++)
        tsr_vec_push(out, (int64_t)((uint64_t)tsr_attr_int_at(a, (size_t)i) << unused) >> unused);
    return true;
}

bool tsr_hlo_verify_shape_operand(const tsr_op *op, const tsr_value *shape, const tsr_type *result)
{
    tsr_i64_vec dims = {0};
    bool ok = true;
    if (tsr_hlo_const_ints(shape, &dims) && !tsr_hlo_shape_fits(dims.data, dims.n, result))
        ok = tsr_hlo_error(op, "output shape [%s] is incompatible with return type of operation %s",
                           tsr_hlo_show_dims(op->module->ctx, dims.data, dims.n),
                           tsr_hlo_show_type(result));
    tsr_vec_free(&dims);
    return ok;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Whether a number occurs twice in the two lists together, and which. Dimensions below 64 are marked in a mask, which
 * finds the first repetition; only lists with other numbers are sorted. */
static bool find_repeat(const tsr_attr *a, const tsr_attr *b, int64_t *repeat)
{
    size_t na = tsr_hlo_len(a), nb = tsr_hlo_len(b), n = na + nb;
    if (n < 2)
        return false;
    uint64_t seen = 0;
    size_t small = 0;
    for (; small < n; small++) {
        int64_t dim = small < na ? tsr_hlo_at(a, small) : tsr_hlo_at(b, small - na);
        if (dim < 0 || dim >= 64)
            break;
        if (seen >> dim & 1) {
            *repeat = dim;
            return true;
        }
        seen |= (uint64_t)1 << dim;
    }
    if (small == n)
        return false;
    int64_t *all = tsr_xmalloc(n * sizeof *all);
    bool found = false;
    for (size_t i = 0; i < n; i++)
        all[i] = i < na ? tsr_hlo_at(a, i) : tsr_hlo_at(b, i - na);
    qsort(all, n, sizeof *all, by_value);
    for (size_t i = 1; i < n && !found; i++)
        if (all[i] == all[i - 1]) {
            found = true;
            *repeat = all[i];
        }
    tsr_free(all);
    return found;
}

bool tsr_hlo_is_unique(const tsr_attr *dims)
{
    int64_t repeat;
    return !find_repeat(dims, NULL, &repeat);
}

bool tsr_hlo_repeats(const tsr_attr *a, const tsr_attr *b)
{
    int64_t repeat;
    return find_repeat(a, b, &repeat);
}

bool tsr_hlo_check_distinct(const tsr_op *op, const tsr_attr *a, const tsr_attr *b,
                            const char *a_name, const char *b_name)
{
    int64_t repeat;
    if (!find_repeat(a, b, &repeat))
        return true;
    return tsr_hlo_error(op, "has duplicated dimension from %s and %s: %lld", a_name, b_name,
                         (long long)repeat);
}

bool tsr_hlo_check_dim(const tsr_op *op, int64_t dim, int64_t end, const char *name,
                       const char *end_name, bool inclusive)
{
    char close = inclusive ? ']' : ')';
    if (dim >= 0 && dim < end + inclusive)
        return true;
    return tsr_hlo_error(op, "Expects %s to be in range [0, %s%c i.e. [0, %lld%c. got: %lld.", name,
                         end_name, close, (long long)end, close, (long long)dim);
}

bool tsr_hlo_check_dims(const tsr_op *op, const tsr_attr *dims, int64_t end, const char *name,
                        const char *end_name)
{
    for (size_t i = 0; i < tsr_hlo_len(dims); i++) {
        int64_t dim = tsr_hlo_at(dims, i);
        if (dim < 0 || dim >= end)
            return tsr_hlo_error(
                op, "Expects each element of %s to be in range [0, %s) i.e. [0, %lld). got: %lld.",
                name, end_name, (long long)end, (long long)dim);
    }
    return true;
}

/* ---- Messages ---- */

static const char *keep(tsr_ctx *ctx, tsr_buf *b)
{
    tsr_buf_char(b, '\0');
    const char *text = tsr_arena_copy(&ctx->arena, b->data, b->len);
    tsr_buf_free(b);
    return text;
}

static bool is_silent(const tsr_ctx *ctx)
{
    return ctx->quiet || !ctx->on_diag;
}

const char *tsr_hlo_show_types(tsr_ctx *ctx, tsr_type *const *types, size_t n)
{
    tsr_buf b = {0};
    if (is_silent(ctx))
        return "";
    for (size_t i = 0; i < n; i++) {
        tsr_buf_cstr(&b, i ? ", '" : "'");
        if (ctx->print_type)
            ctx->print_type(&b, types[i]);
        tsr_buf_char(&b, '\'');
    }
    return keep(ctx, &b);
}

const char *tsr_hlo_show_type(const tsr_type *t)
{
    tsr_type *one = (tsr_type *)t;
    return tsr_hlo_show_types(t->ctx, &one, 1);
}

const char *tsr_hlo_show_dims(tsr_ctx *ctx, const int64_t *dims, size_t n)
{
    tsr_buf b = {0};
    if (is_silent(ctx))
        return "";
    for (size_t i = 0; i < n; i++) {
        tsr_buf_cstr(&b, i ? ", " : "");
        tsr_buf_int(&b, dims[i]);
    }
    return keep(ctx, &b);
}

const char *tsr_hlo_show_ints(tsr_ctx *ctx, const tsr_attr *ints)
{
    tsr_buf b = {0};
    if (is_silent(ctx))
        return "";
    for (size_t i = 0; i < tsr_hlo_len(ints); i++) {
        tsr_buf_cstr(&b, i ? ", " : "");
        tsr_buf_int(&b, tsr_hlo_at(ints, i));
    }
    return keep(ctx, &b);
}

const char *tsr_hlo_show_dim(tsr_ctx *ctx, int64_t dim)
{
    return dim == TSR_DYNAMIC ? "?" : tsr_hlo_show_dims(ctx, &dim, 1);
}
