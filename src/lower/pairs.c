/* SPDX-License-Identifier: Apache-2.0 */
/* pairs.c - --stablehlo-complex-data-type-conversion: converts complex tensors to tensors of pairs, whose last
 * dimension holds the real and the imaginary part.
 *
 * pairs.def lists the ops that work on pairs and what changes in them. Any other op on complex numbers stays as it is,
 * with its regions, between stablehlo.complex before it and real and imag after it. So types are changed in place:
 * first all affected ops are found, then the types of their values are changed, then the ops' attributes. Dynamic
 * shapes and encodings are not converted. Needs ids; breaks ids. */
#include "dialect/sdy/sharding.h"
#include "dialect/stablehlo/ops.h"
#include "lower/passes.h"
#include "shard/core/make.h"

/* An operand of an op that stays, which was complex before types changed. */
typedef struct {
    tsr_op *op;
    uint32_t index;
    tsr_op *kept; /* the op that stays: op itself, or one that contains it */
} crossing;

typedef struct {
    TSR_VEC(tsr_op *) changing; /* ops with a row, in program order */
    TSR_VEC(tsr_op *) staying;
    TSR_VEC(crossing) crossings;
    tsr_bitset stays; /* by id: ops that stay, and all ops inside them */
} pairs;

typedef void pair_fn(tsr_build *b, tsr_op *op);

/* ---- Types ---- */

static bool is_complex(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_TENSOR) && !t->attr && tsr_type_is(t->elem, TSR_TYPE_COMPLEX) &&
           tsr_type_is(t->elem->elem, TSR_TYPE_FLOAT) && tsr_type_has_static_shape(t);
}

static tsr_type *pair_type(tsr_type *t)
{
    if (!is_complex(t))
        return t;
    tsr_i64_vec dims = {0};
    for (uint32_t i = 0; i < t->n; i++)
        tsr_vec_push(&dims, t->dims[i]);
    tsr_vec_push(&dims, 2);
    tsr_type *out = tsr_type_tensor(t->ctx, dims.data, dims.n, t->elem->elem, NULL);
    tsr_vec_free(&dims);
    return out;
}

/* Appends a number to the list. */
static void push_number(tsr_ctx *ctx, tsr_attr **list, int64_t number)
{
    tsr_i64_vec all = {0};
    for (size_t i = 0; i < tsr_hlo_len(*list); i++)
        tsr_vec_push(&all, tsr_hlo_at(*list, i));
    tsr_vec_push(&all, number);
    *list = tsr_attr_i64_array(ctx, all.data, all.n);
    tsr_vec_free(&all);
}

/* ---- Between pairs and parts ---- */

static tsr_value *join(tsr_build *b, tsr_value *re, tsr_value *im)
{
    uint32_t rank = re->type->n;
    tsr_i64_vec dims = {0}, order = {0};
    tsr_vec_push(&dims, 1);
    for (uint32_t i = 0; i < rank; i++) {
        tsr_vec_push(&dims, re->type->dims[i]);
        tsr_vec_push(&order, (int64_t)i + 1);
    }
    tsr_vec_push(&order, 0);
    tsr_value *in[] = {tsr_make_reshape(b, re, dims.data, dims.n),
                       tsr_make_reshape(b, im, dims.data, dims.n)};
    dims.data[0] = 2;
    tsr_value *both =
        tsr_make_concatenate(b, in, 2, 0, tsr_type_with_dims(re->type, dims.data, dims.n));
    tsr_value *out = tsr_make_transpose(b, both, order.data);
    tsr_vec_free(&dims);
    tsr_vec_free(&order);
    return out;
}

/* The part dimension is in front while one part is taken: a last dimension of 2 fits no tile. */
static tsr_value *part(tsr_build *b, tsr_value *v, int64_t which)
{
    uint32_t rank = v->type->n;
    tsr_i64_vec order = {0}, starts = {0}, limits = {0}, strides = {0};
    for (uint32_t i = 0; i < rank; i++) {
        tsr_vec_push(&order, i ? (int64_t)i - 1 : (int64_t)rank - 1);
        tsr_vec_push(&starts, i ? 0 : which);
        tsr_vec_push(&limits, i ? v->type->dims[i - 1] : which + 1);
        tsr_vec_push(&strides, 1);
    }
    tsr_value *front = tsr_make_transpose(b, v, order.data);
    tsr_value *one = tsr_make_slice(b, front, starts.data, limits.data, strides.data);
    tsr_value *out = tsr_make_reshape(b, one, v->type->dims, rank - 1);
    tsr_vec_free(&order);
    tsr_vec_free(&starts);
    tsr_vec_free(&limits);
    tsr_vec_free(&strides);
    return out;
}

