/* mesh.h - a grid of processes, replicas times partitions, one thread each, and how they meet.
 *
 * A process waits only here, and the grid counts who runs: when nobody does and somebody still lives, the grid
 * is quiet. Then either something that several processes could take is given to the first that waits for it
 * (infeeds, messages without an address), or nobody can ever go on: every waiter is woken and the run fails,
 * saying who waits for whom. No clock is involved, and the order in which threads happen to run decides nothing. A
 * process that fails counts as ended; the others go on until they end or wait. */
#ifndef TSR_EVAL_MESH_H
#define TSR_EVAL_MESH_H

#include "eval/host.h"
#include "eval/share.h"

typedef struct tsr_mesh tsr_mesh;

/* Where a process is. */
struct tsr_process {
    tsr_mesh *mesh;
    uint32_t id; /* replica * partitions + partition */
    uint32_t replica, partition;
};

/* What kernels ask; outside of a grid there is one process, (0, 0). */
uint32_t tsr_mesh_replicas(const tsr_eval *e);
uint32_t tsr_mesh_partitions(const tsr_eval *e);
static inline uint32_t tsr_process_id(const tsr_eval *e)
{
    return e->process ? e->process->id : 0;
}

/* Processes of one grid that do something together, by id, in the order that counts. */
typedef struct {
    uint32_t *ids;
    size_t n;
    bool shared;  /* ids are the grid's (tsr_mesh_share), and place is known */
    size_t place; /* of the process that asked for the group */
} tsr_group;

void tsr_group_free(tsr_group *g);
/* The place of the process in its group; g->n: it is not in it. */
size_t tsr_group_place(const tsr_call *c, const tsr_group *g);

/* Runs a program on each process of a new grid and waits for all. run's e is the process' own. infeed: symbols of
 * functions that give the items of stablehlo.infeed; NULL: the host's. False: c's failure. */
typedef bool tsr_program_fn(void *user, tsr_eval *e);
bool tsr_mesh_run(tsr_call *c, uint32_t replicas, uint32_t partitions, const tsr_attr *infeed,
                  tsr_program_fn *run, void *user);

/* All processes of the group come here, each with nin values (borrowed), and get all of them: out has group->n *
 * nin places, in the order of the group; the caller owns what it gets. They meet when op, channel, group and round
 * are equal; round tells apart several meetings of one op. */
bool tsr_mesh_meet(tsr_call *c, const tsr_group *group, int64_t channel, uint32_t round,
                   tsr_tensor *const *in, size_t nin, tsr_tensor **out);

/* The same where all get equal results, nin of them: the last who comes computes them for all, from what n processes
 * brought (all, in the order of the group), and each owns a share in them. With group->n processes this costs what one
 * computes, and not as much for each. */
typedef bool tsr_together_fn(tsr_call *c, tsr_tensor *const *all, size_t n, tsr_tensor **out);
bool tsr_mesh_together(tsr_call *c, const tsr_group *group, int64_t channel, tsr_tensor *const *in,
                       size_t nin, tsr_together_fn *fn, tsr_tensor **out);

/* Messages. peer: the process at the other end; TSR_ANYONE: whoever asks for, or sends, without an address too.
 * Sending does not wait; a message that nobody took fails the grid in the end. */
enum { TSR_ANYONE = -1 };
bool tsr_mesh_send(tsr_call *c, int64_t channel, int64_t peer, tsr_tensor *const *in, size_t n);
/* out: n places; a message of another number of values fails. */
bool tsr_mesh_recv(tsr_call *c, int64_t channel, int64_t peer, tsr_tensor **out, size_t n);

/* The next item of the infeed: either a function to be run, or a tensor that the caller owns. */
bool tsr_mesh_infeed(tsr_call *c, const tsr_attr **function, tsr_tensor **item);

/* What all processes of the grid share; NULL outside of a grid. */
tsr_share *tsr_mesh_share(const tsr_eval *e);
/* Effects that the process keeps; NULL outside of a grid. */
tsr_effects *tsr_mesh_effects(const tsr_eval *e);
/* Printing through the context changes it: one thread at a time. Nothing outside of a grid. */
void tsr_mesh_lock_context(const tsr_eval *e);
void tsr_mesh_unlock_context(const tsr_eval *e);

#endif
