/* SPDX-License-Identifier: Apache-2.0 */
/* collective.c - the groups of a collective: groups of a mesh by name, by axes, or as lists of devices. */
#include "dialect/sdy/axes.h"
#include "dialect/sdy/sharding.h"
#include "dialect/tessera/tessera.h"

/* ---- Attributes of the ops ---- */

static const char *const coll_words[] = {"all_reduce", "all_gather", "reduce_scatter",
                                         "all_to_all", "broadcast",  "permute"};

static tsr_coll_kind word_kind(const tsr_attr *a)
{
    for (size_t i = 0; i < TSR_COUNT(coll_words); i++)
        if (a && tsr_str_is(a->s, coll_words[i]))
            return (tsr_coll_kind)i;
    return TSR_COLL_NONE;
}

/* The attribute of this name, if present; rows of collectives have few. */
static tsr_attr *named(const tsr_op *op, const char *name)
{
    int slot = tsr_opdef_slot(op->def, tsr_cstr(name));
    return slot < 0 ? NULL : op->attrs[slot];
}

bool tsr_coll_of(const tsr_op *op, tsr_coll *out)
{
    static const struct {
        uint16_t opcode;
        tsr_coll_kind kind;
    } rows[] = {{TSR_OP_TESSERA_ALLREDUCE, TSR_COLL_ALL_REDUCE},
                {TSR_OP_TESSERA_ALL_GATHER, TSR_COLL_ALL_GATHER},
                {TSR_OP_TESSERA_REDUCE_SCATTER, TSR_COLL_REDUCE_SCATTER},
                {TSR_OP_TESSERA_COLLECTIVE, TSR_COLL_NONE},
                {TSR_OP_TESSERA_NCCL_ALLREDUCE, TSR_COLL_ALL_REDUCE},
                {TSR_OP_TESSERA_NCCL_ALL_GATHER, TSR_COLL_ALL_GATHER},
                {TSR_OP_TESSERA_NCCL_REDUCE_SCATTER, TSR_COLL_REDUCE_SCATTER},
                {TSR_OP_TESSERA_NCCL_ALL_TO_ALL, TSR_COLL_ALL_TO_ALL}};
    size_t i = 0;
    while (i < TSR_COUNT(rows) && op->def->opcode != rows[i].opcode)
        i++;
    if (i == TSR_COUNT(rows))
        return false;
    bool any = op->def->opcode == TSR_OP_TESSERA_COLLECTIVE;
    const tsr_attr *dim = named(op, "dim"), *to = named(op, "to_dim");
    *out = (tsr_coll){.kind =
                          any ? word_kind(tsr_attr_of(op, TESSERA_COLLECTIVE_kind)) : rows[i].kind};
    out->reduction = tsr_tessera_kind_of(named(op, any ? "reduction" : "kind"));
    out->dim = dim ? dim->i : 0;
    out->to_dim = to ? to->i : 0;
    out->mesh = named(op, "mesh");
    out->group = named(op, "group");
    out->devices = named(op, "devices");
    out->sharding = named(op, "out_sharding");
    return true;
}

tsr_attr *tsr_tessera_mesh(const tsr_op *op, const tsr_attr *symbol, tsr_attr **groups)
{
    if (groups)
        *groups = NULL;
    const tsr_op *mesh = symbol ? tsr_symbol_resolve(op, symbol) : NULL;
    if (mesh && tsr_op_is(mesh, TSR_OP_SDY_MESH)) {
        tsr_attr *kept = mesh->extra ? tsr_dict_get(mesh->extra, TSR_STR("tessera.groups")) : NULL;
        if (groups)
            *groups = tsr_attr_is(kept, TSR_ATTR_DICT) ? kept : NULL;
        return mesh->attrs[SDY_MESH_mesh];
    }
    if (!mesh || !tsr_op_is(mesh, TSR_OP_TESSERA_MESH))
        return NULL;
    if (groups)
        *groups = mesh->attrs[TESSERA_MESH_groups];
    return mesh->attrs[TESSERA_MESH_mesh];
}