/* ---- The rows of pairs.def ---- */

static void pair_same(tsr_build *b, tsr_op *op)
{
    (void)b;
    (void)op;
}

static void pair_complex(tsr_build *b, tsr_op *op)
{
    tsr_value *v = join(b, op->in[0].value, op->in[1].value);
    tsr_build_replace(op, &v);
}

static void pair_real(tsr_build *b, tsr_op *op)
{
    tsr_value *v = part(b, op->in[0].value, 0);
    tsr_build_replace(op, &v);
}

static void pair_imag(tsr_build *b, tsr_op *op)
{
    tsr_value *v = part(b, op->in[0].value, 1);
    tsr_build_replace(op, &v);
}

/* With four products, as complex numbers are multiplied. */
static void pair_multiply(tsr_build *b, tsr_op *op)
{
    tsr_value *x = op->in[0].value, *y = op->in[1].value;
    tsr_value *re[] = {part(b, x, 0), part(b, y, 0)}, *im[] = {part(b, x, 1), part(b, y, 1)};
    tsr_value *real = f_sub(b, f_mul(b, re[0], re[1]), f_mul(b, im[0], im[1]));
    tsr_value *imag = f_add(b, f_mul(b, re[0], im[1]), f_mul(b, im[0], re[1]));
    tsr_value *v = join(b, real, imag);
    tsr_build_replace(op, &v);
}

/* Divides by the larger part of the divisor, so that squares do not overflow: with |c| >= |d| and r = d / c, (a + bi) /
 * (c + di) is (a + br) / (c + dr) and (b - ar) / (c + dr). Otherwise the same formula applies to b - ai. */
static void pair_divide(tsr_build *b, tsr_op *op)
{
    tsr_value *x = op->in[0].value, *y = op->in[1].value;
    tsr_value *re = part(b, x, 0), *im = part(b, x, 1), *c = part(b, y, 0), *d = part(b, y, 1);
    tsr_value *wide = f_ge(b, f_abs(b, c), f_abs(b, d));
    tsr_value *large = f_select(b, wide, c, d), *small = f_select(b, wide, d, c);
    tsr_value *n0 = f_select(b, wide, re, im), *n1 = f_select(b, wide, im, re);
    tsr_value *r = f_div(b, small, large);
    tsr_value *divisor = f_add(b, large, f_mul(b, small, r));
    tsr_value *real = f_div(b, f_add(b, n0, f_mul(b, n1, r)), divisor);
    tsr_value *imag = f_div(b, f_sub(b, n1, f_mul(b, n0, r)), divisor);
    tsr_value *v = join(b, real, f_select(b, wide, imag, f_neg(b, imag)));
    tsr_build_replace(op, &v);
}

/* The absolute value, scaled by the larger part: it is 0 or infinite if that is. */
static void pair_abs(tsr_build *b, tsr_op *op)
{
    tsr_value *x = op->in[0].value;
    tsr_value *re = f_abs(b, part(b, x, 0)), *im = f_abs(b, part(b, x, 1));
    tsr_value *large = f_max(b, re, im), *r = f_div(b, f_min(b, re, im), large);
    tsr_value *length = f_mul(b, large, f_sqrt(b, f_addc(b, f_square(b, r), 1)));
    tsr_value *plain = f_or(b, f_eqc(b, large, 0), f_eqc(b, large, (double)INFINITY));
    tsr_value *v = f_select(b, plain, large, length);
    tsr_build_replace(op, &v);
}

