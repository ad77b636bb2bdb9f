/* SPDX-License-Identifier: Apache-2.0 */
/* status.c - setting a tsr_status. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

bool tsr_status_set(tsr_status *s, tsr_code code, const char *fmt, ...)
{
    if (!s || s->code != TSR_OK)
        return false;
    s->code = code;
    va_list args;
    va_start(args, fmt);
    vsnprintf(s->message, sizeof s->message, fmt, args);
    va_end(args);
    return false;
}
