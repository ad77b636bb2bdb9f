/* SPDX-License-Identifier: Apache-2.0 */
/* op_steps.c - the steps of two-way assembly for an op's operands, attributes, types, regions and successors. */
#include <stdlib.h>

#include "asm/reader.h"
#include "asm/writer.h"

/* ---- Attributes ---- */

tsr_attr **tsr_asm_slot_place(tsr_asm *a, int slot)
{
    return a->out ? &a->op->attrs[slot] : &a->st->attrs[slot];
}

void tsr_asm_done(tsr_asm *a, int slot)
{
    a->done |= (uint64_t)1 << slot;
}

static const tsr_opdef *def_of(const tsr_asm *a)
{
    return a->out ? a->op->def : a->st->def;
}

bool tsr_asm_slot(tsr_asm *a, int slot)
{
    tsr_asm_done(a, slot);
    return tsr_asm_form(a, def_of(a)->slots[slot].constraint, tsr_asm_slot_place(a, slot));
}

static bool in_list(const char *const *names, tsr_str name)
{
    for (; names && *names; names++)
        if (tsr_str_is(name, *names))
            return true;
    return false;
}

/* Attributes that the custom form does not show, sorted by name; the caller frees. */
static void rest_of_attrs(tsr_asm *a, const char *const *elided, tsr_named_vec *out)
{
    const tsr_op *op = a->op;
    if (!op->extra) { /* the common case: no discardable attributes, and often every inherent one was shown */
        bool any = false;
        for (uint32_t i = 0; i < op->def->nslot && !any; i++)
            any = op->attrs[i] && !(a->done >> i & 1);
        if (!any)
            return;
    }
    tsr_op_all_attrs(op, out);
    size_t n = 0;
    for (size_t i = 0; i < out->n; i++) {
        tsr_str name = out->data[i].name->str;
        int slot = tsr_opdef_slot(op->def, name);
        if (slot >= 0 && (a->done >> slot & 1) && op->attrs[slot] == out->data[i].value)
            continue;
        if (slot >= 0 && tsr_op_attr_is_default(op, (size_t)slot))
            continue;
        if (in_list(elided, name) || tsr_str_is(name, "operandSegmentSizes") ||
            tsr_str_is(name, "resultSegmentSizes"))
            continue;
        out->data[n++] = out->data[i];
    }
    out->n = n;
}

/* Moves the entries of a dictionary to their slots or to the discardable attributes. */
static bool take_attrs(tsr_asm *a, const tsr_named_vec *v, tsr_loc loc)
{
    for (size_t i = 0; i < v->n; i++) {
        int slot = tsr_opdef_slot(a->st->def, v->data[i].name->str);
        if (slot < 0) {
            tsr_vec_push(&a->st->extra, v->data[i]);
            continue;
        }
        if (a->st->attrs[slot])
            return tsr_error(a->ctx, loc,
                             "attribute '%.*s' occurs more than once in the attribute list",
                             TSR_STR_ARG(v->data[i].name->str));
        a->st->attrs[slot] = v->data[i].value;
    }
    return true;
}

static bool dict(tsr_asm *a, const char *lead, const char *const *elided)
{
    tsr_named_vec v = {0};
    bool ok = true;
    if (a->out) {
        rest_of_attrs(a, elided, &v);
        if (v.n) {
            tsr_buf_cstr(a->out->out, lead);
            tsr_buf_char(a->out->out, '{');
            tsr_write_dict_entries(a->out, v.data, v.n);
            tsr_buf_char(a->out->out, '}');
        }
    } else if (tsr_read_is(a->in, '{')) {
        tsr_loc loc = tsr_asm_loc(a);
        ok = tsr_read_dict(a->in, &v) && take_attrs(a, &v, loc);
    }
    tsr_vec_free(&v);
    return ok;
}

bool tsr_asm_dict(tsr_asm *a)
{
    return dict(a, " ", NULL);
}

bool tsr_asm_dict_keyword(tsr_asm *a, const char *const *elided)
{
    if (a->in) {
        if (!tsr_read_take_word(a->in, "attributes"))
            return true;
        if (!tsr_read_is(a->in, '{'))
            return tsr_read_wrong(a->in, "expected '{' in attribute dictionary");
    }
    return dict(a, " attributes ", elided);
}

/* ---- Operands ---- */

/* operand ::= '%' name ('#' number)? */
static bool read_operand(tsr_asm *a)
{
    tsr_reader *r = a->in;
    if (!tsr_read_is(r, TOK_PERCENT))
        return tsr_read_wrong(r, "expected SSA operand");
    tsr_operand_ref ref = {.name = {r->tok.start + 1, r->tok.len - 1}, .loc = tsr_read_loc(r)};
    bool adjacent = *r->p == '#';
    tsr_read_next(r);
    if (adjacent && tsr_read_is(r, TOK_HASH)) {
        uint64_t n;
        tsr_str s = {r->tok.start + 1, r->tok.len - 1};
        for (size_t i = 0; i < s.len; i++)
            if (s.data[i] < '0' || s.data[i] > '9')
                return tsr_read_error(r, "invalid SSA value result number");
        if (!tsr_tok_uint(s, &n) || n > UINT32_MAX)
            return tsr_read_error(r, "invalid SSA value result number");
        ref.number = (uint32_t)n;
        tsr_read_next(r);
    }
    tsr_vec_push(&a->st->operands, ref);
    return true;
}

