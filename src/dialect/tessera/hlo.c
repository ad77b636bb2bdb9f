/* SPDX-License-Identifier: Apache-2.0 */
/* hlo.c - lowers Graph IR to StableHLO: elementwise ops and shapes. Results have the types that were written, without
 * the names of dimensions. */
#include "dialect/reducer.h"
#include "dialect/tessera/hlo.h"

static const struct {
    tsr_hlo_fn *fn;
} hooks[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define HLO(hook) .fn = hlo_##hook,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

tsr_hlo_fn *tsr_hlo_of(const tsr_op *op)
{
    return op->def->opcode == TSR_UNREGISTERED ? NULL : hooks[op->def->opcode].fn;
}

bool tsr_hlo_cannot(const tsr_op *op, const char *why)
{
    return tsr_op_error(op, "has no form in StableHLO: %s", why);
}

tsr_type *tsr_hlo_working(tsr_type *elem)
{
    return elem->kind == TSR_TYPE_FLOAT && elem->width < 32 ? tsr_type_float(elem->ctx, TSR_F32)
                                                            : elem;
}

tsr_value *tsr_hlo_operand(const tsr_op *op, uint32_t i)
{
    return op->in[i].value;
}

/* ---- Reductions and sizes ---- */

tsr_value *tsr_hlo_reduce(tsr_build *b, enum tsr_opcode opcode, tsr_value *v, const int64_t *dims,
                          size_t n)
{
    tsr_type *elem = tsr_elem(v), *scalar = tsr_scalar_type(elem);
    tsr_op *init = tsr_build_open(b, TSR_OP_STABLEHLO_CONSTANT, NULL, 0, 1, 0);
    init->attrs[STABLEHLO_CONSTANT_value] = tsr_reduce_identity_attr(
        b->module, tsr_reduce_kind_of((int)opcode), elem, TSR_IDENTITY_GREATEST);
    tsr_build_close_as(b, init, &scalar);
    tsr_value *in[] = {v, &init->out[0]};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_REDUCE, in, 2, 1, 1);
    op->attrs[STABLEHLO_REDUCE_dimensions] = tsr_attr_i64_array(b->ctx, dims, n);
    tsr_type *args[] = {scalar, scalar};
    tsr_build body = tsr_build_in(b, &op->regions[0], args, 2);
    tsr_value *joined = tsr_build_op(&body, opcode, body.block->args, 2, scalar);
    tsr_build_return(&body, &joined, 1);
    tsr_build_free(&body);
    return &tsr_build_close(b, op)->out[0];
}

tsr_value *tsr_hlo_repeat_along(tsr_build *b, tsr_value *v, tsr_value *like, int64_t dim)
{
    tsr_i64_vec places = {0};
    for (int64_t i = 0; i < like->type->n; i++)
        if (i != dim)
            tsr_vec_push(&places, i);
    tsr_value *wide = tsr_build_spread(b, v, places.data, like);
    tsr_vec_free(&places);
    return wide;
}

tsr_value *tsr_hlo_size_scalar(tsr_build *b, tsr_value *v, int64_t dim, tsr_type *elem)
{
    tsr_value *size = tsr_build_convert(b, tsr_build_size(b, v, dim), elem);
    return tsr_build_reshape(b, size, tsr_scalar_type(elem));
}

tsr_value *tsr_hlo_fill(tsr_build *b, tsr_value *scalar, tsr_value *v)
{
    return tsr_build_spread(b, scalar, NULL, v);
}

/* ---- Elementwise ---- */

bool hlo_binary(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_type *elem = op->out[0].type->elem;
    tsr_value *in[2];
    for (uint32_t i = 0; i < 2; i++) {
        if (!tsr_hlo_is_ranked(tsr_hlo_in(op, i)))
            return tsr_hlo_cannot(op, "a rank is not known");
        in[i] = tsr_build_convert(b, tsr_hlo_operand(op, i), elem);
    }
    uint32_t rank = in[0]->type->n > in[1]->type->n ? in[0]->type->n : in[1]->type->n;
    tsr_i64_vec dims = {0};
    for (uint32_t i = 0; i < rank; i++)
        tsr_vec_push(&dims, TSR_DYNAMIC);
    tsr_type *shape = tsr_type_tensor(b->ctx, dims.data, rank, elem, NULL);
    tsr_vec_free(&dims);
    if (!tsr_broadcast_operands(b, in, 2, NULL, shape))
        return tsr_hlo_cannot(op, "its operands do not broadcast");
    out[0] = tsr_build_op(b, (enum tsr_opcode)tsr_tessera_as(op), in, 2, NULL);
    return true;
}

