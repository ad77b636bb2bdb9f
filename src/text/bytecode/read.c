/* SPDX-License-Identifier: Apache-2.0 */
/* read.c - a bytecode file: its header, sections, strings, dialects, op names and properties.
 *
 *   file     ::= magic version producer NUL section*
 *   section  ::= id-byte length (alignment padding)? data
 *
 * Sections come in any order and refer to each other, so all are found before any is read. The file is untrusted: every
 * count is checked against the remaining bytes before it is used. */
#include "text/bytecode/reader.h"

#include "dialect/opcode.h"
#include "text/text.h"

bool bc_in_range(bc_reader *r, uint64_t index, size_t n, const char *what)
{
    return TSR_LIKELY(index < n) ||
           tsr_bc_error(&r->b, "has an invalid %s index: %llu", what, (unsigned long long)index);
}

/* ---- Sections ---- */

bool bc_read_section(bc_reader *r, uint32_t *id, bc_span *out)
{
    tsr_bc *b = &r->b;
    uint8_t byte = 0;
    uint64_t length;
    uint32_t align;
    if (!tsr_bc_read_byte(b, &byte) || !tsr_bc_read_varint(b, &length))
        return false;
    *id = byte & ~(uint32_t)TSR_BC_SECTION_ALIGNED;
    if (*id >= TSR_BC_SECTION__COUNT)
        return tsr_bc_error(b, "has an invalid section ID: %u", *id);
    if (byte & TSR_BC_SECTION_ALIGNED) {
        if (!tsr_bc_u32(b, &align))
            return false;
        if (!align || (align & (align - 1)))
            return tsr_bc_error(b, "has an alignment that is no power of two: %u", align);
        while ((size_t)(b->p - r->base) % align) {
            if (!tsr_bc_read_byte(b, &byte))
                return false;
            if (byte != TSR_BC_PAD)
                return tsr_bc_error(b, "has the byte 0x%02X where padding belongs", byte);
        }
    }
    if (length > (size_t)(b->end - b->p))
        return tsr_bc_error(b, "has a section of %llu bytes where %zu are left",
                            (unsigned long long)length, (size_t)(b->end - b->p));
    *out = (bc_span){b->p, b->p + length};
    b->p += length;
    return true;
}

static const char *const section_names[] = {
    "String (0)",   "Dialect (1)",        "AttrType (2)",        "AttrTypeOffset (3)", "IR (4)",
    "Resource (5)", "ResourceOffset (6)", "DialectVersions (7)", "Properties (8)",
};

static bool read_sections(bc_reader *r)
{
    tsr_bc *b = &r->b;
    while (b->p != b->end) {
        uint32_t id;
        bc_span s;
        if (!bc_read_section(r, &id, &s))
            return false;
        if (r->has[id])
            return tsr_bc_error(b, "has a duplicate top-level section: %s", section_names[id]);
        r->has[id] = true;
        r->sections[id] = s;
    }
    for (uint32_t i = 0; i < TSR_BC_SECTION__COUNT; i++) {
        bool needed = i <= TSR_BC_SECTION_IR ||
                      (i == TSR_BC_SECTION_PROPERTIES && b->version >= TSR_BC_PROPERTIES);
        if (needed && !r->has[i])
            return tsr_bc_error(b, "is missing data for top-level section: %s", section_names[i]);
    }
    return true;
}

static void enter(bc_reader *r, uint32_t section)
{
    r->b.p = r->sections[section].p;
    r->b.end = r->sections[section].end;
}

/* ---- Strings: count, lengths from the last to the first, text; each has a NUL after it ---- */

