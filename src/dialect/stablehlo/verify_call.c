/* SPDX-License-Identifier: Apache-2.0 */
/* verify_call.c - custom_call and composite, and ops that communicate with the host: infeed, outfeed, send, recv. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/rules.h"

/* ---- Layouts of custom_call ---- */

static bool is_permutation(const tsr_attr *layout, uint32_t rank)
{
    TSR_VEC(bool) seen = {0};
    bool ok = tsr_hlo_len(layout) == rank;
    for (uint32_t i = 0; ok && i < rank; i++)
        tsr_vec_push(&seen, false);
    for (uint32_t i = 0; ok && i < rank; i++) {
        int64_t d = tsr_hlo_at(layout, i);
        ok = d >= 0 && d < rank && !seen.data[d];
        if (ok)
            seen.data[d] = true;
    }
    tsr_vec_free(&seen);
    return ok;
}

static bool layout_error(const tsr_op *op, const tsr_attr *layout, const tsr_type *t,
                         const char *what, size_t i)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_buf text = {0};
    if (ctx->print_attr)
        ctx->print_attr(ctx, &text, layout);
    if (tsr_type_is_shaped(t))
        tsr_op_error(op,
                     "incorrect layout %.*s for type %s, layout must be a permutation of [0, %u)",
                     (int)text.len, text.len ? text.data : "", tsr_hlo_show_type(t), t->n);
    else
        tsr_op_error(
            op, "Only tensor types can have non-empty layout: %s #%zu of type %s has layout %.*s",
            what, i, tsr_hlo_show_type(t), (int)text.len, text.len ? text.data : "");
    tsr_buf_free(&text);
    return false;
}

static bool check_layouts(const tsr_op *op, tsr_type *const *types, size_t n,
                          const tsr_attr *layouts, const char *what)
{
    if (n != layouts->n)
        return tsr_op_error(op, "Number of %ss must match the number of %s layouts, %zu != %u",
                            what, what, n, layouts->n);
    for (size_t i = 0; i < n; i++) {
        const tsr_attr *layout = layouts->attrs[i];
        const tsr_type *t = types[i];
        if (tsr_type_is(t, TSR_TYPE_TUPLE))
            return tsr_op_error(op,
                                "Tuple types are not fully supported with layout constraints yet");
        bool unranked =
            tsr_type_is(t, TSR_TYPE_UNRANKED_TENSOR) || tsr_type_is(t, TSR_TYPE_UNRANKED_MEMREF);
        bool ok = tsr_attr_is(layout, TSR_ATTR_DENSE) &&
                  (unranked ||
                   (tsr_type_is_shaped(t) ? is_permutation(layout, t->n) : !tsr_hlo_len(layout)));
        if (!ok)
            return layout_error(op, layout, t, what, i);
    }
    return true;
}

static bool check_all_layouts(const tsr_op *op)
{
    const tsr_attr *of_operands = tsr_attr_of(op, STABLEHLO_CUSTOM_CALL_operand_layouts);
    const tsr_attr *of_results = tsr_attr_of(op, STABLEHLO_CUSTOM_CALL_result_layouts);
    if (!of_operands && !of_results)
        return true;
    if (!of_operands || !of_results)
        return tsr_op_error(
            op,
            "Layout attributes should be specified for either both operands and results or none.");
    tsr_type_vec types = {0};
    tsr_hlo_operand_types(op, 0, op->nin, &types);
    bool ok = check_layouts(op, types.data, types.n, of_operands, "operand");
    types.n = 0;
    /* The layouts of a tuple that packs the results are those of its members. */
    const tsr_type *only = op->nout == 1 ? op->out[0].type : NULL;
    if (tsr_type_is(only, TSR_TYPE_TUPLE)) {
        for (uint32_t i = 0; i < only->n; i++)
            tsr_vec_push(&types, only->types[i]);
    } else {
        for (uint32_t i = 0; i < op->nout; i++)
            tsr_vec_push(&types, op->out[i].type);
    }
    ok = ok && check_layouts(op, types.data, types.n, of_results, "result");
    tsr_vec_free(&types);
    return ok;
}

/* ---- Aliases of custom_call ---- */

