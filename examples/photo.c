/*
 * photo.c: enhances a photograph with five tile instructions, through the public C API only. It reads and writes
 * pictures with src/cli/pixels.c, as the pto command does.
 *
 *   photo IN.png OUT.png
 *
 * The picture is cut into strips of 64 rows, wrapped without a copy: a strip of f32 fits in the
 * vector memory of the A5 profile, under which everything here runs. OUT.png shows the
 * picture before and after, side by side.
 */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <pto_c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pixels.h"

enum { kStrip = 64, kInset = 128, kBlur = 12 };

static const float kEvening = 0.25F;     /* share of a column's deviation in brightness that is taken out */
static const float kGamma = 0.90F;       /* below 1: brighter mid-tones */
static const float kPivot = 0.35F;       /* what is darker counts as shadow */
static const float kShadowSlope = 0.70F; /* below 1: shadows are lifted towards the pivot */
static const float kContrast = 0.16F;    /* standard deviation that the neighbourhood is brought to */
static const float kBlend = 0.50F;       /* share of the local-contrast picture in the result */

/* A picture of f32 in 0..1, rows one after another. */
typedef struct picture {
  int rows, cols;
  float *pixels;
} picture;

static pto_context *context; /* one program, one thread, one context */
static double seconds;       /* spent inside instructions */

static void die(const char *what) {
  fprintf(stderr, "photo: %s\n", what);
  exit(1);
}

/* Checks every call of libpto: the message of the error has all details. */
static void must(pto_status status) {
  if (status == PTO_OK) return;
  fprintf(stderr, "photo: %s\n  rule:   %s\n  remedy: %s\n", pto_context_error_message(context),
          pto_context_error_rule(context), pto_context_error_remedy(context));
  exit(1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Times one instruction. */
#define RUN(call)               \
  do {                          \
    const double start = now(); \
    must(call);                 \
    seconds += now() - start;   \
  } while (0)

static float *floats(size_t count) {
  float *p = malloc(count * sizeof *p);
  if (p == NULL) die("out of memory");
  return p;
}

static picture blank(int rows, int cols) {
  const picture made = {rows, cols, floats((size_t)rows * (size_t)cols)};
  return made;
}

static size_t size_of(const picture *p) { return (size_t)p->rows * (size_t)p->cols; }

/* A tile over rows of a picture: the picture's own memory, no copy. */
static pto_tile *strip_of(picture *p, int row, int valid_cols) {
  const int rows = p->rows - row < kStrip ? p->rows - row : kStrip;
  pto_tile_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.rows = rows;
  desc.cols = p->cols;
  desc.valid_rows = rows;
  desc.valid_cols = valid_cols;
  pto_tile *tile = pto_tile_wrap(context, &desc, p->pixels + (size_t)row * (size_t)p->cols,
                                 (int64_t)rows * p->cols * (int64_t)sizeof(float));
  if (tile == NULL) must(pto_context_error(context));
  return tile;
}

/* All of a file. */
static unsigned char *contents(const char *path, size_t *count) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) die("cannot open the picture");
  unsigned char *bytes = NULL;
  *count = 0;
  for (size_t room = 1 << 16, got = 1; got != 0; *count += got, room *= 2) {
    bytes = realloc(bytes, room);
    if (bytes == NULL) die("out of memory");
    got = fread(bytes + *count, 1, room - *count, file);
  }
  if (ferror(file)) die("cannot read the picture");
  fclose(file);
  return bytes;
}

static double sample(const pixels *from, size_t at) {
  uint16_t wide = 0;
  if (from->bits == 16) memcpy(&wide, from->data + at * 2, 2);
  return from->bits == 16 ? wide / 65535.0 : from->data[at] / 255.0;
}

static picture load(const char *path) {
  size_t count;
  unsigned char *bytes = contents(path, &count);
  pixels from;
  if (!pixels_read(&from, bytes, count)) die(from.error);
  free(bytes);
  picture p = blank((int)from.rows, (int)from.cols);
  for (size_t i = 0; i < size_of(&p); ++i) {
    if (from.channels == 1) {
      p.pixels[i] = (float)sample(&from, i);
    } else { /* the brightness of a colour, as ITU-R BT.709 weighs it */
      p.pixels[i] = (float)(0.2126 * sample(&from, i * 3) + 0.7152 * sample(&from, i * 3 + 1) +
                            0.0722 * sample(&from, i * 3 + 2));
    }
  }
  pixels_free(&from);
  return p;
}

