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
import weakref as _weakref

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
    prefixes = ({"Status": "PTO_ERROR_", "ArgKind": "PTO_ARG_"}.get(name, c_name.upper() + "_"),)
    items = {n[len(p):]: v for n, v in vars(_raw).items() for p in prefixes if n.startswith(p)}
    if name == "Status":
        items["OK"] = _raw.PTO_OK
    if name == "Flags":
        items = {"HIGH_PRECISION": _raw.PTO_HIGH_PRECISION}
    base = _enum.IntFlag if name == "Flags" else _Enum
    return base(name, sorted(items.items(), key=lambda item: item[1]), module=__name__)


for _key, _value in list(vars(_raw).items()):
    if _key.startswith("enum_"):
        globals()[_key[5:]] = _make_enum(_key[5:], _value)

# bf16 has no NumPy type: its bits travel as uint16, or as ml_dtypes.bfloat16 where that is installed.
_DTYPES = {
    "int8": DType.I8, "uint8": DType.U8, "int16": DType.I16, "uint16": DType.U16, "int32": DType.I32, "uint32": DType.U32,
    "int64": DType.I64, "uint64": DType.U64, "float16": DType.F16, "bfloat16": DType.BF16, "float32": DType.F32,
}
_NUMPY = {dtype: _np.dtype(name) for name, dtype in _DTYPES.items() if dtype != DType.BF16}
_NUMPY[DType.BF16] = _np.dtype("uint16")


class Error(Exception):
    """A call that the library refused; nothing was changed by it."""

    def __init__(self, status, message, rule="", operand="", remedy=""):
        super().__init__(message)
        self.status = Status(status)
        self.rule = rule
        self.operand = operand
        self.remedy = remedy


def _check(ctx, status):
    if status != 0:
        _raise(ctx, status)


def _raise(ctx, status):
    raise Error(status, _raw.pto_context_error_message(ctx), _raw.pto_context_error_rule(ctx),
                _raw.pto_context_error_operand(ctx), _raw.pto_context_error_remedy(ctx))


class _Handle:
    """A native object, released by close(), by `with`, or with the last reference to it."""

    def __init__(self, address, release, memory=None):
        self._address = address
        self._memory = memory
        # Holds wrapped memory too, so that it is there as long as the native object.
        self._finalizer = _weakref.finalize(self, _release, release, address, memory)

    def close(self):
        """Gives the native object back; closing again does nothing."""
        self._address = 0
        self._finalizer()

    @property
    def closed(self):
        return self._address == 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _release(release, address, memory):
    release(address)
    del memory


def _at(handle, kind):
    """The address of a handle of a class; 0 for None, which the library judges."""
    if handle is None:
        return 0
    if not isinstance(handle, kind):
        raise TypeError("%s where a pto.%s is needed" % (type(handle).__name__, kind.__name__))
    if handle._address == 0:
        raise ValueError("the %s is closed" % kind.__name__)
    return handle._address


def _context(ctx):
    if ctx is None:
        raise TypeError("None where a pto.Context is needed")
    return _at(ctx, Context)


class Context(_Handle):
    """A profile, a SIMD target and on-chip memory; its methods are the instructions."""

    def __init__(self, profile=Profile.CPU, target=None):
        address = _raw.pto_context_create_for(profile, target)
        if address == 0:
            known = [_raw.pto_target_name(i) for i in range(_raw.pto_target_count()) if _raw.pto_target_supported(i)]
            if target is not None and target not in known:
                raise Error(Status.UNKNOWN, "pto_context_create_for: target is %r where this machine has %s" % (target, ", ".join(known)),
                            operand="target_name", remedy="Use a name of pto.targets().")
            if profile not in Profile.__members__.values():
                raise Error(Status.ARGUMENT, "pto_context_create_for: profile is %d" % profile, operand="profile",
                            remedy="Use a value of pto.Profile.")
            raise MemoryError("no memory for a context")
        super().__init__(address, _raw.pto_context_release)

    @property
    def profile(self):
        return Profile(_raw.pto_context_profile(_context(self)))

    @property
    def target(self):
        return _raw.pto_context_target(_context(self))

    def tassign(self, tile, address):
        """Gives a tile an address in the context's on-chip memory (TASSIGN)."""
        ctx = _context(self)
        _check(ctx, _raw.pto_tassign(ctx, _at(tile, Tile), address))


