/* interpret.h - running modules as stablehlo-translate does. */
#ifndef TSR_TOOLS_INTERPRET_H
#define TSR_TOOLS_INTERPRET_H

#include "tools.h"

typedef struct {
    const char *input, *output; /* "-": stdin, stdout */
    const char *split;          /* marker between chunks; NULL: the file is one */
    const char *args;           /* [dense<1> : tensor<2xi32>, ...]; NULL: none */
    const char *probe_dir;      /* NULL: none */
    bool dense;                 /* results as dense attributes */
    bool allow_unregistered, verify_diagnostics, only_expected;
} interpret_options;

/* Exit code. */
int interpret_file(const tool *t, const interpret_options *o);

#endif
