/* SPDX-License-Identifier: Apache-2.0 */
/* mesh.c - threads of a grid, meetings, messages; and the report of a deadlock. See mesh.h. */
#include "eval/grid.h"

uint32_t tsr_mesh_replicas(const tsr_eval *e)
{
    return e->process ? e->process->mesh->replicas : 1;
}

uint32_t tsr_mesh_partitions(const tsr_eval *e)
{
    return e->process ? e->process->mesh->partitions : 1;
}

tsr_share *tsr_mesh_share(const tsr_eval *e)
{
    return e->process ? &e->process->mesh->share : NULL;
}

tsr_effects *tsr_mesh_effects(const tsr_eval *e)
{
    return e->process ? &member_of(e)->effects : NULL;
}

void tsr_mesh_lock_context(const tsr_eval *e)
{
    if (e->process)
        tsr_lock(e->process->mesh->context_lock);
}

void tsr_mesh_unlock_context(const tsr_eval *e)
{
    if (e->process)
        tsr_unlock(e->process->mesh->context_lock);
}

bool tsr_mesh_stop_begin(const tsr_eval *e)
{
    if (!e->process)
        return true;
    tsr_mesh_stops *s = e->process->mesh->stops;
    tsr_lock(&s->lock);
    bool on = !s->ended;
    if (!on)
        tsr_unlock(&s->lock);
    return on;
}

void tsr_mesh_stop_end(const tsr_eval *e, bool on)
{
    if (!e->process)
        return;
    tsr_mesh_stops *s = e->process->mesh->stops;
    s->ended = !on;
    tsr_unlock(&s->lock);
}

/* ---- The report ---- */

static void say_process(tsr_buf *out, const tsr_mesh *m, int64_t id)
{
    tsr_buf_printf(out, "(%u, %u)", (uint32_t)id / m->partitions, (uint32_t)id % m->partitions);
}

static void say_op(tsr_buf *out, const tsr_op *op)
{
    tsr_buf_printf(out, "'%.*s'", TSR_STR_ARG(op->def->name));
    tsr_loc_at_place(out, op->module->ctx, op->loc, true);
}

/* Lists the processes that a process waits for. */
static void say_awaited(tsr_buf *out, const tsr_mesh *m, const member *w)
{
    const meeting *at = w->meeting;
    if (w->state == IN_RECV && w->peer == TSR_ANYONE)
        tsr_buf_cstr(out, "a message from anyone");
    else if (w->state == IN_RECV)
        say_process(out, m, w->peer);
    for (size_t i = 0, said = 0; w->state == IN_MEETING && i < at->group.n; i++) {
        if (at->here[i])
            continue;
        tsr_buf_cstr(out, said++ ? ", " : "");
        say_process(out, m, at->group.ids[i]);
    }
}

static void say_member(tsr_buf *out, const tsr_mesh *m, const member *w)
{
    tsr_buf_cstr(out, "\n  process ");
    say_process(out, m, w->process.id);
    if (w->state == ENDED || w->state == FAILED) {
        tsr_buf_cstr(out, w->state == ENDED ? " has ended" : " has failed");
        return;
    }
    if (w->state == RUNNING || w->state == LEAVING) {
        tsr_buf_cstr(out,
                     w->state == RUNNING ? " runs" : " waits until others have what it brought");
        return;
    }
    tsr_buf_cstr(out, " waits in ");
    say_op(out, w->op);
    if (w->channel > 0 || w->state == IN_RECV)
        tsr_buf_printf(out, " on channel %lld", (long long)w->channel);
    tsr_buf_cstr(out, " for ");
    say_awaited(out, m, w);
}

/* ---- Waiting ---- */

void tsr_mesh_let_run(tsr_mesh *m, member *w)
{
    tsr_assert(w->state != RUNNING && m->running < m->nlocal,
               "process %u is let run, as %u of %u already are", w->process.id, m->running,
               m->nlocal);
    w->state = RUNNING;
    m->running++;
    if (m->engine)
        tsr_vec_push(&m->ready, w->process.id);
    else
        pthread_cond_signal(&w->wake);
}

/* The message that w may take. Of those to anyone the one from the first process; of those from one process the
 * oldest. */
static message **find_message(tsr_mesh *m, const member *w)
{
    message **best = NULL;
    for (message **p = &m->messages; *p; p = &(*p)->next) {
        if ((*p)->channel != w->channel)
            continue;
        if (w->peer != TSR_ANYONE ? (*p)->from == w->peer && (*p)->to == w->process.id
                                  : (*p)->to == TSR_ANYONE && (!best || (*p)->from < (*best)->from))
            best = p;
        if (best && w->peer != TSR_ANYONE)
            break;
    }
    return best;
}

static bool take_message(tsr_mesh *m, member *w)
{
    message **p = find_message(m, w);
    if (!p)
        return false;
    w->got = *p;
    *p = w->got->next;
    if (!w->got->next)
        m->last_message = p;
    return true;
}

/* The number of the next item. Grids inside processes of one grid share the host's. */
static size_t next_item(tsr_mesh *m)
{
    if (m->infeed)
        return m->infeed_next++;
    tsr_lock(m->context_lock);
    size_t i = m->host ? m->host->infeed_next++ : 0;
    tsr_unlock(m->context_lock);
    return i;
}

