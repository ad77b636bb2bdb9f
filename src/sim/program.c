/* SPDX-License-Identifier: Apache-2.0 */
/* program.c - builds the tasks of a partitioned function: see sim.h. */
#include "sim/sim.h"

#include <math.h>

#include "base/scope.h"
#include "dialect/flops.h"
#include "dialect/opcode.h"
#include "dialect/params.h"
#include "dialect/stablehlo/loop.h"
#include "shard/spmd/cost.h"

/* A value that regions of an op use, which is a value of the op's block. */
typedef struct captured {
    const tsr_value *value;
    struct captured *next;
} captured;

/* How a task reads a value. */
typedef struct {
    const tsr_value *value;
    bool repeated; /* an earlier task computes it too */
    bool bent;     /* in another order than the result is written */
    bool part;     /* some of it: whoever takes the part counts it */
} reading;

typedef struct {
    tsr_sim *sim;
    const tsr_device_file *device;
    bool timed; /* false: only memory is wanted */
    tsr_arena *arena;
    /* by op id: 1 + the task that computes it; 0: none, or fused into its users */
    uint32_t *task_of;
    uint32_t *depth; /* by op id: how many fused ops and barriers follow one another before it */
    uint32_t *mark,
        *mark_part; /* by value id: already visited for the current task, whole or in part */
    uint32_t now;
    uint32_t *first;          /* by value id: the first task that computes it, fused; 0: none */
    uint32_t again;           /* values that the current task computes again */
    TSR_VEC(tsr_op *) shared; /* the last of the ops that compute them */
    TSR_VEC(tsr_op *) dear;   /* those of them that read much */
    tsr_sim_reads reads;
    TSR_VEC(reading) ahead; /* what the current task has yet to read, last first */
    captured **captured;    /* by op id: the last of a ring */
    uint8_t *calling;       /* by op id of a function: whether a call of it is being expanded */
    struct {
        const tsr_attr *groups;
        tsr_collective kind;
        tsr_sim_group group;
    } known[16]; /* groups already analysed, by hash: each may list thousands of devices */
} maker;

/* ---- Ops ---- */

static double bytes_of(const tsr_value *v)
{
    int64_t n = tsr_local_bytes(v->type, NULL);
    return n > 0 ? (double)n : 0;
}

static bool is_scalar(const tsr_value *v)
{
    return tsr_type_is(v->type, TSR_TYPE_TENSOR) && !v->type->n;
}

/* Whether all operands from number i on are scalars: positions in the first ones. */
static bool rest_are_scalars(const tsr_op *op, uint32_t i)
{
    for (; i < op->nin; i++)
        if (!is_scalar(op->in[i].value))
            return false;
    return true;
}

/* Only moves elements: users of the result can read the operand instead. */
static bool is_view(const tsr_op *op)
{
    bool one = op->nin <= 1 || (tsr_kinds_of(op).carries == 1 && rest_are_scalars(op, 1));
    return one && !op->nregion && op->nout == 1 && !tsr_op_has(op, TSR_TRAIT(CALL)) &&
           tsr_hlo_collective_of(op) == TSR_COLLECTIVE_NONE && tsr_op_flops(op) == 0 &&
           !tsr_op_has(op, TSR_TRAIT(HAS_EFFECT)) && !tsr_op_has(op, TSR_TRAIT(EFFECT_ATTR));
}

static bool is_elementwise(const tsr_op *op)
{
    return tsr_op_has(op, TSR_TRAIT(ELEMENTWISE)) && op->nout == 1 && !op->nregion;
}

/* A loop over elements into which the ops that it reads can be fused; an op with one region is such a reduction. */
static bool takes_fused(const tsr_op *op)
{
    return is_elementwise(op) || is_view(op) ||
           (op->nregion == 1 && tsr_flow_of(op) == TSR_FLOW_NONE &&
            tsr_hlo_collective_of(op) == TSR_COLLECTIVE_NONE && !tsr_op_has(op, TSR_TRAIT(CALL)));
}

static bool is_end(const tsr_op *op)
{
    return tsr_op_has(op, TSR_TRAIT(TERMINATOR));
}

bool tsr_sim_is_barrier(const tsr_op *op)
{
    return tsr_flow_of(op) == TSR_FLOW_THROUGH && op->nin == op->nout;
}

