/* SPDX-License-Identifier: Apache-2.0 */
/* view_tables.h - the hooks in the VIEW column of the tables; make caches its expansion (dialect/opcode.h). */
#define VIEW(hook) tsr_ttnn_view_fn view_##hook;
#include "dialect/ops.def"
