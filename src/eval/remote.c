/* SPDX-License-Identifier: Apache-2.0 */
/* remote.c - see remote.h.
 *
 * All communication between ranks begins with a header message (RANK_HEAD_TAG). A few bytes come with it; larger data
 * follows in pieces, under a tag that the header names, and is received when the rank has reached the meeting that it
 * belongs to: no rank buffers data before it needs it. Vectors that the communication thread may grow belong to no
 * scope. */
#include "eval/remote_inner.h"

#include <sched.h>
#include <stdio.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <time.h>

void tsr_remote_range(const tsr_transport *t, int rank, uint32_t n, uint32_t *first, uint32_t *last)
{
    *first = (uint32_t)((uint64_t)n * (uint64_t)rank / (uint64_t)t->size);
    *last = (uint32_t)((uint64_t)n * ((uint64_t)rank + 1) / (uint64_t)t->size);
}

/* ---- The object ---- */

void *tsr_remote_numbers(size_t n)
{
    uint32_t *p = tsr_xmalloc((n + 1) * sizeof *p);
    memset(p, 0, (n + 1) * sizeof *p);
    tsr_keep(p);
    return p;
}

/* For tests: "1:3" is rank 1 at its third collective; 0: another rank, or not set. */
static uint32_t read_place(const char *variable, int own)
{
    const char *text = getenv(variable);
    unsigned rank, which;
    bool is = text && sscanf(text, "%u:%u", &rank, &which) == 2 && rank == (unsigned)own;
    return is ? which : 0;
}

tsr_remote *tsr_remote_new(tsr_transport *t)
{
    enum { SOME = 16 };
    tsr_remote *r = tsr_xmalloc(sizeof *r);
    *r = (tsr_remote){.t = t};
    tsr_keep(r);
    r->state = &r->none;
    r->tags = tsr_remote_numbers((size_t)t->size);
    r->low = tsr_remote_numbers((size_t)t->size);
    r->high = tsr_remote_numbers((size_t)t->size);
    r->stamp = tsr_remote_numbers((size_t)t->size);
    tsr_vec_reserve(&r->active, SOME);
    tsr_vec_reserve(&r->waiting, SOME);
    tsr_vec_reserve(&r->refused, SOME);
    tsr_vec_reserve(&r->counts, SOME);
    tsr_keep(r->active.data);
    tsr_keep(r->waiting.data);
    tsr_keep(r->refused.data);
    tsr_keep(r->counts.data);
    tsr_vec_reserve(&r->groups, SOME);
    tsr_keep(r->groups.data);
    r->kill_at = read_place("TESSERA_TEST_KILL", t->rank);
    r->hang_at = read_place("TESSERA_TEST_HANG", t->rank);
    pthread_cond_init(&r->wake, NULL);
#ifdef PR_SET_TIMERSLACK
    prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL); /* makes short sleeps short */
#endif
    return r;
}

void tsr_remote_free(tsr_remote *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->waiting.n; i++)
        tsr_free(r->waiting.data[i].data);
    for (size_t i = 0; i < r->active.n; i++)
        tsr_free(r->active.data[i].own);
    tsr_vec_free(&r->active);
    tsr_vec_free(&r->waiting);
    tsr_vec_free(&r->refused);
    tsr_vec_free(&r->counts);
    tsr_native_free(r);
    tsr_remote_free_runs(r);
    tsr_free(r->tags);
    tsr_free(r->low);
    tsr_free(r->high);
    tsr_free(r->stamp);
    pthread_cond_destroy(&r->wake);
    tsr_free(r);
}

void tsr_remote_set_timeout(tsr_remote *r, double seconds)
{
    r->timeout = seconds;
}

void tsr_remote_watch(tsr_remote *r, tsr_rank_state *state, void (*tell)(void *user, tsr_str text),
                      void *user)
{
    r->state = state ? state : &r->none;
    r->tell = tell;
    r->user = user;
}

void tsr_remote_set_native(tsr_remote *r, bool native)
{
    r->native = native && r->t->split && r->t->native;
}

tsr_transport *tsr_remote_transport(const tsr_remote *r)
{
    return r->t;
}

double tsr_remote_waited(const tsr_remote *r)
{
    return r->waited;
}

