/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline.c - --ttir-to-ttnn-backend-pipeline and its other names: lowers a TTIR program to TTNN; and the pipeline to
 * host commands. */
#include <stdio.h>

#include "lower/ttnn/ttnn.h"

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

static bool on(const tsr_pass *p, const char *name)
{
    return tsr_pass_bool(p, name);
}

static void put(tsr_buf *out, const char *text)
{
    tsr_buf_printf(out, "%s,", text);
}

static void put_if(const tsr_pass *p, tsr_buf *out, const char *name, const char *text)
{
    if (on(p, name))
        put(out, text);
}

static const char *word(bool b)
{
    return b ? "true" : "false";
}

static void fusing(const tsr_pass *p, tsr_buf *out)
{
    if (!on(p, "enable-fusing-pass"))
        return;
    tsr_buf_printf(out,
                   "ttir-fusing{ttnn-enable-conv2d-with-multiply-pattern=%s "
                   "enable-permute-matmul-fusion=%s enable-permute-slice-after-matmul-fusion=%s},",
                   word(on(p, "enable-fusing-conv2d-with-multiply-pattern")),
                   word(on(p, "enable-permute-matmul-fusion")),
                   word(on(p, "enable-permute-slice-after-matmul-fusion")));
}

static void arguments(const tsr_pass *p, tsr_buf *out)
{
    tsr_str types = tsr_pass_str(p, "argument-types");
    tsr_buf_printf(out, "tt-populate-argument-types");
    if (types.len) {
        tsr_buf_printf(out, "{argument-types=");
        tsr_option_quote(out, types);
        tsr_buf_printf(out, "}");
    }
    tsr_buf_printf(out, ",");
}

static void on_ttir(const tsr_pass *p, tsr_buf *out)
{
    static const char fold[] = "enable-implicit-broadcast-folding-pass";
    put(out, "ttir-element-type-normalization");
    device(p, out);
    arguments(p, out);
    put(out, "canonicalize");
    fusing(p, out);
    tsr_buf_printf(out, "ttir-quant-dequant-conversion{when=%.*s},",
                   TSR_STR_ARG(tsr_pass_str(p, "enable-quant-dequant-conversion-pass")));
    put(out, "ttir-decompose-gather,ttir-to-ttir-decomposition,canonicalize");
    put_if(p, out, fold, "ttir-implicit-broadcast-fold");
    fusing(p, out);
    put(out, "canonicalize,inline,ttir-infer-kv-cache-argument-types,ttir-propagate-weight-dtype,"
             "ttir-flatten-sliding-window");
    put_if(p, out, "enable-erase-inverse-ops-pass", "ttir-explicate-tms,ttir-erase-inverse-ops");
    put_if(p, out, fold, "ttir-implicit-broadcast-fold");
    fusing(p, out);
    put(out, "ttir-fold-full-to-scalar");
    /* Nothing in a program guarantees that the counts of its caches are equal. */
    put_if(p, out, "enable-static-cache-consolidation", "ttir-consolidate-static-cache-updates");
    put(out, "cse");
    tsr_buf_printf(out, "ttir-quant-data-type-conversion{target-bit-width=%lld},cse,",
                   (long long)tsr_pass_int(p, "target-bit-width"));
    tsr_buf_printf(out, on(p, "enable-const-eval") ? "const-eval-hoist-transform" : "cse");
}

static void workarounds(const tsr_pass *p, tsr_buf *out)
{
    if (on(p, "disable-workarounds"))
        return;
    tsr_buf_printf(out,
                   "ttnn-workaround{ttnn-enable-layout-workaround-pass=%s "
                   "ttnn-enable-decomposition-workaround-pass=%s ttnn-optimization-level=%lld},",
                   word(on(p, "enable-layout-workaround-pass")),
                   word(on(p, "enable-decomposition-workaround-pass")),
                   (long long)tsr_pass_int(p, "optimization-level"));
    put(out, "canonicalize,cse");
}

static void narrower(const tsr_pass *p, tsr_buf *out)
{
    tsr_str cache = tsr_pass_str(p, "experimental-kv-cache-dtype");
    tsr_buf_printf(out, "ttnn-weight-dtype-conversion{target-dtype=%.*s},",
                   TSR_STR_ARG(tsr_pass_str(p, "experimental-weight-dtype")));
    if (!tsr_str_is(cache, "none"))
        tsr_buf_printf(out, "ttnn-kv-cache-dtype-conversion{target-dtype=%.*s},",
                       TSR_STR_ARG(cache));
    put_if(p, out, "enable-activation-dtype-lowering", "ttnn-ccl-activation-dtype-lowering");
}

