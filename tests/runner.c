/* SPDX-License-Identifier: Apache-2.0 */
/* runner.c - runs the RUN lines of test files; called as FileCheck or not it is those tools.
 *
 *   runner [--bin DIR] [--jobs N] [--timeout SECONDS] [--verbose] [--without WORD]... FILE|FOLDER...
 *
 * --without leaves out tests that have the word, such as the name of a dialect that a build has not.
 * Folders are searched for .mlir and .test files; those under seeds, corpus, conformance, goldens and Inputs are data, not
 * tests. Each test is a process group of its own, so that one that hangs can be ended with all that it started. */
#include "runner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SANITIZER_EXIT = 99 };

typedef struct {
    char **items;
    size_t n;
} list;

typedef struct {
    pid_t pid;
    size_t test;
    double deadline;
    bool killed;
} job;

static char *join(const char *a, const char *b, const char *c)
{
    size_t n = strlen(a) + strlen(b) + strlen(c) + 1;
    char *s = malloc(n);
    if (!s)
        abort();
    snprintf(s, n, "%s%s%s", a, b, c);
    return s;
}

static void list_add(list *l, char *s)
{
    l->items = realloc(l->items, (l->n + 1) * sizeof *l->items);
    if (!l->items)
        abort();
    l->items[l->n++] = s;
}

static void list_free(list *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->items[i]);
    free(l->items);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n > m && !strcmp(s + n - m, end);
}

/* ---- finding tests ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void find_tests(const char *folder, list *out)
{
    static const char *const data[] = {"seeds",  "corpus",  "conformance",
                                       "Inputs", "goldens", "fuzz"};
    DIR *d = opendir(folder);
    if (!d)
        return;
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        bool skip = false;
        for (size_t i = 0; i < sizeof data / sizeof *data; i++)
            skip |= !strcmp(e->d_name, data[i]);
        char *path = join(folder, "/", e->d_name);
        struct stat st;
        if (stat(path, &st) == 0 && S_ISDIR(st.st_mode) && !skip)
            find_tests(path, out);
        if (ends_with(path, ".mlir") || ends_with(path, ".test"))
            list_add(out, path);
        else
            free(path);
    }
    closedir(d);
}

/* Joins the RUN lines that a backslash continues. *xfail: the file says that it must fail. */
static bool read_runs(const char *path, list *out, bool *xfail)
{
    FILE *f = fopen(path, "r");
    char *line = NULL, *pending = NULL;
    size_t room = 0;
    ssize_t len;
    if (!f)
        return false;
    while ((len = getline(&line, &room, f)) >= 0) {
        char *run = strstr(line, "RUN:"), *comment = strstr(line, "//");
        if (!comment)
            comment = strchr(line, '#');
        if (strstr(line, "// XFAIL: *"))
            *xfail = true;
        if (!run || !comment || comment > run ||
            strspn(comment, "/# \t") != (size_t)(run - comment))
            continue;
        run += 4;
        run += strspn(run, " \t");
        size_t n = strlen(run);
        while (n && strchr(" \t\r\n", run[n - 1]))
            run[--n] = 0;
        bool more = n && run[n - 1] == '\\';
        if (more)
            run[n - 1] = ' ';
        char *whole = pending ? join(pending, "", run) : join(run, "", "");
        free(pending);
        pending = NULL;
        if (more)
            pending = whole;
        else
            list_add(out, whole);
    }
    if (pending)
        list_add(out, pending);
    free(line);
    fclose(f);
    return true;
}

/* ---- one test ---- */

/* %s the file, %S its folder, %t a name for temporary files, %T their folder, %% a percent sign */
static char *substitute(const char *command, const char *path, const char *tmp)
{
    char *out = join("", "", "");
    size_t len = 0;
    for (const char *p = command; *p; p++) {
        const char *with = NULL;
        size_t n = 0;
        if (*p == '%') {
            switch (p[1]) {
            case 's': with = path, n = strlen(path); break;
            case 'S': with = path, n = (size_t)(strrchr(path, '/') - path); break;
            case 't': with = tmp, n = strlen(tmp); break;
            case 'T': with = tmp, n = (size_t)(strrchr(tmp, '/') - tmp); break;
            case '%': with = "%", n = 1; break;
            }
        }
        if (with)
            p++;
        else
            with = p, n = 1;
        out = realloc(out, len + n + 1);
        if (!out)
            abort();
        memcpy(out + len, with, n);
        out[len += n] = 0;
    }
    return out;
}

