/* SPDX-License-Identifier: Apache-2.0 */
/* pass.c - the partitioner as passes: preparation, the engine, and the pipeline of them all. Needs ids; keeps what the
 * program computes; breaks ids, drops shardings and meshes. */
#include <stdlib.h>

#include "shard/core/make.h"
#include "shard/passes.h"
#include "shard/spmd/spmd.h"

/* ---- Before propagation ---- */

/* Converts a call to a composite, or a composite to a call of its decomposition. */
static tsr_op *recast(tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    bool is_call = tsr_op_has(op, TSR_TRAIT(CALL));
    tsr_op *other = tsr_op_like(op, is_call ? tsr_opdef_of(ctx, TSR_OP_STABLEHLO_COMPOSITE)
                                            : tsr_opdef_of(ctx, TSR_OP_FUNC_CALL));
    other->attrs[tsr_callee_slot(other)] = op->attrs[tsr_callee_slot(op)];
    if (is_call)
        other->attrs[STABLEHLO_COMPOSITE_name] = tsr_attr_string(ctx, TSR_STR("tessera.recursive"));
    other->extra = op->extra;
    tsr_op_replace(op, other);
    return other;
}

static const tsr_attr *callee_of(const tsr_op *op)
{
    int slot = tsr_callee_slot(op);
    return slot >= 0 ? op->attrs[slot] : NULL;
}

typedef struct {
    tsr_op *caller, *callee;
    uint32_t next; /* index + 1 of the next call of the same function */
} call;

typedef struct {
    tsr_symtab symbols;
    uint32_t *left; /* by op id of a function: its calls of functions that are not done */
    uint32_t *head; /* by op id of a function: index + 1 of its first call */
    bool *cyclic;   /* by op id of a function: recursive, or calls a recursive function */
    TSR_VEC(call) calls;
} call_graph;

static tsr_op *called(const call_graph *g, const tsr_op *op)
{
    const tsr_attr *name = callee_of(op);
    return name ? tsr_symtab_find(&g->symbols, name->s) : NULL;
}

static tsr_op *function_of(tsr_op *op)
{
    while (op && !tsr_op_has(op, TSR_TRAIT(FUNCTION)))
        op = tsr_block_parent(op->block);
    return op;
}

/* Leaves first: a function that is never done is recursive, or calls one that is. */
static void find_cycles(call_graph *g, tsr_op *module)
{
    TSR_VEC(tsr_op *) done = {0};
    TSR_OPS (module, op) {
        tsr_op *callee = called(g, op), *caller = callee ? function_of(op) : NULL;
        if (!caller)
            continue;
        g->left[caller->id]++;
        tsr_vec_push(&g->calls, (call){caller, callee, g->head[callee->id]});
        g->head[callee->id] = (uint32_t)g->calls.n;
    }
    TSR_BLOCK_OPS (module->regions[0].first, op)
        if (!g->left[op->id])
            tsr_vec_push(&done, op);
    for (size_t i = 0; i < done.n; i++)
        for (uint32_t c = g->head[done.data[i]->id]; c; c = g->calls.data[c - 1].next)
            if (!--g->left[g->calls.data[c - 1].caller->id])
                tsr_vec_push(&done, g->calls.data[c - 1].caller);
    TSR_BLOCK_OPS (module->regions[0].first, op)
        g->cyclic[op->id] = g->left[op->id] != 0;
    tsr_vec_free(&done);
    tsr_vec_free(&g->calls);
}

static bool is_private(const tsr_op *func)
{
    const tsr_attr *seen = func->attrs[FUNC_FUNC_sym_visibility];
    return seen && tsr_str_is(seen->s, "private");
}

static bool is_called(tsr_op *root, const tsr_op *func)
{
    const tsr_attr *name = tsr_attr_symbol(root->module->ctx, tsr_op_symbol(func), NULL, 0);
    TSR_OPS (root, op)
        if (callee_of(op) == name)
            return true;
    return false;
}

/* The entry for propagation in a module with several functions: the only public one; if there are more, main, or the
 * first that is not called. */
