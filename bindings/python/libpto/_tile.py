"""Tiles and tensors: what holds elements."""
from __future__ import annotations

import typing

import numpy as np

from . import _arrays, raw as _raw
from ._handle import Handle
from ._ops import VALID_ALL, VALID_NONE, BLayout, Compact, DType, Layout, Location, Pad, SLayout, Storage, TensorFacts, TileFacts

if typing.TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from . import Context
    from ._arrays import Array, DTypeLike

    class Geometry(typing.TypedDict, total=False):
        valid: tuple[int, int] | None
        location: Location | int
        blayout: BLayout | int
        slayout: SLayout | int
        fractal: int
        pad: Pad | int
        storage: Storage | int
        pad_bits: int
        compact: Compact | int


class Elements(Handle):
    """What holds elements: tiles and tensors.

    NumPy (`np.asarray(x)`) and whatever takes DLPack (`np.from_dlpack(x)`, `torch.from_dlpack(x)`) see the elements
    themselves, without a copy, and keep them alive; only boxed tiles are copied by the former and refused by the latter.
    """

    _INSTEAD = "copy or send the result of read(ctx)."
    _WRITE: typing.Any
    _READ: typing.Any
    dtype: typing.Any  # a property of both

    @property
    def shape(self) -> tuple[int, ...]:
        raise NotImplementedError

    def _strides(self) -> tuple[int, ...] | None:
        """In bytes; None where no strides can say where the elements are."""
        raise NotImplementedError

    def _keep(self) -> tuple[typing.Any, int, int]:
        """What keeps the elements alive, where they begin, and the bytes from there on."""
        raise NotImplementedError

    def write(self, ctx: Context, array: typing.Any) -> None:
        """Copies an array of the element type in. bf16 also takes the bits as uint16, floats of a byte or less and int4 their
        codes as uint8. Lists and float64 arrays are converted: integers must be in range, floats are rounded once."""
        array, held = _arrays.given(array, self.dtype)
        self._check_shape(array)
        # A view of bytes, which every NumPy type has; arrays that are strided or of foreign byte order are copied once.
        data = np.ascontiguousarray(array, array.dtype.newbyteorder("=")).reshape(-1).view(np.uint8)
        self._WRITE(ctx, self, held, _arrays.packed(data.reshape(array.shape)) if held in _arrays.PACKED else data)

    def read(self, ctx: Context, out: Array | None = None) -> Array:
        """Copies the elements out, into a new array or into `out`, and returns it."""
        if out is None:
            out = np.empty(self.shape, _arrays.NUMPY[self.dtype])
        self._check_shape(out)
        if not (out.flags.c_contiguous and out.flags.writeable):
            raise ValueError("out must be contiguous and writeable")
        held, data = self._as(_arrays.dtype(out)), _arrays.native_order(out).reshape(-1).view(np.uint8)
        if held in _arrays.PACKED:
            codes, data = data.reshape(out.shape), np.empty(_arrays.packed(data.reshape(out.shape)).size, np.uint8)
            self._READ(ctx, self, held, data)
            _arrays.unpack(data, codes)
        else:
            self._READ(ctx, self, held, data)
        return out

    def _as(self, given: DType) -> DType:
        return self.dtype if _arrays.BITS.get(self.dtype) == given else given

    def _check_shape(self, array: Array) -> None:
        if array.shape != self.shape:
            raise ValueError("the array is %s where %s is needed" % (array.shape, self.shape))

    # ---- for NumPy, DLPack and eyes ----
    def _shared(self) -> Array:
        """An array over the elements, which it keeps alive, whatever happens to this handle."""
        strides = self._strides()
        if strides is None:
            raise BufferError("the tile is boxed, or two elements share a byte: strides cannot say where its elements are; use read(ctx)")
        dtype = _arrays.NUMPY[self.dtype]
        if 0 in self.shape:
            return np.empty(self.shape, dtype)
        return np.ndarray(self.shape, dtype, _arrays.memory(*self._keep()), 0, strides)

    def _seen(self) -> Array:
        """The elements for showing: themselves, or a copy of what is boxed."""
        if self._strides() is not None:
            return self._shared()
        from . import Context
        with Context() as ctx:
            return self.read(ctx)

    @property
    def __array_interface__(self) -> dict[str, typing.Any]:
        if self._strides() is None or self.dtype in _arrays.BITS:  # the protocol has no word for it; __array__ has
            raise AttributeError("__array_interface__")
        shared = self._shared()
        data = shared if shared.base is None else shared.base
        return {"version": 3, "shape": shared.shape, "typestr": shared.dtype.str, "strides": shared.strides, "data": data}

    def __array__(self, dtype: typing.Any = None, copy: bool | None = None) -> Array:
        seen = self._seen()
        if copy is False and (self._strides() is None or (dtype is not None and dtype != seen.dtype)):
            raise ValueError("a copy cannot be avoided: the tile is boxed, or of another type")
        return np.array(seen, dtype, copy=True) if copy else seen.astype(dtype or seen.dtype, copy=False)

    def __dlpack_device__(self) -> tuple[int, int]:
        return _arrays.CPU

    def __dlpack__(self, *, stream: typing.Any = None, max_version: typing.Any = None, dl_device: typing.Any = None,
                   copy: bool | None = None) -> typing.Any:
        if dl_device not in (None, _arrays.CPU):
            raise BufferError("the elements are in the memory of the CPU")
        shared = self._shared()
        return _arrays.to_dlpack(shared.copy() if copy else shared, self.dtype)

    def _tells(self) -> str:
        head = " of %s, %s" % (self.dtype.name, "x".join(map(str, self.shape)))
        try:
            return head + ": " + _arrays.corners(_arrays.shown(self._seen(), self.dtype))
        except Exception:  # a manual tile without an address, memory that is out
            return head

    def _repr_html_(self) -> str:
        """A small heat map, for notebooks."""
        try:
            return _arrays.heat_map(repr(self).partition(":")[0] + ">", _arrays.shown(self._seen(), self.dtype))
        except Exception:
            return _arrays.heat_map(repr(self), None)


