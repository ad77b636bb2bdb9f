/* SPDX-License-Identifier: Apache-2.0 */
/* compiler.c - the only way in which the library aborts: a broken invariant. */
#include "base/compiler.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void tsr_assert_failed(const char *file, int line, const char *cond, const char *fmt, ...)
{
    va_list args;
    fprintf(stderr, "%s:%d: broken invariant (%s): ", file, line, cond);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}
