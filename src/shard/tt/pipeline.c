/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline.c - stablehlo-pipeline: the passes of tt-mlir and Shardy that it runs, in order.
 *
 * Nothing is canonicalized between wrapping and cutting: a manual computation without manual axes would be inlined. */
#include "shard/passes.h"
#include "shard/tt/tt.h"

const char tsr_tt_after_mesh[] =
    "decouple-const-fanout,decompose-custom-call-tuples,"
    "flatten-or-convert-composites,register-custom-sharding-rule,register-user-sharding-rule,"
    "sdy-apply-sharding-constraints,"
    "sdy-user-priority-propagate{conservative-propagation=true all-functions=true},"
    /* Propagation drops rules that the user did not write. */
    "register-custom-sharding-rule,sdy-remove-sharding-groups,func.func(sdy-sharding-"
    "constraint-to-reshard),"
    "replicate-non-splittable-values,insert-reshards-for-unpropagated-ops,"
    "insert-explicit-reshards,wrap-under-manual-computation,"
    "func.func(sdy-reshard-to-collectives),shardy-ccl-canonicalization,"
    "annotate-local-shapes,update-global-to-local-shapes,"
    "func.func(sdy-drop-sharding-rules),reoutline-composite,"
    "fuse-distributed-custom-calls,sdy-close-shardings,canonicalize";

static void add_list(const tsr_pass *p, tsr_buf *out, const char *name)
{
    tsr_str item;
    for (size_t i = 0; tsr_pass_item(p, name, i, &item); i++) {
        if (i == 0)
            tsr_buf_printf(out, " %s=", name);
        tsr_buf_cstr(out, i ? "," : "");
        tsr_option_quote(out, item);
    }
}

void expand_tt_stablehlo_pipeline(const tsr_pass *p, tsr_buf *out)
{
    tsr_str types = tsr_pass_str(p, "argument-types");
    tsr_buf_cstr(out, "inline,");
    if (types.len) {
        tsr_buf_cstr(out, "tt-populate-argument-types{argument-types=");
        tsr_option_quote(out, types);
        tsr_buf_cstr(out, "},");
    }
    tsr_buf_cstr(out, "convert-xla-sdy-to-sdy,");
    if (tsr_pass_bool(p, "enable-aggressive-simplification"))
        tsr_buf_cstr(out, "func.func(stablehlo-aggressive-simplification),");
    tsr_buf_cstr(out, "stablehlo-fusing,partially-convert-sdy-to-stablehlo,"
                      "apply-argument-shard-status{");
    add_list(p, out, "result-presharded");
    tsr_buf_printf(out, "},analyze-mesh{automatic-arg-analysis=%s",
                   tsr_pass_bool(p, "automatic-arg-analysis") ? "true" : "false");
    add_list(p, out, "mesh-shape");
    tsr_buf_cstr(out, "},");
    if (tsr_pass_bool(p, "enable-auto-sharding")) {
        tsr_buf_printf(out, "auto-sharding{dump-variants=%s dump-dir=",
                       tsr_pass_bool(p, "dump-variants") ? "true" : "false");
        tsr_option_quote(out, tsr_pass_str(p, "dump-dir"));
        tsr_buf_cstr(out, "},");
    }
    tsr_buf_cstr(out, tsr_tt_after_mesh);
}
