/* SPDX-License-Identifier: Apache-2.0 */
/* spmd.c - see spmd.h: values and their layouts, partitioning one op after the other, functions. */
#include "shard/spmd/spmd.h"

#include "shard/core/devices.h"
#include "shard/core/each.h"
#include "shard/core/invariants.h"

static const struct {
    spmd_fn *parts, *flow;
} hooks[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define SPMD(fn) .parts = spmd_##fn,
#define SPMD_FLOW(fn) .flow = spmd_##fn,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

bool tsr_spmd_by_itself(const tsr_op *op)
{
    return op->def->opcode != TSR_UNREGISTERED && hooks[op->def->opcode].parts == spmd_local;
}

/* ---- Values ---- */

static tsr_layout *layouts_of(const tsr_spmd *s, const tsr_value *v)
{
    tsr_layout *l = v->id < s->nlayout ? s->layouts[v->id] : NULL;
    tsr_assert(l, "'%.*s' uses a value that has no layout yet",
               TSR_STR_ARG(s->at ? s->at->def->name : TSR_STR("return")));
    return l;
}

/* Whether a value defined in block can be used in the current block. */
static bool visible(const tsr_spmd *s, const tsr_block *block)
{
    for (const tsr_block *b = s->b.block; b;
         b = b->region && b->region->op ? b->region->op->block : NULL)
        if (b == block)
            return true;
    return false;
}

static void add_layout(tsr_spmd *s, const tsr_value *global, tsr_value *local,
                       const tsr_sharding *sharding, const tsr_block *block)
{
    tsr_assert(global->id < s->nlayout, "value %u of %u", global->id, s->nlayout);
    tsr_assert(!sharding->replicated->n && !sharding->unreduced->n,
               "the layout of a value has replicated or unreduced axes");
    tsr_assert(!tsr_type_is_ranked(global->type) || sharding->rank == global->type->n,
               "a layout of rank %u for a value of rank %u", sharding->rank, global->type->n);
    /* The argument of a region may be less static than the value that becomes it. */
    tsr_check(local->type == tsr_spmd_type(s, global->type, sharding) ||
                  !tsr_type_has_static_shape(global->type),
              "a local value has another size than its layout");
    tsr_layout *l = TSR_NEW(s->scratch, tsr_layout), **at = &s->layouts[global->id];
    *l = (tsr_layout){.local = local, .sharding = sharding, .block = block};
    while (*at) /* the first layout stays the value's own */
        at = &(*at)->next;
    *at = l;
}

void tsr_spmd_set(tsr_spmd *s, const tsr_value *global, tsr_value *local,
                  const tsr_sharding *sharding)
{
    s->layouts[global->id] = NULL;
    add_layout(s, global, local, sharding, s->b.block);
}

/* Moves of values from outside loops are placed before the loops. */
static tsr_build hoisted(const tsr_spmd *s, const tsr_block *home)
{
    tsr_build b = s->b;
    memset(&b.made, 0, sizeof b.made);
    while (b.block != home) {
        tsr_op *parent = tsr_block_parent(b.block);
        if (!parent || tsr_flow_of(parent) != TSR_FLOW_LOOP)
            break;
        b.block = parent->block;
        b.at = parent;
    }
    return b;
}

/* Whether a concatenation repeats an operand, so that its distinct operands are smaller than the result. */
static bool repeats(const tsr_op *op)
{
    for (uint32_t i = 1; i < op->nin; i++)
        for (uint32_t k = 0; k < i; k++)
            if (op->in[i].value == op->in[k].value)
                return true;
    return false;
}

/* Recomputes a concatenation that is needed whole along its dimension from whole operands, if moving these is cheaper;
 * NULL: it is not. */
static tsr_value *concatenated(tsr_spmd *s, const tsr_value *global, const tsr_sharding *from,
                               const tsr_sharding *to)
{
    const tsr_op *op = global->is_arg ? NULL : global->op;
    if (!op || !tsr_has_role(op, TSR_ROLE_CONCAT) || !from->sharded || !repeats(op))
        return NULL;
    tsr_attr *dim = op->attrs[STABLEHLO_CONCATENATE_dimension];
    if (!from->dims[dim->i].axes->n || to->dims[dim->i].axes->n)
        return NULL;
    tsr_value **in = tsr_arena_alloc(s->r.arena, op->nin * sizeof *in);
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = tsr_spmd_value(s, op->in[i].value, to);
    tsr_build here = s->b;
    s->b = hoisted(s, layouts_of(s, global)->block);
    tsr_op *made = tsr_build_open(&s->b, TSR_OP_STABLEHLO_CONCATENATE, in, op->nin, 1, 0);
    made->attrs[STABLEHLO_CONCATENATE_dimension] = dim;
    tsr_type *type = tsr_spmd_type(s, global->type, to);
    tsr_value *v = &tsr_build_close_as(&s->b, made, &type)->out[0];
    add_layout(s, global, v, to, s->b.block);
    tsr_build_free(&s->b);
    s->b = here;
    return v;
}

tsr_value *tsr_spmd_value(tsr_spmd *s, const tsr_value *global, const tsr_sharding *to)
{
    tsr_layout *from = layouts_of(s, global);
    for (tsr_layout *l = from; l; l = l->next) {
        if (l != from && !visible(s, l->block))
            continue;
        if (l->sharding == to)
            return l->local;
        if (!l->sharding->sharded) /* then only a slice is needed */
            from = l;
    }
    tsr_value *again = concatenated(s, global, from->sharding, to);
    if (again)
        return again;
    tsr_check(visible(s, from->block), "a value is used outside of its block");
    tsr_build here = s->b;
    s->b = hoisted(s, from->block);
    tsr_value *v = tsr_spmd_move(s, from->local, global->type, from->sharding, to);
    add_layout(s, global, v, to, s->b.block);
    tsr_build_free(&s->b);
    s->b = here;
    return v;
}

/* ---- For hooks ---- */

tsr_value *tsr_spmd_in(tsr_spmd_op *o, uint32_t i, const tsr_sharding *to)
{
    return tsr_spmd_value(o->s, o->op->in[i].value, to);
}

void tsr_spmd_out(tsr_spmd_op *o, uint32_t i, tsr_value *v, const tsr_sharding *sharding)
{
    tsr_spmd *s = o->s;
    tsr_assert(i < o->op->nout, "'%.*s': result %u of %u", TSR_STR_ARG(o->op->def->name), i,
               o->op->nout);
    const tsr_value *global = &o->op->out[i];
    tsr_assert(!s->layouts[global->id], "'%.*s': result %u is set twice",
               TSR_STR_ARG(o->op->def->name), i);
    tsr_assert(v->type == tsr_spmd_type(s, global->type, sharding),
               "a part of another size: %.*s, result %u", TSR_STR_ARG(o->op->def->name), i);
    tsr_value *wanted = tsr_spmd_move(s, v, global->type, sharding, o->want[i]);
    tsr_spmd_set(s, global, wanted, o->want[i]);
    if (sharding != o->want[i])
        add_layout(s, global, v, sharding, s->b.block);
}

tsr_attr *tsr_spmd_pairs(tsr_spmd *s, const int64_t *numbers, int64_t n)
{
    int64_t dims[] = {n, 2};
    tsr_type *type = tsr_static_type(s->ctx, dims, 2, s->ctx->i64);
    return tsr_attr_dense(s->ctx, s->module, type, numbers, (size_t)n * 2 * sizeof *numbers, false);
}

const tsr_axes *tsr_spmd_summed_axes(const tsr_spmd_op *o)
{
    tsr_axis_lists *lists = &o->s->r.table.lists;
    const tsr_axes *all = lists->none;
    for (uint32_t f = 0; f < o->rule->nfactor; f++)
        if (o->rule->kinds[f] == TSR_FACTOR_REDUCTION && o->axes[f]->n)
            all = all->n ? tsr_axes_join(lists, all, o->axes[f]) : o->axes[f];
    return all;
}

const tsr_sharding *tsr_spmd_by_axes(tsr_spmd_op *o, uint32_t tensor)
{
    tsr_spmd *s = o->s;
    const tsr_type *type = tsr_spmd_global(o, tensor);
    uint32_t rank = tsr_type_is_shaped(type) ? type->n : 0;
    if (!o->axes)
        return tsr_spmd_replicated(s, rank);
    const tsr_rule *r = o->rule;
    tsr_assert(tsr_rule_rank(r, tensor) == rank, "'%.*s': tensor %u of rank %u, but %u in its rule",
               TSR_STR_ARG(o->op->def->name), tensor, rank, tsr_rule_rank(r, tensor));
    const tsr_axes *none = s->r.table.lists.none,
                   **axes = tsr_arena_alloc(s->r.arena, (rank + 1) * sizeof *axes);
    for (uint32_t k = 0, d = r->dims[tensor]; k < rank; k++, d++) {
        axes[k] = none;
        for (uint32_t i = r->first[d]; i < r->first[d + 1]; i++)
            axes[k] = axes[k]->n ? tsr_axes_join(&s->r.table.lists, axes[k], o->axes[r->factors[i]])
                                 : o->axes[r->factors[i]];
    }
    return tsr_spmd_sharding(s, o->mesh, axes, rank);
}

/* Whether a dimension of the tensor has the factor. */
static bool has_factor(const tsr_rule *r, uint32_t tensor, uint32_t factor)
{
    for (uint32_t i = r->first[r->dims[tensor]]; i < r->first[r->dims[tensor + 1]]; i++)
        if (r->factors[i] == factor)
            return true;
    return false;
}

static bool all_results_have(const tsr_rule *r, uint32_t factor)
{
    for (uint32_t t = r->noperand; t < tsr_rule_tensors(r); t++)
        if (!has_factor(r, t, factor))
            return false;
    return true;
}

void tsr_spmd_settle(tsr_spmd_op *o, bool reductions)
{
    if (!o->axes)
        return;
    const tsr_rule *r = o->rule;
    const tsr_axes *none = o->s->r.table.lists.none;
    for (uint32_t f = 0; f < r->nfactor; f++) {
        if (!o->axes[f]->n)
            continue;
        bool reduced = r->kinds[f] == TSR_FACTOR_REDUCTION;
        if (reduced ? !reductions
                    : r->kinds[f] != TSR_FACTOR_PASS_THROUGH || !all_results_have(r, f))
            o->axes[f] = none;
    }
    /* If factors share a dimension: each factor before another must be full, and all must divide. */
    for (uint32_t d = 0; d < r->dims[tsr_rule_tensors(r)]; d++) {
        bool open = true;
        for (uint32_t i = r->first[d]; r->first[d + 1] - r->first[d] > 1 && i < r->first[d + 1];
             i++) {
            uint32_t f = r->factors[i];
            if (!open || (r->sizes[f] % o->axes[f]->size && o->axes[f]->n)) {
                if (o->axes[f]->n)
                    d = UINT32_MAX; /* other dimensions may have relied on it: start again */
                o->axes[f] = none;
            }
            open &= o->axes[f]->size == r->sizes[f];
            if (d == UINT32_MAX)
                break;
        }
    }
}

/* Maps values from outside that regions of op use to whole values. */
static void map_captured(tsr_spmd *s, tsr_op *op, tsr_mapping *map)
{
    TSR_OPS (op, inner)
        for (uint32_t i = 0; inner != op && i < inner->nin; i++) {
            const tsr_value *v = inner->in[i].value;
            const tsr_op *home = v->is_arg ? tsr_block_parent(v->block) : v->op;
            if (!tsr_op_is_ancestor(op, home))
                tsr_mapping_put(map, v,
                                tsr_spmd_value(s, v, tsr_spmd_replicated(s, tsr_value_rank(v))));
        }
}

tsr_op *tsr_spmd_same(tsr_spmd_op *o, tsr_value *const *in, tsr_type *const *types)
{
    tsr_spmd *s = o->s;
    tsr_op *old = o->op, *op;
    if (old->nregion) {
        tsr_mapping map = {0};
        map_captured(s, old, &map);
        for (uint32_t i = 0; i < old->nin; i++)
            tsr_mapping_put(&map, old->in[i].value, in[i]);
        op = tsr_op_clone(s->module, old, &map);
        tsr_op_set_operands(op, in, old->nin);
        for (uint32_t i = 0; i < op->nout; i++)
            op->out[i].type = types[i];
        tsr_mapping_free(&map);
    } else {
        op = tsr_op_new(s->module, old->def, old->loc, in, old->nin, types, old->nout, 0, 0);
        memcpy(op->attrs, old->attrs,
               (old->def->opcode == TSR_UNREGISTERED ? 1u : old->def->nslot) * sizeof *op->attrs);
        op->extra = old->extra;
    }
    tsr_op_insert(op, s->b.block, s->b.at);
    return o->made = op;
}

/* An integer divisor in the padding might be 0. */
static tsr_value *safe_divisor(tsr_spmd_op *o, tsr_value *v, const tsr_sharding *a)
{
    tsr_spmd *s = o->s;
    const tsr_type *type = tsr_spmd_global(o, 1);
    tsr_value *one = type->elem->kind == TSR_TYPE_INTEGER
                         ? tsr_spmd_identity(s, tsr_reduce_opcode(TSR_REDUCE_PRODUCT), type->elem)
                         : NULL;
    return one ? tsr_spmd_mask(s, v, type, a, UINT64_MAX, one) : v;
}

bool tsr_spmd_parts(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    tsr_op *op = o->op;
    tsr_value **in = tsr_arena_alloc(s->r.arena, (op->nin + 1) * sizeof *in);
    tsr_type **types = tsr_arena_alloc(s->r.arena, (op->nout + 1) * sizeof *types);
    const tsr_sharding **out = tsr_arena_alloc(s->r.arena, (op->nout + 1) * sizeof *out);
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_sharding *a = tsr_spmd_by_axes(o, i);
        in[i] = tsr_spmd_in(o, i, a);
        if (i == 1 && a->sharded && tsr_op_has(op, TSR_TRAIT(DIVIDES)))
            in[i] = safe_divisor(o, in[i], a);
    }
    for (uint32_t i = 0; i < op->nout; i++) {
        out[i] = tsr_spmd_by_axes(o, op->nin + i);
        types[i] = tsr_spmd_type(s, op->out[i].type, out[i]);
    }
    tsr_op *made = tsr_spmd_same(o, in, types);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_spmd_out(o, i, &made->out[i], out[i]);
    return true;
}

