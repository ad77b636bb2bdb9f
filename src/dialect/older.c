/* SPDX-License-Identifier: Apache-2.0 */
/* older.c - older forms of TTIR, ttcore and debug (older.h).
 *
 *   destinations   TTIR's ops had the tensors that they wrote to as last operands, made by ttir.empty
 *   results        debug.breakpoint, print, dump and memory_snapshot returned their operand
 *   devices        TTNN's collectives had the device as last operand
 *   properties     TTNN's ops had dtype, layout and memory_config, which are now in the layout of their result
 *   attributes     ttcore.runtime_tensor_sharding is now shard_status and local_shape */
#include "dialect/older.h"

#include "dialect/dialect.h"
#include "dialect/ttcore/ttcore.h"

static bool is_empty(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_TTIR_EMPTY) || tsr_op_is(op, TSR_OP_TENSOR_EMPTY);
}

bool tsr_property_is_gone(const tsr_opdef *def, tsr_str name)
{
    static const struct {
        uint8_t dialect;
        const char *name;
    } gone[] = {{TSR_DIALECT_TTNN, "dtype"},         {TSR_DIALECT_TTNN, "layout"},
                {TSR_DIALECT_TTNN, "memory_config"}, {TSR_DIALECT_TTNN, "output_dtype"},
                {TSR_DIALECT_TTNN, "in_place_halo"}, {TSR_DIALECT_TTIR, "dtype"}};
    for (size_t i = 0; i < TSR_COUNT(gone); i++)
        if (def->dialect == gone[i].dialect && tsr_str_is(name, gone[i].name))
            return true;
    return false;
}

/* ---- Devices ---- */

static bool is_device(const tsr_value *v)
{
    return v->type->def == &tsr_def_TTNN_DEVICE;
}

/* Whether the last operand is a device that the row does not have. */
static bool has_older_device(const tsr_op *op)
{
    return op->def->dialect == TSR_DIALECT_TTNN && op->def->opcode != TSR_UNREGISTERED &&
           op->def->single_args && op->nin == op->def->narg + 1u &&
           is_device(op->in[op->nin - 1].value);
}

bool tsr_op_may_be_older(const tsr_op *op)
{
    const tsr_opdef *def = op->def;
    return tsr_op_is(op, TSR_OP_TTIR_EMPTY) || (op->nout > def->nresult && def->single_results) ||
           has_older_device(op);
}

/* ---- Destinations ---- */

typedef TSR_VEC(tsr_op *) op_vec;

/* The group sizes of the older op: one more group than the row has. */
static const tsr_attr *group_sizes(const tsr_op *op, int slot)
{
    const tsr_attr *a =
        slot >= 0 ? op->attrs[slot] : tsr_dict_get(op->extra, TSR_STR("operandSegmentSizes"));
    bool ok = tsr_attr_is(a, TSR_ATTR_DENSE_ARRAY) && tsr_type_is_integer(a->type, 32) &&
              tsr_attr_count(a) > op->def->narg - (slot < 0);
    int64_t total = 0;
    for (int64_t i = 0; ok && i < tsr_attr_count(a); i++)
        total += tsr_attr_int_at(a, (size_t)i);
    return ok && total == op->nin ? a : NULL;
}

static bool has_group(const tsr_opdef *def, const char *name)
{
    for (uint16_t i = 0; i < def->narg; i++)
        if (strcmp(def->args[i].name, name) == 0)
            return true;
    return false;
}

static uint32_t least_operands(const tsr_opdef *def)
{
    uint32_t n = 0;
    for (uint16_t i = 0; i < def->narg; i++)
        n += def->args[i].arity == TSR_ONE;
    return n;
}

/* Whether the last n operands are empty tensors of the results' types. */
static bool ends_with_empties(const tsr_op *op, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const tsr_value *v = op->in[op->nin - n + i].value;
        if (v->is_arg || !is_empty(v->op) || v->type != op->out[i].type)
            return false;
    }
    return true;
}

static void set_sizes(tsr_op *op, int slot, const tsr_attr *sizes)
{
    tsr_ctx *ctx = op->module->ctx;
    if (slot < 0) {
        op->extra =
            tsr_dict_with(ctx, op->extra, tsr_name_get(ctx, TSR_STR("operandSegmentSizes")), NULL);
        return;
    }
    int32_t kept[16];
    size_t n = op->def->narg < TSR_COUNT(kept) ? op->def->narg : TSR_COUNT(kept);
    for (size_t i = 0; i < n; i++)
        kept[i] = (int32_t)tsr_attr_int_at(sizes, i);
    op->attrs[slot] = tsr_attr_dense_array(ctx, ctx->i32, kept, n);
}

