/* SPDX-License-Identifier: Apache-2.0 */
/* scan.h - each element combined with all those before it, or after it, along a dimension. */
#ifndef TSR_EXEC_KERNEL_SCAN_H
#define TSR_EXEC_KERNEL_SCAN_H

#include "exec/kernel/join.h"

typedef struct {
    tsr_join join;
    const char *in;
    char *out;                      /* may be in */
    int64_t outer, n, inner, bytes; /* of the dimension, those before and after it; of an element */
    int64_t block;
    bool backwards, from_zero; /* from_zero: a sum that begins with 0, so that it is never -0 */
} tsr_scan;
void tsr_scan_run(const tsr_scan *s);

/* How many elements a scan combines in order before it begins a new block (scan.c). With strict rounding narrow floats
 * are combined in order. */
enum { TSR_SCAN_BLOCK = 32 };
int64_t tsr_scan_block(bool strict, tsr_dtype type, int64_t n);

#endif
