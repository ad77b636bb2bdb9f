/* SPDX-License-Identifier: Apache-2.0 */
/* ttir.c - --convert-stablehlo-to-ttir: lowers every op to TTIR with the TTIR columns of its row (ttir.h).
 *
 * Ops are visited in program order, so that operands are converted before their users; ops that a hook builds are
 * visited again, so that hooks may express an op in simpler ones of StableHLO; so are all ops of CHLO that have no
 * column. Regions are converted after the enclosing block. Needs nothing; breaks ids. */
#include "lower/ttir/ttir.h"

#include "lower/passes.h"
#include "lower/ttir/mesh.h"

typedef struct {
    enum tsr_opcode as;
    tsr_ttir_fn *fn, *any, *first;
    bool inside;
} row;

static const row rows[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define TTIR_AS(opcode) .as = TSR_OP_##opcode,
#define TTIR(hook) .fn = ttir_##hook,
#define TTIR_ANY(hook) .any = ttir_##hook,
#define TTIR_FIRST(hook) .first = ttir_##hook,
#define TTIR_INSIDE .inside = true,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

static const row *row_of(const tsr_op *op)
{
    static const row none = {0}, chlo = {.any = tsr_chlo_rewrite};
    if (op->def->opcode == TSR_UNREGISTERED)
        return &none;
    const row *r = &rows[op->def->opcode];
    bool has = r->as || r->fn || r->any;
    /* CHLO is lowered to StableHLO first, then to TTIR. */
    return !has && tsr_op_in(op, TSR_DIALECT_CHLO) ? &chlo : r;
}

/* ---- One op ---- */

static bool plain_type(const tsr_type *t)
{
    if (!tsr_type_is(t, TSR_TYPE_TENSOR) || t->n > TSR_TTIR_RANK ||
        t->elem->kind == TSR_TYPE_COMPLEX || tsr_hlo_is_quantized(t))
        return false;
    for (uint32_t i = 0; i < t->n; i++)
        if (t->dims[i] > INT32_MAX) /* TTIR counts in i32 */
            return false;
    return true;
}

static bool plain(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        TSR_TRY(plain_type(op->in[i].value->type));
    for (uint32_t i = 0; i < op->nout; i++)
        TSR_TRY(plain_type(op->out[i].type));
    return true;
}

tsr_op *tsr_ttir_as(tsr_build *b, const tsr_op *op, enum tsr_opcode as, tsr_value **out)
{
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    tsr_op_values(op, &in, &types);
    tsr_op *made = tsr_build_close_as(b, tsr_ttir_open(b, as, in.data, in.n, op->nout), types.data);
    for (uint32_t i = 0; i < op->nout; i++)
        out[i] = &made->out[i];
    tsr_vec_free(&in);
    tsr_vec_free(&types);
    return made;
}

typedef enum { STAYS, DONE, FAILED } answer;

/* Erases ops that a hook built before it failed, last first. */
static void erase_back_to(const tsr_op *before, const tsr_op *op)
{
    while (op->prev != before)
        tsr_op_erase(op->prev);
}

bool tsr_ttir_fits(const tsr_op *before, tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    bool quiet = ctx->quiet, ok = true;
    uint32_t nerror = ctx->nerror;
    ctx->quiet = true;
    for (tsr_op *made = op->prev; ok && made != before; made = made->prev)
        ok = tsr_op_fits_row(made) && (!made->def->verify || made->def->verify(made));
    ctx->quiet = quiet;
    ctx->nerror = nerror;
    return ok;
}

static answer rewrite(tsr_op *op, const row *r)
{
    tsr_build b = tsr_build_before(op);
    tsr_op *before = op->prev;
    tsr_value_vec out = {0};
    bool ok = true;
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&out, NULL);
    if (r->any)
        ok = r->any(&b, op, out.data);
    else if (!plain(op))
        ok = false;
    else if (r->fn)
        ok = r->fn(&b, op, out.data);
    else
        tsr_ttir_as(&b, op, r->as, out.data);
    bool failed = b.failed;
    for (uint32_t i = 0; ok && i < op->nout; i++)
        ok = out.data[i] ? out.data[i]->type == op->out[i].type : !op->out[i].uses;
    ok = ok && (failed || tsr_ttir_fits(before, op));
    if (ok && !failed) {
        for (uint32_t i = 0; i < op->nout; i++)
            if (out.data[i])
                tsr_value_replace(&op->out[i], out.data[i]);
        tsr_op_erase(op);
    } else {
        erase_back_to(before, op);
    }
    tsr_vec_free(&out);
    tsr_build_free(&b);
    return failed ? FAILED : ok ? DONE : STAYS;
}

