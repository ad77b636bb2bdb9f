/* SPDX-License-Identifier: Apache-2.0 */
/* numeric.c - result types and rules of batch normalization, matrix decompositions, FFT, einsum and random numbers. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/cases.h"
#include "dialect/stablehlo/types.h"

/* ---- Batch normalization ---- */

static bool all_compatible(const tsr_op *op, const uint8_t *which, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            if (!tsr_hlo_compatible_shape(tsr_hlo_in(op, which[i]), tsr_hlo_in(op, which[k])))
                return false;
    return true;
}

/* many: operands of full shape; one: operands with one number per feature. */
static bool check_batch_norm(const tsr_op *op, const uint8_t *many, size_t nmany,
                             const uint8_t *one, size_t none, int64_t feature)
{
    const tsr_type *t = tsr_hlo_in(op, many[0]), *single = tsr_hlo_in(op, one[0]);
    if (!all_compatible(op, many, nmany))
        return tsr_hlo_error(op, "expects multi-dimensional operands to have compatible shapes.");
    if (!all_compatible(op, one, none))
        return tsr_hlo_error(op, "expects single-dimensional operands to have compatible shapes.");
    if (feature < 0 || feature >= t->n)
        return tsr_hlo_error(
            op,
            "expects featureIndex to be smaller than the rank of multi-dimensional operands; got "
            "featureIndex %lld, and rank %u.",
            (long long)feature, t->n);
    if (!tsr_hlo_dims_compatible(single->dims[0], t->dims[feature]))
        return tsr_hlo_error(
            op,
            "expects the size of single-dimensional operands to be compatible with feature count, "
            "but "
            "the size of single-dimensional operands is %s and the feature count is %s.",
            tsr_hlo_show_dim(t->ctx, single->dims[0]), tsr_hlo_show_dim(t->ctx, t->dims[feature]));
    return true;
}

/* The operand's type, then twice the type of its features. */
static void push_batch_norm(const tsr_type *t, int64_t feature, tsr_type_vec *out)
{
    tsr_hlo_dim d = tsr_hlo_dim_of(t, (size_t)feature);
    tsr_attr *encoding = tsr_hlo_bounds(t) ? tsr_hlo_encoding(t->ctx, NULL, &d.bound, 1) : NULL;
    tsr_type *single = tsr_type_tensor(t->ctx, &d.size, 1, t->elem, encoding);
    tsr_vec_push(out, (tsr_type *)t);
    tsr_vec_push(out, single);
    tsr_vec_push(out, single);
}

bool infer_stablehlo_batch_norm_grad(const tsr_op *op, tsr_type_vec *out)
{
    static const uint8_t many[] = {0, 4}, one[] = {1, 2, 3};
    int64_t feature = tsr_attr_of(op, STABLEHLO_BATCH_NORM_GRAD_feature_index)->i;
    TSR_TRY(check_batch_norm(op, many, TSR_COUNT(many), one, TSR_COUNT(one), feature));
    push_batch_norm(tsr_hlo_in(op, 0), feature, out);
    return true;
}

bool infer_stablehlo_batch_norm_training(const tsr_op *op, tsr_type_vec *out)
{
    static const uint8_t many[] = {0}, one[] = {1, 2};
    int64_t feature = tsr_attr_of(op, STABLEHLO_BATCH_NORM_TRAINING_feature_index)->i;
    TSR_TRY(check_batch_norm(op, many, TSR_COUNT(many), one, TSR_COUNT(one), feature));
    push_batch_norm(tsr_hlo_in(op, 0), feature, out);
    return true;
}

bool infer_stablehlo_batch_norm_inference(const tsr_op *op, tsr_type_vec *out)
{
    static const uint8_t many[] = {0}, one[] = {1, 2, 3, 4};
    int64_t feature = tsr_attr_of(op, STABLEHLO_BATCH_NORM_INFERENCE_feature_index)->i;
    TSR_TRY(check_batch_norm(op, many, TSR_COUNT(many), one, TSR_COUNT(one), feature));
    tsr_vec_push(out, tsr_hlo_in(op, 0));
    return true;
}

