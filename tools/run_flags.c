/* SPDX-License-Identifier: Apache-2.0 */
/* run_flags.c - the flags of `tessera run`, which of them can be combined, and the command. */
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/devices.h"
#include "exec/kernel/provider.h"

// clang-format off
/* FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
    FLAG(GROUP_INPUTS, NULL, GROUP, NULL, "FUNCTION AND INPUTS") \
    FLAG(FUNCTION, "function", VALUE, "<name>", "Function to run (default: main, or the module's only function)") \
    FLAG(INPUT, "input", LIST, "<input>", "The next input: x.npy, x.npz (all its arrays), x.npz:name, 2x3xf32=1,2,3,4,5,6, random, or 5x16xf32=random for an argument of unknown sizes; as the last one, random fills all that are missing") \
    FLAG(SEED, "seed", COUNT, "<n>", "Seed of random inputs and of stablehlo.rng (default: 0)") \
    FLAG(ZERO_DIVISION, "division-by-zero", VALUE, "warn|error|ignore", "What an integer that is divided by zero does to a run (default: warn); without an error the quotient is all ones, the remainder the dividend") \
    FLAG(GROUP_ENGINE, NULL, GROUP, NULL, "ENGINE") \
    FLAG(ENGINE, "engine", VALUE, "reference|compiled", "What runs the program: the evaluator, one op at a time, or a compiled program on all cores (default)") \
    FLAG(PLAN_FOR, "plan-for", VALUE, "<name|file>", "With --auto: the device that is planned for, where --device says what runs the program") \
    FLAG(THREADS, "threads", COUNT, "<n>", "How many threads of a compiled program work (default: one for each core)") \
    FLAG(GEMM, "gemm", VALUE, "own|openblas", "What multiplies matrices of a compiled program: our kernels (default), or a library that is opened then") \
    FLAG(REPEAT, "repeat", COUNT, "<n>", "Run a compiled program so often; --timing shows the fastest") \
    FLAG(DUMP_PROGRAM, "dump-program", SWITCH, NULL, "Print the compiled program on stderr") \
    FLAG(DUMP_KERNELS, "dump-kernels", VALUE, "<dir>", "With --device: write the texts of the program's kernels to this directory") \
    FLAG(STRICT, "strict-rounding", SWITCH, NULL, "Round bf16, f16 and narrower floats after each op of a compiled program, as the evaluator does") \
    FLAG(MEMORY, "memory", SWITCH, NULL, "Print the memory that a compiled program takes on stderr: its peak, the lower bound, and what is alive then") \
    FLAG(DEVICE_MEMORY, "device-memory", SWITCH, NULL, "Print on stderr what the tensors of a TTNN program take of its device's DRAM and L1; one that is never given back is an error") \
    FLAG(GROUP_RESULTS, NULL, GROUP, NULL, "RESULTS") \
    FLAG(OUTPUT, "output", VALUE, "<dir>", "Write results to out0.npy, out1.npy, ... in this directory, or to one file when it ends in .npz") \
    FLAG(EXPECT, "expect", LIST, "<value>", "Compare the next result with this: a file or a value, as for --input") \
    FLAG(RTOL, "rtol", VALUE, "<r>", "Relative tolerance (default: by element type)") \
    FLAG(ATOL, "atol", VALUE, "<a>", "Absolute tolerance (default: by element type)") \
    FLAG(GROUP_MESH, NULL, GROUP, NULL, "ON A MESH") \
    FLAG(SPMD, "spmd", SWITCH, NULL, "Partition by the module's meshes and shardings, or those of --mesh and --arg, and run it on as many virtual devices; inputs and results are whole") \
    GIVEN_FLAGS(FLAG) \
    AUTO_FLAGS_AS(FLAG, AUTO_MEMORY, "auto-memory", "What runs the program: cuda, cuda:1, ... (`tessera devices`; default: this processor). With --auto also the device that is planned for, or one that runs nothing: a100, b200, galaxy, h100 (default), h200, n300, v5e, v5p, or a device file") \
    FLAG(MESH_SHAPE, "mesh-shape", VALUE, "<1,8>", "With --spmd: the mesh that the batch of a TTIR program is divided on (default: the module's own)") \
    FLAG(TRANSPORT, "transport", VALUE, "threads|tcp|mpi", "With --spmd: what devices reach each other by: memory of this process (default); TCP between ranks that --hosts names; or MPI, whose ranks run some of the devices each (mpirun -n 2 tessera run ...)") \
    FLAG(HOSTS, "hosts", VALUE, "<4>", "With --transport=tcp: so many ranks on this host, or an address for each, as a:9000,b:9000: the same command is started for each, with its --rank") \
    FLAG(RANK, "rank", VALUE, "<0>", "With --hosts=a:9000,b:9000: which rank this is (default: that of TESSERA_RANK, or of Open MPI, MPICH or Slurm)") \
    FLAG(COLLECTIVES, "collectives", VALUE, "own|native", "With --transport=mpi: reductions in the order of the devices (default), or MPI's own where it has the type, whose last bits may be others") \
    FLAG(TIMEOUT, "timeout", VALUE, "<60s>", "With ranks: end the job when a device waits so long for others, and say for whom (default: never)") \
    FLAG(SHARDS, "output-shards", SWITCH, NULL, "With --spmd: write the part of each result that a device has, as out0.d3.npy of device 3, and no whole results; devices that have the same part as one before them write none") \
    FLAG(GROUP_STEPS, NULL, GROUP, NULL, "SEVERAL STEPS") \
    FLAG(LOOP, "loop", COUNT, "<n>", "Run so many steps, each with results of the one before as inputs (--feed)") \
    FLAG(FEED, "feed", VALUE, "<out0:in0,...>", "With --loop: results that become inputs of the next step") \
    FLAG(CHECKPOINT, "checkpoint", VALUE, "<dir>", "With --loop: write what is fed to this directory at the end, whole or not at all") \
    FLAG(CHECKPOINT_EVERY, "checkpoint-every", COUNT, "<n>", "With --checkpoint: and after each n steps; the last two are kept") \
    FLAG(RESUME, "resume", SWITCH, NULL, "With --checkpoint: go on with the newest state in the directory, if there is one") \
    FLAG(GROUP_CHECKS, NULL, GROUP, NULL, "CHECKS") \
    FLAG(CHECK, "check", OPTIONAL, "ops", "Run the program undivided on the reference evaluator, too, and compare all results; on a mesh, name the first op that differs. With =ops: compare each op, from the same inputs and in the whole program") \
    FLAG(AGAINST, "against", VALUE, "<file>", "Run this module on the same inputs, too, and compare all results; if they differ, name the first op that is wrong, of those that have the same location") \
    FLAG(FILES, "files", VALUE, "<dir>", "Directory that debug.dump and debug.memory_snapshot write below (default: the current one)") \
    FLAG(GROUP_REPORTS, NULL, GROUP, NULL, "REPORTS") \
    FLAG(PRINT, "print", SWITCH, NULL, "Print results; without --output, --expect and --timing this is the default") \
    FLAG(FULL, "full", SWITCH, NULL, "Print all elements of large results, which are summarised otherwise") \
    FLAG(TIMING, "timing", SWITCH, NULL, "Print a table of times on stderr; of a compiled program, of each group, too") \
    FLAG(PROFILE, "profile", VALUE, "<trace.json>", "Write what ran when, on which device and thread, as a trace that chrome://tracing and Perfetto open, with bytes, flops and the efficiency of each group") \
    FLAG(MACHINE, "machine", VALUE, "<machine.json>", "With --profile: the peaks that efficiency is measured by, as `tessera calibrate` writes them (default: measured now, in a moment)") \
    FLAG(JSON, "json", SWITCH, NULL, "Print what --dump-program, --memory and --timing tell as JSON on stdout")
// clang-format on

enum { FLAGS(FLAG_ID) };
static const flag table[] = {FLAGS(FLAG_ROW)};

static int read_tolerance(const run_job *c, const flag_given *g, double *out)
{
    if (tsr_str_double(tsr_cstr(g->value), out) && *out >= 0)
        return 0;
    fprintf(stderr, "%s: for the --%s option: '%s' value invalid for a tolerance!\n", c->t->name,
            table[g->id].name, g->value);
    return usage_exit(c->t);
}

static int read_zero_division(run_job *c, const flag_given *g)
{
    static const char *const words[] = {
        [TSR_ZERO_ERROR] = "error", [TSR_ZERO_WARN] = "warn", [TSR_ZERO_IGNORE] = "ignore"};
    for (size_t i = 0; i < TSR_COUNT(words); i++) {
        if (strcmp(g->value, words[i]) != 0)
            continue;
        c->zero_division = (tsr_zero_division)i;
        return 0;
    }
    fprintf(stderr,
            "%s: for the --%s option: '%s' value invalid: warn, error or ignore is wanted\n",
            c->t->name, table[g->id].name, g->value);
    return usage_exit(c->t);
}

static int read_engine(run_job *c, const flag_given *g)
{
    bool compiled = strcmp(g->value, "compiled") == 0;
    if (!compiled && strcmp(g->value, "reference") != 0) {
        fprintf(stderr,
                "%s: for the --%s option: '%s' value invalid: reference or compiled is wanted\n",
                c->t->name, table[g->id].name, g->value);
        return usage_exit(c->t);
    }
    c->engine = compiled ? TSR_ENGINE_COMPILED : TSR_ENGINE_REFERENCE;
    return 0;
}

static int read_gemm(run_job *c, const flag_given *g)
{
    const char *reason = NULL;
    bool known = false;
    for (const char *const *name = tsr_gemm_names(); *name; name++)
        known |= strcmp(*name, g->value) == 0;
    c->gemm = true;
    if (tsr_gemm_use(g->value, &reason))
        return 0;
    fprintf(stderr, "%s: error: --%s=%s: %s\n", c->t->name, table[g->id].name, g->value, reason);
    return known ? EXIT_ENVIRONMENT : usage_exit(c->t);
}

static int read_check(run_job *c, const flag_given *g)
{
    c->check_ops = g->value && strcmp(g->value, "ops") == 0;
    bool off = g->value && (strcmp(g->value, "false") == 0 || strcmp(g->value, "0") == 0);
    bool on = !g->value || strcmp(g->value, "true") == 0 || strcmp(g->value, "1") == 0;
    c->check = on || c->check_ops;
    if (on || off || c->check_ops)
        return 0;
    fprintf(stderr, "%s: for the --%s option: '%s' value invalid: ops is wanted, or nothing\n",
            c->t->name, table[g->id].name, g->value);
    return usage_exit(c->t);
}

static int one_of(const run_job *c, const flag_given *g, const char *first, const char *second,
                  bool *out)
{
    *out = strcmp(g->value, second) == 0;
    if (*out || strcmp(g->value, first) == 0)
        return 0;
    fprintf(stderr, "%s: for the --%s option: '%s' value invalid: %s or %s is wanted\n", c->t->name,
            table[g->id].name, g->value, first, second);
    return usage_exit(c->t);
}

static int read_transport(run_job *c, const flag_given *g)
{
    static const char *const names[] = {"threads", "tcp", "mpi"};
    for (size_t i = 0; i < TSR_COUNT(names); i++) {
        if (strcmp(g->value, names[i]) != 0)
            continue;
        c->transport = i ? names[i] : NULL;
        return 0;
    }
    fprintf(stderr, "%s: for the --%s option: '%s' value invalid: threads, tcp or mpi is wanted\n",
            c->t->name, table[g->id].name, g->value);
    return usage_exit(c->t);
}

static int read_collectives(run_job *c, const flag_given *g)
{
    c->native_given = true;
    return one_of(c, g, "own", "native", &c->native);
}

/* Seconds, perhaps with a unit. */
static int read_timeout(run_job *c, const flag_given *g)
{
    size_t n = strlen(g->value);
    bool milli = n > 2 && strcmp(g->value + n - 2, "ms") == 0;
    char last = n ? g->value[n - 1] : 0;
    double scale = milli ? 1e-3 : last == 'm' ? 60 : 1;
    size_t unit = milli ? 2 : last == 's' || last == 'm';
    if (tsr_str_double(tsr_str_of(g->value, n - unit), &c->timeout) && c->timeout > 0) {
        c->timeout *= scale;
        return 0;
    }
    fprintf(stderr,
            "%s: for the --%s option: '%s' value invalid: a time is wanted, such as 60s, 500ms or "
            "2m\n",
            c->t->name, table[g->id].name, g->value);
    return usage_exit(c->t);
}

