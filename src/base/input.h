/* SPDX-License-Identifier: Apache-2.0 */
/* input.h - input files, opened so that none can block the process. */
#ifndef TSR_BASE_INPUT_H
#define TSR_BASE_INPUT_H

#include <stdio.h>

/* Opens a file for reading; NULL: *error says why. Directories are refused. A named pipe is read as long as it has a
 * writer; the first one must appear within a short time. */
FILE *tsr_input_open(const char *path, const char **error);
/* Reads up to n bytes of such a file, or of stdin; 0: end of file, or a failure if *error is set. While a pipe is
 * silent, the call's limits and cancelling apply: the caller needs a cleanup for the file. */
size_t tsr_input_read(FILE *f, void *data, size_t n, const char **error);

#endif
