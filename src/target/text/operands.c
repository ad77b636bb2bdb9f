/* SPDX-License-Identifier: Apache-2.0 */
/* operands.c - what the operands of instructions are: registers name values, text names what computes them. */
#include "target/text/text.h"

void tsr_text_operands(const tsr_xgroup *g, uint32_t n, uint32_t *in, size_t each)
{
    uint32_t *made = tsr_xmalloc((g->nregister + 1) * sizeof *made);
    memset(made, 0, (g->nregister + 1) * sizeof *made);
    for (uint32_t i = 0; i < n; i++) {
        const tsr_instr *o = &g->code[i];
        uint32_t *of = (uint32_t *)(void *)((char *)in + i * each);
        for (uint8_t k = 0; k < o->nin; k++)
            of[k] = made[o->in[k]];
        if (o->kind != TSR_I_STORE)
            made[o->out] = i;
    }
    tsr_free(made);
}
