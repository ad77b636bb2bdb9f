/* SPDX-License-Identifier: Apache-2.0 */
/* linalg.c - cholesky, triangular_solve and custom_call targets of LAPACK that are factorizations: their EXEC hooks.
 *
 * Each is a movement of whole operands, matrix by matrix. The evaluator runs ops that do not fit the target's signature,
 * empty ones, the older form of targets and all other targets. */
#include "exec/linalg.h"

#include "dialect/stablehlo/cases.h"
#include "eval/kernel/lapack.h"
#include "exec/compile/build.h"

typedef tsr_linalg_plan plan;

static bool is_number(tsr_dtype d)
{
    return d == TSR_D_F32 || d == TSR_D_F64 || d == TSR_D_C64 || d == TSR_D_C128;
}

/* Whether a type has, for each matrix of a, a matrix of d (rows x cols), a vector if cols is negative, or a number if
 * both are. */
static bool holds(const tsr_type *type, const tsr_type *a, tsr_dtype d, int64_t rows, int64_t cols)
{
    uint32_t batch = a->n - 2;
    return tsr_type_is(type, TSR_TYPE_TENSOR) && tsr_dtype_of(type->elem) == d &&
           type->n == batch + (rows >= 0) + (cols >= 0) &&
           memcmp(type->dims, a->dims, batch * sizeof *type->dims) == 0 &&
           (rows < 0 || type->dims[batch] == rows) && (cols < 0 || type->dims[batch + 1] == cols);
}

static tsr_type *type_in(const tsr_op *op, uint32_t i)
{
    return op->in[i].value->type;
}

/* Reads the matrices of operand 0. False: there are none that can be computed. */
static bool start(const tsr_op *op, plan *p)
{
    const tsr_type *a = op->nin ? type_in(op, 0) : NULL;
    if (!tsr_type_is(a, TSR_TYPE_TENSOR) || a->n < 2 || !is_number(tsr_dtype_of(a->elem)))
        return false;
    p->type = tsr_dtype_of(a->elem);
    p->m = a->dims[a->n - 2];
    p->n = a->dims[a->n - 1];
    p->count = 1;
    for (uint32_t d = 0; d + 2 < a->n; d++)
        p->count *= a->dims[d];
    return p->count > 0 && p->m > 0 && p->n > 0 && p->m < 1 << 30 && p->n < 1 << 30;
}

/* Reads the matrices of the last operand, which are also those of result 0. */
static bool right_sides(const tsr_op *op, plan *p, uint32_t i)
{
    const tsr_type *b = op->nin == i + 1 ? type_in(op, i) : NULL, *a = type_in(op, 0);
    if (!tsr_type_is(b, TSR_TYPE_TENSOR) || b->n < 2)
        return false;
    p->rows = b->dims[b->n - 2];
    p->cols = b->dims[b->n - 1];
    return p->rows > 0 && p->cols > 0 && p->rows < 1 << 30 && p->cols < 1 << 30 &&
           holds(b, a, p->type, p->rows, p->cols) && op->nout == 1 &&
           holds(op->out[0].type, a, p->type, p->rows, p->cols) &&
           (p->how.left ? p->rows : p->cols) == p->m;
}

static bool make(tsr_xbuilder *b, tsr_op *op, const plan *p)
{
    tsr_xid in[TSR_LINALG_OPERANDS], out[TSR_LINALG_RESULTS];
    tsr_type *types[TSR_LINALG_RESULTS];
    for (uint32_t i = 0; i < op->nin; i++)
        if (tsr_xvalue_at(b, tsr_x_in(b, op, i))->rank > TSR_VIEW_RANK)
            return false;
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = tsr_x_whole(b, tsr_x_in(b, op, i));
    for (uint32_t i = 0; i < op->nout; i++)
        types[i] = op->out[i].type;
    tsr_node *n = tsr_x_node(b, TSR_NODE_MOVE, op, in, op->nin, types, op->nout);
    n->move = TSR_MOVE_MATRICES;
    n->over = p->over;
    n->matrices = tsr_arena_copy(&b->p->arena, p, sizeof *p);
    memcpy(out, n->out, op->nout * sizeof *out);
    tsr_x_done(b, n);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_x_set(b, op, i, out[i]);
    return true;
}

