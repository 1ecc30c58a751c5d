/* Finds the kinds of a batch's files, see kinds.h. */
#include "cli/kinds.h"

#include "cli/files.h"
#include "lang/binary_kind.h"
#include "lang/bytecode.h"
#include "lang/effect_binary.h"
#include "lang/encoding.h"
#include "lang/foreign.h"
#include "system/files.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

/* Bytes that are read first: enough to recognise any binary kind.  A longer text is then read whole. */
enum { PEEKED = 1 << 16 };

static const char hlsl_effect[] = "HLSL: compile them with fxc /T fx_2_0";

size_t suffix_at(const char *path)
{
	const char *base = file_base(path), *dot = strrchr(base, '.');
	return dot && dot != base ? (size_t)(dot - path) : strlen(path);
}

const char *dependency_name(struct arena *a, const char *path)
{
	return arena_printf(a, "%.*s.d", (int)suffix_at(path), path);
}

/* Returns the stage of the shader version, such as vs_1_1, at which `p` points, or HOLDS_NOTHING if there is none. */
static enum holds version_at(const char *p)
{
	if ((p[0] && (p[1] == 's' || p[1] == 'S')) && (p[2] == '_' || p[2] == '.') && p[3] >= '1' && p[3] <= '3')
		return *p == 'v' || *p == 'V' ? HOLDS_VERTEX : *p == 'p' || *p == 'P' ? HOLDS_PIXEL : HOLDS_NOTHING;
	return HOLDS_NOTHING;
}

/* Returns the stages of all lines that begin with a shader version such as vs_1_1, joined by |. */
static enum holds versions_in(const char *text)
{
	unsigned holds = HOLDS_NOTHING;
	for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL)
		holds |= version_at(line + strspn(line, " \t\xef\xbb\xbf"));
	return (enum holds)holds;
}

