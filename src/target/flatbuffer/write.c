/* SPDX-License-Identifier: Apache-2.0 */
/* write.c - trees as bytes. The buffer grows from its end to its beginning, since offsets only point forward: what a
 * table refers to is written before it; shared tables and equal vtables are written once. */
#include "target/flatbuffer/flatbuffer.h"

typedef struct {
    char *data; /* the last n of cap bytes are in use */
    size_t cap, n;
    size_t align; /* the largest so far */
    tsr_map vtables;
    tsr_arena scratch;
} builder;

/* A vtable that was written. */
typedef struct {
    const uint16_t *slots;
    size_t n;
    uint32_t ends;
} vtable;

static char *grow(builder *b, size_t bytes)
{
    if (b->cap - b->n < bytes) {
        size_t cap = (b->cap + bytes) * 2 + 1024;
        char *data = tsr_xmalloc(cap);
        if (b->n)
            memcpy(data + cap - b->n, b->data + b->cap - b->n, b->n);
        tsr_free(b->data);
        b->data = data;
        b->cap = cap;
    }
    b->n += bytes;
    return b->data + b->cap - b->n;
}

static void push(builder *b, const void *bytes, size_t n)
{
    if (n)
        memcpy(grow(b, n), bytes, n);
}

/* Writes zeros so that, after n more bytes, the position is a multiple of align. */
static void pad(builder *b, size_t n, size_t align)
{
    tsr_assert(align && !(align & (align - 1)), "an alignment of %zu", align);
    size_t fill = (align - (b->n + n) % align) % align;
    if (fill)
        memset(grow(b, fill), 0, fill);
    if (align > b->align)
        b->align = align;
}

static void push_u32(builder *b, uint64_t v)
{
    char bytes[4];
    tsr_fb_store(&tsr_fb_u32, (int64_t)v, bytes);
    push(b, bytes, 4);
}

/* Writes an offset to something that was written when the buffer had ends bytes; the position is aligned. */
static void push_offset(builder *b, uint32_t ends)
{
    tsr_assert(ends && ends <= b->n, "an offset to %u of %zu bytes", ends, b->n);
    push_u32(b, b->n + 4 - ends);
}

static uint32_t write_table(builder *b, tsr_fb_table *t);

static uint32_t write_bytes(builder *b, tsr_str s, size_t count, size_t align, bool text)
{
    pad(b, s.len + text, align < 4 ? 4 : align);
    if (align > 4)
        pad(b, s.len, align);
    if (text)
        push(b, "", 1);
    push(b, s.data, s.len);
    push_u32(b, count);
    return (uint32_t)b->n;
}

static uint32_t write_item(builder *b, const tsr_fb_type *type, const tsr_fb_value *v)
{
    return type->kind == TSR_FB_STRING ? write_bytes(b, v->s, v->s.len, 1, true)
                                       : write_table(b, v->table);
}

static uint32_t write_list(builder *b, const tsr_fb_type *type, const tsr_fb_value *v)
{
    tsr_assert(!tsr_fb_is_inline(type) || v->s.len % type->size == 0,
               "%zu bytes of elements of %u bytes", v->s.len, (unsigned)type->size);
    if (tsr_fb_is_inline(type))
        return write_bytes(b, v->s, v->s.len / type->size, type->align, false);
    uint32_t *ends = tsr_xmalloc((v->n + 1) * sizeof *ends);
    for (size_t i = v->n; i-- > 0;)
        ends[i] = write_item(b, type, &v->items[i]);
    pad(b, 0, 4);
    for (size_t i = v->n; i-- > 0;)
        push_offset(b, ends[i]);
    push_u32(b, v->n);
    tsr_free(ends);
    return (uint32_t)b->n;
}

/* The cases of a list of unions, as bytes. */
static uint32_t write_tags(builder *b, const tsr_fb_value *v)
{
    char *tags = tsr_xmalloc(v->n + 1);
    for (size_t i = 0; i < v->n; i++)
        tags[i] = (char)v->items[i].tag;
    uint32_t ends = write_bytes(b, (tsr_str){tags, v->n}, v->n, 1, false);
    tsr_free(tags);
    return ends;
}

/* ---- Tables ---- */

/* The contents of one slot of a table. */
typedef struct {
    uint8_t size, align; /* 0: nothing */
    bool is_offset;
    uint32_t ends;
    const char *bytes; /* structures */
    char number[8];
} place;

static bool is_default(const tsr_fb_field *f, const tsr_fb_value *v)
{
    return f->how == TSR_FB_ONE &&
           (f->type->kind == TSR_FB_FLOAT
                ? v->f == (f->type->size == 4 ? (float)f->value : f->value) &&
                      !(v->f == 0 && 1 / v->f < 0)
                : v->i == (int64_t)f->value);
}

static void number(place *p, const tsr_fb_type *type, const tsr_fb_value *v)
{
    const tsr_fb_type *base = tsr_fb_base(type);
    uint64_t bits = (uint64_t)v->i;
    float half = (float)v->f;
    if (base->kind == TSR_FB_FLOAT && base->size == 4) {
        uint32_t narrow;
        memcpy(&narrow, &half, sizeof narrow);
        bits = narrow;
    } else if (base->kind == TSR_FB_FLOAT)
        memcpy(&bits, &v->f, sizeof bits);
    p->size = p->align = base->size;
    tsr_fb_store(base, (int64_t)bits, p->number);
}

