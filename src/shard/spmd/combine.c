/* SPDX-License-Identifier: Apache-2.0 */
/* combine.c - combines small independent collectives with the same kind and group into one; removes unused and
 * duplicate collectives. Needs ids; keeps what is computed, and the order of effects; breaks ids.
 *
 * An op's level is the largest number of collectives on a path to it within its block. Collectives of one level do not
 * depend on each other. Those that are alike and together not too large form a bunch. The ops of the block are then
 * reordered: a bunch goes where its last operand is available, and ops that depend on it come after it, in the old
 * order. Operands computed from arguments alone are placed where the first of them is needed: otherwise everything
 * independent of the bunch would come before it, such as gathers of all layers, and fill memory. */
#include "shard/passes.h"
#include "shard/spmd/spmd.h"

typedef struct bunch {
    struct bunch *next;
    const tsr_op *first; /* in program order */
    uint32_t level;
    int64_t bytes;
    uint32_t n, cap, missing; /* members that are not ready yet */
    tsr_op **ops;
} bunch;

typedef struct {
    tsr_pass *pass;
    int64_t most;
    uint32_t *level;  /* by op id */
    bunch **bunch_of; /* by op id; NULL: in no bunch */
    uint32_t *waits;  /* by op id: operands not yet placed */
    uint32_t n;       /* number of ids */
} combiner;

/* ---- Which collectives are alike ---- */

static bool is_collective(const tsr_op *op)
{
    return tsr_hlo_collective_of(op) != TSR_COLLECTIVE_NONE;
}

/* Whether the op may have several operands. */
static bool may_combine(const tsr_op *op)
{
    return is_collective(op) && op->def->args[0].arity == TSR_VARIADIC && op->nin == op->nout &&
           op->nin && (!op->nregion || tsr_spmd_joiner(&op->regions[0]) >= 0);
}

/* Compares all attributes except the channel id, and the reducers. */
static bool alike(const tsr_op *a, const tsr_op *b)
{
    if (a->def != b->def)
        return false;
    for (uint32_t i = 0; i < a->def->nslot; i++) {
        const tsr_attr *x = a->attrs[i], *y = b->attrs[i];
        bool channel = tsr_attr_is_struct(x, &tsr_def_STABLEHLO_CHANNEL_HANDLE) &&
                       tsr_attr_is_struct(y, &tsr_def_STABLEHLO_CHANNEL_HANDLE);
        if (channel ? x->attrs[1] != y->attrs[1] : x != y)
            return false;
    }
    return !a->nregion || (tsr_spmd_joiner(&a->regions[0]) == tsr_spmd_joiner(&b->regions[0]) &&
                           a->in[0].value->type->elem == b->in[0].value->type->elem);
}

static int64_t bytes_of(const tsr_op *op)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < op->nout; i++) {
        int64_t n = tsr_local_bytes(op->out[i].type, NULL);
        if (n < 0 || sum > INT64_MAX - n)
            return INT64_MAX;
        sum += n;
    }
    return sum;
}

/* ---- Redundant ops ---- */

/* Erases unused ops, users before their operands: all devices omit them alike. */
static bool drop_unused(tsr_op *root)
{
    bool any = false;
    for (uint32_t r = 0; r < root->nregion; r++)
        TSR_REGION_BLOCKS (&root->regions[r], block)
            for (tsr_op *op = block->last, *prev; op; op = prev) {
                prev = op->prev;
                if (op->nout && !tsr_op_used(op) && (is_collective(op) || tsr_op_removable(op))) {
                    tsr_op_erase(op);
                    any = true;
                } else if (op->nregion) {
                    any |= drop_unused(op);
                }
            }
    return any;
}

static uint64_t hash_collective(const tsr_op *op)
{
    uint64_t h = tsr_hash_ptr(op->def);
    for (uint32_t i = 0; i < op->nin; i++)
        h = (h ^ tsr_hash_ptr(op->in[i].value)) * UINT64_C(0x100000001B3);
    return h;
}

/* The same collective on the same values has the same result. */
static bool is_same(const tsr_op *a, const tsr_op *b)
{
    bool same = a->nin == b->nin && a->nout == b->nout && alike(a, b) &&
                (!a->nregion || tsr_spmd_joiner(&a->regions[0]) >= 0);
    for (uint32_t i = 0; same && i < a->nin; i++)
        same = a->in[i].value == b->in[i].value;
    for (uint32_t i = 0; same && i < a->nout; i++)
        same = a->out[i].type == b->out[i].type;
    return same;
}

