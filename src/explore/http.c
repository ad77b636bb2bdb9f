/* SPDX-License-Identifier: Apache-2.0 */
/* http.c - see http.h. Strict: anything that two readers could interpret differently is refused. */
#include "explore/http.h"

#include <string.h>

static bool is_token(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("!#$%&'*+-.^_`|~", c));
}

/* Reads up to the byte end; *rest then begins after it. False: there is no such byte. */
static bool until(tsr_str *rest, char end, tsr_str *out)
{
    const char *p = rest->len ? memchr(rest->data, end, rest->len) : NULL;
    if (!p)
        return false;
    size_t n = (size_t)(p - rest->data);
    *out = (tsr_str){rest->data, n};
    *rest = (tsr_str){p + 1, rest->len - n - 1};
    return true;
}

/* A line without its CR LF. False: the line ends differently. */
static bool next_line(tsr_str *rest, tsr_str *line)
{
    if (!until(rest, '\n', line) || !line->len || line->data[line->len - 1] != '\r')
        return false;
    line->len--;
    /* tabs are the only control characters allowed in fields */
    for (size_t i = 0; i < line->len; i++)
        if (((unsigned char)line->data[i] < 0x20 && line->data[i] != '\t') || line->data[i] == 0x7F)
            return false;
    return true;
}

static bool same_word(tsr_str s, const char *word)
{
    size_t i = 0;
    for (; i < s.len && word[i]; i++) {
        char c = s.data[i];
        if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != word[i])
            return false;
    }
    return i == s.len && !word[i];
}

static tsr_str trim(tsr_str s)
{
    while (s.len && (s.data[0] == ' ' || s.data[0] == '\t'))
        s = (tsr_str){s.data + 1, s.len - 1};
    while (s.len && (s.data[s.len - 1] == ' ' || s.data[s.len - 1] == '\t'))
        s.len--;
    return s;
}

/* request-line ::= method ' ' path ' ' version */
static int first_line(tsr_str line, tsr_http_request *out)
{
    tsr_str rest = line;
    if (!until(&rest, ' ', &out->method) || !until(&rest, ' ', &out->path) || !out->method.len ||
        !out->path.len || out->path.data[0] != '/')
        return 400;
    for (size_t i = 0; i < out->method.len; i++)
        if (!is_token(out->method.data[i]))
            return 400;
    if (tsr_str_is(rest, "HTTP/1.1") || tsr_str_is(rest, "HTTP/1.0"))
        return 200;
    return rest.len > 5 && memcmp(rest.data, "HTTP/", 5) == 0 ? 505 : 400;
}

typedef struct {
    bool host, length, type;
    size_t body;
} seen;

static int body_length(tsr_str value, seen *s)
{
    if (s->length || !value.len)
        return 400;
    s->length = true;
    for (size_t i = 0; i < value.len; i++) {
        if (value.data[i] < '0' || value.data[i] > '9')
            return 400;
        s->body = s->body * 10 + (size_t)(value.data[i] - '0');
        if (s->body > TSR_HTTP_BODY_MOST)
            return 413;
    }
    return 200;
}

/* A field that may occur only once. */
static int once(bool *was, tsr_str value, tsr_str *out)
{
    if (*was)
        return 400;
    *was = true;
    *out = value;
    return 200;
}

/* field ::= name ':' value */
static int field(tsr_str line, tsr_http_request *out, seen *s)
{
    tsr_str name, value = line;
    if (!until(&value, ':', &name) || !name.len)
        return 400;
    for (size_t i = 0; i < name.len; i++)
        if (!is_token(name.data[i]))
            return 400;
    value = trim(value);
    if (same_word(name, "content-length"))
        return body_length(value, s);
    if (same_word(name, "transfer-encoding"))
        return 501;
    if (same_word(name, "host"))
        return once(&s->host, value, &out->host);
    if (same_word(name, "origin"))
        return once(&out->has_origin, value, &out->origin);
    if (same_word(name, "content-type"))
        return once(&s->type, value, &out->type);
    return 200;
}

int tsr_http_parse(tsr_str bytes, tsr_http_request *out)
{
    tsr_str rest = bytes, line;
    seen s = {0};
    *out = (tsr_http_request){0};
    for (bool first = true;; first = false) {
        if (!rest.len || !memchr(rest.data, '\n', rest.len))
            return bytes.len > TSR_HTTP_HEAD_MOST ? 431 : 0;
        if (!next_line(&rest, &line))
            return 400;
        if ((size_t)(rest.data - bytes.data) > TSR_HTTP_HEAD_MOST)
            return 431;
        if (!first && !line.len)
            break;
        int code = first ? first_line(line, out) : field(line, out, &s);
        if (code != 200)
            return code;
    }
    if (!s.host)
        return 400;
    if (tsr_str_is(out->method, "POST") && !s.length)
        return 411;
    if (rest.len < s.body)
        return 0;
    if (rest.len > s.body) /* nothing may follow: one request per connection */
        return 400;
    out->body = (tsr_str){rest.data, s.body};
    return 200;
}

/* "127.0.0.1:8000", "localhost:8000", perhaps after "http://". */
static bool is_here(tsr_str s, const char *before, unsigned port)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    bool is = false;
    for (size_t i = 0; i < TSR_COUNT(names); i++) {
        tsr_buf want = {0};
        tsr_buf_printf(&want, "%s%s:%u", before, names[i], port);
        is |= tsr_str_eq(s, tsr_buf_text(&want));
        tsr_buf_free(&want);
    }
    return is;
}

int tsr_http_allow(const tsr_http_request *r, unsigned port)
{
    if (!is_here(r->host, "", port) || (r->has_origin && !is_here(r->origin, "http://", port)))
        return 403;
    if (tsr_str_is(r->method, "GET"))
        return 200;
    if (!tsr_str_is(r->method, "POST"))
        return 405;
    /* Pages of other sites can send forms and plain text without a preflight request, but not this type. */
    tsr_str type = r->type, kind;
    if (until(&type, ';', &kind))
        return same_word(trim(kind), "application/json") ? 200 : 415;
    return same_word(r->type, "application/json") ? 200 : 415;
}

static const char *words(int status)
{
    static const struct {
        int status;
        const char *words;
    } list[] = {{200, "OK"},
                {400, "Bad Request"},
                {403, "Forbidden"},
                {404, "Not Found"},
                {405, "Method Not Allowed"},
                {408, "Request Timeout"},
                {411, "Length Required"},
                {413, "Content Too Large"},
                {415, "Unsupported Media Type"},
                {422, "Unprocessable Content"},
                {431, "Request Header Fields Too Large"},
                {501, "Not Implemented"},
                {503, "Service Unavailable"},
                {505, "HTTP Version Not Supported"}};
    for (size_t i = 0; i < TSR_COUNT(list); i++)
        if (list[i].status == status)
            return list[i].words;
    return "Error";
}

void tsr_http_answer(tsr_buf *out, int status, const char *type, tsr_str body)
{
    tsr_str text = type ? body : tsr_cstr(words(status));
    tsr_buf_printf(out, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n", status,
                   words(status), type ? type : "text/plain; charset=utf-8", text.len);
    tsr_buf_cstr(out, "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                      "X-Frame-Options: DENY\r\nCross-Origin-Resource-Policy: same-origin\r\n"
                      "Connection: close\r\n\r\n");
    tsr_buf_str(out, text);
}
