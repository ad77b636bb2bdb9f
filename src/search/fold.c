/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c - see fold.h. */
#include "search/fold.h"

#include "dialect/opcode.h"
#include "pass/shape/refine.h"

enum {
    WINDOW = 6,   /* ops that must match before a period is considered */
    PERIODS = 16, /* periods tried from one position */
    LEAST = 3,    /* minimum number of pieces of a run */
    NONE = 0x7fffffff
};

/* Consecutive pieces of period ops each. */
typedef struct {
    uint32_t start, period, count;
    uint32_t *layer; /* by piece; NONE: unknown */
} run;

struct tsr_fold {
    tsr_op *func;
    uint32_t n, nlayer;
    uint32_t *run_of; /* by op of the block: 1 + its run; 0: none */
    run *runs;
    uint32_t nrun;
    uint32_t *at;  /* by id: index of the op of the block that contains it */
    uint32_t *ids; /* by index in the block: the op's id */
};

uint32_t tsr_fold_layers(const tsr_fold *f)
{
    return f->nlayer;
}

/* ---- Runs ---- */

static uint64_t op_hash(tsr_op *root)
{
    uint64_t h = 1;
    TSR_OPS (root, op) {
        h = tsr_hash_mix(h, tsr_hash_ptr(op->def) + op->nin * 3 + op->nout);
        for (uint32_t i = 0; i < op->def->nslot; i++)
            h = tsr_hash_mix(h, tsr_hash_ptr(op->attrs[i]) + 5);
        h = tsr_hash_mix(h, tsr_hash_ptr(op->extra) + 7);
        for (uint32_t i = 0; i < op->nin; i++)
            h = tsr_hash_mix(h, tsr_hash_ptr(op->in[i].value->type) + 11);
        for (uint32_t i = 0; i < op->nout; i++)
            h = tsr_hash_mix(h, tsr_hash_ptr(op->out[i].type) + 13);
    }
    return h;
}

typedef struct {
    uint64_t hash;
    uint32_t at;
} window;

