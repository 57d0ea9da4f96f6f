// pto::Record(): what a kernel does as a program, which does the same again, and what is said of it.
#include <pto/pto-inst.hpp>
#include <pto/pto-launch.hpp>
#include <pto/pto-record.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "check.h"

using namespace pto;

namespace {

constexpr int kRows = 8;
constexpr int kCols = 16;
constexpr size_t kCount = kRows * kCols;
using TileT = Tile<TileType::Vec, float, kRows, kCols>;
using GlobalT = GlobalTensor<float, Shape<1, 1, 1, kRows, kCols>, Stride<1, 1, 1, kCols, 1>>;

std::vector<float> Numbers(size_t count = kCount) {
  std::vector<float> numbers(count);
  for (size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(i % 23) / 4 - 2;
  return numbers;
}

// Whether nothing was found; what was is printed.
bool None(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) std::fprintf(stderr, "%s\n", finding.text.c_str());
  return findings.empty();
}

bool Contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

int Lines(const std::string& text, const char* word) {
  int count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

// The first race.
std::string Race(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    if (finding.rule == "sync-race") return finding.message;
  }
  return "";
}

// The program runs without a word and leaves what the kernel left.
template <typename T>
void CheckReplay(Recording& recording, const std::vector<T>& out) {
  CHECK(recording.Run() == PTO_OK);
  CHECK(None(recording.Findings()));
  const void* const there = recording.Replayed(out.data());
  CHECK(there != nullptr && std::memcmp(there, out.data(), out.size() * sizeof(T)) == 0);
}

// Which flag is left out: 0 none, 1 of the load, 2 of the result, 3 the last wait.
void Scale(float* to, const float* from, int left_out) {
  GlobalT in(const_cast<float*>(from));
  GlobalT out(to);
  TileT x, y;
  TASSIGN(x, 0x400);
  TASSIGN(y, 0x800);
  TLOAD(x, in);
  if (left_out != 1) {
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  }
  TMULS(y, x, 1.5F);
  TEXP(y, y);
  if (left_out != 2) {
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID3);
    if (left_out != 3) wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID3);
  }
  TSTORE(out, y);
}

void TestKernel() {
  const std::vector<float> in = Numbers();
  std::vector<float> out(kCount);
  // The earlier contents of the addresses do not matter: all of it is written.
  for (int times = 0; times < 2; ++times) {
    Recording recording = Record([&] { Scale(out.data(), in.data(), 0); });
    CHECK(out[3] > 0 && Contains(recording.Text(), "pto.tmuls ins("));
    CHECK(Contains(recording.Text(), "pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID3>]"));
    CHECK(Contains(recording.Text(), "arith.constant 2048 : i64"));
    CheckReplay(recording, out);
    CHECK(Contains(recording.Report(), "</html>") && Contains(recording.Report(), "pto.texp"));
    CHECK(pto_program_event_count(recording.program(), PTO_EVENT_PART_EVENTS) == 4 + 2 * times);
    CHECK(Contains(recording.Trace(), "\"tmuls\""));
    CHECK(None(recording.Lint()));
    CHECK(None(recording.CheckSync()));
    CheckReplay(recording, out);
    CHECK(recording.Replayed(in.data()) != nullptr && recording.Replayed(&recording) == nullptr);
  }
}

