/* SPDX-License-Identifier: Apache-2.0 */
/* join.c - decides which nodes run in one loop.
 *
 * Nodes come in program order. Each group has a level above the levels of all groups that it reads from, so that two
 * groups of the same level never depend on each other, and a node may join a group if all its operands from other
 * groups have lower levels. Groups whose values meet in a node are joined if that cannot create a cycle. Each decision
 * is made once, in time linear in the program. */
#include "exec/program.h"
#include "exec/target.h"

enum {
    MOST_NODES = 160, /* of a group: registers and code stay small */
    MOST_USERS = 64,  /* of a group that joins another: all are examined */
};

tsr_xid tsr_xgroup_find(const tsr_program *p, tsr_xid g)
{
    while (p->groups.data[g].into != g)
        g = p->groups.data[g].into = p->groups.data[p->groups.data[g].into].into;
    return g;
}

static tsr_xgroup *group_at(tsr_program *p, tsr_xid g)
{
    return &p->groups.data[g];
}

/* The group in the same block that computes v, or the value that v is a view of; TSR_XNONE: it is available before the
 * block runs. */
static tsr_xid producer(tsr_program *p, const tsr_block_program *block, tsr_xid v)
{
    const tsr_xvalue *x = &p->values.data[tsr_storage_of(p, v)];
    if (x->node == TSR_XNONE || p->nodes.data[x->node].group == TSR_XNONE)
        return TSR_XNONE;
    tsr_xid g = tsr_xgroup_find(p, p->nodes.data[x->node].group);
    return group_at(p, g)->home == block ? g : TSR_XNONE;
}

static void mark_results(tsr_program *p, const tsr_block_program *b)
{
    for (uint32_t i = 0; i < b->nresults; i++)
        p->values.data[tsr_storage_of(p, b->results[i])].mark++;
}

void tsr_values_mark_reads(tsr_program *p)
{
    mark_results(p, &p->main);
    for (size_t i = 0; i < p->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[i];
        for (uint32_t k = 0; k < n->nin && !n->dead; k++)
            p->values.data[tsr_storage_of(p, n->in[k])].mark++;
        for (uint32_t k = 0; k < n->nblock && !n->dead; k++)
            mark_results(p, n->blocks[k]);
    }
}

void tsr_values_unmark(tsr_program *p)
{
    for (size_t i = 0; i < p->values.n; i++)
        p->values.data[i].mark = 0;
}

bool tsr_is_whole(const tsr_program *p, tsr_xid v, tsr_xview *out)
{
    const tsr_xvalue *x = &p->values.data[v];
    if (x->place != TSR_PLACE_VIEW)
        return true;
    tsr_xview view = tsr_xview_of(x->view);
    if (out)
        *out = view;
    const tsr_xvalue *base = &p->values.data[x->base];
    return x->n == base->n && x->dtype == base->dtype && tsr_xview_is_whole(&view);
}

tsr_read tsr_read_of(const tsr_program *p, tsr_xid group, bool by_row, tsr_xid v)
{
    const tsr_xvalue *x = &p->values.data[v];
    const tsr_xvalue *s = &p->values.data[tsr_storage_of(p, v)];
    if (s->place == TSR_PLACE_SPLAT || s->place == TSR_PLACE_IOTA)
        return TSR_READ_NONE;
    if (s->node == TSR_XNONE || p->nodes.data[s->node].group == TSR_XNONE ||
        (tsr_xgroup_find(p, p->nodes.data[s->node].group) != group &&
         p->nodes.data[s->node].group != group))
        return TSR_READ_MEMORY;
    const tsr_node *from = &p->nodes.data[s->node];
    if (from->late)
        return TSR_READ_BAD;
    tsr_xview view = {0};
    if (tsr_is_whole(p, v, &view))
        return from->by_row == by_row ? TSR_READ_SAME : TSR_READ_BAD;
    const tsr_xgroup *g = &p->groups.data[group];
    return from->by_row && !by_row && g->mode == TSR_LOOP_ROWS && x->n == g->n &&
                   tsr_xview_is_by_row(&view, g->inner)
               ? TSR_READ_BY_ROW
               : TSR_READ_BAD;
}

/* How operand k of a node that joins the group is read. */
static tsr_read operand_read(tsr_program *p, tsr_xid group, bool by_row, const tsr_node *n,
                             uint32_t k)
{
    tsr_read read = tsr_read_of(p, group, by_row, n->in[k]);
    return tsr_is_table(n, k) && read != TSR_READ_MEMORY ? TSR_READ_BAD : read;
}

