/* Java: the typemaps by which SWIG writes package org.libpto from the C header.
 *
 * Everything here matches by type or parameter name. SWIG prints static functions into one
 * class, Pto; generate.py then hands each to the class of its first noun. Written by hand
 * are only what C cannot say: constructors, and the copies between tiles and Java's arrays.
 */
%include "enums.swg"
%javaconst(1);

/* --- names: pto_tile_valid_bytes -> tileValidBytes. Enum items lose their prefix in generate.py:
 * to SWIG they are all in one scope, where ROW_MAJOR would come twice. */
%rename("%(regex:/^pto_([a-z0-9]+)_?([a-z0-9]*)_?([a-z0-9]*)_?([a-z0-9]*)$/\\1\\u\\2\\u\\3\\u\\4/)s", %$isfunction) "";

%pragma(java) jniclassclassmodifiers="final class"
%pragma(java) moduleclassmodifiers="/** What is asked of the library itself, not of a handle. */\npublic final class"
%pragma(java) modulecode=%{
  private Pto() {}
%}
%pragma(java) jniclasscode=%{
  private PtoJNI() {}

  static {
    NativeLoader.load();
  }
%}

/* --- enums ------------------------------------------------------------------------
 * A newer library may answer a value that these classes do not know: generate.py gives
 * each enum the item UNRECOGNIZED, which represents all of them. */
%typemap(javabody) enum SWIGTYPE %{
  private static final $javaclassname[] KNOWN = values();

  private final int value;

  $javaclassname(int value) {
    this.value = value;
  }

  /**
   * Returns the number of this value in C; -1 for UNRECOGNIZED.
   *
   * @return the number
   */
  public int value() {
    return value;
  }

  /**
   * Returns the item of a number.
   *
   * @param value any number
   * @return the item, or UNRECOGNIZED
   */
  public static $javaclassname of(int value) {
    if (value >= 0 && value < KNOWN.length && KNOWN[value].value == value) return KNOWN[value];
    for ($javaclassname known : KNOWN) {
      if (known.value == value) return known;
    }
    return UNRECOGNIZED;
  }
%}
%typemap(javain) enum SWIGTYPE "$javainput.value()"
%typemap(javaout) enum SWIGTYPE {
    return $javaclassname.of($jnicall);
  }
/* Or-ed together, so a class of int constants and no enum. */
%javaenum(typeunsafe) pto_flag;
%typemap(javaclassmodifiers) pto_flag "public final class"
%typemap(javabody) pto_flag %{
  private $javaclassname() {}
%}
%typemap(jstype) pto_flag "int"
/* C has no bool in its header */
%define PTO_JAVA_BOOLEAN(FUNCTION)
%typemap(jstype) int32_t FUNCTION "boolean"
%typemap(javaout) int32_t FUNCTION {
    return $jnicall != 0;
  }
%enddef
PTO_JAVA_BOOLEAN(pto_target_supported)
PTO_JAVA_BOOLEAN(pto_op_supports)
PTO_JAVA_BOOLEAN(pto_program_arg_optional)
PTO_JAVA_BOOLEAN(pto_program_diagnostic_error)
PTO_JAVA_BOOLEAN(pto_context_ttest)
PTO_JAVA_BOOLEAN(pto_context_test_async_event)
/* results that also report errors */
%typemap(ret) int32_t pto_context_ttest, int32_t pto_context_test_async_event
  "if ($1 < 0) pto_java_throw(jenv, arg1, pto_context_error(arg1));"
%typemap(ret) int64_t pto_context_tput_async, int64_t pto_context_tget_async
  "if ($1 == 0) pto_java_throw(jenv, arg1, pto_context_error(arg1));"
/* nor an enum value for what is not there */
%define PTO_JAVA_OR_NULL(FUNCTION, NAME)
%typemap(jstype) int32_t FUNCTION "NAME"
%typemap(javaout) int32_t FUNCTION {
    int value = $jnicall;
    return value < 0 ? null : NAME.of(value);
  }
