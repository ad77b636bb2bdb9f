/* input.h - files that are read: opened so that none can hold the process up. */
#ifndef TSR_BASE_INPUT_H
#define TSR_BASE_INPUT_H

#include <stdio.h>

/* Opens a file for reading; NULL: *error says why. Directories are refused. A named pipe is read while somebody writes
 * to it, and is given a moment until somebody does. */
FILE *tsr_input_open(const char *path, const char **error);

#endif
