/* SPDX-License-Identifier: Apache-2.0 */
/* permute.c - sdy-resolve-permutation-factors: ops that move elements along sharded dimensions.
 *
 * pad, slice, reverse and reshape become exchanges between neighbours (halo.h), if that needs few of them; other ops,
 * and all ops if halo exchange is off, get operands replicated along such dimensions. Needs shardings that agree
 * (sdy-insert-explicit-reshards); breaks ids. */
#include "dialect/params.h"
#include "shard/local/halo.h"

#include "dialect/sdy/axes.h"
#include "shard/core/devices.h"
#include "shard/passes.h"
#include "shard/rule/rule.h"

typedef enum { DONE, NOT_DONE, FAILED } outcome;

/* The operand's sharding if op must be resolved, else NULL. */
static const tsr_sharding *sharded_operand(tsr_permuter *p, const tsr_op *op)
{
    const tsr_sharding *a = tsr_value_sharding(p->r, op->in[0].value);
    bool known = tsr_type_has_static_shape(op->in[0].value->type) &&
                 tsr_type_has_static_shape(op->out[0].type);
    return a && a->sharded && !a->mesh->maximal && known ? a : NULL;
}

/* Allocates an exchange of v; every axis that shards something is bound. */
static tsr_halo *new_halo(tsr_permuter *p, const tsr_sharding *a, const tsr_value *v)
{
    tsr_arena *arena = p->r->arena;
    uint32_t rank = v->type->n;
    tsr_halo *h = TSR_NEW(arena, tsr_halo);
    *h = (tsr_halo){.in = a,
                    .out = a,
                    .zero = true,
                    .shape = tsr_arena_copy(arena, v->type->dims, rank * sizeof *h->shape),
                    .manual = TSR_NEW_ARRAY(arena, bool, a->mesh->naxis + 1),
                    .dims = TSR_NEW_ARRAY(arena, tsr_halo_dim, rank + 1),
                    .low = TSR_NEW_ARRAY(arena, int64_t, rank + 1),
                    .dilation = TSR_NEW_ARRAY(arena, int64_t, rank + 1)};
    for (uint32_t d = 0; d < rank; d++) {
        h->dilation[d] = 1;
        if (a->dims[d].axes->size <= 1)
            continue;
        tsr_bind_axes(a->dims[d].axes, h->manual);
        h->shape[d] = tsr_padded_size(h->shape[d], a->dims[d].axes->size);
    }
    return h;
}

/* Plans all sharded dimensions; *busy: whether there is anything to do. False: not possible. */
static bool plan_all(const tsr_halo *h, const tsr_type *in, const tsr_type *out, bool *busy)
{
    bool ok = true;
    *busy = false;
    for (uint32_t d = 0; d < h->in->rank; d++) {
        int64_t parts = h->in->dims[d].axes->size;
        if (parts <= 1)
            continue;
        ok &= tsr_halo_plan(h->in->mesh, parts, h->shape[d] / parts,
                            tsr_local_size(out->dims[d], parts), h->low[d], h->dilation[d],
                            in->dims[d], &h->dims[d]);
        *busy |= h->dims[d].moves || !ok;
    }
    return ok;
}

/* ---- Pad ---- */

/* What is done to the dimensions that are not sharded, after a halo exchange of the others. */
typedef struct {
    tsr_permuter *p;
    const tsr_op *op;
    const tsr_halo *halo;
} rest;

/* Pads dimensions that are not sharded. */
static tsr_value *pad_rest(void *user, tsr_build *b, tsr_value *part, tsr_value *with,
                           tsr_type *type)
{
    const rest *x = user;
    const tsr_halo *h = x->halo;
    uint32_t rank = type->n;
    int64_t *dims = TSR_NEW_ARRAY(x->p->r->arena, int64_t, 4 * rank + 1), *low = dims + rank;
    int64_t *high = low + rank, *interior = high + rank;
    bool pads = false;
    tsr_pad n;
    tsr_pad_of(x->op, &n);
    for (uint32_t d = 0; d < rank; d++) {
        dims[d] = type->dims[d] / tsr_manual_parts(h->in->dims[d].axes, h->manual);
        if (h->in->dims[d].axes->size > 1)
            continue;
        low[d] = tsr_ints_at(n.low, d);
        high[d] = tsr_ints_at(n.high, d);
        interior[d] = tsr_ints_at(n.interior, d);
        pads |= low[d] || high[d] || interior[d];
    }
    if (!pads)
        return part;
    part = tsr_make_pad(b, part, with, low, high, interior, tsr_type_with_dims(type, dims, rank));
    tsr_set_sharding(x->p, part, tsr_without_manual(x->p, h->in, h->manual));
    return part;
}

