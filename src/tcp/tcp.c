/* SPDX-License-Identifier: Apache-2.0 */
/* tcp.c - messages of the TCP transport. See inner.h for the frames. */
#include "tcp/inner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/scope.h"

void *tsr_tcp_new(size_t bytes)
{
    void *p = tsr_xmalloc(bytes);
    memset(p, 0, bytes);
    tsr_keep(p);
    return p;
}

/* Memory for bytes from the network; not cleared. */
static void *tcp_room(size_t bytes)
{
    void *p = tsr_xmalloc(bytes);
    tsr_keep(p);
    return p;
}

static void add(transfer ***end, transfer *x)
{
    x->next = NULL;
    **end = x;
    *end = &x->next;
}

/* Removes the transfer at a place in a list. */
static transfer *take_at(transfer **at, transfer ***end)
{
    transfer *x = *at;
    *at = x->next;
    if (end && !x->next)
        *end = at;
    return x;
}

static transfer **find_id(transfer **list, uint64_t id)
{
    while (*list && (*list)->id != id)
        list = &(*list)->next;
    return *list ? list : NULL;
}

static transfer **find_tag(transfer **list, int tag)
{
    while (*list && (*list)->tag != tag)
        list = &(*list)->next;
    return *list ? list : NULL;
}

static void end_orphan(transfer *x)
{
    x->done = true;
    if (x->orphan)
        tsr_free(x);
}

/* ---- Blocks ---- */

/* Copies between blocks, from an offset on, and contiguous bytes. */
static void copy_span(const tsr_span *s, size_t at, char *bytes, size_t n, bool out)
{
    while (n) {
        size_t row = at / s->bytes, in = at % s->bytes, k = s->bytes - in < n ? s->bytes - in : n;
        char *block = (char *)s->data + row * s->stride + in;
        memcpy(out ? bytes : block, out ? block : bytes, k);
        bytes += k;
        at += k;
        n -= k;
    }
}

/* The blocks from an offset on as vectors; how many of them. */
static int vectors_of(const tsr_span *s, size_t at, size_t end, struct iovec *v, int room)
{
    int n = 0;
    while (at < end && n < room) {
        size_t row = at / s->bytes, in = at % s->bytes;
        size_t k = s->bytes - in < end - at ? s->bytes - in : end - at;
        v[n++] = (struct iovec){(char *)s->data + row * s->stride + in, k};
        at += k;
    }
    return n;
}

/* ---- Sending ---- */

enum { VECTORS = 64 };

static void queue(tcp_link *l, item *i)
{
    i->next = NULL;
    *l->out_end = i;
    l->out_end = &i->next;
}

static item *new_item(tcp_kind kind, int tag, uint64_t id, size_t bytes)
{
    item *i = tsr_tcp_new(sizeof *i);
    i->frame = (tcp_frame){(uint32_t)kind, (uint32_t)tag, id, bytes};
    return i;
}

static void free_item(item *i)
{
    tsr_free(i->own);
    tsr_free(i);
}

static size_t data_of(const item *i)
{
    bool has = i->frame.kind == TCP_SHORT || i->frame.kind == TCP_DATA;
    return has ? (size_t)i->frame.bytes : 0;
}

/* Frames and data of the queue as vectors. */
static int gather(const tcp_link *l, struct iovec *v)
{
    int n = 0;
    for (item *i = l->out; i && n < VECTORS; i = i->next) {
        size_t head = sizeof i->frame;
        if (i->sent < head)
            v[n++] = (struct iovec){(char *)&i->frame + i->sent, head - i->sent};
        size_t at = i->sent < head ? 0 : i->sent - head;
        n += vectors_of(&i->span, at, data_of(i), v + n, VECTORS - n);
    }
    return n;
}

/* So many bytes of the queue have been sent. */
static void advance(tcp_link *l, size_t bytes)
{
    while (l->out) {
        item *i = l->out;
        size_t all = sizeof i->frame + data_of(i), left = all - i->sent;
        if (bytes < left) {
            i->sent += bytes;
            return;
        }
        bytes -= left;
        l->out = i->next;
        if (!l->out)
            l->out_end = &l->out;
        if (i->x)
            i->x->done = true;
        free_item(i);
    }
}

