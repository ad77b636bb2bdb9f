/* SPDX-License-Identifier: Apache-2.0 */
/* permute_reshape.c - reshapes of tensors whose axes do not divide a dimension: parts of the result do not begin where
 * parts of the operand do.
 *
 * A reshape decomposes into groups of dimensions that hold the same elements. A group that splits one dimension can
 * move elements between neighbours; along others the operand is replicated. */
#include "dialect/sdy/strides.h"
#include "shard/core/devices.h"
#include "shard/local/halo.h"

/* ---- Groups ---- */

/* Dimensions [in, in_end) of the operand are [out, out_end) of the result. */
typedef struct {
    uint32_t in, in_end, out, out_end;
    uint32_t nin, nout; /* number of these that are not 1 */
} group;

typedef TSR_VEC(group) groups;

typedef struct {
    tsr_permuter *p;
    tsr_op *op;
    const tsr_sharding *in, *out;
    tsr_type *from, *to;
    groups groups;
} reshape;

static uint32_t count_proper(const tsr_type *t, uint32_t from, uint32_t to)
{
    uint32_t n = 0;
    for (uint32_t d = from; d < to; d++)
        n += t->dims[d] != 1;
    return n;
}

/* The types have the same, known, non-zero number of elements. */
static void find_groups(reshape *r)
{
    const tsr_type *a = r->from, *b = r->to;
    uint32_t i = 0, j = 0;
    while (i < a->n || j < b->n) {
        group g = {.in = i, .out = j};
        int64_t x = i < a->n ? a->dims[i++] : 1, y = j < b->n ? b->dims[j++] : 1;
        while (x != y) {
            if (x < y && i < a->n)
                x *= a->dims[i++];
            else if (y < x && j < b->n)
                y *= b->dims[j++];
            else
                break;
        }
        g.in_end = i;
        g.out_end = j;
        g.nin = count_proper(a, g.in, i);
        g.nout = count_proper(b, g.out, j);
        tsr_vec_push(&r->groups, g);
    }
}

static bool passes_through(const group *g)
{
    return g->nin <= 1 && g->nout <= 1;
}

static bool undivided(const tsr_sharding *s, const tsr_type *t, uint32_t from, uint32_t to)
{
    for (uint32_t d = from; d < to; d++)
        if (t->dims[d] % s->dims[d].axes->size)
            return true;
    return false;
}

/* Whether some axes do not divide their dimension. */
static bool is_undivided(const reshape *r, const group *g)
{
    return undivided(r->in, r->from, g->in, g->in_end) ||
           undivided(r->out, r->to, g->out, g->out_end);
}

/* ---- Whether parts are equal on both sides ---- */

/* An axis and the number of parts of the global tensor before it, major first. */
typedef struct {
    tsr_axis axis;
    double stride;
    int64_t before, dim;
} step;

typedef TSR_VEC(step) steps;

/* The axes of a sharding from minor to major; consecutive parts of one mesh axis are merged. Strides may be fractions:
 * the tensor is cut as if that were possible. */
static void steps_of(const tsr_sharding *s, const tsr_type *t, uint32_t from, uint32_t to,
                     steps *out)
{
    double inner = 1;
    int64_t before = 1;
    for (uint32_t d = from; d < to; d++)
        before *= t->dims[d];
    for (uint32_t d = to; d-- > from;) {
        const tsr_axes *axes = s->dims[d].axes;
        double stride = inner * ((double)t->dims[d] / (double)axes->size);
        int64_t parts = axes->size;
        before /= t->dims[d];
        for (uint32_t i = axes->n; i-- > 0;) {
            parts /= axes->data[i].size;
            tsr_vec_push(out, ((step){axes->data[i], stride, before * parts, t->dims[d]}));
            stride *= (double)axes->data[i].size;
        }
        inner *= (double)t->dims[d];
    }
    for (size_t i = 1; i < out->n; i++) /* few elements; the sort is stable */
        for (size_t k = i; k > 0 && out->data[k - 1].stride > out->data[k].stride; k--) {
            step x = out->data[k];
            out->data[k] = out->data[k - 1];
            out->data[k - 1] = x;
        }
    size_t n = 0;
    for (size_t i = 0; i < out->n; i++) {
        step *last = n ? &out->data[n - 1] : NULL, *now = &out->data[i];
        if (last && now->axis.axis == last->axis.axis &&
            tsr_axis_end(now->axis) == last->axis.pre &&
            (last->before == now->before ||
             (last->before == now->before * now->dim && now->axis.size == now->dim))) {
            last->axis = tsr_axis_merge(now->axis, last->axis);
            last->before = now->before < last->before ? now->before : last->before;
            continue;
        }
        out->data[n++] = *now;
    }
    out->n = n;
}

