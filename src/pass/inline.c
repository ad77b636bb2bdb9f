/* SPDX-License-Identifier: Apache-2.0 */
/* inline.c - replaces calls by the bodies of functions, callees first, and erases private functions that are no longer
 * referenced. Needs uses; keeps shardings; breaks ids.
 *
 * The call graph is divided into strongly connected components; calls within one (recursion) stay. Each function is
 * simplified by default-pipeline before its calls are inlined and after.
 *
 * Through a chain of n calls, callees first, an op is copied n times, and its location becomes n call sites of its own.
 * With callers first it is copied once, to where all calls lead, and ops share the call sites of what they came with. */
#include "pass/pass.h"

typedef struct {
    tsr_op *op;                /* NULL: erased */
    TSR_VEC(uint32_t) callees; /* functions that it calls */
    uint32_t nref;             /* symbol references to it, from anywhere */
    uint32_t index, low;       /* for the search for components; 0: not visited */
    uint32_t component;
    bool on_stack;
} function;

typedef struct {
    tsr_pass *p;
    tsr_op *root;
    TSR_VEC(function) functions;
    tsr_map by_op;           /* op to 1 + its number */
    tsr_symtab symbols;      /* of root */
    TSR_VEC(uint32_t) order; /* functions, callees first */
    tsr_pipeline *simplify;
    tsr_op *from; /* whose references are being counted */
    int count;    /* +1 or -1 for each of them */
} inliner;

/* Dialects whose ops may move to another function, and in whose regions calls may be inlined. Shardy's, too: meshes are
 * symbols of the module, and shardings in a function say the same about its copy. */
static const char *const dialects[] = {"arith",   "builtin", "cf",    "chlo",      "func",
                                       "scf",     "sdy",     "shape", "stablehlo", "tensor",
                                       "tessera", "ttir",    "ub"};

static bool may_move(const tsr_op *op)
{
    const char *dot = memchr(op->def->name.data, '.', op->def->name.len);
    tsr_str dialect = {op->def->name.data, dot ? (size_t)(dot - op->def->name.data) : 0};
    for (size_t i = 0; i < TSR_COUNT(dialects); i++)
        if (tsr_str_is(dialect, dialects[i]))
            return true;
    return false;
}

/* ---- The call graph ---- */

static uint32_t number_of(const inliner *in, const tsr_op *op)
{
    if (op)
        TSR_MAP_EACH (&in->by_op, tsr_hash_ptr(op), x)
            if (in->functions.data[(uintptr_t)x - 1].op == op)
                return (uint32_t)((uintptr_t)x - 1);
    return UINT32_MAX;
}

static tsr_op *resolve(const inliner *in, tsr_op *from, const tsr_attr *symbol)
{
    if (tsr_symbol_table_of(from) == in->root && symbol->n == 0)
        return tsr_symtab_find(&in->symbols, symbol->s);
    return tsr_symbol_resolve(from, symbol);
}

/* The number of the function that op calls; UINT32_MAX if it is none of ours. */
static uint32_t callee_of(const inliner *in, tsr_op *op)
{
    if (!tsr_op_has(op, TSR_TRAIT(CALL)))
        return UINT32_MAX;
    tsr_attr *callee = tsr_op_attr(op, TSR_STR("callee"));
    return tsr_attr_is(callee, TSR_ATTR_SYMBOL) ? number_of(in, resolve(in, op, callee))
                                                : UINT32_MAX;
}

static bool count_ref(void *user, const tsr_attr *symbol)
{
    inliner *in = user;
    uint32_t f = number_of(in, resolve(in, in->from, symbol));
    if (f != UINT32_MAX)
        in->functions.data[f].nref += (uint32_t)in->count;
    return true;
}

/* Counts the references of op and the ops inside it, or uncounts them. */
static void count_refs(inliner *in, tsr_op *root, int count)
{
    in->count = count;
    TSR_OPS (root, op) {
        in->from = op;
        tsr_op_symbol_refs(op, count_ref, in);
    }
}

static void build_graph(inliner *in)
{
    TSR_OPS (in->root, op) {
        if (!tsr_op_has(op, TSR_TRAIT(FUNCTION)) || op->nregion == 0 || !op->regions[0].first)
            continue;
        tsr_vec_push(&in->functions, (function){.op = op});
        tsr_map_put(&in->by_op, tsr_hash_ptr(op), (void *)(uintptr_t)in->functions.n);
    }
    count_refs(in, in->root, 1);
    for (uint32_t i = 0; i < in->functions.n; i++) {
        TSR_OPS (in->functions.data[i].op, op) {
            uint32_t callee = callee_of(in, op);
            if (callee != UINT32_MAX)
                tsr_vec_push(&in->functions.data[i].callees, callee);
        }
    }
}

