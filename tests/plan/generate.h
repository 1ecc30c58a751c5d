/* Random small pairs whose pixel programs have a few movable lanes. */
#ifndef FPMOVE_TESTS_GENERATE_H
#define FPMOVE_TESTS_GENERATE_H

#include "lang/ir.h"

enum { GEN_TEMPS = 6, GEN_INPUTS = 3 };

struct gen {
	uint64_t state;
	struct text vs, ps;
	lanes input[GEN_INPUTS], temp[GEN_TEMPS]; /* readable lanes */
	lanes fetched[GEN_TEMPS], fixed[GEN_TEMPS]; /* pixel lanes and constant lanes among them */
	unsigned inputs, consts;
	bool colour;
	int port_t, port_c; /* registers that the instruction reads already, or -1 */
};

void generate(struct gen *, struct arena *, uint64_t seed);
unsigned below(struct gen *, unsigned n);

#endif
