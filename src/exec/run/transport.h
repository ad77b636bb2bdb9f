/* transport.h - opens what ranks of a job reach each other by (base/transport.h). Threads of one process need none. */
#ifndef TSR_EXEC_TRANSPORT_H
#define TSR_EXEC_TRANSPORT_H

#include "base/status.h"
#include "base/transport.h"

/* Opens the plug-in of this name ("mpi"), once in a process: the file that TESSERA_MPI names, or tessera_mpi.so beside the program, in its lib
 * folder, or where the system looks. NULL: a status. */
tsr_transport *tsr_transport_open(const char *name, tsr_status *status);

#endif
