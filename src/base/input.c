/* SPDX-License-Identifier: Apache-2.0 */
/* input.c - input files. Opening a named pipe blocks until there is a writer, perhaps for ever, so pipes are opened
 * without blocking, and a writer must appear within a time limit. */
#include "base/input.h"

#include "base/scope.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PATIENCE = 2000, /* milliseconds until a writer must appear */
    GLANCE = 50,     /* milliseconds between checks of the limits while the pipe is silent */
};

static void close_fd(void *fd)
{
    close(*(int *)fd);
}

/* Whether a pipe has, or had, a writer. A silent pipe must be read to find out: without a writer, that returns end of
 * file at once. *taken: the byte that was read, or EOF. */
static bool has_writer(int fd, int *taken)
{
    struct pollfd pipe = {.fd = fd, .events = POLLIN};
    unsigned char c;
    tsr_cleanup cleanup;
    tsr_cleanup_push(&cleanup, close_fd, &fd);
    int ready = 0;
    for (int waited = 0; waited < PATIENCE && ready == 0; waited += GLANCE) {
        tsr_poll();
        ready = poll(&pipe, 1, GLANCE);
    }
    tsr_cleanup_pop(&cleanup);
    if (ready != 0)
        return true;
    ssize_t n = read(fd, &c, 1);
    *taken = n == 1 ? c : EOF;
    return n != 0;
}

FILE *tsr_input_open(const char *path, const char **error)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    int taken = EOF;
    *error = NULL;
    if (fd < 0 || fstat(fd, &st) != 0)
        *error = strerror(errno);
    else if (S_ISDIR(st.st_mode))
        *error = strerror(EISDIR);
    else if (S_ISFIFO(st.st_mode) && !has_writer(fd, &taken))
        *error = "a pipe that nobody writes to";
    int flags = *error ? -1 : fcntl(fd, F_GETFL);
    bool waits = flags >= 0 && !S_ISFIFO(st.st_mode); /* pipes are waited for in tsr_input_read */
    FILE *f = flags >= 0 && (!waits || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0)
                  ? fdopen(fd, "rb")
                  : NULL;
    if (!f && !*error)
        *error = strerror(errno);
    if (!f && fd >= 0)
        close(fd);
    if (f && taken != EOF)
        ungetc(taken, f);
    return f;
}

static void wait_for_input(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    do
        tsr_poll();
    while (poll(&p, 1, GLANCE) == 0);
}

size_t tsr_input_read(FILE *f, void *data, size_t n, const char **error)
{
    for (;;) {
        ssize_t got;
        errno = 0;
        if (f == stdin) { /* shared with others: it stays blocking, and is not buffered */
            wait_for_input(fileno(f));
            got = read(fileno(f), data, n);
        } else {
            got = (ssize_t)fread(data, 1, n, f);
            if (got == 0 && ferror(f))
                got = -1;
        }
        if (got >= 0)
            return clearerr(f), (size_t)got;
        if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
            break;
        clearerr(f);
        wait_for_input(fileno(f));
    }
    *error = strerror(errno);
    return 0;
}
