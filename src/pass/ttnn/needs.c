/* SPDX-License-Identifier: Apache-2.0 */
/* needs.c - ttnn-workaround, second part: gives operands and results the layouts, data types and memory that needs.def
 * requires.
 *
 * An operand that differs goes through a to_tensor_spec; so does a result, back to its original spec. */
#include "pass/ttnn/needs.h"

#include "dialect/ttcore/ttcore.h"

/* ---- Conditions ---- */

static tsr_tt_data_type element(const tsr_op *op, size_t i)
{
    return tsr_tt_data_type_of(op->in[i].value->type->elem);
}

static bool is_integer(const tsr_type *t)
{
    return t->elem->kind == TSR_TYPE_INTEGER;
}

#define ANY(test)                          \
    for (uint32_t i = 0; i < op->nin; i++) \
        if (test)                          \
            return true;                   \
    return false

#define WHEN(name) static bool when_##name(const tsr_op *op)

WHEN(always)
{
    return op != NULL;
}

WHEN(any_u8)
{
    ANY(element(op, i) == TSR_TT_U8);
}

WHEN(any_rows)
{
    ANY(!tsr_ttnn_is_tiled(tsr_ttnn_layout_of(op->in[i].value->type)));
}

WHEN(any_not_32_bits)
{
    ANY(element(op, i) != TSR_TT_U32 && element(op, i) != TSR_TT_SI32);
}

WHEN(any_not_bf16)
{
    ANY(element(op, i) != TSR_TT_BF16);
}

static bool is_real(tsr_tt_data_type t)
{
    return t == TSR_TT_F32 || t == TSR_TT_BF16 || t == TSR_TT_BFP_BF8 || t == TSR_TT_BFP_BF4;
}

WHEN(any_not_real)
{
    ANY(!is_real(element(op, i)));
}

WHEN(any_unsigned)
{
    ANY(element(op, i) == TSR_TT_U8 || element(op, i) == TSR_TT_U16 ||
        element(op, i) == TSR_TT_U32);
}

WHEN(first_integer)
{
    return is_integer(op->in[0].value->type);
}

WHEN(first_wide_integer)
{
    const tsr_type *t = op->in[0].value->type;
    return is_integer(t) && t->elem->width == 32;
}

WHEN(first_narrow_unsigned)
{
    const tsr_type *t = op->in[0].value->type;
    return is_integer(t) && t->elem->sub == TSR_UNSIGNED && t->elem->width < 32;
}

WHEN(first_other_integer)
{
    const tsr_type *t = op->in[0].value->type;
    return is_integer(t) && !(t->elem->sub == TSR_UNSIGNED && t->elem->width == 16);
}

WHEN(first_f32)
{
    return element(op, 0) == TSR_TT_F32 && !is_integer(op->in[0].value->type);
}

WHEN(first_bfp8)
{
    return element(op, 0) == TSR_TT_BFP_BF8;
}

WHEN(first_not_plain_float)
{
    return element(op, 0) != TSR_TT_F32 && element(op, 0) != TSR_TT_BF16;
}

WHEN(first_topk)
{
    return element(op, 0) == TSR_TT_BF16 || element(op, 0) == TSR_TT_BFP_BF8;
}

WHEN(first_not_topk)
{
    return !when_first_topk(op);
}

/* For where: the condition's element type differs from that of the values, or is an integer. */
static bool mixed(const tsr_op *op)
{
    return is_integer(op->in[0].value->type) ||
           op->in[0].value->type->elem != op->in[2].value->type->elem;
}

WHEN(mixed_integers)
{
    return mixed(op) && is_integer(op->in[2].value->type);
}

WHEN(mixed_reals)
{
    return mixed(op) && !is_integer(op->in[2].value->type);
}

enum { MOST_U16 = 65535 };

static int64_t power_of_two(int64_t n)
{
    int64_t p = 1;
    while (p < n && p < ((int64_t)1 << 62))
        p *= 2;
    return p;
}

WHEN(sorts_few)
{
    const tsr_type *t = op->in[0].value->type;
    return !t->n || power_of_two(t->dims[t->n - 1]) < MOST_U16;
}

WHEN(sorts_many)
{
    return !when_sorts_few(op);
}