static outcome resolve_pad(tsr_permuter *p, tsr_op *op)
{
    const tsr_sharding *a = sharded_operand(p, op);
    if (!a)
        return DONE;
    if (!tsr_devices_ok(op, a->mesh))
        return FAILED;
    tsr_value *v = op->in[0].value, *with = op->in[1].value;
    tsr_halo *h = new_halo(p, a, v);
    tsr_pad n;
    tsr_pad_of(op, &n);
    for (uint32_t d = 0; d < a->rank; d++) {
        h->low[d] = tsr_ints_at(n.low, d);
        h->dilation[d] = tsr_ints_at(n.interior, d);
        h->dilation[d] += h->dilation[d] < INT64_MAX;
    }
    bool busy, ok = plan_all(h, v->type, op->out[0].type, &busy);
    if (!busy || !ok)
        return busy ? NOT_DONE : DONE;
    h->zero = tsr_is_zero(with);
    tsr_build b = tsr_build_before(op);
    v = tsr_pad_high(p, &b, v, h->shape, a, with);
    v = tsr_halo_exchange(p, &b, h, v, with, op->out[0].type, pad_rest, &(rest){p, op, h});
    v = tsr_cut_high(p, &b, v, op->out[0].type, a);
    tsr_build_replace(op, &v);
    return DONE;
}

/* ---- Slice ---- */

/* Whether cutting off the end of a dimension leaves each device with its own part. */
static bool slice_stays(const tsr_op *op, uint32_t d, const tsr_sharding *a)
{
    int64_t parts = a->dims[d].axes->size;
    int64_t from = op->in[0].value->type->dims[d], to = op->out[0].type->dims[d];
    if (parts <= 1)
        return true;
    tsr_slice n;
    tsr_slice_of(op, &n);
    return !tsr_ints_at(n.start, d) && (tsr_ints_at(n.strides, d) == 1 || to <= 1) && from >= 0 &&
           to >= 0 && tsr_local_size(from, parts) == tsr_local_size(to, parts);
}

/* Slices dimensions that are not sharded. */
static tsr_value *slice_rest(void *user, tsr_build *b, tsr_value *part, tsr_value *with,
                             tsr_type *type)
{
    const rest *x = user;
    const tsr_halo *h = x->halo;
    uint32_t rank = type->n;
    int64_t *starts = TSR_NEW_ARRAY(x->p->r->arena, int64_t, 3 * rank + 1), *limits = starts + rank;
    int64_t *strides = limits + rank;
    bool slices = false;
    tsr_slice n;
    tsr_slice_of(x->op, &n);
    (void)with;
    for (uint32_t d = 0; d < rank; d++) {
        limits[d] = part->type->dims[d];
        strides[d] = 1;
        if (h->in->dims[d].axes->size > 1)
            continue;
        starts[d] = tsr_ints_at(n.start, d);
        slices |= starts[d] || limits[d] != tsr_ints_at(n.limit, d);
        limits[d] = tsr_ints_at(n.limit, d);
        strides[d] = tsr_ints_at(n.strides, d);
        slices |= strides[d] != 1;
    }
    if (!slices)
        return part;
    part = tsr_make_slice(b, part, starts, limits, strides);
    tsr_set_sharding(x->p, part, tsr_without_manual(x->p, h->in, h->manual));
    return part;
}

static outcome resolve_slice(tsr_permuter *p, tsr_op *op)
{
    const tsr_sharding *a = sharded_operand(p, op);
    if (!a)
        return DONE;
    if (!tsr_devices_ok(op, a->mesh))
        return FAILED;
    tsr_value *v = op->in[0].value;
    tsr_halo *h = new_halo(p, a, v);
    tsr_slice n;
    tsr_slice_of(op, &n);
    for (uint32_t d = 0; d < a->rank; d++) {
        h->low[d] = -tsr_ints_at(n.start, d);
        if (a->dims[d].axes->size > 1 && tsr_ints_at(n.strides, d) != 1 &&
            op->out[0].type->dims[d] > 1)
            return NOT_DONE; /* elements in between would have to be removed */
    }
    bool busy, ok = plan_all(h, v->type, op->out[0].type, &busy);
    /* each device would slice its part at a different position */
    for (uint32_t d = 0; d < a->rank; d++)
        busy |= a->dims[d].axes->size > 1 && !slice_stays(op, d, a);
    if (!busy || !ok || !tsr_type_storage_bits(v->type->elem))
        return busy ? NOT_DONE : DONE;
    tsr_build b = tsr_build_before(op);
    v = tsr_pad_high(p, &b, v, h->shape, a, NULL);
    tsr_value *zero = tsr_make_zero(&b, v->type->elem);
    v = tsr_halo_exchange(p, &b, h, v, zero, op->out[0].type, slice_rest, &(rest){p, op, h});
    v = tsr_cut_high(p, &b, v, op->out[0].type, a);
    tsr_build_replace(op, &v);
    return DONE;
}

