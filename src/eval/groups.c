/* SPDX-License-Identifier: Apache-2.0 */
/* groups.c - replica groups, mesh axes and source-target pairs as lists of processes. */
#include "eval/groups.h"

#include <stdlib.h>

/* ---- Axes of meshes ---- */

enum { MAX_DEVICES = 1 << 20 };

/* The parts of a mesh attribute of any kind: its axes, each a name and a size, and its device ids. */
static const tsr_attr *mesh_part(const tsr_attr *mesh, size_t i)
{
    static const char *const keys[] = {"axes", "device_ids"};
    if (tsr_attr_is(mesh, TSR_ATTR_DICT))
        return tsr_dict_get(mesh, tsr_cstr(keys[i]));
    return tsr_attr_is(mesh, TSR_ATTR_STRUCT) ? mesh->attrs[i] : NULL;
}

static const tsr_attr *axis_part(const tsr_attr *axis, size_t i)
{
    static const char *const keys[] = {"name", "size"};
    if (tsr_attr_is(axis, TSR_ATTR_DICT))
        return tsr_dict_get(axis, tsr_cstr(keys[i]));
    return tsr_attr_is(axis, TSR_ATTR_STRUCT) ? axis->attrs[i] : NULL;
}

static const tsr_attr *resolve_mesh(const tsr_op *from, const tsr_attr *mesh)
{
    if (!tsr_attr_is(mesh, TSR_ATTR_SYMBOL))
        return mesh;
    const tsr_op *op = tsr_symbol_resolve(from, mesh);
    const tsr_attr *found = op ? tsr_op_attr(op, TSR_STR("mesh")) : NULL;
    if (op && !found)
        found = tsr_op_attr(op, TSR_STR("stablehlo.mesh"));
    return found;
}

/* A sub-axis: the part of an axis between two cuts. */
typedef struct {
    uint32_t axis;
    int64_t pre, size, stride; /* stride: in positions of the mesh */
    bool taken;                /* by one of the references */
} piece;

typedef TSR_VEC(piece) pieces;

/* The part of its axis that a reference selects; false: not in the mesh, or not a valid sub-axis. */
static bool reference(const tsr_attr *axes, const tsr_attr *ref, piece *out)
{
    if (!tsr_attr_is_struct(ref, &tsr_def_STABLEHLO_AXIS_REF))
        return false;
    for (uint32_t i = 0; i < axes->n; i++) {
        const tsr_attr *name = axis_part(axes->attrs[i], 0), *size = axis_part(axes->attrs[i], 1);
        if (!name || !size || !tsr_str_eq(name->s, ref->attrs[0]->s))
            continue;
        const tsr_attr *sub = ref->attrs[1];
        *out = (piece){
            .axis = i, .pre = sub ? sub->attrs[0]->i : 1, .size = sub ? sub->attrs[1]->i : size->i};
        return out->pre > 0 && out->size > 0 && out->size <= size->i &&
               out->pre <= size->i / out->size && size->i % (out->pre * out->size) == 0;
    }
    return false;
}

static int by_place(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    if (x->axis != y->axis)
        return x->axis < y->axis ? -1 : 1;
    return (x->pre > y->pre) - (x->pre < y->pre);
}

/* Adds the part of an axis between from and to, unless it is empty; both are products of the sizes before. */
static bool add_rest(pieces *all, uint32_t axis, int64_t from, int64_t to)
{
    if (to % from)
        return false;
    if (to > from)
        tsr_vec_push(all, (piece){.axis = axis, .pre = from, .size = to / from});
    return true;
}

/* All pieces of the mesh, in its order: those that references select, and the remaining ones. */
static bool cut(const tsr_attr *axes, const pieces *refs, pieces *all)
{
    size_t at = 0;
    for (uint32_t i = 0; i < axes->n; i++) {
        int64_t done = 1, full = axis_part(axes->attrs[i], 1)->i;
        for (; at < refs->n && refs->data[at].axis == i; at++) {
            piece p = refs->data[at];
            if (p.pre < done || !add_rest(all, i, done, p.pre))
                return false;
            done = p.pre * p.size;
            p.taken = true;
            tsr_vec_push(all, p);
        }
        if (!add_rest(all, i, done, full))
            return false;
    }
    int64_t stride = 1;
    for (size_t i = all->n; i-- > 0;) {
        all->data[i].stride = stride;
        stride *= all->data[i].size;
    }
    return true;
}

