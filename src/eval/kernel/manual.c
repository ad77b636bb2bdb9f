/* SPDX-License-Identifier: Apache-2.0 */
/* manual.c - sdy.manual_computation: its body runs once per device of the mesh, on the device's shard of each operand.
 *
 * Outside of a grid, a grid of one replica with a partition per device is created for it; the device's number is that
 * of its partition. Inside a grid (a manual computation in the body of another, over other axes) every process takes
 * its shard, runs the body, and meets the processes that differ from it only in the manual axes, to assemble the
 * results. Axes that are not manual do not divide anything here: devices along them compute the same. */
#include <stdlib.h>

#include "dialect/sdy/axes.h"
#include "dialect/sdy/sharding.h"
#include "eval/math/members.h"
#include "eval/mesh.h"
#include "eval/plan.h"
#include "eval/kernel/kernels.h"

enum { MAX_AXES = 64, MAX_DEVICES = 65536 };

/* ---- The mesh ---- */

typedef struct {
    tsr_sdy_mesh_axes names;
    const tsr_attr *manual; /* string[] */
    uint32_t naxis;
    int64_t sizes[MAX_AXES], strides[MAX_AXES]; /* of places: positions in row-major order */
    uint32_t n;
    uint32_t *device, *place; /* by place: its device; by device: its place */
} device_mesh;

static void free_mesh(device_mesh *m)
{
    tsr_sdy_mesh_axes_free(&m->names);
    tsr_free(m->device);
    tsr_free(m->place);
}

static bool read_devices(tsr_call *c, device_mesh *m, const tsr_attr *ids)
{
    m->device = tsr_xmalloc(m->n * sizeof *m->device);
    m->place = tsr_xmalloc(m->n * sizeof *m->place);
    memset(m->place, 0xFF, m->n * sizeof *m->place);
    bool given = ids && tsr_attr_count(ids);
    if (given && tsr_attr_count(ids) != m->n)
        return tsr_fail(c, "has a mesh whose device ids are not as many as its devices");
    for (uint32_t i = 0; i < m->n; i++) {
        int64_t id = given ? tsr_attr_int_at(ids, i) : i;
        if (id < 0 || id >= m->n || m->place[id] != UINT32_MAX)
            return tsr_fail(c, "has a mesh whose device ids are not the numbers from 0 to %u",
                            m->n - 1);
        m->device[i] = (uint32_t)id;
        m->place[id] = i;
    }
    return true;
}

static bool read_mesh(tsr_call *c, const tsr_attr *mesh, device_mesh *m)
{
    const tsr_attr *axes = mesh->attrs[SDY_MESH_axes];
    tsr_sdy_mesh_axes_init(&m->names, c->e->ctx, mesh);
    m->naxis = axes->n;
    m->n = 1;
    if (axes->n > MAX_AXES)
        return tsr_fail(c, "has a mesh of more than %d axes", MAX_AXES);
    for (uint32_t i = axes->n; i-- > 0;) {
        m->sizes[i] = axes->attrs[i]->attrs[SDY_MESH_AXIS_size]->i;
        m->strides[i] = m->n;
        if (m->sizes[i] < 1 || m->sizes[i] > MAX_DEVICES / m->n)
            return tsr_fail(c, "has a mesh of no device, or of more than %d", MAX_DEVICES);
        m->n *= (uint32_t)m->sizes[i];
    }
    return read_devices(c, m, mesh->attrs[SDY_MESH_device_ids]);
}

static bool is_manual_name(const device_mesh *m, const tsr_attr *name)
{
    for (uint32_t i = 0; i < m->manual->n; i++)
        if (m->manual->attrs[i] == name)
            return true;
    return false;
}

/* A position in a list of axes, the first one most significant: its index, and how many there are. */
typedef struct {
    int64_t index, n;
} part;

/* Applies the manual axes of the list; false: one does not divide its axis. */
static bool locate(const device_mesh *m, const tsr_attr *axes, uint32_t place, part *p)
{
    for (uint32_t i = 0; axes && i < axes->n; i++) {
        const tsr_attr *ref = axes->attrs[i], *name = tsr_sdy_axis_name(ref);
        uint32_t axis = tsr_sdy_axis_index(&m->names, name);
        if (!is_manual_name(m, name))
            continue;
        int64_t size = tsr_sdy_axis_size(&m->names, ref),
                end = tsr_sdy_mul(tsr_sdy_axis_pre(ref), size);
        if (axis >= m->naxis || size < 1 || end < 1 || m->sizes[axis] % end)
            return false;
        int64_t at = place / m->strides[axis] % m->sizes[axis];
        p->index = p->index * size + at / (m->sizes[axis] / end) % size;
        p->n *= size;
    }
    return true;
}

