/* SPDX-License-Identifier: Apache-2.0 */
/* tessera_mpi.c - the transport on MPI: a plug-in, built if mpicc is available, opened by --transport=mpi.
 *
 * Nothing here blocks: an idle rank yields or sleeps, so that more ranks than cores do not spin. Requests are stored in
 * the caller's words: MPI_Request is a pointer or a number. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/transport.h"

_Static_assert(sizeof(MPI_Request) <= sizeof(uintptr_t) && sizeof(MPI_Comm) <= sizeof(uintptr_t),
               "a request fits into a word, and so does a group");

static tsr_transport transport;
static MPI_Comm world = MPI_COMM_NULL;

static void put(tsr_request *r, MPI_Request m)
{
    r->word = 0;
    memcpy(&r->word, &m, sizeof m);
}

static MPI_Request get(const tsr_request *r)
{
    MPI_Request m;
    memcpy(&m, &r->word, sizeof m);
    return m;
}

static bool good(tsr_transport *t, int code)
{
    int n = 0;
    char text[MPI_MAX_ERROR_STRING] = "";
    if (code == MPI_SUCCESS)
        return true;
    MPI_Error_string(code, text, &n);
    snprintf(t->error, sizeof t->error, "%.200s", text);
    return false;
}

/* Strided blocks get an MPI data type: MPI packs and unpacks them. */
static MPI_Datatype type_of(const tsr_span *s, int *n)
{
    MPI_Datatype blocks;
    *n = (int)s->bytes;
    if (s->count == 1)
        return MPI_BYTE;
    *n = 1;
    MPI_Type_create_hvector((int)s->count, (int)s->bytes, (MPI_Aint)s->stride, MPI_BYTE, &blocks);
    MPI_Type_commit(&blocks);
    return blocks;
}

static bool move(tsr_transport *t, bool out, int rank, int tag, const tsr_span *s, tsr_request *r)
{
    int n;
    MPI_Request m = MPI_REQUEST_NULL;
    MPI_Datatype type = type_of(s, &n);
    bool ok = good(t, out ? MPI_Isend(s->data, n, type, rank, tag, world, &m)
                          : MPI_Irecv(s->data, n, type, rank, tag, world, &m));
    if (s->count != 1)
        MPI_Type_free(&type); /* freed when nobody uses it any more */
    put(r, m);
    return ok;
}

static bool mpi_send(tsr_transport *t, int to, int tag, const tsr_span *what, tsr_request *out)
{
    return move(t, true, to, tag, what, out);
}

static bool mpi_receive(tsr_transport *t, int from, int tag, const tsr_span *where,
                        tsr_request *out)
{
    return move(t, false, from, tag, where, out);
}

static int mpi_test(tsr_transport *t, tsr_request *r)
{
    int done = 0;
    MPI_Request m = get(r);
    bool ok = good(t, MPI_Test(&m, &done, MPI_STATUS_IGNORE));
    put(r, m);
    return ok ? done : -1;
}

static bool mpi_probe(tsr_transport *t, int tag, int *from, size_t *bytes)
{
    int there = 0, n = 0;
    MPI_Status s;
    if (!good(t, MPI_Iprobe(*from < 0 ? MPI_ANY_SOURCE : *from, tag, world, &there, &s)) || !there)
        return false;
    MPI_Get_count(&s, MPI_BYTE, &n);
    *from = s.MPI_SOURCE;
    *bytes = (size_t)n;
    return true;
}

static bool mpi_split(tsr_transport *t, int color, int key, tsr_rank_group *out)
{
    MPI_Comm c = MPI_COMM_NULL;
    bool ok = good(t, MPI_Comm_split(world, color < 0 ? MPI_UNDEFINED : color, key, &c));
    out->word = 0;
    memcpy(&out->word, &c, sizeof c);
    return ok;
}

static void mpi_leave(tsr_transport *t, tsr_rank_group *g)
{
    MPI_Comm c;
    (void)t;
    memcpy(&c, &g->word, sizeof c);
    MPI_Comm_free(&c);
}

static bool mpi_native(tsr_transport *t, const tsr_native *c, tsr_request *out)
{
    const MPI_Datatype types[] = {MPI_FLOAT,    MPI_DOUBLE,  MPI_INT8_T,  MPI_INT16_T,
                                  MPI_INT32_T,  MPI_INT64_T, MPI_UINT8_T, MPI_UINT16_T,
                                  MPI_UINT32_T, MPI_UINT64_T};
    const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX};
    MPI_Datatype type = types[c->type];
    MPI_Comm comm;
    MPI_Request m = MPI_REQUEST_NULL;
    int n = (int)c->n, code = MPI_ERR_OTHER;
    memcpy(&comm, &c->group.word, sizeof comm);
    switch (c->kind) {
    case TSR_NATIVE_REDUCE:
        code = MPI_Iallreduce(c->in, c->out, n, type, ops[c->op], comm, &m);
        break;
    case TSR_NATIVE_GATHER: code = MPI_Iallgather(c->in, n, type, c->out, n, type, comm, &m); break;
    case TSR_NATIVE_SCATTER:
        code = MPI_Ireduce_scatter_block(c->in, c->out, n, type, ops[c->op], comm, &m);
        break;
    case TSR_NATIVE_EXCHANGE:
        code = MPI_Ialltoall(c->in, n, type, c->out, n, type, comm, &m);
        break;
    }
    put(out, m);
    return good(t, code);
}

static void mpi_abort(tsr_transport *t, int code)
{
    (void)t;
    MPI_Abort(world, code);
}

static void mpi_close(tsr_transport *t)
{
    (void)t;
    MPI_Comm_free(&world);
    MPI_Finalize();
}

__attribute__((visibility("default"))) tsr_transport_open_fn tessera_transport_open;
tsr_transport *tessera_transport_open(unsigned version, char *error, size_t size)
{
    int given = 0, n = 0;
    char name[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    if (version != TSR_TRANSPORT_VERSION) {
        snprintf(error, size, "the plug-in is of another version of the transport");
        return NULL;
    }
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0); /* also inside MPI's own waiting */
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS ||
        given < MPI_THREAD_SERIALIZED) {
        snprintf(error, size, "MPI cannot be called from several threads, one at a time");
        return NULL;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    transport = (tsr_transport){.send = mpi_send,
                                .receive = mpi_receive,
                                .test = mpi_test,
                                .probe = mpi_probe,
                                .split = mpi_split,
                                .leave = mpi_leave,
                                .native = mpi_native,
                                .abort = mpi_abort,
                                .close = mpi_close};
    MPI_Comm_rank(world, &transport.rank);
    MPI_Comm_size(world, &transport.size);
    MPI_Get_library_version(name, &n);
    name[strcspn(name, "\n,")] = 0;
    snprintf(transport.name, sizeof transport.name, "%.120s", name);
    return &transport;
}