/* A product of parts, otherwise like op. */
static tsr_value *dot(tsr_build *b, const tsr_op *op, tsr_value *x, tsr_value *y)
{
    tsr_value *in[] = {x, y};
    tsr_type *pair = op->out[0].type, *type = tsr_type_with_dims(pair, pair->dims, pair->n - 1);
    tsr_op *made = tsr_build_open(b, TSR_OP_STABLEHLO_DOT_GENERAL, in, 2, 1, 0);
    memcpy(made->attrs, op->attrs, op->def->nslot * sizeof *op->attrs);
    return &tsr_build_close_as(b, made, &type)->out[0];
}

static void pair_dot_general(tsr_build *b, tsr_op *op)
{
    tsr_value *x = op->in[0].value, *y = op->in[1].value;
    tsr_value *re[] = {part(b, x, 0), part(b, y, 0)}, *im[] = {part(b, x, 1), part(b, y, 1)};
    tsr_value *real = f_sub(b, dot(b, op, re[0], re[1]), dot(b, op, im[0], im[1]));
    tsr_value *imag = f_add(b, dot(b, op, re[0], im[1]), dot(b, op, im[0], re[1]));
    tsr_value *v = join(b, real, imag);
    tsr_build_replace(op, &v);
}

/* Elements are already stored as pairs; a splat is broadcast, so that large constants stay small. */
static void pair_constant(tsr_build *b, tsr_op *op)
{
    const tsr_attr *old = op->attrs[STABLEHLO_CONSTANT_value];
    tsr_type *type = op->out[0].type;
    tsr_attr **value = &op->attrs[STABLEHLO_CONSTANT_value];
    if (old->kind == TSR_ATTR_DENSE_RESOURCE) {
        *value = tsr_attr_dense_resource(b->ctx, type, old->s);
        return;
    }
    size_t half = old->s.len / 2;
    bool splat = old->sub && !memcmp(old->s.data, old->s.data + half, half);
    if (splat || !old->sub || type->n == 1) {
        *value =
            tsr_attr_dense(b->ctx, b->module, type, old->s.data, splat ? half : old->s.len, splat);
        return;
    }
    int64_t two = 2, last = (int64_t)type->n - 1;
    tsr_type *one = tsr_type_with_dims(type, &two, 1);
    tsr_attr *both = tsr_attr_dense(b->ctx, b->module, one, old->s.data, old->s.len, false);
    tsr_value *v = tsr_make_broadcast(b, tsr_make_constant(b, both), &last, type);
    tsr_build_replace(op, &v);
}

static void pair_broadcast(tsr_build *b, tsr_op *op)
{
    push_number(b->ctx, &op->attrs[STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions],
                (int64_t)op->out[0].type->n - 1);
}

static void pair_slice(tsr_build *b, tsr_op *op)
{
    push_number(b->ctx, &op->attrs[STABLEHLO_SLICE_start_indices], 0);
    push_number(b->ctx, &op->attrs[STABLEHLO_SLICE_limit_indices], 2);
    push_number(b->ctx, &op->attrs[STABLEHLO_SLICE_strides], 1);
}

static void pair_transpose(tsr_build *b, tsr_op *op)
{
    push_number(b->ctx, &op->attrs[STABLEHLO_TRANSPOSE_permutation],
                (int64_t)op->out[0].type->n - 1);
}

/* The last dimension of the result is a whole window. */
static void pair_gather(tsr_build *b, tsr_op *op)
{
    tsr_gather g;
    tsr_gather_of(op, &g);
    tsr_attr *window = tsr_ints_attr(b->ctx, g.window);
    push_number(b->ctx, &window, (int64_t)op->out[0].type->n - 1);
    g.window = tsr_attr_ints(window);
    op->attrs[STABLEHLO_GATHER_dimension_numbers] = tsr_gather_attr(b->ctx, &g);
    push_number(b->ctx, &op->attrs[STABLEHLO_GATHER_slice_sizes], 2);
}

/* Appends one more index: 0. */
static void push_index(tsr_build *b, tsr_op *op, uint32_t first)
{
    tsr_type *elem = op->nin > first ? op->in[first].value->type->elem : b->ctx->i64;
    tsr_value_vec in = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, op->in[i].value);
    tsr_vec_push(&in, tsr_make_int(b, elem, 0));
    tsr_op_set_operands(op, in.data, in.n);
    tsr_vec_free(&in);
}

