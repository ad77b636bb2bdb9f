/* SPDX-License-Identifier: Apache-2.0 */
/* verify_collective.c - rules of the collectives: the effect of an op on the sharding of its operand must give the
 * declared sharding of its result. */
#include "dialect/hooks.h"
#include "dialect/sdy/verify.h"

/* ---- Common rules ---- */

enum { MAY_LACK_INPUT = 1, MAY_CHANGE_MESH = 2 };

static bool mesh_error(const tsr_op *op, const char *message, const tsr_attr *mesh)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_buf text = {0};
    tsr_op_error(op, "%s", message);
    if (ctx->print_attr)
        ctx->print_attr(ctx, &text, mesh);
    tsr_note(ctx, tsr_value_loc(op->in[0].value), "operand mesh: %.*s",
             TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_buf_free(&text);
    return false;
}

/* Checks that the row's own columns leave out: shardings of operand and result, each by itself. out: the result's. */
static bool check_collective(const tsr_op *op, const tsr_attr *out, int may)
{
    const tsr_attr *in = tsr_sdy_sharding_of(op->in[0].value);
    sdy_at at = sdy_at_op(op);
    if (!in && !(may & MAY_LACK_INPUT))
        return tsr_op_error(op, "collective on operand without sharding");
    TSR_TRY(sdy_check_sharding(&at, out, op->out[0].type));
    if (!in)
        return true;
    const tsr_attr *mesh = tsr_sdy_mesh_of(op, in);
    if (!(may & MAY_CHANGE_MESH) && mesh && mesh != tsr_sdy_mesh_of(op, out))
        return mesh_error(op, "result mesh does not match operand mesh", mesh);
    if (tsr_sdy_dims(in)->n != tsr_sdy_dims(out)->n)
        return tsr_op_error(op, "result sharding has rank %u but operand sharding has rank %u",
                            tsr_sdy_dims(out)->n, tsr_sdy_dims(in)->n);
    return true;
}

