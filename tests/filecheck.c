/* SPDX-License-Identifier: Apache-2.0 */
/* filecheck.c - the subset of LLVM's FileCheck that our tests use, with its meaning.
 *
 * A check file becomes a list of checks; the CHECK-DAG and CHECK-NOT lines before a check hang on it. CHECK-LABEL
 * lines cut the input into regions first, so that one failure does not blur the next. Runs of blanks are one blank,
 * on both sides, unless --strict-whitespace is given. */
#include "runner.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { K_CHECK, K_NEXT, K_SAME, K_LABEL, K_DAG, K_NOT, K_EMPTY, K_EOF };

typedef struct {
    char *data;
    size_t len, room;
} text;

typedef struct {
    enum kind kind;
    const char *prefix;
    const char *at; /* the pattern's text in the check file, NULL for an implicit one */
    size_t len;
    const char *where; /* where messages point */
    int line;
    int count;    /* of CHECK-COUNT-n, else 1 */
    bool literal; /* CHECK{LITERAL}: */
} pattern;

typedef struct {
    pattern pat;
    pattern *before; /* the DAG and NOT lines that stand before it */
    size_t nbefore;
} check;

typedef struct {
    char *name;
    char *value;
    size_t len;
} variable;

typedef struct {
    const char *check_name, *input_name;
    text check_text, input;
    char *prefixes[64];
    int nprefix;
    char *implicit[64];
    int nimplicit;
    bool full_lines, strict, allow_empty, var_scope;
    variable *vars;
    size_t nvar;
    check *checks;
    size_t ncheck;
} filecheck;

typedef struct {
    size_t pos, len;
} span;

static const char *const kind_name[] = {"",     "-NEXT", "-SAME",  "-LABEL",
                                        "-DAG", "-NOT",  "-EMPTY", "-EOF"};

static void *grow(void *p, size_t size)
{
    p = realloc(p, size ? size : 1);
    if (!p)
        abort();
    return p;
}

static void text_add(text *t, const char *data, size_t len)
{
    if (t->len + len + 1 > t->room) {
        t->room = (t->len + len + 1) * 2;
        t->data = grow(t->data, t->room);
    }
    if (len)
        memcpy(t->data + t->len, data, len);
    t->len += len;
    t->data[t->len] = 0;
}

static char *copy_text(const char *data, size_t len)
{
    char *p = grow(NULL, len + 1);
    memcpy(p, data, len);
    p[len] = 0;
    return p;
}

static bool read_all(const char *name, text *out)
{
    FILE *f = strcmp(name, "-") ? fopen(name, "rb") : stdin;
    char buffer[65536];
    size_t n;
    if (!f)
        return false;
    while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
        text_add(out, buffer, n);
    text_add(out, "", 0);
    if (f != stdin)
        fclose(f);
    return true;
}

/* CR LF becomes LF; runs of blanks and tabs become one blank. */
static void canonicalize(text *t, bool strict)
{
    size_t n = 0;
    for (size_t i = 0; i < t->len; i++) {
        char c = t->data[i];
        if (c == '\r' && i + 1 < t->len && t->data[i + 1] == '\n')
            continue;
        if (!strict && (c == ' ' || c == '\t')) {
            while (i + 1 < t->len && (t->data[i + 1] == ' ' || t->data[i + 1] == '\t'))
                i++;
            c = ' ';
        }
        t->data[n++] = c;
    }
    t->data[t->len = n] = 0;
}

/* ---- messages ---- */

static int line_of(const text *t, const char *at)
{
    int line = 1;
    for (const char *p = t->data; p < at; p++)
        line += *p == '\n';
    return line;
}

static void show(const char *name, const text *t, const char *at, const char *level,
                 const char *fmt, ...)
{
    const char *start = at, *end = at;
    while (start > t->data && start[-1] != '\n')
        start--;
    while (end < t->data + t->len && *end != '\n')
        end++;
    fprintf(stderr, "%s:%d:%d: %s: ", name, line_of(t, at), (int)(at - start) + 1, level);
    va_list ap;
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fprintf(stderr, "\n%.*s\n%*s^\n", (int)(end - start), start, (int)(at - start), "");
}

