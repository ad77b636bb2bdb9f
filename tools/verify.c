/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c - --verify-diagnostics: compares diagnostics with the expectations that are in the input.
 *
 *     // expected-error@+1 {{part of the message}}
 *     // expected-note-re@below {{part with {{regular|expressions}}}}
 *
 * The place is the same line, @+N, @-N, @above or @below (the next line without such a comment), or @unknown for a
 * diagnostic without a file position. The closing braces end the line. */
#include "tools.h"

#include <regex.h>

typedef struct {
    tsr_severity severity;
    uint32_t line;    /* where the diagnostic is expected */
    uint32_t at, col; /* where the expectation is */
    tsr_str text;     /* between the braces */
    regex_t *regex;   /* of -re */
    bool unknown;     /* without a position */
    bool below;       /* its line comes later */
    bool met;
} expectation;

struct expectations {
    const source *src;
    bool only_expected, ok;
    TSR_VEC(expectation) all;
};

static const char *const kinds[] = {
    [TSR_ERROR] = "error", [TSR_WARNING] = "warning", [TSR_NOTE] = "note", [TSR_REMARK] = "remark"};

static void report(expectations *e, uint32_t line, uint32_t col, size_t underline,
                   const tsr_buf *message)
{
    tsr_diag d = {.severity = TSR_ERROR,
                  .file = e->src->file,
                  .line = line,
                  .col = col,
                  .message = tsr_buf_text(message)};
    diag_print(stderr, e->src, &d, underline);
    e->ok = false;
}

/* Text with embedded {{regular expressions}} as one extended regular expression. */
static bool compile(expectations *e, expectation *x)
{
    tsr_buf pattern = {0}, message = {0};
    tsr_str s = x->text;
    for (size_t i = 0; i < s.len;) {
        if (s.len - i >= 2 && s.data[i] == '{' && s.data[i + 1] == '{') {
            size_t end = i + 2;
            while (end + 1 < s.len && !(s.data[end] == '}' && s.data[end + 1] == '}'))
                end++;
            if (end + 1 >= s.len) {
                tsr_buf_cstr(&message, "found start of regex with no end '}}'");
                break;
            }
            tsr_buf_printf(&pattern, "(%.*s)", (int)(end - i - 2), s.data + i + 2);
            i = end + 2;
            continue;
        }
        if (strchr("()^$|*+?.[]\\{}", s.data[i]))
            tsr_buf_char(&pattern, '\\');
        tsr_buf_char(&pattern, s.data[i++]);
    }
    tsr_buf_char(&pattern, 0);
    if (!message.len) {
        x->regex = tsr_xmalloc(sizeof *x->regex);
        int code = regcomp(x->regex, pattern.data, REG_EXTENDED | REG_NOSUB);
        if (code) {
            char why[128];
            regerror(code, x->regex, why, sizeof why);
            tsr_buf_printf(&message, "invalid regex: %s", why);
            tsr_free(x->regex);
            x->regex = NULL;
        }
    }
    bool ok = !message.len;
    if (!ok)
        report(e, x->at, x->col, s.len, &message);
    tsr_buf_free(&pattern);
    tsr_buf_free(&message);
    return ok;
}

static bool skip(tsr_str *s, const char *word)
{
    size_t n = strlen(word);
    if (!tsr_str_starts(*s, word))
        return false;
    s->data += n;
    s->len -= n;
    return true;
}

/* expected-(error|note|remark|warning)(-re)? *(@([+-][0-9]+|above|below|unknown))? *{{text}} at the end of the line.
 * above: the last line before this one without an expectation. */
