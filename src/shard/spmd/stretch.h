/* SPDX-License-Identifier: Apache-2.0 */
/* stretch.h - gives each device an arbitrary stretch of a dimension, as slices, pads, windows and concatenations on
 * shards need it.
 *
 * Positions refer to the global dimension and may be outside of it. The start of each device's stretch comes from a
 * table with an entry for each position along the axes: all sizes are static when a program is partitioned. */
#ifndef TSR_SHARD_SPMD_STRETCH_H
#define TSR_SHARD_SPMD_STRETCH_H

#include "shard/spmd/spmd.h"

/* A dimension as it is distributed. */
typedef struct {
    uint32_t dim;
    int64_t size; /* global size */
    const tsr_mesh *mesh;
    const tsr_axes *axes; /* devices that differ along them need different stretches */
    bool whole;           /* each device has all of it; else parts along these axes */
} tsr_spmd_dim;

/* Elements starts[i] .. starts[i] + len - 1 on the device at position i; fill (a scalar) where they are out of bounds,
 * or unspecified if it is NULL. */
tsr_value *tsr_spmd_stretch(tsr_spmd *s, tsr_value *v, const tsr_spmd_dim *d, const int64_t *starts,
                            int64_t len, tsr_value *fill);
/* The same for the dimension with dilation - 1 fill elements between elements; starts refer to the dilated
 * dimension. */
tsr_value *tsr_spmd_dilated_stretch(tsr_spmd *s, tsr_value *v, const tsr_spmd_dim *d,
                                    const int64_t *starts, int64_t len, int64_t dilation,
                                    tsr_value *fill);

/* Entry i on the device at position i along axes: tensor<i64>. */
tsr_value *tsr_spmd_table(tsr_spmd *s, const tsr_mesh *mesh, const tsr_axes *axes,
                          const int64_t *table);
/* first + i * step for each position. */
int64_t *tsr_spmd_steps(tsr_spmd *s, const tsr_axes *axes, int64_t first, int64_t step);

/* ---- Small ops ---- */

tsr_value *tsr_spmd_binary(tsr_spmd *s, enum tsr_opcode op, tsr_value *x, tsr_value *y);
tsr_value *tsr_spmd_select(tsr_spmd *s, tsr_value *p, tsr_value *x, tsr_value *y);
/* Elements from start up to limit, every stride-th; one entry per dimension. */
tsr_value *tsr_spmd_slice(tsr_spmd *s, tsr_value *v, const int64_t *start, const int64_t *limit,
                          const int64_t *stride);
/* One dimension padded. */
tsr_value *tsr_spmd_pad(tsr_spmd *s, tsr_value *v, uint32_t dim, int64_t low, int64_t high,
                        int64_t interior, tsr_value *fill);
/* 0, 1, 2, ... along dim plus a scalar, in the shape of v: tensor<..xi64>. */
tsr_value *tsr_spmd_positions(tsr_spmd *s, const tsr_value *v, uint32_t dim, tsr_value *start);
/* low <= x < high, scalars; x of any shape, all i64. */
tsr_value *tsr_spmd_between(tsr_spmd *s, tsr_value *x, tsr_value *low, tsr_value *high);
/* An index operand as i64, clamped to 0 .. most as slices do. */
tsr_value *tsr_spmd_clamped(tsr_spmd *s, tsr_value *index, int64_t most);

/* v on the devices where keep (one i1 per element) is true and nothing elsewhere, combined along axes: exactly one
 * device keeps each element, and all receive it bit by bit. tsr_spmd_can_pick: whether its element type allows this. */
bool tsr_spmd_can_pick(const tsr_type *elem);
tsr_value *tsr_spmd_pick(tsr_spmd *s, tsr_value *v, tsr_value *keep, const tsr_mesh *mesh,
                         const tsr_axes *axes);

/* ---- Ops ---- */

/* Whether all tensors of the op are static, not empty, and numeric, and it has a rule with axes for some of them: the
 * precondition of hooks that work on shards. */
bool tsr_spmd_usual(tsr_spmd_op *o);
/* The only factor of dimension d of a tensor; UINT32_MAX: it has several, or none. */
uint32_t tsr_spmd_factor(const tsr_spmd_op *o, uint32_t tensor, uint32_t d);
/* Drops the axes of this factor. */
void tsr_spmd_forget(tsr_spmd_op *o, uint32_t factor);
/* Drops axes of factors for which neither operands nor desired results have any: they were moved there from factors
 * that need replication. For ops with a better use for those. */
void tsr_spmd_forget_moved(tsr_spmd_op *o);
/* Whether no factor uses any of these axes, and all are compatible with them. */
bool tsr_spmd_unused(const tsr_spmd_op *o, const tsr_axes *axes);
/* Whether some factor has axes. */
bool tsr_spmd_any_axes(const tsr_spmd_op *o);
static inline int64_t tsr_spmd_chunk(int64_t size, const tsr_axes *axes)
{
    return size / axes->size + (size % axes->size != 0);
}

#endif