bool tsr_remote_is_dead(const tsr_remote *r)
{
    return r->dead;
}

bool tsr_remote_follows(const tsr_remote *r)
{
    return r->follows;
}

bool tsr_remote_has(const tsr_mesh *m, uint32_t id)
{
    return m->remote->ranks[id] == (uint32_t)m->remote->t->rank;
}

/* ---- Transfers ---- */

void tsr_remote_say(tsr_remote *r, const char *what)
{
    tsr_buf text = {0};
    tsr_buf_printf(&text, r->lasting ? "process %d: %s" : "rank %d: %s", r->t->rank, what);
    if (r->tell)
        r->tell(r->user, tsr_buf_text(&text));
    tsr_buf_free(&text);
}

void tsr_remote_give_up(tsr_remote *r)
{
    if (r->lasting) {
        tsr_remote_doubt(r, r->t->gone > 0, "%s", r->t->error);
        return;
    }
    tsr_remote_say(r, r->t->error);
    r->t->abort(r->t, 3);
    abort();
}

void tsr_remote_begin_one(tsr_remote *r, int rank, int tag, const tsr_span *s, rank_transfer x)
{
    if (!(x.out ? r->t->send : r->t->receive)(r->t, rank, tag, s, &x.request)) {
        x.request.word = 0;
        tsr_remote_give_up(r);
    }
    tsr_vec_push(&r->active, x);
}

/* Bytes of a piece. Data that is reduced on arrival is sent in small pieces, so that transfer and reduction overlap. */
static size_t piece_of(const rank_transfer *x)
{
    tsr_join_kind joins = x->at ? x->at->need.joins : TSR_JOIN_NONE;
    return joins == TSR_JOIN_REDUCE || joins == TSR_JOIN_SCATTER ? RANK_PIECE : RANK_LARGE;
}

static size_t rows_of(const tsr_span *s, size_t piece)
{
    return s->bytes < piece ? piece / s->bytes : 1;
}

uint32_t tsr_remote_pieces(const tsr_span *s, const rank_transfer *x)
{
    size_t piece = piece_of(x), n = s->count == 1 ? (s->bytes + piece - 1) / piece
                                    : s->count
                                        ? (s->count + rows_of(s, piece) - 1) / rows_of(s, piece)
                                        : 0;
    return (uint32_t)n;
}

uint32_t tsr_remote_begin_span(tsr_remote *r, int rank, int tag, const tsr_span *s, rank_transfer x)
{
    uint32_t n = 0;
    size_t piece = piece_of(&x);
    if (s->count == 1) {
        for (size_t at = 0; at < s->bytes; at += piece, n++, x.piece++) {
            size_t bytes = s->bytes - at < piece ? s->bytes - at : piece;
            tsr_remote_begin_one(r, rank, tag, &(tsr_span){(char *)s->data + at, bytes, 1, 0}, x);
        }
        return n;
    }
    size_t rows = s->count ? rows_of(s, piece) : 1;
    for (size_t at = 0; at < s->count; at += rows, n++, x.piece++) {
        size_t now = s->count - at < rows ? s->count - at : rows;
        tsr_remote_begin_one(
            r, rank, tag, &(tsr_span){(char *)s->data + at * s->stride, s->bytes, now, s->stride},
            x);
    }
    return n;
}

void tsr_remote_drop(tsr_remote *r, const rank_arrival *a)
{
    rank_head h;
    memcpy(&h, a->data, sizeof h);
    if (h.pieces && !r->lasting)
        tsr_vec_push(&r->refused, ((rank_refusal){a->rank, (int)h.tag, h.pieces}));
}

int tsr_remote_new_tag(tsr_remote *r, int rank)
{
    uint32_t most = r->t->tags > RANK_TAGS ? (uint32_t)r->t->tags - RANK_FIRST_TAG : RANK_TAGS;
    return RANK_FIRST_TAG + (int)(r->tags[rank]++ % most);
}

void tsr_remote_send_head(tsr_remote *r, int rank, char *data, size_t bytes, rank_transfer x)
{
    x.out = true;
    x.own = data;
    tsr_keep(data);
    tsr_remote_stamp(r, rank, data);
    tsr_remote_begin_one(r, rank, RANK_HEAD_TAG, &(tsr_span){data, bytes, 1, 0}, x);
}

