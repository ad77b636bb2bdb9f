/* SPDX-License-Identifier: Apache-2.0 */
/* quant.c - runs float kernels on quantized tensors.
 *
 * The kernel gets a copy of the op whose quantized types are replaced by their expressed types. Regions are shared: ops
 * with regions never run this way, but the ops in their bodies do. */
#include "eval/kernel/quant.h"

#include <stdlib.h>

#include "dialect/builtin/quant.h"
#include "eval/kernel/pointwise.h"

static bool has_quantized(const tsr_type *t)
{
    return t->kind == TSR_TYPE_TENSOR && tsr_is_quantized(t->elem);
}

bool tsr_op_is_quantized(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (has_quantized(op->in[i].value->type))
            return true;
    for (uint32_t i = 0; i < op->nout; i++)
        if (has_quantized(op->out[i].type))
            return true;
    return false;
}

/* What the row says about quantized values; most rows say nothing. */
enum { BY_TRAITS, COMPUTES, MOVES, SELECTS };
static const struct {
    uint8_t how;
} column[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define QUANTIZED(word) .how = word,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

bool tsr_computes_quantized(const tsr_op *op)
{
    int how = op->def->opcode < TSR_OP__COUNT ? column[op->def->opcode].how : BY_TRAITS;
    if (how == SELECTS) /* it moves stored integers, unless their parameters differ */
        return op->in[1].value->type->elem != op->out[0].type->elem ||
               op->in[2].value->type->elem != op->out[0].type->elem;
    if (how != BY_TRAITS)
        return how == COMPUTES;
    return !op->nregion && !tsr_op_has(op, TSR_TRAIT(CONSTANT_LIKE)) &&
           (tsr_op_has(op, TSR_TRAIT(ELEMENTWISE)) ||
            tsr_op_has(op, TSR_TRAIT(BROADCASTING_ELEMENTWISE)) ||
            tsr_op_has(op, TSR_TRAIT(TT_QUANTIZABLE)));
}

/* The type with its quantized elements replaced by their expressed type; NULL if it is unknown. It is built in room:
 * runs do not intern, since other threads read the context. */
static tsr_type *expressed(tsr_type *t, tsr_type *room)
{
    if (!has_quantized(t))
        return t;
    const tsr_attr *to = t->elem->params[QUANT_expressed];
    *room = *t;
    room->elem = to ? to->type : NULL;
    room->attr = NULL;
    room->text = TSR_STR("");
    return to ? room : NULL;
}

/* The operands and op that the kernel gets. */
typedef struct {
    tsr_op op;
    tsr_use *uses;
    tsr_value *operands, *results;
    tsr_type *types;
    tsr_tensor **in, **out;
} view;

static void view_free(view *v, uint32_t nin)
{
    for (uint32_t i = 0; v->in && i < nin; i++)
        tsr_tensor_unref(v->in[i]);
    tsr_free(v->uses);
    tsr_free(v->operands);
    tsr_free(v->results);
    tsr_free(v->types);
    tsr_free(v->in);
    tsr_free(v->out);
}

static bool view_init(view *v, tsr_call *c)
{
    uint32_t nin = c->op->nin, nout = c->op->nout;
    *v = (view){.op = *c->op};
    v->uses = tsr_calloc(nin + 1u, sizeof *v->uses);
    v->operands = tsr_calloc(nin + 1u, sizeof *v->operands);
    v->results = tsr_calloc(nout + 1u, sizeof *v->results);
    v->types = tsr_calloc(nin + nout + 1u, sizeof *v->types);
    v->in = tsr_calloc(nin + 1u, sizeof *v->in);
    v->out = tsr_calloc(nout + 1u, sizeof *v->out);
    if (!v->uses || !v->operands || !v->results || !v->types || !v->in || !v->out)
        return tsr_fail_memory(c, "quantized operands");
    bool known = true;
    for (uint32_t i = 0; known && i < nin; i++) {
        v->operands[i] = *c->op->in[i].value;
        v->uses[i] = c->op->in[i];
        v->uses[i].value = &v->operands[i];
        v->operands[i].type = expressed(v->operands[i].type, &v->types[i]);
        known = v->operands[i].type != NULL;
    }
    for (uint32_t i = 0; known && i < nout; i++) {
        v->results[i] = c->op->out[i];
        v->results[i].type = expressed(v->results[i].type, &v->types[nin + i]);
        known = v->results[i].type != NULL;
    }
    if (!known)
        return tsr_fail(c, "has a quantized type that expresses nothing");
    v->op.in = v->uses;
    v->op.out = v->results;
    for (uint32_t i = 0; i < nin; i++) {
        bool quantized = c->in[i]->kind == TSR_TENSOR && tsr_is_quantized(c->in[i]->elem);
        v->in[i] = quantized ? tsr_dequantize(c->in[i]) : tsr_tensor_ref(c->in[i]);
        if (!v->in[i])
            return tsr_fail(c, "has an operand whose quantization does not fit its shape");
    }
    return true;
}

/* Converts the kernel's result to the op's. */
static bool give_back(tsr_call *c, view *v, uint32_t i)
{
    tsr_tensor *from = v->out[i];
    tsr_type *type = c->op->out[i].type;
    if (!from || !has_quantized(type)) {
        c->out[i] = from;
        return true;
    }
    tsr_tensor *to = tsr_call_new(c, i, from->dims, from->rank);
    bool ok = to && tsr_quantize_into(to, from);
    if (to && !ok)
        tsr_fail(c, "has a result whose quantization does not fit its shape");
    tsr_tensor_unref(from);
    return ok;
}

bool tsr_eval_quantized(tsr_call *c, eval_fn *kernel)
{
    if (!tsr_computes_quantized(c->op) || !tsr_op_is_quantized(c->op))
        return kernel(c);
    view v;
    bool ok = view_init(&v, c);
    if (ok) {
        /* Operands are new and owned here: none dies in the frame. */
        tsr_call inner = {
            .e = c->e, .op = &v.op, .in = v.in, .out = v.out, .frame = c->frame, .batch = c->batch};
        ok = kernel(&inner);
        for (uint32_t i = 0; i < c->op->nout; i++) {
            if (ok)
                ok = give_back(c, &v, i);
            else
                tsr_tensor_unref(v.out[i]);
        }
    }
    view_free(&v, c->op->nin);
    return ok;
}
