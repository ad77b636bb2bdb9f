/* SPDX-License-Identifier: Apache-2.0 */
/* write.h - shared by the two halves of the bytecode writer: the numbers of everything that a file refers to. */
#ifndef TSR_TEXT_BYTECODE_WRITE_H
#define TSR_TEXT_BYTECODE_WRITE_H

#include "text/bytecode/bytecode.h"

/* An attribute, a type or an op name, and how often it is referenced. */
typedef struct {
    uint64_t key;    /* its address; for a location, its tsr_loc */
    uint32_t refs;   /* beyond the first */
    uint32_t number; /* its index in the file, once all are known */
    uint32_t dialect;
    bool text; /* has no encoding */
} bc_numbered;

/* Entries by key, in the order of first visit. */
typedef struct {
    bc_numbered *data;
    uint32_t n, cap;
    uint32_t *slots; /* index + 1; 0 is free; nslot is a power of two */
    uint32_t nslot;
    uint32_t *order; /* order in the file: indices into data */
} bc_table;

typedef struct {
    tsr_str name;
    const tsr_bc_dialect *codec; /* NULL: none */
} bc_dialect;

/* A blob that dense_resource attributes refer to. */
typedef struct {
    uint32_t dialect, number;
    tsr_str key;
    const tsr_resource *data; /* NULL: only declared */
} bc_resource;

/* Entries of an op's name and location. */
typedef struct {
    uint32_t name, loc;
} bc_op_refs;

typedef struct {
    tsr_ctx *ctx;
    tsr_module *m;
    tsr_op *root;
    uint32_t version;
    tsr_bc_version reader;
    tsr_bc bc;
    bool failed;     /* a diagnostic was emitted */
    uint32_t depth;  /* nesting of attributes and types, or of ops */
    tsr_arena arena; /* side tables */
    bc_table attrs, types, names;
    TSR_VEC(bc_dialect) dialects;
    tsr_map dialect_map; /* index + 1 into dialects */
    TSR_VEC(bc_resource) resources;
    tsr_map resource_map; /* index + 1 into resources */
    /* By id. */
    uint32_t *value_number, *op_number, *block_number;
    uint32_t *value_type; /* entries */
    bc_op_refs *op_refs;
    uint32_t *block_ops; /* how many ops a block has */
    bool *open_op;       /* regions use values from outside */
    tsr_attr **merged;   /* dictionaries of ops, if some op has its attributes by name; else NULL */
    /* Strings and properties, in the order of first use. */
    tsr_map strings, props;
    TSR_VEC(tsr_str) string_list, prop_list;
    tsr_buf scratch;
    tsr_str file; /* of the last position, and its attribute */
    tsr_attr *file_attr;
} bc_writer;

/* ---- bytecode/number.c ---- */

/* Finds and numbers everything that root refers to. False after a diagnostic. */
bool bc_number(bc_writer *w);
void bc_table_free(bc_table *t);
uint32_t bc_find_dialect(const bc_writer *w, tsr_str name); /* UINT32_MAX: not found */
/* The dialect part of an op's name. */
tsr_str bc_name_dialect(const tsr_opdef *def);
/* The numbers in the file of things found before. */
uint32_t bc_attr_number(bc_writer *w, const tsr_attr *a);
uint32_t bc_loc_number(bc_writer *w, tsr_loc loc);
uint32_t bc_type_number(bc_writer *w, const tsr_type *t);
uint32_t bc_string_number(bc_writer *w, tsr_str s);
/* Writes or numbers the encoding of an attribute or type with its code; false if it has none. */
bool bc_code_attr(bc_writer *w, uint64_t key, const tsr_bc_dialect *d);
bool bc_code_type(bc_writer *w, uint64_t key, const tsr_bc_dialect *d);
/* The attribute of a key that is not a packed location. */
tsr_attr *bc_key_attr(bc_writer *w, uint64_t key);
/* The discardable attributes as a dictionary, or all of them in versions without properties;
 * NULL: none. */
tsr_attr *bc_op_dict(const bc_writer *w, const tsr_op *op);
/* Whether the op's attributes are written by name and not by position: in versions without properties, and for readers
 * older than some of its slots. */
bool bc_is_by_name(const bc_writer *w, const tsr_op *op);

/* ---- bytecode/resource.c ---- */

void bc_meet_resource(bc_writer *w, uint32_t dialect, tsr_str key);
bc_resource *bc_find_resource(bc_writer *w, uint32_t dialect, tsr_str key); /* NULL: not found */
void bc_number_resources(bc_writer *w);
void bc_write_resources(bc_writer *w, tsr_buf *out);

#endif
