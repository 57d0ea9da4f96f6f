// A signal between ranks, for the checker: what was notified, and what a wait that came true has surely heard of.
//
// A wait hears of a notification where it could not have come true without it. Another order of the ranks may bring
// their notifications in another order, but one core's notifications are in the order of its program. So of each core
// the last notifications are left out as long as the wait still holds: what remains is known, and what is left out is
// not.
#ifndef PTO_SRC_PTOAS_SYNC_SIGNAL_H_
#define PTO_SRC_PTOAS_SYNC_SIGNAL_H_

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "src/ptoas/run/sync_clock.h"

namespace pto::ptoas::sync {

struct Notice {
  int32_t value = 0;
  bool set = false;
  bool own = false;    // by the rank that waits
  bool seen = false;   // some wait came true while it was there
  bool heard = false;  // some wait could not have come true without it
  int core = 0;
  Clock clock;
  Where where = nullptr;
};

class Signal {
 public:
  int32_t value() const { return ValueWithout({}); }
  // Something else than a notification wrote it.
  void Reset(int32_t value);
  void Add(Notice notice);
  // A notification of another rank that no wait has seen; nullptr: all are seen.
  const Notice* Unseen() const;
  // A wait came true. Passes on what it has heard of: the notifying core, and what that knew. False: nothing since the
  // wait before.
  bool See(const std::function<bool(int32_t)>& holds, const std::function<void(int, const Clock&)>& tell);

 private:
  // The value without some of the notices.
  int32_t ValueWithout(const std::vector<bool>& left_out) const;

  void Hear(const Notice& notice);

  int32_t base_ = 0;
  std::map<int, Clock> heard_;  // by core: what its latest notification knew that some wait has heard of
  std::vector<Notice> notices_;
};

}  // namespace pto::ptoas::sync

#endif  // PTO_SRC_PTOAS_SYNC_SIGNAL_H_
