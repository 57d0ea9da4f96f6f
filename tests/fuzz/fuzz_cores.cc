// libFuzzer target: the bytes make programs of a cube core and vector cores that pass tiles through pipes and count
// flags, by one history that each core has its part of; some lose or repeat a statement. Tiles are of even extents or
// of odd ones, and may be written to a slot in global memory. In whatever order cores take turns, on any number of
// threads, and with the synchronisation checker, a program ends the same and leaves the same bytes. Without
// errors, these are the bytes that were sent. The second executor (second_cores.h) ends the same with the same
// bytes. Limits hold.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "include/pto_c.h"
#include "tests/fuzz/grammar.h"
#include "tests/fuzz/second_cores.h"

namespace {

std::string program_text;  // of the case under way, for messages

[[noreturn]] void Broken(const std::string& what) {
  std::fprintf(stderr, "broken: %s\n---- the program:\n%s\n", what.c_str(), program_text.c_str());
  std::abort();
}

constexpr int kTile = 32;          // elements of a transfer, and more
constexpr int kMost = 24;          // transfers each way
constexpr int kParts = 3 * kMost;  // of the cube core, of vector core 0 and of vector core 1
constexpr int kTiles = kParts * kTile;
constexpr int kMail = 8;  // numbers each way
constexpr int kResults = kTiles + 8 * kMail;
constexpr int kSlot = 40;                      // elements: a tile fits
constexpr int kBlock = kResults + 16 * kSlot;  // elements that a block writes
constexpr int kBlocks = 3;

enum class Kind { kToVector, kToCube, kFlagToVector, kFlagToCube };

struct Event {
  Kind kind;
  int first;  // number of the transfer in its first round
  int flag;
  bool slot;  // a slot in global memory, not a tile
};

// The events, in a possible order: groups of events, each group several times.
struct Group {
  std::vector<Event> events;
  int rounds;
};

class Crew {
 public:
  explicit Crew(Dice* dice) {
    split_ = static_cast<int>(dice->Below(3));
    handles_ = dice->Below(2) == 0;
    slots_ = static_cast<int>(1 + dice->Below(8));
    halves_ = split_ == 0 || dice->Below(2) == 0 ? split_ : split_ + 2;  // 3 and 4 halve what is even alike
    number_ = static_cast<int>(dice->Below(4));
    // Halves that are not alike; slots in global memory have none.
    odd_ = halves_ > 2 && dice->Below(2) == 0;
    memory_ = dice->Below(4) != 0;
    view_ = memory_ && dice->Below(2) == 0;
    declared_ = dice->Below(2) == 0;
    int sent[2] = {};
    int flags[2] = {};
    for (uint32_t n = 1 + dice->Below(4); n > 0; --n) {
      Group group{{}, static_cast<int>(1 + dice->Below(4))};
      for (uint32_t m = 1 + dice->Below(5); m > 0; --m) {
        const auto kind = static_cast<Kind>(dice->Below(4));
        const bool flag = kind == Kind::kFlagToVector || kind == Kind::kFlagToCube;
        int& count = (flag ? flags : sent)[kind == Kind::kToCube || kind == Kind::kFlagToCube ? 1 : 0];
        if (count + group.rounds > (flag ? kMail - 1 : kMost))
          continue;  // a flag is at most 15 ahead, also where one is set twice
        group.events.push_back({kind, count, static_cast<int>(dice->Below(16)),
                                memory_ && (handles_ || view_) && !odd_ && dice->Below(2) == 0});
        count += group.rounds;
      }
      groups_.push_back(group);
    }
    // A statement of one kind of core is lost or doubled.
    if (dice->Below(4) == 0) {
      wrong_group_ = static_cast<int>(dice->Below(static_cast<uint32_t>(groups_.size())));
      wrong_event_ = static_cast<int>(dice->Below(5));
      wrong_cube_ = dice->Below(2) == 0;
      twice_ = dice->Below(2) == 0;
      push_ = dice->Below(2) == 0;
    }
  }

  bool Good() const { return wrong_group_ < 0; }

