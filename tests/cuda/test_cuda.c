/* SPDX-License-Identifier: Apache-2.0 */
/* test_cuda.c - the CUDA plug-in without a GPU.
 *
 *   cuda PLUG-IN FAKES            against libraries that stand for the driver, NVRTC and cuBLASLt (fake_*.c)
 *   cuda PLUG-IN compile SM FILE...   kernel texts by the NVRTC that is there: registers, and no spills */
#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake.h"

#include "base/device.h"

static const char *plug_in, *fakes;
static char folder[256], log_path[300];

/* Tests run in processes of their own: the plug-in opens the driver once in a process. */
static struct {
    int passed, failed;
} * counts;
static const char *test_name;

#define CHECK(c, ...)                                                     \
    do {                                                                  \
        if (c) {                                                          \
            counts->passed++;                                             \
        } else {                                                          \
            counts->failed++;                                             \
            printf("%s:%d: %s: %s: ", __FILE__, __LINE__, test_name, #c); \
            printf(__VA_ARGS__);                                          \
            printf("\n");                                                 \
        }                                                                 \
    } while (0)

static void *symbol(const char *name)
{
    void *library = dlopen(plug_in, RTLD_NOW | RTLD_LOCAL),
         *at = library ? dlsym(library, name) : NULL;
    if (!at) {
        printf("%s\n", dlerror());
        exit(1);
    }
    return at;
}

static tsr_device *open_device(int number, char error[512])
{
    tsr_device_open_fn *open;
    void *at = symbol(TSR_DEVICE_OPEN);
    memcpy(&open, &at, sizeof open);
    error[0] = 0;
    return open(TSR_DEVICE_VERSION, number, error, 512);
}

/* What the libraries still have; zeros: all was destroyed. */
static bool nothing_lives(void)
{
    static const char *const files[] = {"libcuda.so.1", "libnvrtc.so.13", "libcublasLt.so.13"};
    static const char *const names[] = {"fake_driver_live", "fake_rtc_live", "fake_lt_live"};
    static const fake_live none;
    bool nothing = true;
    for (int i = 0; i < 3; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", fakes, files[i]);
        void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
        const fake_live *live = library ? dlsym(library, names[i]) : NULL;
        if (live && memcmp(live, &none, sizeof none) != 0) {
            nothing = false;
            printf("%s: %d contexts, %d streams, %d events, %d blocks, %d pinned, %d modules, %d "
                   "programs, %d handles, %d descs\n",
                   files[i], live->contexts, live->streams, live->events, live->blocks,
                   live->pinned, live->modules, live->programs, live->handles, live->descs);
        }
    }
    return nothing;
}

static char *read_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    *n = f && text ? fread(text, 1, (1 << 20) - 1, f) : 0;
    if (f)
        fclose(f);
    return text;
}

/* How many lines of the log begin so. */
static int count_calls(const char *begin)
{
    size_t n;
    char *text = read_file(log_path, &n);
    int calls = 0;
    for (char *line = text; *line; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL))
        calls += strncmp(line, begin, strlen(begin)) == 0;
    free(text);
    return calls;
}

/* Whether these lines come in this order, perhaps with others between. */
static bool in_order(const char *const *lines)
{
    size_t n;
    char *text = read_file(log_path, &n), *line = text;
    for (; *line && *lines; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL))
        lines += strncmp(line, *lines, strlen(*lines)) == 0;
    if (*lines)
        printf("not there, or not in order: %s\n%s", *lines, text);
    free(text);
    return !*lines;
}

static const char good_text[] =
    "TSR_KERNEL(three, 3) { TSR_POINTER(int32_t, 0)[TSR_THREAD] = 1; }\n";

