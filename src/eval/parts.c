/* SPDX-License-Identifier: Apache-2.0 */
/* parts.c - see parts.h. */
#include "eval/parts.h"

#include <stdlib.h>

#include "dialect/sdy/axes.h"
#include "dialect/sdy/sharding.h"
#include "eval/math/members.h"
#include "eval/mesh.h"

/* ---- The position of a device ---- */

/* Which part a list of axes gives a position of the mesh, and how many there are. */
typedef struct {
    int64_t index, n;
} part;

static bool locate(const tsr_attr *mesh, const tsr_attr *axes, int64_t place, part *p)
{
    const tsr_attr *all = mesh->attrs[SDY_MESH_axes];
    for (uint32_t i = 0; axes && i < axes->n; i++) {
        const tsr_attr *ref = axes->attrs[i];
        int64_t stride = 1, full = 0;
        uint32_t k = all->n;
        while (k-- > 0) {
            full = all->attrs[k]->attrs[SDY_MESH_AXIS_size]->i;
            if (all->attrs[k]->attrs[SDY_MESH_AXIS_name] == tsr_sdy_axis_name(ref))
                break;
            stride *= full;
        }
        if (k == UINT32_MAX)
            return false;
        int64_t end = tsr_sdy_axis_is_full(ref) ? full : tsr_sdy_sub_axis_end(ref);
        int64_t size = tsr_sdy_axis_is_full(ref) ? full : end / tsr_sdy_axis_pre(ref);
        if (end < 1 || size < 1 || full % end)
            return false;
        p->index = p->index * size + place / stride % full / (full / end) % size;
        p->n *= size;
    }
    return true;
}

/* The position of a device; -1: it is not in the mesh. */
static int64_t place_of(const tsr_attr *mesh, uint32_t device)
{
    const tsr_attr *ids = mesh->attrs[SDY_MESH_device_ids];
    int64_t n = ids ? tsr_attr_count(ids) : 0;
    for (int64_t i = 0; i < n; i++)
        if (tsr_attr_int_at(ids, (size_t)i) == device)
            return i;
    return n ? (int64_t)-1 : (int64_t)device;
}

/* The box of a device in a tensor of these dims: where it starts, its size without padding, and its index. */
typedef struct {
    int64_t start[TSR_MAX_RANK], size[TSR_MAX_RANK], chunk[TSR_MAX_RANK];
    int64_t box, boxes;
    part unreduced;
} box;

bool tsr_part_locate(const tsr_part_of *of, uint32_t device, int64_t *index, int64_t *n)
{
    const tsr_attr *mesh = of->sharding->attrs[SDY_SHARDING_mesh];
    int64_t place = tsr_attr_is_struct(mesh, &tsr_def_SDY_MESH) ? place_of(mesh, device) : -1;
    bool ok = place >= 0 && tsr_sdy_dims(of->sharding)->n == of->global->n;
    for (uint32_t d = 0; ok && d < of->global->n; d++) {
        part p = {0, 1};
        ok = locate(mesh, tsr_sdy_dim_axes(of->sharding, d), place, &p);
        index[d] = p.index;
        n[d] = p.n;
    }
    return ok;
}

bool tsr_part_partial(const tsr_part_of *of, uint32_t device, int64_t *index, int64_t *n)
{
    const tsr_attr *mesh = of->sharding->attrs[SDY_SHARDING_mesh];
    int64_t place = tsr_attr_is_struct(mesh, &tsr_def_SDY_MESH) ? place_of(mesh, device) : -1;
    part p = {0, 1};
    bool ok = place >= 0 && locate(mesh, of->sharding->attrs[SDY_SHARDING_unreduced], place, &p);
    *index = p.index;
    *n = p.n;
    return ok;
}

static bool find_box(tsr_call *c, const tsr_part_of *of, uint32_t device, box *b)
{
    int64_t index[TSR_MAX_RANK], parts[TSR_MAX_RANK];
    bool ok = of->global->n <= TSR_MAX_RANK && tsr_part_locate(of, device, index, parts);
    b->box = 0;
    b->boxes = 1;
    b->unreduced = (part){0, 1};
    for (uint32_t d = 0; ok && d < of->global->n; d++) {
        part p = {index[d], parts[d]};
        int64_t n = of->global->dims[d];
        b->chunk[d] = n / p.n + (n % p.n != 0);
        b->start[d] = p.index * b->chunk[d] < n ? p.index * b->chunk[d] : n;
        b->size[d] = n - b->start[d] < b->chunk[d] ? n - b->start[d] : b->chunk[d];
        b->box = b->box * p.n + p.index;
        b->boxes *= p.n;
    }
    ok = ok && tsr_part_partial(of, device, &b->unreduced.index, &b->unreduced.n);
    return ok || tsr_fail(c, "has a sharding that does not fit its value or the devices");
}