/* x * (1 + erf(x / sqrt 2)) / 2, or with tanh in place of erf. */
static tsr_value *gelu(tsr_build *b, const tsr_op *op, tsr_value *x)
{
    tsr_value *inner;
    if (tsr_tessera_gelu_tanh(op)) {
        tsr_value *cube = f_mulc(b, f_mul(b, f_square(b, x), x), 0.044715);
        tsr_value *in = f_mulc(b, f_add(b, x, cube), 0.7978845608028654);
        inner = tsr_build_op(b, TSR_OP_STABLEHLO_TANH, &in, 1, NULL);
    } else {
        tsr_value *in = f_mulc(b, x, 0.7071067811865476);
        inner = tsr_build_op(b, TSR_OP_CHLO_ERF, &in, 1, in->type);
    }
    return f_mulc(b, f_mul(b, x, f_addc(b, inner, 1)), 0.5);
}

bool hlo_unary(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = tsr_hlo_operand(op, 0);
    tsr_type *elem = tsr_elem(x);
    if (!tsr_hlo_is_ranked(x->type))
        return tsr_hlo_cannot(op, "a rank is not known");
    b->anchor = x;
    if (tsr_tessera_as(op)) {
        out[0] = tsr_build_op(b, (enum tsr_opcode)tsr_tessera_as(op), &x, 1, NULL);
    } else if (tsr_op_is(op, TSR_OP_TESSERA_RELU)) {
        out[0] = f_maxc(b, x, 0);
    } else {
        tsr_value *y, *w = tsr_build_convert(b, x, tsr_hlo_working(elem));
        if (tsr_op_is(op, TSR_OP_TESSERA_SILU))
            y = f_mul(b, w, tsr_build_op(b, TSR_OP_STABLEHLO_LOGISTIC, &w, 1, NULL));
        else
            y = gelu(b, op, w);
        out[0] = tsr_build_convert(b, y, elem);
    }
    return true;
}

bool hlo_cast(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = tsr_hlo_operand(op, 0);
    if (!tsr_hlo_is_ranked(x->type))
        return tsr_hlo_cannot(op, "a rank is not known");
    out[0] = tsr_build_convert(b, x, op->out[0].type->elem);
    return true;
}

bool hlo_constant(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_op *c = tsr_build_open(b, TSR_OP_STABLEHLO_CONSTANT, NULL, 0, 1, 0);
    c->attrs[STABLEHLO_CONSTANT_value] = tsr_attr_of(op, TESSERA_CONSTANT_value);
    out[0] = &tsr_build_close_as(b, c, &c->attrs[STABLEHLO_CONSTANT_value]->type)->out[0];
    return true;
}

/* ---- Shapes ---- */

/* The dimension of x that has the same name as dimension i of type; -1: none. */
static int64_t named_alike(const tsr_type *type, uint32_t i, const tsr_type *x)
{
    tsr_attr *name = tsr_tessera_dim_of(type, i).name;
    for (uint32_t k = 0; name && k < x->n; k++)
        if (tsr_tessera_dim_of(x, k).name == name)
            return k;
    return -1;
}

/* The size of the remaining dimension: the number of elements divided by the sizes of the others. */
static tsr_value *left_over(tsr_build *b, tsr_value *x, tsr_value *const *sizes, uint32_t n)
{
    tsr_value *all = tsr_build_size_const(b, 1), *others = all;
    for (uint32_t i = 0; i < x->type->n; i++)
        all = f_mul(b, all, tsr_build_size(b, x, i));
    for (uint32_t i = 0; i < n; i++)
        if (sizes[i])
            others = f_mul(b, others, sizes[i]);
    return f_div(b, all, others);
}

bool hlo_reshape(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = tsr_hlo_operand(op, 0);
    tsr_type *type = op->out[0].type;
    if (!tsr_hlo_is_ranked(x->type) || !tsr_hlo_is_ranked(type))
        return tsr_hlo_cannot(op, "a rank is not known");
    if (tsr_type_has_static_shape(type)) {
        out[0] = tsr_build_reshape(b, x, type);
        return true;
    }
    tsr_value_vec sizes = {0};
    int64_t open = -1;
    bool ok = true;
    for (uint32_t i = 0; i < type->n; i++) {
        int64_t alike = type->dims[i] == TSR_DYNAMIC ? named_alike(type, i, x->type) : -1;
        tsr_value *size = type->dims[i] != TSR_DYNAMIC ? tsr_build_size_const(b, type->dims[i])
                          : alike >= 0                 ? tsr_build_size(b, x, alike)
                                                       : NULL;
        ok &= size || open < 0;
        open = size ? open : (int64_t)i;
        tsr_vec_push(&sizes, size);
    }
    if (ok && open >= 0)
        sizes.data[open] = left_over(b, x, sizes.data, type->n);
    if (ok) {
        tsr_value *in[] = {x, tsr_build_join(b, sizes.data, sizes.n)};
        out[0] = tsr_build_op(b, TSR_OP_STABLEHLO_DYNAMIC_RESHAPE, in, 2, tsr_tessera_plain(type));
    }
    tsr_vec_free(&sizes);
    return ok || tsr_hlo_cannot(op, "more than one size of its result is not known");
}

