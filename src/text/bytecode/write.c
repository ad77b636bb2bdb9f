/* SPDX-License-Identifier: Apache-2.0 */
/* write.c - a module as MLIR bytecode, byte for byte as MLIR writes it.
 *
 * Numbering comes first (bytecode/number.c); then the sections are written one after the other into one buffer. A
 * section follows its length, so a nested one is written in place and then moved by the few bytes of its header.
 * Strings and properties are collected while the others are written, which is why their sections come last. */
#include "text/bytecode/write.h"

#include "base/scope.h"
/* Ops nested deeper than this are rejected: writing them is recursive. */
enum { MOST_NESTED = 1024 };

static inline void put(tsr_buf *out, uint64_t v)
{
    tsr_bc_put_varint(out, v);
}

static inline void put_flagged(tsr_buf *out, uint64_t v, bool flag)
{
    put(out, v << 1 | flag);
}

/* Inserts the header of a section before everything written since start. */
static void close_section(tsr_buf *out, size_t start, uint8_t id)
{
    size_t len = out->len - start;
    tsr_buf_char(out, (char)id);
    put(out, len);
    char head[16];
    size_t n = out->len - start - len;
    tsr_assert(n <= sizeof head, "the head of a section has %zu bytes", n);
    memcpy(head, out->data + start + len, n);
    memmove(out->data + start + n, out->data + start, len);
    memcpy(out->data + start, head, n);
}

/* ---- Dialects ---- */

static const bc_numbered *entry_at(const bc_table *t, uint32_t number)
{
    tsr_assert(number < t->n && t->order[number] < t->n, "entry %u of %u", number, (uint32_t)t->n);
    return &t->data[t->order[number]];
}

/* How many consecutive entries from here on have the same dialect. */
static uint32_t run_length(const bc_table *t, uint32_t from)
{
    uint32_t n = 1;
    while (from + n < t->n && entry_at(t, from + n)->dialect == entry_at(t, from)->dialect)
        n++;
    return n;
}

static void write_dialects(bc_writer *w, tsr_buf *out)
{
    size_t start = out->len;
    put(out, w->dialects.n);
    for (size_t i = 0; i < w->dialects.n; i++) {
        uint32_t name = bc_string_number(w, w->dialects.data[i].name);
        if (w->version < TSR_BC_DIALECT_VERSIONS)
            put(out, name);
        else
            put_flagged(out, name, false); /* no dialect has a version */
    }
    if (w->version >= TSR_BC_ELIDE_LOCS)
        put(out, w->names.n);
    for (uint32_t i = 0, n; i < w->names.n; i += n) {
        n = run_length(&w->names, i);
        put(out, entry_at(&w->names, i)->dialect);
        put(out, n);
        for (uint32_t k = i; k < i + n; k++) {
            const tsr_opdef *def = (const tsr_opdef *)(uintptr_t)entry_at(&w->names, k)->key;
            size_t skip = bc_name_dialect(def).len;
            skip += def->name.len > skip && def->name.data[skip] == '.';
            uint32_t name =
                bc_string_number(w, tsr_str_of(def->name.data + skip, def->name.len - skip));
            if (w->version < TSR_BC_PROPERTIES)
                put(out, name);
            else
                put_flagged(out, name, def->opcode != TSR_UNREGISTERED);
        }
    }
    close_section(out, start, TSR_BC_SECTION_DIALECT);
}

/* ---- Attributes and types ---- */

static void write_entries(bc_writer *w, const bc_table *t, bool types, tsr_buf *sizes,
                          tsr_buf *data)
{
    for (uint32_t i = 0, n; i < t->n; i += n) {
        n = run_length(t, i);
        put(sizes, entry_at(t, i)->dialect);
        put(sizes, n);
        for (uint32_t k = i; k < i + n; k++) {
            const bc_numbered *e = entry_at(t, k);
            const tsr_bc_dialect *codec = w->dialects.data[e->dialect].codec;
            size_t before = data->len;
            if (e->text) {
                if (types)
                    w->ctx->print_type(data, (const tsr_type *)(uintptr_t)e->key);
                else
                    w->ctx->print_attr(w->ctx, data, bc_key_attr(w, e->key));
                tsr_buf_char(data, 0);
            } else if (types) {
                (void)bc_code_type(w, e->key, codec);
            } else {
                (void)bc_code_attr(w, e->key, codec);
            }
            put_flagged(sizes, data->len - before, !e->text);
        }
    }
}