/* Copies the box between a global tensor and a shard. */
static void move_box(tsr_tensor *whole, tsr_tensor *piece, const box *b, bool out)
{
    int64_t ws[TSR_MAX_RANK], ps[TSR_MAX_RANK];
    size_t size = tsr_elem_size(whole);
    tsr_byte_strides(whole->dims, whole->rank, size, ws);
    tsr_byte_strides(piece->dims, piece->rank, size, ps);
    char *w = whole->data;
    for (size_t d = 0; d < whole->rank; d++) {
        w += b->start[d] * ws[d];
        if (!b->size[d])
            return;
    }
    if (out)
        tsr_move_once(piece->data, ps, w, ws, b->size, whole->rank, size);
    else
        tsr_move_once(w, ws, piece->data, ps, b->size, whole->rank, size);
}

static tsr_sdy_reduction reduction_of(const tsr_attr *sharding)
{
    const tsr_attr *r = sharding->attrs[SDY_SHARDING_reduction];
    return r ? (tsr_sdy_reduction)r->i : TSR_SDY_SUM;
}

/* ---- The grid ---- */

/* The parts of an input of which several devices have the same: each is made once, by the first that begins. */
typedef struct {
    int64_t n; /* 0: each device has a part of its own */
    _Atomic(tsr_tensor *) *at;
} part_of_several;

typedef struct {
    const tsr_op *func;
    const tsr_parts_run *run;
    tsr_tensor *const *in;
    size_t nin, nout;
    part_of_several *parts; /* by input */
    tsr_tensor **out;       /* by process: nout each */
    tsr_rng rng;
} grid_run;

tsr_tensor *tsr_part_take(tsr_call *c, const tsr_part_of *of, tsr_tensor *t, uint32_t device)
{
    box b;
    if (!of->global || t->kind != TSR_TENSOR)
        return tsr_tensor_ref(t);
    if (!find_box(c, of, device, &b))
        return NULL;
    if (b.boxes == 1 && b.unreduced.n == 1)
        return tsr_tensor_ref(t);
    bool nothing = b.unreduced.index && reduction_of(of->sharding) == TSR_SDY_SUM;
    tsr_tensor *piece =
        (nothing ? tsr_tensor_nothing : tsr_tensor_zeros)(t->elem, b.chunk, t->rank);
    if (!piece)
        tsr_fail_memory(c, "a part");
    else if (!nothing)
        move_box(t, piece, &b, true);
    return piece;
}

static bool open_parts(tsr_call *c, grid_run *g)
{
    size_t bytes = (g->nin + 1) * sizeof *g->parts;
    g->parts = memset(tsr_xmalloc(bytes), 0, bytes);
    for (size_t i = 0; i < g->nin && !g->run->local; i++) {
        box b;
        if (!g->run->in[i].global || g->in[i]->kind != TSR_TENSOR)
            continue;
        TSR_TRY(find_box(c, &g->run->in[i], 0, &b));
        int64_t n = b.boxes * b.unreduced.n;
        if (n == 1 || n >= (int64_t)tsr_parts_devices(g->run))
            continue;
        g->parts[i].at = tsr_xmalloc((size_t)n * sizeof *g->parts[i].at);
        for (g->parts[i].n = 0; g->parts[i].n < n; g->parts[i].n++)
            atomic_init(&g->parts[i].at[g->parts[i].n], NULL);
    }
    return true;
}

static void close_parts(grid_run *g)
{
    for (size_t i = 0; i < g->nin; i++) {
        for (int64_t k = 0; k < g->parts[i].n; k++)
            tsr_tensor_unref(atomic_load(&g->parts[i].at[k]));
        tsr_free(g->parts[i].at);
    }
    tsr_free(g->parts);
}

/* The device's shard of input i; NULL after a failure. */
static tsr_tensor *take_part(tsr_call *c, const grid_run *g, size_t i, uint32_t device)
{
    const tsr_part_of *of = &g->run->in[i];
    box b;
    if (!g->parts[i].n)
        return tsr_part_take(c, of, g->in[i], device);
    if (!find_box(c, of, device, &b))
        return NULL;
    _Atomic(tsr_tensor *) *at = &g->parts[i].at[b.box * b.unreduced.n + b.unreduced.index];
    tsr_tensor *made = atomic_load(at), *none = NULL;
    if (!made) {
        made = tsr_part_take(c, of, g->in[i], device);
        if (made && !atomic_compare_exchange_strong(at, &none, made)) {
            tsr_tensor_unref(made); /* another device was faster */
            made = none;
        }
    }
    return made ? tsr_tensor_ref(made) : NULL;
}

