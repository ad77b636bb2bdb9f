/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - TTNN's rules as a value, how canonicalize applies them, and the context in which a rule works. */
#include "pass/ttnn/nn.h"

static const tsr_rewrite rules[] = {
#define RULE(id, s, e, f) {0, TSR_OP_##id, (e), (s), rule_##f},
#include "pass/ttnn/rules.def"
};

const tsr_rewrites tsr_nn_rewrites = {rules, TSR_COUNT(rules)};

const tsr_simplify_options canonicalize_ttnn = {.rules = &tsr_nn_rewrites,
                                                .sets = TSR_NN_CANON | TSR_NN_FOLD,
                                                .top_down = true,
                                                .keep_regions = true,
                                                .max_rounds = TSR_NN_ROUNDS};

bool tsr_nn_apply(tsr_pass *p, tsr_op *root, unsigned sets)
{
    tsr_simplify(p, root,
                 &(tsr_simplify_options){.rules = &tsr_nn_rewrites,
                                         .sets = sets | TSR_NN_FOLD,
                                         .top_down = true,
                                         .keep_regions = true,
                                         .max_rounds = TSR_NN_ROUNDS});
    return true;
}

/* ---- For rules ---- */

tsr_nn tsr_nn_at(tsr_rewriter *r, tsr_op *op)
{
    return (tsr_nn){.b = tsr_build_before(op), .r = r, .op = op, .before = op->prev};
}

/* Makes the driver visit the new ops. */
static void told(tsr_nn *n)
{
    tsr_op *made = n->before ? n->before->next : n->op->block->first;
    for (; made && made != n->op; made = made->next)
        tsr_rw_touch(n->r, made);
    tsr_build_free(&n->b);
}

bool tsr_nn_becomes_all(tsr_nn *n, tsr_value *const *values)
{
    told(n);
    tsr_rw_replace(n->r, n->op, values);
    return true;
}

bool tsr_nn_becomes(tsr_nn *n, tsr_value *v)
{
    return tsr_nn_becomes_all(n, &v);
}

bool tsr_nn_stays(tsr_nn *n)
{
    told(n);
    tsr_rw_touch(n->r, n->op);
    return true;
}

tsr_op *tsr_nn_single(const tsr_value *v, uint16_t opcode)
{
    tsr_op *def = tsr_rw_def_is(v, opcode);
    return def && def->nout == 1 && tsr_rw_one_use(v) ? def : NULL;
}

bool tsr_nn_tensor(const tsr_value *v)
{
    return tsr_type_is(v->type, TSR_TYPE_TENSOR) && v->type->n < TSR_TTIR_RANK &&
           tsr_type_num_elements(v->type) >= 0;
}
