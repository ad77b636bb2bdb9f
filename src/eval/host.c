/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - side effects of programs, and probes as NumPy files.
 *
 * A probe's hits are probe1.npy, probe2.npy, ... in its directory; index.csv there has one line for each: the probe's
 * id, the type of the value, the path. The first hit of a run starts a new index. */
#include "eval/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/output.h"
#include "eval/mesh.h"
#include "eval/file/npy.h"
#include "eval/file/print.h"

static const char index_name[] = "index.csv";

/* ---- Files ---- */

/* dir/name, NUL-terminated. */
static void path_in(tsr_buf *out, const char *dir, const char *name)
{
    tsr_buf_cstr(out, dir);
    if (out->len && out->data[out->len - 1] != '/')
        tsr_buf_char(out, '/');
    tsr_buf_cstr(out, name);
    tsr_buf_char(out, 0);
    out->len--;
}

static bool fail_status(tsr_call *c, const tsr_status *status)
{
    tsr_fail(c, "%s", status->message);
    c->e->failure.environment = true;
    return false;
}

/* Appends a line; fresh: to a new file. */
static bool write_line(tsr_call *c, const char *path, bool fresh, tsr_str line)
{
    tsr_status status = {0};
    return (fresh ? tsr_output_save(path, line, &status)
                  : tsr_output_append(path, line, &status)) ||
           fail_status(c, &status);
}

static bool has_probes(tsr_call *c)
{
    const tsr_eval_host *host = c->e->host;
    return (host && host->probe_dir && *host->probe_dir) ||
           tsr_fail(c, "needs a directory for the values of probes, and none is given");
}

static bool write_probe(tsr_call *c, const tsr_effect *f)
{
    TSR_TRY(has_probes(c));
    tsr_eval_host *host = c->e->host;
    const tsr_tensor *t = f->tensors[0];
    tsr_buf name = {0}, path = {0}, index = {0}, text = {0};
    uint32_t number = ++host->nprobe;
    tsr_buf_printf(&name, "probe%u.npy", number);
    tsr_buf_char(&name, 0);
    path_in(&path, host->probe_dir, name.data);
    path_in(&index, host->probe_dir, index_name);
    tsr_status status = {0};
    bool ok = tsr_npy_save(t, path.data, &status) || fail_status(c, &status);
    tsr_buf_str(&text, tsr_buf_text(&f->text));
    tsr_buf_char(&text, ',');
    tsr_tensor_print_type(&text, t);
    tsr_buf_printf(&text, ",%s\n", path.data);
    ok = ok && write_line(c, index.data, number == 1, tsr_buf_text(&text));
    tsr_buf_free(&name);
    tsr_buf_free(&path);
    tsr_buf_free(&index);
    tsr_buf_free(&text);
    return ok;
}

/* ---- Files named by programs ---- */

/* Whether no part of a path from `at` on is a symbolic link, which could lead anywhere. Programs create none, so
 * nothing changes between this check and the use. */
static bool no_links(tsr_call *c, char *path, size_t at, const char *does)
{
    for (size_t end = at; path[end]; at = end + 1) {
        struct stat st;
        end = at + strcspn(path + at, "/");
        char rest = path[end];
        path[end] = 0;
        bool link = lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
        if (link)
            return tsr_fail(c,
                            "%s through '%s', a symbolic link, which may lead out of the "
                            "directory of the run",
                            does, path);
        path[end] = rest;
    }
    return true;
}

/* A path below the host's directory; false after a failure: it would lead out of it. */
static bool path_below(tsr_call *c, tsr_str name, tsr_buf *out, const char *does)
{
    bool out_of = !name.len || name.data[0] == '/';
    for (size_t i = 0; i + 1 < name.len; i++)
        out_of |= name.data[i] == '.' && name.data[i + 1] == '.' && (!i || name.data[i - 1] == '/');
    if (out_of || memchr(name.data, 0, name.len))
        return tsr_fail(c, "%s %s '%.*s', which is not below the directory of the run", does,
                        strcmp(does, "writes") == 0 ? "to" : "from", TSR_STR_ARG(name));
    tsr_buf_printf(out, "%s/", c->e->host->file_dir);
    size_t at = out->len;
    tsr_buf_str(out, name);
    tsr_buf_char(out, 0);
    return no_links(c, out->data, at, does);
}