def _dtype(array):
    try:
        return _DTYPES[array.dtype.name]
    except KeyError:
        raise TypeError("no element type of libpto is a %s" % array.dtype) from None


class _Elements(_Handle):
    """What holds elements: tiles and tensors."""

    def write(self, ctx, array):
        """Copies an array of the element type in; bf16 also takes the bits as uint16."""
        array = _np.asarray(array)
        self._check_shape(array)
        given, held = _dtype(array), self.dtype
        if held == DType.BF16 and given == DType.U16:
            given = held
        at = _context(ctx)
        # A view of bytes, which every NumPy type has; strided arrays are copied once.
        data = _np.ascontiguousarray(array).reshape(-1).view(_np.uint8)
        _check(at, self._WRITE(at, _at(self, type(self)), given, data))

    def read(self, ctx, out=None):
        """Copies the elements out, into a new array or into `out`, which it answers."""
        at = _context(ctx)
        held = self.dtype
        if out is None:
            out = _np.empty(self.shape, _NUMPY[held])
        self._check_shape(out)
        given = _dtype(out)
        if held == DType.BF16 and given == DType.U16:
            given = held
        if not (out.flags.c_contiguous and out.flags.writeable):
            raise ValueError("out must be contiguous and writeable")
        _check(at, self._READ(at, _at(self, type(self)), given, out.reshape(-1).view(_np.uint8)))
        return out

    def _check_shape(self, array):
        if array.shape != self.shape:
            raise ValueError("the array is %s where %s is needed" % (array.shape, self.shape))


def _wrappable(array):
    if not (array.flags.c_contiguous and array.flags.writeable):
        raise ValueError("the array must be contiguous and writeable to be wrapped")
    return array.reshape(-1).view(_np.uint8)


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
        at = _context(ctx)
        self._own(at, _raw.pto_tile_create_from(at, _tile_desc(dtype, rows, cols, **geometry)))

    def _own(self, ctx, address, memory=None):
        if address == 0:
            _raise(ctx, _raw.pto_context_error(ctx))
        _Handle.__init__(self, address, _raw.pto_tile_release, memory)
        return self

    @classmethod
    def wrap(cls, ctx, array, dtype=None, **geometry):
        """A tile over an array of two dimensions, without a copy: each sees what the other writes."""
        if array.ndim != 2:
            raise ValueError("an array of %d dimensions where a tile has 2" % array.ndim)
        at = _context(ctx)
        desc = _tile_desc(_dtype(array) if dtype is None else dtype, *array.shape, **geometry)
        return cls.__new__(cls)._own(at, _raw.pto_tile_wrap(at, desc, _wrappable(array)), array)

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
        at = _context(ctx)
        return Tile.__new__(Tile)._own(at, _raw.pto_tile_view(at, _at(self, Tile), row, col, rows, cols), self._memory)

    def reshape(self, ctx, dtype, rows, cols, **geometry):
        """A tile of another geometry over the same bytes, without a copy."""
        at = _context(ctx)
        desc = _tile_desc(dtype, rows, cols, **geometry)
        return Tile.__new__(Tile)._own(at, _raw.pto_tile_reshape(at, _at(self, Tile), desc), self._memory)

    def set_valid(self, ctx, rows=VALID_ALL, cols=VALID_ALL):
        """Sets the valid region: the first rows and columns."""
        at = _context(ctx)
        _check(at, _raw.pto_tile_set_valid(at, _at(self, Tile), rows, cols))

    @property
    def shape(self):
        """Rows and columns of the valid region, which read and write move."""
        return (self.valid_rows, self.valid_cols)