/* ---- Joining groups ---- */

static void add_user(tsr_program *p, tsr_xid from, tsr_xid user)
{
    tsr_xgroup *g = group_at(p, from);
    if (!g->users.n || g->users.data[g->users.n - 1] != user)
        tsr_vec_push(&g->users, user);
}

/* Whether every user of a except b runs after b. */
static bool users_after(tsr_program *p, tsr_xid a, tsr_xid b)
{
    const tsr_xgroup *g = group_at(p, a);
    if (g->users.n > MOST_USERS)
        return false;
    for (size_t i = 0; i < g->users.n; i++) {
        tsr_xid user = tsr_xgroup_find(p, g->users.data[i]);
        if (user != b && group_at(p, user)->level <= group_at(p, b)->level)
            return false;
    }
    return true;
}

static bool is_loop(const tsr_xgroup *g)
{
    return g->kind == TSR_NODE_TILE;
}

/* The mode and rows of the joined group; false: a and b are incompatible. */
static bool combine(const tsr_xgroup *a, const tsr_xgroup *b, tsr_xgroup *out)
{
    *out = *b;
    if (a->mode != TSR_LOOP_MAP) {
        if (b->mode != TSR_LOOP_MAP &&
            (a->mode != b->mode || a->inner != b->inner || a->reduced != b->reduced))
            return false;
        out->mode = a->mode;
        out->inner = a->inner;
        out->reduced = a->reduced;
    }
    out->staged = a->staged || b->staged;
    return true;
}

/* Whether b reads values of a in the order of the joined group; false: it would need them in another order. */
static bool reads_fit(tsr_program *p, tsr_xid a, tsr_xid b, const tsr_xgroup *both)
{
    const tsr_xgroup *from = group_at(p, b);
    for (size_t i = 0; i < from->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[from->nodes.data[i]];
        for (uint32_t k = 0; k < n->nin; k++) {
            tsr_xid v = n->in[k], s = tsr_storage_of(p, v);
            const tsr_xvalue *x = &p->values.data[v], *y = &p->values.data[s];
            if (y->node == TSR_XNONE || p->nodes.data[y->node].group == TSR_XNONE ||
                tsr_xgroup_find(p, p->nodes.data[y->node].group) != a)
                continue;
            const tsr_node *made = &p->nodes.data[y->node];
            if (tsr_is_table(n, k))
                return false;
            tsr_xview view = {0};
            bool whole = tsr_is_whole(p, v, &view);
            if (made->late || (whole ? made->by_row != n->by_row
                                     : !made->by_row || n->by_row || x->n != both->n ||
                                           !tsr_xview_is_by_row(&view, both->inner)))
                return false;
        }
    }
    return true;
}

/* Joins group a to b, which has at least its level. */
static bool merge(tsr_program *p, tsr_xid a, tsr_xid b)
{
    tsr_xgroup *x = group_at(p, a), *y = group_at(p, b), both;
    if (a == b)
        return true;
    if (!is_loop(x) || !is_loop(y) || x->n != y->n || x->home != y->home ||
        x->nodes.n + y->nodes.n > MOST_NODES || x->users.n > MOST_USERS || !combine(x, y, &both) ||
        (x->level != y->level && (!users_after(p, a, b) || !reads_fit(p, a, b, &both))))
        return false;
    *y = both;
    for (size_t i = 0; i < x->nodes.n; i++)
        tsr_vec_push(&y->nodes, x->nodes.data[i]);
    for (size_t i = 0; i < x->users.n; i++)
        if (tsr_xgroup_find(p, x->users.data[i]) != b)
            tsr_vec_push(&y->users, x->users.data[i]);
    x->into = b;
    return true;
}

/* ---- Joining a node ---- */

typedef struct {
    tsr_program *p;
    tsr_block_program *block;
    tsr_xid node;
} joining;

/* The group of the barrier that v is a result of, in the same block; TSR_XNONE: none. */
static tsr_xid barrier_of(const joining *j, tsr_xid v)
{
    tsr_xid fence = j->p->values.data[v].fence;
    if (fence == TSR_XNONE)
        return TSR_XNONE;
    tsr_xid g = j->p->nodes.data[fence].group;
    return group_at(j->p, g)->home == j->block ? g : TSR_XNONE;
}

