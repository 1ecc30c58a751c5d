/* Encodings, see encoding.h. */
#include "lang/encoding.h"

#include "lang/binary_kind.h"
#include "lang/bytecode.h"

#include <string.h>

/* Returns true if the first bytes look like ASCII in UTF-16 without a mark: byte `zero` (0 or 1) of each two is a zero, and the other is not. */
static bool is_wide(const struct source *s, unsigned zero)
{
	if (s->size < 4)
		return false;
	size_t const look = s->size < 16 ? s->size & ~(size_t)1 : 16;
	for (size_t i = 0; i < look; i++)
		if ((s->text[i] == '\0') != (i % 2 == zero))
			return false;
	return true;
}

bool encoding_readable(const struct source *s, struct diags *diags)
{
	const char *name = NULL;
	if (s->size >= 2 && memcmp(s->text, "\xff\xfe", 2) == 0)
		name = s->size >= 4 && s->text[2] == '\0' && s->text[3] == '\0' ? "UTF-32" : "UTF-16";
	else if (s->size >= 2 && memcmp(s->text, "\xfe\xff", 2) == 0)
		name = "UTF-16";
	else if (s->size >= 4 && memcmp(s->text, "\0\0\xfe\xff", 4) == 0)
		name = "UTF-32";
	else if (is_wide(s, 1) || is_wide(s, 0))
		name = "UTF-16";
	if (name)
		diag_add(diags, DIAG_ERROR, "encoding", s, SRCPOS_NONE,
		         "the text is %s: save it as ASCII or UTF-8 (for example with iconv -f %s -t UTF-8)", name, name);
	else if (s->size >= SRCPOS_NONE / 2)
		diag_add(diags, DIAG_ERROR, "encoding", s, SRCPOS_NONE, "the text is longer than 2 GB");
	else
		return true;
	return false;
}

size_t encoding_mark(const struct source *s)
{
	return s->size >= 3 && memcmp(s->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

void encoding_trim(struct source *s)
{
	bool const marked = s->size >= 2 && (memcmp(s->text, "\xff\xfe", 2) == 0 || memcmp(s->text, "\xfe\xff", 2) == 0);
	const char *first = s->size && !marked && !bytecode_is(s->text, s->size) ? memchr(s->text, 0, s->size) : NULL;
	size_t n = s->size;
	while (n > 0 && s->text[n - 1] == '\0')
		n--;
	if (first && first == s->text + n && !binary_kind(s))
		s->size = n;
}