static void write_attrs_and_types(bc_writer *w, tsr_buf *out)
{
    tsr_buf data = {0};
    size_t start = out->len;
    w->bc.out = &data;
    put(out, w->attrs.n);
    put(out, w->types.n);
    write_entries(w, &w->attrs, false, out, &data);
    write_entries(w, &w->types, true, out, &data);
    close_section(out, start, TSR_BC_SECTION_ATTR_TYPE_OFFSET);
    tsr_buf_char(out, TSR_BC_SECTION_ATTR_TYPE);
    put(out, data.len);
    tsr_buf_str(out, tsr_buf_text(&data));
    tsr_buf_free(&data);
}

/* ---- Orders of uses ---- */

typedef struct {
    uint64_t id;    /* of the use: its op and operand number */
    uint32_t place; /* in the list of uses */
} use_place;

static uint64_t use_id(const bc_writer *w, const tsr_use *u)
{
    return (uint64_t)w->op_number[u->user->id] << 32 | (uint32_t)(u - u->user->in);
}

static int last_use_first(const void *pa, const void *pb)
{
    uint64_t a = ((const use_place *)pa)->id, b = ((const use_place *)pb)->id;
    return a < b ? 1 : a > b ? -1 : 0;
}

/* Whether a reader, which visits uses in program order and prepends each, would build this list. */
static bool uses_in_order(const bc_writer *w, const tsr_value *v)
{
    if (!v->uses || !v->uses->next)
        return true;
    uint64_t before = use_id(w, v->uses);
    for (const tsr_use *u = v->uses->next; u; u = u->next) {
        uint64_t id = use_id(w, u);
        if (id >= before)
            return false;
        before = id;
    }
    return true;
}

static void write_use_order(bc_writer *w, tsr_buf *out, const tsr_value *v)
{
    size_t n = 0, moved = 0;
    for (const tsr_use *u = v->uses; u; u = u->next)
        n++;
    use_place *places = tsr_xmalloc(n * sizeof *places);
    uint32_t k = 0;
    for (const tsr_use *u = v->uses; u; u = u->next, k++)
        places[k] = (use_place){use_id(w, u), k};
    qsort(places, n, sizeof *places, last_use_first);
    for (size_t i = 0; i < n; i++)
        moved += places[i].place != i;
    bool pairs = moved < n / 2;
    put_flagged(out, pairs ? moved * 2 : n, pairs);
    for (size_t i = 1; i < n; i++)
        tsr_assert(places[i].id < places[i - 1].id, "an operand is in a use list twice");
    for (size_t i = 0; i < n; i++) {
        if (!pairs) {
            put(out, places[i].place);
        } else if (places[i].place != i) {
            put(out, places[i].place);
            put(out, i);
        }
    }
    tsr_free(places);
}

/* Writes the values whose uses are in another order than a reader would build; returns whether there are any. */
static bool write_use_orders(bc_writer *w, tsr_buf *out, tsr_value *const *args, tsr_value *outs,
                             uint32_t n)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++)
        count += !uses_in_order(w, args ? args[i] : &outs[i]);
    if (!count)
        return false;
    if (n != 1)
        put(out, count);
    for (uint32_t i = 0; i < n; i++) {
        const tsr_value *v = args ? args[i] : &outs[i];
        if (uses_in_order(w, v))
            continue;
        if (n != 1)
            put(out, i);
        write_use_order(w, out, v);
    }
    return true;
}

/* ---- Ops ---- */

/* The number of these bytes in the properties section. */
static uint32_t property_number(bc_writer *w, tsr_str bytes)
{
    uint64_t h = tsr_hash_str(bytes);
    TSR_MAP_EACH (&w->props, h, v) {
        size_t i = (size_t)(uintptr_t)v - 1;
        if (tsr_str_eq(w->prop_list.data[i], bytes))
            return (uint32_t)i;
    }
    tsr_vec_push(&w->prop_list,
                 tsr_str_of(tsr_arena_copy(&w->arena, bytes.data, bytes.len), bytes.len));
    tsr_map_put(&w->props, h, (void *)(uintptr_t)w->prop_list.n);
    return (uint32_t)w->prop_list.n - 1;
}