static void complain(const filecheck *fc, const pattern *p, const char *message)
{
    const char *name = p->at || p->kind == K_EOF ? fc->check_name : "command line";
    if (p->at)
        show(name, &fc->check_text, p->where, "error", "%s%s: %s", p->prefix, kind_name[p->kind],
             message);
    else
        fprintf(stderr, "%s: error: %s%s: %s: %.*s\n", name, p->prefix, kind_name[p->kind], message,
                (int)p->len, p->where ? p->where : "");
}

static void note_input(const filecheck *fc, const char *at, const char *message)
{
    show(fc->input_name, &fc->input, at, "note", "%s", message);
}

/* ---- variables ---- */

static variable *find_var(filecheck *fc, const char *name, size_t len)
{
    for (size_t i = 0; i < fc->nvar; i++)
        if (strlen(fc->vars[i].name) == len && !memcmp(fc->vars[i].name, name, len))
            return &fc->vars[i];
    return NULL;
}

static void set_var(filecheck *fc, const char *name, size_t len, const char *value, size_t nvalue)
{
    variable *v = find_var(fc, name, len);
    if (!v) {
        fc->vars = grow(fc->vars, (fc->nvar + 1) * sizeof *fc->vars);
        v = &fc->vars[fc->nvar++];
        *v = (variable){.name = copy_text(name, len)};
    }
    free(v->value);
    v->value = copy_text(value, nvalue);
    v->len = nvalue;
}

/* What --enable-var-scope forgets at a label: names that do not begin with $. */
static void clear_local_vars(filecheck *fc)
{
    size_t n = 0;
    for (size_t i = 0; i < fc->nvar; i++) {
        if (fc->vars[i].name[0] == '$') {
            fc->vars[n++] = fc->vars[i];
        } else {
            free(fc->vars[i].name);
            free(fc->vars[i].value);
        }
    }
    fc->nvar = n;
}

/* ---- one pattern ---- */

typedef struct {
    text regex;
    struct {
        const char *name;
        size_t len;
        int group;
    } defs[REGEX_GROUPS];
    int ndef, group;
    bool fixed; /* no regular expression in it: `plain` is the text to find */
    text plain;
} compiled;

static void add_fixed(compiled *c, const char *p, size_t len)
{
    text_add(&c->plain, p, len);
    for (size_t i = 0; i < len; i++) {
        if (p[i] && strchr("()^$|+*?.[]\\{}", p[i]))
            text_add(&c->regex, "\\", 1);
        text_add(&c->regex, p + i, 1);
    }
}

static int count_groups(const char *p, size_t len)
{
    int n = 0;
    for (size_t i = 0; i < len; i++) {
        if (p[i] == '\\')
            i++;
        else if (p[i] == '[') { /* a bracket may hold parentheses */
            size_t j = i + 1;
            if (j < len && p[j] == '^')
                j++;
            if (j < len && p[j] == ']')
                j++;
            while (j < len && p[j] != ']') {
                if (p[j] == '[' && j + 1 < len && p[j + 1] == ':')
                    for (j += 2; j + 1 < len && !(p[j] == ':' && p[j + 1] == ']'); j++)
                        ;
                j++;
            }
            i = j;
        } else if (p[i] == '(')
            n++;
    }
    return n;
}

static size_t find2(const char *p, size_t len, const char *two)
{
    for (size_t i = 0; i + 1 < len; i++)
        if (p[i] == two[0] && p[i + 1] == two[1])
            return i;
    return len;
}

/* The end of [[...]]: brackets inside it are balanced, backslashes escape. */
static size_t find_var_end(const char *p, size_t len)
{
    int depth = 0;
    for (size_t i = 0; i < len; i++) {
        if (depth == 0 && p[i] == ']' && i + 1 < len && p[i + 1] == ']')
            return i;
        if (p[i] == '\\')
            i++;
        else if (p[i] == '[')
            depth++;
        else if (p[i] == ']' && depth > 0)
            depth--;
    }
    return len;
}