static void drop_destinations(tsr_op *op, op_vec *emptied)
{
    int slot = tsr_opdef_slot(op->def, TSR_STR("operandSegmentSizes"));
    const tsr_attr *sizes = group_sizes(op, slot);
    uint32_t n = op->nout;
    bool wrong = !sizes && tsr_dict_get(op->extra,
                                        TSR_STR("operandSegmentSizes")); /* left for the verifier */
    if (wrong || !n || n > op->nin || has_group(op->def, "output") ||
        tsr_op_is(op, TSR_OP_TTIR_TT_LANG_OP))
        return;
    if (sizes ? tsr_attr_int_at(sizes, (size_t)tsr_attr_count(sizes) - 1) != (int64_t)n
              : slot >= 0 || op->nin - n < least_operands(op->def) || !ends_with_empties(op, n))
        return;
    for (uint32_t i = 0; i < n; i++) {
        tsr_value *v = op->in[op->nin - 1].value;
        if (!v->is_arg && is_empty(v->op))
            tsr_vec_push(emptied, v->op);
        tsr_op_erase_operand(op, op->nin - 1);
    }
    if (sizes)
        set_sizes(op, slot, sizes);
}

/* ---- Results ---- */

/* Removes results that the row no longer has: their uses become uses of the operand. */
static void drop_results(tsr_op *op)
{
    if (op->nin != 1 || op->nout != 1 || op->out[0].type != op->in[0].value->type)
        return;
    tsr_value *in = op->in[0].value;
    tsr_op *made = tsr_op_new(op->module, op->def, op->loc, &in, 1, NULL, 0, 0, 0);
    for (uint16_t i = 0; i < op->def->nslot; i++)
        made->attrs[i] = op->attrs[i];
    made->extra = op->extra;
    tsr_op_insert(made, op->block, op->next);
    tsr_value_replace(&op->out[0], in);
    tsr_op_erase(op);
}

/* ---- Attributes ---- */

static tsr_attr *modern_dict(tsr_ctx *ctx, tsr_attr *dict)
{
    tsr_attr *both = tsr_dict_get(dict, TSR_STR("ttcore.runtime_tensor_sharding"));
    if (!tsr_attr_is_struct(both, &tsr_def_TTCORE_RUNTIME_TENSOR_SHARDING))
        return dict;
    tsr_attr *type = both->attrs[TTCORE_RUNTIME_TENSOR_SHARDING_type];
    dict = tsr_dict_with(ctx, dict, tsr_name_get(ctx, TSR_STR("ttcore.runtime_tensor_sharding")),
                         NULL);
    dict = tsr_dict_with(ctx, dict, tsr_name_get(ctx, TSR_STR("ttcore.shard_status")),
                         both->attrs[TTCORE_RUNTIME_TENSOR_SHARDING_status]);
    return tsr_dict_with(ctx, dict, tsr_name_get(ctx, TSR_STR("ttcore.local_shape")),
                         tsr_attr_struct(ctx, &tsr_def_TTCORE_LOCAL_SHAPE, &type));
}

static void modern_list(tsr_op *op, int slot)
{
    tsr_attr *list = op->attrs[slot];
    tsr_attr_vec made = {0};
    if (!tsr_attr_is(list, TSR_ATTR_ARRAY))
        return;
    for (uint32_t i = 0; i < list->n; i++)
        tsr_vec_push(&made, tsr_attr_is(list->attrs[i], TSR_ATTR_DICT)
                                ? modern_dict(op->module->ctx, list->attrs[i])
                                : list->attrs[i]);
    op->attrs[slot] = tsr_attr_array(op->module->ctx, made.data, made.n);
    tsr_vec_free(&made);
}

void tsr_modernize(tsr_module *m)
{
    op_vec emptied = {0};
    tsr_op *next;
    for (tsr_op *op = m->op; op; op = next) {
        next = tsr_walk_next(m->op, op);
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC)) {
            modern_list(op, FUNC_FUNC_arg_attrs);
            modern_list(op, FUNC_FUNC_res_attrs);
        } else if (op->def->opcode >= TSR_OP_DEBUG_BREAKPOINT &&
                   op->def->opcode <= TSR_OP_DEBUG_MEMORY_SNAPSHOT) {
            drop_results(op);
        } else if (has_older_device(op)) {
            tsr_op_erase_operand(op, op->nin - 1);
        } else if (tsr_op_in(op, TSR_DIALECT_TTIR) && op->def->opcode != TSR_UNREGISTERED) {
            drop_destinations(op, &emptied);
        }
    }
    for (size_t i = 0; i < emptied.n;
         i++) /* the last use may have been found later, and the op erased before */
        if (emptied.data[i]->block && !tsr_op_used(emptied.data[i]))
            tsr_op_erase(emptied.data[i]);
    tsr_vec_free(&emptied);
}
