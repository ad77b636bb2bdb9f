/* SPDX-License-Identifier: Apache-2.0 */
/* tcp.c - the TCP transport beside sockets by hand, between two processes of this host, in the same run: half a round trip, and
 * both ways at once in messages of a megabyte. The best of several rounds; by turns, since other processes use the cores too. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scope.h"
#include "tcp/tcp.h"

enum { MOST = 64 << 20, PIECE = 1 << 20, PIECES = MOST / PIECE };

typedef struct {
    tsr_transport *t;
    int rank, fd; /* fd: the socket by hand */
    char *out, *in;
} side;

/* ---- By hand ---- */

/* Sends and receives so many bytes, each as soon as the socket can. */
static void move(side *s, size_t sends, size_t receives)
{
    size_t sent = 0, got = 0;
    while (sent < sends || got < receives) {
        ssize_t k = sent < sends ? send(s->fd, s->out + sent, sends - sent, MSG_DONTWAIT) : 0;
        sent += k > 0 ? (size_t)k : 0;
        ssize_t n = got < receives ? recv(s->fd, s->in + got, receives - got, MSG_DONTWAIT) : 0;
        got += n > 0 ? (size_t)n : 0;
        if (k <= 0 && n <= 0)
            sched_yield();
    }
}

/* ---- The transport ---- */

static void finish(side *s, tsr_request *r)
{
    int done;
    while ((done = s->t->test(s->t, r)) == 0)
        sched_yield();
    if (done < 0) {
        fprintf(stderr, "%s\n", s->t->error);
        _exit(1);
    }
}

static void exchange(side *s, size_t sends, size_t receives)
{
    static tsr_request out[PIECES], in[PIECES];
    size_t nout = 0, nin = 0;
    for (size_t at = 0; at < receives; at += PIECE, nin++) {
        size_t k = receives - at < PIECE ? receives - at : PIECE;
        tsr_span where = {s->in + at, k, 1, 0};
        s->t->receive(s->t, 1 - s->rank, 20, &where, &in[nin]);
    }
    for (size_t at = 0; at < sends; at += PIECE, nout++) {
        size_t k = sends - at < PIECE ? sends - at : PIECE;
        tsr_span what = {s->out + at, k, 1, 0};
        s->t->send(s->t, 1 - s->rank, 20, &what, &out[nout]);
    }
    for (size_t i = 0; i < nin; i++)
        finish(s, &in[i]);
    for (size_t i = 0; i < nout; i++)
        finish(s, &out[i]);
}

/* ---- Timing ---- */

typedef void way(side *s, size_t sends, size_t receives);

/* Seconds of half a round trip, or of both ways at once. */
static double time_once(side *s, way *w, size_t bytes, bool both)
{
    double start = tsr_seconds();
    if (both) {
        w(s, bytes, bytes);
        return tsr_seconds() - start;
    }
    if (s->rank == 0)
        w(s, bytes, 0), w(s, 0, bytes);
    else
        w(s, 0, bytes), w(s, bytes, 0);
    return (tsr_seconds() - start) / 2;
}

static void measure(side *s)
{
    for (size_t bytes = 1024; bytes <= MOST; bytes *= 4)
        for (int both = 0; both < 2; both++) {
            double best[2] = {1e9, 1e9};
            int rounds = bytes < PIECE ? 400 : 40;
            for (int i = 0; i < rounds; i++)
                for (int k = 0; k < 2; k++) {
                    double x = time_once(s, k ? exchange : move, bytes, both != 0);
                    best[k] = x < best[k] ? x : best[k];
                }
            if (s->rank == 0)
                printf("%9zu B %s: by hand %9.1f us %6.2f GB/s, the transport %9.1f us %6.2f GB/s, "
                       "%.2f\n",
                       bytes, both ? "both ways" : "one way  ", best[0] * 1e6,
                       (double)bytes / best[0] / 1e9, best[1] * 1e6, (double)bytes / best[1] / 1e9,
                       best[0] / best[1]);
            fflush(stdout);
        }
}

/* Two ends of a TCP connection on this host. */
static void connect_pair(int *pair)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof a;
    int on = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&a, n) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, (struct sockaddr *)&a, &n) != 0)
        exit(1);
    pair[0] = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(pair[0], (struct sockaddr *)&a, n) != 0)
        exit(1);
    pair[1] = accept(listener, NULL, NULL);
    for (int i = 0; i < 2; i++)
        setsockopt(pair[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    close(listener);
}

int main(void)
{
    tsr_status s = {0};
    tsr_transport *t[2];
    int pair[2];
    connect_pair(pair);
    for (int i = 0; i < 2; i++) {
        t[i] = tsr_tcp_open(
            &(tsr_tcp_options){.rank = i, .size = 2, .listener = -1, .listen = "127.0.0.1:0"}, &s);
        if (!t[i])
            return 1;
    }
    for (int i = 0; i < 2; i++)
        tsr_tcp_know(t[i], 1 - i, tsr_cstr(tsr_tcp_address(t[1 - i])), NULL);
    fflush(NULL);
    int rank = fork() == 0;
    side own = {t[rank], rank, pair[rank], calloc(1, MOST), calloc(1, MOST)};
    if (!own.out || !own.in)
        return 1;
    memset(own.out, 1 + rank, MOST);
    measure(&own);
    if (!rank)
        wait(NULL);
    return 0;
}