/* ---- Values and their shards ---- */

/* Where the shard of a device is in the global value. */
typedef struct {
    int64_t offset[TSR_MAX_RANK], parts[TSR_MAX_RANK];
    part shard;     /* over all dimensions */
    part unreduced; /* over the axes that the value is unreduced along */
} layout;

static bool lay_out(tsr_call *c, const device_mesh *m, const tsr_attr *sharding, uint32_t place,
                    size_t rank, layout *l)
{
    l->shard = l->unreduced = (part){0, 1};
    bool ok = tsr_sdy_dims(sharding)->n <= rank;
    for (size_t d = 0; ok && d < rank; d++) {
        part p = {0, 1};
        ok = d >= tsr_sdy_dims(sharding)->n ||
             locate(m, tsr_sdy_dim_axes(sharding, (uint32_t)d), place, &p);
        l->offset[d] = p.index; /* in shards; the size of a shard is not known yet */
        l->parts[d] = p.n;
        l->shard = (part){l->shard.index * p.n + p.index, l->shard.n * p.n};
    }
    ok = ok && locate(m, sharding->attrs[SDY_SHARDING_unreduced], place, &l->unreduced);
    return ok || tsr_fail(c, "has a sharding that does not fit its value or its mesh");
}

static tsr_sdy_reduction reduction_of(const tsr_attr *sharding)
{
    const tsr_attr *r = sharding->attrs[SDY_SHARDING_reduction];
    return r ? (tsr_sdy_reduction)r->i : TSR_SDY_SUM;
}

/* Copies a shard between its own tensor and its box in the global value. */
static void move_part(tsr_tensor *whole, tsr_tensor *piece, const layout *l, bool out)
{
    int64_t ws[TSR_MAX_RANK], ps[TSR_MAX_RANK];
    size_t size = tsr_elem_size(whole);
    tsr_byte_strides(whole->dims, whole->rank, size, ws);
    tsr_byte_strides(piece->dims, piece->rank, size, ps);
    char *w = whole->data;
    for (size_t d = 0; d < whole->rank; d++)
        w += l->offset[d] * piece->dims[d] * ws[d];
    if (out)
        tsr_move_once(piece->data, ps, w, ws, piece->dims, piece->rank, size);
    else
        tsr_move_once(w, ws, piece->data, ps, piece->dims, piece->rank, size);
}

/* The device's shard of a value; NULL after a failure. */
static tsr_tensor *take_part(tsr_call *c, const device_mesh *m, const tsr_attr *sharding,
                             uint32_t place, tsr_tensor *t)
{
    if (t->kind != TSR_TENSOR)
        return tsr_tensor_ref(t);
    layout l;
    int64_t dims[TSR_MAX_RANK];
    if (!lay_out(c, m, sharding, place, t->rank, &l))
        return NULL;
    for (size_t d = 0; d < t->rank; d++) {
        if (t->dims[d] % l.parts[d]) {
            tsr_fail(c, "cannot divide %lld elements into %lld parts", (long long)t->dims[d],
                     (long long)l.parts[d]);
            return NULL;
        }
        dims[d] = t->dims[d] / l.parts[d];
    }
    /* One device holds the unreduced sum, and the others hold zeros. */
    bool nothing = l.unreduced.index && reduction_of(sharding) == TSR_SDY_SUM;
    if (l.shard.n == 1 && !nothing)
        return tsr_tensor_ref(t);
    tsr_tensor *piece = (nothing ? tsr_tensor_nothing : tsr_tensor_zeros)(t->elem, dims, t->rank);
    if (!piece)
        tsr_fail_memory(c, "a part");
    else if (!nothing)
        move_part(t, piece, &l, true);
    return piece;
}

static bool same_value(const tsr_tensor *a, const tsr_tensor *b)
{
    return a->dtype == b->dtype && a->rank == b->rank &&
           !memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) &&
           !memcmp(a->data, b->data, tsr_tensor_bytes(a));
}

/* Shards of one result, by the places that computed them. */
typedef struct {
    const uint32_t *places;
    size_t n, step; /* tensors[i * step] is that of places[i] */
    tsr_tensor *const *tensors;
} parts_list;

