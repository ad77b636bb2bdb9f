/* SPDX-License-Identifier: Apache-2.0 */
/* asm.c - assembly of StableHLO ops for which a row's format is not enough: constants, types implied by others, slices
 * and dots. Convolutions are in asm_conv.c, ops with regions in asm_region.c.
 *
 * A hook that returns false while writing declines: the op does not have this form, and nothing was written. */
#include <stdio.h>

#include "dialect/hooks.h"
#include "dialect/stablehlo/stablehlo.h"

#include "asm/reader.h"

static tsr_type *operand_type(const tsr_op *op, size_t i)
{
    return op->in[i].value->type;
}

static void push_types(tsr_type_vec *to, tsr_type *const *types, size_t n)
{
    for (size_t i = 0; i < n; i++)
        tsr_vec_push(to, types[i]);
}

/* dict ':' functional-type, the end of most forms. */
static bool dict_and_ftype(tsr_asm *a)
{
    return tsr_asm_dict(a) && tsr_asm_lit(a, " : ") && tsr_asm_functional_type(a);
}

bool tsr_hlo_assign_function(tsr_asm *a, tsr_loc loc, const tsr_type *function, size_t nin)
{
    if (function->n != nin)
        return tsr_asm_error_at(a, loc, "%zu operands present, but expected %u", nin, function->n);
    if (function->nout != 1)
        return tsr_asm_error_at(a, loc, "expected single output");
    push_types(&a->st->operand_types, function->types, nin);
    push_types(&a->st->result_types, function->types + nin, 1);
    return true;
}

/* Reading: checks that there is a type for each operand. */
static bool types_match(tsr_asm *a, tsr_loc loc)
{
    size_t n = a->st->operands.n, ntypes = a->st->operand_types.n;
    if (n == ntypes)
        return true;
    return tsr_asm_error_at(
        a, loc, "number of operands and types do not match: got %zu operands and %zu types", n,
        ntypes);
}

/* ---- constant ---- */

/* constant ::= dict? elements | '(' ')' ('<' dict '>')? dict? ':' '(' ')' '->' type
 * The second form is for values whose type is not the result's: quantized constants. */
static bool write_constant(tsr_asm *a)
{
    tsr_attr **value = tsr_asm_slot_place(a, STABLEHLO_CONSTANT_value);
    bool same = (*value)->type == a->op->out[0].type;
    if (!same) {
        tsr_asm_lit(a, "() <{value = ");
        tsr_asm_attr(a, value);
        tsr_asm_lit(a, "}>");
    }
    tsr_asm_done(a, STABLEHLO_CONSTANT_value);
    tsr_asm_dict(a);
    if (same)
        return tsr_asm_lit(a, " ") && tsr_asm_attr(a, value);
    return tsr_asm_lit(a, " : () -> ") && tsr_asm_result_type(a, 0);
}

static bool read_constant_properties(tsr_asm *a)
{
    tsr_attr *dict = NULL;
    tsr_loc loc = tsr_asm_loc(a);
    TSR_TRY(tsr_asm_attr(a, &dict));
    if (!tsr_attr_is(dict, TSR_ATTR_DICT))
        return tsr_asm_error_at(a, loc, "expected DictionaryAttr to set properties");
    *tsr_asm_slot_place(a, STABLEHLO_CONSTANT_value) = tsr_dict_get(dict, TSR_STR("value"));
    return tsr_asm_lit(a, ">");
}

bool tsr_hlo_read_constant(tsr_asm *a, tsr_attr **value)
{
    TSR_TRY(tsr_asm_dict(a));
    tsr_loc loc = tsr_asm_loc(a);
    TSR_TRY(tsr_asm_attr(a, value));
    if (!tsr_attr_fits(&tsr_is_ElementsAttr, *value))
        return tsr_asm_error_at(a, loc, "invalid kind of attribute specified");
    tsr_vec_push(&a->st->result_types, (*value)->type);
    return true;
}

bool asm_stablehlo_constant(tsr_asm *a)
{
    if (tsr_asm_writing(a))
        return write_constant(a);
    if (tsr_asm_maybe(a, "(", false)) {
        TSR_TRY(tsr_asm_lit(a, ")"));
        if (tsr_asm_maybe(a, "<", false))
            TSR_TRY(read_constant_properties(a));
        return tsr_asm_dict(a) && tsr_asm_lit(a, ": () ->") && tsr_asm_result_type(a, 0);
    }
    tsr_attr **value = tsr_asm_slot_place(a, STABLEHLO_CONSTANT_value);
    return tsr_hlo_read_constant(a, value);
}