class Tensor(_Elements):
    """Global memory: up to five dimensions of elements, each with its stride in elements."""

    _WRITE = staticmethod(_raw.pto_tensor_write_as)
    _READ = staticmethod(_raw.pto_tensor_read_as)

    def __init__(self, ctx, dtype, dims, strides=None, layout=Layout.ND):
        at = _context(ctx)
        self._own(at, _raw.pto_tensor_create(at, _tensor_desc(dtype, dims, strides, layout)))

    def _own(self, ctx, address, memory=None):
        if address == 0:
            _raise(ctx, _raw.pto_context_error(ctx))
        _Handle.__init__(self, address, _raw.pto_tensor_release, memory)
        return self

    @classmethod
    def wrap(cls, ctx, array, dtype=None, layout=Layout.ND):
        """A tensor over an array's memory, without a copy."""
        at = _context(ctx)
        desc = _tensor_desc(_dtype(array) if dtype is None else dtype, array.shape, None, layout)
        return cls.__new__(cls)._own(at, _raw.pto_tensor_wrap(at, desc, _wrappable(array)), array)

    def view(self, ctx, dtype, dims, strides=None, layout=Layout.ND, offset=0):
        """A tensor over a part of this one's memory, `offset` elements behind its first, without a copy."""
        at = _context(ctx)
        desc = _tensor_desc(dtype, dims, strides, layout)
        return Tensor.__new__(Tensor)._own(at, _raw.pto_tensor_view(at, _at(self, Tensor), desc, offset), self._memory)

    @property
    def shape(self):
        address = _at(self, Tensor)
        return tuple(_raw.pto_tensor_dim(address, i) for i in range(_raw.pto_tensor_rank(address)))


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

    def __init__(self, ctx, name):
        at = _context(ctx)
        address = _raw.pto_inst_create(at, name)
        if address == 0:
            _raise(at, _raw.pto_context_error(at))
        # What the native instruction reaches through its tiles and tensors, by operand.
        self._operands = {}
        super().__init__(address, _raw.pto_inst_release, self._operands)

    def _set(self, ctx, function, index, value, kept=None):
        at = _context(ctx)
        _check(at, function(at, _at(self, Inst), index, value))
        self._operands[index] = kept

    def set_tile(self, ctx, index, tile):
        """Sets a tile operand; None unsets it."""
        self._set(ctx, _raw.pto_inst_set_tile, index, _at(tile, Tile), tile and tile._memory)

    def set_tensor(self, ctx, index, tensor):
        """Sets a tensor operand; None unsets it."""
        self._set(ctx, _raw.pto_inst_set_tensor, index, _at(tensor, Tensor), tensor and tensor._memory)

    def set_int(self, ctx, index, value):
        """Sets an integer operand: a scalar, a mode or the flags."""
        self._set(ctx, _raw.pto_inst_set_int, index, value)

    def set_float(self, ctx, index, value):
        """Sets a floating-point operand."""
        self._set(ctx, _raw.pto_inst_set_float, index, value)

    def check(self, ctx):
        """Applies every rule to the operands, without running the instruction."""
        at = _context(ctx)
        _check(at, _raw.pto_inst_check(at, _at(self, Inst)))

    def run(self, ctx):
        """Runs the instruction: the same as calling its method."""
        at = _context(ctx)
        _check(at, _raw.pto_inst_run(at, _at(self, Inst)))


