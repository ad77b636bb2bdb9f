/* SPDX-License-Identifier: Apache-2.0 */
/* moves.c - random movements: transposes, slices, pads, gathers, bits. */
#include "module.h"

static void transpose(test_module *m)
{
    test_type t = test_any(2), to = t;
    int64_t order[TEST_RANK];
    for (int i = 0; i < t.rank; i++) {
        int k = (int)test_draw(0, i);
        order[i] = order[k];
        order[k] = i;
    }
    for (int i = 0; i < t.rank; i++)
        to.dims[i] = t.dims[order[i]];
    int a = test_argument(m, t, -1);
    tsr_buf_printf(&m->body, "  %%%d = stablehlo.transpose %%a%d, dims = ", m->nvalue++, a);
    test_list(&m->body, order, t.rank);
    tsr_buf_printf(&m->body, " : (%s) -> %s\n", test_type_of(t), test_type_of(to));
    test_result(m, to, 0);
}

/* Large enough for several tiles. */
static void matrix(test_module *m)
{
    static const char *const elems[] = {"i8", "bf16", "f32", "f64", "complex<f64>"};
    test_type t = {.rank = 2, .elem = elems[test_draw(0, 4)]};
    int64_t by = test_flip() ? 16 : 1;
    for (int i = 0; i < 2; i++)
        t.dims[i] = test_draw(1, 160 / by) * by;
    test_type to = t;
    to.dims[0] = t.dims[1], to.dims[1] = t.dims[0];
    int a = test_argument(m, t, -1);
    tsr_buf_printf(&m->body, "  %%%d = stablehlo.transpose %%a%d, dims = [1, 0] : (%s) -> %s\n",
                   m->nvalue++, a, test_type_of(t), test_type_of(to));
    test_result(m, to, 0);
}

static void slice(test_module *m)
{
    test_type t = test_any(1), to = t;
    int a = test_argument(m, t, -1);
    bool back = test_flip();
    if (back) {
        int64_t d = test_draw(0, t.rank - 1);
        tsr_buf_printf(&m->body, "  %%%d = stablehlo.reverse %%a%d, dims = [%lld] : %s\n",
                       m->nvalue++, a, (long long)d, test_type_of(t));
    }
    tsr_buf_printf(&m->body, "  %%%d = stablehlo.slice ", m->nvalue);
    tsr_buf_printf(&m->body, back ? "%%%d [" : "%%a%d [", back ? m->nvalue - 1 : a);
    for (int i = 0; i < t.rank; i++) {
        int64_t low = test_draw(0, t.dims[i] - 1), high = test_draw(low + 1, t.dims[i]),
                by = test_draw(1, 3);
        to.dims[i] = (high - low + by - 1) / by;
        tsr_buf_printf(&m->body, "%s%lld:%lld:%lld", i ? ", " : "", (long long)low, (long long)high,
                       (long long)by);
    }
    tsr_buf_printf(&m->body, "] : (%s) -> %s\n", test_type_of(t), test_type_of(to));
    m->nvalue++;
    test_result(m, to, 0);
}

static void concatenate(test_module *m)
{
    test_type t = test_any(1), to = t;
    int d = (int)test_draw(0, t.rank - 1), n = (int)test_draw(2, test_flip() ? 3 : 18),
        first = m->narg;
    tsr_buf types = {0};
    to.dims[d] = 0;
    for (int i = 0; i < n; i++) {
        test_type part = t;
        part.dims[d] = test_draw(0, 9);
        to.dims[d] += part.dims[d];
        test_argument(m, part, -1);
        tsr_buf_printf(&types, "%s%s", i ? ", " : "", test_type_of(part));
    }
    tsr_buf_printf(&m->body, "  %%%d = stablehlo.concatenate ", m->nvalue++);
    for (int i = 0; i < n; i++)
        tsr_buf_printf(&m->body, "%s%%a%d", i ? ", " : "", first + i);
    tsr_buf_printf(&m->body, ", dim = %d : (%.*s) -> %s\n", d, TSR_STR_ARG(tsr_buf_text(&types)),
                   test_type_of(to));
    tsr_buf_free(&types);
    test_result(m, to, 0);
}

