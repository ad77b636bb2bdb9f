/* scope.h - the way out of a call: its memory, its limits, and where to go when they end.
 *
 * Each function of the public API opens a scope (api/guard.h). Inside, every block of memory is in the scope's list. When
 * memory or a limit ends, tsr_stop leaves all frames at once, to the scope's setjmp, and what is in the list is freed: no
 * frame between has to know. What outlives the call (the context, a module that was there before) is taken out of the
 * list first, with tsr_keep. Threads that a call starts share its list and its limits, and have recovery points of their
 * own (tsr_try). */
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

/* What all threads of one call share. */
typedef struct {
    tsr_link blocks;
    int64_t bytes;   /* in these blocks; with the lock held when threaded */
    int64_t look_at; /* when there are as many, the machine is asked what it has left */
    bool refused;    /* the budget did not allow the last block that could not be had */
    bool threaded;
    pthread_mutex_t lock; /* of the above */
    tsr_budget budget;
    const atomic_bool *cancel; /* NULL: nobody can */
    double deadline;           /* on the clock of tsr_seconds; 0: none */
    atomic_uint_least64_t steps, ops;
    atomic_uint_least64_t looks; /* how often it was asked whether the call is to end: for tests */
    atomic_bool stopped;         /* some thread was: the others end, too */
    tsr_status why;              /* of the first */
    uint64_t place;              /* and where the program was then */
} tsr_limits;

/* A thing to be done when the frame that holds it is left by tsr_stop: a file to be closed. */
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
    uint64_t place;       /* where the program is: a tsr_loc, for the message */
    const char *lowest;   /* address that the stack may grow down to */
    uint32_t until_clock; /* steps until the clock is looked at */
    uint64_t work;        /* since it was looked at from a kernel */
    /* Called before an outermost scope is left: all frames are still there. limits says why. */
    void (*on_stop)(struct tsr_scope *s);
    void *user;
    tsr_cleanup *cleanups;
    pthread_mutex_t *locks[TSR_MOST_LOCKS]; /* that this thread holds, oldest first */
    size_t nlock;
} tsr_scope;

/* Opens a scope; budget and cancel may be NULL. The caller sets s->out with setjmp right after. Inside another scope of this thread it
 * is not used: what stops there leaves to the outermost. True: it is the outermost. */
bool tsr_scope_open(tsr_scope *s, const tsr_budget *budget, const atomic_bool *cancel);
/* The call ends well: its blocks are its results, and stay. */
void tsr_scope_close(tsr_scope *s);
/* After a stop: frees all blocks in the list, and closes the scope. */
void tsr_scope_sweep(tsr_scope *s);
/* The scope in which this thread runs; NULL outside of the library. */
tsr_scope *tsr_scope_now(void);
/* While user code runs: calls of the library that it makes are calls of their own. */
tsr_scope *tsr_scope_suspend(void);
void tsr_scope_resume(tsr_scope *s);

/* Leaves the scope with a status. Outside of any: aborts. */
TSR_NORETURN void tsr_stop(tsr_code code, const char *fmt, ...) TSR_PRINTF(2, 3);
/* Leaves again, after a stop that tsr_try caught in some thread. */
TSR_NORETURN void tsr_stop_again(void);
/* Calls fn; false when it was left by a stop. Its memory stays in the scope's list, and all threads of the call are about to
 * end: the caller puts its own things in order and calls tsr_stop_again. */
bool tsr_try(void (*fn)(void *user), void *user);
/* Runs fn in a thread of the call whose limits these are (NULL: there is no scope). The same otherwise. */
bool tsr_try_thread(tsr_limits *limits, void (*fn)(void *user), void *user);

/* Locks that a stop gives back. */
void tsr_lock(pthread_mutex_t *lock);
void tsr_unlock(pthread_mutex_t *lock);
void tsr_cleanup_push(tsr_cleanup *c, void (*fn)(void *user), void *user);
void tsr_cleanup_pop(tsr_cleanup *c); /* without doing it */
/* Other limits for the scope that runs, before its work begins. */
void tsr_scope_set_budget(const tsr_budget *budget);
/* Fills in what 0 stands for. */
void tsr_budget_defaults(tsr_budget *b);

/* ---- Limits ---- */

double tsr_seconds(void);
/* Memory that the machine and the process's control group have left; INT64_MAX where nobody says. */
int64_t tsr_memory_left(void);
int64_t
tsr_memory_left_in(const char *root); /* the same with another root of the file system: for tests */
/* One op is evaluated, at this place. */
void tsr_count_step(uint64_t place);
/* So many were, the last of them at this place. */
void tsr_count_steps(uint64_t place, uint64_t n);
/* One op is made. */
void tsr_count_op(uint64_t place);
/* Time and cancel, from loops that run long: each call looks at the clock; tsr_tick only now and then. */
void tsr_poll(void);
void tsr_tick(void);
/* A loop over elements has done so many turns, or is about to: when there were many, the same. For kernels, each run of which may
 * take as long as there is memory for. */
void tsr_work(int64_t turns);
/* Stops when the stack is nearly used up: each level of a recursion asks. */
void tsr_check_stack(void);

#endif
