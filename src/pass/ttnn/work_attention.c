/* SPDX-License-Identifier: Apache-2.0 */
/* work_attention.c - ttnn-workaround, first part: attention, rotary embeddings, heads, routers and norms across
 * devices. */
#include "pass/ttnn/nn.h"

/* decode: sinks become a column of tiles, one row per head */
bool rule_nn_decode_sink(tsr_rewriter *r, tsr_op *op)
{
    int at = tsr_ttnn_operand_index(op, "attention_sink");
    tsr_value *sink = at >= 0 ? op->in[at].value : NULL;
    if (!sink || sink->type->n != 4 || sink->type->dims[2] != 1 || sink->type->dims[3] != 1)
        return false;
    const int64_t dims[] = {sink->type->dims[1], 1};
    tsr_nn n = tsr_nn_at(r, op);
    if (sink->type->dims[0] != 1)
        sink = tsr_nn_slice_dim(&n.b, sink, 0, 0, 1);
    sink = tsr_nn_pad_dim(&n.b, tsr_nn_reshape(&n.b, sink, dims, 2), 1, TSR_TTNN_TILE, true);
    tsr_op_set_operand(op, (size_t)at, sink);
    return tsr_nn_stays(&n);
}

/* decode: a mask for all heads is repeated for each */
bool rule_nn_decode_mask(tsr_rewriter *r, tsr_op *op)
{
    enum { HEADS = 2 };
    int at = tsr_ttnn_operand_index(op, "attention_mask");
    tsr_value *mask = at >= 0 ? op->in[at].value : NULL;
    const tsr_type *query = tsr_rw_in(op, 0)->type;
    if (!mask || mask->type->n != 4 || query->n != 4 || mask->type->dims[HEADS] != 1 ||
        query->dims[HEADS] <= 1)
        return false;
    const int64_t times[] = {1, 1, query->dims[HEADS], 1};
    tsr_nn n = tsr_nn_at(r, op);
    tsr_op_set_operand(op, (size_t)at, tsr_nn_repeat(&n.b, mask, times));
    return tsr_nn_stays(&n);
}

/* paged decode on blackhole: exponentials are not approximated */
bool rule_nn_paged_decode_config(tsr_rewriter *r, tsr_op *op)
{
    enum { GRID, CORES, Q, K, APPROXIMATE, MOST_CORES, FIELDS, CHUNK = 32 };
    const tsr_attr *arch = tsr_tt_chip(op, TTCORE_CHIP_DESC_arch);
    int slot = tsr_opdef_slot(op->def, TSR_STR("program_config"));
    tsr_attr *fields[FIELDS] = {NULL};
    if (!arch || arch->kind != TSR_ATTR_ENUM || strcmp(arch->def->cases[arch->i], "blackhole") != 0)
        return false;
    if (op->attrs[slot]) {
        memcpy(fields, op->attrs[slot]->attrs, sizeof fields);
    } else {
        int64_t grid[2];
        tsr_tt_worker_grid(op, grid);
        tsr_attr *both[] = {tsr_attr_i64(r->ctx, grid[1]), tsr_attr_i64(r->ctx, grid[0])};
        fields[GRID] = tsr_attr_struct(r->ctx, &tsr_def_TTNN_CORE_COORD, both);
        fields[Q] = fields[K] = tsr_attr_i64(r->ctx, CHUNK);
        fields[MOST_CORES] = tsr_attr_i64(r->ctx, 1);
    }
    fields[APPROXIMATE] = tsr_attr_bool(r->ctx, false);
    tsr_attr *made = tsr_attr_struct(r->ctx, &tsr_def_TTNN_SDPA_CONFIG, fields);
    if (made == op->attrs[slot])
        return false;
    op->attrs[slot] = made;
    tsr_rw_touch(r, op);
    return true;
}

/* attention: pads sizes of heads to whole tiles */
bool rule_nn_attention_heads(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *in[5];
    const tsr_type *query = tsr_rw_in(op, 0)->type;
    size_t last = query->n - 1;
    if (!query->n || query->dims[last] % TSR_TTNN_TILE == 0 || op->nin > TSR_COUNT(in))
        return false;
    int64_t size = tsr_nn_round_up(query->dims[last], TSR_TTNN_TILE);
    for (uint32_t i = 0; i < 3; i++)
        if (!tsr_nn_tensor(tsr_rw_in(op, i)) || tsr_rw_in(op, i)->type->n == 0 ||
            tsr_rw_in(op, i)->type->dims[tsr_rw_in(op, i)->type->n - 1] > size)
            return false;
    tsr_nn n = tsr_nn_at(r, op);
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = i < 3 ? tsr_nn_pad_dim(&n.b, tsr_rw_in(op, i), tsr_rw_in(op, i)->type->n - 1, size,
                                       true)
                      : tsr_rw_in(op, i);
    tsr_value *v = &tsr_nn_copy(&n.b, op, in, op->nin, &in[0]->type)->out[0];
    v = tsr_nn_slice_dim(&n.b, v, v->type->n - 1, 0, query->dims[last]);
    v->type = op->out[0].type;
    return tsr_nn_becomes(&n, v);
}

