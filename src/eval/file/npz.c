/* SPDX-License-Identifier: Apache-2.0 */
/* npz.c - .npz: a zip archive of .npy files. Reads stored and deflated entries, writes stored ones.
 *
 * The central directory at the end of the file says where entries are; local headers are only needed for their own
 * length. Sizes of zip64 are supported. All claims of the file are checked against its length first. */
#include "eval/file/npy.h"

#include "base/output.h"

#include <stdlib.h>

static uint32_t u16(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t u32(const uint8_t *p)
{
    return u16(p) | u16(p + 2) << 16;
}

static uint64_t u64(const uint8_t *p)
{
    return u32(p) | (uint64_t)u32(p + 4) << 32;
}

static uint32_t crc32(uint32_t crc, const void *data, size_t n)
{
    uint32_t table[256];
    const uint8_t *p = data;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int k = 0; k < 8; k++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xEDB88320u : 0);
    }
    crc = ~crc;
    for (size_t i = 0; i < n; i++)
        crc = crc >> 8 ^ table[(crc ^ p[i]) & 255];
    return ~crc;
}

/* ---- Inflate ---- */

typedef struct {
    const uint8_t *in, *end;
    uint64_t hold; /* bits not used yet, the next one lowest */
    unsigned nhold;
    bool broken; /* more was requested than there is */
} bits;

static uint32_t take(bits *b, unsigned n)
{
    while (b->nhold < n) {
        if (b->in < b->end)
            b->hold |= (uint64_t)*b->in++ << b->nhold;
        else
            b->broken = true;
        b->nhold += 8;
    }
    uint32_t v = (uint32_t)(b->hold & (((uint64_t)1 << n) - 1));
    b->hold >>= n;
    b->nhold -= n;
    return v;
}

/* A prefix code: the number of codes of each length, and the symbols in order of their codes. */
enum { MAX_LEN = 15, MAX_SYMBOLS = 288 };
typedef struct {
    uint16_t count[MAX_LEN + 1], symbols[MAX_SYMBOLS];
} code;

/* False if there are more lengths than a code can have. Incomplete codes are allowed: the unused patterns never
 * occur. */
static bool code_of(code *c, const uint8_t *lens, size_t n)
{
    uint16_t at[MAX_LEN + 2] = {0};
    int room = 1;
    memset(c, 0, sizeof *c);
    for (size_t i = 0; i < n; i++)
        c->count[lens[i]]++;
    c->count[0] = 0;
    for (int len = 1; len <= MAX_LEN; len++) {
        room = room * 2 - c->count[len];
        if (room < 0)
            return false;
        at[len + 1] = (uint16_t)(at[len] + c->count[len]);
    }
    for (size_t i = 0; i < n; i++)
        if (lens[i])
            c->symbols[at[lens[i]]++] = (uint16_t)i;
    return true;
}

/* The next symbol; -1 if no code matches. */
static int symbol(bits *b, const code *c)
{
    int value = 0, first = 0, index = 0;
    for (int len = 1; len <= MAX_LEN && !b->broken; len++) {
        value |= (int)take(b, 1);
        if (value - first < c->count[len])
            return c->symbols[index + value - first];
        index += c->count[len];
        first = (first + c->count[len]) << 1;
        value <<= 1;
    }
    return -1;
}

typedef struct {
    bits b;
    uint8_t *out;
    size_t n, size;
} inflater;

static bool inflate_stored(inflater *f)
{
    /* Returns whole bytes that were read ahead. */
    f->b.hold = 0;
    f->b.in -= f->b.nhold / 8;
    f->b.nhold = 0;
    if (f->b.end - f->b.in < 4)
        return false;
    size_t len = u16(f->b.in), check = u16(f->b.in + 2);
    f->b.in += 4;
    if ((len ^ check) != 0xFFFF || len > (size_t)(f->b.end - f->b.in) || len > f->size - f->n)
        return false;
    memcpy(f->out + f->n, f->b.in, len);
    f->b.in += len;
    f->n += len;
    return true;
}

