/* SPDX-License-Identifier: Apache-2.0 */
/* donation.c - donated buffers: results are computed in their memory, unless somebody else has it. A small program runs on the thread
 * that asks for it, a large one on the client's. */
#include "plugin.h"

enum { LARGE = 200000 };

/* (a, b) -> (a - b, the first element of b); a is donated. Partitioned: in halves. */
static pj_loaded_executable *subtraction(pj_client *c, int n, bool divided)
{
    char text[2000];
    const char *half = divided ? ", sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>" : "";
    snprintf(text, sizeof text,
             "module @less attributes {mhlo.num_partitions = %d : i32} {\n"
             "  sdy.mesh @mesh = <[\"x\"=2]>\n"
             "  func.func @main(%%a: tensor<%dxf32> {tf.aliasing_output = 0 : i32%s}, %%b: "
             "tensor<%dxf32> {jax.arg = 1 : i32%s})\n"
             "      -> (tensor<%dxf32> {jax.result = 0 : i32%s}, tensor<1xf32>) {\n"
             "    %%0 = stablehlo.subtract %%a, %%b : tensor<%dxf32>\n"
             "    %%1 = stablehlo.slice %%b [0:1] : (tensor<%dxf32>) -> tensor<1xf32>\n"
             "    return %%0, %%1 : tensor<%dxf32>, tensor<1xf32>\n"
             "  }\n"
             "}\n",
             divided ? 2 : 1, n, half, n, half, n, half, n, n, n);
    pj_loaded_executable *x =
        compile(c, text, strlen(text), divided ? two : one, divided ? sizeof two : sizeof one);
    CHECK(x != NULL);
    return x;
}

static _Alignas(64) float data[LARGE]; /* so that it need not be copied */

static pj_buffer *numbers(pj_client *c, pj_device *d, int n, float from,
                          pj_host_buffer_semantics how)
{
    const int64_t dims[] = {n};
    pj_event *done = NULL;
    for (int i = 0; i < n; i++)
        data[i] = from + (float)(i % 1000);
    pj_buffer *b = put(c, d, F32, data, dims, 1, NULL, how, &done);
    pj_Event_Destroy_args end = ARGS(Event_Destroy);
    end.event = done;
    if (how == PJ_DURING_CALL)
        await(done);
    else
        CHECK(
            CALL(Event_Destroy, &end)); /* it is done when the memory is free, which comes later */
    return b;
}

static uintptr_t pointer(pj_buffer *b)
{
    pj_Buffer_UnsafePointer_args p = ARGS(Buffer_UnsafePointer);
    p.buffer = b;
    return CALL(Buffer_UnsafePointer, &p) ? p.buffer_pointer : 0;
}

static bool is_deleted(pj_buffer *b)
{
    pj_Buffer_IsDeleted_args is = ARGS(Buffer_IsDeleted);
    is.buffer = b;
    return CALL(Buffer_IsDeleted, &is) && is.is_deleted;
}

static bool holds(pj_buffer *b, int n, float from, float step)
{
    static float got[LARGE];
    if (!get(b, got, (size_t)n * sizeof *got))
        return false;
    for (int i = 0; i < n; i++)
        if (got[i] != from + step * (float)(i % 1000))
            return false;
    return true;
}

typedef struct {
    pj_client *c;
    pj_device *d;
    pj_loaded_executable *x;
    int n;
} world;

/* Who else has the memory of what is donated. */
typedef enum { NOBODY, A_POINTER, A_VIEW, THE_HOST, NOT_DONATED } holder;

static pj_buffer *view_of(pj_buffer *b, int n)
{
    const int64_t dims[] = {n};
    pj_Buffer_Bitcast_args a = ARGS(Buffer_Bitcast);
    a.buffer = b;
    a.element_type = F32;
    a.dims = dims;
    a.num_dims = 1;
    return CALL(Buffer_Bitcast, &a) ? a.out_buffer : NULL;
}

