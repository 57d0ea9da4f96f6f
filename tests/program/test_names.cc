// Every name of the dialect runs, or docs/ptoas.md has the reason: programs that execute them, each with what it
// prints, and for the operations of arith and math one that is made for each, on numbers and on vectors.
#include "tests/ptoas/cmocka_cpp.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "include/pto_c.h"
#include "src/ptoas/read/statements.h"
#include "src/ptoas/read/parser.h"

namespace pto::ptoas {
namespace {

std::string g_manual;  // docs/ptoas.md

struct Example {
  const char* text;
  const char* prints;
};

// %p is 64 floats: 0, 1, 2 ...
#define HEAD                                                                                            \
  "func.func @main(%p: !pto.ptr<f32>) attributes {pto.entry} {\n %c0 = arith.constant 0 : index\n"      \
  " %c1 = arith.constant 1 : index\n %c2 = arith.constant 2 : index\n %c4 = arith.constant 4 : index\n" \
  " %c8 = arith.constant 8 : index\n %a64 = arith.constant 64 : i64\n"                                  \
  " %v = pto.make_tensor_view %p, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>\n"
#define TAIL " return\n}\n"
#define SLOT "!pto.tensor_view<1x4xf32>"
#define TILE "!pto.tile_buf<vec, 2x8xf32>"
#define LEFT "!pto.tile_buf<left, 16x64xf8E4M3FN, blayout=col_major, slayout=row_major>"
#define LEFT_E5M2 "!pto.tile_buf<left, 16x64xf8E5M2, blayout=col_major, slayout=row_major>"
#define RIGHT "!pto.tile_buf<right, 64x16xf8E4M3FN, slayout=col_major>"
#define SCALE_LEFT "!pto.tile_buf<scale_left, 16x2xf8E8M0FNU, slayout=row_major, fractal=32>"
#define SCALE_RIGHT "!pto.tile_buf<scale_right, 2x16xf8E8M0FNU, blayout=col_major, slayout=col_major, fractal=32>"
#define ACC "!pto.tile_buf<acc, 2x8xf32>"
#define ROW "!pto.partition_tensor_view<1x8xf32>"
#define ROWS "!pto.partition_tensor_view<2x8xf32>"
#define STAGE "!pto.tile_buf<vec, 1x8xf32>"

constexpr Example kExamples[] = {
    // Modes of a core: 1 + 2^-11 has a bit more than ten, and no more than eleven.
    {HEAD " %a = pto.alloc_tile : !pto.tile_buf<left, 1x8xf32, valid=1x1>\n"
          " %b = pto.alloc_tile : !pto.tile_buf<right, 1x8xf32, valid=1x1>\n"
          " %c = pto.alloc_tile : !pto.tile_buf<acc, 1x8xf32, valid=1x1>\n"
          " %x = arith.constant 65568.0 : f32\n %y = arith.constant 1.0 : f32\n"
          " pto.tsetval ins(%c0, %x : index, f32) outs(%a : !pto.tile_buf<left, 1x8xf32, valid=1x1>)\n"
          " pto.tsetval ins(%c0, %y : index, f32) outs(%b : !pto.tile_buf<right, 1x8xf32, valid=1x1>)\n"
          " pto.settf32mode {enable = true}\n %d = tmatmul %a, %b\n pto.tprint ins(%d : !pto.tile_buf<...>)\n"
          " pto.sethf32mode {enable = true}\n %e = tmatmul %a, %b\n pto.tprint ins(%e : !pto.tile_buf<...>)\n" TAIL,
     "%d: 1x1 of f32\n  65536\n%e: 1x1 of f32\n  65568\n"},
    // Work items: tests/cli/test_simt.py has all of their statements.
    {"func.func @item(%q: !pto.ptr<f32>) attributes {pto.simt_entry} {\n %t = pto.get_tid_x : i32\n"
     " %i = arith.index_cast %t : i32 to index\n %x = pto.load_scalar %q[%i] : !pto.ptr<f32> -> f32\n"
     " %s = pto.redux_add %x : f32 -> f32\n pto.store_scalar %s, %q[%i] : !pto.ptr<f32>, f32\n return\n}\n" HEAD
     " %n = arith.constant 5 : i32\n %m = arith.constant 1 : i32\n"
     " pto.simt_launch @item<<<%n, %m, %m>>>(%p) : (!pto.ptr<f32>) -> ()\n"
     " %x = pto.load_scalar %p[%c4] : !pto.ptr<f32> -> f32\n pto.print ins(\"%f\", %x : f32)\n" TAIL,
     "10\n"},
    // Pointers, views, windows.
    {HEAD " %q = pto.addptr %p, %c8 : !pto.ptr<f32> -> !pto.ptr<f32>\n"
          " %x = pto.load_scalar %q[%c1] : !pto.ptr<f32> -> f32\n pto.print ins(\"%f\", %x : f32)\n"
          " pto.store_scalar %x, %p[%c0] : !pto.ptr<f32>, f32\n"
          " %w = pto.partition_view %v, offsets = [%c4, %c2], sizes = [%c2, %c4] : !pto.tensor_view<8x8xf32> -> "
          "!pto.partition_tensor_view<2x4xf32>\n"
          " %n = pto.get_tensor_view_dim %w, %c1 : !pto.partition_tensor_view<2x4xf32> -> index\n"
          " pto.print ins(\"%d\", %n : index)\n"
          " %s = pto.get_tensor_view_stride %w, %c0 : !pto.partition_tensor_view<2x4xf32> -> index\n"
          " pto.print ins(\"%d\", %s : index)\n"
          " %a = pto.tensor_view_addr %w : !pto.partition_tensor_view<2x4xf32> -> !pto.ptr<f32>\n"
          " %y = pto.load_scalar %a[%c0] : !pto.ptr<f32> -> f32\n pto.print ins(\"%f\", %y : f32)\n" TAIL,
     "9\n4\n8\n34\n"},
    // Parts of memrefs in the place of tiles: of rows, of columns.
    {HEAD
     " %t = memref.alloca() : memref<4x8xf32, #pto.address_space<vec>>\n"
     " pto.tload ins(%v : !pto.tensor_view<8x8xf32>) outs(%t : memref<4x8xf32, #pto.address_space<vec>>)\n"
     " %u = memref.subview %t[%c2, 0] [2, 8] [1, 1] : memref<4x8xf32, #pto.address_space<vec>> to "
     "memref<2x8xf32, strided<[8, 1], offset: ?>, #pto.address_space<vec>>\n"
     " pto.tneg ins(%u : memref<2x8xf32, strided<[8, 1], offset: ?>, #pto.address_space<vec>>) outs(%u : "
     "memref<2x8xf32, strided<[8, 1], offset: ?>, #pto.address_space<vec>>)\n"
     " pto.tprint ins(%t : memref<4x8xf32, #pto.address_space<vec>>)\n"
     // Narrower than the whole: the second row begins 8 elements after the first.
     " %y = memref.subview %t[%c1, 4] [2, 4] [1, 1] : memref<4x8xf32, #pto.address_space<vec>> to "
     "memref<2x4xf32, strided<[8, 1], offset: ?>, #pto.address_space<vec>>\n"
     " memref.store %one, %y[1, 3] : memref<2x4xf32, strided<[8, 1], offset: ?>, #pto.address_space<vec>>\n"
     " %z = memref.load %y[1, 0] : memref<2x4xf32, strided<[8, 1], offset: ?>, #pto.address_space<vec>>\n"
     " pto.print ins(\"%f\", %z : f32)\n pto.tprint ins(%u : memref<2x8xf32, strided<[8, 1], offset: ?>, "
     "#pto.address_space<vec>>)\n"
     " %k = memref.alloca() : memref<8x2xf32, strided<[1, 8]>, #pto.address_space<vec>>\n"
     " %l = memref.subview %k[0, %c1] [8, 1] [1, 1] : memref<8x2xf32, strided<[1, 8]>, #pto.address_space<vec>> to "
     "memref<8x1xf32, strided<[1, 8], offset: ?>, #pto.address_space<vec>>\n"
     " pto.texpands ins(%one : f32) outs(%l : memref<8x1xf32, strided<[1, 8], offset: ?>, "
     "#pto.address_space<vec>>)\n"
     " pto.tprint ins(%k : memref<8x2xf32, strided<[1, 8]>, #pto.address_space<vec>>)\n" TAIL,
     "%t: 4x8 of f32\n  0 1 2 3 4 5 6 7\n  8 9 10 11 12 13 14 15\n  -16 -17 -18 -19 -20 -21 -22 -23\n"
     "  -24 -25 -26 -27 -28 -29 -30 -31\n-20\n%u: 2x8 of f32\n  -16 -17 -18 -19 -20 -21 -22 77\n"
     "  -24 -25 -26 -27 -28 -29 -30 -31\n%k: 8x2 of f32\n  0 77\n  0 77\n  0 77\n  0 77\n  0 77\n  0 77\n  0 77\n  0 "
     "77\n"},
    // Tiles: made, renamed, cut, moved.
    {HEAD " %t = pto.alloc_tile : " TILE "\n pto.tload ins(%v : !pto.tensor_view<8x8xf32>) outs(%t : " TILE ")\n"
          " pto.tsetval ins(%c1, %one : index, f32) outs(%t : " TILE ")\n"
          " %g = pto.tgetval ins(%t, %c1 : " TILE ", index) outs : f32\n pto.print ins(\"%f\", %g : f32)\n"
          " %r = pto.treshape %t : " TILE " -> !pto.tile_buf<vec, 1x16xf32>\n"
          " %h = pto.tgetval ins(%r, %c8 : !pto.tile_buf<vec, 1x16xf32>, index) outs : f32\n"
          " pto.print ins(\"%f\", %h : f32)\n"
          " %b = pto.bitcast %t : " TILE " -> !pto.tile_buf<vec, 2x8xi32>\n"
          " %i = pto.tgetval ins(%b, %c2 : !pto.tile_buf<vec, 2x8xi32>, index) outs : i32\n"
          " pto.print ins(\"%d\", %i : i32)\n"
          " %u = pto.subset %t[%c1, %c4] sizes [1, 2] : " TILE "\n pto.tprint ins(%u : !pto.tile_buf<vec, 1x2xf32>)\n"
          " %s = pto.subview %t, 1, %c4 : (" TILE ", i16, i16) -> !pto.tile_buf<vec, 2x8xf32, valid=1x2>\n"
          " pto.tprint ins(%s : !pto.tile_buf<vec, 1x2xf32>)\n"
          " %w = pto.subview %t[%c0, %c0] sizes [2, 4] valid [%c2, %c1] : " TILE " -> !pto.tile_buf<vec, 2x4xf32, "
          "valid=2x1>\n pto.tprint ins(%w : !pto.tile_buf<vec, 2x4xf32, valid=2x1>)\n"
          " pto.tsubview ins(%t, %c0, 6 : " TILE ", i16, i16) outs(%z : !pto.tile_buf<vec, 2x2xf32>)\n"
          " pto.tprint ins(%z : !pto.tile_buf<vec, 2x2xf32>)\n"
          " %m = pto.bind_tile %t, %c1, %c2 : " TILE " -> !pto.tile_buf<vec, 2x8xf32, valid=?x?>\n"
          " pto.tprint ins(%m : !pto.tile_buf<vec, 2x8xf32, valid=?x?>)\n" TAIL,
     "77\n8\n1073741824\n%u: 1x2 of f32\n  12 13\n%s: 1x2 of f32\n  12 13\n%w: 2x1 of f32\n  0\n  8\n%z: 2x2 of f32\n  "
     "6 7\n  14 15\n%m: 1x2 of "
     "f32\n  0 77\n"},
    {HEAD " %d = pto.declare_tile -> !pto.tile_buf<vec, 2x8xf32, valid=?x?>\n"
          " pto.set_validshape %d, %c1, %c4 : !pto.tile_buf<vec, 2x8xf32, valid=?x?>\n"
          " pto.tassign %d, %a64 : !pto.tile_buf<vec, 2x8xf32, valid=?x?>\n"
          " pto.tload ins(%v : !pto.tensor_view<8x8xf32>) outs(%d : !pto.tile_buf<vec, 2x8xf32, valid=?x?>)\n"
          " %q = pto.tile_buf_addr %d : !pto.tile_buf<vec, 2x8xf32, valid=?x?> -> !pto.ptr<f32, vec>\n"
          " %x = pto.load_scalar %q[%c2] : !pto.ptr<f32, vec> -> f32\n pto.print ins(\"%f\", %x : f32)\n"
          " %c = pto.pointer_cast(%a64) : !pto.tile_buf<vec, 1x8xf32, valid=1x4>\n"
          " pto.tprint ins(%c : !pto.tile_buf<vec, 1x8xf32, valid=1x4>)\n"
          " %e = pto.declare_tile_memref -> !pto.tile_buf<vec, 1x8xf32>\n"
          " pto.tassign %e, %a64 : !pto.tile_buf<vec, 1x8xf32>\n"
          " pto.texpands ins(%one : f32) outs(%e : !pto.tile_buf<vec, 1x8xf32>)\n"
          " pto.tprint ins(%c : !pto.tile_buf<vec, 1x8xf32, valid=1x4>)\n" TAIL,
     "2\n%c: 1x4 of f32\n  0 1 2 3\n%c: 1x4 of f32\n  77 77 77 77\n"},
    // Tiles picked by number, arrays of scalars, extents; what only orders memory.
    {HEAD
     " %m = pto.alloc_multi_tile : !pto.multi_tile_buf<" TILE ", count=2>\n"
     " %a = pto.multi_tile_get %m[%c0] : !pto.multi_tile_buf<" TILE ", count=2> -> " TILE "\n"
     " %b = pto.multi_tile_get %m[%c1] : !pto.multi_tile_buf<" TILE ", count=2> -> " TILE "\n"
     " %d = pto.multi_tile_get %m[%c0] : !pto.multi_tile_buf<" TILE ", count=2> -> " TILE "\n"
     " %w = pto.partition_view %v, offsets = [%c2, %c0], sizes = [%c2, %c8] : !pto.tensor_view<8x8xf32>\n"
     " pto.tload ins(%v : !pto.tensor_view<8x8xf32>) outs(%a : " TILE ")\n"
     " pto.tload ins(%w : !pto.partition_tensor_view<2x8xf32>) outs(%b : " TILE ")\n"
     " pto.tprint ins(%d : " TILE ")\n"
     " %far = arith.constant 256 : i64\n %near = arith.constant 288 : i64\n"
     " %n = pto.alloc_multi_tile addr = %far valid_row = %c1 valid_col = %c2 : "
     "!pto.multi_tile_buf<!pto.tile_buf<vec, 1x8xf32, valid=?x?>, count=3>\n"
     " %o = pto.multi_tile_get %n[%c1] : !pto.multi_tile_buf<!pto.tile_buf<vec, 1x8xf32, valid=?x?>, count=3> -> "
     "!pto.tile_buf<vec, 1x8xf32, valid=?x?>\n"
     " pto.texpands ins(%one : f32) outs(%o : !pto.tile_buf<vec, 1x8xf32, valid=?x?>)\n"
     " %same = pto.pointer_cast(%near) : !pto.tile_buf<vec, 1x8xf32, valid=1x2>\n"
     " pto.tprint ins(%same : !pto.tile_buf<vec, 1x8xf32, valid=1x2>)\n"
     " %r = pto.tile_valid_rows %o : !pto.tile_buf<vec, 1x8xf32, valid=?x?> -> index\n"
     " %c = pto.tile_valid_cols %o : !pto.tile_buf<vec, 1x8xf32, valid=?x?> -> index\n"
     " pto.print ins(\"%d\", %r : index)\n pto.print ins(\"%d\", %c : index)\n"
     " %s = pto.declare_local_array -> !pto.local_array<2x4xf32>\n"
     " scf.for %i = %c0 to %c4 step %c1 {\n  pto.local_array_set %s[%c1, %i], %one : !pto.local_array<2x4xf32>, f32\n"
     " }\n %x = pto.local_array_get %s[%c1, %c2] : !pto.local_array<2x4xf32> -> f32\n"
     " pto.print ins(\"%f\", %x : f32)\n"
     " pto.cmo.cacheinvalid %v single_cache_line : !pto.tensor_view<8x8xf32>\n"
     " pto.cmo.cacheinvalid all #pto.address_space<gm>\n pto.fence.barrier_all #pto.fence_scope<gm>\n"
     " pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<aiv_only>\n"
     " %ctx = pto.make_prefetch_async_context(%p : !pto.ptr<f32>) -> !pto.prefetch_async_context\n"
     " %e = pto.tprefetch_async(%v, %ctx : !pto.tensor_view<8x8xf32>, !pto.prefetch_async_context) -> "
     "!pto.async_event\n"
     " %ses = pto.get_prefetch_async_session %ctx : !pto.prefetch_async_context -> !pto.async_session\n"
     " %done = pto.comm.wait_async_event(%e, %ses : !pto.async_event, !pto.async_session) -> i1\n"
     " pto.print ins(\"%d\", %done : i1)\n" TAIL,
     "%d: 2x8 of f32\n  0 1 2 3 4 5 6 7\n  8 9 10 11 12 13 14 15\n%same: 1x2 of f32\n  77 77\n1\n2\n77\n1\n"},
    // A memref as a tile, with and without a sign.
    {HEAD " %m = memref.alloc() : memref<1x32xi8, #pto.address_space<vec>>\n"
          " %t = pto.materialize_tile %m, %c1, %c2 {config = 1} : memref<1x32xi8, #pto.address_space<vec>> -> "
          "!pto.tile_buf<vec, 1x32xi8, valid=?x?>\n %x = arith.constant -1 : i8\n"
          " pto.texpands ins(%x : i8) outs(%t : !pto.tile_buf<vec, 1x32xi8, valid=?x?>)\n"
          " %q = builtin.unrealized_conversion_cast %m : memref<1x32xi8, #pto.address_space<vec>> to "
          "memref<1x32xui8, #pto.address_space<vec>>\n"
          " %y = memref.load %q[%c0, %c1] : memref<1x32xui8, #pto.address_space<vec>>\n %e = arith.extui %y : ui8 to "
          "i32\n pto.print ins(\"%d\", %e : i32)\n"
          " %z = builtin.unrealized_conversion_cast %y : ui8 to i8\n pto.print ins(\"%d\", %z : i8)\n"
          " memref.dealloc %m : memref<1x32xi8, #pto.address_space<vec>>\n" TAIL,
     "255\n-1\n"},
    // Scales at a sixteenth of the address of their matrix, in memory of their own; an alias lies where its tile does.
    // A matrix without an address leaves them alone.
    {HEAD " %at = arith.constant 8192 : i64\n %far = arith.constant 512 : i64\n %zero = arith.constant 0 : i64\n"
          " %x = arith.constant 4.0 : f8E8M0FNU\n %y = arith.constant 8.0 : f8E8M0FNU\n"
          " %a = pto.alloc_tile addr = %at : " LEFT "\n %l = pto.bitcast %a : " LEFT " -> " LEFT_E5M2 "\n"
          " %b = pto.alloc_tile addr = %at : " RIGHT "\n %own = pto.alloc_tile : " LEFT "\n"
          " %s = pto.alloc_tile addr = %zero : " SCALE_LEFT "\n %there = pto.alloc_tile addr = %far : " SCALE_LEFT "\n"
          " %back = pto.alloc_tile addr = %far : " SCALE_RIGHT "\n"
          " pto.tsetval ins(%c4, %x : index, f8E8M0FNU) outs(%there : " SCALE_LEFT ")\n"
          " pto.tsetval ins(%c4, %y : index, f8E8M0FNU) outs(%back : " SCALE_RIGHT ")\n"
          " pto.tget_scale_addr ins(%l : " LEFT_E5M2 ") outs(%s : " SCALE_LEFT ")\n"
          " %t = pto.get_scale_addr %b : (" RIGHT ") -> " SCALE_RIGHT "\n"
          " pto.tget_scale_addr ins(%own : " LEFT ") outs(%s : " SCALE_LEFT ")\n"
          " %u = pto.tgetval ins(%s, %c4 : " SCALE_LEFT ", index) outs : f8E8M0FNU\n"
          " %v2 = pto.tgetval ins(%t, %c4 : " SCALE_RIGHT ", index) outs : f8E8M0FNU\n"
          " pto.print ins(\"%f\", %u : f8E8M0FNU)\n pto.print ins(\"%f\", %v2 : f8E8M0FNU)\n" TAIL,
     "4\n8\n"},
    // The documents of that level name these two without a suffix.
    {HEAD " %x = pto.load %p[%c8] : !pto.ptr<f32> -> f32\n pto.store %x, %p[%c0] : !pto.ptr<f32>, f32\n"
          " %y = pto.load_scalar %p[%c0] : !pto.ptr<f32> -> f32\n pto.print ins(\"%f\", %y : f32)\n" TAIL,
     "8\n"},
    // Registers of the vector level, which work on the bytes of a tile; tests/cli/test_vector.py has all of its
    // operations.
    {HEAD " %t = pto.alloc_tile addr = %a64 : !pto.tile_buf<vec, 8x8xf32>\n"
          " pto.tload ins(%v : !pto.tensor_view<8x8xf32>) outs(%t : !pto.tile_buf<vec, 8x8xf32>)\n"
          " %q = pto.tile_buf_addr %t : !pto.tile_buf<vec, 8x8xf32> -> !pto.ptr<f32, vec>\n"
          " pto.vecscope {\n  %all = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n"
          "  %r = pto.vlds %q[%c0] : !pto.ptr<f32, vec> -> !pto.vreg<64xf32>\n"
          "  %s = pto.vadds %r, %one, %all : !pto.vreg<64xf32>, f32, !pto.mask<b32> -> !pto.vreg<64xf32>\n"
          "  pto.vsts %s, %q[%c0], %all : !pto.vreg<64xf32>, !pto.ptr<f32, vec>, !pto.mask<b32>\n }\n"
          " %u = pto.subset %t[%c1, %c0] sizes [1, 8] : !pto.tile_buf<vec, 8x8xf32>\n"
          " pto.tprint ins(%u : !pto.tile_buf<vec, 1x8xf32>)\n" TAIL,
     "%u: 1x8 of f32\n  85 86 87 88 89 90 91 92\n"},
    // A scope that names what it uses.
    {HEAD " pto.strict_vecscope(%one) {\n ^bb0(%f: f32):\n  pto.print ins(\"%f\", %f : f32)\n } : (f32) -> ()\n" TAIL,
     "77\n"},
    // Which core this is, and what orders pipes: one core does everything in order.
    {HEAD " %i = pto.get_block_idx\n %n = pto.get_block_num\n %j = pto.get_subblock_idx\n %m = pto.get_subblock_num\n"
          " pto.print ins(\"%d\", %i : i64)\n pto.print ins(\"%d\", %n : i64)\n pto.print ins(\"%d\", %j : i64)\n"
          " pto.print ins(\"%d\", %m : i64)\n"
          " pto.section.vector {\n  pto.print ins(\"%f\", %one : f32)\n }\n"
          " pto.barrier <PIPE_ALL>\n pto.pipe_barrier \"PIPE_V\"\n pto.barrier_sync[<TVEC>]\n"
          " pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]\n pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]\n"
          " %ids = pto.declare_eventid_array -> !pto.eventid_array<4>\n"
          " pto.eventid_array_set %ids[%c2], %c1 : !pto.eventid_array<4>\n"
          " %e = pto.eventid_array_get %ids[%c2] : !pto.eventid_array<4>\n pto.print ins(\"%d\", %e : index)\n"
          " pto.set_flag_dyn[<PIPE_V>, <PIPE_MTE3>, %e]\n pto.wait_flag_dyn[<PIPE_V>, <PIPE_MTE3>, %e]\n"
          " pto.record_event[#pto.sync_op_type<TLOAD>, #pto.sync_op_type<TVEC>, #pto.event<EVENT_ID1>]\n"
          " pto.wait_event[#pto.sync_op_type<TLOAD>, #pto.sync_op_type<TVEC>, #pto.event<EVENT_ID1>]\n"
          " pto.get_buf[#pto.pipe_event_type<TVEC>, 0]\n pto.rls_buf[#pto.pipe_event_type<TVEC>, 0]\n"
          " pto.set_ffts %a64 : i64\n pto.tsync ins(%c1 : index)\n" TAIL,
     "0\n1\n0\n1\n77\n1\n"},
    {HEAD " pto.section.cube {\n  pto.print ins(\"%f\", %one : f32)\n }\n" TAIL, "77\n"},
    // Copies that are done later.
    {HEAD " %w = pto.alloc_tile : !pto.tile_buf<vec, 1x256xi8>\n"
          " %a = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c1, %c8] : !pto.tensor_view<8x8xf32> -> "
          "!pto.partition_tensor_view<1x8xf32>\n"
          " %b = pto.partition_view %v, offsets = [%c1, %c0], sizes = [%c1, %c8] : !pto.tensor_view<8x8xf32> -> "
          "!pto.partition_tensor_view<1x8xf32>\n"
          " %s = pto.build_async_session(%w, %p : !pto.tile_buf<vec, 1x256xi8>, !pto.ptr<f32>) -> !pto.async_session\n"
          " %pre = pto.tprefetch_async(%b, %s : !pto.partition_tensor_view<1x8xf32>, !pto.async_session) -> "
          "!pto.async_event\n"
          " %ready = pto.test_async_event(%pre, %s : !pto.async_event, !pto.async_session) -> i1\n"
          " %e = pto.tput_async(%a, %b, %s : !pto.partition_tensor_view<1x8xf32>, !pto.partition_tensor_view<1x8xf32>, "
          "!pto.async_session) -> !pto.async_event\n"
          " %x = pto.wait_async_event(%e, %s : !pto.async_event, !pto.async_session) -> i1\n"
          " %f = pto.tget_async(%b, %a, %s : !pto.partition_tensor_view<1x8xf32>, !pto.partition_tensor_view<1x8xf32>, "
          "!pto.async_session) -> !pto.async_event\n"
          " %y = pto.test_async_event(%f, %s : !pto.async_event, !pto.async_session) -> i1\n"
          " %z = pto.load_scalar %p[%c2] : !pto.ptr<f32> -> f32\n pto.print ins(\"%f\", %z : f32)\n" TAIL,
     "10\n"},
    // Communication of one device with itself: rows 1 and 2 are the members of a group, of 8 to 15 and 16 to 23.
    {"func.func @main(%p: !pto.ptr<f32>, %g: !pto.ptr<i32>) attributes {pto.entry} {\n"
     " %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n %c2 = arith.constant 2 : index\n"
     " %c4 = arith.constant 4 : index\n %c8 = arith.constant 8 : index\n %c24 = arith.constant 24 : index\n"
     " %c40 = arith.constant 40 : index\n"
     " %v = pto.make_tensor_view %p, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>\n"
     " %c3 = arith.constant 3 : index\n %i1 = arith.constant 1 : i32\n %i2 = arith.constant 2 : i32\n"
     " %sig = pto.make_tensor_view %g, shape = [%c1], strides = [%c1] : !pto.tensor_view<1xi32>\n"
     " %a = pto.partition_view %v, offsets = [%c1, %c0], sizes = [%c1, %c8] : !pto.tensor_view<8x8xf32> -> " ROW "\n"
     " %b = pto.partition_view %v, offsets = [%c2, %c0], sizes = [%c1, %c8] : !pto.tensor_view<8x8xf32> -> " ROW "\n"
     " %d = pto.partition_view %v, offsets = [%c3, %c0], sizes = [%c1, %c8] : !pto.tensor_view<8x8xf32> -> " ROW "\n"
     " %r = pto.partition_view %v, offsets = [%c4, %c0], sizes = [%c2, %c8] : !pto.tensor_view<8x8xf32> -> " ROWS "\n"
     " %t = pto.alloc_tile : " STAGE "\n %u = pto.alloc_tile : " STAGE "\n"
     " pto.comm.treduce(%d, %t, recv(%u), group(%a, %b) : " ROW ", " STAGE ", " STAGE ", " ROW ", " ROW
     ") {reduceOp = #pto<reduce_op max>, root = 0 : i32}\n"
     " %x = pto.load_scalar %p[%c24] : !pto.ptr<f32> -> f32\n pto.print ins(\"%f\", %x : f32)\n"
     " pto.comm.tgather(%r, recv(%t, %u), group(%a, %b) : " ROWS ", " STAGE ", " STAGE ", " ROW ", " ROW
     ") {root = 0 : i32}\n"
     " %y = pto.load_scalar %p[%c40] : !pto.ptr<f32> -> f32\n pto.print ins(\"%f\", %y : f32)\n"
     " pto.comm.tget(%a, %b, buf(%t) : " ROW ", " ROW ", " STAGE ")\n"
     " pto.comm.tput(%d, %a, buf(%t, %u) : " ROW ", " ROW ", " STAGE ", " STAGE
     ") {atomicType = #pto<atomic_type atomic_add>}\n"
     " %z = pto.load_scalar %p[%c24] : !pto.ptr<f32> -> f32\n pto.print ins(\"%f\", %z : f32)\n"
     " pto.comm.tscatter(%r, recv(%t), group(%a, %b) : " ROWS ", " STAGE ", " ROW ", " ROW ") {root = 0 : i32}\n"
     " pto.comm.tbroadcast(%a, recv(%t), group(%b, %d) : " ROW ", " STAGE ", " ROW ", " ROW ") {root = 1 : i32}\n"
     " %w = pto.load_scalar %p[%c24] : !pto.ptr<f32> -> f32\n pto.print ins(\"%f\", %w : f32)\n"
     " pto.comm.allreduce(%t, recv(%u), group(%d, %b) : " STAGE ", " STAGE ", " ROW ", " ROW
     ") {reduceOp = #pto<reduce_op sum>, root = 1 : i32}\n"
     " pto.comm.allreduce_segment(%t, recv(%u), group(%d, %b) : " STAGE ", " STAGE ", " ROW ", " ROW
     ") {reduceOp = #pto<reduce_op max>, root = 1 : i32}\n"
     " %q = pto.load_scalar %p[%c24] : !pto.ptr<f32> -> f32\n pto.print ins(\"%f\", %q : f32)\n"
     " pto.comm.tnotify(%sig, %i2 : !pto.tensor_view<1xi32>, i32) {notifyOp = #pto<notify_op set>}\n"
     " pto.comm.tnotify(%sig, %i1 : !pto.tensor_view<1xi32>, i32) {notifyOp = #pto<notify_op atomic_add>}\n"
     " pto.comm.twait(%sig, %i2 : !pto.tensor_view<1xi32>, i32) {cmp = #pto<wait_cmp gt>}\n"
     " %is = pto.comm.ttest(%sig, %i2 : !pto.tensor_view<1xi32>, i32) {cmp = #pto<wait_cmp le>} -> i1\n"
     " %n = arith.extui %is : i1 to i32\n pto.print ins(\"%d\", %n : i32)\n" TAIL,
     "16\n16\n32\n8\n16\n0\n"},
    // Between a cube core and a vector core: a tile there and back, and a flag.
    {HEAD
     " %z = arith.constant 0 : i32\n pto.section.cube {\n"
     "  %b = pto.import_reserved_buffer {name = \"f\", peer_func = @main} -> i32\n"
     "  pto.aic_initialize_pipe {dir_mask = 3, slot_size = 64} (c2v_consumer_buf = %b : i32, v2c_consumer_buf = %z "
     ": i32)\n"
     "  %t = pto.alloc_tile : " ACC "\n  pto.tload ins(%v : !pto.tensor_view<8x8xf32>) outs(%t : " ACC ")\n"
     "  pto.tpush_to_aiv(%t : " ACC ") {split = 0}\n"
     "  %u = pto.tpop_from_aiv {split = 0} -> !pto.tile_buf<mat, 2x8xf32>\n"
     "  pto.tprint ins(%u : !pto.tile_buf<mat, 2x8xf32>)\n  pto.tfree_from_aiv {split = 0}\n"
     "  pto.sync.set <PIPE_FIX>, 3\n }\n pto.section.vector {\n"
     "  %b = pto.reserve_buffer {name = \"f\", size = 4096, location = #pto.address_space<vec>, auto = true} -> i32\n"
     "  pto.aiv_initialize_pipe {dir_mask = 3, slot_size = 64} (c2v_consumer_buf = %b : i32, v2c_consumer_buf = %z "
     ": i32)\n"
     "  %t = pto.tpop_from_aic {split = 0} -> " TILE "\n  pto.tadd ins(%t, %t : " TILE ", " TILE ") outs(%t : " TILE
     ")\n"
     "  pto.tpush_to_aic(%t : " TILE ") {split = 0}\n  pto.tfree_from_aic {split = 0}\n"
     "  pto.sync.wait <PIPE_V>, 3\n  pto.print ins(\"%f\", %one : f32)\n }\n" TAIL,
     "%u: 2x8 of f32\n  0 2 4 6 8 10 12 14\n  16 18 20 22 24 26 28 30\n77\n"},
    // The same by handles, and by a slot in global memory.
    {HEAD
     " %z = arith.constant 0 : i32\n %c32 = arith.constant 32 : index\n"
     " %gm = pto.addptr %p, %c32 : !pto.ptr<f32> -> !pto.ptr<f32>\n"
     " %l = pto.initialize_l2l_pipe {dir_mask = 1, slot_size = 64, slot_num = 2} (%z : i32) -> !pto.pipe\n"
     " %g = pto.initialize_l2g2l_pipe {dir_mask = 1, slot_size = 64, slot_num = 2} (%gm, %z : !pto.ptr<f32>, i32) -> "
     "!pto.pipe\n pto.section.cube {\n"
     "  %t = pto.alloc_tile : " ACC "\n  pto.tload ins(%v : !pto.tensor_view<8x8xf32>) outs(%t : " ACC ")\n"
     "  pto.tpush(%t, %l : " ACC ", !pto.pipe) {split = 0}\n"
     "  %s = pto.talloc(%g : !pto.pipe) {split = 0} -> !pto.tensor_view<2x8xf32>\n"
     "  pto.tstore ins(%t : " ACC ") outs(%s : !pto.tensor_view<2x8xf32>)\n"
     "  pto.tpush(%s, %g : !pto.tensor_view<2x8xf32>, !pto.pipe) {split = 0}\n }\n pto.section.vector {\n"
     "  %t = pto.alloc_tile : " TILE "\n  pto.tpop(%t, %l : " TILE ", !pto.pipe) {split = 0}\n"
     "  pto.tprint ins(%t : " TILE ")\n  pto.tfree(%l : !pto.pipe) {split = 0}\n"
     "  %s = pto.tpop(%g : !pto.pipe) {split = 0} -> !pto.tensor_view<2x8xf32>\n"
     "  pto.texpands ins(%one : f32) outs(%t : " TILE ")\n"
     "  pto.tload ins(%s : !pto.tensor_view<2x8xf32>) outs(%t : " TILE ")\n  pto.tprint ins(%t : " TILE ")\n"
     "  pto.tfree(%s, %g : !pto.tensor_view<2x8xf32>, !pto.pipe) {split = 0}\n }\n" TAIL,
     "%t: 2x8 of f32\n  0 1 2 3 4 5 6 7\n  8 9 10 11 12 13 14 15\n"
     "%t: 2x8 of f32\n  0 1 2 3 4 5 6 7\n  8 9 10 11 12 13 14 15\n"},
    // Slots in global memory after a view of the first: there and back, and by handles.
    {HEAD
     " %c32 = arith.constant 32 : index\n %c48 = arith.constant 48 : index\n"
     " %gm = pto.addptr %p, %c32 : !pto.ptr<f32> -> !pto.ptr<f32>\n"
     " %far = pto.addptr %p, %c48 : !pto.ptr<f32> -> !pto.ptr<f32>\n"
     " %slot = pto.make_tensor_view %gm, shape = [%c1, %c4], strides = [%c4, %c1] : " SLOT "\n"
     " %back = pto.make_tensor_view %far, shape = [%c1, %c4], strides = [%c4, %c1] : " SLOT "\n"
     " %g = pto.initialize_l2g2l_pipe {dir_mask = 1, slot_size = 16, slot_num = 2, flag_base = 8} (%back : " SLOT
     ") -> !pto.pipe\n pto.section.cube {\n"
     "  pto.aic_initialize_pipe {id = 0, dir_mask = 1, slot_size = 16} (gm_slot_tensor = %slot : " SLOT ")\n"
     "  pto.aic_initialize_pipe {id = 1, dir_mask = 2, slot_size = 16} (gm_slot_tensor = %back : " SLOT ")\n"
     "  %t = pto.alloc_tile : !pto.tile_buf<acc, 1x4xf32>\n"
     "  pto.tload ins(%v : !pto.tensor_view<8x8xf32>) outs(%t : !pto.tile_buf<acc, 1x4xf32>)\n"
     "  scf.for %i = %c0 to %c2 step %c1 {\n   %e = pto.talloc_to_aiv {id = 0, split = 0} -> " SLOT "\n"
     "   %w = pto.partition_view %e, offsets = [%c0, %c0], sizes = [%c1, %c4] : " SLOT "\n"
     "   pto.tstore ins(%t : !pto.tile_buf<acc, 1x4xf32>) outs(%w : !pto.partition_tensor_view<1x4xf32>)\n"
     "   pto.tpush_to_aiv(%e : " SLOT ") {id = 0, split = 0}\n  }\n"
     "  %f = pto.tpop_from_aiv {id = 1, split = 0} -> " SLOT "\n"
     "  pto.tload ins(%f : " SLOT ") outs(%t : !pto.tile_buf<acc, 1x4xf32>)\n"
     "  pto.tprint ins(%t : !pto.tile_buf<acc, 1x4xf32>)\n  pto.tfree_from_aiv(%f : " SLOT ") {id = 1, split = 0}\n"
     "  %h = pto.declare_global -> " SLOT "\n  pto.talloc(%h, %g : " SLOT ", !pto.pipe) {split = 0}\n"
     "  pto.tstore ins(%t : !pto.tile_buf<acc, 1x4xf32>) outs(%h : " SLOT ")\n"
     "  pto.tpush(%h, %g : " SLOT ", !pto.pipe) {split = 0}\n }\n pto.section.vector {\n"
     "  pto.aiv_initialize_pipe {id = 0, dir_mask = 1, slot_size = 16} (gm_slot_tensor = %slot : " SLOT ")\n"
     "  pto.aiv_initialize_pipe {id = 1, dir_mask = 2, slot_size = 16} (gm_slot_tensor = %back : " SLOT ")\n"
     "  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32, valid=1x4>\n"
     "  scf.for %i = %c0 to %c2 step %c1 {\n   %e = pto.tpop_from_aic {id = 0, split = 0} -> " SLOT "\n"
     "   pto.tload ins(%e : " SLOT ") outs(%t : !pto.tile_buf<vec, 1x8xf32, valid=1x4>)\n"
     "   pto.tfree_from_aic(%e : " SLOT ") {id = 0, split = 0}\n  }\n"
     "  pto.tadds ins(%t, %one : !pto.tile_buf<vec, 1x8xf32, valid=1x4>, f32) outs(%t : !pto.tile_buf<vec, 1x8xf32, "
     "valid=1x4>)\n  %e = pto.talloc_to_aic {id = 1, split = 0} -> " SLOT "\n"
     "  pto.tstore ins(%t : !pto.tile_buf<vec, 1x8xf32, valid=1x4>) outs(%e : " SLOT ")\n"
     "  pto.tpush_to_aic(%e : " SLOT ") {id = 1, split = 0}\n"
     "  %h = pto.declare_global -> " SLOT "\n  pto.tpop(%h, %g : " SLOT ", !pto.pipe) {split = 0}\n"
     "  pto.tload ins(%h : " SLOT ") outs(%t : !pto.tile_buf<vec, 1x8xf32, valid=1x4>)\n"
     "  pto.tprint ins(%t : !pto.tile_buf<vec, 1x8xf32, valid=1x4>)\n  pto.tfree(%h, %g : " SLOT
     ", !pto.pipe) {split = 0}\n"
     // The second slot follows the first.
     "  %c37 = arith.constant 37 : index\n  %x = pto.load_scalar %p[%c37] : !pto.ptr<f32> -> f32\n"
     "  pto.print ins(\"%f\", %x : f32)\n }\n" TAIL,
     "%t: 1x4 of f32\n  77 78 79 80\n%t: 1x4 of f32\n  77 78 79 80\n1\n"},
};

constexpr const char* kOne = " %one = arith.constant 77.0 : f32\n";

// The text with %one defined.
std::string WithOne(const char* text) {
  std::string whole = text;
  const std::string mark = "attributes {pto.entry} {\n";
  return whole.insert(whole.find(mark) + mark.size(), kOne);
}

void Names(const Block& block, std::set<std::string>* names) {
  for (const Stmt* stmt : block.stmts) {
    if (!stmt->info->name.empty()) names->insert(std::string(stmt->info->name));
    for (const Block* inner : stmt->blocks) Names(*inner, names);
  }
}

std::set<std::string> NamesIn(const std::string& text) {
  Diagnostics diagnostics;
  const Program program = Parse(text, &diagnostics);
  std::set<std::string> names;
  for (const Module* module : program.modules) {
    for (const Func* func : module->funcs) Names(*func->body, &names);
  }
  // These are read as the statement that they are another spelling of.
  for (const char* name : {"subview", "tsubview", "load", "store"}) {
    if (text.find(std::string(" pto.") + name + ' ') != text.npos) names.insert(name);
  }
  return names;
}

// The output of the program; the test fails if it does not run.
std::string Output(const std::string& text) {
  pto_context* ctx = pto_context_create(PTO_PROFILE_CPU);
  pto_program* program = pto_program_parse(ctx, text.data(), static_cast<int64_t>(text.size()), "names.pto");
  float numbers[64];
  for (int i = 0; i < 64; ++i) numbers[i] = static_cast<float>(i);
  pto_tensor_desc desc = {};
  desc.struct_size = sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.rank = 1;
  desc.dim0 = 64;
  pto_tensor* tensor = pto_tensor_wrap(ctx, &desc, numbers, sizeof numbers);
  if (text.find("%p: !pto.ptr") != text.npos) pto_program_bind_tensor(ctx, program, "p", tensor);
  int32_t signal = 0;
  desc.dtype = PTO_DTYPE_I32;
  desc.dim0 = 1;
  pto_tensor* signals = pto_tensor_wrap(ctx, &desc, &signal, sizeof signal);
  if (text.find("%g: !pto.ptr") != text.npos) pto_program_bind_tensor(ctx, program, "g", signals);
  if (pto_program_run(ctx, program, nullptr) != PTO_OK) {
    const int32_t n = pto_program_diagnostic_count(program);
    fail_msg("%s\n%s\n%s", pto_context_error_message(ctx), n == 0 ? "" : pto_program_diagnostic_text(program, 0),
             text.c_str());
  }
  const std::string output = pto_program_output(program);
  pto_tensor_release(signals);
  pto_tensor_release(tensor);
  pto_program_release(program);
  pto_context_release(ctx);
  return output;
}

// Names in backquotes in the first column of the table of "What is not executed".
std::set<std::string> NotExecuted() {
  const size_t section = g_manual.find("## What is not executed");
  assert_true(section != g_manual.npos);
  const std::string part = g_manual.substr(section, g_manual.find("\n## ", section + 4) - section);
  std::set<std::string> names;
  std::istringstream lines(part);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| `", 0) != 0) continue;
    const std::string column = line.substr(0, line.find(" | ", 2));
    for (size_t at = column.find('`'); at != column.npos; at = column.find('`', at)) {
      const size_t end = column.find('`', at + 1);
      names.insert(column.substr(at + 1, end - at - 1));
      at = end + 1;
    }
  }
  return names;
}

