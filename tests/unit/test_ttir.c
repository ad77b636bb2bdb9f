/* SPDX-License-Identifier: Apache-2.0 */
/* test_ttir.c - inference of TTIR's ops: on every op of the valid tests it says what the op has, and what a builder that
 * has no results yet would give it. */
#include "unit.h"

#include "api/api.h"
#include "dialect/dialect.h"
#include "tessera/tessera.h"

static bool same_shape(const tsr_type *a, const tsr_type *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->dims, b->dims, a->n * sizeof *a->dims) == 0);
}

/* Ops whose results do not follow from operands and attributes alone. */
static bool is_free(const tsr_op *op)
{
    static const char *const names[] = {"ttir.arange",         "ttir.slice_dynamic",
                                        "ttir.mesh_partition", "ttir.all_gather",
                                        "ttir.reduce_scatter", "ttir.all_to_all_dispatch"};
    for (size_t i = 0; i < TSR_COUNT(names); i++)
        if (tsr_str_is(op->def->name, names[i]))
            return true;
    return false;
}

static void infer_op(unit *u, const tsr_op *op, const tsr_op *like)
{
    tsr_type_vec types = {0};
    bool ok = op->def->infer(op, &types) && types.n == like->nout;
    for (uint32_t i = 0; ok && i < like->nout; i++)
        ok = same_shape(types.data[i], like->out[i].type);
    if (!ok)
        fprintf(stderr, "%.*s: inferred otherwise\n", TSR_STR_ARG(like->def->name));
    CHECK(u, ok);
    tsr_vec_free(&types);
}

/* The op as a builder has it: no results, in no block. */
static tsr_op *bare(tsr_op *op)
{
    tsr_value *in[16];
    for (uint32_t i = 0; i < op->nin && i < TSR_COUNT(in); i++)
        in[i] = op->in[i].value;
    tsr_op *made = tsr_op_new(op->module, op->def, op->loc, in, op->nin, NULL, 0, 0, 0);
    for (uint16_t i = 0; i < op->def->nslot; i++)
        made->attrs[i] = op->attrs[i];
    return made;
}

static void infer_file(unit *u, const char *path)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = tsr_module_parse_file(ctx, path);
    CHECK(u, m != NULL);
    if (m) {
        TSR_OPS (m->op, op) {
            if (!tsr_str_is(tsr_opdef_dialect(op->def), "ttir"))
                continue;
            infer_op(u, op, op);
            if (!is_free(op))
                infer_op(u, bare(op), op);
        }
        tsr_module_free(m);
    }
    tsr_ctx_free(ctx);
}

void test_ttir(unit *u)
{
    static const char *const files[] = {
        "tests/dialect/ttir/attention.mlir",   "tests/dialect/ttir/collective.mlir",
        "tests/dialect/ttir/elementwise.mlir", "tests/dialect/ttir/matrix.mlir",
        "tests/dialect/ttir/move.mlir",        "tests/dialect/ttir/norm.mlir",
        "tests/dialect/ttir/window.mlir",
    };
    for (size_t i = 0; i < TSR_COUNT(files); i++)
        infer_file(u, files[i]);
    tsr_ctx *ctx = tsr_ctx_new();
    for (int i = 0; i < TSR_OP__COUNT; i++)
        if (tsr_str_is(tsr_opdef_dialect(&ctx->rows[i]), "ttir"))
            CHECK(u, ctx->rows[i].infer != NULL);
    tsr_ctx_free(ctx);
}