static tsr_str entry_name(tsr_op *root)
{
    tsr_op *first = NULL, *free = NULL, *any = NULL, *named = NULL;
    uint32_t npublic = 0;
    TSR_BLOCK_OPS (root->regions[0].first, op) {
        if (!tsr_op_has(op, TSR_TRAIT(FUNCTION)) || !op->regions[0].first)
            continue;
        named = tsr_str_is(tsr_op_symbol(op), "main") ? op : named;
        first = !first && !is_private(op) ? op : first;
        npublic += !is_private(op);
        any = any ? any : op;
    }
    if (named && (npublic != 1 || first == named))
        return tsr_op_symbol(named);
    TSR_BLOCK_OPS (root->regions[0].first, op)
        if (!free && npublic > 1 && tsr_op_has(op, TSR_TRAIT(FUNCTION)) && op->regions[0].first &&
            !is_private(op) && !is_called(root, op))
            free = op;
    first = free ? free : first ? first : any;
    return first ? tsr_op_symbol(first) : TSR_STR("main");
}

/* Propagation reverses the order of functions: records each function's position, from 1. */
static void note_order(tsr_map *places, tsr_op *root)
{
    uintptr_t n = 0;
    TSR_BLOCK_OPS (root->regions[0].first, op)
        if (tsr_op_has(op, TSR_TRAIT(FUNCTION)))
            tsr_map_put(places, tsr_hash_ptr(op), (void *)++n);
}

typedef struct {
    tsr_op *op;
    int64_t place;
} placed;

static int by_place(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Functions that propagation created come after the one that they follow. */
static void restore_order(const tsr_map *places, tsr_op *root)
{
    enum { EACH = 1 << 20 };
    TSR_VEC(placed) all = {0};
    int64_t last = 0;
    bool turned = false;
    TSR_BLOCK_OPS (root->regions[0].first, op) {
        if (!tsr_op_has(op, TSR_TRAIT(FUNCTION)))
            continue;
        int64_t place = last + 1;
        TSR_MAP_EACH (places, tsr_hash_ptr(op), n)
            place = ((int64_t)(uintptr_t)n - 1) * EACH;
        turned |= place < last;
        last = place;
        tsr_vec_push(&all, ((placed){op, place}));
    }
    if (turned) {
        qsort(all.data, all.n, sizeof *all.data, by_place);
        for (size_t i = 0; i < all.n; i++) {
            tsr_op_remove(all.data[i].op);
            tsr_op_insert(all.data[i].op, root->regions[0].first, NULL);
        }
    }
    tsr_vec_free(&all);
}

bool pass_tessera_propagate(tsr_pass *p, tsr_op *root)
{
    if (!root->regions[0].first)
        return true;
    bool collectives = tsr_pass_bool(p, "collectives");
    tsr_pipeline *pl = tsr_pipeline_new(p->pipelines, root->def->name);
    const tsr_pass_arg args[] = {
        TSR_ARG_BOOL("extra-rules", true), TSR_ARG_STR("entry-function", entry_name(root)),
        TSR_ARG_BOOL("update-non-divisible-input-output-shardings", collectives),
        TSR_ARG_BOOL("avoid-export-for-partitioning", !collectives),
        TSR_ARG_BOOL("enable-insert-explicit-collectives", collectives)};
    tsr_pipeline_add_pass(p->pipelines, pl, "sdy-propagation-pipeline", args, TSR_COUNT(args));
    tsr_map places = {0};
    note_order(&places, root);
    tsr_run_options inside = *p->options; /* the pass is verified as a whole */
    inside.verify_each = inside.verify_inside;
    bool ok = tsr_pipeline_run(p->pipelines, pl, root, &inside, &p->changed);
    p->options->verify_seconds = inside.verify_seconds;
    if (ok)
        restore_order(&places, root);
    tsr_map_free(&places);
    return ok;
}

static bool is_empty_type(const tsr_type *type)
{
    return type->kind == TSR_TYPE_TENSOR && tsr_type_has_static_shape(type) &&
           tsr_type_num_elements(type) == 0;
}

/* Whether op computes only tensors without elements, of types that constants can have. */
static bool is_empty(const tsr_op *op)
{
    bool empty = op->nout > 0 && tsr_op_has(op, TSR_TRAIT(NO_EFFECT)) &&
                 !tsr_op_has(op, TSR_TRAIT(CONSTANT_LIKE));
    for (uint32_t i = 0; empty && i < op->nout; i++)
        empty = is_empty_type(op->out[i].type) && tsr_type_storage_bits(op->out[i].type->elem);
    return empty;
}

/* Removes empty operands of concatenations, which add nothing. */
static void drop_empty_operands(tsr_op *op)
{
    for (uint32_t i = op->nin; i-- > 0;)
        if (op->nin > 1 && is_empty_type(op->in[i].value->type))
            tsr_op_erase_operand(op, i);
    if (op->nin == 1 && op->in[0].value->type == op->out[0].type)
        tsr_value_replace(&op->out[0], op->in[0].value);
}

/* Makes values without elements constants, so that they need no operands from other devices. */
static void make_empty_constants(tsr_pass *p, tsr_op *root)
{
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_past(root, op);
        if (!is_empty(op)) {
            if (tsr_has_role(op, TSR_ROLE_CONCAT))
                drop_empty_operands(op);
            next = tsr_walk_next(root, op);
            continue;
        }
        for (uint32_t i = 0; i < op->nout; i++) {
            tsr_op *made = tsr_op_new(op->module, tsr_opdef_of(p->ctx, TSR_OP_STABLEHLO_CONSTANT),
                                      op->loc, NULL, 0, &op->out[i].type, 1, 0, 0);
            made->attrs[STABLEHLO_CONSTANT_value] =
                tsr_zero_elements(p->ctx, op->module, op->out[i].type);
            tsr_op_insert(made, op->block, op);
            tsr_value_replace(&op->out[i], &made->out[0]);
        }
        tsr_op_erase(op);
        p->changed = true;
    }
}