/* ---- Types implied by others ---- */

/* The tensor type of a complex tensor's parts; NULL if t is not complex. */
static tsr_type *real_type(const tsr_type *t)
{
    if (!tsr_type_is_shaped(t) || !tsr_type_is(t->elem, TSR_TYPE_COMPLEX))
        return NULL;
    if (t->kind == TSR_TYPE_TENSOR)
        return tsr_type_tensor(t->ctx, t->dims, t->n, t->elem->elem, t->attr);
    return t->kind == TSR_TYPE_UNRANKED_TENSOR ? tsr_type_unranked_tensor(t->ctx, t->elem->elem)
                                               : NULL;
}

/* complex ::= operands dict ':' (complex-tensor | functional-type) */
bool asm_stablehlo_complex(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operands(a, 0, 2) && tsr_asm_dict(a) &&
            tsr_asm_lit(a, " : "));
    if (tsr_asm_writing(a)) {
        tsr_type *real = real_type(a->op->out[0].type);
        if (real && operand_type(a->op, 0) == real && operand_type(a->op, 1) == real)
            return tsr_asm_result_type(a, 0);
        return tsr_asm_functional_type(a);
    }
    tsr_loc loc = tsr_asm_loc(a);
    tsr_type *type = NULL;
    TSR_TRY(tsr_asm_type(a, &type));
    if (tsr_type_is(type, TSR_TYPE_FUNCTION))
        return tsr_hlo_assign_function(a, loc, type, 2);
    tsr_type *real = real_type(type);
    if (!real)
        return tsr_asm_error_at(a, loc, "expected tensor with complex element type");
    tsr_vec_push(&a->st->operand_types, real);
    tsr_vec_push(&a->st->operand_types, real);
    tsr_vec_push(&a->st->result_types, type);
    return true;
}

/* select ::= operands dict ':' (pred-type ',' type | functional-type) */
bool asm_stablehlo_select(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operands(a, 0, 3) && tsr_asm_dict(a) &&
            tsr_asm_lit(a, " : "));
    if (tsr_asm_writing(a)) {
        tsr_type *type = a->op->out[0].type;
        if (operand_type(a->op, 1) != type || operand_type(a->op, 2) != type)
            return tsr_asm_functional_type(a);
        return tsr_asm_operand_type(a, 0) && tsr_asm_lit(a, ", ") && tsr_asm_result_type(a, 0);
    }
    tsr_loc loc = tsr_asm_loc(a);
    tsr_type *types[2] = {NULL, NULL}, *more;
    size_t n = 0;
    do {
        TSR_TRY(tsr_asm_type(a, n < 2 ? &types[n] : &more));
        n++;
    } while (tsr_asm_maybe(a, ",", false));
    if (n == 1 && tsr_type_is(types[0], TSR_TYPE_FUNCTION))
        return tsr_hlo_assign_function(a, loc, types[0], 3);
    if (n != 2)
        return tsr_asm_error_at(a, loc, "expected functional type or list of two types");
    tsr_vec_push(&a->st->operand_types, types[0]);
    tsr_vec_push(&a->st->operand_types, types[1]);
    tsr_vec_push(&a->st->operand_types, types[1]);
    tsr_vec_push(&a->st->result_types, types[1]);
    return true;
}

/* tuple ::= operands dict ':' tuple-type */
bool asm_stablehlo_tuple(tsr_asm *a)
{
    tsr_loc start = tsr_asm_loc(a);
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operands(a, 0, SIZE_MAX) && tsr_asm_dict(a) &&
            tsr_asm_lit(a, " : "));
    if (tsr_asm_writing(a))
        return tsr_asm_result_type(a, 0);
    tsr_loc loc = tsr_asm_loc(a);
    TSR_TRY(tsr_asm_result_type(a, 0));
    tsr_type *type = a->st->result_types.data[0];
    if (!tsr_type_is(type, TSR_TYPE_TUPLE))
        return tsr_asm_error_at(a, loc, "expected tuple type");
    push_types(&a->st->operand_types, type->types, type->n);
    return types_match(a, start);
}

