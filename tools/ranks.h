/* ranks.h - one command on the ranks of a job: what they print, how they end, and who tells of a rank that is gone. */
#ifndef TSR_TOOLS_RANKS_H
#define TSR_TOOLS_RANKS_H

#include "eval/remote.h"
#include "tools.h"

typedef struct ranks ranks;

/* Opens the transport of this name before anything is printed: from here on what ranks print is kept, and the first one prints it. NULL: code. */
ranks *ranks_open(const tool *t, const char *transport, int *code);
int ranks_rank(const ranks *r);
int ranks_size(const ranks *r);
tsr_remote *ranks_remote(const ranks *r);

/* All ranks come here with the exit code that they have so far; the first one prints what they printed. The code for all: 0 when it is 0 on all. */
int ranks_agree(ranks *r, int code);
/* The same, the last time; the job is over. r may be NULL. */
int ranks_close(ranks *r, int code);

#endif
