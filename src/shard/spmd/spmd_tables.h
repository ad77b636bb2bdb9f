/* SPDX-License-Identifier: Apache-2.0 */
/* spmd_tables.h - the hooks of the columns SPMD and SPMD_FLOW, from the op tables; make caches the expansion
 * (dialect/opcode.h). */
#define SPMD(hook) spmd_fn spmd_##hook;
#define SPMD_FLOW(hook) spmd_fn spmd_##hook;
#include "dialect/ops.def"