static const tsr_op *function_of(void *user, uint32_t id)
{
    (void)id;
    return ((const grid_run *)user)->func;
}

static bool begin_device(void *user, tsr_eval *e, tsr_job *job)
{
    grid_run *g = user;
    tsr_call c = {.e = e, .op = g->func};
    size_t id = e->process->id;
    *job = (tsr_job){.func = g->func, .nin = g->nin, .out = g->out + id * g->nout, .nout = g->nout};
    if (g->run->donated)
        job->donated = g->run->donated + id * g->nin;
    if (g->run->into)
        job->into = g->run->into + id * g->nout;
    job->in = tsr_xmalloc((g->nin + 1) * sizeof *job->in);
    memset(job->in, 0, (g->nin + 1) * sizeof *job->in);
    bool ok = true;
    for (size_t i = 0; ok && i < g->nin; i++) {
        job->in[i] = g->run->local ? tsr_tensor_ref(g->in[id * g->nin + i])
                                   : take_part(&c, g, i, e->process->partition);
        ok = job->in[i] != NULL;
    }
    /* The first device draws the same numbers as an undivided run. */
    if (id == 0 || g->run->alike)
        e->rng = g->rng;
    return ok;
}

/* ---- Results ---- */

static bool same_value(const tsr_tensor *a, const tsr_tensor *b, const box *at)
{
    if (a->kind != TSR_TENSOR || b->kind != TSR_TENSOR)
        return true;
    if (a->dtype != b->dtype || a->rank != b->rank ||
        memcmp(a->dims, b->dims, a->rank * sizeof *a->dims))
        return false;
    size_t size = tsr_elem_size(a);
    if (!at)
        return !memcmp(a->data, b->data, tsr_tensor_bytes(a));
    /* Padding may differ. */
    int64_t index[TSR_MAX_RANK] = {0}, strides[TSR_MAX_RANK];
    tsr_strides(a->dims, a->rank, strides);
    for (size_t d = 0; d < a->rank; d++)
        if (!at->size[d])
            return true;
    do {
        int64_t i = 0;
        for (size_t d = 0; d < a->rank; d++)
            i += index[d] * strides[d];
        if (memcmp((char *)a->data + (size_t)i * size, (char *)b->data + (size_t)i * size, size))
            return false;
    } while (tsr_next_index(index, at->size, a->rank));
    return true;
}

/* Partial values of result i on some devices. */
typedef struct {
    const grid_run *g;
    size_t i;
    const uint32_t *devices;
    tsr_tensor *sum; /* in place of the first */
} partial_values;

static const void *partial_at(const void *user, size_t member)
{
    const partial_values *v = user;
    return member ? v->g->out[(size_t)v->devices[member] * v->g->nout + v->i]->data : v->sum->data;
}

/* Combines n partial values in place, in the first. */
static bool join(tsr_call *c, const tsr_attr *sharding, const partial_values *v, int64_t n)
{
    tsr_fold fold;
    if (!tsr_fold_find(&fold, tsr_reduce_from_sdy(reduction_of(sharding)), v->sum->elem))
        return tsr_fail(c, "cannot reduce partial values of its result's type");
    tsr_fold_members(&fold, v->sum->data, v->sum->n, (size_t)n, partial_at, v);
    return true;
}

static bool part_fits(const tsr_tensor *t, const tsr_part_of *of, const box *b)
{
    return t->kind == TSR_TENSOR && t->rank == of->global->n &&
           !memcmp(t->dims, b->chunk, t->rank * sizeof *t->dims);
}

/* The box of result i of which these n devices have partial values. */
static bool put_box(tsr_call *c, const grid_run *g, size_t i, const uint32_t *devices, int64_t n,
                    tsr_tensor *whole)
{
    const tsr_part_of *of = &g->run->out[i];
    tsr_tensor *piece = tsr_tensor_ref(g->out[(size_t)devices[0] * g->nout + i]);
    if (n > 1)
        piece = tsr_tensor_reuse(piece);
    bool ok = piece || tsr_fail_memory(c, "a part");
    if (ok && n > 1)
        ok = join(c, of->sharding, &(partial_values){g, i, devices, piece}, n);
    box at;
    ok = ok && find_box(c, of, devices[0], &at);
    if (ok)
        move_box(whole, piece, &at, false);
    tsr_tensor_unref(piece);
    return ok;
}

