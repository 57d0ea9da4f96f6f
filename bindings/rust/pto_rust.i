/* Names for the parse tree that bindings/tools/gen_rust.py reads; no typemaps. */
%define PTO_HANDLE(CTYPE, NAME)
%rename(NAME) CTYPE;
%enddef
%define PTO_ENUM(CTYPE, NAME)
%rename(NAME) CTYPE;
%enddef
