/* SPDX-License-Identifier: Apache-2.0 */
/* passes.c - the list of all passes: one table per layer. */
#include "api/api.h"
#include "lower/passes.h"
#include "shard/passes.h"
#include "target/passes.h"

static const tsr_pass_table *const tables[] = {
    &tsr_generic_passes,
    &tsr_shard_passes,
    &tsr_lower_passes,
    &tsr_target_passes,
};

static const tsr_pass_list all = {tables, TSR_COUNT(tables)};

const tsr_pass_list *tsr_all_passes(void)
{
    return &all;
}
