/* chain.h - which products are a chain with the loop between them. See chain.c. */
#ifndef TSR_EXEC_PLAN_CHAIN_H
#define TSR_EXEC_PLAN_CHAIN_H

#include "exec/program.h"

typedef struct tsr_chains tsr_chains;

/* The products behind a loop, and the place in the order of groups where all can run. */
typedef struct {
    tsr_xid first, loop; /* the product before it, a node; its group */
    tsr_xid then;
    tsr_tail tails[TSR_TAILS];
    uint8_t ntail;
    uint32_t place;
} tsr_chain_ends;

/* Levels of groups are their places. */
tsr_chains *tsr_chains_new(tsr_program *p);
void tsr_chains_free(tsr_chains *c);
/* Whether products behind a loop would be a chain with a product that it is the first to read; out: which. */
bool tsr_chain_ends_find(const tsr_chains *c, tsr_xid first, tsr_xid loop, tsr_chain_ends *out);
/* They become one group, after its product has joined it. */
void tsr_chain_join(tsr_program *p, const tsr_chain_ends *e);
/* Whether a chain may compute another product that its loop is the first to read. */
bool tsr_chain_takes(const tsr_chains *c, tsr_xid product, tsr_xid loop);

#endif
