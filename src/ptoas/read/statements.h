// The statements of PTO-AS, one row each: names, operands, result, how it is written, what it does to memory.
//
//   kStmtRows ---- form ------> parse_form.cc    text to tree           print_form.cc    tree to text
//             |                 parse_generic_pto.cc    MLIR's "pto.x"(...), of the same operands
//             |-- operands ---> verify_form.cc   what each operand is; then the statement's own check, by its name
//             |-- name -------> machine.cc       what runs it, by its name
//             `-- uses, made -> lint             who reads and changes what, which results are not needed
//
// A statement is added as a row here and a function in src/ptoas/run, with a line in that file's list of functions.
//
// A form is words apart by blanks:
//
//   %name       a value: the operand of that name
//   $name       any operand: a value, a number, an address
//   $name*      several, until the bracket closes
//   < a b c >    a list whose length is judged once all of it is read
//   {}          the dictionary of attributes, which may be absent; {-}: it is read and dropped
//   @name       the type of the operand; @: of the result
//   types       one type for each operand
//   region      a block in braces
//   (? ... ?)   all or nothing, by its first word
//   ,?          a comma that may be missing; ,-: that is not printed either
//   others      are written as they are
//
// stmt_info.h has the fields of a row. Rows without a form have a grammar of their own in parse_*.cc and print_*.cc:
// instructions, arithmetic, control flow.
#ifndef PTO_SRC_PTOAS_STATEMENTS_H_
#define PTO_SRC_PTOAS_STATEMENTS_H_

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include "src/ptoas/read/stmt_info.h"