void TestSync() {
  const std::vector<float> in = Numbers();
  std::vector<float> out(kCount);
  const auto check = [&](int left_out) { return CheckSync([&] { Scale(out.data(), in.data(), left_out); }); };
  CHECK(None(check(0)));
  std::vector<Finding> found = check(1);
  CHECK(found.size() == 1 && found[0].error && found[0].rule == "sync-race");
  CHECK(Contains(found[0].message,
                 "TMULS (V) reads bytes 0 to 511 of the Vec tile of 8x16 f32 at 0x400, which TLOAD (MTE2) at "));
  CHECK(Contains(found[0].message, "insert set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0) after "));
  found = check(2);
  CHECK(found.size() == 1 && found[0].rule == "sync-race" && Contains(found[0].message, "TSTORE (MTE3) reads"));
  found = check(3);
  CHECK(found.size() == 2 && found[0].rule == "sync-left-set" && !found[0].error && found[1].rule == "sync-race");
  // Between two pipes an event is a flag; a barrier of all pipes is all that some need.
  const auto events = [&](bool wait) {
    return CheckSync([&] {
      GlobalT from(const_cast<float*>(in.data()));
      GlobalT to(out.data());
      TileT x, y;
      TASSIGN(x, 0x400);
      TASSIGN(y, 0x800);
      Event<Op::TLOAD, Op::TMULS> loaded;
      Event<Op::TMULS, Op::TEXP> scaled;
      Event<Op::TEXP, Op::TSTORE_VEC, false, EVENT_ID5> done;
      for (int i = 0; i < 3; ++i) {
        loaded = TLOAD(x, from);
        scaled = TMULS(y, x, 1.5F, loaded);
        done = TEXP(y, y, scaled);
        if (wait) {
          TSYNC(done);
        } else {
          TSYNC<Op::TEXP>();
        }
        TSTORE(to, y);
        pipe_barrier(PIPE_ALL);
      }
    });
  };
  CHECK(None(events(true)));
  CHECK(!events(false).empty() && events(false)[0].rule == "sync-race");
  found = CheckSync([&] { wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0); });
  CHECK(!found.empty() && found[0].rule == "sync-never-set");
  // Elements that the kernel sets come from the scalar unit.
  const auto set = [&](bool flag) {
    return CheckSync([&] {
      TileT x, y;
      TASSIGN(x, 0x400);
      TASSIGN(y, 0x800);
      TEXPANDS(x, 2.0F);
      set_flag(PIPE_V, PIPE_S, EVENT_ID0);
      wait_flag(PIPE_V, PIPE_S, EVENT_ID0);
      x.SetElement(1, 1, 7.0F);
      if (flag) {
        set_flag(PIPE_S, PIPE_V, EVENT_ID0);
        wait_flag(PIPE_S, PIPE_V, EVENT_ID0);
      }
      TEXP(y, x);
    });
  };
  CHECK(Race(set(true)) == "" && Contains(Race(set(false)), "TEXP (V) reads bytes"));
}

// Under A2A3 dependent instructions of V need a barrier, for which an event within V is enough. A5 has no such barrier.
void TestHazards() {
  enum class Order { kNone, kBarrier, kEvent, kInstruction };
  const std::vector<float> in = Numbers();
  std::vector<float> out(kCount);
  const auto check = [&](pto_profile profile, Order order) {
    SetProfile(profile);
    const std::vector<Finding> found = CheckSync([&] {
      GlobalT from(const_cast<float*>(in.data()));
      GlobalT to(out.data());
      TileT x, y;
      TASSIGN(x, 0x400);
      TASSIGN(y, 0x800);
      TLOAD(x, from);
      set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
      wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
      Event<Op::TABS, Op::TEXP> done;
      if (order == Order::kEvent) {
        done = TABS(y, x);
        TEXP(y, y, done);
      } else {
        TABS(y, x);
        if (order == Order::kBarrier) pipe_barrier(PIPE_V);
        if (order == Order::kInstruction) TSYNC<Op::TABS>();
        TEXP(y, y);
      }
      set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
      wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
      TSTORE(to, y);
    });
    SetProfile(PTO_PROFILE_CPU);
    return found;
  };
  for (const Order order : {Order::kNone, Order::kBarrier, Order::kEvent, Order::kInstruction}) {
    CHECK(None(check(PTO_PROFILE_CPU, order)));
    const std::vector<Finding> a2a3 = check(PTO_PROFILE_A2A3, order);
    const bool missing = order == Order::kNone;
    CHECK(a2a3.size() == (missing ? 1U : 0U));
    CHECK(!missing || (a2a3[0].error && a2a3[0].rule == "sync-hazard" &&
                       Contains(a2a3[0].message, "insert pipe_barrier(PIPE_V) before ")));
    const std::vector<Finding> a5 = check(PTO_PROFILE_A5, order);
    const bool refused = order == Order::kBarrier || order == Order::kInstruction;
    CHECK(a5.size() == (refused ? 1U : 0U));
    CHECK(!refused || (!a5[0].error && a5[0].rule == "sync-barrier"));
  }
}

