/* SPDX-License-Identifier: Apache-2.0 */
/* output.c - reading a program and writing output, with every failure reported, and the clock. */
#include "tools.h"

#include <errno.h>
#include <time.h>

#include "api/saved.h"
#include "base/output.h"

int write_output(const tool *t, const char *path, tsr_str text)
{
    tsr_status s = {0};
    working_end();
    if (strcmp(path, "-") != 0)
        tsr_output_save(path, text, &s);
    else if ((text.len && fwrite(text.data, 1, text.len, stdout) != text.len) ||
             fflush(stdout) != 0 || ferror(stdout))
        tsr_status_set(&s, TSR_ENVIRONMENT, "cannot write output file '<stdout>': %s",
                       strerror(errno));
    if (s.code == TSR_OK)
        return EXIT_OK;
    fprintf(stderr, "%s: error: %s\n", t->name, s.message);
    return EXIT_ENVIRONMENT;
}

int cannot_open(const tool *t, const char *path, const char *why)
{
    fprintf(stderr, "%s: error: cannot open input file '%s': %s\n", t->name, path, why);
    return t->peer ? EXIT_REJECTED : EXIT_ENVIRONMENT;
}

double wall_seconds(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static int with_file(const tool *t, const char *path, int (*work)(void *user, tsr_module *m),
                     void *user)
{
    tsr_file in;
    const char *error = NULL;
    if (!tsr_file_open(path, &in, &error))
        return cannot_open(t, path, error);
    source_mark last = {0};
    source src = {tsr_cstr(strcmp(path, "-") == 0 ? "<stdin>" : path), in.data, &last};
    tsr_ctx *ctx = new_ctx();
    tsr_ctx_on_diag(ctx, diag_to_stderr, &src);
    tsr_module *m = tsr_load_program(ctx, src.text, src.file, 1, true);
    int code = m && tsr_verify(m->op) ? work(user, m) : EXIT_REJECTED;
    if (m)
        tsr_module_free(m);
    free_ctx(ctx);
    tsr_file_close(&in);
    return code;
}

tsr_print_options print_for(const tool *t, const char *path, const tsr_module *m)
{
    bool is_file = path && strcmp(path, "-") != 0;
    return (tsr_print_options){.elide_larger = -1,
                               .debug_info = is_file && !t->peer && tsr_module_is_located(m)};
}

const source *program_source(const tsr_module *m)
{
    return m->ctx->diag_user;
}

/* Work on the program of a saved model. */
typedef struct {
    const char *folder;
    const tsr_saved *saved;
    int (*work)(void *user, tsr_module *m);
    void *user;
} saved_work;

static int work_on_saved(void *user, tsr_module *m)
{
    const saved_work *w = user;
    tsr_saved_name_from(m, w->folder, w->saved);
    return w->work(w->user, m);
}

/* A folder is a saved model: uses its program. */
int with_program(const tool *t, const char *path, int (*work)(void *user, tsr_module *m),
                 void *user)
{
    tsr_arena arena;
    tsr_saved saved;
    tsr_status s = {0};
    tsr_arena_init(&arena);
    int code = EXIT_REJECTED;
    working_on(t, path);
    if (!tsr_is_folder(path))
        code = with_file(t, path, work, user);
    else if (tsr_saved_find(&arena, path, (tsr_str){0}, &saved, &s))
        code = with_file(t, saved.program, work_on_saved, &(saved_work){path, &saved, work, user});
    else
        fprintf(stderr, "%s: error: %s\n", t->name, s.message);
    working_end();
    tsr_arena_free(&arena);
    return code;
}
