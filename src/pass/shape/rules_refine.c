/* SPDX-License-Identifier: Apache-2.0 */
/* rules_refine.c - rules that refine the types of results: by inference, and by known operands that give a shape. */
#include "pass/shape/refine.h"

/* By the inference of the op's row: nearly all ops. */
bool rule_refine_inferred(tsr_rewriter *r, tsr_op *op)
{
    tsr_type_vec types = {0};
    bool done =
        tsr_refine_inferred_types(op, &types) && tsr_refine_results(r, op, types.data, types.n);
    tsr_vec_free(&types);
    return done;
}

/* The row infers more without the existing result: for collectives, whose groups give the ratio of sizes. Without
 * use_global_device_ids a channel makes groups of groups, whose size is known only at run time. The existing result
 * takes precedence. */
static bool by_groups(tsr_rewriter *r, tsr_op *op, int channel, int global)
{
    if (op->attrs[channel] && !op->attrs[global])
        return false;
    tsr_op shell = *op;
    shell.nout = 0;
    shell.out = NULL;
    tsr_type_vec types = {0};
    bool done = tsr_infer_quietly(&shell, &types) && types.n == op->nout;
    for (uint32_t i = 0; done && i < op->nout; i++)
        if (types.data[i]->elem != op->out[i].type->elem)
            types.data[i] = tsr_hlo_with_element(types.data[i], op->out[i].type->elem);
    for (uint32_t i = 0; done && i < op->nout; i++)
        done = tsr_type_both(op, op->out[i].type, types.data[i]) != NULL;
    done = done && tsr_refine_results(r, op, types.data, types.n);
    tsr_vec_free(&types);
    return done;
}

bool rule_refine_all_gather(tsr_rewriter *r, tsr_op *op)
{
    return by_groups(r, op, STABLEHLO_ALL_GATHER_channel_handle,
                     STABLEHLO_ALL_GATHER_use_global_device_ids);
}

bool rule_refine_reduce_scatter(tsr_rewriter *r, tsr_op *op)
{
    return by_groups(r, op, STABLEHLO_REDUCE_SCATTER_channel_handle,
                     STABLEHLO_REDUCE_SCATTER_use_global_device_ids);
}

/* The same shape, if elements have the same size. */
bool rule_refine_bitcast(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *from = tsr_rw_in(op, 0)->type, *to = op->out[0].type;
    const tsr_type *a = tsr_hlo_element(from), *b = tsr_hlo_element(to);
    a = a->kind == TSR_TYPE_COMPLEX ? a->elem : a;
    b = b->kind == TSR_TYPE_COMPLEX ? b->elem : b;
    return from->kind == TSR_TYPE_TENSOR && !from->attr && tsr_hlo_bits(a) &&
           tsr_hlo_bits(a) == tsr_hlo_bits(b) && tsr_refine_shape(r, op, from->dims, from->n);
}

/* The last operand is the shape. */
bool rule_refine_by_shape(tsr_rewriter *r, tsr_op *op)
{
    size_t n;
    const int64_t *dims = op->nin ? tsr_const_ints(r, tsr_rw_in(op, op->nin - 1), &n) : NULL;
    return dims && tsr_refine_shape(r, op, dims, n);
}

/* Refines op by the inference of another op's row on op's first operands and these attributes. */
static bool as_if(tsr_rewriter *r, tsr_op *op, uint16_t opcode, uint32_t nin, tsr_attr **attrs)
{
    tsr_op shell = *op;
    shell.def = tsr_opdef_of(r->ctx, opcode);
    shell.nin = nin;
    shell.attrs = attrs;
    shell.nout = 0;
    shell.out = NULL;
    tsr_type_vec types = {0};
    bool done = tsr_infer_quietly(&shell, &types) && tsr_refine_results(r, op, types.data, types.n);
    tsr_vec_free(&types);
    return done;
}

tsr_attr *tsr_refine_known(tsr_rewriter *r, const tsr_op *op, size_t i)
{
    size_t n;
    const int64_t *ints = tsr_const_ints(r, tsr_rw_in(op, i), &n);
    return ints ? tsr_rw_i64s(r, ints, n) : NULL;
}

enum { MAX_SLOTS = 8 };

bool rule_refine_dynamic_pad(tsr_rewriter *r, tsr_op *op)
{
    tsr_attr *attrs[MAX_SLOTS] = {0};
    attrs[STABLEHLO_PAD_edge_padding_low] = tsr_refine_known(r, op, 2);
    attrs[STABLEHLO_PAD_edge_padding_high] = tsr_refine_known(r, op, 3);
    attrs[STABLEHLO_PAD_interior_padding] = tsr_refine_known(r, op, 4);
    return attrs[STABLEHLO_PAD_edge_padding_low] && attrs[STABLEHLO_PAD_edge_padding_high] &&
           attrs[STABLEHLO_PAD_interior_padding] && as_if(r, op, TSR_OP_STABLEHLO_PAD, 2, attrs);
}

