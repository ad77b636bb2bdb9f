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

#endif
