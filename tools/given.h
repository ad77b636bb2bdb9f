/* SPDX-License-Identifier: Apache-2.0 */
/* given.h - flags that give a mesh and shardings, for several commands. */
#ifndef TSR_TOOLS_GIVEN_H
#define TSR_TOOLS_GIVEN_H

#include "api/shard.h"
#include "tools.h"

// clang-format off
#define GIVEN_FLAGS(FLAG) \
    FLAG(MESH, "mesh", VALUE, "<x=2,y=4>", "The mesh (default: the module's own)") \
    FLAG(ARG, "arg", LIST, "<name|n:x,_>", "Sharding of argument n, or of those whose names fit a pattern, params/*/wq (docs/SHARDING.md), one word a dimension: _ none, x by an axis, x+y by two, ? open") \
    FLAG(RESULT, "result", LIST, "<name|n:x,_>", "Sharding of result n, or of those whose names fit a pattern")
// clang-format on

typedef TSR_VEC(tsr_shard_given) given_vec;

/* Adds --arg or --result, "0:x,_" or "params/w:x,_", to the list. 0, or the exit code after a message on stderr. */
int given_flag(const tool *t, const flag_given *g, bool result, given_vec *out);

/* Makes a module that was read runnable; spmd: on a mesh; shape: that of --mesh-shape, or NULL. False after a
 * diagnostic. */
bool make_ready(tsr_module *m, bool spmd, const char *shape);
/* Applies the command line's mesh and shardings to a module that is to be partitioned. */
bool give_shardings(tsr_module *m, const tsr_shard_request *request, const given_vec *given,
                    const char *function, tsr_status *s);
/* Turns the module into the program of each device, unless it is one already. */
bool divide(tsr_module *m, const tsr_shard_request *request, const given_vec *given,
            const char *function, tsr_status *s);
/* Warns that nothing is divided. */
void tell_no_mesh(tsr_ctx *ctx, const tsr_op *func);

#endif