// Writes of the kernel without instructions are in the program, too.
void TestOwnWrites() {
  std::vector<float> in = Numbers();
  std::vector<float> out(kCount);
  for (const bool placed : {false, true}) {
    TileT x, y;
    Tile<TileType::Acc, float, 16, 16, BLayout::ColMajor, 16, 16, SLayout::RowMajor, 1024> sum;
    Tile<TileType::Vec, float, 16, 16> all;
    if (placed) {
      TASSIGN(x, 0x2000);
      TASSIGN(y, 0x3000);
      TASSIGN(sum, 0x0);
      TASSIGN(all, 0x4000);
    }
    x.SetElement(0, 0, 4.5F);
    x.SetElement(7, 15, -0.0F);
    sum.SetElement(3, 2, 11.0F);
    std::vector<float> sums(256);
    Recording recording = Record([&] {
      GlobalT from(in.data());
      GlobalT to(out.data());
      GlobalTensor<float, Shape<1, 1, 1, 16, 16>, Stride<1, 1, 1, 16, 1>> to_sums(sums.data());
      TSTORE(to_sums, sum);
      TLOAD(y, from);
      TADD(y, y, x);
      from.SetElement(5, placed ? 99.0F : 98.0F);
      y.SetElement(2, 3, 8.0F);
      y.SetElement(2, 4, y.GetElement(2, 3) + 1);
      TMUL(y, y, x);
      TLOAD(x, from);
      TADD(y, y, x);
      TSTORE(to, y);
    });
    CheckReplay(recording, out);
    CheckReplay(recording, sums);
    CHECK(sums[50] == 11.0F);
    CHECK(Contains(recording.Text(), "pto.store_scalar") && Contains(recording.Text(), "pto.tsetval"));
    CHECK(Contains(recording.Text(), "_before") == placed);
  }
}

// Types with layouts and extents of their own; memory that ends where the valid region does.
void TestShapes() {
  using TailT = Tile<TileType::Vec, half, 16, 32, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
  using RowsT = GlobalTensor<half, Shape<1, 1, 1, 16, 32>, Stride<1, 1, 1, 32, 1>>;
  constexpr size_t kValid = 4 * 32 + 20;  // five rows, the last of 20
  const auto in = std::make_unique<half[]>(kValid);
  std::vector<half> out(kValid);
  for (size_t i = 0; i < kValid; ++i) in[i] = half(static_cast<float>(i));
  Recording tail = Record([&] {
    TailT tile(5, 20);
    RowsT from(in.get());
    RowsT to(out.data());
    TLOAD(tile, from);
    tile.SetValidShape(3, 16);
    TADDS(tile, tile, half(1));
    tile.SetValidShape(5, 20);
    TSTORE(to, tile);
  });
  CheckReplay(tail, out);
  CHECK(Contains(tail.Text(), "pto.bind_tile") && Contains(tail.Text(), "valid=3x16"));

  // A product, with a matrix by columns; saturating conversion, a pattern, a compare: modes.
  using Left = TileLeft<half, 16, 16>;
  using Right = TileRight<half, 16, 16>;
  using Acc = TileAcc<float, 16, 16>;
  using MatT = Tile<TileType::Mat, half, 16, 16, BLayout::ColMajor, 16, 16, SLayout::RowMajor>;
  std::vector<half> a(256), b(256);
  std::vector<float> c(256);
  for (size_t i = 0; i < 256; ++i) a[i] = half(static_cast<float>(i % 7)), b[i] = half(static_cast<float>(i % 5) - 1);
  Recording product = Record([&] {
    GlobalTensor<half, Shape<1, 1, 1, 16, 16>, Stride<1, 1, 1, 16, 1>> rows(a.data());
    GlobalTensor<half, Shape<1, 1, 1, 16, 16>, Stride<1, 1, 1, 1, 16>, Layout::DN> columns(b.data());
    GlobalTensor<float, Shape<1, 1, 1, 16, 16>, Stride<1, 1, 1, 16, 1>> to(c.data());
    MatT from_rows, from_columns;
    Left left;
    Right right;
    Acc acc;
    TLOAD(from_rows, rows);
    TLOAD(from_columns, columns);
    TMOV(left, from_rows);
    TMOV(right, from_columns);
    TMATMUL(acc, left, right);
    TMATMUL_ACC(acc, acc, left, right);
    TSTORE(to, acc);
  });
  CheckReplay(product, c);
  CHECK(Contains(product.Text(), "{layout = #pto.layout<dn>}") && Contains(product.Text(), "slayout=col_major"));

  std::vector<float> wide = Numbers(256);
  std::vector<int8_t> narrow(256);
  Recording modes = Record([&] {
    Tile<TileType::Vec, float, 8, 32> x;
    Tile<TileType::Vec, int8_t, 8, 32> y;
    GlobalTensor<float, Shape<1, 1, 1, 8, 32>, Stride<1, 1, 1, 32, 1>> from(wide.data());
    GlobalTensor<int8_t, Shape<1, 1, 1, 8, 32>, Stride<1, 1, 1, 32, 1>> to(narrow.data());
    TLOAD(x, from);
    TABS(x, x);
    TSQRT<SqrtAlgorithm::HIGH_PRECISION>(x, x);
    TCVT(y, x, RoundMode::CAST_FLOOR, SaturationMode::OFF);
    TSTORE(to, y);
  });
  CheckReplay(modes, narrow);
  CHECK(Contains(modes.Text(), "{precision_mode = HIGH_PRECISION}"));
  CHECK(Contains(modes.Text(), "{rmode = FLOOR, sat_mode = OFF}"));
}

