/* SPDX-License-Identifier: Apache-2.0 */
/* code.h - emits programs as source text of other languages.
 *
 *     tsr_module_run(m, tsr_cstr("ttir-to-emitpy-pipeline"));
 *     tsr_str text = tsr_module_code(m, tsr_cstr("python")); */
#ifndef TESSERA_CODE_H
#define TESSERA_CODE_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Emits source text: a module of emitc as C++ (language "cpp"), a module of emitpy as Python ("python"), or the
 * function main of any module, or its only function, as C99 that needs no library and computes the same bits as strict
 * rounding ("c"; docs/EMIT.md). The caller owns the text and frees it with tsr_free. NULL after a diagnostic, which
 * names what has no form in the language. */
TSR_API tsr_str tsr_module_code(tsr_module *m, tsr_str language);

/* Runs one call of emitted code: a ttnn function that the emitter's table has, by its name in C++ or in Python. call is
 * JSON:
 *   {"function": "ttnn.add", "arguments": [{"tensor": 0}, {"tensor": 1}], "named": {"dtype": "BFLOAT16"}, "mesh": [1,
 *   2]}
 * docs/EMIT.md says how arguments are written. tensors: n for each of ndevices devices, as many devices as the mesh
 * has; those of the first device come first. They are borrowed, and devices may share one tensor. If the function
 * changes a tensor, the changed one replaces it in tensors and is owned by the caller too; all others are left
 * unchanged. out: room for max results for each device, in the same order, which the caller then owns; *nout: how many
 * there are. False after a diagnostic; the status repeats it. */
TSR_API bool tsr_call_emitted(tsr_ctx *ctx, tsr_str call, tsr_tensor **tensors, size_t n,
                              size_t ndevices, tsr_tensor **out, size_t max, size_t *nout,
                              tsr_status *status);

#ifdef __cplusplus
}
#endif

#endif