/* ---- Progress ---- */

/* Passes an arrival to the process that waits for it, or keeps it. */
static void look_at(tsr_remote *r, const rank_arrival *a)
{
    rank_head h;
    memcpy(&h, a->data, sizeof h);
    if (tsr_remote_sort(r, a, &h))
        return;
    tsr_mesh *m = r->m;
    bool now = m && h.list == r->list && h.grid == r->grid && !r->broken;
    bool meets = h.what == SAYS_VALUES || h.what == SAYS_SHARE || h.what == SAYS_RELAY;
    meeting *at = now && meets ? tsr_remote_meeting_for(m, &h) : NULL;
    member *w = now && h.what == SAYS_MESSAGE && h.to < m->n ? &m->members[h.to] : NULL;
    if (at && h.what == SAYS_SHARE)
        tsr_join_accept(r, at, a);
    else if (at && h.what == SAYS_RELAY)
        tsr_relay_accept(r, at, a);
    else if (at)
        tsr_remote_accept(r, at, a);
    else if (w && w->state == IN_RECV && !w->got && tsr_remote_is_message(r, &h, w))
        tsr_remote_take(r, w, a);
    else
        tsr_vec_push(&r->waiting, *a);
}

/* The next message with this tag, if one has arrived. */
static bool take_next(tsr_remote *r, int tag, rank_arrival *a)
{
    tsr_request q;
    int done = 0;
    if (!r->t->probe(r->t, tag, &a->rank, &a->bytes))
        return false;
    size_t room = a->bytes > sizeof(rank_head) ? a->bytes : sizeof(rank_head);
    a->data = tsr_xmalloc(room + 1);
    tsr_keep(a->data);
    memset(a->data, 0, sizeof(rank_head));
    if (!r->t->receive(r->t, a->rank, tag, &(tsr_span){a->data, a->bytes, 1, 0}, &q))
        done = -1;
    while (!done)
        done = r->t->test(r->t, &q);
    if (done > 0)
        return true;
    tsr_free(a->data);
    tsr_remote_give_up(r);
    return false;
}

static bool read_heads(tsr_remote *r)
{
    bool any = false;
    rank_arrival a;
    while (a.rank = -1, take_next(r, RANK_HEAD_TAG, &a)) {
        look_at(r, &a);
        any = true;
    }
    return any;
}

/* Drops what nobody will request: after a failure everything except shared bytes, and pieces of dropped data. */
static bool drop_refused(tsr_remote *r)
{
    bool any = false;
    for (size_t i = 0; r->broken && i < r->waiting.n;) {
        rank_head h;
        memcpy(&h, r->waiting.data[i].data, sizeof h);
        if (h.what == SAYS_BYTES || (r->lasting && !tsr_remote_is_past(r, &h))) {
            i++;
            continue;
        }
        tsr_remote_drop(r, &r->waiting.data[i]);
        tsr_free(r->waiting.data[i].data);
        r->waiting.data[i] = r->waiting.data[--r->waiting.n];
    }
    for (size_t i = 0; i < r->refused.n;) {
        rank_refusal *x = &r->refused.data[i];
        rank_arrival a = {.rank = x->rank};
        while (x->pieces && take_next(r, x->tag, &a)) {
            tsr_free(a.data);
            x->pieces--;
            any = true;
        }
        if (x->pieces)
            i++;
        else
            *x = r->refused.data[--r->refused.n];
    }
    return any;
}

/* arrived: false if it was cancelled. */
void tsr_remote_end_transfer(tsr_remote *r, const rank_transfer *x, bool arrived)
{
    tsr_free(x->own);
    if (x->at && x->out) {
        if (x->native)
            tsr_native_end(r, x->at);
        x->at->other.sends--;
        tsr_remote_check_sent(r->m, x->at);
    } else if (x->at && arrived) {
        if (x->at->other.join)
            tsr_join_got(r, x->at, x);
        if (!x->result)
            tsr_remote_got_piece(r->m, x->at, x->place);
    } else if (x->message && --x->message->transfers == 0) {
        if (x->out || !arrived)
            tsr_mesh_free_message(x->message);
        else
            tsr_remote_deliver(r->m, x->message);
    }
}

