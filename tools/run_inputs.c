/* SPDX-License-Identifier: Apache-2.0 */
/* run_inputs.c - inputs and expected results of `tessera run`: files, literal values, random values. */
#include "run.h"

#include <unistd.h>

#include "eval/file/literal.h"
#include "eval/file/npy.h"
#include "eval/random.h"

/* Where .npz ends and ":name" begins; NULL if the text is not such a file. */
static const char *npz_end(const char *text)
{
    size_t n = strlen(text);
    if (n > 4 && strcmp(text + n - 4, ".npz") == 0)
        return text + n;
    const char *at = strstr(text, ".npz:");
    return at ? at + 4 : NULL;
}

/* The element type for value number i; NULL if the function has none there, or not a tensor. */
static tsr_type *element_at(tsr_type *const *types, size_t n, size_t i)
{
    return i < n && tsr_type_is_shaped(types[i]) ? types[i]->elem : NULL;
}

void run_free_tensors(run_tensors *v)
{
    for (size_t i = 0; i < v->n; i++)
        tsr_tensor_unref(v->data[i]);
    tsr_vec_free(v);
}

static bool push(run_tensors *v, tsr_tensor *t)
{
    if (t)
        tsr_vec_push(v, t);
    return t != NULL;
}

/* All arrays of an archive, or the named one. */
static bool load_npz(run_job *c, const char *text, const char *end, tsr_type *const *types,
                     size_t n, tsr_npy_mode mode, run_tensors *out, tsr_status *s)
{
    tsr_npz z;
    tsr_buf path = {0};
    tsr_buf_str(&path, tsr_str_of(text, (size_t)(end - text)));
    tsr_buf_char(&path, 0);
    bool ok = tsr_npz_open(&z, path.data, s);
    if (ok) {
        int64_t one = *end ? tsr_npz_find(&z, tsr_cstr(end + 1)) : 0;
        if (one < 0)
            ok = tsr_status_set(s, TSR_BAD_INPUT, "%s: has no array '%s'", path.data, end + 1);
        else if (!z.entries.n)
            ok = tsr_status_set(s, TSR_BAD_INPUT, "%s: has no arrays", path.data);
        size_t first = *end ? (size_t)one : 0, count = *end ? 1 : z.entries.n;
        for (size_t i = 0; ok && i < count; i++)
            ok = push(out,
                      tsr_npz_read(c->ctx, &z, first + i, element_at(types, n, out->n), mode, s));
        tsr_npz_close(&z);
    }
    tsr_buf_free(&path);
    return ok;
}

/* "5x16xf32" as a tensor type; NULL if it is not one. */
static const tsr_type *type_of_text(const run_job *c, tsr_str size)
{
    tsr_buf text = {0};
    tsr_buf_printf(&text, "tensor<%.*s>", TSR_STR_ARG(size));
    bool quiet = c->ctx->quiet;
    c->ctx->quiet = true;
    const tsr_type *type = tsr_type_parse(c->ctx, tsr_buf_text(&text));
    c->ctx->quiet = quiet;
    tsr_buf_free(&text);
    return type;
}

static bool load(run_job *c, const char *text, tsr_type *const *types, size_t n, tsr_npy_mode mode,
                 run_tensors *out, tsr_status *s)
{
    const char *end = npz_end(text);
    if (tsr_literal_is(tsr_cstr(text)))
        return push(out, tsr_literal_read(c->ctx, tsr_cstr(text), s));
    if (end)
        return load_npz(c, text, end, types, n, mode, out, s);
    if (access(text, F_OK) != 0 && type_of_text(c, tsr_cstr(text)))
        return tsr_status_set(s, TSR_BAD_INPUT,
                              "'%s' has a type and no values: %s=random or %s=1 gives them", text,
                              text, text);
    tsr_type *want = element_at(types, n, out->n);
    return push(out, c->ranks ? tsr_npy_map(c->ctx, text, want, mode, s)
                              : tsr_npy_load(c->ctx, text, want, mode, s));
}

/* Arguments that are tokens take no input. */
static bool takes_input(const run_job *c, uint32_t i)
{
    return tsr_type_is_shaped(c->type->types[i]) || tsr_type_is(c->type->types[i], TSR_TYPE_TUPLE);
}

/* The wanted inputs, in order, with the argument of each. A saved model says which that is, and holds the other
 * arguments itself; an input that is none of its arguments has no type. */
static bool list_wanted(run_job *c, tsr_status *s)
{
    const tsr_saved *saved = c->is_saved ? &c->saved : NULL;
    for (uint32_t i = 0; !saved && i < c->type->n; i++)
        if (takes_input(c, i))
            tsr_vec_push(&c->wanted, i);
    if (saved && saved->nargs != c->type->n)
        return tsr_status_set(s, TSR_BAD_INPUT,
                              "'%s' says what %zu arguments are, and the function has %u",
                              saved->meta, saved->nargs, c->type->n);
    for (size_t p = 0; saved && p < saved->ninput; p++) {
        uint32_t i = 0;
        while (i < c->type->n && saved->args[i].input != (int64_t)p)
            i++;
        tsr_vec_push(&c->wanted, i);
    }
    for (size_t p = 0; p < c->wanted.n; p++)
        tsr_vec_push(&c->types, c->wanted.data[p] < c->type->n ? c->type->types[c->wanted.data[p]]
                                                               : c->ctx->none);
    return true;
}

