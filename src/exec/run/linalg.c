/* linalg.c - cholesky, triangular_solve and custom_call targets of LAPACK that are factorizations: EXEC hooks, and how
 * they run.
 *
 * Each is a movement of whole operands, matrix by matrix. Threads share a batch; a single matrix, or a few large ones,
 * run on all threads (kernel/linalg.h). The evaluator runs ops that do not fit the target's signature, empty ones, the
 * older form of targets and all other targets. Results agree with the evaluator's except for rounding: it computes in
 * double. */
#include <math.h>

#include "base/scope.h"
#include "dialect/stablehlo/cases.h"
#include "eval/kernel/lapack.h"
#include "eval/math/linalg.h"
#include "exec/compile/build.h"
#include "exec/kernel/linalg.h"
#include "exec/run/move.h"

enum { MOST_RESULTS = 5, MOST_OPERANDS = 3 };

/* One matrix of the batch. */
typedef struct {
    const struct tsr_linalg_plan *p;
    tsr_factor *f;
    char *in[MOST_OPERANDS], *out[MOST_RESULTS];
    /* Scratch: values of a spectrum, in double; the original matrix of an in-place cholesky. */
    char *own;
} matrix_run;

typedef struct tsr_linalg_plan {
    void (*run)(matrix_run *t);
    tsr_dtype type;
    int64_t count, m, n; /* number and sizes of the first operand's matrices */
    int64_t k;           /* number of reflectors */
    /* Of the last operand, unless it is a factor; of singular values: left and right vectors. */
    int64_t rows, cols;
    tsr_triangle how;       /* of the first operand; left: of reflectors, too */
    bool adjoint;           /* of reflectors */
    bool spectrum, vectors; /* vectors: whether those of a spectrum are computed */
    /* Cholesky: the other triangle becomes zero, and the whole matrix NaN if it has no factor. */
    bool factor;
    uint8_t over; /* number + 1 of the operand whose buffer result 0 may reuse; 0: none */
} plan;

/* ---- One matrix ---- */

static int64_t size_of(const matrix_run *t)
{
    return tsr_dtype_bytes(t->p->type);
}

static tsr_matrix by_rows(char *at, int64_t cols)
{
    return (tsr_matrix){at, cols, 1, false};
}

static tsr_matrix transposed(tsr_matrix a, bool yes)
{
    return yes ? (tsr_matrix){a.at, a.cs, a.rs, a.conj} : a;
}

/* from and to may be the same buffer. */
static void copy_all(char *to, const char *from, int64_t count, const matrix_run *t)
{
    if (to != from)
        memcpy(to, from, (size_t)(count * size_of(t)));
}

static void spoil(char *to, int64_t count, tsr_dtype d)
{
    const double nan[2] = {NAN, 0};
    for (int64_t i = 0; i < count; i++)
        tsr_convert(d, to + i * (int64_t)tsr_dtype_bytes(d), TSR_D_C128, nan, 1);
}

/* Sets the triangle that was not read: to its original contents, or to zero. */
static void restore(const matrix_run *t)
{
    int64_t n = t->p->n, size = size_of(t);
    for (int64_t i = 0; i < n; i++) {
        int64_t first = t->p->how.lower ? i + 1 : 0, count = t->p->how.lower ? n - 1 - i : i;
        char *row = t->out[0] + (i * n + first) * size;
        if (t->p->factor)
            memset(row, 0, (size_t)(count * size));
        else
            copy_all(row, t->in[0] + (i * n + first) * size, count, t);
    }
}

static void run_potrf(matrix_run *t)
{
    int64_t n = t->p->n;
    copy_all(t->out[0], t->in[0], n * n, t);
    if (t->in[0] == t->out[0] && !t->p->factor) {
        copy_all(t->own, t->in[0], n * n, t);
        t->in[0] = t->own;
    }
    int64_t info = tsr_factor_potrf(t->f, transposed(by_rows(t->out[0], n), !t->p->how.lower), n);
    if (!t->p->factor)
        *(int32_t *)t->out[1] = (int32_t)info;
    if (info && t->p->factor)
        spoil(t->out[0], n * n, t->p->type);
    else if (info)
        copy_all(t->out[0], t->in[0], n * n, t);
    else
        restore(t);
}

