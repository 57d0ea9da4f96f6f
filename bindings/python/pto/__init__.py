"""libpto: the PTO tile instruction set on any CPU, for NumPy arrays.

    import numpy as np, pto

    with pto.Context() as ctx:
        base = pto.Tile.wrap(ctx, np.array([[1, 2, 3]], np.float32))   # the array's memory, no copy
        exp = pto.Tile.copy(ctx, np.array([[2, 2, .5]], np.float32))
        ctx.tpow(base, base, exp)
        print(base.read(ctx))

The instructions are methods of Context, made from the library's own table. What the library
refuses is a pto.Error with status, rule, operand and remedy. One thread at a time uses a
context; handles may be closed in any order, or left to the garbage collector.
"""
import enum as _enum
import inspect as _inspect
import re as _re
import signal as _signal
import threading as _threading
import typing as _typing

import numpy as _np

from . import raw as _raw

__version__ = "%d.%d.%d" % (_raw.PTO_VERSION_MAJOR, _raw.PTO_VERSION_MINOR, _raw.PTO_VERSION_PATCH)
VALID_ALL = _raw.PTO_VALID_ALL


class _Enum(_enum.IntEnum):
    """A newer library may answer values without a name: they stay integers of the enum's class."""

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            return None
        member = int.__new__(cls, value)
        member._name_ = "UNKNOWN_%d" % value
        member._value_ = value
        return member


def _make_enum(name, c_name):
    prefixes = ({"Status": "PTO_ERROR_"}.get(name, _re.sub("_kind$", "", c_name).upper() + "_"),)
    items = {n[len(p):]: v for n, v in vars(_raw).items() for p in prefixes if n.startswith(p)}
    if name == "Status":
        items["OK"] = _raw.PTO_OK
    if name == "Flags":
        items = {"HIGH_PRECISION": _raw.PTO_HIGH_PRECISION}
    base = _enum.IntFlag if name == "Flags" else _Enum
    return base(name, sorted(items.items(), key=lambda item: item[1]), module=__name__)


_LABELS = {}  # pto_dtype: DType
for _key, _value in list(vars(_raw).items()):
    if _key.startswith("enum_"):
        globals()[_key[5:]] = _make_enum(_key[5:], _value)
        _LABELS[_value] = _key[5:]
_LABELS.update({"pto_error": "Status", "pto_arg": "ArgKind"})

# bf16 has no NumPy type: its bits travel as uint16, or as ml_dtypes.bfloat16 where that is installed.
_DTYPES = {
    "int8": DType.I8, "uint8": DType.U8, "int16": DType.I16, "uint16": DType.U16, "int32": DType.I32, "uint32": DType.U32,
    "int64": DType.I64, "uint64": DType.U64, "float16": DType.F16, "bfloat16": DType.BF16, "float32": DType.F32,
}
_NUMPY = {dtype: _np.dtype(name) for name, dtype in _DTYPES.items() if dtype != DType.BF16}
_NUMPY[DType.BF16] = _np.dtype("uint16")


class Scalar(_typing.NamedTuple):
    """A number that stands for an element, where an int or a float cannot say it."""

    bits: int
    kind: ScalarKind

    @classmethod
    def of_bits(cls, bits):
        """The bits of an element, for instance of a NaN with a payload."""
        return cls(bits, ScalarKind.BITS)


class Error(Exception):
    """A call that the library refused; nothing was changed by it."""

    def __init__(self, status, message, rule="", operand="", remedy=""):
        super().__init__(message)
        self.status = Status(status)
        self.rule = rule
        self.operand = operand
        self.remedy = remedy

    def __reduce__(self):
        return Error, (self.status, self.args[0], self.rule, self.operand, self.remedy)


# What stands here for a name of C that is no method of that name.
_WORDS = {
    "NULL": "None", "PTO_VALID_ALL": "VALID_ALL", "PTO_HIGH_PRECISION": "Flags.HIGH_PRECISION",
    "pto_program_tile": "Program.tile", "pto_program_diagnostic_text": "Program.diagnostics",
}
_VERBS = {"create": "", "create_from": "", "create_for": "", "parse": "", "write_as": "write", "read_as": "read",
          "bind_tile": "bind", "bind_tensor": "bind", "bind_int": "bind", "bind_float": "bind"}


