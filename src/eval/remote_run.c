/* SPDX-License-Identifier: Apache-2.0 */
/* remote_run.c - runs of a job that lasts: which run a message belongs to, ranks that are in different runs, and runs
 * that fail while the process lives on. See remote.h.
 *
 * A run is known by its list of devices, by how many runs that list has had, and by its program. A rank makes one run
 * at a time, and its messages arrive in order. So a rank that has begun another run will send nothing more for this
 * one: whoever waits for it knows that the two launched different programs, or in different orders. */
#include "eval/remote_inner.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- Names ---- */

void tsr_remote_set_lasting(tsr_remote *r)
{
    size_t n = (size_t)r->t->size;
    r->lasting = true;
    r->names = tsr_xmalloc(n * sizeof *r->names);
    r->reported = tsr_xmalloc(n * sizeof *r->reported);
    tsr_keep(r->names);
    tsr_keep((void *)r->reported);
    for (size_t i = 0; i < n; i++) {
        snprintf(r->names[i], sizeof r->names[i], "process %zu", i);
        atomic_init(&r->reported[i], false);
    }
}

void tsr_remote_name(tsr_remote *r, int rank, const char *name)
{
    snprintf(r->names[rank], sizeof r->names[rank], "%s", name);
}

const char *tsr_remote_rank_name(const tsr_remote *r, int rank)
{
    return r->names[rank];
}

void tsr_remote_report(tsr_remote *r, int rank)
{
    if (rank < 0 || rank >= r->t->size || atomic_exchange(&r->reported[rank], true))
        return;
    atomic_fetch_add(&r->nreported, 1);
}

static char *kept_text(tsr_str text)
{
    char *copy = tsr_xmalloc(text.len + 1);
    tsr_keep(copy);
    memcpy(copy, text.data, text.len);
    copy[text.len] = 0;
    return copy;
}

static known_program *find_program(const tsr_remote *r, uint64_t program)
{
    for (size_t i = 0; i < r->programs.n; i++)
        if (r->programs.data[i].program == program)
            return &r->programs.data[i];
    return NULL;
}

static known_program *learn_program(tsr_remote *r, uint64_t program, tsr_str name)
{
    known_program *p = find_program(r, program);
    if (p)
        return p;
    tsr_vec_push(&r->programs, ((known_program){program, kept_text(name), NULL}));
    tsr_keep(r->programs.data);
    return &r->programs.data[r->programs.n - 1];
}

static const char *program_name(const tsr_remote *r, uint64_t program)
{
    const known_program *p = find_program(r, program);
    return p ? p->name : "an unnamed program";
}

/* The name of the running program, with the place of its first op that has one. */
static void name_program(tsr_remote *r, const tsr_mesh *m)
{
    tsr_buf text = {0};
    const tsr_op *func = m->jobs->function ? m->jobs->function(m->jobs->user, m->local[0]) : NULL;
    if (find_program(r, r->program))
        return;
    tsr_buf_str(&text, r->run->name);
    const tsr_block *body = func ? func->regions[0].first : NULL;
    for (const tsr_op *op = body ? body->first : NULL; op; op = op->next) {
        tsr_str file;
        uint32_t line, col;
        if (!tsr_loc_position(op->module->ctx, op->loc, &file, &line, &col))
            continue;
        tsr_buf_printf(&text, " (%.*s:%u:%u)", TSR_STR_ARG(file), line, col);
        break;
    }
    learn_program(r, r->program, tsr_buf_text(&text));
    tsr_buf_free(&text);
}

/* ---- Headers ---- */

