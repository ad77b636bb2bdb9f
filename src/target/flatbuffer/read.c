/* SPDX-License-Identifier: Apache-2.0 */
/* read.c - bytes as a tree. Files are untrusted: each offset, length, alignment and case is checked before it is used,
 * and errors are reported with their offset in the file. */
#include <stdio.h>

#include "target/flatbuffer/flatbuffer.h"

enum {
    MOST_NODES = 1 << 24, /* tables of a tree; shared ones count at each reference */
    MOST_DEPTH = 64,
};

typedef struct {
    tsr_arena *arena;
    tsr_str data;
    tsr_map tables; /* already read, by position */
    tsr_fb_error *error;
    int depth;
} reader;

static bool bad(reader *r, size_t at, const char *fmt, ...) TSR_PRINTF(3, 4);
static bool bad(reader *r, size_t at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    r->error->at = at;
    vsnprintf(r->error->what, sizeof r->error->what, fmt, args);
    va_end(args);
    return false;
}

static int64_t number(const reader *r, const tsr_fb_type *type, size_t at)
{
    return tsr_fb_load(type, r->data.data + at);
}

/* Checks that n bytes at a position are in the file. */
static bool within(reader *r, size_t at, uint64_t n, size_t align, const char *what)
{
    if (at > r->data.len || n > r->data.len - at)
        return bad(r, at, "%s of %llu bytes goes beyond the end of the file, which has %zu bytes",
                   what, (unsigned long long)n, r->data.len);
    return at % align == 0 || bad(r, at, "%s is not at a multiple of %zu", what, align);
}

/* Follows an offset. */
static bool follow(reader *r, size_t at, const char *what, size_t *to)
{
    TSR_TRY(within(r, at, 4, 4, what));
    uint64_t offset = (uint64_t)number(r, &tsr_fb_u32, at);
    if (!offset || offset > r->data.len - at)
        return bad(r, at, "the offset of %s leads out of the file", what);
    *to = at + (size_t)offset;
    return true;
}

static bool read_table(reader *r, const tsr_fb_type *type, size_t at, tsr_fb_table **out);

/* A length and that many items. */
static bool read_vector(reader *r, const char *what, size_t size, size_t align, size_t at,
                        tsr_str *out)
{
    TSR_TRY(within(r, at, 4, 4, what));
    uint64_t n = (uint64_t)number(r, &tsr_fb_u32, at);
    TSR_TRY(within(r, at + 4, n * size, n ? align : 1, what));
    *out = (tsr_str){r->data.data + at + 4, (size_t)n * size};
    return true;
}

static bool read_string(reader *r, const char *what, size_t at, tsr_str *out)
{
    TSR_TRY(read_vector(r, what, 1, 1, at, out));
    size_t end = at + 4 + out->len;
    return (end < r->data.len && r->data.data[end] == 0) ||
           bad(r, end, "string %s has no zero at its end", what);
}

static bool read_item(reader *r, const tsr_fb_field *f, const tsr_fb_type *type, size_t at,
                      tsr_fb_value *out)
{
    size_t to = 0;
    TSR_TRY(follow(r, at, f->name, &to));
    out->set = true;
    return type->kind == TSR_FB_STRING ? read_string(r, f->name, to, &out->s)
                                       : read_table(r, type, to, &out->table);
}

/* The table of case tag of a union. */
static bool read_case(reader *r, const tsr_fb_field *f, uint8_t tag, size_t at, tsr_fb_value *out)
{
    if (!tag || tag > tsr_fb_count(f->type))
        return bad(r, at, "%s has no case %u", f->type->name, tag);
    out->tag = tag;
    return read_item(r, f, f->type->fields[tag - 1].type, at, out);
}