/* ---- All ops ---- */

typedef TSR_VEC(tsr_region *) region_vec;

static bool is_foreign(const tsr_op *op)
{
    return !tsr_op_in(op, TSR_DIALECT_STABLEHLO) && !tsr_op_in(op, TSR_DIALECT_CHLO);
}

static bool convert_block(tsr_block *block, bool refuse, region_vec *later)
{
    tsr_op *next;
    for (tsr_op *op = block->first; op; op = next) {
        const row *r = row_of(op);
        tsr_op *before = op->prev;
        if (r->as || r->fn || r->any || r->first) {
            answer a = r->first ? rewrite(op, &(row){.fn = r->first}) : STAYS;
            if (a == STAYS && (r->as || r->fn || r->any))
                a = rewrite(op, r);
            if (a == FAILED)
                return false;
            if (a == DONE) {
                next = before ? before->next : block->first;
                continue;
            }
        }
        next = op->next;
        if (refuse && (r->as || r->fn || r->any))
            return tsr_error(block->region->op->module->ctx, op->loc,
                             "failed to legalize operation '%.*s'", (int)op->def->name.len,
                             op->def->name.data);
        for (uint32_t i = 0; (is_foreign(op) || r->inside) && i < op->nregion; i++)
            tsr_vec_push(later, &op->regions[i]);
    }
    return true;
}

bool tsr_ttir_convert(tsr_op *root, bool refuse)
{
    region_vec later = {0};
    bool ok = true;
    for (uint32_t i = 0; i < root->nregion; i++)
        tsr_vec_push(&later, &root->regions[i]);
    for (size_t i = 0; ok && i < later.n; i++)
        for (tsr_block *b = later.data[i]->first; ok && b; b = b->next)
            ok = convert_block(b, refuse, &later);
    tsr_vec_free(&later);
    return ok;
}

/* Reports names of ops that stayed, each once, in one remark at the first of them. */
static void tell_what_stays(tsr_op *root)
{
    TSR_VEC(const tsr_opdef *) names = {0};
    tsr_buf text = {0};
    tsr_loc first = TSR_LOC_UNKNOWN;
    TSR_OPS (root, op) {
        const tsr_op *parent = op->block ? tsr_block_parent(op->block) : NULL;
        /* bodies stay with their op */
        bool seen = is_foreign(op) || (parent && !is_foreign(parent));
        for (size_t i = 0; !seen && i < names.n; i++)
            seen = names.data[i] == op->def;
        if (seen)
            continue;
        first = names.n ? first : op->loc;
        tsr_buf_printf(&text, "%s%.*s", names.n ? ", " : "", TSR_STR_ARG(op->def->name));
        tsr_vec_push(&names, op->def);
    }
    if (names.n)
        tsr_emit(root->module->ctx, TSR_REMARK, first,
                 "ops that TTIR has no form for stay StableHLO: %.*s",
                 TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_vec_free(&names);
    tsr_buf_free(&text);
}

bool pass_convert_stablehlo_to_ttir(tsr_pass *p, tsr_op *root)
{
    p->changed = true;
    tsr_ttir_meshes(root);
    if (!tsr_ttir_convert(root, p->ctx->as_peer && !tsr_pass_bool(p, "enable-partial-conversion")))
        return false;
    if (!p->ctx->as_peer)
        tell_what_stays(root);
    return true;
}
