// How a long call is ended from outside: by a run's limit of time, or by who asks a run to stop.
#ifndef PTO_SRC_OBJECTS_HALT_H_
#define PTO_SRC_OBJECTS_HALT_H_

struct pto_context;

namespace pto {

class Halt {
 public:
  // Whether the call is to end: asked again and again in the thread that runs it.
  virtual bool Due() const = 0;

 protected:
  ~Halt() = default;
};

// Matrix products now poll `halt`, and return `stopped` with a partial result; nullptr: no
// ends them. Any other instruction that began is finished.
void HaltBy(pto_context* ctx, const Halt* halt);

}  // namespace pto

#endif  // PTO_SRC_OBJECTS_HALT_H_