bool tsr_spmd_whole(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    bool sharded = false;
    for (uint32_t i = 0; i < o->op->nin; i++)
        sharded |= o->in[i]->sharded;
    for (uint32_t i = 0; i < o->op->nout && o->op->nin; i++)
        sharded |= o->want[i]->sharded;
    if (sharded) {
        s->nwhole++;
        if (s->remarks)
            tsr_emit(s->ctx, TSR_REMARK, o->op->loc, "'%.*s' op is computed whole on every device",
                     TSR_STR_ARG(o->op->def->name));
    }
    o->axes = NULL;
    return tsr_spmd_parts(o);
}

void tsr_spmd_only_of_operands(tsr_spmd_op *o)
{
    for (uint32_t f = 0; o->axes && f < o->rule->nfactor; f++) {
        bool used = !o->axes[f]->n;
        for (uint32_t t = 0; !used && t < o->rule->noperand; t++)
            used = has_factor(o->rule, t, f);
        if (!used)
            o->axes[f] = o->s->r.table.lists.none;
    }
}

bool spmd_local(tsr_spmd_op *o)
{
    tsr_spmd_only_of_operands(o);
    tsr_spmd_settle(o, false);
    return tsr_spmd_parts(o);
}

bool spmd_broadcast(tsr_spmd_op *o)
{
    tsr_spmd_settle(o, false);
    return tsr_spmd_parts(o);
}

