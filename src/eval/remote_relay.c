/* SPDX-License-Identifier: Apache-2.0 */
/* remote_relay.c - meetings of many ranks with few bytes: what a rank brings is passed on by others.
 *
 * In round k each rank of the group sends what it has of the last 2^k ranks before it, itself included, to the rank
 * 2^k after it. After log2(n) messages of each rank all have everything; sent directly, it would be n - 1. */
#include "eval/remote_inner.h"

enum { RELAY_LEAST = 8, RELAY_ROUNDS = 32 };

/* What a rank brings: a packet for each of its processes, each a length and a message. */
typedef struct {
    char *data;
    size_t bytes;
    bool whole;
} relay_block;

struct tsr_relay {
    int *ranks;
    relay_block *blocks; /* by place among the ranks */
    uint32_t n, mine;
    uint32_t nround, round; /* how many there are; the next one to be sent */
    bool got[RELAY_ROUNDS];
};

/* Whether everything goes with headers. All ranks that bring the same kinds of values compute the same answer. */
static bool is_little(const meeting *at)
{
    size_t bytes = 0;
    for (size_t i = 0; i < at->nin; i++) {
        const tsr_tensor *t = at->values[at->other.mine * at->nin + i];
        bytes += t->kind == TSR_TENSOR ? tsr_tensor_bytes(t) : 0;
    }
    return bytes <= RANK_LITTLE;
}

void tsr_relay_open(tsr_remote *r, meeting *at)
{
    uint32_t n = 0, mine = 0;
    if (at->need.kind != TSR_WANTS_ALL || at->other.join || r->native || !is_little(at))
        return;
    for (int rank = 0; rank < r->t->size; rank++)
        n += r->stamp[rank] == r->stamps;
    if (n < RELAY_LEAST)
        return;
    tsr_relay *y = tsr_xmalloc(sizeof *y + n * (sizeof *y->blocks + sizeof *y->ranks));
    memset(y, 0, sizeof *y + n * (sizeof *y->blocks + sizeof *y->ranks));
    y->blocks = (relay_block *)(y + 1);
    y->ranks = (int *)(y->blocks + n);
    for (int rank = 0; rank < r->t->size; rank++) {
        if (r->stamp[rank] != r->stamps)
            continue;
        if (rank == r->t->rank)
            mine = y->n;
        y->ranks[y->n++] = rank;
    }
    y->mine = mine;
    while (1u << y->nround < n)
        y->nround++;
    at->other.relay = y;
}

void tsr_relay_free(tsr_relay *y)
{
    for (uint32_t i = 0; y && i < y->n; i++)
        tsr_free(y->blocks[i].data);
    tsr_free(y);
}

/* How many blocks are sent in a round. */
static uint32_t blocks_of(const tsr_relay *y, uint32_t round)
{
    uint32_t all = 1u << round, left = y->n - all;
    return all < left ? all : left;
}

static uint32_t place_before(const tsr_relay *y, uint32_t place, uint32_t n)
{
    return (place + y->n - n % y->n) % y->n;
}

/* A message of a round: a header, then for each block its length and its packets. */
static void send_round(tsr_remote *r, meeting *at, uint32_t n)
{
    const tsr_relay *y = at->other.relay;
    size_t bytes = sizeof(rank_head);
    for (uint32_t k = 0; k < n; k++)
        bytes += sizeof(uint64_t) + y->blocks[place_before(y, y->mine, k)].bytes;
    rank_head h = {.what = SAYS_RELAY,
                   .place = y->round,
                   .nin = n,
                   .seq = at->other.seq,
                   .to = at->group.ids[0],
                   .key = at->other.key};
    char *data = tsr_xmalloc(bytes), *p = data + sizeof h;
    memcpy(data, &h, sizeof h);
    for (uint32_t k = 0; k < n; k++) {
        const relay_block *b = &y->blocks[place_before(y, y->mine, k)];
        uint64_t length = b->bytes;
        memcpy(p, &length, sizeof length);
        memcpy(p + sizeof length, b->data, b->bytes);
        p += sizeof length + b->bytes;
    }
    int to = y->ranks[(y->mine + (1u << y->round)) % y->n];
    tsr_remote_send_head(r, to, data, bytes, (rank_transfer){.at = NULL});
}