// The one statement after which nothing is left to see.
std::string EndsARun() {
  pto_context* ctx = pto_context_create(PTO_PROFILE_CPU);
  constexpr char kText[] = "func.func @main() {\n pto.trap\n return\n}\n";
  pto_program* program = pto_program_parse(ctx, kText, sizeof kText - 1, "trap.pto");
  assert_int_equal(pto_program_run(ctx, program, nullptr), PTO_ERROR_PROGRAM);
  const std::string rule = pto_context_error_rule(ctx);
  pto_program_release(program);
  pto_context_release(ctx);
  return rule;
}

void EveryNameRunsOrIsListed(void**) {
  std::set<std::string> run = {EndsARun()};
  for (const Example& example : kExamples) {
    const std::string text = WithOne(example.text);
    assert_string_equal(Output(text).c_str(), example.prints);
    run.merge(NamesIn(text));
  }
  const std::set<std::string> listed = NotExecuted();
  std::set<std::string> known;
  for (const StmtInfo& info : PtoStmts()) {
    const std::string name(info.name);
    known.insert(name);
    if (run.count(name) == listed.count(name)) {
      fail_msg("pto.%s %s", name.c_str(),
               run.count(name) != 0 ? "runs, and docs/ptoas.md lists it as not executed"
                                    : "is in no program of kExamples, and docs/ptoas.md does not say why");
    }
  }
  for (const std::string& name : listed) {
    if (known.count(name) == 0) fail_msg("docs/ptoas.md lists %s, which is not a name of the dialect", name.c_str());
  }
}

