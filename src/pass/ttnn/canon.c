/* SPDX-License-Identifier: Apache-2.0 */
/* canon.c - canonicalization of TTNN: changes of layout that cancel out, moves that do nothing, collectives on one
 * device. */
#include "pass/ttir/tt.h"
#include "pass/ttnn/nn.h"

#include "eval/plan.h"

/* f(x) -> x, when nothing changes, the type included */
bool rule_nn_same_type(tsr_rewriter *r, tsr_op *op)
{
    if (tsr_rw_in(op, 0)->type != op->out[0].type)
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_in(op, 0));
    return true;
}

/* Whether casts through mid give the same as a cast without it; the peer assumes so. */
static bool joins(tsr_rewriter *r, const tsr_type *in, const tsr_type *mid, const tsr_type *out)
{
    return r->ctx->as_peer || tsr_ttr_casts_join(in, mid, out);
}

/* ---- Layouts ---- */

static tsr_ttnn_spec spec_of(const tsr_value *v)
{
    const tsr_attr *layout = tsr_ttnn_layout_of(v->type);
    return layout ? tsr_ttnn_spec_of(layout) : tsr_ttnn_host(TSR_TT_NO_DATA_TYPE);
}

/* A tensor that is parked in DRAM for some time stays there, unless it returns to where it was. */
static bool parked(const tsr_op *first, const tsr_op *op)
{
    tsr_ttnn_spec from = spec_of(first->in[0].value), mid = spec_of(&first->out[0]),
                  to = spec_of(&op->out[0]);
    return first->next != op && mid.buffer == TSR_TTNN_DRAM && to.buffer == TSR_TTNN_L1 &&
           !(from.buffer == to.buffer && from.memory == to.memory && from.tiled == to.tiled);
}

/* Whether some op writes to v, so that it is no longer a copy of its source. */
static bool is_written(const tsr_value *v)
{
    for (const tsr_use *u = v->uses; u; u = u->next) {
        ptrdiff_t i = u - u->user->in;
        if (i < 32 && tsr_written_operands(u->user) >> i & 1)
            return true;
    }
    return false;
}

/* to_layout(to_layout(x)) -> to_layout(x), unless some op writes to the value in between; likewise to_tensor_spec */
bool rule_nn_layout_twice(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *first = tsr_rw_def_is(tsr_rw_in(op, 0), op->def->opcode);
    if (!first || parked(first, op) || is_written(&first->out[0]) ||
        !joins(r, tsr_rw_in(first, 0)->type, first->out[0].type, op->out[0].type))
        return false;
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(first, 0));
    return true;
}

/* to_tensor_spec(typecast(x)) -> to_tensor_spec(x), if the elements are x's again and none was lost */
bool rule_nn_spec_of_typecast(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *cast = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_TTNN_TYPECAST);
    if (!cast)
        return false;
    const tsr_type *in = tsr_rw_in(cast, 0)->type, *mid = cast->out[0].type, *out = op->out[0].type;
    if (tsr_ttnn_data_type(in) != tsr_ttnn_data_type(out) || !tsr_ttr_casts_join(in, mid, out))
        return false;
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(cast, 0));
    return true;
}

static bool creates(const tsr_op *op)
{
    return op->nout == 1 && tsr_op_has(op, TSR_TRAIT(TT_CREATES));
}

/* Whether the host can also run this creation op. */
static bool runs_on_host(const tsr_op *op)
{
    return op->def->narg == 1 && op->def->args[0].arity == TSR_OPTIONAL;
}

/* to_tensor_spec of a creation op -> that op, with the requested spec */
bool rule_nn_spec_of_created(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *made = tsr_rw_def(tsr_rw_in(op, 0));
    bool device = tsr_ttnn_on_device(op->out[0].type);
    if (!made || !creates(made) || !tsr_rw_one_use(&made->out[0]) ||
        !tsr_ttnn_layout_of(op->out[0].type) || (!device && !runs_on_host(made)))
        return false;
    tsr_build b = tsr_build_before(made);
    if (device && !made->nin) {
        tsr_value *v = tsr_ttnn_device(&b, made);
        tsr_rw_set_operands(r, made, &v, 1);
    } else if (!device && made->nin) {
        tsr_rw_set_operands(r, made, NULL, 0);
    }
    tsr_build_free(&b);
    const tsr_type *t = op->out[0].type;
    made->out[0].type = tsr_type_tensor(t->ctx, t->dims, t->n,
                                        tsr_tt_element(t->ctx, spec_of(&op->out[0]).type), t->attr);
    tsr_rw_replace_one(r, op, &made->out[0]);
    return true;
}

