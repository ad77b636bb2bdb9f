/* SPDX-License-Identifier: Apache-2.0 */
/* mock.h - a device for tests that has no hardware: kernel text is compiled by the C compiler and runs on fibers, work is
 * done as late as the order of work allows, and faults of the caller are found.
 *
 * What makes the device fail, with an error that says where: work that touches memory out of bounds, before it is
 * allocated or after it is released; threads of a block that wait at different barriers; launches beyond the limits;
 * products that the library would refuse; code that is dropped too early. The host cannot touch device memory at all.
 * Missing waits, and races between warps, show as wrong numbers: work is done in other orders with another seed. */
#ifndef TSR_TEST_DEVICE_MOCK_H
#define TSR_TEST_DEVICE_MOCK_H

#include "base/device.h"

typedef enum {
    TSR_MOCK_LATE,   /* work is done when somebody waits for it */
    TSR_MOCK_RANDOM, /* some of it earlier, by the seed */
    TSR_MOCK_EAGER,  /* at once */
} tsr_mock_when;

typedef struct {
    tsr_mock_when when;
    uint32_t seed;
    bool reversed;     /* warps, lanes and blocks run from the last to the first */
    uint64_t bytes;    /* of memory; 0: a gigabyte */
    int failing;       /* the nth call of allocate gives NULL; 0: none */
    const char *flags; /* of the compiler, beyond those that every text gets; NULL: none */
} tsr_mock_options;

/* options: NULL: those in TESSERA_MOCK, "when=late,seed=3,reversed,bytes=N,failing=N". */
tsr_device *tsr_mock_open(int number, const tsr_mock_options *options, char *error, size_t size);

/* What is not released or dropped yet. */
typedef struct {
    int blocks, codes;
    uint64_t bytes;
} tsr_mock_live;
tsr_mock_live tsr_mock_count(const tsr_device *d);

#endif
