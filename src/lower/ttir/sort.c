/* SPDX-License-Identifier: Apache-2.0 */
/* sort.c - lowers stablehlo.sort by one key, chlo.top_k, and random numbers to TTIR. */
#include "eval/math/sort_keys.h"
#include "lower/ttir/ttir.h"

/* ---- Comparators ---- */

enum { BODY_OPS = 32, FIRST = 1, SECOND = 2, OTHERS = 4 };

/* The arguments that a value of the body is derived from, through ops that canonicalize zeros and NaNs. */
typedef struct {
    const tsr_value *value[BODY_OPS + 2];
    int from[BODY_OPS + 2];
    size_t n;
} origins;

static int origin_of(const origins *o, const tsr_value *v)
{
    for (size_t i = 0; i < o->n; i++)
        if (o->value[i] == v)
            return o->from[i];
    return tsr_value_is_constant(v) ? 0 : OTHERS;
}

/* Whether the comparator orders by its first pair alone; down: largest first. */
static bool order_of(const tsr_region *region, bool *down)
{
    const tsr_block *body = region->first;
    const tsr_op *ret = body && !body->next ? body->last : NULL, *compare;
    if (!ret || body->nargs < 2 || !tsr_op_is(ret, TSR_OP_STABLEHLO_RETURN) || ret->nin != 1 ||
        ret->in[0].value->is_arg)
        return false;
    origins o = {{body->args[0], body->args[1]}, {FIRST, SECOND}, 2};
    compare = ret->in[0].value->op;
    TSR_BLOCK_OPS (body, op) {
        if (op == compare || op == ret)
            continue;
        int from = 0;
        bool known = tsr_op_is(op, TSR_OP_STABLEHLO_SELECT) ||
                     tsr_op_is(op, TSR_OP_STABLEHLO_COMPARE) ||
                     tsr_op_is(op, TSR_OP_STABLEHLO_CONSTANT);
        for (uint32_t i = 0; i < op->nin; i++)
            from |= origin_of(&o, op->in[i].value);
        if (!known || o.n >= BODY_OPS)
            return false;
        o.value[o.n] = &op->out[0];
        o.from[o.n++] = from;
    }
    if (!tsr_op_is(compare, TSR_OP_STABLEHLO_COMPARE) || compare->block != body)
        return false;
    const tsr_attr *how = tsr_attr_of(compare, STABLEHLO_COMPARE_comparison_direction);
    const char *direction = how->def->cases[how->i];
    int x = origin_of(&o, compare->in[0].value), y = origin_of(&o, compare->in[1].value);
    bool swapped = x == SECOND && y == FIRST;
    *down = (strcmp(direction, "GT") == 0) != swapped;
    return (swapped || (x == FIRST && y == SECOND)) &&
           (strcmp(direction, "LT") == 0 || strcmp(direction, "GT") == 0);
}

/* ttir.sort treats all zeros and all NaNs as equal, ttir.topk uses the total order of floats. */
typedef enum { AS_SORT, AS_TOPK, AS_NEITHER } kernel;

static kernel kernel_of(const tsr_build *b, const tsr_op *op)
{
    tsr_sort_key keys[TSR_MAX_SORT_KEYS];
    if (b->ctx->as_peer || op->in[0].value->type->elem->kind != TSR_TYPE_FLOAT ||
        tsr_sort_keys(&op->regions[0], keys) != 1 || !keys[0].total)
        return AS_SORT;
    return keys[0].one_zero != keys[0].one_nan ? AS_NEITHER : keys[0].one_zero ? AS_SORT : AS_TOPK;
}

static tsr_op *open_sort(tsr_build *b, tsr_value *x, int64_t dim, bool down, bool stable)
{
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_SORT, &x, 1, 2);
    made->attrs[TTIR_SORT_dim] = tsr_ttir_si32(b->ctx, dim);
    made->attrs[TTIR_SORT_descending] = tsr_attr_bool(b->ctx, down);
    made->attrs[TTIR_SORT_stable] = tsr_attr_bool(b->ctx, stable);
    return made;
}

static tsr_op *open_topk(tsr_build *b, tsr_value *x, int64_t dim, int64_t k, bool down)
{
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_TOPK, &x, 1, 2);
    made->attrs[TTIR_TOPK_k] = tsr_attr_i32(b->ctx, (int32_t)k);
    made->attrs[TTIR_TOPK_dim] = tsr_attr_i32(b->ctx, (int32_t)dim);
    made->attrs[TTIR_TOPK_largest] = tsr_attr_bool(b->ctx, down);
    made->attrs[TTIR_TOPK_sorted] = tsr_attr_bool(b->ctx, true);
    return made;
}

/* ---- Sorting ---- */

/* The sorted dimension is moved to the end; its rows are numbered consecutively, and the other operands are looked up
 * by these numbers. */
