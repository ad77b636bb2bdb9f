/* SPDX-License-Identifier: Apache-2.0 */
/* config.c - assembly of TTNN's attributes that are lists of fields: name = value, for those that are set. */
#include "dialect/hooks.h"
#include "dialect/ttnn/ttnn.h"

#define WORD(name, id)                               \
    static bool name(tsr_asm *a, tsr_attr **attr)    \
    {                                                \
        return tsr_asm_enum(a, &tsr_def_##id, attr); \
    }
#define PART(name, id)                                 \
    static bool name(tsr_asm *a, tsr_attr **attr)      \
    {                                                  \
        return tsr_asm_struct(a, &tsr_def_##id, attr); \
    }
WORD(data_type, TTCORE_DATA_TYPE)
WORD(memory_layout, TTNN_MEMORY_LAYOUT)
WORD(page_layout, TTNN_LAYOUT)
WORD(fidelity, TTNN_MATH_FIDELITY)
PART(unary, TTNN_UNARY_WITH_PARAM)
PART(coord, TTNN_CORE_COORD)
PART(core_set, TTNN_CORE_RANGE_SET)
#undef WORD
#undef PART

/* true, false, #ttnn.core_coord<1, 2>: in full. */
static bool full(tsr_asm *a, tsr_attr **attr)
{
    return tsr_asm_attr(a, attr);
}

static bool number(tsr_asm *a, tsr_attr **attr)
{
    return tsr_asm_i64(a, attr);
}

static bool fields(tsr_asm *a, const tsr_asm_field *list, size_t n, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && tsr_asm_fields(a, list, n, ">", params) && tsr_asm_lit(a, ">");
}

#define FIELDS(id, ...)                                    \
    bool attr_##id(tsr_asm *a, tsr_attr **params)          \
    {                                                      \
        static const tsr_asm_field list[] = {__VA_ARGS__}; \
        return fields(a, list, TSR_COUNT(list), params);   \
    }

/* clang-format off */
FIELDS(TTNN_COMPUTE_CONFIG,
       {"math_fidelity", fidelity, false}, {"math_approx_mode", full, false}, {"fp32_dest_acc_en", full, false},
       {"packer_l1_acc", full, false}, {"dst_full_sync_en", full, false})
FIELDS(TTNN_CONV2D_CONFIG,
       {"weights_dtype", data_type, false}, {"activation", unary, false}, {"deallocate_activation", full, false},
       {"reallocate_halo_output", full, false}, {"act_block_h_override", number, false}, {"act_block_w_div", number, false},
       {"reshard_if_not_optimal", full, false}, {"override_sharding_config", full, false}, {"shard_layout", memory_layout, false},
       {"core_grid", core_set, false}, {"transpose_shards", full, false}, {"output_layout", page_layout, false},
       {"enable_act_double_buffer", full, false}, {"enable_weights_double_buffer", full, false},
       {"enable_kernel_stride_folding", full, false}, {"config_tensors_in_dram", full, false})
FIELDS(TTNN_CONV3D_CONFIG,
       {"weights_dtype", data_type, false}, {"t_out_block", number, false}, {"w_out_block", number, false},
       {"h_out_block", number, false}, {"c_out_block", number, false}, {"c_in_block", number, false},
       {"compute_with_storage_grid_size", full, false})
FIELDS(TTNN_SDPA_CONFIG,
       {"compute_with_storage_grid_size", coord, true}, {"sub_core_grids", core_set, false}, {"q_chunk_size", number, true},
       {"k_chunk_size", number, true}, {"exp_approx_mode", full, false}, {"max_cores_per_head_batch", number, false})
FIELDS(TTNN_LAYER_NORM_CONFIG,
       {"compute_with_storage_grid_size", coord, true}, {"subblock_w", number, true}, {"block_h", number, true},
       {"block_w", number, true}, {"inplace", full, true})
FIELDS(TTNN_MATMUL_REUSE,
       {"compute_with_storage_grid_size", full, true}, {"in0_block_w", number, true}, {"out_subblock_h", number, true},
       {"out_subblock_w", number, true}, {"per_core_m", number, true}, {"per_core_n", number, true})
FIELDS(TTNN_MATMUL_CAST,
       {"compute_with_storage_grid_size", full, true}, {"in0_block_w", number, true}, {"out_subblock_h", number, true},
       {"out_subblock_w", number, true}, {"out_block_h", number, true}, {"out_block_w", number, true}, {"per_core_m", number, true},
       {"per_core_n", number, true}, {"transpose_mcast", full, true}, {"fused_activation", full, false}, {"fuse_batch", full, true})
FIELDS(TTNN_MATMUL_CAST_1D,
       {"compute_with_storage_grid_size", full, true}, {"in0_block_w", number, true}, {"out_subblock_h", number, true},
       {"out_subblock_w", number, true}, {"out_block_h", number, true}, {"out_block_w", number, true}, {"per_core_m", number, true},
       {"per_core_n", number, true}, {"fuse_batch", full, true}, {"fused_activation", full, false}, {"mcast_in0", full, true},
       {"gather_in0", full, true}, {"hop_cores", full, true}, {"num_global_cb_receivers", number, true}, {"untilize_out", full, true})
FIELDS(TTNN_MATMUL_DRAM,
       {"in0_block_w", number, true}, {"per_core_m", number, true}, {"per_core_n", number, true}, {"fused_activation", full, false})
/* clang-format on */
