// The state that an instruction object keeps of its last call, so that the next one checks only what may have changed.
//
// Check() depends on the record, on what the object holds (it forgets all of this when one of its operands is set), on
// the context's profile, and on the tiles: on what their versions count. A tile gets a new version, one that no other
// tile of the process ever had, when it is made, when its valid region is set and when it is given an address. So a
// call whose tiles have the versions of the last call has its verdict, too, and its grid.
//
//   pto_inst_run()
//     |  versions, profile and target as they were?
//     |- no:  Execute(): the test of the usual call, or all rules; keeps what it found
//     '- yes: the block with its ten words, if the call is one; else what Execute() does after its test
#ifndef PTO_SRC_ENGINE_KEPT_H_
#define PTO_SRC_ENGINE_KEPT_H_

#include <cstdint>

#include "src/kernels/kernels.h"
#include "src/objects/context.h"
#include "src/objects/fp_env.h"
#include "src/objects/tile.h"

namespace pto {

class alignas(64) Kept {
 public:
  void Forget() { kernels_ = nullptr; }

  // The call passed its test. Not inlined into the code of each instruction, here and below.
  [[gnu::noinline]] void Keep(const pto_context& ctx, pto_tile* const* tiles) {
    kernels_ = ctx.kernels;
    profile_ = ctx.profile;
    words_.block = nullptr;
    count_ = 0;
    for (int i = 0; i < kMaxTiles; ++i) {
      if (tiles[i] != nullptr) tiles_[count_++] = {tiles[i], tiles[i]->version};
    }
  }
  // The same of a call that is one grid; not kept if the grid takes more than one call of a block. `scalar` is where
  // the grid finds a scalar.
  [[gnu::noinline]] void KeepGrid(const pto_context& ctx, pto_tile* const* tiles, const Kernel& kernel,
                                  const Grid& grid, const uint64_t* scalar, bool rounds) {
    // Call() decides what it calls and with which words: here functions that note them at the place of dst.
    Kernel notes = kernel;
    notes.block = Note<false>;
    if (kernel.uniform != nullptr) notes.uniform = Note<true>;
    notes.drive = [](const Kernel&, const Grid&) {};
    Words words{};
    Grid noted = grid;
    noted.dst = &words;
    Call(notes, noted);
    if (words.block == nullptr) return Forget();
    Keep(ctx, tiles);
    words_ = words;
    words_.block = words.block == notes.block ? kernel.block : kernel.uniform;
    words_.dst = grid.dst;
    rounds_ = rounds;
    scalar_ = *scalar;
    for (const void** at : {&words_.a, &words_.b, &words_.c}) {
      if (*at == scalar) *at = &scalar_;
    }
  }

  // Whether the last call's verdict holds for one in this context.
  bool Fits(const pto_context& ctx) const {
    if (ctx.kernels != kernels_ || ctx.profile != profile_) return false;
    uint64_t changed = 0;
    for (int i = 0; i < count_; ++i) changed |= tiles_[i].tile->version ^ tiles_[i].version;
    return changed == 0;
  }
  bool has_block() const { return words_.block != nullptr; }
  void RunBlock() const {
    const DefaultFpEnv fp_env(rounds_);
    const Words& w = words_;
    w.block(w.dst, w.a, w.b, w.dst_line, w.a_line, w.b_line, w.lines, w.count, w.c, w.c_line);
  }

 private:
  struct Words {
    Block block;
    void* dst;
    const void* a;
    const void* b;
    ptrdiff_t dst_line;
    ptrdiff_t a_line;
    ptrdiff_t b_line;
    size_t lines;
    size_t count;
    const void* c;
    ptrdiff_t c_line;
  };
  template <bool uniform>
  static void Note(void* words, const void* a, const void* b, ptrdiff_t dst_line, ptrdiff_t a_line, ptrdiff_t b_line,
                   size_t lines, size_t count, const void* c, ptrdiff_t c_line) {
    *static_cast<Words*>(words) = {Note<uniform>, nullptr, a, b, dst_line, a_line, b_line, lines, count, c, c_line};
  }
  struct Version {
    const pto_tile* tile;
    uint64_t version;
  };

  // In the order in which a call reads them, in as few cache lines as there can be.
  const KernelTable* kernels_ = nullptr;  // nullptr: nothing is kept
  Profile profile_ = Profile::kCpu;
  bool rounds_ = false;
  int count_ = 0;
  Words words_ = {};
  Version tiles_[kMaxTiles] = {};  // that are not absent
  uint64_t scalar_ = 0;
};

}  // namespace pto

#endif  // PTO_SRC_ENGINE_KEPT_H_
