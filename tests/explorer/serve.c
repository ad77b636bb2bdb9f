/* SPDX-License-Identifier: Apache-2.0 */
/* serve.c - the explorer's server from outside: serve TESSERA FILE [FLAGS...]. Starts it, asks it right and wrong, holds connections
 * open, throws mutated requests at it, and ends it with SIGINT.
 *   serve --ask QUESTION TESSERA FILE [FLAGS...]    prints an answer
 *   serve --time QUESTION TESSERA FILE [FLAGS...]   prints what a question takes, there and back */
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../mutate.h"

static int passed, failed;
static unsigned port;

static void check(bool ok, const char *what)
{
    passed += ok;
    failed += !ok;
    if (!ok)
        printf("FAIL %s\n", what);
}

/* ---- The server ---- */

static pid_t start(char **argv, int argc)
{
    int pipes[2];
    char line[256] = "";
    char *words[64];
    int n = 0;
    if (pipe(pipes) != 0)
        return -1;
    words[n++] = argv[0];
    words[n++] = "explore";
    for (int i = 1; i < argc && n < 60; i++)
        words[n++] = argv[i];
    words[n++] = "--serve=0";
    words[n] = NULL;
    pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        dup2(pipes[1], 1);
        close(pipes[0]);
        close(pipes[1]);
        execv(words[0], words);
        _exit(127);
    }
    close(pipes[1]);
    FILE *f = fdopen(pipes[0], "r");
    if (f && fgets(line, sizeof line, f))
        sscanf(line, "http://127.0.0.1:%u/", &port);
    if (f)
        fclose(f);
    return child;
}

static int dial(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct timeval long_enough = {.tv_sec = 300};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &long_enough, sizeof long_enough);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&at, sizeof at) == 0)
        return fd;
    close(fd);
    return -1;
}

typedef struct {
    char *data;
    size_t len;
    int status; /* 0: there is no answer */
} answer;

static answer hear(int fd)
{
    answer a = {.data = malloc(1)};
    char bytes[65536];
    ssize_t n;
    while ((n = recv(fd, bytes, sizeof bytes, 0)) > 0) {
        a.data = realloc(a.data, a.len + (size_t)n + 1);
        memcpy(a.data + a.len, bytes, (size_t)n);
        a.len += (size_t)n;
    }
    a.data[a.len] = 0;
    if (a.len > 12 && memcmp(a.data, "HTTP/1.1 ", 9) == 0)
        a.status = atoi(a.data + 9);
    close(fd);
    return a;
}

static answer ask(const char *bytes, size_t len)
{
    int fd = dial();
    if (fd < 0)
        return (answer){.data = calloc(1, 1)};
    while (len) {
        ssize_t n = send(fd, bytes, len, MSG_NOSIGNAL);
        if (n <= 0)
            break;
        bytes += n;
        len -= (size_t)n;
    }
    return hear(fd);
}

/* A request; PORT in it is the server's. */
static char *with_port(const char *from)
{
    char *out = malloc(strlen(from) * 2 + 16), *to = out;
    for (const char *p = from; *p;)
        if (strncmp(p, "PORT", 4) == 0) {
            to += sprintf(to, "%u", port);
            p += 4;
        } else {
            *to++ = *p++;
        }
    *to = 0;
    return out;
}

static answer plan(const char *question)
{
    char head[256], *all;
    snprintf(head, sizeof head,
             "POST /plan HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nOrigin: http://127.0.0.1:%u\r\n"
             "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
             port, port, strlen(question));
    all = malloc(strlen(head) + strlen(question) + 1);
    strcat(strcpy(all, head), question);
    answer a = ask(all, strlen(all));
    free(all);
    return a;
}

/* ---- What it must do ---- */

static void stop(pid_t child)
{
    int status = -1;
    kill(child, SIGINT);
    check(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0,
          "SIGINT does not end it well");
    check(dial() < 0, "the port is still served");
}

static void expect(int status, const char *request, const char *has)
{
    char *all = with_port(request), what[300];
    answer a = ask(all, strlen(all));
    snprintf(what, sizeof what, "status %d, not %d: %.200s", a.status, status, request);
    check(a.status == status, what);
    check(!has || strstr(a.data, has), has ? has : "");
    free(all);
    free(a.data);
}

