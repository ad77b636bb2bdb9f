/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - memory in use while a device's program is simulated, in program order: see sim.h.
 *
 * Values share memory where a compiler would let them: what a loop carries is one buffer, from its first turn to its
 * results, and is the operand itself where the loop does not change it or is the last to read it; an update of part of a
 * value works in place of it, and an elementwise op in place of an operand, if nobody reads that one later. Arguments
 * belong to the caller unless they are donated. */
#include "sim/sim.h"

#include <math.h>

#include "base/scope.h"
#include "shard/core/cost.h"

enum {
    OWN,   /* of the block, or donated: free when nobody reads it any more */
    GIVEN, /* of somebody else, who may read it again */
    SLOT,  /* carried by the loop around the block: free for the value that the next turn gets */
};

struct tsr_sim_buffer {
    const tsr_value *
        root; /* the first value in the buffer of this one; NULL: it has none. The rest is about the root */
    double bytes;
    uint32_t
        end; /* 1 + the last task that reads a value in it; UINT32_MAX: live at the end of the block */
    uint32_t next; /* 1 + the id of another root in the same list of endings */
    bool listed;   /* it is in a list */
    uint8_t kind;
};
typedef struct tsr_sim_buffer buffer;

struct tsr_sim_buffer *tsr_sim_buffers(tsr_arena *arena, size_t n)
{
    return TSR_NEW_ARRAY(arena, buffer, n);
}

typedef struct {
    tsr_sim *sim;
    tsr_shard_plan *plan; /* NULL: the block is nested */
    const tsr_block *block;
    const tsr_op *around; /* whose block it is */
    const tsr_sim_reads *reads;
    uint32_t *ending; /* by task: 1 + the id of a root that may end there; they are linked */
    double live;
} walker;

static double bytes_of(walker *w, const tsr_value *v)
{
    int64_t n = tsr_local_bytes(v->type, NULL);
    w->sim->unknown |= n < 0;
    return n > 0 ? (double)n : 0;
}

static buffer *of(const walker *w, const tsr_value *v)
{
    return &w->reads->buffers[v->id];
}

/* ---- What the block returns ---- */

/* The value that a barrier passes on. */
static const tsr_value *source_of(const tsr_value *v, const tsr_block *block)
{
    while (!v->is_arg && v->op->block == block && tsr_sim_is_barrier(v->op))
        v = v->op->in[v->index].value;
    return v;
}

/* Whether the block returns the value, perhaps through barriers; *at: as which of its values, the first one. */
static bool is_returned(const tsr_value *v, const tsr_block *block, uint32_t *at)
{
    bool found = false;
    tsr_check_stack();
    for (const tsr_use *u = v->uses; u; u = u->next) {
        if (u->user->block != block)
            continue;
        uint32_t i = (uint32_t)(u - u->user->in);
        if (!tsr_op_has(u->user, TSR_TRAIT(TERMINATOR)) &&
            (!tsr_sim_is_barrier(u->user) || !is_returned(&u->user->out[i], block, &i)))
            continue;
        *at = found && *at < i ? *at : i;
        found = true;
    }
    return found;
}

static bool is_loop(const tsr_op *op)
{
    return tsr_flow_of(op) == TSR_FLOW_LOOP && op->nregion == 2 && op->nin == op->nout;
}

bool tsr_sim_keeps(const tsr_op *loop, uint32_t k)
{
    if (!is_loop(loop))
        return false;
    const tsr_block *body = loop->regions[1].first;
    return body && body->last && k < body->last->nin &&
           source_of(body->last->in[k].value, body) == body->args[k];
}

/* ---- Buffers ---- */

/* The root of the value's buffer; NULL: the value is not stored. */
static const tsr_value *root_of(const walker *w, const tsr_value *v)
{
    v = source_of(v, w->block);
    if ((v->is_arg ? v->block : v->op->block) != w->block)
        *of(w, v) = (buffer){.root = v, .kind = GIVEN}; /* from outside the block */
    return of(w, v)->root;
}

