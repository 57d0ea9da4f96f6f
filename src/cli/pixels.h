/*
 * pixels.h: PNG pictures as their files have them. No sample changes on the way: gamma, colour profiles and
 * transparency are not applied. Files whose samples would change are refused.
 *
 * `pto` and examples/photo.c share this reader.
 */
#ifndef PTO_SRC_CLI_PIXELS_H_
#define PTO_SRC_CLI_PIXELS_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pixels {
  uint32_t rows;
  uint32_t cols;
  int channels;        /* 1: grey; 3: red, green, blue */
  int bits;            /* of a sample: 8, or 16 in the machine's byte order */
  unsigned char *data; /* rows one after another, without gaps */
  char error[160];     /* why a call failed */
} pixels;

/*
 * Reads a PNG file from memory: grey and RGB pictures of 8 and 16 bits; a palette becomes the RGB samples that it
 * names. Refuses alpha channels, transparent colours and samples of 1, 2 and 4 bits. Returns 1, or 0 with an error.
 */
int pixels_read(pixels *out, const void *bytes, size_t count);

/* Writes a PNG file to memory that the caller frees with free(). Returns 1, or 0 with an error in `in`. */
int pixels_write(pixels *in, unsigned char **bytes, size_t *count);

/* Frees the samples. */
void pixels_free(pixels *p);

#ifdef __cplusplus
}
#endif

#endif /* PTO_SRC_CLI_PIXELS_H_ */
