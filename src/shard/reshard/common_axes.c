/* SPDX-License-Identifier: Apache-2.0 */
/* common_axes.c - chooses the axes for an op's factors when its tensors disagree.
 *
 * There is no cost model here: an axis goes where the larger tensors have it. Candidates are pairs of a factor and a
 * list of axes that some tensor has on it, including prefixes; the best one is taken, overlapping ones are cut, and so
 * on. The order among candidates is Shardy's. */
#include "shard/reshard/reshards.h"

int64_t *tsr_tensor_sizes(tsr_arena *arena, const tsr_op *op)
{
    int64_t *sizes = tsr_arena_alloc(arena, ((size_t)op->nin + op->nout) * sizeof *sizes);
    for (uint32_t i = 0; i < op->nin + op->nout; i++) {
        int64_t n =
            tsr_type_num_elements(i < op->nin ? op->in[i].value->type : op->out[i - op->nin].type);
        sizes[i] = n < 0 ? 0 : n;
    }
    return sizes;
}

const tsr_axes *tsr_agreed_axes(const tsr_projection *p, uint32_t factor)
{
    const tsr_axes *axes = NULL;
    for (uint32_t i = 0; i < tsr_projection_parts(p->rule); i++) {
        if (p->rule->factors[i] != factor || p->parts[i].absent)
            continue;
        if (axes && axes != p->parts[i].axes)
            return NULL;
        axes = p->parts[i].axes;
    }
    return axes ? axes : p->table->lists.none;
}

/* ---- Queries on rules ---- */

static bool has_kind(const tsr_rule *r, tsr_factor_kind kind)
{
    for (uint32_t f = 0; f < r->nfactor; f++)
        if (r->kinds[f] == kind)
            return true;
    return false;
}

static bool has_compound_dims(const tsr_rule *r)
{
    for (uint32_t d = 0; d < r->dims[tsr_rule_tensors(r)]; d++)
        if (r->first[d + 1] - r->first[d] > 1)
            return true;
    return false;
}

/* The tensors that are not scalars, if there are exactly two. */
static bool two_tensors(const tsr_rule *r, uint32_t out[2])
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < tsr_rule_tensors(r); t++)
        if (tsr_rule_rank(r, t)) {
            if (n == 2)
                return false;
            out[n++] = t;
        }
    return n == 2;
}

static bool in_all_tensors(const tsr_rule *r, uint32_t factor)
{
    for (uint32_t t = 0; t < tsr_rule_tensors(r); t++) {
        if (!tsr_rule_rank(r, t))
            continue;
        uint32_t i = tsr_projection_first(r, t), end = tsr_projection_first(r, t + 1);
        while (i < end && r->factors[i] != factor)
            i++;
        if (i == end)
            return false;
    }
    return true;
}

/* ---- Tensors that agree already ---- */

/* Whether every factor is sharded alike on all tensors, factors that need replication are not sharded, and no axis is
 * used twice. */
static bool agree(const tsr_projection *p, const tsr_axes **axes)
{
    const tsr_rule *r = p->rule;
    for (uint32_t i = 0; i < tsr_projection_parts(r); i++) {
        const tsr_axes **a = &axes[r->factors[i]];
        if (p->parts[i].absent)
            continue;
        if (*a && *a != p->parts[i].axes)
            return false;
        *a = p->parts[i].axes;
    }
    for (uint32_t f = 0; f < r->nfactor; f++) {
        if (!axes[f])
            axes[f] = p->table->lists.none;
        if (!axes[f]->n)
            continue;
        if (r->kinds[f] == TSR_FACTOR_NEED_REPLICATION)
            return false;
        for (uint32_t g = 0; g < f; g++)
            if (axes[g]->n && tsr_axes_overlap(axes[g], axes[f]))
                return false;
    }
    return r->nfactor != 0;
}

/* ---- Two tensors: one of them keeps its sharding ---- */

static bool has_sharded_permutation(const tsr_projection *p, uint32_t t)
{
    const tsr_rule *r = p->rule;
    for (uint32_t i = tsr_projection_first(r, t); i < tsr_projection_first(r, t + 1); i++)
        if (r->kinds[r->factors[i]] == TSR_FACTOR_PERMUTATION && !p->parts[i].absent &&
            p->parts[i].axes->n)
            return true;
    return false;
}

static bool first_is_preferred(const tsr_projection *p, const uint32_t t[2], const int64_t *sizes)
{
    bool a = has_sharded_permutation(p, t[0]), b = has_sharded_permutation(p, t[1]);
    if (a != b)
        return b;
    if (sizes[t[0]] != sizes[t[1]])
        return sizes[t[0]] > sizes[t[1]];
    return tsr_projection_size(p, t[0]) >= tsr_projection_size(p, t[1]);
}

