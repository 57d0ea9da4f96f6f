#include "sha256.h"

#include <stdio.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>
#define SHA256_X86
#endif

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t k_words[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t word, int bits) { return word >> bits | word << (32 - bits); }

#ifdef SHA256_X86
static int has_sha_instructions(void) {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_1) != 0 && __get_cpuid_count(7, 0, &a, &b, &c, &d) &&
         (b & bit_SHA) != 0;
}

/* What add_blocks() computes, by the instructions for it: the state is two vectors, of the words 0, 1, 4, 5 and 2, 3,
 * 6, 7, from the highest lane on; the words of the message are four, of four each. */
__attribute__((target("sha,sse4.1"))) static void add_blocks_x86(uint32_t *state, const unsigned char *block,
                                                                 size_t blocks) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  const __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1);
  const __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1B);
  __m128i abef = _mm_alignr_epi8(low, high, 8);
  __m128i cdgh = _mm_blend_epi16(high, low, 0xF0);
  for (; blocks > 0; --blocks, block += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i) {
      w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)block + i), big_endian);
    }
    for (int i = 0; i < 16; ++i) {
      const __m128i now = w[i % 4];
      const __m128i sum = _mm_add_epi32(now, _mm_loadu_si128((const __m128i *)(k_words + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
      const __m128i w9 = _mm_alignr_epi8(w[(i + 3) % 4], w[(i + 2) % 4], 4);
      w[i % 4] = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(now, w[(i + 1) % 4]), w9), w[(i + 3) % 4]);
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}
#endif

static void add_block(uint32_t *state, const unsigned char *block) {
  uint32_t w[64], s[8];
  for (int i = 0; i < 16; ++i) {
    const unsigned char *b = block + 4 * (size_t)i;
    w[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
  }
  for (int i = 16; i < 64; ++i) {
    const uint32_t x = w[i - 15], y = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) + (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
  }
  memcpy(s, state, sizeof s);
  for (int i = 0; i < 64; ++i) {
    const uint32_t t = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
                       ((s[4] & s[5]) ^ (~s[4] & s[6])) + k_words[i] + w[i];
    const uint32_t u =
        (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    /* Not memmove(): the words stay in registers. */
    for (int k = 7; k > 0; --k) s[k] = s[k - 1];
    s[4] += t;
    s[0] = t + u;
  }
  for (int i = 0; i < 8; ++i) state[i] += s[i];
}

static void add_blocks(sha256 *sha, const unsigned char *block, size_t blocks) {
#ifdef SHA256_X86
  if (sha->instructions) {
    add_blocks_x86(sha->state, block, blocks);
    return;
  }
#endif
  for (; blocks > 0; --blocks, block += sizeof sha->block) add_block(sha->state, block);
}

void sha256_init(sha256 *sha) {
  /* The same of the square roots of the first 8. */
  static const uint32_t k_first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(sha->state, k_first, sizeof k_first);
  sha->bytes = 0;
#ifdef SHA256_X86
  sha->instructions = has_sha_instructions();
#endif
}

void sha256_update(sha256 *sha, const void *data, size_t bytes) {
  const unsigned char *next = data;
  while (bytes > 0) {
    const size_t at = sha->bytes % sizeof sha->block;
    const size_t room = sizeof sha->block - at;
    size_t now = bytes < room ? bytes : room;
    if (at == 0 && now == room) {
      now = bytes - bytes % room;
      add_blocks(sha, next, now / room);
    } else {
      memcpy(sha->block + at, next, now);
      if (now == room) add_blocks(sha, sha->block, 1);
    }
    sha->bytes += now;
    next += now;
    bytes -= now;
  }
}

void sha256_final(sha256 *sha, char *hex) {
  const uint64_t bits = sha->bytes * 8;
  unsigned char length[8];
  for (int i = 0; i < 8; ++i) length[i] = (unsigned char)(bits >> (56 - 8 * i));
  sha256_update(sha, "\x80", 1);
  while (sha->bytes % 64 != 56) sha256_update(sha, "", 1);
  sha256_update(sha, length, sizeof length);
  for (int i = 0; i < 8; ++i) snprintf(hex + 8 * (size_t)i, 9, "%08x", (unsigned)sha->state[i]);
}
