/* SPDX-License-Identifier: Apache-2.0 */
/* local.c - hooks of the column SPLIT that adapt attributes that contain sizes when an op runs on parts.
 *
 * Operands and results already have their new types; real is the size of the factor that is cut, local its size on one
 * device. */
#include "dialect/params.h"
#include "dialect/ttir/ttir.h"
#include "shard/dp/dp.h"

#define SPLIT(rule, join, hook) static tsr_dp_local_fn local_##hook;
#include "dialect/ops.def"

static const struct {
    tsr_dp_local_fn *local;
} rows[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define SPLIT(rule, join, hook) .local = local_##hook,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

tsr_dp_local_fn *tsr_dp_local(const tsr_op *op)
{
    return rows[op->def->opcode].local;
}

void tsr_dp_local_whole(tsr_op *op)
{
    if (op->def->opcode != TSR_UNREGISTERED && rows[op->def->opcode].local == local_ttir_seed)
        local_ttir_seed(op, 0, 0);
}

static void local_none(tsr_op *op, int64_t real, int64_t local)
{
    (void)op, (void)real, (void)local;
}

/* ---- Lists of numbers ---- */

/* The list with other numbers, in the same form. */
static tsr_attr *with_numbers(tsr_op *op, const tsr_attr *list, const int64_t *numbers)
{
    enum { MOST = 64 };
    tsr_ctx *ctx = op->module->ctx;
    size_t n = (size_t)tsr_attr_count(list);
    tsr_attr *items[MOST];
    int32_t narrow[MOST];
    if (n == 0 || n > MOST)
        return (tsr_attr *)list;
    for (size_t i = 0; i < n; i++) {
        narrow[i] = (int32_t)numbers[i];
        if (tsr_attr_is(list, TSR_ATTR_ARRAY))
            items[i] = tsr_attr_int(ctx, list->attrs[i]->type, numbers[i]);
    }
    if (tsr_attr_is(list, TSR_ATTR_ARRAY))
        return tsr_attr_array(ctx, items, n);
    return list->type->width == 32 ? tsr_attr_dense_array(ctx, list->type, narrow, n)
                                   : tsr_attr_i64_array(ctx, numbers, n);
}

/* How hooks change a list: dimension d of the op's tensors, and the current number. */
typedef int64_t change_fn(const tsr_op *op, uint32_t d, int64_t number);

static void change_list(tsr_op *op, int slot, change_fn *change)
{
    const tsr_attr *list = slot >= 0 ? op->attrs[slot] : NULL;
    uint32_t n = op->out[0].type->n;
    int64_t numbers[64];
    if (!list || (uint64_t)tsr_attr_count(list) != n || n > TSR_COUNT(numbers))
        return;
    for (uint32_t d = 0; d < n; d++)
        numbers[d] = change(op, d, tsr_attr_int_at(list, d));
    op->attrs[slot] = with_numbers(op, list, numbers);
}

/* ---- Hooks ---- */

static int64_t result_size(const tsr_op *op, uint32_t d, int64_t number)
{
    return number < 0 ? number : op->out[0].type->dims[d];
}

/* The result's shape is an attribute. */
static void local_ttir_shape(tsr_op *op, int64_t real, int64_t local)
{
    (void)real, (void)local;
    change_list(op, tsr_opdef_slot(op->def, TSR_STR("shape")), result_size);
}

static int64_t result_times(const tsr_op *op, uint32_t d, int64_t number)
{
    int64_t in = op->in[0].value->type->dims[d];
    return in > 0 ? op->out[0].type->dims[d] / in : number;
}

/* The only attribute is the number of repetitions of each dimension. */
static void local_ttir_times(tsr_op *op, int64_t real, int64_t local)
{
    (void)real, (void)local;
    change_list(op, 0, result_times);
}

static int64_t slice_end(const tsr_op *op, uint32_t d, int64_t number)
{
    int64_t in = op->in[0].value->type->dims[d];
    return op->out[0].type->dims[d] == in ? in : number;
}

/* A slice of the whole dimension ends where the part does. */
static void local_ttir_slice(tsr_op *op, int64_t real, int64_t local)
{
    (void)real, (void)local;
    change_list(op, TTIR_SLICE_STATIC_ends, slice_end);
}

static void local_ttir_constant(tsr_op *op, int64_t real, int64_t local)
{
    (void)real, (void)local;
    const tsr_attr *v = op->attrs[TTIR_CONSTANT_value];
    const tsr_type *t = op->out[0].type;
    tsr_type *type = tsr_type_tensor(op->module->ctx, t->dims, t->n, v->type->elem, v->type->attr);
    op->attrs[TTIR_CONSTANT_value] =
        tsr_attr_dense(op->module->ctx, op->module, type, v->s.data, v->s.len, true);
}

/* Consecutive images in one dimension: their number. */
static void local_ttir_window(tsr_op *op, int64_t real, int64_t local)
{
    (void)real;
    tsr_flat flat = tsr_flat_of(op);
    if (!flat.given)
        return;
    flat.batch = local;
    op->attrs[tsr_opdef_slot(op->def, TSR_STR("flattened_compat_info"))] =
        tsr_flat_attr(op->module->ctx, &flat);
}

/* Numbers are drawn for whole values: each device draws the same ones. */
static void local_ttir_seed(tsr_op *op, int64_t real, int64_t local)
{
    (void)real, (void)local;
    op->attrs[TTIR_DROPOUT_use_per_device_seed] = tsr_attr_bool(op->module->ctx, false);
}
