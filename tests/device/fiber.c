/* SPDX-License-Identifier: Apache-2.0 */
/* fiber.c - see fiber.h. A switch saves the registers that a call keeps; sanitizers are told of it. */
#include "fiber.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#if TSR_FIBER_ADDRESSES
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#elif TSR_FIBER_THREADS
#include <sanitizer/tsan_interface.h>
#endif
#if !defined(__x86_64__) && !defined(__aarch64__)
#include <ucontext.h>
#endif

#if TSR_FIBER_ADDRESSES
enum { STACK = 256 << 10, GUARD = 4096 };
#else
enum { STACK = 64 << 10, GUARD = 4096 };
#endif

struct tsr_fiber {
    char *memory; /* a page that nobody may touch, and the stack */
    void (*body)(void);
#if defined(__x86_64__) || defined(__aarch64__)
    void *sp;
#else
    ucontext_t context;
#endif
    void *fake;   /* AddressSanitizer's frames of it */
    void *thread; /* ThreadSanitizer's */
};

static tsr_fiber *current;
static tsr_fiber outside; /* who entered */
#if TSR_FIBER_ADDRESSES
static const void *outside_stack;
static size_t outside_size;
#endif

#if defined(__x86_64__)
void tsr_fiber_switch(void **save, void *to);
__asm__(
    ".text\n.globl tsr_fiber_switch\n.hidden tsr_fiber_switch\n.type tsr_fiber_switch,@function\n"
    "tsr_fiber_switch:\n"
    "push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"
    "mov %rsp,(%rdi)\nmov %rsi,%rsp\n"
    "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\nret\n"
    ".size tsr_fiber_switch,.-tsr_fiber_switch\n");
enum { SAVED = 6, RETURN = 6 }; /* words below the address that ret takes; where that address is */
#elif defined(__aarch64__)
void tsr_fiber_switch(void **save, void *to);
__asm__(
    ".text\n.globl tsr_fiber_switch\n.hidden tsr_fiber_switch\n.type tsr_fiber_switch,%function\n"
    "tsr_fiber_switch:\n"
    "sub sp,sp,#160\n"
    "stp x19,x20,[sp]\nstp x21,x22,[sp,#16]\nstp x23,x24,[sp,#32]\nstp x25,x26,[sp,#48]\n"
    "stp x27,x28,[sp,#64]\nstp x29,x30,[sp,#80]\nstp d8,d9,[sp,#96]\nstp d10,d11,[sp,#112]\n"
    "stp d12,d13,[sp,#128]\nstp d14,d15,[sp,#144]\n"
    "mov x9,sp\nstr x9,[x0]\nmov sp,x1\n"
    "ldp x19,x20,[sp]\nldp x21,x22,[sp,#16]\nldp x23,x24,[sp,#32]\nldp x25,x26,[sp,#48]\n"
    "ldp x27,x28,[sp,#64]\nldp x29,x30,[sp,#80]\nldp d8,d9,[sp,#96]\nldp d10,d11,[sp,#112]\n"
    "ldp d12,d13,[sp,#128]\nldp d14,d15,[sp,#144]\n"
    "add sp,sp,#160\nret\n"
    ".size tsr_fiber_switch,.-tsr_fiber_switch\n");
enum { SAVED = 20, RETURN = 11 };
#endif

static void before_switch(tsr_fiber *from, tsr_fiber *to)
{
    (void)from, (void)to;
#if TSR_FIBER_ADDRESSES
    bool out = to == &outside;
    __sanitizer_start_switch_fiber(&from->fake, out ? outside_stack : to->memory + GUARD,
                                   out ? outside_size : STACK);
#elif TSR_FIBER_THREADS
    __tsan_switch_to_fiber(to->thread, 0);
#endif
}

static void after_switch(tsr_fiber *self)
{
    (void)self;
#if TSR_FIBER_ADDRESSES
    const void *stack;
    size_t size;
    __sanitizer_finish_switch_fiber(self->fake, &stack, &size);
    if (self != &outside)
        outside_stack = stack, outside_size = size;
#endif
}

static void begin(void)
{
    after_switch(current);
    current->body();
    abort();
}

static void change(tsr_fiber *from, tsr_fiber *to)
{
    before_switch(from, to);
#if defined(__x86_64__) || defined(__aarch64__)
    tsr_fiber_switch(&from->sp, to->sp);
#else
    swapcontext(&from->context, &to->context);
#endif
    after_switch(from);
}

tsr_fiber *tsr_fiber_new(void (*body)(void))
{
    tsr_fiber *f = calloc(1, sizeof *f);
    char *at = mmap(NULL, GUARD + STACK, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!f || at == MAP_FAILED) {
        free(f);
        return NULL;
    }
    mprotect(at, GUARD, PROT_NONE);
    f->memory = at;
    f->body = body;
#if defined(__x86_64__) || defined(__aarch64__)
    uint64_t *top = (uint64_t *)(at + GUARD + STACK - 64) - (SAVED == 6 ? 8 : SAVED);
    top[RETURN] = (uint64_t)(uintptr_t)begin;
    f->sp = top;
#else
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = at + GUARD;
    f->context.uc_stack.ss_size = STACK;
    makecontext(&f->context, begin, 0);
#endif
#if TSR_FIBER_THREADS
    f->thread = __tsan_create_fiber(0);
#endif
    return f;
}

void tsr_fiber_free(tsr_fiber *f)
{
    if (!f)
        return;
#if TSR_FIBER_THREADS
    __tsan_destroy_fiber(f->thread);
#endif
    tsr_fiber_unpoison(f->memory + GUARD, STACK);
    munmap(f->memory, GUARD + STACK);
    free(f);
}

void tsr_fiber_enter(tsr_fiber *f)
{
#if TSR_FIBER_THREADS
    outside.thread = __tsan_get_current_fiber();
#endif
    current = f;
    change(&outside, f);
}

void tsr_fiber_leave(void)
{
    change(current, &outside);
}

void tsr_fiber_poison(const void *at, size_t n)
{
    (void)at, (void)n;
#if TSR_FIBER_ADDRESSES
    __asan_poison_memory_region(at, n);
#endif
}

void tsr_fiber_unpoison(const void *at, size_t n)
{
    (void)at, (void)n;
#if TSR_FIBER_ADDRESSES
    __asan_unpoison_memory_region(at, n);
#endif
}