static tsr_device_product small_product(tsr_device *d, void *memory)
{
    tsr_device_product p = {
        .m = 16, .n = 8, .k = 8, .batch = 1, .sums = TSR_DEVICE_F32, .alpha = 1};
    uintptr_t at = (uintptr_t)memory; /* NULL where an allocation was made to fail */
    p.a = (tsr_device_matrix){memory, TSR_DEVICE_F32, false, 8, 0};
    p.b = (tsr_device_matrix){(void *)(at + 512), TSR_DEVICE_F32, false, 8, 0};
    p.out = (tsr_device_matrix){(void *)(at + 1024), TSR_DEVICE_F32, false, 8, 0};
    p.workspace = (void *)(at + 8192);
    p.workspace_bytes = 1 << 20;
    (void)d;
    return p;
}

/* Everything once; false as soon as something fails. */
static bool use(tsr_device *d)
{
    tsr_device_code code = {0};
    tsr_mark m, n;
    static char host[10 << 20];
    size_t workspace;
    char *at = d->allocate(d, 16 << 20);
    bool ok = at && d->copy_in(d, at, host, sizeof host) && d->fill(d, at, 7, 4096) &&
              d->copy(d, at + 64, d, at, 64) &&
              d->compile(d, &(tsr_device_text){good_text, sizeof good_text - 1}, 1, &code);
    tsr_device_launch l = {.blocks = {3, 2, 1},
                           .threads = 64,
                           .shared = 128,
                           .words = (uint64_t[]){1, 2, 3},
                           .nwords = 3};
    ok = ok && d->find(d, code, "three", &l.kernel) && d->mark(d, 0, &m) && d->launch(d, &l);
    l.lane = TSR_LANE_COLLECTIVES;
    ok = ok && d->mark(d, 0, &n) && d->wait(d, 1, d, n) && d->launch(d, &l) &&
         d->reached(d, n) == 1 && d->between(d, m, n) > 0;
    tsr_device_product p = small_product(d, at);
    ok = ok && d->has_product(d, &p, &workspace) && d->product(d, &p) && d->product(d, &p);
    ok = ok && d->copy_out(d, host, at, sizeof host) && d->left(d) >= -1 && d->synchronize(d);
    if (code.word)
        d->drop(d, code);
    d->release(d, at);
    return ok && d->synchronize(d);
}

static void test_calls(void)
{
    char error[512];
    tsr_device *d = open_device(1, error);
    CHECK(d, "%s", error);
    CHECK(d->architecture == 90 && d->units == 132 && d->shared == 232448 && d->bytes == 1 << 28 &&
              strcmp(d->name, "Fake GPU 1") == 0,
          "%s", d->name);
    CHECK(use(d), "%s", d->error);
    d->close(d);
    CHECK(nothing_lives(), "after close");
    static const char *const lines[] = {
        "cuInit 0",
        "cuDeviceGet 1",
        "cuDevicePrimaryCtxRetain 1",
        "cuMemPoolSetAttribute 4 ffffffffffffffff",
        "cuStreamCreate 1",
        "cuStreamCreate 1",
        "cuMemAllocAsync 16777216 0",
        "cuMemAllocHost 4194304",
        "cuMemcpyHtoDAsync 4194304 0",
        "cuEventRecord 0",
        "cuMemcpyHtoDAsync 4194304 0",
        "cuMemcpyHtoDAsync 2097152 0",
        "cuMemsetD8Async 7 4096 0",
        "cuMemcpyDtoDAsync 64 0",
        "nvrtcCompileProgram  --gpu-architecture=sm_90 --std=c++17 --fmad=false -default-device",
        "cuModuleLoadData",
        "cuModuleGetFunction three",
        "cuFuncSetAttribute 8 232000",
        "cuLaunchKernel three 3,2,1 64,1,1 128 0: 1 2 3",
        "cuEventRecord 0",
        "cuStreamWaitEvent 1 0",
        "cuLaunchKernel three 3,2,1 64,1,1 128 1: 1 2 3",
        "cublasLtCreate",
        "cublasLtMatmulAlgoGetHeuristic 8 order 6 bytes 16,16,16,16",
        "cublasLtMatmul 68 1 0,0 workspace 1048576",
        "cublasLtMatmul 68 1 0,0 workspace 1048576",
        "cuMemcpyDtoHAsync 4194304 0",
        "cuModuleUnload",
        "cuMemFreeAsync 0",
        "cuStreamSynchronize 0",
        "cuStreamSynchronize 1",
        "cublasLtDestroy",
        "cuStreamDestroy 0",
        "cuMemPoolTrimTo 0",
        "cuDevicePrimaryCtxRelease 1",
        NULL};
    CHECK(in_order(lines), "calls");
    CHECK(count_calls("cublasLtMatmulAlgoGetHeuristic") == 1,
          "the library is asked once for a product");
}