%enddef
PTO_JAVA_OR_NULL(pto_program_profile, Profile)
PTO_JAVA_OR_NULL(pto_program_arg_dtype, DType)
PTO_JAVA_OR_NULL(pto_op_operand_role, Role)
PTO_JAVA_OR_NULL(pto_op_operand_extent, Extent)
%typemap(jstype) int32_t on "boolean"
%typemap(javain) int32_t on "$javainput ? 1 : 0"
/* strings whose absence is an error */
%typemap(ret) const char *pto_program_trace, const char *pto_program_trace_part, const char *pto_program_report, const char *pto_program_print
  "if ($1 == NULL) pto_java_throw(jenv, arg1, pto_context_error(arg1));"
%typemap(jni) uint32_t flags "jint"
%typemap(jtype) uint32_t flags "int"
%typemap(jstype) uint32_t flags "int"
%typemap(in) uint32_t flags "$1 = (uint32_t)$input;"

%define PTO_ENUM(CTYPE, NAME)
%rename(NAME) CTYPE;
%enddef

/* --- scalars: two arguments of the native method, so that none needs an object; generate.py adds
 * the calls that take a long or a double */
%ignore pto_scalar;
%typemap(jni) pto_scalar "jlong bits_$1_name, jint"
%typemap(jtype) pto_scalar "long bits_$1_name, int"
%typemap(jstype) pto_scalar "Scalar"
%typemap(javain) pto_scalar "$javainput.bits, $javainput.kind"
%typemap(in) pto_scalar %{ $1.bits = (uint64_t)bits_$1_name;
  $1.kind = $input;
  $1.reserved = 0; %}

/* --- a status becomes an exception ---------------------------------------------------
 * Its text is taken in the same native call, out of the context of the call. */
%header %{
static jclass pto_java_exception;
static jmethodID pto_java_exception_init;

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
  JNIEnv *env = NULL;
  jclass local;
  (void)reserved;
  if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) != JNI_OK) return JNI_ERR;
  local = (*env)->FindClass(env, "org/libpto/PtoException");
  if (local == NULL) return JNI_ERR;
  pto_java_exception = (jclass)(*env)->NewGlobalRef(env, local);
  if (pto_java_exception == NULL) return JNI_ERR;
  pto_java_exception_init = (*env)->GetMethodID(env, local, "<init>", "(I[B[B[B[B)V");
  return pto_java_exception_init == NULL ? JNI_ERR : JNI_VERSION_10;
}

/* As bytes: NewStringUTF() takes Java's own form of UTF-8 only, and a name that the
 * caller passed may be quoted in the text. */
static jbyteArray pto_java_bytes(JNIEnv *env, const char *text) {
  const jsize length = (jsize)strlen(text);
  jbyteArray bytes = (*env)->NewByteArray(env, length);
  if (bytes != NULL) (*env)->SetByteArrayRegion(env, bytes, 0, length, (const jbyte *)text);
  return bytes;
}

/* Where a step lacks memory, its OutOfMemoryError is what the caller gets. */
static void pto_java_throw(JNIEnv *env, const pto_context *ctx, pto_status status) {
  jbyteArray message, rule, operand, remedy;
  jobject thrown;
  if ((message = pto_java_bytes(env, pto_context_error_message(ctx))) == NULL) return;
  if ((rule = pto_java_bytes(env, pto_context_error_rule(ctx))) == NULL) return;
  if ((operand = pto_java_bytes(env, pto_context_error_operand(ctx))) == NULL) return;
  if ((remedy = pto_java_bytes(env, pto_context_error_remedy(ctx))) == NULL) return;
  thrown = (*env)->NewObject(env, pto_java_exception, pto_java_exception_init, (jint)status, message, rule, operand, remedy);
  if (thrown != NULL) (*env)->Throw(env, (jthrowable)thrown);
}
%}
%typemap(jni) pto_status "void"
%typemap(jtype) pto_status "void"
%typemap(jstype) pto_status "void"
%typemap(javaout) pto_status { $jnicall; }
/* In "ret" and not in "out": "out" runs before arrays are given back, and while one
 * is held no other call into Java is allowed. */
%typemap(out) pto_status ""
%typemap(ret) pto_status %{ if ($1 != PTO_OK) pto_java_throw(jenv, arg1, $1); %}
%typemap(jni) pto_status status "jint"
%typemap(jtype) pto_status status "int"
%typemap(jstype) pto_status status "Status"
%typemap(javain) pto_status status "$javainput.value()"
%typemap(in) pto_status status "$1 = (pto_status)$input;"

/* --- handles ------------------------------------------------------------------------
 * post keeps the object reachable, so that no cleaner frees what C works on. */
