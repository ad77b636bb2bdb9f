/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - names of values when printing: %0, %0#1, %arg0, %cst_1, as MLIR assigns them.
 *
 * A region is named completely before the regions of its ops, which continue its counters; sibling regions start with
 * the same counters. In generic form numbers are unique in the module: the last sibling comes first, and the others
 * continue after it. A name that is taken gets a suffix _N, with N from a counter of all conflicts. */

#include "base/char.h"
#include "text/printer.h"
#include "text/text.h"

typedef struct {
    uint32_t value, arg, conflict;
} counters;

struct tsr_namer {
    printer *p;
    tsr_map used; /* tsr_name-like entries: names in scope */
    counters next;
    bool args;          /* naming arguments of a region, not results */
    tsr_region *region; /* whose arguments are named */
    tsr_op *op;         /* whose results are named */
    uint32_t group_start;
};

typedef struct {
    tsr_str name;
} used_name;

static bool is_used(const tsr_namer *n, tsr_str name, uint64_t hash)
{
    TSR_MAP_EACH (&n->used, hash, v)
        if (tsr_str_eq(((used_name *)v)->name, name))
            return true;
    return false;
}

/* Replaces characters that value names cannot have by '_'. */
static tsr_str sanitize(tsr_namer *n, tsr_str name)
{
    bool ok = name.len && !tsr_is_digit(name.data[0]);
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.data[i];
        ok = ok && (tsr_is_alnum(c) || c == '_' || c == '$' || c == '.' || c == '-');
    }
    if (ok)
        return name;
    char *copy = tsr_arena_alloc(&n->p->arena, name.len + 1);
    size_t k = 0;
    if (name.len && tsr_is_digit(name.data[0]))
        copy[k++] = '_';
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.data[i];
        copy[k++] = tsr_is_alnum(c) || c == '_' || c == '$' || c == '.' || c == '-' ? (char)c : '_';
    }
    return (tsr_str){copy, k};
}

/* Writes v in digits to out; returns how many. */
static size_t decimal(char *out, uint32_t v)
{
    char digits[10];
    size_t n = 0, len;
    do
        digits[n++] = (char)('0' + v % 10);
    while (v /= 10);
    for (len = n; n; out++)
        *out = digits[--n];
    return len;
}

static tsr_str unique(tsr_namer *n, tsr_str name)
{
    uint64_t hash = tsr_hash_str(name);
    if (is_used(n, name, hash)) {
        char *copy = tsr_arena_alloc(&n->p->arena, name.len + 12);
        memcpy(copy, name.data, name.len);
        tsr_str probe;
        do {
            copy[name.len] = '_';
            probe =
                (tsr_str){copy, name.len + 1 + decimal(copy + name.len + 1, n->next.conflict++)};
            hash = tsr_hash_str(probe);
        } while (is_used(n, probe, hash));
        name = probe;
    }
    used_name *u = tsr_arena_alloc(&n->p->arena, sizeof *u);
    u->name = name;
    tsr_map_put(&n->used, hash, u);
    return name;
}

static void set_label(tsr_namer *n, const tsr_value *v, tsr_str name)
{
    value_label *l = &n->p->labels[v->id];
    *l = (value_label){0};
    if (!name.len) {
        l->number = n->next.value++;
        return;
    }
    name = unique(n, sanitize(n, name));
    l->name = name.data;
    l->len = (uint32_t)name.len;
}

/* Group 0 means that no label was assigned yet. */
static bool has_label(const tsr_namer *n, const tsr_value *v)
{
    return n->p->labels[v->id].group != 0;
}

void tsr_namer_result(tsr_namer *n, tsr_op *op, size_t i, tsr_str name)
{
    if (n->args || op != n->op || i >= op->nout || has_label(n, &op->out[i]))
        return;
    set_label(n, &op->out[i], name);
    n->p->labels[op->out[i].id].group = 1;
}

void tsr_namer_arg(tsr_namer *n, tsr_value *arg, tsr_str name)
{
    if (!n->args || !arg->is_arg || arg->block->region != n->region || has_label(n, arg))
        return;
    set_label(n, arg, name);
    n->p->labels[arg->id].group = 1;
}

/* Rows with several result groups name the first value of each. */
static void name_groups(tsr_namer *n, tsr_op *op)
{
    uint32_t start, count;
    for (size_t i = 0; op->def->nresult > 1 && i < op->def->nresult; i++)
        if (tsr_op_result_group(op, i, &start, &count) && count)
            tsr_namer_result(n, op, start, tsr_cstr(op->def->results[i].name));
}