bool tsr_sim_is_update(const tsr_op *op)
{
    if (tsr_op_is(op, TSR_OP_STABLEHLO_SCATTER))
        return true;
    return tsr_kinds_of(op).carries == (1 | 2) && op->nin > 2 && op->nout == 1 &&
           op->in[0].value->type == op->out[0].type && rest_are_scalars(op, 2) &&
           !tsr_op_has(op, TSR_TRAIT(ELEMENTWISE));
}

bool tsr_sim_is_fused(const tsr_op *op)
{
    bool view = is_view(op);
    if ((!view && !is_elementwise(op)) || tsr_sim_is_barrier(op))
        return false;
    for (const tsr_use *u = op->out[0].uses; u; u = u->next)
        if (u->user->block != op->block || is_end(u->user) || (!view && !takes_fused(u->user)))
            return false;
    return true;
}

/* ---- Tasks ---- */

static void add_need(maker *k, uint32_t task)
{
    tsr_vec_push(&k->sim->needs, task);
}

enum { MOST_STEPS = 64 }; /* through views of views, for each that reads one */

/* Bytes of a value that is computed outside the block: of what it is a view of, if that is less. */
static double outer_bytes(const tsr_value *v)
{
    double least = bytes_of(v);
    for (uint32_t steps = 0; steps < MOST_STEPS; steps++) {
        const tsr_op *around = v->is_arg ? tsr_block_parent(v->block) : NULL;
        if (around && tsr_sim_keeps(around, v->index))
            v = around->in[v->index].value;
        else if (!v->is_arg && v->op->nin && is_view(v->op) && tsr_sim_is_fused(v->op))
            v = v->op->in[0].value;
        else
            return !v->is_arg && !v->op->nin && tsr_sim_is_fused(v->op) ? 0 : least;
        least = fmin(least, bytes_of(v));
    }
    return least;
}

/* Notes that the current task reads a stored value. Returns its bytes. */
static double read_stored(maker *k, const reading *r, bool outside)
{
    const tsr_value *v = r->value;
    uint32_t task = (uint32_t)k->sim->tasks.n + 1;
    if (!outside) {
        k->reads.last[v->id] = task;
        if (r->bent)
            k->reads.bent[v->id] = task;
        if (!v->is_arg)
            add_need(k, k->task_of[v->op->id] - 1);
    }
    if (r->part)
        return 0;
    return outside || v->is_arg ? outer_bytes(v) : bytes_of(v);
}

/* Whether the op reads only as many elements of its first operand as its result has. */
static bool takes_part(const tsr_op *op)
{
    if (tsr_kinds_of(op).carries != 1 || !op->nin || op->nout != 1)
        return false;
    const tsr_type *all = op->in[0].value->type, *some = op->out[0].type;
    return tsr_type_is(all, TSR_TYPE_TENSOR) && tsr_type_is(some, TSR_TYPE_TENSOR) &&
           tsr_type_num_elements(some) < tsr_type_num_elements(all);
}

/* A value is stored rather than that a second kernel reads this many times its bytes to compute it again. */
static const double DEAR = 1.5;

/* The operands of an op whose result is read so are to be read; returns the bytes of a part that the op takes. */
static double read_operands(maker *k, const tsr_op *op, reading how)
{
    bool takes = takes_part(op), part = how.part || takes;
    double sum = takes && !how.part ? bytes_of(&op->out[0]) : 0;
    how.bent = how.bent || !is_elementwise(op);
    for (uint32_t i = op->nin; i-- > 0;) {
        how.value = op->in[i].value;
        how.part = part && i == 0;
        tsr_vec_push(&k->ahead, how);
    }
    return sum;
}

/* Bytes of a value that is read; if the current task computes it, its operands are to be read instead. *dear: it is the
 * first of values that an earlier task computes too. */
static double read_one(maker *k, reading r, const tsr_block *block, double *flops, bool *dear)
{
    const tsr_value *v = r.value;
    bool outside = (v->is_arg ? v->block : v->op->block) != block;
    if (outside || v->is_arg || k->task_of[v->op->id])
        return read_stored(k, &r, outside);
    if (!k->first[v->id])
        k->first[v->id] = k->now;
    bool again = k->first[v->id] != k->now;
    k->again += again;
    if (again && !r.repeated)
        tsr_vec_push(&k->shared, v->op);
    double own = k->timed ? tsr_op_flops(v->op) : 0;
    *flops += own > 0 ? own : 0;
    *dear = again && !r.repeated && !r.part && is_elementwise(v->op);
    r.repeated |= again;
    return read_operands(k, v->op, r);
}

