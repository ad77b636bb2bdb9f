/* SPDX-License-Identifier: Apache-2.0 */
/* map.h - the one open-addressing hash map: 64-bit hash to pointer, linear probing, insertion order kept.
 *
 * The caller compares: tsr_map_find walks the entries of one hash. Entries can be removed newest first
 * (tsr_map_truncate), which context checkpoints and scopes need. */
#ifndef TSR_BASE_MAP_H
#define TSR_BASE_MAP_H

#include "base/compiler.h"

typedef struct {
    uint64_t hash;
    void *value;
} tsr_map_entry;

typedef struct {
    tsr_map_entry *entries; /* in order of insertion */
    uint32_t *slots;        /* index + 1 into entries; 0 is free */
    uint32_t n, cap, nslot; /* nslot is a power of two */
} tsr_map;

void tsr_map_free(tsr_map *m);
void tsr_map_keep(const tsr_map *m); /* its memory survives when a stop leaves the scope */
void tsr_map_put(tsr_map *m, uint64_t hash, void *value); /* adds; does not look for an equal one */
/* Removes the newest entries until n are left. */
void tsr_map_truncate(tsr_map *m, uint32_t n);

/* Walks the entries with this hash: TSR_MAP_EACH(&map, hash, v) if (equal(v)) return v;  Do not use break: it expands
 * to several loops. */
#define TSR_MAP_EACH(m, key, v)                                                                  \
    for (uint64_t v##_h = (key), v##_go = (m)->nslot; v##_go; v##_go = 0)                        \
        for (uint32_t v##_i = (uint32_t)v##_h & ((m)->nslot - 1), v##_s;                         \
             (v##_s = (m)->slots[v##_i]) != 0; v##_i = (v##_i + 1) & ((m)->nslot - 1))           \
            for (tsr_map_entry *v##_e = &(m)->entries[v##_s - 1]; v##_e && v##_e->hash == v##_h; \
                 v##_e = NULL)                                                                   \
                for (void *v = v##_e->value; v; v = NULL)

/* A map from pointers, for side tables of things without dense ids. */
static inline uint64_t tsr_hash_ptr(const void *p)
{
    uint64_t h = (uint64_t)(uintptr_t)p * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 32);
}

#endif
