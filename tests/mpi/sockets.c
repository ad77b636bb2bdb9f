/* sockets.c - a transport for tests: ranks are processes of one host that have sockets between them, and what is sent may arrive late.
 *
 * A plug-in, as that of MPI: TESSERA_MPI names it. TESSERA_TEST_RANK=rank:size:folder says who this is and where ranks find each other. TESSERA_TEST_DELAY=ms is how long
 * each message is under way, and TESSERA_TEST_RATE=MB/s how many bytes go from one rank to another: what came before its time is kept, and nobody waits for it by spinning.
 * Memory of what is sent is read when the socket takes it, and a message that nobody asked for is kept: mistakes in the use of memory show under a
 * sanitizer. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/transport.h"

typedef struct {
    int64_t tag;
    uint64_t bytes;
    double due; /* when it arrives; of a clock that ranks share */
} envelope;

/* Something on its way. */
typedef struct transfer {
    struct transfer *next;
    tsr_span span;
    int tag;
    bool done;
    envelope e;  /* sent */
    size_t sent; /* of the envelope and the bytes */
} transfer;

/* What came. */
typedef struct packet {
    struct packet *next;
    envelope e;
    size_t got;
    char data[];
} packet;

typedef struct {
    int fd;
    bool closed;
    double free_at; /* the way to it is, then */
    transfer *out, **out_end, *in, **in_end;
    packet *came, **came_end, *now; /* now: of which some bytes are there */
    envelope e;
    size_t got; /* of the envelope */
} peer;

static tsr_transport transport;
static peer *peers;
static double delay, rate;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int fail(const char *what)
{
    snprintf(transport.error, sizeof transport.error, "%s: %s", what, strerror(errno));
    return -1;
}

/* ---- Sockets ---- */

/* Where byte number at of blocks is, and how many lie there. */
static char *block_at(const tsr_span *s, size_t at, size_t *n)
{
    size_t row = s->count == 1 ? 0 : at / s->bytes, in = s->count == 1 ? at : at % s->bytes;
    *n = s->bytes - in;
    return (char *)s->data + row * s->stride + in;
}