void tsr_mesh_report(tsr_mesh *m, tsr_buf *out)
{
    for (uint32_t i = 0; i < m->nlocal; i++)
        say_member(out, m, &m->members[m->local[i]]);
}

static void write_report(void *mesh)
{
    tsr_mesh *m = mesh;
    tsr_mesh_report(m, &m->report);
}

/* No process runs: the first that can be given something is; otherwise it is a deadlock. */
void tsr_mesh_when_quiet(tsr_mesh *m)
{
    if (m->running || !m->live)
        return;
    for (uint32_t i = 0; i < m->nlocal; i++) {
        member *w = &m->members[m->local[i]];
        if (w->state == IN_INFEED)
            w->item = next_item(m);
        else if (w->state != IN_RECV || w->peer != TSR_ANYONE || !take_message(m, w))
            continue;
        tsr_mesh_let_run(m, w);
        return;
    }
    m->stuck = true;
    m->stuck_at = m->n;
    for (uint32_t i = 0; i < m->nlocal; i++)
        if (m->stuck_at == m->n && m->members[m->local[i]].state >= IN_MEETING)
            m->stuck_at = m->local[i];
    /* A stop while reporting must not leave the others waiting; after one, nobody reads the report. */
    if (!m->limits || !atomic_load(&m->limits->stopped))
        tsr_try(write_report, m);
    /* What they waited in stays readable: only the state changes. */
    for (uint32_t i = 0; i < m->nlocal; i++)
        if (m->members[m->local[i]].state >= IN_MEETING ||
            (m->remote && m->members[m->local[i]].state == LEAVING))
            tsr_mesh_let_run(m, &m->members[m->local[i]]);
}

/* Waits until another process lets it continue; false: none ever will. */
static bool wait_in(tsr_mesh *m, member *w, member_state state, const tsr_op *op, int64_t channel)
{
    w->state = state;
    w->op = op;
    w->channel = channel;
    tsr_assert(m->running, "process %u waits, but none runs", w->process.id);
    m->running--;
    tsr_mesh_when_quiet(m);
    while (w->state != RUNNING)
        pthread_cond_wait(&w->wake, &m->lock);
    return !m->stuck;
}

static bool give_up(tsr_call *c)
{
    if (!c->e->failure.failed)
        member_of(c->e)->given_up = true;
    return tsr_fail(c, "was given up");
}

/* ---- Groups ---- */

void tsr_group_free(tsr_group *g)
{
    if (!g->shared)
        tsr_free(g->ids);
    *g = (tsr_group){0};
}

size_t tsr_group_place(const tsr_call *c, const tsr_group *g)
{
    uint32_t me = tsr_process_id(c->e);
    size_t i = g->shared ? g->place : 0;
    while (i < g->n && g->ids[i] != me)
        i++;
    return i;
}

static bool same_group(const tsr_group *a, const tsr_group *b)
{
    return a->n == b->n && (a->ids == b->ids || !memcmp(a->ids, b->ids, a->n * sizeof *a->ids));
}

static tsr_group copy_group(const tsr_group *g)
{
    if (g->shared)
        return *g;
    tsr_group copy = {.ids = tsr_xmalloc(g->n * sizeof *g->ids), .n = g->n};
    memcpy(copy.ids, g->ids, g->n * sizeof *g->ids);
    return copy;
}

/* ---- Meetings ---- */

static bool same_place(const meeting *at, const tsr_call *c, const tsr_group *g, int64_t channel,
                       uint32_t round)
{
    return at->came < at->group.n && at->opcode == c->op->def->opcode && at->channel == channel &&
           at->round == round && same_group(&at->group, g);
}

/* The first that me has not joined: a process may bring its values to several meetings before it takes the results. */
static meeting *open_meeting(tsr_mesh *m, const tsr_call *c, const tsr_group *g, size_t me,
                             int64_t channel, uint32_t round, tsr_wants need, size_t nin)
{
    meeting **list = &m->members[g->ids[0]].meetings, *oldest = NULL;
    for (meeting *at = *list; at; at = at->next)
        if (same_place(at, c, g, channel, round) && !at->here[me])
            oldest = at;
    if (oldest)
        return oldest;
    meeting *at = tsr_xmalloc(sizeof *at);
    *at = (meeting){.next = *list,
                    .opcode = c->op->def->opcode,
                    .channel = channel,
                    .round = round,
                    .nin = nin,
                    .need = need,
                    .op = c->op};
    at->group = copy_group(g);
    at->here = tsr_xmalloc(g->n * sizeof *at->here);
    memset(at->here, 0, g->n * sizeof *at->here);
    at->values = tsr_xmalloc((g->n * nin + 1) * sizeof(tsr_tensor *));
    memset(at->values, 0, (g->n * nin + 1) * sizeof(tsr_tensor *));
    *list = at;
    return at;
}

