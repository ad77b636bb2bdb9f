/* SPDX-License-Identifier: Apache-2.0 */
/* drive.c - pages in a real browser, with real input: drive [--pictures=FOLDER] BROWSER PROFILE SCRIPT <jobs. A job is a line
 * "CASE WIDTH HEIGHT ADDRESS". The script runs in its page after the constants CASE, ENGINE and PICTURES. It has a function
 * `window.drive.next`, whose promise is the next thing to do: lines of commands and their parameters, or "verdict WORDS".
 * Chromium is driven by DevTools' protocol through a pipe, Firefox by WebDriver's commands through Marionette. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 60000 }; /* milliseconds for one answer */

typedef struct {
    char *data;
    size_t len, room;
} text;

static void add(text *t, const char *bytes, size_t n)
{
    if (t->len + n + 1 > t->room)
        t->data = realloc(t->data, t->room = 2 * (t->len + n + 1));
    memcpy(t->data + t->len, bytes, n);
    t->len += n;
    t->data[t->len] = 0;
}

static void put(text *t, const char *s)
{
    add(t, s, strlen(s));
}

/* As a string of JSON. */
static void put_string(text *t, const char *s)
{
    char code[16];
    put(t, "\"");
    for (; *s; s++)
        if (*s == '"' || *s == '\\' || (unsigned char)*s < 32) {
            snprintf(code, sizeof code, "\\u%04x", (unsigned char)*s & 255U);
            put(t, code);
        } else {
            add(t, s, 1);
        }
    put(t, "\"");
}

static void put_code_point(text *t, unsigned c)
{
    if (c < 0x80)
        add(t, (char[]){(char)c}, 1);
    else if (c < 0x800)
        add(t, (char[]){(char)(0xc0 | c >> 6), (char)(0x80 | (c & 63))}, 2);
    else
        add(t,
            (char[]){(char)(0xe0 | c >> 12), (char)(0x80 | (c >> 6 & 63)), (char)(0x80 | (c & 63))},
            3);
}

