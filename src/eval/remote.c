/* remote.c - see remote.h.
 *
 * All that ranks say to each other begins with a message that tells what it is (HEAD_TAG). Few bytes come with it; others follow, in
 * pieces, under a tag that it names, and are received when the rank has come to where they belong: nobody keeps what he does not need yet. Vectors that the
 * thread of communication may grow belong to no scope. */
#include "eval/grid.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "dialect/reducer.h"

enum { HEAD_TAG = 1, FIRST_TAG = 16, TAGS = 32000, LITTLE = 4096, PIECE = 1 << 20 };

typedef enum { SAYS_VALUES, SAYS_MESSAGE, SAYS_FAILED, SAYS_BYTES } says;

/* Numbers come as they are: ranks of a job are of one byte order. After it: for each value what it is and its dimensions, then its bytes, when they are
 * few. */
typedef struct {
    uint32_t what; /* says */
    uint32_t tag;  /* of what follows; 0: all is here */
    uint32_t place, nin, op, seq;
    uint32_t pieces;   /* that follow */
    uint32_t from, to; /* MESSAGE: processes; VALUES: to is the first of the group */
    int64_t channel;
    uint64_t key, grid;
} head;

typedef struct {
    int rank;
    size_t bytes;
    char *data; /* a head and what comes with it */
} arrival;

typedef struct {
    tsr_request request;
    bool out, native;
    meeting *at;
    size_t place;
    message *message;
    char *own; /* to be freed then */
} transfer;

/* Pieces that nobody wants. */
typedef struct {
    int rank, tag;
    uint32_t pieces;
} refuse;

typedef struct {
    uint64_t key;
    uint32_t n;
} count;

struct tsr_remote {
    tsr_transport *t;
    tsr_mesh *m; /* the grid that runs; NULL: none */
    uint64_t grid;
    TSR_VEC(transfer) active;
    TSR_VEC(arrival) waiting; /* that nobody here has asked for yet */
    TSR_VEC(refuse) refused;
    TSR_VEC(count) counts;   /* meetings of each key */
    uint32_t *tags;          /* by rank: of the next that is sent */
    uint32_t *ranks;         /* of the grid: by process */
    uint32_t *low, *high;    /* by rank: places of a group, first and behind the last */
    uint32_t *stamp, stamps; /* by rank: for which group these are */
    uint64_t shared;         /* how often bytes were shared */
    bool broken;             /* a rank has failed: nobody goes on, what comes is dropped */
    bool dead, native;
    double timeout;
    tsr_rank_state *state, none;
    void (*tell)(void *user, tsr_str text);
    void *user;
    const tsr_op *last; /* state tells of it */
    uint32_t kill_at,
        hang_at; /* for tests: at how many collectives from now the rank is killed, or sleeps for ever; 0: none */
    pthread_t thread;
    pthread_cond_t wake;
    bool idle, ended; /* the rank itself drives; the thread is to end */
};

/* ---- Numbers that all ranks find ---- */

static uint64_t mix(uint64_t h, uint64_t x)
{
    for (int i = 0; i < 8; i++, x >>= 8)
        h = (h ^ (x & 255)) * 0x100000001B3u;
    return h;
}

static uint64_t key_of(const meeting *at)
{
    uint64_t h = 0xCBF29CE484222325u;
    h = mix(mix(mix(h, at->opcode), (uint64_t)at->channel), at->round);
    for (size_t i = 0; i < at->group.n; i++)
        h = mix(h, at->group.ids[i]);
    return h;
}

static uint32_t next_of(tsr_remote *r, uint64_t key)
{
    for (size_t i = 0; i < r->counts.n; i++)
        if (r->counts.data[i].key == key)
            return r->counts.data[i].n++;
    tsr_vec_push(&r->counts, ((count){key, 1}));
    return 0;
}

void tsr_remote_range(const tsr_transport *t, int rank, uint32_t n, uint32_t *first, uint32_t *last)
{
    *first = (uint32_t)((uint64_t)n * (uint64_t)rank / (uint64_t)t->size);
    *last = (uint32_t)((uint64_t)n * ((uint64_t)rank + 1) / (uint64_t)t->size);
}

/* ---- The object ---- */

static void *numbers(size_t n)
{
    uint32_t *p = tsr_xmalloc((n + 1) * sizeof *p);
    memset(p, 0, (n + 1) * sizeof *p);
    tsr_keep(p);
    return p;
}

