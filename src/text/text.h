/* SPDX-License-Identifier: Apache-2.0 */
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

/* The name that the program's author knows a value by (value_name.c). False, with nothing appended: it has none. */
bool tsr_value_given_name(tsr_buf *out, const tsr_value *v);
bool tsr_result_given_name(tsr_buf *out, const tsr_op *func, uint32_t i);
/* The same in the arena; where there is none, the printed name of a value, and "#0" of a function's result. */
tsr_str tsr_value_known_as(tsr_arena *arena, const tsr_value *v);
tsr_str tsr_result_known_as(tsr_arena *arena, const tsr_op *func, uint32_t i);
/* An argument or a result of a function, for messages: "argument params['w']", "result 0". */
void tsr_port_describe(tsr_buf *out, const tsr_op *func, bool result, uint32_t i);
/* What a value is, for reports: "params['w']", "argument 3", "stablehlo.add (jit(f)/block/add) at model.py:36:8". */
void tsr_value_describe(tsr_buf *out, const tsr_value *v);

/* Gives the context the functions that diagnostics need to show ops; parsing does so too. */
void tsr_text_install(tsr_ctx *ctx);

#endif
