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
    int64_t input;    /* which of the user's inputs it is; -1: it is held */
    const char *path; /* of what is held */
} tsr_saved_argument;

typedef struct {
    const char *program, *meta; /* paths */
    tsr_saved_argument *args;
    size_t nargs, ninput; /* ninput: of the user */
} tsr_saved;

bool tsr_is_folder(const char *path);
/* Finds the program of a function: the one of this name; without a name, forward, or the only one. Memory is the arena's. */
bool tsr_saved_find(tsr_arena *arena, const char *folder, tsr_str function, tsr_saved *out,
                    tsr_status *status);
/* Reads text, which is that of out->meta: what the arguments are. False after a diagnostic. */
bool tsr_saved_read(tsr_ctx *ctx, tsr_arena *arena, const char *folder, tsr_str text,
                    tsr_saved *out);

#endif