%define PTO_JAVA_HANDLE(CTYPE, NAME)
%typemap(jni) CTYPE *, const CTYPE * "jlong"
%typemap(jtype) CTYPE *, const CTYPE * "long"
%typemap(jstype) CTYPE *, const CTYPE * "NAME"
%typemap(javain, post="      java.lang.ref.Reference.reachabilityFence($javainput);")
  CTYPE *, const CTYPE * "Handle.address($javainput)"
%typemap(in) CTYPE *, const CTYPE * "$1 = ($1_ltype)(intptr_t)$input;"
/* a returned handle is the caller's, or there is an exception */
%typemap(javaout) CTYPE * {
      return NAME.own($jnicall);
    }
%typemap(out) CTYPE * "$result = (jlong)(intptr_t)$1;"
%typemap(ret) CTYPE * "if ($1 == NULL) pto_java_throw(jenv, arg1, pto_context_error(arg1));"
/* a bare address: what the cleaner has left when the object is gone */
%typemap(jstype) CTYPE *bare "long"
%typemap(javain) CTYPE *bare "$javainput"
%enddef
PTO_JAVA_HANDLE(pto_context, Context)
PTO_JAVA_HANDLE(pto_tile, Tile)
PTO_JAVA_HANDLE(pto_tensor, Tensor)
PTO_JAVA_HANDLE(pto_inst, Inst)
PTO_JAVA_HANDLE(pto_program, Program)
PTO_JAVA_HANDLE(pto_world, World)
PTO_JAVA_HANDLE(pto_group, Group)

%define PTO_JAVA_CONTEXT(PATTERN)
%typemap(javain, pre="    $javainput.enter();", post="      $javainput.leave();") PATTERN "Handle.address($javainput)"
%enddef
PTO_JAVA_CONTEXT(pto_context *ctx)
PTO_JAVA_CONTEXT(const pto_context *ctx)

%define PTO_HANDLE(CTYPE, NAME)
%rename(NAME) CTYPE;
%ignore CTYPE##_retain;
%ignore CTYPE##_release;
%javamethodmodifiers CTYPE##_free "";
%inline %{
static void CTYPE##_free(CTYPE *bare) { CTYPE##_release(bare); }
%}
%enddef

/* --- what constructors call --------------------------------------------------------- */
%ignore pto_context_create;
%ignore pto_context_create_for;
%ignore pto_tile_create;
%ignore pto_tile_create_from;
%ignore pto_tile_wrap;
%ignore pto_tile_view;
%ignore pto_tile_reshape;
%ignore pto_tile_desc;
%ignore pto_tensor_create;
%ignore pto_tensor_wrap;
%ignore pto_tensor_view;
%ignore pto_tensor_desc;
%ignore pto_inst_create;
%ignore pto_program_parse;
%ignore pto_world_create;
%ignore pto_world_context;
%ignore pto_world_tensor;
%ignore pto_group_create;
/* in the exception */
%ignore pto_context_error;
%ignore pto_context_error_message;
%ignore pto_context_error_rule;
%ignore pto_context_error_operand;
%ignore pto_context_error_remedy;
/* a bare address; Java has wrap() instead */
%ignore pto_tile_data;
%ignore pto_tensor_data;
/* Java's arrays and buffers instead */
%ignore pto_tensor_write;
%ignore pto_tensor_read;
%ignore pto_tensor_write_as;
%ignore pto_tensor_read_as;
%ignore pto_tile_write;
%ignore pto_tile_read;
%ignore pto_tile_write_as;
%ignore pto_tile_read_as;

/* --- direct buffers -------------------------------------------------------------------- */
%typemap(jni) void *direct "jobject"
%typemap(jtype) void *direct "java.nio.Buffer"
%typemap(jstype) void *direct "java.nio.Buffer"
%typemap(javain, post="      java.lang.ref.Reference.reachabilityFence($javainput);") void *direct "$javainput"
%typemap(in) void *direct "$1 = $input == NULL ? NULL : (*jenv)->GetDirectBufferAddress(jenv, $input);"

/* Constructors get the address of the new handle, or the exception. */
%typemap(jni) pto_java_handle "jlong"
%typemap(jtype) pto_java_handle "long"
%typemap(jstype) pto_java_handle "long"
%typemap(javaout) pto_java_handle {
    return $jnicall;
  }
