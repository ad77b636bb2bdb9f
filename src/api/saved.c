/* SPDX-License-Identifier: Apache-2.0 */
/* saved.c - see saved.h. */
#include "api/saved.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "api/api.h"
#include "api/eval.h"
#include "api/guard.h"
#include "base/input.h"
#include "base/json.h"
#include "base/status.h"
#include "eval/file/npy.h"

bool tsr_is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* FOLDER/PART/NAME SUFFIX */
static const char *path_of(tsr_arena *arena, const char *folder, const char *part, tsr_str name,
                           const char *suffix)
{
    tsr_buf text = {0};
    tsr_buf_printf(&text, "%s/%s/%.*s%s", folder, part, TSR_STR_ARG(name), suffix);
    tsr_buf_char(&text, 0);
    const char *path = tsr_arena_copy(arena, text.data, text.len);
    tsr_buf_free(&text);
    return path;
}

/* ---- Finding the program ---- */

/* The function to use if none is named: forward, or the only one; empty: no unique choice. */
static tsr_str default_function(tsr_arena *arena, const char *functions)
{
    DIR *dir = opendir(functions);
    tsr_str only = {0};
    size_t n = 0;
    bool forward = false;
    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        size_t len = strlen(e->d_name), suffix = strlen(".meta");
        if (len <= suffix || strcmp(e->d_name + len - suffix, ".meta") != 0)
            continue;
        only = (tsr_str){tsr_arena_copy(arena, e->d_name, len - suffix), len - suffix};
        forward |= tsr_str_is(only, "forward");
        n++;
    }
    if (dir)
        closedir(dir);
    return forward ? TSR_STR("forward") : n == 1 ? only : (tsr_str){0};
}

bool tsr_saved_find(tsr_arena *arena, const char *folder, tsr_str function, tsr_saved *out,
                    tsr_status *status)
{
    *out = (tsr_saved){0};
    const char *functions = path_of(arena, folder, "functions", (tsr_str){0}, "");
    if (!tsr_is_folder(functions))
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "'%s' is a folder without functions/: no model was saved there",
                              folder);
    if (!function.len)
        function = default_function(arena, functions);
    if (!function.len)
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "'%s' has several functions or none; --function says which",
                              functions);
    if (memchr(function.data, '/', function.len))
        return tsr_status_set(status, TSR_BAD_INPUT, "'%.*s' is no name of a function",
                              TSR_STR_ARG(function));
    out->meta = path_of(arena, folder, "functions", function, ".meta");
    out->program = path_of(arena, folder, "functions", function, ".bytecode");
    if (!is_file(out->program))
        out->program = path_of(arena, folder, "functions", function, ".mlir");
    if (!is_file(out->program) || !is_file(out->meta))
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "'%s' has no function '%.*s': a program and '%.*s.meta' are needed",
                              functions, TSR_STR_ARG(function), TSR_STR_ARG(function));
    return true;
}

/* ---- Arguments ---- */

typedef struct {
    tsr_ctx *ctx;
    tsr_arena *arena;
    const char *folder;
    tsr_str text;
    tsr_saved *out;
} reader;

static bool wrong(const reader *r, size_t at, const char *reason)
{
    uint32_t line = 1, col = 1;
    for (size_t i = 0; i < at && i < r->text.len; i++) {
        col = r->text.data[i] == '\n' ? 1 : col + 1;
        line += r->text.data[i] == '\n';
    }
    const tsr_name *file = tsr_name_get(r->ctx, tsr_cstr(r->out->meta));
    return tsr_error(r->ctx, tsr_loc_file(r->ctx, file, line, col), "%s", reason);
}

/* {"type_": "parameter", "position": -1, "name": "layer.weight"} */
static bool read_location(const reader *r, const tsr_json *v, tsr_saved_argument *out)
{
    const tsr_json *type = tsr_json_get(v, "type_", TSR_JSON_STRING),
                   *name = tsr_json_get(v, "name", TSR_JSON_STRING),
                   *position = tsr_json_get(v, "position", TSR_JSON_INT);
    if (!type || !name || !position)
        return wrong(r, v->at, "an argument has a type_, a position and a name");
    *out = (tsr_saved_argument){.input = -1};
    bool input = tsr_str_is(type->s, "input_arg"), constant = tsr_str_is(type->s, "constant");
    enum { MOST = 1 << 20 };
    if ((input || constant) && (position->i < 0 || position->i >= MOST))
        return wrong(r, position->at, "a position is a number from 0");
    if (input) {
        out->input = position->i;
        return true;
    }
    if (constant) {
        out->path = path_of(r->arena, r->folder, "constants", position->s, "");
        return true;
    }
    if (!tsr_str_is(type->s, "parameter"))
        return wrong(r, type->at, "an argument is a parameter, an input_arg or a constant");
    if (!name->s.len || memchr(name->s.data, '/', name->s.len) ||
        memchr(name->s.data, 0, name->s.len) || name->s.data[0] == '.')
        return wrong(r, name->at, "this is no name of a file in data/");
    out->path = path_of(r->arena, r->folder, "data", name->s, "");
    out->name = (tsr_str){tsr_arena_copy(r->arena, name->s.data, name->s.len), name->s.len};
    return true;
}

/* Inputs that the program does not use still have a position among the user's: [location, signature]. */
static bool read_unused(const reader *r, const tsr_json *meta)
{
    const tsr_json *list = tsr_json_get(meta, "unused_inputs", TSR_JSON_ARRAY);
    for (size_t i = 0; list && i < list->n; i++) {
        const tsr_json *pair = list->items[i];
        tsr_saved_argument a;
        if (pair->kind != TSR_JSON_ARRAY || pair->n != 2)
            return wrong(r, pair->at, "an unused input is a list of its place and its type");
        TSR_TRY(read_location(r, pair->items[0], &a));
        if (a.input >= (int64_t)r->out->ninput)
            r->out->ninput = (size_t)a.input + 1;
    }
    return true;
}