/* return ::= operands dict (':' types)? */
bool asm_stablehlo_return(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operands(a, 0, SIZE_MAX) && tsr_asm_dict(a));
    if (tsr_asm_maybe(a, " : ", tsr_asm_writing(a) && a->op->nin > 0))
        return tsr_asm_operand_types(a, 0, SIZE_MAX);
    return true;
}

/* optimization_barrier ::= dict ('(' ')' | operands ':' types) */
bool asm_stablehlo_barrier(tsr_asm *a)
{
    if (tsr_asm_writing(a))
        for (uint32_t i = 0; i < a->op->nin; i++)
            if (a->op->nout != a->op->nin || operand_type(a->op, i) != a->op->out[i].type)
                return false;
    TSR_TRY(tsr_asm_dict(a));
    if (tsr_asm_maybe(a, "()", tsr_asm_writing(a) && a->op->nin == 0))
        return true;
    tsr_loc start = tsr_asm_loc(a);
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operands(a, 0, SIZE_MAX) && tsr_asm_lit(a, " : "));
    tsr_loc loc = tsr_asm_loc(a);
    if (!tsr_asm_operand_types(a, 0, SIZE_MAX))
        return tsr_asm_error_at(a, loc, "expected type list");
    if (tsr_asm_writing(a))
        return true;
    push_types(&a->st->result_types, a->st->operand_types.data, a->st->operand_types.n);
    return types_match(a, start);
}

/* ---- Slices and lists of operands ---- */

typedef struct {
    TSR_VEC(int64_t) start, limit, stride;
} slice_ranges;

/* start ':' limit (':' stride)? */
static bool slice_range(tsr_asm *a, void *user, size_t i)
{
    slice_ranges *r = user;
    int64_t start = 0, limit = 0, stride = 1;
    if (tsr_asm_writing(a)) {
        start = tsr_attr_int_at(tsr_attr_of(a->op, STABLEHLO_SLICE_start_indices), i);
        limit = tsr_attr_int_at(tsr_attr_of(a->op, STABLEHLO_SLICE_limit_indices), i);
        stride = tsr_attr_int_at(tsr_attr_of(a->op, STABLEHLO_SLICE_strides), i);
    }
    TSR_TRY(tsr_asm_int(a, &start) && tsr_asm_lit(a, ":") && tsr_asm_int(a, &limit));
    if (tsr_asm_maybe(a, ":", stride != 1))
        TSR_TRY(tsr_asm_int(a, &stride));
    if (!tsr_asm_writing(a)) {
        tsr_vec_push(&r->start, start);
        tsr_vec_push(&r->limit, limit);
        tsr_vec_push(&r->stride, stride);
    }
    return true;
}

/* slice ::= operand '[' ranges ']' dict ':' functional-type */
bool asm_stablehlo_slice(tsr_asm *a)
{
    tsr_attr **start = tsr_asm_slot_place(a, STABLEHLO_SLICE_start_indices);
    tsr_attr **limit = tsr_asm_slot_place(a, STABLEHLO_SLICE_limit_indices);
    tsr_attr **stride = tsr_asm_slot_place(a, STABLEHLO_SLICE_strides);
    slice_ranges r = {0};
    size_t n = 0;
    if (tsr_asm_writing(a)) {
        n = (size_t)tsr_attr_count(*start);
        if (tsr_attr_count(*limit) != (int64_t)n || tsr_attr_count(*stride) != (int64_t)n)
            return false;
    }
    bool ok = tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, " ") &&
              tsr_asm_list(a, "[", "]", &n, slice_range, &r);
    if (ok && !tsr_asm_writing(a)) {
        *start = tsr_attr_i64_array(a->ctx, r.start.data, r.start.n);
        *limit = tsr_attr_i64_array(a->ctx, r.limit.data, r.limit.n);
        *stride = tsr_attr_i64_array(a->ctx, r.stride.data, r.stride.n);
    }
    tsr_vec_free(&r.start);
    tsr_vec_free(&r.limit);
    tsr_vec_free(&r.stride);
    tsr_asm_done(a, STABLEHLO_SLICE_start_indices);
    tsr_asm_done(a, STABLEHLO_SLICE_limit_indices);
    tsr_asm_done(a, STABLEHLO_SLICE_strides);
    return ok && dict_and_ftype(a);
}

