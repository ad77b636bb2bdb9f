/* SPDX-License-Identifier: Apache-2.0 */
/* device_block.h - memory of a device that belongs to a scope, as memory of the host does (base/memory.h): a stop releases
 * it, and tsr_keep lets it survive. It is freed with tsr_free. */
#ifndef TSR_BASE_DEVICE_BLOCK_H
#define TSR_BASE_DEVICE_BLOCK_H

#include "base/device.h"

typedef struct tsr_device_block {
    tsr_device *device;
    char *at; /* an address of the device */
    size_t bytes;
    bool busy; /* work that uses it may be in any lane: it is waited for before it is released */
    void (*drop)(void *user); /* gives memory of somebody else back; may be NULL */
    void *user;
} tsr_device_block;

/* NULL: the device has not enough memory (its error says why), or the host has none. */
tsr_device_block *tsr_device_block_new(tsr_device *d, size_t bytes);
/* Stands for memory that somebody else owns: nothing is released. NULL: no memory. */
tsr_device_block *tsr_device_block_over(tsr_device *d);

#endif
