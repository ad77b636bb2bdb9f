/* SPDX-License-Identifier: Apache-2.0 */
/* remote_join.c - results of meetings that are combined from values as they arrive, not after all have arrived.
 *
 * Reductions are divided into shares: each rank of the group gets its share of what each process brings, reduces it
 * piece by piece in the order of eval/math/members.h, and sends the result to the other ranks; with r ranks of k processes each,
 * a rank receives (k + 1) (r - 1) / r times the operand. Results that are concatenated parts are received in place. */
#include "eval/remote_inner.h"

#include "eval/groups.h"
#include "eval/math/members.h"

/* An operand. */
typedef struct {
    tsr_fold fold;
    size_t begin, bytes; /* of this rank's share */
    size_t out;          /* its offset in the result */
    size_t at;           /* its offset in a process's part of memory */
    uint32_t piece;      /* number of its first piece */
} join_operand;

struct tsr_join {
    tsr_join_kind kind;
    bool going;           /* all have arrived, and their values fit */
    bool own;             /* concatenation: the local process's part is stored */
    bool done;            /* the result is complete */
    size_t told;          /* processes of other ranks that have arrived */
    tsr_tensor **made;    /* by operand */
    char *memory;         /* shares of values from processes of other ranks */
    size_t each;          /* bytes of each such process in it */
    size_t *nth;          /* by place: index among those processes */
    uint32_t nrank, mine; /* ranks of the group, and the index of this one */
    int *ranks;
    int *tags;         /* for the results, by rank */
    uint32_t npiece;   /* of this rank's share */
    uint32_t *missing; /* by piece: how many processes have not sent it */
    uint32_t next;     /* next piece to be reduced */
    size_t results;    /* pieces pending from other ranks, + 1 per rank unannounced */
    join_operand operands[];
};

/* ---- The object ---- */

/* Whether the product of dimensions before axis is 1: parts along it are contiguous. */
static bool is_outermost(const tsr_tensor *t, int64_t axis)
{
    if (axis < 0 || axis >= t->rank)
        return false;
    for (int64_t d = 0; d < axis; d++)
        if (t->dims[d] != 1)
            return false;
    return true;
}

/* Whether the join supports these values. All ranks must agree on reductions in shares, and compute the same answer. */
static bool can_join(const tsr_remote *r, const meeting *at)
{
    enum { SHARED = 1 << 17 }; /* for fewer bytes, a second exchange costs more */
    const elsewhere *o = &at->other;
    tsr_tensor *const *in = &at->values[o->mine * at->nin];
    tsr_fold fold;
    size_t bytes = 0;
    for (size_t i = 0; i < at->nin; i++) {
        if (in[i]->kind != TSR_TENSOR || !in[i]->n)
            return false;
        bytes += tsr_tensor_bytes(in[i]);
        if ((at->need.joins == TSR_JOIN_REDUCE || at->need.joins == TSR_JOIN_SCATTER) &&
            !tsr_fold_find(&fold, (tsr_reduce_kind)at->need.reduces, in[i]->elem))
            return false;
    }
    if (at->need.joins == TSR_JOIN_REDUCE)
        return at->nin && (r->native || bytes >= SHARED);
    bool parts = at->need.joins != TSR_JOIN_GATHER;
    return at->need.joins && at->nin == 1 && o->here == 1 && is_outermost(in[0], at->need.axis) &&
           (!parts || in[0]->dims[at->need.axis] % (int64_t)at->group.n == 0);
}

static tsr_tensor *new_result(const tsr_join *j, const meeting *at, size_t i, const tsr_call *c,
                              bool lends)
{
    tsr_tensor *mine = at->values[at->other.mine * at->nin + i];
    tsr_tensor *place = lends && c->into && c->out == c->into_outs ? c->into[i] : NULL;
    int64_t dims[TSR_MAX_RANK];
    memcpy(dims, mine->dims, mine->rank * sizeof *dims);
    if (j->kind == TSR_JOIN_SCATTER)
        dims[at->need.axis] /= (int64_t)at->group.n;
    if (j->kind == TSR_JOIN_GATHER)
        dims[at->need.axis] *= (int64_t)at->group.n;
    bool fits = place && place->elem == mine->elem && place->rank == mine->rank &&
                !memcmp(place->dims, dims, mine->rank * sizeof *dims);
    return fits ? tsr_tensor_over(mine->elem, dims, mine->rank, place->data)
                : tsr_tensor_new(mine->elem, dims, mine->rank);
}

