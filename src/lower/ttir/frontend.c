/* SPDX-License-Identifier: Apache-2.0 */
/* frontend.c - lowers custom calls of tt.* targets to ops of TTIR.
 *
 * For each target a table gives the operands of a call, some of which are present only if a flag of the frontend is
 * set, their positions in TTIR's op, and the attributes that come from strings. A call that does not match stays. */
#include "lower/ttir/frontend.h"
#include "base/decimal.h"

/* ---- Strings ---- */

tsr_str tsr_frontend(const tsr_op *op, const char *name)
{
    const tsr_attr *dict =
        op->extra ? tsr_dict_get(op->extra, TSR_STR("mhlo.frontend_attributes")) : NULL;
    const tsr_attr *a =
        tsr_attr_is(dict, TSR_ATTR_DICT) ? tsr_given(dict, name, TSR_ATTR_STRING) : NULL;
    return a ? a->s : TSR_STR("");
}

static bool is_word(tsr_str s, const char *word)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.data[i] >= 'A' && s.data[i] <= 'Z' ? (char)(s.data[i] - 'A' + 'a') : s.data[i];
        if (!word[i] || c != word[i])
            return false;
    }
    return s.len == strlen(word);
}

bool tsr_frontend_bool(const tsr_op *op, const char *name, bool *out)
{
    tsr_str s = tsr_frontend(op, name);
    if (!s.len)
        return true;
    *out = is_word(s, "true");
    return *out || is_word(s, "false");
}

bool tsr_frontend_int(const tsr_op *op, const char *name, int64_t *out)
{
    tsr_str s = tsr_frontend(op, name);
    bool negative = s.len && s.data[0] == '-';
    int64_t n = 0;
    if (!s.len)
        return true;
    if (s.len > 18u + negative || s.len == negative)
        return false;
    for (size_t i = negative; i < s.len; i++) {
        if (s.data[i] < '0' || s.data[i] > '9')
            return false;
        n = n * 10 + (s.data[i] - '0');
    }
    *out = negative ? -n : n;
    return true;
}

bool tsr_frontend_float(const tsr_op *op, const char *name, double *out)
{
    tsr_str s = tsr_frontend(op, name);
    return !s.len || tsr_str_double(s, out);
}

/* ---- Tables ---- */

typedef enum { BOOL, F32, UI32, I64 } field_kind;

typedef struct {
    const char *name;
    field_kind kind;
    int slot;
    const char *without; /* default if the frontend gives none; NULL: none, unless needed */
    bool needed;
} field;

typedef struct {
    const char *flag; /* present only if this is true; NULL: always */
    uint32_t to;      /* its operand number in TTIR's op */
} operand;

enum { OPERANDS = 8, FIELDS = 4, NONE = -1 };

typedef struct {
    enum tsr_opcode opcode;
    uint32_t narg, nout; /* of TTIR's op, including optional operands */
    uint32_t noperand, nfield;
    operand operands[OPERANDS]; /* of the call, in its order */
    int destination;            /* the operand that is a ttir.empty; NONE */
    int segments;               /* the slot of operandSegmentSizes; NONE */
    field fields[FIELDS];
} call;

static bool set_field(tsr_build *b, const tsr_op *op, tsr_op *made, const field *f)
{
    tsr_attr **slot = &made->attrs[f->slot];
    bool is_there = tsr_frontend(op, f->name).len > 0, flag = false;
    int64_t number = 0;
    double real = 0;
    if (!is_there && !f->without)
        return !f->needed;
    switch (f->kind) {
    case BOOL:
        TSR_TRY(tsr_frontend_bool(op, f->name, &flag));
        *slot = tsr_attr_bool(b->ctx, flag);
        return true;
    case F32:
        TSR_TRY(tsr_frontend_float(op, f->name, &real));
        *slot = tsr_ttir_f32(b->ctx, real);
        return true;
    default: break;
    }
    if (!is_there)
        number = strtol(f->without, NULL, 10);
    TSR_TRY(tsr_frontend_int(op, f->name, &number));
    if (f->kind == UI32) {
        TSR_TRY(number >= 0 && number <= UINT32_MAX);
        *slot = tsr_ttir_ui32(b->ctx, number);
    } else {
        *slot = tsr_attr_i64(b->ctx, number);
    }
    return true;
}

