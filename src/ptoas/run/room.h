// Room for strings of megabytes.
#ifndef PTO_SRC_PTOAS_RUN_ROOM_H_
#define PTO_SRC_PTOAS_RUN_ROOM_H_

#include <cstddef>
#include <string>

#include "src/ptoas/read/large_pages.h"

namespace pto::ptoas {

// Address space, in large pages where the system has them: a page of 4 KiB that is touched first costs as much as the
// copy of four. Nothing depends on it.
inline void Reserve(std::string* text, size_t bytes) {
  text->reserve(bytes);
  AskForLargePages(text->data(), text->capacity());
}

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_RUN_ROOM_H_
