/* SPDX-License-Identifier: Apache-2.0 */
/* entry.c - attributes and types of a bytecode file, decoded on first use.
 *
 * The offset section gives the position of each. Decoding one decodes those inside it, so the depth is bounded, and a
 * thing that contains itself is rejected. The depth of the result and the number of times its parts are printed are
 * bounded too: a few records can represent a value of any size. */
#include "asm/reader.h"
#include "text/bytecode/reader.h"

enum { MOST_NODES = 1 << 22, NODE_SHARE = 64 };

/* ---- Places ---- */

/* groups ::= (dialect, count, (size << 1 | custom)*)*; positions are sums of sizes. */
static bool read_groups(bc_reader *r, bc_entry *entries, size_t n, const uint8_t **at)
{
    const uint8_t *end = r->sections[TSR_BC_SECTION_ATTR_TYPE].end;
    for (size_t i = 0; i < n;) {
        uint64_t dialect, size;
        size_t count;
        if (!tsr_bc_read_varint(&r->b, &dialect) ||
            !bc_in_range(r, dialect, r->ndialect, "dialect") || !tsr_bc_count(&r->b, &count))
            return false;
        if (count > n - i)
            return tsr_bc_error(&r->b, "has a group of %zu attributes or types where %zu are left",
                                count, n - i);
        for (size_t k = 0; k < count; k++, i++) {
            if (!tsr_bc_read_varint(&r->b, &size))
                return false;
            if (size >> 1 > (size_t)(end - *at) || size >> 1 > UINT32_MAX)
                return tsr_bc_error(&r->b,
                                    "has an attribute or type past the end of their section");
            entries[i] = (bc_entry){.data = *at,
                                    .size = (uint32_t)(size >> 1),
                                    .dialect = (uint16_t)dialect,
                                    .flags = size & 1 ? BC_CUSTOM : 0};
            *at += size >> 1;
        }
    }
    return true;
}

bool bc_init_entries(bc_reader *r)
{
    bc_span s = r->sections[TSR_BC_SECTION_ATTR_TYPE_OFFSET];
    r->b.p = s.p;
    r->b.end = s.end;
    if (!tsr_bc_count(&r->b, &r->nattr) || !tsr_bc_count(&r->b, &r->ntype))
        return false;
    if (r->ndialect > UINT16_MAX)
        return tsr_bc_error(&r->b, "has %zu dialects", r->ndialect);
    r->attrs = tsr_arena_alloc(&r->keep, r->nattr * sizeof *r->attrs);
    r->types = tsr_arena_alloc(&r->keep, r->ntype * sizeof *r->types);
    const uint8_t *at = r->sections[TSR_BC_SECTION_ATTR_TYPE].p;
    if (!read_groups(r, r->attrs, r->nattr, &at) || !read_groups(r, r->types, r->ntype, &at))
        return false;
    return r->b.p == r->b.end ||
           tsr_bc_error(&r->b, "has bytes behind the places of attributes and types");
}

/* ---- Decoding ---- */

/* As NUL-terminated text. */
static bool decode_text(bc_reader *r, bc_entry *e, bool is_type)
{
    tsr_bc *b = &r->b;
    const uint8_t *nul = memchr(b->p, 0, (size_t)(b->end - b->p));
    if (!nul)
        return tsr_bc_error(b, "has a text without its end");
    tsr_reader text;
    tsr_reader_init(&text, r->ctx, r->m, (tsr_str){(const char *)b->p, (size_t)(nul - b->p)},
                    r->filename->str, 1);
    text.depth = (int)b->depth;
    uint32_t errors = r->ctx->nerror;
    e->value = is_type ? (void *)tsr_read_type(&text) : (void *)tsr_read_attr(&text, NULL);
    bool ok = e->value && tsr_read_is(&text, TOK_EOF) && r->ctx->nerror == errors;
    b->deepest = (uint32_t)(text.deepest > (int)b->depth ? text.deepest - (int)b->depth : 0);
    b->nodes = text.nodes;
    tsr_reader_free(&text);
    if (!ok)
        return tsr_bc_error(b, "has %s that cannot be read: %.*s",
                            is_type ? "a type" : "an attribute",
                            (int)(nul - b->p < 100 ? nul - b->p : 100), (const char *)b->p);
    b->p = nul + 1;
    return true;
}

