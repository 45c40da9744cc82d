"""What can have photos. An app above registers a model, and says who sees and who decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model

from people.requester import Who

Subject = TypeVar("Subject", bound=Model)


@dataclass(frozen=True, slots=True)
class SubjectKind(Generic[Subject]):
    """One kind of thing with photos. The key is stored, so it never changes."""

    key: str
    model: type[Subject]
    # With what the functions below need. None if it is gone.
    find: Callable[[int], Subject | None]
    can_see: Callable[[Subject, Who], bool]
    can_add: Callable[[Subject, Who], bool]
    # Those who remove any photo, and decide about one that was reported.
    can_manage: Callable[[Subject, Who], bool]
    # The numbers of all that they manage, of those given.
    managed: Callable[[Iterable[int], Who], Iterable[int]]
    describe: Callable[[Subject], str]
    url: Callable[[Subject], str]


_kinds: dict[str, SubjectKind[Any]] = {}


def register_subject(kind: SubjectKind[Any]) -> None:
    _kinds[kind.key] = kind


def all_kinds() -> list[SubjectKind[Any]]:
    return list(_kinds.values())


def kind_of(subject: Model) -> SubjectKind[Any]:
    return next(kind for kind in _kinds.values() if isinstance(subject, kind.model))


def kind_named(key: str) -> SubjectKind[Any] | None:
    return _kinds.get(key)
