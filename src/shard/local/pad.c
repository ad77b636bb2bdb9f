/* SPDX-License-Identifier: Apache-2.0 */
/* pad.c - sdy-pad-for-divisibility: pads dimensions that their axes do not divide, so that all devices have parts of
 * one shape. Needs reshards that are already collectives; breaks ids.
 *
 * Ops that reduce along a padded dimension get the identity in the padding; others ignore the padding, since it never
 * reaches a result. */
#include "shard/local/pad.h"

#include "shard/local/halo.h"
#include "shard/passes.h"

/* ---- The table ---- */

static tsr_pad_value *find(const tsr_padder *s, const tsr_value *v)
{
    TSR_MAP_EACH (&s->values, tsr_hash_ptr(v), found) {
        tsr_pad_value *x = found;
        if (x->v == v)
            return x;
    }
    return NULL;
}

static tsr_pad_value *find_or_add(tsr_padder *s, const tsr_value *v)
{
    tsr_pad_value *x = find(s, v);
    if (x)
        return x;
    x = TSR_NEW(s->scratch, tsr_pad_value);
    *x = (tsr_pad_value){v, v->type, TSR_PAD_ANY};
    tsr_map_put(&s->values, tsr_hash_ptr(v), x);
    return x;
}

tsr_type *tsr_pad_original(const tsr_padder *s, const tsr_value *v)
{
    const tsr_pad_value *x = find(s, v);
    return x ? x->type : v->type;
}

tsr_pad_kind tsr_pad_kind_of(const tsr_padder *s, const tsr_value *v)
{
    const tsr_pad_value *x = find(s, v);
    return x ? x->kind : TSR_PAD_ANY;
}

void tsr_pad_set_kind(tsr_padder *s, const tsr_value *v, tsr_pad_kind kind)
{
    find_or_add(s, v)->kind = kind;
}

void tsr_pad_retype(tsr_padder *s, tsr_value *v, tsr_type *type)
{
    if (type == v->type)
        return;
    find_or_add(s, v);
    v->type = type;
}

void tsr_pad_note(tsr_padder *s, const tsr_value *v, tsr_type *type)
{
    find_or_add(s, v)->type = type;
}

/* ---- Types ---- */

const tsr_sharding *tsr_pad_sharding(tsr_padder *s, const tsr_value *v)
{
    return tsr_sharding_decode(&s->table, tsr_sdy_sharding_of(v));
}

tsr_type *tsr_pad_type(tsr_type *type, const tsr_sharding *a)
{
    if (!tsr_type_is(type, TSR_TYPE_TENSOR) || !a || !a->sharded || a->rank != type->n)
        return type;
    int64_t few[16], *dims = type->n <= TSR_COUNT(few) ? few : tsr_xmalloc(type->n * sizeof *dims);
    bool longer = false;
    for (uint32_t d = 0; d < type->n; d++) {
        int64_t size = type->dims[d], n = a->dims[d].axes->size;
        dims[d] = size;
        if (size != TSR_DYNAMIC && size % n && size < INT64_MAX - n)
            dims[d] = tsr_padded_size(size, n);
        longer |= dims[d] != size;
    }
    if (longer)
        type = tsr_type_with_dims(type, dims, type->n);
    if (dims != few)
        tsr_free(dims);
    return type;
}

/* Whether v has its original type, without padding. */
static bool is_legal(tsr_padder *s, const tsr_value *v)
{
    tsr_type *type = tsr_pad_original(s, v);
    return tsr_pad_type(type, tsr_pad_sharding(s, v)) == type;
}

static bool operands_legal(tsr_padder *s, const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (!is_legal(s, op->in[i].value))
            return false;
    return true;
}

static bool results_legal(tsr_padder *s, const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++)
        if (!is_legal(s, &op->out[i]))
            return false;
    return true;
}

/* ---- Any op ---- */

