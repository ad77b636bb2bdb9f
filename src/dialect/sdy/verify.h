/* SPDX-License-Identifier: Apache-2.0 */
/* verify.h - shared by the verifiers of the sdy dialect. */
#ifndef TSR_DIALECT_SDY_VERIFY_H
#define TSR_DIALECT_SDY_VERIFY_H

#include "dialect/sdy/axes.h"
#include "dialect/sdy/sharding.h"

/* The subject of a message: 'op' op <what> <index> - <message>. */
enum {
    SDY_AT_OP = -3,   /* the op: no words before the message */
    SDY_AT_ALL = -2,  /* <what> <message> */
    SDY_AT_ONLY = -1, /* <what> - <message>: there is only one */
};
typedef struct {
    const tsr_op *op;
    const char *what;
    int64_t index; /* or SDY_AT_* */
} sdy_at;

static inline sdy_at sdy_at_op(const tsr_op *op)
{
    return (sdy_at){op, "", SDY_AT_OP};
}
static inline sdy_at sdy_at_value(const tsr_op *op, const char *what, uint32_t n, uint32_t i)
{
    return (sdy_at){op, what, n == 1 ? SDY_AT_ONLY : (int64_t)i};
}
/* Emits an error; always returns false. */
bool sdy_error(const sdy_at *at, const char *fmt, ...) TSR_PRINTF(2, 3);

/* References seen so far, while lists are checked one after the other. */
typedef struct {
    tsr_sdy_mesh_axes mesh;
    tsr_ptr_set seen;
    tsr_sdy_axes subs;
} sdy_axis_check;
void sdy_axis_check_init(sdy_axis_check *c, tsr_ctx *ctx, const tsr_attr *mesh);
void sdy_axis_check_free(sdy_axis_check *c);
/* A list of axis_ref: known names, no duplicates, none that could be merged with its neighbour. */
bool sdy_check_axes(const sdy_at *at, sdy_axis_check *c, const tsr_attr *axes);
/* The same in the mesh's order. */
bool sdy_check_sorted_axes(const sdy_at *at, sdy_axis_check *c, const tsr_attr *axes,
                           const char *name);

/* Whether the type has a rank, returned in rank, that a sharding or a rule must match: tensors, including VHLO's.
 * fixed: all sizes are static. */
bool sdy_rank_of(const tsr_type *type, uint32_t *rank, bool *fixed);
/* A sharding at op for a value of this type (NULL: there is no value). */
bool sdy_check_sharding(const sdy_at *at, const tsr_attr *sharding, const tsr_type *type);
/* A sharding_per_value for n values; type(user, i) is the type of value i. */
bool sdy_check_per_value(const tsr_op *op, const char *what, const tsr_attr *per_value, uint32_t n,
                         const tsr_type *(*type)(const tsr_op *op, uint32_t i));
const tsr_type *sdy_operand_type(const tsr_op *op, uint32_t i);
const tsr_type *sdy_result_type(const tsr_op *op, uint32_t i);
/* A manual_computation around op that binds the axis of this name; NULL if there is none. */
const tsr_op *sdy_manual_owner(const tsr_op *op, const tsr_attr *name);
bool sdy_bound_error(const sdy_at *at, const tsr_attr *name, const tsr_op *owner);

/* sdy.sharding_rule and sdy.propagation_edges at op (verify_rule.c). */
bool sdy_check_rule(tsr_op *op, const tsr_attr *rule);
bool sdy_check_edges(tsr_op *op, const tsr_attr *edges);

/* How unreduced axes may change from operands to results (unreduced.c). add, drop: the reduction (tsr_sdy_reduction)
 * that new and lost ones must have; -1: there may be none. A sharding may be NULL. */
bool sdy_check_unreduced_all(const tsr_op *op, const tsr_attr *const *from, uint32_t nfrom,
                             const tsr_attr *const *to, uint32_t nto, int add, int drop);
bool sdy_check_unreduced(const tsr_op *op, const tsr_attr *from, const tsr_attr *to, int add,
                         int drop);

/* The dialect's rules for discardable attributes with its prefix. */
bool tsr_sdy_verify_attr(tsr_op *op, tsr_attr_site site, uint32_t index, const tsr_named *attr);

#endif
