/* SPDX-License-Identifier: Apache-2.0 */
/* sparse.c - #sparse_tensor.encoding: how a tensor is stored, level by level. StableHLO's tensors may carry it.
 *
 *   '<' '{' 'map' '=' '(' dim, ... ')' '->' '(' level, ... ')' (',' key '=' value)* '}' '>'
 *   level ::= dim (('floordiv' | 'mod') number)? ':' format
 *
 * Dimensions may have any names in the source; they are d0, d1, ... when written. */
#include "asm/reader.h"
#include "dialect/hooks.h"

enum { NDIM, LEVELS, FORMATS, POS_WIDTH, CRD_WIDTH, EXPLICIT, IMPLICIT, NPARAM };
enum { PLAIN, FLOORDIV, MOD, LEVEL_INTS = 3 }; /* a level: dimension, operator, number */
enum { MAX_DIMS = 64 };

static const char *const operators[] = {[FLOORDIV] = "floordiv", [MOD] = "mod"};
static const char *const formats[] = {"dense", "compressed", "singleton", "loose_compressed",
                                      "batch", "structured"};
static const char *const properties[] = {"nonunique", "nonordered", "soa"};

typedef struct {
    tsr_str dims[MAX_DIMS];
    size_t ndim;
    TSR_VEC(int64_t) levels;
    tsr_attr_vec formats;
} map_reader;

static int find_word(tsr_str word, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (words[i] && tsr_str_is(word, words[i]))
            return (int)i;
    return -1;
}

static bool read_dim(tsr_asm *a, void *user, size_t i)
{
    map_reader *m = user;
    if (i == MAX_DIMS)
        return tsr_asm_error(a, "more than %d dimensions", MAX_DIMS);
    m->ndim = i + 1;
    return tsr_asm_keyword(a, &m->dims[i]);
}

static bool read_property(tsr_asm *a, void *user, size_t i)
{
    tsr_str word;
    tsr_loc loc = tsr_asm_loc(a);
    TSR_TRY(tsr_asm_keyword(a, &word));
    if (find_word(word, properties, TSR_COUNT(properties)) < 0)
        return tsr_asm_error_at(a, loc, "unknown level property: %.*s", TSR_STR_ARG(word));
    tsr_buf_printf(user, "%s%.*s", i ? ", " : "", TSR_STR_ARG(word));
    return true;
}

/* format ::= word ('[' number ',' number ']')? ('(' property, ... ')')? */
static bool read_format(tsr_asm *a, tsr_buf *out)
{
    tsr_str word;
    tsr_loc loc = tsr_asm_loc(a);
    int64_t n, m;
    size_t count;
    TSR_TRY(tsr_asm_keyword(a, &word));
    if (find_word(word, formats, TSR_COUNT(formats)) < 0)
        return tsr_asm_error_at(a, loc, "unknown level format: %.*s", TSR_STR_ARG(word));
    tsr_buf_str(out, word);
    if (tsr_str_is(word, "structured")) {
        TSR_TRY(tsr_asm_lit(a, "[") && tsr_asm_int(a, &n) && tsr_asm_lit(a, ",") &&
                tsr_asm_int(a, &m));
        tsr_buf_printf(out, "[%lld, %lld]", (long long)n, (long long)m);
        TSR_TRY(tsr_asm_lit(a, "]"));
    }
    if (!tsr_asm_peek(a, "("))
        return true;
    tsr_buf_char(out, '(');
    TSR_TRY(tsr_asm_list(a, "(", ")", &count, read_property, out));
    tsr_buf_char(out, ')');
    return true;
}

static bool read_level(tsr_asm *a, void *user, size_t i)
{
    map_reader *m = user;
    tsr_str name;
    tsr_loc loc = tsr_asm_loc(a);
    TSR_TRY(tsr_asm_keyword(a, &name));
    int64_t dim = 0, op = PLAIN, number = 0;
    (void)i;
    while (dim < (int64_t)m->ndim && !tsr_str_eq(m->dims[dim], name))
        dim++;
    if (dim == (int64_t)m->ndim)
        return tsr_asm_error_at(a, loc, "use of undeclared identifier '%.*s'", TSR_STR_ARG(name));
    if (tsr_asm_maybe(a, "floordiv", false))
        op = FLOORDIV;
    else if (tsr_asm_maybe(a, "mod", false))
        op = MOD;
    if (op != PLAIN)
        TSR_TRY(tsr_asm_int(a, &number));
    TSR_TRY(tsr_asm_lit(a, ":"));
    tsr_vec_push(&m->levels, dim);
    tsr_vec_push(&m->levels, op);
    tsr_vec_push(&m->levels, number);
    tsr_buf text = {0};
    bool ok = read_format(a, &text);
    if (ok)
        tsr_vec_push(&m->formats, tsr_attr_string(a->ctx, tsr_buf_text(&text)));
    tsr_buf_free(&text);
    return ok;
}

