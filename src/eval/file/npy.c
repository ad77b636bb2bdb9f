/* SPDX-License-Identifier: Apache-2.0 */
/* npy.c - .npy files: "\x93NUMPY", version, length, a Python dictionary with three keys, then the data.
 *
 * The dictionary is read by a scanner that knows only these keys; anything NumPy would not write is rejected by
 * name. */
#include "base/char.h"
#include "base/decimal.h"
#include "base/input.h"
#include "base/output.h"
#include "eval/file/npy.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Files ---- */

static void close_file(void *f)
{
    fclose(f);
}

/* Reads everything into a block; NULL: *error says why. */
static char *read_all(FILE *f, size_t *len, const char **error)
{
    struct stat st;
    bool sized = fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;
    size_t cap = sized ? (size_t)st.st_size + 1 : 4096, n = 0, got;
    char *data = tsr_malloc(cap);
    *error = NULL;
    while (data && (got = tsr_input_read(f, data + n, cap - n, error)) > 0) {
        n += got;
        if (n < cap)
            continue;
        char *more = tsr_realloc(data, cap * 2);
        if (!more)
            tsr_free(data);
        cap *= 2;
        data = more;
    }
    if (data && *error) {
        tsr_free(data);
        data = NULL;
    } else if (!data) {
        *error = strerror(ENOMEM);
    }
    *len = n;
    return data;
}

void *tsr_read_bytes(const char *path, size_t *len, tsr_status *status)
{
    const char *error;
    FILE *f = tsr_input_open(path, &error);
    if (!f) {
        tsr_status_set(status, TSR_ENVIRONMENT, "cannot open file '%s': %s", path, error);
        return NULL;
    }
    tsr_cleanup cleanup;
    tsr_cleanup_push(&cleanup, close_file, f);
    void *data = read_all(f, len, &error);
    tsr_cleanup_pop(&cleanup);
    fclose(f);
    if (!data)
        tsr_status_set(status, TSR_ENVIRONMENT, "cannot read file '%s': %s", path, error);
    return data;
}

/* ---- The header ---- */

typedef struct {
    char order, kind; /* '<', '>' or '|'; 'f', 'i', ... */
    uint32_t bytes;
    bool fortran;
    size_t rank;
    int64_t dims[TSR_MAX_RANK];
} header;

typedef struct {
    const char *p, *end;
} scan;

static void spaces(scan *s)
{
    while (s->p < s->end && tsr_is_space(*s->p))
        s->p++;
}

static bool eat(scan *s, char c)
{
    spaces(s);
    if (s->p >= s->end || *s->p != c)
        return false;
    s->p++;
    return true;
}

static bool eat_word(scan *s, const char *word)
{
    size_t n = strlen(word);
    spaces(s);
    if ((size_t)(s->end - s->p) < n || memcmp(s->p, word, n) != 0)
        return false;
    s->p += n;
    return true;
}

static bool quoted(scan *s, tsr_str *out)
{
    spaces(s);
    if (s->p >= s->end || (*s->p != '\'' && *s->p != '"'))
        return false;
    char q = *s->p++;
    const char *start = s->p;
    while (s->p < s->end && *s->p != q)
        s->p++;
    if (s->p >= s->end)
        return false;
    *out = tsr_str_of(start, (size_t)(s->p++ - start));
    return true;
}

static bool number(scan *s, int64_t *out)
{
    spaces(s);
    if (s->p >= s->end || !tsr_is_digit(*s->p))
        return false;
    for (*out = 0; s->p < s->end && tsr_is_digit(*s->p); s->p++) {
        if (*out > (INT64_MAX - 9) / 10)
            return false;
        *out = *out * 10 + (*s->p - '0');
    }
    if (s->p < s->end && *s->p == 'L') /* Python 2 wrote long integers this way */
        s->p++;
    return true;
}

static bool read_descr(scan *s, header *h)
{
    tsr_str d;
    if (!quoted(s, &d) || d.len < 2)
        return false;
    size_t at = 0;
    h->order = strchr("<>|=", d.data[0]) ? d.data[at++] : '|';
    h->kind = d.data[at++];
    h->bytes = 0;
    for (; at < d.len && tsr_is_digit(d.data[at]) && h->bytes < 1000; at++)
        h->bytes = h->bytes * 10 + (uint32_t)(d.data[at] - '0');
    return at == d.len && h->bytes > 0;
}

