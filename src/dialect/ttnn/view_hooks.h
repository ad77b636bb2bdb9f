/* SPDX-License-Identifier: Apache-2.0 */
/* view_hooks.h - prototypes of the hooks in the column VIEW. */
#ifndef TSR_DIALECT_TTNN_VIEW_HOOKS_H
#define TSR_DIALECT_TTNN_VIEW_HOOKS_H

#include "dialect/ttnn/view.h"

/* Sets what copying by name does not. False: TTIR has no such op. */
typedef bool tsr_ttnn_view_fn(const tsr_op *op, tsr_ttnn_view *v);
#include "dialect/ttnn/view_tables.h"

#endif