/* ---- Matrices ---- */

bool infer_stablehlo_cholesky(const tsr_op *op, tsr_type_vec *out)
{
    tsr_type *a = tsr_hlo_in(op, 0);
    if (a->n < 2)
        return tsr_hlo_error(op, "argument 'a' must have rank >= 2, got shape %s.",
                             tsr_hlo_show_dims(a->ctx, a->dims, a->n));
    if (!tsr_hlo_dims_compatible(a->dims[a->n - 2], a->dims[a->n - 1]))
        return tsr_hlo_error(op, "minor dimensions of 'a' must have equal size, got shape %s.",
                             tsr_hlo_show_dims(a->ctx, a->dims, a->n));
    tsr_vec_push(out, a);
    return true;
}

bool infer_stablehlo_triangular_solve(const tsr_op *op, tsr_type_vec *out)
{
    tsr_type *a = tsr_hlo_in(op, 0), *b = tsr_hlo_in(op, 1);
    bool left = tsr_attr_of(op, STABLEHLO_TRIANGULAR_SOLVE_left_side)->i != 0;
    if (a->n < 2)
        return tsr_hlo_error(op, "operand 'a' must have rank >= 2, but got %s",
                             tsr_hlo_show_type(a));
    if (!tsr_hlo_dims_compatible(a->dims[a->n - 2], a->dims[a->n - 1]))
        return tsr_hlo_error(op,
                             "two minor dimensions of operand 'a' must be compatible, but got %s",
                             tsr_hlo_show_type(a));
    const char *wrong = NULL;
    if (a->n != b->n)
        wrong = "operands must have equal rank";
    else if (!tsr_hlo_dims_compatible(a->dims[a->n - 1], b->dims[b->n - (left ? 2 : 1)]))
        wrong = "shared dimension of operands 'a' and 'b' must be compatible";
    for (uint32_t i = 0; !wrong && i + 2 < a->n; i++)
        if (!tsr_hlo_dims_compatible(a->dims[i], b->dims[i]))
            wrong = "batch dimensions of the operands must be compatible";
    if (wrong)
        return tsr_hlo_error(op, "%s, but got %s and %s", wrong, tsr_hlo_show_type(a),
                             tsr_hlo_show_type(b));
    if (tsr_attr_of(op, STABLEHLO_TRIANGULAR_SOLVE_transpose_a)->i == TSR_SOLVE_TRANSPOSE_INVALID)
        return tsr_hlo_error(op, "Invalid transpose option value for triangular solve");
    tsr_vec_push(out, b);
    return true;
}

/* ---- FFT ---- */

/* The element type of the result; NULL after a diagnostic. */
static tsr_type *fft_element(const tsr_op *op, const tsr_type *t, int64_t kind)
{
    tsr_type *elem = t->elem;
    bool real = elem->kind == TSR_TYPE_FLOAT && (elem->sub == TSR_F32 || elem->sub == TSR_F64);
    if (kind == TSR_FFT_RFFT && !real) {
        tsr_hlo_error(op, "RFFT requires f32 or f64 input type, but is given %s.",
                      tsr_hlo_show_type(elem));
        return NULL;
    }
    if (kind != TSR_FFT_RFFT && elem->kind != TSR_TYPE_COMPLEX) {
        tsr_hlo_error(op, "FFT/IFFT/IRFFT take a complex tensor as input, but is given %s.",
                      tsr_hlo_show_type(t));
        return NULL;
    }
    return kind == TSR_FFT_RFFT    ? tsr_type_complex(t->ctx, elem)
           : kind == TSR_FFT_IRFFT ? elem->elem
                                   : elem;
}