/* Finds components with Tarjan's algorithm, using an explicit stack; they come out callees first. */
static void find_components(inliner *in)
{
    typedef struct {
        uint32_t f, next;
    } frame;
    uint32_t n = (uint32_t)in->functions.n, index = 0, ncomponent = 0;
    frame *calls = TSR_NEW_ARRAY(in->p->scratch, frame, n);
    uint32_t *stack = TSR_NEW_ARRAY(in->p->scratch, uint32_t, n), depth = 0, nstack = 0;
    function *fs = in->functions.data;
    for (uint32_t start = 0; start < n; start++) {
        if (fs[start].index)
            continue;
        calls[depth++] = (frame){start, 0};
        while (depth) {
            frame *at = &calls[depth - 1];
            function *f = &fs[at->f];
            if (at->next == 0) {
                f->index = f->low = ++index;
                f->on_stack = true;
                stack[nstack++] = at->f;
            }
            if (at->next < f->callees.n) {
                uint32_t to = f->callees.data[at->next++];
                if (!fs[to].index)
                    calls[depth++] = (frame){to, 0};
                else if (fs[to].on_stack && fs[to].index < f->low)
                    f->low = fs[to].index;
                continue;
            }
            if (f->low == f->index) {
                uint32_t member;
                do {
                    member = stack[--nstack];
                    fs[member].on_stack = false;
                    fs[member].component = ncomponent;
                    tsr_vec_push(&in->order, member);
                } while (member != at->f);
                ncomponent++;
            }
            depth--;
            if (depth && f->low < fs[calls[depth - 1].f].low)
                fs[calls[depth - 1].f].low = f->low;
        }
    }
}

/* ---- Dead functions ---- */

static bool is_dead(const function *f)
{
    tsr_attr *v = f->op ? tsr_op_attr(f->op, TSR_STR("sym_visibility")) : NULL;
    return f->nref == 0 && tsr_attr_is(v, TSR_ATTR_STRING) && tsr_str_is(v->s, "private");
}

/* Erases function i if it is dead, and then functions that only it referred to. */
static void erase_dead(inliner *in, uint32_t i)
{
    TSR_VEC(uint32_t) work = {0};
    tsr_vec_push(&work, i);
    while (work.n) {
        function *f = &in->functions.data[work.data[--work.n]];
        if (!is_dead(f))
            continue;
        count_refs(in, f->op, -1);
        TSR_OPS (f->op, op) {
            uint32_t callee = callee_of(in, op);
            if (callee != UINT32_MAX)
                tsr_vec_push(&work, callee);
        }
        tsr_op_erase(f->op);
        f->op = NULL;
        in->p->changed = true;
    }
    tsr_vec_free(&work);
}

/* ---- Inlining ---- */

static uint64_t size_of(tsr_op *root)
{
    uint64_t n = 0;
    TSR_OPS (root, op)
        n++;
    return n;
}

static bool body_may_move(tsr_op *callee)
{
    TSR_OPS (callee, op)
        if (op != callee && !may_move(op))
            return false;
    return true;
}

/* Whether the call's values match the function's: the verifier guarantees it for func.call, but not for other
 * dialects. */
static bool signature_fits(const tsr_op *call, tsr_op *callee)
{
    const tsr_block *entry = callee->regions[0].first;
    if (entry->nargs != call->nin)
        return false;
    for (uint32_t i = 0; i < call->nin; i++)
        if (entry->args[i]->type != call->in[i].value->type)
            return false;
    TSR_REGION_BLOCKS (&callee->regions[0], b) {
        if (!b->last || !tsr_op_has(b->last, TSR_TRAIT(RETURN_LIKE)))
            continue;
        if (b->last->nin != call->nout)
            return false;
        for (uint32_t i = 0; i < call->nout; i++)
            if (b->last->in[i].value->type != call->out[i].type)
                return false;
    }
    return true;
}