/* For tests: "1:3" is rank 1 at its third collective; 0: it is another rank, or nothing is said. */
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
    r->tags = numbers((size_t)t->size);
    r->low = numbers((size_t)t->size);
    r->high = numbers((size_t)t->size);
    r->stamp = numbers((size_t)t->size);
    tsr_vec_reserve(&r->active, SOME);
    tsr_vec_reserve(&r->waiting, SOME);
    tsr_vec_reserve(&r->refused, SOME);
    tsr_vec_reserve(&r->counts, SOME);
    tsr_keep(r->active.data);
    tsr_keep(r->waiting.data);
    tsr_keep(r->refused.data);
    tsr_keep(r->counts.data);
    r->kill_at = read_place("TESSERA_TEST_KILL", t->rank);
    r->hang_at = read_place("TESSERA_TEST_HANG", t->rank);
    pthread_cond_init(&r->wake, NULL);
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
    r->native = native && r->t->native;
}

tsr_transport *tsr_remote_transport(const tsr_remote *r)
{
    return r->t;
}

bool tsr_remote_is_dead(const tsr_remote *r)
{
    return r->dead;
}

bool tsr_remote_has(const tsr_mesh *m, uint32_t id)
{
    return id >= m->first && id < m->last;
}

/* ---- Bytes on their way ---- */

static void say(tsr_remote *r, const char *what)
{
    tsr_buf text = {0};
    tsr_buf_printf(&text, "rank %d: %s", r->t->rank, what);
    if (r->tell)
        r->tell(r->user, tsr_buf_text(&text));
    tsr_buf_free(&text);
}

/* The transport itself has failed. */
static TSR_NORETURN void give_up(tsr_remote *r)
{
    say(r, r->t->error);
    r->t->abort(r->t, 3);
    abort();
}

static void begin(tsr_remote *r, int rank, int tag, const tsr_span *s, transfer x)
{
    if (!(x.out ? r->t->send : r->t->receive)(r->t, rank, tag, s, &x.request))
        give_up(r);
    tsr_vec_push(&r->active, x);
}

/* How many pieces blocks are sent in. Both ends cut alike. */
static size_t rows_of(const tsr_span *s)
{
    return s->bytes < PIECE ? PIECE / s->bytes : 1;
}

static uint32_t pieces_of(const tsr_span *s)
{
    size_t n = s->count == 1 ? (s->bytes + PIECE - 1) / PIECE
               : s->count    ? (s->count + rows_of(s) - 1) / rows_of(s)
                             : 0;
    return (uint32_t)n;
}

static uint32_t begin_span(tsr_remote *r, int rank, int tag, const tsr_span *s, transfer x)
{
    uint32_t n = 0;
    if (s->count == 1) {
        for (size_t at = 0; at < s->bytes; at += PIECE, n++) {
            size_t bytes = s->bytes - at < PIECE ? s->bytes - at : PIECE;
            begin(r, rank, tag, &(tsr_span){(char *)s->data + at, bytes, 1, 0}, x);
        }
        return n;
    }
    size_t rows = s->count ? rows_of(s) : 1;
    for (size_t at = 0; at < s->count; at += rows, n++) {
        size_t now = s->count - at < rows ? s->count - at : rows;
        begin(r, rank, tag, &(tsr_span){(char *)s->data + at * s->stride, s->bytes, now, s->stride},
              x);
    }
    return n;
}

static int new_tag(tsr_remote *r, int rank)
{
    return FIRST_TAG + (int)(r->tags[rank]++ % TAGS);
}

static void send_head(tsr_remote *r, int rank, char *data, size_t bytes, transfer x)
{
    x.out = true;
    x.own = data;
    tsr_keep(data);
    begin(r, rank, HEAD_TAG, &(tsr_span){data, bytes, 1, 0}, x);
}

/* ---- Who is where in a group ---- */

/* Sets low and high of the ranks of a group; stamp tells which ranks are in it. */
static void find_ranks(tsr_remote *r, const tsr_group *g)
{
    r->stamps++;
    for (size_t i = 0; i < g->n; i++) {
        uint32_t rank = r->ranks[g->ids[i]];
        if (r->stamp[rank] != r->stamps)
            r->low[rank] = (uint32_t)i;
        r->stamp[rank] = r->stamps;
        r->high[rank] = (uint32_t)i + 1;
    }
}

