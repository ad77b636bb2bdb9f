/* SPDX-License-Identifier: Apache-2.0 */
/* attention.c - attention, heads, and the caches of keys and values. */
#include "dialect/hooks.h"
#include "dialect/ttir/shape.h"
#include "dialect/ttir/say.h"

static bool divides(int64_t n, int64_t by)
{
    return n == TSR_DYNAMIC || by == TSR_DYNAMIC || (by != 0 && n % by == 0);
}

static bool one_of(int64_t d, int64_t size)
{
    return d == 1 || d == size;
}

/* ---- scaled_dot_product_attention ---- */

/* Query, key and value of the two ops that take whole tensors. */
static bool qkv(const tsr_op *op)
{
    const tsr_type *q = IN(op, 0), *k = IN(op, 1), *v = IN(op, 2);
    SAY(k == v, "Key and value must have the same type");
    SAY(q->n == 4, "Query must be a 4D tensor");
    SAY(k->n == 4, "Key/Value must be a 4D tensor");
    return true;
}

bool verify_ttir_scaled_dot_product_attention(tsr_op *op)
{
    const tsr_type *q = IN(op, 0), *k = IN(op, 1), *mask = tt_in(op, 3);
    bool causal = tt_int(op, TTIR_SCALED_DOT_PRODUCT_ATTENTION_is_causal, 1);
    SAY(q == OUT(op), "Query and result must have the same type");
    TSR_TRY(qkv(op));
    SAY(k->dims[0] == q->dims[0], "Key/Value batch size must match query batch size");
    SAY(k->dims[3] == q->dims[3], "Key/Value head size must match query head size");
    SAY(divides(q->dims[1], k->dims[1]),
        "Query num heads must be divisible by key/value num heads");
    if (mask) {
        SAY(!causal, "Attention mask is not allowed when is_causal is true");
        SAY(mask->n == 4, "Attention mask must be a 4D tensor");
        SAY(one_of(mask->dims[0], q->dims[0]),
            "Attention mask batch size must be 1 (broadcast) or match query batch size");
        SAY(one_of(mask->dims[1], q->dims[1]),
            "Attention mask dim 1 must be 1 (broadcast) or match query num heads");
        SAY(one_of(mask->dims[2], q->dims[2]),
            "Attention mask dim 2 must be 1 (broadcast) or match query sequence length");
        SAY(mask->dims[3] == k->dims[2],
            "Attention mask at dim 3 must match key/value sequence length (max sequence length)");
    }
    SAY(!causal || q->dims[2] == k->dims[2],
        "Sequence length must match key/value sequence length when is_causal is true");
    return true;
}

bool verify_ttir_scaled_dot_product_attention_decode(tsr_op *op)
{
    const tsr_type *q = IN(op, 0), *k = IN(op, 1), *mask = tt_in(op, 3), *pos = tt_in(op, 4);
    bool causal = tt_int(op, TTIR_SCALED_DOT_PRODUCT_ATTENTION_DECODE_is_causal, 1);
    SAY(q == OUT(op), "Query and result must have the same type");
    SAY(pos, "requires a cur_pos_tensor");
    SAY(tt_is_integer(pos->elem), "Cur pos tensor must be a tensor of integers");
    SAY(pos->n == 1, "Cur pos tensor must be a 1D tensor");
    TSR_TRY(qkv(op));
    SAY(q->dims[0] == 1, "Query dim 0 must be 1");
    SAY(pos->dims[0] == q->dims[1], "Cur pos tensor batch size must match query batch size");
    SAY(k->dims[0] == q->dims[1], "Key/Value batch size must match query batch size");
    SAY(k->dims[3] == q->dims[3], "Key/Value head size must match query head size");
    SAY(divides(q->dims[2], k->dims[1]),
        "Query num heads must be divisible by key/value num heads");
    if (!mask)
        return true;
    SAY(!causal, "Attention mask is not allowed when is_causal is true");
    SAY(mask->n == 4, "Attention mask must be a 4D tensor");
    SAY(one_of(mask->dims[0], q->dims[1]),
        "Attention mask batch size must be 1 (broadcast) or match query batch size");
    SAY(mask->dims[1] == 1, "Attention mask dim 1 must be 1");
    SAY(one_of(mask->dims[2], q->dims[2]),
        "Attention mask num heads must be 1 (broadcast) or match query num heads");
    SAY(mask->dims[3] == k->dims[2],
        "Attention mask sequence length must match key/value sequence length");
    return true;
}

