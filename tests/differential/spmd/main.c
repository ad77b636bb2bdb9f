/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - random differential test of the partitioner: a program on a mesh computes what it
 * computes undivided.
 *
 *     spmd [--count N] [--seed S] [--seconds T] [--cells N] [--ops a,b] [--save DIR] [--print] [--table] [--compiled] [--compiled-mesh]
 *          [--device NAME [--tf32]]
 *
 * Programs follow from their number. Each runs undivided and, partitioned, on up to eight virtual
 * devices; results are equal bit by bit (zeros of both signs are equal, NaNs are), or, where
 * rounded sums may differ in order, within
 *
 *     4 * eps * (steps + 4) * max(1, bound)
 *
 * where eps is the element type's, steps the number of elements that were summed on the way, and
 * bound the largest magnitude that the value can have. --cells makes a program for each op and
 * each kind of sharding, N times. A program that fails, crashes or hangs is shrunk and written to
 * DIR, with the command line that shows the mismatch.
 *
 * --device: programs run undivided on a device, their products in full precision. --tf32: products are
 * as they are, and the device may round their f32 factors to 2^-11: a result may be off by 2^-10 of its bound for each
 * product of the program. */
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device.h"
#include "program.h"

enum { LIMIT = 30 }; /* seconds that one program may take */

/* What a child tells its parent. */
typedef struct {
    uint64_t index;                         /* program at hand */
    bool divided;                           /* it ran undivided */
    uint64_t passed, failed, refused;       /* refused: does not run undivided, and failed */
    uint64_t compared, exact;               /* results, and those of them that had to be equal */
    uint32_t cells[512][KINDS], never[512]; /* how often; kinds that an op cannot have */
    char message[2048];
} report;

static report *shared;

#ifdef TSR_SEEDED_BUGS
extern int tsr_seeded_bug; /* rules that are wrong on purpose (src/shard/core/seeded_bugs.h) */
int tsr_seeded_bug;
#endif

typedef struct {
    uint64_t seed, count, first;
    uint64_t failures; /* enough of them */
    double seconds;
    int cells;
    int ops[64], nop;
    const char *save;
    bool print, table, show_text;
} options;

/* --compiled: programs are compared with themselves compiled, undivided, instead of with their parts. --compiled-mesh: their parts
 * run compiled. */
static bool compiled, undivided;

static const char *device; /* its name; NULL: this processor */
static bool tf32;

