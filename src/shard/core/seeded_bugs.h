/* SPDX-License-Identifier: Apache-2.0 */
/* seeded_bugs.h - partitioner rules that are wrong on purpose, one at a time: tests/differential/bugs.sh builds them in
 * to prove that tests find them. */
#ifndef TSR_SHARD_CORE_SEEDED_BUGS_H
#define TSR_SHARD_CORE_SEEDED_BUGS_H

#ifdef TSR_SEEDED_BUGS
extern int tsr_seeded_bug;
#define TSR_BUG(n) (tsr_seeded_bug == (n))
#else
#define TSR_BUG(n) false
#endif

#endif
