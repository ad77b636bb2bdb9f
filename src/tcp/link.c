/* SPDX-License-Identifier: Apache-2.0 */
/* link.c - connections of the TCP transport: who connects, the greeting, and how one finds that a rank is gone.
 *
 * Both ranks of a pair may connect. If they do at once, the connection of the lower rank is kept. A connection can be
 * used when the rank that was called has answered the greeting. */
#define _GNU_SOURCE /* ppoll */
#include "tcp/inner.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/scope.h"

/* What an event is for: a rank, the listener, or a guest. */
enum { EVENT_LISTENER = 1 << 30, EVENT_GUEST = 1 << 29 };

static const char hello_mark[8] = "TSRTCP1";
static const double hello_time = 5, again_after = 0.02;

static bool watch(const tcp *t, int fd, uint32_t what, uint32_t events, bool add)
{
    struct epoll_event e = {.events = events, .data.u32 = what};
    return epoll_ctl(t->poll, add ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &e) == 0;
}

void tsr_tcp_tune(const tcp *t, int fd)
{
    int on = 1, idle = 2, every = 1, silence = (int)(t->o.silence * 1000);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence, sizeof silence);
}

static void settle(tcp *t, tcp_link *l, link_state state)
{
    bool was = l->state == LINK_LATER || l->state == LINK_DIALING || l->state == LINK_GREETING;
    bool is = state == LINK_LATER || state == LINK_DIALING || state == LINK_GREETING;
    t->unsettled += is;
    t->unsettled -= was;
    l->state = state;
    l->since = tsr_seconds();
}

static void hang_up(tcp_link *l)
{
    if (l->fd >= 0)
        close(l->fd);
    l->fd = -1;
    l->blocked = false;
}

void tsr_tcp_lose(tcp *t, tcp_link *l, const char *why)
{
    if (l->state == LINK_GONE)
        return;
    snprintf(l->why, sizeof l->why, "%s", l->left ? "it has left the job" : why);
    hang_up(l);
    settle(t, l, LINK_GONE);
    t->t.gone++;
    tsr_tcp_fail_all(l);
}

void tsr_tcp_await_room(tcp *t, tcp_link *l, bool on)
{
    if (l->blocked == on)
        return;
    l->blocked = on;
    watch(t, l->fd, (uint32_t)l->rank, on ? EPOLLIN | EPOLLOUT : EPOLLIN, false);
}

/* ---- The greeting ---- */

static tcp_hello hello_of(const tcp *t)
{
    tcp_hello h = {
        .order = 0x01020304, .rank = (uint32_t)t->t.rank, .size = (uint32_t)t->t.size, .unused = 0};
    memcpy(h.mark, hello_mark, sizeof h.mark);
    memcpy(h.cookie, t->o.cookie, sizeof h.cookie);
    return h;
}

/* The rank that a greeting comes from; -1: it is not one of this job. */
static int rank_of(const tcp *t, const tcp_hello *h)
{
    unsigned differs = 0;
    for (size_t i = 0; i < sizeof h->cookie; i++)
        differs |= (unsigned)(h->cookie[i] ^ t->o.cookie[i]);
    bool good = !memcmp(h->mark, hello_mark, sizeof h->mark) && h->order == 0x01020304 &&
                h->size == (uint32_t)t->t.size && h->rank < h->size &&
                h->rank != (uint32_t)t->t.rank && !differs;
    return good ? (int)h->rank : -1;
}

/* It is a few bytes on a new connection: they are sent whole. */
static bool greet(const tcp *t, int fd)
{
    tcp_hello h = hello_of(t);
    return send(fd, &h, sizeof h, MSG_NOSIGNAL) == (ssize_t)sizeof h;
}