bool spmd_whole(tsr_spmd_op *o)
{
    return tsr_spmd_whole(o);
}

/* ---- Partial results ---- */

/* Axes that want has after those of have in this dimension, if all of them are in partial. NULL: there are none, or
 * some are not partial. */
static const tsr_axes *scattered(tsr_spmd *s, const tsr_axes *have, const tsr_axes *want,
                                 const tsr_axes *partial)
{
    tsr_axis_lists *lists = &s->r.table.lists;
    if (have == want || (have->n && !tsr_axes_strict_prefix(have, want)))
        return NULL;
    const tsr_axes *more = tsr_axes_minus(lists, want, have);
    if (tsr_axes_join(lists, have, more) != want || !more->n || !tsr_spmd_axes_fit(more, partial) ||
        tsr_axes_minus(lists, more, partial)->n)
        return NULL;
    return more;
}

void tsr_spmd_out_joined(tsr_spmd_op *o, uint32_t i, tsr_value *v, const tsr_sharding *have,
                         enum tsr_opcode join, const tsr_axes *partial)
{
    tsr_spmd *s = o->s;
    const tsr_type *type = o->op->out[i].type;
    const tsr_sharding *want = o->want[i];
    for (uint32_t d = 0; d < have->rank && want->mesh == o->mesh && partial->n; d++) {
        const tsr_axes *now = have->dims[d].axes, *then = want->dims[d].axes;
        const tsr_axes *more = scattered(s, now, then, partial);
        /* Padded parts are moved by other means. */
        if (!more || type->dims[d] % then->size)
            continue;
        v = tsr_spmd_reduce_scatter(s, v, d, join, o->mesh, more);
        const tsr_axes **axes = tsr_arena_alloc(s->r.arena, have->rank * sizeof *axes);
        for (uint32_t k = 0; k < have->rank; k++)
            axes[k] = k == d ? then : have->dims[k].axes;
        have = tsr_spmd_sharding(s, o->mesh, axes, have->rank);
        partial = tsr_axes_minus(&s->r.table.lists, partial, more);
    }
    v = tsr_spmd_all_reduce(s, v, join, o->mesh, tsr_axes_sorted(&s->r.table.lists, partial));
    tsr_spmd_out(o, i, v, have);
}

