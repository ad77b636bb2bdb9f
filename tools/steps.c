/* SPDX-License-Identifier: Apache-2.0 */
/* steps.c - see steps.h.
 *
 * A checkpoint is a folder step-000000000010: the fed inputs of the next step, one file for each distinct shard,
 * written by the first device that has it (in0.d3.npy), and finally a file `state` that describes it. It is written
 * under a temporary name and renamed when all ranks have written their files: a folder with the final name is complete.
 * Two are kept. Shards belong to devices: any number of ranks can resume from them. The checkpoint after the last step
 * also has the results that are not fed (out1.d3.npy): a run that was killed before it wrote its results, and is
 * resumed, has nothing left to compute. */
#include "steps.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "eval/file/npy.h"

enum { KEPT = 2, DIGITS = 12, VERSION = 1 };
#define STATE "tessera state "

void steps_free(steps *s)
{
    tsr_vec_free(&s->feeds);
}

/* ---- Feeds ---- */

static const char *read_slot(const char *p, const char *word, size_t *out)
{
    size_t n = strlen(word);
    char *end;
    if (strncmp(p, word, n) != 0 || p[n] < '0' || p[n] > '9')
        return NULL;
    *out = strtoul(p + n, &end, 10);
    return end;
}

static bool check_feed(const steps *s, const tsr_type *type, feed f, tsr_status *status)
{
    if (f.out >= type->nout || f.in >= type->n)
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "--feed=out%zu:in%zu: the function has %u results and %u arguments",
                              f.out, f.in, type->nout, type->n);
    for (size_t i = 0; i < s->feeds.n; i++)
        if (s->feeds.data[i].in == f.in)
            return tsr_status_set(status, TSR_BAD_INPUT, "--feed: argument %zu is fed twice", f.in);
    const tsr_type *from = type->types[type->n + f.out], *to = type->types[f.in];
    if (from == to)
        return true;
    tsr_buf text = {0};
    if (to->ctx && to->ctx->print_type) {
        to->ctx->print_type(&text, (tsr_type *)from);
        tsr_buf_cstr(&text, ", and the argument ");
        to->ctx->print_type(&text, (tsr_type *)to);
    }
    tsr_status_set(status, TSR_BAD_INPUT, "--feed=out%zu:in%zu: the result is %.*s", f.out, f.in,
                   TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_buf_free(&text);
    return false;
}

bool steps_read(steps *s, const tsr_type *type, tsr_status *status)
{
    s->nin = type->n;
    s->nout = type->nout;
    for (const char *p = s->feed_text; p && *p;) {
        feed f = {0};
        p = read_slot(p, "out", &f.out);
        p = p && *p == ':' ? read_slot(p + 1, "in", &f.in) : NULL;
        if (!p || (*p && (*p != ',' || !p[1])))
            return tsr_status_set(status, TSR_BAD_INPUT,
                                  "--feed=%s: pairs are wanted, such as out0:in0,out1:in3",
                                  s->feed_text);
        TSR_TRY(check_feed(s, type, f, status));
        tsr_vec_push(&s->feeds, f);
        p += *p == ',';
    }
    return true;
}

/* ---- Ranks ---- */

static int own_rank(const steps *s)
{
    return s->local && s->local->remote ? tsr_remote_transport(s->local->remote)->rank : 0;
}

/* Called by all ranks; false if one of them has failed. number: the first rank's is used by all; may be NULL. */
static bool all_are(const steps *s, bool ok, uint64_t *number, tsr_status *status)
{
    if (!s->local || !s->local->remote)
        return ok;
    uint64_t mine[2] = {ok, number ? *number : 0}, theirs[2];
    int size = tsr_remote_transport(s->local->remote)->size, bad = -1;
    tsr_str *all = tsr_xmalloc((size_t)size * sizeof *all);
    tsr_remote_share(s->local->remote, mine, sizeof mine, -1, all);
    for (int i = size; i-- > 0;) {
        memcpy(theirs, all[i].data, sizeof theirs);
        bad = theirs[0] ? bad : i;
        tsr_free((void *)all[i].data);
    }
    if (number)
        *number = theirs[1];
    tsr_free(all);
    if (ok && bad >= 0)
        tsr_status_set(status, TSR_ENVIRONMENT,
                       "rank %d cannot write or read its part of the state", bad);
    return bad < 0;
}

