/* SPDX-License-Identifier: Apache-2.0 */
/* test_base.c - the containers of base/. */
#include "unit.h"
#include "base/suggest.h"

static void test_arena(unit *u)
{
    tsr_arena a;
    tsr_arena_init(&a);
    char *first = tsr_arena_alloc(&a, 3), *second = tsr_arena_alloc(&a, 1);
    CHECK(u, second - first == 8);
    tsr_arena_mark mark = tsr_arena_save(&a);
    for (int i = 0; i < 1000; i++)
        memset(tsr_arena_alloc(&a, 1000), 1, 1000);
    char *large = tsr_arena_alloc(&a, 5 << 20);
    memset(large, 2, 5 << 20);
    CHECK(u, tsr_arena_size(&a) > 5 << 20);
    tsr_arena_rewind(&a, mark);
    CHECK(u, (char *)tsr_arena_alloc(&a, 8) == second + 8);
    tsr_arena_free(&a);
    CHECK(u, tsr_arena_size(&a) == 0);
    mark = tsr_arena_save(&a);
    first = tsr_arena_alloc(&a, 10);
    memset(tsr_arena_alloc(&a, 100000), 3, 100000);
    tsr_arena_rewind(&a, mark);
    CHECK(u, tsr_arena_size(&a) < 100000);
    CHECK(u, (char *)tsr_arena_alloc(&a, 10) == first); /* one chunk stays for the next */
    tsr_arena_rewind(&a, mark);
    CHECK(u, (char *)tsr_arena_alloc(&a, 10) == first);
    tsr_arena_free(&a);
}

static int *find(tsr_map *m, int *key)
{
    TSR_MAP_EACH (m, (uint64_t)*key % 97, v)
        if (*(int *)v == *key)
            return v;
    return NULL;
}

static void test_map(unit *u)
{
    static int keys[2000];
    tsr_map m = {0};
    int found = 0, order = 0;
    CHECK(u, !find(&m, &keys[0]));
    for (int i = 0; i < 2000; i++) {
        keys[i] = i * 7;
        tsr_map_put(&m, (uint64_t)keys[i] % 97, &keys[i]); /* many equal hashes */
    }
    for (int i = 0; i < 2000; i++) {
        found += find(&m, &keys[i]) == &keys[i];
        order += m.entries[i].value == &keys[i];
    }
    CHECK(u, found == 2000 && order == 2000);
    tsr_map_truncate(&m, 500);
    found = 0;
    for (int i = 0; i < 2000; i++)
        found += find(&m, &keys[i]) == (i < 500 ? &keys[i] : NULL);
    CHECK(u, found == 2000);
    tsr_map_put(&m, (uint64_t)keys[700] % 97, &keys[700]);
    CHECK(u, find(&m, &keys[700]) == &keys[700] && !find(&m, &keys[701]));
    tsr_map_free(&m);
    CHECK(u, m.n == 0 && !find(&m, &keys[0]));
}

static void test_vec(unit *u)
{
    TSR_VEC(int) v = {0};
    for (int i = 0; i < 100; i++)
        tsr_vec_push(&v, i * i);
    CHECK(u, v.n == 100 && v.data[99] == 99 * 99);
    tsr_vec_reserve(&v, 1000);
    CHECK(u, v.cap >= 1000 && v.data[10] == 100);
    tsr_vec_free(&v);
    CHECK(u, !v.data && !v.n);
}

static void test_bitset(unit *u)
{
    tsr_arena a;
    tsr_arena_init(&a);
    tsr_bitset s = tsr_bitset_new(&a, 130);
    tsr_bitset_add(&s, 0);
    tsr_bitset_add(&s, 63);
    tsr_bitset_add(&s, 64);
    tsr_bitset_add(&s, 129);
    CHECK(u, tsr_bitset_has(&s, 0) && tsr_bitset_has(&s, 63) && tsr_bitset_has(&s, 64) &&
                 tsr_bitset_has(&s, 129));
    CHECK(u, !tsr_bitset_has(&s, 1) && !tsr_bitset_has(&s, 128) && !tsr_bitset_has(&s, 1000));
    tsr_bitset_remove(&s, 64);
    CHECK(u, !tsr_bitset_has(&s, 64));
    tsr_arena_free(&a);
}

typedef struct node {
    struct node *prev, *next;
} node;

