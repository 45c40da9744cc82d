"""Who asks: a Person, the account behind it, and the passes this browser holds. Looked up once, and only when asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from people.models import LogIn, Pass, Person
from people.names import shown
from refusal import Refusal

# What is found out in one look: the Person (the root), the account, the log-in.
Identity = tuple[Person | None, Any, LogIn | None]


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

    @classmethod
    def of(cls, person: Person | None) -> Who:
        """Someone outside a request, with the rights of their account if they have one."""
        if person is None:
            return cls()
        return cls(lambda: (person.root, person.root.account, None))

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
        """The account, if this browser has proven its password; a personal link alone proves none."""
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
        """The pass of this kind to this one thing, if this browser holds it."""
        return next((held for held in self.passes if held.kind == kind and held.target == target), None)

    @property
    def is_known(self) -> bool:
        return self.person is not None

    def must_be_known(self) -> Person:
        """The Person, or the sentence that shows the way in."""
        if self.person is None:
            raise Refusal("Log in first, or open your personal link.", status=403)
        return self.person

    @property
    def is_owner(self) -> bool:
        return self.user is not None and self.user.is_superuser

    @property
    def ref(self) -> str:
        """A stable name for receipts: the Person, else the pass, else the browser."""
        if self.person is not None:
            return f"person:{self.person.pk}"
        if self.passes:
            return f"pass:{self.passes[0].pk}"
        return f"browser:{self._find_browser()}"

    @property
    def display(self) -> str:
        if self.person is not None:
            return shown(self.person.name)
        if self.passes and self.passes[0].label:
            return shown(self.passes[0].label)
        return "Guest"

    def __repr__(self) -> str:
        return f"<Who {self.ref}>"