static void introduce(tsr_remote *r, int rank)
{
    known_program *p = learn_program(r, r->program, r->run->name);
    if (!p->told) {
        size_t n = (size_t)r->t->size;
        p->told = tsr_xmalloc(n);
        tsr_keep(p->told);
        memset(p->told, 0, n);
    }
    if (p->told[rank])
        return;
    p->told[rank] = true;
    rank_head h = {.what = SAYS_PROGRAM};
    size_t n = strlen(p->name);
    char *data = tsr_xmalloc(sizeof h + n);
    memcpy(data, &h, sizeof h);
    memcpy(data + sizeof h, p->name, n);
    tsr_remote_send_head(r, rank, data, sizeof h + n, (rank_transfer){.at = NULL});
}

void tsr_remote_stamp(tsr_remote *r, int rank, char *data)
{
    rank_head h;
    memcpy(&h, data, sizeof h);
    if (r->run && h.what != SAYS_PROGRAM && h.what != SAYS_FAILED)
        introduce(r, rank);
    h.list = r->list;
    h.grid = r->grid;
    h.program = r->program;
    memcpy(data, &h, sizeof h);
}

static uint64_t runs_of(const tsr_remote *r, uint64_t list)
{
    for (size_t i = 0; i < r->runs.n; i++)
        if (r->runs.data[i].list == list)
            return r->runs.data[i].n;
    return 0;
}

static void count_run(tsr_remote *r, uint64_t list)
{
    for (size_t i = 0; i < r->runs.n; i++)
        if (r->runs.data[i].list == list) {
            r->grid = ++r->runs.data[i].n;
            return;
        }
    tsr_vec_push(&r->runs, ((run_count){list, 1}));
    tsr_keep(r->runs.data);
    r->grid = 1;
}

bool tsr_remote_is_past(const tsr_remote *r, const rank_head *h)
{
    uint64_t n = runs_of(r, h->list);
    bool current = r->run && h->list == r->list && h->grid == r->grid;
    return current ? r->broken : h->grid <= n;
}

/* ---- Failures ---- */

void tsr_remote_doubt(tsr_remote *r, bool lost, const char *why, ...)
{
    if (r->failing || r->broken)
        return;
    va_list args;
    va_start(args, why);
    vsnprintf(r->why, sizeof r->why, why, args);
    va_end(args);
    r->failing = true;
    r->lost = lost;
}

/* The ranks of the run, this one excepted; stamped once. */
static bool next_rank(tsr_remote *r, size_t *i, int *rank)
{
    for (; *i < r->run->n; (*i)++) {
        uint32_t at = r->run->ranks[*i];
        if (at == (uint32_t)r->t->rank || r->stamp[at] == r->stamps)
            continue;
        r->stamp[at] = r->stamps;
        *rank = (int)at;
        return true;
    }
    return false;
}

static void tell_one(tsr_remote *r, int rank, const rank_head *h, const char *why)
{
    size_t n = strlen(why);
    char *data = tsr_xmalloc(sizeof *h + n);
    memcpy(data, h, sizeof *h);
    memcpy(data + sizeof *h, why, n);
    tsr_remote_send_head(r, rank, data, sizeof *h + n, (rank_transfer){.at = NULL});
}

void tsr_remote_tell_failed(tsr_remote *r, bool lost, const char *why)
{
    const rank_head h = {.what = SAYS_FAILED, .op = lost};
    if (r->told)
        return;
    r->told = r->lasting;
    size_t i = 0;
    int rank = 0;
    if (r->lasting) {
        r->stamps++;
        while (next_rank(r, &i, &rank))
            tell_one(r, rank, &h, why);
        return;
    }
    for (; rank < r->t->size; rank++)
        if (rank != r->t->rank)
            tell_one(r, rank, &h, "");
}

void tsr_remote_drop_all(tsr_remote *r, bool settles)
{
    for (size_t i = 0; i < r->active.n; i++) {
        rank_transfer x = r->active.data[i];
        if (x.request.word)
            r->t->cancel(r->t, &x.request);
        if (settles)
            tsr_remote_end_transfer(r, &x, false);
        else
            tsr_free(x.own);
    }
    r->active.n = r->refused.n = 0;
}