static void pad(test_module *m)
{
    test_type t = test_any(1), to = t, one = {.elem = t.elem};
    int64_t low[TEST_RANK], high[TEST_RANK], inside[TEST_RANK];
    bool vectors = test_flip();
    int64_t all = 1;
    for (int i = 0; i < t.rank; i++) {
        bool none = all > 10000 || test_draw(0, 2) == 0;
        inside[i] = none || test_draw(0, 2) ? 0 : test_draw(0, 3);
        bool wide = vectors && i == t.rank - 1;
        low[i] = none ? 0 : wide ? 16 * test_draw(0, 1) : test_draw(-3, 4);
        high[i] = none ? 0 : wide ? 16 * test_draw(0, 1) : test_draw(-2, 4);
        to.dims[i] = t.dims[i] + (t.dims[i] - 1) * inside[i] + low[i] + high[i];
        if (to.dims[i] < 0) {
            high[i] -= to.dims[i];
            to.dims[i] = 0;
        }
        all *= to.dims[i];
    }
    int a = test_argument(m, t, -1), with = test_argument(m, one, -1);
    tsr_buf_printf(&m->body, "  %%%d = stablehlo.pad %%a%d, %%a%d, low = ", m->nvalue++, a, with);
    test_list(&m->body, low, t.rank);
    tsr_buf_cstr(&m->body, ", high = ");
    test_list(&m->body, high, t.rank);
    tsr_buf_cstr(&m->body, ", interior = ");
    test_list(&m->body, inside, t.rank);
    tsr_buf_printf(&m->body, " : (%s, %s) -> %s\n", test_type_of(t), test_type_of(one),
                   test_type_of(to));
    test_result(m, to, 0);
}

static void zeros_around(test_module *m)
{
    static const char *const elems[] = {"i8", "bf16", "f32", "f64"};
    test_type t = {.rank = 2,
                   .dims = {test_draw(1, 9), 8 * test_draw(1, 9)},
                   .elem = elems[test_draw(0, 3)]},
              to = t;
    to.dims[0] += 2;
    to.dims[1] += 16;
    int a = test_argument(m, t, -1);
    tsr_buf_printf(&m->body, "  %%%d = stablehlo.constant dense<%s> : tensor<%s>\n", m->nvalue++,
                   t.elem[0] == 'i' ? "7" : "1.5", t.elem);
    tsr_buf_printf(&m->body,
                   "  %%%d = stablehlo.pad %%a%d, %%%d, low = [1, 8], high = [1, 8], "
                   "interior = [0, 0] : (%s, tensor<%s>) -> %s\n",
                   m->nvalue, a, m->nvalue - 1, test_type_of(t), t.elem, test_type_of(to));
    m->nvalue++;
    test_result(m, to, 0);
}

static const char *index_elem(void)
{
    static const char *const all[] = {"i32", "i64", "ui32", "ui64", "i8", "ui8"};
    return all[test_draw(0, 5)];
}