bool exec_cholesky(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_attr *lower = tsr_attr_of(op, STABLEHLO_CHOLESKY_lower);
    plan p = {.kind = TSR_LINALG_POTRF,
              .how = {.lower = lower && lower->i != 0},
              .factor = true,
              .over = 1};
    return start(op, &p) && p.m == p.n && op->out[0].type == type_in(op, 0) && make(b, op, &p);
}

bool exec_triangular_solve(tsr_xbuilder *b, tsr_op *op)
{
    static const char letters[] = {'N', 'N', 'T', 'C'};
    int64_t trans = tsr_attr_of(op, STABLEHLO_TRIANGULAR_SOLVE_transpose_a)->i;
    plan p = {.kind = TSR_LINALG_SOLVE,
              .over = 2,
              .how = {.left = tsr_attr_of(op, STABLEHLO_TRIANGULAR_SOLVE_left_side)->i != 0,
                      .lower = tsr_attr_of(op, STABLEHLO_TRIANGULAR_SOLVE_lower)->i != 0,
                      .unit = tsr_attr_of(op, STABLEHLO_TRIANGULAR_SOLVE_unit_diagonal)->i != 0}};
    if (trans < TSR_SOLVE_NO_TRANSPOSE || trans > TSR_SOLVE_ADJOINT)
        return false;
    p.how.trans = letters[trans];
    return start(op, &p) && p.m == p.n && right_sides(op, &p, 1) && make(b, op, &p);
}

/* ---- Targets ---- */

static bool fit_potrf(tsr_op *op, plan *p)
{
    const tsr_type *a = type_in(op, 0);
    p->how.lower = tsr_lapack_option(op, "uplo") == 'L';
    p->over = p->count > 1; /* a single matrix would have to be saved first */
    return p->m == p->n && op->nout == 2 && holds(op->out[0].type, a, p->type, p->m, p->n) &&
           holds(op->out[1].type, a, TSR_D_I32, -1, -1);
}

static bool fit_getrf(tsr_op *op, plan *p)
{
    const tsr_type *a = type_in(op, 0);
    int64_t k = p->m < p->n ? p->m : p->n;
    p->over = 1;
    return op->nout == 3 && holds(op->out[0].type, a, p->type, p->m, p->n) &&
           holds(op->out[1].type, a, TSR_D_I32, k, -1) &&
           holds(op->out[2].type, a, TSR_D_I32, -1, -1);
}

static bool fit_geqrf(tsr_op *op, plan *p)
{
    const tsr_type *a = type_in(op, 0);
    p->k = p->m < p->n ? p->m : p->n;
    p->over = 1;
    return op->nout == 2 && holds(op->out[0].type, a, p->type, p->m, p->n) &&
           holds(op->out[1].type, a, p->type, p->k, -1);
}

static bool taus(const tsr_op *op, plan *p)
{
    const tsr_type *tau = type_in(op, 1);
    p->k = tsr_type_is(tau, TSR_TYPE_TENSOR) && tau->n ? tau->dims[tau->n - 1] : 0;
    return p->k > 0 && p->k <= p->n && p->k <= p->m &&
           holds(tau, type_in(op, 0), p->type, p->k, -1);
}

static bool fit_orgqr(tsr_op *op, plan *p)
{
    return taus(op, p) && p->n <= p->m && op->nout == 1 &&
           holds(op->out[0].type, type_in(op, 0), p->type, p->m, p->n);
}

static bool fit_ormqr(tsr_op *op, plan *p)
{
    p->how.left = tsr_lapack_option(op, "left") != 0;
    p->adjoint = tsr_lapack_option(op, "transpose") != 0;
    p->over = 3;
    return taus(op, p) && right_sides(op, p, 2);
}