/* Sends each round whose blocks are here. */
static void go_on(tsr_remote *r, meeting *at)
{
    tsr_relay *y = at->other.relay;
    for (; y->round < y->nround; y->round++) {
        uint32_t n = blocks_of(y, y->round);
        for (uint32_t k = 0; k < n; k++)
            if (!y->blocks[place_before(y, y->mine, k)].whole)
                return;
        send_round(r, at, n);
    }
}

static void add_packet(relay_block *b, const char *data, size_t bytes)
{
    uint64_t length = bytes;
    b->data = tsr_xrealloc(b->data, b->bytes + sizeof length + bytes);
    tsr_keep(b->data);
    memcpy(b->data + b->bytes, &length, sizeof length);
    memcpy(b->data + b->bytes + sizeof length, data, bytes);
    b->bytes += sizeof length + bytes;
}

void tsr_relay_came(tsr_remote *r, meeting *at, const char *packet, size_t bytes)
{
    tsr_relay *y = at->other.relay;
    relay_block *b = &y->blocks[y->mine];
    add_packet(b, packet, bytes);
    b->whole = at->other.came == at->other.here;
    go_on(r, at);
}

/* The next part, a length and so many bytes; NULL: there is none. */
static const char *next_part(const char **at, const char *end, size_t *bytes)
{
    uint64_t length;
    if ((size_t)(end - *at) < sizeof length)
        return NULL;
    memcpy(&length, *at, sizeof length);
    const char *part = *at + sizeof length;
    if (length > (size_t)(end - part))
        return NULL;
    *bytes = (size_t)length;
    *at = part + length;
    return part;
}

/* Takes the packets of a block as if its rank had sent them. */
static void take_block(tsr_remote *r, meeting *at, int rank, const char *p, size_t bytes)
{
    const char *end = p + bytes, *packet;
    size_t n;
    while ((packet = next_part(&p, end, &n)) != NULL) {
        rank_head h;
        if (n < sizeof h)
            return;
        memcpy(&h, packet, sizeof h);
        bool wanted = h.place < at->group.n && at->other.pending[h.place] && !at->here[h.place];
        if (!wanted || h.what != SAYS_VALUES || h.tag)
            continue;
        rank_arrival a = {.rank = rank, .bytes = n, .data = tsr_xmalloc(n)};
        tsr_keep(a.data);
        memcpy(a.data, packet, n);
        tsr_remote_accept(r, at, &a);
    }
}

void tsr_relay_accept(tsr_remote *r, meeting *at, const rank_arrival *a)
{
    tsr_relay *y = at->other.relay;
    rank_head h;
    memcpy(&h, a->data, sizeof h);
    const char *p = a->data + sizeof h, *end = a->data + a->bytes, *block;
    size_t bytes;
    uint32_t from = 0;
    while (from + 1 < y->n && y->ranks[from] != a->rank)
        from++;
    if (h.place < RELAY_ROUNDS)
        y->got[h.place] = true;
    for (uint32_t k = 0; k < h.nin && (block = next_part(&p, end, &bytes)) != NULL; k++) {
        uint32_t place = place_before(y, from, k);
        relay_block *b = &y->blocks[place];
        if (b->whole || place == y->mine)
            continue;
        b->data = tsr_xmalloc(bytes + 1);
        tsr_keep(b->data);
        memcpy(b->data, block, bytes);
        b->bytes = bytes;
        b->whole = true;
        take_block(r, at, y->ranks[place], block, bytes);
    }
    tsr_free(a->data);
    go_on(r, at);
}

bool tsr_relay_awaits(const meeting *at, int rank)
{
    const tsr_relay *y = at->other.relay;
    for (uint32_t k = 0; k < y->nround; k++)
        if (!y->got[k] && y->ranks[place_before(y, y->mine, 1u << k)] == rank)
            return true;
    return false;
}
