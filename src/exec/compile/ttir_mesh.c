/* SPDX-License-Identifier: Apache-2.0 */
/* ttir_mesh.c - EXEC hooks of TTIR's ops that depend on the device, or work together with others.
 *
 * Positions on the mesh are known when a program is compiled, except which device runs it. That the processes of the
 * run are the devices of the mesh is checked when it runs. */
#include "dialect/dialect.h"
#include "dialect/ttcore/ttcore.h"
#include "dialect/ttir/shape.h"
#include "eval/plan.h"
#include "exec/compile/value.h"

/* How many devices the axis of the module's mesh has, and how far apart they are; false: there is no such axis. */
static bool axis_of(const tsr_xbuilder *b, const tsr_attr *axis, int64_t *size, int64_t *stride)
{
    const tsr_tt_mesh *m = &b->p->plan->mesh;
    if (!axis || b->p->plan->bad_mesh || axis->i < 0 || (m->naxis && axis->i >= m->naxis))
        return false;
    *stride = 1;
    for (uint32_t i = (uint32_t)axis->i + 1; i < m->naxis; i++)
        *stride *= m->sizes[i];
    *size = m->naxis ? m->sizes[axis->i] : 1;
    return true;
}

/* The device's position along an axis. */
static tsr_xid position(tsr_xbuilder *b, const tsr_op *op, int64_t size, int64_t stride)
{
    enum { AMONG_ALL = 2 };
    int64_t which = AMONG_ALL;
    tsr_x_check(b, op, TSR_CHECK_MESH, TSR_XNONE, 0);
    tsr_ctx *ctx = b->p->module->ctx;
    tsr_type *type = tsr_type_tensor(ctx, NULL, 0, tsr_dtype_type(ctx, TSR_D_U32), NULL);
    tsr_xid id = tsr_x_move(b, op, TSR_MOVE_PROCESS, NULL, 0, &which, 1, type);
    tsr_xvalue_at(b, id)->part = true;
    id = tsr_x_with(b, op, TSR_TILE_divide, id, (double)stride);
    return tsr_x_with(b, op, TSR_TILE_remainder, id, (double)size);
}

/* The device's part of the operand along a dimension. */
bool exec_ttir_mesh_partition(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xvalue x = *tsr_xvalue_at(b, tsr_x_in(b, op, 0));
    int64_t size, stride, dims[TSR_VIEW_RANK];
    size_t d;
    if (!axis_of(b, op->attrs[TTIR_MESH_PARTITION_cluster_axis], &size, &stride) || x.n <= 0 ||
        x.rank > TSR_VIEW_RANK || !tt_dim(tt_int(op, TTIR_MESH_PARTITION_dim, 0), x.rank, &d) ||
        x.dims[d] % size)
        return false;
    tsr_xid in[TSR_VIEW_RANK + 1] = {tsr_x_in(b, op, 0)};
    for (size_t i = 0; i < x.rank; i++) {
        dims[i] = i == d ? x.dims[i] / size : x.dims[i];
        in[i + 1] = i == d ? tsr_x_with(b, op, TSR_TILE_multiply, position(b, op, size, stride),
                                        (double)dims[i])
                           : tsr_x_integer(b, op, TSR_D_U32, 0);
    }
    return tsr_x_give(
        b, op, 0,
        tsr_x_moved(b, op, TSR_MOVE_DYNAMIC_SLICE, in, x.rank + 1u, NULL, 0, dims, x.rank));
}

/* ---- Norms whose rows are divided among the devices of an axis ---- */

typedef struct {
    tsr_op *op;
    tsr_attr *axis;
    int64_t size;
    int epsilon, residual; /* slot; operand group */
    bool centred;
} spread;

/* The op that adds up v on all devices of the axis: an all_reduce with the place and number of the norm. */
static tsr_op *reduction_of(tsr_xbuilder *b, const spread *s, tsr_xid v)
{
    tsr_arena *a = &b->p->arena;
    tsr_ctx *ctx = b->p->module->ctx;
    tsr_op *made = tsr_arena_copy(a, s->op, sizeof *made);
    made->def = tsr_opdef_of(ctx, TSR_OP_TTIR_ALL_REDUCE);
    made->nin = 1;
    made->extra = NULL;
    made->attrs = TSR_NEW_ARRAY(a, tsr_attr *, made->def->nslot + 1);
    tsr_attr *how = TSR_NEW(a, tsr_attr);
    *how = (tsr_attr){.kind = TSR_ATTR_INT, .i = TSR_TT_SUM};
    made->attrs[TTIR_ALL_REDUCE_reduce_type] = how;
    made->attrs[TTIR_ALL_REDUCE_cluster_axis] = s->axis;
    made->out = tsr_arena_copy(a, s->op->out, sizeof *made->out);
    made->out[0].type = tsr_xvalue_at(b, v)->type;
    made->in = tsr_arena_copy(a, s->op->in, sizeof *made->in);
    made->in[0].value = &made->out[0];
    return made;
}