/* The number of devices of the mesh, or -1. */
static int64_t count_devices(const tsr_attr *axes)
{
    int64_t n = 1;
    for (uint32_t i = 0; i < axes->n; i++) {
        const tsr_attr *size = axis_part(axes->attrs[i], 1);
        if (!tsr_attr_is(size, TSR_ATTR_INT) || size->i < 1 || size->i > MAX_DEVICES / n)
            return -1;
        n *= size->i;
    }
    return n;
}

/* Positions of the mesh, by nested loops, outermost first. */
static void list_positions(const piece *loops, size_t n, int64_t base, tsr_device_list *out)
{
    if (!n) {
        tsr_vec_push(out, base);
        return;
    }
    for (int64_t i = 0; i < loops->size; i++)
        list_positions(loops + 1, n - 1, base + i * loops->stride, out);
}

static bool list_groups(const tsr_attr *axes, const tsr_attr *refs, tsr_device_list *out,
                        size_t *size)
{
    pieces taken = {0}, all = {0}, loops = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < refs->n; i++) {
        piece p;
        ok = reference(axes, refs->attrs[i], &p);
        if (ok)
            tsr_vec_push(&taken, p);
    }
    if (taken.n)
        qsort(taken.data, taken.n, sizeof *taken.data, by_place);
    ok = ok && cut(axes, &taken, &all);
    /* Groups are ordered by the other axes; inside a group, the references give the order. */
    for (size_t i = 0; ok && i < all.n; i++)
        if (!all.data[i].taken)
            tsr_vec_push(&loops, all.data[i]);
    *size = 1;
    for (uint32_t i = 0; ok && i < refs->n; i++) {
        piece p = {0};
        ok = reference(axes, refs->attrs[i], &p);
        for (size_t k = 0; k < all.n; k++)
            if (all.data[k].taken && all.data[k].axis == p.axis && all.data[k].pre == p.pre &&
                all.data[k].size == p.size) {
                tsr_vec_push(&loops, all.data[k]);
                break;
            }
        *size *= (size_t)p.size;
    }
    if (ok)
        list_positions(loops.data, loops.n, 0, out);
    tsr_vec_free(&taken);
    tsr_vec_free(&all);
    tsr_vec_free(&loops);
    return ok;
}

const char *tsr_mesh_axes_list(const tsr_op *from, const tsr_attr *mesh, const tsr_attr *refs,
                               tsr_device_list *out, size_t *size)
{
    const tsr_attr *found = resolve_mesh(from, mesh);
    const tsr_attr *axes = found ? mesh_part(found, 0) : NULL,
                   *ids = found ? mesh_part(found, 1) : NULL;
    if (!tsr_attr_is(axes, TSR_ATTR_ARRAY) || !tsr_attr_is(refs, TSR_ATTR_ARRAY))
        return "groups by axes of a mesh that is not there";
    int64_t n = count_devices(axes), nids = ids ? tsr_attr_count(ids) : 0;
    if (n < 0 || (nids && nids != n))
        return "groups by axes of a mesh whose devices cannot be counted";
    if (!list_groups(axes, refs, out, size))
        return "groups by axes that its mesh does not have, or that overlap";
    for (size_t i = 0; nids && i < out->n; i++)
        out->data[i] = tsr_attr_int_at(ids, (size_t)out->data[i]);
    return NULL;
}

bool tsr_mesh_axes_groups(tsr_call *c, const tsr_attr *mesh, const tsr_attr *refs,
                          tsr_device_list *out, size_t *size)
{
    const char *wrong = tsr_mesh_axes_list(c->op, mesh, refs, out, size);
    return !wrong || tsr_fail(c, "%s", wrong);
}

/* ---- Rows ---- */

/* Groups of numbers: row i ends before ends[i]. */
typedef struct {
    tsr_device_list ids;
    TSR_VEC(size_t) ends;
} rows;

static void free_rows(rows *r)
{
    tsr_vec_free(&r->ids);
    tsr_vec_free(&r->ends);
}

