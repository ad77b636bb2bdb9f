/* SPDX-License-Identifier: Apache-2.0 */
/* convert_ccl.c - hooks of convert-ttir-to-ttnn: collectives that TTNN expresses as messages between two devices.
 * Before the first message the result on each device is a copy of its own part; each message replaces it on the
 * receiving device. */
#include "dialect/ttcore/ttcore.h"
#include "lower/ttnn/convert.h"
#include "pass/ttir/tt.h"

/* The op being lowered, and the rows and columns of its mesh. */
typedef struct {
    tsr_ttnn_lower *l;
    int64_t rows, cols;
} messages;

static bool open_mesh(tsr_ttnn_lower *l, messages *m)
{
    tsr_op *device = tsr_tt_device_op(l->op);
    const tsr_attr *shape =
        device ? device->attrs[TTCORE_DEVICE_device_attr]->attrs[TTCORE_DEVICE_mesh_shape] : NULL;
    if (!shape || tsr_attr_count(shape) != 2)
        return tsr_op_error(l->op, "needs a device with a mesh of two dimensions");
    *m = (messages){l, tsr_attr_int_at(shape, 0), tsr_attr_int_at(shape, 1)};
    return true;
}

static bool is_device(const messages *m, int64_t id)
{
    return (id >= 0 && id < m->rows * m->cols) ||
           tsr_op_error(m->l->op, "names device %lld, which the mesh does not have", (long long)id);
}

static tsr_attr *place(const messages *m, int64_t id)
{
    tsr_ctx *ctx = m->l->b.ctx;
    int64_t at[] = {id / m->cols, id % m->cols};
    return tsr_attr_i64_array(ctx, at, 2);
}

static tsr_value *closed(messages *m, tsr_op *op, tsr_type *type)
{
    return &tsr_build_close_as(&m->l->b, op, &type)->out[0];
}

static tsr_value *copied(messages *m, tsr_value *v)
{
    return closed(m, tsr_ttnn_open(m->l, TSR_OP_TTNN_ASSIGN, &v, 1), v->type);
}

/* v on all devices, except that the receiver has the sender's value of sent. */
static tsr_value *send(messages *m, tsr_value *sent, int64_t from, int64_t to, tsr_value *v)
{
    tsr_value *in[] = {sent, v};
    tsr_op *op = tsr_ttnn_open(m->l, TSR_OP_TTNN_POINT_TO_POINT, in, 2);
    op->attrs[TTNN_POINT_TO_POINT_sender_coord] = place(m, from);
    op->attrs[TTNN_POINT_TO_POINT_receiver_coord] = place(m, to);
    return closed(m, op, v->type);
}

static tsr_value *zeros(messages *m, tsr_value *like)
{
    tsr_op *op = tsr_ttnn_open(m->l, TSR_OP_TTNN_CLAMP_SCALAR, &like, 1);
    tsr_attr *zero = tsr_attr_float(m->l->b.ctx, tsr_type_float(m->l->b.ctx, TSR_F32), 0);
    op->attrs[TTNN_CLAMP_SCALAR_min] = op->attrs[TTNN_CLAMP_SCALAR_max] = zero;
    return closed(m, op, like->type);
}

/* Devices that receive nothing have zeros. */
bool lower_ttnn_collective_permute(tsr_ttnn_lower *l)
{
    messages m;
    TSR_TRY(open_mesh(l, &m));
    const tsr_attr *pairs = l->op->attrs[TTIR_COLLECTIVE_PERMUTE_source_target_pairs];
    tsr_value *in = l->op->in[0].value, *none = NULL;
    size_t n = (size_t)tsr_attr_count(pairs) / 2;
    for (size_t i = 0; i < 2 * n; i++)
        TSR_TRY(is_device(&m, tsr_attr_int_at(pairs, i)));
    tsr_value *v = copied(&m, in);
    for (size_t i = 0; i < n; i++) {
        int64_t from = tsr_attr_int_at(pairs, 2 * i), to = tsr_attr_int_at(pairs, 2 * i + 1);
        if (from != to)
            v = send(&m, in, from, to, v);
    }
    for (int64_t d = 0; d < m.rows * m.cols; d++) {
        bool receives = false;
        for (size_t i = 0; i < n; i++)
            receives |= tsr_attr_int_at(pairs, 2 * i + 1) == d;
        if (receives)
            continue;
        none = none ? none : zeros(&m, in);
        v = m.rows * m.cols == 1 ? none : send(&m, none, d ? 0 : 1, d, v);
    }
    return tsr_ttnn_replace(l, v);
}

