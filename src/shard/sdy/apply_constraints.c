/* SPDX-License-Identifier: Apache-2.0 */
/* apply_constraints.c - a closed constraint, or a manual computation's closed in_sharding, sets the sharding of its
 * input unless something contradicts it; users after a chain of constraints use the last one. Needs nothing; keeps
 * everything else; breaks ids, as constraints are moved and inserted. */
#include "shard/core/calls.h"
#include "shard/core/flow.h"
#include "shard/passes.h"
#include "shard/propagate/why.h"

typedef struct {
    tsr_pass *p;
    tsr_rules rules;
    tsr_why *why;       /* NULL: not recorded */
    tsr_map signatures; /* of functions, by op */
} apply;

static bool is_constraint(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_SDY_SHARDING_CONSTRAINT) ||
           tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION);
}

/* The sharding that a constraint or a manual computation requires of the value it uses. */
static tsr_attr *wanted(const tsr_use *use)
{
    const tsr_op *op = use->user;
    if (tsr_op_is(op, TSR_OP_SDY_SHARDING_CONSTRAINT))
        return op->attrs[SDY_SHARDING_CONSTRAINT_sharding];
    return tsr_sdy_list_sharding(op, true, (uint32_t)(use - op->in));
}

static bool is_closed(const tsr_attr *sharding)
{
    const tsr_attr *dims = tsr_sdy_dims(sharding);
    for (uint32_t i = 0; i < dims->n; i++)
        if (!dims->attrs[i]->attrs[SDY_DIMENSION_SHARDING_is_closed]->i)
            return false;
    return true;
}

/* ---- Arguments of functions: their shardings are one attribute, which is written once ---- */

typedef struct {
    tsr_op *func;
    tsr_attr **args;
} signature;

/* The function's, if v is an argument of one; NULL: it is not. */
static signature *signature_of(apply *a, const tsr_value *v, bool make)
{
    tsr_op *func = v->is_arg ? tsr_block_parent(v->block) : NULL;
    if (!func || !tsr_op_has(func, TSR_TRAIT(FUNCTION)))
        return NULL;
    TSR_MAP_EACH (&a->signatures, tsr_hash_ptr(func), x)
        if (((signature *)x)->func == func)
            return x;
    if (!make)
        return NULL;
    signature *s = TSR_NEW(a->p->scratch, signature);
    *s = (signature){func, TSR_NEW_ARRAY(a->p->scratch, tsr_attr *, v->block->nargs + 1)};
    for (uint32_t i = 0; i < v->block->nargs; i++)
        s->args[i] = tsr_sdy_arg_sharding(func, i);
    tsr_map_put(&a->signatures, tsr_hash_ptr(func), s);
    return s;
}

static tsr_attr *sharding_of(apply *a, const tsr_value *v)
{
    const signature *s = signature_of(a, v, false);
    return s ? s->args[v->index] : tsr_sdy_sharding_of(v);
}

static void set_sharding(apply *a, tsr_value *v, tsr_attr *sharding)
{
    signature *s = signature_of(a, v, true);
    if (s)
        s->args[v->index] = sharding;
    else
        tsr_sdy_set_sharding(v, sharding);
}

static void write_signatures(apply *a)
{
    for (uint32_t i = 0; i < a->signatures.n; i++) {
        const signature *s = a->signatures.entries[i].value;
        tsr_sdy_set_arg_shardings(s->func, s->args);
    }
    tsr_map_free(&a->signatures);
}

static bool should_apply(apply *a, const tsr_value *input, const tsr_attr *sharding)
{
    if (!tsr_sdy_shardable(input) || sharding_of(a, input) || !is_closed(sharding))
        return false;
    for (const tsr_use *use = input->uses; use; use = use->next)
        if (is_constraint(use->user) && wanted(use) != sharding)
            return false;
    return true;
}

/* Right after the definition of v. */
static void move_behind(tsr_op *op, const tsr_value *v)
{
    tsr_block *block = v->is_arg ? v->block : v->op->block;
    tsr_op *before = v->is_arg ? block->first : v->op->next;
    if (before == op)
        return;
    if (op->block)
        tsr_op_remove(op);
    tsr_op_insert(op, block, before);
}

/* The constraint for all uses of input: op itself, or a new one for a manual computation. */
static tsr_op *constraint_behind(tsr_op *op, tsr_value *input, tsr_attr *sharding)
{
    if (!tsr_op_is(op, TSR_OP_SDY_SHARDING_CONSTRAINT)) {
        tsr_module *m = op->module;
        op = tsr_op_new(m, tsr_opdef_of(m->ctx, TSR_OP_SDY_SHARDING_CONSTRAINT), op->loc, &input, 1,
                        &input->type, 1, 0, 0);
        op->attrs[SDY_SHARDING_CONSTRAINT_sharding] = sharding;
    }
    move_behind(op, input);
    return op;
}

/* Records each axis as going from the constraint's result to its operand. */
static void record(tsr_why *why, tsr_op *op, tsr_value *input, const tsr_attr *sharding)
{
    const tsr_attr *dims = tsr_sdy_dims(sharding);
    tsr_why_edge edge = {.step = why->step,
                         .op = op,
                         .from = {&op->out[0], NULL, 0},
                         .to = {input, NULL, 0},
                         .source = 1,
                         .noperand = 1};
    for (uint32_t d = 0; d < dims->n; d++)
        for (uint32_t i = 0; i < tsr_sdy_dim_axes(sharding, d)->n; i++) {
            edge.axis = tsr_sdy_dim_axes(sharding, d)->attrs[i];
            tsr_vec_push(&why->edges, edge);
        }
    /* A scalar's sharding adds nothing. */
    why->step += dims->n || sharding->attrs[SDY_SHARDING_replicated]->n ||
                 sharding->attrs[SDY_SHARDING_unreduced]->n;
}