/* Whether the last dimensions are those of the transform, as far as its kind requires. */
static bool check_fft_dims(const tsr_op *op, const tsr_type *t, int64_t kind,
                           const tsr_attr *length)
{
    size_t n = tsr_hlo_len(length);
    const int64_t *inner = t->dims + t->n - n;
    const char *dims = tsr_hlo_show_dims(t->ctx, t->dims, t->n),
               *want = tsr_hlo_show_ints(t->ctx, length);
    for (size_t i = 0; kind == TSR_FFT_RFFT && i < n; i++)
        if (!tsr_hlo_dims_compatible(inner[i], tsr_hlo_at(length, i)))
            return tsr_hlo_error(op,
                                 "RFFT requires innermost dimensions to be compatible with "
                                 "fft_length. Got: %s but wanted %s.",
                                 dims, want);
    for (size_t i = 0; kind == TSR_FFT_IRFFT && i + 1 < n; i++)
        if (!tsr_hlo_dims_compatible(inner[i], tsr_hlo_at(length, i)))
            return tsr_hlo_error(
                op,
                "IRFFT requires non-final dimensions to be compatible with fft_length. Got: %s but "
                "wanted %s, and %lld != %lld.",
                dims, want, (long long)inner[i], (long long)tsr_hlo_at(length, i));
    int64_t last = inner[n - 1], end = tsr_hlo_at(length, n - 1);
    bool empty = tsr_hlo_dims_compatible(last, 0) && end == 0;
    if (kind == TSR_FFT_IRFFT && !empty && !tsr_hlo_dims_compatible(last, end / 2 + 1))
        return tsr_hlo_error(op,
                             "IRFFT requires innermost dimension to be compatible with "
                             "fft_length[-1]/2+1. Got: %lld but fft_length is "
                             "%s.",
                             (long long)last, want);
    if (end < 0)
        return tsr_hlo_error(op, "expects fft_length to be non-negative, but got %s.", want);
    return true;
}

bool infer_stablehlo_fft(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *t = tsr_hlo_in(op, 0);
    const tsr_attr *length = tsr_attr_of(op, STABLEHLO_FFT_fft_length);
    int64_t kind = tsr_attr_of(op, STABLEHLO_FFT_fft_type)->i;
    size_t n = tsr_hlo_len(length);
    if (n < 1 || n > 3)
        return tsr_hlo_error(op, "rank must be between 1 and 3, but got %zu.", n);
    tsr_type *elem = fft_element(op, t, kind);
    TSR_TRY(elem);
    if (t->n < n)
        return tsr_hlo_error(
            op, "operand rank must not be less than fft rank of %zu for operand of type %s.", n,
            tsr_hlo_show_type(t));
    if (kind == TSR_FFT_RFFT || kind == TSR_FFT_IRFFT)
        TSR_TRY(check_fft_dims(op, t, kind, length));
    const int64_t *bounds = tsr_hlo_bounds(t);
    int64_t end = tsr_hlo_at(length, n - 1);
    tsr_hlo_shape s;
    tsr_hlo_shape_start(&s, t->n, bounds != NULL);
    for (uint32_t i = 0; i < t->n; i++) {
        s.dims[i] = t->dims[i];
        if (bounds)
            s.bounds[i] = bounds[i];
    }
    if (kind == TSR_FFT_RFFT && end != 0)
        s.dims[t->n - 1] = end / 2 + 1;
    if (kind == TSR_FFT_IRFFT)
        s.dims[t->n - 1] = end;
    if (bounds && (kind == TSR_FFT_RFFT || kind == TSR_FFT_IRFFT))
        s.bounds[t->n - 1] = TSR_DYNAMIC;
    tsr_vec_push(out, tsr_hlo_shape_done(&s, elem, t->attr));
    return true;
}

/* ---- Einsum ---- */

/* "ab,bc->ac": each letter names a dimension; sizes of letters come from the operands, the result has those after the
 * arrow. */