/* Known start, limit and strides; or a limit that is start + c with strides 1, of size c. */
bool rule_refine_real_dynamic_slice(tsr_rewriter *r, tsr_op *op)
{
    tsr_attr *attrs[MAX_SLOTS] = {0};
    tsr_attr *strides = tsr_refine_known(r, op, 3);
    attrs[STABLEHLO_SLICE_start_indices] = tsr_refine_known(r, op, 1);
    attrs[STABLEHLO_SLICE_limit_indices] = tsr_refine_known(r, op, 2);
    attrs[STABLEHLO_SLICE_strides] = strides;
    if (!strides)
        return false;
    if (attrs[STABLEHLO_SLICE_start_indices] && attrs[STABLEHLO_SLICE_limit_indices])
        return as_if(r, op, TSR_OP_STABLEHLO_SLICE, 1, attrs);
    const tsr_value *start = tsr_rw_in(op, 1);
    const tsr_op *sum = tsr_rw_def_is(tsr_rw_in(op, 2), TSR_OP_STABLEHLO_ADD);
    if (!sum || !tsr_ints_are_all(strides, 1))
        return false;
    size_t by = tsr_rw_in(sum, 0) == start ? 1 : 0, n;
    const int64_t *sizes =
        tsr_rw_in(sum, 1 - by) == start ? tsr_const_ints(r, tsr_rw_in(sum, by), &n) : NULL;
    return sizes && tsr_refine_shape(r, op, sizes, n);
}

/* Converts flat types of results back into tuples. */
static tsr_type *unflatten(tsr_ctx *ctx, tsr_type *t, tsr_type *const *flat, size_t *at)
{
    if (t->kind != TSR_TYPE_TUPLE)
        return flat[(*at)++];
    tsr_type_vec members = {0};
    for (uint32_t i = 0; i < t->n; i++)
        tsr_vec_push(&members, unflatten(ctx, t->types[i], flat, at));
    t = tsr_type_tuple(ctx, members.data, members.n);
    tsr_vec_free(&members);
    return t;
}

static bool by_shapes(tsr_rewriter *r, tsr_op *op, const tsr_shapes *shapes)
{
    tsr_type_vec flat = {0}, types = {0};
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_flatten_type(op->out[i].type, &flat);
    bool ok = flat.n == shapes->n;
    for (size_t i = 0; ok && i < flat.n; i++) {
        const tsr_type *t = flat.data[i];
        const tsr_i64_vec *s = &shapes->data[i];
        ok = (t->kind == TSR_TYPE_TENSOR || t->kind == TSR_TYPE_UNRANKED_TENSOR) && !t->attr;
        for (size_t d = 0; ok && d < s->n; d++)
            ok = s->data[d] >= 0 || s->data[d] == TSR_DYNAMIC;
        if (ok)
            flat.data[i] = tsr_type_tensor(r->ctx, s->data, s->n, t->elem, NULL);
    }
    for (uint32_t i = 0, at = 0; ok && i < op->nout; i++) {
        size_t place = at;
        tsr_vec_push(&types, unflatten(r->ctx, op->out[i].type, flat.data, &place));
        at = (uint32_t)place;
    }
    if (ok)
        tsr_alias_agree(r, op, types.data);
    bool done = ok && tsr_refine_results(r, op, types.data, types.n);
    tsr_vec_free(&flat);
    tsr_vec_free(&types);
    return done;
}

/* Operands give shapes of results. A wrapper is removed once its users accept the argument's own type. */
bool rule_refine_custom_call(tsr_rewriter *r, tsr_op *op)
{
    tsr_shapes shapes = {0};
    bool done = tsr_custom_call_shapes(op, &shapes, false) && by_shapes(r, op, &shapes);
    tsr_shapes_free(&shapes);
    const tsr_attr *name = op->attrs[STABLEHLO_CUSTOM_CALL_call_target_name];
    if (tsr_str_is(name->s, TSR_OPERAND_WRAPPER) && op->nout == 1 && op->nin &&
        tsr_rw_in(op, 0)->type == op->out[0].type) {
        tsr_rw_replace_one(r, op, tsr_rw_in(op, 0));
        return true;
    }
    return done;
}

/* Operands of the op are the arguments of its regions. */
bool rule_refine_region_args(tsr_rewriter *r, tsr_op *op)
{
    bool done = false;
    tsr_type **types = TSR_NEW_ARRAY(r->p->scratch, tsr_type *, op->nin + 1);
    for (uint32_t i = 0; i < op->nin; i++)
        types[i] = tsr_rw_in(op, i)->type;
    for (uint32_t i = 0; i < op->nregion; i++) {
        const tsr_block *b = op->regions[i].first;
        if (b && b->nargs == op->nin)
            done |= tsr_refine_values(r, op, b->args, types, op->nin);
    }
    if (done)
        tsr_rw_touch(r, op);
    return done;
}

/* A value that a branch returns refines the op's result. */
bool rule_refine_region_return(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *parent = tsr_block_parent(op->block);
    for (uint32_t i = 0; parent && i < op->nin && i < parent->nout; i++)
        if (parent->out[i].type != tsr_rw_in(op, i)->type) {
            tsr_rw_touch(r, parent);
            break;
        }
    return false;
}

/* return(cast(x)) -> return(x), if the cast loses information about x */
bool rule_refine_return(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *func = tsr_block_parent(op->block);
    bool done = false;
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_op *cast = tsr_rw_def_is(tsr_rw_in(op, i), TSR_OP_BUILTIN_UNREALIZED_CONVERSION_CAST);
        if (!cast || cast->nin != 1 || cast->nout != 1)
            continue;
        tsr_type *from = tsr_rw_in(cast, 0)->type, *to = cast->out[0].type;
        tsr_type *both = tsr_type_both(op, from, to);
        if (!both || both == to)
            continue;
        tsr_rw_replace_one(r, cast, tsr_rw_in(cast, 0));
        done = true;
    }
    if (done && func && tsr_op_is(func, TSR_OP_FUNC_FUNC))
        tsr_func_update_type(func);
    return done;
}