/* Bytes that the task of an op reads, looking through ops fused into it; also records the tasks that it depends on. */
static double read_ahead(maker *k, const tsr_block *block, double *flops)
{
    const tsr_value *root = NULL; /* what is computed again, while its operands are read */
    size_t below = 0;             /* of it in the list */
    double sum = 0, before = 0;
    while (k->ahead.n) {
        reading r = k->ahead.data[--k->ahead.n];
        size_t rest = k->ahead.n;
        while (!r.value->is_arg && r.value->op->block == block && tsr_sim_is_barrier(r.value->op))
            r.value = r.value->op->in[r.value->index].value;
        uint32_t *mark = r.part ? k->mark_part : k->mark;
        if (mark[r.value->id] != k->now) {
            bool dear = false;
            mark[r.value->id] = k->now;
            double bytes = read_one(k, r, block, flops, &dear);
            if (dear) {
                root = r.value;
                below = rest;
                before = sum;
            }
            sum += bytes;
        }
        if (root && k->ahead.n <= below) {
            if (sum - before > DEAR * bytes_of(root))
                tsr_vec_push(&k->dear, root->op);
            root = NULL;
        }
    }
    return sum;
}

/* For each op: the values of its block that its regions use, in their order, which may name one twice. */
static void find_captured(maker *k, const tsr_module *m)
{
    tsr_op **open =
        TSR_NEW_ARRAY(k->arena, tsr_op *, m->nblock); /* of a block: where the walk is */
    TSR_OPS (m->op, op) {
        if (op->block)
            open[op->block->id] = op;
        for (uint32_t i = 0; i < op->nin; i++) {
            const tsr_value *v = op->in[i].value;
            const tsr_block *block = v->is_arg ? v->block : v->op->block;
            if (block == op->block)
                continue;
            captured **last = &k->captured[open[block->id]->id];
            captured *c = TSR_NEW(k->arena, captured);
            *c = (captured){v, *last ? (*last)->next : c};
            if (*last)
                (*last)->next = c;
            *last = c;
        }
    }
}

static double read_captured(maker *k, const tsr_op *op, double *flops)
{
    const captured *last = k->captured[op->id], *c = last;
    double bytes = 0;
    if (!last)
        return 0;
    do {
        c = c->next;
        tsr_vec_push(&k->ahead, ((reading){.value = c->value, .bent = true}));
        bytes += read_ahead(k, op->block, flops);
    } while (c != last);
    return bytes;
}

/* Everything that the op reads. An update reads what it changes only where it changes it. */
static double read_all(maker *k, const tsr_op *op, double *flops)
{
    double bytes = 0;
    k->now++;
    k->again = 0;
    k->shared.n = k->dear.n = 0;
    *flops = 0;
    if (tsr_sim_is_update(op))
        for (uint32_t i = op->nin; i-- > 0;)
            tsr_vec_push(&k->ahead, ((reading){.value = op->in[i].value, .part = i < op->nout}));
    else
        bytes = read_operands(k, op, (reading){0});
    bytes += read_ahead(k, op->block, flops);
    return op->nregion ? bytes + read_captured(k, op, flops) : bytes;
}

static tsr_sim_group group_of(const tsr_device_file *d, const tsr_comm *with)
{
    int64_t rows, n, far = 0, first = 0;
    const tsr_attr *groups = with->groups;
    if (!tsr_comm_table(with, &rows, &n) || !rows || !n)
        return tsr_sim_group_of(d, 1, 1);
    /* For a permute, the pair that is farthest apart; otherwise the first group. */
    if (with->kind == TSR_COLLECTIVE_PERMUTE) {
        for (int64_t i = 0; i < rows; i++) {
            int64_t way = llabs((long long)(tsr_attr_int_at(groups, (size_t)(2 * i)) -
                                            tsr_attr_int_at(groups, (size_t)(2 * i + 1))));
            if (way > far) {
                far = way;
                first = i;
            }
        }
        if (!far)
            return tsr_sim_group_of(d, 1, 1);
    }
    int64_t base = tsr_attr_int_at(groups, (size_t)(first * n));
    tsr_sim_group g = {.n = n, .stride = 1};
    g.stride =
        n > 1 ? llabs((long long)(tsr_attr_int_at(groups, (size_t)(first * n + 1)) - base)) : 1;
    for (uint32_t i = 0; i < d->nlink; i++)
        for (int64_t j = 0; j < n; j++) {
            int64_t at = tsr_attr_int_at(groups, (size_t)(first * n + j));
            g.within[i] +=
                !d->links[i].devices || at / d->links[i].devices == base / d->links[i].devices;
        }
    return g;
}

