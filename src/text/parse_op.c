/* SPDX-License-Identifier: Apache-2.0 */
/* parse_op.c - one op, in generic or custom form. */
#include <stdlib.h>

#include "dialect/older.h"
#include "text/parser.h"

/* ---- The state of an op, reused from op to op ---- */

static tsr_opstate *push_state(parser *p, const tsr_opdef *def, tsr_loc loc)
{
    if (p->nstate == p->states.n) {
        tsr_opstate *fresh = tsr_xmalloc(sizeof *fresh);
        memset(fresh, 0, sizeof *fresh);
        tsr_vec_push(&p->states, fresh);
    }
    tsr_opstate *st = p->states.data[p->nstate++];
    st->def = def;
    st->loc = loc;
    st->operands.n = st->operand_types.n = st->result_types.n = st->extra.n = st->succs.n =
        st->nsuccin.n = 0;
    st->attrs = def->nslot ? TSR_NEW_ARRAY(&p->r.scratch, tsr_attr *, def->nslot) : NULL;
    st->regions = NULL;
    st->nregion = st->cap_region = 0;
    return st;
}

/* ---- Results ---- */

typedef struct {
    tsr_str name;
    uint64_t count;
    tsr_loc loc;
} result_name;

/* Nearly all ops have one or two names. */
typedef struct {
    result_name few[4];
    TSR_VEC(result_name) many; /* all of them, once there are more */
    size_t n;
} result_names;

static const result_name *name_at(const result_names *names, size_t i)
{
    return names->many.n ? &names->many.data[i] : &names->few[i];
}

static void add_name(result_names *names, result_name name)
{
    if (names->n < TSR_COUNT(names->few)) {
        names->few[names->n++] = name;
        return;
    }
    if (!names->many.n)
        for (size_t i = 0; i < names->n; i++)
            tsr_vec_push(&names->many, names->few[i]);
    tsr_vec_push(&names->many, name);
    names->n++;
}

/* results ::= '%' name (':' count)? (',' ...)* '=' */
static bool read_result_names(parser *p, result_names *out)
{
    tsr_reader *r = &p->r;
    do {
        if (!tsr_read_is(r, TOK_PERCENT))
            return tsr_read_wrong(r, "expected valid ssa identifier");
        result_name n = {{r->tok.start + 1, r->tok.len - 1}, 1, tsr_read_loc(r)};
        tsr_read_next(r);
        if (tsr_read_take(r, ':')) {
            uint64_t count;
            if (!tsr_read_is(r, TOK_INT))
                return tsr_read_wrong(r, "expected integer number of results");
            if (!tsr_tok_uint(tsr_tok_text(r), &count) || count < 1 || count > INT64_MAX)
                return tsr_read_error(r, "expected named operation to have at least 1 result");
            n.count = count;
            tsr_read_next(r);
        }
        add_name(out, n);
    } while (tsr_read_take(r, ','));
    return tsr_read_expect(r, '=', "expected '=' after SSA name");
}

static bool define_results(parser *p, tsr_op *op, const result_names *names, tsr_loc loc)
{
    uint64_t total = 0;
    for (size_t i = 0; i < names->n; i++)
        total = name_at(names, i)->count > INT64_MAX - total ? INT64_MAX
                                                             : total + name_at(names, i)->count;
    if (names->n && !op->nout)
        return tsr_error(p->ctx, loc, "cannot name an operation with no results");
    if (names->n && total != op->nout)
        return tsr_error(p->ctx, loc, "operation defines %u results but was provided %llu to bind",
                         op->nout, (unsigned long long)total);
    uint32_t at = 0;
    for (size_t i = 0; i < names->n; i++) {
        const result_name *n = name_at(names, i);
        TSR_TRY(parser_define_values(p, n->name, &op->out[at], (uint32_t)n->count, n->loc));
        at += (uint32_t)n->count;
    }
    return true;
}

/* ---- From state to op ---- */

static bool ends_block(const tsr_block *b)
{
    return b->last && tsr_op_has(b->last, TSR_TRAIT(TERMINATOR));
}

/* Adds what custom forms may omit: the only block of a region, and its terminator. */
static void complete_regions(parser *p, tsr_opstate *st)
{
    bool single = st->def->traits & TSR_TRAIT(SINGLE_BLOCK);
    bool needs_block = single && (st->def->implicit || st->def->traits & TSR_TRAIT(NO_TERMINATOR));
    for (uint32_t i = 0; i < st->nregion; i++) {
        tsr_region *region = &st->regions[i];
        if (!region->first && needs_block)
            tsr_block_insert(tsr_block_new(p->m), region, NULL);
        if (!st->def->implicit || !region->first || ends_block(region->last))
            continue;
        const tsr_opdef *def = tsr_opdef_get(p->ctx, tsr_cstr(st->def->implicit));
        tsr_op_insert(tsr_op_new(p->m, def, st->loc, NULL, 0, NULL, 0, 0, 0), region->last, NULL);
    }
}

