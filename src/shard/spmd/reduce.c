/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.c - partitions ops that combine elements along a dimension: products and reductions.
 *
 * Each device combines its own elements, then devices combine their results. Elements that must not count, which are
 * padding and the initial values on all devices but one, are replaced by the identity. */
#include "shard/core/make.h"
#include "shard/spmd/spmd.h"

/* Axes of all reduction factors. */
static const tsr_axes *reduced_axes(const tsr_spmd_op *o)
{
    tsr_axis_vec all = {0};
    for (uint32_t f = 0; o->axes && f < o->rule->nfactor; f++)
        if (o->rule->kinds[f] == TSR_FACTOR_REDUCTION)
            tsr_axis_vec_add_all(&all, o->axes[f]->data, o->axes[f]->n);
    const tsr_axes *axes = tsr_axes_get(&o->s->r.table.lists, all.data, all.n);
    tsr_vec_free(&all);
    return axes;
}

/* Dimensions along which a tensor is reduced, one bit each. */
static uint64_t reduced_dims(const tsr_spmd_op *o, uint32_t tensor)
{
    const tsr_rule *r = o->rule;
    uint64_t bits = 0;
    for (uint32_t d = r->dims[tensor], k = 0; d < r->dims[tensor + 1]; d++, k++)
        for (uint32_t i = r->first[d]; i < r->first[d + 1]; i++)
            if (r->kinds[r->factors[i]] == TSR_FACTOR_REDUCTION && k < 64)
                bits |= (uint64_t)1 << k;
    return bits;
}

static bool all_numbers(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin + op->nout; i++) {
        const tsr_type *t = i < op->nin ? op->in[i].value->type : op->out[i - op->nin].type;
        if (!tsr_type_is_shaped(t) || !tsr_is_number(t->elem))
            return false;
    }
    return true;
}

/* ---- Products ---- */

/* Sums of products: padding becomes 0 in all operands, since 0 times infinity is not 0. */
bool spmd_dot(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    tsr_op *op = o->op;
    tsr_spmd_settle(o, all_numbers(op));
    const tsr_axes *partial = reduced_axes(o);
    if (!partial->n)
        return tsr_spmd_parts(o);
    tsr_value **in = tsr_arena_alloc(s->r.arena, (op->nin + 1) * sizeof *in);
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_sharding *a = tsr_spmd_by_axes(o, i);
        const tsr_type *type = op->in[i].value->type;
        in[i] = tsr_spmd_mask(s, tsr_spmd_in(o, i, a), type, a, reduced_dims(o, i),
                              tsr_spmd_zero(s, type->elem));
    }
    const tsr_sharding *out = tsr_spmd_by_axes(o, op->nin);
    tsr_type *type = tsr_spmd_type(s, op->out[0].type, out);
    tsr_op *made = tsr_spmd_same(o, in, &type);
    tsr_spmd_out_joined(o, 0, &made->out[0], out, TSR_OP_STABLEHLO_ADD,
                        TSR_BUG(14) ? o->s->r.table.lists.none : partial);
    return true;
}

/* Graph IR's matmul and sums, whose rules mark the reduced factors. */
bool spmd_sums(tsr_spmd_op *o)
{
    return spmd_dot(o);
}

/* ---- Bodies ---- */

int tsr_spmd_joiner(const tsr_region *body)
{
    tsr_reduce_kind kind = tsr_reducer_kind(body);
    return kind == TSR_REDUCE_OTHER ? -1 : (int)tsr_reduce_opcode(kind);
}

enum { MAX_DEPTH = 64 };

/* Whether v, in the body, is always one of the two arguments number k. */
static bool selects(const tsr_block *body, const tsr_value *v, uint32_t k, int depth)
{
    uint32_t n = body->nargs / 2;
    if (v->is_arg)
        return v->block == body && v->index % n == k;
    if (v->op->block != body || depth > MAX_DEPTH)
        return false;
    bool choice = tsr_op_is(v->op, TSR_OP_STABLEHLO_SELECT);
    return (choice || tsr_reduce_is_extremal(tsr_reduce_kind_of(v->op->def->opcode))) &&
           selects(body, v->op->in[choice].value, k, depth + 1) &&
           selects(body, v->op->in[choice + 1].value, k, depth + 1);
}

/* Bodies that choose one of two arguments, like that of an argmax: f(a, a) == a, so the initial value may be applied
 * any number of times, and may fill padding. */
bool tsr_spmd_is_choice(const tsr_region *body)
{
    const tsr_block *b = body->first;
    if (!b || !b->last || !b->nargs || b->nargs % 2 || b->last->nin != b->nargs / 2)
        return false;
    uint32_t n = 0;
    TSR_BLOCK_OPS (b, op)
        if (++n > 256 || op->nregion)
            return false;
    for (uint32_t k = 0; k < b->last->nin; k++)
        if (!selects(b, b->last->in[k].value, k, 0))
            return false;
    return true;
}

/* ---- Reductions ---- */

