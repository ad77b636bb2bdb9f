/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - how work grows with a module: each shape of modules with each family of work, at a size and its double.
 *
 *     growth [--quick] [--table FILE] [--shapes a,b] [--families a,b] [--scale K] [--jobs J] [--time] [--bytes]
 *     growth --write SHAPE N                 the module of a shape
 *     growth --measure SHAPE COUNTER N LIST  for growth itself: one shape, in a process of its own
 *
 * Instructions are counted, not seconds: by the processor where the system lets us, else by valgrind; and bytes, the most
 * memory that the work holds, at BYTES_SCALE times the size. What the work costs on the shape of size 1 is taken off;
 * what is left may grow by LIMIT when the size doubles. --time is a quick look with the clock, and fails nothing;
 * --bytes counts memory alone, which is quick too.
 * VALGRIND names the program, if it is not in the path; one that lies in a folder also wants VALGRIND_LIB.
 * Work that shapes.def says is not for a shape is tried without counting, and must refuse the shape. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "growth.h"

#define LIMIT 2.4

enum {
    BYTES_SCALE =
        4,      /* memory comes in chunks, so that it says something only when it is not little */
    WORST = 20, /* cells that are listed with their counts */
};

/* What is counted. A cell says nothing if it is below small at the double size. */
typedef enum { INSTRUCTIONS, BYTES, NMEASURES } measure_kind;
static const struct {
    const char *name;
    uint64_t small;
} measures[NMEASURES] = {{"instructions", 200000}, {"bytes", 8 << 20}};

typedef struct {
    uint64_t count[3]; /* at sizes 1, n, 2n */
    bool seen[3], refused;
    char why[200];
} cell;

typedef struct {
    counter by;
    const char *self, *table;
    char shapes[1000], families[1000]; /* with spaces between; empty: all */
    long scale, jobs;
    bool quick, only_bytes;
    char tmp[64];
    cell *cells; /* by measure, shape and family */
    int passed, failed, natural;
} growth;

static bool is_natural(int s, int f)
{
    for (int i = 0; i < nnatures; i++)
        if (has_word(natures[i].shapes, shapes[s].name) &&
            has_word(natures[i].families, families[f].name))
            return true;
    return false;
}

static cell *at(const growth *g, measure_kind k, int s, int f)
{
    return &g->cells[((int)k * nshapes + s) * nfamilies + f];
}

static bool wants(const char *words, const char *name)
{
    return !*words || has_word(words, name);
}

static long size_of(const growth *g, measure_kind k, const shape *s)
{
    long n = (g->quick ? (s->n + 3) / 4 : s->n * g->scale) * (k == BYTES ? BYTES_SCALE : 1);
    return s->most && 2 * n > s->most ? s->most / 2 : n;
}

/* ---- One shape, in a process of its own ---- */

static void path_of(const growth *g, measure_kind k, const shape *s, const char *end, char out[200])
{
    snprintf(out, 200, "%s/%s.%s%s", g->tmp, s->name, measures[k].name, end);
}

static const char *valgrind(void)
{
    const char *named = getenv("VALGRIND");
    return named && *named ? named : "valgrind";
}

static pid_t start(const growth *g, measure_kind k, const shape *s)
{
    counter with = k == BYTES ? BY_BYTES : g->by;
    char out[200], path[200], counts[240], n[32], by[8];
    path_of(g, k, s, ".out", out);
    path_of(g, k, s, ".counts", path);
    snprintf(counts, sizeof counts, "--callgrind-out-file=%s", path);
    snprintf(n, sizeof n, "%ld", size_of(g, k, s));
    snprintf(by, sizeof by, "%d", (int)with);
    fflush(stdout);
    pid_t pid = fork();
    if (pid)
        return pid;
    if (!freopen(out, "w", stdout) || !freopen("/dev/null", "w", stderr))
        _exit(3);
    if (with == BY_VALGRIND)
        execlp(valgrind(), "valgrind", "-q", "--tool=callgrind", "--combine-dumps=yes",
               "--dump-line=no", counts, g->self, "--measure", s->name, by, n, g->families,
               (char *)NULL);
    else
        execl(g->self, g->self, "--measure", s->name, by, n, g->families, (char *)NULL);
    _exit(3);
}