def _wrappable(array: typing.Any, dtype: DTypeLike | None) -> tuple[Array, DType]:
    """An array whose memory is to be shared, and the type of its elements: its own, or one that NumPy lacks."""
    if not isinstance(array, np.ndarray) and not hasattr(array, "__dlpack__"):
        raise TypeError("no memory of a %s can be shared; wrap an array, or use copy" % type(array).__name__)
    array, own = _arrays.of(array)
    held = own if dtype is None else _arrays.as_dtype(dtype)
    if own in _arrays.PACKED or held in _arrays.PACKED:
        raise TypeError("an array of %s has one element per byte, a tile has two: use copy" % array.dtype)
    if own not in (held, _arrays.BITS.get(held)):
        raise TypeError("an array of %s cannot be shared as %s, since its bits would mean other numbers; convert it with array.astype, or "
                        "reinterpret it on purpose with array.view" % (array.dtype, held.name.lower()))
    if not array.flags.writeable:
        raise ValueError("the array must be writeable to be wrapped")
    return _arrays.native_order(array), held


def _bytes(array: Array, strides: typing.Sequence[int]) -> typing.Any:
    """The memory of an array from its first element to its last."""
    last = sum((dim - 1) * stride for dim, stride in zip(array.shape, strides))
    return _arrays.memory(array, array.ctypes.data, (last + array.itemsize) if array.size else 0)


def _order(array: Array, geometry: Geometry) -> BLayout | int:
    """The layout of a tile whose element (i, j) is array[i, j]."""
    if geometry.get("slayout", SLayout.NONE_BOX) != SLayout.NONE_BOX:
        raise ValueError("an array's rows and columns are not in boxes; use copy for a boxed tile")
    wanted = geometry.get("blayout")
    for layout, name, fits in ((BLayout.ROW_MAJOR, "rows", array.flags.c_contiguous), (BLayout.COL_MAJOR, "columns", array.flags.f_contiguous)):
        if fits and wanted in (None, layout):
            return layout
        if wanted == layout:
            raise ValueError("the array does not hold its %s one after another, as a %s tile does; leave blayout out, or use copy"
                             % (name, layout.name))
    if wanted is None:
        raise ValueError("the array must be contiguous to be wrapped in a tile; use copy, or Tensor.wrap for a strided array")
    return wanted  # the library judges it