static bool write_dump(tsr_call *c, const tsr_effect *f)
{
    tsr_buf path = {0};
    tsr_status status = {0};
    bool ok = path_below(c, tsr_buf_text(&f->text), &path, "writes") &&
              (tsr_npy_save(f->tensors[0], path.data, &status) || fail_status(c, &status));
    tsr_buf_free(&path);
    return ok;
}

static bool write_file(tsr_call *c, const tsr_effect *f)
{
    tsr_buf path = {0};
    tsr_str all = tsr_buf_text(&f->text);
    size_t n = strlen(all.data);
    bool ok = path_below(c, tsr_str_of(all.data, n), &path, "writes") &&
              write_line(c, path.data, true, tsr_str_of(all.data + n + 1, all.len - n - 1));
    tsr_buf_free(&path);
    return ok;
}

tsr_tensor *tsr_host_read(tsr_call *c, tsr_str name, tsr_type *elem)
{
    tsr_buf path = {0};
    tsr_status status = {0};
    tsr_tensor *t = NULL;
    if (!c->e->host || !c->e->host->file_dir)
        tsr_fail(c, "reads a file, and the run has no directory");
    else if (path_below(c, name, &path, "reads") &&
             !(t = tsr_npy_load(c->e->ctx, path.data, elem, TSR_NPY_EXACT, &status)))
        fail_status(c, &status);
    tsr_buf_free(&path);
    return t;
}

/* ---- Effects ---- */

static void free_effect(tsr_effect *f)
{
    for (size_t i = 0; i < f->n; i++)
        tsr_tensor_unref(f->tensors[i]);
    tsr_free(f->tensors);
    tsr_buf_free(&f->text);
}

static bool perform(tsr_call *c, const tsr_effect *f)
{
    const tsr_eval_host *host = c->e->host;
    switch (f->kind) {
    case TSR_EFFECT_PRINT:
        if (host && host->print)
            host->print(host->user, tsr_buf_text(&f->text));
        return true;
    case TSR_EFFECT_OUTFEED:
        if (host && host->outfeed)
            host->outfeed(host->user, tsr_buf_text(&f->text), f->tensors, f->n);
        return true;
    case TSR_EFFECT_PROBE: return write_probe(c, f);
    case TSR_EFFECT_DUMP: return !host || !host->file_dir || write_dump(c, f);
    case TSR_EFFECT_FILE: return !host || !host->file_dir || write_file(c, f);
    }
    return true;
}

bool tsr_effect_do(tsr_call *c, tsr_effect_kind kind, tsr_str text, tsr_tensor *const *tensors,
                   size_t n)
{
    if (kind == TSR_EFFECT_PROBE)
        TSR_TRY(has_probes(c));
    tsr_effect f = {.kind = kind, .n = n};
    tsr_buf_str(&f.text, text);
    f.tensors = tsr_xmalloc((n + 1) * sizeof *f.tensors);
    for (size_t i = 0; i < n; i++)
        f.tensors[i] = tsr_tensor_ref(tensors[i]);
    tsr_effects *kept = tsr_mesh_effects(c->e);
    if (kept) {
        tsr_vec_push(kept, f);
        return true;
    }
    bool ok = perform(c, &f);
    free_effect(&f);
    return ok;
}

bool tsr_effects_flush(tsr_call *c, tsr_effects *list)
{
    tsr_effects *kept = tsr_mesh_effects(c->e);
    bool ok = true;
    for (size_t i = 0; i < list->n; i++) {
        if (kept) {
            tsr_vec_push(kept, list->data[i]);
            continue;
        }
        ok = ok && perform(c, &list->data[i]);
        free_effect(&list->data[i]);
    }
    tsr_vec_free(list);
    return ok;
}

void tsr_effects_drop(tsr_effects *list, size_t n)
{
    while (list->n > n)
        free_effect(&list->data[--list->n]);
}