/* Whatever the driver or a library refuses: an error with a reason, nothing is left behind, the process lives. */
static void test_each_failure(void)
{
    static const char *const names[] = {
#define DRIVER(type, name, text, ...) #name,
#define RTC(type, name, text, ...) #name,
#define LT(type, name, text, ...) #name,
#include "cuda/symbols.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int nth = 0; nth < 3; nth++) {
            char error[512], fail[100];
            const char *name = names[i];
            bool ends = strstr(name, "Destroy") || strstr(name, "Free") || strstr(name, "Unload") ||
                        strstr(name, "Release");
            pid_t child = fork();
            if (child == 0) {
                snprintf(fail, sizeof fail, nth ? "%s=700@%d" : "%s=700", name, nth);
                setenv("TESSERA_CACHE", "none", 1);
                setenv("FAKE_FAIL", fail, 1);
                tsr_device *d = open_device(0, error);
                bool ok = d && use(d);
                if (d && !ok)
                    CHECK(d->error[0], "%s: no reason", fail);
                if (!d)
                    CHECK(error[0], "%s: no reason", fail);
                if (d)
                    d->close(d);
                CHECK(ends || nothing_lives(), "%s: after close", fail);
                fflush(stdout);
                _exit(0);
            }
            int status = 0;
            waitpid(child, &status, 0);
            CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0,
                  "%s, %d: the process ended with %d", name, nth, status);
        }
}

/* The first line of why a device does not open, in these circumstances. */
static void expect_closed(int number, const char *words)
{
    char error[512];
    tsr_device *d = open_device(number, error);
    CHECK(!d && strstr(error, words), "%s", d ? "it opens" : error);
    if (d)
        d->close(d);
    CHECK(nothing_lives(), "after a failure to open");
}

static void test_no_driver(void)
{
    setenv("TESSERA_CUDA_PATH", "/nonexistent:-", 1);
    expect_closed(0, "libcuda.so.1 not found: there is no NVIDIA driver here");
    tsr_device_count_fn *count;
    void *at = symbol(TSR_DEVICE_COUNT);
    char error[512] = "";
    memcpy(&count, &at, sizeof count);
    CHECK(count(TSR_DEVICE_VERSION, error, sizeof error) == -1 && strstr(error, "libcuda"), "%s",
          error);
    CHECK(count(TSR_DEVICE_VERSION + 1, error, sizeof error) == -1 && strstr(error, "version"),
          "%s", error);
}

static void test_old_driver(void)
{
    setenv("FAKE_VERSION", "12020", 1);
    expect_closed(0, "the driver supports CUDA 12.2; 12.4 or later is needed");
}

static void test_old_card(void)
{
    setenv("FAKE_ARCHITECTURE", "75", 1);
    expect_closed(0, "compute capability 7.5; 8.0 or later is needed");
}

static void test_no_card(void)
{
    expect_closed(2, "there is no GPU 2: the driver shows 2");
    setenv("FAKE_DEVICES", "0", 1);
    expect_closed(0, "there is no GPU 0: the driver shows 0");
}

