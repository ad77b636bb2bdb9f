/* SPDX-License-Identifier: Apache-2.0 */
/* sharding.c - see sharding.h. Ops with equal types and rules share their choices and the tables of edges between them,
 * which are built once. */
#include "search/sharding.h"

#include <math.h>
#include <time.h>

#include "dialect/flops.h"
#include "dialect/opcode.h"
#include "shard/core/cost.h"
#include "shard/core/flow.h"
#include "shard/rule/rule.h"
#include "sim/sim.h"

#define SHARED 0.1 /* share of a collective's launch time that remains when several are combined */
enum { MOST_CHOICES = 256, FACTORS = 64, MOST_DIMS = 16 };

/* The options of ops of one kind: for each choice, the layout of each tensor. */
typedef struct {
    const tsr_op *op; /* the first op of this kind; NULL: a value with type */
    const tsr_type *type;
    const tsr_rule *rule;
    uint32_t id, nchoice, ntensor;
    /* no product reads its results, so the collectives that finish it can overlap with other work */
    bool late;
    double begins;       /* share of their launch time that counts, as several are combined */
    double *reads;       /* by tensor: number of times its bytes are read and written */
    tsr_layout *layouts; /* by choice, then by tensor (operands, results) */
    double *cost, *memory;
} kind;

typedef struct {
    uint32_t node, tensor;
    /* the node that defines a value, and which of its tensors it is; node UINT32_MAX: free in any layout */
} maker_of;

typedef struct {
    uint32_t a, ta, b, tb;
    const double *table;
} known_edge;

typedef struct {
    const tsr_sharding_request *r;
    tsr_arena *arena;
    tsr_search_problem *p;
    tsr_rules rules;
    tsr_map kinds, edges;
    uint32_t nkind;
    TSR_VEC(tsr_search_node) nodes;
    TSR_VEC(tsr_search_edge) links;
    TSR_VEC(const kind *) kind_of;
    maker_of *made; /* by value id */
    uint32_t *last; /* by value id: the last op that reads it */
    double *begins; /* by op id: see kind */
    double *reads;  /* by value id: number of reads per use; 0: it is fused into its readers */
    uint32_t now;
} builder;

static bool has_shape(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_TENSOR) && tsr_type_has_static_shape(t) && t->n > 0 && t->n < 16;
}

/* ---- Choices of values ---- */

static void values_choices(builder *b, kind *k, tsr_layout at, uint32_t axis)
{
    const tsr_search_mesh *mesh = b->r->mesh;
    if (axis == mesh->n) {
        if (k->nchoice < MOST_CHOICES)
            k->layouts[k->nchoice++] = at;
        return;
    }
    values_choices(b, k, at, axis + 1);
    for (uint32_t d = 0; d < k->type->n; d++) {
        int64_t parts = tsr_layout_parts_of(mesh, at, d) * mesh->sizes[axis];
        if (k->type->dims[d] % parts || !k->type->dims[d])
            continue;
        tsr_layout with = at;
        with.at[axis] = (uint8_t)(d + 1);
        values_choices(b, k, with, axis + 1);
    }
}

static kind *new_kind(builder *b, const tsr_op *op, const tsr_type *type, uint32_t ntensor)
{
    kind *k = TSR_NEW(b->arena, kind);
    *k = (kind){.op = op, .type = type, .id = b->nkind++, .ntensor = ntensor};
    k->layouts = TSR_NEW_ARRAY(b->arena, tsr_layout, (size_t)MOST_CHOICES * ntensor);
    return k;
}

static const kind *kind_of_value(builder *b, const tsr_type *type)
{
    uint64_t hash = tsr_hash_ptr(type) ^ 0x5851F42D4C957F2Du;
    TSR_MAP_EACH (&b->kinds, hash, v)
        if (!((kind *)v)->op && ((kind *)v)->type == type)
            return v;
    kind *k = new_kind(b, NULL, type, 1);
    values_choices(b, k, (tsr_layout){{0}}, 0);
    k->cost = TSR_NEW_ARRAY(b->arena, double, k->nchoice);
    k->memory = TSR_NEW_ARRAY(b->arena, double, k->nchoice);
    for (uint32_t i = 0; i < k->nchoice; i++)
        k->memory[i] = tsr_layout_bytes(b->r->mesh, type, k->layouts[i]);
    tsr_map_put(&b->kinds, hash, k);
    return k;
}

/* ---- Choices of ops ---- */

static const tsr_type *tensor_type(const tsr_op *op, uint32_t t)
{
    return t < op->nin ? op->in[t].value->type : op->out[t - op->nin].type;
}