/* ---- One op ---- */

/* Chooses axes for each factor, from the operands' layouts and the desired layouts of results. */
void tsr_spmd_choose(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    uint32_t n = o->op->nin + o->op->nout;
    const tsr_sharding **all = tsr_arena_alloc(s->r.arena, (n + 1) * sizeof *all);
    o->mesh = NULL;
    for (uint32_t k = 0; k < n; k++) { /* results first: they are what the program needs next */
        uint32_t t = (k + o->op->nin) % n;
        const tsr_sharding *a = t < o->op->nin ? o->in[t] : o->want[t - o->op->nin];
        if (a->sharded && !o->mesh)
            o->mesh = a->mesh;
        all[t] = a->sharded && a->mesh == o->mesh ? a : NULL;
    }
    if (!o->mesh)
        o->mesh = s->mesh;
    s->op_mesh = o->mesh;
    o->rule = tsr_rules_get(&s->rules, o->op);
    if (!o->rule || !o->rule->nfactor) {
        o->rule = NULL;
        return;
    }
    tsr_assert(o->rule->noperand == o->op->nin && o->rule->nresult == o->op->nout,
               "'%.*s': a rule for %u operands and %u results", TSR_STR_ARG(o->op->def->name),
               o->rule->noperand, o->rule->nresult);
    tsr_projection p;
    tsr_projection_init(&p, s->r.arena, &s->r.table, o->rule);
    tsr_projection_build(&p, all, true);
    o->axes = tsr_common_axes(&s->r, &p, tsr_tensor_sizes(s->r.arena, o->op), o->mesh);
    for (uint32_t f = 1; f < o->rule->nfactor; f++)
        for (uint32_t k = 0; k < f && o->axes[f]->n; k++)
            if (o->axes[k]->n && !tsr_spmd_axes_fit(o->axes[k], o->axes[f]))
                o->axes[f] = s->r.table.lists.none;
    tsr_check(tsr_axes_disjoint(o->axes, o->rule->nfactor), "'%.*s': two factors have an axis",
              TSR_STR_ARG(o->op->def->name));
}

