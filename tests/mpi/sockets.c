/* SPDX-License-Identifier: Apache-2.0 */
/* sockets.c - a transport for tests: ranks are processes of one host that have sockets between them, and what is sent may arrive late.
 *
 * A plug-in, as that of MPI: TESSERA_MPI names it. TESSERA_TEST_RANK=rank:size:folder says who this is and where ranks find each other. TESSERA_TEST_DELAY=ms is how long
 * each message is under way, and TESSERA_TEST_RATE=MB/s how many bytes go from one rank to another: what came before its time is kept, and nobody waits for it by spinning.
 * A rank that is gone is silent, as with MPI. Memory of what is sent is read when the socket takes it, and a message that nobody asked for is kept: mistakes in the use of memory show under a
 * sanitizer. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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
    envelope e;         /* sent */
    size_t sent;        /* of the envelope and the bytes */
    struct native *all; /* a collective, and no message; else NULL */
} transfer;

/* A group of ranks, this one among them. */
typedef struct {
    int n, me, tag; /* tag: of what its ranks bring */
    int *ranks;
} group;

/* A collective under way: each rank sends all that it gives to each other one. */
typedef struct native {
    tsr_native call;
    group of;
    size_t bytes; /* of what a rank gives */
    char *brought;
    tsr_request *out, *in; /* by place; word 0: done, or this rank's own */
} native;

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
static int nsplit;
enum { SPLIT_TAG = -2 };

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
        if (k < 0) {
            p->closed = errno != EAGAIN && errno != EINTR;
            return 0;
        }
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
        if (k < 0 || (n && !k)) { /* of a rank that is gone, what came before counts */
            p->closed = k == 0 || (errno != EAGAIN && errno != EINTR);
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

static int test_native(tsr_transport *t, tsr_request *r);

static int slow_test(tsr_transport *t, tsr_request *r)
{
    transfer *x = (transfer *)r->word;
    if (x->all)
        return test_native(t, r);
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

/* ---- Groups and their collectives ---- */

static bool finish_all(tsr_transport *t, tsr_request *r, int n)
{
    for (int i = 0; i < n; i++) {
        int done = 0;
        while (r[i].word && (done = slow_test(t, &r[i])) == 0)
            nanosleep(&(struct timespec){0, 100000}, NULL);
        if (done < 0)
            return false;
    }
    return true;
}

/* What all say is sent to all. */
static bool slow_split(tsr_transport *t, int color, int key, tsr_rank_group *out)
{
    int mine[2] = {color, key}, (*said)[2] = calloc((size_t)t->size, sizeof *said);
    tsr_request *r = calloc(2 * (size_t)t->size, sizeof *r);
    bool ok = true;
    nsplit++; /* all ranks count alike */
    for (int i = 0; i < t->size; i++) {
        if (i != t->rank)
            ok = ok &&
                 slow_send(t, i, SPLIT_TAG, &(tsr_span){mine, sizeof mine, 1, 0}, &r[2 * i]) &&
                 slow_receive(t, i, SPLIT_TAG, &(tsr_span){said[i], sizeof mine, 1, 0},
                              &r[2 * i + 1]);
    }
    ok = ok && finish_all(t, r, 2 * t->size);
    memcpy(said[t->rank], mine, sizeof mine);
    out->word = 0;
    if (ok && color >= 0) {
        group g = {.tag = SPLIT_TAG - nsplit, .ranks = calloc((size_t)t->size, sizeof(int))};
        for (int i = 0; i < t->size; i++) {
            int at = 0; /* those before it in the group */
            for (int k = 0; k < t->size; k++)
                at += said[k][0] == color &&
                      (said[k][1] < said[i][1] || (said[k][1] == said[i][1] && k < i));
            if (said[i][0] != color)
                continue;
            g.ranks[at] = i;
            g.n++;
            g.me = i == t->rank ? at : g.me;
        }
        group *made = malloc(sizeof *made);
        *made = g;
        out->word = (uintptr_t)made;
    }
    free(said);
    free(r);
    return ok;
}

static void slow_leave(tsr_transport *t, tsr_rank_group *g)
{
    group *of = (group *)g->word;
    (void)t;
    free(of->ranks);
    free(of);
}

/* Reductions are in the reverse order of the group: nobody takes them for those of tessera. wide: sums of it are defined. */
#define REDUCE(name, type, wide)                                                      \
    static void reduce_##name(tsr_native_op op, void *to, const void *from, size_t n) \
    {                                                                                 \
        type *a = to;                                                                 \
        const type *b = from;                                                         \
        for (size_t i = 0; i < n; i++)                                                \
            a[i] = op == TSR_NATIVE_SUM       ? (type)((wide)a[i] + (wide)b[i])       \
                   : op == TSR_NATIVE_PRODUCT ? (type)((wide)a[i] * (wide)b[i])       \
                   : op == TSR_NATIVE_MIN     ? (b[i] < a[i] ? b[i] : a[i])           \
                                              : (b[i] > a[i] ? b[i] : a[i]);              \
    }
REDUCE(f32, float, float)
REDUCE(f64, double, double)
REDUCE(i8, int8_t, uint32_t)
REDUCE(i16, int16_t, uint32_t)
REDUCE(i32, int32_t, uint32_t)
REDUCE(i64, int64_t, uint64_t)
REDUCE(u8, uint8_t, uint32_t)
REDUCE(u16, uint16_t, uint32_t)
REDUCE(u32, uint32_t, uint32_t)
REDUCE(u64, uint64_t, uint64_t)

static const struct {
    void (*reduce)(tsr_native_op op, void *to, const void *from, size_t n);
    size_t bytes;
} types[] = {[TSR_NATIVE_F32] = {reduce_f32, 4}, [TSR_NATIVE_F64] = {reduce_f64, 8},
             [TSR_NATIVE_I8] = {reduce_i8, 1},   [TSR_NATIVE_I16] = {reduce_i16, 2},
             [TSR_NATIVE_I32] = {reduce_i32, 4}, [TSR_NATIVE_I64] = {reduce_i64, 8},
             [TSR_NATIVE_U8] = {reduce_u8, 1},   [TSR_NATIVE_U16] = {reduce_u16, 2},
             [TSR_NATIVE_U32] = {reduce_u32, 4}, [TSR_NATIVE_U64] = {reduce_u64, 8}};

/* What all brought, by place, becomes the result. */
static void make_result(const native *w)
{
    const tsr_native *c = &w->call;
    size_t part = c->n * types[c->type].bytes;
    for (int k = w->of.n - 1; k >= 0; k--) {
        const char *from = w->brought + (size_t)k * w->bytes;
        bool parts = c->kind == TSR_NATIVE_SCATTER || c->kind == TSR_NATIVE_EXCHANGE;
        from += parts ? (size_t)w->of.me * part : 0;
        if (c->kind == TSR_NATIVE_GATHER || c->kind == TSR_NATIVE_EXCHANGE)
            memcpy((char *)c->out + (size_t)k * part, from, part);
        else if (k == w->of.n - 1)
            memcpy(c->out, from, part);
        else
            types[c->type].reduce(c->op, c->out, from, c->n);
    }
}

/* TESSERA_TEST_NATIVE=file: the first rank of a group tells of each collective. */
static void tell_native(const tsr_native *c, const group *g)
{
    static const char *const names[] = {"reduce", "gather", "scatter", "exchange"};
    const char *path = getenv("TESSERA_TEST_NATIVE");
    FILE *f = path && !g->me ? fopen(path, "a") : NULL;
    if (!f)
        return;
    fprintf(f, "%s", names[c->kind]);
    for (int k = 0; k < g->n; k++)
        fprintf(f, " %d", g->ranks[k]);
    fprintf(f, "\n");
    fclose(f);
}

static bool slow_native(tsr_transport *t, const tsr_native *c, tsr_request *out)
{
    const group *g = (const group *)c->group.word;
    tell_native(c, g);
    bool parts = c->kind == TSR_NATIVE_SCATTER || c->kind == TSR_NATIVE_EXCHANGE, ok = true;
    native *w = calloc(1, sizeof *w);
    *w = (native){
        .call = *c, .of = *g, .bytes = c->n * types[c->type].bytes * (parts ? (size_t)g->n : 1)};
    w->brought = malloc(w->bytes * (size_t)g->n + 1);
    w->out = calloc(2 * (size_t)g->n, sizeof *w->out);
    w->in = w->out + g->n;
    memcpy(w->brought + (size_t)g->me * w->bytes, c->in, w->bytes);
    for (int k = 0; k < g->n; k++) {
        tsr_span what = {(void *)(uintptr_t)c->in, w->bytes, 1, 0},
                 where = {w->brought + (size_t)k * w->bytes, w->bytes, 1, 0};
        if (k != g->me)
            ok = ok && slow_send(t, g->ranks[k], g->tag, &what, &w->out[k]) &&
                 slow_receive(t, g->ranks[k], g->tag, &where, &w->in[k]);
    }
    begin(&(tsr_span){0}, 0, out)->all = w;
    return ok;
}

static int test_native(tsr_transport *t, tsr_request *r)
{
    transfer *x = (transfer *)r->word;
    native *w = x->all;
    for (int k = 0; k < 2 * w->of.n; k++) {
        int done = w->out[k].word ? slow_test(t, &w->out[k]) : 1;
        if (done != 1)
            return done;
    }
    make_result(w);
    free(w->brought);
    free(w->out);
    free(w);
    free(x);
    r->word = 0;
    return 1;
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
        while (peers[i].out && !peers[i].closed && push(&peers[i]) == 0)
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
    enum { MEETING = 30000 }; /* milliseconds */
    struct sockaddr_un a = address(folder, rank);
    int door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (door < 0 || bind(door, (struct sockaddr *)&a, sizeof a) != 0 || listen(door, size) != 0)
        return false;
    for (int i = 0; i < rank; i++) {
        a = address(folder, i);
        peers[i].fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        int tries = 0;
        while (connect(peers[i].fd, (struct sockaddr *)&a, sizeof a) != 0 && tries++ < MEETING / 10)
            nanosleep(&(struct timespec){0, 10000000}, NULL);
        if (send(peers[i].fd, &rank, sizeof rank, MSG_NOSIGNAL) != sizeof rank)
            return false;
    }
    for (int i = rank + 1; i < size; i++) {
        int who = -1, fd = poll(&(struct pollfd){door, POLLIN, 0}, 1, MEETING) == 1
                               ? accept(door, NULL, NULL)
                               : -1;
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
                                .split = slow_split,
                                .leave = slow_leave,
                                .native = slow_native,
                                .abort = slow_abort,
                                .close = slow_close};
    if (!meet(who + at, rank, size)) {
        snprintf(error, bytes, "ranks do not find each other in %s: %s", who + at, strerror(errno));
        return NULL;
    }
    return &transport;
}
