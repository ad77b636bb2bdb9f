/* SPDX-License-Identifier: Apache-2.0 */
/* meet.c - collectives, and the groups of devices that take part: as lists {{0,1},{2,3}}, as an iota
 * [2,4]<=[4,2]T(1,0), or as axes of a mesh, mesh['a'=2,'b'=4] {'b'}. */
#include "text/hlo/reader.h"

#include "dialect/dialect.h"

enum { MOST_DEVICES = 1 << 20, MOST_AXES = 32 };

typedef struct {
    int64_t n, size; /* groups, and devices in each */
    xla_ints ids;    /* row by row; -1 where a group has fewer */
} groups;

/* ---- Forms ---- */

/* {{0,1},{2,3}} */
static bool read_lists(tsr_str text, groups *out)
{
    xla_text t = xla_text_of(text);
    tsr_str inside, item;
    if (!xla_text_inside(&t, &inside))
        return false;
    for (int pass = 0; pass < 2; pass++) {
        for (xla_text list = xla_text_of(inside); xla_text_item(&list, &item);) {
            int64_t id, n = 0;
            for (xla_text one = xla_text_of(item); xla_next_int(&one, &id); n++)
                if (pass)
                    tsr_vec_push(&out->ids, id);
            if (!pass) {
                out->n++;
                out->size = n > out->size ? n : out->size;
            } else {
                for (; n < out->size; n++)
                    tsr_vec_push(&out->ids, -1);
            }
        }
    }
    return out->n <= MOST_DEVICES && out->size <= MOST_DEVICES;
}

/* The numbers in the next brackets, each at least `least`; 0: others, too many, or none. */
static uint32_t read_list(xla_text *t, int64_t *out, int64_t least)
{
    tsr_str inside;
    uint32_t n = 0;
    if (!xla_text_inside(t, &inside))
        return 0;
    xla_text list = xla_text_of(inside);
    while (n < MOST_AXES && xla_next_int(&list, &out[n]))
        if (out[n] < least || out[n++] > MOST_DEVICES)
            return 0;
    return n;
}

/* Sizes, and their product. */
static uint32_t read_dims(xla_text *t, int64_t *dims, int64_t *product)
{
    uint32_t n = read_list(t, dims, 1);
    *product = 1;
    for (uint32_t d = 0; d < n; d++) {
        if (*product > MOST_DEVICES / dims[d])
            return 0;
        *product *= dims[d];
    }
    return n;
}

/* [a,b]T(1,0): the numbers 0 to ab in the order of the transposed array. */
static bool read_iota(xla_text *t, xla_ints *out)
{
    int64_t dims[MOST_AXES], permutation[MOST_AXES], stride[MOST_AXES], at[MOST_AXES] = {0}, total;
    uint32_t n = read_dims(t, dims, &total);
    for (uint32_t d = 0; d < n; d++)
        permutation[d] = d;
    if (xla_text_take(t, 'T') && read_list(t, permutation, 0) != n)
        return false;
    for (uint32_t d = 0; d < n; d++)
        if (permutation[d] >= n)
            return false;
    for (uint32_t d = n; d-- > 0;)
        stride[d] = d + 1 == n ? 1 : stride[d + 1] * dims[d + 1];
    for (int64_t i = 0; n && i < total; i++) {
        int64_t id = 0;
        for (uint32_t d = 0; d < n; d++)
            id += at[d] * stride[permutation[d]];
        tsr_vec_push(out, id);
        for (uint32_t d = n; d-- > 0;) {
            if (++at[d] < dims[permutation[d]])
                break;
            at[d] = 0;
        }
    }
    return n > 0;
}

/* [2,4]<=[8] */
static bool read_tiles(tsr_str text, groups *out)
{
    xla_text t = xla_text_of(text);
    int64_t dims[MOST_AXES], total;
    if (read_dims(&t, dims, &total) != 2 || !xla_text_take(&t, '<') || !xla_text_take(&t, '=') ||
        !read_iota(&t, &out->ids) || (int64_t)out->ids.n != total)
        return false;
    out->n = dims[0];
    out->size = dims[1];
    return true;
}

