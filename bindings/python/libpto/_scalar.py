"""Numbers that are converted to elements."""
from __future__ import annotations

import typing

import numpy as np

from ._ops import ScalarKind


class Scalar(typing.NamedTuple):
    """A number that is converted to an element, for values that an int or a float cannot express."""

    bits: int
    kind: ScalarKind

    @classmethod
    def of_bits(cls, bits: int) -> Scalar:
        """The bits of an element, for instance of a NaN with a payload."""
        return cls(bits, ScalarKind.BITS)


Number = typing.Union[int, float, "np.number[typing.Any]", Scalar]