static void free_meeting(meeting *at)
{
    for (size_t i = 0; i < at->group.n * at->nin; i++)
        tsr_tensor_unref(at->values[i]);
    for (size_t i = 0; at->made && i < at->nin; i++)
        tsr_tensor_unref(at->made[i]);
    for (size_t i = 0; at->wanted && i < at->group.n * at->nwanted; i++)
        tsr_tensor_unref(at->wanted[i]);
    tsr_free(at->wanted);
    tsr_free(at->made);
    tsr_free(at->values);
    tsr_free(at->here);
    tsr_free(at->other.pending);
    tsr_join_free(at->other.join, at->nin);
    tsr_relay_free(at->other.relay);
    tsr_group_free(&at->group);
    tsr_free(at);
}

void tsr_mesh_leave(tsr_mesh *m, meeting *at)
{
    if (++at->left < meeting_leavers(at))
        return;
    meeting **p = &m->members[at->group.ids[0]].meetings;
    while (*p != at) {
        tsr_assert(*p, "'%.*s': a meeting that its first process does not know",
                   TSR_STR_ARG(at->op->def->name));
        p = &(*p)->next;
    }
    *p = at->next;
    for (size_t i = 0; at->lent && i < at->group.n; i++) {
        member *w = &m->members[at->group.ids[i]];
        if (w->state == LEAVING && --w->staying == 0)
            tsr_mesh_let_run(m, w);
    }
    free_meeting(at);
}

/* The meeting is complete: all others that wait for it may continue. */
static void call_all(tsr_mesh *m, const meeting *at, uint32_t but)
{
    for (size_t i = 0; i < at->group.n; i++) {
        member *w = &m->members[at->group.ids[i]];
        if (w->process.id != but && w->state == IN_MEETING && w->meeting == at)
            tsr_mesh_let_run(m, w);
    }
}

/* The process's place in the group; g->n after a failure. */
static size_t place_in(tsr_call *c, const tsr_group *g)
{
    size_t me = tsr_group_place(c, g);
    if (me == g->n)
        tsr_fail(c, "is run by a process that is not in its group");
    return me;
}

/* Whether t is in the memory of a program, which may hold other values when the op is done. */
static bool may_change(const tsr_tensor *t)
{
    return t->kind == TSR_TENSOR && t->owner == t;
}

/* A value that outlives the op: another process may read it later. */
static tsr_tensor *keep(tsr_tensor *t)
{
    if (!may_change(t))
        return tsr_tensor_ref(t);
    tsr_tensor *copy = tsr_tensor_like(t, t->elem);
    if (copy)
        memcpy(copy->data, t->data, tsr_tensor_bytes(t));
    return copy;
}

/* References to n values, or copies, as by keep; false after a failure. */
static bool keep_all(tsr_call *c, tsr_tensor *const *in, size_t n, tsr_tensor **out)
{
    bool ok = true;
    for (size_t i = 0; i < n; i++)
        ok &= (out[i] = keep(in[i])) != NULL;
    for (size_t i = 0; !ok && i < n; i++)
        tsr_tensor_unref(out[i]);
    return ok || tsr_fail_memory(c, "what it sends");
}

/* Processes arrived with several ops, one of which may be inside another op that continues: nobody waits for them to
 * leave. */
static void keep_lent(meeting *at)
{
    bool ok = true;
    for (size_t i = 0; i < at->group.n * at->nin; i++) {
        tsr_tensor *copy = at->values[i] ? keep(at->values[i]) : NULL;
        ok &= !at->values[i] || copy;
        if (copy) {
            tsr_tensor_unref(at->values[i]);
            at->values[i] = copy;
        }
    }
    for (size_t i = 0; at->made && i < at->nin; i++) {
        tsr_tensor *copy = keep(at->made[i]);
        ok &= copy != NULL;
        if (copy) {
            tsr_tensor_unref(at->made[i]);
            at->made[i] = copy;
        }
    }
    at->lent = !ok;
}

/* Joins a meeting with values that it then owns; called with the lock held. NULL: no memory for those of other
 * ranks. */
static meeting *come(tsr_call *c, member *w, const tsr_group *g, size_t me, int64_t channel,
                     uint32_t round, tsr_wants need, tsr_tensor *const *in, size_t nin, bool lends)
{
    tsr_mesh *m = w->process.mesh;
    meeting *at = open_meeting(m, c, g, me, channel, round, need, nin);
    bool first = !at->came;
    at->here[me] = true;
    at->came++;
    at->uneven |= nin != at->nin;
    at->mixed |= c->op != at->op;
    for (size_t i = 0; i < nin; i++) {
        if (i < at->nin)
            at->values[me * at->nin + i] = in[i];
        else
            tsr_tensor_unref(in[i]);
    }
    w->meeting = at;
    at->other.otherwise |= at->other.join && need.reduces != at->need.reduces;
    if (m->remote && first && !tsr_remote_opened(c, at, me, lends)) {
        m->members[g->ids[0]].meetings = at->next; /* it is the first of them */
        w->meeting = NULL;
        free_meeting(at);
        tsr_fail_memory(c, "what others bring");
        return NULL;
    }
    if (at->other.pending)
        tsr_remote_came(m, at, me, nin == at->nin, lends);
    return at;
}

