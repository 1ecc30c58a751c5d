; what the vertex program's inputs are called: "it's"
#define POSITION v0
#define UV v1