static bool decode_custom(bc_reader *r, bc_entry *e, bool is_type)
{
    tsr_bc *b = &r->b;
    const char *what = is_type ? "type" : "attribute";
    if (!bc_load_dialect(r, e->dialect))
        return false;
    const bc_rdialect *d = &r->dialects[e->dialect];
    uint64_t code;
    if (!d->codec)
        return tsr_bc_error(b, "has %s of the dialect '%.*s', which has no encodings", what,
                            TSR_STR_ARG(d->name));
    if (!tsr_bc_read_varint(b, &code))
        return false;
    if (code >= (is_type ? d->codec->ntype : d->codec->nattr) ||
        !(is_type ? (void *)d->codec->types[code] : (void *)d->codec->attrs[code]))
        return tsr_bc_error(b, "has an unknown %.*s %s code: %llu", TSR_STR_ARG(d->name), what,
                            (unsigned long long)code);
    b->dialect = d->version;
    if (is_type) {
        tsr_type *t = NULL;
        bool ok = d->codec->types[code](b, &t) && t;
        e->value = ok ? t : NULL;
        return ok;
    }
    tsr_attr *a = NULL;
    bool ok = d->codec->attrs[code](b, &a) && a;
    e->value = ok ? a : NULL;
    return ok;
}

static bool decode(bc_reader *r, bc_entry *e, bool is_type)
{
    tsr_bc *b = &r->b;
    if (e->flags & BC_BUSY)
        return tsr_bc_error(b, "has %s that contains itself", is_type ? "a type" : "an attribute");
    if (b->depth >= TSR_MAX_NESTING)
        return tsr_bc_error(b, "nests attributes and types too deeply (more than %d levels)",
                            TSR_MAX_NESTING);
    tsr_bc outer = *b;
    tsr_arena_mark mark = tsr_arena_save(&r->scratch);
    b->p = e->data;
    b->end = e->data + e->size;
    b->deepest = 0;
    b->nodes = 0;
    b->met_loc = false;
    b->depth++;
    e->flags |= BC_BUSY;
    uint32_t errors = r->ctx->nerror;
    bool ok = e->flags & BC_CUSTOM ? decode_custom(r, e, is_type) : decode_text(r, e, is_type);
    if (!ok && r->ctx->nerror == errors)
        tsr_bc_error(b, "has %s that is invalid", is_type ? "a type" : "an attribute");
    if (ok && b->p != b->end)
        ok = tsr_bc_error(b, "has bytes behind %s", is_type ? "a type" : "an attribute");
    /* A location that is not part of another prints under an alias by default. */
    const tsr_attr *loc =
        ok && !is_type && ((tsr_attr *)e->value)->kind == TSR_ATTR_LOC ? e->value : NULL;
    bool meta =
        loc && loc->sub == TSR_LOC_KIND_FUSED && tsr_attr_is(loc->attrs[loc->n], TSR_ATTR_LOC);
    if (ok && b->met_loc && (!loc || meta))
        r->ctx->has_aliased = true;
    uint32_t levels = b->deepest + 1;
    uint64_t nodes = b->nodes + 1 + e->size / 8;
    if (ok && levels > TSR_MAX_NESTING)
        ok = tsr_bc_error(b, "nests attributes and types too deeply (more than %d levels)",
                          TSR_MAX_NESTING);
    if (ok && nodes > MOST_NODES + NODE_SHARE * (uint64_t)r->size)
        ok = tsr_bc_error(b, "has an attribute or type that stands for too many others");
    e->flags &= (uint8_t) ~(BC_BUSY | BC_PLACE);
    e->flags |= ok ? BC_DECODED : 0;
    e->levels = (uint16_t)levels;
    e->nodes = nodes < UINT32_MAX ? (uint32_t)nodes : UINT32_MAX;
    tsr_arena_rewind(&r->scratch, mark);
    outer.ndistinct = b->ndistinct;
    *b = outer;
    return ok;
}

