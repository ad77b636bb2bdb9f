/* SPDX-License-Identifier: Apache-2.0 */
/* ttnn.h - indices of the parameters of TTNN's attributes, and the values of its enumerations. */
#ifndef TSR_DIALECT_TTNN_TTNN_H
#define TSR_DIALECT_TTNN_TTNN_H

#include "dialect/dialect.h"

typedef enum {
    TSR_TTNN_DRAM,
    TSR_TTNN_L1,
    TSR_TTNN_SYSTEM_MEMORY,
    TSR_TTNN_L1_SMALL,
    TSR_TTNN_TRACE
} tsr_ttnn_buffer_type;
typedef enum {
    TSR_TTNN_INTERLEAVED,
    TSR_TTNN_HEIGHT_SHARDED,
    TSR_TTNN_WIDTH_SHARDED,
    TSR_TTNN_BLOCK_SHARDED,
    TSR_TTNN_ND_SHARDED
} tsr_ttnn_memory_layout;

enum { TTNN_CORE_RANGE_start, TTNN_CORE_RANGE_end };
enum {
    TTNN_TTNN_LAYOUT_map,
    TTNN_TTNN_LAYOUT_grid,
    TTNN_TTNN_LAYOUT_mesh,
    TTNN_TTNN_LAYOUT_memref,
    TTNN_TTNN_LAYOUT_memory_layout,
    TTNN_TTNN_LAYOUT_cores,
    TTNN_TTNN_LAYOUT_ignores,
};
enum {
    TTNN_MEMORY_CONFIG_buffer,
    TTNN_MEMORY_CONFIG_memory_layout,
    TTNN_MEMORY_CONFIG_shard_spec,
    TTNN_MEMORY_CONFIG_nd_shard_spec,
};

/* Numbers of ttcore.supportedDataTypes. */
typedef enum {
    TSR_TT_F32,
    TSR_TT_F16,
    TSR_TT_BF16,
    TSR_TT_BFP_F8,
    TSR_TT_BFP_BF8,
    TSR_TT_BFP_F4,
    TSR_TT_BFP_BF4,
    TSR_TT_BFP_F2,
    TSR_TT_BFP_BF2,
    TSR_TT_U32,
    TSR_TT_U16,
    TSR_TT_U8,
    TSR_TT_SI32,
    TSR_TT_I1,
    TSR_TT_NO_DATA_TYPE = -1,
} tsr_tt_data_type;

enum { TSR_TTNN_NO_MEMORY_LAYOUT = -1, TSR_TTNN_TILE = 32 };

/* The data type of elements, for quantized ones that of their storage; TSR_TT_NO_DATA_TYPE: they have none. */
tsr_tt_data_type tsr_tt_data_type_of(const tsr_type *elem);
/* The element type of tensors of a data type: block formats are tiles. */
tsr_type *tsr_tt_element(tsr_ctx *ctx, tsr_tt_data_type t);

/* The parts of a layout, except the shape of its tensor. */
typedef struct {
    tsr_ttnn_buffer_type buffer;
    int memory; /* tsr_ttnn_memory_layout, or TSR_TTNN_NO_MEMORY_LAYOUT */
    bool tiled;
    tsr_tt_data_type type;
    int64_t grid[2];
    tsr_attr *mesh, *cores, *ignores; /* NULL: none */
} tsr_ttnn_spec;

/* The layout of a tensor; NULL if it has none. */
tsr_attr *tsr_ttnn_layout_of(const tsr_type *t);
tsr_ttnn_spec tsr_ttnn_spec_of(const tsr_attr *layout);
/* In DRAM, interleaved, tiled: the default for tensors. */
tsr_ttnn_spec tsr_ttnn_default(tsr_tt_data_type t);
/* In the host's memory, row-major. */
tsr_ttnn_spec tsr_ttnn_host(tsr_tt_data_type t);
tsr_attr *tsr_ttnn_layout(tsr_ctx *ctx, const int64_t *dims, size_t rank, tsr_ttnn_spec spec);
/* The tensor type with this layout and the elements of its data type. */
tsr_type *tsr_ttnn_type(const tsr_type *t, tsr_ttnn_spec spec);
tsr_ttnn_buffer_type tsr_ttnn_buffer(const tsr_attr *layout);
/* Whether a tensor with a layout is in a device's memory. */
bool tsr_ttnn_on_device(const tsr_type *t);
bool tsr_ttnn_is_tiled(const tsr_attr *layout);

#endif
