/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - modules and ops to text, in custom or generic form. */
#include <stdlib.h>

#include "text/printer.h"
#include "base/scope.h"
#include "text/text.h"

static void print_op(printer *p, tsr_op *op);

static printer *printer_of(const tsr_asm *a)
{
    return a->out->host;
}

static void indent(printer *p)
{
    tsr_buf *out = p->w.out;
    tsr_buf_reserve(out, (size_t)p->w.indent);
    memset(out->data + out->len, ' ', (size_t)p->w.indent);
    out->len += (size_t)p->w.indent;
}

/* ---- Values and blocks ---- */

static void print_label(tsr_buf *out, const value_label *l)
{
    tsr_buf_char(out, '%');
    if (l->name)
        tsr_buf_str(out, (tsr_str){l->name, l->len});
    else
        tsr_buf_uint(out, l->number);
}

static void print_value(printer *p, const tsr_value *v)
{
    const value_label *l = v && v->id < p->w.module->nvalue ? &p->labels[v->id] : NULL;
    if (!l || !l->group) {
        tsr_buf_cstr(p->w.out, v ? "<<UNKNOWN SSA VALUE>>" : "<<NULL VALUE>>");
        return;
    }
    print_label(p->w.out, l);
    if (l->group > 1) {
        tsr_buf_char(p->w.out, '#');
        tsr_buf_uint(p->w.out, l->sub);
    }
}

static void print_block_name(printer *p, const tsr_block *b)
{
    tsr_buf_cstr(p->w.out, "^bb");
    tsr_buf_uint(p->w.out, b->order);
}

/* ---- Blocks and regions ---- */

/* The predecessors of the blocks of a region: from[start[i]] to from[start[i + 1]] are those of block number i. */
typedef struct predecessors {
    uint32_t *start, *from;
} predecessors;

static void find_predecessors(const tsr_region *region, predecessors *out)
{
    size_t nblock = region->last->order + 1, nedge = 0;
    out->start = tsr_calloc(nblock + 2, sizeof(uint32_t));
    tsr_assert(out->start, "out of memory");
    TSR_REGION_BLOCKS (region, b)
        for (uint32_t i = 0; b->last && i < b->last->nsucc; i++)
            if (b->last->succ[i]->region == region)
                out->start[b->last->succ[i]->order + 2]++, nedge++;
    for (size_t i = 2; i < nblock + 2; i++)
        out->start[i] += out->start[i - 1];
    out->from = tsr_xmalloc((nedge + 1) * sizeof(uint32_t));
    /* start[i + 1] advances from the start of block i to its end, which is the start of the next. */
    TSR_REGION_BLOCKS (region, b)
        for (uint32_t i = 0; b->last && i < b->last->nsucc; i++)
            if (b->last->succ[i]->region == region)
                out->from[out->start[b->last->succ[i]->order + 1]++] = b->order;
}

/* The predecessors of b, as a comment. */
static void print_predecessors(printer *p, const tsr_block *b)
{
    tsr_buf *out = p->w.out;
    uint32_t n = 0;
    const uint32_t *from = NULL;
    if (p->preds) {
        from = p->preds->from + p->preds->start[b->order];
        n = p->preds->start[b->order + 1] - p->preds->start[b->order];
    }
    if (n == 0) {
        if (b != b->region->first)
            tsr_buf_cstr(out, "  // no predecessors");
    } else if (n == 1) {
        tsr_buf_printf(out, "  // pred: ^bb%u", from[0]);
    } else {
        tsr_buf_printf(out, "  // %u preds: ", n);
        for (uint32_t i = 0; i < n; i++)
            tsr_buf_printf(out, "%s^bb%u", i ? ", " : "", from[i]);
    }
}

static void print_arg_loc(printer *p, const tsr_block *b, uint32_t i)
{
    if (!p->w.opt.debug_info)
        return;
    tsr_buf_char(p->w.out, ' ');
    tsr_write_arg_loc(&p->w, b->arg_locs[i]);
}