/* ---- Meshes ---- */

typedef struct {
    tsr_str name[MOST_AXES];
    int64_t size[MOST_AXES], stride[MOST_AXES], total;
    uint32_t n;
} mesh;

/* 'name', with the rest of the text after it. */
static tsr_str read_quoted(xla_text *t)
{
    const char *start, *stop;
    while (t->p < t->end && *t->p != '\'' && *t->p != '"')
        t->p++;
    if (t->p >= t->end)
        return (tsr_str){"", 0};
    start = t->p + 1;
    stop = memchr(start, *t->p, (size_t)(t->end - start));
    if (!stop)
        return (tsr_str){"", 0};
    t->p = stop + 1;
    return (tsr_str){start, (size_t)(stop - start)};
}

static bool read_mesh(tsr_str inside, mesh *m)
{
    xla_text t = xla_text_of(inside);
    m->total = 1;
    for (tsr_str name; (name = read_quoted(&t)).len;) {
        int64_t size;
        if (m->n == MOST_AXES || !xla_text_take(&t, '=') || !xla_text_int(&t, &size) || size < 1 ||
            m->total > MOST_DEVICES / size)
            return false;
        m->name[m->n] = name;
        m->size[m->n++] = size;
        m->total *= size;
    }
    for (uint32_t d = m->n; d-- > 0;)
        m->stride[d] = d + 1 == m->n ? 1 : m->stride[d + 1] * m->size[d + 1];
    return m->n > 0;
}

/* A digit of a device's position: axis 'a', or part :(before)size of it. */
typedef struct {
    int64_t stride, size;
} digit;

/* {'a', 'b':(1)2} */
static uint32_t read_axes(xla_text *t, const mesh *m, digit *out)
{
    tsr_str inside;
    uint32_t n = 0;
    if (!xla_text_inside(t, &inside))
        return UINT32_MAX;
    xla_text list = xla_text_of(inside);
    for (tsr_str name; (name = read_quoted(&list)).len; n++) {
        uint32_t axis = 0;
        while (axis < m->n && !tsr_str_eq(m->name[axis], name))
            axis++;
        if (axis == m->n || n == MOST_AXES)
            return UINT32_MAX;
        int64_t before = 1, size = m->size[axis];
        tsr_str pre;
        if (xla_text_take(&list, ':')) {
            xla_text number;
            if (!xla_text_inside(&list, &pre) ||
                (number = xla_text_of(pre), !xla_text_int(&number, &before)) ||
                !xla_text_int(&list, &size) || before < 1 || size < 1 ||
                before > m->size[axis] / size || m->size[axis] % (before * size))
                return UINT32_MAX;
        }
        out[n] = (digit){m->stride[axis] * (m->size[axis] / (before * size)), size};
    }
    return n;
}

/* Devices whose positions differ only in these digits are a group, in the order of the digits, the first major. */
static bool group_by(const mesh *m, const digit *digits, uint32_t n, const xla_ints *ids,
                     groups *out)
{
    out->size = 1;
    for (uint32_t k = 0; k < n; k++) {
        if (out->size > MOST_DEVICES / digits[k].size)
            return false;
        out->size *= digits[k].size;
    }
    if (m->total % out->size)
        return false;
    for (int64_t first = 0; first < m->total; first++) {
        bool begins = true;
        for (uint32_t k = 0; k < n; k++)
            begins &= first / digits[k].stride % digits[k].size == 0;
        if (!begins)
            continue;
        out->n++;
        for (int64_t i = 0; i < out->size; i++) {
            int64_t at = first, rest = i;
            for (uint32_t k = n; k-- > 0;) {
                at += rest % digits[k].size * digits[k].stride;
                rest /= digits[k].size;
            }
            tsr_vec_push(&out->ids, ids->n == (size_t)m->total ? ids->data[at] : at);
        }
    }
    return out->n * out->size == m->total;
}

