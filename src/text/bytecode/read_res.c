/* SPDX-License-Identifier: Apache-2.0 */
/* read_res.c - resources of a bytecode file: blobs that dense_resource attributes refer to, and external ones.
 *
 * The offset section has their keys, kinds and sizes in order, so the offset of the data is the sum of the sizes before
 * it. */
#include "text/bytecode/reader.h"

/* alignment, size, padding, data; the cursor is at the entry. */
static bool read_blob(bc_reader *r, uint32_t *align, tsr_str *data)
{
    tsr_bc *b = &r->b;
    uint64_t size;
    if (!tsr_bc_u32(b, align) || !tsr_bc_read_varint(b, &size))
        return false;
    if (!*align || (*align & (*align - 1)))
        return tsr_bc_error(b, "has an alignment that is no power of two: %u", *align);
    while ((size_t)(b->p - r->base) % *align) {
        uint8_t pad = 0;
        if (!tsr_bc_read_byte(b, &pad))
            return false;
        if (pad != TSR_BC_PAD)
            return tsr_bc_error(b, "has another byte where padding belongs");
    }
    if (size > (size_t)(b->end - b->p))
        return tsr_bc_error(b, "has a resource of %llu bytes where %zu are left",
                            (unsigned long long)size, (size_t)(b->end - b->p));
    *data = (tsr_str){(const char *)b->p, (size_t)size};
    b->p += size;
    return true;
}

/* The text of an external blob: hex digits of the alignment and the data. */
static tsr_attr *blob_text(bc_reader *r, uint32_t align, tsr_str data)
{
    tsr_buf text = {0};
    tsr_buf_cstr(&text, "0x");
    for (int i = 0; i < 4; i++)
        tsr_buf_printf(&text, "%02X", (unsigned)(align >> (8 * i) & 0xFF));
    for (size_t i = 0; i < data.len; i++)
        tsr_buf_printf(&text, "%02X", (unsigned)(uint8_t)data.data[i]);
    tsr_attr *a = tsr_attr_string(r->ctx, tsr_buf_text(&text));
    tsr_buf_free(&text);
    return a;
}

static bool read_value(bc_reader *r, uint8_t kind, tsr_resource *res)
{
    tsr_bc *b = &r->b;
    tsr_str s;
    bool truth;
    switch (kind) {
    case TSR_BC_RESOURCE_BLOB:
        if (!read_blob(r, &res->align, &s))
            return false;
        if (res->external)
            res->value = blob_text(r, res->align, s);
        else
            res->data =
                b->borrow ? s : (tsr_str){tsr_arena_copy(&r->m->arena, s.data, s.len), s.len};
        break;
    case TSR_BC_RESOURCE_BOOL:
        if (!tsr_bc_bool(b, &truth))
            return false;
        res->value = tsr_attr_bool(r->ctx, truth);
        break;
    case TSR_BC_RESOURCE_STRING:
        if (!tsr_bc_string(b, &s))
            return false;
        res->value = tsr_attr_string(r->ctx, s);
        break;
    default: return tsr_bc_error(b, "has a resource of the unknown kind %u", kind);
    }
    if (!res->external && kind != TSR_BC_RESOURCE_BLOB)
        return tsr_bc_error(b, "has a dialect resource that is no blob");
    return b->p == b->end || tsr_bc_error(b, "has bytes behind a resource");
}

/* One group: count, then key, size and kind of each. data: the position of the next entry. */
static bool read_group(bc_reader *r, tsr_resource res, uint32_t dialect, const uint8_t **data)
{
    tsr_bc *b = &r->b;
    size_t n;
    if (!tsr_bc_count(b, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        tsr_str key;
        uint64_t size;
        uint8_t kind = 0;
        if (!tsr_bc_string(b, &key) || !tsr_bc_read_varint(b, &size) || !tsr_bc_read_byte(b, &kind))
            return false;
        const uint8_t *end = r->sections[TSR_BC_SECTION_RESOURCE].end;
        if (size > (size_t)(end - *data))
            return tsr_bc_error(b, "has a resource past the end of their section");
        if (!res.external) {
            if (r->nhandle == r->cap_handle) {
                r->cap_handle = r->cap_handle ? 2 * r->cap_handle : 8;
                r->handles = tsr_xrealloc(r->handles, r->cap_handle * sizeof *r->handles);
            }
            r->handles[r->nhandle++] = (bc_handle){dialect, tsr_name_get(r->ctx, key)->str};
        }
        bc_span here = {b->p, b->end};
        b->p = *data;
        b->end = *data += size;
        res.key = tsr_name_get(r->ctx, key);
        /* Without data it is only declared. */
        if (size || res.external) {
            if (!read_value(r, kind, &res))
                return false;
            tsr_vec_push(&r->m->resources, res);
        }
        b->p = here.p;
        b->end = here.end;
    }
    return true;
}

bool bc_read_resources(bc_reader *r)
{
    tsr_bc *b = &r->b;
    bc_span offsets = r->sections[TSR_BC_SECTION_RESOURCE_OFFSET];
    const uint8_t *data = r->sections[TSR_BC_SECTION_RESOURCE].p;
    b->p = offsets.p;
    b->end = offsets.end;
    if (r->has[TSR_BC_SECTION_RESOURCE] != r->has[TSR_BC_SECTION_RESOURCE_OFFSET])
        return tsr_bc_error(b, "has one of the two resource sections without the other");
    if (!r->has[TSR_BC_SECTION_RESOURCE])
        return true;
    size_t nexternal;
    if (!tsr_bc_count(b, &nexternal))
        return false;
    for (size_t i = 0; i < nexternal; i++) {
        tsr_str group;
        if (!tsr_bc_string(b, &group) ||
            !read_group(r, (tsr_resource){.dialect = tsr_name_get(r->ctx, group), .external = true},
                        0, &data))
            return false;
    }
    while (b->p != b->end) {
        uint64_t d;
        if (!tsr_bc_read_varint(b, &d) || !bc_in_range(r, d, r->ndialect, "dialect") ||
            !bc_load_dialect(r, (uint32_t)d) ||
            !read_group(r, (tsr_resource){.dialect = tsr_name_get(r->ctx, r->dialects[d].name)},
                        (uint32_t)d, &data))
            return false;
    }
    return true;
}
