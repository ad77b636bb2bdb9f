/* SPDX-License-Identifier: Apache-2.0 */
/* refine_shapes.c - propagates shapes through the main function and its callees.
 *
 * One function at a time: its arguments get the types of the call, known scalar integers of the call (sizes, as front
 * ends pass them) become constants in it, computations of shapes are folded, and types are refined by the rules of set
 * R. A callee is refined when the walk reaches its first call; all other calls must agree. Needs nothing; keeps
 * everything else; breaks ids. */
#include "pass/shape/refine.h"

/* ---- The call that a function was refined for ---- */

typedef struct {
    tsr_op *func;
    uint32_t ntoken;           /* arguments that are tokens, at the front */
    TSR_VEC(tsr_attr *) sizes; /* then these, which became constants */
    tsr_type_vec types;        /* of all remaining arguments, including tokens */
    bool active;               /* currently being refined */
    bool reported;             /* it has an error, which was reported */
} request;

struct tsr_refine_calls {
    tsr_pass *p;
    tsr_symtab symbols;
    /* By op id of functions and calls, all of which exist at the start. */
    request **done;  /* functions that were refined */
    tsr_bitset pure; /* functions without effects, including their callees */
    /* calls whose constant operands were removed: the remaining operands are not sizes */
    tsr_bitset settled;
    uint32_t nid;
    uint32_t depth;
    bool failed;
};

static void drop(request *q)
{
    tsr_vec_free(&q->sizes);
    tsr_vec_free(&q->types);
    tsr_free(q);
}

/* ---- Effects ---- */

typedef struct {
    tsr_op *caller, *callee;
} edge;

/* Functions without effects of their own, all of whose callees are also such functions. Recursive functions, direct or
 * indirect, do not count: they may never return. */
static void find_pure(tsr_refine_calls *c, tsr_op *module)
{
    tsr_arena *scratch = c->p->scratch;
    uint32_t *waits = TSR_NEW_ARRAY(scratch, uint32_t, c->nid); /* callees that may have effects */
    TSR_VEC(edge) edges = {0};
    TSR_VEC(tsr_op *) ready = {0};
    TSR_REGION_BLOCKS (&module->regions[0], b)
        TSR_BLOCK_OPS (b, func) {
            if (!tsr_op_is(func, TSR_OP_FUNC_FUNC) || !func->regions[0].first)
                continue;
            bool clean = true;
            TSR_OPS (func, op) {
                if (op == func || tsr_op_has(op, TSR_TRAIT(RECURSIVE_EFFECTS)))
                    continue;
                if (tsr_op_has(op, TSR_TRAIT(CALL))) {
                    const tsr_attr *name = op->attrs[tsr_opdef_slot(op->def, TSR_STR("callee"))];
                    tsr_op *callee = name ? tsr_symtab_find(&c->symbols, name->s) : NULL;
                    clean &= callee != NULL;
                    if (callee)
                        tsr_vec_push(&edges, (edge){func, callee});
                    waits[func->id]++;
                } else {
                    clean &= tsr_op_effect_free(op);
                }
            }
            if (!clean)
                waits[func->id] = UINT32_MAX;
            else if (!waits[func->id])
                tsr_vec_push(&ready, func);
        }
    /* Callers by callee: a list through next, from first. */
    uint32_t *first = TSR_NEW_ARRAY(scratch, uint32_t, c->nid);
    uint32_t *next = TSR_NEW_ARRAY(scratch, uint32_t, edges.n + 1);
    for (size_t i = 0; i < edges.n; i++) {
        next[i] = first[edges.data[i].callee->id];
        first[edges.data[i].callee->id] = (uint32_t)i + 1;
    }
    while (ready.n) {
        tsr_op *func = ready.data[--ready.n];
        tsr_bitset_add(&c->pure, func->id);
        for (uint32_t i = first[func->id]; i; i = next[i - 1]) {
            tsr_op *caller = edges.data[i - 1].caller;
            if (waits[caller->id] != UINT32_MAX && --waits[caller->id] == 0)
                tsr_vec_push(&ready, caller);
        }
    }
    tsr_vec_free(&edges);
    tsr_vec_free(&ready);
}

