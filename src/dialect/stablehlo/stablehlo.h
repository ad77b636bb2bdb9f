/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo.h - assembly shared by the files of StableHLO and CHLO. */
#ifndef TSR_DIALECT_STABLEHLO_STABLEHLO_H
#define TSR_DIALECT_STABLEHLO_STABLEHLO_H

#include "dialect/dialect.h"
#include "dialect/params.h"

/* A field of an attribute like #stablehlo.gather<...>: a list of numbers, or one number. */
typedef struct {
    const char *key;
    bool is_list;
} tsr_hlo_field;

/* <key = [1, 2], key = 3, ...>: fields in any order; those not given are empty or 0, and are not written. what: names
 * the attribute in the diagnostic. */
bool tsr_hlo_fields(tsr_asm *a, const tsr_hlo_field *fields, size_t n, const char *what,
                    tsr_attr **params);

/* [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]: the nine params of #stablehlo.conv. */
bool tsr_hlo_conv_dims(tsr_asm *a, tsr_attr **params);
/* Whether the params can be written in that form. */
bool tsr_hlo_conv_is_regular(tsr_attr *const *params);

/* A function type, or one type for all nin operands and the only result. */
bool tsr_hlo_assign_function(tsr_asm *a, tsr_loc loc, const tsr_type *function, size_t nin);

/* ---- Rules of attributes and types themselves (verify_attr.c); p: their parameters ---- */
bool tsr_hlo_dot_algorithm_ok(tsr_ctx *ctx, tsr_loc loc, tsr_attr *const *p);
bool tsr_hlo_accuracy_ok(tsr_ctx *ctx, tsr_loc loc, tsr_attr *const *p);
bool tsr_hlo_future_ok(tsr_ctx *ctx, tsr_loc loc, const tsr_attr *types);

/* Reading: a dictionary, then the elements of a constant, whose type is the result's. */
bool tsr_hlo_read_constant(tsr_asm *a, tsr_attr **value);

#endif
