/* SPDX-License-Identifier: Apache-2.0 */
/* resource.c - the data that dense_resource attributes refer to: blobs stored next to the ops. */
#include "ir/ir.h"

void tsr_blobs_init(tsr_map *blobs, const tsr_module *m)
{
    *blobs = (tsr_map){0};
    for (size_t i = 0; i < m->resources.n; i++) {
        tsr_resource *r = &m->resources.data[i];
        if (!r->external && tsr_str_is(r->dialect->str, "builtin"))
            tsr_map_put(blobs, r->key->hash, r);
    }
}

const tsr_resource *tsr_blob_find(const tsr_map *blobs, tsr_str key)
{
    TSR_MAP_EACH (blobs, tsr_hash_str(key), v)
        if (tsr_str_eq(((const tsr_resource *)v)->key->str, key))
            return v;
    return NULL;
}

const char *tsr_blob_elements(const tsr_map *blobs, const tsr_attr *a, tsr_attr *out)
{
    const tsr_resource *r = tsr_blob_find(blobs, a->s);
    int64_t n = tsr_type_has_static_shape(a->type) ? tsr_type_num_elements(a->type) : -1;
    size_t size = tsr_type_storage_bits(a->type->elem) / 8;
    if (!r)
        return "which the module does not hold";
    if (n < 0 || !size || r->data.len / size != (uint64_t)n || r->data.len % size)
        return "which has another size than its type";
    *out = (tsr_attr){.kind = TSR_ATTR_DENSE, .type = a->type, .s = r->data};
    return NULL;
}
