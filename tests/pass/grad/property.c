/* SPDX-License-Identifier: Apache-2.0 */
/* property.c - derivatives of every op against finite differences in f64, on random shapes and
 * values.
 *
 * A case is a module with a function @f, in a file of cases that are parted by `// -----` lines.
 * In its text $m, $n, ... are random sizes, $(m + 2 * n) is computed from them, and $T is an
 * element type. Lines before it may say
 *   // SIZES: m 1 3      the range of a size (default 1 to 4)
 *   // DOMAIN: 0 0.5 2   the range of argument 0 (default -1.5 to 1.5; of integers 0 to 3)
 *   // ALSO: complex     the case runs with complex numbers, too
 *   // STAIRS            values are rounded: finite differences say nothing
 *   // OPTIONS: ...      of the pass in reverse mode
 *   // WRT: 0            only these arguments are differentiated
 *   // GRID: 1 4         @f runs on 1 x 4 processes (replicas, partitions), each with inputs of its own
 * For random x, u, v:  f_jvp(x, u) = (f(x), (f(x + h u) - f(x - h u)) / 2 h),  <v, f_jvp> = <f_grad(x, v), u>.
 *
 * With --mesh, f_jvp and f_grad also run divided among four devices, their arguments sharded at random, and give the same.
 *
 * USAGE: property [--seed N] [--rounds N] [--cover] [--mesh] FILE...   --cover: every op with a rule must be in some case */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "property.h"

/* ---- Random numbers ---- */