/* What a rank needs of a value of the process at place: blocks; count 0: nothing. find_ranks was called. */
static tsr_span needed(const tsr_remote *r, const meeting *at, size_t place, uint32_t rank,
                       const tsr_tensor *t)
{
    size_t bytes = tsr_tensor_bytes(t), n = at->group.n;
    tsr_span all = {t->data, bytes, 1, 0}, nothing = {0};
    if (t->kind != TSR_TENSOR || !bytes)
        return nothing;
    if (at->need.kind == TSR_WANTS_BEFORE)
        return r->ranks[at->group.ids[(place + 1) % n]] == rank ? all : nothing;
    if (at->need.kind == TSR_WANTS_ALL || at->need.axis < 0 || at->need.axis >= t->rank ||
        t->dims[at->need.axis] % (int64_t)n)
        return all;
    size_t rows = 1;
    for (int64_t d = 0; d < at->need.axis; d++)
        rows *= (size_t)t->dims[d];
    size_t row = bytes / rows, part = row / n;
    return (tsr_span){(char *)t->data + part * r->low[rank], part * (r->high[rank] - r->low[rank]),
                      rows, row};
}

static size_t span_bytes(const tsr_span *s)
{
    return s->bytes * s->count;
}

/* Copies blocks to or from bytes one after the other; where these end. */
static char *pack(char *bytes, const tsr_span *s, bool out)
{
    for (size_t i = 0; i < s->count; i++, bytes += s->bytes) {
        char *block = (char *)s->data + i * s->stride;
        memcpy(out ? bytes : block, out ? block : bytes, s->bytes);
    }
    return bytes;
}

/* ---- Heads ---- */

static char *put_type(char *at, const tsr_tensor *t)
{
    uint64_t what = (uint64_t)t->kind | (uint64_t)t->dtype << 8 |
                    (t->kind == TSR_TENSOR ? (uint64_t)t->rank << 16 : 0);
    memcpy(at, &what, sizeof what);
    if (t->kind != TSR_TENSOR)
        return at + sizeof what;
    memcpy(at + sizeof what, t->dims, t->rank * sizeof *t->dims);
    return at + sizeof what + t->rank * sizeof *t->dims;
}

/* Behind the type at a place of a head; same: it is that of t. */
static const char *get_type(const char *at, const tsr_tensor *t, bool *same)
{
    char own[(TSR_MAX_RANK + 1) * sizeof(uint64_t)];
    uint64_t what;
    memcpy(&what, at, sizeof what);
    size_t bytes = sizeof what * (1 + (size_t)(what >> 16));
    *same = t && (size_t)(put_type(own, t) - own) == bytes && !memcmp(own, at, bytes);
    return at + bytes;
}

static void send_values(tsr_remote *r, const head *h, int rank, tsr_tensor *const *values,
                        const tsr_span *spans, transfer x)
{
    size_t bytes = sizeof *h, payload = 0;
    for (size_t i = 0; i < h->nin; i++) {
        bytes += sizeof(uint64_t) * (1 + (size_t)values[i]->rank);
        payload += span_bytes(&spans[i]);
    }
    head copy = *h;
    copy.tag = payload > LITTLE ? (uint32_t)new_tag(r, rank) : 0;
    for (size_t i = 0; copy.tag && i < h->nin; i++)
        copy.pieces += pieces_of(&spans[i]);
    char *data = tsr_xmalloc(bytes + (copy.tag ? 0 : payload)), *at = data + sizeof copy;
    memcpy(data, &copy, sizeof copy);
    for (size_t i = 0; i < h->nin; i++)
        at = put_type(at, values[i]);
    for (size_t i = 0; !copy.tag && i < h->nin; i++)
        at = pack(at, &spans[i], true);
    x.out = true;
    uint32_t n = 1;
    send_head(r, rank, data, (size_t)(at - data), x);
    for (size_t i = 0; copy.tag && i < h->nin; i++)
        n += begin_span(r, rank, (int)copy.tag, &spans[i], x);
    if (x.at)
        x.at->other.sends += n;
    if (x.message)
        x.message->transfers += n;
}

/* ---- Meetings ---- */

static void check_sent(tsr_mesh *m, meeting *at)
{
    if (at->other.sends || at->other.sent || at->other.came < at->other.here)
        return;
    at->other.sent = true;
    tsr_mesh_leave(m, at);
}

/* The values of a process of another rank are there. */
static void arrived(tsr_mesh *m, meeting *at, size_t place)
{
    at->here[place] = true;
    if (++at->came < at->group.n)
        return;
    at->other.uncalled = true;
    for (size_t i = 0; i < at->group.n; i++) {
        member *w = &m->members[at->group.ids[i]];
        if (tsr_remote_has(m, w->process.id) && w->state == IN_MEETING && w->meeting == at) {
            tsr_mesh_let_run(m, w);
            return;
        }
    }
}

static void got_piece(tsr_mesh *m, meeting *at, size_t place)
{
    if (--at->other.pending[place] == 0)
        arrived(m, at, place);
}

/* What nobody wants is received all the same, for its sender waits for that. */
static void drop(tsr_remote *r, const arrival *a)
{
    head h;
    memcpy(&h, a->data, sizeof h);
    if (h.pieces)
        tsr_vec_push(&r->refused, ((refuse){a->rank, (int)h.tag, h.pieces}));
}

