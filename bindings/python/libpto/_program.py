"""Instructions as objects, and PTO-AS programs."""
from __future__ import annotations

import array
import dataclasses
import enum
import html
import operator
import signal
import threading
import typing

import numpy as np

from . import _arrays, raw as _raw
from ._handle import Error, Handle
from ._ops import ArgKind, DType, EventField, EventPart, EventTileField, Form, Profile, Record, SLayout, Status
from ._tile import Tensor, Tile

if typing.TYPE_CHECKING:
    from . import Context
    from ._scalar import Number
    from ._world import World


class Inst(Handle):
    """An instruction with its operands, for interpreters; programs call the methods of Context."""

    _INSTEAD = "make another of the same name."

    def __init__(self, ctx: Context, name: str) -> None:
        native = _raw.pto_inst_create(ctx, name)
        # The objects that the native instruction reaches through its tiles and tensors, by operand.
        self._operands: dict[int, typing.Any] = {}
        super().__init__(native, self._operands)

    def _set(self, ctx: Context, function: typing.Any, index: int, value: typing.Any, kept: typing.Any = None) -> None:
        function(ctx, self, index, value)
        self._operands[index] = kept

    def set_tile(self, ctx: Context, index: int, tile: Tile | None) -> None:
        """Sets a tile operand; None unsets it."""
        self._set(ctx, _raw.pto_inst_set_tile, index, tile, tile and tile._memory)

    def set_tensor(self, ctx: Context, index: int, tensor: Tensor | None) -> None:
        """Sets a tensor operand; None unsets it."""
        self._set(ctx, _raw.pto_inst_set_tensor, index, tensor, tensor and tensor._memory)

    def set_scalar(self, ctx: Context, index: int, value: Number) -> None:
        """Sets a scalar operand to an integer, a float or a Scalar."""
        self._set(ctx, _raw.pto_inst_set_scalar, index, value)

    def set_int(self, ctx: Context, index: int, value: int) -> None:
        """Sets an integer operand: a scalar, an integer, a mode or the flags."""
        self._set(ctx, _raw.pto_inst_set_int, index, value)

    def set_float(self, ctx: Context, index: int, value: float) -> None:
        """Sets a floating-point operand."""
        self._set(ctx, _raw.pto_inst_set_float, index, value)

    def check(self, ctx: Context) -> None:
        """Applies every rule to the operands, without running the instruction."""
        _raw.pto_inst_check(ctx, self)

    def run(self, ctx: Context) -> None:
        """Runs the instruction: the same as calling its method."""
        _raw.pto_inst_run(ctx, self)


class Report(str):
    """A document of HTML, which notebooks show."""

    def _repr_html_(self) -> str:
        # In a frame of its own: its names and styles are not the notebook's.
        return '<iframe style="width: 100%%; height: 60rem; border: 0" srcdoc="%s"></iframe>' % html.escape(self)


@dataclasses.dataclass(frozen=True)
class Argument:
    """An argument of a program's function."""

    index: int
    name: str
    kind: ArgKind
    dtype: DType | None  #: None where the program does not say
    optional: bool  #: whether it may stay unbound


