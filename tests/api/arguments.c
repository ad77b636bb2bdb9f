/* SPDX-License-Identifier: Apache-2.0 */
/* arguments.c - numbers and texts that no command line would let through, at the public calls: each is refused with the reason that the
 * command line gives, and the next call works. Random ones end with an answer or a reason. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/golden.h>
#include <tessera/tessera.h>

#include "check.h"

#define STR(s) ((tsr_str){(s), strlen(s)})

static const char program[] =
    "func.func @main(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>) -> tensor<8x8xf32> {\n"
    "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]\n"
    "      : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>\n"
    "  %1 = stablehlo.tanh %0 : tensor<8x8xf32>\n"
    "  return %1 : tensor<8x8xf32>\n"
    "}\n";

static tsr_ctx *ctx;
static tsr_module *m;

static bool drop(tsr_str text)
{
    bool ok = text.data != NULL;
    tsr_free((void *)(uintptr_t)text.data);
    return ok;
}

/* Whether a module that a call failed on is what it was: the same text, and it can be used. */
static bool is_as_before(tsr_module *after)
{
    static const tsr_print_options with = {.debug_info = true};
    tsr_str x = tsr_module_print(m, &with), y = tsr_module_print(after, &with);
    bool same = x.len == y.len && !memcmp(x.data, y.data, x.len);
    if (!same)
        printf("a failed call left\n%.*s", (int)y.len, y.data);
    drop(x);
    drop(y);
    return same && tsr_module_verify(after) && tsr_module_run(after, STR("canonicalize"));
}

static bool find(const tsr_auto_options *options, tsr_status *s)
{
    tsr_module *copy = tsr_module_clone(m);
    *s = (tsr_status){0};
    bool ok = drop(tsr_module_auto_shard(copy, options, true, s));
    CHECK(ok || is_as_before(copy));
    tsr_module_free(copy);
    return ok;
}

/* Clears the status, which keeps its first failure. */
static bool refuses(bool ok, tsr_status *s, const char *why)
{
    bool good = !ok && s->code == TSR_BAD_INPUT && strstr(s->message, why);
    if (!good)
        printf("expected %s, found %d: %s\n", why, ok, s->message);
    *s = (tsr_status){0};
    return good;
}

static void test_auto(void)
{
    static const char devices[] = "a number from 2 to 65536 is wanted";
    static const struct {
        tsr_auto_options options;
        const char *why;
    } bad[] = {{{.devices = 1}, devices},
               {{.devices = -1}, devices},
               {{.devices = 65537}, devices},
               {{.devices = 1 << 30}, devices},
               {{.devices = INT64_MAX}, devices},
               {{.devices = INT64_MIN}, devices},
               {{.devices = 2, .keep = true}, "cannot be used with devices"},
               {{.devices = 2, .mesh = {"x=2", 3}}, "cannot be used with mesh"},
               {{.devices = 2, .memory = -1}, "a number of bytes is wanted"},
               {{.devices = 2, .memory = NAN}, "a number of bytes is wanted"},
               {{.devices = 2, .memory = INFINITY}, "a number of bytes is wanted"},
               {{.devices = 2, .seconds = -1}, "a time is wanted"},
               {{.devices = 2, .seconds = NAN}, "a time is wanted"},
               {{.devices = 2, .seconds = INFINITY}, "a time is wanted"},
               {{.devices = 2, .memory = 1}, "does not fit"},
               {{.devices = 2, .device = {"none", 4}}, "there is no device 'none'"},
               {{.devices = 2, .function = {"none", 4}}, "has no function 'none'"},
               {{.axes = {"a", 1}, .mesh = {"x=2", 3}}, "axes names those of devices"},
               {{.devices = 4, .axes = {"a,", 2}}, "one to three names are wanted"},
               {{.devices = 4, .axes = {"a,b,c,d", 7}}, "one to three names are wanted"},
               {{.devices = 4, .axes = {"a=2", 3}}, "one to three names are wanted"},
               {{.devices = 4, .axes = {"a,\0", 3}}, "one to three names are wanted"},
               {{.devices = 4, .axes = {"a,b,c", 5}}, "4 devices have no mesh of 3 axes"},
               {{.mesh = {"x=0", 3}}, "is no mesh"},
               {{.mesh = {"x=-2", 4}}, "is no mesh"},
               {{.mesh = {"x=2097152", 9}}, "cannot be partitioned for"},
               {{.mesh = {"x=1073741824,y=1073741824", 25}}, "cannot be partitioned for"},
               {{.mesh = {"a=2,b=2,c=2,d=2,e=2,f=2,g=2,h=2,i=2", 35}}, "axes can be searched"}};
    tsr_status s;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(refuses(find(&bad[i].options, &s), &s, bad[i].why));
    CHECK(find(&(tsr_auto_options){.devices = 2}, &s));
    CHECK(find(&(tsr_auto_options){.devices = 65536}, &s));
}

