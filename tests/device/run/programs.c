/* SPDX-License-Identifier: Apache-2.0 */
/* programs.c - programs in the memory of a device, by a backend that has nothing: what the run does itself, in every order
 * of the mock's work. All results have the evaluator's bits.
 *
 *   device_run            all tests */
#include "api/eval.h"
#include "api/guard.h"
#include "base/device_host.h"
#include "base/threads.h"
#include "eval/host.h"
#include "eval/plan.h"
#include "exec/backend.h"
#include "exec/run/mesh.h"
#include "tessera/tessera.h"
#include "../mock.h"
#include "../suite.h"

int tests_passed, tests_failed;
const char *test_name = "programs";

enum { MOST = 64 };

/* Every kind of node and of value: see the files. */
static const struct {
    const char *path, *function;
} files[] = {
    {"tests/exec/loop.mlir", "main"},
    {"tests/exec/loop.mlir", "recurrent"},
    {"tests/exec/branch.mlir", "main"},
    {"tests/exec/carried.mlir", "main"},
    {"tests/exec/carried.mlir", "swapped"},
    {"tests/exec/views.mlir", "main"},
    {"tests/exec/early.mlir", "main"},
    {"tests/exec/barrier.mlir", "main"},
    {"tests/exec/nested_manual.mlir", "main"},
    {"tests/corpus/shard_map_collectives/module.mlir", "main"},
    {"tests/corpus/lstm_scan/module.mlir", "main"},
    {"tests/corpus/sort_cumsum_gather/module.mlir", "main"},
    {"tests/corpus/moe_topk_dispatch/module.mlir", "main"},
};

/* What runs in one test: a function, its arguments, and what the evaluator gives. */
typedef struct {
    tsr_module *m;
    const tsr_op *func;
    size_t nin, nout;
    tsr_tensor *in[MOST], *want[MOST];
} job;

static tsr_ctx *ctx;

static void drop(tsr_tensor **t)
{
    tsr_tensors_drop(t, MOST);
}

static bool evaluate(job *j)
{
    tsr_plan *plan = tsr_plan_new(j->m);
    tsr_eval e;
    tsr_eval_init(&e, j->m, plan);
    bool ok = tsr_eval_function(&e, j->func, j->in, j->nin, j->want);
    CHECK(ok, "%.*s", TSR_STR_ARG(tsr_buf_text(&e.failure.message)));
    tsr_eval_free(&e);
    tsr_plan_free(plan);
    return ok;
}

static void end_job(job *j)
{
    drop(j->in);
    drop(j->want);
    tsr_module_free(j->m);
}

/* Takes the module. */
static bool begin_job(job *j, tsr_module *m, const char *function)
{
    tsr_status status = {0};
    *j = (job){.m = m};
    bool ok = m && tsr_make_runnable(m, false) &&
              (j->func = tsr_entry_find(m, tsr_cstr(function), &status));
    CHECK(ok, "%s cannot run: %s", function, status.message);
    if (!ok)
        return false;
    j->nin = j->func->regions[0].first->nargs;
    j->nout = j->func->regions[0].first->last->nin;
    CHECK(j->nin <= MOST && j->nout <= MOST, "%zu arguments", j->nin);
    for (size_t i = 0; i < j->nin; i++) {
        tsr_type *type = j->func->regions[0].first->args[i]->type;
        j->in[i] = tsr_type_has_static_shape(type)
                       ? tsr_module_random_input(m, tsr_cstr(function), i, 3 + i, NULL)
                       : tsr_tensor_zeros(type->elem, (int64_t[]){5}, 1);
    }
    return evaluate(j);
}

static tsr_device *open_mock(tsr_mock_options o)
{
    char error[256] = "";
    tsr_device *d = tsr_mock_open(0, &o, error, sizeof error);
    CHECK(d, "%s", error);
    return d;
}

static tsr_program *program_of(const job *j, tsr_device *d)
{
    return tsr_program_new(j->m, j->func,
                           &(tsr_program_options){.backend = &tsr_backend_null, .device = d});
}

static bool is_same(const tsr_tensor *a, const tsr_tensor *b)
{
    return a && b && a->kind == b->kind && a->n == b->n &&
           (a->kind != TSR_TENSOR || !memcmp(a->data, b->data, tsr_tensor_bytes(a)));
}

static void check_results(const job *j, tsr_tensor *const *out)
{
    for (size_t i = 0; i < j->nout; i++)
        CHECK(is_same(out[i], j->want[i]), "result %zu is another", i);
}

