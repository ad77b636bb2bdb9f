/* SPDX-License-Identifier: Apache-2.0 */
/* batch_gather.c - a gather or scatter whose indices contain an iota along dimension 0 of both operand and indices
 * works on that dimension batch by batch: it becomes a batching dimension, along which both can be sharded. Needs
 * nothing; keeps shardings; breaks ids. */
#include "dialect/params.h"
#include "dialect/sdy/sdy.h"
#include "shard/passes.h"

/* A gather or a scatter: slots of its dimensions and of its flags, and which operand is the indices. */
typedef struct {
    tsr_op *op;
    tsr_attr *(*encode)(tsr_ctx *ctx, const tsr_gather *g);
    int dims, first_flag, nflag;
    uint32_t indices;
} access;

static bool as_access(tsr_op *op, access *out)
{
    if (tsr_op_is(op, TSR_OP_STABLEHLO_GATHER)) {
        *out = (access){op,
                        tsr_gather_attr,
                        STABLEHLO_GATHER_dimension_numbers,
                        STABLEHLO_GATHER_indices_are_sorted,
                        1,
                        1};
        return true;
    }
    if (tsr_op_is(op, TSR_OP_STABLEHLO_SCATTER)) {
        *out = (access){op,
                        tsr_scatter_attr,
                        STABLEHLO_SCATTER_scatter_dimension_numbers,
                        STABLEHLO_SCATTER_indices_are_sorted,
                        2,
                        op->nout};
        return true;
    }
    return false;
}

static tsr_attr *without(tsr_ctx *ctx, tsr_ints list, int64_t at)
{
    TSR_VEC(int64_t) left = {0};
    for (uint32_t i = 0; i < list.n; i++)
        if (i != at)
            tsr_vec_push(&left, tsr_ints_at(list, i));
    tsr_attr *a = tsr_attr_i64_array(ctx, left.data, left.n);
    tsr_vec_free(&left);
    return a;
}

static const tsr_op *def_of(const tsr_value *v, enum tsr_opcode opcode)
{
    return !v->is_arg && tsr_op_is(v->op, opcode) ? v->op : NULL;
}

/* The value that v is derived from, through ops that change its shape or clamp it. */
static const tsr_value *source_of(const tsr_value *v)
{
    while (!v->is_arg) {
        const tsr_op *op = v->op;
        switch (op->def->opcode) {
        case TSR_OP_STABLEHLO_RESHAPE:
        case TSR_OP_STABLEHLO_BROADCAST_IN_DIM: v = op->in[0].value; break;
        case TSR_OP_STABLEHLO_CLAMP: v = op->in[1].value; break;
        case TSR_OP_STABLEHLO_SELECT:
            v = op->in[def_of(op->in[2].value, TSR_OP_STABLEHLO_IOTA) ? 2 : 1].value;
            break;
        default: return v;
        }
    }
    return v;
}

static int64_t concat_dim(const tsr_op *concat)
{
    return concat->attrs[STABLEHLO_CONCATENATE_dimension]->i;
}

/* Whether component at of the index vectors is an iota along dimension 0. */
static bool counts(const tsr_value *indices, int64_t vector, int64_t at)
{
    const tsr_op *concat = def_of(indices, TSR_OP_STABLEHLO_CONCATENATE);
    if (concat) {
        if (concat_dim(concat) != vector || at >= concat->nin)
            return false;
        indices = concat->in[at].value;
    }
    const tsr_op *iota = def_of(source_of(indices), TSR_OP_STABLEHLO_IOTA);
    return iota && iota->attrs[STABLEHLO_IOTA_iota_dimension]->i == 0;
}

/* ---- Indices without a component ---- */

static tsr_type *with_dim(const tsr_type *t, int64_t dim, int64_t size)
{
    int64_t *dims = tsr_xmalloc(t->n * sizeof *dims);
    memcpy(dims, t->dims, t->n * sizeof *dims);
    dims[dim] = size;
    tsr_type *new = tsr_type_tensor(t->ctx, dims, t->n, t->elem, NULL);
    tsr_free(dims);
    return new;
}

static tsr_value *new_op(tsr_op *before, enum tsr_opcode opcode, tsr_value *const *in, size_t n,
                         tsr_type *type)
{
    tsr_op *op = tsr_op_new(before->module, tsr_opdef_of(before->module->ctx, opcode), before->loc,
                            in, n, &type, 1, 0, 0);
    tsr_op_insert(op, before->block, before);
    return &op->out[0];
}