class Program(_Handle):
    """A PTO-AS program: text that was read, what is wrong with it, what its arguments are bound to."""

    def __init__(self, ctx, text, name=None):
        at = _context(ctx)
        address = _raw.pto_program_parse(at, text.encode(), name)
        if address == 0:
            _raise(at, _raw.pto_context_error(at))
        # What the native program reaches through what is bound to it, by argument.
        self._bound = {}
        super().__init__(address, _raw.pto_program_release, self._bound)

    def bind(self, ctx, arg, value):
        """Binds an argument, by name or number, to a tile, a tensor, an int or a float."""
        at, program = _context(ctx), _at(self, Program)
        if isinstance(value, (Tile, Tensor)):
            function = _raw.pto_program_bind_tile if isinstance(value, Tile) else _raw.pto_program_bind_tensor
            _check(at, function(at, program, str(arg), _at(value, type(value))))
            self._bound[arg] = value._memory
        else:
            function = _raw.pto_program_bind_float if isinstance(value, float) else _raw.pto_program_bind_int
            _check(at, function(at, program, str(arg), value))

    def check(self, ctx):
        """Applies the rules of the language and of the instructions."""
        at = _context(ctx)
        _check(at, _raw.pto_program_check(at, _at(self, Program)))

    def run(self, ctx, entry=None):
        """Runs a function of the program, after a check."""
        at = _context(ctx)
        _check(at, _raw.pto_program_run(at, _at(self, Program), entry))

    def tile(self, ctx, name):
        """The tile that a value of the entry had when the latest run ended."""
        at = _context(ctx)
        return Tile.__new__(Tile)._own(at, _raw.pto_program_tile(at, _at(self, Program), name), list(self._bound.values()))

    @property
    def output(self):
        """What the latest run printed."""
        return _raw.pto_program_output(_at(self, Program))

    @property
    def diagnostics(self):
        """What is wrong, each as a compiler prints it."""
        program = _at(self, Program)
        return [_raw.pto_program_diagnostic_text(program, i) for i in range(_raw.pto_program_diagnostic_count(program))]


def targets():
    """The SIMD targets that this machine can run, best first."""
    return [_raw.pto_target_name(i) for i in range(_raw.pto_target_count()) if _raw.pto_target_supported(i)]


def live_handles():
    """Counts the handles of all kinds that are alive in this process."""
    return _raw.pto_live_handles()


def _question(function, kind, answer):
    return property(lambda self: answer(function(_at(self, kind))), doc=function.__doc__)


_ANSWERS = {"dtype": DType, "location": Location, "blayout": BLayout, "slayout": SLayout, "pad": Pad, "layout": Layout}
for _kind in (Tile, Tensor):
    for _name in ("bytes", "valid_bytes", "dtype", "rows", "cols", "valid_rows", "valid_cols", "location", "blayout",
                  "slayout", "fractal", "pad", "layout", "rank"):
        _function = getattr(_raw, "pto_%s_%s" % (_kind.__name__.lower(), _name), None)
        if _function is not None:
            setattr(_kind, _name, _question(_function, _kind, _ANSWERS.get(_name, int)))

_KINDS = {Role.OUT: Tile, Role.IN: Tile, Role.TMP: Tile, Role.TENSOR_OUT: Tensor, Role.TENSOR_IN: Tensor}


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
    for operand, role in operands:
        default = {Role.TMP: None, Role.FLAGS: 0}.get(role, _inspect.Parameter.empty)
        parameters.append(_inspect.Parameter(operand, _inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default))
    signature = _inspect.Signature(parameters)
    kinds = [_KINDS.get(role) for _, role in operands]

    def method(self, *args, **keywords):
        if keywords or len(args) != len(kinds):
            bound = signature.bind(self, *args, **keywords)
            bound.apply_defaults()
            args = bound.args[1:]
        at = _context(self)
        status = function(at, *[a if k is None else _at(a, k) for a, k in zip(args, kinds)])
        if status != 0:
            _raise(at, status)

    method.__name__ = name
    method.__qualname__ = "Context." + name
    method.__doc__ = _documentation(function.__doc__)
    method.__signature__ = signature
    return method


for _i in range(_raw.pto_op_count()):
    _op = _raw.pto_op_at(_i)
    setattr(Context, _raw.pto_op_name(_op), _instruction(_op))
