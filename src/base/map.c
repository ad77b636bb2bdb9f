/* SPDX-License-Identifier: Apache-2.0 */
/* map.c - insertion, growth and truncation. Memory is obtained first, so that a stop leaves a map unchanged. Slots are
 * refilled in order of insertion, so the newest entry of a probe chain is always its last: clearing that slot breaks no
 * chain. */
#include "base/map.h"

#include <stdlib.h>

void tsr_map_free(tsr_map *m)
{
    tsr_free(m->entries);
    tsr_free(m->slots);
    *m = (tsr_map){0};
}

void tsr_map_keep(const tsr_map *m)
{
    tsr_keep(m->entries);
    tsr_keep(m->slots);
}

static uint32_t free_slot(const tsr_map *m, uint64_t hash)
{
    uint32_t i = (uint32_t)hash & (m->nslot - 1);
    while (m->slots[i])
        i = (i + 1) & (m->nslot - 1);
    return i;
}

static void rehash(tsr_map *m, uint32_t nslot)
{
    uint32_t *slots = tsr_xmalloc(sizeof(uint32_t) * nslot);
    memset(slots, 0, sizeof(uint32_t) * nslot);
    tsr_free(m->slots);
    m->slots = slots;
    m->nslot = nslot;
    for (uint32_t i = 0; i < m->n; i++)
        m->slots[free_slot(m, m->entries[i].hash)] = i + 1;
}

void tsr_map_put(tsr_map *m, uint64_t hash, void *value)
{
    tsr_assert(value, "a map holds no NULL");
    if (m->n == m->cap) {
        uint32_t cap = m->cap ? m->cap * 2 : 16;
        m->entries = tsr_xrealloc(m->entries, sizeof(tsr_map_entry) * cap);
        m->cap = cap;
    }
    if ((m->n + 1) * 2 > m->nslot)
        rehash(m, m->nslot ? m->nslot * 2 : 32);
    m->entries[m->n++] = (tsr_map_entry){hash, value};
    m->slots[free_slot(m, hash)] = m->n;
}

void tsr_map_truncate(tsr_map *m, uint32_t n)
{
    while (m->n > n) {
        uint32_t i = (uint32_t)m->entries[m->n - 1].hash & (m->nslot - 1);
        while (m->slots[i] != m->n) {
            tsr_assert(m->slots[i], "entry %u is in no slot", m->n);
            i = (i + 1) & (m->nslot - 1);
        }
        m->slots[i] = 0;
        m->n--;
    }
}
