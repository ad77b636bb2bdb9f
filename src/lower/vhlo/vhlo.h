/* vhlo.h - StableHLO to VHLO, and back: what portable artifacts are made of. dialect/vhlo has the
 * rows, versions and defaults; the conversions here read them.
 *
 * Each function changes the module in place. On false, after a diagnostic, it may be half
 * converted: it can be printed and freed, no more. */
#ifndef TSR_LOWER_VHLO_VHLO_H
#define TSR_LOWER_VHLO_VHLO_H

#include "dialect/vhlo/version.h"

/* Whether some op of the module is VHLO's (functions inside the module are asked, not every op). */
bool tsr_module_has_vhlo(const tsr_module *m);
/* What a reader of artifacts does: brings VHLO ops to their newest version, then to StableHLO and
 * func. Ops of other dialects stay; casts between the two that are no longer needed go. */
bool tsr_module_from_vhlo(tsr_module *m);
/* What a writer of artifacts does: StableHLO and func to VHLO, then to the target version.
 * allow_others: ops of other dialects stay, after casts; else they are refused where they use or
 * give what is converted. */
bool tsr_module_to_vhlo(tsr_module *m, tsr_vhlo_version target, bool allow_others);

/* The steps, for passes. */
bool tsr_stablehlo_to_vhlo(tsr_module *m, tsr_op *root, bool allow_others);
bool tsr_vhlo_to_stablehlo(tsr_module *m, tsr_op *root);
bool tsr_vhlo_to_version(tsr_module *m, tsr_op *root, tsr_vhlo_version target);

#endif