void tsr_tcp_push(tcp *t, tcp_link *l)
{
    while (l->out) {
        struct iovec v[VECTORS];
        struct msghdr m = {.msg_iov = v, .msg_iovlen = (size_t)gather(l, v)};
        ssize_t k = sendmsg(l->fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0 && errno != EAGAIN) {
            const char *why = errno == EPIPE ? "connection closed" : strerror(errno);
            tsr_tcp_pull(t, l); /* what the rank said before it closed may still be there */
            tsr_tcp_lose(t, l, why);
            return;
        }
        if (k < 0)
            break;
        advance(l, (size_t)k);
    }
    tsr_tcp_await_room(t, l, l->out != NULL);
}

static void send_frame(tcp *t, tcp_link *l, tcp_kind kind, uint64_t id)
{
    queue(l, new_item(kind, 0, id, 0));
    if (l->state == LINK_UP && !l->blocked)
        tsr_tcp_push(t, l);
}

/* A short message is sent at once; what the socket does not take is copied: the caller's memory is free. */
static void send_short(tcp *t, tcp_link *l, transfer *x)
{
    item *i = new_item(TCP_SHORT, x->tag, 0, x->bytes);
    i->span = x->span;
    i->x = x;
    queue(l, i);
    if (l->state == LINK_UP && !l->blocked)
        tsr_tcp_push(t, l);
    if (x->done || x->failed)
        return;
    i->own = tcp_room(x->bytes + 1);
    copy_span(&x->span, 0, i->own, x->bytes, true);
    i->span = (tsr_span){i->own, x->bytes, 1, 0};
    i->x = NULL;
    x->done = true;
}

static transfer *new_transfer(int rank, int tag, const tsr_span *s, bool out, tsr_request *r)
{
    transfer *x = tsr_tcp_new(sizeof *x);
    *x = (transfer){.rank = rank, .tag = tag, .span = *s, .bytes = s->bytes * s->count, .out = out};
    r->word = (uintptr_t)x;
    return x;
}

static bool tcp_send(tsr_transport *transport, int to, int tag, const tsr_span *what,
                     tsr_request *out)
{
    tcp *t = (tcp *)transport;
    tcp_link *l = &t->links[to];
    transfer *x = new_transfer(to, tag, what, true, out);
    tsr_tcp_reach(t, l);
    t->messages++;
    t->bytes += x->bytes;
    if (l->state == LINK_GONE) {
        x->failed = true;
    } else if (x->bytes <= TCP_SHORT_MOST) {
        send_short(t, l, x);
    } else {
        x->id = ++l->next_id;
        add(&l->asked_end, x);
        item *i = new_item(TCP_ASK, tag, x->id, x->bytes);
        queue(l, i);
        if (l->state == LINK_UP && !l->blocked)
            tsr_tcp_push(t, l);
    }
    return true;
}

/* ---- Receiving ---- */

/* Whether a message fits a receive; otherwise that fails. */
static bool fits(tcp *t, transfer *x, size_t bytes)
{
    if (x->bytes == bytes)
        return true;
    snprintf(t->t.error, sizeof t->t.error, "rank %d sends %zu bytes where %zu are expected",
             x->rank, bytes, x->bytes);
    x->failed = true;
    return false;
}

/* The sender may send the data of a long message. */
static void let_come(tcp *t, tcp_link *l, transfer *x, uint64_t id)
{
    x->id = id;
    x->next = l->coming;
    l->coming = x;
    send_frame(t, l, TCP_GO, id);
}

static void take_packet(tcp *t, tcp_link *l, packet *p, transfer *x)
{
    size_t bytes = (size_t)p->frame.bytes;
    if (!fits(t, x, bytes))
        send_frame(t, l, TCP_DROP, p->frame.id);
    else if (p->frame.kind == TCP_ASK)
        let_come(t, l, x, p->frame.id);
    else {
        copy_span(&x->span, 0, p->data, bytes, false);
        x->done = true;
    }
}

