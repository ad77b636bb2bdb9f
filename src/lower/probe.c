/* SPDX-License-Identifier: Apache-2.0 */
/* probe.c - --interpreter-instrument-with-probe: passes every tensor that an op defines through interpreter.probe,
 * under a unique name. Needs nothing; breaks ids. */
#include "dialect/dialect.h"
#include "lower/passes.h"

/* Numeric tensors of static shape. */
static bool wanted(const tsr_value *v)
{
    const tsr_type *t = v->type;
    if (!tsr_type_is(t, TSR_TYPE_TENSOR) || !tsr_type_has_static_shape(t))
        return false;
    return t->elem->kind == TSR_TYPE_INTEGER || t->elem->kind == TSR_TYPE_FLOAT ||
           t->elem->kind == TSR_TYPE_COMPLEX;
}

/* The name of a location, up to its first '@', and a dot; "probe" if it has none. */
static void put_name(tsr_buf *out, tsr_ctx *ctx, tsr_loc loc)
{
    const tsr_attr *a = tsr_loc_attr(ctx, loc);
    if (!tsr_attr_is(a, TSR_ATTR_LOC) || a->sub != TSR_LOC_KIND_NAME) {
        tsr_buf_cstr(out, "probe");
        return;
    }
    const char *at = memchr(a->s.data, '@', a->s.len);
    tsr_buf_str(out, (tsr_str){a->s.data, at ? (size_t)(at - a->s.data) : a->s.len});
    tsr_buf_cstr(out, ".");
}

static bool is_probe(void *made, tsr_use *use)
{
    return use->user == made;
}

static tsr_op *probe(tsr_value *v, tsr_op *after, tsr_str name)
{
    tsr_op *op = v->op;
    tsr_ctx *ctx = op->module->ctx;
    const tsr_opdef *def = tsr_opdef_of(ctx, TSR_OP_INTERPRETER_PROBE);
    tsr_op *made = tsr_op_new(op->module, def, op->loc, &v, 1, &v->type, 1, 0, 0);
    made->attrs[INTERPRETER_PROBE_probe_id] = tsr_attr_string(ctx, name);
    tsr_op_insert(made, op->block, after->next);
    tsr_value_replace_if(v, &made->out[0], is_probe, made);
    return made;
}

/* Ops with regions come after the ops inside them, as they finish after those. */
static void instrument(tsr_pass *p, tsr_op *op, bool names, unsigned *count)
{
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b)
            for (tsr_op *inner = b->first, *next; inner; inner = next) {
                next = inner->next;
                instrument(p, inner, names, count);
            }
    tsr_op *after = op;
    for (uint32_t i = 0; !tsr_op_is(op, TSR_OP_STABLEHLO_CONSTANT) && i < op->nout; i++) {
        if (!wanted(&op->out[i]))
            continue;
        tsr_buf name = {0};
        if (names)
            put_name(&name, p->ctx, op->loc);
        else
            tsr_buf_cstr(&name, "probe");
        tsr_buf_printf(&name, "%u", ++*count);
        /* All probes of an op come right after it, the last result's first. */
        probe(&op->out[i], after, (tsr_str){name.data, name.len});
        tsr_buf_free(&name);
        p->changed = true;
    }
}

bool pass_interpreter_instrument_with_probe(tsr_pass *p, tsr_op *root)
{
    unsigned count = 0;
    instrument(p, root, tsr_pass_bool(p, "useDebugInfo"), &count);
    return true;
}
