#include <pto/pto-record.hpp>
#include <cstdio>

using namespace pto;
constexpr int kRows = 16, kCols = 32;
template <typename T, int R = kRows, int C = kCols> using Vec = Tile<TileType::Vec, T, R, C>;
using F = Vec<float>; using H = Vec<half>; using I = Vec<int32_t>; using U = Vec<uint32_t>; using S = Vec<int16_t>;
using US = Vec<uint16_t>; using B = Vec<uint8_t>; using B8 = Vec<int8_t>;
using Row = Vec<float, 1>; using RowI = Vec<int32_t, 1>; using RowU = Vec<uint32_t, 1>; using RowB = Vec<uint8_t, 1>;
using Col = Tile<TileType::Vec, float, kRows, 1, BLayout::ColMajor>;
using ColU = Tile<TileType::Vec, uint32_t, kRows, 1, BLayout::ColMajor>;
using ColI = Tile<TileType::Vec, int32_t, kRows, 1, BLayout::ColMajor>; using ColB = Tile<TileType::Vec, uint8_t, 32, 1, BLayout::ColMajor>;
using Mask = Vec<uint8_t, kRows, 32>;
using Wide = Vec<float, kRows, 2 * kCols>; using Tall = Vec<float, kCols, kRows>; using Places = Vec<int32_t, 1, kRows>;
using Pairs = Vec<float, 1, 128>; using Line = Vec<float, 1, 64>; using LineI = Vec<uint32_t, 1, 64>;
using Four = Vec<float, 1, 512>; using Three = Vec<float, 1, 384>; using Two = Vec<float, 1, 256>;
using Bins = Vec<uint32_t, kRows, 256>; using Counts = Tile<TileType::Vec, int32_t, kRows, 1, BLayout::ColMajor>;
using Left = TileLeft<half, kRows, kCols>; using Right = TileRight<half, kCols, kRows>; using Acc = TileAcc<float, kRows, kRows>;
using LeftRow = TileLeft<half, kRows, kCols, 1, kCols>; using AccRow = TileAcc<float, kRows, kRows, 1, kRows>;
using LeftF = Tile<TileType::Left, float, 16, 16, BLayout::ColMajor, 16, 16, SLayout::RowMajor>;
using Image = ConvTile<TileType::Mat, float, 1024, Layout::NC1HWC0, ConvTileShape<1, 2, 4, 4, 8>>;
using Bias = Tile<TileType::Bias, float, 1, kRows>;
using LeftMx = TileLeft<float8_e4m3_t, kRows, 64>; using RightMx = TileRight<float8_e4m3_t, 64, kRows>;
using LeftScales = TileLeftScale<float8_e8m0_t, kRows, 2>; using RightScales = TileRightScale<float8_e8m0_t, 2, kRows>;
using LeftRowMx = TileLeft<float8_e4m3_t, kRows, 64, 1, 64>; using LeftRowScales = TileLeftScale<float8_e8m0_t, kRows, 2, 1, 2>;
using Mat = Tile<TileType::Mat, half, kRows, kRows, BLayout::ColMajor, kRows, kRows, SLayout::RowMajor>;
using MatF = Tile<TileType::Mat, float, kRows, kRows, BLayout::ColMajor, kRows, kRows, SLayout::RowMajor>;
using MatB = Tile<TileType::Mat, int8_t, kRows, kCols, BLayout::ColMajor, kRows, kRows, SLayout::RowMajor>;
using VecH = Tile<TileType::Vec, half, kRows, kRows>; using VecF = Tile<TileType::Vec, float, kRows, kRows>;
using VecB = Tile<TileType::Vec, int8_t, kRows, 32, BLayout::RowMajor, kRows, kRows>;
using Words = Tile<TileType::Scaling, uint64_t, 1, kRows>;
using Global = GlobalTensor<float, Shape<1, 1, 1, kRows, kCols>, Stride<1, 1, 1, kCols, 1>>;
using GlobalA = GlobalTensor<float, Shape<1, 1, 1, kRows, kRows>, Stride<1, 1, 1, kRows, 1>>;
using GlobalB = GlobalTensor<int8_t, Shape<1, 1, 1, kRows, kRows>, Stride<1, 1, 1, kRows, 1>>;

