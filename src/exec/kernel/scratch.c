/* SPDX-License-Identifier: Apache-2.0 */
/* scratch.c - keeps one block of memory between calls of kernels. See scratch.h. */
#include "exec/kernel/scratch.h"

#include "base/memory.h"
#include "base/scope.h"

#include <stdatomic.h>

typedef struct {
    int64_t size;
    char pad[56];
} kept;
static _Atomic(kept *) cache;

void *tsr_scratch_new(int64_t *room, int64_t bytes)
{
    return tsr_scratch_asked(room, bytes) ? NULL : tsr_malloc_aligned((size_t)bytes);
}

void *tsr_scratch_get(int64_t *room, int64_t bytes)
{
    if (tsr_scratch_asked(room, bytes))
        return NULL;
    kept *k = atomic_exchange(&cache, NULL);
    if (k && k->size >= bytes) {
        tsr_adopt(k);
        return k + 1;
    }
    tsr_free(k);
    k = bytes < PTRDIFF_MAX / 2 ? tsr_malloc_aligned((size_t)bytes + sizeof *k) : NULL;
    if (!k)
        return NULL;
    k->size = bytes;
    return k + 1;
}

void tsr_scratch_put(void *block)
{
    kept *k = (kept *)block - 1, *none = NULL;
    tsr_keep(k);
    if (!atomic_compare_exchange_strong(&cache, &none, k))
        tsr_free(k);
}
