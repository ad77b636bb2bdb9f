/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - decides which value reuses whose buffer. place.c assigns offsets to the others.
 *
 * A value is live from the step that computes it to the last step that reads it. A result reuses the buffer of an
 * operand that dies there, where the group works in place; results of a loop's body are computed where the next
 * iteration reads them. */
#include "exec/plan/invariants.h"
#include "exec/target.h"

/* ---- In place ---- */

typedef TSR_VEC(tsr_xid) operands;

/* Whether node n of a loop reads operand k element by element, in the order in which the loop writes. */
static bool reads_whole(const tsr_program *p, const tsr_xgroup *g, const tsr_node *n, uint32_t k)
{
    tsr_xid v = n->in[k];
    return n->kind <= TSR_NODE_REDUCE && !tsr_is_before(g, n) && p->values.data[v].n == g->n &&
           tsr_is_whole(p, v, NULL) && !(n->kind == TSR_NODE_TILE && n->by_row) &&
           !tsr_is_table(n, k);
}

/* Whether all nodes of a loop that read v read it in this way. */
static bool all_read_whole(const tsr_program *p, const tsr_xgroup *g, tsr_xid v)
{
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        for (uint32_t k = 0; k < n->nin; k++)
            if (tsr_storage_of(p, n->in[k]) == v && !reads_whole(p, g, n, k))
                return false;
    }
    return true;
}

/* Whether result out has one element for each that the loop runs over, in order. */
static bool writes_in_order(const tsr_program *p, const tsr_xgroup *g, tsr_xid out)
{
    const tsr_xvalue *y = &p->values.data[out];
    return g->kind != TSR_NODE_TILE ||
           (y->n == g->n && !p->nodes.data[y->node].late && !tsr_is_end(g, y->node));
}

static bool same_size(const tsr_xvalue *x, const tsr_xvalue *y)
{
    return x->n == y->n &&
           tsr_dtype_bytes((tsr_dtype)x->dtype) == tsr_dtype_bytes((tsr_dtype)y->dtype);
}

/* Whether group g may write a result as large as `in` to the buffer of `in`: it reads no element after writing it. */
static bool in_place(const tsr_program *p, const tsr_xgroup *g, tsr_xid in)
{
    if (g->kind == TSR_NODE_TILE)
        return g->mode != TSR_LOOP_COLUMNS && p->values.data[in].n == g->n &&
               all_read_whole(p, g, in);
    if (g->kind != TSR_NODE_MOVE)
        return false;
    const tsr_node *n = &p->nodes.data[g->nodes.data[0]];
    if (!n->over || tsr_storage_of(p, n->in[n->over - 1]) != in)
        return false;
    for (uint32_t k = 0; k < n->nin; k++)
        if (k != n->over - 1u && tsr_storage_of(p, n->in[k]) == in)
            return false;
    return true;
}

static bool is_free(const tsr_program *p, tsr_xid v)
{
    const tsr_xvalue *x = &p->values.data[v];
    return x->place == TSR_PLACE_ARENA && !x->is_result && !x->slice_of && x->shares == TSR_XNONE;
}

/* Operands that die in g and whose buffers it may write to, each once. */
static void dying(tsr_program *p, const tsr_xgroup *g, operands *found)
{
    enum { GOOD = 1, BAD };
    found->n = 0;
    if (g->kind == TSR_NODE_TILE && g->mode == TSR_LOOP_COLUMNS)
        return;
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        for (uint32_t k = 0; k < n->nin; k++) {
            tsr_xid in = tsr_storage_of(p, n->in[k]);
            tsr_xvalue *x = &p->values.data[in];
            bool bad = g->kind == TSR_NODE_TILE && !reads_whole(p, g, n, k);
            if (x->mark)
                x->mark = bad ? BAD : x->mark;
            if (x->place != TSR_PLACE_ARENA || (x->slice_of && !x->spent) || x->last != g->step ||
                x->first >= g->step || x->mark)
                continue;
            const tsr_xvalue *root = &p->values.data[tsr_buffer_of(p, in)];
            if (root->is_result || root->last > g->step)
                continue;
            x->mark = bad ? BAD : GOOD;
            tsr_vec_push(found, in);
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < found->n; i++) {
        tsr_xvalue *x = &p->values.data[found->data[i]];
        bool good = x->mark == GOOD;
        x->mark = 0;
        if (good && (g->kind == TSR_NODE_TILE || in_place(p, g, found->data[i])))
            found->data[kept++] = found->data[i];
    }
    found->n = kept;
}

