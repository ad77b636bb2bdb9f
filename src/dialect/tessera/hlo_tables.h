/* SPDX-License-Identifier: Apache-2.0 */
/* hlo_tables.h - the hooks in the HLO column of the tables; make caches its expansion (dialect/opcode.h). */
#define HLO(hook) tsr_hlo_fn hlo_##hook;
#include "dialect/ops.def"
