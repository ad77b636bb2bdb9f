/* SPDX-License-Identifier: Apache-2.0 */
/* gspmd.c - lowers GSPMD's custom calls to ttir.mesh_shard.
 *
 * @SPMDFullToShardShape of @Sharding cuts a tensor according to the latter's mhlo.sharding, @SPMDShardToFullShape of
 * @Sharding joins one according to its own (shard/gspmd/gspmd.h). The device at each position of the tile is computed,
 * and from the positions of neighbours the axis of the mesh that cuts a dimension. A @Sharding on its own has no
 * meaning in TTIR: it is replaced by its operand. */
#include "lower/ttir/mesh.h"
#include "shard/gspmd/gspmd.h"
#include "shard/tt/tt.h"
#include "shard/tt/xla.h"

/* ---- Axes ---- */

/* The axes of the mesh that cut each dimension, in dims; false if the devices are not arranged along axes. */
static bool axes_of(const tsr_gspmd *t, const tsr_ttir_grid *grid, uint32_t rank, int64_t *dims)
{
    for (uint32_t a = 0; a < grid->n; a++)
        dims[a] = -1;
    if (t->kind == TSR_GSPMD_REPLICATED)
        return true;
    int64_t total = tsr_gspmd_devices(t);
    bool replicates = t->nlast == 1 && t->last[0] == TSR_GSPMD_REPLICATED;
    if (t->kind != TSR_GSPMD_TILED || t->nlast != replicates || t->tile.n != rank + t->nlast ||
        total != tsr_ttir_devices(grid))
        return false;
    /* A dimension of k parts is cut by adjacent axes whose sizes have the product k, where the last one's stride is the
     * distance from the first part to the second. */
    int64_t step = total;
    for (uint32_t d = 0; d < rank; d++) {
        int64_t k = t->tile.data[d];
        step /= k;
        if (k == 1)
            continue;
        int64_t from = tsr_gspmd_device(t, step) - tsr_gspmd_device(t, 0), stride = 1;
        for (uint32_t a = grid->n; a-- > 0 && k > 1; stride *= grid->sizes[a]) {
            if (grid->sizes[a] == 1 || stride < from)
                continue;
            if (k % grid->sizes[a] || dims[a] >= 0)
                return false;
            dims[a] = d;
            k /= grid->sizes[a];
        }
        if (k != 1)
            return false;
    }
    /* Checks all devices. */
    for (int64_t place = 0; place < total; place++) {
        int64_t rest = place, coordinates[TSR_GSPMD_DIMS], device = tsr_gspmd_device(t, place);
        for (uint32_t d = t->tile.n; d-- > 0; rest /= t->tile.data[d])
            coordinates[d] = rest % t->tile.data[d];
        for (uint32_t a = grid->n; a-- > 0; device /= grid->sizes[a])
            if (dims[a] >= 0) {
                int64_t *at = &coordinates[dims[a]];
                if (*at % grid->sizes[a] != device % grid->sizes[a])
                    return false;
                *at /= grid->sizes[a];
            }
    }
    return true;
}

/* ---- Calls ---- */

static tsr_str sharding_of(const tsr_op *op)
{
    const tsr_attr *s = op->extra ? tsr_dict_get(op->extra, TSR_TT_XLA_SHARDING) : NULL;
    return tsr_attr_is(s, TSR_ATTR_STRING) ? s->s : TSR_STR("");
}

static bool is_unary(const tsr_op *op)
{
    return op->nin == 1 && op->nout == 1 && tsr_type_is(op->in[0].value->type, TSR_TYPE_TENSOR) &&
           tsr_type_is(op->out[0].type, TSR_TYPE_TENSOR);
}

static bool is_presharded(const tsr_op *op)
{
    const tsr_attr *status = op->extra ? tsr_dict_get(op->extra, TSR_TT_SHARD_STATUS) : NULL;
    return tsr_attr_is_struct(status, &tsr_def_TTCORE_SHARD_STATUS) &&
           status->i == TSR_TT_PRESHARDED;
}