static void print_block_header(printer *p, const tsr_block *b)
{
    tsr_buf *out = p->w.out;
    indent(p);
    print_block_name(p, b);
    if (b->nargs) {
        tsr_buf_char(out, '(');
        for (uint32_t i = 0; i < b->nargs; i++) {
            if (i)
                tsr_buf_str(out, TSR_STR(", "));
            print_value(p, b->args[i]);
            tsr_buf_str(out, TSR_STR(": "));
            tsr_write_type(&p->w, b->args[i]->type);
            print_arg_loc(p, b, i);
        }
        tsr_buf_char(out, ')');
    }
    tsr_buf_char(out, ':');
    print_predecessors(p, b);
    tsr_buf_char(out, '\n');
}

static void print_block(printer *p, const tsr_block *b, bool header, bool terminator)
{
    if (header)
        print_block_header(p, b);
    p->w.indent += 2;
    TSR_BLOCK_OPS (b, op) {
        if (!terminator && !op->next && tsr_op_has(op, TSR_TRAIT(TERMINATOR)))
            break;
        indent(p);
        print_op(p, op);
        tsr_buf_char(p->w.out, '\n');
    }
    p->w.indent -= 2;
}

static void print_region(printer *p, tsr_region *region, bool entry_args, bool terminators,
                         bool empty_block)
{
    tsr_check_stack();
    tsr_str outer = p->default_dialect;
    const tsr_op *op = region->op;
    p->default_dialect = op && tsr_op_has(op, TSR_TRAIT(DEFAULT_DIALECT))
                             ? tsr_opdef_dialect(op->def)
                             : (tsr_str){0};
    tsr_buf_str(p->w.out, TSR_STR("{\n"));
    predecessors preds;
    const predecessors *outer_preds = p->preds;
    p->preds = NULL;
    if (region->first && region->first != region->last && !p->w.collecting) {
        find_predecessors(region, &preds);
        p->preds = &preds;
    }
    TSR_REGION_BLOCKS (region, b) {
        bool entry = b == region->first;
        bool header = !entry || (empty_block && !b->first) || (entry_args && b->nargs);
        print_block(p, b, header, entry ? terminators : true);
    }
    indent(p);
    tsr_buf_char(p->w.out, '}');
    if (p->preds) {
        tsr_free(preds.start);
        tsr_free(preds.from);
    }
    p->preds = outer_preds;
    p->default_dialect = outer;
}

/* ---- Ops ---- */

static void print_results(printer *p, const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout;) {
        const value_label *l = &p->labels[op->out[i].id];
        if (i)
            tsr_buf_str(p->w.out, TSR_STR(", "));
        print_label(p->w.out, l);
        if (l->group > 1) {
            tsr_buf_char(p->w.out, ':');
            tsr_buf_uint(p->w.out, l->group);
        }
        i += l->group ? l->group : 1;
    }
    if (op->nout)
        tsr_buf_str(p->w.out, TSR_STR(" = "));
}

static int compare_named(const void *a, const void *b)
{
    return tsr_str_cmp(((const tsr_named *)a)->name->str, ((const tsr_named *)b)->name->str);
}

/* <{...}>: inherent attributes. */
static void print_properties(printer *p, const tsr_op *op)
{
    tsr_buf *out = p->w.out;
    if (op->def->opcode == TSR_UNREGISTERED) {
        if (!op->attrs[0])
            return;
        tsr_buf_str(out, TSR_STR(" <"));
        tsr_write_attr(&p->w, op->attrs[0]);
        tsr_buf_char(out, '>');
        return;
    }
    tsr_named_vec v = {0};
    for (uint32_t i = 0; i < op->def->nslot; i++)
        if (op->attrs[i])
            tsr_vec_push(&v, (tsr_named){tsr_name_get(p->w.ctx, tsr_cstr(op->def->slots[i].name)),
                                         op->attrs[i]});
    if (v.n) {
        qsort(v.data, v.n, sizeof(tsr_named), compare_named);
        tsr_buf_str(out, TSR_STR(" <{"));
        tsr_write_dict_entries(&p->w, v.data, v.n);
        tsr_buf_str(out, TSR_STR("}>"));
    }
    tsr_vec_free(&v);
}

