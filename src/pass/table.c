/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - the table of the passes that know no dialect. */
#include "pass/pass.h"

#define TABLE "pass/pass.def"
#define TABLE_NAME tsr_generic_passes
#include "pass/table.def"