/* Only the libraries that are named. */
static void link_some(const char *a, const char *b)
{
    char own[400], from[700], to[700], path[420];
    snprintf(own, sizeof own, "%s/some-%d", folder, getpid());
    mkdir(own, 0700);
    for (int i = 0; i < 2; i++) {
        snprintf(from, sizeof from, "%s/%s", fakes, i ? b : a);
        snprintf(to, sizeof to, "%s/%s", own, i ? b : a);
        CHECK(symlink(from, to) == 0, "%s", to);
    }
    snprintf(path, sizeof path, "%s:-", own);
    setenv("TESSERA_CUDA_PATH", path, 1);
}

static void test_no_rtc(void)
{
    char error[512];
    tsr_device_code code;
    link_some("libcuda.so.1", "libcublasLt.so.13");
    tsr_device *d = open_device(0, error);
    CHECK(d, "%s", error);
    CHECK(!d->compile(d, &(tsr_device_text){good_text, sizeof good_text - 1}, 1, &code),
          "it compiles");
    CHECK(strstr(d->error, "libnvrtc.so.13 not found") &&
              strstr(d->error, "pip install nvidia-cuda-nvrtc"),
          "%s", d->error);
    CHECK(d->synchronize(d), "it goes on: %s", d->error);
    d->close(d);
}

static void test_no_lt(void)
{
    char error[512];
    size_t workspace;
    link_some("libcuda.so.1", "libnvrtc.so.13");
    tsr_device *d = open_device(0, error);
    CHECK(d, "%s", error);
    tsr_device_product p = small_product(d, NULL);
    CHECK(!d->has_product(d, &p, &workspace) && strstr(d->error, "libcublasLt.so.13 not found"),
          "%s", d->error);
    CHECK(d->synchronize(d), "it goes on: %s", d->error);
    d->close(d);
}

static void test_memory(void)
{
    char error[512];
    setenv("FAKE_MEMORY", "1000000", 1);
    tsr_device *d = open_device(0, error);
    void *a = d->allocate(d, 600000);
    CHECK(a && !d->allocate(d, 600000) &&
              strstr(d->error, "no memory for 600000 bytes: 400000 of 1000000 are left"),
          "%s", d->error);
    CHECK(count_calls("cuMemPoolTrimTo") == 1 && d->left(d) == 400000, "%lld",
          (long long)d->left(d));
    d->release(d, a);
    a = d->allocate(d, 900000);
    CHECK(a && d->synchronize(d), "it goes on: %s", d->error);
    d->close(d);
    CHECK(nothing_lives(), "a block that was not released");
    setenv("FAKE_POOLS", "0", 1);
    d = open_device(0, error);
    d->release(d, d->allocate(d, 1000));
    CHECK(count_calls("cuMemAlloc 1000") == 1 && count_calls("cuMemFree") >= 1, "without pools");
    d->close(d);
    CHECK(nothing_lives(), "without pools");
}

static void test_lost(void)
{
    char error[512];
    tsr_device *d = open_device(0, error), *other = open_device(1, error);
    void *at = d->allocate(d, 4096);
    setenv("FAKE_FAIL", "cuStreamSynchronize=700", 1);
    CHECK(!d->synchronize(d) && strstr(d->error, "GPU 0") &&
              strstr(d->error, "illegal memory access"),
          "%s", d->error);
    setenv("FAKE_FAIL", "", 1);
    CHECK(!d->fill(d, at, 0, 4096) && !d->synchronize(d) && !d->allocate(d, 1) &&
              strstr(d->error, "illegal"),
          "the error stays: %s", d->error);
    CHECK(other->synchronize(other), "another device goes on: %s", other->error);
    d->close(d);
    other->close(other);
    CHECK(nothing_lives(), "after a loss");
}

