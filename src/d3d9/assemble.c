/* Reads and assembles one program, see assemble.h. */
#include "d3d9/assemble.h"

#include "cli/files.h"
#include "d3d9/spelling.h"

static struct code refused(const char *name, HRESULT result, const char *messages)
{
	return (struct code){.name = name, .result = result, .messages = messages};
}

static bool is_utf8(const char *text)
{
	return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0) > 0;
}

/* Returns D3DX's messages without carriage returns and without line ends at their end.  Tabs become blanks, so that messages can stand in a table.
 * Messages quote programs, which may hold any byte: bytes from 0x80 on become `?`, from the first one on, until the text is UTF-8. */
static const char *clean_messages(struct arena *a, const char *said, size_t n)
{
	struct text t = {.arena = a};
	for (size_t i = 0; i < n && said[i]; i++)
		if (said[i] != '\r')
			text_char(&t, said[i] == '\t' ? ' ' : said[i]);
	while (t.n && t.at[t.n - 1] == '\n')
		t.at[--t.n] = '\0';
	for (size_t i = 0; t.at && !is_utf8(t.at) && i < t.n; i++)
		if (t.at[i] & 0x80)
			t.at[i] = '?';
	return t.at ? t.at : "";
}

/* Assembles a text.  If D3DX gives messages, `token` of the result is NULL, even if D3DX also returns S_OK and bytecode. */
static struct code assembled(struct arena *a, const struct runtime *r, const char *name, const char *text, size_t size)
{
	unsigned misc = 0;
	struct text const own = r->wine ? spelled(a, text, size, &misc) : (struct text){.n = size};
	ID3DXBuffer *out = NULL, *said = NULL;
	HRESULT const hr = r->assemble(r->wine ? own.at : text, (UINT)own.n, NULL, NULL, 0, &out, &said);
	struct code code = refused(name, hr, "");
	code.text = text;
	if (SUCCEEDED(hr) && out && !said) {
		size_t const n = ID3DXBuffer_GetBufferSize(out) / sizeof(uint32_t);
		code.token = arena_alloc(a, n * sizeof *code.token);
		code.tokens = tokens_as_written(code.token, ID3DXBuffer_GetBufferPointer(out), n, misc);
	} else if (said) {
		code.messages = clean_messages(a, ID3DXBuffer_GetBufferPointer(said), ID3DXBuffer_GetBufferSize(said));
	}
	if (out)
		ID3DXBuffer_Release(out);
	if (said)
		ID3DXBuffer_Release(said);
	return code;
}

struct code code_of(struct arena *a, const struct runtime *r, const char *name, const char *text, size_t size)
{
	if (size >= 8 && (memcmp(text + 2, "\xfe\xff", 2) == 0 || memcmp(text + 2, "\xff\xff", 2) == 0)) {
		struct code code = {.name = name, .whole = (const uint32_t *)(const void *)text, .messages = ""};
		code.token = arena_alloc(a, size);
		code.tokens = tokens_as_written(code.token, code.whole, size / sizeof(uint32_t), 0);
		return code;
	}
	return r->assemble ? assembled(a, r, name, text, size) : refused(name, E_FAIL, NO_D3DX);
}

struct code code_read(struct arena *a, const struct runtime *r, const char *name)
{
	struct source s;
	const char *why;
	return file_read_any(a, name, &s, &why) ? code_of(a, r, name, s.text, s.size) : refused(name, E_FAIL, why);
}

struct code code_copy(struct arena *a, const struct code *from)
{
	struct code to = *from;
	to.token = arena_alloc(a, to.tokens * sizeof *to.token);
	memcpy(to.token, from->token, to.tokens * sizeof *to.token);
	return to;
}

const char *code_model(struct arena *a, const struct code *code)
{
	unsigned const version = code->token[0], major = version >> 8 & 0xff, minor = version & 0xff;
	return arena_printf(a, major == 2 && minor == 1 ? "%cs_2_x" : "%cs_%u_%u", version >> 16 == 0xffff ? 'p' : 'v', major, minor);
}

const char *code_messages_line(struct arena *a, const struct code *code)
{
	struct text t = {.arena = a};
	text_printf(&t, "%08lx ", (unsigned long)code->result);
	for (const char *c = code->messages; *c; c++)
		if (*c == '\n')
			text_string(&t, " | ");
		else
			text_char(&t, *c);
	return t.at;
}
