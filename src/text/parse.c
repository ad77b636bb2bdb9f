/* SPDX-License-Identifier: Apache-2.0 */
/* parse.c - a whole module: ops, alias definitions and metadata at the top level. */
#include <stdlib.h>

#include "dialect/older.h"
#include "text/parser.h"
#include "text/text.h"

static bool at_end(parser *p)
{
    return tsr_read_is(&p->r, TOK_EOF);
}

static bool read_top_level(parser *p, tsr_block *body)
{
    while (!at_end(p)) {
        switch (p->r.tok.kind) {
        case TOK_ERROR: return false;
        case TOK_HASH:
        case TOK_BANG: TSR_TRY(tsr_read_alias_definition(&p->r)); break;
        case TOK_META_BEGIN: TSR_TRY(tsr_read_metadata(&p->r)); break;
        default: TSR_TRY(parser_read_op(p, body));
        }
    }
    return parser_check_defined(p);
}

/* If the top level is a single module, that is the module; otherwise it is wrapped in one. */
static void set_root(tsr_module *m, tsr_op *wrapper, tsr_block *body)
{
    tsr_op *only = body->first;
    if (only && !only->next && only->def == wrapper->def) {
        tsr_op_remove(only);
        m->op = only;
    } else {
        m->op = wrapper;
    }
}

tsr_module *tsr_parse_module(tsr_ctx *ctx, tsr_str text, tsr_str filename, uint32_t line)
{
    tsr_module *m = tsr_module_new(ctx);
    parser *p = tsr_xmalloc(sizeof *p);
    memset(p, 0, sizeof *p);
    tsr_reader_init(&p->r, ctx, m, text, filename, line);
    p->ctx = ctx;
    p->m = m;
    tsr_text_install(ctx);
    p->most_numbers = (uint32_t)(text.len < 1 << 24 ? text.len : 1 << 24);
    p->default_dialect = TSR_STR("builtin");
    const tsr_opdef *def = tsr_opdef_get(ctx, TSR_STR("builtin.module"));
    tsr_op *wrapper =
        tsr_op_new(m, def, tsr_loc_file(ctx, p->r.file, 0, 0), NULL, 0, NULL, 0, 1, 0);
    tsr_block *body = tsr_block_new(m);
    tsr_block_insert(body, &wrapper->regions[0], NULL);
    uint32_t errors = ctx->nerror;
    bool ok = read_top_level(p, body) && ctx->nerror == errors;
    if (ok)
        set_root(m, wrapper, body);
    if (ok && p->r.older)
        tsr_modernize(m);
    tsr_map_free(&p->names);
    tsr_vec_free(&p->numbered);
    tsr_vec_free(&p->order);
    tsr_map_free(&p->blocks);
    for (size_t i = 0; i < p->states.n; i++) {
        tsr_opstate *st = p->states.data[i];
        tsr_vec_free(&st->operands);
        tsr_vec_free(&st->operand_types);
        tsr_vec_free(&st->result_types);
        tsr_vec_free(&st->extra);
        tsr_vec_free(&st->succs);
        tsr_vec_free(&st->nsuccin);
        tsr_free(st);
    }
    tsr_vec_free(&p->states);
    tsr_reader_free(&p->r);
    tsr_free(p);
    if (!ok) {
        tsr_module_free(m);
        return NULL;
    }
    return m;
}
