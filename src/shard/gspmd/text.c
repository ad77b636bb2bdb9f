/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - parses GSPMD's sharding strings; gspmd.h has the grammar. */
#include "shard/gspmd/gspmd.h"

typedef struct {
    tsr_str rest;
    tsr_buf *why;
    uint32_t depth;
} reader;

static bool fail(reader *r, const char *what)
{
    if (!r->why->len)
        tsr_buf_printf(r->why, "%s is expected at '%.*s'", what,
                       (int)(r->rest.len > 24 ? 24 : r->rest.len), r->rest.data);
    return false;
}

static bool refuse(reader *r, const char *why)
{
    if (!r->why->len)
        tsr_buf_cstr(r->why, why);
    return false;
}

static void skip_space(reader *r)
{
    while (r->rest.len && (r->rest.data[0] == ' ' || r->rest.data[0] == '\t'))
        r->rest = (tsr_str){r->rest.data + 1, r->rest.len - 1};
}

static bool take(reader *r, const char *word)
{
    skip_space(r);
    if (!tsr_str_starts(r->rest, word))
        return false;
    r->rest = (tsr_str){r->rest.data + strlen(word), r->rest.len - strlen(word)};
    return true;
}

static bool expect(reader *r, const char *word)
{
    if (take(r, word))
        return true;
    tsr_buf what = {0};
    tsr_buf_printf(&what, "'%s'", word);
    tsr_buf_char(&what, 0);
    fail(r, what.data);
    tsr_buf_free(&what);
    return false;
}

/* A word that is not the beginning of a longer one. */
static bool take_word(reader *r, const char *word)
{
    size_t n = strlen(word);
    skip_space(r);
    if (!tsr_str_starts(r->rest, word))
        return false;
    char c = r->rest.len > n ? r->rest.data[n] : 0;
    return (c < 'a' || c > 'z') && c != '_' && take(r, word);
}

static bool read_number(reader *r, int64_t *out)
{
    size_t n = 0;
    *out = 0;
    skip_space(r);
    for (; n < r->rest.len && r->rest.data[n] >= '0' && r->rest.data[n] <= '9' && n < 10; n++)
        *out = *out * 10 + (r->rest.data[n] - '0');
    if (!n || n == 10)
        return fail(r, "a number");
    r->rest = (tsr_str){r->rest.data + n, r->rest.len - n};
    return true;
}

static bool read_numbers(reader *r, tsr_gspmd_numbers *out)
{
    out->n = 0;
    do {
        if (out->n == TSR_GSPMD_DIMS)
            return refuse(r, "it has too many dimensions");
        TSR_TRY(read_number(r, &out->data[out->n++]));
    } while (take(r, ","));
    return true;
}

static int64_t product(const tsr_gspmd_numbers *x)
{
    int64_t n = 1;
    for (uint32_t i = 0; i < x->n; i++)
        n = x->data[i] < 1 || n > INT32_MAX / x->data[i] ? 0 : n * x->data[i];
    return n;
}

/* Whether ids contains each number below n once. */
static bool is_permutation(const int64_t *ids, size_t n)
{
    char *seen = tsr_xmalloc(n + 1);
    memset(seen, 0, n + 1);
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        ok = ids[i] >= 0 && ids[i] < (int64_t)n && !seen[ids[i]];
        if (ok)
            seen[ids[i]] = 1;
    }
    tsr_free(seen);
    return ok;
}

/* ids is empty, or has each device once. */
static bool read_devices(reader *r, tsr_gspmd *s)
{
    TSR_TRY(expect(r, "[") && read_numbers(r, &s->tile) && expect(r, "]"));
    int64_t n = product(&s->tile);
    if (n < 1 || n > 1 << 20)
        return refuse(r, "its tile has no devices, or more than a million");
    if (take(r, "<=")) {
        TSR_TRY(expect(r, "[") && read_numbers(r, &s->grid) && expect(r, "]"));
        if (take(r, "T"))
            TSR_TRY(expect(r, "(") && read_numbers(r, &s->order) && expect(r, ")"));
        if (product(&s->grid) != n)
            return refuse(r, "its tile and its grid have different numbers of devices");
        if (s->order.n && (s->order.n != s->grid.n || !is_permutation(s->order.data, s->order.n)))
            return refuse(r, "T(...) does not name each dimension of the grid once");
        return true;
    }
    do {
        int64_t id;
        TSR_TRY(read_number(r, &id));
        tsr_vec_push(&s->ids, id);
    } while (take(r, ","));
    if ((int64_t)s->ids.n != n)
        return refuse(r, "its tile and its list have different numbers of devices");
    return is_permutation(s->ids.data, s->ids.n) ||
           refuse(r, "its list does not name each device once");
}

static bool read_kind(reader *r, tsr_gspmd_kind *out)
{
    static const struct {
        const char *word;
        tsr_gspmd_kind kind;
    } words[] = {{"replicated", TSR_GSPMD_REPLICATED},
                 {"manual", TSR_GSPMD_MANUAL},
                 {"unknown", TSR_GSPMD_UNKNOWN},
                 {"unreduced", TSR_GSPMD_UNREDUCED}};
    for (size_t i = 0; i < TSR_COUNT(words); i++)
        if (take_word(r, words[i].word)) {
            *out = words[i].kind;
            return true;
        }
    return false;
}

