/* SPDX-License-Identifier: Apache-2.0 */
/* simple.c - instructions that have an op with the same operands and results, and attributes of its own. */
#include "text/hlo/reader.h"

#include "dialect/dialect.h"

bool xla_same(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    xla_plain(r, i, opcode, 0);
    return true;
}

bool xla_after_all(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    xla_plain(r, i, i->nin ? opcode : TSR_OP_STABLEHLO_CREATE_TOKEN, 0);
    return true;
}

bool xla_constant(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    bool elided = false;
    xla_text text = xla_text_of(i->inside);
    if (!tsr_type_is(i->shape->type, TSR_TYPE_TENSOR))
        return xla_opaque(r, i, "a constant that is no array");
    tsr_attr *value = xla_literal(r, i->shape->type, &text, &elided);
    if (elided)
        return xla_opaque(r, i, "its elements are not in the dump");
    if (!value)
        return false;
    if (text.p < text.end)
        return xla_error(r, text.p, "the constant has more elements than its shape");
    tsr_op *op = xla_plain(r, i, opcode, 0);
    xla_set(op, "value", value);
    return true;
}

/* A list of dimensions of the instruction becomes the attribute name of the op. */
static bool with_dims(xla_reader *r, xla_instr *i, uint16_t opcode, const char *name)
{
    int64_t *v;
    uint32_t n;
    TSR_TRY(xla_numbers(r, i, "dimensions", name[0] != 'b', &v, &n));
    xla_set_ints(r, xla_plain(r, i, opcode, 0), name, v, n);
    return true;
}

bool xla_broadcast(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    return with_dims(r, i, opcode, "broadcast_dimensions");
}

bool xla_transpose(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    return with_dims(r, i, opcode, "permutation");
}

bool xla_reverse(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    return with_dims(r, i, opcode, "dimensions");
}

static bool with_dim(xla_reader *r, xla_instr *i, uint16_t opcode, const char *from,
                     const char *name)
{
    int64_t *v;
    uint32_t n;
    TSR_TRY(xla_numbers(r, i, from, true, &v, &n));
    if (n != 1)
        return xla_error(r, i->at, "'%.*s' has %u dimensions in %s, not one",
                         TSR_STR_ARG(i->opcode), n, from);
    xla_set(xla_plain(r, i, opcode, 0), name, tsr_attr_i64(r->ctx, v[0]));
    return true;
}

bool xla_concatenate(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    return with_dim(r, i, opcode, "dimensions", "dimension");
}

bool xla_dimension_size(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    return with_dim(r, i, opcode, "dimensions", "dimension");
}

bool xla_iota(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    return with_dim(r, i, opcode, "iota_dimension", "iota_dimension");
}

bool xla_dynamic_slice(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    int64_t *v;
    uint32_t n;
    TSR_TRY(xla_numbers(r, i, "dynamic_slice_sizes", true, &v, &n));
    xla_set_ints(r, xla_plain(r, i, opcode, 0), "slice_sizes", v, n);
    return true;
}

/* Three lists of numbers, which are freed, as attributes of an op. */
static void with_lists(xla_reader *r, xla_instr *i, uint16_t opcode, bool ok, xla_ints v[3],
                       const char *const names[3])
{
    tsr_op *op = ok ? xla_plain(r, i, opcode, 0) : NULL;
    for (int k = 0; k < 3; k++) {
        if (op)
            xla_set_ints(r, op, names[k], v[k].data, v[k].n);
        tsr_vec_free(&v[k]);
    }
}

/* slice={[start:limit], [start:limit:stride]} */
bool xla_slice(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    tsr_str all = xla_attr_of(i, "slice"), inside, item, range;
    xla_text t = xla_text_of(all);
    xla_ints v[3] = {{0}, {0}, {0}};
    if (!all.data || !xla_text_inside(&t, &inside))
        return xla_error(r, i->at, "'slice' has no ranges");
    bool ok = true;
    for (xla_text list = xla_text_of(inside); xla_text_item(&list, &item) && ok;) {
        xla_text one = xla_text_of(item);
        int64_t x[3] = {0, 0, 1};
        ok = xla_text_inside(&one, &range);
        one = xla_text_of(ok ? range : item);
        ok = ok && xla_text_int(&one, &x[0]) && xla_text_take(&one, ':') &&
             xla_text_int(&one, &x[1]);
        if (ok && xla_text_take(&one, ':'))
            ok = xla_text_int(&one, &x[2]);
        for (int k = 0; k < 3; k++)
            tsr_vec_push(&v[k], x[k]);
    }
    with_lists(r, i, opcode, ok, v,
               (const char *const[]){"start_indices", "limit_indices", "strides"});
    return ok || xla_error(r, all.data, "expected ranges, [start:limit] or [start:limit:stride]");
}