static bool read_strings(bc_reader *r)
{
    tsr_bc *b = &r->b;
    enter(r, TSR_BC_SECTION_STRING);
    if (!tsr_bc_count(b, &r->nstring))
        return false;
    r->strings = tsr_arena_alloc(&r->keep, (r->nstring + 1) * sizeof *r->strings);
    const uint8_t *end = b->end;
    for (size_t i = r->nstring; i-- > 0;) {
        uint64_t n;
        if (!tsr_bc_read_varint(b, &n))
            return false;
        size_t left =
            end > b->p ? (size_t)(end - b->p) : 0; /* the lengths may reach into the text */
        if (!n || n > left)
            return tsr_bc_error(b, "has a string of %llu bytes where %zu are left",
                                (unsigned long long)n, left);
        end -= n;
        r->strings[i] = (tsr_str){(const char *)end, (size_t)n - 1};
    }
    return b->p == end ||
           tsr_bc_error(b, "has bytes between the lengths of strings and their text");
}

bool bc_read_string(tsr_bc *b, tsr_str *s)
{
    bc_reader *r = bc_reader_of(b);
    uint64_t index;
    if (!tsr_bc_read_varint(b, &index) || !bc_in_range(r, index, r->nstring, "string"))
        return false;
    *s = r->strings[index];
    return true;
}

/* ---- Dialects and op names ---- */

bool bc_load_dialect(bc_reader *r, uint32_t dialect)
{
    bc_rdialect *d = &r->dialects[dialect];
    if (d->loaded)
        return true;
    if (!tsr_dialect_known(r->ctx, d->name) && !r->ctx->allow_unregistered)
        return tsr_bc_error(
            &r->b,
            "names the dialect '%.*s', which is unknown. If this is intended, please use "
            "-allow-unregistered-dialect with the MLIR tool used",
            TSR_STR_ARG(d->name));
    d->codec = tsr_bc_dialect_find(d->name);
    if (d->version_data.p && d->codec && d->codec->read_version) {
        tsr_bc outer = r->b;
        r->b.p = d->version_data.p;
        r->b.end = d->version_data.end;
        bool ok = d->codec->read_version(&r->b, &d->version);
        r->b = outer;
        if (!ok)
            return false;
    }
    d->loaded = true;
    return true;
}

static bool read_dialect(bc_reader *r, bc_rdialect *d)
{
    tsr_bc *b = &r->b;
    uint64_t v;
    uint32_t id;
    if (b->version < TSR_BC_DIALECT_VERSIONS)
        return bc_read_string(b, &d->name);
    if (!tsr_bc_read_varint(b, &v) || !bc_in_range(r, v >> 1, r->nstring, "string"))
        return false;
    d->name = r->strings[v >> 1];
    if (!(v & 1))
        return true;
    if (!bc_read_section(r, &id, &d->version_data))
        return false;
    return id == TSR_BC_SECTION_DIALECT_VERSIONS ||
           tsr_bc_error(b, "has another section where a dialect's version belongs");
}

/* names ::= (dialect, count, name*)* to the end; the flag of a name says that it was registered. */
static bool read_op_names(bc_reader *r)
{
    tsr_bc *b = &r->b;
    size_t cap = 0;
    if (b->version >= TSR_BC_ELIDE_LOCS && !tsr_bc_count(b, &cap))
        return false;
    /* Each name has a byte. */
    cap = (size_t)(b->end - b->p);
    r->ops = tsr_arena_alloc(&r->keep, (cap + 1) * sizeof *r->ops);
    while (b->p != b->end) {
        uint64_t dialect, v;
        size_t n;
        if (!tsr_bc_read_varint(b, &dialect) || !bc_in_range(r, dialect, r->ndialect, "dialect") ||
            !tsr_bc_count(b, &n))
            return false;
        for (size_t i = 0; i < n; i++) {
            bool registered = true;
            if (!tsr_bc_read_varint(b, &v))
                return false;
            if (b->version >= TSR_BC_PROPERTIES) {
                registered = v & 1;
                v >>= 1;
            }
            if (!bc_in_range(r, v, r->nstring, "string"))
                return false;
            r->ops[r->nop++] = (bc_opname){
                .name = r->strings[v], .dialect = (uint32_t)dialect, .registered = registered};
        }
    }
    return true;
}

