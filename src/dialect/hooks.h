/* SPDX-License-Identifier: Apache-2.0 */
/* hooks.h - prototypes of the hooks that the tables name, for the files that define them. */
#ifndef TSR_DIALECT_HOOKS_H
#define TSR_DIALECT_HOOKS_H

#include "dialect/dialect.h"
#include "dialect/params.h"

#include "dialect/hooks_tables.h"

#endif