static void pair_dynamic_slice(tsr_build *b, tsr_op *op)
{
    push_index(b, op, 1);
    push_number(b->ctx, &op->attrs[STABLEHLO_DYNAMIC_SLICE_slice_sizes], 2);
}

static void pair_dynamic_update_slice(tsr_build *b, tsr_op *op)
{
    push_index(b, op, 2);
}

static void pair_select(tsr_build *b, tsr_op *op)
{
    tsr_value *p = op->in[0].value;
    if (!p->type->n)
        return;
    tsr_i64_vec dims = {0};
    for (uint32_t i = 0; i < p->type->n; i++)
        tsr_vec_push(&dims, i);
    tsr_type *type =
        tsr_type_tensor(b->ctx, op->out[0].type->dims, op->out[0].type->n, p->type->elem, NULL);
    tsr_op_set_operand(op, 0, tsr_make_broadcast(b, p, dims.data, type));
    tsr_vec_free(&dims);
}

/* The sharding, with an additional unsharded dimension for the pairs if type has one more. */
static tsr_attr *grown(tsr_ctx *ctx, tsr_attr *sharding, const tsr_type *type)
{
    if (!tsr_sdy_is_sharding(sharding) || !tsr_type_is(type, TSR_TYPE_TENSOR) ||
        tsr_sdy_dims(sharding)->n + 1 != type->n)
        return sharding;
    TSR_VEC(tsr_attr *) dims = {0};
    for (uint32_t i = 0; i + 1 < type->n; i++)
        tsr_vec_push(&dims, tsr_sdy_dims(sharding)->attrs[i]);
    tsr_vec_push(&dims,
                 tsr_sdy_dim(ctx, tsr_attr_array(ctx, NULL, 0), tsr_attr_bool(ctx, true), NULL));
    tsr_attr *const *old = sharding->attrs;
    tsr_attr *out = tsr_sdy_make(
        ctx, old[SDY_SHARDING_mesh], tsr_attr_array(ctx, dims.data, dims.n),
        old[SDY_SHARDING_replicated], old[SDY_SHARDING_unreduced], old[SDY_SHARDING_reduction]);
    tsr_vec_free(&dims);
    return out;
}

static tsr_attr *grown_list(tsr_ctx *ctx, tsr_attr *list, const tsr_type_vec *types)
{
    if (!tsr_attr_is_struct(list, &tsr_def_SDY_SHARDING_PER_VALUE) || list->attrs[0]->n != types->n)
        return list;
    TSR_VEC(tsr_attr *) all = {0};
    for (uint32_t i = 0; i < types->n; i++)
        tsr_vec_push(&all, grown(ctx, list->attrs[0]->attrs[i], types->data[i]));
    tsr_attr *out = tsr_sdy_per_value(ctx, all.data, all.n);
    tsr_vec_free(&all);
    return out;
}

static void pair_manual(tsr_build *b, tsr_op *op)
{
    tsr_type_vec types = {0};
    const tsr_block *body = op->regions[0].first;
    for (uint32_t i = 0; body && i < body->nargs; i++)
        tsr_vec_push(&types, body->args[i]->type);
    tsr_attr **in = &op->attrs[SDY_MANUAL_COMPUTATION_in_shardings];
    *in = grown_list(b->ctx, *in, &types);
    types.n = 0;
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&types, op->out[i].type);
    tsr_attr **out = &op->attrs[SDY_MANUAL_COMPUTATION_out_shardings];
    *out = grown_list(b->ctx, *out, &types);
    tsr_vec_free(&types);
}

/* Shardings in the attributes of arguments or results. */
static tsr_attr *grown_dicts(tsr_ctx *ctx, tsr_attr *dicts, tsr_type *const *types, uint32_t n)
{
    if (!tsr_attr_is(dicts, TSR_ATTR_ARRAY) || dicts->n != n)
        return dicts;
    const tsr_name *name = tsr_name_get(ctx, TSR_STR("sdy.sharding"));
    TSR_VEC(tsr_attr *) all = {0};
    for (uint32_t i = 0; i < n; i++) {
        tsr_attr *dict = dicts->attrs[i];
        tsr_attr *sharding =
            tsr_attr_is(dict, TSR_ATTR_DICT) ? tsr_dict_get(dict, name->str) : NULL;
        if (sharding)
            dict = tsr_dict_with(ctx, dict, name, grown(ctx, sharding, types[i]));
        tsr_vec_push(&all, dict);
    }
    tsr_attr *out = tsr_attr_array(ctx, all.data, all.n);
    tsr_vec_free(&all);
    return out;
}

