// Communication between ranks: what the instructions of pto::comm check and do. A tensor is remote where its memory is
// another rank's window; nothing else is special about it. Data is copied from tensor to tensor at once: the staging
// tiles that a device needs are checked, and what they hold afterwards is undefined.
#ifndef PTO_SRC_ENGINE_COMM_H_
#define PTO_SRC_ENGINE_COMM_H_

#include <cstdint>

#include "src/objects/context.h"
#include "src/objects/tensor.h"
#include "src/objects/tile.h"
#include "src/objects/world.h"

// The struct of the public handle: one tensor of each member, the first is number 0.
struct pto_group {
  int32_t root = 0;
  int32_t size = 0;
  pto_tensor* members[pto::kMostRanks] = {};
  pto::RefCount refs;
};

namespace pto::comm {

// Values of the public enums; src/api proves it.
enum class Compare : uint8_t { kEq, kNe, kGt, kGe, kLt, kLe };
inline constexpr int kCompares = 6;
inline constexpr int kReduces = 3;  // sum, max, min

struct Staging {
  const pto_tile* ping;  // either may be nullptr
  const pto_tile* pong;
};

const char* NameOf(Compare compare);
// The rank that calls the collectives of a group.
int32_t RootRank(const pto_group& group);
// Which member is the rank's; -1: none.
int32_t MemberOf(const pto_group& group, int32_t rank);
Status Add(pto_context* ctx, const char* call, pto_group* group, pto_tensor* tensor);

// Each checks, then acts; a call that fails has written nothing. `call` is the caller's name for messages.
Status Put(pto_context* ctx, const char* call, pto_tensor* dst, const pto_tensor* src, const Staging& staging,
           bool add);
// The copy is complete when this returns; events of a session are numbered from 1 on.
Status PutAsync(pto_context* ctx, const char* call, pto_tensor* dst, const pto_tensor* src, int32_t session,
                int64_t* event);
// For an existing event: it is complete.
Status TestAsync(pto_context* ctx, const char* call, int64_t event, int32_t session);
Status Notify(pto_context* ctx, const char* call, pto_tensor* signal, int32_t value, bool set);
// Whether all elements of the signal compare true now; `seen` is the first that does not.
Status Test(pto_context* ctx, const char* call, const pto_tensor* signal, int32_t value, Compare compare, bool* holds,
            int32_t* seen);
// Returns once it does, or why it never will.
Status Wait(pto_context* ctx, const char* call, const pto_tensor* signal, int32_t value, Compare compare);
Status Broadcast(pto_context* ctx, const char* call, const pto_group* group, const pto_tensor* src,
                 const Staging& staging);
Status Gather(pto_context* ctx, const char* call, pto_tensor* dst, const pto_group* group, const Staging& staging);
Status Scatter(pto_context* ctx, const char* call, const pto_group* group, const pto_tensor* src,
               const Staging& staging);
// The root's own part first, then the others in ascending order, each step rounded to the element type.
Status Reduce(pto_context* ctx, const char* call, pto_tensor* dst, const pto_group* group, const pto_tile* acc,
              const Staging& staging, int reduce);
// The same, stored in each member.
Status AllReduce(pto_context* ctx, const char* call, const pto_group* group, const pto_tile* acc,
                 const Staging& staging, int reduce);
// For the caller's segment: the elements are split into one segment for each member. All ranks call it.
Status AllReduceSegment(pto_context* ctx, const char* call, const pto_group* group, const pto_tile* acc,
                        const Staging& staging, int reduce);

}  // namespace pto::comm

#endif  // PTO_SRC_ENGINE_COMM_H_