/* ---- Inputs ---- */

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint32_t float_bits(double x)
{
    float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* Of a small integer. */
static uint16_t half_bits(double x)
{
    uint32_t f = float_bits(x);
    if (x == 0)
        return (uint16_t)(f >> 16);
    return (uint16_t)((f >> 16 & 0x8000) | ((f >> 23 & 255) - 112) << 10 | (f >> 13 & 1023));
}

static uint64_t random_of(const program *p, int id, int64_t i)
{
    return mix(p->seed * 1000003u + (uint64_t)id * 7919u + (uint64_t)i * 104729u + 12345u);
}

/* A small integer. Of some floats all zeros are negative, of some a part of them, and of some whole rows are -0. */
static double element_of(const program *p, int id, int64_t i)
{
    enum { ALL, SOME, ROWS, KINDS_OF_ZEROS = 8 };
    const value *v = &p->values[id];
    uint64_t r = random_of(p, id, i), zeros = random_of(p, id, -1) % KINDS_OF_ZEROS;
    int64_t x = v->low + (int64_t)(r % (uint64_t)(v->high - v->low + 1)),
            row = v->s.rank && v->s.d[v->s.rank - 1] ? i / v->s.d[v->s.rank - 1] : i;
    if ((!is_float(v->e) && v->e != C64) || v->low > 0 || v->high < 0 || zeros > ROWS)
        return (double)x;
    if (zeros == ROWS && random_of(p, id, -2 - row) >> 32 & 1)
        return -0.0;
    return x == 0 && (zeros == ALL || r >> 40 & 1) ? -0.0 : (double)x;
}

static void put_element(const value *v, void *data, int64_t i, double x, double y)
{
    switch (v->e) {
    case F32: ((float *)data)[i] = (float)x; break;
    case F64: ((double *)data)[i] = x; break;
    case BF16: ((uint16_t *)data)[i] = (uint16_t)(float_bits(x) >> 16); break;
    case F16: ((uint16_t *)data)[i] = half_bits(x); break;
    case I32:
    case U32: ((int32_t *)data)[i] = (int32_t)x; break;
    case I64:
    case U64: ((int64_t *)data)[i] = (int64_t)x; break;
    case C64:
        ((float *)data)[2 * i] = (float)x;
        ((float *)data)[2 * i + 1] = (float)y;
        break;
    default: ((int8_t *)data)[i] = (int8_t)x; break;
    }
}

static tsr_tensor *input_of(tsr_ctx *ctx, const program *p, int id)
{
    const value *v = &p->values[id];
    int64_t n = elements(&v->s);
    void *data = calloc((size_t)n + 1, 8);
    for (int64_t i = 0; i < n; i++)
        put_element(v, data, i, element_of(p, id, i), element_of(p, id, i + n));
    tsr_status status = {0};
    tsr_tensor *t = tsr_tensor_create(ctx, tsr_cstr(elem_names[v->e]), v->s.d, (size_t)v->s.rank,
                                      data, &status);
    free(data);
    return t;
}

/* ---- One program ---- */

__attribute__((format(printf, 1, 2))) static void say(const char *fmt, ...)
{
    size_t n = strlen(shared->message);
    va_list args;
    va_start(args, fmt);
    vsnprintf(shared->message + n, sizeof shared->message - n, fmt, args);
    va_end(args);
}

static void on_diag(void *user, const tsr_diag *d)
{
    (void)user;
    if (d->severity == TSR_ERROR)
        say("error: %.*s\n", (int)d->message.len, d->message.data);
}

/* The precision of the narrowest floats of a program: what is rounded to them may come out one step apart, and be converted. */
static double coarsest(const program *p)
{
    double eps = 0;
    for (int i = 0; i < p->nvalue; i++)
        eps = elem_epsilon(p->values[i].e) > eps ? elem_epsilon(p->values[i].e) : eps;
    return eps;
}

/* The largest finite element: the size of results that are not known before. */
static double largest(elem e, const tsr_tensor *t)
{
    double most = 0;
    int64_t n = tsr_tensor_num_elements(t);
    const float *parts = tsr_tensor_data(t);
    for (int64_t i = 0; i < (e == C64 ? 2 * n : n); i++) {
        double x = fabs(e == C64 ? (double)parts[i] : tsr_tensor_get(t, i));
        most = x > most && x < INFINITY ? x : most;
    }
    return most;
}

/* Whether zeros have the same signs; -1: they have, otherwise the number of the element. */
static int64_t other_sign(elem e, const tsr_tensor *actual, const tsr_tensor *expected)
{
    size_t bytes = e == F64 ? 8 : e == BF16 || e == F16 ? 2 : 4;
    const char *a = tsr_tensor_data(actual), *b = tsr_tensor_data(expected);
    for (int64_t i = 0, n = tsr_tensor_num_elements(expected); i < (e == C64 ? 2 * n : n); i++) {
        uint64_t x = 0, y = 0, sign = (uint64_t)1 << (8 * bytes - 1);
        memcpy(&x, a + (size_t)i * bytes, bytes);
        memcpy(&y, b + (size_t)i * bytes, bytes);
        if ((x ^ y) == sign && !(x & ~sign))
            return e == C64 ? i / 2 : i;
    }
    return -1;
}

/* Those of a loop's body are done several times. */
static int products_of(const program *p)
{
    enum { MORE = 8 };
    stmt *all[STMTS * 8];
    int n, found = 0, loops = 0;
    collect_stmts((program *)p, all, &n, STMTS * 8);
    for (int i = 0; i < n; i++) {
        found += !all[i]->gone && is_product(all[i]);
        loops |= !all[i]->gone && all[i]->nblock > 0;
    }
    return found * (loops ? MORE : 1);
}

static bool compare(const program *p, int result, const tsr_tensor *actual,
                    const tsr_tensor *expected)
{
    const value *v = &p->values[p->results[result]];
    tsr_tolerance t = {0, 0};
    /* Functions of compiled programs are not rounded as the evaluator's are. */
    double steps = v->steps, eps = elem_epsilon(v->e);
    if (compiled && eps > 0) {
        steps = (steps > 0 ? steps : 0) + 32;
        eps = coarsest(p);
    }
    double mag = v->mag < INFINITY || !v->firm ? v->mag : largest(v->e, expected);
    if (steps > 0)
        t.rtol = t.atol = 4 * eps * (steps + 4) * (mag > 1 ? mag : 1);
    if (steps > 0 && mag != v->mag) /* the largest element is known */
        t.rtol = 4 * eps * (steps + 4);
    int rounded = tf32 && eps > 0 ? products_of(p) : 0;
    if (rounded) { /* mag may be infinite */
        t.rtol += rounded * 0x1p-10;
        t.atol += rounded * 0x1p-10 * (mag > 1 ? mag : 1);
    }
    shared->compared++;
    shared->exact += steps == 0 && !rounded;
    tsr_comparison c;
    if (tsr_tensor_compare(actual, expected, &t, &c)) {
        /* What may come out as another small number may have another sign. */
        bool exact = v->steps == 0 && !rounded && v->whole && (is_float(v->e) || v->e == C64);
        int64_t at = exact ? other_sign(v->e, actual, expected) : -1;
        if (at >= 0)
            say("result %d (%%v%d) differs: the sign of the zero at %lld\n", result,
                p->results[result], (long long)at);
        return at < 0;
    }
    say("result %d (%%v%d) differs: %lld of %lld elements, the first at %lld: %.9g instead of "
        "%.9g\n",
        result, p->results[result], (long long)c.bad, (long long)tsr_tensor_num_elements(expected),
        (long long)c.first_bad, c.first_bad >= 0 ? tsr_tensor_get(actual, c.first_bad) : 0,
        c.first_bad >= 0 ? tsr_tensor_get(expected, c.first_bad) : 0);
    return false;
}

/* 1: as it should be, 0: not, -1: the program itself is wrong. */
static int check_program(const program *p)
{
    int ids[VALUES], n = program_args(p, ids), verdict = -1;
    char *text = program_text(p);
    shared->message[0] = 0;
    shared->divided = false;
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, on_diag, NULL);
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(text), tsr_cstr("program")), *parts = NULL;
    tsr_tensor *in[VALUES] = {0}, *expected[8] = {0}, *actual[8] = {0};
    tsr_status status = {0};
    if (m) {
        bool ok = true;
        for (int i = 0; i < n; i++)
            ok &= (in[i] = input_of(ctx, p, ids[i])) != NULL;
        tsr_eval_options reference = {.engine = TSR_ENGINE_REFERENCE};
        ok = ok && tsr_module_eval_with(m, tsr_cstr("main"), in, (size_t)n, expected,
                                        (size_t)p->nresult, &reference, &status);
        if (ok) {
            shared->divided = true;
            verdict = 0;
            parts = undivided ? NULL : tsr_module_clone(m);
            ok = undivided ||
                 (parts &&
                  tsr_module_run(
                      parts, tsr_cstr(p->propagate
                                          ? "tessera-partition{remarks=false}"
                                          : "tessera-partition{propagate=false remarks=false}")) &&
                  tsr_module_verify(parts));
            tsr_eval_options how = {.engine =
                                        compiled ? TSR_ENGINE_COMPILED : TSR_ENGINE_REFERENCE};
            if (device)
                ok =
                    ok && device_run(device, m, in, (size_t)n, actual, (size_t)p->nresult, &status);
            else
                ok = ok && (undivided ? tsr_module_eval_with : tsr_module_eval_spmd)(
                               undivided ? m : parts, tsr_cstr("main"), in, (size_t)n, actual,
                               (size_t)p->nresult, &how, &status);
            if (!ok)
                say("%s\n", status.message);
            for (int i = 0; ok && i < p->nresult; i++)
                ok = compare(p, i, actual[i], expected[i]);
            verdict = ok;
        } else {
            say("undivided: %s\n", status.message);
        }
    }
    for (int i = 0; i < n; i++)
        tsr_tensor_free(in[i]);
    for (int i = 0; i < p->nresult; i++) {
        tsr_tensor_free(expected[i]);
        tsr_tensor_free(actual[i]);
    }
    if (parts)
        tsr_module_free(parts);
    if (m)
        tsr_module_free(m);
    tsr_ctx_free(ctx);
    free(text);
    return verdict;
}