/* Passes on the depth and size of an entry to the thing that contains it. */
static void *use(bc_reader *r, bc_entry *entries, uint64_t index, bool is_type)
{
    bc_entry *e = &entries[index];
    if (!(e->flags & BC_DECODED) && !decode(r, e, is_type))
        return NULL;
    tsr_bc *b = &r->b;
    if (e->levels > b->deepest)
        b->deepest = e->levels;
    b->nodes += e->nodes;
    b->met_loc |= !is_type && ((tsr_attr *)e->value)->kind == TSR_ATTR_LOC;
    return e->value;
}

/* The same for an op; there is also a limit for all ops together. */
static void *use_in_op(bc_reader *r, bc_entry *entries, uint64_t index, bool is_type)
{
    bc_entry *e = &entries[index];
    if (!(e->flags & BC_DECODED) && !decode(r, e, is_type))
        return NULL;
    r->nodes += e->nodes;
    if (TSR_UNLIKELY(r->nodes > MOST_NODES + NODE_SHARE * (uint64_t)r->size)) {
        tsr_bc_error(&r->b, "has ops whose attributes stand for too many others");
        return NULL;
    }
    return e->value;
}

tsr_attr *bc_attr(bc_reader *r, uint64_t index)
{
    return bc_in_range(r, index, r->nattr, "attribute") ? use_in_op(r, r->attrs, index, false)
                                                        : NULL;
}

tsr_type *bc_type(bc_reader *r, uint64_t index)
{
    return bc_in_range(r, index, r->ntype, "type") ? use_in_op(r, r->types, index, true) : NULL;
}

/* ---- Locations of ops: most are file positions, which need no attribute ---- */

enum { CODE_FILE = 11, CODE_UNKNOWN = 15 };

/* Position 0:0 of the file that attribute index names; 0 if it cannot be packed or is not a file name. */
static tsr_loc file_base(bc_reader *r, uint64_t index)
{
    if (r->file_base && r->file == index)
        return r->file_base;
    bc_entry *e = index < r->nattr ? &r->attrs[index] : NULL;
    if (!e || (!(e->flags & BC_DECODED) && !decode(r, e, false)))
        return 0;
    const tsr_attr *a = e->value;
    r->file = index;
    r->file_base =
        a->kind == TSR_ATTR_STRING ? tsr_loc_pack(r->ctx, tsr_name_get(r->ctx, a->s), 0, 0) : 0;
    return r->file_base;
}

/* A number of one to four bytes at p; false for longer ones, which are rare here, and at the end. */
static bool small_number(const uint8_t **p, const uint8_t *end, uint32_t *v)
{
    const uint8_t *q = *p;
    if (q == end)
        return false;
    unsigned more = q[0] & 1 ? 0 : q[0] & 2 ? 1 : q[0] & 4 ? 2 : 3;
    if ((more == 3 && !(q[0] & 8)) || (size_t)(end - q) <= more)
        return false;
    uint32_t x = 0;
    for (unsigned i = 0; i <= more; i++)
        x |= (uint32_t)q[i] << (8 * i);
    *v = x >> (more + 1);
    *p = q + more + 1;
    return true;
}

/* Decodes a file position directly from its record. False: it is of another kind, or invalid, which decoding will
 * report. */
static bool quick_loc(bc_reader *r, bc_entry *e)
{
    const uint8_t *p = e->data + 1, *end = e->data + e->size;
    uint32_t file, line, col;
    if (!(e->flags & BC_CUSTOM) || e->size < 1 || e->dialect != r->builtin)
        return false;
    if (e->size == 1 && e->data[0] == (CODE_UNKNOWN << 1 | 1)) {
        e->loc = TSR_LOC_UNKNOWN;
        return true;
    }
    if (e->data[0] != (CODE_FILE << 1 | 1) || !small_number(&p, end, &file) ||
        !small_number(&p, end, &line) || !small_number(&p, end, &col) || p != end)
        return false;
    tsr_loc base = file_base(r, file);
    if (!tsr_loc_packs(base, line, col))
        return false;
    e->loc = tsr_loc_at(base, line, col);
    return true;
}