/* Lets an output of g reuse the buffer of one of the operands that die there. */
static void take_over(tsr_program *p, tsr_xid out, operands *from)
{
    tsr_xvalue *y = &p->values.data[out];
    for (size_t i = 0; i < from->n; i++) {
        tsr_xid root = tsr_buffer_of(p, from->data[i]);
        if (!same_size(&p->values.data[from->data[i]], y) || p->values.data[root].last > y->first)
            continue;
        from->data[i] = from->data[--from->n];
        tsr_assert(root != out, "value %u would reuse its own buffer", out);
        y->shares = root;
        y->heir = p->values.data[root].heir;
        p->values.data[root].heir = out + 1;
        if (p->values.data[root].last < y->last)
            p->values.data[root].last = y->last;
        return;
    }
}

/* Lets the body compute the next value of a loop argument in place, when the argument is no longer read. */
static void keep_carried(tsr_program *p, const tsr_node *loop)
{
    const tsr_block_program *body = loop->blocks[1];
    for (uint32_t k = 0; k < body->nresults; k++)
        p->values.data[tsr_storage_of(p, body->results[k])].mark = 1;
    for (uint32_t i = 0; i < loop->ncarried && i < body->nresults; i++) {
        tsr_xid arg = loop->out[i], give = body->results[i];
        tsr_xvalue *x = &p->values.data[arg], *y = &p->values.data[give];
        if (give == arg || x->place != TSR_PLACE_ARENA || !is_free(p, give) || y->loop ||
            y->first <= body->first || y->first >= body->last || y->node == TSR_XNONE ||
            !same_size(x, y))
            continue;
        const tsr_xgroup *g = &p->groups.data[tsr_xgroup_find(p, p->nodes.data[y->node].group)];
        if (g->home != body || g->kind >= TSR_NODE_OTHER)
            continue;
        bool dead = x->last_inside < g->step || (x->last_inside == g->step && in_place(p, g, arg) &&
                                                 writes_in_order(p, g, give));
        /* Another result of the body may be the argument itself. */
        if (dead && !x->mark)
            y->shares = arg;
    }
    for (uint32_t k = 0; k < body->nresults; k++)
        p->values.data[tsr_storage_of(p, body->results[k])].mark = 0;
}

/* Lets initial values that have no other later reader be computed in the buffers of the loop-carried values. */
static void start_carried(tsr_program *p, const tsr_xgroup *g, const tsr_node *loop)
{
    for (uint32_t i = 0; i < loop->ncarried; i++) {
        tsr_xvalue *x = &p->values.data[loop->in[i]], *y = &p->values.data[loop->out[i]];
        if (!is_free(p, loop->in[i]) || x->node == TSR_XNONE || x->loop || x->last != g->step ||
            y->place != TSR_PLACE_ARENA || y->shares != TSR_XNONE || !same_size(x, y))
            continue;
        x->shares = loop->out[i];
        y->first = x->first < y->first ? x->first : y->first;
    }
}

static void share(tsr_program *p, const tsr_block_program *b, operands *scratch)
{
    for (size_t i = 0; i < b->groups.n; i++) {
        tsr_xgroup *g = &p->groups.data[b->groups.data[i]];
        const tsr_node *first = &p->nodes.data[g->nodes.data[0]];
        if (first->kind == TSR_NODE_WHILE) {
            keep_carried(p, first);
            start_carried(p, g, first);
        }
        for (uint32_t k = 0; k < first->nblock; k++)
            share(p, first->blocks[k], scratch);
        if (g->kind != TSR_NODE_TILE && g->kind != TSR_NODE_MOVE)
            continue;
        dying(p, g, scratch);
        for (size_t k = 0; k < g->nodes.n && scratch->n; k++) {
            tsr_xid out = p->nodes.data[g->nodes.data[k]].out[0];
            if (is_free(p, out) && writes_in_order(p, g, out))
                take_over(p, out, scratch);
        }
    }
}

