/* SPDX-License-Identifier: Apache-2.0 */
/* read_ir.c - the IR section: ops, regions, blocks and values.
 *
 *   region ::= nblock (nvalue block*)?
 *   block  ::= (nop << 1 | has-args) args? op*
 *   op     ::= name mask loc dict? properties? results? operands? successors? use-orders?
 *              (nregion << 1 | isolated)? region*
 *
 * Values are numbered within the enclosing isolated op: those of a region come after those of the enclosing regions,
 * and their numbers are reused after its end. A value that is used before its definition is represented by a
 * placeholder. */
#include "asm/asm.h"
#include "base/scope.h"
#include "asm/reader.h"
#include "text/bytecode/reader.h"

static bool read_regions(bc_reader *r, tsr_op *op, bool isolated);

/* ---- Values ---- */

enum { PENDING = 1 };

static tsr_value *value_at(uintptr_t slot)
{
    return (tsr_value *)(slot & ~(uintptr_t)PENDING);
}

static bool use_value(bc_reader *r, tsr_value **out)
{
    uint64_t index;
    if (!tsr_bc_read_varint(&r->b, &index) ||
        !bc_in_range(r, index, r->values.n - r->scope, "value"))
        return false;
    uintptr_t *slot = &r->values.data[r->scope + index];
    if (!*slot) {
        tsr_value *v = TSR_NEW(&r->keep, tsr_value);
        v->type = r->ctx->none;
        *slot = (uintptr_t)v | PENDING;
        r->nforward++;
    }
    *out = value_at(*slot);
    return true;
}

/* The next numbers that a region assigns. */
typedef struct {
    size_t next, end;
} numbers;

static bool define(bc_reader *r, numbers *n, tsr_value *v)
{
    if (n->next == n->end)
        return tsr_bc_error(&r->b, "defines more values than its region says");
    uintptr_t *slot = &r->values.data[n->next++];
    if (*slot & PENDING) {
        tsr_value_replace(value_at(*slot), v);
        r->nforward--;
    }
    *slot = (uintptr_t)v;
    return true;
}

/* ---- Orders of uses ---- */

/* order ::= (index)? (n << 1 | pairs) number*; the index only where there are several values, and their number
 * first. */