static void take_preferred(tsr_resharder *s, const tsr_projection *p, const uint32_t t[2],
                           const int64_t *sizes, const tsr_axes **axes)
{
    const tsr_rule *r = p->rule;
    bool first = first_is_preferred(p, t, sizes);
    uint32_t kept = t[!first], other = t[first];
    tsr_axis_vec seen = {0};
    for (uint32_t i = tsr_projection_first(r, kept); i < tsr_projection_first(r, kept + 1); i++) {
        if (p->parts[i].absent)
            continue;
        axes[r->factors[i]] = p->parts[i].axes;
        tsr_axis_vec_add_all(&seen, p->parts[i].axes->data, p->parts[i].axes->n);
    }
    const tsr_axes *taken = tsr_axes_get(&s->table.lists, seen.data, seen.n);
    tsr_vec_free(&seen);
    for (uint32_t i = tsr_projection_first(r, other); i < tsr_projection_first(r, other + 1); i++)
        if (!p->parts[i].absent && !tsr_projection_part(p, kept, r->factors[i]))
            axes[r->factors[i]] = tsr_axes_before(&s->table.lists, p->parts[i].axes, taken);
}

/* ---- Many tensors: the best candidates, one after the other ---- */

typedef struct {
    uint32_t factor;
    const tsr_axes *axes;
    int64_t sources; /* elements of all tensors on which the factor is sharded this way */
    int64_t size;    /* factor by which it increases the number of parts */
} candidate;

/* factor may be sharded only if on is full: on is major to it in a dimension */
typedef struct {
    uint32_t factor, on;
} dependency;

typedef struct {
    tsr_resharder *s;
    const tsr_rule *rule;
    const tsr_mesh *mesh;
    const tsr_axes **axes; /* chosen so far */
    candidate *c;
    uint32_t n, cap;
    dependency *deps;
    uint32_t ndep;
} bag;

static void add_candidate(bag *b, uint32_t factor, const tsr_axes *axes)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (b->c[i].factor == factor && b->c[i].axes == axes)
            return;
    if (b->n == b->cap) {
        uint32_t cap = b->cap ? b->cap * 2 : 16;
        candidate *c = tsr_arena_alloc(b->s->arena, cap * sizeof *c);
        if (b->n)
            memcpy(c, b->c, b->n * sizeof *c);
        b->c = c;
        b->cap = cap;
    }
    b->c[b->n++] = (candidate){factor, axes, 0, axes->size};
}

static int64_t add(int64_t a, int64_t b) /* of non-negative numbers; saturates */
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

static void collect(bag *b, const tsr_projection *p, const int64_t *sizes)
{
    const tsr_rule *r = p->rule;
    for (uint32_t i = 0; i < tsr_projection_parts(r); i++) {
        if (p->parts[i].absent)
            continue;
        for (const tsr_axes *a = p->parts[i].axes; a->n;
             a = tsr_axes_cut(&b->s->table.lists, a, a->n - 1, NULL))
            add_candidate(b, r->factors[i], a);
    }
    for (uint32_t t = 0; t < tsr_rule_tensors(r); t++)
        for (uint32_t i = tsr_projection_first(r, t); i < tsr_projection_first(r, t + 1); i++) {
            const tsr_axes *source = p->parts[i].axes;
            for (uint32_t k = 0; k < b->n && source->n && !p->parts[i].absent; k++)
                if (b->c[k].factor == r->factors[i] &&
                    (b->c[k].axes == source || tsr_axes_strict_prefix(b->c[k].axes, source)))
                    b->c[k].sources = add(b->c[k].sources, sizes[t]);
        }
}

static void collect_dependencies(bag *b)
{
    const tsr_rule *r = b->rule;
    uint32_t ndim = r->dims[tsr_rule_tensors(r)];
    b->deps = tsr_arena_alloc(b->s->arena, r->first[ndim] * sizeof *b->deps);
    for (uint32_t d = 0; d < ndim; d++)
        for (uint32_t i = r->first[d] + 1; i < r->first[d + 1]; i++)
            b->deps[b->ndep++] = (dependency){r->factors[i], r->factors[i - 1]};
}

static void drop_dependencies(bag *b, uint32_t on)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->ndep; i++)
        if (b->deps[i].on != on)
            b->deps[n++] = b->deps[i];
    b->ndep = n;
}

static bool is_free(const bag *b, uint32_t factor)
{
    for (uint32_t i = 0; i < b->ndep; i++)
        if (b->deps[i].factor == factor)
            return false;
    return true;
}

static int precedence(tsr_factor_kind kind)
{
    switch (kind) {
    case TSR_FACTOR_PASS_THROUGH: return 3;
    case TSR_FACTOR_REDUCTION: return 2;
    case TSR_FACTOR_PERMUTATION: return 1;
    case TSR_FACTOR_NEED_REPLICATION: return 0;
    }
    return 0;
}

