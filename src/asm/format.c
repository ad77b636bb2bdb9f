/* SPDX-License-Identifier: Apache-2.0 */
/* format.c - regular assembly as data: the FORMAT column of a row, compiled once per context and then read or written.
 *
 *   $name          operand group, attribute, region or successor of the row
 *   type($name)    type or types of an operand or result group
 *   ftype          functional type of all operands and results
 *   same           one type if all operands and results have it, else a functional type
 *   operands       all operands
 *   dict           attribute dictionary; dict-keyword: after the word attributes
 *   ( ... )?       optional: present if its first $name is
 *   ~              no space here
 *   'x' or x       literal
 *
 * Spacing follows MLIR's declarative formats. */
#include <stdlib.h>

#include "base/char.h"
#include "asm/reader.h"
#include "asm/writer.h"

typedef enum {
    E_LITERAL,
    E_OPERANDS, /* one group */
    E_ALL_OPERANDS,
    E_ATTR,
    E_REGION,
    E_SUCC,
    E_OPERAND_TYPE,
    E_RESULT_TYPE,
    E_FUNCTIONAL,
    E_SAME,
    E_DICT,
    E_DICT_KEYWORD,
    E_GLUE,
    E_GROUP, /* index: number of elements inside */
} element_kind;

typedef struct {
    element_kind kind;
    int index;
    tsr_str text; /* E_LITERAL */
    int token;    /* E_LITERAL: its token kind in the lexer */
} element;

typedef struct {
    const tsr_opdef *def;
    element *elements;
    int n;
} program;

typedef struct {
    tsr_map map; /* program, by definition */
    tsr_arena arena;
} formats;

enum { MAX_ELEMENTS = 64, MAX_GROUPS = 16 };

/* ---- Compiling ---- */

static int find_group(const tsr_argdef *defs, int n, tsr_str name)
{
    for (int i = 0; i < n; i++)
        if (tsr_str_is(name, defs[i].name))
            return i;
    return -1;
}

static element thing(const tsr_opdef *def, tsr_str name, bool type)
{
    int i;
    if ((i = find_group(def->args, def->narg, name)) >= 0)
        return (element){.kind = type ? E_OPERAND_TYPE : E_OPERANDS, .index = i};
    if (type && (i = find_group(def->results, def->nresult, name)) >= 0)
        return (element){.kind = E_RESULT_TYPE, .index = i};
    if (!type && (i = find_group(def->regions, def->nregion, name)) >= 0)
        return (element){.kind = E_REGION, .index = i};
    if (!type && (i = find_group(def->succs, def->nsucc, name)) >= 0)
        return (element){.kind = E_SUCC, .index = i};
    if (!type && (i = tsr_opdef_slot(def, name)) >= 0)
        return (element){.kind = E_ATTR, .index = i};
    tsr_assert(false, "format of %.*s: no '%.*s'", TSR_STR_ARG(def->name), TSR_STR_ARG(name));
    return (element){0};
}

static bool word_char(char c)
{
    return tsr_is_alnum(c) || c == '_';
}

static tsr_str word_at(const char *p)
{
    const char *start = p;
    while (word_char(*p) || (*p == '-' && word_char(p[1])))
        p++;
    return (tsr_str){start, (size_t)(p - start)};
}

static element directive_or_word(const tsr_opdef *def, const char **p)
{
    static const struct {
        const char *word;
        element_kind kind;
    } words[] = {{"ftype", E_FUNCTIONAL},
                 {"same", E_SAME},
                 {"operands", E_ALL_OPERANDS},
                 {"dict", E_DICT},
                 {"dict-keyword", E_DICT_KEYWORD}};
    tsr_str w = word_at(*p);
    *p += w.len;
    for (size_t i = 0; i < TSR_COUNT(words); i++)
        if (tsr_str_is(w, words[i].word))
            return (element){.kind = words[i].kind};
    if (tsr_str_is(w, "type") && (*p)[0] == '(' && (*p)[1] == '$') {
        tsr_str name = word_at(*p + 2);
        *p += 3 + name.len;
        return thing(def, name, true);
    }
    return (element){.kind = E_LITERAL, .text = w};
}

