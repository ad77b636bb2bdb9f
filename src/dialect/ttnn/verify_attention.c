/* SPDX-License-Identifier: Apache-2.0 */
/* verify_attention.c - rules of TTNN's transformer ops that TTIR does not have. */
#include "dialect/ttnn/say.h"

static bool is_4d(const tsr_op *op, const tsr_type *t, const char *text)
{
    SAY(t->n == 4, "%s", text);
    return true;
}

static bool shape_is(const tsr_type *t, int64_t a, int64_t b, int64_t c, int64_t d)
{
    return t->n == 4 && t->dims[0] == a && t->dims[1] == b && t->dims[2] == c && t->dims[3] == d;
}

bool verify_ttnn_sampling(tsr_op *op)
{
    static const char *const names[] = {"k", "p", "temp"};
    const tsr_type *in = IN(op, 0), *out = OUT(op);
    TSR_TRY(tt_encoded(op));
    SAY(in->n == 2 || in->n == 4,
        "input_values must be 2D [batch, candidates] or 4D [1, 1, batch, candidates]");
    SAY(IN(op, 1)->n == in->n, "input_indices rank must match input_values rank");
    SAY(tt_same_shape(in, IN(op, 1)), "input_values and input_indices must have the same shape");
    SAY(in->n == 2 || (in->dims[0] == 1 && in->dims[1] == 1),
        "rank-4 input_values leading dims must be [1, 1, batch, candidates]");
    int64_t batch = in->dims[in->n - 2];
    uint32_t rank = in->n == 2 ? 1 : 4;
    SAY(batch >= 1 && batch <= 32, "batch (%lld) must be in [1, 32] (kernel limit)", LL(batch));
    SAY(out->n == rank, "result rank (%u) must match expected rank (%u) for input_values rank %u",
        out->n, rank, in->n);
    for (uint32_t i = 0; i < 3; i++) {
        SAY(IN(op, i + 2)->n == 1, "%s must be 1D [batch]", names[i]);
        SAY(IN(op, i + 2)->dims[0] == batch,
            "%s batch dimension (%lld) must match input_values batch (%lld)", names[i],
            LL(IN(op, i + 2)->dims[0]), LL(batch));
    }
    bool ones = rank == 1 || (out->dims[0] == 1 && out->dims[1] == 1 && out->dims[2] == 1);
    SAY(ones && out->dims[rank - 1] == batch, "result must be %uD [%s]", rank,
        rank == 1 ? "batch" : "1, 1, 1, batch");
    return true;
}

bool verify_ttnn_nlp_concat_heads(tsr_op *op)
{
    const tsr_type *in = IN(op, 0), *out = OUT(op);
    TSR_TRY(tt_encoded(op) && is_4d(op, out, "output tensor must be a 4D tensor") &&
            is_4d(op, in, "input tensor must be a 4D tensor"));
    const int64_t want[] = {in->dims[0], 1, in->dims[2], tt_times(in->dims[1], in->dims[3])};
    SAY(shape_is(out, want[0], want[1], want[2], want[3]), "expected output shape (%s), got (%s)",
        tt_join(op, want, 4, ", "), tt_show(op, out, ", "));
    return true;
}

bool verify_ttnn_nlp_concat_heads_decode(tsr_op *op)
{
    const tsr_type *in = IN(op, 0), *out = OUT(op);
    int64_t heads = tt_int(op, TTNN_NLP_CONCAT_HEADS_DECODE_num_heads, 1);
    TSR_TRY(tt_encoded(op) && is_4d(op, in, "input tensor must be a 4D tensor") &&
            is_4d(op, out, "output tensor must be a 4D tensor"));
    SAY(out->dims[1] == 1, "output dimension 1 must be 1, got %lld", LL(out->dims[1]));
    SAY(in->dims[2] >= heads,
        "num_heads attribute must be less than or equal to input num_heads dimension, got "
        "num_heads = %lld, input num_heads dimension = %lld",
        LL(heads), LL(in->dims[2]));
    SAY(in->dims[0] == out->dims[0],
        "input sequence dimension must match output sequence dimension, got input sequence size = "
        "%lld, output sequence size = %lld",
        LL(in->dims[0]), LL(out->dims[0]));
    int64_t hidden = tt_times(heads, in->dims[3]);
    SAY(hidden == out->dims[3],
        "Output hidden dimension must equal num_heads * head_size, got num_heads = %lld, head_size "
        "= %lld, expected hidden size = %lld, actual output hidden size = %lld",
        LL(in->dims[2]), LL(heads), LL(hidden), LL(out->dims[3]));
    return true;
}

