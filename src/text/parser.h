/* SPDX-License-Identifier: Apache-2.0 */
/* parser.h - shared by the files of the module parser: name scopes, and reading ops, blocks and regions. */
#ifndef TSR_TEXT_PARSER_H
#define TSR_TEXT_PARSER_H

#include "asm/reader.h"

/* A placeholder for a value used before its definition, until that is read. */
typedef struct forward_ref {
    struct forward_ref *next;
    tsr_value value;
    uint32_t number;
    tsr_loc loc;
} forward_ref;

/* At most so many errors of one kind are reported: each may show a line of any length. */
enum { MOST_ERRORS = 100 };

/* %name: its values, contiguous (results of one op) or one (a block argument). */
typedef struct value_name {
    tsr_str name;
    tsr_value *first; /* NULL: only used so far */
    uint32_t count;
    tsr_loc loc; /* of the definition or first use */
    forward_ref *forward;
} value_name;

/* ^name in one region. */
typedef struct block_name {
    tsr_str name;
    tsr_block *block;
    tsr_loc loc;
    bool defined;
} block_name;

typedef struct parser {
    tsr_reader r;
    tsr_ctx *ctx;
    tsr_module *m;
    tsr_map names;                  /* value_name: those visible here, except %0, %1, ... */
    TSR_VEC(value_name *) numbered; /* those, by number */
    TSR_VEC(value_name *)
    order; /* the same in order of appearance, so that leaving a scope can remove its own */
    tsr_map blocks; /* block_name: those of the current region */
    uint32_t
        most_numbers; /* larger numbers are in names, so that the table is bounded by the text size */
    tsr_str default_dialect;       /* whose prefix may be left out here */
    TSR_VEC(tsr_opstate *) states; /* one per nesting of ops, used again and again */
    size_t nstate;
} parser;

/* ---- scope.c ---- */
/* The value %name#number of this type; made as a placeholder when it is not defined yet. NULL after an error. */
tsr_value *parser_use_value(parser *p, const tsr_operand_ref *ref, tsr_type *type);
bool parser_define_values(parser *p, tsr_str name, tsr_value *first, uint32_t count, tsr_loc loc);
/* What is visible now. */
typedef struct {
    uint32_t names;
    size_t numbered;
} scope_mark;
scope_mark parser_enter_scope(const parser *p);
/* The same for an argument that was before its region. */
bool parser_define_entry_arg(parser *p, tsr_str name, tsr_value *arg, tsr_loc loc);
/* Forgets the names since mark; those that wait for a definition stay. */
void parser_leave_scope(parser *p, scope_mark mark);
/* Reports what is still not defined; false when there is any. */
bool parser_check_defined(parser *p);
tsr_block *parser_use_block(parser *p, tsr_str name, tsr_loc loc);
tsr_block *parser_define_block(parser *p, tsr_str name, tsr_loc loc); /* NULL after an error */

/* ---- parse_region.c ---- */
bool parser_read_region(parser *p, tsr_region *region, const tsr_region_args *args);
bool parser_read_block_body(parser *p, tsr_block *block, bool (*done)(parser *p));

/* ---- parse_op.c ---- */
bool parser_read_op(parser *p, tsr_block *block);
extern const tsr_asm_host parser_host;

#endif
