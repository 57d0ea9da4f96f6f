/* The programs of examples/ as one fused loop each, as one writes them in C; bench/programs.py compiles and times them.
 */
#include <math.h>
#include <stdint.h>

void photo(const float *photo, const float *light, float *out, int64_t rows, int64_t cols) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < cols; ++c) {
      const float from_pivot = powf(photo[r * cols + c] / light[c], 0.9F) - 0.35F;
      out[r * cols + c] = ((from_pivot > 0 ? from_pivot : 0.7F * from_pivot) + 0.35F) * light[c];
    }
  }
}

void softmax(const float *x, float *y, int64_t rows, int64_t cols) {
  for (int64_t r = 0; r < rows; ++r, x += cols, y += cols) {
    float top = -INFINITY, sum = 0;
    for (int64_t c = 0; c < cols; ++c) top = x[c] > top ? x[c] : top;
    for (int64_t c = 0; c < cols; ++c) sum += y[c] = expf(x[c] - top);
    for (int64_t c = 0; c < cols; ++c) y[c] /= sum;
  }
}

void gemm(const _Float16 *a, const _Float16 *b, float *c, int64_t m, int64_t n, int64_t k) {
  for (int64_t i = 0; i < m; ++i) {
    float *line = c + i * n;
    for (int64_t j = 0; j < n; ++j) line[j] = 0;
    for (int64_t p = 0; p < k; ++p) {
      const float x = (float)a[i * k + p];
      for (int64_t j = 0; j < n; ++j) line[j] += x * (float)b[p * n + j];
    }
  }
}

enum { k_width = 64 };

void attention(const _Float16 *q, const _Float16 *k, const _Float16 *v, _Float16 *out, int64_t n) {
  float scores[n], sums[k_width];
  for (int64_t i = 0; i < n; ++i) {
    float top = -INFINITY, sum = 0;
    for (int64_t j = 0; j < n; ++j) {
      float score = 0;
      for (int64_t c = 0; c < k_width; ++c) score += (float)q[i * k_width + c] * (float)k[j * k_width + c];
      scores[j] = score * 0.125F;
      top = scores[j] > top ? scores[j] : top;
    }
    for (int64_t c = 0; c < k_width; ++c) sums[c] = 0;
    for (int64_t j = 0; j < n; ++j) {
      const float weight = expf(scores[j] - top);
      sum += weight;
      for (int64_t c = 0; c < k_width; ++c) sums[c] += weight * (float)v[j * k_width + c];
    }
    for (int64_t c = 0; c < k_width; ++c) out[i * k_width + c] = (_Float16)(sums[c] / sum);
  }
}