/* Whether both sides of these dimensions have the same axes at the same positions. */
static bool same_steps(const reshape *r, const group *g)
{
    steps a = {0}, b = {0};
    steps_of(r->in, r->from, g->in, g->in_end, &a);
    steps_of(r->out, r->to, g->out, g->out_end, &b);
    bool same = a.n == b.n;
    for (size_t i = 0; same && i < a.n; i++)
        same = tsr_axis_eq(a.data[i].axis, b.data[i].axis) && a.data[i].before == b.data[i].before;
    tsr_vec_free(&a);
    tsr_vec_free(&b);
    return same;
}

/* The same for the whole tensor. */
static bool same_places(const reshape *r)
{
    const group all = {.in_end = r->from->n, .out_end = r->to->n};
    return r->in->replicated == r->out->replicated && !r->from->attr && !r->to->attr &&
           same_steps(r, &all);
}

/* ---- Replication ---- */

static const tsr_sharding *without(const reshape *r, const tsr_sharding *s, const tsr_axes *gone)
{
    tsr_resharder *rs = r->p->r;
    if (!gone->n)
        return s;
    tsr_dim_sharding *dims = TSR_NEW_ARRAY(rs->arena, tsr_dim_sharding, s->rank + 1);
    for (uint32_t d = 0; d < s->rank; d++) {
        dims[d] = s->dims[d];
        dims[d].axes = tsr_axes_minus(&rs->table.lists, dims[d].axes, gone);
    }
    return tsr_sharding_get(&rs->table, s->mesh, dims, s->rank, s->replicated, s->unreduced,
                            TSR_SDY_SUM);
}

static void add_axes(tsr_axis_vec *v, const tsr_sharding *s, uint32_t from, uint32_t to)
{
    for (uint32_t d = from; d < to; d++)
        tsr_axis_vec_add_all(v, s->dims[d].axes->data, s->dims[d].axes->n);
}

static tsr_value *reshard(const reshape *r, tsr_value *v, const tsr_sharding *to)
{
    v = tsr_insert_reshard(r->p->r, tsr_place_before(r->op), v, to);
    v->op->loc = r->op->loc;
    return v;
}

/* Removes axes that do not divide a group; if parts differ on both sides, which Shardy ignores, removes all axes of
 * such groups. */
static void replicate(const reshape *r)
{
    tsr_axis_vec v = {0};
    bool same = same_places(r);
    for (size_t i = 0; i < r->groups.n; i++) {
        const group *g = &r->groups.data[i];
        bool fits = passes_through(g) || !is_undivided(r, g);
        if (fits && (same || same_steps(r, g)))
            continue;
        add_axes(&v, r->in, g->in, g->in_end);
        add_axes(&v, r->out, g->out, g->out_end);
    }
    const tsr_axes *gone = tsr_axes_get(&r->p->r->table.lists, v.data, v.n);
    tsr_vec_free(&v);
    tsr_value *x = reshard(r, r->op->in[0].value, without(r, r->in, gone));
    tsr_build b = tsr_build_before(r->op);
    x = tsr_make_reshape(&b, x, r->to->dims, r->to->n);
    tsr_set_sharding(r->p, x, without(r, r->out, gone));
    x = reshard(r, x, r->out);
    tsr_build_replace(r->op, &x);
}

/* ---- Exchange ---- */

static void pad_dims(int64_t *shape, const tsr_sharding *s, uint32_t from, uint32_t to)
{
    for (uint32_t d = from; d < to; d++)
        shape[d] = tsr_padded_size(shape[d], s->dims[d].axes->size);
}

