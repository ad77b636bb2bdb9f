/* cache.h - what TTIR's kernels of attention, caches and experts share. */
#ifndef TSR_EVAL_KERNEL_TTIR_CACHE_H
#define TSR_EVAL_KERNEL_TTIR_CACHE_H

#include "dialect/ttir/shape.h"
#include "eval/math/strided.h"

/* The one operand of a group; NULL when it is not there. */
static inline tsr_tensor *tsr_tt_operand(const tsr_call *c, size_t group)
{
    uint32_t start, n;
    return tsr_op_operand_group(c->op, group, &start, &n) && n ? c->in[start] : NULL;
}
/* Operand 0 as it may be written: c->in[0], and the value in the frame, are this tensor from now
 * on. NULL after a failure. */
tsr_tensor *tsr_tt_open_cache(tsr_call *c);
/* Element i of a page table, a physical block of a cache; -1: the place has none. False after a
 * failure. */
bool tsr_tt_page(tsr_call *c, const tsr_tensor *pages, int64_t user, int64_t block, int64_t nblocks,
                 int64_t *out);

#endif
