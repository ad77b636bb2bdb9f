/* why.h - a record of propagation: which step put an axis on which value, through which op, and where it came from. */
#ifndef TSR_SHARD_WHY_H
#define TSR_SHARD_WHY_H

#include "shard/propagate.h"

typedef struct tsr_why tsr_why;
typedef struct tsr_why_step tsr_why_step;

/* For the engine: a visit of a site, before and after. */
tsr_why_step *tsr_why_before(tsr_why *why, tsr_engine *e, tsr_op *op, const tsr_site *site,
                             const tsr_projection *p, const tsr_mesh *mesh);
void tsr_why_after(tsr_why *why, tsr_why_step *step, const tsr_projection *p, bool any);

#endif
