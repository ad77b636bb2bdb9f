/* SPDX-License-Identifier: Apache-2.0 */
/* resource.c - the last part of a bytecode file to be written: blobs of dense_resource attributes and what the text
 * calls external_resources.
 *
 * Blobs have an alignment, so padding precedes them, and the section itself has the strictest alignment. */
#include "text/bytecode/write.h"

/* ---- Collecting ---- */

static uint64_t resource_hash(uint32_t dialect, tsr_str key)
{
    return tsr_hash_mix(tsr_hash_str(key), dialect + 1);
}

bc_resource *bc_find_resource(bc_writer *w, uint32_t dialect, tsr_str key)
{
    TSR_MAP_EACH (&w->resource_map, resource_hash(dialect, key), v) {
        bc_resource *r = &w->resources.data[(size_t)(uintptr_t)v - 1];
        if (r->dialect == dialect && tsr_str_eq(r->key, key))
            return r;
    }
    return NULL;
}

void bc_meet_resource(bc_writer *w, uint32_t dialect, tsr_str key)
{
    if (bc_find_resource(w, dialect, key))
        return;
    tsr_vec_push(&w->resources, (bc_resource){.dialect = dialect, .key = key});
    tsr_map_put(&w->resource_map, resource_hash(dialect, key), (void *)(uintptr_t)w->resources.n);
}