bool tsr_asm_operand(tsr_asm *a, size_t i)
{
    if (!a->out)
        return read_operand(a);
    a->host->write_value(a, i < a->op->nin ? a->op->in[i].value : NULL);
    return true;
}

bool tsr_asm_operands(tsr_asm *a, size_t from, size_t to)
{
    if (a->out) {
        for (size_t i = from; i < to && i < a->op->nin; i++) {
            if (i > from)
                tsr_buf_str(a->out->out, TSR_STR(", "));
            a->host->write_value(a, a->op->in[i].value);
        }
        return true;
    }
    if (!tsr_read_is(a->in, TOK_PERCENT))
        return true;
    do
        TSR_TRY(read_operand(a));
    while (tsr_read_take(a->in, ','));
    return true;
}

/* ---- Types ---- */

static bool read_type_into(tsr_asm *a, tsr_type_vec *out)
{
    tsr_type *t = tsr_read_type(a->in);
    if (t)
        tsr_vec_push(out, t);
    return t != NULL;
}

bool tsr_asm_operand_type(tsr_asm *a, size_t i)
{
    if (a->in)
        return read_type_into(a, &a->st->operand_types);
    tsr_write_type(a->out, i < a->op->nin ? a->op->in[i].value->type : NULL);
    return true;
}

bool tsr_asm_result_type(tsr_asm *a, size_t i)
{
    if (a->in)
        return read_type_into(a, &a->st->result_types);
    tsr_write_type(a->out, i < a->op->nout ? a->op->out[i].type : NULL);
    return true;
}

static bool read_types_into(tsr_asm *a, tsr_type_vec *out)
{
    do
        TSR_TRY(read_type_into(a, out));
    while (tsr_read_take(a->in, ','));
    return true;
}

bool tsr_asm_operand_types(tsr_asm *a, size_t from, size_t to)
{
    if (a->in)
        return read_types_into(a, &a->st->operand_types);
    for (size_t i = from; i < to && i < a->op->nin; i++) {
        if (i > from)
            tsr_buf_str(a->out->out, TSR_STR(", "));
        tsr_write_type(a->out, a->op->in[i].value->type);
    }
    return true;
}

bool tsr_asm_result_types(tsr_asm *a)
{
    if (a->in)
        return read_types_into(a, &a->st->result_types);
    for (uint32_t i = 0; i < a->op->nout; i++) {
        if (i)
            tsr_buf_str(a->out->out, TSR_STR(", "));
        tsr_write_type(a->out, a->op->out[i].type);
    }
    return true;
}

static void write_results(tsr_asm *a)
{
    tsr_buf *out = a->out->out;
    bool parens = a->op->nout != 1 || a->op->out[0].type->kind == TSR_TYPE_FUNCTION;
    if (parens)
        tsr_buf_char(out, '(');
    (void)!tsr_asm_result_types(a);
    if (parens)
        tsr_buf_char(out, ')');
}

bool tsr_asm_functional_type(tsr_asm *a)
{
    if (a->in)
        return tsr_read_type_list_parens(a->in, &a->st->operand_types) &&
               tsr_read_expect(a->in, TOK_ARROW, "expected '->' in function type") &&
               tsr_read_type_list(a->in, &a->st->result_types);
    tsr_buf_char(a->out->out, '(');
    (void)!tsr_asm_operand_types(a, 0, tsr_op_own_operands(a->op));
    tsr_buf_str(a->out->out, TSR_STR(") -> "));
    write_results(a);
    return true;
}

bool tsr_asm_arrow_types(tsr_asm *a)
{
    if (a->in)
        return !tsr_read_take(a->in, TOK_ARROW) || tsr_read_type_list(a->in, &a->st->result_types);
    if (a->op->nout) {
        tsr_buf_str(a->out->out, TSR_STR(" -> "));
        write_results(a);
    }
    return true;
}

bool tsr_asm_same_type(tsr_asm *a)
{
    if (a->out) {
        tsr_type *t = a->op->nout  ? a->op->out[0].type
                      : a->op->nin ? a->op->in[0].value->type
                                   : NULL;
        bool same = t != NULL;
        for (uint32_t i = 0; i < a->op->nin; i++)
            same = same && a->op->in[i].value->type == t;
        for (uint32_t i = 0; i < a->op->nout; i++)
            same = same && a->op->out[i].type == t;
        if (!same)
            return tsr_asm_functional_type(a);
        tsr_write_type(a->out, t);
        return true;
    }
    tsr_loc loc = tsr_asm_loc(a);
    tsr_type *t = tsr_read_type(a->in);
    TSR_TRY(t != NULL);
    if (t->kind == TSR_TYPE_FUNCTION) {
        if (t->n != a->st->operands.n)
            return tsr_asm_error_at(a, loc, "%zu operands present, but expected %u",
                                    a->st->operands.n, t->n);
        if (t->nout != 1)
            return tsr_asm_error_at(a, loc, "expected single output");
        for (uint32_t i = 0; i < t->n; i++)
            tsr_vec_push(&a->st->operand_types, t->types[i]);
        for (uint32_t i = 0; i < t->nout; i++)
            tsr_vec_push(&a->st->result_types, t->types[t->n + i]);
        return true;
    }
    for (size_t i = 0; i < a->st->operands.n; i++)
        tsr_vec_push(&a->st->operand_types, t);
    for (uint32_t i = 0; i < a->st->def->nresult; i++)
        tsr_vec_push(&a->st->result_types, t);
    return true;
}

