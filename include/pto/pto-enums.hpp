// The enumerations and constants of the PTO interface, with their values. Those that this library has no instruction
// for yet are here so that sources which name them compile. Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_ENUMS_HPP_
#define PTO_PTO_ENUMS_HPP_

#include "pto/pto-base.hpp"

// Enumerators have the names of the ISA, whatever a build defines.
#pragma push_macro("NONE")
#undef NONE

namespace pto {
inline namespace PTO_CPP_ABI {

// Whether a matrix product continues or ends with this instruction.
enum class AccPhase : uint8_t { Unspecified = 0, Unknown = 0, Partial = 2, Final = 3 };

// How an accumulator is shared out between two vector cores.
enum class AccToVecMode : uint8_t { SingleModeVec0 = 0, SingleModeVec1 = 1, DualModeSplitM = 2, DualModeSplitN = 3 };

// What TSTORE does with what is there already.
enum class AtomicType : uint8_t { AtomicNone = 0, AtomicAdd = 1 };

// Order of the boxes, or of the elements of an unboxed tile.
enum class BLayout : int { RowMajor = 0, ColMajor = 1 };

// Roundings of the conversion unit.
enum class CastMode : int {
  EXPAND = 0,
  ROUND = 1,
  ROUND_SAT = 2,
  ROUND_PART = 3,
  ROUND_SAT_PART = 4,
  SAT_PART = 5,
  SAT_ROUND = 6,
};

// Generations of the NPU.
enum class ChipArch : uint8_t { A2A3 = 0, A5 = 1, KIRIN9030 = 2, KIRINX90 = 3, A6 = 4, UNKNOWN = 255 };

// Comparisons of TCMP and its kin.
enum class CmpMode : uint8_t { EQ = 0, NE = 1, LT = 2, LE = 3, GT = 4, GE = 5 };

// What a gather or a scatter moves for one index.
enum class Coalesce : uint8_t { Row = 0, Elem = 1 };

// How the NPU packs boxed tiles in memory. Elements keep their coordinates, and this library its layout.
enum class CompactMode : int { Null = 0, Normal = 1, RowPlusOne = 2, RowAlignedPadding = 3 };

// Where a dequantisation takes its factors from.
enum class DequantType : int { SCALAR = 0, TENSOR = 1 };

// Ways of a queue between cores.
enum Direction : uint8_t {
  UNDEFINED = 0,
  DIR_C2V = 1,
  DIR_V2C = 2,
  DIR_BOTH = 3,
  DIR_V2C_CTRL = 4,
  DIR_C2V_GM = 5,
  DIR_V2C_GM = 6,
  DIR_BOTH_GM = 7,
};

// Order of an arg reduction.
enum class ElementCmp : int { CMP_LT = 0, CMP_BT = 1 };

// Where a queue between cores lives.
enum class FIFOType : uint8_t { GM_FIFO = 0, VEC_FIFO = 1, MAT_FIFO = 2, CTRL_FIFO = 3 };

// Direction of a gather.
enum class GatherAxis : uint8_t { GATHER_ROW = 0, GATHER_COL = 1 };

// What a gather does with an index out of bounds.
enum class GatherOOB : uint8_t { Undefined = 0, Clamp = 1, Wrap = 2, Zero = 3 };

// The byte that a histogram counts.
enum class HistByte : uint8_t { BYTE_0 = 0, BYTE_1 = 1, BYTE_2 = 2, BYTE_3 = 3 };

// Layout of a tensor in global memory. The library has ND and DN.
enum class Layout : int {
  ND = 0,
  DN = 1,
  NZ = 2,
  SCALE = 3,
  MX_A_ND = 4,
  MX_A_DN = 5,
  MX_A_ZZ = 6,
  MX_B_ND = 7,
  MX_B_DN = 8,
  MX_B_NN = 9,
  HIF4_A_ZZ = 10,
  HIF4_B_NN = 11,
  NC1HWC0 = 12,
  GNC1HWC0 = 13,
  NCHW = 14,
  GNCHW = 15,
  NHWC = 16,
  NDC1HWC0 = 17,
  NCDHW = 18,
  FRACTAL_Z = 19,
  FRACTAL_Z_S16S8 = 20,
  FRACTAL_Z_3D = 21,
  MAX = 22,
};

// Layouts of what leaves the accumulator.
enum class LayoutMode_t : uint8_t { NZ2NZ = 0, NZ2ND = 1, NZ2DN = 2 };

// Which elements of each group a mask keeps.
enum class MaskPattern : uint8_t { P0101 = 1, P1010 = 2, P0001 = 3, P0010 = 4, P0100 = 5, P1000 = 6, P1111 = 7 };

// Formats of quantisation with block scales.
enum class MxQuantAlg : int { OcpMxFp8E4M3 = 0, NvMxFp8E4M3 = 1, OcpMxFp4E2M1 = 2, NvMxFp4E2M1 = 3, Hif4 = 4 };

// Generations that have a memory model.
enum class NPUArch : int { A2A3 = 0, A5 = 1 };

// Names of instructions, for events: first the names of the NPU, with one per path of a unit, then libpto's names for
// any path.
enum class Op : uint16_t {
  TLOAD = 0,
  TSTORE_VEC = 1,
  SCALAR = 2,
  TRESHAPE = 3,
  VECTOR = 4,
  TADD = 5,
  TADDS = 6,
  TAXPY = 7,
  TSUB = 8,
  TMUL = 9,
  TMULS = 10,
  TDIV = 11,
  TDIVS = 12,
  TMIN = 13,
  TMINS = 14,
  TMAX = 15,
  TAND = 16,
  TOR = 17,
  TSEL = 18,
  TSHL = 19,
  TSHR = 20,
  TEXP = 21,
  TSELS = 22,
  TSQRT = 23,
  TRSQRT = 24,
  TEXPANDS = 25,
  TEXPANDS_MAT = 26,
  TPARTADD = 27,
  TPARTMUL = 28,
  TPARTMAX = 29,
  TPARTMIN = 30,
  TPOW = 31,
  TPOWS = 32,
  TCMPS = 33,
  TMRGSORT = 34,
  TSORT32 = 35,
  TCI = 36,
  TGATHER = 37,
  TGATHERB = 38,
  TCVT = 39,
  TROWSUM = 40,
  TROWPROD = 41,
  TROWMAX = 42,
  TROWMIN = 43,
  TROWEXPAND = 44,
  TRANDOM = 45,
  TCOLSUM = 46,
  TCOLPROD = 47,
  TCOLMAX = 48,
  TCOLMIN = 49,
  TTRANS = 50,
  TTRI = 51,
  TREM = 52,
  TFMOD = 53,
  TREMS = 54,
  TFMODS = 55,
  TSUBS = 56,
  TMAXS = 57,
  TLRELU = 58,
  TPRELU = 59,
  TMOV_V2V = 60,
  TMOV_V2M = 61,
  TEXTRACT_V2M = 62,
  TMOV_M2B = 63,
  TMOV_M2L = 64,
  TMOV_M2R = 65,
  TMOV_M2S = 66,
  TMOV_A2V = 67,
  TMOV_A2M = 68,
  TSTORE_ACC = 69,
  TSTORE_MAT = 70,
  TMATMUL = 71,
  TGEMV = 72,
  TEXTRACT_M2LR = 73,
  TANDS = 74,
  TORS = 75,
  TSHLS = 76,
  TSHRS = 77,
  TXOR = 78,
  TXORS = 79,
  TEXTRACT_A2M = 80,
  TINSERT_A2M = 81,
  TIMG2COL = 82,
  SETFMATRIX = 83,
  SET_IMG2COL_RPT = 84,
  SET_IMG2COL_PADDING = 85,
  TCONCAT = 86,
  TDEQUANT = 87,
  TADDDEQRELU = 88,
  TABS = 89,
  TNEG = 90,
  TRELU = 91,
  TNOT = 92,
  TLOG = 93,
  TRECIP = 94,
  TCMP = 95,
  TSCATTER = 96,
  TCOLEXPAND = 97,
  TCOLEXPANDDIV = 98,
  TCOLEXPANDMUL = 99,
  TCOLEXPANDADD = 100,
  TCOLEXPANDMAX = 101,
  TCOLEXPANDMIN = 102,
  TCOLEXPANDSUB = 103,
  TCOLEXPANDEXPDIF = 104,
  TROWEXPANDDIV = 105,
  TROWEXPANDMUL = 106,
  TROWEXPANDSUB = 107,
  TROWEXPANDADD = 108,
  TROWEXPANDMAX = 109,
  TROWEXPANDMIN = 110,
  TROWEXPANDEXPDIF = 111,
  TPAIRREDUCESUM = 112,
  TSUBRELUCONV = 113,
  TADDRELUCONV = 114,
  TFUSEDMULADD = 115,
  TMULADDDST = 116,
  TSUBRELU = 117,
  TFUSEDMULADDRELU = 118,
  TPARTARGMAX = 119,
  TPARTARGMIN = 120,
  TCOLARGMAX = 121,
  TCOLARGMIN = 122,
  TROWARGMAX = 123,
  TROWARGMIN = 124,
  TPREFETCH = 125,
  TFILLPAD_VEC = 126,
  TFILLPAD_MAT = 127,
  MGATHER_VEC = 128,
  MGATHER_MAT = 129,
  MSCATTER = 130,
  TQUANT = 131,
  THISTOGRAM = 132,
  TINTERLEAVE = 133,
  TDEINTERLEAVE = 134,
  OP_COUNT = 135,
  TMOV,
  TSTORE,
};

// What an instruction that pads writes outside the valid region; PadValueCustom() makes others.
enum class PadValue : uint64_t { Null = 0, Zero = 1, Max = 2, Min = 3, CustomBase = uint64_t{1} << 32 };

// How TPRINT writes numbers.
enum class PrintFormat : uint8_t { Width8_Precision4 = 0, Width8_Precision2 = 1, Width10_Precision6 = 2 };

// Conversions of what leaves the accumulator.
enum QuantMode_t : int {
  NoQuant = 0,
  F322F16 = 1,
  F322BF16 = 16,
  DEQF16 = 5,
  VDEQF16 = 4,
  QF322B8_PRE = 24,
  QF322F16_PRE = 32,
  QF322BF16_PRE = 34,
  VQF322B8_PRE = 23,
  QS322BF16_PRE = 35,
  VQS322BF16_PRE = 36,
  REQ8 = 3,
  VREQ8 = 2,
  VSHIFTS322S16 = 12,
  SHIFTS322S16 = 13,
};

// How block scales are chosen.
enum class QuantScaleAlg : int { OCP = 0, NV = 1 };

// Formats of TQUANT.
enum class QuantType : int { MXFP8 = 0, MXFP4_E2M1 = 1, INT8_SYM = 2, INT8_ASYM = 3 };

// Whether results are clipped above after a ReLU. No instruction here does it.
enum ClipReluMode_t : uint8_t { NOCLIP_RELU = 0, CLIP_RELU = 1 };

// Whether negative values are cut off on the way.
enum class ReluPreMode : uint8_t { NoRelu = 0, NormalRelu = 1 };

// Roundings of TCVT and its kin.
enum class RoundMode : uint8_t {
  CAST_NONE = 0,
  CAST_RINT = 1,
  CAST_ROUND = 2,
  CAST_FLOOR = 3,
  CAST_CEIL = 4,
  CAST_TRUNC = 5,
  CAST_ODD = 6,
};

// Order of the elements inside a box.
enum class SLayout : int { NoneBox = 0, RowMajor = 1, ColMajor = 2 };

// Whether a store ends a matrix product.
enum class STPhase : uint8_t { Unspecified = 0, Partial = 2, Final = 3 };

// Whether conversions saturate.
enum class SaturationMode : uint8_t { ON = 0, OFF = 1 };

// What a scatter does with what is there already.
enum class ScatterAtomicOp : uint8_t { None = 0, Add = 1, Max = 2, Min = 3 };

// Direction of a scatter.
enum class ScatterAxis : uint8_t { SCATTER_ROW = 0, SCATTER_COL = 1 };

// Which of several elements for one place a scatter keeps.
enum class ScatterConflict : uint8_t { Last = 0, Default = 1 };

// What a scatter does with an index out of bounds.
enum class ScatterOOB : uint8_t { Undefined = 0, Skip = 1, Clamp = 2, Wrap = 3 };

// Which feature map is set, and by whom.
enum class SetFmatrixMode : int {
  FMATRIX_A_AUTO = 0,
  FMATRIX_B_AUTO = 1,
  FMATRIX_A_MANUAL = 2,
  FMATRIX_B_MANUAL = 3,
};

// How all cores wait for each other.
enum class SyncAllMode : uint8_t { Hard = 0, Soft = 1 };

// Which cores wait for each other.
enum class SyncCoreType : uint8_t { AIVOnly = 0, AICOnly = 1, Mix = 2 };

// Whether a copy shares elements.
enum class TCopyMode : uint8_t { SHALLOW_COPY = 0, DEEP_COPY = 1 };

// Whether TFILLPAD copies, stays in place or widens.
enum class TFillPadMode : uint8_t { Normal = 0, InPlace = 1, Expand = 2 };

// In how many parts TINSERT writes.
enum class TInsertMode : uint8_t { SPLIT2 = 2, SPLIT4 = 3 };

// Layouts of a tile by one name.
enum class TileLayoutCustom : uint8_t { ND = 0, DN = 1, NZ = 2, ZN = 3, ZZ = 4, NONE = 5 };

// How a tile is shared out between two vector cores.
enum TileSplitAxis : uint8_t {
  TILE_NO_SPLIT = 0,
  TILE_UP_DOWN = 1,
  TILE_LEFT_RIGHT = 2,
  TILE_UP_DOWN_ODD = 3,
  TILE_LEFT_RIGHT_ODD = 4,
};

// The on-chip memory that a tile lives in. No tile of this library lives in Ctrl.
enum class TileType : int {
  Vec = 0,
  Mat = 1,
  Left = 2,
  Right = 3,
  Acc = 4,
  Bias = 5,
  Scaling = 6,
  ScaleLeft = 7,
  ScaleRight = 8,
  Ctrl = 9,
};

// Direction of a queue between cores.
enum class TransferDir : uint8_t { None = 0, C2V = 1, V2C = 2 };

// Vector cores beside a matrix core.
enum class VecCubeRatio : uint8_t { V1C1_VEC0 = 0, V1C1_VEC1 = 1, V2C1_VECS = 2 };

// Layout of what vector cores hand to each other.
enum class VecStoreMode : int { ND = 0, NZ = 1 };

// How exact an instruction is. The pages in docs/ops have the bound of each algorithm.
enum class DivAlgorithm : uint8_t { DEFAULT = 0, HIGH_PRECISION = 1 };
enum class ExpAlgorithm : uint8_t { DEFAULT = 0, HIGH_PRECISION = 1 };
enum class FmodAlgorithm : uint8_t { DEFAULT = 0, HIGH_PRECISION = 1 };
enum class FmodSAlgorithm : uint8_t { DEFAULT = 0, HIGH_PRECISION = 1 };
enum class LogAlgorithm : uint8_t { DEFAULT = 0, HIGH_PRECISION = 1 };
enum class PowAlgorithm : uint8_t { DEFAULT = 0, HIGH_PRECISION = 1 };
enum class RecipAlgorithm : uint8_t { DEFAULT = 0, HIGH_PRECISION = 1 };
enum class RemAlgorithm : uint8_t { DEFAULT = 0, HIGH_PRECISION = 1 };
enum class RemSAlgorithm : uint8_t { DEFAULT = 0, HIGH_PRECISION = 1 };
enum class RsqrtAlgorithm : uint8_t { DEFAULT = 0, HIGH_PRECISION = 1 };
enum class SqrtAlgorithm : uint8_t { DEFAULT = 0, HIGH_PRECISION = 1 };

// The enumerators have short names, so `using namespace pto` does not reach them.
namespace memory_region {
enum MemoryRegion : int {
  REG = 0,
  UB = 1,
  L1 = 2,
  L0A = 3,
  L0B = 4,
  L0C = 5,
  L0A_MX = 6,
  L0B_MX = 7,
  _MAX_REGIONS = 8,
};
}  // namespace memory_region
using memory_region::MemoryRegion;

namespace comm {

// Where a collective unit takes its input from.
enum class CcuInputSource : uint8_t { HostManaged = 0, AivStored = 1 };

// What runs a collective operation.
enum class CollEngine : uint8_t { AIV = 0, CCU = 1 };

// What moves data between cores.
enum class DmaEngine : uint8_t { SDMA = 0, URMA = 1, RDMA = 2 };

// What a notification does with its counter.
enum class NotifyOp : uint8_t { AtomicAdd = 0, Set = 1 };

// Network cards.
enum class RdmaBackend : uint32_t { NONE = 0, HNS_1825 = 1 };

// What a collective reduction computes.
enum class ReduceOp : uint8_t { Sum = 0, Max = 1, Min = 2 };

// What a wait compares its counter with.
enum class WaitCmp : uint8_t { EQ = 0, NE = 1, GT = 2, GE = 3, LT = 4, LE = 5 };

}  // namespace comm
using comm::CcuInputSource;
using comm::CollEngine;
using comm::DmaEngine;
using comm::NotifyOp;
using comm::RdmaBackend;
using comm::ReduceOp;
using comm::WaitCmp;

// Sizes that kernels compute with, in bytes or elements; the names show which.
inline constexpr int NUM_1 = 1;
inline constexpr int NUM_4 = 4;
inline constexpr int NUM_8 = 8;
inline constexpr int NUM_12 = 12;
inline constexpr int NUM_16 = 16;
inline constexpr int NUM_32 = 32;
inline constexpr int NUM_64 = 64;
inline constexpr int NUM_77 = 77;
inline constexpr int NUM_96 = 96;
inline constexpr int NUM_128 = 128;
inline constexpr int NUM_256 = 256;
inline constexpr int NUM_512 = 512;
inline constexpr int BLOCK_BYTE_SIZE = 32;
inline constexpr int BLOCK_LEN = 16;
inline constexpr int C0_SIZE_BYTE = 32;
inline constexpr int FRACTAL_NZ_ROW = 16;
inline constexpr int CUBE_BLOCK_SIZE = 512;
inline constexpr int ACC_C0_SIZE = 16;
inline constexpr int REPEAT_BYTE = 256;
inline constexpr int REPEAT_MAX = 255;
inline constexpr int MX_COL_LEN = 2;
inline constexpr int MX_ROW_LEN = 16;
inline constexpr int MX_BLOCK_SIZE = 32;
inline constexpr int HIF4_COL_LEN = 4;
inline constexpr int HIF4_ROW_LEN = 16;
inline constexpr int HIF4_BLOCK_SIZE = 64;

// The dimensions of a tensor, from the outermost one on.
namespace GlobalTensorDim {
inline constexpr int DIM_0 = 0;
inline constexpr int DIM_1 = 1;
inline constexpr int DIM_2 = 2;
inline constexpr int DIM_3 = 3;
inline constexpr int DIM_4 = 4;
inline constexpr int TOTAL_DIM = 5;
}  // namespace GlobalTensorDim
using GlobalTensorDim::TOTAL_DIM;

// Shapes of boxes and of the operands of the matrix unit.
struct TileConfig {
  static constexpr int alignedSize = 32;
  static constexpr int fixedRowSize = 16;
  static constexpr int fixedColSize = 16;
  static constexpr int fixedMxRowSize = 16;
  static constexpr int fixedMxColSize = 2;
  static constexpr int fractalABSize = 512;
  static constexpr int fractalCSize = 1024;
  static constexpr int fractalMxSize = 32;
};

// State of TRANDOM.
using TRandomKey = uint32_t[2];
using TRandomCounter = uint32_t[4];

// How many elements of each run TMRGSORT has merged.
struct MrgSortExecutedNumList {
  uint16_t mrgSortList0;
  uint16_t mrgSortList1;
  uint16_t mrgSortList2;
  uint16_t mrgSortList3;
};

// A pad value of your own: the bits of one element of the tile's type.
template <typename T_>
constexpr PadValue PadValueCustom(T_ value) noexcept {
  uint32_t bits = 0;
  if constexpr (std::is_same_v<T_, half> || std::is_same_v<T_, bfloat16_t>) {
    bits = value.bits();
  } else if constexpr (std::is_floating_point_v<T_>) {
    bits = pto_detail::BitCast<uint32_t>(float(value));
  } else {
    static_assert(std::is_integral_v<T_> && sizeof(T_) <= 4,
                  "PadValueCustom: the value is a number of at most 32 bits");
    bits = uint32_t(std::make_unsigned_t<T_>(value));
  }
  return PadValue(uint64_t(PadValue::CustomBase) | bits);
}
// The same from the encoding of a 16-bit type.
constexpr PadValue PadValueCustom16(uint16_t bits) noexcept { return PadValueCustom(bits); }
template <auto kValue>
inline constexpr PadValue PadCustom = PadValueCustom(kValue);

// Whether a pad value is of PadValueCustom(), and the bits of it.
constexpr bool isCustomPadValue(PadValue pad) noexcept { return uint64_t(pad) >> 32 == 1; }
constexpr uint32_t getCustomPadBits(PadValue pad) noexcept { return uint32_t(uint64_t(pad) & 0xffffffffU); }

}  // namespace PTO_CPP_ABI
}  // namespace pto

#pragma pop_macro("NONE")

#endif  // PTO_PTO_ENUMS_HPP_