/* Factors that axes may cut: those that come first in every dimension that they are in, and that devices can divide. */
static uint32_t free_factors(const tsr_rule *rule, uint32_t *out)
{
    uint32_t n = 0;
    bool bad[FACTORS] = {false};
    for (uint32_t d = 0; d < rule->dims[tsr_rule_tensors(rule)]; d++) {
        bool first = true;
        for (uint32_t i = rule->first[d]; i < rule->first[d + 1]; i++) {
            uint32_t f = rule->factors[i];
            if (f < FACTORS)
                bad[f] |= !first;
            first &= rule->sizes[f] == 1;
        }
    }
    for (uint32_t f = 0; f < rule->nfactor && f < FACTORS && n < 12; f++)
        if (!bad[f] && rule->sizes[f] > 1 &&
            (rule->kinds[f] == TSR_FACTOR_PASS_THROUGH || rule->kinds[f] == TSR_FACTOR_REDUCTION))
            out[n++] = f;
    return n;
}

/* The layout of a tensor when axes cut these factors. */
static tsr_layout layout_by(const builder *b, const tsr_rule *rule, uint32_t tensor,
                            const uint32_t *factor_of)
{
    tsr_layout l = {{0}};
    for (uint32_t a = 0; a < b->r->mesh->n; a++)
        for (uint32_t d = rule->dims[tensor]; factor_of[a] && d < rule->dims[tensor + 1]; d++)
            for (uint32_t i = rule->first[d]; i < rule->first[d + 1]; i++)
                if (rule->factors[i] == factor_of[a] - 1)
                    l.at[a] = (uint8_t)(d - rule->dims[tensor] + 1);
    return l;
}

static int64_t parts_up(int64_t size, int64_t parts)
{
    return size / parts + (size % parts > 0);
}

/* Seconds of the op itself: its share of the work and of the bytes read and written. */
static double work_seconds(const builder *b, const kind *k, const tsr_layout *l, double parts)
{
    double flops = tsr_op_flops(k->op), bytes = 0;
    for (uint32_t t = 0; t < k->ntensor; t++)
        bytes += k->reads[t] * tsr_layout_bytes(b->r->mesh, tensor_type(k->op, t), l[t]);
    flops = flops > 0 ? flops / parts : 0;
    if (!tsr_sim_is_product(k->op))
        return tsr_time_pass(b->r->device, flops, bytes);
    int64_t dims[2][MOST_DIMS];
    const uint32_t which[] = {0, k->op->nin};
    for (uint32_t i = 0; i < 2; i++) {
        const tsr_type *type = tensor_type(k->op, which[i]);
        for (uint32_t d = 0; d < type->n && d < MOST_DIMS; d++)
            dims[i][d] = parts_up(type->dims[d], tsr_layout_parts_of(b->r->mesh, l[which[i]], d));
        if (type->n > MOST_DIMS)
            return fmax(flops / b->r->device->products[0].rate, bytes / b->r->device->bandwidth);
    }
    return tsr_sim_product_seconds(b->r->device, k->op, dims[0], dims[1], flops, bytes);
}

static bool is_summed(const kind *k, const uint32_t *factor_of, uint32_t axis)
{
    return factor_of[axis] && k->rule->kinds[factor_of[axis] - 1] == TSR_FACTOR_REDUCTION;
}

/* Seconds of the collective that combines partial sums, for the axes that are scattered or for all others: one for all
 * of them. */
static double talk_seconds(const builder *b, const kind *k, const uint32_t *factor_of,
                           const uint8_t *scatter, bool scattered, double bytes)
{
    const tsr_search_mesh *mesh = b->r->mesh;
    int64_t n = 1, stride = 1;
    for (uint32_t a = mesh->n; a-- > 0;)
        if (is_summed(k, factor_of, a) && scattered == (scatter[a] != 0)) {
            stride = n == 1 ? tsr_search_stride(mesh, a) : stride;
            n *= mesh->sizes[a];
        }
    if (n == 1)
        return 0;
    tsr_collective how = scattered ? TSR_COLLECTIVE_SCATTER : TSR_COLLECTIVE_REDUCE;
    tsr_sim_group g = tsr_sim_group_of(b->r->device, n, stride);
    uint32_t link;
    double seconds = tsr_time_collective(b->r->device, how, bytes, &g, &link);
    return seconds - (1 - k->begins) * tsr_time_collective(b->r->device, how, 1e-9, &g, &link);
}

/* Seconds of the collectives that combine the partial sums of a result; scattering first leaves less to reduce. */
static double join_seconds(const builder *b, const kind *k, const uint32_t *factor_of,
                           const uint8_t *scatter, double bytes)
{
    double parts = 1;
    for (uint32_t a = 0; a < b->r->mesh->n; a++)
        parts *= scatter[a] ? (double)b->r->mesh->sizes[a] : 1;
    return talk_seconds(b, k, factor_of, scatter, true, bytes) +
           talk_seconds(b, k, factor_of, scatter, false, bytes / parts);
}