/* Links of a torus in different directions work at the same time. */
static uint32_t resource_of(const tsr_device_file *d, uint32_t link, int64_t stride)
{
    uint32_t way = 0;
    for (int64_t s = stride; d->links[link].torus && s > 1; s >>= 1)
        way++;
    return 1 + link + TSR_SIM_LINKS * way;
}

static void add_collective(maker *k, tsr_sim_task *t, const tsr_op *op, const tsr_spmd_cost *cost)
{
    tsr_comm with;
    tsr_comm_of(op, &with);
    tsr_collective kind = with.kind;
    size_t at = tsr_hash_ptr(with.groups) % TSR_COUNT(k->known);
    if (!with.groups || with.groups != k->known[at].groups || kind != k->known[at].kind)
        k->known[at].group = group_of(k->device, &with);
    k->known[at].groups = with.groups;
    k->known[at].kind = kind;
    tsr_sim_group g = k->known[at].group;
    uint32_t link = 0;
    t->seconds = tsr_time_collective(k->device, kind, (double)cost->before, &g, &link);
    t->resource = resource_of(k->device, link, g.stride);
    t->collective = true;
    t->moved = (double)cost->moved;
}

double tsr_sim_collective_seconds(const tsr_device_file *d, const tsr_op *op)
{
    tsr_comm with;
    tsr_spmd_cost cost;
    uint32_t link;
    if (!tsr_spmd_cost_of(op, &cost) || !tsr_comm_of(op, &with))
        return 0;
    tsr_sim_group g = group_of(d, &with);
    return tsr_time_collective(d, with.kind, (double)cost.before, &g, &link);
}

/* ---- Regions ---- */

double tsr_sim_iterations(const tsr_op *op)
{
    int64_t turns = tsr_loop_turns(op);
    return turns < 0 ? 1 : (double)turns;
}

static void make_block(maker *k, tsr_block *block);

/* Simulates tasks that were made of a block. plan: NULL for a nested block. */
static void play_block(maker *k, const tsr_block *block, tsr_shard_plan *plan)
{
    double *copied = tsr_xmalloc((k->sim->tasks.n + 1) * sizeof *copied);
    tsr_sim_memory(k->sim, block, &k->reads, plan, copied);
    for (size_t i = 0; i < k->sim->tasks.n; i++)
        k->sim->tasks.data[i].seconds += tsr_time_pass(k->device, 0, 2 * copied[i]);
    tsr_free(copied);
    if (k->timed)
        tsr_sim_play(k->sim);
    if (k->sim->engine)
        tsr_sim_arrange(k->sim, block);
}

static void note_product(tsr_sim *sim, const tsr_op *op, double flops)
{
    if (flops <= sim->heaviest_flops)
        return;
    sim->heaviest = op;
    sim->heaviest_flops = flops;
}

static void add_nests(tsr_sim_task *t, tsr_sim_nest *first, tsr_sim_nest *last)
{
    if (t->last_nest)
        t->last_nest->next = first;
    else
        t->nest = first;
    t->last_nest = last;
}

/* Keeps what is inside a task, after the other blocks of it. */
static void keep_inside(tsr_sim_task *t, const tsr_sim *inner, double turns)
{
    tsr_sim_nest *nest = TSR_NEW(inner->keep, tsr_sim_nest);
    *nest = (tsr_sim_nest){.tasks = tsr_arena_copy(inner->keep, inner->tasks.data,
                                                   inner->tasks.n * sizeof *inner->tasks.data),
                           .live = tsr_arena_copy(inner->keep, inner->live.data,
                                                  inner->live.n * sizeof *inner->live.data),
                           .spans = tsr_arena_copy(inner->keep, inner->spans.data,
                                                   inner->spans.n * sizeof *inner->spans.data),
                           .ntask = (uint32_t)inner->tasks.n,
                           .nspan = (uint32_t)inner->spans.n,
                           .turns = turns,
                           .seconds = inner->seconds};
    add_nests(t, nest, nest);
}