%typemap(out) pto_java_handle "$result = (jlong)$1;"
%typemap(ret) pto_java_handle "if ($1 == 0) pto_java_throw(jenv, arg1, pto_context_error(arg1));"
/* There is no context yet that could keep a message: the constructor finds its own. */
%typemap(ret) pto_java_handle pto_context_make ""
%header %{
typedef intptr_t pto_java_handle;
%}

%javamethodmodifiers pto_context_make "";
%javamethodmodifiers pto_tile_make "";
%javamethodmodifiers pto_inst_make "";
%javamethodmodifiers pto_program_make "";
%javamethodmodifiers pto_tile_peek "";
%javamethodmodifiers pto_tensor_make "";
%javamethodmodifiers pto_world_make "";
%javamethodmodifiers pto_world_enter "";
%javamethodmodifiers pto_group_make "";
%inline %{
static pto_java_handle pto_context_make(pto_profile profile, const char *target_name) {
  return (pto_java_handle)pto_context_create_for(profile, target_name);
}

static pto_java_handle pto_inst_make(pto_context *ctx, const char *name) {
  return (pto_java_handle)pto_inst_create(ctx, name);
}

/* Over the bytes of origin, or of direct, or its own. */
static pto_java_handle pto_tile_make(pto_context *ctx, pto_tile *origin, pto_dtype dtype, int32_t rows, int32_t cols, int32_t valid_rows,
                                     int32_t valid_cols, pto_location location, pto_blayout blayout, pto_slayout slayout,
                                     int32_t fractal, pto_pad pad, int32_t pad_bits, pto_compact compact, pto_storage storage,
                                     void *direct, int64_t offset, int64_t bytes) {
  pto_tile_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = sizeof desc;
  desc.dtype = dtype;
  desc.rows = rows;
  desc.cols = cols;
  desc.valid_rows = valid_rows == 0 ? PTO_VALID_NONE : valid_rows; /* 0 means all here */
  desc.valid_cols = valid_cols == 0 ? PTO_VALID_NONE : valid_cols;
  desc.location = location;
  desc.blayout = blayout;
  desc.slayout = slayout;
  desc.fractal = fractal;
  desc.pad = pad;
  desc.storage = storage;
  desc.pad_bits = (uint32_t)pad_bits;
  desc.compact = compact;
  if (origin != NULL) return (pto_java_handle)pto_tile_reshape(ctx, origin, &desc);
  if (direct == NULL) return (pto_java_handle)pto_tile_create_from(ctx, &desc);
  return (pto_java_handle)pto_tile_wrap(ctx, &desc, (char *)direct + offset, bytes);
}

static pto_java_handle pto_tile_peek(pto_context *ctx, pto_tile *tile, int32_t row, int32_t col, int32_t rows, int32_t cols) {
  return (pto_java_handle)pto_tile_view(ctx, tile, row, col, rows, cols);
}

static pto_java_handle pto_world_make(pto_context *ctx, int32_t ranks, int64_t window_bytes) {
  return (pto_java_handle)pto_world_create(ctx, ranks, window_bytes);
}

static pto_java_handle pto_world_enter(pto_context *ctx, pto_world *world, int32_t rank) {
  return (pto_java_handle)pto_world_context(ctx, world, rank);
}

static pto_java_handle pto_group_make(pto_context *ctx, int32_t root) {
  return (pto_java_handle)pto_group_create(ctx, root);
}

/* Over the memory of origin, the window of a rank of the world, direct, or its own; offset counts elements with an origin,
 * else bytes. */
static pto_java_handle pto_tensor_make(pto_context *ctx, pto_tensor *origin, pto_world *world, int32_t of_rank,
                                       pto_dtype dtype, pto_layout layout, int32_t rank, int32_t strided, int64_t dim0,
                                       int64_t dim1, int64_t dim2, int64_t dim3, int64_t dim4, int64_t stride0,
                                       int64_t stride1, int64_t stride2, int64_t stride3, int64_t stride4, void *direct,
                                       int64_t offset, int64_t bytes) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = sizeof desc;
  desc.dtype = dtype;
  desc.layout = layout;
  desc.rank = rank;
  desc.strided = strided;
  desc.dim0 = dim0;
  desc.dim1 = dim1;
  desc.dim2 = dim2;
  desc.dim3 = dim3;
  desc.dim4 = dim4;
  desc.stride0 = stride0;
  desc.stride1 = stride1;
  desc.stride2 = stride2;
  desc.stride3 = stride3;
  desc.stride4 = stride4;
  if (origin != NULL) return (pto_java_handle)pto_tensor_view(ctx, origin, &desc, offset);
  if (world != NULL) return (pto_java_handle)pto_world_tensor(ctx, world, of_rank, &desc, offset);
  if (direct == NULL) return (pto_java_handle)pto_tensor_create(ctx, &desc);
  return (pto_java_handle)pto_tensor_wrap(ctx, &desc, (char *)direct + offset, bytes);
}
%}