static uint32_t level_above(const joining *j)
{
    const tsr_node *n = &j->p->nodes.data[j->node];
    uint32_t level = 0;
    for (uint32_t i = 0; i < n->nin; i++) {
        tsr_xid from[2] = {producer(j->p, j->block, n->in[i]), barrier_of(j, n->in[i])};
        for (int k = 0; k < 2; k++)
            if (from[k] != TSR_XNONE && group_at(j->p, from[k])->level > level)
                level = group_at(j->p, from[k])->level;
    }
    return level + 1;
}

/* Gives values that are read from memory a place there. */
static void read_operands(const joining *j, tsr_xid group)
{
    tsr_program *p = j->p;
    const tsr_node *n = &p->nodes.data[j->node];
    for (uint32_t i = 0; i < n->nin; i++) {
        tsr_xid s = tsr_storage_of(p, n->in[i]);
        if (p->values.data[s].place == TSR_PLACE_SPLAT || p->values.data[s].place == TSR_PLACE_IOTA)
            continue;
        tsr_xid from = producer(p, j->block, n->in[i]);
        if (from == group)
            continue;
        if (p->values.data[s].place == TSR_PLACE_NOWHERE)
            p->values.data[s].place = TSR_PLACE_ARENA;
        if (from != TSR_XNONE)
            add_user(p, from, group);
        tsr_xid barrier = barrier_of(j, n->in[i]);
        if (barrier != TSR_XNONE)
            add_user(p, barrier, group);
    }
}

static tsr_xid new_group(const joining *j, uint8_t kind)
{
    tsr_xgroup g = {.kind = kind,
                    .home = j->block,
                    .after = TSR_XNONE,
                    .product = TSR_XNONE,
                    .also = TSR_XNONE,
                    .then = TSR_XNONE,
                    .work = TSR_XNONE};
    g.into = (tsr_xid)j->p->groups.n;
    g.level = level_above(j);
    tsr_vec_push(&j->p->groups, g);
    return g.into;
}

static void put(const joining *j, tsr_xid group)
{
    tsr_vec_push(&group_at(j->p, group)->nodes, j->node);
    j->p->nodes.data[j->node].group = group;
    read_operands(j, group);
}

/* Raises the level of a group above that of another one, if all its users have higher levels still. */
static bool lift_above(tsr_program *p, tsr_xid group, tsr_xid other)
{
    uint32_t level = group_at(p, other)->level;
    tsr_xgroup *g = group_at(p, group);
    if (g->users.n > MOST_USERS)
        return false;
    for (size_t i = 0; i < g->users.n; i++)
        if (group_at(p, tsr_xgroup_find(p, g->users.data[i]))->level <= level + 1)
            return false;
    g->level = level + 1;
    return true;
}

/* The value in memory that a node of a group reads as operand v, all of it and in order; TSR_XNONE: none. */
static tsr_xid read_all(const tsr_program *p, tsr_xid group, tsr_xid v)
{
    tsr_xid s = tsr_storage_of(p, v);
    const tsr_xvalue *x = &p->values.data[s];
    if (x->place == TSR_PLACE_SPLAT || x->place == TSR_PLACE_IOTA ||
        x->n != p->groups.data[group].n || !tsr_is_whole(p, v, NULL))
        return TSR_XNONE;
    bool made = x->node != TSR_XNONE && p->nodes.data[x->node].group != TSR_XNONE &&
                tsr_xgroup_find(p, p->nodes.data[x->node].group) == group;
    return made ? TSR_XNONE : s;
}

/* Sets the marks of all values that a group reads, or counts those that are not marked. */
static uint32_t mark_read(tsr_program *p, tsr_xid group, bool sets, uint32_t mark)
{
    const tsr_xgroup *g = group_at(p, group);
    uint32_t others = 0;
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        for (uint32_t k = 0; k < n->nin; k++) {
            tsr_xid s = read_all(p, group, n->in[k]);
            if (s != TSR_XNONE && sets)
                p->values.data[s].mark = mark;
            else if (s != TSR_XNONE)
                others += !p->values.data[s].mark;
        }
    }
    return others;
}

/* Whether one of two groups reads nothing that the other does not: joined, no value has to be kept for longer. */
static bool reads_no_more(tsr_program *p, tsr_xid a, tsr_xid b)
{
    mark_read(p, a, true, 1);
    bool within = mark_read(p, b, false, 0) == 0;
    mark_read(p, a, true, 0);
    mark_read(p, b, true, 1);
    within |= mark_read(p, a, false, 0) == 0;
    mark_read(p, b, true, 0);
    return within;
}

