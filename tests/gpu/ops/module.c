/* module.c - writes random modules, and runs them on the mock device, work delivered late and warps reversed: movements
 * give the evaluator's bytes, products its numbers.
 *
 *   gpu_ops [FIRST [LAST]]   other seeds; one alone prints its module */
#include "module.h"

#include <math.h>
#include <stdlib.h>

#include "api/eval.h"
#include "device/mock.h"
#include "eval/plan.h"
#include "gpu/gpu.h"
#include "tessera/tessera.h"

static int passed, failed;
static uint64_t state;

int64_t test_draw(int64_t low, int64_t high)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (int64_t)(state >> 33) % (high - low + 1);
}

bool test_flip(void)
{
    return test_draw(0, 1);
}

const char *test_type_of(test_type t)
{
    static char texts[8][96];
    static int next;
    char *out = texts[next++ % 8];
    int n = snprintf(out, 96, "tensor<");
    for (int i = 0; i < t.rank; i++)
        n += snprintf(out + n, 96 - (size_t)n, "%lldx", (long long)t.dims[i]);
    snprintf(out + n, 96 - (size_t)n, "%s>", t.elem);
    return out;
}

int test_argument(test_module *m, test_type t, int64_t most)
{
    tsr_buf_printf(&m->args, "%s%%a%d: %s", m->narg ? ", " : "", m->narg, test_type_of(t));
    m->most[m->narg] = most;
    return m->narg++;
}

void test_result(test_module *m, test_type t, double near)
{
    tsr_buf_printf(&m->results, "%s%%%d", m->nresult ? ", " : "", m->nvalue - 1);
    tsr_buf_printf(&m->types, "%s%s", m->nresult ? ", " : "", test_type_of(t));
    m->near[m->nresult++] = near;
}

void test_list(tsr_buf *out, const int64_t *v, int n)
{
    tsr_buf_cstr(out, "[");
    for (int i = 0; i < n; i++)
        tsr_buf_printf(out, "%s%lld", i ? ", " : "", (long long)v[i]);
    tsr_buf_cstr(out, "]");
}

const char *test_elem(void)
{
    static const char *const all[] = {"i1",           "i8",           "ui8", "f8E4M3FN", "i16",
                                      "bf16",         "f16",          "f32", "i32",      "f64",
                                      "complex<f32>", "complex<f64>", "i64"};
    return all[test_draw(0, (int64_t)TSR_COUNT(all) - 1)];
}

int64_t test_size(void)
{
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 32, 64, 96};
    return sizes[test_draw(0, (int64_t)TSR_COUNT(sizes) - 1)];
}

test_type test_any(int least)
{
    test_type t = {.rank = (int)test_draw(least, TEST_RANK), .elem = test_elem()};
    for (int64_t n = 1, i = 0; i < t.rank; n *= t.dims[i++])
        t.dims[i] = n > 4000 ? test_draw(1, 2) : test_size();
    return t;
}

/* ---- Modules run ---- */

static void fill(tsr_tensor *t, int64_t most)
{
    size_t bytes = tsr_tensor_bytes(t), each = tsr_dtype_bytes((tsr_dtype)t->dtype);
    for (size_t i = 0; i < bytes && most < 0; i++)
        ((uint8_t *)t->data)[i] =
            t->dtype == TSR_D_I1 ? (uint8_t)test_draw(0, 1) : (uint8_t)test_draw(0, 255);
    for (int64_t i = 0; i < t->n && most > 0; i++) {
        bool is_signed = tsr_dtype_kind((tsr_dtype)t->dtype) == TSR_K_SINT;
        int64_t v = test_draw(is_signed ? -2 : 0, most);
        tsr_convert((tsr_dtype)t->dtype, (char *)t->data + (size_t)i * each, TSR_D_I64, &v, 1);
    }
    for (int64_t i = 0; i < t->n && !most; i++) {
        double v = (double)test_draw(-8, 8) / 8;
        if (tsr_dtype_is_int((tsr_dtype)t->dtype))
            v *= 8;
        tsr_convert((tsr_dtype)t->dtype, (char *)t->data + (size_t)i * each, TSR_D_F64, &v, 1);
    }
}

static double far(const tsr_tensor *a, const tsr_tensor *b)
{
    double most = 0, x, y;
    size_t each = tsr_dtype_bytes((tsr_dtype)a->dtype);
    for (int64_t i = 0; i < a->n; i++) {
        tsr_convert(TSR_D_F64, &x, (tsr_dtype)a->dtype, (char *)a->data + (size_t)i * each, 1);
        tsr_convert(TSR_D_F64, &y, (tsr_dtype)b->dtype, (char *)b->data + (size_t)i * each, 1);
        double d = fabs(x - y) / (1 + fabs(y));
        most = d > most || isnan(d) ? d : most;
    }
    return most;
}

static void compare(uint64_t seed, const test_module *m, tsr_tensor **out, tsr_tensor **want)
{
    for (int i = 0; i < m->nresult; i++) {
        bool same = m->near[i] == 0
                        ? !memcmp(out[i]->data, want[i]->data, tsr_tensor_bytes(want[i]))
                        : far(out[i], want[i]) <= m->near[i];
        passed += same;
        failed += !same;
        if (!same)
            printf("seed %llu: result %d differs, by %g\n", (unsigned long long)seed, i,
                   m->near[i] == 0 ? 0 : far(out[i], want[i]));
    }
}

