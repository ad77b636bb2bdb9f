/* match.c - which known function a value is of another, by its values.
 *
 * A few points tell most functions apart. One that agrees with an op there is computed at many more: over the whole range
 * of the type, and at, beside and between all its constants, since these are where pieces of an expansion meet.
 * It must be near the op's value, relative to it or to 1, and be finite where the op is. */
#include "pass/grad/recognise.h"

#include <math.h>
#include <stdlib.h>

/* Ops that expansions are compared with, by their column: of so many operands, of which all but the last are constants. */
static const struct {
    enum tsr_opcode opcode;
    uint32_t nin;
} functions[] = {
#define EXPANDED(id, n) {TSR_OP_##id, n},
#include "dialect/ops.def"
};

typedef struct {
    enum tsr_opcode opcode;
    bool has_number;
    double number; /* the first operand */
} function;

/* ---- Points ---- */

static tsr_tensor *tensor_of(const tsr_type *elem, const tsr_numbers *points)
{
    int64_t n = (int64_t)points->n;
    tsr_tensor *t = tsr_tensor_new((tsr_type *)elem, &n, 1);
    for (int64_t i = 0; t && i < n; i++)
        tsr_set_double(t, i, points->data[i]);
    return t;
}

tsr_tensor *tsr_match_points(tsr_cones *c, int32_t from)
{
    static const double few[] = {0.37, -0.61, 0.93, 1.9, 3.3, 5.7, -2.3, 0};
    tsr_numbers points = {0};
    for (size_t i = 0; i < TSR_COUNT(few); i++)
        tsr_vec_push(&points, few[i]);
    tsr_tensor *t = tensor_of(tsr_elem(c->nodes.data[from].v), &points);
    tsr_vec_free(&points);
    return t;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void push_both(tsr_numbers *points, double x)
{
    tsr_vec_push(points, x);
    tsr_vec_push(points, -x);
}

static tsr_tensor *many_points(tsr_cones *c, int32_t from, const tsr_numbers *numbers)
{
    static const double some[] = {0,    1e-30, 1e-12, 1e-8, 1e-5, 1e-3, 0.01, 0.1, 0.2,  0.3,  0.45, 0.55, 0.7,
                                  0.85, 0.95,  0.99,  1.01, 1.2,  1.45, 1.6,  1.9, 2.1,  2.6,  3.4,  3.6,  4.3,
                                  5.2,  6.7,   7.9,   8.3,  9.8,  12.3, 15.7, 23., 31.3, 47.6, 63.2, 79.1};
    static const double large[] = {301.7, 12345.7, 1e8, 1e15, 1e30};
    const tsr_type *elem = tsr_elem(c->nodes.data[from].v);
    tsr_numbers points = {0}, limits = {0};
    for (size_t i = 0; i < TSR_COUNT(some); i++)
        push_both(&points, some[i]);
    for (size_t i = 0; i < TSR_COUNT(large); i++)
        push_both(&points, large[i]);
    for (size_t i = 0; i < numbers->n; i++)
        if (fabs(numbers->data[i]) < 1e30)
            tsr_vec_push(&limits, fabs(numbers->data[i]));
    if (limits.n)
        qsort(limits.data, limits.n, sizeof *limits.data, by_size);
    for (size_t i = 0; i < limits.n; i++) {
        double x = limits.data[i];
        push_both(&points, x);
        push_both(&points, x * (1 - 1e-3));
        push_both(&points, x * (1 + 1e-3));
        if (i + 1 < limits.n)
            push_both(&points, 0.5 * (x + limits.data[i + 1]));
    }
    tsr_tensor *t = tensor_of(elem, &points);
    tsr_vec_free(&points);
    tsr_vec_free(&limits);
    return t;
}

/* ---- Comparing ---- */

/* Where a function has a zero, its terms cancel: the error counts in units of the argument, not of the value. */
static bool near(const tsr_tensor *got, const tsr_tensor *want, const tsr_tensor *at, double limit)
{
    for (int64_t i = 0; i < want->n; i++) {
        double g = tsr_get_double(got, i), w = tsr_get_double(want, i), x = fabs(tsr_get_double(at, i));
        if (isfinite(g) != isfinite(w) || (isfinite(w) && fabs(g - w) > limit * fmax(fabs(w), 0.1 * fmin(1, x))))
            return false;
    }
    return true;
}

/* The op of a function, before what may be its expansion. */
static tsr_op *op_of(tsr_cones *c, int32_t from, int32_t to, const function *f)
{
    tsr_build b = tsr_build_before(c->nodes.data[to].op);
    tsr_value *x = c->nodes.data[from].v, *in[2] = {x, x};
    if (f->has_number)
        in[0] = f_const(&b, x, f->number);
    tsr_value *v = tsr_build_op(&b, f->opcode, in, f->has_number ? 2 : 1, x->type);
    tsr_build_free(&b);
    return v->op;
}

static tsr_tensor *values_of(tsr_cones *c, const tsr_op *op, const function *f, tsr_tensor *points)
{
    tsr_tensor *first = NULL, *out = NULL;
    if (f->has_number) {
        first = tsr_tensor_like(points, points->elem);
        for (int64_t i = 0; first && i < points->n; i++)
            tsr_set_double(first, i, f->number);
    }
    tsr_tensor *in[2] = {first ? first : points, points};
    tsr_eval e;
    tsr_eval_init(&e, c->module, NULL);
    tsr_call call = {.e = &e, .op = op, .in = in, .out = &out};
    if (!tsr_kernel_of(op)(&call)) {
        tsr_tensor_unref(out);
        out = NULL;
    }
    tsr_eval_free(&e);
    tsr_tensor_unref(first);
    return out;
}

/* Whether an op has the values that node "to" has at these points, which stand in it. */
static bool agrees(tsr_cones *c, int32_t to, const tsr_op *op, const function *f, tsr_tensor *points)
{
    tsr_tensor *want = values_of(c, op, f, points);
    bool wide = points->dtype == TSR_D_F64;
    bool ok = want && near(c->nodes.data[to].at, want, points, wide ? 1e-8 : 2e-4);
    tsr_tensor_unref(want);
    return ok;
}

static bool agrees_everywhere(tsr_cones *c, int32_t from, int32_t to, const tsr_op *op, const function *f,
                              const tsr_numbers *numbers)
{
    tsr_tensor *points = many_points(c, from, numbers), *few = tsr_tensor_ref(c->nodes.data[from].at);
    bool ok = points && tsr_cones_eval(c, from, to, points) && agrees(c, to, op, f, points);
    if (!ok) /* others are asked */
        (void)tsr_cones_eval(c, from, (int32_t)c->nodes.n - 1, few);
    tsr_tensor_unref(points);
    tsr_tensor_unref(few);
    return ok;
}

/* Whether a function has the values of node "to" at the few points: those of the function are computed once. */
static bool agrees_at_first(tsr_cones *c, int32_t from, int32_t to, const function *f)
{
    tsr_tensor *points = c->nodes.data[from].at, *want = NULL;
    double number = f->has_number ? f->number : 0;
    for (size_t i = 0; i < c->tried.n && !want; i++)
        if (c->tried.data[i].opcode == f->opcode && c->tried.data[i].number == number &&
            c->tried.data[i].values->dtype == points->dtype)
            want = c->tried.data[i].values;
    if (!want) {
        tsr_op *op = op_of(c, from, to, f);
        want = values_of(c, op, f, points);
        tsr_op_erase(op);
        if (!want)
            return false;
        tsr_vec_push(&c->tried, (tsr_tried){f->opcode, number, want});
    }
    return near(c->nodes.data[to].at, want, points, points->dtype == TSR_D_F64 ? 1e-8 : 2e-4);
}

static tsr_op *try_function(tsr_cones *c, int32_t from, int32_t to, const function *f, const tsr_numbers *numbers)
{
    if (!agrees_at_first(c, from, to, f))
        return NULL;
    tsr_op *op = op_of(c, from, to, f);
    if (agrees_everywhere(c, from, to, op, f, numbers))
        return op;
    tsr_op_erase(op);
    return NULL;
}

tsr_op *tsr_match(tsr_cones *c, int32_t from, int32_t to)
{
    tsr_op *op = NULL;
    tsr_numbers numbers = {0};
    tsr_cones_numbers(c, from, to, &numbers);
    for (size_t i = 0; !op && i < TSR_COUNT(functions); i++) {
        function f = {.opcode = functions[i].opcode};
        if (functions[i].nin == 1)
            op = try_function(c, from, to, &f, &numbers);
        for (size_t k = 0; functions[i].nin == 2 && !op && k < numbers.n; k++) {
            f.has_number = true;
            f.number = numbers.data[k];
            if (f.number >= 1 && f.number <= 20 && f.number == floor(f.number))
                op = try_function(c, from, to, &f, &numbers);
        }
    }
    tsr_vec_free(&numbers);
    return op;
}