/* ---- Reading probes ---- */

/* Splits a line of the index: type and path, if it is of this probe. */
static bool split_line(tsr_str line, tsr_str id, tsr_str *type, tsr_str *path)
{
    if (line.len <= id.len || memcmp(line.data, id.data, id.len) || line.data[id.len] != ',')
        return false;
    /* The type has commas only inside <>, the path may have any. */
    size_t from = id.len + 1, at = from;
    for (int depth = 0; at < line.len && (depth || line.data[at] != ','); at++)
        depth += line.data[at] == '<' ? 1 : line.data[at] == '>' ? -1 : 0;
    if (at == line.len)
        return false;
    *type = tsr_str_of(line.data + from, at - from);
    *path = tsr_str_of(line.data + at + 1, line.len - at - 1);
    return true;
}

/* Hit number *iteration of the probe in the index; reduces it by the number of hits found. */
static bool find_hit(tsr_str index, tsr_str id, uint64_t *iteration, tsr_str *type, tsr_str *path)
{
    for (size_t at = 0; at < index.len;) {
        const char *end = memchr(index.data + at, '\n', index.len - at);
        size_t len = end ? (size_t)(end - index.data) - at : index.len - at;
        if (split_line(tsr_str_of(index.data + at, len), id, type, path) && !(*iteration)--)
            return true;
        at += len + 1;
    }
    return false;
}

/* Hits of this process that are not written yet. */
static tsr_tensor *kept_hit(const tsr_eval *e, tsr_str id, uint64_t *iteration)
{
    const tsr_effects *kept = tsr_mesh_effects(e);
    for (size_t i = 0; kept && i < kept->n; i++)
        if (kept->data[i].kind == TSR_EFFECT_PROBE &&
            tsr_str_eq(tsr_buf_text(&kept->data[i].text), id) && !(*iteration)--)
            return tsr_tensor_ref(kept->data[i].tensors[0]);
    return NULL;
}

/* The value of a line of the index. */
static tsr_tensor *read_hit(tsr_call *c, tsr_str id, tsr_str written, tsr_str file,
                            const tsr_type *type)
{
    tsr_buf path = {0}, found = {0};
    tsr_status status = {0};
    tsr_buf_str(&path, file);
    tsr_buf_char(&path, 0);
    tsr_mesh_lock_context(c->e); /* a file of another type interns that type */
    tsr_tensor *t = tsr_npy_load(c->e->ctx, path.data, type->elem, TSR_NPY_EXACT, &status);
    if (t)
        tsr_tensor_print_type(&found, t);
    tsr_mesh_unlock_context(c->e);
    if (!t)
        fail_status(c, &status);
    if (t && !tsr_str_eq(tsr_buf_text(&found), written)) {
        tsr_fail(c, "wants another type than %.*s, which probe \"%.*s\" had", TSR_STR_ARG(written),
                 TSR_STR_ARG(id));
        tsr_tensor_unref(t);
        t = NULL;
    }
    tsr_buf_free(&path);
    tsr_buf_free(&found);
    return t;
}

tsr_tensor *tsr_probe_read(tsr_call *c, tsr_str id, uint64_t iteration, const tsr_type *type)
{
    if (!has_probes(c))
        return NULL;
    tsr_buf where = {0};
    tsr_str written, file;
    uint64_t left = iteration;
    size_t len = 0;
    path_in(&where, c->e->host->probe_dir, index_name);
    /* Before the first hit of this run, the index belongs to an earlier run. */
    char *index = c->e->host->nprobe ? tsr_read_bytes(where.data, &len, NULL) : NULL;
    tsr_tensor *t;
    if (index && find_hit(tsr_str_of(index, len), id, &left, &written, &file)) {
        t = read_hit(c, id, written, file, type);
    } else {
        t = kept_hit(c->e, id, &left);
        if (!t)
            tsr_fail(c, "finds no value number %llu of probe \"%.*s\"",
                     (unsigned long long)iteration, TSR_STR_ARG(id));
    }
    tsr_free(index);
    tsr_buf_free(&where);
    return t;
}
