/* random.c - random inputs by seed, legal for the program.
 *
 * A worklist follows the argument forward, from value to value, through everything that hands values on; each use on the
 * way that indexes narrows the range. */
#include "eval/random.h"

#include <math.h>
#include <stdlib.h>

#include "dialect/builtin/quant.h"
#include "dialect/dialect.h"
#include "dialect/params.h"
#include "dialect/ttcore/ttcore.h"

/* ---- Where an argument goes ---- */

typedef struct {
    const tsr_op *op, *callee;
} call;

typedef struct {
    tsr_module *m;
    tsr_map seen; /* values */
    tsr_value_vec work;
    bool knows_calls;    /* they are looked for when the first value is returned */
    TSR_VEC(call) calls; /* all ops of the module that name a callee */
    tsr_symtab symbols;  /* of the module, once a name is asked for */
    tsr_range range;
    bool floats; /* what is followed are floats, and negative ones are what matters */
    bool above_zero;
} flow;

/* The rows' own words: which operands result 0 is made of (CARRIES), and which index (INDEXES), by groups of operands. */
enum { ALL = 255 };
static const struct {
    uint8_t from;
} carriers[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define CARRIES(bits) .from = bits,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

/* 1 + the operand of which negative numbers have no result (ABOVE_ZERO). */
static const struct {
    uint8_t operand;
} roots[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define ABOVE_ZERO(i) .operand = 1 + (i),
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

enum { NINDEX = 3, BY_ATTR = 100 }; /* BY_ATTR: the dimension is in an attribute */
typedef struct {
    uint8_t used; /* 1; 0: no more */
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

/* Ops that hand operand i on as result i. */
static bool passes_through(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_STABLEHLO_OPTIMIZATION_BARRIER) ||
           tsr_op_is(op, TSR_OP_TTCORE_OPTIMIZATION_BARRIER) ||
           tsr_op_is(op, TSR_OP_STABLEHLO_SORT) || tsr_op_is(op, TSR_OP_STABLEHLO_WHILE);
}

static bool is_seen(const flow *f, const tsr_value *v)
{
    TSR_MAP_EACH (&f->seen, tsr_hash_ptr(v), x)
        if (x == v)
            return true;
    return false;
}

static void visit(flow *f, tsr_value *v)
{
    if (is_seen(f, v) || !tsr_type_is(v->type, TSR_TYPE_TENSOR) ||
        tsr_dtype_is_int(tsr_dtype_of(v->type->elem)) == f->floats)
        return;
    tsr_map_put(&f->seen, tsr_hash_ptr(v), (void *)v);
    tsr_vec_push(&f->work, v);
}

static void limit(flow *f, int64_t least, int64_t most)
{
    if (most < least)
        most = least;
    if (!f->range.limited)
        f->range = (tsr_range){least, most, true};
    f->range.least = least > f->range.least ? least : f->range.least;
    f->range.most = most < f->range.most ? most : f->range.most;
    if (f->range.most <
        f->range.least) /* uses that contradict each other: the smaller bound is safe more often */
        f->range.least = f->range.most;
}

/* ---- Uses that index ---- */

static bool is_static(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_TENSOR) && tsr_type_has_static_shape(t);
}

/* Indices of dimension d of a type may go up to its size less that of the window. */
static void limit_dim(flow *f, const tsr_type *whole, int64_t d, int64_t window)
{
    if (d >= 0 && d < (int64_t)whole->n)
        limit(f, 0, whole->dims[d] - window);
}

static void limit_gather(flow *f, const tsr_op *op)
{
    tsr_gather g;
    const tsr_type *whole = op->in[0].value->type;
    tsr_gather_of(op, &g);
    if (!is_static(whole) || g.sizes.n != whole->n)
        return;
    for (uint32_t i = 0; i < g.map.n; i++) {
        int64_t d = tsr_ints_at(g.map, i);
        if (d >= 0 && d < (int64_t)whole->n)
            limit_dim(f, whole, d, tsr_ints_at(g.sizes, (size_t)d));
    }
}

static void limit_scatter(flow *f, const tsr_op *op)
{
    tsr_gather g;
    uint32_t n = (op->nin - 1) / 2, k = 0;
    const tsr_type *whole = op->in[0].value->type, *part = op->in[n + 1].value->type;
    if (!is_static(whole) || !is_static(part))
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
            limit_dim(f, whole, d, d < (int64_t)whole->n ? window[d] : 1);
    }
}

