/* SPDX-License-Identifier: Apache-2.0 */
/* parse_region.c - regions and blocks. */
#include <stdlib.h>

#include "text/parser.h"

/* block-argument ::= '%' name ':' type loc? */
static bool read_block_arg(parser *p, tsr_block *block)
{
    tsr_reader *r = &p->r;
    if (!tsr_read_is(r, TOK_PERCENT))
        return tsr_read_wrong(r, "expected SSA operand");
    tsr_str name = {r->tok.start + 1, r->tok.len - 1};
    tsr_loc at = tsr_read_loc(r), loc = at;
    tsr_read_next(r);
    TSR_TRY(tsr_read_expect(r, ':', "expected ':' and type for SSA operand"));
    tsr_type *type = tsr_read_type(r);
    TSR_TRY(type != NULL && tsr_read_optional_loc(r, &loc));
    tsr_value *v = tsr_block_add_arg(p->m, block, type, loc);
    return parser_define_values(p, name, v, 1, at);
}

bool parser_read_block_body(parser *p, tsr_block *block, bool (*done)(parser *p))
{
    while (!done(p))
        TSR_TRY(parser_read_op(p, block));
    return true;
}

static bool block_ends(parser *p)
{
    return tsr_read_is(&p->r, '}') || tsr_read_is(&p->r, TOK_CARET);
}

/* block ::= '^' name ('(' arguments ')')? ':' op* */
static bool read_labelled_block(parser *p, tsr_region *region)
{
    tsr_reader *r = &p->r;
    tsr_str name = {r->tok.start + 1, r->tok.len - 1};
    tsr_block *block = parser_define_block(p, name, tsr_read_loc(r));
    TSR_TRY(block != NULL);
    tsr_read_next(r);
    tsr_block_insert(block, region, NULL);
    if (tsr_read_take(r, '(') && !tsr_read_take(r, ')')) {
        do
            TSR_TRY(read_block_arg(p, block));
        while (tsr_read_take(r, ','));
        TSR_TRY(tsr_read_expect(r, ')', "expected ')'"));
    }
    TSR_TRY(tsr_read_expect(r, ':', "expected ':' after block name"));
    return parser_read_block_body(p, block, block_ends);
}

static bool read_entry_args(parser *p, tsr_block *block, const tsr_region_args *args)
{
    for (size_t i = 0; args && i < args->n; i++) {
        const tsr_region_arg *a = &args->data[i];
        tsr_value *v = tsr_block_add_arg(p->m, block, a->type, a->loc);
        if (a->name.len)
            TSR_TRY(parser_define_entry_arg(p, a->name, v, a->loc));
    }
    return true;
}

static bool check_blocks(parser *p)
{
    bool ok = true;
    uint32_t most = p->ctx->nerror + MOST_ERRORS;
    for (uint32_t i = 0; i < p->blocks.n && p->ctx->nerror < most; i++) {
        block_name *b = p->blocks.entries[i].value;
        if (!b->defined)
            ok = tsr_error(p->ctx, b->loc, "reference to an undefined block");
    }
    return ok;
}

static bool read_blocks(parser *p, tsr_region *region, const tsr_region_args *args)
{
    tsr_reader *r = &p->r;
    bool has_args = args && args->n;
    if (has_args && tsr_read_is(r, TOK_CARET))
        return tsr_read_error(r, "invalid block name in region with named arguments");
    if (!tsr_read_is(r, TOK_CARET)) {
        tsr_block *block = tsr_block_new(p->m);
        tsr_block_insert(block, region, NULL);
        TSR_TRY(read_entry_args(p, block, args) && parser_read_block_body(p, block, block_ends));
    }
    while (tsr_read_is(r, TOK_CARET))
        TSR_TRY(read_labelled_block(p, region));
    tsr_read_next(r); /* '}': blocks end only here or at '^' */
    return check_blocks(p);
}

/* Names from outside are visible in isolated ops too, as in MLIR; the verifier reports their use there. */
static bool read_scoped(parser *p, tsr_region *region, const tsr_region_args *args)
{
    scope_mark mark = parser_enter_scope(p);
    bool ok = read_blocks(p, region, args);
    parser_leave_scope(p, mark);
    return ok;
}

/* region ::= '{' op* block* '}' */
bool parser_read_region(parser *p, tsr_region *region, const tsr_region_args *args)
{
    tsr_reader *r = &p->r;
    if (!tsr_read_is(r, '{'))
        return tsr_read_wrong(r, "expected '{' to begin a region");
    TSR_TRY(tsr_read_enter(r));
    tsr_read_next(r);
    bool has_args = args && args->n;
    if (!has_args && tsr_read_take(r, '}')) {
        tsr_read_leave(r);
        return true;
    }
    tsr_map outer_blocks = p->blocks;
    p->blocks = (tsr_map){0};
    bool ok = read_scoped(p, region, args);
    tsr_map_free(&p->blocks);
    p->blocks = outer_blocks;
    tsr_read_leave(r);
    return ok;
}