static void list(walker *w, uint32_t id)
{
    buffer *b = &w->reads->buffers[id];
    b->listed = b->kind == OWN && b->end && b->end <= w->sim->tasks.n;
    if (!b->listed)
        return;
    b->next = w->ending[b->end - 1];
    w->ending[b->end - 1] = id + 1;
}

static void end_at(walker *w, const tsr_value *root, uint32_t end)
{
    buffer *b = of(w, root);
    b->end = end > b->end ? end : b->end;
    if (!b->listed) /* else it moves on when its list is read */
        list(w, root->id);
}

/* Leaves those in list i that end there. over: task i is over, and frees them. */
static void settle(walker *w, uint32_t i, bool over)
{
    uint32_t id = w->ending[i];
    w->ending[i] = 0;
    while (id) {
        buffer *b = &w->reads->buffers[id - 1];
        uint32_t next = b->next;
        b->listed = false;
        if (over && b->end == i + 1)
            w->live -= b->bytes;
        else
            list(w, id - 1);
        id = next;
    }
}

static uint32_t end_of(const walker *w, const tsr_value *v, uint32_t i)
{
    uint32_t last = w->reads->last[v->id], at;
    return is_returned(v, w->block, &at) ? UINT32_MAX : last > i ? last : i + 1;
}

/* Whether task i is the last to read root's buffer, and a value of this size may be written there. */
static bool is_free(const walker *w, const tsr_value *root, double bytes, uint32_t i)
{
    const buffer *b = of(w, root);
    return b->kind != GIVEN && b->end == i + 1 && b->bytes == bytes;
}

/* The slot of the next turn's value, if v is that and nobody reads the slot any more, or the result of a branch. */
static const tsr_value *slot_of(const walker *w, const tsr_value *v, uint32_t i)
{
    uint32_t at;
    if (w->plan || !is_loop(w->around) || !is_returned(v, w->block, &at) || at >= w->block->nargs)
        return NULL;
    const tsr_value *slot = w->block->args[at];
    return of(w, slot)->kind == SLOT && of(w, slot)->end <= i ? slot : NULL;
}

/* ---- Sharing ---- */

static const tsr_value *shared_by_loop(const walker *w, const tsr_op *op, uint32_t k, double bytes,
                                       uint32_t i)
{
    uint32_t at;
    const tsr_value *root = root_of(w, op->in[k].value);
    if (tsr_sim_keeps(op, k))
        return root;
    if (!root || !is_free(w, root, bytes, i))
        return NULL;
    return of(w, root)->kind == OWN ||
                   (is_returned(&op->out[k], w->block, &at) && at == root->index)
               ? root
               : NULL;
}

/* An operand of an elementwise op that ends there and is read in order. */
static const tsr_value *shared_by_loop_over(const walker *w, const tsr_value *v, double bytes,
                                            uint32_t i)
{
    uint32_t at;
    for (uint32_t id = w->ending[i]; id; id = w->reads->buffers[id - 1].next) {
        const tsr_value *root = w->reads->buffers[id - 1].root;
        if (is_free(w, root, bytes, i) && w->reads->bent[root->id] != i + 1)
            return root;
    }
    if (w->plan || !is_loop(w->around) || !is_returned(v, w->block, &at) || at >= w->block->nargs)
        return NULL;
    const tsr_value *slot = w->block->args[at];
    return of(w, slot)->kind == SLOT && is_free(w, slot, bytes, i) &&
                   w->reads->bent[slot->id] != i + 1
               ? slot
               : NULL;
}