static void list_ranks(const tsr_remote *r, tsr_join *j)
{
    j->ranks = tsr_xmalloc(2 * (size_t)r->t->size * sizeof *j->ranks);
    j->tags = j->ranks + r->t->size;
    tsr_keep(j->ranks);
    for (int rank = 0; rank < r->t->size; rank++) {
        if (r->stamp[rank] != r->stamps)
            continue;
        if (rank == r->t->rank)
            j->mine = j->nrank;
        j->ranks[j->nrank++] = rank;
    }
}

/* The share of a value, in bytes, for the nth rank of the group. */
static tsr_span share_of(const tsr_join *j, uint32_t nth, const tsr_tensor *t)
{
    size_t size = tsr_elem_size(t);
    int64_t from = tsr_share_begin(t->n, nth, j->nrank);
    int64_t to = tsr_share_begin(t->n, nth + 1, j->nrank);
    return (tsr_span){(char *)t->data + (size_t)from * size, (size_t)(to - from) * size, to > from,
                      0};
}

/* The part of operand i that this rank reduces. */
static void find_share(tsr_join *j, const meeting *at, size_t i)
{
    const tsr_tensor *t = at->values[at->other.mine * at->nin + i];
    join_operand *o = &j->operands[i];
    tsr_fold_find(&o->fold, (tsr_reduce_kind)at->need.reduces, t->elem);
    if (j->kind == TSR_JOIN_SCATTER) {
        o->bytes = tsr_tensor_bytes(t) / at->group.n;
        o->begin = o->bytes * at->other.mine;
    } else {
        tsr_span s = share_of(j, j->mine, t);
        o->bytes = s.bytes;
        o->begin = o->out = (size_t)((char *)s.data - (char *)t->data);
    }
    o->at = j->each;
    o->piece = j->npiece;
    j->each += (o->bytes + 63) & ~(size_t)63;
    j->npiece += (uint32_t)((o->bytes + RANK_PIECE - 1) / RANK_PIECE);
}

static bool reduces(const tsr_join *j)
{
    return j->kind == TSR_JOIN_REDUCE || j->kind == TSR_JOIN_SCATTER;
}

bool tsr_join_open(tsr_mesh *m, meeting *at, const tsr_call *c, bool lends)
{
    tsr_remote *r = m->remote;
    if (!can_join(r, at))
        return true;
    tsr_join *j = tsr_xmalloc(sizeof *j + at->nin * sizeof *j->operands);
    memset(j, 0, sizeof *j + at->nin * sizeof *j->operands);
    j->kind = at->need.joins;
    at->other.join = j;
    list_ranks(r, j);
    j->made = tsr_xmalloc((at->nin + 1) * sizeof *j->made);
    memset(j->made, 0, (at->nin + 1) * sizeof *j->made);
    bool ok = true;
    for (size_t i = 0; i < at->nin; i++)
        ok &= (j->made[i] = new_result(j, at, i, c, lends)) != NULL;
    if (!ok || !reduces(j))
        return ok;
    size_t others = 0;
    j->nth = tsr_xmalloc((at->group.n + 1) * sizeof *j->nth);
    for (size_t k = 0; k < at->group.n; k++)
        j->nth[k] = tsr_remote_has(m, at->group.ids[k]) ? 0 : others++;
    for (size_t i = 0; i < at->nin; i++)
        find_share(j, at, i);
    j->missing = tsr_xmalloc((j->npiece + 1) * sizeof *j->missing);
    for (uint32_t k = 0; k < j->npiece; k++)
        j->missing[k] = (uint32_t)others;
    j->results = j->kind == TSR_JOIN_REDUCE ? j->nrank - 1 : 0;
    j->memory = tsr_malloc_aligned(j->each * others + 64);
    return j->memory != NULL;
}

void tsr_join_free(tsr_join *j, size_t nin)
{
    if (!j)
        return;
    for (size_t i = 0; j->made && i < nin; i++)
        tsr_tensor_unref(j->made[i]);
    tsr_free(j->made);
    tsr_free(j->memory);
    tsr_free(j->nth);
    tsr_free(j->ranks);
    tsr_free(j->missing);
    tsr_free(j);
}