/* Simulates a block on its own; its total time becomes one task of the enclosing program. */
static void add_block(maker *k, tsr_sim_task *t, tsr_block *block, double turns)
{
    tsr_sim inner = {.keep = k->sim->keep, .engine = k->sim->engine}, *outer = k->sim;
    tsr_check_stack();
    k->sim = &inner;
    make_block(k, block);
    play_block(k, block, NULL);
    k->sim = outer;
    outer->unknown |= inner.unknown;
    note_product(outer, inner.heaviest, turns * inner.heaviest_flops);
    if (inner.peak > t->held) {
        t->held = inner.peak;
        t->ninner = (uint32_t)inner.alive.n;
        t->inner = tsr_arena_copy(k->arena, inner.alive.data, inner.alive.n * sizeof *t->inner);
    }
    t->seconds += turns * inner.seconds;
    t->inside += turns * inner.exposed;
    t->later += turns > 0 ? turns * inner.exposed - (inner.exposed - inner.later) : 0;
    t->flops += turns * inner.flops;
    t->moved += turns * inner.moved;
    t->talking += turns * inner.talking;
    t->multiplying += turns * inner.multiplying;
    t->ncollective += turns * inner.ncollective;
    if (inner.keep && inner.tasks.n)
        keep_inside(t, &inner, turns);
    tsr_sim_free(&inner);
}

/* Of each figure the most that a branch has; communication that nothing hides is that of the slowest. */
static void add_branch(tsr_sim_task *t, const tsr_sim_task *one)
{
    if (one->seconds >= t->seconds) {
        t->inside = one->inside;
        t->later = one->later;
        t->talking = one->talking;
        t->multiplying = one->multiplying;
    }
    if (one->nest)
        add_nests(t, one->nest, one->last_nest);
    if (one->held > t->held) {
        t->held = one->held;
        t->inner = one->inner;
        t->ninner = one->ninner;
    }
    t->seconds = fmax(t->seconds, one->seconds);
    t->flops = fmax(t->flops, one->flops);
    t->moved = fmax(t->moved, one->moved);
    t->ncollective = fmax(t->ncollective, one->ncollective);
}

static void add_regions(maker *k, tsr_sim_task *t, tsr_op *op)
{
    bool loop = tsr_flow_of(op) == TSR_FLOW_LOOP;
    double turns = loop ? tsr_sim_iterations(op) : 1;
    for (uint32_t r = 0; r < op->nregion; r++) {
        tsr_sim_task one = {0};
        TSR_REGION_BLOCKS (&op->regions[r], b)
            add_block(k, loop ? t : &one, b, turns);
        add_branch(t, &one);
    }
}

static tsr_op *callee_of(maker *k, tsr_op *op)
{
    tsr_op *f = tsr_op_has(op, TSR_TRAIT(CALL))
                    ? tsr_symbol_resolve(op, tsr_op_attr(op, TSR_STR("callee")))
                    : NULL;
    return f && f->nregion && f->regions[0].first && !k->calling[f->id] ? f : NULL;
}

/* A kernel computes values again rather than that they are stored, but not more of them than this: a sum that grows
 * from layer to layer would be computed from the start in each. */
enum { MOST_AGAIN = 512 };

/* ---- Updates ---- */

/* The value that an update puts into a larger one, before ops that only change its shape. */
static const tsr_value *updated_with(const maker *k, const tsr_op *op, bool *alone)
{
    const tsr_value *v = op->in[1].value;
    *alone = true;
    for (uint32_t steps = 0;; v = v->op->in[0].value) {
        *alone &= v->uses && !v->uses->next;
        if (v->is_arg || ++steps > MOST_STEPS || v->op->block != op->block ||
            k->task_of[v->op->id] || !is_view(v->op) || !v->op->nin ||
            bytes_of(&v->op->out[0]) != bytes_of(v->op->in[0].value))
            return v;
    }
}

/* A value that a task computes is written where it belongs by that task: in addition if others read it, and in the
 * first place (*alone) if not. NULL: no task of the block computes it. */
static const tsr_value *placed_by(maker *k, const tsr_op *op, bool *alone)
{
    const tsr_value *v = op->nregion ? NULL : updated_with(k, op, alone);
    if (!v || v->is_arg || v->op->block != op->block || !k->task_of[v->op->id] || v->op->nregion)
        return NULL;
    k->reads.within[v->id] = *alone;
    return v;
}

