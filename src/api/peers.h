/* SPDX-License-Identifier: Apache-2.0 */
/* peers.h - runs on devices of several processes (tessera.h: tsr_peers), for the calls that run executables. */
#ifndef TSR_API_PEERS_H
#define TSR_API_PEERS_H

#include "eval/remote.h"

/* joint may be NULL in all of them: a run of this process. */
struct tsr_remote *tsr_joint_remote(const tsr_joint_run *joint);
/* Whether this process has a device. */
bool tsr_joint_has(const tsr_joint_run *joint, size_t device);
/* Around a run; end may be called without begin. Both return whether it is good, end with the reason of others. */
bool tsr_joint_begin(const tsr_joint_run *joint, size_t ndevices, bool compiled,
                     tsr_status *status);
bool tsr_joint_end(const tsr_joint_run *joint, bool ok, tsr_status *status);

#endif
