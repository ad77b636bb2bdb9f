/* SPDX-License-Identifier: Apache-2.0 */
/* work_shape.c - ttnn-workaround, first part: rewrites ops on shapes that kernels do not support to shapes that they
 * do. */
#include "pass/ttnn/nn.h"

/* Prepends dimensions of size one to those of t. */
static size_t widened(const tsr_type *t, size_t rank, int64_t *out)
{
    size_t more = rank - t->n;
    for (size_t i = 0; i < rank; i++)
        out[i] = i < more ? 1 : t->dims[i - more];
    return rank;
}

static tsr_value *widen(tsr_build *b, tsr_value *v, size_t rank)
{
    int64_t dims[TSR_TTIR_RANK];
    return tsr_nn_reshape(b, v, dims, widened(v->type, rank, dims));
}

/* v in the shape and type of op's result. */
static tsr_value *as_result(tsr_nn *n, tsr_value *v)
{
    const tsr_type *t = n->op->out[0].type;
    tsr_value *out = tsr_nn_reshape(&n->b, v, t->dims, t->n);
    out->type = n->op->out[0].type;
    return out;
}

/* Runs op on tensors of higher rank, and converts back: one tensor in, one out. */
static tsr_op *on_rank(tsr_nn *n, size_t rank, tsr_value **in, size_t nin)
{
    int64_t dims[TSR_TTIR_RANK];
    const tsr_type *t = n->op->out[0].type;
    tsr_type *type = tsr_ttnn_reshaped(t, dims, widened(t, rank, dims));
    for (size_t i = 0; i < nin; i++)
        in[i] = widen(&n->b, in[i], rank);
    return tsr_nn_copy(&n->b, n->op, in, nin, &type);
}

/* Shifts a dimension number in the attribute at slot past the new leading dimensions. */
static void shift_dim(tsr_op *op, int slot, int64_t by)
{
    int64_t dim = op->attrs[slot]->i;
    if (dim >= 0)
        op->attrs[slot] = tsr_attr_int(op->module->ctx, op->attrs[slot]->type, dim + by);
}

/* ---- Collectives ---- */

/* all_reduce and reduce_scatter with fewer than four dimensions */
bool rule_nn_ccl_rank(tsr_rewriter *r, tsr_op *op)
{
    enum { RANK = 4 };
    int64_t more = RANK - (int64_t)tsr_rw_in(op, 0)->type->n;
    if (more <= 0 || !tsr_nn_tensor(&op->out[0]))
        return false;
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *in = tsr_rw_in(op, 0);
    tsr_op *made = on_rank(&n, RANK, &in, 1);
    int slot = tsr_opdef_slot(made->def, TSR_STR("scatter_dim"));
    if (slot >= 0)
        made->attrs[slot] =
            tsr_attr_int(r->ctx, made->attrs[slot]->type, made->attrs[slot]->i + more);
    return tsr_nn_becomes(&n, as_result(&n, &made->out[0]));
}

/* all_gather of one dimension */
bool rule_nn_all_gather_rank(tsr_rewriter *r, tsr_op *op)
{
    if (tsr_rw_in(op, 0)->type->n != 1)
        return false;
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *in = tsr_rw_in(op, 0);
    tsr_op *made = on_rank(&n, 2, &in, 1);
    int64_t dim = op->attrs[TTNN_ALL_GATHER_all_gather_dim]->i;
    made->attrs[TTNN_ALL_GATHER_all_gather_dim] =
        tsr_ttir_si32(r->ctx, dim < 0 ? dim + 2 : dim + 1);
    return tsr_nn_becomes(&n, as_result(&n, &made->out[0]));
}

/* reduce_scatter and rms_norm without a compute configuration */
static bool say_config(tsr_rewriter *r, tsr_op *op, bool in_l1)
{
    int slot = tsr_opdef_slot(op->def, TSR_STR("compute_config"));
    if (op->attrs[slot])
        return false;
    op->attrs[slot] = tsr_ttnn_exact_config(r->ctx, in_l1);
    tsr_rw_touch(r, op);
    return true;
}

bool rule_nn_reduce_scatter_config(tsr_rewriter *r, tsr_op *op)
{
    return say_config(r, op, false);
}

bool rule_nn_rms_norm_config(tsr_rewriter *r, tsr_op *op)
{
    return say_config(r, op, true);
}