/* rotary_embedding: pads the result to whole tiles of rows */
bool rule_nn_rotary_rows(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *t = op->out[0].type;
    if (t->n < 2 || !tsr_nn_tensor(&op->out[0]) || t->dims[t->n - 2] % TSR_TTNN_TILE == 0)
        return false;
    int64_t dims[TSR_TTIR_RANK];
    memcpy(dims, t->dims, t->n * sizeof *dims);
    dims[t->n - 2] = tsr_nn_round_up(dims[t->n - 2], TSR_TTNN_TILE);
    tsr_type *type = tsr_ttnn_reshaped(t, dims, t->n);
    tsr_value *in[] = {tsr_rw_in(op, 0), tsr_rw_in(op, 1), tsr_rw_in(op, 2)};
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *v = &tsr_nn_copy(&n.b, op, in, 3, &type)->out[0];
    return tsr_nn_becomes(&n, tsr_nn_slice_dim(&n.b, v, t->n - 2, 0, t->dims[t->n - 2]));
}

/* ---- Heads ---- */

/* [batch, sequence, heads * size] as [batch, heads, sequence, size]. */
static tsr_value *split(tsr_nn *n, tsr_value *v, int64_t heads, int64_t size, const tsr_type *like)
{
    static const int64_t order[] = {0, 2, 1, 3};
    const int64_t dims[] = {v->type->dims[0], v->type->dims[1], heads, size};
    tsr_value *out = tsr_nn_permute(&n->b, tsr_nn_reshape(&n->b, v, dims, 4), order);
    out->type = tsr_ttnn_reshaped(like, out->type->dims, 4);
    return out;
}

/* split_query_key_value_and_split_heads whose heads are not whole tiles: slices, reshapes and permutes */
bool rule_nn_split_heads(tsr_rewriter *r, tsr_op *op)
{
    static const int64_t swap[] = {0, 1, 3, 2};
    const tsr_type *query = op->out[0].type, *in = tsr_rw_in(op, 0)->type;
    const tsr_attr *groups = op->attrs[TTNN_SPLIT_QUERY_KEY_VALUE_AND_SPLIT_HEADS_num_kv_heads];
    int64_t heads = op->attrs[TTNN_SPLIT_QUERY_KEY_VALUE_AND_SPLIT_HEADS_num_heads]->i;
    bool two = op->nin > 1 && groups;
    if (query->n != 4 || in->n != 3 || query->dims[3] % TSR_TTNN_TILE == 0 || (groups && !two) ||
        (op->nin > 1 && !groups))
        return false;
    int64_t size = query->dims[3], kv = two ? groups->i : heads;
    int64_t own = two ? 0 : in->dims[2] / 3, part = two ? kv * size : own;
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *from = tsr_rw_in(op, two ? 1 : 0), *out[3], *parts[3];
    parts[0] = two ? tsr_rw_in(op, 0) : tsr_nn_slice_dim(&n.b, from, 2, 0, own);
    parts[1] = tsr_nn_slice_dim(&n.b, from, 2, own, own + part);
    parts[2] = tsr_nn_slice_dim(&n.b, from, 2, own + part, own + 2 * part);
    for (size_t i = 0; i < 3; i++)
        out[i] = split(&n, parts[i], i ? kv : heads, size, op->out[i].type);
    if (op->attrs[TTNN_SPLIT_QUERY_KEY_VALUE_AND_SPLIT_HEADS_transpose_key]->i)
        out[1] = tsr_nn_permute(&n.b, out[1], swap);
    return tsr_nn_becomes_all(&n, out);
}

/* ---- Routers ---- */

/* topk_router_gpt: selects as many experts as kernels select at once, then takes the first ones */
bool rule_nn_router_width(tsr_rewriter *r, tsr_op *op)
{
    enum { UNIT = 8 };
    int64_t k = op->attrs[TTNN_TOPK_ROUTER_GPT_k]->i, wide = tsr_nn_round_up(k, UNIT);
    tsr_type *types[2];
    if (k == wide || k < 1 || op->out[0].type->n != 2 || op->out[1].type->n != 2)
        return false;
    for (size_t i = 0; i < 2; i++) {
        const tsr_type *t = op->out[i].type;
        const int64_t dims[] = {t->dims[0], wide};
        types[i] = tsr_type_tensor(r->ctx, dims, 2, t->elem, t->attr);
    }
    tsr_value *in[] = {tsr_rw_in(op, 0), tsr_rw_in(op, 1), tsr_rw_in(op, 2)}, *out[2];
    tsr_nn n = tsr_nn_at(r, op);
    tsr_op *made = tsr_nn_copy(&n.b, op, in, 3, types);
    made->attrs[TTNN_TOPK_ROUTER_GPT_k] = tsr_attr_i32(r->ctx, (int32_t)wide);
    for (size_t i = 0; i < 2; i++) {
        out[i] = tsr_nn_slice_dim(&n.b, &made->out[i], 1, 0, k);
        out[i]->type = op->out[i].type;
    }
    return tsr_nn_becomes_all(&n, out);
}

