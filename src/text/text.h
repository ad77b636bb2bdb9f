/* text.h - modules as text: parse and print. */
#ifndef TSR_TEXT_TEXT_H
#define TSR_TEXT_TEXT_H

#include "ir/ir.h"

/* Parses one module without verifying it. line is that of the text's first line (1 unless the text is a chunk of a file).
 * NULL after diagnostics. A text whose top level is not one single module is wrapped in one. */
tsr_module *tsr_parse_module(tsr_ctx *ctx, tsr_str text, tsr_str filename, uint32_t line);

/* Appends the module as text, with a line end. */
void tsr_print_module(tsr_buf *out, tsr_module *m, const tsr_print_options *options);
/* One op with what is inside, as it is in its module (names as there). No line end. */
void tsr_print_op(tsr_buf *out, tsr_op *op, const tsr_print_options *options);

/* What printing calls the values of m ("%arg0", "%3#1"), by value id, in memory of the arena. */
tsr_str *tsr_value_names(tsr_arena *arena, tsr_module *m);

/* Gives the context what diagnostics need to show ops; parsing does it too. */
void tsr_text_install(tsr_ctx *ctx);

#endif
