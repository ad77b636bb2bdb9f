/* SPDX-License-Identifier: Apache-2.0 */
/* loc.c - locations. A packed one is, from the lowest bit: 1, 12 bits of file number, 28 of line, 23 of column. */
#include "ir/ir.h"

enum {
    FILE_BITS = 12,
    LINE_BITS = TSR_LOC_LINE_BITS,
    COL_BITS = TSR_LOC_COL_BITS,
    LINE_SHIFT = TSR_LOC_LINE_SHIFT,
    COL_SHIFT = TSR_LOC_COL_SHIFT
};
_Static_assert(LINE_SHIFT == 1 + FILE_BITS && COL_SHIFT == LINE_SHIFT + LINE_BITS,
               "the fields stand side by side");

static bool is_packed(tsr_loc loc)
{
    return loc & 1;
}

static tsr_attr *loc_pointer(tsr_loc loc)
{
    return (tsr_attr *)(uintptr_t)loc;
}

tsr_loc tsr_loc_pack(tsr_ctx *ctx, const tsr_name *file, uint32_t line, uint32_t col)
{
    if (line >> LINE_BITS || col >> COL_BITS)
        return 0;
    size_t i = 0;
    while (i < ctx->files.n && ctx->files.data[i] != file)
        i++;
    if (i == ctx->files.n) {
        if (i >> FILE_BITS)
            return 0;
        tsr_vec_push(&ctx->files, file);
    }
    tsr_assert(!(i >> FILE_BITS), "file %zu of a packed location", i);
    return 1 | (tsr_loc)i << 1 | (tsr_loc)line << LINE_SHIFT | (tsr_loc)col << COL_SHIFT;
}

tsr_loc tsr_loc_file(tsr_ctx *ctx, const tsr_name *file, uint32_t line, uint32_t col)
{
    tsr_loc packed = tsr_loc_pack(ctx, file, line, col);
    if (packed)
        return packed;
    int64_t ints[] = {line, col};
    return (tsr_loc)(uintptr_t)tsr_attr_loc_file(ctx, file->str, ints, 2);
}

tsr_loc tsr_loc_of_attr(tsr_attr *loc)
{
    if (!loc || loc->sub == TSR_LOC_KIND_UNKNOWN)
        return TSR_LOC_UNKNOWN;
    tsr_assert(loc->kind == TSR_ATTR_LOC, "an attribute of kind %d is no location", loc->kind);
    tsr_assert(!is_packed((tsr_loc)(uintptr_t)loc), "the address of a location is odd");
    if (loc->sub == TSR_LOC_KIND_FILE && loc->i)
        return (tsr_loc)loc->i;
    return (tsr_loc)(uintptr_t)loc;
}

static const tsr_name *unpack(tsr_ctx *ctx, tsr_loc loc, uint32_t *line, uint32_t *col)
{
    *line = (uint32_t)(loc >> LINE_SHIFT) & (((uint32_t)1 << LINE_BITS) - 1);
    *col = (uint32_t)(loc >> COL_SHIFT);
    size_t file = (loc >> 1) & ((1u << FILE_BITS) - 1);
    tsr_assert(file < ctx->files.n, "a location in file %zu of %zu", file, ctx->files.n);
    return ctx->files.data[file];
}

tsr_attr *tsr_loc_attr(tsr_ctx *ctx, tsr_loc loc)
{
    if (loc == TSR_LOC_UNKNOWN)
        return tsr_attr_loc_unknown(ctx);
    if (!is_packed(loc))
        return loc_pointer(loc);
    uint32_t line, col;
    const tsr_name *file = unpack(ctx, loc, &line, &col);
    int64_t ints[] = {line, col};
    return tsr_attr_loc_file(ctx, file->str, ints, 2);
}

/* The interned location that holds the first file position, or NULL. i says where to descend (attr.c). */
static const tsr_attr *first_file(const tsr_attr *a)
{
    while (a && a->sub != TSR_LOC_KIND_FILE) {
        const tsr_attr *in = NULL;
        for (uint32_t i = 0; i < a->n && !in && a->i; i++)
            if (a->attrs[i] && (a->attrs[i]->i || a->attrs[i]->sub == TSR_LOC_KIND_FILE))
                in = a->attrs[i];
        a = in;
    }
    return a;
}

