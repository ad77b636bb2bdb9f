/* SPDX-License-Identifier: Apache-2.0 */
/* tactics.c - see tactics.h. */
#include "search/tactics.h"

#include <stdlib.h>

#include "dialect/flops.h"
#include "shard/core/cost.h"
#include "shard/core/flow.h"
#include "shard/rule/rule.h"
#include "sim/sim.h"

typedef struct {
    double flops;    /* of products along this class */
    double twice;    /* of products that have it in two factors, or twice on one tensor */
    double summed;   /* of products that sum over it */
    uint32_t nstate; /* number of parameters and state arguments that have it */
    bool batched;    /* products with parameters have it as a batch dimension */
    bool input;      /* some argument that is not state has it */
    bool tensor;     /* TENSOR cuts it */
} class_info;

struct tsr_classes {
    tsr_op *func;
    uint32_t *first;  /* by value id: number of its first dimension */
    uint32_t *parent; /* by dimension: union-find */
    class_info *info; /* by root of the union-find */
    uint32_t ndim;
    bool *state;     /* by argument: a parameter, or state passed from step to step */
    bool *optimiser; /* by argument: state that no product reads */
    uint32_t batch, sequence, outer; /* roots; UINT32_MAX: none */
};

const char *tsr_tactic_name(tsr_tactic t)
{
    static const char *const names[] = {
#define X(id, name) name,
        TSR_TACTICS(X)
#undef X
    };
    return names[t];
}

static uint32_t root_of(const tsr_classes *c, uint32_t d)
{
    while (c->parent[d] != d)
        d = c->parent[d] = c->parent[c->parent[d]];
    return d;
}

static void join(tsr_classes *c, uint32_t a, uint32_t b)
{
    a = root_of(c, a);
    b = root_of(c, b);
    c->parent[a > b ? a : b] = a > b ? b : a;
}

static uint32_t rank_of(const tsr_value *v)
{
    return tsr_type_is(v->type, TSR_TYPE_TENSOR) ? v->type->n : 0;
}

static uint32_t class_of(const tsr_classes *c, const tsr_value *v, uint32_t d)
{
    return root_of(c, c->first[v->id] + d);
}

static const tsr_value *tensor_of(const tsr_op *op, uint32_t t)
{
    return t < op->nin ? op->in[t].value : &op->out[t - op->nin];
}

static void join_values(tsr_classes *c, const tsr_value *a, const tsr_value *b)
{
    for (uint32_t d = 0; d < rank_of(a) && rank_of(a) == rank_of(b); d++)
        join(c, c->first[a->id] + d, c->first[b->id] + d);
}

/* Merges dimensions that have the same first factor. */
static void join_by_rule(tsr_classes *c, const tsr_op *op, const tsr_rule *rule)
{
    for (uint32_t f = 0; f < rule->nfactor; f++) {
        uint32_t before = UINT32_MAX;
        if (rule->kinds[f] != TSR_FACTOR_PASS_THROUGH && rule->kinds[f] != TSR_FACTOR_REDUCTION)
            continue;
        for (uint32_t t = 0; t < op->nin + op->nout; t++)
            for (uint32_t d = rule->dims[t]; d < rule->dims[t + 1]; d++) {
                if (rule->first[d] == rule->first[d + 1] || rule->factors[rule->first[d]] != f ||
                    rule->sizes[f] == 1)
                    continue;
                uint32_t dim = c->first[tensor_of(op, t)->id] + d - rule->dims[t];
                if (before != UINT32_MAX)
                    join(c, before, dim);
                before = dim;
            }
    }
}

static void join_flow(tsr_classes *c, tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++) {
        const tsr_value *owner = &op->out[i];
        const tsr_value *target;
        const tsr_use *source;
        for (uint32_t k = 0; (source = tsr_flow_source(owner, k)); k++)
            join_values(c, source->value, owner);
        for (uint32_t k = 0; (target = tsr_flow_target(owner, k)); k++)
            join_values(c, target, owner);
    }
}