/* Keeps the first of equal collectives in a block. */
static bool share_equal(tsr_block *block)
{
    tsr_map met = {0};
    bool any = false;
    for (tsr_op *op = block->first, *next; op; op = next) {
        next = op->next;
        if (!is_collective(op))
            continue;
        uint64_t h = hash_collective(op);
        tsr_op *first = NULL;
        TSR_MAP_EACH (&met, h, v)
            if (!first && is_same(v, op))
                first = v;
        if (!first) {
            tsr_map_put(&met, h, op);
            continue;
        }
        for (uint32_t i = 0; i < op->nout; i++)
            tsr_value_replace(&op->out[i], &first->out[i]);
        tsr_op_erase(op);
        any = true;
    }
    tsr_map_free(&met);
    return any;
}

/* ---- Dependencies ---- */

/* The op of the block that defines v; NULL: it is defined elsewhere. */
static tsr_op *in_block(const tsr_value *v, const tsr_block *block)
{
    return !v->is_arg && v->op->block == block ? v->op : NULL;
}

/* Calls fn for each op of op's block that op depends on, directly or through its regions. */
static void each_need(tsr_op *op, void (*fn)(combiner *c, tsr_op *op, tsr_op *need), combiner *c)
{
    TSR_OPS (op, inner)
        for (uint32_t i = 0; i < inner->nin; i++) {
            tsr_op *need = in_block(inner->in[i].value, op->block);
            if (need && need != op)
                fn(c, op, need);
        }
}

static void raise_level(combiner *c, tsr_op *op, tsr_op *need)
{
    uint32_t level = c->level[need->id] + is_collective(need);
    if (level > c->level[op->id])
        c->level[op->id] = level;
}

/* Whether the op must keep its order relative to similar ops. */
static bool has_effects(const tsr_op *op)
{
    return !is_collective(op) && !tsr_op_effect_free(op);
}

/* ---- Bunches ---- */

static void add_to(combiner *c, bunch *b, tsr_op *op, int64_t bytes)
{
    if (b->n == b->cap) {
        uint32_t cap = b->cap ? b->cap * 2 : 4;
        tsr_op **ops = tsr_arena_alloc(c->pass->scratch, cap * sizeof *ops);
        if (b->n)
            memcpy(ops, b->ops, b->n * sizeof *ops);
        b->ops = ops;
        b->cap = cap;
    }
    b->ops[b->n++] = op;
    b->bytes += bytes;
    c->bunch_of[op->id] = b;
}

static uint64_t key_of(const combiner *c, const tsr_op *op)
{
    uint64_t h = tsr_hash_ptr(op->def) + c->level[op->id] * UINT64_C(0x9E3779B97F4A7C15);
    for (uint32_t i = 0; i < op->def->nslot; i++)
        if (!tsr_attr_is_struct(op->attrs[i], &tsr_def_STABLEHLO_CHANNEL_HANDLE))
            h = (h ^ tsr_hash_ptr(op->attrs[i])) * UINT64_C(0x100000001B3);
    return h;
}

/* Computes levels of all ops of the block, and bunches. Returns whether there is one with several members. */
static bool find_bunches(combiner *c, tsr_block *block)
{
    tsr_map open = {0};
    tsr_op *effect = NULL;
    bool any = false;
    TSR_BLOCK_OPS (block, op) {
        each_need(op, raise_level, c);
        if (has_effects(op)) {
            if (effect)
                raise_level(c, op, effect);
            effect = op;
        }
        if (!may_combine(op))
            continue;
        int64_t bytes = bytes_of(op);
        if (bytes > c->most)
            continue;
        uint64_t key = key_of(c, op);
        bunch *found = NULL;
        TSR_MAP_EACH (&open, key, v) {
            bunch *b = v;
            if (!found && b->level == c->level[op->id] && b->bytes <= c->most - bytes &&
                alike(b->first, op))
                found = b;
        }
        if (!found) {
            found = TSR_NEW(c->pass->scratch, bunch);
            found->first = op;
            found->level = c->level[op->id];
            tsr_map_put(&open, key, found);
        }
        add_to(c, found, op, bytes);
        any |= found->n > 1;
    }
    tsr_map_free(&open);
    return any;
}

