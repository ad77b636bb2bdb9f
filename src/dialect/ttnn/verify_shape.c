/* SPDX-License-Identifier: Apache-2.0 */
/* verify_shape.c - shape rules of TTNN's ops for which TTIR has none or another message: reductions, norms,
 * collectives, experts. */
#include "dialect/ttnn/say.h"
#include "dialect/ttnn/view.h"

#define NEXT(s, size) (s).d[(s).n++] = (size)

/* ---- Reductions ---- */

bool verify_ttnn_argmax(tsr_op *op)
{
    const tsr_type *in = IN(op, 0);
    const tsr_attr *dim = op->attrs[TTNN_ARGMAX_dim];
    bool keep = tt_int(op, TTNN_ARGMAX_keep_dim, 0);
    tt_shape want = {.n = 0};
    size_t at = SIZE_MAX;
    TSR_TRY(tt_encoded(op));
    SAY(!dim || tt_dim(dim->i, in->n, &at),
        "dim attribute value %lld is out of range for input tensor of rank %u, expected value in "
        "range [-%u, %d]",
        LL(dim->i), in->n, in->n, (int)in->n - 1);
    for (size_t i = 0; i < in->n && i < TT_MAX_RANK; i++) {
        bool gone = !dim || i == at;
        if (!gone || keep)
            NEXT(want, gone ? 1 : in->dims[i]);
    }
    SAY(tt_shape_is(&want, OUT(op)), "expected output shape (%s), got (%s)",
        tt_join(op, want.d, want.n, ", "), tt_show(op, OUT(op), ", "));
    return true;
}

bool verify_ttnn_prod(tsr_op *op)
{
    TSR_TRY(tt_encoded(op));
    SAY(IN(op, 0)->n <= 4, "Input tensor rank is greater than 4 for reduce(product).");
    return true;
}

bool verify_ttnn_pow_scalar(tsr_op *op)
{
    const tsr_attr *e = op->attrs[TTNN_POW_SCALAR_rhs];
    TSR_TRY(tt_encoded(op));
    if (e->kind == TSR_ATTR_INT)
        SAY(e->i >= 0, "exponent must be non-negative; but got %lld", LL(e->i));
    else if (tt_float(op, TTNN_POW_SCALAR_rhs, 0) < 0)
        return tsr_op_error(op, "exponent must be non-negative; but got %.1f",
                            tt_float(op, TTNN_POW_SCALAR_rhs, 0));
    return true;
}

bool verify_ttnn_repeat(tsr_op *op)
{
    const tsr_type *in = IN(op, 0), *out = OUT(op);
    const tsr_attr *times = op->attrs[TTNN_REPEAT_repeat_dims]->attrs[0];
    TSR_TRY(tt_encoded(op));
    SAY(in->n == tt_count(times),
        "Input tensor rank %u doesn't match the number of repeat dimensions %zu.", in->n,
        tt_count(times));
    SAY(in->n == out->n, "Input tensor rank %u doesn't match the output tensor rank %u.", in->n,
        out->n);
    for (size_t i = 0; i < in->n; i++) {
        int64_t k = tsr_attr_int_at(times, i);
        SAY(k > 0, "Repeat dimension at index %zu must be greater than 0.", i);
        SAY(tt_times(in->dims[i], k) == out->dims[i],
            "Input tensor shape (%s) at index %zu does not repeat to output (%s) using repeat "
            "value %lld.",
            tt_show(op, in, ","), i, tt_show(op, out, ","), LL(k));
    }
    return true;
}

bool verify_ttnn_gather(tsr_op *op)
{
    const tsr_type *in = IN(op, 0), *index = IN(op, 1);
    int64_t dim = tt_int(op, TTNN_GATHER_dim, 0);
    size_t at;
    bool narrow =
        tt_is_integer(index->elem) && index->elem->width == 16 && index->elem->sub == TSR_UNSIGNED;
    TSR_TRY(tt_encoded(op));
    SAY(narrow || (tt_is_integer(index->elem) && index->elem->width == 32),
        "Index tensor element type must be one of ui16, ui32, si32 or i32, got %s",
        tt_show_type(op, index->elem));
    SAY(in->n == index->n,
        "Input tensor and index tensor must have the same rank. Got input rank = %u, index rank = "
        "%u",
        in->n, index->n);
    SAY(in->n >= 1, "Input tensor and index tensor must have rank >= 1. Got rank = %u", in->n);
    SAY(tt_dim(dim, in->n, &at), "Dimension must be in the range [-%u, %u), got dim = %lld", in->n,
        in->n, LL(dim));
    SAY(tt_same_shape(index, OUT(op)), "Index tensor and result tensor must have the same shape.");
    return true;
}