static void print_generic(printer *p, tsr_op *op)
{
    tsr_buf *out = p->w.out;
    uint32_t own = tsr_op_own_operands(op);
    tsr_buf_quoted(out, op->def->name);
    tsr_buf_char(out, '(');
    for (uint32_t i = 0; i < own; i++) {
        if (i)
            tsr_buf_str(out, TSR_STR(", "));
        print_value(p, op->in[i].value);
    }
    tsr_buf_char(out, ')');
    if (op->nsucc) {
        tsr_buf_char(out, '[');
        for (uint32_t i = 0; i < op->nsucc; i++) {
            if (i)
                tsr_buf_str(out, TSR_STR(", "));
            print_block_name(p, op->succ[i]);
        }
        tsr_buf_char(out, ']');
    }
    print_properties(p, op);
    if (op->nregion) {
        tsr_buf_str(out, TSR_STR(" ("));
        for (uint32_t i = 0; i < op->nregion; i++) {
            if (i)
                tsr_buf_str(out, TSR_STR(", "));
            print_region(p, &op->regions[i], true, true, true);
        }
        tsr_buf_char(out, ')');
    }
    if (op->extra && op->extra->n) {
        tsr_buf_str(out, TSR_STR(" {"));
        tsr_write_dict_entries(&p->w, op->extra->named, op->extra->n);
        tsr_buf_char(out, '}');
    }
    tsr_buf_str(out, TSR_STR(" : "));
    tsr_op *outer = p->a.op;
    p->a.op = op;
    (void)!tsr_asm_functional_type(&p->a);
    p->a.op = outer;
}

static void print_custom(printer *p, tsr_op *op)
{
    tsr_str name = op->def->name, dialect = p->default_dialect;
    /* The prefix may be omitted if the parent's dialect is the op's own. */
    if (dialect.len && name.len > dialect.len && name.data[dialect.len] == '.' &&
        memcmp(name.data, dialect.data, dialect.len) == 0 &&
        !memchr(name.data + dialect.len + 1, '.', name.len - dialect.len - 1)) {
        name.data += dialect.len + 1;
        name.len -= dialect.len + 1;
    }
    size_t start = p->w.out->len;
    tsr_buf_str(p->w.out, name);
    tsr_op *outer = p->a.op;
    uint64_t done = p->a.done;
    p->a.op = op;
    p->a.done = 0;
    bool ok = op->def->assembly ? op->def->assembly(&p->a) : tsr_asm_format(&p->a, op->def);
    p->a.op = outer;
    p->a.done = done;
    if (!ok) { /* the op cannot be written in its custom form */
        p->w.out->len = start;
        print_generic(p, op);
    }
}

/* loc(...) of an op; its aliases may be defined after the module. */
static void print_op_loc(printer *p, const tsr_op *op)
{
    bool deferring = p->w.deferring;
    p->w.deferring = true;
    tsr_buf_char(p->w.out, ' ');
    tsr_write_loc(&p->w, op->loc, true);
    p->w.deferring = deferring;
}

static void print_op(printer *p, tsr_op *op)
{
    if (p->w.collecting && p->w.opt.debug_info)
        print_op_loc(p, op); /* locations are numbered parents first */
    print_results(p, op);
    bool custom = (op->def->assembly || op->def->format) && !p->w.opt.generic &&
                  (p->w.module->verified || tsr_op_fits_row(op));
    if (custom)
        print_custom(p, op);
    else
        print_generic(p, op);
    if (p->w.opt.debug_info)
        print_op_loc(p, op);
}

