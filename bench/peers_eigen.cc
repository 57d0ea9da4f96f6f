// peers_eigen.cc: Eigen's array expressions, compiled for the machine at hand.
#include <Eigen/Core>
#include <cstdint>

#include "peers.h"

namespace {

template <class T>
using In = Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
template <class T>
using Out = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

template <class T>
void Pow(void* d, const void* a, const void* b, int rows, int cols) {
  const int n = rows * cols;
  Out<T>(static_cast<T*>(d), 1, n) = In<T>(static_cast<const T*>(a), 1, n).pow(In<T>(static_cast<const T*>(b), 1, n));
}
template <class T>
void Rsqrt(void* d, const void* a, const void*, int rows, int cols) {
  Out<T>(static_cast<T*>(d), 1, rows * cols) = In<T>(static_cast<const T*>(a), 1, rows * cols).rsqrt();
}
template <class T>
void Prelu(void* d, const void* a, const void* b, int rows, int cols) {
  const In<T> x(static_cast<const T*>(a), 1, rows * cols);
  const In<T> s(static_cast<const T*>(b), 1, rows * cols);
  Out<T>(static_cast<T*>(d), 1, rows * cols) = (x > T(0)).select(x, x * s);
}
template <class T>
void ColDiv(void* d, const void* a, const void* b, int rows, int cols) {
  Out<T>(static_cast<T*>(d), rows, cols) =
      In<T>(static_cast<const T*>(a), rows, cols).rowwise() / In<T>(static_cast<const T*>(b), 1, cols).row(0);
}
template <class T>
void Add(void* d, const void* a, const void* b, int rows, int cols) {
  const int n = rows * cols;
  Out<T>(static_cast<T*>(d), 1, n) = In<T>(static_cast<const T*>(a), 1, n) + In<T>(static_cast<const T*>(b), 1, n);
}
template <class T>
void Part(void* d, const void* a, const void* b, int rows, int cols) {
  Out<T> out(static_cast<T*>(d), rows, cols);
  const In<T> x(static_cast<const T*>(a), rows, cols);
  const In<T> y(static_cast<const T*>(b), rows, cols);
  out.topLeftCorner(rows / 2, cols / 2) = x.topLeftCorner(rows / 2, cols / 2) + y.topLeftCorner(rows / 2, cols / 2);
  out.topRightCorner(rows / 2, cols - cols / 2) = x.topRightCorner(rows / 2, cols - cols / 2);
  out.bottomRows(rows - rows / 2) = x.bottomRows(rows - rows / 2);
}

constexpr char kName[] = "eigen";

}  // namespace

extern "C" const peer peers_eigen[] = {
    {kName, "pow", "f32", Pow<float>},
    {kName, "rsqrt", "f32", Rsqrt<float>},
    {kName, "prelu", "f32", Prelu<float>},
    {kName, "prelu", "i32", Prelu<int32_t>},
    {kName, "prelu", "i16", Prelu<int16_t>},
    {kName, "prelu", "i8", Prelu<int8_t>},
    {kName, "coldiv", "f32", ColDiv<float>},
    {kName, "partadd", "f32", Add<float>},
    {kName, "partadd", "i32", Add<int32_t>},
    {kName, "partadd", "i16", Add<int16_t>},
    {kName, "partadd", "i8", Add<int8_t>},
    {kName, "partadd_part", "f32", Part<float>},
    {kName, "partadd_part", "i32", Part<int32_t>},
    {kName, "partadd_part", "i16", Part<int16_t>},
    {kName, "partadd_part", "i8", Part<int8_t>},
    {kName, "partadd", "f16", Add<Eigen::half>},
    {kName, "prelu", "f16", Prelu<Eigen::half>},
    {kName, "partadd", "bf16", Add<Eigen::bfloat16>},
    {kName, "rsqrt", "f16", Rsqrt<Eigen::half>},
    {nullptr, nullptr, nullptr, nullptr},
};