static bool read_shape(scan *s, header *h)
{
    if (!eat(s, '('))
        return false;
    while (!eat(s, ')')) {
        if (h->rank == TSR_MAX_RANK || !number(s, &h->dims[h->rank++]))
            return false;
        if (!eat(s, ',')) /* a trailing comma is allowed */
            return eat(s, ')');
    }
    return true;
}

/* header ::= '{' (key ':' value ','?)* '}' */
static bool read_dict(tsr_str text, header *h)
{
    scan s = {text.data, text.data + text.len};
    unsigned seen = 0;
    tsr_str key;
    if (!eat(&s, '{'))
        return false;
    while (!eat(&s, '}')) {
        if (!quoted(&s, &key) || !eat(&s, ':'))
            return false;
        if (tsr_str_is(key, "descr") && read_descr(&s, h)) {
            seen |= 1;
        } else if (tsr_str_is(key, "fortran_order")) {
            h->fortran = eat_word(&s, "True");
            if (!h->fortran && !eat_word(&s, "False"))
                return false;
            seen |= 2;
        } else if (tsr_str_is(key, "shape") && !(seen & 4) && read_shape(&s, h)) {
            seen |= 4;
        } else {
            return false;
        }
        if (!eat(&s, ',')) {
            if (!eat(&s, '}'))
                return false;
            break;
        }
    }
    spaces(&s);
    return seen == 7 && s.p == s.end;
}

/* The type that the file itself names; NONE for raw bytes. */
static tsr_dtype own_dtype(const header *h)
{
    static const struct {
        char kind;
        uint8_t bytes;
        uint8_t dtype;
    } known[] = {
        {'b', 1, TSR_D_I1},  {'i', 1, TSR_D_I8},     {'i', 2, TSR_D_I16},   {'i', 4, TSR_D_I32},
        {'i', 8, TSR_D_I64}, {'u', 1, TSR_D_U8},     {'u', 2, TSR_D_U16},   {'u', 4, TSR_D_U32},
        {'u', 8, TSR_D_U64}, {'f', 1, TSR_D_F8E5M2}, {'f', 2, TSR_D_F16},   {'f', 4, TSR_D_F32},
        {'f', 8, TSR_D_F64}, {'c', 8, TSR_D_C64},    {'c', 16, TSR_D_C128},
    };
    for (size_t i = 0; i < TSR_COUNT(known); i++)
        if (h->kind == known[i].kind && h->bytes == known[i].bytes)
            return (tsr_dtype)known[i].dtype;
    return TSR_D_NONE;
}

/* Whether the type needs ml_dtypes: NumPy has no name for it. */
static bool is_foreign(tsr_dtype d)
{
    return d == TSR_D_BF16 || (tsr_dtype_is_float(d) && tsr_dtype_bytes(d) == 1) || d == TSR_D_I2 ||
           d == TSR_D_I4 || d == TSR_D_U2 || d == TSR_D_U4;
}

/* The type of the data, given the wanted type; NONE after a failure. */
static tsr_dtype decide(const header *h, tsr_dtype want, const char *what, tsr_status *status)
{
    tsr_dtype own = own_dtype(h);
    if (own != TSR_D_NONE)
        return own;
    if (h->kind != 'V' || h->bytes > 2) {
        tsr_status_set(status, TSR_BAD_INPUT, "%s: elements of type '%c%u' are not supported", what,
                       tsr_is_alnum(h->kind) ? h->kind : '?', h->bytes);
        return TSR_D_NONE;
    }
    if (is_foreign(want) && tsr_dtype_bytes(want) == h->bytes)
        return want;
    if (h->bytes == 2 && want != TSR_D_F16)
        return TSR_D_BF16;
    if (want == TSR_D_NONE)
        tsr_status_set(status, TSR_BAD_INPUT,
                       "%s: the file does not say which 8-bit type its elements (V1) have", what);
    else
        tsr_status_set(status, TSR_BAD_INPUT,
                       "%s: has elements of %u raw byte%s (V%u); expected %s", what, h->bytes,
                       h->bytes == 1 ? "" : "s", h->bytes, tsr_dtype_name(want));
    return TSR_D_NONE;
}

/* ---- Data ---- */