static void count_kinds(program *p)
{
    stmt *all[STMTS * 8];
    int n;
    collect_stmts(p, all, &n, STMTS * 8);
    for (int i = 0; i < n; i++) {
        uint32_t never, kinds = kinds_of(p, all[i], &never);
        for (int k = 0; k < KINDS; k++)
            if (all[i]->op >= 0)
                shared->cells[all[i]->op][k] += kinds >> k & 1;
        if (all[i]->op >= 0)
            shared->never[all[i]->op] &= never;
    }
}

/* ---- Programs by number ---- */

/* With --cells the first programs are one for each op and kind. */
static program *program_at(const options *o, uint64_t index)
{
    uint64_t cells = (uint64_t)o->cells * (uint64_t)nop_rows * KINDS;
    uint64_t seed = mix(o->seed * 0x9e3779b97f4a7c15u + index);
    if (index >= cells)
        return new_program(seed, o->ops, o->nop, 16, -1);
    int op = (int)(index / KINDS % (uint64_t)nop_rows), kind = (int)(index % KINDS);
    program *p = NULL;
    for (int tries = 0; tries < 200; tries++) {
        p = new_program(seed + (uint64_t)tries, &op, 1, 12, kind);
        stmt *all[STMTS];
        int n;
        bool found = false;
        collect_stmts(p, all, &n, STMTS);
        for (int i = 0; i < n; i++) {
            uint32_t never, kinds = kinds_of(p, all[i], &never);
            found |= all[i]->op == op && kinds >> kind & 1;
        }
        if (found && p->nresult)
            break;
        if (tries < 199)
            free_program(p);
    }
    return p;
}