static bool read_dialects(bc_reader *r)
{
    enter(r, TSR_BC_SECTION_DIALECT);
    if (!tsr_bc_count(&r->b, &r->ndialect))
        return false;
    r->dialects = TSR_NEW_ARRAY(&r->keep, bc_rdialect, r->ndialect + 1);
    r->builtin = UINT32_MAX;
    for (size_t i = 0; i < r->ndialect; i++) {
        if (!read_dialect(r, &r->dialects[i]))
            return false;
        if (tsr_str_is(r->dialects[i].name, "builtin"))
            r->builtin = (uint32_t)i;
    }
    return read_op_names(r);
}

/* ---- Properties: count, then length and bytes of each ---- */

static bool read_properties(bc_reader *r)
{
    tsr_bc *b = &r->b;
    enter(r, TSR_BC_SECTION_PROPERTIES);
    if (!r->has[TSR_BC_SECTION_PROPERTIES] || b->p == b->end)
        return true;
    if (!tsr_bc_count(b, &r->nprop))
        return false;
    r->props = tsr_arena_alloc(&r->keep, (r->nprop + 1) * sizeof *r->props);
    for (size_t i = 0; i < r->nprop; i++) {
        tsr_str s;
        if (!tsr_bc_blob(b, &s))
            return false;
        r->props[i] = (bc_span){(const uint8_t *)s.data, (const uint8_t *)s.data + s.len};
    }
    return b->p == b->end || tsr_bc_error(b, "has bytes behind its properties");
}

/* ---- The file ---- */

static bool read_header(bc_reader *r)
{
    tsr_bc *b = &r->b;
    uint64_t version;
    b->p += sizeof TSR_BC_MAGIC - 1;
    if (!tsr_bc_read_varint(b, &version))
        return false;
    if (version > TSR_BC_VERSION)
        return tsr_bc_error(b, "version %llu is newer than the current version %d",
                            (unsigned long long)version, TSR_BC_VERSION);
    b->version = (uint32_t)version;
    const uint8_t *nul = memchr(b->p, 0, (size_t)(b->end - b->p));
    if (!nul)
        return tsr_bc_error(b, "has a producer without its end");
    r->producer = (tsr_str){(const char *)b->p, (size_t)(nul - b->p)};
    b->p = nul + 1;
    return true;
}

static bool read_file(bc_reader *r)
{
    return read_header(r) && read_sections(r) && read_strings(r) && read_properties(r) &&
           read_dialects(r) && bc_read_resources(r) && bc_init_entries(r) && bc_read_ir(r);
}

tsr_module *tsr_bytecode_read(tsr_ctx *ctx, tsr_str data, tsr_str filename, bool borrow)
{
    tsr_module *m = tsr_module_new(ctx);
    bc_reader r = {.ctx = ctx,
                   .m = m,
                   .base = (const uint8_t *)data.data,
                   .size = data.len,
                   .filename = tsr_name_get(ctx, filename)};
    const uint8_t *orders[TSR_OP__COUNT] = {0};
    tsr_arena_init_pooled(&r.keep, &ctx->pool);
    tsr_arena_init_pooled(&r.scratch, &ctx->pool);
    tsr_text_install(ctx);
    r.b = (tsr_bc){.ctx = ctx,
                   .module = m,
                   .host = &bc_read_host,
                   .user = &r,
                   .mode = TSR_BC_READ,
                   .p = r.base,
                   .end = r.base + r.size,
                   .scratch = &r.scratch,
                   .borrow = borrow,
                   .orders = orders};
    uint32_t errors = ctx->nerror;
    bool ok = tsr_is_bytecode(data) ? read_file(&r) : tsr_bc_error(&r.b, "does not begin as such");
    ok = ok && ctx->nerror == errors;
    if (!ok && r.producer.data)
        tsr_note(ctx, tsr_loc_file(ctx, r.filename, 0, 0),
                 "in bytecode version %u produced by: %.*s", r.b.version, TSR_STR_ARG(r.producer));
    tsr_vec_free(&r.values);
    tsr_vec_free(&r.operands);
    tsr_vec_free(&r.results);
    tsr_vec_free(&r.orders);
    tsr_free(r.handles);
    tsr_arena_free(&r.scratch);
    tsr_arena_free(&r.keep);
    if (ok)
        return m;
    tsr_module_free(m);
    return NULL;
}