static void save_side_by_side(const char *path, const picture *before, const picture *after) {
  pixels to = {(uint32_t)before->rows, (uint32_t)before->cols * 2, 1, 8, NULL, ""};
  to.data = malloc((size_t)to.rows * to.cols);
  if (to.data == NULL) die("out of memory");
  for (int r = 0; r < before->rows; ++r) {
    for (int c = 0; c < before->cols * 2; ++c) {
      const picture *side = c < before->cols ? before : after;
      const float value = side->pixels[r * side->cols + c % side->cols];
      to.data[r * before->cols * 2 + c] = (unsigned char)(255.0F * fminf(fmaxf(value, 0.0F), 1.0F) + 0.5F);
    }
  }
  unsigned char *bytes;
  size_t count;
  if (!pixels_write(&to, &bytes, &count)) die(to.error);
  pixels_free(&to);
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(bytes, 1, count, file) != count || fclose(file) != 0) die("cannot write the picture");
  free(bytes);
}

/* Mean over a square neighbourhood, cut at the borders: two passes of running sums. */
static void blur(const picture *in, picture *out) {
  picture half = blank(in->rows, in->cols);
  for (int pass = 0; pass < 2; ++pass) {
    const picture *from = pass == 0 ? in : &half;
    picture *to = pass == 0 ? &half : out;
    const int lines = pass == 0 ? in->rows : in->cols;
    const int length = pass == 0 ? in->cols : in->rows;
    const int along = pass == 0 ? 1 : in->cols;
    const int across = pass == 0 ? in->cols : 1;
    for (int line = 0; line < lines; ++line) {
      const float *src = from->pixels + line * across;
      float *dst = to->pixels + line * across;
      double sum = 0.0;
      for (int k = 0; k < kBlur && k < length; ++k) sum += src[k * along];
      for (int k = 0; k < length; ++k) {
        if (k + kBlur < length) sum += src[(k + kBlur) * along];
        if (k - kBlur - 1 >= 0) sum -= src[(k - kBlur - 1) * along];
        const int first = k - kBlur < 0 ? 0 : k - kBlur;
        const int last = k + kBlur >= length ? length - 1 : k + kBlur;
        dst[k * along] = (float)(sum / (last - first + 1));
      }
    }
  }
  free(half.pixels);
}

/* TCOLEXPANDDIV: divides each column by its share of the brightness, so that a vignette to the
 * left or right disappears; only a share of it, for the scene is not flat either. */
static void even_out_columns(picture *p, const picture *mean) {
  picture gain = blank(1, p->cols);
  double all = 0.0;
  for (int c = 0; c < p->cols; ++c) {
    double sum = 0.0;
    for (int r = 0; r < p->rows; ++r) sum += mean->pixels[r * p->cols + c];
    gain.pixels[c] = (float)sum;
    all += sum;
  }
  for (int c = 0; c < p->cols; ++c) gain.pixels[c] = powf(gain.pixels[c] * (float)p->cols / (float)all, kEvening);
  pto_tile *gains = strip_of(&gain, 0, p->cols);
  for (int row = 0; row < p->rows; row += kStrip) {
    pto_tile *strip = strip_of(p, row, p->cols);
    RUN(pto_tcolexpanddiv(context, strip, strip, gains, 0));
    pto_tile_release(strip);
  }
  pto_tile_release(gains);
  free(gain.pixels);
}

/* dst = op(dst, constant) for the instructions that take a second tile. */
static void with_constant(picture *p, float value, void (*apply)(pto_tile *strip, pto_tile *constant)) {
  picture constant = blank(kStrip, p->cols);
  for (size_t i = 0; i < size_of(&constant); ++i) constant.pixels[i] = value;
  for (int row = 0; row < p->rows; row += kStrip) {
    pto_tile *strip = strip_of(p, row, p->cols);
    pto_tile *second = strip_of(&constant, 0, p->cols);
    must(pto_tile_set_valid(context, second, pto_tile_valid_rows(strip), p->cols));
    apply(strip, second);
    pto_tile_release(second);
    pto_tile_release(strip);
  }
  free(constant.pixels);
}

static void power(pto_tile *strip, pto_tile *exponent) { RUN(pto_tpow(context, strip, strip, exponent, NULL, 0)); }
static void add(pto_tile *strip, pto_tile *summand) { RUN(pto_tpartadd(context, strip, strip, summand, 0)); }
static void prelu(pto_tile *strip, pto_tile *slope) { RUN(pto_tprelu(context, strip, strip, slope, NULL, 0)); }

/* TRSQRT: brings the contrast of each neighbourhood towards the same deviation, by the
 * reciprocal root of its variance. */
