/* SPDX-License-Identifier: Apache-2.0 */
/* machine.h - measured peak rates of this machine, for comparison with the times of groups, and for simulators. */
#ifndef TSR_EXEC_MACHINE_H
#define TSR_EXEC_MACHINE_H

#include "base/status.h"
#include "eval/tensor.h"

enum { TSR_MACHINE_VERSION = 1 };

/* Rate on one thread, and on all threads together. */
typedef struct {
    double one, all;
} tsr_machine_rate;

enum {
#define GEMM(name, type, to) TSR_MACHINE_GEMM_##name,
#include "exec/cpu/machine.def"
    TSR_MACHINE_GEMMS
};
enum {
#define FUNCTION(name) TSR_MACHINE_##name,
#include "exec/cpu/machine.def"
    TSR_MACHINE_FUNCTIONS
};

typedef struct tsr_machine {
    char name[64]; /* "x86_64 avx2" */
    int threads;
    tsr_machine_rate bandwidth;               /* bytes per second, read and written, in memory */
    tsr_machine_rate gemm[TSR_MACHINE_GEMMS]; /* flops per second */
    /* f32 elements per second, in the nearest cache, on one thread. */
    double function[TSR_MACHINE_FUNCTIONS];
    double dispatch; /* seconds to begin and end a loop on all threads */
} tsr_machine;

/* Measures for about so many seconds. False: no memory. */
bool tsr_machine_measure(tsr_machine *out, double seconds);
void tsr_machine_write(const tsr_machine *m, tsr_buf *out);
/* False: the status has the error and its position in the text. */
bool tsr_machine_read(tsr_machine *out, tsr_str text, tsr_status *status);
/* Flops per second of products with operands of this type, or of f32 if the type was not measured. all: on all
 * threads. */
double tsr_machine_flops(const tsr_machine *m, tsr_dtype type, bool all);

#endif