/* The entries that take a mesh and shardings. */
static bool shard(int which, const tsr_shard_options *o, tsr_status *s)
{
    tsr_module *copy = tsr_module_clone(m);
    bool ok;
    *s = (tsr_status){0};
    switch (which) {
    case 0: ok = tsr_module_shard(copy, o, s); break;
    case 1: ok = drop(tsr_module_plan(copy, o, true, s)); break;
    case 2: ok = drop(tsr_module_why(copy, o, STR("#0"), s)); break;
    case 3: ok = drop(tsr_module_page(copy, o, s)); break;
    default: ok = drop(tsr_module_simulate(copy, o, STR("a100"), true, s)); break;
    }
    CHECK(ok || is_as_before(copy));
    tsr_module_free(copy);
    return ok;
}

static void test_shard(void)
{
    static const tsr_shard_given far = {.index = 7, .text = {"x", 1}}, none = {0},
                                 other = {.text = {"z,_", 3}},
                                 long_one = {.text = {"x,_,_", 5}, .result = true},
                                 odd = {.index = 1, .text = {"x:(3)2,_", 8}},
                                 unknown = {.text = {"x", 1}, .name = {"par/*", 5}},
                                 no_result = {.text = {"x", 1}, .result = true, .name = {"r", 1}};
    static const struct {
        tsr_shard_options options;
        const char *why;
        int from; /* the entries that see it */
    } bad[] = {{{.mesh = {"x", 1}}, "is no mesh", 0},
               {{.mesh = {"x=9223372036854775807", 21}}, "is no mesh", 0},
               {{.mesh = {"x=2", 3}, .given = &far, .ngiven = 1}, "there is no argument 7", 0},
               {{.mesh = {"x=2", 3}, .given = &other, .ngiven = 1}, "z", 0},
               {{.mesh = {"x=2", 3}, .given = &long_one, .ngiven = 1}, "x,_,_", 0},
               {{.mesh = {"x=4", 3}, .given = &odd, .ngiven = 1}, "", 0},
               {{.mesh = {"x=2", 3}, .given = &unknown, .ngiven = 1},
                "pattern of arguments:1:1: no argument is called 'par/*'; names are %arg0",
                0},
               {{.mesh = {"x=2", 3}, .given = &no_result, .ngiven = 1},
                "no result is called 'r'; names are #0",
                0},
               {{.mesh = {"x=2", 3}, .function = {"none", 4}}, "has no function 'none'", 0},
               {{.mesh = {"x=2097152", 9}, .given = &none, .ngiven = 1}, "", 0}};
    tsr_status s;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int which = 0; which < 5; which++) {
            bool ok = shard(which, &bad[i].options, &s);
            CHECK(!*bad[i].why ? ok || s.message[0] : refuses(ok, &s, bad[i].why));
        }
    for (int which = 0; which < 5; which++)
        CHECK(shard(which, &(tsr_shard_options){.mesh = {"x=2", 3}}, &s));
    for (int which = 1; which < 5; which += 3)
        CHECK(refuses(shard(which, &(tsr_shard_options){.mesh = {"x=2097152", 9}}, &s), &s,
                      "cannot be partitioned for"));
}

/* A module with a mesh, shardings, a call and ops that are lowered on the way: a failure leaves all of it. */
static void test_failed_shard(void)
{
    static const char text[] = "sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n"
                               "func.func @main(%a: tensor<8x4xf32> {sdy.sharding = "
                               "#sdy.sharding<@mesh, [{\"y\"}, {}]>})\n"
                               "    -> tensor<8x4xf32> {\n"
                               "  %0 = chlo.sinh %a : tensor<8x4xf32> -> tensor<8x4xf32>\n"
                               "  %1 = call @f(%0) : (tensor<8x4xf32>) -> tensor<8x4xf32>\n"
                               "  return %1 : tensor<8x4xf32>\n"
                               "}\n"
                               "func.func private @f(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {\n"
                               "  %c = stablehlo.constant dense<2.0> : tensor<8x4xf32>\n"
                               "  %0 = stablehlo.add %a, %c : tensor<8x4xf32>\n"
                               "  return %0 : tensor<8x4xf32>\n"
                               "}\n";
    static const tsr_shard_given bad[] = {{.text = {"z,_", 3}},
                                          {.text = {"x,x", 3}, .result = true}};
    tsr_module *plain = m;
    tsr_status s;
    m = tsr_module_parse(ctx, STR(text), STR("failed.mlir"));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(!shard(0, &(tsr_shard_options){.given = &bad[i], .ngiven = 1}, &s));
        CHECK(
            !shard(0, &(tsr_shard_options){.mesh = {"x=4", 3}, .given = &bad[i], .ngiven = 1}, &s));
    }
    CHECK(!find(&(tsr_auto_options){.devices = 2, .memory = 1}, &s));
    CHECK(!find(&(tsr_auto_options){.mesh = {"a=2", 3}, .memory = 1}, &s));
    CHECK(shard(0, &(tsr_shard_options){0}, &s) && find(&(tsr_auto_options){.devices = 2}, &s));
    tsr_module_free(m);
    m = plain;
}

