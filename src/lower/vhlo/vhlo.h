/* SPDX-License-Identifier: Apache-2.0 */
/* vhlo.h - converts StableHLO to VHLO, the dialect of portable artifacts, and back. dialect/vhlo has the rows, versions
 * and defaults that these conversions read.
 *
 * Each function changes the module in place. If it returns false, after a diagnostic, the module may be half converted:
 * it can only be printed and freed. */
#ifndef TSR_LOWER_VHLO_VHLO_H
#define TSR_LOWER_VHLO_VHLO_H

#include "dialect/vhlo/version.h"

/* Whether some op of the module is VHLO's (checks functions in the module, not every op). */
bool tsr_module_has_vhlo(const tsr_module *m);
/* For reading artifacts: converts VHLO ops to their newest version, then to StableHLO and func. Ops of other dialects
 * stay; casts between the two that are no longer needed are removed. */
bool tsr_module_from_vhlo(tsr_module *m);
/* For writing artifacts: converts StableHLO and func to VHLO, then to the target version. allow_others: ops of other
 * dialects stay, after casts; else they are refused if they use or define converted values. */
bool tsr_module_to_vhlo(tsr_module *m, tsr_vhlo_version target, bool allow_others);

/* The steps, for passes. */
bool tsr_stablehlo_to_vhlo(tsr_module *m, tsr_op *root, bool allow_others);
bool tsr_vhlo_to_stablehlo(tsr_module *m, tsr_op *root);
bool tsr_vhlo_to_version(tsr_module *m, tsr_op *root, tsr_vhlo_version target);

#endif