static void test_list(unit *u)
{
    struct {
        node *first, *last;
    } list = {0};
    node a = {0}, b = {0}, c = {0}, *end = NULL, *before = &b;
    TSR_LIST_INSERT(&list, &b, end);
    TSR_LIST_INSERT(&list, &c, end);
    TSR_LIST_INSERT(&list, &a, before);
    CHECK(u, list.first == &a && a.next == &b && b.next == &c && list.last == &c && c.prev == &b &&
                 b.prev == &a);
    TSR_LIST_REMOVE(&list, &b);
    CHECK(u, a.next == &c && c.prev == &a && !b.next && !b.prev);
    TSR_LIST_REMOVE(&list, &a);
    TSR_LIST_REMOVE(&list, &c);
    CHECK(u, !list.first && !list.last);
}

static void test_str(unit *u)
{
    tsr_buf b = {0};
    CHECK(u, tsr_buf_text(&b).len == 0);
    tsr_buf_int(&b, INT64_MIN);
    tsr_buf_char(&b, ' ');
    tsr_buf_uint(&b, UINT64_MAX);
    tsr_buf_printf(&b, " %s %d", "x", 7);
    CHECK(u, tsr_str_is(tsr_buf_text(&b), "-9223372036854775808 18446744073709551615 x 7"));
    b.len = 0;
    tsr_buf_quoted(&b, TSR_STR("a\"b\\c\n\xC3"));
    CHECK(u, tsr_str_is(tsr_buf_text(&b), "\"a\\22b\\\\c\\0A\\C3\""));
    b.len = 0;
    const double quantities[] = {0, 512, 999.4, 999.5, 1152, 99949, 99951, 1e9, 2.5e20, -1};
    for (size_t i = 0; i < TSR_COUNT(quantities); i++) {
        tsr_buf_quantity(&b, quantities[i], "B");
        tsr_buf_char(&b, '|');
    }
    CHECK(u, tsr_str_is(tsr_buf_text(&b),
                        "0 B|512 B|999 B|1.00 KB|1.15 KB|99.9 KB|100 KB|1.00 GB|250 EB|?|"));
    tsr_suggestion s = tsr_suggest_for(TSR_STR("shrad"));
    tsr_suggest(&s, "run");
    CHECK(u, !s.found);
    tsr_suggest(&s, "shard");
    CHECK(u, s.found && strcmp(s.found, "shard") == 0);
    tsr_buf_free(&b);
    /* What comes behind a large piece does not move it. */
    static const char large[100000];
    tsr_buf_str(&b, tsr_str_of(large, sizeof large));
    size_t cap = b.cap;
    tsr_buf_cstr(&b, "small");
    CHECK(u, b.cap == cap);
    tsr_buf_free(&b);
    CHECK(u, tsr_str_cmp(TSR_STR("ab"), TSR_STR("abc")) < 0 &&
                 tsr_str_cmp(TSR_STR("b"), TSR_STR("abc")) > 0);
    CHECK(u, tsr_str_cmp(TSR_STR(""), TSR_STR("")) == 0 && tsr_str_starts(TSR_STR("abc"), "ab"));
    CHECK(u, tsr_hash_str(TSR_STR("12345678a")) != tsr_hash_str(TSR_STR("12345678b")));
}

/* Hashes depend on the seed, and strings whose words differ in few high bits do not collide whatever the seed is. */
static void test_seed(unit *u)
{
    uint64_t seed[2], a[2] = {7, 9}, b[2] = {a[0] ^ 1ull << 63, a[1] ^ (1ull << 63 | 1ull << 31)},
                      last = 0;
    memcpy(seed, tsr_hash_seed, sizeof seed);
    for (uint64_t i = 0; i < 100; i++) {
        for (int k = 0; k < 2; k++)
            tsr_hash_seed[k] = tsr_mul_fold(i + 1, 0x9E3779B97F4A7C15u + (uint64_t)k);
        uint64_t hash = tsr_hash_bytes(a, sizeof a);
        CHECK(u, hash != last && hash != tsr_hash_bytes(b, sizeof b));
        last = hash;
    }
    memcpy(tsr_hash_seed, seed, sizeof seed);
    CHECK(u, tsr_mul_fold(UINT64_MAX, UINT64_MAX) == (UINT64_MAX - 1) + 1 &&
                 tsr_mul_fold(1ull << 32, 1ull << 32) == 1);
}

void test_base(unit *u)
{
    test_arena(u);
    test_map(u);
    test_seed(u);
    test_vec(u);
    test_bitset(u);
    test_list(u);
    test_str(u);
}
