/* SPDX-License-Identifier: Apache-2.0 */
/* cache.h - shared by TTIR's kernels of attention, caches and experts. */
#ifndef TSR_EVAL_KERNEL_TTIR_CACHE_H
#define TSR_EVAL_KERNEL_TTIR_CACHE_H

#include "dialect/ttir/shape.h"
#include "eval/math/strided.h"

/* The only operand of a group; NULL if it is absent. */
static inline tsr_tensor *tsr_tt_operand(const tsr_call *c, size_t group)
{
    uint32_t start, n;
    return tsr_op_operand_group(c->op, group, &start, &n) && n ? c->in[start] : NULL;
}
/* Operand 0 for writing: from now on c->in[0] and the value in the frame are this tensor. NULL after a failure. */
tsr_tensor *tsr_tt_open_cache(tsr_call *c);
/* Whether a position is one of the cache's rows. False after a failure. */
bool tsr_tt_in_cache(tsr_call *c, int64_t at, int64_t rows);
/* Element i of a page table, a physical block of a cache; -1 if there is none. False after a failure. */
bool tsr_tt_page(tsr_call *c, const tsr_tensor *pages, int64_t user, int64_t block, int64_t nblocks,
                 int64_t *out);

#endif