/* point_to_point along both axes of a mesh goes through a device in the sender's row */
bool rule_nn_point_to_point_hops(tsr_rewriter *r, tsr_op *op)
{
    const tsr_attr *from = op->attrs[TTNN_POINT_TO_POINT_sender_coord],
                   *to = op->attrs[TTNN_POINT_TO_POINT_receiver_coord];
    if (tsr_attr_count(from) != 2 || tsr_attr_count(to) != 2 ||
        tsr_attr_int_at(from, 0) == tsr_attr_int_at(to, 0) ||
        tsr_attr_int_at(from, 1) == tsr_attr_int_at(to, 1))
        return false;
    const int64_t hop[] = {tsr_attr_int_at(from, 0), tsr_attr_int_at(to, 1)};
    tsr_attr *half = tsr_attr_i64_array(r->ctx, hop, 2);
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *in[] = {tsr_rw_in(op, 0), op->nin > 1 ? tsr_rw_in(op, 1) : NULL};
    tsr_op *first = tsr_nn_copy(&n.b, op, in, 1, NULL);
    first->attrs[TTNN_POINT_TO_POINT_receiver_coord] = half;
    in[0] = &first->out[0];
    tsr_op *second = tsr_nn_copy(&n.b, op, in, op->nin, NULL);
    second->attrs[TTNN_POINT_TO_POINT_sender_coord] = half;
    return tsr_nn_becomes(&n, &second->out[0]);
}

/* ---- Gathers ---- */

/* gather of one dimension */
bool rule_nn_gather_rank(tsr_rewriter *r, tsr_op *op)
{
    if (tsr_rw_in(op, 0)->type->n != 1)
        return false;
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *in[] = {tsr_rw_in(op, 0), tsr_rw_in(op, 1)};
    tsr_op *made = on_rank(&n, 2, in, 2);
    shift_dim(made, TTNN_GATHER_dim, 1);
    return tsr_nn_becomes(&n, as_result(&n, &made->out[0]));
}

/* gather with signed indices: uses unsigned ones, and clears elements with a negative index */
bool rule_nn_gather_signed(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *index = tsr_rw_in(op, 1);
    tsr_type *out = op->out[0].type;
    tsr_tt_data_type elem = tsr_tt_data_type_of(out->elem);
    bool is_float = out->elem->kind == TSR_TYPE_FLOAT;
    if (tsr_tt_data_type_of(index->type->elem) != TSR_TT_SI32 || !tsr_ttnn_layout_of(index->type) ||
        !(is_float || out->elem->kind == TSR_TYPE_INTEGER))
        return false;
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *zero = tsr_nn_full(&n.b, op, index->type, tsr_attr_i32(r->ctx, 0));
    tsr_value *mask =
        tsr_nn_binary(&n.b, TSR_OP_TTNN_LT, index, zero, tsr_ttnn_retyped(index->type, elem));
    tsr_value *safe = tsr_nn_binary(&n.b, TSR_OP_TTNN_MAXIMUM, index, zero, NULL);
    tsr_ttnn_spec spec = tsr_ttnn_spec_of(tsr_ttnn_layout_of(index->type));
    spec.type = TSR_TT_U32;
    tsr_value *in[] = {tsr_rw_in(op, 0), tsr_nn_spec(&n.b, safe, spec)};
    tsr_value *found = &tsr_nn_copy(&n.b, op, in, 2, NULL)->out[0];
    tsr_attr *nothing = is_float ? tsr_attr_float_bits(r->ctx, tsr_type_float(r->ctx, TSR_F32),
                                                       UINT32_C(0x7FC00000))
                                 : tsr_attr_i32(r->ctx, INT32_MIN);
    tsr_value *three[] = {mask, tsr_nn_full(&n.b, op, out, nothing), found};
    return tsr_nn_becomes(&n, tsr_ttir_op(&n.b, TSR_OP_TTNN_WHERE, three, 3, out));
}

/* sampling of rank 2 is one of rank 4 */
bool rule_nn_sampling_rank(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *t = tsr_rw_in(op, 0)->type;
    if (t->n != 2)
        return false;
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *in[5];
    for (size_t i = 0; i < 5; i++)
        in[i] = i < 2 ? widen(&n.b, tsr_rw_in(op, i), 4) : tsr_rw_in(op, i);
    const int64_t dims[] = {1, 1, 1, t->dims[0]};
    tsr_type *type = tsr_ttnn_reshaped(op->out[0].type, dims, 4);
    return tsr_nn_becomes(&n, as_result(&n, &tsr_nn_copy(&n.b, op, in, 5, &type)->out[0]));
}

