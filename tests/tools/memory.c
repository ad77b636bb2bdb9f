/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - every allocation of a tool fails once, alone and with all after it, and limits are set at random: the tool ends with exit
 * code 3 and a message that names the cause and a place in the file that it reads, if any, or does without; nothing that it held is
 * lost, and the next call works. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <tessera/tessera.h>

#include "../heap.h"

int tool_main(int argc, char **argv);

static const char program[] =
    "func.func @main(%a: tensor<32x64xbf16>, %b: tensor<64x32xbf16> {ttcore.argument_type = "
    "#ttcore.argument_type<parameter>}) -> tensor<32x32xf32> {\n"
    "  %0 = \"ttir.abs\"(%b) : (tensor<64x32xbf16>) -> tensor<64x32xbf16>\n"
    "  %1 = \"ttir.matmul\"(%a, %0) : (tensor<32x64xbf16>, tensor<64x32xbf16>) -> "
    "tensor<32x32xf32>\n"
    "  %2 = \"ttir.neg\"(%1) : (tensor<32x32xf32>) -> tensor<32x32xf32>\n"
    "  return %2 : tensor<32x32xf32>\n"
    "}\n";

/* A product with maps before it and behind it. */
static const char product[] =
    "func.func @main(%a: tensor<140x130xf32>, %b: tensor<130x150xi8>, %c: tensor<150xf32>) -> "
    "tensor<140x150xf32> {\n"
    "  %0 = stablehlo.tanh %a : tensor<140x130xf32>\n"
    "  %1 = stablehlo.convert %b : (tensor<130x150xi8>) -> tensor<130x150xf32>\n"
    "  %2 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<150xf32>) -> tensor<130x150xf32>\n"
    "  %3 = stablehlo.multiply %1, %2 : tensor<130x150xf32>\n"
    "  %4 = stablehlo.dot_general %0, %3, contracting_dims = [1] x [0] : (tensor<140x130xf32>, "
    "tensor<130x150xf32>) -> tensor<140x150xf32>\n"
    "  %5 = stablehlo.negate %4 : tensor<140x150xf32>\n"
    "  return %5 : tensor<140x150xf32>\n"
    "}\n";

/* Two layers on a mesh; the search for shardings has helpers for it. */
static const char layers[] =
    "module @mlp {\n"
    "  sdy.mesh @mesh = <[\"data\"=2, \"model\"=2]>\n"
    "  func.func public @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, "
    "[{\"data\"}, {}]>}, %v: tensor<16x32xf32>, %w: tensor<32x4xf32>) -> tensor<8x4xf32> {\n"
    "    %0 = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<8x16xf32>, "
    "tensor<16x32xf32>) -> tensor<8x32xf32> loc(\"model.py\":3:1)\n"
    "    %1 = func.call @relu(%0) : (tensor<8x32xf32>) -> tensor<8x32xf32>\n"
    "    %2 = func.call @relu(%0) : (tensor<8x32xf32>) -> tensor<8x32xf32>\n"
    "    %3 = stablehlo.add %1, %2 : tensor<8x32xf32> loc(\"add\"(\"model.py\":4:1))\n"
    "    %4 = stablehlo.tanh %3 : tensor<8x32xf32>\n"
    "    %5 = stablehlo.dot_general %3, %w, contracting_dims = [1] x [0] : (tensor<8x32xf32>, "
    "tensor<32x4xf32>) -> tensor<8x4xf32>\n"
    "    return %5 : tensor<8x4xf32>\n"
    "  }\n"
    "  func.func private @relu(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {\n"
    "    %0 = stablehlo.constant dense<0.0> : tensor<8x32xf32>\n"
    "    %1 = stablehlo.maximum %x, %0 : tensor<8x32xf32>\n"
    "    return %1 : tensor<8x32xf32>\n"
    "  }\n"
    "}\n";