/* The number of devices in a group of dense<...> : tensor<groups x devices>; 0 after a diagnostic. */
static size_t group_size(const messages *m, const tsr_attr *groups)
{
    size_t n = (size_t)tsr_attr_count(groups);
    for (size_t i = 0; i < n; i++)
        if (!is_device(m, tsr_attr_int_at(groups, i)))
            return 0;
    if (groups->type->n == 2 && groups->type->dims[0] > 0 && groups->type->dims[1] > 0)
        return (size_t)groups->type->dims[1];
    tsr_op_error(m->l->op, "has no groups of devices");
    return 0;
}

/* The first device of a group sends to the others. */
bool lower_ttnn_collective_broadcast(tsr_ttnn_lower *l)
{
    messages m;
    TSR_TRY(open_mesh(l, &m));
    const tsr_attr *groups = l->op->attrs[TTIR_COLLECTIVE_BROADCAST_replica_groups];
    size_t size = group_size(&m, groups);
    TSR_TRY(size != 0);
    tsr_value *in = l->op->in[0].value, *v = copied(&m, in);
    for (size_t i = 0; i < (size_t)tsr_attr_count(groups); i++)
        if (i % size)
            v = send(&m, in, tsr_attr_int_at(groups, i - i % size), tsr_attr_int_at(groups, i), v);
    return tsr_ttnn_replace(l, v);
}

static tsr_value *slice(messages *m, tsr_value *v, size_t dim, int64_t from, int64_t n)
{
    tsr_ctx *ctx = m->l->b.ctx;
    int64_t begins[TT_MAX_RANK] = {0}, ends[TT_MAX_RANK], steps[TT_MAX_RANK], dims[TT_MAX_RANK];
    for (size_t i = 0; i < v->type->n; i++) {
        ends[i] = dims[i] = v->type->dims[i];
        steps[i] = 1;
    }
    begins[dim] = from;
    ends[dim] = from + n;
    dims[dim] = n;
    tsr_op *op = tsr_ttnn_open(m->l, TSR_OP_TTNN_SLICE_STATIC, &v, 1);
    op->attrs[TTNN_SLICE_STATIC_begins] = tsr_ttir_i32s(ctx, begins, v->type->n);
    op->attrs[TTNN_SLICE_STATIC_ends] = tsr_ttir_i32s(ctx, ends, v->type->n);
    op->attrs[TTNN_SLICE_STATIC_step] = tsr_ttir_i32s(ctx, steps, v->type->n);
    tsr_type *plain = tsr_type_tensor(ctx, dims, v->type->n, v->type->elem, NULL);
    return closed(m, op, tsr_ttnn_type(plain, tsr_ttnn_spec_of(tsr_ttnn_layout_of(v->type))));
}

/* Part i of the result comes from device i of the group: its part with the index that this device has in the group. */
bool lower_ttnn_all_to_all(tsr_ttnn_lower *l)
{
    messages m;
    TSR_TRY(open_mesh(l, &m));
    const tsr_attr *groups = l->op->attrs[TTIR_ALL_TO_ALL_replica_groups];
    size_t size = group_size(&m, groups), dim = (size_t)l->op->attrs[TTIR_ALL_TO_ALL_split_dim]->i;
    TSR_TRY(size != 0);
    tsr_value *in = l->op->in[0].value;
    if (in->type->n > TT_MAX_RANK || dim >= in->type->n || !tsr_ttnn_layout_of(in->type) ||
        in->type->dims[dim] % (int64_t)size)
        return tsr_op_error(l->op, "divides no dimension into parts for the devices of a group");
    int64_t part = in->type->dims[dim] / (int64_t)size;
    tsr_value_vec parts = {0}, found = {0};
    for (size_t i = 0; i < size; i++)
        tsr_vec_push(&parts, slice(&m, in, dim, (int64_t)i * part, part));
    for (size_t from = 0; from < size; from++) {
        tsr_value *v = copied(&m, parts.data[from]);
        for (size_t g = 0; g < (size_t)tsr_attr_count(groups); g += size)
            for (size_t to = 0; to < size; to++)
                if (to != from)
                    v = send(&m, parts.data[to], tsr_attr_int_at(groups, g + from),
                             tsr_attr_int_at(groups, g + to), v);
        tsr_vec_push(&found, v);
    }
    tsr_op *made = tsr_ttnn_open(l, TSR_OP_TTNN_CONCAT, found.data, found.n);
    made->attrs[TTNN_CONCAT_dim] = l->op->attrs[TTIR_ALL_TO_ALL_concat_dim];
    tsr_vec_free(&parts);
    tsr_vec_free(&found);
    return tsr_ttnn_done(l, made);
}