/* The size of the iota that a value is, through what only moves it; 0 when it is none. */
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

/* The type of the one operand of a group; NULL when it is not there. */
static const tsr_type *group_type(const tsr_op *op, size_t group)
{
    uint32_t start, n;
    return tsr_op_operand_group(op, group, &start, &n) && n ? op->in[start].value->type : NULL;
}

/* A dimension in an attribute; or several, with sizes of windows, as StableHLO has them. */
static void limit_by_attr(flow *f, const tsr_op *op, const tsr_type *whole)
{
    const tsr_attr *dim = tsr_op_attr(op, TSR_STR("dim")),
                   *map = tsr_op_attr(op, TSR_STR("start_index_map"));
    const tsr_attr *sizes = tsr_op_attr(op, TSR_STR("slice_sizes"));
    if (tsr_attr_is(dim, TSR_ATTR_INT))
        limit_dim(f, whole, dim->i < 0 ? dim->i + whole->n : dim->i, 1);
    for (int64_t i = 0; map && sizes && i < tsr_attr_count(map); i++) {
        int64_t d = tsr_attr_int_at(map, (size_t)i);
        if (d >= 0 && d < tsr_attr_count(sizes))
            limit_dim(f, whole, d, tsr_attr_int_at(sizes, (size_t)d));
    }
}

static void limit_by_row(flow *f, const tsr_op *op, uint32_t i)
{
    if (op->def->opcode == TSR_UNREGISTERED)
        return;
    const index_use *uses = index_uses[op->def->opcode];
    for (size_t k = 0; k < NINDEX && uses[k].used; k++) {
        uint32_t start, n;
        if (!tsr_op_operand_group(op, uses[k].operand, &start, &n) || !n || start != i)
            continue;
        const tsr_type *whole = group_type(op, uses[k].of);
        if (!whole || !is_static(whole))
            continue;
        if (uses[k].dim == BY_ATTR)
            limit_by_attr(f, op, whole);
        else
            limit_dim(f, whole, uses[k].dim < 0 ? uses[k].dim + (int64_t)whole->n : uses[k].dim, 1);
    }
}

/* Operand i of op is the value in hand: what that says about it. */
static void limit_use(flow *f, const tsr_op *op, uint32_t i)
{
    const tsr_type *whole = op->in[0].value->type;
    const tsr_type *type = op->in[i].value->type;
    if (tsr_op_has(op, TSR_TRAIT(DIVIDES)) && i == 1)
        limit(f, 1, 8);
    switch (op->def->opcode) {
    case TSR_OP_STABLEHLO_GATHER:
        if (i == 1)
            limit_gather(f, op);
        break;
    case TSR_OP_STABLEHLO_SCATTER:
        if (i == (op->nin - 1) / 2)
            limit_scatter(f, op);
        break;
    case TSR_OP_STABLEHLO_DYNAMIC_SLICE: {
        const tsr_attr *sizes = tsr_attr_of(op, STABLEHLO_DYNAMIC_SLICE_slice_sizes);
        if (i >= 1 && is_static(whole) && sizes && i - 1 < tsr_attr_count(sizes))
            limit_dim(f, whole, i - 1, tsr_attr_int_at(sizes, i - 1));
        break;
    }
    case TSR_OP_STABLEHLO_DYNAMIC_UPDATE_SLICE: {
        const tsr_type *update = op->in[1].value->type;
        if (i >= 2 && is_static(whole) && is_static(update) && i - 2 < update->n)
            limit_dim(f, whole, i - 2, update->dims[i - 2]);
        break;
    }
    case TSR_OP_STABLEHLO_COMPARE: {
        int64_t n = iota_size(op->in[i ? 0 : 1].value);
        if (n)
            limit(f, 0, n - 1);
        break;
    }
    case TSR_OP_STABLEHLO_SHIFT_LEFT:
    case TSR_OP_STABLEHLO_SHIFT_RIGHT_ARITHMETIC:
    case TSR_OP_STABLEHLO_SHIFT_RIGHT_LOGICAL:
        if (i == 1)
            limit(f, 0, (int64_t)tsr_dtype_bits(tsr_dtype_of(type->elem)) - 1);
        break;
    default: break;
    }
}

