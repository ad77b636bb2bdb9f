/* SPDX-License-Identifier: Apache-2.0 */
/* run_results.c - `tessera run` writes results, and reports on the program and its times. */
#include "run.h"

#include <errno.h>
#include <sys/stat.h>

#include "eval/file/npy.h"

bool run_is_npz(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".npz") == 0;
}

/* Tokens have no value to write; files are numbered like results. */
bool run_save(run_job *c, tsr_status *s)
{
    run_texts names = {0};
    run_tensors tensors = {0};
    bool archive = run_is_npz(c->output);
    for (size_t i = 0; i < c->out.n; i++) {
        if (c->out.data[i]->kind == TSR_TOKEN)
            continue;
        tsr_buf name = {0};
        if (!archive)
            tsr_buf_printf(&name, "%s/", c->output);
        tsr_buf_printf(&name, archive ? "out%zu" : "out%zu.npy", i);
        tsr_buf_char(&name, 0);
        tsr_vec_push(&names, name.data);
        tsr_vec_push(&tensors, c->out.data[i]);
    }
    bool ok = true;
    if (!archive && mkdir(c->output, 0777) != 0 && errno != EEXIST)
        ok = tsr_status_set(s, TSR_ENVIRONMENT, "cannot make directory '%s': %s", c->output,
                            strerror(errno));
    if (ok && archive)
        ok = tsr_npz_save(tensors.data, names.data, tensors.n, c->output, s);
    else if (ok)
        ok = tsr_npy_save_all(tensors.data, names.data, tensors.n, s);
    for (size_t i = 0; i < names.n; i++)
        tsr_free((void *)names.data[i]);
    tsr_vec_free(&names);
    tsr_vec_free(&tensors);
    return ok;
}

/* Shards of results of the local devices. */
bool run_save_shards(run_job *c, tsr_status *s)
{
    size_t nout = c->type->nout;
    bool ok = mkdir(c->output, 0777) == 0 || errno == EEXIST ||
              tsr_status_set(s, TSR_ENVIRONMENT, "cannot make directory '%s': %s", c->output,
                             strerror(errno));
    for (size_t i = 0; ok && i < nout; i++) {
        uint32_t *holders = tsr_here_holders(&c->here, &c->here.run->out[i]);
        for (uint32_t d = c->here.first; ok && d < c->here.last; d++) {
            const tsr_tensor *t = c->parts_out.data[d * nout + i];
            if (t->kind == TSR_TOKEN || holders[d] != d)
                continue;
            tsr_buf name = {0};
            tsr_buf_printf(&name, "%s/out%zu.d%u.npy", c->output, i, d);
            tsr_buf_char(&name, 0);
            ok = tsr_npy_save(t, name.data, s);
            tsr_buf_free(&name);
        }
        tsr_free(holders);
    }
    return ok;
}

static void print_phases(const run_job *c, tsr_buf *json)
{
    const struct {
        const char *name;
        double seconds;
    } rows[] = {
        {"parse", c->parse},
        {"verify", c->verify},
        {"load inputs", c->load},
        {"partition", c->partition},
        {"compile", c->compile},
        {"evaluate", c->eval},
        {"of it, waiting for ranks", c->ranks ? tsr_remote_waited(ranks_remote(c->ranks)) : -1},
        {"write and compare", c->judge},
        {"total", wall_seconds() - c->start}};
    if (!json)
        fputs("     wall (ms)  what\n", stderr);
    for (size_t i = 0; i < TSR_COUNT(rows); i++) {
        if (rows[i].seconds < 0)
            continue;
        if (json)
            tsr_buf_printf(json, "%s\"%s\": %s", i ? ", " : "", rows[i].name,
                           tsr_spell('g', 0, 6, rows[i].seconds).text);
        else
            fprintf(stderr, "  %s  %s\n", tsr_spell('f', 12, 3, rows[i].seconds * 1e3).text,
                    rows[i].name);
    }
}

/* A requested report, which is missing if no program was compiled. */
static void json_report(tsr_buf *out, const char *name, const tsr_buf *report)
{
    tsr_buf_printf(out, "%s\"%s\": ", out->len > 1 ? ",\n" : "", name);
    tsr_buf_str(out, report->len ? tsr_buf_text(report) : TSR_STR("null"));
}

/* All reports as one object. */
static int print_json(const run_job *c)
{
    tsr_buf out = {0};
    tsr_buf_char(&out, '{');
    if (c->dump_program)
        json_report(&out, "program", &c->program_text);
    if (c->memory)
        json_report(&out, "memory", &c->memory_text);
    if (c->timing) {
        tsr_buf phases = {0};
        tsr_buf_char(&phases, '{');
        print_phases(c, &phases);
        tsr_buf_char(&phases, '}');
        json_report(&out, "groups", &c->times_text);
        json_report(&out, "seconds", &phases);
        tsr_buf_free(&phases);
    }
    tsr_buf_cstr(&out, "}\n");
    int code = write_output(c->t, "-", tsr_buf_text(&out));
    tsr_buf_free(&out);
    return code;
}

int run_print_reports(const run_job *c, int code)
{
    if (c->json) {
        int wrote = print_json(c);
        return code ? code : wrote;
    }
    const tsr_buf *all[] = {&c->program_text, &c->memory_text, &c->times_text};
    for (size_t i = 0; i < TSR_COUNT(all); i++)
        fwrite(all[i]->data ? all[i]->data : "", 1, all[i]->len, stderr);
    if (c->timing)
        print_phases(c, NULL);
    return code;
}
