/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_flags.c - command lines under a fuzzer: a word a line, the first one being the name of the tool. Small files are there to work
 * on: m.mlir, t.mlir (TTIR), x.npy. One mutation in two puts in a flag from the tables, with a value that fits or does not. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/tools.h"

static const char module_text[] =
    "sdy.mesh @mesh = <[\"x\"=2]>\n"
    "func.func @main(%a: tensor<4x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {\n"
    "  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32>\n"
    "  %1 = stablehlo.multiply %a, %0 : tensor<4x2xf32>\n"
    "  return %1 : tensor<4x2xf32>\n"
    "}\n"
    "// -----\n"
    "func.func @f(%a: tensor<?xi32>) -> tensor<?xi32> {\n"
    "  return %a : tensor<?xi32>\n"
    "}\n";
static const char ttir_text[] =
    "func.func @main(%a: tensor<4x2xf32>, %b: tensor<4x2xf32>) -> tensor<4x2xf32> {\n"
    "  %0 = \"ttir.add\"(%a, %b) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>\n"
    "  return %0 : tensor<4x2xf32>\n"
    "}\n";
static const char array[] = "\x93NUMPY\1\0\x3a\0{'descr': '<f4', 'fortran_order': False, 'shape': "
                            "(2,), }\n\0\0\x80\x3f\0\0\0\x40";

static void make_files(void)
{
    const char *marker = strstr(module_text, "// -----");
    fuzz_write("s.mlir", module_text, sizeof module_text - 1);
    fuzz_write("m.mlir", module_text, (size_t)(marker - module_text));
    fuzz_write("t.mlir", ttir_text, sizeof ttir_text - 1);
    fuzz_write("x.npy", array, sizeof array - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 24 };
    const char *words[MOST];
    size_t n = 0;
    if (fuzz_folder(false))
        make_files();
    char *input = malloc(size + 1);
    fuzz_must(input != NULL, "no memory");
    memcpy(input, data, size);
    input[size] = 0;
    for (char *p = input; p && n < MOST; n++) {
        words[n] = p;
        p = strchr(p, '\n');
        if (p)
            *p++ = 0;
    }
    if (n > 1 && !*words[n - 1])
        n--; /* behind the last newline */
    fuzz_tool(words, n);
    free(input);
    return 0;
}

/* ---- Mutations ---- */

static const command *command_of(const uint8_t *data, size_t size)
{
    for (size_t i = 0; all_commands[i]; i++) {
        char start[64];
        size_t n = (size_t)snprintf(start, sizeof start, "tessera\n%s\n", all_commands[i]->name);
        if (size >= n && !memcmp(data, start, n))
            return all_commands[i];
    }
    return &command_opt;
}

static const char *random_pass(uint64_t *rng)
{
    const tsr_pass_list *list = tsr_all_passes();
    const tsr_pass_table *t = list->tables[below(rng, list->n)];
    return t->passes[below(rng, t->npass)].name;
}

/* A line with a flag of the command. */
static void make_line(char *line, size_t room, const command *c, uint64_t *rng)
{
    // clang-format off
    static const char *const values[] = {
        "1", "0", "-1", "true", "x=2", "0:x,_", "0:x", "r0:_", "2xf32=1,2", "4x2xf32=random",
        "random", "x.npy", "out", "out.npz", "main", "%0", "%1", "#0", "canonicalize",
        "builtin.module(cse)", "func.func(cse),symbol-dce", "cse{a=1}", "1,2", "1e9",
        "99999999999999999999", "warn", "list", "current", "1.0.0", "m.mlir", "--", "",
    };
    // clang-format on
    size_t n = 0;
    while (command_flag(c, n))
        n++;
    const flag *f = n ? command_flag(c, below(rng, n)) : NULL;
    const char *name = c->takes_passes && below(rng, 3) == 0 ? random_pass(rng)
                       : f && f->name                        ? f->name
                                                             : "help";
    const char *value = values[below(rng, TSR_COUNT(values))];
    if (f && f->kind == FLAG_SWITCH && below(rng, 4))
        snprintf(line, room, "--%s\n", name);
    else
        snprintf(line, room, "--%s%s%s\n", name, below(rng, 8) ? "=" : "\n", value);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint64_t rng = seed;
    char line[256];
    if (next_random(&rng) & 1)
        return LLVMFuzzerMutate(data, size, most);
    make_line(line, sizeof line, command_of(data, size), &rng);
    size_t len = strlen(line), at = below(&rng, size + 1);
    while (at < size && at > 0 && data[at - 1] != '\n')
        at++;
    if (size + len > most)
        return size;
    memmove(data + at + len, data + at, size - at);
    memcpy(data + at, line, len);
    return size + len;
}
