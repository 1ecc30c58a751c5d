/* Recognises content of XNA, see xnb.h. */
#include "lang/xnb.h"

#include <stdint.h>
#include <string.h>

enum { HEAD_BYTES = 10, VERSION_AT = 4, FLAGS_AT = 5, COMPRESSED = 0x80 | 0x40, READER_VERSION_BYTES = 4, SIZE_BYTES = 4 };

struct bytes {
	const char *from;
	size_t n, at;
	bool cut;
};

static void skip(struct bytes *b, size_t n)
{
	b->cut |= n > b->n - b->at;
	b->at += b->cut ? 0 : n;
}

/* Reads a number that has 7 bits in each byte.  Returns 0 and sets `cut` if it does not end. */
static uint32_t next_number(struct bytes *b)
{
	enum { BITS = 7, MOST_BITS = 32, MORE = 0x80 };
	uint32_t number = 0;
	for (unsigned shift = 0; shift < MOST_BITS; shift += BITS) {
		if (b->at >= b->n)
			break;
		unsigned char const byte = (unsigned char)b->from[b->at++];
		number |= (uint32_t)(byte & ~MORE) << shift;
		if (!(byte & MORE))
			return number;
	}
	b->cut = true;
	return 0;
}

/* Reads a reader's class name and version.  Returns true if the class is EffectReader, in any .NET assembly. */
static bool next_is_of_effects(struct bytes *b)
{
	static const char of_effects[] = "Microsoft.Xna.Framework.Content.EffectReader";
	size_t const known = sizeof of_effects - 1, n = next_number(b), at = b->at;
	skip(b, n);
	skip(b, READER_VERSION_BYTES);
	return !b->cut && n >= known && memcmp(b->from + at, of_effects, known) == 0 && (n == known || b->from[at + known] == ',');
}

enum xnb_content xnb_content(const char *bytes, size_t n, size_t *size_at)
{
	enum { MOST_READERS = 256 };
	bool of_effects[MOST_READERS] = {false};
	struct bytes b = {.from = bytes, .n = n, .at = HEAD_BYTES};
	if (n < HEAD_BYTES || memcmp(bytes, "XNB", 3) != 0 || (bytes[VERSION_AT] != 4 && bytes[VERSION_AT] != 5))
		return XNB_NONE;
	if (bytes[FLAGS_AT] & COMPRESSED)
		return XNB_COMPRESSED;
	uint32_t const readers = next_number(&b);
	for (uint32_t k = 0; k < readers && !b.cut; k++) {
		bool const is = next_is_of_effects(&b);
		if (k < MOST_READERS)
			of_effects[k] = is;
	}
	next_number(&b);
	uint32_t const reader = next_number(&b);
	*size_at = b.at;
	skip(&b, SIZE_BYTES);
	if (b.cut)
		return XNB_CUT;
	return reader >= 1 && reader <= readers && reader <= MOST_READERS && of_effects[reader - 1] ? XNB_EFFECT : XNB_OTHER;
}