/* ---- Results in place ---- */

/* A result has a buffer of its own. An operand of the same size may be stored in it until the result is computed in
 * that operand's place. */
static void find_guests(tsr_program *p, operands *scratch)
{
    for (uint32_t i = 0; i < p->main.nresults; i++) {
        tsr_xid out = tsr_storage_of(p, p->main.results[i]);
        tsr_xvalue *y = &p->values.data[out];
        if (!p->main.owned[i] || y->donor || y->node == TSR_XNONE)
            continue;
        const tsr_xgroup *g = &p->groups.data[tsr_xgroup_find(p, p->nodes.data[y->node].group)];
        bool first = g->kind == TSR_NODE_TILE || p->nodes.data[y->node].out[0] == out;
        if ((g->kind != TSR_NODE_TILE && g->kind != TSR_NODE_MOVE) || g->home != &p->main ||
            !first || !writes_in_order(p, g, out))
            continue;
        dying(p, g, scratch);
        for (size_t k = 0; k < scratch->n && !y->guest; k++) {
            tsr_xid root = tsr_buffer_of(p, scratch->data[k]);
            if (p->values.data[root].mark || !is_free(p, root) ||
                !same_size(&p->values.data[scratch->data[k]], y) ||
                tsr_xvalue_bytes(&p->values.data[root]) != tsr_xvalue_bytes(y))
                continue;
            y->guest = root + 1;
            p->values.data[root].mark = 1;
        }
    }
    for (uint32_t i = 0; i < p->main.nresults; i++) {
        const tsr_xvalue *y = &p->values.data[tsr_storage_of(p, p->main.results[i])];
        if (y->guest)
            p->values.data[y->guest - 1].mark = 0;
    }
}

/* ---- Donated arguments ---- */

/* Whether a loop reads arg only as the initial value of out, and not inside. */
static bool only_starts(const tsr_program *p, const tsr_node *loop, tsr_xid arg, tsr_xid out)
{
    uint32_t reads = 0;
    bool starts = false;
    for (uint32_t i = 0; i < loop->nin; i++)
        if (tsr_storage_of(p, loop->in[i]) == arg) {
            reads++;
            starts |= i < loop->ncarried && loop->out[i] == out && loop->in[i] == arg;
        }
    return starts && reads == 1;
}

/* Whether result out, which is no view, can be computed in the buffer of argument arg. */
static bool fits_donor(const tsr_program *p, tsr_xid arg, tsr_xid out)
{
    const tsr_xvalue *x = &p->values.data[arg], *y = &p->values.data[out];
    if (x->type != y->given_as || x->n < 0 || y->node == TSR_XNONE || y->donor)
        return false;
    if (x->last < y->first)
        return true;
    const tsr_node *made = &p->nodes.data[y->node];
    const tsr_xgroup *g = &p->groups.data[tsr_xgroup_find(p, made->group)];
    if (made->kind == TSR_NODE_WHILE)
        return x->last == g->step && only_starts(p, made, arg, out);
    return x->last == g->step && in_place(p, g, arg) && writes_in_order(p, g, out);
}

static const tsr_attr *argument_attr(const tsr_op *function, uint32_t i, tsr_str name)
{
    const tsr_attr *all = tsr_op_attr(function, TSR_STR("arg_attrs"));
    return tsr_attr_is(all, TSR_ATTR_ARRAY) && i < all->n ? tsr_dict_get(all->attrs[i], name)
                                                          : NULL;
}

bool tsr_is_donated(const tsr_program *p, uint32_t i)
{
    return argument_attr(p->function, i, TSR_STR("tf.aliasing_output")) ||
           argument_attr(p->function, i, TSR_STR("jax.buffer_donor"));
}

/* Results of one type: the first one that has no donor yet, and the last step that computes one of them. */
typedef struct {
    const tsr_type *type;
    uint32_t first, latest; /* first: 1 + result; 0: none is left */
} takers;

static takers *takers_of(const tsr_map *all, const tsr_type *type)
{
    TSR_MAP_EACH (all, tsr_hash_ptr(type), t)
        if (((const takers *)t)->type == type)
            return t;
    return NULL;
}