static int64_t count_numbers(const tsr_eval *e, tsr_grouping how)
{
    int64_t replicas = tsr_mesh_replicas(e), partitions = tsr_mesh_partitions(e);
    switch (how) {
    case TSR_BY_REPLICA:
    case TSR_BY_BOTH: return replicas;
    case TSR_BY_PARTITION: return partitions;
    case TSR_BY_PROCESS: return replicas * partitions;
    }
    return 0;
}

static const char *number_name(tsr_grouping how)
{
    return how == TSR_BY_PARTITION ? "partition" : how == TSR_BY_PROCESS ? "process" : "replica";
}

static bool add_mesh_rows(tsr_call *c, const tsr_attr *groups, tsr_grouping *how, rows *r)
{
    size_t size = 1;
    TSR_TRY(tsr_mesh_axes_groups(c, groups->attrs[0], groups->attrs[1], &r->ids, &size));
    for (size_t end = size; end <= r->ids.n; end += size)
        tsr_vec_push(&r->ends, end);
    if ((int64_t)r->ids.n == count_numbers(c->e, TSR_BY_PROCESS))
        *how = TSR_BY_PROCESS;
    return true;
}

static bool add_dense_rows(tsr_call *c, const tsr_attr *groups, tsr_grouping how, rows *r)
{
    if (!tsr_attr_is(groups, TSR_ATTR_DENSE) || groups->type->n != 2)
        return tsr_fail(c, "has groups that are no table of numbers");
    int64_t nrow = groups->type->dims[0], ncol = groups->type->dims[1];
    for (int64_t i = 0; i < nrow; i++) {
        for (int64_t k = 0; k < ncol; k++) {
            int64_t id = tsr_attr_int_at(groups, (size_t)(i * ncol + k));
            if (id != -1)
                tsr_vec_push(&r->ids, id);
        }
        tsr_vec_push(&r->ends, r->ids.n);
    }
    if (r->ids.n)
        return true;
    /* No groups: all are in one group. */
    r->ends.n = 0;
    for (int64_t i = 0; i < count_numbers(c->e, how); i++)
        tsr_vec_push(&r->ids, i);
    tsr_vec_push(&r->ends, r->ids.n);
    return true;
}

/* The number that the module declares: a global program runs as one process, whatever it is for. */
static int64_t count_declared(const tsr_call *c, tsr_grouping how)
{
    const tsr_attr *extra = c->op->module->op->extra;
    const tsr_attr *r = tsr_dict_get(extra, TSR_STR("mhlo.num_replicas"));
    const tsr_attr *p = tsr_dict_get(extra, TSR_STR("mhlo.num_partitions"));
    int64_t replicas = how != TSR_BY_PARTITION && tsr_attr_is(r, TSR_ATTR_INT) ? r->i : 1;
    int64_t partitions =
        (how == TSR_BY_PARTITION || how == TSR_BY_PROCESS) && tsr_attr_is(p, TSR_ATTR_INT) ? p->i
                                                                                           : 1;
    return replicas > 0 && replicas <= MAX_DEVICES && partitions <= MAX_DEVICES
               ? replicas * partitions
               : 0;
}

/* The process's own numbers (own) must be running; all others must exist by the module's declaration. */
static bool check_numbers(tsr_call *c, const int64_t *ids, size_t n, tsr_grouping how, bool own)
{
    int64_t all = count_numbers(c->e, how);
    for (size_t i = 0; i < n; i++)
        if (ids[i] < 0 || (ids[i] >= all && (own || ids[i] >= count_declared(c, how))))
            return tsr_fail(c, "names %s %lld, and there are %lld", number_name(how),
                            (long long)ids[i], (long long)all);
    return true;
}

/* In a grid of one replica, groups that name several replicas refer to its devices: tt-mlir's pipeline writes them
 * so. */
static tsr_grouping grouping_of(const tsr_eval *e, tsr_grouping how, const int64_t *ids, size_t n)
{
    bool replicas = how == TSR_BY_REPLICA || how == TSR_BY_BOTH;
    for (size_t i = 0; replicas && tsr_mesh_replicas(e) == 1 && i < n; i++)
        if (ids[i] > 0 && ids[i] < tsr_mesh_partitions(e))
            return TSR_BY_PROCESS;
    return how;
}

