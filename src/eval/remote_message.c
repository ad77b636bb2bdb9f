/* SPDX-License-Identifier: Apache-2.0 */
/* remote_message.c - messages from a process to one on another rank. See remote.h. */
#include "eval/remote_inner.h"

/* ---- Messages ---- */

void tsr_remote_send(tsr_mesh *m, message *s)
{
    tsr_remote *r = m->remote;
    tsr_span *spans = tsr_xmalloc((s->n + 1) * sizeof *spans);
    rank_head h = {.what = SAYS_MESSAGE,
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
    tsr_remote_send_values(r, &h, (int)r->ranks[s->to], s->values, spans,
                           (rank_transfer){.message = s});
    tsr_free(spans);
    tsr_remote_drive(r);
}

/* Whether an arrival is a message that w waits for. */
bool tsr_remote_is_message(const tsr_remote *r, const rank_head *h, const member *w)
{
    return h->what == SAYS_MESSAGE && h->grid == r->grid && h->to == w->process.id &&
           h->from == (uint64_t)w->peer && h->channel == w->channel;
}

/* A tensor as described in a header, for a result of this type; NULL: the type differs. */
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

void tsr_remote_deliver(tsr_mesh *m, message *s)
{
    member *w = &m->members[s->to];
    w->got = s;
    if (w->state == IN_RECV)
        tsr_mesh_let_run(m, w);
}

/* Begins to receive a message for w, which waits for it. */
void tsr_remote_take(tsr_remote *r, member *w, const rank_arrival *a)
{
    rank_head h;
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
        p = tsr_remote_get_type(p, NULL, &unused);
    }
    if (!same) { /* it fails, like a message with another number of values */
        s->n = 0;
        tsr_remote_drop(r, a);
    }
    for (size_t i = 0; same && i < h.nin; i++) {
        const tsr_tensor *t = s->values[i];
        tsr_span span = t->kind == TSR_TENSOR && t->n
                            ? (tsr_span){t->data, tsr_tensor_bytes(t), 1, 0}
                            : (tsr_span){0};
        if (!h.tag)
            p = tsr_remote_pack((char *)p, &span, false);
        else if (span.count)
            s->transfers +=
                tsr_remote_begin_span(r, a->rank, (int)h.tag, &span, (rank_transfer){.message = s});
    }
    if (--s->transfers == 0)
        tsr_remote_deliver(r->m, s);
    tsr_free(a->data);
}

void tsr_remote_receive(tsr_mesh *m, member *w)
{
    tsr_remote *r = m->remote;
    for (size_t i = 0; i < r->waiting.n; i++) {
        rank_head h;
        memcpy(&h, r->waiting.data[i].data, sizeof h);
        if (!tsr_remote_is_message(r, &h, w))
            continue;
        rank_arrival a = r->waiting.data[i];
        memmove(&r->waiting.data[i], &r->waiting.data[i + 1],
                (--r->waiting.n - i) * sizeof *r->waiting.data);
        tsr_remote_take(r, w, &a);
        tsr_remote_drive(r);
        return;
    }
}