/* Records for each class how products use it. */
static void count_product(tsr_classes *c, const tsr_op *op, const tsr_rule *rule)
{
    double flops = tsr_op_flops(op);
    uint32_t seen[64], n = 0;
    for (uint32_t f = 0; f < rule->nfactor; f++) {
        uint32_t root = UINT32_MAX, where = 0;
        for (uint32_t t = 0; t < op->nin + op->nout; t++)
            for (uint32_t d = rule->dims[t]; d < rule->dims[t + 1]; d++)
                if (rule->first[d] < rule->first[d + 1] && rule->factors[rule->first[d]] == f) {
                    root = class_of(c, tensor_of(op, t), d - rule->dims[t]);
                    where |= 1u << t;
                }
        if (root == UINT32_MAX || rule->sizes[f] == 1)
            continue;
        class_info *info = &c->info[root];
        bool again = false;
        for (uint32_t i = 0; i < n; i++)
            again |= seen[i] == root;
        if (n < 64)
            seen[n++] = root;
        info->flops += again ? 0 : flops;
        info->twice += again ? flops : 0;
        info->summed += rule->kinds[f] == TSR_FACTOR_REDUCTION ? flops : 0;
        info->batched |= where == 7 && op->in[1].value->is_arg &&
                         op->in[1].value->block == c->func->regions[0].first &&
                         c->state[op->in[1].value->index];
    }
}

/* Whether a product reads the value, with only elementwise loops in between. */
static bool feeds_product(const tsr_value *v, uint32_t depth)
{
    for (const tsr_use *u = v->uses; u && depth < 8; u = u->next)
        if (tsr_sim_is_product(u->user) ||
            (u->user->nin == 1 && u->user->nout == 1 && feeds_product(&u->user->out[0], depth + 1)))
            return true;
    return false;
}

uint32_t *tsr_tied_results(tsr_arena *arena, const tsr_op *func)
{
    const tsr_block *body = func->regions[0].first;
    const tsr_op *end = body->last;
    uint32_t *tie = TSR_NEW_ARRAY(arena, uint32_t, end->nin + 1), next = 0;
    double tied = 0, all = 0;
    tsr_map last = {0}; /* by type: 1 + its last argument */
    for (uint32_t k = body->nargs; k-- > 0;) {
        bool known = false;
        TSR_MAP_EACH (&last, tsr_hash_ptr(body->args[k]->type), at)
            known |= body->args[(uintptr_t)at - 1]->type == body->args[k]->type;
        if (!known)
            tsr_map_put(&last, tsr_hash_ptr(body->args[k]->type), (void *)(uintptr_t)(k + 1));
    }
    for (uint32_t i = 0; i < end->nin; i++) {
        const tsr_type *type = end->in[i].value->type;
        double bytes = (double)(tsr_local_bytes(type, NULL) > 0 ? tsr_local_bytes(type, NULL) : 0);
        all += bytes;
        bool some = false; /* none is looked for in vain */
        TSR_MAP_EACH (&last, tsr_hash_ptr(type), at)
            some |= (uintptr_t)at > next && body->args[(uintptr_t)at - 1]->type == type;
        for (uint32_t k = next; some && !tie[i]; k++)
            if (body->args[k]->type == type) {
                tie[i] = k + 1;
                next = k + 1;
                tied += bytes;
            }
    }
    tsr_map_free(&last);
    /* A function most of whose results are not tied to arguments is not a training step. */
    bool step = end->nin > 1 && tied * 2 > all;
    for (uint32_t i = 0; i < end->nin && !step; i++)
        tie[i] = 0;
    return tie;
}

static void find_state(tsr_classes *c, tsr_arena *arena, const uint32_t *tie)
{
    const tsr_block *body = c->func->regions[0].first;
    c->state = TSR_NEW_ARRAY(arena, bool, body->nargs + 1);
    c->optimiser = TSR_NEW_ARRAY(arena, bool, body->nargs + 1);
    for (uint32_t i = 0; tie && i < body->last->nin; i++)
        if (tie[i])
            c->state[tie[i] - 1] = true;
    for (uint32_t i = 0; i < body->nargs; i++)
        c->optimiser[i] = c->state[i] && !feeds_product(body->args[i], 0);
}