static tsr_op *make_op(parser *p, tsr_opstate *st)
{
    size_t n = st->operands.n;
    if (st->nregion > UINT16_MAX || st->succs.n > UINT16_MAX) {
        tsr_error(p->ctx, st->loc, "more than %d regions or successors", UINT16_MAX);
        return NULL;
    }
    if (n != st->operand_types.n) {
        tsr_error(p->ctx, st->loc,
                  "custom op '%.*s' number of operands and types do not match: got %zu operands "
                  "and %zu types",
                  TSR_STR_ARG(st->def->name), n, st->operand_types.n);
        return NULL;
    }
    tsr_value *few[16],
        **in = n <= TSR_COUNT(few) ? few : tsr_arena_alloc(&p->r.scratch, n * sizeof *in);
    for (size_t i = 0; i < n; i++) {
        in[i] = parser_use_value(p, &st->operands.data[i], st->operand_types.data[i]);
        if (!in[i])
            return NULL;
    }
    tsr_op *op = tsr_op_new(p->m, st->def, st->loc, in, n, st->result_types.data,
                            st->result_types.n, st->nregion, st->succs.n);
    for (uint32_t i = 0; i < st->def->nslot; i++)
        op->attrs[i] = !st->attrs[i] && st->def->slots && st->def->slots[i].need == TSR_ATTR_FILLED
                           ? tsr_slot_default(p->ctx, &st->def->slots[i])
                           : st->attrs[i];
    if (st->extra.n)
        op->extra = tsr_attr_dict(p->ctx, st->extra.data, st->extra.n);
    for (uint32_t i = 0; i < st->nregion; i++)
        tsr_region_take(&op->regions[i], &st->regions[i]);
    for (size_t i = 0; i < st->succs.n; i++) {
        tsr_op_set_successor(op, i, st->succs.data[i]);
        op->nsuccin[i] = st->nsuccin.data[i];
    }
    return op;
}

/* ---- Generic form ---- */

static bool read_generic_operands(tsr_asm *a)
{
    TSR_TRY(tsr_read_expect(a->in, '(', "expected '(' to start operand list"));
    if (tsr_read_take(a->in, ')'))
        return true;
    if (tsr_read_is(a->in, TOK_PERCENT))
        do
            TSR_TRY(tsr_asm_operand(a, 0));
        while (tsr_read_take(a->in, ','));
    return tsr_read_expect(a->in, ')', "expected ')' to end operand list");
}

/* successors ::= '[' '^' name (',' '^' name)* ']' */
static bool read_generic_successors(tsr_asm *a)
{
    const tsr_opdef *def = a->st->def;
    if (!tsr_read_is(a->in, '['))
        return true;
    if (def->opcode != TSR_UNREGISTERED && !(def->traits & TSR_TRAIT(TERMINATOR)))
        return tsr_read_error(a->in, "successors in non-terminator");
    tsr_read_next(a->in);
    do
        TSR_TRY(tsr_asm_successor(a, 0));
    while (tsr_read_take(a->in, ','));
    return tsr_read_expect(a->in, ']', "expected ',' or ']'");
}

static bool bad_property(parser *p, const tsr_opstate *st, const tsr_attr *dict,
                         const tsr_named *bad)
{
    tsr_buf all = {0}, one = {0};
    p->ctx->print_attr(p->ctx, &all, dict);
    p->ctx->print_attr(p->ctx, &one, bad->value);
    tsr_error(p->ctx, st->loc,
              "invalid properties %.*s for op %.*s: Invalid attribute `%.*s` in property "
              "conversion: %.*s",
              (int)all.len, all.data, TSR_STR_ARG(st->def->name), TSR_STR_ARG(bad->name->str),
              (int)one.len, one.data);
    tsr_buf_free(&all);
    tsr_buf_free(&one);
    return false;
}