/* ---- Checkpoints ---- */

static char *path_of(const steps *s, uint64_t step, bool whole, const char *name)
{
    tsr_buf out = {0};
    tsr_buf_printf(&out, "%s/%sstep-%0*llu%s%s", s->folder, whole ? "" : ".", DIGITS,
                   (unsigned long long)step, *name ? "/" : "", name);
    tsr_buf_char(&out, 0);
    return out.data;
}

/* The file of input or result i, of a device. */
static char *file_of(const steps *s, uint64_t step, bool whole, bool result, size_t i,
                     uint32_t device)
{
    char name[64], part[32] = "";
    if (s->local)
        snprintf(part, sizeof part, ".d%u", device);
    snprintf(name, sizeof name, "%s%zu%s.npy", result ? "out" : "in", i, part);
    return path_of(s, step, whole, name);
}

static bool is_laid_out_alike(const tsr_part_of *a, const tsr_part_of *b)
{
    return a->global == b->global && a->sharding == b->sharding;
}

/* The feed whose input is this result as it is; NULL if there is none. */
static const feed *feed_of(const steps *s, size_t result)
{
    for (size_t i = 0; i < s->feeds.n; i++) {
        const feed *f = &s->feeds.data[i];
        if (f->out == result && (!s->local || is_laid_out_alike(&s->local->run->out[result],
                                                                &s->local->run->in[f->in])))
            return f;
    }
    return NULL;
}

static bool fail(tsr_status *status, const char *what, const char *path)
{
    return tsr_status_set(status, TSR_ENVIRONMENT, "cannot %s '%s': %s", what, path,
                          strerror(errno));
}

static bool sync_path(const char *path)
{
    int fd = open(path, O_RDONLY);
    bool ok = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0)
        close(fd);
    return ok;
}

/* Removes a checkpoint, complete or not. */
static void remove_state(const char *path)
{
    DIR *d = opendir(path);
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;) {
        tsr_buf file = {0};
        tsr_buf_printf(&file, "%s/%s", path, e->d_name);
        tsr_buf_char(&file, 0);
        if (e->d_name[0] != '.')
            unlink(file.data);
        tsr_buf_free(&file);
    }
    if (d)
        closedir(d);
    rmdir(path);
}

/* Writes input or result k of the devices that this rank runs; all: as for tsr_entry_run. */
static bool write_shards(const steps *s, uint64_t step, bool result, size_t k,
                         tsr_tensor *const *all, tsr_status *status)
{
    uint32_t first = s->local ? s->local->first : 0, last = s->local ? s->local->last : 1;
    size_t n = result ? s->nout : s->nin;
    const tsr_part_of *of = !s->local ? NULL
                            : result  ? &s->local->run->out[k]
                                      : &s->local->run->in[k];
    uint32_t *holders = of ? tsr_here_holders(s->local, of) : NULL;
    bool ok = true;
    for (uint32_t d = first; ok && d < last; d++) {
        const tsr_tensor *t = all[d * n + k];
        if (t->kind == TSR_TOKEN || (holders && holders[d] != d))
            continue;
        char *path = file_of(s, step, false, result, k, d);
        ok = tsr_npy_save(t, path, status);
        if (ok && !sync_path(path))
            ok = fail(status, "write", path);
        tsr_free(path);
    }
    tsr_free(holders);
    return ok;
}

static bool write_parts(const steps *s, uint64_t step, tsr_tensor *const *in,
                        tsr_tensor *const *out, tsr_status *status)
{
    bool ok = true;
    for (size_t i = 0; ok && i < s->feeds.n; i++)
        ok = write_shards(s, step, false, s->feeds.data[i].in, in, status);
    for (size_t k = 0; ok && step == s->loop && k < s->nout; k++)
        ok = feed_of(s, k) || write_shards(s, step, true, k, out, status);
    return ok;
}

