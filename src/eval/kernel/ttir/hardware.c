/* SPDX-License-Identifier: Apache-2.0 */
/* hardware.c - ops whose meaning is not in the program: they fail with a message. */
#include "eval/kernel/kernels.h"

/* Weights and buffers of these two are in a hardware order that the program does not describe. */
bool eval_ttir_hardware(tsr_call *c)
{
    return tsr_fail(c, "cannot be evaluated: its operands are in an order of the hardware that the "
                       "program does not say");
}

bool eval_ttir_tt_lang(tsr_call *c)
{
    tsr_str id = tsr_call_attr(c, TTIR_TT_LANG_OP_kernel_id)->s;
    return tsr_fail(c, "cannot be evaluated: kernel '%.*s' is of another language",
                    TSR_STR_ARG(id));
}
