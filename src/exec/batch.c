/* SPDX-License-Identifier: Apache-2.0 */
/* batch.c - see batch.h. */
#include "exec/batch.h"

int tsr_batch_dims(const tsr_contract *c, tsr_batch_dim out[TSR_BATCH_RANK])
{
    int n = c->outer ? c->outer->rank : 0;
    for (int i = 0; i < n; i++) {
        out[i].size = c->outer->size[i];
        memcpy(out[i].stride, c->outer->stride[i], sizeof out[i].stride);
    }
    out[n] = (tsr_batch_dim){c->outer ? c->outer->inner : c->side[0].batch,
                             {c->side[0].batch_stride, c->side[1].batch_stride, c->to_batch}};
    return n + 1;
}

static bool joins(const tsr_batch_dim *outer, const tsr_batch_dim *inner)
{
    bool all = true;
    for (int k = 0; k < 3; k++)
        all = all && outer->stride[k] == inner->size * inner->stride[k];
    return all;
}

bool tsr_batch_set(tsr_arena *arena, tsr_contract *c, const tsr_batch_dim *dims, int n)
{
    tsr_batch_dim d[TSR_BATCH_RANK + 1] = {{.size = 1}};
    int64_t all = 1;
    int last = -1;
    for (int i = 0; i < n; i++) {
        if (dims[i].size == 1)
            continue;
        if (last >= 0 && joins(&d[last], &dims[i])) {
            int64_t size = d[last].size * dims[i].size;
            d[last] = dims[i];
            d[last].size = size;
        } else if (last + 1 == TSR_BATCH_RANK) {
            return false;
        } else {
            d[++last] = dims[i];
        }
        all *= dims[i].size;
    }
    last = last < 0 ? 0 : last;
    c->outer = NULL;
    if (last > 0) {
        tsr_gemm_outer *outer = TSR_NEW(arena, tsr_gemm_outer);
        *outer = (tsr_gemm_outer){.rank = last, .inner = d[last].size};
        for (int i = 0; i < last; i++) {
            outer->size[i] = d[i].size;
            memcpy(outer->stride[i], d[i].stride, sizeof d[i].stride);
        }
        c->outer = outer;
    }
    for (int i = 0; i < 2; i++) {
        c->side[i].batch = all;
        c->side[i].batch_stride = d[last].stride[i];
    }
    c->to_batch = d[last].stride[TSR_OF_C];
    return true;
}