/* The factor by which padding increases the work. */
static double padding_of(const builder *b, const tsr_rule *rule, const uint32_t *factor_of)
{
    const tsr_search_mesh *mesh = b->r->mesh;
    double more = 1;
    for (uint32_t f = 0; mesh->pads && f < rule->nfactor; f++) {
        int64_t parts = 1, size = rule->sizes[f];
        for (uint32_t a = 0; a < mesh->n; a++)
            parts *= factor_of[a] == f + 1 ? mesh->sizes[a] : 1;
        more *= size > 0 ? (double)(parts_up(size, parts) * parts) / (double)size : 1;
    }
    return more;
}

/* Adds a choice; scatter: by axis, 1 + the dimension of the result along which its sums are scattered; 0: they are
 * reduced. */
static void add_choice(builder *b, kind *k, const uint32_t *factor_of, const uint8_t *scatter)
{
    const tsr_search_mesh *mesh = b->r->mesh;
    if (k->nchoice == MOST_CHOICES)
        return;
    tsr_layout *l = &k->layouts[(size_t)k->nchoice * k->ntensor];
    double parts = 1, join = 0;
    for (uint32_t t = 0; t < k->ntensor; t++)
        l[t] = layout_by(b, k->rule, t, factor_of);
    for (uint32_t a = 0; a < mesh->n; a++)
        parts *= factor_of[a] ? (double)mesh->sizes[a] : 1;
    parts /= padding_of(b, k->rule, factor_of);
    for (uint32_t t = k->op->nin; t < k->ntensor; t++)
        join += join_seconds(b, k, factor_of, scatter,
                             tsr_layout_bytes(mesh, tensor_type(k->op, t), l[t]));
    join *= k->late ? 1 - b->r->hidden : 1;
    k->cost[k->nchoice] = join + work_seconds(b, k, l, parts);
    for (uint32_t a = 0; a < mesh->n; a++)
        if (scatter[a])
            l[k->op->nin].at[a] = scatter[a];
    for (uint32_t t = k->op->nin; t < k->ntensor; t++)
        k->memory[k->nchoice] += tsr_layout_bytes(mesh, tensor_type(k->op, t), l[t]);
    k->nchoice++;
}

/* Also adds choices that scatter the sums along any dimension of the only result. */
static void add_choices(builder *b, kind *k, const uint32_t *factor_of, uint8_t *scatter,
                        tsr_layout at, uint32_t axis)
{
    const tsr_type *out = k->op->nout == 1 ? k->op->out[0].type : NULL;
    if (axis == b->r->mesh->n) {
        add_choice(b, k, factor_of, scatter);
        return;
    }
    add_choices(b, k, factor_of, scatter, at, axis + 1);
    if (!is_summed(k, factor_of, axis) || !out || !has_shape(out))
        return;
    for (uint32_t d = 0; d < out->n; d++) {
        tsr_layout with = at;
        with.at[axis] = (uint8_t)(d + 1);
        if (!out->dims[d] || out->dims[d] % tsr_layout_parts_of(b->r->mesh, with, d))
            continue;
        scatter[axis] = (uint8_t)(d + 1);
        add_choices(b, k, factor_of, scatter, with, axis + 1);
    }
    scatter[axis] = 0;
}

static void op_choices(builder *b, kind *k, const uint32_t *factors, uint32_t n,
                       uint32_t *factor_of, uint32_t axis)
{
    const tsr_search_mesh *mesh = b->r->mesh;
    if (axis == mesh->n) {
        uint8_t scatter[TSR_SEARCH_AXES] = {0};
        add_choices(b, k, factor_of, scatter, layout_by(b, k->rule, k->op->nin, factor_of), 0);
        return;
    }
    factor_of[axis] = 0;
    op_choices(b, k, factors, n, factor_of, axis + 1);
    for (uint32_t i = 0; i < n; i++) {
        int64_t parts = mesh->sizes[axis];
        for (uint32_t a = 0; a < axis; a++)
            parts *= factor_of[a] == factors[i] + 1 ? mesh->sizes[a] : 1;
        if (!tsr_search_mesh_cuts(mesh, k->rule->sizes[factors[i]], parts))
            continue;
        factor_of[axis] = factors[i] + 1;
        op_choices(b, k, factors, n, factor_of, axis + 1);
    }
    factor_of[axis] = 0;
}

static bool same_op(const tsr_op *a, const tsr_op *b, const tsr_rule *ra, const tsr_rule *rb)
{
    if (a->def != b->def || a->nin != b->nin || a->nout != b->nout || !ra != !rb)
        return false;
    for (uint32_t t = 0; t < a->nin + a->nout; t++)
        if (tensor_type(a, t) != tensor_type(b, t))
            return false;
    if (!ra || ra == rb)
        return true;
    uint32_t nt = tsr_rule_tensors(ra), nd = ra->dims[nt];
    return ra->nfactor == rb->nfactor && nt == tsr_rule_tensors(rb) && nd == rb->dims[nt] &&
           memcmp(ra->sizes, rb->sizes, ra->nfactor * sizeof *ra->sizes) == 0 &&
           memcmp(ra->kinds, rb->kinds, ra->nfactor) == 0 &&
           memcmp(ra->first, rb->first, (nd + 1) * sizeof *ra->first) == 0 &&
           memcmp(ra->factors, rb->factors, ra->first[nd] * sizeof *ra->factors) == 0;
}

