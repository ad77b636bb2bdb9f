/* SPDX-License-Identifier: Apache-2.0 */
/* types.c - passes that change the element types of a whole module: ttir-element-type-normalization,
 * ttir-quant-data-type-conversion, ttir-global-data-format-conversion, ttir-cpu-boolean-narrowing. Needs nothing; keeps
 * shapes; breaks ids where casts are inserted. */
#include "dialect/builtin/quant.h"
#include "dialect/stablehlo/types.h"
#include "pass/ttir/tt.h"

/* ---- Every type of a module ---- */

typedef tsr_type *convert_fn(void *user, tsr_type *elem);

/* The tensor with other elements; itself if they stay; NULL if they have no counterpart. */
static tsr_type *convert(tsr_type *t, convert_fn *fn, void *user)
{
    if (!tsr_type_is(t, TSR_TYPE_TENSOR))
        return t;
    tsr_type *elem = fn(user, t->elem);
    return !elem ? NULL : elem == t->elem ? t : tsr_hlo_with_element(t, elem);
}

static tsr_type *function_type(const tsr_op *func)
{
    return func->attrs[FUNC_FUNC_function_type]->type;
}

/* Converts types of op's results, of arguments inside it, and a function's own. False: a type has no counterpart. */
static bool convert_op(tsr_pass *p, tsr_op *op, convert_fn *fn, void *user)
{
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_type *t = convert(op->out[i].type, fn, user);
        if (!t)
            return false;
        p->changed |= t != op->out[i].type;
        op->out[i].type = t;
    }
    for (uint32_t k = 0; k < op->nregion; k++)
        TSR_REGION_BLOCKS (&op->regions[k], b)
            for (uint32_t i = 0; i < b->nargs; i++) {
                tsr_type *t = convert(b->args[i]->type, fn, user);
                if (!t)
                    return false;
                p->changed |= t != b->args[i]->type;
                b->args[i]->type = t;
            }
    if (!tsr_op_is(op, TSR_OP_FUNC_FUNC))
        return true;
    tsr_type *f = function_type(op);
    tsr_type **types = TSR_NEW_ARRAY(p->scratch, tsr_type *, f->n + f->nout + 1);
    for (uint32_t i = 0; i < f->n + f->nout; i++) {
        types[i] = convert(f->types[i], fn, user);
        if (!types[i])
            return false;
        p->changed |= types[i] != f->types[i];
    }
    op->attrs[FUNC_FUNC_function_type] =
        tsr_attr_type(p->ctx, tsr_type_function(p->ctx, types, f->n, types + f->n, f->nout));
    return true;
}

/* ---- ttir-element-type-normalization ---- */

/* The element type that devices have for this one; NULL: none. */
static tsr_type *supported(void *user, tsr_type *elem)
{
    tsr_ctx *ctx = user;
    if (elem->kind == TSR_TYPE_DIALECT || tsr_hlo_is_quantized(elem))
        return elem;
    if (elem->kind == TSR_TYPE_INDEX)
        return tsr_type_integer(ctx, 32, TSR_UNSIGNED);
    if (elem->kind == TSR_TYPE_FLOAT) {
        if (elem->sub == TSR_F32 || elem->sub == TSR_F64)
            return tsr_type_float(ctx, TSR_F32);
        return elem->sub == TSR_F16 || elem->sub == TSR_BF16 ? tsr_type_float(ctx, TSR_BF16) : NULL;
    }
    if (elem->kind != TSR_TYPE_INTEGER)
        return NULL;
    switch (elem->width) {
    case 1: return tsr_type_float(ctx, TSR_BF16);
    case 8: return tsr_type_integer(ctx, 8, TSR_UNSIGNED);
    case 16: return tsr_type_integer(ctx, 16, TSR_UNSIGNED);
    case 32:
    case 64:
        return tsr_type_integer(ctx, 32, elem->sub == TSR_UNSIGNED ? TSR_UNSIGNED : TSR_SIGNED);
    default: return NULL;
    }
}

/* Converts one element to another type; integers saturate. */
static uint64_t convert_bits(uint64_t bits, const tsr_type *from, const tsr_type *to)
{
    double number;
    int64_t whole = 0;
    if (from->kind == TSR_TYPE_FLOAT) {
        number = tsr_float_to_double((tsr_float_kind)from->sub, bits);
    } else {
        uint32_t unused = from->width < 64 ? 64 - from->width : 0;
        bool is_unsigned = from->sub == TSR_UNSIGNED || from->width == 1;
        whole =
            is_unsigned ? (int64_t)(bits << unused >> unused) : (int64_t)(bits << unused) >> unused;
        number = is_unsigned ? (double)(uint64_t)whole : (double)whole;
    }
    if (to->kind == TSR_TYPE_FLOAT)
        return tsr_float_from_double((tsr_float_kind)to->sub, number);
    if (from->width > 32 && to->sub == TSR_SIGNED)
        whole = whole > INT32_MAX ? INT32_MAX : whole < INT32_MIN ? INT32_MIN : whole;
    else if (from->width > 32)
        whole = (uint64_t)whole > UINT32_MAX ? (int64_t)UINT32_MAX : whole;
    return to->width < 64 ? (uint64_t)whole & (((uint64_t)1 << to->width) - 1) : (uint64_t)whole;
}

