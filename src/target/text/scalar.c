/* SPDX-License-Identifier: Apache-2.0 */
/* scalar.c - writes scalar functions: texts of text/, and one function for each tile op, conversion and fold. */
#include "target/text/text.h"

#include "base/char.h"
#include "exec/kernel/tile.h"

extern const char *const tsr_text_lines[]; /* for each part: its name, its lines, NULL */

const char *tsr_text_of(tsr_text *t, const char *fmt, ...)
{
    tsr_buf b = {0};
    va_list args;
    va_start(args, fmt);
    tsr_buf_vprintf(&b, fmt, args);
    va_end(args);
    tsr_buf_char(&b, 0);
    const char *text = tsr_arena_copy(&t->arena, b.data, b.len);
    tsr_buf_free(&b);
    return text;
}

void tsr_text_init(tsr_text *t, tsr_text_dialect dialect)
{
    *t = (tsr_text){.dialect = dialect};
    tsr_arena_init(&t->arena);
}

void tsr_text_free(tsr_text *t)
{
    tsr_buf_free(&t->parts);
    tsr_map_free(&t->made);
    tsr_arena_free(&t->arena);
}

/* ---- Texts ---- */

void tsr_text_print(tsr_buf *out, const char *name, const tsr_text_word *words, size_t n)
{
    const char *const *line = tsr_text_lines;
    while (*line && strcmp(*line, name) != 0) {
        while (*++line)
            ;
        line++;
    }
    tsr_assert(*line, "there is no part %s", name);
    for (line++; *line; line++)
        for (const char *at = *line; *at; at++) {
            size_t k = 0;
            while (*at == '$' && k < n && words[k].key != at[1])
                k++;
            if (*at != '$' || k == n) {
                tsr_buf_char(out, *at);
                continue;
            }
            tsr_buf_cstr(out, words[k].by);
            at++;
        }
    tsr_buf_char(out, '\n');
}

uint32_t tsr_text_once(tsr_text *t, char kind, tsr_str text, uint32_t next, bool *is_new)
{
    typedef struct {
        char kind;
        uint32_t number;
        tsr_str text;
    } entry;
    uint64_t hash = tsr_hash_str(text) ^ (uint64_t)(unsigned char)kind << 56;
    TSR_MAP_EACH (&t->made, hash, v) {
        const entry *e = v;
        if (e->kind == kind && tsr_str_eq(e->text, text)) {
            *is_new = false;
            return e->number;
        }
    }
    entry *e = TSR_NEW(&t->arena, entry);
    *e = (entry){kind, next, {tsr_arena_copy(&t->arena, text.data, text.len), text.len}};
    tsr_map_put(&t->made, hash, e);
    *is_new = true;
    return next;
}

void tsr_text_part(tsr_text *t, const char *name, const tsr_text_word *words, size_t n)
{
    tsr_buf key = {0};
    bool is_new;
    tsr_buf_cstr(&key, name);
    for (size_t i = 0; i < n; i++)
        tsr_buf_printf(&key, " %c%s", words[i].key, words[i].by);
    tsr_text_once(t, 'p', tsr_buf_text(&key), 0, &is_new);
    tsr_buf_free(&key);
    if (is_new)
        tsr_text_print(&t->parts, name, words, n);
}

/* Writes a function that is generated here, once. */
static void make(tsr_text *t, const char *text)
{
    bool is_new;
    tsr_text_once(t, 'm', tsr_cstr(text), 0, &is_new);
    if (is_new)
        tsr_buf_printf(&t->parts, "%s\n", text);
}

/* ---- Types ---- */