static void test_peers(void)
{
    char error[512], host[64] = "from one to the other", back[64];
    tsr_device *d[2] = {open_device(0, error), open_device(1, error)};
    char *a = d[0]->allocate(d[0], 64), *b = d[1]->allocate(d[1], 64);
    tsr_mark m;
    bool ok = d[0]->copy_in(d[0], a, host, 64) && d[0]->mark(d[0], 0, &m) &&
              d[1]->wait(d[1], 0, d[0], m) && d[1]->copy(d[1], b, d[0], a, 64) &&
              d[1]->copy_out(d[1], back, b, 64);
    CHECK(ok && memcmp(host, back, 64) == 0 && count_calls("cuMemcpyPeerAsync 1 0 64") == 1, "%s",
          d[1]->error);
    CHECK(!d[1]->wait(d[1], 0, d[0], (tsr_mark){99}) && strstr(d[1]->error, "mark"), "%s",
          d[1]->error);
    d[0]->close(d[0]);
    d[1]->close(d[1]);
    CHECK(nothing_lives(), "two devices");
}

/* More marks than there are events: the old ones are reached. */
static void test_marks(void)
{
    char error[512];
    tsr_device *d = open_device(0, error);
    tsr_mark first, m;
    bool ok = d->mark(d, 0, &first);
    unsetenv("FAKE_LOG");
    for (int i = 0; ok && i < 70000; i++)
        ok = d->mark(d, i % 2, &m);
    CHECK(ok && d->reached(d, first) == 1 && d->reached(d, m) == 1 && d->wait(d, 1, d, first) &&
              d->wait(d, 1, d, m),
          "%s", d->error);
    CHECK(d->between(d, m, m) >= 0, "%s", d->error);
    d->close(d);
    CHECK(nothing_lives(), "marks");
}

/* ---- The cache ---- */

static int entries(const char *at, char first[700])
{
    int n = 0;
    DIR *d = opendir(at);
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.') {
            n++;
            snprintf(first, 700, "%s/%s", at, e->d_name);
        }
    if (d)
        closedir(d);
    return n;
}

/* Compiles so many texts in a process of its own; how many went to NVRTC, -1: failed. */
static int compile_some(int n, const char *fail)
{
    unlink(log_path);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        char error[512], texts[64][64];
        tsr_device_text given[64];
        tsr_device_code codes[64];
        if (fail)
            setenv("FAKE_FAIL", fail, 1);
        tsr_device *d = open_device(0, error);
        for (int i = 0; i < n; i++) {
            snprintf(texts[i], sizeof *texts, "TSR_KERNEL(k%d, 3) {}\n", i);
            given[i] = (tsr_device_text){texts[i], strlen(texts[i])};
        }
        bool ok = d && d->compile(d, given, (size_t)n, codes);
        if (!ok)
            printf("%s\n", d ? d->error : error);
        if (d)
            d->close(d);
        fflush(stdout);
        _exit(!ok);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status == 0 ? count_calls("nvrtcCompileProgram") : -1;
}

static void change(const char *path, bool cut)
{
    struct stat s;
    CHECK(stat(path, &s) == 0, "%s", path);
    if (cut) {
        CHECK(truncate(path, s.st_size / 2) == 0, "%s", path);
        return;
    }
    FILE *f = fopen(path, "r+b");
    fseek(f, (long)s.st_size - 7, SEEK_SET);
    fputc(0x5A, f);
    fclose(f);
}

