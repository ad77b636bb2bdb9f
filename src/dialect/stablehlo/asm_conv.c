/* SPDX-License-Identifier: Apache-2.0 */
/* asm_conv.c - the form of stablehlo.convolution:
 *
 *   convolution ::= '(' operands ')' 'dim_numbers' '=' dims ',' 'window' '=' '{' window '}' dict ':' functional-type
 *   window      ::= (key '=' list (',' key '=' list)*)?    key: stride, pad, lhs_dilate, rhs_dilate, reverse */
#include "dialect/hooks.h"
#include "dialect/stablehlo/stablehlo.h"

#include "asm/reader.h"

typedef TSR_VEC(int64_t) int_vec;

static bool int_element(tsr_asm *a, void *user, size_t i)
{
    int_vec *v = user;
    int64_t n;
    (void)i;
    TSR_TRY(tsr_asm_int(a, &n));
    tsr_vec_push(v, n);
    return true;
}

/* [low, high] of one dimension. */
static bool pad_element(tsr_asm *a, void *user, size_t i)
{
    int_vec *v = user;
    if (tsr_asm_writing(a))
        return tsr_asm_lit(a, "[") && tsr_asm_int(a, &v->data[2 * i]) && tsr_asm_lit(a, ", ") &&
               tsr_asm_int(a, &v->data[2 * i + 1]) && tsr_asm_lit(a, "]");
    size_t before = v->n, n = 0;
    TSR_TRY(tsr_asm_list(a, "[", "]", &n, int_element, v));
    if (v->n - before != 2)
        return tsr_asm_error(a, "Expected array with 2 elements, got %zu elements instead",
                             v->n - before);
    return true;
}

/* The padding: an Nx2 i64 elements attribute. */
static bool window_pad(tsr_asm *a, tsr_attr **pad)
{
    int_vec v = {0};
    size_t n = tsr_asm_writing(a) ? (size_t)tsr_attr_count(*pad) / 2 : 0;
    for (size_t i = 0; i < 2 * n; i++)
        tsr_vec_push(&v, tsr_attr_int_at(*pad, i));
    bool ok = tsr_asm_list(a, "[", "]", &n, pad_element, &v);
    if (ok && !tsr_asm_writing(a)) {
        int64_t dims[2] = {(int64_t)v.n / 2, 2};
        bool splat = v.n > 0;
        for (size_t i = 1; i < v.n; i++)
            splat = splat && v.data[i] == v.data[0];
        tsr_type *type = tsr_type_tensor(a->ctx, dims, 2, a->ctx->i64, NULL);
        *pad = tsr_attr_dense(a->ctx, a->module, type, v.data, (splat ? 1 : v.n) * sizeof *v.data,
                              splat);
    }
    tsr_vec_free(&v);
    return ok;
}

/* [1, 2]: reading ends at a bad element, without an error about the missing ']'. */
static bool window_ints(tsr_asm *a, tsr_attr **attr)
{
    if (tsr_asm_writing(a))
        return tsr_asm_i64s(a, attr);
    int_vec v = {0};
    size_t n = 0;
    bool ok = tsr_asm_list(a, "[", "]", &n, int_element, &v);
    if (ok)
        *attr = tsr_attr_i64_array(a->ctx, v.data, v.n);
    tsr_vec_free(&v);
    return ok;
}

typedef struct {
    const char *key;
    int slot;
    bool (*value)(tsr_asm *a, tsr_attr **attr);
} window_key;

/* [1, 0] or [true, false]; nonzero is true. */
static bool window_reverse(tsr_asm *a, tsr_attr **attr)
{
    return tsr_asm_i1s(a, attr);
}

static const window_key window_keys[] = {
    {"stride", STABLEHLO_CONVOLUTION_window_strides, window_ints},
    {"pad", STABLEHLO_CONVOLUTION_padding, window_pad},
    {"lhs_dilate", STABLEHLO_CONVOLUTION_lhs_dilation, window_ints},
    {"rhs_dilate", STABLEHLO_CONVOLUTION_rhs_dilation, window_ints},
    {"reverse", STABLEHLO_CONVOLUTION_window_reversal, window_reverse},
};