static void dynamic(test_module *m)
{
    test_type t = test_any(1), part = t, at = {.elem = index_elem()};
    int a = test_argument(m, t, -1), first = m->narg + 1, b;
    bool writes = test_flip();
    tsr_buf names = {0}, types = {0};
    for (int i = 0; i < t.rank; i++)
        part.dims[i] = test_flip() ? t.dims[i] : test_draw(1, t.dims[i]);
    b = test_argument(m, part, -1);
    for (int i = 0; i < t.rank; i++) {
        test_argument(m, at, t.dims[i] + 2);
        tsr_buf_printf(&names, ", %%a%d", first + i);
        tsr_buf_printf(&types, ", %s", test_type_of(at));
    }
    if (writes) {
        tsr_buf_printf(&m->body,
                       "  %%%d = stablehlo.dynamic_update_slice %%a%d, %%a%d%.*s : "
                       "(%s, %s%.*s) -> %s\n",
                       m->nvalue++, a, b, TSR_STR_ARG(tsr_buf_text(&names)), test_type_of(t),
                       test_type_of(part), TSR_STR_ARG(tsr_buf_text(&types)), test_type_of(t));
    } else {
        tsr_buf_printf(&m->body,
                       "  %%%d = stablehlo.dynamic_slice %%a%d%.*s, sizes = ", m->nvalue++, a,
                       TSR_STR_ARG(tsr_buf_text(&names)));
        test_list(&m->body, part.dims, t.rank);
        tsr_buf_printf(&m->body, " : (%s%.*s) -> %s\n", test_type_of(t),
                       TSR_STR_ARG(tsr_buf_text(&types)), test_type_of(part));
    }
    test_result(m, writes ? t : part, 0);
    tsr_buf_free(&names);
    tsr_buf_free(&types);
}

/* Rows of a table. */
static void rows(test_module *m)
{
    test_type t = {.rank = 2, .dims = {test_draw(1, 40), test_size()}, .elem = test_elem()};
    test_type at = {.rank = 2, .dims = {test_draw(1, 30), 1}, .elem = index_elem()};
    test_type to = {.rank = 2, .dims = {at.dims[0], t.dims[1]}, .elem = t.elem};
    int a = test_argument(m, t, -1), b = test_argument(m, at, t.dims[0] + 3);
    tsr_buf_printf(&m->body,
                   "  %%%d = \"stablehlo.gather\"(%%a%d, %%a%d) {dimension_numbers = "
                   "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
                   "start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, %lld>"
                   "} : (%s, %s) -> %s\n",
                   m->nvalue++, a, b, (long long)t.dims[1], test_type_of(t), test_type_of(at),
                   test_type_of(to));
    test_result(m, to, 0);
}

/* Windows of a batch: dimension 0 of the operand is the index's. */
static void windows(test_module *m)
{
    test_type t = {.rank = 4,
                   .dims = {test_draw(1, 4), test_draw(1, 9), test_draw(1, 9), test_size()},
                   .elem = test_elem()};
    test_type at = {.rank = 3, .dims = {t.dims[0], test_draw(1, 6), 2}, .elem = index_elem()};
    int64_t x = test_draw(1, t.dims[1]), y = test_flip() ? t.dims[3] : test_draw(1, t.dims[3]);
    bool first = test_flip(); /* windows before positions */
    test_type to = {.rank = 4, .elem = t.elem};
    int64_t apart[] = {t.dims[0], at.dims[1], x, y}, within[] = {x, y, t.dims[0], at.dims[1]};
    memcpy(to.dims, first ? within : apart, sizeof apart);
    int a = test_argument(m, t, -1), b = test_argument(m, at, 10);
    tsr_buf_printf(&m->body,
                   "  %%%d = \"stablehlo.gather\"(%%a%d, %%a%d) {dimension_numbers = "
                   "#stablehlo.gather<offset_dims = [%d, %d], collapsed_slice_dims = [2], "
                   "operand_batching_dims = [0], start_indices_batching_dims = [0], "
                   "start_index_map = [2, %d], index_vector_dim = 2>, slice_sizes = "
                   "array<i64: 1, %lld, 1, %lld>} : (%s, %s) -> %s\n",
                   m->nvalue++, a, b, first ? 0 : 2, first ? 1 : 3, test_flip() ? 1 : 3,
                   (long long)x, (long long)y, test_type_of(t), test_type_of(at), test_type_of(to));
    test_result(m, to, 0);
}

static void bits(test_module *m)
{
    test_type t = {.rank = 2, .dims = {test_draw(1, 20), 4}, .elem = "i16"}, to = t;
    to.elem = "i64";
    to.rank = 1;
    int a = test_argument(m, t, -1);
    tsr_buf_printf(&m->body, "  %%%d = stablehlo.bitcast_convert %%a%d : (%s) -> %s\n", m->nvalue++,
                   a, test_type_of(t), test_type_of(to));
    test_result(m, to, 0);
}