/* Runs a hook, after which each result has a layout. */
static bool run_hook(spmd_fn *hook, tsr_spmd_op *o)
{
    TSR_TRY(hook(o));
    for (uint32_t i = 0; i < o->op->nout; i++)
        tsr_assert(o->s->layouts[o->op->out[i].id], "'%.*s': result %u has no layout",
                   TSR_STR_ARG(o->op->def->name), i);
    return true;
}

static bool run_op(tsr_spmd *s, tsr_op *op)
{
    bool registered = op->def->opcode != TSR_UNREGISTERED, sharded = false;
    spmd_fn *hook = registered ? hooks[op->def->opcode].parts : NULL;
    spmd_fn *flow = registered ? hooks[op->def->opcode].flow : NULL;
    const tsr_sharding **all =
        tsr_arena_alloc(s->r.arena, ((size_t)op->nin + op->nout + 1) * sizeof *all);
    tsr_spmd_op o = {.s = s, .op = op, .mesh = s->mesh, .in = all, .want = all + op->nin};
    s->b.loc = op->loc;
    s->at = op;
    s->op_mesh = s->mesh;
    for (uint32_t i = 0; i < op->nin; i++) {
        o.in[i] = layouts_of(s, op->in[i].value)->sharding;
        sharded |= o.in[i]->sharded;
    }
    for (uint32_t i = 0; i < op->nout; i++) {
        o.want[i] = tsr_spmd_decode(s, tsr_sdy_sharding_of(&op->out[i]), op->out[i].type);
        sharded |= o.want[i]->sharded;
    }
    if (flow)
        return run_hook(flow, &o);
    bool parts = sharded && hook;
    for (uint32_t i = 0; parts && i < op->nin + op->nout; i++) {
        const tsr_type *type = tsr_spmd_global(&o, i);
        parts = !tsr_type_is_shaped(type) || tsr_spmd_may_part(type);
    }
    if (!parts)
        return run_hook(tsr_spmd_whole, &o);
    tsr_spmd_choose(&o);
    TSR_TRY(run_hook(hook, &o));
    if (s->uses && o.made && o.axes)
        tsr_spmd_note_uses(&o);
    return true;
}

bool tsr_spmd_block(tsr_spmd *s, tsr_block *block)
{
    TSR_BLOCK_OPS (block, op) {
        if (tsr_op_has(op, TSR_TRAIT(TERMINATOR)))
            continue;
        tsr_arena_mark mark = tsr_arena_save(s->r.arena);
        bool ok = run_op(s, op);
        tsr_arena_rewind(s->r.arena, mark);
        TSR_TRY(ok);
    }
    return true;
}

/* ---- Functions ---- */

/* Functions with several blocks are not partitioned and work on whole values. */
static bool is_plain(const tsr_op *func)
{
    const tsr_block *b = func->regions[0].first;
    return b && !b->next && b->last && tsr_is_func_return(b->last);
}

const tsr_spmd_signature *tsr_spmd_signature_of(tsr_spmd *s, const tsr_op *func)
{
    TSR_MAP_EACH (&s->signatures, tsr_hash_ptr(func), v)
        return v;
    return NULL;
}