/* ---- Regions and successors ---- */

bool tsr_asm_region(tsr_asm *a, size_t i, const tsr_region_args *args, int flags)
{
    if (a->in) {
        while (a->st->nregion <= i)
            tsr_opstate_add_region(a->st, a->module);
        return a->host->read_region(a, &a->st->regions[i], args, false, NULL);
    }
    if (i < a->op->nregion)
        a->host->write_region(a, &a->op->regions[i], flags & TSR_REGION_ARGS,
                              flags & TSR_REGION_TERMINATORS, flags & TSR_REGION_EMPTY_BLOCK);
    return true;
}

bool tsr_asm_optional_region(tsr_asm *a, size_t i, const tsr_region_args *args, int flags,
                             bool *present)
{
    if (a->in) {
        *present = tsr_read_is(a->in, '{');
        return !*present || tsr_asm_region(a, i, args, flags);
    }
    *present = i < a->op->nregion && a->op->regions[i].first;
    return !*present || tsr_asm_region(a, i, args, flags);
}

static tsr_value *entry_arg(const tsr_asm *a, size_t r, size_t i)
{
    const tsr_block *b = r < a->op->nregion ? a->op->regions[r].first : NULL;
    return b && i < b->nargs ? b->args[i] : NULL;
}

bool tsr_asm_region_arg_name(tsr_asm *a, size_t r, size_t i, tsr_region_args *args)
{
    if (a->out) {
        a->host->write_value(a, entry_arg(a, r, i));
        return true;
    }
    if (!tsr_read_is(a->in, TOK_PERCENT))
        return tsr_read_wrong(a->in, "expected SSA operand");
    tsr_region_arg arg = {.name = {a->in->tok.start + 1, a->in->tok.len - 1},
                          .loc = tsr_read_loc(a->in)};
    tsr_read_next(a->in);
    tsr_vec_push(args, arg);
    return true;
}

bool tsr_asm_region_arg(tsr_asm *a, size_t r, size_t i, tsr_region_args *args)
{
    TSR_TRY(tsr_asm_region_arg_name(a, r, i, args) && tsr_asm_lit(a, ": "));
    if (a->in) {
        tsr_region_arg *arg = &args->data[args->n - 1];
        arg->type = tsr_read_type(a->in);
        return arg->type != NULL && tsr_read_optional_loc(a->in, &arg->loc);
    }
    tsr_value *v = entry_arg(a, r, i);
    tsr_write_type(a->out, v ? v->type : NULL);
    if (v && a->out->opt.debug_info) {
        tsr_buf_char(a->out->out, ' ');
        tsr_write_arg_loc(a->out, v->block->arg_locs[v->index]);
    }
    return true;
}

typedef struct {
    size_t region;
    tsr_region_args *args;
} assignment;

static bool one_assignment(tsr_asm *a, void *user, size_t i)
{
    assignment *s = user;
    return tsr_asm_region_arg_name(a, s->region, i, s->args) && tsr_asm_lit(a, " = ") &&
           tsr_asm_operand(a, i);
}

bool tsr_asm_assignments(tsr_asm *a, size_t r, tsr_region_args *args)
{
    assignment s = {r, args};
    size_t n = a->out ? a->op->nin : 0;
    return tsr_asm_list(a, "(", ")", &n, one_assignment, &s);
}

bool tsr_asm_successor(tsr_asm *a, size_t i)
{
    if (a->out) {
        if (i < a->op->nsucc)
            a->host->write_block(a, a->op->succ[i]);
        return true;
    }
    tsr_block *b;
    TSR_TRY(a->host->read_successor(a, &b));
    tsr_vec_push(&a->st->succs, b);
    tsr_vec_push(&a->st->nsuccin, 0);
    return true;
}

/* ---- The state of an op while it is read ---- */

tsr_region *tsr_opstate_add_region(tsr_opstate *st, tsr_module *m)
{
    if (st->nregion == st->cap_region) {
        uint32_t cap = st->cap_region ? st->cap_region * 2 : 4;
        tsr_region *grown = TSR_NEW_ARRAY(&m->arena, tsr_region, cap);
        for (uint32_t i = 0; i < st->nregion; i++) {
            grown[i].op = NULL;
            tsr_region_take(&grown[i], &st->regions[i]);
        }
        st->regions = grown;
        st->cap_region = cap;
    }
    return &st->regions[st->nregion++];
}