static program *compile(formats *f, const tsr_opdef *def)
{
    element list[MAX_ELEMENTS];
    int n = 0, group = -1;
    for (const char *p = def->format; *p;) {
        tsr_assert(n < MAX_ELEMENTS, "format of %.*s is too long", TSR_STR_ARG(def->name));
        if (*p == ' ' || *p == '\n') {
            p++;
        } else if (*p == '$') {
            tsr_str name = word_at(p + 1);
            list[n++] = thing(def, name, false);
            p += 1 + name.len;
        } else if (*p == '(') {
            group = n;
            list[n++] = (element){.kind = E_GROUP};
            p++;
        } else if (p[0] == ')' && p[1] == '?') {
            list[group].index = n - group - 1;
            p += 2;
        } else if (*p == '~') {
            list[n++] = (element){.kind = E_GLUE};
            p++;
        } else if (*p == '\'') {
            const char *end = strchr(p + 1, '\'');
            list[n++] = (element){.kind = E_LITERAL, .text = {p + 1, (size_t)(end - p - 1)}};
            p = end + 1;
        } else if (word_char(*p)) {
            list[n++] = directive_or_word(def, &p);
        } else {
            size_t len = p[0] == '-' && p[1] == '>' ? 2 : 1;
            list[n++] = (element){.kind = E_LITERAL, .text = {p, len}};
            p += len;
        }
    }
    program *prog = TSR_NEW(&f->arena, program);
    prog->def = def;
    prog->n = n;
    prog->elements = tsr_arena_copy(&f->arena, list, sizeof(element) * (size_t)n);
    for (int i = 0; i < n; i++) {
        tsr_str s = list[i].text;
        if (list[i].kind == E_LITERAL)
            prog->elements[i].token = s.len == 1 && !word_char(s.data[0]) ? s.data[0]
                                      : tsr_str_is(s, "->")               ? TOK_ARROW
                                                                          : TOK_WORD;
    }
    return prog;
}

static void free_formats(tsr_ctx *ctx)
{
    formats *f = (formats *)ctx->formats;
    if (!f)
        return;
    tsr_map_free(&f->map);
    tsr_arena_free(&f->arena);
    tsr_free(f);
    ctx->formats = NULL;
}

static void keep_formats(const tsr_ctx *ctx)
{
    const formats *f = ctx->formats;
    tsr_keep(f);
    tsr_map_keep(&f->map);
    tsr_arena_keep(&f->arena);
}

static const program *program_of(tsr_ctx *ctx, const tsr_opdef *def)
{
    formats *f = (formats *)ctx->formats;
    if (!f) {
        f = tsr_xmalloc(sizeof *f);
        memset(f, 0, sizeof *f);
        tsr_arena_init(&f->arena);
        ctx->formats = f;
        ctx->free_formats = free_formats;
        ctx->keep_formats = keep_formats;
    }
    TSR_MAP_EACH (&f->map, tsr_hash_ptr(def), v) {
        program *p = v;
        if (p->def == def)
            return p;
    }
    program *p = compile(f, def);
    tsr_map_put(&f->map, tsr_hash_ptr(def), p);
    return p;
}

/* ---- Writing ---- */

typedef struct {
    tsr_asm *a;
    bool space;      /* the next element may want a space before it */
    bool punctuated; /* the last thing was punctuation */
} output;

static bool space_before(const output *o, tsr_str s)
{
    if (s.len != 1 && !tsr_str_is(s, "->"))
        return true;
    return !strchr(o->punctuated ? ">)}]," : "<>(){}[],", s.data[0]);
}

static void write_literal(output *o, tsr_str s)
{
    tsr_buf *out = o->a->out->out;
    if (o->space && space_before(o, s))
        tsr_buf_char(out, ' ');
    tsr_buf_str(out, s);
    o->space = s.len != 1 || !strchr("<({[", s.data[0]);
    o->punctuated = s.data[0] != '_' && !tsr_is_alpha(s.data[0]);
}