bool verify_ttir_paged_scaled_dot_product_attention_decode(tsr_op *op)
{
    const tsr_type *q = IN(op, 0), *k = IN(op, 1), *v = IN(op, 2), *pages = IN(op, 3);
    const tsr_type *mask = tt_in(op, 5), *pos = tt_in(op, 6);
    bool causal = tt_int(op, TTIR_PAGED_SCALED_DOT_PRODUCT_ATTENTION_DECODE_is_causal, 1);
    SAY(tt_is_float(q->elem) && tt_is_float(k->elem) && tt_is_float(v->elem),
        "Query, key, and value must be float tensors.");
    SAY(tt_is_integer(pages->elem), "Page table must be an integer tensor.");
    SAY(k == v, "Key and value must have the same shape and data type.");
    SAY(q->n == 4, "Query must be a 4D tensor.");
    SAY(k->n == 4, "Key/Value tensor must be a 4D tensor.");
    SAY(pages->n == 2, "Page table tensor must be a 2D tensor.");
    SAY(q->dims[3] == k->dims[3], "Query head size must match key/value head size.");
    SAY(divides(q->dims[2], k->dims[1]),
        "Query num heads must be divisible by key/value num heads.");
    SAY(divides(k->dims[2], 32), "Block size must be divisible by 32.");
    SAY(pages->dims[0] == q->dims[1],
        "Page table number of users must match query number of users.");
    SAY(!causal || !mask, "Attention mask is not allowed when is_causal is true.");
    SAY(causal || mask, "Attention mask is required when is_causal is false.");
    if (!pos)
        return true;
    SAY(tt_is_integer(pos->elem), "Cur pos tensor must be an integer tensor.");
    SAY(pos->n == 1, "Cur pos tensor must be a 1D tensor.");
    SAY(pos->dims[0] == q->dims[1],
        "Cur pos tensor number of users must match query number of users.");
    return true;
}

bool verify_ttir_chunked_scaled_dot_product_attention(tsr_op *op)
{
    const tsr_type *q = IN(op, 0), *k = IN(op, 1), *v = IN(op, 2), *pages = IN(op, 3),
                   *start = IN(op, 4);
    SAY(q->n == 4, "Query must be a 4D tensor.");
    SAY(k->n == 4 && v->n == 4, "Key and value must be 4D tensors.");
    SAY(pages->n == 2, "Page table must be a 2D tensor.");
    SAY(start->n == 1, "Chunk start index must be a 1D tensor.");
    SAY(start->dims[0] == 1,
        "Chunk start index must have shape [1] (a single prefix offset shared by all users).");
    SAY(q->elem == k->elem && q->elem == v->elem,
        "Query, key, and value must have the same element type.");
    SAY(tt_is_float(q->elem), "Query, key, and value must be float tensors.");
    SAY(tt_is_integer(pages->elem), "Page table must be an integer tensor.");
    SAY(tt_is_integer(start->elem), "Chunk start index must be an integer tensor.");
    SAY(k == v, "Key and value must have the same shape and data type.");
    SAY(q->dims[3] == k->dims[3], "Query head size must match key/value head size.");
    SAY(divides(q->dims[1], k->dims[1]),
        "Query num heads must be divisible by key/value num heads.");
    SAY(divides(k->dims[2], 32), "Key/value block size must be divisible by 32.");
    SAY(pages->dims[0] == q->dims[0],
        "Page table number of users must match query number of users.");
    SAY(tt_same_shape(OUT(op), q), "Result shape must match query shape.");
    return true;
}