/* ---- One function ---- */

enum { MAX_DEPTH = 500, ROUNDS = 2 };

static bool refuse(tsr_refine_calls *c)
{
    c->failed = true;
    return false;
}

static bool refine_body(tsr_refine_calls *c, tsr_op *func)
{
    if (c->depth >= MAX_DEPTH)
        return tsr_op_error(func, "is called by a chain of more than %d functions", MAX_DEPTH);
    c->depth++;
    tsr_simplify(c->p, func,
                 &(tsr_simplify_options){.rules = &tsr_hlo_rewrites,
                                         .sets = TSR_RULES_SHAPE | TSR_RULES_REFINE,
                                         .element_limit = INT64_MAX,
                                         .top_down = true,
                                         .max_rounds = ROUNDS,
                                         .user = c});
    c->depth--;
    return true;
}

static bool refine_function(tsr_refine_calls *c, request *q)
{
    tsr_op *func = q->func;
    tsr_block *b = func->regions[0].first;
    if (!b || b->next)
        return tsr_op_error(func, "must have exactly one block");
    tsr_op *at = b->first;
    for (size_t i = 0; i < q->sizes.n; i++) {
        tsr_value *arg = b->args[q->ntoken + i];
        tsr_attr *value = q->sizes.data[i];
        if (arg->type != value->type)
            return tsr_op_error(func, "expected global constant argument to be shaped");
        tsr_op *made = tsr_op_new(func->module, tsr_opdef_of(c->p->ctx, TSR_OP_STABLEHLO_CONSTANT),
                                  b->arg_locs[q->ntoken + i], NULL, 0, &value->type, 1, 0, 0);
        made->attrs[STABLEHLO_CONSTANT_value] = value;
        tsr_op_insert(made, b, at);
        tsr_value_replace(arg, &made->out[0]);
    }
    tsr_func_drop_args(func, q->ntoken, (uint32_t)q->sizes.n);
    if (!tsr_refine_arguments(func, q->types.data, q->types.n))
        return false;
    return refine_body(c, func);
}

/* ---- Calls ---- */

static void show(tsr_buf *out, const request *q)
{
    tsr_str name = tsr_op_symbol(q->func);
    tsr_ctx *ctx = q->func->module->ctx;
    tsr_buf_printf(out, "RefinementKey(%.*s, toks=%u, dim_args=[", TSR_STR_ARG(name), q->ntoken);
    for (size_t i = 0; i < q->sizes.n; i++)
        tsr_buf_printf(out, "%s%lld", i ? ", " : "",
                       (long long)tsr_attr_int_at(q->sizes.data[i], 0));
    tsr_buf_cstr(out, "], fn_args=[");
    for (size_t i = q->ntoken; i < q->types.n && ctx->print_type; i++) {
        tsr_buf_cstr(out, i > q->ntoken ? ", " : "");
        ctx->print_type(out, q->types.data[i]);
    }
    tsr_buf_cstr(out, "])");
}

/* Whether a call requests the same as the function was refined for. */
static bool agrees(const request *q, const request *before)
{
    if (q->sizes.n &&
        (q->sizes.n != before->sizes.n ||
         memcmp(q->sizes.data, before->sizes.data, q->sizes.n * sizeof *q->sizes.data) != 0))
        return false;
    return q->types.n == before->types.n &&
           (!q->types.n ||
            memcmp(q->types.data, before->types.data, q->types.n * sizeof *q->types.data) == 0);
}

