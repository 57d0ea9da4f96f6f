// A page that shows what a run did: report_page.html.inc with the run's data in it.
#ifndef PTO_SRC_PTOAS_REPORT_H_
#define PTO_SRC_PTOAS_REPORT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/ptoas/read/diagnostic.h"
#include "src/ptoas/run/recorder.h"

namespace pto::ptoas {

// An event that the page leads to, and what is to be seen there; -1: none.
struct Mark {
  int64_t event = -1;
  std::string note;
};

// `ended`: not because memory was out, which no note reports.
std::string Report(const Recorder& recorder, std::string_view name, std::string_view source,
                   const std::vector<Diagnostic>& notes, bool ended, const Mark& mark);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_REPORT_H_
