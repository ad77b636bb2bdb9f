/* pipeline.c - --ttir-to-ttnn-backend-pipeline and its other names: a TTIR program down to TTNN. */
#include "lower/passes.h"

static void device(const tsr_pass *p, tsr_buf *out)
{
    static const char *const lists[] = {"mesh-shape", "mesh-topology"};
    tsr_str path = tsr_pass_str(p, "system-desc-path"),
            arch = tsr_pass_str(p, "mock-system-desc-arch"), item;
    tsr_buf_printf(out, "ttcore-register-device{mock-system-desc-arch=%.*s", TSR_STR_ARG(arch));
    if (path.len)
        tsr_buf_printf(out, " system-desc-path=%.*s", TSR_STR_ARG(path));
    for (size_t k = 0; k < TSR_COUNT(lists); k++)
        for (size_t i = 0; tsr_pass_item(p, lists[k], i, &item); i++)
            tsr_buf_printf(out, i ? ",%s%.*s" : " %s=%.*s", i ? "" : lists[k], TSR_STR_ARG(item));
    tsr_buf_printf(out, "},");
}

static void fusing(const tsr_pass *p, tsr_buf *out)
{
    if (tsr_pass_bool(p, "enable-fusing-pass"))
        tsr_buf_printf(out, "ttir-fusing,");
}

static void on_ttir(const tsr_pass *p, tsr_buf *out)
{
    bool fold = tsr_pass_bool(p, "enable-implicit-broadcast-folding-pass");
    tsr_buf_printf(out, "ttcore-mark-functions-as-forward,ttcore-wrap-device-module,ttir-element-"
                        "type-normalization,");
    device(p, out);
    tsr_buf_printf(out, "tt-populate-argument-types,canonicalize,");
    fusing(p, out);
    tsr_buf_printf(out, "ttir-to-ttir-decomposition,canonicalize,");
    if (fold)
        tsr_buf_printf(out, "ttir-implicit-broadcast-fold,");
    fusing(p, out);
    tsr_buf_printf(
        out, "canonicalize,inline,ttir-infer-kv-cache-argument-types,ttir-propagate-weight-dtype,"
             "ttir-flatten-sliding-window,");
    if (tsr_pass_bool(p, "enable-erase-inverse-ops-pass"))
        tsr_buf_printf(out, "ttir-explicate-tms,ttir-erase-inverse-ops,");
    if (fold)
        tsr_buf_printf(out, "ttir-implicit-broadcast-fold,");
    fusing(p, out);
    tsr_buf_printf(out, "ttir-fold-full-to-scalar,ttir-consolidate-static-cache-updates,cse,"
                        "ttir-quant-data-type-conversion,cse,");
}

static void lowered(const tsr_pass *p, tsr_buf *out)
{
    on_ttir(p, out);
    if (tsr_pass_bool(p, "enable-const-eval"))
        tsr_buf_printf(out, "const-eval-hoist-transform,");
    tsr_buf_printf(out, "ttnn-layout,convert-ttir-to-ttnn,canonicalize,cse,");
    tsr_buf_printf(out,
                   "ttnn-set-compute-kernel-config{math-fidelity=hifi4 fp32-dest-acc-en=true},"
                   "ttnn-configure-ccl-ops,ttnn-decompose-layouts,canonicalize,ttnn-deallocate");
}

void expand_ttir_to_ttnn_backend_pipeline(const tsr_pass *p, tsr_buf *out)
{
    lowered(p, out);
}

void expand_ttir_to_ttnn_runtime_pipeline(const tsr_pass *p, tsr_buf *out)
{
    lowered(p, out);
}

void expand_ttir_to_ttnn_common_pipeline(const tsr_pass *p, tsr_buf *out)
{
    lowered(p, out);
}
