/* SPDX-License-Identifier: Apache-2.0 */
/* deprecated.c - --stablehlo-legalize-deprecated-ops: replaces ops that StableHLO has deprecated. Needs nothing; keeps
 * values; breaks ids.
 *
 * map and rng have no replacement; with fail-on-unused they are refused. */
#include "dialect/stablehlo/build.h"
#include "lower/lower.h"
#include "lower/passes.h"

typedef tsr_value *replace_fn(tsr_build *b, tsr_op *op);

static tsr_value *one_result(tsr_build *b, tsr_op *made, const tsr_op *op)
{
    made->extra = op->extra;
    return &tsr_build_close_as(b, made, &op->out[0].type)->out[0];
}

/* broadcast(x) -> broadcast_in_dim(x): the operand's dimensions come last. */
static tsr_value *replace_broadcast(tsr_build *b, tsr_op *op)
{
    tsr_value *x = op->in[0].value;
    size_t rank = x->type->n, added = op->out[0].type->n - rank;
    int64_t *dims = tsr_xmalloc((rank ? rank : 1) * sizeof *dims);
    for (size_t i = 0; i < rank; i++)
        dims[i] = (int64_t)(added + i);
    tsr_op *made = tsr_build_open(b, TSR_OP_STABLEHLO_BROADCAST_IN_DIM, &x, 1, 1, 0);
    made->attrs[STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions] =
        tsr_attr_i64_array(b->ctx, dims, rank);
    tsr_free(dims);
    return one_result(b, made, op);
}

static tsr_value *replace_create_token(tsr_build *b, tsr_op *op)
{
    return one_result(b, tsr_build_open(b, TSR_OP_STABLEHLO_AFTER_ALL, NULL, 0, 1, 0), op);
}

static tsr_value *replace_cross_replica_sum(tsr_build *b, tsr_op *op)
{
    tsr_value *x = op->in[0].value;
    tsr_type *scalar = tsr_scalar_type(tsr_elem(x)), *args[] = {scalar, scalar};
    tsr_op *made = tsr_build_open(b, TSR_OP_STABLEHLO_ALL_REDUCE, &x, 1, 1, 1);
    made->attrs[STABLEHLO_ALL_REDUCE_replica_groups] =
        op->attrs[STABLEHLO_CROSS_REPLICA_SUM_replica_groups];
    tsr_build in = tsr_build_in(b, &made->regions[0], args, 2);
    tsr_value *sum = tsr_build_op(&in, TSR_OP_STABLEHLO_ADD, in.block->args, 2, scalar);
    tsr_build_return(&in, &sum, 1);
    tsr_build_free(&in);
    return one_result(b, made, op);
}

tsr_op *tsr_dot_to_general(tsr_build *b, tsr_op *dot, tsr_value *const *in)
{
    tsr_dot d;
    tsr_dot_of(dot, &d);
    tsr_op *made = tsr_build_open(b, TSR_OP_STABLEHLO_DOT_GENERAL, in, 2, 1, 0);
    made->attrs[STABLEHLO_DOT_GENERAL_dot_dimension_numbers] = tsr_dot_attr(b->ctx, &d);
    made->attrs[STABLEHLO_DOT_GENERAL_precision_config] =
        dot->attrs[STABLEHLO_DOT_precision_config];
    made->extra = dot->extra;
    return made;
}

static tsr_value *replace_dot(tsr_build *b, tsr_op *op)
{
    tsr_value *in[] = {op->in[0].value, op->in[1].value};
    return one_result(b, tsr_dot_to_general(b, op, in), op);
}

/* The einsum of 1 and x. */
static tsr_value *replace_unary_einsum(tsr_build *b, tsr_op *op)
{
    tsr_value *x = op->in[0].value;
    if (!tsr_is_number(tsr_elem(x)))
        return NULL;
    tsr_str config = op->attrs[STABLEHLO_UNARY_EINSUM_einsum_config]->s;
    tsr_type *scalar = tsr_scalar_type(tsr_elem(x));
    tsr_value *in[] = {tsr_build_like(b, &(tsr_value){.type = scalar}, tsr_elem(x), 1), x};
    tsr_op *made = tsr_build_open(b, TSR_OP_STABLEHLO_EINSUM, in, 2, 1, 0);
    tsr_buf text = {0};
    tsr_buf_printf(&text, ",%.*s", TSR_STR_ARG(config));
    made->attrs[STABLEHLO_EINSUM_einsum_config] =
        tsr_attr_string(b->ctx, (tsr_str){text.data, text.len});
    tsr_buf_free(&text);
    return one_result(b, made, op);
}

/* By opcode: the replacement of an op. */
static replace_fn *const replacements[TSR_OP__COUNT] = {
    [TSR_OP_STABLEHLO_BROADCAST] = replace_broadcast,
    [TSR_OP_STABLEHLO_CREATE_TOKEN] = replace_create_token,
    [TSR_OP_STABLEHLO_CROSS_REPLICA_SUM] = replace_cross_replica_sum,
    [TSR_OP_STABLEHLO_DOT] = replace_dot,
    [TSR_OP_STABLEHLO_UNARY_EINSUM] = replace_unary_einsum,
};

static bool refuse(const tsr_op *op)
{
    return tsr_error(op->module->ctx, op->loc,
                     "failed to legalize operation '%.*s' that was explicitly marked illegal",
                     TSR_STR_ARG(op->def->name));
}

bool pass_stablehlo_legalize_deprecated_ops(tsr_pass *p, tsr_op *root)
{
    bool strict = tsr_pass_bool(p, "fail-on-unused");
    TSR_OPS (root, op)
        if (strict && (tsr_op_is(op, TSR_OP_STABLEHLO_MAP) || tsr_op_is(op, TSR_OP_STABLEHLO_RNG)))
            return refuse(op);
    for (tsr_op *op = tsr_walk_next(root, root), *next; op; op = next) {
        next = tsr_walk_next(root, op);
        replace_fn *replace =
            op->def->opcode == TSR_UNREGISTERED ? NULL : replacements[op->def->opcode];
        if (!replace)
            continue;
        tsr_build b = tsr_build_before(op);
        tsr_value *made = replace(&b, op);
        tsr_build_free(&b);
        if (!made)
            return refuse(op);
        tsr_build_replace(op, &made);
        p->changed = true;
    }
    return true;
}