// ---- arith and math: numbers, and vectors of the same ------------------------

struct Types {
  const char* from;  // of operands
  const char* to;    // of the result; casts: written after `to`
};

Types TypesOf(ArithOp op) {
  const std::string name = Info(op).name;
  switch (Info(op).kind) {
    case ArithClass::kIntBinary:
    case ArithClass::kIntUnary:
    case ArithClass::kIntExtended:
    case ArithClass::kSelect:
      return {"i32", "i32"};
    case ArithClass::kCompare:
      return {op == ArithOp::kCmpI ? "i32" : "f32", "i1"};
    case ArithClass::kFloatTest:
      return {"f32", "i1"};
    case ArithClass::kCast:
      if (name.find("index") != name.npos) return {"i32", "index"};
      if (name == "extsi" || name == "extui") return {"i32", "i64"};
      if (name == "trunci") return {"i32", "i8"};
      if (name == "extf") return {"f32", "f64"};
      if (name == "truncf") return {"f32", "bf16"};
      if (name == "fptosi" || name == "fptoui") return {"f32", "i32"};
      return {"i32", "f32"};
    default:
      return {"f32", "f32"};
  }
}

std::string Vector(const char* element) { return std::string("vector<2x2x") + element + ">"; }

// `%r... = name %a, %b : type` for the lanes of one statement, or for vectors.
std::string Statement(ArithOp op, const std::string& result, const std::string& suffix, bool vectors) {
  const ArithInfo& info = Info(op);
  const Types types = TypesOf(op);
  const auto type = [vectors](const char* element) { return vectors ? Vector(element) : std::string(element); };
  std::string text = " %" + result + suffix;
  if (ResultsOf(info.kind) == 2) text += ", %" + result + "b" + suffix;
  text += std::string(" = ") + DialectOf(op) + "." + info.name;
  if (info.kind == ArithClass::kCompare) text += op == ArithOp::kCmpI ? " ult," : " olt,";
  const bool power = info.kind == ArithClass::kFloatIntPower;
  for (int i = 0; i < OperandsOf(info.kind); ++i) {
    const bool condition = info.kind == ArithClass::kSelect && i == 0;
    text += (i == 0 ? " %" : ", %") + std::string(condition ? "k" : power && i == 1 ? "e" : &"a\0b\0c"[2 * i]) + suffix;
  }
  text += " : ";
  if (info.kind == ArithClass::kSelect && vectors) text += type("i1") + ", ";
  text += type(types.from);
  if (info.kind == ArithClass::kCast) text += " to " + type(types.to);
  if (power) text += ", " + type("i32");
  if (op == ArithOp::kAddUIExtended) text += ", " + type("i1");
  return text + "\n";
}