/* --- elements in and out -------------------------------------------------------------- *
 * Java has one type for several of ours: a short may be i16, u16, f16 or bf16, a byte the floats of that size or two
 * elements of a packed type. What the tile or tensor holds is meant where it is one of them; else the library refuses
 * it by its first. */
%header %{
typedef struct {
  pto_dtype first;
  int32_t bytes;
} pto_java_kind;

enum { PTO_JAVA_BYTE, PTO_JAVA_SHORT, PTO_JAVA_INT, PTO_JAVA_LONG, PTO_JAVA_FLOAT };

static const pto_java_kind pto_java_kinds[] = {
    {PTO_DTYPE_I8, 1}, {PTO_DTYPE_I16, 2}, {PTO_DTYPE_I32, 4}, {PTO_DTYPE_I64, 8}, {PTO_DTYPE_F32, 4},
};

/* kind: -1 for a ByteBuffer, which may hold elements of any type. */
static int pto_java_holds(int32_t kind, pto_dtype held) {
  if (kind < 0) return 1;
  return pto_dtype_bytes(held) == pto_java_kinds[kind].bytes && (held == PTO_DTYPE_F32) == (kind == PTO_JAVA_FLOAT);
}

static pto_dtype pto_java_dtype(int32_t kind, pto_dtype held) {
  return pto_java_holds(kind, held) ? held : pto_java_kinds[kind].first;
}

/* A float can only be f32, so nothing need be asked. */
static pto_dtype pto_java_tile_dtype(int32_t kind, const pto_tile *tile) {
  return kind == PTO_JAVA_FLOAT ? PTO_DTYPE_F32 : pto_java_dtype(kind, pto_tile_dtype(tile));
}

static pto_status pto_java_tile_write(pto_context *ctx, pto_tile *tile, int32_t kind, const void *data, int64_t bytes) {
  if (kind < 0) return pto_tile_write(ctx, tile, data, bytes);
  return pto_tile_write_as(ctx, tile, pto_java_tile_dtype(kind, tile), data, bytes);
}

static pto_status pto_java_tile_read(pto_context *ctx, const pto_tile *tile, int32_t kind, void *data, int64_t bytes) {
  if (kind < 0) return pto_tile_read(ctx, tile, data, bytes);
  return pto_tile_read_as(ctx, tile, pto_java_tile_dtype(kind, tile), data, bytes);
}

static pto_status pto_java_tensor_write(pto_context *ctx, pto_tensor *tensor, int32_t kind, const void *data, int64_t bytes) {
  if (kind < 0) return pto_tensor_write(ctx, tensor, data, bytes);
  return pto_tensor_write_as(ctx, tensor, pto_java_dtype(kind, pto_tensor_dtype(tensor)), data, bytes);
}

static pto_status pto_java_tensor_read(pto_context *ctx, const pto_tensor *tensor, int32_t kind, void *data, int64_t bytes) {
  if (kind < 0) return pto_tensor_read(ctx, tensor, data, bytes);
  return pto_tensor_read_as(ctx, tensor, pto_java_dtype(kind, pto_tensor_dtype(tensor)), data, bytes);
}
%}

