/* SPDX-License-Identifier: Apache-2.0 */
/* saved.h - folders that torch_xla saves a model in.
 *
 *     functions/NAME.bytecode   the program, an artifact; NAME.mlir the same as text
 *     functions/NAME.meta       JSON: what each of its arguments is
 *     data/WEIGHT               a NumPy file for each weight
 *     constants/0, 1, ...       and for each constant
 */
#ifndef TSR_API_SAVED_H
#define TSR_API_SAVED_H

#include "ir/ir.h"

typedef struct {
    int64_t input;    /* index among the user's inputs; -1: it is stored in the folder */
    const char *path; /* of a stored value */
    tsr_str name;     /* of a weight, as in PyTorch's module: "layer.weight"; else empty */
} tsr_saved_argument;

struct tsr_saved {
    const char *program, *meta; /* paths */
    tsr_saved_argument *args;
    size_t nargs, ninput; /* ninput: the user's */
    tsr_arena own;        /* of one that tsr_saved_open made */
};

bool tsr_is_folder(const char *path);
/* Finds the program of a function: the one of this name; without a name, forward, or the only one. Memory comes from
 * the arena. */
bool tsr_saved_find(tsr_arena *arena, const char *folder, tsr_str function, tsr_saved *out,
                    tsr_status *status);
/* Reads text, the contents of out->meta: the kinds of the arguments. False after a diagnostic. */
bool tsr_saved_read(tsr_ctx *ctx, tsr_arena *arena, const char *folder, tsr_str text,
                    tsr_saved *out);
/* Names the arguments of the function that the program has, main or the only one, by what they are: a weight by its own
 * name, an input of the user's "inputs[0]". */
void tsr_saved_name(tsr_module *m, const tsr_saved *saved);
/* The same for a folder whose meta file was not read; without one that can be read, names stay as they are. */
void tsr_saved_name_from(tsr_module *m, const char *folder, const tsr_saved *found);

#endif