static int64_t volume(const int64_t *shape, uint32_t from, uint32_t to)
{
    int64_t n = 1;
    for (uint32_t d = from; d < to; d++)
        n *= shape[d];
    return n;
}

/* Whether elements of the group can move between neighbours: one dimension is split into several, none of them 1, and
 * padding gives both sides equally many elements. */
static bool can_exchange(const reshape *r, const group *g, const int64_t *in, const int64_t *out)
{
    int64_t a = r->from->dims[g->in], b = r->to->dims[g->out];
    return g->nin == 1 && g->in_end - g->in == 1 && g->nout == g->out_end - g->out && g->nout > 1 &&
           (a % b == 0 || b % a == 0) &&
           volume(in, g->in, g->in_end) == volume(out, g->out, g->out_end);
}

/* The position where part t of the group's result begins, not counting padding. */
static int64_t start_of(const reshape *r, const group *g, int64_t t)
{
    int64_t at = 0, stride = 1;
    for (uint32_t d = g->out_end; d-- > g->out;) {
        int64_t parts = r->out->dims[d].axes->size, size = r->to->dims[d];
        at += t % parts * tsr_local_size(size, parts) * stride;
        t /= parts;
        stride *= size;
    }
    return at;
}

/* Plans the exchange along the group's dimension of the operand. False: it needs more than one hop. */
static bool plan_group(const reshape *r, const group *g, const int64_t *shape, tsr_halo_dim *out)
{
    tsr_arena *arena = r->p->r->arena;
    uint32_t d = g->in;
    int64_t parts = r->in->dims[d].axes->size, size = r->from->dims[d];
    int64_t tile = tsr_local_size(size, parts);
    tsr_axis_vec v = {0};
    add_axes(&v, r->out, g->out, g->out_end);
    *out = (tsr_halo_dim){.want = shape[d] / parts,
                          .along = tsr_axes_get(&r->p->r->table.lists, v.data, v.n),
                          .sources = TSR_NEW_ARRAY(arena, int64_t, parts + 1),
                          .offsets = TSR_NEW_ARRAY(arena, int64_t, parts + 1)};
    tsr_vec_free(&v);
    if (out->along->size != parts)
        return false;
    for (int64_t t = 0; t < parts; t++) {
        int64_t start = start_of(r, g, t), last = start + out->want - 1;
        int64_t a = start < size ? start / tile : -1, b = last < size ? last / tile : -1;
        out->sources[t] = a;
        out->offsets[t] = a < 0 ? 0 : start - a * tile;
        out->moves |= (a >= 0 && a != t) || (b >= 0 && b != t);
        if (a >= 0 && t - a > out->left)
            out->left = t - a;
        if (b >= 0 && b - t > out->right)
            out->right = b - t;
    }
    return out->left <= 1 && out->right <= 1;
}

typedef struct {
    const reshape *r;
    const tsr_halo *h;
    const int64_t *shape; /* of the result, padded */
} finishing;

static tsr_value *reshape_part(void *user, tsr_build *b, tsr_value *part, tsr_value *with,
                               tsr_type *type)
{
    const finishing *f = user;
    const tsr_sharding *out = f->r->out;
    int64_t *dims = TSR_NEW_ARRAY(f->r->p->r->arena, int64_t, type->n + 1);
    (void)with;
    for (uint32_t d = 0; d < type->n; d++)
        dims[d] = f->shape[d] / tsr_manual_parts(out->dims[d].axes, f->h->manual);
    part = tsr_make_reshape(b, part, dims, type->n);
    tsr_set_sharding(f->r->p, part, tsr_without_manual(f->r->p, out, f->h->manual));
    return part;
}