/* For a function that was refined, or is being refined. */
static bool again(tsr_refine_calls *c, const request *q, request *before)
{
    bool same = agrees(q, before);
    if (same && !before->active)
        return true;
    if (!before->reported && same) {
        tsr_op_error(q->func, "Function %.*s is being refined recursively\n",
                     TSR_STR_ARG(tsr_op_symbol(q->func)));
    } else if (!before->reported) {
        tsr_buf a = {0}, b = {0};
        show(&a, q);
        show(&b, before);
        tsr_op_error(q->func,
                     "refined with incompatible refinement keys:\n  curr=%.*s\n  prev=%.*s",
                     TSR_STR_ARG(tsr_buf_text(&a)), TSR_STR_ARG(tsr_buf_text(&b)));
        tsr_buf_free(&a);
        tsr_buf_free(&b);
    }
    before->reported = true;
    return refuse(c);
}

/* Leading tokens, then known scalar integers, then the rest. */
static request *request_for(const tsr_refine_calls *c, const tsr_op *call, tsr_op *func)
{
    bool composite = tsr_op_is(call, TSR_OP_STABLEHLO_COMPOSITE);
    request *q = memset(tsr_xmalloc(sizeof *q), 0, sizeof *q);
    const tsr_type *token = tsr_hlo_token(c->p->ctx);
    q->func = func;
    while (q->ntoken < call->nin && call->in[q->ntoken].value->type == token)
        q->ntoken++;
    bool settled = composite || tsr_bitset_has(&c->settled, call->id);
    for (uint32_t i = q->ntoken; i < call->nin && !settled; i++) {
        const tsr_value *v = call->in[i].value;
        tsr_attr *value = tsr_type_is(v->type, TSR_TYPE_TENSOR) && !v->type->n &&
                                  v->type->elem->kind == TSR_TYPE_INTEGER
                              ? tsr_const_of(v)
                              : NULL;
        if (!value)
            break;
        tsr_vec_push(&q->sizes, value);
    }
    for (uint32_t i = 0; i < call->nin; i++)
        if (i < q->ntoken || i >= q->ntoken + q->sizes.n)
            tsr_vec_push(&q->types, call->in[i].value->type);
    return q;
}

/* Makes sure that the callee is refined for this call. */
static bool prepare(tsr_refine_calls *c, const tsr_op *call, tsr_op *func, request **out)
{
    request *q = request_for(c, call, func), *before = c->done[func->id];
    *out = q;
    if (before)
        return again(c, q, before);
    c->done[func->id] = q;
    q->active = true;
    bool ok = refine_function(c, q);
    q->active = false;
    q->reported = !ok;
    return ok || refuse(c);
}

/* The value of result i, if it is an integer constant. */
static tsr_attr *constant_result(const tsr_op *func, uint32_t i)
{
    const tsr_op *ret = func->regions[0].first->last;
    if (!ret || !tsr_op_is(ret, TSR_OP_FUNC_RETURN) || i >= ret->nin)
        return NULL;
    tsr_attr *a = tsr_const_of(ret->in[i].value);
    return a && a->type == ret->in[i].value->type && tsr_elem_is_int(a->type->elem) ? a : NULL;
}

static void drop_sizes(tsr_refine_calls *c, tsr_rewriter *r, tsr_op *call, const request *q)
{
    tsr_value **in = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, call->nin + 1);
    size_t n = 0;
    for (uint32_t i = 0; i < call->nin; i++)
        if (i < q->ntoken || i >= q->ntoken + q->sizes.n)
            in[n++] = tsr_rw_in(call, i);
    call->attrs[FUNC_CALL_arg_attrs] =
        tsr_list_without(r->ctx, call->attrs[FUNC_CALL_arg_attrs], q->ntoken, (uint32_t)q->sizes.n);
    tsr_rw_set_operands(r, call, in, n);
    tsr_bitset_add(&c->settled, call->id);
}