uint64_t next_bits(run_state *r)
{
    uint64_t z = r->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static double uniform(run_state *r, double low, double high)
{
    return low + (high - low) * ((double)(next_bits(r) >> 11) * 0x1p-53);
}

/* ---- Cases ---- */

/* expression ::= term (('+' | '-') term)*   term ::= factor (('*' | '/') factor)*   factor ::= number | size | '(' ... ')' */
static int64_t expression(const test_case *c, const char **s);

static int64_t factor(const test_case *c, const char **s)
{
    while (**s == ' ')
        ++*s;
    if (**s == '(') {
        ++*s;
        int64_t v = expression(c, s);
        if (**s == ')')
            ++*s;
        return v;
    }
    if (**s >= 'a' && **s <= 'z')
        return c->size[*(*s)++ - 'a'];
    return strtoll(*s, (char **)s, 10);
}

static char operator_at(const char **s)
{
    while (**s == ' ')
        ++*s;
    return **s;
}

static int64_t term(const test_case *c, const char **s)
{
    int64_t v = factor(c, s);
    for (char op; (op = operator_at(s)) == '*' || op == '/';) {
        ++*s;
        int64_t w = factor(c, s);
        v = op == '*' ? v * w : w ? v / w : 0;
    }
    return v;
}

static int64_t expression(const test_case *c, const char **s)
{
    int64_t v = term(c, s);
    for (char op; (op = operator_at(s)) == '+' || op == '-';) {
        ++*s;
        int64_t w = term(c, s);
        v = op == '+' ? v + w : v - w;
    }
    return v;
}

static void instantiate(const test_case *c, const run_state *r, tsr_buf *out)
{
    char text[MAX_TEXT];
    size_t n = c->text.len < MAX_TEXT - 1 ? c->text.len : MAX_TEXT - 1;
    memcpy(text, c->text.data, n);
    text[n] = 0;
    for (const char *s = text; *s;) {
        if (*s != '$') {
            tsr_buf_char(out, *s++);
        } else if (s[1] == 'T') {
            tsr_buf_cstr(out, r->is_complex ? "complex<f64>" : "f64");
            s += 2;
        } else {
            s++;
            tsr_buf_int(out, factor(c, &s));
        }
    }
}

static void read_directive(test_case *c, const char *line)
{
    char name[32], letter;
    int arg;
    double low, high;
    if (sscanf(line, "// SIZES: %c %lf %lf", &letter, &low, &high) == 3 && letter >= 'a' &&
        letter <= 'z')
        c->sizes[letter - 'a'] = (range){low, high, true};
    else if (sscanf(line, "// DOMAIN: %d %lf %lf", &arg, &low, &high) == 3 && arg >= 0 &&
             arg < MAX_ARGS)
        c->domain[arg] = (range){low, high, true};
    else if (sscanf(line, "// ALSO: %31s", name) == 1)
        c->complex = strcmp(name, "complex") == 0;
    else if (strncmp(line, "// GRID: ", 9) == 0)
        sscanf(line, "// GRID: %d %d", &c->replicas, &c->partitions);
    else if (strncmp(line, "// STAIRS", 9) == 0)
        c->stairs = true;
    else if (strncmp(line, "// OPTIONS: ", 12) == 0)
        snprintf(c->options, sizeof c->options, "%s", line + 12);
    else if (strncmp(line, "// WRT: ", 8) == 0) {
        c->has_wrt = true;
        for (const char *s = line + 8; *s; s++)
            if (*s >= '0' && *s <= '9')
                c->wrt[*s - '0'] = true;
    }
}

/* ---- Tensors ---- */

static bool describe(tsr_type *t, vec *v)
{
    tsr_type *elem = tsr_type_element(t);
    *v = (vec){.n = 1};
    if (!elem)
        return false;
    tsr_str text = tsr_type_print(elem);
    snprintf(v->type, sizeof v->type, "%.*s", TSR_STR_ARG(text));
    tsr_free((void *)text.data);
    v->rank = (size_t)tsr_type_rank(t);
    for (size_t i = 0; i < v->rank; i++)
        v->n *= v->dims[i] = tsr_type_dim(t, i);
    v->complex = v->type[0] == 'c';
    v->n *= v->complex ? 2 : 1;
    return v->rank < 16;
}

static bool is_smooth(const vec *v)
{
    return v->type[0] == 'f' || v->complex;
}

static tsr_tensor *to_tensor(tsr_ctx *ctx, const vec *v, const double *values)
{
    int64_t integers[4096] = {0};
    size_t width = v->type[0] == 'i' || v->type[0] == 'u'
                       ? (size_t)atoi(v->type + (v->type[0] == 'i' ? 1 : 2))
                       : 64;
    const void *data = values;
    if (!is_smooth(v)) {
        char *p = (char *)integers;
        size_t bytes = width <= 8 ? 1 : width / 8;
        for (int64_t i = 0; i < v->n && i < 4096; i++) {
            int64_t whole = (int64_t)values[i];
            memcpy(p + (size_t)i * bytes, &whole, bytes);
        }
        data = integers;
    }
    return tsr_tensor_create(ctx, tsr_cstr(v->type), v->dims, v->rank, data, NULL);
}

/* ---- One case ---- */

bool call(trial *t, const char *name, tsr_tensor **in, size_t nin, tsr_tensor **out, size_t nout)
{
    tsr_status s = {TSR_OK, ""};
    char full[64];
    snprintf(full, sizeof full, "%s%s", t->prefix, name);
    if (tsr_module_eval(t->m, tsr_cstr(full), in, nin, out, nout, &s))
        return true;
    snprintf(t->why, sizeof t->why, "%s does not run: %.400s", name, s.message);
    return false;
}

void drop(tsr_tensor **v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        tsr_tensor_free(v[i]);
}

/* f at x + h u. */
static bool eval_at(trial *t, double h, tsr_tensor **out)
{
    tsr_tensor *in[MAX_ARGS];
    for (size_t i = 0; i < t->nin; i++) {
        double *at = malloc((size_t)(t->in[i].n + 1) * sizeof *at);
        for (int64_t k = 0; k < t->in[i].n; k++)
            at[k] = t->x[i][k] + (is_smooth(&t->in[i]) && t->wrt[i] ? h * t->u[i][k] : 0);
        in[i] = to_tensor(t->ctx, &t->in[i], at);
        free(at);
    }
    bool ok = call(t, "f", in, t->nin, out, t->nout);
    drop(in, t->nin);
    return ok;
}

static double close_to(double got, double want, double scale)
{
    return fabs(got - want) / (fabs(want) + scale);
}

static bool check(trial *t, const test_case *c, run_state *r)
{
    tsr_tensor *in[2 * MAX_ARGS], *primal[MAX_ARGS], *up[MAX_ARGS], *down[MAX_ARGS],
        *jvp[2 * MAX_ARGS], *grad[MAX_ARGS];
    if (!eval_at(t, 0, primal))
        return false;
    /* Forward. */
    size_t nin = 0, ngrad = 0;
    for (size_t i = 0; i < t->nin; i++)
        in[nin++] = to_tensor(t->ctx, &t->in[i], t->x[i]);
    for (size_t i = 0; i < t->nin; i++)
        if (t->wrt[i])
            in[nin++] = to_tensor(t->ctx, &t->in[i], t->u[i]);
    bool ok = call(t, "f_jvp", in, nin, jvp, 2 * t->nout), mesh = r->mesh && !c->replicas;
    if (ok && mesh && !same_on_mesh(t, r, "f_jvp", in, nin, jvp, 2 * t->nout)) {
        drop(jvp, 2 * t->nout);
        ok = false;
    }
    drop(in + t->nin, nin - t->nin);
    nin = t->nin;
    /* Reverse. */
    for (size_t i = 0; i < t->nout; i++)
        in[nin++] = to_tensor(t->ctx, &t->out[i], t->v[i]);
    for (size_t i = 0; i < t->nin; i++)
        ngrad += t->wrt[i];
    bool reverse = ok && call(t, "f_grad", in, nin, grad, ngrad);
    if (reverse && mesh && !same_on_mesh(t, r, "f_grad", in, nin, grad, ngrad)) {
        drop(grad, ngrad);
        reverse = false;
    }
    drop(in, nin);
    if (ok && !reverse)
        drop(jvp, 2 * t->nout);
    ok = reverse;
    if (!ok) {
        drop(primal, t->nout);
        return false;
    }
    const double h = 1e-5;
    bool fd = !c->stairs && eval_at(t, h, up);
    if (fd && !eval_at(t, -h, down)) {
        drop(up, t->nout);
        fd = false;
    }
    double left = 0, right = 0, size = 0;
    for (size_t i = 0; ok && i < t->nout; i++) {
        if (!is_smooth(&t->out[i]))
            continue;
        const double *a = tsr_tensor_data(primal[i]), *b = tsr_tensor_data(jvp[i]),
                     *d = tsr_tensor_data(jvp[t->nout + i]);
        const double *p = fd ? tsr_tensor_data(up[i]) : NULL,
                     *q = fd ? tsr_tensor_data(down[i]) : NULL;
        double norm = 0;
        for (int64_t k = 0; k < t->out[i].n; k++)
            norm = fmax(norm, fabs(d[k]));
        for (int64_t k = 0; ok && k < t->out[i].n; k++) {
            double sign = t->out[i].complex && k % 2 ? -1 : 1; /* Re(v d) */
            left += sign * t->v[i][k] * d[k];
            size += fabs(t->v[i][k] * d[k]);
            double slope = fd ? (p[k] - q[k]) / (2 * h) : d[k];
            if (!(close_to(b[k], a[k], 1) < 1e-9))
                ok = (snprintf(t->why, sizeof t->why, "result %zu[%lld]: f %.12g, f_jvp %.12g", i,
                               (long long)k, a[k], b[k]),
                      false);
            else if (!(close_to(d[k], slope, 1 + norm) < 2e-5))
                ok = (snprintf(t->why, sizeof t->why,
                               "tangent %zu[%lld]: %.12g, finite differences %.12g", i,
                               (long long)k, d[k], slope),
                      false);
        }
    }
    for (size_t i = 0, g = 0; ok && i < t->nin; i++) {
        if (!t->wrt[i])
            continue;
        const double *d = tsr_tensor_data(grad[g]);
        if (is_smooth(&t->in[i]))
            for (int64_t k = 0; k < t->in[i].n; k++) {
                double sign = t->in[i].complex && k % 2 ? -1 : 1;
                right += sign * d[k] * t->u[i][k];
                size += fabs(d[k] * t->u[i][k]);
            }
        g++;
    }
    if (ok && !(fabs(left - right) <= (c->stairs ? 1e-2 : 1e-9) * (1 + size)))
        ok = (snprintf(t->why, sizeof t->why, "<v, J u> = %.15g, <J^T v, u> = %.15g", left, right),
              false);
    drop(primal, t->nout);
    drop(jvp, 2 * t->nout);
    drop(grad, ngrad);
    if (fd) {
        drop(up, t->nout);
        drop(down, t->nout);
    }
    return ok;
}

static void on_diag(void *user, const tsr_diag *d)
{
    trial *t = user;
    if (d->severity == TSR_ERROR && !t->why[0])
        snprintf(t->why, sizeof t->why, "%u:%u: %.*s", d->line, d->col, TSR_STR_ARG(d->message));
}

static bool differentiate(trial *t, const test_case *c, const char *mode)
{
    char text[512], wrt[64] = "";
    size_t at = 0;
    for (size_t i = 0; c->has_wrt && i < MAX_ARGS; i++)
        if (c->wrt[i])
            at += (size_t)snprintf(wrt + at, sizeof wrt - at, "%s%zu", at ? "," : " wrt=", i);
    snprintf(text, sizeof text, "tessera-autodiff{mode=%s function=f%s %s}", mode, wrt,
             strcmp(mode, "reverse") == 0 ? c->options : "");
    return tsr_module_run(t->m, tsr_cstr(text)) && tsr_module_verify(t->m);
}

static void draw(trial *t, const test_case *c, run_state *r, size_t i, vec v, bool arg, size_t of)
{
    size_t bytes = (size_t)(v.n + 1) * sizeof(double);
    double *first = malloc(bytes), *second = malloc(bytes);
    bool given = arg && c->domain[of].set, smooth = is_smooth(&v);
    double low = given    ? c->domain[of].low
                 : smooth ? -1.5
                          : 0,
           high = given    ? c->domain[of].high
                  : smooth ? 1.5
                           : 4;
    for (int64_t e = 0; e < v.n; e++) {
        first[e] = uniform(r, low, high);
        if (!smooth)
            first[e] = arg ? floor(first[e]) : 0;
        second[e] = smooth ? uniform(r, -1, 1) : 0;
    }
    if (arg) {
        t->in[i] = v;
        t->x[i] = first;
        t->u[i] = second;
        t->wrt[i] = !c->has_wrt || c->wrt[of];
    } else {
        t->out[i] = v;
        t->v[i] = second;
        free(first);
    }
}

static bool prepare(trial *t, const test_case *c, run_state *r, tsr_str text)
{
    t->m = tsr_module_parse(t->ctx, text, tsr_cstr("case"));
    if (!t->m || !tsr_module_signature(t->m, TSR_STR("f"), &t->nin, &t->nout) ||
        t->nin > MAX_ARGS || t->nout > MAX_ARGS)
        return false;
    if (!differentiate(t, c, "reverse") || !differentiate(t, c, "forward"))
        return false;
    vec in[MAX_ARGS], out[MAX_ARGS];
    for (size_t i = 0; i < t->nin; i++)
        if (!describe(tsr_module_input_type(t->m, TSR_STR("f"), i), &in[i]))
            return false;
    for (size_t i = 0; i < t->nout; i++)
        if (!describe(tsr_module_output_type(t->m, TSR_STR("f"), i), &out[i]))
            return false;
    bool grid = c->replicas > 0;
    size_t n = grid ? (size_t)(c->replicas * c->partitions) : 1;
    if (grid && !spread_over_grid(t, c))
        return false;
    for (size_t k = 0; k < n * t->nin; k++)
        draw(t, c, r, k, in[k % t->nin], true, k % t->nin);
    for (size_t k = 0; k < n * t->nout; k++)
        draw(t, c, r, k, out[k % t->nout], false, 0);
    t->nin *= n;
    t->nout *= n;
    return true;
}

static void run_case(test_case *c, run_state *r)
{
    tsr_buf text = {0};
    trial t = {.ctx = tsr_ctx_new(), .prefix = ""};
    tsr_ctx_on_diag(t.ctx, on_diag, &t);
    for (int i = 0; i < 26; i++) {
        range s = c->sizes[i].set ? c->sizes[i] : (range){1, 4, true};
        c->size[i] = (int64_t)s.low + (int64_t)(next_bits(r) % (uint64_t)(s.high - s.low + 1));
    }
    uint64_t seed = r->state;
    instantiate(c, r, &text);
    bool ok = prepare(&t, c, r, tsr_buf_text(&text)) && check(&t, c, r);
    r->passed += ok;
    r->failed += !ok;
    if (!ok) {
        printf("%s:%d: %s (state %llu)\n%.*s\n", c->file, c->line, t.why[0] ? t.why : "not a case",
               (unsigned long long)seed, TSR_STR_ARG(tsr_buf_text(&text)));
        if (t.m && getenv("SHOW")) {
            tsr_str shown = tsr_module_print(t.m, NULL);
            printf("%.*s\n", TSR_STR_ARG(shown));
            tsr_free((void *)shown.data);
        }
    }
    for (size_t i = 0; i < MAX_ARGS; i++) {
        free(t.x[i]);
        free(t.u[i]);
        free(t.v[i]);
    }
    tsr_module_free(t.m);
    tsr_ctx_free(t.ctx);
    tsr_buf_free(&text);
}

/* ---- Files ---- */

static void run_piece(const char *file, int line, tsr_str text, run_state *r)
{
    test_case c = {.file = file, .line = line, .text = text};
    for (size_t at = 0; at < text.len;) {
        char buf[256];
        const char *end = memchr(text.data + at, '\n', text.len - at);
        size_t n = end ? (size_t)(end - text.data) - at : text.len - at;
        snprintf(buf, sizeof buf, "%.*s", (int)n, text.data + at);
        read_directive(&c, buf);
        at += n + 1;
    }
    r->is_complex = false;
    run_case(&c, r);
    if (c.complex) {
        r->is_complex = true;
        run_case(&c, r);
    }
}

static bool read_file(const char *path, tsr_buf *out)
{
    FILE *f = fopen(path, "rb");
    char buf[4096];
    size_t n;
    if (!f)
        return false;
    while ((n = fread(buf, 1, sizeof buf, f)) > 0)
        tsr_buf_str(out, tsr_str_of(buf, n));
    fclose(f);
    return true;
}

static void run_file(const char *path, tsr_str text, run_state *r)
{
    int line = 1, start = 1;
    size_t from = 0;
    for (size_t at = 0; at < text.len; line++) {
        const char *end = memchr(text.data + at, '\n', text.len - at);
        size_t next = end ? (size_t)(end - text.data) + 1 : text.len;
        if (tsr_str_starts(tsr_str_of(text.data + at, next - at), "// -----")) {
            run_piece(path, start, tsr_str_of(text.data + from, at - from), r);
            from = next;
            start = line + 1;
        }
        at = next;
    }
    run_piece(path, start, tsr_str_of(text.data + from, text.len - from), r);
}

/* ---- Which ops have rules ---- */

static const struct {
    const char *name, *partial;
    bool vjp, unfold;
} ops[] = {
#define OP(id, text, traits) \
    {                        \
        .name = text,
#define PARTIAL(fn) .partial = #fn,
#define VJP(fn) .vjp = true,
#define UNFOLD(fn) .unfold = true,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

static bool has_rule(size_t i)
{
    return (ops[i].partial && strcmp(ops[i].partial, "zero") != 0) || ops[i].vjp || ops[i].unfold;
}

/* Whether some case has the op: its name, and then nothing that goes on with it. */
static bool is_covered(const char *name, tsr_str text)
{
    size_t n = strlen(name);
    for (size_t i = 0; i + n < text.len; i++) {
        char after = text.data[i + n];
        bool more = (after >= 'a' && after <= 'z') || (after >= '0' && after <= '9') ||
                    after == '_' || after == '-';
        if (text.data[i] == name[0] && memcmp(text.data + i, name, n) == 0 && !more)
            return true;
    }
    return strcmp(name, "func.call") == 0 && is_covered("call @g", text);
}

int main(int argc, char **argv)
{
    run_state r = {.state = 1};
    int rounds = 1;
    bool cover = false;
    tsr_buf all = {0};
    uint64_t seed = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            rounds = atoi(argv[++i]);
        else if (strcmp(argv[i], "--cover") == 0)
            cover = true;
        else if (strcmp(argv[i], "--mesh") == 0)
            r.mesh = true;
        else {
            tsr_buf text = {0};
            if (!read_file(argv[i], &text)) {
                printf("cannot read %s\n", argv[i]);
                r.failed++;
            }
            for (int k = 0; k < rounds; k++) {
                r.state = (seed + (uint64_t)k) * 0x2545F4914F6CDD1Du;
                run_file(argv[i], tsr_buf_text(&text), &r);
            }
            tsr_buf_str(&all, tsr_buf_text(&text));
            tsr_buf_free(&text);
        }
    }
    for (size_t i = 0; cover && i < sizeof ops / sizeof *ops; i++)
        if (has_rule(i) && !is_covered(ops[i].name, tsr_buf_text(&all))) {
            printf("%s has a rule and no case\n", ops[i].name);
            r.failed++;
        }
    tsr_buf_free(&all);
    printf("%d passed, %d failed\n", r.passed, r.failed);
    return r.failed ? 1 : 0;
}