/* Whether a product reads values computed from v, through elementwise ops and the like; *left: number of ops still to
 * be examined. */
static bool feeds_product(const tsr_value *v, uint32_t *left)
{
    for (const tsr_use *u = v->uses; u; u = u->next) {
        if (tsr_op_has(u->user, TSR_TRAIT(TERMINATOR)) && u->user->block == v->op->block)
            continue;
        if (!*left || u->user->nregion || tsr_sim_is_product(u->user))
            return true;
        --*left;
        for (uint32_t i = 0; i < u->user->nout; i++)
            if (feeds_product(&u->user->out[i], left))
                return true;
    }
    return false;
}

static bool has_sums(const tsr_rule *rule)
{
    bool sums = false;
    for (uint32_t f = 0; rule && f < rule->nfactor; f++)
        sums |= rule->kinds[f] == TSR_FACTOR_REDUCTION;
    return sums;
}

/* Sums that no product waits for, such as gradients of parameters. */
static bool is_late(const tsr_op *op, const tsr_rule *rule)
{
    uint32_t left = 64;
    bool sums = has_sums(rule);
    for (uint32_t i = 0; sums && i < op->nout; i++)
        sums = !feeds_product(&op->out[i], &left);
    return sums;
}

typedef struct {
    uint32_t level, n;
    const tsr_type *elem;
    const tsr_block *block;
} bunch;

/* Independent sums of one element type become one collective (shard/spmd/combine.c): here, those with equally many sums
 * before them. */
static void find_bunches(builder *b)
{
    const tsr_module *m = b->r->func->module;
    tsr_map bunches = {0};
    uint32_t *level = TSR_NEW_ARRAY(b->arena, uint32_t, m->nop + 1);
    bunch **of = TSR_NEW_ARRAY(b->arena, bunch *, m->nop + 1);
    b->begins = TSR_NEW_ARRAY(b->arena, double, m->nop + 1);
    TSR_OPS (b->r->func, op) {
        b->begins[op->id] = 1;
        for (uint32_t i = 0; i < op->nin; i++) {
            const tsr_value *v = op->in[i].value;
            uint32_t before = v->is_arg ? 0 : level[v->op->id] + (of[v->op->id] != NULL);
            level[op->id] = before > level[op->id] ? before : level[op->id];
        }
        if (op->nout != 1 || !has_shape(op->out[0].type) || tsr_sim_is_product(op) ||
            !tsr_rule_is_static(op) || !has_sums(tsr_rules_get(&b->rules, op)))
            continue;
        bunch own = {level[op->id], 1, op->out[0].type->elem, op->block}, *found = NULL;
        uint64_t hash = tsr_hash_mix(tsr_hash_ptr(own.elem) + own.level, tsr_hash_ptr(own.block));
        TSR_MAP_EACH (&bunches, hash, v) {
            bunch *x = v;
            if (x->level == own.level && x->elem == own.elem && x->block == own.block)
                found = x;
        }
        if (found) {
            found->n++;
        } else {
            found = TSR_NEW(b->arena, bunch);
            *found = own;
            tsr_map_put(&bunches, hash, found);
        }
        of[op->id] = found;
    }
    for (uint32_t i = 0; i < m->nop; i++)
        b->begins[i] = of[i] ? fmax(1.0 / of[i]->n, SHARED) : 1;
    tsr_map_free(&bunches);
}

/* Whether a value is available at the start, or nearly: an argument of the function, or computed from one alone. */
static bool is_early(const tsr_value *v)
{
    for (uint32_t depth = 0; depth < 8; depth++) {
        if (v->is_arg)
            return tsr_op_is(tsr_block_parent(v->block), TSR_OP_FUNC_FUNC);
        if (!tsr_sim_is_barrier(v->op) && (v->op->nin != 1 || v->op->nout != 1 || v->op->nregion))
            return false;
        v = v->op->in[v->index].value;
    }
    return false;
}

/* How often the op reads or writes the bytes of one of its tensors. */
static double reads_of(const builder *b, const tsr_op *op, uint32_t t)
{
    return t < op->nin ? b->reads[op->in[t].value->id] : tsr_sim_is_fused(op) ? 0 : 1;
}

