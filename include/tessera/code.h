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

#ifdef __cplusplus
}
#endif

#endif