namespace pto::ptoas {

namespace rows {

using enum Takes;
using enum Count;
using K = StmtKind;
using T = TypeKind;

constexpr StmtInfo With(StmtInfo row, const OperandList& operands) {
  row.operands = operands;
  return row;
}
constexpr StmtInfo Instruction(std::string_view name, Range ins, Range outs, StmtKind kind = K::kInst) {
  return {.name = name, .kind = kind, .ins = ins, .outs = outs};
}
constexpr StmtInfo BlockNumber(std::string_view name) {
  return {.name = name, .form = "{}", .makes = Makes::kI64, .uses = Uses::kReads, .made = Made::kNumber};
}
constexpr StmtInfo ViewNumber(std::string_view name) {
  return {.name = name,
          .operands = {{"view", kView}, {"dim", kDimension}},
          .form = "< %view %dim > {} : @view -> @ {}",
          .counted = "a view and a dimension",
          .makes = Makes::kWritten,
          .uses = Uses::kReads,
          .made = Made::kNumber};
}
constexpr StmtInfo ValidExtent(std::string_view name) {
  return {.name = name,
          .operands = {{"tile", kTile}},
          .form = "%tile {} : @tile -> @",
          .makes = Makes::kWritten,
          .uses = Uses::kAsks,
          .made = Made::kNumber};
}
constexpr StmtInfo AddressOf(std::string_view name, std::string_view operand, Takes takes, std::string_view form) {
  return {.name = name,
          .operands = {{operand, takes}},
          .form = form,
          .makes = Makes::kWritten,
          .result = T::kPtr,
          .made = Made::kNumber};
}
// A new tile on the memory of another one.
constexpr StmtInfo Retype(std::string_view name, StmtKind kind, std::string_view form, Made made, bool own = false) {
  return {.name = name,
          .kind = kind,
          .operands = {{"tile", kTile}},
          .form = form,
          .own = own,
          .makes = Makes::kWritten,
          .result = T::kTile,
          .uses = Uses::kShares,
          .made = made};
}
constexpr StmtInfo BindTile(std::string_view name, std::string_view form) {
  return With(Retype(name, K::kBindTile, form, Made::kNothing),
              {{"tile", kTile}, {"valid_row", kIndex, kMaybe}, {"valid_col", kIndex, kMaybe}});
}
constexpr StmtInfo DeclareTile(std::string_view name) {
  return {.name = name,
          .kind = K::kDeclareTile,
          .form = "{} -> @",
          .makes = Makes::kWritten,
          .result = T::kTile,
          .uses = Uses::kReads,
          .made = Made::kTile};
}
constexpr StmtInfo AllocTile(std::string_view name, std::string_view form, Count address = kMaybe,
                             std::string_view counted = {}) {
  return {.name = name,
          .kind = K::kAllocTile,
          .operands = {{"addr", kAddress, address}, {"valid_row", kIndex, kMaybe}, {"valid_col", kIndex, kMaybe}},
          .form = form,
          .counted = counted,
          .makes = Makes::kWritten,
          .result = T::kTile,
          .uses = Uses::kReads,
          .made = Made::kTile};
}
constexpr StmtInfo Subset(std::string_view name, bool generic, const OperandList& operands) {
  return With({.name = name,
               .kind = K::kSubset,
               .makes = Makes::kWritten,
               .generic = generic,
               .uses = Uses::kShares,
               .made = Made::kTile},
              operands);
}
constexpr StmtInfo Section(std::string_view name, CoreKind core) {
  return {.name = name, .kind = K::kSection, .form = "region", .core = core};
}
constexpr StmtInfo Async(std::string_view name, std::string_view form, std::string_view counted,
                         const OperandList& operands) {
  return With({.name = name,
               .kind = K::kAsync,
               .form = form,
               .counted = counted,
               .makes = Makes::kUnnamed,
               .generic = false,
               .effect = true},
              operands);
}
constexpr StmtInfo AsyncCopy(std::string_view name) {
  return Async(name, "( < %dst %src %session %peer > : types ) {} -> @", "3 or 4 operands, not #",
               {{"dst", kView}, {"src", kView}, {"session", kSession}, {"peer", kIndex, kMaybe}});
}
constexpr StmtInfo AsyncDone(std::string_view name) {
  return Async(name, "( < %event %session > : types ) {} -> @", "2 operands, not #",
               {{"event", kEvent}, {"session", kSession}});
}
constexpr StmtInfo Comm(std::string_view name, std::string_view form, const OperandList& operands,
                        Makes makes = Makes::kNothing) {
  return With({.name = name, .kind = K::kComm, .form = form, .makes = makes, .generic = false, .effect = true},
              operands);
}
constexpr StmtInfo AllReduce(std::string_view name) {
  return Comm(name, "( %acc , recv ( %ping (? , %pong ?) ) , group ( $group* ) : types ) {}",
              {{"acc", kTile}, {"ping", kTile}, {"pong", kTile, kMaybe}, {"group", kView, kMany}});
}
constexpr StmtInfo CommCopy(std::string_view name) {
  return Comm(name, "( %dst , %src , buf ( %ping (? , %pong ?) ) : types ) {}",
              {{"dst", kView}, {"src", kView}, {"ping", kTile}, {"pong", kTile, kMaybe}});
}
// For a group of ranks; `whole` is the tensor of the root.
constexpr StmtInfo Collective(std::string_view name, std::string_view form, std::string_view whole) {
  return Comm(name, form, {{whole, kView}, {"ping", kTile}, {"pong", kTile, kMaybe}, {"group", kView, kMany}});
}
constexpr StmtInfo OnSignal(std::string_view name, std::string_view form, Makes makes = Makes::kNothing) {
  return Comm(name, form, {{"signal", kView}, {"value", kIndex}}, makes);
}
constexpr StmtInfo Sync(std::string_view name, Orders orders, const OperandList& operands, bool events = false) {
  return With({.name = name, .kind = K::kSync, .orders = orders, .events = events, .effect = true}, operands);
}
constexpr StmtInfo Flag(std::string_view name, Orders orders, bool events = false) {
  return Sync(name, orders, {{"pipe"}, {"to"}, {"id"}}, events);
}
constexpr StmtInfo CoreFlag(std::string_view name, StmtKind kind) {
  return {.name = name, .kind = kind, .operands = {{"pipe"}, {"flag", kIndex}}, .generic = false, .effect = true};
}
constexpr StmtInfo Pipe(std::string_view name, StmtKind kind, const OperandList& operands = {},
                        CoreKind core = CoreKind::kAny) {
  return With({.name = name, .kind = kind, .generic = false, .core = core, .effect = true}, operands);
}
constexpr StmtInfo MakePipe(std::string_view name, CoreKind core) {
  return Pipe(name, K::kMakePipe,
              {{"gm_slot_buffer", kGlobal, kMaybe},
               {"c2v_consumer_buf", kIndex, kMaybe},
               {"v2c_consumer_buf", kIndex, kMaybe},
               {"gm_slot_tensor", kView, kMaybe}},
              core);
}
constexpr StmtInfo Pop(std::string_view name, CoreKind core) {
  return Pipe(name, K::kPop, {{"valid_row", kIndex, kMaybe}, {"valid_col", kIndex, kMaybe}}, core);
}
constexpr StmtInfo MadMode(std::string_view name) { return {.name = name, .form = "{}", .effect = true}; }
constexpr StmtInfo Branch(std::string_view name, const OperandList& operands) {
  return With({.name = name, .kind = K::kBranch}, operands);
}
constexpr StmtInfo Memory(std::string_view name, std::string_view form, Makes makes, const OperandList& operands) {
  return With({.name = name, .form = form, .makes = makes}, operands);
}
constexpr StmtInfo MemrefAlloc(std::string_view name) {
  return {.name = name, .form = "( ) {-} : @", .as = "alloc_tile", .makes = Makes::kWritten, .result = T::kTile};
}
constexpr StmtInfo Vector(std::string_view name, std::string_view form, Makes makes, const OperandList& operands) {
  return With({.name = name, .form = form, .makes = makes, .result = T::kVector}, operands);
}

constexpr StmtInfo kRows[] = {
    // Instructions of the op table, and unknown instructions.
    {.name = "", .kind = K::kInst},

    // The pto dialect, in order of names with `.` as `_`.
    {.name = "addptr",
     .operands = {{"ptr", kPointer}, {"offset", kIndex}},
     .form = "%ptr , $offset {} : @ptr -> @",
     .makes = Makes::kWritten,
     .result = T::kPtr,
     .uses = Uses::kShares,
     .made = Made::kNumber},
    MakePipe("aic_initialize_pipe", CoreKind::kCube),
    MakePipe("aiv_initialize_pipe", CoreKind::kVector),
    {.name = "alloc_multi_tile",
     .operands = {{"addr", kAddress, kMaybe}, {"valid_row", kIndex, kMaybe}, {"valid_col", kIndex, kMaybe}},
     .form = "(? addr = $addr ,- ?) (? valid_row = $valid_row ,- ?) (? valid_col = $valid_col ,- ?) {} : @",
     .makes = Makes::kWritten,
     .result = T::kMultiTile,
     .uses = Uses::kReads,
     .made = Made::kTile},
    AllocTile("alloc_tile",
              "(? addr = $addr ,- ?) (? valid_row = $valid_row ,- ?) (? valid_col = $valid_col ,- ?) {} : @"),
    Sync("barrier", Orders::kBarrier, {{"pipe"}}),
    Sync("barrier_sync", Orders::kBarrier, {{"pipe"}}),
    BindTile("bind_tile", "%tile (? , $valid_row , $valid_col ?) {} : @tile -> @"),
    Retype("bitcast", K::kBitcast, "%tile {} : @tile -> @", Made::kTile),
    Async("build_async_session", "( < %scratch %workspace > : types ) {} -> @", "2 operands, not #",
          {{"scratch"}, {"workspace"}}),
    {.name = "cmo.cacheinvalid",
     .operands = {{"space", kAny, kMaybe}, {"view", kView, kMaybe}},
     .form = "(? all $space ?) (? %view single_cache_line : @view ?) {}",
     .generic = false,
     .uses = Uses::kAsks,
     .effect = true},
    AllReduce("comm.allreduce"),
    AllReduce("comm.allreduce_segment"),
    Collective("comm.tbroadcast", "( %src , recv ( %ping (? , %pong ?) ) , group ( $group* ) : types ) {}", "src"),
    Collective("comm.tgather", "( %dst , recv ( %ping (? , %pong ?) ) , group ( $group* ) : types ) {}", "dst"),
    CommCopy("comm.tget"),
    OnSignal("comm.tnotify", "( %signal , $value : types ) {}"),
    CommCopy("comm.tput"),
    Comm("comm.treduce", "( %dst , %acc , recv ( %ping (? , %pong ?) ) , group ( $group* ) : types ) {}",
         {{"dst", kView}, {"acc", kTile}, {"ping", kTile}, {"pong", kTile, kMaybe}, {"group", kView, kMany}}),
    Collective("comm.tscatter", "( %src , recv ( %ping (? , %pong ?) ) , group ( $group* ) : types ) {}", "src"),
    OnSignal("comm.ttest", "( %signal , $value : types ) {} -> @", Makes::kWritten),
    OnSignal("comm.twait", "( %signal , $value : types ) {}"),
    {.name = "declare_eventid_array", .form = "-> @", .makes = Makes::kWritten},
    {.name = "declare_global", .form = "-> @", .makes = Makes::kWritten, .result = T::kTensorView},
    {.name = "declare_local_array", .form = "-> @", .makes = Makes::kWritten, .result = T::kLocalArray},
    DeclareTile("declare_tile"),
    DeclareTile("declare_tile_memref"),
    {.name = "eventid_array_get",
     .operands = {{"array", kEvents}, {"index", kIndex}},
     .form = "%array [ < $index > ] {} : @array",
     .counted = "one index, not #",
     .makes = Makes::kIndexType},
    {.name = "eventid_array_set",
     .operands = {{"array", kEvents}, {"index", kIndex}, {"value"}},
     .form = "%array [ < $index > ] , $value {} : @array",
     .counted = "one index, not #"},
    Sync("fence.barrier_all", Orders::kBarrier, {{"scope"}}),
    BlockNumber("get_block_idx"),
    BlockNumber("get_block_num"),
    Sync("get_buf", Orders::kGet, {{"pipe"}, {"id"}}),
    {.name = "get_prefetch_async_session",
     .kind = K::kAsync,
     .operands = {{"context", kPrefetch}},
     .form = "%context {} : @context -> @",
     .makes = Makes::kWritten,
     .generic = false,
     .effect = true},
    Instruction("get_scale_addr", {1, 1}, {1, 1}, K::kScaleAddr),
    BlockNumber("get_subblock_idx"),
    BlockNumber("get_subblock_num"),
    ViewNumber("get_tensor_view_dim"),
    ViewNumber("get_tensor_view_stride"),
    {.name = "import_reserved_buffer", .kind = K::kImportBuffer, .generic = false, .effect = true},
    Pipe("initialize_l2g2l_pipe", K::kMakePipe,
         {{"gm_slot_buffer", kGlobal}, {"local", kIndex, kMaybe}, {"peer", kIndex, kMaybe}}),
    Pipe("initialize_l2l_pipe", K::kMakePipe, {{"local", kIndex}, {"peer", kIndex, kMaybe}}),
    {.name = "load",
     .kind = K::kLoadScalar,
     .operands = {{"ptr", kPointer}, {"offset", kIndex}},
     .form = "%ptr [ $offset ] {} : @ptr -> @",
     .as = "load_scalar",
     .makes = Makes::kWritten,
     .generic = false,
     .uses = Uses::kReads,
     .made = Made::kNumber},
    {.name = "load_scalar",
     .kind = K::kLoadScalar,
     .operands = {{"ptr", kPointer}, {"offset", kIndex}},
     .form = "%ptr [ $offset ] {} : @ptr -> @",
     .makes = Makes::kWritten,
     .uses = Uses::kReads,
     .made = Made::kNumber},
    {.name = "local_array_get",
     .operands = {{"array", kArray}, {"places", kIndex, kMany}},
     .form = "%array [ $places* ] {} : @array -> @",
     .makes = Makes::kWritten},
    {.name = "local_array_set",
     .operands = {{"array", kArray}, {"places", kIndex, kMany}, {"value"}},
     .form = "%array [ $places* ] , $value {} : @array , @value",
     .effect = true},
    Async("make_prefetch_async_context", "( < %workspace > : types ) {} -> @", "one operand, not #",
          {{"workspace", kPointer}}),
    {.name = "make_tensor_view",
     .kind = K::kMakeTensorView,
     .operands = {{"ptr", kGlobal}, {"shape", kIndex, kMany}, {"strides", kIndex, kMany}},
     .form = "%ptr , shape = [ $shape* ] ,? strides = [ $strides* ] {} : @",
     .makes = Makes::kWritten,
     .result = T::kTensorView,
     .uses = Uses::kShares,
     .made = Made::kView},
    BindTile("materialize_tile", "%tile (? , $valid_row , $valid_col ?) {-} : @tile -> @"),
    {.name = "multi_tile_get",
     .operands = {{"tiles", kTiles}, {"index", kIndex}},
     .form = "%tiles [ < $index > ] {} : @tiles -> @",
     .counted = "one index, not #",
     .makes = Makes::kWritten,
     .result = T::kTile,
     .uses = Uses::kShares,
     .made = Made::kTile},
    {.name = "partition_view",
     .kind = K::kPartitionView,
     .operands = {{"view", kView}, {"offsets", kIndex, kMany}, {"sizes", kIndex, kMany}},
     .form = "%view , offsets = [ $offsets* ] ,? sizes = [ $sizes* ] {} : @view (? -> @ ?)",
     .makes = Makes::kWritten,
     .result = T::kPartitionView,
     .uses = Uses::kShares,
     .made = Made::kView},
    Sync("pipe_barrier", Orders::kBarrier, {{"pipe"}}),
    AllocTile("pointer_cast", "( < $addr > ) (? $valid_row , $valid_col ?) {} : @", kOne, "one address"),
    {.name = "print", .kind = K::kPrint, .operands = {{"format"}, {"value"}}, .uses = Uses::kReads, .effect = true},
    Flag("record_event", Orders::kSet, true),
    {.name = "reserve_buffer", .kind = K::kReserveBuffer, .generic = false, .effect = true},
    Sync("rls_buf", Orders::kRelease, {{"pipe"}, {"id"}}),
    Section("section.cube", CoreKind::kCube),
    Section("section.vector", CoreKind::kVector),
    Sync("set_ffts", Orders::kNothing, {}),
    Flag("set_flag", Orders::kSet),
    Flag("set_flag_dyn", Orders::kSet),
    Instruction("set_img2col_padding", {1, 1}, {0, 0}),
    Instruction("set_img2col_rpt", {1, 1}, {0, 0}),
    {.name = "set_validshape",
     .operands = {{"tile", kTile, kOne, Uses::kShape}, {"rows", kIndex}, {"cols", kIndex}},
     .form = "< $tile $rows $cols > {} (? : @tile ?)",
     .counted = "a tile, rows and columns",
     .uses = Uses::kReads},
    Instruction("setfmatrix", {1, 1}, {0, 0}),
    MadMode("sethf32mode"),
    MadMode("settf32mode"),
    {.name = "simt_launch", .kind = K::kCall, .generic = false, .effect = true},
    {.name = "store",
     .kind = K::kStoreScalar,
     .operands = {{"value", kElement}, {"ptr", kPointer, kOne, Uses::kChanges}, {"offset", kIndex}},
     .form = "%value , %ptr [ $offset ] {} : @ptr , @value",
     .as = "store_scalar",
     .generic = false,
     .uses = Uses::kReads,
     .effect = true},
    {.name = "store_scalar",
     .kind = K::kStoreScalar,
     .operands = {{"value", kElement}, {"ptr", kPointer, kOne, Uses::kChanges}, {"offset", kIndex}},
     .form = "%value , %ptr [ $offset ] {} : @ptr , @value",
     .uses = Uses::kReads,
     .effect = true},
    {.name = "strict_vecscope", .kind = K::kSection, .operands = {{"captures", Takes::kAny, kMany}}},
    Subset("subset", true, {{"tile", kTile}, {"row", kIndex}, {"col", kIndex}}),
    Subset("subview", true, {{"tile", kTile}, {"row", kIndex}, {"col", kIndex}, {"valid", kIndex, kMany}}),
    CoreFlag("sync.set", K::kCoreSet),
    CoreFlag("sync.wait", K::kCoreWait),
    {.name = "syncall",
     .kind = K::kSyncAll,
     .operands = {{"workspace", kAny, kMaybe}, {"used", kIndex, kMaybe}},
     .generic = false,
     .effect = true},
    Instruction("talias", {1, 1}, {1, 1}),
    Pipe("talloc", K::kAllocSlot, {{"slot", kAny, kMaybe}, {"pipe"}}),
    Pipe("talloc_to_aic", K::kAllocSlot, {}, CoreKind::kVector),
    Pipe("talloc_to_aiv", K::kAllocSlot, {}, CoreKind::kCube),
    {.name = "tassign", .kind = K::kTassign, .operands = {{"tile", kTile}, {"addr", kPlace}}, .makes = Makes::kUnnamed},
    AddressOf("tensor_view_addr", "view", kView, "%view {} : @view -> @"),
    AsyncDone("test_async_event"),
    Pipe("tfree", K::kFree, {{"slot", kAny, kMaybe}, {"pipe"}}),
    Pipe("tfree_from_aic", K::kFree, {{"slot", kAny, kMaybe}}, CoreKind::kVector),
    Pipe("tfree_from_aiv", K::kFree, {{"slot", kAny, kMaybe}}, CoreKind::kCube),
    AsyncCopy("tget_async"),
    Instruction("tget_scale_addr", {1, 1}, {1, 1}, K::kScaleAddr),
    {.name = "tgetval",
     .operands = {{"tile", kTile}, {"offset", kIndex}},
     .makes = Makes::kWritten,
     .uses = Uses::kReads,
     .made = Made::kNumber},
    AddressOf("tile_buf_addr", "tile", kTile, "%tile {} : @tile -> @"),
    ValidExtent("tile_valid_cols"),
    ValidExtent("tile_valid_rows"),
    Instruction("tmatmul_mx_hif4", {2, 6}, {1, 1}),
    Pipe("tpop", K::kPop, {{"tile", kAny, kMaybe}, {"pipe"}}),
    Pop("tpop_from_aic", CoreKind::kVector),
    Pop("tpop_from_aiv", CoreKind::kCube),
    Async("tprefetch_async", "( < %view %session > : types ) {} -> @", "2 operands, not #",
          {{"view", kView}, {"session", kPrefetch}}),
    {.name = "tprint", .kind = K::kTPrint, .operands = {{"tile", kTile}}, .uses = Uses::kReads, .effect = true},
    Pipe("tpush", K::kPush, {{"what"}, {"pipe"}}),
    Pipe("tpush_to_aic", K::kPush, {{"what"}}, CoreKind::kVector),
    Pipe("tpush_to_aiv", K::kPush, {{"what"}}, CoreKind::kCube),
    AsyncCopy("tput_async"),
    Instruction("tquant_hif4", {1, 3}, {1, 4}),
    {.name = "trap", .form = "{}", .effect = true},
    Retype("treshape", K::kTreshape, "%tile {} : @tile -> @", Made::kTile, true),
    {.name = "tsetval",
     .kind = K::kTSetVal,
     .operands = {{"offset", kIndex}, {"value"}, {"tile", kTile, kOne, Uses::kChanges, true}},
     .uses = Uses::kReads},
    Subset("tsubview", false, {{"tile", kTile}, {"row", kIndex}, {"col", kIndex}}),
    Sync("tsync", Orders::kBarrier, {}),
    Section("vecscope", CoreKind::kAny),
    AsyncDone("wait_async_event"),
    Flag("wait_event", Orders::kWait, true),
    Flag("wait_flag", Orders::kWait),
    Flag("wait_flag_dyn", Orders::kWait),

    // Other dialects, and all operations of the vector level, which have rows of their own (vector/rows.h).
    {.name = "arith", .kind = K::kArith, .uses = Uses::kReads, .made = Made::kNumber},
    {.name = "arith.constant", .kind = K::kConstant, .uses = Uses::kReads, .made = Made::kConstant},
    {.name = "builtin.unrealized_conversion_cast", .kind = K::kArith},
    Branch("cf.br", {}),
    Branch("cf.cond_br", {{"decides"}}),
    Branch("cf.switch", {{"decides"}}),
    {.name = "func.call", .kind = K::kCall, .effect = true},
    {.name = "return", .kind = K::kReturn},
    MemrefAlloc("memref.alloc"),
    MemrefAlloc("memref.alloca"),
    {.name = "memref.dealloc", .operands = {{"memory", kMemref}}, .form = "%memory {-} : @memory", .uses = Uses::kAsks},
    {.name = "memref.dim",
     .operands = {{"view", kView}, {"dim", kDimension}},
     .form = "%view , %dim {} : @view",
     .as = "get_tensor_view_dim",
     .makes = Makes::kIndexType},
    Memory("memref.load", "%memory [ $places* ] {-} : @memory", Makes::kElement,
           {{"memory", kMemref}, {"places", kIndex, kMany}}),
    {.name = "memref.reinterpret_cast",
     .kind = K::kMakeTensorView,
     .operands = {{"view", kView}, {"offset", kIndex}, {"shape", kIndex, kMany}, {"strides", kIndex, kMany}},
     .form = "%view to offset : [ $offset ] , sizes : [ $shape* ] , strides : [ $strides* ] {-} : @view to @",
     .makes = Makes::kWritten,
     .result = T::kTensorView,
     .generic = false,
     .uses = Uses::kShares,
     .made = Made::kView},
    Memory("memref.store", "%value , %memory [ $places* ] {-} : @memory", Makes::kNothing,
           {{"value", kElement}, {"memory", kMemref}, {"places", kIndex, kMany}}),
    {.name = "memref.subview", .as = "partition_view"},
    {.name = "scf.condition", .kind = K::kCondition, .operands = {{"condition"}}},
    {.name = "scf.for", .kind = K::kFor, .operands = {{"lower"}, {"upper"}, {"step"}}},
    {.name = "scf.if", .kind = K::kIf, .operands = {{"condition"}}, .uses = Uses::kReads},
    {.name = "scf.while", .kind = K::kWhile},
    {.name = "scf.yield", .kind = K::kYield},
    {.name = "vector level", .kind = K::kVectorOp, .effect = true},
    Vector("vector.broadcast", "%value {} : @value to @", Makes::kWritten, {{"value"}}),
    Vector("vector.extract", "%vector [ $places* ] {} : @ from @vector", Makes::kWritten,
           {{"vector", kVector}, {"places", kIndex, kMany}}),
    Vector("vector.insert", "%value , %vector [ $places* ] {} : @value into @vector", Makes::kVector,
           {{"value"}, {"vector", kVector}, {"places", kIndex, kMany}}),
    Vector("vector.splat", "%value {} : @", Makes::kWritten, {{"value", kElement}}),
};

// The names of operands, each once.
struct OperandNames {
  constexpr OperandNames() {
    for (const StmtInfo& row : kRows) {
      for (const OperandInfo& operand : row.operands) {
        if (Find(operand.name) == count) all[count++] = operand.name;
      }
    }
  }
  constexpr size_t Find(std::string_view name) const {
    size_t i = 0;
    while (i < count && all[i] != name) ++i;
    return i;
  }
  std::string_view all[kMostNames];
  size_t count = 0;
};
inline constexpr OperandNames kOperandNames;

}  // namespace rows

inline constexpr size_t kStmtCount = std::size(rows::kRows);
extern const StmtInfo* const kStmts;

// ---- names ------------------------------------------------------------------

// A statement or an operand by its name. It is looked up while the program is compiled, and is one number in it; a name
// that no row has does not compile.
struct StmtName {
  consteval StmtName(const char* name) {  // NOLINT(google-explicit-constructor): stmt.Is("trap")
    while (rows::kRows[id].name != name) ++id;
  }
  uint16_t id = 0;
};
struct OperandName {
  consteval OperandName(const char* name) {  // NOLINT(google-explicit-constructor): stmt["tile"]
    while (rows::kOperandNames.all[id] != name) ++id;
  }
  uint8_t id = 0;
};
inline const StmtInfo& InfoOf(StmtName name) { return kStmts[name.id]; }

// For the pto dialect; `.` and `_` are equal in mnemonics. nullptr: no such name.
const StmtInfo* FindStmt(std::string_view mnemonic);
// For another dialect, such as vector.splat.
const StmtInfo* FindForeign(std::string_view name);
// The rows of the pto dialect, in order of names with `.` as `_`.
std::span<const StmtInfo> PtoStmts();

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_STATEMENTS_H_
