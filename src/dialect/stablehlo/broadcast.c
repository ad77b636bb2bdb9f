/* SPDX-License-Identifier: Apache-2.0 */
/* broadcast.c - NumPy's broadcasting with bounded dimensions: the common shape, and ops that broadcast a value to
 * it. */
#include "dialect/stablehlo/broadcast.h"

static tsr_loc place(const tsr_value *v)
{
    return v->is_arg ? v->block->arg_locs[v->index] : v->op->loc;
}

static bool extents_of(tsr_ctx *ctx, tsr_value *v, tsr_extent_vec *out)
{
    const int64_t *bounds = tsr_hlo_bounds(v->type);
    if (!tsr_hlo_is_ranked(v->type))
        return tsr_error(ctx, place(v), "expected ranked tensor type for broadcast inputs");
    for (uint32_t i = 0; i < v->type->n; i++) {
        bool bounded = bounds && v->type->dims[i] == TSR_DYNAMIC;
        tsr_vec_push(out, bounded ? (tsr_extent){bounds[i], v, i}
                                  : (tsr_extent){v->type->dims[i], NULL, 0});
    }
    return true;
}

/* Merges two extents of the same dimension; v is named in diagnostics. */
static bool merge(tsr_ctx *ctx, const tsr_value *v, tsr_extent *a, tsr_extent b)
{
    if (b.size == 1)
        return true;
    if (a->size == 1) {
        *a = b;
        return true;
    }
    if (a->size != b.size)
        return tsr_error(ctx, place(v), "incompatible shapes for broadcasting %lld and %lld",
                         (long long)a->size, (long long)b.size);
    if (!a->of != !b.of)
        return tsr_error(ctx, place(v), "cannot mix bounded and static dimensions in broadcast");
    return true;
}

/* Merges b into a; both are aligned at their ends. */
static bool merge_all(tsr_ctx *ctx, const tsr_value *v, tsr_extent_vec *a, const tsr_extent_vec *b)
{
    size_t longer = b->n > a->n ? b->n - a->n : 0;
    for (size_t i = 0; i < longer; i++)
        tsr_vec_push(a, (tsr_extent){1, NULL, 0});
    if (longer) {
        memmove(a->data + longer, a->data, (a->n - longer) * sizeof *a->data);
        for (size_t i = 0; i < longer; i++)
            a->data[i] = (tsr_extent){1, NULL, 0};
    }
    for (size_t i = 1; i <= b->n; i++)
        TSR_TRY(merge(ctx, v, &a->data[a->n - i], b->data[b->n - i]));
    return true;
}

bool tsr_broadcast_shape(tsr_ctx *ctx, tsr_loc loc, tsr_value *const *values, size_t n,
                         tsr_extent_vec *out)
{
    if (!n)
        return tsr_error(ctx, loc, "requires at least one operand to broadcast");
    bool ok = extents_of(ctx, values[0], out);
    for (size_t i = 1; ok && i < n; i++) {
        tsr_extent_vec next = {0};
        ok = extents_of(ctx, values[i], &next) && merge_all(ctx, values[i], out, &next);
        tsr_vec_free(&next);
    }
    return ok;
}

tsr_type *tsr_broadcast_type(const tsr_extent_vec *shape, tsr_type *elem)
{
    tsr_ctx *ctx = elem->ctx;
    tsr_i64_vec dims = {0}, bounds = {0};
    for (size_t i = 0; i < shape->n; i++) {
        const tsr_extent *e = &shape->data[i];
        tsr_vec_push(&dims, e->of ? TSR_DYNAMIC : e->size);
        tsr_vec_push(&bounds, e->of ? e->size : TSR_DYNAMIC);
    }
    tsr_attr *encoding = shape->n ? tsr_hlo_encoding(ctx, NULL, bounds.data, shape->n) : NULL;
    tsr_type *type = tsr_type_tensor(ctx, dims.data, shape->n, elem, encoding);
    tsr_vec_free(&dims);
    tsr_vec_free(&bounds);
    return type;
}

static tsr_value *set_size(const tsr_shaper *s, tsr_value *v, int64_t dim, const tsr_extent *e,
                           tsr_type *elem, tsr_extent_vec *now)
{
    tsr_value *in[] = {e->of};
    tsr_type *size = tsr_type_tensor(s->ctx, NULL, 0, s->ctx->i32, NULL);
    tsr_value *n = tsr_shaper_op(s, TSR_OP_STABLEHLO_GET_DIMENSION_SIZE, in, 1, size);
    n->op->attrs[STABLEHLO_GET_DIMENSION_SIZE_dimension] = tsr_attr_i64(s->ctx, e->dim);
    now->data[dim] = *e;
    tsr_value *both[] = {v, n};
    v = tsr_shaper_op(s, TSR_OP_STABLEHLO_SET_DIMENSION_SIZE, both, 2,
                      tsr_broadcast_type(now, elem));
    v->op->attrs[STABLEHLO_SET_DIMENSION_SIZE_dimension] = tsr_attr_i64(s->ctx, dim);
    return v;
}

/* Broadcasts to the full size first, bounded only where v is; then sets each dimension that is bounded only in the
 * shape. */
static tsr_value *broadcast(const tsr_shaper *s, tsr_value *v, const tsr_extent_vec *shape,
                            tsr_extent_vec *now)
{
    size_t ahead = shape->n - v->type->n;
    tsr_i64_vec dims = {0};
    for (size_t i = 0; i < now->n; i++)
        tsr_vec_push(&dims, (int64_t)(ahead + i));
    tsr_extent_vec full = {0};
    for (size_t i = 0; i < shape->n; i++) {
        bool bounded = i >= ahead && now->data[i - ahead].of;
        tsr_vec_push(&full, bounded ? shape->data[i] : (tsr_extent){shape->data[i].size, NULL, 0});
    }
    tsr_value *in[] = {v};
    tsr_value *wide = tsr_shaper_op(s, TSR_OP_STABLEHLO_BROADCAST_IN_DIM, in, 1,
                                    tsr_broadcast_type(&full, v->type->elem));
    wide->op->attrs[STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions] =
        tsr_attr_i64_array(s->ctx, dims.data, dims.n);
    for (size_t i = 0; i < shape->n; i++)
        if (shape->data[i].of && !full.data[i].of)
            wide = set_size(s, wide, (int64_t)i, &shape->data[i], v->type->elem, &full);
    tsr_vec_free(&dims);
    tsr_vec_free(&full);
    return wide;
}

tsr_value *tsr_broadcast_to(const tsr_shaper *s, tsr_value *v, const tsr_extent_vec *shape)
{
    tsr_extent_vec now = {0};
    tsr_value *out = NULL;
    if (!extents_of(s->ctx, v, &now))
        return NULL;
    if (tsr_broadcast_type(shape, v->type->elem) == v->type) {
        out = v;
    } else if (now.n > shape->n) {
        tsr_error(s->ctx, place(v), "input rank must be <= output rank, got %zu vs %zu", now.n,
                  shape->n);
    } else {
        bool fits = true;
        for (size_t i = 0; i < now.n; i++) {
            int64_t size = now.data[i].size;
            fits &= size == 1 || size == shape->data[shape->n - now.n + i].size;
        }
        if (fits)
            out = broadcast(s, v, shape, &now);
        else
            tsr_error(s->ctx, place(v), "Cannot broadcast input: %s to the common shape",
                      tsr_hlo_show_type(v->type));
    }
    tsr_vec_free(&now);
    return out;
}