/* A device that runs the program, or one that is planned for: a device file. */
static int read_device(run_job *c, const flag_given *g)
{
    tsr_str name = tsr_cstr(g->value), kind, text = tsr_device_file_text(name);
    int number;
    bool runs =
        !text.len && access(g->value, F_OK) != 0 && tsr_device_name_split(name, &kind, &number);
    if (text.len)
        tsr_free((void *)text.data);
    c->where = runs ? g->value : NULL;
    return runs ? 0 : auto_flag(c->t, g, FLAG_ID_AUTO, &c->search);
}

static int apply(run_job *c, const flag_given *g)
{
    switch (g->id) {
    case FLAG_ID_FUNCTION: c->function = c->named = g->value; break;
    case FLAG_ID_INPUT: tsr_vec_push(&c->inputs, g->value); break;
    case FLAG_ID_SEED: c->seed = (uint64_t)g->count; break;
    case FLAG_ID_ZERO_DIVISION: return read_zero_division(c, g);
    case FLAG_ID_ENGINE: return read_engine(c, g);
    case FLAG_ID_GEMM: return read_gemm(c, g);
    case FLAG_ID_THREADS: c->threads = (uint64_t)g->count; break;
    case FLAG_ID_REPEAT: c->repeat = (uint64_t)g->count; break;
    case FLAG_ID_DUMP_KERNELS: c->kernels = g->value; break;
    case FLAG_ID_DUMP_PROGRAM: c->dump_program = g->on; break;
    case FLAG_ID_OUTPUT: c->output = g->value; break;
    case FLAG_ID_FILES: c->files = g->value; break;
    case FLAG_ID_EXPECT: tsr_vec_push(&c->expects, g->value); break;
    case FLAG_ID_RTOL: c->has_rtol = true; return read_tolerance(c, g, &c->rtol);
    case FLAG_ID_ATOL: c->has_atol = true; return read_tolerance(c, g, &c->atol);
    case FLAG_ID_PRINT:
        c->print = g->on;
        c->print_given = true;
        break;
    case FLAG_ID_TIMING: c->timing = g->on; break;
    case FLAG_ID_PROFILE: c->profile = g->value; break;
    case FLAG_ID_MACHINE: c->machine = g->value; break;
    case FLAG_ID_FULL: c->full = g->on; break;
    case FLAG_ID_SPMD:
        c->spmd = g->on;
        c->whole = !g->on;
        break;
    case FLAG_ID_MESH: c->request.mesh = tsr_cstr(g->value); break;
    case FLAG_ID_ARG:
    case FLAG_ID_RESULT: return given_flag(c->t, g, g->id == FLAG_ID_RESULT, &c->given);
    case FLAG_ID_MESH_SHAPE: c->mesh = g->value; break;
    case FLAG_ID_CHECK: return read_check(c, g);
    case FLAG_ID_AGAINST: c->against = g->value; break;
    case FLAG_ID_DEVICE: return read_device(c, g);
    case FLAG_ID_PLAN_FOR: c->plan_for = g->value; break;
    case FLAG_ID_STRICT: c->strict = g->on; break;
    case FLAG_ID_MEMORY: c->memory = g->on; break;
    case FLAG_ID_DEVICE_MEMORY: c->device_memory = g->on; break;
    case FLAG_ID_JSON: c->json = g->on; break;
    case FLAG_ID_TRANSPORT: return read_transport(c, g);
    case FLAG_ID_HOSTS: c->hosts.list = g->value; break;
    case FLAG_ID_RANK: c->hosts.rank = g->value; break;
    case FLAG_ID_COLLECTIVES: return read_collectives(c, g);
    case FLAG_ID_TIMEOUT: return read_timeout(c, g);
    case FLAG_ID_SHARDS: c->shards = g->on; break;
    case FLAG_ID_LOOP: c->steps.loop = (uint64_t)g->count; break;
    case FLAG_ID_FEED: c->steps.feed_text = g->value; break;
    case FLAG_ID_CHECKPOINT: c->steps.folder = g->value; break;
    case FLAG_ID_CHECKPOINT_EVERY: c->steps.every = (uint64_t)g->count; break;
    case FLAG_ID_RESUME: c->steps.resume = g->on; break;
    default: return auto_flag(c->t, g, FLAG_ID_AUTO, &c->search);
    }
    return 0;
}