static bool read_expectation(tsr_str line, uint32_t at, uint32_t above, expectation *x,
                             bool *is_regex)
{
    for (size_t start = 0; start + 9 < line.len; start++) {
        tsr_str s = {line.data + start, line.len - start};
        if (!skip(&s, "expected-"))
            continue;
        *x = (expectation){.at = at, .line = at, .col = (uint32_t)start + 1};
        size_t k = 0;
        while (k < TSR_COUNT(kinds) && !skip(&s, kinds[k]))
            k++;
        if (k == TSR_COUNT(kinds))
            continue;
        x->severity = (tsr_severity)k;
        *is_regex = skip(&s, "-re");
        while (skip(&s, " "))
            ;
        if (skip(&s, "@above")) {
            x->line = above;
        } else if (skip(&s, "@below")) {
            x->below = true;
            x->line = UINT32_MAX;
        } else if (skip(&s, "@unknown")) {
            x->unknown = true;
        } else if (skip(&s, "@")) {
            int64_t sign = skip(&s, "-") ? -1 : 1, n = 0;
            bool digits = false;
            if (sign == 1 && !skip(&s, "+"))
                continue;
            for (; s.len && s.data[0] >= '0' && s.data[0] <= '9' && n < INT32_MAX / 16;
                 s.data++, s.len--) {
                n = n * 10 + (s.data[0] - '0');
                digits = true;
            }
            if (!digits)
                continue;
            x->line = (uint32_t)((int64_t)at + sign * n);
        }
        while (skip(&s, " "))
            ;
        if (!skip(&s, "{{") || s.len < 2 || s.data[s.len - 1] != '}' || s.data[s.len - 2] != '}')
            continue;
        x->text = (tsr_str){s.data, s.len - 2};
        return true;
    }
    return false;
}

expectations *expect_new(const source *src, tsr_str chunk, uint32_t line, bool only_expected)
{
    expectations *e = tsr_xmalloc(sizeof *e);
    *e = (expectations){.src = src, .only_expected = only_expected, .ok = true};
    const char *p = chunk.data, *end = p + chunk.len;
    uint32_t above = line;
    size_t pending = 0; /* those from here on may wait for the next line without an expectation */
    for (; p < end; line++) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        tsr_str text = {p, (size_t)((nl ? nl : end) - p)};
        expectation x;
        bool is_regex = false;
        if (read_expectation(text, line, above, &x, &is_regex)) {
            if (!is_regex || compile(e, &x))
                tsr_vec_push(&e->all, x);
        } else {
            for (; pending < e->all.n; pending++)
                if (e->all.data[pending].below)
                    e->all.data[pending].line = line;
            above = line;
        }
        p = nl ? nl + 1 : end;
    }
    return e;
}

static bool matches(const expectation *x, tsr_str message, const char *terminated)
{
    if (x->regex)
        return regexec(x->regex, terminated, 0, NULL, 0) == 0;
    for (size_t i = 0; i + x->text.len <= message.len; i++)
        if (memcmp(message.data + i, x->text.data, x->text.len) == 0)
            return true;
    return false;
}

void expect_diag(void *user, const tsr_diag *d)
{
    expectations *e = user;
    bool located = d->file.len > 0;
    bool ours = !located || tsr_str_eq(d->file, e->src->file);
    expectation *near = NULL;
    tsr_buf message = {0};
    tsr_buf_str(&message, d->message);
    tsr_buf_char(&message, 0);
    for (size_t i = 0; ours && i < e->all.n; i++) {
        expectation *x = &e->all.data[i];
        if (x->unknown == located || (located && x->line != d->line) ||
            !matches(x, d->message, message.data))
            continue;
        if (x->severity == d->severity) {
            x->met = true;
            tsr_buf_free(&message);
            return;
        }
        near = x;
    }
    if (!e->only_expected) {
        message.len = 0;
        if (near) {
            tsr_buf_printf(&message, "'%s' diagnostic emitted when expecting a '%s'",
                           kinds[d->severity], kinds[near->severity]);
            report(e, near->at, near->col, 1, &message);
        } else {
            tsr_diag copy = *d;
            tsr_buf_printf(&message, "unexpected %s: %.*s", kinds[d->severity],
                           TSR_STR_ARG(d->message));
            copy.message = tsr_buf_text(&message);
            copy.severity = TSR_ERROR;
            diag_print(stderr, e->src, &copy, 1);
            e->ok = false;
        }
    }
    tsr_buf_free(&message);
}

bool expect_finish(expectations *e)
{
    for (size_t i = 0; i < e->all.n; i++) {
        expectation *x = &e->all.data[i];
        if (!x->met) {
            tsr_buf message = {0};
            tsr_buf_printf(&message, "expected %s \"%.*s\" was not produced", kinds[x->severity],
                           TSR_STR_ARG(x->text));
            report(e, x->at, x->col, x->text.len, &message);
            tsr_buf_free(&message);
        }
        if (x->regex) {
            regfree(x->regex);
            tsr_free(x->regex);
        }
    }
    bool ok = e->ok;
    tsr_vec_free(&e->all);
    tsr_free(e);
    return ok;
}