/* ---- Callbacks of assembly hooks ---- */

static void host_region(tsr_asm *a, tsr_region *region, bool entry_args, bool terminators,
                        bool empty_block)
{
    print_region(printer_of(a), region, entry_args, terminators, empty_block);
}

static void host_value(tsr_asm *a, const tsr_value *v)
{
    print_value(printer_of(a), v);
}

static void host_block(tsr_asm *a, const tsr_block *b)
{
    print_block_name(printer_of(a), b);
}

static void host_op(tsr_asm *a, tsr_op *op)
{
    print_op(printer_of(a), op);
}

static const tsr_asm_host host = {.write_region = host_region,
                                  .write_value = host_value,
                                  .write_block = host_block,
                                  .write_op = host_op};

/* ---- Whole modules ---- */

static void print_blob(tsr_buf *out, const tsr_resource *r)
{
    static const char hex[] = "0123456789ABCDEF";
    uint8_t align[4] = {(uint8_t)r->align, (uint8_t)(r->align >> 8), (uint8_t)(r->align >> 16),
                        (uint8_t)(r->align >> 24)};
    tsr_buf_cstr(out, "\"0x");
    for (size_t i = 0; i < 4 + r->data.len; i++) {
        uint8_t b = i < 4 ? align[i] : (uint8_t)r->data.data[i - 4];
        tsr_buf_char(out, hex[b >> 4]);
        tsr_buf_char(out, hex[b & 15]);
    }
    tsr_buf_char(out, '"');
}

typedef TSR_VEC(const tsr_resource *) resource_vec;

/* Builtin blobs that the text refers to, in order of first use; then all blobs of other dialects, since only those
 * dialects know what refers to them. */
static void used_blobs(const tsr_module *m, const tsr_str_vec *keys, resource_vec *out)
{
    tsr_map blobs;
    bool *taken = tsr_xmalloc(m->resources.n + 1);
    memset(taken, 0, m->resources.n + 1);
    tsr_blobs_init(&blobs, m);
    for (size_t i = 0; i < keys->n; i++) {
        const tsr_resource *found = tsr_blob_find(&blobs, keys->data[i]);
        if (!found || taken[found - m->resources.data])
            continue;
        taken[found - m->resources.data] = true;
        tsr_vec_push(out, found);
    }
    for (size_t i = 0; i < m->resources.n; i++)
        if (!m->resources.data[i].external &&
            !tsr_str_is(m->resources.data[i].dialect->str, "builtin"))
            tsr_vec_push(out, &m->resources.data[i]);
    tsr_map_free(&blobs);
    tsr_free(taken);
}

/* section: { group: { key: value, ... }, ... }, groups being runs of one dialect. */
static void print_section(tsr_buf *out, tsr_ctx *ctx, const char *section, const resource_vec *v)
{
    const tsr_name *group = NULL;
    tsr_writer w = {.out = out, .ctx = ctx};
    tsr_buf_printf(out, "  %s: {\n    ", section);
    for (size_t i = 0; i < v->n; i++) {
        const tsr_resource *r = v->data[i];
        if (r->dialect != group) {
            tsr_buf_cstr(out, group ? "\n    },\n    " : "");
            tsr_write_name(out, r->dialect->str);
            tsr_buf_cstr(out, ": {\n      ");
        } else {
            tsr_buf_cstr(out, ",\n      ");
        }
        group = r->dialect;
        tsr_write_name(out, r->key->str);
        tsr_buf_cstr(out, ": ");
        if (r->external)
            tsr_write_attr(&w, r->value);
        else
            print_blob(out, r);
    }
    tsr_buf_cstr(out, "\n    }\n  }");
}