static const tsr_spmd_signature *add_signature(tsr_spmd *s, tsr_op *func)
{
    const tsr_type *type = func->attrs[FUNC_FUNC_function_type]->type;
    tsr_spmd_signature *g = TSR_NEW(s->scratch, tsr_spmd_signature);
    uint32_t n = type->n + type->nout;
    *g = (tsr_spmd_signature){
        .func = func, .nin = type->n, .nout = type->nout, .types = type->types};
    g->in = TSR_NEW_ARRAY(s->scratch, const tsr_sharding *, n + 1);
    g->out = g->in + type->n;
    g->raw = TSR_NEW_ARRAY(s->scratch, const tsr_sharding *, n + 1);
    g->local = TSR_NEW_ARRAY(s->scratch, tsr_type *, n + 1);
    bool plain = is_plain(func) && !tsr_spmd_signature_of(s, func);
    for (uint32_t i = 0; i < n; i++) {
        tsr_attr *a = i < type->n ? tsr_sdy_arg_sharding(func, i)
                                  : tsr_sdy_result_sharding(func, i - type->n);
        g->in[i] = tsr_spmd_decode(s, plain ? a : NULL, type->types[i]);
        g->raw[i] = plain ? tsr_spmd_unreduced(s, a, type->types[i], g->in[i]) : NULL;
        g->local[i] = tsr_spmd_type(s, type->types[i], g->in[i]);
    }
    TSR_MAP_EACH (&s->signatures, tsr_hash_ptr(func), v) {
        *(tsr_spmd_signature *)v = *g; /* a mark until now */
        return v;
    }
    tsr_map_put(&s->signatures, tsr_hash_ptr(func), g);
    return g;
}

static tsr_str names_of(bool type)
{
    return type ? TSR_STR("tessera.global") : TSR_STR("tessera.sharding");
}

/* Records the global type and sharding of arguments and results, including the mesh. */
static void note_parts(tsr_spmd *s, tsr_op *func, const tsr_spmd_signature *g)
{
    for (int args = 0; args < 2; args++) {
        uint32_t n = args ? g->nin : g->nout, first = args ? 0 : g->nin;
        const tsr_sharding **sharding = args ? g->in : g->out;
        tsr_attr **types = TSR_NEW_ARRAY(s->r.arena, tsr_attr *, n + 1),
                 **how = TSR_NEW_ARRAY(s->r.arena, tsr_attr *, n + 1);
        bool any = false;
        for (uint32_t i = 0; i < n; i++) {
            const tsr_sharding *raw = g->raw[first + i], *part = sharding[i];
            if (!part->sharded && !raw)
                continue;
            any = true;
            types[i] = tsr_attr_type(s->ctx, g->types[first + i]);
            part = raw ? raw : part;
            tsr_attr *a = tsr_sharding_encode(&s->r.table, part), *params[8];
            memcpy(params, a->attrs, a->n * sizeof *params);
            params[SDY_SHARDING_mesh] = part->mesh->attr;
            how[i] = tsr_attr_struct(s->ctx, &tsr_def_SDY_SHARDING, params);
        }
        if (!any)
            continue;
        tsr_sdy_set_func_attr(func, args, names_of(true), types);
        tsr_sdy_set_func_attr(func, args, names_of(false), how);
    }
}

/* Converts a value to the form in the signature: partial where that says so. */
static tsr_value *given(tsr_spmd *s, const tsr_spmd_signature *g, uint32_t i, tsr_value *v)
{
    const tsr_sharding *raw = g->raw[i];
    return raw ? tsr_spmd_partial_any(s, v, raw) : v;
}

/* Enters the context of a function: whether it is local, and along which axes. */
static void enter_context(tsr_spmd *s, const tsr_op *func)
{
    const tsr_attr *context = tsr_manual_context_of(s->contexts, func);
    s->manual_mesh = NULL;
    s->manual = s->r.table.lists.none;
    s->manual_devices = s->ndevice;
    if (!context)
        return;
    const tsr_mesh *mesh = tsr_meshes_get(&s->r.table.meshes, context->attrs[0]);
    tsr_spmd_enter_manual(s, mesh, context->attrs + 1, context->n - 1);
}