typedef enum {
    MET,
    MET_LAST, /* and the others must still be woken */
    NEVER,    /* nobody can continue */
    LATER,    /* the op will be run again */
    NO_MEMORY
} meeting_outcome;

/* All have arrived. The first who notices wakes the others. */
static meeting_outcome call_for(meeting *at)
{
    if (!at->other.uncalled)
        return MET;
    at->other.uncalled = false;
    if (at->lent && at->mixed)
        keep_lent(at);
    return MET_LAST;
}

/* Joins, or rejoins, and waits for the others. The lock is held except while values are copied. */
static meeting_outcome gather(tsr_call *c, const tsr_group *g, size_t me, int64_t channel,
                              uint32_t round, tsr_wants need, tsr_tensor *const *in, size_t nin,
                              meeting **out)
{
    member *w = member_of(c->e);
    tsr_mesh *m = w->process.mesh;
    const tsr_log_entry *before = tsr_log_next(w);
    if (before) {
        *out = w->meeting = before->meeting;
        if (meeting_is_met(m, *out))
            return call_for(*out);
        if (m->stuck)
            return NEVER;
        tsr_lockstep_pause(m, w, IN_MEETING, c->op, channel); /* it started before, and ends now */
        return LATER;
    }
    tsr_tensor **kept = tsr_xmalloc((nin + 1) * sizeof *kept);
    bool ok = true, lends = m->engine && w->outer == c->op;
    if (lends) {
        for (size_t i = 0; i < nin; i++)
            kept[i] = tsr_tensor_ref(in[i]);
    } else {
        tsr_unlock(&m->lock);
        ok = keep_all(c, in, nin, kept);
        tsr_lock(&m->lock);
    }
    meeting *at = *out = ok ? come(c, w, g, me, channel, round, need, kept, nin, lends) : NULL;
    tsr_free(kept);
    if (!at)
        return NO_MEMORY;
    at->lent |= lends;
    if (m->engine)
        *tsr_log_add(w) = (tsr_log_entry){.meeting = at};
    if (meeting_is_met(m, at)) {
        at->other.uncalled = true;
        return call_for(at);
    }
    if (m->engine) {
        tsr_lockstep_pause(m, w, IN_MEETING, c->op, channel);
        return LATER;
    }
    return wait_in(m, w, IN_MEETING, c->op, channel) ? MET : NEVER;
}

/* In lockstep a process leaves when its op is done. A meeting that never took place exists until the grid ends: others
 * still refer to it. */
static void leave(tsr_mesh *m, meeting *at, meeting_outcome how)
{
    if (!m->engine && (how == MET || how == MET_LAST))
        tsr_mesh_leave(m, at);
}

const char *tsr_meeting_complaint(const meeting *at)
{
    return at->uneven            ? "meets processes that bring another number of values"
           : at->other.odd       ? "meets a process that brings a value of another type"
           : at->other.otherwise ? "meets a process that reduces in another way"
                                 : NULL;
}

bool tsr_mesh_meet(tsr_call *c, const tsr_group *g, int64_t channel, uint32_t round,
                   tsr_tensor *const *in, size_t nin, tsr_tensor **out)
{
    tsr_tensor *made;
    return tsr_mesh_meet_for(c, g, channel, round, (tsr_wants){.kind = TSR_WANTS_ALL}, in, nin, out,
                             &made);
}

bool tsr_mesh_meet_for(tsr_call *c, const tsr_group *g, int64_t channel, uint32_t round,
                       tsr_wants need, tsr_tensor *const *in, size_t nin, tsr_tensor **out,
                       tsr_tensor **made)
{
    memset(out, 0, g->n * nin * sizeof *out);
    *made = NULL;
    size_t me = place_in(c, g);
    if (me == g->n)
        return false;
    if (g->n == 1) {
        for (size_t i = 0; i < nin; i++)
            out[i] = tsr_tensor_ref(in[i]);
        return true;
    }
    member *w = member_of(c->e);
    tsr_mesh *m = w->process.mesh;
    meeting *at;
    tsr_lock(&m->lock);
    meeting_outcome how = gather(c, g, me, channel, round, need, in, nin, &at);
    if (how == MET_LAST)
        call_all(m, at, w->process.id);
    bool ok = how == MET || how == MET_LAST;
    const char *bad = ok ? tsr_meeting_complaint(at) : NULL;
    if (ok && !bad && at->made)
        *made = tsr_tensor_ref(at->made[0]);
    for (size_t i = 0; ok && !bad && !*made && i < g->n * nin; i++)
        out[i] = at->values[i] ? tsr_tensor_ref(at->values[i]) : NULL;
    leave(m, at, how);
    tsr_unlock(&m->lock);
    if (how == NEVER)
        return give_up(c);
    return ok && (!bad || tsr_fail(c, "%s", bad));
}

