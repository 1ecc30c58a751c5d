/* Sets constants as the application would, see constants.h. */
#include "d3d9/constants.h"

#include "cli/report_read.h"

#include <stdio.h>

static void add_pair_constant(struct arena *a, struct pair_constants *c, unsigned vs, unsigned ps)
{
	if (vs < SCENE_MAX_CONSTS && ps < SCENE_MAX_CONSTS)
		VEC_PUSH(a, c) = (struct pair_constant){vs, ps};
}

bool constants_parse(struct arena *a, const char *words, struct pair_constants *c)
{
	if (strcmp(words, "-") == 0)
		return true;
	while (*words) {
		size_t const n = strcspn(words, ",");
		unsigned vs, ps;
		int end = 0;
		if (n == 5 && strncmp(words, "names", n) == 0)
			c->by_name = true;
		else if (n == 6 && strncmp(words, "depths", n) == 0)
			c->depths = true;
		else if (sscanf(words, "v%u=p%u%n", &vs, &ps, &end) == 2 && (size_t)end == n)
			add_pair_constant(a, c, vs, ps);
		else
			return false;
		words += n + (words[n] == ',');
	}
	return true;
}

const char *constants_of_comments(struct arena *a, const char *text, struct pair_constants *c)
{
	static const char mark[] = "// fpmove: c";
	for (const char *at = text; at && (at = strstr(at, mark)); at += sizeof mark - 1) {
		unsigned vs, ps;
		int end = 0;
		if (sscanf(at, "// fpmove: c%u = ps c%u", &vs, &ps) == 2)
			add_pair_constant(a, c, vs, ps);
		else if (sscanf(at, "// fpmove: c%u.%*[xyzw] = def%n", &vs, &end) == 1 && end)
			return arena_printf(a, "c%u is computed by the application, which cannot be validated here", vs);
	}
	return NULL;
}

const char *constants_of_pair(struct arena *a, const json_t *pair, struct pair_constants *c)
{
	const json_t *list = json_object_get(pair, "constants");
	if (json_array_size(json_object_get(pair, "computed")))
		return "the report has constants that the application computes, which cannot be validated here";
	for (size_t k = 0; k < json_array_size(list); k++) {
		const json_t *entry = json_array_get(list, k);
		add_pair_constant(a, c, (unsigned)json_integer_value(json_object_get(entry, "vs")), (unsigned)json_integer_value(json_object_get(entry, "ps")));
	}
	return NULL;
}

bool constants_are_named(const json_t *pair)
{
	const json_t *list = json_object_get(pair, "constants");
	bool named = false;
	for (size_t k = 0; k < json_array_size(list); k++)
		named |= json_object_get(json_array_get(list, k), "by_name") != NULL;
	return named;
}

const char *constants_of_report(struct arena *a, const char *path, const char *vs, struct pair_constants *c)
{
	const char *why;
	json_t *report = report_read(a, path, &why);
	if (!report)
		return why;
	const json_t *pairs = json_object_get(report, "pairs"), *found = NULL;
	for (size_t k = json_array_size(pairs); k-- > 0;)
		if (json_array_size(pairs) == 1 || strcmp(report_pair_file(json_array_get(pairs, k), "vs"), vs) == 0)
			found = json_array_get(pairs, k);
	why = found ? constants_of_pair(a, found, c) : arena_printf(a, "%s has no pair with the vertex program %s", path, vs);
	json_decref(report);
	return why;
}

/* ---- setting constants by name --------------------------------------------------------- */

/* Sets a constant of a program's table, unless it is an integer, a bool or a sampler.  Its values depend on its name, so a constant that
 * two programs name gets the same values in both. */
static void set_named(const struct device *dev, const struct scene *scene, ID3DXConstantTable *table, D3DXHANDLE handle)
{
	D3DXCONSTANT_DESC about;
	UINT one = 1;
	float value[SCENE_MAX_CONSTS][4];
	unsigned hash = 0;
	if (FAILED(ID3DXConstantTable_GetConstantDesc(table, handle, &about, &one)) || about.RegisterSet != D3DXRS_FLOAT4)
		return;
	for (const char *c = about.Name; *c; c++)
		hash = hash * 31 + (unsigned char)*c;
	for (unsigned row = 0; row < SCENE_MAX_CONSTS; row++)
		for (unsigned lane = 0; lane < 4; lane++)
			value[row][lane] = scene_constant(scene, 1, hash % 97 + row, lane);
	/* Sets all elements, even if the program uses the first ones only. */
	if (about.Class == D3DXPC_MATRIX_ROWS || about.Class == D3DXPC_MATRIX_COLUMNS)
		ID3DXConstantTable_SetMatrix(table, dev->d3d, handle, (const D3DXMATRIX *)(const void *)value);
	else
		ID3DXConstantTable_SetVectorArray(table, dev->d3d, handle, (const D3DXVECTOR4 *)(const void *)value, about.Elements);
}

static void set_names(const struct device *dev, const struct runtime *r, const struct scene *scene, const struct code *code)
{
	ID3DXConstantTable *table;
	D3DXCONSTANTTABLE_DESC about;
	if (!code->whole || !r->constants || FAILED(r->constants((const DWORD *)(const void *)code->whole, &table)))
		return;
	if (SUCCEEDED(ID3DXConstantTable_GetDesc(table, &about)))
		for (UINT k = 0; k < about.Constants; k++)
			set_named(dev, scene, table, ID3DXConstantTable_GetConstant(table, NULL, k));
	ID3DXConstantTable_Release(table);
}

/* ---- setting constants by register ----------------------------------------------------- */

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static void set_registers(const struct device *dev, const struct scene *scene, const struct pair *p)
{
	float c[2][SCENE_MAX_CONSTS][4];
	for (unsigned stage = 0; stage < 2; stage++)
		for (unsigned reg = 0; reg < SCENE_MAX_CONSTS; reg++)
			for (unsigned lane = 0; lane < 4; lane++)
				c[stage][reg][lane] = scene_constant(scene, stage, reg, lane);
	for (uint32_t k = 0; k < p->constants.n; k++)
		memcpy(c[0][p->constants.at[k].vs], c[1][p->constants.at[k].ps], sizeof c[0][0]);
	bool const vs_1 = (p->vs.token[0] & 0xff00) == 0x100, ps_3 = (p->ps.token[0] & 0xff00) == 0x300;
	unsigned const most = dev->caps.MaxVertexShaderConst ? dev->caps.MaxVertexShaderConst : SCENE_MAX_CONSTS;
	IDirect3DDevice9_SetVertexShaderConstantF(dev->d3d, 0, c[0][0], least(vs_1 ? 96 : SCENE_MAX_CONSTS, most));
	IDirect3DDevice9_SetPixelShaderConstantF(dev->d3d, 0, c[1][0], ps_3 ? 224 : 32);
}

void constants_set(const struct device *dev, const struct runtime *r, const struct scene *scene, const struct pair *p)
{
	if (!p->constants.by_name) {
		set_registers(dev, scene, p);
		return;
	}
	set_names(dev, r, scene, &p->vs);
	set_names(dev, r, scene, &p->ps);
}
