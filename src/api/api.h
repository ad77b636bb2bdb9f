/* SPDX-License-Identifier: Apache-2.0 */
/* api.h - what the tools need beyond the public header: files, steps of loading a module, the list of all passes. */
#ifndef TSR_API_API_H
#define TSR_API_API_H

#include "pass/pass.h"
#include "text/text.h"

/* ---- passes.c ---- */

/* Every pass and pipeline of every layer. */
const tsr_pass_list *tsr_all_passes(void);

/* ---- load.c ---- */

/* Reads the whole file; "-" is standard input. On false *error says why (a static text). */
bool tsr_file_read(const char *path, tsr_buf *out, const char **error);
/* A file in memory: mapped if it is not text, else read. */
typedef struct {
    tsr_str data;
    bool mapped;
    tsr_buf buf; /* holds data if it is not mapped */
} tsr_file;
bool tsr_file_open(const char *path, tsr_file *f, const char **error);
void tsr_file_close(tsr_file *f);

/* Whether data is bytecode, or a jax.export file that contains it; out: the bytecode. */
bool tsr_find_bytecode(tsr_str data, tsr_str *out);
/* A module from any kind of file, not verified. line is the number of the data's first line. NULL after a
 * diagnostic. */
tsr_module *tsr_load(tsr_ctx *ctx, tsr_str data, tsr_str filename, uint32_t line);
/* The same if the data outlives the module: large constants then refer to it. */
tsr_module *tsr_load_kept(tsr_ctx *ctx, tsr_str data, tsr_str filename, uint32_t line);
/* The same, converting a portable artifact to StableHLO. kept: the data outlives the module. */
tsr_module *tsr_load_program(tsr_ctx *ctx, tsr_str data, tsr_str filename, uint32_t line,
                             bool kept);

/* ---- api.c ---- */

/* Runs one pass or named pipeline with these options on a module. */
bool tsr_run_pass(tsr_module *m, const char *name, const tsr_pass_arg *args, size_t n);
#define TSR_RUN_PASS(m, name, ...)                             \
    tsr_run_pass(m, name, (const tsr_pass_arg[]){__VA_ARGS__}, \
                 sizeof((const tsr_pass_arg[]){__VA_ARGS__}) / sizeof(tsr_pass_arg))

/* The same without the verifier, for a trial whose result is discarded. */
bool tsr_try_pass(tsr_module *m, const char *name, const tsr_pass_arg *args, size_t n);

/* The rows of all registered ops, by opcode. */
const tsr_opdef *tsr_all_ops(const tsr_ctx *ctx, size_t *n);

#endif
