/* SPDX-License-Identifier: Apache-2.0 */
/* share.c - a map with a lock. See share.h. */
#include "eval/share.h"

#include "base/memory.h"
#include "base/scope.h"
#include "base/str.h"

void tsr_share_init(tsr_share *s)
{
    *s = (tsr_share){0};
    pthread_mutex_init(&s->lock, NULL);
}

void tsr_share_free(tsr_share *s)
{
    for (uint32_t i = 0; i < s->map.n; i++)
        tsr_free(s->map.entries[i].value);
    tsr_map_free(&s->map);
    pthread_mutex_destroy(&s->lock);
}

static tsr_shared *find(const tsr_share *s, const tsr_shared *key, uint64_t hash)
{
    TSR_MAP_EACH (&s->map, hash, v) {
        tsr_shared *at = v;
        if (at->from[0] == key->from[0] && at->from[1] == key->from[1] && at->how == key->how)
            return at;
    }
    return NULL;
}

const tsr_shared *tsr_share_get(tsr_share *s, const tsr_shared *key, tsr_share_fn *make, void *user)
{
    uint64_t hash = tsr_hash_mix(tsr_hash_ptr(key->from[0]), (uint64_t)(uintptr_t)key->from[1]);
    tsr_lock(&s->lock); /* released by a stop */
    tsr_shared *at = find(s, key, hash);
    if (!at && (at = make(key, user))) {
        *at = *key;
        tsr_map_put(&s->map, hash, at);
    }
    tsr_unlock(&s->lock);
    return at;
}