/* The process's number in this grouping. */
static int64_t own_number(const tsr_eval *e, tsr_grouping how)
{
    uint32_t partitions = tsr_mesh_partitions(e), id = tsr_process_id(e);
    switch (how) {
    case TSR_BY_REPLICA:
    case TSR_BY_BOTH: return id / partitions;
    case TSR_BY_PARTITION: return id % partitions;
    case TSR_BY_PROCESS: return id;
    }
    return 0;
}

/* The process with this number in the same line as process id. */
static uint32_t process_of(const tsr_eval *e, tsr_grouping how, uint32_t id, int64_t number)
{
    uint32_t partitions = tsr_mesh_partitions(e);
    switch (how) {
    case TSR_BY_REPLICA:
    case TSR_BY_BOTH: return (uint32_t)number * partitions + id % partitions;
    case TSR_BY_PARTITION: return id / partitions * partitions + (uint32_t)number;
    case TSR_BY_PROCESS: return (uint32_t)number;
    }
    return 0;
}

/* Writes the processes of a row in the line of process id to out; returns how many there are. */
static size_t list_row(const tsr_eval *e, tsr_grouping how, uint32_t id, const int64_t *ids,
                       size_t n, uint32_t *out)
{
    uint32_t partitions = how == TSR_BY_BOTH ? tsr_mesh_partitions(e) : 1;
    size_t at = 0;
    for (uint32_t p = 0; p < partitions; p++)
        for (size_t i = 0; i < n; i++)
            out[at++] = how == TSR_BY_BOTH ? (uint32_t)ids[i] * partitions + p
                                           : process_of(e, how, id, ids[i]);
    return at;
}

static void row_to_group(const tsr_eval *e, tsr_grouping how, const int64_t *ids, size_t n,
                         tsr_group *out)
{
    uint32_t partitions = how == TSR_BY_BOTH ? tsr_mesh_partitions(e) : 1;
    out->ids = tsr_xmalloc((n * partitions + 1) * sizeof *out->ids);
    out->n = list_row(e, how, tsr_process_id(e), ids, n, out->ids);
}

/* No process may be in a group twice: it would wait for itself. */
static bool check_distinct(tsr_call *c, const tsr_group *g)
{
    size_t n = (size_t)count_numbers(c->e, TSR_BY_PROCESS);
    bool *seen = tsr_xmalloc(n * sizeof *seen), ok = true;
    memset(seen, 0, n * sizeof *seen);
    for (size_t i = 0; ok && i < g->n; i++) {
        ok = !seen[g->ids[i]] || tsr_fail(c, "names a process twice in one group");
        seen[g->ids[i]] = true;
    }
    tsr_free(seen);
    return ok;
}

static bool is_of_mesh(const tsr_attr *groups)
{
    return tsr_attr_is_struct(groups, &tsr_def_STABLEHLO_REPLICA_GROUP_MESH_AXES);
}

static bool read_rows(tsr_call *c, const tsr_attr *groups, tsr_grouping *how, rows *r)
{
    bool ok =
        is_of_mesh(groups) ? add_mesh_rows(c, groups, how, r) : add_dense_rows(c, groups, *how, r);
    *how = grouping_of(c->e, *how, r->ids.data, r->ids.n);
    return ok;
}

/* ---- Groups of a whole grid ---- */

/* The position of a process: in the group of n processes starting at start. */
typedef struct {
    uint32_t start, n, place;
} seat;

/* The groups of all processes. If each process read its own, that would take quadratic time. */
typedef struct {
    tsr_shared shared; /* first */
    bool good;     /* false: invalid for some process; each finds out for itself what is wrong */
    seat *seats;   /* by process */
    uint32_t *ids; /* one group after the other */
} group_table;

typedef struct {
    tsr_call *c;
    const tsr_attr *groups;
} table_request;

/* Adds the groups of a row; false: a process does not exist, or is in two places. */
static bool add_row(const tsr_eval *e, tsr_grouping how, const int64_t *row, size_t n,
                    group_table *t, uint32_t *used)
{
    uint32_t partitions = tsr_mesh_partitions(e);
    uint32_t lines = how == TSR_BY_REPLICA     ? partitions
                     : how == TSR_BY_PARTITION ? tsr_mesh_replicas(e)
                                               : 1;
    size_t all = (size_t)count_numbers(e, TSR_BY_PROCESS);
    for (size_t i = 0; i < n; i++)
        if (row[i] < 0 || row[i] >= count_numbers(e, how))
            return false;
    size_t size = n * (how == TSR_BY_BOTH ? partitions : 1);
    for (uint32_t l = 0; l < lines; l++) {
        if (size > all - *used)
            return false;
        list_row(e, how, how == TSR_BY_PARTITION ? l * partitions : l, row, n, t->ids + *used);
        for (uint32_t i = 0; i < size; i++) {
            seat *s = &t->seats[t->ids[*used + i]];
            if (s->n)
                return false;
            *s = (seat){*used, (uint32_t)size, i};
        }
        *used += (uint32_t)size;
    }
    return true;
}