/* In a child, so that a crash is a failure like others. Its verdict; -2: it crashed or hung. */
static int check_apart(const program *p)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(LIMIT);
        FILE *quiet = freopen("/dev/null", "w", stderr);
        (void)quiet;
        _exit(check_program(p) + 1);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0)
        exit(3);
    if (WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) > 2)) {
        snprintf(shared->message, sizeof shared->message,
                 WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "it hangs\n"
                                                                    : "it crashes\n");
        return shared->divided ? -2 : -1;
    }
    return WEXITSTATUS(status) - 1;
}

/* ---- Shrinking ---- */

static bool still_fails(const program *p)
{
    int v = check_apart(p);
    return v == 0 || v == -2;
}

static bool in_function(const program *p, const stmt *s)
{
    for (int f = 0; f < p->nfunc; f++)
        for (int i = 0; i < p->funcs[f]->nstmt; i++)
            if (p->funcs[f]->stmts[i] == s)
                return true;
    return false;
}

static bool drop_stmts(program *p)
{
    stmt *all[STMTS * 8];
    int n;
    bool any_gone = false;
    collect_stmts(p, all, &n, STMTS * 8);
    for (int i = 0; i < n; i++) {
        if (all[i]->gone || all[i]->pinned || in_function(p, all[i]))
            continue;
        bool typed = false;
        for (int k = 0; k < all[i]->nout; k++)
            typed |= p->values[all[i]->out[k]].type != NULL;
        all[i]->gone = true;
        if (typed || !still_fails(p))
            all[i]->gone = false;
        else
            any_gone = true;
    }
    return any_gone;
}

