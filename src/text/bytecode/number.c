/* SPDX-License-Identifier: Apache-2.0 */
/* number.c - run before bytecode is written: finds all attributes, types, names, dialects and values, and numbers them.
 *
 * The order is exactly MLIR's, because files are compared byte for byte: things are visited in a fixed walk (regions
 * after the whole block list that contains their op, the last ones first), sorted by number of references, and then
 * grouped by dialect within each range of indices that take the same number of bytes. */
#include "dialect/opcode.h"
#include "text/bytecode/write.h"

/* Attributes nested deeper than this are rejected: numbering and writing them is recursive. */
enum { MOST_NESTED = 1024 };

/* The key of an unknown location, whose tsr_loc is 0; no address is odd or that small. */
enum { KEY_UNKNOWN = 2 };

/* ---- Tables ---- */

static uint32_t key_slot(const bc_table *t, uint64_t key)
{
    /* Keys are addresses at even distances: without good mixing they would cluster. */
    return (uint32_t)tsr_hash_mix(0, key) & (t->nslot - 1);
}

static bc_numbered *find(const bc_table *t, uint64_t key)
{
    if (!t->nslot)
        return NULL;
    for (uint32_t i = key_slot(t, key); t->slots[i]; i = (i + 1) & (t->nslot - 1))
        if (t->data[t->slots[i] - 1].key == key)
            return &t->data[t->slots[i] - 1];
    return NULL;
}

static void rehash(bc_table *t)
{
    tsr_free(t->slots);
    t->nslot = t->nslot ? t->nslot * 2 : 256;
    t->slots = memset(tsr_xmalloc(t->nslot * sizeof *t->slots), 0, t->nslot * sizeof *t->slots);
    for (uint32_t k = 0; k < t->n; k++) {
        uint32_t i = key_slot(t, t->data[k].key);
        while (t->slots[i])
            i = (i + 1) & (t->nslot - 1);
        t->slots[i] = k + 1;
    }
}

/* Returns the index of the entry: a new one, or the existing one with one more reference. */
static uint32_t meet(bc_table *t, uint64_t key, bool *is_new)
{
    bc_numbered *e = find(t, key);
    *is_new = !e;
    if (e) {
        e->refs++;
        return (uint32_t)(e - t->data);
    }
    if (t->n == t->cap) {
        t->cap = t->cap ? t->cap * 2 : 64;
        t->data = tsr_xrealloc(t->data, t->cap * sizeof *t->data);
    }
    t->data[t->n++] = (bc_numbered){.key = key};
    if (t->n * 2 > t->nslot) {
        rehash(t);
    } else {
        uint32_t i = key_slot(t, key);
        while (t->slots[i])
            i = (i + 1) & (t->nslot - 1);
        t->slots[i] = t->n;
    }
    return t->n - 1;
}

void bc_table_free(bc_table *t)
{
    tsr_free(t->data);
    tsr_free(t->slots);
}

/* ---- Keys ---- */

static uint64_t loc_key(tsr_loc loc)
{
    return loc == TSR_LOC_UNKNOWN ? KEY_UNKNOWN : loc;
}

static uint64_t attr_key(const tsr_attr *a)
{
    return a->kind == TSR_ATTR_LOC ? loc_key(tsr_loc_of_attr((tsr_attr *)a))
                                   : (uint64_t)(uintptr_t)a;
}

