/* SPDX-License-Identifier: Apache-2.0 */
/* range.c - hooks of the column RANGE: which values of integer operands are valid, or likely to matter. */
#include "eval/range.h"

#include "dialect/params.h"
#include "dialect/ttnn/view.h"

enum { NINDEX = 3, BY_ATTR = 100 }; /* BY_ATTR: the dimension is in an attribute */
typedef struct {
    uint8_t used; /* 1; 0: no more entries */
    uint8_t operand, of;
    int8_t dim;
} index_use;
static const index_use index_uses[TSR_OP__COUNT][NINDEX] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define INDEXES(operand, of, dim) {1, operand, of, dim},
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

static void limit(tsr_range *r, int64_t least, int64_t most)
{
    if (most < least)
        most = least;
    if (!r->limited)
        *r = (tsr_range){least, most, true};
    r->least = least > r->least ? least : r->least;
    r->most = most < r->most ? most : r->most;
    if (r->most <
        r->least) /* uses that contradict each other: the smaller bound is safe more often */
        r->least = r->most;
}

/* ---- Uses that index ---- */

static bool is_static(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_TENSOR) && tsr_type_has_static_shape(t);
}

/* Indices of dimension d of a type may go up to its size minus that of the window. */
static void limit_dim(tsr_range *r, const tsr_type *whole, int64_t d, int64_t window)
{
    if (d >= 0 && d < (int64_t)whole->n)
        limit(r, 0, whole->dims[d] - window);
}

void range_gather(tsr_range *r, const tsr_op *op, uint32_t operand)
{
    tsr_gather g;
    const tsr_type *whole = op->in[0].value->type;
    if (operand != 1)
        return;
    tsr_gather_of(op, &g);
    if (!is_static(whole) || g.sizes.n != whole->n)
        return;
    for (uint32_t i = 0; i < g.map.n; i++) {
        int64_t d = tsr_ints_at(g.map, i);
        if (d >= 0 && d < (int64_t)whole->n)
            limit_dim(r, whole, d, tsr_ints_at(g.sizes, (size_t)d));
    }
}

void range_scatter(tsr_range *r, const tsr_op *op, uint32_t operand)
{
    tsr_gather g;
    uint32_t n = (op->nin - 1) / 2, k = 0;
    const tsr_type *whole = op->in[0].value->type, *part = op->in[n + 1].value->type;
    if (operand != n || !is_static(whole) || !is_static(part))
        return;
    tsr_gather_of(op, &g);
    int64_t window[TSR_MAX_RANK];
    for (uint32_t d = 0; d < whole->n && d < TSR_MAX_RANK; d++) {
        window[d] = 1;
        if (!tsr_gather_keeps(&g, d) || k >= g.window.n)
            continue;
        int64_t at = tsr_ints_at(g.window, k++);
        if (at >= 0 && at < (int64_t)part->n)
            window[d] = part->dims[at];
    }
    for (uint32_t i = 0; i < g.map.n; i++) {
        int64_t d = tsr_ints_at(g.map, i);
        if (d >= 0 && d < TSR_MAX_RANK)
            limit_dim(r, whole, d, d < (int64_t)whole->n ? window[d] : 1);
    }
}

/* The size of the iota that a value comes from, through ops that only move it; 0 if it does not. */
static int64_t iota_size(const tsr_value *v)
{
    while (!v->is_arg) {
        const tsr_op *op = v->op;
        if (tsr_op_is(op, TSR_OP_STABLEHLO_IOTA)) {
            int64_t d = tsr_attr_of(op, STABLEHLO_IOTA_iota_dimension)->i;
            return is_static(v->type) && d >= 0 && d < (int64_t)v->type->n ? v->type->dims[d] : 0;
        }
        if (!tsr_op_is(op, TSR_OP_STABLEHLO_RESHAPE) &&
            !tsr_op_is(op, TSR_OP_STABLEHLO_BROADCAST_IN_DIM) &&
            !tsr_op_is(op, TSR_OP_STABLEHLO_CONVERT) && !tsr_op_is(op, TSR_OP_STABLEHLO_TRANSPOSE))
            return 0;
        v = op->in[0].value;
    }
    return 0;
}

