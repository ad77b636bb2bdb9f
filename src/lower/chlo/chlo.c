/* SPDX-License-Identifier: Apache-2.0 */
/* chlo.c - --chlo-legalize-to-stablehlo: lowers every op of CHLO to StableHLO, by the rows of chlo.def. Needs nothing;
 * breaks ids. */
#include "dialect/kinds.h"
#include "lower/lower.h"
#include "lower/passes.h"

typedef enum { ROW_UNARY, ROW_BINARY, ROW_SAME, ROW_BROADCAST, ROW_BROADCAST2, ROW_OTHER } row_kind;

typedef struct {
    enum tsr_opcode from;
    row_kind kind;
    tsr_real_fn *real;
    tsr_complex_fn *complex;
    tsr_real2_fn *real2;
    tsr_rewrite_fn *rewrite;
} row;

static const row rows[] = {
#define REAL(op, fn) {.from = TSR_OP_##op, .kind = ROW_UNARY, .real = tsr_real_##fn},
#define BOTH(op, fn, fn2) \
    {.from = TSR_OP_##op, .kind = ROW_UNARY, .real = tsr_real_##fn, .complex = tsr_complex_##fn2},
#define COMPLEX(op, fn) {.from = TSR_OP_##op, .kind = ROW_UNARY, .complex = tsr_complex_##fn},
#define REAL2(op, fn) {.from = TSR_OP_##op, .kind = ROW_BINARY, .real2 = tsr_real_##fn},
#define SAME(op) {.from = TSR_OP_##op, .kind = ROW_SAME},
#define BROADCAST(op) {.from = TSR_OP_##op, .kind = ROW_BROADCAST},
#define BROADCAST2(op, fn) {.from = TSR_OP_##op, .kind = ROW_BROADCAST2, .real2 = tsr_real_##fn},
#define OTHER(op, fn) {.from = TSR_OP_##op, .kind = ROW_OTHER, .rewrite = tsr_chlo_##fn},
#include "lower/chlo/chlo.def"
};

static const row *row_of(const tsr_op *op)
{
    for (size_t i = 0; i < TSR_COUNT(rows); i++)
        if (tsr_op_is(op, (uint16_t)rows[i].from))
            return &rows[i];
    return NULL;
}

/* ---- Functions of floats of any width ---- */

/* The type in which a function of these elements is computed. */
static tsr_type *working_type(tsr_type *elem)
{
    bool exact = elem->kind == TSR_TYPE_FLOAT && (elem->sub == TSR_F32 || elem->sub == TSR_F64);
    return exact ? elem : tsr_type_float(elem->ctx, TSR_F32);
}

tsr_value *tsr_apply(tsr_build *b, tsr_value *x, tsr_real_fn *real, tsr_complex_fn *complex)
{
    tsr_type *elem = tsr_elem(x);
    b->anchor = x;
    if (elem->kind == TSR_TYPE_COMPLEX) {
        tsr_value *parts[2];
        if (!complex)
            return NULL;
        complex(b, f_real(b, x), f_imag(b, x), parts);
        return f_complex(b, parts[0], parts[1]);
    }
    if (elem->kind != TSR_TYPE_FLOAT || !real)
        return NULL;
    return tsr_build_convert(b, real(b, tsr_build_convert(b, x, working_type(elem))), elem);
}

tsr_value *tsr_apply2(tsr_build *b, tsr_value *x, tsr_value *y, tsr_real2_fn *real)
{
    tsr_type *elem = tsr_elem(x), *work = working_type(elem);
    if (elem->kind != TSR_TYPE_FLOAT)
        return NULL;
    b->anchor = x;
    tsr_value *z = real(b, tsr_build_convert(b, x, work), tsr_build_convert(b, y, work));
    return tsr_build_convert(b, z, elem);
}

/* ---- Rows ---- */

static bool apply_row(tsr_build *b, tsr_op *op, const row *r, tsr_value **out)
{
    tsr_value *in[3] = {NULL};
    for (uint32_t i = 0; i < op->nin && i < 3; i++)
        in[i] = op->in[i].value;
    if (r->kind == ROW_BROADCAST || r->kind == ROW_BROADCAST2)
        TSR_TRY(tsr_broadcast_operands(b, in, op->nin,
                                       tsr_attr_of(op, CHLO_BROADCAST_ADD_broadcast_dimensions),
                                       op->out[0].type));
    switch (r->kind) {
    case ROW_UNARY: return (out[0] = tsr_apply(b, in[0], r->real, r->complex)) != NULL;
    case ROW_BINARY:
    case ROW_BROADCAST2: return (out[0] = tsr_apply2(b, in[0], in[1], r->real2)) != NULL;
    case ROW_SAME:
    case ROW_BROADCAST:
        out[0] =
            tsr_build_op(b, (enum tsr_opcode)tsr_kinds_of(op).as, in, op->nin, op->out[0].type);
        return true;
    case ROW_OTHER: return r->rewrite(b, op, out);
    }
    return false;
}

/* StableHLO's tensors are ranked. */
static bool ranked(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        TSR_TRY(tsr_hlo_is_ranked(op->in[i].value->type));
    for (uint32_t i = 0; i < op->nout; i++)
        TSR_TRY(tsr_hlo_is_ranked(op->out[i].type));
    return true;
}

static bool rewrite(tsr_op *op, const row *r)
{
    tsr_build b = tsr_build_before(op);
    tsr_value_vec out = {0};
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&out, NULL);
    bool ok = ranked(op) && apply_row(&b, op, r, out.data) && !b.failed;
    if (ok)
        tsr_build_replace(op, out.data);
    else
        tsr_error(op->module->ctx, op->loc,
                  "failed to legalize operation '%.*s' that was explicitly marked illegal",
                  (int)op->def->name.len, op->def->name.data);
    tsr_vec_free(&out);
    tsr_build_free(&b);
    return ok;
}

bool tsr_chlo_rewrite(tsr_build *b, tsr_op *op, tsr_value **out)
{
    const row *r = row_of(op);
    return r && ranked(op) && apply_row(b, op, r, out);
}

bool tsr_chlo_legalize(tsr_op *op)
{
    const row *r = row_of(op);
    return !r || rewrite(op, r);
}

bool pass_chlo_legalize_to_stablehlo(tsr_pass *p, tsr_op *root)
{
    tsr_op *next;
    for (tsr_op *op = tsr_walk_next(root, root); op; op = next) {
        const row *r = row_of(op);
        /* Ops that a rewrite moves out of a region are placed before the op that follows it. */
        tsr_op *before = op->prev;
        tsr_block *block = op->block;
        if (!r) {
            next = tsr_walk_next(root, op);
            continue;
        }
        TSR_TRY(rewrite(op, r));
        p->changed = true;
        next = before ? before->next : block->first;
    }
    return true;
}
