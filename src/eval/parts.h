/* parts.h - runs the program of each device of a mesh: whole inputs are cut into parts, and parts
 * of results put together.
 *
 * A dimension of n elements in k parts has ceil(n / k) elements in each: the last ones may be
 * padding, which is zeros in inputs and cut off from results. */
#ifndef TSR_EVAL_PARTS_H
#define TSR_EVAL_PARTS_H

#include "eval/eval.h"

/* What an argument or a result of the program is part of. */
typedef struct {
    const tsr_type *global;   /* NULL: every device has all of it */
    const tsr_attr *sharding; /* with its mesh written out */
} tsr_part_of;

typedef struct tsr_parts_run {
    uint32_t replicas, partitions;
    const tsr_part_of *in, *out; /* of each argument and result */
    bool
        local; /* inputs and results are parts already: nin and nout of them for each device, device by device */
    /* With local, for engines: inputs that the caller gives up, and what results become, or NULL; NULL: none. */
    tsr_tensor *const *given_up, *const *into;
    int64_t
        differs; /* set: the first whole result of which devices have different values; -1: none */
} tsr_parts_run;

/* Which part of each dimension a device has, and how many there are. False: the sharding does not fit. */
bool tsr_part_locate(const tsr_part_of *of, uint32_t device, int64_t *index, int64_t *n);

/* The same of partial values (unreduced axes). */
bool tsr_part_partial(const tsr_part_of *of, uint32_t device, int64_t *index, int64_t *n);

/* How many devices there are. */
static inline size_t tsr_parts_devices(const tsr_parts_run *run)
{
    return (size_t)run->replicas * run->partitions;
}

/* The part of a whole tensor that a device has; NULL after a failure. */
tsr_tensor *tsr_part_take(tsr_call *c, const tsr_part_of *of, tsr_tensor *whole, uint32_t device);
/* Whole results from those of all devices, nout each, as tsr_eval_parts gives them. */
bool tsr_parts_join(tsr_call *c, tsr_parts_run *run, tsr_tensor **parts, size_t nout,
                    tsr_tensor **out);

/* Runs func on a grid. With e->remote, results of devices that other ranks run are NULL, and run->local is set. in: whole, borrowed; out: whole, the caller owns them. Devices that have the
 * same part of a result must have the same values of it; of a result without a sharding the first
 * device's is taken. With run->local nothing is cut or put together. False: e->failure. */
bool tsr_eval_parts(tsr_eval *e, const tsr_op *func, tsr_parts_run *run, tsr_tensor *const *in,
                    size_t nin, tsr_tensor **out, size_t nout);

#endif