static int run_command(const char *command)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        char *strict = join("set -o pipefail; ", command, "");
        execlp("bash", "bash", "-c", strict, (char *)NULL);
        execlp("sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Runs in a process of its own, with its output in a log. */
static int run_test(const char *name, const char *scratch)
{
    list runs = {0};
    bool xfail = false;
    char *path = realpath(name, NULL);
    int code = 0;
    if (!path || !read_runs(path, &runs, &xfail)) {
        printf("cannot read it\n");
        return 1;
    }
    if (!runs.n) {
        printf("no RUN line\n");
        code = 1;
    }
    if (chdir(scratch))
        return 1;
    char *tmp = join(scratch, "/", "test.tmp");
    for (size_t i = 0; i < runs.n && !code; i++) {
        char *command = substitute(runs.items[i], path, tmp);
        code = run_command(command);
        if (code)
            printf("$ %s\nexit code %d\n", runs.items[i], code);
        free(command);
    }
    if (xfail && !code)
        printf("passes, but says XFAIL\n");
    free(tmp);
    free(path);
    list_free(&runs);
    return xfail ? !code : code;
}

static pid_t start_test(const char *name, const char *scratch)
{
    char *log = join(scratch, ".log", "");
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644), null = open("/dev/null", O_RDONLY);
        if (fd < 0 || null < 0)
            _exit(1);
        dup2(null, 0), dup2(fd, 1), dup2(fd, 2);
        mkdir(scratch, 0755);
        int code = run_test(name, scratch);
        fflush(stdout);
        _exit(code != 0);
    }
    setpgid(pid, pid);
    free(log);
    return pid;
}

static void show_log(const char *scratch)
{
    char *log = join(scratch, ".log", ""), line[4096];
    FILE *f = fopen(log, "r");
    for (int n = 0; f && fgets(line, sizeof line, f); n++) {
        if (n == 60) {
            printf("    ...\n");
            break;
        }
        printf("    %s", line);
        if (!strchr(line, '\n'))
            printf("\n");
    }
    if (f)
        fclose(f);
    free(log);
}

/* ---- all tests ---- */

static void remove_tree(const char *path)
{
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        char *p = join(path, "/", e->d_name);
        struct stat st;
        if (lstat(p, &st) == 0 && S_ISDIR(st.st_mode))
            remove_tree(p);
        else
            unlink(p);
        free(p);
    }
    if (d)
        closedir(d);
    rmdir(path);
}

static char *scratch_of(const char *root, size_t test)
{
    char number[32];
    snprintf(number, sizeof number, "%zu", test);
    return join(root, "/", number);
}

static bool has_word(const char *path, const list *words)
{
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    while (f && !found && getline(&line, &room, f) >= 0)
        for (size_t i = 0; i < words->n; i++)
            found |= strstr(line, words->items[i]) != NULL;
    free(line);
    if (f)
        fclose(f);
    return found;
}

/* Removes tests that have one of the words; returns how many. */
static size_t leave_out(list *tests, const list *words)
{
    size_t kept = 0, n = tests->n;
    for (size_t i = 0; i < n; i++) {
        if (has_word(tests->items[i], words))
            free(tests->items[i]);
        else
            tests->items[kept++] = tests->items[i];
    }
    tests->n = kept;
    return n - kept;
}