/* The last to arrive computes for all; the lock is not held meanwhile, and nobody changes a complete meeting. */
static void make_for_all(tsr_call *c, meeting *at, tsr_together_fn *fn)
{
    tsr_mesh *m = member_of(c->e)->process.mesh;
    tsr_unlock(&m->lock);
    tsr_tensor **made = tsr_xmalloc((at->nin + 1) * sizeof *made);
    bool ok = !tsr_meeting_complaint(at) && !at->mixed && fn(c, at->values, at->group.n, made);
    /* The process goes on computing in the memory of the results: nobody waits until others have read them. */
    for (size_t i = 0; ok && !at->lent && i < at->nin; i++) {
        tsr_tensor *copy = keep(made[i]);
        tsr_tensor_unref(made[i]);
        made[i] = copy;
        ok = copy || tsr_fail_memory(c, "its results");
    }
    tsr_lock(&m->lock);
    if (ok)
        at->made = made;
    else
        tsr_free(made);
}

bool tsr_mesh_together(tsr_call *c, const tsr_group *g, int64_t channel, tsr_wants need,
                       tsr_tensor *const *in, size_t nin, tsr_together_fn *fn, tsr_tensor **out)
{
    size_t me = place_in(c, g);
    if (me == g->n)
        return false;
    if (g->n == 1)
        return fn(c, in, 1, out);
    member *w = member_of(c->e);
    tsr_mesh *m = w->process.mesh;
    meeting *at;
    tsr_lock(&m->lock);
    meeting_outcome how = gather(c, g, me, channel, 0, need, in, nin, &at);
    if (how == MET_LAST) {
        if (!at->made)
            make_for_all(c, at, fn);
        call_all(m, at, w->process.id);
    }
    bool ok = how == MET || how == MET_LAST;
    const char *bad = ok ? tsr_meeting_complaint(at) : NULL;
    bool made = ok && at->made && !bad, alone = ok && !bad && !made && !c->e->failure.failed;
    for (size_t i = 0; made && i < nin; i++)
        out[i] = tsr_tensor_ref(at->made[i]);
    if (alone) { /* ops differ, or it failed: each process computes for itself and reports the failure */
        tsr_unlock(&m->lock);
        made = fn(c, at->values, g->n, out);
        tsr_lock(&m->lock);
    }
    leave(m, at, how);
    tsr_unlock(&m->lock);
    if (how == NEVER)
        return give_up(c);
    return bad ? tsr_fail(c, "%s", bad) : made;
}

/* Brings the tensors to be filled; again, if the op runs again. */
static void bring_wanted(meeting *at, size_t me, const tsr_join_parts *parts)
{
    size_t n = at->group.n * parts->nout;
    if (!at->wanted) {
        at->nwanted = parts->nout;
        at->wanted = memset(tsr_xmalloc((n + 1) * sizeof *at->wanted), 0, n * sizeof *at->wanted);
    }
    if (at->nwanted != parts->nout || at->wanted[me * parts->nout])
        return;
    for (size_t i = 0; i < parts->nout; i++)
        at->wanted[me * parts->nout + i] = tsr_tensor_ref(parts->into[i]);
    at->joiners++;
}

/* The last to arrive fills what all want; the lock is not held meanwhile, as for make_for_all. */
static bool fill_for_all(tsr_call *c, meeting *at, const tsr_join_parts *parts)
{
    tsr_mesh *m = member_of(c->e)->process.mesh;
    if (at->joiners < at->group.n || at->mixed || tsr_meeting_complaint(at))
        return true;
    tsr_unlock(&m->lock);
    bool ok = parts->fn(c, parts->user, at->values, at->wanted, at->group.n);
    tsr_lock(&m->lock);
    at->joined = ok;
    at->lent =
        at->lent && !ok; /* nobody reads what was brought any more: none has to wait for others */
    return ok;
}

tsr_joined tsr_mesh_join(tsr_call *c, const tsr_group *g, int64_t channel,
                         const tsr_join_parts *parts)
{
    member *w = member_of(c->e);
    tsr_mesh *m = w ? w->process.mesh : NULL;
    size_t me = tsr_group_place(c, g);
    if (g->n == 1)
        return parts->fn(c, parts->user, parts->in, parts->into, 1) ? TSR_JOINED : TSR_JOIN_FAILED;
    if (!m || !m->engine || m->remote || me == g->n || !parts->nout)
        return TSR_JOIN_NOT;
    meeting *at = NULL;
    tsr_lock(&m->lock);
    meeting_outcome how = gather(c, g, me, channel, 0, (tsr_wants){.kind = TSR_WANTS_ALL},
                                 parts->in, parts->nin, &at);
    bool ok = how != NO_MEMORY && how != NEVER;
    if (ok)
        bring_wanted(at, me, parts);
    if (how == MET_LAST) {
        ok = fill_for_all(c, at, parts);
        call_all(m, at, w->process.id);
    }
    bool joined = at && at->joined;
    tsr_unlock(&m->lock);
    if (how == NEVER)
        give_up(c);
    w->at = joined || how == LATER ? w->at : 0; /* the kernel begins with this meeting */
    return !ok            ? TSR_JOIN_FAILED
           : how == LATER ? TSR_JOIN_LATER
           : joined       ? TSR_JOINED
                          : TSR_JOIN_NOT;
}

bool tsr_mesh_in_lockstep(const tsr_eval *e)
{
    return e->process && e->process->mesh->engine;
}

/* ---- Messages and infeeds ---- */

