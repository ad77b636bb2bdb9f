/* SPDX-License-Identifier: Apache-2.0 */
/* lookup.h - gathers of single elements, as ops of a loop (lookup.c), scatters of them (places.c), and components of
 * index vectors. */
#ifndef TSR_EXEC_LOOKUP_H
#define TSR_EXEC_LOOKUP_H

#include "exec/compile/build.h"
#include "exec/places.h"

/* Component k of the index vectors along a dimension, without that dimension; a concatenation is read through. */
tsr_xid tsr_x_component(tsr_xbuilder *b, const tsr_op *op, tsr_xid index, int64_t vector,
                        int64_t k);
/* Whether component k of the index vectors, v, is one number, or counts along dimensions, and is always inside: the plan
 * then has it as steps of whole. */
bool tsr_places_known(const tsr_xbuilder *b, tsr_places_plan *p, tsr_xid v, uint8_t k);
/* Result 0 of a scatter with operands in, each by components of its index. False: windows have several elements
 * (cpu/elements.c). */
bool tsr_x_scatter_elements(tsr_xbuilder *b, tsr_op *op, const tsr_xid *in, int64_t vector,
                            const tsr_places_plan *given);
/* Result 0 of a gather, as an op of a loop. False: windows have many elements, or there are few. */
bool tsr_x_lookup(tsr_xbuilder *b, tsr_op *op, tsr_xid table, tsr_xid index, int64_t vector,
                  const tsr_places_plan *given);

/* one_a_row.c: a gather, or a scatter to equal numbers, of one element of each row. False: it is none, or does not pay. */
bool tsr_x_gather_one(tsr_xbuilder *b, tsr_op *op, const tsr_xid *in, int64_t vector,
                      const tsr_places_plan *p);
bool tsr_x_scatter_one(tsr_xbuilder *b, tsr_op *op, const tsr_xid *in, int64_t vector,
                       const tsr_places_plan *p);

#endif