/* The operands in the order of TTIR's op, with NULL for absent ones. */
static bool place_operands(tsr_build *b, const tsr_op *op, const call *c, tsr_value **in)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < c->noperand; i++) {
        bool there = !c->operands[i].flag;
        TSR_TRY(there || tsr_frontend_bool(op, c->operands[i].flag, &there));
        if (!there)
            continue;
        TSR_TRY(next < op->nin);
        in[c->operands[i].to] = op->in[next++].value;
    }
    if (c->destination != NONE)
        in[c->destination] = tsr_ttir_op(b, TSR_OP_TTIR_EMPTY, NULL, 0, op->out[0].type);
    return next == op->nin;
}

static bool build_call(tsr_build *b, tsr_op *op, const call *c, tsr_value **out)
{
    tsr_value *all[OPERANDS] = {NULL}, *in[OPERANDS];
    int64_t segments[OPERANDS];
    uint32_t n = 0;
    if (!tsr_ttir_static(op) || op->nout != c->nout || !place_operands(b, op, c, all))
        return false;
    for (uint32_t i = 0; i < c->narg; i++) {
        segments[i] = all[i] != NULL;
        if (all[i])
            in[n++] = all[i];
    }
    tsr_op *made = tsr_ttir_open(b, c->opcode, in, n, op->nout);
    if (c->segments != NONE)
        made->attrs[c->segments] = tsr_segments(b, segments, c->narg);
    bool ok = true;
    for (uint32_t i = 0; ok && i < c->nfield; i++)
        ok = set_field(b, op, made, &c->fields[i]);
    tsr_composite_close(b, made, op, out);
    return ok;
}

/* ---- Attention ---- */

#define OP(name) .opcode = TSR_OP_TTIR_##name
#define SLOT(name, attr) TTIR_##name##_##attr

// clang-format off
bool ttir_call_attention(tsr_build *b, tsr_op *op, tsr_value **out)
{
    call c = {
        OP(SCALED_DOT_PRODUCT_ATTENTION), .narg = 5, .nout = 1, .noperand = 5, .nfield = 3,
        .operands = {{NULL, 0}, {NULL, 1}, {NULL, 2}, {"has_attention_mask", 3},
                     {"has_attention_sink", 4}},
        .destination = NONE,
        .segments = SLOT(SCALED_DOT_PRODUCT_ATTENTION, operandSegmentSizes),
        .fields = {{"is_causal", BOOL, SLOT(SCALED_DOT_PRODUCT_ATTENTION, is_causal), NULL, false},
                   {"scale", F32, SLOT(SCALED_DOT_PRODUCT_ATTENTION, scale), NULL, false},
                   {"sliding_window_size", UI32,
                    SLOT(SCALED_DOT_PRODUCT_ATTENTION, sliding_window_size), NULL, false}},
    };
    if (op->nin == 4 && !tsr_frontend(op, "has_attention_mask").len &&
        !tsr_frontend(op, "has_attention_sink").len)
        c.operands[3].flag = NULL; /* older calls do not mark the fourth as a mask */
    return build_call(b, op, &c, out);
}

bool ttir_call_attention_decode(tsr_build *b, tsr_op *op, tsr_value **out)
{
    static const call c = {
        OP(SCALED_DOT_PRODUCT_ATTENTION_DECODE), .narg = 6, .nout = 1, .noperand = 6, .nfield = 2,
        .operands = {{NULL, 0}, {NULL, 1}, {NULL, 2}, {NULL, 4}, {"has_attention_mask", 3},
                     {"has_attention_sink", 5}},
        .destination = NONE,
        .segments = SLOT(SCALED_DOT_PRODUCT_ATTENTION_DECODE, operandSegmentSizes),
        .fields = {{"is_causal", BOOL, SLOT(SCALED_DOT_PRODUCT_ATTENTION_DECODE, is_causal), NULL,
                    false},
                   {"scale", F32, SLOT(SCALED_DOT_PRODUCT_ATTENTION_DECODE, scale), NULL, false}},
    };
    return build_call(b, op, &c, out);
}

#define PAGED_SLOT(attr) TTIR_PAGED_SCALED_DOT_PRODUCT_ATTENTION_DECODE_##attr
bool ttir_call_paged_attention_decode(tsr_build *b, tsr_op *op, tsr_value **out)
{
    static const call c = {
        OP(PAGED_SCALED_DOT_PRODUCT_ATTENTION_DECODE), .narg = 8, .nout = 1, .noperand = 7,
        .nfield = 3,
        .operands = {{NULL, 0}, {NULL, 1}, {NULL, 2}, {NULL, 3}, {"has_attention_mask", 5},
                     {"has_cur_pos_tensor", 6}, {"has_attention_sink", 7}},
        .destination = 4,
        .segments = PAGED_SLOT(operandSegmentSizes),
        .fields = {{"is_causal", BOOL, PAGED_SLOT(is_causal), NULL, false},
                   {"scale", F32, PAGED_SLOT(scale), NULL, false},
                   {"sliding_window_size", UI32, PAGED_SLOT(sliding_window_size), NULL, false}},
    };
    return build_call(b, op, &c, out);
}

