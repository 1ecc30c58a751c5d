/* libfpmove: move work from Direct3D 9 pixel programs to their vertex programs. */
#ifndef FPMOVE_H
#define FPMOVE_H
#define FPMOVE_VERSION "0.1.0"
#endif
