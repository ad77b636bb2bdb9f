/* SPDX-License-Identifier: Apache-2.0 */
/* gpu.h - a backend for devices that run kernels from text (base/device.h): how programs become launches.
 *
 * Before a program runs, each of its groups becomes a recipe: steps, which are launches of kernels, products of the
 * device's library, copies and fills. A recipe knows no value of the program, only places: numbers of a list of values that
 * each group has of its own. So equal groups share a recipe, and their kernels are compiled once: the text of a kernel is a
 * pure function of shapes, types, views and ops. No name or string of a module gets there.
 *
 * An emitter makes the recipe of one kind of group: it says which values the group has (tsr_gpu_place), writes text
 * (tsr_gpu_writer), and adds steps. A run only fills in addresses. */
#ifndef TSR_GPU_GPU_H
#define TSR_GPU_GPU_H

#include "exec/backend.h"
#include "target/text/text.h"

extern const tsr_target tsr_target_gpu;   /* target.c */
extern const tsr_backend tsr_backend_gpu; /* backend.c */

/* ---- Recipes ---- */

/* A 64-bit word: a number, or the address of the element with index 0 of the value at a place, so many bytes on. Values of
 * the arena begin at multiples of 256, other values at multiples of 16. */
#define TSR_GPU_PROCESS (TSR_XNONE - 1)
typedef struct {
    uint32_t
        place; /* TSR_XNONE: none; TSR_GPU_PROCESS: an id of the process, number: which (TSR_MOVE_PROCESS) */
    int64_t number; /* or bytes after the address */
} tsr_gpu_word;

typedef enum {
    TSR_GPU_LAUNCH,
    TSR_GPU_PRODUCT, /* words: addresses of a, b, add, out, bias, aux, workspace; those that there are not: number 0 */
    TSR_GPU_COPY, /* words: to, from */
    TSR_GPU_FILL, /* words: to */
} tsr_gpu_step_kind;
enum { TSR_GPU_PRODUCT_WORDS = 7 };

typedef struct {
    uint8_t kind, byte;          /* byte: FILL */
    uint32_t text;               /* LAUNCH: number of the text */
    char name[64];               /* of the kernel in it */
    uint32_t blocks[3], threads; /* as in tsr_device_launch */
    uint32_t shared;
    const tsr_gpu_word *words;
    uint32_t nwords;
    size_t bytes;                      /* COPY, FILL */
    const tsr_device_product *product; /* without addresses */
    tsr_device_kernel kernel;          /* set when texts are compiled */
} tsr_gpu_step;

typedef struct {
    TSR_VEC(tsr_gpu_step) steps;
} tsr_gpu_recipe;

/* ---- Programs ---- */

typedef struct {
    const tsr_gpu_recipe *recipe; /* NULL: the group has no code: others run it */
    const tsr_xid *values;        /* by place */
    uint32_t nvalues;
} tsr_gpu_group;

typedef struct {
    tsr_arena arena;
    tsr_device *device;    /* NULL: texts are only read */
    tsr_gpu_group *groups; /* by number of the program's group */
    TSR_VEC(tsr_str)
    texts; /* without the words of kernel text, which the device puts before them */
    TSR_VEC(tsr_gpu_recipe *) recipes;
    TSR_VEC(tsr_device_code) code; /* by text */
} tsr_gpu_program;

/* ---- Emitters ---- */

/* What an emitter works on: the group that it makes a recipe for. */
typedef struct {
    const tsr_program *p;
    const tsr_xgroup *g;
    tsr_gpu_program *to;
    tsr_map texts;           /* numbers + 1, by hash */
    tsr_map recipes;         /* by key */
    TSR_VEC(tsr_xid) values; /* of the group, by place */
    tsr_gpu_recipe *recipe;
    tsr_status *status;
} tsr_gpu_maker;

/* The place of a value; a new one if the group has none for it yet. Places are in the order of these calls. */
uint32_t tsr_gpu_place(tsr_gpu_maker *m, tsr_xid v);
/* Looks for the recipe of an equal group, by a key that says all that the recipe depends on but values. False: there is none;
 * the emitter makes it, and others find it. */
bool tsr_gpu_known(tsr_gpu_maker *m, tsr_str key);
/* Adds a step; words are copied. */
void tsr_gpu_add(tsr_gpu_maker *m, const tsr_gpu_step *step, const tsr_gpu_word *words,
                 uint32_t nwords);
/* The group cannot be a recipe: why goes to the status, with the location of the group. Returns false. */
bool tsr_gpu_refuse(tsr_gpu_maker *m, const char *fmt, ...) TSR_PRINTF(2, 3);

/* A text being written: kernels, and scalar functions that they call. */
typedef struct {
    tsr_text text; /* functions: tsr_text_tile(&w->text, ...) */
    tsr_buf body;  /* kernels */
    int depth;     /* of indentation */
    bool brief;    /* functions need no more than the precision of narrow floats */
} tsr_gpu_writer;

void tsr_gpu_writer_init(tsr_gpu_writer *w);
void tsr_gpu_line(tsr_gpu_writer *w, const char *fmt, ...) TSR_PRINTF(2, 3);
/* Ends the text and frees the writer; returns its number, the same for equal texts. */
uint32_t tsr_gpu_writer_end(tsr_gpu_maker *m, tsr_gpu_writer *w);

/* Each makes the recipe of a group of its kind. False: the status says why there is none. */
bool tsr_gpu_loop(tsr_gpu_maker *m);    /* loop.c */
bool tsr_gpu_move(tsr_gpu_maker *m);    /* move.c */
bool tsr_gpu_product(tsr_gpu_maker *m); /* product.c */
/* Whether a product asks the device's library, and the texts of the copies that it may then need, which are compiled with
 * all others. */
bool tsr_gpu_asks_library(const tsr_program *p, const tsr_xgroup *g);
bool tsr_gpu_copy_texts(tsr_gpu_maker *m);
/* Bytes that a product works in. */
size_t tsr_gpu_product_room(const tsr_program *p, const tsr_xgroup *g);

/* Bytes of memory that a loop works in beside its values, planned with them (tsr_xgroup.work). */
size_t tsr_gpu_workspace(const tsr_program *p, const tsr_xgroup *g);

#endif
