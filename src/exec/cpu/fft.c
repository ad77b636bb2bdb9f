/* SPDX-License-Identifier: Apache-2.0 */
/* fft.c - runs Fourier transforms: the plans that compile/fft.c made, one dimension after the other. */
#include "exec/kernel/fft.h"

#include "exec/cpu/move.h"
#include "exec/fft.h"

void tsr_run_fft(const tsr_run *r, const tsr_node *n)
{
    const tsr_xvalue *x = &r->p->values.data[n->out[0]];
    const char *in = tsr_run_at(r, n->in[0]);
    for (const tsr_fft_step *p = n->fft; p; p = p->next, in = r->at[n->out[0]]) {
        int64_t outer = 1, inner = 1;
        for (int64_t i = 0; i < x->rank; i++)
            *(i < p->axis ? &outer : &inner) *= i == p->axis ? 1 : x->dims[i];
        tsr_fft_run(p->plan, in, r->at[n->out[0]], outer, inner, r->scratch, r->scratch_bytes);
    }
}
