/* writer.h - what the files of this folder share: the text under way.
 *
 * The file has these parts: functions that groups call (parts.c), tables and constants (values.c), a function for each kind of group, and the function
 * that calls them in order. A function's text knows nothing of where values lie: it gets pointers, so that layers that are alike share one. */
#ifndef TSR_TARGET_C_WRITER_H
#define TSR_TARGET_C_WRITER_H

#include "base/map.h"
#include "target/c/c.h"

typedef struct {
    const tsr_program *p;
    const tsr_c_options *options;
    tsr_arena arena; /* names */
    tsr_buf parts, tables, functions, body;
    tsr_buf *weights;
    tsr_map made; /* names of parts, tables and functions, by their text */
    uint32_t ntable, nfunction;
    size_t scratch; /* bytes that groups need at most */
    size_t extra;   /* of values that the engine does not plan */
    int depth;      /* of blocks in body */
    tsr_xid *
        constants; /* by value: number + 1 of its table; its place in the weights + 1 where it is apart */
    uint64_t *places;
    bool failed;
} tsr_c_writer;

/* Reports at an op what cannot be written; always false. */
bool tsr_c_refuse(tsr_c_writer *w, tsr_loc loc, const char *fmt, ...) TSR_PRINTF(3, 4);
bool tsr_c_refuse_op(tsr_c_writer *w, const tsr_op *op, const char *why);
const char *tsr_c_text(tsr_c_writer *w, const char *fmt, ...) TSR_PRINTF(2, 3);

/* ---- Parts (parts.c) ---- */

/* Replaces $key in the text of a part. */
typedef struct {
    char key;
    const char *by;
} tsr_c_word;
/* Makes sure that the part is there, once for each set of words. */
void tsr_c_part(tsr_c_writer *w, const char *name, const tsr_c_word *words, size_t n);
#define TSR_C_PART(w, name, ...)                           \
    tsr_c_part(w, name, (const tsr_c_word[]){__VA_ARGS__}, \
               sizeof((const tsr_c_word[]){__VA_ARGS__}) / sizeof(tsr_c_word))
/* A part, unchanged, in another buffer. */
void tsr_c_print(tsr_buf *out, const char *name, const tsr_c_word *words, size_t n);
/* Whether text was made before under this kind; if not, it is now, with its number. */
uint32_t tsr_c_once(tsr_c_writer *w, char kind, tsr_str text, uint32_t next, bool *is_new);

/* How C has elements of a type: in memory, and as names say it. NULL: it has none. */
const char *tsr_c_type(tsr_dtype d);
const char *tsr_c_name(tsr_dtype d);
/* Of a local variable: i1 is an int. */
const char *tsr_c_local(tsr_dtype d);
/* A number by its bits. */
const char *tsr_c_number(tsr_c_writer *w, tsr_dtype d, uint64_t bits);
/* v of type from as one of type to; NULL: there is no such conversion in C. */
const char *tsr_c_convert(tsr_c_writer *w, tsr_dtype to, tsr_dtype from, const char *v);
/* The function of a tile op on one element of each operand; NULL: there is none. */
const char *tsr_c_tile(tsr_c_writer *w, tsr_tile_op op, tsr_dtype type);
/* Whether compilers make no vectors of it; each: the function of many elements that it has instead, or NULL. */
bool tsr_c_tile_is_hard(tsr_c_writer *w, tsr_tile_op op, tsr_dtype type, const char **each);
/* The name of a fold's functions, "sum_f32"; NULL: there is none. most: there is a faster one for rows. */
const char *tsr_c_fold(tsr_c_writer *w, tsr_fold_op op, tsr_dtype type, bool *most);
/* The name of a function tsr_join_NAME of two elements as they lie in memory; NULL: there is none. */
const char *tsr_c_join(tsr_c_writer *w, tsr_tile_op op, tsr_dtype type);
/* A function that reads an element as int64_t; NULL: there is none. */
const char *tsr_c_reader(tsr_c_writer *w, tsr_dtype type);
/* The neutral element of a fold, as C. */
const char *tsr_c_neutral(tsr_c_writer *w, tsr_fold_op op, tsr_dtype type);

/* ---- Values (values.c) ---- */

/* Where the memory of a value begins, as an expression of char *; through a view: the element with index 0. */
const char *tsr_c_at(tsr_c_writer *w, tsr_xid v);
/* A table of this type and these contents; its number. */
uint32_t tsr_c_table(tsr_c_writer *w, const char *type, tsr_str contents);
/* The view as a table; its number. */
uint32_t tsr_c_view(tsr_c_writer *w, const tsr_xview *v);
void tsr_c_ints(tsr_buf *out, const int64_t *v, size_t n);

/* ---- Functions of groups ---- */

/* A function under way: pointers that it gets, and its text. */
typedef struct {
    tsr_c_writer *w;
    TSR_VEC(const char *) at; /* expressions of the pointers p[0], p[1], ... */
    tsr_buf text;
    size_t scratch;
} tsr_c_function;

/* The number of the pointer to a value's memory (of its storage); and through its view. */
uint32_t tsr_c_pointer(tsr_c_function *f, const char *at);
/* Ends the function and calls it. */
void tsr_c_call(tsr_c_function *f);
/* Ends a function that is called for each block of a product; its number. The pointers go to f's list. */
uint32_t tsr_c_epilogue(tsr_c_function *f, tsr_buf *text);

bool tsr_c_loop(tsr_c_writer *w, const tsr_xgroup *g); /* loop.c */
/* The loop of a product's blocks, as the text of a function; bytes: scratch memory that it needs. */
bool tsr_c_block_loop(tsr_c_function *f, const tsr_xgroup *g, tsr_buf *out, size_t *bytes);
bool tsr_c_product(tsr_c_writer *w, const tsr_xgroup *g); /* product.c */
bool tsr_c_move(tsr_c_writer *w, const tsr_node *n);      /* move.c */
/* An op by the evaluator's kernel; false: it has no form in C, and nothing was written (other.c). */
bool tsr_c_other(tsr_c_writer *w, const tsr_node *n);

#endif