static void accept(tsr_remote *r, meeting *at, const arrival *a)
{
    head h;
    memcpy(&h, a->data, sizeof h);
    const char *p = a->data + sizeof h;
    bool even = h.nin == at->nin, same = even;
    find_ranks(r, &at->group);
    for (size_t i = 0; i < h.nin; i++) {
        bool one;
        p = get_type(p, even ? at->values[at->other.mine * at->nin + i] : NULL, &one);
        same &= one;
    }
    at->uneven |= !even;
    at->other.odd |= even && !same;
    at->mixed |= h.op != at->op->id;
    for (size_t i = 0; same && i < at->nin; i++) {
        const tsr_tensor *t = at->values[h.place * at->nin + i];
        tsr_span s = t ? needed(r, at, h.place, (uint32_t)r->t->rank, t) : (tsr_span){0};
        if (!h.tag)
            p = pack((char *)p, &s, false);
        else
            at->other.pending[h.place] +=
                begin_span(r, a->rank, (int)h.tag, &s, (transfer){.at = at, .place = h.place});
    }
    if (!same)
        drop(r, a);
    got_piece(r->m, at, h.place); /* it was told of */
    tsr_free(a->data);
}

static bool is_for(const meeting *at, const head *h)
{
    return at->other.pending && at->other.key == h->key && at->other.seq == h->seq &&
           h->place < at->group.n && at->other.pending[h->place] && !at->here[h->place];
}

/* The meeting that values are for; NULL: it has not begun here. */
static meeting *meeting_for(const tsr_mesh *m, const head *h)
{
    for (meeting *at = h->to < m->n ? m->members[h->to].meetings : NULL; at; at = at->next)
        if (is_for(at, h))
            return at;
    return NULL;
}

bool tsr_remote_opened(tsr_mesh *m, meeting *at, size_t place)
{
    tsr_remote *r = m->remote;
    elsewhere *o = &at->other;
    for (size_t i = 0; i < at->group.n; i++)
        o->here += tsr_remote_has(m, at->group.ids[i]);
    if (o->here == at->group.n)
        return true;
    o->key = key_of(at);
    o->seq = next_of(r, o->key);
    o->mine = place;
    o->pending = numbers(at->group.n);
    bool ok = true;
    find_ranks(r, &at->group);
    for (size_t k = 0; k < at->group.n; k++) {
        if (tsr_remote_has(m, at->group.ids[k]))
            continue;
        o->pending[k] = 1;
        for (size_t i = 0; i < at->nin; i++) {
            tsr_tensor *mine = at->values[place * at->nin + i], **t = &at->values[k * at->nin + i];
            bool wanted = mine->kind != TSR_TENSOR || !mine->n ||
                          needed(r, at, k, (uint32_t)r->t->rank, mine).count;
            *t = !wanted                    ? NULL
                 : mine->kind == TSR_TENSOR ? tsr_tensor_like(mine, mine->elem)
                                            : tsr_tensor_ref(mine);
            ok &= !wanted || *t;
        }
    }
    for (size_t i = 0; i < r->waiting.n;) {
        head h;
        memcpy(&h, r->waiting.data[i].data, sizeof h);
        if (!ok || h.what != SAYS_VALUES || h.grid != r->grid || !is_for(at, &h)) {
            i++;
            continue;
        }
        arrival a = r->waiting.data[i];
        memmove(&r->waiting.data[i], &r->waiting.data[i + 1],
                (--r->waiting.n - i) * sizeof *r->waiting.data);
        accept(r, at, &a);
    }
    return ok;
}

/* Keeps where the rank is, for those who find it gone. */
static void note_place(tsr_remote *r, const tsr_op *op)
{
    tsr_str file;
    uint32_t line, col;
    if (op == r->last)
        return;
    r->last = op;
    int n = snprintf(r->state->at, sizeof r->state->at, "'%.*s'", TSR_STR_ARG(op->def->name));
    if (n > 0 && (size_t)n < sizeof r->state->at &&
        tsr_loc_position(op->module->ctx, op->loc, &file, &line, &col))
        snprintf(r->state->at + n, sizeof r->state->at - (size_t)n, " at %.*s:%u:%u",
                 TSR_STR_ARG(file), line, col);
}

/* ---- Collectives of the transport ---- */

