/* SPDX-License-Identifier: Apache-2.0 */
/* faults.c - faults that are put into texts of kernels are found: by other numbers in some order of work, or by the mock. */
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* What is written instead of a part of a text, in a program of one op; last: of its places, the last one. */
typedef struct {
    const char *name, *module, *part, *instead;
    bool last;
} fault;

#define TRANSPOSE                                                            \
    "func.func @main(%a: tensor<70x90xf32>) -> tensor<90x70xf32> {\n"        \
    "  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<70x90xf32>) -> " \
    "tensor<90x70xf32>\n  return %0 : tensor<90x70xf32>\n}\n"
#define REVERSE                                                     \
    "func.func @main(%a: tensor<1000xi16>) -> tensor<1000xi16> {\n" \
    "  %0 = stablehlo.reverse %a, dims = [0] : tensor<1000xi16>\n"  \
    "  return %0 : tensor<1000xi16>\n}\n"
#define PRODUCT                                                                              \
    "func.func @main(%a: tensor<40x70xi32>, %b: tensor<70x50xi32>) -> tensor<40x50xi32> {\n" \
    "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : "                   \
    "(tensor<40x70xi32>, tensor<70x50xi32>) -> tensor<40x50xi32>\n"                          \
    "  return %0 : tensor<40x50xi32>\n}\n"
#define PAD                                                                          \
    "func.func @main(%a: tensor<9x7xf64>, %b: tensor<f64>) -> tensor<11x10xf64> {\n" \
    "  %0 = stablehlo.pad %a, %b, low = [1, 2], high = [1, 1], interior = [0, 0] : " \
    "(tensor<9x7xf64>, tensor<f64>) -> tensor<11x10xf64>\n"                          \
    "  return %0 : tensor<11x10xf64>\n}\n"
#define SLICE                                                                                \
    "func.func @main(%a: tensor<300xi8>, %b: tensor<ui32>) -> tensor<200xi8> {\n"            \
    "  %0 = stablehlo.dynamic_slice %a, %b, sizes = [200] : (tensor<300xi8>, tensor<ui32>) " \
    "-> tensor<200xi8>\n  return %0 : tensor<200xi8>\n}\n"
#define SUM(shape, dim, result)                                                            \
    "func.func @main(%a: tensor<" shape "xi32>) -> tensor<" result "xi32> {\n"             \
    "  %z = stablehlo.constant dense<0> : tensor<ui32>\n"                                  \
    "  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [" dim \
    "] : (tensor<" shape "xi32>, tensor<ui32>) -> tensor<" result "xi32>\n"                \
    "  return %0 : tensor<" result "xi32>\n}\n"
#define ROWS SUM("3x2048", "1", "3")
#define LONG SUM("2x70000", "1", "2")
#define COLUMNS SUM("640x24", "0", "24")
#define MAP                                                         \
    "func.func @main(%a: tensor<1003xi32>) -> tensor<1003xi32> {\n" \
    "  %0 = stablehlo.negate %a : tensor<1003xi32>\n  return %0 : tensor<1003xi32>\n}\n"

static const fault faults[] = {
    {"none", TRANSPOSE, NULL, NULL, false},
    {"a missing barrier", TRANSPOSE, "TSR_BARRIER();", "", false},
    {"lines of a tile that overlap", TRANSPOSE, "tile + b * 65 + a", "tile + b * 64 + a", false},
    {"an index one too far", REVERSE, "if (i < 1000u)", "if (i <= 1000u)", false},
    {"a barrier missing before the next step", PRODUCT, "TSR_BARRIER();", "", true},
    {"a barrier missing before the sums", PRODUCT, "TSR_BARRIER();", "", false},
    {"one step too few", PRODUCT, "k < 70u", "k < 64u", false},
    {"padding that is read", PAD, "x >= 0 && x < 7", "x >= 0 && x <= 7", false},
    {"a place that is not clamped", SLICE, "start > 100 ? 100 : start", "start", false},
    {"a map that ends one too late", MAP, "TSR_THREAD < 3", "TSR_THREAD <= 3", false},
    {"a chunk that is left out", MAP, "x < 1000u", "x < 996u", false},
    {"warps that do not wait for each other", ROWS, "TSR_BARRIER();", "", false},
    {"lanes that are left out", ROWS, "int lanes = 16", "int lanes = 8", false},
    {"a part that ends too early", LONG, "x < end", "x + 4 < end", false},
    {"a part that is left out", LONG, "part < 5u", "part < 4u", false},
    {"threads on the same columns that do not wait", COLUMNS, "TSR_BARRIER();", "", true},
    {"a row one too far", COLUMNS, "r < end", "r <= end", false},
};

/* ---- A device that changes texts ---- */

static const fault *now;
static bool (*compile)(tsr_device *d, const tsr_device_text *texts, size_t n, tsr_device_code *out);
static int changed;

static const char *place_of(const char *text, const fault *f)
{
    const char *at = strstr(text, f->part), *next = at;
    while (f->last && next && (next = strstr(next + 1, f->part)))
        at = next;
    return at;
}

static bool compile_changed(tsr_device *d, const tsr_device_text *texts, size_t n,
                            tsr_device_code *out)
{
    char **made = calloc(n, sizeof *made);
    tsr_device_text *to = calloc(n, sizeof *to);
    for (size_t i = 0; i < n; i++) {
        size_t size = texts[i].n + 256;
        char *whole = calloc(1, size);
        memcpy(whole, texts[i].text, texts[i].n);
        made[i] = whole;
        const char *at = now->part ? place_of(whole, now) : NULL;
        if (at) {
            made[i] = calloc(1, size);
            snprintf(made[i], size, "%.*s%s%s", (int)(at - whole), whole, now->instead,
                     at + strlen(now->part));
            free(whole);
            changed++;
        }
        to[i] = (tsr_device_text){made[i], strlen(made[i])};
    }
    bool ok = compile(d, to, n, out);
    for (size_t i = 0; i < n; i++)
        free(made[i]);
    free(made);
    free(to);
    return ok;
}

static void change(tsr_device *d)
{
    compile = d->compile;
    d->compile = compile_changed;
}

/* Whether all orders of work give the evaluator's bytes. */
static bool is_right(tsr_ctx *ctx, const char *text)
{
    test_job j;
    bool ok = test_begin(&j, ctx, tsr_cstr(text)) && test_evaluate(&j, NULL);
    for (int reversed = 0; ok && reversed < 2; reversed++) {
        char error[512];
        tsr_tensor *out[TEST_MOST] = {0};
        tsr_mock_options how = {.reversed = reversed};
        ok = test_run(&j, &how, change, out, error, sizeof error) &&
             !memcmp(out[0]->data, j.want[0]->data, tsr_tensor_bytes(out[0]));
        test_drop(out);
    }
    test_end(&j);
    return ok;
}

void test_faults(tsr_ctx *ctx)
{
    for (size_t i = 0; i < TSR_COUNT(faults); i++) {
        now = &faults[i];
        changed = 0;
        bool same = is_right(ctx, now->module);
        test_says(same == !now->part && (changed > 0) == (now->part != NULL), "%s: %s", now->name,
                  now->part ? "not found" : "the program is wrong");
    }
}
