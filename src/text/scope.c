/* SPDX-License-Identifier: Apache-2.0 */
/* scope.c - names of values and blocks while a module is read. */
#include <stdlib.h>

#include "text/parser.h"

enum { NOT_A_NUMBER = UINT32_MAX };

/* The number in a name that the printer generates: %0, %12; most names are of this form. */
static uint32_t number_of(tsr_str name)
{
    uint32_t v = 0;
    if (name.len > 8 || (name.len > 1 && name.data[0] == '0'))
        return NOT_A_NUMBER;
    for (size_t i = 0; i < name.len; i++) {
        uint32_t d = (uint32_t)(unsigned char)name.data[i] - '0';
        if (d > 9)
            return NOT_A_NUMBER;
        v = v * 10 + d;
    }
    return v;
}

static value_name *find_value(const parser *p, tsr_str name)
{
    uint32_t number = number_of(name);
    if (number < p->numbered.n && p->numbered.data[number])
        return p->numbered.data[number];
    if (number < p->most_numbers)
        return NULL;
    TSR_MAP_EACH (&p->names, tsr_hash_str(name), v) {
        value_name *n = v;
        if (tsr_str_eq(n->name, name))
            return n;
    }
    return NULL;
}

static value_name *add_value(parser *p, tsr_str name, tsr_loc loc)
{
    value_name *n = TSR_NEW(&p->r.scratch, value_name);
    n->name = name;
    n->loc = loc;
    uint32_t number = number_of(name);
    if (number >= p->most_numbers) {
        tsr_map_put(&p->names, tsr_hash_str(name), n);
        return n;
    }
    while (p->numbered.n <= number)
        tsr_vec_push(&p->numbered, NULL);
    p->numbered.data[number] = n;
    tsr_vec_push(&p->order, n);
    return n;
}

static void type_text(tsr_buf *b, parser *p, const tsr_type *t)
{
    p->ctx->print_type(b, t);
}

/* Reports that use and definition disagree about the type. */
static bool type_mismatch(parser *p, tsr_loc loc, tsr_loc other, const tsr_type *t,
                          const tsr_type *had, tsr_str name)
{
    tsr_buf a = {0}, b = {0};
    type_text(&a, p, t);
    type_text(&b, p, had);
    tsr_error(p->ctx, loc,
              "use of value '%%%.*s' expects different type than prior uses: '%.*s' vs '%.*s'",
              TSR_STR_ARG(name), (int)a.len, a.data, (int)b.len, b.data);
    tsr_note(p->ctx, other, "prior use here");
    tsr_buf_free(&a);
    tsr_buf_free(&b);
    return false;
}

tsr_value *parser_use_value(parser *p, const tsr_operand_ref *ref, tsr_type *type)
{
    value_name *n = find_value(p, ref->name);
    if (TSR_LIKELY(n && n->first)) {
        if (ref->number >= n->count) {
            tsr_error(p->ctx, ref->loc, "reference to invalid result number");
            return NULL;
        }
        /* Block arguments are single values; results of one op are contiguous. */
        tsr_value *v = n->first + ref->number;
        if (TSR_UNLIKELY(v->type != type)) {
            type_mismatch(p, ref->loc, n->loc, type, v->type, ref->name);
            return NULL;
        }
        return v;
    }
    if (!n)
        n = add_value(p, ref->name, ref->loc);
    forward_ref *f = n->forward;
    while (f && f->number != ref->number)
        f = f->next;
    if (!f) {
        f = TSR_NEW(&p->r.scratch, forward_ref);
        f->number = ref->number;
        f->loc = ref->loc;
        f->value.type = type;
        f->next = n->forward;
        n->forward = f;
    }
    if (f->value.type != type) {
        type_mismatch(p, ref->loc, f->loc, type, f->value.type, ref->name);
        return NULL;
    }
    return &f->value;
}

