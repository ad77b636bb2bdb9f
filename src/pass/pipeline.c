/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline.c - pipelines as text and as data:
 * "builtin.module(func.func(canonicalize{max-iterations=2},cse),symbol-dce)".
 *
 * The reader goes through the text once and keeps the position of every name for diagnostics. */
#include "pass/pass.h"

#include <errno.h>

/* ---- Tables ---- */

const tsr_pass_info *tsr_pass_find(const tsr_pass_list *list, tsr_str name)
{
    for (size_t t = 0; t < list->n; t++)
        for (size_t i = 0; i < list->tables[t]->npass; i++)
            if (tsr_str_is(name, list->tables[t]->passes[i].name))
                return &list->tables[t]->passes[i];
    return NULL;
}

void tsr_suggest_pass(const tsr_pass_list *list, tsr_suggestion *s)
{
    for (size_t t = 0; t < list->n; t++)
        for (size_t i = 0; i < list->tables[t]->npass; i++)
            tsr_suggest(s, list->tables[t]->passes[i].name);
}

const tsr_option *tsr_pass_option(const tsr_pass_list *list, const tsr_pass_info *info, size_t i)
{
    for (size_t t = 0; t < list->n; t++) {
        const tsr_pass_table *table = list->tables[t];
        if (info < table->passes || info >= table->passes + table->npass)
            continue;
        for (size_t k = 0; k < table->noption; k++)
            if (strcmp(table->options[k].pass, info->id) == 0 && i-- == 0)
                return &table->options[k];
    }
    return NULL;
}

/* ---- Values of options ---- */

size_t tsr_option_quoted_end(tsr_str s, size_t at)
{
    if (at + 1 >= s.len || s.data[at] != '@' || s.data[at + 1] != '"')
        return at;
    for (size_t i = at + 2; i < s.len; i++) {
        if (s.data[i] == '"')
            return i + 1;
        i += s.data[i] == '\\';
    }
    return at;
}

void tsr_option_quote(tsr_buf *out, tsr_str value)
{
    bool plain = value.len > 0;
    for (size_t i = 0; plain && i < value.len; i++) {
        char c = value.data[i];
        plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                (c && strchr("_.-$/:+", c));
    }
    if (plain) {
        tsr_buf_str(out, value);
        return;
    }
    tsr_buf_cstr(out, "@\"");
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.data[i];
        if (c < 0x20 || c > 0x7e || strchr("\"\\", c))
            tsr_buf_printf(out, "\\%02X", c);
        else
            tsr_buf_char(out, (char)c);
    }
    tsr_buf_char(out, '"');
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

tsr_str tsr_option_unquote(tsr_arena *arena, tsr_str s)
{
    if (!s.len || tsr_option_quoted_end(s, 0) != s.len)
        return s;
    char *text = tsr_arena_alloc(arena, s.len);
    size_t n = 0;
    for (size_t i = 2; i + 1 < s.len; i++) {
        char c = s.data[i];
        if (c == '\\') {
            int high = hex_digit(s.data[i + 1]), low = hex_digit(s.data[i + 2]);
            bool hex = high >= 0 && low >= 0;
            c = hex ? (char)(high << 4 | low) : s.data[i + 1];
            i += hex ? 2 : 1;
        }
        text[n++] = c;
    }
    return (tsr_str){text, n};
}

/* ---- Construction ---- */

void tsr_pipelines_init(tsr_pipelines *ps, tsr_ctx *ctx, const tsr_pass_list *list)
{
    *ps = (tsr_pipelines){.ctx = ctx, .list = list};
    tsr_arena_init(&ps->arena);
}

void tsr_pipelines_free(tsr_pipelines *ps)
{
    for (tsr_pipeline *pl = ps->owned; pl; pl = pl->next_owned)
        tsr_vec_free(&pl->steps);
    tsr_arena_free(&ps->arena);
}

tsr_pipeline *tsr_pipeline_new(tsr_pipelines *ps, tsr_str anchor)
{
    tsr_pipeline *pl = TSR_NEW(&ps->arena, tsr_pipeline);
    pl->anchor = (tsr_str){tsr_arena_copy(&ps->arena, anchor.data, anchor.len), anchor.len};
    pl->next_owned = ps->owned;
    ps->owned = pl;
    return pl;
}

/* ---- Reading ---- */

typedef struct {
    tsr_pipelines *ps;
    const tsr_name *file; /* name of the text in diagnostics */
    tsr_str text;
    size_t at;
    int depth;
} reader;