/* False: an exchange cannot do it. */
static bool try_exchange(reshape *r)
{
    tsr_permuter *p = r->p;
    tsr_arena *arena = p->r->arena;
    uint32_t rank = r->from->n, n = 0;
    tsr_halo h = {.in = r->in,
                  .out = r->out,
                  .zero = true,
                  .shape = tsr_arena_copy(arena, r->from->dims, rank * sizeof *h.shape),
                  .manual = TSR_NEW_ARRAY(arena, bool, r->in->mesh->naxis + 1),
                  .dims = TSR_NEW_ARRAY(arena, tsr_halo_dim, rank + 1),
                  .low = TSR_NEW_ARRAY(arena, int64_t, rank + 1),
                  .dilation = TSR_NEW_ARRAY(arena, int64_t, rank + 1)};
    int64_t *shape = tsr_arena_copy(arena, r->to->dims, r->to->n * sizeof *shape);
    for (size_t i = 0; i < r->groups.n; i++) {
        const group *g = &r->groups.data[i];
        pad_dims(h.shape, r->in, g->in, g->in_end);
        pad_dims(shape, r->out, g->out, g->out_end);
        if (!is_undivided(r, g))
            continue;
        for (uint32_t d = g->in; d < g->in_end; d++)
            tsr_bind_axes(r->in->dims[d].axes, h.manual);
        for (uint32_t d = g->out; d < g->out_end; d++)
            tsr_bind_axes(r->out->dims[d].axes, h.manual);
    }
    for (uint32_t d = 0; d < rank; d++)
        h.dilation[d] = 1;
    for (size_t i = 0; i < r->groups.n; i++) {
        const group *g = &r->groups.data[i];
        if (passes_through(g) || !is_undivided(r, g))
            continue;
        if (!can_exchange(r, g, h.shape, shape))
            return false;
        n++;
        if (r->in->dims[g->in].axes->size > 1 && !plan_group(r, g, h.shape, &h.dims[g->in]))
            return false;
    }
    if (!n || !tsr_type_storage_bits(r->to->elem))
        return false;
    tsr_build b = tsr_build_before(r->op);
    tsr_value *zero = tsr_make_zero(&b, r->to->elem);
    tsr_value *v = tsr_pad_high(p, &b, r->op->in[0].value, h.shape, r->in, NULL);
    finishing f = {r, &h, shape};
    v = tsr_halo_exchange(p, &b, &h, v, zero, r->to, reshape_part, &f);
    v = tsr_cut_high(p, &b, v, r->to, r->out);
    tsr_build_replace(r->op, &v);
    return true;
}

/* ---- The op ---- */

/* Whether each device's part of the operand is its part of the result, ignoring padding. */
static bool stays(const reshape *r)
{
    tsr_shardings *table = &r->p->r->table;
    if (!same_places(r))
        return false;
    if (tsr_sdy_same_layout(r->op, tsr_sharding_encode(table, r->in), r->from,
                            tsr_sharding_encode(table, r->out), r->to))
        return true;
    for (size_t i = 0; i < r->groups.n; i++)
        if (!passes_through(&r->groups.data[i]))
            return false;
    return true;
}

bool tsr_permute_reshape(tsr_permuter *p, tsr_op *op)
{
    tsr_type *from = op->in[0].value->type, *to = op->out[0].type;
    const tsr_sharding *in = tsr_value_sharding(p->r, op->in[0].value);
    const tsr_sharding *out = tsr_value_sharding(p->r, &op->out[0]);
    if ((!in || !in->sharded) && (!out || !out->sharded))
        return true;
    const tsr_mesh *mesh = (in && in->sharded ? in : out)->mesh;
    if (!in)
        in = tsr_sharding_empty(&p->r->table, mesh, from->n, true);
    if (!out)
        out = tsr_sharding_empty(&p->r->table, mesh, to->n, true);
    if (in->mesh != out->mesh)
        return tsr_op_error(op, "operand and result are on different meshes; "
                                "sdy-insert-explicit-reshards makes them agree");
    if (in->mesh->maximal || tsr_type_num_elements(from) <= 0)
        return true;
    if (!tsr_devices_ok(op, in->mesh))
        return false;
    reshape r = {p, op, in, out, from, to, {0}};
    find_groups(&r);
    if (!stays(&r) && !(p->halo && same_places(&r) && try_exchange(&r)))
        replicate(&r);
    tsr_vec_free(&r.groups);
    return true;
}
