/* SPDX-License-Identifier: Apache-2.0 */
/* device.c - devices in the public API, on the mock: opened by name, memory, tensors there, programs that run there with
 * tensors and buffers of either side, results that stay, several threads, and what is refused. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/tessera.h>

#include "check.h"

#define STR(s) ((tsr_str){(s), strlen(s)})
#define FAILS(call, why) CHECK((memset(&s, 0, sizeof s), !(call)) && strstr(s.message, why))

enum { N = 6 };
static const char text[] =
    "func.func @main(%a: tensor<2x3xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<2x3xf32>)\n"
    "    -> (tensor<2x3xf32>, tensor<2x3xf32>) {\n"
    "  %0 = stablehlo.add %a, %b : tensor<2x3xf32>\n"
    "  %1 = stablehlo.multiply %0, %b : tensor<2x3xf32>\n"
    "  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>\n}\n"
    "func.func @large(%a: tensor<1000x1000x1000xf32>) -> tensor<1000x1000x1000xf32> {\n"
    "  %0 = stablehlo.cosine %a : tensor<1000x1000x1000xf32>\n"
    "  return %0 : tensor<1000x1000x1000xf32>\n}\n";

static const float a_data[N] = {1, 2, 3, 4, 5, 6}, b_data[N] = {0.5f, 1, 1.5f, 2, 2.5f, 3};

static tsr_ctx *ctx;
static tsr_module *m;

static void check_sums(const float *x)
{
    for (int i = 0; i < N; i++)
        CHECK(x[i] == a_data[i] + b_data[i]);
}

static void check_products(const float *x)
{
    for (int i = 0; i < N; i++)
        CHECK(x[i] == (a_data[i] + b_data[i]) * b_data[i]);
}

/* ---- Devices ---- */