WHEN(chooses_from_few)
{
    const tsr_type *t = op->in[0].value->type;
    int64_t dim = op->attrs[TTNN_TOPK_dim]->i, rank = t->n;
    dim += dim < 0 ? rank : 0;
    if (dim < 0 || dim >= rank)
        return true;
    int64_t size = t->dims[dim];
    return (dim + 2 >= rank ? tsr_nn_round_up(size, TSR_TTNN_TILE) : size) <= MOST_U16;
}

WHEN(chooses_from_many)
{
    return !when_chooses_from_few(op);
}

WHEN(pads_front_of_tiles)
{
    const tsr_attr *padding = op->attrs[TTNN_PAD_padding];
    bool front = false;
    for (int64_t i = 0; i < tsr_attr_count(padding); i += 2)
        front |= tsr_attr_int_at(padding, (size_t)i) != 0;
    return front && tsr_ttnn_is_tiled(tsr_ttnn_layout_of(op->in[0].value->type));
}

static bool in_tiles(const tsr_op *op, size_t i)
{
    tsr_tt_data_type t = element(op, i);
    return tsr_ttnn_is_tiled(tsr_ttnn_layout_of(op->in[i].value->type)) &&
           (t == TSR_TT_F32 || t == TSR_TT_BF16 || t == TSR_TT_SI32 || t == TSR_TT_U32);
}

WHEN(scatters_tiles)
{
    return in_tiles(op, 0) || in_tiles(op, 2);
}

WHEN(index_in_tiles)
{
    return in_tiles(op, 1);
}

WHEN(narrow_with_steps)
{
    const tsr_attr *steps = op->attrs[TTNN_SLICE_STATIC_step];
    for (uint32_t i = 0; i < steps->n; i++)
        if (steps->attrs[i]->i > 1)
            return when_first_narrow_unsigned(op);
    return false;
}

WHEN(index_si32)
{
    return element(op, 2) == TSR_TT_SI32;
}

static bool wide(const tsr_value *v)
{
    tsr_tt_data_type t = v ? tsr_ttnn_data_type(v->type) : TSR_TT_BF16;
    return t != TSR_TT_BF16 && t != TSR_TT_BFP_BF8 && t != TSR_TT_BFP_BF4;
}

WHEN(query_wide)
{
    return wide(op->in[0].value);
}

WHEN(mask_wide)
{
    return wide(tsr_ttnn_operand(op, "attention_mask"));
}

/* ---- The table ---- */

enum { NEED_EVER, NEED_PLAIN };

typedef struct {
    uint16_t opcode;
    uint8_t level;
    bool (*when)(const tsr_op *op);
    const char *text;
} need;

static const need needs[] = {
#define NEED(op, when, level, text) {TSR_OP_##op, level, when_##when, text},
#include "pass/ttnn/needs.def"
};

/* The requirements on one value; -1: none. */
typedef struct {
    int tiled, type, buffer, memory;
    bool device; /* stay where it is, if that is a device */
} want;

enum { NOTHING = -1, NO_MEMORY = -2 };

typedef struct {
    tsr_pass *p;
    uint16_t *first; /* by opcode: 1 + the number of its first row */
    bool optimized;
    tsr_op *op;
    want *wants; /* for operands, then for results */
} state;

static bool is_tensor(const tsr_type *t)
{
    return tsr_ttnn_layout_of(t) != NULL;
}

static tsr_type *type_of(const tsr_op *op, uint32_t i)
{
    return i < op->nin ? op->in[i].value->type : op->out[i - op->nin].type;
}

/* The number of an operand, or of a result after those; UINT32_MAX: it is absent. */
static uint32_t number_of(const tsr_op *op, tsr_str name)
{
    uint32_t start, n;
    for (uint16_t i = 0; i < op->def->narg; i++)
        if (tsr_str_is(name, op->def->args[i].name))
            return tsr_op_operand_group(op, i, &start, &n) && n ? start : UINT32_MAX;
    for (uint16_t i = 0; i < op->def->nresult; i++)
        if (tsr_str_is(name, op->def->results[i].name))
            return tsr_op_result_group(op, i, &start, &n) && n ? op->nin + start : UINT32_MAX;
    tsr_assert(false, "%.*s has no %.*s", TSR_STR_ARG(op->def->name), TSR_STR_ARG(name));
    return UINT32_MAX;
}

