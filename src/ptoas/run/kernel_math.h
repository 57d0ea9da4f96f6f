// Functions of the math dialect that an instruction computes for tiles: numbers go through
// the same kernels, so that they are correctly rounded and have the same bits everywhere.
#ifndef PTO_SRC_PTOAS_RUN_KERNEL_MATH_H_
#define PTO_SRC_PTOAS_RUN_KERNEL_MATH_H_

#include "include/pto_c.h"
#include "src/ptoas/read/dialect.h"
#include "src/ptoas/read/type.h"

namespace pto::ptoas {

class KernelMath {
 public:
  KernelMath() = default;
  KernelMath(const KernelMath&) = delete;
  KernelMath& operator=(const KernelMath&) = delete;
  ~KernelMath();

  // Numbers of the type; `b` is the exponent of powf. False: no kernel has the type. Throws only std::bad_alloc.
  bool Compute(ArithOp op, Elem elem, double a, double b, double* out);

 private:
  static constexpr int kOps = static_cast<int>(kLastArith) - static_cast<int>(kFirstKernel) + 1;
  static constexpr int kTypes = 3;
  // One element in, one out.
  struct Unit {
    pto_inst* inst = nullptr;
    pto_tile* tiles[3] = {};  // destination, sources
  };

  void Make(ArithOp op, pto_dtype dtype, Unit* unit);

  pto_context* ctx_ = nullptr;
  Unit units_[kOps][kTypes];  // each made when it is first asked for
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_RUN_KERNEL_MATH_H_