/* Without state passed between steps, arguments without the batch are taken as parameters. */
static void guess_state(tsr_classes *c)
{
    const tsr_block *body = c->func->regions[0].first;
    bool some = false;
    for (uint32_t i = 0; i < body->nargs; i++)
        some |= c->state[i];
    for (uint32_t i = 0; !some && i < body->nargs; i++) {
        c->state[i] = rank_of(body->args[i]) > 0;
        for (uint32_t d = 0; d < rank_of(body->args[i]); d++)
            c->state[i] &= class_of(c, body->args[i], d) != c->batch;
    }
}

/* Work along a class that needs no communication. */
static double worth(const class_info *info)
{
    return info->flops - info->twice - info->summed;
}

/* The class with the most work, of those that pick allows. */
static uint32_t busiest(const tsr_classes *c, bool (*pick)(const tsr_classes *c, uint32_t root))
{
    uint32_t best = UINT32_MAX;
    for (uint32_t d = 0; d < c->ndim; d++)
        if (c->parent[d] == d && pick(c, d) &&
            (best == UINT32_MAX || worth(&c->info[d]) > worth(&c->info[best])))
            best = d;
    return best;
}

static bool may_be_batch(const tsr_classes *c, uint32_t root)
{
    return c->info[root].input && !c->info[root].nstate && c->info[root].flops > 0 &&
           c->info[root].summed < c->info[root].flops;
}

static bool may_be_sequence(const tsr_classes *c, uint32_t root)
{
    return root != c->batch && !c->info[root].nstate && c->info[root].flops > 0 &&
           c->info[root].summed < c->info[root].flops;
}

static void count_state(tsr_classes *c)
{
    const tsr_block *body = c->func->regions[0].first;
    for (uint32_t d = 0; d < c->ndim; d++)
        c->info[d].nstate = 0;
    for (uint32_t i = 0; i < body->nargs; i++)
        for (uint32_t d = 0; d < rank_of(body->args[i]); d++) {
            class_info *info = &c->info[class_of(c, body->args[i], d)];
            info->nstate += c->state[i] && rank_of(body->args[i]) > 1;
            info->input |= !c->state[i];
        }
}

/* A class of parameters, and what products gain from a cut along it. */
typedef struct {
    uint32_t root;
    bool batched; /* experts have their own tactic */
    double worth;
} gain;

static int by_gain(const void *a, const void *b)
{
    const gain *x = a, *y = b;
    if (x->batched != y->batched)
        return x->batched ? 1 : -1;
    return x->worth != y->worth ? (x->worth < y->worth) - (x->worth > y->worth)
                                : (x->root > y->root) - (x->root < y->root);
}

/* A dimension of a state argument, and the next one of the same class. */
typedef struct {
    uint32_t arg, next; /* next: 1 + index; 0: the last */
} member;

/* The dimensions of all state arguments, by class: head[root] is 1 + the index of the first. */
static member *members_of(const tsr_classes *c, tsr_arena *arena, uint32_t *head)
{
    const tsr_block *body = c->func->regions[0].first;
    uint32_t n = 0;
    for (uint32_t a = 0; a < body->nargs; a++)
        n += rank_of(body->args[a]);
    member *all = TSR_NEW_ARRAY(arena, member, n + 1);
    n = 0;
    for (uint32_t a = 0; a < body->nargs; a++)
        for (uint32_t d = 0; c->state[a] && d < rank_of(body->args[a]); d++) {
            uint32_t root = class_of(c, body->args[a], d);
            all[n] = (member){a, head[root]};
            head[root] = ++n;
        }
    return all;
}

/* Whether a cut along the class would cut an argument twice. */
static bool clashes(const tsr_classes *c, uint32_t class, const member *members, uint32_t first)
{
    const tsr_block *body = c->func->regions[0].first;
    for (uint32_t i = first; i; i = members[i - 1].next) {
        const tsr_value *v = body->args[members[i - 1].arg];
        uint32_t own = 0, others = 0;
        for (uint32_t d = 0; d < rank_of(v); d++) {
            uint32_t root = class_of(c, v, d);
            own += root == class;
            others += root != class && c->info[root].tensor;
        }
        if (own > 1 || others)
            return true;
    }
    return false;
}

