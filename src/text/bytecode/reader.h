/* SPDX-License-Identifier: Apache-2.0 */
/* reader.h - for the bytecode reader's files: the tables of a file.
 *
 * Attributes and types are decoded on first use (bytecode/entry.c), ops in the order of the file (bytecode/read_ir.c),
 * the rest before both (bytecode/read.c). One tsr_bc is the cursor for everything that is read. */
#ifndef TSR_TEXT_BYTECODE_READER_H
#define TSR_TEXT_BYTECODE_READER_H

#include "text/bytecode/bytecode.h"

typedef struct {
    const uint8_t *p, *end;
} bc_span;

typedef struct {
    tsr_str name;
    bc_span version_data;        /* empty: none */
    const tsr_bc_dialect *codec; /* once loaded; NULL: none */
    tsr_bc_version version;
    bool loaded;
} bc_rdialect;

/* An attribute or a type. There are many, most of them locations, so they are kept small. */
typedef struct {
    const uint8_t *data;
    union {
        void *value; /* BC_DECODED */
        tsr_loc loc; /* BC_PLACE */
    };
    uint32_t size;
    uint32_t nodes; /* attributes and types in it, as often as they are printed; saturates */
    uint16_t dialect;
    uint16_t levels; /* nesting levels, including itself */
    uint8_t flags;
} bc_entry;

enum {
    BC_CUSTOM = 1, /* else text */
    BC_BUSY = 2,   /* being decoded: a request for it now comes from inside it */
    BC_DECODED = 4,
    BC_PLACE = 8, /* a file position, so far requested only as such */
};

typedef struct {
    tsr_str name; /* without the dialect */
    uint32_t dialect;
    bool registered;      /* in the tool that wrote the file */
    const tsr_opdef *def; /* NULL: not looked up yet */
} bc_opname;

typedef struct {
    uint32_t dialect;
    tsr_str key;
} bc_handle;

/* Uses of a value in an order other than that of the ops. */
typedef struct {
    tsr_value *value;
    const uint32_t *order;
    uint32_t n;
    bool pairs;
} bc_use_order;

typedef struct {
    tsr_bc b; /* the cursor; b.user is this struct */
    tsr_ctx *ctx;
    tsr_module *m;
    const uint8_t *base; /* the file */
    size_t size;
    const tsr_name *filename;
    tsr_str producer;
    bc_span sections[TSR_BC_SECTION__COUNT];
    bool has[TSR_BC_SECTION__COUNT];
    tsr_arena keep, scratch; /* tables; lists of codecs */
    tsr_str *strings;
    bc_rdialect *dialects;
    bc_opname *ops;
    bc_entry *attrs, *types;
    bc_span *props;
    bc_handle *handles;
    uint32_t builtin; /* number of the builtin dialect */
    size_t nstring, ndialect, nop, nattr, ntype, nprop, nhandle, cap_handle;
    uint64_t nodes; /* in everything that ops refer to */
    uint64_t file;  /* the string that last named a file, and position 0:0 in it; base 0: none */
    tsr_loc file_base;
    /* IR */
    TSR_VEC(uintptr_t) values; /* tsr_value *, low bit: not defined yet; 0: not seen */
    size_t scope;              /* where the values of the enclosing isolated op begin */
    size_t nforward;           /* values that were used and are not defined yet */
    tsr_value_vec operands;    /* of the op being read */
    tsr_type_vec results;
    TSR_VEC(bc_use_order) orders;
    uint32_t depth; /* nesting of regions */
} bc_reader;

static inline bc_reader *bc_reader_of(const tsr_bc *b)
{
    return b->user;
}

/* ---- bytecode/read.c ---- */
/* Reads a section header and its data at the cursor, and moves the cursor past it. */
bool bc_read_section(bc_reader *r, uint32_t *id, bc_span *out);
/* Loads the dialect's encodings and version when first needed. False: the dialect is unknown. */
bool bc_load_dialect(bc_reader *r, uint32_t dialect);
bool bc_read_string(tsr_bc *b, tsr_str *s);
/* index < n, or an error "invalid <what> index: n". */
bool bc_in_range(bc_reader *r, uint64_t index, size_t n, const char *what);

/* ---- bytecode/entry.c ---- */
bool bc_init_entries(bc_reader *r);
tsr_attr *bc_attr(bc_reader *r, uint64_t index);
tsr_type *bc_type(bc_reader *r, uint64_t index);
bool bc_loc(bc_reader *r, tsr_loc *out); /* the index is at the cursor */
extern const tsr_bc_host bc_read_host;

/* ---- bytecode/read_res.c ---- */
bool bc_read_resources(bc_reader *r);

/* ---- bytecode/read_ir.c ---- */
bool bc_read_ir(bc_reader *r);

#endif
