/* SPDX-License-Identifier: Apache-2.0 */
/* make.h - builders of StableHLO ops for partitioning. Unlike those of tsr_build, nothing is shared or omitted: every
 * call creates an op, constants included, so that the output matches Shardy's. */
#ifndef TSR_SHARD_CORE_MAKE_H
#define TSR_SHARD_CORE_MAKE_H

#include "dialect/stablehlo/build.h"

tsr_value *tsr_make_constant(tsr_build *b, tsr_attr *value);
tsr_value *tsr_make_int(tsr_build *b, tsr_type *elem, int64_t number);     /* a scalar */
tsr_value *tsr_make_ints(tsr_build *b, const int64_t *numbers, int64_t n); /* tensor<nxi64> */
tsr_value *tsr_make_flags(tsr_build *b, const bool *flags, int64_t n);     /* tensor<nxi1> */
tsr_value *tsr_make_reshape(tsr_build *b, tsr_value *v, const int64_t *dims, size_t n);
tsr_value *tsr_make_transpose(tsr_build *b, tsr_value *v, const int64_t *order);
tsr_value *tsr_make_convert(tsr_build *b, tsr_value *v, tsr_type *elem);
tsr_value *tsr_make_broadcast(tsr_build *b, tsr_value *v, const int64_t *dims, tsr_type *type);
tsr_value *tsr_make_concatenate(tsr_build *b, tsr_value *const *in, size_t n, int64_t dim,
                                tsr_type *type);
/* starts: a scalar per dimension; the type gives the sizes. */
tsr_value *tsr_make_dynamic_slice(tsr_build *b, tsr_value *v, tsr_value *const *starts,
                                  tsr_type *type);
tsr_value *tsr_make_slice(tsr_build *b, tsr_value *v, const int64_t *starts, const int64_t *limits,
                          const int64_t *strides);
tsr_value *tsr_make_pad(tsr_build *b, tsr_value *v, tsr_value *with, const int64_t *low,
                        const int64_t *high, const int64_t *interior, tsr_type *type);
tsr_value *tsr_make_iota(tsr_build *b, tsr_type *type, int64_t dim);
tsr_value *tsr_make_binary(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, tsr_value *y);
tsr_value *tsr_make_select(tsr_build *b, tsr_value *p, tsr_value *x, tsr_value *y);
/* Builds a body that combines two scalars with one op. */
void tsr_make_reducer(tsr_build *b, tsr_region *region, enum tsr_opcode opcode, tsr_type *elem);

/* The device's id: tensor<i64>. */
tsr_value *tsr_make_device_id(tsr_build *b, bool replicas);
/* Element id of a table with one entry per device: tensor<i64>. */
tsr_value *tsr_make_lookup(tsr_build *b, tsr_value *table, tsr_value *id);

/* Whether a value is known to be 0 (or -0) everywhere. */
bool tsr_is_zero(const tsr_value *v);
/* Whether both are results of constants of one kind with the same value. */
bool tsr_same_constant(const tsr_value *a, const tsr_value *b);
/* The greatest channel id inside root; 0: none. */
int64_t tsr_last_channel(tsr_op *root);

tsr_attr *tsr_int_elements(tsr_ctx *ctx, tsr_module *m, tsr_type *type, int64_t number); /* splat */
tsr_attr *tsr_i64_elements(tsr_ctx *ctx, tsr_module *m, const int64_t *dims, size_t rank,
                           const int64_t *numbers);
/* All bits zero: 0, 0.0, false. */
tsr_attr *tsr_zero_elements(tsr_ctx *ctx, tsr_module *m, tsr_type *type);
tsr_type *tsr_type_with_dims(tsr_type *t, const int64_t *dims, size_t n); /* same elements */

#endif
