/* SPDX-License-Identifier: Apache-2.0 */
/* plans.c - plans through the public API: found, written, read, chosen from, applied to modules of other contexts, checked, compared; and what
 * cannot be read or applied is refused with a reason. */
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/tessera.h>

#include "check.h"

#define STR(s) ((tsr_str){(s), strlen(s)})

/* Two layers, in a function that is called, and the step of an optimiser. */
static const char program[] =
    "func.func @main(%x: tensor<2048x4096xf32> loc(\"x\"), %w: tensor<4096x8192xf32> loc(\"w\"), "
    "%v: "
    "tensor<8192x4096xf32> loc(\"v\")) -> (tensor<4096x8192xf32>, tensor<2048x4096xf32>) {\n"
    "  %0 = call @layer(%x, %w) : (tensor<2048x4096xf32>, tensor<4096x8192xf32>) -> "
    "tensor<2048x8192xf32>\n"
    "  %1 = stablehlo.dot_general %0, %v, contracting_dims = [1] x [0] : (tensor<2048x8192xf32>, "
    "tensor<8192x4096xf32>) -> tensor<2048x4096xf32> loc(\"product\"(\"m.py\":3:4))\n"
    "  %2 = stablehlo.add %w, %w : tensor<4096x8192xf32>\n"
    "  return %2, %1 : tensor<4096x8192xf32>, tensor<2048x4096xf32>\n"
    "}\n"
    "func.func private @layer(%x: tensor<2048x4096xf32>, %w: tensor<4096x8192xf32>) -> "
    "tensor<2048x8192xf32> {\n"
    "  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2048x4096xf32>, "
    "tensor<4096x8192xf32>) -> tensor<2048x8192xf32> loc(\"inner\"(\"m.py\":7:8))\n"
    "  %1 = stablehlo.tanh %0 : tensor<2048x8192xf32>\n"
    "  return %1 : tensor<2048x8192xf32>\n"
    "}\n";

static tsr_module *parse(tsr_ctx *ctx, const char *text)
{
    return tsr_module_parse(ctx, STR(text), STR("m.mlir"));
}

static tsr_mesh_plan *find(tsr_module *m, tsr_plan_options options, tsr_status *s)
{
    options.search.mesh = options.search.mesh.len ? options.search.mesh : STR("x=2,y=2");
    return tsr_module_find_plan(m, &options, s);
}

static bool says(tsr_status *s, const char *what)
{
    bool ok = s->code == TSR_BAD_INPUT && strstr(s->message, what);
    if (!ok)
        printf("expected '%s', got: %s\n", what, s->message);
    *s = (tsr_status){0};
    return ok;
}

static bool same_text(tsr_str a, tsr_str b)
{
    bool same = a.len && a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
    tsr_free((void *)a.data);
    tsr_free((void *)b.data);
    return same;
}

static tsr_str printed(tsr_module *m)
{
    return tsr_module_print(m, NULL);
}

/* ---- Round trip ---- */

static void test_round_trip(tsr_ctx *ctx)
{
    tsr_status s = {0};
    bool keeps = false;
    tsr_module *m = parse(ctx, program), *other;
    tsr_str before = printed(m);
    tsr_mesh_plan *p = find(m, (tsr_plan_options){.pins = TSR_PINS_ALL}, &s), *q;
    CHECK(p && s.code == TSR_OK);
    CHECK(same_text(before, printed(m))); /* it is left as it was */
    tsr_str text = tsr_mesh_plan_to_json(p, &s);
    q = tsr_mesh_plan_from_json(text, STR("p.json"), &s);
    CHECK(q && same_text(text, tsr_mesh_plan_to_json(q, &s)));
    tsr_str compared = tsr_mesh_plan_compare(p, q, false, &s);
    CHECK(compared.len && strstr(compared.data, "the same shardings"));
    tsr_free((void *)compared.data);
    /* To a module of another context, read from bytecode. */
    tsr_ctx *ctx2 = tsr_ctx_new();
    tsr_str code = tsr_module_bytecode(m, -1);
    other = tsr_module_parse(ctx2, code, STR("m.mlirbc"));
    tsr_free((void *)code.data);
    CHECK(other && tsr_module_apply_plan(other, q, false, &s));
    CHECK(tsr_module_apply_plan(m, p, false, &s) && same_text(printed(m), printed(other)));
    CHECK(tsr_module_verify(m) && tsr_module_partition(m));
    /* And again: the shardings that it has are replaced. */
    CHECK(tsr_module_apply_plan(other, p, false, &s) && tsr_module_verify(other));
    tsr_str checked = tsr_module_check_plan(other, q, NULL, true, &keeps, &s);
    CHECK(checked.len && keeps && strstr(checked.data, "\"keeps\": true"));
    tsr_free((void *)checked.data);
    tsr_mesh_plan_free(p);
    tsr_mesh_plan_free(q);
    tsr_module_free(m);
    tsr_module_free(other);
    tsr_ctx_free(ctx2);
}

