// The places in a kernel's source that called instructions. Include pto-record.hpp, which includes this file.
//
// An intrinsic ends in a list of events, so it has no default argument that could hold its caller's line. Instead, a
// recording keeps the return addresses of each call. Only if something is found, the tool addr2line turns them into
// lines, with the debug information that the compiler writes with -g.
#ifndef PTO_PTO_RECORD_PLACES_HPP_
#define PTO_PTO_RECORD_PLACES_HPP_

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pto/pto-context.hpp"

#if defined(__ELF__) && defined(__has_include)
#if __has_include(<link.h>) && __has_include(<unistd.h>) && __has_include(<unwind.h>)
#include <link.h>
#include <unistd.h>
#include <unwind.h>
#define PTO_HAS_PLACES 1
#endif
#endif

namespace pto {
inline namespace PTO_CPP_ABI {
namespace pto_detail {

// Chains of return addresses, each with a number.
class Places {
 public:
  // The calling function's chain, the innermost call first.
  int Now() {
    std::vector<uintptr_t> chain;
#if defined(PTO_HAS_PLACES)
    _Unwind_Backtrace(&Places::Step, &chain);
#endif
    return sites_.try_emplace(std::move(chain), static_cast<int>(sites_.size())).first->second;
  }
  // The innermost line of each chain that is outside the headers of libpto: "kernel.cpp:58". "" if it is unknown.
  const std::vector<std::string>& Lines() {
    if (lines_.size() != sites_.size()) Resolve();
    return lines_;
  }

 private:
#if defined(PTO_HAS_PLACES)
  static _Unwind_Reason_Code Step(_Unwind_Context* frame, void* to) {
    constexpr size_t kDeep = 32;
    auto* const chain = static_cast<std::vector<uintptr_t>*>(to);
    const uintptr_t at = _Unwind_GetIP(frame);
    // A return address is after the call.
    if (at != 0) chain->push_back(at - 1);
    return at == 0 || chain->size() == kDeep ? _URC_END_OF_STACK : _URC_NO_REASON;
  }

  // The file that an address was loaded from, and its address there.
  struct Asked {
    uintptr_t at;
    std::string file;
    uintptr_t inside;
  };
  static int Look(dl_phdr_info* info, size_t /*size*/, void* to) {
    auto* const asked = static_cast<Asked*>(to);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const auto& part = info->dlpi_phdr[i];
      if (part.p_type != PT_LOAD || asked->at - info->dlpi_addr - part.p_vaddr >= part.p_memsz) continue;
      asked->inside = asked->at - info->dlpi_addr;
      asked->file = info->dlpi_name == nullptr ? "" : info->dlpi_name;
      if (asked->file.empty()) {
        char self[4096];
        const ssize_t size = readlink("/proc/self/exe", self, sizeof self);
        if (size > 0) asked->file.assign(self, static_cast<size_t>(size));
      }
      return 1;
    }
    return 0;
  }

  // Paths below the current folder are relative to it.
  static std::string Shown(std::string line) {
    char here[4096];
    if (getcwd(here, sizeof here) != nullptr && line.rfind(std::string(here) + "/", 0) == 0) {
      line.erase(0, std::string(here).size() + 1);
    }
    return line;
  }

  // "file:line" without what may follow: " (discriminator 3)".
  static std::string Shorter(std::string line) {
    line.erase(std::min(line.find(" (discriminator"), line.size()));
    line.erase(std::min(line.find('\n'), line.size()));
    return line;
  }
  static bool IsInside(const std::string& line) { return line.find("/pto/pto-") != std::string::npos; }

  void Resolve() {
    lines_.assign(sites_.size(), "");
    std::map<std::string, std::map<uintptr_t, std::string>> files;  // of each address inside a file, its line
    std::map<uintptr_t, Asked> asked;
    for (const auto& [chain, site] : sites_) {
      for (const uintptr_t at : chain) {
        Asked& one = asked.try_emplace(at, Asked{at, "", 0}).first->second;
        if (one.file.empty()) dl_iterate_phdr(&Places::Look, &one);
        if (!one.file.empty()) files[one.file][one.inside];
      }
    }
    for (auto& [file, lines] : files) Ask(file, &lines);
    for (const auto& [chain, site] : sites_) {
      for (const uintptr_t at : chain) {
        const Asked& one = asked.find(at)->second;
        if (one.file.empty()) break;
        const std::string& line = files[one.file][one.inside];
        if (IsInside(line)) continue;
        // Callers of a function without debug information are not the kernel.
        if (line.find('?') == std::string::npos) lines_[static_cast<size_t>(site)] = Shown(line);
        break;
      }
    }
  }

  // For each address a line with the address, then a line for each function that is inlined there.
  static void Ask(const std::string& file, std::map<uintptr_t, std::string>* lines) {
    if (file.find('\'') != std::string::npos) return;
    constexpr size_t kAtOnce = 1000;
    for (auto next = lines->begin(); next != lines->end();) {
      std::string command = "addr2line -a -i -e '" + file + "'";
      for (size_t i = 0; i < kAtOnce && next != lines->end(); ++i, ++next) {
        command += Say(" 0x%llx", static_cast<unsigned long long>(next->first)).text;
      }
      const std::unique_ptr<FILE, int (*)(FILE*)> answers(popen((command + " 2>/dev/null").c_str(), "r"), &pclose);
      if (answers == nullptr) return;
      std::string* line = nullptr;
      char text[4096];
      while (std::fgets(text, sizeof text, answers.get()) != nullptr) {
        if (text[0] == '0' && text[1] == 'x') {
          const auto found = lines->find(static_cast<uintptr_t>(std::strtoull(text, nullptr, 16)));
          line = found == lines->end() ? nullptr : &found->second;
        } else if (line != nullptr && (line->empty() || IsInside(*line))) {
          *line = Shorter(text);
        }
      }
    }
  }
#else
  void Resolve() { lines_.assign(sites_.size(), ""); }
#endif

  std::map<std::vector<uintptr_t>, int> sites_;
  std::vector<std::string> lines_;
};

}  // namespace pto_detail
}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_RECORD_PLACES_HPP_