/* The query with heads of head_dim_v. */
bool infer_ttir_paged_flash_multi_latent_attention_decode(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    TSR_TRY(tt_shape_of(op, IN(op, 0), &s));
    if (s.n)
        s.d[s.n - 1] = tt_int(op, TTIR_PAGED_FLASH_MULTI_LATENT_ATTENTION_DECODE_head_dim_v, 0);
    return tt_result(op, out, &s);
}

bool verify_ttir_paged_flash_multi_latent_attention_decode(tsr_op *op)
{
    const tsr_type *q = IN(op, 0), *k = IN(op, 1), *v = tt_in(op, 2), *pages = tt_in(op, 3);
    SAY(q->n == 4, "Query must be a 4D tensor.");
    SAY(k->n == 4, "Key tensor must be a 4D tensor.");
    SAY(pages && pages->n == 2, "Page table tensor must be a 2D tensor.");
    SAY(tt_is_float(q->elem), "Query must be a float tensor.");
    SAY(q->elem == k->elem, "Query and key must have the same element type.");
    SAY(tt_is_integer(pages->elem), "Page table must be an integer tensor.");
    SAY(k->dims[1] == 1, "Key num KV heads (nkv) must be 1, got %lld.", (long long)k->dims[1]);
    if (v) {
        SAY(v->n == 4, "Value tensor must be a 4D tensor.");
        SAY(q->elem == v->elem, "Query and value must have the same element type.");
        SAY(v->dims[1] == 1, "Value num KV heads (nkv) must be 1, got %lld.",
            (long long)v->dims[1]);
    }
    SAY(tt_int(op, TTIR_PAGED_FLASH_MULTI_LATENT_ATTENTION_DECODE_head_dim_v, 0) != 0,
        "head_dim_v must be greater than 0.");
    return true;
}

/* ---- sdpa_fw and sdpa_bw ---- */

typedef struct {
    int64_t d[4]; /* batch, heads, rows, columns */
} four;

/* Ranks below 4 get leading ones; dimensions before the last two count as heads. */
static four as_four(const tsr_type *t)
{
    if (t->n == 4)
        return (four){{t->dims[0], t->dims[1], t->dims[2], t->dims[3]}};
    int64_t heads = 1;
    for (size_t i = 0; i + 2 < t->n; i++)
        heads = tt_times(heads, t->dims[i]);
    return (four){{1, heads, t->n >= 2 ? t->dims[t->n - 2] : 1, t->n ? t->dims[t->n - 1] : 1}};
}

static bool is_four(const tsr_type *t, int64_t a, int64_t b, int64_t c, int64_t d)
{
    four f = as_four(t);
    return f.d[0] == a && f.d[1] == b && f.d[2] == c && f.d[3] == d;
}

static bool sdpa_operands(const tsr_op *op, const tsr_type *qt, const tsr_type *kt,
                          const tsr_type *vt)
{
    SAY(qt->n >= 2 && kt->n >= 2 && vt->n >= 2,
        "query, key and value must have rank >= 2 (..., S, D)");
    four q = as_four(qt), k = as_four(kt), v = as_four(vt);
    SAY(q.d[0] == k.d[0] && q.d[0] == v.d[0],
        "query, key and value must share the same batch size");
    SAY(q.d[2] == k.d[2] && q.d[2] == v.d[2],
        "query, key and value must share the same sequence length");
    SAY(q.d[3] == k.d[3], "query and key must have the same head dimension");
    SAY(k.d[1] == v.d[1], "key and value must have the same number of heads");
    SAY(k.d[1] != 0 && divides(q.d[1], k.d[1]),
        "number of query heads must be a positive multiple of the number of key/value heads");
    return true;
}