static void swap_bytes(uint8_t *p, size_t word, size_t bytes)
{
    for (size_t at = 0; at + word <= bytes; at += word)
        for (size_t i = 0; i < word / 2; i++) {
            uint8_t x = p[at + i];
            p[at + i] = p[at + word - 1 - i];
            p[at + word - 1 - i] = x;
        }
}

/* Column-major to row-major. */
static void transpose(tsr_tensor *t, const char *in)
{
    int64_t index[TSR_MAX_RANK] = {0}, steps[TSR_MAX_RANK], step = 1, to = 0;
    size_t size = tsr_dtype_bytes((tsr_dtype)t->dtype);
    for (size_t d = 0; d < t->rank; d++) {
        steps[d] = step;
        step *= t->dims[d];
    }
    if (!t->n)
        return;
    do {
        int64_t from = 0;
        for (size_t d = 0; d < t->rank; d++)
            from += index[d] * steps[d];
        memcpy((char *)t->data + (size_t)to++ * size, in + (size_t)from * size, size);
    } while (tsr_next_index(index, t->dims, t->rank));
}

/* int8 and uint8 to i2, i4, ui2 or ui4; false if some value is out of range. */
static bool narrow_ints(const tsr_tensor *t, tsr_tensor *out)
{
    for (int64_t i = 0; i < t->n; i++) {
        tsr_set_int(out, i, tsr_get_int(t, i));
        if (tsr_get_int(out, i) != tsr_get_int(t, i))
            return false;
    }
    return true;
}

static bool narrow_floats(const tsr_tensor *t, tsr_tensor *out, int64_t *bad)
{
    for (int64_t i = 0; i < t->n; i++) {
        double v = tsr_get_double(t, i);
        tsr_set_double(out, i, v);
        double w = tsr_get_double(out, i);
        *bad = i;
        if (isnan(v) ? !isnan(w) : v != w || !signbit(v) != !signbit(w))
            return false;
    }
    return true;
}

/* t as a tensor of another type, where that is allowed; takes ownership of t. */
static tsr_tensor *adapt(tsr_tensor *t, tsr_type *want, tsr_npy_mode mode, const char *what,
                         tsr_status *status)
{
    tsr_dtype from = (tsr_dtype)t->dtype, to = tsr_dtype_of(want);
    if (from == to) {
        t->elem = want; /* quantized, index */
        return t;
    }
    bool small = tsr_dtype_is_int(to) && tsr_dtype_bits(to) < 8 && to != TSR_D_I1 &&
                 from == (tsr_dtype_kind(to) == TSR_K_UINT ? TSR_D_U8 : TSR_D_I8);
    bool rounds = mode == TSR_NPY_EXACT && from == TSR_D_F32 && tsr_dtype_is_float(to) &&
                  tsr_dtype_bytes(to) < 4;
    if (!small && !rounds) {
        if (mode == TSR_NPY_AS_IS)
            return t;
        tsr_status_set(status, TSR_BAD_INPUT, "%s: has elements of type %s; expected %s", what,
                       tsr_dtype_name(from), tsr_dtype_name(to));
        tsr_tensor_unref(t);
        return NULL;
    }
    tsr_tensor *out = tsr_tensor_like(t, want);
    int64_t bad = 0;
    if (!out)
        tsr_status_set(status, TSR_ENVIRONMENT, "%s: no memory for its values%s", what,
                       tsr_memory_reason().text);
    else if (small ? !narrow_ints(t, out) : !narrow_floats(t, out, &bad)) {
        if (small)
            tsr_status_set(status, TSR_BAD_INPUT, "%s: some values do not fit in %s", what,
                           tsr_dtype_name(to));
        else
            tsr_status_set(
                status, TSR_BAD_INPUT,
                "%s: has f32 elements; expected %s, and element %lld, %s, is no such number", what,
                tsr_dtype_name(to), (long long)bad,
                tsr_spell('g', 0, 9, tsr_get_double(t, bad)).text);
        tsr_tensor_unref(out);
        out = NULL;
    }
    tsr_tensor_unref(t);
    return out;
}

/* Whether elements are stored in the file as in a tensor of this type. */
static bool is_plain(const header *h, tsr_dtype d, const tsr_type *want, const void *data)
{
    return (!h->fortran || h->rank <= 1) && (h->order != '>' || h->bytes == 1) &&
           tsr_dtype_bits(d) >= 8 && (!want || tsr_dtype_of(want) == d) &&
           (uintptr_t)data % h->bytes == 0;
}

