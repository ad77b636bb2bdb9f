/* SPDX-License-Identifier: Apache-2.0 */
/* call.c - one call of emitted code: arguments of both languages, tensors that a function changes, devices of a mesh, and nonsense. */
#include <stdlib.h>
#include <string.h>

#include <tessera/code.h>
#include <tessera/tessera.h>

#include "check.h"

enum { MOST = 8 };

typedef struct {
    tsr_ctx *ctx;
    tsr_tensor *in[MOST], *out[MOST];
    size_t n;
    tsr_status status;
} world;

static void add(world *w, const char *text)
{
    w->in[w->n] = tsr_tensor_parse(w->ctx, tsr_cstr(text), &w->status);
    CHECK(w->in[w->n] != NULL);
    w->n++;
}

/* n tensors on each of ndevices. */
static bool call(world *w, const char *text, size_t n, size_t ndevices, size_t *nout)
{
    memset(&w->status, 0, sizeof w->status);
    return tsr_call_emitted(w->ctx, tsr_cstr(text), w->in, n, ndevices, w->out, MOST, nout,
                            &w->status);
}

static void drop(world *w, size_t nout)
{
    for (size_t i = 0; i < nout; i++)
        tsr_tensor_free(w->out[i]);
}

static world begin(void)
{
    world w;
    memset(&w, 0, sizeof w);
    w.ctx = tsr_ctx_new();
    return w;
}

static void end(world *w)
{
    for (size_t i = 0; i < w->n; i++)
        tsr_tensor_free(w->in[i]);
    tsr_ctx_free(w->ctx);
}

#define TENSORS "\"arguments\": [{\"tensor\": 0}, {\"tensor\": 1}"
#define ONE_DEVICE "\"mesh\": [1, 1]}"

static void test_languages(void)
{
    world w = begin();
    size_t n = 0;
    add(&w, "2x2xf32=1,2,3,4");
    add(&w, "2x2xf32=10,20,30,40");
    CHECK(call(&w,
               "{\"function\": \"ttnn.add\", " TENSORS
               "], \"named\": {\"dtype\": \"FLOAT32\", \"memory_config\": {}}, " ONE_DEVICE,
               2, 1, &n) &&
          n == 1 && tsr_tensor_get(w.out[0], 3) == 44 && tsr_tensor_size(w.out[0]) == 16);
    drop(&w, n);
    CHECK(call(&w,
               "{\"function\": \"ttnn::matmul\", " TENSORS
               ", true, false, {}, \"FLOAT32\", null, \"relu\", null], " ONE_DEVICE,
               2, 1, &n) &&
          n == 1 && tsr_tensor_get(w.out[0], 0) == 100);
    drop(&w, n);
    /* Two functions of one name: by the kind of an argument. */
    CHECK(call(&w,
               "{\"function\": \"ttnn::pow\", \"arguments\": [{\"tensor\": 0}, 2.0, "
               "null], " ONE_DEVICE,
               2, 1, &n) &&
          tsr_tensor_get(w.out[0], 3) == 16);
    drop(&w, n);
    CHECK(call(&w,
               "{\"function\": \"ttnn.topk\", \"arguments\": [{\"tensor\": 1}, 1, -1, true, true], "
               "\"named\": {}, " ONE_DEVICE,
               2, 1, &n) &&
          n == 2 && tsr_tensor_get(w.out[0], 1) == 40 && tsr_tensor_get(w.out[1], 1) == 1);
    drop(&w, n);
    /* Functions of the host are ops of TTIR. */
    CHECK(call(&w,
               "{\"function\": \"ttir_cpu.sum\", \"arguments\": [{\"tensor\": 0}], \"named\": "
               "{\"keep_dim\": true, \"dim_arg\": [1]}, " ONE_DEVICE,
               2, 1, &n) &&
          tsr_tensor_num_elements(w.out[0]) == 2 && tsr_tensor_get(w.out[0], 1) == 7);
    drop(&w, n);
    end(&w);
}

/* A cache is another tensor afterwards; the caller's other ones are the same. */
static void test_changes(void)
{
    world w = begin();
    size_t n = 9;
    add(&w, "1x1x4x2xf32=0");
    add(&w, "1x1x2x2xf32=1,2,3,4");
    tsr_tensor *before = w.in[0], *other = w.in[1];
    CHECK(call(&w, "{\"function\": \"ttnn.fill_cache\", " TENSORS ", 0], " ONE_DEVICE, 2, 1, &n) &&
          n == 0);
    CHECK(w.in[0] != before && w.in[1] == other);
    CHECK(tsr_tensor_get(w.in[0], 3) == 4 && tsr_tensor_get(w.in[0], 4) == 0);
    CHECK(tsr_tensor_get(before, 3) == 0);
    tsr_tensor_free(before);
    end(&w);
}

static void test_mesh(void)
{
    world w = begin();
    size_t n = 0;
    add(&w, "1x2xf32=1,2");
    add(&w, "1x2xf32=3,4");
    const char *gather = "{\"function\": \"ttnn.all_gather\", \"arguments\": [], \"named\": "
                         "{\"input_tensor\": {\"tensor\": 0}, "
                         "\"dim\": 0, \"cluster_axis\": 1}, \"mesh\": [1, 2]}";
    CHECK(call(&w, gather, 1, 2, &n) && n == 1);
    CHECK(tsr_tensor_num_elements(w.out[1]) == 4 && tsr_tensor_get(w.out[1], 2) == 3);
    drop(&w, 2 * n);
    /* Each for itself; devices that have the same tensor have the same result. */
    tsr_tensor *second = w.in[1];
    const char *exp =
        "{\"function\": \"ttnn.neg\", \"arguments\": [{\"tensor\": 0}], \"mesh\": [2, 1]}";
    CHECK(call(&w, exp, 1, 2, &n) && tsr_tensor_get(w.out[1], 1) == -4);
    drop(&w, 2 * n);
    w.in[1] = w.in[0];
    CHECK(call(&w, exp, 1, 2, &n) && w.out[0] == w.out[1]);
    drop(&w, 2 * n);
    w.in[1] = second;
    CHECK(!call(&w, gather, 1, 1, &n) && strstr(w.status.message, "2 devices, and 1 are given"));
    end(&w);
}

