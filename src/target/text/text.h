/* SPDX-License-Identifier: Apache-2.0 */
/* text.h - scalar functions as text: tile ops, conversions and folds of single elements, with what they call.
 *
 * The expressions of tile ops are read from the engine's own table, and the functions that they call from the engine's
 * sources, so that all compute the same. Two dialects: a file of C99 (target/c), and kernel text, a subset of C that is
 * CUDA, too (gpu/text/kernel.txt). */
#ifndef TSR_TARGET_TEXT_TEXT_H
#define TSR_TARGET_TEXT_TEXT_H

#include "base/map.h"
#include "exec/program.h"

typedef enum { TSR_TEXT_C99, TSR_TEXT_KERNEL } tsr_text_dialect;

typedef struct {
    tsr_text_dialect dialect;
    tsr_arena arena; /* memory of names */
    tsr_buf parts;
    tsr_map made; /* names of parts, tables and functions, by their text */
} tsr_text;

void tsr_text_init(tsr_text *t, tsr_text_dialect dialect);
void tsr_text_free(tsr_text *t);

const char *tsr_text_of(tsr_text *t, const char *fmt, ...) TSR_PRINTF(2, 3);

/* ---- Parts ---- */

/* A substitution: replaces $key in the text of a part. */
typedef struct {
    char key;
    const char *by;
} tsr_text_word;
/* Writes the part, once for each set of words. */
void tsr_text_part(tsr_text *t, const char *name, const tsr_text_word *words, size_t n);
#define TSR_TEXT_PART(t, name, ...)                              \
    tsr_text_part(t, name, (const tsr_text_word[]){__VA_ARGS__}, \
                  sizeof((const tsr_text_word[]){__VA_ARGS__}) / sizeof(tsr_text_word))
/* Writes a part, without changes, to another buffer. */
void tsr_text_print(tsr_buf *out, const char *name, const tsr_text_word *words, size_t n);
/* The number under which text of this kind was written before; if it is new, it gets number next. */
uint32_t tsr_text_once(tsr_text *t, char kind, tsr_str text, uint32_t next, bool *is_new);

/* Adds to a text those functions, types and tables that `by` names, and what they name, in their order, as kernel text. What
 * out has already defined stays as it is there. */
void tsr_text_used(tsr_str text, tsr_str by, tsr_buf *out);

/* The instructions that compute the operands of n instructions of a loop. in: of the first; of each other, so many bytes
 * further. */
void tsr_text_operands(const tsr_xgroup *g, uint32_t n, uint32_t *in, size_t each);

/* ---- Elements ---- */

/* The C type of elements in memory, and its name within identifiers. NULL: there is none. */
const char *tsr_text_type(tsr_dtype d);
const char *tsr_text_name(tsr_dtype d);
/* The type of a local variable: i1 is an int. */
const char *tsr_text_local(tsr_dtype d);
/* A literal for a number, given its bits. */
const char *tsr_text_number(tsr_text *t, tsr_dtype d, uint64_t bits);
/* An expression that converts v from one type to another; NULL: there is no such conversion. */
const char *tsr_text_convert(tsr_text *t, tsr_dtype to, tsr_dtype from, const char *v);
/* Whether kernel text has a tile op, or a conversion. */
bool tsr_text_has_tile(tsr_tile_op op, tsr_dtype type);
bool tsr_text_has_convert(tsr_dtype to, tsr_dtype from);
/* The function of a tile op on single elements; NULL: there is none. */
const char *tsr_text_tile(tsr_text *t, tsr_tile_op op, tsr_dtype type);
/* Whether compilers do not vectorize it; each: the function for many elements to call instead, or NULL. */
bool tsr_text_tile_is_hard(tsr_text *t, tsr_tile_op op, tsr_dtype type, const char **each);
/* The name of a fold's functions, as in "sum_f32"; NULL: there is none. most: there is a faster one for rows. */
const char *tsr_text_fold(tsr_text *t, tsr_fold_op op, tsr_dtype type, bool *most);
/* The suffix of a function tsr_join_NAME of two elements in memory; NULL: there is none. */
const char *tsr_text_join(tsr_text *t, tsr_tile_op op, tsr_dtype type);
/* A function that reads an element as int64_t; NULL: there is none. */
const char *tsr_text_reader(tsr_text *t, tsr_dtype type);
/* The neutral element of a fold, as an expression. */
const char *tsr_text_neutral(tsr_text *t, tsr_fold_op op, tsr_dtype type);

#endif
