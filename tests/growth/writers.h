/* SPDX-License-Identifier: Apache-2.0 */
/* writers.h - what the writers of shapes share. */
#ifndef TESTS_GROWTH_WRITERS_H
#define TESTS_GROWTH_WRITERS_H

#include <stdio.h>

#define T "tensor<4x4xf32>"

/* The function main with these arguments and one result. */
static inline void main_start(FILE *f, const char *args)
{
    fprintf(f, "func.func @main(%s) -> " T " {\n", args);
}

static inline void main_end(FILE *f, long result)
{
    fprintf(f, "  return %%v%ld : " T "\n}\n", result);
}

/* n items with commas between them; each may say its number. */
#define list(f, n, format) list_with((f), (n), (format))
void list_with(FILE *f, long n, const char *format);

#define SHAPE(name, size, most, refused, about) void write_##name(FILE *f, long n);
#include "shapes.def"

#endif
