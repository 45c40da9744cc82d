"""A requester as argument of prepared queries: the ids of their person, and what else permissions ask of them.

Their passes are looked up and taken along only where a query says that it needs them: give it ``WhoWithPasses(who)``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace

from people.models import Pass, Person
from people.requester import Who
from prepared_queries import Composite, register_composite


@dataclass(frozen=True)
class WhoWithPasses:
    """For prepared queries that look at the passes of the browser too. They are handed a ``Who``."""

    who: Who


def register() -> None:
    register_composite(Who, Composite(_parts, _stand_in))
    register_composite(
        WhoWithPasses, Composite(_parts_with_passes, _stand_in_with_passes, plain=lambda asking: asking.who)
    )


def _parts(who: Who) -> tuple[Hashable, tuple[int, ...]]:
    """Everything that querysets ask of a requester, but not the passes."""
    owner = None if who.user is None else bool(who.user.is_superuser)
    return (who.person is not None, owner), who.person.all_ids() if who.person is not None else ()


def _parts_with_passes(asking: WhoWithPasses) -> tuple[Hashable, tuple[int, ...]]:
    constants, ids = _parts(asking.who)
    held = asking.who.passes
    kinds = tuple(one.kind for one in held)
    return (constants, len(ids), kinds), (*ids, *(number for one in held for number in (one.pk, one.target or 0)))


def _stand_in(who: Who, ids: Sequence[int]) -> Who:
    return _with_ids(who, ids, _no_passes)


def _stand_in_with_passes(asking: WhoWithPasses, numbers: Sequence[int]) -> Who:
    count = len(_parts(asking.who)[1])
    pairs = zip(asking.who.passes, numbers[count::2], numbers[count + 1 :: 2], strict=True)
    held = tuple(Pass.from_db("default", ["id", "kind", "target"], [pk, one.kind, to]) for one, pk, to in pairs)
    return _with_ids(asking.who, numbers[:count], lambda: held)


def _with_ids(who: Who, ids: Sequence[int], passes: Callable[[], tuple[Pass, ...]]) -> Who:
    """A requester of the same permissions with other ids. Nothing else of theirs can be read."""
    person = None
    if ids:
        person = Person.from_db("default", ["id", "merged_into_id"], [ids[0], None])
        person._all_ids = tuple(ids)
    user = None if who.user is None else SimpleNamespace(is_superuser=bool(who.user.is_superuser))
    return Who(lambda: (person, user, None), passes)


def _no_passes() -> tuple[Pass, ...]:
    raise TypeError("This prepared query asks for passes: give it WhoWithPasses(who).")
