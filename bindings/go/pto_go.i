/* Go for pto.i: typemaps by type and by parameter name; no line here knows an instruction.
 *
 * SWIG's output is the package internal/cpto: calls with plain integers, which users never
 * see. bindings/tools/gen_go.py writes the public package over it, with the header's names
 * and comments. Handles travel as uintptr: cgo need not check them, which halves the cost
 * of a call. The link flags are in link_shared.go and link_static.go.
 */
%define PTO_HANDLE(CTYPE, NAME)
%enddef
%define PTO_ENUM(CTYPE, NAME)
%enddef

/* Constants come from gen_go.py: SWIG's would be variables, each filled by a call at start. */
%rename("$ignore", %$isenumitem) "";
%rename("$ignore", %$isenum) "";
%rename("$ignore", %$isconstant) "";

/* Descriptors are Go structs of the same layout, passed by address. */
%rename("$ignore", regextarget=1, %$isclass) "_desc$";
/* So are those that C takes by value. */
%rename("$ignore", %$isclass) pto_scalar;

/* The failing call returns the message of its error, so that nothing can come between. */
%rename("$ignore", regextarget=1, %$isfunction) "^pto_context_error";
/* Memory of C's has no place in Go, and memory of Go's must not stay in C (cgo's rules). */
%rename("$ignore", regextarget=1, %$isfunction) "^pto_[a-z]+_(data|wrap)$";
/* Go keeps one reference a handle. */
%rename("$ignore", regextarget=1, %$isfunction) "^pto_[a-z]+_retain$";

/* ---- numbers: what does not fit is refused by the library as the nearest that does ---- */
%insert(header) %{
static int32_t pto_go_int32(intgo value) {
  return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}
%}
%typemap(gotype) int32_t "int"
%typemap(in) int32_t %{ $1 = pto_go_int32($input); %}
%typemap(out) int32_t %{ $result = (intgo)$1; %}
%typemap(gotype) uint32_t "uint32"
%typemap(imtype) uint32_t "uint32"
%typemap(in) uint32_t %{ $1 = (uint32_t)$input; %}
%typemap(out) uint32_t %{ $result = $1; %}
%typemap(gotype) enum SWIGTYPE "int"
%typemap(imtype) enum SWIGTYPE "int"
%typemap(in) enum SWIGTYPE %{ $1 = ($1_ltype)$input; %}
%typemap(out) enum SWIGTYPE %{ $result = (intgo)$1; %}

/* ---- handles and memory ----------------------------------------------------------- */
%typemap(gotype) SWIGTYPE * "uintptr"
%typemap(imtype) SWIGTYPE * "uintptr"
%typemap(in) SWIGTYPE * %{ $1 = ($1_ltype)$input; %}
/* Go's own memory is passed as a pointer, so that the collector sees it. */
%typemap(gotype) const char *, const void *data, void *data, const SWIGTYPE *desc "*byte"
%typemap(imtype) const char *, const void *data, void *data, const SWIGTYPE *desc "*byte"
%typemap(in) const char *, const void *data, void *data, const SWIGTYPE *desc %{ $1 = ($1_ltype)$input; %}
%typemap(out) const char * %{ $result = (void *)$1; %}
%typemap(goout) const char * ""
%typemap(goin) const char * ""
%typemap(freearg) const char * ""

%typemap(gotype) pto_scalar "*byte"
%typemap(imtype) pto_scalar "*byte"
%typemap(in) pto_scalar %{ $1 = *(pto_scalar *)$input; %}

/* ---- outcomes ------------------------------------------------------------------------ */
/* A call that may fail returns one word: 0 or the new handle; or, with the lowest bit set, an
 * address of malloc's for Go to read and free: status, size of all, and then rule, operand,
 * message and remedy, each ended by a NUL. The word 1 alone means that memory is out. The
 * message is a result of the failing call, so that nothing can come between. */
%insert(header) %{
static uintptr_t pto_go_error(const pto_context *ctx) {
  const char *text[4] = {"null", "ctx", "the context is nil or closed", "Use a context that is open."};
  int32_t head[2] = {PTO_ERROR_NULL, sizeof head};
  if (ctx != NULL) {
    head[0] = (int32_t)pto_context_error(ctx);
    text[0] = pto_context_error_rule(ctx);
    text[1] = pto_context_error_operand(ctx);
    text[2] = pto_context_error_message(ctx);
    text[3] = pto_context_error_remedy(ctx);
  }
  for (int i = 0; i < 4; ++i) head[1] += (int32_t)strlen(text[i]) + 1;
  char *to = (char *)malloc((size_t)head[1]);
  const uintptr_t word = (uintptr_t)to | 1;
  if (to == NULL) return word;
  memcpy(to, head, sizeof head);
  to += sizeof head;
  for (int i = 0; i < 4; ++i) to = strcpy(to, text[i]) + strlen(text[i]) + 1;
  return word;
}
%}
%typemap(gotype) pto_status "uintptr"
%typemap(imtype) pto_status "uintptr"
%typemap(out) pto_status %{ $result = $1 == PTO_OK ? 0 : pto_go_error(arg1); %}
%typemap(gotype) pto_status status "int"
%typemap(imtype) pto_status status "int"
%typemap(in) pto_status status %{ $1 = (pto_status)$input; %}
%typemap(out) SWIGTYPE * %{ $result = $1 != NULL ? $1 : ($1_ltype)pto_go_error(arg1); %}
/* Without a context, no object has the reason. */
%typemap(out) pto_context * %{ $result = $1; %}

/* Calls that return a string or NULL: the reason for NULL, for the same goroutine to ask at once. */
%inline %{
static pto_status pto_go_last(pto_context *ctx) { return ctx == NULL ? PTO_ERROR_NULL : pto_context_error(ctx); }
%}