/* Reads what stands before the elements, which begin at *start. */
static bool read_header(const uint8_t *p, size_t len, header *h, size_t *start, const char *what,
                        tsr_status *status)
{
    if (len < 10 || memcmp(p, "\x93NUMPY", 6) != 0)
        return tsr_status_set(status, TSR_BAD_INPUT, "%s: not a .npy file", what);
    size_t at = p[6] == 1 ? 10 : 12, size = (size_t)p[8] | (size_t)p[9] << 8;
    if (p[6] < 1 || p[6] > 3)
        return tsr_status_set(status, TSR_BAD_INPUT, "%s: .npy version %u.%u is not supported",
                              what, p[6], p[7]);
    if (at == 12)
        size = len < 12 ? SIZE_MAX / 2 : size | (size_t)p[10] << 16 | (size_t)p[11] << 24;
    if (size > len || at > len - size)
        return tsr_status_set(status, TSR_BAD_INPUT, "%s: the .npy header is cut off", what);
    if (!read_dict(tsr_str_of((const char *)p + at, size), h))
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "%s: the .npy header is not one of a plain array", what);
    *start = at + size;
    return true;
}

/* What the shape promises must be there before memory is asked for. */
static bool check_length(const header *h, uint64_t left, const char *what, tsr_status *status)
{
    uint64_t need = h->bytes;
    bool empty = false;
    for (size_t i = 0; i < h->rank; i++)
        empty |= h->dims[i] == 0;
    for (size_t i = 0; i < h->rank && !empty && need <= left; i++)
        need = need > UINT64_MAX / (uint64_t)h->dims[i] ? UINT64_MAX : need * (uint64_t)h->dims[i];
    need = empty ? 0 : need;
    return need == left ||
           tsr_status_set(status, TSR_BAD_INPUT,
                          "%s: %s: %llu bytes of data where the shape and type need %s%llu", what,
                          need > left ? "the .npy file is cut off" : "the .npy file is too long",
                          (unsigned long long)left, need > left ? "at least " : "",
                          (unsigned long long)need);
}

/* over: the data stays, and a tensor may lie in it. */
static tsr_tensor *read_npy(tsr_ctx *ctx, const void *data, size_t len, tsr_type *want,
                            tsr_npy_mode mode, const char *what, bool over, tsr_status *status)
{
    const uint8_t *p = data;
    size_t start = 0;
    header h = {0};
    if (!read_header(p, len, &h, &start, what, status))
        return NULL;
    tsr_dtype d = decide(&h, want ? tsr_dtype_of(want) : TSR_D_NONE, what, status);
    size_t need = len - start;
    if (d == TSR_D_NONE || !check_length(&h, need, what, status))
        return NULL;
    tsr_type *elem = want && tsr_dtype_of(want) == d ? want : tsr_dtype_type(ctx, d);
    if (over && is_plain(&h, d, want, p + start))
        return tsr_tensor_over(elem, h.dims, h.rank, (void *)(p + start));
    tsr_tensor *t = tsr_tensor_new(elem, h.dims, h.rank);
    if (!t) {
        tsr_status_set(status, TSR_ENVIRONMENT, "%s: no memory for its values%s", what,
                       tsr_memory_reason().text);
        return NULL;
    }
    if (h.fortran && h.rank > 1)
        transpose(t, (const char *)p + start);
    else if (need)
        memcpy(t->data, p + start, need);
    if (h.order == '>' && h.bytes > 1)
        swap_bytes(t->data, h.bytes / (tsr_dtype_is_complex(d) ? 2 : 1), need);
    tsr_tensor_tidy(t);
    return want ? adapt(t, want, mode, what, status) : t;
}

tsr_tensor *tsr_npy_read(tsr_ctx *ctx, const void *data, size_t len, tsr_type *want,
                         tsr_npy_mode mode, const char *what, tsr_status *status)
{
    return read_npy(ctx, data, len, want, mode, what, false, status);
}

tsr_tensor *tsr_npy_map(tsr_ctx *ctx, const char *path, tsr_type *want, tsr_npy_mode mode,
                        tsr_status *status)
{
    struct stat s;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *data = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_size > 0)
        data = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (data == MAP_FAILED)
        return tsr_npy_load(ctx, path, want, mode, status);
    tsr_tensor *t = read_npy(ctx, data, (size_t)s.st_size, want, mode, path, true, status);
    if (!t || t->data < data || (char *)t->data >= (char *)data + s.st_size)
        munmap(data, (size_t)s.st_size);
    return t;
}