static void test_select(tsr_module *m)
{
    tsr_status s = {0};
    tsr_mesh_plan *p = find(m, (tsr_plan_options){.pins = TSR_PINS_FEW}, &s);
    size_t n = tsr_mesh_plan_num_candidates(p);
    CHECK(n > 1 && tsr_mesh_plan_chosen_candidate(p) == 0);
    for (size_t i = 0; i < n; i++) { /* all of them are complete */
        tsr_module *copy = tsr_module_clone(m);
        CHECK(tsr_mesh_plan_select(p, i, &s) && tsr_mesh_plan_chosen_candidate(p) == i);
        CHECK(tsr_module_apply_plan(copy, p, false, &s) && tsr_module_verify(copy));
        tsr_module_free(copy);
        tsr_mesh_plan *own = find(m, (tsr_plan_options){.candidate = i}, &s);
        bool keeps = false;
        CHECK(own && tsr_mesh_plan_chosen_candidate(own) == i);
        tsr_str text = tsr_module_check_plan(m, own, NULL, false, &keeps, &s);
        CHECK(text.len && keeps);
        tsr_free((void *)text.data);
        tsr_mesh_plan_free(own);
    }
    CHECK(!tsr_mesh_plan_select(p, n, &s) && says(&s, "there is no candidate"));
    CHECK(!find(m, (tsr_plan_options){.candidate = SIZE_MAX}, &s) &&
          says(&s, "there is no candidate"));
    tsr_mesh_plan_free(p);
}

/* ---- Pins ---- */

static bool has(const tsr_mesh_plan *p, const char *what)
{
    tsr_str text = tsr_mesh_plan_to_json(p, NULL);
    bool found = text.data && strstr(text.data, what);
    tsr_free((void *)text.data);
    return found;
}

/* What is excluded is in no pin, of any candidate. */
static void test_excluded(tsr_module *m)
{
    static const tsr_str product = {"\"product\"", 9}, none = {"", 0};
    tsr_status s = {0};
    tsr_mesh_plan *all = find(m, (tsr_plan_options){.pins = TSR_PINS_ALL}, &s);
    tsr_mesh_plan *without =
        find(m, (tsr_plan_options){.pins = TSR_PINS_ALL, .excluded = &product, .nexcluded = 1}, &s);
    tsr_mesh_plan *alone = find(m, (tsr_plan_options){.pins = TSR_PINS_NONE}, &s);
    const char *place = "\"source\": \"m.py:3:4\"";
    CHECK(all && has(all, place));
    CHECK(without && !has(without, place) && has(without, "\"source\": \"m.py:7:8\""));
    CHECK(alone && !has(alone, "\"source\""));
    CHECK(!find(m, (tsr_plan_options){.excluded = &none, .nexcluded = 1}, &s) &&
          says(&s, "an empty text"));
    CHECK(!find(m, (tsr_plan_options){.pins = (tsr_pins)7}, &s) && says(&s, "no such value"));
    tsr_mesh_plan_free(all);
    tsr_mesh_plan_free(without);
    tsr_mesh_plan_free(alone);
}

/* Layers of several widths: x + tanh(x w) v, each followed by a sum along the rows. */
static tsr_module *deep(tsr_ctx *ctx, int layers)
{
    static char text[16384];
    char *at = text, *end = text + sizeof text;
    at += snprintf(at, end - at, "func.func @main(%%x0: tensor<4096x2048xf32>");
    for (int i = 0; i < layers; i++)
        at += snprintf(at, end - at, ", %%w%d: tensor<2048x%dxf32>, %%v%d: tensor<%dx2048xf32>", i,
                       4096 << i % 3, i, 4096 << i % 3);
    at += snprintf(at, end - at, ") -> tensor<4096x2048xf32> {\n");
    for (int i = 0; i < layers; i++) {
        int n = 4096 << i % 3;
        at += snprintf(at, end - at,
                       "%%h%d = stablehlo.dot_general %%x%d, %%w%d, contracting_dims = [1] x [0] : "
                       "(tensor<4096x2048xf32>, tensor<2048x%dxf32>) -> tensor<4096x%dxf32>\n"
                       "%%t%d = stablehlo.tanh %%h%d : tensor<4096x%dxf32>\n"
                       "%%y%d = stablehlo.dot_general %%t%d, %%v%d, contracting_dims = [1] x [0] : "
                       "(tensor<4096x%dxf32>, tensor<%dx2048xf32>) -> tensor<4096x2048xf32>\n"
                       "%%x%d = stablehlo.add %%x%d, %%y%d : tensor<4096x2048xf32>\n",
                       i, i, i, n, n, i, i, n, i, i, i, n, n, i + 1, i, i);
    }
    snprintf(at, end - at, "return %%x%d : tensor<4096x2048xf32>\n}\n", layers);
    return parse(ctx, text);
}

