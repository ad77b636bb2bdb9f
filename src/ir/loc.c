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