/* ---- Norms across devices ---- */

/* Distributes columns of t over as many cores as divide its tiles evenly. */
static tsr_ttnn_spec by_columns(tsr_op *op, const tsr_type *t)
{
    const tsr_attr *grid = tsr_tt_chip(op, TTCORE_CHIP_DESC_grid);
    int64_t tiles = tsr_nn_round_up(t->dims[t->n - 1], TSR_TTNN_TILE) / TSR_TTNN_TILE, cores = 64;
    if (grid && tsr_attr_count(grid) == 2)
        cores = tsr_attr_int_at(grid, 0) * tsr_attr_int_at(grid, 1);
    for (cores = cores < tiles ? cores : tiles; cores > 1 && tiles % cores;)
        cores--;
    tsr_ttnn_spec spec = tsr_ttnn_default(tsr_tt_data_type_of(t->elem));
    spec.buffer = TSR_TTNN_L1;
    spec.memory = TSR_TTNN_WIDTH_SHARDED;
    spec.grid[1] = cores;
    spec.cores = tsr_ttnn_cores(op, &spec);
    return spec;
}

static tsr_attr *norm_config(tsr_ctx *ctx, const tsr_ttnn_spec *spec, const tsr_attr *layout)
{
    const tsr_attr *ranges = spec->cores->attrs[0];
    const tsr_type *shard = layout->attrs[TTNN_TTNN_LAYOUT_memref]->type;
    int64_t size[2] = {0, 0};
    for (uint32_t i = 0; i < ranges->n; i++)
        for (size_t k = 0; k < 2; k++) {
            int64_t end = tsr_attr_int_at(ranges->attrs[i]->attrs[TTNN_CORE_RANGE_end], k) + 1;
            size[k] = end > size[k] ? end : size[k];
        }
    tsr_attr *coord[] = {tsr_attr_i64(ctx, size[0]), tsr_attr_i64(ctx, size[1])};
    tsr_attr *fields[] = {tsr_attr_struct(ctx, &tsr_def_TTNN_CORE_COORD, coord),
                          tsr_attr_i64(ctx, 1), tsr_attr_i64(ctx, shard->dims[0]),
                          tsr_attr_i64(ctx, shard->dims[1]), tsr_attr_bool(ctx, false)};
    return tsr_attr_struct(ctx, &tsr_def_TTNN_LAYER_NORM_CONFIG, fields);
}

static tsr_value *in_layout(tsr_nn *n, tsr_value *v, tsr_attr *layout)
{
    tsr_type *type = tsr_type_tensor(n->b.ctx, v->type->dims, v->type->n, v->type->elem, layout);
    return type == v->type ? v : tsr_nn_unary(&n->b, TSR_OP_TTNN_TO_TENSOR_SPEC, v, type);
}

/* distributed_rms_norm: columns distributed over cores, weights in row-major layout */
bool rule_nn_distributed_columns(tsr_rewriter *r, tsr_op *op)
{
    static const char *const names[] = {"input", "weight", "residual"};
    tsr_type *t = tsr_rw_in(op, 0)->type;
    const tsr_attr *was = tsr_ttnn_layout_of(t);
    if (!was || !t->n || tsr_ttnn_spec_of(was).memory == TSR_TTNN_WIDTH_SHARDED)
        return false;
    tsr_ttnn_spec spec = by_columns(op, t);
    if (!spec.cores)
        return false;
    tsr_attr *layout = tsr_ttnn_layout(r->ctx, t->dims, t->n, spec);
    tsr_nn n = tsr_nn_at(r, op);
    for (size_t i = 0; i < TSR_COUNT(names); i++) {
        int at = tsr_ttnn_operand_index(op, names[i]);
        tsr_value *v = at >= 0 ? op->in[at].value : NULL;
        tsr_attr *own = v ? tsr_ttnn_layout_of(v->type) : NULL;
        if (!own)
            continue;
        tsr_ttnn_spec rows = tsr_ttnn_spec_of(own);
        rows.tiled = false;
        tsr_attr *want = i == 1 ? tsr_ttnn_layout(r->ctx, v->type->dims, v->type->n, rows) : layout;
        tsr_op_set_operand(op, (size_t)at, in_layout(&n, v, want));
    }
    if (!op->attrs[TTNN_DISTRIBUTED_RMS_NORM_compute_config])
        op->attrs[TTNN_DISTRIBUTED_RMS_NORM_compute_config] = tsr_ttnn_exact_config(r->ctx, true);
    op->attrs[TTNN_DISTRIBUTED_RMS_NORM_program_config] = norm_config(r->ctx, &spec, layout);
    tsr_type *out = op->out[0].type;
    tsr_value *in[8];
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = op->in[i].value;
    tsr_type *sharded = tsr_type_tensor(r->ctx, out->dims, out->n, out->elem, layout);
    tsr_value *v = &tsr_nn_copy(&n.b, op, in, op->nin, &sharded)->out[0];
    if (v->type != out)
        v = tsr_nn_unary(&n.b, TSR_OP_TTNN_TO_MEMORY_CONFIG, v, out);
    return tsr_nn_becomes(&n, v);
}