%define PTO_JAVA_COPY(NOUN, JTYPE, CTYPE, KIND)
%rename(NOUN##Write) pto_##NOUN##_write_##JTYPE;
%rename(NOUN##Read) pto_##NOUN##_read_##JTYPE;
%typemap(javaout) pto_status pto_##NOUN##_write_##JTYPE { if (!NOUN.put(array, arrayOffset, count)) $jnicall; }
%typemap(javaout) pto_status pto_##NOUN##_read_##JTYPE { if (!NOUN.get(array, arrayOffset, count)) $jnicall; }
%inline %{
/**
 * Copies packed elements in: row by row whatever the layout, the last index fastest.
 *
 * @param ctx the context that judges
 * @param array the elements, in the Java type of the element type
 * @param arrayOffset the first of them
 * @param count the number: exactly the elements of the valid region, or of the tensor
 * @return PTO_OK; rules: null, element-type, byte-count, storage
 * @since 0.1
 */
static pto_status pto_##NOUN##_write_##JTYPE(pto_context *ctx, pto_##NOUN *NOUN, const CTYPE *array, int32_t arrayOffset, int32_t count) {
  return pto_java_##NOUN##_write(ctx, NOUN, KIND, array + arrayOffset, (int64_t)count * (int64_t)sizeof *array);
}
/**
 * Copies packed elements out: row by row whatever the layout, the last index fastest.
 *
 * @param ctx the context that judges
 * @param array receives the elements, in the Java type of the element type
 * @param arrayOffset the index of the first element in the array
 * @param count the number: exactly the elements of the valid region, or of the tensor
 * @return PTO_OK; rules: null, element-type, byte-count, storage
 * @since 0.1
 */
static pto_status pto_##NOUN##_read_##JTYPE(pto_context *ctx, const pto_##NOUN *NOUN, CTYPE *array, int32_t arrayOffset, int32_t count) {
  return pto_java_##NOUN##_read(ctx, NOUN, KIND, array + arrayOffset, (int64_t)count * (int64_t)sizeof *array);
}
%}
%enddef

/* Elements that lie in Java's order are copied by Java (Elements.java), which needs no pin for that;
 * the library is asked each time whether they do. Where not, and where the call is wrong, the heap array
 * is pinned, not copied; the collector waits for the length of a copy. Public are
 * write(ctx, array, arrayOffset, count) and, from generate.py, write(ctx, array). */
%header %{
/* The elements, if `bytes` of this kind are all of them and lie packed as they are copied; else NULL: of packed types half
 * a byte after them is not one. */
static void *pto_java_packed_tile(pto_tile *tile, int32_t kind, int64_t bytes) {
  if (!pto_java_holds(kind, pto_tile_dtype(tile))) return NULL;
  if (pto_tile_valid_bytes(tile) != bytes || pto_tile_bytes(tile) != bytes) return NULL;
  if (pto_tile_valid_cols(tile) != pto_tile_cols(tile)) return NULL;
  if (pto_tile_blayout(tile) != PTO_BLAYOUT_ROW_MAJOR || pto_tile_slayout(tile) != PTO_SLAYOUT_NONE_BOX) return NULL;
  return pto_tile_data(tile);
}

static void *pto_java_packed_tensor(pto_tensor *tensor, int32_t kind, int64_t bytes) {
  int64_t step = 1;
  if (!pto_java_holds(kind, pto_tensor_dtype(tensor))) return NULL;
  if (pto_tensor_bytes(tensor) != bytes) return NULL;
  for (int32_t i = pto_tensor_rank(tensor) - 1; i >= 0; --i) {
    if (pto_tensor_stride(tensor, i) != step) return NULL;
    step *= pto_tensor_dim(tensor, i);
  }
  return pto_tensor_data(tensor);
}
%}
%typemap(jni) pto_java_buffer "jobject"
%typemap(jtype) pto_java_buffer "java.nio.ByteBuffer"
%typemap(jstype) pto_java_buffer "java.nio.ByteBuffer"
%typemap(javaout) pto_java_buffer {
    return $jnicall;
  }
%typemap(out) pto_java_buffer "$result = (*jenv)->NewDirectByteBuffer(jenv, $1.address, $1.bytes);"
%header %{
typedef struct {
  void *address;
  int64_t bytes;
} pto_java_buffer;
%}
%javamethodmodifiers pto_buffer_over "";
%javamethodmodifiers pto_tile_packed "";
%javamethodmodifiers pto_tensor_packed "";
%inline %{
static pto_java_buffer pto_buffer_over(int64_t address, int64_t bytes) {
  return (pto_java_buffer){(void *)(intptr_t)address, bytes};
}
static int64_t pto_tile_packed(pto_tile *tile, int32_t kind, int64_t bytes) {
  return (intptr_t)pto_java_packed_tile(tile, kind, bytes);
}
static int64_t pto_tensor_packed(pto_tensor *tensor, int32_t kind, int64_t bytes) {
  return (intptr_t)pto_java_packed_tensor(tensor, kind, bytes);
}
%}