static void reference(place *p, uint32_t ends)
{
    *p = (place){.size = 4, .align = 4, .is_offset = true, .ends = ends};
}

/* Writes what a field refers to; fills its slot, or the two slots of a union. */
static void field(builder *b, const tsr_fb_field *f, const tsr_fb_value *v, place *p)
{
    bool is_union = f->type->kind == TSR_FB_UNION;
    if (!v->set)
        return;
    if (f->how == TSR_FB_LIST) {
        reference(&p[is_union], write_list(b, f->type, v));
        if (is_union)
            reference(&p[0], write_tags(b, v));
    } else if (tsr_fb_is_scalar(f->type)) {
        if (!is_default(f, v))
            number(p, f->type, v);
    } else if (f->type->kind == TSR_FB_STRUCT) {
        *p = (place){.size = f->type->size, .align = f->type->align, .bytes = v->s.data};
    } else {
        reference(&p[is_union], write_item(b, f->type, v));
        if (is_union)
            *p = (place){.size = 1, .align = 1, .number = {(char)v->tag}};
    }
}

static uint32_t write_vtable(builder *b, const uint16_t *slots, size_t n)
{
    uint64_t hash = tsr_hash_bytes(slots, n * sizeof *slots);
    TSR_MAP_EACH (&b->vtables, hash, found) {
        const vtable *v = found;
        if (v->n == n && memcmp(v->slots, slots, n * sizeof *slots) == 0)
            return v->ends;
    }
    for (size_t i = n; i-- > 0;) {
        char bytes[2];
        tsr_fb_store(&tsr_fb_u16, slots[i], bytes);
        push(b, bytes, 2);
    }
    vtable *made = tsr_arena_alloc(&b->scratch, sizeof *made);
    *made = (vtable){tsr_arena_copy(&b->scratch, slots, n * sizeof *slots), n, (uint32_t)b->n};
    tsr_map_put(&b->vtables, hash, made);
    return made->ends;
}

/* Writes the parts of a table, the widest first; slots get their distance from the end. */
static void write_places(builder *b, const place *places, size_t n, uint32_t *ends)
{
    for (size_t width = 8; width; width /= 2)
        for (size_t i = n; i-- > 0;) {
            const place *p = &places[i];
            if (!p->size || p->align != width)
                continue;
            pad(b, p->size, p->align);
            if (p->is_offset)
                push_offset(b, p->ends);
            else
                push(b, p->bytes ? p->bytes : p->number, p->size);
            ends[i] = (uint32_t)b->n;
        }
}

static uint32_t write_table(builder *b, tsr_fb_table *t)
{
    enum { MOST = 128 };
    place places[MOST];
    uint32_t ends[MOST];
    uint16_t slots[MOST + 2];
    size_t n = 0, last = 0, most = 2 * tsr_fb_count(t->type); /* unions take two */
    if (t->ends)
        return t->ends;
    tsr_assert(most < MOST, "a table of %zu fields", most / 2);
    memset(places, 0, most * sizeof *places);
    memset(ends, 0, most * sizeof *ends);
    memset(slots, 0, (most + 2) * sizeof *slots);
    for (const tsr_fb_field *f = t->type->fields; f->name; f++) {
        field(b, f, &t->fields[f - t->type->fields], &places[n]);
        n += f->type->kind == TSR_FB_UNION ? 2 : 1;
    }
    pad(b, 0, 4);
    size_t below = b->n;
    tsr_assert(below % 4 == 0, "a table starts at %zu", below);
    write_places(b, places, n, ends);
    pad(b, 4, 4);
    push_u32(b, 0); /* of the vtable, set later */
    tsr_assert(n <= most && b->n - below <= UINT16_MAX, "a table of %zu bytes, with %zu slots",
               b->n - below, n);
    t->ends = (uint32_t)b->n;
    for (size_t i = 0; i < n; i++)
        if (ends[i]) {
            slots[i + 2] = (uint16_t)(t->ends - ends[i]);
            last = i + 1;
        }
    slots[0] = (uint16_t)(4 + 2 * last);
    slots[1] = (uint16_t)(t->ends - below);
    uint32_t at = write_vtable(b, slots, last + 2);
    tsr_fb_store(&tsr_fb_i32, (int64_t)at - t->ends, b->data + b->cap - t->ends);
    return t->ends;
}

bool tsr_fb_write(tsr_buf *out, const tsr_fb_file *file, tsr_fb_table *root, size_t hint)
{
    builder b = {.align = 4, .cap = hint};
    b.data = hint ? tsr_xmalloc(hint) : NULL;
    tsr_arena_init(&b.scratch);
    uint32_t ends = write_table(&b, root);
    pad(&b, 12, b.align);
    push(&b, file->identifier, 4);
    push_offset(&b, ends);
    push_u32(&b, b.n);
    bool ok = b.n <= INT32_MAX; /* offsets cannot be larger */
    if (ok)
        tsr_buf_str(out, (tsr_str){b.data + b.cap - b.n, b.n});
    tsr_map_free(&b.vtables);
    tsr_arena_free(&b.scratch);
    tsr_free(b.data);
    return ok;
}