void tsr_remote_break(tsr_remote *r)
{
    r->broken = true;
    tsr_remote_drop_all(r, true);
    tsr_remote_tell_failed(r, r->lost, r->why);
}

void tsr_remote_check_ranks(tsr_remote *r)
{
    size_t i = 0;
    int rank = 0;
    for (; !r->lasting && rank < r->t->size; rank++)
        if (rank != r->t->rank && r->t->lost(r->t, rank))
            tsr_remote_give_up(r);
    if (!r->run || r->failing)
        return;
    r->stamps++;
    while (next_rank(r, &i, &rank)) {
        if (atomic_load(&r->reported[rank])) {
            tsr_remote_doubt(r, true, "%s is gone: the job's service says so",
                             tsr_remote_rank_name(r, rank));
        } else if (r->t->gone && r->t->lost(r->t, rank)) {
            tsr_remote_doubt(r, true, "%s", r->t->error);
        }
    }
}

/* ---- Different runs ---- */

static void differ(tsr_remote *r, int rank, const rank_head *h)
{
    tsr_remote_doubt(r, false,
                     "processes launch different programs: %s runs %s (run %llu on its devices), "
                     "while %s runs %s (run %llu)",
                     tsr_remote_rank_name(r, r->t->rank), program_name(r, r->program),
                     (unsigned long long)r->grid, tsr_remote_rank_name(r, rank),
                     program_name(r, h->program), (unsigned long long)h->grid);
}

/* Another rank says why a run has failed. */
static bool take_failure(tsr_remote *r, const rank_arrival *a, const rank_head *h)
{
    if (!r->lasting) {
        r->follows |= !r->broken;
        r->broken = true;
    } else if (r->run && h->list == r->list && h->grid == r->grid) {
        size_t n = a->bytes > sizeof *h ? a->bytes - sizeof *h : 0;
        tsr_remote_doubt(r, h->op != 0, "%.*s", (int)n, a->data + sizeof *h);
        r->follows = true;
    } else if (!tsr_remote_is_past(r, h)) {
        return false;
    }
    tsr_free(a->data);
    return true;
}

bool tsr_remote_sort(tsr_remote *r, const rank_arrival *a, const rank_head *h)
{
    if (h->what == SAYS_FAILED) {
        if (!take_failure(r, a, h))
            tsr_vec_push(&r->waiting, *a);
        return true;
    }
    if (!r->lasting)
        return false;
    if (h->what == SAYS_PROGRAM) {
        tsr_str name = {a->data + sizeof *h, a->bytes > sizeof *h ? a->bytes - sizeof *h : 0};
        learn_program(r, h->program, name);
        tsr_free(a->data);
        return true;
    }
    bool current = r->run && h->list == r->list && h->grid == r->grid;
    if (current && h->program != r->program)
        differ(r, a->rank, h);
    bool past = tsr_remote_is_past(r, h) || (current && h->program != r->program);
    if (past)
        tsr_free(a->data);
    return past;
}

/* Something of another run has come from a rank. */
static const rank_arrival *other_run_of(const tsr_remote *r, int rank, rank_head *h)
{
    for (size_t i = 0; i < r->waiting.n; i++) {
        const rank_arrival *a = &r->waiting.data[i];
        memcpy(h, a->data, sizeof *h);
        if (a->rank == rank && (h->list != r->list || h->grid != r->grid))
            return a;
    }
    return NULL;
}

static void check_rank(tsr_remote *r, uint32_t process)
{
    rank_head h;
    int rank = (int)r->ranks[process];
    if (rank == r->t->rank)
        return;
    if (r->t->lost(r->t, rank))
        tsr_remote_doubt(r, true, "%s", r->t->error);
    if (other_run_of(r, rank, &h))
        differ(r, rank, &h);
}

/* Whether the rank of a process sends what this one waits for itself. */
static bool is_awaited(const tsr_remote *r, const meeting *at, uint32_t process)
{
    return !at->other.relay || tsr_relay_awaits(at, (int)r->ranks[process]);
}