/* properties ::= '<' dictionary '>' */
static bool read_properties(parser *p, tsr_opstate *st)
{
    tsr_reader *r = &p->r;
    if (!tsr_read_take(r, '<'))
        return true;
    tsr_attr *dict = tsr_read_attr(r, NULL);
    TSR_TRY(dict != NULL && tsr_read_expect(r, '>', "expected '>' to close properties"));
    if (st->def->opcode == TSR_UNREGISTERED) {
        st->attrs[0] = dict;
        return true;
    }
    if (dict->kind != TSR_ATTR_DICT) {
        tsr_buf b = {0};
        p->ctx->print_attr(p->ctx, &b, dict);
        tsr_error(p->ctx, st->loc,
                  "invalid properties %.*s for op %.*s: expected DictionaryAttr to set properties",
                  (int)b.len, b.data, TSR_STR_ARG(st->def->name));
        tsr_buf_free(&b);
        return false;
    }
    for (uint32_t i = 0; i < dict->n; i++) {
        int slot = tsr_opdef_slot(st->def, dict->named[i].name->str);
        if (slot < 0 && tsr_str_is(dict->named[i].name->str, "operandSegmentSizes") &&
            tsr_dialect_open(p->ctx, tsr_opdef_dialect(st->def))) { /* older ops had destinations */
            tsr_vec_push(&st->extra, dict->named[i]);
            r->older = true;
            continue;
        }
        if (slot < 0 && tsr_property_is_gone(st->def, dict->named[i].name->str))
            continue;
        if (slot < 0)
            return tsr_error(p->ctx, st->loc, "'%.*s' op has no property '%.*s'",
                             TSR_STR_ARG(st->def->name), TSR_STR_ARG(dict->named[i].name->str));
        if (!tsr_attr_fits(st->def->slots[slot].constraint, dict->named[i].value))
            return bad_property(p, st, dict, &dict->named[i]);
        st->attrs[slot] = dict->named[i].value;
    }
    return true;
}

/* regions ::= '(' region (',' region)* ')' */
static bool read_generic_regions(parser *p, tsr_opstate *st)
{
    tsr_reader *r = &p->r;
    if (!tsr_read_take(r, '('))
        return true;
    do {
        tsr_region *region = tsr_opstate_add_region(st, p->m);
        TSR_TRY(parser_read_region(p, region, NULL));
    } while (tsr_read_take(r, ','));
    return tsr_read_expect(r, ')', "expected ')' to end region list");
}

static bool read_generic_attrs(parser *p, tsr_opstate *st)
{
    if (!tsr_read_is(&p->r, '{'))
        return true;
    tsr_named_vec v = {0};
    bool ok = tsr_read_dict(&p->r, &v);
    bool registered = st->def->opcode != TSR_UNREGISTERED;
    for (size_t i = 0; ok && i < v.n; i++) {
        int slot = registered ? tsr_opdef_slot(st->def, v.data[i].name->str) : -1;
        if (slot < 0)
            tsr_vec_push(&st->extra, v.data[i]);
        else if (st->attrs[slot] && st->attrs[slot] != v.data[i].value)
            ok = tsr_error(p->ctx, st->loc, "'%.*s' op has attribute '%.*s' twice",
                           TSR_STR_ARG(st->def->name), TSR_STR_ARG(v.data[i].name->str));
        else
            st->attrs[slot] = v.data[i].value;
    }
    tsr_vec_free(&v);
    return ok;
}

/* generic-op ::= string operands successors? properties? regions? dictionary? ':' function-type */
static bool read_generic(parser *p, tsr_opstate *st, tsr_asm *a)
{
    tsr_reader *r = &p->r;
    TSR_TRY(read_generic_operands(a) && read_generic_successors(a) && read_properties(p, st));
    for (int i = 0; i < st->def->nslot; i++)
        if (st->attrs[i])
            tsr_asm_done(a, i);
    /* Unlike a custom form, this one does not change the default dialect. */
    TSR_TRY(read_generic_regions(p, st) && read_generic_attrs(p, st));
    TSR_TRY(tsr_read_expect(r, ':', "expected ':' followed by operation type"));
    tsr_loc loc = tsr_read_loc(r);
    tsr_type *type = tsr_read_type(r);
    TSR_TRY(type != NULL);
    if (type->kind != TSR_TYPE_FUNCTION)
        return tsr_error(p->ctx, loc, "expected function type");
    if (type->n != st->operands.n)
        return tsr_error(p->ctx, loc, "expected %zu operand type%s but had %u", st->operands.n,
                         st->operands.n == 1 ? "" : "s", type->n);
    for (uint32_t i = 0; i < type->n; i++)
        tsr_vec_push(&st->operand_types, type->types[i]);
    for (uint32_t i = 0; i < type->nout; i++)
        tsr_vec_push(&st->result_types, type->types[type->n + i]);
    return true;
}

/* ---- Custom form ---- */

/* Names used in old files. */
static const char *const old_names[][2] = {{"func", "func.func"},
                                           {"call", "func.call"},
                                           {"return", "func.return"},
                                           {"module", "builtin.module"}};