/* ---- Reverse ---- */

/* The mesh with devices reversed along the axes. */
static tsr_attr *reversed_mesh(tsr_permuter *p, const tsr_mesh *mesh, const tsr_axis_vec *axes)
{
    int64_t *ids = TSR_NEW_ARRAY(p->r->arena, int64_t, mesh->ndevice + 1);
    for (int64_t i = 0; i < mesh->ndevice; i++) {
        int64_t from = i;
        for (size_t k = 0; k < axes->n; k++) {
            int64_t stride = tsr_axis_stride(mesh, axes->data[k]), size = axes->data[k].size;
            int64_t at = i / stride % size;
            from += (size - 1 - 2 * at) * stride;
        }
        ids[i] = tsr_device_at(mesh, from);
    }
    tsr_attr *list = tsr_attr_i64_array(p->r->ctx, ids, (size_t)mesh->ndevice);
    return tsr_sdy_mesh(p->r->ctx, mesh->attr->attrs[SDY_MESH_axes], list);
}

/* The op of a mesh, inserted at the start of the module if there is none. */
static tsr_op *mesh_op(tsr_permuter *p, tsr_attr *attr, tsr_str base, tsr_loc loc)
{
    tsr_op *module = p->r->table.meshes.module;
    for (size_t i = p->meshes.n; i-- > 0;)
        if (p->meshes.data[i]->attrs[SDY_MESH_mesh] == attr)
            return p->meshes.data[i];
    tsr_buf name = {0};
    tsr_buf_printf(&name, "%.*s_reversed", TSR_STR_ARG(base));
    size_t len = name.len;
    for (unsigned i = 0; tsr_symbol_find(module, (tsr_str){name.data, name.len}); i++) {
        name.len = len;
        tsr_buf_printf(&name, "_%u", i);
    }
    tsr_block *body = module->regions[0].first;
    tsr_op *op = tsr_op_new(p->r->module, tsr_opdef_of(p->r->ctx, TSR_OP_SDY_MESH), loc, NULL, 0,
                            NULL, 0, 0, 0);
    tsr_op_set_attr(op, TSR_STR("sym_name"),
                    tsr_attr_string(p->r->ctx, (tsr_str){name.data, name.len}));
    op->attrs[SDY_MESH_mesh] = attr;
    tsr_op_insert(op, body, body->first);
    tsr_vec_push(&p->meshes, op);
    tsr_buf_free(&name);
    return op;
}

/* The same sharding on the reversed mesh. */
static tsr_attr *reversed_sharding(tsr_permuter *p, const tsr_sharding *a, const tsr_axis_vec *axes,
                                   tsr_loc loc)
{
    tsr_str base = tsr_attr_is(a->mesh->ref, TSR_ATTR_SYMBOL) ? a->mesh->ref->s : TSR_STR("mesh");
    const tsr_op *mesh = mesh_op(p, reversed_mesh(p, a->mesh, axes), base, loc);
    tsr_attr *const *old = tsr_sharding_encode(&p->r->table, a)->attrs;
    return tsr_sdy_make(p->r->ctx, tsr_attr_symbol(p->r->ctx, tsr_op_symbol(mesh), NULL, 0),
                        old[SDY_SHARDING_dims], old[SDY_SHARDING_replicated],
                        old[SDY_SHARDING_unreduced], old[SDY_SHARDING_reduction]);
}