static bool resolve_forward(parser *p, value_name *n)
{
    for (forward_ref *f = n->forward; f; f = f->next) {
        if (f->number >= n->count)
            return tsr_error(p->ctx, f->loc, "use of undeclared SSA value name");
        tsr_value *v = n->first + f->number;
        if (v->type != f->value.type) {
            tsr_buf b = {0};
            type_text(&b, p, v->type);
            tsr_error(p->ctx, n->loc, "definition of SSA value '%%%.*s#%u' has type '%.*s'",
                      TSR_STR_ARG(n->name), f->number, (int)b.len, b.data);
            b.len = 0;
            type_text(&b, p, f->value.type);
            tsr_note(p->ctx, f->loc, "previously used here with type '%.*s'", (int)b.len, b.data);
            tsr_buf_free(&b);
            return false;
        }
        tsr_value_replace(&f->value, v);
    }
    n->forward = NULL;
    return true;
}

bool parser_define_values(parser *p, tsr_str name, tsr_value *first, uint32_t count, tsr_loc loc)
{
    value_name *n = find_value(p, name);
    if (n && n->first) {
        tsr_error(p->ctx, loc, "redefinition of SSA value '%%%.*s'", TSR_STR_ARG(name));
        tsr_note(p->ctx, n->loc, "previously defined here");
        return false;
    }
    if (!n)
        n = add_value(p, name, loc);
    n->first = first;
    n->count = count;
    n->loc = loc;
    return !n->forward || resolve_forward(p, n);
}

bool parser_define_entry_arg(parser *p, tsr_str name, tsr_value *arg, tsr_loc loc)
{
    const value_name *n = find_value(p, name);
    if (!n)
        return parser_define_values(p, name, arg, 1, loc);
    tsr_error(p->ctx, loc, "region entry argument '%%%.*s' is already in use", TSR_STR_ARG(name));
    tsr_note(p->ctx, n->loc, "previously referenced here");
    return false;
}

scope_mark parser_enter_scope(const parser *p)
{
    return (scope_mark){p->names.n, p->order.n};
}

void parser_leave_scope(parser *p, scope_mark mark)
{
    TSR_VEC(value_name *) waiting = {0};
    for (uint32_t i = mark.names; i < p->names.n; i++) {
        value_name *n = p->names.entries[i].value;
        if (!n->first)
            tsr_vec_push(&waiting, n);
    }
    tsr_map_truncate(&p->names, mark.names);
    for (size_t i = 0; i < waiting.n; i++)
        tsr_map_put(&p->names, tsr_hash_str(waiting.data[i]->name), waiting.data[i]);
    tsr_vec_free(&waiting);
    size_t kept = mark.numbered;
    for (size_t i = mark.numbered; i < p->order.n; i++) {
        value_name *n = p->order.data[i];
        if (n->first)
            p->numbered.data[number_of(n->name)] = NULL;
        else
            p->order.data[kept++] = n;
    }
    p->order.n = kept;
}

static bool check_defined(parser *p, const value_name *n)
{
    return n->first || tsr_error(p->ctx, n->loc, "use of undeclared SSA value name");
}

bool parser_check_defined(parser *p)
{
    bool ok = true;
    uint32_t most = p->ctx->nerror + MOST_ERRORS;
    for (uint32_t i = 0; i < p->names.n && p->ctx->nerror < most; i++)
        ok = check_defined(p, p->names.entries[i].value) && ok;
    for (size_t i = 0; i < p->order.n && p->ctx->nerror < most; i++)
        ok = check_defined(p, p->order.data[i]) && ok;
    return ok;
}

static block_name *find_block(parser *p, tsr_str name, tsr_loc loc)
{
    uint64_t hash = tsr_hash_str(name);
    TSR_MAP_EACH (&p->blocks, hash, v) {
        block_name *b = v;
        if (tsr_str_eq(b->name, name))
            return b;
    }
    block_name *b = TSR_NEW(&p->r.scratch, block_name);
    b->name = name;
    b->loc = loc;
    b->block = tsr_block_new(p->m);
    tsr_map_put(&p->blocks, hash, b);
    return b;
}

tsr_block *parser_use_block(parser *p, tsr_str name, tsr_loc loc)
{
    return find_block(p, name, loc)->block;
}

tsr_block *parser_define_block(parser *p, tsr_str name, tsr_loc loc)
{
    block_name *b = find_block(p, name, loc);
    if (b->defined) {
        tsr_error(p->ctx, loc, "redefinition of block '^%.*s'", TSR_STR_ARG(name));
        return NULL;
    }
    b->defined = true;
    b->loc = loc;
    return b->block;
}
