// cases.h: what is measured. Every instruction of the table is a case by itself, with operands whose shapes and types
// follow from the table; only the data and a few scalars are defined here.
#ifndef PTO_BENCH_CASES_H_
#define PTO_BENCH_CASES_H_

#include <pto_c.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "peers.h"

namespace bench {

constexpr int64_t kStride = PEER_STRIDE;  // bytes from one operand to the next
constexpr int kSources = 4;               // operands that are read lie first
constexpr int kSlots = kSources + 4;      // what an instruction writes at most

// Operands in huge pages, as malloc() would give them for arrays of this size.
struct Arena {
  Arena();
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  char* Source(int i) const { return bytes + i * kStride; }
  char* Dst(int i = 0) const { return bytes + (kSources + i) * kStride; }
  char* bytes;
};

struct Case {
  int32_t op;
  std::string name;     // the instruction's
  std::string variant;  // "": as it stands; else what is special, after a dot in `peers`; "nz", "nd": what a tile of
                        // Nz becomes, or of ND
  std::string peers;    // the name under which peers list themselves
  std::string dtype;    // "f32", of conversions "f32>f16"
  pto_dtype lead;
  pto_dtype src;    // conversions: the type of the source
  int results = 0;  // slots that are written
};

// Every instruction with every element type that is measured, in the order of the table.
std::vector<Case> AllCases();

// The call on rows x cols valid elements of tiles that are `line` columns wide.
std::function<void()> CallOf(pto_context* ctx, const Arena& arena, const Case& c, int rows, int cols, int line,
                             uint32_t flags = 0);
// The same; nothing where the library refuses it.
std::function<void()> CallIfLegal(pto_context* ctx, const Arena& arena, const Case& c, int rows, int cols, int line,
                                  uint32_t flags = 0);

// Bytes of the first result of n x n.
int64_t ResultBytes(const Case& c, int n);

// Numbers of ordinary use, in the ranges that the instruction is for.
void Fill(const Arena& arena, const Case& c, int64_t count);

// Whether a peer is right: "", "~" where results are not correctly rounded (or, of sums, summed in another order), "x".
std::string MarkOf(pto_context* ctx, const Arena& arena, const Case& c,
                   const std::function<void(int rows, int cols)>& run);

}  // namespace bench

#endif  // PTO_BENCH_CASES_H_