static void keep_packet(tcp_link *l, packet *p)
{
    p->next = NULL;
    *l->kept_end = p;
    l->kept_end = &p->next;
}

static packet *unkeep(tcp_link *l, packet **at)
{
    packet *p = *at;
    *at = p->next;
    if (!p->next)
        l->kept_end = at;
    return p;
}

static bool tcp_receive(tsr_transport *transport, int from, int tag, const tsr_span *where,
                        tsr_request *out)
{
    tcp *t = (tcp *)transport;
    tcp_link *l = &t->links[from];
    transfer *x = new_transfer(from, tag, where, false, out);
    packet **p = &l->kept;
    while (*p && (*p)->frame.tag != (uint32_t)tag)
        p = &(*p)->next;
    tsr_tcp_reach(t, l);
    if (*p && ((*p)->frame.kind == TCP_SHORT || l->state != LINK_GONE)) {
        packet *found = unkeep(l, p);
        take_packet(t, l, found, x);
        tsr_free(found);
    } else if (l->state == LINK_GONE) {
        x->failed = true;
    } else {
        add(&l->posted_end, x);
    }
    return true;
}

/* ---- Frames that arrive ---- */

static const char *const no_frame = "it sends what is no message";

static void begin_short(tcp_link *l, const tcp_frame *f)
{
    transfer **x = find_tag(&l->posted, (int)f->tag);
    if (x && (*x)->bytes == f->bytes) {
        l->into = take_at(x, &l->posted_end);
        return;
    }
    l->keep = tcp_room(sizeof *l->keep + f->bytes + 1);
    *l->keep = (packet){.frame = *f};
}

static void accept_ask(tcp *t, tcp_link *l, const tcp_frame *f)
{
    packet *p = tsr_tcp_new(sizeof *p);
    p->frame = *f;
    transfer **x = find_tag(&l->posted, (int)f->tag);
    if (!x) {
        keep_packet(l, p);
        return;
    }
    take_packet(t, l, p, take_at(x, &l->posted_end));
    tsr_free(p);
}

/* The receiver is ready. If the message was withdrawn, it will hear of that. */
static void accept_go(tcp_link *l, const tcp_frame *f)
{
    transfer **at = find_id(&l->asked, f->id);
    if (!at)
        return;
    transfer *x = take_at(at, &l->asked_end);
    item *i = new_item(TCP_DATA, x->tag, x->id, x->bytes);
    i->span = x->span;
    i->x = x;
    queue(l, i);
}

/* A long message is withdrawn by its sender, or refused by its receiver. */
static void accept_drop(tcp_link *l, const tcp_frame *f)
{
    transfer **at = find_id(&l->coming, f->id);
    if (at) {
        transfer *x = take_at(at, NULL);
        x->failed = true;
        end_orphan(x);
        return;
    }
    at = find_id(&l->asked, f->id);
    if (at)
        take_at(at, &l->asked_end)->failed = true;
    for (packet **p = &l->kept; *p; p = &(*p)->next)
        if ((*p)->frame.kind == TCP_ASK && (*p)->frame.id == f->id) {
            tsr_free(unkeep(l, p));
            return;
        }
}

/* A frame has arrived; data may follow. False: it is none. */
static bool begin_frame(tcp *t, tcp_link *l)
{
    const tcp_frame *f = &l->frame;
    transfer **at;
    bool tagged = f->tag < (1u << 31);
    switch (f->kind) {
    case TCP_SHORT:
        if (!tagged || f->bytes > TCP_SHORT_MOST)
            return false;
        begin_short(l, f);
        return true;
    case TCP_ASK:
        if (!tagged || f->bytes > TSR_TRANSPORT_MOST || f->bytes <= TCP_SHORT_MOST)
            return false;
        accept_ask(t, l, f);
        return true;
    case TCP_GO: accept_go(l, f); return f->id <= l->next_id && !f->bytes;
    case TCP_DATA:
        at = find_id(&l->coming, f->id);
        if (!at || (*at)->bytes != f->bytes)
            return false;
        l->into = take_at(at, NULL);
        return true;
    case TCP_DROP: accept_drop(l, f); return !f->bytes;
    case TCP_BYE: l->left = true; return !f->bytes;
    default: return false;
    }
}

