/* input.h - files that are read: opened so that none can hold the process up. */
#ifndef TSR_BASE_INPUT_H
#define TSR_BASE_INPUT_H

#include <stdio.h>

/* Opens a file for reading; NULL: *error says why. Directories are refused. A named pipe is read while somebody writes
 * to it, and is given a moment until somebody does. */
FILE *tsr_input_open(const char *path, const char **error);
/* Reads up to n bytes of such a file, or of stdin; 0: the end, or a failure, when *error is set. While a pipe is silent, limits of
 * the call and its cancelling count: the caller has a cleanup for the file. */
size_t tsr_input_read(FILE *f, void *data, size_t n, const char **error);

#endif
