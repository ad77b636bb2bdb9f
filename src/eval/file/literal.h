/* SPDX-License-Identifier: Apache-2.0 */
/* literal.h - tensors as text: inline values on the command line, and attributes. Printing tensors:
 * eval/file/print.h. */
#ifndef TSR_EVAL_FILE_LITERAL_H
#define TSR_EVAL_FILE_LITERAL_H

#include "base/status.h"
#include "eval/tensor.h"

/* literal ::= (dim 'x')* element '=' value (',' value)*
 *
 * 2x3xf32=1,2,3,4,5,6; f32=0.5; 4xi1=true,false,1,0; 2xcomplex<f32>=(1,2),(3,-4); 3xbf16=0x7FC0,-inf,nan. Values are in
 * row-major order; a single one fills the tensor. 0x.. of a float is its bit pattern. An integer must fit in its type; a
 * float is rounded to nearest even, and one that is finite but too large is refused. The caller owns the result; NULL
 * after a failure. */
tsr_tensor *tsr_literal_read(tsr_ctx *ctx, tsr_str text, tsr_status *status);
/* Whether a text looks like a literal rather than a file name: a type before its '='. */
bool tsr_literal_is(tsr_str text);

/* "dense<[1, 2]> : tensor<2xi8>". Interns in the context. */
void tsr_tensor_dense_text(tsr_ctx *ctx, tsr_buf *out, const tsr_tensor *t);

#endif