static bool write_properties_of(bc_writer *w, tsr_buf *out, const tsr_op *op)
{
    bool registered = op->def->opcode != TSR_UNREGISTERED;
    if (registered ? !tsr_bc_has_properties(op->def) : !op->attrs || !op->attrs[0])
        return false;
    w->scratch.len = 0;
    w->bc.out = &w->scratch;
    if (registered)
        (void)tsr_bc_properties(&w->bc, op->def, op->attrs);
    else
        put(&w->scratch, bc_attr_number(w, op->attrs[0]));
    put(out, property_number(w, tsr_buf_text(&w->scratch)));
    return true;
}

static bool write_region(bc_writer *w, tsr_buf *out, const tsr_region *region);

static bool write_regions(bc_writer *w, tsr_buf *out, const tsr_op *op)
{
    bool isolated = !w->open_op[op->id];
    put_flagged(out, op->nregion, isolated);
    size_t start = out->len;
    for (uint32_t i = 0; i < op->nregion; i++)
        TSR_TRY(write_region(w, out, &op->regions[i]));
    if (isolated && w->version >= TSR_BC_LAZY_REGIONS)
        close_section(out, start, TSR_BC_SECTION_IR);
    return true;
}

static bool write_op(bc_writer *w, tsr_buf *out, const tsr_op *op)
{
    uint8_t mask = 0;
    put(out, w->names.data[w->op_refs[op->id].name].number);
    size_t mask_at = out->len;
    tsr_buf_char(out, 0);
    put(out, w->attrs.data[w->op_refs[op->id].loc].number);
    const tsr_attr *dict = bc_op_dict(w, op);
    if (dict) {
        mask |= TSR_BC_OP_ATTRS;
        put(out, bc_attr_number(w, dict));
    }
    if (!bc_is_by_name(w, op) && write_properties_of(w, out, op))
        mask |= TSR_BC_OP_PROPERTIES;
    if (op->nout) {
        mask |= TSR_BC_OP_RESULTS;
        put(out, op->nout);
        for (uint32_t i = 0; i < op->nout; i++)
            put(out, w->types.data[w->value_type[op->out[i].id]].number);
    }
    if (op->nin) {
        mask |= TSR_BC_OP_OPERANDS;
        put(out, op->nin);
        for (uint32_t i = 0; i < op->nin; i++)
            put(out, w->value_number[op->in[i].value->id]);
    }
    if (op->nsucc) {
        mask |= TSR_BC_OP_SUCCESSORS;
        put(out, op->nsucc);
        for (uint32_t i = 0; i < op->nsucc; i++)
            put(out, w->block_number[op->succ[i]->id]);
    }
    if (w->version >= TSR_BC_USE_LISTS && write_use_orders(w, out, NULL, op->out, op->nout))
        mask |= TSR_BC_OP_USE_LISTS;
    if (op->nregion)
        mask |= TSR_BC_OP_REGIONS;
    out->data[mask_at] = (char)mask;
    return !op->nregion || write_regions(w, out, op);
}

static bool write_block(bc_writer *w, tsr_buf *out, const tsr_block *b)
{
    uint32_t announced = w->block_ops[b->id], written = 0;
    put_flagged(out, announced, b->nargs > 0);
    if (b->nargs) {
        put(out, b->nargs);
        for (uint32_t i = 0; i < b->nargs; i++) {
            uint32_t type = w->types.data[w->value_type[b->args[i]->id]].number;
            bool elide = w->version >= TSR_BC_ELIDE_LOCS && b->arg_locs[i] == TSR_LOC_UNKNOWN;
            if (w->version >= TSR_BC_ELIDE_LOCS)
                put_flagged(out, type, !elide);
            else
                put(out, type);
            if (!elide)
                put(out, bc_loc_number(w, b->arg_locs[i]));
        }
        if (w->version >= TSR_BC_USE_LISTS) {
            size_t mask_at = out->len;
            tsr_buf_char(out, 0);
            if (write_use_orders(w, out, b->args, NULL, b->nargs))
                out->data[mask_at] = TSR_BC_OP_USE_LISTS;
        }
    }
    TSR_BLOCK_OPS (b, op) {
        TSR_TRY(write_op(w, out, op));
        written++;
    }
    tsr_assert(written == announced, "a block of %u ops has %u", announced, written);
    return true;
}