void TestMergeSort() {
  // A struct that an instruction writes is a tile of one row.
  std::vector<float> in(256), out(256);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(in.size() - i);
  using ListT = Tile<TileType::Vec, float, 1, 128>;
  using AllT = Tile<TileType::Vec, float, 1, 256>;
  Recording recording = Record([&] {
    GlobalTensor<float, Shape<1, 1, 1, 1, 128>, Stride<1, 1, 1, 128, 1>> one(in.data());
    GlobalTensor<float, Shape<1, 1, 1, 1, 128>, Stride<1, 1, 1, 128, 1>> two(in.data() + 128);
    GlobalTensor<float, Shape<1, 1, 1, 1, 256>, Stride<1, 1, 1, 256, 1>> to(out.data());
    ListT a, b;
    AllT both, tmp;
    MrgSortExecutedNumList executed{9, 9, 9, 9};
    TLOAD(a, one);
    TLOAD(b, two);
    TMRGSORT<AllT, AllT, ListT, ListT, false>(both, executed, tmp, a, b);
    CHECK(executed.mrgSortList0 == 64 && executed.mrgSortList1 == 64);
    TSTORE(to, both);
  });
  CheckReplay(recording, out);
}

void TestLaunch() {
  const std::vector<float> in = Numbers(4 * kCount);
  for (int threads = 1; threads < 3; ++threads) {
    SetThreads(threads);
    std::vector<float> out(4 * kCount);
    const auto kernel = [&](int overlap) {
      const int64_t block = get_block_idx();
      Scale(out.data() + block * static_cast<int64_t>(kCount - static_cast<size_t>(overlap)),
            in.data() + block * static_cast<int64_t>(kCount), 0);
    };
    {
      Recording recording;
      pto_context* const before = CurrentContext();
      recording.Of([&] { Launch(4, kernel, 0); });
      CHECK(CurrentContext() == before);
      CHECK(Contains(recording.Text(), "pto.get_block_idx") && Lines(recording.Text(), "scf.if") == 4);
      CheckReplay(recording, out);
      CHECK(None(recording.CheckSync()));
    }
    // The output of blocks has their order.
    ClearOutput();
    Recording printing = Record([] {
      Launch(2, [] {
        Tile<TileType::Vec, int32_t, 1, 8> tile;
        TEXPANDS(tile, static_cast<int32_t>(get_block_idx() + 5));
        TPRINT(tile);
      });
    });
    CHECK(Lines(Output(), "TPRINT") == 2 && Output().find(" 5") < Output().find(" 6"));
    const std::vector<Finding> found = CheckSync([&] { Launch(4, kernel, 2); });
    CHECK(!found.empty() && found[0].rule == "sync-blocks");
  }
  SetThreads(1);
}