static void run_all(const list *tests, const char *root, int njob, double timeout, bool verbose,
                    int *passed, int *failed)
{
    job *jobs = calloc((size_t)njob, sizeof *jobs);
    size_t next = 0;
    int running = 0;
    if (!jobs)
        abort();
    while (next < tests->n || running) {
        bool progress = false;
        for (int i = 0; i < njob; i++) {
            job *j = &jobs[i];
            if (!j->pid && next < tests->n) {
                char *scratch = scratch_of(root, next);
                *j = (job){start_test(tests->items[next], scratch), next, now() + timeout, false};
                free(scratch);
                next++, running++;
                progress = true;
            }
            int status;
            if (!j->pid)
                continue;
            if (waitpid(j->pid, &status, WNOHANG) == 0) {
                if (!j->killed && now() > j->deadline) {
                    kill(-j->pid, SIGKILL);
                    j->killed = true;
                }
                continue;
            }
            kill(-j->pid, SIGKILL); /* what it may have left in the background */
            bool ok = !j->killed && WIFEXITED(status) && WEXITSTATUS(status) == 0;
            *(ok ? passed : failed) += 1;
            if (!ok || verbose)
                printf("%s %s%s\n", ok ? "PASS" : "FAIL", tests->items[j->test],
                       j->killed ? ": no answer in time" : "");
            if (!ok) {
                char *scratch = scratch_of(root, j->test);
                show_log(scratch);
                free(scratch);
            }
            j->pid = 0, running--;
            progress = true;
        }
        if (!progress)
            nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
    free(jobs);
}

/* Our tools first, then FileCheck and not; a sanitizer's report must not look like a plain failure. */
static void set_environment(const char *bin)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = 0;
    char *full = bin ? realpath(bin, NULL) : NULL;
    char *tools = full ? join(full, ":", self) : join(self, "", "");
    char *path = join(tools, ":", getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
    setenv("PATH", path, 1);
    setenv("ASAN_OPTIONS", "abort_on_error=1:exitcode=99", 0);
    setenv("LSAN_OPTIONS", "exitcode=99", 0);
    setenv("UBSAN_OPTIONS", "abort_on_error=1:print_stacktrace=1:exitcode=99", 0);
    free(path);
    free(tools);
    free(full);
}

static int runner_main(int argc, char **argv)
{
    const char *bin = NULL;
    long njob = sysconf(_SC_NPROCESSORS_ONLN);
    double timeout = 60;
    bool verbose = false;
    list tests = {0}, words = {0};
    for (int i = 1; i < argc; i++) {
        struct stat st;
        if (!strcmp(argv[i], "--bin") && i + 1 < argc)
            bin = argv[++i];
        else if (!strcmp(argv[i], "--jobs") && i + 1 < argc)
            njob = atol(argv[++i]);
        else if (!strcmp(argv[i], "--timeout") && i + 1 < argc)
            timeout = atof(argv[++i]);
        else if (!strcmp(argv[i], "--without") && i + 1 < argc)
            list_add(&words, join(argv[++i], "", ""));
        else if (!strcmp(argv[i], "--verbose"))
            verbose = true;
        else if (argv[i][0] == '-' || stat(argv[i], &st)) {
            fprintf(stderr, "runner: %s: no such %s\n", argv[i],
                    argv[i][0] == '-' ? "option" : "file");
            return 2;
        } else if (S_ISDIR(st.st_mode))
            find_tests(argv[i], &tests);
        else
            list_add(&tests, join(argv[i], "", ""));
    }
    size_t nleft = leave_out(&tests, &words);
    list_free(&words);
    if (nleft)
        printf("%zu tests left out\n", nleft);
    if (tests.n)
        qsort(tests.items, tests.n, sizeof *tests.items, by_name);
    set_environment(bin);
    char *root = join(getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", "/", "tessera-test-XXXXXX");
    if (!mkdtemp(root)) {
        fprintf(stderr, "runner: %s: %s\n", root, strerror(errno));
        return 3;
    }
    int passed = 0, failed = 0;
    run_all(&tests, root, njob > 0 ? (int)njob : 1, timeout, verbose, &passed, &failed);
    remove_tree(root);
    free(root);
    list_free(&tests);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

/* not [--crash] COMMAND: success when the command fails; a crash is no failure, unless it is asked for. */
static int not_main(int argc, char **argv)
{
    bool crash = argc > 1 && !strcmp(argv[1], "--crash");
    char **command = argv + 1 + crash;
    if (argc < 2 + crash)
        return 2;
    pid_t pid = fork();
    if (pid == 0) {
        execvp(command[0], command);
        fprintf(stderr, "not: %s: %s\n", command[0], strerror(errno));
        _exit(127);
    }
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    bool died =
        !WIFEXITED(status) || WEXITSTATUS(status) >= 126 || WEXITSTATUS(status) == SANITIZER_EXIT;
    if (crash)
        return WIFSIGNALED(status) ? 0 : 1;
    if (died) {
        fprintf(stderr, "not: %s crashed or did not start\n", command[0]);
        return 1;
    }
    return WEXITSTATUS(status) == 0;
}

int main(int argc, char **argv)
{
    const char *name = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
    if (!strcmp(name, "FileCheck"))
        return filecheck_main(argc, argv);
    if (!strcmp(name, "not"))
        return not_main(argc, argv);
    return runner_main(argc, argv);
}
