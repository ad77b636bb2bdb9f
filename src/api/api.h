/* api.h - what the tools need beyond the public header: files, parts of a module's life, the list of all passes. */
#ifndef TSR_API_API_H
#define TSR_API_API_H

#include "pass/pass.h"
#include "text/text.h"

/* ---- passes.c ---- */

/* Every pass and pipeline of every layer. */
const tsr_pass_list *tsr_all_passes(void);

/* ---- load.c ---- */

/* The whole file; "-" is standard input. On false *error says why (a text that lives on). */
bool tsr_file_read(const char *path, tsr_buf *out, const char **error);
/* A module of any kind of file, not verified. line is that of the data's first line. NULL after a diagnostic. */
tsr_module *tsr_load(tsr_ctx *ctx, tsr_str data, tsr_str filename, uint32_t line);

/* ---- api.c ---- */

/* The rows of all registered ops, by opcode. */
const tsr_opdef *tsr_all_ops(const tsr_ctx *ctx, size_t *n);

#endif
