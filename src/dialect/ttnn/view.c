/* SPDX-License-Identifier: Apache-2.0 */
/* view.c - see view.h. */
#include "dialect/ttnn/view_hooks.h"

#include "dialect/ttcore/ttcore.h"
#include "dialect/ttnn/ttnn.h"

typedef struct {
    uint16_t as;
    tsr_ttnn_view_fn *view;
} row;

static const row rows[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define MEANS(id, opcode) .as = TSR_OP_##opcode,
#define LIKE(id, opcode) .as = TSR_OP_##opcode,
#define VIEW(hook) .view = view_##hook,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

static const uint16_t backwards[TSR_OP__COUNT] = {
#define MEANS(id, opcode) [TSR_OP_##opcode] = TSR_OP_##id,
#include "dialect/ops.def"
};

enum tsr_opcode tsr_ttnn_means(const tsr_op *op)
{
    return op->def->opcode == TSR_UNREGISTERED ? 0 : (enum tsr_opcode)rows[op->def->opcode].as;
}

enum tsr_opcode tsr_row_of_values(const tsr_op *op)
{
    enum tsr_opcode as = tsr_ttnn_means(op);
    return as ? as : (enum tsr_opcode)op->def->opcode;
}

bool tsr_op_means_trait(const tsr_op *op, tsr_traits trait)
{
    enum tsr_opcode as = tsr_ttnn_means(op);
    return as ? (tsr_opdef_of(op->module->ctx, as)->traits & trait) != 0 : tsr_op_has(op, trait);
}

enum tsr_opcode tsr_ttnn_for(const tsr_op *op)
{
    return op->def->opcode == TSR_UNREGISTERED ? 0 : (enum tsr_opcode)backwards[op->def->opcode];
}

/* ---- Attributes ---- */

enum { MAX_NUMBERS = 64 };

static bool fits(const tsr_constraint *c, const tsr_attr *a)
{
    return a && tsr_attr_fits(c, a) && (!c->attr_ok || c->attr_ok(a));
}

static tsr_attr *refit_int(tsr_ctx *ctx, const tsr_constraint *c, int64_t value)
{
    static const struct {
        uint8_t width;
        uint8_t sign;
    } types[] = {{32, TSR_SIGNLESS}, {32, TSR_SIGNED}, {32, TSR_UNSIGNED}, {64, TSR_SIGNLESS},
                 {64, TSR_SIGNED},   {8, TSR_SIGNED},  {1, TSR_SIGNLESS}};
    for (size_t i = 0; i < TSR_COUNT(types); i++) {
        tsr_attr *a =
            tsr_attr_int(ctx, tsr_type_integer(ctx, types[i].width, types[i].sign), value);
        if (a->i == value && fits(c, a))
            return a;
    }
    return NULL;
}

/* The numbers of a list; SIZE_MAX: it is not a list, or too long. */
static size_t numbers(const tsr_attr *a, int64_t out[MAX_NUMBERS])
{
    if (tsr_attr_is_struct(a, &tsr_def_TTNN_SHAPE))
        a = a->attrs[0];
    bool list = a->kind == TSR_ATTR_DENSE_ARRAY && a->type && a->type->kind == TSR_TYPE_INTEGER;
    int64_t n = a->kind == TSR_ATTR_ARRAY ? a->n : list ? tsr_attr_count(a) : -1;
    if (n < 0 || n > MAX_NUMBERS)
        return SIZE_MAX;
    for (size_t i = 0; i < (size_t)n; i++) {
        if (a->kind == TSR_ATTR_ARRAY && a->attrs[i]->kind != TSR_ATTR_INT)
            return SIZE_MAX;
        out[i] = a->kind == TSR_ATTR_ARRAY ? a->attrs[i]->i : tsr_attr_int_at(a, i);
    }
    return (size_t)n;
}

static tsr_attr *dense_i32(tsr_ctx *ctx, const int64_t *v, size_t n)
{
    int32_t narrow[MAX_NUMBERS];
    for (size_t i = 0; i < n; i++)
        narrow[i] = (int32_t)v[i];
    return tsr_attr_dense_array(ctx, ctx->i32, narrow, n);
}

static tsr_attr *array_of(tsr_ctx *ctx, tsr_type *type, const int64_t *v, size_t n)
{
    tsr_attr *items[MAX_NUMBERS];
    for (size_t i = 0; i < n; i++)
        items[i] = tsr_attr_int(ctx, type, v[i]);
    return tsr_attr_array(ctx, items, n);
}

static tsr_attr *refit_list(tsr_ctx *ctx, const tsr_constraint *c, const int64_t *v, size_t n)
{
    tsr_attr *a = tsr_attr_i64_array(ctx, v, n);
    if (fits(c, a))
        return a;
    tsr_attr *shape = tsr_attr_struct(ctx, &tsr_def_TTNN_SHAPE, &a);
    if (fits(c, shape))
        return shape;
    if (fits(c, a = dense_i32(ctx, v, n)))
        return a;
    if (fits(c, a = array_of(ctx, ctx->i32, v, n)))
        return a;
    return fits(c, a = array_of(ctx, ctx->i64, v, n)) ? a : NULL;
}

tsr_attr *tsr_attr_refit(tsr_ctx *ctx, const tsr_constraint *c, tsr_attr *a)
{
    int64_t v[MAX_NUMBERS];
    if (!a || fits(c, a))
        return a;
    if (a->kind == TSR_ATTR_INT) {
        tsr_attr *made = refit_int(ctx, c, a->i);
        return made ? made : refit_list(ctx, c, &a->i, 1);
    }
    size_t n = numbers(a, v);
    if (n == SIZE_MAX)
        return NULL;
    tsr_attr *made = refit_list(ctx, c, v, n);
    return !made && n == 1 ? refit_int(ctx, c, v[0]) : made;
}

/* How many operands are in the group of this name; 0 if there is no such group. */
static uint32_t group_size(const tsr_op *op, const char *name)
{
    uint32_t start, n;
    for (uint16_t i = 0; i < op->def->narg; i++)
        if (strcmp(op->def->args[i].name, name) == 0)
            return tsr_op_operand_group(op, i, &start, &n) ? n : 0;
    return 0;
}

static tsr_attr *segments(const tsr_op *from, const tsr_opdef *to)
{
    int64_t sizes[MAX_NUMBERS];
    for (uint16_t i = 0; i < to->narg && i < MAX_NUMBERS; i++)
        sizes[i] = group_size(from, to->args[i].name);
    return dense_i32(from->module->ctx, sizes, to->narg);
}

void tsr_attrs_by_name(const tsr_op *from, const tsr_opdef *to, tsr_attr **attrs)
{
    tsr_ctx *ctx = from->module->ctx;
    for (uint16_t i = 0; i < to->nslot; i++) {
        const tsr_slotdef *slot = &to->slots[i];
        int at = tsr_opdef_slot(from->def, (tsr_str){slot->name, strlen(slot->name)});
        attrs[i] = at >= 0 ? tsr_attr_refit(ctx, slot->constraint, from->attrs[at]) : NULL;
        if (strcmp(slot->name, "operandSegmentSizes") == 0)
            attrs[i] = segments(from, to);
        if (!attrs[i] && slot->need == TSR_ATTR_FILLED)
            attrs[i] = tsr_slot_default(ctx, slot);
    }
}

/* ---- Views ---- */

static bool is_device(const tsr_value *v)
{
    return v->type->def == &tsr_def_TTNN_DEVICE;
}

/* Appends the operands of the group of this name. False: no such group. */
static bool add_group(const tsr_op *op, const char *name, uint32_t *n, uint8_t *order)
{
    uint32_t start, count;
    for (uint16_t i = 0; i < op->def->narg; i++) {
        if (strcmp(op->def->args[i].name, name) != 0)
            continue;
        if (!tsr_op_operand_group(op, i, &start, &count) || *n + count > TSR_TTNN_VIEW_OPERANDS ||
            start + count > UINT8_MAX)
            return false;
        for (uint32_t k = 0; k < count; k++)
            order[(*n)++] = (uint8_t)(start + k);
        return true;
    }
    return false;
}

/* Puts operands in the order of TTIR's row, if both rows have the same names for all of them; else they are not
 * reordered. TTIR's "output" is not an operand of TTNN's. */
static void order_operands(const tsr_op *op, const tsr_opdef *to, tsr_ttnn_view *v)
{
    uint32_t n = 0;
    for (uint16_t i = 0; i < to->narg; i++)
        if (!add_group(op, to->args[i].name, &n, v->order) &&
            strcmp(to->args[i].name, "output") != 0)
            return;
    v->ordered = n != v->op.nin;
    for (uint32_t i = 0; i < n; i++)
        v->ordered |= v->order[i] != i;
    for (uint32_t i = 0; v->ordered && i < n; i++)
        v->in[i] = op->in[v->order[i]];
    if (v->ordered) {
        v->op.in = v->in;
        v->op.nin = n;
    }
}

bool tsr_ttnn_view_of(const tsr_op *op, tsr_ttnn_view *out)
{
    enum tsr_opcode as = tsr_ttnn_means(op);
    if (!as)
        return false;
    const tsr_opdef *to = tsr_opdef_of(op->module->ctx, as);
    tsr_assert(to->nslot <= TSR_TTNN_VIEW_SLOTS, "too many slots for a view");
    memset(out, 0, sizeof *out);
    out->op = *op;
    out->def = *to;
    out->def.name = op->def->name;
    out->op.def = &out->def;
    out->op.attrs = out->attrs;
    while (out->op.nin && is_device(op->in[out->op.nin - 1].value))
        out->op.nin--;
    order_operands(op, to, out);
    tsr_attrs_by_name(op, to, out->attrs);
    tsr_ttnn_view_fn *view = rows[op->def->opcode].view;
    if (view && !view(op, out))
        return false;
    for (uint16_t i = 0; i < to->nslot; i++)
        if (!out->attrs[i] && to->slots[i].need == TSR_ATTR_REQUIRED)
            return false;
    return true;
}