/* The cell that "shape family size" names, and the size. */
static cell *cell_of(const growth *g, measure_kind k, const char *label, int *which, int *end)
{
    char shape_name[64], family_name[64];
    if (sscanf(label, "%63s %63s %d%n", shape_name, family_name, which, end) != 3 || *which < 0 ||
        *which > 2)
        return NULL;
    for (int s = 0; s < nshapes; s++)
        for (int f = 0; f < nfamilies; f++)
            if (!strcmp(shapes[s].name, shape_name) && !strcmp(families[f].name, family_name))
                return at(g, k, s, f);
    return NULL;
}

static void read_output(growth *g, measure_kind k, const shape *s)
{
    char path[200], line[1000];
    path_of(g, k, s, ".out", path);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        int which, end;
        cell *c = cell_of(g, k, line, &which, &end);
        if (!c)
            continue;
        line[strcspn(line, "\n")] = 0;
        static const char said[] = "refused: ";
        char *refused = strstr(line + end, said);
        if (refused) {
            c->refused = true;
            snprintf(c->why, sizeof c->why, "%.190s", refused + sizeof said - 1);
        } else {
            c->seen[which] = true;
            if (k == BYTES || g->by != BY_VALGRIND)
                c->count[which] = strtoull(line + end, NULL, 10);
        }
    }
    if (f)
        fclose(f);
}

/* Callgrind's file has a part for each label, and in it the sum. */
static void read_counts(growth *g, const shape *s)
{
    static const char trigger[] = "desc: Trigger: Client Request: ", totals[] = "totals: ";
    char path[200], line[1000];
    int which = 0, end;
    cell *c = NULL;
    path_of(g, INSTRUCTIONS, s, ".counts", path);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        if (!strncmp(line, trigger, sizeof trigger - 1)) {
            c = cell_of(g, INSTRUCTIONS, line + sizeof trigger - 1, &which, &end);
        } else if (c && !strncmp(line, totals, sizeof totals - 1)) {
            c->count[which] = strtoull(line + sizeof totals - 1, NULL, 10);
            c = NULL;
        }
    }
    if (f)
        fclose(f);
}

