/* place.h - offsets of values in one arena. */
#ifndef TSR_EXEC_PLACE_H
#define TSR_EXEC_PLACE_H

#include "exec/program.h"

enum {
    TSR_PLACE_ALIGN = 64,
    TSR_PLACE_LEAST = 8, /* in a small arena: what any element type needs, or less */
};

/* A value's memory, alive from step first to step last. */
typedef struct {
    size_t bytes, offset; /* bytes: a multiple of what all are aligned to */
    uint32_t first, last;
    tsr_xid value;
} tsr_piece;

/* The greatest sum of what is alive at a time, and when: the least size of an arena. */
size_t tsr_place_least(const tsr_piece *all, size_t n, uint32_t nsteps, uint32_t *when);
/* Sets offsets so that no two pieces that are alive at a time overlap; the size of the arena. least, peak: of tsr_place_least. */
size_t tsr_place_all(tsr_piece *all, size_t n, uint32_t nsteps, size_t least, uint32_t peak);

/* lodge.c: finds room for pieces in the memory of results that are not there yet, and takes them out of the list; how many are left. */
size_t tsr_lodge(tsr_program *p, tsr_piece *all, size_t n);

#endif