/* (operand ',')*: operands before a keyword. */
static bool operands_and_comma(tsr_asm *a, size_t from)
{
    if (tsr_asm_writing(a))
        return tsr_asm_operands(a, from, SIZE_MAX) && tsr_asm_lit(a, ", ");
    while (tsr_read_is(a->in, TOK_PERCENT))
        TSR_TRY(tsr_asm_operand(a, a->st->operands.n) && tsr_asm_lit(a, ","));
    tsr_asm_maybe(a, ",", false); /* written if there are no operands */
    return true;
}

/* dynamic_slice ::= operand ',' (operand ',')* 'sizes' '=' numbers dict ':' functional-type */
bool asm_stablehlo_dynamic_slice(tsr_asm *a)
{
    return tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, ", ") &&
           operands_and_comma(a, 1) && tsr_asm_lit(a, "sizes = ") &&
           tsr_asm_slot(a, STABLEHLO_DYNAMIC_SLICE_slice_sizes) && dict_and_ftype(a);
}

/* concatenate ::= (operand ',')* 'dim' '=' number dict ':' functional-type */
bool asm_stablehlo_concatenate(tsr_asm *a)
{
    return tsr_asm_lit(a, " ") && operands_and_comma(a, 0) && tsr_asm_lit(a, "dim = ") &&
           tsr_asm_slot(a, STABLEHLO_CONCATENATE_dimension) && dict_and_ftype(a);
}

/* ---- reduce_precision ---- */

/* e#m#: the two runs of digits. */
static bool split_format(tsr_str word, tsr_str *exponent, tsr_str *mantissa)
{
    const char *p = word.data, *end = word.data + word.len;
    if (p == end || *p++ != 'e')
        return false;
    exponent->data = p;
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    exponent->len = (size_t)(p - exponent->data);
    if (p == end || *p++ != 'm')
        return false;
    mantissa->data = p;
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    mantissa->len = (size_t)(p - mantissa->data);
    return p == end && exponent->len && mantissa->len;
}

static bool bits_value(tsr_asm *a, tsr_loc loc, const char *what, tsr_str text, tsr_attr **out)
{
    int64_t n = 0;
    for (size_t i = 0; i < text.len && n <= INT32_MAX; i++)
        n = n * 10 + (text.data[i] - '0');
    if (n > INT32_MAX)
        return tsr_asm_error_at(a, loc, "unable to parse %s '%.*s'", what, TSR_STR_ARG(text));
    *out = tsr_attr_i32(a->ctx, (int32_t)n);
    return true;
}

/* reduce_precision ::= operand ',' 'format' '=' e#m# dict ':' same */
bool asm_stablehlo_reduce_precision(tsr_asm *a)
{
    tsr_attr **exponent = tsr_asm_slot_place(a, STABLEHLO_REDUCE_PRECISION_exponent_bits);
    tsr_attr **mantissa = tsr_asm_slot_place(a, STABLEHLO_REDUCE_PRECISION_mantissa_bits);
    if (tsr_asm_writing(a) && ((*exponent)->i < 0 || (*mantissa)->i < 0))
        return false;
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, ", format = "));
    if (tsr_asm_writing(a)) {
        char text[48];
        snprintf(text, sizeof text, "e%lldm%lld", (long long)(*exponent)->i,
                 (long long)(*mantissa)->i);
        tsr_asm_lit(a, text);
    } else {
        tsr_str word, e, m;
        tsr_loc loc = tsr_asm_loc(a);
        TSR_TRY(tsr_asm_keyword(a, &word));
        if (!split_format(word, &e, &m))
            return tsr_asm_error_at(a, loc, "expected exponent mantissa in format e#m#, saw %.*s",
                                    TSR_STR_ARG(word));
        TSR_TRY(bits_value(a, loc, "exponent", e, exponent) &&
                bits_value(a, loc, "mantissa", m, mantissa));
    }
    tsr_asm_done(a, STABLEHLO_REDUCE_PRECISION_exponent_bits);
    tsr_asm_done(a, STABLEHLO_REDUCE_PRECISION_mantissa_bits);
    return tsr_asm_dict(a) && tsr_asm_lit(a, " : ") && tsr_asm_same_type(a);
}

/* ---- dot and dot_general ---- */