/* The larger of both in each dimension, with a's element type. */
static tsr_type *larger(tsr_type *a, const tsr_type *b)
{
    if (!tsr_type_is(a, TSR_TYPE_TENSOR) || !tsr_type_is(b, TSR_TYPE_TENSOR) || a->n != b->n)
        return a;
    int64_t few[16], *dims = a->n <= TSR_COUNT(few) ? few : tsr_xmalloc(a->n * sizeof *dims);
    for (uint32_t d = 0; d < a->n; d++)
        dims[d] = a->dims[d] > b->dims[d] ? a->dims[d] : b->dims[d];
    tsr_type *type = tsr_type_with_dims(a, dims, a->n);
    if (dims != few)
        tsr_free(dims);
    return type;
}

/* Infers the types of op's results from the padded operands; false: cannot infer. */
static bool infer(tsr_op *op, tsr_type_vec *types)
{
    tsr_ctx *ctx = op->module->ctx;
    bool follows = tsr_op_has(op, TSR_TRAIT(INFER_TYPES)) || tsr_op_has(op, TSR_TRAIT(SAME_TYPE));
    if (!op->def->infer || !follows)
        return false;
    bool quiet = ctx->quiet;
    uint32_t nerror = ctx->nerror;
    ctx->quiet = true;
    bool ok = op->def->infer(op, types) && types->n == op->nout;
    ctx->quiet = quiet;
    ctx->nerror = nerror;
    return ok;
}

bool tsr_pad_generic(tsr_padder *s, tsr_op *op)
{
    tsr_type_vec types = {0};
    bool inferred = infer(op, &types);
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_type *type = tsr_pad_type(op->out[i].type, tsr_pad_sharding(s, &op->out[i]));
        tsr_pad_retype(s, &op->out[i], inferred ? larger(types.data[i], type) : type);
    }
    tsr_vec_free(&types);
    /* Arguments of loops and computations have the types of the values that flow into them. */
    tsr_flow_kind flow = tsr_sdy_flow_of(op);
    for (uint32_t r = 0; r < op->nregion && flow != TSR_FLOW_NONE; r++)
        for (uint32_t i = 0; op->regions[r].first && i < op->regions[r].first->nargs; i++) {
            tsr_value *arg = op->regions[r].first->args[i];
            tsr_pad_retype(s, arg, tsr_pad_type(arg->type, tsr_pad_sharding(s, arg)));
        }
    return true;
}

/* ---- Values in the padding ---- */

void tsr_pad_shard_as(tsr_padder *s, tsr_value *v, const tsr_sharding *a)
{
    if (a)
        tsr_sdy_set_sharding(v, tsr_sharding_encode(&s->table, a));
}

/* Where the index along dimension d is below limit. */
static tsr_value *below(tsr_padder *s, tsr_build *b, const tsr_value *v, uint32_t d, int64_t limit,
                        const tsr_sharding *a)
{
    tsr_type *elem = limit > INT32_MAX ? s->ctx->i64 : s->ctx->i32;
    tsr_type *type = tsr_type_tensor(s->ctx, v->type->dims, v->type->n, elem, NULL);
    tsr_value *index = tsr_make_iota(b, type, d);
    tsr_pad_shard_as(s, index, a);
    tsr_value *end = tsr_make_broadcast(b, tsr_make_int(b, elem, limit), NULL, type);
    tsr_pad_shard_as(s, end, a);
    tsr_value *mask = tsr_build_compare(b, "LT", NULL, index, end);
    tsr_pad_shard_as(s, mask, a);
    return mask;
}

tsr_value *tsr_pad_fill(tsr_padder *s, tsr_build *b, tsr_value *v, tsr_value *with,
                        const int64_t *dims, int64_t n)
{
    const tsr_type *type = tsr_pad_original(s, v);
    const tsr_sharding *a = tsr_pad_sharding(s, v);
    tsr_value *mask = NULL;
    for (uint32_t d = 0; d < type->n; d++) {
        bool wanted = n < 0;
        for (int64_t i = 0; i < n; i++)
            wanted |= dims[i] == d;
        if (!wanted || type->dims[d] == v->type->dims[d])
            continue;
        tsr_value *here = below(s, b, v, d, type->dims[d], a);
        if (mask) {
            mask = tsr_make_binary(b, TSR_OP_STABLEHLO_AND, mask, here);
            tsr_pad_shard_as(s, mask, a);
        } else {
            mask = here;
        }
    }
    if (!mask)
        return v;
    tsr_value *all = tsr_make_broadcast(b, with, NULL, v->type);
    tsr_pad_shard_as(s, all, a);
    tsr_value *filled = tsr_make_select(b, mask, v, all);
    tsr_pad_shard_as(s, filled, a);
    tsr_pad_note(s, filled, (tsr_type *)type);
    return filled;
}

