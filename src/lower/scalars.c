/* SPDX-License-Identifier: Apache-2.0 */
/* scalars.c - lowers arith and tensor on scalars to StableHLO, with the rows of arith.def and a few functions. */
#include "lower/scalars.h"

typedef enum { ROW_NONE, ROW_PLAIN, ROW_NATURAL, ROW_CAST } row_kind;
typedef enum { FROM_SIGNED, FROM_UNSIGNED, FROM_FLOAT } cast_kind;

static const struct {
    uint8_t kind, from;
    uint16_t to;
} rows[TSR_OP__COUNT] = {
#define PLAIN(op, other) [TSR_OP_##op] = {.kind = ROW_PLAIN, .to = TSR_OP_##other},
#define NATURAL(op, other) [TSR_OP_##op] = {.kind = ROW_NATURAL, .to = TSR_OP_##other},
#define CASTS(op, of) [TSR_OP_##op] = {.kind = ROW_CAST, .from = FROM_##of},
#include "lower/arith.def"
};

static tsr_type *element(tsr_type *elem)
{
    return elem->kind == TSR_TYPE_INDEX ? elem->ctx->i64 : elem;
}

tsr_type *tsr_tensor_of_scalar(tsr_type *t)
{
    switch (t->kind) {
    case TSR_TYPE_INTEGER:
    case TSR_TYPE_FLOAT:
    case TSR_TYPE_INDEX:
    case TSR_TYPE_COMPLEX: return tsr_type_tensor(t->ctx, NULL, 0, element(t), NULL);
    case TSR_TYPE_TENSOR:
        return t->elem->kind == TSR_TYPE_INDEX
                   ? tsr_type_tensor(t->ctx, t->dims, t->n, t->ctx->i64, t->attr)
                   : t;
    default: return t;
    }
}

/* ---- Signs ---- */

static tsr_value *as_unsigned(tsr_build *b, tsr_value *v)
{
    const tsr_type *e = tsr_elem(v);
    bool plain = e->kind == TSR_TYPE_INTEGER && e->width > 1 && e->sub == TSR_SIGNLESS;
    return plain ? tsr_build_bitcast(b, v, tsr_type_integer(b->ctx, e->width, TSR_UNSIGNED)) : v;
}

static tsr_value *as_signless(tsr_build *b, tsr_value *v)
{
    const tsr_type *e = tsr_elem(v);
    bool natural = e->kind == TSR_TYPE_INTEGER && e->sub == TSR_UNSIGNED;
    return natural ? tsr_build_bitcast(b, v, tsr_type_integer(b->ctx, e->width, TSR_SIGNLESS)) : v;
}

static tsr_value *cast(tsr_build *b, tsr_op *op, cast_kind from)
{
    tsr_value *x = op->in[0].value;
    tsr_type *to = op->out[0].type->elem;
    if (from == FROM_UNSIGNED)
        return tsr_build_convert(b, as_unsigned(b, x), to);
    if (from == FROM_SIGNED &&
        tsr_type_is_integer(to, 1)) /* the lowest bit, not whether any is set */
        x = f_and(b, x, tsr_build_like_int(b, x, tsr_elem(x), 1));
    /* true is -1 as a signed one-bit number. */
    bool bit = from == FROM_SIGNED && tsr_type_is_integer(tsr_elem(x), 1);
    tsr_value *y = tsr_build_convert(b, x, to);
    return bit && !tsr_type_is_integer(to, 1) ? f_neg(b, y) : y;
}

/* ---- Comparisons ---- */

static tsr_value *cmpi(tsr_build *b, tsr_op *op)
{
    static const char *const words[] = {"EQ", "NE", "LT", "LE", "GT", "GE", "LT", "LE", "GT", "GE"};
    int64_t how = tsr_attr_of(op, ARITH_CMPI_predicate)->i;
    tsr_value *x = op->in[0].value, *y = op->in[1].value;
    if (how < 0 || how > 9)
        return NULL;
    bool bits = tsr_type_is_integer(tsr_elem(x), 1);
    if (how >= 6) {
        x = as_unsigned(b, x);
        y = as_unsigned(b, y);
    } else if (bits && how >= 2) { /* as signed numbers, true is less than false */
        tsr_value *t = x;
        x = y;
        y = t;
    }
    return tsr_build_compare(b, words[how], NULL, x, y);
}