class Program(Handle):
    """A PTO-AS program: its statements, its diagnostics and the bindings of its arguments."""

    _INSTEAD = "parse its text again."

    def __init__(self, ctx: Context, text: str, name: str | None = None) -> None:
        native = _raw.pto_program_parse(ctx, text.encode(), name)
        # The objects that the native program reaches through its bindings, by argument.
        self._bound: dict[str, typing.Any] = {}
        self._rank = -1  # that bind() is for; -1: every rank
        super().__init__(native, self._bound)
        # Errors of the text hide arguments; diagnostics of a later run do not.
        self._broken = any(": error: " in text for text in self.diagnostics)

    def arguments(self, entry: str | None = None) -> list[Argument]:
        """The arguments of a function, or of the one that runs when none is named."""
        found = []
        for i in range(max(_raw.pto_program_arg_count(self, entry), 0)):
            dtype = _raw.pto_program_arg_dtype(self, entry, i)
            found.append(Argument(i, _raw.pto_program_arg_name(self, entry, i), ArgKind(_raw.pto_program_arg_kind(self, entry, i)),
                                  None if dtype < 0 else DType(dtype), bool(_raw.pto_program_arg_optional(self, entry, i))))
        return found

    def _argument(self, arg: str | int, entry: str | None, call: str) -> Argument | None:
        """The argument of a name or number; None if the text has errors, which a check or run reports."""
        known = self.arguments(entry)
        for argument in known:
            if arg in (argument.name, argument.index) or arg == str(argument.index):
                return argument
        if _raw.pto_program_arg_count(self, entry) < 0 or self._broken:
            return None
        raise Error(Status.UNKNOWN, "Program.%s: there is no argument %s; there %s" % (
            call, arg, "are " + ", ".join(argument.name for argument in known) if known else "are none"), "argument-name", "arg",
            "Use a name or a number of Program.arguments().")

    def bind(self, ctx: Context, arg: str | int, value: typing.Any, entry: str | None = None) -> None:
        """Binds an argument, by name or number, to what a run reads and writes.

        For a tensor: a Tensor, or an array or anything with DLPack, whose memory is shared, strided or not. For a tile: a Tile, or
        an array in row or column order, whose memory is shared. Lists are copied, so that a run cannot answer in them. For a
        number: an int, a float or one of NumPy's, or a string such as "0.1": a decimal number, which is rounded once, to the type of
        the argument. None takes a binding back, as unbind() does.

        `entry` is the function that has the argument, where it is not the one that runs when none is named."""
        index = arg if isinstance(arg, str) else operator.index(arg)
        argument = self._argument(index, entry, "bind")
        # One argument has one binding, whether the caller knows it by name or by number.
        name = str(index) if argument is None else argument.name
        kind = ArgKind.OTHER if argument is None else argument.kind
        if argument is not None and kind in (ArgKind.TENSOR, ArgKind.TILE) and value is not None and not isinstance(value, (Tile, Tensor)):
            value = self._made(ctx, argument, value, entry)
        if value is None or isinstance(value, Tensor):
            _raw.pto_program_bind_tensor(ctx, self, name, value)
        elif isinstance(value, Tile):
            _raw.pto_program_bind_tile(ctx, self, name, value)
        elif kind == ArgKind.INT or (kind != ArgKind.FLOAT and isinstance(value, (int, np.integer))):
            _raw.pto_program_bind_int(ctx, self, name, value)
        elif isinstance(value, str):
            _raw.pto_program_bind_decimal(ctx, self, name, value)
        else:
            _raw.pto_program_bind_float(ctx, self, name, value)
        self._bound[name if self._rank < 0 else "%s@%d" % (name, self._rank)] = value._memory if isinstance(value, (Tile, Tensor)) else None

    def set_world(self, ctx: Context, world: World | None) -> None:
        """Sets the world that runs use; None: one device. Arguments bound on single ranks are no longer bound."""
        _raw.pto_program_set_world(ctx, self, world)
        self._rank = -1
        for key in [key for key in self._bound if "@" in key]:
            del self._bound[key]

    def bind_on(self, ctx: Context, rank: int | None) -> None:
        """Sets the rank that later calls of bind() are for; None: every rank."""
        _raw.pto_program_bind_on(ctx, self, -1 if rank is None else rank)
        self._rank = -1 if rank is None else rank

    def set_schedule(self, ctx: Context, seed: int) -> None:
        """Sets the order in which ranks take turns: 0, each until it waits, or the seed of a random order."""
        _raw.pto_program_set_schedule(ctx, self, seed)

    def set_late_data(self, ctx: Context, on: bool) -> None:
        """Whether data of ``comm.tput`` becomes visible to other ranks as late as the order of pipes allows."""
        _raw.pto_program_set_late_data(ctx, self, on)

    def _made(self, ctx: Context, argument: Argument, value: typing.Any, entry: str | None) -> Tile | Tensor:
        """A tile or tensor over an array that is bound to an argument."""
        lent = isinstance(value, np.ndarray) or hasattr(value, "__dlpack__")
        if not lent and argument.dtype is None:
            raise TypeError("%%%s has no element type that the program names; bind an array, whose type is known" % argument.name)
        # NumPy lacks some types: where the array has their bits, they are the argument's.
        bits = _arrays.BITS.get(argument.dtype) if argument.dtype is not None else None
        array = value if lent else _arrays.converted(value, typing.cast(DType, argument.dtype))
        dtype = argument.dtype if not lent or (bits is not None and getattr(value, "dtype", None) == _arrays.NUMPY[bits]) else None
        if argument.kind == ArgKind.TENSOR:
            return Tensor.wrap(ctx, array, dtype)
        try:
            native = _raw.pto_program_arg_tile(ctx, self, entry, argument.index)
        except Error:  # bare statements do not say their tiles' types
            return Tile.wrap(ctx, array, dtype)
        with typing.cast(Tile, Tile._own(native)) as like:
            if like.slayout != SLayout.NONE_BOX:
                raise TypeError("%%%s is a boxed tile, which shares no memory with an array; bind a Tile, for example of Tile.copy" % argument.name)
            return Tile.wrap(ctx, array, dtype, location=like.location, pad=like.pad)

    def bind_address(self, ctx: Context, arg: str | int, address: int, entry: str | None = None) -> None:
        """Binds a pointer argument to memory of unknown length, by the address of its first element. The views that the program
        makes of the pointer are the only bounds: what they describe must exist while the program runs. 0 takes the binding back."""
        index = arg if isinstance(arg, str) else operator.index(arg)
        argument = self._argument(index, entry, "bind_address")
        name = str(index) if argument is None else argument.name
        _raw.pto_program_bind_address(ctx, self, name, operator.index(address))
        self._bound[name] = None

    def set_output(self, ctx: Context, arg: str | int, on: bool = True, entry: str | None = None) -> None:
        """Sets whether what an argument is bound to holds no data before a run. A run that reads elements of it which it has not
        written before fails with unbound-argument. A new binding of the argument holds data."""
        index = arg if isinstance(arg, str) else operator.index(arg)
        argument = self._argument(index, entry, "set_output")
        _raw.pto_program_set_output(ctx, self, str(index) if argument is None else argument.name, on)

    def unbind(self, ctx: Context, arg: str | int, entry: str | None = None) -> None:
        """Takes a binding back: the argument is unbound, and what it was bound to is free."""
        self.bind(ctx, arg, None, entry)

    @property
    def entry(self) -> str | None:
        """The function that runs when none is named; None when that is not decided."""
        return _raw.pto_program_entry(self)

    @property
    def profile(self) -> Profile | None:
        """The profile that the program's pto.target_arch names."""
        profile = _raw.pto_program_profile(self)
        return None if profile < 0 else Profile(profile)

    def print(self, ctx: Context, form: Form | int = Form.KEEP) -> str:
        """The program as text, in one of its spellings."""
        return _raw.pto_program_print(ctx, self, form)

    def check(self, ctx: Context) -> None:
        """Applies the rules of the language and of the instructions."""
        _raw.pto_program_check(ctx, self)

    def lint(self, ctx: Context, checks: str | None = None) -> list[str]:
        """Reports code that is valid but probably wrong, as diagnostics: all checks, or the checks of a list (-ID: all others)."""
        _raw.pto_program_lint(ctx, self, checks)
        return self.diagnostics

    def limit(self, ctx: Context, steps: int | None = None, bytes: int | None = None, seconds: float | None = None) -> None:
        """Limits a run: its steps, the bytes that it holds, the time that it takes."""
        if steps is not None:
            _raw.pto_program_limit_steps(ctx, self, steps)
        if bytes is not None:
            _raw.pto_program_limit_bytes(ctx, self, bytes)
        if seconds is not None:
            _raw.pto_program_limit_time(ctx, self, int(seconds * 1000))

    def set_blocks(self, ctx: Context, blocks: int) -> None:
        """Sets how often the entry runs, as block 0, 1 and so on; 1 unless set."""
        _raw.pto_program_set_blocks(ctx, self, blocks)

    def kernels(self, ctx: Context, library: str | None = None) -> str:
        """A C++ source with a kernel for each public function, which embeds the program and runs it through libpto. `library` is a
        path of libpto for kernels that the loader finds none for."""
        return _raw.pto_program_kernels(ctx, self, library)

    def fix_sync(self, ctx: Context, entry: str | None = None) -> str:
        """The program with the flags and barriers that a run of it lacks. It runs once for each flag that is inserted or tried."""
        return _raw.pto_program_fix_sync(ctx, self, entry)

    def set_core(self, ctx: Context, block: int, blocks: int, lane: int = 0) -> None:
        """Sets which core a run is, for launchers that start a thread of their own for each: its block, how many there are, and the
        number of its vector core, 0 or 1."""
        _raw.pto_program_set_core(ctx, self, block, blocks, lane)

    def set_threads(self, ctx: Context, threads: int) -> None:
        """Sets on how many threads a run works, at most, 1 to 1024; 1 unless set."""
        _raw.pto_program_set_threads(ctx, self, threads)

    def set_sync(self, ctx: Context, on: bool) -> None:
        """Sets whether runs check that flags and barriers order accesses to the same bytes. Findings are diagnostics of the run."""
        _raw.pto_program_set_sync(ctx, self, on)

    def set_poison(self, ctx: Context, on: bool) -> None:
        """Sets whether inactive lanes of registers hold 0xA5 instead of 0, to find programs that depend on them."""
        _raw.pto_program_set_poison(ctx, self, on)

    def set_slack(self, ctx: Context, bytes: int) -> None:
        """Allows copies of the vector level to reach this many bytes beyond bound arrays, with a warning; 0 unless set."""
        _raw.pto_program_set_slack(ctx, self, bytes)

    def set_trace(self, ctx: Context, on: bool) -> None:
        """Sets whether runs record what trace() returns."""
        _raw.pto_program_set_trace(ctx, self, on)

    def trace(self, ctx: Context) -> str:
        """The instructions of the latest run with their times, as JSON that trace viewers show."""
        return _raw.pto_program_trace(ctx, self)

    def record(self, ctx: Context, what: Record | int = Record.TILES, max_bytes: int = 1 << 24) -> None:
        """Sets what runs record (a Record: instructions' times or their tiles too), and how much memory that may take."""
        _raw.pto_program_record(ctx, self, what, max_bytes)

    def _rows(self, ctx: Context, part: int, fields: type[enum.IntEnum], first: int) -> list[dict[str, int]]:
        names = [field.name.lower() for field in fields]
        count = max(_raw.program_event_count(self, part) - first, 0)
        data = array.array("q", bytes(8 * len(names) * count))
        _raw.program_read_events(ctx, self, part, first, len(names), data)
        return [dict(zip(names, data[i:i + len(names)])) for i in range(0, len(data), len(names))]

    def events(self, ctx: Context, first: int = 0) -> list[dict[str, int]]:
        """What the latest run recorded, instruction by instruction: numbers by the names of EventField, from event `first` on.

        While a run is under way any other thread may ask, with its own context, for what is there so far."""
        return self._rows(ctx, EventPart.EVENTS, EventField, first)

    def event_tiles(self, ctx: Context) -> list[dict[str, int]]:
        """The tiles of all events, one after another: numbers by the names of EventTileField."""
        return self._rows(ctx, EventPart.TILES, EventTileField, 0)

    def event_elements(self, ctx: Context, first: int, bytes: int) -> bytearray:
        """Recorded elements, at the offset that a tile of event_tiles() has."""
        data = bytearray(bytes)
        _raw.program_read_events(ctx, self, EventPart.ELEMENTS, first, 1, data)
        return data

    def mark(self, ctx: Context, event: int, note: str | None) -> None:
        """Marks an event of the latest run with a note, which the report shows; None takes the mark back."""
        _raw.pto_program_mark(ctx, self, event, note)

    def report(self, ctx: Context) -> Report:
        """A page that shows what the latest run recorded: in a notebook by itself, else text to write to a file."""
        return Report(_raw.pto_program_report(ctx, self))

    def run(self, ctx: Context, entry: str | None = None) -> None:
        """Runs a function of the program, after a check.

        Other threads go on meanwhile. On the main thread Ctrl-C, or an exception of another signal's handler, ends the run."""
        if threading.current_thread() is not threading.main_thread():
            _raw.pto_program_run(ctx, self, entry)
            return
        # Signals are handled on the main thread only, and only while it is not in C.
        refused: list[BaseException] = []
        given_up: list[bool] = []
        interrupt = None
        begin, done = threading.Event(), threading.Event()

        def work() -> None:
            begin.wait()
            try:
                if not given_up:
                    _raw.pto_program_run(ctx, self, entry)
            except BaseException as error:
                refused.append(error)
            finally:
                done.set()

        # The worker blocks signals, so that they arrive here. From its beginning on the context is the worker's until it
        # is done, also after a signal; Thread.join() would treat it as ended then.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            threading.Thread(target=work, daemon=True).start()
        except BaseException:
            given_up.append(True)
            begin.set()
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            raise
        while True:
            try:
                begin.set()
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
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

    @property
    def steps_so_far(self) -> int:
        """The steps of the run under way, about, or of the latest one; from any thread."""
        return _raw.program_steps_so_far(self)

    @property
    def blocks_so_far(self) -> int:
        """The block that the run under way is in, or how many the latest one finished; from any thread."""
        return _raw.program_blocks_so_far(self)

    @property
    def events_lost(self) -> int:
        """Events of the latest run for which there was no room; from any thread."""
        return _raw.program_events_lost(self)

    def stop(self) -> None:
        """Ends the run under way, or else the next one; from any thread."""
        _raw.program_stop(self)

    def forget_stop(self) -> None:
        """Takes back a stop() that no run has ended by."""
        _raw.program_forget_stop(self)

    def tile(self, ctx: Context, name: str) -> Tile:
        """The tile that a value of the entry had when the latest run ended."""
        return typing.cast(Tile, Tile._own(_raw.pto_program_tile(ctx, self, name), list(self._bound.values())))

    @property
    def output(self) -> str:
        """What the latest run printed."""
        return _raw.pto_program_output(self)

    @property
    def diagnostics(self) -> list[str]:
        """What is wrong, each as a compiler prints it."""
        return [_raw.pto_program_diagnostic_text(self, i) for i in range(_raw.pto_program_diagnostic_count(self))]