static void test_runs(void)
{
    tsr_status s = {0};
    tsr_tensor *in[2], *out = NULL;
    for (size_t i = 0; i < 2; i++)
        in[i] = tsr_module_random_input(m, STR("main"), i, 1, &s);
    tsr_eval_options engine = {.engine = (tsr_eval_engine)7},
                     zero = {.zero_division = (tsr_zero_division)9};
    CHECK(refuses(tsr_module_eval_with(m, STR("main"), in, 2, &out, 1, &engine, &s), &s,
                  "reference or compiled is wanted"));
    CHECK(refuses(tsr_module_eval_with(m, STR("main"), in, 2, &out, 1, &zero, &s), &s,
                  "warn, error or ignore is wanted"));
    tsr_executable *x = tsr_module_compile(m, STR("main"), NULL, &s);
    tsr_execute_options how = {.zero_division = (tsr_zero_division)9};
    CHECK(x && refuses(tsr_executable_run(x, in, 2, &out, 1, &how, &s), &s,
                       "warn, error or ignore is wanted"));
    CHECK(tsr_executable_run(x, in, 2, &out, 1, NULL, &s));
    tsr_tensor_free(out);
    tsr_executable_free(x);
    tsr_goldens *g = tsr_goldens_new(m, STR("main"), NULL, &s);
    tsr_golden_report report;
    static const tsr_tolerance negative = {-1, 0}, unknown = {0, NAN};
    const tsr_golden_check_options bad[] = {
        {.tolerance = &negative}, {.tolerance = &unknown}, {.min_pcc = NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(refuses(tsr_goldens_check(g, &bad[i], &report, &s), &s, "invalid for a tolerance"));
    tsr_goldens_free(g);
    size_t n;
    CHECK(refuses(tsr_module_permutations(m, 0, &n, &s), &s, "from 1 to 65536"));
    CHECK(refuses(tsr_module_permutations(m, 1 << 30, &n, &s), &s, "from 1 to 65536"));
    CHECK(!drop(tsr_describe_system(ctx, STR("wormhole_b0"), 0)));
    CHECK(!drop(tsr_describe_system(ctx, STR("wormhole_b0"), SIZE_MAX)));
    for (size_t i = 0; i < 2; i++)
        tsr_tensor_free(in[i]);
}

static uint32_t draw(uint32_t n)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

static tsr_str word(void)
{
    static const char *const words[] = {
        "",         "x=2",     "x=2,y=2",  "x=1",    "x=3,y=5",       "x=0",   "x=4294967296",
        "x",        "x=2,x=2", "=2",       ",",      "x=2,y=4",       "x,_",   "_,x",
        "x+y,_",    "?",       "x:(1)2,_", "x:(2)2", "x:(0)0",        "x?,y?", "x:(1)-1",
        "main",     "h100",    "v5e",      "x:(",    "x=2,y=2,z=2,w", "none",  "x/y",
        "/dev/null"};
    uint32_t i = draw(sizeof words / sizeof *words + 1);
    return i < sizeof words / sizeof *words ? STR(words[i]) : (tsr_str){NULL, 0};
}

static double number(void)
{
    static const double numbers[] = {0, 0, 0, 1e9, 1e30, -1};
    return numbers[draw(sizeof numbers / sizeof *numbers)];
}

static void test_random(void)
{
    static const int64_t devices[] = {0, 0, 0, 1, 2, 3, 4, -7, INT64_MAX};
    tsr_ctx_set_budget(ctx, &(tsr_budget){.max_seconds = 60});
    for (int i = 0; i < 200; i++) {
        tsr_str none = {NULL, 0};
        tsr_shard_given given[2] = {{draw(3), word(), draw(4) == 0, draw(3) ? none : word()},
                                    {draw(3), word(), false, draw(3) ? none : word()}};
        tsr_auto_options a = {.mesh = draw(2) ? word() : (tsr_str){NULL, 0},
                              .devices = devices[draw(sizeof devices / sizeof *devices)],
                              .device = draw(4) ? (tsr_str){NULL, 0} : word(),
                              .memory = number(),
                              .seconds = number(),
                              .keep = draw(3) == 0,
                              .axes = draw(4) ? (tsr_str){NULL, 0} : word(),
                              .given = given,
                              .ngiven = draw(3),
                              .function = draw(4) ? (tsr_str){NULL, 0} : word()};
        tsr_shard_options o = {a.mesh, given, a.ngiven, a.function};
        tsr_status s;
        CHECK(find(&a, &s) || s.message[0]);
        CHECK(shard(i % 5, &o, &s) || s.message[0]);
    }
    tsr_ctx_set_budget(ctx, NULL);
}

static void ignore(void *user, const tsr_diag *d)
{
    (void)user;
    (void)d;
}

int main(void)
{
    ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, ignore, NULL);
    m = tsr_module_parse(ctx, STR(program), STR("arguments.mlir"));
    CHECK(m);
    test_auto();
    test_shard();
    test_failed_shard();
    test_runs();
    test_random();
    tsr_module_free(m);
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