/* Inner features: of the classes of each parameter, the one from which products gain most. */
static void choose_tensor(tsr_classes *c, tsr_arena *arena)
{
    gain *order = TSR_NEW_ARRAY(arena, gain, c->ndim + 1);
    uint32_t n = 0, *head = TSR_NEW_ARRAY(arena, uint32_t, c->ndim + 1);
    c->outer = UINT32_MAX;
    for (uint32_t d = 0; d < c->ndim; d++) {
        const class_info *info = &c->info[d];
        if (c->parent[d] != d || !info->nstate || d == c->batch || d == c->sequence)
            continue;
        order[n++] = (gain){d, info->batched, worth(info)};
        if (c->outer == UINT32_MAX || info->nstate >= c->info[c->outer].nstate)
            c->outer = d;
    }
    qsort(order, n, sizeof *order, by_gain);
    const member *members = members_of(c, arena, head);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t root = order[i].root;
        c->info[root].tensor =
            !clashes(c, root, members, head[root]) && (n == 1 || root != c->outer);
    }
}

tsr_classes *tsr_classes_of(tsr_arena *arena, tsr_op *func, const uint32_t *tie)
{
    tsr_module *m = func->module;
    tsr_classes *c = TSR_NEW(arena, tsr_classes);
    tsr_rules rules;
    tsr_rules_init(&rules, arena, m, (tsr_rule_options){.extra = true});
    c->func = func;
    c->first = TSR_NEW_ARRAY(arena, uint32_t, m->nvalue + 1);
    TSR_OPS (func, op) {
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b)
                for (uint32_t i = 0; i < b->nargs; i++) {
                    c->first[b->args[i]->id] = c->ndim;
                    c->ndim += rank_of(b->args[i]);
                }
        for (uint32_t i = 0; i < op->nout; i++) {
            c->first[op->out[i].id] = c->ndim;
            c->ndim += rank_of(&op->out[i]);
        }
    }
    c->parent = TSR_NEW_ARRAY(arena, uint32_t, c->ndim + 1);
    c->info = TSR_NEW_ARRAY(arena, class_info, c->ndim + 1);
    for (uint32_t d = 0; d < c->ndim; d++)
        c->parent[d] = d;
    find_state(c, arena, tie);
    for (int round = 0; round < 2; round++) /* first merge, then count */
        TSR_OPS (func, op) {
            const tsr_rule *rule =
                op != func && tsr_rule_is_static(op) ? tsr_rules_get(&rules, op) : NULL;
            if (rule && tsr_rule_tensors(rule) != op->nin + op->nout)
                continue;
            if (rule && round)
                if (tsr_sim_is_product(op))
                    count_product(c, op, rule);
            if (!round && rule)
                join_by_rule(c, op, rule);
            if (!round && op != func && tsr_flow_of(op) != TSR_FLOW_NONE)
                join_flow(c, op);
        }
    count_state(c);
    c->sequence = UINT32_MAX;
    c->batch = busiest(c, may_be_batch);
    guess_state(c);
    count_state(c);
    c->sequence = busiest(c, may_be_sequence);
    choose_tensor(c, arena);
    return c;
}

/* ---- Plans ---- */

static bool wants(const tsr_classes *c, tsr_tactic t, uint32_t root)
{
    const class_info *info = &c->info[root];
    switch (t) {
    case TSR_TACTIC_DATA:
    case TSR_TACTIC_ZERO1:
    case TSR_TACTIC_ZERO3: return root == c->batch;
    case TSR_TACTIC_TENSOR:
    case TSR_TACTIC_SERIES: return info->tensor;
    case TSR_TACTIC_OUTER: return root == c->outer;
    case TSR_TACTIC_EXPERT: return info->batched;
    case TSR_TACTIC_CONTEXT: return root == c->sequence;
    default: return false;
    }
}

bool tsr_tactic_applies(const tsr_classes *c, tsr_tactic t)
{
    bool some = false;
    for (uint32_t d = 0; d < c->ndim; d++)
        some |= c->parent[d] == d && wants(c, t, d);
    if (t == TSR_TACTIC_SERIES)
        some &= c->sequence != UINT32_MAX;
    return some;
}