static void combine(combiner *c, bunch *b, tsr_block *block)
{
    tsr_op *first = b->ops[0];
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < b->n; i++)
        for (uint32_t k = 0; k < b->ops[i]->nin; k++) {
            tsr_vec_push(&in, b->ops[i]->in[k].value);
            tsr_vec_push(&types, b->ops[i]->out[k].type);
        }
    tsr_op *op = tsr_op_new(c->pass->module, first->def, first->loc, in.data, in.n, types.data,
                            types.n, first->nregion, 0);
    memcpy(op->attrs, first->attrs, first->def->nslot * sizeof *op->attrs);
    op->extra = first->extra;
    if (first->nregion)
        tsr_region_take(&op->regions[0], &first->regions[0]);
    tsr_op_insert(op, block, NULL);
    for (uint32_t i = 0, k = 0; i < b->n; i++) {
        for (uint32_t r = 0; r < b->ops[i]->nout; r++)
            tsr_value_replace(&b->ops[i]->out[r], &op->out[k++]);
        tsr_op_erase(b->ops[i]);
    }
    tsr_vec_free(&in);
    tsr_vec_free(&types);
    c->pass->changed = true;
}

/* ---- Order ---- */

/* Ops become ready when all their dependences are placed; of the ready ops, the first in program order goes first: a
 * heap of positions, with the desired position in the upper half of each key. */
typedef struct {
    uint64_t *data;
    uint32_t n;
} heap;

