/* SPDX-License-Identifier: Apache-2.0 */
/* custom.c - custom calls: those whose meaning is known become ops, the others keep their name. */
#include "text/hlo/reader.h"

#include "dialect/dialect.h"

/* TopK: the result says how many. */
static bool top_k(xla_reader *r, xla_instr *i)
{
    if (i->shape->n != 2 || !i->shape->members[0]->type || !i->shape->members[0]->type->n ||
        i->nin != 1)
        return xla_opaque(r, i, NULL);
    const tsr_type *values = i->shape->members[0]->type;
    tsr_op *op = xla_plain(r, i, TSR_OP_CHLO_TOP_K, 0);
    xla_set(op, "k", tsr_attr_i64(r->ctx, values->dims[values->n - 1]));
    return true;
}

/* "[dense<[0, 1]> : tensor<2xindex>]": the order in memory of the arrays of shapes. False: the usual one of all. */
static bool layouts(tsr_buf *out, const xla_shape *const *shapes, uint32_t n)
{
    bool any = false;
    tsr_buf_char(out, '[');
    for (uint32_t k = 0; k < n; k++) {
        uint32_t rank = shapes[k]->type && tsr_type_is(shapes[k]->type, TSR_TYPE_TENSOR)
                            ? shapes[k]->type->n
                            : 0;
        tsr_buf_printf(out, "%sdense<%s", k ? ", " : "", rank ? "[" : "");
        for (uint32_t d = 0; d < rank; d++) {
            int64_t usual = rank - 1 - d, at = shapes[k]->order ? shapes[k]->order[d] : usual;
            any |= at != usual;
            tsr_buf_printf(out, "%s%lld", d ? ", " : "", (long long)at);
        }
        tsr_buf_printf(out, "%s> : tensor<%uxindex>", rank ? "]" : "", rank);
    }
    tsr_buf_char(out, ']');
    return any;
}

/* A call whose callee sees arrays in another order than the usual one says so. */
static bool set_layouts(xla_reader *r, const xla_instr *i, tsr_op *op)
{
    const xla_shape **in = TSR_NEW_ARRAY(&r->arena, const xla_shape *, i->nin + 1);
    tsr_buf a = {0}, b = {0};
    for (uint32_t k = 0; k < i->nin; k++) {
        in[k] = i->in[k]->shape;
        if (in[k]->n)
            return true;
    }
    bool any = layouts(&a, in, i->nin);
    any |= i->shape->type ? layouts(&b, &i->shape, 1)
                          : layouts(&b, (const xla_shape *const *)i->shape->members, i->shape->n);
    bool ok =
        !any || (xla_set_text(r, i, op, "operand_layouts", "%.*s", TSR_STR_ARG(tsr_buf_text(&a))) &&
                 xla_set_text(r, i, op, "result_layouts", "%.*s", TSR_STR_ARG(tsr_buf_text(&b))));
    tsr_buf_free(&a);
    tsr_buf_free(&b);
    return ok;
}

/* Calls of the version that has a dictionary of attributes. */
static bool set_typed(xla_reader *r, const xla_instr *i, tsr_op *op)
{
    tsr_str config = xla_attr_of(i, "backend_config");
    xla_set(op, "api_version", tsr_attr_i32(r->ctx, 4));
    return (!config.data || config.data[0] != '{' ||
            xla_set_text(r, i, op, "backend_config", "%.*s", TSR_STR_ARG(config))) &&
           set_layouts(r, i, op);
}

/* ---- Products that XLA's gpu backend gives to a library ---- */

/* What follows "name": in JSON; data NULL: it is not there. */
static xla_text json_at(tsr_str json, const char *name)
{
    size_t n = strlen(name);
    for (size_t k = 0; k + n + 3 <= json.len; k++)
        if (json.data[k] == '"' && memcmp(json.data + k + 1, name, n) == 0 &&
            json.data[k + n + 1] == '"') {
            xla_text t = {json.data + k + n + 2, json.data + json.len};
            return xla_text_take(&t, ':') ? t : (xla_text){NULL, NULL};
        }
    return (xla_text){NULL, NULL};
}

/* The numbers of a list, which are strings, as "[1, 2]". */
static void json_dims(tsr_buf *out, tsr_str json, const char *name, const char *as)
{
    xla_text t = json_at(json, name);
    tsr_str inside = {"", 0};
    if (t.p)
        xla_text_inside(&t, &inside);
    tsr_buf_printf(out, "%s%s = [", out->len ? ", " : "", as);
    xla_text list = xla_text_of(inside);
    int64_t d;
    for (bool more = false; xla_next_int(&list, &d); more = true)
        tsr_buf_printf(out, "%s%lld", more ? ", " : "", (long long)d);
    tsr_buf_char(out, ']');
}