static void test_cache(void)
{
    char at[400], first[700];
    struct stat s;
    snprintf(at, sizeof at, "%s/cache/deep", folder);
    setenv("TESSERA_CACHE", at, 1);
    CHECK(compile_some(5, NULL) == 5 && entries(at, first) == 5, "an empty folder");
    CHECK(stat(at, &s) == 0 && (s.st_mode & 0777) == 0700 && stat(first, &s) == 0 &&
              (s.st_mode & 0777) == 0600,
          "others may read");
    CHECK(compile_some(5, NULL) == 0, "all are there");
    CHECK(compile_some(7, NULL) == 2 && entries(at, first) == 7, "two more");
    change(first, false);
    CHECK(compile_some(7, NULL) == 1, "a damaged entry");
    change(first, true);
    CHECK(compile_some(7, NULL) == 1 && compile_some(7, NULL) == 0, "half of an entry");
    CHECK(compile_some(7, "cuModuleLoadData=200@1") == 1, "an entry that the driver refuses");
    CHECK(compile_some(7, NULL) == 0, "after that");
    setenv("FAKE_RTC_MINOR", "2", 1);
    CHECK(compile_some(1, NULL) == 1, "another compiler");
    setenv("FAKE_ARCHITECTURE", "80", 1);
    CHECK(compile_some(1, NULL) == 1, "another card");
    setenv("FAKE_ARCHITECTURE", "89", 1);
    CHECK(compile_some(1, NULL) == 1 &&
              count_calls("nvrtcCompileProgram  --gpu-architecture=sm_86") == 1,
          "a card that is not known by name");
    setenv("TESSERA_CACHE_BYTES", "400000", 1);
    CHECK(compile_some(40, NULL) == 39 && entries(at, first) <= 10, "%d entries",
          entries(at, first));
    chmod(at, 0755);
    int before = entries(at, first);
    CHECK(compile_some(50, NULL) == 50 && entries(at, first) == before,
          "a folder that others may read");
    setenv("TESSERA_CACHE", "none", 1);
    CHECK(compile_some(3, NULL) == 3, "none");
    setenv("TESSERA_CACHE", "/proc/nothing/here", 1);
    CHECK(compile_some(3, NULL) == 3, "no folder");
}

/* Eight processes at once write the same entries; nobody sees half of one, and nothing else is left. */
static void test_cache_together(void)
{
    char at[400], first[700];
    pid_t children[8];
    snprintf(at, sizeof at, "%s/together", folder);
    setenv("TESSERA_CACHE", at, 1);
    unsetenv("FAKE_LOG");
    fflush(stdout);
    for (int i = 0; i < 8; i++)
        if ((children[i] = fork()) == 0)
            _exit(compile_some(20, NULL) < 0);
    for (int i = 0; i < 8; i++) {
        int status = 1;
        waitpid(children[i], &status, 0);
        CHECK(status == 0, "process %d", i);
    }
    CHECK(entries(at, first) == 20, "%d entries", entries(at, first));
    setenv("FAKE_LOG", log_path, 1);
    CHECK(compile_some(20, NULL) == 0, "all are whole");
}

static void test_text_error(void)
{
    static const char bad[] = "TSR_KERNEL(bad, 1)\n{\n    nobody;\n}\n";
    char error[512];
    tsr_device_code codes[3];
    tsr_device_text texts[3] = {{good_text, sizeof good_text - 1},
                                {bad, sizeof bad - 1},
                                {good_text, sizeof good_text - 1}};
    tsr_device *d = open_device(0, error);
    CHECK(!d->compile(d, texts, 3, codes), "it compiles");
    CHECK(strcmp(d->error, "kernel(3): error: identifier \"nobody\" is undefined") == 0, "%s",
          d->error);
    CHECK(d->compile(d, texts, 1, codes) && d->synchronize(d), "it goes on: %s", d->error);
    d->close(d);
    CHECK(nothing_lives(), "a text with an error");
}

static void test_parts(void)
{
    tsr_device_parts_fn *parts;
    tsr_device_part out[8];
    void *at = symbol(TSR_DEVICE_PARTS);
    memcpy(&parts, &at, sizeof parts);
    CHECK(parts(TSR_DEVICE_VERSION, out, 8) == 3, "parts");
    CHECK(out[0].found && strstr(out[0].text, "CUDA 13.0, ") && strstr(out[0].text, "libcuda.so.1"),
          "%s", out[0].text);
    CHECK(out[1].found && strstr(out[1].text, "13.1, ") && out[2].found &&
              strstr(out[2].text, "13.1, "),
          "%s; %s", out[1].text, out[2].text);
    setenv("TESSERA_CUDA_PATH", "-", 1);
    CHECK(parts(TSR_DEVICE_VERSION, out, 8) == 3 && !out[0].found && !out[1].found && !out[2].found,
          "nothing is there");
    CHECK(strstr(out[0].text, "driver") && strstr(out[1].text, "nvrtc") &&
              strstr(out[2].text, "cublas"),
          "%s", out[2].text);
}

