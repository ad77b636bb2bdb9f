/* SPDX-License-Identifier: Apache-2.0 */
/* ttcore.h - indices of the parameters of ttcore attributes and the values of its enumerations. */
#ifndef TSR_DIALECT_TTCORE_TTCORE_H
#define TSR_DIALECT_TTCORE_TTCORE_H

#include "dialect/dialect.h"

enum { TTCORE_LOCAL_SHAPE_type };
enum { TTCORE_MESH_name, TTCORE_MESH_shape };
enum {
    TTCORE_METAL_LAYOUT_logical_shape,
    TTCORE_METAL_LAYOUT_dim_alignments,
    TTCORE_METAL_LAYOUT_collapsed_intervals,
    TTCORE_METAL_LAYOUT_memory_space,
    TTCORE_METAL_LAYOUT_memory_layout,
};
enum {
    TTCORE_DEVICE_worker_grid,
    TTCORE_DEVICE_dram_grid,
    TTCORE_DEVICE_l1_map,
    TTCORE_DEVICE_dram_map,
    TTCORE_DEVICE_mesh_shape,
    TTCORE_DEVICE_chip_ids,
    TTCORE_DEVICE_mesh_topology,
};
enum {
    TTCORE_SYSTEM_DESC_cpus,
    TTCORE_SYSTEM_DESC_chips,
    TTCORE_SYSTEM_DESC_indices,
    TTCORE_SYSTEM_DESC_capabilities,
    TTCORE_SYSTEM_DESC_coords,
    TTCORE_SYSTEM_DESC_channels,
};
/* The first fields of a chip_desc, and the one with its DRAM banks. */
enum {
    TTCORE_CHIP_DESC_arch,
    TTCORE_CHIP_DESC_grid,
    TTCORE_CHIP_DESC_l1_size = 3,
    TTCORE_CHIP_DESC_noc_l1_align = 6,
    TTCORE_CHIP_DESC_l1_unreserved_base = 9,
    TTCORE_CHIP_DESC_dram_grid = 19
};
enum { TTCORE_TILE_shape, TTCORE_TILE_element };
enum { TTCORE_RUNTIME_TENSOR_SHARDING_status, TTCORE_RUNTIME_TENSOR_SHARDING_type };

typedef enum {
    TSR_TT_INPUT,
    TSR_TT_PARAMETER,
    TSR_TT_CONSTANT,
    TSR_TT_DEFAULT
} tsr_tt_argument_type;
typedef enum { TSR_TT_PRESHARDED, TSR_TT_UNSHARDED } tsr_tt_shard_status;
typedef enum {
    TSR_TT_SUM,
    TSR_TT_MEAN,
    TSR_TT_MAX,
    TSR_TT_MIN,
    TSR_TT_STD,
    TSR_TT_VAR,
    TSR_TT_PROD,
    TSR_TT_INVALID,
} tsr_tt_reduce_type;
typedef enum { TSR_TT_FULL_TO_SHARD, TSR_TT_SHARD_TO_FULL } tsr_tt_shard_direction;
typedef enum {
    TSR_TT_IDENTITY,
    TSR_TT_REPLICATE,
    TSR_TT_MAXIMAL,
    TSR_TT_DEVICES
} tsr_tt_shard_type;
typedef enum { TSR_TT_MASK_NONE, TSR_TT_MASK_CAUSAL, TSR_TT_MASK_ARBITRARY } tsr_tt_attention_mask;

/* 1x2 as array<i64: 1, 2>; empty text as an empty one. */
bool tsr_asm_tt_shape(tsr_asm *a, tsr_attr **attr);
/* (y, x) as array<i64: y, x>. */
bool tsr_asm_tt_place(tsr_asm *a, tsr_attr **attr);
/* (d0, d1) -> (d1, d0), without affine_map<...>. */
bool tsr_asm_tt_map(tsr_asm *a, tsr_attr **attr);

#endif
