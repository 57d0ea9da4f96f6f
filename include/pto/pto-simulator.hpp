// Names of the common simulator's hosts: memory and streams of a device that is this process. Kernels and hosts that
// are built for the simulator, with -D__CPU_SIM, have them. Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_SIMULATOR_HPP_
#define PTO_PTO_SIMULATOR_HPP_

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "pto/pto-base.hpp"

#if defined(__CPU_SIM) && !defined(PTO_NO_GLOBAL_NAMES)

namespace cce {
template <typename... Values>
inline int printf(const char* format, const Values&... values) {
  if constexpr (sizeof...(Values) == 0) {
    return std::fputs(format, stdout);
  } else {
    return std::printf(format, values...);
  }
}
}  // namespace cce

#if !defined(HCCL_MAX_RANK_NUM)
inline constexpr uint32_t HCCL_MAX_RANK_NUM = 64;
#endif

using aclError = int;
using aclrtStream = void*;
inline constexpr aclError ACL_SUCCESS = 0;
inline constexpr aclError ACL_ERROR_BAD_ALLOC = 200000;
enum aclrtMemMallocPolicy { ACL_MEM_MALLOC_HUGE_FIRST, ACL_MEM_MALLOC_HUGE_ONLY, ACL_MEM_MALLOC_NORMAL_ONLY };
enum aclrtMemcpyKind {
  ACL_MEMCPY_HOST_TO_HOST,
  ACL_MEMCPY_HOST_TO_DEVICE,
  ACL_MEMCPY_DEVICE_TO_HOST,
  ACL_MEMCPY_DEVICE_TO_DEVICE,
};

// Memory of the device is memory of the process, aligned for every element type.
template <typename Pointer>
inline aclError aclrtMallocHost(Pointer** memory, size_t size) {
  void* const made = std::aligned_alloc(64, (size + 63) / 64 * 64 + 64);
  *memory = static_cast<Pointer*>(made);
  return made != nullptr ? ACL_SUCCESS : ACL_ERROR_BAD_ALLOC;
}
template <typename Pointer>
inline aclError aclrtMalloc(Pointer** memory, size_t size,
                            aclrtMemMallocPolicy /*policy*/ = ACL_MEM_MALLOC_HUGE_FIRST) {
  return aclrtMallocHost(memory, size);
}
inline aclError aclrtFree(void* memory) {
  std::free(memory);
  return ACL_SUCCESS;
}
inline aclError aclrtFreeHost(void* memory) { return aclrtFree(memory); }
inline aclError aclrtMemcpy(void* dst, size_t room, const void* src, size_t count, aclrtMemcpyKind /*kind*/) {
  std::memmove(dst, src, count < room ? count : room);
  return ACL_SUCCESS;
}
inline aclError aclrtMemcpyAsync(void* dst, size_t room, const void* src, size_t count, aclrtMemcpyKind kind,
                                 aclrtStream /*stream*/) {
  return aclrtMemcpy(dst, room, src, count, kind);
}
inline aclError aclrtMemset(void* memory, size_t room, int32_t value, size_t count) {
  std::memset(memory, value, count < room ? count : room);
  return ACL_SUCCESS;
}
inline aclError aclInit(const char* /*configuration*/) { return ACL_SUCCESS; }
inline aclError aclFinalize() { return ACL_SUCCESS; }
inline aclError aclrtSetDevice(int32_t /*device*/) { return ACL_SUCCESS; }
inline aclError aclrtResetDevice(int32_t /*device*/) { return ACL_SUCCESS; }
// Work is done when its call returns: a stream is always empty.
inline aclError aclrtCreateStream(aclrtStream* stream) {
  *stream = nullptr;
  return ACL_SUCCESS;
}
inline aclError aclrtSynchronizeStream(aclrtStream /*stream*/) { return ACL_SUCCESS; }
inline aclError aclrtDestroyStream(aclrtStream /*stream*/) { return ACL_SUCCESS; }

#endif

#endif  // PTO_PTO_SIMULATOR_HPP_
