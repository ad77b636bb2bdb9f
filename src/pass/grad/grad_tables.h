/* SPDX-License-Identifier: Apache-2.0 */
/* grad_tables.h - the hooks of the columns PARTIAL, VJP, JVP and UNFOLD, from the op tables; make caches the expansion
 * (dialect/opcode.h). */
#define PARTIAL(fn) partial_fn partial_##fn;
#define VJP(fn) vjp_fn vjp_##fn;
#define JVP(fn) jvp_fn jvp_##fn;
#define UNFOLD(fn) unfold_fn unfold_##fn;
#include "dialect/ops.def"
