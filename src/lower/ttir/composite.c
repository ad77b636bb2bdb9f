/* SPDX-License-Identifier: Apache-2.0 */
/* composite.c - --legalize-stablehlo-composite-to-ttir: lowers composites of the names in ttir/composites.def to ops of
 * TTIR, and also custom calls that composites were converted to for their sharding rules.
 *
 * A composite that cannot be lowered stays, to become a call of its decomposition. Needs uses; breaks ids. */
#include "lower/ttir/composite.h"

#include "lower/passes.h"
#include "shard/tt/tt.h"

static const struct {
    const char *name;
    tsr_composite_fn *fn;
} composites[] = {
#define COMPOSITE(name, hook) {name, tsr_composite_##hook},
#include "lower/ttir/composites.def"
};

/* ---- Attributes ---- */

tsr_attr *tsr_given(const tsr_attr *attrs, const char *name, tsr_attr_kind kind)
{
    tsr_attr *a = attrs ? tsr_dict_get(attrs, (tsr_str){name, strlen(name)}) : NULL;
    return tsr_attr_is(a, kind) ? a : NULL;
}

bool tsr_given_int(const tsr_attr *attrs, const char *name, int64_t *out)
{
    const tsr_attr *a = tsr_given(attrs, name, TSR_ATTR_INT),
                   *dense = tsr_given(attrs, name, TSR_ATTR_DENSE);
    if (dense && tsr_type_num_elements(dense->type) == 1 &&
        tsr_type_is(dense->type->elem, TSR_TYPE_INTEGER))
        return *out = tsr_ttir_integer(dense, 0), true;
    if (a)
        *out = a->i;
    return a != NULL;
}

tsr_attr *tsr_given_bool(const tsr_attr *attrs, const char *name)
{
    tsr_attr *a = tsr_given(attrs, name, TSR_ATTR_INT);
    return a && tsr_type_is_integer(a->type, 1) ? a : NULL;
}

tsr_attr *tsr_given_f32(tsr_build *b, const tsr_attr *attrs, const char *name)
{
    const tsr_attr *a = tsr_given(attrs, name, TSR_ATTR_FLOAT);
    return a ? tsr_ttir_f32(b->ctx,
                            tsr_float_to_double((tsr_float_kind)a->type->sub, (uint64_t)a->i))
             : NULL;
}

bool tsr_given_ints(const tsr_attr *attrs, const char *name, tsr_i64_vec *out)
{
    const tsr_attr *list = tsr_given(attrs, name, TSR_ATTR_ARRAY),
                   *dense = tsr_given(attrs, name, TSR_ATTR_DENSE),
                   *array = tsr_given(attrs, name, TSR_ATTR_DENSE_ARRAY);
    if (dense && (tsr_type_num_elements(dense->type) > TSR_TTIR_RANK ||
                  !tsr_type_is(dense->type->elem, TSR_TYPE_INTEGER)))
        return false;
    for (uint32_t i = 0; list && i < list->n; i++) {
        TSR_TRY(tsr_attr_is(list->attrs[i], TSR_ATTR_INT));
        tsr_vec_push(out, list->attrs[i]->i);
    }
    for (int64_t i = 0; dense && i < tsr_type_num_elements(dense->type); i++)
        tsr_vec_push(out, tsr_ttir_integer(dense, (size_t)i));
    if (array && array->type == array->type->ctx->i64)
        for (int64_t i = 0; i < tsr_attr_count(array); i++)
            tsr_vec_push(out, tsr_attr_int_at(array, (size_t)i));
    return list || dense || array;
}

tsr_attr *tsr_segments(tsr_build *b, const int64_t *sizes, size_t n)
{
    return tsr_ttir_i32_array(b->ctx, sizes, n);
}

/* ---- Ops ---- */

tsr_op *tsr_composite_open(tsr_build *b, enum tsr_opcode opcode, tsr_op *op)
{
    tsr_value_vec in = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, op->in[i].value);
    tsr_op *made = tsr_ttir_open(b, opcode, in.data, in.n, op->nout);
    tsr_vec_free(&in);
    return made;
}

void tsr_composite_close(tsr_build *b, tsr_op *made, tsr_op *op, tsr_value **out)
{
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&types, op->out[i].type);
    tsr_build_close_as(b, made, types.data);
    for (uint32_t i = 0; i < op->nout; i++)
        out[i] = &made->out[i];
    tsr_vec_free(&types);
}

/* ---- The pass ---- */

/* The hook for op, and its attributes. */
static tsr_composite_fn *hook_of(const tsr_op *op, const tsr_attr **attrs)
{
    tsr_str name = tsr_tt_target(op);
    *attrs = NULL;
    if (tsr_op_is(op, TSR_OP_STABLEHLO_COMPOSITE) && !op->nregion) {
        name = tsr_attr_of(op, STABLEHLO_COMPOSITE_name)->s;
        *attrs = tsr_attr_of(op, STABLEHLO_COMPOSITE_composite_attributes);
    } else if (name.len) {
        *attrs = op->extra ? tsr_dict_get(op->extra, TSR_STR("tt.composite_attributes")) : NULL;
        if (!tsr_attr_is(*attrs, TSR_ATTR_DICT))
            return NULL;
    }
    for (size_t i = 0; name.len && i < TSR_COUNT(composites); i++)
        if (tsr_str_is(name, composites[i].name))
            return tsr_ttir_static(op) ? composites[i].fn : NULL;
    return NULL;
}

static bool legalize(tsr_op *op, tsr_composite_fn *fn, const tsr_attr *attrs)
{
    tsr_build b = tsr_build_before(op);
    tsr_op *before = op->prev;
    tsr_value_vec out = {0};
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&out, NULL);
    /* If the result does not verify, the composite is not what its name says. */
    bool ok = fn(&b, op, attrs, out.data) && tsr_ttir_fits(before, op);
    if (ok)
        tsr_build_replace(op, out.data);
    else
        while (op->prev != before)
            tsr_op_erase(op->prev);
    tsr_vec_free(&out);
    tsr_build_free(&b);
    return ok;
}

bool pass_legalize_stablehlo_composite_to_ttir(tsr_pass *p, tsr_op *root)
{
    tsr_op *next;
    for (tsr_op *op = tsr_walk_next(root, root); op; op = next) {
        next = tsr_walk_next(root, op);
        const tsr_attr *attrs;
        tsr_composite_fn *fn = hook_of(op, &attrs);
        if (fn)
            p->changed |= legalize(op, fn, attrs);
    }
    return true;
}
