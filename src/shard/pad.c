/* pad.c - sdy-pad-for-divisibility: dimensions that the axes on them do not divide get longer, so
 * that all devices have parts of one shape. needs reshards that are collectives already; breaks ids.
 *
 * Ops that sum along a longer dimension get numbers there that change nothing; others leave alone
 * what stands in added elements, since it never comes back. */
#include "shard/pad.h"

#include "shard/halo.h"
#include "shard/passes.h"
#include "shard/reducer.h"

/* ---- The table ---- */

static tsr_pad_value *find(const tsr_padder *s, const tsr_value *v)
{
    TSR_MAP_EACH(&s->values, tsr_hash_ptr(v), found)
    {
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
        free(dims);
    return type;
}

/* Whether nothing is added to what v was. */
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

/* The larger of both in each dimension; elements are those of a. */
static tsr_type *larger(tsr_type *a, const tsr_type *b)
{
    if (!tsr_type_is(a, TSR_TYPE_TENSOR) || !tsr_type_is(b, TSR_TYPE_TENSOR) || a->n != b->n)
        return a;
    int64_t few[16], *dims = a->n <= TSR_COUNT(few) ? few : tsr_xmalloc(a->n * sizeof *dims);
    for (uint32_t d = 0; d < a->n; d++)
        dims[d] = a->dims[d] > b->dims[d] ? a->dims[d] : b->dims[d];
    tsr_type *type = tsr_type_with_dims(a, dims, a->n);
    if (dims != few)
        free(dims);
    return type;
}

/* What op says of its results, now that operands are longer; false: nothing. */
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
    /* Arguments of loops and computations are what goes in. */
    tsr_sdy_flow flow = tsr_sdy_flow_of(op);
    for (uint32_t r = 0; r < op->nregion && flow != TSR_SDY_FLOW_NONE; r++)
        for (uint32_t i = 0; op->regions[r].first && i < op->regions[r].first->nargs; i++) {
            tsr_value *arg = op->regions[r].first->args[i];
            tsr_pad_retype(s, arg, tsr_pad_type(arg->type, tsr_pad_sharding(s, arg)));
        }
    return true;
}

/* ---- Numbers in added elements ---- */

static void shard_as(tsr_padder *s, tsr_value *v, const tsr_sharding *a)
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
    shard_as(s, index, a);
    tsr_value *end = tsr_make_broadcast(b, tsr_make_int(b, elem, limit), NULL, type);
    shard_as(s, end, a);
    tsr_value *mask = tsr_build_compare(b, "LT", NULL, index, end);
    shard_as(s, mask, a);
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
            shard_as(s, mask, a);
        } else {
            mask = here;
        }
    }
    if (!mask)
        return v;
    tsr_value *all = tsr_make_broadcast(b, with, NULL, v->type);
    shard_as(s, all, a);
    tsr_value *filled = tsr_make_select(b, mask, v, all);
    shard_as(s, filled, a);
    tsr_pad_note(s, filled, (tsr_type *)type);
    return filled;
}

/* Zeros along these dimensions of operand i, if it got longer. */
static bool zeros_along(tsr_padder *s, tsr_op *op, uint32_t i, const int64_t *dims, int64_t n)
{
    tsr_value *v = op->in[i].value;
    if (tsr_pad_original(s, v) == v->type || tsr_pad_kind_of(s, v) == TSR_PAD_ZERO)
        return true;
    tsr_build b = tsr_build_before(op);
    tsr_value *zero = tsr_make_zero(&b, v->type->elem);
    if (!zero)
        return tsr_op_error(op, "has elements that nothing can be padded with");
    tsr_op_set_operand(op, i, tsr_pad_fill(s, &b, v, zero, dims, n));
    return true;
}

static int64_t *numbers(tsr_padder *s, const tsr_attr *list, int64_t *n)
{
    *n = tsr_attr_count(list);
    int64_t *out = TSR_NEW_ARRAY(s->scratch, int64_t, *n + 2);
    for (int64_t i = 0; i < *n; i++)
        out[i] = tsr_attr_int_at(list, (size_t)i);
    return out;
}

/* ---- Products ---- */