/* By dialect; entries without data after those with data; then in order of first use. */
static int by_place(const void *pa, const void *pb)
{
    const bc_resource *a = pa, *b = pb;
    if (a->dialect != b->dialect)
        return a->dialect < b->dialect ? -1 : 1;
    if (!a->data != !b->data)
        return a->data ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

void bc_number_resources(bc_writer *w)
{
    for (size_t i = 0; i < w->m->resources.n; i++) {
        const tsr_resource *have = &w->m->resources.data[i];
        uint32_t d = have->external ? UINT32_MAX : bc_find_dialect(w, have->dialect->str);
        bc_resource *r = d == UINT32_MAX ? NULL : bc_find_resource(w, d, have->key->str);
        if (r && !r->data)
            r->data = have;
    }
    for (size_t i = 0; i < w->resources.n; i++)
        w->resources.data[i].number = (uint32_t)i;
    if (w->resources.n)
        qsort(w->resources.data, w->resources.n, sizeof *w->resources.data, by_place);
    tsr_map_truncate(&w->resource_map, 0);
    for (size_t i = 0; i < w->resources.n; i++) {
        bc_resource *r = &w->resources.data[i];
        r->number = (uint32_t)i;
        tsr_map_put(&w->resource_map, resource_hash(r->dialect, r->key),
                    (void *)(uintptr_t)(i + 1));
    }
}

/* ---- Writing ---- */

typedef struct {
    bc_writer *w;
    tsr_buf offsets, data;
    uint32_t align; /* the strictest so far */
    size_t before;  /* where the last entry ended */
    struct {
        tsr_str key;
        size_t size;
        uint8_t kind;
    } * group;
    size_t n;
} resources;

static void pad_to(tsr_buf *out, uint32_t align)
{
    while (align > 1 && out->len % align)
        tsr_buf_char(out, (char)TSR_BC_PAD);
}

static void put_blob(resources *r, uint32_t align, tsr_str data)
{
    tsr_bc_put_varint(&r->data, align);
    tsr_bc_put_varint(&r->data, data.len);
    pad_to(&r->data, align);
    tsr_buf_str(&r->data, data);
    r->align = align > r->align ? align : r->align;
}

static void end_entry(resources *r, tsr_str key, uint8_t kind)
{
    r->group[r->n].key = key;
    r->group[r->n].size = r->data.len - r->before;
    r->group[r->n++].kind = kind;
    r->before = r->data.len;
}

static void end_group(resources *r, uint64_t key)
{
    tsr_bc_put_varint(&r->offsets, key);
    tsr_bc_put_varint(&r->offsets, r->n);
    for (size_t i = 0; i < r->n; i++) {
        tsr_bc_put_varint(&r->offsets, bc_string_number(r->w, r->group[i].key));
        tsr_bc_put_varint(&r->offsets, r->group[i].size);
        tsr_buf_char(&r->offsets, (char)r->group[i].kind);
    }
    r->n = 0;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'                 ? c - '0'
           : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                : -1;
}

/* "0x" and at least four bytes in hexadecimal, the first four of which are the alignment: a blob. */
static bool put_hex(resources *r, tsr_str s)
{
    if (!tsr_str_starts(s, "0x") || s.len < 10 || s.len % 2)
        return false;
    uint8_t *bytes = tsr_arena_alloc(&r->w->arena, s.len / 2);
    size_t n = s.len / 2 - 1;
    for (size_t i = 0; i < n; i++) {
        int hi = hex_digit(s.data[2 + 2 * i]), lo = hex_digit(s.data[3 + 2 * i]);
        if (hi < 0 || lo < 0)
            return false;
        bytes[i] = (uint8_t)(hi << 4 | lo);
    }
    uint32_t align =
        bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    if (!align || (align & (align - 1)) || align > 1u << 16)
        return false;
    put_blob(r, align, tsr_str_of((char *)bytes + 4, n - 4));
    return true;
}

static void put_external(resources *r, const tsr_resource *e)
{
    if (tsr_attr_is(e->value, TSR_ATTR_INT)) {
        tsr_buf_char(&r->data, e->value->i != 0);
        end_entry(r, e->key->str, TSR_BC_RESOURCE_BOOL);
    } else if (tsr_attr_is(e->value, TSR_ATTR_STRING) && put_hex(r, e->value->s)) {
        end_entry(r, e->key->str, TSR_BC_RESOURCE_BLOB);
    } else if (tsr_attr_is(e->value, TSR_ATTR_STRING)) {
        tsr_bc_put_varint(&r->data, bc_string_number(r->w, e->value->s));
        end_entry(r, e->key->str, TSR_BC_RESOURCE_STRING);
    }
}

/* An external resource, and where its group first occurred. */
typedef struct {
    size_t group, place;
} external;

static int by_group(const void *pa, const void *pb)
{
    const external *a = pa, *b = pb;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

static size_t first_of(tsr_map *groups, const tsr_module *m, size_t place)
{
    const tsr_name *name = m->resources.data[place].dialect;
    TSR_MAP_EACH (groups, name->hash, v) {
        size_t first = (size_t)(uintptr_t)v - 1;
        if (m->resources.data[first].dialect == name)
            return first;
    }
    tsr_map_put(groups, name->hash, (void *)(uintptr_t)(place + 1));
    return place;
}

/* Groups of external resources in the order of their first entries. */
static void write_external(resources *r)
{
    const tsr_module *m = r->w->m;
    external *all = tsr_arena_zalloc(&r->w->arena, (m->resources.n + 1) * sizeof *all);
    tsr_map groups = {0};
    size_t n = 0;
    for (size_t i = 0; i < m->resources.n; i++)
        if (m->resources.data[i].external)
            all[n++] = (external){first_of(&groups, m, i), i};
    qsort(all, n, sizeof *all, by_group);
    tsr_bc_put_varint(&r->offsets, groups.n);
    for (size_t i = 0; i < n; i++) {
        const tsr_resource *e = &m->resources.data[all[i].place];
        put_external(r, e);
        if (i + 1 == n || all[i + 1].group != all[i].group)
            end_group(r, bc_string_number(r->w, e->dialect->str));
    }
    tsr_map_free(&groups);
}

static void write_blobs(resources *r)
{
    bc_writer *w = r->w;
    for (size_t i = 0; i < w->resources.n; i++) {
        const bc_resource *b = &w->resources.data[i];
        if (b->data)
            put_blob(r, b->data->align ? b->data->align : 1, b->data->data);
        end_entry(r, b->key, TSR_BC_RESOURCE_BLOB);
        if (i + 1 == w->resources.n || b[1].dialect != b->dialect)
            end_group(r, b->dialect);
    }
}

void bc_write_resources(bc_writer *w, tsr_buf *out)
{
    resources r = {.w = w, .align = 1};
    r.group =
        tsr_arena_zalloc(&w->arena, (w->m->resources.n + w->resources.n + 1) * sizeof *r.group);
    write_external(&r);
    write_blobs(&r);
    tsr_buf_char(out, TSR_BC_SECTION_RESOURCE_OFFSET);
    tsr_bc_put_varint(out, r.offsets.len);
    tsr_buf_str(out, tsr_buf_text(&r.offsets));
    size_t head = out->len;
    tsr_buf_char(out, TSR_BC_SECTION_RESOURCE);
    tsr_bc_put_varint(out, r.data.len);
    if (out->len % r.align) {
        tsr_bc_put_varint(out, r.align);
        pad_to(out, r.align);
        out->data[head] = (char)(TSR_BC_SECTION_RESOURCE | TSR_BC_SECTION_ALIGNED);
    }
    tsr_buf_str(out, tsr_buf_text(&r.data));
    tsr_buf_free(&r.offsets);
    tsr_buf_free(&r.data);
}
