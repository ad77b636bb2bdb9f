/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - blocks with a header, in the list of the scope that allocated them. See memory.h. */
#define TSR_OWN_MEMORY
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/scope.h"
#include "base/spare.h"

#ifdef malloc
#error "base/compiler.h was included before TSR_OWN_MEMORY was defined"
#endif

enum { MAGIC = 0x7E55E2A1, ENDED = MAGIC + 1, ALIGN = 64 };

typedef struct {
    tsr_link link;   /* itself when the block is in no list */
    size_t size;     /* as requested */
    uint32_t offset; /* from the allocator's address to the header */
    uint32_t magic;  /* detects pointers that are not ours; ENDED: the last word is a tsr_end_fn */
} header;
_Static_assert(sizeof(header) == 32, "data behind a header is aligned as the header is");
typedef void tsr_end_fn(void *data);

/* ---- Large blocks ---- */

enum {
    SPARE_LEAST = 1 << 17, /* smallest block that is kept for reuse (spare.h) */
    SPARE_STEP = 1 << 12,  /* sizes of kept blocks are multiples of this */
    HUGE_LEAST = 1 << 22,  /* smallest block that gets huge pages, */
    HUGE_PAGE = 1 << 21,   /* and begins where one may begin */
};

/* ---- The allocator ---- */

static void *system_alloc(void *user, void *old, size_t bytes)
{
    (void)user;
    void *made = NULL;
    if (!old && bytes >= HUGE_LEAST)
        return posix_memalign(&made, HUGE_PAGE, bytes) ? NULL : made;
    if (bytes)
        return realloc(old, bytes);
    free(old);
    return NULL;
}

/* Set once at start-up by an embedder, before any context exists; the one exception to "no mutable globals". */
static tsr_alloc_fn *allocator = system_alloc;
static void *allocator_user;

void tsr_set_allocator(tsr_alloc_fn *fn, void *user)
{
    allocator = fn ? fn : system_alloc;
    allocator_user = fn ? user : NULL;
}

static void *obtain(void *old, size_t bytes)
{
    return allocator(allocator_user, old, bytes);
}

/* Bytes of an aligned block with its header. For blocks that may be kept, nearby sizes are rounded to the same
 * number. */
static size_t whole_of(size_t bytes)
{
    size_t whole = sizeof(header) + ALIGN + (bytes ? bytes : 1);
    return whole < SPARE_LEAST ? whole : (whole + SPARE_STEP - 1) / SPARE_STEP * SPARE_STEP;
}

/* An embedder's allocator does its own caching. */
static bool is_kept(size_t whole)
{
    return whole >= SPARE_LEAST && allocator == system_alloc;
}

static void release(void *base)
{
    obtain(base, 0);
}

/* How many bytes may be kept: a quarter of the memory available at the first query, at most a gigabyte. */
static size_t most_kept(void)
{
    static _Atomic size_t most;
    enum { GIGABYTE = 1 << 30 };
    if (!most) {
        int64_t part = tsr_memory_left() / 4;
        most = part > GIGABYTE ? GIGABYTE : part > 1 ? (size_t)part : 1;
    }
    return most;
}

/* One page fault per 2 MB instead of per 4 KB. This is advice to the system and changes no result. */
static void ask_for_huge_pages(char *base, size_t whole)
{
#if defined(MADV_HUGEPAGE)
    if (whole < HUGE_LEAST)
        return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), skip = -(uintptr_t)base % page;
    (void)madvise(base + skip, (whole - skip) / page * page, MADV_HUGEPAGE);
#else
    (void)base, (void)whole;
#endif
}

void tsr_memory_trim(void)
{
    tsr_spare_drop(release);
}

/* ---- Lists ---- */

static header *header_of(const void *data)
{
    header *h = (header *)(uintptr_t)data - 1;
    tsr_assert(h->magic == MAGIC || h->magic == ENDED, "a block that is not the library's");
    return h;
}

static tsr_limits *limits_now(void)
{
    tsr_scope *s = tsr_scope_now();
    return s ? s->limits : NULL;
}

static void lock_list(tsr_limits *l)
{
    if (l && l->threaded)
        pthread_mutex_lock(&l->lock);
}

static void unlock_list(tsr_limits *l)
{
    if (l && l->threaded)
        pthread_mutex_unlock(&l->lock);
}

static void insert(tsr_limits *l, header *h)
{
    tsr_link *list = &l->blocks;
    h->link = (tsr_link){list, list->next};
    list->next->prev = &h->link;
    list->next = &h->link;
    l->bytes += (int64_t)h->size;
}

static bool is_listed(const header *h)
{
    return h->link.next != &h->link;
}

static void take_out(tsr_limits *l, header *h)
{
    if (!is_listed(h))
        return;
    h->link.prev->next = h->link.next;
    h->link.next->prev = h->link.prev;
    h->link = (tsr_link){&h->link, &h->link};
    if (l)
        l->bytes -= (int64_t)h->size;
}