static void take_word(const state *s, want *w, tsr_str word)
{
    if (word.data[0] == '=') {
        uint32_t i = number_of(s->op, (tsr_str){word.data + 1, word.len - 1});
        w->type = (int)tsr_tt_data_type_of(type_of(s->op, i)->elem);
    } else if (tsr_str_is(word, "rm") || tsr_str_is(word, "tile")) {
        w->tiled = tsr_str_is(word, "tile");
    } else if (tsr_str_is(word, "host")) {
        w->buffer = TSR_TTNN_SYSTEM_MEMORY;
        w->memory = NO_MEMORY;
    } else if (tsr_str_is(word, "dram") || tsr_str_is(word, "l1")) {
        w->buffer = tsr_str_is(word, "l1") ? TSR_TTNN_L1 : TSR_TTNN_DRAM;
    } else if (tsr_str_is(word, "interleaved") || tsr_str_is(word, "height")) {
        w->memory = tsr_str_is(word, "height") ? TSR_TTNN_HEIGHT_SHARDED : TSR_TTNN_INTERLEAVED;
    } else if (tsr_str_is(word, "device")) {
        w->device = true;
    } else {
        for (int t = 0; tsr_def_TTCORE_DATA_TYPE.cases[t]; t++)
            if (tsr_str_is(word, tsr_def_TTCORE_DATA_TYPE.cases[t]))
                w->type = t;
    }
}

static tsr_str next_word(const char **at)
{
    while (**at == ' ')
        ++*at;
    const char *start = *at;
    while (**at && **at != ' ' && **at != ';')
        ++*at;
    return (tsr_str){start, (size_t)(*at - start)};
}

static void take_text(const state *s, const char *text)
{
    uint32_t all = s->op->nin + s->op->nout;
    for (const char *at = text; *at; at += *at == ';') {
        tsr_str name = next_word(&at), word;
        bool every = tsr_str_is(name, "*");
        uint32_t i = every ? 0 : number_of(s->op, name);
        while ((word = next_word(&at)).len)
            for (uint32_t k = i; k < all && (every || k == i); k++)
                take_word(s, &s->wants[k], word);
    }
}

/* ---- Applying it ---- */

static bool asked(const want *w, tsr_op *op, tsr_ttnn_spec *spec)
{
    tsr_ttnn_spec was = *spec;
    if (w->tiled != NOTHING)
        spec->tiled = w->tiled != 0;
    if (w->type != NOTHING)
        spec->type = (tsr_tt_data_type)w->type;
    if (w->buffer != NOTHING)
        spec->buffer = (tsr_ttnn_buffer_type)w->buffer;
    if (w->memory != NOTHING)
        spec->memory = w->memory == NO_MEMORY ? TSR_TTNN_NO_MEMORY_LAYOUT : w->memory;
    if (w->device && spec->buffer == TSR_TTNN_SYSTEM_MEMORY) {
        spec->buffer = TSR_TTNN_DRAM;
        spec->memory = TSR_TTNN_INTERLEAVED;
    }
    if (spec->buffer != TSR_TTNN_SYSTEM_MEMORY && spec->memory == TSR_TTNN_NO_MEMORY_LAYOUT)
        spec->memory = TSR_TTNN_INTERLEAVED;
    if (spec->memory > TSR_TTNN_INTERLEAVED && !spec->cores)
        spec->cores = tsr_ttnn_cores(op, spec);
    return spec->tiled != was.tiled || spec->type != was.type || spec->buffer != was.buffer ||
           spec->memory != was.memory;
}

/* The type of a tensor with this spec: its elements are those of the data type. */
static tsr_type *as_spec(const tsr_type *t, tsr_ttnn_spec spec)
{
    tsr_type *elem =
        t->elem->def == &tsr_def_QUANT_UNIFORM ? t->elem : tsr_tt_element(t->ctx, spec.type);
    return tsr_type_tensor(t->ctx, t->dims, t->n, elem,
                           tsr_ttnn_layout(t->ctx, t->dims, t->n, spec));
}