static double update_seconds(maker *k, const tsr_op *op, double flops, double read)
{
    bool alone = false, scatters = op->nregion > 0;
    double written = 0;
    for (uint32_t i = scatters ? op->nout + 1 : 1; i < op->nin; i++)
        written += (scatters ? 2 : 1) * bytes_of(op->in[i].value);
    if (!placed_by(k, op, &alone))
        return tsr_time_pass(k->device, flops, read + written) + k->device->launch;
    return alone ? 0 : tsr_time_pass(k->device, 0, written);
}

/* The time of a kernel that reads so many bytes, with the operations of ops fused into it. */
static void add_kernel(maker *k, tsr_sim_task *t, const tsr_op *op, double read, double fused)
{
    double flops = tsr_op_flops(op), own = flops > 0 ? flops : 0, bytes = read;
    bool scalars = is_elementwise(op) && is_scalar(&op->out[0]);
    for (uint32_t i = 0; i < op->nout; i++)
        bytes += bytes_of(&op->out[i]);
    if (tsr_sim_is_update(op)) {
        t->seconds = update_seconds(k, op, own + fused, read);
    } else if (tsr_sim_is_product(op)) {
        t->flops = own;
        note_product(k->sim, op, own);
        t->seconds = tsr_sim_product_seconds(k->device, op, op->in[0].value->type->dims,
                                             op->out[0].type->dims, own, bytes) +
                     k->device->launch;
        t->multiplying = t->seconds;
    } else if ((!is_view(op) || op->nin) && !scalars) {
        t->seconds = tsr_time_pass(k->device, own + fused, bytes) + k->device->launch;
    }
}

static void add_cost(maker *k, tsr_sim_task *t, tsr_op *op, double read, double fused)
{
    bool alone;
    tsr_spmd_cost cost;
    tsr_op *callee = callee_of(k, op);
    if (callee) {
        k->calling[callee->id] = 1;
        add_block(k, t, callee->regions[0].first, 1);
        k->calling[callee->id] = 0;
    } else if (op->nregion && tsr_flow_of(op) != TSR_FLOW_NONE) {
        add_regions(k, t, op);
    } else if (!k->timed) {
        if (tsr_sim_is_update(op))
            placed_by(k, op, &alone);
    } else if (tsr_spmd_cost_of(op, &cost)) {
        add_collective(k, t, op, &cost);
    } else {
        add_kernel(k, t, op, read, fused);
    }
}

static void make_task(maker *k, tsr_op *op, bool share);

/* Stores what the current task would compute again: all of it if that is much, or what reads much. */
static void make_shared(maker *k)
{
    bool all = k->again > MOST_AGAIN;
    size_t n = all ? k->shared.n : k->dear.n;
    tsr_op **ops = tsr_xmalloc((n + 1) * sizeof *ops);
    memcpy(ops, all ? k->shared.data : k->dear.data, n * sizeof *ops);
    for (size_t i = 0; i < n; i++)
        if (!k->task_of[ops[i]->id])
            make_task(k, ops[i], false);
    tsr_free(ops);
}

/* The task of one op that is not fused into others. */
static void make_task(maker *k, tsr_op *op, bool share)
{
    tsr_sim_task t = {.op = op, .resource = TSR_SIM_COMPUTE};
    double fused, bytes;
    t.need = (uint32_t)k->sim->needs.n;
    bytes = read_all(k, op, &fused);
    if ((k->again > MOST_AGAIN || k->dear.n) && share) {
        k->sim->needs.n = t.need;
        make_shared(k);
        t.need = (uint32_t)k->sim->needs.n;
        bytes = read_all(k, op, &fused);
    }
    t.nneed = (uint32_t)k->sim->needs.n - t.need;
    add_cost(k, &t, op, bytes, fused);
    tsr_vec_push(&k->sim->tasks, t);
    k->task_of[op->id] = (uint32_t)k->sim->tasks.n;
}

