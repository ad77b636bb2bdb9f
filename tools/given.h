/* given.h - flags that give a mesh and shardings, which several commands take. */
#ifndef TSR_TOOLS_GIVEN_H
#define TSR_TOOLS_GIVEN_H

#include "api/shard.h"
#include "tools.h"

// clang-format off
#define GIVEN_FLAGS(FLAG) \
    FLAG(MESH, "mesh", VALUE, "<x=2,y=4>", "The mesh (default: the module's own)") \
    FLAG(ARG, "arg", LIST, "<n:x,_>", "Sharding of argument n, one word a dimension: _ none, x by an axis, x+y by two, ? open") \
    FLAG(RESULT, "result", LIST, "<n:x,_>", "Sharding of result n")
// clang-format on

typedef TSR_VEC(tsr_shard_given) given_vec;

/* --arg or --result, "0:x,_", into the list. 0, or the exit code after a message on stderr. */
int given_flag(const tool *t, const flag_given *g, bool result, given_vec *out);

#endif