// An image is a tensor to a recording, whole or not.
void TestImage() {
  using Image = ConvTile<TileType::Mat, float, 64, Layout::NC1HWC0, ConvTileShape<1, 1, 2, 4, 8>>;
  static float memory[64];
  GlobalTensor<float, Shape<1, 1, 2, 4, 8>, Stride<64, 64, 32, 8, 1>, Layout::NC1HWC0> global(memory);
  Image image;
  Tile<TileType::Left, float, 16, 8, BLayout::ColMajor, 8, 8, SLayout::RowMajor> left;
  memory[63] = 7;
  Recording recording = Record([&] {
    TLOAD(image, global);
    TIMG2COL(left, image);
    TSTORE(global, image);
  });
  CHECK(left(7, 7) == 7 && recording.Run() == PTO_OK);
  CHECK(Lines(recording.Text(), "pto.tload ") == 2 && Lines(recording.Text(), "pto.tstore ") == 2);
  CHECK(Lines(recording.Text(), "pto.timg2col ") == 1);
  // To the checker of synchronisation each is one instruction of its pipe.
  const auto ordered = [&](int left_out) {
    return CheckSync([&] {
      const auto order = [&](int number, pipe_t from, pipe_t to) {
        if (number == left_out) return;
        set_flag(from, to, EVENT_ID0);
        wait_flag(from, to, EVENT_ID0);
      };
      decltype(left) fresh;
      TLOAD(image, global);
      order(0, PIPE_MTE2, PIPE_MTE1);
      order(1, PIPE_MTE2, PIPE_MTE3);
      TIMG2COL(fresh, image);
      TSTORE(global, image);
      order(2, PIPE_MTE3, PIPE_MTE2);
      order(3, PIPE_MTE1, PIPE_MTE2);
      TLOAD(image, global);
    });
  };
  CHECK(None(ordered(-1)));
  for (const int left_out : {1, 2}) {
    const std::vector<Finding> found = ordered(left_out);
    CHECK(found.size() == 1 && found[0].rule == "sync-race");
  }
  // The elements that TIMG2COL reads are unknown: no race is reported on them, and no wait for them is useless.
  CHECK(None(ordered(0)) && None(ordered(3)));
  Image other;
  TileT aside;
  CHECK(None(CheckSync([&] {
    TLOAD(image, global);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    TTRANS(other, image, aside);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
    TSTORE(global, other);
  })));
  // Loads and stores of images, and what gives scales their address, wait for the events that they are given.
  TileLeft<float8_e4m3_t, 16, 64> matrix;
  TileLeftScale<float8_e8m0_t, 16, 2> scales;
  Recording waiting = Record([&] {
    Event<Op::TLOAD, Op::TSTORE_VEC> loaded = TLOAD(image, global);
    TSTORE(global, image, loaded);
    TLOAD(image, global, loaded);
    TGET_SCALE_ADDR(scales, matrix, loaded);
  });
  CHECK(Lines(waiting.Text(), "pto.wait_flag") == 3);
}

#if !defined(PTO_NO_EXCEPTIONS)
template <typename Call>
std::string RuleOf(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.rule() + ": " + error.message();
  }
  return "";
}