  std::string Program() {
    text_ =
        "func.func @main(%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>) attributes {pto.entry, pto.subblock_num = 2} {\n";
    Index("c0", 0), Index("c1", 1), Index("rows", Rows()), Index("cols", Cols()), Index("tile", kTile);
    Index("all", kBlock), Index("most", kMost * kTile), Index("results", kResults);
    text_ +=
        "  %z = arith.constant 0 : i32\n  %block64 = pto.get_block_idx\n  %block = arith.index_cast %block64 : i64 to "
        "index\n"
        "  %begin = arith.muli %block, %all : index\n"
        "  %behind = arith.addi %begin, %results : index\n"
        "  %ring = pto.addptr %dst, %behind : !pto.ptr<f32> -> !pto.ptr<f32>\n";
    Section(true);
    Section(false);
    return std::move(text_ += "  return\n}\n");
  }

  // The results of a block of a program without errors.
  std::vector<float> Expected(const std::vector<float>& src) const {
    std::vector<float> dst(kResults, -1);
    for (const Group& group : groups_) {
      for (const Event& event : group.events) {
        for (int k = event.first; k < event.first + group.rounds; ++k) {
          if (event.kind == Kind::kToVector) Arrives(src.data() + k * kTile, k, event.slot, &dst);
          if (event.kind == Kind::kToCube) Joins(src, k, &dst);
          if (event.kind == Kind::kFlagToVector) Flagged(src, k, false, &dst);
          if (event.kind == Kind::kFlagToCube) Flagged(src, k, true, &dst);
        }
      }
    }
    return dst;
  }

 private:
  int Rows() const { return odd_ && split_ == 1 ? 3 : 4; }
  int Cols() const { return odd_ && split_ == 2 ? 7 : 8; }
  // The part of a vector core, and where it begins.
  int HalfRows(int lane) const { return split_ == 1 ? (Rows() + 1 - lane) / 2 : Rows(); }
  int HalfCols(int lane) const { return split_ == 2 ? (Cols() + 1 - lane) / 2 : Cols(); }
  int RowOf(int lane) const { return split_ == 1 && lane == 1 ? HalfRows(0) : 0; }
  int ColOf(int lane) const { return split_ == 2 && lane == 1 ? HalfCols(0) : 0; }

  // The halves of a tile at vector cores: of one that is not split vector core 1 has zeros, and of a slot nothing.
  void Arrives(const float* sent, int k, bool slot, std::vector<float>* dst) const {
    for (int lane = 0; lane < (split_ == 0 && slot ? 1 : 2); ++lane) {
      float* to = dst->data() + ((1 + lane) * kMost + k) * kTile;
      for (int r = 0; r < HalfRows(lane); ++r) {
        for (int c = 0; c < HalfCols(lane); ++c) {
          const int from = (r + RowOf(lane)) * Cols() + c + ColOf(lane);
          to[r * HalfCols(lane) + c] = split_ == 0 && lane == 1 ? 0 : sent[from];
        }
      }
    }
  }
  // Numbers beside flags: where they were left, and where they were copied to.
  static void Flagged(const std::vector<float>& src, int k, bool to_cube, std::vector<float>* dst) {
    for (int lane = 0; lane < 2; ++lane) {
      const auto at = static_cast<size_t>(kTiles + ((to_cube ? 2 : 0) + lane) * kMail + k);
      const auto sent = static_cast<size_t>(kTiles + (to_cube ? 2 * kMail : 0) + k);
      if (to_cube || lane == 0) (*dst)[at] = src[sent];
      (*dst)[at + 4 * kMail] = src[sent];
    }
  }
  void Joins(const std::vector<float>& src, int k, std::vector<float>* dst) const {
    for (int lane = 0; lane < (split_ == 0 ? 1 : 2); ++lane) {
      const float* sent = src.data() + ((1 + lane) * kMost + k) * kTile;
      float* to = dst->data() + k * kTile + RowOf(lane) * Cols() + ColOf(lane);
      for (int r = 0; r < HalfRows(lane); ++r) {
        for (int c = 0; c < HalfCols(lane); ++c) to[r * Cols() + c] = sent[r * HalfCols(lane) + c];
      }
    }
  }

  void Say(const std::string& line) { text_ += "  " + line + "\n"; }
  void Index(const std::string& name, int64_t value) {
    Say("%" + name + " = arith.constant " + std::to_string(value) + " : index");
  }

