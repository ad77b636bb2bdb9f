/* SPDX-License-Identifier: Apache-2.0 */
/* watch.c - observes a pipeline of `tessera opt`: IR before and after passes, on stderr or in a tree of files;
 * statistics; times. */
#include "base/char.h"
#include "base/decimal.h"
#include "opt.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

/* ---- IR before and after passes ---- */

static bool chosen(const char *const *names, size_t n, const char *pass)
{
    for (size_t i = 0; i < n; i++) {
        for (const char *p = names[i]; *p;) {
            size_t len = strcspn(p, ",");
            if (tsr_str_is(tsr_str_of(p, len), pass))
                return true;
            p += len + (p[len] == ',');
        }
    }
    return false;
}

void print_root(tsr_buf *out, tsr_module *m, tsr_op *op, const tsr_print_options *options)
{
    if (op == m->op) {
        tsr_print_module(out, m, options);
    } else {
        tsr_print_op(out, op, options);
        tsr_buf_char(out, '\n');
    }
}

/* How often passes ran on the op of this path so far. */
static uint32_t *tree_count(opt_config *c, const char *path)
{
    for (size_t i = 0; i < c->tree.n; i++)
        if (strcmp(c->tree.data[i].path, path) == 0)
            return &c->tree.data[i].n;
    size_t len = strlen(path) + 1;
    char *copy = tsr_xmalloc(len);
    memcpy(copy, path, len);
    tsr_vec_push(&c->tree, ((pass_count){copy, 0}));
    return &c->tree.data[c->tree.n - 1].n;
}

static bool make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

/* The folder of an op, builtin_module_no-symbol-name/func_func_main, and the numbers of passes so far on it and on the
 * ops that contain it, which the file name begins with: 0_2_. Names come from the file: characters other than letters
 * become '_'. */
static bool tree_path(opt_config *c, const tsr_op *op, tsr_buf *path, tsr_buf *numbers)
{
    const tsr_op *parent = op->block ? tsr_block_parent(op->block) : NULL;
    if (parent)
        TSR_TRY(tree_path(c, parent, path, numbers));
    else
        tsr_buf_cstr(path, c->tree_dir);
    tsr_str symbol = tsr_op_symbol(op);
    tsr_buf_char(path, '/');
    size_t start = path->len;
    tsr_buf_printf(path, "%.*s_%.*s", TSR_STR_ARG(op->def->name),
                   TSR_STR_ARG(symbol.len ? symbol : TSR_STR("no-symbol-name")));
    enum { LONGEST = 200 };
    if (path->len - start > LONGEST)
        path->len = start + LONGEST;
    for (size_t i = start; i < path->len; i++)
        if (!tsr_is_alnum(path->data[i]) && path->data[i] != '-')
            path->data[i] = '_';
    tsr_buf_char(path, 0);
    path->len--;
    tsr_buf_printf(numbers, "%u_", *tree_count(c, path->data));
    return make_folder(path->data);
}

static void dump_to_tree(opt_config *c, const tsr_pass_info *info, tsr_op *op, tsr_str text)
{
    tsr_buf path = {0}, numbers = {0};
    bool ok = make_folder(c->tree_dir) && tree_path(c, op, &path, &numbers);
    if (ok) {
        ++*tree_count(c, path.data);
        tsr_buf_printf(&path, "/%.*s%s.mlir", TSR_STR_ARG(tsr_buf_text(&numbers)), info->name);
        tsr_buf_char(&path, 0);
        c->failed |= write_output(c->t, path.data, text) != EXIT_OK;
    } else {
        fprintf(stderr, "%s: error: cannot make a folder below '%s': %s\n", c->t->name, c->tree_dir,
                strerror(errno));
        c->failed = true;
    }
    tsr_buf_free(&path);
    tsr_buf_free(&numbers);
}

static void pass_report(void *user, tsr_str text)
{
    (void)user;
    working_hide();
    fwrite(text.data, 1, text.len, stderr);
}