/* ---- Positions ---- */

static char *brought(const tsr_join *j, size_t place, size_t i)
{
    return j->memory + j->each * j->nth[place] + j->operands[i].at;
}

tsr_span tsr_join_place(const meeting *at, size_t place, size_t i)
{
    const tsr_join *j = at->other.join;
    if (reduces(j))
        return (tsr_span){brought(j, place, i), j->operands[i].bytes, j->operands[i].bytes > 0, 0};
    size_t bytes = tsr_tensor_bytes(j->made[i]) / at->group.n;
    return (tsr_span){(char *)j->made[i]->data + place * bytes, bytes, 1, 0};
}

uint32_t tsr_join_reduces(const meeting *at)
{
    const tsr_join *j = at->other.join;
    return j && j->kind == TSR_JOIN_REDUCE ? (uint32_t)at->need.reduces + 1 : 0;
}

uint32_t tsr_join_piece(const meeting *at, size_t i)
{
    return at->other.join->operands[i].piece;
}

tsr_span tsr_join_share(const meeting *at, int rank, const tsr_tensor *t)
{
    const tsr_join *j = at->other.join;
    uint32_t nth = 0;
    while (nth + 1 < j->nrank && j->ranks[nth] != rank)
        nth++;
    return share_of(j, nth, t);
}

/* ---- Reducing ---- */

/* The operand that has a piece, and where the piece begins in it. */
static size_t operand_of(const meeting *at, uint32_t piece, size_t *from)
{
    const tsr_join *j = at->other.join;
    size_t i = at->nin - 1;
    while (j->operands[i].piece > piece)
        i--;
    *from = (size_t)(piece - j->operands[i].piece) * RANK_PIECE;
    tsr_assert(*from < j->operands[i].bytes || !j->operands[i].bytes,
               "a piece is one of its operand");
    return i;
}

/* A piece of what the group's members bring as operand i. */
typedef struct {
    tsr_mesh *m;
    const meeting *at;
    size_t i, from;
} piece_members;

static const void *piece_at(const void *user, size_t place)
{
    const piece_members *x = user;
    const tsr_join *j = x->at->other.join;
    const char *all =
        tsr_remote_has(x->m, x->at->group.ids[place])
            ? (char *)x->at->values[place * x->at->nin + x->i]->data + j->operands[x->i].begin
            : brought(j, place, x->i);
    return all + x->from;
}

static void fold_piece(tsr_mesh *m, meeting *at, uint32_t piece)
{
    const tsr_join *j = at->other.join;
    piece_members x = {.m = m, .at = at};
    x.i = operand_of(at, piece, &x.from);
    const join_operand *o = &j->operands[x.i];
    size_t bytes = o->bytes - x.from < RANK_PIECE ? o->bytes - x.from : RANK_PIECE;
    tsr_fold_members(&o->fold, (char *)j->made[x.i]->data + o->out + x.from,
                     (int64_t)(bytes / o->fold.size), at->group.n, piece_at, &x);
}

/* Sends the result of a piece to the other ranks. */
static void send_piece(tsr_remote *r, meeting *at, uint32_t piece)
{
    const tsr_join *j = at->other.join;
    size_t from, i = operand_of(at, piece, &from);
    const join_operand *o = &j->operands[i];
    size_t bytes = o->bytes - from < RANK_PIECE ? o->bytes - from : RANK_PIECE;
    tsr_span s = {(char *)j->made[i]->data + o->out + from, bytes, 1, 0};
    for (uint32_t k = 0; k < j->nrank; k++) {
        if (k == j->mine)
            continue;
        tsr_remote_begin_one(r, j->ranks[k], j->tags[k], &s,
                             (rank_transfer){.out = true, .at = at});
        at->other.sends++;
    }
}

static void check_done(tsr_remote *r, meeting *at)
{
    tsr_join *j = at->other.join;
    if (j->done || !j->going || j->next < j->npiece || j->results)
        return;
    j->done = true;
    at->made = j->made;
    j->made = NULL;
    tsr_remote_call_first(r->m, at);
    tsr_remote_check_sent(r->m, at);
}

