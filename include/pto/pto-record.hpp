// A kernel's actions as a program of PTO-AS: its report, its trace, the findings of lint and synchronisation checks in
// it. For the side that looks into kernels: these need pto-inst.hpp only.
#ifndef PTO_PTO_RECORD_HPP_
#define PTO_PTO_RECORD_HPP_

#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pto/pto-inst.hpp"
#include "pto/pto-record-memory.hpp"
#include "pto/pto-record-ops.hpp"
#include "pto/pto-record-places.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

// A finding about a place in a kernel: docs/lint.md and docs/sync.md explain the rules. What blocks and rounds of a
// loop repeat is one finding.
struct Finding {
  bool error = false;  // else a warning
  int line = 0;        // of Recording::Text(), from 1: the first one
  std::string rule;
  std::string message;
  std::string text;   // all of it, with the place
  std::string place;  // "kernel.cpp:58"; "" unless the kernel was compiled with -g and addr2line is installed
  int times = 1;      // in how many pairs of statements
  int blocks = 1;     // in how many blocks
};

// The instructions of kernels in their order, with all that they read, as a program that can be run again. Tensors are
// arguments; tiles have the addresses that the kernel gave them; numbers, loops and branches are what they were in this
// run. Elements that the kernel itself sets or reads are looked at where an instruction uses them. Memory is copied as
// it is first used.
//
// A recording is of kernels that one thread runs one after another, or of one Launch(), which takes one thread for it.
class Recording : private pto_detail::Follower {
 public:
  Recording() = default;
  template <typename Kernel>
  Recording(std::in_place_t /*here*/, Kernel&& kernel) {
    Of(kernel);
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() {
    pto_program_release(program_);
    pto_context_release(ctx_);
  }

  // Runs a kernel and records what it does, after what is there already. Its errors are the same as without a
  // recording; what it did until then, and what failed, is recorded.
  template <typename Kernel>
  void Of(Kernel&& kernel) {
    const Session session(this);
    if (session.open) kernel();
  }

  // The program. It begins with the profile that the kernel ran under.
  const std::string& Text() {
    Finish();
    return text_;
  }
  // The page of `pto run --report`, whose tiles take no more than some bytes.
  std::string Report(int64_t max_bytes = int64_t{16} << 20) {
    Run(PTO_RECORD_TILES, max_bytes, false);
    return Made(pto_program_report(ctx_, program_));
  }
  // The events of `pto run --trace`.
  std::string Trace() {
    Run(PTO_RECORD_TIMES, int64_t{128} << 20, false);
    return Made(pto_program_trace(ctx_, program_));
  }
  // The findings of `pto lint`; `checks` as for pto_program_lint().
  std::vector<Finding> Lint(const char* checks = nullptr) {
    Finish();
    if (program_ == nullptr) return {};
    if (pto_program_lint(ctx_, program_, checks) != PTO_OK && pto_program_diagnostic_count(program_) == 0) {
      pto_detail::RaiseFrom(ctx_);
    }
    return Findings();
  }
  // The findings of `pto run --sync`.
  std::vector<Finding> CheckSync() {
    Run(PTO_RECORD_OFF, 1, true);
    return Findings();
  }
  // Runs the program alone; its diagnostics are in Findings().
  pto_status Run() { return Run(PTO_RECORD_OFF, 1, false); }
  // For the latest call above.
  std::vector<Finding> Findings();
  // Where the program has what the kernel has at an address of a tensor, as the latest run left it. Null: no
  // instruction used it.
  const void* Replayed(const void* data) const { return memory_.Find(data); }
  // For calls of the C interface, such as pto_program_read_events().
  pto_program* program() {
    Finish();
    return program_;
  }

 private:
  using Given = pto_detail::Given;
  // While it lives the thread's instructions come here.
  struct Session {
    explicit Session(Recording* recording) : self(recording), open(recording->Begin()) {}
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session() {
      if (open) self->End();
    }
    Recording* const self;
    const bool open;
  };
  // A tile as the program has it.
  struct Known {
    std::string name;
    std::string made;  // the statement that made it, without the name
    std::string type;
    unsigned char* data = nullptr;
    int64_t bytes = 0;
    int dtype = 0;
    pto_location location = PTO_LOCATION_VEC;
    bool placed = false;  // it has an address
  };
  // An argument of the program.
  struct Tensor {
    unsigned char* data;
    pto_tensor_desc desc;
    int64_t bytes;   // that a run of the program may touch
    int64_t looked;  // of these, what instructions that are recorded do
  };
  // The actions of a block, after statements that restore the earlier contents of its tiles.
  struct Part {
    int64_t block;
    std::string first;
    std::string body;
    std::vector<std::pair<std::string, int>> origins;  // of each line of the body its statement and site
  };
  // What made a line.
  struct Origin {
    std::string statement;  // "tload"
    int site;               // of places_
    int64_t block;
  };

  bool Begin();
  void End();
  void Forget();
  void Finish();
  void Parse();
  pto_status Run(pto_record what, int64_t max_bytes, bool sync);
  static std::string Made(const char* text) { return text == nullptr ? std::string() : std::string(text); }

  bool Before(void (*function)(), uint32_t flags, const Given* operands, int count) override;
  void After() override;
  void Flag(const char* statement, int from, int to, int id) override;
  void Barrier(int which) override { Flag("barrier", which, -1, 0); }
  int NextEvent(int from, int to) override { return next_event_[std::make_pair(from, to)]++ % 8; }
  void Block(int64_t block, int64_t blocks) override;

  bool Refuse(const char* message, const char* remedy) {
    pto_detail::Raise(PTO_ERROR_PROGRAM, "recording", "", message, remedy);
    return false;
  }
  Part& Now() {
    if (parts_.empty()) parts_.push_back({-1, "", "", {}});
    return parts_.back();
  }
  void Say(const std::string& statement) {
    Part& now = Now();
    now.body += "  " + statement + "\n";
    const size_t name = statement.find("pto.");
    const size_t end = name == std::string::npos ? name : statement.find_first_of(" [", name);
    now.origins.emplace_back(end == std::string::npos ? "" : statement.substr(name + 4, end - name - 4), site_);
    text_.clear();
  }
  const std::string& Constant(const std::string& type, const std::string& value);
  std::string Definition(Known* tile, pto_location location);
  std::string Description(const Known& tile, const pto_tile* handle);
  Known Find(pto_tile* tile, bool passing);
  void Look(const Known& tile, pto_detail::Shadow* shadow);
  size_t Find(pto_tensor* tensor, const pto_tile* window);
  void Look(size_t tensor);
  void LookAtAll();
  void Define(const Tensor& tensor);
  std::string ArgumentOf(size_t tensor) const;
  std::string Load(const Known& tile);
  static std::string TypeOf(const Tensor& tensor);
  static std::string SizeOf(const pto_tensor_desc& d);
  static int LinesOf(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }
  std::string Statement(const pto_detail::Spelling& op, uint32_t flags, const Given* operands, int count,
                        const std::vector<std::pair<std::string, std::string>>& names) const;
  unsigned char* OnChip(pto_location location);
  std::string PlaceOf(int line);
  std::string SiteOf(int line);
  std::string Render(std::string_view message, bool key);

  // For the recorded thread.
  std::unordered_map<pto_tile*, Known> tiles_;
  std::vector<std::pair<unsigned char*, int64_t>> written_;
  std::map<std::pair<int, int>, int> next_event_;
  std::map<int, unsigned char*> on_chip_;
  pto_detail::Shadow on_chip_shadow_;
  pto_detail::Shadow global_shadow_;

  std::map<std::pair<std::string, std::string>, std::string> constants_;
  std::string head_;  // statements that define them
  std::vector<Tensor> tensors_;
  std::deque<std::vector<unsigned char>> kept_;  // what was in tiles before
  std::vector<Part> parts_;
  int names_ = 0;
  int64_t blocks_ = 0;  // of the launch
  pto_profile profile_ = PTO_PROFILE_CPU;
  int64_t capacity_ = 0;
  bool refused_ = false;
  bool saturates_ = false;  // as the program has it up to here

  std::string text_;
  std::vector<int> own_;  // lines of barriers after what was there before
  std::map<int, Origin> origins_;
  pto_detail::Places places_;
  int site_ = 0;                                  // of the instruction that is recorded
  std::map<std::string, std::string> described_;  // names of tiles and tensors, and what messages call them
  std::set<std::string> mnemonics_;
  pto_detail::Memory memory_;
  pto_program* program_ = nullptr;
  pto_context* ctx_ = nullptr;
};

// Runs a kernel and returns what it did.
template <typename Kernel>
inline Recording Record(Kernel&& kernel) {
  return Recording(std::in_place, kernel);
}

// Runs a kernel and returns what is wrong with its flags, events and barriers.
template <typename Kernel>
inline std::vector<Finding> CheckSync(Kernel&& kernel) {
  Recording recording;
  recording.Of(kernel);
  return recording.CheckSync();
}

}  // namespace PTO_CPP_ABI
}  // namespace pto

#include "pto/pto-record-findings.hpp"
#include "pto/pto-record-write.hpp"

#endif  // PTO_PTO_RECORD_HPP_
