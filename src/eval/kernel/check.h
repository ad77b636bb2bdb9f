/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - checks that are called as custom_call targets. */
#ifndef TSR_EVAL_KERNEL_CHECK_H
#define TSR_EVAL_KERNEL_CHECK_H

#include "eval/eval.h"

bool tsr_check_call_eq(tsr_call *c);               /* check.eq: returns true, or fails */
bool tsr_check_call_expect_eq(tsr_call *c);        /* check.expect_eq */
bool tsr_check_call_expect_almost_eq(tsr_call *c); /* check.expect_almost_eq: within 1e-3 */
bool tsr_check_call_expect_close(tsr_call *c);     /* check.expect_close: within 3 ULPs */

#endif
