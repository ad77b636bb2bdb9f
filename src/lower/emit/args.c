/* args.c - the arguments of a call, as a row of calls.def says them. */
#include "lower/emit/emit.h"

static const tsr_emit_row rows[TSR_OP__COUNT] = {
#define CALL(id, cpp, cpp_args, how, python, python_args) \
    [TSR_OP_##id] = {{cpp, python}, {cpp_args, python_args}, TSR_EMIT_##how},
#include "lower/emit/calls.def"
};

const tsr_emit_row *tsr_emit_row_of(const tsr_op *op)
{
    const tsr_emit_row *r = &rows[op->def->opcode];
    return r->args[0] ? r : NULL;
}

typedef struct {
    tsr_arena *arena;
    tsr_emit_language l;
    const tsr_op *op;
} state;

/* The tensor that says data type, page layout and memory: the first result, or the first operand of an op without results. */
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

/* ---- Words that types of tensors say ---- */

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

/* Whether word is one of them. */
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

/* An operand group of this name; one that is not there becomes text. */
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

/* One item of the row's text from *p on. */
static bool item(const state *s, const char **p, tsr_emit_args *out)
{
    tsr_emit_arg arg = {0};
    size_t n = strcspn(*p, " '=");
    if ((*p)[n] == '=') {
        arg.keyword = (tsr_str){*p, n};
        *p += n + 1;
    }
    if (**p == '\'') {
        size_t len = strcspn(*p + 1, "'");
        arg.n = -1;
        arg.text = (tsr_str){*p + 1, len};
        *p += len + 2;
        tsr_vec_push(out, arg);
        return true;
    }
    tsr_str word = {*p, strcspn(*p, " :")};
    *p += word.len;
    if (**p == ':') {
        arg.as = (tsr_str){*p + 1, strcspn(*p + 1, " ")};
        *p += arg.as.len + 1;
    }
    TSR_TRY(say(s, &arg, word));
    tsr_vec_push(out, arg);
    return true;
}

bool tsr_emit_arguments(tsr_arena *arena, tsr_emit_language l, const tsr_op *op, tsr_emit_args *out)
{
    const tsr_emit_row *r = tsr_emit_row_of(op);
    state s = {arena, l, op};
    for (const char *p = r->args[l]; *p;) {
        TSR_TRY(item(&s, &p, out));
        p += *p == ' ';
    }
    return true;
}
