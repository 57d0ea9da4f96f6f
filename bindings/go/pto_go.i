/* Go for pto.i: typemaps by type and by parameter name; no line here knows an instruction.
 *
 * SWIG writes functions; bindings/tools/gen_go.py then makes them methods, with the header's
 * parameter names and comments. What SWIG cannot say well (enums, closed handles) is there too.
 */
%insert(cgo_comment) %{
#cgo pkg-config: pto
%}

%go_import("runtime")

/* ---- names: pto_tile_valid_bytes -> pto_tile_valid_bytes until gen_go.py names it ---- */

/* Enums are Go types with real constants, written by gen_go.py: SWIG's would be
 * variables, each filled by a call at start. */
%rename("$ignore", %$isenumitem) "";
%rename("$ignore", %$isconstant) "";
%define PTO_ENUM(CTYPE, NAME)
%ignore CTYPE;
%typemap(gotype) CTYPE, enum CTYPE "NAME"
%typemap(imtype) CTYPE, enum CTYPE "NAME"
%typemap(in) CTYPE, enum CTYPE %{ $1 = ($1_ltype)$input; %}
%typemap(out) CTYPE, enum CTYPE %{ $result = (intgo)$1; %}
%enddef

/* ---- numbers ---------------------------------------------------------------- */
%typemap(gotype) int32_t "int"
%typemap(in) int32_t %{ $1 = pto_go_int32($input); %}
%typemap(out) int32_t %{ $result = (intgo)$1; %}
%typemap(gotype) int64_t "int64"
%typemap(gotype) uint32_t flags "Flags"
%typemap(imtype) uint32_t flags "Flags"
%typemap(in) uint32_t flags %{ $1 = (uint32_t)$input; %}
%define PTO_HANDLE(CTYPE, NAME)
%enddef