/* A block has moved: its neighbours still point to its old address. */
static void mend(header *h, bool listed)
{
    if (!listed) {
        h->link = (tsr_link){&h->link, &h->link};
        return;
    }
    h->link.prev->next = &h->link;
    h->link.next->prev = &h->link;
}

/* ---- Available memory ---- */

/* Whether the call may have this much more. */
static bool is_allowed(tsr_limits *l, size_t more)
{
    bool most = more > PTRDIFF_MAX / 2;
    int64_t sum = (l ? l->bytes : 0) + (most ? 0 : (int64_t)more);
    bool refused =
        l && l->budget.max_bytes && (most || (sum > 0 && (uint64_t)sum > l->budget.max_bytes));
    if (refused)
        l->refused = true; /* never cleared here: smaller requests of other threads may succeed */
    return !most && !refused;
}

/* Whether this much more may be allocated. The kernel overcommits and kills the process that uses more than there is,
 * so the available memory is checked first: when the call has grown by an eighth of it, and for each large block. */
static bool is_affordable(tsr_limits *l, size_t more)
{
    enum { LARGE = 1 << 24 };
    if (!is_allowed(l, more))
        return false;
    int64_t sum = (l ? l->bytes : 0) + (int64_t)more;
    if (more < LARGE && (!l || sum < l->look_at + LARGE))
        return true;
    int64_t left = tsr_memory_left();
    if (left <= (int64_t)more && tsr_spare_drop(release))
        left = tsr_memory_left();
    if (l)
        l->look_at = sum + (left - (int64_t)more) / 8;
    return left > (int64_t)more;
}

/* Memory for a block of this many bytes and its header; NULL if there is none. */
static char *find_memory(tsr_limits *l, size_t bytes, size_t align)
{
    size_t whole = align ? whole_of(bytes) : sizeof(header) + (bytes ? bytes : 1);
    bool kept = align && bytes < PTRDIFF_MAX / 2 && is_kept(whole);
    lock_list(l);
    char *base = kept && is_allowed(l, bytes) ? tsr_spare_take(whole) : NULL;
    bool ok = base || is_affordable(l, bytes);
    unlock_list(l);
    if (base || !ok)
        return base;
    base = obtain(NULL, whole);
    if (!base && kept && tsr_spare_drop(release))
        base = obtain(NULL, whole);
    if (base && allocator == system_alloc)
        ask_for_huge_pages(base, whole);
    return base;
}

static header *allocate(size_t bytes, size_t align)
{
    tsr_limits *l = limits_now();
    char *base = find_memory(l, bytes, align);
    if (!base)
        return NULL;
    size_t offset = align ? align - ((uintptr_t)base + sizeof(header)) % align : 0;
    header *h = (header *)(base + offset);
    h->size = bytes;
    h->offset = (uint32_t)offset;
    h->magic = MAGIC;
    h->link = (tsr_link){&h->link, &h->link};
    if (l) {
        lock_list(l);
        insert(l, h);
        unlock_list(l);
    }
    return h;
}

void *tsr_malloc(size_t bytes)
{
    header *h = allocate(bytes, 0);
    return h ? h + 1 : NULL;
}

void *tsr_malloc_aligned(size_t bytes)
{
    header *h = allocate(bytes, ALIGN);
    return h ? h + 1 : NULL;
}

static tsr_end_fn **end_of(header *h)
{
    return (tsr_end_fn **)((char *)(h + 1) + h->size) - 1;
}

void *tsr_malloc_ended(size_t bytes, tsr_end_fn *end)
{
    const size_t word = sizeof end;
    header *h = allocate((bytes + 2 * word - 1) / word * word, 0);
    if (!h)
        return NULL;
    h->magic = ENDED;
    *end_of(h) = end;
    return h + 1;
}

void *tsr_calloc(size_t n, size_t bytes)
{
    if (bytes && n > SIZE_MAX / 2 / bytes)
        return NULL;
    void *p = tsr_malloc(n * bytes);
    return p ? memset(p, 0, n * bytes) : NULL;
}

/* Other threads use the list, so the block is removed while it may move. */
void *tsr_realloc(void *old, size_t bytes)
{
    if (!old)
        return tsr_malloc(bytes);
    header *h = header_of(old);
    tsr_limits *l = limits_now();
    tsr_assert(!h->offset && h->magic == MAGIC,
               "an aligned block, or one with an end, does not grow");
    lock_list(l);
    bool listed = is_listed(h), ok = is_affordable(l, bytes > h->size ? bytes - h->size : 0);
    take_out(l, h);
    unlock_list(l);
    header *moved = ok ? obtain(h, sizeof(header) + (bytes ? bytes : 1)) : NULL;
    if (moved) {
        h = moved;
        h->size = bytes;
        mend(h, false);
    }
    if (listed) {
        lock_list(l);
        insert(l, h);
        unlock_list(l);
    }
    return moved ? h + 1 : NULL;
}

/* For a block that is in no list. */
static void give_back(header *h)
{
    char *base = (char *)h - h->offset;
    size_t whole = h->offset ? whole_of(h->size) : 0;
    if (h->magic == ENDED)
        (*end_of(h))(h + 1);
    h->magic = 0;
    if (!is_kept(whole) || !tsr_spare_give(base, whole, most_kept(), release))
        obtain(base, 0);
}