/* The replacement of op, an @SPMD* of a @Sharding; NULL if it cannot be lowered. */
static tsr_value *convert(tsr_op *op, const tsr_ttir_grid *grid, bool full_to_shard)
{
    tsr_op *from = op->in[0].value->is_arg ? NULL : op->in[0].value->op;
    if (!from || !tsr_str_is(tsr_tt_target(from), "Sharding") || !is_unary(from))
        return NULL;
    tsr_value *v = from->in[0].value;
    tsr_type *type = op->out[0].type;
    bool alone = !from->out[0].uses->next;
    if (is_presharded(from) && alone) {
        if (full_to_shard && (v->type == type || tsr_ttir_retype_argument(v, from, type)))
            return v;
        if (!full_to_shard && (v->type == type || tsr_ttir_retype_results(&op->out[0], v)))
            return v;
    }
    tsr_gspmd t;
    int64_t dims[TSR_TTIR_AXES];
    const tsr_type *whole = full_to_shard ? v->type : type;
    bool ok = tsr_gspmd_read_one(sharding_of(full_to_shard ? from : op), &t) &&
              axes_of(&t, grid, whole->n, dims);
    tsr_value *made = NULL;
    if (ok) {
        tsr_build b = tsr_build_before(op);
        made = tsr_ttir_mesh_shard(&b, v, type, full_to_shard, t.tile.data,
                                   t.kind == TSR_GSPMD_REPLICATED ? 0 : whole->n, dims, grid->n);
        tsr_build_free(&b);
    }
    tsr_vec_free(&t.ids);
    return made;
}

static bool mesh_of(tsr_op *root, tsr_ttir_grid *grid)
{
    if (tsr_ttir_grid_of(root, grid))
        return true;
    tsr_tt_gspmd_grid mesh;
    bool quiet = root->module->ctx->quiet;
    root->module->ctx->quiet = true;
    bool ok = tsr_tt_gspmd_mesh(root, &mesh);
    root->module->ctx->quiet = quiet;
    if (ok)
        *grid = (tsr_ttir_grid){{mesh.x, mesh.y}, 2};
    return ok;
}

void tsr_ttir_gspmd(tsr_op *root)
{
    tsr_ttir_grid grid = {.n = 0};
    TSR_VEC(tsr_op *) calls = {0};
    TSR_OPS (root, op) {
        tsr_str target = tsr_tt_target(op);
        if (is_unary(op) &&
            (tsr_str_is(target, "Sharding") || tsr_str_is(target, "SPMDFullToShardShape") ||
             tsr_str_is(target, "SPMDShardToFullShape")))
            tsr_vec_push(&calls, op);
    }
    if (calls.n && mesh_of(root, &grid))
        for (size_t i = 0; i < calls.n; i++) {
            tsr_str target = tsr_tt_target(calls.data[i]);
            if (tsr_str_is(target, "Sharding"))
                continue;
            tsr_value *v =
                convert(calls.data[i], &grid, tsr_str_is(target, "SPMDFullToShardShape"));
            if (v) {
                tsr_value_replace(&calls.data[i]->out[0], v);
                tsr_op_erase(calls.data[i]);
                calls.data[i] = NULL;
            }
        }
    /* @Sharding on its own: the operand of an @SPMD* that stays also stays. */
    for (size_t i = calls.n; i-- > 0;) {
        tsr_op *op = calls.data[i];
        if (!op || !tsr_str_is(tsr_tt_target(op), "Sharding"))
            continue;
        bool free = op->in[0].value->type == op->out[0].type || !op->out[0].uses;
        for (const tsr_use *use = op->out[0].uses; use; use = use->next)
            free &= !tsr_str_is(tsr_tt_target(use->user), "SPMDFullToShardShape") &&
                    !tsr_str_is(tsr_tt_target(use->user), "SPMDShardToFullShape");
        if (!free)
            continue;
        tsr_value_replace(&op->out[0], op->in[0].value);
        tsr_op_erase(op);
    }
    tsr_vec_free(&calls);
}
