/* machine.h - how fast this machine is, measured: what times of groups are compared with, and what a simulator begins from. */
#ifndef TSR_EXEC_MACHINE_H
#define TSR_EXEC_MACHINE_H

#include "base/status.h"
#include "eval/tensor.h"

enum { TSR_MACHINE_VERSION = 1 };

/* Of one thread, and of all together. */
typedef struct {
    double one, all;
} tsr_machine_rate;

enum {
#define GEMM(name, type, to) TSR_MACHINE_GEMM_##name,
#include "exec/run/machine.def"
    TSR_MACHINE_GEMMS
};
enum {
#define FUNCTION(name) TSR_MACHINE_##name,
#include "exec/run/machine.def"
    TSR_MACHINE_FUNCTIONS
};

typedef struct tsr_machine {
    char name[64]; /* "x86_64 avx2" */
    int threads;
    tsr_machine_rate bandwidth;               /* bytes a second: read and written, memory */
    tsr_machine_rate gemm[TSR_MACHINE_GEMMS]; /* flops a second */
    double function
        [TSR_MACHINE_FUNCTIONS]; /* elements of f32 a second, in the nearest cache, one thread */
    double dispatch;             /* seconds to begin and end a loop on all threads */
} tsr_machine;

/* Measures for about so many seconds. False: no memory. */
bool tsr_machine_measure(tsr_machine *out, double seconds);
void tsr_machine_write(const tsr_machine *m, tsr_buf *out);
/* False: the status says what is wrong in the text, and where. */
bool tsr_machine_read(tsr_machine *out, tsr_str text, tsr_status *status);
/* Flops a second of products of operands of this type; those of f32 where it has none of its own. all: of all threads. */
double tsr_machine_flops(const tsr_machine *m, tsr_dtype type, bool all);

#endif
