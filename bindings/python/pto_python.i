/* Python: the typemaps by which SWIG writes the module pto.raw from the C header.
 *
 * pto.raw is what the package pto is built on: the C functions as they are, with handles as
 * integers and data as whatever has a buffer (bytes, arrays, memoryviews, NumPy). The
 * package gives them objects, enums and exceptions, and names no instruction.
 */

/* --- enums: plain constants, and which C enum each Python class is made from --------- */
%define PTO_ENUM(CTYPE, NAME)
%constant const char *enum_##NAME = #CTYPE;
%enddef

/* --- handles: their address; 0 is None ------------------------------------------------- */
%define PTO_HANDLE(CTYPE, NAME)
%typemap(in) CTYPE *, const CTYPE * {
  $1 = ($1_ltype)PyLong_AsVoidPtr($input);
  if ($1 == NULL && PyErr_Occurred()) SWIG_fail;
}
%typemap(out) CTYPE * "$result = PyLong_FromVoidPtr($1);"
%enddef

/* Unknown values of enums are the library's to judge, so any integer will do. */
%typemap(in) enum SWIGTYPE {
  const long value = PyLong_AsLong($input);
  if (value == -1 && PyErr_Occurred()) SWIG_fail;
  $1 = ($1_ltype)value;
}
%typemap(out) enum SWIGTYPE "$result = PyLong_FromLong((long)$1);"
%typemap(in) uint32_t flags {
  const unsigned long value = PyLong_AsUnsignedLong($input);
  if (PyErr_Occurred()) SWIG_fail;
  if (value > 0xffffffffUL) {
    PyErr_SetString(PyExc_OverflowError, "flags do not fit in 32 bits");
    SWIG_fail;
  }
  $1 = (uint32_t)value;
}

/* --- data: no copy ------------------------------------------------------------------------ */
%define PTO_PYTHON_BUFFER(POINTER, ACCESS)
%typemap(in) (POINTER data, int64_t bytes) (Py_buffer view) {
  if (PyObject_GetBuffer($input, &view, ACCESS) != 0) {
    view.obj = NULL;
    SWIG_fail;
  }
  $1 = ($1_ltype)view.buf;
  $2 = (int64_t)view.len;
}
%typemap(arginit) (POINTER data, int64_t bytes) "view$argnum.obj = NULL;"
%typemap(freearg) (POINTER data, int64_t bytes) "if (view$argnum.obj != NULL) PyBuffer_Release(&view$argnum);"
%enddef
PTO_PYTHON_BUFFER(const void *, PyBUF_C_CONTIGUOUS)
%typemap(in) (const char *text, int64_t bytes) (Py_buffer view) = (const void *data, int64_t bytes);
%typemap(arginit) (const char *text, int64_t bytes) = (const void *data, int64_t bytes);
%typemap(freearg) (const char *text, int64_t bytes) = (const void *data, int64_t bytes);
PTO_PYTHON_BUFFER(void *, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE)

/* Wrapped memory must outlive the tile: the package holds the object, and its buffer. */
%ignore pto_tile_data;
%ignore pto_tensor_data;

/* What sizeof answers in C, for struct_size. */
%constant int tile_desc_size = sizeof(pto_tile_desc);
%constant int tensor_desc_size = sizeof(pto_tensor_desc);
