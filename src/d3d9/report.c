/* Writes the parts of the output that all modes have, see modes.h; report.schema.json describes them. */
#include "d3d9/modes.h"

#include "fpmove.h"

static void report_version(struct json *j, const char *key, unsigned version)
{
	char text[16];
	snprintf(text, sizeof text, "%u.%u", version >> 8 & 0xff, version & 0xff);
	json_string(j, key, text);
}

/* Writes the driver's name and its version, which has four parts of 16 bits. */
static void report_driver(struct json *j, const D3DADAPTER_IDENTIFIER9 *adapter)
{
	char text[64];
	DWORD const high = (DWORD)adapter->DriverVersion.HighPart, low = adapter->DriverVersion.LowPart;
	snprintf(text, sizeof text, "%u.%u.%u.%u", (unsigned)(high >> 16), (unsigned)(high & 0xffff), (unsigned)(low >> 16), (unsigned)(low & 0xffff));
	json_string(j, "driver", adapter->Driver);
	json_string(j, "driver_version", text);
}

static void report_device(struct json *j, const struct device *dev)
{
	json_open(j, "device", '{');
	json_string(j, "adapter", dev->adapter.Description);
	report_driver(j, &dev->adapter);
	json_count(j, "vendor", dev->adapter.VendorId);
	json_count(j, "chip", dev->adapter.DeviceId);
	report_version(j, "vs", dev->caps.VertexShaderVersion);
	report_version(j, "ps", dev->caps.PixelShaderVersion);
	json_bool(j, "software_vertices", dev->software_vertices);
	json_close(j, '}');
}

void report_begin(struct json *j, const struct runtime *r, const struct device *dev)
{
	json_open(j, NULL, '{');
	json_string(j, "fpmove", FPMOVE_VERSION);
	json_count(j, "schema", 1);
	if (r->wine)
		json_string(j, "wine", r->wine);
	if (r->assemble)
		json_string(j, "d3dx", r->d3dx);
	if (dev)
		report_device(j, dev);
}

bool report_lines(struct arena *a, const struct d3d9_options *o, struct text *t)
{
	bool const unwanted = o->json && strcmp(o->json, "-") == 0;
	bool const good = unwanted || !t->n || file_write(a, "-", t);
	t->n = 0;
	return good;
}

enum exit_status report_end(struct arena *a, const struct d3d9_options *o, struct json *j, struct text *t, enum exit_status status)
{
	json_close(j, '}');
	bool good = report_lines(a, o, t);
	if (o->json)
		good = file_write(a, o->json, &j->text) && good;
	return good ? status : EXIT_TROUBLE;
}