void tsr_mesh_free_message(message *s)
{
    for (size_t i = 0; i < s->n; i++)
        tsr_tensor_unref(s->values[i]);
    tsr_free(s);
}

/* For messages and items that the first to arrive may take: on several ranks nobody knows which that is. */
static bool fail_apart(tsr_call *c)
{
    return tsr_fail(c, "is for whoever comes first, which devices of several ranks cannot do");
}

bool tsr_mesh_send(tsr_call *c, int64_t channel, int64_t peer, tsr_tensor *const *in, size_t n)
{
    member *w = member_of(c->e);
    if (!w)
        return tsr_fail(c, "has nobody to send to: it is not run in a grid of processes");
    if (tsr_log_next(w))
        return true;
    tsr_mesh *m = w->process.mesh;
    TSR_TRY(!m->remote || peer != TSR_ANYONE || fail_apart(c));
    message *s = tsr_xmalloc(sizeof *s + n * sizeof *s->values);
    *s = (message){.channel = channel, .from = w->process.id, .to = peer, .op = c->op, .n = n};
    if (!keep_all(c, in, n, s->values)) {
        tsr_free(s);
        return false;
    }
    tsr_lock(&m->lock);
    if (m->engine)
        tsr_log_add(w)->done = true;
    if (m->remote && peer != TSR_ANYONE && !tsr_remote_has(m, (uint32_t)peer)) {
        tsr_remote_send(m, s);
        tsr_unlock(&m->lock);
        return true;
    }
    *m->last_message = s;
    m->last_message = &s->next;
    /* A message with an address is delivered at once; one for anyone waits until it is clear who else would take it. */
    if (peer != TSR_ANYONE) {
        member *to = &m->members[peer];
        if (to->state == IN_RECV && to->peer == w->process.id && to->channel == channel &&
            take_message(m, to))
            tsr_mesh_let_run(m, to);
    }
    tsr_unlock(&m->lock);
    return true;
}

/* The message, which the log owns in lockstep; NULL after a failure, or if the op must run again. */
static message *receive(tsr_call *c, member *w, int64_t channel, int64_t peer)
{
    tsr_mesh *m = w->process.mesh;
    tsr_log_entry *before = tsr_log_next(w);
    if (before && before->message)
        return before->message;
    bool ok = true, later = false;
    tsr_lock(&m->lock);
    if (!before) {
        w->peer = peer;
        w->channel = channel;
        w->got = NULL;
        before = m->engine ? tsr_log_add(w) : NULL;
        if (m->remote && peer != TSR_ANYONE && !tsr_remote_has(m, (uint32_t)peer))
            w->op = c->op, tsr_remote_receive(m, w);
        if (!w->got && (peer == TSR_ANYONE || !take_message(m, w))) {
            later = m->engine && tsr_lockstep_pause(m, w, IN_RECV, c->op, channel);
            ok = later || wait_in(m, w, IN_RECV, c->op, channel);
        }
    }
    message *s = w->got;
    w->got = NULL;
    if (before)
        before->message = s;
    tsr_unlock(&m->lock);
    if (!ok || (!s && !later))
        give_up(c);
    return s;
}

bool tsr_mesh_recv(tsr_call *c, int64_t channel, int64_t peer, tsr_tensor **out, size_t n)
{
    member *w = member_of(c->e);
    if (!w)
        return tsr_fail(c, "has nobody to receive from: it is not run in a grid of processes");
    TSR_TRY(!w->process.mesh->remote || peer != TSR_ANYONE || fail_apart(c));
    message *s = receive(c, w, channel, peer);
    if (!s)
        return false;
    bool ok = s->n == n || tsr_fail(c, "gets a message of %zu values where it wants %zu", s->n, n);
    for (size_t i = 0; ok && i < n; i++)
        out[i] = tsr_tensor_ref(s->values[i]);
    if (!w->process.mesh->engine)
        tsr_mesh_free_message(s);
    return ok;
}

/* The number of the item that the process gets. False: after a failure, or the op must run again. */
static bool wait_for_item(tsr_call *c, member *w, size_t *item)
{
    tsr_mesh *m = w->process.mesh;
    tsr_log_entry *before = tsr_log_next(w);
    if (before && before->done) {
        *item = before->item;
        return true;
    }
    tsr_lock(&m->lock);
    bool ok = before ? !m->stuck : true, later = false;
    if (!before && m->engine) {
        tsr_log_add(w);
        later = tsr_lockstep_pause(m, w, IN_INFEED, c->op, 0);
    } else if (!before) {
        ok = wait_in(m, w, IN_INFEED, c->op, 0);
    } else {
        *before = (tsr_log_entry){.item = w->item, .done = true};
    }
    *item = w->item;
    tsr_unlock(&m->lock);
    return ok ? !later : give_up(c);
}

bool tsr_mesh_infeed(tsr_call *c, const tsr_attr **function, tsr_tensor **item)
{
    member *w = member_of(c->e);
    tsr_eval_host *host = c->e->host;
    const tsr_attr *functions = w ? w->process.mesh->infeed : NULL;
    size_t i = 0;
    if (w)
        TSR_TRY((!w->process.mesh->remote || fail_apart(c)) && wait_for_item(c, w, &i));
    else if (host)
        i = host->infeed_next++;
    if (functions && i < functions->n) {
        *function = functions->attrs[i];
        return true;
    }
    if (functions || !host || i >= host->ninfeed)
        return tsr_fail(c, "finds nothing in the infeed");
    *item = tsr_tensor_ref(host->infeed[i]);
    return true;
}