static void convert_constant(tsr_pass *p, tsr_op *op)
{
    tsr_attr *a = op->attrs[TTIR_CONSTANT_value];
    tsr_type *type = op->out[0].type;
    if (!tsr_attr_is(a, TSR_ATTR_DENSE) || a->type->elem == type->elem)
        return;
    size_t from = tsr_type_storage_bits(a->type->elem) / 8,
           to = tsr_type_storage_bits(type->elem) / 8;
    if (!from || !to || from > 8 || to > 8)
        return;
    size_t n = a->s.len / from;
    uint8_t *data = tsr_arena_alloc(p->scratch, n * to + 1);
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = 0;
        for (size_t b = 0; b < from; b++)
            bits |= (uint64_t)(uint8_t)a->s.data[i * from + b] << 8 * b;
        bits = convert_bits(bits, a->type->elem, type->elem);
        for (size_t b = 0; b < to; b++)
            data[i * to + b] = (uint8_t)(bits >> 8 * b);
    }
    op->attrs[TTIR_CONSTANT_value] = tsr_attr_dense(p->ctx, p->module, type, data, n * to, a->sub);
}

static bool is_truth(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_TENSOR) && t->elem->kind == TSR_TYPE_INTEGER &&
           t->elem->width == 1;
}

/* A number that fills or pads truth values is 0 or 1 where they are numbers, too: all but 0 is true. */
static void convert_fill(tsr_pass *p, tsr_op *op)
{
    bool pads = tsr_op_is(op, TSR_OP_TTIR_PAD);
    if ((!pads && !tsr_op_is(op, TSR_OP_TTIR_FULL)) || !is_truth(op->out[0].type))
        return;
    tsr_attr **value = &op->attrs[pads ? TTIR_PAD_value : TTIR_FULL_fill_value], *old = *value;
    bool filled = tsr_ttr_float_attr(old) != 0;
    if (tsr_attr_is(old, TSR_ATTR_INT))
        *value = tsr_attr_int(p->ctx, old->type, filled);
    else if (tsr_attr_is(old, TSR_ATTR_FLOAT))
        *value = tsr_attr_float(p->ctx, old->type, filled);
    p->changed |= *value != old;
}

/* Numbers that an op makes truth values of are compared with 0, since they stay what they are as numbers of another type. */
static void compare_numbers(tsr_pass *p, tsr_op *op)
{
    bool cast = tsr_op_is(op, TSR_OP_TTIR_TYPECAST);
    if (!cast && !tsr_op_is(op, TSR_OP_TTIR_ARANGE) && !tsr_op_is(op, TSR_OP_TTIR_CLAMP_SCALAR))
        return;
    tsr_type *truth = op->out[0].type;
    if (!is_truth(truth) || (cast && is_truth(op->in[0].value->type)))
        return;
    tsr_value *x = cast ? op->in[0].value : &op->out[0];
    x->type = cast ? x->type : convert(truth, supported, p->ctx);
    tsr_build b = tsr_build_before(op->next);
    b.loc = op->loc;
    tsr_value *zeros = tsr_ttir_zeros(&b, x->type);
    tsr_value *differs = tsr_ttir_binary(&b, TSR_OP_TTIR_NE, x, zeros, truth);
    tsr_value_replace(&op->out[0], differs);
    if (cast)
        tsr_op_erase(op);
    else
        tsr_op_set_operand(differs->op, 0, x);
    p->changed = true;
}

static bool has_place(tsr_pass *p, tsr_type *t)
{
    return convert(t, supported, p->ctx) != NULL;
}

bool pass_ttir_element_type_normalization(tsr_pass *p, tsr_op *root)
{
    TSR_OPS (root, op) {
        bool ok = true;
        for (uint32_t i = 0; ok && i < op->nout; i++)
            ok = has_place(p, op->out[i].type);
        const tsr_type *f = tsr_op_is(op, TSR_OP_FUNC_FUNC) ? function_type(op) : NULL;
        for (uint32_t i = 0; ok && f && i < f->n + f->nout; i++)
            ok = has_place(p, f->types[i]);
        if (!ok)
            return tsr_op_error(op, "Unsupported type.");
    }
    TSR_OPS_REVERSE (root, op)
        compare_numbers(p, op);
    TSR_OPS (root, op) {
        convert_fill(p, op);
        if (!convert_op(p, op, supported, p->ctx))
            return tsr_op_error(op, "Unsupported type.");
        if (tsr_op_is(op, TSR_OP_TTIR_CONSTANT))
            convert_constant(p, op);
    }
    return true;
}

