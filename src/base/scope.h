/* SPDX-License-Identifier: Apache-2.0 */
/* scope.h - the scope of a call: its memory, its limits, and where control goes when one is exceeded.
 *
 * Each function of the public API opens a scope (api/guard.h). Inside, every memory block is in the scope's list. When
 * memory or a limit runs out, tsr_stop leaves all frames at once by jumping to the scope's setjmp, and the blocks in
 * the list are freed: the frames in between need not know. Data that outlives the call (the context, an existing
 * module) is removed from the list first, with tsr_keep. Threads that a call starts share its list and its limits, and
 * have recovery points of their own (tsr_try). */
#ifndef TSR_BASE_SCOPE_H
#define TSR_BASE_SCOPE_H

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

#include "base/compiler.h"

/* Blocks of memory in a ring. */
typedef struct tsr_link {
    struct tsr_link *prev, *next;
} tsr_link;

/* State shared by all threads of one call. */
typedef struct {
    tsr_link blocks;
    int64_t bytes;   /* bytes in these blocks; with the lock held when threaded */
    int64_t look_at; /* at this size, the available memory is queried again */
    bool refused;    /* the last allocation failed because of the budget */
    bool threaded;
    pthread_mutex_t lock; /* of the above */
    tsr_budget budget;
    const atomic_bool *cancel; /* NULL: not cancellable */
    double deadline;           /* on the clock of tsr_seconds; 0: none */
    atomic_uint_least64_t steps, ops;
    atomic_uint_least64_t looks; /* how often the call was polled: for tests */
    atomic_bool stopped;         /* some thread was stopped: the others end too */
    tsr_status why;              /* of the first stop */
    uint64_t place;              /* where the program was at that point */
} tsr_limits;

/* A cleanup that runs when tsr_stop leaves the frame that holds it, such as closing a file. */
typedef struct tsr_cleanup {
    struct tsr_cleanup *next;
    void (*fn)(void *user);
    void *user;
} tsr_cleanup;

enum { TSR_MOST_LOCKS = 8 };

typedef struct tsr_scope {
    jmp_buf out;
    struct tsr_scope *outer;
    tsr_limits *limits, own;
    uint64_t place;       /* current position in the program: a tsr_loc, for the message */
    bool elsewhere;       /* ops that are counted are of another context: place stays */
    const char *lowest;   /* lowest address that the stack may grow to */
    uint32_t until_clock; /* steps until the clock is read again */
    uint64_t work;        /* since a kernel last read the clock */
    /* Called before an outermost scope is left: all frames still exist. limits says why. */
    void (*on_stop)(struct tsr_scope *s);
    void *user;
    tsr_cleanup *cleanups;
    pthread_mutex_t *locks[TSR_MOST_LOCKS]; /* held by this thread, oldest first */
    size_t nlock;
} tsr_scope;

/* Opens a scope; budget and cancel may be NULL. The caller sets s->out with setjmp right after. Inside another scope of
 * this thread it is not used: a stop goes to the outermost scope. True if it is the outermost. */
bool tsr_scope_open(tsr_scope *s, const tsr_budget *budget, const atomic_bool *cancel);
/* The call ends normally: its blocks are its results, and survive. */
void tsr_scope_close(tsr_scope *s);
/* After a stop: frees all blocks in the list, and closes the scope. */
void tsr_scope_sweep(tsr_scope *s);
/* The current scope of this thread; NULL outside of the library. */
tsr_scope *tsr_scope_now(void);
/* While user code runs: calls that it makes into the library have scopes of their own. */
tsr_scope *tsr_scope_suspend(void);
void tsr_scope_resume(tsr_scope *s);

/* Leaves the scope with a status. Aborts outside of any scope. */
TSR_NORETURN void tsr_stop(tsr_code code, const char *fmt, ...) TSR_PRINTF(2, 3);
/* Continues a stop that tsr_try caught in some thread. */
TSR_NORETURN void tsr_stop_again(void);
/* Calls fn; false if a stop left it. Its memory stays in the scope's list, and all threads of the call are about to
 * end: the caller cleans up its own state and calls tsr_stop_again. */
bool tsr_try(void (*fn)(void *user), void *user);
/* The same, running fn in a thread of the call that these limits belong to (NULL: there is no scope). */
bool tsr_try_thread(tsr_limits *limits, void (*fn)(void *user), void *user);

/* Locks that a stop releases. */
void tsr_lock(pthread_mutex_t *lock);
void tsr_unlock(pthread_mutex_t *lock);
void tsr_cleanup_push(tsr_cleanup *c, void (*fn)(void *user), void *user);
void tsr_cleanup_pop(tsr_cleanup *c); /* without running it */
/* Changes the limits of the current scope, before its work begins. */
void tsr_scope_set_budget(const tsr_budget *budget);
/* Replaces zeros by the defaults. */
void tsr_budget_defaults(tsr_budget *b);

/* ---- Limits ---- */

double tsr_seconds(void);
/* Memory that the machine and the process's control group have left; INT64_MAX if unknown. */
int64_t tsr_memory_left(void);
int64_t
tsr_memory_left_in(const char *root); /* the same with another root of the file system: for tests */
/* From here on, or no longer: ops that are counted are of another context than the call's, which could not read their
 * locations. A stop then names the position from before. */
void tsr_scope_elsewhere(bool elsewhere);
/* Counts one evaluated op, at this location. */
void tsr_count_step(uint64_t place);
/* Counts several evaluated ops, the last of them at this location. */
void tsr_count_steps(uint64_t place, uint64_t n);
/* Counts one created op. */
void tsr_count_op(uint64_t place);
/* Checks time and cancel, in long loops: each call reads the clock; tsr_tick does so only now and then. */
void tsr_poll(void);
void tsr_tick(void);
/* Counts iterations of a loop over elements, done or about to run, and checks the same after many of them. For kernels,
 * a single run of which may take as long as memory allows. */
void tsr_work(int64_t turns);
/* Stops when the stack is nearly used up; called at each level of a recursion. */
void tsr_check_stack(void);

#endif