/* The results as one type: alone, or as a tuple. */
static tsr_type *packed_results(const tsr_op *op)
{
    if (op->nout == 1)
        return op->out[0].type;
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&types, op->out[i].type);
    tsr_type *t = tsr_type_tuple(op->module->ctx, types.data, types.n);
    tsr_vec_free(&types);
    return t;
}

tsr_type *tsr_hlo_tuple_part(tsr_type *t, const tsr_attr *indices)
{
    for (size_t i = 0; t && i < tsr_hlo_len(indices); i++) {
        int64_t at = tsr_hlo_at(indices, i);
        t = tsr_type_is(t, TSR_TYPE_TUPLE) && at >= 0 && at < t->n ? t->types[at] : NULL;
    }
    return t;
}

const tsr_attr *tsr_hlo_aliases_of(const tsr_op *op)
{
    const tsr_attr *aliases = tsr_attr_of(op, STABLEHLO_CUSTOM_CALL_output_operand_aliases);
    return tsr_attr_is(aliases, TSR_ATTR_ARRAY) ? aliases : NULL;
}

static bool check_alias(const tsr_op *op, tsr_attr *const *alias, tsr_type *results)
{
    static const char *const out_of_bounds = "in the output_operand_alias attribute out of bounds";
    int64_t i = alias[TSR_ALIAS_operand]->i;
    if (i < 0 || i >= op->nin)
        return tsr_op_error(op,
                            "expects operandIndex in the output_operand_alias attribute to be in "
                            "range [0, %u); got: "
                            "%lld.",
                            op->nin, (long long)i);
    const tsr_type *operand =
        tsr_hlo_tuple_part(tsr_hlo_in(op, (size_t)i), alias[TSR_ALIAS_operand_part]);
    if (!operand)
        return tsr_op_error(op, "operand_tuple_indices %s", out_of_bounds);
    const tsr_type *output = op->nout ? tsr_hlo_tuple_part(results, alias[TSR_ALIAS_output]) : NULL;
    if (!output)
        return tsr_op_error(op, "output_tuple_indices %s", out_of_bounds);
    if (operand != output)
        return tsr_op_error(op,
                            "shapes mismatch in the output_operand_alias attribute: operand part "
                            "has type %s and output "
                            "part has type %s",
                            tsr_hlo_show_type(operand), tsr_hlo_show_type(output));
    return true;
}

static bool check_aliases(const tsr_op *op, tsr_type *results)
{
    const tsr_attr *aliases = tsr_hlo_aliases_of(op);
    for (uint32_t i = 0; aliases && i < aliases->n; i++) {
        if (!tsr_attr_is_struct(aliases->attrs[i], &tsr_def_STABLEHLO_OUTPUT_OPERAND_ALIAS))
            return tsr_op_error(
                op, "expects output_operand_aliases to have output_operand_alias attributes");
        TSR_TRY(check_alias(op, aliases->attrs[i]->attrs, results));
    }
    return true;
}

/* ---- Buffers of custom_call ---- */

/* Buffers that aliases refer to: parts of the output by their indices, parts of operands by alias. */
typedef struct {
    const tsr_op *op;
    tsr_map outputs, operands;
} buffers;

/* Adds an interned list of indices; false if it is already there. */
static bool add_output(buffers *b, tsr_attr *indices)
{
    TSR_MAP_EACH (&b->outputs, tsr_hash_ptr(indices), same)
        if (same == indices)
            return false;
    tsr_map_put(&b->outputs, tsr_hash_ptr(indices), indices);
    return true;
}

static bool add_operand(buffers *b, tsr_attr *alias)
{
    uint64_t hash = tsr_hash_mix(tsr_hash_ptr(alias->attrs[TSR_ALIAS_operand_part]),
                                 (uint64_t)alias->attrs[TSR_ALIAS_operand]->i);
    TSR_MAP_EACH (&b->operands, hash, seen) {
        const tsr_attr *same = seen;
        if (same->attrs[TSR_ALIAS_operand] == alias->attrs[TSR_ALIAS_operand] &&
            same->attrs[TSR_ALIAS_operand_part] == alias->attrs[TSR_ALIAS_operand_part])
            return false;
    }
    tsr_map_put(&b->operands, hash, alias);
    return true;
}

