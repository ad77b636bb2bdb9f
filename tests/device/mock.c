/* SPDX-License-Identifier: Apache-2.0 */
/* mock.c - memory and order of work of the mock device; see mock.h.
 *
 * Each lane has a queue. An item is done when something that somebody waits for comes after it in its lane, or when the
 * seed says so. All devices of a process share one lock, and the table of marks. */
#include "mock.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mock_inner.h"

enum { PAGE = 4096, ALIGN = 256, SLACK = 0xDB, FRESH = 0xFF, MOST_DEVICES = 64 };

typedef struct {
    char *map, *at; /* all pages with the two that nobody may touch; the block */
    size_t mapped, bytes;
    bool released; /* by the host */
    bool gone;     /* the work before its release is done */
} block;

typedef enum { COPY, FILL, LAUNCH, PRODUCT, COLLECTIVE, MARK, WAIT, RELEASE } kind;

/* Members of a collective that do it together. */
typedef struct {
    tsr_native *calls;
    tsr_device *members[MOST_DEVICES];
    uint64_t items[MOST_DEVICES]; /* where it is in their lanes */
    size_t n, left, users;
} meeting;

typedef struct {
    kind kind;
    void *to;
    const void *from;
    size_t n;
    void *bytes; /* owned: what copy_in took, or words */
    uint8_t byte;
    tsr_device *other;
    tsr_mock_kernel *kernel;
    tsr_device_launch launch;
    tsr_device_product product;
    meeting *meeting;
    uint64_t mark;
} item;

typedef struct {
    item *items;
    uint64_t done, given, room; /* items before `done` are done */
} lane;

typedef struct {
    tsr_device device;
    tsr_mock_options options;
    block *blocks;
    size_t nblock, room;
    uint64_t used; /* bytes that are not released */
    int allocations, codes;
    tsr_mock_code *code;
    lane lanes[TSR_LANE_COUNT];
    uint64_t random;
    bool failed;
} mock;

typedef struct {
    mock *of;
    int lane;
    uint64_t item;
    bool reached;
    double when;
} point;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static point *points;
static size_t npoints, room_of_points;
static mock *all[MOST_DEVICES];
static double ticks; /* a microsecond for each item that is done */

static mock *of(tsr_device *d)
{
    return (mock *)d;
}

