/* SPDX-License-Identifier: Apache-2.0 */
/* args.c - builds the arguments of a call from a row of calls.def. */
#include "lower/emit/emit.h"

static const tsr_emit_row rows[TSR_OP__COUNT] = {
#define CALL(id, cpp, cpp_args, how, python, python_args) \
    [TSR_OP_##id] = {{cpp, python}, {cpp_args, python_args}, TSR_EMIT_##how},
#include "lower/emit/calls.def"
};

const tsr_emit_row *tsr_emit_row_at(uint16_t opcode)
{
    return opcode < TSR_OP__COUNT && rows[opcode].args[0] ? &rows[opcode] : NULL;
}

const tsr_emit_row *tsr_emit_row_of(const tsr_op *op)
{
    return tsr_emit_row_at(op->def->opcode);
}

/* Some C++ names begin with ::, which has no meaning here. */
static tsr_str from_top(tsr_str name)
{
    return name.len > 2 && memcmp(name.data, "::", 2) == 0 ? (tsr_str){name.data + 2, name.len - 2}
                                                           : name;
}

size_t tsr_emit_rows_named(tsr_emit_language l, tsr_str name, uint16_t *out, size_t max)
{
    size_t n = 0;
    name = from_top(name);
    for (uint16_t i = 0; i < TSR_OP__COUNT && n < max; i++)
        if (rows[i].args[0] && rows[i].name[l] &&
            tsr_str_eq(from_top(tsr_cstr(rows[i].name[l])), name))
            out[n++] = i;
    return n;
}

typedef struct {
    tsr_arena *arena;
    tsr_emit_language l;
    const tsr_op *op;
} state;

/* The tensor that determines data type, page layout and memory: the first result, or the first operand of an op without
 * results. */
static const tsr_type *tensor_of(const tsr_op *op)
{
    return op->nout ? op->out[0].type : op->nin ? op->in[0].value->type : NULL;
}

static void keep(const state *s, tsr_emit_arg *arg, tsr_buf *text)
{
    arg->n = -1;
    arg->text = (tsr_str){tsr_arena_copy(s->arena, tsr_buf_text(text).data, text->len), text->len};
    tsr_buf_free(text);
}

static void none(const state *s, tsr_emit_arg *arg)
{
    arg->n = -1;
    arg->text = tsr_cstr(tsr_emit_none[s->l]);
}

/* ---- Words derived from tensor types ---- */

static bool data_type(const state *s, tsr_emit_arg *arg, const tsr_type *t)
{
    tsr_buf text = {0};
    tsr_tt_data_type type = tsr_ttnn_data_type(t);
    const tsr_attr *a =
        type < 0 ? NULL
                 : tsr_attr_enum(s->op->module->ctx, &tsr_def_TTCORE_DATA_TYPE, (int64_t)type);
    bool ok = a && tsr_emit_attr(&text, s->l, a, (tsr_str){0});
    keep(s, arg, &text);
    return ok || tsr_op_error(s->op, "has a data type that ttnn's functions have not");
}

static void page_layout(const state *s, tsr_emit_arg *arg, const tsr_attr *layout)
{
    tsr_buf text = {0};
    tsr_attr *a = tsr_attr_enum(s->op->module->ctx, &tsr_def_TTNN_LAYOUT,
                                layout && tsr_ttnn_is_tiled(layout));
    tsr_emit_attr(&text, s->l, a, (tsr_str){0});
    keep(s, arg, &text);
}

static void shape_of(const state *s, tsr_emit_arg *arg, const tsr_type *t)
{
    tsr_buf text = {0};
    tsr_emit_attr(&text, s->l, tsr_ttnn_shape_attr(s->op->module->ctx, t->dims, t->n),
                  (tsr_str){0});
    keep(s, arg, &text);
}

/* Handles word if it is one of these. */
static bool derived(const state *s, tsr_emit_arg *arg, tsr_str word, bool *ok)
{
    const tsr_type *t = tensor_of(s->op);
    const tsr_attr *layout = t ? tsr_ttnn_layout_of(t) : NULL;
    *ok = true;
    if (tsr_str_is(word, "dtype")) {
        *ok = data_type(s, arg, t);
    } else if (tsr_str_is(word, "dtype?")) {
        if (tsr_ttnn_data_type(t) == tsr_ttnn_data_type(s->op->in[0].value->type))
            none(s, arg);
        else
            *ok = data_type(s, arg, t);
    } else if (tsr_str_is(word, "layout")) {
        page_layout(s, arg, layout);
    } else if (tsr_str_is(word, "shape") && t) {
        shape_of(s, arg, t);
    } else if (tsr_str_is(word, "memory_config")) {
        tsr_buf text = {0};
        if (layout && layout->def == &tsr_def_TTNN_TTNN_LAYOUT)
            tsr_emit_memory(&text, s->l, layout);
        else
            tsr_buf_cstr(&text, tsr_emit_none[s->l]);
        keep(s, arg, &text);
    } else {
        return false;
    }
    return true;
}

/* ---- Words of the row ---- */

static bool is_device(const tsr_opdef *def, size_t group)
{
    return def->args[group].constraint == &tsr_is_TtnnDevice;
}

/* An operand group of this name; an absent one becomes text. */
static bool operand(const state *s, tsr_emit_arg *arg, tsr_str word)
{
    for (uint16_t i = 0; i < s->op->def->narg; i++) {
        uint32_t start = 0, n = 0;
        const tsr_argdef *v = &s->op->def->args[i];
        if (!tsr_str_is(word, v->name) || !tsr_op_operand_group(s->op, i, &start, &n))
            continue;
        arg->from = (int)start;
        arg->n = (int)n;
        arg->list = v->arity == TSR_VARIADIC;
        if (!n && !arg->list) {
            none(s, arg);
            if (s->l == TSR_EMIT_CPP && is_device(s->op->def, i) && !arg->as.len)
                arg->text = TSR_STR("nullptr");
        }
        return true;
    }
    return false;
}

static bool attribute(const state *s, tsr_emit_arg *arg, tsr_str word, bool *ok)
{
    int slot = tsr_opdef_slot(s->op->def, word);
    if (slot < 0)
        return false;
    const tsr_attr *a = s->op->attrs[slot];
    tsr_buf text = {0};
    *ok = true;
    if (!a) {
        none(s, arg);
        return true;
    }
    *ok = tsr_emit_attr(&text, s->l, a, arg->as) ||
          tsr_op_error(s->op, "has an attribute '%.*s' that has no form in the emitted language",
                       TSR_STR_ARG(word));
    keep(s, arg, &text);
    return true;
}

static bool is_there(const tsr_op *op, tsr_str word)
{
    for (uint16_t i = 0; i < op->def->narg; i++) {
        uint32_t start = 0, n = 0;
        if (tsr_str_is(word, op->def->args[i].name) && tsr_op_operand_group(op, i, &start, &n))
            return n > 0;
    }
    int slot = tsr_opdef_slot(op->def, word);
    return slot >= 0 && op->attrs[slot];
}

static bool say(const state *s, tsr_emit_arg *arg, tsr_str word)
{
    bool ok = true;
    const char *bar = memchr(word.data, '|', word.len);
    if (bar) {
        tsr_str first = {word.data, (size_t)(bar - word.data)};
        return say(s, arg,
                   is_there(s->op, first) ? first : (tsr_str){bar + 1, word.len - first.len - 1});
    }
    if (tsr_str_is(word, "-")) {
        none(s, arg);
        return true;
    }
    if (operand(s, arg, word) || attribute(s, arg, word, &ok) || derived(s, arg, word, &ok))
        return ok;
    return tsr_op_error(s->op, "has no '%.*s', which its call needs", TSR_STR_ARG(word));
}

bool tsr_emit_next_item(const char **p, tsr_emit_item *out)
{
    *out = (tsr_emit_item){0};
    *p += **p == ' ';
    if (!**p)
        return false;
    size_t n = strcspn(*p, " '=");
    if ((*p)[n] == '=') {
        out->keyword = (tsr_str){*p, n};
        *p += n + 1;
    }
    if (**p == '\'') {
        out->literal = true;
        out->word = (tsr_str){*p + 1, strcspn(*p + 1, "'")};
        *p += out->word.len + 2;
        return true;
    }
    out->word = (tsr_str){*p, strcspn(*p, " :")};
    *p += out->word.len;
    if (**p == ':') {
        out->as = (tsr_str){*p + 1, strcspn(*p + 1, " ")};
        *p += out->as.len + 1;
    }
    return true;
}

bool tsr_emit_arguments(tsr_arena *arena, tsr_emit_language l, const tsr_op *op, tsr_emit_args *out)
{
    const char *p = tsr_emit_row_of(op)->args[l];
    state s = {arena, l, op};
    tsr_emit_item item;
    while (tsr_emit_next_item(&p, &item)) {
        tsr_emit_arg arg = {.keyword = item.keyword, .as = item.as, .n = -1, .text = item.word};
        TSR_TRY(item.literal || say(&s, &arg, item.word));
        tsr_vec_push(out, arg);
    }
    return true;
}
