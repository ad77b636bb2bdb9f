/* SPDX-License-Identifier: Apache-2.0 */
/* given.c - shardings that are given by patterns of names (base/path.h) become those of the arguments and results that
 * the patterns fit. */
#include "api/shard.h"
#include "base/path.h"
#include "base/suggest.h"
#include "text/text.h"

/* The names of a function's arguments, or of its results. */
typedef struct {
    tsr_op *func;
    bool result;
    uint32_t n;
    tsr_str *paths; /* in normal form */
} list;

static list list_of(tsr_arena *arena, tsr_op *func, bool result)
{
    const tsr_type *type = tsr_op_attr(func, TSR_STR("function_type"))->type;
    const tsr_block *body = func->regions[0].first;
    list l = {func, result, result ? type->nout : body ? body->nargs : 0, NULL};
    l.paths = TSR_NEW_ARRAY(arena, tsr_str, l.n + 1);
    for (uint32_t i = 0; i < l.n; i++) {
        tsr_buf path = {0};
        tsr_path_normal(&path, result ? tsr_result_known_as(arena, func, i)
                                      : tsr_value_known_as(arena, body->args[i]));
        tsr_buf_char(&path, 0);
        l.paths[i] = (tsr_str){tsr_arena_copy(arena, path.data, path.len), path.len - 1};
        tsr_buf_free(&path);
    }
    return l;
}

/* Whether the pattern is the printed name of the value, which it has besides the user's. */
static bool is_printed(const list *l, tsr_str pattern, uint32_t i)
{
    tsr_buf name = {0};
    if (!pattern.len || pattern.data[0] != (l->result ? '#' : '%'))
        return false;
    tsr_buf_printf(&name, l->result ? "#%u" : "%%arg%u", i);
    bool same = tsr_str_eq(pattern, tsr_buf_text(&name));
    tsr_buf_free(&name);
    return same;
}

/* Names that are nearest to the pattern, or some if none is near. */
static void near_text(tsr_buf *out, const list *l, tsr_str pattern)
{
    enum { MOST = 3 };
    const char *told[MOST];
    uint32_t n = 0;
    for (bool more = true; more && n < MOST; n += more) {
        tsr_suggestion s = tsr_suggest_for(pattern);
        for (uint32_t i = 0; i < l->n; i++) {
            bool again = false;
            for (uint32_t k = 0; k < n; k++)
                again |= tsr_str_is(l->paths[i], told[k]);
            if (!again)
                tsr_suggest(&s, l->paths[i].data);
        }
        more = s.found != NULL;
        told[n] = s.found;
    }
    bool none = !n;
    for (; none && n < MOST && n < l->n; n++)
        told[n] = l->paths[n].data;
    tsr_buf_cstr(out, !n ? "; there are none" : none ? "; names are " : "; the nearest names are ");
    for (uint32_t k = 0; k < n; k++) {
        size_t len = strlen(told[k]);
        tsr_buf_cstr(out, k ? ", " : "");
        tsr_text_visible(out, tsr_str_of(told[k], len < 100 ? len : 100), TSR_VISIBLE_TEXT);
        tsr_buf_cstr(out, len < 100 ? "" : "...");
    }
    tsr_buf_cstr(out, none && n < l->n ? ", ..." : "");
}

/* A diagnostic with a caret at the first part of the pattern, in normal form, that fits no name. */
static bool no_match(const list *l, tsr_str pattern, size_t reach)
{
    tsr_buf text = {0};
    const char *what = l->result ? "result" : "argument";
    near_text(&text, l, pattern);
    tsr_error_in(l->func->module->ctx, l->result ? "pattern of results" : "pattern of arguments",
                 pattern, reach < pattern.len ? reach : 0, "no %s is called '%.*s'%.*s", what,
                 TSR_STR_ARG(pattern), TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_buf_free(&text);
    return false;
}

/* Adds the numbers of those that the pattern fits; false after a diagnostic: there are none. */
static bool find(const list *l, tsr_str pattern, tsr_given_numbers *out)
{
    tsr_buf text = {0};
    size_t reach = 0, before = out->n;
    tsr_path_normal(&text, pattern);
    for (uint32_t i = 0; i < l->n; i++)
        if (tsr_path_reach(tsr_buf_text(&text), l->paths[i], &reach) || is_printed(l, pattern, i))
            tsr_vec_push(out, i);
    bool ok = out->n > before || no_match(l, tsr_buf_text(&text), reach);
    tsr_buf_free(&text);
    return ok;
}

void tsr_given_find(tsr_arena *arena, tsr_op *func, bool result, tsr_str name,
                    tsr_given_numbers *out)
{
    list l = list_of(arena, func, result);
    tsr_buf text = {0};
    tsr_path_normal(&text, name);
    for (uint32_t i = 0; i < l.n; i++)
        if (tsr_path_fits(tsr_buf_text(&text), l.paths[i]))
            tsr_vec_push(out, i);
    tsr_buf_free(&text);
}

bool tsr_given_resolve(tsr_arena *arena, tsr_op *func, tsr_shard_request *request)
{
    TSR_VEC(tsr_shard_given) all = {0};
    tsr_given_numbers found = {0};
    list lists[2] = {{0}}; /* arguments, results; made when they are needed */
    bool ok = true;
    for (size_t i = 0; ok && i < request->ngiven; i++) {
        tsr_shard_given g = request->given[i];
        if (!g.name.len) {
            tsr_vec_push(&all, g);
            continue;
        }
        list *l = &lists[g.result];
        if (!l->func)
            *l = list_of(arena, func, g.result);
        found.n = 0;
        ok = find(l, g.name, &found);
        g.name = (tsr_str){0};
        for (size_t k = 0; k < found.n; k++) {
            g.index = found.data[k];
            tsr_vec_push(&all, g);
        }
    }
    request->given = tsr_arena_copy(arena, all.data, all.n * sizeof *all.data);
    request->ngiven = all.n;
    tsr_vec_free(&all);
    tsr_vec_free(&found);
    return ok;
}