/* The sum of a row on all devices. */
static tsr_xid row_sum(tsr_xbuilder *b, const spread *s, tsr_xid x, const bool *gone)
{
    if (x == TSR_XNONE)
        return x;
    tsr_xid v = tsr_x_folded(b, s->op, x, gone, true, TSR_FOLD_SUM, tsr_xdtype_of(b, x));
    if (s->size == 1 || v == TSR_XNONE)
        return v;
    tsr_op *sum = reduction_of(b, s, v);
    tsr_x_set(b, sum, 0, v);
    tsr_x_other(b, sum);
    v = tsr_x_in(b, sum, 0);
    tsr_xvalue_at(b, v)->part = true;
    return v;
}

/* The operand of a group, in the working type; TSR_XNONE: there is none. */
static tsr_xid parameter(tsr_xbuilder *b, const tsr_op *op, size_t group, int64_t count,
                         tsr_dtype d, bool *ok)
{
    uint32_t start, n;
    if (!tsr_op_operand_group(op, group, &start, &n) || !n)
        return TSR_XNONE;
    tsr_xid v = tsr_x_in(b, op, start);
    *ok &= tsr_xvalue_at(b, v)->n == count;
    return *ok ? tsr_x_as(b, op, tsr_x_reshaped(b, op, v, &count, 1), d) : TSR_XNONE;
}

static bool give_norm(tsr_xbuilder *b, spread *s)
{
    tsr_op *op = s->op;
    tsr_xvalue of = *tsr_xvalue_at(b, tsr_x_in(b, op, 0));
    bool gone[TSR_MAX_RANK] = {false}, ok = true;
    int64_t stride;
    if (!axis_of(b, s->axis, &s->size, &stride) || of.n <= 0 || !of.rank || of.rank > TSR_VIEW_RANK)
        return false;
    tsr_dtype d = tsr_x_working((tsr_dtype)of.dtype);
    int64_t n = of.dims[of.rank - 1];
    tsr_xid x = tsr_x_as(b, op, tsr_x_in(b, op, 0), d);
    tsr_xid weight = parameter(b, op, 1, n, d, &ok);
    tsr_xid bias = s->centred ? parameter(b, op, 2, n, d, &ok) : TSR_XNONE;
    tsr_xid more = parameter(b, op, (size_t)s->residual, of.n, d, &ok);
    if (!ok)
        return false;
    if (more != TSR_XNONE)
        x = tsr_x_apply2(b, op, TSR_TILE_add, x, tsr_x_reshaped(b, op, more, of.dims, of.rank));
    gone[of.rank - 1u] = true;
    tsr_x_check(b, op, TSR_CHECK_MESH, TSR_XNONE, 0);
    double total = (double)n * (double)s->size;
    if (s->centred)
        x = tsr_x_apply2(b, op, TSR_TILE_subtract, x,
                         tsr_x_with(b, op, TSR_TILE_divide, row_sum(b, s, x, gone), total));
    tsr_xid squares = row_sum(b, s, tsr_x_apply2(b, op, TSR_TILE_multiply, x, x), gone);
    tsr_xid mean = tsr_x_with(b, op, TSR_TILE_divide, squares, total);
    tsr_xid by =
        tsr_x_apply1(b, op, TSR_TILE_rsqrt,
                     tsr_x_with(b, op, TSR_TILE_add, mean, tt_float(op, s->epsilon, 1e-5)));
    x = tsr_x_apply2(b, op, TSR_TILE_multiply, x, by);
    if (weight != TSR_XNONE)
        x = tsr_x_apply2(b, op, TSR_TILE_multiply, x, weight);
    if (bias != TSR_XNONE)
        x = tsr_x_apply2(b, op, TSR_TILE_add, x, bias);
    return tsr_x_give(b, op, 0, x);
}

bool exec_ttir_distributed_rms_norm(tsr_xbuilder *b, tsr_op *op)
{
    spread s = {.op = op,
                .axis = op->attrs[TTIR_DISTRIBUTED_RMS_NORM_cluster_axis],
                .epsilon = TTIR_DISTRIBUTED_RMS_NORM_epsilon,
                .residual = 2};
    return give_norm(b, &s);
}

bool exec_ttir_distributed_layer_norm(tsr_xbuilder *b, tsr_op *op)
{
    spread s = {.op = op,
                .axis = op->attrs[TTIR_DISTRIBUTED_LAYER_NORM_cluster_axis],
                .epsilon = TTIR_DISTRIBUTED_LAYER_NORM_epsilon,
                .residual = 3,
                .centred = true};
    return give_norm(b, &s);
}