constexpr uint64_t kWord = 0x3F800000 | uint64_t{1} << 46;
RecordEvent event;
int failed = 0;
void Call0() {
  { F dst; static float src_data[1024] = {}; Global src(src_data); Places indexes; MGATHER<F, Global, Places>(dst, src, indexes); }
  { F dst; static float src_data[1024] = {}; Global src(src_data); Places indexes; MGATHER<F, Global, Places>(dst, src, indexes, event); }
  { F dst; static float src_data[1024] = {}; Global src(src_data); Places indexes; MGATHER(dst, src, indexes); }
  { F dst; static float src_data[1024] = {}; Global src(src_data); Places indexes; MGATHER(dst, src, indexes, event); }
}
void Call1() {
  { F dst; static float src_data[1024] = {}; Global src(src_data); Places indexes; MGATHER<Coalesce::Row, F, Global, Places>(dst, src, indexes); }
  { F dst; static float src_data[1024] = {}; Global src(src_data); Places indexes; MGATHER<Coalesce::Row, F, Global, Places>(dst, src, indexes, event); }
}
void Call2() {
  { F dst; static float src_data[1024] = {}; Global src(src_data); Places indexes; MGATHER<Coalesce::Row, GatherOOB::Clamp, F, Global, Places>(dst, src, indexes); }
  { F dst; static float src_data[1024] = {}; Global src(src_data); Places indexes; MGATHER<Coalesce::Row, GatherOOB::Clamp, F, Global, Places>(dst, src, indexes, event); }
}
void Call6() {
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER<Global, F, Places>(dst, src, indexes); }
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER<Global, F, Places>(dst, src, indexes, event); }
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER(dst, src, indexes); }
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER(dst, src, indexes, event); }
}
void Call7() {
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER<Coalesce::Row, Global, F, Places>(dst, src, indexes); }
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER<Coalesce::Row, Global, F, Places>(dst, src, indexes, event); }
}
void Call8() {
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER<Coalesce::Row, ScatterAtomicOp::Add, Global, F, Places>(dst, src, indexes); }
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER<Coalesce::Row, ScatterAtomicOp::Add, Global, F, Places>(dst, src, indexes, event); }
}
void Call9() {
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER<Coalesce::Row, ScatterAtomicOp::Add, ScatterOOB::Clamp, Global, F, Places>(dst, src, indexes); }
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER<Coalesce::Row, ScatterAtomicOp::Add, ScatterOOB::Clamp, Global, F, Places>(dst, src, indexes, event); }
}
void Call10() {
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER<Coalesce::Row, ScatterAtomicOp::Add, ScatterOOB::Clamp, ScatterConflict::Default, Global, F, Places>(dst, src, indexes); }
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER<Coalesce::Row, ScatterAtomicOp::Add, ScatterOOB::Clamp, ScatterConflict::Default, Global, F, Places>(dst, src, indexes, event); }
}
void Call11() {
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER<Coalesce::Row, Global, F, Places>(dst, src, indexes); }
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER<Coalesce::Row, Global, F, Places>(dst, src, indexes, event); }
}
void Call12() {
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER<Coalesce::Row, ScatterAtomicOp::Add, Global, F, Places>(dst, src, indexes); }
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER<Coalesce::Row, ScatterAtomicOp::Add, Global, F, Places>(dst, src, indexes, event); }
}
void Call13() {
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER<Coalesce::Row, ScatterAtomicOp::Add, ScatterOOB::Clamp, Global, F, Places>(dst, src, indexes); }
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; Places indexes; MSCATTER<Coalesce::Row, ScatterAtomicOp::Add, ScatterOOB::Clamp, Global, F, Places>(dst, src, indexes, event); }
}
void Call14() {
  { Image src; SETFMATRIX<Image, SetFmatrixMode::FMATRIX_B_MANUAL>(src); }
  { Image src; SETFMATRIX<Image, SetFmatrixMode::FMATRIX_B_MANUAL>(src, event); }
  { Image src; SETFMATRIX(src); }
  { Image src; SETFMATRIX(src, event); }
}
void Call15() {
  { Image src; SET_IMG2COL_PADDING<Image, SetFmatrixMode::FMATRIX_B_MANUAL>(src); }
  { Image src; SET_IMG2COL_PADDING<Image, SetFmatrixMode::FMATRIX_B_MANUAL>(src, event); }
  { Image src; SET_IMG2COL_PADDING(src); }
  { Image src; SET_IMG2COL_PADDING(src, event); }
}
void Call16() {
  { Image src; SET_IMG2COL_PADDING<Image, SetFmatrixMode::FMATRIX_B_MANUAL>(src); }
  { Image src; SET_IMG2COL_PADDING<Image, SetFmatrixMode::FMATRIX_B_MANUAL>(src, event); }
  { Image src; SET_IMG2COL_PADDING(src); }
  { Image src; SET_IMG2COL_PADDING(src, event); }
}
void Call17() {
  { Image src; SET_IMG2COL_RPT<Image, SetFmatrixMode::FMATRIX_B_MANUAL>(src); }
  { Image src; SET_IMG2COL_RPT<Image, SetFmatrixMode::FMATRIX_B_MANUAL>(src, event); }
  { Image src; SET_IMG2COL_RPT(src); }
  { Image src; SET_IMG2COL_RPT(src, event); }
}
void Call18() {
  { Image src; SET_IMG2COL_RPT<Image, SetFmatrixMode::FMATRIX_B_MANUAL>(src); }
  { Image src; SET_IMG2COL_RPT<Image, SetFmatrixMode::FMATRIX_B_MANUAL>(src, event); }
  { Image src; SET_IMG2COL_RPT(src); }
  { Image src; SET_IMG2COL_RPT(src, event); }
}
void Call23() {
  { F dst; F src; TABS<F, F>(dst, src); }
  { F dst; F src; TABS<F, F>(dst, src, event); }
  { F dst; F src; TABS(dst, src); }
  { F dst; F src; TABS(dst, src, event); }
}
void Call24() {
  { F dst; F src0; F src1; TADD<F, F, F>(dst, src0, src1); }
  { F dst; F src0; F src1; TADD<F, F, F>(dst, src0, src1, event); }
  { F dst; F src0; F src1; TADD(dst, src0, src1); }
  { F dst; F src0; F src1; TADD(dst, src0, src1, event); }
}
void Call25() {
  { F dst; F src0; F src1; F src2; TADDC<F>(dst, src0, src1, src2); }
  { F dst; F src0; F src1; F src2; TADDC<F>(dst, src0, src1, src2, event); }
  { F dst; F src0; F src1; F src2; TADDC(dst, src0, src1, src2); }
  { F dst; F src0; F src1; F src2; TADDC(dst, src0, src1, src2, event); }
}
void Call26() {
  { H dst; I src0; I src1; F tmp; TADDDEQRELU<H, I, I, F>(dst, src0, src1, 1.0F, tmp); }
  { H dst; I src0; I src1; F tmp; TADDDEQRELU<H, I, I, F>(dst, src0, src1, 1.0F, tmp, event); }
  { H dst; I src0; I src1; F tmp; TADDDEQRELU(dst, src0, src1, 1.0F, tmp); }
  { H dst; I src0; I src1; F tmp; TADDDEQRELU(dst, src0, src1, 1.0F, tmp, event); }
}
void Call27() {
  { H dst; F src0; F src1; TADDRELUCONV<H, F, F>(dst, src0, src1); }
  { H dst; F src0; F src1; TADDRELUCONV<H, F, F>(dst, src0, src1, event); }
  { H dst; F src0; F src1; TADDRELUCONV(dst, src0, src1); }
  { H dst; F src0; F src1; TADDRELUCONV(dst, src0, src1, event); }
}
void Call28() {
  { F dst; F src0; TADDS<F, F>(dst, src0, static_cast<F::DType>(1)); }
  { F dst; F src0; TADDS<F, F>(dst, src0, static_cast<F::DType>(1), event); }
  { F dst; F src0; TADDS(dst, src0, static_cast<F::DType>(1)); }
  { F dst; F src0; TADDS(dst, src0, static_cast<F::DType>(1), event); }
}
void Call29() {
  { F dst; F src0; F src1; TADDSC<F>(dst, src0, static_cast<F::DType>(1), src1); }
  { F dst; F src0; F src1; TADDSC<F>(dst, src0, static_cast<F::DType>(1), src1, event); }
  { F dst; F src0; F src1; TADDSC(dst, src0, static_cast<F::DType>(1), src1); }
  { F dst; F src0; F src1; TADDSC(dst, src0, static_cast<F::DType>(1), src1, event); }
}
void Call31() {
  { I dst; I src0; I src1; TAND<I, I, I>(dst, src0, src1); }
  { I dst; I src0; I src1; TAND<I, I, I>(dst, src0, src1, event); }
  { I dst; I src0; I src1; TAND(dst, src0, src1); }
  { I dst; I src0; I src1; TAND(dst, src0, src1, event); }
}
void Call32() {
  { I dst; I src0; I src1; TAND<I>(dst, src0, src1); }
  { I dst; I src0; I src1; TAND<I>(dst, src0, src1, event); }
  { I dst; I src0; I src1; TAND(dst, src0, src1); }
  { I dst; I src0; I src1; TAND(dst, src0, src1, event); }
}
void Call33() {
  { I dst; I src; TANDS<I, I>(dst, src, static_cast<I::DType>(1)); }
  { I dst; I src; TANDS<I, I>(dst, src, static_cast<I::DType>(1), event); }
  { I dst; I src; TANDS(dst, src, static_cast<I::DType>(1)); }
  { I dst; I src; TANDS(dst, src, static_cast<I::DType>(1), event); }
}
void Call36() {
  { F dst; F src0; TAXPY<F, F>(dst, src0, static_cast<F::DType>(1)); }
  { F dst; F src0; TAXPY<F, F>(dst, src0, static_cast<F::DType>(1), event); }
  { F dst; F src0; TAXPY(dst, src0, static_cast<F::DType>(1)); }
  { F dst; F src0; TAXPY(dst, src0, static_cast<F::DType>(1), event); }
}
void Call39() {
  { RowI dst; TCI<RowI, int32_t, 0>(dst, 1); }
  { RowI dst; TCI<RowI, int32_t, 0>(dst, 1, event); }
}
void Call40() {
  { RowI dst; RowI tmp; TCI<RowI, RowI, int32_t, 0>(dst, 1, tmp); }
  { RowI dst; RowI tmp; TCI<RowI, RowI, int32_t, 0>(dst, 1, tmp, event); }
}
void Call41() {
  { Mask dst; F src0; F src1; TCMP<Mask, F, F>(dst, src0, src1, CmpMode::GE); }
  { Mask dst; F src0; F src1; TCMP<Mask, F, F>(dst, src0, src1, CmpMode::GE, event); }
  { Mask dst; F src0; F src1; TCMP(dst, src0, src1, CmpMode::GE); }
  { Mask dst; F src0; F src1; TCMP(dst, src0, src1, CmpMode::GE, event); }
}
void Call42() {
  { Mask dst; F src0; TCMPS<Mask, F>(dst, src0, static_cast<F::DType>(1), CmpMode::GE); }
  { Mask dst; F src0; TCMPS<Mask, F>(dst, src0, static_cast<F::DType>(1), CmpMode::GE, event); }
  { Mask dst; F src0; TCMPS(dst, src0, static_cast<F::DType>(1), CmpMode::GE); }
  { Mask dst; F src0; TCMPS(dst, src0, static_cast<F::DType>(1), CmpMode::GE, event); }
}
void Call43() {
  { Mask dst; F src0; F src1; TCMPS<Mask, F, F>(dst, src0, src1, CmpMode::GE); }
  { Mask dst; F src0; F src1; TCMPS<Mask, F, F>(dst, src0, src1, CmpMode::GE, event); }
  { Mask dst; F src0; F src1; TCMPS(dst, src0, src1, CmpMode::GE); }
  { Mask dst; F src0; F src1; TCMPS(dst, src0, src1, CmpMode::GE, event); }
}
void Call44() {
  { RowI dst; F src; F tmp; TCOLARGMAX<RowI, F, F>(dst, src, tmp); }
  { RowI dst; F src; F tmp; TCOLARGMAX<RowI, F, F>(dst, src, tmp, event); }
  { RowI dst; F src; F tmp; TCOLARGMAX(dst, src, tmp); }
  { RowI dst; F src; F tmp; TCOLARGMAX(dst, src, tmp, event); }
}
void Call45() {
  { Row dstVal; RowI dstIdx; F src; F tmp; TCOLARGMAX<Row, RowI, F, F>(dstVal, dstIdx, src, tmp); }
  { Row dstVal; RowI dstIdx; F src; F tmp; TCOLARGMAX<Row, RowI, F, F>(dstVal, dstIdx, src, tmp, event); }
  { Row dstVal; RowI dstIdx; F src; F tmp; TCOLARGMAX(dstVal, dstIdx, src, tmp); }
  { Row dstVal; RowI dstIdx; F src; F tmp; TCOLARGMAX(dstVal, dstIdx, src, tmp, event); }
}
void Call46() {
  { RowI dst; F src; F tmp; TCOLARGMIN<RowI, F, F>(dst, src, tmp); }
  { RowI dst; F src; F tmp; TCOLARGMIN<RowI, F, F>(dst, src, tmp, event); }
  { RowI dst; F src; F tmp; TCOLARGMIN(dst, src, tmp); }
  { RowI dst; F src; F tmp; TCOLARGMIN(dst, src, tmp, event); }
}
void Call47() {
  { Row dstVal; RowI dstIdx; F src; F tmp; TCOLARGMIN<Row, RowI, F, F>(dstVal, dstIdx, src, tmp); }
  { Row dstVal; RowI dstIdx; F src; F tmp; TCOLARGMIN<Row, RowI, F, F>(dstVal, dstIdx, src, tmp, event); }
  { Row dstVal; RowI dstIdx; F src; F tmp; TCOLARGMIN(dstVal, dstIdx, src, tmp); }
  { Row dstVal; RowI dstIdx; F src; F tmp; TCOLARGMIN(dstVal, dstIdx, src, tmp, event); }
}
void Call48() {
  { F dst; Row src; TCOLEXPAND<F, Row>(dst, src); }
  { F dst; Row src; TCOLEXPAND<F, Row>(dst, src, event); }
  { F dst; Row src; TCOLEXPAND(dst, src); }
  { F dst; Row src; TCOLEXPAND(dst, src, event); }
}
void Call49() {
  { F dst; F src0; Row src1; TCOLEXPANDADD<F, F, Row>(dst, src0, src1); }
  { F dst; F src0; Row src1; TCOLEXPANDADD<F, F, Row>(dst, src0, src1, event); }
  { F dst; F src0; Row src1; TCOLEXPANDADD(dst, src0, src1); }
  { F dst; F src0; Row src1; TCOLEXPANDADD(dst, src0, src1, event); }
}
void Call50() {
  { F dst; F src0; Row src1; TCOLEXPANDDIV<DivAlgorithm::DEFAULT, F, F, Row>(dst, src0, src1); }
  { F dst; F src0; Row src1; TCOLEXPANDDIV<DivAlgorithm::DEFAULT, F, F, Row>(dst, src0, src1, event); }
  { F dst; F src0; Row src1; TCOLEXPANDDIV(dst, src0, src1); }
  { F dst; F src0; Row src1; TCOLEXPANDDIV(dst, src0, src1, event); }
}
void Call51() {
  { F dst; F src0; Row src1; TCOLEXPANDEXPDIF<F, F, Row>(dst, src0, src1); }
  { F dst; F src0; Row src1; TCOLEXPANDEXPDIF<F, F, Row>(dst, src0, src1, event); }
  { F dst; F src0; Row src1; TCOLEXPANDEXPDIF(dst, src0, src1); }
  { F dst; F src0; Row src1; TCOLEXPANDEXPDIF(dst, src0, src1, event); }
}
void Call52() {
  { F dst; F src0; Row src1; TCOLEXPANDMAX<F, F, Row>(dst, src0, src1); }
  { F dst; F src0; Row src1; TCOLEXPANDMAX<F, F, Row>(dst, src0, src1, event); }
  { F dst; F src0; Row src1; TCOLEXPANDMAX(dst, src0, src1); }
  { F dst; F src0; Row src1; TCOLEXPANDMAX(dst, src0, src1, event); }
}
void Call53() {
  { F dst; F src0; Row src1; TCOLEXPANDMIN<F, F, Row>(dst, src0, src1); }
  { F dst; F src0; Row src1; TCOLEXPANDMIN<F, F, Row>(dst, src0, src1, event); }
  { F dst; F src0; Row src1; TCOLEXPANDMIN(dst, src0, src1); }
  { F dst; F src0; Row src1; TCOLEXPANDMIN(dst, src0, src1, event); }
}
void Call54() {
  { F dst; F src0; Row src1; TCOLEXPANDMUL<F, F, Row>(dst, src0, src1); }
  { F dst; F src0; Row src1; TCOLEXPANDMUL<F, F, Row>(dst, src0, src1, event); }
  { F dst; F src0; Row src1; TCOLEXPANDMUL(dst, src0, src1); }
  { F dst; F src0; Row src1; TCOLEXPANDMUL(dst, src0, src1, event); }
}
void Call55() {
  { F dst; F src0; Row src1; TCOLEXPANDSUB<F, F, Row>(dst, src0, src1); }
  { F dst; F src0; Row src1; TCOLEXPANDSUB<F, F, Row>(dst, src0, src1, event); }
  { F dst; F src0; Row src1; TCOLEXPANDSUB(dst, src0, src1); }
  { F dst; F src0; Row src1; TCOLEXPANDSUB(dst, src0, src1, event); }
}
void Call56() {
  { Row dst; F src; TCOLMAX<Row, F>(dst, src); }
  { Row dst; F src; TCOLMAX<Row, F>(dst, src, event); }
  { Row dst; F src; TCOLMAX(dst, src); }
  { Row dst; F src; TCOLMAX(dst, src, event); }
}
void Call57() {
  { Row dst; F src; TCOLMIN<Row, F>(dst, src); }
  { Row dst; F src; TCOLMIN<Row, F>(dst, src, event); }
  { Row dst; F src; TCOLMIN(dst, src); }
  { Row dst; F src; TCOLMIN(dst, src, event); }
}
void Call58() {
  { Row dst; F src; TCOLPROD<Row, F>(dst, src); }
  { Row dst; F src; TCOLPROD<Row, F>(dst, src, event); }
  { Row dst; F src; TCOLPROD(dst, src); }
  { Row dst; F src; TCOLPROD(dst, src, event); }
}
void Call59() {
  { Row dst; F src; TCOLSUM<Row, F>(dst, src); }
  { Row dst; F src; TCOLSUM<Row, F>(dst, src, event); }
  { Row dst; F src; TCOLSUM(dst, src); }
  { Row dst; F src; TCOLSUM(dst, src, event); }
}
void Call60() {
  { Row dst; F src; F tmp; TCOLSUM<Row, F, F>(dst, src, tmp, false); }
  { Row dst; F src; F tmp; TCOLSUM<Row, F, F>(dst, src, tmp, false, event); }
  { Row dst; F src; F tmp; TCOLSUM(dst, src, tmp, false); }
  { Row dst; F src; F tmp; TCOLSUM(dst, src, tmp, false, event); }
}
void Call61() {
  { Wide dst; F src0; F src1; TCONCAT<Wide, F, F>(dst, src0, src1); }
  { Wide dst; F src0; F src1; TCONCAT<Wide, F, F>(dst, src0, src1, event); }
  { Wide dst; F src0; F src1; TCONCAT(dst, src0, src1); }
  { Wide dst; F src0; F src1; TCONCAT(dst, src0, src1, event); }
}
void Call62() {
  { Wide dst; F src0; F src1; Counts src0Idx; Counts src1Idx; TCONCAT<Wide, F, F, Counts, Counts>(dst, src0, src1, src0Idx, src1Idx); }
  { Wide dst; F src0; F src1; Counts src0Idx; Counts src1Idx; TCONCAT<Wide, F, F, Counts, Counts>(dst, src0, src1, src0Idx, src1Idx, event); }
  { Wide dst; F src0; F src1; Counts src0Idx; Counts src1Idx; TCONCAT(dst, src0, src1, src0Idx, src1Idx); }
  { Wide dst; F src0; F src1; Counts src0Idx; Counts src1Idx; TCONCAT(dst, src0, src1, src0Idx, src1Idx, event); }
}
void Call63() {
  { Wide dst; F src0; F src1; Counts dstIdx; Counts src0Idx; Counts src1Idx; TCONCAT<Wide, F, F, Counts, Counts, Counts>(dst, src0, src1, dstIdx, src0Idx, src1Idx); }
  { Wide dst; F src0; F src1; Counts dstIdx; Counts src0Idx; Counts src1Idx; TCONCAT<Wide, F, F, Counts, Counts, Counts>(dst, src0, src1, dstIdx, src0Idx, src1Idx, event); }
  { Wide dst; F src0; F src1; Counts dstIdx; Counts src0Idx; Counts src1Idx; TCONCAT(dst, src0, src1, dstIdx, src0Idx, src1Idx); }
  { Wide dst; F src0; F src1; Counts dstIdx; Counts src0Idx; Counts src1Idx; TCONCAT(dst, src0, src1, dstIdx, src0Idx, src1Idx, event); }
}
void Call64() {
  { H dst; F src; F tmp; TCVT<false, H, F, F>(dst, src, tmp, RoundMode::CAST_RINT, SaturationMode::ON); }
  { H dst; F src; F tmp; TCVT<false, H, F, F>(dst, src, tmp, RoundMode::CAST_RINT, SaturationMode::ON, event); }
  { H dst; F src; F tmp; TCVT(dst, src, tmp, RoundMode::CAST_RINT, SaturationMode::ON); }
  { H dst; F src; F tmp; TCVT(dst, src, tmp, RoundMode::CAST_RINT, SaturationMode::ON, event); }
}
void Call65() {
  { H dst; F src; F tmp; TCVT<false, H, F, F>(dst, src, tmp, RoundMode::CAST_RINT); }
  { H dst; F src; F tmp; TCVT<false, H, F, F>(dst, src, tmp, RoundMode::CAST_RINT, event); }
  { H dst; F src; F tmp; TCVT(dst, src, tmp, RoundMode::CAST_RINT); }
  { H dst; F src; F tmp; TCVT(dst, src, tmp, RoundMode::CAST_RINT, event); }
}
void Call66() {
  { H dst; F src; TCVT<false, H, F>(dst, src, RoundMode::CAST_RINT, SaturationMode::ON); }
  { H dst; F src; TCVT<false, H, F>(dst, src, RoundMode::CAST_RINT, SaturationMode::ON, event); }
  { H dst; F src; TCVT(dst, src, RoundMode::CAST_RINT, SaturationMode::ON); }
  { H dst; F src; TCVT(dst, src, RoundMode::CAST_RINT, SaturationMode::ON, event); }
}
void Call67() {
  { H dst; F src; TCVT<false, H, F>(dst, src, RoundMode::CAST_RINT); }
  { H dst; F src; TCVT<false, H, F>(dst, src, RoundMode::CAST_RINT, event); }
  { H dst; F src; TCVT(dst, src, RoundMode::CAST_RINT); }
  { H dst; F src; TCVT(dst, src, RoundMode::CAST_RINT, event); }
}
void Call68() {
  { F dst1; F dst0; F src1; F src0; TDEINTERLEAVE<F, F>(dst1, dst0, src1, src0); }
  { F dst1; F dst0; F src1; F src0; TDEINTERLEAVE<F, F>(dst1, dst0, src1, src0, event); }
  { F dst1; F dst0; F src1; F src0; TDEINTERLEAVE(dst1, dst0, src1, src0); }
  { F dst1; F dst0; F src1; F src0; TDEINTERLEAVE(dst1, dst0, src1, src0, event); }
}
void Call69() {
  { F dst1; F dst0; Wide src; TDEINTERLEAVE<F, Wide>(dst1, dst0, src); }
  { F dst1; F dst0; Wide src; TDEINTERLEAVE<F, Wide>(dst1, dst0, src, event); }
  { F dst1; F dst0; Wide src; TDEINTERLEAVE(dst1, dst0, src); }
  { F dst1; F dst0; Wide src; TDEINTERLEAVE(dst1, dst0, src, event); }
}
void Call70() {
  { F dst; B8 src; Col scale; Col offset; TDEQUANT<F, B8, Col>(dst, src, scale, offset); }
  { F dst; B8 src; Col scale; Col offset; TDEQUANT<F, B8, Col>(dst, src, scale, offset, event); }
  { F dst; B8 src; Col scale; Col offset; TDEQUANT(dst, src, scale, offset); }
  { F dst; B8 src; Col scale; Col offset; TDEQUANT(dst, src, scale, offset, event); }
}
void Call71() {
  { F dst; F src0; F src1; TDIV<DivAlgorithm::DEFAULT, F, F, F>(dst, src0, src1); }
  { F dst; F src0; F src1; TDIV<DivAlgorithm::DEFAULT, F, F, F>(dst, src0, src1, event); }
  { F dst; F src0; F src1; TDIV(dst, src0, src1); }
  { F dst; F src0; F src1; TDIV(dst, src0, src1, event); }
}
void Call72() {
  { F dst; F src0; TDIVS<DivAlgorithm::DEFAULT, F, F>(dst, src0, static_cast<F::DType>(1)); }
  { F dst; F src0; TDIVS<DivAlgorithm::DEFAULT, F, F>(dst, src0, static_cast<F::DType>(1), event); }
  { F dst; F src0; TDIVS(dst, src0, static_cast<F::DType>(1)); }
  { F dst; F src0; TDIVS(dst, src0, static_cast<F::DType>(1), event); }
}
void Call73() {
  { F dst; F src0; TDIVS<DivAlgorithm::DEFAULT, F, F>(dst, static_cast<F::DType>(1), src0); }
  { F dst; F src0; TDIVS<DivAlgorithm::DEFAULT, F, F>(dst, static_cast<F::DType>(1), src0, event); }
  { F dst; F src0; TDIVS(dst, static_cast<F::DType>(1), src0); }
  { F dst; F src0; TDIVS(dst, static_cast<F::DType>(1), src0, event); }
}
void Call74() {
  { F dst; F src; TEXP<ExpAlgorithm::DEFAULT, F, F>(dst, src); }
  { F dst; F src; TEXP<ExpAlgorithm::DEFAULT, F, F>(dst, src, event); }
  { F dst; F src; TEXP(dst, src); }
  { F dst; F src; TEXP(dst, src, event); }
}
void Call75() {
  { F dst; TEXPANDS<F>(dst, static_cast<F::DType>(1)); }
  { F dst; TEXPANDS<F>(dst, static_cast<F::DType>(1), event); }
  { F dst; TEXPANDS(dst, static_cast<F::DType>(1)); }
  { F dst; TEXPANDS(dst, static_cast<F::DType>(1), event); }
}
void Call76() {
  { F dst; F src; TEXTRACT<F, F>(dst, src, 0, 0); }
  { F dst; F src; TEXTRACT<F, F>(dst, src, 0, 0, event); }
  { F dst; F src; TEXTRACT<F, F>(dst, src); }
  { F dst; F src; TEXTRACT(dst, src, 0, 0); }
  { F dst; F src; TEXTRACT(dst, src, 0, 0, event); }
  { F dst; F src; TEXTRACT(dst, src); }
}
void Call77() {
  { Mat dst; Acc src; TEXTRACT<Mat, Acc, ReluPreMode::NormalRelu>(dst, src, 0, 0); }
  { Mat dst; Acc src; TEXTRACT<Mat, Acc, ReluPreMode::NormalRelu>(dst, src, 0, 0, event); }
}
void Call78() {
  { VecF dst; Acc src; TEXTRACT<VecF, Acc, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, 0, 0); }
  { VecF dst; Acc src; TEXTRACT<VecF, Acc, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, 0, 0, event); }
}
void Call79() {
  { MatB dst; Acc src; TEXTRACT<MatB, Acc, ReluPreMode::NormalRelu>(dst, src, kWord, 0, 0); }
  { MatB dst; Acc src; TEXTRACT<MatB, Acc, ReluPreMode::NormalRelu>(dst, src, kWord, 0, 0, event); }
  { MatB dst; Acc src; TEXTRACT(dst, src, kWord, 0, 0); }
  { MatB dst; Acc src; TEXTRACT(dst, src, kWord, 0, 0, event); }
}
void Call80() {
  { VecB dst; Acc src; TEXTRACT<VecB, Acc, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, kWord, 0, 0); }
  { VecB dst; Acc src; TEXTRACT<VecB, Acc, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, kWord, 0, 0, event); }
}
void Call81() {
  { VecB dst; Acc src; Words fp; TEXTRACT<VecB, Acc, Words, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, fp, 0, 0); }
  { VecB dst; Acc src; Words fp; TEXTRACT<VecB, Acc, Words, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, fp, 0, 0, event); }
}
void Call82() {
  { F dst0; F dst1; F src; TEXTRACT<F, F, F>(dst0, dst1, src, 0, 0, 0, 0); }
  { F dst0; F dst1; F src; TEXTRACT<F, F, F>(dst0, dst1, src, 0, 0, 0, 0, event); }
  { F dst0; F dst1; F src; TEXTRACT<F, F, F>(dst0, dst1, src); }
  { F dst0; F dst1; F src; TEXTRACT(dst0, dst1, src, 0, 0, 0, 0); }
  { F dst0; F dst1; F src; TEXTRACT(dst0, dst1, src, 0, 0, 0, 0, event); }
  { F dst0; F dst1; F src; TEXTRACT(dst0, dst1, src); }
}
void Call83() {
  { MatB dst; Acc src; Words fp; TEXTRACT_FP<MatB, Acc, Words, ReluPreMode::NormalRelu>(dst, src, fp, 0, 0); }
  { MatB dst; Acc src; Words fp; TEXTRACT_FP<MatB, Acc, Words, ReluPreMode::NormalRelu>(dst, src, fp, 0, 0, event); }
  { MatB dst; Acc src; Words fp; TEXTRACT_FP(dst, src, fp, 0, 0); }
  { MatB dst; Acc src; Words fp; TEXTRACT_FP(dst, src, fp, 0, 0, event); }
}
void Call84() {
  { MatF dst; MatF src; TFILLPAD<MatF, PadValue::Zero>(dst, src); }
  { MatF dst; MatF src; TFILLPAD<MatF, PadValue::Zero>(dst, src, event); }
  { MatF dst; MatF src; TFILLPAD(dst, src); }
  { MatF dst; MatF src; TFILLPAD(dst, src, event); }
}
void Call85() {
  { F dst; F src; TFILLPAD<TFillPadMode::Normal, F, F>(dst, src); }
  { F dst; F src; TFILLPAD<TFillPadMode::Normal, F, F>(dst, src, event); }
  { F dst; F src; TFILLPAD(dst, src); }
  { F dst; F src; TFILLPAD(dst, src, event); }
}
void Call86() {
  { F dst; F src; TFILLPAD_EXPAND<F, F>(dst, src); }
  { F dst; F src; TFILLPAD_EXPAND<F, F>(dst, src, event); }
  { F dst; F src; TFILLPAD_EXPAND(dst, src); }
  { F dst; F src; TFILLPAD_EXPAND(dst, src, event); }
}
void Call87() {
  { F dst; F src; TFILLPAD_INPLACE<F, F>(dst, src); }
  { F dst; F src; TFILLPAD_INPLACE<F, F>(dst, src, event); }
  { F dst; F src; TFILLPAD_INPLACE(dst, src); }
  { F dst; F src; TFILLPAD_INPLACE(dst, src, event); }
}
void Call88() {
  { F dst; F src0; F src1; TFMOD<FmodAlgorithm::DEFAULT, F, F, F>(dst, src0, src1); }
  { F dst; F src0; F src1; TFMOD<FmodAlgorithm::DEFAULT, F, F, F>(dst, src0, src1, event); }
  { F dst; F src0; F src1; TFMOD(dst, src0, src1); }
  { F dst; F src0; F src1; TFMOD(dst, src0, src1, event); }
}
void Call89() {
  { F dst; F src; TFMODS<FmodSAlgorithm::DEFAULT, F, F>(dst, src, static_cast<F::DType>(1)); }
  { F dst; F src; TFMODS<FmodSAlgorithm::DEFAULT, F, F>(dst, src, static_cast<F::DType>(1), event); }
  { F dst; F src; TFMODS(dst, src, static_cast<F::DType>(1)); }
  { F dst; F src; TFMODS(dst, src, static_cast<F::DType>(1), event); }
}
void Call93() {
  { F dst; F src0; F src1; TFUSEDMULADD<F, F, F>(dst, src0, src1); }
  { F dst; F src0; F src1; TFUSEDMULADD<F, F, F>(dst, src0, src1, event); }
  { F dst; F src0; F src1; TFUSEDMULADD(dst, src0, src1); }
  { F dst; F src0; F src1; TFUSEDMULADD(dst, src0, src1, event); }
}
void Call94() {
  { F dst; F src0; F src1; TFUSEDMULADDRELU<F, F, F>(dst, src0, src1); }
  { F dst; F src0; F src1; TFUSEDMULADDRELU<F, F, F>(dst, src0, src1, event); }
  { F dst; F src0; F src1; TFUSEDMULADDRELU(dst, src0, src1); }
  { F dst; F src0; F src1; TFUSEDMULADDRELU(dst, src0, src1, event); }
}
void Call95() {
  { F dst; F src0; I src1; I tmp; TGATHER<F, F, I, I>(dst, src0, src1, tmp); }
  { F dst; F src0; I src1; I tmp; TGATHER<F, F, I, I>(dst, src0, src1, tmp, event); }
  { F dst; F src0; I src1; I tmp; TGATHER(dst, src0, src1, tmp); }
  { F dst; F src0; I src1; I tmp; TGATHER(dst, src0, src1, tmp, event); }
}
void Call96() {
  { U dst; F src0; I k_value; ColU cdst; B tmp; TGATHER<U, F, I, ColU, B, CmpMode::GE>(dst, src0, k_value, cdst, tmp, 0); }
  { U dst; F src0; I k_value; ColU cdst; B tmp; TGATHER<U, F, I, ColU, B, CmpMode::GE>(dst, src0, k_value, cdst, tmp, 0, event); }
}
void Call97() {
  { F dst; F src; TGATHER<F, F, MaskPattern::P1111, GatherAxis::GATHER_ROW>(dst, src); }
  { F dst; F src; TGATHER<F, F, MaskPattern::P1111, GatherAxis::GATHER_ROW>(dst, src, event); }
  { F dst; F src; TGATHER(dst, src); }
  { F dst; F src; TGATHER(dst, src, event); }
}
void Call100() {
  { F dst; F src; U offset; TGATHERB<F, F, U>(dst, src, offset); }
  { F dst; F src; U offset; TGATHERB<F, F, U>(dst, src, offset, event); }
  { F dst; F src; U offset; TGATHERB(dst, src, offset); }
  { F dst; F src; U offset; TGATHERB(dst, src, offset, event); }
}
void Call101() {
  { AccRow cMatrix; LeftRow aMatrix; Right bMatrix; TGEMV<AccRow, LeftRow, Right>(cMatrix, aMatrix, bMatrix); }
  { AccRow cMatrix; LeftRow aMatrix; Right bMatrix; TGEMV<AccRow, LeftRow, Right>(cMatrix, aMatrix, bMatrix, event); }
  { AccRow cMatrix; LeftRow aMatrix; Right bMatrix; TGEMV(cMatrix, aMatrix, bMatrix); }
  { AccRow cMatrix; LeftRow aMatrix; Right bMatrix; TGEMV(cMatrix, aMatrix, bMatrix, event); }
}
void Call102() {
  { AccRow cMatrix; LeftRow aMatrix; Right bMatrix; TGEMV<AccPhase::Final, AccRow, LeftRow, Right>(cMatrix, aMatrix, bMatrix); }
  { AccRow cMatrix; LeftRow aMatrix; Right bMatrix; TGEMV<AccPhase::Final, AccRow, LeftRow, Right>(cMatrix, aMatrix, bMatrix, event); }
}
void Call103() {
  { AccRow cOutMatrix; AccRow cInMatrix; LeftRow aMatrix; Right bMatrix; TGEMV_ACC<AccRow, LeftRow, Right>(cOutMatrix, cInMatrix, aMatrix, bMatrix); }
  { AccRow cOutMatrix; AccRow cInMatrix; LeftRow aMatrix; Right bMatrix; TGEMV_ACC<AccRow, LeftRow, Right>(cOutMatrix, cInMatrix, aMatrix, bMatrix, event); }
  { AccRow cOutMatrix; AccRow cInMatrix; LeftRow aMatrix; Right bMatrix; TGEMV_ACC(cOutMatrix, cInMatrix, aMatrix, bMatrix); }
  { AccRow cOutMatrix; AccRow cInMatrix; LeftRow aMatrix; Right bMatrix; TGEMV_ACC(cOutMatrix, cInMatrix, aMatrix, bMatrix, event); }
}
void Call104() {
  { AccRow cOutMatrix; AccRow cInMatrix; LeftRow aMatrix; Right bMatrix; TGEMV_ACC<AccPhase::Final, AccRow, LeftRow, Right>(cOutMatrix, cInMatrix, aMatrix, bMatrix); }
  { AccRow cOutMatrix; AccRow cInMatrix; LeftRow aMatrix; Right bMatrix; TGEMV_ACC<AccPhase::Final, AccRow, LeftRow, Right>(cOutMatrix, cInMatrix, aMatrix, bMatrix, event); }
}
void Call105() {
  { AccRow cMatrix; LeftRow aMatrix; Right bMatrix; Bias biasData; TGEMV_BIAS<AccRow, LeftRow, Right, Bias>(cMatrix, aMatrix, bMatrix, biasData); }
  { AccRow cMatrix; LeftRow aMatrix; Right bMatrix; Bias biasData; TGEMV_BIAS<AccRow, LeftRow, Right, Bias>(cMatrix, aMatrix, bMatrix, biasData, event); }
  { AccRow cMatrix; LeftRow aMatrix; Right bMatrix; Bias biasData; TGEMV_BIAS(cMatrix, aMatrix, bMatrix, biasData); }
  { AccRow cMatrix; LeftRow aMatrix; Right bMatrix; Bias biasData; TGEMV_BIAS(cMatrix, aMatrix, bMatrix, biasData, event); }
}
void Call106() {
  { AccRow cMatrix; LeftRow aMatrix; Right bMatrix; Bias biasData; TGEMV_BIAS<AccPhase::Final, AccRow, LeftRow, Right, Bias>(cMatrix, aMatrix, bMatrix, biasData); }
  { AccRow cMatrix; LeftRow aMatrix; Right bMatrix; Bias biasData; TGEMV_BIAS<AccPhase::Final, AccRow, LeftRow, Right, Bias>(cMatrix, aMatrix, bMatrix, biasData, event); }
}
void Call107() {
  { AccRow cMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TGEMV_MX<AccRow, LeftRowMx, LeftRowScales, RightMx, RightScales>(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix); }
  { AccRow cMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TGEMV_MX<AccRow, LeftRowMx, LeftRowScales, RightMx, RightScales>(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, event); }
  { AccRow cMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TGEMV_MX(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix); }
  { AccRow cMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TGEMV_MX(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, event); }
}
void Call108() {
  { AccRow cMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TGEMV_MX<AccPhase::Final, AccRow, LeftRowMx, LeftRowScales, RightMx, RightScales>(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix); }
  { AccRow cMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TGEMV_MX<AccPhase::Final, AccRow, LeftRowMx, LeftRowScales, RightMx, RightScales>(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, event); }
}
void Call109() {
  { AccRow cOutMatrix; AccRow cInMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TGEMV_MX<AccRow, LeftRowMx, LeftRowScales, RightMx, RightScales>(cOutMatrix, cInMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix); }
  { AccRow cOutMatrix; AccRow cInMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TGEMV_MX<AccRow, LeftRowMx, LeftRowScales, RightMx, RightScales>(cOutMatrix, cInMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, event); }
  { AccRow cOutMatrix; AccRow cInMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TGEMV_MX(cOutMatrix, cInMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix); }
  { AccRow cOutMatrix; AccRow cInMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TGEMV_MX(cOutMatrix, cInMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, event); }
}
void Call110() {
  { AccRow cOutMatrix; AccRow cInMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TGEMV_MX<AccPhase::Final, AccRow, LeftRowMx, LeftRowScales, RightMx, RightScales>(cOutMatrix, cInMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix); }
  { AccRow cOutMatrix; AccRow cInMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TGEMV_MX<AccPhase::Final, AccRow, LeftRowMx, LeftRowScales, RightMx, RightScales>(cOutMatrix, cInMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, event); }
}
void Call111() {
  { AccRow cMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; Bias biasData; TGEMV_MX<AccRow, LeftRowMx, LeftRowScales, RightMx, RightScales, Bias>(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, biasData); }
  { AccRow cMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; Bias biasData; TGEMV_MX<AccRow, LeftRowMx, LeftRowScales, RightMx, RightScales, Bias>(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, biasData, event); }
  { AccRow cMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; Bias biasData; TGEMV_MX(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, biasData); }
  { AccRow cMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; Bias biasData; TGEMV_MX(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, biasData, event); }
}
void Call112() {
  { AccRow cMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; Bias biasData; TGEMV_MX<AccPhase::Final, AccRow, LeftRowMx, LeftRowScales, RightMx, RightScales, Bias>(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, biasData); }
  { AccRow cMatrix; LeftRowMx aMatrix; LeftRowScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; Bias biasData; TGEMV_MX<AccPhase::Final, AccRow, LeftRowMx, LeftRowScales, RightMx, RightScales, Bias>(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, biasData, event); }
}
void Call118() {
  { Bins dst; US src; ColB idx; THISTOGRAM<HistByte::BYTE_0, Bins, US, ColB>(dst, src, idx); }
  { Bins dst; US src; ColB idx; THISTOGRAM<HistByte::BYTE_0, Bins, US, ColB>(dst, src, idx, event); }
}
void Call119() {
  { LeftF dst; Image src; TIMG2COL<LeftF, Image, SetFmatrixMode::FMATRIX_B_MANUAL>(dst, src, 0, 0); }
  { LeftF dst; Image src; TIMG2COL<LeftF, Image, SetFmatrixMode::FMATRIX_B_MANUAL>(dst, src, 0, 0, event); }
  { LeftF dst; Image src; TIMG2COL<LeftF, Image, SetFmatrixMode::FMATRIX_B_MANUAL>(dst, src); }
  { LeftF dst; Image src; TIMG2COL(dst, src, 0, 0); }
  { LeftF dst; Image src; TIMG2COL(dst, src, 0, 0, event); }
  { LeftF dst; Image src; TIMG2COL(dst, src); }
}
void Call120() {
  { Mat dst; Acc src; TINSERT<Mat, Acc, ReluPreMode::NormalRelu>(dst, src, 0, 0); }
  { Mat dst; Acc src; TINSERT<Mat, Acc, ReluPreMode::NormalRelu>(dst, src, 0, 0, event); }
}
void Call121() {
  { F dst; F src; TINSERT<F, F>(dst, src, 0, 0); }
  { F dst; F src; TINSERT<F, F>(dst, src, 0, 0, event); }
  { F dst; F src; TINSERT(dst, src, 0, 0); }
  { F dst; F src; TINSERT(dst, src, 0, 0, event); }
}
void Call122() {
  { VecF dst; Acc src; TINSERT<VecF, Acc, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, 0, 0); }
  { VecF dst; Acc src; TINSERT<VecF, Acc, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, 0, 0, event); }
}
void Call123() {
  { MatB dst; Acc src; TINSERT<MatB, Acc, ReluPreMode::NormalRelu>(dst, src, kWord, 0, 0); }
  { MatB dst; Acc src; TINSERT<MatB, Acc, ReluPreMode::NormalRelu>(dst, src, kWord, 0, 0, event); }
  { MatB dst; Acc src; TINSERT(dst, src, kWord, 0, 0); }
  { MatB dst; Acc src; TINSERT(dst, src, kWord, 0, 0, event); }
}
void Call124() {
  { VecB dst; Acc src; TINSERT<VecB, Acc, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, kWord, 0, 0); }
  { VecB dst; Acc src; TINSERT<VecB, Acc, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, kWord, 0, 0, event); }
}
void Call125() {
  { VecB dst; Acc src; Words fp; TINSERT<VecB, Acc, Words, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, fp, 0, 0); }
  { VecB dst; Acc src; Words fp; TINSERT<VecB, Acc, Words, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, fp, 0, 0, event); }
}
void Call126() {
  { Mat dst; Mat src; TINSERT<TInsertMode::SPLIT2, Mat, Mat>(dst, src, 0, 0); }
  { Mat dst; Mat src; TINSERT<TInsertMode::SPLIT2, Mat, Mat>(dst, src, 0, 0, event); }
  { Mat dst; Mat src; TINSERT<TInsertMode::SPLIT2, Mat, Mat>(dst, src); }
}
void Call127() {
  { MatB dst; Acc src; Words fp; TINSERT_FP<MatB, Acc, Words, ReluPreMode::NormalRelu>(dst, src, fp, 0, 0); }
  { MatB dst; Acc src; Words fp; TINSERT_FP<MatB, Acc, Words, ReluPreMode::NormalRelu>(dst, src, fp, 0, 0, event); }
  { MatB dst; Acc src; Words fp; TINSERT_FP(dst, src, fp, 0, 0); }
  { MatB dst; Acc src; Words fp; TINSERT_FP(dst, src, fp, 0, 0, event); }
}
void Call128() {
  { F dst1; F dst0; F src1; F src0; TINTERLEAVE<F, F>(dst1, dst0, src1, src0); }
  { F dst1; F dst0; F src1; F src0; TINTERLEAVE<F, F>(dst1, dst0, src1, src0, event); }
  { F dst1; F dst0; F src1; F src0; TINTERLEAVE(dst1, dst0, src1, src0); }
  { F dst1; F dst0; F src1; F src0; TINTERLEAVE(dst1, dst0, src1, src0, event); }
}
void Call129() {
  { F dst; static float src_data[1024] = {}; Global src(src_data); TLOAD<F, Global>(dst, src); }
  { F dst; static float src_data[1024] = {}; Global src(src_data); TLOAD<F, Global>(dst, src, event); }
  { F dst; static float src_data[1024] = {}; Global src(src_data); TLOAD(dst, src); }
  { F dst; static float src_data[1024] = {}; Global src(src_data); TLOAD(dst, src, event); }
}
void Call130() {
  { F dst; F src; TLOG<LogAlgorithm::DEFAULT, F, F>(dst, src); }
  { F dst; F src; TLOG<LogAlgorithm::DEFAULT, F, F>(dst, src, event); }
  { F dst; F src; TLOG(dst, src); }
  { F dst; F src; TLOG(dst, src, event); }
}
void Call131() {
  { F dst; F src; TLRELU<F, F>(dst, src, static_cast<F::DType>(1)); }
  { F dst; F src; TLRELU<F, F>(dst, src, static_cast<F::DType>(1), event); }
  { F dst; F src; TLRELU(dst, src, static_cast<F::DType>(1)); }
  { F dst; F src; TLRELU(dst, src, static_cast<F::DType>(1), event); }
}
void Call132() {
  { Acc cMatrix; Left aMatrix; Right bMatrix; TMATMUL<Acc, Left, Right>(cMatrix, aMatrix, bMatrix); }
  { Acc cMatrix; Left aMatrix; Right bMatrix; TMATMUL<Acc, Left, Right>(cMatrix, aMatrix, bMatrix, event); }
  { Acc cMatrix; Left aMatrix; Right bMatrix; TMATMUL(cMatrix, aMatrix, bMatrix); }
  { Acc cMatrix; Left aMatrix; Right bMatrix; TMATMUL(cMatrix, aMatrix, bMatrix, event); }
}
void Call133() {
  { Acc cMatrix; Left aMatrix; Right bMatrix; TMATMUL<AccPhase::Final, Acc, Left, Right>(cMatrix, aMatrix, bMatrix); }
  { Acc cMatrix; Left aMatrix; Right bMatrix; TMATMUL<AccPhase::Final, Acc, Left, Right>(cMatrix, aMatrix, bMatrix, event); }
}
void Call134() {
  { Acc cOutMatrix; Acc cInMatrix; Left aMatrix; Right bMatrix; TMATMUL_ACC<Acc, Left, Right>(cOutMatrix, cInMatrix, aMatrix, bMatrix); }
  { Acc cOutMatrix; Acc cInMatrix; Left aMatrix; Right bMatrix; TMATMUL_ACC<Acc, Left, Right>(cOutMatrix, cInMatrix, aMatrix, bMatrix, event); }
  { Acc cOutMatrix; Acc cInMatrix; Left aMatrix; Right bMatrix; TMATMUL_ACC(cOutMatrix, cInMatrix, aMatrix, bMatrix); }
  { Acc cOutMatrix; Acc cInMatrix; Left aMatrix; Right bMatrix; TMATMUL_ACC(cOutMatrix, cInMatrix, aMatrix, bMatrix, event); }
}
void Call135() {
  { Acc cOutMatrix; Acc cInMatrix; Left aMatrix; Right bMatrix; TMATMUL_ACC<AccPhase::Final, Acc, Left, Right>(cOutMatrix, cInMatrix, aMatrix, bMatrix); }
  { Acc cOutMatrix; Acc cInMatrix; Left aMatrix; Right bMatrix; TMATMUL_ACC<AccPhase::Final, Acc, Left, Right>(cOutMatrix, cInMatrix, aMatrix, bMatrix, event); }
}
void Call136() {
  { Acc cMatrix; Left aMatrix; Right bMatrix; TMATMUL_ACC<AccPhase::Final, Acc, Left, Right>(cMatrix, aMatrix, bMatrix); }
  { Acc cMatrix; Left aMatrix; Right bMatrix; TMATMUL_ACC<AccPhase::Final, Acc, Left, Right>(cMatrix, aMatrix, bMatrix, event); }
  { Acc cMatrix; Left aMatrix; Right bMatrix; TMATMUL_ACC(cMatrix, aMatrix, bMatrix); }
  { Acc cMatrix; Left aMatrix; Right bMatrix; TMATMUL_ACC(cMatrix, aMatrix, bMatrix, event); }
}
void Call137() {
  { Acc cMatrix; Left aMatrix; Right bMatrix; Bias biasData; TMATMUL_BIAS<Acc, Left, Right, Bias>(cMatrix, aMatrix, bMatrix, biasData); }
  { Acc cMatrix; Left aMatrix; Right bMatrix; Bias biasData; TMATMUL_BIAS<Acc, Left, Right, Bias>(cMatrix, aMatrix, bMatrix, biasData, event); }
  { Acc cMatrix; Left aMatrix; Right bMatrix; Bias biasData; TMATMUL_BIAS(cMatrix, aMatrix, bMatrix, biasData); }
  { Acc cMatrix; Left aMatrix; Right bMatrix; Bias biasData; TMATMUL_BIAS(cMatrix, aMatrix, bMatrix, biasData, event); }
}
void Call138() {
  { Acc cMatrix; Left aMatrix; Right bMatrix; Bias biasData; TMATMUL_BIAS<AccPhase::Final, Acc, Left, Right, Bias>(cMatrix, aMatrix, bMatrix, biasData); }
  { Acc cMatrix; Left aMatrix; Right bMatrix; Bias biasData; TMATMUL_BIAS<AccPhase::Final, Acc, Left, Right, Bias>(cMatrix, aMatrix, bMatrix, biasData, event); }
}
void Call139() {
  { Acc cMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TMATMUL_MX<Acc, LeftMx, LeftScales, RightMx, RightScales>(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix); }
  { Acc cMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TMATMUL_MX<Acc, LeftMx, LeftScales, RightMx, RightScales>(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, event); }
  { Acc cMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TMATMUL_MX(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix); }
  { Acc cMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TMATMUL_MX(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, event); }
}
void Call140() {
  { Acc cMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TMATMUL_MX<AccPhase::Final, Acc, LeftMx, LeftScales, RightMx, RightScales>(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix); }
  { Acc cMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TMATMUL_MX<AccPhase::Final, Acc, LeftMx, LeftScales, RightMx, RightScales>(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, event); }
}
void Call141() {
  { Acc cOutMatrix; Acc cInMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TMATMUL_MX<Acc, LeftMx, LeftScales, RightMx, RightScales>(cOutMatrix, cInMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix); }
  { Acc cOutMatrix; Acc cInMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TMATMUL_MX<Acc, LeftMx, LeftScales, RightMx, RightScales>(cOutMatrix, cInMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, event); }
  { Acc cOutMatrix; Acc cInMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TMATMUL_MX(cOutMatrix, cInMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix); }
  { Acc cOutMatrix; Acc cInMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TMATMUL_MX(cOutMatrix, cInMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, event); }
}
void Call142() {
  { Acc cOutMatrix; Acc cInMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TMATMUL_MX<AccPhase::Final, Acc, LeftMx, LeftScales, RightMx, RightScales>(cOutMatrix, cInMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix); }
  { Acc cOutMatrix; Acc cInMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; TMATMUL_MX<AccPhase::Final, Acc, LeftMx, LeftScales, RightMx, RightScales>(cOutMatrix, cInMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, event); }
}
void Call143() {
  { Acc cMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; Bias biasData; TMATMUL_MX<Acc, LeftMx, LeftScales, RightMx, RightScales, Bias>(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, biasData); }
  { Acc cMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; Bias biasData; TMATMUL_MX<Acc, LeftMx, LeftScales, RightMx, RightScales, Bias>(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, biasData, event); }
  { Acc cMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; Bias biasData; TMATMUL_MX(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, biasData); }
  { Acc cMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; Bias biasData; TMATMUL_MX(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, biasData, event); }
}
void Call144() {
  { Acc cMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; Bias biasData; TMATMUL_MX<AccPhase::Final, Acc, LeftMx, LeftScales, RightMx, RightScales, Bias>(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, biasData); }
  { Acc cMatrix; LeftMx aMatrix; LeftScales aScaleMatrix; RightMx bMatrix; RightScales bScaleMatrix; Bias biasData; TMATMUL_MX<AccPhase::Final, Acc, LeftMx, LeftScales, RightMx, RightScales, Bias>(cMatrix, aMatrix, aScaleMatrix, bMatrix, bScaleMatrix, biasData, event); }
}
void Call145() {
  { F dst; F src0; F src1; TMAX<F, F, F>(dst, src0, src1); }
  { F dst; F src0; F src1; TMAX<F, F, F>(dst, src0, src1, event); }
  { F dst; F src0; F src1; TMAX(dst, src0, src1); }
  { F dst; F src0; F src1; TMAX(dst, src0, src1, event); }
}
void Call146() {
  { F dst; F src; TMAXS<F, F>(dst, src, static_cast<F::DType>(1)); }
  { F dst; F src; TMAXS<F, F>(dst, src, static_cast<F::DType>(1), event); }
  { F dst; F src; TMAXS(dst, src, static_cast<F::DType>(1)); }
  { F dst; F src; TMAXS(dst, src, static_cast<F::DType>(1), event); }
}
void Call147() {
  { F dst; F src0; F src1; TMIN<F, F, F>(dst, src0, src1); }
  { F dst; F src0; F src1; TMIN<F, F, F>(dst, src0, src1, event); }
  { F dst; F src0; F src1; TMIN(dst, src0, src1); }
  { F dst; F src0; F src1; TMIN(dst, src0, src1, event); }
}
void Call148() {
  { F dst; F src; TMINS<F, F>(dst, src, static_cast<F::DType>(1)); }
  { F dst; F src; TMINS<F, F>(dst, src, static_cast<F::DType>(1), event); }
  { F dst; F src; TMINS(dst, src, static_cast<F::DType>(1)); }
  { F dst; F src; TMINS(dst, src, static_cast<F::DType>(1), event); }
}
void Call149() {
  { F dst; F src; TMOV<F, F>(dst, src); }
  { F dst; F src; TMOV<F, F>(dst, src, event); }
  { F dst; F src; TMOV(dst, src); }
  { F dst; F src; TMOV(dst, src, event); }
}
void Call152() {
  { Mat dst; Acc src; TMOV<Mat, Acc, ReluPreMode::NormalRelu>(dst, src); }
  { Mat dst; Acc src; TMOV<Mat, Acc, ReluPreMode::NormalRelu>(dst, src, event); }
}
void Call153() {
  { F dst; F src; TMOV<STPhase::Final, F, F>(dst, src); }
  { F dst; F src; TMOV<STPhase::Final, F, F>(dst, src, event); }
}
void Call154() {
  { Mat dst; Acc src; TMOV<STPhase::Final, Mat, Acc, ReluPreMode::NormalRelu>(dst, src); }
  { Mat dst; Acc src; TMOV<STPhase::Final, Mat, Acc, ReluPreMode::NormalRelu>(dst, src, event); }
}
void Call155() {
  { VecF dst; Acc src; TMOV<VecF, Acc, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src); }
  { VecF dst; Acc src; TMOV<VecF, Acc, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, event); }
}
void Call156() {
  { VecF dst; Acc src; TMOV<STPhase::Final, VecF, Acc, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src); }
  { VecF dst; Acc src; TMOV<STPhase::Final, VecF, Acc, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, event); }
}
void Call157() {
  { VecB dst; Acc src; Words fp; TMOV<VecB, Acc, Words, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, fp); }
  { VecB dst; Acc src; Words fp; TMOV<VecB, Acc, Words, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, fp, event); }
}
void Call158() {
  { VecB dst; Acc src; Words fp; TMOV<STPhase::Final, VecB, Acc, Words, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, fp); }
  { VecB dst; Acc src; Words fp; TMOV<STPhase::Final, VecB, Acc, Words, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, fp, event); }
}
void Call159() {
  { MatB dst; Acc src; TMOV<MatB, Acc, ReluPreMode::NormalRelu>(dst, src, kWord); }
  { MatB dst; Acc src; TMOV<MatB, Acc, ReluPreMode::NormalRelu>(dst, src, kWord, event); }
  { MatB dst; Acc src; TMOV(dst, src, kWord); }
  { MatB dst; Acc src; TMOV(dst, src, kWord, event); }
}
void Call160() {
  { MatB dst; Acc src; TMOV<STPhase::Final, MatB, Acc, ReluPreMode::NormalRelu>(dst, src, kWord); }
  { MatB dst; Acc src; TMOV<STPhase::Final, MatB, Acc, ReluPreMode::NormalRelu>(dst, src, kWord, event); }
}
void Call161() {
  { VecB dst; Acc src; TMOV<VecB, Acc, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, kWord); }
  { VecB dst; Acc src; TMOV<VecB, Acc, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, kWord, event); }
}
void Call162() {
  { VecB dst; Acc src; TMOV<STPhase::Final, VecB, Acc, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, kWord); }
  { VecB dst; Acc src; TMOV<STPhase::Final, VecB, Acc, AccToVecMode::SingleModeVec0, ReluPreMode::NormalRelu>(dst, src, kWord, event); }
}
void Call163() {
  { MatB dst; Acc src; Words fp; TMOV_FP<MatB, Acc, Words, ReluPreMode::NormalRelu>(dst, src, fp); }
  { MatB dst; Acc src; Words fp; TMOV_FP<MatB, Acc, Words, ReluPreMode::NormalRelu>(dst, src, fp, event); }
  { MatB dst; Acc src; Words fp; TMOV_FP(dst, src, fp); }
  { MatB dst; Acc src; Words fp; TMOV_FP(dst, src, fp, event); }
}
void Call164() {
  { MatB dst; Acc src; Words fp; TMOV_FP<STPhase::Final, MatB, Acc, Words, ReluPreMode::NormalRelu>(dst, src, fp); }
  { MatB dst; Acc src; Words fp; TMOV_FP<STPhase::Final, MatB, Acc, Words, ReluPreMode::NormalRelu>(dst, src, fp, event); }
}
void Call165() {
  { Four dst; MrgSortExecutedNumList executedNumList{}; Four tmp; Pairs src0; Pairs src1; Pairs src2; Pairs src3; TMRGSORT<Four, Four, Pairs, Pairs, Pairs, Pairs, false>(dst, executedNumList, tmp, src0, src1, src2, src3); }
  { Four dst; MrgSortExecutedNumList executedNumList{}; Four tmp; Pairs src0; Pairs src1; Pairs src2; Pairs src3; TMRGSORT<Four, Four, Pairs, Pairs, Pairs, Pairs, false>(dst, executedNumList, tmp, src0, src1, src2, src3, event); }
}
void Call166() {
  { Three dst; MrgSortExecutedNumList executedNumList{}; Three tmp; Pairs src0; Pairs src1; Pairs src2; TMRGSORT<Three, Three, Pairs, Pairs, Pairs, false>(dst, executedNumList, tmp, src0, src1, src2); }
  { Three dst; MrgSortExecutedNumList executedNumList{}; Three tmp; Pairs src0; Pairs src1; Pairs src2; TMRGSORT<Three, Three, Pairs, Pairs, Pairs, false>(dst, executedNumList, tmp, src0, src1, src2, event); }
}
void Call167() {
  { Two dst; MrgSortExecutedNumList executedNumList{}; Two tmp; Pairs src0; Pairs src1; TMRGSORT<Two, Two, Pairs, Pairs, false>(dst, executedNumList, tmp, src0, src1); }
  { Two dst; MrgSortExecutedNumList executedNumList{}; Two tmp; Pairs src0; Pairs src1; TMRGSORT<Two, Two, Pairs, Pairs, false>(dst, executedNumList, tmp, src0, src1, event); }
}
void Call168() {
  { Four dst; Four src; TMRGSORT<Four, Four>(dst, src, 64); }
  { Four dst; Four src; TMRGSORT<Four, Four>(dst, src, 64, event); }
  { Four dst; Four src; TMRGSORT(dst, src, 64); }
  { Four dst; Four src; TMRGSORT(dst, src, 64, event); }
}
void Call169() {
  { F dst; F src0; F src1; TMUL<F, F, F>(dst, src0, src1); }
  { F dst; F src0; F src1; TMUL<F, F, F>(dst, src0, src1, event); }
  { F dst; F src0; F src1; TMUL(dst, src0, src1); }
  { F dst; F src0; F src1; TMUL(dst, src0, src1, event); }
}
void Call170() {
  { F dst; F src0; F src1; TMULADDDST<F, F, F>(dst, src0, src1); }
  { F dst; F src0; F src1; TMULADDDST<F, F, F>(dst, src0, src1, event); }
  { F dst; F src0; F src1; TMULADDDST(dst, src0, src1); }
  { F dst; F src0; F src1; TMULADDDST(dst, src0, src1, event); }
}
void Call171() {
  { F dst; F src0; TMULS<F, F>(dst, src0, static_cast<F::DType>(1)); }
  { F dst; F src0; TMULS<F, F>(dst, src0, static_cast<F::DType>(1), event); }
  { F dst; F src0; TMULS(dst, src0, static_cast<F::DType>(1)); }
  { F dst; F src0; TMULS(dst, src0, static_cast<F::DType>(1), event); }
}
void Call172() {
  { F dst; F src; TNEG<F, F>(dst, src); }
  { F dst; F src; TNEG<F, F>(dst, src, event); }
  { F dst; F src; TNEG(dst, src); }
  { F dst; F src; TNEG(dst, src, event); }
}
void Call173() {
  { I dst; I src; TNOT<I, I>(dst, src); }
  { I dst; I src; TNOT<I, I>(dst, src, event); }
  { I dst; I src; TNOT(dst, src); }
  { I dst; I src; TNOT(dst, src, event); }
}
void Call175() {
  { I dst; I src0; I src1; TOR<I, I, I>(dst, src0, src1); }
  { I dst; I src0; I src1; TOR<I, I, I>(dst, src0, src1, event); }
  { I dst; I src0; I src1; TOR(dst, src0, src1); }
  { I dst; I src0; I src1; TOR(dst, src0, src1, event); }
}
void Call176() {
  { I dst; I src0; I src1; TOR<I>(dst, src0, src1); }
  { I dst; I src0; I src1; TOR<I>(dst, src0, src1, event); }
  { I dst; I src0; I src1; TOR(dst, src0, src1); }
  { I dst; I src0; I src1; TOR(dst, src0, src1, event); }
}
void Call177() {
  { I dst; I src; TORS<I, I>(dst, src, static_cast<I::DType>(1)); }
  { I dst; I src; TORS<I, I>(dst, src, static_cast<I::DType>(1), event); }
  { I dst; I src; TORS(dst, src, static_cast<I::DType>(1)); }
  { I dst; I src; TORS(dst, src, static_cast<I::DType>(1), event); }
}
void Call178() {
  { F dst; F src0; TPAIRREDUCESUM<F, F>(dst, src0); }
  { F dst; F src0; TPAIRREDUCESUM<F, F>(dst, src0, event); }
  { F dst; F src0; TPAIRREDUCESUM(dst, src0); }
  { F dst; F src0; TPAIRREDUCESUM(dst, src0, event); }
}
void Call179() {
  { F dst; F src0; F src1; TPARTADD<F, F, F>(dst, src0, src1); }
  { F dst; F src0; F src1; TPARTADD<F, F, F>(dst, src0, src1, event); }
  { F dst; F src0; F src1; TPARTADD(dst, src0, src1); }
  { F dst; F src0; F src1; TPARTADD(dst, src0, src1, event); }
}
void Call180() {
  { F dst; F src0; F src1; I dstIdx; I src0Idx; I src1Idx; TPARTARGMAX<F, F, F, I, I, I>(dst, src0, src1, dstIdx, src0Idx, src1Idx); }
  { F dst; F src0; F src1; I dstIdx; I src0Idx; I src1Idx; TPARTARGMAX<F, F, F, I, I, I>(dst, src0, src1, dstIdx, src0Idx, src1Idx, event); }
  { F dst; F src0; F src1; I dstIdx; I src0Idx; I src1Idx; TPARTARGMAX(dst, src0, src1, dstIdx, src0Idx, src1Idx); }
  { F dst; F src0; F src1; I dstIdx; I src0Idx; I src1Idx; TPARTARGMAX(dst, src0, src1, dstIdx, src0Idx, src1Idx, event); }
}
void Call181() {
  { F dst; F src0; F src1; I dstIdx; I src0Idx; I src1Idx; TPARTARGMIN<F, F, F, I, I, I>(dst, src0, src1, dstIdx, src0Idx, src1Idx); }
  { F dst; F src0; F src1; I dstIdx; I src0Idx; I src1Idx; TPARTARGMIN<F, F, F, I, I, I>(dst, src0, src1, dstIdx, src0Idx, src1Idx, event); }
  { F dst; F src0; F src1; I dstIdx; I src0Idx; I src1Idx; TPARTARGMIN(dst, src0, src1, dstIdx, src0Idx, src1Idx); }
  { F dst; F src0; F src1; I dstIdx; I src0Idx; I src1Idx; TPARTARGMIN(dst, src0, src1, dstIdx, src0Idx, src1Idx, event); }
}
void Call182() {
  { F dst; F src0; F src1; TPARTMAX<F, F, F>(dst, src0, src1); }
  { F dst; F src0; F src1; TPARTMAX<F, F, F>(dst, src0, src1, event); }
  { F dst; F src0; F src1; TPARTMAX(dst, src0, src1); }
  { F dst; F src0; F src1; TPARTMAX(dst, src0, src1, event); }
}
void Call183() {
  { F dst; F src0; F src1; TPARTMIN<F, F, F>(dst, src0, src1); }
  { F dst; F src0; F src1; TPARTMIN<F, F, F>(dst, src0, src1, event); }
  { F dst; F src0; F src1; TPARTMIN(dst, src0, src1); }
  { F dst; F src0; F src1; TPARTMIN(dst, src0, src1, event); }
}
void Call184() {
  { F dst; F src0; F src1; TPARTMUL<F, F, F>(dst, src0, src1); }
  { F dst; F src0; F src1; TPARTMUL<F, F, F>(dst, src0, src1, event); }
  { F dst; F src0; F src1; TPARTMUL(dst, src0, src1); }
  { F dst; F src0; F src1; TPARTMUL(dst, src0, src1, event); }
}
void Call190() {
  { F dst; F base; F exp; F tmp; TPOW<PowAlgorithm::DEFAULT, F, F, F, F>(dst, base, exp, tmp); }
  { F dst; F base; F exp; F tmp; TPOW<PowAlgorithm::DEFAULT, F, F, F, F>(dst, base, exp, tmp, event); }
  { F dst; F base; F exp; F tmp; TPOW(dst, base, exp, tmp); }
  { F dst; F base; F exp; F tmp; TPOW(dst, base, exp, tmp, event); }
}
void Call191() {
  { F dst; F base; F tmp; TPOWS<PowAlgorithm::DEFAULT, F, F, F>(dst, base, static_cast<F::DType>(1), tmp); }
  { F dst; F base; F tmp; TPOWS<PowAlgorithm::DEFAULT, F, F, F>(dst, base, static_cast<F::DType>(1), tmp, event); }
  { F dst; F base; F tmp; TPOWS(dst, base, static_cast<F::DType>(1), tmp); }
  { F dst; F base; F tmp; TPOWS(dst, base, static_cast<F::DType>(1), tmp, event); }
}
void Call192() {
  { F dst; static float src_data[1024] = {}; Global src(src_data); TPREFETCH<F, Global>(dst, src); }
  { F dst; static float src_data[1024] = {}; Global src(src_data); TPREFETCH(dst, src); }
}
void Call193() {
  { static float srcGlobalData_data[1024] = {}; Global srcGlobalData(srcGlobalData_data); PrefetchAsyncContext ctx; TPREFETCH_ASYNC<Global>(srcGlobalData, ctx); }
  { static float srcGlobalData_data[1024] = {}; Global srcGlobalData(srcGlobalData_data); PrefetchAsyncContext ctx; TPREFETCH_ASYNC<Global>(srcGlobalData, ctx, event); }
  { static float srcGlobalData_data[1024] = {}; Global srcGlobalData(srcGlobalData_data); PrefetchAsyncContext ctx; TPREFETCH_ASYNC(srcGlobalData, ctx); }
  { static float srcGlobalData_data[1024] = {}; Global srcGlobalData(srcGlobalData_data); PrefetchAsyncContext ctx; TPREFETCH_ASYNC(srcGlobalData, ctx, event); }
}
void Call194() {
  { F dst; F src0; F src1; B tmp; TPRELU<F, F, F, B>(dst, src0, src1, tmp); }
  { F dst; F src0; F src1; B tmp; TPRELU<F, F, F, B>(dst, src0, src1, tmp, event); }
  { F dst; F src0; F src1; B tmp; TPRELU(dst, src0, src1, tmp); }
  { F dst; F src0; F src1; B tmp; TPRELU(dst, src0, src1, tmp, event); }
}
void Call195() {
  { F src; TPRINT<PrintFormat::Width8_Precision4, F>(src); }
  { F src; TPRINT(src); }
}
void Call196() {
  { F src; static float tmp_data[1024] = {}; Global tmp(tmp_data); TPRINT<PrintFormat::Width8_Precision4, F, Global>(src, tmp); }
  { F src; static float tmp_data[1024] = {}; Global tmp(tmp_data); TPRINT(src, tmp); }
}
void Call213() {
  { B8 dst; F src; Col scale; Col offset; TQUANT<QuantType::INT8_SYM, B8, F, Col>(dst, src, scale, &offset); }
  { B8 dst; F src; Col scale; Col offset; TQUANT<QuantType::INT8_SYM, B8, F, Col>(dst, src, scale, &offset, event); }
  { B8 dst; F src; Col scale; Col offset; TQUANT<QuantType::INT8_SYM, B8, F, Col>(dst, src, scale); }
}
void Call214() {
  { B8 dst; F src; Col scale; F tmp; Col offset; TQUANT<QuantType::INT8_SYM, B8, F, Col, F>(dst, src, scale, tmp, &offset); }
  { B8 dst; F src; Col scale; F tmp; Col offset; TQUANT<QuantType::INT8_SYM, B8, F, Col, F>(dst, src, scale, tmp, &offset, event); }
  { B8 dst; F src; Col scale; F tmp; Col offset; TQUANT<QuantType::INT8_SYM, B8, F, Col, F>(dst, src, scale, tmp); }
}
void Call215() {
  { U dst; TRandomKey key{}; TRandomCounter counter{}; TRANDOM<10, U>(dst, key, counter); }
  { U dst; TRandomKey key{}; TRandomCounter counter{}; TRANDOM<10, U>(dst, key, counter, event); }
  { U dst; TRandomKey key{}; TRandomCounter counter{}; TRANDOM(dst, key, counter); }
  { U dst; TRandomKey key{}; TRandomCounter counter{}; TRANDOM(dst, key, counter, event); }
}
void Call216() {
  { F dst; F src; TRECIP<RecipAlgorithm::DEFAULT, F, F>(dst, src); }
  { F dst; F src; TRECIP<RecipAlgorithm::DEFAULT, F, F>(dst, src, event); }
  { F dst; F src; TRECIP(dst, src); }
  { F dst; F src; TRECIP(dst, src, event); }
}
void Call219() {
  { F dst; F src; TRELU<F, F>(dst, src); }
  { F dst; F src; TRELU<F, F>(dst, src, event); }
  { F dst; F src; TRELU(dst, src); }
  { F dst; F src; TRELU(dst, src, event); }
}
void Call220() {
  { F dst; F src0; F src1; F tmp; TREM<RemAlgorithm::DEFAULT, F, F, F, F>(dst, src0, src1, tmp); }
  { F dst; F src0; F src1; F tmp; TREM<RemAlgorithm::DEFAULT, F, F, F, F>(dst, src0, src1, tmp, event); }
  { F dst; F src0; F src1; F tmp; TREM(dst, src0, src1, tmp); }
  { F dst; F src0; F src1; F tmp; TREM(dst, src0, src1, tmp, event); }
}
void Call221() {
  { F dst; F src; F tmp; TREMS<RemSAlgorithm::DEFAULT, F, F, F>(dst, src, static_cast<F::DType>(1), tmp); }
  { F dst; F src; F tmp; TREMS<RemSAlgorithm::DEFAULT, F, F, F>(dst, src, static_cast<F::DType>(1), tmp, event); }
  { F dst; F src; F tmp; TREMS(dst, src, static_cast<F::DType>(1), tmp); }
  { F dst; F src; F tmp; TREMS(dst, src, static_cast<F::DType>(1), tmp, event); }
}
void Call222() {
  { F dst; F src; TRESHAPE<F, F>(dst, src); }
  { F dst; F src; TRESHAPE<F, F>(dst, src, event); }
  { F dst; F src; TRESHAPE(dst, src); }
  { F dst; F src; TRESHAPE(dst, src, event); }
}
void Call223() {
  { ColI dst; F src; F tmp; TROWARGMAX<ColI, F, F>(dst, src, tmp); }
  { ColI dst; F src; F tmp; TROWARGMAX<ColI, F, F>(dst, src, tmp, event); }
  { ColI dst; F src; F tmp; TROWARGMAX(dst, src, tmp); }
  { ColI dst; F src; F tmp; TROWARGMAX(dst, src, tmp, event); }
}
void Call224() {
  { Col dstVal; ColI dstIdx; F src; F tmp; TROWARGMAX<Col, ColI, F, F>(dstVal, dstIdx, src, tmp); }
  { Col dstVal; ColI dstIdx; F src; F tmp; TROWARGMAX<Col, ColI, F, F>(dstVal, dstIdx, src, tmp, event); }
  { Col dstVal; ColI dstIdx; F src; F tmp; TROWARGMAX(dstVal, dstIdx, src, tmp); }
  { Col dstVal; ColI dstIdx; F src; F tmp; TROWARGMAX(dstVal, dstIdx, src, tmp, event); }
}
void Call225() {
  { ColI dst; F src; F tmp; TROWARGMIN<ColI, F, F>(dst, src, tmp); }
  { ColI dst; F src; F tmp; TROWARGMIN<ColI, F, F>(dst, src, tmp, event); }
  { ColI dst; F src; F tmp; TROWARGMIN(dst, src, tmp); }
  { ColI dst; F src; F tmp; TROWARGMIN(dst, src, tmp, event); }
}
void Call226() {
  { Col dstVal; ColI dstIdx; F src; F tmp; TROWARGMIN<Col, ColI, F, F>(dstVal, dstIdx, src, tmp); }
  { Col dstVal; ColI dstIdx; F src; F tmp; TROWARGMIN<Col, ColI, F, F>(dstVal, dstIdx, src, tmp, event); }
  { Col dstVal; ColI dstIdx; F src; F tmp; TROWARGMIN(dstVal, dstIdx, src, tmp); }
  { Col dstVal; ColI dstIdx; F src; F tmp; TROWARGMIN(dstVal, dstIdx, src, tmp, event); }
}
void Call227() {
  { F dst; Col src; TROWEXPAND<F, Col>(dst, src); }
  { F dst; Col src; TROWEXPAND<F, Col>(dst, src, event); }
  { F dst; Col src; TROWEXPAND(dst, src); }
  { F dst; Col src; TROWEXPAND(dst, src, event); }
}
void Call228() {
  { F dst; F src0; Col src1; TROWEXPANDADD<F, F, Col>(dst, src0, src1); }
  { F dst; F src0; Col src1; TROWEXPANDADD<F, F, Col>(dst, src0, src1, event); }
  { F dst; F src0; Col src1; TROWEXPANDADD(dst, src0, src1); }
  { F dst; F src0; Col src1; TROWEXPANDADD(dst, src0, src1, event); }
}
void Call229() {
  { F dst; F src0; Col src1; F tmp; TROWEXPANDADD<F, F, Col, F>(dst, src0, src1, tmp); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDADD<F, F, Col, F>(dst, src0, src1, tmp, event); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDADD(dst, src0, src1, tmp); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDADD(dst, src0, src1, tmp, event); }
}
void Call230() {
  { F dst; F src0; Col src1; TROWEXPANDDIV<DivAlgorithm::DEFAULT, F, F, Col>(dst, src0, src1); }
  { F dst; F src0; Col src1; TROWEXPANDDIV<DivAlgorithm::DEFAULT, F, F, Col>(dst, src0, src1, event); }
  { F dst; F src0; Col src1; TROWEXPANDDIV(dst, src0, src1); }
  { F dst; F src0; Col src1; TROWEXPANDDIV(dst, src0, src1, event); }
}
void Call231() {
  { F dst; F src0; Col src1; F tmp; TROWEXPANDDIV<DivAlgorithm::DEFAULT, F, F, Col, F>(dst, src0, src1, tmp); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDDIV<DivAlgorithm::DEFAULT, F, F, Col, F>(dst, src0, src1, tmp, event); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDDIV(dst, src0, src1, tmp); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDDIV(dst, src0, src1, tmp, event); }
}
void Call232() {
  { F dst; F src0; Col src1; TROWEXPANDEXPDIF<F, F, Col>(dst, src0, src1); }
  { F dst; F src0; Col src1; TROWEXPANDEXPDIF<F, F, Col>(dst, src0, src1, event); }
  { F dst; F src0; Col src1; TROWEXPANDEXPDIF(dst, src0, src1); }
  { F dst; F src0; Col src1; TROWEXPANDEXPDIF(dst, src0, src1, event); }
}
void Call233() {
  { F dst; F src0; Col src1; F tmp; TROWEXPANDEXPDIF<F, F, Col, F>(dst, src0, src1, tmp); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDEXPDIF<F, F, Col, F>(dst, src0, src1, tmp, event); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDEXPDIF(dst, src0, src1, tmp); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDEXPDIF(dst, src0, src1, tmp, event); }
}
void Call234() {
  { F dst; F src0; Col src1; TROWEXPANDMAX<F, F, Col>(dst, src0, src1); }
  { F dst; F src0; Col src1; TROWEXPANDMAX<F, F, Col>(dst, src0, src1, event); }
  { F dst; F src0; Col src1; TROWEXPANDMAX(dst, src0, src1); }
  { F dst; F src0; Col src1; TROWEXPANDMAX(dst, src0, src1, event); }
}
void Call235() {
  { F dst; F src0; Col src1; F tmp; TROWEXPANDMAX<F, F, Col, F>(dst, src0, src1, tmp); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDMAX<F, F, Col, F>(dst, src0, src1, tmp, event); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDMAX(dst, src0, src1, tmp); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDMAX(dst, src0, src1, tmp, event); }
}
void Call236() {
  { F dst; F src0; Col src1; TROWEXPANDMIN<F, F, Col>(dst, src0, src1); }
  { F dst; F src0; Col src1; TROWEXPANDMIN<F, F, Col>(dst, src0, src1, event); }
  { F dst; F src0; Col src1; TROWEXPANDMIN(dst, src0, src1); }
  { F dst; F src0; Col src1; TROWEXPANDMIN(dst, src0, src1, event); }
}
void Call237() {
  { F dst; F src0; Col src1; F tmp; TROWEXPANDMIN<F, F, Col, F>(dst, src0, src1, tmp); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDMIN<F, F, Col, F>(dst, src0, src1, tmp, event); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDMIN(dst, src0, src1, tmp); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDMIN(dst, src0, src1, tmp, event); }
}
void Call238() {
  { F dst; F src0; Col src1; TROWEXPANDMUL<F, F, Col>(dst, src0, src1); }
  { F dst; F src0; Col src1; TROWEXPANDMUL<F, F, Col>(dst, src0, src1, event); }
  { F dst; F src0; Col src1; TROWEXPANDMUL(dst, src0, src1); }
  { F dst; F src0; Col src1; TROWEXPANDMUL(dst, src0, src1, event); }
}
void Call239() {
  { F dst; F src0; Col src1; F tmp; TROWEXPANDMUL<F, F, Col, F>(dst, src0, src1, tmp); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDMUL<F, F, Col, F>(dst, src0, src1, tmp, event); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDMUL(dst, src0, src1, tmp); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDMUL(dst, src0, src1, tmp, event); }
}
void Call240() {
  { F dst; F src0; Col src1; TROWEXPANDSUB<F, F, Col>(dst, src0, src1); }
  { F dst; F src0; Col src1; TROWEXPANDSUB<F, F, Col>(dst, src0, src1, event); }
  { F dst; F src0; Col src1; TROWEXPANDSUB(dst, src0, src1); }
  { F dst; F src0; Col src1; TROWEXPANDSUB(dst, src0, src1, event); }
}
void Call241() {
  { F dst; F src0; Col src1; F tmp; TROWEXPANDSUB<F, F, Col, F>(dst, src0, src1, tmp); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDSUB<F, F, Col, F>(dst, src0, src1, tmp, event); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDSUB(dst, src0, src1, tmp); }
  { F dst; F src0; Col src1; F tmp; TROWEXPANDSUB(dst, src0, src1, tmp, event); }
}
void Call242() {
  { Col dst; F src; F tmp; TROWMAX<Col, F, F>(dst, src, tmp); }
  { Col dst; F src; F tmp; TROWMAX<Col, F, F>(dst, src, tmp, event); }
  { Col dst; F src; F tmp; TROWMAX(dst, src, tmp); }
  { Col dst; F src; F tmp; TROWMAX(dst, src, tmp, event); }
}
void Call243() {
  { Col dst; F src; F tmp; TROWMIN<Col, F, F>(dst, src, tmp); }
  { Col dst; F src; F tmp; TROWMIN<Col, F, F>(dst, src, tmp, event); }
  { Col dst; F src; F tmp; TROWMIN(dst, src, tmp); }
  { Col dst; F src; F tmp; TROWMIN(dst, src, tmp, event); }
}
void Call244() {
  { Col dst; F src; F tmp; TROWPROD<Col, F, F>(dst, src, tmp); }
  { Col dst; F src; F tmp; TROWPROD<Col, F, F>(dst, src, tmp, event); }
  { Col dst; F src; F tmp; TROWPROD(dst, src, tmp); }
  { Col dst; F src; F tmp; TROWPROD(dst, src, tmp, event); }
}
void Call245() {
  { Col dst; F src; F tmp; TROWSUM<Col, F, F>(dst, src, tmp); }
  { Col dst; F src; F tmp; TROWSUM<Col, F, F>(dst, src, tmp, event); }
  { Col dst; F src; F tmp; TROWSUM(dst, src, tmp); }
  { Col dst; F src; F tmp; TROWSUM(dst, src, tmp, event); }
}
void Call246() {
  { F dst; F src; TRSQRT<RsqrtAlgorithm::DEFAULT, F, F>(dst, src); }
  { F dst; F src; TRSQRT<RsqrtAlgorithm::DEFAULT, F, F>(dst, src, event); }
  { F dst; F src; TRSQRT(dst, src); }
  { F dst; F src; TRSQRT(dst, src, event); }
}
void Call247() {
  { F dst; F src; F tmp; TRSQRT<RsqrtAlgorithm::DEFAULT, F, F, F>(dst, src, tmp); }
  { F dst; F src; F tmp; TRSQRT<RsqrtAlgorithm::DEFAULT, F, F, F>(dst, src, tmp, event); }
  { F dst; F src; F tmp; TRSQRT(dst, src, tmp); }
  { F dst; F src; F tmp; TRSQRT(dst, src, tmp, event); }
}
void Call248() {
  { F dst; F src; I indexes; TSCATTER<F, F, I>(dst, src, indexes); }
  { F dst; F src; I indexes; TSCATTER<F, F, I>(dst, src, indexes, event); }
  { F dst; F src; I indexes; TSCATTER(dst, src, indexes); }
  { F dst; F src; I indexes; TSCATTER(dst, src, indexes, event); }
}
void Call249() {
  { F dst; F src; TSCATTER<MaskPattern::P1111, ScatterAxis::SCATTER_ROW, F, F>(dst, src); }
  { F dst; F src; TSCATTER<MaskPattern::P1111, ScatterAxis::SCATTER_ROW, F, F>(dst, src, event); }
  { F dst; F src; TSCATTER(dst, src); }
  { F dst; F src; TSCATTER(dst, src, event); }
}
void Call252() {
  { F dst; Mask selMask; F src0; F src1; F tmp; TSEL<F, Mask, F>(dst, selMask, src0, src1, tmp); }
  { F dst; Mask selMask; F src0; F src1; F tmp; TSEL<F, Mask, F>(dst, selMask, src0, src1, tmp, event); }
  { F dst; Mask selMask; F src0; F src1; F tmp; TSEL(dst, selMask, src0, src1, tmp); }
  { F dst; Mask selMask; F src0; F src1; F tmp; TSEL(dst, selMask, src0, src1, tmp, event); }
}
void Call253() {
  { F dst; Mask mask; F src; F tmp; TSELS<F, Mask, F, F>(dst, mask, src, tmp, static_cast<F::DType>(1)); }
  { F dst; Mask mask; F src; F tmp; TSELS<F, Mask, F, F>(dst, mask, src, tmp, static_cast<F::DType>(1), event); }
  { F dst; Mask mask; F src; F tmp; TSELS(dst, mask, src, tmp, static_cast<F::DType>(1)); }
  { F dst; Mask mask; F src; F tmp; TSELS(dst, mask, src, tmp, static_cast<F::DType>(1), event); }
}
void Call254() {
  { I dst; I src0; I src1; TSHL<I, I, I>(dst, src0, src1); }
  { I dst; I src0; I src1; TSHL<I, I, I>(dst, src0, src1, event); }
  { I dst; I src0; I src1; TSHL(dst, src0, src1); }
  { I dst; I src0; I src1; TSHL(dst, src0, src1, event); }
}
void Call255() {
  { I dst; I src; TSHLS<I, I>(dst, src, static_cast<I::DType>(1)); }
  { I dst; I src; TSHLS<I, I>(dst, src, static_cast<I::DType>(1), event); }
  { I dst; I src; TSHLS(dst, src, static_cast<I::DType>(1)); }
  { I dst; I src; TSHLS(dst, src, static_cast<I::DType>(1), event); }
}
void Call256() {
  { I dst; I src0; I src1; TSHR<I, I, I>(dst, src0, src1); }
  { I dst; I src0; I src1; TSHR<I, I, I>(dst, src0, src1, event); }
  { I dst; I src0; I src1; TSHR(dst, src0, src1); }
  { I dst; I src0; I src1; TSHR(dst, src0, src1, event); }
}
void Call257() {
  { I dst; I src; TSHRS<I, I>(dst, src, static_cast<I::DType>(1)); }
  { I dst; I src; TSHRS<I, I>(dst, src, static_cast<I::DType>(1), event); }
  { I dst; I src; TSHRS(dst, src, static_cast<I::DType>(1)); }
  { I dst; I src; TSHRS(dst, src, static_cast<I::DType>(1), event); }
}
void Call258() {
  { Pairs dst; Line src; LineI idx; TSORT32<Pairs, Line, LineI>(dst, src, idx); }
  { Pairs dst; Line src; LineI idx; TSORT32(dst, src, idx); }
}
void Call259() {
  { Pairs dst; Line src; LineI idx; Pairs tmp; TSORT32<Pairs, Line, LineI, Pairs>(dst, src, idx, tmp); }
  { Pairs dst; Line src; LineI idx; Pairs tmp; TSORT32(dst, src, idx, tmp); }
}
void Call260() {
  { F dst; F src; TSQRT<SqrtAlgorithm::DEFAULT, F, F>(dst, src); }
  { F dst; F src; TSQRT<SqrtAlgorithm::DEFAULT, F, F>(dst, src, event); }
  { F dst; F src; TSQRT(dst, src); }
  { F dst; F src; TSQRT(dst, src, event); }
}
void Call261() {
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; TSTORE<F, Global>(dst, src); }
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; TSTORE<F, Global>(dst, src, event); }
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; TSTORE(dst, src); }
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; TSTORE(dst, src, event); }
}
void Call262() {
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; TSTORE<STPhase::Final, F, Global>(dst, src); }
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; TSTORE<STPhase::Final, F, Global>(dst, src, event); }
}
void Call263() {
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; TSTORE<F, Global, AtomicType::AtomicAdd>(dst, src); }
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; TSTORE<F, Global, AtomicType::AtomicAdd>(dst, src, event); }
}
void Call264() {
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; TSTORE<STPhase::Final, F, Global, AtomicType::AtomicAdd>(dst, src); }
  { static float dst_data[1024] = {}; Global dst(dst_data); F src; TSTORE<STPhase::Final, F, Global, AtomicType::AtomicAdd>(dst, src, event); }
}
void Call265() {
  { static float dst_data[1024] = {}; GlobalA dst(dst_data); Acc src; TSTORE<Acc, GlobalA, AtomicType::AtomicAdd, ReluPreMode::NormalRelu>(dst, src); }
  { static float dst_data[1024] = {}; GlobalA dst(dst_data); Acc src; TSTORE<Acc, GlobalA, AtomicType::AtomicAdd, ReluPreMode::NormalRelu>(dst, src, event); }
}
void Call266() {
  { static float dst_data[1024] = {}; GlobalA dst(dst_data); Acc src; TSTORE<STPhase::Final, Acc, GlobalA, AtomicType::AtomicAdd, ReluPreMode::NormalRelu>(dst, src); }
  { static float dst_data[1024] = {}; GlobalA dst(dst_data); Acc src; TSTORE<STPhase::Final, Acc, GlobalA, AtomicType::AtomicAdd, ReluPreMode::NormalRelu>(dst, src, event); }
}
void Call267() {
  { static int8_t dst_data[1024] = {}; GlobalB dst(dst_data); Acc src; TSTORE<Acc, GlobalB, AtomicType::AtomicAdd, ReluPreMode::NormalRelu>(dst, src, kWord); }
  { static int8_t dst_data[1024] = {}; GlobalB dst(dst_data); Acc src; TSTORE<Acc, GlobalB, AtomicType::AtomicAdd, ReluPreMode::NormalRelu>(dst, src, kWord, event); }
  { static int8_t dst_data[1024] = {}; GlobalB dst(dst_data); Acc src; TSTORE(dst, src, kWord); }
  { static int8_t dst_data[1024] = {}; GlobalB dst(dst_data); Acc src; TSTORE(dst, src, kWord, event); }
}
void Call268() {
  { static int8_t dst_data[1024] = {}; GlobalB dst(dst_data); Acc src; TSTORE<STPhase::Final, Acc, GlobalB, AtomicType::AtomicAdd, ReluPreMode::NormalRelu>(dst, src, kWord); }
  { static int8_t dst_data[1024] = {}; GlobalB dst(dst_data); Acc src; TSTORE<STPhase::Final, Acc, GlobalB, AtomicType::AtomicAdd, ReluPreMode::NormalRelu>(dst, src, kWord, event); }
}
void Call269() {
  { static int8_t dst_data[1024] = {}; GlobalB dst(dst_data); Acc src; Words fp; TSTORE_FP<Acc, GlobalB, Words, AtomicType::AtomicAdd, ReluPreMode::NormalRelu>(dst, src, fp); }
  { static int8_t dst_data[1024] = {}; GlobalB dst(dst_data); Acc src; Words fp; TSTORE_FP<Acc, GlobalB, Words, AtomicType::AtomicAdd, ReluPreMode::NormalRelu>(dst, src, fp, event); }
  { static int8_t dst_data[1024] = {}; GlobalB dst(dst_data); Acc src; Words fp; TSTORE_FP(dst, src, fp); }
  { static int8_t dst_data[1024] = {}; GlobalB dst(dst_data); Acc src; Words fp; TSTORE_FP(dst, src, fp, event); }
}
void Call270() {
  { F dst; F src0; F src1; TSUB<F, F, F>(dst, src0, src1); }
  { F dst; F src0; F src1; TSUB<F, F, F>(dst, src0, src1, event); }
  { F dst; F src0; F src1; TSUB(dst, src0, src1); }
  { F dst; F src0; F src1; TSUB(dst, src0, src1, event); }
}
void Call271() {
  { F dst; F src0; F src1; F src2; TSUBC<F>(dst, src0, src1, src2); }
  { F dst; F src0; F src1; F src2; TSUBC<F>(dst, src0, src1, src2, event); }
  { F dst; F src0; F src1; F src2; TSUBC(dst, src0, src1, src2); }
  { F dst; F src0; F src1; F src2; TSUBC(dst, src0, src1, src2, event); }
}
void Call272() {
  { F dst; F src0; F src1; TSUBRELU<F, F, F>(dst, src0, src1); }
  { F dst; F src0; F src1; TSUBRELU<F, F, F>(dst, src0, src1, event); }
  { F dst; F src0; F src1; TSUBRELU(dst, src0, src1); }
  { F dst; F src0; F src1; TSUBRELU(dst, src0, src1, event); }
}
void Call273() {
  { H dst; F src0; F src1; TSUBRELUCONV<H, F, F>(dst, src0, src1); }
  { H dst; F src0; F src1; TSUBRELUCONV<H, F, F>(dst, src0, src1, event); }
  { H dst; F src0; F src1; TSUBRELUCONV(dst, src0, src1); }
  { H dst; F src0; F src1; TSUBRELUCONV(dst, src0, src1, event); }
}
void Call274() {
  { F dst; F src0; TSUBS<F, F>(dst, src0, static_cast<F::DType>(1)); }
  { F dst; F src0; TSUBS<F, F>(dst, src0, static_cast<F::DType>(1), event); }
  { F dst; F src0; TSUBS(dst, src0, static_cast<F::DType>(1)); }
  { F dst; F src0; TSUBS(dst, src0, static_cast<F::DType>(1), event); }
}
void Call275() {
  { F dst; F src0; F src1; TSUBSC<F>(dst, src0, static_cast<F::DType>(1), src1); }
  { F dst; F src0; F src1; TSUBSC<F>(dst, src0, static_cast<F::DType>(1), src1, event); }
  { F dst; F src0; F src1; TSUBSC(dst, src0, static_cast<F::DType>(1), src1); }
  { F dst; F src0; F src1; TSUBSC(dst, src0, static_cast<F::DType>(1), src1, event); }
}
void Call276() {
  { F dst; F src; TSUBVIEW<F, F>(dst, src, 0, 0); }
  { F dst; F src; TSUBVIEW<F, F>(dst, src, 0, 0, event); }
  { F dst; F src; TSUBVIEW(dst, src, 0, 0); }
  { F dst; F src; TSUBVIEW(dst, src, 0, 0, event); }
}
void Call277() {
  {  TSYNC<Op::VECTOR>(); }
}
void Call278() {
  {  TSYNC(event); }
}
void Call280() {
  { Tall dst; F src; F tmp; TTRANS<Tall, F, F>(dst, src, tmp); }
  { Tall dst; F src; F tmp; TTRANS<Tall, F, F>(dst, src, tmp, event); }
  { Tall dst; F src; F tmp; TTRANS(dst, src, tmp); }
  { Tall dst; F src; F tmp; TTRANS(dst, src, tmp, event); }
}
void Call281() {
  { I dst; TTRI<I, 0>(dst, 0); }
  { I dst; TTRI<I, 0>(dst, 0, event); }
}
void Call283() {
  { I dst; I src0; I src1; I tmp; TXOR<I, I, I, I>(dst, src0, src1, tmp); }
  { I dst; I src0; I src1; I tmp; TXOR<I, I, I, I>(dst, src0, src1, tmp, event); }
  { I dst; I src0; I src1; I tmp; TXOR(dst, src0, src1, tmp); }
  { I dst; I src0; I src1; I tmp; TXOR(dst, src0, src1, tmp, event); }
}
void Call284() {
  { I dst; I src0; I tmp; TXORS<I, I, I>(dst, src0, static_cast<I::DType>(1), tmp); }
  { I dst; I src0; I tmp; TXORS<I, I, I>(dst, src0, static_cast<I::DType>(1), tmp, event); }
  { I dst; I src0; I tmp; TXORS(dst, src0, static_cast<I::DType>(1), tmp); }
  { I dst; I src0; I tmp; TXORS(dst, src0, static_cast<I::DType>(1), tmp, event); }
}
int main() {
  const struct { const char* name; void (*call)(); } calls[] = {
    {"MGATHER, line 2", Call0},
    {"MGATHER, line 3", Call1},
    {"MGATHER, line 4", Call2},
    {"MSCATTER, line 8", Call6},
    {"MSCATTER, line 9", Call7},
    {"MSCATTER, line 10", Call8},
    {"MSCATTER, line 11", Call9},
    {"MSCATTER, line 12", Call10},
    {"MSCATTER, line 13", Call11},
    {"MSCATTER, line 14", Call12},
    {"MSCATTER, line 15", Call13},
    {"SETFMATRIX, line 16", Call14},
    {"SET_IMG2COL_PADDING, line 17", Call15},
    {"SET_IMG2COL_PADDING, line 18", Call16},
    {"SET_IMG2COL_RPT, line 19", Call17},
    {"SET_IMG2COL_RPT, line 20", Call18},
    {"TABS, line 25", Call23},
    {"TADD, line 26", Call24},
    {"TADDC, line 27", Call25},
    {"TADDDEQRELU, line 28", Call26},
    {"TADDRELUCONV, line 29", Call27},
    {"TADDS, line 30", Call28},
    {"TADDSC, line 31", Call29},
    {"TAND, line 33", Call31},
    {"TAND, line 34", Call32},
    {"TANDS, line 35", Call33},
    {"TAXPY, line 38", Call36},
    {"TCI, line 41", Call39},
    {"TCI, line 42", Call40},
    {"TCMP, line 43", Call41},
    {"TCMPS, line 44", Call42},
    {"TCMPS, line 45", Call43},
    {"TCOLARGMAX, line 46", Call44},
    {"TCOLARGMAX, line 47", Call45},
    {"TCOLARGMIN, line 48", Call46},
    {"TCOLARGMIN, line 49", Call47},
    {"TCOLEXPAND, line 50", Call48},
    {"TCOLEXPANDADD, line 51", Call49},
    {"TCOLEXPANDDIV, line 52", Call50},
    {"TCOLEXPANDEXPDIF, line 53", Call51},
    {"TCOLEXPANDMAX, line 54", Call52},
    {"TCOLEXPANDMIN, line 55", Call53},
    {"TCOLEXPANDMUL, line 56", Call54},
    {"TCOLEXPANDSUB, line 57", Call55},
    {"TCOLMAX, line 58", Call56},
    {"TCOLMIN, line 59", Call57},
    {"TCOLPROD, line 60", Call58},
    {"TCOLSUM, line 61", Call59},
    {"TCOLSUM, line 62", Call60},
    {"TCONCAT, line 63", Call61},
    {"TCONCAT, line 64", Call62},
    {"TCONCAT, line 65", Call63},
    {"TCVT, line 66", Call64},
    {"TCVT, line 67", Call65},
    {"TCVT, line 68", Call66},
    {"TCVT, line 69", Call67},
    {"TDEINTERLEAVE, line 70", Call68},
    {"TDEINTERLEAVE, line 71", Call69},
    {"TDEQUANT, line 72", Call70},
    {"TDIV, line 73", Call71},
    {"TDIVS, line 74", Call72},
    {"TDIVS, line 75", Call73},
    {"TEXP, line 76", Call74},
    {"TEXPANDS, line 77", Call75},
    {"TEXTRACT, line 78", Call76},
    {"TEXTRACT, line 79", Call77},
    {"TEXTRACT, line 80", Call78},
    {"TEXTRACT, line 81", Call79},
    {"TEXTRACT, line 82", Call80},
    {"TEXTRACT, line 83", Call81},
    {"TEXTRACT, line 84", Call82},
    {"TEXTRACT_FP, line 85", Call83},
    {"TFILLPAD, line 86", Call84},
    {"TFILLPAD, line 87", Call85},
    {"TFILLPAD_EXPAND, line 88", Call86},
    {"TFILLPAD_INPLACE, line 89", Call87},
    {"TFMOD, line 90", Call88},
    {"TFMODS, line 91", Call89},
    {"TFUSEDMULADD, line 95", Call93},
    {"TFUSEDMULADDRELU, line 96", Call94},
    {"TGATHER, line 97", Call95},
    {"TGATHER, line 98", Call96},
    {"TGATHER, line 99", Call97},
    {"TGATHERB, line 102", Call100},
    {"TGEMV, line 103", Call101},
    {"TGEMV, line 104", Call102},
    {"TGEMV_ACC, line 105", Call103},
    {"TGEMV_ACC, line 106", Call104},
    {"TGEMV_BIAS, line 107", Call105},
    {"TGEMV_BIAS, line 108", Call106},
    {"TGEMV_MX, line 109", Call107},
    {"TGEMV_MX, line 110", Call108},
    {"TGEMV_MX, line 111", Call109},
    {"TGEMV_MX, line 112", Call110},
    {"TGEMV_MX, line 113", Call111},
    {"TGEMV_MX, line 114", Call112},
    {"THISTOGRAM, line 120", Call118},
    {"TIMG2COL, line 121", Call119},
    {"TINSERT, line 122", Call120},
    {"TINSERT, line 123", Call121},
    {"TINSERT, line 124", Call122},
    {"TINSERT, line 125", Call123},
    {"TINSERT, line 126", Call124},
    {"TINSERT, line 127", Call125},
    {"TINSERT, line 128", Call126},
    {"TINSERT_FP, line 129", Call127},
    {"TINTERLEAVE, line 130", Call128},
    {"TLOAD, line 131", Call129},
    {"TLOG, line 132", Call130},
    {"TLRELU, line 133", Call131},
    {"TMATMUL, line 134", Call132},
    {"TMATMUL, line 135", Call133},
    {"TMATMUL_ACC, line 136", Call134},
    {"TMATMUL_ACC, line 137", Call135},
    {"TMATMUL_ACC, line 138", Call136},
    {"TMATMUL_BIAS, line 139", Call137},
    {"TMATMUL_BIAS, line 140", Call138},
    {"TMATMUL_MX, line 141", Call139},
    {"TMATMUL_MX, line 142", Call140},
    {"TMATMUL_MX, line 143", Call141},
    {"TMATMUL_MX, line 144", Call142},
    {"TMATMUL_MX, line 145", Call143},
    {"TMATMUL_MX, line 146", Call144},
    {"TMAX, line 147", Call145},
    {"TMAXS, line 148", Call146},
    {"TMIN, line 149", Call147},
    {"TMINS, line 150", Call148},
    {"TMOV, line 151", Call149},
    {"TMOV, line 154", Call152},
    {"TMOV, line 155", Call153},
    {"TMOV, line 156", Call154},
    {"TMOV, line 157", Call155},
    {"TMOV, line 158", Call156},
    {"TMOV, line 159", Call157},
    {"TMOV, line 160", Call158},
    {"TMOV, line 161", Call159},
    {"TMOV, line 162", Call160},
    {"TMOV, line 163", Call161},
    {"TMOV, line 164", Call162},
    {"TMOV_FP, line 165", Call163},
    {"TMOV_FP, line 166", Call164},
    {"TMRGSORT, line 167", Call165},
    {"TMRGSORT, line 168", Call166},
    {"TMRGSORT, line 169", Call167},
    {"TMRGSORT, line 170", Call168},
    {"TMUL, line 171", Call169},
    {"TMULADDDST, line 172", Call170},
    {"TMULS, line 173", Call171},
    {"TNEG, line 174", Call172},
    {"TNOT, line 175", Call173},
    {"TOR, line 177", Call175},
    {"TOR, line 178", Call176},
    {"TORS, line 179", Call177},
    {"TPAIRREDUCESUM, line 180", Call178},
    {"TPARTADD, line 181", Call179},
    {"TPARTARGMAX, line 182", Call180},
    {"TPARTARGMIN, line 183", Call181},
    {"TPARTMAX, line 184", Call182},
    {"TPARTMIN, line 185", Call183},
    {"TPARTMUL, line 186", Call184},
    {"TPOW, line 192", Call190},
    {"TPOWS, line 193", Call191},
    {"TPREFETCH, line 194", Call192},
    {"TPREFETCH_ASYNC, line 195", Call193},
    {"TPRELU, line 196", Call194},
    {"TPRINT, line 197", Call195},
    {"TPRINT, line 198", Call196},
    {"TQUANT, line 215", Call213},
    {"TQUANT, line 216", Call214},
    {"TRANDOM, line 217", Call215},
    {"TRECIP, line 218", Call216},
    {"TRELU, line 221", Call219},
    {"TREM, line 222", Call220},
    {"TREMS, line 223", Call221},
    {"TRESHAPE, line 224", Call222},
    {"TROWARGMAX, line 225", Call223},
    {"TROWARGMAX, line 226", Call224},
    {"TROWARGMIN, line 227", Call225},
    {"TROWARGMIN, line 228", Call226},
    {"TROWEXPAND, line 229", Call227},
    {"TROWEXPANDADD, line 230", Call228},
    {"TROWEXPANDADD, line 231", Call229},
    {"TROWEXPANDDIV, line 232", Call230},
    {"TROWEXPANDDIV, line 233", Call231},
    {"TROWEXPANDEXPDIF, line 234", Call232},
    {"TROWEXPANDEXPDIF, line 235", Call233},
    {"TROWEXPANDMAX, line 236", Call234},
    {"TROWEXPANDMAX, line 237", Call235},
    {"TROWEXPANDMIN, line 238", Call236},
    {"TROWEXPANDMIN, line 239", Call237},
    {"TROWEXPANDMUL, line 240", Call238},
    {"TROWEXPANDMUL, line 241", Call239},
    {"TROWEXPANDSUB, line 242", Call240},
    {"TROWEXPANDSUB, line 243", Call241},
    {"TROWMAX, line 244", Call242},
    {"TROWMIN, line 245", Call243},
    {"TROWPROD, line 246", Call244},
    {"TROWSUM, line 247", Call245},
    {"TRSQRT, line 248", Call246},
    {"TRSQRT, line 249", Call247},
    {"TSCATTER, line 250", Call248},
    {"TSCATTER, line 251", Call249},
    {"TSEL, line 254", Call252},
    {"TSELS, line 255", Call253},
    {"TSHL, line 256", Call254},
    {"TSHLS, line 257", Call255},
    {"TSHR, line 258", Call256},
    {"TSHRS, line 259", Call257},
    {"TSORT32, line 260", Call258},
    {"TSORT32, line 261", Call259},
    {"TSQRT, line 262", Call260},
    {"TSTORE, line 263", Call261},
    {"TSTORE, line 264", Call262},
    {"TSTORE, line 265", Call263},
    {"TSTORE, line 266", Call264},
    {"TSTORE, line 267", Call265},
    {"TSTORE, line 268", Call266},
    {"TSTORE, line 269", Call267},
    {"TSTORE, line 270", Call268},
    {"TSTORE_FP, line 271", Call269},
    {"TSUB, line 272", Call270},
    {"TSUBC, line 273", Call271},
    {"TSUBRELU, line 274", Call272},
    {"TSUBRELUCONV, line 275", Call273},
    {"TSUBS, line 276", Call274},
    {"TSUBSC, line 277", Call275},
    {"TSUBVIEW, line 278", Call276},
    {"TSYNC, line 279", Call277},
    {"TSYNC, line 280", Call278},
    {"TTRANS, line 282", Call280},
    {"TTRI, line 283", Call281},
    {"TXOR, line 285", Call283},
    {"TXORS, line 286", Call284},
  };
  for (const auto& one : calls) {
    try {
      one.call();
      // As a program it does the same.
      Recording recording;
      recording.Of(one.call);
      if (recording.Run() != PTO_OK || !recording.Findings().empty()) {
        ++failed;
        std::fprintf(stderr, "%s, recorded: %s\n", one.name, recording.Findings()[0].text.c_str());
      }
    } catch (const Error& error) {
      ++failed;
      std::fprintf(stderr, "%s: %s\n", one.name, error.what());
    }
  }
  return failed == 0 ? 0 : 1;
}