/* Whether it ran; why: receives the failure's text. */
static bool run(const job *j, const tsr_program *p, tsr_tensor *const *in, tsr_tensor **out,
                const tsr_run_hooks *hooks, char *why, size_t size)
{
    tsr_eval e;
    tsr_eval_init(&e, j->m, p->plan);
    bool ok = tsr_program_run(p, &e, in, j->nin, out, j->nout, hooks);
    if (!ok)
        snprintf(why, size, "%s%.*s", e.failure.environment ? "" : "(bad input) ",
                 TSR_STR_ARG(tsr_buf_text(&e.failure.message)));
    tsr_eval_free(&e);
    return ok;
}

/* A device that runs its programs leaves nothing behind. */
static void close_device(tsr_device *d)
{
    tsr_mock_live live = tsr_mock_count(d);
    CHECK(!live.blocks && !live.codes, "%d blocks of %llu bytes are left", live.blocks,
          (unsigned long long)live.bytes);
    d->close(d);
}

/* Twice, as constants last. */
static void run_job(const job *j, tsr_mock_options o)
{
    tsr_device *d = open_mock(o);
    tsr_program *p = program_of(j, d);
    char why[512] = "";
    for (int k = 0; k < 2; k++) {
        tsr_tensor *out[MOST] = {0};
        CHECK(run(j, p, j->in, out, NULL, why, sizeof why), "%s", why);
        check_results(j, out);
        drop(out);
    }
    tsr_program_free(p);
    close_device(d);
}

#ifndef TSR_MINIMAL
/* An op that changes its operand. */
static const char changing[] =
    "func.func @main(%c: tensor<1x1x4x2xf32>, %x: tensor<1x1x1x2xf32>, %i: tensor<1xi32>) -> "
    "(tensor<1x1x4x2xf32>, tensor<1x1x4x2xf32>) {\n"
    "  %0 = stablehlo.negate %c : tensor<1x1x4x2xf32>\n"
    "  \"ttir.update_cache\"(%c, %x, %i) <{batch_offset = 0 : i32}> : (tensor<1x1x4x2xf32>, "
    "tensor<1x1x1x2xf32>, tensor<1xi32>) -> ()\n"
    "  %1 = stablehlo.add %0, %c : tensor<1x1x4x2xf32>\n"
    "  return %1, %c : tensor<1x1x4x2xf32>, tensor<1x1x4x2xf32>\n}\n";
#endif

/* On the host, whose memory a backend could read: as on any device. */
static void run_on_host(const job *j)
{
    tsr_device *d = tsr_device_host(0);
    tsr_program *p = program_of(j, d);
    tsr_tensor *out[MOST] = {0};
    char why[512] = "";
    CHECK(run(j, p, j->in, out, NULL, why, sizeof why), "%s", why);
    check_results(j, out);
    drop(out);
    tsr_program_free(p);
    d->close(d);
}

static void run_orders(const job *j, uint32_t seed)
{
    run_on_host(j);
    run_job(j, (tsr_mock_options){.when = TSR_MOCK_LATE});
    run_job(j, (tsr_mock_options){.when = TSR_MOCK_RANDOM, .seed = seed});
    run_job(j, (tsr_mock_options){.when = TSR_MOCK_EAGER, .reversed = true});
}

static void test_files(void)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        job j;
        test_name = files[i].path;
        if (!begin_job(&j, tsr_module_parse_file(ctx, files[i].path), files[i].function))
            continue;
        run_orders(&j, (uint32_t)i);
        end_job(&j);
    }
#ifndef TSR_MINIMAL
    job j;
    test_name = "an operand that changes";
    if (begin_job(&j, tsr_module_parse(ctx, TSR_STR(changing), TSR_STR("changing.mlir")), "main"))
        run_orders(&j, 1);
    end_job(&j);
#endif
}

/* ---- Where arguments come from and results go ---- */

/* The first result is a movement, which the device has; others are the evaluator's, an argument, a constant, of a dynamic
 * size, and empty. */
#define S "tensor<33x33xf32>"
static const char text[] =
    "func.func @main(%a: " S " {tf.aliasing_output = 0 : i32}, %b: " S ", %i: tensor<i32>,\n"
    "    %d: tensor<?xf32>) -> (" S ", " S ", " S ", tensor<?xf32>, tensor<4xf32>, "
    "tensor<0x3xf32>) {\n"
    "  %k = stablehlo.constant dense<[1.0, 2.5, -3.0, 4.0]> : tensor<4xf32>\n"
    "  %e = stablehlo.constant dense<> : tensor<0x3xf32>\n"
    "  %0 = stablehlo.add %a, %b : " S "\n"
    "  %1 = stablehlo.transpose %0, dims = [1, 0] : (" S ") -> " S "\n"
    "  %2 = stablehlo.negate %d : tensor<?xf32>\n"
    "  return %1, %b, %0, %2, %k, %e : " S ", " S ", " S ", tensor<?xf32>, tensor<4xf32>, "
    "tensor<0x3xf32>\n}\n";