/* The string of JSON after `key` in an answer; empty if it has none. */
static text string_after(const char *json, const char *key)
{
    static const char plain[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    text out = {0};
    put(&out, "");
    const char *p = strstr(json, key);
    p = p ? strchr(p + strlen(key), '"') : NULL;
    for (p = p ? p + 1 : ""; *p && *p != '"'; p++) {
        const char *at = *p == '\\' && p[1] ? strchr(plain, p[1]) : NULL;
        if (at) {
            add(&out, &means[at - plain], 1);
            p++;
        } else if (*p == '\\' && p[1] == 'u') {
            char hex[5] = "";
            memcpy(hex, p + 2, strnlen(p + 2, 4));
            put_code_point(&out, (unsigned)strtoul(hex, NULL, 16));
            p += 1 + strlen(hex);
        } else {
            add(&out, p, 1);
        }
    }
    return out;
}

/* ---- The browser ---- */

static struct {
    bool firefox;
    pid_t pid;
    int to, from;
    unsigned id;
    char session[128], address[64];
    text heard;
    bool wrong; /* the console of this page had an error */
} browser;

static void die(const char *why)
{
    printf("no browser: %s\n", why);
    if (browser.pid > 0) {
        kill(browser.pid, SIGKILL);
        waitpid(browser.pid, NULL, 0);
    }
    exit(3);
}

static void send_all(const char *bytes, size_t n)
{
    while (n) {
        ssize_t k = write(browser.to, bytes, n);
        if (k <= 0)
            die("it does not listen");
        bytes += k;
        n -= (size_t)k;
    }
}

/* Where a message ends in what was heard, or 0. A pipe's end with a null byte, Marionette's begin with their length. */
static size_t message_end(size_t *begin)
{
    const text *t = &browser.heard;
    const char *colon;
    *begin = 0;
    if (!browser.firefox) {
        const char *end = t->len ? memchr(t->data, 0, t->len) : NULL;
        return end ? (size_t)(end - t->data) + 1 : 0;
    }
    colon = t->len ? memchr(t->data, ':', t->len) : NULL;
    if (!colon)
        return 0;
    *begin = (size_t)(colon + 1 - t->data);
    size_t end = *begin + (size_t)atol(t->data);
    return end <= t->len ? end : 0;
}

static text hear(void)
{
    char bytes[65536];
    size_t begin, end;
    text out = {0};
    while (!(end = message_end(&begin))) {
        struct pollfd p = {browser.from, POLLIN, 0};
        if (poll(&p, 1, PATIENCE) <= 0)
            die("it says nothing");
        ssize_t n = read(browser.from, bytes, sizeof bytes);
        if (n <= 0)
            die("it ended");
        add(&browser.heard, bytes, (size_t)n);
    }
    add(&out, browser.heard.data + begin, end - begin);
    memmove(browser.heard.data, browser.heard.data + end, browser.heard.len - end);
    browser.heard.len -= end;
    return out;
}

/* What the console is told, and exceptions that nobody caught; not that the server rejects a plan. */
static void note(const char *event)
{
    if (strstr(event, "a status of 422"))
        return;
    bool thrown = strstr(event, "\"Runtime.exceptionThrown\"") != NULL;
    bool logged = strstr(event, "\"Log.entryAdded\"") && strstr(event, "\"level\":\"error\"");
    bool called =
        strstr(event, "\"Runtime.consoleAPICalled\"") && strstr(event, "\"type\":\"error\"");
    if (thrown || logged || called) {
        browser.wrong = true;
        printf("FAIL the console says %.600s\n", event);
    }
}

/* Does one command; the answer is the caller's. */
static text command(const char *method, const char *params)
{
    text out = {0}, all = {0};
    char head[256], answer[32];
    unsigned id = ++browser.id;
    if (browser.firefox)
        snprintf(head, sizeof head, "[0,%u,\"%s\",", id, method);
    else
        snprintf(head, sizeof head, "{\"id\":%u,%s\"method\":\"%s\",\"params\":", id,
                 browser.session, method);
    put(&out, head);
    put(&out, params);
    put(&out, browser.firefox ? "]" : "}");
    if (browser.firefox) {
        snprintf(head, sizeof head, "%zu:", out.len);
        put(&all, head);
    }
    add(&all, out.data, out.len + !browser.firefox);
    send_all(all.data, all.len);
    free(out.data);
    free(all.data);
    snprintf(answer, sizeof answer, browser.firefox ? "[1,%u," : "{\"id\":%u,", id);
    for (;;) {
        text t = hear();
        if (strncmp(t.data, answer, strlen(answer)) == 0)
            return t;
        note(t.data);
        free(t.data);
    }
}

static void do_command(const char *method, const char *fmt, ...)
{
    char params[4096];
    va_list args;
    va_start(args, fmt);
    vsnprintf(params, sizeof params, fmt, args);
    va_end(args);
    free(command(method, params).data);
}

/* What a script says, a promise's value when it comes. */
static text evaluate(const char *script)
{
    text params = {0}, code = {0};
    if (browser.firefox) {
        put(&code, "const done = arguments[arguments.length - 1]; (async () => { return ");
        put(&code, script);
        put(&code, "\n})().then(done, e => done('verdict 0 right, 1 wrong. ' + e + e.stack));");
        put(&params, "{\"args\":[],\"script\":");
        put_string(&params, code.data);
        put(&params, ",\"scriptTimeout\":100000}");
    } else {
        put(&params, "{\"awaitPromise\":true,\"returnByValue\":true,\"expression\":");
        put_string(&params, script);
        put(&params, "}");
    }
    text answer =
        command(browser.firefox ? "WebDriver:ExecuteAsyncScript" : "Runtime.evaluate", params.data);
    text said = strstr(answer.data, "\"exceptionDetails\"") || strstr(answer.data, "\"error\":\"")
                    ? answer
                    : string_after(answer.data, "\"value\":");
    if (said.data != answer.data)
        free(answer.data);
    free(code.data);
    free(params.data);
    return said;
}

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static void start_chromium(const char *program, const char *profile)
{
    int to[2], from[2];
    char folder[1024];
    if (pipe(to) != 0 || pipe(from) != 0)
        die("no pipe");
    snprintf(folder, sizeof folder, "--user-data-dir=%s", profile);
    browser.pid = fork();
    if (browser.pid == 0) {
        int in = fcntl(to[0], F_DUPFD, 10), out = fcntl(from[1], F_DUPFD, 10),
            null = open("/dev/null", O_RDWR);
        dup2(null, 1);
        dup2(null, 2);
        dup2(in, 3);
        dup2(out, 4);
        for (int fd = 5; fd < 64; fd++)
            close(fd);
        execlp(program, program, "--headless", "--no-sandbox", "--disable-gpu",
               "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
               "--force-prefers-reduced-motion", "--mute-audio", "--enable-precise-memory-info",
               "--js-flags=--expose-gc", "--remote-debugging-pipe", folder, "about:blank",
               (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    browser.to = to[1];
    browser.from = from[0];
    text made = command("Target.createTarget", "{\"url\":\"about:blank\"}");
    text target = string_after(made.data, "\"targetId\":");
    char params[256];
    snprintf(params, sizeof params, "{\"targetId\":\"%s\",\"flatten\":true}", target.data);
    text joined = command("Target.attachToTarget", params),
         session = string_after(joined.data, "\"sessionId\":");
    if (!session.len)
        die(joined.data);
    snprintf(browser.session, sizeof browser.session, "\"sessionId\":\"%s\",", session.data);
    free(made.data);
    free(target.data);
    free(joined.data);
    free(session.data);
    do_command("Runtime.enable", "{}");
    do_command("Log.enable", "{}");
    do_command("Page.enable", "{}");
}

/* The port that Firefox writes into its profile when it listens. */
static int marionette_port(const char *profile)
{
    char path[1024];
    int port = 0;
    snprintf(path, sizeof path, "%s/MarionetteActivePort", profile);
    for (int i = 0; i < 600 && !port; i++) {
        FILE *f = fopen(path, "r");
        if (f && fscanf(f, "%d", &port) != 1)
            port = 0;
        if (f)
            fclose(f);
        if (!port)
            pause_ms(100);
        if (waitpid(browser.pid, NULL, WNOHANG) != 0)
            return 0;
    }
    return port;
}

static void start_firefox(const char *program, const char *profile)
{
    char path[1024];
    mkdir(profile, 0700);
    snprintf(path, sizeof path, "%s/user.js", profile);
    FILE *f = fopen(path, "w");
    if (!f)
        die("no profile");
    fputs("user_pref('marionette.port', 0);\nuser_pref('ui.prefersReducedMotion', 1);\n"
          "user_pref('browser.startup.page', "
          "0);\nuser_pref('datareporting.policy.dataSubmissionEnabled', false);\n"
          "user_pref('app.update.enabled', "
          "false);\nuser_pref('network.captive-portal-service.enabled', false);\n"
          "user_pref('browser.aboutwelcome.enabled', false);\n",
          f);
    fclose(f);
    browser.firefox = true;
    browser.pid = fork();
    if (browser.pid == 0) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, 1);
        dup2(null, 2);
        execlp(program, program, "--headless", "--marionette", "--no-remote", "--profile", profile,
               (char *)NULL);
        _exit(127);
    }
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)marionette_port(profile))};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    browser.to = browser.from = socket(AF_INET, SOCK_STREAM, 0);
    if (!at.sin_port || connect(browser.to, (struct sockaddr *)&at, sizeof at) != 0)
        die("Firefox does not listen");
    free(hear().data); /* who it is */
    do_command("WebDriver:NewSession", "{\"capabilities\":{\"alwaysMatch\":{}}}");
}