static void expect_plan(int status, const char *question, const char *has)
{
    char what[300];
    answer a = plan(question);
    snprintf(what, sizeof what, "status %d, not %d: %.200s", a.status, status, question);
    check(a.status == status, what);
    snprintf(what, sizeof what, "no '%s' in the answer to %.200s", has, question);
    check(strstr(a.data, has), what);
    free(a.data);
}

static void test_requests(void)
{
    expect(200, "GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", "connect-src 'self'");
    expect(200, "GET / HTTP/1.0\r\nHost: localhost:PORT\r\n\r\n", "\"served\":true");
    expect(404, "GET /favicon.ico HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", "Not Found");
    expect(404, "GET /../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", NULL);
    expect(403, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", NULL);
    expect(403, "GET / HTTP/1.1\r\nHost: evil.example:PORT\r\n\r\n", NULL);
    expect(403, "GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nOrigin: http://evil.example\r\n\r\n",
           NULL);
    expect(405, "DELETE / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", NULL);
    expect(400, "nonsense\r\n\r\n", "Bad Request");
    expect(415,
           "POST /plan HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: text/plain\r\n"
           "Content-Length: 2\r\n\r\n{}",
           NULL);
    expect(413, "POST /plan HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 1000000\r\n\r\n",
           NULL);
    expect(501, "POST /plan HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nTransfer-Encoding: chunked\r\n\r\n",
           NULL);
    char *longer = malloc(20001);
    memset(longer, 'a', 20000);
    longer[20000] = 0;
    expect(431, longer, NULL);
    free(longer);
}

static void test_questions(void)
{
    expect_plan(200, "{\"mesh\":\"x=2,y=4\"}", "\"same\":1");
    expect_plan(200, "{\"mesh\":\"x=2,y=4\",\"given\":[[\"argument\",0,\"x,_\"]]}", "\"plan\":");
    expect_plan(200, "{\"mesh\":\"x=2,y=4\",\"given\":[[\"value\",\"%0\",\"x,y\"]]}",
                "[{\\\"x\\\"}, {\\\"y\\\"}]");
    expect_plan(200, "{\"mesh\":\"x=2,y=4\",\"given\":[[\"argument\",0,\"x\"]],\"why\":\"#0\"}",
                "had \\\"x\\\" from the start");
    expect_plan(422, "{\"mesh\":\"x=2,y=4\",\"given\":[[\"argument\",99,\"x\"]]}",
                "there is no argument 99");
    expect_plan(422, "{\"mesh\":\"<script>alert(1)</script>\"}", "\\u003cscript\\u003e");
    expect_plan(422, "{\"mesh\":\"x=2\",\"given\":[[\"value\",\"\\u202e<b>\",\"x\"]]}",
                "\\\\u202E\\u003cb\\u003e");
    expect_plan(422, "{\"mesh\":\"x=99999999999\"}", "\"error\":");
    expect_plan(422, "[]", "a question is an object");
    expect_plan(422, "{\"other\":1}", "and nothing else");
    expect_plan(422, "{\"mesh\":", "no JSON");
}

/* Others get their answers while some say nothing, and all places are taken. */
static void test_slow(void)
{
    int held[48];
    for (int i = 0; i < 48; i++) {
        held[i] = dial();
        if (held[i] >= 0 && i % 2)
            (void)!send(held[i], "GET / HT", 8, MSG_NOSIGNAL);
    }
    for (int i = 24; i < 48; i++)
        close(held[i]);
    answer a = {.data = NULL};
    for (int i = 0; i < 100 && a.status != 200; i++) { /* places come free when it has seen that */
        free(a.data);
        a = plan("{\"mesh\":\"x=2,y=4\"}");
    }
    check(a.status == 200, "no answer beside slow connections");
    free(a.data);
    for (int i = 0; i < 24; i++)
        close(held[i]);
}

/* A client is answered at once, however many others hold connections and say nothing, or not all. */
static void test_silent(const char *start)
{
    enum { SILENT = 60 };
    int held[SILENT];
    for (int i = 0; i < SILENT; i++) {
        held[i] = dial();
        check(held[i] >= 0, "no connection");
        if (held[i] >= 0)
            (void)!send(held[i], start, strlen(start), MSG_NOSIGNAL);
    }
    expect_plan(200, "{\"mesh\":\"x=2,y=4\"}", "\"same\":1");
    for (int i = 0; i < SILENT; i++)
        close(held[i]);
}

/* --max-seconds is for each question: the server outlives it. */
static void test_seconds(char **argv, int argc)
{
    static char limit[] = "--max-seconds=1";
    char *words[64];
    int n = 0;
    for (int i = 0; i < argc && n < 60; i++)
        words[n++] = argv[i];
    words[n++] = limit;
    port = 0;
    pid_t child = start(words, n);
    check(child > 0 && port > 0, "it does not start with --max-seconds");
    if (child <= 0 || !port)
        return;
    expect_plan(200, "{\"mesh\":\"x=2,y=4\"}", "\"same\":1");
    nanosleep(&(struct timespec){1, 300000000}, NULL);
    expect_plan(200, "{\"mesh\":\"x=2,y=4\"}", "\"same\":1");
    stop(child);
}

static void test_mutants(int count)
{
    static const char *const requests[] = {
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nAccept: text/html\r\n\r\n",
        "POST /plan HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: application/json\r\n"
        "Content-Length: 61\r\n\r\n{\"mesh\":\"x=2,y=4\",\"given\":[[\"argument\",0,\"x,_\"]],"
        "\"why\":\"#0\"}"};
    uint64_t rng = 12345;
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        char *right = with_port(requests[i % 2]);
        text t = {right, strlen(right)}, other = {right, strlen(right)};
        t.data = malloc(t.len + 1);
        memcpy(t.data, right, t.len + 1);
        for (size_t k = below(&rng, 3) + 1; k > 0; k--)
            mutate_text(&t, &other, &rng);
        int fd = dial();
        wrong += fd < 0;
        if (fd >= 0) {
            (void)!send(fd, t.data, t.len, MSG_NOSIGNAL);
            shutdown(fd, SHUT_WR);
            answer a = hear(fd);
            wrong += a.status && a.status != 200 && (a.status < 400 || a.status > 505);
            free(a.data);
        }
        free(t.data);
        free(right);
    }
    check(wrong == 0, "mutated requests");
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Prints the body of an answer. */
static void print_answer(const char *question)
{
    answer a = plan(question);
    char *body = strstr(a.data, "\r\n\r\n");
    check(a.status == 200 && body, a.data);
    if (body)
        puts(body + 4);
    free(a.data);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Of the server; 0 where the system does not say. */
static double cpu_ms(pid_t child)
{
    char path[64], line[1024] = "";
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)child);
    FILE *f = fopen(path, "r");
    if (f) {
        (void)!fgets(line, sizeof line, f);
        fclose(f);
    }
    const char *p = strrchr(line, ')');
    for (int field = 0; p && field < 12; field++) { /* from the third on */
        p = strchr(p + 1, ' ');
        if (p && field == 11)
            sscanf(p, "%lu %lu", &user, &system);
    }
    return 1000.0 * (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* The median of some questions, in milliseconds, and what the server computes for each. */
static void print_time(const char *question, pid_t child)
{
    double times[21];
    size_t bytes = 0;
    double before = cpu_ms(child);
    for (int i = 0; i < 21; i++) {
        double begin = now();
        answer a = plan(question);
        times[i] = now() - begin;
        bytes = a.len;
        check(a.status == 200, a.data);
        free(a.data);
    }
    qsort(times, 21, sizeof *times, by_size);
    printf("%.1f ms, %.1f ms of the processor, %zu bytes\n", times[10],
           (cpu_ms(child) - before) / 21, bytes);
}

int main(int argc, char **argv)
{
    const char *question = NULL, *time = NULL;
    if (argc > 2 && strncmp(argv[1], "--", 2) == 0) {
        *(argv[1][2] == 't' ? &time : &question) = argv[2];
        argv += 2;
        argc -= 2;
    }
    if (argc < 3)
        return 2;
    pid_t child = start(argv + 1, argc - 1);
    check(child > 0 && port > 0, "it does not start");
    if (port && time) {
        print_time(time, child);
    } else if (port && question) {
        print_answer(question);
    } else if (port) {
        test_requests();
        test_questions();
        test_slow();
        test_silent("");
        test_silent("GET / HT");
        test_mutants(300);
        expect_plan(200, "{\"mesh\":\"x=2,y=4\"}", "\"same\":1");
    }
    if (child > 0 && port)
        stop(child);
    if (!question && !time)
        test_seconds(argv + 1, argc - 1);
    if ((!question && !time) || failed)
        printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