/* Runs a function whose groups are all the device's. False: error says why. */
static bool run_on_mock(tsr_module *made, const tsr_op *f, const tsr_mock_options *how,
                        tsr_tensor *const *in, int nin, tsr_tensor **out, int nout, char *error,
                        size_t size)
{
    tsr_device *d = tsr_mock_open(0, how, error, size);
    tsr_program *p =
        tsr_program_new(made, f, &(tsr_program_options){.backend = &tsr_backend_gpu, .device = d});
    tsr_eval e;
    tsr_eval_init(&e, made, p->plan);
    bool ok = tsr_program_run(p, &e, in, (size_t)nin, out, (size_t)nout);
    if (!ok)
        snprintf(error, size, "%.*s", TSR_STR_ARG(tsr_buf_text(&e.failure.message)));
    else if (tsr_program_others(p))
        snprintf(error, size, "the host runs %u groups", tsr_program_others(p));
    ok = ok && !tsr_program_others(p);
    tsr_eval_free(&e);
    tsr_program_free(p);
    d->close(d);
    return ok;
}

static void free_all(tsr_tensor **t, int n)
{
    for (int i = 0; i < n; i++)
        tsr_tensor_unref(t[i]);
}

static void run_module(uint64_t seed, tsr_module *made, const test_module *m)
{
    tsr_status status = {0};
    const tsr_op *f =
        tsr_make_runnable(made, false) ? tsr_entry_find(made, TSR_STR("main"), &status) : NULL;
    tsr_tensor *in[TEST_MOST] = {0}, *out[TEST_MOST] = {0}, *want[TEST_MOST] = {0};
    if (!f) {
        failed++;
        return;
    }
    for (int i = 0; i < m->narg; i++) {
        const tsr_type *t = f->regions[0].first->args[i]->type;
        in[i] = tsr_tensor_zeros(t->elem, t->dims, t->n);
        fill(in[i], m->most[i]);
    }
    tsr_plan *plan = tsr_plan_facts(made);
    tsr_plan_frames(plan, made);
    tsr_eval e;
    tsr_eval_init(&e, made, plan);
    bool ok = tsr_eval_function(&e, f, in, (size_t)m->narg, want);
    for (int reversed = 0; ok && reversed < 2; reversed++) {
        char error[512] = "";
        tsr_mock_options how = {.when = reversed ? TSR_MOCK_RANDOM : TSR_MOCK_LATE,
                                .seed = (uint32_t)seed,
                                .reversed = reversed};
        ok = run_on_mock(made, f, &how, in, m->narg, out, m->nresult, error, sizeof error);
        if (!ok)
            printf("seed %llu: %s\n", (unsigned long long)seed, error);
        else
            compare(seed, m, out, want);
        free_all(out, m->nresult);
    }
    failed += !ok;
    tsr_eval_free(&e);
    tsr_plan_free(plan);
    free_all(in, m->narg);
    free_all(want, m->nresult);
}

/* Each kind of op at least once, then any. */
static void try_seed(tsr_ctx *ctx, uint64_t seed, bool prints, test_kind *const *kinds)
{
    enum { OPS = 24 };
    test_module m = {0};
    int nkinds = 0;
    state = seed;
    while (kinds[nkinds])
        nkinds++;
    for (int i = 0; m.narg < TEST_MOST - 20 && m.nresult < TEST_MOST - 2 && i < OPS; i++)
        kinds[i < nkinds ? i : test_draw(0, nkinds - 1)](&m);
    tsr_buf text = {0};
    tsr_buf_printf(&text, "func.func @main(%.*s) -> (%.*s) {\n%.*s  return %.*s : %.*s\n}\n",
                   TSR_STR_ARG(tsr_buf_text(&m.args)), TSR_STR_ARG(tsr_buf_text(&m.types)),
                   TSR_STR_ARG(tsr_buf_text(&m.body)), TSR_STR_ARG(tsr_buf_text(&m.results)),
                   TSR_STR_ARG(tsr_buf_text(&m.types)));
    if (prints)
        printf("%.*s", TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_module *made = tsr_module_parse(ctx, tsr_buf_text(&text), TSR_STR("random.mlir"));
    if (made)
        run_module(seed, made, &m);
    else
        failed++;
    tsr_module_free(made);
    tsr_buf_free(&text);
    tsr_buf_free(&m.args);
    tsr_buf_free(&m.body);
    tsr_buf_free(&m.results);
    tsr_buf_free(&m.types);
}

static void say(void *user, const tsr_diag *d)
{
    (void)user;
    printf("%u: %.*s\n", d->line, TSR_STR_ARG(d->message));
}

int main(int argc, char **argv)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, say, NULL);
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : argc > 1 ? first : 2;
    for (uint64_t seed = first; seed <= last; seed++)
        for (int k = 0; k < 2; k++)
            try_seed(ctx, seed, argc == 2, k ? test_products : test_moves);
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