static bool json_is(tsr_str json, const char *name, const char *value)
{
    xla_text t = json_at(json, name);
    xla_text_take(&t, '"');
    return t.p && (size_t)(t.end - t.p) > strlen(value) && memcmp(t.p, value, strlen(value)) == 0 &&
           memchr("\",}.", t.p[strlen(value)], 4);
}

/* Whether the call is a product of its first two operands and nothing else. */
static bool is_gemm(const xla_instr *i, tsr_str target, tsr_str config)
{
    const xla_shape *to = i->shape->n ? i->shape->members[0] : i->shape;
    return (tsr_str_is(target, "__cublas$gemm") || tsr_str_is(target, "__cublas$lt$matmul")) &&
           i->nin == 2 && tsr_type_is(to->type, TSR_TYPE_TENSOR) &&
           json_is(config, "alpha_real", "1") && json_is(config, "beta", "0") &&
           json_is(config, "epilogue", "DEFAULT");
}

/* The results behind the first one are room to work in: zeros, which nothing reads. */
static bool gemm(xla_reader *r, xla_instr *i, tsr_str config)
{
    static const char *const names[][2] = {
        {"lhs_batch_dimensions", "lhs_batching_dimensions"},
        {"rhs_batch_dimensions", "rhs_batching_dimensions"},
        {"lhs_contracting_dimensions", "lhs_contracting_dimensions"},
        {"rhs_contracting_dimensions", "rhs_contracting_dimensions"}};
    tsr_buf dims = {0};
    tsr_value *in[] = {i->in[0]->values[0], i->in[1]->values[0]};
    tsr_type **types = TSR_NEW_ARRAY(&r->arena, tsr_type *, i->shape->nflat + 1);
    uint32_t n = xla_flat_types(i->shape, types);
    i->values = TSR_NEW_ARRAY(&r->arena, tsr_value *, n + 1);
    tsr_op *op = xla_op(r, i, TSR_OP_STABLEHLO_DOT_GENERAL, in, 2, types, 1, 0);
    i->values[0] = &op->out[0];
    for (uint32_t k = 1; k < n; k++) {
        const char zero[16] = {0};
        size_t bytes =
            tsr_type_is(types[k], TSR_TYPE_TENSOR) ? tsr_type_storage_bits(types[k]->elem) / 8 : 0;
        if (!bytes || bytes > sizeof zero || !tsr_type_has_static_shape(types[k]))
            return xla_error(r, i->at, "result %u is no room to work in", k);
        tsr_op *room = xla_op(r, i, TSR_OP_STABLEHLO_CONSTANT, NULL, 0, &types[k], 1, 0);
        xla_set(room, "value", tsr_attr_dense(r->ctx, r->m, types[k], zero, bytes, true));
        i->values[k] = &room->out[0];
    }
    for (size_t k = 0; k < TSR_COUNT(names); k++)
        json_dims(&dims, config, names[k][0], names[k][1]);
    bool ok = xla_set_text(r, i, op, "dot_dimension_numbers", "#stablehlo.dot<%.*s>",
                           TSR_STR_ARG(tsr_buf_text(&dims)));
    tsr_buf_free(&dims);
    return ok;
}

/* Whether its computation is the whole meaning of the call. */
static bool is_call(tsr_str target)
{
    return tsr_str_is(target, "xla.sdy.InlineableManualComputation");
}

bool xla_custom_call(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    tsr_str target = xla_unquote(r, xla_attr_of(i, "custom_call_target"));
    tsr_str effect = xla_attr_of(i, "custom_call_has_side_effect");
    tsr_str config = xla_attr_of(i, "backend_config"), version = xla_attr_of(i, "api_version");
    if (!target.data)
        return xla_error(r, i->at, "'custom-call' has no custom_call_target");
    if (tsr_str_is(target, "TopK"))
        return top_k(r, i);
    if (is_call(target))
        return xla_call(r, i, 0);
    if (config.data && is_gemm(i, target, config))
        return gemm(r, i, config);
    tsr_op *op = xla_plain(r, i, opcode, 0);
    xla_set(op, "call_target_name", tsr_attr_string(r->ctx, target));
    if (effect.data && tsr_str_is(effect, "true"))
        xla_set(op, "has_side_effect", tsr_attr_bool(r->ctx, true));
    if (version.data && tsr_str_is(version, "API_VERSION_TYPED_FFI"))
        return set_typed(r, i, op);
    if (config.data && config.data[0] == '"')
        xla_set(op, "backend_config", tsr_attr_string(r->ctx, xla_unquote(r, config)));
    return true;
}
