"""The army code: short enough to type, and the same code gives the same army everywhere.

It holds the rules version, loyalty, lost houses, siege side, the house rules that matter, the words (or the dice) and
every choice that was not the default.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from chance import normalise_word
from musters.core.auto_roll import MAX_WORD_LENGTH, NUMBER, WORDS, RollDie, dice_from_words
from refusal import Refusal
from rulebook.data.house_rules import BY_THE_BOOK, OPTION, Options, Value
from rulebook.data.muster_table import MusterCall
from rulebook.muster.army import Army, Siege
from rulebook.muster.questions import MusterAnswer, Question
from rulebook.muster.roll_muster import Muster, run_muster

FORMAT = 1
CHECKSUM_BITS = 16
RULES = 1
SIDES = ("", "attacker", "defender")
SIEGES: tuple[Siege | None, ...] = (None, "attacker", "defender")
MAX_CODE_LENGTH = 600
MAX_WORDS = 4
MAX_VP = 9999
MAX_DICE = 400

# House rules that affect an army or its roster. Never change a number.
OPTION_NUMBERS = {
    "fealty_regain": 0,
    "lesser_unit": 1,
    "loyalty_cap": 2,
    "unique_heroes": 3,
    "rebel_zero": 4,
    "rebel_loyalty": 5,
    "barbarian": 6,
    "champion_scope": 7,
    "bearers_stack": 8,
}
OPTION_OF = {number: key for key, number in OPTION_NUMBERS.items()}


@dataclass(frozen=True, slots=True)
class DiceSource:
    """Where the dice came from: words and a side, or the listed dice."""

    words: tuple[str, ...] = ()
    side: str = ""


LISTED_DICE = DiceSource()


@dataclass(frozen=True, slots=True)
class DecodedArmy:
    code: str
    source: DiceSource
    muster: Muster

    @property
    def army(self) -> Army:
        if self.muster.army is None:
            raise Refusal("This code does not describe a complete army.", field="code")
        return self.muster.army


def options_in_code(options: Options) -> Options:
    kept = {key: value for key, value in options.differences().items() if key in OPTION_NUMBERS}
    return Options.from_differences(kept)


def code_of(muster: Muster, source: DiceSource = LISTED_DICE) -> str:
    """The code of a finished muster. It holds the words only if they produce these dice."""
    call = muster.call
    source = DiceSource(tuple([normalise_word(word) for word in source.words]), source.side)
    writer = BitWriter()
    writer.put(FORMAT, 2)
    writer.number(RULES)
    writer.signed(call.loyalty)
    differences = options_in_code(call.options).differences()
    plain = not (call.lost or call.siege or call.vp or differences)
    writer.put(int(plain), 1)
    if not plain:
        writer.put(sum(1 << house - 1 for house in call.lost), 4)
        writer.put(SIEGES.index(call.siege), 2)
        writer.number(min(call.vp, MAX_VP))
        _write_options(writer, differences)
    faces = [face for given in muster.answers for face in given.thrown]
    by_words = bool(source.words) and dice_from_words(source.words, source.side).d10s(len(faces)) == faces
    writer.put(int(by_words), 1)
    if by_words:
        _write_words(writer, source)
    else:
        writer.number(len(faces))
        for face in faces:
            writer.put(face - 1, 4)
    _write_choices(writer, call, muster.answers)
    writer.put(_checksum(writer.bits), CHECKSUM_BITS)
    return encode_bits(writer.bits)


def decode_army(typed: str) -> DecodedArmy:
    letters = typed.strip()
    if "/a/" in letters:  # a pasted URL
        letters = letters.split("/a/", 1)[1].split("/", 1)[0].split("?", 1)[0]
    bits = decode_letters(letters, MAX_CODE_LENGTH)
    reader = BitReader(bits)
    if reader.take(2) != FORMAT:
        raise Refusal("This is not an army code, or it comes from a newer version of this site.", field="code")
    if (rules := reader.number()) != RULES:
        raise Refusal(
            f"This code was made under version {rules} of the rules; this site uses version {RULES}.", field="code"
        )
    call = _read_call(reader)
    source, throw = _read_source(reader)
    muster = _read_choices(reader, call, throw)
    if (
        _checksum(bits[: reader.at]) != reader.take(CHECKSUM_BITS)
        or any(bits[reader.at :])
        or len(bits) - reader.at >= 20
    ):
        raise Refusal("This army code is incomplete or has an extra group. Check every group.", field="code")
    return DecodedArmy(encode_bits(bits[: reader.at]), source, muster)


def army_of_code(typed: str) -> Army:
    return decode_army(typed).army


def _checksum(bits: Sequence[int]) -> int:
    """A checksum over the whole code, to find missing or extra groups."""
    return int.from_bytes(sha256("".join(map(str, bits)).encode()).digest()[: CHECKSUM_BITS // 8], "big")


# --- the call -----------------------------------------------------------------------------------------------------


def _read_call(reader: "BitReader") -> MusterCall:
    loyalty = reader.signed()
    if reader.take(1):
        return MusterCall(loyalty)
    mask = reader.take(4)
    siege = reader.take(2)
    if siege >= len(SIEGES):
        raise Refusal("This army code has an unknown siege side.", field="code")
    lost = tuple([house for house in (1, 2, 3, 4) if mask >> house - 1 & 1])
    return MusterCall(loyalty, lost, SIEGES[siege], reader.number(), _read_options(reader))


def _write_options(writer: "BitWriter", differences: Mapping[str, Value]) -> None:
    writer.number(len(differences))
    for key, value in differences.items():
        row = OPTION[key]
        writer.number(OPTION_NUMBERS[key])
        if row.kind == "number":
            assert isinstance(value, int)
            writer.number(value)
        else:
            writer.number([choice.value for choice in row.choices].index(value))


def _read_options(reader: "BitReader") -> Options:
    differences: dict[str, object] = {}
    for _ in range(reader.number()):
        key = OPTION_OF.get(reader.number())
        value = reader.number()
        if key is None:
            raise Refusal("This army code uses a house rule this site does not know.", field="code")
        row = OPTION[key]
        if row.kind == "number":
            differences[key] = value
        elif value < len(row.choices):
            differences[key] = row.choices[value].value
        else:
            raise Refusal(f"This army code has an unknown value for the house rule {row.title}.", field="code")
    return Options.from_differences(differences) if differences else BY_THE_BOOK


# --- dice ---------------------------------------------------------------------------------------


def _write_words(writer: "BitWriter", source: DiceSource) -> None:
    if not 1 <= len(source.words) <= MAX_WORDS:
        raise Refusal(f"Enter one to {MAX_WORDS} words.", field="words")
    writer.put(len(source.words) - 1, 2)
    writer.put(SIDES.index(source.side), 2)
    ours = all(word in NUMBER for word in source.words)
    writer.put(int(ours), 1)
    for word in source.words:
        if ours:
            writer.put(NUMBER[word], 8)
        else:
            raw = word.encode()
            writer.number(len(raw))
            for byte in raw:
                writer.put(byte, 8)


def _read_source(reader: "BitReader") -> tuple[DiceSource, RollDie]:
    if not reader.take(1):
        count = reader.number()
        if count > MAX_DICE:
            raise Refusal("This army code has more dice than a muster needs.", field="code")
        faces = iter([reader.take(4) + 1 for _ in range(count)])
        return DiceSource(), lambda: _next_face(faces)
    count = reader.take(2) + 1
    side = reader.take(2)
    if side >= len(SIDES):
        raise Refusal("This army code has an unknown side.", field="code")
    ours = reader.take(1)
    words = tuple([WORDS[reader.take(8)] if ours else _read_word(reader) for _ in range(count)])
    source = DiceSource(words, SIDES[side])
    return source, dice_from_words(words, SIDES[side]).d10


def _next_face(faces: Iterator[int]) -> int:
    for face in faces:
        return face
    raise Refusal("This army code has too few dice for its army.", field="code")


def _read_word(reader: "BitReader") -> str:
    length = reader.number()
    if length > MAX_WORD_LENGTH * 4:
        raise Refusal("This army code has a word that is too long.", field="code")
    try:
        return bytes([reader.take(8) for _ in range(length)]).decode()
    except UnicodeDecodeError as error:
        raise Refusal("This army code has an unreadable word.", field="code") from error


# --- choices --------------------------------------------------------------------------------------------------------


def _write_choices(writer: "BitWriter", call: MusterCall, answers: Sequence[MusterAnswer]) -> None:
    """One bit if every choice was the default; otherwise one per question, plus numbers for the exceptions."""
    rows: list[list[int]] = []
    left = iter(answers)

    def give(question: Question) -> MusterAnswer | None:
        given = next(left, None)
        if given is not None:
            rows.append(_unusual_numbers(question, given))
        return given

    if run_muster(call, give).question is not None:
        raise Refusal("Finish the muster to get its army code.", field="code")
    usual = not any(rows)
    writer.put(int(usual), 1)
    if usual:
        return
    for row in rows:
        writer.put(1 if row else 0, 1)
        for value in row:
            writer.number(value)


def _unusual_numbers(question: Question, given: MusterAnswer) -> list[int]:
    if question.die:
        # Number of re-rolls, and which roll counts.
        return [given.rerolls, given.thrown.index(int(given.value))] if given.rerolls else []
    index = [choice.key for choice in question.choices].index(str(given.value))
    return [index] if index else []


def _read_choices(reader: "BitReader", call: MusterCall, throw: RollDie) -> Muster:
    usual = reader.take(1)
    asked = 0

    def give(question: Question) -> MusterAnswer:
        nonlocal asked
        asked += 1
        if asked > MAX_DICE:
            raise Refusal("This army code has more answers than a muster has questions.", field="code")
        unusual = 0 if usual else reader.take(1)
        if question.die:
            return _read_die(reader, throw, bool(unusual))
        index = reader.number() if unusual else 0
        if index >= len(question.choices):
            raise Refusal("This army code has an impossible choice.", field="code")
        return MusterAnswer(question.choices[index].key)

    return run_muster(call, give)


def _read_die(reader: "BitReader", throw: RollDie, again: bool) -> MusterAnswer:
    times, kept = (reader.number(), reader.number()) if again else (0, 0)
    if times > MAX_DICE:
        raise Refusal("This army code has more dice than a muster needs.", field="code")
    faces = tuple([throw() for _ in range(times + 1)])
    if kept >= len(faces):
        raise Refusal("This army code keeps a die that was not rolled.", field="code")
    return MusterAnswer(faces[kept], faces)


# ── Bits as letters: groups of five, the last letter a check on the other four ───────────────────────────


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