%typemap(javain) (int32_t arrayOffset) "java.util.Objects.checkFromIndexSize($javainput, count, array.length)"
%define PTO_JAVA_ARRAY(JTYPE, CTYPE, KIND)
%typemap(jni) CTYPE *array, const CTYPE *array "j" #JTYPE "Array"
%typemap(jtype) CTYPE *array, const CTYPE *array #JTYPE "[]"
%typemap(jstype) CTYPE *array, const CTYPE *array #JTYPE "[]"
%typemap(javain) CTYPE *array, const CTYPE *array "$javainput"
%typemap(in) CTYPE *array, const CTYPE *array
%{ $1 = ($1_ltype)(*jenv)->GetPrimitiveArrayCritical(jenv, $input, NULL);
  if ($1 == NULL) return $null; %}
%typemap(argout) CTYPE *array "(*jenv)->ReleasePrimitiveArrayCritical(jenv, $input, (void *)$1, 0);"
%typemap(argout) const CTYPE *array "(*jenv)->ReleasePrimitiveArrayCritical(jenv, $input, (void *)$1, JNI_ABORT);"
%typemap(freearg) CTYPE *array, const CTYPE *array ""
PTO_JAVA_COPY(tile, JTYPE, CTYPE, KIND)
PTO_JAVA_COPY(tensor, JTYPE, CTYPE, KIND)
%enddef
PTO_JAVA_ARRAY(byte, signed char, PTO_JAVA_BYTE)
PTO_JAVA_ARRAY(short, short, PTO_JAVA_SHORT)
PTO_JAVA_ARRAY(int, int, PTO_JAVA_INT)
PTO_JAVA_ARRAY(long, long long, PTO_JAVA_LONG)
PTO_JAVA_ARRAY(float, float, PTO_JAVA_FLOAT)

%define PTO_JAVA_DIRECT(NOUN)
%javamethodmodifiers pto_##NOUN##_write_direct "";
%javamethodmodifiers pto_##NOUN##_read_direct "";
%inline %{
static pto_status pto_##NOUN##_write_direct(pto_context *ctx, pto_##NOUN *NOUN, int32_t kind, void *direct, int64_t offset, int64_t bytes) {
  return pto_java_##NOUN##_write(ctx, NOUN, kind, (const char *)direct + offset, bytes);
}
static pto_status pto_##NOUN##_read_direct(pto_context *ctx, const pto_##NOUN *NOUN, int32_t kind, void *direct, int64_t offset, int64_t bytes) {
  return pto_java_##NOUN##_read(ctx, NOUN, kind, (char *)direct + offset, bytes);
}
%}
%enddef
PTO_JAVA_DIRECT(tile)
PTO_JAVA_DIRECT(tensor)

/* Rows of numbers that a run recorded: into a byte[]; none is refused by the library. */
%typemap(jni) (void *data, int64_t bytes) "jbyteArray"
%typemap(jtype) (void *data, int64_t bytes) "byte[]"
%typemap(jstype) (void *data, int64_t bytes) "byte[]"
%typemap(javain) (void *data, int64_t bytes) "$javainput"
%typemap(in) (void *data, int64_t bytes) %{
  $2 = $input == NULL ? 1 : (*jenv)->GetArrayLength(jenv, $input);
  $1 = $input == NULL ? NULL : (*jenv)->GetByteArrayElements(jenv, $input, NULL);
  if ($input != NULL && $1 == NULL) return $null;
%}
%typemap(freearg) (void *data, int64_t bytes) %{
  if ($input != NULL) (*jenv)->ReleaseByteArrayElements(jenv, $input, (jbyte *)$1, 0);
%}

/* The text of a program: a byte[] of UTF-8, copied, for reading it takes longer than a pin should. */
%apply (const char *STRING, size_t LENGTH) { (const char *text, int64_t bytes) };
%inline %{
static pto_java_handle pto_program_make(pto_context *ctx, const char *text, int64_t bytes, const char *name) {
  return (pto_java_handle)pto_program_parse(ctx, text, bytes, name);
}
%}
