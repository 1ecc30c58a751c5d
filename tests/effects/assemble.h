/* An assembler of compiled effects, which gives tests some of their own: a description in lines becomes bytes as fxc writes
 * them for its profile fx_2_0.
 *
 *	float4x3 g_world 1 0 0  0 1 0 ...    a parameter and its numbers: float to float4, floatRxC, int; NAME[N]: an array
 *	texture g_map                        a parameter for a texture
 *	sampler g_at g_map                   a sampler of it
 *	program NAME                         then assembly up to `end`, and in it lines
 *	//constant g_world c0 3              for its table of constants: a parameter, the first register, how many
 *	//preshader c4 g_scale 2             for its preshader: c4 = g_scale * 2
 *	shader vertex g_vs NAME NAME         a variable, of several programs an array
 *	technique NAME                       begins one, as does
 *	pass NAME
 *	vertex NAME                          the pass's program; pixel: the same
 *	vertex = g_vs                        it takes a variable
 *	vertex ? g_vs g_index                it chooses an element by a parameter
 *	vertex NULL
 *	state 13 1                           a state's operation and number
 *	sets 151 94 g_scale                  a state's operation that sets constants, the first of them, and a parameter
 *	wrap                                 XNA's token comes before it all
 *	xnb w 5                              all stands in a .xnb for that platform, of that version
 *
 * Sources as in src/lang/effect_binary.h. */
#ifndef FPMOVE_TESTS_EFFECTS_ASSEMBLE_H
#define FPMOVE_TESTS_EFFECTS_ASSEMBLE_H

#include "base/arena.h"

/* Returns the bytes.  A mistake in the description ends the process with a message. */
struct text effect_assemble(struct arena *, const char *description);

#endif
