/* SPDX-License-Identifier: Apache-2.0 */
/* module.c - writes random modules, and runs them on the mock device, work delivered late and warps reversed: movements
 * give the evaluator's bytes, products its numbers.
 *
 *   gpu_ops                        some seeds, and faults
 *   gpu_ops FIRST [LAST]           other seeds; one alone prints its module
 *   gpu_ops FIRST LAST FOLDER      writes the kernels' texts to files, and runs nothing
 *   gpu_ops print FILE             the steps and texts of a program */
#include "module.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
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

void test_says(bool ok, const char *fmt, ...)
{
    va_list args;
    passed += ok;
    failed += !ok;
    if (ok)
        return;
    va_start(args, fmt);
    vprintf(fmt, args);
    va_end(args);
    printf("\n");
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

static void compare(uint64_t seed, const test_module *m, tsr_tensor *const *out,
                    tsr_tensor *const *want)
{
    for (int i = 0; i < m->nresult; i++)
        if (m->near[i] == 0)
            test_says(!memcmp(out[i]->data, want[i]->data, tsr_tensor_bytes(want[i])),
                      "seed %llu: result %d differs", (unsigned long long)seed, i);
        else
            test_says(far(out[i], want[i]) <= m->near[i], "seed %llu: result %d differs by %g",
                      (unsigned long long)seed, i, far(out[i], want[i]));
}

/* Writes texts to folder/SEED-NUMBER.txt. */
static void write_texts(uint64_t seed, const test_job *j, const char *folder)
{
    tsr_program *p =
        tsr_program_new(j->m, j->f, &(tsr_program_options){.backend = &tsr_backend_gpu});
    const tsr_gpu_program *code = p->code;
    for (size_t i = 0; i < code->texts.n; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%llu-%zu.txt", folder, (unsigned long long)seed, i);
        tsr_str text = code->texts.data[i];
        FILE *f = fopen(path, "wb");
        bool ok = f && fwrite(text.data, 1, text.len, f) == text.len;
        test_says(f && fclose(f) == 0 && ok, "%s cannot be written", path);
    }
    tsr_program_free(p);
}

static void run_job(uint64_t seed, test_job *j, const test_module *m)
{
    test_says(test_evaluate(j, m->most), "seed %llu: the evaluator fails",
              (unsigned long long)seed);
    for (int reversed = 0; reversed < 2; reversed++) {
        char error[512] = "";
        tsr_tensor *out[TEST_MOST] = {0};
        tsr_mock_options how = {.when = reversed ? TSR_MOCK_RANDOM : TSR_MOCK_LATE,
                                .seed = (uint32_t)seed,
                                .reversed = reversed};
        bool ok = test_run(j, &how, NULL, out, error, sizeof error);
        test_says(ok, "seed %llu: %s", (unsigned long long)seed, error);
        if (ok)
            compare(seed, m, out, j->want);
        test_drop(out);
    }
}

/* Each kind of op at least once, then any. */
static void write_module(test_module *m, test_kind *const *kinds, tsr_buf *text)
{
    enum { OPS = 24, ROOM = 20 };
    int nkinds = 0;
    while (kinds[nkinds])
        nkinds++;
    for (int i = 0; m->narg < TEST_MOST - ROOM && m->nresult < TEST_MOST - 2 && i < OPS; i++)
        kinds[i < nkinds ? i : test_draw(0, nkinds - 1)](m);
    tsr_buf_printf(text, "func.func @main(%.*s) -> (%.*s) {\n%.*s  return %.*s : %.*s\n}\n",
                   TSR_STR_ARG(tsr_buf_text(&m->args)), TSR_STR_ARG(tsr_buf_text(&m->types)),
                   TSR_STR_ARG(tsr_buf_text(&m->body)), TSR_STR_ARG(tsr_buf_text(&m->results)),
                   TSR_STR_ARG(tsr_buf_text(&m->types)));
    tsr_buf_free(&m->args);
    tsr_buf_free(&m->body);
    tsr_buf_free(&m->results);
    tsr_buf_free(&m->types);
}

static void try_seed(tsr_ctx *ctx, uint64_t seed, bool prints, const char *folder,
                     test_kind *const *kinds)
{
    test_module m = {0};
    test_job j;
    tsr_buf text = {0};
    state = seed;
    write_module(&m, kinds, &text);
    if (prints)
        printf("%.*s", TSR_STR_ARG(tsr_buf_text(&text)));
    bool ok = test_begin(&j, ctx, tsr_buf_text(&text));
    test_says(ok, "seed %llu: the module is wrong", (unsigned long long)seed);
    if (ok && folder)
        write_texts(seed, &j, folder);
    else if (ok)
        run_job(seed, &j, &m);
    test_end(&j);
    tsr_buf_free(&text);
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
    if (argc == 3 && strcmp(argv[1], "print") == 0) {
        bool printed = test_print(ctx, argv[2]);
        tsr_ctx_free(ctx);
        return printed ? 0 : 1;
    }
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : argc > 1 ? first : 2;
    for (uint64_t seed = first; seed <= last; seed++)
        for (int k = 0; k < 2; k++)
            try_seed(ctx, seed * 2 + (uint64_t)k, argc == 2, argc > 3 ? argv[3] : NULL,
                     k ? test_products : test_moves);
    if (argc == 1)
        test_faults(ctx);
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
