/* SPDX-License-Identifier: Apache-2.0 */
/* mutate_text.c - mutations of MLIR text: bytes, tokens, numbers, lines, depth and width. */
#include "mutate.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_MUTANT = 8 << 20 };

/* ---- random numbers: splitmix64 ---- */

uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

size_t below(uint64_t *rng, size_t n)
{
    return n ? (size_t)(next_random(rng) % n) : 0;
}

/* ---- mutations ---- */

static const char *const tokens[] = {
    "<{",
    "}>",
    "({",
    "})",
    "%0",
    "%0:2",
    "%0#1",
    "%arg0",
    "%",
    "dense<\"0x",
    "dense<",
    "dense<[[1, 2], [3]]>",
    "^bb0",
    "^bb0(%x: i32):",
    "loc(",
    "loc(\"a\":1:2)",
    "loc(callsite(",
    "loc(fused<",
    "#loc1",
    "#loc = loc(",
    "!t = ",
    "#a = ",
    "tensor<",
    "tensor<*xf32>",
    "tensor<?x4xf32>",
    "tensor<4x?xf32, #stablehlo.bounds<?, 8>>",
    "complex<",
    "tuple<",
    "vector<",
    "memref<",
    "!quant.uniform<i8:f32, 0.1:2>",
    "!stablehlo.token",
    "!tt.x<",
    "#stablehlo.",
    "#sdy.sharding<",
    "@",
    "@mesh",
    "@\"",
    "::",
    "->",
    "=",
    ":",
    ",",
    ";",
    "?",
    "*",
    "<",
    ">",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\",
    "\\x",
    "\"\\FF\"",
    "//",
    "// -----\n",
    "-",
    "--1",
    "0x",
    "0xFFFFFFFFFFFFFFFFFF",
    "99999999999999999999999999999999999999999",
    "-9223372036854775809",
    "9223372036854775807",
    "18446744073709551616",
    "1.0e99999",
    "1e-99999",
    "0x7FC00000 : f32",
    "nan",
    "inf",
    "true",
    "false",
    "unit",
    "none",
    "index",
    "i1",
    "i0",
    "i16777216",
    "si8",
    "ui4",
    "f8E4M3FN",
    "bf16",
    "array<i64: 1, 2",
    "array<i1: true>",
    "array<",
    "dense_resource<",
    "{-#",
    "#-}",
    "{-# dialect_resources: { builtin: {",
    "affine_map<(d0) -> (d0 floordiv 0)>",
    "affine_map<(d0, d1)[s0] -> (",
    "affine_set<",
    "strided<[1], offset: ?>",
    "opaque<",
    "sparse<",
    "builtin.module",
    "module {",
    "func.func",
    "func.func private @f()",
    "func @f",
    "return",
    "stablehlo.add",
    "\"stablehlo.while\"(",
    "stablehlo.reduce(",
    "stablehlo.constant dense<",
    "stablehlo.custom_call @",
    "\"a.b\"() : () -> ()",
    "\"a.b\"() ({",
    "applies",
    "across dimensions = [",
    "attributes {",
    "sdy.mesh @m = <[",
    "sdy.manual_computation(",
    "arith.constant",
    "scf.if",
    "tensor<9223372036854775807x9223372036854775807xf32>",
    "tensor<0x0x0xf32>",
    "dense<1> : tensor<1000000000000xi8>",
    "replica_groups = dense<>",
    " : tensor<0xi64>",
    "\xff\xfe",
    "\xc3\x28",
    "\t",
    "\n",
    "\r\n",
};

static const char *const nests[] = {"[",
                                    "(",
                                    "{",
                                    "tensor<",
                                    "complex<",
                                    "tuple<",
                                    "({",
                                    "<",
                                    "\"a.b\"() ({\n",
                                    "module {\n",
                                    "loc(callsite(",
                                    "loc(fused[",
                                    "-",
                                    "d0 + (",
                                    "affine_map<(d0) -> (",
                                    "dense<[",
                                    "#a<",
                                    "!a<",
                                    "memref<",
                                    "@a::",
                                    "func.func @f() {\n",
                                    "{a = ",
                                    "[[",
                                    "vector<4x",
                                    "4x",
                                    "%0, ",
                                    "\"",
                                    "\\",
                                    "^bb0:\n",
                                    "1,"};

void splice(text *t, size_t at, size_t cut, const char *with, size_t len)
{
    if (t->len - cut + len > MAX_MUTANT)
        return;
    char *data = malloc(t->len - cut + len + 1);
    if (!data)
        abort();
    memcpy(data, t->data, at);
    if (len)
        memcpy(data + at, with, len);
    memcpy(data + at + len, t->data + at + cut, t->len - at - cut);
    free(t->data);
    t->data = data;
    t->len += len - cut;
    t->data[t->len] = 0;
}

