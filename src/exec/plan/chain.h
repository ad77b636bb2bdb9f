/* SPDX-License-Identifier: Apache-2.0 */
/* chain.h - products that form a chain with the loop between them. See chain.c. */
#ifndef TSR_EXEC_PLAN_CHAIN_H
#define TSR_EXEC_PLAN_CHAIN_H

#include "exec/program.h"

typedef struct tsr_chains tsr_chains;

/* The products after a loop, and the position in the order of groups where the whole chain can run. */
typedef struct {
    tsr_xid first, loop; /* the node of the product before the loop; the loop's group */
    tsr_xid then;
    tsr_tail tails[TSR_TAILS];
    uint8_t ntail;
    uint32_t place;
} tsr_chain_ends;

/* The level of each group must be its position in the order. */
tsr_chains *tsr_chains_new(tsr_program *p);
void tsr_chains_free(tsr_chains *c);
/* Whether the products after a loop form a chain with a product that the loop is the first to read; out receives
 * them. */
bool tsr_chain_ends_find(const tsr_chains *c, tsr_xid first, tsr_xid loop, tsr_chain_ends *out);
/* Makes them one group; the first product must have joined the loop already. */
void tsr_chain_join(tsr_program *p, const tsr_chain_ends *e);
/* Whether a chain may compute a second product that its loop is the first to read. */
bool tsr_chain_takes(const tsr_chains *c, tsr_xid product, tsr_xid loop);

#endif