/* Each part is in at most one alias; all others must be listed. */
static bool collect_buffers(buffers *b)
{
    const tsr_op *op = b->op;
    const tsr_attr *aliases = tsr_hlo_aliases_of(op);
    bool ok = true;
    for (uint32_t i = 0; aliases && i < aliases->n; i++) {
        tsr_attr *alias = aliases->attrs[i], *output = alias->attrs[TSR_ALIAS_output];
        int64_t operand = alias->attrs[TSR_ALIAS_operand]->i;
        if (!tsr_type_is(tsr_hlo_tuple_part(tsr_hlo_in(op, (size_t)operand),
                                            alias->attrs[TSR_ALIAS_operand_part]),
                         TSR_TYPE_MEMREF))
            continue;
        if (!add_output(b, output))
            ok = tsr_op_error(op,
                              "buffer output [%s] is used in output_operand_alias more than once",
                              tsr_hlo_show_ints(op->module->ctx, output));
        if (!add_operand(b, alias))
            ok = tsr_op_error(
                op, "buffer operand %lld[%s] is used in output_operand_alias more than once",
                (long long)operand,
                tsr_hlo_show_ints(op->module->ctx, alias->attrs[TSR_ALIAS_operand_part]));
    }
    return ok;
}

/* Every buffer among the results must come from an operand. path: the position of t in the results. */
static bool check_buffer_outputs(buffers *b, const tsr_type *t, tsr_i64_vec *path)
{
    for (uint32_t i = 0; tsr_type_is(t, TSR_TYPE_TUPLE) && i < t->n; i++) {
        tsr_vec_push(path, i);
        TSR_TRY(check_buffer_outputs(b, t->types[i], path));
        path->n--;
    }
    if (!tsr_type_is(t, TSR_TYPE_MEMREF))
        return true;
    tsr_attr *indices = tsr_attr_i64_array(b->op->module->ctx, path->data, path->n);
    if (!add_output(b, indices))
        return true;
    return tsr_op_error(b->op, "buffer output [%s] is not used in output_operand_alias",
                        tsr_hlo_show_ints(b->op->module->ctx, indices));
}

static bool check_buffers(const tsr_op *op, const tsr_type *results)
{
    buffers b = {.op = op};
    tsr_i64_vec path = {0};
    bool ok = collect_buffers(&b) && check_buffer_outputs(&b, results, &path);
    tsr_vec_free(&path);
    tsr_map_free(&b.outputs);
    tsr_map_free(&b.operands);
    return ok;
}

static bool is_tensor(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_TENSOR) || tsr_type_is(t, TSR_TYPE_UNRANKED_TENSOR);
}

/* Converts a tensor to a buffer (Pin) or a buffer to a tensor (Unpin). */
static bool check_pin(const tsr_op *op, const char *name, bool pin)
{
    if (op->nin != 1)
        return tsr_op_error(op, "%s custom_call should have one input", name);
    const tsr_type *in = tsr_hlo_in(op, 0);
    if (!(pin ? is_tensor(in) : tsr_type_is(in, TSR_TYPE_MEMREF)))
        return tsr_op_error(op, "%s custom_call should have a %s input", name,
                            pin ? "tensor" : "memref");
    if (op->nout != 1)
        return tsr_op_error(op, "%s custom_call should have one output", name);
    const tsr_type *out = op->out[0].type;
    if (!(pin ? tsr_type_is(out, TSR_TYPE_MEMREF) : is_tensor(out)))
        return tsr_op_error(op, "%s custom_call should have a %s output", name,
                            pin ? "memref" : "tensor");
    if (!tsr_hlo_compatible_shape(in, out) || tsr_hlo_element(in) != tsr_hlo_element(out))
        return tsr_op_error(op, "%s custom_call should have compatible input and output types",
                            name);
    return true;
}

static bool check_create_buffer(const tsr_op *op)
{
    if (op->nin)
        return tsr_op_error(op, "CreateBuffer custom_call shouldn't have any inputs");
    if (op->nout != 1)
        return tsr_op_error(op, "CreateBuffer custom_call should have one result");
    if (!tsr_type_is(op->out[0].type, TSR_TYPE_MEMREF))
        return tsr_op_error(op, "CreateBuffer custom_call should have a memref result");
    return true;
}

