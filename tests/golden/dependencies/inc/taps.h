#define OFFSET c4.y