static bool pad_dot_general(tsr_padder *s, tsr_op *op)
{
    enum { LHS_CONTRACTING = 2 };
    tsr_attr *const *p = op->attrs[STABLEHLO_DOT_GENERAL_dot_dimension_numbers]->attrs;
    for (uint32_t i = 0; i < 2; i++) {
        int64_t n, *dims = numbers(s, p[LHS_CONTRACTING + i], &n);
        TSR_TRY(zeros_along(s, op, i, dims, n));
    }
    return tsr_pad_generic(s, op);
}

static bool pad_dot(tsr_padder *s, tsr_op *op)
{
    int64_t last = (int64_t)op->in[0].value->type->n - 1, first = 0;
    return zeros_along(s, op, 0, &last, 1) && zeros_along(s, op, 1, &first, 1) &&
           tsr_pad_generic(s, op);
}

/* A feature dimension and the spatial ones. */
static bool zeros_along_features(tsr_padder *s, tsr_op *op, uint32_t i, const tsr_attr *feature,
                                 const tsr_attr *spatial)
{
    int64_t n, *dims = numbers(s, spatial, &n);
    dims[n] = feature->i;
    return zeros_along(s, op, i, dims, n + 1);
}

static bool pad_convolution(tsr_padder *s, tsr_op *op)
{
    enum { IN_BATCH, IN_FEATURE, IN_SPATIAL, KERNEL_IN, KERNEL_OUT, KERNEL_SPATIAL, OUT_SPATIAL = 8 };
    tsr_attr *const *p = op->attrs[STABLEHLO_CONVOLUTION_dimension_numbers]->attrs;
    TSR_TRY(zeros_along_features(s, op, 0, p[IN_FEATURE], p[IN_SPATIAL]));
    TSR_TRY(zeros_along_features(s, op, 1, p[KERNEL_IN], p[KERNEL_SPATIAL]));
    tsr_type_vec types = {0};
    bool ok = op->def->infer(op, &types) && types.n == 1;
    tsr_value *v = &op->out[0];
    tsr_type *type = ok ? tsr_hlo_with_element(types.data[0], v->type->elem) : NULL;
    tsr_vec_free(&types);
    const tsr_sharding *a = tsr_pad_sharding(s, v);
    tsr_type *want = tsr_pad_type(v->type, a);
    if (!ok || type->n != want->n)
        return false;
    int64_t n, *spatial = numbers(s, p[OUT_SPATIAL], &n);
    int64_t *dims = tsr_arena_copy(s->scratch, type->dims, type->n * sizeof *dims);
    bool cuts = false;
    for (int64_t i = 0; i < n; i++) {
        uint32_t d = (uint32_t)spatial[i];
        if (type->dims[d] < want->dims[d])
            return false; /* windows would have to go on behind the end */
        cuts |= type->dims[d] > want->dims[d];
        dims[d] = want->dims[d];
    }
    tsr_type *had = v->type;
    v->type = type;
    if (!cuts) {
        tsr_pad_note(s, v, had);
        return true;
    }
    tsr_build b = tsr_build_before(op);
    b.at = op->next;
    int64_t *none = TSR_NEW_ARRAY(s->scratch, int64_t, 2 * type->n), *ones = none + type->n;
    for (uint32_t d = 0; d < type->n; d++)
        ones[d] = 1;
    tsr_value *cut = tsr_make_slice(&b, v, none, dims, ones);
    tsr_value_replace(v, cut);
    tsr_op_set_operand(cut->op, 0, v);
    shard_as(s, cut, a);
    tsr_pad_note(s, cut, had);
    return true;
}

/* ---- Reduce ---- */

/* Along longer dimensions that are reduced stands what changes nothing. */
static bool pad_reduce(tsr_padder *s, tsr_op *op)
{
    int64_t n, *dims = numbers(s, op->attrs[STABLEHLO_REDUCE_dimensions], &n);
    bool longer = false;
    for (uint32_t i = 0; i < op->nin / 2; i++) {
        const tsr_type *type = tsr_pad_original(s, op->in[i].value);
        for (int64_t k = 0; k < n; k++)
            longer |= type->dims[dims[k]] != op->in[i].value->type->dims[dims[k]];
    }
    if (longer) {
        tsr_value *v = op->in[0].value;
        tsr_attr *identity =
            op->nin == 2
                ? tsr_reducer_identity(op->module, tsr_reducer_of(op), v->type->elem, false)
                : NULL;
        if (!identity)
            return tsr_op_error(op, "reduces a sharded dimension that its axes do not divide, and "
                                    "nothing is known that its body leaves alone");
        tsr_build b = tsr_build_before(op);
        tsr_value *with = tsr_make_constant(&b, identity);
        tsr_op_set_operand(op, 0, tsr_pad_fill(s, &b, v, with, dims, n));
    }
    return tsr_pad_generic(s, op);
}

