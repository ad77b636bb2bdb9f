/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline.c - --stablehlo-to-ttir-pipeline, and --convert-arith-to-stablehlo, with which it begins. */
#include "lower/passes.h"
#include "lower/ttir/ttir.h"

void expand_stablehlo_to_ttir_pipeline(const tsr_pass *p, tsr_buf *out)
{
    if (tsr_pass_bool(p, "enable-arith-to-stablehlo"))
        tsr_buf_printf(out, "convert-arith-to-stablehlo,");
    tsr_buf_printf(out, "func.func(tessera-raise-custom-calls{keep-ttir=true}),");
    if (tsr_pass_bool(p, "enable-aggressive-simplification"))
        tsr_buf_printf(out, "func.func(stablehlo-aggressive-simplification),");
    tsr_buf_printf(
        out, "func.func(stablehlo-complex-math-expander),stablehlo-complex-data-type-conversion,");
    tsr_buf_printf(out, "legalize-stablehlo-composite-to-ttir,");
    if (tsr_pass_bool(p, "enable-composite-to-call"))
        tsr_buf_printf(out, "func.func(stablehlo-legalize-composite-to-call),");
    tsr_buf_printf(out, "inline,convert-stablehlo-to-ttir,cse");
    if (tsr_pass_bool(p, "enable-cpu-fallback"))
        tsr_buf_printf(out, ",ttcore-wrap-device-module");
}

bool pass_convert_arith_to_stablehlo(tsr_pass *p, tsr_op *root)
{
    tsr_op *next;
    for (tsr_op *op = tsr_walk_next(root, root); op; op = next) {
        next = tsr_walk_next(root, op);
        if (!tsr_op_is(op, TSR_OP_ARITH_CONSTANT) ||
            !tsr_type_is(op->out[0].type, TSR_TYPE_TENSOR) ||
            !tsr_type_has_static_shape(op->out[0].type))
            continue;
        tsr_build b = tsr_build_before(op);
        tsr_op *made = tsr_build_open(&b, TSR_OP_STABLEHLO_CONSTANT, NULL, 0, 1, 0);
        made->attrs[STABLEHLO_CONSTANT_value] = tsr_attr_of(op, ARITH_CONSTANT_value);
        tsr_build_close_as(&b, made, &op->out[0].type);
        tsr_value_replace(&op->out[0], &made->out[0]);
        tsr_op_erase(op);
        tsr_build_free(&b);
        p->changed = true;
    }
    return true;
}
