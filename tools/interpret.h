/* interpret.h - running modules as stablehlo-translate does. */
#ifndef TSR_TOOLS_INTERPRET_H
#define TSR_TOOLS_INTERPRET_H

#include "tools.h"

typedef struct {
    file_options file;
    const char *args;           /* [dense<1> : tensor<2xi32>, ...]; NULL: none */
    const char *probe_dir;      /* NULL: none */
    bool dense;                 /* results as dense attributes */
} interpret_options;

/* Exit code. */
int interpret_file(const tool *t, const interpret_options *o);

#endif