static void apply_to(apply *a, tsr_op *op, tsr_value *input, tsr_attr *sharding)
{
    if (!should_apply(a, input, sharding))
        return;
    tsr_ctx *ctx = a->p->ctx;
    a->p->changed = true;
    bool is_edge = !input->is_arg && tsr_op_is(input->op, TSR_OP_SDY_DATA_FLOW_EDGE);
    if (is_edge || tsr_flow_edge(input)) {
        /* Other targets of the edge stay unconstrained. Unreduced axes do not propagate, so the edge gets them here. */
        tsr_op *constraint = constraint_behind(op, input, sharding);
        tsr_flow_move_uses(input, &constraint->out[0], constraint);
        if (!sharding->attrs[SDY_SHARDING_unreduced]->n)
            return;
        const tsr_attr *now = tsr_sdy_sharding_or(input, sharding->attrs[SDY_SHARDING_mesh], false);
        tsr_sdy_set_sharding(input, tsr_sdy_make(ctx, now->attrs[SDY_SHARDING_mesh],
                                                 now->attrs[SDY_SHARDING_dims],
                                                 now->attrs[SDY_SHARDING_replicated],
                                                 sharding->attrs[SDY_SHARDING_unreduced],
                                                 sharding->attrs[SDY_SHARDING_reduction]));
        return;
    }
    const tsr_rule *rule = tsr_rules_get(&a->rules, op);
    if (rule && !tsr_op_attr(op, TSR_STR("sdy.sharding_rule")))
        tsr_op_set_attr(op, TSR_STR("sdy.sharding_rule"), tsr_rule_encode(ctx, rule));
    set_sharding(a, input, sharding);
    if (a->why && rule)
        record(a->why, op, input, sharding);
}

/* ---- Chains ---- */

/* The last of a chain of constraints that begins with head, each the only user of the one before; NULL if head is not
 * the first, or is alone, or its input has another sharding or constraint. */
static tsr_op *tail_of(apply *a, tsr_op *head)
{
    const tsr_value *input = head->in[0].value;
    if ((!input->is_arg && tsr_op_is(input->op, TSR_OP_SDY_SHARDING_CONSTRAINT)) ||
        sharding_of(a, input))
        return NULL;
    tsr_op *tail = head;
    for (const tsr_use *use; (use = tail->out[0].uses) != NULL && !use->next &&
                             tsr_op_is(use->user, TSR_OP_SDY_SHARDING_CONSTRAINT);)
        tail = use->user;
    if (tail == head)
        return NULL;
    for (const tsr_use *use = input->uses; use; use = use->next)
        if (use->user != head && is_constraint(use->user))
            return NULL;
    for (const tsr_use *use = tail->out[0].uses; use; use = use->next)
        if (is_constraint(use->user))
            return NULL;
    return tail;
}

typedef struct {
    const tsr_op *head, *tail;
} chain;

static bool stays(void *user, tsr_use *use)
{
    const chain *c = user;
    return use->user == c->head || tsr_op_is(use->user, TSR_OP_FUNC_RETURN) ||
           use->user->block != c->tail->block || !tsr_op_before(c->tail, use->user);
}

static void follow_chain(apply *a, tsr_op *head)
{
    tsr_op *tail = tail_of(a, head);
    if (!tail)
        return;
    chain c = {.head = head, .tail = tail};
    tsr_value_replace_if(head->in[0].value, &tail->out[0], stays, &c);
}

static void apply_all(apply *a, tsr_op *root)
{
    if (!tsr_module_may_have(root->module, TSR_OP_SDY_SHARDING_CONSTRAINT) &&
        !tsr_module_may_have(root->module, TSR_OP_SDY_MANUAL_COMPUTATION))
        return;
    TSR_POST_OPS (root, op) {
        if (tsr_op_is(op, TSR_OP_SDY_SHARDING_CONSTRAINT)) {
            follow_chain(a, op);
            apply_to(a, op, op->in[0].value, op->attrs[SDY_SHARDING_CONSTRAINT_sharding]);
        } else if (tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION)) {
            for (uint32_t i = 0; i < op->nin; i++) {
                tsr_attr *sharding = tsr_sdy_list_sharding(op, true, i);
                if (sharding)
                    apply_to(a, op, op->in[i].value, sharding);
            }
        }
    }
}

bool pass_sdy_apply_sharding_constraints(tsr_pass *p, tsr_op *root)
{
    apply a = {.p = p};
    bool edges = tsr_pass_bool(p, "debug-propagation-edge-sharding");
    tsr_origins *origins = NULL;
    if (tsr_pass_bool(p, "debug-sharding-origins"))
        origins = tsr_origins_start(p->scratch, root);
    tsr_why why = {.step = edges || origins ? tsr_why_first_step(root) : 0};
    a.why = edges || origins ? &why : NULL;
    tsr_rules_init(&a.rules, p->scratch, p->module, (tsr_rule_options){.conservative = false});
    apply_all(&a, root);
    write_signatures(&a);
    if (origins)
        tsr_origins_write(origins, &why);
    if (edges)
        tsr_why_write_edges(p->scratch, root, &why);
    tsr_why_free(&why);
    return true;
}