static size_t span_length(uint64_t *rng)
{
    static const size_t sizes[] = {1, 4, 16, 64, 256, 1024};
    return 1 + below(rng, sizes[below(rng, 6)]);
}

static void repeat(text *t, size_t at, const char *what, size_t n)
{
    size_t len = strlen(what);
    char *data = malloc(len * n + 1);
    if (!data)
        abort();
    for (size_t i = 0; i < n; i++)
        memcpy(data + i * len, what, len);
    splice(t, at, 0, data, len * n);
    free(data);
}

/* A place in the text, half of the time at the start of a word. */
static size_t place(const text *t, uint64_t *rng)
{
    size_t at = below(rng, t->len + 1);
    if (next_random(rng) & 1)
        while (at > 0 && at < t->len && !strchr(" \n,<({[=:", t->data[at - 1]))
            at--;
    return at;
}

static void copy_span(text *t, const text *from, uint64_t *rng)
{
    size_t start = below(rng, from->len), len = span_length(rng), at = place(t, rng);
    if (len > from->len - start)
        len = from->len - start;
    char *copy = malloc(len + 1);
    if (!copy)
        abort();
    memcpy(copy, from->data + start, len);
    size_t cut = next_random(rng) & 1 ? len : 0; /* over what is there, or between */
    splice(t, at, cut > t->len - at ? t->len - at : cut, copy, len);
    free(copy);
}

/* Duplicates, deletes or swaps whole lines: these mutants get past the lexer. */
static void edit_lines(text *t, uint64_t *rng)
{
    size_t from[2], to[2];
    for (int i = 0; i < 2; i++) {
        size_t at = below(rng, t->len);
        for (from[i] = at; from[i] > 0 && t->data[from[i] - 1] != '\n'; from[i]--)
            ;
        for (to[i] = at; to[i] < t->len && t->data[to[i]] != '\n'; to[i]++)
            ;
        to[i] += to[i] < t->len;
    }
    size_t kind = below(rng, 3), len = to[0] - from[0];
    char *line = malloc(len + 1);
    if (!line)
        abort();
    memcpy(line, t->data + from[0], len);
    if (kind == 0) {
        splice(t, from[0], len, "", 0);
    } else if (kind == 1) {
        splice(t, from[1], 0, line, len);
    } else if (from[0] > from[1]) { /* moves the later line up */
        splice(t, from[0], len, "", 0);
        splice(t, from[1], 0, line, len);
    }
    free(line);
}

/* Another number in place of one that is there. */
static void edit_number(text *t, uint64_t *rng)
{
    static const char *const numbers[] = {"0",
                                          "1",
                                          "2",
                                          "7",
                                          "-1",
                                          "65",
                                          "4294967296",
                                          "9223372036854775807",
                                          "9223372036854775808",
                                          "99999999999999999999999",
                                          "?",
                                          "1.5",
                                          "0x10",
                                          ""};
    size_t at = below(rng, t->len), end;
    while (at < t->len && (t->data[at] < '0' || t->data[at] > '9'))
        at++;
    for (end = at; end < t->len && t->data[end] >= '0' && t->data[end] <= '9'; end++)
        ;
    const char *with = numbers[below(rng, sizeof numbers / sizeof *numbers)];
    splice(t, at, end - at, with, strlen(with));
}

void mutate_text(text *t, const text *other, uint64_t *rng)
{
    if (!t->len)
        return;
    size_t at = place(t, rng), len = span_length(rng);
    switch (below(rng, 24)) {
    case 0:
    case 1: t->data[below(rng, t->len)] ^= (char)(1 << below(rng, 8)); break;
    case 2: t->data[below(rng, t->len)] = (char)next_random(rng); break;
    case 3:
    case 4:
    case 5: splice(t, at, len > t->len - at ? t->len - at : len, "", 0); break;
    case 6:
    case 7: copy_span(t, t, rng); break;
    case 8: copy_span(t, other, rng); break;
    case 9: splice(t, at, 0, "\0", 1); break;
    case 10: splice(t, at, t->len - at, "", 0); break;
    case 11: /* deep */
        if (below(rng, 4) == 0)
            repeat(t, at, nests[below(rng, sizeof nests / sizeof *nests)], 100000);
        else
            repeat(t, at, nests[below(rng, sizeof nests / sizeof *nests)], 1 + below(rng, 400));
        break;
    case 12: /* wide */
        repeat(t, at, (const char *[]){"1x", "4x", "?x", "0,", "a", "9", "%a,", " "}[below(rng, 8)],
               1 + below(rng, 5000));
        break;
    case 13:
    case 14:
    case 15: edit_lines(t, rng); break;
    case 16:
    case 17:
    case 18: edit_number(t, rng); break;
    default: {
        const char *token = tokens[below(rng, sizeof tokens / sizeof *tokens)];
        splice(t, at, next_random(rng) & 1 && at < t->len, token, strlen(token));
    }
    }
}