/* The root of the buffer that result k of task i shares; NULL: it gets its own. */
static const tsr_value *shared_by(const walker *w, const tsr_op *op, uint32_t k, double bytes,
                                  uint32_t i)
{
    const tsr_value *v = &op->out[k], *root;
    if (is_loop(op))
        return shared_by_loop(w, op, k, bytes, i);
    if (tsr_sim_is_update(op)) {
        root = root_of(w, op->in[k].value);
        return root && is_free(w, root, bytes, i) ? root : NULL;
    }
    if (tsr_op_has(op, TSR_TRAIT(ELEMENTWISE)) && (root = shared_by_loop_over(w, v, bytes, i)))
        return root;
    return slot_of(w, v, i);
}

/* ---- The walk ---- */

static void begin(walker *w)
{
    const tsr_block *block = w->block;
    bool body = !w->plan && is_loop(w->around) && block->region == &w->around->regions[1];
    for (uint32_t i = 0; i < block->nargs; i++) {
        const tsr_value *v = block->args[i];
        bool donated = w->plan && tsr_arg_is_donated(w->plan->func, i);
        *of(w, v) = (buffer){.root = v,
                             .bytes = bytes_of(w, v),
                             .kind = donated                                ? OWN
                                     : body && !tsr_sim_keeps(w->around, i) ? SLOT
                                                                            : GIVEN};
        w->live += w->plan ? of(w, v)->bytes : 0;
        uint32_t last = w->reads->last[v->id], at;
        end_at(w, v, is_returned(v, block, &at) ? UINT32_MAX : last || !w->sim->tasks.n ? last : 1);
    }
}

/* A branch computes its results where the enclosing op has them. */
static bool is_placed_outside(const walker *w, const tsr_value *v)
{
    uint32_t at;
    return !w->plan && !is_loop(w->around) && is_returned(v, w->block, &at);
}

/* Gives the results of task i their memory. Returns the bytes that it copies to change some of them. */
static double allocate(walker *w, uint32_t i)
{
    const tsr_op *op = w->sim->tasks.data[i].op;
    bool update = tsr_sim_is_update(op);
    double copied = 0;
    for (uint32_t k = 0; k < op->nout; k++) {
        const tsr_value *v = &op->out[k];
        double bytes = bytes_of(w, v);
        /* What a loop only passes on is computed where its body reads it, if it is not stored before. */
        if (w->reads->within[v->id] || is_placed_outside(w, v) ||
            (tsr_sim_keeps(op, k) && !root_of(w, op->in[k].value)))
            continue;
        const tsr_value *root = shared_by(w, op, k, bytes, i);
        copied += update && (!root || root != root_of(w, op->in[k].value)) ? bytes : 0;
        if (!root) {
            root = v;
            *of(w, v) = (buffer){.bytes = bytes, .kind = OWN};
            w->live += bytes;
        }
        of(w, v)->root = root;
        end_at(w, root, end_of(w, v, i));
    }
    return copied;
}

/* Results that are an argument of the caller's, or the same value as another result, are copied. */
static double copied_results(walker *w)
{
    const tsr_op *end = w->block->last;
    double copied = 0;
    for (uint32_t k = 0; end && k < end->nin; k++) {
        const tsr_value *root = root_of(w, end->in[k].value);
        if (!root)
            continue;
        copied += of(w, root)->kind == GIVEN ? of(w, root)->bytes : 0;
        of(w, root)->kind = GIVEN;
    }
    return copied;
}

static void add_alive(walker *w, const tsr_value *v, int64_t bytes)
{
    tsr_plan_alive one = {v, bytes};
    if (w->plan && w->plan->compiled)
        return;
    if (w->plan)
        tsr_vec_push(&w->plan->alive, one);
    else if (bytes)
        tsr_vec_push(&w->sim->alive, one);
}