/* use ::= '[[' '#'? '@LINE' (('+' | '-') n)? ']]' */
static bool add_line(compiled *c, const pattern *p, const char *body, size_t len)
{
    if (len && *body == '#')
        body++, len--;
    while (len && *body == ' ')
        body++, len--;
    if (len < 5 || memcmp(body, "@LINE", 5))
        return false;
    long value = p->line;
    int sign = 0;
    for (size_t i = 5; i < len; i++) {
        if (body[i] == '+' || body[i] == '-') {
            sign = body[i] == '+' ? 1 : -1;
        } else if (isdigit((unsigned char)body[i]) && sign) {
            long n = 0;
            for (; i < len && isdigit((unsigned char)body[i]) && n < 100000000; i++)
                n = n * 10 + (body[i] - '0');
            i--;
            value += sign * n;
        } else if (body[i] != ' ') {
            return false;
        }
    }
    char number[32];
    int n = snprintf(number, sizeof number, "%ld", value);
    add_fixed(c, number, (size_t)n);
    return true;
}

/* variable ::= '[[' name (':' regex)? ']]' */
static const char *add_variable(filecheck *fc, compiled *c, const pattern *p, const char *body,
                                size_t len)
{
    size_t n = len && *body == '$';
    if (add_line(c, p, body, len))
        return NULL;
    if (len && *body == '#')
        return "numeric variables are not supported";
    if (n >= len || !(isalpha((unsigned char)body[n]) || body[n] == '_'))
        return "invalid variable name";
    while (n < len && (isalnum((unsigned char)body[n]) || body[n] == '_'))
        n++;
    if (n == len) {
        for (int i = c->ndef; i-- > 0;) {
            if (c->defs[i].len == n && !memcmp(c->defs[i].name, body, n)) {
                if (c->defs[i].group > 9)
                    return "can't back-reference more than 9 variables";
                char ref[3] = {'\\', (char)('0' + c->defs[i].group), 0};
                text_add(&c->regex, ref, 2);
                c->fixed = false;
                return NULL;
            }
        }
        const variable *v = find_var(fc, body, n);
        if (!v)
            return "uses an undefined variable";
        add_fixed(c, v->value, v->len);
        return NULL;
    }
    if (body[n] != ':')
        return "invalid name in string variable definition";
    c->fixed = false;
    c->group++;
    if (c->ndef < REGEX_GROUPS) {
        c->defs[c->ndef].name = body;
        c->defs[c->ndef].len = n;
        c->defs[c->ndef++].group = c->group;
    }
    text_add(&c->regex, "(", 1);
    text_add(&c->regex, body + n + 1, len - n - 1);
    text_add(&c->regex, ")", 1);
    c->group += count_groups(body + n + 1, len - n - 1);
    return NULL;
}

/* Turns a pattern into one expression; NULL, or what is wrong with it. */
static const char *compile(filecheck *fc, const pattern *p, compiled *c)
{
    const char *s = p->at ? p->at : p->where;
    size_t len = p->len;
    bool full = fc->full_lines && p->kind != K_NOT;
    const char *error = NULL;
    *c = (compiled){.fixed = !full};
    text_add(&c->plain, "", 0);
    if (full)
        text_add(&c->regex, fc->strict ? "^" : "^ *", fc->strict ? 1 : 3);
    while (len && !error) {
        if (!p->literal && len > 2 && s[0] == '{' && s[1] == '{') {
            size_t n = find2(s + 2, len - 2, "}}");
            if (n == len - 2)
                return "found start of regex string with no end '}}'";
            bool choice = memchr(s + 2, '|', n) != NULL;
            text_add(&c->regex, "(", choice);
            text_add(&c->regex, s + 2, n);
            text_add(&c->regex, ")", choice);
            c->group += count_groups(s + 2, n) + choice;
            c->fixed = false;
            s += n + 4, len -= n + 4;
        } else if (!p->literal && len > 2 && s[0] == '[' && s[1] == '[') {
            size_t n = find_var_end(s + 2, len - 2);
            if (n == len - 2)
                return "invalid substitution block, no ]] found";
            error = add_variable(fc, c, p, s + 2, n);
            s += n + 4, len -= n + 4;
        } else {
            size_t n = 1;
            while (n < len && (p->literal ||
                               !(n + 1 < len && s[n] == s[n + 1] && (s[n] == '{' || s[n] == '['))))
                n++;
            add_fixed(c, s, n);
            s += n, len -= n;
        }
    }
    if (full)
        text_add(&c->regex, fc->strict ? "$" : " *$", fc->strict ? 1 : 3);
    return error;
}

