/* transport.h - how the operating-system processes of one job, its ranks, reach each other: bytes from one to another.
 *
 * A body is a plug-in that is opened at run time (exec/run/transport.h), or a test's. One thread at a time calls it. Requests are the
 * caller's: a body keeps nothing that grows. */
#ifndef TSR_BASE_TRANSPORT_H
#define TSR_BASE_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TSR_TRANSPORT_VERSION = 2, TSR_TRANSPORT_MOST = 1 << 30 /* bytes of one message */ };

/* Something on its way; what it is, the body knows. */
typedef struct {
    uintptr_t word;
} tsr_request;

/* A group of ranks; what it is, the body knows. */
typedef struct {
    uintptr_t word;
} tsr_rank_group;

/* Blocks of bytes, stride apart from beginning to beginning. */
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

/* A collective of the transport's own, of a group of ranks. n: elements that a rank gives to each other one (EXCHANGE), gives (REDUCE,
 * GATHER), or gets (SCATTER). Parts are in the order of the group. */
typedef struct {
    tsr_rank_group group; /* that split has made */
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
    char name[128];  /* of the library below, for people */
    char error[256]; /* why the last call failed */
    /* Begins to send or to receive; the memory stays as it is until a test says that it is done. Messages from one rank to
     * another with one tag arrive in the order in which they were sent. False: error. */
    bool (*send)(tsr_transport *t, int to, int tag, const tsr_span *what, tsr_request *out);
    bool (*receive)(tsr_transport *t, int from, int tag, const tsr_span *where, tsr_request *out);
    /* 1: done, 0: not yet, -1: error. Waits for nobody. */
    int (*test)(tsr_transport *t, tsr_request *r);
    /* Whether a message with this tag is there from a rank (-1: from any), from whom, and how long it is. */
    bool (*probe)(tsr_transport *t, int tag, int *from, size_t *bytes);
    /* All ranks come here, in the same order, and wait for each other: those with one color (0 or more) become a group, in the order of
     * key, which its ranks leave before close. With color -1 a rank is in none. Messages do not need groups, native collectives do.
     * False: error. */
    bool (*split)(tsr_transport *t, int color, int key, tsr_rank_group *out);
    void (*leave)(tsr_transport *t, tsr_rank_group *g);
    /* The transport's own collectives, for comparison, which the ranks of a group begin in the same order; NULL: it has none. */
    bool (*native)(tsr_transport *t, const tsr_native *call, tsr_request *out);
    void (*abort)(tsr_transport *t, int code); /* ends all ranks, this one too */
    void (*close)(tsr_transport *t);           /* all ranks come here */
};

/* What a plug-in exports. NULL: error says why. */
#define TSR_TRANSPORT_OPEN "tessera_transport_open"
typedef tsr_transport *tsr_transport_open_fn(unsigned version, char *error, size_t size);

#endif
