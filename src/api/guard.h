/* guard.h - the frame of every public call that may fail: handles that are there, a scope for its memory and its limits, and a clean
 * way out when one of them ends (base/scope.h, docs/ARCHITECTURE.md "Failure").
 *
 *     TSR_GUARD(g, ctx, m, TSR_CHANGES, status, NULL);   refuses bad handles, and returns NULL when the call is stopped
 *     tsr_module *out = work(..., g.status);
 *     return tsr_guard_close(&g), out; */
#ifndef TSR_API_GUARD_H
#define TSR_API_GUARD_H

#include "base/scope.h"
#include "ir/ir.h"

/* What a call does to its module. */
typedef enum { TSR_READS, TSR_CHANGES } tsr_guard_mode;

typedef struct {
    tsr_scope scope;
    tsr_ctx *ctx;       /* may be NULL: a call without one */
    tsr_module *module; /* may be NULL */
    tsr_guard_mode mode;
    tsr_status *status, own; /* the caller's, or own */
    bool had_status;         /* it told of a failure before */
    bool quiet;              /* of the context, as it was */
    const tsr_name *source_file;
    tsr_str source;
    uint32_t source_line;
} tsr_guard;

/* False: a handle will not do. has: whether the call's handles are there at all. */
bool tsr_guard_open(tsr_guard *g, bool has, tsr_ctx *ctx, tsr_module *m, tsr_guard_mode mode,
                    tsr_status *status);
void tsr_guard_close(tsr_guard *g);
void tsr_guard_stopped(tsr_guard *g);
/* The same as close; when it failed, the first diagnostic is the status, too. */
void tsr_guard_finish(tsr_guard *g, bool ok);
/* The same of a call that gives text: what was written, with a 0 behind it, is the caller's. */
tsr_str tsr_guard_finish_text(tsr_guard *g, bool ok, tsr_buf *text);
/* Whether arguments of a call are there, of its context, and locations when they shall be (create.c). False after a diagnostic. */
bool tsr_guard_types(tsr_guard *g, tsr_type *const *types, size_t n);
bool tsr_guard_attrs(tsr_guard *g, tsr_attr *const *attrs, size_t n, bool locations);
/* An argument that will not do: a diagnostic, and false. */
#define TSR_REFUSE(g, ...) tsr_error((g)->ctx, TSR_LOC_UNKNOWN, __VA_ARGS__)

#define TSR_GUARD_IF(g, has, ctx, m, mode, status, failure)       \
    tsr_guard g;                                                  \
    if (!tsr_guard_open(&g, (has), (ctx), (m), (mode), (status))) \
        return failure;                                           \
    if (setjmp(g.scope.out) != 0) {                               \
        tsr_guard_stopped(&g);                                    \
        return failure;                                           \
    }
/* Of a call on a context, and of one on a module. */
#define TSR_GUARD_CTX(g, ctx, status, failure) \
    TSR_GUARD_IF(g, (ctx) != NULL, (ctx), NULL, TSR_READS, (status), failure)
#define TSR_GUARD_MODULE(g, m, mode, status, failure) \
    TSR_GUARD_IF(g, (m) != NULL, (m) ? (m)->ctx : NULL, (m), (mode), (status), failure)

/* What a call gives that fails to give text. */
#define TSR_NO_TEXT ((tsr_str){NULL, 0})

#endif