/* ---- custom_call ---- */

static bool check_backend_config(const tsr_op *op)
{
    static const char *const versions[] = {
        "API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
        "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};
    enum { ORIGINAL = 1, TYPED_FFI = 4 };
    const tsr_attr *config = tsr_attr_of(op, STABLEHLO_CUSTOM_CALL_backend_config);
    const tsr_attr *attr = tsr_attr_of(op, STABLEHLO_CUSTOM_CALL_api_version);
    int64_t version = attr ? attr->i : ORIGINAL;
    bool typed = version == TYPED_FFI;
    if (!config || tsr_attr_is(config, typed ? TSR_ATTR_DICT : TSR_ATTR_STRING))
        return true;
    bool known = version >= 0 && version < (int64_t)TSR_COUNT(versions);
    return tsr_op_error(op, "backend_config for api_version %s must be a %s attribute.",
                        known ? versions[version] : "", typed ? "dictionary" : "string");
}

bool verify_stablehlo_custom_call(tsr_op *op)
{
    tsr_str target = tsr_attr_of(op, STABLEHLO_CUSTOM_CALL_call_target_name)->s;
    tsr_type *results = packed_results(op);
    TSR_TRY(check_all_layouts(op) && check_aliases(op, results) && check_backend_config(op));
    if (tsr_str_is(target, "CreateBuffer"))
        return check_create_buffer(op);
    if (tsr_str_is(target, "Pin"))
        return check_pin(op, "Pin", true);
    if (tsr_str_is(target, "Unpin"))
        return check_pin(op, "Unpin", false);
    return check_buffers(op, results);
}

/* ---- composite ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A word, then one or more words after dots; only those may contain '$'. */
static bool is_namespaced(tsr_str name)
{
    size_t ndot = 0;
    bool in_word = false;
    if (!name.len || !is_letter(name.data[0]))
        return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.data[i];
        if (c == '.' && !in_word)
            return false;
        if (c != '.' && !is_letter(c) && !(c >= '0' && c <= '9') && c != '_' && !(c == '$' && ndot))
            return false;
        ndot += c == '.';
        in_word = c != '.';
    }
    return ndot && in_word;
}

static bool check_signature(const tsr_op *op, const char *what, const tsr_type_vec *have,
                            tsr_type *const *want, size_t nwant)
{
    if (have->n != nwant)
        return tsr_hlo_error(op, "has %zu %s(s), but decomposition has %zu", have->n, what, nwant);
    for (size_t i = 0; i < nwant; i++)
        if (have->data[i] != want[i])
            return tsr_hlo_error(op, "%s at index %zu has type %s, but decomposition has type %s",
                                 what, i, tsr_hlo_show_type(have->data[i]),
                                 tsr_hlo_show_type(want[i]));
    return true;
}

bool uses_stablehlo_composite(tsr_op *op)
{
    if (!is_namespaced(tsr_attr_of(op, STABLEHLO_COMPOSITE_name)->s))
        return tsr_hlo_error(
            op,
            "name must be a valid namespaced op name, i.e. it must match the following regular "
            "expression: ^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$ e.g. \"my_namespace.my_op\"");
    const tsr_attr *symbol = tsr_attr_of(op, STABLEHLO_COMPOSITE_decomposition);
    const tsr_op *func = tsr_symbol_resolve(op, symbol);
    const tsr_attr *type = func && tsr_op_is(func, TSR_OP_FUNC_FUNC)
                               ? tsr_attr_of(func, FUNC_FUNC_function_type)
                               : NULL;
    if (!tsr_attr_is(type, TSR_ATTR_TYPE) || !tsr_type_is(type->type, TSR_TYPE_FUNCTION))
        return tsr_hlo_error(op, "'%.*s' does not reference a valid function",
                             TSR_STR_ARG(symbol->s));
    const tsr_type *t = type->type;
    tsr_type_vec have = {0};
    tsr_hlo_operand_types(op, 0, op->nin, &have);
    bool ok = check_signature(op, "operand", &have, t->types, t->n);
    have.n = 0;
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&have, op->out[i].type);
    ok = ok && check_signature(op, "result", &have, t->types + t->n, t->nout);
    tsr_vec_free(&have);
    return ok;
}