/* Ordered predicates are false for NaN, like StableHLO's except NE; unordered ones are true. */
static tsr_value *cmpf(tsr_build *b, tsr_op *op)
{
    static const char *const words[] = {NULL, "EQ", "GT", "GE", "LT", "LE", "NE", NULL,
                                        "EQ", "GT", "GE", "LT", "LE", "NE", NULL, NULL};
    int64_t how = tsr_attr_of(op, ARITH_CMPF_predicate)->i;
    tsr_value *x = op->in[0].value, *y = op->in[1].value;
    if (how < 0 || how > 15)
        return NULL;
    if (how == 0 || how == 15)
        return tsr_build_like_int(b, x, b->ctx->i1, how == 15);
    tsr_value *nan = NULL, *met = words[how] ? tsr_build_compare(b, words[how], NULL, x, y) : NULL;
    if (how == 6 || how == 7 || (how >= 8 && how != 13)) {
        nan = f_or(b, f_ne(b, x, x), f_ne(b, y, y));
        if (how < 8)
            nan = tsr_build_op(b, TSR_OP_STABLEHLO_NOT, &nan, 1, NULL);
    }
    return !nan ? met : !met ? nan : how < 8 ? f_and(b, met, nan) : f_or(b, met, nan);
}

/* ---- Constants ---- */

static tsr_value *constant(tsr_build *b, tsr_op *op)
{
    tsr_attr *value = tsr_attr_of(op, ARITH_CONSTANT_value);
    tsr_type *type = op->out[0].type;
    uint8_t bytes[8] = {0};
    if (value->kind == TSR_ATTR_DENSE) {
        if (value->type != type) /* index, which is stored like i64 */
            value = tsr_attr_dense(b->ctx, b->module, type, value->s.data, value->s.len,
                                   value->sub == 1);
    } else if (value->kind == TSR_ATTR_DENSE_RESOURCE) {
        value = tsr_attr_dense_resource(b->ctx, type, value->s);
    } else if (value->kind == TSR_ATTR_INT || value->kind == TSR_ATTR_FLOAT) {
        uint32_t width = tsr_type_storage_bits(type->elem);
        uint64_t bits = (uint64_t)value->i;
        if (width > 64)
            return NULL;
        if (type->elem->width < 64)
            bits &= ((uint64_t)1 << type->elem->width) - 1;
        for (uint32_t i = 0; i < width / 8; i++)
            bytes[i] = (uint8_t)(bits >> 8 * i);
        value = tsr_attr_dense(b->ctx, b->module, type, bytes, width / 8, true);
    } else {
        return NULL;
    }
    tsr_op *c = tsr_build_open(b, TSR_OP_STABLEHLO_CONSTANT, NULL, 0, 1, 0);
    c->attrs[STABLEHLO_CONSTANT_value] = value;
    return &tsr_build_close_as(b, c, &type)->out[0];
}

/* ---- Elements of tensors ---- */

static tsr_value *extract(tsr_build *b, tsr_op *op)
{
    tsr_value *x = op->in[0].value;
    tsr_i64_vec ones = {0};
    tsr_value_vec in = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, op->in[i].value);
    for (uint32_t i = 0; i < x->type->n; i++)
        tsr_vec_push(&ones, 1);
    tsr_value *v = x;
    if (x->type->n) {
        tsr_op *s = tsr_build_open(b, TSR_OP_STABLEHLO_DYNAMIC_SLICE, in.data, in.n, 1, 0);
        s->attrs[STABLEHLO_DYNAMIC_SLICE_slice_sizes] =
            tsr_attr_i64_array(b->ctx, ones.data, ones.n);
        v = &tsr_build_close(b, s)->out[0];
    }
    tsr_vec_free(&ones);
    tsr_vec_free(&in);
    return tsr_build_reshape(b, v, tsr_scalar_type(tsr_elem(x)));
}

