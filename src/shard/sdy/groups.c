/* SPDX-License-Identifier: Apache-2.0 */
/* groups.c - sharding groups: merges groups that share a value, and numbers groups from 0. Needs nothing; keeps
 * everything else; breaks ids, as repeated members are removed. */
#include "shard/passes.h"

#include "dialect/sdy/sdy.h"

typedef struct {
    int64_t id;
    uint32_t leader;      /* of the merged groups; itself if it is the leader */
    int64_t number;       /* for a leader */
    const tsr_op *within; /* the manual computation around all members; NULL: none */
    const tsr_type *type; /* of the first member */
} group;

typedef struct {
    TSR_VEC(group) all; /* in order of discovery */
    tsr_map by_id;      /* to index + 1 */
} groups;

static uint32_t group_of(groups *g, int64_t id)
{
    uint64_t hash = tsr_hash_mix(0x9E37, (uint64_t)id);
    TSR_MAP_EACH (&g->by_id, hash, v) {
        uint32_t i = (uint32_t)((uintptr_t)v - 1);
        if (g->all.data[i].id == id)
            return i;
    }
    uint32_t i = (uint32_t)g->all.n;
    tsr_vec_push(&g->all, (group){.id = id, .leader = i, .number = -1});
    tsr_map_put(&g->by_id, hash, (void *)(uintptr_t)(i + 1));
    return i;
}

static uint32_t leader_of(groups *g, uint32_t i)
{
    while (g->all.data[i].leader != i) {
        uint32_t up = g->all.data[i].leader;
        i = g->all.data[i].leader = g->all.data[up].leader;
    }
    return i;
}

static int64_t id_of(const tsr_op *op)
{
    return op->attrs[SDY_SHARDING_GROUP_group_id]->i;
}

static bool same_dims(const tsr_type *a, const tsr_type *b)
{
    return a->n == b->n && (!a->n || memcmp(a->dims, b->dims, a->n * sizeof *a->dims) == 0);
}

/* Members of a group have one shape and are in the same manual computation. */
static bool check(groups *g, const tsr_op *op, bool first)
{
    group *mine = &g->all.data[group_of(g, id_of(op))];
    const tsr_op *within = tsr_block_parent(op->block);
    while (within && !tsr_op_is(within, TSR_OP_SDY_MANUAL_COMPUTATION))
        within = tsr_block_parent(within->block);
    if (first) {
        mine->within = within;
        mine->type = op->in[0].value->type;
    }
    if (mine->within != within)
        return tsr_error(op->module->ctx, op->loc,
                         "ShardingGroupOps values cannot cross ManualComputationOp boundaries for "
                         "groupId: %lld",
                         (long long)mine->id);
    if (!same_dims(mine->type, op->in[0].value->type))
        return tsr_error(op->module->ctx, op->loc,
                         "ShardingGroupOps values must have the same shape for groupId: %lld",
                         (long long)mine->id);
    return true;
}

static bool add_member(groups *g, tsr_op *op)
{
    size_t before = g->all.n;
    group_of(g, id_of(op));
    return check(g, op, g->all.n > before);
}

/* Links members by value, in order of discovery: by value, 1 + its first member; next leads from one member to the
 * value's next. */
static void chain_members(tsr_pass *p, tsr_op *const *members, size_t n, uint32_t **first,
                          uint32_t **next)
{
    *first = TSR_NEW_ARRAY(p->scratch, uint32_t, p->module->nvalue + 1);
    *next = TSR_NEW_ARRAY(p->scratch, uint32_t, n + 1);
    uint32_t *last = TSR_NEW_ARRAY(p->scratch, uint32_t, p->module->nvalue + 1);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = members[i]->in[0].value->id;
        if ((*first)[v])
            (*next)[last[v]] = i + 1;
        else
            (*first)[v] = i + 1;
        last[v] = i;
    }
}

/* All groups of one value have become one: a value's later members say nothing new. */
static void renumber(tsr_pass *p, groups *g, tsr_op *const *members, size_t n,
                     const uint32_t *first)
{
    for (size_t i = 0; i < n; i++) {
        tsr_op *op = members[i];
        p->changed = true;
        if (first[op->in[0].value->id] != i + 1) {
            tsr_op_erase(op);
            continue;
        }
        uint32_t k = leader_of(g, group_of(g, id_of(op)));
        tsr_assert(g->all.data[k].number >= 0, "a group that leads others has a number");
        tsr_op_set_attr(op, TSR_STR("group_id"), tsr_attr_i64(p->ctx, g->all.data[k].number));
    }
}

bool pass_sdy_sharding_group_import(tsr_pass *p, tsr_op *root)
{
    groups g = {.all = {0}};
    if (!tsr_module_may_have(p->module, TSR_OP_SDY_SHARDING_GROUP))
        return true;
    TSR_VEC(tsr_op *) members = {0};
    bool ok = true;
    TSR_OPS (root, op)
        if (ok && tsr_op_is(op, TSR_OP_SDY_SHARDING_GROUP)) {
            ok = add_member(&g, op);
            tsr_vec_push(&members, op);
        }

    uint32_t *first, *next;
    chain_members(p, members.data, members.n, &first, &next);
#define EACH_MEMBER(m)                                                                         \
    for (uint32_t m##_v = 0; ok && m##_v < members.n; m##_v++)                                 \
        for (uint32_t m = first[members.data[m##_v]->in[0].value->id] == m##_v + 1 ? m##_v + 1 \
                                                                                   : 0;        \
             m; m = next[m - 1])

    /* Merges groups that share a value. The group of the value's first member leads. */
    EACH_MEMBER (m) {
        uint32_t a = leader_of(&g, group_of(&g, id_of(members.data[m_v])));
        uint32_t b = leader_of(&g, group_of(&g, id_of(members.data[m - 1])));
        g.all.data[b].leader = a;
    }
    int64_t n = 0;
    EACH_MEMBER (m) {
        uint32_t k = group_of(&g, id_of(members.data[m - 1]));
        if (leader_of(&g, k) == k && g.all.data[k].number < 0)
            g.all.data[k].number = n++;
    }
#undef EACH_MEMBER

    if (ok)
        renumber(p, &g, members.data, members.n, first);
    tsr_vec_free(&members);
    tsr_vec_free(&g.all);
    tsr_map_free(&g.by_id);
    return ok;
}
