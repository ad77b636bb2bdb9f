/* SPDX-License-Identifier: Apache-2.0 */
/* peers.c - the processes of a job in the public API. See tessera.h and eval/remote.h. */
#include "api/peers.h"

#include <stdio.h>

#include "api/guard.h"
#include "tcp/tcp.h"

struct tsr_peers {
    tsr_transport *transport;
    tsr_remote *remote;
    tsr_peers_options options;
    tsr_remote_run run; /* the current one */
    bool runs;
};

static void pass_on(void *user, tsr_str text)
{
    const tsr_peers *p = user;
    if (p->options.tell)
        p->options.tell(p->options.user, text);
}

/* The address to listen on: what the user gave, or that of the way to another host. */
static void choose_address(const tsr_peers_options *o, char *out, size_t size)
{
    if (o->host && *o->host)
        snprintf(out, size, strchr(o->host, ':') ? "[%s]:0" : "%s:0", o->host);
    else if (!o->toward || !*o->toward || !tsr_tcp_source(o->toward, out, size))
        snprintf(out, size, "127.0.0.1:0");
}

static tsr_peers *open_peers(const tsr_peers_options *o, tsr_status *status)
{
    char address[TSR_TCP_ADDRESS];
    if (o->size < 1 || o->rank < 0 || o->rank >= o->size) {
        tsr_status_set(status, TSR_BAD_INPUT, "process %d of %d is none", o->rank, o->size);
        return NULL;
    }
    choose_address(o, address, sizeof address);
    tsr_transport *t = tsr_tcp_open(&(tsr_tcp_options){.rank = o->rank,
                                                       .size = o->size,
                                                       .listener = -1,
                                                       .listen = address,
                                                       .silence = o->silence},
                                    status);
    if (!t)
        return NULL;
    tsr_peers *p = tsr_xmalloc(sizeof *p);
    tsr_keep(p);
    *p = (tsr_peers){.transport = t, .options = *o};
    p->remote = tsr_remote_new(t);
    tsr_remote_set_lasting(p->remote);
    tsr_remote_set_timeout(p->remote, o->timeout);
    tsr_remote_watch(p->remote, NULL, pass_on, p);
    return p;
}

tsr_peers *tsr_peers_new(const tsr_peers_options *options, tsr_status *status)
{
    TSR_GUARD_IF(g, options != NULL, NULL, NULL, TSR_READS, status, NULL)
    tsr_peers *p = open_peers(options, g.status);
    tsr_guard_close(&g);
    return p;
}

void tsr_peers_free(tsr_peers *p)
{
    if (!p)
        return;
    tsr_remote_free(p->remote);
    tsr_tcp_leave(p->transport);
    tsr_free(p);
}

const char *tsr_peers_address(const tsr_peers *p)
{
    return tsr_tcp_address(p->transport);
}

void tsr_peers_secret(tsr_peers *p, const unsigned char secret[16])
{
    tsr_tcp_secret(p->transport, secret);
}

bool tsr_peers_know(tsr_peers *p, int rank, tsr_str address, const char *name)
{
    if (rank < 0 || rank >= p->transport->size)
        return false;
    if (name)
        tsr_remote_name(p->remote, rank, name);
    return tsr_tcp_know(p->transport, rank, address, name);
}

void tsr_peers_gone(tsr_peers *p, int rank)
{
    tsr_remote_report(p->remote, rank);
}

/* ---- Runs ---- */

struct tsr_remote *tsr_joint_remote(const tsr_joint_run *joint)
{
    return joint ? joint->peers->remote : NULL;
}

bool tsr_joint_has(const tsr_joint_run *joint, size_t device)
{
    return !joint || joint->ranks[device] == (uint32_t)joint->peers->transport->rank;
}

static void expect(const tsr_joint_run *joint)
{
    tsr_peers *p = joint->peers;
    p->run = (tsr_remote_run){.ranks = joint->ranks,
                              .n = joint->ndevices,
                              .list = joint->list,
                              .program = joint->program,
                              .name = joint->name};
    p->runs = true;
    tsr_remote_expect(p->remote, &p->run);
}

static bool settle(const tsr_joint_run *joint, bool ok, tsr_str why)
{
    joint->peers->runs = false;
    return tsr_remote_settle(joint->peers->remote, ok, why);
}

bool tsr_joint_begin(const tsr_joint_run *joint, size_t ndevices, bool compiled, tsr_status *status)
{
    if (!joint)
        return true;
    expect(joint);
    if (joint->ndevices != ndevices)
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "the program is for %zu devices, and %zu have a process", ndevices,
                              joint->ndevices);
    return compiled || tsr_status_set(status, TSR_BAD_INPUT,
                                      "an op needs the evaluator, which does not run on devices of "
                                      "several processes");
}

bool tsr_joint_end(const tsr_joint_run *joint, bool ok, tsr_status *status)
{
    if (!joint || !joint->peers->runs)
        return ok;
    if (!settle(joint, ok, tsr_cstr(status->message)))
        status->code = TSR_UNAVAILABLE;
    return ok;
}

void tsr_joint_skip(const tsr_joint_run *joint, tsr_str why)
{
    tsr_guard g;
    if (!tsr_guard_open(&g, joint != NULL, NULL, NULL, TSR_READS, NULL))
        return;
    if (setjmp(g.scope.out) != 0) {
        tsr_guard_stopped(&g);
        return;
    }
    expect(joint);
    (void)settle(joint, false, why);
    tsr_guard_close(&g);
}