/* ---- All ops ---- */

typedef enum { LEGAL_IF_ALL_ARE, LEGAL_IF_OPERANDS_ARE, LEGAL_IF_RESULT_FITS } legality;

/* Ops whose operands cannot be padded: their types are also given elsewhere. */
static bool pad_fixed(tsr_padder *s, tsr_op *op)
{
    (void)s;
    return tsr_op_error(op, "has a tensor with a dimension that the axes on it do not divide, "
                            "and cannot be padded");
}

/* Ops without the column PADDED are generic. */
static const struct {
    tsr_pad_fn *fn;
    legality legal;
} pad_of[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define PADDED(hook, when) .fn = pad_##hook, .legal = LEGAL_IF_##when,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

static bool pad_op(tsr_padder *s, tsr_op *op)
{
    uint16_t opcode = op->def->opcode;
    tsr_pad_fn *fn = opcode < TSR_OP__COUNT ? pad_of[opcode].fn : NULL;
    legality legal = fn ? pad_of[opcode].legal : LEGAL_IF_ALL_ARE;
    if (legal == LEGAL_IF_RESULT_FITS) {
        tsr_type *type = tsr_pad_original(s, op->in[0].value);
        if (tsr_pad_type(type, tsr_pad_sharding(s, &op->out[0])) == type)
            return true;
    } else if (operands_legal(s, op) && (legal == LEGAL_IF_OPERANDS_ARE || results_legal(s, op))) {
        return true;
    }
    if (fn == pad_fixed)
        return fn(s, op);
    tsr_loc loc = op->loc;
    return (fn ? fn(s, op) : tsr_pad_generic(s, op)) ||
           tsr_error(s->ctx, loc,
                     "failed to legalize operation '%.*s' that was explicitly marked illegal",
                     TSR_STR_ARG(op->def->name));
}

static bool check_function(tsr_padder *s, tsr_op *func)
{
    const tsr_attr *attr = tsr_op_attr(func, TSR_STR("function_type"));
    const tsr_type *type = tsr_attr_is(attr, TSR_ATTR_TYPE) ? attr->type : NULL;
    for (uint32_t i = 0; type && i < type->n + type->nout; i++) {
        bool arg = i < type->n;
        uint32_t k = arg ? i : i - type->n;
        tsr_attr *a = arg ? tsr_sdy_arg_sharding(func, k) : tsr_sdy_result_sharding(func, k);
        if (tsr_pad_type(type->types[i], tsr_sharding_decode(&s->table, a)) == type->types[i])
            continue;
        tsr_op_error(func,
                     "%s #%u has a non-divisible sharding. Shardy expects function IO to be "
                     "divisible.",
                     arg ? "argument" : "result", k);
        return tsr_error(s->ctx, func->loc,
                         "failed to legalize operation 'func.func' that was explicitly marked "
                         "illegal");
    }
    return true;
}

bool pass_sdy_pad_for_divisibility(tsr_pass *p, tsr_op *root)
{
    if (!tsr_block_parent(root->block))
        return true;
    tsr_padder s = {.ctx = p->ctx, .scratch = p->scratch};
    tsr_shardings_init_lazy(&s.table, p->scratch, tsr_block_parent(root->block));
    bool ok = check_function(&s, root);
    for (tsr_op *op = tsr_walk_next(root, root), *next; ok && op; op = next) {
        next = tsr_walk_next(root, op); /* ops inserted after op are already right */
        ok = pad_op(&s, op);
    }
    tsr_map_free(&s.values);
    tsr_shardings_free(&s.table);
    p->changed = true;
    p->module->verified = false;
    return ok;
}