static void check_one(world *w, holder who)
{
    pj_buffer *in[2] = {
        numbers(w->c, w->d, w->n, 5, who == THE_HOST ? PJ_ZERO_COPY : PJ_DURING_CALL)};
    pj_buffer *out[2] = {0}, *view = NULL;
    uintptr_t at = pointer(in[0]);
    static float host[LARGE];
    memcpy(host, data, sizeof host);
    static float other[LARGE];
    for (int i = 0; i < w->n; i++)
        other[i] = 1;
    const int64_t dims[] = {w->n};
    pj_event *done = NULL;
    in[1] = put(w->c, w->d, F32, other, dims, 1, NULL, PJ_DURING_CALL, &done);
    await(done);
    pj_Buffer_IncreaseExternalReferenceCount_args more =
        ARGS(Buffer_IncreaseExternalReferenceCount);
    pj_Buffer_DecreaseExternalReferenceCount_args less =
        ARGS(Buffer_DecreaseExternalReferenceCount);
    more.buffer = less.buffer = in[0];
    if (who == A_POINTER)
        CHECK(CALL(Buffer_IncreaseExternalReferenceCount, &more));
    if (who == A_VIEW)
        CHECK((view = view_of(in[0], w->n)) != NULL);
    pj_buffer *const *ins[] = {in};
    pj_buffer **const outs[] = {out};
    static const int64_t kept[] = {0};
    pj_execute_options o = {.struct_size = sizeof o,
                            .non_donatable_input_indices = kept,
                            .num_non_donatable_input_indices = who == NOT_DONATED};
    pj_LoadedExecutable_Execute_args a = ARGS(LoadedExecutable_Execute);
    a.executable = w->x;
    a.options = &o;
    a.argument_lists = ins;
    a.num_devices = 1;
    a.num_args = 2;
    a.output_lists = outs;
    CHECK(CALL(LoadedExecutable_Execute, &a));
    CHECK(is_deleted(in[0]) == (who != NOT_DONATED));
    CHECK(holds(out[0], w->n, 4, 1) && holds(out[1], 1, 1, 0));
    if ((pointer(out[0]) == at) != (who == NOBODY))
        printf("%d elements, holder %d\n", w->n, who);
    CHECK((pointer(out[0]) == at) == (who == NOBODY));
    if (who == NOT_DONATED)
        CHECK(holds(in[0], w->n, 5, 1));
    if (who == A_VIEW)
        CHECK(holds(view, w->n, 5, 1));
    if (who == THE_HOST)
        CHECK(!memcmp(host, data, (size_t)w->n * sizeof *host));
    if (who == A_POINTER) {
        CHECK(((const float *)at)[0] == 5 && ((const float *)at)[w->n - 1] == host[w->n - 1]);
        CHECK(CALL(Buffer_DecreaseExternalReferenceCount, &less));
    }
    if (who == NOBODY) {
        CHECK(!execute(w->x, ins, 1, 2, outs) &&
              refused_with(PJ_INVALID_ARGUMENT, "Buffer has been deleted or donated"));
        pj_buffer *again[2] = {in[1], in[1]};
        pj_buffer *const *same[] = {again};
        CHECK(!execute(w->x, same, 1, 2, outs) &&
              refused_with(PJ_INVALID_ARGUMENT, "donate the same buffer twice"));
    }
    drop(view);
    for (int i = 0; i < 2; i++) {
        drop(in[i]);
        drop(out[i]);
    }
}

static int64_t in_use(pj_device *d)
{
    pj_Device_MemoryStats_args s = ARGS(Device_MemoryStats);
    s.device = d;
    return CALL(Device_MemoryStats, &s) ? s.bytes_in_use : -1;
}

