/* SPDX-License-Identifier: Apache-2.0 */
/* test_tcp.c - the TCP transport: messages of all sizes in order, connections from both sides at once, strangers, withdrawn
 * messages, ranks that leave and ranks that die. Ranks are objects of this process, or processes that it starts. */
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/scope.h"
#include "tcp/tcp.h"
#include "unit.h"

enum { MOST = 4 };

typedef struct {
    tsr_transport *t[MOST];
    int n;
} job;

static bool open_job(job *j, int n)
{
    tsr_status s = {0};
    j->n = n;
    for (int i = 0; i < n; i++) {
        tsr_tcp_options o = {.rank = i, .size = n, .listener = -1, .listen = "127.0.0.1:0"};
        memset(o.cookie, 7, sizeof o.cookie);
        j->t[i] = tsr_tcp_open(&o, &s);
        if (!j->t[i])
            return false;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            tsr_tcp_know(j->t[i], k, tsr_cstr(tsr_tcp_address(j->t[k])), NULL);
    return true;
}

static void close_job(job *j)
{
    for (int i = 0; i < j->n; i++)
        if (j->t[i])
            tsr_tcp_leave(j->t[i]);
}

static tsr_span whole(void *data, size_t bytes)
{
    return (tsr_span){data, bytes, 1, 0};
}

/* Waits for a request, while the other ranks go on. -1: it failed, 0: not in time. */
static int finish(job *j, int rank, tsr_request *r)
{
    int done = 0;
    for (double end = tsr_seconds() + 20; !done && tsr_seconds() < end;) {
        done = j->t[rank]->test(j->t[rank], r);
        for (int i = 0; !done && i < j->n; i++)
            if (j->t[i])
                j->t[i]->rest(j->t[i], i == rank ? 100000 : 1);
    }
    return done;
}

/* Sends a message and receives it in another form: rows with gaps. */
static bool passes(job *j, int from, int to, size_t rows, size_t bytes)
{
    size_t n = rows * bytes, stride = bytes + 3;
    unsigned char *a = malloc(n + 1), *b = calloc(rows, stride);
    for (size_t i = 0; i < n; i++)
        a[i] = (unsigned char)(i * 7 + n);
    tsr_request out, in;
    tsr_span where = {b, bytes, rows, stride}, what = whole(a, n);
    bool ok = j->t[from]->send(j->t[from], to, 20, &what, &out) &&
              j->t[to]->receive(j->t[to], from, 20, &where, &in) && finish(j, to, &in) == 1 &&
              finish(j, from, &out) == 1;
    for (size_t i = 0; ok && i < n; i++)
        ok = b[i / bytes * stride + i % bytes] == a[i];
    free(a);
    free(b);
    return ok;
}

static void test_messages(unit *u)
{
    static const size_t sizes[] = {1, 100, 4096, 131072, 131073, 1 << 20, 5000000};
    job j = {{0}, 0};
    CHECK(u, open_job(&j, 3));
    for (size_t i = 0; i < TSR_COUNT(sizes); i++) {
        CHECK(u, passes(&j, 0, 1, 1, sizes[i]));
        CHECK(u, passes(&j, 2, 0, 1, sizes[i]));
        CHECK(u, passes(&j, 1, 2, 37, sizes[i] / 37 + 1));
    }
    close_job(&j);
}

/* Many messages with two tags, both ways at once: those of a tag keep their order, whoever asks first. */
static void test_order(unit *u)
{
    enum { N = 300 };
    static uint32_t out[2][N], in[2][N];
    static tsr_request sent[2][N], got[2][N];
    job j = {{0}, 0};
    CHECK(u, open_job(&j, 2));
    for (int i = 0; i < N; i++)
        for (int rank = 0; rank < 2; rank++) {
            tsr_transport *t = j.t[rank];
            out[rank][i] = (uint32_t)(rank * N + i);
            tsr_span s = whole(&out[rank][i], 4), r = whole(&in[rank][i], 4);
            t->send(t, 1 - rank, 20 + i % 2, &s, &sent[rank][i]);
            if (i >= N / 2) { /* half of them are there before anyone asks */
                tsr_span earlier = whole(&in[rank][i - N / 2], 4);
                t->receive(t, 1 - rank, 20 + (i - N / 2) % 2, &earlier, &got[rank][i - N / 2]);
                t->receive(t, 1 - rank, 20 + i % 2, &r, &got[rank][i]);
            }
        }
    bool ok = true;
    for (int rank = 0; rank < 2; rank++)
        for (int i = 0; i < N; i++)
            ok &= finish(&j, rank, &sent[rank][i]) == 1 && finish(&j, rank, &got[rank][i]) == 1;
    uint32_t sum[2] = {0, 0};
    for (int rank = 0; rank < 2; rank++)
        for (int i = 0; i < N; i++) {
            sum[rank] += in[rank][i];
            ok &= in[rank][i] % 2 == (uint32_t)i % 2;
        }
    CHECK(u, ok && sum[1] == N * (N - 1) / 2 && sum[0] == sum[1] + N * N);
    close_job(&j);
}

/* A message that is withdrawn never arrives, or arrives whole, and memory is free at once. */
static void test_cancel(unit *u)
{
    enum { BYTES = 8 << 20 };
    job j = {{0}, 0};
    CHECK(u, open_job(&j, 2));
    char *a = malloc(BYTES), *b = malloc(BYTES), few[8] = "seven";
    tsr_request r, in;
    tsr_span big = whole(a, BYTES), room = whole(b, BYTES), small = whole(few, 8);
    memset(a, 5, BYTES);
    memset(b, 0, BYTES);
    CHECK(u, passes(&j, 0, 1, 1, 10));
    /* Announced, and withdrawn: what follows arrives. */
    j.t[0]->send(j.t[0], 1, 30, &big, &r);
    j.t[0]->cancel(j.t[0], &r);
    CHECK(u, passes(&j, 0, 1, 1, 10));
    /* The receiver has asked for it: that fails. */
    j.t[1]->receive(j.t[1], 0, 31, &room, &in);
    j.t[0]->send(j.t[0], 1, 31, &big, &r);
    j.t[1]->rest(j.t[1], 10000000);
    j.t[0]->cancel(j.t[0], &r);
    CHECK(u, finish(&j, 1, &in) == -1);
    j.t[1]->cancel(j.t[1], &in);
    /* Half of it is there: the rest is sent from a copy. */
    j.t[1]->receive(j.t[1], 0, 32, &room, &in);
    j.t[0]->send(j.t[0], 1, 32, &big, &r);
    for (int i = 0; i < 200 && !b[0]; i++) {
        j.t[1]->rest(j.t[1], 1000000);
        j.t[0]->rest(j.t[0], 1000000);
    }
    j.t[0]->cancel(j.t[0], &r);
    memset(a, 9, BYTES);
    CHECK(u, finish(&j, 1, &in) == 1 && b[0] == 5 && b[BYTES - 1] == 5);
    /* The receiver gives up in the middle: its memory is not touched any more. */
    memset(b, 0, BYTES);
    j.t[1]->receive(j.t[1], 0, 33, &room, &in);
    j.t[0]->send(j.t[0], 1, 33, &big, &r);
    for (int i = 0; i < 200 && !b[0]; i++) {
        j.t[0]->rest(j.t[0], 1000000);
        j.t[1]->rest(j.t[1], 1000000);
    }
    j.t[1]->cancel(j.t[1], &in);
    memset(b, 1, BYTES);
    CHECK(u, finish(&j, 0, &r) == 1 && passes(&j, 0, 1, 1, 100) && b[0] == 1 && b[BYTES - 1] == 1);
    /* Asked for and given up before it came. */
    j.t[1]->receive(j.t[1], 0, 34, &small, &in);
    j.t[1]->cancel(j.t[1], &in);
    CHECK(u, passes(&j, 0, 1, 1, 50000));
    /* Another length than was expected. */
    j.t[0]->send(j.t[0], 1, 35, &small, &r);
    j.t[1]->receive(j.t[1], 0, 35, &room, &in);
    CHECK(u, finish(&j, 0, &r) == 1 && finish(&j, 1, &in) == -1 &&
                 strstr(j.t[1]->error, "sends 8 bytes where"));
    j.t[1]->cancel(j.t[1], &in);
    free(a);
    free(b);
    close_job(&j);
}

/* A socket to the address of a rank. */
static int call(const char *address)
{
    struct sockaddr_in a = {.sin_family = AF_INET};
    a.sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1));
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return connect(fd, (struct sockaddr *)&a, sizeof a) == 0 ? fd : -1;
}