static void write_gap(output *o)
{
    if (o->space || !o->punctuated)
        tsr_buf_char(o->a->out->out, ' ');
    o->space = true;
    o->punctuated = false;
}

static bool is_there(const tsr_asm *a, const element *e)
{
    uint32_t start, n;
    switch (e->kind) {
    case E_ATTR: return a->op->attrs[e->index] && !tsr_op_attr_is_default(a->op, (size_t)e->index);
    case E_OPERANDS: return tsr_op_operand_group(a->op, (size_t)e->index, &start, &n) && n > 0;
    case E_REGION: return (uint32_t)e->index < a->op->nregion && a->op->regions[e->index].first;
    default: return false;
    }
}

/* An optional group is written if its first element is present. */
static bool group_present(const tsr_asm *a, const element *e, int n)
{
    for (int i = 0; i < n; i++)
        if (e[i].kind == E_ATTR || e[i].kind == E_OPERANDS || e[i].kind == E_REGION)
            return is_there(a, &e[i]);
    return false;
}

/* An element that stands behind a gap. */
static void write_spaced(tsr_asm *a, const element *e)
{
    uint32_t start = 0, n = 0;
    switch (e->kind) {
    case E_OPERANDS:
        if (tsr_op_operand_group(a->op, (size_t)e->index, &start, &n))
            (void)!tsr_asm_operands(a, start, start + n);
        break;
    case E_ALL_OPERANDS: (void)!tsr_asm_operands(a, 0, tsr_op_own_operands(a->op)); break;
    case E_REGION:
        (void)!tsr_asm_region(a, (size_t)e->index, NULL, TSR_REGION_ARGS | TSR_REGION_TERMINATORS);
        break;
    case E_SUCC: (void)!tsr_asm_successor(a, (size_t)e->index); break;
    case E_OPERAND_TYPE:
        if (tsr_op_operand_group(a->op, (size_t)e->index, &start, &n))
            (void)!tsr_asm_operand_types(a, start, start + n);
        break;
    case E_RESULT_TYPE:
        if (!tsr_op_result_group(a->op, (size_t)e->index, &start, &n))
            break;
        for (uint32_t i = 0; i < n; i++) {
            if (i)
                tsr_buf_str(a->out->out, TSR_STR(", "));
            tsr_write_type(a->out, a->op->out[start + i].type);
        }
        break;
    case E_FUNCTIONAL: (void)!tsr_asm_functional_type(a); break;
    case E_SAME: (void)!tsr_asm_same_type(a); break;
    default: break;
    }
}

static void write_element(output *o, const element *e)
{
    tsr_asm *a = o->a;
    switch (e->kind) {
    case E_LITERAL: write_literal(o, e->text); return;
    case E_GLUE:
        o->space = false;
        o->punctuated = true;
        return;
    case E_DICT:
        (void)!tsr_asm_dict(a);
        o->space = true;
        o->punctuated = false;
        return;
    case E_DICT_KEYWORD:
        (void)!tsr_asm_dict_keyword(a, NULL);
        o->space = true;
        o->punctuated = false;
        return;
    case E_ATTR:
        tsr_asm_done(a, e->index);
        if (a->op->def->slots[e->index].constraint->form == TSR_FORM_UNIT)
            return;
        write_gap(o);
        (void)!tsr_asm_slot(a, e->index);
        return;
    default: write_gap(o); write_spaced(a, e);
    }
}

/* Slots that the format shows are omitted from the dictionary, wherever that is. */
static void mark_slots(tsr_asm *a, const program *p)
{
    for (int i = 0; i < p->n; i++)
        if (p->elements[i].kind == E_ATTR)
            tsr_asm_done(a, p->elements[i].index);
}

