/* SPDX-License-Identifier: Apache-2.0 */
/* tsrx.h - saved programs (.tsrx): a compiled function as a file that runs without its module (docs/ENGINE.md).
 *
 * A file is untrusted. Its tables are checked before they are used; the program itself is stored as bytecode, which is
 * read and verified like any other, and compiled again: nothing in the file is an address, an offset into memory or an
 * instruction. The compiled program is compared with the facts stored in the file: a program that this version would
 * compile differently is rejected. */
#ifndef TSR_API_TSRX_H
#define TSR_API_TSRX_H

#include "exec/program.h"

enum {
    TSR_TSRX_VERSION = 3,
    TSR_TSRX_ALIGN = 64,
};
#define TSR_TSRX_MAGIC "\x89TSRX\0\r\n"
#define TSR_TSRX_ORDER 0x0807060504030201u

typedef enum {
    TSR_TSRX_COMPILED = 1, /* there are facts; if not set, the evaluator runs it */
    TSR_TSRX_STRICT = 2,   /* narrow floats are rounded after each op */
    TSR_TSRX_SPMD =
        4, /* it runs on a mesh; inputs and results are global, where the module says so */
    TSR_TSRX_PER_DEVICE = 8, /* tsr_compile_options.per_device */
    TSR_TSRX_FLAGS = 15,     /* all */
} tsr_tsrx_flag;

typedef struct {
#define FACT(name, value) uint64_t name;
#include "api/tsrx.def"
} tsr_tsrx_facts;

/* The contents of a file besides its module. Texts point into the file. */
typedef struct tsr_tsrx {
    uint64_t flags;
    tsr_str producer, machine, function;
    tsr_tsrx_facts facts;
} tsr_tsrx;

/* Whether data begins like a saved program. */
bool tsr_tsrx_is(tsr_str data);
/* Appends func, a function of a runnable module; flags without COMPILED, which it determines. False after a
 * diagnostic. */
bool tsr_tsrx_write(tsr_buf *out, tsr_module *m, const tsr_op *func, uint64_t flags);
/* The module of a saved program, verified and runnable. NULL after a diagnostic with the reason and the byte offset.
 * kept: data outlives the module. */
tsr_module *tsr_tsrx_read(tsr_ctx *ctx, tsr_str data, tsr_str filename, bool kept, tsr_tsrx *out);
/* Whether p is the program that was saved; else a diagnostic at its function. */
bool tsr_tsrx_check(const tsr_program *p, const tsr_tsrx *saved);
/* Recomputes the checksum of a file whose header is complete: after a change, for tests. */
void tsr_tsrx_seal(char *data, size_t size);

#endif