static bool read_map(tsr_asm *a, tsr_attr **params)
{
    map_reader m = {0};
    size_t n;
    bool ok = tsr_asm_list(a, "(", ")", &n, read_dim, &m) && tsr_asm_lit(a, " -> ") &&
              tsr_asm_list(a, "(", ")", &n, read_level, &m);
    if (ok) {
        params[NDIM] = tsr_attr_i64(a->ctx, (int64_t)m.ndim);
        params[LEVELS] = tsr_attr_i64_array(a->ctx, m.levels.data, m.levels.n);
        params[FORMATS] = tsr_attr_array(a->ctx, m.formats.data, m.formats.n);
    }
    tsr_vec_free(&m.levels);
    tsr_vec_free(&m.formats);
    return ok;
}

static bool width(tsr_asm *a, tsr_attr **attr)
{
    tsr_loc loc = tsr_asm_loc(a);
    TSR_TRY(tsr_asm_i64(a, attr));
    int64_t bits = (*attr)->i;
    return tsr_asm_writing(a) || bits == 0 || bits == 8 || bits == 16 || bits == 32 || bits == 64 ||
           tsr_asm_error_at(a, loc, "unexpected position bitwidth: %lld", (long long)bits);
}

static bool read_encoding(tsr_asm *a, tsr_attr **params)
{
    static const char *const keys[] = {
        [NDIM] = "map",
        [POS_WIDTH] = "posWidth",
        [CRD_WIDTH] = "crdWidth",
        [EXPLICIT] = "explicitVal",
        [IMPLICIT] = "implicitVal",
    };
    TSR_TRY(tsr_asm_lit(a, "<{"));
    do {
        tsr_str word;
        tsr_loc loc = tsr_asm_loc(a);
        TSR_TRY(tsr_asm_keyword(a, &word));
        int key = find_word(word, keys, TSR_COUNT(keys));
        if (key < 0)
            return tsr_asm_error_at(a, loc, "unexpected key: %.*s", TSR_STR_ARG(word));
        TSR_TRY(tsr_asm_lit(a, "="));
        TSR_TRY(key == NDIM                            ? read_map(a, params)
                : key == POS_WIDTH || key == CRD_WIDTH ? width(a, &params[key])
                                                       : tsr_asm_attr(a, &params[key]));
    } while (tsr_asm_maybe(a, ",", false));
    TSR_TRY(tsr_asm_lit(a, "}>"));
    if (!params[NDIM])
        return tsr_asm_error(a, "expected a map in the encoding");
    for (int w = POS_WIDTH; w <= CRD_WIDTH; w++)
        if (params[w] && params[w]->i == 0) /* as if it were absent */
            params[w] = NULL;
    return true;
}

static void write_encoding(tsr_asm *a, tsr_attr *const *params)
{
    tsr_buf b = {0};
    tsr_buf_cstr(&b, "<{ map = (");
    for (int64_t i = 0; i < params[NDIM]->i; i++)
        tsr_buf_printf(&b, "%sd%lld", i ? ", " : "", (long long)i);
    tsr_buf_cstr(&b, ") -> (");
    for (uint32_t i = 0; i < params[FORMATS]->n; i++) {
        size_t at = (size_t)i * LEVEL_INTS;
        int64_t op = tsr_attr_int_at(params[LEVELS], at + 1);
        tsr_buf_printf(&b, "%sd%lld", i ? ", " : "",
                       (long long)tsr_attr_int_at(params[LEVELS], at));
        if (op != PLAIN)
            tsr_buf_printf(&b, " %s %lld", operators[op],
                           (long long)tsr_attr_int_at(params[LEVELS], at + 2));
        tsr_buf_printf(&b, " : %.*s", TSR_STR_ARG(params[FORMATS]->attrs[i]->s));
    }
    tsr_buf_cstr(&b, ")");
    if (params[POS_WIDTH])
        tsr_buf_printf(&b, ", posWidth = %lld", (long long)params[POS_WIDTH]->i);
    if (params[CRD_WIDTH])
        tsr_buf_printf(&b, ", crdWidth = %lld", (long long)params[CRD_WIDTH]->i);
    tsr_buf_char(&b, '\0');
    tsr_asm_lit(a, b.data);
    tsr_buf_free(&b);
}

bool attr_SPARSE_TENSOR_ENCODING(tsr_asm *a, tsr_attr **params)
{
    if (!tsr_asm_writing(a))
        return read_encoding(a, params);
    write_encoding(a, params);
    if (params[EXPLICIT])
        TSR_TRY(tsr_asm_lit(a, ", explicitVal = ") && tsr_asm_attr(a, &params[EXPLICIT]));
    if (params[IMPLICIT])
        TSR_TRY(tsr_asm_lit(a, ", implicitVal = ") && tsr_asm_attr(a, &params[IMPLICIT]));
    return tsr_asm_lit(a, " }>");
}