bool ttir_call_chunked_attention(tsr_build *b, tsr_op *op, tsr_value **out)
{
    static const call c = {
        OP(CHUNKED_SCALED_DOT_PRODUCT_ATTENTION), .narg = 6, .nout = 1, .noperand = 5, .nfield = 1,
        .operands = {{NULL, 0}, {NULL, 1}, {NULL, 2}, {NULL, 3}, {NULL, 4}},
        .destination = 5, .segments = NONE,
        .fields = {{"scale", F32, SLOT(CHUNKED_SCALED_DOT_PRODUCT_ATTENTION, scale), NULL, false}},
    };
    return build_call(b, op, &c, out);
}

#define LATENT_SLOT(attr) TTIR_PAGED_FLASH_MULTI_LATENT_ATTENTION_DECODE_##attr
bool ttir_call_paged_flash_mla_decode(tsr_build *b, tsr_op *op, tsr_value **out)
{
    static const call c = {
        OP(PAGED_FLASH_MULTI_LATENT_ATTENTION_DECODE), .narg = 7, .nout = 1, .noperand = 7,
        .nfield = 3,
        .operands = {{NULL, 0}, {NULL, 1}, {"has_value", 2}, {NULL, 3}, {"has_attention_mask", 4},
                     {"has_cur_pos_tensor", 5}, {"has_attention_sink", 6}},
        .destination = NONE,
        .segments = LATENT_SLOT(operandSegmentSizes),
        .fields = {{"head_dim_v", UI32, LATENT_SLOT(head_dim_v), NULL, true},
                   {"is_causal", BOOL, LATENT_SLOT(is_causal), NULL, false},
                   {"scale", F32, LATENT_SLOT(scale), NULL, false}},
    };
    return build_call(b, op, &c, out);
}

/* ---- Experts and others ---- */

bool ttir_call_sampling(tsr_build *b, tsr_op *op, tsr_value **out)
{
    static const call c = {
        OP(SAMPLING), .narg = 5, .nout = 1, .noperand = 5, .nfield = 1,
        .operands = {{NULL, 0}, {NULL, 1}, {NULL, 2}, {NULL, 3}, {NULL, 4}},
        .destination = NONE, .segments = NONE,
        .fields = {{"seed", UI32, SLOT(SAMPLING, seed), NULL, false}},
    };
    return build_call(b, op, &c, out);
}

bool ttir_call_sparse_matmul(tsr_build *b, tsr_op *op, tsr_value **out)
{
    /* A frontend gives 0 for an unknown number; TTIR's op omits it then. */
    int64_t nnz = 0;
    TSR_TRY(tsr_frontend_int(op, "nnz", &nnz));
    const call c = {
        OP(SPARSE_MATMUL), .narg = 3, .nout = 1, .noperand = 3, .nfield = nnz > 0 ? 3 : 2,
        .operands = {{NULL, 0}, {NULL, 1}, {NULL, 2}},
        .destination = NONE, .segments = NONE,
        .fields = {{"is_input_a_sparse", BOOL, SLOT(SPARSE_MATMUL, is_input_a_sparse), NULL, false},
                   {"is_input_b_sparse", BOOL, SLOT(SPARSE_MATMUL, is_input_b_sparse), NULL, false},
                   {"nnz", I64, SLOT(SPARSE_MATMUL, nnz), NULL, false}},
    };
    return build_call(b, op, &c, out);
}

bool ttir_call_dispatch(tsr_build *b, tsr_op *op, tsr_value **out)
{
    static const call c = {
        OP(ALL_TO_ALL_DISPATCH), .narg = 3, .nout = 2, .noperand = 3, .nfield = 2,
        .operands = {{NULL, 0}, {NULL, 1}, {NULL, 2}},
        .destination = NONE, .segments = NONE,
        .fields = {{"num_devices", I64, SLOT(ALL_TO_ALL_DISPATCH, num_devices), "1", false},
                   {"cluster_axis", I64, SLOT(ALL_TO_ALL_DISPATCH, cluster_axis), "0", false}},
    };
    return build_call(b, op, &c, out);
}