/* A figure of the first candidate; strtod reads the locale's decimal point. */
static double figure(const tsr_mesh_plan *p, const char *key)
{
    tsr_str text = tsr_mesh_plan_to_json(p, NULL);
    const char *at = text.data ? strstr(text.data, key) : NULL;
    char number[40];
    snprintf(number, sizeof number, "%.39s", at ? at + strlen(key) : "-1");
    char *point = strchr(number, '.');
    if (point)
        *point = *localeconv()->decimal_point;
    double x = strtod(number, NULL);
    tsr_free((void *)text.data);
    return x;
}

/* With few pins a step takes at most 1 % longer than with all of them, and 5 % more memory. */
static void test_few(tsr_ctx *ctx)
{
    static const char *const meshes[] = {"x=2,y=4", "x=8,y=8", "x=64", "x=2,y=2,z=4"};
    double fewer = 0;
    tsr_module *m = deep(ctx, 7);
    for (size_t i = 0; i < 2 * sizeof meshes / sizeof *meshes; i++) {
        tsr_status s = {0};
        tsr_plan_options options = {.pins = TSR_PINS_ALL, .search = {.mesh = STR(meshes[i / 2])}};
        options.search.memory = i % 2 ? 7e8 : 0;
        tsr_mesh_plan *all = find(m, options, &s);
        options.pins = TSR_PINS_FEW;
        tsr_mesh_plan *few = find(m, options, &s);
        CHECK(all && few);
        const char *step = "\"step_seconds\": ", *peak = "\"peak_bytes\": ";
        CHECK(figure(few, step) > 0 && figure(few, step) <= 1.01 * figure(all, step));
        CHECK(figure(few, peak) > 0 && figure(few, peak) <= 1.05 * figure(all, peak));
        fewer += figure(few, "\"pins_before\": ");
        tsr_mesh_plan_free(all);
        tsr_mesh_plan_free(few);
    }
    CHECK(fewer > 0); /* there was something to drop */
    tsr_module_free(m);
}

/* ---- What is given, and kept ---- */

static void test_given(tsr_module *m)
{
    tsr_status s = {0};
    bool keeps = false;
    const tsr_shard_given open = {.index = 1, .text = STR("x?,?")},
                          part = {.index = 0, .text = STR("x:(1)2,_")};
    tsr_plan_options options = {.search = {.given = &open, .ngiven = 1}};
    tsr_mesh_plan *p = find(m, options, &s);
    CHECK(p && has(p, "\"sharding\": [[\"x\"], []], \"open\": [true, true]"));
    tsr_str text = tsr_module_check_plan(m, p, NULL, true, &keeps, &s);
    CHECK(text.len && keeps);
    tsr_free((void *)text.data);
    tsr_mesh_plan_free(p);
    options.search.given = &part;
    options.search.mesh = STR("x=4");
    p = find(m, options, &s);
    CHECK(p && has(p, "[[\"x:(1)2\"], []]"));
    tsr_mesh_plan_free(p);
    options.expressible = true;
    CHECK(!find(m, options, &s) && says(&s, "is not expressible"));
}