/* ---- Following ---- */

static void visit_block_arg(flow *f, const tsr_region *r, uint32_t i)
{
    if (r->first && i < r->first->nargs)
        visit(f, r->first->args[i]);
}

static const tsr_op *callee_of(flow *f, const tsr_op *op)
{
    const tsr_attr *name = tsr_op_attr(op, TSR_STR("callee"));
    if (!name)
        name = tsr_op_attr(op, TSR_STR("decomposition"));
    if (!tsr_attr_is(name, TSR_ATTR_SYMBOL))
        return NULL;
    if (name->n || tsr_symbol_table_of(op) != f->m->op)
        return tsr_symbol_resolve(op, name);
    if (!f->symbols.op)
        tsr_symtab_init(&f->symbols, f->m->op);
    return tsr_symtab_find(&f->symbols, name->s);
}

static void find_calls(flow *f)
{
    if (f->knows_calls)
        return;
    f->knows_calls = true;
    TSR_OPS (f->m->op, op) {
        const tsr_op *callee = tsr_op_has(op, TSR_TRAIT(TERMINATOR)) ? NULL : callee_of(f, op);
        if (callee)
            tsr_vec_push(&f->calls, (call){op, callee});
    }
}

/* A value that a region gives: to its parent's results, or to the results of all calls. */
static void visit_returned(flow *f, const tsr_op *ret, uint32_t i)
{
    const tsr_op *parent = tsr_block_parent(ret->block);
    if (!parent)
        return;
    if (tsr_op_has(parent, TSR_TRAIT(FUNCTION))) {
        find_calls(f);
        for (size_t k = 0; k < f->calls.n; k++)
            if (f->calls.data[k].callee == parent && i < f->calls.data[k].op->nout)
                visit(f, &f->calls.data[k].op->out[i]);
        return;
    }
    bool loop = tsr_op_is(parent, TSR_OP_STABLEHLO_WHILE);
    bool branch =
        tsr_op_is(parent, TSR_OP_STABLEHLO_IF) || tsr_op_is(parent, TSR_OP_STABLEHLO_CASE);
    if ((loop || branch) && i < parent->nout)
        visit(f, &parent->out[i]);
    for (uint32_t r = 0; loop && ret->block->region == &parent->regions[1] && r < parent->nregion;
         r++)
        visit_block_arg(f, &parent->regions[r], i);
}

static void follow_use(flow *f, const tsr_op *op, uint32_t i)
{
    if (f->floats) {
        /* A root of a * x + b is one of a and of b, too. */
        if (op->def->opcode != TSR_UNREGISTERED && roots[op->def->opcode].operand == i + 1)
            f->above_zero = true;
        if (tsr_op_is(op, TSR_OP_TTIR_ADD) || tsr_op_is(op, TSR_OP_TTIR_MULTIPLY))
            visit(f, &op->out[0]);
    } else {
        limit_use(f, op, i);
        limit_by_row(f, op, i);
    }
    if (op->def->opcode != TSR_UNREGISTERED && op->nout &&
        (tsr_op_has(op, TSR_TRAIT(TT_MOVES)) || carriers[op->def->opcode].from == ALL ||
         (i < 8 && carriers[op->def->opcode].from >> i & 1)))
        visit(f, &op->out[0]);
    if (passes_through(op) && i < op->nout)
        visit(f, &op->out[i]);
    if (tsr_op_is(op, TSR_OP_STABLEHLO_WHILE) || tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION))
        for (uint32_t r = 0; r < op->nregion; r++)
            visit_block_arg(f, &op->regions[r], i);
    const tsr_op *callee = tsr_op_has(op, TSR_TRAIT(TERMINATOR)) ? NULL : callee_of(f, op);
    if (callee && callee->nregion)
        visit_block_arg(f, &callee->regions[0], i);
    if (tsr_op_has(op, TSR_TRAIT(TERMINATOR)))
        visit_returned(f, op, i);
}