def _word(c_name):
    """What stands in Python for a name of C."""
    if c_name in _WORDS:
        return _WORDS[c_name]
    for prefix, label in sorted(_LABELS.items(), reverse=True):
        if c_name == prefix or c_name == prefix.upper() + "_":
            return label
        if c_name.startswith(prefix.upper() + "_"):
            return label + "." + c_name[len(prefix) + 1:]
    noun, _, verb = c_name[len("pto_"):].partition("_")
    kind = globals().get(noun.capitalize())
    verb = _VERBS.get(verb, verb)
    if isinstance(kind, type) and issubclass(kind, _Handle) and (not verb or hasattr(kind, verb)):
        return kind.__name__ + ("." + verb if verb else "")
    if hasattr(Context, noun) and not verb:
        return "Context." + noun
    return "raw." + c_name


def _in_python(text):
    """A text of the library with the names of C in it as Python has them."""
    return _re.sub(r"\b(?:NULL|(?:pto|PTO)_\w+)\b(?:\(\))?", lambda match: _word(match[0].removesuffix("()")), text)


def _refused(status, message, rule, operand, remedy):
    return Error(status, _in_python(message), rule, operand, _in_python(remedy))


_raw.raise_by(_refused)


class _Handle:
    """A native object, released by close(), by `with`, or with the last reference to it."""

    _native = _memory = None

    def __init__(self, native, memory=None):
        self._native = native  # a capsule of pto.raw, which releases the object when the last call is over
        self._memory = memory  # wrapped memory is there as long as anything that reaches it

    @classmethod
    def _own(cls, native, memory=None):
        handle = cls.__new__(cls)
        _Handle.__init__(handle, native, memory)
        return handle

    def close(self):
        """Gives the native object back; closing again does nothing. A call that uses it ends first."""
        self._native = None

    @property
    def closed(self):
        return self._native is None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return "<pto.%s%s>" % (type(self).__name__, " closed" if self.closed else self._tells())

    def _tells(self):
        return ""

    def __reduce_ex__(self, _):
        raise TypeError("a pto.%s is native and can neither be copied nor pickled; %s" % (type(self).__name__, self._INSTEAD))


class Context(_Handle):
    """A profile, a SIMD target and on-chip memory; its methods are the instructions."""

    _INSTEAD = "make one in each process and thread."

    def __init__(self, profile=Profile.CPU, target=None):
        native = _raw.pto_context_create_for(profile, target)
        if native is None:
            known = targets()
            if target is not None and target not in known:
                raise Error(Status.UNKNOWN, "Context: target is %r where this machine has %s" % (target, ", ".join(known)),
                            operand="target", remedy="Use a name of pto.targets().")
            if profile not in Profile.__members__.values():
                raise Error(Status.ARGUMENT, "Context: profile is %d" % profile, operand="profile", remedy="Use a value of pto.Profile.")
            raise MemoryError("no memory for a context")
        super().__init__(native)

    @property
    def profile(self):
        return Profile(_raw.pto_context_profile(self))

    @property
    def target(self):
        return _raw.pto_context_target(self)

    def tassign(self, tile, address):
        """Gives a tile an address in the context's on-chip memory (TASSIGN)."""
        _raw.pto_tassign(self, tile, address)

    def _tells(self):
        return " %s on %s" % (self.profile.name, self.target)


def _dtype(array):
    try:
        return _DTYPES[array.dtype.name]
    except KeyError:
        raise TypeError("no element type of libpto is a %s" % array.dtype) from None


def _native_order(array):
    """The array where its bytes are shared, which must be in this machine's order."""
    if not array.dtype.isnative:
        raise TypeError("the bytes of %s are in another machine's order; use array.astype(array.dtype.newbyteorder('='))" % array.dtype.str)
    return array


class _Elements(_Handle):
    """What holds elements: tiles and tensors."""

    _INSTEAD = "copy or send what read(ctx) answers."

    def write(self, ctx, array):
        """Copies an array of the element type in; bf16 also takes the bits as uint16."""
        array = _np.asarray(array)
        self._check_shape(array)
        given, held = _dtype(array), self.dtype
        if held == DType.BF16 and given == DType.U16:
            given = held
        # A view of bytes, which every NumPy type has; arrays that are strided or of foreign byte order are copied once.
        data = _np.ascontiguousarray(array, array.dtype.newbyteorder("=")).reshape(-1).view(_np.uint8)
        self._WRITE(ctx, self, given, data)

    def read(self, ctx, out=None):
        """Copies the elements out, into a new array or into `out`, which it answers."""
        held = self.dtype
        if out is None:
            out = _np.empty(self.shape, _NUMPY[held])
        self._check_shape(out)
        given = _dtype(out)
        if held == DType.BF16 and given == DType.U16:
            given = held
        if not (out.flags.c_contiguous and out.flags.writeable):
            raise ValueError("out must be contiguous and writeable")
        self._READ(ctx, self, given, _native_order(out).reshape(-1).view(_np.uint8))
        return out

    def _check_shape(self, array):
        if array.shape != self.shape:
            raise ValueError("the array is %s where %s is needed" % (array.shape, self.shape))

    def _tells(self):
        return " of %s, %s" % (self.dtype.name, "x".join(map(str, self.shape)))