bool verify_ttnn_sort(tsr_op *op)
{
    tsr_ttnn_view v;
    TSR_TRY(tt_encoded(op));
    int64_t dim = tt_int(op, TTNN_SORT_dim, -1), rank = IN(op, 0)->n;
    SAY(dim < -rank || dim >= rank || tt_is_integer(op->out[1].type->elem),
        "Expected integer data type for indices but got %s",
        tt_show_type(op, op->out[1].type->elem));
    return !tsr_ttnn_view_of(op, &v) || v.def.verify(&v.op);
}

/* A bias with a height of one tile may be added to rows of the product without broadcasting the product. */
bool verify_ttnn_linear(tsr_op *op)
{
    tsr_ttnn_view v;
    tsr_type_vec sum = {0}, product = {0};
    TSR_TRY(tt_encoded(op));
    const tsr_type *bias = tt_in(op, 2);
    if (!tsr_ttnn_view_of(op, &v))
        return true;
    bool ok = v.def.infer(&v.op, &sum);
    v.op.nin = 2;
    ok = ok && v.def.infer(&v.op, &product);
    if (ok && !tt_same_shape(OUT(op), sum.data[0])) {
        bool tile = bias && bias->n > 1 && bias->dims[bias->n - 2] <= TSR_TTNN_TILE;
        ok = (tile && tt_same_shape(OUT(op), product.data[0])) ||
             tsr_op_error(op, "Output shape(%s) must match the broadcasted shape(%s)%s%s%s",
                          tt_show(op, OUT(op), ","), tt_show(op, sum.data[0], ","),
                          tile ? " or the matmul output shape(" : "",
                          tile ? tt_show(op, product.data[0], ",") : "", tile ? ")" : "");
    }
    tsr_vec_free(&sum);
    tsr_vec_free(&product);
    return ok;
}

/* ---- Norms ---- */

static bool affine_fits(const tsr_op *op, size_t group, const char *name)
{
    const tsr_type *in = IN(op, 0), *t = tt_in(op, group);
    if (!t)
        return true;
    if (in->n == 0)
        SAY(t->n == 0, "%s tensor must be 0D for 0D input tensor", name);
    else
        SAY(t->n == 1 && t->dims[0] == in->dims[in->n - 1],
            "%s tensor must be 1D with size matching the last dimension of input", name);
    return true;
}

bool verify_ttnn_norm(tsr_op *op)
{
    TSR_TRY(tt_encoded(op));
    SAY(tt_same_shape(IN(op, 0), OUT(op)), "input and output must have the same shape");
    return affine_fits(op, 1, "weight") && affine_fits(op, 2, "bias");
}

/* All dimensions but the last. */
static bool rows_match(const tsr_op *op)
{
    const tsr_type *in = IN(op, 0), *out = OUT(op);
    for (uint32_t i = 0; i + 1 < in->n; i++)
        SAY(in->dims[i] == out->dims[i],
            "output dimension %u (%lld) must match input dimension (%lld)", i, LL(out->dims[i]),
            LL(in->dims[i]));
    return true;
}

bool verify_ttnn_rms_norm_pre_all_gather(tsr_op *op)
{
    const tsr_type *residual = tt_in(op, 1);
    TSR_TRY(tt_encoded(op));
    SAY(IN(op, 0)->n > 1, "input tensor must have rank greater than 1");
    SAY(IN(op, 0)->n == OUT(op)->n, "input rank must match the output rank");
    TSR_TRY(rows_match(op));
    SAY(!residual || tt_same_shape(residual, IN(op, 0)),
        "residual tensor shape must match the input tensor shape");
    return true;
}

