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
}

tsr_device_block *tsr_device_block_new(tsr_device *d, size_t bytes)
{
    tsr_device_block *b = tsr_malloc_ended(sizeof *b, end);
    if (!b)
        return NULL;
    *b = (tsr_device_block){.device = d, .bytes = bytes};
    b->at = d->allocate(d, bytes ? bytes : 1);
    if (b->at)
        return b;
    tsr_free(b);
    return NULL;
}
