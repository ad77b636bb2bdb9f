/* SPDX-License-Identifier: Apache-2.0 */
/* auto.c - auto-sharding: tries shardings of the arguments along one axis of the mesh, and keeps those whose
 * collectives cost the least.
 *
 * An argument is cut along one of its dimensions or whole. Each candidate goes through the rest of stablehlo-pipeline;
 * candidates are compared by the cost of their collectives minus the savings of cut arguments, as tt-mlir measures
 * them. If there are few candidates all are tried; else one argument is changed at a time. Needs nothing; keeps
 * everything else; breaks ids. */
#include <stdio.h>

#include "shard/core/dump.h"
#include "shard/core/given.h"
#include "shard/passes.h"
#include "shard/tt/tt.h"

enum { MOST = 4096 }; /* with more candidates, one argument is changed at a time */

typedef struct {
    tsr_pass *p;
    tsr_op *func;
    tsr_pipeline *rest;
    tsr_str axis;
    int64_t devices; /* along it */
    uint32_t nargs;
    tsr_str dir; /* empty: nothing is written */
    bool variants;
    uint32_t tried;
} searcher;

typedef struct {
    bool works;
    double talk, saved;
} verdict;

static double elements_of(const tsr_type *t)
{
    int64_t n = tsr_type_num_elements(t);
    return n > 0 ? (double)n : 1;
}

static double largest(const tsr_op *func)
{
    double most = 1;
    const tsr_block *body = tsr_tt_body(func);
    for (uint32_t i = 0; i < body->nargs; i++)
        if (elements_of(body->args[i]->type) > most)
            most = elements_of(body->args[i]->type);
    return most;
}

/* The weight of a collective's volume. */
static double weight_of(const tsr_op *op)
{
    switch (tsr_hlo_collective_of(op)) {
    case TSR_COLLECTIVE_GATHER:
    case TSR_COLLECTIVE_PERMUTE: return 1;
    case TSR_COLLECTIVE_SCATTER:
    case TSR_COLLECTIVE_REDUCE:
    case TSR_COLLECTIVE_EXCHANGE: return 1.5;
    default: return 0;
    }
}

static double talk_of(tsr_op *module, double most)
{
    double sum = 0;
    TSR_OPS (module, op)
        if (weight_of(op) > 0)
            sum += 1 + weight_of(op) * (op->nin ? elements_of(op->in[0].value->type) : 1) / most;
    return sum;
}

/* Parameters are live all the time: cutting them counts three times as much. */
static bool is_parameter(const tsr_op *func, uint32_t i)
{
    const tsr_attr *args = func->attrs[FUNC_FUNC_arg_attrs];
    const tsr_attr *kind =
        args && i < args->n ? tsr_dict_get(args->attrs[i], TSR_TT_ARGUMENT_TYPE) : NULL;
    const tsr_type *type = tsr_tt_body(func)->args[i]->type;
    if (!kind)
        return type->n <= 4 && elements_of(type) > 1024;
    tsr_str text = tsr_attr_print(kind);
    bool held = false;
    for (size_t k = 0; k + 8 <= text.len; k++)
        held |=
            memcmp(text.data + k, "paramete", 8) == 0 || memcmp(text.data + k, "constant", 8) == 0;
    tsr_free((void *)text.data);
    return held;
}

static double saved_by(const searcher *s, const uint32_t *choice, double most)
{
    double sum = 0;
    const tsr_block *body = tsr_tt_body(s->func);
    for (uint32_t i = 0; i < s->nargs; i++)
        if (choice[i] < body->args[i]->type->n)
            sum += (is_parameter(s->func, i) ? 3 : 1) * elements_of(body->args[i]->type) / most *
                   (1 - 1 / (double)s->devices);
    return sum;
}

/* choice: by argument, the dimension to cut; its rank: none. */
static void apply(const searcher *s, tsr_module *m, tsr_op *func, const uint32_t *choice)
{
    for (uint32_t i = 0; i < s->nargs; i++) {
        const tsr_type *type = tsr_tt_body(func)->args[i]->type;
        tsr_buf text = {0};
        for (uint32_t d = 0; d < type->n; d++) {
            tsr_buf_cstr(&text, d ? "," : "");
            if (d == choice[i])
                tsr_buf_str(&text, s->axis);
            tsr_buf_char(&text, '?');
        }
        tsr_attr *sharding = tsr_given_sharding(m, type, tsr_buf_text(&text), NULL);
        if (sharding)
            tsr_sdy_set_sharding(tsr_tt_body(func)->args[i], sharding);
        tsr_buf_free(&text);
    }
}