/* Who does not know the secret is not heard, and disturbs nobody. */
static void test_strangers(unit *u)
{
    job j = {{0}, 0};
    CHECK(u, open_job(&j, 2));
    char noise[64] = "GET / HTTP/1.0\r\n\r\n";
    int a = call(tsr_tcp_address(j.t[0])), b = call(tsr_tcp_address(j.t[0]));
    CHECK(u, a >= 0 && b >= 0 && send(a, noise, sizeof noise, MSG_NOSIGNAL) == sizeof noise);
    struct { /* a greeting of rank 1 with another secret */
        char mark[8];
        uint32_t order, rank, size, unused;
        unsigned char cookie[16];
    } hello = {"TSRTCP1", 0x01020304, 1, 2, 0, {7, 7, 7}};
    CHECK(u, send(b, &hello, sizeof hello, MSG_NOSIGNAL) == sizeof hello);
    CHECK(u, passes(&j, 1, 0, 1, 100000));
    for (int i = 0; i < 20; i++)
        j.t[0]->rest(j.t[0], 1000000);
    CHECK(u, recv(a, noise, 1, 0) <= 0 && recv(b, noise, 1, 0) <= 0 && !j.t[0]->gone);
    close(a);
    close(b);
    close_job(&j);
}

/* A rank that leaves, or closes its connection, is gone; what it sent before is there. */
static void test_leaving(unit *u)
{
    job j = {{0}, 0};
    char word[4] = "one", got[4] = "";
    tsr_request r, in;
    tsr_span s = whole(word, 4), w = whole(got, 4);
    CHECK(u, open_job(&j, 3));
    CHECK(u, passes(&j, 0, 1, 1, 10) && passes(&j, 2, 1, 1, 10));
    j.t[0]->send(j.t[0], 1, 40, &s, &r);
    CHECK(u, finish(&j, 0, &r) == 1);
    tsr_tcp_leave(j.t[0]);
    j.t[0] = NULL;
    for (int i = 0; i < 100 && !j.t[1]->gone; i++)
        j.t[1]->rest(j.t[1], 1000000);
    CHECK(u, j.t[1]->gone == 1 && j.t[1]->lost(j.t[1], 0) && !j.t[1]->lost(j.t[1], 2));
    CHECK(u, strstr(j.t[1]->error, "rank 0") && strstr(j.t[1]->error, "left the job"));
    j.t[1]->receive(j.t[1], 0, 40, &w, &in);
    CHECK(u, finish(&j, 1, &in) == 1 && !strcmp(got, "one"));
    j.t[1]->receive(j.t[1], 0, 40, &w, &in);
    CHECK(u, finish(&j, 1, &in) == -1);
    j.t[1]->cancel(j.t[1], &in);
    CHECK(u, passes(&j, 2, 1, 1, 100000));
    close_job(&j);
}