static int by_hash(const void *a, const void *b)
{
    const window *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* By op: the next position at which the same WINDOW ops occur; 0: none. */
static uint32_t *next_places(tsr_arena *arena, const uint64_t *hash, uint32_t n)
{
    uint32_t *next = TSR_NEW_ARRAY(arena, uint32_t, n + 1), m = n < WINDOW ? 0 : n - WINDOW + 1;
    window *all = TSR_NEW_ARRAY(arena, window, m + 1);
    for (uint32_t i = 0; i < m; i++) {
        all[i] = (window){1, i};
        for (uint32_t k = 0; k < WINDOW; k++)
            all[i].hash = tsr_hash_mix(all[i].hash, hash[i + k]);
    }
    if (m)
        qsort(all, m, sizeof *all, by_hash);
    for (uint32_t i = 0; i + 1 < m; i++)
        if (all[i].hash == all[i + 1].hash)
            next[all[i].at] = all[i + 1].at;
    return next;
}

/* The run from this position that covers the most ops; count 0: none. ends: by period, where the ops from the last
 * position before it that had this period stop to match: those from here match as far. */
static run longest_run(const uint64_t *hash, uint32_t n, const uint32_t *next, uint32_t *ends,
                       uint32_t at)
{
    run best = {at, 0, 0, NULL};
    uint32_t covered = 0, to = next[at];
    for (uint32_t k = 0; k < PERIODS && to; k++, to = next[to]) {
        uint32_t period = to - at, end = ends[period] > to ? ends[period] : to;
        while (end < n && hash[end - period] == hash[end])
            end++;
        ends[period] = end;
        uint32_t same = end - to;
        uint32_t count = 1 + same / period;
        if (count >= LEAST && count * period > covered + covered / 32) {
            covered = count * period;
            best.period = period;
            best.count = count;
        }
    }
    return best;
}

static void find_runs(tsr_fold *f, tsr_arena *arena)
{
    uint64_t *hash = TSR_NEW_ARRAY(arena, uint64_t, f->n + 1);
    uint32_t i = 0;
    TSR_BLOCK_OPS (f->func->regions[0].first, op)
        hash[i++] = op_hash(op);
    const uint32_t *next = next_places(arena, hash, f->n);
    uint32_t *ends = TSR_NEW_ARRAY(arena, uint32_t, f->n + 1);
    for (i = 0; i < f->n;) {
        run r = longest_run(hash, f->n, next, ends, i);
        if (!r.count) {
            i++;
            continue;
        }
        f->runs[f->nrun++] = r;
        for (uint32_t k = 0; k < r.count * r.period; k++)
            f->run_of[i++] = f->nrun;
    }
}

/* ---- Layers ---- */

static uint32_t piece_of(const tsr_fold *f, uint32_t at)
{
    const run *r = &f->runs[f->run_of[at] - 1];
    return (at - r->start) / r->period;
}

/* The layer of an op of the block; NONE: it is in no layer. */
static uint32_t layer_of(const tsr_fold *f, uint32_t at)
{
    return f->run_of[at] ? f->runs[f->run_of[at] - 1].layer[piece_of(f, at)] : NONE;
}

/* The layer of a value of the block; an argument has the layer of its readers, if they agree. */
static uint32_t layer_of_value(const tsr_fold *f, const tsr_value *v)
{
    const tsr_block *body = f->func->regions[0].first;
    if (!v->is_arg)
        return v->op->block == body ? layer_of(f, f->at[v->op->id]) : NONE;
    uint32_t layer = NONE;
    for (const tsr_use *u = v->uses; u && v->block == body; u = u->next) {
        uint32_t of = layer_of(f, f->at[u->user->id]);
        if (of != NONE && layer != NONE && of != layer)
            return NONE;
        layer = of != NONE ? of : layer;
    }
    return v->block == body ? layer : NONE;
}

/* Votes for layers. */
typedef struct {
    uint32_t *votes; /* by layer */
    uint32_t *some;  /* the layers that have one */
    uint32_t nsome;
} ballot;

static void vote(ballot *b, uint32_t layer)
{
    if (layer == NONE)
        return;
    if (!b->votes[layer]++)
        b->some[b->nsome++] = layer;
}

/* Counts the layers that define or read a value. */
static void vote_op(const tsr_fold *f, tsr_op *root, ballot *b)
{
    TSR_OPS (root, op)
        for (uint32_t i = 0; i < op->nin; i++)
            vote(b, layer_of_value(f, op->in[i].value));
    for (uint32_t i = 0; i < root->nout; i++)
        for (const tsr_use *u = root->out[i].uses; u; u = u->next)
            vote(b, layer_of(f, f->at[u->user->id]));
}

/* The layer with the most votes, of several the first; NONE: there are no votes. They are gone then. */
static uint32_t winner(ballot *b)
{
    uint32_t best = NONE, most = 0;
    for (uint32_t i = 0; i < b->nsome; i++) {
        uint32_t layer = b->some[i], n = b->votes[layer];
        if (n > most || (n == most && layer < best)) {
            best = layer;
            most = n;
        }
        b->votes[layer] = 0;
    }
    b->nsome = 0;
    return best;
}

/* Assigns to each piece of a run the layer whose values it uses most; false: most pieces use no layer's values. */
static bool vote_run(const tsr_fold *f, run *r, tsr_op *const *ops, ballot *b, uint32_t *found)
{
    uint32_t some = 0;
    for (uint32_t p = 0; p < r->count; p++) {
        for (uint32_t k = 0; k < r->period; k++)
            vote_op(f, ops[r->start + p * r->period + k], b);
        found[p] = winner(b);
        some += found[p] != NONE;
    }
    for (uint32_t p = 0; p < r->count && 2 * some > r->count;
         p++) /* all at once: pieces do not vote for each other */
        r->layer[p] = found[p];
    return 2 * some > r->count;
}

/* Of the runs not yet assigned with at least this many pieces, the one with the most ops. */
static run *largest(const tsr_fold *f, const bool *known, uint32_t count)
{
    run *best = NULL;
    for (uint32_t i = 0; i < f->nrun; i++) {
        run *r = &f->runs[i];
        if (!known[i] && r->count >= count && (!best || r->period > best->period))
            best = r;
    }
    return best;
}

/* The layers are the pieces of the run with the most ops; other runs are assigned to them. Unrelated runs with at least
 * as many pieces form another stack of layers, such as an encoder beside a decoder. Layers of all stacks are folded
 * together. */
static void find_layers(tsr_fold *f, tsr_arena *arena)
{
    uint32_t best = 0;
    tsr_op **ops = TSR_NEW_ARRAY(arena, tsr_op *, f->n + 1);
    for (uint32_t i = 1; i < f->nrun; i++)
        if (f->runs[i].count * f->runs[i].period > f->runs[best].count * f->runs[best].period)
            best = i;
    f->nlayer = f->nrun ? f->runs[best].count : 0;
    uint32_t i = 0;
    TSR_BLOCK_OPS (f->func->regions[0].first, op)
        ops[i++] = op;
    for (i = 0; i < f->nrun; i++) {
        run *r = &f->runs[i];
        if (r->count > f->nlayer && r->count % f->nlayer == 0) {
            r->period *= r->count / f->nlayer;
            r->count = f->nlayer;
        }
        r->layer = TSR_NEW_ARRAY(arena, uint32_t, r->count);
        for (uint32_t p = 0; p < r->count; p++)
            r->layer[p] = NONE;
    }
    ballot votes = {TSR_NEW_ARRAY(arena, uint32_t, f->nlayer + 1),
                    TSR_NEW_ARRAY(arena, uint32_t, f->nlayer + 1), 0};
    uint32_t *found = TSR_NEW_ARRAY(arena, uint32_t, f->n + 1);
    bool *known = TSR_NEW_ARRAY(arena, bool, f->nrun + 1);
    for (run *seed = f->nrun ? &f->runs[best] : NULL; seed; seed = largest(f, known, f->nlayer)) {
        known[seed - f->runs] = true;
        for (uint32_t p = 0; p < seed->count && p < f->nlayer; p++)
            seed->layer[p] = p;
        for (bool again = true; again;) {
            again = false;
            for (i = 0; i < f->nrun; i++)
                if (!known[i] && vote_run(f, &f->runs[i], ops, &votes, found))
                    again = known[i] = true;
        }
    }
}

tsr_fold *tsr_fold_of(tsr_arena *arena, tsr_op *func, uint32_t least)
{
    tsr_block *body = func->regions[0].first;
    if (!tsr_op_is(func, TSR_OP_FUNC_FUNC) || !body || body->next)
        return NULL;
    tsr_fold *f = TSR_NEW(arena, tsr_fold);
    f->func = func;
    TSR_BLOCK_OPS (body, op)
        f->n++;
    f->run_of = TSR_NEW_ARRAY(arena, uint32_t, f->n + 1);
    f->ids = TSR_NEW_ARRAY(arena, uint32_t, f->n + 1);
    f->at = TSR_NEW_ARRAY(arena, uint32_t, func->module->nop + 1);
    f->runs = TSR_NEW_ARRAY(arena, run, f->n / LEAST + 1);
    uint32_t i = 0;
    TSR_BLOCK_OPS (body, op) {
        f->ids[i] = op->id;
        TSR_OPS (op, inner)
            f->at[inner->id] = i;
        i++;
    }
    find_runs(f, arena);
    find_layers(f, arena);
    return f->nlayer >= least && f->nlayer > 2 ? f : NULL;
}

/* ---- Fewer layers ---- */

typedef struct {
    tsr_arena *arena;
    const tsr_fold *f;
    tsr_op *func;
    tsr_op **ops;     /* by op of the block; NULL: removed */
    uint32_t *stands; /* by op of the block: the earlier op that represents it */
    /* like stands, but one representative layer for all pieces of a layer: the op whose layout it gets */
    uint32_t *like;
    /* by argument: the one that represents it, numbered as in the whole function */
    uint32_t *arg_to;
    bool *arg_gone; /* by argument */
    bool fits;
} folder;

/* Removes layers first to first + n - 1: their pieces are represented by the last piece before them that stays, and get
 * the layout of the preceding layer. */
static void choose_pieces(folder *k, uint32_t first, uint32_t n)
{
    for (uint32_t r = 0; r < k->f->nrun; r++) {
        const run *x = &k->f->runs[r];
        uint32_t stays = 0, like = NONE;
        for (uint32_t p = 0; p < x->count && first; p++)
            like = x->layer[p] == first - 1 ? p : like;
        for (uint32_t p = 0; p < x->count; p++) {
            bool goes = p && x->layer[p] != NONE && x->layer[p] >= first && x->layer[p] < first + n;
            stays = goes ? stays : p;
            for (uint32_t i = 0; goes && i < x->period; i++) {
                uint32_t at = x->start + p * x->period + i;
                k->stands[at] = x->start + stays * x->period + i;
                k->like[at] = x->start + (like == NONE ? stays : like) * x->period + i;
            }
        }
    }
}

/* Arguments that only removed layers read are represented by those at the same positions of the pieces that stay. */
static void choose_args(folder *k)
{
    const tsr_block *body = k->func->regions[0].first;
    for (uint32_t i = 0; i < body->nargs; i++) {
        bool gone = body->args[i]->uses != NULL;
        uint32_t to = i;
        for (const tsr_use *u = body->args[i]->uses; u; u = u->next) {
            uint32_t at = k->f->at[u->user->id];
            if (k->stands[at] == at) {
                gone &= tsr_op_has(u->user, TSR_TRAIT(TERMINATOR)) && u->user->block == body;
                continue;
            }
            if (u->user->block != body)
                continue;
            const tsr_value *other = k->ops[k->like[at]]->in[(uint32_t)(u - u->user->in)].value;
            if (other->is_arg && other->block == body && other->type == body->args[i]->type)
                to = other->index;
        }
        k->arg_gone[i] = gone && to != i;
        k->arg_to[i] = k->arg_gone[i] ? to : i;
    }
    /* Follow representatives that are removed themselves: each round doubles how far. */
    bool again = true;
    for (uint32_t n = 1; again && n && n <= body->nargs; n *= 2) {
        again = false;
        for (uint32_t i = 0; i < body->nargs; i++)
            if (k->arg_gone[k->arg_to[i]]) {
                k->arg_to[i] = k->arg_to[k->arg_to[i]];
                again = true;
            }
    }
    for (uint32_t i = 0; i < body->nargs; i++)
        k->fits &= !k->arg_gone[k->arg_to[i]];
}

static void drop_results(folder *k)
{
    tsr_op *end = k->func->regions[0].first->last;
    tsr_value_vec left = {0};
    bool *gone = TSR_NEW_ARRAY(k->arena, bool, end->nin + 1);
    for (uint32_t i = 0; i < end->nin; i++) {
        tsr_value *v = end->in[i].value;
        gone[i] = v->is_arg ? k->arg_gone[v->index]
                            : k->stands[k->f->at[v->op->id]] != k->f->at[v->op->id];
        if (!gone[i])
            tsr_vec_push(&left, v);
    }
    if (left.n < end->nin) {
        tsr_attr **list = &k->func->attrs[FUNC_FUNC_res_attrs];
        tsr_op_set_operands(end, left.data, left.n);
        *list = tsr_list_unmarked(k->func->module->ctx, *list, gone);
    }
    tsr_vec_free(&left);
}

/* Last op first, so that every remaining reader of a removed op's value is an op that stays. */
static void drop_ops(folder *k)
{
    for (uint32_t i = k->f->n; i-- > 0;) {
        if (k->stands[i] == i)
            continue;
        tsr_op *op = k->ops[i], *by = k->ops[k->stands[i]];
        for (uint32_t r = 0; r < op->nout; r++)
            tsr_value_replace(&op->out[r], &by->out[r]);
        tsr_op_erase(op);
        k->ops[i] = NULL;
    }
}

/* Donated arguments name their results by number. Numbers have changed, so donations are removed. */
static void drop_args(folder *k)
{
    tsr_block *body = k->func->regions[0].first;
    tsr_attr **list = &k->func->attrs[FUNC_FUNC_arg_attrs];
    for (uint32_t i = 0; i < body->nargs; i++)
        k->fits &= !k->arg_gone[i] || !body->args[i]->uses;
    if (k->fits) {
        *list = tsr_list_unmarked(k->func->module->ctx, *list, k->arg_gone);
        tsr_block_erase_args(body, k->arg_gone);
    }
    tsr_func_update_type(k->func);
}

/* ---- Results ---- */

static void number_args(folder *k, tsr_arena *arena, uint32_t nargs, tsr_folded *out)
{
    uint32_t *from = TSR_NEW_ARRAY(arena, uint32_t, nargs + 1),
             *to = TSR_NEW_ARRAY(arena, uint32_t, nargs + 1), n = 0;
    double *times = TSR_NEW_ARRAY(arena, double, nargs + 1);
    for (uint32_t i = 0; i < nargs; i++)
        if (!k->arg_gone[i]) {
            from[n] = i;
            to[i] = n++;
        }
    for (uint32_t i = 0; i < nargs; i++) {
        to[i] = to[k->arg_to[i]];
        times[to[i]]++;
    }
    out->arg_from = from;
    out->arg_to = to;
    out->arg_times = times;
}

static void number_ops(folder *k, tsr_arena *arena, uint32_t before, tsr_folded *out)
{
    const tsr_module *m = k->func->module;
    uint32_t *from = TSR_NEW_ARRAY(arena, uint32_t, m->nop + 1),
             *to = TSR_NEW_ARRAY(arena, uint32_t, before + 1),
             *until = TSR_NEW_ARRAY(arena, uint32_t, m->nop + 1);
    double *times = TSR_NEW_ARRAY(arena, double, m->nop + 1);
    for (uint32_t i = 0; i < m->nop; i++)
        times[i] = 1;
    for (uint32_t i = 0; i < k->f->n; i++) {
        const tsr_op *op = k->ops[k->like[i]];
        bool stays = k->stands[i] == i;
        uint32_t last = k->like[i];
        if (k->f->run_of[last]) {
            const run *r = &k->f->runs[k->f->run_of[last] - 1];
            last = r->start + (piece_of(k->f, last) + 1) * r->period - 1;
        }
        TSR_OPS ((tsr_op *)op, inner) {
            uint32_t offset = inner->id - op->id;
            to[k->f->ids[i] + offset] = inner->id;
            if (stays) {
                from[inner->id] = k->f->ids[i] + offset;
                until[inner->id] = k->ops[last] ? k->ops[last]->id : inner->id;
            } else {
                times[inner->id]++;
            }
        }
    }
    out->op_from = from;
    out->op_to = to;
    out->op_times = times;
    out->until = until;
}

bool tsr_fold_apply(tsr_arena *arena, const tsr_fold *f, tsr_op *func, uint32_t keep,
                    tsr_folded *out)
{
    tsr_block *body = func->regions[0].first;
    uint32_t nargs = body->nargs, nop = func->module->nop, i = 0;
    folder k = {.arena = arena, .f = f, .func = func, .fits = true};
    if (keep < 2 || keep >= f->nlayer)
        return false;
    k.ops = TSR_NEW_ARRAY(arena, tsr_op *, f->n + 1);
    k.stands = TSR_NEW_ARRAY(arena, uint32_t, f->n + 1);
    k.like = TSR_NEW_ARRAY(arena, uint32_t, f->n + 1);
    k.arg_to = TSR_NEW_ARRAY(arena, uint32_t, nargs + 1);
    k.arg_gone = TSR_NEW_ARRAY(arena, bool, nargs + 1);
    TSR_BLOCK_OPS (body, op) {
        k.ops[i] = op;
        k.stands[i] = k.like[i] = i;
        i++;
    }
    choose_pieces(&k, (keep + 1) / 2, f->nlayer - keep);
    choose_args(&k);
    if (!k.fits)
        return false;
    drop_results(&k);
    drop_ops(&k);
    drop_args(&k);
    tsr_module_renumber(func->module);
    out->func = func;
    number_args(&k, arena, nargs, out);
    number_ops(&k, arena, nop, out);
    return k.fits;
}