static bool drop_results(program *p)
{
    bool any_gone = false;
    for (int i = p->nresult; i-- > 0 && p->nresult > 1;) {
        program saved = *p;
        memmove(&p->results[i], &p->results[i + 1],
                sizeof *p->results * (size_t)(p->nresult - i - 1));
        memmove(&p->result_sh[i], &p->result_sh[i + 1],
                sizeof *p->result_sh * (size_t)(p->nresult - i - 1));
        p->nresult--;
        if (still_fails(p))
            any_gone = true;
        else
            *p = saved;
    }
    return any_gone;
}

static bool drop_from(program *p, sharding *s, int rank)
{
    sharding saved = *s;
    if (!s->set)
        return false;
    *s = (sharding){0};
    if (still_fails(p))
        return true;
    *s = saved;
    bool any_gone = false;
    if (s->nunreduced) {
        s->nunreduced = 0;
        any_gone = still_fails(p);
        if (!any_gone)
            *s = saved;
    }
    for (int d = 0; d < rank; d++)
        for (int i = s->n[d]; i-- > 0;) {
            saved = *s;
            memmove(&s->axes[d][i], &s->axes[d][i + 1],
                    sizeof(axis_ref) * (size_t)(s->n[d] - i - 1));
            s->n[d]--;
            if (still_fails(p))
                any_gone = true;
            else
                *s = saved;
        }
    return any_gone;
}

static bool drop_shardings(program *p)
{
    bool any_gone = false;
    for (int i = 0; i < p->nresult; i++)
        any_gone |= drop_from(p, &p->result_sh[i], p->values[p->results[i]].s.rank);
    for (int i = 0; i < p->nvalue; i++)
        any_gone |= drop_from(p, &p->values[i].sh, p->values[i].s.rank);
    return any_gone;
}

/* Shorter axes, devices in order, one mesh, nothing to propagate. */
static bool shrink_meshes(program *p)
{
    bool smaller = false;
    for (int k = 0; k < p->nmesh; k++) {
        mesh *m = &p->meshes[k], saved = *m;
        for (int a = 0; a < m->naxis; a++)
            for (int size = 1; size < m->sizes[a]; size++) {
                saved = *m;
                m->sizes[a] = size;
                m->shuffled = false;
                if (still_fails(p)) {
                    smaller = true;
                    break;
                }
                *m = saved;
            }
        if (m->shuffled) {
            m->shuffled = false;
            if (still_fails(p))
                smaller = true;
            else
                m->shuffled = true;
        }
    }
    if (p->nmesh > 1) {
        p->nmesh--;
        if (still_fails(p))
            smaller = true;
        else
            p->nmesh++;
    }
    if (p->propagate) {
        p->propagate = false;
        if (!still_fails(p))
            p->propagate = true;
    }
    return smaller;
}

static int64_t weight(program *p)
{
    stmt *all[STMTS * 8];
    int n, ids[VALUES], nargs = program_args(p, ids);
    int64_t sum = 0;
    collect_stmts(p, all, &n, STMTS * 8);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < all[i]->nout; k++)
            sum += elements(&p->values[all[i]->out[k]].s) + 20;
    for (int i = 0; i < nargs; i++)
        sum += elements(&p->values[ids[i]].s);
    return sum;
}

static void shrink_by_parts(program *p)
{
    for (bool again = true; again;) {
        again = drop_results(p);
        again |= drop_stmts(p);
        again |= drop_shardings(p);
        again |= shrink_meshes(p);
    }
}

/* A smaller program of the same ops: shapes cannot be changed one by one, so others are tried,
 * small ones first. */
