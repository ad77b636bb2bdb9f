/* SPDX-License-Identifier: Apache-2.0 */
/* runner.h - what the three files of the test runner share: the regular expressions of check lines, and
 * the two tools that tests call by name. */
#ifndef TESTS_RUNNER_H
#define TESTS_RUNNER_H

#include <stdbool.h>
#include <stddef.h>

enum { REGEX_GROUPS = 32 };

typedef struct regex regex;

/* Compiles a POSIX extended expression, with \d \w \s \b, \1..\9 and non-greedy *? +? ?? in addition. Lines are
 * lines: `.` and [^x] stop at a newline, ^ and $ match at each. NULL on error, with *error set. */
regex *regex_new(const char *text, size_t len, const char **error);
void regex_free(regex *re);
/* The first match in text; span[2 * i], span[2 * i + 1] are the ends of group i (-1: took no part). */
bool regex_find(const regex *re, const char *text, size_t len, long span[2 * REGEX_GROUPS]);

int filecheck_main(int argc, char **argv);

#endif
