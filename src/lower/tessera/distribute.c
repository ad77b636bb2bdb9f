/* SPDX-License-Identifier: Apache-2.0 */
/* distribute.c - --tessera-distribute: runs propagation and the partitioner on the program's meshes and shardings, and
 * produces local tensors and collectives.
 *
 * tessera.mesh, shard and replicate become Shardy's ops; our partitioner builds the program of each device
 * (shard/spmd/spmd.h); its collectives become tessera.allreduce and its relatives, on named groups, or nccl_ ops on
 * lists of devices (export_local.c). With global=true tensors stay global: reshards become collectives of sdy, and
 * those of Graph IR, each with the sharding of its result. */
#include <stdlib.h>

#include "dialect/sdy/sharding.h"
#include "dialect/tessera/hlo.h"
#include "lower/passes.h"

static const char *word(bool on)
{
    return on ? "true" : "false";
}

void expand_tessera_distribute(const tsr_pass *p, tsr_buf *out)
{
    bool nccl = tsr_pass_bool(p, "nccl");
    tsr_str item;
    tsr_buf_cstr(out, "tessera-import-shardings");
    for (size_t i = 0; tsr_pass_item(p, "groups", i, &item); i++) {
        tsr_buf_cstr(out, i ? "," : "{groups=");
        tsr_option_quote(out, item);
    }
    if (tsr_pass_item(p, "groups", 0, &item))
        tsr_buf_char(out, '}');
    if (tsr_pass_bool(p, "global"))
        tsr_buf_printf(out,
                       ",tessera-spmd-prepare,tessera-propagate{collectives=true},"
                       "tessera-export-collectives{nccl=%s}",
                       word(nccl));
    else
        tsr_buf_printf(out,
                       ",tessera-partition{combine=false notes=true keep-meshes=true remarks=%s},"
                       "tessera-export-local{nccl=%s}",
                       word(tsr_pass_bool(p, "remarks")), word(nccl));
}

/* ---- Groups ---- */

/* The purposes of axes, by the names that programs use. */
static const struct {
    const char *axis, *group;
} usual[] = {
    {"data", "data_parallel"},         {"dp", "data_parallel"},
    {"batch", "data_parallel"},        {"fsdp", "data_parallel"},
    {"model", "tensor_parallel"},      {"tp", "tensor_parallel"},
    {"tensor", "tensor_parallel"},     {"mp", "tensor_parallel"},
    {"pipeline", "pipeline_parallel"}, {"pipe", "pipeline_parallel"},
    {"pp", "pipeline_parallel"},       {"stage", "pipeline_parallel"},
    {"expert", "expert_parallel"},     {"ep", "expert_parallel"},
    {"seq", "sequence_parallel"},      {"sequence", "sequence_parallel"},
    {"sp", "sequence_parallel"},       {"context", "sequence_parallel"},
    {"cp", "sequence_parallel"},
};

static const char *usual_group(tsr_str axis)
{
    for (size_t i = 0; i < TSR_COUNT(usual); i++)
        if (tsr_str_is(axis, usual[i].axis))
            return usual[i].group;
    return NULL;
}

static tsr_str before(tsr_str *s, char sep)
{
    const char *at = memchr(s->data, sep, s->len);
    tsr_str head = {s->data, at ? (size_t)(at - s->data) : s->len};
    size_t used = head.len + (at != NULL);
    *s = (tsr_str){s->data + used, s->len - used};
    return head;
}

/* name:axis+axis, for axes of the mesh; NULL if it does not have all of them. */
static tsr_attr *asked_group(tsr_ctx *ctx, const tsr_attr *mesh, tsr_str item, tsr_str *name)
{
    tsr_attr_vec axes = {0};
    bool ok = true;
    *name = before(&item, ':');
    while (item.len) {
        tsr_str axis = before(&item, '+');
        ok &= tsr_tessera_has_axis(mesh, axis);
        tsr_vec_push(&axes, tsr_attr_string(ctx, axis));
    }
    tsr_attr *list = ok && axes.n ? tsr_attr_array(ctx, axes.data, axes.n) : NULL;
    tsr_vec_free(&axes);
    return list;
}