static void fit_operand(state *s, uint32_t i)
{
    tsr_value *v = s->op->in[i].value;
    tsr_ttnn_spec spec = tsr_ttnn_spec_of(tsr_ttnn_layout_of(v->type));
    if (!asked(&s->wants[i], s->op, &spec))
        return;
    tsr_build b = tsr_build_before(s->op);
    b.loc = tsr_loc_suffixed(b.ctx, s->op->loc, "_workaround");
    tsr_op_set_operand(s->op, i,
                       tsr_nn_unary(&b, TSR_OP_TTNN_TO_TENSOR_SPEC, v, as_spec(v->type, spec)));
    tsr_build_free(&b);
    s->p->changed = true;
}

/* An op that creates a tensor has a device operand if the tensor is created there. */
static void fit_device(tsr_op *op, bool device)
{
    if (!tsr_op_has(op, TSR_TRAIT(TT_CREATES)))
        return;
    tsr_build b = tsr_build_before(op);
    tsr_value *v = device ? tsr_ttnn_device(&b, op) : NULL;
    tsr_op_set_operands(op, &v, device);
    tsr_build_free(&b);
}

static void fit_result(state *s, uint32_t i, const want *w)
{
    tsr_value *v = &s->op->out[i];
    tsr_ttnn_spec was = tsr_ttnn_spec_of(tsr_ttnn_layout_of(v->type)), spec = was;
    if (!asked(w, s->op, &spec))
        return;
    tsr_build b = tsr_build_before(s->op);
    b.at = s->op->next;
    b.loc = tsr_loc_suffixed(b.ctx, s->op->loc, "_workaround");
    tsr_type *back = v->type;
    v->type = as_spec(v->type, spec);
    if (was.buffer != spec.buffer)
        fit_device(s->op, spec.buffer != TSR_TTNN_SYSTEM_MEMORY);
    tsr_op *made = tsr_build_open(&b, TSR_OP_TTNN_TO_TENSOR_SPEC, NULL, 0, 1, 0);
    tsr_build_close_as(&b, made, &back);
    tsr_value_replace(v, &made->out[0]);
    tsr_op_set_operands(made, &v, 1);
    tsr_build_free(&b);
    s->p->changed = true;
}

static void fit(state *s, tsr_op *op)
{
    uint32_t row = s->first[op->def->opcode], nin = op->nin;
    tsr_arena_mark mark = tsr_arena_save(s->p->scratch);
    s->op = op;
    s->wants = TSR_NEW_ARRAY(s->p->scratch, want, op->nin + op->nout + 1);
    for (uint32_t i = 0; i < op->nin + op->nout; i++)
        s->wants[i] = (want){NOTHING, NOTHING, NOTHING, NOTHING, false};
    for (uint32_t k = row - 1; k < TSR_COUNT(needs) && needs[k].opcode == op->def->opcode; k++)
        if (!(s->optimized && needs[k].level == NEED_PLAIN) && needs[k].when(op))
            take_text(s, needs[k].text);
    for (uint32_t i = 0; i < nin; i++)
        if (is_tensor(op->in[i].value->type))
            fit_operand(s, i);
    for (uint32_t i = 0; i < op->nout; i++)
        if (is_tensor(op->out[i].type))
            fit_result(s, i, &s->wants[nin + i]);
    tsr_arena_rewind(s->p->scratch, mark);
}

/* Conditions require layouts of all tensors. */
static bool laid_out(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin + op->nout; i++)
        if (tsr_type_is(type_of(op, i), TSR_TYPE_TENSOR) && !is_tensor(type_of(op, i)))
            return false;
    return true;
}

void tsr_nn_fit_needs(tsr_pass *p, tsr_op *root, bool optimized)
{
    state s = {.p = p,
               .first = TSR_NEW_ARRAY(p->scratch, uint16_t, TSR_OP__COUNT),
               .optimized = optimized};
    for (size_t i = TSR_COUNT(needs); i-- > 0;)
        s.first[needs[i].opcode] = (uint16_t)(i + 1);
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_next(root, op);
        if (op->def->opcode != TSR_UNREGISTERED && s.first[op->def->opcode] && laid_out(op))
            fit(&s, op);
    }
}
