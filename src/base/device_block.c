/* SPDX-License-Identifier: Apache-2.0 */
/* device_block.c - see device_block.h. */
#include "base/device_block.h"

#include "base/compiler.h"
#include "base/memory.h"

static void end(void *data)
{
    tsr_device_block *b = data;
    if (b->busy)
        (void)b->device->synchronize(b->device);
    if (b->at)
        b->device->release(b->device, b->at);
    if (b->drop)
        b->drop(b->user);
}

tsr_device_block *tsr_device_block_over(tsr_device *d)
{
    tsr_device_block *b = tsr_malloc_ended(sizeof *b, end);
    if (b)
        *b = (tsr_device_block){.device = d};
    return b;
}

tsr_device_block *tsr_device_block_new(tsr_device *d, size_t bytes)
{
    tsr_device_block *b = tsr_device_block_over(d);
    if (!b)
        return NULL;
    b->bytes = bytes;
    b->at = d->allocate(d, bytes ? bytes : 1);
    if (b->at)
        return b;
    tsr_free(b);
    return NULL;
}