/* ---- Slice and pad ---- */

static bool pad_slice(tsr_padder *s, tsr_op *op)
{
    tsr_value *v = &op->out[0];
    const tsr_sharding *a = tsr_pad_sharding(s, v);
    tsr_type *type = tsr_pad_type(v->type, a), *from = tsr_pad_original(s, op->in[0].value);
    if (type == v->type)
        return tsr_pad_generic(s, op);
    int64_t n, *limits = numbers(s, op->attrs[STABLEHLO_SLICE_limit_indices], &n);
    for (uint32_t d = 0; d < type->n; d++) {
        int64_t parts = a->dims[d].axes->size;
        if (type->dims[d] == v->type->dims[d])
            continue;
        if (tsr_attr_int_at(op->attrs[STABLEHLO_SLICE_start_indices], d) ||
            tsr_attr_int_at(op->attrs[STABLEHLO_SLICE_strides], d) != 1 ||
            tsr_ceil_div(from->dims[d], parts) != tsr_ceil_div(v->type->dims[d], parts))
            return tsr_op_error(op, "dimension %u is sharded, and the slice moves elements between "
                                    "devices; sdy-resolve-permutation-factors resolves that",
                                d);
        limits[d] = type->dims[d];
    }
    op->attrs[STABLEHLO_SLICE_limit_indices] = tsr_attr_i64_array(s->ctx, limits, (size_t)n);
    op->extra = NULL;
    shard_as(s, v, a);
    tsr_pad_retype(s, v, type);
    return true;
}

static bool pad_pad(tsr_padder *s, tsr_op *op)
{
    tsr_value *in = op->in[0].value, *v = &op->out[0];
    const tsr_sharding *a = tsr_pad_sharding(s, v);
    tsr_type *type = tsr_pad_type(v->type, a);
    if (!tsr_type_is(in->type, TSR_TYPE_TENSOR))
        return false;
    int64_t n, *high = TSR_NEW_ARRAY(s->scratch, int64_t, type->n + 1);
    int64_t *old = numbers(s, op->attrs[STABLEHLO_PAD_edge_padding_high], &n);
    bool less = false;
    for (uint32_t d = 0; d < type->n; d++) {
        int64_t low = tsr_attr_int_at(op->attrs[STABLEHLO_PAD_edge_padding_low], d), spread;
        int64_t interior = tsr_attr_int_at(op->attrs[STABLEHLO_PAD_interior_padding], d);
        int64_t size = in->type->dims[d];
        if (__builtin_mul_overflow(size > 1 ? size - 1 : 0, interior, &spread) ||
            __builtin_sub_overflow(type->dims[d] - size, low, &high[d]) ||
            __builtin_sub_overflow(high[d], spread, &high[d]))
            return tsr_op_error(op, "is larger than numbers here can say");
        less |= high[d] < old[d];
    }
    if (less) { /* added elements of the operand stand where padding stood */
        tsr_build b = tsr_build_before(op);
        tsr_op_set_operand(op, 0, tsr_pad_fill(s, &b, in, op->in[1].value, NULL, -1));
    }
    op->attrs[STABLEHLO_PAD_edge_padding_high] = tsr_attr_i64_array(s->ctx, high, type->n);
    op->extra = NULL;
    shard_as(s, v, a);
    tsr_pad_retype(s, v, type);
    return true;
}

/* ---- Constants ---- */

/* The value with zeros in added elements. */
static tsr_attr *longer_value(tsr_padder *s, tsr_module *m, const tsr_attr *value, tsr_type *type)
{
    uint32_t size = tsr_type_storage_bits(type->elem) / 8;
    const tsr_type *old = value->type;
    int64_t all = tsr_type_num_elements(type), n = tsr_type_num_elements(old);
    if (!tsr_attr_is(value, TSR_ATTR_DENSE) || !size || all < 0)
        return NULL;
    if (value->sub)
        return tsr_attr_dense(s->ctx, m, type, value->s.data, value->s.len, true);
    if (all > INT64_MAX / size || (uint64_t)n * size != value->s.len)
        return NULL;
    char *bytes = tsr_xmalloc((size_t)all * size + 1);
    memset(bytes, 0, (size_t)all * size);
    for (int64_t i = 0; i < n; i++) {
        int64_t at = 0, rest = i, stride = 1;
        for (uint32_t d = old->n; d-- > 0;) {
            at += rest % old->dims[d] * stride;
            rest /= old->dims[d];
            stride *= type->dims[d];
        }
        memcpy(bytes + at * size, value->s.data + i * size, size);
    }
    tsr_attr *longer = tsr_attr_dense(s->ctx, m, type, bytes, (size_t)all * size, false);
    free(bytes);
    return longer;
}