static outcome reverse_along(tsr_permuter *p, tsr_op *op, const tsr_sharding *a,
                             const tsr_axis_vec *axes, const int64_t *shape, const bool *manual)
{
    tsr_value *v = op->in[0].value, *result = &op->out[0];
    tsr_type *type = v->type;
    uint32_t rank = type->n;
    const tsr_sharding *out = tsr_value_sharding_or_closed(p->r, result, a->mesh);
    bool pads = memcmp(shape, type->dims, rank * sizeof *shape) != 0;
    if (pads) { /* padding at the end must be at the front before reversing */
        int64_t *by = TSR_NEW_ARRAY(p->r->arena, int64_t, rank + 1);
        tsr_build b = tsr_build_before(op);
        for (uint32_t d = 0; d < rank; d++)
            by[d] = shape[d] - type->dims[d];
        v = tsr_pad_high(p, &b, v, shape, a, NULL);
        v = tsr_halo_shift(p, &b, a, manual, v, by);
        tsr_op_set_operand(op, 0, v);
        result->type = v->type;
    }
    tsr_sdy_set_sharding(result, reversed_sharding(p, a, axes, op->loc));
    tsr_value *back = tsr_insert_reshard(p->r, tsr_place_behind(op), result, out);
    back->op->loc = op->loc;
    tsr_replace_behind(result, back);
    if (pads) {
        tsr_build b = tsr_build_before(op);
        b.at = back->op->next;
        tsr_value *cut = tsr_cut_high(p, &b, back, type, a);
        tsr_replace_behind(back, cut);
    }
    return DONE;
}

static bool has(const tsr_attr *list, int64_t i)
{
    for (int64_t k = 0, n = tsr_attr_count(list); k < n; k++)
        if (tsr_attr_int_at(list, (size_t)k) == i)
            return true;
    return false;
}

static outcome resolve_reverse(tsr_permuter *p, tsr_op *op)
{
    const tsr_sharding *a = sharded_operand(p, op);
    if (!a)
        return DONE;
    if (!tsr_devices_ok(op, a->mesh))
        return FAILED;
    const tsr_type *type = op->in[0].value->type;
    tsr_axis_vec axes = {0};
    bool *manual = TSR_NEW_ARRAY(p->r->arena, bool, a->mesh->naxis + 1), pads = false;
    int64_t *shape = tsr_arena_copy(p->r->arena, type->dims, type->n * sizeof *shape);
    for (uint32_t d = 0; d < a->rank; d++) {
        const tsr_axes *more = a->dims[d].axes;
        if (more->size <= 1 || !has(op->attrs[STABLEHLO_REVERSE_dimensions], d))
            continue;
        tsr_axis_vec_add_all(&axes, more->data, more->n);
        if (type->dims[d] % more->size == 0)
            continue;
        tsr_bind_axes(more, manual);
        shape[d] = tsr_padded_size(shape[d], more->size);
        pads = true;
    }
    outcome done = DONE;
    if (pads && !tsr_type_storage_bits(type->elem))
        done = NOT_DONE;
    else if (axes.n)
        done = reverse_along(p, op, a, &axes, shape, manual);
    tsr_vec_free(&axes);
    return done;
}

/* ---- Replication ---- */

/* Whether each device has all elements of the operand that its part of a pad's result needs. */
static bool pad_stays(const tsr_op *op, uint32_t d, const tsr_sharding *a)
{
    int64_t parts = a->dims[d].axes->size;
    int64_t from = op->in[0].value->type->dims[d], to = op->out[0].type->dims[d];
    if (parts <= 1)
        return true;
    tsr_halo_dim plan;
    tsr_pad n;
    tsr_pad_of(op, &n);
    if (from < 0 || to < 0 || tsr_ints_at(n.interior, d))
        return false;
    int64_t low = tsr_ints_at(n.low, d);
    if (!from) /* there are no elements */
        return true;
    if (a->mesh->ndevice > TSR_MAX_DEVICES ||
        !tsr_halo_plan(a->mesh, parts, tsr_local_size(from, parts), tsr_local_size(to, parts), low,
                       1, from, &plan))
        return false;
    return !plan.left && !plan.right;
}

static bool stays(const tsr_op *op, uint32_t d, const tsr_sharding *in, const tsr_sharding *out)
{
    if (!in || d >= in->rank)
        return false;
    if (tsr_op_is(op, TSR_OP_STABLEHLO_SLICE))
        return in == out && slice_stays(op, d, in);
    return tsr_op_is(op, TSR_OP_STABLEHLO_PAD) && pad_stays(op, d, in);
}

/* A concatenation of slices may have been sharded along its dimension, and its operands may be reshards by now: then
 * its rule has the second kind. */
static bool moves(const tsr_rule *rule, uint32_t f)
{
    return rule->kinds[f] == TSR_FACTOR_PERMUTATION ||
           rule->kinds[f] == TSR_FACTOR_NEED_REPLICATION;
}

