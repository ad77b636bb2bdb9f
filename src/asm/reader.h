/* SPDX-License-Identifier: Apache-2.0 */
/* reader.h - reading text: the lexer, and the parsers of types, attributes and locations on top of it.
 *
 * There is one token of look-ahead. The text is copied once and terminated by NULs, so that scanning needs no bounds
 * checks; names and strings of tokens point into the copy. */
#ifndef TSR_ASM_READER_H
#define TSR_ASM_READER_H

#include "asm/asm.h"

typedef enum {
    TOK_EOF,
    TOK_ERROR,   /* its diagnostic was emitted */
    TOK_WORD,    /* bare identifier: [a-zA-Z_][a-zA-Z0-9_$.]* */
    TOK_INT,     /* 12 or 0x1F */
    TOK_FLOAT,   /* 1.5e3 */
    TOK_STRING,  /* with its quotes */
    TOK_AT,      /* @name or @"name" */
    TOK_HASH,    /* #name */
    TOK_BANG,    /* !name */
    TOK_PERCENT, /* %name */
    TOK_CARET,   /* ^name */
    TOK_ARROW,   /* -> */
    TOK_COLONS,  /* :: */
    TOK_ELLIPSIS,
    TOK_META_BEGIN, /* {-# */
    TOK_META_END,   /* #-} */
    TOK_PUNCT = 32, /* a character by itself: its kind is its code, from ' ' up */
} tsr_tok_kind;

typedef struct {
    int kind; /* tsr_tok_kind, or the character of punctuation */
    const char *start;
    size_t len;
} tsr_token;

enum { TSR_MAX_NESTING = 256, TYPE_CACHE = 256 };

struct tsr_reader {
    tsr_ctx *ctx;
    tsr_module *module; /* owner of large data; NULL when only an attribute or type is read */
    char *text, *end;   /* the copy */
    const char *p;      /* after the current token */
    tsr_token tok;      /* the current token */
    uint32_t line;      /* of the current token */
    const char *line_start;
    const tsr_name *file;
    tsr_loc
        packed_file; /* its position 0:0, to which lines and columns are added; 0: cannot be packed */
    tsr_map aliases; /* read_dialect.c's, by '#' or '!' and the name */
    tsr_arena scratch;
    tsr_str outer_source; /* the text that diagnostics showed before, to be restored */
    const tsr_name *outer_file;
    uint32_t outer_line;
    bool forward; /* in an op's location, which may refer to an alias that is defined later */
    tsr_attr_vec distincts; /* distinct attributes so far */
    bool older;             /* something has, or may have, an older spelling (dialect/older.h) */
    bool looked_ahead;      /* alias definitions in the rest of the text were recorded */
    int depth;              /* nesting of types, attributes and regions */
    int deepest;            /* its maximum since an alias's definition began */
    uint64_t nodes;         /* attributes and types so far, with aliases expanded */
    /* Types by their text: a module has few types, which are written often. */
    struct {
        const char *text;
        uint32_t len;
        tsr_type *type;
    } types[TYPE_CACHE];
};

/* ---- lexer.c ---- */
void tsr_reader_init(tsr_reader *r, tsr_ctx *ctx, tsr_module *m, tsr_str text, tsr_str file,
                     uint32_t line);
void tsr_reader_free(tsr_reader *r);
void tsr_read_next(tsr_reader *r);
/* Moves back (or forward) to lex at p, whose line is given by the saved position. */
typedef struct {
    const char *p, *line_start;
    uint32_t line;
    tsr_token tok;
} tsr_read_mark;
tsr_read_mark tsr_read_save(const tsr_reader *r);
void tsr_read_restore(tsr_reader *r, tsr_read_mark mark);
/* Lexes the next token from here, counting the lines in between. here is not before the current token. */
void tsr_read_jump(tsr_reader *r, const char *here);
static inline tsr_str tsr_tok_text(const tsr_reader *r)
{
    return (tsr_str){r->tok.start, r->tok.len};
}
static inline bool tsr_read_is(const tsr_reader *r, int kind)
{
    return r->tok.kind == kind;
}
static inline bool tsr_read_word_is(const tsr_reader *r, const char *word)
{
    return r->tok.kind == TOK_WORD && tsr_str_is(tsr_tok_text(r), word);
}
static inline bool tsr_read_take(tsr_reader *r, int kind) /* consumes it if it comes next */
{
    if (r->tok.kind != kind)
        return false;
    tsr_read_next(r);
    return true;
}
bool tsr_read_take_word(tsr_reader *r, const char *word);
bool tsr_read_expect(tsr_reader *r, int kind, const char *message); /* message: "expected ..." */
tsr_loc tsr_read_loc(const tsr_reader *r);
tsr_loc tsr_read_loc_at(const tsr_reader *r,
                        const char *p); /* p in the text, at or before the current token */