static const struct {
    const char *name, *type, *wrapped; /* wrapped: unsigned, not narrower than int */
} types[TSR_D__COUNT] = {
    [TSR_D_I1] = {"i1", "uint8_t", "uint32_t"},    [TSR_D_I2] = {"i8", "int8_t", "uint32_t"},
    [TSR_D_I4] = {"i8", "int8_t", "uint32_t"},     [TSR_D_I8] = {"i8", "int8_t", "uint32_t"},
    [TSR_D_I16] = {"i16", "int16_t", "uint32_t"},  [TSR_D_I32] = {"i32", "int32_t", "uint32_t"},
    [TSR_D_I64] = {"i64", "int64_t", "uint64_t"},  [TSR_D_U2] = {"u8", "uint8_t", "uint32_t"},
    [TSR_D_U4] = {"u8", "uint8_t", "uint32_t"},    [TSR_D_U8] = {"u8", "uint8_t", "uint32_t"},
    [TSR_D_U16] = {"u16", "uint16_t", "uint32_t"}, [TSR_D_U32] = {"u32", "uint32_t", "uint32_t"},
    [TSR_D_U64] = {"u64", "uint64_t", "uint64_t"}, [TSR_D_F16] = {"f16", "uint16_t", NULL},
    [TSR_D_BF16] = {"bf16", "uint16_t", NULL},     [TSR_D_F32] = {"f32", "float", NULL},
    [TSR_D_F64] = {"f64", "double", NULL},         [TSR_D_C64] = {"c64", "tsr_u64", NULL},
};

static bool is_small(tsr_dtype d)
{
    return d == TSR_D_I2 || d == TSR_D_I4 || d == TSR_D_U2 || d == TSR_D_U4;
}

static bool is_narrow(tsr_dtype d)
{
    return d == TSR_D_F16 || d == TSR_D_BF16;
}

const char *tsr_text_type(tsr_dtype d)
{
    return d < TSR_D__COUNT ? types[d].type : NULL;
}

const char *tsr_text_name(tsr_dtype d)
{
    return types[d].name;
}

const char *tsr_text_local(tsr_dtype d)
{
    return d == TSR_D_I1 ? "int" : types[d].type;
}

const char *tsr_text_number(tsr_text *t, tsr_dtype d, uint64_t bits)
{
    uint32_t bytes = tsr_dtype_bytes(d);
    unsigned long long v = bytes < 8 ? bits & (((uint64_t)1 << 8 * bytes) - 1) : bits;
    if (d == TSR_D_F32)
        return tsr_text_of(t, "tsr_f32(0x%llxu)", v);
    if (d == TSR_D_F64)
        return tsr_text_of(t, "tsr_f64(UINT64_C(0x%llx))", v);
    if (bytes == 8)
        return tsr_text_of(t, "(%s)UINT64_C(0x%llx)", types[d].type, v);
    return d == TSR_D_I1 ? (v & 1 ? "1" : "0") : tsr_text_of(t, "(%s)0x%llxu", types[d].type, v);
}

/* The function of kernel text from a narrow float to f32 or back. NULL: there is none. */
static const char *narrow_function(tsr_dtype to, tsr_dtype from)
{
    static const char *const of_f32[TSR_D__COUNT] = {[TSR_D_BF16] = "tsr_bf16_of_f32",
                                                     [TSR_D_F16] = "tsr_f16_of_f32",
                                                     [TSR_D_F8E4M3FN] = "tsr_f8e4m3fn_of_f32",
                                                     [TSR_D_F8E5M2] = "tsr_f8e5m2_of_f32"};
    static const char *const to_f32[TSR_D__COUNT] = {[TSR_D_BF16] = "tsr_f32_of_bf16",
                                                     [TSR_D_F16] = "tsr_f32_of_f16",
                                                     [TSR_D_F8E4M3FN] = "tsr_f32_of_f8e4m3fn",
                                                     [TSR_D_F8E5M2] = "tsr_f32_of_f8e5m2"};
    return to == TSR_D_F32 ? to_f32[from] : from == TSR_D_F32 ? of_f32[to] : NULL;
}

/* Writes the function that converts a float to an integer, for kernel text. */
static void need_to_int(tsr_text *t, tsr_dtype to, tsr_dtype from)
{
    int bits = (int)tsr_dtype_bits(to);
    bool is_signed = tsr_dtype_kind(to) == TSR_K_SINT;
    const char *end = from == TSR_D_F32 ? "f" : "";
    const char *low = is_signed ? tsr_text_of(t, "-0x1p%d%s", bits - 1, end) : "0";
    const char *high = tsr_text_of(t, "0x1p%d%s", is_signed ? bits - 1 : bits, end);
    const char *most = tsr_text_of(t, "(%s)0x%llxu", types[to].type,
                                   (unsigned long long)(UINT64_MAX >> (64 - bits + is_signed)));
    const char *least = is_signed ? tsr_text_of(t, "(%s)(-%s - 1)", types[to].type, most) : "0";
    TSR_TEXT_PART(t, "to_int", {'n', types[to].name}, {'t', types[to].type},
                  {'f', types[from].name}, {'g', types[from].type}, {'l', low}, {'h', high},
                  {'a', most}, {'i', least});
}