static bool read_list(reader *r, const tsr_fb_field *f, size_t at, const tsr_str *tags,
                      tsr_fb_value *out)
{
    size_t to = 0;
    tsr_str items;
    TSR_TRY(follow(r, at, f->name, &to));
    out->set = true;
    if (tsr_fb_is_inline(f->type))
        return read_vector(r, f->name, f->type->size, f->type->align, to, &out->s);
    TSR_TRY(read_vector(r, f->name, 4, 4, to, &items));
    size_t n = items.len / 4;
    if (tags && tags->len != n)
        return bad(r, to, "%s has %zu items and %zu cases", f->name, n, tags->len);
    out->items = TSR_NEW_ARRAY(r->arena, tsr_fb_value, n ? n : 1);
    out->n = n;
    for (size_t i = 0; i < n; i++)
        TSR_TRY(tags ? read_case(r, f, (uint8_t)tags->data[i], to + 4 + 4 * i, &out->items[i])
                     : read_item(r, f, f->type, to + 4 + 4 * i, &out->items[i]));
    return true;
}

static void read_number(const reader *r, const tsr_fb_type *type, size_t at, tsr_fb_value *out)
{
    if (type->kind == TSR_FB_FLOAT)
        out->f = tsr_fb_load_float(type, r->data.data + at);
    else
        out->i = number(r, type, at);
    if (type->kind == TSR_FB_BOOL)
        out->i = out->i != 0;
    out->set = true;
}

/* ---- Tables ---- */

typedef struct {
    size_t at, vtable, size; /* of the table */
    size_t nslot;
} layout;

static bool read_frame(reader *r, const tsr_fb_type *type, size_t at, layout *out)
{
    TSR_TRY(within(r, at, 4, 4, type->name));
    int64_t vtable = (int64_t)at - number(r, &tsr_fb_i32, at);
    if (vtable < 0 || vtable > (int64_t)r->data.len)
        return bad(r, at, "the vtable of %s is out of the file", type->name);
    TSR_TRY(within(r, (size_t)vtable, 4, 2, "a vtable"));
    size_t bytes = (size_t)number(r, &tsr_fb_u16, (size_t)vtable),
           size = (size_t)number(r, &tsr_fb_u16, (size_t)vtable + 2);
    if (bytes < 4 || bytes % 2 || size < 4)
        return bad(r, (size_t)vtable, "the vtable of %s has %zu bytes, for a table of %zu",
                   type->name, bytes, size);
    TSR_TRY(within(r, (size_t)vtable, bytes, 2, "a vtable") && within(r, at, size, 4, type->name));
    *out = (layout){at, (size_t)vtable, size, bytes / 2 - 2};
    return true;
}

/* The position of slot i; 0 if it is absent. */
static bool slot(reader *r, const layout *f, size_t i, size_t size, size_t align, const char *what,
                 size_t *out)
{
    size_t offset = i < f->nslot ? (size_t)number(r, &tsr_fb_u16, f->vtable + 4 + 2 * i) : 0;
    *out = offset ? f->at + offset : 0;
    if (offset && (offset < 4 || offset + size > f->size))
        return bad(r, f->vtable + 4 + 2 * i, "%s is outside of its table", what);
    return !offset || within(r, *out, size, align, what);
}

static bool read_union(reader *r, const layout *frame, size_t i, const tsr_fb_field *f,
                       tsr_fb_value *out)
{
    bool list = f->how == TSR_FB_LIST;
    size_t tag = 0, at = 0, to = 0;
    tsr_str tags = {"", 0};
    TSR_TRY(slot(r, frame, i, list ? 4 : 1, list ? 4 : 1, f->name, &tag) &&
            slot(r, frame, i + 1, 4, 4, f->name, &at));
    bool has_case = tag && (list || r->data.data[tag]);
    if (has_case != (at != 0))
        return bad(r, frame->at, "%s has %s", f->name,
                   at ? "a value without a case" : "a case without a value");
    if (!at)
        return true;
    if (!list)
        return read_case(r, f, (uint8_t)r->data.data[tag], at, out);
    return follow(r, tag, f->name, &to) && read_vector(r, f->name, 1, 1, to, &tags) &&
           read_list(r, f, at, &tags, out);
}