def _tile_desc(dtype: DTypeLike, rows: int, cols: int, valid: tuple[int, int] | None = None, location: int = Location.VEC,
               blayout: int = BLayout.ROW_MAJOR, slayout: int = SLayout.NONE_BOX, fractal: int = 0, pad: int = Pad.NULL,
               storage: int = Storage.OWNED, pad_bits: int = 0, compact: int = Compact.NULL) -> typing.Any:
    desc = _raw.pto_tile_desc()
    desc.struct_size = _raw.tile_desc_size
    desc.dtype, desc.rows, desc.cols = _arrays.as_dtype(dtype), rows, cols
    if valid is not None:  # of a descriptor 0 means all
        desc.valid_rows, desc.valid_cols = (VALID_NONE if extent == 0 else extent for extent in valid)
    desc.location, desc.blayout, desc.slayout, desc.fractal, desc.pad, desc.storage = location, blayout, slayout, fractal, pad, storage
    desc.pad_bits, desc.compact = pad_bits, compact
    return desc


class Tile(TileFacts, Elements):
    """A two-dimensional typed buffer. Its valid region, the rectangle of the first rows and columns, holds data.

    Keywords: valid=(rows, cols), location, blayout, slayout, fractal, pad, storage, pad_bits (of Pad.CUSTOM), compact.
    """

    _WRITE = staticmethod(_raw.pto_tile_write_as)
    _READ = staticmethod(_raw.pto_tile_read_as)

    def __init__(self, ctx: Context, dtype: DTypeLike, rows: int, cols: int, **geometry: Unpack[Geometry]) -> None:
        super().__init__(_raw.pto_tile_create_from(ctx, _tile_desc(dtype, rows, cols, **geometry)))

    @classmethod
    def wrap(cls, ctx: Context, array: typing.Any, dtype: DTypeLike | None = None, **geometry: Unpack[Geometry]) -> Self:
        """A tile over an array of two dimensions, NumPy's or one with DLPack, without a copy: each sees what the other writes.

        Element (i, j) of the tile is array[i, j]: an array in row order makes a row-major tile, one in column (Fortran) order a
        column-major tile. `dtype` names a type that NumPy lacks, whose bits the array holds: DType.BF16 for uint16."""
        array, held = _wrappable(array, dtype)
        if array.ndim != 2:
            raise ValueError("the array has %d dimension%s; a tile has 2" % (array.ndim, "" if array.ndim == 1 else "s"))
        geometry["blayout"] = _order(array, geometry)
        desc = _tile_desc(held, *array.shape, **geometry)
        return typing.cast("Self", cls._own(_raw.pto_tile_wrap(ctx, desc, _bytes(array, array.strides)), array))

    @classmethod
    def copy(cls, ctx: Context, array: typing.Any, dtype: DTypeLike | None = None, **geometry: Unpack[Geometry]) -> Self:
        """A tile that owns a copy of an array or a list of two dimensions. Lists and float64 arrays are converted to `dtype`, as
        write() does."""
        array, held = _arrays.given(array, None if dtype is None else _arrays.as_dtype(dtype))
        if array.ndim != 2:
            raise ValueError("the array has %d dimension%s; a tile has 2" % (array.ndim, "" if array.ndim == 1 else "s"))
        tile = cls(ctx, held if dtype is None else dtype, *array.shape, **geometry)
        tile.write(ctx, array)
        return tile

    def view(self, ctx: Context, row: int, col: int, rows: int, cols: int) -> Tile:
        """A tile over a rectangle of this one, without a copy."""
        return typing.cast(Tile, Tile._own(_raw.pto_tile_view(ctx, self, row, col, rows, cols), self._memory))

    def reshape(self, ctx: Context, dtype: DTypeLike, rows: int, cols: int, **geometry: Unpack[Geometry]) -> Tile:
        """A tile of another geometry over the same bytes, without a copy."""
        desc = _tile_desc(dtype, rows, cols, **geometry)
        return typing.cast(Tile, Tile._own(_raw.pto_tile_reshape(ctx, self, desc), self._memory))

    def set_valid(self, ctx: Context, rows: int = VALID_ALL, cols: int = VALID_ALL) -> None:
        """Sets the valid region: the first rows and columns."""
        _raw.pto_tile_set_valid(ctx, self, rows, cols)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the valid region, which read and write move."""
        return (self.valid_rows, self.valid_cols)

    def _strides(self) -> tuple[int, ...] | None:
        if self.slayout != SLayout.NONE_BOX or self.dtype in _arrays.PACKED:
            return None
        size = _raw.pto_dtype_bytes(self.dtype)
        by_row = self.blayout == BLayout.ROW_MAJOR
        lines, line = (self.rows, self.cols) if by_row else (self.cols, self.rows)
        # The storage of a view ends after its last element, and its lines are as far apart as the lines of its tile.
        step = (self.bytes - line * size) // (lines - 1) if lines > 1 else line * size
        return (step, size) if by_row else (size, step)

    def _keep(self) -> tuple[typing.Any, int, int]:
        # A view of its own holds the memory, which tassign() takes from the tile.
        from . import Context
        with Context() as ctx:
            held = self.view(ctx, 0, 0, self.rows, self.cols)
        return (held._native, held._memory), _raw.pto_tile_data(held), held.bytes


class Tensor(TensorFacts, Elements):
    """Global memory: up to five dimensions of elements, each with its stride in elements."""

    _WRITE = staticmethod(_raw.pto_tensor_write_as)
    _READ = staticmethod(_raw.pto_tensor_read_as)

    def __init__(self, ctx: Context, dtype: DTypeLike, dims: typing.Sequence[int], strides: typing.Sequence[int] | None = None,
                 layout: Layout | int = Layout.ND) -> None:
        super().__init__(_raw.pto_tensor_create(ctx, _tensor_desc(dtype, dims, strides, layout)))

    @classmethod
    def wrap(cls, ctx: Context, array: typing.Any, dtype: DTypeLike | None = None, layout: Layout | int = Layout.ND) -> Self:
        """A tensor over the memory of an array, NumPy's or one with DLPack, without a copy: element (i, j, ...) of the tensor is
        array[i, j, ...]. The array may be strided or transposed. `dtype` names a type that NumPy lacks, whose bits it holds."""
        array, held = _wrappable(array, dtype)
        size = array.itemsize
        if array.size and min(array.strides, default=0) < 0:
            raise ValueError("an array with negative strides cannot be shared; copy it first")
        if any(stride % size for dim, stride in zip(array.shape, array.strides) if dim > 1):
            raise ValueError("the array's strides of %s bytes are not multiples of its element size %d; copy it first" % (array.strides, size))
        # No index exceeds 0 where a dimension has one element, and NumPy may have any stride there.
        strides = [stride if dim > 1 else size for dim, stride in zip(array.shape, array.strides)]
        dense = array.flags.c_contiguous and layout == Layout.ND
        desc = _tensor_desc(held, array.shape, None if dense else [stride // size for stride in strides], layout)
        return typing.cast("Self", cls._own(_raw.pto_tensor_wrap(ctx, desc, _bytes(array, strides)), array))

    def view(self, ctx: Context, dtype: DTypeLike, dims: typing.Sequence[int], strides: typing.Sequence[int] | None = None,
             layout: Layout | int = Layout.ND, offset: int = 0) -> Tensor:
        """A tensor over a part of this tensor's memory, `offset` elements after its first one, without a copy."""
        desc = _tensor_desc(dtype, dims, strides, layout)
        return typing.cast(Tensor, Tensor._own(_raw.pto_tensor_view(ctx, self, desc, offset), self._memory))

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(_raw.pto_tensor_dim(self, i) for i in range(self.rank))

    def _strides(self) -> tuple[int, ...] | None:
        if self.dtype in _arrays.PACKED:
            return None
        size = _raw.pto_dtype_bytes(self.dtype)
        return tuple(size * _raw.pto_tensor_stride(self, i) for i in range(self.rank))

    def _keep(self) -> tuple[typing.Any, int, int]:
        native = self._native
        last = sum((dim - 1) * stride for dim, stride in zip(self.shape, self._strides() or ()))
        return (native, self._memory), _raw.pto_tensor_data(self), last + _raw.pto_dtype_bytes(self.dtype)


def _tensor_desc(dtype: DTypeLike, dims: typing.Sequence[int], strides: typing.Sequence[int] | None, layout: int) -> typing.Any:
    if len(dims) > 5 or (strides is not None and len(strides) != len(dims)):
        raise ValueError("a tensor has 1 to 5 dimensions and a stride for each")
    desc = _raw.pto_tensor_desc()
    desc.struct_size = _raw.tensor_desc_size
    desc.dtype, desc.layout, desc.rank, desc.strided = _arrays.as_dtype(dtype), layout, len(dims), int(strides is not None)
    for i, dim in enumerate(dims):
        setattr(desc, "dim%d" % i, dim)
        setattr(desc, "stride%d" % i, strides[i] if strides is not None else 0)
    return desc