static bool pad_constant(tsr_padder *s, tsr_op *op)
{
    tsr_value *v = &op->out[0];
    tsr_type *type = tsr_pad_type(v->type, tsr_pad_sharding(s, v));
    tsr_attr *value = longer_value(s, op->module, op->attrs[0], type);
    if (!value)
        return false;
    op->attrs[0] = value;
    tsr_pad_retype(s, v, type);
    return true;
}

/* ---- All ops ---- */

typedef enum { LEGAL_IF_ALL_ARE, LEGAL_IF_OPERANDS_ARE, LEGAL_IF_RESULT_FITS } legality;

/* Ops that are not here, and not of the functions, are generic. */
static const struct {
    tsr_pad_fn *fn;
    legality legal;
} pad_of[TSR_OP__COUNT] = {
    [TSR_OP_SDY_ALL_GATHER] = {pad_all_gather, LEGAL_IF_OPERANDS_ARE},
    [TSR_OP_SDY_ALL_SLICE] = {pad_scatter, LEGAL_IF_RESULT_FITS},
    [TSR_OP_SDY_ALL_TO_ALL] = {pad_all_to_all, LEGAL_IF_ALL_ARE},
    [TSR_OP_SDY_CONSTANT] = {pad_constant, LEGAL_IF_ALL_ARE},
    [TSR_OP_SDY_REDUCE_SCATTER] = {pad_scatter, LEGAL_IF_RESULT_FITS},
    [TSR_OP_STABLEHLO_CONSTANT] = {pad_constant, LEGAL_IF_ALL_ARE},
    [TSR_OP_STABLEHLO_CONVOLUTION] = {pad_convolution, LEGAL_IF_ALL_ARE},
    [TSR_OP_STABLEHLO_DOT] = {pad_dot, LEGAL_IF_ALL_ARE},
    [TSR_OP_STABLEHLO_DOT_GENERAL] = {pad_dot_general, LEGAL_IF_ALL_ARE},
    [TSR_OP_STABLEHLO_PAD] = {pad_pad, LEGAL_IF_ALL_ARE},
    [TSR_OP_STABLEHLO_REDUCE] = {pad_reduce, LEGAL_IF_ALL_ARE},
    [TSR_OP_STABLEHLO_SLICE] = {pad_slice, LEGAL_IF_ALL_ARE},
};

/* Ops whose operands cannot get longer: what they say of types stands elsewhere. */
static bool is_fixed(const tsr_op *op)
{
    switch (op->def->opcode) {
    case TSR_OP_FUNC_RETURN:
    case TSR_OP_FUNC_CALL:
    case TSR_OP_SDY_MANUAL_COMPUTATION: return true;
    default: return false;
    }
}

static bool pad_op(tsr_padder *s, tsr_op *op)
{
    uint16_t opcode = op->def->opcode;
    tsr_pad_fn *fn = opcode < TSR_OP__COUNT ? pad_of[opcode].fn : NULL;
    legality legal = fn ? pad_of[opcode].legal : LEGAL_IF_ALL_ARE;
    if (legal == LEGAL_IF_RESULT_FITS) {
        tsr_type *type = tsr_pad_original(s, op->in[0].value);
        if (tsr_pad_type(type, tsr_pad_sharding(s, &op->out[0])) == type)
            return true;
    } else if (operands_legal(s, op) &&
               (legal == LEGAL_IF_OPERANDS_ARE || results_legal(s, op))) {
        return true;
    }
    if (is_fixed(op))
        return tsr_op_error(op, "has a tensor with a dimension that the axes on it do not divide, "
                                "and cannot be padded");
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
        next = tsr_walk_next(root, op); /* what is put behind op is as it should be */
        ok = pad_op(&s, op);
    }
    tsr_map_free(&s.values);
    tsr_shardings_free(&s.table);
    p->changed = true;
    p->module->verified = false;
    return ok;
}
