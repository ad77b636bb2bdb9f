/* SPDX-License-Identifier: Apache-2.0 */
/* writer.h - writing types, attributes and locations as MLIR's printer does.
 *
 * Aliases: a first, collecting writer discards its output and records what could be an alias; a second writer uses
 * these aliases to write the real text. Without aliases (local scope, single attributes) everything is inline. */
#ifndef TSR_ASM_WRITER_H
#define TSR_ASM_WRITER_H

#include "asm/asm.h"

typedef struct tsr_alias_entry {
    const void *thing; /* tsr_attr or tsr_type */
    bool is_type, deferrable;
    tsr_str name;          /* wanted name; NULL data: none, it only contains things that have one */
    uint32_t depth, order; /* nesting of aliases; order of the first visit */
    uint32_t suffix;       /* number after the name; 0: none */
    TSR_VEC(struct tsr_alias_entry *) children;
} tsr_alias_entry;

typedef struct {
    tsr_map map;  /* tsr_alias_entry by thing */
    tsr_map kept; /* tsr_alias of the module by thing: names from the source that are kept */
    TSR_VEC(tsr_alias_entry *)
    entries; /* by order of visit; after tsr_aliases_finish: as they are written */
    TSR_VEC(tsr_alias_entry *) open; /* being visited, innermost last */
    tsr_arena arena;
} tsr_aliases;

typedef TSR_VEC(tsr_str) tsr_str_vec;
typedef TSR_VEC(const tsr_attr *) tsr_distincts;

struct tsr_writer {
    tsr_buf *out;
    tsr_ctx *ctx;
    tsr_module *module; /* whose alias names are used; NULL: none */
    tsr_print_options opt;
    tsr_aliases *aliases; /* NULL: everything inline */
    bool collecting;      /* aliases are being recorded */
    bool deferring;       /* collecting: what is visited now may be defined after the module */
    int indent;
    void *host; /* text/'s printer */
    tsr_distincts
        *distincts; /* distinct attributes in the order in which they were written; may be NULL */
    tsr_str_vec *resources; /* keys of dense_resource attributes that were written; may be NULL */
};

void tsr_write_type(tsr_writer *w, const tsr_type *t);
void tsr_write_attr(tsr_writer *w, const tsr_attr *a);         /* with its type */
void tsr_write_attr_in_list(tsr_writer *w, const tsr_attr *a); /* i64 and f64 are not written */
void tsr_write_attr_notype(tsr_writer *w, const tsr_attr *a);
void tsr_write_dict_entries(tsr_writer *w, const tsr_named *named,
                            size_t n);                      /* a = 1, b, "c d" = 2 */
void tsr_write_symbol_name(tsr_buf *out, tsr_str name);     /* @a or @"a b" */
void tsr_write_name(tsr_buf *out, tsr_str name);            /* bare or quoted */
void tsr_write_loc(tsr_writer *w, tsr_loc loc, bool alias); /* loc(...) */
void tsr_write_arg_loc(tsr_writer *w, tsr_loc loc); /* of a block argument: written in full */
void tsr_write_affine(tsr_writer *w, const tsr_attr *map);
void tsr_write_bare_affine(tsr_writer *w, const tsr_attr *map); /* without affine_map<...> */
/* Gives the context the functions that diagnostics need to show types, attributes and locations. */
void tsr_writer_install(tsr_ctx *ctx);
/* write_dense.c */
void tsr_write_dense(tsr_writer *w, const tsr_attr *a); /* dense<...> without the type */
/* Indices of several values are written in full even if they are all equal: a single number would mean one value. */
void tsr_write_sparse_indices(tsr_writer *w, const tsr_attr *a);
void tsr_write_dense_contents(tsr_writer *w, const tsr_attr *a,
                              bool allow_hex);                 /* what is between < and > */
void tsr_write_dense_array(tsr_writer *w, const tsr_attr *a);  /* array<...> */
void tsr_write_int_elements(tsr_writer *w, const tsr_attr *a); /* 1, 2 of an array<...> */
/* alias.c */
void tsr_aliases_init(tsr_aliases *s, const tsr_module *m);
void tsr_aliases_free(tsr_aliases *s);
/* Records a thing and everything in it. */
void tsr_alias_visit(tsr_writer *w, const void *thing, bool is_type);
/* Sorts and numbers the recorded things. */
void tsr_aliases_finish(tsr_aliases *s);
/* Writes #name or !name if the thing has an alias; false: the caller writes it in full. */
bool tsr_write_alias(tsr_writer *w, const void *thing, bool is_type);
/* The definitions: either those that may come after the module or the others. */
void tsr_write_alias_definitions(tsr_writer *w, bool deferred);
/* In full, alias or not. */
void tsr_write_attr_body(tsr_writer *w, const tsr_attr *a, int elision);
void tsr_write_type_body(tsr_writer *w, const tsr_type *t);

#endif