static void configs(const tsr_pass *p, tsr_buf *out)
{
    static const char *const names[] = {"math-fidelity", "math-approx-mode", "fp32-dest-acc-en",
                                        "packer-l1-acc", "dst-full-sync-en"};
    tsr_buf_printf(out, "ttnn-set-compute-kernel-config{");
    for (size_t i = 0; i < TSR_COUNT(names); i++) {
        char option[64];
        snprintf(option, sizeof option, "compute-cfg-%s", names[i]);
        tsr_buf_printf(out, "%s%s=%.*s", i ? " " : "", names[i],
                       TSR_STR_ARG(tsr_pass_str(p, option)));
    }
    tsr_buf_printf(out, "},");
}

static void metrics(const tsr_pass *p, tsr_buf *out)
{
    tsr_buf_printf(out, ",ttnn-collect-perf-metrics{ttnn-perf-metrics-output-file=");
    tsr_option_quote(out, tsr_pass_str(p, "ttnn-perf-metrics-output-file"));
    tsr_buf_printf(out, " ttnn-perf-metrics-verbose-output-enabled=%s ttnn-enable-trace=%s}",
                   word(on(p, "ttnn-perf-metrics-verbose-output-enabled")),
                   word(on(p, "enable-trace")));
}

static void on_ttnn(const tsr_pass *p, tsr_buf *out)
{
    put(out, "ttnn-layout,convert-ttir-to-ttnn");
    put_if(p, out, "enable-remove-dead-values", "remove-dead-values");
    tsr_buf_printf(out, "ttnn-resolve-composites{composite-resolution=%.*s},",
                   TSR_STR_ARG(tsr_pass_str(p, "composite-resolution")));
    put(out, "canonicalize,symbol-dce");
    put_if(p, out, "enable-fusing-pass", "ttnn-fusing");
    put_if(p, out, "enable-ttnn-decomposition-pass", "ttnn-decomposition");
    tsr_buf_printf(out, "ttnn-memory-management{aggressive-memory-saving=%s},",
                   word(on(p, "enable-dram-space-saving-optimization-pass")));
    workarounds(p, out);
    narrower(p, out);
    configs(p, out);
    put_if(p, out, "enable-const-eval", "const-eval-hoist-transform");
    put(out, "ttnn-configure-ccl-ops,ttnn-prepare-conv3d-weights");
    put_if(p, out, "enable-const-eval", "const-eval-hoist-transform");
    if (on(p, "enable-const-eval"))
        put_if(p, out, "enable-const-eval-inputs-to-system-memory",
               "ttnn-force-const-eval-to-system-memory,canonicalize");
    put_if(p, out, "enable-trace", "ttnn-trace-hoist-transform");
    put(out, "ttnn-decompose-layouts,canonicalize,ttcore-optimization-barrier-fold");
    tsr_buf_printf(out, "ttnn-deallocate");
    if (on(p, "ttnn-perf-metrics-enabled"))
        metrics(p, out);
}

void tsr_ttnn_pipeline(const tsr_pass *p, tsr_buf *out)
{
    if (tsr_pass_int(p, "optimization-level") > 0 || on(p, "enable-optimizer") ||
        on(p, "enable-create-d2m-subgraphs"))
        put(out, "ttnn-optimizer");
    put(out, "ttcore-mark-functions-as-forward,ttcore-wrap-device-module,"
             "cpu-hoist-manually-tagged,cpu-hoist-non-lowerable-shlo-ops");
    tsr_buf_printf(out, "ttcore.device_module(builtin.module(");
    on_ttir(p, out);
    tsr_buf_printf(out, ")),");
    put_if(p, out, "enable-cpu-hoisted-const-eval", "cpu-hoist-const-eval");
    tsr_buf_printf(out, "ttcore.device_module(builtin.module(");
    on_ttnn(p, out);
    tsr_buf_printf(out, "))");
}

void expand_ttir_to_ttnn_backend_pipeline(const tsr_pass *p, tsr_buf *out)
{
    tsr_ttnn_pipeline(p, out);
}

void expand_ttir_to_ttnn_runtime_pipeline(const tsr_pass *p, tsr_buf *out)
{
    tsr_ttnn_pipeline(p, out);
}

void expand_ttir_to_ttnn_common_pipeline(const tsr_pass *p, tsr_buf *out)
{
    tsr_ttnn_pipeline(p, out);
}

void expand_ttir_to_ttmetal_host_pipeline(const tsr_pass *p, tsr_buf *out)
{
    put(out, "ttcore-mark-functions-as-forward,ttcore-wrap-device-module");
    tsr_buf_printf(out, "ttcore.device_module(builtin.module(");
    device(p, out);
    arguments(p, out);
    tsr_buf_printf(out, "inline)),cpu-hoist-forward");
}
