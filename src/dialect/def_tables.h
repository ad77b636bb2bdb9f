/* SPDX-License-Identifier: Apache-2.0 */
/* def_tables.h - definitions of attributes and types, and constraints, from the tables; make caches its expansion
 * (dialect/opcode.h). */
#define TSR_ROWS_ALL /* of MINIMAL builds, too: shared files define hooks for both */
#define STRUCT(id, name, nparam, flags) extern const tsr_attrdef tsr_def_##id;
#define ENUM(id, name, flags, ...) extern const tsr_attrdef tsr_def_##id;
#define TYPE(id, name, nparam) extern const tsr_attrdef tsr_def_##id;
#define PLAIN_TYPE(id, name) extern const tsr_attrdef tsr_def_##id;
#include "dialect/attrs.def"

#define TYPE_IS(id, summary, alone, shapes, elems) extern const tsr_constraint tsr_is_##id;
#define ATTR_IS(id, summary, form, def, test) extern const tsr_constraint tsr_is_##id;
#define REGION_IS(id, summary) extern const tsr_constraint tsr_is_##id;
#include "dialect/constraints.def"
#undef TSR_ROWS_ALL