enum found { FOUND, NOT_FOUND, BROKEN };

static enum found match_plain(const text *needle, const char *buffer, size_t len, span *out)
{
    const char *p = buffer, *end = buffer + len;
    for (; needle->len <= (size_t)(end - p); p++) {
        p = needle->len ? memchr(p, needle->data[0], (size_t)(end - p) - needle->len + 1) : p;
        if (!p)
            return NOT_FOUND;
        if (!memcmp(p, needle->data, needle->len)) {
            *out = (span){(size_t)(p - buffer), needle->len};
            return FOUND;
        }
    }
    return NOT_FOUND;
}

static enum found match_regex(filecheck *fc, const pattern *p, compiled *c, const char *buffer,
                              size_t len, span *out)
{
    const char *error = NULL;
    long groups[2 * REGEX_GROUPS];
    regex *re = regex_new(c->regex.data ? c->regex.data : "", c->regex.len, &error);
    if (!re) {
        complain(fc, p, error);
        return BROKEN;
    }
    enum found found = regex_find(re, buffer, len, groups) ? FOUND : NOT_FOUND;
    if (found == FOUND) {
        *out = (span){(size_t)groups[0], (size_t)(groups[1] - groups[0])};
        for (int i = 0; i < c->ndef; i++) {
            int g = c->defs[i].group;
            if (g < REGEX_GROUPS && groups[2 * g] >= 0)
                set_var(fc, c->defs[i].name, c->defs[i].len, buffer + groups[2 * g],
                        (size_t)(groups[2 * g + 1] - groups[2 * g]));
        }
    }
    regex_free(re);
    return found;
}

static enum found match(filecheck *fc, const pattern *p, const char *buffer, size_t len, span *out)
{
    if (p->kind == K_EOF) {
        *out = (span){len, 0};
        return FOUND;
    }
    if (p->kind == K_EMPTY) { /* the match begins after the newline that ends the line before */
        for (size_t i = 0; i < len; i++) {
            if (buffer[i] == '\n' && (i + 1 == len || buffer[i + 1] == '\n')) {
                *out = (span){i + 1, 0};
                return FOUND;
            }
        }
        return NOT_FOUND;
    }
    compiled c;
    const char *error = compile(fc, p, &c);
    enum found found = BROKEN;
    if (error)
        complain(fc, p, error);
    else if (c.fixed)
        found = match_plain(&c.plain, buffer, len, out);
    else
        found = match_regex(fc, p, &c, buffer, len, out);
    free(c.regex.data);
    free(c.plain.data);
    return found;
}

/* ---- checks against the input ---- */

static void not_found(const filecheck *fc, const pattern *p, const char *buffer, size_t len)
{
    while (len && (*buffer == ' ' || *buffer == '\n'))
        buffer++, len--;
    complain(fc, p, "expected string not found in input");
    note_input(fc, buffer, "scanning from here");
    for (size_t i = 0; i < fc->nvar; i++)
        fprintf(stderr, "note: with \"%s\" equal to \"%.*s\"\n", fc->vars[i].name,
                (int)fc->vars[i].len, fc->vars[i].value);
}

