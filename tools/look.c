/* SPDX-License-Identifier: Apache-2.0 */
/* look.c - the first look of `tessera shard` and `simulate` at a terminal, or with --look. */
#include "look.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "api/explain.h"

enum { MOST_COLUMNS = 100, FEWEST_COLUMNS = 40 };

uint32_t terminal_columns(int fd)
{
    struct winsize size = {0};
    const char *told = getenv("COLUMNS");
    long n = told ? strtol(told, NULL, 10) : 0;
    if (n <= 0 && isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0)
        n = size.ws_col;
    return n <= 0 ? 0 : n < FEWEST_COLUMNS ? FEWEST_COLUMNS : (uint32_t)(n < 1000 ? n : 1000);
}

bool look_wanted(bool asked)
{
    return asked || isatty(STDOUT_FILENO);
}

void put_look(tsr_buf *out, tsr_arena *arena, const tsr_sim_report *r, bool assumed)
{
    tsr_look look = {.assumed = assumed};
    uint32_t columns = terminal_columns(STDOUT_FILENO);
    tsr_explain_look(arena, r->device, r->plan, &look);
    tsr_look_make(arena, &look, r->plan->func, r->plan, NULL, r);
    tsr_look_text(out, &look, columns && columns < MOST_COLUMNS ? columns : MOST_COLUMNS,
                  has_colours(stdout));
    tsr_look_free(&look);
}
