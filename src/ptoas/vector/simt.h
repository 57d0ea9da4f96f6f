// SIMT: launches of scalar functions by work items (simt.cc), and what a statement does for one of them (simt_run.cc).
#ifndef PTO_SRC_PTOAS_VECTOR_SIMT_H_
#define PTO_SRC_PTOAS_VECTOR_SIMT_H_

#include "src/ptoas/run/code.h"

namespace pto::ptoas::vec {

// pto.simt_launch, and a func.call of a function of work items.
Flow RunLaunch(Machine& m, Node& node, Frame frame);
Flow RunSimtCall(Machine& m, Node& node, Frame frame);

// pto.load, pto.store and their like, of a work item, or of vectors and f64.
void AccessNumber(Machine& m, const Stmt& stmt, Frame frame);

}  // namespace pto::ptoas::vec

#endif  // PTO_SRC_PTOAS_VECTOR_SIMT_H_
