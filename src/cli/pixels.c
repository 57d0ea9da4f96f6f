#include "pixels.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One call under way. libpng leaves its functions by longjmp(): all that must be freed is here. */
typedef struct job {
  pixels *picture;
  png_structp png;
  png_infop info;
  png_bytep *rows;
  const unsigned char *from; /* of a file that is read: the rest of it */
  size_t left;
  unsigned char *to; /* of a file that is written */
  size_t size;
  size_t room;
} job;

static void on_error(png_structp png, png_const_charp text) {
  job *j = png_get_error_ptr(png);
  snprintf(j->picture->error, sizeof j->picture->error, "%s", text);
  png_longjmp(png, 1);
}

/* A picture with warnings is read. */
static void on_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void take(png_structp png, png_bytep to, size_t count) {
  job *j = png_get_io_ptr(png);
  if (count > j->left) png_error(png, "the file ends too early");
  memcpy(to, j->from, count);
  j->from += count;
  j->left -= count;
}

static void give(png_structp png, png_bytep from, size_t count) {
  job *j = png_get_io_ptr(png);
  if (count > j->room - j->size) {
    const size_t room = (j->room + count) * 2;
    unsigned char *more = realloc(j->to, room);
    if (more == NULL) png_error(png, "memory is out");
    j->to = more;
    j->room = room;
  }
  memcpy(j->to + j->size, from, count);
  j->size += count;
}

static void flush(png_structp png) { (void)png; }

static int is_little_endian(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1;
}

static size_t row_bytes(const pixels *p) { return (size_t)p->cols * (size_t)p->channels * (size_t)p->bits / 8; }

/* Where the rows begin. */
static void list_rows(job *j) {
  const pixels *p = j->picture;
  j->rows = malloc(p->rows * sizeof *j->rows);
  if (j->rows == NULL) png_error(j->png, "memory is out");
  for (uint32_t r = 0; r < p->rows; ++r) j->rows[r] = p->data + r * row_bytes(p);
}

/* Numbers of colours become the colours, from the last pixel on: there is room for three bytes of each. */
static void look_up(job *j) {
  const pixels *p = j->picture;
  png_colorp colours = NULL;
  int count = 0;
  png_get_PLTE(j->png, j->info, &colours, &count);
  for (size_t i = (size_t)p->rows * p->cols; i-- > 0;) {
    const int number = p->data[i];
    if (number >= count) png_error(j->png, "a pixel has a colour that the palette does not have");
    p->data[i * 3] = colours[number].red;
    p->data[i * 3 + 1] = colours[number].green;
    p->data[i * 3 + 2] = colours[number].blue;
  }
}

static void read_picture(job *j) {
  pixels *p = j->picture;
  png_set_read_fn(j->png, j, take);
  png_read_info(j->png, j->info);
  const int type = png_get_color_type(j->png, j->info);
  const int palette = type == PNG_COLOR_TYPE_PALETTE;
  p->rows = png_get_image_height(j->png, j->info);
  p->cols = png_get_image_width(j->png, j->info);
  p->bits = palette ? 8 : png_get_bit_depth(j->png, j->info);
  p->channels = type == PNG_COLOR_TYPE_GRAY ? 1 : 3;
  if ((type & PNG_COLOR_MASK_ALPHA) != 0) {
    png_error(j->png,
              "the picture has an alpha channel; remove it, or read the picture elsewhere and save an .npy file");
  }
  if (png_get_valid(j->png, j->info, PNG_INFO_tRNS) != 0) {
    png_error(j->png,
              "the picture has a transparent colour; remove it, or read the picture elsewhere and save an .npy file");
  }
  if (p->bits < 8) png_error(j->png, "the picture has samples of less than 8 bits; convert them to 8");
  if (palette) png_set_packing(j->png);
  if (p->bits == 16 && is_little_endian()) png_set_swap(j->png);
  png_set_interlace_handling(j->png);
  png_read_update_info(j->png, j->info);
  p->data = malloc(p->rows * row_bytes(p));
  if (p->data == NULL) png_error(j->png, "memory is out");
  if (palette) p->channels = 1;
  list_rows(j);
  png_read_image(j->png, j->rows);
  png_read_end(j->png, NULL);
  if (!palette) return;
  look_up(j);
  p->channels = 3;
}

static void write_picture(job *j) {
  const pixels *p = j->picture;
  png_set_write_fn(j->png, j, give, flush);
  png_set_IHDR(j->png, j->info, p->cols, p->rows, p->bits, p->channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(j->png, j->info);
  if (p->bits == 16 && is_little_endian()) png_set_swap(j->png);
  list_rows(j);
  png_write_image(j->png, j->rows);
  png_write_end(j->png, j->info);
}

/* Whether it reached its end. */
static int attempt(job *j, void (*work)(job *)) {
  if (setjmp(png_jmpbuf(j->png)) != 0) return 0;
  work(j);
  return 1;
}

static int run(job *j, int writes) {
  int done = 0;
  snprintf(j->picture->error, sizeof j->picture->error, "memory is out");
  j->png = writes ? png_create_write_struct(PNG_LIBPNG_VER_STRING, j, on_error, on_warning)
                  : png_create_read_struct(PNG_LIBPNG_VER_STRING, j, on_error, on_warning);
  if (j->png != NULL) j->info = png_create_info_struct(j->png);
  if (j->info != NULL) done = attempt(j, writes ? write_picture : read_picture);
  if (writes) {
    png_destroy_write_struct(&j->png, &j->info);
  } else {
    png_destroy_read_struct(&j->png, &j->info, NULL);
  }
  free(j->rows);
  if (done) j->picture->error[0] = '\0';
  return done;
}

int pixels_read(pixels *out, const void *bytes, size_t count) {
  memset(out, 0, sizeof *out);
  job j;
  memset(&j, 0, sizeof j);
  j.picture = out;
  j.from = bytes;
  j.left = count;
  if (run(&j, 0)) return 1;
  pixels_free(out);
  return 0;
}

int pixels_write(pixels *in, unsigned char **bytes, size_t *count) {
  job j;
  memset(&j, 0, sizeof j);
  j.picture = in;
  if (!run(&j, 1)) {
    free(j.to);
    return 0;
  }
  *bytes = j.to;
  *count = j.size;
  return 1;
}

void pixels_free(pixels *p) {
  free(p->data);
  p->data = NULL;
}