static bool read_use_orders(bc_reader *r, tsr_value *const *values, tsr_value *first, size_t nvalue)
{
    tsr_bc *b = &r->b;
    size_t count = 1;
    if (nvalue > 1 && !tsr_bc_count(b, &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        uint64_t at = 0, head;
        if ((nvalue > 1 && !tsr_bc_read_varint(b, &at)) || !tsr_bc_read_varint(b, &head))
            return false;
        uint64_t n = head >> 1;
        if (n > (size_t)(b->end - b->p))
            return tsr_bc_error(b, "has an order of %llu uses in %zu bytes", (unsigned long long)n,
                                (size_t)(b->end - b->p));
        uint32_t *order = tsr_arena_alloc(&r->keep, (n + 1) * sizeof *order);
        for (uint64_t k = 0; k < n; k++)
            if (!tsr_bc_u32(b, &order[k]))
                return false;
        if (at >= nvalue)
            continue;
        bc_use_order o = {.value = values ? values[at] : &first[at],
                          .order = order,
                          .n = (uint32_t)n,
                          .pairs = head & 1};
        tsr_vec_push(&r->orders, o);
    }
    return true;
}

/* Uses are linked newest first, which is the order that the file's permutation starts from. Each use moves to the given
 * position; with pairs (a, b), use b moves to position a and the others stay. */
static bool apply_order(bc_reader *r, const bc_use_order *o)
{
    size_t n = 0;
    for (tsr_use *u = o->value->uses; u; u = u->next)
        n++;
    if (n < 2)
        return true;
    tsr_use **from = tsr_arena_alloc(&r->keep, 2 * n * sizeof *from), **to = from + n;
    memset(to, 0, n * sizeof *to);
    n = 0;
    for (tsr_use *u = o->value->uses; u; u = u->next)
        from[n++] = u;
    bool ok = o->pairs ? o->n % 2 == 0 : o->n == n;
    if (ok && o->pairs) {
        uint32_t *source = tsr_arena_alloc(&r->keep, n * sizeof *source);
        for (size_t i = 0; i < n; i++)
            source[i] = (uint32_t)i;
        for (uint32_t i = 0; ok && i < o->n; i += 2) {
            ok = o->order[i] < n && o->order[i + 1] < n;
            if (ok)
                source[o->order[i]] = o->order[i + 1];
        }
        for (size_t i = 0; ok && i < n; i++) {
            ok = from[source[i]] != NULL;
            to[i] = from[source[i]];
            from[source[i]] = NULL;
        }
    } else {
        for (size_t i = 0; ok && i < n; i++) {
            ok = o->order[i] < n && !to[o->order[i]];
            if (ok)
                to[o->order[i]] = from[i];
        }
    }
    if (!ok)
        return tsr_bc_error(&r->b,
                            "has use-list orders that were invalid and could not be applied");
    tsr_use **link = &o->value->uses;
    for (size_t i = 0; i < n; i++) {
        *link = to[i];
        to[i]->prev = link;
        link = &to[i]->next;
    }
    *link = NULL;
    return true;
}

/* ---- Ops ---- */

static const tsr_opdef *op_def(bc_reader *r, uint64_t index)
{
    bc_opname *o = &r->ops[index];
    if (o->def)
        return o->def;
    if (!bc_load_dialect(r, o->dialect))
        return NULL;
    tsr_str dialect = r->dialects[o->dialect].name;
    tsr_buf full = {0};
    tsr_buf_str(&full, dialect);
    if (o->name.len) {
        tsr_buf_char(&full, '.');
        tsr_buf_str(&full, o->name);
    }
    tsr_str name = tsr_buf_text(&full);
    const tsr_opdef *def = NULL;
    if (!name.len || memchr(name.data, 0, name.len))
        tsr_bc_error(&r->b, "has an op without a proper name");
    else
        def = tsr_opdef_get(r->ctx, name);
    tsr_buf_free(&full);
    if (def && def->opcode == TSR_UNREGISTERED && !r->ctx->allow_unregistered &&
        tsr_dialect_known(r->ctx, dialect) && !tsr_dialect_open(r->ctx, dialect)) {
        tsr_error(r->ctx, tsr_loc_file(r->ctx, r->filename, 0, 0),
                  "unregistered operation '%.*s' found in dialect ('%.*s') that does not allow "
                  "unknown operations",
                  TSR_STR_ARG(def->name), TSR_STR_ARG(dialect));
        return NULL;
    }
    return o->def = def;
}

/* Entries of the dictionary that the row declares go to their slots; the others are discardable. */
static bool set_dict(bc_reader *r, tsr_op *op, tsr_attr *dict)
{
    if (dict->kind != TSR_ATTR_DICT)
        return tsr_bc_error(&r->b, "has another attribute where a dictionary belongs");
    uint32_t rest = dict->n;
    if (op->def->opcode != TSR_UNREGISTERED)
        for (uint32_t i = 0; i < dict->n; i++) {
            int slot = tsr_opdef_slot(op->def, dict->named[i].name->str);
            if (slot < 0)
                continue;
            op->attrs[slot] = dict->named[i].value;
            rest--;
        }
    if (rest == dict->n) {
        op->extra = rest ? dict : NULL;
        return true;
    }
    if (!rest)
        return true;
    tsr_named *named = tsr_arena_alloc(&r->keep, rest * sizeof *named);
    uint32_t n = 0;
    for (uint32_t i = 0; i < dict->n; i++)
        if (tsr_opdef_slot(op->def, dict->named[i].name->str) < 0)
            named[n++] = dict->named[i];
    op->extra = tsr_attr_dict(r->ctx, named, n);
    return true;
}

/* The properties of an op: attributes by row for a registered op, else one attribute, their dictionary. */
static bool set_properties(bc_reader *r, tsr_op *op, uint64_t index, bool registered)
{
    tsr_bc *b = &r->b;
    bool by_row = registered && op->def->opcode != TSR_UNREGISTERED;
    tsr_attr *raw = NULL;
    if (!bc_in_range(r, index, r->nprop, "properties"))
        return false;
    bc_span here = {b->p, b->end};
    b->p = r->props[index].p;
    b->end = r->props[index].end;
    b->nodes = 0;
    b->met_loc = false;
    if (by_row ? !tsr_bc_properties(b, op->def, op->attrs) : !tsr_bc_raw_properties(b, &raw)) {
        tsr_note(r->ctx, tsr_loc_file(r->ctx, r->filename, 0, 0), "in the properties of '%.*s'",
                 TSR_STR_ARG(op->def->name));
        return false;
    }
    r->nodes += b->nodes;
    if (b->met_loc)
        r->ctx->has_aliased = true;
    /* Attributes that later versions of the op have, and that are not set. */
    while (b->p != b->end && *b->p == 1)
        b->p++;
    if (b->p != b->end)
        return tsr_bc_error(b, "has bytes behind the properties of '%.*s'",
                            TSR_STR_ARG(op->def->name));
    b->p = here.p;
    b->end = here.end;
    if (by_row || !raw)
        return true;
    if (op->def->opcode != TSR_UNREGISTERED)
        return set_dict(r, op, raw);
    op->attrs[0] = raw;
    return true;
}

static bool fill_defaults(bc_reader *r, tsr_op *op)
{
    for (uint32_t i = 0; i < op->def->nslot; i++)
        if (!op->attrs[i] && op->def->slots && op->def->slots[i].need == TSR_ATTR_FILLED)
            op->attrs[i] = tsr_slot_default(r->ctx, &op->def->slots[i]);
    return true;
}

static bool read_results(bc_reader *r)
{
    size_t n;
    if (!tsr_bc_count(&r->b, &n))
        return false;
    tsr_vec_reserve(&r->results, n);
    for (r->results.n = 0; r->results.n < n; r->results.n++) {
        uint64_t index;
        if (!tsr_bc_read_varint(&r->b, &index) ||
            !(r->results.data[r->results.n] = bc_type(r, index)))
            return false;
    }
    return true;
}

static bool read_operands(bc_reader *r)
{
    size_t n;
    if (!tsr_bc_count(&r->b, &n))
        return false;
    tsr_vec_reserve(&r->operands, n);
    for (r->operands.n = 0; r->operands.n < n; r->operands.n++)
        if (!use_value(r, &r->operands.data[r->operands.n]))
            return false;
    return true;
}

/* The surroundings of an op: blocks that it may branch to, and the numbers of its region. */
typedef struct {
    tsr_block **blocks;
    size_t nblock;
    numbers numbers;
    bool numbered; /* the region has value numbers at all */
} frame;

static bool read_successors(bc_reader *r, const frame *f, tsr_block ***out, size_t *n)
{
    if (!tsr_bc_count(&r->b, n))
        return false;
    if (*n > UINT16_MAX)
        return tsr_bc_error(&r->b, "has an op with more than %d successors", UINT16_MAX);
    *out = tsr_arena_alloc(&r->keep, (*n + 1) * sizeof **out);
    for (size_t i = 0; i < *n; i++) {
        uint64_t index;
        if (!tsr_bc_read_varint(&r->b, &index) || !bc_in_range(r, index, f->nblock, "successor"))
            return false;
        (*out)[i] = f->blocks[index];
    }
    return true;
}

/* Orders come before the number of regions, which the op needs to be made: they are read over, and again when it is there. */
static bool skip_use_orders(bc_reader *r)
{
    size_t norder = r->orders.n;
    tsr_value none = {0};
    tsr_value *scratch =
        r->results.n ? tsr_arena_alloc(&r->keep, r->results.n * sizeof *scratch) : &none;
    TSR_TRY(read_use_orders(r, NULL, scratch, r->results.n));
    r->orders.n = norder;
    return true;
}

static bool read_orders_of(bc_reader *r, tsr_op *op, const uint8_t *orders, const uint8_t *behind)
{
    const uint8_t *here = r->b.p;
    r->b.p = orders;
    TSR_TRY(read_use_orders(r, NULL, op->out, op->nout));
    tsr_assert(r->b.p == behind, "use orders were read twice");
    r->b.p = here;
    return true;
}

static bool read_op(bc_reader *r, frame *f, tsr_block *block)
{
    tsr_bc *b = &r->b;
    uint64_t name, prop = 0, regions = 0, index;
    uint8_t mask = 0;
    tsr_loc loc;
    tsr_attr *dict = NULL;
    tsr_block **succs = NULL;
    size_t nsucc = 0;
    TSR_TRY(tsr_bc_read_varint(b, &name) && bc_in_range(r, name, r->nop, "operation name"));
    const tsr_opdef *def = op_def(r, name);
    if (!def || !tsr_bc_read_byte(b, &mask) || !bc_loc(r, &loc))
        return false;
    if ((mask & TSR_BC_OP_ATTRS) && (!tsr_bc_read_varint(b, &index) || !(dict = bc_attr(r, index))))
        return false;
    if ((mask & TSR_BC_OP_PROPERTIES) && !tsr_bc_read_varint(b, &prop))
        return false;
    if ((mask & TSR_BC_OP_PROPERTIES) && b->version < TSR_BC_PROPERTIES)
        return tsr_bc_error(b, "has properties, which version %u does not have", b->version);
    r->results.n = r->operands.n = 0;
    if (((mask & TSR_BC_OP_RESULTS) && !read_results(r)) ||
        ((mask & TSR_BC_OP_OPERANDS) && !read_operands(r)) ||
        ((mask & TSR_BC_OP_SUCCESSORS) && !read_successors(r, f, &succs, &nsucc)))
        return false;
    const uint8_t *orders = b->p;
    bool has_orders = b->version >= TSR_BC_USE_LISTS && (mask & TSR_BC_OP_USE_LISTS);
    if (has_orders && !skip_use_orders(r))
        return false;
    const uint8_t *behind = b->p;
    if ((mask & TSR_BC_OP_REGIONS) && !tsr_bc_read_varint(b, &regions))
        return false;
    size_t nregion = (size_t)(regions >> 1);
    if (regions >> 1 > UINT16_MAX || nregion > (size_t)(b->end - b->p))
        return tsr_bc_error(b, "has an op with %llu regions", (unsigned long long)(regions >> 1));
    tsr_op *op = tsr_op_new(r->m, def, loc, r->operands.data, r->operands.n, r->results.data,
                            r->results.n, nregion, nsucc);
    tsr_op_insert(op, block, NULL);
    for (size_t i = 0; i < nsucc; i++)
        tsr_op_set_successor(op, i, succs[i]);
    for (uint32_t i = 0; f->numbered && i < op->nout; i++)
        if (!define(r, &f->numbers, &op->out[i]))
            return false;
    if (has_orders && !read_orders_of(r, op, orders, behind))
        return false;
    if ((mask & TSR_BC_OP_PROPERTIES) && !set_properties(r, op, prop, r->ops[name].registered))
        return false;
    if ((dict && !set_dict(r, op, dict)) || !fill_defaults(r, op))
        return false;
    return !nregion || read_regions(r, op, regions & 1);
}

/* ---- Blocks and regions ---- */

static bool read_args(bc_reader *r, frame *f, tsr_block *block)
{
    tsr_bc *b = &r->b;
    size_t n;
    if (!tsr_bc_count(b, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        uint64_t index;
        tsr_loc loc = TSR_LOC_UNKNOWN;
        bool has_loc = true;
        if (!tsr_bc_read_varint(b, &index))
            return false;
        if (b->version >= TSR_BC_ELIDE_LOCS) {
            has_loc = index & 1;
            index >>= 1;
        }
        tsr_type *type = bc_type(r, index);
        if (!type || (has_loc && !bc_loc(r, &loc)))
            return false;
        if (!define(r, &f->numbers, tsr_block_add_arg(r->m, block, type, loc)))
            return false;
    }
    return true;
}

static bool read_block(bc_reader *r, frame *f, tsr_block *block)
{
    tsr_bc *b = &r->b;
    uint64_t head;
    uint8_t orders = 0;
    if (!tsr_bc_read_varint(b, &head) || ((head & 1) && !read_args(r, f, block)))
        return false;
    if ((head & 1) && b->version >= TSR_BC_USE_LISTS && !tsr_bc_read_byte(b, &orders))
        return false;
    if (orders && !read_use_orders(r, block->args, NULL, block->nargs))
        return false;
    for (uint64_t i = head >> 1; i; i--)
        if (!read_op(r, f, block))
            return false;
    return true;
}

static bool read_region(bc_reader *r, tsr_region *region)
{
    tsr_bc *b = &r->b;
    frame f = {0};
    size_t nvalue;
    if (!tsr_bc_count(b, &f.nblock))
        return false;
    if (!f.nblock)
        return true;
    if (!tsr_bc_count(b, &nvalue))
        return false;
    f.blocks = tsr_arena_alloc(&r->keep, f.nblock * sizeof *f.blocks);
    for (size_t i = 0; i < f.nblock; i++) {
        f.blocks[i] = tsr_block_new(r->m);
        tsr_block_insert(f.blocks[i], region, NULL);
    }
    size_t start = r->values.n;
    tsr_vec_reserve(&r->values, start + nvalue);
    if (nvalue)
        memset(r->values.data + start, 0, nvalue * sizeof *r->values.data);
    r->values.n = start + nvalue;
    f.numbers = (numbers){start, start + nvalue};
    f.numbered = nvalue != 0;
    for (size_t i = 0; i < f.nblock; i++)
        if (!read_block(r, &f, f.blocks[i]))
            return false;
    for (size_t i = start; r->nforward && i < start + nvalue; i++)
        if (r->values.data[i] & PENDING)
            return tsr_bc_error(b, "uses a value that its region does not define");
    r->values.n = start;
    return true;
}

/* Regions of an isolated op have their own numbering and, since version 2, a section of their own. */
static bool read_regions(bc_reader *r, tsr_op *op, bool isolated)
{
    tsr_check_stack();
    tsr_bc *b = &r->b;
    bc_span here = {b->p, b->end}, s;
    bool section = isolated && b->version >= TSR_BC_LAZY_REGIONS;
    size_t scope = r->scope;
    if (++r->depth > TSR_MAX_NESTING)
        return tsr_bc_error(b, "nests regions too deeply (more than %d levels)", TSR_MAX_NESTING);
    if (section) {
        uint32_t id;
        if (!bc_read_section(r, &id, &s))
            return false;
        if (id != TSR_BC_SECTION_IR)
            return tsr_bc_error(b, "has another section where regions belong");
        here.p = b->p;
        b->p = s.p;
        b->end = s.end;
    }
    if (isolated)
        r->scope = r->values.n;
    for (uint32_t i = 0; i < op->nregion; i++)
        if (!read_region(r, &op->regions[i]))
            return false;
    r->scope = scope;
    r->depth--;
    if (!section)
        return true;
    if (b->p != b->end)
        return tsr_bc_error(b, "has bytes behind regions");
    b->p = here.p;
    b->end = here.end;
    return true;
}

bool bc_read_ir(bc_reader *r)
{
    bc_span s = r->sections[TSR_BC_SECTION_IR];
    r->b.p = s.p;
    r->b.end = s.end;
    const tsr_opdef *def = tsr_opdef_get(r->ctx, TSR_STR("builtin.module"));
    tsr_op *wrapper =
        tsr_op_new(r->m, def, tsr_loc_file(r->ctx, r->filename, 0, 0), NULL, 0, NULL, 0, 1, 0);
    tsr_block *body = tsr_block_new(r->m);
    tsr_block_insert(body, &wrapper->regions[0], NULL);
    frame f = {.blocks = &body, .nblock = 1};
    if (!read_block(r, &f, body))
        return false;
    if (r->b.p != r->b.end)
        return tsr_bc_error(&r->b, "has bytes behind its last op");
    for (size_t i = 0; i < r->orders.n; i++)
        if (!apply_order(r, &r->orders.data[i]))
            return false;
    /* If the top level is a single module, that is the module; otherwise it is wrapped in one. */
    tsr_op *only = body->first;
    r->m->op = wrapper;
    if (only && !only->next && only->def == def) {
        tsr_op_remove(only);
        r->m->op = only;
    }
    return true;
}