/* A train loop: the same memory from the first step to the last, whether or not somebody waits. */
static void check_loop(world *w)
{
    enum { STEPS = 50 };
    pj_buffer *state = numbers(w->c, w->d, w->n, 100, PJ_DURING_CALL);
    static float ones[LARGE];
    for (int i = 0; i < w->n; i++)
        ones[i] = 1;
    const int64_t dims[] = {w->n};
    pj_event *done = NULL;
    pj_buffer *one_each = put(w->c, w->d, F32, ones, dims, 1, NULL, PJ_DURING_CALL, &done);
    await(done);
    uintptr_t at = pointer(state);
    int64_t before = in_use(w->d);
    for (int i = 0; i < STEPS; i++) {
        pj_buffer *in[2] = {state, one_each}, *out[2] = {0};
        pj_buffer *const *ins[] = {in};
        pj_buffer **const outs[] = {out};
        pj_execute_options o = {.struct_size = sizeof o};
        pj_LoadedExecutable_Execute_args a = ARGS(LoadedExecutable_Execute);
        a.executable = w->x;
        a.options = &o;
        a.argument_lists = ins;
        a.num_devices = 1;
        a.num_args = 2;
        a.output_lists = outs;
        CHECK(CALL(LoadedExecutable_Execute, &a));
        drop(state);
        drop(out[1]);
        state = out[0];
    }
    CHECK(holds(state, w->n, 100 - STEPS, 1) && pointer(state) == at);
    CHECK(in_use(w->d) == before);
    drop(state);
    drop(one_each);
}

static void check_mesh(pj_client *c, pj_device *const *devices, int n)
{
    pj_loaded_executable *x = subtraction(c, n, true);
    pj_buffer *in[4], *out[4] = {0};
    uintptr_t at[2];
    for (int d = 0; d < 2; d++) { /* the program's devices are 1 and 0 */
        in[2 * d] = numbers(c, devices[1 - d], n / 2, 7, PJ_DURING_CALL);
        in[2 * d + 1] = numbers(c, devices[1 - d], n / 2, 2, PJ_DURING_CALL);
        at[d] = pointer(in[2 * d]);
    }
    pj_buffer *const *ins[] = {in, in + 2};
    pj_buffer **const outs[] = {out, out + 2};
    pj_Buffer_IncreaseExternalReferenceCount_args more =
        ARGS(Buffer_IncreaseExternalReferenceCount);
    pj_Buffer_DecreaseExternalReferenceCount_args less =
        ARGS(Buffer_DecreaseExternalReferenceCount);
    more.buffer = less.buffer = in[2];
    CHECK(CALL(Buffer_IncreaseExternalReferenceCount, &more)); /* of one device alone */
    CHECK(execute(x, ins, 2, 2, outs));
    for (int d = 0; d < 2; d++) {
        CHECK(is_deleted(in[2 * d]) && !is_deleted(in[2 * d + 1]));
        CHECK(holds(out[2 * d], n / 2, 5, 0) && holds(out[2 * d + 1], 1, 2, 0));
        CHECK((pointer(out[2 * d]) == at[d]) == (d == 0));
    }
    CHECK(((const float *)at[1])[n / 2 - 1] == 7 + (float)((n / 2 - 1) % 1000));
    CHECK(CALL(Buffer_DecreaseExternalReferenceCount, &less));
    for (int i = 0; i < 4; i++) {
        drop(in[i]);
        drop(out[i]);
    }
    unload(x);
}

void test_donation(void)
{
    static const int sizes[] = {8, LARGE};
    pj_client *c = open_client("2");
    pj_device *const *devices = devices_of(c);
    for (int i = 0; i < 2; i++) {
        world w = {c, devices[0], subtraction(c, sizes[i], false), sizes[i]};
        for (int who = NOBODY; who <= NOT_DONATED; who++)
            check_one(&w, (holder)who);
        check_loop(&w);
        check_mesh(c, devices, sizes[i]);
        unload(w.x);
    }
    CHECK(close_client(c));
}
