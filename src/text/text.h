/* text.h - modules as text: parse and print. */
#ifndef TSR_TEXT_TEXT_H
#define TSR_TEXT_TEXT_H

#include "ir/ir.h"

/* Parses one module without verifying it. line is the number of the text's first line (1 unless the text is a chunk of
 * a file). NULL after diagnostics. A text whose top level is not a single module is wrapped in one. */
tsr_module *tsr_parse_module(tsr_ctx *ctx, tsr_str text, tsr_str filename, uint32_t line);

/* Appends the module as text, with a newline. */
void tsr_print_module(tsr_buf *out, tsr_module *m, const tsr_print_options *options);
/* Appends one op with everything inside it, with the value names of its module. No newline. */
void tsr_print_op(tsr_buf *out, tsr_op *op, const tsr_print_options *options);

/* The printed names of the values of m ("%arg0", "%3#1"), by value id, allocated in the arena. */
tsr_str *tsr_value_names(tsr_arena *arena, tsr_module *m);

/* Gives the context the functions that diagnostics need to show ops; parsing does so too. */
void tsr_text_install(tsr_ctx *ctx);

#endif