/* One tensor of each shard: first[shard * unreduced + partial]. Devices that share a shard must agree on it. */
static bool sort_parts(tsr_call *c, const device_mesh *m, const tsr_attr *sharding,
                       const parts_list *list, size_t result, size_t *first, size_t nfirst)
{
    layout l;
    for (size_t i = 0; i < nfirst; i++)
        first[i] = SIZE_MAX;
    for (size_t i = 0; i < list->n; i++) {
        const tsr_tensor *t = list->tensors[i * list->step];
        TSR_TRY(lay_out(c, m, sharding, list->places[i], t->rank, &l));
        size_t *at = &first[l.shard.index * l.unreduced.n + l.unreduced.index];
        if (*at == SIZE_MAX)
            *at = i;
        else if (!same_value(list->tensors[*at * list->step], t))
            return tsr_fail(c,
                            "has result %zu replicated over devices %u and %u, whose values differ",
                            result, m->device[list->places[*at]], m->device[list->places[i]]);
    }
    for (size_t i = 0; i < nfirst; i++)
        if (first[i] == SIZE_MAX ||
            list->tensors[first[i] * list->step]->rank != list->tensors[0]->rank ||
            memcmp(list->tensors[first[i] * list->step]->dims, list->tensors[0]->dims,
                   list->tensors[0]->rank * sizeof *list->tensors[0]->dims) ||
            list->tensors[first[i] * list->step]->dtype != list->tensors[0]->dtype)
            return tsr_fail(c, "has parts of result %zu that do not fit together", result);
    return true;
}

/* Partial values of a shard: the tensors in the list at these positions. */
typedef struct {
    const parts_list *list;
    const size_t *first;
    tsr_tensor *sum; /* in place of the first */
} partial_values;

static const void *partial_at(const void *user, size_t member)
{
    const partial_values *v = user;
    return member ? v->list->tensors[v->first[member] * v->list->step]->data : v->sum->data;
}

/* The partial values of one shard, combined: a tensor that the caller owns. */
static tsr_tensor *reduce_part(tsr_call *c, const tsr_attr *sharding, const parts_list *list,
                               const size_t *first, int64_t n)
{
    tsr_tensor *t = tsr_tensor_ref(list->tensors[first[0] * list->step]);
    if (n == 1)
        return t;
    tsr_fold fold;
    tsr_tensor *sum = tsr_tensor_reuse(t); /* if it is shared: a copy */
    if (!sum || !tsr_fold_find(&fold, tsr_reduce_from_sdy(reduction_of(sharding)), sum->elem)) {
        tsr_fail(c, "cannot reduce partial values of its result's type");
        tsr_tensor_unref(sum);
        return NULL;
    }
    tsr_fold_members(&fold, sum->data, sum->n, (size_t)n, partial_at,
                     &(partial_values){list, first, sum});
    return sum;
}

/* Result i from its shards. */
static bool put_together(tsr_call *c, const device_mesh *m, const tsr_attr *sharding,
                         const parts_list *list, size_t i)
{
    const tsr_tensor *t = list->tensors[0];
    if (t->kind != TSR_TENSOR) {
        c->out[i] = tsr_tensor_ref(list->tensors[0]);
        return true;
    }
    layout l;
    int64_t dims[TSR_MAX_RANK];
    TSR_TRY(lay_out(c, m, sharding, list->places[0], t->rank, &l));
    int64_t nu = l.unreduced.n;
    for (size_t d = 0; d < t->rank; d++)
        dims[d] = t->dims[d] * l.parts[d];
    size_t nfirst = (size_t)(l.shard.n * nu), *first = tsr_xmalloc(nfirst * sizeof *first);
    bool ok = sort_parts(c, m, sharding, list, i, first, nfirst);
    tsr_tensor *whole = ok ? tsr_call_new(c, i, dims, t->rank) : NULL;
    ok = whole &&
         (whole->dtype == t->dtype || tsr_fail(c, "has a body that gives another element type"));
    for (size_t s = 0; ok && s < nfirst; s += (size_t)nu) {
        tsr_tensor *piece = reduce_part(c, sharding, list, first + s, nu);
        ok = piece && lay_out(c, m, sharding, list->places[first[s]], t->rank, &l);
        if (ok)
            move_part(whole, piece, &l, false);
        tsr_tensor_unref(piece);
    }
    tsr_free(first);
    return ok;
}

/* ---- Running ---- */

typedef struct {
    tsr_call *c;
    const device_mesh *m;
    tsr_tensor **out; /* by device: op->nout each */
} manual_run;

static const tsr_attr *sharding_of(const tsr_op *op, int slot, uint32_t i)
{
    return op->attrs[slot]->attrs[0]->attrs[i];
}

static const tsr_region *body_of(const tsr_op *op)
{
    return &op->regions[0];
}

