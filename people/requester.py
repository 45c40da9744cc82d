"""Who makes a request: a Person, their account, and the passes of this browser. Looked up once, when first needed."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from people.models import LogIn, Pass, Person
from people.name_validation import shorten_name
from prepared_queries import Composite, register_composite
from refusal import Refusal

# The Person (the root), the account, the log-in.
Identity = tuple[Person | None, Any, LogIn | None]


def scope_refusal(scope: str) -> Refusal:
    return Refusal(
        f"This token may not do this. It needs the scope “{scope}”: make a token that has it.",
        status=403,
        fresh={"scope": scope},
        code="missing-scope",
    )


class Who:
    """``request.who``. Jobs, commands and tests make their own with ``Who.of(person)``."""

    def __init__(
        self,
        identity: Callable[[], Identity] | None = None,
        passes: Callable[[], tuple[Pass, ...]] | None = None,
        browser: Callable[[], str] | None = None,
    ) -> None:
        self._find_identity = identity or (lambda: (None, None, None))
        self._find_passes = passes or (lambda: ())
        self._find_browser = browser or (lambda: "")
        # What apps have read for this requester once, by their own keys: a request reads it no second time.
        self.read_once: dict[str, Any] = {}
        # What an API token may do; None for a browser, which may do everything its person may.
        self.scopes: frozenset[str] | None = None
        self.is_acting = True  # this request may change something; False if it only looks
        self.lacked_run = False  # their office did not count, for want of the scope "run"

    @classmethod
    def of(cls, person: Person | None, passes: tuple[Pass, ...] = ()) -> "Who":
        """Someone outside a request, with the permissions of their account if they have one."""
        if person is None:
            return cls(passes=lambda: passes)
        return cls(lambda: (person.root, person.root.account, None), lambda: passes)

    @property
    def _identity(self) -> Identity:
        if not hasattr(self, "_found"):
            self._found = self._find_identity()
        return self._found

    @property
    def person(self) -> Person | None:
        return self._identity[0]

    @property
    def user(self) -> Any:
        """The account, if this browser logged in with its password. A personal link is not enough."""
        return self._identity[1]

    @property
    def log_in(self) -> LogIn | None:
        return self._identity[2]

    @property
    def passes(self) -> tuple[Pass, ...]:
        if not hasattr(self, "_held"):
            self._held = self._find_passes()
        return self._held

    def pass_to(self, kind: str, target: int) -> Pass | None:
        """The pass of this kind to this target, if this browser holds it."""
        return next((held for held in self.passes if held.kind == kind and held.target == target), None)

    @property
    def is_known(self) -> bool:
        return self.person is not None

    def require_person(self) -> Person:
        """The Person, or a refusal that says how to log in."""
        if self.person is None:
            raise Refusal("Log in first, or open your personal link.", status=403, code="log-in-required")
        return self.person

    def require_scope(self, scope: str) -> None:
        """Refuse an API token without this scope."""
        if not self.has_scope(scope):
            raise scope_refusal(scope)

    def has_scope(self, scope: str) -> bool:
        return self.scopes is None or scope in self.scopes

    def in_office(self, holds: bool) -> bool:
        """Whether they act as game master, host or owner. Every question for such a role is answered through this.

        Looking, they see what they see. But a token without the scope "run" acts as a plain player or member, who is
        then refused what only the office may do; the API's answer names the scope.
        """
        if holds and self.is_acting and not self.has_scope("run"):
            self.lacked_run = True
            return False
        return holds

    @property
    def is_owner(self) -> bool:
        return self.in_office(self.user is not None and self.user.is_superuser)

    @property
    def ref(self) -> str:
        """A stable key for receipts: the Person, else the pass, else the browser."""
        if self.person is not None:
            return f"person:{self.person.pk}"
        if self.passes:
            return f"pass:{self.passes[0].pk}"
        return f"browser:{self._find_browser()}"

    @property
    def display_name(self) -> str:
        if self.person is not None:
            return shorten_name(self.person.name)
        if self.passes and self.passes[0].label:
            return shorten_name(self.passes[0].label)
        return "Guest"

    def __repr__(self) -> str:
        return f"<Who {self.ref}>"


# ── In prepared queries ────────────────────────────────────────────────────────────────────────────────
# The ids of their person, and what else permissions ask of them.
# Their passes are looked up and taken along only where a query says that it needs them: give it ``WhoWithPasses(who)``.


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
    kinds = tuple(row.kind for row in held)
    return (constants, len(ids), kinds), (*ids, *(number for row in held for number in (row.pk, row.target or 0)))


def _stand_in(who: Who, ids: Sequence[int]) -> Who:
    return _with_ids(who, ids, _no_passes)


def _stand_in_with_passes(asking: WhoWithPasses, numbers: Sequence[int]) -> Who:
    count = len(_parts(asking.who)[1])
    pairs = zip(asking.who.passes, numbers[count::2], numbers[count + 1 :: 2], strict=True)
    held = tuple(Pass.from_db("default", ["id", "kind", "target"], [pk, row.kind, to]) for row, pk, to in pairs)
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