/* Sends what the socket takes; -1: error. */
static int push(peer *p)
{
    while (p->out) {
        transfer *x = p->out;
        size_t n = 0, head = sizeof x->e;
        const char *from;
        if (x->sent < head) {
            from = (const char *)&x->e + x->sent;
            n = head - x->sent;
        } else if (x->sent < head + x->e.bytes) {
            from = block_at(&x->span, x->sent - head, &n);
        } else {
            p->out = x->next;
            p->out_end = p->out ? p->out_end : &p->out;
            x->done = true;
            continue;
        }
        ssize_t k = send(p->fd, from, n, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (k < 0)
            return errno == EAGAIN || errno == EINTR ? 0 : fail("a rank is gone");
        x->sent += (size_t)k;
    }
    return 0;
}

/* Takes what is there; -1: error. */
static int pull(peer *p)
{
    for (;;) {
        bool head = !p->now;
        size_t n = head ? sizeof p->e - p->got : (size_t)p->now->e.bytes - p->now->got;
        ssize_t k = n ? recv(p->fd, head ? (char *)&p->e + p->got : p->now->data + p->now->got, n,
                             MSG_DONTWAIT)
                      : 0;
        if (k < 0)
            return errno == EAGAIN || errno == EINTR ? 0 : fail("a rank is gone");
        if (n && !k) {
            p->closed = true; /* what came before counts */
            return 0;
        }
        if (head) {
            p->got += (size_t)k;
            if (p->got < sizeof p->e)
                continue;
            p->now = malloc(sizeof *p->now + p->e.bytes + 1);
            if (!p->now)
                return fail("no memory");
            *p->now = (packet){.e = p->e};
            p->got = 0;
            continue;
        }
        p->now->got += (size_t)k;
        if (p->now->got < p->now->e.bytes)
            continue;
        *p->came_end = p->now;
        p->came_end = &p->now->next;
        p->now = NULL;
    }
}

/* The first packet with a tag that has arrived. */
static packet **find(peer *p, int tag)
{
    for (packet **x = &p->came; *x; x = &(*x)->next)
        if ((*x)->e.tag == tag)
            return (*x)->e.due <= now() ? x : NULL;
    return NULL;
}

/* Gives what has arrived to those who asked for it, in their order. */
static void match(peer *p)
{
    for (transfer **x = &p->in; *x;) {
        packet **from = find(p, (*x)->tag);
        if (!from) {
            int tag = (*x)->tag; /* those behind it with its tag wait for it */
            while (*x && (*x)->tag == tag)
                x = &(*x)->next;
            continue;
        }
        packet *c = *from;
        for (size_t at = 0, n; at < c->e.bytes; at += n) {
            char *to = block_at(&(*x)->span, at, &n);
            n = c->e.bytes - at < n ? c->e.bytes - at : n;
            memcpy(to, c->data + at, n);
        }
        *from = c->next;
        if (!c->next)
            p->came_end = from;
        free(c);
        transfer *done = *x;
        *x = done->next;
        if (!done->next)
            p->in_end = x;
        done->done = true;
    }
}

static int progress(void)
{
    for (int i = 0; i < transport.size; i++) {
        peer *p = &peers[i];
        if (p->fd < 0)
            continue;
        if (!p->closed && (push(p) < 0 || pull(p) < 0))
            return -1;
        match(p);
        if (p->closed && p->in && !p->came) {
            snprintf(transport.error, sizeof transport.error, "rank %d is gone", i);
            return -1;
        }
    }
    return 0;
}

/* ---- The transport ---- */

static transfer *begin(const tsr_span *s, int tag, tsr_request *out)
{
    transfer *x = calloc(1, sizeof *x);
    x->span = *s;
    x->tag = tag;
    out->word = (uintptr_t)x;
    return x;
}

static bool slow_send(tsr_transport *t, int to, int tag, const tsr_span *what, tsr_request *out)
{
    (void)t;
    peer *p = &peers[to];
    transfer *x = begin(what, tag, out);
    size_t bytes = what->bytes * what->count;
    double start = now() > p->free_at ? now() : p->free_at;
    p->free_at = start + (rate > 0 ? (double)bytes / rate : 0);
    x->e = (envelope){tag, bytes, p->free_at + delay};
    *p->out_end = x;
    p->out_end = &x->next;
    return push(p) == 0;
}

static bool slow_receive(tsr_transport *t, int from, int tag, const tsr_span *where,
                         tsr_request *out)
{
    (void)t;
    peer *p = &peers[from];
    transfer *x = begin(where, tag, out);
    *p->in_end = x;
    p->in_end = &x->next;
    return true;
}

static int slow_test(tsr_transport *t, tsr_request *r)
{
    (void)t;
    transfer *x = (transfer *)r->word;
    if (!x->done && progress() < 0)
        return -1;
    if (!x->done)
        return 0;
    free(x);
    r->word = 0;
    return 1;
}

static bool slow_probe(tsr_transport *t, int tag, int *from, size_t *bytes)
{
    if (progress() < 0)
        return false;
    for (int i = 0; i < t->size; i++) {
        packet **p = (*from < 0 || *from == i) && peers[i].fd >= 0 ? find(&peers[i], tag) : NULL;
        if (!p)
            continue;
        *from = i;
        *bytes = (*p)->e.bytes;
        return true;
    }
    return false;
}

static void slow_abort(tsr_transport *t, int code)
{
    (void)t;
    _exit(code);
}

/* TESSERA_TEST_PEAK=file: the memory that a rank had at most, in kilobytes. */
static void tell_peak(int rank)
{
    const char *path = getenv("TESSERA_TEST_PEAK");
    FILE *f = path ? fopen(path, "a") : NULL;
    struct rusage use;
    if (f && getrusage(RUSAGE_SELF, &use) == 0)
        fprintf(f, "rank %d: %ld\n", rank, use.ru_maxrss);
    if (f)
        fclose(f);
}

static void slow_close(tsr_transport *t)
{
    tell_peak(t->rank);
    for (int i = 0; i < t->size; i++) {
        if (peers[i].fd < 0)
            continue;
        while (peers[i].out && push(&peers[i]) == 0)
            nanosleep(&(struct timespec){0, 100000}, NULL);
        shutdown(peers[i].fd, SHUT_WR);
    }
    for (int i = 0; i < t->size; i++) {
        char rest[64];
        while (peers[i].fd >= 0 && recv(peers[i].fd, rest, sizeof rest, 0) > 0)
            ;
        if (peers[i].fd >= 0)
            close(peers[i].fd);
        for (packet *p = peers[i].came, *next; p; p = next) {
            next = p->next;
            free(p);
        }
    }
    free(peers);
}

/* ---- Meeting each other ---- */

static struct sockaddr_un address(const char *folder, int rank)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof a.sun_path, "%.80s/rank%d", folder, rank);
    return a;
}