/* Requested groups, then the mesh's own; without either, those derived from axis names. */
static bool name_groups(tsr_pass *p, tsr_op *op, uint64_t *used)
{
    tsr_ctx *ctx = p->ctx;
    const tsr_attr *mesh = op->attrs[SDY_MESH_mesh], *axes = mesh->attrs[SDY_MESH_axes];
    tsr_attr *groups = op->extra ? tsr_dict_get(op->extra, TSR_STR("tessera.groups")) : NULL;
    if (!tsr_attr_is(groups, TSR_ATTR_DICT))
        groups = NULL;
    tsr_str item, name;
    for (size_t i = 0; tsr_pass_item(p, "groups", i, &item); i++) {
        tsr_attr *list = asked_group(ctx, mesh, item, &name);
        if (!name.len || !memchr(item.data, ':', item.len))
            return tsr_op_error(op, "cannot have a group '%.*s': groups are written name:axis+axis",
                                TSR_STR_ARG(item));
        if (!list)
            continue;
        *used |= (uint64_t)1 << (i & 63);
        groups = tsr_dict_with(ctx, groups, tsr_name_get(ctx, name), list);
    }
    bool own = groups != NULL;
    for (uint32_t i = 0; !own && i < axes->n; i++) {
        tsr_attr *axis = axes->attrs[i]->attrs[SDY_MESH_AXIS_name];
        const char *known = usual_group(axis->s);
        if (!known)
            continue;
        const tsr_attr *there = groups ? tsr_dict_get(groups, tsr_cstr(known)) : NULL;
        tsr_attr_vec list = {0};
        for (uint32_t k = 0; there && k < there->n; k++)
            tsr_vec_push(&list, there->attrs[k]);
        tsr_vec_push(&list, axis);
        groups = tsr_dict_with(ctx, groups, tsr_name_get(ctx, tsr_cstr(known)),
                               tsr_attr_array(ctx, list.data, list.n));
        tsr_vec_free(&list);
    }
    if (groups)
        tsr_op_set_attr(op, TSR_STR("tessera.groups"), groups);
    return true;
}

/* ---- In ---- */

static bool rewrite(tsr_op *op)
{
    tsr_build b = tsr_build_before(op);
    tsr_value **out = tsr_xmalloc((op->nout + 1) * sizeof *out);
    bool ok = tsr_hlo_of(op)(&b, op, out) && !b.failed;
    if (ok)
        tsr_build_replace(op, out);
    tsr_build_free(&b);
    tsr_free(out);
    return ok;
}

/* Whether op specifies the placement of a global tensor. */
static bool lays_out(const tsr_op *op)
{
    tsr_coll c;
    return tsr_op_is(op, TSR_OP_TESSERA_SHARD) || tsr_op_is(op, TSR_OP_TESSERA_REPLICATE) ||
           (op->nin == 1 && op->nout == 1 && tsr_coll_of(op, &c) && c.sharding);
}

/* Lowers control flow on scalars and requested derivatives, which propagation does not support. */
static bool lower_first(tsr_pass *p, tsr_op *root)
{
    bool flow = false, derivatives = false;
    TSR_OPS (root, op) {
        flow |= tsr_op_in(op, TSR_DIALECT_SCF) || tsr_op_in(op, TSR_DIALECT_ARITH);
        derivatives |= tsr_op_is(op, TSR_OP_TESSERA_FORWARD) ||
                       tsr_op_is(op, TSR_OP_TESSERA_REVERSE) || tsr_op_is(op, TSR_OP_TESSERA_VJP);
    }
    return (!flow || pass_scf_to_stablehlo(p, root)) &&
           (!derivatives || pass_tessera_lower_autodiff(p, root));
}

bool pass_tessera_import_shardings(tsr_pass *p, tsr_op *root)
{
    tsr_op *next;
    uint64_t used = 0;
    const tsr_op *mesh = NULL;
    if (tsr_dict_get(root->extra, TSR_STR("tessera.partitioned")))
        return true;
    TSR_TRY(lower_first(p, root));
    for (tsr_op *op = tsr_walk_next(root, root); op; op = next) {
        tsr_op *prev = op->prev;
        tsr_block *block = op->block;
        next = tsr_walk_next(root, op);
        if (lays_out(op)) {
            TSR_TRY(rewrite(op));
        } else if (tsr_op_is(op, TSR_OP_TESSERA_FUSED)) { /* ops are partitioned one by one */
            TSR_TRY(rewrite(op));
            next = prev ? tsr_walk_next(root, prev) : block->first;
        } else if (tsr_op_is(op, TSR_OP_TESSERA_MESH) || tsr_op_is(op, TSR_OP_SDY_MESH)) {
            if (tsr_op_is(op, TSR_OP_TESSERA_MESH))
                op = tsr_tessera_mesh_to_sdy(op);
            TSR_TRY(name_groups(p, op, &used));
            mesh = mesh ? mesh : op;
        } else {
            continue;
        }
        p->changed = true;
    }
    tsr_str item;
    for (size_t i = 0; mesh && i < 64 && tsr_pass_item(p, "groups", i, &item); i++)
        if (!(used >> i & 1))
            return tsr_op_error(mesh, "has not the axes of group '%.*s'", TSR_STR_ARG(item));
    return true;
}