void TestErrors() {
  TileT x;
  Tile<TileType::Vec, float, 4, 4, BLayout::RowMajor, DYNAMIC, DYNAMIC> other(2, 2);
  Recording recording;
  const auto broken = [&] {
    TEXPANDS(x, 1.0F);
    TADD(x, x, other);
  };
  const std::string rule = RuleOf(broken);
  CHECK(rule.find("valid-covers") == 0);
  CHECK(RuleOf([&] { recording.Of(broken); }) == rule);
  // The program fails where the kernel did, and its report shows it.
  CHECK(recording.Run() != PTO_OK && recording.Findings().back().rule == "valid-covers");
  CHECK(Contains(recording.Report(), "valid-covers"));
  // Recording has ended, and exceptions that are not from the library pass, too.
  bool caught = false;
  try {
    Recording().Of([] { throw 5; });
  } catch (int) {
    caught = true;
  }
  CHECK(caught);
  TEXPANDS(x, 1.0F);
  CHECK(Lines(recording.Text(), "texpands") == 1);

  CHECK(Contains(RuleOf([&] { Recording().Of([&] { Record(broken); }); }), "recording: a recording within"));
  // Data that passes through the caller's own bytes would be recorded without its source.
  ConvTile<TileType::Vec, int4b_t, 64, Layout::NC1HWC0, ConvTileShape<1, 1, 1, 2, 32>> packed;
  ConvTile<TileType::Vec, int4b_t, 64, Layout::NCHW, ConvTileShape<1, 32, 1, 2>> turned;
  Tile<TileType::Vec, int4b_t, 1, 64> tmp;
  CHECK(
      Contains(RuleOf([&] { Recording().Of([&] { TTRANS(turned, packed, tmp); }); }), "recording: TTRANS of an image"));
  SetBlock(3, 7);
  CHECK(Contains(RuleOf([&] {
                   Recording().Of([&] {
                     TEXPANDS(x, 1.0F);
                     Launch(1, [] {});
                   });
                 }),
                 "recording: a Launch() beside"));
  CHECK(get_block_idx() == 3 && get_block_num() == 7);
  SetBlock(0, 1);
  CHECK(Contains(RuleOf([&] {
                   Recording().Of([&] {
                     Launch(1, [] {});
                     TEXPANDS(x, 1.0F);
                   });
                 }),
                 "recording: an instruction outside"));
  CHECK(Contains(RuleOf([&] {
                   Recording().Of([&] {
                     SetProfile(PTO_PROFILE_A5);
                     TEXPANDS(x, 1.0F);
                   });
                 }),
                 "recording: a kernel that changes"));
  CHECK(pto_context_profile(CurrentContext()) == PTO_PROFILE_A5);
  Recording a5 = Record([&] { TEXPANDS(x, 1.0F); });
  CHECK(Contains(a5.Text(), "pto.target_arch = \"a5\"") && a5.Run() == PTO_OK);
  SetProfile(PTO_PROFILE_CPU);
  CHECK(Contains(RuleOf([&] { a5.Of(broken); }), "recording: a kernel under another profile"));
  // A window is a tile like another where it is whole lines of one with an address.
  Tile<TileType::Vec, float, 4, 16> all;
  Tile<TileType::Vec, float, 4, 16, BLayout::RowMajor, 2, DYNAMIC> window(16);
  TASSIGN(all, 4096);
  TSUBVIEW(window, all, 2, 0);
  Recording lines = Record([&] { TEXPANDS(window, 2.0F); });
  CHECK(all(2, 0) == 2.0F && all(1, 0) == 0.0F && lines.Run() == PTO_OK);
  CHECK(Contains(lines.Text(), "4224"));
  window.SetValidCol(8);
  TSUBVIEW(window, all, 2, 8);
  CHECK(Contains(RuleOf([&] { Recording().Of([&] { TEXPANDS(window, 2.0F); }); }), "recording: a window whose lines"));
  // Nothing was recorded: an empty program.
  CHECK(Recording().Run() == PTO_OK && Recording().Lint("unused-view").empty());
  CHECK(RuleOf([] { Recording().Lint("no such check"); }).find("lint-check") == 0);
}
#endif

}  // namespace

int main() {
  TestKernel();
  TestSync();
  TestHazards();
  TestOwnWrites();
  TestShapes();
  TestMergeSort();
  TestLaunch();
  TestImage();
#if !defined(PTO_NO_EXCEPTIONS)
  TestErrors();
#endif
  return check::Report("record");
}