static bool run_function(tsr_spmd *s, tsr_op *func)
{
    enter_context(s, func);
    const tsr_spmd_signature *g = tsr_spmd_signature_of(s, func);
    tsr_block *old = func->regions[0].first, *block = tsr_block_new(s->module);
    tsr_block_insert(block, &func->regions[0], NULL);
    s->b = (tsr_build){.ctx = s->ctx, .module = s->module, .block = block, .loc = func->loc};
    s->entry = block;
    tsr_map_free(&s->indices);
    s->device = NULL;
    tsr_assert(old->nargs == g->nin && old->last->nin == g->nout,
               "a function of type %u -> %u has %u arguments and returns %u", g->nin, g->nout,
               old->nargs, old->last->nin);
    for (uint32_t i = 0; i < g->nin; i++) {
        tsr_value *arg = tsr_block_add_arg(s->module, block, g->local[i], old->arg_locs[i]);
        if (g->raw[i])
            arg = tsr_spmd_reduced(s, arg, g->raw[i]->mesh, g->raw[i]->unreduced,
                                   g->raw[i]->reduction);
        tsr_spmd_set(s, old->args[i], arg, g->in[i]);
    }
    TSR_TRY(tsr_spmd_block(s, old));
    tsr_op *last = old->last;
    tsr_value **out = tsr_arena_alloc(s->r.arena, (last->nin + 1) * sizeof *out);
    s->b.loc = last->loc;
    s->at = NULL;
    for (uint32_t i = 0; i < last->nin; i++)
        out[i] = given(s, g, g->nin + i, tsr_spmd_value(s, last->in[i].value, g->out[i]));
    tsr_op *ret = tsr_op_new(s->module, last->def, last->loc, out, last->nin, NULL, 0, 0, 0);
    tsr_op_insert(ret, block, NULL);
    tsr_build_free(&s->b);
    tsr_spmd_drop_unused(s);
    tsr_block_erase(old);
    tsr_type *type = tsr_type_function(s->ctx, g->local, g->nin, g->local + g->nin, g->nout);
    func->attrs[FUNC_FUNC_function_type] = tsr_attr_type(s->ctx, type);
    note_parts(s, func, g);
    return true;
}

/* ---- The module ---- */

/* Finds the first mesh with the most devices, and the channel ids in use. */
static void look_around(tsr_spmd *s, tsr_op *module)
{
    const tsr_opdef *def = NULL;
    int slot = -1;
    TSR_OPS (module, op) {
        if (tsr_has_role(op, TSR_ROLE_MESH)) {
            tsr_attr *ref = tsr_attr_symbol(s->ctx, tsr_op_symbol(op), NULL, 0);
            const tsr_mesh *mesh = tsr_meshes_get(&s->r.table.meshes, ref);
            if (mesh && !mesh->maximal && !mesh->empty &&
                (!s->mesh || mesh->ndevice > s->mesh->ndevice))
                s->mesh = mesh;
            continue;
        }
        if (op->def != def && op->def->opcode != TSR_UNREGISTERED) {
            def = op->def;
            slot = tsr_opdef_slot(def, TSR_STR("channel_handle"));
        }
        if (slot < 0 || op->def != def ||
            !tsr_attr_is_struct(op->attrs[slot], &tsr_def_STABLEHLO_CHANNEL_HANDLE))
            continue;
        int64_t handle = op->attrs[slot]->attrs[0]->i;
        s->channel = handle > s->channel ? handle : s->channel;
    }
}

static int64_t count_of(const tsr_op *module, const char *name, int64_t missing)
{
    const tsr_attr *a = tsr_dict_get(module->extra, tsr_cstr(name));
    return tsr_attr_is(a, TSR_ATTR_INT) && a->i > 0 ? a->i : missing;
}

/* Whether the engine partitions the regions of op; other regions are copied unchanged, on whole values. */
static bool goes_into(const tsr_op *op)
{
    return tsr_op_has(op, TSR_TRAIT(FUNCTION)) || tsr_flow_of(op) != TSR_FLOW_NONE;
}

/* Whether op is in a region that is copied unchanged. */
static bool in_body(const tsr_op *module, const tsr_op *op)
{
    const tsr_op *at = tsr_block_parent(op->block);
    while (at && at != module && goes_into(at))
        at = tsr_block_parent(at->block);
    return at && at != module;
}

bool tsr_spmd_plain_bodies(tsr_op *module)
{
    bool changed = false;
    for (tsr_op *op = module, *next; op; op = next) {
        next = tsr_walk_next(module, op);
        spmd_fn *flow = op->def->opcode != TSR_UNREGISTERED ? hooks[op->def->opcode].flow : NULL;
        if ((flow != spmd_identity && flow != spmd_nothing) || !in_body(module, op))
            continue;
        for (uint32_t i = 0; i < op->nout; i++)
            tsr_value_replace(&op->out[i], op->in[i].value);
        tsr_op_erase(op);
        changed = true;
    }
    return changed;
}

