/* SPDX-License-Identifier: Apache-2.0 */
/* rules.c - assembly of sharding rules, which name factors by letters, and of propagation records. */
#include "asm/reader.h"
#include "dialect/hooks.h"
#include "dialect/sdy/axes.h"

/* ---- Factors: i, j, ..., z, then z_1, z_2, ... ---- */

enum { LETTERS = 'z' - 'i' + 1 };

void tsr_sdy_factor(tsr_buf *out, int64_t factor)
{
    if (factor < LETTERS)
        tsr_buf_char(out, (char)('i' + factor));
    else
        tsr_buf_printf(out, "z_%lld", (long long)factor - LETTERS + 1);
}

static bool write_factor(tsr_asm *a, int64_t factor)
{
    tsr_buf name = {0};
    tsr_sdy_factor(&name, factor);
    tsr_buf_char(&name, 0);
    tsr_asm_lit(a, name.data);
    tsr_buf_free(&name);
    return true;
}

/* Removes the first factor from word. */
static bool take_factor(tsr_asm *a, tsr_str *word, int64_t *factor)
{
    if (word->len < 2 || word->data[0] != 'z' || word->data[1] != '_') {
        char c = word->len ? word->data[0] : ' ';
        if (c < 'i' || c > 'z')
            return tsr_asm_error(a, "expecting symbol from 'i' to 'z'. Received: '%c'", c);
        *factor = c - 'i';
        *word = (tsr_str){word->data + 1, word->len - 1};
        return true;
    }
    size_t n = 2;
    uint64_t value;
    while (n < word->len && word->data[n] >= '0' && word->data[n] <= '9')
        n++;
    tsr_str digits = {word->data + 2, n - 2};
    if (!digits.len)
        return tsr_asm_error(a, "expecting integer after 'z_'. Received: '%.*s'",
                             TSR_STR_ARG(*word));
    if (digits.data[0] == '0')
        return tsr_asm_error(a,
                             "expecting positive integer without leading zeros. Received: '%.*s'",
                             TSR_STR_ARG(digits));
    if (!tsr_tok_uint(digits, &value) || value > INT64_MAX) {
        /* Reading continues, so that other errors are reported too; the rule fails at its end. */
        tsr_asm_error(a, "expecting symbol index <=2^63-1. Received: '%.*s'", TSR_STR_ARG(digits));
        value = INT64_MAX;
    }
    *factor = value > INT64_MAX - LETTERS
                  ? INT64_MAX
                  : (int64_t)value + LETTERS - 1; /* no rule has that many */
    *word = (tsr_str){word->data + n, word->len - n};
    return true;
}

typedef TSR_VEC(int64_t) factors;

/* ij: the factors of one dimension. Empty text is read as no factors. */
bool attr_SDY_DIM_MAPPING(tsr_asm *a, tsr_attr **params)
{
    if (tsr_asm_writing(a)) {
        for (int64_t i = 0; i < tsr_attr_count(params[0]); i++)
            write_factor(a, tsr_attr_int_at(params[0], (size_t)i));
        return true;
    }
    factors v = {0};
    bool ok = true;
    if (tsr_read_is(a->in, TOK_WORD)) {
        tsr_str word = tsr_tok_text(a->in);
        tsr_read_next(a->in);
        while (ok && word.len) {
            int64_t factor;
            ok = take_factor(a, &word, &factor);
            if (ok)
                tsr_vec_push(&v, factor);
        }
    }
    if (ok)
        params[0] = tsr_attr_i64_array(a->ctx, v.data, v.n);
    tsr_vec_free(&v);
    return ok;
}

bool attr_SDY_TENSOR_MAPPING(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_sdy_list(a, "[]", &tsr_def_SDY_DIM_MAPPING,
                            "Sdy_TensorMapping parameter 'dim_mappings' which is to be a "
                            "`::llvm::ArrayRef<DimMappingAttr>`",
                            &params[0]);
}

/* ---- Rules ---- */

typedef struct {
    const tsr_attr *array; /* writing: array<i64: ...> */
    factors read;
} factor_list;

/* i=8 */
static bool size_element(tsr_asm *a, void *user, size_t i)
{
    factor_list *l = user;
    int64_t size = 0;
    if (tsr_asm_writing(a)) {
        size = tsr_attr_int_at(l->array, i);
        return write_factor(a, (int64_t)i) && tsr_asm_lit(a, "=") && tsr_asm_int(a, &size);
    }
    tsr_str word;
    int64_t factor;
    TSR_TRY(tsr_asm_keyword(a, &word) && take_factor(a, &word, &factor));
    if (factor != (int64_t)i) {
        tsr_buf text = {0};
        tsr_sdy_factor(&text, (int64_t)i);
        tsr_buf_cstr(&text, "', received: '");
        tsr_sdy_factor(&text, factor);
        tsr_asm_error(a,
                      "expecting factor indices to be ordered like an iota ([0,1,2,...], e.g. "
                      "{i=#, j=#, ...}). "
                      "Expecting factor index symbol '%.*s'",
                      TSR_STR_ARG(tsr_buf_text(&text)));
        tsr_buf_free(&text);
        return false;
    }
    if (word.len)
        return tsr_asm_error(a, "expecting single factor symbol: %.*s", TSR_STR_ARG(word));
    TSR_TRY(tsr_asm_lit(a, "=") && tsr_asm_int(a, &size));
    tsr_vec_push(&l->read, size);
    return true;
}