const char *tsr_text_convert(tsr_text *t, tsr_dtype to, tsr_dtype from, const char *v)
{
    bool plain = tsr_dtype_is_int(from) || from == TSR_D_F32 || from == TSR_D_F64;
    if (to == from)
        return v;
    if (t->dialect == TSR_TEXT_KERNEL && narrow_function(to, from))
        return tsr_text_of(t, "%s(%s)", narrow_function(to, from), v);
    if (!types[to].type || !types[from].type)
        return NULL;
    if (is_narrow(from) || is_narrow(to)) {
        TSR_TEXT_PART(t, "convert", {'-', ""});
        if (is_narrow(from) && to == TSR_D_F32)
            return tsr_text_of(t, "from_%s(%s)", types[from].name, v);
        if (is_narrow(to) && from == TSR_D_F32)
            return tsr_text_of(t, "to_%s(bits_of(%s))", types[to].name, v);
        return NULL;
    }
    if (!plain)
        return NULL;
    if (to == TSR_D_I1)
        return tsr_text_of(t, "(%s != 0)", v);
    if (is_small(to)) {
        int rest = 8 - (int)tsr_dtype_bits(to);
        if (!tsr_dtype_is_int(from))
            return NULL;
        return tsr_text_of(t, "((%s)((%s)((uint32_t)%s << %d) >> %d))", types[to].type,
                           types[to].type, v, rest, rest);
    }
    if (tsr_dtype_is_int(to) && tsr_dtype_is_float(from)) {
        if (t->dialect == TSR_TEXT_KERNEL)
            need_to_int(t, to, from);
        else
            TSR_TEXT_PART(t, "convert", {'-', ""});
        return tsr_text_of(t, "%s_of_%s(%s)", types[to].name, types[from].name, v);
    }
    return tsr_dtype_is_complex(to) ? NULL : tsr_text_of(t, "(%s)%s", types[to].type, v);
}

/* ---- Expressions of tile ops ---- */

typedef struct {
    const char *of_float, *far, *of_int, *of_signed, *of_unsigned, *of_bool, *flag, *float_flag;
    bool keeps;
    int operands;
} tile_text;

static const tile_text tiles[TSR_TILE__COUNT] = {
#define TILE(name, n) [TSR_TILE_##name].operands = (n),
#define FLOAT1(name, expr) [TSR_TILE_##name].of_float = #expr,
#define FLOAT2(name, expr) [TSR_TILE_##name].of_float = #expr,
#define FLOAT3(name, expr) [TSR_TILE_##name].of_float = #expr,
#define FLOAT4(name, expr) [TSR_TILE_##name].of_float = #expr,
#define FLOATFLAG1(name, expr) [TSR_TILE_##name].float_flag = #expr,
#define BOUNDED1(name, near, others) \
    [TSR_TILE_##name].of_float = #near, [TSR_TILE_##name].far = #others,
#define INT1(name, expr) [TSR_TILE_##name].of_int = #expr,
#define INT2(name, expr) [TSR_TILE_##name].of_int = #expr,
#define INT3(name, expr) [TSR_TILE_##name].of_int = #expr,
#define INT4(name, expr) [TSR_TILE_##name].of_int = #expr,
#define SIGNED1(name, expr) [TSR_TILE_##name].of_signed = #expr,
#define SIGNED2(name, expr) [TSR_TILE_##name].of_signed = #expr,
#define UNSIGNED2(name, expr) [TSR_TILE_##name].of_unsigned = #expr,
#define BOOL1(name, expr) [TSR_TILE_##name].of_bool = #expr,
#define BOOL2(name, expr) [TSR_TILE_##name].of_bool = #expr,
#define FLAG2(name, expr) [TSR_TILE_##name].flag = #expr,
#define KEEPS(name) [TSR_TILE_##name].keeps = true,
#include "exec/tiles.def"
};

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Writes a word of the table's expressions as C for one type. */
static void put_word(tsr_buf *out, tsr_str word, tsr_dtype d)
{
    uint32_t bits = tsr_dtype_bits(d) < 8 ? 8 : tsr_dtype_bits(d);
    if (tsr_str_is(word, "T"))
        tsr_buf_cstr(out, types[d].type);
    else if (tsr_str_is(word, "U"))
        tsr_buf_cstr(out, types[d].wrapped);
    else if (tsr_str_is(word, "W"))
        tsr_buf_printf(out, "uint%u_t", bits);
    else if (tsr_str_is(word, "S"))
        tsr_buf_printf(out, "int%u_t", bits);
    else if (tsr_str_is(word, "BITS"))
        tsr_buf_printf(out, "%uu", bits);
    else if (tsr_str_is(word, "__builtin_popcountll"))
        tsr_buf_cstr(out, "tsr_popcount");
    else if (tsr_str_is(word, "__builtin_clzll"))
        tsr_buf_cstr(out, "tsr_clz");
    else
        tsr_buf_str(out, word);
}

static const char *expression(tsr_text *t, const char *expr, tsr_dtype d)
{
    tsr_buf out = {0};
    for (const char *at = expr; *at;) {
        if (!is_word(*at)) {
            tsr_buf_char(&out, *at++);
            continue;
        }
        size_t n = 0;
        while (is_word(at[n]))
            n++;
        if (n == 1 && *at == 'F' && at[1] == '(') { /* F(name): a function of the type */
            const char *end = strchr(at, ')');
            tsr_buf_printf(&out, "F%u_%.*s", tsr_dtype_bits(d), (int)(end - at - 2), at + 2);
            at = end + 1;
            continue;
        }
        put_word(&out, (tsr_str){at, n}, d);
        at += n;
    }
    tsr_buf_char(&out, 0);
    const char *text = tsr_arena_copy(&t->arena, out.data, out.len);
    tsr_buf_free(&out);
    return text;
}

static bool has_word(const char *expr, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strstr(expr, words[i]))
            return true;
    return false;
}

