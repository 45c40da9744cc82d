"""The army code: everything an army follows from, short enough to type. The same code gives the same army everywhere.

It holds the version of the rules, loyalty, houses lost, the siege, the house rules that touch an army, the words (or the
dice, where there were none) and every choice that was not the usual one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from chance import normal_word
from musters.rolls.bits import Reader, Writer, bits_of, spelled
from musters.rolls.course import Throw, dice_of
from musters.rolls.words import NUMBER, WORD_MOST, WORDS
from refusal import Refusal
from rulebook.army import Army, Siege
from rulebook.muster import Muster, played
from rulebook.muster_questions import Answer, Question
from rulebook.muster_table import Call
from rulebook.options import BY_THE_BOOK, OPTION, Options

FORMAT = 1
SEAL_BITS = 16
RULES = 1
SIDES = ("", "attacker", "defender")
SIEGES: tuple[Siege | None, ...] = (None, "attacker", "defender")
LETTERS_MOST = 600
WORDS_MOST = 4
VP_MOST = 9999
DICE_MOST = 400

# House rules that touch an army or its roster, each with its number for ever.
OPTION_NUMBERS = {
    "fealty_regain": 0, "lesser_unit": 1, "loyalty_cap": 2, "unique_heroes": 3, "rebel_zero": 4, "rebel_loyalty": 5,
    "barbarian": 6, "champion_scope": 7, "bearers_stack": 8,
}  # fmt: skip
OPTION_OF = {number: key for key, number in OPTION_NUMBERS.items()}


@dataclass(frozen=True, slots=True)
class Source:
    """Where the dice came from: words, with the side whose stream they are; or the dice themselves."""

    words: tuple[str, ...] = ()
    side: str = ""


DICE = Source()


@dataclass(frozen=True, slots=True)
class Recipe:
    """A code read back: the muster it names, and its words."""

    code: str
    source: Source
    muster: Muster

    @property
    def army(self) -> Army:
        if self.muster.army is None:
            raise Refusal("This code does not lead to a whole army.", field="code")
        return self.muster.army


def touching(options: Options) -> Options:
    """The house rules a code carries; the rest has no say in an army."""
    kept = {key: value for key, value in options.differences().items() if key in OPTION_NUMBERS}
    return Options.from_differences(kept)


def code_of(muster: Muster, source: Source = DICE) -> str:
    """The code of a finished muster. Words are kept only if its dice are really theirs."""
    call = muster.call
    source = Source(tuple([normal_word(word) for word in source.words]), source.side)
    pen = Writer()
    pen.put(FORMAT, 2)
    pen.number(RULES)
    pen.signed(call.loyalty)
    differences = touching(call.options).differences()
    plain = not (call.lost or call.siege or call.vp or differences)
    pen.put(int(plain), 1)
    if not plain:
        pen.put(sum(1 << house - 1 for house in call.lost), 4)
        pen.put(SIEGES.index(call.siege), 2)
        pen.number(min(call.vp, VP_MOST))
        _put_options(pen, differences)
    faces = [face for given in muster.answers for face in given.thrown]
    by_words = bool(source.words) and dice_of(source.words, source.side).d10s(len(faces)) == faces
    pen.put(int(by_words), 1)
    if by_words:
        _put_words(pen, source)
    else:
        pen.number(len(faces))
        for face in faces:
            pen.put(face - 1, 4)
    _put_choices(pen, call, muster.answers)
    pen.put(_seal(pen.bits), SEAL_BITS)
    return spelled(pen.bits)


def recipe_of(typed: str) -> Recipe:
    """The army a code names, or a refusal that says what is wrong with it."""
    letters = typed.strip()
    if "/a/" in letters:  # a whole address, pasted
        letters = letters.split("/a/", 1)[1].split("/", 1)[0].split("?", 1)[0]
    bits = bits_of(letters, LETTERS_MOST)
    pen = Reader(bits)
    if pen.take(2) != FORMAT:
        raise Refusal("This is no army code of this site, or of a later form than it knows.", field="code")
    if (rules := pen.number()) != RULES:
        raise Refusal(
            f"This code was made under version {rules} of the rules; this site plays version {RULES}.", field="code"
        )
    call = _call(pen)
    source, throw = _source(pen)
    muster = _played(pen, call, throw)
    if _seal(bits[: pen.at]) != pen.take(SEAL_BITS) or any(bits[pen.at :]) or len(bits) - pen.at >= 20:
        raise Refusal("This army code is not whole: a group is missing, or one is too many.", field="code")
    return Recipe(spelled(bits[: pen.at]), source, muster)


def army_of_code(typed: str) -> Army:
    return recipe_of(typed).army


def _seal(bits: Sequence[int]) -> int:
    """A check on the whole, so that a group left out or too many is found too."""
    return int.from_bytes(sha256("".join(map(str, bits)).encode()).digest()[: SEAL_BITS // 8], "big")


# --- the call -----------------------------------------------------------------------------------------------------


def _call(pen: Reader) -> Call:
    loyalty = pen.signed()
    if pen.take(1):
        return Call(loyalty)
    mask = pen.take(4)
    siege = pen.take(2)
    if siege >= len(SIEGES):
        raise Refusal("This army code names a siege that does not exist.", field="code")
    lost = tuple([house for house in (1, 2, 3, 4) if mask >> house - 1 & 1])
    return Call(loyalty, lost, SIEGES[siege], pen.number(), _options(pen))


def _put_options(pen: Writer, differences: dict[str, Any]) -> None:
    pen.number(len(differences))
    for key, value in differences.items():
        row = OPTION[key]
        pen.number(OPTION_NUMBERS[key])
        if row.kind == "number":
            pen.number(value)
        else:
            pen.number([choice.value for choice in row.choices].index(value))


def _options(pen: Reader) -> Options:
    found: dict[str, object] = {}
    for _ in range(pen.number()):
        key = OPTION_OF.get(pen.number())
        value = pen.number()
        if key is None:
            raise Refusal("This army code names a house rule that this site does not know.", field="code")
        row = OPTION[key]
        if row.kind == "number":
            found[key] = value
        elif value < len(row.choices):
            found[key] = row.choices[value].value
        else:
            raise Refusal(
                f"This army code sets the house rule {row.title} in a way this site does not know.", field="code"
            )
    return Options.from_differences(found) if found else BY_THE_BOOK


# --- where the dice come from ---------------------------------------------------------------------------------------


def _put_words(pen: Writer, source: Source) -> None:
    if not 1 <= len(source.words) <= WORDS_MOST:
        raise Refusal(f"An army follows from one to {WORDS_MOST} words.", field="words")
    pen.put(len(source.words) - 1, 2)
    pen.put(SIDES.index(source.side), 2)
    ours = all(word in NUMBER for word in source.words)
    pen.put(int(ours), 1)
    for word in source.words:
        if ours:
            pen.put(NUMBER[word], 8)
        else:
            raw = word.encode()
            pen.number(len(raw))
            for byte in raw:
                pen.put(byte, 8)


def _source(pen: Reader) -> tuple[Source, Throw]:
    if not pen.take(1):
        count = pen.number()
        if count > DICE_MOST:
            raise Refusal("This army code holds more dice than a muster can need.", field="code")
        faces = iter([pen.take(4) + 1 for _ in range(count)])
        return Source(), lambda: _next_face(faces)
    count = pen.take(2) + 1
    side = pen.take(2)
    if side >= len(SIDES):
        raise Refusal("This army code names a side that does not exist.", field="code")
    ours = pen.take(1)
    words = tuple([WORDS[pen.take(8)] if ours else _word(pen) for _ in range(count)])
    source = Source(words, SIDES[side])
    return source, dice_of(words, SIDES[side]).d10


def _next_face(faces: Iterator[int]) -> int:
    for face in faces:
        return face
    raise Refusal("This army code holds too few dice for its army.", field="code")


def _word(pen: Reader) -> str:
    length = pen.number()
    if length > WORD_MOST * 4:
        raise Refusal("This army code holds a word that is too long.", field="code")
    try:
        return bytes([pen.take(8) for _ in range(length)]).decode()
    except UnicodeDecodeError as error:
        raise Refusal("This army code holds a word that cannot be read.", field="code") from error


# --- choices --------------------------------------------------------------------------------------------------------


def _put_choices(pen: Writer, call: Call, answers: Sequence[Answer]) -> None:
    """One bit if everything was as usual; else one for each question, and more where it was not."""
    rows: list[list[int]] = []
    left = iter(answers)

    def give(question: Question) -> Answer | None:
        given = next(left, None)
        if given is not None:
            rows.append(_unusual(question, given))
        return given

    if played(call, give).question is not None:
        raise Refusal("Only a finished muster has an army code.", field="code")
    usual = not any(rows)
    pen.put(int(usual), 1)
    if usual:
        return
    for row in rows:
        pen.put(1 if row else 0, 1)
        for value in row:
            pen.number(value)


def _unusual(question: Question, given: Answer) -> list[int]:
    if question.die:
        # Thrown again so often, and which of the throws was kept.
        return [given.rerolls, given.thrown.index(int(given.value))] if given.rerolls else []
    index = [choice.key for choice in question.choices].index(str(given.value))
    return [index] if index else []


def _played(pen: Reader, call: Call, throw: Throw) -> Muster:
    usual = pen.take(1)
    asked = 0

    def give(question: Question) -> Answer:
        nonlocal asked
        asked += 1
        if asked > DICE_MOST:
            raise Refusal("This army code holds more questions than a muster has.", field="code")
        unusual = 0 if usual else pen.take(1)
        if question.die:
            return _die(pen, throw, bool(unusual))
        index = pen.number() if unusual else 0
        if index >= len(question.choices):
            raise Refusal("This army code makes a choice that is not offered.", field="code")
        return Answer(question.choices[index].key)

    return played(call, give)


def _die(pen: Reader, throw: Throw, again: bool) -> Answer:
    times, kept = (pen.number(), pen.number()) if again else (0, 0)
    if times > DICE_MOST:
        raise Refusal("This army code holds more dice than a muster can need.", field="code")
    faces = tuple([throw() for _ in range(times + 1)])
    if kept >= len(faces):
        raise Refusal("This army code keeps a die that was not thrown.", field="code")
    return Answer(faces[kept], faces)