/* The callee is refined; adapts the call. */
static bool follow(tsr_refine_calls *c, tsr_rewriter *r, tsr_op *call, const request *q)
{
    const tsr_op *func = q->func;
    tsr_attr **known = TSR_NEW_ARRAY(r->p->scratch, tsr_attr *, call->nout + 1);
    bool all = true, some = false, changed = false;
    for (uint32_t i = 0; i < call->nout; i++) {
        known[i] = constant_result(func, i);
        all &= known[i] != NULL;
        some |= known[i] && call->out[i].uses;
    }
    if (all && tsr_bitset_has(&c->pure, func->id)) {
        tsr_value **values = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, call->nout + 1);
        for (uint32_t i = 0; i < call->nout; i++)
            values[i] = tsr_rw_constant(r, call, known[i]);
        tsr_rw_replace(r, call, values);
        return true;
    }
    const tsr_type *type = func->attrs[FUNC_FUNC_function_type]->type;
    changed = tsr_refine_results(r, call, type->types + type->n, type->nout);
    if (q->sizes.n) {
        drop_sizes(c, r, call, q);
        changed = true;
    }
    for (uint32_t i = 0; some && i < call->nout; i++)
        if (known[i] && call->out[i].uses) {
            tsr_rw_forward(r, &call->out[i], tsr_rw_constant(r, call, known[i]));
            changed = true;
        }
    return changed;
}

bool rule_refine_call(tsr_rewriter *r, tsr_op *call)
{
    tsr_refine_calls *c = r->o->user;
    const tsr_attr *name = call->attrs[FUNC_CALL_callee];
    tsr_op *func = c && name ? tsr_symtab_find(&c->symbols, name->s) : NULL;
    if (!func || !tsr_op_is(func, TSR_OP_FUNC_FUNC) || !func->regions[0].first)
        return false;
    request *q;
    bool done = prepare(c, call, func, &q) && follow(c, r, call, q);
    if (c->done[func->id] != q)
        drop(q);
    return done;
}

/* A composite's operands stay: its name defines their meaning. Its decomposition is refined for them. */
bool rule_refine_composite(tsr_rewriter *r, tsr_op *op)
{
    tsr_refine_calls *c = r->o->user;
    const tsr_attr *name = op->attrs[STABLEHLO_COMPOSITE_decomposition];
    tsr_op *func = c && name ? tsr_symtab_find(&c->symbols, name->s) : NULL;
    if (!func || !tsr_op_is(func, TSR_OP_FUNC_FUNC) || !func->regions[0].first)
        return false;
    request *q;
    bool ok = prepare(c, op, func, &q);
    const tsr_type *type = func->attrs[FUNC_FUNC_function_type]->type;
    if (c->done[func->id] != q)
        drop(q);
    return ok && tsr_refine_results(r, op, type->types + type->n, type->nout);
}

/* ---- The pass ---- */

bool pass_stablehlo_refine_shapes(tsr_pass *p, tsr_op *root)
{
    bool refused = false;
    tsr_op *func = tsr_refine_target(root, &refused);
    if (!func)
        return !refused;
    uint32_t nid = p->module->nop + 1;
    tsr_refine_calls c = {.p = p,
                          .nid = nid,
                          .done = TSR_NEW_ARRAY(p->scratch, request *, nid),
                          .pure = tsr_bitset_new(p->scratch, nid),
                          .settled = tsr_bitset_new(p->scratch, nid)};
    tsr_symtab_init(&c.symbols, root);
    find_pure(&c, root);
    request *q = memset(tsr_xmalloc(sizeof *q), 0, sizeof *q);
    q->func = func;
    for (uint32_t i = 0; i < func->regions[0].first->nargs; i++)
        tsr_vec_push(&q->types, func->regions[0].first->args[i]->type);
    c.done[func->id] = q;
    q->active = true;
    bool ok = refine_body(&c, func);
    ok = ok && !c.failed && tsr_check_custom_call_shapes(root);
    /* Calls that did not match because of an error are reported, too. */
    if (c.failed)
        (void)tsr_verify(root);
    for (uint32_t i = 0; i < nid; i++)
        if (c.done[i])
            drop(c.done[i]);
    tsr_symtab_free(&c.symbols);
    p->changed = true;
    return ok;
}