static bool should_inline(const inliner *in, uint32_t caller, const tsr_op *call, uint32_t callee)
{
    const function *from = &in->functions.data[caller], *to = &in->functions.data[callee];
    tsr_op *around = tsr_block_parent(call->block);
    if (!to->op || from->component == to->component || tsr_op_has(call, TSR_TRAIT(TERMINATOR)))
        return false;
    if (!may_move(around) || tsr_op_attr(to->op, TSR_STR("no_inline")))
        return false;
    bool one_block = to->op->regions[0].first == to->op->regions[0].last;
    if (!one_block && around->def != to->op->def &&
        (tsr_op_has(around, TSR_TRAIT(SINGLE_BLOCK)) || around->def->opcode == TSR_UNREGISTERED))
        return false;
    if (one_block && !tsr_op_has(to->op->regions[0].last->last, TSR_TRAIT(RETURN_LIKE)))
        return false;
    int64_t threshold = tsr_pass_int(in->p, "inlining-threshold");
    if (threshold >= 0 && size_of(to->op) * 100 > size_of(from->op) * (uint64_t)threshold)
        return false;
    return signature_fits(call, to->op) && body_may_move(to->op);
}

static void set_call_sites(tsr_ctx *ctx, tsr_op *function_op, tsr_loc call)
{
    tsr_attr *at = tsr_loc_attr(ctx, call);
    TSR_OPS (function_op, op)
        if (op != function_op)
            op->loc = tsr_loc_of_attr(tsr_attr_loc_callsite(ctx, tsr_loc_attr(ctx, op->loc), at));
}

/* The body has one block: its ops are placed before the call, whose results become the returned values. */
static void inline_block(tsr_op *call, tsr_block *body)
{
    tsr_op *end = body->last;
    for (uint32_t i = 0; i < call->nout; i++)
        tsr_value_replace(&call->out[i], end->in[i].value);
    tsr_op_erase(end);
    tsr_block_splice(call->block, call, body);
    tsr_op_erase(call);
}

/* Several blocks: the call's block is split after the call; every return becomes a branch to the rest, whose arguments
 * are the call's results. */
static void inline_blocks(tsr_module *m, tsr_op *call, tsr_region *body)
{
    tsr_block *head = call->block, *tail = tsr_block_new(m);
    tsr_block_insert(tail, head->region, head->next);
    while (call->next) {
        tsr_op *op = call->next;
        tsr_op_remove(op);
        tsr_op_insert(op, tail, NULL);
    }
    for (uint32_t i = 0; i < call->nout; i++)
        tsr_value_replace(&call->out[i], tsr_block_add_arg(m, tail, call->out[i].type, call->loc));
    const tsr_opdef *branch = tsr_opdef_get(m->ctx, TSR_STR("cf.br"));
    for (tsr_block *b = body->first; b; b = b->next) {
        tsr_op *end = b->last;
        if (!end || !tsr_op_has(end, TSR_TRAIT(RETURN_LIKE)))
            continue;
        TSR_VEC(tsr_value *) in = {0};
        for (uint32_t k = 0; k < end->nin; k++)
            tsr_vec_push(&in, end->in[k].value);
        tsr_op *jump = tsr_op_new(m, branch, end->loc, in.data, in.n, NULL, 0, 0, 1);
        tsr_vec_free(&in);
        tsr_op_set_successor(jump, 0, tail);
        tsr_op_insert(jump, b, end);
        tsr_op_erase(end);
    }
    tsr_block *entry = body->first;
    tsr_op_erase(call);
    tsr_block_splice(head, NULL, entry);
    tsr_block_remove(entry);
    for (tsr_block *b; (b = body->first) != NULL;) {
        tsr_block_remove(b);
        tsr_block_insert(b, head->region, tail);
    }
}

static tsr_op *copy_callee(const tsr_op *call, tsr_op *callee)
{
    tsr_mapping map = {0};
    tsr_op *copy = tsr_op_clone(call->module, callee, &map);
    tsr_mapping_free(&map);
    set_call_sites(call->module->ctx, copy, call->loc);
    return copy;
}

/* The body of a copy of the callee takes the place of the call. */
static void place_copy(tsr_op *call, tsr_op *copy)
{
    tsr_module *m = call->module;
    tsr_region *body = &copy->regions[0];
    tsr_block *entry = body->first;
    for (uint32_t i = 0; i < entry->nargs; i++)
        tsr_value_replace(entry->args[i], call->in[i].value);
    if (body->first == body->last)
        inline_block(call, entry);
    else
        inline_blocks(m, call, body);
}

void tsr_inline_call(tsr_op *call, tsr_op *callee)
{
    place_copy(call, copy_callee(call, callee));
}