/* Ranks connect to those before them. */
static bool meet(const char *folder, int rank, int size)
{
    struct sockaddr_un a = address(folder, rank);
    int door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (door < 0 || bind(door, (struct sockaddr *)&a, sizeof a) != 0 || listen(door, size) != 0)
        return false;
    for (int i = 0; i < rank; i++) {
        a = address(folder, i);
        peers[i].fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        int tries = 0;
        while (connect(peers[i].fd, (struct sockaddr *)&a, sizeof a) != 0 && tries++ < 3000)
            nanosleep(&(struct timespec){0, 10000000}, NULL);
        if (send(peers[i].fd, &rank, sizeof rank, MSG_NOSIGNAL) != sizeof rank)
            return false;
    }
    for (int i = rank + 1; i < size; i++) {
        int who = -1, fd = accept(door, NULL, NULL);
        if (fd < 0 || recv(fd, &who, sizeof who, MSG_WAITALL) != sizeof who || who <= rank ||
            who >= size)
            return false;
        peers[who].fd = fd;
    }
    close(door);
    return true;
}

__attribute__((visibility("default"))) tsr_transport_open_fn tessera_transport_open;
tsr_transport *tessera_transport_open(unsigned version, char *error, size_t bytes)
{
    int rank = 0, size = 0, at = 0;
    const char *who = getenv("TESSERA_TEST_RANK"), *ms = getenv("TESSERA_TEST_DELAY"),
               *speed = getenv("TESSERA_TEST_RATE");
    if (version != TSR_TRANSPORT_VERSION || !who ||
        sscanf(who, "%d:%d:%n", &rank, &size, &at) != 2 || !at || rank < 0 || rank >= size) {
        snprintf(error, bytes, "TESSERA_TEST_RANK is not rank:size:folder");
        return NULL;
    }
    delay = ms ? atoi(ms) * 1e-3 : 0;
    rate = speed ? atoi(speed) * 1e6 : 0;
    peers = calloc((size_t)size, sizeof *peers);
    for (int i = 0; i < size; i++) {
        peers[i].fd = -1;
        peers[i].out_end = &peers[i].out;
        peers[i].in_end = &peers[i].in;
        peers[i].came_end = &peers[i].came;
    }
    transport = (tsr_transport){.rank = rank,
                                .size = size,
                                .name = "sockets",
                                .send = slow_send,
                                .receive = slow_receive,
                                .test = slow_test,
                                .probe = slow_probe,
                                .abort = slow_abort,
                                .close = slow_close};
    if (!meet(who + at, rank, size)) {
        snprintf(error, bytes, "ranks do not find each other in %s: %s", who + at, strerror(errno));
        return NULL;
    }
    return &transport;
}
