/* SPDX-License-Identifier: Apache-2.0 */
/* steps.c - steps of assembly for several dialects (builtin.h): types implied by others, integers written as words,
 * sets of flags. */
#include "dialect/builtin/builtin.h"

#include "asm/reader.h"

void tsr_asm_spread_operand_type(tsr_asm *a, tsr_type *type)
{
    while (a->st->operand_types.n < a->st->operands.n)
        tsr_vec_push(&a->st->operand_types, type);
}

void tsr_asm_push_result_type(tsr_asm *a, tsr_type *type)
{
    tsr_vec_push(&a->st->result_types, type);
}

bool tsr_asm_colon_one_type(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " : ") && tsr_asm_result_type(a, 0));
    if (!tsr_asm_writing(a))
        tsr_asm_spread_operand_type(a, a->st->result_types.data[0]);
    return true;
}

static int64_t index_of(const char *const *words, tsr_str word)
{
    for (int64_t i = 0; words[i]; i++)
        if (tsr_str_is(word, words[i]))
            return i;
    return -1;
}

static int64_t count_of(const char *const *words)
{
    int64_t n = 0;
    while (words[n])
        n++;
    return n;
}

bool tsr_asm_word(tsr_asm *a, const char *const *words, tsr_type *type, const char *what,
                  tsr_attr **attr)
{
    if (tsr_asm_writing(a))
        return tsr_asm_lit(
            a, *attr && (*attr)->i >= 0 && (*attr)->i < count_of(words) ? words[(*attr)->i] : "");
    tsr_str word = {0};
    tsr_loc loc = tsr_asm_loc(a);
    /* It may also be in quotes, as in older texts. */
    if (tsr_read_is(a->in, TOK_STRING))
        TSR_TRY(tsr_asm_string(a, &word));
    else if (tsr_read_is(a->in, TOK_WORD))
        TSR_TRY(tsr_asm_keyword(a, &word));
    int64_t i = index_of(words, word);
    if (i >= 0) {
        *attr = tsr_attr_int(a->ctx, type, i);
        return true;
    }
    tsr_buf all = {0};
    for (i = 0; words[i]; i++)
        tsr_buf_printf(&all, "%s%s", i ? ", " : "", words[i]);
    tsr_asm_error_at(a, loc,
                     "expected string or keyword containing one of the following enum values for "
                     "attribute '%s' [%.*s]",
                     what, TSR_STR_ARG(tsr_buf_text(&all)));
    tsr_buf_free(&all);
    return false;
}

bool tsr_asm_maybe_word(tsr_asm *a, const char *const *words, int64_t *index)
{
    if (tsr_asm_writing(a))
        return *index < 0 || *index >= count_of(words) ||
               (tsr_asm_lit(a, " ") && tsr_asm_lit(a, words[*index]));
    *index = tsr_read_is(a->in, TOK_WORD) ? index_of(words, tsr_tok_text(a->in)) : -1;
    if (*index >= 0)
        tsr_read_next(a->in);
    return true;
}

/* flags ::= '<' word (',' word)* '>' */
bool tsr_asm_flags(tsr_asm *a, const char *const *words, const char *sep, const char *all_word,
                   tsr_attr **attr)
{
    int64_t all = ((int64_t)1 << count_of(words)) - 1, bits = 0;
    if (tsr_asm_writing(a)) {
        bits = (*attr)->i & all;
        tsr_asm_lit(a, "<");
        if (bits == 0)
            tsr_asm_lit(a, "none");
        else if (bits == all && all_word)
            tsr_asm_lit(a, all_word);
        else
            for (int64_t i = 0, some = 0; words[i]; i++)
                if (bits >> i & 1) {
                    if (some++)
                        tsr_asm_lit(a, sep);
                    tsr_asm_lit(a, words[i]);
                }
        return tsr_asm_lit(a, ">");
    }
    TSR_TRY(tsr_asm_lit(a, "<"));
    do {
        tsr_str word;
        tsr_loc loc = tsr_asm_loc(a);
        TSR_TRY(tsr_asm_keyword(a, &word));
        int64_t i = index_of(words, word);
        if (i >= 0)
            bits |= (int64_t)1 << i;
        else if (all_word && tsr_str_is(word, all_word))
            bits = all;
        else if (!tsr_str_is(word, "none"))
            return tsr_asm_error_at(a, loc, "expected a flag, got: %.*s", TSR_STR_ARG(word));
    } while (tsr_asm_maybe(a, ",", false));
    *attr = tsr_attr_i64(a->ctx, bits);
    return tsr_asm_lit(a, ">");
}
