/* SPDX-License-Identifier: Apache-2.0 */
/* experts.c - mixtures of experts: routing, dispatch, computation and combination. Their results keep their shapes,
 * which depend on how experts are distributed over devices. */
#include "dialect/hooks.h"
#include "dialect/ttir/shape.h"
#include "dialect/ttir/say.h"

/* A value that must be ranked: operand i, or result i - nin. */
typedef struct {
    uint32_t i, rank;
    const char *text;
} ranked;

static bool ranks(const tsr_op *op, const ranked *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const tsr_type *t =
            list[i].i < op->nin ? IN(op, list[i].i) : op->out[list[i].i - op->nin].type;
        SAY(t->n == list[i].rank, "%s must be a %uD tensor %s", list[i].text, list[i].rank,
            list[i].text + strlen(list[i].text) + 1);
    }
    return true;
}

static bool devices(const tsr_op *op, int count_slot, int axis_slot)
{
    int64_t axis = tt_int(op, axis_slot, 0);
    SAY(tt_int(op, count_slot, 1) > 0, "num_devices must be positive");
    SAY(axis >= 0 && axis <= 1, "cluster_axis must be 0 or 1");
    return true;
}

bool verify_ttir_all_to_all_dispatch(tsr_op *op)
{
    static const ranked list[] = {
        {0, 4, "input_tensor\0[B, S, 1, H]"},      {1, 4, "expert_indices\0[B, S, 1, K]"},
        {2, 4, "expert_mapping\0[1, 1, E, D]"},    {3, 4, "dispatched output\0[1, B*D, S, H]"},
        {4, 4, "metadata output\0[1, B*D, S, K]"},
    };
    return ranks(op, list, TSR_COUNT(list)) &&
           devices(op, TTIR_ALL_TO_ALL_DISPATCH_num_devices, TTIR_ALL_TO_ALL_DISPATCH_cluster_axis);
}

bool verify_ttir_all_to_all_dispatch_metadata(tsr_op *op)
{
    static const ranked list[] = {
        {0, 4, "input_tensor\0[1, 1, M, H]"},
        {1, 4, "expert_indices\0[1, 1, M, K]"},
        {2, 4, "expert_scores\0[1, 1, M, K]"},
        {3, 4, "expert_mapping\0[1, 1, D, E]"},
        {4, 3, "dispatched output\0[1, tokens_global, H]"},
        {5, 3, "indices output\0[1, tokens_global, K]"},
        {6, 3, "scores output\0[1, tokens_global, K]"},
    };
    return ranks(op, list, TSR_COUNT(list)) &&
           devices(op, TTIR_ALL_TO_ALL_DISPATCH_METADATA_num_devices,
                   TTIR_ALL_TO_ALL_DISPATCH_METADATA_cluster_axis);
}

bool verify_ttir_all_to_all_combine(tsr_op *op)
{
    static const ranked list[] = {
        {0, 4, "input_tensor\0[E_local, B*D, S, H]"},
        {1, 4, "expert_metadata\0[1, B*D, S, K]"},
        {2, 4, "expert_mapping\0[1, 1, E, D]"},
        {3, 4, "result\0[K, B, S, H]"},
    };
    TSR_TRY(ranks(op, list, TSR_COUNT(list)) &&
            devices(op, TTIR_ALL_TO_ALL_COMBINE_num_devices, TTIR_ALL_TO_ALL_COMBINE_cluster_axis));
    SAY(tt_int(op, TTIR_ALL_TO_ALL_COMBINE_num_experts_per_tok, 1) > 0,
        "num_experts_per_tok must be positive");
    return true;
}

bool verify_ttir_selective_reduce_combine(tsr_op *op)
{
    SAY(tt_int(op, TTIR_SELECTIVE_REDUCE_COMBINE_select_experts_k, 1) != 0,
        "select_experts_k must be positive");
    SAY(tt_int(op, TTIR_SELECTIVE_REDUCE_COMBINE_experts, 1) != 0, "experts must be positive");
    SAY(tt_int(op, TTIR_SELECTIVE_REDUCE_COMBINE_hidden_size, 1) != 0,
        "hidden_size must be positive");
    return true;
}

bool verify_ttir_moe_expert_token_remap(tsr_op *op)
{
    static const ranked list[] = {
        {0, 4, "topk_tensor\0[D, B, S, E]"},
        {1, 4, "expert_mapping\0[1, 1, E, D]"},
        {2, 4, "expert_metadata\0[D, B, S, K]"},
        {3, 4, "mapping output\0[1, B, S, E_local]"},
        {4, 4, "reduced output\0[1, 1, ceil(B*S/R), E_local]"},
    };
    TSR_TRY(ranks(op, list, TSR_COUNT(list)));
    SAY(tt_int(op, TTIR_MOE_EXPERT_TOKEN_REMAP_reduction_size, 1) > 0,
        "reduction_size must be positive");
    return true;
}

static bool is_bias(const tsr_op *op, size_t group, int64_t layers, int64_t experts, int64_t last)
{
    const tsr_type *t = tt_in(op, group);
    SAY(t->n == 3 && t->dims[0] == layers && t->dims[1] == experts && t->dims[2] == last,
        "bias_%zu must have shape (%lld, %lld, %lld)", group - 7, (long long)layers,
        (long long)experts, (long long)last);
    return true;
}

