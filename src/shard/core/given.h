/* SPDX-License-Identifier: Apache-2.0 */
/* given.h - reads meshes and shardings from the command line.
 *
 *   mesh:      x=2,y=4
 *   sharding:  one word per dimension, separated by commas; missing dimensions are as _
 *              _      not sharded                      x      by axis x
 *              x+y    by x, then y                     x:(1)2 by a part of x
 *              ?      left open to propagation         x?     by x, and open to more */
#ifndef TSR_SHARD_CORE_GIVEN_H
#define TSR_SHARD_CORE_GIVEN_H

#include "base/status.h"
#include "dialect/sdy/sharding.h"

/* Inserts the mesh before the module's ops, or replaces the existing one. False: the text is invalid, or the module has
 * several meshes and none is called mesh. */
bool tsr_given_mesh(tsr_module *m, tsr_str text, tsr_status *status);
/* The sharding of a value of this type on the module's mesh; NULL after setting the status. */
tsr_attr *tsr_given_sharding(tsr_module *m, const tsr_type *type, tsr_str text, tsr_status *status);

#endif
