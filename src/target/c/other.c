/* SPDX-License-Identifier: Apache-2.0 */
/* other.c - emits ops that run on the evaluator's kernels, if the kernel is a loop with a defined order: reductions of
 * narrow floats, batch normalization, and ops that return their operand; and checks of cache positions. */
#include "base/float.h"
#include "exec/compile/value.h"
#include "target/c/writer.h"

typedef struct {
    tsr_c_function f;
    const tsr_node *n;
} other;

static const tsr_xvalue *value(const other *o, tsr_xid v)
{
    return &o->f.w->p->values.data[v];
}

/* A typed pointer to a value that is contiguous; NULL: it is not, or has no location. */
static const char *at(other *o, tsr_xid v)
{
    const tsr_program *p = o->f.w->p;
    const char *place = tsr_is_whole(p, v, NULL) ? tsr_c_at(o->f.w, v) : NULL;
    const tsr_xvalue *x = &p->values.data[tsr_storage_of(p, v)];
    if (!place || (x->place == TSR_PLACE_SPLAT && value(o, v)->n != 1))
        return NULL;
    return tsr_text_of(&o->f.w->text, "(%s *)p[%u]", tsr_text_type((tsr_dtype)value(o, v)->dtype),
                       tsr_c_pointer(&o->f, place));
}

/* ---- Reductions ---- */

static bool reduce(other *o, const tsr_op *op)
{
    tsr_c_writer *w = o->f.w;
    const tsr_xvalue *x = value(o, o->n->in[0]), *to = value(o, o->n->out[0]);
    tsr_dtype d = (tsr_dtype)x->dtype;
    tsr_fold_op fold;
    enum { MOST_RANK = 16 };
    if (op->nin != 2 || op->nout != 1 || x->rank > MOST_RANK || to->dtype != d ||
        value(o, o->n->in[1])->dtype != d || !tsr_text_type(d) || !tsr_x_body_fold(op, &fold))
        return false;
    const char *join = tsr_text_join(&w->text, (tsr_tile_op)tsr_x_fold_tile(fold), d);
    const char *a = at(o, o->n->in[0]), *init = at(o, o->n->in[1]), *b = at(o, o->n->out[0]);
    if (!join || !a || !init || !b)
        return false;
    const tsr_attr *gone = tsr_attr_of(op, STABLEHLO_REDUCE_dimensions);
    int64_t numbers[2 * MOST_RANK + 1] = {0}, stride = 1;
    bool reduced[MOST_RANK] = {false};
    for (int64_t i = 0; i < tsr_attr_count(gone); i++)
        reduced[tsr_attr_int_at(gone, (size_t)i)] = true;
    for (int i = x->rank; i-- > 0;) {
        numbers[2 * i] = x->dims[i];
        numbers[2 * i + 1] = reduced[i] ? 0 : stride;
        stride *= reduced[i] ? 1 : x->dims[i];
    }
    TSR_TEXT_PART(&w->text, "reduce", {'n', join}, {'t', tsr_text_type(d)});
    tsr_buf table = {0};
    tsr_c_ints(&table, numbers, 2u * x->rank + 1);
    uint32_t number = tsr_c_table(w, "int64_t", tsr_buf_text(&table));
    tsr_buf_free(&table);
    tsr_buf_printf(&o->f.text, "    tsr_reduce_%s(%s, %s, %s, %lld, %lld, %u, table%u);\n", join, a,
                   init, b, (long long)to->n, (long long)x->n, x->rank, number);
    return true;
}

/* ---- Batch normalization ---- */

