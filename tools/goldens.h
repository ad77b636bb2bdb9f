/* SPDX-License-Identifier: Apache-2.0 */
/* goldens.h - expected results of a program's ops, for the debug info of a binary. */
#ifndef TSR_TOOLS_GOLDENS_H
#define TSR_TOOLS_GOLDENS_H

#include "target/flatbuffer/program.h"
#include "tools.h"

typedef struct {
    TSR_VEC(tsr_fb_golden) list;
    TSR_VEC(char *) texts; /* of keys */
} goldens;

void goldens_free(goldens *g);
/* Copies the key; the list takes ownership of the reference to t. */
void goldens_add(goldens *g, tsr_str key, uint32_t device, tsr_tensor *t);
/* "KEY=FILE", "KEY@DEVICE=FILE". False after a diagnostic. */
bool goldens_load(tsr_ctx *ctx, const char *text, goldens *out);
/* The evaluator's values for a program on random inputs: the inputs, the outputs, and the first result of each op of
 * the function whose location is unique, on each device of its mesh. False after a diagnostic; environment: caused by
 * memory or a limit. */
bool goldens_of_program(tsr_ctx *ctx, const char *path, uint64_t seed, goldens *out,
                        bool *environment);

#endif