static bool write_region(bc_writer *w, tsr_buf *out, const tsr_region *region)
{
    tsr_check_stack();
    if (w->depth >= MOST_NESTED)
        return tsr_error(w->ctx, region->op->loc, "ops are nested too deeply (more than %d levels)",
                         MOST_NESTED);
    uint32_t blocks = 0, values = 0;
    TSR_REGION_BLOCKS (region, b) {
        blocks++;
        values += b->nargs;
        TSR_BLOCK_OPS (b, op)
            values += op->nout;
    }
    put(out, blocks);
    if (!blocks)
        return true;
    put(out, values);
    w->depth++;
    TSR_REGION_BLOCKS (region, b)
        TSR_TRY(write_block(w, out, b));
    w->depth--;
    return true;
}

static bool write_ir(bc_writer *w, tsr_buf *out)
{
    size_t start = out->len;
    put_flagged(out, 1, false);
    TSR_TRY(write_op(w, out, w->root));
    close_section(out, start, TSR_BC_SECTION_IR);
    return true;
}

/* ---- Strings and properties ---- */

static void write_strings(bc_writer *w, tsr_buf *out)
{
    size_t start = out->len;
    put(out, w->string_list.n);
    for (size_t i = w->string_list.n; i-- > 0;)
        put(out, w->string_list.data[i].len + 1);
    for (size_t i = 0; i < w->string_list.n; i++) {
        tsr_buf_str(out, w->string_list.data[i]);
        tsr_buf_char(out, 0);
    }
    close_section(out, start, TSR_BC_SECTION_STRING);
}

static void write_properties(bc_writer *w, tsr_buf *out)
{
    size_t start = out->len;
    put(out, w->prop_list.n);
    for (size_t i = 0; i < w->prop_list.n; i++) {
        put(out, w->prop_list.data[i].len);
        tsr_buf_str(out, w->prop_list.data[i]);
    }
    close_section(out, start, TSR_BC_SECTION_PROPERTIES);
}

/* ---- The whole file ---- */

static bool write_file(bc_writer *w, tsr_buf *out, tsr_str producer)
{
    tsr_buf_str(out, TSR_STR(TSR_BC_MAGIC));
    put(out, w->version);
    tsr_buf_str(out, producer);
    tsr_buf_char(out, 0);
    w->bc.mode = TSR_BC_WRITE;
    write_dialects(w, out);
    write_attrs_and_types(w, out);
    TSR_TRY(write_ir(w, out));
    bc_write_resources(w, out);
    write_strings(w, out);
    size_t strings = w->string_list.n;
    if (w->version >= TSR_BC_PROPERTIES)
        write_properties(w, out);
    tsr_assert(w->string_list.n == strings, "a string was numbered after all were written");
    return true;
}

bool tsr_bytecode_write(tsr_buf *out, tsr_op *root, const tsr_bytecode_options *options)
{
    tsr_ctx *ctx = root->module->ctx;
    if (options->version > TSR_BC_VERSION)
        return tsr_error(ctx, root->loc,
                         "unsupported version requested %u, must be in range [0, %d]",
                         options->version, TSR_BC_VERSION);
    bc_writer w = {.ctx = ctx,
                   .m = root->module,
                   .root = root,
                   .version = options->version,
                   .reader = options->reader};
    tsr_arena_init_pooled(&w.arena, &ctx->pool);
    size_t start = out->len;
    bool ok = bc_number(&w) && write_file(&w, out, options->producer);
    if (!ok)
        out->len = start;
    bc_table_free(&w.attrs);
    bc_table_free(&w.types);
    bc_table_free(&w.names);
    tsr_vec_free(&w.dialects);
    tsr_map_free(&w.dialect_map);
    tsr_vec_free(&w.resources);
    tsr_map_free(&w.resource_map);
    tsr_map_free(&w.strings);
    tsr_map_free(&w.props);
    tsr_vec_free(&w.string_list);
    tsr_vec_free(&w.prop_list);
    tsr_buf_free(&w.scratch);
    tsr_arena_free(&w.arena);
    return ok;
}