/* next: by result, 1 + the next one of its type. */
static tsr_map find_takers(tsr_program *p, uint32_t *next)
{
    const tsr_block_program *b = &p->main;
    tsr_map all = {0};
    for (uint32_t k = b->nresults; k-- > 0;) {
        const tsr_xvalue *x = &p->values.data[tsr_storage_of(p, b->results[k])];
        takers *t = b->owned[k] ? takers_of(&all, x->given_as) : NULL;
        if (!t && b->owned[k]) {
            t = TSR_NEW(&p->arena, takers);
            t->type = x->given_as;
            tsr_map_put(&all, tsr_hash_ptr(t->type), t);
        }
        if (!t)
            continue;
        t->latest = x->first > t->latest ? x->first : t->latest;
        next[k] = t->first;
        t->first = k + 1;
    }
    return all;
}

/* The first result that any argument may be computed into, for argument i; nresults: none. */
static uint32_t find_taker(tsr_program *p, const tsr_map *all, uint32_t *next, uint32_t i)
{
    const tsr_block_program *b = &p->main;
    const tsr_xvalue *x = &p->values.data[b->args[i]];
    takers *t = takers_of(all, x->type);
    uint32_t *at = t && x->last <= t->latest ? &t->first : NULL;
    while (at && *at) {
        tsr_xid out = tsr_storage_of(p, b->results[*at - 1]);
        if (fits_donor(p, b->args[i], out))
            return *at - 1;
        if (p->values.data[out].donor)
            *at = next[*at - 1]; /* taken */
        else
            at = &next[*at - 1];
    }
    return b->nresults;
}

/* Finds for each donated argument a result that can be computed in its buffer. */
static void donate(tsr_program *p)
{
    const tsr_block_program *b = &p->main;
    uint32_t *next = TSR_NEW_ARRAY(&p->arena, uint32_t, b->nresults + 1);
    tsr_map all = find_takers(p, next);
    for (uint32_t i = 0; i < b->nargs; i++) {
        const tsr_attr *to = argument_attr(p->function, i, TSR_STR("tf.aliasing_output"));
        bool any = argument_attr(p->function, i, TSR_STR("jax.buffer_donor"));
        uint32_t k = to && to->i >= 0 && to->i < b->nresults ? (uint32_t)to->i : b->nresults;
        if (any)
            k = find_taker(p, &all, next, i);
        tsr_xid out = k < b->nresults ? tsr_storage_of(p, b->results[k]) : TSR_XNONE;
        if (out == TSR_XNONE || !b->owned[k] || !fits_donor(p, b->args[i], out))
            continue;
        p->values.data[out].donor = i + 1;
        p->values.data[b->args[i]].donates = k + 1;
    }
    tsr_map_free(&all);
}

uint32_t tsr_program_donor(const tsr_program *p, uint32_t i)
{
    uint32_t donates = p->values.data[p->main.args[i]].donates;
    return donates ? donates - 1 : TSR_XNONE;
}

/* ---- Results of the evaluator's kernels ---- */

static bool is_kernels(const tsr_xvalue *x)
{
    return x->place == TSR_PLACE_TENSOR && x->node != TSR_XNONE;
}

/* Finds those that are results of the function; one that is returned twice is copied. */
static void find_given(tsr_program *p)
{
    for (uint32_t i = 0; i < p->main.nresults; i++) {
        tsr_xvalue *x = &p->values.data[p->main.results[i]];
        if (is_kernels(x) && tsr_is_kernel(p->nodes.data[x->node].kind) && x->n >= 0 &&
            x->type->kind == TSR_TYPE_TENSOR && !x->given)
            x->given = i + 1;
    }
}

/* A loop-carried value does not die: it is replaced by that of the next iteration. */
static bool dies(const tsr_program *p, const tsr_xvalue *x)
{
    return is_kernels(x) && !x->loop && !x->given && x->last < p->main.last;
}