/* Reports an error at a position of the text; always false. */
static bool fail(const reader *r, size_t at, const char *fmt, ...) TSR_PRINTF(3, 4);
static bool fail(const reader *r, size_t at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tsr_verror_in(r->ps->ctx, r->file, r->text, at, fmt, args);
    va_end(args);
    return false;
}

static reader reader_of(tsr_pipelines *ps, const char *file, tsr_str text)
{
    return (reader){.ps = ps, .file = tsr_name_get(ps->ctx, tsr_cstr(file)), .text = text};
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_space(reader *r)
{
    while (r->at < r->text.len && is_space(r->text.data[r->at]))
        r->at++;
}

static bool next_is(reader *r, char c)
{
    return r->at < r->text.len && r->text.data[r->at] == c;
}

/* name ::= everything up to one of ",{}()", without surrounding white space */
static tsr_str read_name(reader *r, size_t *start)
{
    skip_space(r);
    *start = r->at;
    while (r->at < r->text.len && !strchr(",{}()", r->text.data[r->at]))
        r->at++;
    size_t end = r->at;
    while (end > *start && is_space(r->text.data[end - 1]))
        end--;
    return (tsr_str){r->text.data + *start, end - *start};
}

static bool check_value(const reader *r, size_t at, const tsr_option *o, tsr_str v)
{
    if (o->type == TSR_OPTION_BOOL) {
        static const char *const words[] = {"true", "false", "1",    "0",
                                            "TRUE", "FALSE", "True", "False"};
        for (size_t i = 0; i < TSR_COUNT(words); i++)
            if (tsr_str_is(v, words[i]))
                return true;
        return fail(r, at,
                    "for the --%s option: '%.*s' is invalid value for boolean argument! Try 0 or 1",
                    o->name, TSR_STR_ARG(v));
    }
    if (o->type == TSR_OPTION_INT) {
        char text[32], *end = text;
        if (v.len && v.len < sizeof text && !is_space(v.data[0])) {
            memcpy(text, v.data, v.len);
            text[v.len] = 0;
            errno = 0;
            (void)strtoll(text, &end, 0);
            if (end == text + v.len && errno == 0)
                return true;
        }
        return fail(r, at, "for the --%s option: '%.*s' value invalid for long argument!", o->name,
                    TSR_STR_ARG(v));
    }
    if (o->type == TSR_OPTION_CHOICE) {
        for (const char *w = o->choices; *w;) {
            size_t n = strcspn(w, " ");
            if (tsr_str_eq(v, tsr_str_of(w, n)))
                return true;
            w += n + (w[n] == ' ');
        }
        return fail(r, at, "for the --%s option: Cannot find option named '%.*s'!", o->name,
                    TSR_STR_ARG(v));
    }
    return true;
}

/* The end of a value that starts at i: spaces inside quotes and braces belong to it. */
static size_t value_end(tsr_str s, size_t i)
{
    int braces = 0;
    for (; i < s.len && (braces > 0 || !is_space(s.data[i])); i++) {
        size_t end = tsr_option_quoted_end(s, i);
        if (end > i) {
            i = end - 1;
            continue;
        }
        char c = s.data[i];
        if (c == '{' || c == '}')
            braces += c == '{' ? 1 : -1;
        if (c == '\'' || c == '"') {
            const char *close = memchr(s.data + i + 1, c, s.len - i - 1);
            if (close)
                i = (size_t)(close - s.data);
        }
    }
    return i;
}

/* options ::= (name ('=' value)?) separated by white space, in r->text from r->at to end */
static bool read_options(reader *r, size_t end, tsr_step *step)
{
    TSR_VEC(tsr_option_value) values = {0};
    tsr_str s = {r->text.data, end};
    size_t first = r->at;
    bool ok = true;
    while (ok) {
        skip_space(r);
        if (r->at >= end)
            break;
        size_t start = r->at;
        while (r->at < end && s.data[r->at] != '=' && !is_space(s.data[r->at]))
            r->at++;
        tsr_str name = {s.data + start, r->at - start};
        const tsr_option *o = NULL;
        for (size_t i = 0; (o = tsr_pass_option(r->ps->list, step->info, i)) != NULL; i++)
            if (tsr_str_is(name, o->name))
                break;
        bool has_value = r->at < end && s.data[r->at] == '=';
        size_t value_at = has_value ? r->at + 1 : start;
        r->at = has_value ? value_end(s, value_at) : r->at;
        tsr_str value = {s.data + value_at, r->at - value_at};
        if (!o) {
            ok = fail(r, start, "no such option %.*s", TSR_STR_ARG(name));
            break;
        }
        if (!has_value && o->type != TSR_OPTION_BOOL) {
            ok = fail(r, start, "for the --%s option: requires a value!", o->name);
            break;
        }
        if (!has_value)
            value = TSR_STR("true");
        char q = value.len >= 2 ? value.data[0] : 0;
        if ((q == '{' && value.data[value.len - 1] == '}') ||
            ((q == '"' || q == '\'') && value.data[value.len - 1] == q))
            value = (tsr_str){value.data + 1, value.len - 2};
        ok = check_value(r, value_at, o, value);
        value.data = tsr_arena_copy(&r->ps->arena, value.data, value.len);
        tsr_vec_push(&values, (tsr_option_value){o, value});
    }
    if (!ok)
        tsr_note(r->ps->ctx, TSR_LOC_UNKNOWN, "failed to add `%s` with options `%.*s`",
                 step->info->name, (int)(end - first), s.data + first);
    step->nvalue = values.n;
    step->values = tsr_arena_copy(&r->ps->arena, values.data, values.n * sizeof *values.data);
    tsr_vec_free(&values);
    return ok;
}

static const char *const anchor_names[] = {
    [TSR_ANY] = "any", [TSR_PER_MODULE] = "builtin.module", [TSR_PER_FUNC] = "func.func"};

static bool read_list(reader *r, tsr_pipeline *into, bool nest);

static void set_inside(tsr_step *step)
{
    step->inside = true;
    step->ends = false; /* the enclosing pipeline ends later */
    for (size_t i = 0; step->nested && i < step->nested->steps.n; i++)
        set_inside(&step->nested->steps.data[i]);
}

/* Replaces a named pipeline by its passes. Its text is ours, so only a name can be wrong. */
static bool expand(reader *r, tsr_pipeline *into, const tsr_step *step)
{
    enum { MAX_DEPTH = 64 };
    tsr_buf text = {0};
    if (step->info->expand) {
        tsr_pass p = {.ctx = r->ps->ctx,
                      .info = step->info,
                      .values = step->values,
                      .nvalue = step->nvalue,
                      .pipelines = r->ps};
        step->info->expand(&p, &text);
    } else {
        tsr_buf_cstr(&text, step->info->pipeline);
    }
    tsr_assert(r->depth < MAX_DEPTH, "pipeline '%s' contains itself", step->info->name);
    reader inner = reader_of(r->ps, step->info->name, tsr_buf_text(&text));
    inner.depth = r->depth + 1;
    size_t first = into->steps.n;
    bool ok = read_list(&inner, into, true);
    tsr_buf_free(&text);
    for (size_t i = first; i < into->steps.n; i++)
        set_inside(&into->steps.data[i]);
    if (into->steps.n > first)
        into->steps.data[into->steps.n - 1].ends = true;
    return ok;
}

/* Adds a pass where it runs: in the pipeline itself, or nested if it is for other ops and nest allows it. */
static bool place(reader *r, tsr_pipeline *into, size_t at, const tsr_step *step, bool nest)
{
    const char *wanted = anchor_names[step->info->anchor];
    if (step->info->anchor == TSR_ANY || tsr_str_is(into->anchor, wanted) ||
        tsr_str_is(into->anchor, "any")) {
        tsr_vec_push(&into->steps, *step);
        return true;
    }
    if (!nest || !tsr_str_is(into->anchor, "builtin.module"))
        return fail(r, at,
                    "Can't add pass '%s' restricted to '%s' on a PassManager intended to run on "
                    "'%.*s', did you "
                    "intend to nest?",
                    step->info->name, wanted, TSR_STR_ARG(into->anchor));
    tsr_pipeline *inner = tsr_pipeline_new(r->ps, tsr_cstr(wanted));
    tsr_vec_push(&inner->steps, *step);
    tsr_vec_push(&into->steps, (tsr_step){.nested = inner});
    return true;
}

/* item ::= op-name '(' list ')' | pass ('{' options '}')? */
static bool read_item(reader *r, tsr_pipeline *into, bool nest)
{
    enum { MAX_DEPTH = 64 };
    size_t start;
    tsr_str name = read_name(r, &start);
    if (next_is(r, '(')) {
        size_t open = r->at++;
        if (++r->depth > MAX_DEPTH)
            return fail(r, open, "pipeline is nested too deeply");
        tsr_pipeline *inner = tsr_pipeline_new(r->ps, name);
        skip_space(r);
        if (!next_is(r, ')'))
            TSR_TRY(read_list(r, inner, false));
        if (!next_is(r, ')'))
            return fail(r, open, "encountered unbalanced parentheses while parsing pipeline");
        r->at++;
        r->depth--;
        tsr_vec_push(&into->steps, (tsr_step){.nested = inner});
        return true;
    }
    tsr_step step = {.info = tsr_pass_find(r->ps->list, name)};
    if (!step.info) {
        tsr_suggestion near = tsr_suggest_for(name);
        tsr_suggest_pass(r->ps->list, &near);
        return fail(r, start, "'%.*s' does not refer to a registered pass or pass pipeline%s%s%s",
                    TSR_STR_ARG(name), near.found ? "; did you mean '" : "",
                    near.found ? near.found : "", near.found ? "'?" : "");
    }
    if (next_is(r, '{')) {
        size_t open = r->at++, close = r->at;
        int depth = 1;
        for (; close < r->text.len; close++) {
            size_t end = tsr_option_quoted_end(r->text, close);
            if (end > close) {
                close = end - 1;
                continue;
            }
            char c = r->text.data[close];
            if (c == '{' || c == '}')
                depth += c == '{' ? 1 : -1;
            if (depth == 0)
                break;
        }
        if (close == r->text.len)
            return fail(r, open, "missing closing '}' while processing pass options");
        TSR_TRY(read_options(r, close, &step));
        r->at = close + 1;
    }
    return step.info->run ? place(r, into, start, &step, nest) : expand(r, into, &step);
}

/* list ::= item (',' item)* */
static bool read_list(reader *r, tsr_pipeline *into, bool nest)
{
    for (;;) {
        TSR_TRY(read_item(r, into, nest));
        skip_space(r);
        if (r->at == r->text.len || next_is(r, ')'))
            break;
        if (!next_is(r, ','))
            return fail(r, r->at, "expected ',' after parsing pipeline");
        r->at++;
    }
    if (r->depth == 0 && r->at < r->text.len)
        return fail(
            r, r->at,
            "encountered extra closing ')' creating unbalanced parentheses while parsing pipeline");
    return true;
}

/* Whether the whole text is name(...). */
static bool is_wrapped(tsr_str text)
{
    size_t i = 0;
    while (i < text.len && !strchr(",{}()", text.data[i]))
        i++;
    return i > 0 && i < text.len && text.data[i] == '(' && text.data[text.len - 1] == ')';
}

tsr_pipeline *tsr_pipeline_parse(tsr_pipelines *ps, tsr_str text, bool strict)
{
    while (text.len && is_space(text.data[text.len - 1]))
        text.len--;
    while (text.len && is_space(text.data[0])) {
        text.data++;
        text.len--;
    }
    reader r = reader_of(ps, "pass pipeline", text);
    tsr_pipeline *top = tsr_pipeline_new(ps, TSR_STR("builtin.module"));
    bool anchored = is_wrapped(text) && (strict || tsr_str_starts(text, "builtin.module(") ||
                                         tsr_str_starts(text, "any("));
    if (strict && !anchored) {
        tsr_error(ps->ctx, TSR_LOC_UNKNOWN,
                  "expected pass pipeline to be wrapped with the anchor operation type, e.g. "
                  "'builtin.module(...)'");
        return NULL;
    }
    if (text.len && !read_list(&r, top, !anchored))
        return NULL;
    if (anchored) {
        if (top->steps.n != 1 || !top->steps.data[0].nested) {
            fail(&r, 0,
                 "expected one operation around the pass pipeline, e.g. 'builtin.module(...)'");
            return NULL;
        }
        top = top->steps.data[0].nested;
    }
    tsr_pipeline_finish(top);
    return top;
}

tsr_pipeline *tsr_pipeline_parse_list(tsr_pipelines *ps, tsr_str anchor, tsr_str text)
{
    reader r = reader_of(ps, "pass pipeline", text);
    tsr_pipeline *pl = tsr_pipeline_new(ps, anchor);
    if (text.len && !read_list(&r, pl, false))
        return NULL;
    tsr_pipeline_finish(pl);
    return pl;
}

bool tsr_pipeline_add(tsr_pipelines *ps, tsr_pipeline *pl, tsr_str name, tsr_str options)
{
    tsr_step step = {.info = tsr_pass_find(ps->list, name)};
    reader r = reader_of(ps, "pass options", options);
    if (!step.info)
        return tsr_error(ps->ctx, TSR_LOC_UNKNOWN,
                         "'%.*s' does not refer to a registered pass or pass pipeline",
                         TSR_STR_ARG(name));
    TSR_TRY(read_options(&r, options.len, &step));
    return step.info->run ? place(&r, pl, 0, &step, true) : expand(&r, pl, &step);
}

/* The option's value as text, the form in which a step holds it. */
static tsr_option_value value_of(tsr_pipelines *ps, const tsr_pass_info *info,
                                 const tsr_pass_arg *arg)
{
    const tsr_option *o;
    for (size_t i = 0; (o = tsr_pass_option(ps->list, info, i)) && strcmp(o->name, arg->name);)
        i++;
    tsr_assert(o, "pass '%s' has no option '%s'", info->name, arg->name);
    tsr_assert(o->type == arg->type || arg->type == TSR_OPTION_STRING || o->type == TSR_OPTION_LIST,
               "option '%s' of '%s' is of another type", arg->name, info->name);
    tsr_buf text = {0};
    if (arg->type == TSR_OPTION_BOOL)
        tsr_buf_cstr(&text, arg->i ? "true" : "false");
    else if (arg->type == TSR_OPTION_INT)
        tsr_buf_int(&text, arg->i);
    else
        tsr_option_quote(&text, arg->s);
    tsr_str value = {tsr_arena_copy(&ps->arena, text.data, text.len), text.len};
    tsr_buf_free(&text);
    return (tsr_option_value){o, value};
}

void tsr_pipeline_add_pass(tsr_pipelines *ps, tsr_pipeline *pl, const char *name,
                           const tsr_pass_arg *args, size_t n)
{
    tsr_step step = {.info = tsr_pass_find(ps->list, tsr_cstr(name)),
                     .values = TSR_NEW_ARRAY(&ps->arena, tsr_option_value, n + 1),
                     .nvalue = n};
    tsr_assert(step.info, "there is no pass '%s'", name);
    for (size_t i = 0; i < n; i++)
        step.values[i] = value_of(ps, step.info, &args[i]);
    reader r = reader_of(ps, name, tsr_cstr(name));
    bool ok = step.info->run ? place(&r, pl, 0, &step, true) : expand(&r, pl, &step);
    tsr_assert(ok, "pass '%s' cannot run there", name);
    tsr_pipeline_finish(pl);
}

void tsr_pipeline_finish(tsr_pipeline *pl)
{
    size_t n = 0;
    for (size_t i = 0; i < pl->steps.n; i++) {
        tsr_step *s = &pl->steps.data[i], *last = n ? &pl->steps.data[n - 1] : NULL;
        if (s->nested && last && last->nested &&
            tsr_str_eq(s->nested->anchor, last->nested->anchor)) {
            for (size_t k = 0; k < s->nested->steps.n; k++)
                tsr_vec_push(&last->nested->steps, s->nested->steps.data[k]);
            s->nested->steps.n = 0;
            last->inside |= s->inside;
            last->ends |= s->ends;
        } else {
            pl->steps.data[n++] = *s;
        }
    }
    pl->steps.n = n;
    for (size_t i = 0; i < n; i++)
        if (pl->steps.data[i].nested)
            tsr_pipeline_finish(pl->steps.data[i].nested);
}

void tsr_pipeline_print(tsr_buf *out, const tsr_pipeline *pl)
{
    tsr_buf_str(out, pl->anchor);
    tsr_buf_char(out, '(');
    for (size_t i = 0; i < pl->steps.n; i++) {
        const tsr_step *s = &pl->steps.data[i];
        if (i)
            tsr_buf_char(out, ',');
        if (s->nested) {
            tsr_pipeline_print(out, s->nested);
            continue;
        }
        tsr_buf_cstr(out, s->info->name);
        for (size_t k = 0; k < s->nvalue; k++) {
            bool quoted = memchr(s->values[k].value.data, ' ', s->values[k].value.len) != NULL;
            tsr_buf_printf(out, "%c%s=%s%.*s%s", k ? ' ' : '{', s->values[k].option->name,
                           quoted ? "{" : "", TSR_STR_ARG(s->values[k].value), quoted ? "}" : "");
        }
        if (s->nvalue)
            tsr_buf_char(out, '}');
    }
    tsr_buf_char(out, ')');
}