/* Puts an axis on a dimension of a layout, if it divides the remaining size. */
static bool put(const tsr_search_mesh *mesh, const tsr_type *type, uint32_t axis, uint32_t d,
                tsr_layout *l)
{
    int64_t parts = tsr_layout_parts_of(mesh, *l, d) * mesh->sizes[axis];
    if (l->at[axis] || !type->dims[d] || type->dims[d] % parts)
        return false;
    l->at[axis] = (uint8_t)(d + 1);
    return true;
}

static bool cut_state(const tsr_search_mesh *mesh, const tsr_type *type, uint32_t axis,
                      tsr_layout *l)
{
    /* First the largest dimension that is not cut, then any. */
    for (int any = 0; any < 2; any++) {
        uint32_t best = UINT32_MAX;
        for (uint32_t d = 0; d < type->n; d++) {
            tsr_layout with = *l;
            if ((any || tsr_layout_parts_of(mesh, *l, d) == 1) && put(mesh, type, axis, d, &with) &&
                (best == UINT32_MAX || type->dims[d] > type->dims[best]))
                best = d;
        }
        if (best != UINT32_MAX)
            return put(mesh, type, axis, best, l);
    }
    return false;
}

static bool static_shape(const tsr_value *v)
{
    return rank_of(v) > 0 && tsr_type_has_static_shape(v->type);
}

static bool cut_args(const tsr_classes *c, const tsr_search_mesh *mesh, uint32_t axis, tsr_tactic t,
                     tsr_layout *args)
{
    const tsr_block *body = c->func->regions[0].first;
    bool some = false;
    for (uint32_t i = 0; i < body->nargs; i++) {
        const tsr_value *v = body->args[i];
        for (uint32_t d = 0; static_shape(v) && d < rank_of(v); d++)
            if (wants(c, t, class_of(c, v, d)))
                some |= put(mesh, v->type, axis, d, &args[i]);
    }
    return some;
}

void tsr_classes_cut_state(const tsr_classes *c, const tsr_search_mesh *mesh, uint32_t axis,
                           bool all, tsr_layout *args)
{
    const tsr_block *body = c->func->regions[0].first;
    for (uint32_t i = 0; i < body->nargs; i++)
        if (static_shape(body->args[i]) && !args[i].at[axis] && (all ? c->state : c->optimiser)[i])
            cut_state(mesh, body->args[i]->type, axis, &args[i]);
}

const char *tsr_classes_axis_name(const tsr_classes *c, uint32_t axis, const tsr_layout *args)
{
    const tsr_block *body = c->func->regions[0].first;
    bool batch = false, sequence = false, parameters = false, experts = false;
    for (uint32_t i = 0; i < body->nargs; i++) {
        uint32_t d = args[i].at[axis];
        if (!d || d > rank_of(body->args[i]))
            continue;
        uint32_t root = class_of(c, body->args[i], d - 1);
        bool parameter = c->state[i] && !c->optimiser[i];
        batch |= root == c->batch;
        sequence |= root == c->sequence && !c->state[i];
        parameters |= parameter && rank_of(body->args[i]) > 1;
        experts |= parameter && c->info[root].batched;
    }
    return batch && parameters ? "fsdp"
           : batch             ? "dp"
           : experts           ? "ep"
           : parameters        ? "tp"
           : sequence          ? "sp"
                               : NULL;
}

/* Pins the results of products where propagation from the arguments alone would choose another layout: sums over inner
 * features are scattered along the sequence; cut parameters are gathered, and the batch stays cut. */
static void pin_products(const tsr_classes *c, const tsr_search_mesh *mesh,
                         const tsr_tactic *tactics, bool all, tsr_tactic_plan *out)
{
    TSR_OPS (c->func, op) {
        bool sums = false, some = false;
        tsr_layout l = {{0}};
        if (!tsr_sim_is_product(op) || !static_shape(&op->out[0]))
            continue;
        for (uint32_t i = 0; i < op->nin; i++)
            for (uint32_t d = 0; d < rank_of(op->in[i].value); d++)
                sums |= c->info[class_of(c, op->in[i].value, d)].tensor;
        for (uint32_t d = 0; d < rank_of(&op->out[0]); d++)
            sums &= !c->info[class_of(c, &op->out[0], d)].tensor;
        for (uint32_t a = 0; (sums || all) && a < mesh->n; a++)
            for (uint32_t d = 0; d < rank_of(&op->out[0]); d++) {
                uint32_t root = class_of(c, &op->out[0], d);
                bool series = tactics[a] == TSR_TACTIC_SERIES && sums;
                if (series ? root == c->sequence : wants(c, tactics[a], root))
                    some |= put(mesh, op->out[0].type, a, d, &l);
            }
        /* Gradients of parameters have no batch: they get the layout of the parameters. */
        if (sums || some)
            out->pins[out->npin++] = (tsr_layout_pin){op->id, 0, l};
    }
}