/* Advances all transfers; returns whether anything changed. The lock of the grid is held, if there is one. Transfers
 * usually finish in the order in which they began: if there are many, only some are tested, and others the next
 * time. */
static bool pump(tsr_remote *r)
{
    enum { MISSES = 16 };
    bool any = read_heads(r);
    any |= drop_refused(r);
    if (r->lasting ? r->t->gone || atomic_load(&r->nreported) : r->t->gone)
        tsr_remote_check_ranks(r);
    if (r->failing && !r->broken)
        tsr_remote_break(r);
    size_t i = r->tested < r->active.n ? r->tested : 0;
    for (int misses = 0; i < r->active.n && misses < MISSES;) {
        int done = r->t->test(r->t, &r->active.data[i].request);
        if (done < 0)
            tsr_remote_give_up(r);
        if (!done || (done < 0 && !r->broken)) {
            i++;
            misses++;
            continue;
        }
        rank_transfer x = r->active.data[i];
        memmove(&r->active.data[i], &r->active.data[i + 1],
                (--r->active.n - i) * sizeof *r->active.data);
        if (done < 0)
            r->t->cancel(r->t, &x.request);
        tsr_remote_end_transfer(r, &x, done > 0);
        any = true;
    }
    r->tested = any ? 0 : i;
    return any;
}

static void nap(long nanoseconds)
{
    nanosleep(&(struct timespec){0, nanoseconds}, NULL);
}

/* Between unsuccessful polls: yields the core, later sleeps. */
static void rest(tsr_remote *r, uint32_t vain)
{
    enum { YIELDS = 1000, SOME = 200, SHORT = 20000, LONG = 200000, MOMENT = 2000000, MANY = 3000 };
    if (vain < (r->t->rest ? SOME : YIELDS))
        sched_yield();
    else if (r->t->rest)
        r->t->rest(r->t, MOMENT);
    else
        nap(vain < MANY ? SHORT : LONG);
}

/* The communication thread: runs while the rank computes and transfers are pending, or another rank is waited for. It
 * sleeps longer the less arrives. */
static void drive(void *remote)
{
    enum { LEAST = 25000, MOST = 400000 };
    tsr_remote *r = remote;
    tsr_mesh *m = r->m;
    long pause = LEAST;
    tsr_lock(&m->lock);
    while (!r->ended) {
        if (r->idle || (!r->active.n && !r->open)) {
            pthread_cond_wait(&r->wake, &m->lock);
            pause = LEAST;
            continue;
        }
        pause = pump(r) ? LEAST : pause < MOST ? pause + pause / 2 : pause;
        tsr_unlock(&m->lock);
        nap(pause);
        tsr_lock(&m->lock);
    }
    tsr_unlock(&m->lock);
}

/* It frees memory of the call, whose list of blocks it shares with the computing threads. */
static void *run_drive(void *remote)
{
    tsr_remote *r = remote;
    tsr_try_thread(r->m->limits, drive, r); /* when it is stopped, the whole call is */
    return NULL;
}

void tsr_remote_drive(tsr_remote *r)
{
    if (r->threaded)
        pthread_cond_signal(&r->wake);
    else if (!r->ended)
        r->threaded = pthread_create(&r->thread, NULL, run_drive, r) ==
                      0; /* else the rank drives transfers alone, when it waits */
}

/* Whether transfers are pending besides those that local processes wait for. Lent values keep their process until they
 * have arrived. */
static bool needs_thread(const tsr_remote *r)
{
    bool other = r->open || (r->active.n && r->m->nlocal > 1);
    for (size_t i = 0; !other && i < r->active.n; i++)
        other = !r->active.data[i].at || !r->active.data[i].at->lent;
    return other;
}

/* ---- Waiting ---- */

static void tell_waits(tsr_mesh *m)
{
    tsr_remote *r = m->remote;
    tsr_buf text = {0};
    tsr_mesh_report(m, &text);
    size_t n = text.len < sizeof r->state->waits ? text.len : sizeof r->state->waits - 1;
    memcpy(r->state->waits, text.data, n);
    r->state->waits[n] = 0;
    tsr_buf_free(&text);
}