static const kind *kind_of_op(builder *b, tsr_op *op)
{
    const tsr_rule *rule = tsr_rule_is_static(op) ? tsr_rules_get(&b->rules, op) : NULL;
    bool late = is_late(op, rule);
    double begins = late ? SHARED : b->begins[op->id];
    uint64_t hash = tsr_hash_ptr(op->def) + late + 2 * (uint64_t)(1 / begins);
    double reads[FACTORS];
    uint32_t n = op->nin + op->nout;
    for (uint32_t t = 0; t < n; t++) {
        double times = reads_of(b, op, t);
        hash = (hash ^ tsr_hash_ptr(tensor_type(op, t))) * 0x9E3779B97F4A7C15u +
               (uint64_t)(times * 64);
        if (t < FACTORS)
            reads[t] = times;
    }
    if (rule && tsr_rule_tensors(rule) != op->nin + op->nout)
        rule = NULL;
    TSR_MAP_EACH (&b->kinds, hash, v) {
        const kind *k = v;
        if (k->op && k->late == late && k->begins == begins && same_op(k->op, op, k->rule, rule) &&
            memcmp(k->reads, reads, (n < FACTORS ? n : FACTORS) * sizeof *reads) == 0)
            return k;
    }
    kind *k = new_kind(b, op, NULL, op->nin + op->nout);
    k->rule = rule;
    k->late = late;
    k->begins = begins;
    k->reads = TSR_NEW_ARRAY(b->arena, double, n);
    for (uint32_t t = 0; t < n; t++)
        k->reads[t] = t < FACTORS ? reads[t] : 1;
    k->cost = TSR_NEW_ARRAY(b->arena, double, MOST_CHOICES);
    k->memory = TSR_NEW_ARRAY(b->arena, double, MOST_CHOICES);
    uint32_t factors[12], factor_of[TSR_SEARCH_AXES] = {0};
    if (rule) {
        op_choices(b, k, factors, free_factors(rule, factors), factor_of, 0);
    } else { /* whole on every device */
        k->nchoice = 1;
        k->cost[0] = work_seconds(b, k, k->layouts, 1);
        for (uint32_t t = op->nin; t < k->ntensor; t++)
            k->memory[0] += tsr_layout_bytes(b->r->mesh, tensor_type(op, t), (tsr_layout){{0}});
    }
    tsr_map_put(&b->kinds, hash, k);
    return k;
}

/* ---- Nodes and edges ---- */

static double *scaled(const builder *b, double *values, uint32_t n, double times)
{
    if (times == 1)
        return values;
    double *out = TSR_NEW_ARRAY(b->arena, double, n);
    for (uint32_t i = 0; i < n; i++)
        out[i] = times * values[i];
    return out;
}

/* times: how often it runs; held: how many copies of its values are live at one time. */
static uint32_t add_node(builder *b, const kind *k, double times, double held, int64_t first,
                         int64_t last)
{
    tsr_search_node n = {.n = k->nchoice, .first = first, .last = last};
    n.cost = scaled(b, k->cost, k->nchoice, times);
    n.memory = scaled(b, k->memory, k->nchoice, held);
    tsr_vec_push(&b->nodes, n);
    tsr_vec_push(&b->kind_of, k);
    return (uint32_t)b->nodes.n - 1;
}

/* The distinct layouts of a tensor over all choices; which: by choice, the index of its layout. */
static uint32_t distinct_layouts(const kind *k, uint32_t tensor, tsr_layout *out, uint16_t *which)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < k->nchoice; i++) {
        tsr_layout l = k->layouts[(size_t)i * k->ntensor + tensor];
        uint32_t at = 0;
        while (at < n && !tsr_layout_eq(out[at], l))
            at++;
        out[at] = l;
        n += at == n;
        which[i] = (uint16_t)at;
    }
    return n;
}

/* The cost of getting from each choice of one node to each of another. */
static double *edge_table(builder *b, const kind *x, uint32_t tx, const kind *y, uint32_t ty,
                          const tsr_type *type, double times)
{
    tsr_layout from[MOST_CHOICES], to[MOST_CHOICES];
    uint16_t of_x[MOST_CHOICES], of_y[MOST_CHOICES];
    double row[MOST_CHOICES];
    uint32_t nx = distinct_layouts(x, tx, from, of_x), ny = distinct_layouts(y, ty, to, of_y);
    double *table = TSR_NEW_ARRAY(b->arena, double, (size_t)x->nchoice * y->nchoice);
    const tsr_moves_shape *shape = tsr_moves_shape_of(b->r->moves, type);
    for (uint32_t k = 0; k < nx; k++) {
        double bytes = tsr_layout_bytes(b->r->mesh, type, from[k]);
        for (uint32_t j = 0; j < ny; j++)
            row[j] = times * tsr_moves_seconds(b->r->moves, shape, from[k], to[j], bytes);
        for (uint32_t i = 0; i < x->nchoice; i++)
            for (uint32_t j = 0; of_x[i] == k && j < y->nchoice; j++)
                table[(size_t)i * y->nchoice + j] = row[of_y[j]];
    }
    return table;
}