/* The transport's names for a type and a reduction; false: it has none. */
static bool find_native(tsr_dtype d, int reduces, tsr_native *out)
{
    static const struct {
        tsr_dtype d;
        tsr_native_type type;
    } types[] = {{TSR_D_F32, TSR_NATIVE_F32}, {TSR_D_F64, TSR_NATIVE_F64},
                 {TSR_D_I8, TSR_NATIVE_I8},   {TSR_D_I16, TSR_NATIVE_I16},
                 {TSR_D_I32, TSR_NATIVE_I32}, {TSR_D_I64, TSR_NATIVE_I64},
                 {TSR_D_U8, TSR_NATIVE_U8},   {TSR_D_U16, TSR_NATIVE_U16},
                 {TSR_D_U32, TSR_NATIVE_U32}, {TSR_D_U64, TSR_NATIVE_U64}};
    static const tsr_native_op ops[] = {[TSR_REDUCE_SUM] = TSR_NATIVE_SUM,
                                        [TSR_REDUCE_PRODUCT] = TSR_NATIVE_PRODUCT,
                                        [TSR_REDUCE_MIN] = TSR_NATIVE_MIN,
                                        [TSR_REDUCE_MAX] = TSR_NATIVE_MAX};
    if (reduces < TSR_REDUCE_SUM || reduces > TSR_REDUCE_MAX)
        return false;
    for (size_t i = 0; i < TSR_COUNT(types); i++) {
        if (types[i].d != d)
            continue;
        *out = (tsr_native){.kind = TSR_NATIVE_REDUCE, .type = types[i].type, .op = ops[reduces]};
        return true;
    }
    return false;
}

/* Reduces by the transport: of one device a rank, where all of them meet, ranks come to such meetings in the same order. */
static bool begin_native(tsr_mesh *m, meeting *at, size_t place)
{
    tsr_remote *r = m->remote;
    tsr_native call;
    const tsr_tensor *t = at->values[place * at->nin];
    bool alone = m->n == (uint32_t)r->t->size && at->group.n == m->n && at->nin == 1;
    if (!r->native || !alone || t->n > INT32_MAX || !t->n ||
        !find_native((tsr_dtype)t->dtype, at->need.reduces, &call))
        return false;
    tsr_tensor **made = tsr_xmalloc(2 * sizeof *made);
    made[0] = tsr_tensor_like(t, t->elem);
    if (!made[0]) {
        tsr_free(made);
        return false;
    }
    at->made = made;
    call.in = t->data;
    call.out = made[0]->data;
    call.n = (size_t)t->n;
    transfer x = {.out = true, .at = at, .native = true};
    if (!r->t->native(r->t, &call, &x.request))
        give_up(r);
    at->other.sends++;
    tsr_vec_push(&r->active, x);
    return true;
}

/* All are there at once, and so are the results. */
static void end_native(tsr_mesh *m, meeting *at)
{
    for (size_t i = 0; i < at->group.n; i++)
        at->here[i] = true;
    at->came = at->group.n;
    member *w = &m->members[m->first];
    if (w->state == IN_MEETING && w->meeting == at)
        tsr_mesh_let_run(m, w);
}

/* ---- Coming ---- */

void tsr_remote_came(tsr_mesh *m, meeting *at, size_t place)
{
    tsr_remote *r = m->remote;
    tsr_span few[8], *spans = at->nin <= TSR_COUNT(few) ? few : tsr_xmalloc(at->nin * sizeof *few);
    note_place(r, at->op);
    if (r->kill_at && --r->kill_at == 0)
        raise(SIGKILL);
    if (r->hang_at && --r->hang_at == 0)
        for (;;)
            nanosleep(&(struct timespec){3600, 0}, NULL);
    head h = {.what = SAYS_VALUES,
              .place = (uint32_t)place,
              .nin = (uint32_t)at->nin,
              .op = at->op->id,
              .seq = at->other.seq,
              .to = at->group.ids[0],
              .key = at->other.key,
              .grid = r->grid};
    at->other.came++;
    find_ranks(r, &at->group);
    bool native = begin_native(m, at, place);
    for (int rank = 0; !native && rank < r->t->size; rank++) {
        if (rank == r->t->rank || r->stamp[rank] != r->stamps)
            continue;
        for (size_t i = 0; i < at->nin; i++)
            spans[i] = needed(r, at, place, (uint32_t)rank, at->values[place * at->nin + i]);
        send_values(r, &h, rank, &at->values[place * at->nin], spans, (transfer){.at = at});
    }
    if (spans != few)
        tsr_free(spans);
    pthread_cond_signal(&r->wake);
}

/* ---- Messages ---- */