/* Writes the parts that an expression calls. */
static void need_parts(tsr_text *t, const char *expr, tsr_dtype d)
{
    static const char *const special[] = {"F64_erf_inv", "F64_lgamma", "F64_digamma", "_bessel"};
    static const char *const in_f64[] = {"F32_acos", "F32_asin", "F32_atan(",  "F32_atanh",
                                         "F32_cosh", "F32_sinh", "F32_lgamma", "F32_digamma"};
    if (d == TSR_D_F32)
        TSR_TEXT_PART(t, "math_f32", {'-', ""});
    if (d == TSR_D_F64 || has_word(expr, in_f64, TSR_COUNT(in_f64)))
        TSR_TEXT_PART(t, "math_f64", {'-', ""});
    if (tsr_dtype_is_float(d) && has_word(expr, special, TSR_COUNT(special)))
        TSR_TEXT_PART(t, "scalar_real", {'-', ""});
    if (strstr(expr, "_power(") || strstr(expr, "tsr_popcount") || strstr(expr, "tsr_clz"))
        TSR_TEXT_PART(t, "bits", {'-', ""});
}

/* The expression of an op on a type, and whether its result is a truth value; NULL: there is none. */
static const char *find_tile(tsr_tile_op op, tsr_dtype d, bool *flag)
{
    const tile_text *t = &tiles[op];
    *flag = false;
    if (is_small(d) && !t->keeps)
        return NULL;
    if (d == TSR_D_I1 && t->of_bool)
        return t->of_bool;
    *flag = t->flag || (t->float_flag && tsr_dtype_is_float(d));
    if (*flag)
        return t->flag ? t->flag : t->float_flag;
    if (d == TSR_D_F32 || d == TSR_D_F64)
        return t->of_float;
    if (d == TSR_D_I1)
        return op == TSR_TILE_clamp ? t->of_int : NULL;
    if (!tsr_dtype_is_int(d))
        return NULL;
    return t->of_int ? t->of_int : tsr_dtype_kind(d) == TSR_K_SINT ? t->of_signed : t->of_unsigned;
}

/* Functions that are computed with numbers wider than f64, which kernels do not have. */
static bool needs_wider(tsr_tile_op op, tsr_dtype d)
{
    return op == TSR_TILE_bessel_i1e ||
           (d == TSR_D_F64 &&
            (op == TSR_TILE_erf_inv || op == TSR_TILE_lgamma || op == TSR_TILE_digamma));
}

