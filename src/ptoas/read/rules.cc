// The rules of PTO-AS text with their remedies; docs/ptoas.md lists the same.
#include <iterator>

#include "src/ptoas/read/diagnostic.h"

namespace pto::ptoas {
namespace {

constexpr TextRuleInfo kTextRules[] = {
    {"source-size", "A program is at most 64 MiB of text.", "Split the program into several files."},
    {"character", "A program is written in ASCII. Comments and strings may hold other characters, except NUL.",
     "Remove the character or put it in a comment."},
    {"string", "A string ends on the line it starts on.", "Close the string with a double quote."},
    {"number", "An integer fits in 64 bits, a float is a decimal number with a point.",
     "Write a number in the range of its type."},
    {"nesting", "Regions, types and attributes nest at most 100 deep.", "Move inner statements to a function."},
    {"syntax", "A program follows the grammar.", "Write what the message expects."},
    {"type", "A type is one of the language, complete and with known keywords.",
     "Write the type as docs/ptoas.md shows."},
    {"tile-type", "A tile type has positive rows and columns, a known fractal, pad and compact mode.",
     "Use fractal 32, 512 or 1024; pad 0 to 3, or 4294967296 plus the bits of an element; compact 0 to 3."},
    {"attribute", "An attribute is a value of the language.", "Write the attribute as docs/ptoas.md shows."},
    {"duplicate-attribute", "A dictionary names each key once.", "Remove one of the entries."},
    {"attribute-value", "A known attribute has a value of its operation that libpto supports.",
     "Use a value that docs/ptoas.md lists for the operation, or remove the attribute."},
    {"unknown-attribute", "An attribute belongs to its operation; a warning.",
     "Correct the name, or remove the attribute: it has no effect."},
    {"unknown-statement", "A statement starts with an operation of builtin, func, arith, math, scf, cf or pto.",
     "Use an operation that docs/ptoas.md lists."},
    {"generic-form", "An operation in MLIR's generic form has the operands, regions and properties of its own form.",
     "Print the program without --mlir-print-op-generic, or write pto.tadd ins(...) outs(...)."},
    {"unknown-instruction", "A mnemonic belongs to the dialect.", "List the instructions with pto ops."},
    {"unsupported-instruction", "libpto has the instruction.", "List the instructions with pto ops."},
    {"unsupported-type", "libpto supports the type of every value.",
     "Use tiles, views and memrefs; libpto does not execute types of other dialects."},
    {"mixed-top-level", "A file contains either functions or bare statements.",
     "Move the statements into a func.func, or the functions into another file."},
    {"error-limit", "Only the first errors are reported.", "Fix the errors above and check again."},

    {"undefined-value", "A value is defined earlier, in this block or one around it.",
     "Define the value before its use, or correct its name."},
    {"redefinition", "A name is defined once in a function's nested blocks.", "Give one of the values another name."},
    {"operand-count", "An operation has the number of operands that it accepts.", "Add or remove operands."},
    {"ambiguous-form", "The form of a statement shows whether its last tile is a source or tmp; in ins/outs it is tmp.",
     "Write the instruction with ins(sources, tmp) outs(destinations)."},
    {"type-count", "A list of types has one type per operand.", "Write one type for each operand."},
    {"result-count", "An operation defines the number of values that it produces.", "Name one value for each result."},
    {"operand-type", "An operand has a type that the operation accepts in that position.",
     "Pass a value of the kind that the message names."},
    {"type-mismatch", "The type written at a use is the type of the value.",
     "Write the type of the value's definition."},

    {"constant-value", "A constant fits its type.", "Write a value in the range of the type."},
    {"predicate", "A comparison has a predicate of its operation.",
     "Use one of the predicates that docs/ptoas.md lists."},
    {"arith-type", "An arithmetic operation works on types of its class.",
     "Use the operation for integers or floats that fits the type."},
    {"terminator", "Yield, condition and return end the block that they belong to.",
     "Move the terminator to the end of its block, or remove what follows it."},
    {"yield-types", "A yield passes values of the types that the enclosing operation produces.",
     "Pass one value per result, of the same types."},

    {"tile-valid", "Static valid extents are within the tile.", "Make v_row at most rows and v_col at most cols."},
    {"alloc-valid",
     "alloc_tile has a valid_row operand exactly if its type has v_row=?, and valid_col exactly if it has v_col=?.",
     "Add the operand, or make the extent static."},
    {"view-rank", "A view has 1 to 5 dimensions, and one operand per dimension.",
     "Write one shape, stride, offset and size for each dimension."},
    {"view-element", "A view has the element type of its source.", "Write the same element type on both."},
    {"view-range",
     "A partition is inside its view. Offsets are 0 or more; sizes are above 0 and equal the result type's sizes.",
     "Make offset plus size at most the extent of the view."},
    {"validshape",
     "set_validshape changes a local tile whose type has v_row=? and v_col=?, within its rows and columns.",
     "Allocate the tile with dynamic valid extents, and pass values in range."},
    {"reshape", "treshape keeps location and byte size, and does not mix boxed and unboxed layouts.",
     "Choose rows, columns and element type with the same product of bytes."},
    {"bitcast", "bitcast changes the element type only, to one that is not larger.",
     "Keep shape, valid extents and layout, or use treshape."},
    {"subset", "A subset is inside its tile, on whole boxes, and keeps the full minor extent of a boxed tile.",
     "Use sizes above 0 and offsets inside the tile; for a boxed tile, multiples of the box."},

    {"duplicate-symbol", "A function's name is used once in a module.", "Rename one of the functions."},
    {"unknown-symbol", "A called function is declared in the file.", "Define the function, or correct its name."},
    {"call-types", "A call passes and receives what the function declares.", "Match the function's signature."},
    {"return-types", "A return passes what the function declares.", "Match the function's result types."},
    {"entry-result", "An entry function returns nothing.", "Store results through a pointer argument."},
    {"entry-declaration", "An entry function has a body.", "Define the function, or remove pto.entry."},
    {"recursion", "Functions do not call themselves, directly or through others.", "Use scf.for or scf.while."},

    {"static-dims", "The view of a load or store has 1 element or more in each dimension.",
     "Use extents of 1 or more."},
    {"element-width",
     "A vector or matrix tile and the memory it is loaded from or stored to have elements of one size.",
     "Convert with tcvt, or use a view of the tile's element type."},

    {"block-label", "A branch names a block of its function that is not the first; labels differ.",
     "Write the label of a block, or another name for this one."},
    {"branch-types", "A branch passes the values that its target block accepts.",
     "Pass one value per block argument, of the same types."},
    {"core-kind", "Code that uses a pipe of one kind of core belongs to that kind.",
     "Move the statement to a section, or to a function of the pto.kernel_kind, of its core."},
    {"pipe-peer", "The cube core and the vector cores of a kernel each make their end of a pipe.",
     "Make the other end, with the same id or flag_base, in the code of the other core."},
    {"pipe-split", "A push, its pop and its free have one split, and 0 if the pipe has nosplit = true.",
     "Write the same split on both cores, and 0 beside nosplit = true."},
    {"pipe-flags",
     "The pipes of a core take at most 16 flag ids: 2 each, 4 with dir_mask = 3, from an even flag_base on.",
     "Make fewer pipes, or reuse one; choose an even flag_base at which the ids of the pipe fit."},
};
static_assert(std::size(kTextRules) == static_cast<size_t>(TextRule::kCount));

}  // namespace

const TextRuleInfo& Info(TextRule rule) { return kTextRules[static_cast<int>(rule)]; }

}  // namespace pto::ptoas
