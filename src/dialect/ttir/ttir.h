/* SPDX-License-Identifier: Apache-2.0 */
/* ttir.h - the meaning of TTIR's attributes for several layers; dialect/params.h has those that are decoded. */
#ifndef TSR_DIALECT_TTIR_TTIR_H
#define TSR_DIALECT_TTIR_TTIR_H

#include "dialect/dialect.h"

/* The pattern of ttir.rearrange, 'b h w c -> (b h) w c': input dimensions in the order of the result, and how many of
 * them each result dimension combines. */
enum { TSR_TTIR_ORDER_MAX = 64 };
typedef struct {
    size_t nin, nout;
    size_t dims[TSR_TTIR_ORDER_MAX];  /* nin: input dimensions, outermost first */
    size_t sizes[TSR_TTIR_ORDER_MAX]; /* nout: how many of dims each result dimension combines */
} tsr_ttir_order;
/* False if the pattern is invalid, or names unknown dimensions or more than rank. */
bool tsr_ttir_rearrangement(tsr_str pattern, size_t rank, tsr_ttir_order *out);

/* A bound of a slice, counted from the front of a dimension of this size. */
static inline int64_t tsr_ttir_bound(int64_t bound, int64_t size)
{
    return bound < 0 ? bound + size : bound;
}

#endif