/* Follows argument i of func. */
static flow follow(tsr_module *m, const tsr_op *func, size_t i, bool floats)
{
    flow f = {.m = m, .floats = floats};
    const tsr_block *body = func->nregion ? func->regions[0].first : NULL;
    if (!body || i >= body->nargs)
        return f;
    visit(&f, body->args[i]);
    while (f.work.n) {
        const tsr_value *v = f.work.data[--f.work.n];
        for (const tsr_use *u = v->uses; u; u = u->next)
            follow_use(&f, u->user, (uint32_t)(u - u->user->in));
    }
    tsr_vec_free(&f.work);
    tsr_vec_free(&f.calls);
    tsr_map_free(&f.seen);
    tsr_symtab_free(&f.symbols);
    return f;
}

tsr_range tsr_random_range(tsr_module *m, const tsr_op *func, size_t i)
{
    return follow(m, func, i, false).range;
}

/* ---- Numbers ---- */

static inline uint64_t mix(uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

/* Bits number k of a stream. */
static inline uint64_t bits_at(uint64_t stream, uint64_t k)
{
    return mix(stream ^ mix(k));
}

static int64_t int_at(uint64_t stream, uint64_t k, int64_t least, int64_t most)
{
    uint64_t n = (uint64_t)most - (uint64_t)least + 1;
    uint64_t r = bits_at(stream, k);
    /* The high bits times the count: even enough for counts far below 2^32. */
    uint64_t x = n == 0 ? r : n >> 32 ? r % n : (r >> 32) * n >> 32;
    return (int64_t)((uint64_t)least + x);
}

static double unit_at(uint64_t stream, uint64_t k)
{
    return (double)((int64_t)(bits_at(stream, k) >> 39) - (1 << 24)) *
           0x1p-24; /* 25 bits: [-1, 1) */
}

/* What integers of this type may be at all. */
static tsr_range whole_range(tsr_dtype d)
{
    uint32_t bits = tsr_dtype_bits(d);
    if (d == TSR_D_I1)
        return (tsr_range){0, 1, false};
    if (tsr_dtype_kind(d) == TSR_K_UINT)
        return (tsr_range){0, bits >= 63 ? INT64_MAX : ((int64_t)1 << bits) - 1, false};
    return (tsr_range){bits == 64 ? INT64_MIN : -((int64_t)1 << (bits - 1)),
                       bits == 64 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1, false};
}

static tsr_range meet(tsr_range a, tsr_range b)
{
    int64_t least = a.least > b.least ? a.least : b.least, most = a.most < b.most ? a.most : b.most;
    return (tsr_range){least, most < least ? least : most, a.limited};
}

static void fill_ints(tsr_tensor *t, uint64_t stream, tsr_range r)
{
    for (int64_t i = 0; i < t->n; i++)
        tsr_set_int(t, i, int_at(stream, (uint64_t)i, r.least, r.most));
}

/* Weights of a model: so large that a layer's sums are about as large as its inputs, a power of two. Without it deep models
 * have nothing but infinities. */
static float weight_scale(const tsr_op *func, size_t i, const tsr_type *type)
{
    const tsr_attr *dicts = tsr_op_attr(func, TSR_STR("arg_attrs"));
    const tsr_attr *kind = dicts && i < dicts->n
                               ? tsr_dict_get(dicts->attrs[i], TSR_STR("ttcore.argument_type"))
                               : NULL;
    if (!kind || kind->i != TSR_TT_PARAMETER || type->n < 2)
        return 1;
    double sums =
        1; /* the first dimension is the outputs', or the inputs' of a matrix: of about the same size */
    for (uint32_t d = 1; d < type->n; d++)
        sums *= (double)type->dims[d];
    return sums > 1 ? ldexpf(1, -(int)lrint(log2(sums) / 2)) : 1;
}

static void fill_floats(tsr_tensor *t, uint64_t stream, bool above_zero, float most)
{
    enum { CHUNK = 512 };
    float row[CHUNK]; /* holds all of them exactly */
    size_t size = tsr_dtype_bytes((tsr_dtype)t->dtype);
    bool scale = t->dtype == TSR_D_F8E8M0FNU, complex = tsr_dtype_is_complex((tsr_dtype)t->dtype);
    for (int64_t i = 0; complex && i < t->n; i++) {
        uint64_t k = (uint64_t)i;
        tsr_set_complex(t, i, (tsr_complex){unit_at(stream, 2 * k), unit_at(stream, 2 * k + 1)});
    }
    for (int64_t at = 0; !complex && at < t->n; at += CHUNK) {
        int64_t n = t->n - at < CHUNK ? t->n - at : CHUNK;
        for (int64_t i = 0; !scale && i < n; i++)
            row[i] = (float)((int32_t)(bits_at(stream, (uint64_t)(at + i)) >> 39) - (1 << 24)) *
                     0x1p-24f * most;
        for (int64_t i = 0; scale && i < n; i++)
            row[i] = (float)ldexp(1, (int)int_at(stream, (uint64_t)(at + i), -2, 2));
        for (int64_t i = 0; above_zero && i < n; i++)
            row[i] = fabsf(row[i]);
        tsr_convert((tsr_dtype)t->dtype, (char *)t->data + (size_t)at * size, TSR_D_F32, row, n);
    }
}

tsr_tensor *tsr_random_input(tsr_module *m, const tsr_op *func, size_t i, uint64_t seed,
                             tsr_status *status)
{
    const tsr_block *body = func->nregion ? func->regions[0].first : NULL;
    return tsr_random_input_as(m, func, i, body && i < body->nargs ? body->args[i]->type : NULL,
                               seed, status);
}

tsr_tensor *tsr_random_input_as(tsr_module *m, const tsr_op *func, size_t i, const tsr_type *type,
                                uint64_t seed, tsr_status *status)
{
    if (!type || !is_static(type) || tsr_dtype_of(type->elem) == TSR_D_NONE) {
        tsr_status_set(
            status, TSR_BAD_INPUT,
            "input %zu is not a tensor of a static shape: there are no random values for it", i);
        return NULL;
    }
    tsr_tensor *t = tsr_tensor_new(type->elem, type->dims, type->n);
    if (!t) {
        tsr_status_set(status, TSR_ENVIRONMENT, "no memory for input %zu%s", i,
                       tsr_memory_reason().text);
        return NULL;
    }
    tsr_dtype d = (tsr_dtype)t->dtype;
    uint64_t stream = mix(mix(seed) + i);
    if (!tsr_dtype_is_int(d)) {
        fill_floats(t, stream, follow(m, func, i, true).above_zero, weight_scale(func, i, type));
    } else if (type->elem->kind == TSR_TYPE_DIALECT) {
        fill_ints(
            t, stream,
            (tsr_range){type->elem->params[QUANT_min]->i, type->elem->params[QUANT_max]->i, true});
    } else {
        tsr_range r = tsr_random_range(m, func, i);
        if (!r.limited)
            r = tsr_dtype_kind(d) == TSR_K_UINT ? (tsr_range){0, 15, false}
                                                : (tsr_range){-8, 8, false};
        fill_ints(t, stream, meet(r, whole_range(d)));
    }
    return t;
}