/* Opens the device that runs the program; with --auto it is also planned for, by the name of its hardware. */
static int open_device(run_job *c)
{
    tsr_status s = {0};
    if (c->plan_for && !c->search.on)
        return flag_alone(c->t, "plan-for", "needs --auto");
    if (c->plan_for)
        c->search.device = c->plan_for;
    if (c->kernels && !c->where)
        return flag_alone(c->t, "dump-kernels",
                          "needs --device: the kernels of this processor have no text");
    if (!c->where)
        return 0;
    if (c->engine != TSR_ENGINE_COMPILED)
        return flag_alone(c->t, "device",
                          "runs compiled programs: it goes without --engine=reference");
    if (c->ranks)
        return flag_alone(c->t, "device", "is of one process: it goes without --transport");
    if (c->gemm)
        return flag_alone(c->t, "gemm", "is for this processor: it goes without --device");
    c->device = tsr_devices_open(tsr_cstr(c->where), &s);
    if (c->device && c->kernels && mkdir(c->kernels, 0777) != 0 && errno != EEXIST)
        tsr_status_set(&s, TSR_ENVIRONMENT, "cannot make directory '%s': %s", c->kernels,
                       strerror(errno));
    if (s.code)
        return run_report(c, &s);
    if (!c->search.on || c->plan_for)
        return 0;
    c->search.device = c->planned;
    if (!device_file_of(c->device->name, c->planned, sizeof c->planned)) {
        fprintf(stderr, "%s: error: no device file is of %s: --plan-for=NAME names one\n",
                c->t->name, c->device->name);
        return EXIT_REJECTED;
    }
    return 0;
}