static bool sdpa_mask(const tsr_op *op, int slot, const tsr_type *mask, int64_t rows)
{
    bool arbitrary = op->attrs[slot] && op->attrs[slot]->i == TSR_TT_MASK_ARBITRARY;
    SAY(!arbitrary || mask, "attention_mask is required when mask_type is 'arbitrary'");
    SAY(arbitrary || !mask, "attention_mask is only allowed when mask_type is 'arbitrary'");
    SAY(!mask || is_four(mask, 1, 1, rows, rows), "attention_mask must have shape (1, 1, S, S)");
    return true;
}

enum { SDPA_INTERMEDIATE = 32 };

bool infer_ttir_sdpa_fw(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    const tsr_type *v = IN(op, 2);
    TSR_TRY(sdpa_operands(op, IN(op, 0), IN(op, 1), v) && tt_shape_of(op, IN(op, 0), &s));
    s.d[s.n - 1] = v->dims[v->n - 1];
    TSR_TRY(tt_result(op, out, &s));
    s.d[s.n - 1] = SDPA_INTERMEDIATE;
    return !tt_int(op, TTIR_SDPA_FW_return_intermediates, 0) || tt_result(op, out, &s);
}

bool verify_ttir_sdpa_fw(tsr_op *op)
{
    const tsr_type *between = tt_out(op, 1);
    TSR_TRY(sdpa_operands(op, IN(op, 0), IN(op, 1), IN(op, 2)));
    four q = as_four(IN(op, 0)), v = as_four(IN(op, 2));
    TSR_TRY(sdpa_mask(op, TTIR_SDPA_FW_mask_type, tt_in(op, 3), q.d[2]));
    SAY(is_four(OUT(op), q.d[0], q.d[1], q.d[2], v.d[3]), "output must have shape (B, Hq, S, Dv)");
    SAY((tt_int(op, TTIR_SDPA_FW_return_intermediates, 0) != 0) == (between != NULL),
        "intermediates result must be present iff return_intermediates is true");
    SAY(!between || is_four(between, q.d[0], q.d[1], q.d[2], SDPA_INTERMEDIATE),
        "intermediates must have shape (B, Hq, S, 32)");
    return true;
}

bool infer_ttir_sdpa_bw(const tsr_op *op, tsr_type_vec *out)
{
    return tt_result_like(op, out, IN(op, 2)) && tt_result_like(op, out, IN(op, 3)) &&
           tt_result_like(op, out, IN(op, 4));
}

bool verify_ttir_sdpa_bw(tsr_op *op)
{
    static const char *const names[] = {"query", "key", "value"};
    TSR_TRY(sdpa_operands(op, IN(op, 2), IN(op, 3), IN(op, 4)));
    four q = as_four(IN(op, 2)), v = as_four(IN(op, 4));
    SAY(is_four(IN(op, 0), q.d[0], q.d[1], q.d[2], v.d[3]),
        "grad_output must have shape (B, Hq, S, Dv)");
    SAY(is_four(IN(op, 1), q.d[0], q.d[1], q.d[2], v.d[3]),
        "attn_output must have shape (B, Hq, S, Dv)");
    TSR_TRY(sdpa_mask(op, TTIR_SDPA_BW_mask_type, tt_in(op, 6), q.d[2]));
    for (size_t i = 0; i < 3; i++) {
        four f = as_four(IN(op, 2 + i));
        SAY(is_four(op->out[i].type, f.d[0], f.d[1], f.d[2], f.d[3]),
            "grad_%s must have the same shape as %s", names[i], names[i]);
    }
    return true;
}

/* ---- Heads ---- */

bool infer_ttir_concatenate_heads(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *in = IN(op, 0);
    SAY(in->n == 4, "expected rank of input tensor is 4, got rank %u", in->n);
    tt_shape s = {3, {in->dims[0], in->dims[2], tt_times(in->dims[1], in->dims[3])}};
    return tt_result(op, out, &s);
}

