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

/* Calls whose safe form rests on what the types of C cannot say; src/ has it by hand. */
%feature("pto:rust_raw") pto_tassign;               /* tiles that share memory stay on one thread */
%feature("pto:rust_raw") pto_context_error;         /* the text lives until the next failing call: */
%feature("pto:rust_raw") pto_context_error_message; /* pto::Error keeps copies */
%feature("pto:rust_raw") pto_context_error_rule;
%feature("pto:rust_raw") pto_context_error_operand;
%feature("pto:rust_raw") pto_context_error_remedy;

/* Answers that stand for more than their C type says. */
%feature("pto:rust_raw") pto_op_operand_role;
%feature("pto:rust_raw") pto_op_flags;
%feature("pto:rust_raw") pto_inst_op;
