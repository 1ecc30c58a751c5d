/* Stands in for parts of the tree that are not there yet. */
#include "lang/check.h"
#include "verify/verify.h"
#if !__has_include("lang/check.c")
void check_program(const struct program *p, const struct check_options *o, struct diags *d)
{
	(void)p, (void)o, (void)d;
}
const struct rule_info rules[RULES];
#endif
#if !__has_include("verify/prove.c")
struct proof prove(struct arena *a, struct pair old, struct pair new, const struct proof_context *c)
{
	(void)a, (void)old, (void)new, (void)c;
	return (struct proof){.equal = true};
}
#endif