static bool simplify(inliner *in, tsr_op *op)
{
    bool changed = false;
    bool ok = tsr_pipeline_run(in->p->pipelines, in->simplify, op, in->p->options, &changed);
    in->p->changed |= changed;
    return ok;
}

/* One round over the calls of function i; last first, so that splitting a block moves each op once. */
static bool inline_calls(inliner *in, uint32_t i)
{
    TSR_VEC(tsr_op *) calls = {0};
    bool any = false;
    TSR_OPS (in->functions.data[i].op, op)
        if (callee_of(in, op) != UINT32_MAX)
            tsr_vec_push(&calls, op);
    for (size_t k = calls.n; k > 0; k--) {
        tsr_op *call = calls.data[k - 1];
        uint32_t callee = callee_of(in, call);
        if (!should_inline(in, i, call, callee))
            continue;
        tsr_inline_call(call, in->functions.data[callee].op);
        in->p->changed = any = true;
    }
    tsr_vec_free(&calls);
    return any;
}

/* Inlines the calls of function i, and those that the copies bring along. */
static void inline_all(inliner *in, uint32_t i)
{
    TSR_VEC(tsr_op *) calls = {0};
    TSR_OPS (in->functions.data[i].op, op)
        if (tsr_op_has(op, TSR_TRAIT(CALL)))
            tsr_vec_push(&calls, op);
    while (calls.n) {
        tsr_op *call = calls.data[--calls.n];
        uint32_t callee = callee_of(in, call);
        if (callee == UINT32_MAX || !should_inline(in, i, call, callee))
            continue;
        tsr_op *copy = copy_callee(call, in->functions.data[callee].op);
        TSR_OPS (copy, op)
            if (tsr_op_has(op, TSR_TRAIT(CALL)))
                tsr_vec_push(&calls, op);
        place_copy(call, copy);
        in->p->changed = true;
    }
    tsr_vec_free(&calls);
}

static bool process(inliner *in, uint32_t i, bool callers_first)
{
    tsr_op *op = in->functions.data[i].op;
    int64_t max = tsr_pass_int(in->p, "max-iterations");
    count_refs(in, op, -1);
    bool ok = simplify(in, op);
    if (ok && callers_first) {
        inline_all(in, i);
        ok = simplify(in, op);
    }
    for (int64_t round = 0; ok && !callers_first && round < max && inline_calls(in, i); round++)
        ok = simplify(in, op);
    count_refs(in, op, 1);
    return ok;
}

static bool is_recursive(const inliner *in)
{
    const function *fs = in->functions.data;
    for (uint32_t i = 0; i < in->functions.n; i++)
        for (size_t k = 0; k < fs[i].callees.n; k++)
            if (fs[fs[i].callees.data[k]].component == fs[i].component)
                return true;
    return false;
}

static bool run(inliner *in)
{
    tsr_str text = tsr_pass_str(in->p, "default-pipeline");
    in->simplify = tsr_pipeline_parse_list(in->p->pipelines, TSR_STR("any"), text);
    TSR_TRY(in->simplify);
    build_graph(in);
    find_components(in);
    for (uint32_t i = 0; i < in->functions.n; i++)
        erase_dead(in, i);
    bool callers_first = tsr_pass_bool(in->p, "callers-first") && !is_recursive(in);
    for (size_t k = 0; k < in->order.n; k++) {
        uint32_t i = in->order.data[callers_first ? in->order.n - 1 - k : k];
        if (callers_first)
            erase_dead(in, i);
        if (in->functions.data[i].op)
            TSR_TRY(process(in, i, callers_first));
    }
    for (uint32_t i = 0; i < in->functions.n; i++)
        erase_dead(in, i);
    return true;
}

bool pass_inline(tsr_pass *p, tsr_op *root)
{
    if (!tsr_op_has(root, TSR_TRAIT(SYMBOL_TABLE)))
        return tsr_op_error(
            root, " was scheduled to run under the inliner, but does not define a symbol table");
    inliner in = {.p = p, .root = root};
    tsr_symtab_init(&in.symbols, root);
    bool ok = run(&in);
    tsr_symtab_free(&in.symbols);
    for (size_t i = 0; i < in.functions.n; i++)
        tsr_vec_free(&in.functions.data[i].callees);
    tsr_vec_free(&in.functions);
    tsr_vec_free(&in.order);
    tsr_map_free(&in.by_op);
    return ok;
}