static void dump(opt_config *c, const char *when, const char *suffix, const tsr_pass_info *info,
                 tsr_op *op)
{
    tsr_buf out = {0};
    tsr_buf_printf(&out, "// -----// IR Dump %s ", when);
    bool upper = true; /* strip_debuginfo: StripDebuginfo */
    for (const char *p = info->id; *p; p++) {
        if (*p != '_')
            tsr_buf_char(&out, upper ? tsr_upper(*p) : *p);
        upper = *p == '_';
    }
    tsr_buf_printf(&out, "%s (%s)", suffix, info->name);
    if (c->module_scope) {
        tsr_str symbol = tsr_op_symbol(op);
        tsr_buf_printf(&out, " ('%.*s' operation", TSR_STR_ARG(op->def->name));
        if (symbol.len)
            tsr_buf_printf(&out, ": @%.*s", TSR_STR_ARG(symbol));
        tsr_buf_char(&out, ')');
    }
    tsr_buf_cstr(&out, " //----- //\n");
    print_root(&out, c->module, c->module_scope ? c->module->op : op, &c->print);
    if (c->module_scope || op == c->module->op)
        tsr_buf_char(&out, '\n');
    tsr_buf_char(&out, '\n');
    if (c->tree_dir)
        dump_to_tree(c, info, op, tsr_buf_text(&out));
    else
        pass_report(NULL, tsr_buf_text(&out));
    tsr_buf_free(&out);
}

/* ---- Statistics ---- */

static pass_stats *stats_of(opt_config *c, const tsr_pass_info *info)
{
    for (size_t i = 0; i < c->stats.n; i++)
        if (c->stats.data[i].info == info)
            return &c->stats.data[i];
    tsr_vec_push(&c->stats, (pass_stats){.info = info});
    return &c->stats.data[c->stats.n - 1];
}

static uint64_t count_ops(tsr_op *root)
{
    uint64_t n = 0;
    TSR_OPS (root, op) {
        (void)op;
        n++;
    }
    return n;
}

static int by_pass_name(const void *a, const void *b)
{
    return strcmp(((const pass_stats *)a)->info->name, ((const pass_stats *)b)->info->name);
}

void print_statistics(opt_config *c)
{
    if (c->statistics_list && c->stats.n)
        qsort(c->stats.data, c->stats.n, sizeof *c->stats.data, by_pass_name);
    fputs("\n     runs  changed  ops before  ops after  pass\n", stderr);
    for (size_t i = 0; i < c->stats.n; i++) {
        const pass_stats *s = &c->stats.data[i];
        fprintf(stderr, "  %7llu  %7llu  %10llu  %9llu  %s\n", (unsigned long long)s->runs,
                (unsigned long long)s->changed, (unsigned long long)s->before,
                (unsigned long long)s->after, s->info->name);
    }
}

/* ---- Hooks ---- */

static void before_pass(void *user, const tsr_pass_info *info, tsr_op *op)
{
    opt_config *c = user;
    c->named_ran |= chosen(c->before.data, c->before.n, info->name) ||
                    chosen(c->after.data, c->after.n, info->name);
    if (c->before_all || chosen(c->before.data, c->before.n, info->name))
        dump(c, "Before", "", info, op);
    if (c->statistics)
        stats_of(c, info)->before += count_ops(op);
}

static void after_pass(void *user, const tsr_pass_info *info, tsr_op *op, bool ok, bool changed)
{
    opt_config *c = user;
    bool wanted = c->after_all || chosen(c->after.data, c->after.n, info->name);
    if (!ok ? wanted || c->after_failure
            : wanted && !c->after_failure && (changed || !c->after_change))
        dump(c, "After", ok ? "" : " Failed", info, op);
    if (c->statistics) {
        pass_stats *s = stats_of(c, info);
        s->runs++;
        s->changed += changed;
        s->after += count_ops(op);
    }
}