static void list_dying(tsr_program *p)
{
    p->dying_at = TSR_NEW_ARRAY(&p->arena, uint32_t, p->nsteps + 2);
    for (tsr_xid v = 0; v < p->values.n; v++)
        if (dies(p, &p->values.data[v]))
            p->dying_at[p->values.data[v].last + 1]++;
    for (uint32_t s = 0; s <= p->nsteps; s++)
        p->dying_at[s + 1] += p->dying_at[s];
    p->dying = TSR_NEW_ARRAY(&p->arena, tsr_xid, p->dying_at[p->nsteps + 1] + 1);
    uint32_t *next = tsr_xmalloc((p->nsteps + 2) * sizeof *next);
    memcpy(next, p->dying_at, (p->nsteps + 2) * sizeof *next);
    for (tsr_xid v = 0; v < p->values.n; v++)
        if (dies(p, &p->values.data[v]))
            p->dying[next[p->values.data[v].last]++] = v;
    tsr_free(next);
}

/* A result of the function is copied to the caller's buffer as soon as it is computed. */
static void count_unplanned(tsr_program *p)
{
    TSR_VEC(tsr_piece) all = {0};
    for (tsr_xid v = 0; v < p->values.n; v++) {
        const tsr_xvalue *x = &p->values.data[v];
        uint32_t last = x->given ? x->first : x->last;
        if (is_kernels(x) && tsr_xvalue_bytes(x))
            tsr_vec_push(&all, ((tsr_piece){.bytes = (size_t)tsr_xvalue_bytes(x),
                                            .first = x->first,
                                            .last = last < p->nsteps ? last : p->nsteps,
                                            .value = v}));
    }
    p->unplanned_bytes = tsr_place_least(all.data, all.n, p->nsteps, &p->unplanned_step);
    tsr_vec_free(&all);
}

/* ---- Offsets ---- */

/* Rounds pieces up to multiples of so many bytes: of what the target asks for; of cache lines not in a small arena, where
 * they would be mostly empty. */
static void round_up(tsr_piece *all, size_t n, size_t granule)
{
    for (size_t i = 0; i < n; i++)
        all[i].bytes = (all[i].bytes + granule - 1) & ~(granule - 1);
}

static void round_pieces(const tsr_program *p, tsr_piece *all, size_t n)
{
    enum { SMALL = 1 << 16, LINE = 64 };
    uint32_t when;
    size_t least = tsr_place_least(all, n, p->nsteps, &when), widest = 1;
    for (size_t i = 0; i < n; i++) {
        size_t bytes = tsr_dtype_bytes((tsr_dtype)p->values.data[all[i].value].dtype);
        widest = bytes > widest ? bytes : widest;
    }
    widest = widest < TSR_PLACE_LEAST ? widest : TSR_PLACE_LEAST;
    bool packs = least < SMALL && p->target->align <= LINE;
    round_up(all, n, packs ? widest : (size_t)p->target->align);
}

void tsr_memory_plan(tsr_program *p)
{
    operands scratch = {0};
    tsr_slots_find(p);
    share(p, &p->main, &scratch);
    donate(p);
    find_guests(p, &scratch);
    tsr_vec_free(&scratch);
    find_given(p);
    list_dying(p);
    count_unplanned(p);
    TSR_VEC(tsr_piece) all = {0};
    for (tsr_xid v = 0; v < p->values.n; v++) {
        const tsr_xvalue *x = &p->values.data[v];
        if (!is_free(p, v) || x->n <= 0 || (x->node == TSR_XNONE && !x->loop))
            continue;
        tsr_vec_push(&all, ((tsr_piece){.bytes = (size_t)tsr_xvalue_bytes(x),
                                        .first = x->first,
                                        .last = x->last < p->nsteps ? x->last : p->nsteps,
                                        .value = v}));
    }
    round_pieces(p, all.data, all.n);
    all.n = tsr_reuse_results(p, all.data, all.n);
    p->least_bytes = tsr_place_least(all.data, all.n, p->nsteps, &p->peak_step);
    p->arena_bytes = tsr_place_all(all.data, all.n, p->nsteps, p->least_bytes, p->peak_step);
    tsr_assert(p->arena_bytes >= p->least_bytes, "an arena of %zu bytes for %zu", p->arena_bytes,
               p->least_bytes);
    tsr_check(tsr_pieces_sound(p, all.data, all.n, p->arena_bytes),
              "values overlap in an arena of %zu bytes, or end outside of it", p->arena_bytes);
    for (size_t i = 0; i < all.n; i++)
        p->values.data[all.data[i].value].offset = all.data[i].offset;
    tsr_vec_free(&all);
}