static bool check_nots(filecheck *fc, pattern *const *nots, size_t n, const char *buffer,
                       size_t len)
{
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        span m;
        enum found found = match(fc, nots[i], buffer, len, &m);
        if (found == NOT_FOUND)
            continue;
        ok = false;
        if (found == FOUND) {
            complain(fc, nots[i], "excluded string found in input");
            note_input(fc, buffer + m.pos, "found here");
        }
    }
    return ok;
}

/* Places one CHECK-DAG after `start`, off the matches of its group, which stay sorted. */
static bool place_dag(filecheck *fc, pattern *p, const char *buffer, size_t len, size_t start,
                      span **group, size_t *ngroup)
{
    size_t pos = start, at = 0;
    for (;;) {
        span m;
        enum found found = match(fc, p, buffer + pos, len - pos, &m);
        if (found != FOUND) {
            if (found == NOT_FOUND)
                not_found(fc, p, buffer + pos, len - pos);
            return false;
        }
        m.pos += pos;
        bool overlap = false;
        for (; at < *ngroup; at++) {
            size_t end = (*group)[at].pos + (*group)[at].len;
            if (m.pos < end) {
                overlap = (*group)[at].pos < m.pos + m.len;
                break;
            }
        }
        if (!overlap) {
            *group = grow(*group, (*ngroup + 1) * sizeof **group);
            memmove(*group + at + 1, *group + at, (*ngroup - at) * sizeof **group);
            (*group)[at] = m;
            ++*ngroup;
            return true;
        }
        pos = (*group)[at].pos + (*group)[at].len;
    }
}

/* Runs the DAG and NOT lines before a check; the NOTs after the last DAG are left in nots. */
static bool check_dags(filecheck *fc, check *c, const char *buffer, size_t len, size_t *start,
                       pattern **nots, size_t *nnot)
{
    span *group = NULL;
    size_t ngroup = 0;
    bool ok = true;
    *start = 0, *nnot = 0;
    for (size_t i = 0; i < c->nbefore && ok; i++) {
        pattern *p = &c->before[i];
        if (p->kind == K_NOT) {
            nots[(*nnot)++] = p;
            continue;
        }
        ok = place_dag(fc, p, buffer, len, *start, &group, &ngroup);
        if (ok && (i + 1 == c->nbefore || c->before[i + 1].kind == K_NOT)) {
            ok = check_nots(fc, nots, *nnot, buffer + *start,
                            group[0].pos > *start ? group[0].pos - *start : 0);
            *nnot = 0;
            *start = group[ngroup - 1].pos + group[ngroup - 1].len;
            ngroup = 0;
        }
    }
    free(group);
    return ok;
}

static bool check_lines(const filecheck *fc, const pattern *p, const char *skipped, size_t len,
                        const char *match_at)
{
    int lines = 0;
    for (size_t i = 0; i < len; i++)
        lines += skipped[i] == '\n';
    const char *wrong = NULL;
    if ((p->kind == K_NEXT || p->kind == K_EMPTY) && lines == 0)
        wrong = "is on the same line as previous match";
    else if ((p->kind == K_NEXT || p->kind == K_EMPTY) && lines > 1)
        wrong = "is not on the line after the previous match";
    else if (p->kind == K_SAME && lines)
        wrong = "is not on the same line as the previous match";
    if (!wrong)
        return true;
    complain(fc, p, wrong);
    note_input(fc, match_at, "match was here");
    note_input(fc, skipped, "previous match ended here");
    return false;
}

/* One check in a region; on success *out is where it matched. */
static bool run_check(filecheck *fc, check *c, bool scan, const char *buffer, size_t len, span *out)
{
    pattern **nots = grow(NULL, (c->nbefore + 1) * sizeof *nots);
    size_t start = 0, nnot = 0;
    bool ok = scan || check_dags(fc, c, buffer, len, &start, nots, &nnot);
    size_t end = start, first = start;
    for (int i = 0; i < c->pat.count && ok; i++) {
        span m;
        enum found found = match(fc, &c->pat, buffer + end, len - end, &m);
        ok = found == FOUND;
        if (!ok) {
            if (found == NOT_FOUND)
                not_found(fc, &c->pat, buffer + end, len - end);
            break;
        }
        if (i == 0)
            first = end + m.pos;
        end += m.pos + m.len;
    }
    *out = (span){first, end - first};
    if (ok && !scan)
        ok = check_lines(fc, &c->pat, buffer + start, first - start, buffer + first) &&
             check_nots(fc, nots, nnot, buffer + start, first - start);
    free(nots);
    return ok;
}