static void fold_ready(tsr_remote *r, meeting *at)
{
    tsr_join *j = at->other.join;
    while (j->going && j->next < j->npiece && !j->missing[j->next]) {
        fold_piece(r->m, at, j->next);
        if (j->kind == TSR_JOIN_REDUCE)
            send_piece(r, at, j->next);
        j->next++;
    }
    check_done(r, at);
}

/* Tells the other ranks that results will follow. */
static void announce(tsr_remote *r, meeting *at)
{
    tsr_join *j = at->other.join;
    rank_head h = {.what = SAYS_SHARE,
                   .place = j->mine,
                   .nin = 0,
                   .seq = at->other.seq,
                   .pieces = j->npiece,
                   .to = at->group.ids[0],
                   .key = at->other.key,
                   .grid = r->grid};
    for (uint32_t k = 0; k < j->nrank; k++) {
        if (k == j->mine)
            continue;
        char *data = tsr_xmalloc(sizeof h);
        j->tags[k] = tsr_remote_new_tag(r, j->ranks[k]);
        h.tag = (uint32_t)j->tags[k];
        memcpy(data, &h, sizeof h);
        tsr_remote_send_head(r, j->ranks[k], data, sizeof h, (rank_transfer){.at = at});
        at->other.sends++;
    }
}

/* Starts when all have arrived, here and elsewhere. */
static void check_going(tsr_remote *r, meeting *at)
{
    tsr_join *j = at->other.join;
    const elsewhere *o = &at->other;
    if (j->going || !reduces(j) || o->came < o->here || j->told < at->group.n - o->here ||
        tsr_meeting_complaint(at))
        return;
    j->going = true;
    if (j->kind == TSR_JOIN_REDUCE)
        announce(r, at);
    fold_ready(r, at);
}

void tsr_join_came(tsr_remote *r, meeting *at, size_t place)
{
    tsr_join *j = at->other.join;
    const tsr_tensor *t = at->values[place * at->nin];
    size_t bytes = tsr_tensor_bytes(j->made[0]) / at->group.n;
    j->own = true;
    if (j->kind == TSR_JOIN_GATHER)
        memcpy((char *)j->made[0]->data + place * bytes, t->data, bytes);
    else if (j->kind == TSR_JOIN_EXCHANGE)
        memcpy((char *)j->made[0]->data + place * bytes, (char *)t->data + place * bytes, bytes);
    else
        check_going(r, at);
}

void tsr_join_told(tsr_remote *r, meeting *at)
{
    at->other.join->told++;
    check_going(r, at);
}

void tsr_join_got(tsr_remote *r, meeting *at, const rank_transfer *x)
{
    tsr_join *j = at->other.join;
    if (x->result) {
        j->results--;
        check_done(r, at);
    } else if (reduces(j)) {
        j->missing[x->piece]--;
        fold_ready(r, at);
    }
}

void tsr_join_accept(tsr_remote *r, meeting *at, const rank_arrival *a)
{
    tsr_join *j = at->other.join;
    rank_head h;
    memcpy(&h, a->data, sizeof h);
    for (size_t i = 0; i < at->nin; i++) {
        tsr_span s = share_of(j, h.place, j->made[i]);
        j->results += tsr_remote_begin_span(r, a->rank, (int)h.tag, &s,
                                            (rank_transfer){.at = at, .result = true});
    }
    j->results--;
    tsr_free(a->data);
    check_done(r, at);
}

tsr_join_kind tsr_join_kind_of(const meeting *at)
{
    return at->other.join->kind;
}

void *tsr_join_result(const meeting *at, size_t i)
{
    return at->other.join->made[i]->data;
}

void tsr_join_end(tsr_remote *r, meeting *at)
{
    tsr_join *j = at->other.join;
    for (size_t i = 0; i < at->group.n; i++)
        at->here[i] = true;
    at->came = at->group.n;
    j->done = true;
    at->made = j->made;
    j->made = NULL;
    tsr_remote_call_first(r->m, at);
}

bool tsr_join_is_met(meeting *at)
{
    tsr_join *j = at->other.join;
    if (j->done || tsr_meeting_complaint(at))
        return true;
    if (reduces(j) || !j->own)
        return false;
    j->done = true; /* everything is in place */
    at->made = j->made;
    j->made = NULL;
    return true;
}

bool tsr_join_is_under_way(const meeting *at)
{
    const tsr_join *j = at->other.join;
    return j && !j->done && !tsr_meeting_complaint(at);
}