/* Whether all operands from other groups have lower levels; joins those groups where possible. */
static bool others_below(const joining *j, tsr_xid group, bool by_row)
{
    tsr_program *p = j->p;
    const tsr_node *n = &p->nodes.data[j->node];
    for (uint32_t i = 0; i < n->nin; i++) {
        tsr_xid g = producer(p, j->block, n->in[i]), barrier = barrier_of(j, n->in[i]);
        if (barrier != TSR_XNONE && group_at(p, barrier)->level >= group_at(p, group)->level)
            return false;
        if (g == TSR_XNONE || g == group)
            continue;
        bool merges = group_at(p, g)->level <= group_at(p, group)->level &&
                      is_loop(group_at(p, g)) && !tsr_is_table(n, i) &&
                      (!by_row || reads_no_more(p, g, group));
        if (merges && merge(p, g, group))
            continue;
        if (group_at(p, g)->level >= group_at(p, group)->level && !lift_above(p, group, g))
            return false;
    }
    for (uint32_t i = 0; i < n->nin; i++)
        if (operand_read(p, group, by_row, n, i) == TSR_READ_BAD)
            return false;
    return true;
}

/* Puts a node with n elements (by_row: one per row) into group. */
static bool join_tile(const joining *j, tsr_xid group)
{
    tsr_program *p = j->p;
    tsr_xgroup *g = group_at(p, group);
    const tsr_node *n = &p->nodes.data[j->node];
    int64_t size = p->values.data[n->out[0]].n;
    if (!is_loop(g) || g->home != j->block || g->nodes.n >= MOST_NODES)
        return false;
    bool by_row = g->mode == TSR_LOOP_ROWS && size != g->n && size == g->n / g->inner;
    if (!by_row && size != g->n)
        return false;
    bool staged = false;
    for (uint32_t i = 0; i < n->nin; i++) {
        tsr_read read = operand_read(p, group, by_row, n, i);
        if (read == TSR_READ_BAD)
            return false;
        staged |= read == TSR_READ_BY_ROW;
    }
    if (staged &&
        (g->inner > p->target->staged_row || (g->n / g->inner < 4 && g->n > p->target->long_row)))
        return false;
    if (!others_below(j, group, by_row))
        return false;
    group_at(p, group)->staged |= staged;
    p->nodes.data[j->node].by_row = by_row;
    put(j, group);
    return true;
}

/* Tries the groups of the operands, highest level first. */
static bool join_some(const joining *j, bool (*join)(const joining *j, tsr_xid group))
{
    const tsr_node *n = &j->p->nodes.data[j->node];
    uint32_t below = UINT32_MAX;
    for (;;) {
        tsr_xid best = TSR_XNONE;
        for (uint32_t i = 0; i < n->nin; i++) {
            tsr_xid g = producer(j->p, j->block, n->in[i]);
            if (g != TSR_XNONE && group_at(j->p, g)->level < below &&
                (best == TSR_XNONE || group_at(j->p, g)->level > group_at(j->p, best)->level))
                best = g;
        }
        if (best == TSR_XNONE)
            return false;
        if (join(j, best))
            return true;
        below = group_at(j->p, best)->level;
    }
}

static void tile(const joining *j)
{
    if (join_some(j, join_tile))
        return;
    tsr_xid g = new_group(j, TSR_NODE_TILE);
    tsr_xid v = j->p->nodes.data[j->node].out[0];
    group_at(j->p, g)->n = j->p->values.data[v].n;
    put(j, g);
}

/* Sets the mode that a group needs to contain a reduction; false: it has another mode. */
static bool set_mode(const tsr_program *p, tsr_xgroup *g, const tsr_node *n)
{
    uint8_t mode = n->inner > 1                       ? TSR_LOOP_COLUMNS
                   : n->reduced > p->target->long_row ? TSR_LOOP_LONG
                                                      : TSR_LOOP_ROWS;
    int64_t inner = mode == TSR_LOOP_COLUMNS ? n->inner : n->reduced;
    int64_t reduced = mode == TSR_LOOP_COLUMNS ? n->reduced : 0;
    if (g->mode != TSR_LOOP_MAP && (g->mode != mode || g->inner != inner || g->reduced != reduced))
        return false;
    g->mode = mode;
    g->inner = inner;
    g->reduced = reduced;
    return true;
}