/* ---- The grid ---- */

void tsr_mesh_finish(member *w, bool ok)
{
    tsr_mesh *m = w->process.mesh;
    tsr_lock(&m->lock);
    w->state = ok ? ENDED : FAILED;
    m->running--;
    m->live--;
    if (!m->engine)
        tsr_mesh_when_quiet(m);
    tsr_unlock(&m->lock);
}

void tsr_job_end(tsr_job *job)
{
    for (size_t i = 0; job->in && i < job->nin; i++)
        tsr_tensor_unref(job->in[i]);
    tsr_free(job->in);
    *job = (tsr_job){0};
}

static void run_program(void *user)
{
    member *w = user;
    const tsr_jobs *jobs = w->process.mesh->jobs;
    tsr_job job = {0};
    bool ok = jobs->run ? jobs->run(jobs->user, &w->eval)
                        : jobs->begin(jobs->user, &w->eval, &job) &&
                              tsr_eval_function(&w->eval, job.func, job.in, job.nin, job.out);
    tsr_job_end(&job);
    tsr_mesh_finish(w, ok);
}

static void *run_member(void *user)
{
    member *w = user;
    w->stopped = !tsr_try_thread(w->process.mesh->limits, run_program, w);
    if (w->stopped)
        tsr_mesh_finish(w, false);
    return NULL;
}

static void start(tsr_mesh *m, tsr_call *c, member *w, uint32_t id)
{
    w->process = (tsr_process){
        .mesh = m, .id = id, .replica = id / m->partitions, .partition = id % m->partitions};
    tsr_eval_init_process(&w->eval, c, &w->process, id);
    pthread_cond_init(&w->wake, NULL);
}

static void start_all(tsr_mesh *m, tsr_call *c)
{
    m->members = tsr_xmalloc(m->n * sizeof *m->members);
    memset(m->members, 0, m->n * sizeof *m->members);
    m->local = tsr_xmalloc(m->n * sizeof *m->local);
    for (uint32_t i = 0; i < m->n; i++) {
        m->local[i] = i;
        start(m, c, &m->members[i], i);
    }
}

static void run_all(tsr_mesh *m)
{
    bool first = m->limits && !m->limits->threaded && m->n > 1; /* threads of this call */
    if (first)
        m->limits->threaded = true;
    for (uint32_t i = 1; i < m->n; i++) {
        member *w = &m->members[i];
        w->has_thread = pthread_create(&w->thread, NULL, run_member, w) == 0;
        if (!w->has_thread)
            tsr_mesh_finish(w, false);
    }
    run_member(&m->members[0]);
    for (uint32_t i = 1; i < m->n; i++)
        if (m->members[i].has_thread)
            pthread_join(m->members[i].thread, NULL);
    if (first)
        m->limits->threaded = false;
}

/* A process that was stopped ends the call: its memory is freed with the scope. */
static void end_if_stopped(tsr_mesh *m)
{
    if (!m->limits || !atomic_load(&m->limits->stopped))
        return;
    for (uint32_t i = 0; i < m->n; i++)
        pthread_cond_destroy(&m->members[i].wake);
    pthread_mutex_destroy(&m->lock);
    pthread_mutex_destroy(&m->own_context_lock);
    pthread_mutex_destroy(&m->own_stops.lock);
    tsr_stop_again();
}

/* Becomes c's failure, with the location of what failed. */
static bool pass_on(tsr_call *c, tsr_loc loc, bool environment, const tsr_buf *text)
{
    tsr_failure *f = &c->e->failure;
    if (!f->failed) {
        f->failed = true;
        f->environment = environment;
        f->loc = loc;
        tsr_buf_str(&f->message, tsr_buf_text(text));
    }
    return false;
}

/* The result of the run: the first process's own failure, else a deadlock, else a message that nobody received. */
static bool outcome(tsr_call *c, tsr_mesh *m)
{
    tsr_buf text = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < m->nlocal; i++) {
        const member *w = &m->members[m->local[i]];
        if (w->state != FAILED || w->given_up)
            continue;
        if (m->n > 1)
            tsr_buf_printf(&text, "process (%u, %u): ", w->process.replica, w->process.partition);
        bool no_thread = w->process.id && !w->has_thread && !m->engine;
        if (no_thread)
            tsr_buf_printf(&text, "there is no thread for it, of %u", m->n);
        tsr_buf_str(&text, tsr_buf_text(&w->eval.failure.message));
        tsr_buf_str(&text, tsr_buf_text(&m->report));
        ok = pass_on(c, no_thread ? c->op->loc : w->eval.failure.loc,
                     no_thread || w->eval.failure.environment, &text);
    }
    if (ok && m->stuck) {
        const member *w = &m->members[m->stuck_at];
        if (m->why.len)
            tsr_buf_printf(&text, "%.*s; ", TSR_STR_ARG(tsr_buf_text(&m->why)));
        tsr_buf_printf(&text,
                       "'%.*s' op waits for what never comes:", TSR_STR_ARG(w->op->def->name));
        tsr_buf_str(&text, tsr_buf_text(&m->report));
        ok = pass_on(c, w->op->loc, false, &text);
    }
    const message *lost = m->messages; /* the oldest of the first process */
    for (const message *s = m->messages; s; s = s->next)
        if (s->from < lost->from)
            lost = s;
    if (ok && lost) {
        tsr_buf_printf(&text, "'%.*s' op of process ", TSR_STR_ARG(lost->op->def->name));
        say_process(&text, m, lost->from);
        tsr_buf_printf(&text, " sends on channel %lld what nobody receives",
                       (long long)lost->channel);
        ok = pass_on(c, lost->op->loc, false, &text);
    }
    tsr_buf_free(&text);
    return ok;
}