bool verify_ttir_concatenate_heads(tsr_op *op)
{
    const tsr_type *in = IN(op, 0), *out = OUT(op);
    SAY(in->n == 4, "expected rank of input tensor is 4, got rank %u", in->n);
    SAY(out->n == 3, "expected rank of output tensor is 3, got rank %u", out->n);
    SAY(in->dims[0] == out->dims[0], "expected output batch dimension to be %lld, got %lld",
        (long long)in->dims[0], (long long)out->dims[0]);
    SAY(in->dims[2] == out->dims[1], "expected output sequence dimension to be %lld, got %lld",
        (long long)in->dims[2], (long long)out->dims[1]);
    int64_t hidden = tt_times(in->dims[1], in->dims[3]);
    SAY(hidden == out->dims[2],
        "expected output hidden dimension to be num_heads * head_size = %lld, got %lld",
        (long long)hidden, (long long)out->dims[2]);
    return true;
}

static bool split_shapes(const tsr_op *op, tt_shape s[3])
{
    const tsr_type *in = IN(op, 0), *kv = tt_in(op, 1);
    int64_t heads = tt_int(op, TTIR_SPLIT_QUERY_KEY_VALUE_AND_SPLIT_HEADS_num_heads, 1);
    int64_t kv_heads = tt_int(op, TTIR_SPLIT_QUERY_KEY_VALUE_AND_SPLIT_HEADS_num_kv_heads, heads);
    SAY(in->n == 3, "expected rank of input tensor is 3, got rank %u", in->n);
    SAY(!kv || kv->n == 3, "expected rank of key/value input tensor is 3, got rank %u",
        kv ? kv->n : 0);
    SAY(heads > 0 && kv_heads > 0, "expected positive numbers of heads");
    const int64_t *from = kv ? kv->dims : in->dims;
    int64_t q_size = in->dims[2] == TSR_DYNAMIC ? TSR_DYNAMIC
                                                : in->dims[2] / (kv ? heads : heads + 2 * kv_heads);
    int64_t kv_size = !kv                          ? q_size
                      : kv->dims[2] == TSR_DYNAMIC ? TSR_DYNAMIC
                                                   : kv->dims[2] / (2 * kv_heads);
    bool transpose = tt_int(op, TTIR_SPLIT_QUERY_KEY_VALUE_AND_SPLIT_HEADS_transpose_key, 0);
    s[0] = (tt_shape){4, {in->dims[0], heads, in->dims[1], q_size}};
    s[1] = (tt_shape){
        4, {from[0], kv_heads, transpose ? kv_size : from[1], transpose ? from[1] : kv_size}};
    s[2] = (tt_shape){4, {from[0], kv_heads, from[1], kv_size}};
    return true;
}

bool infer_ttir_split_heads(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s[3];
    return split_shapes(op, s) && tt_result(op, out, &s[0]) && tt_result(op, out, &s[1]) &&
           tt_result(op, out, &s[2]);
}

bool verify_ttir_split_heads(tsr_op *op)
{
    static const char *const names[] = {"query", "key", "value"};
    const tsr_type *q = op->out[0].type, *k = op->out[1].type, *v = op->out[2].type;
    tt_shape s[3];
    SAY(IN(op, 0)->n == 3, "expected rank of input tensor is 3, got rank %u", IN(op, 0)->n);
    SAY(q->n == 4 && k->n == 4 && v->n == 4,
        "expected rank of query/key/value output tensor is 4, got query rank: %u, key rank: %u, "
        "value rank: %u",
        q->n, k->n, v->n);
    TSR_TRY(split_shapes(op, s));
    for (size_t i = 0; i < 3; i++)
        SAY(tt_shape_is(&s[i], op->out[i].type), "expected %s output shape (%s), got (%s)",
            names[i], tt_join(op, s[i].d, 4, ", "), tt_show(op, op->out[i].type, ", "));
    return true;
}