bool tsr_loc_position(tsr_ctx *ctx, tsr_loc loc, tsr_str *file, uint32_t *line, uint32_t *col)
{
    if (loc == TSR_LOC_UNKNOWN)
        return false;
    if (!is_packed(loc)) {
        const tsr_attr *a = first_file(loc_pointer(loc));
        if (!a)
            return false;
        tsr_assert(a->n >= 2, "a position of %u numbers", a->n);
        *file = a->s;
        *line = (uint32_t)a->ints[0];
        *col = (uint32_t)a->ints[1];
        return true;
    }
    *file = unpack(ctx, loc, line, col)->str;
    return true;
}

tsr_loc tsr_value_loc(const tsr_value *v)
{
    return v->is_arg ? v->block->arg_locs[v->index] : v->op->loc;
}

/* ---- For people ---- */

/* Whether text is this stack of names, or begins with it. */
static bool continues(tsr_str text, tsr_str stack)
{
    return text.len >= stack.len && memcmp(text.data, stack.data, stack.len) == 0 &&
           (text.len == stack.len || text.data[stack.len] == '/');
}

/* left: how many parts may still be looked at; a location may name one of its parts often. */
static bool append_name(tsr_buf *out, const tsr_attr *a, uint32_t *left)
{
    if (!a || a->kind != TSR_ATTR_LOC || !*left)
        return false;
    --*left;
    if (a->sub == TSR_LOC_KIND_NAME) {
        tsr_buf_str(out, a->s);
        return a->s.len > 0;
    }
    if (a->sub == TSR_LOC_KIND_FUSED) {
        bool found = false;
        for (uint32_t i = 0; i < a->n && !found; i++)
            found = append_name(out, a->attrs[i], left);
        return found;
    }
    if (a->sub != TSR_LOC_KIND_CALLSITE)
        return false;
    size_t start = out->len;
    bool caller = append_name(out, a->attrs[1], left);
    size_t end = out->len;
    if (caller)
        tsr_buf_char(out, '/');
    size_t inner = out->len;
    bool callee = append_name(out, a->attrs[0], left);
    tsr_str all = tsr_buf_text(out);
    if (caller && !callee) {
        out->len = end;
    } else if (caller && continues(tsr_str_of(all.data + inner, all.len - inner),
                                   tsr_str_of(all.data + start, end - start))) {
        memmove(out->data + start, out->data + inner, out->len - inner);
        out->len -= inner - start;
    }
    return caller || callee;
}

bool tsr_loc_name(tsr_buf *out, tsr_loc loc)
{
    uint32_t left = 1024;
    return loc != TSR_LOC_UNKNOWN && !is_packed(loc) && append_name(out, loc_pointer(loc), &left);
}

bool tsr_loc_place(tsr_buf *out, tsr_ctx *ctx, tsr_loc loc, bool whole)
{
    tsr_str file;
    uint32_t line, col;
    if (!tsr_loc_position(ctx, loc, &file, &line, &col))
        return false;
    for (size_t i = file.len; !whole && i-- > 0;)
        if (file.data[i] == '/' && i + 1 < file.len) {
            file = tsr_str_of(file.data + i + 1, file.len - i - 1);
            break;
        }
    if (whole)
        tsr_buf_str(out, file);
    else
        tsr_text_visible(out, file, TSR_VISIBLE_TEXT);
    tsr_buf_printf(out, ":%u:%u", line, col);
    return true;
}

bool tsr_loc_at_place(tsr_buf *out, tsr_ctx *ctx, tsr_loc loc, bool whole)
{
    size_t end = out->len;
    tsr_buf_cstr(out, " at ");
    bool placed = tsr_loc_place(out, ctx, loc, whole);
    out->len = placed ? out->len : end;
    return placed;
}

/* Whether a location is unknown, or a place in this file without a name. */
static bool is_place_in(tsr_ctx *ctx, tsr_loc loc, tsr_str own)
{
    tsr_str file;
    uint32_t line, col;
    if (loc == TSR_LOC_UNKNOWN)
        return true;
    tsr_buf name = {0};
    bool named = tsr_loc_name(&name, loc);
    tsr_buf_free(&name);
    return !named && tsr_loc_position(ctx, loc, &file, &line, &col) && tsr_str_eq(file, own);
}

bool tsr_module_is_located(const tsr_module *m)
{
    tsr_str own = {"", 0};
    uint32_t line, col;
    tsr_loc_position(m->ctx, m->op->loc, &own, &line, &col);
    TSR_OPS (m->op, op) {
        if (!is_place_in(m->ctx, op->loc, own))
            return true;
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b)
                for (uint32_t i = 0; i < b->nargs; i++)
                    if (!is_place_in(m->ctx, b->arg_locs[i], own))
                        return true;
    }
    return false;
}
