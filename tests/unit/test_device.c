/* Arguments of --device, and their limits. */
#include "texts.h"

#include "lang/device.h"

#include <string.h>

static const char *read_device(struct texts *t, const char *text, struct device *d)
{
	return device_read(&t->arena, text, strlen(text), d);
}

TEXT_TEST(a_list_or_lines)
{
	struct texts *t = *state;
	static const char *const good[] = {"ps30-slots:2048,vs-consts:256", "ps30-slots:2048\nvs-consts:256\n", "# adapter: x, y\r\n ps30-slots:2048 ,\tvs-consts:256 # all\r\n",
	                                   "vs-consts:8192,ps30-slots:2048"};
	for (unsigned k = 0; k < sizeof good / sizeof *good; k++) {
		struct device d;
		assert_null(read_device(t, good[k], &d));
		assert_int_equal(device_slots(&d, PS_3_0), 2048);
		assert_int_equal(device_slots(&d, VS_3_0), 512);
		assert_int_equal(device_consts(&d, VS_1_1), 256);
	}
}

TEXT_TEST(wrong_ones_are_told)
{
	struct texts *t = *state;
	static const struct {
		const char *text, *said;
	} wrong[] = {
		{"", "it has no limit, such as ps30-slots:2048"}, {"# nothing\n", "it has no limit, such as ps30-slots:2048"},
		{"ps30-slots", "\"ps30-slots\" is none of ps30-slots:N, vs30-slots:N and vs-consts:N"},
		{"ps30-slots:600,", NULL}, {"ps30-slots:600,,vs-consts:100", "\"\" is none of ps30-slots:N, vs30-slots:N and vs-consts:N"},
		{"ps30-slots:511", "ps30-slots is 512 to 32768, as D3DCAPS9.MaxPixelShader30InstructionSlots, not \"511\""},
		{"ps30-slots:32769", "ps30-slots is 512 to 32768, as D3DCAPS9.MaxPixelShader30InstructionSlots, not \"32769\""},
		{"ps30-slots:99999999999999999999", "ps30-slots is 512 to 32768, as D3DCAPS9.MaxPixelShader30InstructionSlots, not \"99999999999999999999\""},
		{"vs-consts:-96", "vs-consts is 96 to 8192, as D3DCAPS9.MaxVertexShaderConst, not \"-96\""},
		{"vs-consts:", "vs-consts is 96 to 8192, as D3DCAPS9.MaxVertexShaderConst, not \"\""},
		{"vs-consts:96,vs-consts:97", "vs-consts is given twice"},
	};
	for (unsigned k = 0; k < sizeof wrong / sizeof *wrong; k++) {
		struct device d;
		const char *said = read_device(t, wrong[k].text, &d);
		if (wrong[k].said)
			assert_string_equal(said, wrong[k].said);
		else
			assert_null(said);
	}
}

TEXT_TEST(other_models_have_their_own)
{
	static const struct device d = {.has = {[DEVICE_PS30_SLOTS] = 2048, [DEVICE_VS30_SLOTS] = 1024, [DEVICE_VS_CONSTS] = 200}};
	assert_int_equal(device_slots(&d, PS_2_0), 64);
	assert_int_equal(device_slots(&d, PS_2_B), 512);
	assert_int_equal(device_slots(&d, VS_3_0), 1024);
	assert_int_equal(device_consts(&d, VS_2_0), 256);
	assert_int_equal(device_consts(&d, PS_3_0), 224);
}
