/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_manual.c - sdy.manual_computation and sdy.named_computation: the body, which is local, is differentiated in
 * place, in a computation of the same kind.
 *
 * An operand that is replicated along a manual axis gets the sum of the cotangents of those devices. A result that is
 * replicated along an axis counts as the mean of the devices' results, so each gets its share of the cotangent. */
#include "pass/grad/nested.h"

#include "dialect/sdy/axes.h"
#include "dialect/sdy/sharding.h"

typedef struct {
    tsr_grad *g;
    tsr_op *op;
    tsr_attr *in, *out;     /* sharding[]; NULL: none */
    const tsr_attr *manual; /* names; NULL: none */
} computation;

static void open_computation(tsr_grad *g, tsr_op *op, computation *c)
{
    bool manual = tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION);
    tsr_attr *in = tsr_attr_of(op, manual ? SDY_MANUAL_COMPUTATION_in_shardings
                                          : SDY_NAMED_COMPUTATION_in_shardings);
    tsr_attr *out = tsr_attr_of(op, manual ? SDY_MANUAL_COMPUTATION_out_shardings
                                           : SDY_NAMED_COMPUTATION_out_shardings);
    *c = (computation){g, op, in ? in->attrs[0] : NULL, out ? out->attrs[0] : NULL,
                       tsr_sdy_manual_axes(op)};
}

/* ---- Axes along which a value is replicated ---- */

typedef struct {
    tsr_sdy_mesh_axes mesh;
    uint32_t n;
    bool repeated[64]; /* by axis of the mesh */
    int64_t devices;   /* number along those axes */
} repetition;

static bool axis_in(const tsr_attr *sharding, const tsr_attr *name)
{
    for (uint32_t d = 0; d < tsr_sdy_dims(sharding)->n; d++) {
        const tsr_attr *axes = tsr_sdy_dim_axes(sharding, d);
        for (uint32_t i = 0; i < axes->n; i++)
            if (tsr_sdy_axis_name(axes->attrs[i]) == name)
                return true;
    }
    return false;
}

static bool find_repetition(const computation *c, const tsr_attr *sharding, repetition *r)
{
    tsr_attr *mesh = tsr_sdy_mesh_of(c->op, sharding);
    *r = (repetition){.devices = 1};
    if (!c->manual || !c->manual->n || !mesh)
        return true;
    const tsr_attr *axes = mesh->attrs[SDY_MESH_axes];
    tsr_sdy_mesh_axes_init(&r->mesh, c->g->b.ctx, mesh);
    r->n = axes ? axes->n : 0;
    if (r->n > TSR_COUNT(r->repeated))
        return tsr_grad_none(c->op, "its mesh has too many axes");
    for (uint32_t i = 0; i < r->n; i++) {
        const tsr_attr *name = axes->attrs[i]->attrs[SDY_MESH_AXIS_name];
        r->repeated[i] = tsr_sdy_has_name(c->manual, name) && !axis_in(sharding, name);
        if (r->repeated[i])
            r->devices = tsr_sdy_mul(r->devices, axes->attrs[i]->attrs[SDY_MESH_AXIS_size]->i);
    }
    return true;
}

/* Groups of devices that differ only along the repeated axes. */
static tsr_attr *groups_of(const computation *c, const repetition *r)
{
    const tsr_attr *axes = r->mesh.mesh->attrs[SDY_MESH_axes],
                   *ids = r->mesh.mesh->attrs[SDY_MESH_device_ids];
    int64_t total = 1, ngroup;
    for (uint32_t i = 0; i < r->n; i++)
        total = tsr_sdy_mul(total, axes->attrs[i]->attrs[SDY_MESH_AXIS_size]->i);
    ngroup = total / r->devices;
    int64_t *list = TSR_NEW_ARRAY(c->g->pass->scratch, int64_t, total),
            *filled = TSR_NEW_ARRAY(c->g->pass->scratch, int64_t, ngroup);
    for (int64_t place = 0; place < total; place++) {
        int64_t rest = place, group = 0, scale = 1;
        for (uint32_t i = r->n; i-- > 0;) {
            int64_t size = axes->attrs[i]->attrs[SDY_MESH_AXIS_size]->i;
            if (!r->repeated[i]) {
                group += rest % size * scale;
                scale *= size;
            }
            rest /= size;
        }
        bool given = ids && tsr_attr_count(ids) == total;
        list[group * r->devices + filled[group]++] =
            given ? tsr_attr_int_at(ids, (size_t)place) : place;
    }
    int64_t dims[] = {ngroup, r->devices};
    tsr_ctx *ctx = c->g->b.ctx;
    return tsr_attr_dense(ctx, c->g->b.module, tsr_static_type(ctx, dims, 2, ctx->i64), list,
                          (size_t)total * sizeof *list, total == 1);
}

