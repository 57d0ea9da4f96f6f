/* Python: the typemaps by which SWIG writes the module libpto.raw from the C header.
 *
 * libpto.raw is what the package libpto is built on: the C functions as they are, over the package's
 * handles, with data as whatever has a buffer (bytes, arrays, memoryviews, NumPy). The
 * package gives them classes, enums and exceptions, and names no instruction.
 */

/* --- enums: plain constants, and which C enum each Python class is made from --------- */
%define PTO_ENUM(CTYPE, NAME)
%constant const char *enum_##NAME = #CTYPE;
%enddef

/* --- handles --------------------------------------------------------------------------
 * A handle is an object whose _native is a capsule, or None once it is closed. The capsule knows
 * its C type and releases the native object when nothing refers to it: a call does while it
 * runs, so closing on another thread, which takes _native away, cannot free what C works on.
 */
%header %{
static PyObject *pto_python_refused; /* makes the exception of an error: the package's */
static PyObject *pto_python_native;  /* "_native": to make a name for each handle took half of a call */

static int pto_python_hold(PyObject *handle, const char *type, const char *label, PyObject **held, void **address) {
  *address = NULL;
  if (handle == Py_None) return 1;
  *held = PyObject_GetAttr(handle, pto_python_native);
  if (*held != NULL && PyCapsule_CheckExact(*held) && (*address = PyCapsule_GetPointer(*held, type)) != NULL) return 1;
  if (*held == Py_None) {
    PyErr_Format(PyExc_ValueError, "the %s is closed", label);
  } else {
    PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(handle), "__name__");
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%S where a libpto.%s is needed", name == NULL ? Py_None : name, label);
    Py_XDECREF(name);
  }
  return 0;
}
%}
%init %{
  pto_python_native = PyUnicode_InternFromString("_native");
  if (pto_python_native == NULL) return NULL;
%}

%header %{
/* The users of a handle are counted in its capsule's context, guarded by Python's lock: calls, or -1
 * for one that must be alone. A call is alone in a context, which has the last error, and in
 * what it changes. */
static int pto_python_take(PyObject *capsule, const char *label, int alone) {
  const intptr_t users = capsule == NULL ? 0 : (intptr_t)PyCapsule_GetContext(capsule);
  if (users < 0 || (alone && users > 0)) {
    PyErr_Format(PyExc_RuntimeError, "the %s is in use by another thread", label);
    return 0;
  }
  if (capsule != NULL) PyCapsule_SetContext(capsule, (void *)(alone ? -1 : users + 1));
  return 1;
}

static void pto_python_give(PyObject *capsule, int taken) {
  if (capsule == NULL) return;
  if (taken) {
    const intptr_t users = (intptr_t)PyCapsule_GetContext(capsule);
    PyCapsule_SetContext(capsule, (void *)(users < 0 ? 0 : users - 1));
  }
  Py_DECREF(capsule);
}

static void pto_python_raise(const pto_context *ctx) {
  PyObject *error = PyObject_CallFunction(
      pto_python_refused, "issss", (int)pto_context_error(ctx), pto_context_error_message(ctx), pto_context_error_rule(ctx),
      pto_context_error_operand(ctx), pto_context_error_remedy(ctx));
  if (error == NULL) return;
  PyErr_SetObject((PyObject *)Py_TYPE(error), error);
  Py_DECREF(error);
}

/* Other threads run Python while C works: from the check of a context to the end of the action. */
static __thread PyThreadState *pto_python_outside;
%}
%exception %{
  $action
  if (pto_python_outside != NULL) {
    PyEval_RestoreThread(pto_python_outside);
    pto_python_outside = NULL;
  }
%}
%typemap(check) pto_context *ctx "pto_python_outside = PyEval_SaveThread();"