static void local_contrast(picture *p) {
  picture mean = blank(p->rows, p->cols);
  picture square = blank(p->rows, p->cols);
  picture scale = blank(p->rows, p->cols);
  blur(p, &mean);
  for (size_t i = 0; i < size_of(p); ++i) square.pixels[i] = p->pixels[i] * p->pixels[i];
  blur(&square, &scale);
  for (size_t i = 0; i < size_of(p); ++i) {
    scale.pixels[i] = fmaxf(scale.pixels[i] - mean.pixels[i] * mean.pixels[i], 0.0F) + 0.004F;
  }
  for (int row = 0; row < p->rows; row += kStrip) {
    pto_tile *strip = strip_of(&scale, row, p->cols);
    RUN(pto_trsqrt(context, strip, strip, NULL, 0));
    pto_tile_release(strip);
  }
  for (size_t i = 0; i < size_of(p); ++i) {
    const float flat = mean.pixels[i] + (p->pixels[i] - mean.pixels[i]) * scale.pixels[i] * kContrast;
    p->pixels[i] += kBlend * (flat - p->pixels[i]);
  }
  free(scale.pixels);
  free(square.pixels);
  free(mean.pixels);
}

/* TPARTADD: the second source is valid in the first rows and columns only, so the sum is an
 * inset there and a copy of the picture elsewhere. */
static void inset(picture *p, const picture *original) {
  if (p->rows < kInset * 2 || p->cols < kInset * 2) return;
  const int step_r = original->rows / kInset;
  const int step_c = original->cols / kInset;
  picture change = blank(kInset, p->cols);
  for (int r = 0; r < kInset; ++r) {
    for (int c = 0; c < kInset; ++c) {
      const int frame = r >= kInset - 2 || c >= kInset - 2;
      const float thumb = frame ? 1.0F : original->pixels[r * step_r * original->cols + c * step_c];
      change.pixels[r * p->cols + c] = thumb - p->pixels[r * p->cols + c];
    }
  }
  for (int row = 0; row < kInset; row += kStrip) {
    pto_tile *strip = strip_of(p, row, p->cols);
    pto_tile *second = strip_of(&change, row, kInset);
    RUN(pto_tpartadd(context, strip, strip, second, 0));
    pto_tile_release(second);
    pto_tile_release(strip);
  }
  free(change.pixels);
}

/* An error: the whole picture as one tile is more than the vector memory holds. */
static void show_a_mistake(const picture *p) {
  pto_tile *tile = pto_tile_create(context, PTO_DTYPE_F32, p->rows, p->cols);
  if (tile != NULL) {
    pto_tile_release(tile); /* a small picture fits */
    return;
  }
  printf("a deliberate error, the picture as one tile, is refused:\n  %s\n  rule:   %s (%s)\n  remedy: %s\n",
         pto_context_error_message(context), pto_context_error_rule(context),
         pto_status_name(pto_context_error(context)), pto_context_error_remedy(context));
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: photo IN.png OUT.png\n");
    return 2;
  }
  context = pto_context_create(PTO_PROFILE_A5);
  if (context == NULL) die("no context");
  picture original = load(argv[1]);
  if (original.cols % 8 != 0) die("A5 needs rows of a multiple of 32 bytes: 8 pixels of f32");
  picture p = blank(original.rows, original.cols);
  memcpy(p.pixels, original.pixels, size_of(&p) * sizeof(float));

  picture mean = blank(p.rows, p.cols);
  blur(&p, &mean);
  even_out_columns(&p, &mean);
  with_constant(&p, kGamma, power);
  with_constant(&p, -kPivot, add); /* the shadows are now negative */
  with_constant(&p, kShadowSlope, prelu);
  with_constant(&p, kPivot, add);
  local_contrast(&p);
  inset(&p, &original);

  save_side_by_side(argv[2], &original, &p);
  const double pixels = 1e-6 * (double)size_of(&p);
  printf("%s: %dx%d pixels in strips of %d rows, profile A5, SIMD target %s\n", argv[1], p.cols, p.rows, kStrip,
         pto_context_target(context));
  printf("TCOLEXPANDDIV, TPOW, TPARTADD, TPRELU, TRSQRT: %.2f ms, %.0f megapixels per second through the whole chain\n",
         1e3 * seconds, pixels / seconds);
  show_a_mistake(&p);
  printf("before and after: %s\n", argv[2]);
  free(mean.pixels);
  free(p.pixels);
  free(original.pixels);
  pto_context_release(context);
  return pto_live_handles() == 0 ? 0 : 1;
}