bool verify_ttnn_layer_norm_pre_all_gather(tsr_op *op)
{
    enum { STATISTICS = 2 * TSR_TTNN_TILE };
    const tsr_type *in = IN(op, 0), *out = OUT(op), *residual = tt_in(op, 1);
    TSR_TRY(tt_encoded(op));
    SAY(in->n >= 2, "input tensor must have rank >= 2");
    SAY(!residual || tt_same_shape(residual, in), "residual_input shape must match input shape");
    SAY(in->n == out->n, "input and output must have the same rank");
    TSR_TRY(rows_match(op));
    SAY(out->dims[out->n - 1] == STATISTICS,
        "output last dimension must be %d (2 * TILE_WIDTH) for layernorm partial statistics, got "
        "%lld",
        STATISTICS, LL(out->dims[out->n - 1]));
    return true;
}

bool verify_ttnn_layer_norm_post_all_gather(tsr_op *op)
{
    TSR_TRY(tt_encoded(op));
    SAY(IN(op, 0)->n >= 2, "input must have rank >= 2");
    SAY(IN(op, 1)->n >= 2, "stats must have rank >= 2");
    SAY(tt_same_shape(IN(op, 0), OUT(op)), "input and output must have the same shape");
    return affine_fits(op, 2, "weight") && affine_fits(op, 3, "bias");
}

bool verify_ttnn_batch_norm(tsr_op *op)
{
    static const char *const names[] = {"Input", "Running mean", "Running variance", "Weight",
                                        "Bias"};
    TSR_TRY(tt_encoded(op));
    for (size_t i = 0; i < TSR_COUNT(names); i++) {
        const tsr_type *t = tt_in(op, i);
        SAY(!t || t->n == 4, "%s tensor must have rank 4", names[i]);
    }
    return true;
}

/* ---- Between devices ---- */

bool verify_ttnn_all_gather(tsr_op *op)
{
    int64_t dim = tt_int(op, TTNN_ALL_GATHER_all_gather_dim, 0);
    const tsr_attr *in = tsr_ttnn_layout_of(IN(op, 0)), *out = tsr_ttnn_layout_of(OUT(op));
    size_t at;
    TSR_TRY(tt_encoded(op));
    SAY(tt_dim(dim, IN(op, 0)->n, &at),
        "Invalid gather dimension for all reduce op. Gather dimension must be >= to input tensor "
        "rank or < -input tensor rank, got gather_dim = %lld",
        LL(dim));
    SAY(!in || !out || tsr_ttnn_is_tiled(in) == tsr_ttnn_is_tiled(out),
        "Input and output layouts must agree, but got input layout %s and output layout %s. "
        "all_gather is layout-preserving and cannot convert between tiled and row-major layouts.",
        tsr_ttnn_is_tiled(in) ? "tile" : "row_major",
        tsr_ttnn_is_tiled(out) ? "tile" : "row_major");
    return true;
}

bool verify_ttnn_point_to_point(tsr_op *op)
{
    const tsr_type *in = IN(op, 0), *out = tt_in(op, 1);
    TSR_TRY(tt_encoded(op));
    if (!out)
        return true;
    SAY(in->elem == out->elem && tt_same_shape(in, out),
        "Optional output tensor must match input tensor in shape and element type.");
    SAY(op->attrs[TTNN_POINT_TO_POINT_sender_coord] !=
            op->attrs[TTNN_POINT_TO_POINT_receiver_coord],
        "Can't send/receive to the same device");
    return true;
}

/* ---- Experts ---- */

/* A value that must be ranked: operand i, or result -1 - i. */
typedef struct {
    int at;
    uint32_t rank;
    const char *name, *dims;
} ranked;

static bool ranks(const tsr_op *op, const ranked *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const tsr_type *t = list[i].at >= 0 ? IN(op, list[i].at) : op->out[-1 - list[i].at].type;
        SAY(t->n == list[i].rank, "%s must be a %uD tensor%s%s", list[i].name, list[i].rank,
            *list[i].dims ? " " : "", list[i].dims);
    }
    return true;
}

static bool devices(const tsr_op *op)
{
    int64_t axis = tsr_op_attr(op, TSR_STR("cluster_axis"))->i;
    SAY(tsr_op_attr(op, TSR_STR("num_devices"))->i > 0, "num_devices must be positive");
    SAY(axis == 0 || axis == 1, "cluster_axis must be 0 or 1");
    return true;
}