static void heap_push(heap *h, uint64_t v)
{
    uint32_t i = h->n++;
    while (i && h->data[(i - 1) / 2] > v) {
        h->data[i] = h->data[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->data[i] = v;
}

static uint32_t heap_pop(heap *h)
{
    uint64_t top = h->data[0], v = h->data[--h->n];
    uint32_t i = 0;
    for (uint32_t k; (k = 2 * i + 1) < h->n; i = k) {
        if (k + 1 < h->n && h->data[k + 1] < h->data[k])
            k++;
        if (h->data[k] >= v)
            break;
        h->data[i] = h->data[k];
    }
    h->data[i] = v;
    return (uint32_t)top;
}

typedef struct {
    uint32_t user, next; /* position; index + 1 of the next one */
} link;

typedef struct {
    combiner *c;
    uint32_t *at;     /* by op id: its position */
    uint32_t *head;   /* by position: index + 1 into links */
    uint32_t *wanted; /* by position: desired position */
    TSR_VEC(link) links;
} graph;

static void make_ready(const graph *g, heap *ready, uint32_t i)
{
    heap_push(ready, (uint64_t)g->wanted[i] << 32 | i);
}

enum { CHAIN = 12 }; /* maximum number of ops between an argument and its collective */

static tsr_op *chain_before(const tsr_op *op)
{
    return in_block(op->in[0].value, op->block);
}

/* Whether all members are computed from arguments alone, each by a few ops with one operand. */
static bool is_early(const bunch *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        const tsr_op *op = b->ops[i];
        for (uint32_t k = 0; op; op = chain_before(op))
            if (++k > CHAIN || op->nin != 1 || (op->nregion && !is_collective(op)) ||
                has_effects(op))
                return false;
    }
    return true;
}

/* Moves the ops that compute members to where the first member is needed, with the bunches on the path. */
static void want_early(graph *g, bunch *b, uint32_t at)
{
    for (uint32_t i = 0; i < b->n; i++)
        for (const tsr_op *op = b->ops[i]; op; op = chain_before(op)) {
            bunch *other = g->c->bunch_of[op->id];
            if (g->wanted[g->at[op->id]] <= at)
                continue;
            g->wanted[g->at[op->id]] = at;
            if (other && other != b && other->n > 1 && is_early(other))
                want_early(g, other, at);
        }
}

static void add_link(graph *g, const tsr_op *need, const tsr_op *user)
{
    uint32_t from = g->at[need->id], to = g->at[user->id];
    tsr_vec_push(&g->links, (link){to, g->head[from]});
    g->head[from] = (uint32_t)g->links.n;
    g->c->waits[user->id]++;
}

static void collect_links(graph *g, tsr_op *op)
{
    TSR_OPS (op, inner)
        for (uint32_t i = 0; i < inner->nin; i++) {
            tsr_op *need = in_block(inner->in[i].value, op->block);
            if (need && need != op)
                add_link(g, need, op);
        }
}

/* Who needs whom, ops with effects in their order, and where bunches are wanted. */
static void link_ops(graph *g, tsr_op **ops, uint32_t n)
{
    tsr_op *effect = NULL;
    for (uint32_t i = 0; i < n; i++) {
        collect_links(g, ops[i]);
        if (!has_effects(ops[i]))
            continue;
        if (effect)
            add_link(g, effect, ops[i]);
        effect = ops[i];
    }
    for (uint32_t i = 0; i < n; i++) {
        bunch *b = g->c->bunch_of[ops[i]->id];
        if (!b || b->n == 1 || b->first != ops[i])
            continue;
        b->missing = b->n;
        if (is_early(b))
            want_early(g, b, g->wanted[i]);
    }
}

/* The op at position i has come: what waits for it alone is ready. */
static void release(const graph *g, tsr_op **ops, heap *ready, uint32_t i)
{
    for (uint32_t l = g->head[i]; l; l = g->links.data[l - 1].next) {
        uint32_t user = g->links.data[l - 1].user;
        tsr_assert(g->c->waits[ops[user]->id] > 0, "an op waits for what comes before it");
        if (!--g->c->waits[ops[user]->id])
            make_ready(g, ready, user);
    }
}

static void put_in_order(combiner *c, tsr_block *block)
{
    tsr_arena_mark mark = tsr_arena_save(c->pass->scratch);
    uint32_t n = 0;
    TSR_BLOCK_OPS (block, op)
        n++;
    tsr_op **ops = tsr_arena_alloc(c->pass->scratch, n * sizeof *ops);
    graph g = {.c = c,
               .at = c->level,
               .head = TSR_NEW_ARRAY(c->pass->scratch, uint32_t, n),
               .wanted = TSR_NEW_ARRAY(c->pass->scratch, uint32_t, n)};
    heap ready = {tsr_arena_alloc(c->pass->scratch, (n + 1) * sizeof *ready.data), 0};
    n = 0;
    TSR_BLOCK_OPS (block, op) {
        c->level[op->id] = n; /* levels are no longer needed: positions from here on */
        c->waits[op->id] = 0;
        g.wanted[n] = n;
        ops[n++] = op;
    }
    link_ops(&g, ops, n);
    for (uint32_t i = 0; i < n; i++)
        if (!c->waits[ops[i]->id])
            make_ready(&g, &ready, i);
    tsr_op *last = block->last;
    while (ready.n) {
        uint32_t i = heap_pop(&ready);
        tsr_op *op = ops[i];
        bunch *b = c->bunch_of[op->id];
        bool alone = !b || b->n == 1;
        if (op == last && tsr_op_has(op, TSR_TRAIT(TERMINATOR)))
            continue;
        if (alone) {
            tsr_op_remove(op);
            tsr_op_insert(op, block, NULL);
        } else if (--b->missing) {
            continue;
        }
        for (uint32_t k = 0; k < (alone ? 1 : b->n); k++)
            release(&g, ops, &ready, alone ? i : c->level[b->ops[k]->id]);
        if (!alone)
            combine(c, b, block);
    }
    if (tsr_op_has(last, TSR_TRAIT(TERMINATOR))) {
        tsr_op_remove(last);
        tsr_op_insert(last, block, NULL);
    }
    tsr_vec_free(&g.links);
    tsr_arena_rewind(c->pass->scratch, mark);
}

bool pass_tessera_combine_collectives(tsr_pass *p, tsr_op *root)
{
    combiner c = {.pass = p, .most = tsr_pass_int(p, "max-bytes"), .n = p->module->nop};
    c.level = TSR_NEW_ARRAY(p->scratch, uint32_t, c.n + 1);
    c.waits = TSR_NEW_ARRAY(p->scratch, uint32_t, c.n + 1);
    c.bunch_of = TSR_NEW_ARRAY(p->scratch, bunch *, c.n + 1);
    p->changed |= drop_unused(root);
    /* Blocks that contain a collective, each once. */
    TSR_VEC(tsr_block *) blocks = {0};
    bool *seen = TSR_NEW_ARRAY(p->scratch, bool, p->module->nblock + 1);
    TSR_OPS (root, op) {
        if (!is_collective(op) || seen[op->block->id])
            continue;
        seen[op->block->id] = true;
        tsr_vec_push(&blocks, op->block);
    }
    for (size_t i = 0; i < blocks.n; i++)
        p->changed |= share_equal(blocks.data[i]);
    for (size_t i = 0; i < blocks.n; i++)
        if (find_bunches(&c, blocks.data[i]))
            put_in_order(&c, blocks.data[i]);
    tsr_vec_free(&blocks);
    return true;
}
