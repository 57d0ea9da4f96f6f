// Remedies for programs where those of the rules speak C; messages without names of C.
#include "src/ptoas/read/wording.h"

#include <cstring>

namespace pto::ptoas {
namespace {

struct Remedy {
  Rule rule;
  const char* text;
};
constexpr Remedy kRemedies[] = {
    {Rule::kNull, "Write the operand; only tmp may be left out."},
    {Rule::kStructSize, "Use a library of the same version as the program that reads the text."},
    {Rule::kDTypeKnown, "Use an element type that docs/ptoas.md lists."},
    {Rule::kTileShape, "Write 1 or more rows and columns. For an empty valid region, write valid=0x0."},
    {Rule::kLocation, "Use a location that docs/ptoas.md lists; A2A3 has no scale_left and no scale_right."},
    {Rule::kLayoutKnown, "Write row_major, col_major or none_box."},
    {Rule::kPad, "Write pad=0 to pad=3, or 4294967296 plus the bits of an element."},
    {Rule::kCompact, "Write compact=0 to compact=3."},
    {Rule::kStorageKnown, "Allocate the tile with pto.alloc_tile."},
    {Rule::kValidRange, "Write a valid region inside the tile."},
    {Rule::kRowBytes, "Allocate wider rows and a smaller valid region, or use the CPU profile."},
    {Rule::kBoxShape, "Round rows and columns up to whole boxes, or use the CPU profile."},
    {Rule::kCapacity, "Cut the data into smaller tiles, or use the CPU profile."},
    {Rule::kAddressRange,
     "Use an address of 0 or more at which the whole tile fits. The CPU profile has more memory; the on-chip limit "
     "sets the size."},
    {Rule::kOnChipLimit, "Set the limit of on-chip memory before the first run."},
    {Rule::kOnChipMemory, "Lower the run's limit of on-chip memory (pto run --on-chip-limit), or use a hardware profile."},
    {Rule::kReshapeBoxes, "Keep the location. Write slayout=none_box exactly if the tile has it; pto.tmov converts."},
    {Rule::kTensorLayout, "Write {layout = #pto.layout<nd>}, dn or nz."},
    {Rule::kByteCount, "Move exactly the valid region of the tile."},
    {Rule::kUnknownInstruction, "List the instructions with pto ops."},
    {Rule::kOperandIndex, "Write the operands in the order of the instruction's page."},
    {Rule::kOperandKind, "Pass tiles and views as the instruction's page lists them."},
    {Rule::kProgramErrors, "Fix the errors that the check reports."},
    {Rule::kArgumentName, "Bind arguments by the names that the entry declares, or by their numbers."},
    {Rule::kUnboundArgument, "Bind the argument to data before the run."},
    {Rule::kArgumentShape, "Bind an array of that shape, or one of one dimension."},
    {Rule::kArgumentKind, "Bind a value of the argument's type."},
    {Rule::kStepLimit, "Fix the loop, or raise the run's limit of statements."},
    {Rule::kByteLimit, "Allocate fewer or smaller tiles, or raise the run's limit of bytes."},
    {Rule::kFlags, "Remove the attribute that the instruction does not accept."},
    {Rule::kStorage, "Give the tile an address with pto.tassign first."},
    {Rule::kDType,
     "Use an element type that the instruction's page lists, or convert with TCVT. The CPU profile may accept more "
     "types."},
    {Rule::kPrecisionFloat, "Remove HIGH_PRECISION for integers; their results are exact without it."},
    {Rule::kLocationVec, "Allocate the tile in vec."},
    {Rule::kRowMajor, "Allocate the tile with blayout=row_major and slayout=none_box, or use the CPU profile."},
    {Rule::kValidCovers, "Widen their valid regions, in their types or with pto.set_validshape."},
    {Rule::kTimeLimit, "Reduce the work, or raise the run's limit of time."},
    {Rule::kValidEqual, "Use the same valid region for all of them, in their types or with pto.set_validshape."},
    {Rule::kTmpLayout, "Allocate tmp in vec with blayout=row_major and slayout=none_box, or remove it."},
    {Rule::kLocationLoad, "Move the tile to vec with pto.tmov first, or use the CPU profile."},
    {Rule::kTransferCovers,
     "Set the valid region with pto.set_validshape, or view the memory in that shape with pto.make_tensor_view."},
    {Rule::kTensorOverlap,
     "Use strides in pto.make_tensor_view that keep elements apart, or write {atomicType = ADD} to add them."},
    {Rule::kAccDType, "Use i32 for both or f32 for both, or use the CPU profile."},
    {Rule::kLocationMove, "Move the tile through a location that has paths to both, or use the CPU profile."},
    {Rule::kScaleBoxes, "Allocate whole boxes, all of them valid, or use the CPU profile."},
    {Rule::kTransferLayout,
     "Use the same order for tile and view, or use the CPU profile, which converts between orders."},
    {Rule::kLocationPrint, "Move the tile there with pto.tmov first, or use the CPU profile."},
    {Rule::kMatrixLayout, "Allocate the tile in the layout of its location, or use the CPU profile."},
    {Rule::kHistByte, "Use BYTE_0 or BYTE_1 for two-byte elements."},
    {Rule::kOneList, "Allocate tiles of one row, or use the CPU profile."},
    {Rule::kFullRows, "Allocate the tile with the same number of columns as are valid, or use the CPU profile."},
    {Rule::kLocationMatrix, "Move the tile there with pto.tmov, or use the CPU profile."},
    {Rule::kMode, "Write one of the attribute's values."},
    {Rule::kPadPlace, "Allocate row-major tiles in vec, or Nz tiles with pad=1 in mat."},
    {Rule::kMatrixValid, "Make the valid regions m x k, k x n and m x n, in their types or with pto.set_validshape."},
    {Rule::kScaleValid, "Make the valid regions of the scales m x k/32 and k/32 x n, rounded up, in their types."},
    {Rule::kScalePairs, "Make the tiles longer along k; the added elements need not be valid. Or use the CPU profile."},
    {Rule::kGroupsCovered,
     "Set the valid regions of exp, max and scaling to the region of src, divided by 32 along the groups and rounded "
     "up."},
    {Rule::kMadMode, "Write NONE or a value of the profile, or use the CPU profile."},
    {Rule::kMatrixSize, "Cut the matrices into smaller tiles, or use the CPU profile."},
    {Rule::kLocationAcc, "Take the sums from acc and the words from scaling, or use the CPU profile."},
    {Rule::kAccToVec, "Write SINGLE_MODE_VEC0, or a destination in vec and no quantisation."},
    {Rule::kOperandValue, "Write a number in the range that the message names."},
    {Rule::kTableIndex,
     "Use an idx of one row with a column per row of the tile, or of the region of the tile with coalesce = ELEM."},
    {Rule::kTableCovers, "View the table in wider rows with pto.make_tensor_view, or set a narrower valid region."},
    {Rule::kTablePlace, "Allocate the tile in loc=vec, or boxed in loc=mat, and indices in loc=vec."},
    {Rule::kWindowPlace, "Round the row and column of the window to these multiples, or use the CPU profile."},
    {Rule::kViewAlignment,
     "Begin the window at such a column, or copy the elements to a tile of their own; or use the CPU profile."},
    {Rule::kVectorEqual,
     "Set the valid rows, or columns, of src to the rows, or columns, of dst; or use the CPU profile."},
    {Rule::kTableLayout, "Write {layout = #pto.layout<nd>} and strides without gaps, or use the CPU profile."},
    {Rule::kTableRange,
     "Fix the index that the message names, or choose a result for it with gatherOob or scatterOob."},
    {Rule::kAtomicDType, "Use an element type that the rule lists, or the CPU profile, which accepts all of them."},
    {Rule::kFindMode, "Write cmpMode = GT or EQ, or use the CPU profile."},
    {Rule::kLocationLeft, "Allocate an Nz tile in left, or use the CPU profile."},
    {Rule::kImageLayout, "Write {layout = #pto.layout<nc1hwc0>} or ndc1hwc0 where the view is made."},
    {Rule::kScalarKind, "Pass an integer or a float."},
};

void Erase(std::string* text, const char* word) {
  for (size_t at = text->find(word); at != text->npos; at = text->find(word, at)) text->erase(at, std::strlen(word));
}

}  // namespace

const char* RemedyInText(std::string_view rule_id) {
  for (const Remedy& remedy : kRemedies) {
    if (rule_id == pto::Info(remedy.rule).id) return remedy.text;
  }
  for (const RuleInfo& info : kRules) {
    if (rule_id == info.id) return info.remedy;
  }
  return "";
}

std::string MessageInText(std::string_view statement, std::string_view message) {
  // The name of a C function is that of no statement.
  const size_t colon = message.find(": ");
  std::string text(message);
  if (message.substr(0, 4) == "pto_" && colon != message.npos) {
    text = std::string(statement) + std::string(message.substr(colon));
  }
  Erase(&text, "PTO_");
  // Where memory lies on the machine that runs a program is nothing that its text says.
  for (size_t at = text.find(" at 0x"); at != text.npos; at = text.find(" at 0x", at)) {
    size_t end = at + 6;
    while (end < text.size() && std::strchr("0123456789abcdef", text[end]) != nullptr) ++end;
    text.erase(at, end - at);
  }
  return text;
}

}  // namespace pto::ptoas
