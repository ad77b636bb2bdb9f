/* SPDX-License-Identifier: Apache-2.0 */
/* program.h - TTNN programs and TTMetal host programs as binaries (.ttnn, .ttm) and back. */
#ifndef TSR_TARGET_FLATBUFFER_PROGRAM_H
#define TSR_TARGET_FLATBUFFER_PROGRAM_H

#include "eval/tensor.h"
#include "target/flatbuffer/system.h"

/* The expected result of the op at a location on a device: key is the location's text, loc("name"). */
typedef struct {
    tsr_str key;
    uint32_t device;
    const tsr_tensor *value;
} tsr_fb_golden;

/* The module during the lowering to TTNN: its text after a pass. */
typedef struct {
    tsr_str name, text;
} tsr_fb_stage;

/* Contents of a binary besides its programs. Goldens with the same key are adjacent. */
typedef struct {
    const tsr_fb_golden *goldens;
    size_t ngolden;
    const tsr_fb_stage *stages;
    size_t nstage;
    bool local_scope; /* the module's text has no aliases */
} tsr_fb_extra;

/* The module attribute that holds the machine code of its host functions: tensor<Nxui8>. */
#define TSR_FB_DYLIB "tessera.dylib"

/* Writes the device functions of a module. kind: TTNN or TTMetal. extra may be NULL. False after a diagnostic. */
bool tsr_fb_write_module(tsr_module *m, const tsr_fb_file *kind, const tsr_fb_extra *extra,
                         tsr_buf *out);
/* Reads a binary of either kind as a module that is not verified; for TTMetal with the commands inlined to ops. NULL
 * after a diagnostic. */
tsr_module *tsr_fb_read_module(tsr_ctx *ctx, tsr_str data, tsr_str name);
/* The same from a tree; for TTMetal as commands. */
tsr_module *tsr_fb_module_of(tsr_ctx *ctx, const tsr_fb_table *root, tsr_str name);
/* Whether bytes or a kind of file have programs. */
static inline bool tsr_fb_has_programs(const tsr_fb_file *kind)
{
    return kind == &tsr_fb_files[TSR_FB_TTNN] || kind == &tsr_fb_files[TSR_FB_TTM];
}

/* ---- tensor.c: tensor types ---- */

typedef struct {
    tsr_fb_conv c;
    const tsr_attr *device; /* #ttcore.device, NULL: none */
    tsr_map descs;          /* of types */
    tsr_map sources;        /* the meaning of the fields of an op's table */
    /* Writing. */
    tsr_map refs;    /* of values */
    uint32_t nextid; /* of the next reference */
    TSR_VEC(tsr_op *) programs;
    tsr_map by_name;       /* of programs: their index in the list */
    tsr_str *bodies;       /* of programs: texts */
    tsr_str *hashes;       /* of programs whose hash was requested; empty: not yet */
    tsr_fb_table *debug;   /* shared by all */
    tsr_fb_table *library; /* with the host functions; NULL if there are none */
    tsr_map blobs;         /* of dense_resource attributes */
    /* Reading. */
    tsr_module *module;
    tsr_map values;  /* by reference */
    tsr_map rows;    /* of ops, by table */
    tsr_value *held; /* the device for ops without a field for it */
    tsr_op *host;    /* the module of the host functions; NULL if there is none */
    int64_t grid[2], mesh[8];
    size_t nmesh; /* its dimensions */
    /* Both. */
    const tsr_fb_table *binary;
} tsr_fb_state;

/* ---- program.c: texts ---- */

/* The bytes of text, kept as long as the arena; frees the buffer. */
tsr_str tsr_fb_keep(tsr_arena *a, tsr_buf *text);
/* loc(...) of an op. */
tsr_str tsr_fb_location(tsr_fb_state *s, const tsr_op *op);
/* "loc(...)" as a location; other text as a name (load.c). */
tsr_loc tsr_fb_loc_of_text(tsr_fb_state *s, tsr_str text);

/* ---- metal.c, metal_load.c: TTMetal programs ---- */

/* The arguments and results of a function, while its body is made. */
typedef struct {
    tsr_type_vec in, out;
    TSR_VEC(tsr_attr *) in_attrs, out_attrs;
} tsr_fb_signature;

/* A function as a queue of commands. */
bool tsr_fb_metal_program(tsr_fb_state *s, tsr_op *f, tsr_fb_table *program);
/* The commands as the body of a function. */
bool tsr_fb_metal_body(tsr_fb_state *s, const tsr_fb_table *program, tsr_block *body,
                       tsr_fb_signature *g);
/* Inlines host functions at their calls: a program consists of its ops again. */
void tsr_fb_metal_join(tsr_module *m);

/* The description of a tensor type; local may be NULL. NULL after a diagnostic. */
tsr_fb_table *tsr_fb_desc_of(tsr_fb_state *s, tsr_type *type, bool presharded,
                             const tsr_type *local);
tsr_type *tsr_fb_type_of(tsr_fb_state *s, const tsr_fb_table *desc);
/* The memory configuration of a layout, NULL on the host. */
tsr_fb_table *tsr_fb_memory_of(tsr_fb_state *s, const tsr_attr *layout);

/* ---- quant.c: quantized types ---- */

/* Gives quantized types to values of functions that were read. */
void tsr_fb_quantized_types(tsr_op *device);

/* ---- op.c: ops ---- */

/* The data type of elements as they are, which may be wider than a device's; NULL if there is none. And the element
 * type of a data type: like, if that has the data type; NULL: it is a block format. */
const char *tsr_fb_data_type(const tsr_type *elem);
tsr_type *tsr_fb_data_element(tsr_ctx *ctx, int64_t data_type, tsr_type *like);

/* The elements of a constant: as bytes, or in their data type, depending on the field. And back: NULL if the number of
 * elements differs. */
bool tsr_fb_elements(tsr_fb_state *s, const tsr_op *op, const tsr_attr *a, const tsr_fb_field *f,
                     tsr_fb_value *out);
tsr_attr *tsr_fb_dense_of(tsr_fb_state *s, const tsr_type *t, tsr_type *elem, tsr_str data);

/* The reference of a value; created if it has none yet. NULL after a diagnostic. */
tsr_fb_table *tsr_fb_ref(tsr_fb_state *s, const tsr_value *v);
/* An op as a case of OpType. */
bool tsr_fb_of_op(tsr_fb_state *s, tsr_op *op, tsr_fb_value *out);
/* Appends the op of a case; its results are registered by their references. */
bool tsr_fb_op_of(tsr_fb_state *s, const tsr_fb_value *v, tsr_loc loc, tsr_block *block);
/* The value of a reference; NULL: it is not defined. */
tsr_value *tsr_fb_value_of(const tsr_fb_state *s, const tsr_fb_table *ref);
void tsr_fb_define(tsr_fb_state *s, const tsr_fb_table *ref, tsr_value *v);
/* The index of the program of a function; -1 if it has none. */
int64_t tsr_fb_program_index(const tsr_fb_state *s, tsr_str name);

#endif
