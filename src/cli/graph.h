/* Finds the dataflow of a pixel program as edges, for --dot and --html. */
#ifndef FPMOVE_CLI_GRAPH_H
#define FPMOVE_CLI_GRAPH_H

#include "pipeline.h"

enum { GRAPH_REGISTER = -1 };

struct graph_edge {
	int from;      /* instruction that wrote the lanes, or GRAPH_REGISTER if they come from an input or constant register */
	uint32_t to;   /* instruction that reads the lanes */
	uint8_t file;  /* enum reg_file */
	int index;
	lanes carried; /* lanes of that register */
	lanes into;    /* lanes that `to` computes from the carried lanes; 0 if it writes no register */
	bool cut;      /* true if the edge leads from a moved value to an instruction that stays: an interpolator now carries the value */
};

struct graph {
	VEC(struct graph_edge);
};

/* A block of flow control: an if or an else (without what follows the endif), a rep, a loop or a subroutine. */
struct graph_frame {
	uint32_t first, last; /* instructions that open and close it; an else closes one frame and opens another */
};

struct graph_frames {
	VEC(struct graph_frame);
};

/* Returns the edges of the given pixel program, from instructions, inputs and constants to the instructions that read them.  With `by_lane`,
 * each lane that a reader writes has edges of its own.  A lane that several instructions may have written has one edge from each; in a loop the
 * writer may stand behind the reader. */
struct graph graph_find(struct arena *, const struct run *, bool by_lane);

/* Returns the frames (blocks of flow control) of a pixel program, in the order in which they open. */
struct graph_frames graph_frames_find(struct arena *, const struct program *);

#endif