static tsr_value *from_elements(tsr_build *b, tsr_op *op)
{
    tsr_value_vec parts = {0};
    int64_t one = 1;
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(
            &parts, tsr_build_reshape(b, op->in[i].value,
                                      tsr_static_type(b->ctx, &one, 1, tsr_elem(op->in[i].value))));
    tsr_value *all = NULL;
    if (parts.n == 1) {
        all = parts.data[0];
    } else if (parts.n) {
        tsr_op *c = tsr_build_open(b, TSR_OP_STABLEHLO_CONCATENATE, parts.data, parts.n, 1, 0);
        c->attrs[STABLEHLO_CONCATENATE_dimension] = tsr_attr_i64(b->ctx, 0);
        all = &tsr_build_close(b, c)->out[0];
    }
    tsr_vec_free(&parts);
    return all ? tsr_build_reshape(b, all, op->out[0].type) : NULL;
}

static tsr_value *dim(tsr_build *b, tsr_op *op)
{
    tsr_i64_vec at = {0};
    tsr_value *x = op->in[0].value, *size = NULL;
    if (tsr_hlo_is_ranked(x->type) && tsr_hlo_const_ints(op->in[1].value, &at) && at.n == 1 &&
        at.data[0] >= 0 && at.data[0] < x->type->n) {
        tsr_op *s = tsr_build_open(b, TSR_OP_STABLEHLO_GET_DIMENSION_SIZE, &x, 1, 1, 0);
        s->attrs[STABLEHLO_GET_DIMENSION_SIZE_dimension] = tsr_attr_i64(b->ctx, at.data[0]);
        size = tsr_build_convert(b, &tsr_build_close(b, s)->out[0], b->ctx->i64);
    }
    tsr_vec_free(&at);
    return size;
}

static tsr_value *rewrite(tsr_build *b, tsr_op *op)
{
    tsr_value *in[3] = {NULL, NULL, NULL};
    uint16_t code = op->def->opcode;
    for (uint32_t i = 0; i < op->nin && i < 3; i++)
        in[i] = op->in[i].value;
    switch (rows[code].kind) {
    case ROW_PLAIN:
        return tsr_build_op(b, (enum tsr_opcode)rows[code].to, in, op->nin, op->out[0].type);
    case ROW_NATURAL: {
        tsr_value *u[] = {as_unsigned(b, in[0]), as_unsigned(b, in[1])};
        return as_signless(b, tsr_build_op(b, (enum tsr_opcode)rows[code].to, u, 2, NULL));
    }
    case ROW_CAST: return cast(b, op, (cast_kind)rows[code].from);
    default: break;
    }
    switch (code) {
    case TSR_OP_ARITH_CONSTANT: return constant(b, op);
    case TSR_OP_ARITH_CMPI: return cmpi(b, op);
    case TSR_OP_ARITH_CMPF: return cmpf(b, op);
    case TSR_OP_ARITH_BITCAST: return tsr_build_bitcast(b, in[0], op->out[0].type->elem);
    case TSR_OP_TENSOR_EXTRACT: return extract(b, op);
    case TSR_OP_TENSOR_FROM_ELEMENTS: return from_elements(b, op);
    case TSR_OP_TENSOR_DIM: return dim(b, op);
    case TSR_OP_TENSOR_SPLAT:
        return op->nin == 1 && tsr_type_has_static_shape(op->out[0].type)
                   ? tsr_build_broadcast(b, in[0], NULL, op->out[0].type)
                   : NULL;
    case TSR_OP_TENSOR_CAST:
        return tsr_hlo_is_ranked(in[0]->type) && tsr_hlo_is_ranked(op->out[0].type)
                   ? tsr_build_op(b, TSR_OP_STABLEHLO_CONVERT, in, 1, op->out[0].type)
                   : NULL;
    default: return NULL;
    }
}

bool tsr_scalar_rewrite(tsr_build *b, tsr_op *op, tsr_value **out)
{
    if (op->def->opcode == TSR_UNREGISTERED || op->nout != 1)
        return false;
    return (out[0] = rewrite(b, op)) != NULL && !b->failed;
}
