out/vp.vsh out/fp.psh: vp.vsh fp.psh inc/taps.h