/* ---- Devices ---- */

/* A sub-axis as a loop over devices: their stride, and how many there are. */
typedef struct {
    int64_t stride, size;
} loop;
typedef TSR_VEC(loop) loops;

enum { MAX_DEVICES = 1 << 20 };

/* How many devices the mesh has; -1: too many, or an invalid size. */
static int64_t count_devices(const tsr_attr *mesh)
{
    const tsr_attr *axes = mesh->attrs[SDY_MESH_axes];
    int64_t n = 1;
    for (uint32_t i = 0; i < axes->n; i++) {
        int64_t size = axes->attrs[i]->attrs[SDY_MESH_AXIS_size]->i;
        if (size < 1 || size > MAX_DEVICES || (n *= size) > MAX_DEVICES)
            return -1;
    }
    return n;
}

bool tsr_tessera_has_axis(const tsr_attr *mesh, tsr_str name)
{
    const tsr_attr *axes = mesh->attrs[SDY_MESH_axes];
    for (uint32_t i = 0; i < axes->n; i++)
        if (tsr_str_eq(axes->attrs[i]->attrs[SDY_MESH_AXIS_name]->s, name))
            return true;
    return false;
}

/* The axis called name, or its part of this size with pre parts before it (0: all of it). */
static bool add_axis(const tsr_attr *mesh, tsr_str name, int64_t pre, int64_t size, loops *out)
{
    const tsr_attr *axes = mesh->attrs[SDY_MESH_axes];
    int64_t stride = 1;
    for (uint32_t i = axes->n; i-- > 0;) {
        int64_t full = axes->attrs[i]->attrs[SDY_MESH_AXIS_size]->i;
        if (!tsr_str_eq(axes->attrs[i]->attrs[SDY_MESH_AXIS_name]->s, name)) {
            stride *= full;
            continue;
        }
        if (!size) {
            pre = 1;
            size = full;
        }
        if (pre < 1 || size < 1 || pre > full || size > full || full % (pre * size))
            return false;
        tsr_vec_push(out, ((loop){stride * (full / (pre * size)), size}));
        return true;
    }
    return false;
}

/* name or name:(pre)size */
static bool add_text(const tsr_attr *mesh, tsr_str s, loops *out)
{
    const char *colon = memchr(s.data, ':', s.len);
    if (!colon)
        return add_axis(mesh, s, 0, 0, out);
    char rest[64];
    size_t n = s.len - (size_t)(colon - s.data) - 1;
    int64_t number[2] = {0, 0};
    if (n >= sizeof rest || n < 4 || colon[1] != '(')
        return false;
    int which = 0;
    for (size_t i = 2; i <= n; i++) {
        char ch = colon[i];
        if (ch == ')' && !which)
            which = 1;
        else if (ch < '0' || ch > '9' || number[which] > MAX_DEVICES)
            return false;
        else
            number[which] = number[which] * 10 + (ch - '0');
    }
    return which &&
           add_axis(mesh, (tsr_str){s.data, (size_t)(colon - s.data)}, number[0], number[1], out);
}

/* Rows of devices: those that differ only along the loops, major first. */
static bool list_devices(const tsr_attr *mesh, const loops *ls, tsr_i64_vec *out, size_t *size)
{
    int64_t n = count_devices(mesh), row = 1;
    const tsr_attr *ids = mesh->attrs[SDY_MESH_device_ids];
    for (size_t i = 0; i < ls->n; i++)
        row = tsr_sdy_mul(row, ls->data[i].size);
    if (n < 0 || row > n || (ids && tsr_attr_count(ids) != n))
        return false;
    for (int64_t first = 0; first < n; first++) {
        bool starts = true; /* whether it is at the start of all loops */
        for (size_t i = 0; starts && i < ls->n; i++)
            starts = first / ls->data[i].stride % ls->data[i].size == 0;
        for (int64_t k = 0; starts && k < row; k++) {
            int64_t at = first, left = k;
            for (size_t i = ls->n; i-- > 0; left /= ls->data[i].size)
                at += left % ls->data[i].size * ls->data[i].stride;
            if (at >= n || (int64_t)out->n >= n)
                return false; /* loops that overlap */
            tsr_vec_push(out, ids ? tsr_attr_int_at(ids, (size_t)at) : at);
        }
    }
    *size = (size_t)row;
    return (int64_t)out->n == n;
}

