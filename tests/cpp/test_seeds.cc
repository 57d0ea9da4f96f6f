// The declarations and examples of the instructions' documents, word for word (seeds/*.inc), compiled and run under
// each profile: those in manual mode are given data at the addresses they name and their results are read there.
#include <pto/pto-inst.hpp>

#include <cmath>
#include <string>
#include <type_traits>

#include "../common/profiles.h"
#include "check.h"

namespace tpow_auto {
#include "seeds/tpow_auto.inc"
}
namespace tpow_manual {
#include "seeds/tpow_manual.inc"
}
namespace trsqrt_auto {
#include "seeds/trsqrt_auto.inc"
}
namespace trsqrt_manual {
#include "seeds/trsqrt_manual.inc"
}
namespace tprelu {
#include "seeds/tprelu_example.inc"
}
namespace tpartadd_auto {
#include "seeds/tpartadd_auto.inc"
}
namespace tpartadd_manual {
#include "seeds/tpartadd_manual.inc"
}

// The declarations of the documents; ours is called with the same template arguments.
namespace declared {
using namespace pto;
#include "seeds/tcolexpanddiv_declared.inc"
#include "seeds/tpartadd_declared.inc"
#include "seeds/tpow_declared.inc"
#include "seeds/tprelu_declared.inc"
#include "seeds/trsqrt_declared.inc"
}  // namespace declared

namespace {

using TileT = pto::Tile<pto::TileType::Vec, float, 16, 16>;

// Another name for the tile that an example has at an address.
struct At : TileT {
  explicit At(int64_t address) { pto::TASSIGN(static_cast<TileT&>(*this), address); }
};

// A call that the document's declaration takes is one that ours takes, its template arguments in that order.
#define SAME(...) static_assert(std::is_same_v<decltype(declared::__VA_ARGS__), decltype(pto::__VA_ARGS__)>)
using Wide = pto::Tile<pto::TileType::Vec, float, 16, 32, pto::BLayout::RowMajor, 16, 16>;
using Spare = pto::Tile<pto::TileType::Vec, uint8_t, 17, 32>;
template <typename T>
T& A();
SAME(TCOLEXPANDDIV<TileT, Wide, TileT>(A<TileT>(), A<Wide>(), A<TileT>()));
SAME(TPARTADD<TileT, Wide, TileT>(A<TileT>(), A<Wide>(), A<TileT>()));
SAME(TPRELU<TileT, Wide, TileT, Spare>(A<TileT>(), A<Wide>(), A<TileT>(), A<Spare>()));
SAME(TPOW<pto::PowAlgorithm::HIGH_PRECISION, TileT, Wide, TileT, Spare>(A<TileT>(), A<Wide>(), A<TileT>(), A<Spare>()));
SAME(TPOW<pto::PowAlgorithm::DEFAULT, TileT, TileT, TileT, TileT>(A<TileT>(), A<TileT>(), A<TileT>(), A<TileT>()));
SAME(TRSQRT<TileT>(A<TileT>(), A<TileT>()));
SAME(TRSQRT<TileT, pto::RecordEvent>(A<TileT>(), A<TileT>(), A<pto::RecordEvent>()));

template <typename Value>
void Fill(TileT& tile, Value value) {
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) tile(i, j) = static_cast<float>(value(i, j));
  }
}

template <typename Value>
void Expect(const TileT& tile, Value value) {
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) CHECK(tile(i, j) == static_cast<float>(value(i, j)));
  }
}

// In auto mode an example's tiles are its own: it must run, and release everything. That its tiles are
// used at all shows in manual mode, where they have no storage.
template <typename Example>
void RunAuto(Example example) {
  const int64_t handles = pto_live_handles();
  example();
  CHECK(pto_live_handles() == handles);
  pto::SetMode(pto::Mode::Manual);
  bool refused = false;
  try {
    example();
  } catch (const pto::Error& error) {
    refused = error.rule() == "storage";
  }
  pto::SetMode(pto::Mode::Auto);
  CHECK(refused);
  CHECK(pto_live_handles() == handles);
}

void TestAuto(pto_profile profile) {
  RunAuto(tpow_auto::example_auto);
  RunAuto(trsqrt_auto::example_auto);
  RunAuto(tpartadd_auto::example_auto);
  if (profile != PTO_PROFILE_A2A3) {
    RunAuto(tprelu::example);
    return;
  }
  // The document's tmp has 16 rows where the document wants 17 under A3.
  std::string rule;
  try {
    tprelu::example();
  } catch (const pto::Error& error) {
    rule = error.rule();
  }
  CHECK(rule.rfind("tmp-", 0) == 0);
}