/* Reads a greeting: 1: there, 0: not yet, -1: never. */
static int hear(int fd, tcp_hello *h, size_t *got)
{
    ssize_t k = recv(fd, (char *)h + *got, sizeof *h - *got, MSG_DONTWAIT);
    if (k < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (k <= 0)
        return -1;
    *got += (size_t)k;
    return *got == sizeof *h;
}

static void begin_link(tcp *t, tcp_link *l)
{
    settle(t, l, LINK_UP);
    l->got = 0;
    l->has_frame = false;
    tsr_tcp_push(t, l);
}

/* ---- Calling ---- */

static void try_later(tcp *t, tcp_link *l, double patience, const char *why)
{
    hang_up(l);
    if (tsr_seconds() - l->first >= patience)
        tsr_tcp_lose(t, l, why);
    else
        settle(t, l, LINK_LATER);
}

static void dial(tcp *t, tcp_link *l)
{
    const char *error = "";
    l->got = 0;
    l->fd = tsr_tcp_connect(l->address, &error);
    if (l->fd < 0) {
        try_later(t, l, t->o.patience, error);
        return;
    }
    tsr_tcp_tune(t, l->fd);
    settle(t, l, LINK_DIALING);
    if (!watch(t, l->fd, (uint32_t)l->rank, EPOLLIN | EPOLLOUT, true))
        tsr_tcp_lose(t, l, strerror(errno));
    l->blocked = true;
}

void tsr_tcp_reach(tcp *t, tcp_link *l)
{
    if (l->state != LINK_NONE || l->rank == t->t.rank)
        return;
    l->first = tsr_seconds();
    if (!l->address[0])
        tsr_tcp_lose(t, l, "its address is not known");
    else
        dial(t, l);
}

static void dialed(tcp *t, tcp_link *l)
{
    int error = 0;
    socklen_t n = sizeof error;
    getsockopt(l->fd, SOL_SOCKET, SO_ERROR, &error, &n);
    if (error) {
        try_later(t, l, t->o.patience, strerror(error));
        return;
    }
    struct pollfd p = {.fd = l->fd, .events = POLLOUT};
    if (poll(&p, 1, 0) < 1)
        return;
    tsr_tcp_await_room(t, l, false);
    settle(t, l, LINK_GREETING);
    if (!greet(t, l->fd))
        try_later(t, l, t->o.patience, strerror(errno));
}

/* The rank that was called answers, or hangs up: because it is calling too, or has ended. */
static void answered(tcp *t, tcp_link *l)
{
    int done = hear(l->fd, &l->hello, &l->got);
    if (done > 0 && rank_of(t, &l->hello) == l->rank)
        begin_link(t, l);
    else if (done > 0)
        tsr_tcp_lose(t, l, "another process answers at its address");
    else if (done < 0)
        try_later(t, l, t->o.silence, "connection closed");
}

/* ---- Being called ---- */

static void drop_guest(tcp *t, tcp_guest *g, bool closes)
{
    if (closes)
        close(g->fd);
    g->fd = -1;
    t->unsettled--;
}

/* A guest has said who it is. */
static void seat(tcp *t, tcp_guest *g)
{
    int rank = rank_of(t, &g->hello);
    tcp_link *l = rank < 0 ? NULL : &t->links[rank];
    bool calling = l && (l->state == LINK_DIALING || l->state == LINK_GREETING);
    bool refused = !l || l->state == LINK_UP || l->state == LINK_GONE ||
                   (calling && t->t.rank < rank); /* it will take our call */
    if (refused || !greet(t, g->fd)) {
        drop_guest(t, g, true);
        return;
    }
    int fd = g->fd;
    drop_guest(t, g, false);
    hang_up(l);
    l->fd = fd;
    watch(t, fd, (uint32_t)rank, EPOLLIN, false);
    begin_link(t, l);
}

static void accept_guests(tcp *t)
{
    for (int i = 0; i < TCP_GUESTS; i++) {
        tcp_guest *g = &t->guests[i];
        if (g->fd >= 0)
            continue;
        int fd = accept(t->listener, NULL, NULL);
        if (fd < 0)
            return;
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        tsr_tcp_tune(t, fd);
        *g = (tcp_guest){.fd = fd, .since = tsr_seconds()};
        t->unsettled++;
        if (!watch(t, fd, EVENT_GUEST | (uint32_t)i, EPOLLIN, true))
            drop_guest(t, g, true);
    }
}

static void hear_guest(tcp *t, tcp_guest *g)
{
    int done = g->fd < 0 ? 0 : hear(g->fd, &g->hello, &g->got);
    if (done > 0)
        seat(t, g);
    else if (done < 0)
        drop_guest(t, g, true);
}

/* ---- Progress ---- */

/* What a clock decides: calls again, gives up. */
static void look_at_clock(tcp *t)
{
    double now = tsr_seconds();
    if (now - t->looked < again_after / 2)
        return;
    t->looked = now;
    for (int i = 0; i < TCP_GUESTS; i++)
        if (t->guests[i].fd >= 0 && now - t->guests[i].since > hello_time)
            drop_guest(t, &t->guests[i], true);
    for (int i = 0; i < t->t.size; i++) {
        tcp_link *l = &t->links[i];
        bool calls = l->state == LINK_DIALING || l->state == LINK_GREETING;
        if (calls && now - l->since > t->o.silence)
            tsr_tcp_lose(t, l, "it does not answer");
        else if (l->state == LINK_LATER && now - l->since > again_after)
            dial(t, l);
    }
}

static void happened(tcp *t, const struct epoll_event *e)
{
    uint32_t what = e->data.u32;
    if (what == EVENT_LISTENER) {
        accept_guests(t);
        return;
    }
    if (what & EVENT_GUEST) {
        hear_guest(t, &t->guests[what & ~(uint32_t)EVENT_GUEST]);
        return;
    }
    tcp_link *l = &t->links[what];
    if (l->state == LINK_DIALING)
        dialed(t, l);
    else if (l->state == LINK_GREETING)
        answered(t, l);
    else if (l->state == LINK_UP && e->events & ~(uint32_t)EPOLLOUT)
        tsr_tcp_pull(t, l);
    if (l->state == LINK_UP && e->events & EPOLLOUT)
        tsr_tcp_push(t, l);
}

void tsr_tcp_progress(tcp *t, long nanoseconds)
{
    enum { EVENTS = 64 };
    struct epoll_event events[EVENTS];
    if (nanoseconds > 0) {
        const struct timespec wait = {0, nanoseconds};
        struct pollfd p = {.fd = t->poll, .events = POLLIN};
        if (ppoll(&p, 1, &wait, NULL) < 1 && !t->unsettled)
            return;
    }
    int n = epoll_wait(t->poll, events, EVENTS, 0);
    for (int i = 0; i < n; i++)
        happened(t, &events[i]);
    if (t->unsettled)
        look_at_clock(t);
}

/* ---- The object ---- */

bool tsr_tcp_listens(tcp *t)
{
    return t->listener >= 0 && t->poll >= 0 &&
           fcntl(t->listener, F_SETFL, fcntl(t->listener, F_GETFL) | O_NONBLOCK) == 0 &&
           tsr_tcp_bound(t->listener, t->address, sizeof t->address) &&
           watch(t, t->listener, EVENT_LISTENER, EPOLLIN, true);
}

bool tsr_tcp_know(tsr_transport *transport, int rank, tsr_str address, const char *name)
{
    tcp *t = (tcp *)transport;
    tcp_link *l = &t->links[rank];
    if (!address.len || address.len >= sizeof l->address)
        return false;
    memcpy(l->address, address.data, address.len);
    l->address[address.len] = 0;
    snprintf(l->name, sizeof l->name, "%s", name ? name : "");
    return strchr(l->address, ':') != NULL;
}

void tsr_tcp_secret(tsr_transport *t, const unsigned char *cookie)
{
    memcpy(((tcp *)t)->o.cookie, cookie, TSR_TCP_COOKIE);
}

void tsr_tcp_adopt(tsr_transport *transport, int rank, int fd)
{
    tcp *t = (tcp *)transport;
    tcp_link *l = &t->links[rank];
    tsr_tcp_tune(t, fd);
    l->fd = fd;
    watch(t, fd, (uint32_t)rank, EPOLLIN, true);
    begin_link(t, l);
}