  void Section(bool cube) {
    Say(std::string("pto.section.") + (cube ? "cube" : "vector") + " {");
    const std::string slots = slots_ == 4 ? "" : ", slot_num = " + std::to_string(slots_);  // 4 without
    const std::string size = "_pipe {dir_mask = 3, slot_size = " + std::to_string(kSlot * 4) + slots;
    if (view_) {
      Index("size", kSlot);
      Say("%slot = pto.make_tensor_view %ring, shape = [%c1, %size], strides = [%size, %c1] : !pto.tensor_view<1x" +
          std::to_string(kSlot) + "xf32>");
    }
    if (handles_) {
      Say(std::string("%p = pto.initialize_") + (memory_ ? "l2g2l" : "l2l") + size +
          (number_ == 0 ? "" : ", flag_base = " + std::to_string(2 * number_)) +
          (view_ ? "} (%slot, %z, %z : !pto.tensor_view<1x" + std::to_string(kSlot) + "xf32>, i32, i32) -> !pto.pipe"
           : memory_ ? "} (%ring, %z, %z : !pto.ptr<f32>, i32, i32) -> !pto.pipe"
                     : "} (%z, %z : i32, i32) -> !pto.pipe"));
    } else {
      Say(std::string("pto.") + (cube ? "aic" : "aiv") + "_initialize" + size + Id() +
          (view_     ? "} (gm_slot_tensor = %slot : !pto.tensor_view<1x" + std::to_string(kSlot) + "xf32>)"
           : memory_ ? "} (gm_slot_buffer = %ring : !pto.ptr<f32>, "
                     : "} (") +
          (view_ ? "" : "c2v_consumer_buf = %z : i32, v2c_consumer_buf = %z : i32)"));
    }
    if (!cube) {
      Say("%l64 = pto.get_subblock_idx");
      Say("%l = arith.index_cast %l64 : i64 to index");
      Say("%l1 = arith.addi %l, %c1 : index");
      Say("%lane = arith.muli %l1, %most : index");
      Index("mails", kMail);
      Say("%mail = arith.muli %l, %mails : index");
      Say("%first = arith.cmpi eq, %l, %c0 : index");
      // The second half is shorter by one where they are not alike.
      Index("hr0", HalfRows(0)), Index("hc0", HalfCols(0));
      Say("%hr = arith.subi %hr0, " + std::string(odd_ && split_ == 1 ? "%l" : "%c0") + " : index");
      Say("%hc = arith.subi %hc0, " + std::string(odd_ && split_ == 2 ? "%l" : "%c0") + " : index");
    }
    Say("%own = pto.alloc_tile " + Valid(cube) + ": " + Own(cube));
    for (size_t g = 0; g < groups_.size(); ++g) {
      const std::string id = std::to_string(++names_);
      Index("n" + id, groups_[g].rounds);
      Say("scf.for %i" + id + " = %c0 to %n" + id + " step %c1 {");
      for (size_t e = 0; e < groups_[g].events.size(); ++e) {
        const bool wrong =
            static_cast<int>(g) == wrong_group_ && static_cast<int>(e) == wrong_event_ && cube == wrong_cube_;
        const int times = wrong ? (twice_ ? 2 : 0) : 1;
        // Of a part with a slot the push alone may be wrong.
        const bool push = push_ && groups_[g].events[e].slot && Pushes(groups_[g].events[e], cube);
        for (int n = push ? 1 : times; n > 0; --n) Part(groups_[g].events[e], cube, "%i" + id, push ? times : 1);
      }
      Say("}");
    }
    Say("}");
  }

  // Of the pipe; 0 may be left out.
  std::string Id() const { return number_ == 0 ? "" : ", id = " + std::to_string(number_); }
  // The part of a core: all of a tile, or the larger half.
  std::string Extents(bool cube) const {
    return std::to_string(cube ? Rows() : HalfRows(0)) + "x" + std::to_string(cube ? Cols() : HalfCols(0)) + "xf32";
  }
  static std::string Valid(bool cube) { return cube ? "" : "valid_row = %hr valid_col = %hc "; }
  std::string Own(bool cube) const {
    return std::string("!pto.tile_buf<") + (cube ? "acc, " : "vec, ") + Extents(cube) + (cube ? ">" : ", valid=?x?>");
  }

  static bool Pushes(const Event& event, bool cube) { return event.kind == (cube ? Kind::kToVector : Kind::kToCube); }

