// The pipes of a program as far as its text shows which statements share one: the statements that make each end, push,
// pop and free. Used by the verifier and lint.
//
//   @cube:  aic_initialize_pipe {id = 0}   tpush_to_aiv {id = 0}
//                    |                          |                     one pipe: both functions know it as id 0
//   @vec:   aiv_initialize_pipe {id = 0}   tpop_from_aic {id = 0}   tfree_from_aic {id = 0}
//
// Functions that call each other, or import each other's buffers, are one kernel: ids of other kernels are other pipes.
#ifndef PTO_SRC_PTOAS_CHECK_PIPE_FACTS_H_
#define PTO_SRC_PTOAS_CHECK_PIPE_FACTS_H_

#include <vector>

#include "src/ptoas/read/ast.h"

namespace pto::ptoas {

// One direction of a pipe: the first statement of each sort, and the first that splits in another way than it.
struct PipeWay {
  const Stmt* push = nullptr;
  const Stmt* pop = nullptr;
  const Stmt* free = nullptr;
  const Stmt* other_push = nullptr;
  const Stmt* other_pop = nullptr;
  const Stmt* other_free = nullptr;
  bool used() const { return push != nullptr || pop != nullptr; }
};

struct PipeFacts {
  const Stmt* made = nullptr;     // the first statement that makes an end of it
  const Stmt* ends[2] = {};       // of the cube core, of the vector cores
  const Stmt* nosplit = nullptr;  // that has nosplit = true
  const Stmt* splits = nullptr;   // the first push, pop or free that splits
  bool shared = false;            // one statement makes both ends
  bool known = true;              // which core runs each statement that uses it
  PipeWay ways[2];                // to the vector cores, to the cube core
};

struct KernelPipes {
  std::vector<const Func*> funcs;
  std::vector<PipeFacts> pipes;  // in the order in which the text makes them
  bool lost = false;             // a pipe is used, such as an argument, and the text does not show which
};

// By kernel, in the order of the text.
std::vector<KernelPipes> PipesOf(const Program& program);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_CHECK_PIPE_FACTS_H_
