// What kernels written for the NPU and for the ISA's common simulator say beside the plain intrinsics, and what these
// take: each spelling here is one that kernels use.
#define __CPU_SIM  // names that only kernels and hosts of the simulator have
#include <pto/comm/pto_comm_inst.hpp>
#include <pto/pto-launch.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <type_traits>

#include "check.h"
#include "rule_of.h"

using namespace pto;

namespace {

template <typename T, int R = 16, int C = 32>
using Vec = Tile<TileType::Vec, T, R, C>;
using Acc = TileAcc<float, 16, 16>;
template <typename T, int R = 16, int C = 16>
using Nz = Tile<TileType::Mat, T, R, C, BLayout::ColMajor, R, C, SLayout::RowMajor>;
template <typename T, int R, int C>
using Rows = GlobalTensor<T, Shape<1, 1, 1, R, C>, Stride<R * C, R * C, R * C, C, 1>>;

void TestNames() {
  SetBlock(3, 8);
  CHECK(block_idx == 3 && block_num == 8);
  SetBlock(0, 1);
  {
    const cpu_sim::ScopedExecutionContext context(2, 1, 2);
    CHECK(get_block_idx() == 2 && get_subblockid() == 1 && get_subblockdim() == 2);
  }
  CHECK(get_block_idx() == 0 && get_subblockdim() == 1);
  const uint64_t before = get_sys_cnt();
  CHECK(get_sys_cnt() >= before);
  set_intra_block(PIPE_MTE3, 1);
  wait_intra_block(PIPE_V, 1);
  set_ffts_base_addr(uint64_t{0});
  PtoSetWaitFlag<PIPE_V, PIPE_MTE3>();
  int line = 0;
  dcci(&line, cache_line_t::SINGLE_CACHE_LINE, CACHELINE_OUT);
  dsb(DSB_DDR);
  preload(&line, 1);
  static_assert(PTO_CEIL(33, 32) == 64 && PTO_DIV_ROUNDUP(33, 32) == 2);
  static_assert(std::is_same_v<decltype(-half(1.0F)), half>);
  CHECK((-half(1.5F)).bits() == 0xBE00 && (-bfloat16_t(0.0F)).bits() == 0x8000);
  Vec<float> a;
  Vec<float> b;
  a(1, 2) = 3;
  TADD_IMPL(b, a, a);
  pto::TADDS_IMPL(b, b, 1.0F);
  CHECK(b(1, 2) == 7 && __cce_get_tile_ptr(b.data()) == b.data());
}

// Bursts of 32 bytes with gaps, and bursts of bytes that begin at blocks on chip.
void TestCopies() {
  uint8_t memory[256];
  for (int i = 0; i < 256; ++i) memory[i] = static_cast<uint8_t>(i);
  Vec<uint8_t, 8, 32> tile;
  copy_gm_to_ubuf(tile.data(), memory, 0, 2, 1, 1, 2, 0);
  CHECK(tile(0, 0) == 0 && tile(0, 31) == 31 && tile(3, 0) == 64 && tile(1, 0) == 0);
  copy_gm_to_ubuf_align_b8(tile.data(), memory, 0, 3, 5, 0, 0, 2, 0);
  CHECK(tile(1, 0) == 7 && tile(1, 4) == 11 && tile(2, 0) == 14);
  uint8_t back[32] = {};
  copy_ubuf_to_gm_align_b8(back, tile.data(), 0, 3, 5, 0, 0, 0, 1);
  CHECK(back[6] == 7 && back[10] == 11 && back[12] == 14 && back[5] == 0);
}

// An address of on-chip memory may be the number of a byte, as TASSIGN takes it.
void TestCopiesByAddress() {
  uint8_t memory[64];
  for (int i = 0; i < 64; ++i) memory[i] = static_cast<uint8_t>(i + 1);
  Vec<uint8_t, 2, 32> tile;
  TASSIGN(tile, 0x1000);
  auto* const ub = reinterpret_cast<__ubuf__ void*>(0x1000);
  auto* const l1 = reinterpret_cast<__cbuf__ void*>(0x40);
  copy_gm_to_ubuf(ub, memory, 0, 1, 2, 0, 0);
  CHECK(tile(0, 0) == 1 && tile(1, 31) == 64);
  copy_ubuf_to_cbuf(l1, reinterpret_cast<__ubuf__ void*>(0x1020), 0, 1, 1, 0, 0);
  uint8_t back[64] = {};
  copy_cbuf_to_gm(back, l1, 0, 1, 1, 0, 0);
  CHECK(back[0] == 33 && back[31] == 64 && back[32] == 0);
  copy_ubuf_to_gm_align_b8(back, reinterpret_cast<__ubuf__ void*>(0x1000 + 32), 0, 1, 3);
  CHECK(back[0] == 33 && back[2] == 35);
  copy_gm_to_ubuf(nullptr, memory, 0, 1, 1, 0, 0);  // byte 0
  Vec<uint8_t, 1, 32> first;
  TASSIGN(first, 0);
  CHECK(first(0, 1) == 2);
  SetProfile(PTO_PROFILE_A2A3);
  CHECK(RuleOf([&] { copy_gm_to_ubuf(reinterpret_cast<void*>(0xFFFE0), memory, 0, 1, 1, 0, 0); }) == "address-range");
  SetProfile(PTO_PROFILE_CPU);
}

// The device of a host that is built for the simulator.
void TestHost() {
  float* device = nullptr;
  aclrtStream stream = nullptr;
  const float host[4] = {1, 2, 3, 4};
  float back[4] = {};
  CHECK(aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS &&
        aclrtCreateStream(&stream) == ACL_SUCCESS);
  CHECK(aclrtMalloc(&device, sizeof host, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  CHECK(reinterpret_cast<uintptr_t>(device) % 64 == 0);
  aclrtMemset(device, sizeof host, 0, sizeof host);
  aclrtMemcpy(device, sizeof host, host, sizeof host, ACL_MEMCPY_HOST_TO_DEVICE);
  cpu_sim::LaunchKernelMultiCore(2, [&] { device[get_block_idx()] += 10; });
  CHECK(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  aclrtMemcpy(back, sizeof back, device, sizeof host, ACL_MEMCPY_DEVICE_TO_HOST);
  CHECK(back[0] == 11 && back[1] == 12 && back[2] == 3 && back[3] == 4);
  void* pinned = nullptr;
  CHECK(aclrtMallocHost(&pinned, 5) == ACL_SUCCESS && aclrtFreeHost(pinned) == ACL_SUCCESS);
  CHECK(aclrtFree(device) == ACL_SUCCESS && aclrtDestroyStream(stream) == ACL_SUCCESS);
  CHECK(aclrtResetDevice(0) == ACL_SUCCESS && aclFinalize() == ACL_SUCCESS);
  static_assert(HCCL_MAX_RANK_NUM == 64);
  CHECK(cce::printf("%s", "") == 0 && cce::printf("") >= 0);
}

void TestScales() {
  TileLeft<float8_e4m3_t, 16, 64> left;
  CHECK(RuleOf([&] { (void)GetScaleAddr(left.data()); }) == "address-range");
  TASSIGN(left, 0x400);
  CHECK(GetScaleAddr(left.data()) == 0x40);
  TileRight<float8_e4m3_t, 64, 16> right;
  TASSIGN(right, 0x200);
  CHECK(GetScaleAddr(right.data()) == 0x20);
}

// Sums leave the accumulator converted, whether they are added or not.
void TestStores() {
  half memory[256];
  for (half& value : memory) value = half(1);
  Rows<half, 16, 16> to(memory);
  Acc acc;
  acc(1, 2) = 3.0F;
  TSTORE<Acc, decltype(to), AtomicType::AtomicAdd>(to, acc);
  CHECK(memory[18] == 4 && memory[0] == 1);
  TSTORE<Acc, decltype(to), AtomicType::AtomicNone>(to, acc);
  CHECK(memory[18] == 3 && memory[0] == 0);
}

// Bit 48 of the control word of the calling core decides whether halves saturate; the simulator's cookie does the same.
void TestSaturation() {
  half memory[256];
  Rows<half, 16, 16> to(memory);
  Acc acc;
  acc(0, 0) = 70000.0F;
  acc(0, 1) = std::numeric_limits<float>::quiet_NaN();
  const auto stored = [&] {
    TSTORE(to, acc);
    Nz<half> mat;
    TMOV(mat, acc);
    CHECK(mat(0, 0).bits() == memory[0].bits() && mat(0, 1).bits() == memory[1].bits());
    return memory[0].bits() << 16 | memory[1].bits();
  };
  CHECK((get_ctrl() >> 48 & 1) == 1 && stored() == 0x7c007e00);
  set_ctrl(sbitset0(get_ctrl(), 48));
  CHECK(stored() == 0x7bff0000);
  int other = 0;
  Launch(1, [&] { other = stored(); });
  CHECK(other == 0x7c007e00 && stored() == 0x7bff0000);
  cpu_sim::set_task_cookie(0);
  CHECK(stored() == 0x7c007e00);
  cpu_sim::set_task_cookie(uint64_t{1} << 48);
  CHECK(stored() == 0x7bff0000);
  set_ctrl(sbitset1(get_ctrl(), 48));
}

// Mat, Bias and Scaling tiles take less than their valid region holds.
void TestLess() {
  Tile<TileType::Mat, float, 1, 32> row;
  Tile<TileType::Bias, float, 1, 64> bias;
  row(0, 31) = 5;
  bias(0, 32) = 7;
  TMOV(bias, row);
  CHECK(bias(0, 31) == 5 && bias(0, 32) == 7 && pto_tile_valid_cols(bias.handle()) == 64);
  float memory[20 * 20];
  for (float& value : memory) value = 1;
  Rows<float, 20, 20> from(memory);
  Nz<float, 48, 48> mat;
  TEXPANDS(mat, 9.0F);
  TLOAD(mat, from);
  CHECK(mat(19, 19) == 1 && mat(19, 20) == 0 && mat(20, 0) == 0 && mat(47, 47) == 0);
  CHECK(pto_tile_valid_rows(mat.handle()) == 48 && pto_tile_valid_cols(mat.handle()) == 48);
}

void TestQuantise() {
  Vec<float> src;
  for (int r = 0; r < 16; ++r) {
    for (int c = 0; c < 32; ++c) src(r, c) = static_cast<float>((r + 1) * (c - 16));
  }
  using Exp = Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, 16, 1>;
  using Most = Tile<TileType::Vec, float, 16, 8, BLayout::RowMajor, 16, 1>;
  Vec<float8_e4m3_t> codes;
  Vec<int8_t> bytes, flat_bytes;
  Nz<int8_t, 16, 32> boxed;
  Exp exp, exp2, exp3;
  Most max, max2, max3, scale, scale2, scale3;
  Vec<uint8_t, 1, 32> flat_exp;
  Vec<float, 1, 16> flat_max, flat_scale;
  Tile<TileType::Vec, uint8_t, 16, 2, BLayout::RowMajor, 16, 1, SLayout::RowMajor, 32> zz;
  TQUANT<QuantType::MXFP8>(codes, src, &exp, &max, &scale);
  TQUANT<QuantType::MXFP8>(bytes, src, &exp2, &max2, &scale2);
  TQUANT<QuantType::MXFP8>(flat_bytes, src, &flat_exp, &flat_max, &flat_scale);
  TQUANT<QuantType::MXFP8, VecStoreMode::NZ>(boxed, src, &exp3, &max3, &scale3, &zz);
  for (int r = 0; r < 16; ++r) {
    for (int c = 0; c < 32; ++c) {
      const uint8_t code = codes(r, c).bits();
      CHECK(static_cast<uint8_t>(bytes(r, c)) == code && static_cast<uint8_t>(flat_bytes(r, c)) == code);
      CHECK(static_cast<uint8_t>(boxed(r, c)) == code);
    }
    CHECK(exp(r, 0) == flat_exp(0, r) && max(r, 0) == flat_max(0, r) && scale(r, 0) == flat_scale(0, r));
    CHECK(exp(r, 0) == exp2(r, 0) && exp(r, 0) == zz(r, 0) && exp(r, 0) != 0);
  }
  Vec<uint8_t, 1, 32> small_exp;
  Tile<TileType::Vec, float, 1, 8> small;
  CHECK(RuleOf([&] { TQUANT<QuantType::MXFP8>(flat_bytes, src, &small_exp, &small, &small); }) == "group-results");
}

void TestGather() {
  float table[16 * 16];
  for (int i = 0; i < 256; ++i) table[i] = static_cast<float>(i);
  int32_t rows[16];
  for (int i = 0; i < 16; ++i) rows[i] = 15 - i;
  Rows<float, 16, 16> from(table);
  Rows<int32_t, 1, 16> indexes(rows);
  Nz<float> dst;
  MGATHER<Coalesce::Row>(dst, from, indexes);
  CHECK(dst(0, 3) == 243 && dst(15, 0) == 0);
  Tile<TileType::Vec, float, 16, 16> plain;
  Tile<TileType::Vec, int32_t, 1, 16> places;
  for (int i = 0; i < 16; ++i) places(0, i) = i;
  MGATHER<Coalesce::Row, GatherOOB::Clamp, GatherExec::Simt>(plain, from, places);
  MGATHER<Coalesce::Row, GatherOOB::Clamp, GatherExec::Scalar>(plain, from, places);
  CHECK(plain(15, 15) == 255);
}

// Fewer rows of indices than of elements.
void TestScatter() {
  Vec<float, 2, 32> to, from;
  Vec<uint16_t, 1, 32> places;
  for (int i = 0; i < 32; ++i) {
    from(0, i) = static_cast<float>(i + 1);
    from(1, i) = 100;
    places(0, i) = static_cast<uint16_t>(63 - i);
  }
  TSCATTER(to, from, places);
  CHECK(to(1, 31) == 1 && to(1, 0) == 32 && to(0, 0) == 0);
}

// A hint is taken of any types; a tensor is printed, and what is printed appears where it is asked for.
void TestHints() {
  float memory[2 * 3] = {1, 2, 3, 4, 5, 6};
  Rows<float, 2, 3> tensor(memory);
  Vec<half> other;
  TPREFETCH(other, tensor);
  ClearOutput();
  TPRINT(tensor);
  CHECK(Output() == "TPRINT 2x3\n  1.0000   2.0000   3.0000\n  4.0000   5.0000   6.0000\n");
  ClearOutput();
}

// The same on standard output, if the environment asks for it.
void TestPrints() {
  const auto printed = [](const char* where) {
    where == nullptr ? unsetenv("PTO_PRINT") : setenv("PTO_PRINT", where, 1);
    ClearOutput();
    std::fflush(stdout);
    std::FILE* const file = std::tmpfile();
    const int kept = dup(1);
    dup2(fileno(file), 1);
    float memory[2 * 8] = {1, 2};
    Rows<float, 2, 8> tensor(memory);
    Vec<float, 2, 8> tile;
    TLOAD(tile, tensor);
    TPRINT(tile);
    TPRINT<PrintFormat::Width10_Precision6>(tensor);
    std::fflush(stdout);
    dup2(kept, 1);
    close(kept);
    std::string text(static_cast<size_t>(std::ftell(file)), ' ');
    std::rewind(file);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    unsetenv("PTO_PRINT");
    return text;
  };
  CHECK(printed(nullptr).empty() && !Output().empty());
  CHECK(printed("stderr").empty() && !Output().empty());
  const std::string shown = printed("stdout");
  CHECK(Output() == shown && shown.find("1.0000   2.0000") != std::string::npos);
  CHECK(shown.find("1.000000   2.000000") != std::string::npos);
  ClearOutput();
}

struct Spelled {
  static constexpr QuantMode_t QuantPre = F322F16;
  static constexpr ReluPreMode ReluMode = ReluPreMode::NormalRelu;
};
// A slot of a split pipe holds what one vector core has; both spellings of a configuration are read.
void TestPipes() {
  using Down = TPipe<0, static_cast<uint8_t>(DIR_C2V), 16 * 16 * 2, 2>;
  using Up = TPipe<2, DIR_V2C, 8 * 16 * 4, 2>;
  using Params = FixpipeParams<LayoutMode_t::NZ2ND, F322F16, ReluPreMode::NormalRelu>;
  Nz<float> whole;
  Vec<half, 16, 16> first, second;
  LaunchCores(
      1, 2,
      [&] {
        Down down;
        Up up;
        down.prod.setAllocateStatus(true);
        CHECK(RuleOf([&] { down.prod.setRecordStatus(false); }) == "pipe-order");
        Acc acc;
        acc(0, 0) = -1;
        acc(0, 1) = 2.5F;
        TPUSH<Down, Acc, Spelled>(down, acc);
        TPUSH<Down, Acc, Params>(down, acc);
        TPOP<Up, Nz<float>, TILE_UP_DOWN>(up, whole);
        TFREE<Up, TILE_UP_DOWN>(up);
      },
      [&] {
        Down down;
        Up up;
        Vec<float, 8, 16> half_tile;
        TEXPANDS(half_tile, static_cast<float>(1 + get_subblockid()));
        if (get_subblockid() == 0) {
          TPOP<Down, Vec<half, 16, 16>, TILE_NO_SPLIT>(down, first);
          TPOP<Down, Vec<half, 16, 16>, TILE_NO_SPLIT>(down, second);
          TFREE<Down, TILE_NO_SPLIT>(down);
          TFREE<Down, TILE_NO_SPLIT>(down);
        }
        TPUSH<Up, Vec<float, 8, 16>, TILE_UP_DOWN>(up, half_tile);
      });
  CHECK(whole(7, 3) == 1 && whole(8, 3) == 2);
  CHECK(first(0, 0) == 0 && first(0, 1) == 2.5F && second(0, 0) == 0 && second(0, 1) == 2.5F);
}

void TestRanks() {
  comm::CommContext context;
  float window[2][4] = {};
  context.rankId = 0;
  context.windowsIn[0] = reinterpret_cast<uint64_t>(window[0]);
  context.windowsIn[1] = reinterpret_cast<uint64_t>(window[1]);
  CHECK(comm::domain::RemotePtr(&context, &window[0][2], 1) == &window[1][2]);
  comm::Signal signals[2];
  const auto group = comm::ParallelGroup<comm::Signal>::Create(signals, 2, 1);
  CHECK(group.GetSize() == 2 && group.GetRootIdx() == 1 && !group.empty() && &group[1] == &signals[1]);
  int32_t flags[12];
  const comm::Signal2D<2, 3> matrix(flags, 6);
  CHECK(matrix.GetStride(3) == 6);
}

}  // namespace

int main() {
  TestNames();
  TestCopies();
  TestCopiesByAddress();
  TestHost();
  TestScales();
  TestStores();
  TestSaturation();
  TestLess();
  TestQuantise();
  TestGather();
  TestScatter();
  TestHints();
  TestPrints();
  TestPipes();
  TestRanks();
  return check::Report("unchanged");
}