  // A core's part of an event.
  void Part(const Event& event, bool cube, const std::string& round, int pushes) {
    if (event.kind == Kind::kFlagToVector || event.kind == Kind::kFlagToCube) return Flag(event, cube, round);
    const bool sends = Pushes(event, cube);
    const std::string view = View(event, cube, round, sends ? "%src" : "%dst", sends);
    const std::string type = ViewType(cube);
    if (event.slot) return Slot(cube, sends, view + " : " + type, pushes);
    const std::string peer = cube ? "aiv" : "aic";
    const std::string split = "{split = " + std::to_string(halves_) + (handles_ ? "" : Id()) + "}";
    if (sends) {
      Say("pto.tload ins(" + view + " : " + type + ") outs(%own : " + Own(cube) + ")");
      if (handles_) return Say("pto.tpush(%own, %p : " + Own(cube) + ", !pto.pipe) " + split);
      return Say("pto.tpush_to_" + peer + "(%own : " + Own(cube) + ") " + split);
    }
    const std::string tile = cube ? "!pto.tile_buf<mat, " + Extents(true) + ">" : Own(false);
    const std::string name = "%u" + std::to_string(++names_);
    if (handles_) {
      Say(name + " = pto." + (cube ? "declare_tile -> " : "alloc_tile " + Valid(false) + ": ") + tile);
      Say("pto.tpop(" + name + ", %p : " + tile + ", !pto.pipe) " + split);
    } else {
      Say(name + " = pto.tpop_from_" + peer + (cube ? " " : " (%hr, %hc) ") + split + " -> " + tile);
    }
    Say("pto.tstore ins(" + name + " : " + tile + ") outs(" + view + " : " + type + ")");
    Say(handles_ ? "pto.tfree(%p : !pto.pipe) " + split : "pto.tfree_from_" + peer + " " + split);
  }

  // A tile's way through a slot in global memory. If it is split, vector core 1 has a part of it.
  void Slot(bool cube, bool sends, const std::string& view, int pushes) {
    const std::string type = "!pto.tensor_view<" + Extents(cube) + ">";
    const std::string split = "{split = " + std::to_string(halves_) + "}";
    const std::string name = "%s" + std::to_string(++names_);
    const std::string own = "%own : " + Own(cube);
    const bool first = !cube && split_ == 0;
    const std::string to = std::string(sends ? "_to_" : "_from_") + (cube ? "aiv" : "aic");
    const std::string way = "{split = " + std::to_string(halves_) + Id() + "}";
    if (first) Say("scf.if %first {");
    if (!handles_) {
      Say(name + " = pto." + (sends ? "talloc" : "tpop") + to + " " + way + " -> " + type);
    } else if (declared_) {
      Say(name + " = pto.declare_global -> " + type);
      Say("pto." + std::string(sends ? "talloc" : "tpop") + "(" + name + ", %p : " + type + ", !pto.pipe) " + split);
    } else {
      Say(name + " = pto." + (sends ? "talloc" : "tpop") + "(%p : !pto.pipe) " + split + " -> " + type);
    }
    Say("pto.tload ins(" + (sends ? view : name + " : " + type) + ") outs(" + own + ")");
    Say("pto.tstore ins(" + own + ") outs(" + (sends ? name + " : " + type : view) + ")");
    // The memory of all cores is one, whatever these are.
    if (declared_)
      Say("pto.fence.barrier_all #pto.fence_scope<gm>"), Say("pto.cmo.cacheinvalid all #pto.address_space<gm>");
    for (int n = pushes; n > 0; --n) {
      const std::string what = std::string("pto.") + (sends ? "tpush" : "tfree");
      Say(handles_ ? what + "(" + name + ", %p : " + type + ", !pto.pipe) " + split
                   : what + to + "(" + name + " : " + type + ") " + way);
    }
    if (first) Say("}");
  }

  // A flag announces a number in global memory: the core that waits for it copies the number.
  void Flag(const Event& event, bool cube, const std::string& round) {
    const bool to_cube = event.kind == Kind::kFlagToCube;
    const bool sets = cube != to_cube;
    // The two directions have different flags.
    const std::string statement = std::string("pto.sync.") + (sets ? "set" : "wait") +
                                  (cube ? " <PIPE_FIX>, " : " <PIPE_V>, ") +
                                  std::to_string(event.flag % 8 + (to_cube ? 8 : 0));
    if (!sets) Say(statement);
    // From each vector core, or to each; the cube core has one number for both.
    for (int lane = 0; lane < (cube && to_cube ? 2 : 1); ++lane) {
      const std::string id = std::to_string(++names_);
      Index("a" + id, kTiles + (to_cube ? 2 * kMail : 0) + lane * kMail + event.first);
      Say("%b" + id + " = arith.addi %a" + id + ", " + round + " : index");
      Say("%d" + id + " = arith.addi %b" + id + ", %begin : index");
      Say("%e" + id + " = arith.addi %d" + id + (cube ? ", %c0" : ", %mail") + " : index");
      Index("r" + id, 4 * kMail);
      Say("%f" + id + " = arith.addi %e" + id + ", %r" + id + " : index");
      Say("%x" + id + " = pto.load_scalar " +
          (sets      ? "%src[%b"
           : to_cube ? "%dst[%e"
                     : "%dst[%d") +
          id + "] : !pto.ptr<f32> -> f32");
      Say("pto.store_scalar %x" + id + ", %dst[" + (sets ? "%e" : "%f") + id + "] : f32, !pto.ptr<f32>");
    }
    if (sets) Say(statement);
  }

