/* SPDX-License-Identifier: Apache-2.0 */
/* hlo_test_infer.c - runs inference on the op that defines the operand of a "hlo_test_infer" op:
 *
 *   get_return_types            becomes return_types with attributes types0, types1, ...: the inferred types
 *   get_return_type_components  becomes return_type_components with the same; element types not inferred are index
 *   reify_return_type_shapes    is replaced by values that compute the shapes of the results
 *
 * If the op cannot infer them, the query stays. Then canonicalize cleans up. Needs nothing; breaks ids. */
#include "pass/pass.h"

#include <stdio.h>

/* The query's op under another name, with one type attribute per type. */
static void answer(tsr_op *question, tsr_str name, const tsr_type_vec *types)
{
    tsr_module *m = question->module;
    tsr_ctx *ctx = m->ctx;
    tsr_type_vec out = {0};
    for (uint32_t i = 0; i < question->nout; i++)
        tsr_vec_push(&out, question->out[i].type);
    tsr_op *op = tsr_op_new(m, tsr_opdef_get(ctx, name), question->loc, &question->in[0].value, 1,
                            out.data, out.n, 0, 0);
    tsr_vec_free(&out);
    op->extra = question->extra;
    for (size_t i = 0; i < types->n; i++) {
        char key[32];
        int len = snprintf(key, sizeof key, "types%zu", i);
        const tsr_name *at = tsr_name_get(ctx, tsr_str_of(key, (size_t)len));
        op->extra = tsr_dict_with(ctx, op->extra, at, tsr_attr_type(ctx, types->data[i]));
    }
    tsr_op_insert(op, question->block, question);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_value_replace(&question->out[i], &op->out[i]);
    tsr_op_erase(question);
}

static bool ask_types(tsr_op *question, const tsr_op *made, tsr_traits trait, tsr_str name)
{
    tsr_type_vec types = {0};
    bool ok = tsr_op_has(made, trait) && made->def->infer && made->def->infer(made, &types);
    if (ok && !tsr_op_has(made, TSR_TRAIT(INFER_TYPES)))
        for (size_t i = 0; i < types.n; i++) {
            const tsr_type *t = types.data[i];
            if (tsr_type_is(t, TSR_TYPE_TENSOR))
                types.data[i] = tsr_type_tensor(t->ctx, t->dims, t->n, t->ctx->index, t->attr);
        }
    if (ok)
        answer(question, name, &types);
    tsr_vec_free(&types);
    return ok;
}

static bool ask_shapes(tsr_op *question, tsr_op *made)
{
    tsr_value_vec shapes = {0};
    bool ok =
        made->def->reify && made->def->reify(made, question, &shapes) && shapes.n == question->nout;
    for (uint32_t i = 0; ok && i < question->nout; i++)
        tsr_value_replace(&question->out[i], shapes.data[i]);
    tsr_vec_free(&shapes);
    if (ok)
        tsr_op_erase(question);
    return ok;
}

static bool ask(tsr_op *op)
{
    if (op->nin != 1 || op->nregion || op->nsucc || op->in[0].value->is_arg)
        return false;
    tsr_op *made = op->in[0].value->op;
    if (tsr_str_is(op->def->name, "hlo_test_infer.get_return_types"))
        return ask_types(op, made, TSR_TRAIT(INFER_TYPES), TSR_STR("hlo_test_infer.return_types"));
    if (tsr_str_is(op->def->name, "hlo_test_infer.get_return_type_components"))
        return ask_types(op, made, TSR_TRAIT(INFER_SHAPED),
                         TSR_STR("hlo_test_infer.return_type_components"));
    return tsr_str_is(op->def->name, "hlo_test_infer.reify_return_type_shapes") &&
           ask_shapes(op, made);
}

bool pass_hlo_test_infer(tsr_pass *p, tsr_op *root)
{
    tsr_op *next;
    for (tsr_op *op = tsr_walk_next(root, root); op; op = next) {
        next = tsr_walk_next(root, op);
        p->changed |= ask(op);
    }
    tsr_pipeline *simplify =
        tsr_pipeline_parse_list(p->pipelines, TSR_STR("any"), TSR_STR("canonicalize"));
    TSR_TRY(simplify);
    bool changed = false;
    bool ok = tsr_pipeline_run(p->pipelines, simplify, root, p->options, &changed);
    p->changed |= changed;
    return ok;
}