void EveryOperationTakesVectors(void**) {
  for (int i = 1; i <= static_cast<int>(kLastArith); ++i) {
    const auto op = static_cast<ArithOp>(i);
    const Types types = TypesOf(op);
    const bool floats = types.from[0] == 'f';
    std::string text = "func.func @main() {\n";
    const struct {
      const char* name;
      const char* element;
      const char* numbers;
    } operands[] = {{"a", types.from, floats ? "0.25, -1.5, 0.75, 3.0" : "7, -9, 2147483647, 1"},
                    {"b", types.from, floats ? "2.0, 0.5, -0.75, 1.0" : "2, -4, 3, 5"},
                    {"c", types.from, floats ? "1.0, 2.0, 3.0, 4.0" : "1, 2, 3, 4"},
                    {"k", "i1", "true, false, false, true"},
                    {"e", "i32", "2, -3, 0, 5"}};
    for (const auto& operand : operands) {
      const std::string name = operand.name;
      const std::string vector = Vector(operand.element);
      text += " %" + name + "v = arith.constant dense<[" + operand.numbers + "]> : " + vector + "\n";
      for (int lane = 0; lane < 4; ++lane) {
        text += " %" + name + std::to_string(lane) + " = vector.extract %" + name + "v[" + std::to_string(lane / 2) +
                ", " + std::to_string(lane % 2) + "] : " + operand.element + " from " + vector + "\n";
      }
    }
    text += Statement(op, "r", "v", true);
    std::string want, got;
    const int results = ResultsOf(Info(op).kind);
    for (int lane = 0; lane < 4; ++lane) {
      const std::string number = std::to_string(lane);
      text += Statement(op, "s", number, false);
      for (int k = 0; k < results; ++k) {
        const std::string which = k == 0 ? "" : "b";
        const char* element = k == 1 && op == ArithOp::kAddUIExtended ? "i1" : types.to;
        text += " %x" + which + number + " = vector.extract %r" + which + "v[" + std::to_string(lane / 2) + ", " +
                std::to_string(lane % 2) + "] : " + element + " from " + Vector(element) + "\n";
        for (const char* one : {"s", "x"}) {
          text += std::string(" pto.print ins(\"") + (element[0] == 'f' || element[0] == 'b' ? "%f" : "%d") + "\", %" +
                  one + which + number + " : " + element + ")\n";
        }
      }
    }
    text += " return\n}\n";
    std::istringstream lines(Output(text));
    int count = 0;
    for (std::string number, lane; std::getline(lines, number) && std::getline(lines, lane); ++count) {
      if (number != lane) fail_msg("%s: %s of a vector, %s of a number", Info(op).name, lane.c_str(), number.c_str());
    }
    assert_int_equal(count, 4 * results);
  }
}

}  // namespace
}  // namespace pto::ptoas

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const auto read = [](const char* path) {
    std::ifstream in(path);
    std::stringstream whole;
    whole << in.rdbuf();
    return whole.str();
  };
  pto::ptoas::g_manual = read(argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pto::ptoas::EveryNameRunsOrIsListed),
      cmocka_unit_test(pto::ptoas::EveryOperationTakesVectors),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