bool tsr_read_error(tsr_reader *r, const char *fmt, ...)
    TSR_PRINTF(2, 3); /* at the current token; false */
/* The same for a missing token: at the end of the preceding text, as in MLIR. */
bool tsr_read_wrong(tsr_reader *r, const char *fmt, ...) TSR_PRINTF(2, 3);
/* Enters one nesting level; false with a diagnostic if that is too deep. */
bool tsr_read_enter(tsr_reader *r);
static inline void tsr_read_leave(tsr_reader *r)
{
    r->depth--;
}
/* The value of the current string token, unescaped, in scratch memory. False for a bad escape. */
bool tsr_read_unescape(tsr_reader *r, tsr_str *out);
/* The value of an integer token (decimal or hex); false if it does not fit in 64 bits. */
bool tsr_tok_uint(tsr_str spelling, uint64_t *out);
double tsr_tok_double(const char *start, size_t len);

/* ---- read_type.c ---- */
tsr_type *tsr_read_type(tsr_reader *r);
bool tsr_read_at_type(const tsr_reader *r); /* whether a type begins here */
/* (T, T) or T: a list of types after '->'. */
bool tsr_read_type_list(tsr_reader *r, tsr_type_vec *out);
bool tsr_read_type_list_parens(tsr_reader *r, tsr_type_vec *out);
tsr_type *tsr_read_function_type(tsr_reader *r);
/* 2x?x: the dimensions in front of an element type, possibly none; the current token is the first of them. */
enum { TSR_READ_MAX_RANK = 64 };
bool tsr_read_dims(tsr_reader *r, int64_t dims[TSR_READ_MAX_RANK], size_t *n);

/* ---- read_attr.c ---- */
/* type: the type of the attribute if it is known and not written; usually NULL. */
tsr_attr *tsr_read_attr(tsr_reader *r, tsr_type *type);
bool tsr_read_dict(tsr_reader *r, tsr_named_vec *out); /* {...}; no duplicate names */
tsr_attr *tsr_read_symbol(tsr_reader *r);
tsr_attr *tsr_read_location(tsr_reader *r);              /* after "loc(", including ')' */
tsr_attr *tsr_read_location_instance(tsr_reader *r);     /* what is inside */
bool tsr_read_optional_loc(tsr_reader *r, tsr_loc *loc); /* loc(...) if present */
tsr_attr *tsr_loc_fuse(tsr_ctx *ctx, tsr_attr *const *locs, size_t n,
                       tsr_attr *meta); /* as one location */
bool tsr_read_alias_definition(tsr_reader *r);
bool tsr_read_metadata(tsr_reader *r); /* {-# ... #-} */
/* #dialect... and !dialect... */
tsr_attr *tsr_read_dialect_attr(tsr_reader *r);
tsr_type *tsr_read_dialect_type(tsr_reader *r);
/* An integer of this type from its spelling; NULL if it does not fit. */
tsr_attr *tsr_int_from_spelling(tsr_ctx *ctx, tsr_type *type, bool negative, tsr_str spelling);

/* ---- read_dense.c ---- */
/* start: the beginning of the attribute, for messages about all of it */
tsr_attr *tsr_read_dense(tsr_reader *r, tsr_type *type, const char *start);  /* after "dense" */
tsr_attr *tsr_read_dense_array(tsr_reader *r);                               /* after "array" */
tsr_attr *tsr_read_sparse(tsr_reader *r, tsr_type *type, const char *start); /* after "sparse" */

/* ---- read_affine.c ---- */
tsr_attr *tsr_read_affine(tsr_reader *r, bool is_set); /* after "affine_map" or "affine_set" */
tsr_attr *tsr_read_bare_map(tsr_reader *r);            /* (d0) -> (d0), as in some attributes */

#endif