static tsr_value *sum_over(const computation *c, const repetition *r, tsr_value *v)
{
    tsr_build *b = &c->g->b;
    tsr_attr *handle[] = {tsr_attr_i64(b->ctx, 1), tsr_attr_i64(b->ctx, 1)};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_ALL_REDUCE, &v, 1, 1, 1);
    op->attrs[STABLEHLO_ALL_REDUCE_replica_groups] = groups_of(c, r);
    op->attrs[STABLEHLO_ALL_REDUCE_channel_handle] =
        tsr_attr_struct(b->ctx, &tsr_def_STABLEHLO_CHANNEL_HANDLE, handle);
    op->attrs[STABLEHLO_ALL_REDUCE_use_global_device_ids] = tsr_attr_unit(b->ctx);
    tsr_grad_body(c->g, &op->regions[0], TSR_OP_STABLEHLO_ADD, tsr_elem(v));
    return &tsr_build_close_as(b, op, &v->type)->out[0];
}

/* Where several devices have the same part of *v: its sum over them, or, share, that part of it which is one device's own. */
static bool repeated(const computation *c, const tsr_attr *sharding, bool share, tsr_value **v)
{
    repetition r;
    TSR_TRY(find_repetition(c, sharding, &r));
    if (r.devices > 1)
        *v = share ? f_mulc(&c->g->b, *v, 1 / (double)r.devices) : sum_over(c, &r, *v);
    if (r.mesh.ctx)
        tsr_sdy_mesh_axes_free(&r.mesh);
    return true;
}

/* ---- Both modes ---- */

/* The new computation: operands, result types, and shardings of both. */
typedef struct {
    tsr_value_vec in;
    tsr_type_vec args, types;
    TSR_VEC(tsr_attr *) in_shardings, out_shardings;
} plan;

static void plan_in(plan *p, tsr_value *v, tsr_type *local, const tsr_attr *from, uint32_t i)
{
    tsr_vec_push(&p->in, v);
    tsr_vec_push(&p->args, local);
    if (from)
        tsr_vec_push(&p->in_shardings, from->attrs[i]);
}

static void plan_out(plan *p, tsr_type *type, const tsr_attr *from, uint32_t i)
{
    tsr_vec_push(&p->types, type);
    if (from)
        tsr_vec_push(&p->out_shardings, from->attrs[i]);
}

static void free_plan(plan *p)
{
    tsr_vec_free(&p->in);
    tsr_vec_free(&p->args);
    tsr_vec_free(&p->types);
    tsr_vec_free(&p->in_shardings);
    tsr_vec_free(&p->out_shardings);
}

/* The shardings of operands and of results may each be missing (named computations): then both are left out. */
static tsr_op *make(const computation *c, const plan *p)
{
    tsr_ctx *ctx = c->g->b.ctx;
    tsr_op *op = tsr_build_open(&c->g->b, (enum tsr_opcode)c->op->def->opcode, p->in.data, p->in.n,
                                p->types.n, 1);
    for (uint16_t i = 0; i < c->op->def->nslot; i++)
        op->attrs[i] = c->op->attrs[i];
    bool manual = tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION);
    bool in = p->in_shardings.n == p->in.n, out = p->out_shardings.n == p->types.n;
    op->attrs[manual ? SDY_MANUAL_COMPUTATION_in_shardings : SDY_NAMED_COMPUTATION_in_shardings] =
        in && (manual || p->in.n) ? tsr_sdy_per_value(ctx, p->in_shardings.data, p->in_shardings.n)
                                  : NULL;
    op->attrs[manual ? SDY_MANUAL_COMPUTATION_out_shardings : SDY_NAMED_COMPUTATION_out_shardings] =
        out && (manual || p->types.n)
            ? tsr_sdy_per_value(ctx, p->out_shardings.data, p->out_shardings.n)
            : NULL;
    return op;
}

/* Operands and cotangents in, gradients of varied operands out. */
static void plan_vjp(plan *p, const computation *c, tsr_value *const *ct)
{
    tsr_op *op = c->op;
    const tsr_block *body = op->regions[0].first;
    for (uint32_t i = 0; i < op->nin; i++)
        plan_in(p, tsr_grad_in(op, i), body->args[i]->type, c->in, i);
    for (uint32_t i = 0; i < op->nout; i++)
        if (ct[i])
            plan_in(p, ct[i], tsr_grad_in(body->last, i)->type, c->out, i);
    for (uint32_t i = 0; i < op->nin; i++)
        if (tsr_grad_varied(c->g, tsr_grad_in(op, i)))
            plan_out(p, tsr_hlo_in(op, i), c->in, i);
}

