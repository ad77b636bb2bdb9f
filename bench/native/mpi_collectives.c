/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_collectives.c - times of MPI's own collectives, for bench/mpi.py: the best of RUNS, in seconds. Arguments: bytes that a rank gives, ... */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    enum { RUNS = 15 };
    static const char *const names[] = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all"};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int a = 1; a < argc; a++) {
        size_t n = (size_t)atoll(argv[a]) / sizeof(float);
        float *in = malloc(n * sizeof *in), *out = malloc(n * (size_t)size * sizeof *out);
        for (size_t i = 0; i < n; i++)
            in[i] = (float)i;
        memset(out, 0, n * (size_t)size * sizeof *out);
        for (int k = 0; k < 4; k++) {
            double best = 1e9;
            int whole = (int)n, part = (int)(n / (size_t)size);
            for (int i = 0; i < RUNS; i++) {
                MPI_Barrier(MPI_COMM_WORLD);
                double start = MPI_Wtime();
                if (k == 0)
                    MPI_Allreduce(in, out, whole, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
                else if (k == 1)
                    MPI_Allgather(in, whole, MPI_FLOAT, out, whole, MPI_FLOAT, MPI_COMM_WORLD);
                else if (k == 2)
                    MPI_Reduce_scatter_block(in, out, part, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
                else
                    MPI_Alltoall(in, part, MPI_FLOAT, out, part, MPI_FLOAT, MPI_COMM_WORLD);
                double took = MPI_Wtime() - start;
                best = took < best ? took : best;
            }
            if (rank == 0)
                printf("%s %zu %.9f\n", names[k], n * sizeof *in, best);
        }
        free(in);
        free(out);
    }
    MPI_Finalize();
    return 0;
}
