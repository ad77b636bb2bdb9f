/* SPDX-License-Identifier: Apache-2.0 */
/* strides.c - see strides.h. */
#include "dialect/sdy/strides.h"

#include "dialect/sdy/axes.h"

typedef struct {
    tsr_attr *axis;
    int64_t stride; /* in elements */
} stride;

typedef TSR_VEC(stride) stride_vec;

/* Merges sub-axes with consecutive strides. */
static void merge(const tsr_sdy_mesh_axes *mesh, stride_vec *all)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        stride *last = n ? &all->data[n - 1] : NULL, *now = &all->data[i];
        if (last && tsr_sdy_axis_can_merge(now->axis, last->axis) &&
            now->stride == tsr_sdy_mul(last->stride, tsr_sdy_axis_size(mesh, last->axis))) {
            tsr_sdy_axes both = {0};
            tsr_vec_push(&both, now->axis);
            tsr_sdy_axes_add(mesh, &both, last->axis);
            last->axis = both.data[0];
            tsr_vec_free(&both);
            continue;
        }
        all->data[n++] = *now;
    }
    all->n = n;
}

static void strides_of(const tsr_sdy_mesh_axes *mesh, const tsr_attr *sharding,
                       const tsr_type *type, stride_vec *out)
{
    int64_t inner = 1; /* number of elements of the inner dimensions */
    for (uint32_t d = type->n; d-- > 0;) {
        const tsr_attr *axes = tsr_sdy_dim_axes(sharding, d);
        int64_t parts = tsr_sdy_sharded_size(mesh, axes);
        int64_t local = parts > 0 ? type->dims[d] / parts + (type->dims[d] % parts != 0) : 0;
        int64_t at = tsr_sdy_mul(inner, local);
        for (uint32_t i = axes->n; i-- > 0;) {
            tsr_vec_push(out, ((stride){axes->attrs[i], at}));
            at = tsr_sdy_mul(at, tsr_sdy_axis_size(mesh, axes->attrs[i]));
        }
        inner = tsr_sdy_mul(inner, type->dims[d]);
    }
    /* Few, and nearly sorted: insertion sort is stable. */
    for (uint32_t i = 1; i < out->n; i++)
        for (uint32_t k = i; k > 0 && out->data[k - 1].stride > out->data[k].stride; k--) {
            stride t = out->data[k];
            out->data[k] = out->data[k - 1];
            out->data[k - 1] = t;
        }
    merge(mesh, out);
}

bool tsr_sdy_same_layout(const tsr_op *op, const tsr_attr *a, const tsr_type *ta, const tsr_attr *b,
                         const tsr_type *tb)
{
    if (a == b && ta == tb)
        return true;
    const tsr_attr *mesh = a && b ? tsr_sdy_mesh_of(op, a) : NULL;
    if (!mesh || a->attrs[SDY_SHARDING_mesh] != b->attrs[SDY_SHARDING_mesh] ||
        a->attrs[SDY_SHARDING_replicated] != b->attrs[SDY_SHARDING_replicated])
        return false;
    if (!tsr_type_is(ta, TSR_TYPE_TENSOR) || !tsr_type_is(tb, TSR_TYPE_TENSOR) || ta->attr ||
        tb->attr || !tsr_type_has_static_shape(ta) || !tsr_type_has_static_shape(tb) ||
        tsr_sdy_dims(a)->n != ta->n || tsr_sdy_dims(b)->n != tb->n)
        return false;
    tsr_sdy_mesh_axes axes;
    tsr_sdy_mesh_axes_init(&axes, op->module->ctx, mesh);
    stride_vec one = {0}, two = {0};
    strides_of(&axes, a, ta, &one);
    strides_of(&axes, b, tb, &two);
    bool same = one.n == two.n;
    for (uint32_t i = 0; same && i < one.n; i++)
        same = one.data[i].axis == two.data[i].axis && one.data[i].stride == two.data[i].stride;
    tsr_vec_free(&one);
    tsr_vec_free(&two);
    tsr_sdy_mesh_axes_free(&axes);
    return same;
}
