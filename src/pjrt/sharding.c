/* SPDX-License-Identifier: Apache-2.0 */
/* sharding.c - how arguments and results are distributed over devices, as XLA's OpSharding protos. */
#include <stdlib.h>
#include <string.h>

#include "pjrt/pjrt.h"

enum { TYPE = 1, TILE_DIMS = 3, TILE_DEVICES = 4, LAST_DIM_REPLICATED = 6, LAST_TILE_DIMS = 8 };
enum { REPLICATED = 0, OTHER = 3, UNREDUCED = 6 };

static void put_list(pj_bytes *out, uint32_t number, const int64_t *list, size_t n)
{
    pj_bytes packed = {0};
    for (size_t i = 0; i < n; i++)
        pj_bytes_varint(&packed, (uint64_t)list[i]);
    pj_bytes_sub(out, number, packed.data, packed.len);
    out->failed |= packed.failed;
    pj_bytes_free(&packed);
}

/* Lists the devices by tile, then by partial value if there are several: the same number for each. */
static bool fill_tiles(const tsr_placement *p, size_t partitions, size_t rank, size_t partials,
                       size_t each, int64_t *devices)
{
    int64_t part[64], parts[64], partial, n;
    for (size_t i = 0; i < partitions; i++)
        devices[i] = -1;
    for (size_t d = 0; d < partitions; d++) {
        size_t tile = 0, k = 0;
        if (!tsr_placement_part(p, d, part, parts) || !tsr_placement_partial(p, d, &partial, &n))
            return false;
        for (size_t i = 0; i < rank; i++)
            tile = tile * (size_t)parts[i] + (size_t)part[i];
        while (k < each && devices[(tile * each + k) * partials + (size_t)partial] >= 0)
            k++;
        if (k == each)
            return false;
        devices[(tile * each + k) * partials + (size_t)partial] = (int64_t)d;
    }
    return true;
}

/* The dimensions of tiles, then that of replicas, then that of partial values. */
static void put_tiles(pj_bytes *out, int64_t *dims, size_t rank, size_t each, size_t partials)
{
    int64_t kinds[2];
    size_t n = 0;
    if (each > 1) {
        dims[rank + n] = (int64_t)each;
        kinds[n++] = REPLICATED;
    }
    if (partials > 1) {
        dims[rank + n] = (int64_t)partials;
        kinds[n++] = UNREDUCED;
    }
    pj_bytes_field(out, TYPE, OTHER);
    put_list(out, TILE_DIMS, dims, rank + n);
    if (partials > 1)
        put_list(out, LAST_TILE_DIMS, kinds, n);
    else if (each > 1)
        pj_bytes_field(out, LAST_DIM_REPLICATED, 1);
}

void pj_sharding_write(pj_bytes *out, const tsr_placement *p, size_t partitions)
{
    int64_t part[64], dims[66], rank = tsr_type_rank(p->whole), first, partials = 1;
    size_t tiles = 1;
    bool ok = p->sharding && rank >= 0 && rank <= 64 && tsr_placement_part(p, 0, part, dims) &&
              tsr_placement_partial(p, 0, &first, &partials);
    for (int64_t i = 0; ok && i < rank; i++)
        tiles *= (size_t)dims[i];
    tiles *= (size_t)partials;
    ok = ok && tiles > 1 && partitions % tiles == 0;
    int64_t *devices = ok ? tsr_malloc(partitions * sizeof *devices) : NULL;
    size_t each = partitions / tiles;
    if (devices && fill_tiles(p, partitions, (size_t)rank, (size_t)partials, each, devices)) {
        put_tiles(out, dims, (size_t)rank, each, (size_t)partials);
        put_list(out, TILE_DEVICES, devices, partitions);
    } else {
        pj_bytes_field(out, TYPE, REPLICATED);
    }
    tsr_free(devices);
}

static pj_error *parameter_shardings(pj_shardings_args *args)
{
    const pj_compiled *p = args->executable->program;
    args->num = p->nin;
    args->shardings = p->partitions > 1 ? p->in_shardings : NULL;
    args->sharding_sizes = p->in_sharding_sizes;
    return NULL;
}

static pj_error *output_shardings(pj_shardings_args *args)
{
    const pj_compiled *p = args->executable->program;
    args->num = p->nout;
    args->shardings = p->partitions > 1 && p->nout ? p->out_shardings : NULL;
    args->sharding_sizes = p->out_sharding_sizes;
    return NULL;
}

/* ---- For a framework that does not know the extension: by the program's fingerprint ---- */

static struct {
    pthread_mutex_t lock;
    pj_compiled *first;
} programs = {.lock = PTHREAD_MUTEX_INITIALIZER};

void pj_sharding_enlist(pj_compiled *p)
{
    pthread_mutex_lock(&programs.lock);
    if (!p->place) {
        p->next = programs.first;
        p->place = &programs.first;
        if (p->next)
            p->next->place = &p->next;
        programs.first = p;
    }
    pthread_mutex_unlock(&programs.lock);
}

void pj_sharding_delist(pj_compiled *p)
{
    pthread_mutex_lock(&programs.lock);
    if (p->place) {
        *p->place = p->next;
        if (p->next)
            p->next->place = p->place;
    }
    pthread_mutex_unlock(&programs.lock);
}

__attribute__((visibility("default"))) int64_t TesseraSharding(const char *fingerprint, bool result,
                                                               size_t i, char *out, size_t room);

/* Writes the OpSharding of argument or result i of a partitioned program that is alive, if there is room, and returns its
 * size; -1: there is no such program, or no such argument. */
int64_t TesseraSharding(const char *fingerprint, bool result, size_t i, char *out, size_t room)
{
    int64_t size = -1;
    pthread_mutex_lock(&programs.lock);
    const pj_compiled *p = programs.first;
    while (p && strcmp(p->fingerprint, fingerprint) != 0)
        p = p->next;
    if (p && p->partitions > 1 && i < (result ? p->nout : p->nin)) {
        const pj_bytes *b = result ? &p->out[i].sharding : &p->in[i].sharding;
        size = (int64_t)b->len;
        if (b->len && b->len <= room)
            memcpy(out, b->data, b->len);
    }
    pthread_mutex_unlock(&programs.lock);
    return size;
}

pj_shardings_extension pj_shardings = {
    .base = {sizeof pj_shardings, PJ_EXTENSION_SHARDINGS, &pj_memory_descriptions.base},
    .parameter_shardings = parameter_shardings,
    .output_shardings = output_shardings,
};