static const tsr_opdef *find_with_prefix(parser *p, tsr_str prefix, tsr_str name)
{
    char full[128];
    if (prefix.len + name.len + 1 > sizeof full)
        return NULL;
    memcpy(full, prefix.data, prefix.len);
    full[prefix.len] = '.';
    memcpy(full + prefix.len + 1, name.data, name.len);
    return tsr_opdef_find(p->ctx, (tsr_str){full, prefix.len + 1 + name.len});
}

static const tsr_opdef *find_custom(parser *p, tsr_str name)
{
    bool dotted = memchr(name.data, '.', name.len) != NULL;
    const tsr_opdef *def = NULL;
    if (dotted)
        return tsr_opdef_find(p->ctx, name);
    if (p->default_dialect.len)
        def = find_with_prefix(p, p->default_dialect, name);
    for (size_t i = 0; !def && i < TSR_COUNT(old_names); i++)
        if (tsr_str_is(name, old_names[i][0]))
            def = tsr_opdef_find(p->ctx, tsr_cstr(old_names[i][1]));
    return def;
}

/* An op of an open dialect may have a plain form: name operands dictionary ':' types ('->' types)?. It prints in
 * generic form. */
static const tsr_opdef *find_open(parser *p, tsr_str name)
{
    const char *dot = memchr(name.data, '.', name.len);
    return dot && tsr_dialect_open(p->ctx, (tsr_str){name.data, (size_t)(dot - name.data)})
               ? tsr_opdef_get(p->ctx, name)
               : NULL;
}

static bool read_plain(parser *p, tsr_opstate *st, tsr_asm *a)
{
    tsr_reader *r = &p->r;
    TSR_TRY(tsr_asm_operands(a, 0, 0) && read_generic_attrs(p, st));
    if (!tsr_read_take(r, ':'))
        return true;
    tsr_type_vec types = {0};
    bool ok = true;
    if (tsr_read_is(r, '(')) {
        ok = tsr_asm_functional_type(a);
    } else {
        do {
            tsr_type *t = tsr_read_type(r);
            ok = t != NULL;
            if (ok)
                tsr_vec_push(&types, t);
        } while (ok && tsr_read_take(r, ','));
        bool arrow = ok && tsr_read_take(r, TOK_ARROW);
        for (size_t i = 0; ok && (arrow || st->operands.n) && i < types.n; i++)
            tsr_vec_push(&st->operand_types, types.data[i]);
        for (size_t i = 0; ok && !arrow && !st->operands.n && i < types.n; i++)
            tsr_vec_push(&st->result_types, types.data[i]);
        ok = ok && (!arrow || tsr_read_type_list(r, &st->result_types));
    }
    tsr_vec_free(&types);
    return ok;
}

static bool unknown_custom(parser *p, tsr_str name)
{
    const char *dot = memchr(name.data, '.', name.len);
    if (!dot && p->default_dialect.len)
        return tsr_read_error(&p->r, "custom op '%.*s' is unknown (tried '%.*s.%.*s' as well)",
                              TSR_STR_ARG(name), TSR_STR_ARG(p->default_dialect),
                              TSR_STR_ARG(name));
    if (dot && !tsr_dialect_known(p->ctx, (tsr_str){name.data, (size_t)(dot - name.data)}))
        return tsr_read_error(&p->r, "Dialect `%.*s' not found for custom op '%.*s'",
                              (int)(dot - name.data), name.data, TSR_STR_ARG(name));
    return tsr_read_error(&p->r, "custom op '%.*s' is unknown", TSR_STR_ARG(name));
}

static bool read_custom(parser *p, tsr_opstate *st, tsr_asm *a)
{
    const tsr_opdef *def = st->def;
    if (def->opcode == TSR_UNREGISTERED)
        return read_plain(p, st, a);
    if (!def->assembly && !def->format)
        return tsr_asm_error_at(a, st->loc, "has no custom assembly form");
    tsr_str outer = p->default_dialect;
    p->default_dialect =
        def->traits & TSR_TRAIT(DEFAULT_DIALECT) ? tsr_opdef_dialect(def) : (tsr_str){0};
    bool ok = def->assembly ? def->assembly(a) : tsr_asm_format(a, def);
    p->default_dialect = outer;
    const tsr_slotdef *bad = ok && def->format ? tsr_bad_attr(def, st->attrs, a->done) : NULL;
    if (bad)
        ok = tsr_asm_error_at(a, st->loc,
                              "'%.*s' op attribute '%s' failed to satisfy constraint: %s",
                              TSR_STR_ARG(def->name), bad->name, bad->constraint->summary);
    if (!ok)
        return false;
    while (st->nregion < def->nregion && def->regions[st->nregion].arity == TSR_ONE)
        tsr_opstate_add_region(st, p->m);
    complete_regions(p, st);
    return true;
}