/* Each chunk has a context of its own, and the first one more files. */
static const char chunks[] = "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                             "  %0 = stablehlo.abs %a : tensor<4xf32> loc(\"model.py\":3:1)\n"
                             "  return %0 : tensor<4xf32> loc(\"other.py\":3:1)\n"
                             "}\n"
                             "// -----\n"
                             "func.func @g(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                             "  return %a : tensor<4xf32>\n"
                             "}\n";

enum { WORDS = 10, EXIT_ENVIRONMENT = 3 };
/* The first seven make the files that the others read. */
static const char *const calls[][WORDS] = {
    {"tessera", "opt", "--ttir-to-ttnn-backend-pipeline", "m.mlir", "-o", "n.mlir"},
    {"tessera", "translate", "--ttnn-to-flatbuffer", "n.mlir", "-o", "n.ttnn"},
    {"tessera", "translate", "--ttnn-to-flatbuffer", "--goldens-from=n.mlir", "--stage=ttir=m.mlir",
     "n.mlir", "-o", "g.ttnn"},
    {"tessera", "translate", "--flatbuffer-to-ttnn", "n.ttnn", "-o", "back.mlir"},
    {"ttrt", "query", "--chips=2", "--system-desc=s.ttsys"},
    {"tessera", "opt", "--ttir-to-ttmetal-host-pipeline", "m.mlir", "-o", "h.mlir"},
    {"tessera", "translate", "--ttmetal-to-flatbuffer", "--goldens-from=m.mlir", "h.mlir", "-o",
     "h.ttm"},
    {"tessera", "opt", "--ttcore-register-device=system-desc-path=s.ttsys", "m.mlir"},
    {"ttrt", "read", "g.ttnn", "--read-file=r.json"},
    {"ttrt", "read", "s.ttsys"},
    {"ttrt", "check", "n.ttnn", "--system-desc=s.ttsys"},
    {"ttrt", "run", "n.ttnn", "--init=ones", "--save-artifacts", "--memory"},
    {"ttrt", "run", "g.ttnn", "--enable-golden", "--save-golden-tensors"},
    {"ttrt", "perf", "n.ttnn", "--log-file=log.txt"},
    {"tessera", "translate", "--flatbuffer-to-ttmetal", "h.ttm", "-o", "back.mlir"},
    {"ttrt", "read", "h.ttm", "--section=op_stats"},
    {"ttrt", "run", "h.ttm", "--enable-golden"},
    {"tessera", "compile", "m.mlir", "--emit=c", "--weights=m.bin", "-o", "m.c"},
    {"tessera", "run", "p.mlir", "--input=random", "--output=p.npz"},
    {"tessera", "run", "s.mlir", "--input=random", "--auto", "--devices=4", "--output=p.npz"},
    {"tessera", "run", "s.mlir", "--input=random", "--spmd", "--output=p.npz"},
    {"tessera", "shard", "s.mlir", "--arg=1:_,model", "-o", "d.mlir"},
    {"tessera", "shard", "s.mlir", "--why=#0"},
    {"tessera", "shard", "s.mlir", "--picture"},
    {"tessera", "shard", "s.mlir", "--auto", "--devices=4", "--explain", "-o", "d.mlir"},
    {"tessera", "shard", "s.mlir", "--auto", "--keep", "--json"},
    {"tessera", "shard", "s.mlir", "--auto", "--mesh=x=4", "--explain"},
    {"tessera", "shard", "s.mlir", "--auto", "--mesh=x=4", "--plan=p.json"},
    {"tessera", "shard", "s.mlir", "--apply-plan=p.json", "-o", "d.mlir"},
    {"tessera", "check-plan", "s.mlir", "--plan=p.json"},
    {"tessera", "compare-plans", "p.json", "p.json"},
    {"tessera", "simulate", "s.mlir", "--device=a100", "--trace=t.json"},
    {"tessera", "simulate", "s.mlir", "--json"},
    {"tessera", "simulate", "--transformer=layers=8,hidden=256,heads=4,pp=2,dp=2,batch=8"},
    {"tessera", "explore", "s.mlir", "--device=h100", "-o", "x.html"},
    {"tessera", "explore", "s.mlir", "--after=canonicalize,cse", "--json", "-o", "x.json"},
    {"tessera", "explore", "s.mlir", "--mesh=x=2", "--versus", "--arg=0:x,_", "-o", "x.html"},
    {"tessera", "explore", "s.mlir", "--svg", "--expand", "-o", "x.svg"},
    {"tessera", "explore", "s.mlir", "--dot", "-o", "x.dot"},
    {"tessera", "compile", "s.mlir", "-o", "s.tsrx"},
    {"tessera", "compile", "s.mlir", "--spmd", "-o", "s.tsrx"},
    {"tessera", "compile", "s.mlir", "--emit=c", "-o", "s.c"},
    {"tessera", "opt", "m.mlir", "--ttir-to-emitc-pipeline", "-o", "e.mlir"},
    {"tessera", "translate", "--mlir-to-cpp", "e.mlir", "-o", "e.cpp"},
    {"tessera", "opt", "m.mlir", "--ttir-to-emitpy-pipeline", "-o", "e.mlir"},
    {"tessera", "translate", "--mlir-to-python", "e.mlir", "-o", "e.py"},
    {"tessera", "translate", "--serialize", "--target=current", "p.mlir", "-o", "p.mlirbc"},
    {"tessera", "grad", "p.mlir", "-o", "g.mlir"},
    {"tessera", "opt", "k.mlir", "--split-input-file", "--canonicalize"},
};
enum { MAKES = 7, CALLS = sizeof calls / sizeof *calls };

static int failed, terminal;
static long kept; /* blocks out between calls: what the library keeps for the next run */
static long points, refused, limited;

/* limit: one more flag; NULL: none. */
static int call_with(size_t c, char *limit)
{
    char *argv[WORDS + 2] = {NULL};
    int argc = 0;
    for (; argc < WORDS && calls[c][argc]; argc++)
        argv[argc] = (char *)calls[c][argc];
    if (limit)
        argv[argc++] = limit;
    int code = tool_main(argc, argv);
    fflush(stdout);
    return code;
}

static int call(size_t c)
{
    return call_with(c, NULL);
}

/* What the last call said, or the end of it. */
static const char *messages(void)
{
    static char text[4096];
    off_t end = lseek(STDERR_FILENO, 0, SEEK_CUR);
    ssize_t n = pread(STDERR_FILENO, text, sizeof text - 1, end > 4000 ? end - 4000 : 0);
    text[n > 0 ? n : 0] = 0;
    return text;
}

/* Whether the first error is at a place in a file that the call reads, or at none. */
static bool is_placed(size_t c)
{
    /* None, and those of locations in programs and in binaries. */
    static const char *const files[] = {
        "<unknown>:", "model.py:", "other.py:", "m.mlir:", "n.mlir:", "h.mlir:", "dylib:", "op:"};
    const char *text = messages(), *line = strstr(text, ": error: ");
    while (line && line > text && line[-1] != '\n')
        line--;
    bool ok = !line;
    for (size_t i = 0; !ok && i < sizeof files / sizeof *files; i++)
        ok = strncmp(line, files[i], strlen(files[i])) == 0;
    for (size_t i = 0; !ok && i < WORDS && calls[c][i]; i++)
        ok = strncmp(line, calls[c][i], strlen(calls[c][i])) == 0;
    return ok;
}

static void complain(size_t c, const char *when, const char *what)
{
    failed++;
    dprintf(terminal, "%s %s %s: %s: %s\n%s", calls[c][0], calls[c][1], calls[c][2], when, what,
            messages());
}

static void empty_messages(void)
{
    if (lseek(STDERR_FILENO, 0, SEEK_SET) != 0 || ftruncate(STDERR_FILENO, 0) != 0)
        complain(0, "before a call", "cannot empty the file of messages");
}

/* What holds after a call that had an obstacle. cause: a word of the message. */
static void judge(size_t c, const char *when, int code, int expected, const char *cause)
{
    if (code != expected && code != EXIT_ENVIRONMENT)
        complain(c, when, "another exit code");
    if (code != expected && !strstr(messages(), cause))
        complain(c, when, "the message does not name the cause");
    if (code != expected && !is_placed(c))
        complain(c, when, "the place is in another file");
    if (heap.live > kept) /* a call that is stopped may keep less */
        complain(c, when, "memory is lost");
}

/* One point; false: the call makes no n allocations. expected: its exit code with all the memory it wants. */
static bool point(size_t c, long n, bool for_good, int expected)
{
    char when[64];
    snprintf(when, sizeof when, "allocation %ld fails%s", n, for_good ? " for good" : "");
    empty_messages();
    fail_from(n, for_good);
    int code = call(c);
    bool reached = heap.calls >= n;
    fail_from(0, false);
    points += reached;
    refused += reached && code == EXIT_ENVIRONMENT;
    judge(c, when, reached ? code : code - expected, reached ? expected : 0, "memory");
    return reached;
}

static uint32_t drawn = 1; /* the state of the random numbers */

/* A number below n. */
static uint32_t draw(uint32_t n)
{
    drawn = drawn * 1664525u + 1013904223u;
    return (drawn >> 8) % n;
}

/* Limits of all orders of magnitude between those that allow nothing and those that allow everything. */
static void limit_at_random(size_t c, int expected)
{
    static const struct {
        const char *flag;
        double least;
        int doublings;
    } limits[] = {{"max-stack", 500, 8},
                  {"max-bytes", 1000, 13},
                  {"max-ops", 1, 12},
                  {"max-steps", 1, 6},
                  {"max-seconds", 1e-6, 14}};
    enum { TRIES = 24 };
    for (int i = 0; i < TRIES && !failed; i++) {
        size_t k = draw(sizeof limits / sizeof *limits);
        char flag[64];
        double n = limits[k].least * (1 + draw(1000) / 1000.0);
        for (uint32_t times = draw((uint32_t)limits[k].doublings + 1); times > 0; times--)
            n *= 2;
        snprintf(flag, sizeof flag, n < 1 ? "--%s=%.7f" : "--%s=%.0f", limits[k].flag, n);
        empty_messages();
        int code = call_with(c, flag);
        limited += code != expected;
        judge(c, flag, code, expected, limits[k].flag);
    }
}

/* Calls with many allocations try each of the first ones and then some. */
static void sweep(size_t c)
{
    long from = points;
    int expected = call(c);
    kept = heap.live;
    for (int for_good = 0; for_good < 2; for_good++)
        for (long n = 1; point(c, n, for_good, expected); n += n < 40 ? 1 : n / 10)
            continue;
    limit_at_random(c, expected);
    if (call(c) != expected)
        complain(c, "the next call", "another exit code");
    dprintf(terminal, "  %s %s %-40s %5ld points\n", calls[c][0], calls[c][1], calls[c][2],
            points - from);
}

static bool write_program(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    bool ok = f && fputs(text, f) >= 0;
    return f && fclose(f) == 0 && ok;
}

int main(void)
{
    char folder[] = "/tmp/tsr_tools.XXXXXX", command[64];
    terminal = dup(STDOUT_FILENO);
    setenv("TESSERA_THREADS", "4", 1); /* the search has helpers on any machine */
    if (!mkdtemp(folder) || chdir(folder) != 0 || !write_program("m.mlir", program) ||
        !write_program("p.mlir", product) || !write_program("s.mlir", layers) ||
        !write_program("k.mlir", chunks) || !freopen("/dev/null", "w", stdout) ||
        !freopen("messages", "w+", stderr))
        return dprintf(terminal, "tool_memory: cannot write to %s\n", folder), 3;
    setvbuf(stderr, NULL, _IONBF, 0);
    tsr_set_allocator(allocate, NULL);
    for (size_t c = 0; c < MAKES; c++)
        if (call(c) != 0)
            complain(c, "without obstacles", "does not work at all");
    for (size_t c = 0; c < CALLS && !failed; c++)
        sweep(c);
    if (points < 800 || refused < points / 2 || limited < 300)
        failed++;
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (chdir("/") != 0 || system(command) != 0)
        failed++;
    dprintf(terminal, "  %ld calls are stopped by limits\n", limited);
    dprintf(terminal, "%ld passed, %d failed\n", points + limited, failed);
    return failed != 0;
}
