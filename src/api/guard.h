/* SPDX-License-Identifier: Apache-2.0 */
/* guard.h - the frame of every public call that may fail: checked handles, a scope for its memory and limits, and a
 * clean exit when one of them runs out (base/scope.h, docs/ARCHITECTURE.md "Failure").
 *
 *     TSR_GUARD(g, ctx, m, TSR_CHANGES, status, NULL);   rejects bad handles, and returns NULL when the call is stopped
 *     tsr_module *out = work(..., g.status);
 *     return tsr_guard_close(&g), out; */
#ifndef TSR_API_GUARD_H
#define TSR_API_GUARD_H

#include "base/scope.h"
#include "ir/ir.h"

/* What a call does to its module. Code behind the public calls assumes a valid module, which edits may have left
 * invalid: a call that reads or changes one verifies it first, if it was changed since it was last verified
 * (tsr_module.verified). The mode is all that a call has to state. */
typedef enum {
    TSR_READS,    /* a valid module */
    TSR_CHANGES,  /* the same, and changes it by passes, which are verified themselves */
    TSR_INSPECTS, /* any module: walks, prints, copies or verifies it */
    TSR_EDITS,    /* the same, and changes it: it is verified before it is read again */
} tsr_guard_mode;

typedef struct {
    tsr_scope scope;
    tsr_ctx *ctx;       /* may be NULL: a call without one */
    tsr_module *module; /* may be NULL */
    tsr_guard_mode mode;
    tsr_status *status, own; /* the caller's, or own */
    bool quiet;              /* the context's flag, to be restored */
    const tsr_name *source_file;
    tsr_str source;
    uint32_t source_line;
} tsr_guard;

/* False: an invalid handle. has: whether the call's handles are not NULL. */
bool tsr_guard_open(tsr_guard *g, bool has, tsr_ctx *ctx, tsr_module *m, tsr_guard_mode mode,
                    tsr_status *status);
void tsr_guard_close(tsr_guard *g);
void tsr_guard_stopped(tsr_guard *g);
/* Verifies the module; after a failure the guard is closed. Called where tsr_guard_needs_verifying. */
bool tsr_guard_verify(tsr_guard *g);
/* Whether a call that inspects may copy its module: every operand is defined inside. False after a diagnostic. */
bool tsr_guard_copies(tsr_guard *g);
/* Calls inside another call are given what that call made. */
static inline bool tsr_guard_needs_verifying(const tsr_guard *g)
{
    return g->module && !g->module->verified && g->mode <= TSR_CHANGES && !g->scope.outer;
}
/* The same as close; on failure, the first diagnostic becomes the status too. */
void tsr_guard_finish(tsr_guard *g, bool ok);
/* The same for a call that returns text: the NUL-terminated text becomes the caller's. */
tsr_str tsr_guard_finish_text(tsr_guard *g, bool ok, tsr_buf *text);
/* Whether arguments of a call are present and of its context, and are locations where required (create.c). False after
 * a diagnostic. */
bool tsr_guard_types(tsr_guard *g, tsr_type *const *types, size_t n);
bool tsr_guard_attrs(tsr_guard *g, tsr_attr *const *attrs, size_t n, bool locations);
/* An invalid argument: a diagnostic, and false. */
#define TSR_REFUSE(g, ...) tsr_error((g)->ctx, TSR_LOC_UNKNOWN, __VA_ARGS__)

#define TSR_GUARD_IF(g, has, ctx, m, mode, status, failure)       \
    tsr_guard g;                                                  \
    if (!tsr_guard_open(&g, (has), (ctx), (m), (mode), (status))) \
        return failure;                                           \
    if (setjmp(g.scope.out) != 0) {                               \
        tsr_guard_stopped(&g);                                    \
        return failure;                                           \
    }                                                             \
    if (tsr_guard_needs_verifying(&g) && !tsr_guard_verify(&g))   \
        return failure;
/* For a call on a context, and for one on a module. */
#define TSR_GUARD_CTX(g, ctx, status, failure) \
    TSR_GUARD_IF(g, (ctx) != NULL, (ctx), NULL, TSR_READS, (status), failure)
#define TSR_GUARD_MODULE(g, m, mode, status, failure) \
    TSR_GUARD_IF(g, (m) != NULL, (m) ? (m)->ctx : NULL, (m), (mode), (status), failure)

/* The result of a failed call that returns text. */
#define TSR_NO_TEXT ((tsr_str){NULL, 0})

#endif