/* ---- Out ---- */

typedef struct {
    tsr_pass *p;
    bool nccl;
    tsr_op *op;       /* the collective of sdy */
    tsr_attr *symbol; /* its mesh */
    tsr_attr *mesh, *groups;
} exporting;

/* "x" or x:(1)2 */
static tsr_attr *axis_text(tsr_ctx *ctx, const tsr_attr *axis)
{
    const tsr_attr *sub = axis->attrs[SDY_AXIS_REF_sub];
    tsr_str name = axis->attrs[SDY_AXIS_REF_name]->s;
    tsr_buf b = {0};
    tsr_buf_str(&b, name);
    if (sub)
        tsr_buf_printf(&b, ":(%lld)%lld", (long long)sub->attrs[SDY_SUB_AXIS_INFO_pre_size]->i,
                       (long long)sub->attrs[SDY_SUB_AXIS_INFO_size]->i);
    tsr_attr *a = tsr_attr_string(ctx, tsr_buf_text(&b));
    tsr_buf_free(&b);
    return a;
}

/* The name of a group of exactly these axes; else that of a single axis; else the list. */
static tsr_attr *group_name(const exporting *e, const tsr_attr *axes)
{
    tsr_ctx *ctx = e->p->ctx;
    tsr_attr_vec list = {0};
    for (uint32_t i = 0; i < axes->n; i++)
        tsr_vec_push(&list, axis_text(ctx, axes->attrs[i]));
    tsr_attr *texts = tsr_attr_array(ctx, list.data, list.n), *name = NULL;
    for (uint32_t i = 0; !name && e->groups && i < e->groups->n; i++)
        if (e->groups->named[i].value == texts)
            name = tsr_attr_string(ctx, e->groups->named[i].name->str);
    if (!name)
        name = list.n == 1 ? list.data[0] : texts;
    tsr_vec_free(&list);
    return name;
}

/* The op before e->op, on these axes. kind: of tessera.collective, or NULL. */
static tsr_op *make(const exporting *e, enum tsr_opcode plain, enum tsr_opcode nccl, tsr_value *x,
                    const tsr_attr *axes, tsr_attr *sharding)
{
    tsr_ctx *ctx = e->p->ctx;
    tsr_i64_vec devices = {0};
    size_t size = 1;
    bool lists = e->nccl && nccl != plain && e->mesh &&
                 tsr_tessera_axes_devices(e->mesh, axes, &devices, &size);
    tsr_op *made = tsr_op_new(e->op->module, tsr_opdef_of(ctx, lists ? nccl : plain), e->op->loc,
                              &x, 1, &e->op->out[0].type, 1, 0, 0);
    if (lists) {
        tsr_tessera_set(made, "devices",
                        tsr_tessera_devices_attr(ctx, e->op->module, &devices, size));
    } else {
        if (tsr_attr_is(e->symbol, TSR_ATTR_SYMBOL))
            tsr_tessera_set(made, "mesh", e->symbol);
        if (axes->n)
            tsr_tessera_set(made, "group", group_name(e, axes));
    }
    tsr_tessera_set(made, "out_sharding", sharding);
    tsr_vec_free(&devices);
    tsr_op_insert(made, e->op->block, e->op);
    return made;
}

/* A sharding with different axes in one dimension. */
static tsr_attr *with_dim(tsr_ctx *ctx, const tsr_attr *s, uint32_t dim, tsr_attr *const *axes,
                          size_t n)
{
    tsr_attr_vec dims = {0};
    const tsr_attr *all = tsr_sdy_dims(s);
    for (uint32_t i = 0; i < all->n; i++) {
        tsr_attr *d = all->attrs[i];
        if (i == dim)
            d = tsr_sdy_dim(ctx, tsr_attr_array(ctx, axes, n),
                            d->attrs[SDY_DIMENSION_SHARDING_is_closed],
                            d->attrs[SDY_DIMENSION_SHARDING_priority]);
        tsr_vec_push(&dims, d);
    }
    tsr_attr *out =
        tsr_sdy_make(ctx, s->attrs[SDY_SHARDING_mesh], tsr_attr_array(ctx, dims.data, dims.n),
                     s->attrs[SDY_SHARDING_replicated], s->attrs[SDY_SHARDING_unreduced],
                     s->attrs[SDY_SHARDING_reduction]);
    tsr_vec_free(&dims);
    return out;
}

