/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h - runs the program of each device of a mesh: shards global inputs, and assembles global results from shards.
 *
 * A dimension of n elements in k parts has ceil(n / k) elements in each: the last ones may be padding, which is zero in
 * inputs and dropped from results. */
#ifndef TSR_EVAL_PARTS_H
#define TSR_EVAL_PARTS_H

#include "eval/eval.h"

/* The global value that an argument or a result of the program is a shard of. */
typedef struct {
    const tsr_type *global;   /* NULL: every device has the global value */
    const tsr_attr *sharding; /* with its mesh written out */
} tsr_part_of;

typedef struct tsr_parts_run {
    uint32_t replicas, partitions;
    const tsr_part_of *in, *out; /* of each argument and result */
    bool
        local; /* inputs and results are shards: nin and nout of them for each device, device by device */
    bool alike; /* each device runs a program of one device: all draw the same random numbers */
    /* With local, for engines: inputs that the caller donates, and tensors to compute results in, or NULL; NULL:
     * none. */
    tsr_tensor *const *donated, *const *into;
    int64_t differs; /* set: the first global result on which devices disagree; -1: none */
} tsr_parts_run;

/* Which part of each dimension a device has, and how many there are. False: the sharding does not fit. */
bool tsr_part_locate(const tsr_part_of *of, uint32_t device, int64_t *index, int64_t *n);

/* The same for partial values (unreduced axes). */
bool tsr_part_partial(const tsr_part_of *of, uint32_t device, int64_t *index, int64_t *n);

/* How many devices there are. */
static inline size_t tsr_parts_devices(const tsr_parts_run *run)
{
    return (size_t)run->replicas * run->partitions;
}

/* The device's shard of a global tensor; NULL after a failure. */
tsr_tensor *tsr_part_take(tsr_call *c, const tsr_part_of *of, tsr_tensor *whole, uint32_t device);
/* Assembles global results from those of all devices, nout each, as tsr_eval_parts returns them. */
bool tsr_parts_join(tsr_call *c, tsr_parts_run *run, tsr_tensor **parts, size_t nout,
                    tsr_tensor **out);

/* Runs func on a grid. With e->remote, results of devices on other ranks are NULL, and run->local is set. in: global,
 * borrowed; out: global, owned by the caller. Devices with the same shard of a result must have equal values; for a
 * result without a sharding the first device's is used. With run->local nothing is sharded or assembled. False:
 * e->failure. */
bool tsr_eval_parts(tsr_eval *e, const tsr_op *func, tsr_parts_run *run, tsr_tensor *const *in,
                    size_t nin, tsr_tensor **out, size_t nout);

#endif