bool verify_ttnn_rotary_embedding(tsr_op *op)
{
    const tsr_type *cos = IN(op, 1), *sin = IN(op, 2);
    TSR_TRY(tt_encoded(op));
    SAY(cos->elem == sin->elem, "cos and sin tensor dtypes must match.");
    SAY(tt_same_shape(cos, sin), "cos and sin tensor shapes must match.");
    SAY(IN(op, 0)->n == 4 && cos->n == 4 && OUT(op)->n == 4,
        "all input and output tensors must be 4D tensors.");
    return true;
}

static bool all_inputs(const tsr_op *op, bool (*test)(const tsr_type *t))
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (!test(IN(op, i)))
            return false;
    return true;
}

static bool is_bf16(const tsr_type *t)
{
    return tsr_tt_data_type_of(t->elem) == TSR_TT_BF16;
}

static bool is_tiled(const tsr_type *t)
{
    const tsr_attr *layout = tsr_ttnn_layout_of(t);
    return layout && tsr_ttnn_is_tiled(layout);
}

static bool is_height_sharded(const tsr_type *t)
{
    const tsr_attr *layout = tsr_ttnn_layout_of(t);
    return layout && tsr_ttnn_spec_of(layout).memory == TSR_TTNN_HEIGHT_SHARDED;
}

bool verify_ttnn_rotary_embedding_llama(tsr_op *op)
{
    const tsr_type *in = IN(op, 0), *mix = IN(op, 3);
    TSR_TRY(tt_encoded(op));
    SAY(all_inputs(op, is_bf16), "all input tensors must be bfloat16 type.");
    SAY(all_inputs(op, is_tiled), "all input tensors must have tiled layout.");
    SAY(all_inputs(op, tsr_ttnn_on_device), "all input tensors must be on device.");
    SAY(tt_same_shape(IN(op, 1), IN(op, 2)), "cos and sin tensors must have the same shape.");
    SAY(in->n > 0, "input tensor must have a head dimension.");
    SAY(in->dims[in->n - 1] <= 256, "head dimension must be \u2264 256, got %lld.",
        LL(in->dims[in->n - 1]));
    SAY(mix->n == 4, "transformation matrix must be at least 4D tensor.");
    SAY(shape_is(mix, 1, 1, TSR_TTNN_TILE, TSR_TTNN_TILE),
        "transformation matrix must have shape (1,1,32,32) but got (%s).", tt_show(op, mix, ","));
    SAY(!tt_int(op, TTNN_ROTARY_EMBEDDING_LLAMA_is_decode_mode, 0) ||
            all_inputs(op, is_height_sharded),
        "in decode mode, all input tensors must have HeightSharded memory layout.");
    SAY(tt_same_shape(OUT(op), in), "output shape must match input shape.");
    return true;
}

static bool mla_value(const tsr_op *op, const tsr_type *q, const tsr_type *k, int64_t head)
{
    const tsr_type *v = tt_in(op, 2);
    if (!v) {
        SAY(head <= q->dims[3],
            "head_dim_v cannot exceed key's head dim when value is not provided");
        return true;
    }
    TSR_TRY(is_4d(op, v, "Value must be a 4D tensor"));
    SAY(q->elem == v->elem, "Query and value must have the same element type");
    SAY(v->dims[0] == q->dims[0], "Value batch size must match query batch size");
    SAY(v->dims[1] == k->dims[1], "Value num heads must match key num heads");
    SAY(v->dims[2] == q->dims[2], "Value sequence length must match query/key sequence length");
    SAY(v->dims[3] == head, "Value head size must equal head_dim_v");
    return true;
}

