/* input.c - files that are read. Opening a named pipe waits for a writer, and may wait for ever: it is opened without
 * waiting, and somebody has to write to it before long. */
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE = 2000 /* milliseconds until a writer must be there */ };

/* Whether somebody writes to a pipe, or has written. One that is silent shows by reading: without a writer that gives the
 * end at once. *taken: the byte that came just then, or EOF. */
static bool has_writer(int fd, int *taken)
{
    struct pollfd pipe = {.fd = fd, .events = POLLIN};
    unsigned char c;
    if (poll(&pipe, 1, PATIENCE) != 0)
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
    FILE *f = flags >= 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0 ? fdopen(fd, "rb") : NULL;
    if (!f && !*error)
        *error = strerror(errno);
    if (!f && fd >= 0)
        close(fd);
    if (f && taken != EOF)
        ungetc(taken, f);
    return f;
}
