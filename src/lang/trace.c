/* Reads the text of a trace, see trace.h. */
#include "lang/trace.h"

#include "lang/trace_call.h"

#include <stdlib.h>
#include <string.h>

static const char device_name[] = "IDirect3DDevice9", block_name[] = "IDirect3DStateBlock9";

/* The programs that are set on a device. */
struct device {
	struct piece handle;
	int current[2];    /* by enum stage: index of the program that is set, TRACE_NONE or TRACE_UNKNOWN */
	bool recording;    /* true from BeginStateBlock to EndStateBlock, where calls that set programs do not change `current` */
};

struct handle {
	struct piece name; /* name of the handle; empty in a free entry */
	int program[2];    /* by enum stage: index of the last program created with this handle, or TRACE_UNKNOWN */
};

struct reader {
	struct arena *arena;
	const struct source *file;
	struct diags *diags;
	struct trace *trace;
	const char *end;
	const char *counted; /* the byte up to which lines were counted */
	uint32_t line;
	unsigned long long last; /* the last call number that became a program's name */
	struct { VEC(struct device); } devices;
	struct handle *handles; /* a hash table with `places` entries, of which `nhandles` are in use */
	uint32_t nhandles, places;
};

/* --- effects of calls --- */

static uint32_t hash_of_name(struct piece name)
{
	uint32_t sum = 0;
	for (size_t k = 0; k < name.n; k++)
		sum = sum * 31 + (unsigned char)name.at[k];
	return sum;
}

static struct handle *place_of_handle(struct handle *places, uint32_t n, struct piece name)
{
	uint32_t at = hash_of_name(name) & (n - 1);
	while (places[at].name.n && !piece_same(places[at].name, name))
		at = (at + 1) & (n - 1);
	return &places[at];
}

/* Returns the entry for the handle `name`, adding one with unknown programs if there is none. */
static struct handle *find_or_add_handle(struct reader *r, struct piece name)
{
	enum { FEWEST = 64 };
	if (2 * (r->nhandles + 1) > r->places) {
		uint32_t const more = r->places ? 2 * r->places : FEWEST;
		struct handle *places = arena_zero(r->arena, more * sizeof *places);
		for (uint32_t k = 0; k < r->places; k++)
			if (r->handles[k].name.n)
				*place_of_handle(places, more, r->handles[k].name) = r->handles[k];
		r->handles = places;
		r->places = more;
	}
	struct handle *h = place_of_handle(r->handles, r->places, name);
	if (!h->name.n) {
		*h = (struct handle){name, {TRACE_UNKNOWN, TRACE_UNKNOWN}};
		r->nhandles++;
	}
	return h;
}

static struct device *device_of_handle(struct reader *r, struct piece handle)
{
	for (uint32_t k = 0; k < r->devices.n; k++)
		if (piece_same(r->devices.at[k].handle, handle))
			return &r->devices.at[k];
	struct device *d = &VEC_PUSH(r->arena, &r->devices);
	*d = (struct device){.handle = handle, .current = {TRACE_NONE, TRACE_NONE}};
	return d;
}

/* Returns the text between the quotes of a string, with the characters that \", \\ and \n stand for. */
static struct piece text_of_string(struct arena *a, struct piece string)
{
	struct text t = {.arena = a};
	text_string(&t, "");
	for (size_t k = 1; k + 1 < string.n; k++) {
		bool const spelt = string.at[k] == '\\' && k + 2 < string.n && strchr("\"\\n", string.at[k + 1]);
		k += spelt;
		text_char(&t, spelt && string.at[k] == 'n' ? '\n' : string.at[k]);
	}
	return (struct piece){t.at, t.n};
}

/* Returns a program's name: the number of the call that creates it, or the call's line as "line12" if it has no number, or none above that of
 * the last name, as when one file holds two dumps. */
static const char *name_of_call(struct reader *r, const struct call *c)
{
	enum { DECIMAL = 10 };
	for (; r->counted < c->at; r->counted++)
		r->line += *r->counted == '\n';
	unsigned long long const number = c->number.n ? strtoull(c->number.at, NULL, DECIMAL) : 0;
	if (!c->number.n || (r->trace->programs.n && number <= r->last))
		return arena_printf(r->arena, "line%u", (unsigned)r->line);
	r->last = number;
	return arena_copy(r->arena, c->number.at, c->number.n);
}

static bool succeeds(const struct call *c)
{
	return piece_begins(c->result, " = D3D_OK") || piece_begins(c->result, " = S_OK") || piece_is(c->result, " = 0");
}

static void create_program(struct reader *r, const struct call *c, enum stage stage)
{
	enum { FUNCTION = 1, SHADER = 2 };
	struct piece const function = c->arguments[FUNCTION], shader = c->arguments[SHADER];
	if (c->narguments <= SHADER || !piece_begins(shader, "&") || !succeeds(c))
		return;
	struct handle *h = find_or_add_handle(r, (struct piece){shader.at + 1, shader.n - 1});
	h->program[stage] = TRACE_UNKNOWN;
	if (!piece_begins(function, "\"")) {
		r->trace->bare++;
		return;
	}
	struct piece const text = text_of_string(r->arena, function);
	const char *name = name_of_call(r, c);
	for (uint32_t k = 0; k < r->trace->programs.n; k++) {
		const struct trace_program *p = &r->trace->programs.at[k];
		if (p->stage == stage && p->n == text.n && memcmp(p->text, text.at, text.n) == 0) {
			h->program[stage] = (int)k;
			return;
		}
	}
	h->program[stage] = (int)r->trace->programs.n;
	VEC_PUSH(r->arena, &r->trace->programs) = (struct trace_program){.stage = stage, .name = name, .text = text.at, .n = text.n};
}