static void complexes(test_module *m)
{
    test_type t = {.rank = 2,
                   .dims = {test_draw(1, 20), test_draw(1, 20)},
                   .elem = test_flip() ? "f32" : "f64"},
              to = t;
    to.elem = t.elem[1] == '3' ? "complex<f32>" : "complex<f64>";
    int a = test_argument(m, t, -1), b = test_argument(m, t, -1);
    test_type turned = {.rank = 2, .dims = {t.dims[1], t.dims[0]}, .elem = t.elem};
    tsr_buf_printf(&m->body, "  %%%d = stablehlo.transpose %%a%d, dims = [1, 0] : (%s) -> %s\n",
                   m->nvalue++, b, test_type_of(t), test_type_of(turned));
    tsr_buf_printf(&m->body, "  %%%d = stablehlo.transpose %%%d, dims = [1, 0] : (%s) -> %s\n",
                   m->nvalue, m->nvalue - 1, test_type_of(turned), test_type_of(t));
    m->nvalue++;
    tsr_buf_printf(&m->body, "  %%%d = stablehlo.complex %%a%d, %%%d : %s\n", m->nvalue, a,
                   m->nvalue - 1, test_type_of(to));
    m->nvalue++;
    test_result(m, to, 0);
}

static void random_bits(test_module *m)
{
    static const char *const elems[] = {"ui8", "ui16", "ui32", "ui64"};
    bool fry = test_flip(), upper = !fry && test_flip();
    test_type s = {.rank = 1, .dims = {upper ? 3 : 2}, .elem = "ui64"}, t = test_any(1);
    t.elem = elems[test_draw(0, 3)];
    int a = test_argument(m, s, -1);
    tsr_buf_printf(&m->body,
                   "  %%%d, %%%d = stablehlo.rng_bit_generator %%a%d, algorithm = %s : "
                   "(%s) -> (%s, %s)\n",
                   m->nvalue, m->nvalue + 1, a, fry ? "THREE_FRY" : "PHILOX", test_type_of(s),
                   test_type_of(s), test_type_of(t));
    m->nvalue++;
    test_result(m, s, 0);
    m->nvalue++;
    test_result(m, t, 0);
}

/* A state that each op replaces, and that may be replaced in its place. */
static void random_chain(test_module *m)
{
    test_type s = {.rank = 1, .dims = {2}, .elem = "ui64"},
              t = {.rank = 1, .dims = {test_draw(2000, 9000)}, .elem = "ui32"};
    int a = test_argument(m, s, -1);
    const char *how = test_flip() ? "THREE_FRY" : "PHILOX";
    for (int i = 0; i < 3; i++) {
        char from[32];
        snprintf(from, sizeof from, i ? "%%%d" : "%%a%d", i ? m->nvalue - 2 : a);
        tsr_buf_printf(&m->body,
                       "  %%%d, %%%d = stablehlo.rng_bit_generator %s, algorithm = %s : "
                       "(%s) -> (%s, %s)\n",
                       m->nvalue, m->nvalue + 1, from, how, test_type_of(s), test_type_of(s),
                       test_type_of(t));
        m->nvalue += 2;
        test_result(m, t, 0);
    }
    m->nvalue--;
    test_result(m, s, 0);
    m->nvalue++;
}

static void ids(test_module *m)
{
    tsr_buf_printf(&m->body, "  %%%d = stablehlo.partition_id : tensor<ui32>\n", m->nvalue++);
    test_result(m, (test_type){.elem = "ui32"}, 0);
}

test_kind *const test_moves[] = {transpose,    matrix,      slice,        concatenate, pad,
                                 zeros_around, dynamic,     rows,         windows,     bits,
                                 complexes,    random_bits, random_chain, ids,         NULL};
