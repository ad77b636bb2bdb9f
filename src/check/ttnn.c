/* SPDX-License-Identifier: Apache-2.0 */
/* ttnn.c - see ttnn.h. */
#include "check/ttnn.h"

#include "check/ttnn_memory.h"
#include "dialect/ttcore/ttcore.h"
#include "dialect/ttnn/ttnn.h"

/* The column PAGES: SAME: tiles of one data type, which the result has, too; TILES: tiles; KEEPS: the result has the
 * layout and data type of the operands; HOST: the same in host memory; and ops that each change one property. */
typedef enum {
    PAGES_NONE,
    PAGES_SAME,
    PAGES_TILES,
    PAGES_KEEPS,
    PAGES_HOST,
    PAGES_TO_DEVICE,
    PAGES_FROM_DEVICE,
    PAGES_TO_LAYOUT,
    PAGES_TYPECAST,
    PAGES_TO_MEMORY_CONFIG,
} pages;

static const struct {
    uint8_t pages;
} rows[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define PAGES(kind) .pages = PAGES_##kind,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

/* ---- A layout and its tensor ---- */

static const char *name_of(tsr_tt_data_type t)
{
    return t < 0 ? "?" : tsr_def_TTCORE_DATA_TYPE.cases[t];
}

static bool fits_tensor(const tsr_op *op, const tsr_type *t, const char *what, uint32_t i)
{
    const tsr_attr *layout = tsr_ttnn_layout_of(t);
    if (!layout || !tsr_type_has_static_shape(t))
        return true;
    tsr_ttnn_spec s = tsr_ttnn_spec_of(layout);
    if (s.ignores)
        return true;
    tsr_tt_data_type own = tsr_tt_data_type_of(t->elem);
    /* Truth values are bf16 on a device. */
    bool same = own == s.type || own == TSR_TT_I1 || t->elem->def == &tsr_def_QUANT_UNIFORM;
    if (!same)
        return tsr_op_error(op, "has a layout of %s for elements of %s: %s #%u", name_of(s.type),
                            name_of(own), what, i);
    const tsr_attr *want = tsr_ttnn_layout(t->ctx, t->dims, t->n, s);
    const tsr_type *have = layout->attrs[TTNN_TTNN_LAYOUT_memref]->type,
                   *memory = want->attrs[TTNN_TTNN_LAYOUT_memref]->type;
    bool shape = have->n == memory->n;
    for (uint32_t k = 0; shape && k < have->n; k++)
        shape = have->dims[k] == memory->dims[k];
    if (!shape && have->n == 2 && memory->n == 2)
        return tsr_op_error(
            op, "has a layout of %lldx%lld%s for a tensor that takes %lldx%lld: %s #%u",
            (long long)have->dims[0], (long long)have->dims[1], s.tiled ? " tiles" : "",
            (long long)memory->dims[0], (long long)memory->dims[1], what, i);
    return true;
}

/* ---- An op and its layouts ---- */

typedef struct {
    bool there; /* is a tensor with a layout */
    tsr_ttnn_spec s;
} spec;

static spec spec_of(const tsr_type *t)
{
    const tsr_attr *layout = tsr_ttnn_layout_of(t);
    return layout ? (spec){true, tsr_ttnn_spec_of(layout)} : (spec){0};
}

static const char *pages_name(bool tiled)
{
    return tiled ? "tiles" : "rows";
}

/* Properties that do not change. */
enum { DATA_TYPE = 1, PAGE = 2, MEMORY = 4 };

static bool keeps(const tsr_op *op, const tsr_ttnn_spec *a, const tsr_ttnn_spec *b, uint32_t i,
                  int what)
{
    if ((what & DATA_TYPE) && a->type != b->type)
        return tsr_op_error(op, "cannot change the data type from %s to %s: operand #%u",
                            name_of(a->type), name_of(b->type), i);
    if ((what & PAGE) && a->tiled != b->tiled)
        return tsr_op_error(op, "cannot change the layout from %s to %s: operand #%u",
                            pages_name(a->tiled), pages_name(b->tiled), i);
    if ((what & MEMORY) &&
        (a->buffer == TSR_TTNN_SYSTEM_MEMORY) != (b->buffer == TSR_TTNN_SYSTEM_MEMORY))
        return tsr_op_error(op, "cannot move a tensor between the host and the device: operand #%u",
                            i);
    return true;
}

static bool on_device(const tsr_op *op, const tsr_ttnn_spec *s, const char *what, uint32_t i)
{
    return s->buffer != TSR_TTNN_SYSTEM_MEMORY ||
           tsr_op_error(op, "works on the device, and its %s #%u is in the host's memory", what, i);
}

static bool in_tiles(const tsr_op *op, const tsr_ttnn_spec *s, const char *what, uint32_t i)
{
    return s->tiled || tsr_op_error(op, "works on tiles, and its %s #%u is in rows", what, i);
}

/* If the result's type is that of no operand, nothing would round it. */
static bool computes(const tsr_op *op, pages p, const spec *out)
{
    bool same = p != PAGES_SAME || !out->there;
    uint32_t last = 0;
    for (uint32_t i = 0; i < op->nin; i++) {
        spec in = spec_of(op->in[i].value->type);
        if (!in.there)
            continue;
        TSR_TRY(on_device(op, &in.s, "operand", i));
        if (p != PAGES_KEEPS)
            TSR_TRY(in_tiles(op, &in.s, "operand", i));
        if (p == PAGES_KEEPS && out->there)
            TSR_TRY(keeps(op, &in.s, &out->s, i, DATA_TYPE | PAGE));
        same |= in.s.type == out->s.type;
        last = i;
    }
    if (!same && op->nin && spec_of(op->in[last].value->type).there) {
        spec in = spec_of(op->in[last].value->type);
        TSR_TRY(keeps(op, &in.s, &out->s, last, DATA_TYPE));
    }
    return !out->there || (on_device(op, &out->s, "result", 0) &&
                           (p == PAGES_KEEPS || in_tiles(op, &out->s, "result", 0)));
}

static bool is_float(tsr_tt_data_type t)
{
    return t == TSR_TT_F32 || t == TSR_TT_BF16;
}

/* On a device, a change from rows to tiles may also change the data type of floats; the host can change anything. */
static bool relays(const tsr_op *op, const spec *in, const spec *out)
{
    bool host = in->s.buffer == TSR_TTNN_SYSTEM_MEMORY;
    bool both = !in->s.tiled && out->s.tiled && is_float(in->s.type) && is_float(out->s.type);
    return host || both || keeps(op, &in->s, &out->s, 0, DATA_TYPE);
}

static bool moves(const tsr_op *op, pages p, const spec *in, const spec *out)
{
    if (!in->there || !out->there)
        return true;
    bool from = in->s.buffer != TSR_TTNN_SYSTEM_MEMORY,
         to = out->s.buffer != TSR_TTNN_SYSTEM_MEMORY;
    switch (p) {
    case PAGES_HOST:
        return keeps(op, &in->s, &out->s, 0, DATA_TYPE | PAGE) &&
               ((!from && !to) || tsr_op_error(op, "works on tensors in the host's memory"));
    case PAGES_TO_DEVICE:
        return keeps(op, &in->s, &out->s, 0, DATA_TYPE | PAGE) &&
               ((!from && to) ||
                tsr_op_error(op, "takes a tensor from the host's memory to the device"));
    case PAGES_FROM_DEVICE:
        return keeps(op, &in->s, &out->s, 0, DATA_TYPE | PAGE) &&
               ((from && !to) ||
                tsr_op_error(op, "takes a tensor from the device to the host's memory"));
    case PAGES_TYPECAST: return keeps(op, &in->s, &out->s, 0, PAGE | MEMORY);
    case PAGES_TO_MEMORY_CONFIG: return keeps(op, &in->s, &out->s, 0, DATA_TYPE | PAGE | MEMORY);
    case PAGES_TO_LAYOUT: return keeps(op, &in->s, &out->s, 0, MEMORY) && relays(op, in, out);
    default: return true;
    }
}

static bool check_layouts(const tsr_op *op)
{
    pages p = op->def->opcode == TSR_UNREGISTERED ? PAGES_NONE : (pages)rows[op->def->opcode].pages;
    for (uint32_t i = 0; i < op->nout; i++)
        TSR_TRY(fits_tensor(op, op->out[i].type, "result", i));
    if (p == PAGES_NONE)
        return true;
    spec out = op->nout ? spec_of(op->out[0].type) : (spec){0},
         in = op->nin ? spec_of(op->in[0].value->type) : (spec){0};
    return p <= PAGES_KEEPS ? computes(op, p, &out) : moves(op, p, &in, &out);
}

/* ---- Devices ---- */

/* The device that the op runs on, from the enclosing modules; NULL: none is described. */
static const tsr_op *device_of(const tsr_op *op)
{
    for (const tsr_op *t = tsr_symbol_table_of(op); t; t = tsr_symbol_table_of(t)) {
        const tsr_op *d = tsr_symbol_find(t, TSR_STR("default_device"));
        if (d && tsr_op_is(d, TSR_OP_TTCORE_DEVICE))
            return d;
    }
    return NULL;
}

/* A submesh of the device, from its offset on, must be within the device. */
static bool check_device(const tsr_op *op)
{
    const tsr_attr *asked = tsr_attr_of(op, TTNN_GET_DEVICE_mesh_shape),
                   *offset = tsr_attr_of(op, TTNN_GET_DEVICE_mesh_offset);
    const tsr_op *device = device_of(op);
    const tsr_attr *mesh =
        device ? device->attrs[TTCORE_DEVICE_device_attr]->attrs[TTCORE_DEVICE_mesh_shape] : NULL;
    if (!asked || !mesh)
        return true;
    asked = asked->attrs[0];
    offset = offset ? offset->attrs[0] : NULL;
    for (int64_t i = 0; i < tsr_attr_count(asked); i++) {
        int64_t size = i < tsr_attr_count(mesh) ? tsr_attr_int_at(mesh, (size_t)i) : 1;
        int64_t from =
            offset && i < tsr_attr_count(offset) ? tsr_attr_int_at(offset, (size_t)i) : 0;
        int64_t end = from + tsr_attr_int_at(asked, (size_t)i);
        if (end > size)
            return tsr_op_error(op, "asks for %lld devices along axis %lld of a mesh of %lld",
                                (long long)end, (long long)i, (long long)size);
    }
    return true;
}

/* ---- Functions ---- */

/* freed: by value id, whether it was deallocated. */
static bool check_block(const tsr_block *b, bool *freed)
{
    TSR_BLOCK_OPS (b, op) {
        for (uint32_t i = 0; i < op->nin; i++)
            if (freed[op->in[i].value->id])
                return tsr_op_error(op, "uses a tensor that was deallocated: operand #%u", i);
        if (tsr_op_is(op, TSR_OP_TTNN_DEALLOCATE))
            freed[op->in[0].value->id] = true;
        if (tsr_op_is(op, TSR_OP_TTNN_GET_DEVICE))
            TSR_TRY(check_device(op));
        TSR_TRY(check_layouts(op));
    }
    return true;
}

typedef struct {
    TSR_VEC(const tsr_op *) all;
    tsr_map seen;
} functions;

static bool is_function(const tsr_op *op)
{
    return op && tsr_op_is(op, TSR_OP_FUNC_FUNC) && op->regions[0].first;
}

static void add_function(functions *f, const tsr_op *func)
{
    if (!is_function(func))
        return;
    TSR_MAP_EACH (&f->seen, tsr_hash_ptr(func), v)
        if (v == func)
            return;
    tsr_map_put(&f->seen, tsr_hash_ptr(func), (void *)func);
    tsr_vec_push(&f->all, func);
}

/* Collects a function and its callees; true: they contain TTNN ops. */
static bool find_functions(const tsr_op *func, functions *f)
{
    bool found = false;
    add_function(f, func);
    for (size_t i = 0; i < f->all.n; i++)
        TSR_OPS ((tsr_op *)f->all.data[i], op) {
            found |= tsr_op_in(op, TSR_DIALECT_TTNN);
            for (uint16_t k = 0; op != f->all.data[i] && k < op->def->nslot; k++)
                if (tsr_attr_is(op->attrs[k], TSR_ATTR_SYMBOL))
                    add_function(f, tsr_symbol_resolve(op, op->attrs[k]));
        }
    return found;
}

static bool check_functions(tsr_module *m, const functions *f)
{
    bool *freed = tsr_xmalloc((m->nvalue + 1) * sizeof *freed), ok = true;
    memset(freed, 0, (m->nvalue + 1) * sizeof *freed);
    for (size_t k = 0; k < f->all.n; k++) {
        const tsr_op *op = f->all.data[k];
        const tsr_type *type = op->attrs[FUNC_FUNC_function_type]->type;
        for (uint32_t i = 0; i < type->n; i++)
            ok &= fits_tensor(op, type->types[i], "argument", i);
        TSR_REGION_BLOCKS (&op->regions[0], b)
            ok &= check_block(b, freed);
    }
    tsr_free(freed);
    return ok;
}

bool tsr_ttnn_check(tsr_module *m, const tsr_op *func, bool strict, tsr_device_memory *out)
{
    tsr_device_memory own;
    out = out ? out : &own;
    *out = (tsr_device_memory){0};
    functions f = {0};
    tsr_symcache symbols;
    tsr_symcache_start(m, &symbols);
    bool ok =
        !find_functions(func, &f) || (check_functions(m, &f) && tsr_ttnn_fits(func, strict, out));
    tsr_symcache_stop(&symbols);
    tsr_vec_free(&f.all);
    tsr_map_free(&f.seen);
    return ok;
}