static bool read_field(reader *r, const layout *frame, size_t i, const tsr_fb_field *f,
                       tsr_fb_value *out)
{
    size_t at = 0;
    bool list = f->how == TSR_FB_LIST;
    if (f->type->kind == TSR_FB_UNION)
        return read_union(r, frame, i, f, out);
    TSR_TRY(slot(r, frame, i, list ? 4 : f->type->size, list ? 4 : f->type->align, f->name, &at));
    if (!at)
        return true;
    if (list)
        return read_list(r, f, at, NULL, out);
    if (tsr_fb_is_scalar(f->type)) {
        read_number(r, f->type, at, out);
        return true;
    }
    if (f->type->kind != TSR_FB_STRUCT)
        return read_item(r, f, f->type, at, out);
    out->s = (tsr_str){r->data.data + at, f->type->size};
    out->set = true;
    return true;
}

static uint64_t nodes_in(const tsr_fb_field *f, const tsr_fb_value *v)
{
    bool tables = f->type->kind == TSR_FB_TABLE || f->type->kind == TSR_FB_UNION;
    uint64_t n = 0;
    if (!v->set || !tables)
        return 0;
    if (f->how != TSR_FB_LIST)
        return v->table->nodes;
    for (size_t i = 0; i < v->n; i++)
        n += v->items[i].table->nodes;
    return n;
}

static bool read_fields(reader *r, const layout *frame, tsr_fb_table *t)
{
    size_t i = 0, at = 0;
    for (const tsr_fb_field *f = t->type->fields; f->name; f++) {
        tsr_fb_value *v = &t->fields[f - t->type->fields];
        TSR_TRY(read_field(r, frame, i, f, v));
        t->nodes += nodes_in(f, v);
        if (t->nodes > MOST_NODES)
            return bad(r, frame->at, "%s has more than %d tables in it", t->type->name, MOST_NODES);
        i += f->type->kind == TSR_FB_UNION ? 2 : 1;
    }
    for (; i < frame->nslot; i++) {
        TSR_TRY(slot(r, frame, i, 1, 1, t->type->name, &at));
        if (at)
            return bad(r, at, "field %zu of %s is not in the schema", i, t->type->name);
    }
    return true;
}

static bool read_table(reader *r, const tsr_fb_type *type, size_t at, tsr_fb_table **out)
{
    uint64_t hash = tsr_hash_mix(at + 1, (uint64_t)(uintptr_t)type);
    layout frame;
    TSR_MAP_EACH (&r->tables, hash, found) {
        tsr_fb_table *t = found;
        if (t->at == at && t->type == type) {
            *out = t;
            return true;
        }
    }
    if (r->depth == MOST_DEPTH)
        return bad(r, at, "tables are more than %d levels deep", MOST_DEPTH);
    TSR_TRY(read_frame(r, type, at, &frame));
    tsr_fb_table *t = tsr_fb_table_new(r->arena, type);
    t->at = (uint32_t)at;
    r->depth++;
    TSR_TRY(read_fields(r, &frame, t));
    r->depth--;
    tsr_map_put(&r->tables, hash, t);
    *out = t;
    return true;
}

static bool read_root(reader *r, const tsr_fb_file *file, tsr_fb_table **out)
{
    size_t to = 0;
    if (r->data.len < 12)
        return bad(r, r->data.len, "a file of %zu bytes is too short", r->data.len);
    if (r->data.len > INT32_MAX)
        return bad(r, 0, "a file of more than 2 GB");
    uint64_t size = (uint64_t)number(r, &tsr_fb_u32, 0);
    if (memcmp(r->data.data + 8, file->identifier, 4) != 0)
        return bad(r, 8, "the identifier is not %s", file->identifier);
    if (size != r->data.len - 4)
        return bad(r, 0, "%llu bytes should follow the size, and %zu do", (unsigned long long)size,
                   r->data.len - 4);
    return follow(r, 4, "the root", &to) && read_table(r, file->root, to, out);
}

tsr_fb_table *tsr_fb_read(tsr_arena *a, const tsr_fb_file *file, tsr_str data, tsr_fb_error *error)
{
    reader r = {.arena = a, .data = data, .error = error};
    tsr_fb_table *root = NULL;
    bool ok = read_root(&r, file, &root);
    tsr_map_free(&r.tables);
    return ok ? root : NULL;
}