%define PTO_PYTHON_HANDLE(PATTERN, CTYPE, NAME, ALONE)
%typemap(in) PATTERN (PyObject *held = NULL, int taken = 0, void *address) {
  if (!pto_python_hold($input, #CTYPE, #NAME, &held, &address)) SWIG_fail;
  if (!(taken = pto_python_take(held, #NAME, ALONE))) SWIG_fail;
  $1 = ($1_ltype)address;
}
%typemap(freearg) PATTERN "pto_python_give(held$argnum, taken$argnum);"
%enddef

%define PTO_HANDLE(CTYPE, NAME)
%header %{
static void CTYPE##_free(PyObject *capsule) { CTYPE##_release((CTYPE *)PyCapsule_GetPointer(capsule, #CTYPE)); }

static PyObject *CTYPE##_own(CTYPE *native) {
  PyObject *capsule = PyCapsule_New(native, #CTYPE, CTYPE##_free);
  if (capsule == NULL) CTYPE##_release(native);
  return capsule;
}
%}
PTO_PYTHON_HANDLE(CTYPE *, CTYPE, NAME, 0)
PTO_PYTHON_HANDLE(const CTYPE *, CTYPE, NAME, 0)
%typemap(out) CTYPE * {
  if ($1 == NULL) {
    pto_python_raise(arg1);
    SWIG_fail;
  }
  $result = CTYPE##_own($1);
}
%ignore CTYPE##_retain;
%ignore CTYPE##_release;
%enddef
%typemap(in) pto_context *ctx (PyObject *held = NULL, int taken = 0, void *address) {
  if (!pto_python_hold($input, "pto_context", "Context", &held, &address)) SWIG_fail;
  if (address == NULL) {
    PyErr_SetString(PyExc_TypeError, "None where a libpto.Context is needed");
    SWIG_fail;
  }
  if (!(taken = pto_python_take(held, "Context", 1))) SWIG_fail;
  $1 = ($1_ltype)address;
}
%typemap(freearg) pto_context *ctx "pto_python_give(held$argnum, taken$argnum);"
/* Its profile and target never change. */
%typemap(in) const pto_context *ctx (PyObject *held = NULL, void *address) {
  if (!pto_python_hold($input, "pto_context", "Context", &held, &address)) SWIG_fail;
  $1 = ($1_ltype)address;
}
%typemap(freearg) const pto_context *ctx "Py_XDECREF(held$argnum);"
/* An answer that is also an error. */
%typemap(out) int32_t pto_context_ttest, int32_t pto_context_test_async_event {
  if ($1 < 0) {
    pto_python_raise(arg1);
    SWIG_fail;
  }
  $result = PyLong_FromLong($1);
}
%typemap(out) int64_t pto_context_tput_async, int64_t pto_context_tget_async {
  if ($1 == 0) {
    pto_python_raise(arg1);
    SWIG_fail;
  }
  $result = PyLong_FromLongLong($1);
}
PTO_PYTHON_HANDLE(pto_inst *inst, pto_inst, Inst, 1)
PTO_PYTHON_HANDLE(pto_program *program, pto_program, Program, 1)
/* Calls that other threads may make on a running program: stop it, and follow it. */
%typemap(in) pto_program *running (PyObject *held = NULL, void *address) {
  if (!pto_python_hold($input, "pto_program", "Program", &held, &address)) SWIG_fail;
  $1 = ($1_ltype)address;
}
%typemap(freearg) pto_program *running "Py_XDECREF(held$argnum);"
%typemap(in) const pto_program *running (PyObject *held = NULL, void *address) {
  if (!pto_python_hold($input, "pto_program", "Program", &held, &address)) SWIG_fail;
  $1 = ($1_ltype)address;
}
%typemap(freearg) const pto_program *running "Py_XDECREF(held$argnum);"
%ignore pto_program_event_count;
%ignore pto_program_events_lost;
%ignore pto_program_read_events;
%ignore pto_program_steps_so_far;
%ignore pto_program_blocks_so_far;
%ignore pto_program_stop;
%ignore pto_program_forget_stop;
%inline %{
static void program_stop(pto_program *running) { pto_program_stop(running); }
static void program_forget_stop(pto_program *running) { pto_program_forget_stop(running); }
%}

/* Quick, with Python's lock held, and only where no other call uses the tile: what those rely on changes. */
%define PTO_PYTHON_CHANGES(FUNCTION)
%exception FUNCTION %{
  PyEval_RestoreThread(pto_python_outside);
  pto_python_outside = NULL;
  if (held2 != NULL && (intptr_t)PyCapsule_GetContext(held2) > 1) {
    PyErr_SetString(PyExc_RuntimeError, "the Tile is in use by another thread");
    SWIG_fail;
  }
  $action
%}
%enddef
PTO_PYTHON_CHANGES(pto_tile_set_valid)
PTO_PYTHON_CHANGES(pto_tassign)

/* There is no context yet that could say why. */
%typemap(out) pto_context *pto_context_create, pto_context *pto_context_create_for {
  if ($1 == NULL) {
    $result = SWIG_Py_Void();
  } else {
    $result = pto_context_own($1);
  }
}

/* --- outcomes: what is refused is raised by the call itself ------------------------------ */
%typemap(out) pto_status {
  if ($1 != PTO_OK) {
    pto_python_raise(arg1);
    SWIG_fail;
  }
  $result = SWIG_Py_Void();
}
%typemap(ret) const char *pto_program_trace, const char *pto_program_trace_part, const char *pto_program_report, const char *pto_program_print {
  if ($1 == NULL) {
    pto_python_raise(arg1);
    SWIG_fail;
  }
}
%ignore pto_context_error;
%ignore pto_context_error_message;
%ignore pto_context_error_rule;
%ignore pto_context_error_operand;
%ignore pto_context_error_remedy;
%typemap(in) PyObject *refused "$1 = $input;"
%inline %{
static void raise_by(PyObject *refused) {
  PyObject *before = pto_python_refused;
  Py_INCREF(refused);
  pto_python_refused = refused;
  Py_XDECREF(before);
}
%}

/* Integers: whatever has __index__, as NumPy's integers and arrays without dimensions do. A double takes whatever has
 * __float__ or __index__. Unknown values of enums are the library's to judge. */
%header %{
static int pto_python_integer(PyObject *from, long long least, long long most, const char *name, long long *to) {
  PyObject *number = PyNumber_Index(from);
  int overflow = 0;
  if (number == NULL) return 0;
  *to = PyLong_AsLongLongAndOverflow(number, &overflow);
  Py_DECREF(number);
  if (PyErr_Occurred()) return 0;
  if (overflow == 0 && *to >= least && *to <= most) return 1;
  PyErr_Format(PyExc_OverflowError, "%s is %S, which is not from %lld to %lld", name, from, least, most);
  return 0;
}
%}
%define PTO_PYTHON_INTEGER(LEAST, MOST, TYPE)
%typemap(in) TYPE (long long number) {
  if (!pto_python_integer($input, LEAST, MOST, "$1_name", &number)) SWIG_fail;
  $1 = ($1_ltype)number;
}
%enddef
PTO_PYTHON_INTEGER(INT32_MIN, INT32_MAX, int32_t)
PTO_PYTHON_INTEGER(INT32_MIN, INT32_MAX, int)
PTO_PYTHON_INTEGER(INT32_MIN, INT32_MAX, enum SWIGTYPE)
PTO_PYTHON_INTEGER(INT64_MIN, INT64_MAX, int64_t)
PTO_PYTHON_INTEGER(0, UINT32_MAX, uint32_t)
%typemap(in) double {
  $1 = PyFloat_AsDouble($input);
  if ($1 == -1 && PyErr_Occurred()) SWIG_fail;
}
%typemap(out) enum SWIGTYPE "$result = PyLong_FromLong((long)$1);"

/* Scalars: integers exactly, floats, whatever of NumPy's is one of them, and pairs (bits, kind). */
%{
static int pto_python_scalar(PyObject *from, pto_scalar *to) {
  if (PyTuple_Check(from) && PyTuple_Size(from) == 2) {
    const unsigned long long bits = PyLong_AsUnsignedLongLong(PyTuple_GetItem(from, 0));
    const long kind = PyErr_Occurred() ? 0 : PyLong_AsLong(PyTuple_GetItem(from, 1));
    if (PyErr_Occurred()) return -1;
    *to = pto_bits(bits);
    to->kind = kind < 0 || kind > INT32_MAX ? -1 : (int32_t)kind;
    return 0;
  }
  /* An array without dimensions has __index__ whatever its type, and refuses it unless that is one of integers. */
  PyObject *number = PyIndex_Check(from) ? PyNumber_Index(from) : NULL;
  if (number != NULL) {
    int overflow = 0;
    *to = pto_int(PyLong_AsLongLongAndOverflow(number, &overflow));
    if (overflow != 0) *to = pto_uint(PyLong_AsUnsignedLongLong(number));
    Py_DECREF(number);
  } else {
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError)) return -1;
    PyErr_Clear();
    *to = pto_float(PyFloat_AsDouble(from));
  }
  return PyErr_Occurred() ? -1 : 0;
}
%}
%ignore pto_scalar;
%typemap(in) pto_scalar "if (pto_python_scalar($input, &$1) != 0) SWIG_fail;"

/* --- data: no copy ------------------------------------------------------------------------
 * What the stable interface of Python 3.9 has for buffers are the two functions below; headers of 3.13 no longer
 * declare them. They accept contiguous memory only. The caller's reference keeps it: who passes a bytearray must not
 * resize it on another thread meanwhile. */
%header %{
#if defined(Py_LIMITED_API)
#ifdef __cplusplus
extern "C" {
#endif
extern int PyObject_AsReadBuffer(PyObject *from, const void **data, Py_ssize_t *bytes);
extern int PyObject_AsWriteBuffer(PyObject *from, void **data, Py_ssize_t *bytes);
#ifdef __cplusplus
}
#endif
static int pto_python_read(PyObject *from, const void **data, Py_ssize_t *bytes) { return PyObject_AsReadBuffer(from, data, bytes) == 0; }
static int pto_python_write(PyObject *from, void **data, Py_ssize_t *bytes) { return PyObject_AsWriteBuffer(from, data, bytes) == 0; }
#else
static int pto_python_buffer(PyObject *from, int flags, void **data, Py_ssize_t *bytes) {
  Py_buffer view;
  if (PyObject_GetBuffer(from, &view, flags) != 0) return 0;
  *data = view.buf;
  *bytes = view.len;
  PyBuffer_Release(&view);
  return 1;
}
static int pto_python_read(PyObject *from, const void **data, Py_ssize_t *bytes) {
  return pto_python_buffer(from, PyBUF_SIMPLE, (void **)data, bytes);
}
static int pto_python_write(PyObject *from, void **data, Py_ssize_t *bytes) { return pto_python_buffer(from, PyBUF_WRITABLE, data, bytes); }
#endif
%}
%typemap(in) (const void *data, int64_t bytes) (const void *data, Py_ssize_t bytes) {
  if (!pto_python_read($input, &data, &bytes)) SWIG_fail;
  $1 = ($1_ltype)data;
  $2 = (int64_t)bytes;
}
%typemap(in) (const char *text, int64_t bytes) (const void *data, Py_ssize_t bytes) = (const void *data, int64_t bytes);
%typemap(in) (void *data, int64_t bytes) (void *data, Py_ssize_t bytes) {
  if (!pto_python_write($input, &data, &bytes)) SWIG_fail;
  $1 = data;
  $2 = (int64_t)bytes;
}

/* Where the elements are, for arrays over them, which hold what keeps the memory: the package sees to it. */
%typemap(out) void * "$result = PyLong_FromVoidPtr($1);"

/* What sizeof returns in C, for struct_size. */
%constant int tile_desc_size = sizeof(pto_tile_desc);
%constant int tensor_desc_size = sizeof(pto_tensor_desc);
/* After the typemaps of all that they take. */
%inline %{
static int64_t program_event_count(const pto_program *running, pto_event_part part) {
  return pto_program_event_count(running, part);
}
static int64_t program_events_lost(const pto_program *running) { return pto_program_events_lost(running); }
static int64_t program_steps_so_far(const pto_program *running) { return pto_program_steps_so_far(running); }
static int32_t program_blocks_so_far(const pto_program *running) { return pto_program_blocks_so_far(running); }
static pto_status program_read_events(pto_context *ctx, const pto_program *running, pto_event_part part, int64_t first,
                                      int32_t fields, void *data, int64_t bytes) {
  return pto_program_read_events(ctx, running, part, first, fields, data, bytes);
}
%}
%include "dlpack.i"
