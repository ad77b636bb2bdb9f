/* SPDX-License-Identifier: Apache-2.0 */
/* used.c - the functions of a text that some other text calls, and what they call: compilers of kernels take as long as what
 * they read is. */
#include "target/text/text.h"

#include "base/char.h"

/* A function, a macro, a type or tables: from a line that begins with a word up to the next such line. */
typedef struct {
    tsr_str text;
    bool used;
} item;

typedef struct {
    tsr_str name;
    uint32_t item;
} defined;

typedef struct {
    TSR_VEC(item) items;
    TSR_VEC(defined) names;
    TSR_VEC(uint32_t) next; /* items whose words have not been looked up */
    tsr_map by_name;
} names_of;

static bool is_word(char c)
{
    return tsr_is_alpha(c) || tsr_is_digit(c) || c == '_';
}

/* The next word from *at on; empty: there is none. Numbers, comments and strings are no words. */
static tsr_str next_word(const char **at, const char *end)
{
    while (*at < end) {
        const char *start = *at;
        if (is_word(*start)) {
            while (*at < end && is_word(**at))
                ++*at;
            if (!tsr_is_digit(*start))
                return (tsr_str){start, (size_t)(*at - start)};
            continue;
        }
        ++*at;
    }
    return (tsr_str){end, 0};
}

static void define(names_of *x, tsr_str name)
{
    tsr_vec_push(&x->names, ((defined){name, (uint32_t)x->items.n - 1}));
}

/* Finds the names that an item defines: that of a macro; the word before the first parenthesis; words before brackets that
 * begin tables; the last word of a type. */
static void find_names(names_of *x, tsr_str text)
{
    const char *at = text.data, *end = text.data + text.len;
    tsr_str word = next_word(&at, end);
    if (text.data[0] == '#') {
        define(x, next_word(&at, end));
        return;
    }
    bool table = tsr_str_is(word, "TSR_RUN"), type = tsr_str_is(word, "typedef");
    for (tsr_str w = word; w.len; w = next_word(&at, end)) {
        if (!type && !table && at < end && *at == '(') {
            define(x, w);
            return;
        }
        if (table && at < end && *at == '[')
            define(x, w);
        word = w;
    }
    if (type)
        define(x, word);
}

static bool begins_item(const char *line)
{
    return tsr_is_alpha(*line) || (*line == '#' && strncmp(line, "#define", 7) == 0);
}

/* The end of the line, after its newline. */
static const char *line_end(const char *at, const char *end)
{
    const char *found = memchr(at, '\n', (size_t)(end - at));
    return found ? found + 1 : end;
}

static void find_items(names_of *x, tsr_str text)
{
    const char *end = text.data + text.len, *start = NULL;
    bool comment = false;
    for (const char *at = text.data, *next; at < end; at = next) {
        next = line_end(at, end);
        bool begins = !comment && begins_item(at), other = !comment && strncmp(at, "/*", 2) == 0;
        if (start && (begins || other)) {
            tsr_vec_push(&x->items, ((item){.text = {start, (size_t)(at - start)}}));
            find_names(x, x->items.data[x->items.n - 1].text);
            start = NULL;
        }
        if (begins)
            start = at;
        if (other || comment)
            comment = next - at < 3 || strncmp(next - 3, "*/\n", 3) != 0;
    }
    if (start) {
        tsr_vec_push(&x->items, ((item){.text = {start, (size_t)(end - start)}}));
        find_names(x, x->items.data[x->items.n - 1].text);
    }
}

static bool has_name(const names_of *x, tsr_str name)
{
    TSR_MAP_EACH (&x->by_name, tsr_hash_str(name), v) {
        const defined *d = v;
        if (tsr_str_eq(d->name, name))
            return true;
    }
    return false;
}

static void use(names_of *x, tsr_str text)
{
    const char *at = text.data, *end = text.data + text.len;
    for (tsr_str w = next_word(&at, end); w.len; w = next_word(&at, end)) {
        uint64_t hash = tsr_hash_str(w);
        TSR_MAP_EACH (&x->by_name, hash, v) {
            const defined *d = v;
            item *i = &x->items.data[d->item];
            if (!i->used && tsr_str_eq(d->name, w)) {
                i->used = true;
                tsr_vec_push(&x->next, d->item);
            }
        }
    }
}

/* Writes an item: (type){...} is written as C++ has it, too; empty lines at its end are left out. */
static void put_item(tsr_buf *out, tsr_str text)
{
    while (text.len && text.data[text.len - 1] == '\n')
        text.len--;
    for (size_t i = 0; i < text.len; i++) {
        size_t n = 0;
        if (text.data[i] == '(' && i + 4 < text.len && text.data[i + 1] == 'f')
            for (n = 1; i + n < text.len && is_word(text.data[i + n]); n++)
                ;
        if (n && i + n + 1 < text.len && text.data[i + n] == ')' && text.data[i + n + 1] == '{')
            tsr_buf_cstr(out, "TSR_MAKE");
        tsr_buf_char(out, text.data[i]);
    }
    tsr_buf_char(out, '\n');
}

void tsr_text_used(tsr_str text, tsr_str by, tsr_buf *out)
{
    names_of x = {0};
    find_items(&x, tsr_buf_text(out));
    size_t given = x.items.n;
    for (size_t i = 0; i < given; i++)
        x.items.data[i].used = true;
    find_items(&x, text);
    for (size_t i = 0; i < x.names.n; i++)
        if (!has_name(&x, x.names.data[i].name))
            tsr_map_put(&x.by_name, tsr_hash_str(x.names.data[i].name), &x.names.data[i]);
    use(&x, by);
    while (x.next.n) {
        uint32_t i = x.next.data[--x.next.n];
        use(&x, x.items.data[i].text);
    }
    tsr_buf found = {0};
    for (size_t i = given; i < x.items.n; i++)
        if (x.items.data[i].used)
            put_item(&found, x.items.data[i].text);
    tsr_buf_str(out, tsr_buf_text(&found));
    tsr_buf_free(&found);
    tsr_vec_free(&x.items);
    tsr_vec_free(&x.names);
    tsr_vec_free(&x.next);
    tsr_map_free(&x.by_name);
}