/* Input p. The type is that of the global value, whatever the shards are. type: NULL for the function's. */
static tsr_tensor *random_input(run_job *c, size_t p, const tsr_type *type, tsr_status *s)
{
    uint32_t i = c->wanted.data[p];
    if (i >= c->type->n)
        return tsr_token_new();
    return tsr_random_input_as(c->m, c->func, i, type ? type : c->type->types[i], c->seed, s);
}

/* "5x16xf32=random": sizes for an argument with dynamic sizes. */
static bool is_sized_random(const char *text, tsr_str *size)
{
    size_t n = strlen(text), tail = strlen("=random");
    *size = (tsr_str){text, n > tail ? n - tail : 0};
    return size->len && strcmp(text + size->len, "=random") == 0;
}

static tsr_tensor *random_of_size(run_job *c, size_t p, tsr_str size, tsr_status *s)
{
    const tsr_type *type = type_of_text(c, size);
    if (type && tsr_type_is(type, TSR_TYPE_TENSOR) && tsr_type_has_static_shape(type))
        return random_input(c, p, type, s);
    tsr_status_set(s, TSR_BAD_INPUT,
                   "'%.*s=random': sizes and an element type are wanted, such as 5x16xf32",
                   TSR_STR_ARG(size));
    return NULL;
}

/* Loads everything that the user gives. */
static bool load_given(run_job *c, run_tensors *given, tsr_status *s)
{
    bool random = false;
    size_t n = c->wanted.n;
    for (size_t i = 0; i < c->inputs.n; i++) {
        const char *text = c->inputs.data[i];
        random = strcmp(text, "random") == 0;
        if (given->n >= n)
            return tsr_status_set(
                s, TSR_BAD_INPUT,
                "too many inputs: '%s' is one more than the %zu that the function takes", text, n);
        tsr_str size;
        bool ok = random ? push(given, random_input(c, given->n, NULL, s))
                  : is_sized_random(text, &size)
                      ? push(given, random_of_size(c, given->n, size, s))
                      : load(c, text, c->types.data, n, TSR_NPY_EXACT, given, s);
        if (!ok)
            return false;
        while (c->given_names.n < given->n)
            tsr_vec_push(&c->given_names, text);
    }
    while (random && given->n < n)
        TSR_TRY(push(given, random_input(c, given->n, NULL, s)));
    while (c->given_names.n < given->n)
        tsr_vec_push(&c->given_names, "random");
    if (given->n < n)
        return tsr_status_set(s, TSR_BAD_INPUT,
                              "the function takes %zu inputs, and %zu are given; --input=random "
                              "fills what is missing",
                              n, given->n);
    if (given->n > n)
        return tsr_status_set(s, TSR_BAD_INPUT, "the function takes %zu inputs, and %zu are given",
                              n, given->n);
    return true;
}

/* Argument i: the user's value, the model's own, or nothing for a token. */
static bool load_argument(run_job *c, uint32_t i, const run_tensors *given, size_t *next,
                          tsr_status *s)
{
    const tsr_saved_argument *a = c->is_saved ? &c->saved.args[i] : NULL;
    int64_t from = a ? a->input : takes_input(c, i) ? (int64_t)(*next)++ : -1;
    tsr_vec_push(&c->in_names, from >= 0 ? c->given_names.data[from] : a ? a->path : NULL);
    if (from < 0 && !a) {
        tsr_vec_push(&c->in, NULL);
        return true;
    }
    if (from >= 0)
        return push(&c->in, tsr_tensor_ref(given->data[from]));
    return push(&c->in,
                tsr_saved_load(&c->saved, i, c->ctx, element_at(c->type->types, c->type->n, i), s));
}

bool run_load_inputs(run_job *c, tsr_status *s)
{
    run_tensors given = {0};
    size_t next = 0;
    bool ok = list_wanted(c, s) && load_given(c, &given, s);
    for (uint32_t i = 0; ok && i < c->type->n; i++)
        ok = load_argument(c, i, &given, &next, s);
    run_free_tensors(&given);
    return ok;
}

bool run_load_expected(run_job *c, tsr_status *s)
{
    for (size_t i = 0; i < c->expects.n; i++)
        TSR_TRY(load(c, c->expects.data[i], c->type->types + c->type->n, c->type->nout,
                     TSR_NPY_AS_IS, &c->expected, s));
    if (c->expected.n > c->type->nout)
        return tsr_status_set(s, TSR_BAD_INPUT,
                              "the function gives %u results, and %zu are expected", c->type->nout,
                              c->expected.n);
    return true;
}
