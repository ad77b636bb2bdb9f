/* SPDX-License-Identifier: Apache-2.0 */
/* remote_meet.c - meetings of processes on several ranks. See remote.h.
 *
 * The values of a process are sent to the ranks of the others as soon as it arrives. They are received where the
 * meeting keeps them, or where the result is (remote_join.c). */
#include "eval/remote_inner.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/output.h"

/* ---- Numbers that all ranks compute ---- */

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
    tsr_vec_push(&r->counts, ((meeting_count){key, 1}));
    return 0;
}

/* ---- Ranks of a group ---- */

void tsr_remote_find_ranks(tsr_remote *r, const tsr_group *g)
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

/* The part of the value of the process at place that a rank needs: blocks; count 0: nothing. find_ranks was called. */
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

char *tsr_remote_pack(char *bytes, const tsr_span *s, bool out)
{
    for (size_t i = 0; i < s->count; i++, bytes += s->bytes) {
        char *block = (char *)s->data + i * s->stride;
        memcpy(out ? bytes : block, out ? block : bytes, s->bytes);
    }
    return bytes;
}

/* ---- Headers ---- */

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

const char *tsr_remote_get_type(const char *at, const tsr_tensor *t, bool *same)
{
    char own[(TSR_MAX_RANK + 1) * sizeof(uint64_t)];
    uint64_t what;
    memcpy(&what, at, sizeof what);
    size_t bytes = sizeof what * (1 + (size_t)(what >> 16));
    *same = t && (size_t)(put_type(own, t) - own) == bytes && !memcmp(own, at, bytes);
    return at + bytes;
}

/* A message with everything in it. */
static char *pack_values(const rank_head *h, tsr_tensor *const *values, const tsr_span *spans,
                         bool payload, size_t *bytes)
{
    *bytes = sizeof *h;
    for (size_t i = 0; i < h->nin; i++)
        *bytes += sizeof(uint64_t) * (1 + (size_t)values[i]->rank) +
                  (payload ? span_bytes(&spans[i]) : 0);
    char *data = tsr_xmalloc(*bytes), *at = data + sizeof *h;
    memcpy(data, h, sizeof *h);
    for (size_t i = 0; i < h->nin; i++)
        at = put_type(at, values[i]);
    for (size_t i = 0; payload && i < h->nin; i++)
        at = tsr_remote_pack(at, &spans[i], true);
    *bytes = (size_t)(at - data);
    return data;
}

void tsr_remote_send_values(tsr_remote *r, const rank_head *h, int rank, tsr_tensor *const *values,
                            const tsr_span *spans, rank_transfer x)
{
    size_t bytes, payload = 0;
    for (size_t i = 0; i < h->nin; i++)
        payload += span_bytes(&spans[i]);
    rank_head copy = *h;
    copy.tag = payload > RANK_LITTLE ? (uint32_t)tsr_remote_new_tag(r, rank) : 0;
    for (size_t i = 0; copy.tag && i < h->nin; i++)
        copy.pieces += tsr_remote_pieces(&spans[i], &x);
    char *data = pack_values(&copy, values, spans, !copy.tag, &bytes);
    x.out = true;
    uint32_t n = 1;
    tsr_remote_send_head(r, rank, data, bytes, x);
    for (size_t i = 0; copy.tag && i < h->nin; i++)
        n += tsr_remote_begin_span(r, rank, (int)copy.tag, &spans[i], x);
    if (x.at)
        x.at->other.sends += n;
    if (x.message)
        x.message->transfers += n;
}

/* ---- Meetings ---- */

void tsr_remote_check_sent(tsr_mesh *m, meeting *at)
{
    if (at->other.sends || at->other.sent || at->other.came < at->other.here ||
        tsr_join_is_under_way(at))
        return;
    at->other.sent = true;
    tsr_mesh_leave(m, at);
}