static void run(const char *name, void (*test)(void))
{
    unlink(log_path);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        test_name = name;
        test();
        fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    test_name = name;
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the process ended with %d", status);
}

static int compile_files(const char *sm, int n, char **paths)
{
    tsr_device_compile_fn *compile;
    void *at = symbol(TSR_DEVICE_COMPILE);
    tsr_device_text texts[64];
    char error[1024] = "", *logs = calloc(64, 1 << 16);
    int failed = 0;
    memcpy(&compile, &at, sizeof compile);
    for (int i = 0; i < n && i < 64; i++) {
        size_t length;
        char *text = read_file(paths[i], &length);
        texts[i] = (tsr_device_text){text, length};
    }
    if (!compile(TSR_DEVICE_VERSION, (uint32_t)atoi(sm), texts, (size_t)n, logs, 1 << 16, error,
                 sizeof error)) {
        printf("%s\n", error);
        return strstr(error, "not found") ? 77 : 1;
    }
    for (int i = 0; i < n; i++) {
        char *log = logs + ((size_t)i << 16);
        int kernels = 0, spills = 0, stores;
        for (char *p = log; (p = strstr(p, "Used ")); p++)
            kernels++;
        for (char *p = log; (p = strstr(p, "bytes stack frame, ")); p++)
            spills +=
                sscanf(p, "bytes stack frame, %d bytes spill stores", &stores) == 1 && stores > 0;
        printf("%s, sm_%s: %d kernels, %d with spills\n", paths[i], sm, kernels, spills);
        failed += kernels == 0 || spills > 0;
        free((void *)(uintptr_t)texts[i].text);
    }
    free(logs);
    return failed != 0;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    plug_in = argv[1];
    fakes = realpath(argv[2], NULL);
    if (argc > 4 && strcmp(argv[2], "compile") == 0)
        return compile_files(argv[3], argc - 4, argv + 4);
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    snprintf(folder, sizeof folder, "%s/tessera-cuda-XXXXXX",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (!fakes || counts == MAP_FAILED || !mkdtemp(folder))
        return 3;
    snprintf(log_path, sizeof log_path, "%s/log", folder);
    setenv("FAKE_LOG", log_path, 1);
    setenv("TESSERA_CACHE", "none", 1);
    char path[600];
    snprintf(path, sizeof path, "%s:-", fakes);
    setenv("TESSERA_CUDA_PATH", path, 1);
    static const struct {
        const char *name;
        void (*test)(void);
    } tests[] = {{"calls", test_calls},
                 {"no driver", test_no_driver},
                 {"old driver", test_old_driver},
                 {"old card", test_old_card},
                 {"no card", test_no_card},
                 {"no NVRTC", test_no_rtc},
                 {"no cuBLASLt", test_no_lt},
                 {"memory", test_memory},
                 {"a GPU is lost", test_lost},
                 {"two devices", test_peers},
                 {"many marks", test_marks},
                 {"a text with an error", test_text_error},
                 {"parts", test_parts},
                 {"cache", test_cache},
                 {"cache, together", test_cache_together},
                 {"each failure", test_each_failure}};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        run(tests[i].name, tests[i].test);
    snprintf(path, sizeof path, "rm -rf '%s'", folder);
    if (system(path) != 0)
        return 3;
    printf("%d passed, %d failed\n", counts->passed, counts->failed);
    return counts->failed != 0;
}