static bool run_checks(filecheck *fc)
{
    const char *buffer = fc->input.data;
    size_t len = fc->input.len, i = 0, j = 0;
    bool ok = true;
    for (;;) {
        size_t region = len;
        span m;
        while (j < fc->ncheck && fc->checks[j].pat.kind != K_LABEL)
            j++;
        bool last = j == fc->ncheck;
        if (!last) {
            if (!run_check(fc, &fc->checks[j], true, buffer, len, &m))
                return false;
            region = m.pos + m.len;
            j++;
        }
        if (i && fc->var_scope)
            clear_local_vars(fc);
        const char *here = buffer;
        size_t left = region;
        for (; i < j; i++) {
            if (!run_check(fc, &fc->checks[i], false, here, left, &m)) {
                ok = false;
                i = j;
                break;
            }
            here += m.pos + m.len, left -= m.pos + m.len;
        }
        if (last)
            return ok;
        buffer += region, len -= region;
    }
}

/* ---- reading the check file ---- */

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '_';
}

/* suffix ::= '' | '-NEXT' | ... | '-COUNT-' n, then '{LITERAL}'?, then ':'. Returns its length, 0 if none. */
static size_t read_suffix(const char *s, pattern *p)
{
    size_t n = 0;
    p->kind = K_CHECK, p->count = 1, p->literal = false;
    if (!strncmp(s, "-COUNT-", 7)) {
        char *end;
        long count = strtol(s + 7, &end, 10);
        if (end == s + 7 || count < 1 || count > 1000000)
            return 0;
        p->count = (int)count;
        n = (size_t)(end - s);
    } else if (*s == '-') {
        for (int k = K_NEXT; k <= K_EMPTY; k++) {
            size_t len = strlen(kind_name[k]);
            if (!strncmp(s, kind_name[k], len) && (s[len] == ':' || s[len] == '{')) {
                p->kind = (enum kind)k;
                n = len;
                break;
            }
        }
        if (!n)
            return 0;
    }
    if (!strncmp(s + n, "{LITERAL}", 9)) {
        p->literal = true;
        n += 9;
    }
    return s[n] == ':' ? n + 1 : 0;
}

/* The first directive on a line; false if there is none, or a comment (COM:, RUN:) comes first. */
static bool find_directive(const filecheck *fc, const char *line, const char *end, pattern *out)
{
    for (const char *p = line; p < end; p++) {
        if (p > line && is_name(p[-1]))
            continue;
        if (!strncmp(p, "COM:", 4) || !strncmp(p, "RUN:", 4))
            return false;
        for (int i = 0; i < fc->nprefix; i++) {
            size_t len = strlen(fc->prefixes[i]);
            if (strncmp(p, fc->prefixes[i], len))
                continue;
            size_t n = read_suffix(p + len, out);
            if (!n)
                continue;
            out->prefix = fc->prefixes[i];
            out->at = p + len + n;
            out->len = (size_t)(end - out->at);
            return true;
        }
    }
    return false;
}

static bool fits(const filecheck *fc, const pattern *p)
{
    if (p->kind == K_EMPTY && p->len) {
        complain(fc, p, "found non-empty check string for empty check");
        return false;
    }
    if (p->kind != K_EMPTY && p->len == 0) {
        complain(fc, p, "found empty check string");
        return false;
    }
    if ((p->kind == K_NEXT || p->kind == K_SAME || p->kind == K_EMPTY) && fc->ncheck == 0) {
        complain(fc, p, "found without a previous check line");
        return false;
    }
    if (p->kind == K_LABEL && find2(p->at, p->len, "[[") < p->len) {
        complain(fc, p, "found with variable definition or use");
        return false;
    }
    return true;
}