/* Checks that --auto can be combined with the other flags, and that its device exists. */
static int check_auto(const run_job *c)
{
    tsr_arena arena;
    tsr_device_file device;
    int code = auto_check(c->t, &c->search, c->request.mesh);
    if (!code && c->search.on && c->mesh)
        code = flag_alone(c->t, "mesh-shape", "divides a batch: it cannot be used with --auto");
    tsr_arena_init(&arena);
    if (!code && c->search.on)
        code = device_flag(c->t, &arena, c->search.device, &device);
    tsr_arena_free(&arena);
    return code;
}

/* Flags of ranks and of several steps. */
static int check_spread(const run_job *c)
{
    const steps *s = &c->steps;
    if (c->transport && c->engine != TSR_ENGINE_COMPILED)
        return flag_alone(c->t, "transport",
                          "runs compiled programs: it goes without --engine=reference");
    if (c->transport && c->against)
        return flag_alone(c->t, "against",
                          "compares undivided programs: it goes without --transport");
    if (!c->transport && (c->timeout > 0 || c->native_given))
        return flag_alone(c->t, c->timeout > 0 ? "timeout" : "collectives",
                          "is for ranks: it needs --transport=tcp or --transport=mpi");
    if (c->native && strcmp(c->transport, "mpi") != 0)
        return flag_alone(c->t, "collectives", "native needs --transport=mpi");
    if ((c->hosts.list || c->hosts.rank) && (!c->transport || strcmp(c->transport, "tcp") != 0))
        return flag_alone(c->t, c->hosts.list ? "hosts" : "rank", "needs --transport=tcp");
    if (c->shards && (!c->output || run_is_npz(c->output)))
        return flag_alone(c->t, "output-shards", "needs a directory, --output");
    if (s->loop && !s->feed_text)
        return flag_alone(c->t, "loop", "needs --feed: steps that feed nothing are all the same");
    if (!s->loop && (s->feed_text || s->folder))
        return flag_alone(c->t, s->feed_text ? "feed" : "checkpoint", "needs --loop");
    if (!s->folder && (s->every || s->resume))
        return flag_alone(c->t, s->every ? "checkpoint-every" : "resume", "needs --checkpoint");
    if (s->loop && (c->repeat || c->against || c->check_ops))
        return flag_alone(c->t, "loop", "goes without --repeat, --against and --check=ops");
    if (s->resume && c->check)
        return flag_alone(c->t, "check", "begins with the inputs: it goes without --resume");
    return 0;
}

