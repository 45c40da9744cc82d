"""Acts: what may be decided, whether it is allowed now, and what it does. Apps above register their own."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, Self, TypeVar, dataclass_transform

from campaign.chronicle.effects import Effect
from campaign.chronicle.state import Kingdom, State
from dataclass_json import keyed
from refusal import Refusal
from rulebook.data.house_rules import Options

# The version of our reading of the rules. Written into each entry; a preview says when it differs.
RULES_VERSION = 1

MASTER, RULER, MEMBER = "master", "ruler", "member"


@dataclass(frozen=True, slots=True)
class Act:
    """One act. Its fields are what was decided; the codec turns them into the body of an entry and back.

    ``by`` says who may do it: the master, one of ``rulers()``, or any member. ``confirm``: it is a report that others
    may have to confirm, by the terms of the campaign (see approvals).
    """

    key: ClassVar[str]
    by: ClassVar[str]
    confirm: ClassVar[bool] = False
    given_numbers: ClassVar[tuple[str, ...]] = ()  # fields that ``numbered`` fills in; an amended act keeps them

    def decide(self, state: State, rules: Options) -> list[Effect]:
        """The changes it makes, or a Refusal if it is not allowed in this state."""
        raise NotImplementedError

    def numbered(self, state: State, entry: int) -> Self:
        """Completed when it is entered, with numbers and ids from the newest state."""
        return self

    def rulers(self) -> tuple[str, ...]:
        """The kingdoms whose rulers may do it."""
        kingdom = getattr(self, "kingdom", None)
        return (kingdom,) if kingdom else ()

    def rulers_in(self, state: State) -> tuple[str, ...]:
        """The kingdoms whose rulers may do it, where only the state knows them."""
        return self.rulers()

    def kingdoms(self) -> tuple[str, ...]:
        """The kingdoms it concerns."""
        return self.rulers()


A = TypeVar("A", bound=Act)
_acts: dict[str, type[Act]] = {}


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def register_act(key: str, by: str = MASTER) -> Callable[[type[A]], type[A]]:
    """Make a frozen dataclass of an act, which entries name by this key."""
    return keyed(key, _acts, by=by)


def get_act(key: str) -> type[Act]:
    if key not in _acts:
        raise Refusal(f"There is no act called {key!r}.", field="act")
    return _acts[key]


def list_acts() -> tuple[str, ...]:
    return tuple(_acts)


def require_kingdom(state: State, key: object, field: str = "kingdom") -> Kingdom:
    kingdom = state.kingdoms.get(key) if isinstance(key, str) else None
    if kingdom is None or kingdom.status == "gone":
        raise Refusal("There is no such kingdom in this campaign.", field=field)
    return kingdom


def require_whole_number(value: object, what: str, *, least: int, most: int, field: str | None = None) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refusal(f"{what} must be a whole number, not {value!r}.", field=field)
    if not least <= value <= most:
        raise Refusal(f"{what} must be {least} to {most}, not {value}.", field=field)
    return value


def require_text(value: object, what: str, *, most: int, field: str | None = None, empty: bool = False) -> str:
    if not isinstance(value, str):
        raise Refusal(f"{what} must be text.", field=field)
    if not value.strip() and not empty:
        raise Refusal(f"{what} is empty. Write a few words.", field=field)
    if len(value) > most:
        raise Refusal(f"{what} has {len(value)} characters. The limit is {most}.", field=field)
    return value