static void time_out(tsr_mesh *m)
{
    tsr_remote *r = m->remote;
    tsr_buf text = {0};
    if (r->lasting) {
        tsr_remote_doubt(r, false, "%s has waited %g s for others",
                         tsr_remote_rank_name(r, r->t->rank), r->timeout);
        return;
    }
    tsr_buf_printf(&text, "nothing has come for %g s (--timeout):", r->timeout);
    tsr_mesh_report(m, &text);
    tsr_buf_char(&text, 0);
    tsr_remote_say(r, text.data);
    r->t->abort(r->t, 3);
    abort();
}

/* Tells for whom a lasting job has waited so long. */
static void tell_long(tsr_mesh *m, double seconds)
{
    tsr_buf text = {0};
    tsr_buf_printf(&text, "has waited %.0f s:", seconds);
    tsr_mesh_report(m, &text);
    tsr_buf_char(&text, 0);
    tsr_remote_say(m->remote, text.data);
    tsr_buf_free(&text);
}

/* The first local process that has failed by itself; NULL: none. */
static const member *failed_one(const tsr_mesh *m)
{
    for (uint32_t i = 0; i < m->nlocal; i++)
        if (m->members[m->local[i]].state == FAILED)
            return &m->members[m->local[i]];
    return NULL;
}

static void fail_here(tsr_remote *r, const member *w)
{
    tsr_str why = tsr_buf_text(&w->eval.failure.message);
    if (r->lasting)
        tsr_remote_doubt(r, false, "%s has failed: %.*s", tsr_remote_rank_name(r, r->t->rank),
                         TSR_STR_ARG(why));
    tsr_remote_tell_failed(r, false, r->why);
    r->broken = true;
}

void tsr_remote_fail(tsr_remote *r)
{
    if (!r->broken)
        tsr_remote_tell_failed(r, false, "");
    r->broken = true;
}

/* A wait becomes long: records what for, and asks whether those are still there. */
static void wait_longer(tsr_mesh *m, double waited, int *told)
{
    const double moment = 0.005, report_after = 5;
    tsr_remote *r = m->remote;
    if (*told == 0 && waited > moment) {
        tell_waits(m);
        *told = 1;
    }
    if (r->lasting && *told && !r->broken)
        tsr_remote_check_order(r);
    if (r->lasting && *told == 1 && waited > report_after) {
        tell_long(m, waited);
        *told = 2;
    }
    if (r->timeout > 0 && waited > r->timeout)
        time_out(m);
}

/* Whether the rank must go on driving transfers. After a failure, until pending ones have completed: they are sent from
 * memory that is freed with its processes. */
static bool must_wait(const tsr_mesh *m)
{
    const tsr_remote *r = m->remote;
    return r->broken ? !r->lasting && (r->active.n || r->refused.n) : !m->ready.n;
}

void tsr_remote_wait(tsr_mesh *m)
{
    enum { LAST = 10 };
    tsr_remote *r = m->remote;
    double since = 0, start = tsr_seconds();
    int told = 0;
    tsr_lock(&m->lock);
    r->idle = true;
    for (uint32_t vain = 0; must_wait(m); vain++) {
        if (pump(r)) {
            vain = 0;
            since = 0;
            continue;
        }
        const member *failed = r->broken ? NULL : failed_one(m);
        if (failed) {
            fail_here(r, failed);
            continue;
        }
        double now = tsr_seconds();
        since = since > 0 ? since : now;
        wait_longer(m, now - since, &told);
        tsr_unlock(&m->lock);
        rest(r, vain);
        tsr_poll();
        tsr_lock(&m->lock);
    }
    for (int i = 0; i < LAST && (r->active.n || r->open); i++)
        pump(r); /* no thread for data that has almost arrived */
    r->idle = false;
    r->waited += tsr_seconds() - start;
    if (told)
        r->state->waits[0] = 0;
    if (needs_thread(r)) /* the running processes now compute */
        tsr_remote_drive(r);
    tsr_unlock(&m->lock);
}

/* ---- Grids ---- */

void tsr_remote_begin(tsr_remote *r, tsr_mesh *m)
{
    m->remote = r;
    tsr_vec_reserve(&m->ready, m->n + 1); /* the thread appends to it, and must not make it grow */
    r->ranks = tsr_remote_numbers(m->n);
    tsr_remote_place(r, m);
    r->m = m;
    r->counts.n = 0;
    r->open = 0;
    r->waited = 0;
    r->last = NULL;
    r->idle = r->ended = r->threaded = false;
    r->shares = m->limits && !m->limits->threaded;
    if (r->shares)
        m->limits->threaded = true;
    if (r->native && m->jobs->function)
        tsr_native_split(r, m->jobs->function(m->jobs->user, m->local[0])->module->op);
}