static void run_solve(matrix_run *t)
{
    const plan *p = t->p;
    tsr_matrix a = by_rows(t->in[0], p->n), b = by_rows(t->out[0], p->cols);
    bool transposes = (p->how.trans != 'N') == p->how.left; /* x a = b is a^T x^T = b^T */
    a = transposed(a, transposes);
    a.conj = p->how.trans == 'C';
    copy_all(t->out[0], t->in[1], p->rows * p->cols, t);
    tsr_factor_solve(t->f, a, p->how.lower == transposes, p->how.unit, p->n,
                     transposed(b, !p->how.left), p->how.left ? p->cols : p->rows);
}

static void run_getrf(matrix_run *t)
{
    int64_t m = t->p->m, n = t->p->n;
    copy_all(t->out[0], t->in[0], m * n, t);
    *(int32_t *)t->out[2] =
        (int32_t)tsr_factor_getrf(t->f, by_rows(t->out[0], n), m, n, (int32_t *)t->out[1]);
}

static void run_geqrf(matrix_run *t)
{
    int64_t m = t->p->m, n = t->p->n;
    copy_all(t->out[0], t->in[0], m * n, t);
    tsr_factor_geqrf(t->f, by_rows(t->out[0], n), m, n, t->out[1]);
}

static void run_orgqr(matrix_run *t)
{
    const plan *p = t->p;
    tsr_factor_orgqr(t->f, by_rows(t->in[0], p->n), p->m, p->n, p->k, t->in[1],
                     by_rows(t->out[0], p->n));
}

static void run_ormqr(matrix_run *t)
{
    const plan *p = t->p;
    bool left = p->how.left;
    copy_all(t->out[0], t->in[2], p->rows * p->cols, t);
    tsr_factor_ormqr(t->f, !left, p->adjoint, by_rows(t->in[0], p->n), p->m, p->k, t->in[1],
                     transposed(by_rows(t->out[0], p->cols), !left), left ? p->cols : p->rows);
}

/* Converts count doubles to the type and stores them. */
static void put_doubles(const matrix_run *t, char *to, const double *from, int64_t count)
{
    tsr_convert(t->p->type, to, TSR_D_F64, from, count);
}

static void run_syevd(matrix_run *t)
{
    int64_t n = t->p->n;
    double *w = (double *)t->own;
    int64_t failed =
        tsr_factor_eigen(t->f, t->in[0], n, t->p->how.lower, w, t->p->vectors ? t->out[0] : NULL);
    *(int32_t *)t->out[2] = (int32_t)failed;
    put_doubles(t, t->out[1], w, n);
    if (failed)
        spoil(t->out[1], n, t->p->type);
    if (failed && t->p->vectors)
        spoil(t->out[0], n * n, t->p->type);
    if (!t->p->vectors)
        copy_all(t->out[0], t->in[0], n * n, t);
}

static void run_gesdd(matrix_run *t)
{
    const plan *p = t->p;
    double *s = (double *)t->own;
    int64_t k = p->m < p->n ? p->m : p->n;
    copy_all(t->out[0], t->in[0], p->m * p->n, t);
    if (!p->vectors) {
        memset(t->out[2], 0, (size_t)(p->m * p->rows * size_of(t)));
        memset(t->out[3], 0, (size_t)(p->cols * p->n * size_of(t)));
    }
    int64_t failed = tsr_factor_svd(t->f, t->in[0], p->m, p->n, s, p->vectors ? t->out[2] : NULL,
                                    p->rows, t->out[3], p->cols);
    *(int32_t *)t->out[4] = (int32_t)failed;
    put_doubles(t, t->out[1], s, k);
    if (failed)
        spoil(t->out[1], k, p->type);
    if (failed && p->vectors) {
        spoil(t->out[2], p->m * p->rows, p->type);
        spoil(t->out[3], p->cols * p->n, p->type);
    }
}

/* ---- From ops to nodes ---- */

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
    tsr_xid in[MOST_OPERANDS], out[MOST_RESULTS];
    tsr_type *types[MOST_RESULTS];
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
    plan p = {
        .run = run_potrf, .how = {.lower = lower && lower->i != 0}, .factor = true, .over = 1};
    return start(op, &p) && p.m == p.n && op->out[0].type == type_in(op, 0) && make(b, op, &p);
}