/* Rejects flags that would have no effect, and unsupported requests of the environment. */
static int check_flags(const run_job *c)
{
    const char *complaint =
        c->gemm || c->engine != TSR_ENGINE_COMPILED ? NULL : tsr_gemm_complaint();
    if (complaint) {
        fprintf(stderr, "%s: error: TESSERA_GEMM=%s: %s\n", c->t->name, getenv("TESSERA_GEMM"),
                complaint);
        return EXIT_ENVIRONMENT;
    }
    int code = check_auto(c);
    code = code ? code : check_spread(c);
    if (code)
        return code;
    if (c->whole && (c->request.mesh.len || c->given.n || c->search.on))
        return flag_alone(c->t, "spmd",
                          "is false, and --mesh, --arg, --result and --auto divide the program");
    if (c->check && !c->spmd && c->engine != TSR_ENGINE_COMPILED)
        return flag_alone(c->t, "check",
                          "compares with the undivided program on the evaluator: it needs "
                          "--engine=compiled, --spmd or --mesh");
    if (c->against && strcmp(c->against, "-") == 0)
        return flag_alone(c->t, "against", "wants a file: stdin is read once");
    if (c->against && c->spmd)
        return flag_alone(c->t, "against",
                          "compares undivided programs: it goes without --spmd and --mesh");
    if (c->mesh && !c->spmd)
        return flag_alone(c->t, "mesh-shape", "needs --spmd");
    if ((c->has_rtol || c->has_atol) && !c->expects.n && !c->check && !c->against)
        return flag_alone(c->t, c->has_rtol ? "rtol" : "atol",
                          "needs something to compare with: --expect or --check");
    if (c->engine != TSR_ENGINE_COMPILED && (c->threads || c->repeat || c->dump_program ||
                                             c->memory || c->strict || c->gemm || c->profile))
        return flag_alone(c->t,
                          c->threads        ? "threads"
                          : c->repeat       ? "repeat"
                          : c->dump_program ? "dump-program"
                          : c->memory       ? "memory"
                          : c->gemm         ? "gemm"
                          : c->profile      ? "profile"
                                            : "strict-rounding",
                          "is for compiled programs, and --engine=reference has none");
    if (c->machine && !c->profile)
        return flag_alone(c->t, "machine", "needs --profile");
    if (c->json && !c->dump_program && !c->memory && !c->timing)
        return flag_alone(c->t, "json",
                          "is for reports: it needs --dump-program, --memory or --timing");
    if (c->json && c->print)
        return flag_alone(c->t, "json", "prints on stdout, and so does --print");
    if (c->full && !c->print)
        return flag_alone(c->t, "full",
                          "prints results: it needs --print with --output, --expect, --check, "
                          "--against or --timing, and goes without --json");
    return 0;
}