static uint64_t pointer_key(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

tsr_attr *bc_key_attr(bc_writer *w, uint64_t key)
{
    if (key == KEY_UNKNOWN)
        return tsr_attr_loc_unknown(w->ctx);
    return key & 1 ? NULL : (tsr_attr *)(uintptr_t)key;
}

/* ---- Encodings ---- */

/* A packed position as a location of the builtin dialect: file, line, column; its attribute is never created. */
static void code_position(bc_writer *w, tsr_loc loc)
{
    enum { CODE_FILE_LINE_COL = 11 };
    tsr_str file;
    uint32_t line, col;
    if (!tsr_loc_position(w->ctx, loc, &file, &line, &col))
        return;
    if (file.data != w->file.data || !w->file_attr) { /* names of files are interned */
        w->file = file;
        w->file_attr = tsr_attr_string(w->ctx, file);
    }
    tsr_attr *name = w->file_attr;
    uint64_t code = CODE_FILE_LINE_COL, l = line, c = col;
    (void)(tsr_bc_varint(&w->bc, &code) && tsr_bc_attr(&w->bc, &name) &&
           tsr_bc_varint(&w->bc, &l) && tsr_bc_varint(&w->bc, &c));
}

bool bc_code_attr(bc_writer *w, uint64_t key, const tsr_bc_dialect *d)
{
    tsr_attr *a = bc_key_attr(w, key);
    if (!a)
        code_position(w, key);
    return !a || (d && tsr_bc_write_attr(&w->bc, d, a));
}

bool bc_code_type(bc_writer *w, uint64_t key, const tsr_bc_dialect *d)
{
    return d && tsr_bc_write_type(&w->bc, d, (tsr_type *)(uintptr_t)key);
}

/* ---- Visiting ---- */

uint32_t bc_find_dialect(const bc_writer *w, tsr_str name)
{
    TSR_MAP_EACH (&w->dialect_map, tsr_hash_str(name), v) {
        uint32_t i = (uint32_t)(uintptr_t)v - 1;
        if (tsr_str_eq(w->dialects.data[i].name, name))
            return i;
    }
    return UINT32_MAX;
}

static uint32_t meet_dialect(bc_writer *w, tsr_str name)
{
    uint32_t i = bc_find_dialect(w, name);
    if (i != UINT32_MAX)
        return i;
    tsr_vec_push(&w->dialects, (bc_dialect){name, tsr_bc_dialect_find(name)});
    tsr_map_put(&w->dialect_map, tsr_hash_str(name), (void *)(uintptr_t)w->dialects.n);
    return (uint32_t)w->dialects.n - 1;
}

static bool enter(bc_writer *w)
{
    if (w->depth++ < MOST_NESTED)
        return true;
    if (!w->failed)
        tsr_error(w->ctx, w->root->loc,
                  "attributes and types are nested too deeply (more than %d levels)", MOST_NESTED);
    w->failed = true;
    w->depth--;
    return false;
}

static uint32_t meet_attr_key(bc_writer *w, uint64_t key)
{
    bool is_new;
    uint32_t i = meet(&w->attrs, key, &is_new);
    if (!is_new || !enter(w))
        return i;
    const tsr_attr *a = key == KEY_UNKNOWN || key & 1 ? NULL : (const tsr_attr *)(uintptr_t)key;
    uint32_t d = meet_dialect(w, a ? tsr_bc_attr_dialect(a) : TSR_STR("builtin"));
    w->attrs.data[i].dialect = d;
    bool coded = bc_code_attr(w, key, w->dialects.data[d].codec);
    w->attrs.data[i].text = !coded;
    w->depth--;
    return i;
}

static uint32_t meet_type(bc_writer *w, tsr_type *t)
{
    bool is_new;
    uint32_t i = meet(&w->types, pointer_key(t), &is_new);
    if (!is_new || !enter(w))
        return i;
    uint32_t d = meet_dialect(w, tsr_bc_type_dialect(t));
    w->types.data[i].dialect = d;
    bool coded = bc_code_type(w, pointer_key(t), w->dialects.data[d].codec);
    w->types.data[i].text = !coded;
    w->depth--;
    return i;
}

/* In a name without a dot, the whole name is the dialect, and the op's name is empty. */
tsr_str bc_name_dialect(const tsr_opdef *def)
{
    tsr_str d = tsr_opdef_dialect(def);
    return d.len || tsr_str_starts(def->name, ".") ? d : def->name;
}

static uint32_t meet_name(bc_writer *w, const tsr_opdef *def)
{
    bool is_new;
    uint32_t i = meet(&w->names, pointer_key(def), &is_new);
    if (is_new)
        w->names.data[i].dialect = meet_dialect(w, bc_name_dialect(def));
    return i;
}

/* ---- Callbacks of encodings ---- */

static bool host_attr(tsr_bc *b, tsr_attr **attr)
{
    bc_writer *w = b->user;
    if (!*attr)
        return false; /* only in an op that was not verified */
    if (b->mode == TSR_BC_NUMBER)
        meet_attr_key(w, attr_key(*attr));
    else
        tsr_bc_put_varint(b->out, bc_attr_number(w, *attr));
    return true;
}

static bool host_type(tsr_bc *b, tsr_type **type)
{
    bc_writer *w = b->user;
    if (b->mode == TSR_BC_NUMBER)
        meet_type(w, *type);
    else
        tsr_bc_put_varint(b->out, bc_type_number(w, *type));
    return true;
}

static bool host_optional_attr(tsr_bc *b, tsr_attr **attr)
{
    bc_writer *w = b->user;
    if (b->mode == TSR_BC_WRITE)
        tsr_bc_put_varint(b->out, *attr ? (uint64_t)bc_attr_number(w, *attr) << 1 | 1 : 0);
    else if (*attr)
        meet_attr_key(w, attr_key(*attr));
    return true;
}

static bool host_string(tsr_bc *b, tsr_str *s)
{
    if (b->mode == TSR_BC_WRITE)
        tsr_bc_put_varint(b->out, bc_string_number(b->user, *s));
    return true;
}

static bool host_resource(tsr_bc *b, tsr_str dialect, tsr_str *key)
{
    bc_writer *w = b->user;
    if (b->mode == TSR_BC_NUMBER) {
        bc_meet_resource(w, meet_dialect(w, dialect), *key);
        return true;
    }
    const bc_resource *r = bc_find_resource(w, meet_dialect(w, dialect), *key);
    tsr_bc_put_varint(b->out, r ? r->number : 0);
    return true;
}

static const tsr_bc_host host = {.attr = host_attr,
                                 .type = host_type,
                                 .optional_attr = host_optional_attr,
                                 .string = host_string,
                                 .resource = host_resource};

/* ---- Ops, blocks and regions ---- */

tsr_attr *bc_op_dict(const bc_writer *w, const tsr_op *op)
{
    tsr_attr *dict = w->merged ? w->merged[op->id] : op->extra;
    return dict && dict->n ? dict : NULL;
}

static tsr_attr *merge_attrs(bc_writer *w, const tsr_op *op)
{
    if (op->def->opcode == TSR_UNREGISTERED || !tsr_bc_has_properties(op->def))
        return op->extra;
    tsr_named_vec all = {0};
    tsr_op_all_attrs(op, &all);
    size_t n = 0;
    for (size_t i = 0; i < all.n; i++) {
        int slot = tsr_opdef_slot(op->def, all.data[i].name->str);
        if (slot < 0 || !tsr_bc_is_new_default(w->ctx, op->def, op->attrs, slot))
            all.data[n++] = all.data[i];
    }
    all.n = n;
    tsr_attr *dict = all.n ? tsr_attr_dict(w->ctx, all.data, all.n) : NULL;
    tsr_vec_free(&all);
    return dict;
}

bool bc_is_by_name(const bc_writer *w, const tsr_op *op)
{
    return w->version < TSR_BC_PROPERTIES ||
           (!w->reader.major && !w->reader.minor && op->def->opcode != TSR_UNREGISTERED &&
            tsr_bc_by_name(w->ctx, op->def, op->attrs));
}

static void meet_op(bc_writer *w, tsr_op *op, uint32_t *next_value)
{
    w->op_refs[op->id].name = meet_name(w, op->def);
    for (uint32_t i = 0; i < op->nout; i++) {
        w->value_number[op->out[i].id] = (*next_value)++;
        w->value_type[op->out[i].id] = meet_type(w, op->out[i].type);
    }
    bool by_name = bc_is_by_name(w, op);
    if (w->merged)
        w->merged[op->id] = by_name ? merge_attrs(w, op) : op->extra;
    tsr_attr *dict = bc_op_dict(w, op);
    if (dict)
        meet_attr_key(w, pointer_key(dict));
    if (!by_name) {
        if (op->def->opcode != TSR_UNREGISTERED) {
            if (tsr_bc_has_properties(op->def) && !tsr_bc_properties(&w->bc, op->def, op->attrs)) {
                tsr_op_error(op, "lacks an attribute that its bytecode needs");
                w->failed = true;
            }
        } else if (op->attrs && op->attrs[0]) {
            meet_attr_key(w, attr_key(op->attrs[0]));
        }
    }
    w->op_refs[op->id].loc = meet_attr_key(w, loc_key(op->loc));
}

typedef struct {
    tsr_region *region;
    uint32_t first; /* number of its first value */
} region_todo;
typedef TSR_VEC(region_todo) region_stack;

static void push_regions(const bc_writer *w, tsr_op *op, region_stack *stack, uint32_t next_value)
{
    for (uint32_t i = 0; i < op->nregion; i++)
        tsr_vec_push(stack, (region_todo){&op->regions[i], w->open_op[op->id] ? next_value : 0});
}

static void meet_region(bc_writer *w, tsr_region *region, uint32_t *next_value)
{
    uint32_t blocks = 0;
    TSR_REGION_BLOCKS (region, b) {
        w->block_number[b->id] = blocks++;
        for (uint32_t i = 0; i < b->nargs; i++) {
            w->value_number[b->args[i]->id] = (*next_value)++;
            meet_attr_key(w, loc_key(b->arg_locs[i]));
            w->value_type[b->args[i]->id] = meet_type(w, b->args[i]->type);
        }
        uint32_t n = 0;
        TSR_BLOCK_OPS (b, op) {
            meet_op(w, op, next_value);
            n++;
        }
        w->block_ops[b->id] = n;
    }
}

/* Numbers ops in program order, and finds those whose regions use values from outside. */
static void number_ops(bc_writer *w)
{
    uint32_t n = 0;
    TSR_OPS (w->root, op) {
        w->op_number[op->id] = n++;
        const tsr_region *here = op->block ? op->block->region : NULL;
        for (uint32_t i = 0; i < op->nin && op != w->root; i++) {
            const tsr_value *v = op->in[i].value;
            const tsr_block *home = v->is_arg ? v->block : v->op->block;
            const tsr_region *of = home ? home->region : NULL;
            for (const tsr_region *r = here; r && r != of;
                 r = r->op->block ? r->op->block->region : NULL) {
                if (tsr_op_has(r->op, TSR_TRAIT(ISOLATED)))
                    break;
                w->open_op[r->op->id] = true;
                if (r->op == w->root)
                    break;
            }
        }
    }
}

/* ---- Order ---- */

static int by_refs(const void *pa, const void *pb, const bc_table *t)
{
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    uint32_t ra = t->data[a].refs, rb = t->data[b].refs;
    return ra != rb ? (ra > rb ? -1 : 1) : (a > b) - (a < b);
}

/* Merge sort: stable, at most n log n, and the comparison can use the table. */
static void sort_by_refs(const bc_table *t, uint32_t *order, uint32_t *tmp)
{
    for (uint32_t width = 1; width < t->n; width *= 2) {
        for (uint32_t lo = 0; lo < t->n; lo += 2 * width) {
            uint32_t mid = lo + width < t->n ? lo + width : t->n;
            uint32_t hi = lo + 2 * width < t->n ? lo + 2 * width : t->n;
            for (uint32_t i = lo, j = mid, k = lo; k < hi; k++)
                tmp[k] = i < mid && (j >= hi || by_refs(&order[i], &order[j], t) <= 0) ? order[i++]
                                                                                       : order[j++];
        }
        memcpy(order, tmp, t->n * sizeof *order);
    }
}

/* Stable: entries of dialect first, then the others by dialect. */
static void group(const bc_table *t, uint32_t *order, uint32_t n, uint32_t first, uint32_t ndialect,
                  uint32_t *tmp, uint32_t *count)
{
    memset(count, 0, (ndialect + 2) * sizeof *count);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t d = t->data[order[i]].dialect;
        count[d == first ? 1 : d + 2]++;
    }
    for (uint32_t d = 1; d < ndialect + 2; d++)
        count[d] += count[d - 1];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t d = t->data[order[i]].dialect;
        tmp[count[d == first ? 0 : d + 1]++] = order[i];
    }
    memcpy(order, tmp, n * sizeof *order);
}

