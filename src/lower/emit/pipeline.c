/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline.c - pipelines from TTNN, or from TTIR, to calls of ttnn's functions. */
#include "lower/emit/emit.h"

/* Functions that create inputs, and main. */
static void inputs(const tsr_pass *p, tsr_buf *out)
{
    if (!tsr_pass_bool(p, "load-input-tensors-from-disk")) {
        tsr_buf_cstr(out, "ttnn-create-input-gens,");
        return;
    }
    tsr_buf_cstr(out, "ttnn-load-input-tensors{tensor-load-directory=");
    tsr_option_quote(out, tsr_pass_str(p, "tensor-load-directory"));
    tsr_buf_cstr(out, " tensor-load-file-prefix=");
    tsr_option_quote(out, tsr_pass_str(p, "tensor-load-file-prefix"));
    tsr_buf_cstr(out, "},");
}

static void tuples(tsr_buf *out, bool empty)
{
    tsr_buf_printf(out, "ttnn-tuplify-tensors{tuplify-input-if-empty=%s},",
                   empty ? "true" : "false");
}

static void to_cpp(const tsr_pass *p, tsr_buf *out)
{
    bool library = tsr_pass_bool(p, "target-dylib");
    tsr_buf_cstr(out,
                 "ttcore-unwrap-device-module,ttnn-adjust-deallocs,ttnn-force-final-deallocs,");
    tuples(out, library || tsr_pass_bool(p, "tuplify-input-if-empty"));
    if (!library)
        inputs(p, out);
    tsr_buf_cstr(out, "convert-ttnn-to-emitc");
}

void expand_ttnn_common_to_emitc_pipeline(const tsr_pass *p, tsr_buf *out)
{
    to_cpp(p, out);
}

void expand_ttir_to_emitc_pipeline(const tsr_pass *p, tsr_buf *out)
{
    tsr_ttnn_pipeline(p, out);
    tsr_buf_cstr(out, ",");
    to_cpp(p, out);
}

static void to_python(const tsr_pass *p, tsr_buf *out)
{
    bool module = tsr_pass_bool(p, "target-module");
    tsr_buf_cstr(out, "ttcore.device_module(builtin.module(ttnn-adjust-deallocs,"
                      "ttnn-force-final-deallocs,");
    if (!module)
        tsr_buf_cstr(out, "ttnn-split-forward-func-args-by-type,");
    tuples(out, module || tsr_pass_bool(p, "tuplify-input-if-empty"));
    if (module)
        tsr_buf_cstr(out, "ttnn-prepare-module-for-export,");
    else
        inputs(p, out);
    tsr_buf_printf(out,
                   "ttnn-prepare-const-eval-caching,convert-ttnn-to-emitpy{target-module=%s})),"
                   "emitpy-link-modules{split-files=%s},emitpy-name-vars,emitpy-form-expressions",
                   module ? "true" : "false", tsr_pass_bool(p, "split-files") ? "true" : "false");
}

void expand_ttnn_common_to_emitpy_pipeline(const tsr_pass *p, tsr_buf *out)
{
    to_python(p, out);
}

void expand_ttir_to_emitpy_pipeline(const tsr_pass *p, tsr_buf *out)
{
    tsr_ttnn_pipeline(p, out);
    tsr_buf_cstr(out, ",");
    to_python(p, out);
}

/* The peer lowers host functions to machine code here; ours stay TTIR, which flatbuffers keep and the evaluator
 * runs. */
bool pass_ttnn_common_to_runtime_pipeline(tsr_pass *p, tsr_op *root)
{
    (void)p;
    (void)root;
    return true;
}