/* If experts are also spread over the other axis, each device has computed part of a sum. */
bool ttir_call_combine(tsr_build *b, tsr_op *op, tsr_value **out)
{
    static const call c = {
        OP(ALL_TO_ALL_COMBINE), .narg = 3, .nout = 1, .noperand = 3, .nfield = 4,
        .operands = {{NULL, 0}, {NULL, 1}, {NULL, 2}},
        .destination = NONE, .segments = NONE,
        .fields = {{"num_devices", I64, SLOT(ALL_TO_ALL_COMBINE, num_devices), "1", false},
                   {"cluster_axis", I64, SLOT(ALL_TO_ALL_COMBINE, cluster_axis), "0", false},
                   {"num_experts_per_tok", I64, SLOT(ALL_TO_ALL_COMBINE, num_experts_per_tok), "2",
                    false},
                   {"output_shard_dim", I64, SLOT(ALL_TO_ALL_COMBINE, output_shard_dim), "2",
                    false}},
    };
    int64_t devices = 1, axis = 0;
    TSR_TRY(build_call(b, op, &c, out) && tsr_frontend_int(op, "num_devices", &devices) &&
            tsr_frontend_int(op, "cluster_axis", &axis));
    const tsr_type *mapping = op->in[2].value->type;
    if (devices < 2 || mapping->n != 4 || mapping->dims[3] / devices < 2)
        return true;
    tsr_op *sum = tsr_ttir_open(b, TSR_OP_TTIR_ALL_REDUCE, out, 1, 1);
    sum->attrs[TTIR_ALL_REDUCE_reduce_type] =
        tsr_attr_enum(b->ctx, &tsr_def_TTCORE_REDUCE_TYPE, TSR_TT_SUM);
    sum->attrs[TTIR_ALL_REDUCE_cluster_axis] = tsr_ttir_ui32(b->ctx, axis == 0);
    out[0] = tsr_ttir_close(b, sum, op->out[0].type);
    return true;
}

bool ttir_call_token_remap(tsr_build *b, tsr_op *op, tsr_value **out)
{
    static const call c = {
        OP(MOE_EXPERT_TOKEN_REMAP), .narg = 3, .nout = 2, .noperand = 3, .nfield = 1,
        .operands = {{NULL, 0}, {NULL, 1}, {NULL, 2}},
        .destination = NONE, .segments = NONE,
        .fields = {{"reduction_size", I64, SLOT(MOE_EXPERT_TOKEN_REMAP, reduction_size), "16",
                    false}},
    };
    return build_call(b, op, &c, out);
}
// clang-format on

/* A user-written kernel: results are written into tensors that are passed to it. */
bool ttir_call_tt_lang(tsr_build *b, tsr_op *op, tsr_value **out)
{
    static const struct {
        const char *name;
        int slot;
    } strings[] = {{"kernel_id", TTIR_TT_LANG_OP_kernel_id},
                   {"version_tag", TTIR_TT_LANG_OP_version_tag},
                   {"arg_roles", TTIR_TT_LANG_OP_arg_roles}};
    if (!tsr_ttir_static(op) || !op->nin || !op->nout)
        return false;
    for (size_t i = 0; i < TSR_COUNT(strings); i++)
        TSR_TRY(tsr_frontend(op, strings[i].name).len);
    tsr_value_vec in = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, op->in[i].value);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&in, tsr_ttir_op(b, TSR_OP_TTIR_EMPTY, NULL, 0, op->out[i].type));
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_TT_LANG_OP, in.data, in.n, op->nout);
    for (size_t i = 0; i < TSR_COUNT(strings); i++)
        made->attrs[strings[i].slot] = tsr_attr_string(b->ctx, tsr_frontend(op, strings[i].name));
    if (tsr_frontend(op, "shard_spec").len)
        made->attrs[TTIR_TT_LANG_OP_shard_spec] =
            tsr_attr_string(b->ctx, tsr_frontend(op, "shard_spec"));
    tsr_composite_close(b, made, op, out);
    tsr_vec_free(&in);
    return true;
}

/* A call that only annotates its operand. */
bool ttir_call_itself(tsr_build *b, tsr_op *op, tsr_value **out)
{
    (void)b;
    if (op->nin != 1 || op->nout != 1 || op->in[0].value->type != op->out[0].type)
        return false;
    out[0] = op->in[0].value;
    return true;
}