bool tsr_saved_read(tsr_ctx *ctx, tsr_arena *arena, const char *folder, tsr_str text,
                    tsr_saved *out)
{
    reader r = {ctx, arena, folder, text, out};
    tsr_json_error error;
    const tsr_json *meta = tsr_json_read(arena, text, &error);
    if (!meta)
        return wrong(&r, error.at, error.reason);
    const tsr_json *list = tsr_json_get(meta, "input_locations", TSR_JSON_ARRAY);
    if (!list)
        return wrong(&r, meta->at, "an object with a list of input_locations is wanted");
    out->args = tsr_arena_zalloc(arena, (list->n + 1) * sizeof *out->args);
    out->nargs = list->n;
    for (size_t i = 0; i < list->n; i++) {
        TSR_TRY(read_location(&r, list->items[i], &out->args[i]));
        if (out->args[i].input >= (int64_t)out->ninput)
            out->ninput = (size_t)out->args[i].input + 1;
    }
    return read_unused(&r, meta);
}

void tsr_saved_name(tsr_module *m, const tsr_saved *saved)
{
    tsr_status none = {0};
    tsr_op *func = (tsr_op *)tsr_entry_find(m, (tsr_str){0}, &none);
    tsr_block *body = func ? func->regions[0].first : NULL;
    for (uint32_t i = 0; body && body->nargs == saved->nargs && i < body->nargs; i++) {
        const tsr_saved_argument *a = &saved->args[i];
        tsr_buf name = {0};
        if (a->input >= 0)
            tsr_buf_printf(&name, "inputs[%lld]", (long long)a->input);
        else
            tsr_buf_str(&name, a->name);
        if (name.len)
            body->arg_locs[i] =
                tsr_loc_of_attr(tsr_attr_loc_name(m->ctx, tsr_buf_text(&name), NULL));
        tsr_buf_free(&name);
    }
}

void tsr_saved_name_from(tsr_module *m, const char *folder, const tsr_saved *found)
{
    tsr_ctx *ctx = m->ctx;
    tsr_arena arena;
    tsr_file meta;
    const char *error = NULL;
    bool quiet = ctx->quiet, has_error = ctx->has_error;
    uint32_t nerror = ctx->nerror;
    tsr_saved saved = *found;
    if (!tsr_file_open(saved.meta, &meta, &error))
        return;
    tsr_arena_init(&arena);
    ctx->quiet = true; /* what is wrong there matters to runs, and they tell */
    if (tsr_saved_read(ctx, &arena, folder, meta.data, &saved))
        tsr_saved_name(m, &saved);
    ctx->quiet = quiet;
    ctx->has_error = has_error;
    ctx->nerror = nerror;
    tsr_file_close(&meta);
    tsr_arena_free(&arena);
}

/* ---- The public calls ---- */

static bool read_meta(tsr_ctx *ctx, const char *folder, tsr_saved *out, tsr_status *status)
{
    tsr_file meta;
    const char *error = NULL;
    if (!tsr_file_open(out->meta, &meta, &error))
        return tsr_status_set(status, TSR_ENVIRONMENT, "cannot open input file '%s': %s", out->meta,
                              error);
    bool ok = tsr_saved_read(ctx, &out->own, folder, meta.data, out);
    tsr_file_close(&meta);
    return ok;
}

tsr_saved *tsr_saved_open(tsr_ctx *ctx, const char *folder, tsr_str function, tsr_status *status)
{
    TSR_GUARD_IF(g, ctx && folder, ctx, NULL, TSR_READS, status, NULL)
    tsr_saved *s = tsr_xmalloc(sizeof *s), found;
    tsr_arena own;
    tsr_arena_init(&own);
    uint32_t nerror = ctx->nerror;
    bool ok = tsr_saved_find(&own, folder, function, &found, g.status);
    *s = found;
    s->own = own;
    ok = ok && read_meta(ctx, folder, s, g.status);
    if (!ok && ctx->nerror == nerror)
        tsr_error(ctx, TSR_LOC_UNKNOWN, "%s", g.status->message);
    if (!ok)
        tsr_saved_free(s);
    tsr_guard_finish(&g, ok);
    return ok ? s : NULL;
}

void tsr_saved_free(tsr_saved *s)
{
    if (!s)
        return;
    tsr_arena_free(&s->own);
    tsr_free(s);
}

const char *tsr_saved_program(const tsr_saved *s)
{
    return s ? s->program : NULL;
}

size_t tsr_saved_num_arguments(const tsr_saved *s)
{
    return s ? s->nargs : 0;
}

size_t tsr_saved_num_inputs(const tsr_saved *s)
{
    return s ? s->ninput : 0;
}

int64_t tsr_saved_input(const tsr_saved *s, size_t i)
{
    return s && i < s->nargs ? s->args[i].input : -1;
}

tsr_tensor *tsr_saved_load(const tsr_saved *s, size_t i, tsr_ctx *ctx, tsr_type *element,
                           tsr_status *status)
{
    TSR_GUARD_IF(g, s && ctx && i < s->nargs && s->args[i].path, ctx, NULL, TSR_READS, status, NULL)
    tsr_tensor *t = tsr_npy_load(ctx, s->args[i].path, element, TSR_NPY_EXACT, g.status);
    tsr_guard_close(&g);
    return t;
}
