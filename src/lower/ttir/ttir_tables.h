/* SPDX-License-Identifier: Apache-2.0 */
/* ttir_tables.h - the hooks of the columns TTIR, TTIR_ANY and TTIR_FIRST, from the op tables; make caches the expansion
 * (dialect/opcode.h). */
#define TTIR(hook) tsr_ttir_fn ttir_##hook;
#define TTIR_ANY(hook) tsr_ttir_fn ttir_##hook;
#define TTIR_FIRST(hook) tsr_ttir_fn ttir_##hook;
#include "dialect/ops.def"
