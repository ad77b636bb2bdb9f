/* ttnn.h - programs of TTNN before they run: layouts fit tensors and ops, nothing is used after it was given back, and the device has the
 * memory.
 *
 * Values alone do not show a wrong layout: an op that is given rows where it works on tiles computes garbage on a device, and the right
 * numbers here. So it is an error at the op. Tensors without a layout are left alone. */
#ifndef TSR_CHECK_TTNN_H
#define TSR_CHECK_TTNN_H

#include "ir/ir.h"

/* Bytes of one device, and where it needs most. */
typedef struct {
    bool known;                    /* the module describes its device */
    uint64_t dram_size, l1_size;   /* L1 of all cores */
    uint64_t dram_peak, l1_peak;   /* tensors that are alive at a time */
    const tsr_op *dram_at, *l1_at; /* NULL: the arguments */
    uint32_t
        leaks; /* tensors on the device that nobody gives back, in functions that give others back */
} tsr_device_memory;

/* False: something is wrong, and errors are told at their ops. out: NULL, or what the function takes. strict: tensors that are not given
 * back are errors. */
bool tsr_ttnn_check(tsr_module *m, const tsr_op *func, bool strict, tsr_device_memory *out);
/* What it says, in lines. */
void tsr_device_memory_print(const tsr_device_memory *d, tsr_buf *out);

#endif