bool verify_ttir_moe_compute(tsr_op *op)
{
    const tsr_type *in = IN(op, 0), *w0 = IN(op, 4);
    int64_t size = tt_int(op, TTIR_MOE_COMPUTE_intermediate_size, 0);
    bool b0 = tt_in(op, 7) != NULL, b1 = tt_in(op, 8) != NULL, b2 = tt_in(op, 9) != NULL;
    SAY(size > 0 && size % 32 == 0, "intermediate_size must be a positive multiple of 32");
    SAY(b0 == b1 && b1 == b2, "bias_0, bias_1, and bias_2 must be all present or all absent");
    SAY(!b0 || w0->n == 4, "w0 must have rank 4 (L, E, hidden, intermediate)");
    if (b0)
        TSR_TRY(is_bias(op, 7, w0->dims[0], w0->dims[1], w0->dims[3]) &&
                is_bias(op, 8, w0->dims[0], w0->dims[1], w0->dims[3]) &&
                is_bias(op, 9, w0->dims[0], w0->dims[1], w0->dims[2]));
    SAY(tt_int(op, TTIR_MOE_COMPUTE_output_height_shard_dim, 1) != 0,
        "output_height_shard_dim must be positive");
    SAY(in->n >= 2, "tilize_input_tensor must have rank >= 2");
    int64_t hidden = in->dims[in->n - 1];
    SAY(hidden > 0 && hidden % 32 == 0,
        "tilize_input_tensor last dim (hidden_size) must be a positive multiple of 32");
    SAY(w0->n == 4, "w0 must have rank 4 (L, E, hidden, intermediate)");
    SAY(w0->dims[2] == hidden,
        "w0 hidden dim (%lld) must match tilize_input_tensor hidden_size (%lld)",
        (long long)w0->dims[2], (long long)hidden);
    return true;
}

bool verify_ttir_moe_gpt(tsr_op *op)
{
    const tsr_type *a = IN(op, 4), *b = IN(op, 5);
    SAY(a->n == 6, "w0_w1_tensor must be a rank 6 tensor");
    SAY(b->n == 6, "w2_tensor must be a rank 6 tensor");
    SAY(a->dims[5] == 128, "w0_w1_tensor dim[5] must be 128 (4*TILE_SIZE)");
    SAY(b->dims[5] == 128, "w2_tensor dim[5] must be 128 (4*TILE_SIZE)");
    SAY(a->dims[0] == b->dims[0], "w0_w1_tensor and w2_tensor must have same dim[0] (num_cores)");
    SAY(a->dims[2] == b->dims[2],
        "w0_w1_tensor and w2_tensor must have same dim[2] (experts_per_device)");
    SAY(IN(op, 1)->n >= 2, "expert_indices must have rank >= 2");
    SAY(IN(op, 2)->n >= 2, "expert_scores must have rank >= 2");
    return true;
}

/* ---- Routing ---- */

bool infer_ttir_topk_router_gpt(const tsr_op *op, tsr_type_vec *out)
{
    SAY(IN(op, 0)->n == 2, "input must be a 2D tensor [B, hidden_dim], but got rank %u",
        IN(op, 0)->n);
    tt_shape s = {2, {IN(op, 0)->dims[0], tt_int(op, TTIR_TOPK_ROUTER_GPT_k, 1)}};
    return tt_result_of(op, out, &s, tsr_type_integer(op->module->ctx, 16, TSR_UNSIGNED)) &&
           tt_result(op, out, &s);
}

bool verify_ttir_topk_router_gpt(tsr_op *op)
{
    static const char *const outs[] = {"expert_indices", "expert_weights"};
    const tsr_type *in = IN(op, 0), *weight = IN(op, 1), *bias = IN(op, 2);
    int64_t k = tt_int(op, TTIR_TOPK_ROUTER_GPT_k, 1),
            experts = tt_int(op, TTIR_TOPK_ROUTER_GPT_num_experts, 1);
    SAY(in->n == 2, "input must be a 2D tensor [B, hidden_dim], but got rank %u", in->n);
    SAY(weight->n == 2, "weight must be a 2D tensor [hidden_dim, num_experts], but got rank %u",
        weight->n);
    SAY(bias->n == 2, "bias must be a 2D tensor [B, num_experts], but got rank %u", bias->n);
    SAY(weight->dims[0] == in->dims[1], "weight dim 0 (%lld) must equal input hidden_dim (%lld)",
        (long long)weight->dims[0], (long long)in->dims[1]);
    SAY(bias->dims[0] == in->dims[0], "bias dim 0 (%lld) must equal input batch size B (%lld)",
        (long long)bias->dims[0], (long long)in->dims[0]);
    SAY(bias->dims[1] == weight->dims[1], "bias dim 1 (%lld) must equal weight num_experts (%lld)",
        (long long)bias->dims[1], (long long)weight->dims[1]);
    SAY(experts > 0, "num_experts must be positive, but got: %lld", (long long)experts);
    SAY(experts == weight->dims[1], "num_experts attribute (%lld) must equal weight dim 1 (%lld)",
        (long long)experts, (long long)weight->dims[1]);
    SAY(k > 0, "k must be positive, but got: %lld", (long long)k);
    for (size_t i = 0; i < 2; i++)
        SAY(op->out[i].type->n == 2, "%s must be a 2D tensor [B, k], but got rank %u", outs[i],
            op->out[i].type->n);
    for (size_t i = 0; i < 2; i++) {
        const int64_t *d = op->out[i].type->dims;
        SAY(d[0] == in->dims[0], "%s dim 0 (%lld) must equal input batch size B (%lld)", outs[i],
            (long long)d[0], (long long)in->dims[0]);
        SAY(d[1] == k, "%s dim 1 (%lld) must equal k (%lld)", outs[i], (long long)d[1],
            (long long)k);
    }
    return true;
}
