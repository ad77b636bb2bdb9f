/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - the table of passes that read and write files of other formats. */
#include "target/passes.h"

#define TABLE "target/pass.def"
#define TABLE_NAME tsr_target_passes
#include "pass/table.def"