static bool norm(other *o, const tsr_op *op, int epsilon_slot, int feature_slot, bool given)
{
    tsr_c_writer *w = o->f.w;
    const tsr_node *n = o->n;
    const tsr_xvalue *x = value(o, n->in[0]);
    tsr_dtype d = (tsr_dtype)x->dtype;
    const tsr_attr *epsilon = tsr_attr_of(op, epsilon_slot);
    int64_t axis = tsr_attr_of(op, feature_slot)->i, outer = 1, inner = 1;
    if ((d != TSR_D_F32 && d != TSR_D_F64) || axis < 0 || axis >= x->rank)
        return false;
    for (int64_t i = 0; i < x->rank; i++) {
        outer *= i < axis ? x->dims[i] : 1;
        inner *= i > axis ? x->dims[i] : 1;
    }
    for (uint32_t i = 0; i < op->nin; i++)
        if (value(o, n->in[i])->dtype != d)
            return false;
    const char *a = at(o, n->in[0]), *scale = at(o, n->in[1]), *offset = at(o, n->in[2]),
               *mean = at(o, given ? n->in[3] : n->out[1]),
               *variance = at(o, given ? n->in[4] : n->out[2]), *to = at(o, n->out[0]);
    if (!a || !scale || !offset || !mean || !variance || !to)
        return false;
    double e = tsr_float_to_double(TSR_F32, (uint64_t)epsilon->i);
    uint64_t bits;
    memcpy(&bits, &e, sizeof bits);
    TSR_TEXT_PART(&w->text, "norm", {'n', tsr_text_name(d)}, {'t', tsr_text_type(d)});
    tsr_buf_printf(&o->f.text,
                   "    tsr_norm_%s(%s, %s, %s, %s, %s, %s,\n        %lld, %lld, %lld, %s, %s);\n",
                   tsr_text_name(d), a, scale, offset, mean, variance, to, (long long)outer,
                   (long long)x->dims[axis], (long long)inner,
                   tsr_text_number(&w->text, TSR_D_F64, bits), given ? "true" : "false");
    return true;
}

/* Ops that return their operand. */
static bool hand_on(other *o)
{
    const tsr_xvalue *x = value(o, o->n->in[0]), *to = value(o, o->n->out[0]);
    const char *a = at(o, o->n->in[0]), *b = at(o, o->n->out[0]);
    if (!a || !b || x->n != to->n || x->dtype != to->dtype)
        return false;
    tsr_buf_printf(&o->f.text, "    memmove(%s, %s, %llu);\n", b, a,
                   (unsigned long long)tsr_xvalue_bytes(to));
    return true;
}

static bool write_other(other *o)
{
    const tsr_op *op = o->n->op;
    for (uint32_t i = 0; i < o->n->nout; i++)
        if (!tsr_text_type((tsr_dtype)value(o, o->n->out[i])->dtype) ||
            value(o, o->n->out[i])->n < 0)
            return false;
    switch (op->def->opcode) {
    case TSR_OP_STABLEHLO_REDUCE: return reduce(o, op);
    case TSR_OP_STABLEHLO_BATCH_NORM_INFERENCE:
        return norm(o, op, STABLEHLO_BATCH_NORM_INFERENCE_epsilon,
                    STABLEHLO_BATCH_NORM_INFERENCE_feature_index, true);
    case TSR_OP_STABLEHLO_BATCH_NORM_TRAINING:
        return norm(o, op, STABLEHLO_BATCH_NORM_TRAINING_epsilon,
                    STABLEHLO_BATCH_NORM_TRAINING_feature_index, false);
    case TSR_OP_SDY_SHARDING_CONSTRAINT: return hand_on(o);
    default: return false;
    }
}

bool tsr_c_other(tsr_c_writer *w, const tsr_node *n)
{
    other o = {.f = {.w = w}, .n = n};
    if (write_other(&o)) {
        tsr_c_call(&o.f);
        return true;
    }
    tsr_buf_free(&o.f.text);
    tsr_vec_free(&o.f.at);
    return false;
}

bool tsr_c_check(tsr_c_writer *w, const tsr_node *n)
{
    other o = {.f = {.w = w}, .n = n};
    if (n->check != TSR_CHECK_CACHE)
        return tsr_c_refuse_op(w, n->op, "it needs other devices");
    const tsr_xvalue *x = value(&o, n->in[0]);
    const char *reader = tsr_text_reader(&w->text, (tsr_dtype)x->dtype), *index = at(&o, n->in[0]);
    if (!reader || !index)
        return tsr_c_refuse_op(w, n->op, "its positions have a type that C does not read");
    tsr_buf_printf(&o.f.text,
                   "    for (int64_t i = 0; i < %lld; i++) {\n"
                   "        const int64_t place = %s(%s, i);\n"
                   "        if (place < 0 || place >= %lld)\n"
                   "            *(int *)(void *)p[%u] = 1;\n"
                   "    }\n",
                   (long long)x->n, reader, index, (long long)*n->numbers,
                   tsr_c_pointer(&o.f, "(char *)&failed"));
    tsr_c_call(&o.f);
    return true;
}