/* The type of the only operand of a group; NULL if it is absent. */
static const tsr_type *group_type(const tsr_op *op, size_t group)
{
    uint32_t start, n;
    return tsr_op_operand_group(op, group, &start, &n) && n ? op->in[start].value->type : NULL;
}

/* A dimension in an attribute; or several, with sizes of windows, as in StableHLO. */
static void limit_by_attr(tsr_range *r, const tsr_op *op, const tsr_type *whole)
{
    const tsr_attr *dim = tsr_op_attr(op, TSR_STR("dim")),
                   *map = tsr_op_attr(op, TSR_STR("start_index_map"));
    const tsr_attr *sizes = tsr_op_attr(op, TSR_STR("slice_sizes"));
    if (tsr_attr_is(dim, TSR_ATTR_INT))
        limit_dim(r, whole, dim->i < 0 ? dim->i + whole->n : dim->i, 1);
    for (int64_t i = 0; map && sizes && i < tsr_attr_count(map); i++) {
        int64_t d = tsr_attr_int_at(map, (size_t)i);
        if (d >= 0 && d < tsr_attr_count(sizes))
            limit_dim(r, whole, d, tsr_attr_int_at(sizes, (size_t)d));
    }
}

static void limit_by_row(tsr_range *r, const tsr_op *op, uint32_t i)
{
    const index_use *uses = index_uses[tsr_row_of_values(op)];
    for (size_t k = 0; k < NINDEX && uses[k].used; k++) {
        uint32_t start, n;
        if (!tsr_op_operand_group(op, uses[k].operand, &start, &n) || !n || start != i)
            continue;
        const tsr_type *whole = group_type(op, uses[k].of);
        if (!whole || !is_static(whole))
            continue;
        if (uses[k].dim == BY_ATTR)
            limit_by_attr(r, op, whole);
        else
            limit_dim(r, whole, uses[k].dim < 0 ? uses[k].dim + (int64_t)whole->n : uses[k].dim, 1);
    }
}

void range_dynamic_slice(tsr_range *r, const tsr_op *op, uint32_t i)
{
    const tsr_type *whole = op->in[0].value->type;
    const tsr_attr *sizes = tsr_attr_of(op, STABLEHLO_DYNAMIC_SLICE_slice_sizes);
    if (i >= 1 && is_static(whole) && sizes && i - 1 < tsr_attr_count(sizes))
        limit_dim(r, whole, i - 1, tsr_attr_int_at(sizes, i - 1));
}

void range_dynamic_update_slice(tsr_range *r, const tsr_op *op, uint32_t i)
{
    const tsr_type *whole = op->in[0].value->type, *update = op->in[1].value->type;
    if (i >= 2 && is_static(whole) && is_static(update) && i - 2 < update->n)
        limit_dim(r, whole, i - 2, update->dims[i - 2]);
}

/* Compared with an iota: a value in its range. */
void range_compare(tsr_range *r, const tsr_op *op, uint32_t i)
{
    int64_t n = iota_size(op->in[i ? 0 : 1].value);
    if (n)
        limit(r, 0, n - 1);
}

void range_shift(tsr_range *r, const tsr_op *op, uint32_t i)
{
    if (i == 1)
        limit(r, 0, (int64_t)tsr_dtype_bits(tsr_dtype_of(op->in[1].value->type->elem)) - 1);
}

typedef void range_fn(tsr_range *r, const tsr_op *op, uint32_t i);
static const struct {
    range_fn *fn;
} hooks[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define RANGE(hook) .fn = range_##hook,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

void tsr_range_use(tsr_range *r, const tsr_op *op, uint32_t i)
{
    if (op->def->opcode == TSR_UNREGISTERED)
        return;
    enum tsr_opcode row = tsr_row_of_values(op);
    if (tsr_op_means_trait(op, TSR_TRAIT(DIVIDES)) && i == 1)
        limit(r, 1, 8);
    if (hooks[row].fn)
        hooks[row].fn(r, op, i);
    limit_by_row(r, op, i);
}