static void test_names(void)
{
    tsr_status s = {TSR_OK, ""};
    static const char *const bad[] = {"", "mock:", "mock:x", "mock:99999", "../mock", "Mock", ":1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        FAILS(tsr_device_open(STR(bad[i]), &s), "is no name of a device");
    FAILS(tsr_device_open(STR("nobodys"), &s), "there is no plug-in tessera_nobodys.so");
    tsr_device *d = tsr_device_open(STR("mock"), &s), *same = tsr_device_open(STR("mock:0"), &s);
    tsr_device *other = tsr_device_open(STR("mock:1"), &s);
    CHECK(d && d == same && other && other != d);
    tsr_device_facts f;
    tsr_device_tell(d, &f);
    CHECK(strcmp(f.name, "mock device 0") == 0 && f.number == 0 && f.left == (int64_t)f.bytes);
    tsr_device_tell(other, &f);
    CHECK(f.number == 1 && f.align >= 16);
    tsr_device_close(same);
    tsr_device_close(other);
    tsr_device_close(d);
    tsr_device_close(NULL);
}

static void test_report(void)
{
    tsr_status s = {TSR_OK, ""};
    tsr_str t = tsr_device_report(STR("mock"), false, &s);
    CHECK(t.data && strstr(t.data, "mock:0  mock device 0, 1.1 GB of memory"));
    tsr_free((void *)t.data);
    t = tsr_device_report(STR("mock"), true, &s);
    CHECK(t.data && strstr(t.data, "{\"name\": \"mock:1\", \"hardware\": \"mock device 1\""));
    CHECK(t.data && strstr(t.data, "\"libraries\": []"));
    tsr_free((void *)t.data);
    FAILS(tsr_device_report(STR("mock:1"), false, &s).data, "is no kind of devices");
    FAILS(tsr_device_report(STR("nobodys"), false, &s).data, "there is no plug-in");
}

static void test_memory(void)
{
    tsr_status s = {TSR_OK, ""};
    tsr_device *d = tsr_device_open(STR("mock"), &s);
    char in[100] = "some bytes", out[100] = "";
    char *at = tsr_device_allocate(d, 100, &s);
    uint64_t mark;
    CHECK(at && tsr_device_copy_in(d, at, in, 100, &s) &&
          tsr_device_copy_out(d, out, at + 5, 95, &s) && strcmp(out, "bytes") == 0);
    CHECK(tsr_device_mark(d, &mark, &s) && tsr_device_wait(d, &s) &&
          tsr_device_reached(d, mark) == 1);
    FAILS(tsr_device_allocate(d, (size_t)1 << 40, &s), "no memory for 1099511627776 bytes");
    tsr_device_release(d, at);
    tsr_device_release(d, NULL);
    /* Memory keeps its device open. */
    at = tsr_device_allocate(d, 10, &s);
    tsr_device_close(d);
    CHECK(tsr_device_copy_in(d, at, in, 10, &s));
    tsr_device_release(d, at);
}

/* ---- Tensors ---- */

static tsr_tensor *tensor_of(const float *data)
{
    return tsr_tensor_create(ctx, STR("f32"), (int64_t[]){2, 3}, 2, data, NULL);
}

static void test_tensors(void)
{
    tsr_status s = {TSR_OK, ""};
    tsr_device *d = tsr_device_open(STR("mock"), &s), *other = tsr_device_open(STR("mock:1"), &s);
    tsr_tensor *a = tensor_of(a_data), *there = tsr_tensor_to_device(a, d, &s);
    tsr_tensor *further = tsr_tensor_to_device(there, other, &s);
    tsr_tensor *back = tsr_tensor_to_device(further, NULL, &s);
    CHECK(!tsr_tensor_device(a) && tsr_tensor_device(there) == d &&
          tsr_tensor_device(further) == other && !tsr_tensor_device(back));
    CHECK(back && memcmp(tsr_tensor_data(back), a_data, sizeof a_data) == 0);
    tsr_comparison c;
    CHECK(tsr_tensor_compare(there, a, NULL, &c) && c.exact);
    tsr_str t = tsr_tensor_text(there), want = tsr_tensor_text(a);
    CHECK(t.data && want.data && strcmp(t.data, want.data) == 0);
    tsr_free((void *)t.data);
    tsr_free((void *)want.data);
    CHECK(tsr_tensor_get(there, 1) == 0 && tsr_tensor_get(back, 1) == 2);
    FAILS(tsr_tensor_to_dlpack(there, true, &s), "no name for devices of kind mock");
    tsr_tensor *out[2];
    tsr_tensor *in[2] = {there, a};
    FAILS(tsr_module_eval(m, STR("main"), in, 2, out, 2, &s),
          "input 0 is in the memory of mock device 0");
    tsr_tensor_free(a);
    tsr_tensor_free(back);
    tsr_device_close(d);
    tsr_device_close(other);
    tsr_tensor_free(there);
    tsr_tensor_free(further);
}

/* ---- Programs ---- */

static tsr_executable *compile_for(const char *device, const char *function, tsr_status *s)
{
    return tsr_module_compile(m, STR(function), &(tsr_compile_options){.device = STR(device)}, s);
}

static void check_there(tsr_tensor *t, tsr_device *d, void check(const float *x))
{
    tsr_tensor *here = t ? tsr_tensor_to_device(t, NULL, NULL) : NULL;
    CHECK(tsr_tensor_device(t) == d && here);
    if (here)
        check(tsr_tensor_data(here));
    tsr_tensor_free(here);
    tsr_tensor_free(t);
}

static void test_run(void)
{
    tsr_status s = {TSR_OK, ""};
    tsr_executable *x = compile_for("mock", "main", &s);
    CHECK(x && s.code == TSR_OK);
    tsr_device *d = tsr_executable_device(x), *other = tsr_device_open(STR("mock:1"), &s);
    tsr_tensor *a = tensor_of(a_data), *b = tensor_of(b_data);
    tsr_tensor *there = tsr_tensor_to_device(b, d, &s),
               *elsewhere = tsr_tensor_to_device(b, other, &s);
    tsr_tensor *out[2];
    CHECK(tsr_executable_run(x, (tsr_tensor *[]){a, b}, 2, out, 2, NULL, &s));
    CHECK(!tsr_tensor_device(out[0]));
    check_there(out[0], NULL, check_sums);
    check_there(out[1], NULL, check_products);
    CHECK(tsr_executable_run(x, (tsr_tensor *[]){a, there}, 2, out, 2, NULL, &s));
    check_there(out[0], NULL, check_sums);
    check_there(out[1], NULL, check_products);
    tsr_execute_options stay = {.stay = true};
    for (int i = 0; i < 3; i++) { /* enqueued one after the other */
        CHECK(tsr_executable_run(x, (tsr_tensor *[]){a, there}, 2, out, 2, &stay, &s));
        check_there(out[0], d, check_sums);
        check_there(out[1], d, check_products);
    }
    FAILS(tsr_executable_run(x, (tsr_tensor *[]){a, elsewhere}, 2, out, 2, NULL, &s),
          "input 1 is in the memory of mock device 1");
    tsr_executable *host = tsr_module_compile(m, STR("main"), NULL, &s);
    CHECK(!tsr_executable_device(host));
    FAILS(tsr_executable_run(host, (tsr_tensor *[]){a, there}, 2, out, 2, NULL, &s),
          "input 1 is in the memory of mock device 0");
    tsr_executable_free(host);
    tsr_tensor_free(a);
    tsr_tensor_free(b);
    tsr_tensor_free(there);
    tsr_tensor_free(elsewhere);
    tsr_executable_free(x);
    tsr_device_close(other);
}

static void test_buffers(void)
{
    tsr_status s = {TSR_OK, ""};
    tsr_executable *x = compile_for("mock:1", "main", &s);
    tsr_device *d = tsr_executable_device(x);
    char *block = tsr_device_allocate(d, 1024, &s); /* one, for all buffers */
    float sums[N], products[N];
    tsr_input_buffer in[2] = {{block, sizeof a_data}, {block + 256, sizeof b_data}};
    tsr_output_buffer out[2] = {{block + 512, sizeof sums}, {block + 768, sizeof products}};
    for (int stays = 0; stays < 2; stays++) {
        tsr_execute_options o = {.stay = stays};
        CHECK(tsr_device_copy_in(d, block, a_data, sizeof a_data, &s) &&
              tsr_device_copy_in(d, block + 256, b_data, sizeof b_data, &s));
        CHECK(tsr_executable_run_buffers(x, in, 2, out, 2, &o, &s));
        CHECK(tsr_device_copy_out(d, sums, block + 512, sizeof sums, &s) &&
              tsr_device_copy_out(d, products, block + 768, sizeof products, &s));
        check_sums(sums);
        check_products(products);
    }
    /* An output in the place of a donated input. */
    const bool given_up[2] = {true, false};
    out[0].data = block;
    CHECK(tsr_executable_run_buffers(x, in, 2, out, 2, &(tsr_execute_options){.given_up = given_up},
                                     &s) &&
          tsr_device_copy_out(d, sums, block, sizeof sums, &s));
    check_sums(sums);
    /* What is no memory of the device fails there, and the process goes on. */
    in[0].data = block + 1024;
    CHECK(!tsr_executable_run_buffers(x, in, 2, out, 2, NULL, &s) && s.code == TSR_ENVIRONMENT);
    CHECK(tsr_device_wait(d, &s) == false && tsr_device_reached(d, 0) == -1);
    tsr_device_release(d, block);
    tsr_executable_free(x);
    /* The device is closed with all that it had: a new one works. */
    tsr_device *again = tsr_device_open(STR("mock:1"), &s);
    CHECK(again && tsr_device_wait(again, &s));
    tsr_device_close(again);
}

static void test_refused(void)
{
    tsr_status s = {TSR_OK, ""};
    FAILS(compile_for("nobodys:1", "main", &s), "there is no plug-in");
    FAILS(compile_for("mock:77", "main", &s), "mock:77: ");
    FAILS(compile_for("mock", "large", &s),
          "needs 8000000000 bytes at its peak, and mock device 0 has 1073741824");
    CHECK(strstr(s.message, "1000x1000x1000xf32"));
}

/* ---- Threads ---- */

static void *run_often(void *user)
{
    tsr_executable *x = user;
    tsr_tensor *a = tensor_of(a_data), *out[2];
    tsr_tensor *b = tsr_tensor_to_device(a, tsr_executable_device(x), NULL);
    for (int i = 0; i < 20; i++) {
        tsr_execute_options o = {.stay = i % 2};
        bool ok = tsr_executable_run(x, (tsr_tensor *[]){a, b}, 2, out, 2, &o, NULL);
        tsr_tensor *sum = ok ? tsr_tensor_to_device(out[0], NULL, NULL) : NULL;
        if (!sum || ((const float *)tsr_tensor_data(sum))[5] != 12)
            return user;
        tsr_tensor_free(sum);
        tsr_tensor_free(out[0]);
        tsr_tensor_free(out[1]);
    }
    tsr_tensor_free(a);
    tsr_tensor_free(b);
    return NULL;
}

static void test_threads(void)
{
    enum { THREADS = 3 };
    pthread_t threads[THREADS];
    tsr_executable *x = compile_for("mock", "main", NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run_often, x);
    for (int i = 0; i < THREADS; i++) {
        void *failure = NULL;
        pthread_join(threads[i], &failure);
        CHECK(!failure);
    }
    tsr_executable_free(x);
}

int main(void)
{
    ctx = tsr_ctx_new();
    m = tsr_module_parse(ctx, STR(text), STR("device.mlir"));
    CHECK(m);
    test_names();
    test_report();
    test_memory();
    test_tensors();
    test_run();
    test_buffers();
    test_refused();
    test_threads();
    tsr_module_free(m);
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
