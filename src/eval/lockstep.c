/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep.c - runs the processes of a grid without a thread for each.
 *
 * In each round, all processes that can continue are advanced, on the threads of the pool, each until it ends or must
 * wait. A kernel that must wait for others returns false and is run again, from its beginning, when they have arrived.
 * The log of its process records what it did the first time, so that it meets nobody twice. Its other effects (random
 * numbers, side effects, states) are undone when it waits. The order of execution decides nothing: values of meetings
 * are in the order of groups, and items that several could take are handed out when nobody can continue, as with
 * threads. */
#include "base/threads.h"
#include "eval/grid.h"

/* ---- Ops that wait ---- */

tsr_log_entry *tsr_log_next(member *w)
{
    return w->at < w->log.n ? &w->log.data[w->at++] : NULL;
}

tsr_log_entry *tsr_log_add(member *w)
{
    tsr_vec_push(&w->log, (tsr_log_entry){0});
    w->at = w->log.n;
    return &w->log.data[w->log.n - 1];
}

bool tsr_lockstep_pause(tsr_mesh *m, member *w, member_state state, const tsr_op *op,
                        int64_t channel)
{
    w->paused = true;
    if (w->starting)
        return true;
    w->state = state;
    w->op = op;
    w->channel = channel;
    m->running--;
    return true;
}

/* The op is done, and its log is no longer needed. Returns whether the process, if it stays, has to wait until others
 * have read what it brought: even a failed one, whose memory they read. */
static bool end_log(member *w, bool stays)
{
    tsr_mesh *m = w->process.mesh;
    if (!w->log.n)
        return false;
    tsr_lock(&m->lock);
    w->staying = 0;
    for (size_t i = 0; i < w->log.n; i++) {
        tsr_log_entry *x = &w->log.data[i];
        meeting *at = x->meeting && meeting_is_met(m, x->meeting) ? x->meeting : NULL;
        w->staying += at && at->lent && at->left + 1 < meeting_leavers(at);
        if (at)
            tsr_mesh_leave(m, at);
        if (x->message)
            tsr_mesh_free_message(x->message);
    }
    w->log.n = 0;
    bool waits = stays && w->staying;
    if (waits) {
        w->state = LEAVING;
        m->running--;
    }
    tsr_unlock(&m->lock);
    return waits;
}

/* Ops inside the op may run several times too. */
static bool has_ops(const tsr_op *op)
{
    return op->nregion || tsr_op_has(op, TSR_TRAIT(CALL));
}

void tsr_mesh_op_begin(tsr_eval *e, const tsr_op *op, tsr_op_mark *mark)
{
    member *w = member_of(e);
    w->at = 0;
    w->outer = op;
    *mark = (tsr_op_mark){.rng = e->rng, .neffect = w->effects.n, .nzero = e->zeros.n};
    if (!has_ops(op))
        return;
    if (e->zeros.n) {
        mark->zeros = tsr_xmalloc(e->zeros.n * sizeof *mark->zeros);
        memcpy(mark->zeros, e->zeros.data, e->zeros.n * sizeof *mark->zeros);
    }
    size_t n = e->states ? e->module->nop + 1 : 0;
    mark->states = n ? tsr_xmalloc(n * sizeof *mark->states) : NULL;
    for (size_t i = 0; i < n; i++)
        mark->states[i] = e->states[i] ? tsr_tensor_ref(e->states[i]) : NULL;
}

/* Restores the state before the op. */
static void undo(tsr_eval *e, const tsr_op_mark *mark)
{
    member *w = member_of(e);
    tsr_buf_free(&e->failure.message);
    e->failure = (tsr_failure){0};
    e->rng = mark->rng;
    tsr_effects_drop(&w->effects, mark->neffect);
    for (size_t i = mark->nzero; i < e->zeros.n; i++)
        e->zero_at[e->zeros.data[i].op->id] = 0;
    e->zeros.n = mark->nzero;
    if (mark->zeros)
        memcpy(e->zeros.data, mark->zeros, mark->nzero * sizeof *mark->zeros);
    for (size_t i = 0; e->states && mark->states && i <= e->module->nop; i++) {
        tsr_tensor_unref(e->states[i]);
        e->states[i] = mark->states[i] ? tsr_tensor_ref(mark->states[i]) : NULL;
    }
}

static void free_mark(const tsr_eval *e, tsr_op_mark *mark)
{
    tsr_free(mark->zeros);
    for (size_t i = 0; mark->states && i <= e->module->nop; i++)
        tsr_tensor_unref(mark->states[i]);
    tsr_free(mark->states);
}