static void put_note(const steps *s, uint64_t step, bool results, tsr_buf *out)
{
    tsr_buf_printf(out, STATE "%d\nstep %llu\nprogram %016llx\nfeed %s\ndevices %u\n%s", VERSION,
                   (unsigned long long)step, (unsigned long long)s->program, s->feed_text,
                   s->local ? (unsigned)tsr_parts_devices(s->local->run) : 0,
                   results ? "results\n" : "");
}

static bool write_note(const steps *s, uint64_t step, tsr_status *status)
{
    char *path = path_of(s, step, false, "state");
    tsr_buf text = {0};
    put_note(s, step, step == s->loop, &text);
    bool ok = tsr_output_save(path, tsr_buf_text(&text), status) &&
              (sync_path(path) || fail(status, "write", path));
    tsr_buf_free(&text);
    tsr_free(path);
    return ok;
}

/* Steps of the complete checkpoints in the folder, the newest first. */
static size_t list_states(const steps *s, uint64_t *out, size_t most)
{
    size_t n = 0;
    DIR *d = opendir(s->folder);
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;) {
        char *end;
        if (strncmp(e->d_name, "step-", 5) != 0)
            continue;
        uint64_t step = strtoull(e->d_name + 5, &end, 10);
        if (*end || end == e->d_name + 5)
            continue;
        size_t at = n < most ? n++ : most;
        while (at > 0 && out[at - 1] < step) {
            if (at < most)
                out[at] = out[at - 1];
            at--;
        }
        if (at < most)
            out[at] = step;
    }
    if (d)
        closedir(d);
    return n;
}

static void drop_old(const steps *s)
{
    enum { MOST = 64 };
    uint64_t all[MOST];
    size_t n = list_states(s, all, MOST);
    for (size_t i = KEPT; i < n; i++) {
        char *path = path_of(s, all[i], true, "");
        remove_state(path);
        tsr_free(path);
    }
}

static bool open_state(const steps *s, const char *path, tsr_status *status)
{
    remove_state(path);
    if (mkdir(s->folder, 0777) != 0 && errno != EEXIST)
        return fail(status, "make directory", s->folder);
    return mkdir(path, 0777) == 0 || fail(status, "make directory", path);
}

/* Writes the checkpoint before step: all of it, or nothing. */
static bool write_state(const steps *s, uint64_t step, tsr_tensor *const *in,
                        tsr_tensor *const *out, tsr_status *status)
{
    bool lead = own_rank(s) == 0;
    char *temp = path_of(s, step, false, ""), *path = path_of(s, step, true, "");
    bool ok = all_are(s, !lead || open_state(s, temp, status), NULL, status) &&
              all_are(s, write_parts(s, step, in, out, status), NULL, status);
    if (ok && lead) {
        ok = write_note(s, step, status) && (sync_path(temp) || fail(status, "write", temp));
        if (ok)
            remove_state(path); /* left by a run that got further */
        ok = ok && (rename(temp, path) == 0 || fail(status, "write", path));
        sync_path(s->folder);
        drop_old(s);
    }
    ok = all_are(s, ok, NULL, status);
    if (!ok && lead)
        remove_state(temp);
    tsr_free(temp);
    tsr_free(path);
    return ok;
}

/* ---- Resuming ---- */

