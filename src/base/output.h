/* SPDX-License-Identifier: Apache-2.0 */
/* output.h - files as results: complete, or as they were before. Every file that Tessera writes goes through these
 * functions (tests/outputs.sh).
 *
 * The data is written to a temporary file in the same folder, which replaces the old file only after every byte was
 * written: a full disk, a limit or a cancelled call leaves the old file, or none. Links are followed, and permissions
 * of an existing file are kept. A path that is not a regular file (a pipe, /dev/null, /dev/stdout) is written to
 * directly. */
#ifndef TSR_BASE_OUTPUT_H
#define TSR_BASE_OUTPUT_H

#include <stdio.h>

#include "base/scope.h"
#include "base/status.h"
#include "base/str.h"

typedef struct {
    const char *path;    /* as given, for messages */
    char *target;        /* the file that is replaced; links are resolved */
    char *temp;          /* NULL: written to directly */
    FILE *file;          /* NULL: sealed */
    tsr_cleanup cleanup; /* a stop removes the partial file */
} tsr_output;

bool tsr_output_open(tsr_output *f, const char *path, tsr_status *status);
bool tsr_output_put(tsr_output *f, const void *data, size_t len, tsr_status *status);
/* Writes out what is buffered and gives back the descriptor, for one of many files that are closed together. */
bool tsr_output_seal(tsr_output *f, tsr_status *status);
/* Closes the file, which then replaces the old one if ok and if nothing failed; otherwise it is removed. Returns
 * whether it was written. */
bool tsr_output_close(tsr_output *f, bool ok, tsr_status *status);

/* All of these for one text. */
bool tsr_output_save(const char *path, tsr_str text, tsr_status *status);
/* Appends to a file; if that fails, the file is as it was. */
bool tsr_output_append(const char *path, tsr_str text, tsr_status *status);

#endif