static tsr_shared *make_table(const tsr_shared *key, void *user)
{
    const table_request *q = user;
    const tsr_eval *e = q->c->e;
    tsr_grouping how = (tsr_grouping)key->how;
    rows r = {0};
    group_table *t = NULL;
    if (read_rows(q->c, q->groups, &how, &r)) {
        size_t n = (size_t)count_numbers(e, TSR_BY_PROCESS);
        size_t bytes = sizeof *t + n * (sizeof *t->seats + sizeof *t->ids);
        t = memset(tsr_xmalloc(bytes), 0, bytes);
        t->seats = (seat *)(t + 1);
        t->ids = (uint32_t *)(t->seats + n);
        t->good = true;
        uint32_t used = 0;
        for (size_t i = 0, from = 0; t->good && i < r.ends.n; from = r.ends.data[i++])
            t->good = add_row(e, how, TSR_FROM(r.ids.data, from), r.ends.data[i] - from, t, &used);
    }
    free_rows(&r);
    return t ? &t->shared : NULL;
}

/* The groups of the grid; NULL: after a failure, or if the process must look for itself. */
static const group_table *table_of(tsr_call *c, const tsr_attr *groups, tsr_grouping how)
{
    tsr_share *share = tsr_mesh_share(c->e);
    bool of_mesh = is_of_mesh(groups);
    /* A symbol may refer to another mesh elsewhere. */
    tsr_shared key = {.from = {of_mesh ? resolve_mesh(c->op, groups->attrs[0]) : groups,
                               of_mesh ? groups->attrs[1] : NULL},
                      .how = (int)how};
    const tsr_shared *found =
        share ? tsr_share_get(share, &key, make_table, &(table_request){c, groups}) : NULL;
    const group_table *t = (const group_table *)found;
    return t && t->good ? t : NULL;
}

bool tsr_group_find(tsr_call *c, const tsr_attr *groups, tsr_grouping how, tsr_group *out)
{
    *out = (tsr_group){0};
    const group_table *t = table_of(c, groups, how);
    if (t) {
        seat s = t->seats[tsr_process_id(c->e)];
        if (s.n)
            *out = (tsr_group){t->ids + s.start, s.n, true, s.place};
        return true;
    }
    rows r = {0};
    bool ok = !c->e->failure.failed && read_rows(c, groups, &how, &r);
    ok = ok && check_numbers(c, r.ids.data, r.ids.n, how, false);
    int64_t me = own_number(c->e, how);
    for (size_t i = 0, from = 0; ok && !out->ids && i < r.ends.n; from = r.ends.data[i++])
        for (size_t k = from; k < r.ends.data[i]; k++)
            if (r.ids.data[k] == me) {
                ok = check_numbers(c, r.ids.data + from, r.ends.data[i] - from, how, true);
                if (ok)
                    row_to_group(c->e, how, r.ids.data + from, r.ends.data[i] - from, out);
                break;
            }
    free_rows(&r);
    ok = ok && check_distinct(c, out);
    if (!ok)
        tsr_group_free(out);
    return ok;
}

/* ---- Chains ---- */

/* The pairs by number, for all processes of the grid: searching the list for each would take quadratic time. */
typedef struct {
    tsr_shared shared; /* first */
    int64_t n;
    int64_t *to, *from; /* by number; -1: in no pair */
} link_table;

static const char of_links; /* distinguishes these keys from those of groups */