static bool precision_element(tsr_asm *a, void *user, size_t i)
{
    tsr_attr_vec *v = user;
    if (tsr_asm_writing(a))
        return tsr_asm_enum(a, &tsr_def_STABLEHLO_PRECISION, &v->data[i]);
    tsr_attr *p = NULL;
    TSR_TRY(tsr_asm_enum(a, &tsr_def_STABLEHLO_PRECISION, &p));
    tsr_vec_push(v, p);
    return true;
}

/* 'precision' '=' '[' words ']' */
static bool precision(tsr_asm *a, int slot)
{
    tsr_attr **config = tsr_asm_slot_place(a, slot);
    tsr_attr_vec v = {0};
    size_t n = tsr_asm_writing(a) ? (*config)->n : 0;
    for (size_t i = 0; i < n; i++)
        tsr_vec_push(&v, (*config)->attrs[i]);
    bool ok =
        tsr_asm_lit(a, "precision = ") && tsr_asm_list(a, "[", "]", &n, precision_element, &v);
    if (ok && !tsr_asm_writing(a))
        *config = tsr_attr_array(a->ctx, v.data, v.n);
    tsr_vec_free(&v);
    tsr_asm_done(a, slot);
    return ok;
}

/* dot ::= lhs ',' rhs (',' precision)? dict ':' functional-type */
bool asm_stablehlo_dot(tsr_asm *a)
{
    tsr_attr **config = tsr_asm_slot_place(a, STABLEHLO_DOT_precision_config);
    if (*config && !attr_ok_hlo_precisions(*config))
        return false;
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, ", ") &&
            tsr_asm_operand(a, 1));
    if (tsr_asm_maybe(a, ", ", *config != NULL))
        TSR_TRY(precision(a, STABLEHLO_DOT_precision_config));
    return dict_and_ftype(a);
}

/* numbers 'x' numbers: of the left and the right side */
static bool dim_pair(tsr_asm *a, tsr_attr **lhs, tsr_attr **rhs)
{
    return tsr_asm_i64s(a, lhs) && tsr_asm_lit(a, " x ") && tsr_asm_i64s(a, rhs);
}

/* ('batching_dims' '=' pair ',')? 'contracting_dims' '=' pair */
static bool dot_dims(tsr_asm *a)
{
    tsr_attr **numbers = tsr_asm_slot_place(a, STABLEHLO_DOT_GENERAL_dot_dimension_numbers);
    tsr_attr *none = tsr_attr_i64_array(a->ctx, NULL, 0), *p[4] = {none, none, none, none};
    if (tsr_asm_writing(a))
        memcpy(p, (*numbers)->attrs, sizeof p);
    if (tsr_asm_maybe(a, "batching_dims = ", p[0] != none || p[1] != none))
        TSR_TRY(dim_pair(a, &p[0], &p[1]) && tsr_asm_lit(a, ", "));
    TSR_TRY(tsr_asm_lit(a, "contracting_dims = ") && dim_pair(a, &p[2], &p[3]));
    if (!tsr_asm_writing(a))
        *numbers = tsr_attr_struct(a->ctx, &tsr_def_STABLEHLO_DOT, p);
    tsr_asm_done(a, STABLEHLO_DOT_GENERAL_dot_dimension_numbers);
    return true;
}

/* dot_general ::= lhs ',' rhs ',' dims (',' precision)? (',' 'algorithm' '=' struct)? dict ':' functional-type */
bool asm_stablehlo_dot_general(tsr_asm *a)
{
    tsr_attr **config = tsr_asm_slot_place(a, STABLEHLO_DOT_GENERAL_precision_config);
    tsr_attr **algorithm = tsr_asm_slot_place(a, STABLEHLO_DOT_GENERAL_algorithm);
    if (*config && !attr_ok_hlo_precisions(*config))
        return false;
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, ", ") &&
            tsr_asm_operand(a, 1));
    TSR_TRY(tsr_asm_lit(a, ", ") && dot_dims(a));
    bool more = tsr_asm_maybe(a, ", ", *config || *algorithm);
    if (more && (tsr_asm_writing(a) ? *config != NULL : !tsr_asm_peek(a, "algorithm"))) {
        TSR_TRY(precision(a, STABLEHLO_DOT_GENERAL_precision_config));
        more = tsr_asm_maybe(a, ", ", *algorithm != NULL);
    }
    if (more)
        TSR_TRY(tsr_asm_lit(a, "algorithm = ") && tsr_asm_slot(a, STABLEHLO_DOT_GENERAL_algorithm));
    return dict_and_ftype(a);
}