static program *shrink_dims(program *p)
{
    stmt *all[STMTS * 8];
    int n, ops[8], nop = 0;
    collect_stmts(p, all, &n, STMTS * 8);
    for (int i = 0; i < n && nop < 8; i++)
        if (all[i]->op >= 0)
            ops[nop++] = all[i]->op;
    if (!nop || n > 3)
        return p;
    for (int64_t most = 2; most <= 8; most++)
        for (uint64_t tries = 0; tries < 60; tries++) {
            program *q = new_program(p->seed + most * 1000 + tries, ops, nop, most, -1);
            if (q->nresult && still_fails(q)) {
                shrink_by_parts(q);
                if (weight(q) < weight(p)) {
                    free_program(p);
                    return q;
                }
            }
            free_program(q);
        }
    return p;
}

/* ---- Reports ---- */

static void write_program(const program *p, const char *dir, uint64_t index, const char *suffix)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%llu%s.mlir", dir, (unsigned long long)index, suffix);
    FILE *f = fopen(path, "w");
    if (!f)
        return;
    char *text = program_text(p);
    int ids[VALUES], n = program_args(p, ids);
    fprintf(f, "// tessera run FILE --spmd --check");
    for (int i = 0; i < n; i++) {
        const value *v = &p->values[ids[i]];
        fprintf(f, " --input=");
        for (int d = 0; d < v->s.rank; d++)
            fprintf(f, "%lldx", (long long)v->s.d[d]);
        fprintf(f, "%s=", elem_names[v->e]);
        for (int64_t k = 0; k < elements(&v->s); k++)
            fprintf(f, "%s%.0f", k ? "," : "", element_of(p, ids[i], k));
    }
    fprintf(f, "\n%s", text);
    char line[2048];
    snprintf(line, sizeof line, "%s", shared->message);
    for (char *s = strtok(line, "\n"); s; s = strtok(NULL, "\n"))
        fprintf(f, "// %s\n", s);
    fclose(f);
    free(text);
    printf("  written to %s\n", path);
}

static void report_failure(const options *o, uint64_t index)
{
    program *p = program_at(o, index);
    printf("program %llu fails\n", (unsigned long long)index);
    int verdict = check_apart(p);
    printf("%s", shared->message);
    shared->refused += verdict == -1;
    if (o->save) {
        write_program(p, o->save, index, "");
        if (!device && (verdict >= 0 || verdict == -2)) { /* each try would open the device */
            shrink_by_parts(p);
            p = shrink_dims(p);
            check_apart(p);
            printf("shrunk: %s", shared->message);
            write_program(p, o->save, index, ".min");
        }
    }
    fflush(stdout);
    free_program(p);
}

/* The table of ops and kinds; how many cells are empty. */
static int print_table(bool show)
{
    int empty = 0;
    if (show)
        printf("%-36s", "");
    for (int k = 0; show && k < KINDS; k++)
        printf("%9s", kind_names[k]);
    if (show)
        printf("\n");
    for (int i = 0; i < nop_rows; i++) {
        if (show)
            printf("%-36s", op_rows[i].name);
        for (int k = 0; k < KINDS; k++) {
            bool never = shared->never[i] >> k & 1;
            empty += !never && !shared->cells[i][k];
            if (show && never)
                printf("%9s", "-");
            else if (show)
                printf("%9u", shared->cells[i][k]);
        }
        if (show)
            printf("\n");
    }
    return empty;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* From first on, in a child, until something fails, all are done, or time is up. Leaks are looked
 * for as it ends. */
static int run_some(const options *o, uint64_t first, uint64_t end, double until)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        for (uint64_t i = first; i < end && (until == 0 || now() < until); i++) {
            shared->index = i;
            alarm(LIMIT);
            program *p = program_at(o, i);
            int verdict = p->nresult ? check_program(p) : 1;
            count_kinds(p);
            free_program(p);
            if (verdict != 1)
                exit(1);
            shared->passed++;
            shared->index = i + 1;
        }
        device_end();
        exit(0);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0)
        exit(3);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool read_options(int argc, char **argv, options *o)
{
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *v = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(a, "--print")) {
            o->print = true;
            continue;
        }
        if (!strcmp(a, "--compiled") || !strcmp(a, "--compiled-mesh")) {
            compiled = functions_differ = true;
            undivided = !strcmp(a, "--compiled");
            continue;
        }
        if (!strcmp(a, "--table")) {
            o->table = true;
            continue;
        }
        if (!strcmp(a, "--tf32")) {
            tf32 = true;
            continue;
        }
        if (!v)
            return false;
        i++;
        if (!strcmp(a, "--count"))
            o->count = strtoull(v, NULL, 10);
        else if (!strcmp(a, "--seed"))
            o->seed = strtoull(v, NULL, 10);
        else if (!strcmp(a, "--device"))
            device = v;
        else if (!strcmp(a, "--first"))
            o->first = strtoull(v, NULL, 10);
        else if (!strcmp(a, "--seconds"))
            o->seconds = strtod(v, NULL);
        else if (!strcmp(a, "--cells"))
            o->cells = atoi(v);
        else if (!strcmp(a, "--save"))
            o->save = v;
        else if (!strcmp(a, "--failures"))
            o->failures = strtoull(v, NULL, 10);