static bool inflate_coded(inflater *f, const code *lengths, const code *distances)
{
    static const uint16_t base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t extra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                    2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const uint16_t far[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                   33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                   1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    for (;;) {
        int s = symbol(&f->b, lengths);
        if (s < 0 || f->b.broken)
            return false;
        if (s == 256)
            return true;
        if (s < 256) {
            if (f->n == f->size)
                return false;
            f->out[f->n++] = (uint8_t)s;
            continue;
        }
        if ((s -= 257) >= (int)TSR_COUNT(base))
            return false;
        size_t len = base[s] + take(&f->b, extra[s]);
        int d = symbol(&f->b, distances);
        if (d < 0 || d >= (int)TSR_COUNT(far))
            return false;
        size_t back = far[d] + take(&f->b, d < 2 ? 0 : (unsigned)d / 2 - 1);
        if (f->b.broken || back > f->n || len > f->size - f->n)
            return false;
        for (; len; len--, f->n++)
            f->out[f->n] = f->out[f->n - back];
    }
}

static bool inflate_fixed(inflater *f)
{
    uint8_t lens[MAX_SYMBOLS];
    code lengths, distances;
    for (int i = 0; i < MAX_SYMBOLS; i++)
        lens[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    if (!code_of(&lengths, lens, MAX_SYMBOLS))
        return false;
    memset(lens, 5, 30);
    return code_of(&distances, lens, 30) && inflate_coded(f, &lengths, &distances);
}

static bool inflate_dynamic(inflater *f)
{
    static const uint8_t order[] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t lens[MAX_SYMBOLS + 32] = {0};
    code lengths, distances;
    unsigned nlen = take(&f->b, 5) + 257, ndist = take(&f->b, 5) + 1, n = take(&f->b, 4) + 4;
    if (nlen > 286 || ndist > 30)
        return false;
    for (unsigned i = 0; i < n; i++)
        lens[order[i]] = (uint8_t)take(&f->b, 3);
    if (!code_of(&lengths, lens, 19))
        return false;
    memset(lens, 0, sizeof lens);
    for (unsigned i = 0; i < nlen + ndist;) {
        int s = symbol(&f->b, &lengths);
        if (s < 0 || f->b.broken || (s == 16 && i == 0))
            return false;
        if (s < 16) {
            lens[i++] = (uint8_t)s;
            continue;
        }
        uint8_t v = s == 16 ? lens[i - 1] : 0;
        unsigned times = s == 16   ? 3 + take(&f->b, 2)
                         : s == 17 ? 3 + take(&f->b, 3)
                                   : 11 + take(&f->b, 7);
        if (times > nlen + ndist - i)
            return false;
        memset(lens + i, v, times);
        i += times;
    }
    return code_of(&lengths, lens, nlen) && code_of(&distances, lens + nlen, ndist) &&
           inflate_coded(f, &lengths, &distances);
}

bool tsr_inflate(const uint8_t *in, size_t nin, uint8_t *out, size_t size)
{
    inflater f = {.b = {.in = in, .end = in + nin}, .out = out, .size = size};
    for (bool last = false; !last;) {
        last = take(&f.b, 1);
        uint32_t kind = take(&f.b, 2);
        if (f.b.broken || !(kind == 0   ? inflate_stored(&f)
                            : kind == 1 ? inflate_fixed(&f)
                            : kind == 2 ? inflate_dynamic(&f)
                                        : false))
            return false;
    }
    return f.n == size;
}

/* ---- The archive ---- */

enum { LOCAL = 30, CENTRAL = 46, END_SIZE = 22, END64_SIZE = 56, LOCATOR = 20 };

/* The last end record; NULL if there is none. A comment of up to 64 KiB may follow it. */
static const uint8_t *find_end(const tsr_npz *z)
{
    for (size_t back = END_SIZE; back <= z->len && back <= END_SIZE + 65535u; back++)
        if (memcmp(z->data + z->len - back, "PK\5\6", 4) == 0)
            return z->data + z->len - back;
    return NULL;
}

/* Sizes that do not fit are in an extra field: only those that are needed, in this order. */
static bool read_zip64(const uint8_t *p, size_t len, tsr_npz_entry *e)
{
    while (len >= 4) {
        size_t id = u16(p), n = u16(p + 2);
        if (n > len - 4)
            return false;
        if (id == 1) {
            uint64_t *const fields[] = {&e->size, &e->packed, &e->offset};
            const uint8_t *q = p + 4;
            for (size_t i = 0; i < TSR_COUNT(fields); i++) {
                if (*fields[i] != UINT32_MAX)
                    continue;
                if ((size_t)(p + 4 + n - q) < 8)
                    return false;
                *fields[i] = u64(q);
                q += 8;
            }
        }
        p += 4 + n;
        len -= 4 + n;
    }
    return true;
}

static bool read_directory(tsr_npz *z)
{
    const uint8_t *end = find_end(z);
    if (!end)
        return false;
    uint64_t n = u16(end + 10), at = u32(end + 16);
    const uint8_t *locator = end - z->data >= LOCATOR ? end - LOCATOR : NULL;
    if (locator && memcmp(locator, "PK\6\7", 4) == 0) {
        uint64_t where = u64(locator + 8);
        if (where > z->len || z->len - where < END64_SIZE ||
            memcmp(z->data + where, "PK\6\6", 4) != 0)
            return false;
        n = u64(z->data + where + 32);
        at = u64(z->data + where + 48);
    }
    for (uint64_t i = 0; i < n; i++) {
        if (at > z->len || z->len - at < CENTRAL || memcmp(z->data + at, "PK\1\2", 4) != 0)
            return false;
        const uint8_t *p = z->data + at;
        size_t name = u16(p + 28), extra = u16(p + 30), comment = u16(p + 32);
        if (z->len - at - CENTRAL < name + extra + comment)
            return false;
        tsr_npz_entry e = {.offset = u32(p + 42),
                           .packed = u32(p + 20),
                           .size = u32(p + 24),
                           .crc = u32(p + 16),
                           .method = (uint16_t)u16(p + 10)};
        if (!read_zip64(p + CENTRAL + name, extra, &e))
            return false;
        if (u16(p + 8) & 1)
            e.method = UINT16_MAX; /* encrypted: rejected when it is read */
        at += CENTRAL + name + extra + comment;
        const char *text = (const char *)p + CENTRAL;
        if (name < 4 || memcmp(text + name - 4, ".npy", 4) != 0)
            continue;
        e.name = tsr_xmalloc(name - 3);
        memcpy(e.name, text, name - 4);
        e.name[name - 4] = 0;
        tsr_vec_push(&z->entries, e);
    }
    return true;
}

void tsr_npz_close(tsr_npz *z)
{
    for (size_t i = 0; i < z->entries.n; i++)
        tsr_free(z->entries.data[i].name);
    tsr_vec_free(&z->entries);
    tsr_free(z->data);
    tsr_free(z->path);
}

bool tsr_npz_open(tsr_npz *z, const char *path, tsr_status *status)
{
    *z = (tsr_npz){0};
    z->data = tsr_read_bytes(path, &z->len, status);
    if (!z->data)
        return false;
    z->path = tsr_xmalloc(strlen(path) + 1);
    strcpy(z->path, path);
    if (read_directory(z))
        return true;
    tsr_status_set(status, TSR_BAD_INPUT, "%s: not an .npz file, or cut off", path);
    tsr_npz_close(z);
    return false;
}

int64_t tsr_npz_find(const tsr_npz *z, tsr_str name)
{
    for (size_t i = 0; i < z->entries.n; i++)
        if (tsr_str_is(name, z->entries.data[i].name))
            return (int64_t)i;
    return -1;
}

tsr_tensor *tsr_npz_read(tsr_ctx *ctx, const tsr_npz *z, size_t i, tsr_type *want,
                         tsr_npy_mode mode, tsr_status *status)
{
    const tsr_npz_entry *e = &z->entries.data[i];
    tsr_buf what = {0};
    tsr_buf_printf(&what, "%s:", z->path);
    for (const char *c = e->name; *c; c++) /* must be safe on a terminal */
        tsr_buf_char(&what, *c >= ' ' && *c <= '~' ? *c : '?');
    tsr_buf_char(&what, 0);
    bool there = e->offset <= z->len && z->len - e->offset >= LOCAL;
    const uint8_t *p = z->data + (there ? e->offset : 0);
    there = there && memcmp(p, "PK\3\4", 4) == 0;
    uint64_t head = there ? LOCAL + u16(p + 26) + u16(p + 28) : 0;
    there = there && z->len - e->offset >= head && z->len - e->offset - head >= e->packed;
    const uint8_t *file = NULL;
    uint8_t *unpacked = NULL;
    tsr_tensor *t = NULL;
    if (!there)
        tsr_status_set(status, TSR_BAD_INPUT, "%s: the archive is cut off", what.data);
    else if (e->method != 0 && e->method != 8)
        tsr_status_set(status, TSR_BAD_INPUT, "%s: is %s", what.data,
                       e->method == UINT16_MAX ? "encrypted"
                                               : "compressed by a method that is not supported");
    else if (e->method == 0 && e->size == e->packed)
        file = p + head;
    /* Deflate expands a byte to at most 1032 bytes: memory is not allocated for a larger claim. */
    else if (e->method == 0 || e->size / 1032 > e->packed + 1)
        tsr_status_set(status, TSR_BAD_INPUT, "%s: sizes in the archive do not agree", what.data);
    else if (!(unpacked = tsr_malloc(e->size ? (size_t)e->size : 1)))
        tsr_status_set(status, TSR_ENVIRONMENT, "%s: no memory for its values%s", what.data,
                       tsr_memory_reason().text);
    else if (!tsr_inflate(p + head, (size_t)e->packed, unpacked, (size_t)e->size))
        tsr_status_set(status, TSR_BAD_INPUT, "%s: the compressed data is corrupt", what.data);
    else
        file = unpacked;
    if (file && crc32(0, file, (size_t)e->size) != e->crc)
        tsr_status_set(status, TSR_BAD_INPUT, "%s: the checksum of the archive does not agree",
                       what.data);
    else if (file)
        t = tsr_npy_read(ctx, file, (size_t)e->size, want, mode, what.data, status);
    tsr_free(unpacked);
    tsr_buf_free(&what);
    return t;
}

/* ---- Writing ---- */

static void put(tsr_buf *b, uint64_t v, int bytes)
{
    for (; bytes; bytes--, v >>= 8)
        tsr_buf_char(b, (char)(v & 255));
}

/* The fields common to local and central headers. */
static void put_common(tsr_buf *b, uint32_t crc, uint32_t size, size_t name)
{
    put(b, 20, 2);   /* version needed */
    put(b, 0, 2);    /* flags */
    put(b, 0, 2);    /* stored */
    put(b, 0, 2);    /* time: fixed, so that equal outputs give equal files */
    put(b, 0x21, 2); /* 1980-01-01 */
    put(b, crc, 4);
    put(b, size, 4);
    put(b, size, 4);
    put(b, name, 2);
    put(b, 0, 2); /* extra */
}

/* One entry; its central header goes to directory. */
static bool save_entry(tsr_output *f, const tsr_tensor *t, const char *name, uint64_t *at,
                       tsr_buf *directory, tsr_status *status)
{
    tsr_buf head = {0}, local = {0};
    size_t nname = strlen(name) + 4, bytes = tsr_tensor_bytes(t);
    bool ok = tsr_npy_header(&head, t, status);
    uint64_t size = head.len + bytes;
    if (ok && (size >= UINT32_MAX || *at + size >= UINT32_MAX || nname > 60000))
        ok = tsr_status_set(status, TSR_BAD_INPUT,
                            "%s: too large for an .npz file; save .npy files", f->path);
    if (ok) {
        uint32_t crc = crc32(crc32(0, head.data, head.len), t->data, bytes);
        tsr_buf_str(&local, TSR_STR("PK\3\4"));
        put_common(&local, crc, (uint32_t)size, nname);
        tsr_buf_printf(&local, "%s.npy", name);
        tsr_buf_str(directory, TSR_STR("PK\1\2"));
        put(directory, 20, 2); /* made by */
        put_common(directory, crc, (uint32_t)size, nname);
        put(directory, 0, 2); /* comment */
        put(directory, 0, 2); /* disk */
        put(directory, 0, 2); /* attributes inside */
        put(directory, 0, 4); /* and outside */
        put(directory, *at, 4);
        tsr_buf_printf(directory, "%s.npy", name);
        ok = tsr_output_put(f, local.data, local.len, status) &&
             tsr_output_put(f, head.data, head.len, status) &&
             tsr_output_put(f, t->data, bytes, status);
        *at += local.len + size;
    }
    tsr_buf_free(&head);
    tsr_buf_free(&local);
    return ok;
}

bool tsr_npz_save(tsr_tensor *const *tensors, const char *const *names, size_t n, const char *path,
                  tsr_status *status)
{
    tsr_output f;
    tsr_buf directory = {0};
    uint64_t at = 0;
    if (n > 65534)
        return tsr_status_set(status, TSR_BAD_INPUT, "%s: too many arrays for an .npz file", path);
    TSR_TRY(tsr_output_open(&f, path, status));
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = save_entry(&f, tensors[i], names[i], &at, &directory, status);
    size_t size = directory.len;
    tsr_buf_str(&directory, TSR_STR("PK\5\6"));
    put(&directory, 0, 4); /* disks */
    put(&directory, n, 2);
    put(&directory, n, 2);
    put(&directory, size, 4);
    put(&directory, at, 4);
    put(&directory, 0, 2);
    ok = ok && tsr_output_put(&f, directory.data, directory.len, status);
    ok = tsr_output_close(&f, ok, status);
    tsr_buf_free(&directory);
    return ok;
}