static void set_program(struct reader *r, const struct call *c, enum stage stage)
{
	enum { DEVICE, SHADER };
	if (c->narguments <= SHADER)
		return;
	struct device *d = device_of_handle(r, c->arguments[DEVICE]);
	struct piece const shader = c->arguments[SHADER];
	if (!d->recording)
		d->current[stage] = piece_is(shader, "NULL") ? TRACE_NONE : find_or_add_handle(r, shader)->program[stage];
}

static void note_draw(struct reader *r, const struct device *d)
{
	int const vs = d->current[STAGE_VERTEX], ps = d->current[STAGE_PIXEL];
	if (vs == TRACE_UNKNOWN || ps == TRACE_UNKNOWN) {
		r->trace->unknown++;
		return;
	}
	const struct trace_pair *last = r->trace->pairs.n ? &r->trace->pairs.at[r->trace->pairs.n - 1] : NULL;
	if ((vs >= 0 || ps >= 0) && !(last && last->vs == vs && last->ps == ps))
		VEC_PUSH(r->arena, &r->trace->pairs) = (struct trace_pair){vs, ps};
}

static void set_both_programs(struct device *d, int program)
{
	d->current[STAGE_VERTEX] = d->current[STAGE_PIXEL] = program;
}

/* Sets the programs of all devices to unknown, for a state block's Apply, which does not name its device. */
static void forget_programs(struct reader *r)
{
	for (uint32_t k = 0; k < r->devices.n; k++)
		set_both_programs(&r->devices.at[k], TRACE_UNKNOWN);
}

static void follow_call(struct reader *r, const struct call *c)
{
	if (piece_begins(c->interface, block_name) && piece_is(c->method, "Apply"))
		forget_programs(r);
	if (!piece_begins(c->interface, device_name) || !c->narguments)
		return;
	if (piece_is(c->method, "CreateVertexShader"))
		create_program(r, c, STAGE_VERTEX);
	else if (piece_is(c->method, "CreatePixelShader"))
		create_program(r, c, STAGE_PIXEL);
	else if (piece_is(c->method, "SetVertexShader"))
		set_program(r, c, STAGE_VERTEX);
	else if (piece_is(c->method, "SetPixelShader"))
		set_program(r, c, STAGE_PIXEL);
	else if (piece_is(c->method, "Reset") || piece_is(c->method, "ResetEx"))
		set_both_programs(device_of_handle(r, c->arguments[0]), TRACE_NONE);
	else if (piece_is(c->method, "BeginStateBlock"))
		device_of_handle(r, c->arguments[0])->recording = true;
	else if (piece_is(c->method, "EndStateBlock"))
		device_of_handle(r, c->arguments[0])->recording = false;
	else if (piece_begins(c->method, "Draw"))
		note_draw(r, device_of_handle(r, c->arguments[0]));
}

static int by_programs(const void *a, const void *b)
{
	const struct trace_pair *x = a, *y = b;
	int order = (x->vs > y->vs) - (x->vs < y->vs);
	return order ? order : (x->ps > y->ps) - (x->ps < y->ps);
}

static void unite_pairs(struct reader *r)
{
	struct trace *t = r->trace;
	uint32_t kept = 0;
	if (t->pairs.n)
		qsort(t->pairs.at, t->pairs.n, sizeof *t->pairs.at, by_programs);
	for (uint32_t k = 0; k < t->pairs.n; k++)
		if (!k || by_programs(&t->pairs.at[k], &t->pairs.at[k - 1]) != 0)
			t->pairs.at[kept++] = t->pairs.at[k];
	t->pairs.n = kept;
}

/* --- the whole text --- */

/* Returns the text without the colours of a terminal. */
static struct source without_colours(struct arena *a, const struct source *s)
{
	struct source plain = *s;
	if (!memchr(s->text, '\033', s->size))
		return plain;
	char *to = arena_copy(a, s->text, s->size);
	plain.text = to;
	for (size_t k = 0; k < s->size; k++) {
		if (s->text[k] == '\033' && k + 1 < s->size && s->text[k + 1] == '[')
			while (k < s->size && s->text[k] != 'm' && s->text[k] != '\n')
				k++;
		else
			*to++ = s->text[k];
	}
	*to = '\0';
	plain.size = (size_t)(to - plain.text);
	return plain;
}

bool trace_read(struct arena *a, const struct source *file, struct trace *trace, struct diags *diags)
{
	struct source *s = arena_alloc(a, sizeof *s);
	*s = without_colours(a, file);
	struct reader r = {.arena = a, .file = s, .diags = diags, .trace = trace, .end = s->text + s->size,
	                   .counted = s->text, .line = 1};
	struct call c;
	*trace = (struct trace){0};
	for (const char *line = s->text; line < r.end;) {
		const char *at = call_begin(line, r.end, &c);
		const char *stop = at ? call_end(at, r.end, &c) : memchr(line, '\n', (size_t)(r.end - line));
		if (at && !stop) {
			diag_add(diags, DIAG_ERROR, NULL, s, (srcpos)(line - s->text), "the trace ends before this call does");
			return false;
		}
		if (at)
			follow_call(&r, &c);
		line = !stop ? r.end : stop < r.end ? stop + 1 : stop;
	}
	unite_pairs(&r);
	return true;
}