static void finish(growth *g, measure_kind k, const shape *s, int status)
{
    char path[200];
    read_output(g, k, s);
    if (k == INSTRUCTIONS && g->by == BY_VALGRIND)
        read_counts(g, s);
    if (!WIFEXITED(status) || WEXITSTATUS(status)) {
        printf("FAIL %s: its process ended with %s %d\n", s->name,
               WIFEXITED(status) ? "code" : "signal",
               WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        g->failed++;
    }
    path_of(g, k, s, ".out", path);
    unlink(path);
    path_of(g, k, s, ".counts", path);
    unlink(path);
}

/* Each measure of each shape is a process. */
static void run_all(growth *g)
{
    int njobs = NMEASURES * nshapes;
    pid_t *pids = calloc((size_t)njobs, sizeof *pids);
    long running = 0;
    for (int next = g->only_bytes ? BYTES * nshapes : 0; pids && (next < njobs || running);) {
        for (; next < njobs && running < g->jobs; next++) {
            const shape *s = &shapes[next % nshapes];
            if (wants(g->shapes, s->name) &&
                (pids[next] = start(g, (measure_kind)(next / nshapes), s)) > 0)
                running++;
        }
        int status = 0;
        pid_t done = running ? waitpid(-1, &status, 0) : 0;
        for (int job = 0; done > 0 && job < njobs; job++)
            if (pids[job] == done) {
                pids[job] = 0;
                running--;
                finish(g, (measure_kind)(job / nshapes), &shapes[job % nshapes], status);
            }
    }
    free(pids);
}

/* ---- Judging ---- */

static double ratio(const cell *c)
{
    double once = (double)c->count[1] - (double)c->count[0],
           twice = (double)c->count[2] - (double)c->count[0];
    return once > 0 ? twice / once : 0;
}

static bool is_measured(const cell *c)
{
    return c->seen[0] && c->seen[1] && c->seen[2] && !c->refused;
}

static bool is_small(measure_kind k, const cell *c)
{
    return c->count[2] < c->count[0] + measures[k].small || c->count[1] <= c->count[0];
}

static void judge_cell(growth *g, measure_kind k, int s, int f)
{
    const cell *c = at(g, k, s, f);
    bool timed = k == INSTRUCTIONS && g->by == BY_TIME;
    bool above = !timed && !is_small(k, c) && ratio(c) > LIMIT;
    bool good = is_measured(c) && (!above || is_natural(s, f));
    g->natural += good && above;
    g->passed += good;
    g->failed += !good;
    if (!good && is_measured(c))
        printf("FAIL %s, %s: %s grow by %.2f from size %ld to its double: %llu, %llu, %llu\n",
               shapes[s].name, families[f].name, measures[k].name, ratio(c),
               size_of(g, k, &shapes[s]), (unsigned long long)c->count[0],
               (unsigned long long)c->count[1], (unsigned long long)c->count[2]);
    else if (!good)
        printf("FAIL %s, %s, %s: %s%s\n", shapes[s].name, families[f].name, measures[k].name,
               c->refused ? "refused: " : "not done", c->why);
}

/* Work that is not for the shape must have refused it. */
static void judge_refused(growth *g, int s, int f)
{
    bool good = at(g, BYTES, s, f)->refused;
    g->passed += good;
    g->failed += !good;
    if (!good)
        printf("FAIL %s, %s: it is done, and shapes.def says that it is not for the shape\n",
               shapes[s].name, families[f].name);
}

static void judge(growth *g)
{
    for (int s = 0; s < nshapes; s++)
        for (int f = 0; f < nfamilies; f++) {
            if (!wants(g->shapes, shapes[s].name) || !wants(g->families, families[f].name) ||
                is_left_out(&shapes[s], &families[f]))
                continue;
            if (has_word(shapes[s].refused, families[f].name))
                judge_refused(g, s, f);
            else
                for (int k = g->only_bytes ? BYTES : 0; k < NMEASURES; k++)
                    judge_cell(g, (measure_kind)k, s, f);
        }
}

/* ---- The document ---- */

static int worse(const void *a, const void *b)
{
    double x = ratio(*(const cell *const *)a), y = ratio(*(const cell *const *)b);
    return (x < y) - (x > y);
}

static void write_worst(const growth *g, measure_kind m, FILE *out)
{
    const cell **list = calloc((size_t)(nshapes * nfamilies), sizeof *list);
    const cell *cells = at(g, m, 0, 0);
    int n = 0;
    for (int i = 0; list && i < nshapes * nfamilies; i++)
        if (is_measured(&cells[i]) && !is_small(m, &cells[i]))
            list[n++] = &cells[i];
    qsort(list, (size_t)n, sizeof *list, worse);
    fprintf(out, "\n### What grows most\n\nAt size 1, at the size, and at its double.\n\n"
                 "| shape | work | size | at 1 | at the size | at the double | growth |\n"
                 "| --- | --- | ---: | ---: | ---: | ---: | ---: |\n");
    for (int i = 0; i < n && i < WORST; i++) {
        long k = list[i] - cells;
        const shape *s = &shapes[k / nfamilies];
        fprintf(out, "| %s | %s | %ld | %llu | %llu | %llu | %.2f |\n", s->name,
                families[k % nfamilies].name, size_of(g, m, s),
                (unsigned long long)list[i]->count[0], (unsigned long long)list[i]->count[1],
                (unsigned long long)list[i]->count[2], ratio(list[i]));
    }
    free(list);
}

static void write_matrix(const growth *g, measure_kind k, FILE *out, int first, int end)
{
    fprintf(out, "\n| shape |");
    for (int f = first; f < end; f++)
        fprintf(out, " %s |", families[f].name);
    fprintf(out, "\n| --- |");
    for (int f = first; f < end; f++)
        fprintf(out, " ---: |");
    for (int s = 0; s < nshapes; s++) {
        fprintf(out, "\n| %s |", shapes[s].name);
        for (int f = first; f < end; f++) {
            const cell *c = at(g, k, s, f);
            if (!is_measured(c))
                fprintf(out, " |");
            else if (is_small(k, c))
                fprintf(out, " . |");
            else
                fprintf(out, is_natural(s, f) ? " (%.2f) |" : " %.2f |", ratio(c));
        }
    }
    fprintf(out, "\n");
}

static void write_measure(const growth *g, measure_kind k, FILE *out)
{
    enum { COLUMNS = 11 };
    for (int f = 0; f < nfamilies; f += COLUMNS)
        write_matrix(g, k, out, f, f + COLUMNS < nfamilies ? f + COLUMNS : nfamilies);
    write_worst(g, k, out);
}

/* For each shape: the words with which work refuses it, and the work. */
static void write_refused(const growth *g, FILE *out)
{
    fprintf(out, "\n## Refused\n\nWork that is not for a shape, and what it says.\n\n"
                 "| shape | work | what it says |\n| --- | --- | --- |\n");
    for (int s = 0; s < nshapes; s++)
        for (int f = 0; f < nfamilies; f++) {
            const cell *c = at(g, BYTES, s, f);
            bool first = c->refused;
            for (int e = 0; e < f && first; e++)
                first =
                    !at(g, BYTES, s, e)->refused || strcmp(at(g, BYTES, s, e)->why, c->why) != 0;
            if (!first)
                continue;
            fprintf(out, "| %s | %s", shapes[s].name, families[f].name);
            for (int e = f + 1; e < nfamilies; e++)
                if (at(g, BYTES, s, e)->refused && !strcmp(at(g, BYTES, s, e)->why, c->why))
                    fprintf(out, ", %s", families[e].name);
            fprintf(out, " | `%.100s%s` |\n", c->why, strlen(c->why) > 100 ? "..." : "");
        }
}

static void write_natures(FILE *out)
{
    fprintf(out, "\n## Above the limit by nature\n\nIn parentheses above.\n\n"
                 "| shapes | larger ones, not done | work | why |\n| --- | --- | --- | --- |\n");
    for (int i = 0; i < nnatures; i++)
        fprintf(out, "| %s | %s | %s | %s |\n", natures[i].shapes, natures[i].larger,
                natures[i].families, natures[i].why);
}

static void write_table(const growth *g, FILE *out)
{
    fprintf(out,
            "# Growth\n\nMade by `make growth`; do not edit. How many more instructions and bytes "
            "of memory it takes when a module is twice\nas large, by shape of module and kind of "
            "work. What the work costs on the shape of size 1 is taken off. Above %.1f the\ntest "
            "fails; linear work has 2. A point: too few to tell. Empty: the work does not apply to "
            "the shape, and refuses it.\n\n%d numbers, %d above the limit or not done, %d above it "
            "by nature.\n\n"
            "## Instructions\n\nCounted by %s. A point: fewer than %llu.\n",
            LIMIT, g->passed + g->failed, g->failed, g->natural,
            g->by == BY_PERF ? "the processor" : "valgrind",
            (unsigned long long)measures[INSTRUCTIONS].small);
    write_measure(g, INSTRUCTIONS, out);
    fprintf(out,
            "\n## Bytes\n\nThe most that the library holds, the module included, with modules of "
            "%d times the size. A point: fewer than %llu, since memory comes in chunks of up to a "
            "megabyte, and a\nbuffer that is full becomes half as large again or twice.\n",
            BYTES_SCALE, (unsigned long long)measures[BYTES].small);
    write_measure(g, BYTES, out);
    write_natures(out);
    write_refused(g, out);
    fprintf(out, "\n## Shapes\n\n| shape | size | what it is |\n| --- | ---: | --- |\n");
    for (int s = 0; s < nshapes; s++)
        fprintf(out, "| %s | %ld | %s |\n", shapes[s].name, size_of(g, INSTRUCTIONS, &shapes[s]),
                shapes[s].about);
    fprintf(out, "\n## Work\n\n| name | passes, or what else it is |\n| --- | --- |\n");
    for (int f = 0; f < nfamilies; f++)
        fprintf(out, "| %s | %s%s%s |\n", families[f].name, families[f].kind == PASSES ? "`" : "",
                families[f].detail, families[f].kind == PASSES ? "`" : "");
}

/* ---- Options ---- */

static bool has_program(const char *name)
{
    char command[5000];
    snprintf(command, sizeof command, "command -v '%s' >/dev/null 2>&1", name);
    return system(command) == 0;
}

/* Valgrind gives up where it does not know the debugging information of a newer compiler. */
static bool can_count(const growth *g)
{
    char command[10000];
    snprintf(command, sizeof command,
             "'%s' -q --tool=callgrind --callgrind-out-file=/dev/null '%s' --write chain 1 "
             ">/dev/null 2>&1",
             valgrind(), g->self);
    return system(command) == 0;
}

/* NULL: there is a counter; else why there is none. */
static const char *choose_counter(growth *g)
{
    if (g->by == BY_TIME || g->only_bytes)
        return NULL;
    if (perf_open()) {
        g->by = BY_PERF;
        return NULL;
    }
    g->by = BY_VALGRIND;
    if (sanitized())
        return "the processor counts nothing for us, and valgrind cannot run what is built with "
               "sanitizers";
    if (!valgrind_known())
        return "the processor counts nothing for us, and there was no header of valgrind to "
               "compile with";
    if (!has_program(valgrind()))
        return "the processor counts nothing for us, and there is no valgrind";
    return can_count(g) ? NULL
                        : "the processor counts nothing for us, and this valgrind cannot read "
                          "what this compiler writes";
}

static void set_words(char out[1000], const char *list)
{
    snprintf(out, 1000, "%s", list);
    for (char *c = out; *c; c++)
        if (*c == ',')
            *c = ' ';
}

static const shape *find_shape(const char *name)
{
    for (int s = 0; s < nshapes; s++)
        if (!strcmp(shapes[s].name, name))
            return &shapes[s];
    fprintf(stderr, "growth: no shape '%s'\n", name);
    exit(2);
}

static void read_options(growth *g, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "--quick")) {
            g->quick = true;
            set_words(g->shapes, QUICK_SHAPES);
            set_words(g->families, QUICK_FAMILIES);
        } else if (!strcmp(argv[i], "--time")) {
            g->by = BY_TIME;
        } else if (!strcmp(argv[i], "--bytes")) {
            g->only_bytes = true;
        } else if (!strcmp(argv[i], "--table")) {
            g->table = argv[++i];
        } else if (!strcmp(argv[i], "--shapes")) {
            set_words(g->shapes, argv[++i]);
        } else if (!strcmp(argv[i], "--families")) {
            set_words(g->families, argv[++i]);
        } else if (!strcmp(argv[i], "--scale") && atol(value) > 0) {
            g->scale = atol(argv[++i]);
        } else if (!strcmp(argv[i], "--jobs") && atol(value) > 0) {
            g->jobs = atol(argv[++i]);
        } else {
            fprintf(stderr, "growth: what is '%s'?\n", argv[i]);
            exit(2);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "--write")) {
        find_shape(argv[2])->write(stdout, atol(argv[3]));
        return 0;
    }
    if (argc == 6 && !strcmp(argv[1], "--measure")) {
        counter by = (counter)atoi(argv[3]);
        return by == BY_PERF && !perf_open()
                   ? 3
                   : measure(find_shape(argv[2]), by, atol(argv[4]), argv[5]);
    }
    growth g = {.by = BY_PERF, .self = argv[0], .scale = 1, .jobs = sysconf(_SC_NPROCESSORS_ONLN)};
    read_options(&g, argc, argv);
    const char *why = choose_counter(&g);
    if (why) {
        printf("skipped: %s\n", why);
        return 0;
    }
    strcpy(g.tmp, "/tmp/growthXXXXXX");
    g.cells = calloc((size_t)(NMEASURES * nshapes * nfamilies), sizeof *g.cells);
    if (!mkdtemp(g.tmp) || !g.cells)
        return 3;
    run_all(&g);
    rmdir(g.tmp);
    judge(&g);
    FILE *out = g.table ? fopen(g.table, "w") : NULL;
    if (out)
        write_table(&g, out);
    if (g.table && (!out || fclose(out))) {
        fprintf(stderr, "growth: %s: %s\n", g.table, strerror(errno));
        return 3;
    }
    if (g.natural)
        printf("%d above the limit by nature\n", g.natural);
    printf("%d passed, %d failed\n", g.passed, g.failed);
    free(g.cells);
    return g.failed ? 1 : 0;
}
