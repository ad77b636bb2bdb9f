/* SPDX-License-Identifier: Apache-2.0 */
/* transport.h - how the operating-system processes of one job, its ranks, communicate: messages of bytes.
 *
 * An implementation is built in (tcp/tcp.h), a plug-in opened at run time (exec/run/transport.h), or part of a test. One
 * thread at a time calls it. The caller owns the requests. */
#ifndef TSR_BASE_TRANSPORT_H
#define TSR_BASE_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TSR_TRANSPORT_VERSION = 3, TSR_TRANSPORT_MOST = 1 << 30 /* bytes of one message */ };

/* A pending message; its contents belong to the implementation. */
typedef struct {
    uintptr_t word;
} tsr_request;

/* A group of ranks; its contents belong to the implementation. */
typedef struct {
    uintptr_t word;
} tsr_rank_group;

/* Blocks of bytes; stride is the distance between their starts. */
typedef struct {
    void *data;
    size_t bytes, count, stride;
} tsr_span;

typedef enum {
    TSR_NATIVE_REDUCE,
    TSR_NATIVE_GATHER,
    TSR_NATIVE_SCATTER,
    TSR_NATIVE_EXCHANGE
} tsr_native_kind;
typedef enum {
    TSR_NATIVE_F32,
    TSR_NATIVE_F64,
    TSR_NATIVE_I8,
    TSR_NATIVE_I16,
    TSR_NATIVE_I32,
    TSR_NATIVE_I64,
    TSR_NATIVE_U8,
    TSR_NATIVE_U16,
    TSR_NATIVE_U32,
    TSR_NATIVE_U64
} tsr_native_type;
typedef enum { TSR_NATIVE_SUM, TSR_NATIVE_PRODUCT, TSR_NATIVE_MIN, TSR_NATIVE_MAX } tsr_native_op;

/* A native collective of the transport, over a group of ranks. n: elements that a rank sends to each other rank
 * (EXCHANGE), contributes (REDUCE, GATHER), or receives (SCATTER). Parts are in the order of the group. */
typedef struct {
    tsr_rank_group group; /* made by split */
    tsr_native_kind kind;
    tsr_native_type type;
    tsr_native_op op;
    const void *in;
    void *out;
    size_t n;
} tsr_native;

typedef struct tsr_transport tsr_transport;
struct tsr_transport {
    int rank, size;
    char name[128];  /* of the underlying library, for people to read */
    char error[256]; /* why the last call failed */
    int tags;        /* tags are below this; 0: 32767, which every implementation allows */
    int gone;        /* how many ranks are known to be gone */
    /* Begins to send or to receive; the memory must not change until test reports completion. Messages from one rank to
     * another with the same tag arrive in the order in which they were sent. False: error. */
    bool (*send)(tsr_transport *t, int to, int tag, const tsr_span *what, tsr_request *out);
    bool (*receive)(tsr_transport *t, int from, int tag, const tsr_span *where, tsr_request *out);
    /* 1: done, 0: not yet, -1: error. Does not block. */
    int (*test)(tsr_transport *t, tsr_request *r);
    /* Whether a message with this tag has arrived from a rank (-1: any rank), from which one, and its length. */
    bool (*probe)(tsr_transport *t, int tag, int *from, size_t *bytes);
    /* Called by all ranks, in the same order; they wait for each other. Ranks with the same color (0 or more) form a
     * group, ordered by key, which they leave before close. A rank with color -1 is in no group. Messages do not need
     * groups, native collectives do. False: error. */
    bool (*split)(tsr_transport *t, int color, int key, tsr_rank_group *out);
    void (*leave)(tsr_transport *t, tsr_rank_group *g);
    /* The transport's native collectives, for comparison; the ranks of a group start them in the same order. NULL: it
     * has none. */
    bool (*native)(tsr_transport *t, const tsr_native *call, tsr_request *out);
    void (*abort)(tsr_transport *t, int code); /* ends all ranks, including this one */
    void (*close)(tsr_transport *t);           /* called by all ranks */
    /* Those below may be NULL. */
    /* Whether a rank is gone; error says why. It is watched from then on, even if no message is under way. */
    bool (*lost)(tsr_transport *t, int rank);
    /* Ends a request that is not done: its memory is not touched any more. What was being sent arrives whole or not at
     * all. */
    void (*cancel)(tsr_transport *t, tsr_request *r);
    /* Sleeps until something may have happened, at most so long. */
    void (*rest)(tsr_transport *t, long nanoseconds);
};

/* The symbol that a plug-in exports. NULL: error says why. */
#define TSR_TRANSPORT_OPEN "tessera_transport_open"
typedef tsr_transport *tsr_transport_open_fn(unsigned version, char *error, size_t size);

#endif
