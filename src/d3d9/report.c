/* Functions that the modes of fpmove-d3d9 share, see modes.h; report.schema.json describes the JSON. */
#include "d3d9/modes.h"

#include "cli/files.h"
#include "fpmove.h"

static json_t *device_json(struct arena *a, const struct device *dev)
{
	const D3DADAPTER_IDENTIFIER9 *adapter = &dev->adapter;
	/* The driver's version has four parts of 16 bits. */
	DWORD const high = (DWORD)adapter->DriverVersion.HighPart, low = adapter->DriverVersion.LowPart;
	DWORD const vs = dev->caps.VertexShaderVersion, ps = dev->caps.PixelShaderVersion;
	const char *driver = arena_printf(a, "%u.%u.%u.%u", (unsigned)(high >> 16), (unsigned)(high & 0xffff), (unsigned)(low >> 16),
	                                  (unsigned)(low & 0xffff));
	return json_pack("{s:o,s:o,s:s,s:I,s:I,s:s,s:s,s:b}", "adapter", report_string(a, adapter->Description), "driver",
	                 report_string(a, adapter->Driver), "driver_version", driver, "vendor", (json_int_t)adapter->VendorId, "chip",
	                 (json_int_t)adapter->DeviceId, "vs", arena_printf(a, "%u.%u", (unsigned)(vs >> 8 & 0xff), (unsigned)(vs & 0xff)), "ps",
	                 arena_printf(a, "%u.%u", (unsigned)(ps >> 8 & 0xff), (unsigned)(ps & 0xff)), "software_vertices", dev->software_vertices);
}

json_t *report_head(struct arena *a, const struct runtime *r, const struct device *dev)
{
	return json_pack("{s:s,s:i,s:o*,s:o*,s:o*}", "fpmove", FPMOVE_VERSION, "schema", 1, "wine", r->wine ? json_string(r->wine) : NULL, "d3dx",
	                 r->assemble ? json_string(r->d3dx) : NULL, "device", dev ? device_json(a, dev) : NULL);
}

bool print_lines(const struct d3d9_options *o, struct text *t)
{
	bool const unwanted = o->json && strcmp(o->json, "-") == 0;
	bool const good = unwanted || !t->n || print_out(t);
	t->n = 0;
	return good;
}

int report_end(struct arena *a, const struct d3d9_options *o, json_t *json, struct text *t, int status)
{
	enum { DIGITS = 9 }; /* decimal digits that tell all floats apart */
	struct text all = {.arena = a};
	report_text(&all, json, DIGITS);
	bool const good = print_lines(o, t);
	return (!o->json || file_write(a, o->json, &all)) && good ? status : EXIT_USAGE;
}

char *list_read(struct arena *a, const char *name)
{
	struct source s;
	const char *why;
	if (file_read_any(a, name, &s, &why))
		return arena_copy(a, s.text, s.size);
	message_error("%s", why);
	return NULL;
}

unsigned list_next(char **text, char **field, unsigned most)
{
	char *line = *text + strspn(*text, "\r\n");
	size_t const length = strcspn(line, "\r\n");
	unsigned n = 0;
	*text = line + length + (line[length] != '\0');
	line[length] = '\0';
	for (char *at = length ? line : NULL; at && n < most; n++) {
		field[n] = at;
		at = strchr(at, '\t');
		if (at && n + 1 < most)
			*at++ = '\0';
	}
	return n;
}