  std::string ViewType(bool cube) const {
    return "!pto.tensor_view<" + (cube ? Extents(true) : std::string("?x?xf32")) + ">";
  }

  // The place of a transfer in memory: of its core, its number and, of results, its block.
  std::string View(const Event& event, bool cube, const std::string& round, const std::string& memory, bool source) {
    const std::string id = std::to_string(++names_);
    Index("a" + id, event.first);
    Say("%b" + id + " = arith.addi %a" + id + ", " + round + " : index");
    Say("%d" + id + " = arith.muli %b" + id + ", %tile : index");
    Say("%e" + id + " = arith.addi %d" + id + (source ? ", %c0" : ", %begin") + " : index");
    Say("%f" + id + " = arith.addi %e" + id + (cube ? ", %c0" : ", %lane") + " : index");
    Say("%q" + id + " = pto.addptr " + memory + ", %f" + id + " : !pto.ptr<f32> -> !pto.ptr<f32>");
    const std::string rows = cube ? "%rows" : "%hr";
    const std::string cols = cube ? "%cols" : "%hc";
    Say("%v" + id + " = pto.make_tensor_view %q" + id + ", shape = [" + rows + ", " + cols + "], strides = [" + cols +
        ", %c1] : " + ViewType(cube));
    return "%v" + id;
  }