bool vjp_computation(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    computation c;
    plan p = {.in = {0}};
    tsr_grad_scope s;
    tsr_block *body = op->regions[0].first;
    tsr_value_vec inner = {0}, out = {0};
    open_computation(g, op, &c);
    plan_vjp(&p, &c, ct);
    tsr_op *back = make(&c, &p);
    bool ok = tsr_grad_enter(g, &s, &back->regions[0], p.args.data, p.args.n, NULL);
    if (!ok) {
        free_plan(&p);
        return false;
    }
    tsr_value **args = g->b.block->args;
    for (uint32_t i = 0; i < op->nin; i++)
        if (tsr_grad_varied(g, tsr_grad_in(op, i)))
            tsr_grad_vary(g, args[i], NULL);
    for (uint32_t i = 0, k = op->nin; ok && i < op->nout; i++) {
        tsr_value *d = ct[i] ? args[k++] : NULL;
        if (d && c.out)
            ok = repeated(&c, c.out->attrs[i], true, &d);
        tsr_vec_push(&inner, d);
    }
    ok = ok && tsr_grad_block_vjp(g, &s, body, args, inner.data);
    for (uint32_t i = 0; ok && i < op->nin; i++) {
        if (!tsr_grad_varied(g, tsr_grad_in(op, i)))
            continue;
        tsr_value *d = tsr_grad_of(g, args[i]);
        if (d && c.in)
            ok = repeated(&c, c.in->attrs[i], false, &d);
        tsr_vec_push(&out, d ? d : tsr_grad_zero(g, args[i]));
    }
    if (ok)
        tsr_grad_return(g, &s, out.data, out.n);
    tsr_grad_leave(g, &s);
    tsr_build_close_as(&g->b, back, p.types.data);
    for (uint32_t i = 0, k = 0; ok && i < op->nin; i++)
        if (tsr_grad_varied(g, tsr_grad_in(op, i)))
            tsr_grad_add(g, tsr_grad_in(op, i), &back->out[k++]);
    tsr_vec_free(&inner);
    tsr_vec_free(&out);
    free_plan(&p);
    return ok;
}

bool jvp_computation(tsr_grad *g, tsr_op *op)
{
    computation c;
    plan p = {.in = {0}};
    tsr_grad_scope s;
    tsr_block *body = op->regions[0].first;
    tsr_value_vec out = {0};
    TSR_VEC(bool) wanted = {0};
    open_computation(g, op, &c);
    for (uint32_t i = 0; i < op->nin; i++)
        plan_in(&p, tsr_grad_in(op, i), body->args[i]->type, c.in, i);
    for (uint32_t i = 0; i < op->nin; i++)
        if (tsr_grad_of(g, tsr_grad_in(op, i)))
            plan_in(&p, tsr_grad_of(g, tsr_grad_in(op, i)), body->args[i]->type, c.in, i);
    for (uint32_t i = 0; i < op->nout; i++) {
        plan_out(&p, op->out[i].type, c.out, i);
        tsr_vec_push(&wanted, tsr_grad_wanted(g, &op->out[i]));
    }
    for (uint32_t i = 0; i < op->nout; i++)
        if (wanted.data[i])
            plan_out(&p, op->out[i].type, c.out, i);
    tsr_op *more = make(&c, &p);
    bool ok = tsr_grad_enter(g, &s, &more->regions[0], p.args.data, p.args.n, NULL);
    if (ok) {
        tsr_value **args = g->b.block->args;
        for (uint32_t i = 0, k = op->nin; i < op->nin; i++)
            if (tsr_grad_of(g, tsr_grad_in(op, i)))
                tsr_grad_vary(g, args[i], args[k++]);
        ok = tsr_grad_block_jvp(g, &s, body, args, wanted.data);
        for (uint32_t i = 0; ok && i < op->nout; i++)
            tsr_vec_push(&out, tsr_grad_in(s.end, i));
        for (uint32_t i = 0; ok && i < op->nout; i++)
            if (wanted.data[i])
                tsr_vec_push(&out, tsr_grad_of_or_zero(g, out.data[i]));
        if (ok)
            tsr_grad_return(g, &s, out.data, out.n);
        tsr_grad_leave(g, &s);
        tsr_build_close_as(&g->b, more, p.types.data);
    }
    for (uint32_t i = 0, k = op->nout; ok && i < op->nout; i++) {
        if (wanted.data[i])
            tsr_grad_set(g, &op->out[i], &more->out[k++]);
        tsr_grad_replace(g, &op->out[i], &more->out[i]);
    }
    tsr_vec_free(&out);
    tsr_vec_free(&wanted);
    free_plan(&p);
    return ok;
}
