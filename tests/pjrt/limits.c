/* SPDX-License-Identifier: Apache-2.0 */
/* limits.c - what one compilation or run may use, and runs that are ended from outside. */
#include "plugin.h"

static pj_named_value option(const char *name, pj_named_value_type type)
{
    return (pj_named_value){.struct_size = sizeof(pj_named_value),
                            .name = name,
                            .name_size = strlen(name),
                            .type = type,
                            .value_size = 1};
}

static pj_client *client_with(const pj_named_value *options, size_t n)
{
    pj_Client_Create_args c = ARGS(Client_Create);
    c.create_options = options;
    c.num_options = n;
    return CALL(Client_Create, &c) ? c.client : NULL;
}

/* Runs the program that does not end, with a limit; whether it ended with this. */
static bool ends(pj_client *c, int wanted, const char *text)
{
    pj_loaded_executable *x = compile(c, endless, strlen(endless), one, sizeof one);
    if (!x)
        return false;
    pj_buffer *in = put_floats(c, devices_of(c)[0], 1, 2), *out = NULL;
    pj_buffer *const *ins[] = {&in};
    pj_buffer **const outs[] = {&out};
    bool ok = !execute(x, ins, 1, 1, outs) && refused_with(wanted, text);
    drop(in);
    drop(out);
    unload(x);
    return ok;
}

static void check_options(void)
{
    pj_named_value steps = option("max_steps", PJ_INT64), seconds = option("max_seconds", PJ_FLOAT),
                   ops = option("max_ops", PJ_INT64), no = option("max_luck", PJ_INT64);
    steps.int64_value = 1000;
    pj_client *c = client_with(&steps, 1);
    CHECK(c && ends(c, PJ_RESOURCE_EXHAUSTED, "1000"));
    CHECK(close_client(c));
    seconds.float_value = 0.1f;
    c = client_with(&seconds, 1);
    CHECK(c && ends(c, PJ_RESOURCE_EXHAUSTED, "second"));
    CHECK(close_client(c));
    ops.int64_value = 3;
    c = client_with(&ops, 1);
    CHECK(!compile(c, twice, strlen(twice), one, sizeof one) && code == PJ_RESOURCE_EXHAUSTED);
    CHECK(close_client(c));
    no.int64_value = 1;
    CHECK(!client_with(&no, 1) && refused_with(PJ_INVALID_ARGUMENT, "'max_luck'"));
    steps.int64_value = 0;
    CHECK(!client_with(&steps, 1) && refused_with(PJ_INVALID_ARGUMENT, "above 0"));
    steps.type = PJ_BOOL;
    CHECK(!client_with(&steps, 1) && code == PJ_INVALID_ARGUMENT);
}

static void check_variables(void)
{
    setenv("TESSERA_MAX_SECONDS", "0.1", 1);
    pj_client *c = open_client("1");
    CHECK(c && ends(c, PJ_RESOURCE_EXHAUSTED, "second"));
    CHECK(close_client(c));
    setenv("TESSERA_MAX_SECONDS", "0,1", 1); /* whatever the locale says */
    CHECK(!open_client("1") && refused_with(PJ_INVALID_ARGUMENT, "TESSERA_MAX_SECONDS is '0,1'"));
    unsetenv("TESSERA_MAX_SECONDS");
    setenv("TESSERA_MAX_BYTES", "20000", 1);
    c = open_client("1");
    CHECK(!compile(c, twice, strlen(twice), one, sizeof one) && code == PJ_RESOURCE_EXHAUSTED &&
          strstr(said, "memory"));
    CHECK(close_client(c));
    unsetenv("TESSERA_MAX_BYTES");
    CHECK(!open_client("two") && !open_client("0") && !open_client("5000") &&
          refused_with(PJ_INVALID_ARGUMENT, "1 to 4096 devices"));
}

static bool poison(pj_device *d, int launch, bool *found)
{
    pj_Device_PoisonExecution_args a = ARGS(Device_PoisonExecution);
    a.device = d;
    a.launch_id = launch;
    a.error_code = PJ_ABORTED;
    a.error_message = "no more of this";
    a.error_message_size = strlen(a.error_message);
    bool ok = CALL(Device_PoisonExecution, &a);
    *found = a.poisoned;
    return ok;
}

/* One that runs and one that waits for its turn end with the error that they are given; the next runs as ever. */
static void check_poison(void)
{
    pj_client *c = open_client("1");
    pj_device *d = devices_of(c)[0];
    pj_loaded_executable *x = compile(c, endless, strlen(endless), one, sizeof one);
    pj_buffer *in = put_floats(c, d, 1, 2), *out[2] = {0};
    pj_buffer *const *ins[] = {&in};
    pj_event *events[2];
    bool found = true;
    CHECK(x && in && poison(d, 1, &found) && !found);
    for (int i = 0; i < 2; i++) {
        pj_execute_options o = {.struct_size = sizeof o, .launch_id = i + 1};
        pj_LoadedExecutable_Execute_args a = ARGS(LoadedExecutable_Execute);
        pj_buffer **const outs[] = {&out[i]};
        a.executable = x;
        a.options = &o;
        a.argument_lists = ins;
        a.num_devices = a.num_args = 1;
        a.output_lists = outs;
        a.device_complete_events = &events[i];
        CHECK(CALL(LoadedExecutable_Execute, &a));
    }
    float got[2];
    CHECK(poison(d, 2, &found) && found && poison(d, 7, &found) && !found);
    CHECK(!is_done(events[0]) && poison(d, 1, &found) && found);
    for (int i = 0; i < 2; i++) {
        CHECK(!await(events[i]) && refused_with(PJ_ABORTED, "no more of this"));
        CHECK(!get(out[i], got, sizeof got) && code == PJ_ABORTED);
        drop(out[i]);
    }
    drop(in);
    unload(x);
    x = compile(c, twice, strlen(twice), one, sizeof one);
    pj_buffer *args[] = {put_floats(c, d, 1, 2), put_floats(c, d, 3, 4)};
    pj_buffer *const *lists[] = {args};
    pj_buffer **const outs[] = {out};
    CHECK(execute(x, lists, 1, 2, outs) && get(out[0], got, sizeof got) && got[1] == 6);
    for (int i = 0; i < 2; i++) {
        drop(args[i]);
        drop(out[i]);
    }
    unload(x);
    CHECK(close_client(c));
}

void test_limits(void)
{
    check_options();
    check_variables();
    check_poison();
}
