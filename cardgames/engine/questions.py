"""What a rule can yield: one question, or several at once.

The value sent back is what stands behind the chosen key in ``options``. Keys are stored, so they name the thing chosen
("gift:2", "buy:front-1"), never its number in a list. A key that stays secret from others names a place ("slot-1"), not
a face: then it tells nothing, and it is still a legal key in every world the others must hold possible.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

PASS = "pass"
# The clock answers too, when a reaction window is open; its rows stand in the log like anybody's.
CLOCK = -1
HOLD, DEADLINE = "hold", "deadline"
# Seconds before a bot answers.
BOT_PAUSE = 0.6

Options = Mapping[str, Any]


class Question:
    """One question to one seat. ``options`` is complete and never empty; ``about`` is plain data for the sentence.

    ``about`` and the keys must follow from what the asked seat knows.
    """

    __slots__ = ("about", "kind", "options", "seat")

    def __init__(self, seat: int, kind: str, options: Options, about: Any = None) -> None:
        self.seat = seat
        self.kind = kind
        self.options = options
        self.about = about

    def renew_options(self) -> None:
        """Asks again after a re-deal; only where options come from a hidden hand is there anything to do."""


class HandQuestion(Question):
    """A question about a hidden hand: ``means`` gives its options, again after each re-deal."""

    __slots__ = ("means",)

    def __init__(self, seat: int, kind: str, means: Callable[[], Options], about: Any = None) -> None:
        super().__init__(seat, kind, means(), about)
        self.means = means

    def renew_options(self) -> None:
        self.options = self.means()


@dataclass(frozen=True, slots=True)
class ReactionWindow:
    """A reaction window. What comes of it is not shown before ``hold`` seconds, whoever could or could not react.

    With a ``deadline``, whoever has not answered by then passes; without one, everybody is waited for.
    """

    hold: float = 3.0
    deadline: float | None = None


class QuestionGroup:
    """Several questions at once. Answers stay sealed until the last is in, then come together as ``{seat: value}``.

    An answer can be taken back until then, unless it ``is_final``.
    """

    __slots__ = ("asks", "is_final", "window")

    def __init__(self, asks: Sequence[Question], window: ReactionWindow | None = None, is_final: bool = False) -> None:
        self.asks = {ask.seat: ask for ask in asks}
        self.window = window
        self.is_final = is_final
        if not self.asks or len(self.asks) != len(asks):
            raise ValueError("QuestionGroup needs one question each for at least one seat.")
        if window is not None and any(PASS not in ask.options for ask in asks):
            raise ValueError("In a reaction window everybody must be able to pass.")


def ask_for_reactions(
    seats: Sequence[int],
    kind: str,
    means: Callable[[int], Options],
    about: Any = None,
    window: ReactionWindow | None = None,
) -> QuestionGroup:
    """A reaction window for all ``seats`` that could react by what everybody knows.

    ``means(seat)`` gives what the seat really holds; it may be empty. Each is asked the same way, so that being asked
    tells nothing.
    """

    def means_of(seat: int) -> Callable[[], Options]:
        return lambda: {**means(seat), PASS: None}

    return QuestionGroup(
        [HandQuestion(seat, kind, means_of(seat), about) for seat in seats], window or ReactionWindow()
    )


# When things happen: the time is handed in, and a timer outside keeps the due times. How long a seat takes must not
# show what it holds, so a due time depends only on when the question was opened.


def bot_due_time(opened: float, window: ReactionWindow | None = None) -> float:
    """When a bot's answer is given: never at once, and in a reaction window exactly when the hold is over."""
    return opened + (max(window.hold, BOT_PAUSE) if window else BOT_PAUSE)


def window_due_times(opened: float, window: ReactionWindow) -> list[tuple[float, str]]:
    """What the timer does in this window, and when."""
    due = [(opened + window.hold, HOLD)]
    if window.deadline is not None:
        due.append((opened + max(window.hold, window.deadline), DEADLINE))
    return due