/* The shards of one device; NULL after a failure. */
static tsr_tensor **take_parts(tsr_call *c, const device_mesh *m, tsr_tensor *const *in,
                               uint32_t place)
{
    uint32_t n = c->op->nin;
    tsr_tensor **args = tsr_xmalloc((n + 1) * sizeof *args);
    memset(args, 0, (n + 1) * sizeof *args);
    for (uint32_t i = 0; i < n; i++) {
        args[i] = take_part(c, m, sharding_of(c->op, SDY_MANUAL_COMPUTATION_in_shardings, i), place,
                            in[i]);
        if (args[i])
            continue;
        tsr_job_end(&(tsr_job){.in = args, .nin = i});
        return NULL;
    }
    return args;
}

/* Runs the body on the shards of one device. */
static bool run_part(tsr_call *c, const device_mesh *m, tsr_tensor *const *in, uint32_t place,
                     tsr_tensor **out)
{
    uint32_t n = c->op->nin;
    tsr_tensor **args = take_parts(c, m, in, place);
    bool ok = args && tsr_eval_region(c, body_of(c->op), args, n, out, c->op->nout);
    tsr_job_end(&(tsr_job){.in = args, .nin = n});
    return ok;
}

static bool run_device(void *user, tsr_eval *e)
{
    manual_run *r = user;
    uint32_t device = e->process->id;
    tsr_frame f;
    tsr_call c = {.e = e, .op = r->c->op, .frame = &f};
    bool ok = tsr_frame_init(&f, e->plan, c.op) ? run_part(&c, r->m, r->c->in, r->m->place[device],
                                                           r->out + (size_t)device * c.op->nout)
                                                : tsr_fail_memory(&c, "a frame");
    tsr_frame_free(&f);
    return ok;
}

/* For an engine: the body is what each device runs. */
static const tsr_op *body_function(void *user, uint32_t id)
{
    (void)id;
    return ((manual_run *)user)->c->op;
}

static bool begin_device(void *user, tsr_eval *e, tsr_job *job)
{
    manual_run *r = user;
    const tsr_op *op = r->c->op;
    uint32_t device = e->process->id;
    tsr_call c = {.e = e, .op = op};
    *job = (tsr_job){.func = op, .nin = op->nin, .nout = op->nout};
    job->out = r->out + (size_t)device * op->nout;
    job->in = take_parts(&c, r->m, r->c->in, r->m->place[device]);
    return job->in != NULL;
}

static bool run_on_grid(tsr_call *c, const device_mesh *m)
{
    uint32_t nout = c->op->nout;
    size_t all = (size_t)m->n * nout;
    manual_run r = {.c = c, .m = m};
    uint32_t *places = tsr_xmalloc(m->n * sizeof *places);
    r.out = tsr_xmalloc((all + 1) * sizeof *r.out);
    memset(r.out, 0, (all + 1) * sizeof *r.out);
    bool engine = c->e->engine && !c->e->process;
    bool ok = tsr_mesh_run(c, 1, m->n, NULL,
                           engine ? &(tsr_jobs){&r, body_function, begin_device, NULL}
                                  : &(tsr_jobs){.user = &r, .run = run_device});
    for (uint32_t i = 0; i < m->n; i++)
        places[i] = m->place[i];
    for (uint32_t i = 0; ok && i < nout; i++) {
        parts_list list = {places, m->n, nout, r.out + i};
        ok = put_together(c, m, sharding_of(c->op, SDY_MANUAL_COMPUTATION_out_shardings, i), &list,
                          i);
    }
    for (size_t i = 0; i < all; i++)
        tsr_tensor_unref(r.out[i]);
    tsr_free(r.out);
    tsr_free(places);
    return ok;
}

/* The devices that differ from that of a place only in manual axes. */
static void find_peers(const device_mesh *m, uint32_t place, tsr_group *g, uint32_t *places)
{
    const tsr_attr *axes = m->names.mesh->attrs[SDY_MESH_axes];
    for (uint32_t p = 0; p < m->n; p++) {
        bool peer = true;
        for (uint32_t a = 0; peer && a < m->naxis; a++)
            peer = is_manual_name(m, axes->attrs[a]->attrs[SDY_MESH_AXIS_name]) ||
                   p / m->strides[a] % m->sizes[a] == place / m->strides[a] % m->sizes[a];
        if (!peer)
            continue;
        places[g->n] = p;
        g->ids[g->n++] = m->device[p];
    }
}

