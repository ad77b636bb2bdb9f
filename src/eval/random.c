/* SPDX-License-Identifier: Apache-2.0 */
/* random.c - random inputs by seed, valid for the program.
 *
 * A worklist follows the argument forward, from value to value, through all ops that pass values on; each use as an
 * index narrows the range. */
#include "eval/random.h"

#include <math.h>
#include <stdlib.h>

#include "dialect/builtin/quant.h"
#include "dialect/kinds.h"
#include "dialect/ttcore/ttcore.h"
#include "dialect/ttnn/view.h"
#include "eval/eval.h"
#include "eval/range.h"

/* ---- Following an argument ---- */

typedef struct {
    const tsr_op *op, *callee;
} call;

typedef struct {
    tsr_module *m;
    const tsr_op *func; /* that runs */
    tsr_map seen;       /* values */
    tsr_value_vec work;
    bool knows_calls;    /* calls are collected when the first returned value is found */
    TSR_VEC(call) calls; /* all ops of the module that name a callee */
    tsr_symtab symbols;  /* of the module, once a name is looked up */
    tsr_range range;
    bool floats; /* follows floats, to find uses that must not be negative */
    bool above_zero;
} flow;

/* 1 + the operand that must not be negative (ABOVE_ZERO), or 1 + ALL. */
enum { ALL = 255 };
static const struct {
    uint16_t operand;
} roots[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define ABOVE_ZERO(i) .operand = 1 + (i),
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

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

/* ---- Following ---- */

static void visit_block_arg(flow *f, const tsr_region *r, uint32_t i)
{
    if (r->first && i < r->first->nargs)
        visit(f, r->first->args[i]);
}

static const tsr_op *named(flow *f, const tsr_op *op, const tsr_attr *name)
{
    if (name->n || tsr_symbol_table_of(op) != f->m->op)
        return tsr_symbol_resolve(op, name);
    if (!f->symbols.op)
        tsr_symtab_init(&f->symbols, f->m->op);
    return tsr_symtab_find(&f->symbols, name->s);
}

static const tsr_op *callee_of(flow *f, const tsr_op *op)
{
    const tsr_attr *name = tsr_op_attr(op, TSR_STR("callee"));
    if (!name)
        name = tsr_op_attr(op, TSR_STR("decomposition"));
    if (!tsr_attr_is(name, TSR_ATTR_SYMBOL))
        return NULL;
    const tsr_op *callee = named(f, op, name);
    bool declared = callee && tsr_op_has(callee, TSR_TRAIT(FUNCTION)) && callee->nregion &&
                    !callee->regions[0].first;
    return declared ? tsr_host_function(f->m->op, name->s) : callee;
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

/* A value that a region returns: continues with its parent's results, or with the results of all calls. */
static void visit_returned(flow *f, const tsr_op *ret, uint32_t i)
{
    const tsr_op *parent = tsr_block_parent(ret->block);
    if (!parent)
        return;
    if (parent == f->func) /* whatever else calls it does not run */
        return;
    if (tsr_op_has(parent, TSR_TRAIT(FUNCTION))) {
        find_calls(f);
        for (size_t k = 0; k < f->calls.n; k++)
            if (f->calls.data[k].callee == parent && i < f->calls.data[k].op->nout)
                visit(f, &f->calls.data[k].op->out[i]);
        return;
    }
    tsr_flow_kind kind = tsr_flow_of(parent);
    bool loop = kind == TSR_FLOW_LOOP;
    bool branch = kind == TSR_FLOW_BRANCHES || kind == TSR_FLOW_CHOICE;
    if ((loop || branch) && i < parent->nout)
        visit(f, &parent->out[i]);
    for (uint32_t r = 0; loop && ret->block->region == &parent->regions[1] && r < parent->nregion;
         r++)
        visit_block_arg(f, &parent->regions[r], i);
}

static void follow_use(flow *f, const tsr_op *op, uint32_t i)
{
    bool known = op->def->opcode != TSR_UNREGISTERED;
    enum tsr_opcode row = known ? tsr_row_of_values(op) : (enum tsr_opcode)0;
    uint16_t root = known ? roots[row].operand : 0;
    uint16_t from = known ? tsr_kinds_of_opcode[row].carries : 0;
    if (f->floats) {
        f->above_zero |= root == i + 1;
        if (root == 1 + ALL) /* a root of a * x + b constrains a and b too */
            visit(f, &op->out[0]);
    } else {
        tsr_range_use(&f->range, op, i);
    }
    if (op->nout && (tsr_op_means_trait(op, TSR_TRAIT(TT_MOVES)) || from == TSR_CARRIES_ALL ||
                     (i < 8 && from >> i & 1)))
        visit(f, &op->out[0]);
    if (from == TSR_CARRIES_PAIRS && i < op->nout)
        visit(f, &op->out[i]);
    tsr_flow_kind kind = tsr_flow_of(op);
    if (kind == TSR_FLOW_LOOP || kind == TSR_FLOW_MANUAL)
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
    flow f = {.m = m, .func = func, .floats = floats};
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
    /* The high bits times the count: uniform enough for counts far below 2^32. */
    uint64_t x = n == 0 ? r : n >> 32 ? r % n : (r >> 32) * n >> 32;
    return (int64_t)((uint64_t)least + x);
}

static double unit_at(uint64_t stream, uint64_t k)
{
    return (double)((int64_t)(bits_at(stream, k) >> 39) - (1 << 24)) *
           0x1p-24; /* 25 bits: [-1, 1) */
}

/* The full range of integers of this type. */
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

/* Weights of a model: a power of two such that a layer's sums are about as large as its inputs. Without it deep models
 * would overflow to infinity. */
static float weight_scale(const tsr_op *func, size_t i, const tsr_type *type)
{
    const tsr_attr *dicts = tsr_op_attr(func, TSR_STR("arg_attrs"));
    const tsr_attr *kind = dicts && i < dicts->n
                               ? tsr_dict_get(dicts->attrs[i], TSR_STR("ttcore.argument_type"))
                               : NULL;
    if (!kind || kind->i != TSR_TT_PARAMETER || type->n < 2)
        return 1;
    double sums =
        1; /* the first dimension is that of the outputs, or of a matrix's inputs: of similar size */
    for (uint32_t d = 1; d < type->n; d++)
        sums *= (double)type->dims[d];
    return sums > 1 ? ldexpf(1, -(int)lrint(log2(sums) / 2)) : 1;
}

static void fill_floats(tsr_tensor *t, uint64_t stream, bool above_zero, float most)
{
    enum { CHUNK = 512 };
    float row[CHUNK]; /* represents all of them exactly */
    size_t size = tsr_dtype_bytes((tsr_dtype)t->dtype);
    bool scale = t->dtype == TSR_D_F8E8M0FNU,
         is_complex = tsr_dtype_is_complex((tsr_dtype)t->dtype);
    for (int64_t i = 0; is_complex && i < t->n; i++) {
        uint64_t k = (uint64_t)i;
        tsr_set_complex(t, i, (tsr_complex){unit_at(stream, 2 * k), unit_at(stream, 2 * k + 1)});
    }
    for (int64_t at = 0; !is_complex && at < t->n; at += CHUNK) {
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
    if (!type || !tsr_type_is(type, TSR_TYPE_TENSOR) || !tsr_type_has_static_shape(type) ||
        tsr_dtype_of(type->elem) == TSR_D_NONE) {
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