bool exec_triangular_solve(tsr_xbuilder *b, tsr_op *op)
{
    static const char letters[] = {'N', 'N', 'T', 'C'};
    int64_t trans = tsr_attr_of(op, STABLEHLO_TRIANGULAR_SOLVE_transpose_a)->i;
    plan p = {.run = run_solve,
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
    void (*run)(matrix_run *t);
    bool (*fit)(tsr_op *op, plan *p);
} targets[] = {
    {"potrf", run_potrf, fit_potrf}, {"getrf", run_getrf, fit_getrf},
    {"geqrf", run_geqrf, fit_geqrf}, {"orgqr", run_orgqr, fit_orgqr},
    {"ungqr", run_orgqr, fit_orgqr}, {"ormqr", run_ormqr, fit_ormqr},
    {"unmqr", run_ormqr, fit_ormqr}, {"trsm", run_solve, fit_trsm},
    {"syevd", run_syevd, fit_syevd}, {"gesdd", run_gesdd, fit_gesdd},
    {"gesvd", run_gesdd, fit_gesdd},
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
            p.run = targets[i].run;
            return targets[i].fit(op, &p) && make(b, op, &p);
        }
    return false;
}

/* ---- Runs ---- */

typedef struct {
    const tsr_run *r;
    const tsr_node *node;
    const plan *p;
    int64_t each; /* matrices of a chunk */
    char *scratch;
    int64_t scratch_bytes, own_bytes; /* per thread: in all, and for `own` */
    atomic_bool starved;
} batch;

static char *matrix_at(const batch *x, tsr_xid v, int64_t i)
{
    const tsr_xvalue *value = &x->r->p->values.data[v];
    return tsr_run_at(x->r, v) +
           value->n / x->p->count * i * (int64_t)tsr_dtype_bytes((tsr_dtype)value->dtype);
}

static void chunk(void *ctx, int64_t number, int worker)
{
    batch *x = ctx;
    tsr_factor f = {.type = x->p->type, .scratch = x->scratch + worker * x->scratch_bytes};
    matrix_run t = {.p = x->p, .f = &f, .own = f.scratch + x->scratch_bytes - x->own_bytes};
    for (int64_t i = number * x->each; i < (number + 1) * x->each && i < x->p->count; i++) {
        for (uint32_t k = 0; k < x->node->nin; k++)
            t.in[k] = matrix_at(x, x->node->in[k], i);
        for (uint32_t k = 0; k < x->node->nout; k++)
            t.out[k] = matrix_at(x, x->node->out[k], i);
        x->p->run(&t);
        tsr_poll();
    }
    if (f.starved)
        atomic_store(&x->starved, true);
}

bool tsr_run_matrices(const tsr_run *r, const tsr_node *n)
{
    enum { CHUNK = 1 << 14, LARGE = 1 << 16 }; /* elements */
    batch x = {.r = r, .node = n, .p = n->matrices};
    const plan *p = x.p;
    int64_t rows = p->m > p->rows ? p->m : p->rows, cols = p->n > p->cols ? p->n : p->cols;
    bool alone = p->count < tsr_pool_size() &&
                 rows * cols >= LARGE; /* run one after the other, each on all threads */
    int64_t least = p->m < p->n ? p->m : p->n;
    int64_t vectors = !p->vectors ? least : p->m < p->n ? p->cols : p->rows;
    bool keeps = p->run == run_potrf && p->over && !p->factor;
    x.own_bytes = p->spectrum ? least * 8 : keeps ? p->m * p->n * tsr_dtype_bytes(p->type) : 0;
    x.own_bytes = (x.own_bytes + 63) / 64 * 64;
    x.scratch_bytes =
        p->spectrum ? tsr_spectrum_scratch(p->type, p->m, p->n, vectors > least ? vectors : least)
                    : tsr_factor_scratch(p->type, rows, cols);
    x.scratch_bytes = (x.scratch_bytes + 63) / 64 * 64 + x.own_bytes;
    x.scratch = tsr_malloc_aligned((size_t)(x.scratch_bytes * tsr_pool_size()));
    if (!x.scratch)
        return false;
    x.each = p->count == 1 || alone ? p->count : rows * cols < CHUNK ? CHUNK / (rows * cols) : 1;
    if (x.each >= p->count)
        chunk(&x, 0, 0);
    else
        tsr_pool_for((p->count + x.each - 1) / x.each, chunk, &x);
    tsr_free(x.scratch);
    return !atomic_load(&x.starved);
}