static void add_before(pattern **list, size_t *n, pattern p)
{
    *list = grow(*list, (*n + 1) * sizeof **list);
    (*list)[(*n)++] = p;
}

static void start_before(const filecheck *fc, pattern **list, size_t *n)
{
    *list = NULL, *n = 0;
    for (int i = 0; i < fc->nimplicit; i++)
        add_before(list, n,
                   (pattern){.kind = K_NOT,
                             .prefix = "IMPLICIT-CHECK",
                             .where = fc->implicit[i],
                             .len = strlen(fc->implicit[i]),
                             .count = 1});
}

static void add_check(filecheck *fc, pattern p, pattern *before, size_t nbefore)
{
    fc->checks = grow(fc->checks, (fc->ncheck + 1) * sizeof *fc->checks);
    fc->checks[fc->ncheck++] = (check){p, before, nbefore};
}

static bool read_checks(filecheck *fc)
{
    pattern *before;
    size_t nbefore, found = 0;
    int line = 0;
    start_before(fc, &before, &nbefore);
    for (const char *s = fc->check_text.data, *stop = s + fc->check_text.len; s < stop;) {
        const char *end = memchr(s, '\n', (size_t)(stop - s));
        if (!end)
            end = stop;
        pattern p = {0};
        line++;
        if (find_directive(fc, s, end, &p)) {
            found++;
            p.line = line;
            if (!(fc->strict && fc->full_lines)) {
                while (p.len && (*p.at == ' ' || *p.at == '\t'))
                    p.at++, p.len--;
                while (p.len && (p.at[p.len - 1] == ' ' || p.at[p.len - 1] == '\t'))
                    p.len--;
            }
            p.where = p.at;
            if (!fits(fc, &p)) {
                free(before);
                return false;
            }
            if (p.kind == K_DAG || p.kind == K_NOT) {
                add_before(&before, &nbefore, p);
            } else {
                add_check(fc, p, before, nbefore);
                start_before(fc, &before, &nbefore);
            }
        }
        s = end + 1;
    }
    if (!found) {
        fprintf(stderr, "%s: error: no check strings found with prefix '%s:'\n", fc->check_name,
                fc->prefixes[0]);
        free(before);
        return false;
    }
    if (nbefore)
        add_check(fc, (pattern){.kind = K_EOF, .prefix = fc->prefixes[0], .count = 1}, before,
                  nbefore);
    else
        free(before);
    return true;
}

/* ---- command line ---- */

static bool flag(const char *arg, const char *name)
{
    return !strcmp(arg, name);
}

/* The value of --name=value, or of --name value. */
static const char *value_of(const char *arg, const char *name, char **argv, int argc, int *i)
{
    size_t n = strlen(name);
    if (strncmp(arg, name, n))
        return NULL;
    if (arg[n] == '=')
        return arg + n + 1;
    if (arg[n] == 0 && *i + 1 < argc)
        return argv[++*i];
    return NULL;
}

static bool add_prefixes(filecheck *fc, const char *list)
{
    for (;;) {
        size_t n = strcspn(list, ",");
        if (n == 0 || fc->nprefix == 64)
            return false;
        fc->prefixes[fc->nprefix++] = copy_text(list, n);
        if (!list[n])
            return true;
        list += n + 1;
    }
}