/* Results from the values computed along the manual axes, on each device. */
static bool give_in_grid(tsr_call *c, const device_mesh *m, tsr_tensor *const *own)
{
    uint32_t nout = c->op->nout, place = m->place[tsr_process_id(c->e)];
    uint32_t *places = tsr_xmalloc(m->n * sizeof *places);
    tsr_group g = {.ids = tsr_xmalloc(m->n * sizeof *g.ids)};
    find_peers(m, place, &g, places);
    tsr_tensor **all = tsr_xmalloc((g.n * nout + 1) * sizeof *all);
    memset(all, 0, (g.n * nout + 1) * sizeof *all);
    bool ok = tsr_mesh_meet(c, &g, 0, 0, own, nout, all);
    for (uint32_t i = 0; ok && i < nout; i++) {
        parts_list list = {places, g.n, nout, all + i};
        ok = put_together(c, m, sharding_of(c->op, SDY_MANUAL_COMPUTATION_out_shardings, i), &list,
                          i);
    }
    for (size_t i = 0; i < g.n * nout; i++)
        tsr_tensor_unref(all[i]);
    tsr_free(all);
    tsr_free(g.ids);
    tsr_free(places);
    return ok;
}

static bool run_in_grid(tsr_call *c, const device_mesh *m)
{
    uint32_t nout = c->op->nout;
    tsr_tensor **own = tsr_xmalloc((nout + 1) * sizeof *own);
    memset(own, 0, (nout + 1) * sizeof *own);
    bool ok = run_part(c, m, c->in, m->place[tsr_process_id(c->e)], own) && give_in_grid(c, m, own);
    for (uint32_t i = 0; i < nout; i++)
        tsr_tensor_unref(own[i]);
    tsr_free(own);
    return ok;
}

/* The mesh of the call's op, and how many devices run it. False: it has none that fits its manual axes. */
static bool open_mesh(tsr_call *c, device_mesh *m, uint32_t *processes)
{
    const tsr_attr *in = tsr_call_attr(c, SDY_MANUAL_COMPUTATION_in_shardings)->attrs[0];
    const tsr_attr *out = tsr_call_attr(c, SDY_MANUAL_COMPUTATION_out_shardings)->attrs[0];
    *m = (device_mesh){.manual = tsr_call_attr(c, SDY_MANUAL_COMPUTATION_manual_axes)->attrs[0]};
    if (in->n != c->op->nin || out->n != c->op->nout)
        return tsr_fail(c, "has not one sharding for each operand and result");
    const tsr_attr *mesh = tsr_sdy_common_mesh(c->op, (const tsr_attr *[]){in, out}, 2);
    *processes = tsr_mesh_replicas(c->e) * tsr_mesh_partitions(c->e);
    if (!m->manual->n)
        return true;
    return mesh ? read_mesh(c, mesh, m) : tsr_fail(c, "has manual axes and no mesh that has them");
}

static bool in_grid_of(tsr_call *c, const device_mesh *m, uint32_t processes)
{
    return processes == m->n ||
           tsr_fail(c, "needs %u devices in a grid of %u processes", m->n, processes);
}

bool tsr_manual_take(tsr_call *c, tsr_tensor **out)
{
    device_mesh m;
    uint32_t processes;
    bool ok = open_mesh(c, &m, &processes) && in_grid_of(c, &m, processes);
    tsr_tensor **parts = ok ? take_parts(c, &m, c->in, m.place[tsr_process_id(c->e)]) : NULL;
    if (parts)
        memcpy(out, parts, c->op->nin * sizeof *out);
    tsr_free(parts);
    free_mesh(&m);
    return parts != NULL;
}

bool tsr_manual_give(tsr_call *c)
{
    device_mesh m;
    uint32_t processes;
    bool ok =
        open_mesh(c, &m, &processes) && in_grid_of(c, &m, processes) && give_in_grid(c, &m, c->in);
    free_mesh(&m);
    return ok;
}

bool eval_manual_computation(tsr_call *c)
{
    device_mesh m;
    uint32_t processes;
    bool ok = open_mesh(c, &m, &processes);
    if (ok && !m.manual->n)
        ok = tsr_eval_region(c, body_of(c->op), c->in, c->op->nin, c->out, c->op->nout);
    else if (ok && processes == 1 && m.n != 1)
        ok = run_on_grid(c, &m);
    else if (ok)
        ok = in_grid_of(c, &m, processes) && run_in_grid(c, &m);
    free_mesh(&m);
    return ok;
}

/* Runs the body unchanged. */
bool eval_named_computation(tsr_call *c)
{
    return tsr_eval_region(c, body_of(c->op), c->in, c->op->nin, c->out, c->op->nout);
}