static void end_browser(void)
{
    kill(browser.pid, SIGTERM);
    for (int i = 0; i < 50; i++) {
        if (waitpid(browser.pid, NULL, WNOHANG) != 0)
            return;
        pause_ms(100);
    }
    kill(browser.pid, SIGKILL);
    waitpid(browser.pid, NULL, 0);
}

/* ---- Jobs ---- */

static char *read_all(const char *path)
{
    text t = {0};
    char bytes[65536];
    size_t n;
    FILE *f = fopen(path, "rb");
    put(&t, "");
    while (f && (n = fread(bytes, 1, sizeof bytes, f)) > 0)
        add(&t, bytes, n);
    if (f)
        fclose(f);
    return t.data;
}

static void save_picture(const char *folder, const char *name, const char *base64)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char path[1024];
    unsigned bits = 0, have = 0;
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    FILE *f = fopen(path, "wb");
    if (!f) {
        printf("FAIL no file %s\n", path);
        return;
    }
    for (const char *p = base64, *at; *p && (at = strchr(digits, *p)); p++) {
        bits = bits << 6 | (unsigned)(at - digits);
        have += 6;
        if (have >= 8) {
            have -= 8;
            putc((int)(bits >> have & 255), f);
        }
    }
    fclose(f);
}

/* Lines of commands and parameters. "picture" takes one of the page, under the name that is its parameter. */
static void perform(char *lines, const char *pictures)
{
    char *next;
    for (char *method = lines; method && *method; method = next) {
        char *params = strchr(method, '\n');
        if (!params)
            return;
        *params++ = 0;
        next = strchr(params, '\n');
        if (next)
            *next++ = 0;
        bool picture = strcmp(method, "picture") == 0;
        text answer = picture ? command(browser.firefox ? "WebDriver:TakeScreenshot"
                                                        : "Page.captureScreenshot",
                                        browser.firefox ? "{\"full\":false,\"hash\":false}" : "{}")
                              : command(method, params);
        if (picture) {
            text data = string_after(answer.data, browser.firefox ? "\"value\":" : "\"data\":");
            save_picture(pictures, params, data.data);
            free(data.data);
        } else if (strstr(answer.data, "\"error\":{")) {
            printf("FAIL %s %.200s: %.300s\n", method, params, answer.data);
        }
        free(answer.data);
    }
}