/* Order of lists: shorter first, then axis by axis, by name. */
static bool less_axes(const bag *b, const tsr_axes *x, const tsr_axes *y)
{
    if (x->n != y->n)
        return x->n < y->n;
    for (uint32_t i = 0; i < x->n; i++) {
        tsr_axis a = x->data[i], c = y->data[i];
        if (a.axis != c.axis)
            return tsr_str_cmp(tsr_mesh_axis_name(b->mesh, a.axis)->s,
                               tsr_mesh_axis_name(b->mesh, c.axis)->s) < 0;
        if (!tsr_axis_eq(a, c))
            return a.pre != c.pre ? a.pre < c.pre : a.size < c.size;
    }
    return false;
}

static bool worse(const bag *b, const candidate *x, const candidate *y)
{
    if (x->sources != y->sources)
        return x->sources < y->sources;
    int px = precedence(b->rule->kinds[x->factor]), py = precedence(b->rule->kinds[y->factor]);
    if (px != py)
        return px < py;
    if (x->size != y->size)
        return x->size < y->size;
    if (x->factor != y->factor)
        return x->factor < y->factor;
    return less_axes(b, x->axes, y->axes);
}

static int64_t parts_more(const tsr_axes *axes, const tsr_axes *prefix)
{
    return axes->size / (prefix->size > 0 ? prefix->size : 1);
}

/* Cuts a candidate to what the last choice leaves of it; false: nothing. */
static bool after_choice(bag *b, candidate *c, uint32_t factor, const tsr_axes *axes)
{
    if (c->factor == factor) {
        c->size = parts_more(c->axes, axes);
        return tsr_axes_strict_prefix(axes, c->axes);
    }
    const tsr_axes *cut = tsr_axes_before(&b->s->table.lists, c->axes, axes);
    /* counts all its axes, though some may already be chosen, as Shardy does */
    if (cut == c->axes) {
        c->size = c->axes->size;
        return true;
    }
    c->axes = cut;
    c->size = parts_more(cut, b->axes[c->factor]);
    return cut != b->axes[c->factor];
}

static void choose(bag *b)
{
    while (b->n) {
        const candidate *best = NULL;
        for (uint32_t i = 0; i < b->n; i++)
            if (is_free(b, b->c[i].factor) && (!best || worse(b, best, &b->c[i])))
                best = &b->c[i];
        if (!best)
            return;
        uint32_t factor = best->factor, n = 0;
        const tsr_axes *axes = best->axes;
        b->axes[factor] = axes;
        if (axes->size == b->rule->sizes[factor])
            drop_dependencies(b, factor);
        for (uint32_t i = 0; i < b->n; i++)
            if (after_choice(b, &b->c[i], factor, axes))
                b->c[n++] = b->c[i];
        b->n = n;
    }
}

/* ---- Axes of factors that need replication ---- */

/* Shards batching factors by these axes instead, as far as sizes divide. */
static void give_to_batching(bag *b, const tsr_axes *axes)
{
    const tsr_rule *r = b->rule;
    uint32_t i = 0;
    for (uint32_t f = 0; f < r->nfactor && i < axes->n; f++) {
        if (r->kinds[f] != TSR_FACTOR_PASS_THROUGH || !r->sizes[f] || !in_all_tensors(r, f))
            continue;
        int64_t room = r->sizes[f] / b->axes[f]->size;
        if (r->sizes[f] % b->axes[f]->size)
            continue;
        for (; i < axes->n && room % axes->data[i].size == 0; i++) {
            const tsr_axes *one = tsr_axes_get(&b->s->table.lists, &axes->data[i], 1);
            b->axes[f] = tsr_axes_join(&b->s->table.lists, b->axes[f], one);
            room /= axes->data[i].size;
        }
    }
}

static void move_to_batching(bag *b)
{
    const tsr_rule *r = b->rule;
    for (uint32_t f = 0; f < r->nfactor; f++) {
        if (r->kinds[f] != TSR_FACTOR_NEED_REPLICATION)
            continue;
        const tsr_axes *axes = b->axes[f];
        b->axes[f] = b->s->table.lists.none;
        if (axes->n && in_all_tensors(r, f))
            give_to_batching(b, axes);
    }
}

const tsr_axes **tsr_common_axes(tsr_resharder *s, const tsr_projection *p,
                                 const int64_t *tensor_sizes, const tsr_mesh *mesh)
{
    const tsr_rule *r = p->rule;
    const tsr_axes **axes = TSR_NEW_ARRAY(s->arena, const tsr_axes *, r->nfactor);
    if (agree(p, axes))
        return axes;
    for (uint32_t f = 0; f < r->nfactor; f++)
        axes[f] = s->table.lists.none;
    uint32_t two[2];
    if (two_tensors(r, two) && !has_kind(r, TSR_FACTOR_NEED_REPLICATION) && !has_compound_dims(r)) {
        take_preferred(s, p, two, tensor_sizes, axes);
        return axes;
    }
    bag b = {.s = s, .rule = r, .mesh = mesh, .axes = axes};
    collect(&b, p, tensor_sizes);
    collect_dependencies(&b);
    choose(&b);
    move_to_batching(&b);
    return axes;
}
