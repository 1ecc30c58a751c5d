#define WORLD 4
#define POS v0
#define ROW(n) c[WORLD+n]
#ifndef NEVER
#define OUT oT0.xy
#endif
vs_1_1
dcl_position POS
dcl_texcoord v1
#if WORLD > 3
dp4 oPos.x, POS, ROW(0)
dp4 oPos.y, POS, ROW(1)
dp4 oPos.z, POS, \
    ROW(2)
dp4 oPos.w, POS, ROW(3)
#else
mov oPos, POS
#endif
mov OUT, v1