static void pair_func(tsr_build *b, tsr_op *op)
{
    const tsr_type *old = op->attrs[FUNC_FUNC_function_type]->type;
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < old->n + old->nout; i++)
        tsr_vec_push(&types, pair_type(old->types[i]));
    tsr_type *type =
        tsr_type_function(b->ctx, types.data, old->n, TSR_FROM(types.data, old->n), old->nout);
    op->attrs[FUNC_FUNC_function_type] = tsr_attr_type(b->ctx, type);
    tsr_attr **args = &op->attrs[FUNC_FUNC_arg_attrs], **results = &op->attrs[FUNC_FUNC_res_attrs];
    *args = grown_dicts(b->ctx, *args, types.data, old->n);
    *results = grown_dicts(b->ctx, *results, TSR_FROM(types.data, old->n), old->nout);
    tsr_vec_free(&types);
}

static const struct {
    pair_fn *fn;
} pair_of[TSR_OP__COUNT] = {
#define PAIR(op, name) [TSR_OP_##op] = {pair_##name},
#include "lower/pairs.def"
};

static pair_fn *row_of(const tsr_op *op)
{
    return op->def->opcode < TSR_OP__COUNT ? pair_of[op->def->opcode].fn : NULL;
}

/* ---- Which ops ---- */

static bool concerns(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (is_complex(op->in[i].value->type))
            return true;
    for (uint32_t i = 0; i < op->nout; i++)
        if (is_complex(op->out[i].type))
            return true;
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], block)
            for (uint32_t i = 0; i < block->nargs; i++)
                if (is_complex(block->args[i]->type))
                    return true;
    if (!tsr_op_is(op, TSR_OP_FUNC_FUNC))
        return false;
    const tsr_type *type = op->attrs[FUNC_FUNC_function_type]->type;
    for (uint32_t i = 0; i < type->n + type->nout; i++)
        if (is_complex(type->types[i]))
            return true;
    return false;
}

/* A constant whose elements are not available, and a product whose element type differs from its result's, cannot be
 * converted. */
static bool can_change(const tsr_op *op)
{
    if (tsr_op_is(op, TSR_OP_STABLEHLO_CONSTANT)) {
        uint8_t kind = op->attrs[STABLEHLO_CONSTANT_value]->kind;
        return kind == TSR_ATTR_DENSE || kind == TSR_ATTR_DENSE_RESOURCE;
    }
    if (tsr_op_is(op, TSR_OP_STABLEHLO_DOT_GENERAL))
        return is_complex(op->in[0].value->type) && is_complex(op->in[1].value->type) &&
               is_complex(op->out[0].type) &&
               op->out[0].type->elem == op->in[0].value->type->elem &&
               !tsr_attr_of(op, STABLEHLO_DOT_GENERAL_algorithm);
    return row_of(op) != NULL;
}

/* The next op after op, skipping its regions. */
static tsr_op *walk_past(tsr_op *root, tsr_op *op)
{
    tsr_op *next = op;
    do
        next = tsr_walk_next(root, next);
    while (next && tsr_op_is_ancestor(op, next));
    return next;
}

static void keep(pairs *x, tsr_op *op)
{
    tsr_vec_push(&x->staying, op);
    TSR_OPS (op, inner) {
        tsr_bitset_add(&x->stays, inner->id);
        for (uint32_t i = 0; i < inner->nin; i++) {
            const tsr_value *v = inner->in[i].value;
            const tsr_op *maker = v->is_arg ? tsr_block_parent(v->block) : v->op;
            if (is_complex(v->type) && !tsr_op_is_ancestor(op, maker))
                tsr_vec_push(&x->crossings, (crossing){inner, i, op});
        }
    }
}