/* The sharding before the last steps: dimensions from dim on still have the axes that those steps gather, or do not
 * have those yet that they scatter. */
static tsr_attr *before_steps(tsr_ctx *ctx, tsr_attr *s, const tsr_attr *lists, uint32_t dim,
                              bool gathers)
{
    for (uint32_t d = dim; d < lists->n; d++) {
        const tsr_attr *axes = lists->attrs[d]->attrs[0], *now = tsr_sdy_dim_axes(s, d);
        tsr_attr_vec all = {0};
        uint32_t keep = gathers ? now->n : now->n - (axes->n < now->n ? axes->n : now->n);
        for (uint32_t i = 0; i < keep; i++)
            tsr_vec_push(&all, now->attrs[i]);
        for (uint32_t i = 0; gathers && i < axes->n; i++)
            tsr_vec_push(&all, axes->attrs[i]);
        s = with_dim(ctx, s, d, all.data, all.n);
        tsr_vec_free(&all);
    }
    return s;
}

static tsr_attr *reduction(tsr_ctx *ctx, const tsr_attr *op)
{
    static const char *const words[] = {"sum", "max", "min"};
    return tsr_attr_string(ctx, tsr_cstr(words[op && op->i > 0 && op->i < 3 ? op->i : 0]));
}

/* One op for each dimension that has axes. */
static tsr_value *by_dimension(const exporting *e, const tsr_attr *lists, tsr_attr *sharding,
                               const tsr_attr *kind)
{
    tsr_value *x = e->op->in[0].value;
    tsr_ctx *ctx = e->p->ctx;
    for (uint32_t d = 0; d < lists->n; d++) {
        const tsr_attr *axes = lists->attrs[d]->attrs[0];
        if (!axes->n)
            continue;
        tsr_attr *to = before_steps(ctx, sharding, lists, d + 1, !kind);
        tsr_op *made =
            kind ? make(e, TSR_OP_TESSERA_REDUCE_SCATTER, TSR_OP_TESSERA_NCCL_REDUCE_SCATTER, x,
                        axes, to)
                 : make(e, TSR_OP_TESSERA_ALL_GATHER, TSR_OP_TESSERA_NCCL_ALL_GATHER, x, axes, to);
        if (d)
            tsr_tessera_set(made, "dim", tsr_attr_i64(ctx, d));
        if (kind && !tsr_str_is(kind->s, "sum"))
            tsr_tessera_set(made, "kind", (tsr_attr *)kind);
        x = &made->out[0];
    }
    return x;
}

static tsr_value *to_all(const exporting *e, const tsr_attr *params, tsr_attr *sharding)
{
    tsr_value *x = e->op->in[0].value;
    tsr_ctx *ctx = e->p->ctx;
    for (uint32_t i = 0; i < params->n; i++) {
        tsr_attr *const *q = params->attrs[i]->attrs;
        int64_t src = q[SDY_ALL_TO_ALL_PARAM_src]->i, tgt = q[SDY_ALL_TO_ALL_PARAM_tgt]->i;
        tsr_attr *to = sharding;
        /* axes that later steps move are still where they were */
        for (uint32_t k = i + 1; k < params->n; k++) {
            tsr_attr *const *r = params->attrs[k]->attrs;
            const tsr_attr *axes = r[SDY_ALL_TO_ALL_PARAM_axes];
            uint32_t from = (uint32_t)r[SDY_ALL_TO_ALL_PARAM_src]->i,
                     at = (uint32_t)r[SDY_ALL_TO_ALL_PARAM_tgt]->i;
            const tsr_attr *there = tsr_sdy_dim_axes(to, at);
            to = with_dim(ctx, to, at, there->attrs,
                          there->n - (axes->n < there->n ? axes->n : there->n));
            tsr_attr_vec all = {0};
            const tsr_attr *now = tsr_sdy_dim_axes(to, from);
            for (uint32_t n = 0; n < now->n; n++)
                tsr_vec_push(&all, now->attrs[n]);
            for (uint32_t n = 0; n < axes->n; n++)
                tsr_vec_push(&all, axes->attrs[n]);
            to = with_dim(ctx, to, from, all.data, all.n);
            tsr_vec_free(&all);
        }
        tsr_op *made = make(e, TSR_OP_TESSERA_COLLECTIVE, TSR_OP_TESSERA_NCCL_ALL_TO_ALL, x,
                            q[SDY_ALL_TO_ALL_PARAM_axes], to);
        if (tsr_op_is(made, TSR_OP_TESSERA_COLLECTIVE))
            tsr_tessera_set(made, "kind", tsr_attr_string(ctx, TSR_STR("all_to_all")));
        tsr_tessera_set(made, "dim", tsr_attr_i64(ctx, tgt));
        tsr_tessera_set(made, "to_dim", tsr_attr_i64(ctx, src));
        x = &made->out[0];
    }
    return x;
}