/* ---- Calls in loops that carry partial sums ---- */

static bool is_unreduced(tsr_attr *sharding)
{
    return tsr_sdy_is_sharding(sharding) && sharding->attrs[SDY_SHARDING_unreduced]->n;
}

static bool mentions_unreduced(tsr_op *func)
{
    TSR_OPS (func, op)
        for (uint32_t i = 0; op != func && i < op->nout; i++)
            if (is_unreduced(tsr_sdy_sharding_of(&op->out[i])) ||
                (tsr_has_role(op, TSR_ROLE_CONSTRAINT) && is_unreduced(tsr_sdy_own_sharding(op))))
                return true;
    return false;
}

/* Whether the function is one block, and nothing but its body says how its values are sharded. */
static bool is_free(const tsr_op *func)
{
    const tsr_block *body = func->regions[0].first;
    bool ok = tsr_op_has(func, TSR_TRAIT(FUNCTION)) && body && !body->next && body->last;
    for (uint32_t i = 0; ok && i < body->nargs; i++)
        ok = !tsr_sdy_sharding_of(body->args[i]);
    for (uint32_t i = 0; ok && i < body->last->nin; i++)
        ok = !tsr_sdy_result_sharding(func, i);
    return ok;
}

/* The call's own function is partitioned by itself, and cannot tell what a loop around the call carries. */
static bool hides_partial_sums(const call_graph *g, const tsr_op *op)
{
    tsr_op *func = tsr_op_has(op, TSR_TRAIT(CALL)) ? called(g, op) : NULL;
    if (!func || g->cyclic[func->id] ||
        tsr_op_has(tsr_block_parent(op->block), TSR_TRAIT(FUNCTION)))
        return false;
    for (uint32_t i = 0; i < op->nout; i++)
        if (tsr_sdy_sharding_of(&op->out[i]))
            return false;
    return is_free(func) && mentions_unreduced(func);
}

static void inline_partial_sums(tsr_pass *p, call_graph *g, tsr_op *root)
{
    for (tsr_op *op = root, *next; op; op = next) {
        tsr_op *before = op->prev;
        tsr_block *block = op->block;
        if (op == root || !hides_partial_sums(g, op)) {
            next = tsr_walk_next(root, op);
            continue;
        }
        tsr_inline_call(op, called(g, op));
        p->changed = true;
        next = before ? before->next : block->first; /* the body may call others */
    }
}

