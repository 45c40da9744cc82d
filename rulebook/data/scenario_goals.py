"""What a scenario counts beside units removed, and the ways its battle can end.

A scenario's ``tracks`` are all that score, tracker, report form, slip and story know of its goal. A class is a way to
count; a row says what is counted, and how many of it there are. Secure the Crossing has

    tracks=(HeldAtEnd("crossing", "crossings", 3),)

so the tracker takes how many crossings each side holds, the form asks it, and the list of points pays "crossing" for
each. ``field`` is where a report keeps the count. Reports are stored: a field keeps the name of the first goal that
was counted in this way. The rows are in scenarios.py.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from rulebook.data.house_rules import Options

Side = Literal["A", "B"]


@dataclass(frozen=True, slots=True)
class Ending:
    """One way a battle can end. ``winner`` is the winning side, "" if the count decides, None for a draw."""

    key: str
    winner: Side | Literal[""] | None
    text: str  # with {a} and {b} for the names of the sides
    yields: Side | None = None
    gone: Side | None = None  # all units it still has are removed
    flees: Side | None = None  # all units it still has flee
    holder: Side | None = None  # who holds the scenario's place
    complete: bool = False  # everything there is to count was reached

    def text_for(self, a: str, b: str) -> str:
        return self.text.format(a=a, b=b)


DRAW = Ending("draw", None, "Draw, left undecided")


def defeat_endings(loser: Side, options: Options) -> tuple[Ending, ...]:
    winner: Side = "B" if loser == "A" else "A"
    name = "{a}" if loser == "A" else "{b}"
    rows = (
        Ending(f"yielded-{loser}", winner, f"{name} yielded", yields=loser),
        Ending(f"destroyed-{loser}", winner, f"{name} has no units left", gone=loser),
    )
    if not options.rout_ends_battle:
        return rows
    return (*rows, Ending(f"routed-{loser}", winner, f"{name}: all remaining units flee", flees=loser))


@dataclass(frozen=True, slots=True)
class Track:
    """``key`` is the line of points that it pays; "" pays nothing."""

    way: ClassVar[str]  # names the way to count in templates
    field: ClassVar[str]
    side: ClassVar[Side | Literal["both"]] = "both"  # whose goal it is
    absent: ClassVar[str] = ""  # the refusal where a scenario does not count in this way
    impossible: ClassVar[tuple[str, ...]] = ()  # endings that cannot happen here
    # Words about it, with {t} for this row: in a short list of points, as a reason in the chronicle, in the score.
    each_text: ClassVar[str] = "{t.key}"
    reason_text: ClassVar[str] = "{t.noun} held"
    earned_text: ClassVar[str] = ""

    key: str = ""
    noun: str = ""  # plural, small letters
    most: int = 0  # how many there are

    @property
    def each(self) -> str:
        return self.each_text.format(t=self)

    @property
    def reason(self) -> str:
        return self.reason_text.format(t=self)

    def earned(self, number: int) -> str:
        return self.earned_text.format(t=self, number=number, units=count_units(number))

    def endings(self, rounds: int | None, options: Options) -> tuple[Ending, ...]:
        """How the goal can decide the battle. ``rounds``: the scenario's length."""
        return ()


@dataclass(frozen=True, slots=True)
class StandsAtEnd(Track):
    """Side A wins with a unit that is not fleeing after the last round."""

    way = "stand"
    side = "A"

    def endings(self, rounds: int | None, options: Options) -> tuple[Ending, ...]:
        held_out = Ending("held_out", "A", f"{{a}} held out for {rounds} rounds")
        if options.rout_ends_battle:  # "all remaining units flee" says the other ending already
            return (held_out,)
        return held_out, Ending("not_held", "B", f"No unit of {{a}} is left after {rounds} rounds", flees="A")


@dataclass(frozen=True, slots=True)
class HeldAtEnd(Track):
    """Objectives that a side holds with standing units at the end; whoever holds more wins."""

    way = "at_end"
    field = "crossings"
    absent = "There are no crossings in {name}."
    earned_text = "{number} {t.noun} occupied at the end."

    def endings(self, rounds: int | None, options: Options) -> tuple[Ending, ...]:
        return (Ending("counted", "", f"{rounds} rounds played: the {self.noun} decide"),)


@dataclass(frozen=True, slots=True)
class HeldEachRound(Track):
    """Objectives that pay at the end of every round. They decide nothing."""

    way = "each_round"
    field = "mounds"
    absent = "There are no tall mounds to score in {name}."
    each_text = "{t.key} a round"

    title: str = ""  # the noun in full

    def earned(self, number: int) -> str:
        return f"{self.title.capitalize()} held at the end of rounds: {number}."


@dataclass(frozen=True, slots=True)
class Escapes(Track):
    """Units of side A that leave over the far edge. It wins if enough of them do (house rule, R-60)."""

    way = "escape"
    field = "escaped"
    side = "A"
    absent = "Units escape only on side A of {only}."
    # Side A leaves the table by escaping or being removed, and its fleeing units run to the far edge.
    impossible = ("destroyed-A", "routed-A")
    each_text = "escaped"
    reason_text = "units escaped"
    earned_text = "{units} escaped."

    def endings(self, rounds: int | None, options: Options) -> tuple[Ending, ...]:
        return (Ending("over", "", "No unit of {a} is left on the table", gone="A"),)


@dataclass(frozen=True, slots=True)
class SetAblaze(Track):
    """Buildings that side A sets on fire; it wins when all of them burn (R-65)."""

    way = "ablaze"
    field = "ablaze"
    side = "A"
    absent = "No buildings burn in {name}, only in {only}."
    each_text = "ablaze"
    reason_text = "{t.noun} ablaze"
    earned_text = "{number} {t.noun} ablaze."

    def endings(self, rounds: int | None, options: Options) -> tuple[Ending, ...]:
        return (Ending("ablaze", "A", f"All {self.most} {self.noun} are ablaze", complete=True),)


@dataclass(frozen=True, slots=True)
class Holds(Track):
    """One place, and who holds it. It pays nothing by itself."""

    way = "holder"
    field = "holder"
    absent = "There is no fortress to hold in {name}."

    place: str = ""


@dataclass(frozen=True, slots=True)
class HoldsAfterKills(Holds):
    """Whoever holds the place and has removed so many enemy units wins at once."""

    kills: int = 0

    def endings(self, rounds: int | None, options: Options) -> tuple[Ending, ...]:
        text = f"holds the {self.place}, {self.kills} units removed"
        return (
            Ending(f"{self.place}-A", "A", f"{{a}} {text}", holder="A"),
            Ending(f"{self.place}-B", "B", f"{{b}} {text}", holder="B"),
        )


@dataclass(frozen=True, slots=True)
class AloneInCastle(Holds):
    """The siege, where the castle shows who is inside. A house rule lets side A win by it (R-79)."""

    way = "castle"

    def endings(self, rounds: int | None, options: Options) -> tuple[Ending, ...]:
        if options.siege_win != "sole_occupant":
            return ()
        return (Ending(self.place, "A", f"Only {{a}} is in the {self.place}", holder="A"),)


def count_units(number: int) -> str:
    return "1 unit" if number == 1 else f"{number} units"
