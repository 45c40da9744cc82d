"""Bits as letters that people can type: groups of five, the last letter a check on the other four."""

from __future__ import annotations

from refusal import Refusal

# Crockford's thirty-two: no I, L, O or U, which are read as 1, 1, 0 and V.
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
VALUE = {letter: number for number, letter in enumerate(LETTERS)} | {"I": 1, "L": 1, "O": 0, "U": 27}
GROUP = 5
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


class BitWriter:
    def __init__(self) -> None:
        self.bits: list[int] = []

    def put(self, value: int, width: int) -> None:
        if not 0 <= value < 1 << width:
            raise ValueError(f"{value} does not fit into {width} bits")
        self.bits += [value >> at & 1 for at in reversed(range(width))]

    def number(self, value: int) -> None:
        """A number from 0 up: three bits at a time, each with a bit that says whether more follow."""
        while True:
            value, low = value >> 3, value & 7
            self.put((1 if value else 0) << 3 | low, 4)
            if not value:
                return

    def signed(self, value: int) -> None:
        self.number(value * 2 if value >= 0 else -value * 2 - 1)


class BitReader:
    def __init__(self, bits: list[int]) -> None:
        self.bits = bits
        self.at = 0

    def take(self, width: int) -> int:
        if self.at + width > len(self.bits):
            raise Refusal("This army code is too short. Part of it is missing.", field="code")
        value = 0
        for bit in self.bits[self.at : self.at + width]:
            value = value << 1 | bit
        self.at += width
        return value

    def number(self) -> int:
        value = shift = 0
        while True:
            part = self.take(4)
            value |= (part & 7) << shift
            shift += 3
            if not part & 8:
                return value
            if shift > 30:
                raise Refusal("This army code has a number that is too large.", field="code")

    def signed(self) -> int:
        value = self.number()
        return -(value + 1 >> 1) if value & 1 else value >> 1


def _times_alpha(value: int) -> int:
    """Multiply in the field of 32 elements: any wrong letter or two swapped letters change the check."""
    value <<= 1
    return value ^ 0b100101 if value & 32 else value


def check_value(group: list[int], index: int) -> int:
    """The position counts too, so swapped groups are noticed."""
    check = (index + 1) % 32
    for value in group:
        check = _times_alpha(check ^ value)
    return check


def encode_bits(bits: list[int]) -> str:
    """The bits as groups: MK3Q7-92QFA-…"""
    width = (GROUP - 1) * 5
    padded = bits + [0] * (-len(bits) % width)
    groups = []
    for index, start in enumerate(range(0, len(padded), width)):
        part = padded[start : start + width]
        values = [int("".join(map(str, part[at : at + 5])), 2) for at in range(0, width, 5)]
        groups.append("".join(LETTERS[value] for value in [*values, check_value(values, index)]))
    return "-".join(groups)


def decode_letters(typed: str, longest: int) -> list[int]:
    """The bits of a typed code, or a refusal that says where the mistake is."""
    letters = [letter for letter in typed.upper() if not letter.isspace() and letter not in "-–—.,_"]
    if not letters:
        raise Refusal("Enter an army code.", field="code")
    for letter in letters:
        if letter not in VALUE:
            raise Refusal(f"“{letter}” is not used in army codes. Use letters and digits.", field="code")
    if len(letters) > longest:
        raise Refusal("This army code is too long.", field="code")
    bits: list[int] = []
    for index, start in enumerate(range(0, len(letters), GROUP)):
        group = letters[start : start + GROUP]
        values = [VALUE[letter] for letter in group]
        name = _ORDINALS[index] if index < len(_ORDINALS) else f"{index + 1}th"
        if len(group) < GROUP:
            missing = GROUP - len(group)
            raise Refusal(
                f"The {name} group, {''.join(group)}, has {len(group)} of {GROUP} characters: {missing} more "
                f"{'is' if missing == 1 else 'are'} missing here or earlier.",
                field="code",
            )
        if check_value(values[:-1], index) != values[-1]:
            raise Refusal(f"There is a typing mistake in the {name} group, {''.join(group)}. Check it.", field="code")
        bits += [value >> at & 1 for value in values[:-1] for at in reversed(range(5))]
    return bits
