/* SPDX-License-Identifier: Apache-2.0 */
/* flow.h - data flow edges: values that must be sharded alike because data passes unchanged between them.
 *
 * An edge goes from sources (operands of an op, or of a terminator in its regions) to targets (its results or block
 * arguments); one target owns it. For a loop, operand i and the body's returned value i flow to result i, which owns
 * the edge, and to argument i of both regions. For a branch, the values that the regions return flow to the result. A
 * computation has one edge per argument and one per result. While propagation runs, each owner has one use, the
 * sdy.data_flow_edge that holds the edge's sharding. Only sdy/sharding.h knows which op is of which kind. */
#ifndef TSR_SHARD_CORE_FLOW_H
#define TSR_SHARD_CORE_FLOW_H

#include "dialect/sdy/sharding.h"

/* Owners: block arguments (few ops have any), then all results. */
uint32_t tsr_flow_nargs(const tsr_op *op);
tsr_value *tsr_flow_arg(const tsr_op *op, uint32_t i);

/* Source k of an owner's edge, and the k-th target that does not own it; NULL after the last one. */
tsr_use *tsr_flow_source(const tsr_value *owner, uint32_t k);
tsr_value *tsr_flow_target(const tsr_value *owner, uint32_t k);

/* The sdy.data_flow_edge of the edge that v is a target of; NULL: none. */
tsr_op *tsr_flow_edge(const tsr_value *v);
/* The sdy.data_flow_edge of the edge that the use is a source of. As in Shardy, operands of computations have none, and
 * a case's index counts as a source of its first result: the order in which propagation visits ops depends on it. */
tsr_op *tsr_flow_edge_of_use(const tsr_use *use);
/* That of the argument that a computation's operand goes to; NULL: the use is no such operand. */
tsr_op *tsr_flow_edge_into(const tsr_use *use);

/* Converts the owner's sharding to that seen by the sources, and back: they differ by the axes that a manual
 * computation binds. */
tsr_attr *tsr_flow_to_sources(const tsr_value *owner, tsr_attr *sharding);
tsr_attr *tsr_flow_to_owner(const tsr_value *owner, tsr_attr *sharding);

/* Puts a sdy.data_flow_edge with the owner's sharding after each owner of op. */
void tsr_flow_add_edges(tsr_op *op);

/* The shardings of the edges of all arguments (or all results) of op, open ones where an edge has none. False: no edge
 * has a sharding. */
bool tsr_flow_edge_shardings(const tsr_op *op, bool args, tsr_attr **out);
/* Sets the shardings of all arguments that own edges. A manual computation keeps the axes it binds. */
void tsr_flow_set_arg_shardings(tsr_op *op, tsr_attr *const *shardings);

/* Replaces all uses of from except those by except with uses of to, newest last. Shardy's order of uses comes from
 * moves like this one, and its propagation visits uses in order; tsr_value_replace would keep the order. */
void tsr_flow_move_uses(tsr_value *from, tsr_value *to, const tsr_op *except);

#endif
