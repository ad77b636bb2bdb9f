/* SPDX-License-Identifier: Apache-2.0 */
/* serve.c - the explorer's server: one thread waits for all connections at once, so that a slow one delays nobody. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/scope.h"
#include "explore/http.h"

enum { CONNECTIONS_MOST = 32, TICK_MS = 200 };
/* A connection is closed after this many seconds if it has sent nothing, and if it has not sent all of its request, or
 * read its answer. */
static const double first_byte = 5, patience = 15;

typedef struct {
    int fd; /* -1: free */
    double since;
    tsr_buf in, out;
    size_t sent;
    bool answered; /* out is being sent */
    bool ending;   /* everything is sent; the client should close */
} connection;

typedef struct {
    tsr_server *s;
    connection all[CONNECTIONS_MOST];
} loop;

bool tsr_server_open(tsr_server *s)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)s->port)};
    socklen_t size = sizeof at;
    int yes = 1;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    s->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (s->fd < 0)
        return false;
    setsockopt(s->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(s->fd, (struct sockaddr *)&at, sizeof at) == 0 && listen(s->fd, 16) == 0 &&
        fcntl(s->fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(s->fd, F_SETFD, FD_CLOEXEC) == 0 &&
        getsockname(s->fd, (struct sockaddr *)&at, &size) == 0) {
        s->port = ntohs(at.sin_port);
        return true;
    }
    int why = errno;
    close(s->fd);
    s->fd = -1;
    errno = why;
    return false;
}

static void drop(connection *c)
{
    if (c->fd >= 0)
        close(c->fd);
    tsr_buf_free(&c->in);
    tsr_buf_free(&c->out);
    *c = (connection){.fd = -1};
}

/* How little a connection would miss its place: it has sent nothing, a part of a request, or was told everything. */
static int idleness(const connection *c)
{
    return c->fd < 0 ? 4 : c->ending ? 1 : c->answered ? 0 : c->in.len ? 2 : 3;
}

/* The place of a new connection: a free one, or that of the oldest of the idlest. NULL: all are being answered. */
static connection *find_place(loop *l)
{
    connection *best = NULL;
    for (size_t i = 0; i < CONNECTIONS_MOST; i++) {
        connection *c = &l->all[i];
        int more = idleness(c) - (best ? idleness(best) : 0);
        if (more > 0 || (best && more == 0 && c->since < best->since))
            best = c;
    }
    return best;
}

static void take_in(loop *l)
{
    int fd = accept(l->s->fd, NULL, NULL);
    if (fd < 0)
        return;
    connection *c = find_place(l);
    if (c && fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0) {
        drop(c);
        *c = (connection){.fd = fd, .since = tsr_seconds()};
    } else {
        close(fd);
    }
}

static void refuse(connection *c, int status)
{
    tsr_http_answer(&c->out, status, NULL, (tsr_str){0});
}

/* Answers as soon as the request is complete, or found invalid. */
static void look(loop *l, connection *c)
{
    tsr_http_request request;
    int status = tsr_http_parse(tsr_buf_text(&c->in), &request);
    if (!status)
        return;
    if (status == 200)
        status = tsr_http_allow(&request, l->s->port);
    if (status == 200)
        l->s->answer(l->s->user, &request, &c->out);
    else
        refuse(c, status);
    c->answered = true;
    c->since = tsr_seconds(); /* the answer may have taken a while */
}

static bool would_wait(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

static void receive(loop *l, connection *c)
{
    char bytes[16384];
    ssize_t n = recv(c->fd, bytes, sizeof bytes, 0);
    if (n == 0 || (n < 0 && !would_wait())) {
        drop(c);
        return;
    }
    if (n < 0 || c->answered) /* bytes after a request are read and discarded */
        return;
    tsr_buf_str(&c->in, (tsr_str){bytes, (size_t)n});
    look(l, c);
}

static void transmit(connection *c)
{
    ssize_t n = send(c->fd, c->out.data + c->sent, c->out.len - c->sent, MSG_NOSIGNAL);
    if (n < 0 && !would_wait()) {
        drop(c);
        return;
    }
    c->sent += n > 0 ? (size_t)n : 0;
    if (c->sent == c->out.len) { /* closing with unread bytes would discard the answer */
        shutdown(c->fd, SHUT_WR);
        c->ending = true;
    }
}

static void serve(loop *l, connection *c, short events)
{
    if (c->answered && !c->ending && (events & (POLLOUT | POLLERR)))
        transmit(c);
    else if (events & (POLLIN | POLLHUP | POLLERR))
        receive(l, c);
}

static void expire(connection *c, double now)
{
    bool silent = !c->answered && !c->in.len;
    if (c->fd < 0 || now - c->since < (silent ? first_byte : patience))
        return;
    if (c->answered) {
        drop(c);
        return;
    }
    refuse(c, 408);
    c->answered = true;
    c->since = now;
}

/* Waits a moment for events, and handles them. */
static bool turn(loop *l)
{
    struct pollfd fds[CONNECTIONS_MOST + 1] = {{l->s->fd, POLLIN, 0}};
    connection *whose[CONNECTIONS_MOST];
    nfds_t n = 1;
    double now = tsr_seconds();
    for (size_t i = 0; i < CONNECTIONS_MOST; i++) {
        connection *c = &l->all[i];
        expire(c, now);
        if (c->fd < 0)
            continue;
        whose[n - 1] = c;
        fds[n++] = (struct pollfd){c->fd, c->answered && !c->ending ? POLLIN | POLLOUT : POLLIN, 0};
    }
    int ready = poll(fds, n, TICK_MS);
    if (ready < 0)
        return errno == EINTR;
    for (nfds_t i = 1; i < n; i++)
        if (fds[i].revents)
            serve(l, whose[i - 1], fds[i].revents);
    if (fds[0].revents)
        take_in(l);
    return true;
}

static void close_all(void *user)
{
    loop *l = user;
    for (size_t i = 0; i < CONNECTIONS_MOST; i++)
        if (l->all[i].fd >= 0)
            close(l->all[i].fd);
    close(l->s->fd);
}

bool tsr_server_run(tsr_server *s)
{
    loop l = {.s = s};
    tsr_cleanup cleanup;
    bool ok = true;
    for (size_t i = 0; i < CONNECTIONS_MOST; i++)
        l.all[i].fd = -1;
    tsr_cleanup_push(&cleanup, close_all, &l);
    while (ok && !s->stopped(s->user))
        ok = turn(&l);
    tsr_cleanup_pop(&cleanup);
    int why = errno;
    for (size_t i = 0; i < CONNECTIONS_MOST; i++)
        drop(&l.all[i]);
    close(s->fd);
    errno = why;
    return ok;
}
