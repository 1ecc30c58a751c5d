/* Sets constants as the application would, see constants.h. */
#include "d3d9/constants.h"

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

const char *constants_of_pair(struct arena *a, json_at pair, struct pair_constants *c)
{
	if (json_first(json_member(pair, "computed")))
		return "the report has constants that the application computes, which cannot be validated here";
	for (json_at at = json_first(json_member(pair, "constants")); at; at = json_next(at))
		add_pair_constant(a, c, json_unsigned(json_member(at, "vs")), json_unsigned(json_member(at, "ps")));
	return NULL;
}

bool constants_are_named(json_at pair)
{
	for (json_at at = json_first(json_member(pair, "constants")); at; at = json_next(at))
		if (json_member(at, "by_name"))
			return true;
	return false;
}

const char *constants_of_report(struct arena *a, const char *report, const char *vs, struct pair_constants *c)
{
	size_t size;
	const char *text = file_read(a, report, &size);
	json_at const pairs = text ? json_first(json_member(json_begin(text), "pairs")) : NULL;
	if (!pairs)
		return arena_printf(a, text ? "%s is no report of fpmove" : "%s cannot be read", report);
	if (!json_next(pairs))
		return constants_of_pair(a, pairs, c);
	for (json_at at = pairs; at; at = json_next(at)) {
		const char *file = json_text(a, json_member(json_member(at, "vs"), "file"));
		if (file && strcmp(file, vs) == 0)
			return constants_of_pair(a, at, c);
	}
	return arena_printf(a, "%s has no pair with the vertex program %s", report, vs);
}

/* ---- by their names -------------------------------------------------------------------- */

/* Sets a constant of a program's table.  Its values depend on its name, so a constant that two programs name gets the same values in
 * both. */
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

/* ---- by their registers ---------------------------------------------------------------- */

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