/* mesh['a'=2,'b'=4], device_ids=([8]) {'b'} */
static bool read_mesh_groups(tsr_str text, groups *out)
{
    xla_text t = xla_text_of(text);
    mesh m = {.n = 0};
    digit digits[MOST_AXES];
    xla_ints ids = {0};
    tsr_str inside;
    xla_text_word(&t);
    if (!xla_text_inside(&t, &inside) || !read_mesh(inside, &m))
        return false;
    bool ok = true;
    if (xla_text_take(&t, ',')) {
        xla_text_word(&t);
        ok = xla_text_take(&t, '=') && xla_text_inside(&t, &inside);
        xla_text list = xla_text_of(inside);
        if (ok && inside.len && inside.data[0] == '[')
            ok = read_iota(&list, &ids);
        else
            for (int64_t id; ok && xla_next_int(&list, &id);)
                tsr_vec_push(&ids, id);
        ok = ok && (int64_t)ids.n == m.total;
    }
    uint32_t n = ok ? read_axes(&t, &m, digits) : UINT32_MAX;
    ok = n != UINT32_MAX && group_by(&m, digits, n, &ids, out);
    tsr_vec_free(&ids);
    return ok;
}

/* ---- Attributes of the op ---- */

static void set_table(xla_reader *r, tsr_op *op, const char *name, const int64_t *v, int64_t rows,
                      int64_t columns)
{
    int64_t dims[] = {rows, columns};
    tsr_type *type =
        tsr_type_tensor(r->ctx, dims, 2, tsr_type_integer(r->ctx, 64, TSR_SIGNLESS), NULL);
    xla_set(
        op, name,
        tsr_attr_dense(r->ctx, r->m, type, v, (size_t)(rows * columns) * sizeof(int64_t), false));
}

/* One group of all: of replicas, and of partitions where a channel says that they take part. */
static void all_devices(const xla_reader *r, const xla_instr *i, groups *out)
{
    bool both = xla_attr_of(i, "channel_id").data != NULL;
    int64_t n = both ? r->replicas * r->partitions : r->replicas;
    out->n = 1;
    out->size = n > 0 && n <= MOST_DEVICES ? n : 1;
    for (int64_t id = 0; id < out->size; id++)
        tsr_vec_push(&out->ids, id);
}

static bool read_groups(xla_reader *r, const xla_instr *i, groups *out)
{
    tsr_str all = xla_attr_of(i, "replica_groups");
    *out = (groups){.n = 0};
    bool ok = !all.data                      ? true
              : all.data[0] == '{'           ? read_lists(all, out)
              : all.data[0] == '['           ? read_tiles(all, out)
              : tsr_str_starts(all, "mesh[") ? read_mesh_groups(all, out)
                                             : false;
    if (!ok) {
        tsr_vec_free(&out->ids);
        return xla_error(r, all.data, "these groups of devices cannot be read");
    }
    if (!out->ids.n)
        all_devices(r, i, out);
    return true;
}

static bool set_channel(xla_reader *r, const xla_instr *i, tsr_op *op, bool global)
{
    tsr_str ids = xla_attr_of(i, "use_global_device_ids");
    int64_t channel = xla_int_of(i, "channel_id", 0);
    if (global && ids.data && tsr_str_is(ids, "true"))
        xla_set(op, "use_global_device_ids", tsr_attr_unit(r->ctx));
    return channel <= 0 ||
           xla_set_text(r, i, op, "channel_handle",
                        "#stablehlo.channel_handle<handle = %lld, type = 1>", (long long)channel);
}

static bool set_meeting(xla_reader *r, const xla_instr *i, tsr_op *op, bool global)
{
    groups g;
    TSR_TRY(read_groups(r, i, &g));
    set_table(r, op, "replica_groups", g.ids.data, g.n, g.size);
    tsr_vec_free(&g.ids);
    return set_channel(r, i, op, global);
}