static void write_format(tsr_asm *a, const program *p)
{
    output o = {.a = a, .space = true};
    mark_slots(a, p);
    for (int i = 0; i < p->n; i++) {
        const element *e = &p->elements[i];
        if (e->kind != E_GROUP)
            write_element(&o, e);
        else if (!group_present(a, e + 1, e->index))
            i += e->index;
    }
}

/* ---- Reading ---- */

typedef struct {
    tsr_asm *a;
    uint32_t operands[MAX_GROUPS]; /* sizes of operand groups */
    tsr_type_vec operand_types[MAX_GROUPS], result_types[MAX_GROUPS];
    bool whole; /* all types were read at once */
} input;

static bool read_types(tsr_asm *a, tsr_arity arity, tsr_type_vec *out)
{
    /* A list of types may be empty: then the next token does not start a type. */
    if (arity != TSR_ONE) {
        int k = a->in->tok.kind;
        if (k != TOK_WORD && k != TOK_BANG && k != '(')
            return true;
    }
    do {
        tsr_type *t = tsr_read_type(a->in);
        if (!t)
            return false;
        tsr_vec_push(out, t);
    } while (arity == TSR_VARIADIC && tsr_read_take(a->in, ','));
    return true;
}

static bool at_literal(const tsr_asm *a, const element *e)
{
    return tsr_read_is(a->in, e->token) &&
           (e->token != TOK_WORD || tsr_str_eq(tsr_tok_text(a->in), e->text));
}

static bool read_element(input *in, const element *e)
{
    tsr_asm *a = in->a;
    const tsr_opdef *def = a->st->def;
    size_t before = a->st->operands.n;
    bool ok = true;
    switch (e->kind) {
    case E_LITERAL:
        if (!at_literal(a, e))
            return tsr_asm_missing(a, e->token == TOK_WORD, e->text);
        tsr_read_next(a->in);
        return true;
    case E_OPERANDS:
        if (def->args[e->index].arity == TSR_ONE)
            ok = tsr_asm_operand(a, 0);
        else if (tsr_read_is(a->in, TOK_PERCENT))
            ok = def->args[e->index].arity == TSR_OPTIONAL ? tsr_asm_operand(a, 0)
                                                           : tsr_asm_operands(a, 0, 0);
        in->operands[e->index] = (uint32_t)(a->st->operands.n - before);
        return ok;
    case E_ALL_OPERANDS: return tsr_asm_operands(a, 0, 0);
    case E_ATTR: return tsr_asm_slot(a, e->index);
    case E_REGION: return tsr_asm_region(a, (size_t)e->index, NULL, 0);
    case E_SUCC: return tsr_asm_successor(a, (size_t)e->index);
    case E_OPERAND_TYPE:
        return read_types(a, def->args[e->index].arity, &in->operand_types[e->index]);
    case E_RESULT_TYPE:
        return read_types(a, def->results[e->index].arity, &in->result_types[e->index]);
    case E_FUNCTIONAL: in->whole = true; return tsr_asm_functional_type(a);
    case E_SAME: in->whole = true; return tsr_asm_same_type(a);
    case E_DICT: return tsr_asm_dict(a);
    case E_DICT_KEYWORD: return tsr_asm_dict_keyword(a, NULL);
    case E_GLUE:
    case E_GROUP: break;
    }
    return true;
}

static bool group_follows(tsr_asm *a, const element *e)
{
    switch (e->kind) {
    case E_LITERAL: return at_literal(a, e);
    case E_OPERANDS: return tsr_read_is(a->in, TOK_PERCENT);
    case E_REGION: return tsr_read_is(a->in, '{');
    default: return false;
    }
}

/* The type of a group that the text does not give: the one type of the op, or the only one that the constraint
 * allows. */
static tsr_type *implied_type(tsr_asm *a, const tsr_constraint *c, tsr_type *one)
{
    if (a->st->def->traits & (TSR_TRAIT(SAME_TYPE) | TSR_TRAIT(SAME_OPERANDS_TYPE)))
        return one;
    if (strcmp(c->id, "Index") == 0)
        return a->ctx->index;
    if (strcmp(c->id, "I1") == 0)
        return a->ctx->i1;
    return one;
}