def _wrappable(array):
    if not (array.flags.c_contiguous and array.flags.writeable):
        raise ValueError("the array must be contiguous and writeable to be wrapped")
    return _native_order(array).reshape(-1).view(_np.uint8)


def _tile_desc(dtype, rows, cols, valid=None, location=Location.VEC, blayout=BLayout.ROW_MAJOR, slayout=SLayout.NONE_BOX,
               fractal=0, pad=Pad.NULL, storage=Storage.OWNED):
    desc = _raw.pto_tile_desc()
    desc.struct_size = _raw.tile_desc_size
    desc.dtype, desc.rows, desc.cols = dtype, rows, cols
    desc.valid_rows, desc.valid_cols = (VALID_ALL, VALID_ALL) if valid is None else valid
    desc.location, desc.blayout, desc.slayout, desc.fractal, desc.pad, desc.storage = location, blayout, slayout, fractal, pad, storage
    return desc


class Tile(_Elements):
    """A two-dimensional typed buffer, a prefix rectangle of which, the valid region, holds data.

    Keywords: valid=(rows, cols), location, blayout, slayout, fractal, pad, storage.
    """

    _WRITE = staticmethod(_raw.pto_tile_write_as)
    _READ = staticmethod(_raw.pto_tile_read_as)

    def __init__(self, ctx, dtype, rows, cols, **geometry):
        super().__init__(_raw.pto_tile_create_from(ctx, _tile_desc(dtype, rows, cols, **geometry)))

    @classmethod
    def wrap(cls, ctx, array, dtype=None, **geometry):
        """A tile over an array of two dimensions, without a copy: each sees what the other writes."""
        if array.ndim != 2:
            raise ValueError("an array of %d dimensions where a tile has 2" % array.ndim)
        desc = _tile_desc(_dtype(array) if dtype is None else dtype, *array.shape, **geometry)
        return cls._own(_raw.pto_tile_wrap(ctx, desc, _wrappable(array)), array)

    @classmethod
    def copy(cls, ctx, array, dtype=None, **geometry):
        """A tile that owns a copy of an array of two dimensions."""
        array = _np.asarray(array)
        if array.ndim != 2:
            raise ValueError("an array of %d dimensions where a tile has 2" % array.ndim)
        tile = cls(ctx, _dtype(array) if dtype is None else dtype, *array.shape, **geometry)
        tile.write(ctx, array)
        return tile

    def view(self, ctx, row, col, rows, cols):
        """A tile over a rectangle of this one, without a copy."""
        return Tile._own(_raw.pto_tile_view(ctx, self, row, col, rows, cols), self._memory)

    def reshape(self, ctx, dtype, rows, cols, **geometry):
        """A tile of another geometry over the same bytes, without a copy."""
        desc = _tile_desc(dtype, rows, cols, **geometry)
        return Tile._own(_raw.pto_tile_reshape(ctx, self, desc), self._memory)

    def set_valid(self, ctx, rows=VALID_ALL, cols=VALID_ALL):
        """Sets the valid region: the first rows and columns."""
        _raw.pto_tile_set_valid(ctx, self, rows, cols)

    @property
    def shape(self):
        """Rows and columns of the valid region, which read and write move."""
        return (self.valid_rows, self.valid_cols)


class Tensor(_Elements):
    """Global memory: up to five dimensions of elements, each with its stride in elements."""

    _WRITE = staticmethod(_raw.pto_tensor_write_as)
    _READ = staticmethod(_raw.pto_tensor_read_as)

    def __init__(self, ctx, dtype, dims, strides=None, layout=Layout.ND):
        super().__init__(_raw.pto_tensor_create(ctx, _tensor_desc(dtype, dims, strides, layout)))

    @classmethod
    def wrap(cls, ctx, array, dtype=None, layout=Layout.ND):
        """A tensor over an array's memory, without a copy."""
        desc = _tensor_desc(_dtype(array) if dtype is None else dtype, array.shape, None, layout)
        return cls._own(_raw.pto_tensor_wrap(ctx, desc, _wrappable(array)), array)

    def view(self, ctx, dtype, dims, strides=None, layout=Layout.ND, offset=0):
        """A tensor over a part of this one's memory, `offset` elements behind its first, without a copy."""
        desc = _tensor_desc(dtype, dims, strides, layout)
        return Tensor._own(_raw.pto_tensor_view(ctx, self, desc, offset), self._memory)

    @property
    def shape(self):
        return tuple(_raw.pto_tensor_dim(self, i) for i in range(_raw.pto_tensor_rank(self)))


