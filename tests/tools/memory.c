/* memory.c - every allocation of a tool fails once, alone and with all after it: the tool ends with exit code 3 and a message that
 * names the cause, or does without; nothing that it held is lost, and the next call works. The tools are those of binaries:
 * opt, translate and ttrt; compile; and run. */
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
};
enum { MAKES = 7, CALLS = sizeof calls / sizeof *calls };

static int failed, terminal;
static long points, refused;

static int call(size_t c)
{
    char *argv[WORDS + 1] = {NULL};
    int argc = 0;
    for (; argc < WORDS && calls[c][argc]; argc++)
        argv[argc] = (char *)calls[c][argc];
    int code = tool_main(argc, argv);
    fflush(stdout);
    return code;
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

static void complain(size_t c, long n, bool for_good, const char *what)
{
    failed++;
    dprintf(terminal, "%s %s %s: allocation %ld fails%s: %s\n%s", calls[c][0], calls[c][1],
            calls[c][2], n, for_good ? " for good" : "", what, messages());
}

/* One point; false: the call makes no n allocations. expected: its exit code with all the memory it wants. */
static bool point(size_t c, long n, bool for_good, int expected)
{
    long before = heap.live;
    if (lseek(STDERR_FILENO, 0, SEEK_SET) != 0 || ftruncate(STDERR_FILENO, 0) != 0)
        complain(c, n, for_good, "cannot empty the file of messages");
    fail_from(n, for_good);
    int code = call(c);
    bool reached = heap.calls >= n;
    fail_from(0, false);
    points += reached;
    refused += reached && code == EXIT_ENVIRONMENT;
    if (code != expected && (!reached || code != EXIT_ENVIRONMENT))
        complain(c, n, for_good, "another exit code");
    if (code != expected && !strstr(messages(), "memory"))
        complain(c, n, for_good, "the message names no memory");
    if (heap.live != before)
        complain(c, n, for_good, "memory is lost");
    return reached;
}

/* Calls with many allocations try each of the first ones and then some. */
static void sweep(size_t c)
{
    long from = points;
    int expected = call(c); /* what the library keeps between runs is there from now on */
    for (int for_good = 0; for_good < 2; for_good++)
        for (long n = 1; point(c, n, for_good, expected); n += n < 40 ? 1 : n / 10)
            continue;
    if (call(c) != expected)
        complain(c, 0, false, "the next call has another exit code");
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
    if (!mkdtemp(folder) || chdir(folder) != 0 || !write_program("m.mlir", program) ||
        !write_program("p.mlir", product) || !freopen("/dev/null", "w", stdout) ||
        !freopen("messages", "w+", stderr))
        return dprintf(terminal, "tool_memory: cannot write to %s\n", folder), 3;
    setvbuf(stderr, NULL, _IONBF, 0);
    tsr_set_allocator(allocate, NULL);
    for (size_t c = 0; c < MAKES; c++)
        if (call(c) != 0)
            complain(c, 0, false, "does not work at all");
    for (size_t c = 0; c < CALLS && !failed; c++)
        sweep(c);
    if (points < 800 || refused < points / 2)
        failed++;
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (chdir("/") != 0 || system(command) != 0)
        failed++;
    dprintf(terminal, "%ld passed, %d failed\n", points, failed);
    return failed != 0;
}
