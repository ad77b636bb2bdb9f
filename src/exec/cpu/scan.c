/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c - runs scans along a dimension. */
#include "exec/kernel/scan.h"
#include "exec/cpu/move.h"

void tsr_run_scan(const tsr_run *r, const tsr_node *n)
{
    const tsr_xvalue *x = &r->p->values.data[n->out[0]];
    tsr_dtype type = (tsr_dtype)x->dtype;
    tsr_scan s = {.join = tsr_join_of((tsr_tile_op)n->numbers[2], type),
                  .in = tsr_run_at(r, n->in[0]),
                  .out = r->at[n->out[0]],
                  .outer = 1,
                  .n = x->dims[n->numbers[0]],
                  .inner = 1,
                  .bytes = tsr_dtype_bytes(type),
                  .backwards = n->numbers[1] != 0,
                  .from_zero = n->numbers[3] != 0};
    s.block = tsr_scan_block(r->p->strict, type, s.n);
    for (int64_t i = 0; i < x->rank; i++)
        *(i < n->numbers[0] ? &s.outer : &s.inner) *= i == n->numbers[0] ? 1 : x->dims[i];
    tsr_scan_run(&s);
}
