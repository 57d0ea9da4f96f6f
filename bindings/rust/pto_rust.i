/* Names and hints for the parse tree that bindings/tools/gen_rust.py reads; no typemaps. */
%define PTO_HANDLE(CTYPE, NAME)
%rename(NAME) CTYPE;
%enddef
%define PTO_ENUM(CTYPE, NAME)
%rename(NAME) CTYPE;
%enddef

/* Handles that src/ has by hand: what may share memory and so must share a thread. */
%feature("pto:rust_hand", "hand") pto_context;
%feature("pto:rust_hand", "hand") pto_tile;
%feature("pto:rust_hand", "hand") pto_tensor;
%feature("pto:rust_hand", "hand<'_>") pto_inst; /* borrows its operands */
%feature("pto:rust_hand", "hand") pto_world;
%feature("pto:rust_hand", "hand<'_>") pto_group; /* borrows its tensors */
%feature("pto:rust_hand", "hand<'_>") pto_program; /* borrows its arguments */

/* Calls whose safe form rests on what the types of C cannot say; src/ has it by hand. */
%feature("pto:rust_raw") pto_context_output;        /* a later print moves the text */
%feature("pto:rust_raw") pto_tassign;               /* tiles that share memory stay on one thread */
%feature("pto:rust_raw") pto_context_error;         /* the text lives until the next failing call: */
%feature("pto:rust_raw") pto_context_error_message; /* pto::Error keeps copies */
%feature("pto:rust_raw") pto_context_error_rule;
%feature("pto:rust_raw") pto_context_error_operand;
%feature("pto:rust_raw") pto_context_error_remedy;

/* Results that mean more than their C type, and results in parts. */
%feature("pto:rust_raw") pto_op_operand_role;
%feature("pto:rust_raw") pto_op_operand_extent;
%feature("pto:rust_raw") pto_op_flags;
%feature("pto:rust_raw") pto_inst_op;
%feature("pto:rust_raw") pto_program_profile;
%feature("pto:rust_raw") pto_program_stop; /* StopHandle counts a reference and leaves its thread */
%feature("pto:rust_raw") pto_program_forget_stop;
%feature("pto:rust_raw") pto_program_event_count;
%feature("pto:rust_raw") pto_program_steps_so_far; /* from another thread, which Program does not leave */
%feature("pto:rust_raw") pto_program_blocks_so_far;
%feature("pto:rust_raw") pto_program_events_lost;
%feature("pto:rust_raw") pto_program_arg_count;
%feature("pto:rust_raw") pto_program_arg_name;
%feature("pto:rust_raw") pto_program_arg_kind;
%feature("pto:rust_raw") pto_program_arg_dtype;
%feature("pto:rust_raw") pto_program_arg_optional;
%feature("pto:rust_raw") pto_program_tile_count;
%feature("pto:rust_raw") pto_program_tile_name;
%feature("pto:rust_raw") pto_program_diagnostic_count;
%feature("pto:rust_raw") pto_program_diagnostic_error;
%feature("pto:rust_raw") pto_program_diagnostic_line;
%feature("pto:rust_raw") pto_program_diagnostic_column;
%feature("pto:rust_raw") pto_program_diagnostic_rule;
%feature("pto:rust_raw") pto_program_diagnostic_message;
%feature("pto:rust_raw") pto_program_diagnostic_remedy;
%feature("pto:rust_raw") pto_program_diagnostic_excerpt;
%feature("pto:rust_raw") pto_program_diagnostic_text;