static bool join_reduce(const joining *j, tsr_xid group)
{
    tsr_program *p = j->p;
    tsr_node *n = &p->nodes.data[j->node];
    tsr_xgroup *g = group_at(p, group);
    if (!is_loop(g) || g->home != j->block || g->n != p->values.data[n->in[0]].n ||
        g->nodes.n >= MOST_NODES || tsr_read_of(p, group, false, n->in[0]) != TSR_READ_SAME ||
        barrier_of(j, n->in[0]) != TSR_XNONE || !set_mode(p, g, n))
        return false;
    n->late = g->mode != TSR_LOOP_ROWS;
    n->by_row = !n->late;
    put(j, group);
    return true;
}

/* ---- Reductions of the same value ---- */

/* Bytes of a value from which reading it once is faster: smaller ones stay in the caches, and loops with one fold have
 * faster kernels. */
static const uint64_t READ_ONCE = 32 << 20;

/* The loop with reductions that reads a value which this group, too, reads, and was formed before it; TSR_XNONE: none.
 * Remembers this group as the last one. */
static tsr_xid find_sibling(tsr_program *p, tsr_xid group)
{
    const tsr_xgroup *g = group_at(p, group);
    tsr_xid found = TSR_XNONE;
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        for (uint32_t k = 0; k < n->nin; k++) {
            tsr_xid s = read_all(p, group, n->in[k]);
            if (s == TSR_XNONE || tsr_xvalue_bytes(&p->values.data[s]) < READ_ONCE)
                continue;
            tsr_xid last = p->values.data[s].folded;
            tsr_xid other = last ? tsr_xgroup_find(p, last - 1) : group;
            found = other == group ? found : other;
            p->values.data[s].folded = group + 1;
        }
    }
    return found;
}

/* Joins the group of a reduction with an earlier loop that reduces the same value: it is read once. */
static void join_sibling(const joining *j)
{
    tsr_program *p = j->p;
    tsr_xid group = tsr_xgroup_find(p, p->nodes.data[j->node].group),
            other = find_sibling(p, group);
    if (other == TSR_XNONE || group_at(p, other)->mode != group_at(p, group)->mode ||
        !reads_no_more(p, group, other))
        return;
    bool above = group_at(p, other)->level > group_at(p, group)->level;
    merge(p, above ? group : other, above ? other : group);
}

static void reduce(const joining *j)
{
    tsr_program *p = j->p;
    if (!join_some(j, join_reduce)) {
        tsr_xid group = new_group(j, TSR_NODE_TILE);
        tsr_node *n = &p->nodes.data[j->node];
        tsr_xgroup *g = group_at(p, group);
        g->n = p->values.data[n->in[0]].n;
        set_mode(p, g, n);
        n->late = g->mode != TSR_LOOP_ROWS;
        n->by_row = !n->late;
        put(j, group);
    }
    const tsr_node *n = &p->nodes.data[j->node];
    if (n->late && p->values.data[n->out[0]].place == TSR_PLACE_NOWHERE)
        p->values.data[n->out[0]].place = TSR_PLACE_ARENA;
    join_sibling(j);
}

bool tsr_has_effect(const tsr_op *op)
{
    if (tsr_op_has(op, TSR_TRAIT(NO_EFFECT)) || tsr_op_has(op, TSR_TRAIT(TERMINATOR)))
        return false;
    if (!tsr_op_has(op, TSR_TRAIT(RECURSIVE_EFFECTS)))
        return true;
    for (uint16_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b)
            TSR_BLOCK_OPS (b, inner)
                if (tsr_has_effect(inner))
                    return true;
    return false;
}

void tsr_node_join(tsr_program *p, tsr_block_program *block, tsr_xid node, tsr_xid *effect)
{
    joining j = {p, block, node};
    tsr_node *n = &p->nodes.data[node];
    if (n->kind == TSR_NODE_TILE) {
        tile(&j);
        return;
    }
    if (n->kind == TSR_NODE_REDUCE) {
        reduce(&j);
        return;
    }
    tsr_xid g = new_group(&j, n->kind);
    if (n->effect) {
        if (*effect != TSR_XNONE) {
            group_at(p, g)->after = *effect;
            uint32_t level = group_at(p, tsr_xgroup_find(p, *effect))->level;
            if (group_at(p, g)->level <= level)
                group_at(p, g)->level = level + 1;
        }
        *effect = g;
    }
    put(&j, g);
    for (uint32_t i = 0; i < n->nout; i++)
        if (p->values.data[n->out[i]].place == TSR_PLACE_NOWHERE)
            p->values.data[n->out[i]].place = TSR_PLACE_ARENA;
}
