/* SPDX-License-Identifier: Apache-2.0 */
/* complex_math.c - --stablehlo-complex-math-expander: lowers functions of complex numbers to operations on their parts.
 * Needs nothing; breaks ids. */
#include "lower/lower.h"
#include "lower/passes.h"

static const struct {
    enum tsr_opcode op;
    tsr_complex_fn *fn;
} rows[] = {
    {TSR_OP_STABLEHLO_EXPONENTIAL, tsr_complex_exp},
    {TSR_OP_STABLEHLO_EXPONENTIAL_MINUS_ONE, tsr_complex_expm1},
    {TSR_OP_STABLEHLO_LOG, tsr_complex_log},
    {TSR_OP_STABLEHLO_LOG_PLUS_ONE, tsr_complex_log1p},
    {TSR_OP_STABLEHLO_SQRT, tsr_complex_sqrt},
    {TSR_OP_STABLEHLO_TAN, tsr_complex_tan},
    {TSR_OP_STABLEHLO_TANH, tsr_complex_tanh},
};

static tsr_complex_fn *function_of(const tsr_op *op)
{
    for (size_t i = 0; i < TSR_COUNT(rows); i++)
        if (tsr_op_is(op, (uint16_t)rows[i].op) &&
            op->in[0].value->type->elem->kind == TSR_TYPE_COMPLEX)
            return rows[i].fn;
    return NULL;
}

bool pass_stablehlo_complex_math_expander(tsr_pass *p, tsr_op *root)
{
    tsr_op *next;
    for (tsr_op *op = tsr_walk_next(root, root); op; op = next) {
        next = tsr_walk_next(root, op);
        tsr_complex_fn *fn = function_of(op);
        if (!fn)
            continue;
        tsr_build b = tsr_build_before(op);
        tsr_value *made = tsr_apply(&b, op->in[0].value, NULL, fn);
        bool ok = made && !b.failed;
        if (ok)
            tsr_build_replace(op, &made);
        tsr_build_free(&b);
        TSR_TRY(ok);
        p->changed = true;
    }
    return true;
}