static void end_frame(tcp *t, tcp_link *l)
{
    transfer *x = l->into;
    packet *p = l->keep;
    l->into = NULL;
    l->keep = NULL;
    l->has_frame = false;
    l->got = 0;
    if (x)
        end_orphan(x);
    if (!p)
        return;
    transfer **at = find_tag(&l->posted, (int)p->frame.tag); /* asked for while it arrived */
    if (at) {
        take_packet(t, l, p, take_at(at, &l->posted_end));
        tsr_free(p);
    } else {
        keep_packet(l, p);
    }
}

/* Where the next bytes go, as vectors. */
static int place_of(tcp_link *l, char *waste, size_t room, struct iovec *v)
{
    size_t end = (size_t)l->frame.bytes;
    if (!l->has_frame) {
        v[0] = (struct iovec){(char *)&l->frame + l->got, sizeof l->frame - l->got};
        return 1;
    }
    if (l->keep) {
        v[0] = (struct iovec){l->keep->data + l->got, end - l->got};
        return 1;
    }
    if (l->into && !l->into->orphan)
        return vectors_of(&l->into->span, l->got, end, v, VECTORS);
    v[0] = (struct iovec){waste, end - l->got < room ? end - l->got : room};
    return 1;
}

static bool data_follow(const tcp_link *l)
{
    return (l->into || l->keep) && l->got < l->frame.bytes;
}

void tsr_tcp_pull(tcp *t, tcp_link *l)
{
    enum { ROUNDS = 256 };
    char waste[4096];
    struct iovec v[VECTORS];
    for (int rounds = 0; l->state == LINK_UP && rounds < ROUNDS; rounds++) {
        struct msghdr m = {.msg_iov = v, .msg_iovlen = 1};
        m.msg_iovlen = (size_t)place_of(l, waste, sizeof waste, v);
        ssize_t k = recvmsg(l->fd, &m, MSG_DONTWAIT);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0 && errno == EAGAIN)
            break;
        if (k <= 0) {
            tsr_tcp_lose(t, l, k ? strerror(errno) : "connection closed");
            return;
        }
        l->got += (size_t)k;
        if (!l->has_frame && l->got == sizeof l->frame) {
            l->has_frame = true;
            l->got = 0;
            if (!begin_frame(t, l)) {
                tsr_tcp_lose(t, l, no_frame);
                return;
            }
        }
        if (l->has_frame && !data_follow(l))
            end_frame(t, l);
    }
    if (l->state == LINK_UP && l->out && !l->blocked)
        tsr_tcp_push(t, l);
}

static void fail_list(transfer **list, transfer ***end)
{
    for (transfer *x = *list, *next; x; x = next) {
        next = x->next;
        x->failed = true;
        if (x->orphan)
            tsr_free(x);
    }
    *list = NULL;
    if (end)
        *end = list;
}

/* Short messages that came before stay. */
void tsr_tcp_fail_all(tcp_link *l)
{
    fail_list(&l->asked, &l->asked_end);
    fail_list(&l->posted, &l->posted_end);
    fail_list(&l->coming, NULL);
    if (l->into) {
        l->into->next = NULL;
        fail_list(&l->into, NULL);
    }
    for (item *i = l->out, *next; i; i = next) {
        next = i->next;
        if (i->x)
            i->x->failed = true;
        free_item(i);
    }
    l->out = NULL;
    l->out_end = &l->out;
    tsr_free(l->keep);
    l->keep = NULL;
    l->has_frame = false;
}

/* ---- The transport ---- */

static void say_gone(tcp *t, const tcp_link *l)
{
    char rank[24];
    snprintf(rank, sizeof rank, "rank %d", l->rank);
    snprintf(t->t.error, sizeof t->t.error, "%.100s died: %.120s", l->name[0] ? l->name : rank,
             l->why);
}