/* One operand and a body with a single op. */
static bool reduce_by_op(tsr_spmd_op *o, enum tsr_opcode join, const tsr_axes *partial)
{
    tsr_spmd *s = o->s;
    tsr_op *op = o->op;
    const tsr_sharding *a = tsr_spmd_by_axes(o, 0), *out = tsr_spmd_by_axes(o, 2);
    tsr_value *init = tsr_spmd_in(o, 1, tsr_spmd_replicated(s, 0));
    tsr_value *identity = tsr_spmd_identity_like(s, join, init);
    tsr_value *in[] = {tsr_spmd_mask(s, tsr_spmd_in(o, 0, a), op->in[0].value->type, a,
                                     reduced_dims(o, 0), identity),
                       identity};
    tsr_type *type = tsr_spmd_type(s, op->out[0].type, out);
    tsr_op *made = tsr_spmd_same(o, in, &type);
    if (tsr_same_constant(init, identity) || TSR_BUG(15)) {
        tsr_spmd_out_joined(o, 0, &made->out[0], out, join, partial);
        return true;
    }
    tsr_value *v = tsr_spmd_all_reduce(s, &made->out[0], join, o->mesh,
                                       tsr_axes_sorted(&s->r.table.lists, partial));
    tsr_value *both[] = {tsr_build_broadcast(&s->b, init, NULL, type), v};
    tsr_spmd_out(o, 0, tsr_build_op(&s->b, join, both, 2, type), out);
    return true;
}

/* v with an additional first dimension that holds the values of all devices. */
static tsr_value *collect(tsr_spmd *s, tsr_value *v, const tsr_mesh *mesh, const tsr_axes *axes)
{
    uint32_t rank = v->type->n;
    int64_t *dims = tsr_arena_alloc(s->r.arena, (rank + 1) * sizeof *dims);
    dims[0] = 1;
    memcpy(dims + 1, v->type->dims, rank * sizeof *dims);
    v = tsr_build_op(&s->b, TSR_OP_STABLEHLO_RESHAPE, &v, 1,
                     tsr_static_type(s->ctx, dims, rank + 1, v->type->elem));
    return tsr_spmd_all_gather(s, v, 0, mesh, axes);
}

/* Any number of operands and a body that chooses: the choices of all devices are collected, and chosen from. */
static bool reduce_by_choice(tsr_spmd_op *o, const tsr_axes *partial)
{
    tsr_spmd *s = o->s;
    tsr_op *op = o->op;
    uint32_t n = op->nout;
    tsr_value **in = tsr_arena_alloc(s->r.arena, (op->nin + 1) * sizeof *in);
    tsr_type **types = tsr_arena_alloc(s->r.arena, (n + 1) * sizeof *types);
    const tsr_sharding *out = tsr_spmd_by_axes(o, op->nin);
    for (uint32_t i = 0; i < n; i++) {
        const tsr_sharding *a = tsr_spmd_by_axes(o, i);
        in[n + i] = tsr_spmd_in(o, n + i, tsr_spmd_replicated(s, 0));
        in[i] = tsr_spmd_mask(s, tsr_spmd_in(o, i, a), op->in[i].value->type, a, reduced_dims(o, i),
                              in[n + i]);
        types[i] = tsr_spmd_type(s, op->out[i].type, out);
    }
    tsr_op *first = tsr_spmd_same(o, in, types);
    partial = tsr_axes_sorted(&s->r.table.lists, partial);
    for (uint32_t i = 0; i < n; i++)
        in[i] = collect(s, &first->out[i], o->mesh, partial);
    tsr_op *second = tsr_spmd_same(o, in, types);
    int64_t zero = 0;
    second->attrs[STABLEHLO_REDUCE_dimensions] = tsr_attr_i64_array(s->ctx, &zero, 1);
    for (uint32_t i = 0; i < n; i++)
        tsr_spmd_out(o, i, &second->out[i], out);
    return true;
}

bool spmd_reduce(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    tsr_op *op = o->op;
    int join = op->nout == 1 ? tsr_spmd_joiner(&op->regions[0]) : -1;
    tsr_type *elem = op->out[0].type->elem;
    bool same = op->in[0].value->type->elem == elem && op->in[op->nout].value->type->elem == elem;
    tsr_value *identity =
        join >= 0 && same ? tsr_spmd_identity(s, (enum tsr_opcode)join, elem) : NULL;
    bool choice = !identity && tsr_spmd_is_choice(&op->regions[0]);
    for (uint32_t i = 0; choice && i < op->nout;
         i++) /* a body may promote types; then it does not choose */
        choice = op->in[i].value->type->elem == op->out[i].type->elem;
    tsr_spmd_settle(o, identity || choice);
    const tsr_axes *partial = reduced_axes(o);
    if (!partial->n)
        return tsr_spmd_parts(o);
    return identity ? reduce_by_op(o, (enum tsr_opcode)join, partial)
                    : reduce_by_choice(o, partial);
}
