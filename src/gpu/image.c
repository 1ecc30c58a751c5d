/* Makes, reads and writes images, see image.h. */
#include "gpu/image.h"

#include <epoxy/gl.h>

unsigned image_internal_format(enum image_format f)
{
	static const GLenum formats[IMAGE_FORMATS] = {GL_RGBA8, GL_RGBA16F, GL_RGBA32F, GL_R32F};
	return formats[f];
}

static GLenum external_format(enum image_format f)
{
	return image_formats[f].channels == 1 ? GL_RED : GL_RGBA;
}

const char *image_make(struct image *i, int width, int height, enum image_format format, enum image_wrap wrap)
{
	*i = (struct image){.width = width, .height = height, .format = format};
	while (glGetError() != GL_NO_ERROR)
		;
	glActiveTexture(GL_TEXTURE0);
	glGenTextures(1, &i->texture);
	glBindTexture(GL_TEXTURE_2D, i->texture);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
	GLint const edge = wrap == IMAGE_REPEAT ? GL_REPEAT : GL_CLAMP_TO_EDGE;
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, edge);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, edge);
	image_filter(i, false);
	glTexImage2D(GL_TEXTURE_2D, 0, (GLint)image_internal_format(format), width, height, 0, external_format(format), GL_FLOAT, NULL);
	glGenFramebuffers(1, &i->frame);
	glBindFramebuffer(GL_FRAMEBUFFER, i->frame);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, i->texture, 0);
	bool const complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
	if (complete) {
		glClearColor(0, 0, 0, 0);
		glClear(GL_COLOR_BUFFER_BIT);
	}
	if (complete && glGetError() == GL_NO_ERROR)
		return NULL;
	image_delete(i);
	return "the driver cannot make a target of this size and format";
}

void image_delete(struct image *i)
{
	glDeleteFramebuffers(1, &i->frame);
	glDeleteTextures(1, &i->texture);
	*i = (struct image){.width = 0};
}

void image_filter(const struct image *i, bool linear)
{
	GLint const filter = linear ? GL_LINEAR : GL_NEAREST;
	glActiveTexture(GL_TEXTURE0);
	glBindTexture(GL_TEXTURE_2D, i->texture);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
}

void image_write(const struct image *i, struct rect r, const float *texels)
{
	glActiveTexture(GL_TEXTURE0);
	glBindTexture(GL_TEXTURE_2D, i->texture);
	glTexSubImage2D(GL_TEXTURE_2D, 0, r.x, r.y, r.width, r.height, external_format(i->format), GL_FLOAT, texels);
}

void image_read(const struct image *i, struct rect r, float *texels)
{
	glBindFramebuffer(GL_FRAMEBUFFER, i->frame);
	glReadPixels(r.x, r.y, r.width, r.height, external_format(i->format), GL_FLOAT, texels);
}

void image_copy(const struct image *from, const struct image *to, struct rect r)
{
	glBindFramebuffer(GL_FRAMEBUFFER, from->frame);
	glActiveTexture(GL_TEXTURE0);
	glBindTexture(GL_TEXTURE_2D, to->texture);
	glCopyTexSubImage2D(GL_TEXTURE_2D, 0, r.x, r.y, r.x, r.y, r.width, r.height);
}

static const GLenum buffers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2, GL_COLOR_ATTACHMENT3};

void image_bind_targets(const struct image *const target[], unsigned n)
{
	glBindFramebuffer(GL_FRAMEBUFFER, target[0]->frame);
	for (unsigned k = 1; k < n; k++)
		glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[k], GL_TEXTURE_2D, target[k]->texture, 0);
	if (n > 1)
		glDrawBuffers((GLsizei)n, buffers);
	glViewport(0, 0, target[0]->width, target[0]->height);
}

void image_release_targets(unsigned n)
{
	if (n > 1)
		glDrawBuffers(1, buffers);
	for (unsigned k = 1; k < n; k++)
		glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[k], GL_TEXTURE_2D, 0, 0);
}
