#include "growth.h"
#include <string.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    counter by = BY_TIME;
    const shape *s = NULL;
    for (int i = 0; i < nshapes; i++) if (!strcmp(shapes[i].name, argv[1])) s = &shapes[i];
    if (argc > 4) { s->write(stdout, s->n * atol(argv[2])); return 0; }
    return measure(s, by, s->n * atol(argv[2]), argc > 3 ? argv[3] : "");
}