static int tcp_test(tsr_transport *transport, tsr_request *r)
{
    tcp *t = (tcp *)transport;
    transfer *x = (transfer *)r->word;
    if (!x->done && !x->failed) {
        if (t->tested == x) /* asked twice in a row: nobody else moves it on */
            tsr_tcp_progress(t, 0);
        t->tested = x;
    }
    if (x->failed) {
        if (t->links[x->rank].state == LINK_GONE)
            say_gone(t, &t->links[x->rank]);
        return -1;
    }
    if (!x->done)
        return 0;
    t->tested = t->tested == x ? NULL : t->tested;
    tsr_free(x);
    r->word = 0;
    return 1;
}

static bool tcp_probe(tsr_transport *transport, int tag, int *from, size_t *bytes)
{
    tcp *t = (tcp *)transport;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < t->t.size; i++) {
            packet *p = *from < 0 || *from == i ? t->links[i].kept : NULL;
            while (p && p->frame.tag != (uint32_t)tag)
                p = p->next;
            if (!p)
                continue;
            *from = i;
            *bytes = (size_t)p->frame.bytes;
            return true;
        }
        if (!pass)
            tsr_tcp_progress(t, 0);
    }
    return false;
}

static bool tcp_lost(tsr_transport *transport, int rank)
{
    tcp *t = (tcp *)transport;
    tcp_link *l = &t->links[rank];
    tsr_tcp_reach(t, l);
    if (l->state == LINK_GONE)
        say_gone(t, l);
    return l->state == LINK_GONE;
}

/* Data under way must arrive whole: what is left of them is copied. */
static void cancel_item(tcp_link *l, const transfer *x)
{
    for (item *i = l->out; i; i = i->next) {
        if (i->x != x)
            continue;
        size_t bytes = (size_t)i->frame.bytes;
        i->own = tcp_room(bytes + 1);
        copy_span(&i->span, 0, i->own, bytes, true);
        i->span = (tsr_span){i->own, bytes, 1, 0};
        i->x = NULL;
        return;
    }
}

static void remove_from(transfer **list, transfer ***end, const transfer *x)
{
    while (*list && *list != x)
        list = &(*list)->next;
    if (*list)
        take_at(list, end);
}

static void tcp_cancel(tsr_transport *transport, tsr_request *r)
{
    tcp *t = (tcp *)transport;
    transfer *x = (transfer *)r->word;
    tcp_link *l = &t->links[x->rank];
    r->word = 0;
    t->tested = NULL;
    if (!x->done && !x->failed && x->out) {
        if (find_id(&l->asked, x->id)) {
            remove_from(&l->asked, &l->asked_end, x);
            send_frame(t, l, TCP_DROP, x->id);
        } else {
            cancel_item(l, x);
        }
    } else if (!x->done && !x->failed) {
        if (l->into == x || (x->id && find_id(&l->coming, x->id))) {
            x->orphan = true;
            return;
        }
        remove_from(&l->posted, &l->posted_end, x);
    }
    tsr_free(x);
}

static void tcp_rest(tsr_transport *transport, long nanoseconds)
{
    tsr_tcp_progress((tcp *)transport, nanoseconds);
}

static void tcp_abort(tsr_transport *transport, int code)
{
    (void)transport;
    _exit(code);
}

static void free_link(tcp_link *l)
{
    if (l->fd >= 0)
        close(l->fd);
    for (packet *p = l->kept, *next; p; p = next) {
        next = p->next;
        tsr_free(p);
    }
    tsr_tcp_fail_all(l);
}

static void free_all(tcp *t)
{
    for (int i = 0; t->links && i < t->t.size; i++)
        free_link(&t->links[i]);
    for (int i = 0; i < TCP_GUESTS; i++)
        if (t->guests[i].fd >= 0)
            close(t->guests[i].fd);
    if (t->listener >= 0)
        close(t->listener);
    if (t->poll >= 0)
        close(t->poll);
    tsr_free(t->links);
    tsr_free(t);
}