/* Returns the text from its first code on: behind a byte order mark, blanks, comments and preprocessor lines. */
static const char *first_code(const char *t)
{
	for (t += strncmp(t, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;;) {
		t += strspn(t, " \t\r\n\f");
		if (*t == ';' || *t == '#' || (t[0] == '/' && t[1] == '/')) {
			t += strcspn(t, "\n");
		} else if (t[0] == '/' && t[1] == '*') {
			const char *end = strstr(t + 2, "*/");
			t = end ? end + 2 : t + strlen(t);
		} else {
			return t;
		}
	}
}

bool starts_a_program(const char *text)
{
	return version_at(first_code(text)) != HOLDS_NOTHING;
}

bool holds_a_program(const char *path)
{
	char line[512];
	bool holds = false;
	FILE *f = os_open_stream(path);
	while (f && !holds && fgets(line, sizeof line, f))
		holds = version_at(line + strspn(line, " \t\xef\xbb\xbf")) != HOLDS_NOTHING;
	if (f)
		fclose(f);
	return holds;
}

/* Returns true if the text contains the word, not directly behind a letter or _.  Unless `behind` is 0, that character must follow, perhaps
 * after blanks. */
static bool has_word(const char *text, const char *word, char behind)
{
	size_t const n = strlen(word);
	bool found = false;
	for (const char *at = text; !found && (at = strstr(at, word)) != NULL; at += n)
		found = (at == text || !strchr("_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", at[-1])) &&
		        (!behind || at[n + strspn(at + n, " \t\r\n")] == behind);
	return found;
}

static bool has_technique(const char *text)
{
	return has_word(text, "technique", 0) || has_word(text, "Technique", 0);
}

bool is_word_of(const char *word, const char *list)
{
	size_t const n = strlen(word);
	for (size_t k; k = strcspn(list, " "), *list; list += k + (list[k] == ' '))
		if (k == n && strncasecmp(word, list, n) == 0)
			return true;
	return false;
}

static enum holds stage_by_suffix(const char *suffix)
{
	return is_word_of(suffix, ".vsh .vs .vsa .vso") ? HOLDS_VERTEX : is_word_of(suffix, ".psh .ps .psa .pso") ? HOLDS_PIXEL : HOLDS_NOTHING;
}

/* Returns HOLDS_EFFECT for a compiled effect, the stage for bytecode, and HOLDS_NOTHING for other bytes. */
static enum holds stage_by_token(const char *bytes, size_t n)
{
	if (effect_is_compiled(bytes, n))
		return HOLDS_EFFECT;
	return !bytecode_is(bytes, n) ? HOLDS_NOTHING : bytes[2] == '\xfe' ? HOLDS_VERTEX : HOLDS_PIXEL;
}

static struct kind kind_that_holds(enum holds holds)
{
	return (struct kind){.holds = holds};
}

/* Returns the kind of a file in which no program was found: the stage that its suffix names, or HOLDS_NOTHING with the reason `why`. */
static struct kind by_suffix_or(const char *path, const char *why)
{
	enum holds const stage = stage_by_suffix(path + suffix_at(path));
	return stage ? (struct kind){.holds = stage, .by_suffix = true} : (struct kind){.why = why};
}

static struct kind kind_of_text(struct arena *a, const struct source *s)
{
	const char *suffix = s->name + suffix_at(s->name), *text = s->text, *code = first_code(text);
	enum holds const stage = stage_by_suffix(suffix);
	if (version_at(code))
		return kind_that_holds(stage ? version_at(code) : versions_in(text));
	if (strcasecmp(suffix, ".asm") == 0 && versions_in(text))
		return kind_that_holds(versions_in(text));
	bool const effect = strcasecmp(suffix, ".fx") == 0;
	if (!stage && (effect || has_technique(text)) && has_word(text, "asm", '{'))
		return kind_that_holds(HOLDS_EFFECT);
	if (!stage && has_technique(text) && strstr(text, "compile"))
		return (struct kind){.why = hlsl_effect};
	static const char head[] = "this looks like ";
	struct diags d;
	diag_init(&d, a);
	if (!foreign_tell(s, &d))
		return by_suffix_or(s->name, effect ? hlsl_effect : "text without a program of Direct3D 9");
	const char *why = d.at[0].text;
	return (struct kind){.why = strncmp(why, head, sizeof head - 1) == 0 ? why + sizeof head - 1 : why, .looks = true};
}

static struct kind kind_of_bytes(struct arena *a, const struct source *s)
{
	struct diags unsaid;
	enum holds const stage = stage_by_token(s->text, s->size);
	size_t n = s->size;
	diag_init(&unsaid, NULL);
	if (stage)
		return kind_that_holds(stage);
	if (!n)
		return by_suffix_or(s->name, "empty");
	if (!encoding_readable(s, &unsaid))
		return by_suffix_or(s->name, "text in UTF-16 or UTF-32: save it as ASCII or UTF-8");
	const char *what = memchr(s->text, 0, n) ? binary_kind(s) : NULL;
	while (n && s->text[n - 1] == '\0')
		n--; /* some tools end their listings with NUL */
	if (!what && !memchr(s->text, 0, n))
		return kind_of_text(a, s);
	return (struct kind){.why = what ? what : "binary, of no known kind"};
}

static struct kind unreadable(const char *path, struct arena *a, int error)
{
	struct kind k = by_suffix_or(path, NULL);
	if (k.holds)
		return k; /* the error is reported when the file is read as part of a pair */
	k.why = arena_printf(a, "unreadable: %s", os_error(error));
	k.unreadable = true;
	return k;
}

static struct kind inspect_file(struct arena *a, struct arena *scratch, const char *path)
{
	struct os_facts there;
	if (!os_facts(path, &there))
		return unreadable(path, a, errno);
	if (there.kind == OS_FOLDER)
		return (struct kind){.why = "behind links to folders, which are not followed"};
	if (there.kind != OS_REGULAR)
		return (struct kind){.why = "pipes, devices or the like"};
	char *bytes = arena_alloc(scratch, PEEKED + 1);
	int const file = os_open(path, OS_PEEK);
	ptrdiff_t const got = file >= 0 ? os_read(file, bytes, PEEKED) : -1;
	int const error = errno;
	if (file >= 0)
		os_close(file);
	if (got < 0)
		return unreadable(path, a, error);
	bytes[got] = '\0';
	struct source s = {.name = path, .text = bytes, .size = (size_t)got};
	const char *why;
	bool const whole = there.size <= (uint64_t)got || memchr(bytes, 0, (size_t)got);
	if (!whole && !stage_by_token(bytes, s.size) && !file_read(scratch, path, &s, &why))
		return (struct kind){.why = "longer than 64 MiB, or changing"};
	return kind_of_bytes(a, &s);
}

struct kind kind_of_file(struct arena *a, struct arena *scratch, const char *path)
{
	struct arena_mark const mark = arena_mark(scratch);
	struct kind k = inspect_file(a, scratch, path);
	arena_release(scratch, mark);
	k.named_a_program = stage_by_suffix(path + suffix_at(path)) != HOLDS_NOTHING;
	return k;
}

enum holds kind_by_name(const char *path)
{
	const char *suffix = path + suffix_at(path);
	char bytes[4];
	if (!is_word_of(suffix, ".fxo .fxb .cso"))
		return stage_by_suffix(suffix);
	FILE *f = os_open_stream(path);
	size_t const n = f ? fread(bytes, 1, sizeof bytes, f) : 0;
	if (f)
		fclose(f);
	return stage_by_token(bytes, n);
}