#ifdef TSR_SEEDED_BUGS
        else if (!strcmp(a, "--bug"))
            tsr_seeded_bug = atoi(v);
#endif
        else if (!strcmp(a, "--ops")) {
            char list[1024];
            snprintf(list, sizeof list, "%s", v);
            for (char *s = strtok(list, ","); s && o->nop < 64; s = strtok(NULL, ",")) {
                if (find_op(s) < 0)
                    return false;
                o->ops[o->nop++] = find_op(s);
            }
        } else {
            return false;
        }
    }
    if (device)
        compiled = undivided = functions_differ = true;
    full_precision = device && !tf32;
    return true;
}

int main(int argc, char **argv)
{
    options o = {.seed = 1, .count = 300, .failures = 20};
    if (!read_options(argc, argv, &o)) {
        fprintf(stderr, "usage: spmd [--count N] [--first I] [--seed S] [--seconds T] [--cells N] "
                        "[--ops a,b] [--save DIR] "
                        "[--print] [--table] [--compiled] [--compiled-mesh] [--device NAME "
                        "[--tf32]]\n");
        return 2;
    }
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 3;
    memset(shared->never, 0xff, sizeof shared->never);
    uint64_t cells = (uint64_t)o.cells * (uint64_t)nop_rows * KINDS,
             end = o.first + cells + o.count;
    if (o.print) {
        for (uint64_t i = o.first; i < end; i++) {
            program *p = program_at(&o, i);
            char *text = program_text(p);
            printf("// ---- program %llu%s\n%s", (unsigned long long)i,
                   p->propagate ? ", propagated" : "", text);
            free(text);
            free_program(p);
        }
        return 0;
    }
    double start = now(), until = o.seconds > 0 ? start + o.seconds : 0;
    if (o.seconds > 0)
        end = UINT64_MAX;
    for (uint64_t at = o.first; at < end && (until == 0 || now() < until);) {
        if (run_some(&o, at, end, until)) {
            at = shared->index;
            continue;
        }
        at = shared->index + 1;
        shared->failed++;
        report_failure(&o, shared->index);
        if (shared->failed == o.failures) {
            printf("%llu failures are enough\n", (unsigned long long)o.failures);
            break;
        }
    }
    int empty = print_table(o.table);
    if (o.cells && !o.first && !o.seconds && empty) {
        printf("%d cells of the table of ops and kinds are empty\n", empty);
        shared->failed++;
    }
    printf("%llu programs, %llu results compared, %llu of them exactly; %llu not run; "
           "%.1f s\n",
           (unsigned long long)shared->passed, (unsigned long long)shared->compared,
           (unsigned long long)shared->exact, (unsigned long long)shared->refused, now() - start);
    printf("%llu passed, %llu failed\n", (unsigned long long)shared->passed,
           (unsigned long long)shared->failed);
    return shared->failed != 0;
}