/* ---- infeed, outfeed, send, recv ---- */

/* The type of a #stablehlo.channel_handle. */
enum { DEVICE_TO_DEVICE = 1, DEVICE_TO_HOST = 2, HOST_TO_DEVICE = 3 };

static bool is_token(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_DIALECT) && t->def == &tsr_def_STABLEHLO_TOKEN;
}

/* Tensors, then a token. but_last: how the op's message begins. */
static bool check_received(const tsr_op *op, const char *but_last)
{
    if (!op->nout)
        return tsr_hlo_error(op, "result is expected to be at least of size 1, but got 0");
    for (uint32_t i = 0; i + 1 < op->nout; i++)
        if (!is_tensor(op->out[i].type))
            return tsr_hlo_error(op, "%s to be of tensor type, but got %s", but_last,
                                 tsr_hlo_show_type(op->out[i].type));
    const tsr_type *last = op->out[op->nout - 1].type;
    return is_token(last) ||
           tsr_hlo_error(op,
                         "last element of result types is expected to be of token type, but got %s",
                         tsr_hlo_show_type(last));
}

static bool layout_item_error(const tsr_op *op, const char *text, const tsr_attr *item)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_buf shown = {0};
    if (ctx->print_attr)
        ctx->print_attr(ctx, &shown, item);
    tsr_hlo_error(op, "%s, but got %.*s", text, (int)shown.len, shown.len ? shown.data : "");
    tsr_buf_free(&shown);
    return false;
}

bool verify_stablehlo_infeed(tsr_op *op)
{
    TSR_TRY(
        check_received(op, "all elements of result types, except the last element, are expected"));
    const tsr_attr *layout = tsr_attr_of(op, STABLEHLO_INFEED_layout);
    if (!layout)
        return true;
    if (layout->n != op->nout - 1)
        return tsr_hlo_error(op,
                             "layout-attribute size must be %u (which is the number of op-results "
                             "- 1 (for token result)), "
                             "but got %u",
                             op->nout - 1, layout->n);
    for (uint32_t i = 0; i < layout->n; i++) {
        const tsr_attr *child = layout->attrs[i];
        if (!tsr_attr_is(child, TSR_ATTR_ARRAY))
            return layout_item_error(op, "layout-attribute expected to have elements of type array",
                                     child);
        for (uint32_t j = 0; j < child->n; j++)
            if (!tsr_attr_is(child->attrs[j], TSR_ATTR_INT))
                return layout_item_error(
                    op, "layout-attribute's leaf elements are expected to be of type integer",
                    child->attrs[j]);
    }
    return true;
}

bool infer_stablehlo_outfeed(const tsr_op *op, tsr_type_vec *out)
{
    tsr_vec_push(out, tsr_hlo_token(op->module->ctx));
    return true;
}

/* Between devices, or between the host and a device in the op's direction. */
static bool check_channel_type(const tsr_op *op, const tsr_attr *handle, const tsr_attr *host,
                               int64_t to_host, const char *name)
{
    bool is_host = host && host->i;
    if (handle->attrs[1]->i == (is_host ? to_host : DEVICE_TO_DEVICE))
        return true;
    return tsr_hlo_error(op, "channel_type should be %s when is_host_transfer is %s",
                         is_host ? name : "DEVICE_TO_DEVICE", is_host ? "true" : "false");
}

bool infer_stablehlo_send(const tsr_op *op, tsr_type_vec *out)
{
    TSR_TRY(check_channel_type(op, tsr_attr_of(op, STABLEHLO_SEND_channel_handle),
                               tsr_attr_of(op, STABLEHLO_SEND_is_host_transfer), DEVICE_TO_HOST,
                               "DEVICE_TO_HOST"));
    return infer_stablehlo_outfeed(op, out);
}

bool verify_stablehlo_recv(tsr_op *op)
{
    return check_channel_type(op, tsr_attr_of(op, STABLEHLO_RECV_channel_handle),
                              tsr_attr_of(op, STABLEHLO_RECV_is_host_transfer), HOST_TO_DEVICE,
                              "HOST_TO_DEVICE") &&
           check_received(op, "everything but the last element of result types is expected");
}
