/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c - one line on stderr that tells how far a command is, if it takes more than a second at a terminal: it is
 * rewritten in place, and cleared at the end. */
#include <signal.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#include "tools.h"

enum { MOST_COLUMNS = 200 };

void progress_begin(progress_line *p)
{
    const char *term = getenv("TERM");
    *p = (progress_line){.start = wall_seconds()};
    working_end(); /* it says more */
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

/* ---- Commands that cannot say how far they are ---- */

/* What the signal handler writes; a handler may use nothing else. */
static struct {
    char line[64];
    size_t len;
    volatile sig_atomic_t ticks, shown;
} working;

static void on_tick(int signal_number)
{
    (void)signal_number;
    char text[96] = "\r";
    size_t n = 1;
    int half = ++working.ticks + 1; /* the first after one second, then twice a second */
    memcpy(text + n, working.line, working.len);
    n += working.len;
    for (int unit = 1000; unit; unit /= 10)
        if (half / 2 >= unit || unit == 1)
            text[n++] = (char)('0' + half / 2 / unit % 10);
    memcpy(text + n, " s\033[K", 5);
    working.shown = write(2, text, n + 5) > 0;
}

static void tick(bool on)
{
    struct itimerval each = {{0, on ? 500000 : 0}, {on ? 1 : 0, 0}};
    setitimer(ITIMER_REAL, &each, NULL);
}

void working_begin(const char *name)
{
    const char *term = getenv("TERM");
    struct sigaction a = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
    if (!isatty(2) || !term || strcmp(term, "dumb") == 0)
        return;
    int n = snprintf(working.line, sizeof working.line, "%s: at work, ", name);
    working.len = n > 0 && (size_t)n < sizeof working.line ? (size_t)n : 0;
    working.ticks = 0;
    sigemptyset(&a.sa_mask);
    if (working.len && sigaction(SIGALRM, &a, NULL) == 0)
        tick(true);
}

void working_on(const tool *t, const char *path)
{
    if (strcmp(path, "-") != 0) /* the user may be typing */
        working_begin(t->name);
}

void working_hide(void)
{
    if (working.shown && write(2, "\r\033[K", 4) == 4)
        working.shown = 0;
}

void working_end(void)
{
    if (!working.len)
        return;
    tick(false);
    working.len = 0;
    working_hide();
}
