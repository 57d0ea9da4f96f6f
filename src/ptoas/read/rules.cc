// The rules of PTO-AS text with their remedies; docs/ptoas.md lists the same.
#include <iterator>

#include "src/ptoas/read/diagnostic.h"

namespace pto::ptoas {
namespace {

constexpr TextRuleInfo kTextRules[] = {
    {"source-size", "A program is at most 64 MiB of text.", "Split the program into several files."},
    {"character", "A program is written in ASCII; other characters stand in comments and strings only, NUL nowhere.",
     "Remove the character or put it in a comment."},
    {"string", "A string ends on the line it begins on.", "Close the string with a double quote."},
    {"number", "An integer fits in 64 bits, a float is a decimal number with a point.",
     "Write a number in the range of its type."},
    {"nesting", "Regions, types and attributes nest at most 100 deep.", "Move inner statements to a function."},
    {"syntax", "A program follows the grammar.", "Write what the message expects."},
    {"type", "A type is one of the language, complete and with known keywords.",
     "Write the type as docs/ptoas.md shows."},
    {"tile-type", "A tile type has positive rows and columns, a known fractal, pad and compact mode.",
     "Use fractal 32, 512 or 1024, pad 0 to 3 or 4294967296 and the bits of an element, compact 0 to 3."},
    {"attribute", "An attribute is a value of the language.", "Write the attribute as docs/ptoas.md shows."},
    {"duplicate-attribute", "A dictionary names each key once.", "Remove one of the entries."},
    {"attribute-value", "An attribute that an operation knows has one of its values, and one that this library obeys.",
     "Use a value that docs/ptoas.md lists for the operation, or leave the attribute out."},
    {"unknown-attribute", "An attribute is one that its operation knows; a warning.",
     "Correct the name, or remove the attribute: it has no effect."},
    {"unknown-statement", "A statement begins with an operation of builtin, func, arith, math, scf, cf or pto.",
     "Use an operation that docs/ptoas.md lists."},
    {"generic-form", "An operation in MLIR's generic form has the operands, regions and properties of its own form.",
     "Print the program without --mlir-print-op-generic, or write pto.tadd ins(...) outs(...)."},
    {"unknown-instruction", "A mnemonic is one of the dialect.", "List the instructions with pto ops."},
    {"unsupported-instruction", "An instruction is one that this library has.", "List the instructions with pto ops."},
    {"unsupported-type", "A type of a value is one that this library has.",
     "Use tiles, views, and memrefs that stand for these; types of other dialects are not executed."},
    {"mixed-top-level", "A file holds either functions or bare statements.",
     "Move the statements into a func.func, or the functions into another file."},
    {"error-limit", "Only the first errors are reported.", "Mend the errors above and check again."},

    {"undefined-value", "A value is defined earlier, in this block or one around it.",
     "Define the value before its use, or correct its name."},
    {"redefinition", "A name is defined once in a function's nested blocks.", "Give one of the values another name."},
    {"operand-count", "An operation has as many operands as it takes.", "Add or remove operands."},
    {"ambiguous-form", "A statement tells whether its last tile is one more source or tmp: that of ins/outs is tmp.",
     "Write the instruction with ins(sources, tmp) outs(destinations)."},
    {"type-count", "A list of types has one type an operand.", "Write one type for each operand."},
    {"result-count", "An operation defines as many values as it makes.", "Name one value for each result."},
    {"operand-type", "An operand has the kind of type that the operation takes there.",
     "Pass a value of the kind the message names."},
    {"type-mismatch", "The type written at a use is the type of the value.",
     "Write the type of the value's definition."},

    {"constant-value", "A constant fits its type.", "Write a value in the range of the type."},
    {"predicate", "A comparison has a predicate of its operation.",
     "Use one of the predicates that docs/ptoas.md lists."},
    {"arith-type", "An arithmetic operation works on types of its class.",
     "Use the operation for integers or floats that fits the type."},
    {"terminator", "Yield, condition and return end the block they belong to.",
     "Move the terminator to the end of its block, or remove what follows it."},
    {"yield-types", "A yield passes on values of the types that the operation around it makes.",
     "Pass as many values as there are results, of the same types."},

    {"tile-valid", "Static valid extents lie within the tile.", "Make v_row at most rows and v_col at most cols."},
    {"alloc-valid", "alloc_tile has a valid_row operand exactly when the type says v_row=?, and valid_col likewise.",
     "Add the operand, or make the extent static."},
    {"view-rank", "A view has 1 to 5 dimensions, and one operand a dimension.",
     "Give one shape, stride, offset and size for each dimension."},
    {"view-element", "A view has the element type of what it views.", "Write the same element type on both."},
    {"view-range", "A partition lies in its view: offsets of 0 or more, sizes above 0 that the result type repeats.",
     "Make offset plus size at most the extent of the view."},
    {"validshape",
     "set_validshape changes a local tile whose type has v_row=? and v_col=?, within its rows and columns.",
     "Allocate the tile with dynamic valid extents and give values in range."},
    {"reshape", "treshape keeps location and byte size, and does not mix boxed and unboxed layouts.",
     "Choose rows, columns and element type with the same product of bytes."},
    {"bitcast", "bitcast changes the element type only, to one that is not larger.",
     "Keep shape, valid extents and layout, or use treshape."},
    {"subset", "A subset lies in its tile, on whole boxes, and keeps the tile's full minor extent when boxed.",
     "Give sizes above 0 and offsets inside the tile, multiples of the box when the tile is boxed."},

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
    {"branch-types", "A branch passes what the block takes that it goes on with.",
     "Pass as many values as the block has arguments, of the same types."},
    {"core-kind", "What a core does with a pipe stands in code of its own kind.",
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