/* ---- An op ---- */

static const tsr_opdef *read_generic_name(parser *p)
{
    tsr_str name;
    if (!tsr_read_unescape(&p->r, &name))
        return NULL;
    if (!name.len) {
        tsr_read_error(&p->r, "empty operation name is invalid");
        return NULL;
    }
    if (memchr(name.data, 0, name.len)) {
        tsr_read_error(&p->r, "null character not allowed in operation name");
        return NULL;
    }
    const tsr_opdef *def = tsr_opdef_get(p->ctx, name);
    tsr_str dialect = tsr_opdef_dialect(def);
    if (def->opcode == TSR_UNREGISTERED && !p->ctx->allow_unregistered &&
        !tsr_dialect_known(p->ctx, dialect)) {
        tsr_read_error(
            &p->r,
            "operation being parsed with an unregistered dialect. If this is intended, please use "
            "-allow-unregistered-dialect with the MLIR tool used");
        return NULL;
    }
    return def;
}

bool parser_read_op(parser *p, tsr_block *block)
{
    tsr_reader *r = &p->r;
    tsr_loc start = tsr_read_loc(r);
    result_names names;
    names.n = names.many.n = names.many.cap = 0;
    names.many.data = NULL;
    bool ok = !tsr_read_is(r, TOK_PERCENT) || read_result_names(p, &names);
    const tsr_opdef *def = NULL;
    tsr_loc loc = tsr_read_loc(r);
    bool generic = tsr_read_is(r, TOK_STRING);
    if (ok && generic) {
        def = read_generic_name(p);
    } else if (ok && tsr_read_is(r, TOK_WORD)) {
        def = find_custom(p, tsr_tok_text(r));
        if (!def)
            def = find_open(p, tsr_tok_text(r));
        if (!def)
            unknown_custom(p, tsr_tok_text(r));
    } else if (ok) {
        tsr_read_wrong(r, "expected operation name in quotes");
    }
    ok = def != NULL;
    if (ok) {
        tsr_read_next(r);
        tsr_opstate *st = push_state(p, def, loc);
        tsr_asm a = {.ctx = p->ctx, .module = p->m, .in = r, .st = st, .host = &parser_host};
        ok = generic ? read_generic(p, st, &a) : read_custom(p, st, &a);
        ok = ok && tsr_read_optional_loc(r, &st->loc);
        tsr_op *op = ok ? make_op(p, st) : NULL;
        p->nstate--;
        /* MLIR checks the attributes in the dictionary now, before it reads on; the verifier checks all of them. */
        const tsr_slotdef *bad = op && generic && def->opcode != TSR_UNREGISTERED
                                     ? tsr_bad_attr(def, op->attrs, a.done)
                                     : NULL;
        ok = op && (!bad || tsr_op_error(op, "attribute '%s' failed to satisfy constraint: %s",
                                         bad->name, bad->constraint->summary));
        if (ok) {
            tsr_op_insert(op, block, NULL);
            r->older |= tsr_op_may_be_older(op);
            ok = define_results(p, op, &names, start);
        }
    }
    tsr_vec_free(&names.many);
    return ok;
}

/* ---- Callbacks of assembly hooks ---- */

static parser *parser_of(const tsr_asm *a)
{
    return (parser *)a->in; /* the reader is the parser's first member */
}

static bool host_region(tsr_asm *a, tsr_region *region, const tsr_region_args *args, bool optional,
                        bool *present)
{
    parser *p = parser_of(a);
    if (optional) {
        *present = tsr_read_is(&p->r, '{');
        if (!*present)
            return true;
    }
    return parser_read_region(p, region, args);
}

static bool host_successor(tsr_asm *a, tsr_block **out)
{
    parser *p = parser_of(a);
    tsr_reader *r = &p->r;
    if (!tsr_read_is(r, TOK_CARET))
        return tsr_read_wrong(r, "expected block name");
    *out = parser_use_block(p, (tsr_str){r->tok.start + 1, r->tok.len - 1}, tsr_read_loc(r));
    tsr_read_next(r);
    return true;
}

static bool host_op(tsr_asm *a, tsr_block *into)
{
    return parser_read_op(parser_of(a), into);
}

const tsr_asm_host parser_host = {
    .read_region = host_region, .read_successor = host_successor, .read_op = host_op};
