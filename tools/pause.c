/* SPDX-License-Identifier: Apache-2.0 */
/* pause.c - what a program does at debug.breakpoint: it shows the value and waits for the user, if there is one. */
#include "tools.h"

#include <unistd.h>

static bool wait_for_user(void *user, const tsr_breakpoint *at)
{
    (void)user;
    working_end();
    if (at->device)
        fprintf(stderr, "device %zu:\n", at->device);
    fwrite(at->text.data, 1, at->text.len, stderr);
    fputs("press Enter to go on\n", stderr);
    for (int ch = getchar(); ch != '\n' && ch != EOF;)
        ch = getchar();
    return true;
}

tsr_breakpoint_fn *user_at_terminal(void)
{
    return isatty(0) && isatty(2) ? wait_for_user : NULL;
}
