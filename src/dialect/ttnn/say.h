/* SPDX-License-Identifier: Apache-2.0 */
/* say.h - common includes and rules for verification of TTNN's ops. */
#ifndef TSR_DIALECT_TTNN_SAY_H
#define TSR_DIALECT_TTNN_SAY_H

#include "dialect/hooks.h"
#include "dialect/ttir/say.h"
#include "dialect/ttir/shape.h"
#include "dialect/ttnn/ttnn.h"

/* Rules of every op: encodings match element types, and operands that must be semaphores are. */
bool tt_encoded(tsr_op *op);
#define LL(x) ((long long)(x))

#endif