/* ---- ttir-quant-data-type-conversion ---- */

typedef struct {
    tsr_pass *p;
    tsr_loc loc;
    tsr_type *storage;
    bool failed;
} widening;

static tsr_type *widened(void *user, tsr_type *elem)
{
    widening *w = user;
    if (elem->kind != TSR_TYPE_DIALECT || elem->def != &tsr_def_QUANT_UNIFORM)
        return elem;
    uint32_t width = elem->params[QUANT_storage]->type->width, to = w->storage->width;
    if (to < width) {
        if (!w->failed)
            tsr_error(w->p->ctx, w->loc,
                      "Target integer type of width %u is smaller than quantized type of width %u. "
                      "Out of range.",
                      to, width);
        w->failed = true;
        return NULL;
    }
    tsr_attr *params[16];
    memcpy(params, elem->params, elem->def->nparam * sizeof *params);
    int64_t high = to == 64 ? INT64_MAX : ((int64_t)1 << (to - 1)) - 1;
    params[QUANT_storage] = tsr_attr_type(w->p->ctx, tsr_type_integer(w->p->ctx, to, TSR_SIGNLESS));
    params[QUANT_signed] = tsr_attr_bool(w->p->ctx, true);
    params[QUANT_min] = tsr_attr_i64(w->p->ctx, -high - 1);
    params[QUANT_max] = tsr_attr_i64(w->p->ctx, high);
    return tsr_type_dialect(w->p->ctx, elem->def, params);
}

bool pass_ttir_quant_data_type_conversion(tsr_pass *p, tsr_op *root)
{
    int64_t width = tsr_pass_int(p, "target-bit-width");
    if (width != 8 && width != 16 && width != 32 && width != 64)
        return tsr_error(p->ctx, root->loc,
                         "Invalid quantization bit width (must be 8, 16, 32, or 64). ");
    widening w = {
        .p = p, .loc = root->loc, .storage = tsr_type_integer(p->ctx, (uint32_t)width, TSR_SIGNED)};
    TSR_OPS (root, op)
        if (!convert_op(p, op, widened, &w))
            return false;
    return true;
}

/* ---- ttir-global-data-format-conversion ---- */

static tsr_op *cast_of(tsr_op *at, bool after, tsr_value *v, tsr_type *type)
{
    tsr_ctx *ctx = at->module->ctx;
    tsr_op *op = tsr_op_new(at->module, tsr_opdef_of(ctx, TSR_OP_TTIR_TYPECAST), at->loc, &v, 1,
                            &type, 1, 0, 0);
    op->attrs[TTIR_TYPECAST_conservative_folding] = tsr_attr_bool(ctx, false);
    tsr_op_insert(op, at->block, after ? at->next : at);
    return op;
}

/* Whether op computes in its own format. */
static bool keeps_format(const tsr_op *op)
{
    return op->nout == 0 || tsr_op_is(op, TSR_OP_TTIR_CONSTANT) ||
           tsr_dict_get(op->extra, TSR_STR("preserveDataFormat")) || op->nregion ||
           !tsr_op_in(op, TSR_DIALECT_TTIR);
}

/* Only floats: integers are counts, and quantized elements define their own type. */
static tsr_type *in_format(tsr_type *t, tsr_type *elem)
{
    return tsr_type_is(t, TSR_TYPE_TENSOR) && tt_is_float(t->elem) ? tsr_hlo_with_element(t, elem)
                                                                   : t;
}

static void reformat(tsr_pass *p, tsr_op *op, tsr_type *elem)
{
    bool other = false;
    for (uint32_t i = 0; i < op->nout; i++)
        other |= in_format(op->out[i].type, elem) != op->out[i].type;
    if (!other)
        return;
    for (uint32_t i = op->nin; i-- > 0;) {
        tsr_value *v = op->in[i].value;
        tsr_type *type = in_format(v->type, elem);
        if (type == v->type)
            continue;
        /* A value that was cast from the format is used before the cast. */
        tsr_op *cast = tsr_rw_def_is(v, TSR_OP_TTIR_TYPECAST);
        if (cast && tsr_rw_in(cast, 0)->type == type)
            tsr_op_set_operand(op, i, tsr_rw_in(cast, 0));
        else
            tsr_op_set_operand(op, i, &cast_of(op, false, v, type)->out[0]);
    }
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_value *v = &op->out[i];
        tsr_type *old = v->type, *type = in_format(old, elem);
        if (type == old)
            continue;
        v->type = type;
        if (!v->uses || !op->next)
            continue;
        tsr_op *cast = cast_of(op, true, v, old);
        tsr_value_replace(v, &cast->out[0]);
        tsr_op_set_operand(cast, 0, v);
    }
    p->changed = true;
}