/* padding=low_high(_interior)?x... */
bool xla_pad(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    tsr_str all = xla_attr_of(i, "padding");
    xla_text t = xla_text_of(all);
    xla_ints v[3] = {{0}, {0}, {0}};
    if (!all.data)
        return xla_error(r, i->at, "'pad' has no padding");
    bool ok = true;
    while (ok && t.p < t.end) {
        int64_t x[3] = {0, 0, 0};
        ok = xla_text_int(&t, &x[0]) && xla_text_take(&t, '_') && xla_text_int(&t, &x[1]);
        if (ok && xla_text_take(&t, '_'))
            ok = xla_text_int(&t, &x[2]);
        for (int k = 0; k < 3; k++)
            tsr_vec_push(&v[k], x[k]);
        ok = ok && (xla_text_take(&t, 'x') || t.p >= t.end);
    }
    with_lists(r, i, opcode, ok, v,
               (const char *const[]){"edge_padding_low", "edge_padding_high", "interior_padding"});
    return ok || xla_error(r, all.data, "expected a padding, low_high or low_high_interior");
}

bool xla_compare(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    tsr_str direction = xla_attr_of(i, "direction"), type = xla_attr_of(i, "type");
    if (!direction.data)
        return xla_error(r, i->at, "'compare' has no direction");
    tsr_op *op = xla_plain(r, i, opcode, 0);
    return xla_set_text(r, i, op, "comparison_direction", "#stablehlo<comparison_direction %.*s>",
                        TSR_STR_ARG(direction)) &&
           (!type.data || xla_set_text(r, i, op, "compare_type", "#stablehlo<comparison_type %.*s>",
                                       TSR_STR_ARG(type)));
}

bool xla_reduce_precision(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    tsr_op *op = xla_plain(r, i, opcode, 0);
    xla_set(op, "exponent_bits", tsr_attr_i32(r->ctx, (int32_t)xla_int_of(i, "exponent_bits", 0)));
    xla_set(op, "mantissa_bits", tsr_attr_i32(r->ctx, (int32_t)xla_int_of(i, "mantissa_bits", 0)));
    return true;
}

bool xla_cholesky(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    xla_set_bool(r, xla_plain(r, i, opcode, 0), "lower", xla_attr_of(i, "lower"));
    return true;
}

bool xla_triangular_solve(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    static const char *const names[] = {"left_side", "lower", "unit_diagonal"};
    tsr_str transposed = xla_attr_of(i, "transpose_a");
    tsr_op *op = xla_plain(r, i, opcode, 0);
    for (int k = 0; k < 3; k++)
        xla_set_bool(r, op, names[k], xla_attr_of(i, names[k]));
    if (!transposed.data)
        transposed = TSR_STR("NO_TRANSPOSE");
    return xla_set_text(r, i, op, "transpose_a", "#stablehlo<transpose %.*s>",
                        TSR_STR_ARG(transposed));
}

bool xla_fft(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    int64_t *v;
    uint32_t n;
    tsr_str type = xla_attr_of(i, "fft_type");
    TSR_TRY(xla_numbers(r, i, "fft_length", true, &v, &n));
    if (!type.data)
        return xla_error(r, i->at, "'fft' has no fft_type");
    tsr_op *op = xla_plain(r, i, opcode, 0);
    xla_set_ints(r, op, "fft_length", v, n);
    return xla_set_text(r, i, op, "fft_type", "#stablehlo<fft_type %.*s>", TSR_STR_ARG(type));
}

bool xla_batch_norm(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    tsr_str epsilon = xla_attr_of(i, "epsilon");
    tsr_op *op = xla_plain(r, i, opcode, 0);
    bool number = epsilon.data && memchr(epsilon.data, '.', epsilon.len);
    xla_set(op, "feature_index", tsr_attr_i64(r->ctx, xla_int_of(i, "feature_index", 0)));
    return xla_set_text(r, i, op, "epsilon", number ? "%.*s : f32" : "%.*s.0 : f32",
                        TSR_STR_ARG(epsilon));
}