void watch_start(opt_config *c, tsr_run_options *run)
{
    run->user = c;
    run->before = before_pass;
    run->after = after_pass;
    run->report = pass_report;
    run->clock = c->timing ? wall_seconds : NULL;
}

void watch_free(opt_config *c)
{
    for (size_t i = 0; i < c->tree.n; i++)
        tsr_free(c->tree.data[i].path);
    tsr_vec_free(&c->tree);
    tsr_vec_free(&c->stats);
    tsr_vec_free(&c->before);
    tsr_vec_free(&c->after);
}

/* ---- Times ---- */

typedef struct {
    const char *name;
    double seconds;
} time_row;
typedef TSR_VEC(time_row) time_rows;

static void time_line(int depth, const char *name, double seconds, double total)
{
    fprintf(stderr, "  %s  %s%%  %*s%s\n", tsr_spell('f', 12, 3, seconds * 1e3).text,
            tsr_spell('f', 5, 1, total > 0 ? seconds / total * 100 : 0).text, depth * 2, "", name);
}

static void time_tree(const tsr_pipeline *pl, int depth, double total)
{
    for (size_t i = 0; i < pl->steps.n; i++) {
        const tsr_step *s = &pl->steps.data[i];
        if (s->nested) {
            char name[128];
            snprintf(name, sizeof name, "'%.*s' pipeline", TSR_STR_ARG(s->nested->anchor));
            fprintf(stderr, "  %12s  %6s  %*s%s\n", "", "", depth * 2, "", name);
            time_tree(s->nested, depth + 1, total);
        } else {
            time_line(depth, s->info->name, s->seconds, total);
        }
    }
}

/* One row per pass, however often it runs. */
static void time_list(const tsr_pipeline *pl, time_rows *rows)
{
    for (size_t i = 0; i < pl->steps.n; i++) {
        const tsr_step *s = &pl->steps.data[i];
        size_t at = 0;
        if (s->nested) {
            time_list(s->nested, rows);
            continue;
        }
        while (at < rows->n && strcmp(rows->data[at].name, s->info->name) != 0)
            at++;
        if (at == rows->n)
            tsr_vec_push(rows, ((time_row){s->info->name, 0}));
        rows->data[at].seconds += s->seconds;
    }
}

static int longest_first(const void *a, const void *b)
{
    double x = ((const time_row *)a)->seconds, y = ((const time_row *)b)->seconds;
    return (x < y) - (x > y);
}

void print_times(const opt_config *c, const tsr_pipeline *pl, const tsr_run_options *run)
{
    double total = wall_seconds() - c->start;
    const time_row first[] = {{"read", c->read}, {"parse", c->parse}, {"verify", c->verify}},
                   last[] = {{"verify after passes", run->verify_seconds}, {"print", c->printing}};
    fputs("\n     wall (ms)   share  what\n", stderr);
    if (c->timing_list) {
        time_rows rows = {0};
        for (size_t i = 0; i < TSR_COUNT(first); i++)
            tsr_vec_push(&rows, first[i]);
        time_list(pl, &rows);
        for (size_t i = 0; i < TSR_COUNT(last); i++)
            tsr_vec_push(&rows, last[i]);
        qsort(rows.data, rows.n, sizeof *rows.data, longest_first);
        for (size_t i = 0; i < rows.n; i++)
            time_line(0, rows.data[i].name, rows.data[i].seconds, total);
        tsr_vec_free(&rows);
    } else {
        for (size_t i = 0; i < TSR_COUNT(first); i++)
            time_line(0, first[i].name, first[i].seconds, total);
        time_tree(pl, 0, total);
        for (size_t i = pl->steps.n ? 0 : 1; i < TSR_COUNT(last); i++)
            time_line(0, last[i].name, last[i].seconds, total);
    }
    time_line(0, "total", total, total);
}
