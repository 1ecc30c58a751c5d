/* The dataflow of a pixel program as edges, for --dot and --html. */
#ifndef FPMOVE_CLI_GRAPH_H
#define FPMOVE_CLI_GRAPH_H

#include "pipeline.h"

enum { GRAPH_REGISTER = -1 };

struct graph_edge {
	int from;      /* instruction that wrote the lanes; GRAPH_REGISTER: they come from `file` */
	uint32_t to;   /* instruction that reads them */
	uint8_t file;  /* enum reg_file */
	int index;
	lanes carried; /* lanes of that register */
	lanes into;    /* lanes of the reader that are made of them; 0 where it writes none */
	bool cut;      /* from what has moved to what has not: an interpolator brings it now */
};

struct graph {
	VEC(struct graph_edge);
};

/* An if or else without what follows it, a rep, a loop or a subroutine: all that its first instruction decides. */
struct graph_frame {
	uint32_t first, last; /* instruction that opens it, instruction that closes it: an else closes one and opens another */
};

struct graph_frames {
	VEC(struct graph_frame);
};

/* `by_lane`: what each lane of a reader is made of is an edge of its own.  A lane that several instructions may have written has an edge
 * from each; in a loop the writer may stand behind the reader. */
struct graph graph_find(struct arena *, const struct run *, bool by_lane);

/* Finds the frames of a pixel program, in the order in which they open. */
struct graph_frames graph_frames_find(struct arena *, const struct program *);

#endif