static void free_mesh(tsr_mesh *m)
{
    tsr_lockstep_free(m);
    for (uint32_t i = 0; i < m->n; i++)
        for (meeting *at = m->members[i].meetings, *next; at; at = next) {
            next = at->next;
            free_meeting(at);
        }
    for (message *s = m->messages, *next; s; s = next) {
        next = s->next;
        tsr_mesh_free_message(s);
    }
    for (uint32_t i = 0; i < m->n; i++) {
        tsr_eval_free(&m->members[i].eval);
        pthread_cond_destroy(&m->members[i].wake);
    }
    tsr_free(m->members);
    tsr_free(m->local);
    tsr_buf_free(&m->why);
    tsr_share_free(&m->share);
    tsr_buf_free(&m->report);
    pthread_mutex_destroy(&m->lock);
    pthread_mutex_destroy(&m->own_context_lock);
    pthread_mutex_destroy(&m->own_stops.lock);
}

/* Fails for a reason other than the program. */
static bool refuse(tsr_call *c)
{
    c->e->failure.environment = true;
    return false;
}

/* Whether that many devices may run. A thread for each overloads a machine long before their values do. */
static bool check_devices(tsr_call *c, uint32_t n, bool threads)
{
    enum { MOST = 65536, MOST_THREADS = 8192 };
    const tsr_scope *scope = tsr_scope_now();
    uint64_t most = scope ? scope->limits->budget.max_devices : MOST;
    if (n > most) {
        tsr_fail(c, "asks for %u devices, which are more than are allowed (--max-devices=%llu)", n,
                 (unsigned long long)most);
        return refuse(c);
    }
    if (threads && n > MOST_THREADS) {
        tsr_fail(c,
                 "asks for %u devices; the reference evaluator takes a thread for each, of at most "
                 "%d (--engine=compiled does not)",
                 n, MOST_THREADS);
        return refuse(c);
    }
    return true;
}

bool tsr_mesh_run(tsr_call *c, uint32_t replicas, uint32_t partitions, const tsr_attr *infeed,
                  const tsr_jobs *jobs)
{
    enum { MOST = 65536, DEEPEST = 32 };
    if (!replicas || !partitions || replicas > MOST / partitions)
        return tsr_fail(c, "asks for a grid of %u times %u processes", replicas, partitions);
    tsr_stepper *engine = jobs->begin && !c->e->process ? c->e->engine : NULL;
    TSR_TRY(check_devices(c, replicas * partitions, !engine));
    tsr_scope *scope = tsr_scope_now();
    uint32_t level = c->e->process ? c->e->process->mesh->level + 1 : 0;
    if (level > DEEPEST)
        return tsr_fail(c, "starts processes inside processes, more than %d levels deep", DEEPEST);
    tsr_mesh m = {
        .level = level, .replicas = replicas, .partitions = partitions, .n = replicas * partitions};
    m.infeed = infeed;
    m.host = c->e->host;
    m.jobs = jobs;
    m.engine = engine;
    m.limits = scope ? scope->limits : NULL;
    m.running = m.live = m.nlocal = m.n;
    m.last_message = &m.messages;
    tsr_share_init(&m.share);
    pthread_mutex_init(&m.lock, NULL);
    pthread_mutex_init(&m.own_context_lock, NULL);
    pthread_mutex_init(&m.own_stops.lock, NULL);
    m.context_lock = c->e->process ? c->e->process->mesh->context_lock : &m.own_context_lock;
    m.stops = c->e->process ? c->e->process->mesh->stops : &m.own_stops;
    start_all(&m, c);
    if (c->e->remote && engine)
        tsr_remote_begin(c->e->remote, &m);
    bool begun = true;
    if (engine)
        begun = tsr_lockstep_run(c, &m);
    else
        run_all(&m);
    end_if_stopped(&m);
    bool ok = begun && outcome(c, &m);
    for (uint32_t i = 0; i < m.nlocal; i++) {
        member *w = &m.members[m.local[i]];
        ok &= tsr_effects_flush(c, &w->effects);
        tsr_eval_join_process(c, &w->eval);
    }
    tsr_rng_skip(&c->e->rng);
    free_mesh(&m);
    return ok;
}