static tsr_value *shard(const exporting *e, tsr_attr *sharding)
{
    tsr_value *x = e->op->in[0].value;
    tsr_op *made = tsr_op_new(e->op->module, tsr_opdef_of(e->p->ctx, TSR_OP_TESSERA_SHARD),
                              e->op->loc, &x, 1, &e->op->out[0].type, 1, 0, 0);
    made->attrs[TESSERA_SHARD_sharding] = sharding;
    tsr_op_insert(made, e->op->block, e->op);
    return &made->out[0];
}

/* The replacement of a collective; NULL: the op is not one, or stays. */
static tsr_value *export_one(exporting *e)
{
    tsr_op *op = e->op;
    tsr_collective kind = tsr_sdy_collective_of(op);
    if (kind == TSR_COLLECTIVE_NONE || kind == TSR_COLLECTIVE_RESHARD ||
        kind == TSR_COLLECTIVE_UNREDUCE)
        return NULL;
    tsr_attr *to = tsr_sdy_own_sharding(op);
    tsr_attr *axes = op->attrs[tsr_kinds_of(op).groups];
    e->symbol = to->attrs[SDY_SHARDING_mesh];
    e->groups = NULL;
    e->mesh = tsr_attr_is(e->symbol, TSR_ATTR_SYMBOL) ? tsr_tessera_mesh(op, e->symbol, &e->groups)
                                                      : e->symbol;
    tsr_ctx *ctx = e->p->ctx;
    tsr_op *made;
    switch (kind) {
    case TSR_COLLECTIVE_GATHER: return by_dimension(e, axes->attrs[0], to, NULL);
    case TSR_COLLECTIVE_SCATTER:
        return by_dimension(e, axes->attrs[0], to,
                            reduction(ctx, op->attrs[SDY_REDUCE_SCATTER_reduction_op]));
    case TSR_COLLECTIVE_EXCHANGE: return to_all(e, axes->attrs[0], to);
    case TSR_COLLECTIVE_SLICE: return shard(e, to);
    case TSR_COLLECTIVE_REDUCE:
        made = make(e, TSR_OP_TESSERA_ALLREDUCE, TSR_OP_TESSERA_NCCL_ALLREDUCE, op->in[0].value,
                    axes->attrs[0], to);
        if (op->attrs[SDY_ALL_REDUCE_reduction_op] && op->attrs[SDY_ALL_REDUCE_reduction_op]->i)
            tsr_tessera_set(made, "kind", reduction(ctx, op->attrs[SDY_ALL_REDUCE_reduction_op]));
        return &made->out[0];
    default: {
        tsr_attr *none = tsr_attr_array(ctx, NULL, 0);
        made = make(e, TSR_OP_TESSERA_COLLECTIVE, TSR_OP_TESSERA_COLLECTIVE, op->in[0].value, none,
                    to);
        tsr_tessera_set(made, "kind", tsr_attr_string(ctx, TSR_STR("permute")));
        return &made->out[0];
    }
    }
}

bool pass_tessera_export_collectives(tsr_pass *p, tsr_op *root)
{
    exporting e = {.p = p, .nccl = tsr_pass_bool(p, "nccl")};
    tsr_op *next;
    for (tsr_op *op = tsr_walk_next(root, root); op; op = next) {
        next = tsr_walk_next(root, op);
        e.op = op;
        tsr_value *v = export_one(&e);
        if (!v && e.nccl)
            tsr_collective_to_nccl(op);
        if (!v)
            continue;
        tsr_value_replace(&op->out[0], v);
        tsr_op_erase(op);
        p->changed = true;
    }
    return true;
}