/* Removes marks of arguments, which would block propagation. */
static void drop_marks(tsr_op *module)
{
    for (tsr_op *op = module, *next; op; op = next) {
        next = tsr_walk_next(module, op);
        if (op == module || op->nin != 1 || op->nout != 1 ||
            !tsr_str_eq(tsr_tt_target(op), TSR_STR("tt.mark_argument")) ||
            op->in[0].value->type != op->out[0].type)
            continue;
        tsr_value_replace(&op->out[0], op->in[0].value);
        tsr_op_erase(op);
    }
}

static tsr_op *first_function(tsr_op *module)
{
    TSR_TT_FUNCS(module, func)
    return func;
    return NULL;
}

/* [arg0:[S,R], arg1:[R]] */
static void choice_text(const searcher *s, const uint32_t *choice, tsr_buf *out)
{
    for (uint32_t i = 0; i < s->nargs; i++) {
        tsr_buf_printf(out, "%sarg%u:[", i ? ", " : "[", i);
        for (uint32_t d = 0; d < tsr_tt_body(s->func)->args[i]->type->n; d++) {
            tsr_buf_cstr(out, d ? "," : "");
            tsr_buf_char(out, choice[i] == d ? 'S' : 'R');
        }
        tsr_buf_char(out, ']');
    }
    tsr_buf_char(out, ']');
}

static verdict judge(searcher *s, const uint32_t *choice)
{
    tsr_ctx *ctx = s->p->ctx;
    tsr_module *copy = tsr_module_copy_borrowed(s->p->module);
    bool quiet = ctx->quiet, has_error = ctx->has_error;
    uint32_t nerror = ctx->nerror;
    tsr_run_options options = {0};
    double most = largest(s->func);
    char name[48];
    verdict v = {0};
    drop_marks(copy->op);
    apply(s, copy, first_function(copy->op), choice);
    snprintf(name, sizeof name, "variant_%02u_with_hints", s->tried);
    if (s->variants)
        tsr_save_module(copy->op, s->dir, tsr_cstr(name));
    ctx->quiet = true;
    v.works = tsr_pipeline_run(s->p->pipelines, s->rest, copy->op, &options, NULL);
    ctx->quiet = quiet;
    ctx->has_error = has_error;
    ctx->nerror = nerror;
    snprintf(name, sizeof name, "variant_%02u_with_ccls", s->tried);
    if (v.works && s->variants)
        tsr_save_module(copy->op, s->dir, tsr_cstr(name));
    if (v.works) {
        v.talk = talk_of(copy->op, most);
        v.saved = saved_by(s, choice, most);
    }
    s->tried++;
    tsr_module_free(copy);
    return v;
}

static bool is_better(verdict a, verdict b)
{
    return a.works && (!b.works || a.talk - a.saved < b.talk - b.saved);
}

static verdict try_all(searcher *s, uint64_t n, uint32_t *choice, uint32_t *best)
{
    verdict least = {0};
    const tsr_block *body = tsr_tt_body(s->func);
    for (uint64_t at = 0; at < n; at++) {
        uint64_t rest = at;
        for (uint32_t i = 0; i < s->nargs; i++) {
            uint32_t base = body->args[i]->type->n + 1;
            choice[i] = (uint32_t)(rest % base);
            rest /= base;
        }
        verdict v = judge(s, choice);
        if (is_better(v, least)) {
            least = v;
            memcpy(best, choice, s->nargs * sizeof *best);
        }
    }
    return least;
}