  int split_ = 0;
  bool handles_ = false;
  bool declared_ = false;  // slots have their names before they are there
  int slots_ = 0;
  int halves_ = 0;
  int number_ = 0;
  std::vector<Group> groups_;
  int wrong_group_ = -1;
  int wrong_event_ = 0;
  bool wrong_cube_ = false;
  bool twice_ = false;
  bool push_ = false;
  bool odd_ = false;
  bool memory_ = false;  // pipes have memory for slots
  bool view_ = false;    // a view of the first slot names that memory
  std::string text_;
  int names_ = 0;
};

struct Way {
  unsigned order = 0;  // 0: the usual one
  int threads = 1;
  bool sync = false;
};

struct Outcome {
  pto_status status = PTO_OK;
  std::string rule;
  std::vector<float> dst;
};

Outcome Run(pto_context* ctx, pto_program* program, std::vector<float>* src, int blocks, const Way& way) {
  Outcome outcome;
  outcome.dst.assign(static_cast<size_t>(kBlocks) * kBlock, -1);
  pto_tensor_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.rank = 1;
  for (const bool source : {true, false}) {
    std::vector<float>& memory = source ? *src : outcome.dst;
    desc.dim0 = static_cast<int64_t>(memory.size());
    pto_tensor* tensor = pto_tensor_wrap(ctx, &desc, memory.data(), desc.dim0 * 4);
    pto_program_bind_tensor(ctx, program, source ? "src" : "dst", tensor);
    pto_tensor_release(tensor);
  }
  if (way.order == 0) unsetenv("PTO_CORE_ORDER");
  if (way.order != 0) setenv("PTO_CORE_ORDER", std::to_string(way.order).c_str(), 1);
  pto_program_set_blocks(ctx, program, blocks);
  pto_program_set_threads(ctx, program, way.threads);
  pto_program_set_sync(ctx, program, way.sync ? 1 : 0);
  outcome.status = pto_program_run(ctx, program, nullptr);
  if (outcome.status != PTO_OK) outcome.rule = pto_context_error_rule(ctx);
  return outcome;
}

Outcome Second(const std::string& text, const std::vector<float>& src, int blocks) {
  second::Values args(2);
  for (second::Value& arg : args) {
    arg.memory = std::make_shared<second::Memory>();
    arg.memory->elem = second::ElemOf("f32");
  }
  for (const float number : src) args[0].memory->at.push_back(std::bit_cast<uint32_t>(number));
  args[1].memory->at.assign(static_cast<size_t>(kBlocks) * kBlock, std::bit_cast<uint32_t>(-1.0F));
  Outcome outcome;
  try {
    outcome.rule = second::Crew(blocks, 2, false).Run(text, "main", args, 1000000).rule;
  } catch (const second::Strange& strange) {
    Broken("the second executor does not know " + strange.what);
  }
  for (const uint64_t bits : args[1].memory->at)
    outcome.dst.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  return outcome;
}

// If a wait is missing, numbers may be read too early; tiles arrive through pipes nevertheless.
bool Same(const Outcome& a, const Outcome& b, bool numbers, int blocks = kBlocks) {
  for (int block = 0; block < blocks; ++block) {
    const size_t at = static_cast<size_t>(block) * kBlock;
    const size_t count = numbers ? kBlock : kTiles;
    if (std::memcmp(a.dst.data() + at, b.dst.data() + at, count * sizeof(float)) != 0) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int64_t handles = pto_live_handles();
  Dice dice(data, size);
  const int blocks = static_cast<int>(1 + dice.Below(kBlocks));
  const Way ways[] = {
      {0, 1, false}, {1 + dice.Below(250), 1, false}, {1 + dice.Below(250), 1, true}, {1 + dice.Below(250), 2, false}};
  const auto steps = static_cast<int64_t>(1 + dice.Below(256) * 8);
  Crew crew(&dice);
  program_text = crew.Program();
  std::vector<float> src(kBlock);
  for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<float>(i + 1);
  pto_context* ctx = pto_context_create(PTO_PROFILE_CPU);
  pto_program* program =
      pto_program_parse(ctx, program_text.data(), static_cast<int64_t>(program_text.size()), "cores");
  if (pto_program_check(ctx, program) != PTO_OK) Broken(pto_program_diagnostic_text(program, 0));
  const Outcome first = Run(ctx, program, &src, blocks, ways[0]);
  // A push is missing or doubled, or the wrong pop gets a slot for a tile: other cores end wherever they are then.
  const bool stops = first.rule == "pipe-order" || first.rule == "pipe-tile";
  if (first.status != PTO_OK && first.rule != "deadlock" && (crew.Good() || !stops))
    Broken("a run ends by " + first.rule);
  if (first.status == PTO_OK && crew.Good()) {
    const std::vector<float> expected = crew.Expected(src);
    for (int block = 0; block < blocks; ++block) {
      if (std::memcmp(first.dst.data() + block * kBlock, expected.data(), sizeof(float) * kResults) != 0) {
        Broken("what arrives is what was sent, in block " + std::to_string(block));
      }
    }
  }
  const Outcome second = Second(pto_program_print(ctx, program, PTO_FORM_DPS), src, blocks);
  if (second.rule != first.rule)
    Broken("ends by '" + first.rule + "', in the second executor by '" + second.rule + "'");
  // After a block that does not end no other one begins.
  if (!stops && !Same(second, first, crew.Good(), first.rule.empty() ? kBlocks : 1))
    Broken("the second executor leaves other bytes");
  for (const Way& way : ways) {
    const Outcome other = Run(ctx, program, &src, blocks, way);
    // Of a deadlock on several threads blocks after it may have run.
    const bool same_memory = stops || (way.threads > 1 && first.status != PTO_OK) || Same(other, first, crew.Good());
    const bool races = way.sync && other.rule.starts_with("sync-");  // is said at the end
    if (!same_memory || (other.rule != first.rule && !races)) {
      Broken("order " + std::to_string(way.order) + ", " + std::to_string(way.threads) + " threads" +
             (way.sync ? ", sync" : "") + ": ends by '" + other.rule + "' where it was '" + first.rule + "'" +
             (same_memory ? "" : ", with other results"));
    }
  }
  pto_program_limit_steps(ctx, program, steps);
  const Outcome limited = Run(ctx, program, &src, blocks, ways[steps % 2 == 0 ? 0 : 2]);
  if (limited.status != PTO_OK && limited.rule != "step-limit" && limited.rule != first.rule &&
      !limited.rule.starts_with("sync-")) {
    Broken("a run with a limit ends by " + limited.rule);
  }
  if (pto_program_steps(program) > steps) Broken("the limit of steps holds");
  pto_program_release(program);
  pto_context_release(ctx);
  if (pto_live_handles() != handles) Broken("handles are left");
  return 0;
}