static bool infer_einsum(const tsr_op *op, const tsr_attr *config, tsr_type_vec *out)
{
    int64_t size_of[128];
    bool seen[128] = {0}, after = false;
    tsr_str text = config->s;
    uint32_t operand = 0, dim = 0;
    tsr_i64_vec result = {0};
    bool ok = true;
    for (size_t i = 0; i < text.len && ok; i++) {
        unsigned char c = (unsigned char)text.data[i];
        const tsr_type *t = operand < op->nin ? tsr_hlo_in(op, operand) : NULL;
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        bool arrow = c == '-' && i + 1 < text.len && text.data[i + 1] == '>';
        if (c == ' ')
            continue;
        if (!after && (c == ',' || arrow)) {
            ok = t && dim == t->n;
            operand++;
            dim = 0;
            after = arrow;
            i += arrow;
        } else if (letter && after) {
            ok = seen[c];
            tsr_vec_push(&result, size_of[c]);
        } else if (letter && t && dim < t->n) {
            int64_t size = t->dims[dim++];
            ok = !seen[c] || tsr_hlo_dims_compatible(size_of[c], size);
            if (!seen[c] || size_of[c] == TSR_DYNAMIC)
                size_of[c] = size;
            seen[c] = true;
        } else {
            ok = false;
        }
    }
    ok = ok && after && operand == op->nin;
    if (ok)
        tsr_vec_push(out, tsr_type_tensor(op->module->ctx, result.data, result.n,
                                          tsr_hlo_in(op, 0)->elem, NULL));
    else
        tsr_hlo_error(op, "einsum_config \"%.*s\" does not fit the operands", TSR_STR_ARG(text));
    tsr_vec_free(&result);
    return ok;
}

bool infer_stablehlo_einsum(const tsr_op *op, tsr_type_vec *out)
{
    return infer_einsum(op, tsr_attr_of(op, STABLEHLO_EINSUM_einsum_config), out);
}

bool infer_stablehlo_unary_einsum(const tsr_op *op, tsr_type_vec *out)
{
    return infer_einsum(op, tsr_attr_of(op, STABLEHLO_UNARY_EINSUM_einsum_config), out);
}

/* ---- Random numbers ---- */

bool infer_stablehlo_rng(const tsr_op *op, tsr_type_vec *out)
{
    enum { UNIFORM, MAX_RANK = 1 << 16 };
    const tsr_type *a = tsr_hlo_in(op, 0), *b = tsr_hlo_in(op, 1), *shape = tsr_hlo_in(op, 2);
    bool floats = a->elem->kind == TSR_TYPE_FLOAT && b->elem->kind == TSR_TYPE_FLOAT;
    if (tsr_attr_of(op, STABLEHLO_RNG_rng_distribution)->i != UNIFORM && !floats)
        return tsr_hlo_error(op, "mu and sigma must be floats");
    if (shape->n && shape->dims[0] > MAX_RANK)
        return tsr_hlo_error(op, "expects shape to have at most %d elements, but got %lld",
                             MAX_RANK, (long long)shape->dims[0]);
    tsr_i64_vec known = {0};
    bool ok = true;
    if (!tsr_hlo_const_ints(op->in[2].value, &known))
        for (int64_t i = 0; shape->n && i < shape->dims[0]; i++)
            tsr_vec_push(&known, TSR_DYNAMIC);
    else
        for (size_t i = 0; i < known.n && ok; i++)
            if (known.data[i] < 0)
                ok = tsr_hlo_error(op, "expects shape to be non-negative, but got [%s]",
                                   tsr_hlo_show_dims(op->module->ctx, known.data, known.n));
    if (ok)
        tsr_vec_push(out, tsr_type_tensor(op->module->ctx, known.data, known.n, b->elem, NULL));
    tsr_vec_free(&known);
    return ok;
}

bool verify_stablehlo_rng_bit_generator(tsr_op *op)
{
    const tsr_type *before = tsr_hlo_in(op, 0), *after = op->out[0].type;
    if (tsr_hlo_compatible_shape(before, after))
        return true;
    return tsr_hlo_error(
        op, "output state shape must be compatible with initial state shape. Got: %s and %s",
        tsr_hlo_show_type(before), tsr_hlo_show_type(after));
}
