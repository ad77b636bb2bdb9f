/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.h - prototypes of all kernels, from the EVAL column, for the files that define them. */
#ifndef TSR_EVAL_KERNEL_KERNELS_H
#define TSR_EVAL_KERNEL_KERNELS_H

#include "eval/eval.h"

#include "eval/kernel/kernels_tables.h"

#endif
