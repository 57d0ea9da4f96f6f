// Asynchronous operations: a device does them later, libpto does them at once. Include pto-inst.hpp, which includes
// this file.
#ifndef PTO_PTO_ASYNC_HPP_
#define PTO_PTO_ASYNC_HPP_

#include "pto/pto-issue.hpp"
#include "pto/pto-sync.hpp"
#include "pto/pto-tensor.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

namespace comm {

// Whether a transfer is complete. It always is.
struct AsyncEvent {
  uint64_t handle = 0;
  bool valid() const { return handle != 0; }
  template <typename... Sessions>
  bool Wait(const Sessions&... /*sessions*/) const {
    return true;
  }
  template <typename... Sessions>
  bool Test(const Sessions&... /*sessions*/) const {
    return true;
  }
};

}  // namespace comm

// The queue of a device that reads ahead.
struct PrefetchAsyncContext {
  PrefetchAsyncContext() = default;
  explicit PrefetchAsyncContext(uint8_t* memory) : workspace(memory) {}
  uint8_t* workspace = nullptr;
  uint64_t session = 0;
};

// A hint that the memory of a tensor will be read; nothing changes.
template <typename GlobalData, typename... WaitEvents>
inline std::enable_if_t<pto_detail::kIsGlobal<GlobalData> && pto_detail::kAreEvents<WaitEvents...>, comm::AsyncEvent>
TPREFETCH_ASYNC(GlobalData& /*srcGlobalData*/, PrefetchAsyncContext& /*ctx*/, WaitEvents&... events) {
  (pto_detail::WaitFor(events), ...);
  return {};
}

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_ASYNC_HPP_
