/* view_hooks.h - prototypes of the hooks that the column VIEW names. */
#ifndef TSR_DIALECT_TTNN_VIEW_HOOKS_H
#define TSR_DIALECT_TTNN_VIEW_HOOKS_H

#include "dialect/ttnn/view.h"

/* What copies by name do not give. False: TTIR has no such op. */
typedef bool tsr_ttnn_view_fn(const tsr_op *op, tsr_ttnn_view *v);
#include "dialect/ttnn/view_tables.h"

#endif