/* Functions called from such regions also take whole values. */
static void find_whole_functions(tsr_spmd *s, tsr_op *module)
{
    TSR_OPS (module, op) {
        if (!tsr_op_has(op, TSR_TRAIT(CALL)))
            continue;
        tsr_op *func = in_body(module, op) ? tsr_callee(&s->r, op) : NULL;
        if (func && !tsr_spmd_signature_of(s, func)) {
            tsr_spmd_signature *mark = TSR_NEW(s->scratch, tsr_spmd_signature);
            tsr_map_put(&s->signatures, tsr_hash_ptr(func), mark);
        }
    }
}

static bool run_module(tsr_spmd *s, tsr_op *module)
{
    find_whole_functions(s, module);
    tsr_op **funcs = NULL;
    size_t n = 0;
    for (tsr_op *op = module->regions[0].first ? module->regions[0].first->first : NULL; op;
         op = op->next)
        n += tsr_op_has(op, TSR_TRAIT(FUNCTION));
    funcs = TSR_NEW_ARRAY(s->scratch, tsr_op *, n + 1);
    n = 0;
    for (tsr_op *op = module->regions[0].first ? module->regions[0].first->first : NULL; op;
         op = op->next)
        if (tsr_op_has(op, TSR_TRAIT(FUNCTION))) {
            funcs[n++] = op;
            add_signature(s, op);
        }
    for (size_t i = 0; i < n; i++) {
        if (!is_plain(funcs[i]))
            continue;
        tsr_arena_mark mark = tsr_arena_save(s->r.arena);
        bool ok = run_function(s, funcs[i]);
        tsr_arena_rewind(s->r.arena, mark);
        TSR_TRY(ok);
    }
    return true;
}

/* Removes meshes, which are no longer needed, unless a collective of the input program names one. */
static void drop_meshes(tsr_op *module)
{
    TSR_OPS (module, op) {
        int groups = op->def->opcode == TSR_UNREGISTERED || !op->nin
                         ? -1
                         : tsr_opdef_slot(op->def, TSR_STR("replica_groups"));
        if (groups >= 0 && !tsr_attr_is(op->attrs[groups], TSR_ATTR_DENSE))
            return;
    }
    for (tsr_op *op = module->regions[0].first->first, *next; op; op = next) {
        next = op->next;
        if (tsr_has_role(op, TSR_ROLE_MESH))
            tsr_op_erase(op);
    }
}

static void finish(tsr_spmd *s, tsr_op *module)
{
    if (!s->keep_meshes)
        drop_meshes(module);
    tsr_op_set_attr(module, TSR_STR("tessera.partitioned"), tsr_attr_unit(s->ctx));
    static const tsr_str names[] = {
        {"sdy.sharding", 12}, {"sdy.sharding_rule", 17}, {"mhlo.sharding", 13}};
    tsr_drop_attrs(module, names, TSR_COUNT(names));
    tsr_drop_debug_info(module);
    tsr_op_set_attr(module, TSR_STR("mhlo.num_partitions"),
                    tsr_attr_i32(s->ctx, (int32_t)s->ndevice));
    tsr_op_set_attr(module, TSR_STR("mhlo.num_replicas"),
                    tsr_attr_i32(s->ctx, (int32_t)s->nreplica));
}

bool tsr_spmd_module(tsr_spmd *s, tsr_op *module)
{
    if (tsr_dict_get(module->extra, TSR_STR("tessera.partitioned")))
        return true;
    look_around(s, module);
    if (!s->mesh)
        return true;
    if (s->mesh->ndevice < 1 || s->mesh->ndevice > TSR_MAX_DEVICES)
        return tsr_error(s->ctx, s->mesh->op ? s->mesh->op->loc : module->loc, TSR_TOO_MANY_DEVICES,
                         TSR_MAX_DEVICES);
    s->ndevice = s->mesh->ndevice;
    /* Replicas times partitions: in a mesh of all of them the replicas are devices. */
    int64_t replicas = count_of(module, "mhlo.num_replicas", 1),
            partitions = count_of(module, "mhlo.num_partitions", 1);
    s->nreplica = replicas * partitions == s->ndevice ? 1 : replicas;
    tsr_vec_push(&s->meshes, s->mesh);
    tsr_map_put(&s->mesh_places, tsr_hash_ptr(s->mesh->attr), (void *)(uintptr_t)s->meshes.n);
    tsr_vec_push(&s->maps, NULL);
    s->nlayout = s->module->nvalue;
    s->layouts = TSR_NEW_ARRAY(s->scratch, tsr_layout *, s->nlayout + 1);
    bool ok = run_module(s, module);
    if (ok)
        finish(s, module);
    tsr_vec_free(&s->meshes);
    tsr_map_free(&s->mesh_places);
    tsr_vec_free(&s->maps);
    tsr_map_free(&s->groups);
    tsr_map_free(&s->pairs);
    tsr_map_free(&s->signatures);
    return ok;
}