/* TESSERA_TEST_MESSAGES=file: how many messages and bytes a rank sent, for tests. */
static void tell_count(const tcp *t)
{
    const char *path = getenv("TESSERA_TEST_MESSAGES");
    FILE *f = path ? fopen(path, "a") : NULL;
    if (!f)
        return;
    fprintf(f, "rank %d: %llu messages, %llu bytes\n", t->t.rank, (unsigned long long)t->messages,
            (unsigned long long)t->bytes);
    fclose(f);
}

/* Says good-bye where there is a connection, and waits a moment until that is sent. Then nobody takes the end of the
 * connection for a failure. */
static void leave(tcp *t, bool waits)
{
    const double longest = 5;
    double start = tsr_seconds();
    tell_count(t);
    for (int i = 0; i < t->t.size; i++)
        if (t->links[i].state == LINK_UP)
            send_frame(t, &t->links[i], TCP_BYE, 0);
    for (bool pending = true; pending && tsr_seconds() - start < longest;) {
        pending = false;
        for (int i = 0; i < t->t.size; i++) {
            const tcp_link *l = &t->links[i];
            pending |= l->state == LINK_UP && (l->out || (waits && !l->left));
        }
        if (pending)
            tsr_tcp_progress(t, 1000000);
    }
    free_all(t);
}

static void tcp_close(tsr_transport *transport)
{
    leave((tcp *)transport, true);
}

void tsr_tcp_leave(tsr_transport *transport)
{
    leave((tcp *)transport, false);
}

const char *tsr_tcp_address(const tsr_transport *t)
{
    return ((const tcp *)t)->address;
}

void tsr_tcp_count(const tsr_transport *t, uint64_t *messages, uint64_t *bytes)
{
    *messages = ((const tcp *)t)->messages;
    *bytes = ((const tcp *)t)->bytes;
}

/* A connection to each rank may be needed, besides what else is open. */
static void raise_limit(int size)
{
    struct rlimit l;
    rlim_t want = (rlim_t)size + 512;
    if (getrlimit(RLIMIT_NOFILE, &l) != 0 || l.rlim_cur >= want)
        return;
    l.rlim_cur = l.rlim_max == RLIM_INFINITY || l.rlim_max > want ? want : l.rlim_max;
    setrlimit(RLIMIT_NOFILE, &l);
}

static void init_link(tcp_link *l, int rank)
{
    *l = (tcp_link){.rank = rank, .fd = -1};
    l->out_end = &l->out;
    l->asked_end = &l->asked;
    l->posted_end = &l->posted;
    l->kept_end = &l->kept;
}

tsr_transport *tsr_tcp_open(const tsr_tcp_options *o, tsr_status *status)
{
    tcp *t = tsr_tcp_new(sizeof *t);
    t->o = *o;
    t->o.silence = o->silence > 0 ? o->silence : 10;
    t->listener = t->poll = -1;
    t->t = (tsr_transport){.rank = o->rank,
                           .size = o->size,
                           .tags = INT32_MAX,
                           .send = tcp_send,
                           .receive = tcp_receive,
                           .test = tcp_test,
                           .probe = tcp_probe,
                           .abort = tcp_abort,
                           .close = tcp_close,
                           .lost = tcp_lost,
                           .cancel = tcp_cancel,
                           .rest = tcp_rest};
    snprintf(t->t.name, sizeof t->t.name, "TCP");
    for (int i = 0; i < TCP_GUESTS; i++)
        t->guests[i].fd = -1;
    raise_limit(o->size);
    t->links = tsr_tcp_new((size_t)o->size * sizeof *t->links);
    for (int i = 0; i < o->size; i++)
        init_link(&t->links[i], i);
    t->listener = o->listener >= 0 ? o->listener : tsr_tcp_listen(o->listen, status);
    t->poll = t->listener < 0 ? -1 : epoll_create1(EPOLL_CLOEXEC);
    if (!tsr_tcp_listens(t)) {
        if (t->listener >= 0)
            tsr_status_set(status, TSR_ENVIRONMENT, "cannot use a socket: %s", strerror(errno));
        free_all(t);
        return NULL;
    }
    return &t->t;
}