static void find(pairs *x, tsr_op *root)
{
    for (tsr_op *op = root; op;) {
        if (!concerns(op)) {
            op = tsr_walk_next(root, op);
        } else if (can_change(op)) {
            tsr_vec_push(&x->changing, op);
            op = tsr_walk_next(root, op);
        } else {
            keep(x, op);
            op = walk_past(root, op);
        }
    }
}

/* ---- Conversion ---- */

static void change_types(tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++)
        op->out[i].type = pair_type(op->out[i].type);
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], block)
            for (uint32_t i = 0; i < block->nargs; i++)
                block->args[i]->type = pair_type(block->args[i]->type);
}

static void change(tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_str name = TSR_STR("sdy.sharding");
    tsr_attr *list = op->extra ? tsr_dict_get(op->extra, name) : NULL;
    if (list) {
        tsr_type_vec types = {0};
        for (uint32_t i = 0; i < op->nout; i++)
            tsr_vec_push(&types, op->out[i].type);
        tsr_op_set_attr(op, name, grown_list(ctx, list, &types));
        tsr_vec_free(&types);
    }
    tsr_build b = tsr_build_before(op);
    row_of(op)(&b, op);
    tsr_build_free(&b);
}

/* Newly created ops use what they were given. */
static bool wants_complex(void *user, tsr_use *use)
{
    const tsr_bitset *stays = user;
    return use->user->id >= stays->n || tsr_bitset_has(stays, use->user->id);
}

static bool wanted_as_pair(const pairs *x, const tsr_value *v)
{
    for (const tsr_use *use = v->uses; use; use = use->next)
        if (!tsr_bitset_has(&x->stays, use->user->id))
            return true;
    return false;
}

/* After an op that stays, its complex results become pairs for converted users. */
static void split_results(pairs *x, tsr_op *op)
{
    for (uint32_t i = 0; op->next && i < op->nout; i++) {
        tsr_value *v = &op->out[i];
        if (!is_complex(v->type) || !wanted_as_pair(x, v))
            continue;
        tsr_build b = tsr_build_before(op->next);
        b.loc = op->loc;
        tsr_type *real =
            tsr_type_tensor(b.ctx, v->type->dims, v->type->n, v->type->elem->elem, NULL);
        tsr_value *re = tsr_build_op(&b, TSR_OP_STABLEHLO_REAL, &v, 1, real);
        tsr_value *im = tsr_build_op(&b, TSR_OP_STABLEHLO_IMAG, &v, 1, real);
        tsr_value *pair = join(&b, re, im);
        tsr_value_replace_if(v, pair, wants_complex, &x->stays);
        tsr_build_free(&b);
    }
}

/* Before an op that stays, pairs become complex again. */
static void join_operand(const crossing *c)
{
    tsr_value *v = c->op->in[c->index].value;
    if (is_complex(v->type))
        return;
    tsr_build b = tsr_build_before(c->kept);
    tsr_value *in[] = {part(&b, v, 0), part(&b, v, 1)};
    tsr_type *elem = tsr_type_complex(b.ctx, v->type->elem);
    tsr_type *type = tsr_type_tensor(b.ctx, v->type->dims, v->type->n - 1, elem, NULL);
    tsr_op_set_operand(c->op, c->index, tsr_build_op(&b, TSR_OP_STABLEHLO_COMPLEX, in, 2, type));
    tsr_build_free(&b);
}

bool pass_stablehlo_complex_data_type_conversion(tsr_pass *p, tsr_op *root)
{
    pairs x = {.stays = tsr_bitset_new(p->scratch, root->module->nop)};
    find(&x, root);
    p->changed = x.changing.n || x.staying.n;
    for (size_t i = 0; i < x.changing.n; i++)
        change_types(x.changing.data[i]);
    for (size_t i = 0; i < x.staying.n; i++)
        split_results(&x, x.staying.data[i]);
    for (size_t i = 0; i < x.crossings.n; i++)
        join_operand(&x.crossings.data[i]);
    for (size_t i = 0; i < x.changing.n; i++)
        change(x.changing.data[i]);
    tsr_vec_free(&x.changing);
    tsr_vec_free(&x.staying);
    tsr_vec_free(&x.crossings);
    return true;
}
