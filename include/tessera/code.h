/* code.h - programs as text of other languages.
 *
 *     tsr_module_run(m, tsr_cstr("ttir-to-emitpy-pipeline"));
 *     tsr_str text = tsr_module_code(m, tsr_cstr("python"));                                                                 */
#ifndef TESSERA_CODE_H
#define TESSERA_CODE_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A module of emitc as C++ (language "cpp"), or of emitpy as Python ("python"); the function main of any module, or its only one, as C99 that needs no
 * library and has the bits of strict rounding ("c"; docs/EMIT.md). The caller owns the text and frees it with tsr_free; NULL after a
 * diagnostic: what has no form in the language is named. */
TSR_API tsr_str tsr_module_code(tsr_module *m, tsr_str language);

/* Runs one call of emitted code: a function of ttnn that a row of the emitter's table has, by its name in C++ or in Python. call is JSON:
 *   {"function": "ttnn.add", "arguments": [{"tensor": 0}, {"tensor": 1}], "named": {"dtype": "BFLOAT16"}, "mesh": [1, 2]}
 * docs/EMIT.md says how arguments are written. tensors: n of them on ndevices devices, as many as the mesh has, device by device (those of the first
 * device come first); borrowed, and all devices may have the same one. Where the function changes a tensor, the changed one takes its place, and
 * the caller owns it, too; others stay the very same. out: room for max results on each device, laid out alike, which the caller then owns; *nout: how
 * many there are. False after a diagnostic, which the status has, too. */
TSR_API bool tsr_call_emitted(tsr_ctx *ctx, tsr_str call, tsr_tensor **tensors, size_t n,
                              size_t ndevices, tsr_tensor **out, size_t max, size_t *nout,
                              tsr_status *status);

#ifdef __cplusplus
}
#endif

#endif