bool tsr_tessera_axes_devices(const tsr_attr *mesh, const tsr_attr *axes, tsr_i64_vec *out,
                              size_t *size)
{
    loops ls = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < axes->n; i++) {
        const tsr_attr *sub = axes->attrs[i]->attrs[SDY_AXIS_REF_sub];
        ok = add_axis(mesh, axes->attrs[i]->attrs[SDY_AXIS_REF_name]->s,
                      sub ? sub->attrs[SDY_SUB_AXIS_INFO_pre_size]->i : 0,
                      sub ? sub->attrs[SDY_SUB_AXIS_INFO_size]->i : 0, &ls);
    }
    ok = ok && list_devices(mesh, &ls, out, size);
    tsr_vec_free(&ls);
    return ok;
}

/* A group's axes: those of the mesh's dictionary, or the axis of that name. */
static bool add_group(const tsr_attr *mesh, const tsr_attr *groups, const tsr_attr *group,
                      loops *out)
{
    if (group->kind == TSR_ATTR_ARRAY) {
        for (uint32_t i = 0; i < group->n; i++)
            TSR_TRY(add_text(mesh, group->attrs[i]->s, out));
        return true;
    }
    const tsr_attr *axes = tsr_dict_get(groups, group->s);
    if (!axes)
        return add_text(mesh, group->s, out);
    if (!tsr_attr_is(axes, TSR_ATTR_ARRAY))
        return false;
    for (uint32_t i = 0; i < axes->n; i++)
        TSR_TRY(tsr_attr_is(axes->attrs[i], TSR_ATTR_STRING) &&
                add_text(mesh, axes->attrs[i]->s, out));
    return true;
}

static bool all_axes(const tsr_attr *mesh, loops *out)
{
    const tsr_attr *axes = mesh->attrs[SDY_MESH_axes];
    for (uint32_t i = 0; i < axes->n; i++)
        TSR_TRY(add_axis(mesh, axes->attrs[i]->attrs[SDY_MESH_AXIS_name]->s, 0, 0, out));
    return true;
}

bool tsr_coll_devices(const tsr_op *op, const tsr_coll *c, tsr_i64_vec *out, size_t *size)
{
    if (c->devices) {
        *size = (size_t)c->devices->type->dims[1];
        for (int64_t i = 0, n = tsr_attr_count(c->devices); i < n; i++)
            tsr_vec_push(out, tsr_attr_int_at(c->devices, (size_t)i));
        return true;
    }
    tsr_attr *groups, *mesh = tsr_tessera_mesh(op, c->mesh, &groups);
    loops ls = {0};
    bool ok = mesh && (c->group ? add_group(mesh, groups, c->group, &ls) : all_axes(mesh, &ls)) &&
              list_devices(mesh, &ls, out, size);
    tsr_vec_free(&ls);
    return ok;
}

void tsr_tessera_set(tsr_op *op, const char *name, tsr_attr *value)
{
    int slot = tsr_opdef_slot(op->def, tsr_cstr(name));
    tsr_assert(slot >= 0, "a collective has no '%s'", name);
    op->attrs[slot] = value;
}

tsr_attr *tsr_tessera_devices_attr(tsr_ctx *ctx, tsr_module *m, const tsr_i64_vec *devices,
                                   size_t size)
{
    int64_t dims[] = {size ? (int64_t)(devices->n / size) : 0, (int64_t)size};
    tsr_type *type = tsr_type_tensor(ctx, dims, 2, ctx->i64, NULL);
    bool splat = devices->n == 1;
    return tsr_attr_dense(ctx, m, type, devices->data, devices->n * sizeof *devices->data, splat);
}
