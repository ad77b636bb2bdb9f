/* SPDX-License-Identifier: Apache-2.0 */
/* test_explore.c - parts of the explorer: requests of the server, runs that come again. */
#include "unit.h"

#include "explore/http.h"
#include "explore/repeat.h"

static int parse(const char *text)
{
    tsr_http_request r;
    return tsr_http_parse(tsr_cstr(text), &r);
}

static void requests(unit *u)
{
    static const struct {
        int status;
        const char *text;
    } cases[] = {
        {0, ""},
        {0, "GET / HTTP/1.1\r\n"},
        {0, "GET / HTTP/1.1\r\nHost: a\r\n"},
        {200, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"},
        {200, "GET / HTTP/1.0\r\nhOST:a\r\nX-Other: \t b c\r\n\r\n"},
        {200, "POST /plan HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"},
        {0, "POST /plan HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n{}"},
        {400, "POST /plan HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n{}"},
        {400, "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\n"},
        {400, "GET / HTTP/1.1\nHost: a\n\n"},
        {400, "GET  / HTTP/1.1\r\n\r\n"},
        {400, "GET /\r\n\r\n"},
        {400, "GET x HTTP/1.1\r\n\r\n"},
        {400, "G@T / HTTP/1.1\r\n\r\n"},
        {400, "GET / http/1.1\r\n\r\n"},
        {505, "GET / HTTP/2.0\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost : a\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: a\x01\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: a\r\nOrigin: b\r\nOrigin: b\r\n\r\n"},
        {411, "POST / HTTP/1.1\r\nHost: a\r\n\r\n"},
        {400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n"},
        {400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \r\n\r\n"},
        {400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n"},
        {413, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n"},
        {501, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"},
    };
    for (size_t i = 0; i < TSR_COUNT(cases); i++) {
        int status = parse(cases[i].text);
        if (status != cases[i].status)
            fprintf(stderr, "%d for: %s\n", status, cases[i].text);
        CHECK(u, status == cases[i].status);
    }
    tsr_buf longer = {0};
    tsr_buf_cstr(&longer, "GET /");
    while (longer.len <= TSR_HTTP_HEAD_MOST)
        tsr_buf_char(&longer, 'a');
    tsr_http_request r;
    CHECK(u, tsr_http_parse(tsr_buf_text(&longer), &r) == 431);
    tsr_buf_free(&longer);
}

static void hosts(unit *u)
{
    static const struct {
        int status;
        const char *method, *host, *origin, *type;
    } cases[] = {
        {200, "GET", "127.0.0.1:80", NULL, ""},
        {200, "GET", "localhost:80", "http://localhost:80", ""},
        {200, "POST", "localhost:80", "http://127.0.0.1:80", "application/json"},
        {200, "POST", "localhost:80", NULL, "Application/JSON ; charset=utf-8"},
        {403, "GET", "evil.example", NULL, ""},
        {403, "GET", "127.0.0.1", NULL, ""},
        {403, "GET", "127.0.0.1:81", NULL, ""},
        {403, "GET", "127.0.0.1:80.evil.example", NULL, ""},
        {403, "GET", "localhost:80", "http://evil.example", ""},
        {403, "GET", "localhost:80", "https://localhost:80", ""},
        {403, "POST", "localhost:80", "null", "application/json"},
        {403, "POST", "localhost:80", "", "application/json"},
        {405, "PUT", "localhost:80", NULL, ""},
        {405, "HEAD", "localhost:80", NULL, ""},
        {415, "POST", "localhost:80", NULL, "text/plain"},
        {415, "POST", "localhost:80", NULL, ""},
        {415, "POST", "localhost:80", NULL, "text/plain; application/json"},
    };
    for (size_t i = 0; i < TSR_COUNT(cases); i++) {
        tsr_http_request r = {.method = tsr_cstr(cases[i].method),
                              .host = tsr_cstr(cases[i].host),
                              .type = tsr_cstr(cases[i].type),
                              .has_origin = cases[i].origin != NULL};
        if (cases[i].origin)
            r.origin = tsr_cstr(cases[i].origin);
        CHECK(u, tsr_http_allow(&r, 80) == cases[i].status);
    }
}

/* Letters as tokens: "first,period x times" of each run. */
static bool runs(const char *tokens, const char *want)
{
    tsr_arena arena;
    tsr_repeats found = {0};
    tsr_buf text = {0};
    uint64_t steps = 0, all[512];
    uint32_t n = (uint32_t)strlen(tokens);
    tsr_arena_init(&arena);
    for (uint32_t i = 0; i < n; i++)
        all[i] = (uint64_t)tokens[i];
    tsr_repeats_find(&arena, all, n, &found, &steps);
    for (size_t i = 0; i < found.n; i++)
        tsr_buf_printf(&text, "%s%u,%ux%u", i ? " " : "", found.data[i].first, found.data[i].period,
                       found.data[i].times);
    bool ok = tsr_str_is(tsr_buf_text(&text), want) && steps <= 40 * (uint64_t)n;
    if (!ok)
        fprintf(stderr, "%s: %.*s\n", tokens, TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_buf_free(&text);
    tsr_vec_free(&found);
    tsr_arena_free(&arena);
    return ok;
}

static void repeats(unit *u)
{
    CHECK(u, runs("", "") && runs("abc", "") && runs("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", ""));
    CHECK(u, runs("abcdabcdabcdabcdabcdabcd", "")); /* too short to be a layer */
    CHECK(u, runs("abcdefghijklmnopqrstuvwxyz", ""));
    CHECK(u, runs("xyabcdefghijabcdefghijabcdefghijz", "2,10x3"));
    CHECK(u, runs("abcdefghabcdefgh", "0,8x2"));
    CHECK(u, runs("abcdefghijabcdefghij12345678zyxwvutsrqzyxwvutsrqzyxwvutsrq", "0,10x2 28,10x3"));
    /* One op differs: not a turn. */
    CHECK(u, runs("abcdefghijabcdefghijabcdeXghij", "0,10x2"));
}

void test_explore(unit *u)
{
    requests(u);
    hosts(u);
    repeats(u);
}
