/* SPDX-License-Identifier: Apache-2.0 */
/* sdy.h - indices of the parameters of sdy attributes (attr->attrs[...]) and the values of its enumerations. */
#ifndef TSR_DIALECT_SDY_SDY_H
#define TSR_DIALECT_SDY_SDY_H

#include "dialect/dialect.h"

enum { SDY_MESH_AXIS_name, SDY_MESH_AXIS_size };
enum { SDY_MESH_axes, SDY_MESH_device_ids };
enum { SDY_SUB_AXIS_INFO_pre_size, SDY_SUB_AXIS_INFO_size };
enum { SDY_AXIS_REF_name, SDY_AXIS_REF_sub };
enum {
    SDY_DIMENSION_SHARDING_axes,
    SDY_DIMENSION_SHARDING_is_closed,
    SDY_DIMENSION_SHARDING_priority
};
enum {
    SDY_SHARDING_mesh,
    SDY_SHARDING_dims,
    SDY_SHARDING_replicated,
    SDY_SHARDING_unreduced,
    SDY_SHARDING_reduction
};
enum { SDY_ALL_TO_ALL_PARAM_axes, SDY_ALL_TO_ALL_PARAM_src, SDY_ALL_TO_ALL_PARAM_tgt };
enum {
    SDY_OP_SHARDING_RULE_sizes,
    SDY_OP_SHARDING_RULE_operands,
    SDY_OP_SHARDING_RULE_results,
    SDY_OP_SHARDING_RULE_reduction,
    SDY_OP_SHARDING_RULE_need_replication,
    SDY_OP_SHARDING_RULE_permutation,
    SDY_OP_SHARDING_RULE_blocked,
    SDY_OP_SHARDING_RULE_custom,
};
enum { SDY_EDGE_VALUE_REF_node, SDY_EDGE_VALUE_REF_index };
enum {
    SDY_AXIS_TO_PROPAGATION_DETAILS_axis,
    SDY_AXIS_TO_PROPAGATION_DETAILS_source,
    SDY_AXIS_TO_PROPAGATION_DETAILS_targets
};
enum { SDY_PROPAGATION_ONE_STEP_step, SDY_PROPAGATION_ONE_STEP_axes };

typedef enum { TSR_SDY_SUM, TSR_SDY_MAX, TSR_SDY_MIN } tsr_sdy_reduction;
typedef enum { TSR_SDY_NONE, TSR_SDY_FORWARD, TSR_SDY_BACKWARD, TSR_SDY_BOTH } tsr_sdy_direction;
typedef enum { TSR_SDY_OPERAND, TSR_SDY_RESULT } tsr_sdy_node;

/* A mesh: device_ids (array<i64> or NULL) that are 0, 1, 2, ... are dropped, being redundant. axes: mesh_axis[]. */
tsr_attr *tsr_sdy_mesh(tsr_ctx *ctx, tsr_attr *axes, tsr_attr *device_ids);
/* Checks a mesh: distinct axes, all devices. ids may be NULL. False: why says what is wrong. */
bool tsr_sdy_mesh_ok(const tsr_attr *axes, const tsr_attr *ids, tsr_buf *why);
/* The name of a factor: i, j, ..., z, z_1, z_2, ... */
void tsr_sdy_factor(tsr_buf *out, int64_t factor);

/* Brackets around elements (',' between) as an array of structs of def, or of strings if def is NULL. what: the list's
 * name for the diagnostic that follows an element's own, "Sdy_Mesh parameter 'axes' ..."; may be NULL. */
bool tsr_asm_sdy_list(tsr_asm *a, const char *brackets, const tsr_attrdef *def, const char *what,
                      tsr_attr **array);
/* "failed to parse <what>" after the diagnostic of the inner failure. */
bool tsr_asm_sdy_failed(tsr_asm *a, const char *what);
/* [<@mesh, [...]>, ...]: a sharding_per_value without its angle brackets. */
bool tsr_asm_sdy_shardings(tsr_asm *a, tsr_attr **per_value);

#endif