static void test_kept(tsr_ctx *ctx)
{
    tsr_status s = {0};
    tsr_module *m = parse(
        ctx, "sdy.mesh @mesh = <[\"x\"=2]>\n"
             "func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, "
             "{}]>}, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}p1, {}]>}) "
             "-> tensor<8x8xf32> {\n"
             "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : "
             "(tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>\n"
             "  return %0 : tensor<8x8xf32>\n}\n");
    const tsr_plan_options keep = {.search = {.keep = true}};
    CHECK(!tsr_module_find_plan(m, &keep, &s) && says(&s, "no words for it"));
    const tsr_plan_options dropped = {.search = {.keep = false}};
    tsr_mesh_plan *p = tsr_module_find_plan(m, &dropped, &s);
    CHECK(p && tsr_module_apply_plan(m, p, false, &s) && tsr_module_verify(m));
    tsr_mesh_plan_free(p);
    tsr_module_free(m);
    m = parse(ctx, "func.func @main() {\n  return\n}\n"); /* nothing to shard */
    const tsr_plan_options mesh = {.search = {.mesh = STR("x=2")}};
    p = tsr_module_find_plan(m, &mesh, &s);
    CHECK(p && has(p, "\"arguments\": []") && tsr_module_apply_plan(m, p, false, &s));
    tsr_mesh_plan_free(p);
    tsr_module_free(m);
    m = parse(ctx, "func.func @main(%t: !stablehlo.token, %a: tensor<f32>, %d: tensor<?x4xf32>) -> "
                   "(!stablehlo.token, tensor<?x4xf32>) {\n  return %t, %d : !stablehlo.token, "
                   "tensor<?x4xf32>\n}\n");
    p = tsr_module_find_plan(m, &mesh, &s);
    tsr_str text = tsr_mesh_plan_to_json(p, &s);
    tsr_mesh_plan *q = tsr_mesh_plan_from_json(text, STR("p"), &s);
    tsr_free((void *)text.data);
    CHECK(p && q && tsr_module_apply_plan(m, q, false, &s) && tsr_module_verify(m));
    tsr_mesh_plan_free(p);
    tsr_mesh_plan_free(q);
    tsr_module_free(m);
}

/* ---- Other versions ---- */

static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    size_t before = (size_t)(at - text), n = strlen(text) - strlen(from) + strlen(to);
    char *out = malloc(n + 1);
    memcpy(out, text, before);
    strcpy(out + before, to);
    strcat(out, at + strlen(from));
    return out;
}

static void test_versions(tsr_ctx *ctx, tsr_module *m)
{
    tsr_status s = {0};
    bool keeps = true;
    tsr_mesh_plan *p = find(m, (tsr_plan_options){.pins = TSR_PINS_ALL}, &s);
    static const char *const edits[][3] = {
        {"stablehlo.tanh", "stablehlo.exponential", "its ops are others"},
        {"loc(\"w\")", "loc(\"u\")",
         "argument 1 (w) was tensor<4096x8192xf32>, and argument 1 (u)"},
        {"%v: tensor<8192x4096xf32> loc(\"v\")) ->",
         "%v: tensor<8192x4096xf32> loc(\"v\"), %k: tensor<4xf32>) ->",
         "it had 3 arguments, and has 4 now"}};
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        char *text = replaced(program, edits[i][0], edits[i][1]);
        tsr_module *other = parse(ctx, text);
        tsr_str before = printed(other);
        CHECK(!tsr_module_apply_plan(other, p, false, &s) && says(&s, edits[i][2]));
        CHECK(same_text(before, printed(other)) && tsr_module_verify(other));
        CHECK(!tsr_module_check_plan(other, p, NULL, true, &keeps, &s).data && !keeps &&
              says(&s, edits[i][2]));
        CHECK(tsr_module_apply_plan(other, p, true, &s) == (i == 0)); /* without pins */
        s = (tsr_status){0};
        tsr_module_free(other);
        free(text);
    }
    /* A smaller device; an exact promise. */
    tsr_check_plan_options small = {.memory = 1000}, exact = {.tolerance = 1e-12};
    tsr_str text = tsr_module_check_plan(m, p, &small, true, &keeps, &s);
    CHECK(text.len && !keeps && strstr(text.data, "\"fits\": false"));
    tsr_free((void *)text.data);
    text = tsr_module_check_plan(m, p, &exact, true, &keeps, &s);
    CHECK(text.len && keeps);
    tsr_free((void *)text.data);
    tsr_mesh_plan_free(p);
}

/* ---- Texts that are no plans ---- */

