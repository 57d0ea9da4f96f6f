"""What all handles share, and the errors of their calls."""
from __future__ import annotations

import re
import typing

from . import raw as _raw
from ._ops import _WORDS, Status

Self = typing.TypeVar("Self", bound="Handle")


class Error(Exception):
    """A call that the library refused; nothing was changed by it."""

    def __init__(self, status: int, message: str, rule: str = "", operand: str = "", remedy: str = "") -> None:
        super().__init__(message)
        self.status = Status(status)
        self.rule = rule
        self.operand = operand
        self.remedy = remedy

    def __reduce__(self) -> typing.Any:
        return Error, (self.status, self.args[0], self.rule, self.operand, self.remedy)


def _in_python(text: str) -> str:
    """A message of the library with Python's names in place of C's."""
    return re.sub(r"\b(?:NULL|(?:pto|PTO)_\w+)\b(?:\(\))?", lambda match: _WORDS.get(match[0].removesuffix("()"), match[0]), text)


def _refused(status: int, message: str, rule: str, operand: str, remedy: str) -> Error:
    return Error(status, _in_python(message), rule, operand, _in_python(remedy))


_raw.raise_by(_refused)


class Handle:
    """A native object, released by close(), by `with`, or with the last reference to it."""

    _native: typing.Any = None
    _memory: typing.Any = None
    _INSTEAD = ""

    def __init__(self, native: typing.Any, memory: typing.Any = None) -> None:
        self._native = native  # a capsule of libpto.raw, which releases the object when the last call is over
        self._memory = memory  # wrapped memory is there as long as anything that reaches it

    @classmethod
    def _own(cls, native: typing.Any, memory: typing.Any = None) -> typing.Any:
        handle = cls.__new__(cls)
        Handle.__init__(handle, native, memory)
        return handle

    def close(self) -> None:
        """Gives the native object back; closing again does nothing. A call that uses it ends first."""
        self._native = None

    @property
    def closed(self) -> bool:
        return self._native is None

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<libpto.%s%s>" % (type(self).__name__, " closed" if self.closed else self._tells())

    def _tells(self) -> str:
        return ""

    def __reduce_ex__(self, _: typing.Any) -> typing.NoReturn:
        raise TypeError("a libpto.%s is native and can neither be copied nor pickled; %s" % (type(self).__name__, self._INSTEAD))