/* Assembles result i from the shards of the first replica's devices. */
static bool put_together(tsr_call *c, const grid_run *g, size_t i, tsr_tensor **out)
{
    const tsr_part_of *of = &g->run->out[i];
    uint32_t n = g->run->partitions;
    box b;
    TSR_TRY(find_box(c, of, 0, &b));
    const tsr_tensor *any = g->out[i];
    tsr_tensor *whole = any->kind == TSR_TENSOR
                            ? tsr_tensor_zeros(any->elem, of->global->dims, of->global->n)
                            : NULL;
    if (!whole)
        return tsr_fail_memory(c, "a result");
    *out = whole;
    /* By box and partial value: the first device that has it. */
    size_t places = (size_t)(b.boxes * b.unreduced.n);
    uint32_t *first = tsr_xmalloc(places * sizeof *first);
    memset(first, 0xFF, places * sizeof *first);
    bool ok = true;
    for (uint32_t d = 0; ok && d < n; d++) {
        tsr_tensor *t = g->out[(size_t)d * g->nout + i];
        ok = find_box(c, of, d, &b);
        if (ok && !part_fits(t, of, &b))
            ok = tsr_fail(
                c, "gives a part of result %zu that has another shape than its sharding says", i);
        if (!ok)
            break;
        uint32_t *at = &first[b.box * b.unreduced.n + b.unreduced.index];
        if (*at == UINT32_MAX)
            *at = d;
        else if (!same_value(g->out[(size_t)*at * g->nout + i], t, &b))
            ok = tsr_fail(c,
                          "gives result %zu with different values of one part on devices %u and %u",
                          i, *at, d);
    }
    for (size_t k = 0; ok && k < places; k += (size_t)b.unreduced.n) {
        if (first[k] == UINT32_MAX)
            continue;
        ok = put_box(c, g, i, first + k, b.unreduced.n, whole);
    }
    tsr_free(first);
    return ok;
}

static bool results(tsr_call *c, const grid_run *g, tsr_parts_run *run, tsr_tensor **out)
{
    if (run->local) {
        for (size_t i = 0; i < tsr_parts_devices(run) * g->nout; i++)
            out[i] = g->out[i] ? tsr_tensor_ref(g->out[i]) : NULL;
        return true;
    }
    run->differs = -1;
    for (size_t i = 0; i < g->nout; i++) {
        if (run->out[i].global) {
            TSR_TRY(put_together(c, g, i, &out[i]));
            continue;
        }
        for (uint32_t d = 1; run->differs < 0 && d < run->partitions; d++)
            if (!same_value(g->out[i], g->out[(size_t)d * g->nout + i], NULL))
                run->differs = (int64_t)i;
        out[i] = tsr_tensor_ref(g->out[i]);
    }
    return true;
}

bool tsr_parts_join(tsr_call *c, tsr_parts_run *run, tsr_tensor **parts, size_t nout,
                    tsr_tensor **out)
{
    tsr_parts_run whole = *run;
    whole.local = false;
    grid_run g = {.func = c->op, .run = &whole, .nout = nout, .out = parts};
    bool ok = results(c, &g, &whole, out);
    run->differs = whole.differs;
    return ok;
}

bool tsr_eval_parts(tsr_eval *e, const tsr_op *func, tsr_parts_run *run, tsr_tensor *const *in,
                    size_t nin, tsr_tensor **out, size_t nout)
{
    tsr_call c = {.e = e, .op = func};
    grid_run g = {.func = func, .run = run, .in = in, .nin = nin, .nout = nout, .rng = e->rng};
    size_t all = tsr_parts_devices(run) * nout, given = run->local ? all : nout;
    run->differs = -1;
    g.out = tsr_xmalloc((all + 1) * sizeof *g.out);
    memset(g.out, 0, (all + 1) * sizeof *g.out);
    for (size_t i = 0; i < given; i++)
        out[i] = NULL;
    bool ok = open_parts(&c, &g) && tsr_mesh_run(&c, run->replicas, run->partitions, NULL,
                                                 &(tsr_jobs){&g, function_of, begin_device, NULL});
    close_parts(&g);
    ok = ok && results(&c, &g, run, out);
    for (size_t i = 0; i < all; i++)
        tsr_tensor_unref(g.out[i]);
    tsr_free(g.out);
    for (size_t i = 0; !ok && i < given; i++) {
        tsr_tensor_unref(out[i]);
        out[i] = NULL;
    }
    return ok;
}