def _tensor_desc(dtype, dims, strides, layout):
    if len(dims) > 5 or (strides is not None and len(strides) != len(dims)):
        raise ValueError("a tensor has 1 to 5 dimensions and a stride for each")
    desc = _raw.pto_tensor_desc()
    desc.struct_size = _raw.tensor_desc_size
    desc.dtype, desc.layout, desc.rank, desc.strided = dtype, layout, len(dims), int(strides is not None)
    for i, dim in enumerate(dims):
        setattr(desc, "dim%d" % i, dim)
        setattr(desc, "stride%d" % i, strides[i] if strides is not None else 0)
    return desc


class Inst(_Handle):
    """An instruction with its operands, for interpreters; programs call the methods of Context."""

    _INSTEAD = "make another of the same name."

    def __init__(self, ctx, name):
        native = _raw.pto_inst_create(ctx, name)
        # What the native instruction reaches through its tiles and tensors, by operand.
        self._operands = {}
        super().__init__(native, self._operands)

    def _set(self, ctx, function, index, value, kept=None):
        function(ctx, self, index, value)
        self._operands[index] = kept

    def set_tile(self, ctx, index, tile):
        """Sets a tile operand; None unsets it."""
        self._set(ctx, _raw.pto_inst_set_tile, index, tile, tile and tile._memory)

    def set_tensor(self, ctx, index, tensor):
        """Sets a tensor operand; None unsets it."""
        self._set(ctx, _raw.pto_inst_set_tensor, index, tensor, tensor and tensor._memory)

    def set_scalar(self, ctx, index, value):
        """Sets a scalar operand to an integer, a float or a Scalar."""
        self._set(ctx, _raw.pto_inst_set_scalar, index, value)

    def set_int(self, ctx, index, value):
        """Sets an integer operand: a scalar, an integer, a mode or the flags."""
        self._set(ctx, _raw.pto_inst_set_int, index, value)

    def set_float(self, ctx, index, value):
        """Sets a floating-point operand."""
        self._set(ctx, _raw.pto_inst_set_float, index, value)

    def check(self, ctx):
        """Applies every rule to the operands, without running the instruction."""
        _raw.pto_inst_check(ctx, self)

    def run(self, ctx):
        """Runs the instruction: the same as calling its method."""
        _raw.pto_inst_run(ctx, self)


class Program(_Handle):
    """A PTO-AS program: text that was read, what is wrong with it, what its arguments are bound to."""

    _INSTEAD = "parse its text again."

    def __init__(self, ctx, text, name=None):
        native = _raw.pto_program_parse(ctx, text.encode(), name)
        # What the native program reaches through what is bound to it, by argument.
        self._bound = {}
        super().__init__(native, self._bound)

    def bind(self, ctx, arg, value):
        """Binds an argument, by name or number, to a tile, a tensor, an int or a float."""
        if isinstance(value, (Tile, Tensor)):
            function = _raw.pto_program_bind_tile if isinstance(value, Tile) else _raw.pto_program_bind_tensor
            function(ctx, self, str(arg), value)
            self._bound[arg] = value._memory
        else:
            function = _raw.pto_program_bind_float if isinstance(value, float) else _raw.pto_program_bind_int
            function(ctx, self, str(arg), value)

    def check(self, ctx):
        """Applies the rules of the language and of the instructions."""
        _raw.pto_program_check(ctx, self)

    def limit(self, ctx, steps=None, bytes=None, seconds=None):
        """Limits a run: its steps, the bytes that it holds, the time that it takes."""
        if steps is not None:
            _raw.pto_program_limit_steps(ctx, self, steps)
        if bytes is not None:
            _raw.pto_program_limit_bytes(ctx, self, bytes)
        if seconds is not None:
            _raw.pto_program_limit_time(ctx, self, int(seconds * 1000))

    def run(self, ctx, entry=None):
        """Runs a function of the program, after a check.

        Other threads go on meanwhile. On the main thread Ctrl-C, or an exception of another signal's handler, ends the run."""
        if _threading.current_thread() is not _threading.main_thread():
            _raw.pto_program_run(ctx, self, entry)
            return
        # Signals are handled on the main thread only, and only while it is not in C.
        refused, interrupt, given_up = [], None, []
        begin, done = _threading.Event(), _threading.Event()

        def work():
            begin.wait()
            try:
                if not given_up:
                    _raw.pto_program_run(ctx, self, entry)
            except BaseException as error:
                refused.append(error)
            finally:
                done.set()

        # The worker blocks signals, so that they come here. From its beginning on the context is the worker's until it
        # is done, whatever comes; Thread.join() would take it for ended then.
        mask = _signal.pthread_sigmask(_signal.SIG_BLOCK, _signal.valid_signals())
        try:
            _threading.Thread(target=work, daemon=True).start()
        except BaseException:
            given_up.append(True)
            begin.set()
            _signal.pthread_sigmask(_signal.SIG_SETMASK, mask)
            raise
        while True:
            try:
                begin.set()
                _signal.pthread_sigmask(_signal.SIG_SETMASK, mask)
                while not done.wait(0.05):  # a signal that another thread received does not wake this one
                    pass
                break
            except BaseException as error:
                interrupt = error
                self.stop()
        if interrupt is not None:
            self.forget_stop()  # it may have come when the run was over
            raise interrupt
        if refused:
            raise refused[0]

    def stop(self):
        """Ends the run under way, or else the next one; from any thread."""
        _raw.program_stop(self)

    def forget_stop(self):
        """Takes back a stop() that no run has ended by."""
        _raw.program_forget_stop(self)

    def tile(self, ctx, name):
        """The tile that a value of the entry had when the latest run ended."""
        return Tile._own(_raw.pto_program_tile(ctx, self, name), list(self._bound.values()))

    @property
    def output(self):
        """What the latest run printed."""
        return _raw.pto_program_output(self)

    @property
    def diagnostics(self):
        """What is wrong, each as a compiler prints it."""
        return [_raw.pto_program_diagnostic_text(self, i) for i in range(_raw.pto_program_diagnostic_count(self))]


