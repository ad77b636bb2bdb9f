/* SPDX-License-Identifier: Apache-2.0 */
/* ffi_call.h - shared by the files of the foreign function interface. */
#ifndef TSR_PJRT_FFI_CALL_H
#define TSR_PJRT_FFI_CALL_H

#include "pjrt/ffi.h"
#include "pjrt/pjrt.h"

struct ffi_context {
    size_t device;
};

extern const ffi_api pj_ffi_api;
const char *ffi_error_text(const ffi_error *e);
void ffi_error_free(ffi_error *e);
/* Waits for the future, and frees it. */
pj_error *ffi_future_wait(ffi_future *f);
/* Registers the handler of a target. */
pj_error *pj_ffi_register(tsr_str name, ffi_handler *handler);
/* NULL if none is registered. */
ffi_handler *pj_ffi_find(tsr_str name);

/* Calls a handler for a custom call of the program. False after a status. */
bool pj_ffi_call(ffi_handler *handler, const tsr_custom_call *c, tsr_status *status);

/* Memory of one call. */
typedef struct pj_ffi_block {
    struct pj_ffi_block *next;
} pj_ffi_block;
void *pj_ffi_new(pj_ffi_block **memory, size_t n, size_t size); /* zeros; NULL: no memory */
void pj_ffi_free(pj_ffi_block *memory);
/* A dictionary in the form that handlers see. NULL on success, otherwise the error. */
const char *pj_ffi_attrs(pj_ffi_block **memory, const tsr_attr *dict, ffi_attrs *out);

#endif