static void set_size(int width, int height)
{
    if (browser.firefox)
        do_command("WebDriver:SetWindowRect", "{\"width\":%d,\"height\":%d}", width, height + 86);
    else
        do_command("Emulation.setDeviceMetricsOverride",
                   "{\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false}", width,
                   height);
}

static void open_page(const char *address)
{
    do_command(browser.firefox ? "WebDriver:Navigate" : "Page.navigate", "{\"url\":\"%s\"}",
               address);
    for (int i = 0; i < 3000; i++) {
        text said = evaluate("String(document.readyState === 'complete' && !!window.tessera && "
                             "!!window.tessera.ready)");
        bool ready = strcmp(said.data, "true") == 0;
        free(said.data);
        if (ready)
            return;
        pause_ms(10);
    }
    printf("FAIL no page at %s\n", address);
}

static void do_job(const char *line, const char *script, const char *pictures)
{
    char name[64], address[1024], head[512];
    int width, height;
    if (sscanf(line, "%63s %d %d %1023s", name, &width, &height, address) != 4)
        return;
    browser.wrong = false;
    set_size(width, height);
    open_page(address);
    text code = {0}, said;
    snprintf(head, sizeof head, "(() => { const CASE = '%s', ENGINE = '%s', PICTURES = %s;\n", name,
             browser.firefox ? "firefox" : "chromium", pictures ? "true" : "false");
    put(&code, head);
    put(&code, script);
    put(&code, "\nreturn 'begun'; })()");
    said = evaluate(code.data);
    if (strcmp(said.data, "begun") != 0)
        printf("FAIL %s: %s\n", name, said.data);
    while (strcmp(said.data, "begun") == 0 ||
           (said.len && strncmp(said.data, "verdict ", 8) != 0)) {
        if (strcmp(said.data, "begun") != 0)
            perform(said.data, pictures);
        free(said.data);
        said = evaluate("window.drive.next()");
        if (strstr(said.data, "exceptionDetails"))
            break;
    }
    printf("%s: %s\n", name, strncmp(said.data, "verdict ", 8) == 0 ? said.data + 8 : said.data);
    if (browser.wrong)
        printf("FAIL %s: errors on the console\n", name);
    fflush(stdout);
    free(said.data);
    free(code.data);
}

int main(int argc, char **argv)
{
    char line[2048], *pictures = NULL;
    if (argc > 1 && strncmp(argv[1], "--pictures=", 11) == 0) {
        pictures = argv[1] + 11;
        argv++;
        argc--;
    }
    if (argc != 4)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    (strstr(argv[1], "firefox") ? start_firefox : start_chromium)(argv[1], argv[2]);
    char *script = read_all(argv[3]);
    while (fgets(line, sizeof line, stdin))
        do_job(line, script, pictures);
    free(script);
    free(browser.heard.data);
    end_browser();
    return 0;
}