bool tsr_tactics_plan(tsr_arena *arena, const tsr_classes *c, const tsr_search_mesh *mesh,
                      const tsr_tactic *tactics, tsr_tactic_plan *out)
{
    const tsr_block *body = c->func->regions[0].first;
    bool series = false, zero = false;
    *out = (tsr_tactic_plan){.args = TSR_NEW_ARRAY(arena, tsr_layout, body->nargs + 1)};
    for (uint32_t a = 0; a < mesh->n; a++) {
        if (tactics[a] != TSR_TACTIC_NONE && !cut_args(c, mesh, a, tactics[a], out->args))
            return false;
        series |= tactics[a] == TSR_TACTIC_SERIES;
        zero |= tactics[a] == TSR_TACTIC_ZERO1 || tactics[a] == TSR_TACTIC_ZERO3;
    }
    for (uint32_t a = 0; a < mesh->n; a++)
        if (tactics[a] == TSR_TACTIC_ZERO1 || tactics[a] == TSR_TACTIC_ZERO3)
            tsr_classes_cut_state(c, mesh, a, tactics[a] == TSR_TACTIC_ZERO3, out->args);
    if (series || zero) {
        out->pins = TSR_NEW_ARRAY(arena, tsr_layout_pin, c->func->module->nop + 1);
        pin_products(c, mesh, tactics, zero, out);
    }
    return true;
}

/* ---- Parts of axes, and padding ---- */

enum { MOST_PARTS = 32 };
#define MUCH 0.25 /* share of all product operations */

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool tsr_classes_refine(tsr_arena *arena, tsr_op *func, const tsr_search_mesh *mesh,
                        tsr_search_mesh *out)
{
    struct {
        uint32_t axis;
        int64_t size;
        double flops;
    } parts[MOST_PARTS];
    uint32_t n = 0, best = 0;
    double all = 0, padded = 0;
    tsr_search_mesh pads = *mesh;
    pads.pads = true;
    *out = *mesh;
    tsr_rules rules;
    tsr_rules_init(&rules, arena, func->module, (tsr_rule_options){.extra = true});
    TSR_OPS (func, op) {
        const tsr_rule *rule = op != func && tsr_sim_is_product(op) && tsr_rule_is_static(op)
                                   ? tsr_rules_get(&rules, op)
                                   : NULL;
        double flops = rule ? tsr_op_flops(op) : 0;
        bool pad = false;
        for (uint32_t f = 0; flops > 0 && f < rule->nfactor; f++)
            for (uint32_t a = 0; a < mesh->n; a++) {
                pad |= rule->sizes[f] % mesh->sizes[a] &&
                       tsr_search_mesh_cuts(&pads, rule->sizes[f], mesh->sizes[a]);
                int64_t size = common_divisor(rule->sizes[f], mesh->sizes[a]);
                uint32_t i = 0;
                if (size < 2 || size == mesh->sizes[a])
                    continue;
                while (i < n && (parts[i].axis != a || parts[i].size != size))
                    i++;
                if (i == MOST_PARTS)
                    continue;
                if (i == n) {
                    parts[n].axis = a;
                    parts[n].size = size;
                    parts[n++].flops = 0;
                }
                parts[i].flops += flops;
            }
        all += flops;
        padded += pad ? flops : 0;
    }
    for (uint32_t i = 1; i < n; i++)
        best = parts[i].flops > parts[best].flops ? i : best;
    bool split = n && parts[best].flops >= MUCH * all &&
                 tsr_search_mesh_split(mesh, parts[best].axis, parts[best].size, out);
    out->pads = padded > 0 && padded >= MUCH * all;
    return split || out->pads;
}