bool tsr_text_has_tile(tsr_tile_op op, tsr_dtype d)
{
    bool flag;
    return types[d].type && !needs_wider(op, d) &&
           (op == TSR_TILE_select || find_tile(op, d, &flag) != NULL);
}

bool tsr_text_has_convert(tsr_dtype to, tsr_dtype from)
{
    bool ints = tsr_dtype_is_int(to) && tsr_dtype_is_int(from);
    if (narrow_function(to, from) || (to == from && types[to].type))
        return true;
    if (!types[to].type || !types[from].type || is_narrow(to) || is_narrow(from) ||
        tsr_dtype_is_complex(to) || tsr_dtype_is_complex(from))
        return false;
    return !is_small(to) || ints;
}

const char *tsr_text_tile(tsr_text *t, tsr_tile_op op, tsr_dtype d)
{
    static const char *const operands[] = {"x", "y", "z", "w"};
    bool flag;
    if (!types[d].type)
        return NULL;
    const char *name = tsr_text_of(t, "tsr_%s_%s", tsr_tile_name(op), types[d].name);
    const char *local = tsr_text_local(d);
    if (op == TSR_TILE_select) {
        make(t, tsr_text_of(t, "TSR_FN %s %s(int c, %s x, %s y)\n{\n    return c ? x : y;\n}\n",
                            local, name, local, local));
        return name;
    }
    const char *expr = find_tile(op, d, &flag);
    if (!expr)
        return NULL;
    expr = expression(t, expr, d);
    need_parts(t, expr, d);
    if (tiles[op].far && tsr_dtype_is_float(d))
        expr = tsr_text_of(t, "%s ? %s : %s", expression(t, "F(abs)(x) <= F(bound)", d), expr,
                           expression(t, tiles[op].far, d));
    tsr_buf out = {0};
    tsr_buf_printf(&out, "TSR_FN %s %s(", flag ? "int" : local, name);
    for (int i = 0; i < tiles[op].operands; i++)
        tsr_buf_printf(&out, "%s%s %s", i ? ", " : "", local, operands[i]);
    tsr_buf_printf(&out, ")\n{\n    return (%s)(%s);\n}\n", flag ? "int" : local, expr);
    tsr_buf_char(&out, 0);
    make(t, out.data);
    tsr_buf_free(&out);
    return name;
}

/* Ops that compilers do not vectorize: they call libm, or have branches. */
static bool is_hard(tsr_tile_op op, tsr_dtype d)
{
    switch (op) {
    case TSR_TILE_remainder:
    case TSR_TILE_round_nearest_afz:
    case TSR_TILE_sine:
    case TSR_TILE_cosine:
    case TSR_TILE_tan:
    case TSR_TILE_erf_inv:
    case TSR_TILE_lgamma:
    case TSR_TILE_digamma:
    case TSR_TILE_bessel_i1e:
    case TSR_TILE_popcnt:
    case TSR_TILE_clz: return true;
    case TSR_TILE_power:
    case TSR_TILE_divide: return tsr_dtype_is_int(d);
    default: return false;
    }
}

bool tsr_text_tile_is_hard(tsr_text *t, tsr_tile_op op, tsr_dtype d, const char **each)
{
    *each = NULL;
    if (!is_hard(op, d))
        return false;
    if (tiles[op].far && tsr_dtype_is_float(d)) {
        const char *near = expression(t, tiles[op].of_float, d);
        const char *name = tsr_text_of(t, "%s_%s", tsr_tile_name(op), types[d].name);
        need_parts(t, near, d);
        TSR_TEXT_PART(t, "bounded", {'n', name}, {'o', tsr_tile_name(op)}, {'t', types[d].type},
                      {'e', near}, {'f', expression(t, tiles[op].far, d)},
                      {'a', expression(t, "F(abs)", d)}, {'b', expression(t, "F(bound)", d)});
        *each = tsr_text_of(t, "tsr_each_%s", name);
    }
    return true;
}

/* ---- Folds ---- */

const char *tsr_text_neutral(tsr_text *t, tsr_fold_op op, tsr_dtype d)
{
    tsr_fold f;
    uint64_t bits = 0;
    tsr_fold_start(&f, op, d);
    tsr_fold_end(&f, &bits);
    return tsr_text_number(t, d, bits);
}

