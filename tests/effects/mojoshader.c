/* mojoshader FILE...: reads compiled effects by MojoShader.  Prints a line for each shader that it reads, with its number of
 * instructions, and one for each constant register that is not 0 when a pass is drawn, such as "FILE TECHNIQUE PASS vs c4 1 2 3 4".
 * The status is 1 if MojoShader cannot read a file or finds an error in a shader. */
#define MOJOSHADER_EFFECT_SUPPORT
#include <mojoshader/mojoshader.h>
#include <mojoshader/mojoshader_effects.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGISTERS = 256, LANES = 4 };
static float floats[2][REGISTERS * LANES];
static int ints[2][REGISTERS * LANES];
static unsigned char bools[2][REGISTERS];
static void *bound[2];
static bool wrong;

static void *compile_shader(const char *name, const unsigned char *bytes, const unsigned size, const MOJOSHADER_swizzle *swizzles,
                            const unsigned nswizzles, const MOJOSHADER_samplerMap *samplers, const unsigned nsamplers)
{
	const MOJOSHADER_parseData *p =
		MOJOSHADER_parse("glsl120", name, bytes, size, swizzles, nswizzles, samplers, nsamplers, NULL, NULL, NULL);
	for (int k = 0; k < p->error_count; k++) {
		fprintf(stderr, "byte %d: %s\n", p->errors[k].error_position, p->errors[k].error);
		wrong = true;
	}
	printf("%s %d\n", p->shader_type == MOJOSHADER_TYPE_VERTEX ? "vs" : "ps", p->instruction_count);
	return (void *)(size_t)p;
}

static void add_reference(void *shader)
{
	(void)shader;
}

static void delete_shader(void *shader)
{
	(void)shader;
}

static MOJOSHADER_parseData *parse_data(void *shader)
{
	return shader;
}

static void bind_shaders(void *vs, void *ps)
{
	bound[0] = vs;
	bound[1] = ps;
}

static void bound_shaders(void **vs, void **ps)
{
	*vs = bound[0];
	*ps = bound[1];
}

static void map_registers(float **vf, int **vi, unsigned char **vb, float **pf, int **pi, unsigned char **pb)
{
	*vf = floats[0], *vi = ints[0], *vb = bools[0];
	*pf = floats[1], *pi = ints[1], *pb = bools[1];
}

static void unmap_registers(void)
{
}

static const char *last_error(void)
{
	return "";
}

static void show_registers(const char *file, const char *technique, const char *pass)
{
	for (unsigned stage = 0; stage < 2; stage++) {
		for (unsigned c = 0; c < REGISTERS; c++) {
			const float *x = &floats[stage][c * LANES];
			if (x[0] != 0 || x[1] != 0 || x[2] != 0 || x[3] != 0)
				printf("%s %s %s %s c%u %.9g %.9g %.9g %.9g\n", file, technique ? technique : "", pass ? pass : "", stage ? "ps" : "vs", c,
				       (double)x[0], (double)x[1], (double)x[2], (double)x[3]);
		}
	}
}

static void draw(const char *file, MOJOSHADER_effect *e)
{
	MOJOSHADER_effectStateChanges changes = {0};
	for (int t = 0; t < e->technique_count; t++) {
		unsigned passes = 0;
		MOJOSHADER_effectSetTechnique(e, &e->techniques[t]);
		MOJOSHADER_effectBegin(e, &passes, 0, &changes);
		for (unsigned k = 0; k < passes; k++) {
			memset(floats, 0, sizeof floats);
			MOJOSHADER_effectBeginPass(e, k);
			MOJOSHADER_effectCommitChanges(e);
			show_registers(file, e->techniques[t].name, e->techniques[t].passes[k].name);
			MOJOSHADER_effectEndPass(e);
		}
		MOJOSHADER_effectEnd(e);
	}
}

int main(int argc, char **argv)
{
	static unsigned char bytes[1 << 20];
	const MOJOSHADER_effectShaderContext context = {
		compile_shader, add_reference, delete_shader, parse_data, bind_shaders, bound_shaders, map_registers, unmap_registers, last_error,
		NULL, NULL, NULL};
	for (int k = 1; k < argc; k++) {
		FILE *in = fopen(argv[k], "rb");
		size_t const n = in ? fread(bytes, 1, sizeof bytes, in) : 0;
		if (in)
			fclose(in);
		const char *base = strrchr(argv[k], '/');
		MOJOSHADER_effect *e = MOJOSHADER_compileEffect(bytes, (unsigned)n, NULL, 0, NULL, 0, &context);
		for (int j = 0; e && j < e->error_count; j++)
			fprintf(stderr, "%s: byte %d: %s\n", argv[k], e->errors[j].error_position, e->errors[j].error);
		wrong |= !e || e->error_count;
		if (e && !e->error_count)
			draw(base ? base + 1 : argv[k], e);
	}
	return wrong;
}