/* embedding whose weights have more than four dimensions, all but the last two of size one */
bool rule_nn_embedding_weight(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *t = tsr_rw_in(op, 1)->type;
    if (t->n <= 4)
        return false;
    for (size_t i = 0; i + 2 < t->n; i++)
        if (t->dims[i] != 1)
            return false;
    const int64_t dims[] = {1, 1, t->dims[t->n - 2], t->dims[t->n - 1]};
    tsr_nn n = tsr_nn_at(r, op);
    tsr_op_set_operand(op, 1, tsr_nn_reshape(&n.b, tsr_rw_in(op, 1), dims, 4));
    return tsr_nn_stays(&n);
}

/* ---- Products of elements, slices, pads ---- */

/* prod of integers along a short dimension: slices, multiplied */
bool rule_nn_integer_prod(tsr_rewriter *r, tsr_op *op)
{
    enum { MOST = 16 };
    const tsr_type *t = tsr_rw_in(op, 0)->type;
    const tsr_attr *arg = op->attrs[TTNN_PROD_dim_arg];
    int64_t dim = arg ? arg->i + (arg->i < 0 ? (int64_t)t->n : 0) : -1;
    if (!tsr_nn_tensor(tsr_rw_in(op, 0)) || t->elem->kind != TSR_TYPE_INTEGER || dim < 0 ||
        dim >= (int64_t)t->n || t->dims[dim] < 1 || t->dims[dim] > MOST)
        return false;
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *product = tsr_nn_slice_dim(&n.b, tsr_rw_in(op, 0), (size_t)dim, 0, 1);
    for (int64_t i = 1; i < t->dims[dim]; i++)
        product =
            tsr_nn_binary(&n.b, TSR_OP_TTNN_MULTIPLY, product,
                          tsr_nn_slice_dim(&n.b, tsr_rw_in(op, 0), (size_t)dim, i, i + 1), NULL);
    if (!op->attrs[TTNN_PROD_keep_dim]->i)
        product = as_result(&n, product);
    return tsr_nn_becomes(&n, product);
}

/* pad with more than four dimensions, at most three of them padded: those are moved to the end, the others merged */
bool rule_nn_pad_rank(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *t = tsr_rw_in(op, 0)->type;
    const tsr_attr *padding = op->attrs[TTNN_PAD_padding];
    int64_t perm[TSR_TTIR_RANK], back[TSR_TTIR_RANK], flat[4] = {1}, wide[TSR_TTIR_RANK],
                                                      pads[8] = {0};
    size_t same = 0, longer = 0;
    if (t->n <= 4 || !tsr_nn_tensor(&op->out[0]))
        return false;
    for (size_t i = 0; i < t->n; i++)
        longer += tsr_attr_int_at(padding, 2 * i) || tsr_attr_int_at(padding, 2 * i + 1);
    if (!longer || longer > 3)
        return false;
    size_t at = t->n - longer, k = 1;
    for (size_t i = 0; i < t->n; i++) {
        int64_t low = tsr_attr_int_at(padding, 2 * i), high = tsr_attr_int_at(padding, 2 * i + 1);
        if (low || high) {
            pads[2 * k] = low;
            pads[2 * k + 1] = high;
            flat[k++] = t->dims[i];
            wide[at] = t->dims[i] + low + high;
            perm[at++] = (int64_t)i;
        } else {
            flat[0] *= t->dims[i];
            wide[same] = t->dims[i];
            perm[same++] = (int64_t)i;
        }
    }
    for (size_t i = 0; i < t->n; i++)
        back[perm[i]] = (int64_t)i;
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *v = tsr_nn_permute(&n.b, tsr_rw_in(op, 0), perm);
    v = tsr_nn_reshape(&n.b, v, flat, longer + 1);
    double number = 0;
    const tsr_attr *fill = op->attrs[TTNN_PAD_value];
    if (fill && fill->kind == TSR_ATTR_FLOAT)
        number = tsr_float_to_double(TSR_F32, (uint64_t)fill->i);
    v = tsr_nn_pad(&n.b, v, pads, number, op->attrs[TTNN_PAD_use_multicore]->i != 0);
    v = tsr_nn_reshape(&n.b, v, wide, t->n);
    v = tsr_nn_permute(&n.b, v, back);
    v->type = op->out[0].type;
    return tsr_nn_becomes(&n, v);
}