/* Starting with all arguments whole, changes one after the other as long as that helps. */
static verdict try_some(searcher *s, uint32_t *choice, uint32_t *best)
{
    const tsr_block *body = tsr_tt_body(s->func);
    for (uint32_t i = 0; i < s->nargs; i++)
        best[i] = body->args[i]->type->n;
    verdict least = judge(s, best);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < s->nargs; i++)
            for (uint32_t d = 0; d <= body->args[i]->type->n; d++) {
                if (d == best[i])
                    continue;
                memcpy(choice, best, s->nargs * sizeof *best);
                choice[i] = d;
                verdict v = judge(s, choice);
                if (is_better(v, least)) {
                    least = v;
                    best[i] = d;
                    again = true;
                }
            }
    }
    return least;
}

static bool skip(tsr_op *root, const char *why)
{
    tsr_emit(root->module->ctx, TSR_WARNING, root->loc, "AutoSharding: %s, skipping", why);
    return true;
}

/* The first axis of the first mesh that has several devices. */
static bool find_axis(tsr_op *root, searcher *s)
{
    tsr_meshes meshes;
    tsr_op *first = NULL;
    if (!tsr_tt_count_meshes(root, &first))
        return false;
    tsr_meshes_init(&meshes, s->p->scratch, root);
    const tsr_mesh *mesh =
        tsr_meshes_get(&meshes, tsr_attr_symbol(s->p->ctx, tsr_op_symbol(first), NULL, 0));
    for (uint32_t a = 0; mesh && a < mesh->naxis && !s->devices; a++)
        if (mesh->sizes[a] > 1) {
            s->devices = mesh->sizes[a];
            s->axis = tsr_mesh_axis_name(mesh, a)->s;
        }
    tsr_meshes_free(&meshes);
    return s->devices > 1;
}

/* The number of candidates; 0: some argument has no shape. */
static uint64_t count(const searcher *s)
{
    uint64_t n = 1;
    for (uint32_t i = 0; i < s->nargs; i++) {
        const tsr_type *t = tsr_tt_body(s->func)->args[i]->type;
        if (!tsr_type_is(t, TSR_TYPE_TENSOR) || !tsr_type_has_static_shape(t))
            return 0;
        n = n > MOST ? n : n * (t->n + 1);
    }
    return n;
}

bool pass_tt_auto_sharding(tsr_pass *p, tsr_op *root)
{
    searcher s = {.p = p, .func = first_function(root)};
    uint32_t nfunc = 0;
    s.dir = tsr_pass_str(p, "dump-dir");
    s.variants = tsr_pass_bool(p, "dump-variants");
    if (!find_axis(root, &s))
        return skip(root, "no mesh or no shardable axes found");
    TSR_TT_FUNCS(root, func)
    nfunc++;
    if (!s.func || !tsr_tt_body(s.func))
        return skip(root, "no FuncOp found");
    if (nfunc > 1)
        tsr_emit(p->ctx, TSR_WARNING, root->loc,
                 "AutoSharding: multiple FuncOps found (e.g. from composite ops); only the first "
                 "will be used for sharding enumeration");
    s.nargs = tsr_tt_body(s.func)->nargs;
    uint64_t n = count(&s);
    if (!n)
        return skip(root, "no configs enumerated");
    s.rest = tsr_pipeline_parse_list(p->pipelines, TSR_STR("builtin.module"),
                                     tsr_cstr(tsr_tt_after_mesh));
    if (!s.rest)
        return false;
    uint32_t *choice = TSR_NEW_ARRAY(p->scratch, uint32_t, s.nargs + 1),
             *best = TSR_NEW_ARRAY(p->scratch, uint32_t, s.nargs + 1);
    verdict v = n <= MOST ? try_all(&s, n, choice, best) : try_some(&s, choice, best);
    if (!v.works)
        return tsr_error(p->ctx, root->loc,
                         "AutoSharding: all sharding configurations failed to lower");
    apply(&s, p->module, s.func, best);
    if (s.dir.len) {
        tsr_buf text = {0};
        choice_text(&s, best, &text);
        tsr_emit(p->ctx, TSR_REMARK, root->loc, "AutoSharding: selected %.*s of %u",
                 TSR_STR_ARG(tsr_buf_text(&text)), s.tried);
        tsr_buf_free(&text);
        tsr_save_module(root, s.dir, TSR_STR("winner_stablehlo_with_hints"));
    }
    p->changed = true;
    return true;
}