void tsr_remote_check_order(tsr_remote *r)
{
    const tsr_mesh *m = r->m;
    for (uint32_t k = 0; k < m->nlocal; k++) {
        const member *w = &m->members[m->local[k]];
        const meeting *at = w->state == IN_MEETING ? w->meeting : NULL;
        for (size_t i = 0; at && i < at->group.n; i++)
            if (!at->here[i] && is_awaited(r, at, at->group.ids[i]))
                check_rank(r, at->group.ids[i]);
        if (w->state == IN_RECV && w->peer >= 0)
            check_rank(r, (uint32_t)w->peer);
    }
}

/* ---- Runs ---- */

void tsr_remote_place(tsr_remote *r, tsr_mesh *m)
{
    for (int rank = 0; !r->run && rank < r->t->size; rank++) {
        uint32_t first, last;
        tsr_remote_range(r->t, rank, m->n, &first, &last);
        for (uint32_t i = first; i < last; i++)
            r->ranks[i] = (uint32_t)rank;
    }
    if (!r->run)
        r->grid++;
    m->nlocal = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        if (r->run)
            r->ranks[i] = r->run->ranks[i];
        if (r->ranks[i] == (uint32_t)r->t->rank)
            m->local[m->nlocal++] = i;
    }
    m->running = m->live = m->nlocal;
    if (r->run && m->nlocal)
        name_program(r, m);
}

/* What came for this run before it began here, and what is too late for others. */
static void look_back(tsr_remote *r)
{
    for (size_t i = 0; i < r->waiting.n;) {
        rank_arrival a = r->waiting.data[i];
        rank_head h;
        memcpy(&h, a.data, sizeof h);
        bool current = h.list == r->list && h.grid == r->grid;
        if (h.what == SAYS_BYTES || (current && h.what != SAYS_FAILED && h.program == r->program) ||
            (!current && !tsr_remote_is_past(r, &h))) {
            i++;
            continue;
        }
        memmove(&r->waiting.data[i], &r->waiting.data[i + 1],
                (--r->waiting.n - i) * sizeof *r->waiting.data);
        if (!tsr_remote_sort(r, &a, &h))
            tsr_free(a.data);
    }
}

void tsr_remote_expect(tsr_remote *r, const tsr_remote_run *run)
{
    r->run = run;
    r->list = run->list;
    r->program = run->program;
    r->broken = r->failing = r->lost = r->told = r->follows = false;
    r->why[0] = 0;
    count_run(r, run->list);
    look_back(r);
}

bool tsr_remote_settle(tsr_remote *r, bool ok, tsr_str why)
{
    if (!ok && !r->broken) {
        tsr_remote_doubt(r, false, "%s has failed: %.*s", tsr_remote_rank_name(r, r->t->rank),
                         TSR_STR_ARG(why));
        tsr_remote_tell_failed(r, r->lost, r->why);
    }
    for (int i = 0; i < 1000 && r->active.n; i++) {
        rank_transfer *x = &r->active.data[r->active.n - 1];
        int done = x->request.word ? r->t->test(r->t, &x->request) : 1;
        if (!done)
            continue;
        if (done < 0)
            r->t->cancel(r->t, &x->request);
        tsr_free(x->own);
        r->active.n--;
    }
    tsr_remote_drop_all(r, false);
    bool lost = r->lost;
    r->run = NULL;
    r->broken = r->failing = false;
    return ok || !lost;
}

void tsr_remote_free_runs(tsr_remote *r)
{
    for (size_t i = 0; i < r->programs.n; i++) {
        tsr_free(r->programs.data[i].name);
        tsr_free(r->programs.data[i].told);
    }
    tsr_vec_free(&r->programs);
    tsr_vec_free(&r->runs);
    tsr_free(r->names);
    tsr_free((void *)r->reported);
}