/* slice whose rows are more than half of L1: exchanges the last dimension with another */
bool rule_nn_slice_long_rows(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *t = op->out[0].type;
    const tsr_attr *l1 = tsr_tt_chip(op, TTCORE_CHIP_DESC_l1_size),
                   *base = tsr_tt_chip(op, TTCORE_CHIP_DESC_l1_unreserved_base);
    int64_t bytes = tsr_type_storage_bits(t->elem) / 8, perm[TSR_TTIR_RANK];
    int64_t begin[TSR_TTIR_RANK], end[TSR_TTIR_RANK], step[TSR_TTIR_RANK];
    if (!l1 || !base || t->n < 2 || !bytes || !tsr_nn_tensor(&op->out[0]))
        return false;
    int64_t most = (l1->i - base->i) / bytes / 2;
    size_t last = t->n - 1, other = t->n - 1;
    while (other > 0 && t->dims[other] > most)
        other--;
    if (other == last || t->dims[other] > most)
        return false;
    for (size_t i = 0; i < t->n; i++)
        perm[i] = (int64_t)(i == other ? last : i == last ? other : i);
    for (size_t i = 0; i < t->n; i++) {
        begin[i] = op->attrs[TTNN_SLICE_STATIC_begins]->attrs[perm[i]]->i;
        end[i] = op->attrs[TTNN_SLICE_STATIC_ends]->attrs[perm[i]]->i;
        step[i] = op->attrs[TTNN_SLICE_STATIC_step]->attrs[perm[i]]->i;
        if (begin[i] < 0 || end[i] < begin[i] || step[i] < 1)
            return false;
    }
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *v = tsr_nn_permute(&n.b, tsr_rw_in(op, 0), perm);
    v = tsr_nn_permute(&n.b, tsr_nn_slice(&n.b, v, begin, end, step), perm);
    v->type = t;
    return tsr_nn_becomes(&n, v);
}

/* ---- Caches ---- */

/* fill_cache, paged_fill_cache: pads rows to a whole tile with zeros, so that none is garbage */
bool rule_nn_fill_cache_pad(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *cache = tsr_rw_in(op, 0), *in = tsr_rw_in(op, 1);
    if (!tsr_nn_tensor(in) || in->type->n < 2)
        return false;
    size_t dim = in->type->n - 2;
    int64_t size = tsr_nn_round_up(in->type->dims[dim], TSR_TTNN_TILE);
    if (size == in->type->dims[dim] ||
        (tsr_op_is(op, TSR_OP_TTNN_FILL_CACHE) && size > cache->type->dims[dim]))
        return false;
    tsr_nn n = tsr_nn_at(r, op);
    n.b.loc = tsr_loc_suffixed(r->ctx, op->loc, "_scrub_input_pad");
    tsr_op_set_operand(op, 1, tsr_nn_pad_dim(&n.b, in, dim, size, true));
    return tsr_nn_stays(&n);
}

/* Operand 0 or 1, height-sharded over this many cores of L1. */
static bool to_cores(tsr_rewriter *r, tsr_op *op, size_t i, int64_t cores)
{
    tsr_value *v = tsr_rw_in(op, i);
    if (!tsr_ttnn_layout_of(v->type))
        return false;
    tsr_ttnn_spec spec = tsr_ttnn_default(tsr_ttnn_data_type(v->type));
    spec.buffer = TSR_TTNN_L1;
    spec.memory = TSR_TTNN_HEIGHT_SHARDED;
    spec.grid[0] = cores;
    spec.cores = tsr_ttnn_cores(op, &spec);
    tsr_attr *layout = tsr_ttnn_layout(r->ctx, v->type->dims, v->type->n, spec);
    if (!spec.cores || layout == v->type->attr)
        return false;
    tsr_type *type = tsr_type_tensor(r->ctx, v->type->dims, v->type->n, v->type->elem, layout);
    tsr_nn n = tsr_nn_at(r, op);
    tsr_op_set_operand(op, i, tsr_nn_unary(&n.b, TSR_OP_TTNN_TO_TENSOR_SPEC, v, type));
    return tsr_nn_stays(&n);
}

/* paged_update_cache: each user's part on its own core */
bool rule_nn_paged_update_cores(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *t = tsr_rw_in(op, 1)->type;
    return t->n > 1 && to_cores(r, op, 1, t->dims[1]);
}

/* nlp_concat_heads_decode: the same, unless it is already divided by rows */
bool rule_nn_concat_heads_cores(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *t = tsr_rw_in(op, 0)->type;
    const tsr_attr *layout = tsr_ttnn_layout_of(t);
    if (!layout || t->n < 2)
        return false;
    tsr_ttnn_spec spec = tsr_ttnn_spec_of(layout);
    if (spec.buffer == TSR_TTNN_L1 && spec.memory == TSR_TTNN_HEIGHT_SHARDED)
        return false;
    return to_cores(r, op, 0, t->dims[1]);
}