void tsr_remote_send(tsr_mesh *m, message *s)
{
    tsr_remote *r = m->remote;
    tsr_span *spans = tsr_xmalloc((s->n + 1) * sizeof *spans);
    head h = {.what = SAYS_MESSAGE,
              .nin = (uint32_t)s->n,
              .op = s->op->id,
              .from = s->from,
              .to = (uint32_t)s->to,
              .channel = s->channel,
              .grid = r->grid};
    for (size_t i = 0; i < s->n; i++) {
        const tsr_tensor *t = s->values[i];
        spans[i] = t->kind == TSR_TENSOR && t->n ? (tsr_span){t->data, tsr_tensor_bytes(t), 1, 0}
                                                 : (tsr_span){0};
    }
    send_values(r, &h, (int)r->ranks[s->to], s->values, spans, (transfer){.message = s});
    tsr_free(spans);
    pthread_cond_signal(&r->wake);
}

/* Whether what came is a message that w waits for. */
static bool is_message_for(const tsr_remote *r, const head *h, const member *w)
{
    return h->what == SAYS_MESSAGE && h->grid == r->grid && h->to == w->process.id &&
           h->from == (uint64_t)w->peer && h->channel == w->channel;
}

/* A tensor as a head has it, for a result of this type; NULL: the type is another. */
static tsr_tensor *tensor_for(const char *p, const tsr_type *type)
{
    uint64_t what;
    int64_t dims[TSR_MAX_RANK];
    memcpy(&what, p, sizeof what);
    size_t rank = (size_t)(what >> 16);
    if ((what & 255) != TSR_TENSOR)
        return tsr_type_is_shaped(type) ? NULL : tsr_token_new();
    if (!tsr_type_is_shaped(type) || (what >> 8 & 255) != tsr_dtype_of(type->elem))
        return NULL;
    memcpy(dims, p + sizeof what, rank * sizeof *dims);
    return tsr_tensor_new(type->elem, dims, rank);
}

static void deliver(tsr_mesh *m, message *s)
{
    member *w = &m->members[s->to];
    w->got = s;
    if (w->state == IN_RECV)
        tsr_mesh_let_run(m, w);
}

/* Begins to receive a message for w, which waits for it. */
static void take(tsr_remote *r, member *w, const arrival *a)
{
    head h;
    memcpy(&h, a->data, sizeof h);
    const char *p = a->data + sizeof h;
    bool same = h.nin + 1 == w->op->nout;
    message *s = tsr_xmalloc(sizeof *s + h.nin * sizeof *s->values);
    *s = (message){.channel = h.channel, .from = h.from, .to = h.to, .op = w->op, .n = h.nin};
    s->transfers = 1;
    for (size_t i = 0; i < h.nin; i++) {
        bool unused;
        s->values[i] = same ? tensor_for(p, w->op->out[i].type) : NULL;
        same &= s->values[i] != NULL;
        p = get_type(p, NULL, &unused);
    }
    if (!same) { /* it fails, as a message of another number of values does */
        s->n = 0;
        drop(r, a);
    }
    for (size_t i = 0; same && i < h.nin; i++) {
        const tsr_tensor *t = s->values[i];
        tsr_span span = t->kind == TSR_TENSOR && t->n
                            ? (tsr_span){t->data, tsr_tensor_bytes(t), 1, 0}
                            : (tsr_span){0};
        if (!h.tag)
            p = pack((char *)p, &span, false);
        else if (span.count)
            s->transfers += begin_span(r, a->rank, (int)h.tag, &span, (transfer){.message = s});
    }
    if (--s->transfers == 0)
        deliver(r->m, s);
    tsr_free(a->data);
}

void tsr_remote_receive(tsr_mesh *m, member *w)
{
    tsr_remote *r = m->remote;
    for (size_t i = 0; i < r->waiting.n; i++) {
        head h;
        memcpy(&h, r->waiting.data[i].data, sizeof h);
        if (!is_message_for(r, &h, w))
            continue;
        arrival a = r->waiting.data[i];
        memmove(&r->waiting.data[i], &r->waiting.data[i + 1],
                (--r->waiting.n - i) * sizeof *r->waiting.data);
        take(r, w, &a);
        pthread_cond_signal(&r->wake);
        return;
    }
}

/* ---- Progress ---- */

/* What came is for somebody who waits, or is kept. */
static void look_at(tsr_remote *r, const arrival *a)
{
    head h;
    memcpy(&h, a->data, sizeof h);
    if (h.what == SAYS_FAILED) {
        r->broken = true;
        tsr_free(a->data);
        return;
    }
    tsr_mesh *m = r->m;
    bool now = m && h.grid == r->grid && !r->broken;
    meeting *at = now && h.what == SAYS_VALUES ? meeting_for(m, &h) : NULL;
    member *w = now && h.what == SAYS_MESSAGE && h.to < m->n ? &m->members[h.to] : NULL;
    if (at)
        accept(r, at, a);
    else if (w && w->state == IN_RECV && !w->got && is_message_for(r, &h, w))
        take(r, w, a);
    else
        tsr_vec_push(&r->waiting, *a);
}

