/* SPDX-License-Identifier: Apache-2.0 */
/* runnable.c - lowers what the evaluator has no kernels for: control flow on scalars, derivatives requested by name,
 * custom calls that represent ops, and manual parts of GSPMD; for partitioning, also shardings in forms other than
 * Shardy's. */
#include "api/api.h"
#include "api/eval.h"
#include "dialect/opcode.h"
#include "lower/lower.h"
#include "shard/gspmd/gspmd.h"

typedef struct {
    bool derivatives, scalars, graph, calls;
} needs;

static needs needs_of(tsr_module *m)
{
    needs n = {0};
    TSR_OPS (m->op, op) {
        if (op->def->opcode == TSR_UNREGISTERED)
            continue;
        n.derivatives |= tsr_op_is(op, TSR_OP_TESSERA_FORWARD) ||
                         tsr_op_is(op, TSR_OP_TESSERA_REVERSE) || tsr_op_is(op, TSR_OP_TESSERA_VJP);
        n.scalars |= tsr_op_in(op, TSR_DIALECT_SCF) || tsr_op_in(op, TSR_DIALECT_ARITH) ||
                     tsr_op_is(op, TSR_OP_TENSOR_EXTRACT);
        n.graph |= tsr_op_in(op, TSR_DIALECT_TESSERA);
        n.calls |= tsr_is_raised_call(op);
    }
    return n;
}

bool tsr_is_runnable(tsr_module *m)
{
    needs n = needs_of(m);
    return !n.derivatives && !n.scalars && !n.calls && !tsr_has_gspmd(m->op, true);
}

bool tsr_make_runnable(tsr_module *m, bool partition)
{
    needs n = needs_of(m);
    return (!n.calls || tsr_run_pass(m, "tessera-raise-custom-calls", NULL, 0)) &&
           (!n.scalars || tsr_run_pass(m, "scf-to-stablehlo", NULL, 0)) &&
           (!n.derivatives || tsr_run_pass(m, "tessera-lower-autodiff", NULL, 0)) &&
           (!partition || !n.graph || tsr_run_pass(m, "tessera-import-shardings", NULL, 0)) &&
           (!tsr_has_gspmd(m->op, !partition) || tsr_run_pass(m, "tessera-import-gspmd", NULL, 0));
}