static bool fail(mock *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool fail(mock *m, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (!m->failed)
        vsnprintf(m->device.error, sizeof m->device.error, fmt, args);
    va_end(args);
    m->failed = true;
    return false;
}

static void out_of_memory(void)
{
    fputs("mock: the host has no memory left\n", stderr);
    abort();
}

static void *more_room(void *old, size_t bytes)
{
    void *p = realloc(old, bytes);
    if (!p)
        out_of_memory();
    return p;
}

static uint32_t draw(mock *m, uint32_t below)
{
    m->random = m->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(m->random >> 33) % below;
}

/* ---- Memory ---- */

/* The host cannot touch a device's memory; work can while it is done. */
static void open_memory(bool on)
{
    for (int k = 0; k < MOST_DEVICES; k++)
        for (size_t i = 0; all[k] && i < all[k]->nblock; i++) {
            const block *b = all[k]->blocks + i;
            if (!b->gone)
                mprotect(b->map + PAGE, b->mapped - 2 * PAGE,
                         on ? PROT_READ | PROT_WRITE : PROT_NONE);
        }
}

static const block *block_of(const void *at, const mock **owner)
{
    for (int k = 0; k < MOST_DEVICES; k++)
        for (size_t i = 0; all[k] && i < all[k]->nblock; i++) {
            const block *b = all[k]->blocks + i;
            if ((const char *)at >= b->map && (const char *)at < b->map + b->mapped) {
                *owner = all[k];
                return b;
            }
        }
    return NULL;
}

static void describe(const void *at, char *out, size_t size)
{
    const mock *owner = NULL;
    const block *b = block_of(at, &owner);
    if (!b)
        snprintf(out, size, "touches %p, which is in no block of a device", at);
    else if (b->gone)
        snprintf(out, size, "touches byte %td of a block of %zu bytes that is released",
                 (const char *)at - b->at, b->bytes);
    else
        snprintf(out, size, "touches byte %td of a block of %zu bytes", (const char *)at - b->at,
                 b->bytes);
}

/* Whether bytes are in one live block of this device. */
static bool inside(mock *m, const void *at, size_t n, const char *what)
{
    const mock *owner = NULL;
    char why[200];
    if (n == 0)
        return true;
    const block *b = block_of(at, &owner);
    if (b && owner == m && !b->gone && (const char *)at >= b->at &&
        n <= b->bytes - (size_t)((const char *)at - b->at))
        return true;
    describe(at, why, sizeof why);
    return fail(m, "%s of %zu bytes %s%s", what, n, why,
                b && owner != m ? " of another device" : "");
}

static bool slack_is_whole(mock *m, const block *b)
{
    for (const char *p = b->map + PAGE; p < b->map + b->mapped - PAGE; p++) {
        if (p == b->at)
            p = b->at + b->bytes;
        if (p < b->map + b->mapped - PAGE && (uint8_t)*p != SLACK)
            return fail(m, "byte %td of a block of %zu bytes was written", p - b->at, b->bytes);
    }
    return true;
}

static void *allocate(mock *m, size_t bytes)
{
    size_t inner = (bytes + ALIGN + PAGE - 1) / PAGE * PAGE;
    m->allocations++;
    if (m->allocations == m->options.failing || bytes > m->device.bytes - m->used) {
        snprintf(m->device.error, sizeof m->device.error,
                 "no memory for %zu bytes: %llu of %llu are used", bytes,
                 (unsigned long long)m->used, (unsigned long long)m->device.bytes);
        return NULL;
    }
    char *map =
        mmap(NULL, inner + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return NULL;
    mprotect(map + PAGE, inner, PROT_READ | PROT_WRITE);
    char *at = map + PAGE + (inner - bytes) / ALIGN * ALIGN; /* as near to the end as can be */
    memset(map + PAGE, SLACK, inner);
    memset(at, FRESH, bytes);
    mprotect(map + PAGE, inner, PROT_NONE);
    if (m->nblock == m->room)
        m->blocks = more_room(m->blocks, (m->room = 2 * m->room + 16) * sizeof *m->blocks);
    m->blocks[m->nblock++] =
        (block){.map = map, .at = at, .mapped = inner + 2 * PAGE, .bytes = bytes};
    m->used += bytes;
    return at;
}

/* The addresses stay, so that nobody else gets them: who touches them is found. */
static void let_go(mock *m, const void *at)
{
    for (size_t i = 0; i < m->nblock; i++) {
        block *b = m->blocks + i;
        if (b->at != at || b->gone)
            continue;
        if (!m->failed) /* then the host may not look at it */
            slack_is_whole(m, b);
        madvise(b->map, b->mapped, MADV_DONTNEED);
        mprotect(b->map, b->mapped, PROT_NONE);
        b->gone = true;
    }
}

/* ---- Work ---- */

static bool do_copy(mock *m, item *i)
{
    if (!inside(m, i->to, i->n, "a copy") ||
        (i->other && !inside(of(i->other), i->from, i->n, "a copy")))
        return i->other && of(i->other) != m && of(i->other)->failed
                   ? fail(m, "%s", i->other->error)
                   : false;
    memmove(i->to, i->bytes ? i->bytes : i->from, i->n);
    return true;
}

static bool matrix_inside(mock *m, const tsr_device_matrix *x, int64_t rows, int64_t cols,
                          int64_t batch, const char *what)
{
    int64_t lines = x->transposed ? cols : rows, length = x->transposed ? rows : cols;
    int64_t last = (batch - 1) * x->matrix + (lines - 1) * x->line + length;
    return inside(m, x->at, (size_t)last * tsr_device_type_bytes(x->type), what);
}

static bool do_product(mock *m, const tsr_device_product *p)
{
    size_t element = tsr_device_type_bytes(p->out.type);
    bool aux = tsr_epilogue_has_aux(p->epilogue), bias = tsr_epilogue_has_bias(p->epilogue);
    if (!matrix_inside(m, &p->a, p->m, p->k, p->batch, "the first factor") ||
        !matrix_inside(m, &p->b, p->k, p->n, p->batch, "the second factor") ||
        !matrix_inside(m, &p->out, p->m, p->n, p->batch, "the product") ||
        (p->beta != 0 && !matrix_inside(m, &p->add, p->m, p->n, p->batch, "what is added")) ||
        !inside(m, p->workspace, p->workspace_bytes, "the workspace") ||
        (bias && !inside(m, p->bias, (size_t)p->n * element, "the bias")) ||
        (aux && !inside(m, p->aux, (size_t)((p->m - 1) * p->aux_line + p->n) * element, "aux")))
        return false;
    memset(p->workspace, SLACK, p->workspace_bytes);
    tsr_mock_product(p);
    return true;
}

static bool do_collective(mock *m, meeting *g)
{
    for (size_t i = 0; i < g->n; i++) {
        const tsr_native *c = g->calls + i;
        size_t element = tsr_mock_native_bytes(c->type), one = c->n * element;
        size_t in = c->kind == TSR_NATIVE_SCATTER || c->kind == TSR_NATIVE_EXCHANGE ? g->n : 1;
        size_t out = c->kind == TSR_NATIVE_GATHER || c->kind == TSR_NATIVE_EXCHANGE ? g->n : 1;
        if (!inside(of(g->members[i]), c->in, one * in, "a collective's operand") ||
            !inside(of(g->members[i]), c->out, one * out, "a collective's result"))
            return fail(m, "%s", g->members[i]->error);
    }
    tsr_mock_collective(g->calls, g->n);
    return true;
}

static bool advance(mock *m, int l, uint64_t upto);

/* The last member that arrives does it for all; the first one makes the others come. */
static bool meet(mock *m, meeting *g)
{
    if (--g->left == 0)
        return do_collective(m, g);
    for (size_t i = 0; i < g->n; i++) {
        mock *o = of(g->members[i]);
        if (o != m && !advance(o, TSR_LANE_COLLECTIVES, g->items[i] + 1))
            return fail(m, "device %d: %s", o->device.number, o->device.error);
    }
    return true;
}

static bool do_launch(mock *m, item *i)
{
    i->launch.words = i->bytes;
    i->kernel->code->waiting--;
    return tsr_mock_run(i->kernel, &i->launch, m->options.reversed, describe, m->device.error,
                        sizeof m->device.error) ||
           !(m->failed = true);
}

static bool do_wait(mock *m, uint64_t mark)
{
    const point *p = points + mark;
    mock *o = p->of;
    if (!o) /* closed, after all of its work */
        return true;
    return advance(o, p->lane, p->item + 1) ||
           fail(m, "device %d failed: %s", o->device.number, o->device.error);
}

static bool do_item(mock *m, item *i)
{
    ticks += 1e-6;
    switch (i->kind) {
    case COPY: return do_copy(m, i);
    case FILL:
        if (!inside(m, i->to, i->n, "a fill"))
            return false;
        memset(i->to, i->byte, i->n);
        return true;
    case LAUNCH: return do_launch(m, i);
    case PRODUCT: return do_product(m, &i->product);
    case COLLECTIVE: return meet(m, i->meeting);
    case MARK:
        points[i->mark].reached = true;
        points[i->mark].when = ticks;
        return true;
    case WAIT: return do_wait(m, i->mark);
    case RELEASE: let_go(m, i->to); return true;
    }
    return false;
}

static void end_item(item *i)
{
    free(i->bytes);
    if (i->meeting && --i->meeting->users == 0) {
        free(i->meeting->calls);
        free(i->meeting);
    }
}

/* Does the items of a lane before `upto`. */
static bool advance(mock *m, int l, uint64_t upto)
{
    lane *q = &m->lanes[l];
    while (!m->failed && q->done < upto) {
        item i = q->items[q->done++];
        do_item(m, &i);
        end_item(&i);
    }
    return !m->failed;
}

static bool force(mock *m, int l, uint64_t upto)
{
    if (m->failed || m->lanes[l].done >= upto)
        return !m->failed;
    open_memory(true);
    bool ok = advance(m, l, upto);
    open_memory(false);
    return ok;
}

static bool force_all(mock *m)
{
    int first = (int)draw(m, TSR_LANE_COUNT); /* lanes have no order */
    bool ok = true;
    for (int k = 0; k < TSR_LANE_COUNT; k++) {
        int l = (first + k) % TSR_LANE_COUNT;
        ok &= force(m, l, m->lanes[l].given);
    }
    return ok;
}

/* Work that is done now, since the options say so. */
static bool some_work(mock *m, int l)
{
    if (m->options.when == TSR_MOCK_EAGER)
        return force(m, l, m->lanes[l].given);
    if (m->options.when == TSR_MOCK_RANDOM && draw(m, 4) == 0) {
        int some = (int)draw(m, TSR_LANE_COUNT);
        lane *s = &m->lanes[some];
        if (s->given > s->done)
            return force(m, some, s->done + 1 + draw(m, (uint32_t)(s->given - s->done)));
    }
    return true;
}

static bool put(mock *m, int l, const item *i)
{
    lane *q = &m->lanes[l];
    if (q->given == q->room)
        q->items = more_room(q->items, (q->room = 2 * q->room + 64) * sizeof *q->items);
    q->items[q->given++] = *i;
    return true;
}

static bool give(mock *m, int l, const item *i)
{
    return put(m, l, i) && some_work(m, l);
}

/* ---- The interface ---- */

/* Every call holds the lock and says no after a failure. */
#define ENTER(d)                     \
    mock *m = of(d);                 \
    pthread_mutex_lock(&lock);       \
    if (m->failed) {                 \
        pthread_mutex_unlock(&lock); \
        return 0;                    \
    }

#define LEAVE(result)                         \
    do {                                      \
        __typeof__(result) given_ = (result); \
        pthread_mutex_unlock(&lock);          \
        return given_;                        \
    } while (0)

static void *mock_allocate(tsr_device *d, size_t bytes)
{
    ENTER(d)
    LEAVE(allocate(m, bytes ? bytes : 1));
}

static void mock_release(tsr_device *d, void *at)
{
    mock *m = of(d);
    bool found = false;
    if (!at)
        return;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < m->nblock; i++)
        if (m->blocks[i].at == at && !m->blocks[i].gone && !m->blocks[i].released) {
            m->blocks[i].released = found = true;
            m->used -= m->blocks[i].bytes;
        }
    if (!found)
        fail(m, "release: %p is not the beginning of a block", at);
    else if (m->failed)
        let_go(m, at);
    else
        give(m, TSR_LANE_KERNELS, &(item){.kind = RELEASE, .to = at});
    pthread_mutex_unlock(&lock);
}

static int64_t mock_left(tsr_device *d)
{
    return (int64_t)(d->bytes - of(d)->used);
}

static bool mock_copy_in(tsr_device *d, void *to, const void *from, size_t n)
{
    ENTER(d)
    void *bytes = more_room(NULL, n + 1);
    memcpy(bytes, from, n);
    LEAVE(give(m, TSR_LANE_KERNELS, &(item){.kind = COPY, .to = to, .bytes = bytes, .n = n}));
}

static bool copy_out(mock *m, void *to, const void *from, size_t n)
{
    if (!force(m, TSR_LANE_KERNELS, m->lanes[TSR_LANE_KERNELS].given) ||
        !inside(m, from, n, "a copy to the host"))
        return false;
    open_memory(true);
    memcpy(to, from, n);
    open_memory(false);
    return true;
}

static bool mock_copy_out(tsr_device *d, void *to, const void *from, size_t n)
{
    ENTER(d)
    LEAVE(copy_out(m, to, from, n));
}

static bool mock_copy(tsr_device *d, void *to, tsr_device *other, const void *from, size_t n)
{
    ENTER(d)
    LEAVE(give(m, TSR_LANE_KERNELS,
               &(item){.kind = COPY, .to = to, .other = other, .from = from, .n = n}));
}

static bool mock_fill(tsr_device *d, void *to, uint8_t byte, size_t n)
{
    ENTER(d)
    LEAVE(give(m, TSR_LANE_KERNELS, &(item){.kind = FILL, .to = to, .byte = byte, .n = n}));
}

static void unlink_code(mock *m, tsr_mock_code *c)
{
    tsr_mock_code **p = &m->code;
    while (*p && *p != c)
        p = &(*p)->next;
    if (*p)
        *p = c->next;
    m->codes--;
    tsr_mock_discard(c);
}

static bool compile(mock *m, const tsr_device_text *texts, size_t n, tsr_device_code *out)
{
    tsr_mock_code **made = more_room(NULL, (n + 1) * sizeof(tsr_mock_code *));
    bool ok =
        tsr_mock_compile(texts, n, m->options.flags, made, m->device.error, sizeof m->device.error);
    for (size_t i = 0; ok && i < n; i++) {
        made[i]->next = m->code;
        m->code = made[i];
        m->codes++;
        out[i].word = (uintptr_t)made[i];
    }
    free(made);
    return ok;
}

static bool mock_compile(tsr_device *d, const tsr_device_text *texts, size_t n,
                         tsr_device_code *out)
{
    ENTER(d)
    LEAVE(compile(m, texts, n, out));
}

static bool mock_find(tsr_device *d, tsr_device_code c, const char *name, tsr_device_kernel *out)
{
    ENTER(d)
    out->word = (uintptr_t)tsr_mock_find((tsr_mock_code *)c.word, name);
    if (!out->word)
        snprintf(d->error, sizeof d->error, "there is no kernel %s", name);
    LEAVE(out->word != 0);
}

static void mock_drop(tsr_device *d, tsr_device_code c)
{
    mock *m = of(d);
    tsr_mock_code *code = (tsr_mock_code *)c.word;
    pthread_mutex_lock(&lock);
    if (!m->failed && code->waiting)
        fail(m, "code is dropped before %d launches of its kernels are done", code->waiting);
    if (!code->waiting)
        unlink_code(m, code);
    pthread_mutex_unlock(&lock);
}

static bool has_lane(mock *m, int l)
{
    return (l >= 0 && l < TSR_LANE_COUNT) || fail(m, "there is no lane %d", l);
}

static bool launch(mock *m, const tsr_device_launch *l)
{
    tsr_mock_kernel *k = (tsr_mock_kernel *)l->kernel.word;
    bool grid = l->blocks[0] && l->blocks[1] && l->blocks[2] && l->blocks[0] <= INT32_MAX &&
                l->blocks[1] <= 65535 && l->blocks[2] <= 65535;
    if (!has_lane(m, l->lane))
        return false;
    if (!grid || !l->threads || l->threads % 32 || l->threads > k->most)
        return fail(m, "launch of %s: %ux%ux%u blocks of %u threads; at most %u", k->name,
                    l->blocks[0], l->blocks[1], l->blocks[2], l->threads, k->most);
    if (l->shared > m->device.shared)
        return fail(m, "launch of %s: %u bytes of shared memory; at most %u", k->name, l->shared,
                    m->device.shared);
    if (l->nwords != k->nwords || l->nwords > TSR_DEVICE_WORDS)
        return fail(m, "launch of %s: %u words are given, it has %u", k->name, l->nwords,
                    k->nwords);
    item i = {.kind = LAUNCH, .kernel = k, .launch = *l};
    i.bytes = more_room(NULL, l->nwords * sizeof(uint64_t));
    memcpy(i.bytes, l->words, l->nwords * sizeof(uint64_t));
    k->code->waiting++;
    return give(m, l->lane, &i);
}

static bool mock_launch(tsr_device *d, const tsr_device_launch *l)
{
    ENTER(d)
    LEAVE(launch(m, l));
}

static bool mock_has_product(tsr_device *d, const tsr_device_product *p, size_t *workspace)
{
    (void)d;
    *workspace = 1 << 16;
    return !tsr_product_refused(p);
}

static bool product(mock *m, const tsr_device_product *p)
{
    const char *why = tsr_product_refused(p);
    if (why)
        return fail(m, "product: %s", why);
    return give(m, TSR_LANE_KERNELS, &(item){.kind = PRODUCT, .product = *p});
}

static bool mock_product(tsr_device *d, const tsr_device_product *p)
{
    ENTER(d)
    LEAVE(product(m, p));
}

static bool collective(tsr_device *const *d, const tsr_native *calls, size_t n)
{
    meeting *g = more_room(NULL, sizeof *g);
    *g = (meeting){.n = n, .left = n, .users = n, .calls = more_room(NULL, n * sizeof *calls)};
    memcpy(g->calls, calls, n * sizeof *calls);
    for (size_t i = 0; i < n; i++) {
        g->members[i] = d[i];
        g->items[i] = of(d[i])->lanes[TSR_LANE_COLLECTIVES].given;
    }
    bool ok = true;
    for (size_t i = 0; i < n; i++) /* nothing is done before all of them have it */
        ok &= put(of(d[i]), TSR_LANE_COLLECTIVES, &(item){.kind = COLLECTIVE, .meeting = g});
    for (size_t i = 0; i < n; i++)
        ok &= some_work(of(d[i]), TSR_LANE_COLLECTIVES);
    return ok;
}

static bool mock_collective(tsr_device *const *d, const tsr_native *calls, size_t n)
{
    ENTER(d[0])
    (void)m;
    if (n > MOST_DEVICES)
        LEAVE(fail(m, "a collective of %zu devices", n));
    LEAVE(collective(d, calls, n));
}

static bool mark(mock *m, int l, tsr_mark *out)
{
    if (!has_lane(m, l))
        return false;
    if (npoints == room_of_points)
        points = more_room(points, (room_of_points = 2 * room_of_points + 64) * sizeof *points);
    points[npoints] = (point){.of = m, .lane = l, .item = m->lanes[l].given};
    out->word = npoints++;
    return give(m, l, &(item){.kind = MARK, .mark = out->word});
}

static bool mock_mark(tsr_device *d, int l, tsr_mark *out)
{
    ENTER(d)
    LEAVE(mark(m, l, out));
}

static bool mock_wait(tsr_device *d, int l, tsr_device *owner, tsr_mark at)
{
    ENTER(d)
    if (at.word >= npoints || (points[at.word].of && points[at.word].of != of(owner)))
        LEAVE(fail(m, "a wait for a mark that the device did not make"));
    LEAVE(has_lane(m, l) && give(m, l, &(item){.kind = WAIT, .mark = at.word}));
}

/* Each question lets one more item be done, so that a loop of them ends. */
static int reached(mock *m, tsr_mark at)
{
    const point *p = points + at.word;
    if (!p->reached && p->of && draw(m, 2) == 0)
        force(p->of, p->lane, p->of->lanes[p->lane].done + 1);
    if (m->failed || (p->of && p->of->failed))
        return -1;
    return points[at.word].reached;
}

static int mock_reached(tsr_device *d, tsr_mark at)
{
    mock *m = of(d);
    pthread_mutex_lock(&lock);
    LEAVE(m->failed ? -1 : reached(m, at));
}

static double mock_between(tsr_device *d, tsr_mark from, tsr_mark to)
{
    ENTER(d)
    (void)m;
    LEAVE(points[to.word].when - points[from.word].when);
}

static bool mock_synchronize(tsr_device *d)
{
    ENTER(d)
    LEAVE(force_all(m));
}

static void forget_items(mock *m)
{
    for (int l = 0; l < TSR_LANE_COUNT; l++) {
        lane *q = &m->lanes[l];
        for (; q->done < q->given; q->done++)
            end_item(&q->items[q->done]);
        free(q->items);
    }
}

static void mock_close(tsr_device *d)
{
    mock *m = of(d);
    pthread_mutex_lock(&lock);
    if (!m->failed)
        force_all(m);
    forget_items(m);
    for (size_t i = 0; i < npoints; i++)
        if (points[i].of == m)
            points[i].of = NULL;
    for (size_t i = 0; i < m->nblock; i++)
        munmap(m->blocks[i].map, m->blocks[i].mapped);
    while (m->code)
        unlink_code(m, m->code);
    bool any = false;
    for (int k = 0; k < MOST_DEVICES; k++) {
        if (all[k] == m)
            all[k] = NULL;
        any |= all[k] != NULL;
    }
    if (!any) {
        free(points);
        points = NULL;
        npoints = room_of_points = 0;
    }
    free(m->blocks);
    free(m);
    pthread_mutex_unlock(&lock);
}

tsr_mock_live tsr_mock_count(const tsr_device *d)
{
    const mock *m = (const mock *)d;
    tsr_mock_live n = {.codes = m->codes, .bytes = m->used};
    for (size_t i = 0; i < m->nblock; i++)
        n.blocks += !m->blocks[i].released;
    return n;
}

/* ---- Opening ---- */

static tsr_mock_options read_options(void)
{
    tsr_mock_options o = {.when = TSR_MOCK_LATE};
    const char *p = getenv("TESSERA_MOCK");
    while (p && *p) {
        size_t n = strcspn(p, ",");
        unsigned long long number =
            strtoull(p + strcspn(p, "=,") + (p[strcspn(p, "=,")] == '='), NULL, 10);
        if (!strncmp(p, "when=random", n))
            o.when = TSR_MOCK_RANDOM;
        else if (!strncmp(p, "when=eager", n))
            o.when = TSR_MOCK_EAGER;
        else if (!strncmp(p, "reversed", n))
            o.reversed = true;
        else if (!strncmp(p, "seed=", 5))
            o.seed = (uint32_t)number;
        else if (!strncmp(p, "bytes=", 6))
            o.bytes = number;
        else if (!strncmp(p, "failing=", 8))
            o.failing = (int)number;
        p += n + (p[n] == ',');
    }
    return o;
}

static void fill_in(tsr_device *d)
{
    *d = (tsr_device){.number = d->number,
                      .bytes = d->bytes,
                      .units = 4,
                      .shared = 232448 - 1024,
                      .align = ALIGN,
                      .allocate = mock_allocate,
                      .release = mock_release,
                      .left = mock_left,
                      .copy_in = mock_copy_in,
                      .copy_out = mock_copy_out,
                      .copy = mock_copy,
                      .fill = mock_fill,
                      .compile = mock_compile,
                      .find = mock_find,
                      .drop = mock_drop,
                      .launch = mock_launch,
                      .has_product = mock_has_product,
                      .product = mock_product,
                      .collective = mock_collective,
                      .mark = mock_mark,
                      .wait = mock_wait,
                      .reached = mock_reached,
                      .between = mock_between,
                      .synchronize = mock_synchronize,
                      .close = mock_close};
    snprintf(d->name, sizeof d->name, "mock device %d", d->number);
}

tsr_device *tsr_mock_open(int number, const tsr_mock_options *options, char *error, size_t size)
{
    int place = 0;
    mock *m = calloc(1, sizeof *m);
    if (!m)
        out_of_memory();
    m->options = options ? *options : read_options();
    m->random = m->options.seed * 2 + 1;
    m->device.number = number;
    m->device.bytes = m->options.bytes ? m->options.bytes : 1ull << 30;
    fill_in(&m->device);
    pthread_mutex_lock(&lock);
    while (place < MOST_DEVICES && all[place])
        place++;
    if (place < MOST_DEVICES)
        all[place] = m;
    pthread_mutex_unlock(&lock);
    if (place < MOST_DEVICES)
        return &m->device;
    snprintf(error, size, "there are at most %d devices of the mock", MOST_DEVICES);
    free(m);
    return NULL;
}

__attribute__((visibility("default"))) tsr_device_open_fn tessera_device_open;
tsr_device *tessera_device_open(unsigned version, int number, char *error, size_t size)
{
    if (version != TSR_DEVICE_VERSION) {
        snprintf(error, size, "the plug-in is of another version of devices");
        return NULL;
    }
    return tsr_mock_open(number, NULL, error, size);
}

/* TESSERA_MOCK_DEVICES: how many there are; 8 else. */
__attribute__((visibility("default"))) tsr_device_count_fn tessera_device_count;
int tessera_device_count(unsigned version, char *error, size_t size)
{
    const char *n = getenv("TESSERA_MOCK_DEVICES");
    if (version == TSR_DEVICE_VERSION)
        return n && *n ? atoi(n) : 8;
    snprintf(error, size, "the plug-in is of another version of devices");
    return -1;
}
