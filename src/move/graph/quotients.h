/* Quotients of what is proportional: exact as long as both parts are made of one number, noise near 0 once each has its own. */
#ifndef FPMOVE_MOVE_GRAPH_QUOTIENTS_H
#define FPMOVE_MOVE_GRAPH_QUOTIENTS_H

#include "lang/ir.h"

/* Marks as tied the parts of such quotients in the program at hand. */
struct values;
void quotients_tie(struct values *);

#endif