#define COLLECTIVE(hook, id, may)                                             \
    bool verify_sdy_##hook(tsr_op *op)                                        \
    {                                                                         \
        return check_collective(op, op->attrs[SDY_##id##_out_sharding], may); \
    }
COLLECTIVE(all_gather, ALL_GATHER, 0)
COLLECTIVE(all_slice, ALL_SLICE, MAY_LACK_INPUT)
COLLECTIVE(all_to_all, ALL_TO_ALL, 0)
COLLECTIVE(collective_permute, COLLECTIVE_PERMUTE, MAY_CHANGE_MESH)
COLLECTIVE(all_reduce, ALL_REDUCE, MAY_LACK_INPUT)
COLLECTIVE(reduce_scatter, REDUCE_SCATTER, MAY_LACK_INPUT)
COLLECTIVE(sharded_to_unreduced, SHARDED_TO_UNREDUCED, 0)
COLLECTIVE(replicated_to_unreduced, REPLICATED_TO_UNREDUCED, 0)

/* ---- Data for the second rules ---- */

typedef struct {
    const tsr_op *op;
    sdy_at at;
    const tsr_attr *in, *out; /* shardings */
    sdy_axis_check axes;      /* of out's mesh */
} collective;

/* False if a sharding or the mesh is missing, which check_collective has reported. */
static bool start(collective *c, const tsr_op *op, const tsr_attr *out)
{
    tsr_ctx *ctx = op->module->ctx;
    const tsr_type *type = op->in[0].value->type;
    const tsr_attr *mesh = tsr_sdy_is_sharding(out) ? tsr_sdy_mesh_of(op, out) : NULL;
    if (!mesh)
        return false;
    *c = (collective){
        .op = op, .at = sdy_at_op(op), .in = tsr_sdy_sharding_of(op->in[0].value), .out = out};
    if (!c->in)
        c->in = tsr_sdy_replicated(ctx, out->attrs[SDY_SHARDING_mesh], type->dims ? type->n : 0);
    sdy_axis_check_init(&c->axes, ctx, mesh);
    return true;
}

static bool finish(collective *c, bool ok)
{
    sdy_axis_check_free(&c->axes);
    return ok;
}

static bool check_dim_axes(const collective *c, const tsr_sdy_axes *want, uint32_t dim)
{
    const tsr_attr *got = tsr_sdy_dim_axes(c->out, dim);
    if (got->n == want->n &&
        (!want->n || !memcmp(got->attrs, want->data, want->n * sizeof *want->data)))
        return true;
    tsr_buf text = {0};
    tsr_sdy_axes_print(&text, want->data, want->n);
    tsr_op_error(c->op, "result sharding doesn't match expected sharding %.*s on dimension %u",
                 TSR_STR_ARG(tsr_buf_text(&text)), dim);
    tsr_buf_free(&text);
    return false;
}

static void axes_of(const tsr_attr *list, tsr_sdy_axes *out)
{
    for (uint32_t i = 0; i < list->n; i++)
        tsr_vec_push(out, list->attrs[i]);
}

/* Removes axes from the end of the dimension's axes. kind: for the message. */
static bool gather(const collective *c, tsr_sdy_axes *dim_axes, const tsr_attr *axes, uint32_t dim,
                   const char *kind)
{
    for (uint32_t i = axes->n; i-- > 0;) {
        tsr_attr *last = dim_axes->n ? dim_axes->data[dim_axes->n - 1] : NULL;
        if (!last || !tsr_sdy_axis_suffix_of(&c->axes.mesh, axes->attrs[i], last)) {
            tsr_buf text = {0};
            tsr_sdy_axis_print(&text, axes->attrs[i]);
            tsr_op_error(c->op, "can't apply %s axis %.*s to operand sharding on dimension %u",
                         kind, TSR_STR_ARG(tsr_buf_text(&text)), dim);
            tsr_buf_free(&text);
            return false;
        }
        dim_axes->n--;
        tsr_attr *left = tsr_sdy_axis_before(c->axes.mesh.ctx, last, axes->attrs[i]);
        if (left)
            tsr_vec_push(dim_axes, left);
    }
    return true;
}

static void slice(const collective *c, tsr_sdy_axes *dim_axes, const tsr_attr *axes)
{
    for (uint32_t i = 0; i < axes->n; i++)
        tsr_sdy_axes_add(&c->axes.mesh, dim_axes, axes->attrs[i]);
}

/* The dimension's sharding after axes are gathered (kind given) or sliced must be the result's. */
static bool check_dim(const collective *c, const tsr_attr *axes, uint32_t dim, const char *kind)
{
    tsr_sdy_axes want = {0};
    bool ok = true;
    axes_of(tsr_sdy_dim_axes(c->in, dim), &want);
    if (kind)
        ok = gather(c, &want, axes, dim, kind);
    else
        slice(c, &want, axes);
    ok = ok && check_dim_axes(c, &want, dim);
    tsr_vec_free(&want);
    return ok;
}

/* lists: a list_of_axis_ref_lists, one list per dimension. */
static bool check_per_dim(collective *c, const tsr_attr *lists, const char *kind)
{
    const tsr_attr *all = lists->attrs[0];
    for (uint32_t i = 0; i < all->n; i++)
        TSR_TRY(sdy_check_axes(&c->at, &c->axes, all->attrs[i]->attrs[0]));
    uint32_t rank = tsr_sdy_dims(c->out)->n;
    if (rank != all->n)
        return tsr_op_error(c->op, "result sharding has rank %u but collective axes has rank %u",
                            rank, all->n);
    for (uint32_t i = 0; i < rank && i < tsr_sdy_dims(c->in)->n; i++)
        TSR_TRY(check_dim(c, all->attrs[i]->attrs[0], i, kind));
    return true;
}

/* ---- Op by op ---- */

bool uses_sdy_all_gather(tsr_op *op)
{
    collective c;
    return !start(&c, op, op->attrs[SDY_ALL_GATHER_out_sharding]) ||
           finish(&c, check_per_dim(&c, op->attrs[SDY_ALL_GATHER_gathering_axes], "gathering"));
}

bool uses_sdy_all_slice(tsr_op *op)
{
    collective c;
    return !start(&c, op, op->attrs[SDY_ALL_SLICE_out_sharding]) ||
           finish(&c, check_per_dim(&c, op->attrs[SDY_ALL_SLICE_slicing_axes], NULL));
}

bool uses_sdy_reduce_scatter(tsr_op *op)
{
    collective c;
    if (!start(&c, op, op->attrs[SDY_REDUCE_SCATTER_out_sharding]))
        return true;
    const tsr_attr *reduction = op->attrs[SDY_REDUCE_SCATTER_reduction_op];
    bool ok = sdy_check_unreduced(op, c.in, c.out, -1, reduction ? (int)reduction->i : TSR_SDY_SUM);
    return finish(&c,
                  ok && check_per_dim(&c, op->attrs[SDY_REDUCE_SCATTER_reduce_scatter_axes], NULL));
}

/* The result's unreduced axes must be the operand's and those of more (freed here). */
static bool check_more_unreduced(const collective *c, tsr_sdy_axes *more, const char *name)
{
    const tsr_attr *got = c->out->attrs[SDY_SHARDING_unreduced];
    axes_of(c->in->attrs[SDY_SHARDING_unreduced], more);
    tsr_sdy_axes_sort_and_merge(&c->axes.mesh, more);
    bool ok = got->n == more->n &&
              (!more->n || !memcmp(got->attrs, more->data, more->n * sizeof *more->data));
    tsr_vec_free(more);
    return ok || tsr_op_error(c->op, "out_unreduced_axes should be in_unreduced_axes + %s", name);
}

static bool check_sum(const tsr_op *op, const tsr_attr *out)
{
    return out->attrs[SDY_SHARDING_reduction]->i == TSR_SDY_SUM ||
           tsr_op_error(op, "out_sharding reduction_op must be SUM");
}

bool uses_sdy_sharded_to_unreduced(tsr_op *op)
{
    const tsr_attr *lists = op->attrs[SDY_SHARDED_TO_UNREDUCED_axes];
    collective c;
    if (!start(&c, op, op->attrs[SDY_SHARDED_TO_UNREDUCED_out_sharding]))
        return true;
    bool ok = check_sum(op, c.out) && check_per_dim(&c, lists, "shard-to-unreduce");
    if (ok) {
        tsr_sdy_axes more = {0};
        for (uint32_t i = 0; i < lists->attrs[0]->n; i++)
            axes_of(lists->attrs[0]->attrs[i]->attrs[0], &more);
        ok = check_more_unreduced(&c, &more, "sharded_to_unreduced_axes");
    }
    return finish(&c, ok);
}

static bool overlap_error(const tsr_op *op, const char *kind, const tsr_attr *axis,
                          const char *with)
{
    tsr_buf text = {0};
    tsr_sdy_axis_print(&text, axis);
    tsr_op_error(op, "%s axis %.*s overlaps with %s", kind, TSR_STR_ARG(tsr_buf_text(&text)), with);
    tsr_buf_free(&text);
    return false;
}

/* All axes that shard dimensions (and, if requested, replicated ones), sorted. */
static void dim_axes_sorted(const collective *c, bool replicated, tsr_sdy_axes *out)
{
    for (uint32_t i = 0; i < tsr_sdy_dims(c->in)->n; i++)
        axes_of(tsr_sdy_dim_axes(c->in, i), out);
    if (replicated)
        axes_of(c->in->attrs[SDY_SHARDING_replicated], out);
    tsr_sdy_axes_sort(&c->axes.mesh, out);
}

/* axes must overlap neither the operand's sharded axes nor the unreduced axes of other. */
static bool check_apart(const collective *c, const char *kind, const tsr_attr *axes,
                        bool replicated, const char *dims_name, const tsr_attr *other,
                        const char *unreduced_name)
{
    tsr_sdy_axes taken = {0}, unreduced = {0};
    bool ok = true;
    dim_axes_sorted(c, replicated, &taken);
    axes_of(other->attrs[SDY_SHARDING_unreduced], &unreduced);
    tsr_sdy_axes_sort(&c->axes.mesh, &unreduced);
    for (uint32_t i = 0; ok && i < axes->n; i++) {
        if (tsr_sdy_axes_overlapping(&c->axes.mesh, &taken, axes->attrs[i]))
            ok = overlap_error(c->op, kind, axes->attrs[i], dims_name);
        else if (tsr_sdy_axes_overlapping(&c->axes.mesh, &unreduced, axes->attrs[i]))
            ok = overlap_error(c->op, kind, axes->attrs[i], unreduced_name);
    }
    tsr_vec_free(&taken);
    tsr_vec_free(&unreduced);
    return ok;
}

static bool check_replicated_to_unreduced(collective *c, const tsr_attr *axes)
{
    TSR_TRY(check_sum(c->op, c->out));
    if (tsr_sdy_dims(c->in) != tsr_sdy_dims(c->out))
        return tsr_op_error(c->op, "input and output must share the same dimension shardings");
    if (!axes->n)
        return tsr_op_error(c->op, "r2u axes must not be empty");
    TSR_TRY(sdy_check_sorted_axes(&c->at, &c->axes, axes, "r2u"));
    TSR_TRY(check_apart(c, "r2u", axes, false, "operand dimension sharding", c->in,
                        "operand unreduced axes"));
    tsr_sdy_axes more = {0};
    axes_of(axes, &more);
    return check_more_unreduced(c, &more, "r2u_axes");
}

bool uses_sdy_replicated_to_unreduced(tsr_op *op)
{
    collective c;
    return !start(&c, op, op->attrs[SDY_REPLICATED_TO_UNREDUCED_out_sharding]) ||
           finish(&c, check_replicated_to_unreduced(
                          &c, op->attrs[SDY_REPLICATED_TO_UNREDUCED_axes]->attrs[0]));
}

/* Whether dimensions are sharded alike; two replicated shardings are, whatever their meshes. */
static bool same_dims(const tsr_attr *a, const tsr_attr *b)
{
    if (tsr_sdy_is_replicated(a))
        return tsr_sdy_is_replicated(b);
    return tsr_sdy_same_axes(a, b);
}

static bool check_all_reduce(collective *c, const tsr_attr *axes, const tsr_attr *reduction)
{
    if (!same_dims(c->in, c->out))
        return tsr_op_error(c->op, "operand and result shardings are not equivalent");
    return sdy_check_sorted_axes(&c->at, &c->axes, axes, "reduction") &&
           check_apart(c, "reduction", axes, true, "operand dimension sharding or replicated axes",
                       c->out, "result unreduced axes") &&
           sdy_check_unreduced(c->op, c->in, c->out, -1,
                               reduction ? (int)reduction->i : TSR_SDY_SUM);
}

bool uses_sdy_all_reduce(tsr_op *op)
{
    collective c;
    return !start(&c, op, op->attrs[SDY_ALL_REDUCE_out_sharding]) ||
           finish(&c, check_all_reduce(&c, op->attrs[SDY_ALL_REDUCE_reduction_axes]->attrs[0],
                                       op->attrs[SDY_ALL_REDUCE_reduction_op]));
}

static bool check_permute(const collective *c)
{
    const tsr_attr *mesh = c->axes.mesh.mesh, *old = tsr_sdy_mesh_of(c->op, c->in);
    if (!old)
        return true;
    if (mesh->attrs[SDY_MESH_axes] != old->attrs[SDY_MESH_axes])
        return mesh_error(c->op, "result mesh has different axes than operand mesh", old);
    if (c->in->attrs[SDY_SHARDING_mesh] != c->out->attrs[SDY_SHARDING_mesh] &&
        mesh->attrs[SDY_MESH_device_ids] == old->attrs[SDY_MESH_device_ids])
        return mesh_error(c->op, "result mesh name is different but same device ids as operand",
                          old);
    for (uint32_t i = 0; i < tsr_sdy_dims(c->in)->n && i < tsr_sdy_dims(c->out)->n; i++) {
        int64_t in = tsr_sdy_sharded_size(&c->axes.mesh, tsr_sdy_dim_axes(c->in, i));
        int64_t out = tsr_sdy_sharded_size(&c->axes.mesh, tsr_sdy_dim_axes(c->out, i));
        if (in != out)
            return tsr_op_error(
                c->op, "sharded size of result doesn't match operand on dimension %u: %lld != %lld",
                i, (long long)out, (long long)in);
    }
    return true;
}

bool uses_sdy_collective_permute(tsr_op *op)
{
    collective c;
    return !start(&c, op, op->attrs[SDY_COLLECTIVE_PERMUTE_out_sharding]) ||
           finish(&c, check_permute(&c));
}

/* ---- All-to-all ---- */

static bool check_param_dim(const collective *c, int64_t dim, const char *what, uint32_t rank)
{
    return (dim >= 0 && dim < rank) ||
           tsr_op_error(c->op, "%s dimension %lld is out of range [0, %u)", what, (long long)dim,
                        rank);
}

/* Checks the parameters themselves. moved: one element per dimension. */
static bool check_params(collective *c, const tsr_attr *params, uint32_t rank, bool *moved)
{
    int64_t last = -1;
    for (uint32_t i = 0; i < params->n; i++) {
        tsr_attr *const *p = params->attrs[i]->attrs;
        int64_t dims[] = {p[SDY_ALL_TO_ALL_PARAM_src]->i, p[SDY_ALL_TO_ALL_PARAM_tgt]->i};
        TSR_TRY(sdy_check_axes(&c->at, &c->axes, p[SDY_ALL_TO_ALL_PARAM_axes]));
        TSR_TRY(check_param_dim(c, dims[0], "source", rank));
        TSR_TRY(check_param_dim(c, dims[1], "target", rank));
        for (int k = 0; k < 2; k++) {
            if (moved[dims[k]])
                return tsr_op_error(
                    c->op, "overlapping source/target dimensions in all-to-all params: %lld",
                    (long long)dims[k]);
            moved[dims[k]] = true;
        }
        if (last >= dims[0])
            return tsr_op_error(
                c->op,
                "source dimensions are not sorted in ascending order: %lld appears after %lld",
                (long long)dims[0], (long long)last);
        last = dims[0];
    }
    return true;
}

static bool check_all_to_all(collective *c, const tsr_attr *params, uint32_t rank, bool *moved)
{
    TSR_TRY(check_params(c, params, rank, moved));
    for (uint32_t i = 0; i < params->n; i++) {
        tsr_attr *const *p = params->attrs[i]->attrs;
        const tsr_attr *axes = p[SDY_ALL_TO_ALL_PARAM_axes];
        TSR_TRY(check_dim(c, axes, (uint32_t)p[SDY_ALL_TO_ALL_PARAM_src]->i, "all-to-all"));
        TSR_TRY(check_dim(c, axes, (uint32_t)p[SDY_ALL_TO_ALL_PARAM_tgt]->i, NULL));
    }
    const tsr_attr *none = tsr_attr_array(c->axes.mesh.ctx, NULL, 0);
    for (uint32_t i = 0; i < rank; i++)
        if (!moved[i])
            TSR_TRY(check_dim(c, none, i, NULL));
    return true;
}

bool uses_sdy_all_to_all(tsr_op *op)
{
    const tsr_attr *params = op->attrs[SDY_ALL_TO_ALL_params]->attrs[0];
    collective c;
    if (!start(&c, op, op->attrs[SDY_ALL_TO_ALL_out_sharding]))
        return true;
    uint32_t rank = tsr_sdy_dims(c.in)->n;
    if (rank != tsr_sdy_dims(c.out)->n)
        return finish(&c, true);
    if (!params->n)
        return finish(&c, tsr_op_error(op, "parameter list is empty"));
    bool *moved = tsr_xmalloc(rank + 1);
    memset(moved, 0, rank + 1);
    bool ok = check_all_to_all(&c, params, rank, moved);
    tsr_free(moved);
    return finish(&c, ok);
}