/* Adds the edge for a value that goes from a tensor of one node to a tensor of another. */
static void add_edge(builder *b, maker_of from, uint32_t to, uint32_t tensor, const tsr_type *type,
                     double times)
{
    if (from.node == UINT32_MAX || from.node == to || !has_shape(type))
        return;
    const kind *x = b->kind_of.data[from.node], *y = b->kind_of.data[to];
    uint64_t hash = ((uint64_t)x->id * 1000003 + from.tensor) * 1000033 + y->id;
    hash = (hash * 31 + tensor) * 0x9E3779B97F4A7C15u + (uint64_t)(times * 1000);
    double *table = NULL;
    TSR_MAP_EACH (&b->edges, hash, v) {
        const known_edge *e = v;
        if (e->a == x->id && e->ta == from.tensor && e->b == y->id && e->tb == tensor)
            table = (double *)e->table;
    }
    if (!table) {
        table = edge_table(b, x, from.tensor, y, tensor, type, times);
        known_edge *e = TSR_NEW(b->arena, known_edge);
        *e = (known_edge){x->id, from.tensor, y->id, tensor, table};
        tsr_map_put(&b->edges, hash, e);
    }
    tsr_vec_push(&b->links, ((tsr_search_edge){{from.node, to}, table}));
}

/* Every device can compute its own part, so nothing moves. */
static bool is_free(const tsr_op *op)
{
    return !op->nin && !op->nregion && op->nout == 1 && tsr_op_flops(op) == 0;
}

static void add_block(builder *b, tsr_block *block, double times);

/* A value that loops and branches carry. */
static void add_carried(builder *b, tsr_value *v)
{
    if (has_shape(v->type))
        b->made[v->id] = (maker_of){
            add_node(b, kind_of_value(b, v->type), 1, 1, b->now, (int64_t)b->last[v->id] + 1), 0};
}

static void tie_carried(builder *b, const tsr_value *from, const tsr_value *to, double times)
{
    if (b->made[to->id].node != UINT32_MAX)
        add_edge(b, b->made[from->id], b->made[to->id].node, 0, to->type, times);
}

/* Loops and branches: results are nodes; values that flow into them are tied to them. */
static void add_flow(builder *b, tsr_op *op, double times)
{
    bool loop = tsr_flow_of(op) == TSR_FLOW_LOOP;
    double inside = loop ? times * tsr_sim_iterations(op) : times;
    for (uint32_t i = 0; i < op->nout; i++) {
        add_carried(b, &op->out[i]);
        if (loop && i < op->nin)
            tie_carried(b, op->in[i].value, &op->out[i], times);
    }
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], block) {
            for (uint32_t i = 0; loop && i < block->nargs && i < op->nout; i++)
                b->made[block->args[i]->id] = b->made[op->out[i].id];
            add_block(b, block, inside);
            const tsr_op *end = block->last;
            for (uint32_t i = 0; end && (!loop || r == 1) && i < end->nin && i < op->nout; i++)
                tie_carried(b, end->in[i].value, &op->out[i], inside);
        }
}

static void add_op(builder *b, tsr_op *op, double times)
{
    tsr_flow_kind flow = tsr_flow_of(op);
    if (tsr_op_has(op, TSR_TRAIT(TERMINATOR)) || is_free(op))
        return;
    if (flow == TSR_FLOW_LOOP || flow == TSR_FLOW_BRANCHES || flow == TSR_FLOW_CHOICE) {
        add_flow(b, op, times);
        return;
    }
    if (tsr_sim_is_barrier(op)) {
        for (uint32_t i = 0; i < op->nout; i++)
            b->made[op->out[i].id] = b->made[op->in[i].value->id];
        return;
    }
    int64_t last = b->now + 1;
    for (uint32_t i = 0; i < op->nout; i++)
        last = b->last[op->out[i].id] + 1 > last ? b->last[op->out[i].id] + 1 : last;
    /* Values that a layer keeps for later exist once for each layer that it represents. */
    double layers = b->r->op_times ? b->r->op_times[op->id] : 1,
           held = tsr_sim_is_fused(op)                                     ? 0
                  : b->r->until && last - 1 > (int64_t)b->r->until[op->id] ? layers
                                                                           : 1;
    times *= layers;
    uint32_t node = add_node(b, kind_of_op(b, op), times, held, b->now, last);
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_value *v = op->in[i].value;
        add_edge(b, b->made[v->id], node, i, v->type, times * (is_early(v) ? 1 - b->r->hidden : 1));
    }
    for (uint32_t i = 0; i < op->nout; i++)
        b->made[op->out[i].id] = (maker_of){node, op->nin + i};
}

static void add_block(builder *b, tsr_block *block, double times)
{
    TSR_BLOCK_OPS (block, op) {
        b->now = op->id;
        add_op(b, op, times);
    }
}