static bool write_window(tsr_asm *a)
{
    const char *comma = "";
    for (size_t i = 0; i < TSR_COUNT(window_keys); i++) {
        tsr_attr **attr = tsr_asm_slot_place(a, window_keys[i].slot);
        if (*attr) {
            tsr_asm_lit(a, comma);
            tsr_asm_lit(a, window_keys[i].key);
            tsr_asm_lit(a, " = ");
            window_keys[i].value(a, attr);
            comma = ", ";
        }
        tsr_asm_done(a, window_keys[i].slot);
    }
    return true;
}

static bool read_window(tsr_asm *a)
{
    bool seen[TSR_COUNT(window_keys)] = {0};
    while (tsr_read_is(a->in, TOK_WORD)) {
        tsr_str key;
        TSR_TRY(tsr_asm_keyword(a, &key));
        size_t i = 0;
        while (i < TSR_COUNT(window_keys) && (seen[i] || !tsr_str_is(key, window_keys[i].key)))
            i++;
        if (i == TSR_COUNT(window_keys))
            return tsr_asm_error(a, "Unexpected keyword %.*s", TSR_STR_ARG(key));
        seen[i] = true;
        TSR_TRY(tsr_asm_lit(a, "="));
        TSR_TRY(window_keys[i].value(a, tsr_asm_slot_place(a, window_keys[i].slot)));
        if (!tsr_asm_maybe(a, ",", false))
            break;
    }
    return true;
}

/* Whether the window can be written: its padding must be a list of pairs. */
static bool writable(const tsr_op *op)
{
    const tsr_attr *pad = tsr_attr_of(op, STABLEHLO_CONVOLUTION_padding);
    if (pad &&
        (pad->kind != TSR_ATTR_DENSE || !tsr_type_is(pad->type, TSR_TYPE_TENSOR) ||
         pad->type->n != 2 || pad->type->dims[1] != 2 || pad->type->elem != op->module->ctx->i64))
        return false;
    return tsr_hlo_conv_is_regular(tsr_attr_of(op, STABLEHLO_CONVOLUTION_dimension_numbers)->attrs);
}

/* The dictionary; errors in group sizes are reported where it begins. */
static bool conv_dict(tsr_asm *a)
{
    static const int counts[] = {STABLEHLO_CONVOLUTION_feature_group_count,
                                 STABLEHLO_CONVOLUTION_batch_group_count};
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_dict(a));
    for (size_t i = 0; !tsr_asm_writing(a) && i < TSR_COUNT(counts); i++) {
        const tsr_slotdef *slot = &a->st->def->slots[counts[i]];
        const tsr_attr *attr = a->st->attrs[counts[i]];
        if (attr && (!tsr_attr_fits(slot->constraint, attr) || attr->i <= 0))
            return tsr_asm_error_at(
                a, loc, "'%.*s' op attribute '%s' failed to satisfy constraint: %s",
                TSR_STR_ARG(a->st->def->name), slot->name, slot->constraint->summary);
    }
    return true;
}

bool asm_stablehlo_convolution(tsr_asm *a)
{
    tsr_attr **numbers = tsr_asm_slot_place(a, STABLEHLO_CONVOLUTION_dimension_numbers);
    tsr_attr *params[9] = {0};
    if (tsr_asm_writing(a)) {
        if (!writable(a->op))
            return false;
        memcpy(params, (*numbers)->attrs, sizeof params);
    }
    TSR_TRY(tsr_asm_lit(a, "(") && tsr_asm_operands(a, 0, 2) && tsr_asm_lit(a, ") dim_numbers = "));
    TSR_TRY(tsr_hlo_conv_dims(a, params));
    if (!tsr_asm_writing(a))
        *numbers = tsr_attr_struct(a->ctx, &tsr_def_STABLEHLO_CONV, params);
    tsr_asm_done(a, STABLEHLO_CONVOLUTION_dimension_numbers);
    TSR_TRY(tsr_asm_lit(a, ", window = {"));
    TSR_TRY(tsr_asm_writing(a) ? write_window(a) : read_window(a));
    return tsr_asm_lit(a, "}") && conv_dict(a) && tsr_asm_lit(a, " : ") &&
           tsr_asm_functional_type(a);
}
