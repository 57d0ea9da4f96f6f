// What docs/statements.md and `pto ops` state about the statements of PTO-AS besides their rows in statements.h: what
// each does, and its form where the row has a grammar of its own. Only the generator (src/gen/gen_statements.h)
// includes it, so the library does not hold it.
#ifndef PTO_SRC_PTOAS_STATEMENT_PAGES_H_
#define PTO_SRC_PTOAS_STATEMENT_PAGES_H_

#include <string_view>

#include "src/ptoas/read/statements.h"

namespace pto::ptoas {

struct StmtPage {
  std::string_view name;       // of the row
  std::string_view does;       // of a group: what it is about
  std::string_view form = {};  // where the row has none, or shows too little
  std::string_view more = {};
};

// A group begins with a row without a name: `form` is its title.
inline constexpr StmtPage kStmtPages[] = {
    {"", "", "Functions, blocks and loops"},
    {"return", "Ends the function and returns its results.", "return [%a, ... : type, ...]"},
    {"func.call", "Calls a function of the module.", "[%r, ... =] call @f(%a, ...) : (type, ...) -> types"},
    {"simt_launch", "Runs a function of work items, x * y * z of them ([SIMT](simt.md)).",
     "pto.simt_launch @f<<<%x, %y, %z>>>(%a, ...) : (type, ...) -> ()"},
    {"scf.for",
     "Repeats a block for each value from %lo up to %hi, which is excluded, and passes values from round to round.",
     "[%r =] scf.for %i = %lo to %hi step %s [iter_args(%a = %x, ...) -> (type, ...)] [: type] { ... }"},
    {"scf.if", "Executes one of two blocks.", "[%r =] scf.if %b [-> (type, ...)] { ... } [else { ... }]"},
    {"scf.while", "Repeats two blocks; the first one decides whether the second one follows.",
     "[%r:2 =] scf.while (%a = %x, ...) : (type, ...) -> (type, ...) { ... } do { ^bb0(%b: type, ...): ... }"},
    {"scf.condition", "Ends the first block of scf.while.", "scf.condition(%b) [%a, ... : type, ...]"},
    {"scf.yield", "Ends a block of scf and passes its results on.", "scf.yield [%a, ... : type, ...]"},
    {"cf.br", "Continues with another block of the function.", "cf.br ^b[(%a, ... : type, ...)]"},
    {"cf.cond_br", "Continues with one of two blocks.", "cf.cond_br %c, ^a[(...)], ^b[(...)]"},
    {"cf.switch", "Continues with the first block whose number is equal to the value, or with the default.",
     "cf.switch %i : type, [default: ^a[(...)], 42: ^b[(...)], ...]"},
    {"section.cube", "Executes the block on the cube core only.", "pto.section.cube { ... }"},
    {"section.vector", "Executes the block on the vector cores only.", "pto.section.vector { ... }"},
    {"vecscope", "Surrounds operations of the vector level.", "pto.vecscope { ... }"},
    {"strict_vecscope", "Surrounds operations of the vector level, which see nothing but the captured values.",
     "pto.strict_vecscope(%a, ...) { ^bb0(%b: type, ...): ... } : (type, ...) -> ()"},
    {"trap", "Ends the run with rule `trap`."},

    {"", "", "Constants and arithmetic"},
    {"arith.constant", "A constant number or vector.", "%c = arith.constant 1 : index"},
    {"arith", "A function of `arith` or `math`, of one to three numbers or vectors.", "%r = arith.addi %a, %b : type"},
    {"builtin.unrealized_conversion_cast", "The same value with another signedness.",
     "%y = builtin.unrealized_conversion_cast %x : type to type"},
    {"vector.broadcast", "A vector with the number in each element."},
    {"vector.splat", "A vector with the number in each element."},
    {"vector.extract", "An element of a vector."},
    {"vector.insert", "The vector with one element replaced."},

    {"", "", "Blocks and cores"},
    {"get_block_idx", "The number of the block that executes the statement."},
    {"get_block_num", "The number of blocks of the run."},
    {"get_subblock_idx", "The number of the vector core within its block."},
    {"get_subblock_num", "The number of vector cores of a block."},

    {"", "", "Pointers and views"},
    {"make_tensor_view", "A view of global memory: 1 to 5 dimensions with strides, both in elements."},
    {"partition_view", "A part of a view."},
    {"get_tensor_view_dim", "The extent of a dimension of a view.",
     "%n = pto.get_tensor_view_dim %view, %dim : view -> index"},
    {"get_tensor_view_stride", "The stride of a dimension of a view, in elements.",
     "%n = pto.get_tensor_view_stride %view, %dim : view -> index"},
    {"tensor_view_addr", "The address of the first element of a view."},
    {"tile_buf_addr", "The address of the memory of a tile."},
    {"addptr", "The address some elements further on."},
    {"load_scalar", "The element at an address."},
    {"load", "The element at an address; another spelling of load_scalar."},
    {"store_scalar", "Stores one element."},
    {"store", "Stores one element; another spelling of store_scalar."},
    {"declare_global", "A view without memory, for talloc and tpop.", "%v = pto.declare_global -> view"},
    {"memref.alloc", "A tile in on-chip memory, as alloc_tile creates it.", "%m = memref.alloc() : memref"},
    {"memref.alloca", "A tile in on-chip memory, as alloc_tile creates it.", "%m = memref.alloca() : memref"},
    {"memref.dealloc", "Has no effect."},
    {"memref.dim", "The extent of a dimension."},
    {"memref.load", "An element by its indices."},
    {"memref.store", "Stores an element by its indices."},
    {"memref.subview", "A part: partition_view of global memory, subset of a tile.",
     "%w = memref.subview %m[%i, 0] [4, %c] [1, 1] : memref to memref"},
    {"memref.reinterpret_cast", "A view of the same global memory with other extents and strides.",
     "%v = memref.reinterpret_cast %m to offset: [%o], sizes: [%n, ...], strides: [%s, ...] : memref to memref"},

    {"", "", "Tiles"},
    {"alloc_tile", "A tile, at an address of on-chip memory or where the run chooses."},
    {"alloc_multi_tile", "2 to 16 tiles of one type."},
    {"multi_tile_get", "One of the tiles of alloc_multi_tile, by its index."},
    {"declare_tile", "A tile without memory, until tassign or tpop gives it some."},
    {"declare_tile_memref", "A tile without memory, until tassign or tpop gives it some."},
    {"pointer_cast", "A tile at an address."},
    {"bind_tile", "A second tile on the memory of a tile, with another type, layout or valid region."},
    {"materialize_tile", "A tile on the memory of a memref."},
    {"tassign", "Moves a tile to another address.", "[%u =] pto.tassign %t, %a : tile [, type] [-> tile]"},
    {"treshape", "The same bytes as a tile of other extents."},
    {"bitcast", "The same bytes as a tile of another element type."},
    {"subset", "A part of a tile, with its part of the valid region.",
     "%u = pto.subset %t[%i, %j] sizes [8, 16] : tile"},
    {"subview", "A part of a tile, valid in all of its sizes or in the given extents.",
     "%u = pto.subview %t[%i, %j] sizes [8, 16] [valid [%r, %c]] : tile [-> tile]"},
    {"tsubview", "The part of a tile from an element on.",
     "pto.tsubview ins(%t, %i, %j : tile, i16, i16) outs(%u : tile)"},
    {"set_validshape", "Sets the valid region of a tile.", "pto.set_validshape %t, %r, %c : tile"},
    {"tile_valid_rows", "The valid rows of a tile at that time.", "%r = pto.tile_valid_rows %t : tile -> index"},
    {"tile_valid_cols", "The valid columns of a tile at that time.", "%c = pto.tile_valid_cols %t : tile -> index"},
    {"tgetval", "The element of a tile at an offset in storage order.",
     "%x = pto.tgetval ins(%t, %i : tile, index) outs : type"},
    {"tsetval", "Sets the element of a tile at an offset in storage order.",
     "pto.tsetval ins(%i, %x : index, type) outs(%t : tile)"},
    {"tget_scale_addr", "Places the scales of a matrix at a sixteenth of its address.",
     "pto.tget_scale_addr ins(%t : tile) outs(%s : tile)"},
    {"get_scale_addr", "Another spelling of tget_scale_addr.", "pto.get_scale_addr ins(%t : tile) outs(%s : tile)"},
    {"sethf32mode", "Sets whether later products round f32 factors to HF32.",
     "pto.sethf32mode {enable = true [, mode = round_away]}"},
    {"settf32mode", "Sets whether later products round f32 factors to TF32.",
     "pto.settf32mode {enable = true [, mode = round_away]}"},

    {"", "", "Arrays of scalars and event ids"},
    {"declare_local_array", "An array of scalars, all 0."},
    {"local_array_get", "An element of a local array."},
    {"local_array_set", "Sets an element of a local array."},
    {"declare_eventid_array", "An array of event ids."},
    {"eventid_array_get", "An event id of an array.", "%i = pto.eventid_array_get %a[%index] : !pto.eventid_array<4>"},
    {"eventid_array_set", "Sets an event id of an array.",
     "pto.eventid_array_set %a[%index], %value : !pto.eventid_array<4>"},

    {"",
     "The order of pipes of one core. Programs run in order, so these statements change no result; `--sync` checks "
     "them.",
     "Synchronisation on a core"},
    {"barrier", "Waits until a pipe has ended all earlier work.", "pto.barrier <PIPE_V>"},
    {"pipe_barrier", "barrier as documents call it.", "pto.pipe_barrier \"PIPE_V\""},
    {"barrier_sync", "Waits until the pipe of an instruction has ended all earlier work.", "pto.barrier_sync[<TVEC>]"},
    {"set_flag", "One pipe sets a flag for another one.", "pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]"},
    {"wait_flag", "A pipe waits for a flag of another one.", "pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]"},
    {"set_flag_dyn", "set_flag with an id that the program computes.", "pto.set_flag_dyn[<PIPE_MTE2>, <PIPE_V>, %id]"},
    {"wait_flag_dyn", "wait_flag with an id that the program computes.",
     "pto.wait_flag_dyn[<PIPE_MTE2>, <PIPE_V>, %id]"},
    {"record_event", "set_flag between the pipes of two instructions.",
     "pto.record_event[<TLOAD>, <TVEC>, <EVENT_ID0>]"},
    {"wait_event", "wait_flag between the pipes of two instructions.", "pto.wait_event[<TLOAD>, <TVEC>, <EVENT_ID0>]"},
    {"get_buf", "A pipe takes a buffer id; it waits until the pipe that had it has released it.",
     "pto.get_buf[<TLOAD>, 0]"},
    {"rls_buf", "A pipe releases a buffer id.", "pto.rls_buf[<TLOAD>, 0]"},
    {"tsync", "Waits until all pipes have ended all earlier work.", "pto.tsync [ins(%i : index)]"},
    {"fence.barrier_all", "Orders all earlier accesses of global memory before all later ones.",
     "pto.fence.barrier_all #pto.fence_scope<gm>"},
    {"cmo.cacheinvalid", "Drops cached lines of global memory, of all of it or of a view.",
     "pto.cmo.cacheinvalid all #pto.address_space<gm> | %v single_cache_line : view"},

    {"", "The order of the cores of a block, and of all blocks.", "Synchronisation between cores"},
    {"sync.set", "Sets a flag for the cores of the other kind.", "pto.sync.set <PIPE_FIX>, 3 [{ffts_mode = 2 : i32}]"},
    {"sync.wait", "Waits for a flag of the cores of the other kind.", "pto.sync.wait <PIPE_V>, 3"},
    {"set_ffts", "Sets where a device keeps the flags between cores; the run has its own.", "pto.set_ffts %p : type"},
    {"syncall", "All cores of a kind in all blocks wait for each other.",
     "pto.syncall([%v [, %n] : view [, i32]]) mode = #pto.sync_all_mode<hard>, core_type = "
     "#pto.sync_core_type<aiv_only>"},

    {"", "Queues of tiles or views between the cube core and the vector cores of a block.", "Pipes between cores"},
    {"reserve_buffer", "Reserves on-chip memory under a name; the result is its address.",
     "%b = pto.reserve_buffer {name = \"f\", size = 8192, location = #pto.address_space<vec>, auto = true [, base = "
     "64]} -> i32"},
    {"import_reserved_buffer", "The address of a buffer that another function reserves.",
     "%b = pto.import_reserved_buffer {name = \"f\", peer_func = @f} -> i32"},
    {"aic_initialize_pipe", "Makes the end of a pipe on the cube core.",
     "pto.aic_initialize_pipe {dir_mask = 1, slot_size = 1024} ([gm_slot_buffer = %p : ptr,] c2v_consumer_buf = %b : "
     "i32, ...)"},
    {"aiv_initialize_pipe", "Makes the end of a pipe on the vector cores.",
     "pto.aiv_initialize_pipe {dir_mask = 1, slot_size = 1024} ([gm_slot_buffer = %p : ptr,] c2v_consumer_buf = %b : "
     "i32, ...)"},
    {"initialize_l2l_pipe", "A pipe through on-chip memory, as a value.",
     "%p = pto.initialize_l2l_pipe {dir_mask = 1, slot_size = 1024, slot_num = 8} (%b [, %c] : i32 [, i32]) -> "
     "!pto.pipe"},
    {"initialize_l2g2l_pipe", "A pipe through global memory, as a value.",
     "%p = pto.initialize_l2g2l_pipe {dir_mask = 1, slot_size = 1024, slot_num = 8} (%q [, %b [, %c]] : ptr [, i32 [, "
     "i32]]) -> !pto.pipe"},
    {"tpush", "Passes a tile or a view to the other end.", "pto.tpush(%t, %p : tile, !pto.pipe) {split = 0}"},
    {"tpush_to_aic", "Passes a tile from a vector core to the cube core.", "pto.tpush_to_aic(%t : tile) {split = 0}"},
    {"tpush_to_aiv", "Passes a tile from the cube core to the vector cores.",
     "pto.tpush_to_aiv(%t : tile) {split = 0}"},
    {"tpop", "Waits for the next tile or view of the other end.", "pto.tpop(%t, %p : tile, !pto.pipe) {split = 0}"},
    {"tpop_from_aic", "Waits for the next tile of the cube core.",
     "%t = pto.tpop_from_aic [(%r, %c)] {split = 0} -> tile"},
    {"tpop_from_aiv", "Waits for the next tile of a vector core.",
     "%t = pto.tpop_from_aiv [(%r, %c)] {split = 0} -> tile"},
    {"tfree", "Returns the popped slot to the other end.", "pto.tfree([%v,] %p : [view,] !pto.pipe) {split = 0}"},
    {"tfree_from_aic", "Returns the popped slot to the cube core.", "pto.tfree_from_aic {split = 0}"},
    {"tfree_from_aiv", "Returns the popped slot to the vector cores.", "pto.tfree_from_aiv {split = 0}"},
    {"talloc", "The next free slot of a pipe of views.", "%v = pto.talloc(%p : !pto.pipe) {split = 0} -> view"},
    {"talloc_to_aic", "The next free slot on the way to the cube core.", "%v = pto.talloc_to_aic {split = 0} -> view"},
    {"talloc_to_aiv", "The next free slot on the way to the vector cores.",
     "%v = pto.talloc_to_aiv {split = 0} -> view"},

    {"", "Copies that a device does later. Here each is complete when its statement ends.", "Asynchronous copies"},
    {"build_async_session", "A session of asynchronous copies.",
     "%s = pto.build_async_session(%scratch, %workspace : type, type) -> !pto.async_session"},
    {"tput_async", "Copies %src to %dst; both have no gaps between elements.",
     "%e = pto.tput_async(%dst, %src, %s [, %peer] : view, view, !pto.async_session [, i32]) -> !pto.async_event"},
    {"tget_async", "Copies %src to %dst; both have no gaps between elements.",
     "%e = pto.tget_async(%dst, %src, %s [, %peer] : view, view, !pto.async_session [, i32]) -> !pto.async_event"},
    {"tprefetch_async", "A hint that a view will be read.",
     "%e = pto.tprefetch_async(%v, %s : view, !pto.async_session) -> !pto.async_event"},
    {"make_prefetch_async_context", "A context of prefetches.",
     "%c = pto.make_prefetch_async_context(%p : ptr) -> !pto.prefetch_async_context"},
    {"get_prefetch_async_session", "The session of a context of prefetches.",
     "%s = pto.get_prefetch_async_session %c : !pto.prefetch_async_context -> !pto.async_session"},
    {"wait_async_event", "Waits for an event and all earlier ones of its session.",
     "%b = pto.wait_async_event(%e, %s : !pto.async_event, !pto.async_session) -> i1"},
    {"test_async_event", "Whether an event and all earlier ones of its session are complete.",
     "%b = pto.test_async_event(%e, %s : !pto.async_event, !pto.async_session) -> i1"},

    {"",
     "[Several devices](ranks.md) describes ranks, windows, signals and groups. A group is one view of each rank; "
     "attribute `root` is the number of the root. All profiles have these statements.",
     "Communication between ranks"},
    {"comm.tput",
     "Copies %src to %dst, or adds it: `atomicType = ADD`. The staging tiles are what a device copies through.", "",
     "In C `pto_comm_tput()`, in C++ `comm::TPUT` or `comm::PUT`. Elements: i8 u8 i16 u16 i32 u32 f16 bf16 f32; to "
     "add, i8 i16 i32 f16 bf16 f32. Pipe MTE3. Rules `comm-dtype`, `comm-shape`, `staging`, `far-window`, "
     "`transport-failed`."},
    {"comm.tget", "Copies %src to %dst. The staging tiles are what a device copies through.", "",
     "In C `pto_comm_tget()`, in C++ `comm::TGET` or `comm::GET`. Elements: i8 u8 i16 u16 i32 u32 f16 bf16 f32. Pipe "
     "MTE2. Rules `comm-dtype`, `comm-shape`, `staging`, "
     "`transport-failed`."},
    {"comm.tnotify", "Sets a signal of another rank, or adds to it, after all earlier stores of this rank.",
     "pto.comm.tnotify(%signal, %value : view, i32)",
     "In C `pto_comm_tnotify()`, in C++ `comm::TNOTIFY` or `comm::NOTIFY`. The signal is one i32 in the window of any "
     "rank. Pipe S. Rules `signal`, `transport-failed`."},
    {"comm.twait", "Waits until each element of the signal compares true with the value.",
     "pto.comm.twait(%signal, %value : view, i32)",
     "In C `pto_comm_twait()`, in C++ `comm::TWAIT` or `comm::WAIT`. The signal is i32 in the rank's own window. Pipe "
     "S. Rules `signal`, `signal-own`, `deadlock`, `time-limit`."},
    {"comm.ttest", "Whether each element of the signal compares true with the value, without waiting.",
     "%b = pto.comm.ttest(%signal, %value : view, i32) -> i1",
     "In C `pto_context_ttest()`, in C++ `comm::TTEST` or `comm::TEST`. The signal is i32 in the rank's own window. "
     "Pipe S. Rules `signal`, `signal-own`."},
    {"comm.tbroadcast", "The root copies %src to each member of the group.", "",
     "In C `pto_comm_tbroadcast()`, in C++ `comm::TBROADCAST` or `comm::BROADCAST`. Only the root executes it. "
     "Elements: i8 u8 i16 u16 i32 u32 f16 bf16 f32. Pipe MTE3. Rules `group`, `group-root`, `comm-dtype`, "
     "`comm-shape`, `staging`, "
     "`transport-failed`."},
    {"comm.tgather", "The root copies the members of the group into %dst, one after another along the rows.", "",
     "In C `pto_comm_tgather()`, in C++ `comm::TGATHER` or `comm::GATHER`. Only the root executes it. Elements: i8 u8 "
     "i16 u16 i32 u32 f16 bf16 f32. Pipe MTE3. Rules `group`, `group-root`, `group-rows`, `comm-dtype`, `staging`, "
     "`transport-failed`."},
    {"comm.tscatter", "The root copies the rows of %src to the members of the group, one after another.", "",
     "In C `pto_comm_tscatter()`, in C++ `comm::TSCATTER` or `comm::SCATTER`. Only the root executes it. Elements: i8 "
     "u8 i16 u16 i32 u32 f16 bf16 f32. Pipe MTE3. Rules `group`, `group-root`, `group-rows`, `comm-dtype`, `staging`, "
     "`transport-failed`."},
    {"comm.treduce",
     "The root combines the members of the group element by element: its own part, then the others in ascending order.",
     "",
     "In C `pto_comm_treduce()`, in C++ `comm::TREDUCE` or `comm::REDUCE`. Only the root executes it. Elements: i8 i16 "
     "i32 f16 bf16 f32; each step rounds to the element type. Pipe MTE3. Rules `group`, `group-root`, `comm-dtype`, "
     "`comm-shape`, `staging`, "
     "`transport-failed`."},
    {"comm.allreduce", "Each member of the group becomes what treduce gives. Not in the ISA.", "",
     "In C `pto_comm_allreduce()`. Only the root executes it. Elements: i8 i16 i32 f16 bf16 f32. Pipe MTE3. Rules "
     "`group`, `group-root`, `comm-dtype`, `staging`, "
     "`transport-failed`."},
    {"comm.allreduce_segment",
     "The same as allreduce; each rank of the group calls it and does its part. Not in the ISA.", "",
     "In C `pto_comm_allreduce_segment()`. Every rank of the group executes it. Elements: i8 i16 i32 f16 bf16 f32. "
     "Pipe MTE3. Rules `group`, `group-member`, `comm-flat`, `comm-dtype`, `staging`, "
     "`transport-failed`."},

    {"", "", "Printing"},
    {"print", "Prints a number.", "pto.print ins(\"%f\", %x : f32)"},
    {"tprint", "Prints the valid region of a tile.", "pto.tprint ins(%t : tile)"},

    {"",
     "Statements that libpto reads and checks but does not execute; [PTO-AS](ptoas.md#what-is-not-executed) has the "
     "reasons.",
     "Not executed"},
    {"set_img2col_padding", "A register of TIMG2COL."},
    {"set_img2col_rpt", "A register of TIMG2COL."},
    {"setfmatrix", "A register of TIMG2COL."},
    {"talias", "A second name of a tile: bind_tile has the same effect."},
    {"tmatmul_mx_hif4", "A product of 4-bit elements with scales of three levels."},
    {"tquant_hif4", "A quantisation with scales of three levels."},
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_STATEMENT_PAGES_H_
