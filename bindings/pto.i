/* pto.i: the one SWIG interface of libpto; every language starts here.
 *
 * A language file defines PTO_HANDLE(c_type, Name) and PTO_ENUM(c_type, Name) and
 * whatever typemaps it needs by type or parameter name, never by instruction: a new
 * instruction arrives with the header alone, a new handle or enum with one line below.
 * Rust has no SWIG target: bindings/tools reads the parse tree of a -DPTO_RUST run.
 */
%module pto

%{
#include <stdlib.h>
#include <string.h>
#include "pto_c.h"
%}

/* No SWIGWORDSIZE64: with it int64_t would be long, which SWIG gives Java as a 32-bit int. */
%include "stdint.i"

/* Hints that C cannot carry. Parameters that may be NULL, by name: */
%feature("pto:nullable", "tmp entry ping pong acc");
%feature("pto:nullable", "tile") pto_inst_set_tile;
%feature("pto:nullable", "tensor") pto_inst_set_tensor;
%feature("pto:nullable", "tensor") pto_program_bind_tensor;
%feature("pto:nullable", "tile") pto_program_bind_tile;
%feature("pto:nullable", "world") pto_program_set_world;
%feature("pto:nullable", "name") pto_program_parse;
%feature("pto:nullable", "target_name") pto_context_create_for;

/* Handles that a call changes, so that no other may use them meanwhile, by name. Instructions and programs need
 * no hint: a call that takes one without const does. */
%feature("pto:changes", "tile") pto_tile_set_valid;
%feature("pto:changes", "tile") pto_tassign;
/* A call that may come while another uses the same handle: */
%feature("pto:concurrent", "1") pto_program_stop;
%feature("pto:concurrent", "1") pto_program_forget_stop;
%feature("pto:concurrent", "1") pto_program_steps_so_far;
%feature("pto:concurrent", "1") pto_program_blocks_so_far;

#if defined(PTO_RUST) /* first: the parse tree comes from a -python run */
%include "rust/pto_rust.i"
#elif defined(SWIGGO)
%include "go/pto_go.i"
#elif defined(SWIGJAVA)
%include "java/pto_java.i"
#elif defined(SWIGPYTHON)
%include "python/pto_python.i"
#endif

/* The names of handles and enums in the languages. */
PTO_HANDLE(pto_context, Context)
PTO_HANDLE(pto_tile, Tile)
PTO_HANDLE(pto_tensor, Tensor)
PTO_HANDLE(pto_inst, Inst)
PTO_HANDLE(pto_program, Program)
PTO_HANDLE(pto_world, World)
PTO_HANDLE(pto_group, Group)
PTO_ENUM(pto_status, Status)
PTO_ENUM(pto_dtype, DType)
PTO_ENUM(pto_profile, Profile)
PTO_ENUM(pto_location, Location)
PTO_ENUM(pto_blayout, BLayout)
PTO_ENUM(pto_slayout, SLayout)
PTO_ENUM(pto_layout, Layout)
PTO_ENUM(pto_pad, Pad)
PTO_ENUM(pto_compact, Compact)
PTO_ENUM(pto_print_format, PrintFormat)
PTO_ENUM(pto_storage, Storage)
PTO_ENUM(pto_flag, Flags)
PTO_ENUM(pto_role, Role)
PTO_ENUM(pto_op, Op)
PTO_ENUM(pto_arg_kind, ArgKind)
PTO_ENUM(pto_form, Form)
PTO_ENUM(pto_record, Record)
PTO_ENUM(pto_event_part, EventPart)
PTO_ENUM(pto_event_field, EventField)
PTO_ENUM(pto_event_tile_field, EventTileField)
PTO_ENUM(pto_pipe, Pipe)
PTO_ENUM(pto_scalar_kind, ScalarKind)
PTO_ENUM(pto_extent, Extent)
PTO_ENUM(pto_notify, Notify)
PTO_ENUM(pto_wait_cmp, WaitCmp)
PTO_ENUM(pto_reduce, Reduce)
%include "modes.i"

%include "pto_c.h"
%include "pto_c_ops.h"
