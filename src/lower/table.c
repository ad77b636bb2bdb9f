/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - the table of conversions between dialects. */
#include "lower/passes.h"

#define TABLE "lower/pass.def"
#define TABLE_NAME tsr_lower_passes
#include "pass/table.def"
