/* SPDX-License-Identifier: Apache-2.0 */
/* infer_types.c - makes unranked and dynamic types as precise as possible, including those of functions.
 *
 * One worklist of ops for the whole module. The inference of an op's row, and the rules of set R, refine the types of
 * its results; users of changed values are visited again. Types only become more precise, a few times each, so the work
 * is linear. Integers used to compute shapes are tracked as well, through functions and calls, but nothing is folded:
 * no op is created or erased. A private function gets the most precise types that fit all its calls; a call has its
 * function's result types.
 *
 * At the end, ops that require their original types (of dialects that know no refinement, branches, calls of functions
 * that may be called from outside) get casts to those. Needs nothing; keeps everything else; breaks ids. */
#include "pass/shape/infer.h"

/* ---- Known integers ---- */

/* Shapes are short; longer tensors are data. */
enum { MAX_KNOWN = 256 };

static bool small_ints(const tsr_value *v)
{
    const tsr_type *t = v->type;
    int64_t n = tsr_type_is(t, TSR_TYPE_TENSOR) && t->elem->kind == TSR_TYPE_INTEGER
                    ? tsr_type_num_elements(t)
                    : -1;
    return n >= 0 && n <= MAX_KNOWN;
}

void tsr_inference_know(tsr_inference *s, tsr_value *v, tsr_attr *value)
{
    if (!value || v->id >= s->r.nknown || s->r.known[v->id] || value->type != v->type)
        return;
    s->r.known[v->id] = value;
    for (tsr_use *u = v->uses; u; u = u->next)
        tsr_rw_touch(&s->r, u->user);
}

static bool has_zero(const tsr_inference *s, const tsr_op *op)
{
    size_t n;
    const int64_t *ints =
        op->nin > 1 ? tsr_const_ints((tsr_rewriter *)&s->r, tsr_rw_in(op, 1), &n) : NULL;
    for (size_t i = 0; ints && i < n; i++)
        if (!ints[i])
            return true;
    return false;
}

/* The result of an op on known integers; sizes of dimensions are known from types. */
static tsr_attr *compute(tsr_inference *s, tsr_op *op)
{
    if (tsr_op_is(op, TSR_OP_STABLEHLO_GET_DIMENSION_SIZE)) {
        const tsr_type *t = tsr_rw_in(op, 0)->type;
        int64_t d = op->attrs[STABLEHLO_GET_DIMENSION_SIZE_dimension]->i;
        bool known = tsr_type_is(t, TSR_TYPE_TENSOR) && d >= 0 && d < t->n && t->dims[d] >= 0;
        return known ? tsr_const_number(&s->r, op->out[0].type, t->dims[d]) : NULL;
    }
    if (!op->nin || op->nregion || !tsr_op_has(op, TSR_TRAIT(NO_EFFECT)))
        return NULL;
    for (uint32_t i = 0; i < op->nin; i++)
        if (!small_ints(tsr_rw_in(op, i)) || !tsr_known_of(&s->r, tsr_rw_in(op, i)))
            return NULL;
    return tsr_op_has(op, TSR_TRAIT(DIVIDES)) && has_zero(s, op) ? NULL
                                                                 : tsr_fold_by_kernel(&s->r, op);
}

static void learn(tsr_inference *s, tsr_op *op)
{
    if (op->nout == 1 && op->out[0].id < s->r.nknown && !s->r.known[op->out[0].id] &&
        small_ints(&op->out[0]) && !tsr_value_is_constant(&op->out[0]))
        tsr_inference_know(s, &op->out[0], compute(s, op));
}

/* ---- Inference ---- */

/* Rows look for constants: known operands are presented as constants. */
static tsr_op with_constants(tsr_inference *s, const tsr_op *op)
{
    tsr_op shell = *op;
    bool some = false;
    for (uint32_t i = 0; i < op->nin && !some; i++)
        some = tsr_known_of(&s->r, tsr_rw_in(op, i)) && !tsr_value_is_constant(tsr_rw_in(op, i));
    if (!some)
        return shell;
    shell.in = TSR_NEW_ARRAY(s->p->scratch, tsr_use, op->nin);
    for (uint32_t i = 0; i < op->nin; i++) {
        shell.in[i] = op->in[i];
        tsr_attr *value = tsr_known_of(&s->r, tsr_rw_in(op, i));
        if (!value || tsr_value_is_constant(tsr_rw_in(op, i)))
            continue;
        tsr_op *constant = TSR_NEW_ARRAY(s->p->scratch, tsr_op, 1);
        tsr_value *v = TSR_NEW_ARRAY(s->p->scratch, tsr_value, 1);
        *v = (tsr_value){.type = value->type, .op = constant, .id = UINT32_MAX};
        *constant = (tsr_op){.def = tsr_opdef_of(s->p->ctx, TSR_OP_STABLEHLO_CONSTANT),
                             .module = op->module,
                             .loc = op->loc,
                             .out = v,
                             .nout = 1};
        constant->attrs = TSR_NEW_ARRAY(s->p->scratch, tsr_attr *, constant->def->nslot);
        constant->attrs[STABLEHLO_CONSTANT_value] = value;
        shell.in[i].value = v;
    }
    return shell;
}

/* Whether an operand no longer has its original type. */
static bool refined(const tsr_inference *s, const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_value *v = tsr_rw_in(op, i);
        if (v->id < s->r.nknown && (s->written[v->id] != v->type || s->r.known[v->id]))
            return true;
    }
    return false;
}