/* Every text that begins like a plan is refused, and each byte that is changed is refused or read. */
static void test_texts(tsr_module *m)
{
    tsr_status s = {0};
    tsr_mesh_plan *p = find(m, (tsr_plan_options){.pins = TSR_PINS_ALL}, &s);
    tsr_str text = tsr_mesh_plan_to_json(p, &s);
    size_t refused = 0, read = 0, step = text.len / 700 + 1;
    for (size_t n = 0; n + 2 < text.len; n += step) {
        tsr_mesh_plan *q = tsr_mesh_plan_from_json((tsr_str){text.data, n}, STR("cut.json"), &s);
        refused += !q && s.code == TSR_BAD_INPUT && strstr(s.message, "cut.json:");
        read += q != NULL;
        tsr_mesh_plan_free(q);
        s = (tsr_status){0};
    }
    CHECK(refused > 100 && !read);
    char *copy = malloc(text.len);
    for (size_t i = 0; i < text.len; i += step) {
        static const char with[] = "}]\"9-x{[,:";
        memcpy(copy, text.data, text.len);
        copy[i] = with[i / step % (sizeof with - 1)];
        tsr_mesh_plan *q = tsr_mesh_plan_from_json((tsr_str){copy, text.len}, STR("p"), &s);
        tsr_module *other = q ? tsr_module_clone(m) : NULL;
        if (q) /* whatever it says, applying it ends well or with a reason */
            read += tsr_module_apply_plan(other, q, false, &s) ? tsr_module_verify(other)
                                                               : s.code == TSR_BAD_INPUT;
        refused += !q && s.code == TSR_BAD_INPUT && s.message[0];
        CHECK(q || s.code == TSR_BAD_INPUT);
        tsr_module_free(other);
        tsr_mesh_plan_free(q);
        s = (tsr_status){0};
    }
    CHECK(read > 20 && refused > 300);
    free(copy);
    tsr_free((void *)text.data);
    tsr_mesh_plan_free(p);
}

/* ---- Limits, threads ---- */

static void test_limits(tsr_ctx *ctx, tsr_module *m)
{
    static const tsr_budget budgets[] = {
        {.max_bytes = 20000}, {.max_seconds = 1e-9}, {.max_ops = 3}};
    tsr_status s = {0};
    tsr_mesh_plan *p = find(m, (tsr_plan_options){.pins = TSR_PINS_FEW}, &s);
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        tsr_module *copy = tsr_module_clone(m);
        tsr_ctx_set_budget(ctx, &budgets[i]);
        CHECK(!find(m, (tsr_plan_options){.pins = TSR_PINS_FEW}, &s) && s.code == TSR_ENVIRONMENT);
        s = (tsr_status){0};
        CHECK(!tsr_module_check_plan(m, p, NULL, true, NULL, &s).data && s.code == TSR_ENVIRONMENT);
        s = (tsr_status){0};
        CHECK(!tsr_module_apply_plan(copy, p, false, &s) && s.code == TSR_ENVIRONMENT);
        s = (tsr_status){0};
        tsr_ctx_set_budget(ctx, NULL);
        tsr_module_free(copy);
    }
    tsr_ctx_cancel(ctx, true);
    CHECK(!find(m, (tsr_plan_options){.pins = TSR_PINS_NONE}, &s) && s.code == TSR_ENVIRONMENT);
    s = (tsr_status){0};
    tsr_ctx_cancel(ctx, false);
    tsr_mesh_plan *q = find(m, (tsr_plan_options){.pins = TSR_PINS_FEW}, &s);
    CHECK(q && same_text(tsr_mesh_plan_to_json(p, &s), tsr_mesh_plan_to_json(q, &s)));
    tsr_mesh_plan_free(p);
    tsr_mesh_plan_free(q);
}

typedef struct {
    const tsr_mesh_plan *plan;
    bool ok;
} job;

/* A plan is read by several threads, each with its own context. */
static void *apply_in_thread(void *user)
{
    job *j = user;
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = parse(ctx, program);
    j->ok = m && tsr_module_apply_plan(m, j->plan, false, NULL) && tsr_module_verify(m);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
    return NULL;
}

static void test_threads(tsr_module *m)
{
    tsr_mesh_plan *p = find(m, (tsr_plan_options){.pins = TSR_PINS_ALL}, NULL);
    pthread_t threads[4];
    job jobs[4];
    for (int i = 0; i < 4; i++) {
        jobs[i] = (job){p, false};
        CHECK(pthread_create(&threads[i], NULL, apply_in_thread, &jobs[i]) == 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        CHECK(jobs[i].ok);
    }
    tsr_mesh_plan_free(p);
}

int main(void)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = parse(ctx, program);
    CHECK(m != NULL);
    test_round_trip(ctx);
    test_select(m);
    test_excluded(m);
    test_few(ctx);
    test_given(m);
    test_kept(ctx);
    test_versions(ctx, m);
    test_texts(m);
    test_limits(ctx, m);
    test_threads(m);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