static bool one_dim(xla_reader *r, const xla_instr *i, int64_t *out)
{
    int64_t *v;
    uint32_t n;
    TSR_TRY(xla_numbers(r, i, "dimensions", true, &v, &n));
    if (n != 1)
        return xla_error(r, i->at, "'%.*s' needs one dimension", TSR_STR_ARG(i->opcode));
    *out = v[0];
    return true;
}

bool xla_all_gather(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    int64_t dim;
    TSR_TRY(one_dim(r, i, &dim));
    tsr_op *op = xla_plain(r, i, opcode, 0);
    xla_set(op, "all_gather_dim", tsr_attr_i64(r->ctx, dim));
    return set_meeting(r, i, op, true);
}

bool xla_all_reduce(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    tsr_op *op = xla_plain(r, i, opcode, 1);
    return set_meeting(r, i, op, true) && xla_region(r, i, op, 0, xla_attr_of(i, "to_apply"));
}

/* With several operands it is one op for each. */
bool xla_reduce_scatter(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    int64_t dim;
    tsr_value **in;
    tsr_type **types = TSR_NEW_ARRAY(&r->arena, tsr_type *, i->shape->nflat + 1);
    uint32_t n = xla_operands(r, i, &in);
    TSR_TRY(one_dim(r, i, &dim));
    if (xla_flat_types(i->shape, types) != n)
        return xla_error(r, i->at, "'reduce-scatter' has another number of results than operands");
    i->values = TSR_NEW_ARRAY(&r->arena, tsr_value *, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        tsr_op *op = xla_op(r, i, opcode, &in[k], 1, &types[k], 1, 1);
        xla_set(op, "scatter_dimension", tsr_attr_i64(r->ctx, dim));
        if (!set_meeting(r, i, op, true) || !xla_region(r, i, op, 0, xla_attr_of(i, "to_apply")))
            return false;
        i->values[k] = &op->out[0];
    }
    return true;
}

bool xla_collective_broadcast(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    if (i->nin != 1)
        return xla_opaque(r, i, NULL);
    return set_meeting(r, i, xla_plain(r, i, opcode, 0), false);
}

bool xla_permute(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    int64_t *pairs;
    uint32_t n;
    tsr_value **in;
    tsr_type **types = TSR_NEW_ARRAY(&r->arena, tsr_type *, i->shape->nflat + 1);
    uint32_t nin = xla_operands(r, i, &in), nout = xla_flat_types(i->shape, types);
    TSR_TRY(xla_numbers(r, i, "source_target_pairs", true, &pairs, &n));
    if (nin != nout) /* the form that writes into a buffer */
        return xla_opaque(r, i, "it writes into a part of a buffer");
    i->values = TSR_NEW_ARRAY(&r->arena, tsr_value *, nout + 1);
    for (uint32_t k = 0; k < nout; k++) {
        tsr_op *op = xla_op(r, i, opcode, &in[k], 1, &types[k], 1, 0);
        set_table(r, op, "source_target_pairs", pairs, n / 2, 2);
        TSR_TRY(set_channel(r, i, op, false));
        i->values[k] = &op->out[0];
    }
    return true;
}

/* ---- All to all ---- */

static tsr_op *exchange(xla_reader *r, const xla_instr *i, tsr_value *v, tsr_type *type,
                        int64_t dim, groups *g)
{
    tsr_op *op = xla_op(r, i, TSR_OP_STABLEHLO_ALL_TO_ALL, &v, 1, &type, 1, 0);
    xla_set(op, "split_dimension", tsr_attr_i64(r->ctx, dim));
    xla_set(op, "concat_dimension", tsr_attr_i64(r->ctx, dim));
    xla_set(op, "split_count", tsr_attr_i64(r->ctx, g->size));
    set_table(r, op, "replica_groups", g->ids.data, g->n, g->size);
    return set_channel(r, i, op, false) ? op : NULL;
}