bool hlo_transpose(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = tsr_hlo_operand(op, 0);
    if (!tsr_hlo_is_ranked(x->type))
        return tsr_hlo_cannot(op, "a rank is not known");
    tsr_i64_vec perm = {0};
    for (size_t i = 0; i < x->type->n; i++)
        tsr_vec_push(&perm, tsr_tessera_perm(op, x->type->n, i));
    tsr_op *t = tsr_build_open(b, TSR_OP_STABLEHLO_TRANSPOSE, &x, 1, 1, 0);
    t->attrs[STABLEHLO_TRANSPOSE_permutation] = tsr_attr_i64_array(b->ctx, perm.data, perm.n);
    tsr_vec_free(&perm);
    out[0] = &tsr_build_close(b, t)->out[0];
    return true;
}

bool hlo_broadcast(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = tsr_hlo_operand(op, 0);
    tsr_type *type = op->out[0].type;
    if (!tsr_hlo_is_ranked(x->type) || !tsr_hlo_is_ranked(type))
        return tsr_hlo_cannot(op, "a rank is not known");
    tsr_i64_vec dims = {0};
    tsr_value_vec sizes = {0};
    uint32_t before = type->n - x->type->n;
    bool ok = true, known = tsr_type_has_static_shape(type);
    for (uint32_t i = 0; i < x->type->n; i++)
        tsr_vec_push(&dims, (int64_t)(before + i));
    for (uint32_t i = 0; !known && i < type->n; i++) {
        bool there = i >= before && (type->dims[i] == TSR_DYNAMIC);
        ok &= there || type->dims[i] != TSR_DYNAMIC;
        tsr_vec_push(&sizes, there ? tsr_build_size(b, x, i - before)
                                   : tsr_build_size_const(b, ok ? type->dims[i] : 1));
    }
    if (ok && known) {
        out[0] = tsr_build_broadcast(b, x, dims.data, type);
    } else if (ok) {
        tsr_value *in[] = {x, tsr_build_join(b, sizes.data, sizes.n)};
        tsr_op *wide = tsr_build_open(b, TSR_OP_STABLEHLO_DYNAMIC_BROADCAST_IN_DIM, in, 2, 1, 0);
        wide->attrs[STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_broadcast_dimensions] =
            tsr_attr_i64_array(b->ctx, dims.data, dims.n);
        tsr_type *plain = tsr_tessera_plain(type);
        out[0] = &tsr_build_close_as(b, wide, &plain)->out[0];
    }
    tsr_vec_free(&dims);
    tsr_vec_free(&sizes);
    return ok || tsr_hlo_cannot(op, "a size of its result is not known");
}

bool hlo_reduce(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = tsr_hlo_operand(op, 0);
    tsr_tessera_kind kind = tsr_tessera_kind_of(tsr_attr_of(op, TESSERA_REDUCE_kind));
    if (!tsr_hlo_is_ranked(x->type))
        return tsr_hlo_cannot(op, "a rank is not known");
    tsr_type *elem = tsr_elem(x), *work = tsr_hlo_working(elem);
    tsr_value *w = tsr_build_convert(b, x, work);
    tsr_i64_vec dims = {0};
    for (uint32_t i = 0; i < x->type->n; i++)
        if (tsr_tessera_reduces(op, x->type->n, i))
            tsr_vec_push(&dims, i);
    tsr_value *y =
        dims.n ? tsr_hlo_reduce(b, (enum tsr_opcode)tsr_tessera_join(kind), w, dims.data, dims.n)
               : w;
    if (kind == TSR_TESSERA_MEAN && dims.n) {
        tsr_value *count = NULL;
        for (size_t i = 0; i < dims.n; i++) {
            tsr_value *size = tsr_hlo_size_scalar(b, w, dims.data[i], work);
            count = count ? f_mul(b, count, size) : size;
        }
        y = f_div(b, y, tsr_hlo_fill(b, count, y));
    }
    for (size_t i = 0; tsr_tessera_flag(op, TESSERA_REDUCE_keep_dims) && i < dims.n; i++)
        y = tsr_build_add_dim(b, y, dims.data[i]);
    tsr_vec_free(&dims);
    out[0] = tsr_build_convert(b, y, elem);
    return true;
}
