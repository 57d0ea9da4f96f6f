/* DLPack, in the form that every version of it knows: memory of arrays is passed from library to
 * library, and the receiver reports when it is done. */
%header %{
typedef struct pto_dl_tensor {
  void *data;
  struct { int32_t type, id; } device;
  int32_t ndim;
  struct { uint8_t code, bits; uint16_t lanes; } dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} pto_dl_tensor;

typedef struct pto_dl_managed {
  pto_dl_tensor tensor;
  void *manager;
  void (*deleter)(struct pto_dl_managed *);
} pto_dl_managed;

typedef struct pto_dl_given {
  pto_dl_managed managed;
  PyObject *owner;
  int64_t sizes[10];
} pto_dl_given;

static const char *const pto_dl_fresh = "dltensor";
static const char *const pto_dl_used = "used_dltensor";

static void pto_dl_delete(pto_dl_managed *managed) {
  pto_dl_given *given = (pto_dl_given *)managed;
  /* From whatever thread the other library releases it. */
  const PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF(given->owner);
  PyGILState_Release(state);
  free(given);
}

/* Of a capsule that no library consumed. */
static void pto_dl_drop(PyObject *capsule) {
  if (!PyCapsule_IsValid(capsule, pto_dl_fresh)) return;
  pto_dl_managed *managed = (pto_dl_managed *)PyCapsule_GetPointer(capsule, pto_dl_fresh);
  managed->deleter(managed);
}

/* Of the capsule that holds what was taken. */
static void pto_dl_done(PyObject *owner) {
  pto_dl_managed *managed = (pto_dl_managed *)PyCapsule_GetPointer(owner, "libpto.dlpack");
  if (managed->deleter != NULL) managed->deleter(managed);
}

static PyObject *pto_dl_sizes(const int64_t *sizes, int32_t count) {
  PyObject *list = PyList_New(count);
  for (int32_t i = 0; list != NULL && i < count; ++i) PyList_SetItem(list, i, PyLong_FromLongLong(sizes[i]));
  return list;
}
%}
%typemap(in) PyObject * "$1 = $input;"
%inline %{
static PyObject *dlpack_give(PyObject *owner, PyObject *address, int code, int bits, PyObject *shape, PyObject *strides) {
  const Py_ssize_t count = PyList_Size(shape);
  if (count < 0 || count > 5 || PyList_Size(strides) != count) {
    PyErr_SetString(PyExc_ValueError, "an array of 0 to 5 dimensions is needed");
    return NULL;
  }
  pto_dl_given *given = (pto_dl_given *)calloc(1, sizeof *given);
  if (given == NULL) return PyErr_NoMemory();
  for (Py_ssize_t i = 0; i < count; ++i) {
    given->sizes[i] = PyLong_AsLongLong(PyList_GetItem(shape, i));
    given->sizes[5 + i] = PyLong_AsLongLong(PyList_GetItem(strides, i));
  }
  pto_dl_tensor *tensor = &given->managed.tensor;
  tensor->data = PyLong_AsVoidPtr(address);
  tensor->device.type = 1; /* the CPU */
  tensor->ndim = (int32_t)count;
  tensor->dtype.code = (uint8_t)code;
  tensor->dtype.bits = (uint8_t)bits;
  tensor->dtype.lanes = 1;
  tensor->shape = given->sizes;
  tensor->strides = given->sizes + 5;
  given->managed.deleter = pto_dl_delete;
  given->owner = owner;
  PyObject *capsule = PyErr_Occurred() ? NULL : PyCapsule_New(&given->managed, pto_dl_fresh, pto_dl_drop);
  if (capsule == NULL) {
    free(given);
    return NULL;
  }
  Py_INCREF(owner);
  return capsule;
}

static PyObject *dlpack_take(PyObject *capsule) {
  if (!PyCapsule_IsValid(capsule, pto_dl_fresh)) {
    PyErr_SetString(PyExc_TypeError, "__dlpack__() did not return an unused capsule");
    return NULL;
  }
  pto_dl_managed *managed = (pto_dl_managed *)PyCapsule_GetPointer(capsule, pto_dl_fresh);
  PyObject *owner = PyCapsule_New(managed, "libpto.dlpack", pto_dl_done);
  if (owner == NULL) return NULL;
  PyCapsule_SetName(capsule, pto_dl_used);
  const pto_dl_tensor *tensor = &managed->tensor;
  PyObject *shape = pto_dl_sizes(tensor->shape, tensor->ndim);
  PyObject *steps = tensor->strides == NULL ? SWIG_Py_Void() : pto_dl_sizes(tensor->strides, tensor->ndim);
  PyObject *address = PyLong_FromVoidPtr((char *)tensor->data + tensor->byte_offset);
  if (shape == NULL || steps == NULL || address == NULL) {
    Py_XDECREF(shape), Py_XDECREF(steps), Py_XDECREF(address), Py_DECREF(owner);
    return NULL;
  }
  return Py_BuildValue("NNiiiNN", owner, address, tensor->dtype.code, tensor->dtype.bits, tensor->dtype.lanes, shape, steps);
}
%}