bool bc_loc(bc_reader *r, tsr_loc *out)
{
    uint64_t index;
    if (!tsr_bc_read_varint(&r->b, &index) || !bc_in_range(r, index, r->nattr, "attribute"))
        return false;
    bc_entry *e = &r->attrs[index];
    if (!(e->flags & (BC_PLACE | BC_DECODED))) {
        uint32_t errors = r->ctx->nerror;
        if (quick_loc(r, e))
            e->flags |= BC_PLACE;
        else if (r->ctx->nerror != errors)
            return false;
    }
    if (e->flags & BC_PLACE) {
        *out = e->loc;
        return true;
    }
    tsr_attr *a = bc_attr(r, index);
    if (!a)
        return false;
    if (a->kind != TSR_ATTR_LOC)
        return tsr_bc_error(&r->b, "has another attribute where a location belongs");
    *out = tsr_loc_of_attr(a);
    return true;
}

/* ---- Callbacks of codecs ---- */

static bool host_attr(tsr_bc *b, tsr_attr **attr)
{
    bc_reader *r = bc_reader_of(b);
    uint64_t index;
    return tsr_bc_read_varint(b, &index) && bc_in_range(r, index, r->nattr, "attribute") &&
           (*attr = use(r, r->attrs, index, false)) != NULL;
}

static bool host_type(tsr_bc *b, tsr_type **type)
{
    bc_reader *r = bc_reader_of(b);
    uint64_t index;
    return tsr_bc_read_varint(b, &index) && bc_in_range(r, index, r->ntype, "type") &&
           (*type = use(r, r->types, index, true)) != NULL;
}

static bool host_optional_attr(tsr_bc *b, tsr_attr **attr)
{
    bc_reader *r = bc_reader_of(b);
    uint64_t v;
    if (!tsr_bc_read_varint(b, &v))
        return false;
    *attr = NULL;
    return !(v & 1) || (bc_in_range(r, v >> 1, r->nattr, "attribute") &&
                        (*attr = use(r, r->attrs, v >> 1, false)) != NULL);
}

static bool host_resource(tsr_bc *b, tsr_str dialect, tsr_str *key)
{
    bc_reader *r = bc_reader_of(b);
    uint64_t v;
    if (!tsr_bc_read_varint(b, &v) || !bc_in_range(r, v, r->nhandle, "resource handle"))
        return false;
    if (!tsr_str_eq(r->dialects[r->handles[v].dialect].name, dialect))
        return tsr_bc_error(b, "has a resource of another dialect");
    *key = r->handles[v].key;
    return true;
}

/* Reports the section that contains p, and the offset in the file. */
static void host_error(tsr_bc *b, const char *message)
{
    static const char *const names[] = {
        "String",   "Dialect",        "AttrType",        "AttrTypeOffset", "IR",
        "Resource", "ResourceOffset", "DialectVersions", "Properties"};
    bc_reader *r = bc_reader_of(b);
    tsr_loc loc = tsr_loc_file(r->ctx, r->filename, 0, 0);
    const char *section = "header";
    for (size_t i = 0; i < TSR_BC_SECTION__COUNT; i++)
        if (r->has[i] && b->p >= r->sections[i].p && b->p <= r->sections[i].end)
            section = names[i];
    bool inside = b->p >= r->base && b->p <= r->base + r->size;
    tsr_error(r->ctx, loc, "bytecode %s (byte %zu, section %s)", message,
              inside ? (size_t)(b->p - r->base) : 0, section);
}

const tsr_bc_host bc_read_host = {
    .attr = host_attr,
    .type = host_type,
    .optional_attr = host_optional_attr,
    .string = bc_read_string,
    .resource = host_resource,
    .error = host_error,
};