static bool factor_element(tsr_asm *a, void *user, size_t i)
{
    factor_list *l = user;
    if (tsr_asm_writing(a))
        return write_factor(a, tsr_attr_int_at(l->array, i));
    tsr_str word;
    int64_t factor;
    TSR_TRY(tsr_asm_keyword(a, &word) && take_factor(a, &word, &factor));
    tsr_vec_push(&l->read, factor);
    return true;
}

/* keyword '=' '{' elements '}' if there are any; array<i64> in any case. */
static bool factors_of(tsr_asm *a, const char *keyword, bool (*each)(tsr_asm *, void *, size_t),
                       tsr_attr **array)
{
    factor_list l = {.array = *array};
    size_t n = *array ? (size_t)tsr_attr_count(*array) : 0;
    bool ok = true;
    /* Without a keyword the list itself shows whether it is present. */
    bool there = keyword              ? tsr_asm_maybe(a, keyword, n > 0)
                 : tsr_asm_writing(a) ? n > 0
                                      : tsr_asm_peek(a, "{");
    if (there)
        ok = tsr_asm_list(a, keyword ? "={" : " {", "}", &n, each, &l);
    if (ok && !tsr_asm_writing(a))
        *array = tsr_attr_i64_array(a->ctx, l.read.data, l.read.n);
    tsr_vec_free(&l.read);
    return ok;
}

/* '(' mapping (',' mapping)* ')'; there is at least one. */
static bool mappings(tsr_asm *a, const char *what, tsr_attr **array)
{
    if (!tsr_asm_writing(a)) {
        TSR_TRY(tsr_asm_lit(a, "("));
        if (tsr_asm_peek(a, ")"))
            return tsr_asm_lit(a, "[") || tsr_asm_sdy_failed(a, what);
        return tsr_asm_sdy_list(a, " )", &tsr_def_SDY_TENSOR_MAPPING, what, array);
    }
    return tsr_asm_sdy_list(a, "()", &tsr_def_SDY_TENSOR_MAPPING, what, array);
}

/* rule ::= '<' '(' mappings ')' '->' '(' mappings ')' sizes? reduction? need_replication? permutation? blocked?
 *          (',' 'custom')? '>' */
bool attr_SDY_OP_SHARDING_RULE(tsr_asm *a, tsr_attr **params)
{
    tsr_attr **custom = &params[SDY_OP_SHARDING_RULE_custom];
    uint32_t nerror = a->ctx->nerror;
    TSR_TRY(
        tsr_asm_lit(a, "<") &&
        mappings(a,
                 "Sdy_OpShardingRule parameter 'operand_mappings' which is to be a "
                 "`::llvm::ArrayRef<TensorMappingAttr>`",
                 &params[SDY_OP_SHARDING_RULE_operands]) &&
        tsr_asm_lit(a, "->") &&
        mappings(a,
                 "Sdy_OpShardingRule parameter 'result_mappings' which is to be a "
                 "`::llvm::ArrayRef<TensorMappingAttr>`",
                 &params[SDY_OP_SHARDING_RULE_results]) &&
        factors_of(a, NULL, size_element, &params[SDY_OP_SHARDING_RULE_sizes]) &&
        factors_of(a, " reduction", factor_element, &params[SDY_OP_SHARDING_RULE_reduction]) &&
        factors_of(a, " need_replication", factor_element,
                   &params[SDY_OP_SHARDING_RULE_need_replication]) &&
        factors_of(a, " permutation", factor_element, &params[SDY_OP_SHARDING_RULE_permutation]) &&
        factors_of(a, " blocked_propagation", factor_element,
                   &params[SDY_OP_SHARDING_RULE_blocked]));
    if (tsr_asm_maybe(a, ",", *custom != NULL)) {
        TSR_TRY(tsr_asm_lit(a, " custom"));
        *custom = tsr_attr_unit(a->ctx);
    }
    return tsr_asm_lit(a, ">") && a->ctx->nerror == nerror;
}

/* ---- Propagation records ---- */

static const char *const node_words[] = {"operand", "result"};