static void order_table(tsr_arena *arena, bc_table *t, uint32_t ndialect)
{
    uint32_t *order = TSR_NEW_ARRAY(arena, uint32_t, t->n),
             *tmp = TSR_NEW_ARRAY(arena, uint32_t, t->n);
    uint32_t *count = TSR_NEW_ARRAY(arena, uint32_t, ndialect + 2);
    for (uint32_t i = 0; i < t->n; i++)
        order[i] = i;
    sort_by_refs(t, order, tmp);
    /* The number of indices of the same size is computed as in MLIR, whose ranges overlap a little from three bytes
     * on. */
    uint64_t size = 0;
    uint32_t at = 0, first = 0;
    for (uint32_t i = 1; i < 9 && at < t->n; i++) {
        size = ((uint64_t)1 << (7 * i)) - size;
        uint32_t n = size < t->n - at ? (uint32_t)size : t->n - at;
        group(t, order + at, n, first, ndialect, tmp, count);
        at += n;
        first = t->data[order[at - 1]].dialect;
    }
    for (uint32_t i = 0; i < t->n; i++)
        t->data[order[i]].number = i;
    t->order = order;
}

bool bc_number(bc_writer *w)
{
    tsr_module *m = w->m;
    w->value_number = TSR_NEW_ARRAY(&w->arena, uint32_t, m->nvalue + 1);
    w->value_type = TSR_NEW_ARRAY(&w->arena, uint32_t, m->nvalue + 1);
    w->op_refs = TSR_NEW_ARRAY(&w->arena, bc_op_refs, m->nop + 1);
    w->op_number = TSR_NEW_ARRAY(&w->arena, uint32_t, m->nop + 1);
    w->block_number = TSR_NEW_ARRAY(&w->arena, uint32_t, m->nblock + 1);
    w->block_ops = TSR_NEW_ARRAY(&w->arena, uint32_t, m->nblock + 1);
    w->open_op = TSR_NEW_ARRAY(&w->arena, bool, m->nop + 1);
    bool some = w->version < TSR_BC_PROPERTIES;
    TSR_OPS (m->op, op)
        some = some || bc_is_by_name(w, op);
    if (some)
        w->merged = TSR_NEW_ARRAY(&w->arena, tsr_attr *, m->nop + 1);
    w->bc = (tsr_bc){.ctx = w->ctx,
                     .module = m,
                     .host = &host,
                     .user = w,
                     .mode = TSR_BC_NUMBER,
                     .version = w->version,
                     .reader = w->reader,
                     .scratch = &w->arena,
                     .orders = TSR_NEW_ARRAY(&w->arena, const uint8_t *, TSR_OP__COUNT)};
    number_ops(w);
    uint32_t next_value = 0;
    region_stack stack = {0};
    meet_op(w, w->root, &next_value);
    push_regions(w, w->root, &stack, next_value);
    while (stack.n && !w->failed) {
        region_todo todo = stack.data[--stack.n];
        next_value = todo.first;
        meet_region(w, todo.region, &next_value);
        TSR_REGION_BLOCKS (todo.region, b)
            TSR_BLOCK_OPS (b, op)
                push_regions(w, op, &stack, next_value);
    }
    tsr_vec_free(&stack);
    if (w->failed)
        return false;
    uint32_t nd = (uint32_t)w->dialects.n;
    order_table(&w->arena, &w->attrs, nd);
    order_table(&w->arena, &w->types, nd);
    order_table(&w->arena, &w->names, nd);
    bc_number_resources(w);
    return true;
}

/* ---- Numbers ---- */

static uint32_t number_of(const bc_table *t, uint64_t key)
{
    const bc_numbered *e = find(t, key);
    tsr_assert(e, "bytecode: something was not numbered");
    return e->number;
}

uint32_t bc_attr_number(bc_writer *w, const tsr_attr *a)
{
    return number_of(&w->attrs, attr_key(a));
}

uint32_t bc_loc_number(bc_writer *w, tsr_loc loc)
{
    return number_of(&w->attrs, loc_key(loc));
}

uint32_t bc_type_number(bc_writer *w, const tsr_type *t)
{
    return number_of(&w->types, pointer_key(t));
}

uint32_t bc_string_number(bc_writer *w, tsr_str s)
{
    uint64_t h = tsr_hash_str(s);
    TSR_MAP_EACH (&w->strings, h, v) {
        size_t i = (size_t)(uintptr_t)v - 1;
        if (tsr_str_eq(w->string_list.data[i], s))
            return (uint32_t)i;
    }
    tsr_vec_push(&w->string_list, s);
    tsr_map_put(&w->strings, h, (void *)(uintptr_t)w->string_list.n);
    return (uint32_t)w->string_list.n - 1;
}
