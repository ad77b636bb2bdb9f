/* SPDX-License-Identifier: Apache-2.0 */
/* look.h - the first look at a plan, in a terminal. */
#ifndef TSR_TOOLS_LOOK_H
#define TSR_TOOLS_LOOK_H

#include "api/simulate.h"
#include "tools.h"

// clang-format off
#define LOOK_FLAGS(FLAG) \
    FLAG(LOOK, "look", SWITCH, NULL, "Begin with the step, the memory and the costliest collectives as bars, as at a terminal")
// clang-format on

/* Whether a report begins with it: at a terminal, or where it was asked for. */
bool look_wanted(bool asked);
/* assumed: nobody asked for the device. */
void put_look(tsr_buf *out, tsr_arena *arena, const tsr_sim_report *r, bool assumed);

#endif