/* Only the first rank reports on the run. */
static void be_quiet(run_job *c)
{
    c->timing = c->dump_program = c->memory = c->json = c->print = c->device_memory = false;
    c->profile = c->machine = NULL;
}

static int run_checked(run_job *c)
{
    c->spmd |= !c->whole && (c->request.mesh.len || c->given.n || c->search.on);
    if (!c->print_given)
        c->print =
            !c->output && !c->expects.n && !c->timing && !c->check && !c->against && !c->json;
    int code = open_device(c);
    code = code ? code : check_flags(c);
    if (code)
        return code;
    if (c->ranks) {
        tsr_remote_set_timeout(ranks_remote(c->ranks), c->timeout);
        tsr_remote_set_native(ranks_remote(c->ranks), c->native);
        if (ranks_rank(c->ranks) > 0)
            be_quiet(c);
    }
    return run_file(c);
}

/* The value of a flag, if this word is it: "--name=value", or the next word. */
static const char *value_of(const char *name, const char *word, const char *next)
{
    size_t n = strlen(name);
    word += *word == '-';
    word += *word == '-';
    if (strncmp(word, name, n) != 0)
        return NULL;
    return word[n] == '=' ? word + n + 1 : word[n] ? NULL : next;
}

/* The transport must be opened before anything is printed. Its name; NULL: there are no ranks. */
static const char *asks_for_ranks(int argc, char **argv, hosts *h)
{
    const char *transport = NULL, *value;
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (argv[i][0] != '-')
            continue;
        if ((value = value_of("transport", argv[i], next)))
            transport = value;
        else if ((value = value_of("hosts", argv[i], next)))
            h->list = value;
        else if ((value = value_of("rank", argv[i], next)))
            h->rank = value;
    }
    bool known = transport && (!strcmp(transport, "mpi") || !strcmp(transport, "tcp"));
    return known ? transport : NULL;
}

