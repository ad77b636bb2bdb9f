/* scratch.h - memory that a kernel needs while it runs. One block is kept between calls: page faults on fresh memory cost
 * more than small products. */
#ifndef TSR_EXEC_KERNEL_SCRATCH_H
#define TSR_EXEC_KERNEL_SCRATCH_H

#include <stdint.h>

/* Aligned to cache lines; NULL: out of memory. */
void *tsr_scratch_get(int64_t bytes);
void tsr_scratch_put(void *block);

#endif