/* The next message with this tag, if one is there. */
static bool take_next(tsr_remote *r, int tag, arrival *a)
{
    tsr_request q;
    int done = 0;
    if (!r->t->probe(r->t, tag, &a->rank, &a->bytes))
        return false;
    a->data = tsr_xmalloc(a->bytes + 1);
    tsr_keep(a->data);
    if (!r->t->receive(r->t, a->rank, tag, &(tsr_span){a->data, a->bytes, 1, 0}, &q))
        give_up(r);
    while (!done)
        done = r->t->test(r->t, &q);
    if (done < 0)
        give_up(r);
    return true;
}

static bool read_heads(tsr_remote *r)
{
    bool any = false;
    arrival a;
    while (a.rank = -1, take_next(r, HEAD_TAG, &a)) {
        look_at(r, &a);
        any = true;
    }
    return any;
}

/* Drops what nobody will ask for: after a failure all that came but bytes for all, and pieces of what is dropped. */
static bool drop_refused(tsr_remote *r)
{
    bool any = false;
    for (size_t i = 0; r->broken && i < r->waiting.n;) {
        head h;
        memcpy(&h, r->waiting.data[i].data, sizeof h);
        if (h.what == SAYS_BYTES) {
            i++;
            continue;
        }
        drop(r, &r->waiting.data[i]);
        tsr_free(r->waiting.data[i].data);
        r->waiting.data[i] = r->waiting.data[--r->waiting.n];
    }
    for (size_t i = 0; i < r->refused.n;) {
        refuse *x = &r->refused.data[i];
        arrival a = {.rank = x->rank};
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

static void finish(tsr_remote *r, const transfer *x)
{
    tsr_free(x->own);
    if (x->at && x->out) {
        if (x->native)
            end_native(r->m, x->at);
        x->at->other.sends--;
        check_sent(r->m, x->at);
    } else if (x->at) {
        got_piece(r->m, x->at, x->place);
    } else if (x->message && --x->message->transfers == 0) {
        if (x->out)
            tsr_mesh_free_message(x->message);
        else
            deliver(r->m, x->message);
    }
}

/* Moves on what can move; whether anything did. The lock of the grid is held, when there is one. */
static bool pump(tsr_remote *r)
{
    bool any = read_heads(r);
    any |= drop_refused(r);
    for (size_t i = 0; i < r->active.n;) {
        int done = r->t->test(r->t, &r->active.data[i].request);
        if (done < 0)
            give_up(r);
        if (!done) {
            i++;
            continue;
        }
        transfer x = r->active.data[i];
        r->active.data[i] = r->active.data[--r->active.n];
        finish(r, &x);
        any = true;
    }
    return any;
}

static void nap(long nanoseconds)
{
    nanosleep(&(struct timespec){0, nanoseconds}, NULL);
}

/* Between two looks in vain: others get the core, later the rank sleeps. */
static void rest(uint32_t vain)
{
    enum { YIELDS = 200, SHORT = 20000, LONG = 200000, MANY = 1000 };
    if (vain < YIELDS)
        sched_yield();
    else
        nap(vain < MANY ? SHORT : LONG);
}

/* The thread of communication: while the rank computes and something is on its way. */
static void *drive(void *remote)
{
    enum { PAUSE = 50000 };
    tsr_remote *r = remote;
    tsr_mesh *m = r->m;
    pthread_mutex_lock(&m->lock);
    while (!r->ended) {
        if (r->idle || !r->active.n) {
            pthread_cond_wait(&r->wake, &m->lock);
            continue;
        }
        pump(r);
        pthread_mutex_unlock(&m->lock);
        nap(PAUSE);
        pthread_mutex_lock(&m->lock);
    }
    pthread_mutex_unlock(&m->lock);
    return NULL;
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

static TSR_NORETURN void time_out(tsr_mesh *m)
{
    tsr_remote *r = m->remote;
    tsr_buf text = {0};
    tsr_buf_printf(&text, "nothing has come for %g s (--timeout):", r->timeout);
    tsr_mesh_report(m, &text);
    tsr_buf_char(&text, 0);
    say(r, text.data);
    r->t->abort(r->t, 3);
    abort();
}

static bool has_failed(const tsr_mesh *m)
{
    for (uint32_t i = m->first; i < m->last; i++)
        if (m->members[i].state == FAILED)
            return true;
    return false;
}

static void tell_failed(tsr_remote *r)
{
    head h = {.what = SAYS_FAILED, .grid = r->grid};
    for (int rank = 0; rank < r->t->size; rank++) {
        if (rank == r->t->rank)
            continue;
        char *data = tsr_xmalloc(sizeof h);
        memcpy(data, &h, sizeof h);
        send_head(r, rank, data, sizeof h, (transfer){.at = NULL});
    }
    r->broken = true;
}

void tsr_remote_wait(tsr_mesh *m)
{
    const double told_after = 0.005;
    tsr_remote *r = m->remote;
    double since = 0;
    bool told = false;
    tsr_lock(&m->lock);
    r->idle = true;
    for (uint32_t vain = 0; !m->ready.n && !r->broken; vain++) {
        if (pump(r)) {
            vain = 0;
            since = 0;
            continue;
        }
        if (has_failed(m)) {
            tell_failed(r);
            break;
        }
        double now = tsr_seconds();
        since = since > 0 ? since : now;
        if (!told && now - since > told_after) {
            tell_waits(m);
            told = true;
        }
        if (r->timeout > 0 && now - since > r->timeout)
            time_out(m);
        tsr_unlock(&m->lock);
        rest(vain);
        tsr_poll();
        tsr_lock(&m->lock);
    }
    r->idle = false;
    if (told)
        r->state->waits[0] = 0;
    pthread_cond_signal(&r->wake);
    tsr_unlock(&m->lock);
}

/* ---- Grids ---- */

void tsr_remote_begin(tsr_remote *r, tsr_mesh *m)
{
    m->remote = r;
    tsr_remote_range(r->t, r->t->rank, m->n, &m->first, &m->last);
    m->running = m->live = m->last - m->first;
    tsr_vec_reserve(&m->ready, m->n + 1); /* the thread adds to it, and does not make it grow */
    r->ranks = numbers(m->n);
    for (int rank = 0; rank < r->t->size; rank++) {
        uint32_t first, last;
        tsr_remote_range(r->t, rank, m->n, &first, &last);
        for (uint32_t i = first; i < last; i++)
            r->ranks[i] = (uint32_t)rank;
    }
    r->m = m;
    r->grid++;
    r->counts.n = 0;
    r->last = NULL;
    r->idle = r->ended = false;
    if (pthread_create(&r->thread, NULL, drive, r) != 0)
        r->ended = true; /* the rank drives alone, when it waits */
}

void tsr_remote_end(tsr_mesh *m, bool stopped)
{
    tsr_remote *r = m->remote;
    pthread_mutex_lock(&m->lock);
    bool threaded = !r->ended;
    r->ended = true;
    pthread_cond_signal(&r->wake);
    pthread_mutex_unlock(&m->lock);
    if (threaded)
        pthread_join(r->thread, NULL);
    r->dead |= stopped;
    if (!stopped && has_failed(m) && !r->broken)
        tell_failed(r);
    double since = tsr_seconds();
    for (uint32_t vain = 0; !stopped && (r->active.n || r->refused.n); vain++) {
        if (pump(r)) {
            vain = 0;
            since = tsr_seconds();
        } else {
            rest(vain);
        }
        if (r->timeout > 0 && tsr_seconds() - since > r->timeout)
            time_out(m);
    }
    r->m = NULL;
    tsr_free(r->ranks);
    r->ranks = NULL;
    m->remote = NULL;
}

/* ---- Bytes for all ---- */

static bool take_bytes(tsr_remote *r, tsr_str *all)
{
    for (size_t i = 0; i < r->waiting.n; i++) {
        head h;
        arrival a = r->waiting.data[i];
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
    head h = {.what = SAYS_BYTES, .key = ++r->shared};
    for (int rank = 0; rank < size; rank++) {
        all[rank] = (tsr_str){NULL, 0};
        if (rank == self || (to >= 0 && rank != to))
            continue;
        char *data = tsr_xmalloc(sizeof h + bytes);
        memcpy(data, &h, sizeof h);
        if (bytes)
            memcpy(data + sizeof h, mine, bytes);
        send_head(r, rank, data, sizeof h + bytes, (transfer){.at = NULL});
    }
    char *own = tsr_xmalloc(bytes + 1);
    if (bytes)
        memcpy(own, mine, bytes);
    all[self] = (tsr_str){own, bytes};
    double since = tsr_seconds();
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
            rest(vain);
        }
        if (r->timeout > 0 && tsr_seconds() - since > r->timeout) {
            char text[80];
            snprintf(text, sizeof text, "%d ranks have said nothing for %g s (--timeout)", missing,
                     r->timeout);
            say(r, text);
            r->t->abort(r->t, 3);
        }
    }
    return true;
}