void tsr_free(void *data)
{
    if (!data)
        return;
    header *h = header_of(data);
    tsr_limits *l = limits_now();
    lock_list(l);
    take_out(l, h);
    unlock_list(l);
    give_back(h);
}

tsr_reason tsr_memory_reason(void)
{
    tsr_reason r = {""};
    tsr_limits *l = limits_now();
    lock_list(l);
    bool refused = l && l->refused;
    unlock_list(l);
    if (refused)
        snprintf(r.text, sizeof r.text,
                 ": it needs more bytes of memory than it is allowed (--max-bytes=%llu)",
                 (unsigned long long)l->budget.max_bytes);
    return r;
}

static TSR_NORETURN void no_memory(size_t bytes)
{
    tsr_reason why = tsr_memory_reason();
    if (why.text[0])
        tsr_stop(TSR_ENVIRONMENT, "stopped%s", why.text);
    tsr_stop(TSR_ENVIRONMENT, "out of memory (%zu bytes)", bytes);
}

/* Compiler data is allocated all the time, in every kind of loop: a good place to check for the end of a call. */
void *tsr_xmalloc(size_t bytes)
{
    tsr_tick();
    void *p = tsr_malloc(bytes);
    if (TSR_UNLIKELY(!p))
        no_memory(bytes);
    return p;
}

void *tsr_xrealloc(void *old, size_t bytes)
{
    tsr_tick();
    void *p = tsr_realloc(old, bytes);
    if (TSR_UNLIKELY(!p))
        no_memory(bytes);
    return p;
}

/* ---- Lists as a whole ---- */

void tsr_keep(const void *data)
{
    if (!data)
        return;
    tsr_limits *l = limits_now();
    lock_list(l);
    take_out(l, header_of(data));
    unlock_list(l);
}

void tsr_adopt(const void *data)
{
    tsr_limits *l = limits_now();
    header *h = header_of(data);
    if (!l)
        return;
    lock_list(l);
    if (!is_listed(h))
        insert(l, h);
    unlock_list(l);
}

void tsr_release_blocks(tsr_link *list)
{
    while (list->next != list)
        take_out(NULL, (header *)list->next);
}

void tsr_free_blocks(tsr_link *list)
{
    while (list->next != list) {
        header *h = (header *)list->next;
        take_out(NULL, h);
        give_back(h);
    }
}

/* ---- The machine ---- */

static bool read_number(const char *path, const char *format, int64_t *out)
{
    FILE *f = fopen(path, "r");
    char line[256];
    unsigned long long n;
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f))
        found = sscanf(line, format, &n) == 1;
    if (f)
        fclose(f);
    if (found)
        *out = n > INT64_MAX ? INT64_MAX : (int64_t)n;
    return found;
}

/* What a control group has left: its limit minus its usage, not counting file pages, which the kernel can reclaim. */
static void lower(int64_t *left, int64_t limit, int64_t used, const char *stat)
{
    int64_t active = 0, inactive = 0;
    if (read_number(stat, "active_file %llu", &active) &&
        read_number(stat, "inactive_file %llu", &inactive))
        used -= active + inactive;
    int64_t here = limit > used ? limit - used : 0;
    if (here < *left)
        *left = here;
}

/* The process's control group and its parents, each with its limit: version 2 in one tree, version 1 in a separate tree
 * for memory. In a container the tree begins with the process's own group, whatever /proc calls it. */
static void look_at_groups(int64_t *left, const char *root, const char *tree,
                           const char *limit_name, const char *used_name, char *group)
{
    char path[1024];
    for (;;) {
        int64_t limit, used;
        snprintf(path, sizeof path, "%s%s%s/%s", root, tree, group, limit_name);
        bool known = read_number(path, "%llu", &limit);
        snprintf(path, sizeof path, "%s%s%s/%s", root, tree, group, used_name);
        if (known && read_number(path, "%llu", &used)) {
            snprintf(path, sizeof path, "%s%s%s/memory.stat", root, tree, group);
            lower(left, limit, used, path);
        }
        char *slash = strrchr(group, '/');
        if (!slash)
            return;
        *slash = 0;
    }
}

int64_t tsr_memory_left_in(const char *root)
{
    int64_t left = INT64_MAX, kib;
    char path[1024], line[512], *group;
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    if (read_number(path, "MemAvailable: %llu", &kib) && kib < INT64_MAX / 1024)
        left = kib * 1024;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        char *names = strchr(line, ':');
        if (!names || !(group = strchr(names + 1, ':')))
            continue;
        *group++ = 0;
        if (strcmp(group, "/") == 0)
            *group = 0;
        if (!names[1])
            look_at_groups(&left, root, "/sys/fs/cgroup", "memory.max", "memory.current", group);
        else if (strstr(names, "memory"))
            look_at_groups(&left, root, "/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                           "memory.usage_in_bytes", group);
    }
    if (f)
        fclose(f);
    return left;
}

int64_t tsr_memory_left(void)
{
    return tsr_memory_left_in("");
}