/* {-# dialect_resources ..., external_resources ... #-} */
static void print_resources(tsr_buf *out, const tsr_module *m, const tsr_str_vec *keys)
{
    resource_vec blobs = {0}, externals = {0};
    used_blobs(m, keys, &blobs);
    for (size_t i = 0; i < m->resources.n; i++)
        if (m->resources.data[i].external)
            tsr_vec_push(&externals, &m->resources.data[i]);
    if (blobs.n || externals.n) {
        tsr_buf_cstr(out, "\n{-#\n");
        if (blobs.n)
            print_section(out, m->ctx, "dialect_resources", &blobs);
        if (blobs.n && externals.n)
            tsr_buf_cstr(out, ",\n");
        if (externals.n)
            print_section(out, m->ctx, "external_resources", &externals);
        tsr_buf_cstr(out, "\n#-}\n");
    }
    tsr_vec_free(&blobs);
    tsr_vec_free(&externals);
}

static void printer_start(printer *p, tsr_buf *out, tsr_op *op, const tsr_print_options *options)
{
    memset(p, 0, sizeof *p);
    tsr_arena_init_pooled(&p->arena, &op->module->ctx->pool);
    p->w = (tsr_writer){.out = out, .ctx = op->module->ctx, .module = op->module, .host = p};
    if (options)
        p->w.opt = *options;
    p->a = (tsr_asm){.ctx = p->w.ctx, .module = op->module, .out = &p->w, .host = &host};
    p->labels = TSR_NEW_ARRAY(&p->arena, value_label, op->module->nvalue + 1);
    p->default_dialect = TSR_STR("builtin");
    /* Values are named as in the whole enclosing isolated op. */
    while (!tsr_op_has(op, TSR_TRAIT(ISOLATED)) && tsr_block_parent(op->block))
        op = tsr_block_parent(op->block);
    printer_name_values(p, op);
}

static void printer_end(printer *p)
{
    tsr_arena_free(&p->arena);
}

/* Runs the printer once only to collect aliases. */
static void collect_aliases(printer *p, tsr_op *op, tsr_aliases *aliases)
{
    tsr_buf scrap = {0}, *out = p->w.out;
    p->w.out = &scrap;
    p->w.aliases = aliases;
    p->w.collecting = true;
    print_op(p, op);
    tsr_aliases_finish(aliases);
    p->w.collecting = false;
    p->w.out = out;
    tsr_buf_free(&scrap);
}

void tsr_print_module(tsr_buf *out, tsr_module *m, const tsr_print_options *options)
{
    printer p;
    tsr_aliases aliases;
    tsr_str_vec keys = {0};
    tsr_distincts distincts = {0};
    printer_start(&p, out, m->op, options);
    tsr_aliases_init(&aliases, m);
    if (!p.w.opt.local_scope && (p.w.opt.debug_info || m->ctx->has_aliased))
        collect_aliases(&p, m->op, &aliases);
    p.w.resources = &keys;
    p.w.distincts = &distincts;
    tsr_write_alias_definitions(&p.w, false);
    print_op(&p, m->op);
    tsr_buf_char(out, '\n');
    tsr_write_alias_definitions(&p.w, true);
    if (!p.w.opt.local_scope)
        print_resources(out, m, &keys);
    tsr_vec_free(&keys);
    tsr_vec_free(&distincts);
    tsr_aliases_free(&aliases);
    printer_end(&p);
}

static void print_in_diagnostic(tsr_buf *out, const tsr_op *op)
{
    enum { LARGE = 16 };
    tsr_print_op(out, (tsr_op *)op, &(tsr_print_options){.generic = true, .elide_larger = LARGE});
}

void tsr_text_install(tsr_ctx *ctx)
{
    ctx->print_op = print_in_diagnostic;
}

void tsr_print_op(tsr_buf *out, tsr_op *op, const tsr_print_options *options)
{
    printer p;
    tsr_print_options local = options ? *options : (tsr_print_options){0};
    local.local_scope = true;
    printer_start(&p, out, op, &local);
    print_op(&p, op);
    printer_end(&p);
}