static void test_nonsense(void)
{
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"", "no JSON"},
        {"{\"function\": \"ttnn.transpose\", \"arguments\": [{\"tensor\": 0}, \"nan\", "
         "1], " ONE_DEVICE,
         "'dim0' must be"},
        {"{}", "a \"function\""},
        {"[1]", "a \"function\""},
        {"{\"function\": \"ttnn.add\", \"arguments\": []}", "mesh"},
        {"{\"function\": \"ttnn.add\", \"arguments\": [], \"mesh\": [1, 1]}", "'lhs' is not given"},
        {"{\"function\": \"ttnn.no_such\", \"arguments\": [], \"mesh\": [1]}",
         "no function ttnn.no_such"},
        {"{\"function\": \"ttir_cpu.no_such\", \"arguments\": [], \"mesh\": [1]}",
         "no such function"},
        {"{\"function\": \"ttnn.add\", " TENSORS ", 1, 2, 3], " ONE_DEVICE, "by place"},
        {"{\"function\": \"ttnn.add\", " TENSORS "], \"named\": {\"x\": 1}, " ONE_DEVICE,
         "of one of these names"},
        {"{\"function\": \"ttnn.add\", " TENSORS
         "], \"named\": {\"dtype\": \"FLOAT7\"}, " ONE_DEVICE,
         "no data type"},
        {"{\"function\": \"ttnn.add\", \"arguments\": [{\"tensor\": 0}, {\"tensor\": "
         "7}], " ONE_DEVICE,
         "'rhs' is no tensor"},
        {"{\"function\": \"ttnn.add\", \"arguments\": [{\"tensor\": 0}, {\"tensor\": "
         "-1}], " ONE_DEVICE,
         "'rhs' is no tensor"},
        {"{\"function\": \"ttnn.add\", " TENSORS "], " ONE_DEVICE, "broadcast"},
        {"{\"function\": \"ttnn.transpose\", \"arguments\": [{\"tensor\": 0}, 0, 7], " ONE_DEVICE,
         "within the bounds"},
        {"{\"function\": \"ttnn.permute\", \"arguments\": [{\"tensor\": 0}, [0, "
         "\"x\"]], " ONE_DEVICE,
         "'permutation' must be"},
        {"{\"function\": \"ttnn.add\", \"arguments\": [{\"tensor\": 0}, {\"tensor\": 0}], "
         "\"named\": {\"dtype\": \"BFLOAT16\"}, " ONE_DEVICE,
         "'ttnn.add' op"},
        {"{\"function\": \"ttnn.neg\", \"arguments\": [{\"tensor\": 0}], \"mesh\": [0, 1]}",
         "mesh"},
        {"{\"function\": \"ttnn.neg\", \"arguments\": [{\"tensor\": 0}], \"mesh\": "
         "[1,1,1,1,1,1,1,1,1]}",
         "8 axes"},
        {"{\"function\": \"ttnn.ones\", \"arguments\": [], \"named\": {\"shape\": "
         "[-3]}, " ONE_DEVICE,
         ""},
        {"{\"function\": \"ttnn.arange\", \"arguments\": [0, 4, 0], " ONE_DEVICE,
         "counts to an end"},
    };
    world w = begin();
    size_t n = 0;
    add(&w, "2x3xf32=1");
    add(&w, "4x5xf32=1");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool ok = call(&w, rows[i].text, 2, 1, &n);
        bool told = w.status.code && strstr(w.status.message, rows[i].why);
        CHECK(!ok && n == 0 && told);
        if (ok || !told)
            printf("  %s: %s\n", rows[i].text, w.status.message);
    }
    tsr_str text = tsr_cstr(rows[0].text);
    CHECK(!tsr_call_emitted(NULL, text, w.in, 1, 1, w.out, MOST, &n, NULL));
    CHECK(!tsr_call_emitted(w.ctx, text, NULL, 1, 1, w.out, MOST, &n, NULL));
    CHECK(!tsr_call_emitted(w.ctx, text, w.in, 1, 0, w.out, MOST, &n, NULL));
    CHECK(!tsr_call_emitted(w.ctx, text, w.in, 1, 1, NULL, MOST, &n, NULL));
    CHECK(!tsr_call_emitted(w.ctx, text, w.in, 1, 1, w.out, MOST, NULL, NULL));
    text =
        tsr_cstr("{\"function\": \"ttnn.neg\", \"arguments\": [{\"tensor\": 0}], \"mesh\": [1]}");
    CHECK(!tsr_call_emitted(w.ctx, text, w.in, 1, 1, w.out, 0, &n, &w.status));
    /* A type that no device has. */
    memset(&w.status, 0, sizeof w.status);
    tsr_tensor *wide = tsr_tensor_parse(w.ctx, tsr_cstr("2xf64=1"), &w.status);
    CHECK(!tsr_call_emitted(w.ctx, text, &wide, 1, 1, w.out, MOST, &n, &w.status) &&
          strstr(w.status.message, "none of ttnn's types"));
    tsr_tensor_free(wide);
    end(&w);
}

int main(void)
{
    test_languages();
    test_changes();
    test_mesh();
    test_nonsense();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
