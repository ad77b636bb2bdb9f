/* progress.c - one line on stderr that tells how far a command is, if it takes more than a second at a terminal: it is
 * rewritten in place, and cleared at the end. */
#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools.h"

enum { MOST_COLUMNS = 200 };

void progress_begin(progress_line *p)
{
    const char *term = getenv("TERM");
    *p = (progress_line){.start = wall_seconds()};
    p->on = isatty(2) && term && strcmp(term, "dumb") != 0;
}

bool progress_is_due(const progress_line *p)
{
    const double after = 1, each = 0.2;
    double now = p->on ? wall_seconds() : 0;
    return p->on && now - p->start >= after && now - p->shown >= each;
}

void progress_show(progress_line *p, const char *fmt, ...)
{
    char line[MOST_COLUMNS];
    struct winsize size = {0};
    size_t most = ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    p->shown = wall_seconds();
    if (n < 0)
        return;
    if (most > sizeof line)
        most = sizeof line;
    if ((size_t)n >= most) /* a line that wraps could not be rewritten */
        line[most - 1] = '\0';
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
}

void progress_end(progress_line *p)
{
    if (p->shown > 0)
        fputs("\r\033[K", stderr);
    p->shown = 0;
}