static bool begin_text(job *j)
{
    return begin_job(j, tsr_module_parse(ctx, TSR_STR(text), TSR_STR("places.mlir")), "main");
}

/* A copy of a tensor in the device's memory. */
static tsr_tensor *there(tsr_device *d, const tsr_tensor *t)
{
    tsr_tensor *to = tsr_tensor_on(d, t->elem, t->dims, t->rank);
    CHECK(to && d->copy_in(d, to->data, t->data, tsr_tensor_bytes(t)), "%s", d->error);
    return to;
}

static void check_there(tsr_device *d, const tsr_tensor *t, const tsr_tensor *want, size_t i)
{
    tsr_tensor *here = t && t->where ? tsr_tensor_like(t, t->elem) : NULL;
    CHECK(here && (!t->n || d->copy_out(d, here->data, t->data, tsr_tensor_bytes(t))) &&
              is_same(here, want),
          "result %zu is not there: %s", i, d->error);
    tsr_tensor_unref(here);
}

/* Results are computed in tensors of the caller, on the host and on the device. */
static void test_into(const job *j, tsr_device *d, const tsr_program *p)
{
    tsr_tensor *out[MOST] = {0}, *into[MOST] = {0};
    char why[512];
    for (size_t i = 0; i < j->nout; i++)
        into[i] = i == 0 || i == 1 ? tsr_tensor_on(d, j->want[i]->elem, j->want[i]->dims, 2)
                                   : tsr_tensor_like(j->want[i], j->want[i]->elem);
    bool ok = run(j, p, j->in, out, &(tsr_run_hooks){.into = into}, why, sizeof why);
    CHECK(ok, "%s", why);
    for (size_t i = 0; i < j->nout && ok; i++) {
        CHECK(out[i] == into[i], "result %zu is elsewhere", i);
        if (i < 2)
            check_there(d, out[i], j->want[i], i);
        else
            CHECK(is_same(out[i], j->want[i]), "result %zu", i);
    }
    drop(out);
    drop(into);
}

/* The first argument is given up, on the host or on the device: the first result is that very tensor. */
static void test_donated(const job *j, tsr_device *d, const tsr_program *p, bool away)
{
    tsr_tensor *out[MOST] = {0}, *in[MOST] = {0}, *donated[MOST] = {0};
    char why[512];
    for (size_t i = 0; i < j->nin; i++)
        in[i] = away && i < 2 ? there(d, j->in[i]) : tsr_tensor_ref(j->in[i]);
    if (!away) {
        tsr_tensor_unref(in[0]);
        in[0] = tsr_tensor_like(j->in[0], j->in[0]->elem);
        memcpy(in[0]->data, j->in[0]->data, tsr_tensor_bytes(in[0]));
    }
    donated[0] = in[0];
    bool ok = run(j, p, in, out, &(tsr_run_hooks){.donated = donated}, why, sizeof why);
    CHECK(ok, "%s", why);
    CHECK(!ok || out[0] == in[0], "the result is not in the argument's place");
    if (ok && away)
        check_there(d, out[0], j->want[0], 0);
    for (size_t i = away; i < j->nout && ok; i++)
        CHECK(is_same(out[i], j->want[i]), "result %zu", i);
    drop(out);
    drop(in);
}

/* Results stay, and are the next run's arguments; arguments that stay are not changed. */
static void test_stay(const job *j, tsr_device *d, const tsr_program *p)
{
    tsr_tensor *out[MOST] = {0}, *in[MOST] = {0}, *again[MOST] = {0};
    char why[512];
    in[0] = there(d, j->in[0]);
    for (size_t i = 1; i < j->nin; i++)
        in[i] = tsr_tensor_ref(j->in[i]);
    bool ok = run(j, p, in, out, &(tsr_run_hooks){.stay = true}, why, sizeof why);
    CHECK(ok, "%s", why);
    for (size_t i = 0; i < j->nout && ok; i++)
        if (i == 3 || i == 5) /* of dynamic size, or empty */
            CHECK(is_same(out[i], j->want[i]), "result %zu", i);
        else
            check_there(d, out[i], j->want[i], i);
    check_there(d, in[0], j->in[0], 100);
    tsr_tensor *next[MOST] = {in[0], out[1], in[2], in[3]};
    CHECK(ok && run(j, p, next, again, NULL, why, sizeof why), "%s", why);
    check_results(j, again);
    drop(out);
    drop(in);
    drop(again);
}

