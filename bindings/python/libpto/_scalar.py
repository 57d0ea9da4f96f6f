"""Numbers that stand for an element."""
from __future__ import annotations

import typing

import numpy as np

from ._ops import ScalarKind


class Scalar(typing.NamedTuple):
    """A number that stands for an element, where an int or a float cannot say it."""

    bits: int
    kind: ScalarKind

    @classmethod
    def of_bits(cls, bits: int) -> Scalar:
        """The bits of an element, for instance of a NaN with a payload."""
        return cls(bits, ScalarKind.BITS)


Number = typing.Union[int, float, "np.number[typing.Any]", Scalar]
