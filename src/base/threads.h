/* threads.h - one pool of threads for the process: a loop over chunks on all cores.
 *
 * Chunks are numbered; who asks cuts work by shapes alone, never by the number of threads, and joins partial results in the
 * order of chunks: then results have the same bits on any number of threads. Threads are made at the first call that has
 * more than one chunk. Idle ones look for work for some microseconds, then sleep. They are not bound to cores: a core
 * that another process takes delays one chunk, not the call. */
#ifndef TSR_BASE_THREADS_H
#define TSR_BASE_THREADS_H

#include "base/compiler.h"

enum { TSR_MOST_THREADS = 256 };

/* body(ctx, chunk, worker) for each chunk from 0 to chunks - 1, in any order, on several threads; returns when all are
 * done. worker < tsr_pool_size() as it was before the call: no two chunks that run at a time have the same. The caller works too (as worker 0).
 *
 * Inside a body, and while another thread uses the pool, the calling thread does all chunks itself, in order, as worker
 * 0. The threads run in the scope of the caller (base/scope.h): memory of bodies belongs to the call, limits hold, and
 * when one body is left by a stop, the others finish their chunks and the caller is left, too. */
void tsr_pool_for(int64_t chunks, void (*body)(void *ctx, int64_t chunk, int worker), void *ctx);

/* How many threads may work on a loop, the caller included. At first: TESSERA_THREADS, or one for each core that the process may use
 * (its affinity and its control groups say which). Where threads cannot be made, there are fewer. */
int tsr_pool_size(void);
/* Another number; 0: one for each core. Holds for calls that begin later. */
void tsr_pool_limit(int threads);
/* From now on, told of each share that a helper had in a loop: when it began and ended (tsr_seconds). Called on the helper's thread,
 * in its scope. NULL: nobody is told. Not while a loop runs. */
void tsr_pool_watch(void (*watch)(void *user, int worker, double start, double end), void *user);
/* Whether this thread is in a body: loops inside run on it alone. */
bool tsr_pool_is_busy(void);
/* Cores that the process may use, at least 1; root: of the file system, for tests ("" is the machine's). */
int tsr_cores_in(const char *root);

#endif