static void follow(tsr_build *b, tsr_op *op, tsr_value *places, int64_t dim, tsr_value **out)
{
    int64_t order[TSR_TTIR_RANK], back[TSR_TTIR_RANK];
    const tsr_type *type = places->type;
    size_t k = 0;
    for (uint32_t i = 0; i < type->n; i++)
        if (i != dim)
            order[k++] = i;
    order[k] = dim;
    for (uint32_t i = 0; i < type->n; i++)
        back[order[i]] = i;
    int64_t total = tsr_type_num_elements(type), length = type->dims[dim];
    int64_t rows[] = {total / length, length, 1}, line[] = {total, 1};
    tsr_value *index = tsr_ttir_reshape_op(b, tsr_ttir_permute_op(b, places, order), rows, 2);
    tsr_value *offsets = tsr_ttir_arange(b, index->type, 0, length, 0);
    index = tsr_ttir_binary(b, TSR_OP_TTIR_ADD, offsets, index, NULL);
    for (uint32_t i = 1; i < op->nin; i++) {
        tsr_value *v = tsr_ttir_permute_op(b, op->in[i].value, order);
        const tsr_type *moved = v->type;
        tsr_value *in[] = {index, tsr_ttir_reshape_op(b, v, line, 2)};
        tsr_type *found = tsr_type_tensor(b->ctx, rows, 3, moved->elem, moved->attr);
        v = tsr_ttir_op(b, TSR_OP_TTIR_EMBEDDING, in, 2, found);
        out[i] = tsr_ttir_permute_op(b, tsr_ttir_reshape_op(b, v, moved->dims, moved->n), back);
    }
}

bool ttir_sort(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = op->nin ? op->in[0].value : NULL;
    const tsr_attr *along = tsr_attr_of(op, STABLEHLO_SORT_dimension);
    int64_t dim = along ? along->i : -1;
    bool down;
    if (!x || !tsr_ttir_static(op) || !order_of(&op->regions[0], &down) ||
        tsr_type_num_elements(x->type) <= 0 || tsr_type_num_elements(x->type) > INT32_MAX)
        return false;
    dim += dim < 0 ? x->type->n : 0;
    kernel as = kernel_of(b, op);
    if (as == AS_NEITHER)
        return false;
    const tsr_attr *stable = tsr_attr_of(op, STABLEHLO_SORT_is_stable);
    bool places = op->nin == 2 && tsr_ttir_counts(op->in[1].value, dim);
    tsr_type *types[] = {x->type,
                         places ? op->out[1].type : tsr_hlo_with_element(x->type, b->ctx->i32)};
    tsr_op *made = as == AS_TOPK ? open_topk(b, x, dim, x->type->dims[dim], down)
                                 : open_sort(b, x, dim, down, stable && stable->i);
    tsr_build_close_as(b, made, types);
    out[0] = &made->out[0];
    if (places)
        out[1] = &made->out[1];
    else if (op->nin > 1)
        follow(b, op, &made->out[1], dim, out);
    return true;
}

bool ttir_top_k(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = op->in[0].value;
    const tsr_attr *k = tsr_attr_of(op, CHLO_TOP_K_k);
    tsr_type *types[] = {op->out[0].type, op->out[1].type};
    if (!tsr_ttir_static(op) || !x->type->n || k->i > INT32_MAX)
        return false;
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_TOPK, &x, 1, 2);
    made->attrs[TTIR_TOPK_k] = tsr_attr_i32(b->ctx, (int32_t)k->i);
    made->attrs[TTIR_TOPK_sorted] = tsr_attr_bool(b->ctx, true);
    tsr_build_close_as(b, made, types);
    out[0] = &made->out[0];
    out[1] = &made->out[1];
    return true;
}

/* ---- Random numbers ---- */

static tsr_value *rand_between(tsr_build *b, tsr_type *type, double low, double high)
{
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_RAND, NULL, 0, 1);
    op->attrs[TTIR_RAND_size] = tsr_ttir_i32s(b->ctx, type->dims, type->n);
    op->attrs[TTIR_RAND_low] = tsr_ttir_f32(b->ctx, low);
    op->attrs[TTIR_RAND_high] = tsr_ttir_f32(b->ctx, high);
    return tsr_ttir_close(b, op, type);
}

bool ttir_rng(tsr_build *b, tsr_op *op, tsr_value **out)
{
    const tsr_attr *how = tsr_attr_of(op, STABLEHLO_RNG_rng_distribution);
    const tsr_attr *low = tsr_ttir_constant_of(op->in[0].value, true),
                   *high = tsr_ttir_constant_of(op->in[1].value, true);
    if (!tsr_ttir_static(op) || strcmp(how->def->cases[how->i], "UNIFORM") != 0 || !low || !high ||
        op->out[0].type->elem->kind != TSR_TYPE_FLOAT ||
        !(tsr_ttir_number(low, 0) < tsr_ttir_number(high, 0)))
        return false;
    out[0] = rand_between(b, op->out[0].type, tsr_ttir_number(low, 0), tsr_ttir_number(high, 0));
    return true;
}

/* The default algorithm is implementation-defined: numbers of the whole range. Those of a named algorithm are defined,
 * so the op stays. */
bool ttir_rng_bit_generator(tsr_build *b, tsr_op *op, tsr_value **out)
{
    const tsr_attr *how = tsr_attr_of(op, STABLEHLO_RNG_BIT_GENERATOR_rng_algorithm);
    tsr_type *type = op->out[1].type;
    if (!tsr_ttir_static(op) || strcmp(how->def->cases[how->i], "DEFAULT") != 0 ||
        op->in[0].value->type != op->out[0].type)
        return false;
    tsr_value *v = rand_between(b, tsr_hlo_with_element(type, tsr_type_float(b->ctx, TSR_F32)), 0,
                                4294967295.0);
    out[0] = op->in[0].value;
    out[1] = tsr_ttir_typecast(b, v, type->elem);
    return true;
}