tsr_tensor *tsr_npy_load(tsr_ctx *ctx, const char *path, tsr_type *want, tsr_npy_mode mode,
                         tsr_status *status)
{
    size_t len;
    void *data = tsr_read_bytes(path, &len, status);
    tsr_tensor *t = data ? tsr_npy_read(ctx, data, len, want, mode, path, status) : NULL;
    tsr_free(data);
    return t;
}

/* ---- Writing ---- */

bool tsr_npy_header(tsr_buf *out, const tsr_tensor *t, tsr_status *status)
{
    static const char kinds[] = {[TSR_K_BOOL] = 'b',
                                 [TSR_K_SINT] = 'i',
                                 [TSR_K_UINT] = 'u',
                                 [TSR_K_FLOAT] = 'f',
                                 [TSR_K_COMPLEX] = 'c'};
    if (t->kind != TSR_TENSOR)
        return tsr_status_set(status, TSR_BAD_INPUT, "a %s cannot be saved",
                              t->kind == TSR_TOKEN ? "token" : "tuple");
    tsr_dtype d = (tsr_dtype)t->dtype;
    uint32_t bytes = tsr_dtype_bytes(d);
    bool raw = is_foreign(d) && !tsr_dtype_is_int(d);
    char order = raw ? '<' : bytes == 1 ? '|' : '<';
    tsr_buf dict = {0};
    tsr_buf_printf(&dict, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (", order,
                   raw ? 'V' : kinds[tsr_dtype_kind(d)], bytes);
    for (size_t i = 0; i < t->rank; i++)
        tsr_buf_printf(&dict, i ? ", %lld" : "%lld", (long long)t->dims[i]);
    tsr_buf_cstr(&dict, t->rank == 1 ? ",), }" : "), }");
    bool wide = dict.len + 10 + 64 > 65535; /* never: at most 64 dimensions */
    tsr_assert(!wide, "a .npy header of %zu bytes", dict.len);
    while ((10 + dict.len + 1) % 64 != 0)
        tsr_buf_char(&dict, ' ');
    tsr_buf_char(&dict, '\n');
    tsr_buf_str(out, tsr_str_of("\x93NUMPY\x01\x00", 8));
    tsr_buf_char(out, (char)(dict.len & 255));
    tsr_buf_char(out, (char)(dict.len >> 8));
    tsr_buf_str(out, tsr_buf_text(&dict));
    tsr_buf_free(&dict);
    return true;
}

/* Opens and writes; on false nothing is left behind. */
static bool write_part(tsr_output *f, const tsr_tensor *t, const char *path, tsr_status *status)
{
    tsr_buf head = {0};
    tsr_tensor *copy;
    const tsr_tensor *here = tsr_tensor_here(t, &copy);
    bool ok = here ? tsr_npy_header(&head, t, status) && tsr_output_open(f, path, status)
                   : tsr_status_set(status, TSR_ENVIRONMENT, "%s: the tensor cannot be read", path);
    if (ok) {
        /* A full disk shows when the file is sealed, before anything is renamed. */
        ok = tsr_output_put(f, head.data, head.len, status) &&
             tsr_output_put(f, here->data, tsr_tensor_bytes(t), status) &&
             tsr_output_seal(f, status);
        if (!ok)
            tsr_output_close(f, false, status);
    }
    tsr_tensor_unref(copy);
    tsr_buf_free(&head);
    return ok;
}

bool tsr_npy_save_all(tsr_tensor *const *tensors, const char *const *paths, size_t n,
                      tsr_status *status)
{
    tsr_output *files = tsr_xmalloc((n ? n : 1) * sizeof *files);
    size_t open = 0;
    while (open < n && write_part(&files[open], tensors[open], paths[open], status))
        open++;
    bool ok = open == n;
    for (size_t i = 0; i < open; i++)
        ok = tsr_output_close(&files[i], ok, status) && ok;
    tsr_free(files);
    return ok;
}

bool tsr_npy_save(const tsr_tensor *t, const char *path, tsr_status *status)
{
    tsr_tensor *one = (tsr_tensor *)t;
    return tsr_npy_save_all(&one, &path, 1, status);
}