static bool types_mismatch(tsr_asm *a, uint32_t nin, size_t ntype)
{
    return tsr_asm_error_at(
        a, a->st->loc, "number of operands and types do not match: got %u operands and %zu types",
        nin, ntype);
}

static bool gather_types(input *in)
{
    tsr_opstate *st = in->a->st;
    const tsr_opdef *def = st->def;
    tsr_type *one = NULL;
    for (int i = 0; i < def->nresult && !one; i++)
        one = in->result_types[i].n ? in->result_types[i].data[0] : NULL;
    for (int i = 0; i < def->narg && !one; i++)
        one = in->operand_types[i].n ? in->operand_types[i].data[0] : NULL;
    for (int i = 0; i < def->narg; i++) {
        const tsr_type_vec *types = &in->operand_types[i];
        for (uint32_t k = 0; k < in->operands[i]; k++) {
            tsr_type *t = k < types->n ? types->data[k]
                          : types->n   ? NULL
                                       : implied_type(in->a, def->args[i].constraint, one);
            if (!t)
                return types_mismatch(in->a, in->operands[i], types->n);
            tsr_vec_push(&st->operand_types, t);
        }
        if (types->n > in->operands[i])
            return types_mismatch(in->a, in->operands[i], types->n);
    }
    for (int i = 0; i < def->nresult; i++) {
        const tsr_type_vec *types = &in->result_types[i];
        for (size_t k = 0; k < types->n; k++)
            tsr_vec_push(&st->result_types, types->data[k]);
        if (!types->n && def->results[i].arity == TSR_ONE) {
            tsr_type *t = implied_type(in->a, def->results[i].constraint, one);
            if (t)
                tsr_vec_push(&st->result_types, t);
        }
    }
    return true;
}

/* Sizes of operand groups, for rows that keep them in an attribute. */
static void set_segments(input *in)
{
    const tsr_opdef *def = in->a->st->def;
    int slot = def->traits & TSR_TRAIT(SEGMENTED_OPERANDS)
                   ? tsr_opdef_slot(def, TSR_STR("operandSegmentSizes"))
                   : -1;
    if (slot < 0)
        return;
    int32_t sizes[MAX_GROUPS];
    for (int i = 0; i < def->narg; i++)
        sizes[i] = (int32_t)in->operands[i];
    in->a->st->attrs[slot] = tsr_attr_dense_array(in->a->ctx, in->a->ctx->i32, sizes, def->narg);
}

static bool read_format(tsr_asm *a, const program *p)
{
    const tsr_opdef *def = a->st->def;
    input in;
    bool ok = true;
    tsr_assert(def->narg <= MAX_GROUPS && def->nresult <= MAX_GROUPS, "too many groups");
    /* Clears only what the row has: most rows have a group or two. */
    in.a = a;
    in.whole = false;
    memset(in.operands, 0, def->narg * sizeof in.operands[0]);
    memset(in.operand_types, 0, def->narg * sizeof in.operand_types[0]);
    memset(in.result_types, 0, def->nresult * sizeof in.result_types[0]);
    for (int i = 0; ok && i < p->n; i++) {
        const element *e = &p->elements[i];
        if (e->kind != E_GROUP)
            ok = read_element(&in, e);
        else if (!group_follows(a, e + 1))
            i += e->index;
    }
    if (ok && !in.whole)
        ok = gather_types(&in);
    if (ok)
        set_segments(&in);
    for (int i = 0; !in.whole && i < def->narg; i++)
        tsr_vec_free(&in.operand_types[i]);
    for (int i = 0; !in.whole && i < def->nresult; i++)
        tsr_vec_free(&in.result_types[i]);
    return ok;
}

bool tsr_asm_format(tsr_asm *a, const tsr_opdef *def)
{
    const program *p = program_of(a->ctx, def);
    if (a->in)
        return read_format(a, p);
    write_format(a, p);
    return true;
}