bool pass_tessera_spmd_prepare(tsr_pass *p, tsr_op *root)
{
    bool any = false;
    if (!root->regions[0].first)
        return true;
    /* Propagation merges functions that are sharded alike, but functions of different contexts must stay separate. */
    tsr_manual_contexts contexts;
    bool ok = tsr_manual_contexts_make(&contexts, p->scratch, root);
    tsr_manual_contexts_free(&contexts);
    TSR_TRY(ok);
    p->changed |= tsr_spmd_plain_bodies(root) || contexts.copied;
    make_empty_constants(p, root);
    TSR_OPS (root, op)
        any |= callee_of(op) != NULL;
    if (!any)
        return true;
    call_graph g = {.left = TSR_NEW_ARRAY(p->scratch, uint32_t, p->module->nop + 1),
                    .head = TSR_NEW_ARRAY(p->scratch, uint32_t, p->module->nop + 1),
                    .cyclic = TSR_NEW_ARRAY(p->scratch, bool, p->module->nop + 1)};
    tsr_symtab_init(&g.symbols, root);
    find_cycles(&g, root);
    inline_partial_sums(p, &g, root);
    for (tsr_op *op = root, *next; op; op = next) {
        const tsr_op *func = called(&g, op);
        bool is_call = tsr_op_has(op, TSR_TRAIT(CALL)), wants_call = func && !g.cyclic[func->id];
        if (func && is_call != wants_call) {
            op = recast(op);
            p->changed = true;
        }
        next = tsr_walk_next(root, op);
    }
    tsr_symtab_free(&g.symbols);
    return true;
}

/* ---- The engine ---- */

bool pass_tessera_spmd_partition(tsr_pass *p, tsr_op *root)
{
    tsr_manual_contexts contexts;
    if (!tsr_manual_contexts_make(&contexts, p->scratch, root)) {
        tsr_manual_contexts_free(&contexts);
        return false;
    }
    tsr_arena arena;
    tsr_arena_init_pooled(&arena, &p->ctx->pool);
    tsr_spmd s = {.ctx = p->ctx,
                  .module = p->module,
                  .scratch = p->scratch,
                  .contexts = &contexts,
                  .remarks = tsr_pass_bool(p, "remarks"),
                  .notes = tsr_pass_bool(p, "notes"),
                  .uses = tsr_pass_bool(p, "uses"),
                  .keep_meshes = tsr_pass_bool(p, "keep-meshes")};
    tsr_resharder_init(&s.r, root, &arena, p->scratch);
    tsr_rules_init(&s.rules, p->scratch, p->module, (tsr_rule_options){.extra = true});
    tsr_spmd_plain_bodies(root);
    bool ok = tsr_spmd_module(&s, root);
    tsr_resharder_free(&s.r);
    tsr_arena_free(&arena);
    tsr_manual_contexts_free(&contexts);
    p->changed = true;
    return ok;
}

void expand_tessera_partition(const tsr_pass *p, tsr_buf *out)
{
    bool only = tsr_pass_bool(p, "only-propagate");
    tsr_buf_cstr(out, "tessera-import-gspmd,func.func(tessera-raise-custom-calls),"
                      "tessera-spmd-prepare");
    if (tsr_pass_bool(p, "propagate") || only)
        tsr_buf_cstr(out, ",tessera-propagate");
    if (only)
        return;
    tsr_buf_printf(out, ",tessera-spmd-partition{remarks=%s notes=%s uses=%s keep-meshes=%s}",
                   tsr_pass_bool(p, "remarks") ? "true" : "false",
                   tsr_pass_bool(p, "notes") ? "true" : "false",
                   tsr_pass_bool(p, "uses") ? "true" : "false",
                   tsr_pass_bool(p, "keep-meshes") ? "true" : "false");
    if (tsr_pass_bool(p, "combine"))
        tsr_buf_printf(out, ",tessera-combine-collectives{max-bytes=%lld}",
                       (long long)tsr_pass_int(p, "combine-bytes"));
}