typedef struct {
    size_t values, calls;
    bool stops;
} told;

static bool observe(void *user, const tsr_program *p, tsr_xid group, const tsr_xid *values,
                    tsr_tensor *const *tensors, size_t n)
{
    told *t = user;
    (void)p, (void)group, (void)values;
    t->calls++;
    for (size_t i = 0; i < n; i++)
        t->values += !tensors[i]->where;
    return !t->stops;
}

static void test_hooks(const job *j, const tsr_program *p)
{
    tsr_tensor *out[MOST] = {0};
    char why[512] = "";
    told t = {0};
    CHECK(run(j, p, j->in, out, &(tsr_run_hooks){.user = &t, .observe = observe}, why, sizeof why),
          "%s", why);
    CHECK(t.values >= 3 && t.calls >= 3, "%zu values are told", t.values);
    check_results(j, out);
    drop(out);
    t.stops = true;
    CHECK(
        !run(j, p, j->in, out, &(tsr_run_hooks){.user = &t, .observe = observe}, why, sizeof why) &&
            strstr(why, "the caller ended the run"),
        "%s", why);
}

static void test_places(void)
{
    job j;
    test_name = "places";
    if (!begin_text(&j))
        return;
    for (int k = 0; k < 3; k++) {
        tsr_device *d = open_mock((tsr_mock_options){.when = (tsr_mock_when)k, .seed = 5});
        tsr_program *p = program_of(&j, d);
        test_into(&j, d, p);
        test_donated(&j, d, p, false);
        test_donated(&j, d, p, true);
        test_stay(&j, d, p);
        test_hooks(&j, p);
        tsr_program_free(p);
        close_device(d);
    }
    end_job(&j);
}

/* ---- Faults ---- */

/* Each allocation in turn fails: the run says so, and all is released. */
static void test_little_memory(void)
{
    job j;
    test_name = "memory";
    if (!begin_text(&j))
        return;
    bool ran = false;
    for (int n = 1; n < 40 && !ran; n++) {
        tsr_device *d = open_mock((tsr_mock_options){.failing = n});
        tsr_program *p = program_of(&j, d);
        tsr_tensor *out[MOST] = {0};
        char why[512] = "";
        ran = run(&j, p, j.in, out, NULL, why, sizeof why);
        CHECK(ran || strstr(why, "no memory for"), "allocation %d: %s", n, why);
        CHECK(ran || !strstr(why, "(bad input)"), "allocation %d: %s", n, why);
        CHECK(!ran || n > 4, "%d allocations", n);
        drop(out);
        tsr_program_free(p);
        close_device(d);
    }
    CHECK(ran, "it never has enough memory");
    end_job(&j);
}

/* The device is lost in the middle: work of others was wrong. */
static bool break_it(void *user, const tsr_program *p, tsr_xid group)
{
    tsr_device *d = user;
    (void)p, (void)group;
    d->fill(d, NULL, 1, 1);
    return true;
}

static void test_lost(void)
{
    job j;
    test_name = "lost";
    if (!begin_text(&j))
        return;
    tsr_device *d = open_mock((tsr_mock_options){.when = TSR_MOCK_LATE});
    tsr_program *p = program_of(&j, d);
    tsr_tensor *out[MOST] = {0};
    char why[512] = "";
    bool ok =
        run(&j, p, j.in, out, &(tsr_run_hooks){.user = d, .progress = break_it}, why, sizeof why);
    CHECK(!ok && strstr(why, "failed on its device: a fill"), "%s", ok ? "it ran" : why);
    CHECK(!run(&j, p, j.in, out, NULL, why, sizeof why), "it runs on a device that is lost");
    tsr_program_free(p);
    close_device(d);
    end_job(&j);
}

/* ---- Numbers that the host knows ---- */

static size_t read_back;
static bool (*copy_out)(tsr_device *d, void *to, const void *from, size_t n);

static bool count_copy(tsr_device *d, void *to, const void *from, size_t n)
{
    read_back++;
    return copy_out(d, to, from, n);
}