/* Arguments are live all the time; arguments with a given layout have one choice. */
static void add_arguments(builder *b, const tsr_block *body, int64_t end)
{
    for (uint32_t i = 0; i < body->nargs; i++) {
        if (!has_shape(body->args[i]->type))
            continue;
        const kind *k = kind_of_value(b, body->args[i]->type);
        double layers = b->r->arg_times ? b->r->arg_times[i] : 1;
        bool donated = tsr_arg_is_donated(b->r->func, i);
        uint32_t node =
            add_node(b, k, 1, layers, 0, donated ? (int64_t)b->last[body->args[i]->id] + 1 : end);
        b->made[body->args[i]->id] = (maker_of){node, 0};
        if (!b->r->is_given || !b->r->is_given[i])
            continue;
        double *cost = TSR_NEW_ARRAY(b->arena, double, k->nchoice);
        bool found = false;
        for (uint32_t c = 0; c < k->nchoice; c++) {
            bool same = tsr_layout_eq(k->layouts[c], b->r->given[i]);
            cost[c] = same ? 0 : TSR_SEARCH_NEVER;
            found |= same;
        }
        if (found)
            b->nodes.data[node].cost = cost;
    }
}

/* Results that are arguments of the next step must have the argument's layout. */
static void tie_results(builder *b, const tsr_block *body)
{
    const tsr_op *end = body->last;
    for (uint32_t i = 0; b->r->tie && end && i < end->nin; i++) {
        uint32_t arg = b->r->tie[i];
        if (arg && b->made[body->args[arg - 1]->id].node != UINT32_MAX)
            add_edge(b, b->made[end->in[i].value->id], b->made[body->args[arg - 1]->id].node, 0,
                     end->in[i].value->type, b->r->arg_times ? b->r->arg_times[arg - 1] : 1);
    }
}

/* The kernels that read a value, by id, including those into which a reader is fused. */
typedef struct {
    uint32_t n, ops[8];
} readers;

static void add_reader(readers *to, uint32_t op)
{
    for (uint32_t i = 0; i < to->n; i++)
        if (to->ops[i] == op)
            return;
    if (to->n < TSR_COUNT(to->ops))
        to->ops[to->n++] = op;
}

/* How often values are read: once by each kernel, as in the simulator. */
static void count_reads(builder *b, tsr_op *const *ops, size_t n)
{
    const tsr_module *m = b->r->func->module;
    readers *all = TSR_NEW_ARRAY(b->arena, readers, m->nvalue + 1);
    b->reads = TSR_NEW_ARRAY(b->arena, double, m->nvalue + 1);
    for (size_t k = n; k-- > 0;) {
        const tsr_op *op = ops[k];
        bool barrier = tsr_sim_is_barrier(op), fused = !barrier && tsr_sim_is_fused(op);
        for (uint32_t i = 0; i < op->nin; i++) {
            readers *to = &all[op->in[i].value->id];
            const readers *from = barrier ? &all[op->out[i].id]
                                  : fused ? &all[op->out[0].id]
                                          : NULL;
            for (uint32_t r = 0; from && r < from->n; r++)
                add_reader(to, from->ops[r]);
            if (!from)
                add_reader(to, op->id);
        }
    }
    for (size_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < ops[k]->nin; i++) {
            const tsr_value *v = ops[k]->in[i].value;
            uint32_t uses = 0;
            if (v->uses != &ops[k]->in[i]) /* each value at one of its uses */
                continue;
            for (const tsr_use *u = v->uses; u; u = u->next)
                uses++;
            b->reads[v->id] =
                !v->is_arg && tsr_sim_is_fused(v->op) ? 0 : (double)all[v->id].n / uses;
        }
}

/* A reader of a fused op reads the op's operands. */
static void number_uses(builder *b, tsr_op *func)
{
    TSR_VEC(tsr_op *) ops = {0};
    TSR_OPS (func, op)
        tsr_vec_push(&ops, op);
    count_reads(b, ops.data, ops.n);
    for (size_t k = ops.n; k-- > 0;) {
        const tsr_op *op = ops.data[k];
        uint32_t end = op->id;
        for (uint32_t i = 0; tsr_sim_is_barrier(op) && i < op->nin; i++)
            if (b->last[op->in[i].value->id] < b->last[op->out[i].id])
                b->last[op->in[i].value->id] = b->last[op->out[i].id];
        if (op->nout && tsr_sim_is_fused(op) && b->last[op->out[0].id] > end)
            end = b->last[op->out[0].id];
        for (uint32_t i = 0; i < op->nin; i++)
            if (b->last[op->in[i].value->id] < end)
                b->last[op->in[i].value->id] = end;
    }
    tsr_vec_free(&ops);
}

/* ---- The solution ---- */

static tsr_layout layout_of(const builder *b, const uint32_t *choice, const tsr_value *v)
{
    maker_of m = b->made[v->id];
    if (m.node == UINT32_MAX)
        return (tsr_layout){{0}};
    const kind *k = b->kind_of.data[m.node];
    return k->layouts[(size_t)choice[m.node] * k->ntensor + m.tensor];
}