static tsr_value *joined(tsr_op *before, tsr_value *const *parts, size_t n, const tsr_type *all,
                         int64_t dim)
{
    if (n == 1)
        return parts[0];
    tsr_value *v = new_op(before, TSR_OP_STABLEHLO_CONCATENATE, parts, n,
                          with_dim(all, dim, all->dims[dim] - 1));
    v->op->attrs[STABLEHLO_CONCATENATE_dimension] = tsr_attr_i64(all->ctx, dim);
    return v;
}

static tsr_value *slice(tsr_op *before, tsr_value *v, int64_t dim, int64_t from, int64_t to)
{
    uint32_t rank = v->type->n;
    int64_t *numbers = tsr_xmalloc(3 * rank * sizeof *numbers);
    for (uint32_t i = 0; i < rank; i++) {
        numbers[i] = i == dim ? from : 0;
        numbers[rank + i] = i == dim ? to : v->type->dims[i];
        numbers[2 * rank + i] = 1;
    }
    tsr_value *part =
        new_op(before, TSR_OP_STABLEHLO_SLICE, &v, 1, with_dim(v->type, dim, to - from));
    for (int k = 0; k < 3; k++)
        part->op->attrs[STABLEHLO_SLICE_start_indices + k] =
            tsr_attr_i64_array(v->type->ctx, numbers + (size_t)k * rank, rank);
    tsr_free(numbers);
    return part;
}

static tsr_value *without_component(tsr_op *before, tsr_value *indices, int64_t dim, int64_t at)
{
    int64_t total = indices->type->dims[dim];
    const tsr_op *concat = def_of(indices, TSR_OP_STABLEHLO_CONCATENATE);
    TSR_VEC(tsr_value *) parts = {0};
    if (concat && concat_dim(concat) == dim && concat->nin == total) {
        for (int64_t i = 0; i < total; i++)
            if (i != at)
                tsr_vec_push(&parts, concat->in[i].value);
    } else {
        if (at > 0)
            tsr_vec_push(&parts, slice(before, indices, dim, 0, at));
        if (at + 1 < total)
            tsr_vec_push(&parts, slice(before, indices, dim, at + 1, total));
    }
    tsr_value *v = joined(before, parts.data, parts.n, indices->type, dim);
    tsr_vec_free(&parts);
    return v;
}

/* ---- The ops ---- */

static bool batch(const access *a)
{
    tsr_op *op = a->op;
    tsr_ctx *ctx = op->module->ctx;
    tsr_gather g;
    tsr_gather_of(op, &g);
    tsr_value *indices = op->in[a->indices].value;
    const tsr_type *data = op->in[0].value->type, *type = indices->type;
    if (g.batch.n || !tsr_type_is(data, TSR_TYPE_TENSOR) || !data->n ||
        !tsr_type_has_static_shape(type) || !type->n)
        return false;
    if (g.vector >= type->n || type->dims[g.vector] <= 1 || type->dims[0] != data->dims[0])
        return false;
    int64_t at = tsr_ints_find(g.map, 0), dropped = tsr_ints_find(g.dropped, 0);
    if (at < 0 || dropped < 0 || !counts(indices, g.vector, at))
        return false;

    tsr_value *left = without_component(op, indices, g.vector, at);
    g.batch = g.index_batch = tsr_ints_from(0, 1);
    g.dropped = tsr_attr_ints(without(ctx, g.dropped, dropped));
    g.map = tsr_attr_ints(without(ctx, g.map, at));
    op->attrs[a->dims] = a->encode(ctx, &g);
    for (int i = 0; i < a->nflag; i++) /* flags that were omitted are now written explicitly */
        if (!op->attrs[a->first_flag + i])
            op->attrs[a->first_flag + i] = tsr_attr_bool(ctx, false);
    tsr_op_set_operand(op, a->indices, left);
    return true;
}

bool pass_sdy_explicit_gather_scatter_batching(tsr_pass *p, tsr_op *root)
{
    TSR_OPS (root, op) {
        access a;
        if (as_access(op, &a))
            p->changed |= batch(&a);
    }
    /* Shardy's rewriter also folds and removes dead ops; canonicalize without patterns does the same. */
    tsr_pipeline *tidy = tsr_pipeline_parse_list(p->pipelines, TSR_STR("any"),
                                                 TSR_STR("canonicalize{enable-patterns=none}"));
    bool changed = false;
    bool ok = tidy && tsr_pipeline_run(p->pipelines, tidy, root, p->options, &changed);
    p->changed |= changed;
    return ok;
}
