/* SPDX-License-Identifier: Apache-2.0 */
/* ttnn.h - checks TTNN programs before they run: layouts fit tensors and ops, nothing is used after it was deallocated,
 * and tensors fit into the device's memory.
 *
 * Values alone do not show a wrong layout: an op that is given rows where it works on tiles computes garbage on a
 * device, but the right numbers here. So a wrong layout is an error at the op. Tensors without a layout are ignored. */
#ifndef TSR_CHECK_TTNN_H
#define TSR_CHECK_TTNN_H

#include "ir/ir.h"

/* Memory use of one device in bytes, and where it peaks. */
typedef struct {
    bool known;                    /* the module describes its device */
    uint64_t dram_size, l1_size;   /* L1 of all cores */
    uint64_t dram_peak, l1_peak;   /* peak of live tensors */
    const tsr_op *dram_at, *l1_at; /* NULL: the arguments */
    /* tensors on the device that are never deallocated, in functions that deallocate others */
    uint32_t leaks;
} tsr_device_memory;

/* False: there are errors, reported at their ops. out: NULL, or receives the memory use of the function. strict:
 * tensors that are never deallocated are errors. */
bool tsr_ttnn_check(tsr_module *m, const tsr_op *func, bool strict, tsr_device_memory *out);
/* Prints it, in lines. */
void tsr_device_memory_print(const tsr_device_memory *d, tsr_buf *out);

#endif
