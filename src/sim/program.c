/* program.c - builds the tasks of a partitioned function: see sim.h. */
#include "sim/sim.h"

#include <math.h>

#include "dialect/flops.h"
#include "shard/spmd/cost.h"

typedef struct {
    tsr_sim *sim;
    const tsr_device *device;
    tsr_arena *arena;
    /* by op id: 1 + the task that computes it; 0: none, or fused into its users */
    uint32_t *task_of;
    uint32_t *mark; /* by value id: already visited for the current task */
    uint32_t now;
    uint32_t *first;          /* by value id: the first task that computes it, fused; 0: none */
    uint32_t again;           /* values that the current task computes again */
    TSR_VEC(tsr_op *) shared; /* the last of the ops that compute them */
    uint32_t *last;           /* by value id: 1 + the last task of its block that reads it */
    uint8_t *calling;         /* by op id of a function: whether a call of it is being expanded */
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

/* Only moves elements: users of the result can read the operand instead. */
static bool is_view(const tsr_op *op)
{
    return op->nin <= 1 && !op->nregion && op->nout == 1 && !tsr_op_has(op, TSR_TRAIT(CALL)) &&
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

/* Bytes that the op reads, looking through ops fused into it; also records the tasks that it depends on. repeated: for
 * a value that an earlier task computes too. */
static double read_bytes(maker *k, const tsr_value *v, const tsr_block *block, double *flops,
                         bool repeated)
{
    while (!v->is_arg && v->op->block == block && tsr_sim_is_barrier(v->op))
        v = v->op->in[v->index].value;
    if (k->mark[v->id] == k->now)
        return 0;
    k->mark[v->id] = k->now;
    bool outside = (v->is_arg ? v->block : v->op->block) != block;
    if (outside || v->is_arg || k->task_of[v->op->id]) {
        if (!outside)
            k->last[v->id] = (uint32_t)k->sim->tasks.n + 1;
        if (!outside && !v->is_arg)
            add_need(k, k->task_of[v->op->id] - 1);
        return bytes_of(v);
    }
    if (!k->first[v->id])
        k->first[v->id] = k->now;
    bool again = k->first[v->id] != k->now;
    k->again += again;
    if (again && !repeated)
        tsr_vec_push(&k->shared, v->op);
    double sum = 0, own = tsr_op_flops(v->op);
    *flops += own > 0 ? own : 0;
    for (uint32_t i = 0; i < v->op->nin; i++)
        sum += read_bytes(k, v->op->in[i].value, block, flops, repeated || again);
    return sum;
}

/* Values defined outside an op that its regions use. */
static void read_captured(maker *k, const tsr_op *op, const tsr_block *block, double *bytes,
                          double *flops)
{
    TSR_OPS ((tsr_op *)op, inner)
        for (uint32_t i = 0; i < inner->nin; i++) {
            const tsr_value *v = inner->in[i].value;
            if (inner != op && !v->is_arg && v->op->block == block)
                *bytes += read_bytes(k, v, block, flops, false);
        }
}

/* Everything that the op reads. */
static double read_all(maker *k, const tsr_op *op, double *flops)
{
    double bytes = 0;
    k->now++;
    k->again = 0;
    k->shared.n = 0;
    *flops = 0;
    for (uint32_t i = 0; i < op->nin; i++)
        bytes += read_bytes(k, op->in[i].value, op->block, flops, false);
    if (op->nregion)
        read_captured(k, op, op->block, &bytes, flops);
    return bytes;
}

static tsr_sim_group group_of(const tsr_device *d, const tsr_attr *groups, tsr_collective kind)
{
    if (!tsr_attr_is(groups, TSR_ATTR_DENSE) || groups->type->n != 2 || !groups->type->dims[0] ||
        !groups->type->dims[1])
        return tsr_sim_group_of(d, 1, 1);
    /* For a permute, the pair that is farthest apart; otherwise the first group. */
    int64_t n = groups->type->dims[1], far = 0, first = 0;
    if (kind == TSR_COLLECTIVE_PERMUTE) {
        for (int64_t i = 0; i < groups->type->dims[0]; i++) {
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
static uint32_t resource_of(const tsr_device *d, uint32_t link, int64_t stride)
{
    uint32_t way = 0;
    for (int64_t s = stride; d->links[link].torus && s > 1; s >>= 1)
        way++;
    return 1 + link + TSR_SIM_LINKS * way;
}

static void add_collective(maker *k, tsr_sim_task *t, const tsr_op *op, const tsr_spmd_cost *cost)
{
    tsr_collective kind = tsr_hlo_collective_of(op);
    const tsr_attr *groups = op->attrs[tsr_kinds_of(op).groups];
    size_t at = tsr_hash_ptr(groups) % TSR_COUNT(k->known);
    if (!groups || groups != k->known[at].groups || kind != k->known[at].kind)
        k->known[at].group = group_of(k->device, groups, kind);
    k->known[at].groups = groups;
    k->known[at].kind = kind;
    tsr_sim_group g = k->known[at].group;
    uint32_t link = 0;
    t->seconds = tsr_time_collective(k->device, kind, (double)cost->before, &g, &link);
    t->resource = resource_of(k->device, link, g.stride);
    t->collective = true;
    t->moved = (double)cost->moved;
}

/* ---- Regions ---- */

static bool integer_of(const tsr_value *v, int64_t *out)
{
    const tsr_attr *a = !v->is_arg && !v->op->nin ? tsr_op_attr(v->op, TSR_STR("value")) : NULL;
    if (!tsr_attr_is(a, TSR_ATTR_DENSE) || tsr_type_num_elements(a->type) != 1)
        return false;
    uint32_t bits = tsr_type_storage_bits(a->type->elem);
    if (!tsr_type_is(a->type->elem, TSR_TYPE_INTEGER) || bits > 64 || a->s.len * 8 < bits)
        return false;
    uint64_t n = 0;
    for (uint32_t i = 0; i < bits / 8; i++)
        n |= (uint64_t)(uint8_t)a->s.data[i] << (8 * i);
    *out = bits < 64 ? (int64_t)(n << (64 - bits)) >> (64 - bits) : (int64_t)n;
    return true;
}

double tsr_sim_iterations(const tsr_op *op)
{
    const tsr_block *cond = op->regions[0].first,
                    *body = op->nregion > 1 ? op->regions[1].first : NULL;
    if (!cond || !body || !cond->last || !cond->last->nin || cond->last->in[0].value->is_arg)
        return 1;
    const tsr_op *test = cond->last->in[0].value->op;
    for (uint32_t i = 0; test->nin == 2 && i < 2; i++) {
        const tsr_value *counter = test->in[i].value, *limit = test->in[1 - i].value;
        int64_t from, to, by;
        if (!counter->is_arg || counter->block != cond || counter->index >= op->nin)
            continue;
        uint32_t at = counter->index;
        /* The limit may be loop-carried as well. */
        if (limit->is_arg && limit->block == cond && limit->index < op->nin)
            limit = op->in[limit->index].value;
        if (!integer_of(limit, &to) || !integer_of(op->in[at].value, &from) ||
            at >= body->last->nin || body->last->in[at].value->is_arg)
            continue;
        const tsr_op *step = body->last->in[at].value->op;
        for (uint32_t j = 0; step->nin == 2 && j < 2; j++)
            if (step->in[j].value == body->args[at] && integer_of(step->in[1 - j].value, &by) && by)
                return fmax(1, ceil(fabs((double)to - (double)from) / fabs((double)by)));
    }
    return 1;
}

static void make_block(maker *k, tsr_block *block);

/* Simulates a block on its own; its total time becomes one task of the enclosing program. */
static void add_block(maker *k, tsr_sim_task *t, tsr_block *block, double iterations)
{
    tsr_sim inner = {0}, *outer = k->sim;
    k->sim = &inner;
    make_block(k, block);
    tsr_sim_play(&inner);
    tsr_sim_memory(&inner, block, k->last, NULL);
    k->sim = outer;
    t->held = fmax(t->held, inner.peak);
    t->seconds += iterations * inner.seconds;
    t->inside += iterations * inner.exposed;
    t->flops += iterations * inner.flops;
    t->moved += iterations * inner.moved;
    outer->talking += iterations * inner.talking;
    outer->ncollective += (uint32_t)fmin(iterations * inner.ncollective, 1e9);
    tsr_sim_free(&inner);
}

static void add_regions(maker *k, tsr_sim_task *t, tsr_op *op)
{
    if (tsr_flow_of(op) == TSR_FLOW_LOOP) {
        double iterations = tsr_sim_iterations(op);
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b)
                add_block(k, t, b, iterations);
        return;
    }
    tsr_sim_task longest = {0};
    double held = 0;
    for (uint32_t r = 0; r < op->nregion; r++) {
        tsr_sim_task one = {0};
        TSR_REGION_BLOCKS (&op->regions[r], b)
            add_block(k, &one, b, 1);
        held = fmax(held, one.held);
        if (one.seconds >= longest.seconds)
            longest = one;
    }
    t->held = held;
    t->seconds = longest.seconds;
    t->inside = longest.inside;
    t->flops = longest.flops;
    t->moved = longest.moved;
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

static void make_task(maker *k, tsr_op *op, bool share);

/* Stores what the current task would compute again. */
static void make_shared(maker *k)
{
    tsr_op **ops = k->shared.data;
    size_t n = k->shared.n;
    k->shared.data = NULL;
    k->shared.n = k->shared.cap = 0;
    for (size_t i = 0; i < n; i++)
        if (!k->task_of[ops[i]->id])
            make_task(k, ops[i], false);
    tsr_free(ops);
}

/* The task of one op that is not fused into others. */
static void make_task(maker *k, tsr_op *op, bool share)
{
    tsr_sim_task t = {.op = op, .resource = TSR_SIM_COMPUTE};
    tsr_spmd_cost cost;
    double flops = tsr_op_flops(op), fused, bytes, own = flops > 0 ? flops : 0;
    t.need = (uint32_t)k->sim->needs.n;
    bytes = read_all(k, op, &fused);
    if (k->again > MOST_AGAIN && share) {
        k->sim->needs.n = t.need;
        make_shared(k);
        t.need = (uint32_t)k->sim->needs.n;
        bytes = read_all(k, op, &fused);
    }
    t.nneed = (uint32_t)k->sim->needs.n - t.need;
    for (uint32_t i = 0; i < op->nout; i++)
        bytes += bytes_of(&op->out[i]);
    tsr_op *callee = callee_of(k, op);
    if (tsr_spmd_cost_of(op, &cost)) {
        add_collective(k, &t, op, &cost);
    } else if (callee) {
        k->calling[callee->id] = 1;
        add_block(k, &t, callee->regions[0].first, 1);
        k->calling[callee->id] = 0;
    } else if (op->nregion && tsr_flow_of(op) != TSR_FLOW_NONE) {
        add_regions(k, &t, op);
    } else if (tsr_sim_is_product(op)) {
        t.flops = own;
        t.seconds = tsr_sim_product_seconds(k->device, op, op->in[0].value->type->dims,
                                            op->out[0].type->dims, own, bytes) +
                    k->device->launch;
    } else if (!is_view(op) || op->nin) {
        t.seconds = tsr_time_pass(k->device, own + fused, bytes) + k->device->launch;
    }
    tsr_vec_push(&k->sim->tasks, t);
    k->task_of[op->id] = (uint32_t)k->sim->tasks.n;
}

static void make_block(maker *k, tsr_block *block)
{
    TSR_BLOCK_OPS (block, op) {
        k->task_of[op->id] = 0;
        for (uint32_t i = 0; i < op->nout; i++)
            k->first[op->out[i].id] = 0; /* this call of the function computes it itself */
        if (!is_end(op) && !tsr_sim_is_fused(op) && !tsr_sim_is_barrier(op))
            make_task(k, op, true);
    }
}

void tsr_sim_function(tsr_sim *sim, const tsr_device *d, tsr_op *func)
{
    tsr_arena arena;
    tsr_arena_init(&arena);
    const tsr_module *m = func->module;
    maker k = {.sim = sim,
               .device = d,
               .arena = &arena,
               .task_of = TSR_NEW_ARRAY(&arena, uint32_t, m->nop),
               .mark = TSR_NEW_ARRAY(&arena, uint32_t, m->nvalue),
               .first = TSR_NEW_ARRAY(&arena, uint32_t, m->nvalue),
               .last = TSR_NEW_ARRAY(&arena, uint32_t, m->nvalue),
               .calling = TSR_NEW_ARRAY(&arena, uint8_t, m->nop)};
    k.calling[func->id] = 1;
    tsr_symcache symbols;
    tsr_symcache_start(func->module, &symbols);
    make_block(&k, func->regions[0].first);
    tsr_sim_play(sim);
    tsr_sim_memory(sim, func->regions[0].first, k.last, func);
    tsr_symcache_stop(&symbols);
    tsr_vec_free(&k.shared);
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