/* to_tensor_spec(empty) on the host -> zeros */
bool rule_nn_spec_of_empty(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *empty = tsr_nn_single(tsr_rw_in(op, 0), TSR_OP_TTNN_EMPTY);
    if (!empty || tsr_ttnn_on_device(op->out[0].type))
        return false;
    tsr_nn n = tsr_nn_at(r, op);
    return tsr_nn_becomes(&n, tsr_nn_created(&n.b, op, TSR_OP_TTNN_ZEROS, op->out[0].type));
}

/* ---- Elements ---- */

/* typecast(typecast(x)) -> typecast(x), when it gives the same numbers; the peer drops more */
bool rule_nn_typecast_twice(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *first = tsr_nn_single(tsr_rw_in(op, 0), TSR_OP_TTNN_TYPECAST);
    if (!first || !joins(r, tsr_rw_in(first, 0)->type, first->out[0].type, op->out[0].type))
        return false;
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(first, 0));
    return true;
}

/* reshape(reshape(x)) -> reshape(x), unless some op writes to the value in between */
bool rule_nn_reshape_twice(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *first = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_TTNN_RESHAPE);
    if (!first)
        return false;
    for (const tsr_use *u = first->out[0].uses; u; u = u->next)
        if (!tsr_op_effect_free(u->user) && !tsr_op_has(u->user, TSR_TRAIT(TERMINATOR)))
            return false;
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(first, 0));
    return true;
}

static size_t permutation(const tsr_op *op, int64_t *out)
{
    const tsr_attr *a = op->attrs[TTNN_PERMUTE_permutation];
    size_t n = (size_t)tsr_attr_count(a);
    for (size_t i = 0; i < n && i < TSR_TTIR_RANK; i++)
        out[i] = tsr_attr_int_at(a, i);
    return n;
}

/* permute(x) -> x, when all dimensions stay where they are */
bool rule_nn_permute_identity(tsr_rewriter *r, tsr_op *op)
{
    int64_t p[TSR_TTIR_RANK];
    if (!tsr_nn_tensor(&op->out[0]) || !tsr_ttir_is_identity(p, permutation(op, p)))
        return false;
    return rule_nn_same_type(r, op);
}

/* permute(permute(x)) -> permute(x) */
bool rule_nn_permute_twice(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *first = tsr_nn_single(tsr_rw_in(op, 0), TSR_OP_TTNN_PERMUTE);
    int64_t a[TSR_TTIR_RANK], b[TSR_TTIR_RANK], both[TSR_TTIR_RANK];
    if (!first || !tsr_nn_tensor(&op->out[0]))
        return false;
    size_t n = permutation(op, b);
    permutation(first, a);
    for (size_t i = 0; i < n; i++)
        both[i] = a[b[i]];
    op->attrs[TTNN_PERMUTE_permutation] = tsr_attr_i64_array(r->ctx, both, n);
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(first, 0));
    return true;
}

/* permute(x) -> reshape(x), if only dimensions of size one are exchanged */
bool rule_nn_permute_reshape(tsr_rewriter *r, tsr_op *op)
{
    int64_t p[TSR_TTIR_RANK], last = -1;
    const tsr_type *t = tsr_rw_in(op, 0)->type;
    if (!tsr_nn_tensor(&op->out[0]))
        return false;
    size_t n = permutation(op, p);
    for (size_t i = 0; i < n; i++) {
        if (t->dims[p[i]] == 1)
            continue;
        if (p[i] < last)
            return false;
        last = p[i];
    }
    tsr_nn at = tsr_nn_at(r, op);
    tsr_value *v = tsr_nn_reshape(&at.b, tsr_rw_in(op, 0), op->out[0].type->dims, n);
    v->type = op->out[0].type;
    return tsr_nn_becomes(&at, v);
}