/* Shapes with a first dimension of size n. */
static tsr_type *stacked(xla_reader *r, const tsr_type *t, int64_t n)
{
    int64_t *dims = TSR_NEW_ARRAY(&r->arena, int64_t, t->n + 1);
    dims[0] = n;
    memcpy(dims + 1, t->dims, t->n * sizeof(int64_t));
    return tsr_type_tensor(r->ctx, dims, t->n + 1, t->elem, NULL);
}

static tsr_value *reshaped(xla_reader *r, const xla_instr *i, tsr_value *v, tsr_type *type)
{
    return &xla_op(r, i, TSR_OP_STABLEHLO_RESHAPE, &v, 1, &type, 1, 0)->out[0];
}

/* Operand k goes to device k of the group: as one tensor with a first dimension for the devices. */
static bool exchange_tuple(xla_reader *r, xla_instr *i, tsr_value **in, uint32_t n, groups *g)
{
    tsr_type *type = in[0]->type, *whole = stacked(r, type, n), *one = stacked(r, type, 1);
    tsr_value **rows = TSR_NEW_ARRAY(&r->arena, tsr_value *, n);
    for (uint32_t k = 0; k < n; k++)
        rows[k] = reshaped(r, i, in[k], one);
    tsr_op *join = xla_op(r, i, TSR_OP_STABLEHLO_CONCATENATE, rows, n, &whole, 1, 0);
    xla_set(join, "dimension", tsr_attr_i64(r->ctx, 0));
    tsr_op *op = exchange(r, i, &join->out[0], whole, 0, g);
    int64_t *at = TSR_NEW_ARRAY(&r->arena, int64_t, 3 * (size_t)whole->n), *end = at + whole->n,
            *step = end + whole->n;
    if (!op)
        return false;
    i->values = TSR_NEW_ARRAY(&r->arena, tsr_value *, n);
    for (uint32_t d = 0; d < whole->n; d++) {
        end[d] = whole->dims[d];
        step[d] = 1;
    }
    for (uint32_t k = 0; k < n; k++) {
        tsr_value *all = &op->out[0];
        tsr_op *cut = xla_op(r, i, TSR_OP_STABLEHLO_SLICE, &all, 1, &one, 1, 0);
        at[0] = k;
        end[0] = k + 1;
        xla_set_ints(r, cut, "start_indices", at, whole->n);
        xla_set_ints(r, cut, "limit_indices", end, whole->n);
        xla_set_ints(r, cut, "strides", step, whole->n);
        i->values[k] = reshaped(r, i, &cut->out[0], type);
    }
    return true;
}

bool xla_all_to_all(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    (void)opcode;
    tsr_value **in;
    uint32_t n = xla_operands(r, i, &in);
    tsr_type **types = TSR_NEW_ARRAY(&r->arena, tsr_type *, i->shape->nflat + 1);
    bool array = xla_attr_of(i, "dimensions").data != NULL, alike = n == i->shape->nflat && n > 0;
    int64_t dim = 0;
    groups g;
    TSR_TRY(!array || one_dim(r, i, &dim));
    xla_flat_types(i->shape, types);
    for (uint32_t k = 0; k < n && alike; k++)
        alike = tsr_type_is(types[k], TSR_TYPE_TENSOR) && in[k]->type == types[k] &&
                (array || types[k] == types[0]);
    if (!alike)
        return xla_opaque(r, i, "its tensors are not alike");
    TSR_TRY(read_groups(r, i, &g));
    bool ok = true;
    if (array) {
        i->values = TSR_NEW_ARRAY(&r->arena, tsr_value *, n);
        for (uint32_t k = 0; k < n && ok; k++) {
            tsr_op *op = exchange(r, i, in[k], types[k], dim, &g);
            i->values[k] = op ? &op->out[0] : NULL;
            ok = op != NULL;
        }
    } else if (g.size == n) {
        ok = exchange_tuple(r, i, in, n, &g);
    } else {
        ok = xla_error(r, i->at, "'all-to-all' has %u operands for groups of %lld", n,
                       (long long)g.size);
    }
    tsr_vec_free(&g.ids);
    return ok;
}
