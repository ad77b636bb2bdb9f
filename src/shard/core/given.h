/* given.h - meshes and shardings as a person writes them on a command line.
 *
 *   mesh:      x=2,y=4
 *   sharding:  one word a dimension, separated by commas; dimensions that are left out are as _
 *              _      not sharded                      x      by axis x
 *              x+y    by x, then y                     x:(1)2 by a part of x
 *              ?      left open to propagation         x?     by x, and open to more                                  */
#ifndef TSR_SHARD_CORE_GIVEN_H
#define TSR_SHARD_CORE_GIVEN_H

#include "base/status.h"
#include "dialect/sdy/sharding.h"

/* Defines the mesh in front of the module's ops, or puts it in the place of the one that is there. False: the text is none,
 * or the module has several meshes and none is called mesh. */
bool tsr_given_mesh(tsr_module *m, tsr_str text, tsr_status *status);
/* The sharding of a value of this type on the module's mesh; NULL after setting the status. */
tsr_attr *tsr_given_sharding(tsr_module *m, const tsr_type *type, tsr_str text, tsr_status *status);

#endif