static bool fit_trsm(tsr_op *op, plan *p)
{
    int64_t trans = tsr_lapack_option(op, "trans_x");
    p->how = (tsr_triangle){.left = tsr_lapack_option(op, "side") == 'L',
                            .lower = tsr_lapack_option(op, "uplo") == 'L',
                            .unit = tsr_lapack_option(op, "diag") == 'U',
                            .trans = (char)trans};
    p->over = 2;
    return (trans == 'N' || trans == 'T' || trans == 'C') && p->m == p->n && right_sides(op, p, 1);
}

static bool fit_syevd(tsr_op *op, plan *p)
{
    const tsr_type *a = type_in(op, 0);
    p->how.lower = tsr_lapack_option(op, "uplo") == 'L';
    p->vectors = tsr_lapack_option(op, "mode") == 'V';
    p->spectrum = true;
    p->over = 1;
    return !tsr_dtype_is_complex(p->type) && p->m == p->n && op->nout == 3 &&
           holds(op->out[0].type, a, p->type, p->m, p->n) &&
           holds(op->out[1].type, a, p->type, p->n, -1) &&
           holds(op->out[2].type, a, TSR_D_I32, -1, -1);
}

static bool fit_gesdd(tsr_op *op, plan *p)
{
    const tsr_type *a = type_in(op, 0);
    int64_t mode = tsr_lapack_option(op, "mode"), k = p->m < p->n ? p->m : p->n;
    if (tsr_dtype_is_complex(p->type) || op->nout != 5 ||
        !tsr_type_is(op->out[2].type, TSR_TYPE_TENSOR))
        return false;
    /* Without vectors, their results still exist, in either size. */
    bool full = mode == 'A' || (mode == 'N' && holds(op->out[2].type, a, p->type, p->m, p->m));
    p->spectrum = true;
    p->over = 1;
    p->vectors = mode != 'N';
    p->rows = full ? p->m : k;
    p->cols = full ? p->n : k;
    return holds(op->out[0].type, a, p->type, p->m, p->n) &&
           holds(op->out[1].type, a, p->type, k, -1) &&
           holds(op->out[2].type, a, p->type, p->m, p->rows) &&
           holds(op->out[3].type, a, p->type, p->cols, p->n) &&
           holds(op->out[4].type, a, TSR_D_I32, -1, -1);
}

static const struct {
    const char *name;
    uint8_t kind;
    bool (*fit)(tsr_op *op, plan *p);
} targets[] = {
    {"potrf", TSR_LINALG_POTRF, fit_potrf}, {"getrf", TSR_LINALG_GETRF, fit_getrf},
    {"geqrf", TSR_LINALG_GEQRF, fit_geqrf}, {"orgqr", TSR_LINALG_ORGQR, fit_orgqr},
    {"ungqr", TSR_LINALG_ORGQR, fit_orgqr}, {"ormqr", TSR_LINALG_ORMQR, fit_ormqr},
    {"unmqr", TSR_LINALG_ORMQR, fit_ormqr}, {"trsm", TSR_LINALG_SOLVE, fit_trsm},
    {"syevd", TSR_LINALG_SYEVD, fit_syevd}, {"gesdd", TSR_LINALG_GESDD, fit_gesdd},
    {"gesvd", TSR_LINALG_GESDD, fit_gesdd},
};

bool exec_custom_call(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_attr *effect = tsr_attr_of(op, STABLEHLO_CUSTOM_CALL_has_side_effect);
    tsr_lapack_form form;
    plan p = {.count = 0};
    if ((effect && effect->i) ||
        !tsr_lapack_parse(tsr_attr_of(op, STABLEHLO_CUSTOM_CALL_call_target_name)->s, &form) ||
        !form.ffi || op->nin != form.nmatrix || !start(op, &p))
        return false;
    tsr_dtype d = form.letter == 's'   ? TSR_D_F32
                  : form.letter == 'd' ? TSR_D_F64
                  : form.letter == 'c' ? TSR_D_C64
                                       : TSR_D_C128;
    for (size_t i = 0; i < TSR_COUNT(targets) && d == p.type; i++)
        if (strcmp(targets[i].name, form.name) == 0) {
            p.kind = targets[i].kind;
            return targets[i].fit(op, &p) && make(b, op, &p);
        }
    return false;
}