/* Pins operands that the op reads in a layout other than their own. */
static void pin_operands(const builder *b, const uint32_t *choice, const tsr_op *op,
                         tsr_sharding_answer *out)
{
    uint32_t node = b->made[op->out[0].id].node;
    const kind *k = b->kind_of.data[node];
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_value *v = op->in[i].value;
        tsr_layout wanted = k->layouts[(size_t)choice[node] * k->ntensor + i];
        if (b->made[v->id].node != UINT32_MAX && has_shape(v->type) &&
            !tsr_layout_eq(layout_of(b, choice, v), wanted))
            out->all[out->nall++] = (tsr_layout_pin){op->id, i + 1, wanted};
    }
}

static void take_answer(builder *b, const uint32_t *choice, tsr_sharding_answer *out)
{
    const tsr_block *body = b->r->func->regions[0].first;
    const tsr_op *end = body->last;
    out->args = TSR_NEW_ARRAY(b->arena, tsr_layout, body->nargs + 1);
    out->results = TSR_NEW_ARRAY(b->arena, tsr_layout, end->nin + 1);
    out->products = TSR_NEW_ARRAY(b->arena, tsr_layout_pin, b->nodes.n + 1);
    out->all = TSR_NEW_ARRAY(b->arena, tsr_layout_pin, b->nodes.n + b->links.n + 1);
    for (uint32_t i = 0; i < body->nargs; i++)
        out->args[i] = layout_of(b, choice, body->args[i]);
    for (uint32_t i = 0; i < end->nin; i++)
        out->results[i] = layout_of(b, choice, end->in[i].value);
    TSR_OPS (b->r->func, op) {
        if (op->nout != 1 || !has_shape(op->out[0].type) || tsr_sim_is_barrier(op) ||
            b->made[op->out[0].id].node == UINT32_MAX)
            continue;
        tsr_layout_pin own = {op->id, 0, layout_of(b, choice, &op->out[0])};
        if (tsr_flow_of(op) == TSR_FLOW_NONE)
            pin_operands(b, choice, op, out);
        out->all[out->nall++] = own;
        if (tsr_sim_is_product(op))
            out->products[out->nproduct++] = own;
    }
}

/* The peak memory when each node takes its choice of least memory. */
static double least_memory(const builder *b, uint32_t *choice)
{
    for (uint32_t i = 0; i < b->p->nnode; i++) {
        const tsr_search_node *n = &b->p->nodes[i];
        choice[i] = 0;
        for (uint32_t c = 1; c < n->n; c++)
            if (n->memory[c] < n->memory[choice[i]])
                choice[i] = c;
    }
    return tsr_search_evaluate(b->p, choice).memory;
}

static double processor_time(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

bool tsr_sharding_search(tsr_arena *arena, const tsr_sharding_request *r, tsr_sharding_answer *out)
{
    tsr_search_problem p = {.limit = r->limit};
    builder b = {.r = r, .arena = arena, .p = &p};
    tsr_module *m = r->func->module;
    *out = (tsr_sharding_answer){0};
    tsr_rules_init(&b.rules, arena, m, (tsr_rule_options){.extra = true});
    b.made = TSR_NEW_ARRAY(arena, maker_of, m->nvalue + 1);
    b.last = TSR_NEW_ARRAY(arena, uint32_t, m->nvalue + 1);
    for (uint32_t i = 0; i < m->nvalue; i++)
        b.made[i].node = UINT32_MAX;
    number_uses(&b, r->func);
    find_bunches(&b);
    add_arguments(&b, r->func->regions[0].first, (int64_t)m->nop + 1);
    add_block(&b, r->func->regions[0].first, 1);
    tie_results(&b, r->func->regions[0].first);
    p.nodes = b.nodes.data;
    p.nnode = (uint32_t)b.nodes.n;
    p.edges = b.links.data;
    p.nedge = (uint32_t)b.links.n;
    out->nnode = p.nnode;
    out->nedge = p.nedge;
    for (uint32_t i = 0; i < p.nedge; i++)
        out->cells += (double)p.nodes[p.edges[i].node[0]].n * p.nodes[p.edges[i].node[1]].n;
    if (p.nnode) {
        uint32_t *choice = TSR_NEW_ARRAY(arena, uint32_t, p.nnode);
        out->least = least_memory(&b, choice);
        tsr_search_options options = {.seed = r->seed ? r->seed : 1, .patience = 3};
        options.work = 2e8;
        options.seconds = r->seconds;
        options.pool = r->pool;
        double start = processor_time();
        tsr_search_result got = tsr_search_solve(&p, &options, choice);
        out->seconds = processor_time() - start;
        out->feasible = got.feasible;
        out->cost = got.cost;
        out->bound = got.bound;
        out->memory = got.memory;
        take_answer(&b, choice, out);
    }
    tsr_map_free(&b.kinds);
    tsr_map_free(&b.edges);
    tsr_vec_free(&b.nodes);
    tsr_vec_free(&b.links);
    tsr_vec_free(&b.kind_of);
    return p.nnode > 0;
}
