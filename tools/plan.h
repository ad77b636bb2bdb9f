/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - plans on the command line: flags of a search that make one, and reading plan files. */
#ifndef TSR_TOOLS_PLAN_H
#define TSR_TOOLS_PLAN_H

#include "api/auto.h"
#include "tools.h"

// clang-format off
/* Flags of commands that make or apply plans. */
#define PLAN_FLAGS(FLAG) \
    FLAG(PLAN, "plan", VALUE, "<file>", "With --auto: write the plan to this file, as JSON (docs/SEARCH.md, \"Plans\")") \
    FLAG(CANDIDATE, "candidate", COUNT, "<n>", "With --auto or --apply-plan: choose this candidate of the plan, from 0 on (default: the best)") \
    FLAG(PINS, "pins", VALUE, "none|few|all", "With --auto: shardings of values other than arguments: those that the plan is slower without (few, the default), none, or all; with --apply-plan, none leaves them out") \
    FLAG(EXPRESSIBLE, "expressible", SWITCH, NULL, "With --auto: only what JAX can say: whole axes, no padding, pins on values of its equations") \
    FLAG(APPLY_PLAN, "apply-plan", VALUE, "<file>", "Instead of --auto: give the module the mesh and the shardings of a plan")
// clang-format on

typedef struct {
    tsr_plan_request request;
    bool has_pins, has_candidate;
    const char *out, *apply;
} plan_flags;

/* One of PLAN_FLAGS; plan_id: the number of the first of them. 0, or the exit code after a message on stderr. */
int plan_flag(const tool *t, const flag_given *g, int plan_id, plan_flags *out);
/* Checks that they can be combined. on: with --auto. */
int plan_flags_check(const tool *t, const plan_flags *p, bool on);
/* Reads a plan file, "-" being stdin. 0, or the exit code after a message on stderr. */
int plan_read_file(const tool *t, const char *path, tsr_mesh_plan **out);
/* Gives a module the plan of --apply-plan. 0, or the exit code after a message on stderr. */
int plan_apply_file(const tool *t, const plan_flags *p, tsr_module *m);
/* --pins: 0, or the exit code after a message on stderr. */
int plan_pins(const tool *t, const char *value, tsr_pins *out);

#endif