/* The values in memory at the peak, with those inside the task that runs then. */
static void find_alive(walker *w, uint32_t at)
{
    for (uint32_t i = 0; w->plan && i < w->block->nargs; i++) {
        const tsr_value *v = w->block->args[i];
        if (of(w, v)->kind == GIVEN || of(w, v)->end > at)
            add_alive(w, v, (int64_t)of(w, v)->bytes);
    }
    for (uint32_t i = 0; i <= at && i < w->sim->tasks.n; i++) {
        const tsr_sim_task *t = &w->sim->tasks.data[i];
        for (uint32_t k = 0; k < t->op->nout; k++) {
            const tsr_value *v = &t->op->out[k];
            if (of(w, v)->root == v && of(w, v)->end > at && !w->reads->within[v->id])
                add_alive(w, v, (int64_t)of(w, v)->bytes);
        }
        for (uint32_t k = 0; i == at && k < t->ninner; k++)
            add_alive(w, t->inner[k].value, t->inner[k].bytes);
    }
}

/* Which tasks each value's memory is taken for. */
static void add_spans(walker *w)
{
    uint32_t n = (uint32_t)w->sim->tasks.n;
    for (uint32_t i = 0; w->plan && i < w->block->nargs; i++) {
        const tsr_value *v = w->block->args[i];
        const buffer *b = of(w, v);
        uint32_t last = b->kind == GIVEN || b->end > n ? n : b->end ? b->end - 1 : 0;
        tsr_vec_push(&w->sim->spans, ((tsr_sim_span){v, b->bytes, 0, last}));
    }
    for (uint32_t i = 0; i < n; i++) {
        const tsr_op *op = w->sim->tasks.data[i].op;
        for (uint32_t k = 0; k < op->nout; k++) {
            const tsr_value *v = &op->out[k];
            const buffer *b = of(w, v);
            if (b->root == v && b->bytes > 0 && !w->reads->within[v->id])
                tsr_vec_push(&w->sim->spans,
                             ((tsr_sim_span){v, b->bytes, i, b->end > n ? n : b->end - 1}));
        }
    }
}

static int64_t alive_bytes(const tsr_shard_plan *plan)
{
    int64_t sum = 0;
    for (size_t i = 0; i < plan->alive.n; i++)
        sum += plan->alive.data[i].bytes;
    return sum;
}

/* Notes the moment of the op, and whether it is the peak. */
static void note(walker *w, const tsr_op *op, double bytes, uint32_t *peak_at, uint32_t i)
{
    if (bytes > w->sim->peak || !i) {
        w->sim->peak = bytes;
        *peak_at = i;
    }
    if (w->plan && !w->plan->compiled)
        tsr_vec_push(&w->plan->moments, ((tsr_plan_moment){op, (int64_t)bytes}));
}

void tsr_sim_memory(tsr_sim *sim, const tsr_block *block, const tsr_sim_reads *reads,
                    tsr_shard_plan *plan, double *copied)
{
    tsr_arena arena;
    tsr_arena_init(&arena);
    uint32_t n = (uint32_t)sim->tasks.n, peak_at = 0;
    walker w = {.sim = sim,
                .plan = plan,
                .block = block,
                .around = tsr_block_parent(block),
                .reads = reads,
                .ending = TSR_NEW_ARRAY(&arena, uint32_t, n + 1)};
    begin(&w);
    for (uint32_t i = 0; i < n; i++) {
        const tsr_sim_task *t = &sim->tasks.data[i];
        settle(&w, i, false);
        copied[i] = allocate(&w, i);
        note(&w, t->op, w.live + t->held, &peak_at, i);
        if (sim->keep)
            tsr_vec_push(&sim->live, w.live);
        settle(&w, i, true);
    }
    if (plan) {
        note(&w, block->last, w.live + copied_results(&w), &peak_at, n);
        plan->peak = plan->compiled ? plan->peak : sim->unknown ? -1 : (int64_t)sim->peak;
        plan->peak_at = plan->compiled ? plan->peak_at : peak_at;
    }
    find_alive(&w, peak_at);
    if (sim->keep)
        add_spans(&w);
    tsr_check(!plan || plan->compiled || peak_at == n || alive_bytes(plan) == (int64_t)sim->peak,
              "values of %lld bytes are alive at a peak of %lld", (long long)alive_bytes(plan),
              (long long)sim->peak);
    tsr_arena_free(&arena);
}