void TestPow() {
  At base(0x1000), exp(0x2000), dst(0x3000);
  Fill(base, [](int i, int) { return 1 + i; });
  Fill(exp, [](int, int j) { return j % 5; });
  tpow_manual::example_manual();
  Expect(dst, [](int i, int j) { return std::pow(1.0 + i, j % 5); });
}

void TestRsqrt() {
  At src(0x1000), dst(0x2000);
  Fill(src, [](int i, int j) { return std::ldexp(1.0, 2 * (i - j)); });
  trsqrt_manual::example_manual();
  Expect(dst, [](int i, int j) { return std::ldexp(1.0, j - i); });
}

void TestPartAdd() {
  At src0(0x1000), src1(0x2000), dst(0x3000);
  Fill(src0, [](int i, int j) { return 100 * i + j; });
  Fill(src1, [](int i, int j) { return i - 1000 * j; });
  tpartadd_manual::example_manual();
  Expect(dst, [](int i, int j) { return 101 * i - 999 * j; });
}

// The documents of TPRELU and TCOLEXPANDDIV have no example with data or none at all.
void TestPrelu() {
  TileT x, slope, out;
  Spare tmp;
  Fill(x, [](int i, int j) { return i - j; });
  Fill(slope, [](int, int j) { return 0.25 * j; });
  pto::TPRELU(out, x, slope, tmp);
  Expect(out, [](int i, int j) { return i > j ? i - j : (i - j) * 0.25 * j; });
}

void TestColExpandDiv() {
  TileT dst, src0, src1;
  pto::TASSIGN(src0, 0x1000);
  Fill(src0, [](int i, int j) { return 3 * i * (1 << j % 4); });
  Fill(src1, [](int, int j) { return 1 << j % 4; });
  pto::TCOLEXPANDDIV(dst, src0, src1);
  Expect(dst, [](int i, int) { return 3 * i; });
}

// Every way to write a call: both precisions, explicit types, with and without tmp, with events.
void TestForms() {
  TileT dst, src, tmp;
  Fill(src, [](int i, int) { return 4 << 2 * (i % 8); });
  const auto rooted = [](int i, int) { return 0.5 / (1 << i % 8); };
  pto::Event<pto::Op::TPOW, pto::Op::TRSQRT> event;
  event = pto::TPOW<pto::PowAlgorithm::DEFAULT>(tmp, src, src, tmp);
  pto::RecordEvent record = pto::TRSQRT(dst, src, event);
  Expect(dst, rooted);
  for (int form = 0; form < 5; ++form) {
    Fill(dst, [](int, int) { return 0; });
    switch (form) {
      case 0:
        pto::TRSQRT<TileT>(dst, src);
        break;
      case 1:
        pto::TRSQRT<TileT, pto::RecordEvent>(dst, src, record);
        break;
      case 2:
        pto::TRSQRT(dst, src, tmp);
        break;
      case 3:
        pto::TRSQRT(dst, src, tmp, event, record);
        break;
      default:
        pto::TRSQRT<TileT, TileT, TileT>(dst, src, tmp);
        break;
    }
    Expect(dst, rooted);
  }
  pto::TSYNC(event, record);
  pto::TSYNC<pto::Op::TPOW>();
  pto::set_flag(pto::PIPE_MTE2, pto::PIPE_V, pto::EVENT_ID0);
  pto::wait_flag(pto::PIPE_MTE2, pto::PIPE_V, pto::EVENT_ID0);
  pto::pipe_barrier(pto::PIPE_ALL);
}

// High precision is another algorithm: 1 ulp apart somewhere, where the fast one is wrong.
void TestPrecision() {
  TileT base, exp, fast, exact, tmp;
  Fill(base, [](int i, int j) { return 1.0 + (16 * i + j) / 257.0; });
  Fill(exp, [](int i, int j) { return 0.37 * (i + 1) - 0.11 * j; });
  pto::TPOW(fast, base, exp, tmp);
  pto::TPOW<pto::PowAlgorithm::HIGH_PRECISION>(exact, base, exp, tmp);
  Expect(exact, [&](int i, int j) { return std::pow(double{base(i, j)}, double{exp(i, j)}); });
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) CHECK(std::abs(fast(i, j) - exact(i, j)) <= 0x1p-23F * exact(i, j));
  }
}

}  // namespace

int main() {
  for (const pto_profile profile : ALL_PROFILES) {
    pto::SetProfile(profile);
    TestAuto(profile);
    TestPow();
    TestRsqrt();
    TestPartAdd();
    TestPrelu();
    TestColExpandDiv();
  }
  pto::SetProfile(PTO_PROFILE_CPU);
  TestForms();
  TestPrecision();
  return check::Report("seeds");
}
