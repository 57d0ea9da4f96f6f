// peers_eigen.cc: Eigen's array expressions.
#include <Eigen/Core>
#include <cstdint>

#include "peers.h"

namespace {

using Eigen::bfloat16;
using Eigen::half;

template <class T>
using In = Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
template <class T>
using Out = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
template <class T>
using Vector = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;
template <class T>
using Line = Eigen::Map<Eigen::Array<T, 1, Eigen::Dynamic, Eigen::RowMajor>>;

// o, x, y: the operands as one line; m: the first source as a matrix.
#define PEER(name, ...)                                                               \
  template <class T>                                                                  \
  void name(void* d, const void* a, const void* b, const void*, int rows, int cols) { \
    const int n = rows * cols;                                                        \
    Out<T> o(static_cast<T*>(d), 1, n);                                               \
    const In<T> x(static_cast<const T*>(a), 1, n);                                    \
    const In<T> y(static_cast<const T*>(b == nullptr ? a : b), 1, n);                 \
    const In<T> m(static_cast<const T*>(a), rows, cols);                              \
    Out<T> whole(static_cast<T*>(d), rows, cols);                                     \
    Vector<T> column(static_cast<T*>(d), rows);                                       \
    Line<T> line(static_cast<T*>(d), cols);                                           \
    __VA_ARGS__;                                                                      \
  }

PEER(Add, o = x + y)
PEER(Sub, o = x - y)
PEER(Mul, o = x * y)
PEER(Div, o = x / y)
PEER(Max, o = x.max(y))
PEER(Min, o = x.min(y))
PEER(Abs, o = x.abs())
PEER(Neg, o = -x)
PEER(Exp, o = x.exp())
PEER(Log, o = x.log())
PEER(Sqrt, o = x.sqrt())
PEER(Recip, o = x.inverse())
PEER(Rsqrt, o = x.rsqrt())
PEER(Pow, o = x.pow(y))
PEER(Prelu, o = (x > T(0)).select(x, x* y))
PEER(AddS, o = x + T(PEER_FLOAT))
PEER(ColDiv, whole = m.rowwise() / In<T>(static_cast<const T*>(b), 1, cols).row(0))
PEER(ColMul, whole = m.rowwise() * In<T>(static_cast<const T*>(b), 1, cols).row(0))
PEER(ColAdd, whole = m.rowwise() + In<T>(static_cast<const T*>(b), 1, cols).row(0))
PEER(RowMul, whole = m.colwise() * In<T>(static_cast<const T*>(b), rows, 1).col(0))
PEER(RowAdd, whole = m.colwise() + In<T>(static_cast<const T*>(b), rows, 1).col(0))
PEER(Transpose, Out<T>(static_cast<T*>(d), cols, rows) = m.transpose())
PEER(RowSum, column = m.rowwise().sum())
PEER(RowMax, column = m.rowwise().maxCoeff())
PEER(RowMaxNaN, for (int r = 0; r < rows; ++r) column(r) = m.row(r).template maxCoeff<Eigen::PropagateNaN>())
PEER(ColSum, line = m.colwise().sum())
PEER(ColMax, line = m.colwise().maxCoeff())
PEER(Part,
     whole.topLeftCorner(rows / 2,
                         cols / 2) = m.topLeftCorner(rows / 2, cols / 2) +
                                     In<T>(static_cast<const T*>(b), rows, cols).topLeftCorner(rows / 2, cols / 2);
     whole.topRightCorner(rows / 2, cols - cols / 2) = m.topRightCorner(rows / 2, cols - cols / 2);
     whole.bottomRows(rows - rows / 2) = m.bottomRows(rows - rows / 2))

template <class From, class To>
void Convert(void* d, const void* a, const void*, const void*, int rows, int cols) {
  Out<To>(static_cast<To*>(d), rows, cols) = In<From>(static_cast<const From*>(a), rows, cols).template cast<To>();
}

constexpr char kName[] = "eigen";

#define AS(op, type, function) \
  { kName, op, type, function, nullptr }
#define OF_INTS(op, f) AS(op, "i32", f<int32_t>), AS(op, "i16", f<int16_t>), AS(op, "i8", f<int8_t>)
#define OF_ALL(op, f) AS(op, "f32", f<float>), AS(op, "f16", f<half>), AS(op, "bf16", f<bfloat16>), OF_INTS(op, f)

}  // namespace

extern "C" const peer peers_eigen[] = {
    OF_ALL("tadd", Add),
    OF_ALL("tsub", Sub),
    OF_ALL("tmul", Mul),
    AS("tdiv", "f32", Div<float>),
    OF_ALL("tmax", Max),
    OF_ALL("tmin", Min),
    OF_ALL("tabs", Abs),
    OF_ALL("tneg", Neg),
    AS("texp", "f32", Exp<float>),
    AS("tlog", "f32", Log<float>),
    AS("tsqrt", "f32", Sqrt<float>),
    AS("trecip", "f32", Recip<float>),
    AS("trsqrt", "f32", Rsqrt<float>),
    AS("trsqrt", "f16", Rsqrt<half>),
    AS("tpow", "f32", Pow<float>),
    AS("tpow.mixed", "f32", Pow<float>),
    AS("tprelu", "f32", Prelu<float>),
    AS("tprelu", "f16", Prelu<half>),
    OF_INTS("tprelu", Prelu),
    AS("tadds", "f32", AddS<float>),
    AS("tcolexpanddiv", "f32", ColDiv<float>),
    AS("tcolexpandmul", "f32", ColMul<float>),
    AS("tcolexpandadd", "f32", ColAdd<float>),
    AS("trowexpandmul", "f32", RowMul<float>),
    AS("trowexpandadd", "f32", RowAdd<float>),
    OF_ALL("tpartadd", Add),
    AS("tpartadd.part", "f32", Part<float>),
    OF_INTS("tpartadd.part", Part),
    AS("trowsum", "f32", RowSum<float>),
    AS("trowmax", "f32", RowMax<float>),
    {"eigen, NaN wins", "trowmax", "f32", RowMaxNaN<float>, nullptr},
    AS("tcolsum", "f32", ColSum<float>),
    AS("tcolmax", "f32", ColMax<float>),
    OF_ALL("ttrans", Transpose),
    AS("tcvt", "f32>f16", (Convert<float, half>)),
    AS("tcvt", "f16>f32", (Convert<half, float>)),
    AS("tcvt", "f32>bf16", (Convert<float, bfloat16>)),
    AS("tcvt", "bf16>f32", (Convert<bfloat16, float>)),
    AS("tcvt", "i32>f32", (Convert<int32_t, float>)),
    AS("tcvt", "i8>f32", (Convert<int8_t, float>)),
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