static void infer(tsr_inference *s, tsr_op *op)
{
    if (!op->def->infer || !op->nout)
        return;
    tsr_type_vec types = {0};
    tsr_op shell = with_constants(s, op);
    if (tsr_refine_inferred_types(&shell, &types)) {
        (void)tsr_refine_results(&s->r, op, types.data, types.n);
    } else if (s->trials) {
        s->contradiction |= refined(s, op) || op->id >= s->nid;
    } else if (s->options.loud) {
        types.n = 0;
        uint32_t before = s->p->ctx->nerror;
        bool ok = op->def->infer(&shell, &types);
        if (!ok && s->p->ctx->nerror == before)
            tsr_op_error(op, "has operands whose types contradict each other");
        s->r.failed |= !ok;
    }
    tsr_vec_free(&types);
}

/* Both branches of an scf.if yield its results: their types must cover both. */
static void join_branches(tsr_inference *s, tsr_op *op)
{
    const tsr_block *a = op->regions[0].first, *b = op->regions[1].first;
    if (!a || !b || !a->last || !b->last || a->last->nin != op->nout || b->last->nin != op->nout)
        return;
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_value *v = &op->out[i];
        tsr_type *t = tsr_type_either(tsr_rw_in(a->last, i)->type, tsr_rw_in(b->last, i)->type);
        if (t)
            (void)tsr_refine_values(&s->r, op, &v, &t, 1);
    }
}

static void look_at(tsr_inference *s, tsr_op *op)
{
    tsr_arena_mark mark = tsr_arena_save(s->p->scratch);
    /* An op with its original types is valid, even where its row would infer other types. */
    s->options.loud = !s->trials && refined(s, op);
    learn(s, op);
    tsr_inference_call(s, op);
    if (op->def->opcode != TSR_UNREGISTERED) {
        uint16_t c = op->def->opcode;
        for (uint16_t i = s->rules.first[c]; i < s->rules.first[c + 1] && op->block && !s->r.failed;
             i++)
            (void)s->rules.rules[i](&s->r, op);
    }
    if (op->block && !s->r.failed && tsr_op_is(op, TSR_OP_SCF_IF))
        join_branches(s, op);
    else if (op->block && !s->r.failed &&
             (tsr_op_is(op, TSR_OP_SCF_FOR) || tsr_op_is(op, TSR_OP_SCF_WHILE)))
        tsr_inference_loop(s, op);
    else if (op->block && !s->r.failed && tsr_op_is(op, TSR_OP_SCF_CONDITION))
        tsr_inference_condition(s, op);
    else if (op->block && !s->r.failed && tsr_op_is(op, TSR_OP_TENSOR_CAST))
        (void)tsr_refine_results(&s->r, op, &tsr_rw_in(op, 0)->type, 1);
    else if (op->block && !s->r.failed)
        infer(s, op);
    tsr_op *parent = op->block ? tsr_block_parent(op->block) : NULL;
    if (parent && tsr_op_is(op, TSR_OP_SCF_YIELD) && parent != s->inside)
        tsr_rw_touch(&s->r, parent);
    tsr_arena_rewind(s->p->scratch, mark);
}

/* ---- The worklist ---- */

/* First all ops once, in order; then those affected by a change. A queue rather than a stack: when an op is visited,
 * most of its operands have been refined already. */
static tsr_op *next(tsr_inference *s)
{
    while (s->head < s->r.list.n) {
        tsr_op *op = s->r.list.data[s->head++];
        if (!op)
            continue;
        tsr_rw_taken(&s->r, op);
        return op;
    }
    s->r.list.n = s->head = 0;
    return tsr_rw_next_later(&s->r);
}

static void run(tsr_inference *s, tsr_op *root)
{
    TSR_OPS (root, op)
        if (op != root)
            tsr_rw_touch(&s->r, op);
    do {
        for (tsr_op *op; !s->r.failed && (op = next(s)) != NULL;)
            look_at(s, op);
    } while (!s->r.failed && tsr_inference_functions(s));
}

bool tsr_inference_inside(tsr_inference *s, tsr_op *op)
{
    struct tsr_rewriter outer = s->r;
    size_t head = s->head;
    bool contradiction = s->contradiction;
    const tsr_op *inside = s->inside;
    memset(&s->r.list, 0, sizeof s->r.list);
    memset(&s->r.later, 0, sizeof s->r.later);
    s->head = 0;
    s->contradiction = false;
    s->inside = op;
    s->trials++;
    TSR_OPS (op, inner)
        if (inner != op)
            tsr_rw_touch(&s->r, inner);
    for (tsr_op *inner; !s->r.failed && (inner = next(s)) != NULL;)
        if (inner != op)
            look_at(s, inner);
    s->trials--;
    bool ok = !s->contradiction && !s->r.failed;
    tsr_vec_free(&s->r.list);
    tsr_vec_free(&s->r.later);
    s->r.list = outer.list;
    s->r.later = outer.later;
    s->r.failed = outer.failed;
    s->head = head;
    s->contradiction = contradiction;
    s->inside = inside;
    return ok;
}

bool pass_tessera_infer_types(tsr_pass *p, tsr_op *root)
{
    tsr_inference s = {
        .p = p,
        .options = {.rules = &tsr_hlo_rewrites, .sets = TSR_RULES_REFINE, .refine_all = true}};
    s.r = (tsr_rewriter){.ctx = p->ctx, .module = p->module, .p = p, .o = &s.options};
    s.r.nknown = p->module->nvalue;
    s.r.known = TSR_NEW_ARRAY(p->scratch, tsr_attr *, s.r.nknown + 1);
    s.written = TSR_NEW_ARRAY(p->scratch, tsr_type *, s.r.nknown + 1);
    tsr_inference_start(&s, root);
    s.rules = tsr_rewrites_list(s.options.rules, s.options.sets, p->scratch);
    run(&s, root);
    if (!s.r.failed)
        tsr_inference_mend(&s, root);
    tsr_inference_end(&s);
    tsr_rw_free(&s.r);
    return !s.r.failed;
}