static int run_run(const tool *t, int argc, char **argv)
{
    flags f = {0};
    run_job c = {.t = t, .function = "main", .start = wall_seconds()};
    int code = 0;
    const char *transport = asks_for_ranks(argc, argv, &c.hosts);
    if (transport && !(c.ranks = ranks_open(t, transport, &c.hosts, &code)))
        return code;
    code = flags_parse(t, argc, argv, &f);
    if (!code && flags_about(t, &f))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++)
        code = apply(&c, &f.given.data[i]);
    if (!code)
        code = flags_one_file(t, &f);
    if (!code) {
        c.file = f.files.data[0];
        code = run_checked(&c);
    }
    tsr_devices_close(c.device);
    tsr_vec_free(&c.given);
    tsr_buf_free(&c.program_text);
    tsr_buf_free(&c.memory_text);
    tsr_buf_free(&c.times_text);
    tsr_buf_free(&c.trace_text);
    tsr_vec_free(&c.given_names);
    tsr_vec_free(&c.in_names);
    tsr_vec_free(&c.inputs);
    tsr_vec_free(&c.expects);
    return flags_end(t, &f, ranks_close(c.ranks, code));
}

static const char *const examples[] = {"With random inputs",
                                       "tessera run model.mlir --input=random",
                                       "With a file for each argument",
                                       "tessera run model.mlir --input=x.npy --output=y.npy",
                                       "Where the time goes",
                                       "tessera run model.mlir --input=random --profile=trace.json",
                                       NULL};

const command command_run = {
    .name = "run",
    .doc = "evaluate a function of a module on given or random inputs",
    .usage = "FILE [options]",
    .run = run_run,
    .flags = table,
    .nflag = TSR_COUNT(table),
    .examples = examples,
};