/* The log of an op that has started. */
struct tsr_op_log {
    size_t n;
    tsr_log_entry entries[];
};

void tsr_mesh_op_start(tsr_eval *e, const tsr_op *op, tsr_op_mark *mark)
{
    member *w = member_of(e);
    tsr_mesh_op_begin(e, op, mark);
    w->starting = true;
    w->outer = NULL; /* what it brings is copied: the process goes on computing */
}

tsr_op_log *tsr_mesh_op_park(tsr_eval *e, tsr_op_mark *mark)
{
    member *w = member_of(e);
    tsr_op_log *log = NULL;
    w->starting = w->paused = false;
    undo(e, mark);
    free_mark(e, mark);
    if (!w->log.n)
        return NULL;
    log = tsr_xmalloc(sizeof *log + w->log.n * sizeof *log->entries);
    log->n = w->log.n;
    memcpy(log->entries, w->log.data, log->n * sizeof *log->entries);
    w->log.n = 0;
    return log;
}

void tsr_mesh_op_resume(tsr_eval *e, tsr_op_log *log)
{
    member *w = member_of(e);
    for (size_t i = 0; i < log->n; i++)
        tsr_vec_push(&w->log, log->entries[i]);
    w->at = 0;
    tsr_op_log_free(log);
}

void tsr_op_log_free(tsr_op_log *log)
{
    tsr_free(log);
}

tsr_advance tsr_mesh_op_end(tsr_eval *e, tsr_op_mark *mark, bool ok)
{
    member *w = member_of(e);
    bool waits = w->paused, leaves = false;
    w->paused = false;
    if (waits)
        undo(e, mark);
    else
        leaves = end_log(w, true);
    free_mark(e, mark);
    return waits ? TSR_STEP_WAITS : leaves ? TSR_STEP_LEAVES : ok ? TSR_STEP_DONE : TSR_STEP_FAILED;
}

/* ---- Rounds ---- */

static void end_member(tsr_mesh *m, member *w)
{
    if (w->run)
        m->engine->end(w->run);
    w->run = NULL;
    tsr_job_end(&w->job);
}

static void advance(void *mesh, int64_t i, int worker)
{
    tsr_mesh *m = mesh;
    member *w = &m->members[m->stepping.data[i]];
    bool ok = w->run || m->jobs->begin(m->jobs->user, &w->eval, &w->job);
    if (ok && !w->run)
        w->run = m->engine->start(m->state, &w->eval, &w->job);
    tsr_advance step = w->run ? m->engine->advance(w->run, worker) : TSR_STEP_FAILED;
    if (step == TSR_STEP_WAITS)
        return;
    end_member(m, w);
    end_log(w, false);
    tsr_mesh_finish(w, step == TSR_STEP_DONE);
}

/* Many processes run in parallel, each on one thread; if there are few, each runs on all threads. */
static void run_round(tsr_mesh *m)
{
    int64_t n = (int64_t)m->stepping.n;
    if (n >= tsr_pool_size()) {
        tsr_pool_for(n, advance, m);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        advance(m, i, 0);
}

static void run_rounds(void *mesh)
{
    tsr_mesh *m = mesh;
    for (uint32_t i = 0; i < m->nlocal; i++)
        tsr_vec_push(&m->ready, m->local[i]);
    while (m->live) {
        if (m->remote)
            tsr_remote_wait(m);
        tsr_lock(&m->lock);
        if (!m->ready.n)
            tsr_mesh_when_quiet(m);
        m->stepping.n = 0;
        for (size_t i = 0; i < m->ready.n; i++)
            tsr_vec_push(&m->stepping, m->ready.data[i]);
        m->ready.n = 0;
        tsr_unlock(&m->lock);
        run_round(m);
    }
}

bool tsr_lockstep_run(tsr_call *c, tsr_mesh *m)
{
    m->state = m->engine->open(m->engine, c, m->jobs, m->nlocal);
    bool ok = m->state && tsr_try(run_rounds, m); /* a stop frees all memory */
    if (m->remote)
        tsr_remote_end(m, m->state && !ok);
    return m->state != NULL;
}

void tsr_lockstep_free(tsr_mesh *m)
{
    for (uint32_t i = 0; i < m->n; i++) {
        member *w = &m->members[i];
        end_member(m, w);
        tsr_vec_free(&w->log);
    }
    tsr_vec_free(&m->ready);
    tsr_vec_free(&m->stepping);
    if (m->state)
        m->engine->close(m->state);
    m->state = NULL;
}
