/* SPDX-License-Identifier: Apache-2.0 */
/* shape_assertions.c - checks assertions of front ends about shapes: custom calls @shape_assertion, whose first operand
 * must be true. Assertions that hold are removed; others are reported with the call's own message. Needs constants
 * where shapes are known (stablehlo-refine-shapes); breaks ids. */
#include "dialect/stablehlo/types.h"
#include "pass/pass.h"

enum { MAX_INPUTS = 32 };

static bool scalar_int(const tsr_value *v, uint32_t width, uint32_t or_width)
{
    const tsr_type *t = v->type;
    return tsr_type_is(t, TSR_TYPE_TENSOR) && t->n == 0 &&
           (tsr_type_is_integer(t->elem, width) || tsr_type_is_integer(t->elem, or_width));
}

static bool known_int(const tsr_value *v, int64_t *out)
{
    tsr_i64_vec ints = {0};
    bool ok = tsr_hlo_const_ints(v, &ints) && ints.n == 1;
    if (ok)
        *out = ints.data[0];
    tsr_vec_free(&ints);
    return ok;
}

static tsr_str message_of(const tsr_op *op)
{
    const tsr_attr *a = tsr_dict_get(op->extra, TSR_STR("error_message"));
    return tsr_attr_is(a, TSR_ATTR_STRING) ? a->s : TSR_STR("");
}

/* Reads a number from text[at..]; returns the number of its digits. */
static size_t number_at(tsr_str text, size_t at, int64_t *out)
{
    size_t n = 0;
    *out = 0;
    for (; at + n < text.len && text.data[at + n] >= '0' && text.data[at + n] <= '9'; n++)
        if (*out < INT32_MAX)
            *out = *out * 10 + (text.data[at + n] - '0');
    return n;
}

static size_t find_any(tsr_str text, size_t at, const char *of)
{
    while (at < text.len && !strchr(of, text.data[at]))
        at++;
    return at;
}

/* "{2", then ',' or ':' or '}': input 2 must exist. */
static bool check_message(const tsr_op *op, tsr_str text, uint32_t ninput)
{
    for (size_t at = find_any(text, 0, "{"); at < text.len; at = find_any(text, at + 1, "{")) {
        size_t end = find_any(text, at, ",:}");
        int64_t index;
        size_t digits = number_at(text, at + 1, &index);
        if (end < text.len && digits && at + 1 + digits == end && index >= ninput)
            return tsr_hlo_error(op,
                                 "expects error_message to contain format specifiers with "
                                 "error_message_input index less than %u. Found specifier %.*s",
                                 ninput, (int)(end - at + 1), text.data + at);
    }
    return true;
}

static bool check_attrs(const tsr_op *op)
{
    static const char *const allowed[] = {"api_version", "backend_config", "call_target_name",
                                          "error_message", "has_side_effect"};
    tsr_named_vec attrs = {0};
    const tsr_name *bad = NULL;
    tsr_op_all_attrs(op, &attrs);
    for (size_t i = 0; i < attrs.n && !bad; i++) {
        bool ok = false;
        for (size_t k = 0; k < TSR_COUNT(allowed); k++)
            ok |= tsr_str_is(attrs.data[i].name->str, allowed[k]);
        bad = ok ? NULL : attrs.data[i].name;
    }
    tsr_vec_free(&attrs);
    return !bad ||
           tsr_hlo_error(op, "\"%.*s\" is not a supported attribute", TSR_STR_ARG(bad->str));
}

static bool empty_config(const tsr_attr *a)
{
    return !a || (a->kind == TSR_ATTR_STRING && !a->s.len) || (a->kind == TSR_ATTR_DICT && !a->n);
}

static bool check_form(const tsr_op *op)
{
    if (op->nin < 1 || op->nin > 1 + MAX_INPUTS)
        return tsr_hlo_error(op, "expects 1 <= size(operands) <= %d", 1 + MAX_INPUTS);
    if (op->nout)
        return tsr_hlo_error(op, "expects size(results) = 0");
    TSR_TRY(check_attrs(op));
    if (!empty_config(op->attrs[STABLEHLO_CUSTOM_CALL_backend_config]))
        return tsr_hlo_error(op, "expects an empty backend_config");
    if (!scalar_int(op->in[0].value, 1, 1))
        return tsr_hlo_error(
            op, "expects assert_what (operand #0) to be a constant of type tensor<i1>");
    for (uint32_t i = 1; i < op->nin; i++)
        if (!scalar_int(op->in[i].value, 32, 64))
            return tsr_hlo_error(op,
                                 "expects error_message_input (operand #%u) to be a constant of "
                                 "type tensor<i32> or tensor<i64>",
                                 i);
    if (!tsr_dict_get(op->extra, TSR_STR("error_message")))
        return tsr_hlo_error(op, "expects an error_message attribute");
    return check_message(op, message_of(op), op->nin - 1);
}

/* The message with {0}, {1}, ... replaced; "{{" is a brace, format specifiers are ignored. */
static void format(tsr_buf *out, tsr_str text, const int64_t *inputs, uint32_t n)
{
    for (size_t at = 0; at < text.len; at++) {
        int64_t index;
        size_t digits = number_at(text, at + 1, &index), end = find_any(text, at, "}");
        if (n && text.data[at] == '{' && at + 1 < text.len && text.data[at + 1] == '{') {
            tsr_buf_char(out, '{');
            at++;
        } else if (text.data[at] == '{' && digits && end < text.len && index < n &&
                   strchr(",:}", text.data[at + 1 + digits])) {
            tsr_buf_printf(out, "%lld", (long long)inputs[index]);
            at = end;
        } else {
            tsr_buf_char(out, text.data[at]);
        }
    }
}

/* Checks one assertion; false after a diagnostic. */
static bool check(const tsr_op *op)
{
    int64_t holds, inputs[MAX_INPUTS];
    TSR_TRY(check_form(op));
    if (!known_int(op->in[0].value, &holds))
        return tsr_hlo_error(op, "expects static assert_what (operand #0)");
    if (holds)
        return true;
    for (uint32_t i = 1; i < op->nin; i++)
        if (!known_int(op->in[i].value, &inputs[i - 1]))
            return tsr_hlo_error(op, "expects static error_message_input (operand #%u)", i);
    tsr_buf text = {0};
    format(&text, message_of(op), inputs, op->nin - 1);
    tsr_hlo_error(op, "%.*s", TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_buf_free(&text);
    return false;
}

bool pass_stablehlo_check_shape_assertions(tsr_pass *p, tsr_op *root)
{
    bool enabled = tsr_pass_bool(p, "enable-shape-assertions"), ok = true;
    tsr_op *next;
    for (tsr_op *op = root; op; op = next) {
        next = tsr_walk_next(root, op);
        if (!tsr_op_is(op, TSR_OP_STABLEHLO_CUSTOM_CALL) ||
            !tsr_str_is(op->attrs[STABLEHLO_CUSTOM_CALL_call_target_name]->s, "shape_assertion"))
            continue;
        if (enabled ? !check(op) : tsr_op_used(op)) {
            ok &= !enabled;
            continue;
        }
        tsr_op_erase(op);
        p->changed = true;
    }
    return ok;
}