/* Whether the op would be fused to a longer chain than a kernel is: then it is stored. */
static bool is_deep(maker *k, const tsr_op *op)
{
    enum { MOST_DEEP = 256 };
    uint32_t most = 0;
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_value *v = op->in[i].value;
        if (!v->is_arg && v->op->block == op->block && !k->task_of[v->op->id] &&
            k->depth[v->op->id] >= most)
            most = k->depth[v->op->id] + 1;
    }
    k->depth[op->id] = most;
    return most > MOST_DEEP;
}

static void make_block(maker *k, tsr_block *block)
{
    for (uint32_t i = 0; i < block->nargs; i++)
        k->reads.last[block->args[i]->id] = k->reads.bent[block->args[i]->id] = 0;
    TSR_BLOCK_OPS (block, op) {
        k->task_of[op->id] = 0;
        for (uint32_t i = 0; i < op->nout; i++) {
            k->first[op->out[i].id] = 0; /* this call of the function computes it itself */
            k->reads.last[op->out[i].id] = k->reads.bent[op->out[i].id] = 0;
        }
        bool deep = is_deep(k, op);
        if (!is_end(op) && !tsr_sim_is_barrier(op) && (deep || !tsr_sim_is_fused(op)))
            make_task(k, op, true);
    }
}

void tsr_sim_function(tsr_sim *sim, const tsr_device_file *d, tsr_shard_plan *plan)
{
    static const tsr_device_file none = {.vector = 1, .bandwidth = 1};
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_op *func = (tsr_op *)plan->func;
    tsr_block *body = func->regions[0].first;
    const tsr_module *m = func->module;
    maker k = {.sim = sim,
               .device = d ? d : &none,
               .timed = d != NULL,
               .arena = &arena,
               .task_of = TSR_NEW_ARRAY(&arena, uint32_t, m->nop),
               .depth = TSR_NEW_ARRAY(&arena, uint32_t, m->nop),
               .mark = TSR_NEW_ARRAY(&arena, uint32_t, m->nvalue),
               .mark_part = TSR_NEW_ARRAY(&arena, uint32_t, m->nvalue),
               .first = TSR_NEW_ARRAY(&arena, uint32_t, m->nvalue),
               .reads = {.last = TSR_NEW_ARRAY(&arena, uint32_t, m->nvalue),
                         .bent = TSR_NEW_ARRAY(&arena, uint32_t, m->nvalue),
                         .within = TSR_NEW_ARRAY(&arena, bool, m->nvalue),
                         .buffers = tsr_sim_buffers(&arena, m->nvalue)},
               .captured = TSR_NEW_ARRAY(&arena, captured *, m->nop),
               .calling = TSR_NEW_ARRAY(&arena, uint8_t, m->nop)};
    find_captured(&k, m);
    k.calling[func->id] = 1;
    tsr_symcache symbols;
    tsr_symcache_start(func->module, &symbols);
    make_block(&k, body);
    play_block(&k, body, plan);
    tsr_symcache_stop(&symbols);
    tsr_vec_free(&k.shared);
    tsr_vec_free(&k.ahead);
    tsr_vec_free(&k.dear);
    tsr_arena_free(&arena);
}

/* ---- The work of a step ---- */

static double block_work(const tsr_block *block, uint32_t depth)
{
    double sum = 0;
    TSR_BLOCK_OPS ((tsr_block *)block, op) {
        double flops = tsr_sim_is_product(op) ? tsr_op_flops(op) : 0, most = 0;
        sum += flops > 0 ? flops : 0;
        tsr_op *f = tsr_op_has(op, TSR_TRAIT(CALL)) && depth < 32
                        ? tsr_symbol_resolve(op, tsr_op_attr(op, TSR_STR("callee")))
                        : NULL;
        if (f && f->nregion && f->regions[0].first)
            sum += block_work(f->regions[0].first, depth + 1);
        bool loop = tsr_flow_of(op) == TSR_FLOW_LOOP;
        for (uint32_t r = 0; r < op->nregion && tsr_flow_of(op) != TSR_FLOW_NONE; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b) {
                double inner = block_work(b, depth);
                sum += loop ? tsr_sim_iterations(op) * inner : 0;
                most = fmax(most, inner);
            }
        sum += loop ? 0 : most;
    }
    return sum;
}

double tsr_sim_work(tsr_op *func)
{
    tsr_symcache symbols;
    tsr_symcache_start(func->module, &symbols);
    double work =
        func->nregion && func->regions[0].first ? block_work(func->regions[0].first, 0) : 0;
    tsr_symcache_stop(&symbols);
    return work;
}
