/* SPDX-License-Identifier: Apache-2.0 */
/* code.h - what the CPU makes of a loop: instructions on blocks of elements, in registers that are reused. */
#ifndef TSR_EXEC_CPU_CODE_H
#define TSR_EXEC_CPU_CODE_H

#include "exec/backend.h"

#include "exec/kernel/tile.h"

/* An instruction; each works on a block of elements, or (by_row) on one element per row. The first fields are as in
 * tsr_instr, but for registers, which are numbered anew. A FOLD with two operands reduces their products. */
typedef struct {
    uint8_t kind, nin, dtype, from;
    uint8_t op, fold, slot;
    bool by_row;
    bool invariant; /* executed once */
    bool whole;
    /* LOAD, CONVERT: the same in every row of a product: executed once for all rows of a block. */
    bool repeats;
    bool direct; /* TILE, CONVERT: writes directly to value's memory */
    /* TILE, CONVERT: the same, before the STORE of value: the old contents have been read. */
    bool early;
    bool streams;   /* STORE, and early ones: writes bypass the caches */
    uint8_t number; /* TILE: number + 1 of the operand that is a scalar per row; 0: none */
    uint8_t ones;   /* TILE: bit mask of operands of which only one element is read */
    bool one;       /* SPLAT: its readers read only one element */
    uint16_t out, in[TSR_TILE_OPERANDS];
    tsr_tile_fn *fn;
    tsr_tile_fn *twice; /* COLUMN: the kernel for two rows at once; NULL: none */
    tsr_xid value, node;
    const tsr_xview *view;
    bool fixed;  /* LOAD: each block reads the same elements, which are contiguous */
    bool cycles; /* LOAD: each block reads one row several times, always the same: executed once */
    /* LOAD: each row of the view, within which blocks stay, is one element (level), and its readers read only one
     * (steady). */
    bool level, steady;
    bool leads; /* LOAD of rows of a value, farther on than other loads of it: prefetched */
    uint64_t bits;
} tsr_cpu_instr;

typedef struct {
    tsr_cpu_instr *code; /* NULL: the group has no loop */
    uint32_t ncode, nregister;
    int64_t block; /* elements of a block */
    int64_t line;  /* MAP: elements of a row of the views it reads, where blocks end; 0: anywhere */
    uint64_t touched; /* bytes of the values that it reads and writes */
    uint8_t width;    /* bytes of a register's element */
    /* Chain: the condition of a select, as laid out in memory. After its last true column all elements of a row are
     * equal; NULL: none. */
    const tsr_xview *mask;
    tsr_xid mask_of; /* its value in memory */
    /* Set by section.c: the number of groups from this one on that run without barriers between them, or 0; the group's
     * lane. */
    uint32_t together, lane;
} tsr_cpu_code;

/* The CPU's part of a program: its p->code. */
typedef struct {
    tsr_arena arena;
    tsr_cpu_code *groups; /* by number */
} tsr_cpu_program;

static inline const tsr_cpu_code *tsr_cpu_code_of(const tsr_program *p, const tsr_xgroup *g)
{
    return ((const tsr_cpu_program *)p->code)->groups + (g - p->groups.data);
}

/* Makes the code of a program from its instructions, as backends do (code.c). */
bool tsr_cpu_prepare(const tsr_program *p, tsr_device *d, void **code, tsr_status *status);
void tsr_cpu_discard(void *code);
/* fuse.c: replaces instructions by fewer or cheaper ones; returns their number. */
size_t tsr_cpu_fuse(tsr_cpu_instr *code, size_t n, uint32_t registers, const tsr_xgroup *g);
/* mask.c: finds the mask of a chain, such as the causal mask of attention. */
void tsr_cpu_find_mask(const tsr_program *p, tsr_xid group, tsr_cpu_program *to);
/* section.c: loops that need no barrier between them; of a loop without partial results, the elements of a chunk. */
enum {
    TSR_SECTION_MOST = 8,   /* loops of a section */
    TSR_LOOP_CHUNK = 16384, /* elements that a thread takes at a time */
};
void tsr_cpu_sections_find(const tsr_program *p, tsr_cpu_program *to);
int64_t tsr_loop_chunk(const tsr_xgroup *g, const tsr_cpu_code *cpu);

#endif