/* A process that is killed is noticed by those who wait for it, or begin to. */
static void test_death(unit *u)
{
    job j = {{0}, 0};
    char word[4] = "";
    tsr_request in;
    tsr_span w = whole(word, 4);
    CHECK(u, open_job(&j, 2));
    fflush(NULL);
    pid_t child = fork();
    if (!child) { /* rank 1: says that it is there, and sleeps */
        tsr_span s = whole(word, 4);
        j.t[1]->send(j.t[1], 0, 50, &s, &in);
        for (;;)
            j.t[1]->rest(j.t[1], 1000000);
    }
    tsr_transport *own = j.t[0];
    tsr_tcp_leave(j.t[1]);
    j.t[1] = NULL;
    own->receive(own, 1, 50, &w, &in);
    CHECK(u, finish(&j, 0, &in) == 1);
    own->receive(own, 1, 50, &w, &in);
    double killed = tsr_seconds();
    kill(child, SIGKILL);
    CHECK(u, finish(&j, 0, &in) == -1 && tsr_seconds() - killed < 1);
    CHECK(u, own->gone == 1 && strstr(own->error, "rank 1 died: "));
    own->cancel(own, &in);
    waitpid(child, NULL, 0);
    close_job(&j);
    /* Nobody listens any more. */
    CHECK(u, open_job(&j, 2));
    tsr_tcp_leave(j.t[1]);
    j.t[1] = NULL;
    for (int i = 0; i < 100 && !j.t[0]->lost(j.t[0], 1); i++)
        j.t[0]->rest(j.t[0], 1000000);
    CHECK(u, j.t[0]->gone == 1 && strstr(j.t[0]->error, "refused"));
    close_job(&j);
}

static void test_addresses(unit *u)
{
    tsr_status s = {0};
    char text[TSR_TCP_ADDRESS];
    job j = {{0}, 0};
    CHECK(u, tsr_tcp_listen("nonsense", &s) < 0 && strstr(s.message, "host:port"));
    CHECK(u, tsr_tcp_source("127.0.0.1:9", text, sizeof text) && !strcmp(text, "127.0.0.1:0"));
    CHECK(u, !tsr_tcp_source("nonsense", text, sizeof text));
    CHECK(u, open_job(&j, 1));
    CHECK(u, !strncmp(tsr_tcp_address(j.t[0]), "127.0.0.1:", 10));
    CHECK(u, !tsr_tcp_know(j.t[0], 0, tsr_cstr("nowhere"), NULL));
    close_job(&j);
}

void test_tcp(unit *u)
{
    test_addresses(u);
    test_messages(u);
    test_order(u);
    test_cancel(u);
    test_strangers(u);
    test_leaving(u);
    test_death(u);
}
