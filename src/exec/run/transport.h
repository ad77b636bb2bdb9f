/* SPDX-License-Identifier: Apache-2.0 */
/* transport.h - opens the transport between the ranks of a job (base/transport.h). Threads of one process need none. */
#ifndef TSR_EXEC_TRANSPORT_H
#define TSR_EXEC_TRANSPORT_H

#include "base/status.h"
#include "base/transport.h"

/* Opens the plug-in of this name ("mpi"), once per process: the file that TESSERA_MPI names, or tessera_mpi.so next to
 * the program, in its lib directory, or in the system's search path. NULL: see status. */
tsr_transport *tsr_transport_open(const char *name, tsr_status *status);

#endif
