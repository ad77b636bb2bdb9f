/* SPDX-License-Identifier: Apache-2.0 */
/* test_json.c - the strict reader of JSON. */
#include "unit.h"

#include "base/json.h"

static bool refused(tsr_arena *arena, const char *text, size_t at)
{
    tsr_json_error e;
    return !tsr_json_read(arena, tsr_cstr(text), &e) && e.reason && e.at == at;
}

void test_json(unit *u)
{
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_json_error e;
    const tsr_json *v = tsr_json_read(&arena,
                                      TSR_STR(" {\"a\": [1, -20, 1.5e3, true, null], \"b\\u0041\": "
                                              "\"x\\n\\u00e9\\ud83d\\ude00\", \"c\": {}} "),
                                      &e);
    CHECK(u, v && v->kind == TSR_JSON_OBJECT && v->n == 3);
    const tsr_json *a = tsr_json_get(v, "a", TSR_JSON_ARRAY),
                   *b = tsr_json_get(v, "bA", TSR_JSON_STRING);
    CHECK(u, a && a->n == 5 && a->items[0]->i == 1 && a->items[1]->i == -20 &&
                 a->items[1]->kind == TSR_JSON_INT);
    CHECK(u, a && a->items[2]->kind == TSR_JSON_NUMBER && tsr_str_is(a->items[2]->s, "1.5e3"));
    CHECK(u, a && a->items[3]->kind == TSR_JSON_BOOL && a->items[3]->i &&
                 a->items[4]->kind == TSR_JSON_NULL);
    CHECK(u, b && tsr_str_is(b->s, "x\n\xC3\xA9\xF0\x9F\x98\x80"));
    CHECK(u, !tsr_json_get(v, "a", TSR_JSON_STRING) && !tsr_json_get(v, "z", TSR_JSON_ARRAY) &&
                 !tsr_json_get(NULL, "a", TSR_JSON_INT));
    v = tsr_json_read(&arena, TSR_STR("9223372036854775808"), &e);
    CHECK(u, v && v->kind == TSR_JSON_NUMBER);
    static const struct {
        const char *text;
        size_t at;
    } bad[] = {{"", 0},
               {"[1,]", 3},
               {"[1 2]", 3},
               {"{\"a\" 1}", 5},
               {"{\"a\": 1, \"a\": 2}", 9},
               {"{a: 1}", 1},
               {"01", 0},
               {"-", 1},
               {"1.", 2},
               {"1e+", 3},
               {"\"abc", 0},
               {"\"\\x\"", 2},
               {"\"\\u12g4\"", 5},
               {"\"\\ud800\"", 2},
               {"\"\\ud800\\n\"", 8},
               {"\"a\nb\"", 2},
               {"true false", 5},
               {"nul", 0},
               {"{\"a\": 1,}", 8},
               {"[", 1}};
    for (size_t i = 0; i < TSR_COUNT(bad); i++) {
        if (!refused(&arena, bad[i].text, bad[i].at))
            fprintf(stderr, "not refused there: %s\n", bad[i].text);
        CHECK(u, refused(&arena, bad[i].text, bad[i].at));
    }
    char deep[200];
    memset(deep, '[', sizeof deep);
    CHECK(u, !tsr_json_read(&arena, (tsr_str){deep, sizeof deep}, &e) && e.reason);
    tsr_arena_free(&arena);
}