bool verify_ttnn_dispatch_metadata(tsr_op *op)
{
    static const ranked list[] = {
        {0, 4, "input_tensor", "[1, 1, M, H]"},
        {1, 4, "expert_indices", "[1, 1, M, K]"},
        {2, 4, "expert_scores", "[1, 1, M, K]"},
        {3, 2, "expert_mapping", "[D, E]"},
        {-1, 3, "dispatched output", "[1, tokens_global, H]"},
        {-2, 3, "indices output", "[1, tokens_global, K]"},
        {-3, 3, "scores output", "[1, tokens_global, K]"},
    };
    TSR_TRY(tt_encoded(op) && ranks(op, list, TSR_COUNT(list)) && devices(op));
    int bound = (tt_in(op, 4) != NULL) + (tt_in(op, 5) != NULL) + (tt_in(op, 6) != NULL);
    SAY(bound == 0 || bound == 3, "dispatched_buffer, indices_buffer and scores_buffer must be all "
                                  "bound or all unbound");
    return true;
}

bool verify_ttnn_combine(tsr_op *op)
{
    static const ranked list[] = {
        {0, 4, "input_tensor", "[E_local, B*D, S, H]"},
        {1, 4, "expert_metadata", "[1, B*D, S, K]"},
        {2, 4, "expert_mapping", "[1, 1, E, D]"},
        {-1, 4, "result", "[K, B, S, H]"},
    };
    int64_t dim = tt_int(op, TTNN_ALL_TO_ALL_COMBINE_output_shard_dim, 2);
    TSR_TRY(tt_encoded(op) && ranks(op, list, TSR_COUNT(list)) && devices(op));
    SAY(tt_int(op, TTNN_ALL_TO_ALL_COMBINE_num_experts_per_tok, 1) > 0,
        "num_experts_per_tok must be positive");
    SAY(dim == 1 || dim == 2, "output_shard_dim must be 1 or 2, got %lld", LL(dim));
    return true;
}

bool verify_ttnn_token_remap(tsr_op *op)
{
    static const ranked list[] = {
        {0, 4, "topk_tensor", "[D, B, S, E]"},
        {1, 4, "expert_mapping", "[1, 1, E, D]"},
        {2, 4, "expert_metadata", "[D, B, S, K]"},
        {-1, 4, "mapping output", ""},
        {-2, 4, "reduced output", ""},
    };
    TSR_TRY(tt_encoded(op) && ranks(op, list, TSR_COUNT(list)));
    SAY(tt_int(op, TTNN_MOE_EXPERT_TOKEN_REMAP_reduction_size, 1) > 0,
        "reduction_size must be positive");
    return true;
}

static bool times_tile(const tsr_op *op, tsr_str name)
{
    int64_t size = tsr_op_attr(op, name)->i;
    SAY(size > 0 && size % TSR_TTNN_TILE == 0, "%.*s must be a positive multiple of %d",
        TSR_STR_ARG(name), TSR_TTNN_TILE);
    return true;
}

bool verify_ttnn_prepare_experts(tsr_op *op)
{
    TSR_TRY(tt_encoded(op) && times_tile(op, TSR_STR("hidden_size")) &&
            times_tile(op, TSR_STR("intermediate_size")));
    bool both = op->def->opcode == TSR_OP_TTNN_PREPARE_MOE_COMPUTE_W0_W1_WEIGHTS;
    SAY(!both || (tt_in(op, 2) != NULL) == (tt_in(op, 3) != NULL),
        "bias_0 and bias_1 must be both present or both absent");
    return true;
}

bool verify_ttnn_moe_compute(tsr_op *op)
{
    const tsr_type *in = IN(op, 0);
    TSR_TRY(tt_encoded(op) && times_tile(op, TSR_STR("intermediate_size")));
    SAY(tt_int(op, TTNN_MOE_COMPUTE_output_height_shard_dim, 1) != 0,
        "output_height_shard_dim must be positive");
    SAY(in->n >= 2, "tilize_input_tensor must have rank >= 2");
    int64_t hidden = in->dims[in->n - 1];
    SAY(hidden > 0 && hidden % TSR_TTNN_TILE == 0,
        "tilize_input_tensor last dim (hidden_size) must be a positive multiple of 32");
    return true;
}