void tsr_remote_end(tsr_mesh *m, bool stopped)
{
    tsr_remote *r = m->remote;
    pthread_mutex_lock(&m->lock);
    r->ended = true;
    pthread_cond_signal(&r->wake);
    pthread_mutex_unlock(&m->lock);
    if (r->threaded)
        pthread_join(r->thread, NULL);
    if (r->shares)
        m->limits->threaded = r->shares = false;
    r->dead |= stopped && !r->lasting;
    const member *failed = stopped || r->broken ? NULL : failed_one(m);
    if (failed)
        fail_here(r, failed);
    if (stopped && r->lasting)
        tsr_remote_drop_all(r, false);
    double since = tsr_seconds();
    for (uint32_t vain = 0; !stopped && (r->active.n || r->refused.n); vain++) {
        if (pump(r)) {
            vain = 0;
            since = tsr_seconds();
        } else {
            rest(r, vain);
        }
        if (r->timeout > 0 && tsr_seconds() - since > r->timeout)
            time_out(m);
    }
    if (r->broken && r->why[0])
        tsr_buf_cstr(&m->why, r->why);
    r->m = NULL;
    tsr_free(r->ranks);
    r->ranks = NULL;
    m->remote = NULL;
}

/* ---- Sharing bytes among all ranks ---- */

static bool take_bytes(tsr_remote *r, tsr_str *all)
{
    for (size_t i = 0; i < r->waiting.n; i++) {
        rank_head h;
        rank_arrival a = r->waiting.data[i];
        memcpy(&h, a.data, sizeof h);
        if (h.what != SAYS_BYTES || h.key != r->shared)
            continue;
        memmove(&r->waiting.data[i], &r->waiting.data[i + 1],
                (--r->waiting.n - i) * sizeof *r->waiting.data);
        memmove(a.data, a.data + sizeof h, a.bytes - sizeof h);
        all[a.rank] = (tsr_str){a.data, a.bytes - sizeof h};
        return true;
    }
    return false;
}

bool tsr_remote_share(tsr_remote *r, const void *mine, size_t bytes, int to, tsr_str *all)
{
    int size = r->t->size, self = r->t->rank, missing = to < 0 || to == self ? size - 1 : 0;
    rank_head h = {.what = SAYS_BYTES, .key = ++r->shared};
    for (int rank = 0; rank < size; rank++) {
        all[rank] = (tsr_str){NULL, 0};
        if (rank == self || (to >= 0 && rank != to))
            continue;
        char *data = tsr_xmalloc(sizeof h + bytes);
        memcpy(data, &h, sizeof h);
        if (bytes)
            memcpy(data + sizeof h, mine, bytes);
        tsr_remote_send_head(r, rank, data, sizeof h + bytes, (rank_transfer){.at = NULL});
    }
    char *own = tsr_xmalloc(bytes + 1);
    if (bytes)
        memcpy(own, mine, bytes);
    all[self] = (tsr_str){own, bytes};
    double since = tsr_seconds();
    const double told_after = 0.005;
    bool told = false;
    for (uint32_t vain = 0; missing || r->active.n || r->refused.n; vain++) {
        bool any = pump(r);
        while (missing && take_bytes(r, all)) {
            missing--;
            any = true;
        }
        if (any) {
            vain = 0;
            since = tsr_seconds();
        } else {
            rest(r, vain);
        }
        if (!told && tsr_seconds() - since > told_after) {
            snprintf(r->state->waits, sizeof r->state->waits,
                     "\n  before the program or after it, for what %d other ranks say", missing);
            told = true;
        }
        if (r->timeout > 0 && tsr_seconds() - since > r->timeout) {
            char text[80];
            snprintf(text, sizeof text, "%d ranks have said nothing for %g s (--timeout)", missing,
                     r->timeout);
            tsr_remote_say(r, text);
            r->t->abort(r->t, 3);
        }
    }
    if (told)
        r->state->waits[0] = 0;
    return true;
}