static bool read_flag(filecheck *fc, int argc, char **argv, int *i)
{
    const char *arg = argv[*i], *v;
    if (arg[0] != '-' || !arg[1]) {
        if (fc->check_name)
            return false;
        fc->check_name = arg;
        return true;
    }
    arg += 1 + (arg[1] == '-');
    if (flag(arg, "match-full-lines"))
        return fc->full_lines = true;
    if (flag(arg, "strict-whitespace"))
        return fc->strict = true;
    if (flag(arg, "allow-empty"))
        return fc->allow_empty = true;
    if (flag(arg, "enable-var-scope"))
        return fc->var_scope = true;
    if (flag(arg, "v") || flag(arg, "vv") || flag(arg, "dump-input-filter"))
        return true;
    if ((v = value_of(arg, "check-prefixes", argv, argc, i)) ||
        (v = value_of(arg, "check-prefix", argv, argc, i)))
        return add_prefixes(fc, v);
    if ((v = value_of(arg, "input-file", argv, argc, i))) {
        fc->input_name = v;
        return true;
    }
    if ((v = value_of(arg, "implicit-check-not", argv, argc, i))) {
        if (fc->nimplicit == 64)
            return false;
        fc->implicit[fc->nimplicit++] = copy_text(v, strlen(v));
        return true;
    }
    if ((v = value_of(arg, "dump-input", argv, argc, i)))
        return true;
    if (arg[0] == 'D' && strchr(arg, '=')) {
        const char *eq = strchr(arg, '=');
        set_var(fc, arg + 1, (size_t)(eq - arg - 1), eq + 1, strlen(eq + 1));
        return true;
    }
    return false;
}

static int finish(filecheck *fc, int code)
{
    for (size_t i = 0; i < fc->ncheck; i++)
        free(fc->checks[i].before);
    for (size_t i = 0; i < fc->nvar; i++) {
        free(fc->vars[i].name);
        free(fc->vars[i].value);
    }
    for (int i = 0; i < fc->nprefix; i++)
        free(fc->prefixes[i]);
    for (int i = 0; i < fc->nimplicit; i++)
        free(fc->implicit[i]);
    free(fc->checks);
    free(fc->vars);
    free(fc->check_text.data);
    free(fc->input.data);
    return code;
}

/* The flags in FILECHECK_OPTS come first. */
static bool read_flags(filecheck *fc, int argc, char **argv, char *opts)
{
    char *words[64];
    int n = 0;
    for (char *w = opts ? strtok(opts, " ") : NULL; w && n < 64; w = strtok(NULL, " "))
        words[n++] = w;
    for (int i = 0; i < n; i++) {
        if (!read_flag(fc, n, words, &i)) {
            fprintf(stderr, "FileCheck: error: unknown option '%s' in FILECHECK_OPTS\n", words[i]);
            return false;
        }
    }
    for (int i = 1; i < argc; i++) {
        if (!read_flag(fc, argc, argv, &i)) {
            fprintf(stderr, "FileCheck: error: unknown option '%s'\n", argv[i]);
            return false;
        }
    }
    return true;
}

/* Exit 0: all checks hold; 1: one does not, or is malformed; 2: usage. */
int filecheck_main(int argc, char **argv)
{
    filecheck fc = {.input_name = "-"};
    const char *env = getenv("FILECHECK_OPTS");
    char *opts = env ? copy_text(env, strlen(env)) : NULL;
    bool ok = read_flags(&fc, argc, argv, opts);
    if (ok && !fc.check_name) {
        fprintf(stderr, "usage: FileCheck [options] check-file < input\n");
        ok = false;
    }
    if (ok && (!read_all(fc.check_name, &fc.check_text) || !read_all(fc.input_name, &fc.input))) {
        fprintf(stderr, "FileCheck: error: cannot read '%s'\n",
                fc.check_text.data ? fc.input_name : fc.check_name);
        ok = false;
    }
    if (ok && fc.input.len == 0 && !fc.allow_empty) {
        fprintf(stderr, "FileCheck: error: '%s' is empty.\n",
                strcmp(fc.input_name, "-") ? fc.input_name : "<stdin>");
        ok = false;
    }
    if (!ok) {
        free(opts);
        return finish(&fc, 2);
    }
    if (!fc.nprefix)
        add_prefixes(&fc, "CHECK");
    canonicalize(&fc.check_text, fc.strict);
    canonicalize(&fc.input, fc.strict);
    if (!strcmp(fc.input_name, "-"))
        fc.input_name = "<stdin>";
    int code = !read_checks(&fc) ? 2 : run_checks(&fc) ? 0 : 1;
    free(opts);
    return finish(&fc, code);
}