/* last_tile_dims={manual, replicated} */
static bool read_last(reader *r, tsr_gspmd *s)
{
    TSR_TRY(expect(r, "{"));
    do {
        if (s->nlast == s->tile.n)
            return refuse(r, "last_tile_dims has more kinds than the tile has sizes");
        tsr_gspmd_kind *kind = &s->last[s->nlast++];
        if (!read_kind(r, kind) || *kind == TSR_GSPMD_UNKNOWN)
            return fail(r, "replicated, manual or unreduced");
    } while (take(r, ","));
    return expect(r, "}");
}

/* metadata={...}: ignored, as it is only for people. Braces inside strings do not count. */
static bool skip_metadata(reader *r)
{
    int depth = 1;
    bool text = false;
    TSR_TRY(expect(r, "{"));
    size_t i = 0;
    for (; i < r->rest.len && depth; i++) {
        char c = r->rest.data[i];
        if (text && c == '\\')
            i++;
        else if (c == '"')
            text = !text;
        else if (!text)
            depth += (c == '{') - (c == '}');
    }
    if (depth || i > r->rest.len)
        return refuse(r, "its metadata does not end");
    r->rest = (tsr_str){r->rest.data + i, r->rest.len - i};
    return true;
}

/* The contents of one sharding's braces, and the closing one. */
static bool read_one(reader *r, tsr_gspmd *s)
{
    if (take(r, "devices=")) {
        s->kind = TSR_GSPMD_TILED;
        TSR_TRY(read_devices(r, s));
    } else if (take_word(r, "maximal")) {
        s->kind = TSR_GSPMD_MAXIMAL;
        TSR_TRY(expect(r, "device=") && read_number(r, &s->device));
    } else if (!read_kind(r, &s->kind)) {
        return fail(r, "a sharding");
    }
    while (!take(r, "}")) {
        bool tiled = s->kind == TSR_GSPMD_TILED;
        if (tiled && !s->nlast && take_word(r, "last_tile_dim_replicate"))
            s->last[s->nlast++] = TSR_GSPMD_REPLICATED;
        else if (tiled && !s->nlast && take(r, "last_tile_dims="))
            TSR_TRY(read_last(r, s));
        else if (take_word(r, "shard_as") || take_word(r, "shard_like"))
            TSR_TRY(read_number(r, &s->group));
        else if (take(r, "metadata="))
            TSR_TRY(skip_metadata(r));
        else
            return fail(r, "'}'");
    }
    return true;
}

static bool read_all(reader *r, tsr_gspmd_vec *out, bool *tuple)
{
    TSR_TRY(expect(r, "{"));
    skip_space(r);
    *tuple = r->rest.len && (r->rest.data[0] == '{' || r->rest.data[0] == '}');
    if (*tuple && take(r, "}"))
        return true;
    do {
        if (*tuple)
            TSR_TRY(expect(r, "{"));
        tsr_vec_push(out, ((tsr_gspmd){.group = -1}));
        TSR_TRY(read_one(r, &out->data[out->n - 1]));
    } while (*tuple && take(r, ","));
    return !*tuple || expect(r, "}");
}

bool tsr_gspmd_read(tsr_str text, tsr_gspmd_vec *out, bool *tuple, tsr_buf *why)
{
    reader r = {.rest = text, .why = why};
    TSR_TRY(read_all(&r, out, tuple));
    skip_space(&r);
    return !r.rest.len || fail(&r, "the end");
}

void tsr_gspmd_free(tsr_gspmd_vec *v)
{
    for (size_t i = 0; i < v->n; i++)
        tsr_vec_free(&v->data[i].ids);
    tsr_vec_free(v);
}

bool tsr_gspmd_read_one(tsr_str text, tsr_gspmd *out)
{
    tsr_gspmd_vec all = {0};
    tsr_buf why = {0};
    bool tuple, ok = tsr_gspmd_read(text, &all, &tuple, &why) && all.n == 1 && !tuple;
    if (ok) {
        *out = all.data[0];
        tsr_vec_free(&all);
    } else {
        *out = (tsr_gspmd){.group = -1};
        tsr_gspmd_free(&all);
    }
    tsr_buf_free(&why);
    return ok;
}

int64_t tsr_gspmd_devices(const tsr_gspmd *s)
{
    return product(&s->tile);
}

int64_t tsr_gspmd_device(const tsr_gspmd *s, int64_t place)
{
    if (s->ids.n)
        return s->ids.data[place];
    if (!s->order.n)
        return place;
    int64_t device = 0, at[TSR_GSPMD_DIMS];
    for (uint32_t i = s->grid.n; i-- > 0;) {
        uint32_t d = (uint32_t)s->order.data[i];
        at[d] = place % s->grid.data[d];
        place /= s->grid.data[d];
    }
    for (uint32_t d = 0; d < s->grid.n; d++)
        device = device * s->grid.data[d] + at[d];
    return device;
}