static void replicate(tsr_permuter *p, tsr_op *op, const tsr_rule *rule)
{
    tsr_arena *arena = p->r->arena;
    uint32_t n = op->nin + op->nout;
    const tsr_sharding **all = TSR_NEW_ARRAY(arena, const tsr_sharding *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        all[i] = tsr_value_sharding(p->r, i < op->nin ? op->in[i].value : &op->out[i - op->nin]);
    tsr_reshard_op r = {.s = p->r,
                        .op = op,
                        .in = all,
                        .out = all + op->nin,
                        .rule = rule,
                        .mesh = tsr_common_mesh(all, n, true)};
    if (!r.mesh || r.mesh->maximal)
        return;
    tsr_projection_init(&r.p, arena, &p->r->table, rule);
    tsr_projection_build(&r.p, all, true);
    bool *changed = TSR_NEW_ARRAY(arena, bool, n + 1), any = false;
    const tsr_axes *none = p->r->table.lists.none;
    bool pad = tsr_op_is(op, TSR_OP_STABLEHLO_PAD);
    for (uint32_t f = 0; f < rule->nfactor; f++)
        if ((pad || moves(rule, f)) && !stays(op, f, all[0], r.out[0]))
            tsr_projection_update_all(&r.p, f, none, none, changed);
    for (uint32_t i = 0; i < n; i++)
        any |= changed[i];
    if (any)
        tsr_reshard_changed(&r, all, changed);
}

/* ---- All ops ---- */

static outcome exchange(tsr_permuter *p, tsr_op *op)
{
    switch (p->halo ? op->def->opcode : TSR_UNREGISTERED) {
    case TSR_OP_STABLEHLO_PAD: return resolve_pad(p, op);
    case TSR_OP_STABLEHLO_SLICE: return resolve_slice(p, op);
    case TSR_OP_STABLEHLO_REVERSE: return resolve_reverse(p, op);
    default: return NOT_DONE;
    }
}

static bool is_sharded(tsr_permuter *p, const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin + op->nout; i++) {
        const tsr_value *v = i < op->nin ? op->in[i].value : &op->out[i - op->nin];
        const tsr_sharding *a = tsr_value_sharding(p->r, v);
        if (a && a->sharded)
            return true;
    }
    return false;
}

static bool resolve(tsr_permuter *p, tsr_op *op)
{
    if (!tsr_op_in(op, TSR_DIALECT_STABLEHLO) || tsr_op_has(op, TSR_TRAIT(TERMINATOR)))
        return true;
    if (tsr_op_is(op, TSR_OP_STABLEHLO_RESHAPE))
        return tsr_permute_reshape(p, op);
    if (!is_sharded(p, op))
        return true;
    const tsr_rule *rule = tsr_rule_of(p->r->arena, op, (tsr_rule_options){.conservative = false});
    /* A pad that moves elements along a dimension without changing its size has no such factor. */
    bool permutes = rule && tsr_op_is(op, TSR_OP_STABLEHLO_PAD);
    for (uint32_t f = 0; rule && f < rule->nfactor; f++)
        permutes |= moves(rule, f);
    if (!permutes || rule->custom)
        return true;
    outcome done = exchange(p, op);
    if (done == NOT_DONE)
        replicate(p, op, rule);
    return done != FAILED;
}

bool pass_sdy_resolve_permutation_factors(tsr_pass *p, tsr_op *root)
{
    tsr_arena arena;
    tsr_arena_init_pooled(&arena, &p->ctx->pool);
    tsr_resharder r;
    tsr_resharder_init(&r, root, &arena, p->scratch);
    tsr_permuter s = {.r = &r,
                      .halo = tsr_pass_bool(p, "enable-halo-exchange"),
                      .replicas = tsr_pass_int(p, "replica-count") > 1,
                      .channel = tsr_last_channel(root) + 1};
    TSR_VEC(tsr_op *) ops = {0}; /* new ops are not visited */
    TSR_OPS (root, op) {
        if (tsr_op_is(op, TSR_OP_SDY_MESH))
            tsr_vec_push(&s.meshes, op);
        else
            tsr_vec_push(&ops, op);
    }
    bool ok = !s.replicas || tsr_pass_int(p, "partition-count") <= 1 ||
              tsr_error(p->ctx, root->loc,
                        "replicas and partitions, both more than one, are not supported yet");
    for (size_t i = 0; ok && i < ops.n; i++) {
        tsr_arena_mark mark = tsr_arena_save(&arena);
        ok = resolve(&s, ops.data[i]);
        tsr_arena_rewind(&arena, mark);
    }
    tsr_vec_free(&ops);
    tsr_vec_free(&s.meshes);
    tsr_resharder_free(&r);
    tsr_arena_free(&arena);
    p->changed = true;
    p->module->verified = false;
    return ok;
}