const char *tsr_text_fold(tsr_text *t, tsr_fold_op op, tsr_dtype d, bool *most)
{
    static const char *const names[] = {
        [TSR_FOLD_SUM] = "sum", [TSR_FOLD_PRODUCT] = "product", [TSR_FOLD_MAX] = "max",
        [TSR_FOLD_MIN] = "min", [TSR_FOLD_AND] = "and",         [TSR_FOLD_OR] = "or",
        [TSR_FOLD_XOR] = "xor"};
    static const char *const ints[] = {
        [TSR_FOLD_SUM] = "(U)x + (U)y",   [TSR_FOLD_PRODUCT] = "(U)x * (U)y",
        [TSR_FOLD_MAX] = "x > y ? x : y", [TSR_FOLD_MIN] = "x < y ? x : y",
        [TSR_FOLD_AND] = "x & y",         [TSR_FOLD_OR] = "x | y",
        [TSR_FOLD_XOR] = "x ^ y"};
    static const char *const floats[TSR_FOLD__COUNT] = {[TSR_FOLD_SUM] = "x + y",
                                                        [TSR_FOLD_PRODUCT] = "x * y",
                                                        [TSR_FOLD_MAX] = "F(max)(x, y)",
                                                        [TSR_FOLD_MIN] = "F(min)(x, y)"};
    tsr_fold probe;
    *most = false;
    if (!types[d].type || !tsr_fold_start(&probe, op, d))
        return NULL;
    bool is_float = tsr_dtype_is_float(d);
    const char *expr = is_float ? floats[op] : ints[op];
    if (d == TSR_D_I1) /* a sum of truth values is an or, a product an and */
        expr = op == TSR_FOLD_SUM || op == TSR_FOLD_MAX || op == TSR_FOLD_OR ? "x | y"
               : op == TSR_FOLD_XOR                                          ? "x ^ y"
                                                                             : "x & y";
    const char *name = tsr_text_of(t, "%s_%s", names[op], types[d].name);
    expr = expression(t, expr, d);
    need_parts(t, expr, d);
    const char *zero = tsr_text_neutral(t, op, d);
    TSR_TEXT_PART(t, "fold", {'n', name}, {'t', types[d].type}, {'e', expr}, {'z', zero});
    if (is_float && (op == TSR_FOLD_MAX || op == TSR_FOLD_MIN)) {
        TSR_TEXT_PART(t, "most", {'n', name}, {'t', types[d].type}, {'z', zero},
                      {'c', op == TSR_FOLD_MAX ? ">" : "<"});
        *most = true;
    }
    return name;
}

const char *tsr_text_join(tsr_text *t, tsr_tile_op op, tsr_dtype d)
{
    tsr_dtype wide = tsr_register_type(d);
    const char *fn = tsr_text_tile(t, op, wide), *a = tsr_text_convert(t, wide, d, "a"),
               *b = tsr_text_convert(t, wide, d, "b");
    if (!fn || !a || !b)
        return NULL;
    const char *joined = tsr_text_convert(t, d, wide, tsr_text_of(t, "%s(%s, %s)", fn, a, b));
    const char *name = tsr_text_of(t, "%s_%s", tsr_tile_name(op), types[d].name);
    if (!joined)
        return NULL;
    make(t, tsr_text_of(t, "TSR_FN %s tsr_join_%s(%s a, %s b)\n{\n    return (%s)%s;\n}\n",
                        types[d].type, name, types[d].type, types[d].type, types[d].type, joined));
    return name;
}

const char *tsr_text_reader(tsr_text *t, tsr_dtype d)
{
    const char *expr = NULL;
    if (d == TSR_D_U64)
        expr = "x > INT64_MAX ? INT64_MAX : (int64_t)x";
    else if (tsr_dtype_is_int(d))
        expr = "x";
    else if (is_narrow(d))
        expr = tsr_text_convert(t, TSR_D_I64, TSR_D_F32, tsr_text_convert(t, TSR_D_F32, d, "x"));
    else if (d == TSR_D_F32 || d == TSR_D_F64)
        expr = tsr_text_convert(t, TSR_D_I64, d, "x");
    if (!expr)
        return NULL;
    TSR_TEXT_PART(t, "number", {'n', types[d].name}, {'t', types[d].type}, {'e', expr});
    return tsr_text_of(t, "tsr_number_%s", types[d].name);
}