/* Checks that the description of a checkpoint matches the run. results: whether it has those. */
static bool check_note(const steps *s, uint64_t step, bool *results, tsr_status *status)
{
    tsr_buf with = {0}, without = {0}, text = {0};
    char *path = path_of(s, step, true, "state");
    const char *error = NULL;
    put_note(s, step, true, &with);
    put_note(s, step, false, &without);
    bool ok =
        tsr_file_read(path, &text, &error) ||
        tsr_status_set(status, TSR_ENVIRONMENT, "cannot open input file '%s': %s", path, error);
    *results = ok && tsr_str_eq(tsr_buf_text(&text), tsr_buf_text(&with));
    tsr_buf_char(&text, 0), text.len--;
    unsigned long version =
        ok && text.len > strlen(STATE) && !memcmp(text.data, STATE, strlen(STATE))
            ? strtoul(text.data + strlen(STATE), NULL, 10)
            : VERSION;
    if (version != VERSION)
        ok = tsr_status_set(status, TSR_BAD_INPUT,
                            "'%s' is of version %lu of the format, and this is version %d", path,
                            version, VERSION);
    if (ok && !*results && !tsr_str_eq(tsr_buf_text(&text), tsr_buf_text(&without)))
        ok = tsr_status_set(status, TSR_BAD_INPUT,
                            "'%s' is the state of another program, mesh or --feed", path);
    tsr_buf_free(&with);
    tsr_buf_free(&without);
    tsr_buf_free(&text);
    tsr_free(path);
    return ok;
}

static bool has_shape(const tsr_tensor *t, const tsr_type *type)
{
    bool same = tsr_type_is_shaped(type) && t->rank == type->n;
    for (size_t i = 0; same && i < t->rank; i++)
        same = type->dims[i] == TSR_DYNAMIC || type->dims[i] == t->dims[i];
    return same;
}

/* Reads what write_shards wrote, as tensors of a type. */
static bool read_shards(const steps *s, tsr_ctx *ctx, bool result, size_t k, const tsr_type *type,
                        tsr_tensor **all, tsr_status *status)
{
    uint32_t first = s->local ? s->local->first : 0, last = s->local ? s->local->last : 1;
    size_t n = result ? s->nout : s->nin;
    const tsr_part_of *of = !s->local ? NULL
                            : result  ? &s->local->run->out[k]
                                      : &s->local->run->in[k];
    uint32_t *holders = of ? tsr_here_holders(s->local, of) : NULL;
    bool ok = true;
    for (uint32_t d = first; ok && d < last; d++) {
        char *path = file_of(s, s->first, true, result, k, holders ? holders[d] : d);
        tsr_tensor *t = tsr_npy_load(ctx, path, type->elem, TSR_NPY_EXACT, status);
        ok = t && (has_shape(t, type) ||
                   tsr_status_set(status, TSR_BAD_INPUT, "'%s' has another shape", path));
        if (ok) {
            tsr_tensor_unref(all[d * n + k]);
            all[d * n + k] = t;
        } else {
            tsr_tensor_unref(t);
        }
        tsr_free(path);
    }
    tsr_free(holders);
    return ok;
}

/* Results of the last step: those that are fed are inputs by now. */
static bool read_results(const steps *s, tsr_ctx *ctx, const tsr_type *type, tsr_tensor **in,
                         tsr_tensor **out, tsr_status *status)
{
    uint32_t first = s->local ? s->local->first : 0, last = s->local ? s->local->last : 1;
    for (uint32_t d = first; d < last; d++)
        memset(&out[d * s->nout], 0, s->nout * sizeof *out);
    for (size_t k = 0; k < s->nout; k++) {
        const tsr_type *result = type->types[type->n + k];
        const feed *fed = feed_of(s, k);
        if (!fed && tsr_type_is_shaped(result)) {
            TSR_TRY(read_shards(s, ctx, true, k, result, out, status));
            continue;
        }
        for (uint32_t d = first; d < last; d++)
            out[d * s->nout + k] = fed ? tsr_tensor_ref(in[d * s->nin + fed->in]) : tsr_token_new();
    }
    return true;
}

/* The newest checkpoint that the run can go on from; one after the last step needs its results. 0: there is none. */
static uint64_t newest_state(const steps *s)
{
    enum { MOST = 64 };
    uint64_t all[MOST];
    size_t n = list_states(s, all, MOST);
    for (size_t i = 0; i < n; i++) {
        bool results = false;
        tsr_status why = {0};
        if (all[i] != s->loop || !check_note(s, all[i], &results, &why) || results)
            return all[i];
    }
    return 0;
}

