"""What the generated enums are made from: integers that print as names."""
import enum
import typing


class _Named:
    def __str__(self) -> str:
        return repr(self)

    def __format__(self, spec: str) -> str:
        return format(int(typing.cast(int, self)) if spec and spec[-1] in "bcdoxXn" else str(self), spec)


class Enum(_Named, enum.IntEnum):
    """A newer library may answer values without a name: they stay integers of the enum's class."""

    @classmethod
    def _missing_(cls, value: object) -> typing.Any:
        if not isinstance(value, int):
            return None
        member = int.__new__(cls, value)
        member._name_ = "UNKNOWN_%d" % value
        member._value_ = value
        return member

    def __repr__(self) -> str:
        return "%s.%s" % (type(self).__name__, self._name_)


class Flag(_Named, enum.IntFlag):
    """Names that are or-ed together."""

    def __repr__(self) -> str:
        cls = type(self)
        names = ["%s.%s" % (cls.__name__, flag._name_) for flag in cls if int(flag) & int(self)]
        left = int(self) & ~sum(int(flag) for flag in cls)
        if left or not names:
            names.append("%s(%d)" % (cls.__name__, left))
        return "|".join(names)