def targets():
    """The SIMD targets that this machine can run, best first."""
    return [_raw.pto_target_name(i) for i in range(_raw.pto_target_count()) if _raw.pto_target_supported(i)]


def live_handles():
    """Counts the handles of all kinds that are alive in this process."""
    return _raw.pto_live_handles()


def _question(function, answer):
    return property(lambda self: answer(function(self)), doc=function.__doc__)


_ANSWERS = {"dtype": DType, "location": Location, "blayout": BLayout, "slayout": SLayout, "pad": Pad, "layout": Layout}
for _kind in (Tile, Tensor):
    for _name in ("bytes", "valid_bytes", "dtype", "rows", "cols", "valid_rows", "valid_cols", "location", "blayout",
                  "slayout", "fractal", "pad", "layout", "rank"):
        _function = getattr(_raw, "pto_%s_%s" % (_kind.__name__.lower(), _name), None)
        if _function is not None:
            setattr(_kind, _name, _question(_function, _ANSWERS.get(_name, int)))

_DEFAULTS = {Role.TMP: None, Role.FLAGS: 0}


def _documentation(text):
    """SWIG's words without what is said of C: types, the context, the status."""
    text = _re.sub(r"^ *:(?:type \w+|rtype|param ctx):.*\n", "", text or "", flags=_re.M)
    return text.replace(":return: PTO_OK, or the class of the broken rule:", ":raises Error: if a rule is broken, one of:")


def _instruction(op):
    """A method of Context for an instruction, from what the library says of it."""
    name = _raw.pto_op_name(op)
    function = getattr(_raw, "pto_" + name)
    operands = [(_raw.pto_op_operand_name(op, i), _raw.pto_op_operand_role(op, i)) for i in range(_raw.pto_op_operand_count(op))]
    parameters = [_inspect.Parameter("self", _inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    # What may be left out comes last; in C tmp stands before scalars and modes.
    order = sorted(range(len(operands)), key=lambda i: operands[i][1] in _DEFAULTS)
    for operand, role in (operands[i] for i in order):
        default = _DEFAULTS.get(role, _inspect.Parameter.empty)
        parameters.append(_inspect.Parameter(operand, _inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default))
    signature = _inspect.Signature(parameters)
    count = len(operands)
    places = None if order == sorted(order) else [order.index(i) for i in range(len(order))]

    def method(self, *args, **keywords):
        if keywords or len(args) != count:
            bound = signature.bind(self, *args, **keywords)
            bound.apply_defaults()
            args = bound.args[1:]
        if places is not None:
            args = [args[i] for i in places]
        function(self, *args)

    method.__name__ = name
    method.__qualname__ = "Context." + name
    method.__doc__ = _documentation(function.__doc__)
    method.__signature__ = signature
    return method


for _i in range(_raw.pto_op_count()):
    _op = _raw.pto_op_at(_i)
    setattr(Context, _raw.pto_op_name(_op), _instruction(_op))