/* operand-1 */
bool attr_SDY_EDGE_VALUE_REF(tsr_asm *a, tsr_attr **params)
{
    tsr_attr **node = &params[SDY_EDGE_VALUE_REF_node];
    if (tsr_asm_writing(a)) {
        tsr_asm_lit(a, node_words[(*node)->i]);
    } else {
        int i = tsr_asm_maybe(a, "operand", false) ? 0 : tsr_asm_maybe(a, "result", false) ? 1 : -1;
        if (i < 0)
            return tsr_asm_error(a, "expected 'operand' or 'result'");
        *node = tsr_attr_i64(a->ctx, i);
    }
    return tsr_asm_lit(a, "-") && tsr_asm_i64(a, &params[SDY_EDGE_VALUE_REF_index]);
}

/* {"x" = operand-1 -> [operand-0, result-0]} */
bool attr_SDY_AXIS_TO_PROPAGATION_DETAILS(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "{") &&
           tsr_asm_struct(a, &tsr_def_SDY_AXIS_REF,
                          &params[SDY_AXIS_TO_PROPAGATION_DETAILS_axis]) &&
           tsr_asm_lit(a, " = ") &&
           tsr_asm_struct(a, &tsr_def_SDY_EDGE_VALUE_REF,
                          &params[SDY_AXIS_TO_PROPAGATION_DETAILS_source]) &&
           tsr_asm_lit(a, " -> ") &&
           tsr_asm_sdy_list(a, "[]", &tsr_def_SDY_EDGE_VALUE_REF, NULL,
                            &params[SDY_AXIS_TO_PROPAGATION_DETAILS_targets]) &&
           tsr_asm_lit(a, "}");
}

/* {step-2 = [...]} */
bool attr_SDY_PROPAGATION_ONE_STEP(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "{step-") && tsr_asm_i64(a, &params[SDY_PROPAGATION_ONE_STEP_step]) &&
           tsr_asm_lit(a, " = ") &&
           tsr_asm_sdy_list(a, "[]", &tsr_def_SDY_AXIS_TO_PROPAGATION_DETAILS, NULL,
                            &params[SDY_PROPAGATION_ONE_STEP_axes]) &&
           tsr_asm_lit(a, "}");
}

/* Targets of one axis: no duplicates, and without the source. */
static bool check_targets(tsr_asm *a, tsr_loc loc, int64_t step, tsr_attr *const *details)
{
    const tsr_attr *source = details[SDY_AXIS_TO_PROPAGATION_DETAILS_source];
    const tsr_attr *targets = details[SDY_AXIS_TO_PROPAGATION_DETAILS_targets];
    tsr_ptr_set seen = {.n = 0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < targets->n; i++) {
        if (targets->attrs[i] == source)
            ok = tsr_asm_error_at(a, loc,
                                  "propagation edges have a source that is the same as a target");
        else if (!tsr_ptr_set_add(&seen, targets->attrs[i]))
            ok = tsr_asm_error_at(
                a, loc,
                "propagation edges have duplicate targets for step index: %lld and axis: %.*s",
                (long long)step,
                TSR_STR_ARG(tsr_sdy_axis_name(details[SDY_AXIS_TO_PROPAGATION_DETAILS_axis])->s));
    }
    tsr_ptr_set_free(&seen);
    return ok;
}

static bool check_steps(tsr_asm *a, tsr_loc loc, const tsr_attr *steps)
{
    tsr_ptr_set seen = {.n = 0};
    bool ok = true;
    for (uint32_t s = 0; ok && s < steps->n; s++) {
        const tsr_attr *step = steps->attrs[s]->attrs[SDY_PROPAGATION_ONE_STEP_step];
        const tsr_attr *axes = steps->attrs[s]->attrs[SDY_PROPAGATION_ONE_STEP_axes];
        if (step->i < 0)
            ok = tsr_asm_error_at(a, loc, "propagation edges have negative step index: %lld",
                                  (long long)step->i);
        else if (!tsr_ptr_set_add(&seen, step))
            ok = tsr_asm_error_at(a, loc, "propagation edges have duplicate step index: %lld",
                                  (long long)step->i);
        for (uint32_t i = 0; ok && i < axes->n; i++)
            ok = check_targets(a, loc, step->i, axes->attrs[i]->attrs);
    }
    tsr_ptr_set_free(&seen);
    return ok;
}

bool attr_SDY_PROPAGATION_EDGES(tsr_asm *a, tsr_attr **params)
{
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_lit(a, "<") &&
            tsr_asm_sdy_list(a, "[]", &tsr_def_SDY_PROPAGATION_ONE_STEP, NULL, &params[0]) &&
            tsr_asm_lit(a, ">"));
    return tsr_asm_writing(a) || check_steps(a, loc, params[0]);
}