static tsr_shared *make_links(const tsr_shared *key, void *user)
{
    const tsr_eval *e = user;
    const tsr_attr *pairs = key->from[0];
    int64_t n = count_numbers(e, (tsr_grouping)key->how);
    link_table *t = tsr_xmalloc(sizeof *t + 2 * (size_t)n * sizeof *t->to);
    *t = (link_table){.shared = *key, .n = n, .to = (int64_t *)(t + 1)};
    t->from = t->to + n;
    for (int64_t i = 0; i < n; i++)
        t->to[i] = t->from[i] = -1;
    /* If several pairs have the same number, the first counts. */
    for (size_t i = (size_t)tsr_attr_count(pairs) / 2; i-- > 0;) {
        int64_t from = tsr_attr_int_at(pairs, 2 * i), to = tsr_attr_int_at(pairs, 2 * i + 1);
        if (from >= 0 && from < n)
            t->to[from] = to;
        if (to >= 0 && to < n)
            t->from[to] = from;
    }
    return &t->shared;
}

/* The other end of the pair with me at one end; -1 if there is none. */
static int64_t neighbour(const link_table *links, const tsr_attr *pairs, int64_t me, bool forward)
{
    if (links && me >= 0 && me < links->n)
        return forward ? links->to[me] : links->from[me];
    size_t n = (size_t)tsr_attr_count(pairs) / 2;
    for (size_t i = 0; i < n; i++)
        if (tsr_attr_int_at(pairs, 2 * i + !forward) == me)
            return tsr_attr_int_at(pairs, 2 * i + forward);
    return -1;
}

bool tsr_chain_find(tsr_call *c, const tsr_attr *pairs, tsr_grouping how, tsr_group *out,
                    bool *ring)
{
    *out = (tsr_group){0};
    *ring = false;
    if (!tsr_attr_is(pairs, TSR_ATTR_DENSE) ||
        (tsr_attr_count(pairs) && (pairs->type->n != 2 || pairs->type->dims[1] != 2)))
        return tsr_fail(c, "has pairs that are no table of two columns");
    size_t n = (size_t)tsr_attr_count(pairs);
    tsr_device_list ids = {0};
    for (size_t i = 0; i < n; i++)
        tsr_vec_push(&ids, tsr_attr_int_at(pairs, i));
    how = grouping_of(c->e, how, ids.data, n);
    bool ok = check_numbers(c, ids.data, n, how, false);
    ids.n = 0;
    tsr_share *share = tsr_mesh_share(c->e);
    tsr_shared key = {.from = {pairs, &of_links}, .how = (int)how};
    const link_table *links =
        share ? (const link_table *)tsr_share_get(share, &key, make_links, c->e) : NULL;
    int64_t me = own_number(c->e, how), first = me, next;
    /* Pairs have distinct sources and distinct targets, so that going back ends at a source or at me; the bound covers
     * an invalid table. */
    for (size_t i = 0; ok && i < n && (next = neighbour(links, pairs, first, false)) >= 0 && !*ring;
         i++) {
        *ring = next == me;
        if (!*ring)
            first = next;
    }
    if (*ring) /* all members start at the same one */
        first = me;
    next = me;
    for (size_t i = 0; *ring && i < n && (next = neighbour(links, pairs, next, true)) >= 0; i++)
        first = next < first ? next : first;
    for (next = first; ok && next >= 0 && ids.n <= n; next = neighbour(links, pairs, next, true)) {
        tsr_vec_push(&ids, next);
        if (*ring && neighbour(links, pairs, next, true) == first)
            break;
    }
    ok = ok && check_numbers(c, ids.data, ids.n, how, true);
    if (ok && (ids.n > 1 || *ring))
        row_to_group(c->e, how, ids.data, ids.n, out);
    tsr_vec_free(&ids);
    ok = ok && check_distinct(c, out);
    if (!ok)
        tsr_group_free(out);
    return ok;
}

/* ---- Ops ---- */

/* By opcode: it communicates with other devices. */
static const bool meets[TSR_OP__COUNT + 1] = {
#define MEETS_COLLECTIVE true
#define MEETS_READS_STATE false
#define MEETS_WRITES_STATE false
#define MEETS_DRAWS false
#define MEETS_ORDERS false
#define MEETS_UNKNOWN false
#define OP(id, name, traits) [TSR_OP_##id] = false
#define EFFECT(word) || MEETS_##word
#define END ,
#include "dialect/ops.def"
};

bool tsr_op_meets(const tsr_op *op)
{
    return op->def->opcode != TSR_UNREGISTERED && meets[op->def->opcode];
}