/* A loop whose counter and bound are the host's, a branch on the counter, and one that nobody knows before it is computed. */
static const char counting[] =
    "func.func @main(%n: tensor<i32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {\n"
    "  %c0 = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %c1 = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %0:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<4xf32>\n"
    "    cond {\n"
    "      %t = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "      stablehlo.return %t : tensor<i1>\n"
    "    } do {\n"
    "      %j = stablehlo.and %i, %c1 : tensor<i32>\n"
    "      %1 = \"stablehlo.case\"(%j) ({\n"
    "        %a = stablehlo.add %y, %y : tensor<4xf32>\n"
    "        stablehlo.return %a : tensor<4xf32>\n"
    "      }, {\n"
    "        %b = stablehlo.negate %y : tensor<4xf32>\n"
    "        stablehlo.return %b : tensor<4xf32>\n"
    "      }) : (tensor<i32>) -> tensor<4xf32>\n"
    "      %k = stablehlo.add %i, %c1 : tensor<i32>\n"
    "      stablehlo.return %k, %1 : tensor<i32>, tensor<4xf32>\n    }\n"
    "  return %0#1, %0#0 : tensor<4xf32>, tensor<i32>\n}\n";

static void test_known(void)
{
    job j;
    test_name = "known numbers";
    tsr_module *m = tsr_module_parse(ctx, TSR_STR(counting), TSR_STR("counting.mlir"));
    if (!begin_job(&j, m, "main"))
        return;
    tsr_device *d = open_mock((tsr_mock_options){.when = TSR_MOCK_LATE});
    tsr_tensor *out[MOST] = {0}, *in[2] = {tsr_tensor_like(j.in[0], j.in[0]->elem), j.in[1]};
    char why[512] = "";
    size_t reads[2];
    tsr_program *p = program_of(&j, d);
    copy_out = d->copy_out;
    d->copy_out = count_copy;
    for (int k = 0; k < 2; k++) {
        *(int32_t *)in[0]->data = k ? 20 : 10;
        read_back = 0;
        CHECK(run(&j, p, in, out, NULL, why, sizeof why), "%s", why);
        reads[k] = read_back;
        CHECK(((const float *)out[0]->data)[1] ==
                      (k ? 1024.0f : -32.0f) * ((const float *)j.in[1]->data)[1] &&
                  *(const int32_t *)out[1]->data == (k ? 20 : 10),
              "other results");
        drop(out);
    }
    /* The evaluator's kernels read what ten more steps add, twice in five of them, and negate; counters are not read. */
    CHECK(reads[1] - reads[0] == 15, "%zu values were read, then %zu", reads[0], reads[1]);
    tsr_tensor_unref(in[0]);
    tsr_program_free(p);
    close_device(d);
    end_job(&j);
}

/* A limit stops a loop that never ends: its frames are left at once, and the device's memory is released. */
static const char endless[] = "func.func @main(%x: tensor<100xf32>) -> tensor<100xf32> {\n"
                              "  %0 = stablehlo.while(%a = %x) : tensor<100xf32>\n"
                              "    cond {\n      %t = stablehlo.constant dense<true> : tensor<i1>\n"
                              "      stablehlo.return %t : tensor<i1>\n    } do {\n"
                              "      %1 = stablehlo.cosine %a : tensor<100xf32>\n"
                              "      stablehlo.return %1 : tensor<100xf32>\n    }\n"
                              "  return %0 : tensor<100xf32>\n}\n";

static bool run_guarded(const job *j, const tsr_program *p, tsr_status *status)
{
    TSR_GUARD_MODULE(g, j->m, TSR_READS, status, false)
    tsr_tensor *out[MOST] = {0};
    char why[512];
    bool ok = run(j, p, j->in, out, NULL, why, sizeof why);
    tsr_guard_finish(&g, ok);
    return ok;
}

static void test_stopped(void)
{
    job j = {.m = tsr_module_parse(ctx, TSR_STR(endless), TSR_STR("endless.mlir"))};
    test_name = "stopped";
    tsr_status status = {0};
    j.func =
        j.m && tsr_make_runnable(j.m, false) ? tsr_entry_find(j.m, TSR_STR("main"), &status) : NULL;
    CHECK(j.func, "%s", status.message);
    j.nin = j.nout = 1;
    j.in[0] = tsr_module_random_input(j.m, TSR_STR("main"), 0, 1, NULL);
    tsr_device *d = open_mock((tsr_mock_options){.when = TSR_MOCK_LATE});
    tsr_program *p = program_of(&j, d);
    tsr_ctx_set_budget(ctx, &(tsr_budget){.max_steps = 200});
    CHECK(!run_guarded(&j, p, &status) && strstr(status.message, "--max-steps"), "%s",
          status.message);
    tsr_ctx_set_budget(ctx, &(tsr_budget){0});
    tsr_program_free(p);
    close_device(d);
    end_job(&j);
}

int main(void)
{
    ctx = tsr_ctx_new();
    test_files();
    test_places();
    test_little_memory();
    test_lost();
    test_stopped();
    test_known();
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", tests_passed, tests_failed);
    return tests_failed != 0;
}
