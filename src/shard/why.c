#include "shard/why.h"
tsr_why_step *tsr_why_before(tsr_why *why, tsr_engine *e, tsr_op *op, const tsr_site *site,
                             const tsr_projection *p, const tsr_mesh *mesh)
{
    (void)why, (void)e, (void)op, (void)site, (void)p, (void)mesh;
    return NULL;
}
void tsr_why_after(tsr_why *why, tsr_why_step *step, const tsr_projection *p, bool any)
{
    (void)why, (void)step, (void)p, (void)any;
}
