/* SPDX-License-Identifier: Apache-2.0 */
/* failing.c - the tool with an allocator that fails, for one rank of a job: tests/mpi/memory.sh.
 *
 * TESSERA_TEST_FAIL=rank:n fails the n-th allocation of a rank (TESSERA_TEST_RANK says which this is), rank:-n all from it on. Into the file TESSERA_TEST_HEAP goes, for each
 * rank that comes to its end: rank, allocations, exit code, blocks that were not given back. */
#include <stdio.h>
#include <stdlib.h>

#include <tessera/tessera.h>

#include "../heap.h"

int tool_main(int argc, char **argv);

static int number_of(const char *variable, long *second)
{
    int first = -1;
    const char *text = getenv(variable);
    return text && sscanf(text, "%d:%ld", &first, second) == 2 ? first : -1;
}

int main(int argc, char **argv)
{
    long size = 0, n = 0;
    int rank = number_of("TESSERA_TEST_RANK", &size), failing = number_of("TESSERA_TEST_FAIL", &n);
    const char *path = getenv("TESSERA_TEST_HEAP");
    tsr_set_allocator(allocate, NULL);
    fail_from(failing == rank ? labs(n) : 0, n < 0);
    int code = tool_main(argc, argv);
    FILE *f = path ? fopen(path, "a") : NULL;
    if (f) {
        fprintf(f, "%d %ld %d %ld\n", rank, heap.calls, code, heap.live);
        fclose(f);
    }
    return code;
}
