/* SPDX-License-Identifier: Apache-2.0 */
/* threads.h - one pool of threads per process, which runs a loop over chunks on all cores.
 *
 * Chunks are numbered. The caller divides work by shapes alone, never by the number of threads, and combines partial
 * results in the order of chunks, so that results have the same bits with any number of threads. Threads are created at
 * the first call with more than one chunk. Idle threads spin for some microseconds, then sleep. They are not bound to
 * cores: if another process takes a core, that delays one chunk, not the whole call. */
#ifndef TSR_BASE_THREADS_H
#define TSR_BASE_THREADS_H

#include "base/compiler.h"

enum { TSR_MOST_THREADS = 256 };

/* Calls body(ctx, chunk, worker) for each chunk from 0 to chunks - 1, in any order, on several threads; returns when
 * all are done. worker < tsr_pool_size() as it was before the call; chunks that run at the same time have different
 * workers. The caller works too (as worker 0).
 *
 * Inside a body, and while another thread uses the pool, the calling thread runs all chunks itself, in order, as worker
 * 0. The threads run in the scope of the caller (base/scope.h): memory of bodies belongs to the call and its limits
 * apply. When a stop leaves one body, the others finish their chunks and the stop continues in the caller. */
void tsr_pool_for(int64_t chunks, void (*body)(void *ctx, int64_t chunk, int worker), void *ctx);

/* How many threads may work on a loop, including the caller. Initially TESSERA_THREADS, or one for each core that the
 * process may use (by its affinity and control groups). Fewer if threads cannot be created. */
int tsr_pool_size(void);
/* Sets the number; 0: one for each core. Applies to later calls. */
void tsr_pool_limit(int threads);
/* Sets a callback that receives each helper's share of a loop: when it began and ended (tsr_seconds). It is called on
 * the helper's thread, in its scope. NULL: no callback. Must not be called while a loop runs. */
void tsr_pool_watch(void (*watch)(void *user, int worker, double start, double end), void *user);
/* Whether this thread is in a body: nested loops run on it alone. */
bool tsr_pool_is_busy(void);
/* Cores that the process may use, at least 1; root: of the file system, for tests ("" for the real one). */
int tsr_cores_in(const char *root);

#endif