/* The shape that the number generator fills is an operand of the op. */
bool xla_rng(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    tsr_str distribution = xla_attr_of(i, "distribution");
    tsr_type *type = i->shape->type;
    if (!tsr_type_is(type, TSR_TYPE_TENSOR) || !tsr_type_has_static_shape(type) || i->nin != 2)
        return xla_opaque(r, i, NULL);
    const char *name =
        distribution.data && tsr_str_is(distribution, "rng_normal") ? "NORMAL" : "UNIFORM";
    int64_t rank = type->n;
    tsr_type *list =
        tsr_type_tensor(r->ctx, &rank, 1, tsr_type_integer(r->ctx, 64, TSR_SIGNLESS), NULL);
    tsr_op *dims = xla_op(r, i, TSR_OP_STABLEHLO_CONSTANT, NULL, 0, &list, 1, 0);
    xla_set(dims, "value",
            tsr_attr_dense(r->ctx, r->m, list, type->dims, (size_t)rank * sizeof(int64_t), false));
    tsr_value *in[] = {i->in[0]->values[0], i->in[1]->values[0], &dims->out[0]};
    tsr_op *op = xla_op(r, i, opcode, in, 3, &type, 1, 0);
    xla_results(r, i, op);
    return xla_set_text(r, i, op, "rng_distribution", "#stablehlo<rng_distribution %s>", name);
}

bool xla_rng_bits(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    tsr_str algorithm = xla_attr_of(i, "algorithm");
    const char *name = algorithm.data && tsr_str_is(algorithm, "rng_three_fry") ? "THREE_FRY"
                       : algorithm.data && tsr_str_is(algorithm, "rng_philox")  ? "PHILOX"
                                                                                : "DEFAULT";
    if (i->shape->nflat != 2) /* an older form, which keeps its state to itself */
        return xla_opaque(r, i, NULL);
    tsr_op *op = xla_plain(r, i, opcode, 0);
    return xla_set_text(r, i, op, "rng_algorithm", "#stablehlo<rng_algorithm %s>", name);
}

/* ---- Bitcasts ---- */

static tsr_value *moved(xla_reader *r, const xla_instr *i, tsr_value *v, tsr_type *type,
                        uint16_t opcode, const int64_t *permutation)
{
    tsr_op *op = xla_op(r, i, opcode, &v, 1, &type, 1, 0);
    if (permutation)
        xla_set_ints(r, op, "permutation", permutation, type->n);
    return &op->out[0];
}

/* Dimensions from the major to the minor one in memory. */
static bool major_first(const xla_shape *s, int64_t *out)
{
    bool moves = false;
    uint32_t n = s->type->n;
    for (uint32_t d = 0; d < n; d++) {
        out[d] = s->order ? s->order[n - 1 - d] : d;
        moves |= out[d] != d;
    }
    return moves;
}

static tsr_type *permuted(xla_reader *r, const tsr_type *type, const int64_t *order)
{
    int64_t *dims = TSR_NEW_ARRAY(&r->arena, int64_t, type->n + 1);
    for (uint32_t d = 0; d < type->n; d++)
        dims[d] = type->dims[order[d]];
    return tsr_type_tensor(r->ctx, dims, type->n, type->elem, NULL);
}

/* The same bytes in memory with other dimensions, or another order of them: a transpose to the order in memory, a
 * reshape, a transpose from it. */
bool xla_bitcast(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    (void)opcode;
    if (i->nin != 1 || !tsr_type_is(i->shape->type, TSR_TYPE_TENSOR) ||
        !tsr_type_is(i->in[0]->shape->type, TSR_TYPE_TENSOR))
        return xla_first(r, i, 0);
    const xla_shape *from = i->in[0]->shape, *to = i->shape;
    if (from->type->elem != to->type->elem) {
        bool same = from->type->n == to->type->n && !from->order == !to->order;
        return same ? xla_same(r, i, TSR_OP_STABLEHLO_BITCAST_CONVERT) : xla_opaque(r, i, NULL);
    }
    if (!tsr_type_has_static_shape(from->type) || !tsr_type_has_static_shape(to->type) ||
        tsr_type_num_elements(from->type) != tsr_type_num_elements(to->type))
        return xla_opaque(r, i, NULL);
    int64_t *order = TSR_NEW_ARRAY(&r->arena, int64_t, from->type->n + 1);
    int64_t *back = TSR_NEW_ARRAY(&r->arena, int64_t, to->type->n + 1);
    int64_t *inverse = TSR_NEW_ARRAY(&r->arena, int64_t, to->type->n + 1);
    tsr_value *v = i->in[0]->values[0];
    if (major_first(from, order))
        v = moved(r, i, v, permuted(r, from->type, order), TSR_OP_STABLEHLO_TRANSPOSE, order);
    bool moves = major_first(to, back);
    tsr_type *in_memory = moves ? permuted(r, to->type, back) : to->type;
    if (v->type != in_memory)
        v = moved(r, i, v, in_memory, TSR_OP_STABLEHLO_RESHAPE, NULL);
    for (uint32_t d = 0; d < to->type->n; d++)
        inverse[back[d]] = d;
    if (moves)
        v = moved(r, i, v, to->type, TSR_OP_STABLEHLO_TRANSPOSE, inverse);
    i->values = TSR_NEW_ARRAY(&r->arena, tsr_value *, 1);
    i->values[0] = v;
    return true;
}