bool pass_ttir_global_data_format_conversion(tsr_pass *p, tsr_op *root)
{
    tsr_str format = tsr_pass_str(p, "target-format");
    tsr_type *elem = NULL;
    if (tsr_str_is(format, "f32"))
        elem = tsr_type_float(p->ctx, TSR_F32);
    else if (tsr_str_is(format, "bf16"))
        elem = tsr_type_float(p->ctx, TSR_BF16);
    else if (tsr_str_is(format, "bfp_bf8"))
        elem =
            tsr_type_dialect(p->ctx, &tsr_def_TTCORE_TILE,
                             (tsr_attr *[]){tsr_attr_i64_array(p->ctx, (int64_t[]){32, 32}, 2),
                                            tsr_attr_enum(p->ctx, &tsr_def_TTCORE_DATA_TYPE, 4)});
    if (!elem)
        return tsr_error(p->ctx, root->loc,
                         "Invalid target format '%.*s'. Supported formats: f32, bf16, bfp_bf8",
                         (int)format.len, format.data);
    TSR_VEC(tsr_op *) ops = {0};
    TSR_OPS (root, op)
        if (op != root && !keeps_format(op))
            tsr_vec_push(&ops, op);
    for (size_t i = 0; i < ops.n; i++)
        reformat(p, ops.data[i], elem);
    tsr_vec_free(&ops);
    tsr_erase_dead_ops(root);
    return true;
}

/* ---- ttir-cpu-boolean-narrowing ---- */

/* Ops that map booleans to booleans, so that their result may be narrowed with their operand. */
static bool passes_truth(const tsr_op *op)
{
    switch (op->def->opcode) {
    case TSR_OP_TTIR_LOGICAL_AND:
    case TSR_OP_TTIR_LOGICAL_OR:
    case TSR_OP_TTIR_LOGICAL_XOR:
    case TSR_OP_TTIR_LOGICAL_NOT: return true;
    case TSR_OP_TTIR_CONCAT:
        for (uint32_t i = 0; i < op->nin; i++)
            if (!tsr_ttr_boolean(op->in[i].value))
                return false;
        return true;
    case TSR_OP_TTIR_REDUCE_AND:
    case TSR_OP_TTIR_REDUCE_OR:
    case TSR_OP_TTIR_SLICE_STATIC:
    case TSR_OP_TTIR_BROADCAST:
    case TSR_OP_TTIR_REPEAT:
    case TSR_OP_TTIR_REPEAT_INTERLEAVE:
    case TSR_OP_TTIR_SQUEEZE:
    case TSR_OP_TTIR_UNSQUEEZE:
    case TSR_OP_TTIR_REVERSE: return true;
    default: return tsr_op_has(op, TSR_TRAIT(TT_MOVES));
    }
}

static bool makes_truth(const tsr_op *op)
{
    return (tsr_op_has(op, TSR_TRAIT(TT_PREDICATE)) && !tsr_op_is(op, TSR_OP_TTIR_ISFINITE)) ||
           tsr_op_is(op, TSR_OP_TTIR_REDUCE_AND) || tsr_op_is(op, TSR_OP_TTIR_REDUCE_OR);
}

bool pass_ttir_cpu_boolean_narrowing(tsr_pass *p, tsr_op *root)
{
    /* In program order: an op is visited after the definitions of its operands. */
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_next(root, op);
        bool narrow = makes_truth(op);
        for (uint32_t i = 0; !narrow && i < op->nin; i++)
            narrow = tsr_type_is(op->in[i].value->type, TSR_TYPE_TENSOR) &&
                     tsr_type_is_integer(op->in[i].value->type->elem, 1) && passes_truth(op);
        if (!narrow || op->nout != 1 || !tsr_type_is(op->out[0].type, TSR_TYPE_TENSOR) ||
            tsr_type_is_integer(op->out[0].type->elem, 1) || !op->next)
            continue;
        tsr_value *v = &op->out[0];
        tsr_type *old = v->type;
        v->type = tsr_type_tensor(p->ctx, old->dims, old->n, p->ctx->i1, NULL);
        p->changed = true;
        tsr_op *cast = NULL;
        for (tsr_use *u = v->uses, *after; u; u = after) {
            after = u->next;
            if (passes_truth(u->user))
                continue;
            if (!cast)
                cast = cast_of(op, true, v, old);
            if (u->user != cast)
                tsr_op_set_operand(u->user, (size_t)(u - u->user->in), &cast->out[0]);
        }
    }
    return true;
}
