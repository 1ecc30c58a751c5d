/* The class of a value, constant, affine or pixel, which decides whether it may move: see class.c. */
#ifndef FPMOVE_MOVE_GRAPH_CLASS_H
#define FPMOVE_MOVE_GRAPH_CLASS_H

#include "move/graph/evaluate.h"

enum value_class { VALUE_CONST, VALUE_AFFINE, VALUE_PIXEL };

/* Numbers the lanes of the FP at hand, each by its class; a pixel value equals no other. */
extern const struct domain value_numbers;

#endif
