/* SPDX-License-Identifier: Apache-2.0 */
/* axes.h - arithmetic of axis references: parts of a mesh axis, their order, overlap, difference and union.
 *
 * A reference is an interned axis_ref attribute, so equal ones are the same pointer; so are equal names. A sub-axis
 * "x":(p)s is the part of x with p parts before it and s parts itself; its end is p * s. Nothing here trusts sizes. */
#ifndef TSR_DIALECT_SDY_AXES_H
#define TSR_DIALECT_SDY_AXES_H

#include "dialect/sdy/sdy.h"

typedef TSR_VEC(tsr_attr *) tsr_sdy_axes;

/* A set of pointers: a few are compared one by one, many are hashed. */
typedef struct {
    const void *few[16];
    uint32_t n;
    tsr_map many;
} tsr_ptr_set;
bool tsr_ptr_set_add(tsr_ptr_set *s, const void *p); /* false: it was already in the set */
bool tsr_ptr_set_has(const tsr_ptr_set *s, const void *p);
void tsr_ptr_set_free(tsr_ptr_set *s);

/* Axes of one mesh by name. */
typedef struct {
    tsr_ctx *ctx;
    const tsr_attr *mesh;
    tsr_map many; /* for large meshes */
} tsr_sdy_mesh_axes;
void tsr_sdy_mesh_axes_init(tsr_sdy_mesh_axes *m, tsr_ctx *ctx, const tsr_attr *mesh);
void tsr_sdy_mesh_axes_free(tsr_sdy_mesh_axes *m);
/* The index of the axis in the mesh; the number of axes if it has no such axis. */
uint32_t tsr_sdy_axis_index(const tsr_sdy_mesh_axes *m, const tsr_attr *name);
int64_t tsr_sdy_axis_full_size(const tsr_sdy_mesh_axes *m, const tsr_attr *name); /* 1 if unknown */

static inline const tsr_attr *tsr_sdy_axis_name(const tsr_attr *axis)
{
    return axis->attrs[SDY_AXIS_REF_name];
}
static inline bool tsr_sdy_axis_is_full(const tsr_attr *axis)
{
    return !axis->attrs[SDY_AXIS_REF_sub];
}
int64_t tsr_sdy_mul(int64_t a, int64_t b); /* saturates at the ends of int64_t */
int64_t tsr_sdy_axis_pre(const tsr_attr *axis);
int64_t tsr_sdy_sub_axis_end(const tsr_attr *axis); /* of a sub-axis */
int64_t tsr_sdy_axis_size(const tsr_sdy_mesh_axes *m, const tsr_attr *axis);
/* The product of the sizes of axes (axis_ref[]). */
int64_t tsr_sdy_sharded_size(const tsr_sdy_mesh_axes *m, const tsr_attr *axes);

/* Order by the mesh, then by position within the axis. */
bool tsr_sdy_axis_less(const tsr_sdy_mesh_axes *m, const tsr_attr *a, const tsr_attr *b);
void tsr_sdy_axes_sort(const tsr_sdy_mesh_axes *m, tsr_sdy_axes *axes);
bool tsr_sdy_axis_overlaps(const tsr_attr *a, const tsr_attr *b);
/* Whether a is a suffix of b, or b itself. */
bool tsr_sdy_axis_suffix_of(const tsr_sdy_mesh_axes *m, const tsr_attr *a, const tsr_attr *b);
/* The part of a before (after) b; NULL if there is none, or if they do not divide evenly. */
tsr_attr *tsr_sdy_axis_before(tsr_ctx *ctx, tsr_attr *a, const tsr_attr *b);
tsr_attr *tsr_sdy_axis_behind(const tsr_sdy_mesh_axes *m, tsr_attr *a, const tsr_attr *b);
/* Whether b starts where a ends, both being parts of one axis. */
bool tsr_sdy_axis_can_merge(const tsr_attr *a, const tsr_attr *b);
/* Appends axis, or extends the last one. */
void tsr_sdy_axes_add(const tsr_sdy_mesh_axes *m, tsr_sdy_axes *axes, tsr_attr *axis);
void tsr_sdy_axes_sort_and_merge(const tsr_sdy_mesh_axes *m, tsr_sdy_axes *axes);
/* The first element that overlaps axis, of sorted axes that do not overlap each other. NULL: none. */
tsr_attr *tsr_sdy_axes_overlapping(const tsr_sdy_mesh_axes *m, const tsr_sdy_axes *sorted,
                                   const tsr_attr *axis);
/* The parts of list (axis_ref[]) that are not in sorted. */
void tsr_sdy_axes_minus(const tsr_sdy_mesh_axes *m, const tsr_attr *list,
                        const tsr_sdy_axes *sorted, tsr_sdy_axes *out);

/* Prints "x":(1)2 for a message. */
void tsr_sdy_axis_print(tsr_buf *out, const tsr_attr *axis);
void tsr_sdy_axis_print_plain(tsr_buf *out, const tsr_attr *axis);      /* x:(1)2, without quotes */
void tsr_sdy_axes_print(tsr_buf *out, tsr_attr *const *axes, size_t n); /* ["x", "y"] */

#endif
