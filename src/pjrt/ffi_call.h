/* ffi_call.h - what the files of the foreign function interface share. */
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
/* Waits, and gives it up. */
pj_error *ffi_future_wait(ffi_future *f);
/* The handler of a target from now on. */
pj_error *pj_ffi_register(tsr_str name, ffi_handler *handler);
/* NULL: nobody registered one. */
ffi_handler *pj_ffi_find(tsr_str name);

/* Calls a handler as the program says. False after a status. */
bool pj_ffi_call(ffi_handler *handler, const tsr_custom_call *c, tsr_status *status);

/* Memory of one call. */
typedef struct pj_ffi_block {
    struct pj_ffi_block *next;
} pj_ffi_block;
void *pj_ffi_new(pj_ffi_block **memory, size_t n, size_t size); /* zeros; NULL: no memory */
void pj_ffi_free(pj_ffi_block *memory);
/* A dictionary as handlers see it. NULL when it went well, else what is wrong. */
const char *pj_ffi_attrs(pj_ffi_block **memory, const tsr_attr *dict, ffi_attrs *out);

#endif