static bool read_state(const steps *s, tsr_ctx *ctx, const tsr_type *type, tsr_tensor **in,
                       tsr_tensor **out, tsr_status *status)
{
    bool results, ok = check_note(s, s->first, &results, status);
    for (size_t i = 0; ok && i < s->feeds.n; i++)
        ok = read_shards(s, ctx, false, s->feeds.data[i].in, type->types[s->feeds.data[i].in], in,
                         status);
    return ok && (!steps_done(s) || read_results(s, ctx, type, in, out, status));
}

bool steps_done(const steps *s)
{
    return s->loop && s->first == s->loop;
}

bool steps_resume(steps *s, tsr_ctx *ctx, const tsr_type *type, tsr_tensor **in, tsr_tensor **out,
                  tsr_status *status)
{
    if (!s->resume)
        return true;
    s->first = newest_state(s);
    TSR_TRY(all_are(s, true, &s->first, status)); /* ranks look at the folder at different times */
    bool ok = !s->first || read_state(s, ctx, type, in, out, status);
    TSR_TRY(all_are(s, ok, NULL, status));
    return s->first <= s->loop ||
           tsr_status_set(status, TSR_BAD_INPUT,
                          "--resume: '%s' has the state after %llu steps, and --loop=%llu wants "
                          "fewer",
                          s->folder, (unsigned long long)s->first, (unsigned long long)s->loop);
}

/* ---- Steps ---- */

/* A result whose sharding differs from the argument's: assembled and sharded again. */
static bool feed_whole(const steps *s, feed f, tsr_tensor **in, tsr_tensor **out,
                       tsr_status *status)
{
    size_t n = tsr_parts_devices(s->local->run);
    tsr_tensor **parts = tsr_xmalloc((n + 1) * sizeof *parts), *whole = NULL;
    tsr_parts_run run = *s->local->run;
    tsr_here one = *s->local;
    one.run = &run;
    one.first_out = f.out;
    run.out = &s->local->run->out[f.out];
    for (size_t d = 0; d < n; d++)
        parts[d] = out[d * s->nout + f.out] ? tsr_tensor_ref(out[d * s->nout + f.out]) : NULL;
    bool ok = tsr_here_gather(&one, parts, 1, -1, status) &&
              tsr_here_join(&one, parts, 1, &whole, status);
    for (uint32_t d = one.first; ok && d < one.last; d++)
        tsr_tensor_unref(in[d * s->nin + f.in]);
    ok = ok && tsr_here_cut(s->local, &s->local->run->in[f.in], whole, in + f.in, s->nin, status);
    for (size_t d = 0; d < n; d++)
        tsr_tensor_unref(parts[d]);
    tsr_tensor_unref(whole);
    tsr_free(parts);
    return ok;
}

static bool feed_parts(const steps *s, feed f, tsr_tensor **in, tsr_tensor **out,
                       tsr_status *status)
{
    const tsr_here *l = s->local;
    if (l && !is_laid_out_alike(&l->run->out[f.out], &l->run->in[f.in]))
        return feed_whole(s, f, in, out, status);
    for (uint32_t d = l ? l->first : 0; d < (l ? l->last : 1); d++) {
        tsr_tensor **t = &in[d * s->nin + f.in];
        tsr_tensor_unref(*t);
        *t = tsr_tensor_ref(out[d * s->nout + f.out]);
    }
    return true;
}

bool steps_next(steps *s, uint64_t step, tsr_tensor **in, tsr_tensor **out, tsr_status *status)
{
    uint64_t next = step + 1;
    for (size_t i = 0; i < s->feeds.n; i++)
        TSR_TRY(feed_parts(s, s->feeds.data[i], in, out, status));
    bool due = next == s->loop || (s->every && next % s->every == 0);
    if (s->folder && !s->quiet && due)
        TSR_TRY(write_state(s, next, in, out, status));
    return next < s->loop;
}
