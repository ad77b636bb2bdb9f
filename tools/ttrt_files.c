/* SPDX-License-Identifier: Apache-2.0 */
/* ttrt_files.c - artifacts of `ttrt`: <folder>/<name of the binary>/ has the binary, its system, run/program_<i>/ and
 * perf/. */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/saved.h"
#include "eval/file/npy.h"
#include "ttrt.h"

static int failed(const ttrt *r, const char *what, const char *path)
{
    fprintf(stderr, "%s: error: cannot %s '%s': %s\n", r->t->name, what, path, strerror(errno));
    return EXIT_ENVIRONMENT;
}

int make_folders(const ttrt *r, const char *path)
{
    tsr_buf part = {0};
    int code = EXIT_OK;
    for (size_t i = 0; !code; i++) {
        bool end = !path[i];
        if (i && (end || path[i] == '/')) {
            tsr_buf_char(&part, 0);
            if (mkdir(part.data, 0777) != 0 && errno != EEXIST)
                code = failed(r, "make directory", part.data);
            part.len--;
        }
        if (end)
            break;
        tsr_buf_char(&part, path[i]);
    }
    tsr_buf_free(&part);
    return code;
}

int remove_folder(const ttrt *r, const char *path)
{
    DIR *d = opendir(path);
    int code = EXIT_OK;
    if (!d)
        return errno == ENOENT ? EXIT_OK : failed(r, "read directory", path);
    for (struct dirent *e; !code && (e = readdir(d)) != NULL;) {
        tsr_buf name = {0};
        struct stat s;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        tsr_buf_printf(&name, "%s/%s", path, e->d_name);
        tsr_buf_char(&name, 0);
        bool folder = lstat(name.data, &s) == 0 && S_ISDIR(s.st_mode);
        if (folder)
            code = remove_folder(r, name.data);
        else if (unlink(name.data) != 0)
            code = failed(r, "remove", name.data);
        tsr_buf_free(&name);
    }
    closedir(d);
    return code || rmdir(path) == 0 ? code : failed(r, "remove", path);
}

void artifact_path(const ttrt *r, const binary *b, tsr_buf *out, const char *rest)
{
    const char *base = strrchr(b->path, '/');
    tsr_buf_printf(out, "%s/%s/%s", r->artifacts, base ? base + 1 : b->path, rest);
    tsr_buf_char(out, 0);
}

/* Creates the folder for a file. */
static int folder_of(const ttrt *r, char *path)
{
    char *slash = strrchr(path, '/');
    *slash = 0;
    int code = make_folders(r, path);
    *slash = '/';
    return code;
}

int write_artifact(const ttrt *r, const binary *b, const char *rest, tsr_str text)
{
    tsr_buf path = {0};
    artifact_path(r, b, &path, rest);
    int code = folder_of(r, path.data);
    if (!code)
        code = write_output(r->t, path.data, text);
    tsr_buf_free(&path);
    return code;
}

int save_binary(const ttrt *r, const binary *b)
{
    const char *base = strrchr(b->path, '/');
    int code = write_artifact(r, b, base ? base + 1 : b->path, b->file.data);
    tsr_fb_table *desc = tsr_fb_has_programs(b->kind) ? tsr_fb_sub(b->root, "system_desc") : NULL;
    if (code || !desc)
        return code;
    tsr_arena arena;
    tsr_buf out = {0};
    tsr_arena_init(&arena);
    tsr_fb_conv c = {.ctx = b->ctx, .arena = &arena};
    tsr_attr *system = tsr_fb_system_attr(&c, desc);
    code = system && tsr_fb_write_system(b->ctx, &out, system)
               ? write_artifact(r, b, "system_desc.ttsys", tsr_buf_text(&out))
               : EXIT_REJECTED;
    tsr_map_free(&c.sound);
    tsr_buf_free(&out);
    tsr_arena_free(&arena);
    return code;
}

int save_tensor(const ttrt *r, const binary *b, const char *rest, const tsr_tensor *t)
{
    tsr_buf path = {0};
    tsr_status status = {0};
    artifact_path(r, b, &path, rest);
    int code = folder_of(r, path.data);
    if (!code && t->kind == TSR_TENSOR && !tsr_npy_save(t, path.data, &status)) {
        fprintf(stderr, "%s: error: %s\n", r->t->name, status.message);
        code = EXIT_ENVIRONMENT;
    }
    tsr_buf_free(&path);
    return code;
}