/* slice(concat(a, b, ..)) -> the operand that it selects */
bool rule_nn_slice_of_concat(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *concat = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_TTNN_CONCAT);
    const tsr_attr *begins = op->attrs[TTNN_SLICE_STATIC_begins],
                   *steps = op->attrs[TTNN_SLICE_STATIC_step];
    const tsr_type *t = op->out[0].type;
    if (!concat || !tsr_nn_tensor(&op->out[0]) || begins->n != t->n)
        return false;
    int64_t dim = concat->attrs[TTNN_CONCAT_dim]->i, at = 0;
    dim += dim < 0 ? (int64_t)t->n : 0;
    for (uint32_t k = 0; k < concat->nin; k++) {
        tsr_value *v = concat->in[k].value;
        bool same = v->type == t;
        for (size_t i = 0; same && i < t->n; i++)
            same = steps->attrs[i]->i == 1 && begins->attrs[i]->i == ((int64_t)i == dim ? at : 0);
        if (same) {
            tsr_rw_replace_one(r, op, v);
            return true;
        }
        at += v->type->dims[dim];
    }
    return false;
}

/* ---- Constants, products, collectives ---- */

/* constant of one number -> full */
bool rule_nn_constant_full(tsr_rewriter *r, tsr_op *op)
{
    tsr_attr *value = op->attrs[TTNN_CONSTANT_value];
    tsr_attr *fill =
        tsr_attr_is(value, TSR_ATTR_DENSE) && value->sub ? tsr_ttr_fill(r->ctx, value) : NULL;
    if (!fill)
        return false;
    tsr_nn n = tsr_nn_at(r, op);
    tsr_op *full =
        tsr_ttir_open(&n.b, TSR_OP_TTNN_FULL, op->nin ? &op->in[0].value : NULL, op->nin, 1);
    full->attrs[TTNN_FULL_shape] =
        tsr_ttnn_shape_attr(r->ctx, op->out[0].type->dims, op->out[0].type->n);
    full->attrs[TTNN_FULL_fill_value] = fill;
    return tsr_nn_becomes(&n, tsr_ttir_close(&n.b, full, op->out[0].type));
}

/* matmul(x, repeat(y)) -> matmul(x, y), if y is only repeated for the batches in dimension 1 */
bool rule_nn_matmul_of_repeat(tsr_rewriter *r, tsr_op *op)
{
    enum { RANK = 4, BATCH = 1 };
    tsr_op *repeat = tsr_rw_def_is(tsr_rw_in(op, 1), TSR_OP_TTNN_REPEAT);
    const tsr_type *x = tsr_rw_in(op, 0)->type, *y = tsr_rw_in(op, 1)->type;
    const tsr_attr *times = repeat ? repeat->attrs[TTNN_REPEAT_repeat_dims]->attrs[0] : NULL;
    if (!repeat || tsr_attr_count(times) != RANK || x->n != RANK || y->n != RANK ||
        y->dims[0] != 1 || x->dims[BATCH] != y->dims[BATCH])
        return false;
    for (size_t i = 0; i < RANK; i++)
        if ((tsr_attr_int_at(times, i) != 1) != (i == BATCH))
            return false;
    tsr_rw_set_operand(r, op, 1, tsr_rw_in(repeat, 0));
    return true;
}

/* A collective along an axis of one device -> its operand */
bool rule_nn_ccl_alone(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *device = tsr_tt_device_op(op);
    const tsr_attr *mesh =
        device ? device->attrs[TTCORE_DEVICE_device_attr]->attrs[TTCORE_DEVICE_mesh_shape] : NULL;
    int64_t axis = op->attrs[tsr_opdef_slot(op->def, TSR_STR("cluster_axis"))]->i;
    if (!mesh || axis < 0 || axis >= tsr_attr_count(mesh) ||
        tsr_attr_int_at(mesh, (size_t)axis) != 1 || tsr_rw_in(op, 0)->type != op->out[0].type)
        return false;
    if (!tsr_op_is(op, TSR_OP_TTNN_ALL_REDUCE))
        tsr_emit(r->ctx, TSR_WARNING, op->loc,
                 "'%.*s' op Removing this CCL op because performing a CCL operation on a single "
                 "mesh device is semantically meaningless.",
                 TSR_STR_ARG(op->def->name));
    tsr_rw_replace_one(r, op, tsr_rw_in(op, 0));
    return true;
}