/* The name of a name location, wherever it is in a location; empty when there is none. */
static tsr_str location_name(tsr_loc loc)
{
    if (!loc || loc & 1)
        return (tsr_str){0};
    const tsr_attr *a = (const tsr_attr *)(uintptr_t)loc;
    if (a->sub == TSR_LOC_KIND_NAME)
        return a->s;
    for (uint32_t i = 0; i < a->n && a->sub != TSR_LOC_KIND_FILE; i++) {
        tsr_str name = a->attrs[i] ? location_name((tsr_loc)(uintptr_t)a->attrs[i]) : (tsr_str){0};
        if (name.len)
            return name;
    }
    return (tsr_str){0};
}

static tsr_str prefix_of(const tsr_namer *n, tsr_loc loc)
{
    return n->p->w.opt.name_locations ? location_name(loc) : (tsr_str){0};
}

static void name_results(tsr_namer *n, tsr_op *op)
{
    value_label *labels = n->p->labels;
    if (!op->nout)
        return;
    n->op = op;
    n->args = false;
    tsr_str prefix = prefix_of(n, op->loc);
    if (prefix.len)
        tsr_namer_result(n, op, 0, prefix);
    if (!n->p->w.opt.generic) {
        if (op->def->names)
            op->def->names(n, op);
        else if (op->def->nresult > 1)
            name_groups(n, op);
    }
    if (!has_label(n, &op->out[0])) {
        set_label(n, &op->out[0], (tsr_str){0});
        labels[op->out[0].id].group = 1;
    }
    /* A labelled result starts a group; those after it belong to it. */
    for (uint32_t i = 0; i < op->nout;) {
        uint32_t end = i + 1;
        while (end < op->nout && !has_label(n, &op->out[end]))
            end++;
        value_label first = labels[op->out[i].id];
        for (uint32_t k = i; k < end; k++) {
            labels[op->out[k].id] = first;
            labels[op->out[k].id].sub = k - i;
            labels[op->out[k].id].group = end - i;
        }
        i = end;
    }
}

static void name_nested(tsr_namer *n, tsr_region *region);

static void name_region(tsr_namer *n, tsr_region *region)
{
    uint32_t mark = n->used.n, order = 0;
    n->args = true;
    n->region = region;
    if (!n->p->w.opt.generic && region->op && region->op->def->names)
        region->op->def->names(n, region->op);
    TSR_REGION_BLOCKS (region, b) {
        b->order = order++;
        for (uint32_t i = 0; i < b->nargs; i++) {
            if (has_label(n, b->args[i]))
                continue;
            tsr_str name = prefix_of(n, b->arg_locs[i]);
            if (!name.len && b == region->first) {
                char *text = tsr_arena_alloc(&n->p->arena, 16);
                memcpy(text, "arg", 3);
                name = (tsr_str){text, 3 + decimal(text + 3, n->next.arg++)};
            }
            set_label(n, b->args[i], name);
            n->p->labels[b->args[i]->id].group = 1;
        }
        TSR_BLOCK_OPS (b, op)
            name_results(n, op);
    }
    name_nested(n, region);
    tsr_map_truncate(&n->used, mark);
}

static void name_nested(tsr_namer *n, tsr_region *region)
{
    counters end = n->next;
    bool unique = n->p->w.opt.generic || n->p->w.opt.unique_ids;
    for (tsr_block *b = region->last; b; b = b->prev)
        for (tsr_op *op = b->last; op; op = op->prev)
            for (uint32_t i = op->nregion; i-- > 0;) {
                if (!unique)
                    n->next = end;
                name_region(n, &op->regions[i]);
            }
}

void printer_name_values(printer *p, tsr_op *op)
{
    tsr_namer n = {.p = p};
    name_results(&n, op);
    for (uint32_t i = op->nregion; i-- > 0;) {
        counters start = n.next;
        name_region(&n, &op->regions[i]);
        if (!p->w.opt.generic && !p->w.opt.unique_ids)
            n.next = start;
    }
    tsr_map_free(&n.used);
}

tsr_str *tsr_value_names(tsr_arena *arena, tsr_module *m)
{
    printer p = {.labels = TSR_NEW_ARRAY(arena, value_label, m->nvalue)};
    tsr_str *names = TSR_NEW_ARRAY(arena, tsr_str, m->nvalue);
    tsr_arena_init(&p.arena);
    printer_name_values(&p, m->op);
    for (uint32_t i = 0; i < m->nvalue; i++) {
        const value_label *l = &p.labels[i];
        if (!l->group)
            continue;
        char *text = tsr_arena_alloc(arena, l->len + 24);
        size_t n = 0;
        text[n++] = '%';
        if (l->name)
            memcpy(text + n, l->name, l->len);
        n += l->name ? l->len : decimal(text + n, l->number);
        if (l->group > 1) {
            text[n++] = '#';
            n += decimal(text + n, l->sub);
        }
        names[i] = (tsr_str){text, n};
    }
    tsr_arena_free(&p.arena);
    return names;
}