void tsr_remote_call_first(tsr_mesh *m, meeting *at)
{
    if (!tsr_remote_is_met(m, at))
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

bool tsr_remote_is_met(tsr_mesh *m, meeting *at)
{
    elsewhere *o = &at->other;
    if (at->came < at->group.n || (o->join && !tsr_join_is_met(at)))
        return false;
    if (!o->closed) {
        m->remote->open--;
        o->closed = true;
        tsr_remote_check_sent(m, at); /* nothing more has to be sent */
    }
    return true;
}

void tsr_remote_got_piece(tsr_mesh *m, meeting *at, size_t place)
{
    if (--at->other.pending[place] > 0)
        return;
    at->here[place] = true;
    at->came++;
    tsr_remote_call_first(m, at);
}

/* Begins to receive what follows a header, or finds it included. */
static void receive_values(tsr_remote *r, meeting *at, const rank_arrival *a, const rank_head *h,
                           const char *p)
{
    for (size_t i = 0; i < at->nin; i++) {
        const tsr_tensor *t = at->values[h->place * at->nin + i];
        tsr_span s = at->other.join ? tsr_join_place(at, h->place, i)
                     : t            ? needed(r, at, h->place, (uint32_t)r->t->rank, t)
                                    : (tsr_span){0};
        rank_transfer x = {.at = at, .place = h->place};
        if (at->other.join)
            x.piece = tsr_join_piece(at, i);
        if (h->tag) {
            at->other.pending[h->place] += tsr_remote_begin_span(r, a->rank, (int)h->tag, &s, x);
            continue;
        }
        p = tsr_remote_pack((char *)p, &s, false);
        if (at->other.join && s.count)
            tsr_join_got(r, at, &x);
    }
}

void tsr_remote_accept(tsr_remote *r, meeting *at, const rank_arrival *a)
{
    rank_head h;
    memcpy(&h, a->data, sizeof h);
    const char *p = a->data + sizeof h;
    bool even = h.nin == at->nin, same = even;
    tsr_remote_find_ranks(r, &at->group);
    for (size_t i = 0; i < h.nin; i++) {
        bool one;
        p = tsr_remote_get_type(p, even ? at->values[at->other.mine * at->nin + i] : NULL, &one);
        same &= one;
    }
    bool alike = h.reduces == tsr_join_reduces(at);
    at->uneven |= !even;
    at->other.odd |= even && !same;
    at->other.otherwise |= same && !alike;
    at->mixed |= h.op != at->op->id;
    if (same && alike)
        receive_values(r, at, a, &h, p);
    else
        tsr_remote_drop(r, a);
    tsr_free(a->data);
    if (at->other.join)
        tsr_join_told(r, at);
    tsr_remote_got_piece(r->m, at, h.place); /* it was announced */
    tsr_remote_check_sent(r->m, at);         /* an impossible join has nothing more to send */
}

static bool is_for(const meeting *at, const rank_head *h)
{
    const elsewhere *o = &at->other;
    if (!o->pending || o->key != h->key || o->seq != h->seq)
        return false;
    if (h->what == SAYS_RELAY)
        return o->relay != NULL;
    return h->what == SAYS_SHARE
               ? tsr_join_reduces(at) != 0
               : h->place < at->group.n && o->pending[h->place] && !at->here[h->place];
}

meeting *tsr_remote_meeting_for(const tsr_mesh *m, const rank_head *h)
{
    for (meeting *at = h->to < m->n ? m->members[h->to].meetings : NULL; at; at = at->next)
        if (is_for(at, h))
            return at;
    return NULL;
}

/* Memory for values from processes of other ranks. */
static bool make_room(tsr_remote *r, meeting *at, size_t place)
{
    bool ok = true;
    for (size_t k = 0; k < at->group.n; k++) {
        if (tsr_remote_has(r->m, at->group.ids[k]))
            continue;
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
    return ok;
}

/* A meeting that could not be opened never existed: an op that only began will join it again. */
static void forget(tsr_remote *r, const meeting *at)
{
    r->open--;
    for (size_t i = 0; i < r->counts.n; i++)
        r->counts.data[i].n -= r->counts.data[i].key == at->other.key;
}

bool tsr_remote_opened(const tsr_call *c, meeting *at, size_t place, bool lends)
{
    tsr_mesh *m = member_of(c->e)->process.mesh;
    tsr_remote *r = m->remote;
    elsewhere *o = &at->other;
    for (size_t i = 0; i < at->group.n; i++)
        o->here += tsr_remote_has(m, at->group.ids[i]);
    if (o->here == at->group.n)
        return true;
    o->key = key_of(at);
    o->seq = next_of(r, o->key);
    o->mine = place;
    o->pending = tsr_remote_numbers(at->group.n);
    r->open++;
    tsr_remote_find_ranks(r, &at->group);
    for (size_t k = 0; k < at->group.n; k++)
        o->pending[k] = !tsr_remote_has(m, at->group.ids[k]);
    bool ok = tsr_join_open(m, at, c, lends) && (o->join || make_room(r, at, place));
    if (ok)
        tsr_relay_open(r, at);
    for (size_t i = 0; i < r->waiting.n;) {
        rank_head h;
        memcpy(&h, r->waiting.data[i].data, sizeof h);
        bool meets = h.what == SAYS_VALUES || h.what == SAYS_RELAY;
        if (!ok || !meets || h.list != r->list || h.grid != r->grid || !is_for(at, &h)) {
            i++;
            continue;
        }
        rank_arrival a = r->waiting.data[i];
        memmove(&r->waiting.data[i], &r->waiting.data[i + 1],
                (--r->waiting.n - i) * sizeof *r->waiting.data);
        if (h.what == SAYS_RELAY)
            tsr_relay_accept(r, at, &a);
        else
            tsr_remote_accept(r, at, &a);
    }
    if (!ok)
        forget(r, at);
    return ok;
}

/* Records where the rank is, for others to read if it is gone. */
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

/* ---- Arriving ---- */

/* Whether a process brings the same kinds of values as the first one here. */
static bool is_like_first(const meeting *at, size_t place)
{
    bool same = true;
    for (size_t i = 0; same && i < at->nin; i++) {
        char type[(TSR_MAX_RANK + 1) * sizeof(uint64_t)];
        put_type(type, at->values[at->other.mine * at->nin + i]);
        tsr_remote_get_type(type, at->values[place * at->nin + i], &same);
    }
    return same;
}

/* Gives what a process brings to be passed on; spans: room for its values. */
static void relay_values(tsr_remote *r, meeting *at, const rank_head *h, size_t place,
                         tsr_span *spans)
{
    tsr_tensor *const *values = &at->values[place * at->nin];
    size_t bytes;
    for (size_t i = 0; i < h->nin; i++) {
        const tsr_tensor *t = values[i];
        bool has = t->kind == TSR_TENSOR && t->n;
        spans[i] = has ? (tsr_span){t->data, tsr_tensor_bytes(t), 1, 0} : (tsr_span){0};
    }
    char *packet = pack_values(h, values, spans, true, &bytes);
    tsr_relay_came(r, at, packet, bytes);
    tsr_free(packet);
    tsr_remote_check_sent(r->m, at); /* it was copied */
}

void tsr_remote_came(tsr_mesh *m, meeting *at, size_t place, bool whole, bool lends)
{
    tsr_remote *r = m->remote;
    tsr_span few[8], *spans = at->nin <= TSR_COUNT(few) ? few : tsr_xmalloc(at->nin * sizeof *few);
    note_place(r, at->op);
    if (r->kill_at && --r->kill_at == 0) {
        const char *note = getenv("TESSERA_TEST_KILLED"); /* a file that records the time */
        if (note)
            tsr_output_save(note, (tsr_str){0}, NULL);
        raise(SIGKILL);
    }
    if (r->hang_at && --r->hang_at == 0)
        for (;;)
            nanosleep(&(struct timespec){3600, 0}, NULL);
    rank_head h = {.what = SAYS_VALUES,
                   .place = (uint32_t)place,
                   .nin = whole ? (uint32_t)at->nin
                                : 0, /* another number of values, which other ranks detect */
                   .op = at->op->id,
                   .seq = at->other.seq,
                   .to = at->group.ids[0],
                   .reduces = tsr_join_reduces(at),
                   .key = at->other.key,
                   .grid = r->grid};
    at->other.came++;
    at->other.odd |= whole && !is_like_first(at, place);
    tsr_remote_find_ranks(r, &at->group);
    bool native = tsr_native_begin(r, at, place), relays = at->other.relay != NULL;
    if (relays)
        relay_values(r, at, &h, place, spans);
    for (int rank = 0; !native && !relays && rank < r->t->size; rank++) {
        if (rank == r->t->rank || r->stamp[rank] != r->stamps)
            continue;
        for (size_t i = 0; i < h.nin; i++) {
            const tsr_tensor *t = at->values[place * at->nin + i];
            spans[i] =
                h.reduces ? tsr_join_share(at, rank, t) : needed(r, at, place, (uint32_t)rank, t);
        }
        tsr_remote_send_values(r, &h, rank, &at->values[place * at->nin], spans,
                               (rank_transfer){.at = at});
    }
    if (spans != few)
        tsr_free(spans);
    if (at->other.join && !native && whole)
        tsr_join_came(r, at, place);
    if (!lends || m->nlocal > 1)
        tsr_remote_drive(r); /* others continue computing, or this one does */
}