static bool mla_mask(const tsr_op *op, const tsr_type *q)
{
    const tsr_type *m = tt_in(op, 3);
    if (!m)
        return true;
    SAY(!tt_int(op, TTNN_FLASH_MLA_PREFILL_is_causal, 0),
        "Attention mask is not allowed when is_causal is true");
    TSR_TRY(is_4d(op, m, "Attention mask must be a 4D tensor"));
    SAY(m->dims[0] == 1 || m->dims[0] == q->dims[0],
        "Attention mask batch size must be 1 (broadcast) or match query batch size");
    SAY(m->dims[1] == 1 || m->dims[1] == q->dims[1],
        "Attention mask dim 1 must be 1 (broadcast) or match query num heads");
    SAY(m->dims[2] == q->dims[2], "Attention mask at dim 2 must match query sequence length");
    SAY(m->dims[3] == q->dims[2], "Attention mask at dim 3 must match key sequence length");
    return true;
}

bool verify_ttnn_flash_mla_prefill(tsr_op *op)
{
    const tsr_type *q = IN(op, 0), *k = IN(op, 1), *out = OUT(op);
    int64_t head = tt_int(op, TTNN_FLASH_MLA_PREFILL_head_dim_v, 0);
    TSR_TRY(tt_encoded(op) && is_4d(op, q, "Query must be a 4D tensor") &&
            is_4d(op, k, "Key must be a 4D tensor") &&
            is_4d(op, out, "Output must be a 4D tensor"));
    SAY(q->elem == out->elem, "Query and result must have the same element type");
    SAY(q->elem == k->elem, "Query and key must have the same element type");
    SAY(k->dims[0] == q->dims[0], "Key batch size must match query batch size");
    SAY(k->dims[3] == q->dims[3], "Key head size must match query head size");
    SAY(k->dims[2] == q->dims[2], "Query and key must have the same sequence length");
    SAY(k->dims[1] > 0 && q->dims[1] % k->dims[1] == 0,
        "Query num heads must be divisible by key num heads (GQA/MQA/MLA)");
    TSR_TRY(mla_value(op, q, k, head));
    SAY(head > 0, "head_dim_v must be greater than 0");
    TSR_TRY(mla_mask(op, q));
    SAY(shape_is(out, q->dims[0], q->dims[1], q->dims[2], head),
        "Result shape must be [batch, num_query_heads, seq_len, head_dim_v]");
    return true;
}

bool verify_ttnn_indexer_score(tsr_op *op)
{
    const tsr_type *q = IN(op, 0), *k = IN(op, 1), *w = IN(op, 2), *out = OUT(op);
    TSR_TRY(tt_encoded(op) && is_4d(op, q, "Query must be a 4D tensor [B, Hi, Sq, D]") &&
            is_4d(op, k, "Key must be a 4D tensor [B, 1, T, D]") &&
            is_4d(op, w, "Weights must be a 4D tensor [B, Hi, Sq, 1]") &&
            is_4d(op, out, "Result must be a 4D tensor [B, 1, Sq, T]"));
    SAY(q->dims[0] == 1, "Query batch size (dim 0) must be 1, got %lld", LL(q->dims[0]));
    SAY(k->dims[0] == q->dims[0], "Key batch size must match query batch size");
    SAY(k->dims[1] == 1, "Key must have a single head (dim 1 must be 1)");
    SAY(k->dims[3] == q->dims[3], "Key head dim must match query head dim");
    SAY(shape_is(w, q->dims[0], q->dims[1], q->dims[2], 1),
        "Weights shape must be [batch, num_heads, query_seq_len, 1]");
    SAY(shape_is(out, q->dims[0], 1, q->dims[2], k->dims[2]),
        "Result shape must be [batch, 1, query_seq_len, key_seq_len]");
    SAY(q->elem == k->elem, "Query and key must have the same element type");
    return true;
}
