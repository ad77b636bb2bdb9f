/* SPDX-License-Identifier: Apache-2.0 */
/* rearrange.c - ttir.rearrange: its pattern, such as 'b h w c -> (b h) w c', and the resulting shape. */
#include "dialect/hooks.h"
#include "dialect/ttir/shape.h"

/* The next name or bracket of a pattern; empty at the end. */
static tsr_str next(tsr_str *rest)
{
    while (rest->len && *rest->data == ' ')
        rest->data++, rest->len--;
    size_t n = 0;
    if (rest->len && (*rest->data == '(' || *rest->data == ')'))
        n = 1;
    while (n < rest->len && (n == 0 || (*rest->data != '(' && *rest->data != ')')) &&
           rest->data[n] != ' ' && rest->data[n] != '(' && rest->data[n] != ')')
        n++;
    tsr_str token = {rest->data, n};
    rest->data += n;
    rest->len -= n;
    return token;
}

static const char *arrow(tsr_str pattern)
{
    const char *found = NULL;
    for (size_t i = 0; i + 1 < pattern.len; i++)
        if (pattern.data[i] == '-' && pattern.data[i + 1] == '>') {
            if (found)
                return NULL;
            found = pattern.data + i;
        }
    return found;
}

bool tsr_ttir_rearrangement(tsr_str pattern, size_t rank, tsr_ttir_order *out)
{
    const char *mid = arrow(pattern);
    tsr_str names[TSR_TTIR_ORDER_MAX], token;
    bool used[TSR_TTIR_ORDER_MAX] = {false}, grouped = false;
    size_t n = 0;
    if (!mid || rank > TSR_TTIR_ORDER_MAX)
        return false;
    tsr_str from = {pattern.data, (size_t)(mid - pattern.data)};
    tsr_str to = {mid + 2, pattern.len - from.len - 2};
    *out = (tsr_ttir_order){0};
    while ((token = next(&from)).len) {
        if (*token.data == '(' || *token.data == ')' || n == rank)
            return false;
        names[n++] = token;
    }
    while ((token = next(&to)).len) {
        size_t i = 0;
        if (*token.data == '(' || *token.data == ')') {
            if (grouped == (*token.data == '('))
                return false;
            if (*token.data == '(' && out->nout < TSR_TTIR_ORDER_MAX)
                out->sizes[out->nout++] = 0;
            grouped = !grouped;
            continue;
        }
        while (i < n && !tsr_str_eq(names[i], token))
            i++;
        if (i == n || used[i] || (!grouped && out->nout == TSR_TTIR_ORDER_MAX))
            return false;
        used[i] = true;
        if (!grouped)
            out->sizes[out->nout++] = 0;
        out->sizes[out->nout - 1]++;
        out->dims[out->nin++] = i;
    }
    return !grouped && out->nin == n;
}

static bool order_of(const tsr_op *op, tsr_ttir_order *order)
{
    tsr_str pattern = op->attrs[TTIR_REARRANGE_pattern]->s;
    const tsr_type *in = op->in[0].value->type;
    if (!arrow(pattern))
        return tsr_op_error(op, "pattern must contain exactly one '->' separator.");
    if (!tsr_ttir_rearrangement(pattern, in->n, order))
        return tsr_op_error(op, "failed to parse pattern %.*s.", TSR_STR_ARG(pattern));
    return order->nin == in->n || tsr_op_error(op,
                                               "number of dimensions in the pattern's input (%zu) "
                                               "must match the rank of the input tensor "
                                               "(%u).",
                                               order->nin, in->n);
}

bool infer_ttir_rearrange(const tsr_op *op, tsr_type_vec *out)
{
    tsr_ttir_order order;
    tt_shape s = {0};
    TSR_TRY(order_of(op, &order));
    for (size_t i = 0, at = 0; i < order.nout; i++) {
        int64_t size = 1;
        for (size_t k = 0; k < order.sizes[i]; k++)
            size = tt_times(size, op->in[0].value->type->dims[order.dims[at++]]);
        TSR_TRY(tt_shape_add(op, &s, size));
    }
    return tt_result(op, out, &s);
}

bool verify_ttir_rearrange(tsr_op *op)
{
    return tt_verify_inferred(op);
}
